//! Runs the most promising placements on the machine until their order is stable.
//!
//! In: the placements in order of the equations, best first. Out: their times on the machine. The present placement runs
//! first. Then the others run in order, until none of the last [`STABLE`] improved on the best time.

use crate::judge::run::{Judge, JudgeRun, MachineTime};
use crate::model::evaluator::Evaluator;
use crate::space::legal::Placement;
use base::{Job, Progress, Step};

/// Placements in a row that must not improve on the best time, and the largest number that runs.
const STABLE: usize = 8;
const MOST: usize = 64;

/// The runs of one kernel's placements.
pub struct Judging {
    judge: Judge,
    order: Vec<Placement>,
    next: usize,
    running: Option<Box<JudgeRun>>,
    done: Vec<(Placement, MachineTime)>,
    /// Runs since the best time was found.
    since_best: usize,
    best: f64,
}

impl Judging {
    /// `ranked` are placements of the evaluator's kernel, best first.
    pub fn new(judge: Judge, evaluator: &Evaluator, ranked: impl IntoIterator<Item = Placement>) -> Self {
        let sample = evaluator.sample();
        let others = ranked.into_iter().filter(|placement| placement != sample);
        let order = std::iter::once(sample.clone()).chain(others).take(MOST).collect();
        Self { judge, order, next: 0, running: None, done: Vec::new(), since_best: 0, best: f64::INFINITY }
    }

    /// The placements that have run, with their times. The present placement is the first.
    pub fn judged(&self) -> &[(Placement, MachineTime)] {
        &self.done
    }

    /// Works for about `budget` events of the machine. Returns false if nothing is left.
    pub fn advance(&mut self, evaluator: &Evaluator, budget: u64) -> bool {
        let mut run = match self.running.take() {
            Some(run) => run,
            None if self.since_best >= STABLE => return false,
            None => {
                let Some(placement) = self.order.get(self.next) else { return false };
                Box::new(self.judge.run(evaluator, placement))
            }
        };
        match run.step(budget) {
            Step::More(_) => self.running = Some(run),
            Step::Done(time) => {
                self.since_best = if time.cycles() < self.best { 0 } else { self.since_best + 1 };
                self.best = self.best.min(time.cycles());
                self.done.push((self.order[self.next].clone(), time));
                self.next += 1;
            }
        }
        true
    }

    /// Placements that have run, and those that will at least.
    pub fn progress(&self) -> Progress {
        let more = STABLE.saturating_sub(self.since_best).min(self.order.len() - self.next);
        Progress { done: self.next as u64, total: (self.next + more) as u64 }
    }
}
