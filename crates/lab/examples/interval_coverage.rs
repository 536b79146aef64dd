//! Prints how often the 95 % intervals of sizes hold the truth, over hidden GPUs drawn from seeds.
//!
//! `cargo run --release -p lab --example interval_coverage -- FIRST LAST` takes the seeds FIRST to LAST − 1. A row has the
//! quantity, its memory, the number of intervals, the share that holds the truth, and the width as a share of the
//! truth: median and 90 % quantile. The last columns say how many intervals are as narrow as one step of the sizes,
//! which is the least possible, and how often no change was found where there is one.
//!
//! The quantities are the sizes of the page's own experiments (`found`), a visitor's experiment with quarter octaves
//! (`coarse`) and with sizes a 64th of the truth apart around it (`fine`), and raw timing files with the fine sizes (`raw`).

#![allow(clippy::disallowed_methods)] // a command reads its arguments and prints

use base::Job;
use lab::{DiscoverRun, Experiment, ExperimentBench, ExperimentOutcome, HiddenGpu};
use probe::granularity::Walk;
use probe::mystery::mystery;
use probe::raw::{ProbedMemory, RawFile, RawKind};
use probe::recompute::{recompute, Rule};
use probe::virtual_gpu::Chase;
use probe::VirtualGpu;
use std::collections::BTreeMap;
use std::io::Write;

/// The intervals of one quantity.
#[derive(Default)]
struct Tally {
    held: usize,
    widths: Vec<f64>,
    narrowest: usize,
    unfound: usize,
}

type Table = BTreeMap<(&'static str, String), Tally>;

/// An interval beside the truth and the step of the sizes.
fn add(table: &mut Table, what: (&'static str, &str), interval: Option<(f64, f64)>, truth: u64, step: f64) {
    let tally = table.entry((what.0, what.1.to_string())).or_default();
    let Some((low, high)) = interval else {
        tally.unfound += 1;
        return;
    };
    tally.held += usize::from((low..=high).contains(&(truth as f64)));
    tally.widths.push((high - low) / truth as f64);
    tally.narrowest += usize::from(high - low <= step);
}

/// Array sizes a 64th of the truth apart: first, last and step.
fn fine(memory: &str, truth: u64) -> (u64, u64, u64) {
    let stride = if memory == "constant_l1_5" { 64 } else { 32 };
    let step = (truth / 64).next_multiple_of(stride);
    (truth * 3 / 4 / step * step, truth * 5 / 4 / step * step, step)
}

/// The range of quarter octaves that a visitor would try.
fn coarse(memory: &str) -> (u64, u64) {
    match memory {
        "constant_l1" => (256, 64 << 10),
        "constant_l1_5" => (8 << 10, 64 << 10),
        "l2" => (64 << 10, 8 << 20),
        _ => (1 << 10, 1 << 20),
    }
}

fn visit(table: &mut Table, hidden: &HiddenGpu, memory: &str, truth: u64) -> Result<(), String> {
    let mut bench = ExperimentBench::new(hidden).map_err(|told| format!("{told:?}"))?;
    let (from, to) = coarse(memory);
    let (fine_from, fine_to, fine_step) = fine(memory, truth);
    for (name, from, to, step) in [("coarse", from, to, 0), ("fine", fine_from, fine_to, fine_step)] {
        // Constant memory ends before some caches do.
        if memory.starts_with("constant") && to > 64 << 10 {
            continue;
        }
        let sizes = Experiment::Sizes { memory: memory.into(), from, to, step };
        let ExperimentOutcome::Sizes(curve) = bench.run(&sizes).map_err(|told| format!("{told:?}"))? else { continue };
        let Some(after) = curve.sizes.iter().position(|size| *size > truth) else { continue };
        let step = (curve.sizes[after] - curve.sizes[after.saturating_sub(1)]) as f64;
        let interval = curve.interval.map(|(low, high)| (low as f64, high as f64));
        add(table, (name, memory), interval, truth, step * 1.01);
    }
    Ok(())
}

/// A file as mt4g writes it, of one round per size.
fn raw(table: &mut Table, seed: u64, memory: ProbedMemory, truth: u64) {
    let (from, to, step) = fine(memory.name(), truth);
    if memory.name().starts_with("constant") && to > 64 << 10 {
        return;
    }
    let mut gpu = VirtualGpu::new(mystery(seed), seed);
    let stride = if memory == ProbedMemory::ConstantL15 { 64 } else { 32 };
    let record = ((from / stride) as usize).min(512);
    let mut walk = |bytes: u64| {
        let (thread, warm, rounds, first) = (0, 1, 1, false);
        let chase = Chase { memory, thread, bytes, stride, warm_stride: stride, warm, rounds, record, first };
        Walk { stride: bytes, bytes, times: gpu.chase(&chase) }
    };
    let rows = (from..=to).step_by(step as usize).map(&mut walk).collect();
    let file = RawFile { name: String::new(), device: String::new(), memory, kind: RawKind::Size, rows };
    let ours = recompute(&file, None, None).into_iter().find(|one| one.rule == Rule::Warpscope);
    add(table, ("raw", memory.name()), ours.and_then(|one| one.interval), truth, step as f64);
}

fn one_gpu(table: &mut Table, seed: u64) -> Result<(), String> {
    let hidden = HiddenGpu { seed, ..HiddenGpu::default() };
    let report = DiscoverRun::new(&hidden).map_err(|told| format!("{told:?}"))?.finish();
    for (memory, found) in &report.found.caches {
        let Some(truth) = report.truth.caches.get(memory).map(|cache| &cache.usable) else { continue };
        if found.larger_than.is_none() {
            let interval = found.interval.map(|(low, high)| (low as f64, high as f64));
            add(table, ("found", memory), interval, *truth, found.step as f64);
        }
        visit(table, &hidden, memory, *truth)?;
        if let Some((probed, ..)) = ProbedMemory::NAMES.iter().find(|(.., name)| name == memory) {
            raw(table, seed, *probed, *truth);
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let seeds: Vec<u64> = std::env::args().skip(1).map(|seed| seed.parse()).collect::<Result<_, _>>()?;
    let &[first, last] = seeds.as_slice() else { return Err("give the first seed and the one after the last".into()) };
    let mut table = Table::new();
    for seed in first..last {
        one_gpu(&mut table, seed)?;
    }
    let mut out = std::io::stdout().lock();
    writeln!(out, "quantity  memory         intervals  held %  median width %  90 % below  one step %  unfound")?;
    for ((what, memory), tally) in &mut table {
        tally.widths.sort_by(f64::total_cmp);
        let count = tally.widths.len();
        let percent = |part: usize| 100.0 * part as f64 / count.max(1) as f64;
        let width = |tenths: usize| 100.0 * tally.widths.get(count * tenths / 10).copied().unwrap_or(0.0);
        let (held, narrowest) = (percent(tally.held), percent(tally.narrowest));
        let (median, most) = (width(5), width(9));
        writeln!(
            out,
            "{what:<8}  {memory:<13}  {count:>9}  {held:>6.1}  {median:>14.2}  {most:>10.2}  {narrowest:>10.1}  {:>7}",
            tally.unfound
        )?;
    }
    Ok(())
}
