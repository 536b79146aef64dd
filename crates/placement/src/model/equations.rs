//! Equations 1 to 5 and 11 to 19 of Huang & Li (CLUSTER'17), with one function each. Equations 6 to 10 are in [`dram`].
//!
//! Times are in SM cycles. Where the paper's text is lost (16 and the right side of 17), the function states its
//! substitute. [`amat`] and [`time_of_resources`] are not the paper's. Our own model takes them in place of 5 and 1.

/// (1) T = Tcomp + Tmem − Toverlap.
pub fn total(comp: f64, mem: f64, overlap: f64) -> f64 {
    comp + mem - overlap
}

/// (2) Tcomp = #inst × #total_warps / #active_SMs × EIT + W_serial. `instructions` are issued per warp, including
/// replays.
pub fn t_comp(instructions: f64, warps_per_sm: f64, eit: f64, serial: f64) -> f64 {
    instructions * warps_per_sm * eit + serial
}

/// (3) Replays of the target: the sample's replays, with causes (1) to (4) replaced by those of the target.
pub fn replays(sample: f64, sample_1_to_4: f64, target_1_to_4: f64) -> f64 {
    sample - sample_1_to_4 + target_1_to_4
}

/// Issued instructions of the target per SM: those of the sample, plus the changes of addressing and of replays (3).
pub fn instructions(sample: f64, addressing: f64, sample_replays: f64, target_replays: f64) -> f64 {
    sample + addressing + target_replays - sample_replays
}

/// (4) Tmem = effective memory requests per SM × AMAT.
pub fn t_mem(requests: f64, amat: f64) -> f64 {
    requests * amat
}

/// (5) AMAT = DRAM_lat × miss_ratio + hit_lat + shmem_lat × shmem_ratio, as printed. Shared requests also pay for a
/// hit.
pub fn amat_printed(dram: f64, miss_ratio: f64, hit: f64, shared: f64, shared_ratio: f64) -> f64 {
    dram * miss_ratio + hit + shared * shared_ratio
}

/// (5) with hit_lat only for requests that go to a cache.
pub fn amat(dram: f64, miss_ratio: f64, hit: f64, shared: f64, shared_ratio: f64) -> f64 {
    amat_printed(dram, miss_ratio, hit * (1.0 - shared_ratio), shared, shared_ratio)
}

/// (11) Toverlap_ratio, the weighted sum of memory events and warps plus a constant.
pub fn overlap_ratio(events: &[f64], coefficients: &[f64], constant: f64) -> f64 {
    events.iter().zip(coefficients).map(|(event, coefficient)| event * coefficient).sum::<f64>() + constant
}

/// (12) Toverlap = Toverlap_ratio × Tmem.
pub fn t_overlap(ratio: f64, mem: f64) -> f64 {
    ratio * mem
}

/// (13) Effective instruction throughput in cycles per warp instruction, avg_inst_lat / ITILP. `issue_width` bounds the
/// instructions per cycle of an SM (inferred, and infinite for the seed).
pub fn eit(instruction_latency: f64, itilp: f64, issue_width: f64) -> f64 {
    (instruction_latency / itilp).max(1.0 / issue_width)
}

/// Independent instructions of a warp in a row, ILP of equation 14. A trace does not contain it.
pub const ILP: f64 = 1.0;

/// (14) ITILP = min(ILP × N, ITILP_max).
pub fn itilp(ilp: f64, warps: f64, itilp_max: f64) -> f64 {
    (ilp * warps).min(itilp_max)
}

/// (15) ITILP_max = avg_inst_lat / (warp_size / SIMD_width).
pub fn itilp_max(instruction_latency: f64, simd_width: f64) -> f64 {
    instruction_latency / (32.0 / simd_width)
}

/// (16), which is lost in print: W_serial = O_sync + O_SFU + O_CFdiv of Sim et al. (PPoPP'12, from memory), without
/// bank conflicts, which are replays here. O_CFdiv is 0 because a trace has both paths of a divergent branch.
pub fn w_serial(sync: f64, sfu: f64, divergence: f64) -> f64 {
    sync + sfu + divergence
}

/// O_sync of (16): #sync × #total_warps / #active_SMs × Γ × avg_DRAM_lat × #mem / #inst.
pub fn o_sync(syncs_per_warp: f64, warps_per_sm: f64, gamma: f64, dram: f64, memory_share: f64) -> f64 {
    syncs_per_warp * warps_per_sm * gamma * dram * memory_share
}

