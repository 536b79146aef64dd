//! What the tests of the papers share: the GTX 470 as HPCA'14 describes it, and where the sample data lies.

#![allow(dead_code)]

use std::path::PathBuf;
use warpscope::cache::Params;
use warpscope::exec::{CoreLimits, UNKNOWN_LIMIT};
use warpscope::job::Job;
use warpscope::lab::{Contents, Intake, Model, Report, Run, Scenario};
use warpscope::share::seal;
use warpscope::topology::{SetIndex, Stores};

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
        limits: CoreLimits { threads: 1536, blocks: 8, shared_bytes: UNKNOWN_LIMIT, registers: UNKNOWN_LIMIT },
        blocking: true,
        clip: true,
        stores: Stores::None,
        seed,
    }
}

/// A folder of the sample data, or `None` (and says so) where it is not there.
pub fn sample_data(folder: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/data").join(folder);
    if path.is_dir() {
        return Some(path);
    }
    println!("skipped: no sample data in {folder}");
    None
}

/// Reads files as the command line does.
pub fn contents_of(paths: &[PathBuf]) -> Contents {
    let mut intake = Intake::default();
    for path in paths {
        intake.begin(&path.display().to_string());
        std::fs::read(path).expect("a sample file").chunks(1 << 16).for_each(|chunk| intake.push(chunk));
    }
    intake.finish()
}

/// Runs a scenario to its end.
pub fn run(contents: &Contents, gpu: &str, model: Model, seed: u64, set: &[(&str, &str)]) -> Report {
    let set = set.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    let scenario = Scenario { gpu: gpu.into(), model, seed, set, ..Scenario::default() };
    let run = Run::new(&scenario, contents).expect("a scenario that can run");
    seal(run.finish().expect("a run without overflow"))
}
