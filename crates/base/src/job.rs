//! Long work in bounded steps.
//!
//! A [`Job`] does a bounded amount of work per step, so that a worker can report true progress and stop between steps.

/// How far a job has come, in the job's own unit of work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Units done.
    pub done: u64,
    /// Units in all, as far as known now.
    pub total: u64,
}

/// What one step yields.
#[derive(Debug)]
pub enum Step<T> {
    /// Not finished yet.
    More(Progress),
    /// Finished; the job must not be stepped again.
    Done(T),
}

/// Work that can be done in bounded steps.
pub trait Job {
    /// What comes out at the end.
    type Output;

    /// Does about `budget` units of work.
    fn step(&mut self, budget: u64) -> Step<Self::Output>;

    /// Runs to the end, for callers that need no progress.
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