/// O_SFU of (16): #SFU × #total_warps / #active_SMs × warp_size / SFU_width × the share of SFU instructions beyond
/// SFU_width / SIMD_width, which the units could take beside the others.
pub fn o_sfu(sfu_per_warp: f64, warps_per_sm: f64, sfu_width: f64, sfu_share: f64, simd_width: f64) -> f64 {
    sfu_per_warp * warps_per_sm * (32.0 / sfu_width) * (sfu_share - sfu_width / simd_width).clamp(0.0, 1.0)
}

/// (17), whose right side is lost in print. In Sim et al. it is #mem_req × #total_warps / (#active_SMs × ITMLP).
pub fn effective_requests(requests_per_warp: f64, warps_per_sm: f64, itmlp: f64) -> f64 {
    requests_per_warp * warps_per_sm / itmlp
}

/// (18) ITMLP = min(MLP × MWP_cp, MWP_peak_bw).
pub fn itmlp(mlp: f64, mwp_cp: f64, mwp_peak: f64) -> f64 {
    (mlp * mwp_cp).min(mwp_peak)
}

/// (19) MWP_cp = min(max(1, CWP − 1), MWP).
pub fn mwp_cp(cwp: f64, mwp: f64) -> f64 {
    (cwp - 1.0).max(1.0).min(mwp)
}

/// Warps whose memory requests overlap (Hong & Kim, ISCA'09): min(latency / departure delay, MWP_peak_bw, N).
pub fn mwp(latency: f64, departure: f64, mwp_peak: f64, warps: f64) -> f64 {
    (latency / departure.max(f64::MIN_POSITIVE)).min(mwp_peak).min(warps)
}

/// avg_DRAM_lat of Hong & Kim: DRAM_lat + (transactions per memory instruction − 1) × departure delay.
pub fn average_dram_latency(dram: f64, transactions: f64, departure: f64) -> f64 {
    dram + (transactions - 1.0).max(0.0) * departure
}

/// Warps that saturate the bandwidth (Hong & Kim): peak / (bandwidth of one warp × SMs). One warp instruction moves
/// `bytes` within `latency`. `peak` is in bytes per cycle over all SMs.
pub fn mwp_peak_bw(peak: f64, bytes: f64, latency: f64, sms: f64) -> f64 {
    if bytes <= 0.0 {
        return f64::INFINITY;
    }
    peak * latency / (bytes * sms)
}

/// Warps that compute while one waits (Hong & Kim): min((mem + comp) / comp, N).
pub fn cwp(mem_cycles: f64, comp_cycles: f64, warps: f64) -> f64 {
    if comp_cycles <= 0.0 {
        return warps;
    }
    ((mem_cycles + comp_cycles) / comp_cycles).min(warps)
}

/// Overlap of Sim et al. (PPoPP'12, from memory), min(Tcomp × (N − ζ)/N, Tmem) with ζ = 1 if CWP ≤ MWP. The paper
/// compares with it in Figure 5.
pub fn overlap_of_sim(comp: f64, mem: f64, warps: f64, cwp: f64, mwp: f64) -> f64 {
    let zeta = if cwp <= mwp { 1.0 } else { 0.0 };
    (comp * (warps - zeta) / warps.max(1.0)).clamp(0.0, mem)
}

/// T from chains and resources (inferred, in the manner of interval analysis). After the `fill` of the first tiles,
/// the instructions and waits of a warp follow each other, so T is at least the `longest` chain of them. T is also at
/// least the time of each of the `resources` (issue, the SM's paths, the memory bus) after the `first` wait, before
/// which they are idle. Warps that run in step wait and queue in turn, so the largest of these times does not hide the
/// others. They add as cubes, which is the power that did best in training.
pub fn time_of_resources(fill: f64, longest: f64, resources: [f64; 3], first: f64) -> f64 {
    let cube = |time: f64| time * time * time;
    fill + libm::cbrt(cube(longest) + resources.map(|time| cube(time + first)).iter().sum::<f64>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resources_by_hand() {
        assert_eq!(amat(400.0, 0.25, 200.0, 30.0, 0.5), 215.0);
        assert_eq!(eit(4.0, 16.0, 2.0), 0.5, "the issue width bounds it");
        // Four equal times give the cube root of four cubes. A dominant time hides the others. A fill is added.
        assert!((time_of_resources(0.0, 100.0, [90.0; 3], 10.0) - libm::cbrt(4e6)).abs() < 1e-9);
        assert!((time_of_resources(5.0, 1000.0, [0.0; 3], 0.0) - 1005.0).abs() < 1e-5);
    }
}
