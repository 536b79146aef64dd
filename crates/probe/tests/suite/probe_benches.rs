//! Tests of the outputs of gpu-benches: made ones with known levels, and damaged ones.

use probe::benches::{looks_like_bench, read_bench, BenchKind};
use std::fmt::Write as _;

/// An output of gpu-latency: three levels that end at 128 KiB and 6 MiB; the last third of an octave before a change rises.
fn latency() -> String {
    let mut out = "clock: 1380 1380 \n".to_string();
    let mut size = 1.0_f64;
    while size < 100_000.0 {
        let cycles = match size {
            s if s <= 128.0 => 30.0,
            s if s <= 150.0 => 120.0,
            s if s <= 6144.0 => 215.0,
            s if s <= 7200.0 => 330.0,
            _ => 430.0,
        };
        let _ = writeln!(out, "  1000000  1380 {:8.0} {:8.1} {cycles:7.1}", size.round(), cycles / 1.38);
        size *= 1.1;
    }
    out
}

#[test]
fn levels_of_a_latency_curve() {
    let text = latency();
    assert!(looks_like_bench(text.as_bytes()));
    let (curve, said) = read_bench("v.txt", text.as_bytes());
    let curve = curve.expect("a curve");
    assert!(said.is_empty(), "{said:?}");
    assert_eq!(curve.kind, BenchKind::Latency);
    let levels = curve.levels();
    assert_eq!(levels.iter().map(|level| level.value).collect::<Vec<_>>(), [30.0, 215.0, 430.0]);
    for (level, true_kib) in levels.iter().zip([128, 6144]) {
        let end = level.end.as_ref().expect("an end");
        let last = *curve.sizes.iter().rfind(|size| **size <= true_kib * 1024).expect("a size");
        assert_eq!(end.ours, Some(last), "{end:?}");
        let (low, high) = end.interval.expect("an interval");
        assert!(low <= true_kib * 1024 && high >= true_kib * 1024, "{end:?}");
        // The best splits may lie within the rise, never before it.
        assert!(end.thesis >= last && end.mt4g >= last && end.apart <= end.rising + 1, "{end:?}");
    }
    assert_eq!(levels[2].end, None);
}

#[test]
fn throughputs_have_one_or_two_sizes() {
    let rows = |more: &str| {
        // Some outputs begin with the clock.
        let clock = if more.is_empty() { "clock: 1725 1740 \n" } else { "" };
        let mut out = clock.to_string() + "     data set   exec time     spread        Eff. bw       DRAM read\n";
        for i in 0..60 {
            let size = 16.0 * 1.15_f64.powi(i);
            let rate = if size <= 1000.0 { 14_000.0 } else { 2_400.0 };
            let _ = writeln!(out, " {more} {size:.0} kB  5ms  0.4%  {rate:.1} GB/s  0 GB/s");
        }
        out
    };
    for (more, kind) in [("", BenchKind::Cache), ("128 kB", BenchKind::L2)] {
        let text = rows(more);
        assert!(looks_like_bench(text.as_bytes()));
        let curve = read_bench("c.txt", text.as_bytes()).0.expect("a curve");
        assert_eq!((curve.kind, curve.sizes.len()), (kind, 60));
        let levels = curve.levels();
        assert_eq!(levels.iter().map(|level| level.value).collect::<Vec<_>>(), [14_000.0, 2_400.0]);
        let end = levels[0].end.as_ref().expect("an end");
        assert_eq!((end.apart, end.thesis, Some(end.thesis)), (0, end.mt4g, end.ours));
        assert!((800..=1000).contains(&(end.thesis / 1024)), "{end:?}");
    }
}

#[test]
fn good_lines_are_kept_and_nothing_panics() {
    let text = format!("{}what is this\n 1 2 3\n", latency());
    let (curve, said) = read_bench("v.txt", text.as_bytes());
    assert_eq!((curve.map(|c| c.levels().len()), said.len()), (Some(3), 2));
    assert_eq!((said[0].line, said[0].expected.as_str()), (Some(100 + 23), "loads, MHz, kB, ns, cycles"));
    assert!(!looks_like_bench(b"kernel,time\n") && !looks_like_bench(b""));
    let mut random = base::Random::new(5);
    for i in 0..300 {
        let alphabet = b"0123456789..  \n\nkBGB/s ms%-e\xff";
        let mut bytes = if i % 2 == 0 { b"clock: 1\n".to_vec() } else { b"data set Eff. bw\n".to_vec() };
        bytes.extend((0..i * 5).map(|_| alphabet[random.below(alphabet.len() as u64) as usize]));
        let (curve, said) = read_bench("x", &bytes);
        assert_eq!(curve.is_none(), said.iter().any(|d| d.severity == base::Severity::Error));
        curve.iter().flat_map(|curve| curve.levels()).for_each(|level| assert!(level.value.is_finite()));
    }
}

#[test]
fn a_second_output_in_a_file_is_left_out() {
    // Throughputs are no latencies: a curve of both would have no unit.
    let alone = read_bench("v.txt", latency().as_bytes()).0.expect("a curve");
    let other = "     data set   exec time     spread        Eff. bw\n 16 kB  5ms  0.4%  9000 GB/s\n";
    let again = latency();
    for second in [other, again.as_str()] {
        let (curve, said) = read_bench("v.txt", (latency() + second).as_bytes());
        assert_eq!(curve.as_ref(), Some(&alone));
        assert_eq!((said.len(), said[0].line, said[0].expected.as_str()), (1, Some(123), "one output per file"));
    }
}

#[test]
fn more_rows_than_any_output_has_are_left_out() {
    let rows: String = (1..=6000).map(|size| format!(" 1 1 {size} 1 30\n")).collect();
    let (curve, said) = read_bench("v.txt", format!("clock: 1\n{rows}").as_bytes());
    assert_eq!(curve.map(|curve| curve.sizes.len()), Some(4096));
    assert_eq!((said.len(), said[0].line, said[0].expected.as_str()), (1, Some(4098), "at most 4096 rows"));
}
