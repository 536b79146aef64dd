//! What looks at a run of the model `paper`: it finds a step, keeps the steps around it, or looks at one access.

use crate::cache_tab::why::request::WhyFind;
use cache::{Answer, CoreState, Issue, IssueKind, ObservedCore, Observer, RequestClass};
use exec::LineRequests;
use std::sync::Arc;

/// What an access must have, by the indices of the trace and of the requests.
#[derive(Clone, Debug, Default)]
pub(super) struct Filter {
    pub array: Option<u16>,
    pub set: Option<u32>,
    pub line: Option<u32>,
    pub site: Option<u32>,
    pub misses: bool,
    pub class: Option<RequestClass>,
}

/// The search for a step.
pub(super) struct Finder {
    pub find: WhyFind,
    pub core: Option<u32>,
    pub filter: Filter,
    /// The steps of all cores are to be counted too, so that the run goes on to its end.
    pub whole: bool,
    pub matches: u64,
    /// The core and the step.
    pub found: Option<(u32, u64)>,
}

/// An earlier request for a line.
#[derive(Clone, Copy, Default)]
pub(super) struct LineUse {
    /// Its step; 0 if there is none.
    pub step: u64,
    /// Requests of the core up to it.
    pub requests: u64,
    pub tick: u64,
    pub warp: u32,
    pub request: u32,
    pub class: Option<RequestClass>,
}

/// A step that is kept.
pub(super) struct SeenStep {
    pub step: u64,
    pub issue: Issue,
    pub state: CoreState,
    pub answer: Option<Answer>,
    pub before: Option<LineUse>,
    /// Requests of the core before it.
    pub requests: u64,
}

/// The steps of a core from `first` to `last`.
pub(super) struct Window {
    pub core: u32,
    pub first: u64,
    pub last: u64,
    pub steps: Vec<SeenStep>,
    requests: u64,
    /// The last request for each line, by the core's own numbers.
    uses: Vec<LineUse>,
}

impl Window {
    pub fn new(core: u32, first: u64, last: u64) -> Self {
        Self { core, first, last, steps: Vec::new(), requests: 0, uses: Vec::new() }
    }
}

pub(super) enum Goal {
    Find(Finder),
    Show(Window),
    /// The class of the request with this index.
    Probe(u32, Option<RequestClass>),
}

/// What a core did so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CoreSteps {
    pub all: u64,
    /// Those that were cancelled.
    pub cancelled: u64,
}

/// The observer of all runs of a question.
pub(super) struct Watch {
    pub goal: Goal,
    /// Steps of each core so far.
    pub steps: Vec<CoreSteps>,
    requests: Arc<LineRequests>,
}

impl Watch {
    pub fn new(goal: Goal, cores: usize, requests: Arc<LineRequests>) -> Self {
        Self { goal, steps: vec![CoreSteps::default(); cores], requests }
    }

    /// True if the rest of the run cannot change what was seen.
    pub fn has_seen_all(&self) -> bool {
        match &self.goal {
            Goal::Find(finder) => !finder.whole && finder.has_found(&self.steps),
            Goal::Show(window) => self.steps.get(window.core as usize).is_some_and(|steps| steps.all > window.last),
            Goal::Probe(_, class) => class.is_some(),
        }
    }
}

impl Observer for Watch {
    fn before(&mut self, issue: &Issue, core: &ObservedCore<'_>) {
        let steps = &mut self.steps[issue.core as usize];
        steps.all += 1;
        steps.cancelled += u64::from(matches!(issue.kind, IssueKind::Cancelled { .. }));
        let step = steps.all;
        let Goal::Show(window) = &mut self.goal else { return };
        if issue.core == window.core && (window.first..=window.last).contains(&step) {
            let before = window.uses.get(issue.line as usize).copied().filter(|before| before.step > 0);
            let requests = window.requests;
            let seen = SeenStep { step, issue: *issue, state: core.state(issue), answer: None, before, requests };
            window.steps.push(seen);
        }
    }

    fn after(&mut self, issue: &Issue, answer: &Answer) {
        let step = self.steps[issue.core as usize].all;
        match &mut self.goal {
            Goal::Find(finder) => finder.look(step, issue, answer, &self.requests),
            Goal::Show(window) if issue.core == window.core => window.take(step, issue, answer),
            Goal::Show(_) => {}
            Goal::Probe(request, class) => {
                if issue.request == *request {
                    *class = Some(answer.class);
                }
            }
        }
    }

    fn looks_closely(&self, core: u32) -> bool {
        let Goal::Show(window) = &self.goal else { return false };
        window.core == core && (window.first..=window.last).contains(&(self.steps[core as usize].all + 1))
    }
}

impl Window {
    fn take(&mut self, step: u64, issue: &Issue, answer: &Answer) {
        self.requests += 1;
        let line = issue.line as usize;
        if line >= self.uses.len() {
            self.uses.resize((line + 1).next_power_of_two(), LineUse::default());
        }
        let (tick, warp, request) = (issue.tick, issue.warp, issue.request);
        self.uses[line] = LineUse { step, requests: self.requests, tick, warp, request, class: Some(answer.class) };
        if let Some(seen) = self.steps.last_mut().filter(|seen| seen.step == step) {
            seen.answer = Some(*answer);
        }
    }
}

impl Finder {
    /// True if the rest of the run, after so many steps of each core, cannot change what was found.
    fn has_found(&self, steps: &[CoreSteps]) -> bool {
        let so_far = || self.core.and_then(|core| steps.get(core as usize)).map_or(0, |steps| steps.all);
        match self.find {
            WhyFind::After(_) => self.found.is_some(),
            WhyFind::Before(to) => so_far() >= to,
            WhyFind::Step(_) | WhyFind::Match(_) => false,
        }
    }

    fn look(&mut self, step: u64, issue: &Issue, answer: &Answer, requests: &LineRequests) {
        if self.core.is_some_and(|core| core != issue.core) || !self.filter.fits(issue, answer, requests) {
            return;
        }
        self.matches += 1;
        let found = match self.find {
            WhyFind::Step(_) => false,
            WhyFind::Match(number) => self.matches == number,
            WhyFind::After(from) => step > from && self.found.is_none(),
            WhyFind::Before(to) => step < to,
        };
        if found {
            self.found = Some((issue.core, step));
        }
    }
}

impl Filter {
    fn fits(&self, issue: &Issue, answer: &Answer, requests: &LineRequests) -> bool {
        let request = &requests.requests[issue.request as usize];
        self.array.is_none_or(|array| array == request.array)
            && self.set.is_none_or(|set| set == issue.set)
            && self.line.is_none_or(|line| line == request.line)
            && self.site.is_none_or(|site| site == request.site)
            && !(self.misses && answer.class == RequestClass::Hit)
            && self.class.is_none_or(|class| class == answer.class)
    }
}
