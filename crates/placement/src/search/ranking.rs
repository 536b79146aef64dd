//! The best placements: all of them where that can be, otherwise the most promising first, with a bound on what was left out.
//!
//! In: an [`Evaluator`]. Out: an [`Outcome`]: placements in order of their predicted time, how many are legal and were
//! evaluated, and the gap: by how much the best found can at most be above the best there is. It is 0 only when that is
//! certain. Stopping early keeps what was found. What is looked at as a whole can be shared by several searches
//! ([`Search::part`], [`Search::absorb`]).
//!
//! Up to 5,000 products of options are all evaluated. Above, every legal placement (of up to a million products) gets a rough
//! time and a bound; the roughly best 64 are evaluated, then those of the least bound until no bound is below the best
//! time, or the budget is spent. Above a million, the rough times choose among 4,096 partial placements array by array;
//! the gap then counts from the bound over everything.

use crate::model::evaluator::{Evaluator, Prediction};
use crate::search::screen::Screen;
use crate::space::legal::{nominal, options, placement_at, too_much, Memory, Placement};
use base::{Job, Progress, Step};
use std::collections::BTreeSet;
use std::ops::Range;

/// How much is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Products of options up to which everything is evaluated.
    pub exhaustive: u64,
    /// Products up to which every placement is screened.
    pub screened: u64,
    /// Evaluations beyond [`Limits::exhaustive`].
    pub budget: u64,
    /// Evaluations of the roughly best before the bound chooses.
    pub promising: u64,
    /// Placements that the outcome keeps.
    pub keep: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { exhaustive: 5_000, screened: 1 << 20, budget: 2_000, promising: 64, keep: 5_000 }
    }
}

/// An evaluated placement.
#[derive(Clone, Debug)]
pub struct Ranked {
    /// Memory of every array.
    pub placement: Placement,
    /// T, cycles.
    pub cycles: f64,
    /// Tcomp.
    pub comp: f64,
    /// Tmem.
    pub mem: f64,
    /// Toverlap.
    pub overlap: f64,
}

/// What the search found.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Best first; equal times in order of the placements' numbers.
    pub ranking: Vec<Ranked>,
    /// Legal placements; `None` where there are too many to look at each.
    pub legal: Option<u64>,
    /// Placements that were evaluated.
    pub evaluated: u64,
    /// Best time / least time that is possible − 1; 0 is exact.
    pub gap: f64,
}

/// A placement that waits: its bound, rough time and number.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    bound: f32,
    rough: f32,
    index: u32,
}

#[derive(Debug)]
enum Plan {
    /// Numbers of a stretch that is looked at here; others may look at the rest.
    All { next: u64, end: u64 },
    /// Screening, from this number on.
    Screen { next: u64, screen: Box<Screen> },
    /// Candidates by rough time first, then by bound.
    Best { order: Vec<Candidate>, next: usize, by_bound: bool },
    /// Placements of a beam, and the bound over everything.
    Beam { placements: Vec<Placement>, next: usize, bound: f64 },
}

/// Looks for the best placements, a few evaluations at a time.
#[derive(Debug)]
pub struct Search {
    evaluator: Evaluator,
    options: Vec<Vec<Memory>>,
    limits: Limits,
    plan: Plan,
    /// Numbers that were looked at, legal or not.
    looked: u64,
    legal: u64,
    evaluated: u64,
    candidates: Vec<Candidate>,
    ranking: Vec<(u64, Ranked)>,
    best: f64,
}

/// Screened placements that count as one unit of work.
const SCREENED_PER_UNIT: u64 = 256;
/// Width of the beam.
const BEAM: usize = 4096;

impl Search {
    /// A search over all legal placements.
    pub fn new(mut evaluator: Evaluator, limits: Limits) -> Self {
        let options = options(evaluator.kernel(), evaluator.machine());
        let products = nominal(&options);
        let plan = if products <= u128::from(limits.exhaustive) {
            Plan::All { next: 0, end: products as u64 }
        } else if products <= u128::from(limits.screened.min(u64::from(u32::MAX))) {
            Plan::Screen { next: 0, screen: Box::new(Screen::new(&mut evaluator)) }
        } else {
            let screen = Screen::new(&mut evaluator);
            let (placements, bound) = beam(&evaluator, &screen, &options);
            Plan::Beam { placements, next: 0, bound }
        };
        Self {
            evaluator,
            options,
            limits,
            plan,
            looked: 0,
            legal: 0,
            evaluated: 0,
            candidates: Vec::new(),
            ranking: Vec::new(),
            best: f64::INFINITY,
        }
    }

    /// The evaluator, for a closer look at some placements.
    pub fn evaluator(&mut self) -> &mut Evaluator {
        &mut self.evaluator
    }

