//! Search for the best placements. It evaluates all placements if possible, and otherwise the most promising ones
//! first, with a bound on the rest.
//!
//! In: an [`Evaluator`]. Out: an [`SearchOutcome`] with the placements in order of their predicted time, the numbers
//! of legal and of evaluated placements, and the gap. The gap limits how far the best placement found can be above the
//! true best one. It is 0 only if the best placement is certain. A search that stops early keeps its results. Several
//! searches can share an exhaustive evaluation ([`PlacementSearch::search_numbers`], [`PlacementSearch::absorb`]).
//!
//! The number of products of the arrays' options decides the method:
//! * Up to 5,000 products, all placements are evaluated.
//! * Up to a million products, every legal placement gets a rough time and a bound. The 64 placements with the best
//!   rough times are evaluated first. Those with the lowest bounds follow, until no bound is below the best time or
//!   the budget is spent.
//! * Above a million, a beam of 4,096 partial placements grows array by array, by rough times. The gap then refers to
//!   the bound over all placements.

use crate::model::evaluator::{Evaluator, Prediction};
use crate::search::bound::{lower_bound, lower_bound_of_all};
use crate::search::screen::Screen;
use crate::space::legal::{nominal, options, placement_at, too_much, Memory, Placement};
use base::{Job, Progress, Step};
use std::collections::BTreeSet;
use std::ops::Range;

/// Limits of the effort of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchLimits {
    /// Largest number of products of options for an exhaustive evaluation.
    pub exhaustive: u64,
    /// Largest number of products for which every placement gets a rough time.
    pub screened: u64,
    /// Largest number of evaluations when there are more products than [`SearchLimits::exhaustive`].
    pub budget: u64,
    /// Number of evaluations in order of rough times before the bound chooses.
    pub promising: u64,
    /// Largest number of placements in the outcome.
    pub keep: usize,
}

impl Default for SearchLimits {
    fn default() -> Self {
        Self { exhaustive: 5_000, screened: 1 << 20, budget: 2_000, promising: 64, keep: 5_000 }
    }
}

/// An evaluated placement.
#[derive(Clone, Debug)]
pub struct RankedPlacement {
    /// Memory of every array.
    pub placement: Placement,
    /// Predicted time T, cycles.
    pub cycles: f64,
    /// Tcomp, cycles.
    pub comp: f64,
    /// Tmem, cycles.
    pub mem: f64,
    /// Toverlap, cycles.
    pub overlap: f64,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct SearchOutcome {
    /// Evaluated placements, best first. Equal times are in order of the placements' numbers.
    pub ranking: Vec<RankedPlacement>,
    /// Number of legal placements; `None` if there are too many to check each.
    pub legal: Option<u64>,
    /// Number of evaluated placements.
    pub evaluated: u64,
    /// Best time / smallest possible time − 1; 0 is exact.
    pub gap: f64,
}

/// A placement that is not evaluated yet, with its bound, its rough time and its number.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    bound: f32,
    rough: f32,
    index: u32,
}

#[derive(Debug)]
enum Plan {
    /// Exhaustive evaluation of a range of numbers. Other searches can evaluate the rest.
    All { next: u64, end: u64 },
    /// Rough estimates, from this number on.
    Screen { next: u64, screen: Box<Screen> },
    /// Evaluation of candidates in order of rough time first, and then of bound.
    Best { order: Vec<Candidate>, next: usize, by_bound: bool },
    /// Evaluation of the placements of a beam, with the bound over all placements.
    Beam { placements: Vec<Placement>, next: usize, bound: f64 },
}

/// A search for the best placements as a [`Job`] with one evaluation per unit of work.
#[derive(Debug)]
pub struct PlacementSearch {
    evaluator: Evaluator,
    options: Vec<Vec<Memory>>,
    limits: SearchLimits,
    plan: Plan,
    /// Number of checked placements, legal or not.
    looked: u64,
    legal: u64,
    evaluated: u64,
    candidates: Vec<Candidate>,
    ranking: Vec<(u64, RankedPlacement)>,
    best: f64,
}

/// Number of rough estimates that count as one unit of work.
const SCREENED_PER_UNIT: u64 = 256;
/// Width of the beam.
const BEAM: usize = 4096;

