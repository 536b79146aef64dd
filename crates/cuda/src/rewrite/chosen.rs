//! Values of which the text chooses one: clamped positions such as `min(max(x + dx, 0), w - 1)`, and neighbours such as `x == 0 ? x : x - 1`.
//!
//! In: an expression that is no sum. Out: a [`Symbol::Chosen`] factor, of which two things are known. In each block it lies between
//! some sums, and in all blocks between two numbers. A block that overlaps the bounds of a clamp clamps towards itself, so the clamped
//! position lies where the other one may be. A block outside of them clamps to the nearest bound, so that one more sum goes as far as that in
//! this launch.

use crate::lower::walk;
use crate::rewrite::inline::{c_text, is_truth, PRIMARY};
use crate::rewrite::polynomial::{Polynomial, Symbol};
use crate::rewrite::uses::{Finder, Meaning};
use crate::syntax::ast::{BinaryOp, Expr, ExprKind};
use crate::syntax::token::Name;

/// Calls inside of each other that are followed, and calls at most.
const DEPTH_MAX: usize = 4;
const CALLS_MAX: usize = 1000;
/// Chosen values at most.
const CHOSEN_MAX: usize = 256;

/// A value between others.
#[derive(Clone, PartialEq)]
pub(super) struct Chosen {
    /// Sums with the same share of the block. The value lies between the smallest and the largest one of all threads of the block.
    pub between: Vec<Polynomial>,
    /// The smallest and the largest value in all blocks.
    pub bounds: (i64, i64),
    /// What is clamped, if the value is a clamped sum.
    base: Option<Polynomial>,
    /// How it is written, and the names in it with what they stand for. `None` if nothing names it.
    pub text: String,
    names: Option<Vec<(Name, Polynomial)>>,
}

/// Whether a call is one of `max`. `None` if it is neither that nor one of `min`.
pub(super) fn limit(callee: &Expr, args: &[Expr]) -> Option<bool> {
    let ExprKind::Name(path) = &callee.kind else { return None };
    match (&**path.last(), args.len()) {
        ("max", 2) => Some(true),
        ("min", 2) => Some(false),
        _ => None,
    }
}

fn is_abs(callee: &Expr, args: &[Expr]) -> bool {
    matches!(&callee.kind, ExprKind::Name(path) if &**path.last() == "abs" && args.len() == 1)
}