    /// How many numbers there are, where all of them are looked at: several searches over the same kernel can then share
    /// them. `None` above [`Limits::exhaustive`].
    pub fn numbers(&self) -> Option<u64> {
        match self.plan {
            Plan::All { .. } => Some(nominal(&self.options) as u64),
            _ => None,
        }
    }

    /// Looks at these numbers next, each of which must be new; nothing to do where [`Search::numbers`] is `None`.
    pub fn part(&mut self, numbers: Range<u64>) {
        let products = nominal(&self.options).min(u128::from(u64::MAX)) as u64;
        if let Plan::All { next, end } = &mut self.plan {
            (*next, *end) = (numbers.start, numbers.end.min(products));
        }
    }

    /// The least time so far, cycles; infinite before the first.
    pub fn best(&self) -> f64 {
        self.best
    }

    /// The evaluated placements by number, in the order of their evaluation.
    pub fn evaluated(&self) -> &[(u64, Ranked)] {
        &self.ranking
    }

    /// Takes what another search over the same kernel found: how many numbers it looked at, and of the legal ones number,
    /// T, Tcomp, Tmem and Toverlap.
    pub fn absorb(&mut self, looked: u64, found: impl IntoIterator<Item = (u64, [f64; 4])>) {
        for (index, [cycles, comp, mem, overlap]) in found {
            if u128::from(index) < nominal(&self.options) {
                let placement = placement_at(&self.options, index.into());
                self.legal += 1;
                self.evaluated += 1;
                self.best = self.best.min(cycles);
                self.ranking.push((index, Ranked { placement, cycles, comp, mem, overlap }));
            }
        }
        self.looked += looked;
    }

    /// What is known by now.
    pub fn outcome(&self) -> Outcome {
        let mut ranking = self.ranking.clone();
        ranking.sort_by(|a, b| a.1.cycles.total_cmp(&b.1.cycles).then(a.0.cmp(&b.0)));
        ranking.truncate(self.limits.keep);
        let least = self.least_open_bound();
        let gap = match self.ranking.is_empty() {
            true => f64::INFINITY,
            false => (self.best / least.min(self.best) - 1.0).max(0.0),
        };
        let legal = match self.plan {
            Plan::All { .. } | Plan::Best { .. } => Some(self.legal),
            Plan::Screen { .. } | Plan::Beam { .. } => None,
        };
        Outcome {
            ranking: ranking.into_iter().map(|(_, ranked)| ranked).collect(),
            legal,
            evaluated: self.evaluated,
            gap,
        }
    }

    /// Least bound of what was not evaluated; infinite when nothing is left.
    fn least_open_bound(&self) -> f64 {
        match &self.plan {
            Plan::All { .. } if u128::from(self.looked) >= nominal(&self.options) => f64::INFINITY,
            Plan::All { .. } | Plan::Screen { .. } => 0.0,
            Plan::Best { order, next, by_bound: true } => {
                order.get(*next..).and_then(|open| open.first()).map_or(f64::INFINITY, |c| f64::from(c.bound))
            }
            Plan::Best { order, next, .. } => {
                let open = order.get(*next..).unwrap_or_default();
                open.iter().map(|c| f64::from(c.bound)).fold(f64::INFINITY, f64::min)
            }
            Plan::Beam { bound, .. } => *bound,
        }
    }

    fn evaluate(&mut self, index: u64, placement: Placement) {
        let Prediction { cycles, comp, mem, overlap, .. } = self.evaluator.predict(&placement);
        self.evaluated += 1;
        self.best = self.best.min(cycles);
        self.ranking.push((index, Ranked { placement, cycles, comp, mem, overlap }));
    }

    /// One unit of work; false when there is none left.
    fn advance(&mut self) -> bool {
        let products = nominal(&self.options).min(u128::from(u64::MAX)) as u64;
        match &mut self.plan {
            Plan::All { next, end } => {
                if next >= end {
                    return false;
                }
                let index = *next;
                *next += 1;
                self.looked += 1;
                let placement = placement_at(&self.options, index.into());
                if too_much(self.evaluator.kernel(), &placement, self.evaluator.machine()).is_none() {
                    self.legal += 1;
                    self.evaluate(index, placement);
                }
                true
            }
            Plan::Screen { .. } => self.screen(products),
            Plan::Best { .. } => self.best_first(),
            Plan::Beam { placements, next, .. } => {
                let Some(placement) = placements.get(*next).cloned() else { return false };
                if *next as u64 >= self.limits.budget {
                    return false;
                }
                *next += 1;
                let index = *next as u64;
                self.evaluate(index, placement);
                true
            }
        }
    }

