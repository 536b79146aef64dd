//! One kernel on a machine, in steps.

use crate::memory::Memory;
use crate::outcome::KernelOutcome;
use crate::spec::MachineSpec;
use crate::work::Work;
use base::{Job, Progress, Step};
use std::sync::Arc;
use trace::Trace;

/// One kernel on a machine.
pub struct Machine {
    trace: Arc<Trace>,
    work: Work,
}

/// What a kernel leaves behind for the next one: the L2.
pub struct Leftover(Memory);

impl Machine {
    /// A machine with cold caches, before its first block.
    pub fn new(spec: MachineSpec, trace: Arc<Trace>) -> Self {
        let memory = Memory::new(&spec);
        Self { work: Work::new(spec, &trace, memory), trace }
    }

    /// A machine whose L2 holds what an earlier kernel left.
    pub fn after(spec: MachineSpec, trace: Arc<Trace>, leftover: Leftover) -> Self {
        let mut memory = leftover.0;
        memory.restart(&spec);
        Self { work: Work::new(spec, &trace, memory), trace }
    }

    /// Brings the caches into the state that copies leave: see [`crate::State`].
    pub fn copy(&mut self, base: u64, bytes: u64, writes: bool) {
        self.work.memory.copy(base, bytes, self.work.spec.line_shift, writes);
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
            let Some((now, scheduler)) = self.work.next() else {
                return Step::Done(KernelOutcome::of(&self.work, &self.trace.launch));
            };
            self.work.issue(&self.trace, scheduler, now);
        }
        Step::More(Progress { done: self.work.ended_blocks, total: self.trace.blocks.len() as u64 })
    }
}
