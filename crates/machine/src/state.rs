//! The state of the caches before the launch, and the run from there.

use crate::counted::CountedPart;
use crate::machine::{Leftover, Machine};
use crate::outcome::KernelOutcome;
use crate::spec::MachineSpec;
use crate::watch::Watch;
use base::{Job, Progress, Step};
use std::sync::Arc;
use trace::{Array, Kind, Launch, Trace};

/// The caches before a launch. The L1s are always empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// All caches are empty, as Nsight Compute leaves them by default.
    #[default]
    Cold,
    /// The host copied the arrays that have data, in order of their addresses.
    Copies,
    /// As nvprof measures: after the copies the kernel runs, the arrays that it wrote are restored from backups, and the
    /// second run counts.
    Replay,
    /// The L2 holds what the kernel before left. The first kernel finds the copies.
    Warm,
}

/// The address of the first backup of a profiler. Traces have no arrays there.
const BACKUPS: u64 = 1 << 46;

/// A kernel from a given state on.
///
/// The trace comes at once ([`KernelRun::new`]), or block by block because it does not fit in memory
/// ([`KernelRun::in_segments`]). Then the caller asks [`KernelRun::wants`] before each step.
pub struct KernelRun {
    spec: MachineSpec,
    launch: Launch,
    /// The whole trace, if it came at once.
    whole: Option<Arc<Trace>>,
    arrays: Vec<Array>,
    /// For each array, whether the kernel writes it, as far as its blocks have come.
    written: Vec<bool>,
    /// Absent after the last run.
    machine: Option<Machine>,
    /// Whether the next blocks are those from the first one on.
    from_first: bool,
    /// Runs that are still to come, with this one.
    runs: u32,
    all: u32,
    leftover: Option<Leftover>,
    /// What the last run counts alone, and whom it shows its accesses to.
    part: Option<CountedPart>,
    watch: Option<Watch>,
}

/// The blocks that a [`KernelRun`] needs before it can go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wants {
    /// None.
    Nothing,
    /// Those after the ones that it has got.
    NextBlocks,
    /// The blocks of the launch from the first one on: it runs the kernel for the first time, or once more.
    FirstBlocks,
}

impl KernelRun {
    /// Prepares the run of a whole trace. `before` is what the kernel before left, for [`State::Warm`].
    pub fn new(spec: MachineSpec, trace: Arc<Trace>, state: State, before: Option<Leftover>) -> Self {
        let written = trace.arrays.iter().map(|array| writes(&trace, array)).collect();
        let mut arrays = trace.arrays.clone();
        for array in &mut arrays {
            // An input that does not say whether the host put data into an array shows it by reading the array.
            let reads = || touches(&trace, array, |kind| kind != Kind::Store);
            array.copied_in = Some(array.copied_in.unwrap_or_else(reads));
        }
        let mut this = Self::in_segments(spec, trace.launch_with_registers(), arrays, state, before);
        this.written = written;
        this.machine = this.machine.take().map(|machine| machine.with_all(Arc::clone(&trace)));
        (this.whole, this.from_first) = (Some(trace), false);
        this
    }

    /// Prepares a run whose blocks come later, through [`KernelRun::add_blocks`]. An array that does not say whether the
    /// host put data into it counts as one with data.
    pub fn in_segments(
        spec: MachineSpec,
        launch: Launch,
        arrays: Vec<Array>,
        state: State,
        before: Option<Leftover>,
    ) -> Self {
        let runs = if state == State::Replay { 2 } else { 1 };
        // Only the last run counts.
        let first_spec = MachineSpec { classes: spec.classes && runs == 1, ..spec.clone() };
        let warm = before.filter(|_| state == State::Warm);
        let first = warm.is_none();
        let mut machine = match warm {
            Some(leftover) => Machine::waiting_after(first_spec, launch, leftover),
            None => Machine::waiting_cold(first_spec, launch),
        };
        if first && state != State::Cold {
            for array in arrays.iter().filter(|array| array.copied_in != Some(false)) {
                machine.copy(array.base, array.bytes, true);
            }
        }
        let (whole, written) = (None, vec![false; arrays.len()]);
        let machine = Some(machine);
        let (leftover, part, watch) = (None, None, None);
        Self { spec, launch, whole, arrays, written, machine, from_first: true, runs, all: runs, leftover, part, watch }
    }

    /// Counts a part of the accesses alone.
    #[must_use]
    pub fn counting(mut self, part: Option<CountedPart>) -> Self {
        self.part = part;
        self.begin_last();
        self
    }

