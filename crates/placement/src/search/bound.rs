//! Lower bounds of the predicted time, for the certified gap of the search.
//!
//! In: the additive counts in [`AdditiveTable`]. Out: cycles. The bound holds because the model hides at most the
//! smaller of Tcomp and Tmem, because caches miss at least at first touches, and because the bound has no queues. A
//! shared cache only adds misses.

use crate::model::additive::{AdditiveCounts, AdditiveTable};
use crate::model::equations as eq;
use crate::model::evaluator::Evaluator;
use crate::model::kernel::{LINE, SECTOR};
use crate::space::legal::{Memory, Placement};

/// A lower bound of the time of `placement`, in cycles.
pub(crate) fn lower_bound(evaluator: &Evaluator, additive: &AdditiveTable, placement: &[Memory]) -> f64 {
    bound_of(evaluator, &additive.sum(placement), evaluator.residency(placement).0)
}

/// A lower bound of all placements, from the smallest counts of every array and the number of blocks that fit without
/// tiles.
pub(crate) fn lower_bound_of_all(evaluator: &Evaluator, additive: &AdditiveTable, options: &[Vec<Memory>]) -> f64 {
    let without: Placement = options.iter().map(|_| Memory::Global).collect();
    bound_of(evaluator, &additive.least(options), evaluator.residency(&without).0)
}

fn bound_of(evaluator: &Evaluator, sum: &AdditiveCounts, blocks: u64) -> f64 {
    let (kernel, machine) = (evaluator.kernel(), evaluator.machine());
    if evaluator.settings().paper.is_some() {
        // Nothing keeps the printed Toverlap below Tcomp + Tmem.
        return 0.0;
    }
    let warps = blocks as f64 * kernel.warps_per_block();
    let (sms, scale) = (evaluator.sms(), evaluator.scale());
    let itilp_max = eq::itilp_max(machine.instruction_latency, machine.simd_width);
    let itilp = eq::itilp(eq::ILP, warps, itilp_max);
    let eit = eq::eit(machine.instruction_latency, itilp, machine.issue_width);
    let comp = (kernel.instructions() as f64 + sum.instructions) * eit / sms * scale;
    // A group waits for its deepest load. Its latency is at least the mean over the loads of the group.
    let parallel = evaluator.largest_group() * warps.max(1.0);
    let peak = machine.peak_gbs / machine.clock_ghz;
    let bytes = sum.sectors * SECTOR as f64 * scale;
    let passes = sum.passes * LINE as f64 / machine.lsu_bytes_per_cycle;
    let mem = (sum.latency / sms * scale / parallel).max(passes / sms * scale).max(bytes / peak);
    // The margin of a billionth covers the rounding of sums in another order.
    comp.max(mem) * (1.0 - 1e-9)
}
