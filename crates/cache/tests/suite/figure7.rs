//! HPCA'14 figure 7: a single warp runs the same loop of strided loads twice. The figure shows for which strides and
//! numbers of loads the second loop hits.

use crate::gtx470::gtx470;
use crate::gtx470::CONFIGS;
use base::Job;
use cache::{PaperModel, ReferenceModel, RequestClass};
use exec::{align_lanes, coalesce, StoreUse};
use std::sync::Arc;
use trace::{Dim3, Kind, Launch, Site, Space, Trace, TraceBuilder};

const STRIDES: [u32; 7] = [7, 8, 9, 10, 11, 12, 13];
const LOADS: [u64; 7] = [4, 8, 16, 32, 64, 128, 256];

fn two_loops(loads: u64, stride: u64) -> Trace {
    let launch = Launch { grid: Dim3::new(1, 1, 1), block: Dim3::new(32, 1, 1), shared_bytes: 0, registers: 0 };
    let mut builder = TraceBuilder::new("strided", launch);
    let load = Site { pc: 0, opcode: "".into(), source_line: None, space: Space::Global, kind: Kind::Load, bytes: 4 };
    let load = builder.intern_site(load);
    builder.begin_block(Dim3::new(0, 0, 0));
    builder.begin_warp(0);
    (0..2).for_each(|_| (0..loads).for_each(|i| builder.add_affine_access(load, u32::MAX, i * stride, 4)));
    builder.finish()
}

/// The percentage of misses in figure 7, as in the paper and in `cache-model`.
fn expected(config: &str, stride_bits: u32, loads: u64) -> u64 {
    let fits = match (config, stride_bits) {
        ("16", 12) => loads <= 64,
        ("16", _) => loads <= 128,
        (_, 13) => loads <= 128,
        _ => true,
    };
    if fits {
        50
    } else {
        100
    }
}

#[test]
fn the_whole_grid_in_both_models() {
    for config in CONFIGS {
        println!("{config} KB: percent of misses, loads {LOADS:?}");
        for bits in STRIDES {
            let mut row = Vec::new();
            for loads in LOADS {
                let trace = two_loops(loads, 1 << bits);
                let params = gtx470(config, 1);
                let requests = Arc::new(coalesce(&trace, 128, StoreUse::Ignore).expect("few requests"));
                let paper = PaperModel::new(Arc::clone(&requests), params.clone(), 1, true).finish();
                assert_eq!(paper.total.requests(), 2 * loads);
                assert_eq!(paper.total.of_class(RequestClass::Latency), 0);
                let aligned = Arc::new(align_lanes(&trace, 128).expect("few requests"));
                let reference = ReferenceModel::new(aligned, params, 1).finish().total.misses();
                let paper = 100 * paper.total.misses() / (2 * loads);
                assert_eq!(
                    [paper, 100 * reference / (2 * loads)],
                    [expected(config, bits, loads); 2],
                    "2^{bits} × {loads}"
                );
                row.push(paper);
            }
            println!("  stride 2^{bits:<2} {row:?}");
        }
    }
}
