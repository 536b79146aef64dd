//! Runs the most promising placements on the machine until their order is stable.
//!
//! In: the placements in order of the equations, best first. Out: their times on the machine. The present placement runs
//! first, and then those that read the arrays that the text stages where they are, which the equations do not tell apart. Then
//! follows the one that moves the most arrays to shared memory and no other, which the equations often rank low. The
//! others run in order, until none of the last [`STABLE`] improved on the best time. Of each placement near the best, then follow
//! those that take one of its moves back, and those that make one alone. They show what each move is worth, and one of
//! them may be the best. Each runs as the trace of a text that was rewritten for it, or else as the trace with its arrays
//! moved.

use crate::judge::run::{Judge, JudgeRun, MachineTime};
use crate::model::evaluator::Evaluator;
use crate::space::legal::{Memory, Placement};
use base::{Job, Progress, Step};
use std::sync::Arc;
use trace::Trace;

/// Placements in a row that must not improve on the best time, and the largest number that runs.
const STABLE: usize = 8;
const MOST: usize = 64;
/// The time of a placement near the best, over the best time.
const NEAR: f64 = 1.05;

/// A job that makes the trace of a placement by running a text, or says why there is no such text.
pub type Retrace = Box<dyn Job<Output = Result<Trace, String>>>;
/// Starts such a job for a placement. `Err` has the reason why the placement is not possible.
pub type Retracer = Box<dyn Fn(&Placement) -> Result<Retrace, String>>;

/// A job that makes the trace of a text, if there is one, and runs it on the machine. `Err` has the reason why the text is not for
/// use.
pub struct Timing {
    judge: Judge,
    stage: Stage,
}

enum Stage {
    Text(Retrace),
    Machine(Box<JudgeRun>),
}

impl Timing {
    /// The time of a text.
    pub fn of_text(judge: &Judge, text: Retrace) -> Self {
        Self { judge: judge.clone(), stage: Stage::Text(text) }
    }

    /// The time of a placement whose trace is there.
    fn of_run(judge: &Judge, run: JudgeRun) -> Self {
        Self { judge: judge.clone(), stage: Stage::Machine(Box::new(run)) }
    }
}

impl Job for Timing {
    type Output = Result<MachineTime, String>;

    fn step(&mut self, budget: u64) -> Step<Self::Output> {
        match &mut self.stage {
            Stage::Text(text) => match text.step(budget) {
                Step::More(progress) => Step::More(progress),
                Step::Done(Ok(trace)) => {
                    self.stage = Stage::Machine(Box::new(self.judge.run_trace(Arc::new(trace))));
                    Step::More(Progress::default())
                }
                Step::Done(Err(reason)) => Step::Done(Err(reason)),
            },
            Stage::Machine(run) => match run.step(budget) {
                Step::More(progress) => Step::More(progress),
                Step::Done(time) => Step::Done(Ok(time)),
            },
        }
    }
}

/// Whether a placement differs from the present one only in arrays that the text stages, and has one of them or all in global memory.
fn takes_back(evaluator: &Evaluator, placement: &Placement) -> bool {
    let arrays = &evaluator.kernel().arrays;
    let staged = arrays.iter().filter(|array| array.held == Memory::Shared).count();
    let each = arrays.iter().zip(evaluator.sample()).zip(placement);
    let moved: Vec<bool> = each
        .filter(|((_, from), to)| from != to)
        .map(|((array, _), to)| array.held == Memory::Shared && *to == Memory::Global)
        .collect();
    moved.iter().all(|taken| *taken) && (moved.len() == 1 || moved.len() == staged)
}

/// How many arrays a placement moves to shared memory, if it moves no other.
fn tiles(sample: &Placement, placement: &Placement) -> Option<usize> {
    let moved = || sample.iter().zip(placement).filter(|(from, to)| from != to);
    moved().all(|(_, to)| *to == Memory::Shared).then(|| moved().count())
}

/// The runs of one kernel's placements.
pub struct Judging {
    judge: Judge,
    /// Makes traces from the kernel's text. Without it the arrays of the trace are moved.
    retracer: Option<Retracer>,
    /// Placements that turned out not to be possible, with the reasons.
    refused: Vec<(Placement, String)>,
    /// The present placement, those that take staging back, the one with the most tiles, and all others in order of the
    /// equations.
    ranked: Vec<Placement>,
    /// How many of these run in any case.
    asked: usize,
    /// Those that ran, were refused or will run.
    order: Vec<Placement>,
    next: usize,
    /// Whether only placements near the best one are left to run.
    near: bool,
    running: Option<Timing>,
    done: Vec<(Placement, MachineTime)>,
    /// Runs since the best time was found.
    since_best: usize,
    best: f64,
}

