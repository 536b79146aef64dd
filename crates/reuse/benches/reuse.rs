//! Speed and memory of the reuse engines: tables of ratios within one run, and then criterion's times.
//!
//! `cargo bench -p reuse --bench reuse -- --tables-only` prints only the tables and takes about two minutes. The
//! baseline is the textbook engine, a Fenwick tree as long as the stream and hashbrown's map. The engines run in turn
//! several times, and the least time of each counts, because other programs on the machine only add time.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros)] // tests read files and print

// The macros of criterion generate public functions without documentation.
#![allow(missing_docs)]

use criterion::{criterion_group, BenchmarkId, Criterion, Throughput};
use reuse::{
    hp_rda, hp_rda_by_part, Fenwick, Histogram, HistogramDifference, HpRdaPart, HpRdaSettings, Offline,
    PartitionSummary, Pattern, RankBits, ReuseEngine, SyntheticStream,
};
use std::time::{Duration, Instant};

mod applications;
mod tree;

const N: usize = 10_000_000;
const TURNS: usize = 4;
const STREAMS: [(&str, Pattern, u64); 6] = [
    ("uniform", Pattern::Uniform, 1_000_000),
    ("zipf 1.0", Pattern::Zipf { exponent: 1.0 }, 1_000_000),
    ("loop", Pattern::Loop, 100_000),
    ("matmul", Pattern::Matmul, 25_000),
    ("zipf 0.8", Pattern::Zipf { exponent: 0.8 }, 1_000_000),
    ("phased", Pattern::Phased, 1_000_000),
];

fn stream(pattern: Pattern, lines: u64, n: usize) -> Vec<u64> {
    let mut out = vec![0; n];
    SyntheticStream::new(pattern, lines, 1).fill(&mut out);
    out
}

fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let begun = Instant::now();
    let out = work();
    (begun.elapsed().as_secs_f64(), out)
}

struct EngineRun {
    seconds: f64,
    histogram: Histogram,
    bytes_per_line: f64,
}

fn run(mut engine: Box<dyn ReuseEngine>, lines: &[u64]) -> EngineRun {
    let begun = Instant::now();
    engine.push_lines(lines);
    let bytes_per_line = engine.bytes() as f64 / engine.distinct() as f64;
    let histogram = engine.finish();
    EngineRun { seconds: begun.elapsed().as_secs_f64(), histogram, bytes_per_line }
}

fn engines() {
    println!("N = {N}: ns per access, ratio to the textbook, bytes per distinct line, histograms");
    println!("{:<9} {:>8} {:>8} {:>8} {:>7} {:>7}", "", "rank", "offline", "fenwick", "ratio", "bytes");
    for (name, pattern, m) in STREAMS {
        let lines = stream(pattern, m, N);
        let mut best = [f64::MAX; 3];
        let mut bytes = 0.0;
        for _ in 0..TURNS {
            let rank = run(Box::new(RankBits::default()), &lines);
            let offline = run(Box::new(Offline::default()), &lines);
            let (made, fenwick) = timed(|| Box::new(Fenwick::new(N)));
            let fenwick = run(fenwick, &lines);
            assert_eq!(rank.histogram, fenwick.histogram, "{name}");
            assert_eq!(offline.histogram, fenwick.histogram, "{name}");
            let seconds = [rank.seconds, offline.seconds, made + fenwick.seconds];
            best.iter_mut().zip(seconds).for_each(|(best, seconds)| *best = best.min(seconds));
            bytes = rank.bytes_per_line;
        }
        let ns = best.map(|seconds| seconds * 1e9 / N as f64);
        let ratio = ns[2] / ns[0];
        println!("{name:<9} {:8.1} {:8.1} {:8.1} {ratio:6.2}x {bytes:7.1}  equal", ns[0], ns[1], ns[2]);
    }
}

