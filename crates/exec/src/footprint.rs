//! The size of a kernel's line requests, without coalescing the kernel.
//!
//! In: traces, a line size and a number of cores. Out: a [`Footprint`]. It counts the steps. It scales the number of
//! requests from up to 256 warps. It estimates the distinct lines with HyperLogLog (Flajolet et al., AofA 2007; 16,384
//! registers, standard error 0.8 %), whose memory does not grow with the trace.

use crate::coalesce::{estimate_requests, line_finder, uses_l1, StoreUse};
use std::sync::Arc;
use trace::Trace;

/// The settings of the run. No number may be 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FootprintSettings {
    /// Bytes of a cache line.
    pub line_bytes: u64,
    /// Cores that get blocks.
    pub cores: u32,
    /// Cores of these that the run models.
    pub modelled: u32,
    /// Whether stores make requests.
    pub stores: StoreUse,
}

/// The numbers that determine the memory of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Line requests of the kernel that makes most requests.
    pub requests: u64,
    /// Steps of the kernel that has most steps.
    pub steps: u64,
    /// Distinct lines of all kernels.
    pub lines: u64,
    /// Distinct pairs of a modelled core and a line, if the cores get the blocks round-robin.
    pub core_lines: u64,
}

/// Computes the footprint in one pass over the accesses of the traces.
pub fn footprint(traces: &[Arc<Trace>], settings: &FootprintSettings) -> Footprint {
    let (mut lines, mut core_lines) = (HyperLogLog::default(), HyperLogLog::default());
    let (mut requests, mut all_requests, mut steps) = (0, 0, 0);
    for trace in traces {
        steps = steps.max(add_lines(trace, settings, &mut lines, &mut core_lines));
        let estimate = estimate_requests(trace, settings.line_bytes, settings.stores);
        requests = requests.max(estimate);
        all_requests += estimate;
    }
    let lines = lines.count().min(all_requests);
    Footprint { requests, steps, lines, core_lines: core_lines.count().min(all_requests.max(lines)) }
}

/// Adds the lines of one trace to the estimates and returns the number of its steps.
fn add_lines(
    trace: &Trace,
    settings: &FootprintSettings,
    lines: &mut HyperLogLog,
    core_lines: &mut HyperLogLog,
) -> u64 {
    let &FootprintSettings { line_bytes, cores, modelled, stores } = settings;
    let line_of = line_finder(line_bytes.max(1));
    let (mut steps, mut list) = (0, [0; 32]);
    for (block, core) in trace.blocks.iter().zip((0..cores.max(1)).cycle()) {
        for warp in &trace.warps[block.warps.start as usize..block.warps.end as usize] {
            for access in trace.accesses(warp).filter(|a| uses_l1(&trace.sites[a.site as usize], stores)) {
                steps += 1;
                let count = access.addresses(&mut list);
                let mut last = None;
                for line in list[..count].iter().map(|address| line_of(*address)) {
                    if last.replace(line) != Some(line) {
                        lines.add(line);
                        if core < modelled {
                            core_lines.add(line ^ u64::from(core + 1) << 48);
                        }
                    }
                }
            }
        }
    }
    steps
}

/// Estimates the number of distinct values. A register keeps the longest run of zero bits among the hashes that fall to
/// it.
struct HyperLogLog {
    registers: Vec<u8>,
}

const REGISTER_BITS: u32 = 14;

impl Default for HyperLogLog {
    fn default() -> Self {
        Self { registers: vec![0; 1 << REGISTER_BITS] }
    }
}

impl HyperLogLog {
    #[inline]
    fn add(&mut self, number: u64) {
        // The finaliser of SplitMix64 (Steele et al., OOPSLA 2014).
        let mut hash = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
        hash = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        hash = (hash ^ hash >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        hash ^= hash >> 31;
        let register = &mut self.registers[(hash >> (64 - REGISTER_BITS)) as usize];
        let rank = (hash << REGISTER_BITS).leading_zeros().min(64 - REGISTER_BITS) as u8 + 1;
        *register = (*register).max(rank);
    }

    fn count(&self) -> u64 {
        let m = self.registers.len() as f64;
        let sum: f64 = self.registers.iter().map(|&rank| libm::exp2(-f64::from(rank))).sum();
        let raw = 0.7213 / (1.0 + 1.079 / m) * m * m / sum;
        let empty = self.registers.iter().filter(|rank| **rank == 0).count();
        let count = if raw <= 2.5 * m && empty > 0 { m * libm::log(m / empty as f64) } else { raw };
        libm::round(count) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distinct_numbers_are_counted_within_two_per_cent() {
        for n in [0u64, 1, 100, 10_000, 50_000, 1_000_000] {
            let mut distinct = HyperLogLog::default();
            (0..3 * n).for_each(|i| distinct.add(i % n.max(1) * 128));
            let (found, off) = (distinct.count(), n / 50);
            assert!(found.abs_diff(n) <= off, "{found} instead of {n}");
        }
    }
}