    /// Shows the accesses of the run that counts to an observer.
    #[must_use]
    pub fn showing(mut self, watch: Watch) -> Self {
        self.watch = Some(watch);
        self.begin_last();
        self
    }

    /// The observer, once the run that counts has begun.
    pub fn watch(&mut self) -> Option<&mut Watch> {
        match &mut self.machine {
            Some(machine) => machine.watch(),
            None => self.watch.as_mut(),
        }
    }

    /// Prepares the run that counts, if it is the next one.
    fn begin_last(&mut self) {
        let Some(machine) = self.machine.as_mut().filter(|_| self.runs == 1) else { return };
        if let Some(part) = self.part {
            machine.count(part);
        }
        if let Some(watch) = self.watch.take() {
            machine.show(watch);
        }
    }

    /// The blocks that it needs before it can go on. A step does nothing until it has them.
    pub fn wants(&self) -> Wants {
        match &self.machine {
            Some(machine) if machine.wants_blocks() && self.from_first => Wants::FirstBlocks,
            Some(machine) if machine.wants_blocks() => Wants::NextBlocks,
            _ => Wants::Nothing,
        }
    }

    /// Adds blocks that it wants. The sites of their trace begin with those of the traces before.
    pub fn add_blocks(&mut self, trace: Arc<Trace>) {
        for (array, written) in self.arrays.iter().zip(&mut self.written) {
            *written = *written || writes(&trace, array);
        }
        self.from_first = false;
        if let Some(machine) = &mut self.machine {
            machine.add_blocks(trace);
        }
    }

    /// Says that all blocks were added.
    pub fn end_blocks(&mut self) {
        self.from_first = false;
        if let Some(machine) = &mut self.machine {
            machine.end_blocks();
        }
    }

    /// How far it is, over all runs: see [`Machine::progress`].
    pub fn progress(&self) -> Progress {
        let Some(machine) = &self.machine else { return Progress { done: 1, total: 1 } };
        let Progress { done, total } = machine.progress();
        let before = u64::from(self.all - self.runs) * total;
        Progress { done: before + done, total: total * u64::from(self.all) }
    }

    /// What the kernel left, after the run.
    pub fn into_leftover(self) -> Option<Leftover> {
        self.leftover
    }

    /// A machine for the next run, after a profiler has restored the arrays that the kernel wrote.
    fn restored(&self, ran: Machine) -> Machine {
        let mut machine = Machine::waiting_after(self.spec.clone(), self.launch, ran.into_leftover());
        let mut backup = BACKUPS;
        for (array, _) in self.arrays.iter().zip(&self.written).filter(|(_, written)| **written) {
            machine.copy(backup, array.bytes, false);
            machine.copy(array.base, array.bytes, true);
            backup += array.bytes.next_multiple_of(512);
        }
        machine
    }
}

impl Job for KernelRun {
    type Output = KernelOutcome;

    fn step(&mut self, budget: u64) -> Step<KernelOutcome> {
        let Some(mut machine) = self.machine.take() else { return Step::Done(KernelOutcome::default()) };
        match machine.step(budget) {
            Step::More(_) => {
                self.machine = Some(machine);
                Step::More(self.progress())
            }
            Step::Done(_) if self.runs > 1 => {
                self.runs -= 1;
                let next = self.restored(machine);
                self.from_first = self.whole.is_none();
                self.machine = Some(match &self.whole {
                    Some(trace) => next.with_all(Arc::clone(trace)),
                    None => next,
                });
                self.begin_last();
                Step::More(Progress { done: 1, total: u64::from(self.all) })
            }
            Step::Done(outcome) => {
                self.watch = machine.take_watch();
                self.leftover = Some(machine.into_leftover());
                Step::Done(outcome)
            }
        }
    }
}

/// Whether a kernel writes an array.
fn writes(trace: &Trace, array: &Array) -> bool {
    touches(trace, array, |kind| kind != Kind::Load)
}

/// Whether an access of such a kind has its first lane in the array.
fn touches(trace: &Trace, array: &Array, such: impl Fn(Kind) -> bool) -> bool {
    trace.warps.iter().flat_map(|warp| trace.accesses(warp)).any(|access| {
        let site = &trace.sites[access.site as usize];
        such(site.kind) && matches!(site.space, trace::Space::Global | trace::Space::Texture) && {
            let first = access.first_address();
            first >= array.base && first - array.base < array.bytes
        }
    })
}
