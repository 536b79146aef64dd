//! `reference` against the numbers of the HPCA'14 authors' own program: equality, not closeness.
//!
//! Through the front door: file, intake, scenario, report. `tests/data/oracle/README.md` says where the traces and the
//! expected results come from.

use crate::common::contents_of;
use crate::common::run;
use crate::common::CONFIGS;
use lab::{CacheModel, KernelReport};
use serde_json::{json, Value};
use testkit::own_data;

const CLASSES: [&str; 5] = ["compulsory", "capacity", "associativity", "latency", "mshr"];

fn check_seed(kernel: &KernelReport, want: &Value, place: &str) {
    let report = serde_json::to_value(kernel).expect("reports can be written");
    for class in CLASSES {
        assert_eq!(report["misses"][class], want[class], "{place}: {class}");
    }
    assert_eq!(report["hits"], want["hits"], "{place}: hits");
    assert_eq!(json!(kernel.requests - kernel.hits), want["misses"], "{place}: misses");
    let rate = want["misses"].as_f64().unwrap_or(f64::NAN) / kernel.requests as f64;
    assert_eq!(kernel.miss_rate_with_latency, rate, "{place}: rate");
    for (i, case) in kernel.cases.iter().enumerate() {
        assert_eq!(json!(case.histogram.infinite()), want["case_inf"][i], "{place}: infinite distances of case {i}");
    }
}

fn check_cases(kernel: &KernelReport, want: &Value, place: &str) {
    for (i, case) in kernel.cases.iter().enumerate() {
        let case = serde_json::to_value(case).expect("reports can be written");
        assert_eq!(case["histogram"], want["hist_seed1"][i], "{place}: histogram of case {i}");
        assert_eq!(case["ticks"], want["ticks_seed1"][i], "{place}: ticks of case {i}");
        assert_eq!(case["cancels"], want["cancels_seed1"][i], "{place}: cancels of case {i}");
    }
}

#[test]
fn fourteen_kernels_in_two_configurations() {
    let folder = own_data("oracle");
    let text = std::fs::read_to_string(folder.join("expected.json")).expect("the oracle's results");
    let expected: Value = serde_json::from_str(&text).expect("JSON");
    let kernels = expected["kernels"].as_object().expect("kernels");
    let mut runs = 0;
    for (name, configs) in kernels {
        let contents = contents_of(&[folder.join(format!("{name}.trc.xz"))]);
        for config in CONFIGS {
            let want = &configs[config];
            let seeds = want["oracle_seeds"].as_array().expect("seeds");
            for (seed, want_seed) in seeds.iter().zip(want["per_seed"].as_array().expect("results per seed")) {
                let seed = seed.as_u64().expect("a number");
                let place = format!("{name}, {config} KB, seed {seed}");
                let report = run(&contents, &format!("gtx470-{config}k"), CacheModel::Reference, seed, &[]);
                let kernel = &report.kernels[0];
                assert_eq!(json!(kernel.requests), want["accesses"], "{place}: accesses");
                check_seed(kernel, want_seed, &place);
                if seed == 1 {
                    check_cases(kernel, want, &place);
                }
                runs += 1;
            }
        }
    }
    println!("{} kernels × 2 configurations: {runs} runs of four cases, all equal", kernels.len());
    assert!(kernels.contains_key("reduction"), "the case whose last block has empty warps");
    assert_eq!(runs, 14 * 2 * 10);
}
