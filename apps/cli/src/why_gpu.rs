//! The text of `warpscope why --model gpu`: where an access was served, why it missed in the L1, and the state before it.

use super::why::{changes, head, list, warp};
use super::words::counted;
use lab::{GpuWhyReport, GpuWhyStep, GpuWhyWhatIf, WhyChange, WhyLevel, WhyOutcome};
use std::fmt::Write as _;

pub fn text(report: &GpuWhyReport) -> String {
    let mut out = head(report.kernel, &report.name, report.core, report.matches);
    for step in &report.steps {
        step_text(&mut out, step, report);
        if step.step == report.step {
            changes(&mut out, report.what_if.iter().map(|one| (change(one), level(one.served))));
        }
    }
    out
}

fn step_text(out: &mut String, step: &GpuWhyStep, report: &GpuWhyReport) {
    let array = step.array.and_then(|array| report.arrays.get(array as usize));
    let array = array.map_or_else(String::new, |array| format!(" of `{}`", array.name));
    let place = report.instructions.get(step.instruction.saturating_sub(1) as usize);
    let kind = place.map_or("load", |place| place.kind);
    let line = place.and_then(|place| place.line).map_or_else(String::new, |line| format!(", line {line}"));
    let _ = writeln!(
        out,
        "step {} of {}, cycle {}: {}, access {} (instruction {}{line}), {kind} of {}{array} in {}: {}",
        step.step,
        report.core_steps,
        step.cycle,
        warp(step.block, step.warp),
        step.access,
        step.instruction,
        counted(step.sectors, "sector"),
        counted(step.lines.len() as u64, "line"),
        step.served.map_or("store", level),
    );
    if step.served.is_some() {
        let wait = step.ready.map_or_else(String::new, |ready| {
            format!("; the data are there after {}", counted(ready.saturating_sub(step.cycle), "cycle"))
        });
        let GpuWhyStep { l1_sectors, l2_sectors, dram_sectors, .. } = step;
        let _ = writeln!(out, "  sectors from the L1: {l1_sectors}, the L2: {l2_sectors}, DRAM: {dram_sectors}{wait}");
        let _ = writeln!(out, "  {}", cause(step, report, kind));
    }
    if let Some(focus) = step.line().filter(|_| step.in_l1) {
        let ways: Vec<String> =
            step.stack.iter().map(|way| format!("{} ({})", way.line, counted(way.sectors.into(), "sector"))).collect();
        let _ = writeln!(out, "  set {} of the L1: {}", focus.set, list(&ways, step.stack_count));
    }
    let pending: Vec<String> = step.pending.iter().map(|one| format!("{} at {}", one.line, one.due)).collect();
    let flying = list(&pending, step.pending_count);
    let _ = writeln!(out, "  on their way: {flying}; {} of {} MSHRs busy", step.busy_mshrs, report.mshrs);
    let warps = step.warps.iter().zip(&step.waits);
    let warps: Vec<String> = warps.map(|(one, wait)| format!("{}:{} {wait}", one.block, one.warp)).collect();
    let _ = writeln!(out, "  other warps of the scheduler (block:warp): {}", list(&warps, step.warp_count));
}

fn level(level: WhyLevel) -> &'static str {
    match level {
        WhyLevel::L1 => "from the L1",
        WhyLevel::L2 => "from the L2",
        WhyLevel::Dram => "from DRAM",
    }
}

fn cause(step: &GpuWhyStep, report: &GpuWhyReport, kind: &str) -> String {
    let Some(line) = step.line() else { return String::new() };
    let below = match (line.dram, step.l2_had) {
        (0, _) => "the L2 held it",
        (_, true) => "the L2 had it earlier in this launch",
        (_, false) => "nobody asked the L2 for it before in this launch",
    };
    let above = match step.class {
        _ if kind == "atomic" => "atomics are done at the L2".into(),
        _ if step.texture => {
            let words = "the load goes through the texture cache, which is not explained here";
            return if line.l2 + line.dram == 0 { words.into() } else { format!("{words}; {below}") };
        }
        _ if !step.in_l1 && step.served == Some(WhyLevel::L1) => return "the line was on its way".into(),
        _ if !step.in_l1 => "the access does not use the L1".into(),
        None => return "the L1 held every sector, or they were on their way".into(),
        Some(_) if step.dropped => format!("a store dropped line {} from the L1", line.line),
        Some(_) if step.line_there => format!("the L1 had line {} without this sector", line.line),
        Some(WhyOutcome::Compulsory) if step.before.is_some() => {
            format!("compulsory miss: this L1 has never had these sectors of line {}", line.line)
        }
        Some(WhyOutcome::Compulsory) => format!("compulsory miss: the first request for line {} of this L1", line.line),
        Some(class) => {
            let class = if class == WhyOutcome::Associativity { "conflict" } else { "capacity" };
            let (of_set, whole) = (step.set_distance.unwrap_or(0), step.whole_distance.unwrap_or(0));
            format!(
                "{class} miss: since the last use of line {}, {} of its set were used, and a set has {}; in all sets together {whole}, \
                 and the L1 has {} lines{}",
                line.line,
                counted(of_set.into(), "other line"),
                counted(report.ways.into(), "way"),
                u64::from(report.ways) * u64::from(report.sets),
                if report.lru { "" } else { ", and does not always replace the one that was used longest ago" },
            )
        }
    };
    format!("{above}; {below}")
}

fn change(one: &GpuWhyWhatIf) -> String {
    match one.change {
        WhyChange::Ways => format!("{} in each set of the L1", counted(one.value.parse().unwrap_or(0), "way")),
        WhyChange::OneSet => "a fully associative L1 of the same size".into(),
        WhyChange::OneBlock => "one block at a time".into(),
        WhyChange::Stores => "stores that leave the line".into(),
        WhyChange::ThroughL1 => "global loads that use the L1".into(),
        WhyChange::WholeLines => "misses that fetch whole lines".into(),
        WhyChange::L2Bytes => format!("an L2 of {} bytes", one.value),
        WhyChange::Copies => "caches as the host's copies leave them".into(),
        other => other.word().into(),
    }
}
