//! A job for rows that run a model several times: one number per run, and the values from all numbers.

use super::row::PaperValues;
use super::value::PaperValue;
use base::{Job, Progress, Step};

/// How the points of a row are run.
pub(super) struct Plan<J: Job> {
    /// Runs.
    pub count: usize,
    /// Makes the run of a point, counted from 0.
    pub begin: fn(usize) -> Result<J, String>,
    /// The number that a run gives.
    pub measure: fn(J::Output) -> f64,
    /// The values of the row.
    pub tell: fn(&[f64]) -> Vec<PaperValue>,
}

/// The job.
pub(super) struct Points<J: Job> {
    plan: Plan<J>,
    numbers: Vec<f64>,
    running: Option<J>,
}

/// The units of progress of a point.
const UNITS: u64 = 1000;

impl<J: Job + 'static> Points<J> {
    /// Makes the job of a plan.
    pub fn boxed(plan: Plan<J>) -> Box<dyn Job<Output = PaperValues>> {
        Box::new(Self { plan, numbers: Vec::new(), running: None })
    }
}

impl<J: Job> Job for Points<J> {
    type Output = PaperValues;

    fn step(&mut self, budget: u64) -> Step<PaperValues> {
        let at = self.numbers.len();
        if at == self.plan.count {
            return Step::Done(Ok((self.plan.tell)(&self.numbers)));
        }
        let mut run = match self.running.take().map_or_else(|| (self.plan.begin)(at), Ok) {
            Ok(run) => run,
            Err(why) => return Step::Done(Err(why)),
        };
        let mut done = at as u64 * UNITS;
        match run.step(budget) {
            Step::More(now) => {
                done += UNITS * now.done.min(now.total) / now.total.max(1);
                self.running = Some(run);
            }
            Step::Done(output) => {
                self.numbers.push((self.plan.measure)(output));
                done += UNITS;
            }
        }
        Step::More(Progress { done, total: self.plan.count as u64 * UNITS })
    }
}