impl Judging {
    /// `ranked` are placements of the evaluator's kernel, best first. With a `retracer`, each of them runs as a text of
    /// its own.
    pub fn new(
        judge: Judge,
        retracer: Option<Retracer>,
        evaluator: &Evaluator,
        ranked: impl IntoIterator<Item = Placement>,
    ) -> Self {
        let sample = evaluator.sample();
        let (mut asked, mut others): (Vec<Placement>, Vec<Placement>) =
            ranked.into_iter().filter(|one| one != sample).partition(|one| takes_back(evaluator, one));
        asked.insert(0, sample.clone());
        // The last maximum from the end is the first one.
        let tiled = (0..others.len()).rev().filter_map(|at| Some((tiles(sample, &others[at])?, at)));
        let most = tiled.max_by_key(|(moved, _)| *moved);
        asked.extend(most.map(|(_, at)| others.remove(at)));
        let (ranked, asked) = ([asked.as_slice(), &others].concat(), asked.len());
        Self {
            judge,
            retracer,
            refused: Vec::new(),
            order: ranked.iter().take(MOST).cloned().collect(),
            ranked,
            asked,
            next: 0,
            near: false,
            running: None,
            done: Vec::new(),
            since_best: 0,
            best: f64::INFINITY,
        }
    }

    /// The placements that have run, with their times. The present placement is the first.
    pub fn judged(&self) -> &[(Placement, MachineTime)] {
        &self.done
    }

    /// Works for about `budget` events of the machine. Returns false if nothing is left.
    pub fn advance(&mut self, evaluator: &Evaluator, budget: u64) -> bool {
        let mut running = match self.running.take() {
            Some(running) => running,
            None => {
                self.choose_near();
                let Some(placement) = self.order.get(self.next) else { return false };
                match self.retracer.as_ref().filter(|_| placement != evaluator.sample()).map(|start| start(placement)) {
                    Some(Ok(text)) => Timing::of_text(&self.judge, text),
                    Some(Err(reason)) => return self.refuse(reason),
                    None => Timing::of_run(&self.judge, self.judge.run(evaluator, placement)),
                }
            }
        };
        match running.step(budget) {
            Step::More(_) => self.running = Some(running),
            Step::Done(Err(reason)) => return self.refuse(reason),
            Step::Done(Ok(time)) => {
                let better = time.cycles() < self.best || self.next < self.asked;
                self.since_best = if better { 0 } else { self.since_best + 1 };
                self.best = self.best.min(time.cycles());
                self.done.push((self.order[self.next].clone(), time));
                self.next += 1;
            }
        }
        true
    }

    /// Once the order is stable, puts parts of the placements near the best one in its place.
    fn choose_near(&mut self) {
        if !self.near && self.since_best >= STABLE {
            self.order.truncate(self.next);
        }
        if self.next < self.order.len() {
            return;
        }
        self.near = true;
        let present = &self.ranked[0];
        for (near, _) in self.done.iter().filter(|(_, time)| time.cycles() <= self.best * NEAR) {
            for array in (0..near.len()).filter(|&array| near[array] != present[array]) {
                let (mut back, mut alone) = (near.clone(), present.clone());
                (back[array], alone[array]) = (present[array], near[array]);
                for placement in [back, alone] {
                    if self.ranked.contains(&placement) && !self.order.contains(&placement) {
                        self.order.push(placement);
                    }
                }
            }
        }
    }

    /// Notes that the next placement is not possible.
    fn refuse(&mut self, reason: String) -> bool {
        self.refused.push((self.order[self.next].clone(), reason));
        self.next += 1;
        true
    }

    /// Why a placement turned out not to be possible.
    pub fn refused(&self, placement: &Placement) -> Option<&str> {
        self.refused.iter().find(|(refused, _)| refused == placement).map(|(_, reason)| reason.as_str())
    }

    /// All placements that turned out not to be possible, with the reasons.
    pub fn all_refused(&self) -> &[(Placement, String)] {
        &self.refused
    }

    /// Placements that have run, and those that will at least.
    pub fn progress(&self) -> Progress {
        let left = self.order.len() - self.next;
        let more = if self.near { left } else { STABLE.saturating_sub(self.since_best).min(left) };
        Progress { done: self.next as u64, total: (self.next + more) as u64 }
    }
}
