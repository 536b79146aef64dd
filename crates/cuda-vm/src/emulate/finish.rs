//! The end of a launch and of a run: traces, counts, arrays and diagnostics.

use crate::emulate::stream::LaunchSegment;
use crate::emulate::{Emulation, RunningLaunch};
use crate::results::{ArrayData, Counts, CudaRun, LaunchResult};
use base::{Diagnostics, Severity};
use bytecode::code::MemorySpace;
use cuda::LaunchFacts;
use trace::{Array, InstructionMix, Launch, Origin};

impl Emulation {
    /// Adds the trace and the counts of a finished launch to the result.
    pub(super) fn finish_launch(&mut self, mut running: RunningLaunch, line: u32) {
        for warning in running.run.warnings() {
            self.warn(warning.line, &warning.expected, &warning.found, &warning.help);
        }
        self.warn_no_access(line, &running);
        self.out.executed += running.run.executed();
        let counts = Counts::of_launch(running.run.classes(), running.run.tally());
        self.complete_trace(&mut running);
        self.store.memory.remove_objects_from(running.objects);
        self.store.finish_launch();
        self.traced_bytes += running.builder.access_bytes();
        let (facts, trace) = (running.facts, running.builder.finish());
        let kernel = facts.kernel.clone();
        match self.stream_from {
            None => self.out.launches.push(LaunchResult { kernel, trace, counts, facts }),
            Some(from) if self.next >= from => {
                self.segment = Some(LaunchSegment { launch: self.next, trace, last: true });
            }
            Some(_) => {}
        }
    }

    /// What a rewriting of the text has to know of a launch. `numbers` has the number parameters.
    pub(super) fn facts(
        &self,
        kernel: &str,
        launch: &Launch,
        dynamic: u64,
        numbers: Vec<(String, i64)>,
        aliases: Vec<(String, String)>,
    ) -> LaunchFacts {
        let shape = |dim: trace::Dim3| [dim.x, dim.y, dim.z];
        LaunchFacts {
            kernel: kernel.into(),
            grid: shape(launch.grid),
            block: shape(launch.block),
            dynamic_bytes: dynamic,
            shared_bytes: launch.shared_bytes.into(),
            instances: Vec::new(),
            numbers,
            aliases,
            sizes: self.sizes.clone(),
            arrays: self.store.arrays.iter().map(|a| (a.name.to_string(), a.count, a.ty.size())).collect(),
        }
    }

    /// Adds the arrays and the instructions so far to the trace of a launch.
    pub(super) fn complete_trace(&self, running: &mut RunningLaunch) {
        let all = self.store.memory.objects[..running.objects].iter().enumerate();
        let named = all.filter(|(_, o)| o.space != MemorySpace::Shared && o.bytes > 0);
        let arrays = &self.store.arrays;
        running.builder.add_arrays(named.map(|(number, o)| Array {
            name: o.name.to_string(),
            base: o.base,
            bytes: o.bytes,
            origin: Origin::Named,
            copied_in: arrays.iter().find(|array| array.object == number).map(|array| array.copied_in),
        }));
        running.builder.set_issue(running.run.issue());
        let counts = Counts::of_launch(running.run.classes(), running.run.tally());
        *running.builder.mix_mut() = InstructionMix {
            integer: counts.integer,
            fp32: counts.fp32,
            fp64: counts.fp64,
            special: counts.special,
            other: counts.branch + counts.barrier + counts.other,
        };
    }

    /// The result of all launches so far. `all_ran`: the faults so far kept no launch from running.
    pub(super) fn take_result(&mut self, all_ran: bool) -> CudaRun {
        let mut out = std::mem::take(&mut self.out);
        for held in &self.store.arrays {
            let slot = self.store.memory.objects[held.object].slot;
            let element = held.ty.shown();
            out.arrays.push(ArrayData {
                name: held.name.to_string(),
                element,
                elements: held.count,
                before: held.before.clone(),
                after: std::mem::take(&mut self.store.memory.data[slot]),
            });
        }
        out.diagnostics = std::mem::replace(&mut self.diagnostics, Diagnostics::new(&self.name)).into_vec();
        let ran = !self.text.is_empty() || all_ran;
        if ran && !out.launches.is_empty() {
            // One failed guess does not make the other launches wrong, so errors become warnings.
            out.diagnostics.iter_mut().for_each(|d| d.severity = d.severity.min(Severity::Warning));
        }
        out
    }
}
