//! The parameters of the GTX 470 from HPCA'14.

use cache::Params;
use exec::CoreLimits;
use gpu::{SetIndex, Stores};

/// Names of the two cache configurations of the paper.
pub const CONFIGS: [&str; 2] = ["16", "48"];

/// HPCA'14 sections 5 and 6: 128-byte lines, 64 MSHRs, λ 100, σ 5; 16 KB in 4 ways or 48 KB in 6 ways.
pub fn gtx470(config: &str, seed: u64) -> Params {
    let mut masks: Vec<u64> = [(7, 13), (8, 14), (9, 15), (10, 17), (11, 19)].map(|(a, b)| 1 << a | 1 << b).to_vec();
    let big = config == "48";
    if big {
        masks.push(1 << 12);
    }
    Params {
        line_bytes: 128,
        ways: if big { 6 } else { 4 },
        sets: if big { 64 } else { 32 },
        set_index: SetIndex::XorMasks(masks),
        mshrs: 64,
        latency: 100,
        sigma: 5.0,
        hit_latency: 0,
        cores: 1,
        core_limit: 1,
        block_limit: u64::MAX,
        limits: CoreLimits { threads: 1536, blocks: 8, ..CoreLimits::UNKNOWN },
        blocking: true,
        warp_loads: u64::MAX,
        clip: true,
        stores: Stores::None,
        seed,
    }
}
