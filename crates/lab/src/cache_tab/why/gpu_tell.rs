//! Turns the steps of the model `gpu` that were seen into plain data with the names of the trace.

use crate::cache_tab::why::gpu_report::{GpuWhyLine, GpuWhyStep, GpuWhyUse, GpuWhyWay};
use crate::cache_tab::why::gpu_watch::{can_hit, class_of, level_of, loads, GpuSeen};
use crate::cache_tab::why::report::{WhyPending, WhyWarp};
use crate::cache_tab::why::tell::{outcome_of, warp_of};
use machine::{MachineSpec, Wait, WatchedLine, WatchedState};
use trace::Trace;

/// Most entries of a list.
const LISTED: usize = 32;

/// What names the things that were seen.
pub(super) struct GpuTelling<'a> {
    pub trace: &'a Trace,
    pub spec: &'a MachineSpec,
}

impl GpuTelling<'_> {
    fn address(&self, line: u64) -> String {
        format!("{:#x}", line << self.spec.line_shift)
    }

    fn line(&self, line: &WatchedLine) -> GpuWhyLine {
        GpuWhyLine {
            line: self.address(line.line),
            set: line.set,
            sectors: line.wanted.count_ones(),
            l1: line.hits.count_ones(),
            l2: (line.fetched & !line.dram).count_ones(),
            dram: line.dram.count_ones(),
        }
    }

    /// A step with the state before it.
    pub fn step(&self, seen: &GpuSeen) -> GpuWhyStep {
        let (access, trace) = (&seen.access, self.trace);
        let none = WatchedState::default();
        let state = access.state.as_deref().unwrap_or(&none);
        let is_load = loads(trace, access);
        let explained = can_hit(trace, access) && !access.texture;
        let focus = access.lines.get(seen.focus).copied().unwrap_or_default();
        let class = class_of(&focus).filter(|_| explained);
        let sum = |of: fn(&WatchedLine) -> u8| access.lines.iter().map(|line| u64::from(of(line).count_ones())).sum();
        let WhyWarp { block, warp, .. } = warp_of(trace, access.warp, None);
        let mut pending: Vec<(u64, u64)> = state.flight.iter().map(|&(line, due)| (due, line)).collect();
        pending.sort_unstable();
        let now = access.cycle;
        let way = |&(line, sectors, filled): &(u64, u8, u64)| GpuWhyWay {
            line: self.address(line),
            sectors: sectors.count_ones(),
            arrives: (filled > now).then_some(filled),
        };
        let stack = state.stack(focus.set);
        let stack_at = stack.iter().position(|way| way.0 == focus.line);
        // The asked line is always listed: behind the first ones it takes the last place.
        let (first, asked) = match stack_at {
            Some(at) if at >= LISTED => (LISTED - 1, stack.get(at)),
            _ => (LISTED, None),
        };
        let others = state.warps.iter().filter(|one| one.warp != access.warp);
        let listed: Vec<_> = others.take(LISTED).collect();
        GpuWhyStep {
            step: access.step,
            cycle: now,
            block,
            warp,
            access: access.access + 1,
            trace_warp: access.warp,
            instruction: access.site + 1,
            array: trace.array_of(access.address).map(|array| array as u32),
            served: access.lines.iter().map(level_of).max().filter(|_| is_load),
            sectors: sum(|line| line.wanted),
            l1_sectors: sum(|line| line.hits),
            l2_sectors: sum(|line| line.fetched & !line.dram),
            dram_sectors: sum(|line| line.dram),
            ready: (is_load && access.ready > 0).then_some(access.ready),
            lines: access.lines.iter().map(|line| self.line(line)).collect(),
            focus: seen.focus as u32,
            in_l1: focus.in_l1 && explained,
            texture: access.texture,
            class: class.map(|(class, _)| outcome_of(class)),
            dropped: class.is_some_and(|(_, dropped)| dropped),
            line_there: focus.line_there && explained,
            l2_had: focus.dram_again != 0,
            before: seen.before.map(|(used, ..)| {
                let WhyWarp { block, warp, .. } = warp_of(trace, used.warp, None);
                GpuWhyUse { step: used.step, cycle: used.cycle, block, warp }
            }),
            set_distance: seen.before.map(|(_, of_set, _)| of_set),
            whole_distance: seen.before.map(|(.., all)| all),
            stack: stack.iter().take(first).chain(asked).map(way).collect(),
            stack_count: stack.len() as u64,
            stack_at: stack_at.map(|at| at as u32),
            pending_count: pending.len() as u64,
            pending: pending
                .iter()
                .take(LISTED)
                .map(|&(due, line)| WhyPending { line: self.address(line), due, mshr: true })
                .collect(),
            busy_mshrs: state.busy_mshrs,
            warps: listed.iter().map(|one| warp_of(trace, one.warp, one.ready.filter(|&ready| ready > now))).collect(),
            waits: listed
                .iter()
                .map(|one| match (one.wait, one.ready) {
                    (_, Some(ready)) if ready <= now => "ready",
                    (Wait::Arithmetic, _) => "arithmetic",
                    (Wait::Load, _) => "load",
                    (Wait::Shared, _) => "shared",
                    (Wait::Pipe, _) => "pipe",
                    (Wait::Barrier, _) => "barrier",
                    (Wait::Launch, _) => "launch",
                })
                .collect(),
            warp_count: state.warps.len().saturating_sub(1) as u64,
        }
    }
}