/// Rank bits beside the tree algorithm of IPDPS'12, on streams that are short for their lines: a quarter of the uniform
/// accesses are the first ones to their line.
fn beside_the_tree() {
    const N: usize = 4_000_000;
    println!("\nN = {N}, M = 1,000,000: ns per access, ratios to rank bits, histograms");
    println!("{:<9} {:>8} {:>8} {:>8} {:>7} {:>7}", "", "rank", "fenwick", "tree", "fenwick", "tree");
    for (name, pattern, _) in &STREAMS[..4] {
        let lines = stream(*pattern, 1_000_000, N);
        let mut best = [f64::MAX; 3];
        for turn in 0..TURNS {
            let rank = run(Box::new(RankBits::default()), &lines);
            let (made, fenwick) = timed(|| Box::new(Fenwick::new(N)));
            let fenwick = run(fenwick, &lines);
            assert_eq!(rank.histogram, fenwick.histogram, "{name}");
            let mut seconds = [rank.seconds, made + fenwick.seconds, f64::MAX];
            // The tree takes a minute for all streams.
            if turn == 0 {
                let (taken, histogram) = timed(|| tree::histogram(&lines));
                assert_eq!(rank.histogram, histogram, "{name}");
                seconds[2] = taken;
            }
            best.iter_mut().zip(seconds).for_each(|(best, seconds)| *best = best.min(seconds));
        }
        let ns = best.map(|seconds| seconds * 1e9 / N as f64);
        let (fenwick, tree) = (ns[1] / ns[0], ns[2] / ns[0]);
        println!("{name:<9} {:8.1} {:8.1} {:8.1} {fenwick:6.1}x {tree:6.1}x  equal", ns[0], ns[1], ns[2]);
    }
}

fn memory() {
    println!(
        "\nrank bits, uniform, M = 1,000,000: bytes per distinct line, the most of the first 10 million, then by N"
    );
    let mut stream = SyntheticStream::new(Pattern::Uniform, 1_000_000, 1);
    let mut lines = vec![0; 50_000];
    let (mut engine, mut most) = (RankBits::default(), 0.0f64);
    for k in 1..=800 {
        stream.fill(&mut lines);
        engine.push_lines(&lines);
        if (4..=200).contains(&k) {
            most = most.max(engine.bytes() as f64 / engine.distinct() as f64);
        }
        if k % 200 == 0 {
            let now = engine.bytes() as f64 / engine.distinct() as f64;
            println!("  N = {:>3} million: {now:.1} (most so far {most:.1})", k / 20);
        }
    }
}

fn partition(lines: &[u64]) -> PartitionSummary {
    let mut engine = RankBits::partition();
    engine.push_lines(lines);
    engine.summary()
}

fn two_workers() {
    println!("\ntwo partitions, M = 500,000: sequential / (slowest partition + merge)");
    for (name, pattern) in [("uniform", Pattern::Uniform), ("zipf 1.0", Pattern::Zipf { exponent: 1.0 })] {
        for n in [20_000_000, 30_000_000] {
            let lines = stream(pattern, 500_000, n);
            let (left, right) = lines.split_at(n / 2);
            let (mut whole, mut part, mut merge) = (f64::MAX, [f64::MAX; 2], f64::MAX);
            for _ in 0..TURNS {
                let sequential = run(Box::new(RankBits::default()), &lines);
                let (a, first) = timed(|| partition(left));
                let (b, second) = timed(|| partition(right));
                let (c, merged) = timed(|| first.merge(second));
                assert_eq!(merged.histogram, sequential.histogram);
                whole = whole.min(sequential.seconds);
                part = [part[0].min(a), part[1].min(b)];
                merge = merge.min(c);
            }
            let slowest = part[0].max(part[1]);
            let speedup = whole / (slowest + merge);
            println!("{name:<9} N = {n}: {whole:.3} s / ({slowest:.3} + {merge:.3}) s = {speedup:.2}x");
        }
    }
}

