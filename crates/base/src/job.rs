//! Long work in bounded steps.
//!
//! A [`Job`] does a bounded amount of work per step. Between two steps a worker can report progress and can stop.

/// The state of a job, in the job's own unit of work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Units that are finished.
    pub done: u64,
    /// Units of the whole job. The number may change while the job runs.
    pub total: u64,
}

/// The result of one step.
#[derive(Debug)]
pub enum Step<T> {
    /// The job needs more steps.
    More(Progress),
    /// The job is finished and must not be stepped again.
    Done(T),
}

/// Work that can be done in bounded steps.
pub trait Job {
    /// The result of the whole job.
    type Output;

    /// Does about `budget` units of work.
    fn step(&mut self, budget: u64) -> Step<Self::Output>;

    /// Runs all steps, for callers that need no progress.
    fn finish(mut self) -> Self::Output
    where
        Self: Sized,
    {
        loop {
            if let Step::Done(output) = self.step(u64::MAX) {
                return output;
            }
        }
    }
}
