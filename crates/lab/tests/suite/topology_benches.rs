//! Outputs of gpu-benches among dropped files: their levels, and the sizes by three rules.

use lab::{TopologyIntake, TopologyReport};
use std::fmt::Write as _;

fn report(files: &[(&str, &str)]) -> TopologyReport {
    let mut intake = TopologyIntake::default();
    for (name, text) in files {
        intake.begin(name);
        text.as_bytes().chunks(100).for_each(|chunk| intake.push(chunk));
    }
    intake.finish().expect("a report")
}

/// An output of gpu-latency whose levels are eight times as long as the one before, from 16 KiB on.
fn latency(levels: &[f64]) -> String {
    let mut out = "clock: 1000 1000 \n".to_string();
    let mut kib = 1.0_f64;
    while kib < 16.0 * 8.0_f64.powi(levels.len() as i32 - 1) {
        let level = levels.iter().enumerate().find(|(i, _)| kib <= 16.0 * 8.0_f64.powi(*i as i32)).expect("a level").1;
        let _ = writeln!(out, "  1000000  1000 {kib:8.0} {level:8.1} {level:8.1}");
        kib *= 1.1;
    }
    out
}

#[test]
fn four_caches_and_main_memory_are_five_levels() {
    let cycles = [30.0, 90.0, 200.0, 450.0, 1000.0];
    let report = report(&[("a/v.txt", &latency(&cycles))]);
    assert!(report.diagnostics.is_empty() && report.topology.is_none(), "{:?}", report.diagnostics);
    let of = |kind: &str, rule: &str| -> Vec<_> {
        let rows = report.measurements.iter().filter(|row| row.kind == kind && row.rule == rule);
        rows.map(|row| (row.memory, row.value.expect("a value"))).collect()
    };
    let names = ["level_1", "level_2", "level_3", "level_4", "level_5"];
    assert_eq!(of("latency_p50", "warpscope"), names.into_iter().zip(cycles).collect::<Vec<_>>());
    let rows: Vec<_> = report.agreement.iter().map(|row| (row.memory, row.steps, row.why)).collect();
    assert_eq!(rows, names[..4].iter().map(|name| (*name, Some(0), "agree")).collect::<Vec<_>>());
    for (row, kib) in report.agreement.iter().zip([16.0, 128.0, 1024.0, 8192.0]) {
        let size = row.ours.expect("a size") / 1024.0;
        assert!(size <= kib && size > kib / 1.15, "{row:?}");
        assert_eq!((row.thesis, row.mt4g), (row.ours, row.ours), "a step has one size by every rule");
    }
    for rule in ["thesis", "mt4g", "warpscope"] {
        assert_eq!(of("size", rule).len(), 4);
    }
}

#[test]
fn levels_beyond_the_named_ones_are_said() {
    let cycles: Vec<f64> = (0..10).map(|i| 10.0 * 2.0_f64.powi(i)).collect();
    let report = report(&[("v.txt", &latency(&cycles))]);
    let said = &report.diagnostics[0];
    assert_eq!((said.found.as_str(), report.diagnostics.len()), ("10 levels", 1), "{said:?}");
    assert_eq!(report.agreement.len(), 8);
}

#[test]
fn throughputs_and_latencies_stand_beside_each_other() {
    let mut rates = "     data set   exec time     spread        Eff. bw\n".to_string();
    for i in 0..60 {
        let size = 16.0 * 1.15_f64.powi(i);
        let rate = if size <= 1000.0 { 14_000.0 } else { 2_400.0 };
        let _ = writeln!(rates, "  {size:.0} kB  5ms  0.4%  {rate:.1} GB/s  0 GB/s");
    }
    let report = report(&[("l.txt", &latency(&[30.0, 400.0])), ("r.txt", &rates)]);
    let rate = report.measurements.iter().find(|row| row.kind == "bandwidth").expect("a throughput");
    assert_eq!((rate.value, rate.unit, rate.file.as_str()), (Some(14_000.0), "GB/s", "r.txt"));
    let files: Vec<_> = report.agreement.iter().map(|row| row.file.as_str()).collect();
    assert_eq!(files, ["l.txt", "r.txt"]);
}
