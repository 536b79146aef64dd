//! Runs launches on the model `gpu` whose traces do not fit in memory: the emulator and the machine take turns.

use crate::cache_tab::work::GPU_WORK;
use crate::input::long_text::LongText;
use base::{Diagnostic, Job, Progress, Severity, Step};
use cuda_vm::{LaunchSegment, LaunchStream, StreamStep};
use exec::{WorkCounter, WorkCounts};
use machine::{CountedPart, KernelOutcome, KernelRun, Leftover, MachineSpec, State, Wants};
use std::collections::VecDeque;
use std::sync::Arc;
use trace::{Launch, Trace};

/// Warp instructions of the emulator for one event of the machine, in the budget of a step. Both take about as long.
const EMULATED_PER_EVENT: u64 = 4;

/// What the launches need of the scenario.
pub(crate) struct LongSettings<'a> {
    /// The machine for a launch.
    pub spec: &'a dyn Fn(&Launch) -> MachineSpec,
    pub state: State,
    /// The part of the accesses that is counted, if not all are.
    pub counted: Option<CountedPart>,
    /// Whether the launch of a number is wanted.
    pub wanted: &'a dyn Fn(u32) -> bool,
}

/// The launches of texts that are too long for a trace.
pub(crate) struct LongRun {
    /// The texts to come, each with the number of its first launch here.
    texts: VecDeque<(u32, LongText)>,
    stream: Option<LaunchStream>,
    current: Option<Current>,
}

/// A launch that runs.
struct Current {
    number: u32,
    /// Its number in the text.
    launch: usize,
    run: KernelRun,
    /// The segment that came last. It has all sites so far.
    newest: Arc<Trace>,
    /// Whether the segment that came last is the last one.
    ended: bool,
    /// The launch once more, for a state that runs it twice.
    again: Option<LaunchStream>,
    work: WorkCounter,
}

/// What a step gives.
pub(crate) enum LongStep {
    /// Nothing yet: the progress of the launch.
    More(Progress),
    /// A launch has ended.
    Ended(Box<EndedLaunch>),
    /// All launches have ended, with the diagnostics of those that could not run.
    Done,
    /// The text has an error.
    Failed(Vec<Diagnostic>),
}

/// A launch that has ended.
pub(crate) struct EndedLaunch {
    pub number: u32,
    /// Its last blocks, with all sites and arrays.
    pub trace: Arc<Trace>,
    pub outcome: KernelOutcome,
    pub leftover: Option<Leftover>,
    pub work: WorkCounts,
}

impl LongRun {
    /// `first` is the number of the first launch of the first text.
    pub fn new(texts: &[LongText], first: u32) -> Self {
        let mut number = first;
        let mut numbered = VecDeque::new();
        for text in texts {
            numbered.push_back((number, text.clone()));
            number += text.count as u32;
        }
        Self { texts: numbered, stream: None, current: None }
    }

    /// Goes on for about `budget` events. `before` is what the kernel before left in the L2.
    pub fn step(&mut self, budget: u64, settings: &LongSettings<'_>, before: &mut Option<Leftover>) -> LongStep {
        let Some((first, text)) = self.texts.front() else { return LongStep::Done };
        let Some(mut current) = self.current.take() else {
            let stream = self.stream.get_or_insert_with(|| text.stream(text.first));
            match stream.step(budget.saturating_mul(EMULATED_PER_EVENT)) {
                StreamStep::More(_) => return LongStep::More(Progress::default()),
                StreamStep::Blocks(segment) => {
                    let number = first + (segment.launch - text.first) as u32;
                    self.current = (settings.wanted)(number).then(|| Current::new(number, *segment, settings, before));
                    return LongStep::More(Progress::default());
                }
                StreamStep::Done(diagnostics) => {
                    self.stream = None;
                    self.texts.pop_front();
                    let failed = diagnostics.iter().any(|d| d.severity == Severity::Error);
                    return if failed { LongStep::Failed(diagnostics) } else { LongStep::More(Progress::default()) };
                }
            }
        };
        let stream = match current.run.wants() {
            Wants::Nothing => match current.run.step(budget) {
                Step::More(progress) => {
                    self.current = Some(current);
                    return LongStep::More(progress);
                }
                Step::Done(outcome) => return LongStep::Ended(Box::new(current.end(outcome))),
            },
            Wants::NextBlocks if current.ended => {
                current.run.end_blocks();
                self.current = Some(current);
                return LongStep::More(Progress::default());
            }
            Wants::NextBlocks => current.again.as_mut().or(self.stream.as_mut()),
            Wants::FirstBlocks => {
                let launch = current.launch;
                Some(current.again.get_or_insert_with(|| text.stream(launch)))
            }
        };
        let step = stream.map(|stream| stream.step(budget.saturating_mul(EMULATED_PER_EVENT)));
        match step {
            Some(StreamStep::Blocks(segment)) => current.add(*segment),
            Some(StreamStep::Done(diagnostics)) => return LongStep::Failed(diagnostics),
            Some(StreamStep::More(_)) | None => {}
        }
        let progress = current.run.progress();
        self.current = Some(current);
        LongStep::More(progress)
    }
}

impl Current {
    fn new(number: u32, segment: LaunchSegment, settings: &LongSettings<'_>, before: &mut Option<Leftover>) -> Self {
        let (launch, arrays) = (segment.trace.launch_with_registers(), segment.trace.arrays.clone());
        let run = KernelRun::in_segments((settings.spec)(&launch), launch, arrays, settings.state, before.take());
        let run = run.counting(settings.counted);
        let (launch, ended, newest) = (segment.launch, segment.last, Arc::new(segment.trace));
        let mut work = WorkCounter::new(GPU_WORK);
        work.add(&newest, usize::MAX);
        let mut this = Self { number, launch, run, newest: Arc::clone(&newest), ended, again: None, work };
        this.run.add_blocks(newest);
        this
    }

    fn add(&mut self, segment: LaunchSegment) {
        (self.ended, self.newest) = (segment.last, Arc::new(segment.trace));
        // A launch that runs twice brings its blocks twice.
        if self.again.is_none() {
            self.work.add(&self.newest, usize::MAX);
        }
        self.run.add_blocks(Arc::clone(&self.newest));
    }

    fn end(self, outcome: KernelOutcome) -> EndedLaunch {
        let (leftover, work) = (self.run.into_leftover(), self.work.counts().clone());
        EndedLaunch { number: self.number, trace: self.newest, outcome, leftover, work }
    }
}