    fn screen(&mut self, products: u64) -> bool {
        let Plan::Screen { next, screen } = &mut self.plan else { return false };
        let (kernel, machine) = (self.evaluator.kernel(), self.evaluator.machine());
        let mut found = Vec::new();
        let end = (*next + SCREENED_PER_UNIT).min(products);
        for index in *next..end {
            let placement = placement_at(&self.options, index.into());
            if too_much(kernel, &placement, machine).is_some() {
                continue;
            }
            let rough = screen.estimate(&self.evaluator, &placement) as f32;
            // Rounded to 32 bits, the bound must not grow.
            let bound = (self.evaluator.bound(screen.parts(), &placement) * (1.0 - 1e-6)) as f32;
            found.push(Candidate { bound, rough, index: index as u32 });
        }
        *next = end;
        let finished = end >= products;
        self.legal += found.len() as u64;
        self.candidates.append(&mut found);
        if finished {
            let mut order = std::mem::take(&mut self.candidates);
            order.sort_by(|a, b| a.rough.total_cmp(&b.rough).then(a.index.cmp(&b.index)));
            self.plan = Plan::Best { order, next: 0, by_bound: false };
        }
        true
    }

    fn best_first(&mut self) -> bool {
        let Plan::Best { order, next, by_bound } = &mut self.plan else { return false };
        if self.evaluated >= self.limits.budget {
            return false;
        }
        if !*by_bound && (*next as u64 >= self.limits.promising || *next >= order.len()) {
            let done: BTreeSet<u32> = order[..*next].iter().map(|candidate| candidate.index).collect();
            order.retain(|candidate| !done.contains(&candidate.index));
            order.sort_by(|a, b| {
                a.bound.total_cmp(&b.bound).then(a.rough.total_cmp(&b.rough)).then(a.index.cmp(&b.index))
            });
            (*next, *by_bound) = (0, true);
        }
        let Some(candidate) = order.get(*next).copied() else { return false };
        // Bounds ascend: when one reaches the best time, no other can beat it.
        if *by_bound && f64::from(candidate.bound) >= self.best {
            return false;
        }
        *next += 1;
        let placement = placement_at(&self.options, candidate.index.into());
        self.evaluate(candidate.index.into(), placement);
        true
    }

    /// How far it is, in evaluations and screened stretches.
    pub fn progress(&self) -> Progress {
        let products = nominal(&self.options).min(u128::from(u64::MAX)) as u64;
        let budget = self.limits.budget;
        match &self.plan {
            Plan::All { .. } => Progress { done: self.looked, total: products },
            Plan::Screen { next, .. } => {
                let units = products.div_ceil(SCREENED_PER_UNIT);
                Progress { done: next / SCREENED_PER_UNIT, total: units + budget.min(products) }
            }
            Plan::Best { order, .. } => {
                let units = products.div_ceil(SCREENED_PER_UNIT);
                Progress {
                    done: units + self.evaluated,
                    total: units + budget.min(order.len() as u64 + self.evaluated),
                }
            }
            Plan::Beam { placements, next, .. } => {
                Progress { done: *next as u64, total: budget.min(placements.len() as u64) }
            }
        }
    }
}

/// Placements that a beam of rough times leaves, best first, and the bound over all placements.
fn beam(evaluator: &Evaluator, screen: &Screen, options: &[Vec<Memory>]) -> (Vec<Placement>, f64) {
    let (kernel, machine) = (evaluator.kernel(), evaluator.machine());
    let mut order: Vec<usize> = (0..options.len()).collect();
    let uses = |array: usize| kernel.arrays[array].loads + kernel.arrays[array].stores;
    order.sort_by_key(|&array| (std::cmp::Reverse(uses(array)), array));
    let start: Placement = options.iter().map(|memories| memories[0]).collect();
    let mut beam = vec![(0.0, start)];
    for array in order {
        let mut grown = Vec::with_capacity(beam.len() * options[array].len());
        for (_, placement) in &beam {
            for &memory in &options[array] {
                let mut placement = placement.clone();
                placement[array] = memory;
                if too_much(kernel, &placement, machine).is_none() {
                    grown.push((screen.estimate(evaluator, &placement), placement));
                }
            }
        }
        grown.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(&b.1)));
        grown.dedup_by(|a, b| a.1 == b.1);
        grown.truncate(BEAM);
        beam = grown;
    }
    let bound = evaluator.bound_of_all(screen.parts(), options);
    (beam.into_iter().map(|(_, placement)| placement).collect(), bound)
}

impl Job for Search {
    type Output = Outcome;

    fn step(&mut self, budget: u64) -> Step<Outcome> {
        for _ in 0..budget.max(1) {
            if !self.advance() {
                return Step::Done(self.outcome());
            }
        }
        Step::More(self.progress())
    }
}
