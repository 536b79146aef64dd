//! The state of the caches before the launch, and the run from there.

use crate::machine::{Leftover, Machine};
use crate::outcome::KernelOutcome;
use crate::spec::MachineSpec;
use base::{Job, Progress, Step};
use std::sync::Arc;
use trace::{Array, Kind, Trace};

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
pub struct KernelRun {
    spec: MachineSpec,
    trace: Arc<Trace>,
    /// Absent after the last run.
    machine: Option<Machine>,
    /// Runs that are still to come, with this one.
    runs: u32,
    all: u32,
    leftover: Option<Leftover>,
}

impl KernelRun {
    /// Prepares the run. `before` is what the kernel before left, for [`State::Warm`].
    pub fn new(spec: MachineSpec, trace: Arc<Trace>, state: State, before: Option<Leftover>) -> Self {
        let warm = before.filter(|_| state == State::Warm);
        let first = warm.is_none();
        let mut machine = match warm {
            Some(leftover) => Machine::after(spec.clone(), Arc::clone(&trace), leftover),
            None => Machine::new(spec.clone(), Arc::clone(&trace)),
        };
        if first && state != State::Cold {
            for array in trace.arrays.iter().filter(|array| has_data(array, &trace)) {
                machine.copy(array.base, array.bytes, true);
            }
        }
        let runs = if state == State::Replay { 2 } else { 1 };
        Self { spec, trace, machine: Some(machine), runs, all: runs, leftover: None }
    }

    /// What the kernel left, after the run.
    pub fn into_leftover(self) -> Option<Leftover> {
        self.leftover
    }

    /// A machine for the next run, after a profiler has restored the arrays that the kernel wrote.
    fn restored(&self, ran: Machine) -> Machine {
        let mut machine = Machine::after(self.spec.clone(), Arc::clone(&self.trace), ran.into_leftover());
        let mut backup = BACKUPS;
        for array in written(&self.trace) {
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
            Step::More(Progress { done, total }) => {
                self.machine = Some(machine);
                let before = u64::from(self.all - self.runs) * total;
                Step::More(Progress { done: before + done, total: total * u64::from(self.all) })
            }
            Step::Done(_) if self.runs > 1 => {
                self.runs -= 1;
                self.machine = Some(self.restored(machine));
                Step::More(Progress { done: 1, total: u64::from(self.all) })
            }
            Step::Done(outcome) => {
                self.leftover = Some(machine.into_leftover());
                Step::Done(outcome)
            }
        }
    }
}

/// Whether the host put data into an array. An input that does not say so shows it by reading the array.
fn has_data(array: &Array, trace: &Trace) -> bool {
    array.copied_in.unwrap_or_else(|| touches(trace, array, |kind| kind != Kind::Store))
}

/// The arrays that a kernel writes.
fn written(trace: &Trace) -> Vec<Array> {
    let writes = |array: &&Array| touches(trace, array, |kind| kind != Kind::Load);
    trace.arrays.iter().filter(writes).cloned().collect()
}

/// Whether an access of such a kind has its first lane in the array.
fn touches(trace: &Trace, array: &Array, such: impl Fn(Kind) -> bool) -> bool {
    let mut addresses = [0; 32];
    trace.warps.iter().flat_map(|warp| trace.accesses(warp)).any(|access| {
        let site = &trace.sites[access.site as usize];
        such(site.kind) && matches!(site.space, trace::Space::Global | trace::Space::Texture) && {
            access.addresses(&mut addresses);
            addresses[0] >= array.base && addresses[0] - array.base < array.bytes
        }
    })
}
