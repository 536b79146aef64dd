//! Turns the steps that were seen into plain data with the names of the trace.

use crate::cache_tab::why::report::{WhyOutcome, WhyPending, WhyStep, WhyUse, WhyWarp};
use crate::cache_tab::why::watch::{LineUse, SeenStep};
use cache::{IssueKind, RequestClass};
use exec::{LineRequests, NO_ARRAY};
use trace::Trace;

/// The class of a miss, or a hit, as an outcome.
pub(super) fn outcome_of(class: RequestClass) -> WhyOutcome {
    match class {
        RequestClass::Hit => WhyOutcome::Hit,
        RequestClass::Compulsory => WhyOutcome::Compulsory,
        RequestClass::Capacity => WhyOutcome::Capacity,
        RequestClass::Associativity => WhyOutcome::Associativity,
        RequestClass::Latency => WhyOutcome::Latency,
    }
}

/// A warp by its index in the trace.
pub(super) fn warp_of(trace: &Trace, warp: u32, until: Option<u64>) -> WhyWarp {
    let block = trace.blocks.partition_point(|block| block.warps.end <= warp);
    let block = trace.blocks.get(block).map_or(0, |block| block.id.linear_in(trace.launch.grid));
    WhyWarp { block, warp: trace.warps.get(warp as usize).map_or(warp, |warp| warp.index), until }
}

/// What names the things that were seen.
pub(super) struct Telling<'a> {
    pub trace: &'a Trace,
    pub requests: &'a LineRequests,
    /// The dense number of each of the core's lines.
    pub dense: &'a [u32],
    pub line_bytes: u64,
}

impl Telling<'_> {
    fn address(&self, line: u32) -> String {
        let dense = self.dense.get(line as usize).copied().unwrap_or(u32::MAX);
        let line = self.requests.lines.get(dense as usize).copied().unwrap_or(0);
        format!("{:#x}", line.wrapping_mul(self.line_bytes))
    }

    fn warp(&self, warp: u32, until: Option<u64>) -> WhyWarp {
        warp_of(self.trace, warp, until)
    }

    fn instruction(&self, request: u32) -> u32 {
        self.requests.requests.get(request as usize).map_or(0, |request| request.site + 1)
    }

    /// The number of the warp's access that a request belongs to.
    fn access(&self, warp: u32, request: u32) -> u32 {
        let step = self.requests.steps.partition_point(|step| step.first <= request).saturating_sub(1) as u32;
        step.saturating_sub(self.requests.warps.get(warp as usize).copied().unwrap_or(0)) + 1
    }

    fn before(&self, seen: &SeenStep, before: &LineUse) -> WhyUse {
        let WhyWarp { block, warp, .. } = self.warp(before.warp, None);
        WhyUse {
            step: before.step,
            tick: before.tick,
            block,
            warp,
            instruction: self.instruction(before.request),
            outcome: before.class.map_or(WhyOutcome::Cancelled, outcome_of),
            requests_between: seen.requests.saturating_sub(before.requests),
        }
    }

    /// A step with the state before it.
    pub fn step(&self, seen: &SeenStep) -> WhyStep {
        let SeenStep { step, issue, state, answer, before, .. } = seen;
        let outcome = match (answer, issue.kind) {
            (Some(answer), _) => outcome_of(answer.class),
            (None, IssueKind::Store) => WhyOutcome::Store,
            (None, _) => WhyOutcome::Cancelled,
        };
        let is_new = matches!(outcome, WhyOutcome::Compulsory | WhyOutcome::Capacity | WhyOutcome::Associativity);
        let place = || state.stack.iter().position(|&line| line == issue.line).map(|place| place as u32);
        let array = self.requests.requests.get(issue.request as usize).map_or(NO_ARRAY, |request| request.array);
        let ready = state.ready.iter().map(|&warp| (warp, None));
        let waiting = state.waiting.iter().map(|&(warp, until)| (warp, Some(until)));
        let WhyWarp { block, warp, .. } = self.warp(issue.warp, None);
        WhyStep {
            step: *step,
            index: issue.request,
            tick: issue.tick,
            block,
            warp,
            access: self.access(issue.warp, issue.request),
            instruction: self.instruction(issue.request),
            array: (array != NO_ARRAY).then_some(u32::from(array)),
            line: self.address(issue.line),
            set: issue.set,
            outcome,
            distance: answer.map_or_else(place, |answer| answer.distance),
            whole_distance: state.whole_distance,
            arrives: (issue.arrives > issue.tick).then_some(issue.arrives),
            due: answer.map(|answer| answer.due),
            busy_mshrs: issue.busy_mshrs,
            busy_mshrs_after: issue.busy_mshrs + u64::from(is_new),
            needed_mshrs: match issue.kind {
                IssueKind::Cancelled { needed } => Some(needed),
                _ => None,
            },
            before: before.as_ref().map(|before| self.before(seen, before)),
            stack: state.stack.iter().map(|&line| self.address(line)).collect(),
            stack_lines: state.stack_lines,
            pending: state
                .pending
                .iter()
                .map(|p| WhyPending { line: self.address(p.line), due: p.due, mshr: p.mshr })
                .collect(),
            pending_count: state.pending_count,
            warps: ready.chain(waiting).map(|(warp, until)| self.warp(warp, until)).collect(),
            ready_count: state.ready_count,
            waiting_count: state.waiting_count,
        }
    }
}
