//! Runs moved kernels on the machine.

use crate::judge::moved_trace::{moved_trace, Move};
use crate::model::evaluator::Evaluator;
use crate::space::legal::Memory;
use base::{Job, Progress, Step};
use gpu::Topology;
use machine::{KernelOutcome, KernelRun, MachineSpec, State};
use std::sync::Arc;
use trace::{Kind, Site, Space, Trace};

/// Instructions and accesses of a run, about. Kernels with more run on a sample of the cores.
const RUN_INSTRUCTIONS: u64 = 4 << 20;
/// Cores of a sample, at least. Fewer share too little of the L2.
const CORES_MIN: u32 = 4;

/// Runs the placements of one kernel on one GPU.
#[derive(Clone, Debug)]
pub struct Judge {
    topology: Arc<Topology>,
    trace: Arc<Trace>,
    state: State,
    instructions: u64,
}

/// The time of a placement on the machine.
#[derive(Clone, Debug, Default)]
pub struct MachineTime {
    /// Cycles of the launch, as far as they do not depend on the work.
    pub launch: f64,
    /// Cycles of all blocks.
    pub work: f64,
    /// What was counted, in the cores that ran.
    pub outcome: KernelOutcome,
}

impl MachineTime {
    /// Cycles of the kernel.
    pub fn cycles(&self) -> f64 {
        self.launch + self.work
    }
}

/// A placement that runs on the machine. A unit of work is an event of a scheduler.
pub struct JudgeRun {
    run: KernelRun,
    launch_cycles: f64,
    scale: f64,
}

/// What runs of a launch.
struct Part {
    spec: MachineSpec,
    /// Cores of the GPU.
    all_cores: u32,
    /// Blocks of the trace, from the first one on.
    blocks: usize,
    /// Cycles of the whole launch per cycle of the run.
    scale: f64,
}

impl Judge {
    /// A judge for the kernel of `trace`, with the caches as `state` says.
    pub fn new(topology: &Topology, trace: &Arc<Trace>, state: State) -> Self {
        let instructions = trace.warps.iter().map(|warp| warp.instructions).sum();
        Self { topology: Arc::new(topology.clone()), trace: Arc::clone(trace), state, instructions }
    }

    /// The cores that run if not all do.
    pub fn sampled_cores(&self) -> Option<u32> {
        let part = self.part(&self.trace);
        (part.spec.cores < part.all_cores).then_some(part.spec.cores)
    }

    /// The blocks that run if not all of a whole trace do, and all blocks.
    pub fn first_blocks(&self) -> Option<(usize, usize)> {
        let (part, all) = (self.part(&self.trace), self.trace.blocks.len());
        (part.blocks < all && part.all_cores == part.spec.cores && all as u64 == self.trace.launch.grid.count())
            .then_some((part.blocks, all))
    }

    /// Prepares the run of a placement. `evaluator` must be of the same trace.
    pub fn run(&self, evaluator: &Evaluator, placement: &[Memory]) -> JudgeRun {
        let trace = match evaluator.sample().as_slice() == placement {
            true => Arc::clone(&self.trace),
            false => Arc::new(self.moved(evaluator, placement)),
        };
        self.run_trace(trace)
    }

    /// Prepares the run of a trace of the same kernel in another form.
    pub fn run_trace(&self, trace: Arc<Trace>) -> JudgeRun {
        let Part { spec, blocks, scale, .. } = self.part(&trace);
        let launch_cycles = f64::from(spec.launch_cycles);
        let trace = if blocks < trace.blocks.len() { Arc::new(trace.first_blocks(blocks)) } else { trace };
        JudgeRun { run: KernelRun::new(spec, trace, self.state, None), launch_cycles, scale }
    }

    /// The trace of the kernel in a placement.
    fn moved(&self, evaluator: &Evaluator, placement: &[Memory]) -> Trace {
        moved_trace(&Move {
            trace: &self.trace,
            kernel: evaluator.kernel(),
            from: evaluator.sample(),
            to: placement,
            address_instructions: &evaluator.address_instructions(placement),
            marks: evaluator.marks(),
            shared_limit: evaluator.machine().shared_per_block,
        })
    }

    /// How much of a trace runs, and on how much of the GPU.
    fn part(&self, trace: &Trace) -> Part {
        let whole = MachineSpec::new(&self.topology, &trace.launch_with_registers());
        let all_cores = whole.cores;
        let (traced, all) = (trace.blocks.len().max(1) as u64, trace.launch.grid.count().max(1));
        if traced < all {
            // The blocks run on as many cores as they fill. A block more would run alone, and take as long as all others.
            let resident = exec::resident_blocks(&trace.launch_with_registers(), &whole.limits).max(1);
            // A small grid has blocks for some cores only, which have the whole memory, or fewer blocks for each than fit.
            let busy_cores = all.min(all_cores.into());
            let resident = (resident * u64::from(whole.parts)).min(all.div_ceil(busy_cores));
            // Atomics of all cores wait for each other, so no part of the cores stands for the others.
            let cores = if self.meets(trace) { traced } else { traced / resident }.clamp(1, busy_cores);
            let blocks =
                if traced > cores * resident { traced / (cores * resident) * cores * resident } else { traced };
            let scale = all as f64 / busy_cores as f64 / (blocks as f64 / cores as f64);
            let part = MachineSpec { cores: busy_cores as u32, ..whole }.sampled(cores as u32);
            let spec = MachineSpec { all_cores: part.cores, ..part };
            return Part { spec, all_cores, blocks: blocks as usize, scale: scale.max(1.0) };
        }
        let blocks = trace.blocks.len();
        if self.instructions <= RUN_INSTRUCTIONS {
            return Part { spec: whole, all_cores, blocks, scale: 1.0 };
        }
        let share = RUN_INSTRUCTIONS as f64 / self.instructions as f64;
        if self.meets(trace) {
            let at_once = exec::resident_blocks(&trace.launch_with_registers(), &whole.limits).max(1)
                * u64::from(whole.parts)
                * u64::from(all_cores);
            let run = (blocks as f64 * share) as u64 / at_once * at_once;
            let run = run.clamp(at_once, traced);
            return Part { spec: whole, all_cores, blocks: run as usize, scale: traced as f64 / run as f64 };
        }
        let cores = (f64::from(all_cores) * share) as u32;
        Part { spec: whole.sampled(cores.max(CORES_MIN)), all_cores, blocks, scale: 1.0 }
    }

    /// Whether cores meet in the L2, in this form of the kernel or in the present one. All forms are cut alike.
    fn meets(&self, trace: &Trace) -> bool {
        let atomic = |site: &Site| site.kind == Kind::Atomic && site.space == Space::Global;
        [trace, &self.trace].iter().any(|trace| trace.sites.iter().any(atomic))
    }
}

impl Job for JudgeRun {
    type Output = MachineTime;

    fn step(&mut self, budget: u64) -> Step<MachineTime> {
        match self.run.step(budget) {
            Step::More(Progress { done, total }) => Step::More(Progress { done, total }),
            Step::Done(outcome) => {
                let launch = self.launch_cycles.min(outcome.cycles as f64);
                let work = (outcome.cycles as f64 - launch) * self.scale;
                Step::Done(MachineTime { launch, work, outcome })
            }
        }
    }
}
