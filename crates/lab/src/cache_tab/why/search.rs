//! How far a question is: which step of which core it is about, once a run has found it, and how many runs it takes.

use crate::cache_tab::why::request::{wrong, WhyFind, WhyRequest};
use base::{Diagnostic, Progress};

/// Most changes of one access that are run.
const MOST_CHECKS: usize = 6;

pub(super) struct Search {
    pub request: WhyRequest,
    /// Accesses that fit, if some were asked for by what they are.
    pub matches: Option<u64>,
    /// The core and the step that are shown.
    pub place: Option<(u32, u64)>,
    /// Runs that are done.
    done: u64,
}

impl Search {
    pub fn new(request: WhyRequest) -> Self {
        Self { request, matches: None, place: None, done: 0 }
    }

    /// Finds a step that is asked for by its number, which takes no run. False if a run must find it.
    pub fn place_by_number(&mut self) -> bool {
        if let WhyFind::Step(step) = self.request.find {
            self.place = Some((self.request.core.unwrap_or(0), step));
        }
        self.place.is_some()
    }

    /// The only core to search. A walk from one step to another stays on its core.
    pub fn core(&self) -> Option<u32> {
        let walks = !matches!(self.request.find, WhyFind::Match(_));
        self.request.core.or(walks.then_some(0))
    }

    /// The first and the last step to show, around a step of a core with so many.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if the core has no such step.
    pub fn window(&self, core: u32, step: u64, core_steps: u64) -> Result<[u64; 2], Vec<Diagnostic>> {
        WhyRequest::check_step(core, step, core_steps)?;
        let first = step.saturating_sub(u64::from(self.request.lead)).max(1);
        Ok([first, first + u64::from(self.request.steps) - 1])
    }

    pub fn count_run(&mut self) {
        self.done += 1;
    }

    /// Takes what a run through the whole kernel found.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if no step fits.
    pub fn take(&mut self, found: Option<(u32, u64)>, matches: u64) -> Result<(), Vec<Diagnostic>> {
        if !self.place_by_number() {
            self.place = found;
        }
        if matches!(self.request.find, WhyFind::Match(_)) {
            self.matches = Some(matches);
        }
        if self.place.is_some() {
            return Ok(());
        }
        Err(match self.request.find {
            WhyFind::Match(_) if matches == 0 => {
                wrong("an access that fits", "none in this run", "ask for less at a time, such as any outcome")
            }
            WhyFind::Match(number) => wrong(
                &format!("access {number} of those that fit"),
                &format!("{matches} of them"),
                format!("choose a number from 1 to {matches}"),
            ),
            WhyFind::After(_) => wrong("such an access after this step", "none", "go back to an earlier step"),
            WhyFind::Before(_) => wrong("such an access before this step", "none", "go on to a later step"),
            WhyFind::Step(_) => wrong("a step", "none", "choose another one"),
        })
    }

    /// Each run is an equal part of the whole. `checks` are those left; as long as they are not known, there may be the most.
    pub fn progress(&self, now: Progress, checks: Option<usize>) -> Progress {
        const PARTS: u64 = 1000;
        let checks = match checks {
            None if self.request.check => MOST_CHECKS,
            known => known.unwrap_or(0),
        };
        // The wanted step is found in a run of its own before it is shown.
        let runs = self.done + 1 + u64::from(self.place.is_none()) + checks as u64;
        let part = (u128::from(PARTS) * u128::from(now.done)).checked_div(u128::from(now.total)).unwrap_or(0);
        Progress { done: self.done * PARTS + part as u64, total: runs * PARTS }
    }
}
