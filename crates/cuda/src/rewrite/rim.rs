//! Copies of one element of a tile, as in `if (tx == 0) tile[0] = x > 0 ? a[x - 1] : 0;`.
//!
//! Such a copy does not show steps. Other copies to the tile do, and this one must agree with them.

use crate::rewrite::polynomial::{Polynomial, Symbol};
use crate::rewrite::staging::Copy;
use crate::rewrite::unstage::{Affine, Unstaging};
use crate::syntax::ast::BinaryOp;
use crate::syntax::token::Pos;

/// A copy with numbers in place of threads, and what other copies say of its element.
pub(super) struct Rim<'a> {
    index: &'a Affine,
    threads: Vec<(Symbol, Polynomial)>,
    from: Polynomial,
}

impl Rim<'_> {
    /// A side of a condition as a sum of a shared element's indices: as far from the array's index as here, or the same for all elements.
    pub fn side(&self, unstaging: &Unstaging<'_, '_>, side: &Polynomial, around: &[Pos]) -> Option<Affine> {
        let side = side.replaced(&self.threads)?;
        let fixed = |sum: &Polynomial| {
            let mut all = sum.0.keys().flatten();
            all.all(|symbol| !unstaging.varies(*symbol, around) && !unstaging.is_of_block(*symbol))
        };
        if fixed(&side) {
            return Some(Affine { base: side, steps: vec![Polynomial::default(); self.index.steps.len()] });
        }
        let apart = unstaging.kernel.known.with_sizes(&side.plus(&self.from, -1));
        fixed(&apart).then(|| Affine {
            base: self.index.base.plus(&side, 1).plus(&self.from, -1),
            steps: self.index.steps.clone(),
        })
    }
}

impl Unstaging<'_, '_> {
    /// The copy of one element, if it agrees with the index that other copies have. `to` are its indices, and the first `outer` conditions
    /// around it are around the reads too.
    pub fn rim<'a>(
        &self,
        (copy, to): (&Copy, &[Polynomial]),
        index: &'a Affine,
        (around, outer): (&[Pos], usize),
    ) -> Option<Rim<'a>> {
        let tests = copy.under[outer..].iter().filter_map(|&test| self.uses.tests[test].conditions.as_ref());
        let mut threads: Vec<(Symbol, Polynomial)> = Vec::new();
        for (left, _, right) in tests.flatten().filter(|(_, op, _)| *op == BinaryOp::Equal) {
            for (side, other) in [(left, right), (right, left)] {
                let thread = (0..3).map(Symbol::Thread).find(|thread| *side == Polynomial::symbol(*thread));
                let known = other.0.keys().flatten().all(|symbol| !self.varies(*symbol, around));
                threads.extend(thread.filter(|_| known).map(|thread| (thread, other.clone())));
            }
        }
        let from = copy.from.replaced(&threads)?;
        let mut here = index.base.clone();
        for (to, step) in to.iter().zip(&index.steps) {
            here = here.plus(&to.replaced(&threads)?.times(step)?, 1);
        }
        let sizes = |sum: &Polynomial| self.kernel.known.with_sizes(sum);
        let fixed = here.0.keys().flatten().all(|symbol| !self.varies(*symbol, around));
        (fixed && sizes(&here) == sizes(&from)).then_some(Rim { index, threads, from })
    }
}