fn approximation() {
    const N: usize = 4_000_000;
    println!("\nHP-RDA, N = {N}: e % / largest binned CDF error / largest curve error in points");
    println!("{:<9} {:>6} {:>3}  {:<24} {:<24} exact merge", "", "ST", "NB", "no adjustment", "ef");
    for (name, pattern, m) in STREAMS {
        let lines = stream(pattern, m, N);
        let exact = run(Box::new(RankBits::default()), &lines).histogram;
        let merged = partition(&lines[..N / 3]).merge(partition(&lines[N / 3..])).histogram;
        let merged = HistogramDifference::between(&exact, &merged);
        // One thread per block gives only one level.
        for (thread_trace, block_threads) in [(2048, 1), (512, 64), (2048, 64), (16_384, 64), (131_072, 64)] {
            let error = |adjust| {
                let settings = HpRdaSettings { thread_trace, block_threads, adjust };
                let d = HistogramDifference::between(&exact, &hp_rda(&lines, settings).histogram);
                format!("{:.3} / {:.2} / {:.2}", d.e_percent, d.binned_points, d.curve_points)
            };
            let (off, on) = (error(false), error(true));
            let exact = format!("{} / {}", merged.e_percent, merged.curve_points);
            println!("{name:<9} {thread_trace:>6} {block_threads:>3}  {off:<24} {on:<24} {exact}");
        }
    }
}

/// Figures 10 and 17 of IPDPS'12 on one thread of a CPU: HP-RDA against the tree algorithm of the paper and against rank
/// bits, and its time over the length of a thread trace, for the lengths of the paper. The paper measures SPEC CPU2000.
fn figures_10_and_17() {
    const N: usize = 4_000_000;
    let lengths = [512, 1024, 2048, 4096, 8192, 16_384];
    println!("\nIPDPS'12, N = {N}, M = 1,000,000, one thread: speed-up of HP-RDA (ST = 2048) over the tree and over rank bits; ns per access by ST");
    print!("{:<9} {:>7} {:>7} ", "", "tree", "rank");
    lengths.iter().for_each(|length| print!(" {length:>7}"));
    println!();
    for (name, pattern, _) in &STREAMS {
        let lines = stream(*pattern, 1_000_000, N);
        let (tree, _) = timed(|| tree::histogram(&lines));
        let (mut rank, mut by_length) = (f64::MAX, [f64::MAX; 6]);
        for _ in 0..TURNS {
            rank = rank.min(run(Box::new(RankBits::default()), &lines).seconds);
            for (best, thread_trace) in by_length.iter_mut().zip(lengths) {
                let settings = HpRdaSettings { thread_trace, block_threads: 64, adjust: true };
                *best = best.min(timed(|| hp_rda(&lines, settings)).0);
            }
        }
        print!("{name:<9} {:6.2}x {:6.2}x ", tree / by_length[2], rank / by_length[2]);
        by_length.iter().for_each(|seconds| print!(" {:7.1}", seconds * 1e9 / N as f64));
        println!();
    }
}

/// Figure 15 of IPDPS'12: shares of the time of HP-RDA, on one thread of a CPU.
fn figure_15() {
    use HpRdaPart::{Adjustment, Blocks, Preparation, Stream, Threads};
    const N: usize = 4_000_000;
    const PARTS: [HpRdaPart; 5] = [Preparation, Threads, Blocks, Stream, Adjustment];
    println!("\nIPDPS'12, N = {N}, M = 1,000,000, ST = 2048: % of the time of HP-RDA by part");
    println!("{:<9} {PARTS:?}", "");
    for (name, pattern, _) in &STREAMS {
        let lines = stream(*pattern, 1_000_000, N);
        let mut seconds = [0.0; PARTS.len()];
        for _ in 0..TURNS {
            let mut begun = Instant::now();
            hp_rda_by_part(&lines, HpRdaSettings::default(), |part| {
                seconds[PARTS.iter().position(|&p| p == part).expect("a part")] += begun.elapsed().as_secs_f64();
                begun = Instant::now();
            });
        }
        let all: f64 = seconds.iter().sum();
        print!("{name:<9}");
        seconds.iter().for_each(|part| print!(" {:5.1}", 100.0 * part / all));
        println!();
    }
}

