//! Tests of the outlook's experiments on virtual GPUs against their hidden specifications.

use base::Job;
use probe::discover::Discovery;
use probe::mystery::{mystery, thesis_gpu};
use probe::virtual_gpu::GpuSpec;
use probe::{outlook_values, OutlookValue, VirtualGpu};
use std::collections::BTreeMap;
use testkit::cases;

fn measure(spec: &GpuSpec, seed: u64) -> Vec<OutlookValue> {
    let found = Discovery::with_outlook(VirtualGpu::new(spec.clone(), seed), 99).finish();
    outlook_values(spec, &found.outlook.expect("the experiments ran"))
}

/// Right, all, intervals that hold the truth, all intervals, and the widths of the intervals as shares of the truth.
#[derive(Default, Debug)]
struct Tally {
    right: usize,
    all: usize,
    held: usize,
    widths: Vec<f64>,
}

#[test]
fn mystery_gpus_are_found_out_beyond_their_caches() {
    // `MYSTERY_GPUS=from..to` tests other seeds than the usual ones.
    let asked = std::env::var("MYSTERY_GPUS").unwrap_or(format!("0..{}", cases(12, 300)));
    let (first, last) = asked.split_once("..").expect("from..to");
    let (first, last): (u64, u64) = (first.parse().expect("a seed"), last.parse().expect("a seed"));
    let mut tally: BTreeMap<String, Tally> = BTreeMap::new();
    for seed in first..last {
        for row in measure(&mystery(seed), seed) {
            let entry = tally.entry(format!("{} {}", row.quantity, row.of)).or_default();
            entry.all += 1;
            entry.right += usize::from(row.right);
            if let Some((low, high)) = row.interval {
                entry.held += usize::from((low..=high).contains(&row.truth));
                entry.widths.push((high - low) / row.truth);
            }
            if !row.right {
                println!("seed {seed}: {row:?}");
            }
        }
    }
    for (what, tally) in &mut tally {
        tally.widths.sort_by(f64::total_cmp);
        let n = tally.widths.len();
        let median = tally.widths.get(n / 2).copied().unwrap_or(0.0);
        println!(
            "{what}: {} of {} right; {} of {n} intervals hold, median width {median:.4}",
            tally.right, tally.all, tally.held
        );
    }
    let sum = |of: fn(&Tally) -> usize| tally.values().map(of).sum::<usize>() as f64;
    assert!(sum(|t| t.right) / sum(|t| t.all) >= 0.97, "right");
    // The rate that the intervals state, less two standard deviations of so few GPUs.
    let (held, all) = (sum(|t| t.held), sum(|t| t.widths.len()));
    assert!(held / all >= 0.95 - 2.0 * (0.95 * 0.05 / all).sqrt(), "{held} of {all} intervals hold the truth");
    assert!(tally.len() >= 11, "all kinds: {:?}", tally.keys());
}

#[test]
fn the_caches_of_a_seed_do_not_depend_on_the_outlook() {
    let spec = mystery(4);
    let plain = Discovery::new(VirtualGpu::new(spec.clone(), 4), 99).finish();
    let mut whole = Discovery::with_outlook(VirtualGpu::new(spec, 4), 99).finish();
    assert!(whole.outlook.take().is_some_and(|found| found.code.len() == 2 && !found.bandwidths.is_empty()));
    assert_eq!(plain, whole);
}

/// Jia et al. 2018 measured 12 KiB and 128 KiB of instruction caches and TLBs of 32 MiB and 8 GiB on a V100.
#[test]
fn a_v100_has_the_published_reaches() {
    let spec = thesis_gpu("v100").expect("a table");
    let rows = measure(&spec, 7);
    let found = |quantity: &str, of: &str| {
        let row = rows.iter().find(|row| row.quantity == quantity && row.of == of).expect("a row");
        assert!(row.right, "{row:?}");
        row.found.expect("a value")
    };
    assert!((found("instruction_cache", "1") / 12288.0 - 1.0).abs() < 0.02);
    assert!((found("instruction_cache", "2") / 131_072.0 - 1.0).abs() < 0.02);
    assert!((found("tlb", "1") / 33_554_432.0 - 1.0).abs() < 0.07);
    assert!((found("tlb", "2") / 8_589_934_592.0 - 1.0).abs() < 0.02);
    assert_eq!(found("page", ""), 2_097_152.0);
}