impl PlacementSearch {
    /// A search over all legal placements.
    pub fn new(mut evaluator: Evaluator, limits: SearchLimits) -> Self {
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

    /// The evaluator, for full predictions of single placements.
    pub fn evaluator(&mut self) -> &mut Evaluator {
        &mut self.evaluator
    }

    /// Number of placements of an exhaustive evaluation, which several searches over the same kernel can share. `None`
    /// above [`SearchLimits::exhaustive`].
    pub fn numbers(&self) -> Option<u64> {
        match self.plan {
            Plan::All { .. } => Some(nominal(&self.options) as u64),
            _ => None,
        }
    }

    /// Sets the range of placement numbers to evaluate next, none of which was evaluated before. Has no effect if
    /// [`PlacementSearch::numbers`] is `None`.
    pub fn search_numbers(&mut self, numbers: Range<u64>) {
        let products = nominal(&self.options).min(u128::from(u64::MAX)) as u64;
        if let Plan::All { next, end } = &mut self.plan {
            (*next, *end) = (numbers.start, numbers.end.min(products));
        }
    }

    /// The best time so far in cycles; infinite before the first evaluation.
    pub fn best(&self) -> f64 {
        self.best
    }

    /// The evaluated placements with their numbers, in order of evaluation.
    pub fn evaluated(&self) -> &[(u64, RankedPlacement)] {
        &self.ranking
    }

    /// Adds the results of another search over the same kernel: how many numbers it checked, and the number, T, Tcomp,
    /// Tmem and Toverlap of each legal placement.
    pub fn absorb(&mut self, looked: u64, found: impl IntoIterator<Item = (u64, [f64; 4])>) {
        for (index, [cycles, comp, mem, overlap]) in found {
            if u128::from(index) < nominal(&self.options) {
                let placement = placement_at(&self.options, index.into());
                self.legal += 1;
                self.evaluated += 1;
                self.best = self.best.min(cycles);
                self.ranking.push((index, RankedPlacement { placement, cycles, comp, mem, overlap }));
            }
        }
        self.looked += looked;
    }

    /// The result so far.
    pub fn outcome(&self) -> SearchOutcome {
        let mut ranking = self.ranking.clone();
        base::sort_by(&mut ranking, |a, b| a.1.cycles.total_cmp(&b.1.cycles).then(a.0.cmp(&b.0)));
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
        SearchOutcome {
            ranking: ranking.into_iter().map(|(_, ranked)| ranked).collect(),
            legal,
            evaluated: self.evaluated,
            gap,
        }
    }

    /// Smallest bound of the placements that were not evaluated; infinite if none is left.
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
        self.ranking.push((index, RankedPlacement { placement, cycles, comp, mem, overlap }));
    }

    /// Does one unit of work; false if none is left.
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
            // The margin ensures that the bound does not grow when it is rounded to 32 bits.
            let bound = (lower_bound(&self.evaluator, screen.additive(), &placement) * (1.0 - 1e-6)) as f32;
            found.push(Candidate { bound, rough, index: index as u32 });
        }
        *next = end;
        let finished = end >= products;
        self.legal += found.len() as u64;
        self.candidates.append(&mut found);
        if finished {
            let mut order = std::mem::take(&mut self.candidates);
            base::sort_by(&mut order, |a, b| a.rough.total_cmp(&b.rough).then(a.index.cmp(&b.index)));
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
            base::sort_by(order, |a, b| {
                a.bound.total_cmp(&b.bound).then(a.rough.total_cmp(&b.rough)).then(a.index.cmp(&b.index))
            });
            (*next, *by_bound) = (0, true);
        }
        let Some(candidate) = order.get(*next).copied() else { return false };
        // Bounds ascend, so after one that reaches the best time no other can be below it.
        if *by_bound && f64::from(candidate.bound) >= self.best {
            return false;
        }
        *next += 1;
        let placement = placement_at(&self.options, candidate.index.into());
        self.evaluate(candidate.index.into(), placement);
        true
    }

    /// The progress in units of work.
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

/// The placements of a beam search by rough times, best first, and the bound over all placements.
fn beam(evaluator: &Evaluator, screen: &Screen, options: &[Vec<Memory>]) -> (Vec<Placement>, f64) {
    let (kernel, machine) = (evaluator.kernel(), evaluator.machine());
    let mut order: Vec<usize> = (0..options.len()).collect();
    let uses = |array: usize| kernel.arrays[array].loads + kernel.arrays[array].stores;
    base::sort_by_key(&mut order, |&array| (std::cmp::Reverse(uses(array)), array));
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
        base::sort_by(&mut grown, |a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(&b.1)));
        grown.dedup_by(|a, b| a.1 == b.1);
        grown.truncate(BEAM);
        beam = grown;
    }
    let bound = lower_bound_of_all(evaluator, screen.additive(), options);
    (beam.into_iter().map(|(_, placement)| placement).collect(), bound)
}

impl Job for PlacementSearch {
    type Output = SearchOutcome;

    fn step(&mut self, budget: u64) -> Step<SearchOutcome> {
        for _ in 0..budget.max(1) {
            if !self.advance() {
                return Step::Done(self.outcome());
            }
        }
        Step::More(self.progress())
    }
}