/// Figures 10 and 11 of IPDPS'12 on programs that record their references as they run: the speed-up of the analysis, and of the
/// whole instrumented program. One thread of a CPU.
fn figure_11() {
    use applications::{run as program, Nothing, Trace, NAMES};
    println!("\nIPDPS'12, Figures 10 and 11, ST = 2048, one thread: ms of the program, of recording and of the analyses; speed-ups over the tree");
    print!("{:<10} {:>9} {:>9} {:>8} {:>9}", "", "accesses", "addresses", "program", "recording");
    println!(" {:>8} {:>8} {:>8} {:>9} {:>9} {:>11}", "tree", "HP-RDA", "rank", "analysis", "whole", "whole, rank");
    for (at, name) in NAMES.iter().enumerate() {
        let (mut alone, mut recorded, mut fast, mut exact) = (f64::MAX, f64::MAX, f64::MAX, f64::MAX);
        let mut trace = Trace::default();
        for _ in 0..TURNS {
            alone = alone.min(timed(|| program(at, &mut Nothing)).0);
            trace = Trace::default();
            recorded = recorded.min(timed(|| program(at, &mut trace)).0);
            fast = fast.min(timed(|| hp_rda(&trace.0, HpRdaSettings::default())).0);
            exact = exact.min(run(Box::new(RankBits::default()), &trace.0).seconds);
        }
        let (tree, histogram) = timed(|| tree::histogram(&trace.0));
        assert_eq!(histogram, run(Box::new(RankBits::default()), &trace.0).histogram);
        let [program_ms, recording, tree_ms, fast_ms, exact_ms] =
            [alone, recorded - alone, tree, fast, exact].map(|seconds| 1e3 * seconds);
        print!("{name:<10} {:>9} {:>9} {program_ms:>8.1} {recording:>9.1}", trace.0.len(), histogram.infinite());
        print!(" {tree_ms:>8.1} {fast_ms:>8.1} {exact_ms:>8.1} {:>8.2}x", tree / fast);
        println!(" {:>8.2}x {:>10.2}x", (recorded + tree) / (recorded + fast), (recorded + tree) / (recorded + exact));
    }
}

/// Prints the ns per access of rank bits for each stream as JSON, for `scripts/bench/wasm-reuse.mjs`.
fn rank_json() {
    let times = STREAMS.map(|(name, pattern, m)| {
        let lines = stream(pattern, m, N);
        let best = (0..TURNS).map(|_| run(Box::new(RankBits::default()), &lines).seconds).fold(f64::MAX, f64::min);
        format!("\"{name}\": {:.2}", best * 1e9 / N as f64)
    });
    println!("{{{}}}", times.join(", "));
}

fn times(c: &mut Criterion) {
    let mut group = c.benchmark_group("reuse");
    group.sample_size(10).warm_up_time(Duration::from_millis(100)).measurement_time(Duration::from_secs(3));
    group.throughput(Throughput::Elements(N as u64));
    for (name, pattern, m) in STREAMS {
        let lines = stream(pattern, m, N);
        group.bench_with_input(BenchmarkId::new("rank", name), &lines, |b, lines| {
            b.iter(|| run(Box::new(RankBits::default()), lines).histogram)
        });
        group.bench_with_input(BenchmarkId::new("fenwick", name), &lines, |b, lines| {
            b.iter(|| run(Box::new(Fenwick::new(N)), lines).histogram)
        });
    }
    group.finish();
}

criterion_group!(benches, times);

fn main() {
    let given = |name: &str| std::env::args().any(|argument| argument == name);
    if given("--rank-json") {
        return rank_json();
    }
    if given("--figures-only") {
        figures_10_and_17();
        figure_11();
        return figure_15();
    }
    engines();
    beside_the_tree();
    memory();
    two_workers();
    approximation();
    figures_10_and_17();
    figure_11();
    figure_15();
    if !given("--tables-only") {
        benches();
        Criterion::default().configure_from_args().final_summary();
    }
}
