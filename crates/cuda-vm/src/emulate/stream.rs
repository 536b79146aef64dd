//! Launches whose traces do not fit in memory.
//!
//! The trace of such a launch comes in segments of whole blocks. The next one is made when the caller has taken the one
//! before, so that the memory does not grow with the launch.

use crate::emulate::{CudaOptions, Emulation, Prepared, RunningLaunch};
use crate::results::{CudaRun, TooLong};
use base::{Diagnostic, Job, Progress, Severity, Step};
use trace::{Trace, TraceBuilder};

/// Bytes of a segment: it ends with the block in which it has so many, or a quarter of what a whole trace may have.
const SEGMENT_BYTES: usize = 8 << 20;
/// Warp instructions between two looks at the size of a segment. It is fixed, because where a segment ends must not depend
/// on the caller's steps.
pub(super) const TURN: u64 = 1 << 14;

/// Consecutive blocks of a launch.
#[derive(Clone, Debug)]
pub struct LaunchSegment {
    /// The number of the launch in the text, counted from 0.
    pub launch: usize,
    /// The accesses of the blocks. The sites begin with those of the segments before. The instructions by unit are those of
    /// the launch so far.
    pub trace: Trace,
    /// Whether the launch ends with it.
    pub last: bool,
}

/// What a step of a [`LaunchStream`] gives.
#[derive(Debug)]
pub enum StreamStep {
    /// Nothing yet.
    More(Progress),
    /// The next blocks.
    Blocks(Box<LaunchSegment>),
    /// The end of the last launch, or of the launch that failed, with the diagnostics.
    Done(Vec<Diagnostic>),
}

/// Runs the launches of a text again from one on, and hands out their traces in segments.
pub struct LaunchStream {
    emulation: Emulation,
    done: Option<Vec<Diagnostic>>,
}

impl LaunchStream {
    /// A stream that begins with the launch of this number, counted from 0. The launches before it are run without a trace,
    /// because it may read what they wrote.
    pub fn new(name: &str, text: &str, options: &CudaOptions, from: usize) -> Self {
        let mut emulation = Emulation::new(name, text, options);
        emulation.stream_from = Some(from);
        Self { emulation, done: None }
    }

    /// Runs about `budget` warp instructions, or until a segment is complete.
    pub fn step(&mut self, budget: u64) -> StreamStep {
        let mut progress = Progress::default();
        for _ in 0..budget.div_ceil(TURN).max(1) {
            if let Some(segment) = self.emulation.segment.take() {
                return StreamStep::Blocks(Box::new(segment));
            }
            if let Some(diagnostics) = &self.done {
                return StreamStep::Done(diagnostics.clone());
            }
            match self.emulation.step(TURN) {
                Step::More(now) => progress = now,
                Step::Done(run) => self.done = Some(run.diagnostics),
            }
        }
        StreamStep::More(progress)
    }
}

impl Emulation {
    /// Hands out the blocks that a stream has collected, if they are enough for a segment.
    pub(super) fn hand_out(&mut self, running: &mut RunningLaunch) {
        let streams = self.stream_from.is_some_and(|from| self.next >= from);
        if !streams || running.builder.access_bytes() < SEGMENT_BYTES.min(self.options.trace_bytes / 4) {
            return;
        }
        self.complete_trace(running);
        let next = TraceBuilder::new(running.facts.kernel.clone(), running.launch);
        let next = next.with_estimated_registers(running.registers);
        let trace = std::mem::replace(&mut running.builder, next).finish();
        running.run.change_sink();
        self.segment = Some(LaunchSegment { launch: self.next, trace, last: false });
    }

    /// Whether a launch with too large a trace can be left to a stream. A guessed launch gets smaller sizes instead.
    pub(super) fn can_stream(&self, prepared: &Prepared) -> bool {
        self.stream_from.is_none() && prepared.guesses.is_empty()
    }

    /// Whether the trace of a launch will be larger than allowed, as far as its first block tells.
    pub(super) fn is_too_long(&self, prepared: &Prepared, running: &RunningLaunch) -> bool {
        if !self.can_stream(prepared) {
            return false;
        }
        let (_, blocks) = running.run.progress();
        // Other blocks may be shorter than the first one.
        let expected = running.builder.first_block_bytes().map(|bytes| (bytes as u64).saturating_mul(blocks) / 5 * 4);
        expected.is_some_and(|bytes| bytes > self.options.trace_bytes as u64)
    }

    /// Ends the run before a launch whose trace is too large.
    pub(super) fn stop_before_long_launch(&mut self, prepared: &Prepared, running: &RunningLaunch) -> Step<CudaRun> {
        self.out.too_long = Some(TooLong { first: self.next, count: prepared.specs.len() - self.next });
        let found = format!(
            "more than {} MiB for `{}` with {} blocks",
            self.options.trace_bytes >> 20,
            running.facts.kernel,
            running.launch.grid.count()
        );
        let help = "the model `gpu` runs it block by block; for others choose smaller sizes or fewer blocks";
        self.diagnostics.add(Severity::Warning, None, "a trace that fits in memory", found, help);
        Step::Done(self.take_result(self.lenient))
    }
}
