//! What virtual GPUs hide for the experiments of [`crate::outlook`]. In: a seed or a topology. Out: an [`OutlookSpec`].

use crate::mystery::Draw;
use crate::outlook_gpu::{OutlookSpec, ReachLevel};
use crate::raw::ProbedMemory;
use crate::virtual_gpu::GpuSpec;
use base::Random;
use gpu::Topology;

const MIB: u64 = 1 << 20;

fn level(bytes: u64, entry: u64, ways: u64, cycles: f64) -> ReachLevel {
    ReachLevel { bytes, entry, ways, cycles }
}

/// The values of a V100, as Jia et al. measured them (*Dissecting the NVIDIA Volta GPU Architecture via
/// Microbenchmarking*, 2018): instruction caches of 12 KiB and 128 KiB, and TLBs that reach 32 MiB and 8 GiB with pages
/// of 2 MiB. Their additional cycles are assumed. For other GPUs all of these are assumed.
pub(super) fn usual_outlook() -> OutlookSpec {
    OutlookSpec {
        code: vec![level(12 << 10, 128, 4, 0.0), level(128 << 10, 128, 8, 40.0)],
        fetch_cycles: 220.0,
        tlbs: vec![level(32 * MIB, 2 * MIB, 16, 0.0), level(8192 * MIB, 2 * MIB, 16, 120.0)],
        walk_cycles: 500.0,
        bandwidths: vec![
            (ProbedMemory::Shared, 128.0),
            (ProbedMemory::L1, 128.0),
            (ProbedMemory::L2, 32.0),
            (ProbedMemory::Main, 8.0),
        ],
        cores: 80,
        shared_by: Vec::new(),
        l2_parts: 1,
        memory_bytes: 16 << 30,
    }
}

/// The outlook of a topology. Bandwidths follow from the board where it states them, and the parts of the L2 from its
/// instances; the rest is [`usual_outlook`].
pub(super) fn outlook_of(topology: &Topology) -> OutlookSpec {
    let mut out = usual_outlook();
    out.cores = topology.cores.value.clamp(1, 1024) as u32;
    out.memory_bytes =
        topology.memory_bytes.as_ref().map_or(out.memory_bytes, |fact| fact.value.clamp(1 << 30, 256 << 30));
    let instances = topology.l2.as_ref().and_then(|l2| l2.instances.as_ref()).map_or(1, |fact| fact.value);
    out.l2_parts = instances.clamp(1, 64);
    let Some(board) = &topology.board else { return out };
    let mut set = |memory: ProbedMemory, value: Option<f64>| {
        let Some(value) = value.filter(|value| (0.1..=4096.0).contains(value)) else { return };
        out.bandwidths.iter_mut().filter(|(known, _)| *known == memory).for_each(|(_, bytes)| *bytes = value);
    };
    let bytes = |fact: &Option<gpu::Fact<u64>>| fact.as_ref().map(|fact| fact.value as f64);
    set(ProbedMemory::L1, bytes(&board.lsu_bytes_per_cycle));
    set(ProbedMemory::Shared, bytes(&board.lsu_bytes_per_cycle));
    set(ProbedMemory::L2, bytes(&board.l2_bytes_per_cycle));
    let clock = topology.clock_khz.as_ref().map(|fact| fact.value as f64).filter(|khz| *khz > 0.0);
    let peak = board.peak_gbs.as_ref().map(|fact| fact.value);
    set(ProbedMemory::Main, peak.zip(clock).map(|(gbs, khz)| gbs * 1e6 / khz / topology.cores.value.max(1) as f64));
    out
}

/// Draws the outlook of a mystery GPU. It has numbers of its own, so that the caches of a seed stay as they were.
pub(super) fn mystery_outlook(seed: u64, spec: &GpuSpec) -> OutlookSpec {
    let mut draw = Draw(Random::stream(seed, 98));
    let cores = draw.of(&[8, 16, 24, 40]);
    let near = draw.of(&[8_u64, 12, 16]) << 10;
    let far = draw.of(&[64_u64, 96, 128]) << 10;
    let line = draw.of(&[64, 128]);
    let page = draw.of(&[64_u64 << 10, 2 * MIB]);
    let entries = draw.of(&[16_u64, 32, 64]);
    let more = draw.of(&[8_u64, 16, 32]);
    let second = draw.cycles(60.0, 160.0);
    let l15_wait = draw.cycles(24.0, 60.0);
    let hit = |memory| spec.level(memory).map_or(spec.main, |level| level.hit);
    // At most 20 KiB in flight per core, so that 64 warps with four loads each reach the limit.
    let limit = |share: f64, latency: f64| libm::round(share * 20_480.0 / latency).max(1.0);
    let mut bandwidths =
        vec![(ProbedMemory::Shared, draw.of(&[32.0, 64.0, 128.0])), (ProbedMemory::L1, draw.of(&[32.0, 64.0, 128.0]))];
    bandwidths.push((ProbedMemory::L2, limit(draw.within(0.3, 1.0), hit(ProbedMemory::L2))));
    bandwidths.push((ProbedMemory::Main, limit(draw.within(0.2, 0.8), spec.main)));
    // Only caches of their own are shared among cores: a load of the L1 cannot leave its core.
    let own = |memory: ProbedMemory| {
        let at = spec.level(memory)?.physical;
        (spec.levels.iter().filter(|(_, level)| level.physical == at).count() == 1).then_some(at)
    };
    let mut shared_by = Vec::new();
    for (memory, choices) in [(ProbedMemory::ConstantL15, [1, 2, 4]), (ProbedMemory::Texture, [1, 1, 2])] {
        let cores = draw.of(&choices);
        shared_by.extend(own(memory).map(|at| (at, cores)));
    }
    OutlookSpec {
        code: vec![level(near, line, draw.of(&[2, 4]), 0.0), level(far, line, draw.of(&[4, 8]), l15_wait)],
        fetch_cycles: draw.cycles(120.0, 260.0),
        tlbs: vec![level(entries * page, page, draw.of(&[4, 16]), 0.0), level(entries * page * more, page, 8, second)],
        walk_cycles: second + draw.cycles(150.0, 500.0),
        bandwidths,
        cores,
        shared_by,
        l2_parts: draw.of(&[1, 1, 2]),
        memory_bytes: 16 << 30,
    }
}