impl Finder<'_> {
    /// The value of a choice or of a call.
    pub fn of_chosen(&self, e: &Expr) -> Option<Polynomial> {
        if self.staging.is_some() {
            return None;
        }
        match &e.kind {
            ExprKind::Ternary(condition, yes, no) => self.of_choice(e, condition, yes, no),
            ExprKind::Call(callee, args) => match limit(callee, args) {
                Some(max) => self.limited(e, self.ordered(&args[0])?, self.ordered(&args[1])?, max),
                None if is_abs(callee, args) => {
                    let number = self.ordered(&args[0])?;
                    let other = Polynomial::default().plus(&number, -1);
                    self.limited(e, number, other, true)
                }
                None => self.of_call(e, callee, args),
            },
            _ => None,
        }
    }

    fn of_call(&self, e: &Expr, callee: &Expr, args: &[Expr]) -> Option<Polynomial> {
        let (depth, all) = self.calls.get();
        if depth >= DEPTH_MAX || all >= CALLS_MAX {
            return None;
        }
        self.calls.set((depth + 1, all + 1));
        let value = self.inlined(callee, args).and_then(|value| self.number(&value));
        self.calls.set((depth, self.calls.get().1));
        let value = value?;
        // A person writes the call, and not what the function does.
        let Some(mut chosen) = self.alone(&value) else { return Some(value) };
        (chosen.text, chosen.names) = self.written(e);
        self.push(chosen)
    }

    /// The number of an expression, if signs do not matter when it is compared.
    pub fn ordered(&self, e: &Expr) -> Option<Polynomial> {
        self.number(e).filter(|number| self.is_signed(e) || self.is_positive(number))
    }

    /// What a sum is if it is nothing else than a chosen value.
    fn alone(&self, sum: &Polynomial) -> Option<Chosen> {
        let [Symbol::Chosen(number)] = sum.0.keys().next()?[..] else { return None };
        let alone = *sum == Polynomial::symbol(Symbol::Chosen(number));
        alone.then(|| self.known.chosen.borrow().get(number).cloned()).flatten()
    }

    /// The factor for a chosen value.
    fn push(&self, chosen: Chosen) -> Option<Polynomial> {
        let mut all = self.known.chosen.borrow_mut();
        let known = all.iter().position(|known| *known == chosen);
        let number = known.unwrap_or(all.len());
        if number == all.len() {
            if number >= CHOSEN_MAX {
                return None;
            }
            all.push(chosen);
        }
        Some(Polynomial::symbol(Symbol::Chosen(number)))
    }

    /// An expression as a factor of C, and the names in it.
    fn written(&self, e: &Expr) -> (String, Option<Vec<(Name, Polynomial)>>) {
        let Some(text) = c_text(e, PRIMARY) else { return (String::new(), None) };
        let (mut names, mut known) = (Vec::new(), true);
        walk::expression(e, &mut |e| {
            let ExprKind::Name(path) = &e.kind else { return };
            match path.plain().map(|name| (name, self.names.get(name))) {
                Some((name, Some(Meaning::Number(number)))) => names.push((name.clone(), number.clone())),
                Some((_, Some(_))) => known = false,
                _ => {}
            }
        });
        (text, known.then_some(names))
    }

    /// Whether the names that write a chosen value have the meanings that they had there.
    pub fn is_written(&self, number: usize) -> bool {
        let all = self.known.chosen.borrow();
        let names = all.get(number).and_then(|chosen| chosen.names.as_ref());
        let is = |name: &Name, number: &Polynomial| matches!(self.names.get(name), Some(Meaning::Number(now)) if now == number);
        names.is_some_and(|names| names.iter().all(|(name, number)| is(name, number)))
    }

    /// The value of a variable that gets a sum. A chosen value is known by the name of its variable.
    pub fn named(&self, name: &Name, sum: Polynomial) -> Polynomial {
        let Some(mut chosen) = self.alone(&sum) else { return sum };
        let mut all = self.known.chosen.borrow_mut();
        if all.len() >= CHOSEN_MAX {
            return sum;
        }
        let own = Polynomial::symbol(Symbol::Chosen(all.len()));
        (chosen.text, chosen.names) = (name.to_string(), Some(vec![(name.clone(), own.clone())]));
        all.push(chosen);
        own
    }

    /// A variable that goes from one sum to another one.
    pub fn between(&self, name: &Name, from: Polynomial, to: Polynomial) -> Option<Polynomial> {
        let (low, high) = (self.in_grid(&from)?.0, self.in_grid(&to)?.1);
        let same = self.known.bare(&from)?.of_block() == self.known.bare(&to)?.of_block();
        let (between, bounds) = (vec![from, to], (low, high.max(low)));
        let chosen = Chosen { between, bounds, base: None, text: String::new(), names: None };
        (same && self.staging.is_none()).then(|| self.push(chosen)).flatten().map(|sum| self.named(name, sum))
    }

    fn in_grid(&self, sum: &Polynomial) -> Option<(i64, i64)> {
        self.known.range_in_grid(sum, &self.out.loops)
    }

    /// The value of a sum that only the launch decides.
    fn of_launch(&self, sum: &Polynomial) -> Option<i64> {
        self.known.with_numbers(sum).constant()
    }

    /// The larger or the smaller one of two sums, for the expression `e`.
    fn limited(&self, e: &Expr, a: Polynomial, b: Polynomial, max: bool) -> Option<Polynomial> {
        let pick = |a: i64, b: i64| if max { a.max(b) } else { a.min(b) };
        let ((low, high), (least, most)) = (self.in_grid(&a)?, self.in_grid(&b)?);
        let bounds = (pick(low, least), pick(high, most));
        let (text, names) = self.written(e);
        let between = |between, base| self.push(Chosen { between, bounds, base, text, names });
        let blocks = [self.known.bare(&a)?.of_block(), self.known.bare(&b)?.of_block()];
        if [&a, &b].into_iter().all(|sum| self.of_launch(sum).is_none()) && blocks[0] == blocks[1] {
            return between(vec![a, b], None);
        }
        // How far the value of the other sum is from all of a sum in the farthest block.
        let beyond = |sum: &Polynomial, block: &Polynomial, other: &Polynomial| {
            let (own, far) = (self.known.range(sum, &self.out.loops)?, self.in_grid(&other.plus(block, -1))?);
            if max {
                far.1.checked_sub(own.1)
            } else {
                far.0.checked_sub(own.0)
            }
        };
        let ways =
            [(&a, &blocks[0], &b), (&b, &blocks[1], &a)].into_iter().filter(|way| self.of_launch(way.0).is_none());
        let ways = ways.filter_map(|(sum, block, other)| {
            Some((pick(0, beyond(sum, block, other)?), sum, self.of_launch(other).is_some()))
        });
        let (beyond, sum, clamps) = ways.min_by_key(|(beyond, ..)| beyond.unsigned_abs())?;
        let base = self.alone(sum).and_then(|chosen| chosen.base).unwrap_or_else(|| sum.clone());
        let moved = (beyond != 0).then(|| sum.plus(&Polynomial::number(beyond), 1));
        between(std::iter::once(sum.clone()).chain(moved).collect(), clamps.then_some(base))
    }

    /// The value of `condition ? yes : no`.
    fn of_choice(&self, e: &Expr, condition: &Expr, yes: &Expr, no: &Expr) -> Option<Polynomial> {
        let (a, b) = (self.number(yes)?, self.number(no)?);
        let mut comparisons = Vec::new();
        if self.conditions(condition, true, &mut comparisons).is_none() {
            comparisons.clear();
        }
        let one = || Polynomial::number(1);
        // What is 0 or more where the condition is true, and what is 0 where one of the values is taken.
        let (mut positive, mut zero) = (None, None);
        if let [(left, op, right)] = &comparisons[..] {
            let (more, less) = (left.plus(right, -1), right.plus(left, -1));
            match op {
                BinaryOp::Less => positive = Some(less.plus(&one(), -1)),
                BinaryOp::LessEqual => positive = Some(less),
                BinaryOp::Greater => positive = Some(more.plus(&one(), -1)),
                BinaryOp::GreaterEqual => positive = Some(more),
                BinaryOp::Equal | BinaryOp::NotEqual => zero = Some(more),
                _ => {}
            }
        }
        let apart = a.plus(&b, -1);
        for times in [0, 1, -1] {
            // Where it is 0, it can be added. So `x == 0 ? 0 : x - 1` is `x == 0 ? x : x - 1`.
            let more = zero.as_ref().map(|zero| apart.plus(zero, times)).or((times == 0).then(|| apart.clone()));
            let Some(more) = more.filter(|more| self.of_launch(more).is_some()) else { continue };
            let equal = matches!(&comparisons[..], [(_, BinaryOp::Equal, _)]);
            let b = if times != 0 && !equal { b.plus(zero.as_ref()?, -times) } else { b };
            return Some(b.plus(&more.times(&self.truth(condition)?)?, 1));
        }
        let positive = positive?;
        // If it is `times` what is positive, and no more than that beside it, both have one sign. Mirrored positions have 2.
        let is = |apart: &Polynomial| {
            let rest = |times: i64| apart.plus(&positive, -times).constant();
            (1..=2).any(|times| rest(times).is_some_and(|rest| (0..=times).contains(&rest)))
        };
        // The other value may be a clamped sum itself, if the bounds do not cross.
        for (sum, bound) in [(None, None), (Some(&a), Some(&b)), (Some(&b), Some(&a))] {
            let clamped = sum.and_then(|sum| self.alone(sum));
            let base = |own: &Polynomial| match (&clamped, sum == Some(own)) {
                (Some(clamped), true) => clamped.base.clone().unwrap_or_default(),
                _ => own.clone(),
            };
            let apart = base(&a).plus(&base(&b), -1);
            let max = is(&apart);
            if !max && !is(&Polynomial::default().plus(&apart, -1)) {
                continue;
            }
            let fits = |bound: i64, (low, high): (i64, i64)| if max { bound <= high } else { bound >= low };
            let crosses = match (clamped, bound.and_then(|bound| self.of_launch(bound))) {
                (Some(clamped), Some(bound)) => clamped.base.is_none() || !fits(bound, clamped.bounds),
                _ => sum.is_some(),
            };
            if !crosses {
                return self.limited(e, a.clone(), b.clone(), max);
            }
        }
        None
    }

    /// A condition as a number that is 0 or 1.
    fn truth(&self, condition: &Expr) -> Option<Polynomial> {
        // A call may do more than compare, and the text makes it again.
        let mut calls = false;
        walk::expression(condition, &mut |e| {
            calls |= matches!(&e.kind, ExprKind::Call(callee, args) if limit(callee, args).is_none());
        });
        let (text, names) = (!calls).then(|| self.written(condition))?;
        let text = if is_truth(condition) { text } else { format!("({text} ? 1 : 0)") };
        let between = vec![Polynomial::default(), Polynomial::number(1)];
        self.push(Chosen { between, bounds: (0, 1), base: None, text, names })
    }
}
