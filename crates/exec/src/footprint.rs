//! How much a kernel will ask of a model's memory, without coalescing it.
//!
//! In: traces, a line size and a number of cores. Out: a [`Footprint`]. Steps are counted; requests are those of up to 256
//! warps, scaled; distinct lines are estimated with HyperLogLog (Flajolet et al., AofA 2007; 16,384 registers, standard
//! error 0.8 %), whose memory does not grow with the trace.

use crate::coalesce::{estimate_requests, line_finder, uses_l1, StoreUse};
use std::sync::Arc;
use trace::Trace;

/// What the run is made with. Nothing may be 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FootprintSettings {
    /// Line size.
    pub line_bytes: u64,
    /// Cores that blocks are dealt to.
    pub cores: u32,
    /// Of these, cores that are modelled.
    pub modelled: u32,
    /// Whether stores are requests.
    pub stores: StoreUse,
}

/// What a run over kernels will hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Line requests of the kernel with most of them.
    pub requests: u64,
    /// Warp instructions that make them, likewise.
    pub steps: u64,
    /// Distinct lines of all kernels.
    pub lines: u64,
    /// Distinct pairs of modelled core and line, blocks dealt round-robin.
    pub core_lines: u64,
}

/// Looks at every access of the traces once.
pub fn footprint(traces: &[Arc<Trace>], settings: &FootprintSettings) -> Footprint {
    let (mut lines, mut core_lines) = (Distinct::default(), Distinct::default());
    let (mut requests, mut all_requests, mut steps) = (0, 0, 0);
    for trace in traces {
        steps = steps.max(count(trace, settings, &mut lines, &mut core_lines));
        let estimate = estimate_requests(trace, settings.line_bytes, settings.stores);
        requests = requests.max(estimate);
        all_requests += estimate;
    }
    let lines = lines.count().min(all_requests);
    Footprint { requests, steps, lines, core_lines: core_lines.count().min(all_requests.max(lines)) }
}

/// Counts the lines of one trace; gives the number of its steps.
fn count(trace: &Trace, settings: &FootprintSettings, lines: &mut Distinct, core_lines: &mut Distinct) -> u64 {
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

/// Counts distinct numbers.
struct Distinct {
    registers: Vec<u8>,
}

const REGISTER_BITS: u32 = 14;

impl Default for Distinct {
    fn default() -> Self {
        Self { registers: vec![0; 1 << REGISTER_BITS] }
    }
}

impl Distinct {
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
            let mut distinct = Distinct::default();
            (0..3 * n).for_each(|i| distinct.add(i % n.max(1) * 128));
            let (found, off) = (distinct.count(), n / 50);
            assert!(found.abs_diff(n) <= off, "{found} instead of {n}");
        }
    }
}
