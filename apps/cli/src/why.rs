//! `warpscope why`: the steps of a core of the model `paper` or `gpu`, and why an access hit or missed.

use super::files::{print_diagnostics, ReadAs};
use super::settings::RunSettings;
use super::trace::CudaFileArguments;
use super::words::counted;
use super::{json, Format};
use base::Diagnostic;
use clap::{Args, ValueEnum};
use lab::{
    choose_kernels, CacheModel, GpuWhyRun, WhyChange, WhyFilter, WhyFind, WhyOutcome, WhyReport, WhyRequest, WhyRun,
    WhyStep, WhyWhatIf,
};
use std::fmt::Write as _;
use std::path::PathBuf;

/// Most entries of a list in the text. JSON has up to 32.
const LISTED: usize = 8;

#[derive(Args)]
pub struct WhyArguments {
    /// Files as for `warpscope cache`, or `example:ID`.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    cuda: CudaFileArguments,
    #[command(flatten)]
    read_as: ReadAs,
    #[command(flatten)]
    settings: RunSettings,
    /// Model: paper, or gpu for the whole GPU.
    #[arg(long, value_enum, default_value = "paper")]
    model: SteppedModel,
    /// In the model `gpu`, only accesses whose data came from this level: l1, l2 or dram.
    #[arg(long)]
    level: Option<String>,
    /// Seed, as for `warpscope cache` [default: 1]. The model `gpu` has none.
    #[arg(long, value_parser = crate::seed::seed)]
    seed: Option<u64>,
    /// The kernel: its number or its name [default: the first].
    #[arg(long, value_name = "N|NAME")]
    kernel: Option<String>,
    /// Only accesses to this array: its name, or its first byte address.
    #[arg(long)]
    array: Option<String>,
    /// Only accesses to this set.
    #[arg(long)]
    cache_set: Option<u32>,
    /// Only accesses to the line with this byte address, such as 0x7f00.
    #[arg(long, value_name = "ADDRESS")]
    line: Option<String>,
    /// Only accesses of this instruction, by its number in the JSON's `instructions`.
    #[arg(long, value_name = "N")]
    instruction: Option<u32>,
    /// Only accesses of this core [default: any; core 0 if no access is asked for].
    #[arg(long)]
    core: Option<u32>,
    /// Only misses, latency misses included.
    #[arg(long)]
    misses: bool,
    /// Only misses of this class: compulsory, capacity, associativity or latency; in the model `gpu` compulsory, capacity or
    /// conflict.
    #[arg(long, value_name = "CLASS")]
    class: Option<String>,
    /// Which of the accesses that fit, counted from 1. If none of the options above is given, which step of the core.
    #[arg(long, value_name = "K", default_value_t = 1)]
    at: u64,
    /// Steps to show, beginning with that access.
    #[arg(long, value_name = "N", default_value_t = 1)]
    steps: u32,
    /// Format of stdout.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// The models that can show their steps. `reference` cannot.
#[derive(Clone, Copy, ValueEnum)]
enum SteppedModel {
    Paper,
    Gpu,
}

impl From<SteppedModel> for CacheModel {
    fn from(model: SteppedModel) -> Self {
        match model {
            SteppedModel::Paper => Self::Paper,
            SteppedModel::Gpu => Self::Gpu,
        }
    }
}

/// Answers the question and returns the text for stdout.
pub fn why(arguments: &WhyArguments) -> Result<String, Vec<Diagnostic>> {
    let (contents, mut scenario) = arguments.settings.read(&arguments.files, &arguments.read_as, &arguments.cuda)?;
    scenario.model = arguments.model.into();
    super::cache::apply_seed(arguments.seed, &mut scenario)?;
    print_diagnostics(&contents.diagnostics);
    let kernel = match &arguments.kernel {
        Some(name) if !contents.kernels.is_empty() => {
            choose_kernels(std::slice::from_ref(name), &contents)?.first().copied()
        }
        _ => None,
    };
    if scenario.model == CacheModel::Gpu {
        let mut run = GpuWhyRun::open(&scenario, &contents, kernel)?;
        run.ask(request(arguments)?)?;
        let report = super::time_left::finish(run)?;
        return match arguments.format {
            Format::Json => json(&report),
            Format::Text => Ok(super::why_gpu::text(&report)),
        };
    }
    let mut run = WhyRun::open(&scenario, &contents, kernel)?;
    run.ask(request(arguments)?)?;
    let report = super::time_left::finish(run)?;
    match arguments.format {
        Format::Json => json(&report),
        Format::Text => Ok(text(&report)),
    }
}

fn request(arguments: &WhyArguments) -> Result<WhyRequest, Vec<Diagnostic>> {
    let filter = WhyFilter {
        array: arguments.array.clone(),
        set: arguments.cache_set,
        line: arguments.line.clone(),
        instruction: arguments.instruction,
        misses: arguments.misses,
        class: arguments.class.as_deref().map(WhyFilter::class_of).transpose()?,
        level: arguments.level.as_deref().map(WhyFilter::level_of).transpose()?,
    };
    let find = if filter.is_empty() { WhyFind::Step(arguments.at) } else { WhyFind::Match(arguments.at) };
    Ok(WhyRequest { core: arguments.core, find, filter, lead: 0, steps: arguments.steps, check: true })
}

fn text(report: &WhyReport) -> String {
    let mut out = head(report.kernel, &report.name, report.core, report.matches);
    for step in &report.steps {
        step_text(&mut out, step, report);
        if step.step == report.step {
            changes(&mut out, report.what_if.iter().map(|one| (change(one), outcome(one.outcome))));
        }
    }
    out
}

/// The first line: the kernel, the core, and how many accesses fit if some were asked for.
pub(super) fn head(kernel: u32, name: &str, core: u32, matches: Option<u64>) -> String {
    let fit = matches.map_or_else(String::new, |matches| {
        if matches == 1 {
            "; 1 access fits".into()
        } else {
            format!("; {matches} accesses fit")
        }
    });
    format!("kernel {kernel} {}, core {core}{fit}\n", lab::short_name(name))
}

/// Lists what became of the access with each change.
pub(super) fn changes(out: &mut String, each: impl ExactSizeIterator<Item = (String, &'static str)>) {
    if each.len() > 0 {
        out.push_str("  the same access with one change, each in a run of its own:\n");
    }
    for (change, became) in each {
        // Writing to a String cannot fail.
        let _ = writeln!(out, "    {change}: {became}");
    }
}

fn step_text(out: &mut String, step: &WhyStep, report: &WhyReport) {
    let array = step.array.and_then(|array| report.arrays.get(array as usize));
    let array = array.map_or_else(String::new, |array| format!(" of `{}`", array.name));
    let place = report.instructions.get(step.instruction.saturating_sub(1) as usize);
    let line = place.and_then(|place| place.line).map_or_else(String::new, |line| format!(", line {line}"));
    let WhyStep { tick, access, instruction, set, .. } = step;
    let _ = writeln!(
        out,
        "step {} of {}, tick {tick}: {}, access {access} (instruction {instruction}{line}), line {}{array} in set {set}: {}",
        step.step,
        report.core_steps,
        warp(step.block, step.warp),
        step.line,
        outcome(step.outcome),
    );
    let _ = writeln!(out, "  {}", cause(step, report));
    if let Some(remedy) = remedy(step, report) {
        let _ = writeln!(out, "  {remedy}");
    }
    let stack: Vec<String> = step.stack.iter().enumerate().map(|(i, line)| mark(line, i, step, report)).collect();
    let _ = writeln!(out, "  stack of set {set}: {}", list(&stack, step.stack_lines));
    let pending: Vec<String> = step.pending.iter().map(|one| format!("{} at {}", one.line, one.due)).collect();
    let mshrs = report.mshrs.map_or_else(|| "unlimited".into(), |all| all.to_string());
    let _ =
        writeln!(out, "  in flight: {}; {} of {mshrs} MSHRs busy", list(&pending, step.pending_count), step.busy_mshrs);
    let queued = |until: bool| step.warps.iter().filter(move |one| one.until.is_some() == until);
    let ready: Vec<String> = queued(false).map(|one| format!("{}:{}", one.block, one.warp)).collect();
    let until = |tick: Option<u64>| tick.map_or_else(String::new, |tick| format!(" until {tick}"));
    let waits = queued(true).map(|one| format!("{}:{}{}", one.block, one.warp, until(one.until)));
    let (ready, waits) = (list(&ready, step.ready_count), list(&waits.collect::<Vec<_>>(), step.waiting_count));
    let _ = writeln!(out, "  warps in the queue (block:warp): {ready}; waiting: {waits}");
}

/// A line of the stack. `>` marks the wanted one, and `|` the first one that is no longer in the cache.
fn mark(line: &str, place: usize, step: &WhyStep, report: &WhyReport) -> String {
    let wanted = if line == step.line { ">" } else { "" };
    let outside = if place == report.ways as usize { "| " } else { "" };
    format!("{outside}{wanted}{line}")
}

pub(super) fn list(items: &[String], count: u64) -> String {
    if items.is_empty() {
        return "none".into();
    }
    let shown = items.len().min(LISTED);
    let more = count - shown as u64;
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    items[..shown].join(", ") + &more
}

pub(super) fn warp(block: u64, warp: u32) -> String {
    format!("block {block} warp {warp}")
}

fn outcome(outcome: WhyOutcome) -> &'static str {
    match outcome {
        WhyOutcome::Hit => "hit",
        WhyOutcome::Compulsory => "compulsory miss",
        WhyOutcome::Capacity => "capacity miss",
        WhyOutcome::Associativity => "associativity miss",
        WhyOutcome::Latency => "latency miss",
        WhyOutcome::Cancelled => "cancelled",
        WhyOutcome::Store => "store",
    }
}

fn others(step: &WhyStep, report: &WhyReport) -> String {
    let lines = counted(u64::from(step.distance.unwrap_or(0)), "other line");
    let since = step.before.map_or_else(
        || "by the kernel before".into(),
        |before| {
            let requests = counted(before.requests_between, "request");
            let ticks = counted(step.tick.saturating_sub(before.tick), "tick");
            format!("(step {} by {}, {requests} and {ticks} ago)", before.step, warp(before.block, before.warp))
        },
    );
    let ways = counted(report.ways.into(), "way");
    format!("since its last use {since}, {lines} of set {} came on top, and a set has {ways}", step.set)
}

fn cause(step: &WhyStep, report: &WhyReport) -> String {
    let all = u64::from(report.ways) * u64::from(report.sets);
    let whole = step.whole_distance.unwrap_or(0);
    match step.outcome {
        WhyOutcome::Hit if step.distance == Some(0) && step.stack.first() != Some(&step.line) => {
            "an earlier request for the line takes effect at this tick".into()
        }
        WhyOutcome::Hit => others(step, report),
        WhyOutcome::Compulsory => format!("core {} asks for this line for the first time", report.core),
        WhyOutcome::Latency => format!("the line is on its way and arrives at tick {}", step.arrives.unwrap_or(0)),
        WhyOutcome::Cancelled => format!(
            "the access needs {}, and {} are free; the warp goes to the back of the queue",
            counted(step.needed_mshrs.unwrap_or(0), "MSHR"),
            free(step, report)
        ),
        WhyOutcome::Store => "a store takes the tick, brings in no line and waits for nothing".into(),
        _ if step.distance.is_none() => "a store removed the line from the cache".into(),
        _ if report.sets == 1 => others(step, report),
        WhyOutcome::Associativity => {
            format!(
                "{}; in all sets together only {whole} did, fewer than the cache's {all} lines",
                others(step, report)
            )
        }
        WhyOutcome::Capacity => {
            format!("{}; in all sets together {whole} did, and the cache has {all} lines", others(step, report))
        }
    }
}

fn free(step: &WhyStep, report: &WhyReport) -> u64 {
    report.mshrs.unwrap_or(u64::MAX).saturating_sub(step.busy_mshrs)
}

/// What would have made it hit, derived from the state.
fn remedy(step: &WhyStep, report: &WhyReport) -> Option<String> {
    match (step.outcome, step.distance) {
        (WhyOutcome::Hit | WhyOutcome::Store, _) => None,
        (WhyOutcome::Compulsory, _) => {
            Some("nothing would have made it hit: the first use of a line always misses".into())
        }
        (WhyOutcome::Latency, _) => {
            let later = step.arrives.unwrap_or(0).saturating_sub(step.tick);
            Some(format!("it would hit {} later", counted(later, "tick")))
        }
        (WhyOutcome::Cancelled, _) => {
            let more = step.needed_mshrs.unwrap_or(0).saturating_sub(free(step, report));
            Some(format!("with {} it would go ahead", counted(more, "more MSHR")))
        }
        (_, None) => Some("it would hit if stores left the line in the cache".into()),
        (_, Some(distance)) => {
            let hash = match step.outcome {
                WhyOutcome::Associativity => ", or with a set index that spreads these lines",
                _ => "",
            };
            let ways = counted(u64::from(distance) + 1, "way");
            Some(format!("with {ways} it would hit, if the order stays{hash}"))
        }
    }
}

fn change(one: &WhyWhatIf) -> String {
    match one.change {
        WhyChange::Ways => counted(one.value.parse().unwrap_or(0), "way"),
        WhyChange::OneSet => "one fully associative set".into(),
        WhyChange::SetIndex => format!("set index {}", one.value),
        WhyChange::NoLatency => "no latency".into(),
        WhyChange::Mshrs => "unlimited MSHRs".into(),
        WhyChange::OneBlock => "one block on a core at a time".into(),
        WhyChange::Stores => "stores that leave the line".into(),
        // The other changes are of the model `gpu`.
        other => other.word().into(),
    }
}
