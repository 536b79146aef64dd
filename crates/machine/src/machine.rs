//! One kernel on a machine, in steps.

use crate::counted::{Counted, CountedPart};
use crate::memory::Memory;
use crate::outcome::KernelOutcome;
use crate::segments::Segments;
use crate::spec::MachineSpec;
use crate::watch::Watch;
use crate::work::Work;
use base::{Job, Progress, Step};
use std::sync::Arc;
use trace::{Launch, Trace};

/// One kernel on a machine.
pub struct Machine {
    launch: Launch,
    /// Blocks of the launch.
    blocks: u64,
    /// Blocks that were added, and their warp instructions.
    added: (u64, u64),
    segments: Segments,
    work: Work,
    /// Whether it cannot go on before [`Machine::add_blocks`] or [`Machine::end_blocks`].
    starved: bool,
}

/// What a kernel leaves behind for the next one: the L2.
pub struct Leftover(Memory);

impl Machine {
    /// A machine with cold caches that runs a whole trace.
    pub fn new(spec: MachineSpec, trace: Arc<Trace>) -> Self {
        let memory = Memory::new(&spec);
        Self::waiting(spec, trace.launch_with_registers(), memory).with_all(trace)
    }

    /// A machine whose L2 holds what an earlier kernel left.
    pub fn after(spec: MachineSpec, trace: Arc<Trace>, leftover: Leftover) -> Self {
        Self::waiting_after(spec, trace.launch_with_registers(), leftover).with_all(trace)
    }

    /// A machine with cold caches whose blocks come later, through [`Machine::add_blocks`].
    pub(crate) fn waiting_cold(spec: MachineSpec, launch: Launch) -> Self {
        let memory = Memory::new(&spec);
        Self::waiting(spec, launch, memory)
    }

    /// A machine whose blocks come later, and whose L2 holds what an earlier kernel left.
    pub(crate) fn waiting_after(spec: MachineSpec, launch: Launch, leftover: Leftover) -> Self {
        let mut memory = leftover.0;
        memory.restart(&spec);
        Self::waiting(spec, launch, memory)
    }

    fn waiting(spec: MachineSpec, launch: Launch, memory: Memory) -> Self {
        let work = Work::new(spec, &launch, memory);
        Self { launch, blocks: launch.grid.count(), added: (0, 0), segments: Segments::new(), work, starved: true }
    }

    pub(crate) fn with_all(mut self, trace: Arc<Trace>) -> Self {
        self.blocks = trace.blocks.len() as u64;
        self.add_blocks(trace);
        self.end_blocks();
        self
    }

    /// Brings the caches into the state that copies leave: see [`crate::State`].
    pub fn copy(&mut self, base: u64, bytes: u64, writes: bool) {
        self.work.memory.copy(base, bytes, self.work.spec.line_shift, writes);
    }

    /// Counts a part of the accesses alone: see [`CountedPart`]. Call it before the first step.
    pub fn count(&mut self, part: CountedPart) {
        self.work.tally.counted = Some(Box::new(Counted::new(part, self.work.spec.cores)));
    }

    /// Shows the accesses to an observer from now on. Their misses have classes if those are wanted of the machine.
    pub fn show(&mut self, watch: Watch) {
        self.work.memory.observe();
        self.work.watch = Some(Box::new(watch));
    }

    /// The observer.
    pub fn watch(&mut self) -> Option<&mut Watch> {
        self.work.watch.as_deref_mut()
    }

    /// Sends the observer away.
    pub(crate) fn take_watch(&mut self) -> Option<Watch> {
        self.work.watch.take().map(|watch| *watch)
    }

    /// Whether it waits for blocks. A step does nothing then.
    pub fn wants_blocks(&self) -> bool {
        self.starved
    }

    /// Adds the blocks of the launch that follow those that it has. The sites of their trace begin with those of the
    /// traces before.
    pub fn add_blocks(&mut self, trace: Arc<Trace>) {
        self.work.learn(&trace);
        self.added.0 += trace.blocks.len() as u64;
        self.added.1 += trace.warps.iter().map(|warp| warp.instructions).sum::<u64>();
        self.segments.add(trace);
        self.starved = !self.work.fill(&mut self.segments);
    }

    /// Says that all blocks of the launch were added.
    pub fn end_blocks(&mut self) {
        self.segments.complete = true;
        self.starved = !self.work.fill(&mut self.segments);
    }

    /// The warp instructions that were issued or left out by a sample, and all of the launch. While blocks are still to
    /// come, those that came stand for them.
    pub fn progress(&self) -> Progress {
        let (blocks, instructions) = self.added;
        let all = u128::from(instructions) * u128::from(self.blocks.max(blocks)) / u128::from(blocks.max(1));
        Progress { done: self.work.instructions + self.work.left_out, total: all as u64 }
    }

    /// What the kernel leaves behind.
    pub fn into_leftover(self) -> Leftover {
        Leftover(self.work.memory)
    }
}

impl Job for Machine {
    type Output = KernelOutcome;

    /// One unit of `budget` is one event of a scheduler.
    fn step(&mut self, budget: u64) -> Step<KernelOutcome> {
        for _ in 0..budget.max(1) {
            if self.starved {
                break;
            }
            let Some((now, scheduler)) = self.work.next() else {
                self.work.write_back_all();
                return Step::Done(KernelOutcome::of(&self.work, &self.launch));
            };
            self.work.issue(&mut self.segments, scheduler, now);
            if self.work.has_vacancy() {
                self.starved = !self.work.fill(&mut self.segments);
            }
        }
        Step::More(self.progress())
    }
}
