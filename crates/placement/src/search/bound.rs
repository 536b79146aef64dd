//! Times that no placement can beat, for the certified gap of the search.
//!
//! In: the additive [`Parts`]. Out: cycles. Valid because the model hides no more than the smaller of Tcomp and Tmem, caches
//! miss at least what is touched first, and nobody waits. Sharing a cache only adds misses.

use crate::model::equations as eq;
use crate::model::evaluator::Evaluator;
use crate::model::kernel::{LINE, SECTOR};
use crate::model::parts::{Part, Parts};
use crate::model::settings::{Amat, Requests};
use crate::space::legal::{Memory, Placement};

impl Evaluator {
    /// A time, in cycles, below which `placement` cannot be: no more is hidden than the smaller of Tcomp and Tmem, caches miss
    /// only what is touched first, nobody waits.
    pub(crate) fn bound(&self, parts: &Parts, placement: &[Memory]) -> f64 {
        self.bound_of(&parts.sum(placement), self.residency(placement).0)
    }

    /// The bound of all placements together: of every array the least of each count, and as many blocks as fit without tiles.
    pub(crate) fn bound_of_all(&self, parts: &Parts, options: &[Vec<Memory>]) -> f64 {
        let without: Placement = options.iter().map(|_| Memory::Global).collect();
        self.bound_of(&parts.least(options), self.residency(&without).0)
    }

    fn bound_of(&self, sum: &Part, blocks: u64) -> f64 {
        let (kernel, machine, settings) = (self.kernel(), self.machine(), self.settings());
        let warps = blocks as f64 * kernel.warps_per_block();
        let (sms, scale) = (self.sms(), self.scale());
        let cap = if settings.issue_cap { machine.issue_width } else { f64::INFINITY };
        let itilp_max = eq::itilp_max(machine.instruction_latency, machine.simd_width);
        let itilp = eq::itilp(settings.ilp, warps, itilp_max);
        let eit = eq::eit(machine.instruction_latency, itilp, cap);
        let slot = if settings.replay_passes { 0.0 } else { eit };
        let comp = ((kernel.instructions() as f64 + sum.instructions) * eit + sum.replays * slot) / sms * scale;
        // A group waits for its deepest load, which is no less than the mean of at most so many.
        let parallel = self.largest_group() * warps.max(1.0);
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
        // A billionth for the rounding of sums in another order.
        comp.max(mem) * (1.0 - 1e-9)
    }
}
