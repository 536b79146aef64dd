//! Addresses that a small loop carries from round to round, whose alignment NVIDIA's compiler does not see.
//!
//! The first half of that compiler replaces an address that grows with a counter by a pointer that each round advances, where
//! registers are free. The second half joins neighbouring accesses, and must know how they are aligned. If the pointer starts
//! at the difference of the counters of two loops, as in a tile of a part of a sum, it does not know, and the accesses stay as
//! wide as the text has them.

use crate::optimise::address::Sum;
use crate::optimise::cfg::Graph;
use crate::optimise::fold::silent;
use crate::optimise::ssa::{Def, Ssa, Val};
use bytecode::code::{BlockId, Op};

/// A loop carries its addresses if it has at most so many sums and loaded values. NVRTC 12.9 for sm_75 did so with up to 34 of
/// them and not with 35 and 36, in 42 forms of a loop. The bound between is observed, not documented.
const VALUES_MAX: usize = 34;

/// The loops whose addresses are carried, by the counters of their rounds.
pub(crate) struct Carried {
    /// For each block of such a loop, the values that change from round to round.
    counters: Vec<Vec<Val>>,
}

impl Carried {
    pub fn new(ssa: &Ssa) -> Self {
        let graph = Graph::new(ssa.program.blocks.iter().map(|b| &b.end));
        let mut counters = vec![Vec::new(); ssa.bodies.len()];
        let mut seen = vec![false; ssa.bodies.len()];
        for inner in &graph.loops {
            // Loops come innermost first, and an outer one has more values than it seems.
            let innermost = inner.blocks.iter().all(|&block| !seen[block as usize]);
            inner.blocks.iter().for_each(|&block| seen[block as usize] = true);
            let changing: Vec<Val> = ssa.bodies[inner.header as usize].phis.clone();
            if !innermost || sums(ssa, &changing) + loads(ssa, &inner.blocks) > VALUES_MAX {
                continue;
            }
            for &block in &inner.blocks {
                counters[block as usize] = changing.iter().map(|&value| ssa.find(value)).collect();
            }
        }
        Self { counters }
    }

    /// Whether the alignment of an address is hidden: it grows with a counter of the block's loop, less something else that
    /// grows alike.
    pub fn hides(&self, block: BlockId, address: &Sum) -> bool {
        let counters = &self.counters[block as usize];
        let of_round = |product: &[Val]| product.iter().any(|value| counters.contains(value));
        address.terms.iter().filter(|(product, _)| of_round(product)).any(|(_, &n)| {
            address.terms.iter().any(|(product, &other)| !of_round(product) && other == n.wrapping_neg())
        })
    }
}

/// The carried values that are not counters: those whose next value is a floating-point sum.
fn sums(ssa: &Ssa, changing: &[Val]) -> usize {
    let float = |value: Val| match ssa.def(ssa.find(value)) {
        Def::Ins(ins) => match ins.op {
            Op::Bin(_, num) => num.float(),
            Op::Fma(_) => true,
            _ => false,
        },
        _ => false,
    };
    let carried = |value: &&Val| matches!(ssa.def(**value), Def::Phi(values) if values.iter().any(|&v| float(v)));
    changing.iter().filter(carried).count()
}

/// The loads of a loop. A wide one counts once.
fn loads(ssa: &Ssa, blocks: &[BlockId]) -> usize {
    let code = blocks.iter().flat_map(|&block| &ssa.bodies[block as usize].code);
    code.filter(|&&value| ssa.ins(value).is_some_and(|ins| matches!(ins.op, Op::Load(_)) && !silent(ins))).count()
}
