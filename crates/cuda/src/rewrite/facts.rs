//! What a rewriting has to know of the launch.

use crate::rewrite::chosen::Chosen;
use crate::rewrite::polynomial::{Polynomial, Symbol};
use crate::rewrite::uses::Loop;
use std::cell::RefCell;

/// A launch as it ran: its shape, its numbers and its arrays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaunchFacts {
    /// The kernel, without namespaces and template arguments.
    pub kernel: String,
    /// Blocks in each direction.
    pub grid: [u32; 3],
    /// Threads of a block in each direction.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory, which the host gives.
    pub dynamic_bytes: u64,
    /// Bytes of shared memory of a block, of all kinds.
    pub shared_bytes: u64,
    /// The template arguments of the kernel's launches as text, those of this launch first, each with its line of the host code or 0.
    /// They are `<?>` where they are not known.
    pub instances: Vec<(u32, String)>,
    /// Values of the kernel's whole-number parameters, by name.
    pub numbers: Vec<(String, i64)>,
    /// Pointer parameters that point into an array of another name, with that array.
    pub aliases: Vec<(String, String)>,
    /// Sizes of the launch comment that are macros of the text, with their values as text.
    pub sizes: Vec<(String, String)>,
    /// Names, elements and bytes per element of the arrays.
    pub arrays: Vec<(String, u64, u64)>,
}

/// A launch with the values of the kernel's parameters in their order, and behind them those of its template.
pub(super) struct Known<'a> {
    pub facts: &'a LaunchFacts,
    pub parameters: Vec<Option<i64>>,
    /// The [`Symbol::Chosen`] factors.
    pub chosen: RefCell<Vec<Chosen>>,
}

impl Known<'_> {
    /// The number of elements of an array, and the bytes of each.
    pub fn array(&self, name: &str) -> Option<(u64, u64)> {
        self.facts.arrays.iter().find(|(array, ..)| array == name).map(|(_, elements, bytes)| (*elements, *bytes))
    }

    /// The smallest and the largest value of an index inside a block, apart from the block's own numbers, which count
    /// as 0. `None` if a parameter has no value.
    pub fn range(&self, index: &Polynomial, loops: &[Loop]) -> Option<(i64, i64)> {
        self.range_of(index, loops, false)
    }

    /// The smallest and the largest value of an index in all blocks and all parts of loops. Guards do not count.
    pub fn range_in_grid(&self, index: &Polynomial, loops: &[Loop]) -> Option<(i64, i64)> {
        self.range_of(index, loops, true)
    }

    /// A sum with the first sum of those that they lie between in place of chosen values. It has the block's share of the sum.
    pub fn bare(&self, sum: &Polynomial) -> Option<Polynomial> {
        let all = self.chosen.borrow();
        let mut out = sum.clone();
        loop {
            let symbols = out.0.keys().flatten().filter_map(|symbol| match *symbol {
                Symbol::Chosen(number) => Some((*symbol, all.get(number)?.between.first()?.clone())),
                _ => None,
            });
            let sums: Vec<(Symbol, Polynomial)> = symbols.collect();
            if sums.is_empty() {
                return Some(out);
            }
            out = out.replaced(&sums)?;
        }
    }

    /// A sum with the numbers of this launch in place of sizes and parameters.
    pub fn with_numbers(&self, sum: &Polynomial) -> Polynomial {
        self.with_known(sum, |symbol| {
            matches!(symbol, Symbol::BlockSize(_) | Symbol::GridSize(_) | Symbol::Parameter(_) | Symbol::Quotient(..))
        })
    }

    /// A sum with the numbers of this launch in place of the sizes of the grid and of its blocks.
    pub fn with_sizes(&self, sum: &Polynomial) -> Polynomial {
        self.with_known(sum, |symbol| matches!(symbol, Symbol::BlockSize(_) | Symbol::GridSize(_)))
    }

    fn with_known(&self, sum: &Polynomial, replaced: impl Fn(Symbol) -> bool) -> Polynomial {
        let mut out = Polynomial::default();
        for (factors, value) in sum.0.iter() {
            let (mut value, mut left) = (*value, Vec::new());
            for &factor in factors {
                let known = replaced(factor).then(|| self.range(&Polynomial::symbol(factor), &[])).flatten();
                match known {
                    Some((number, _)) => value = value.wrapping_mul(number),
                    None => left.push(factor),
                }
            }
            out.add_term(left, value);
        }
        out
    }

    fn range_of(&self, index: &Polynomial, loops: &[Loop], grid: bool) -> Option<(i64, i64)> {
        let same = |value| (value, value);
        let (mut low, mut high) = (0i64, 0i64);
        for (factors, value) in index.0.iter() {
            let mut ends = (*value, *value);
            for factor in factors {
                let (a, b) = match *factor {
                    Symbol::Block(d) if grid => (0, i64::from(self.facts.grid[d]) - 1),
                    Symbol::Part(l) if grid => part_starts(loops.get(l)?),
                    Symbol::Block(_) | Symbol::Part(_) => (0, 0),
                    Symbol::Thread(d) => (0, i64::from(self.facts.block[d]) - 1),
                    Symbol::BlockSize(d) => same(i64::from(self.facts.block[d])),
                    Symbol::GridSize(d) => same(i64::from(self.facts.grid[d])),
                    Symbol::Loop(l) => loops.get(l)?.range,
                    Symbol::Round(l) => (0, loops.get(l)?.part() - loops.get(l)?.step),
                    Symbol::Parameter(p) => same((*self.parameters.get(p)?)?),
                    Symbol::Quotient(p, by) => same((*self.parameters.get(p)?)?.checked_div(by)?),
                    Symbol::Pitch(length) => same(length),
                    Symbol::Chosen(number) => {
                        let all = self.chosen.borrow();
                        let chosen = all.get(number)?;
                        if grid {
                            chosen.bounds
                        } else {
                            chosen.between.iter().try_fold((i64::MAX, i64::MIN), |(low, high), sum| {
                                let (a, b) = self.range_of(sum, loops, false)?;
                                Some((low.min(a), high.max(b)))
                            })?
                        }
                    }
                    Symbol::Local(_) | Symbol::Operation(_) => return None,
                };
                let all =
                    [ends.0.checked_mul(a)?, ends.0.checked_mul(b)?, ends.1.checked_mul(a)?, ends.1.checked_mul(b)?];
                ends = (all.into_iter().min()?, all.into_iter().max()?);
            }
            (low, high) = (low.checked_add(ends.0)?, high.checked_add(ends.1)?);
        }
        Some((low, high))
    }
}

/// Where the first and the last part of a loop start.
fn part_starts(l: &Loop) -> (i64, i64) {
    let (first, last) = l.range;
    (first, first.max(last - (last - first).rem_euclid(l.part())))
}
