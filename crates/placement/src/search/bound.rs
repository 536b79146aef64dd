//! Lower bounds of the predicted time, for the certified gap of the search.
//!
//! In: the additive counts in [`AdditiveTable`]. Out: cycles. The bound holds because the model hides at most the
//! smaller of Tcomp and Tmem, because caches miss at least at first touches, and because the bound has no queues. A
//! shared cache only adds misses.

use crate::model::additive::{AdditiveCounts, AdditiveTable};
use crate::model::equations as eq;
use crate::model::evaluator::Evaluator;
use crate::model::kernel::{LINE, SECTOR};
use crate::model::settings::{Amat, Requests};
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
    let (kernel, machine, settings) = (evaluator.kernel(), evaluator.machine(), evaluator.settings());
    let warps = blocks as f64 * kernel.warps_per_block();
    let (sms, scale) = (evaluator.sms(), evaluator.scale());
    let cap = if settings.issue_cap { machine.issue_width } else { f64::INFINITY };
    let itilp_max = eq::itilp_max(machine.instruction_latency, machine.simd_width);
    let itilp = eq::itilp(eq::ILP, warps, itilp_max);
    let eit = eq::eit(machine.instruction_latency, itilp, cap);
    let slot = if settings.replay_passes { 0.0 } else { eit };
    let comp = ((kernel.instructions() as f64 + sum.instructions) * eit + sum.replays * slot) / sms * scale;
    // A group waits for its deepest load. Its latency is at least the mean over the loads of the group.
    let parallel = evaluator.largest_group() * warps.max(1.0);
    let peak = machine.peak_gbs / machine.clock_ghz;
    let mem = match settings.requests {
        Requests::Loads => {
            let waits = match settings.amat {
                Amat::PerLevel => sum.latency,
                Amat::Printed => sum.loads * machine.l2_latency,
            };
            let bytes = sum.sectors * SECTOR as f64 * scale;
            let passes = sum.passes * LINE as f64 / machine.lsu_bytes_per_cycle;
            (waits / sms * scale / parallel).max(passes / sms * scale).max(bytes / peak)
        }
        Requests::Transactions => {
            let requests = sum.requests / sms * scale;
            let hit = match settings.amat {
                Amat::Printed => machine.l2_latency,
                Amat::PerLevel => machine.shared_latency.min(machine.constant_latency).min(machine.l1_latency),
            };
            (requests * hit / parallel).max(requests * LINE as f64 * sms / peak)
        }
    };
    // The margin of a billionth covers the rounding of sums in another order.
    comp.max(mem) * (1.0 - 1e-9)
}
