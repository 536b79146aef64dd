//! The blocks that some cores of a GPU hold at once in a large launch, from the trace of a small part of its grid.
//!
//! Blocks go to the cores in turn, so neighbours of the grid seldom meet in a core, and the L1 serves one of them at a time. A
//! part of a grid that runs on few cores would share far more. Here each block gets the place of the grid that a core would
//! hold, and its addresses move with it.

use base::Job;
use exec::resident_blocks;
use gpu::Topology;
use machine::{CacheShape, KernelRun, MachineSpec, State};
use placement::MachineTime;
use std::sync::Arc;
use trace::{Access, Dim3, Space, Trace, TraceBuilder, Warp, WARP_LANES};

/// Bytes by which the addresses of an array move from a block to the next one in x and in y.
pub(super) type Steps<'a> = &'a [(&'a str, [i64; 2])];

/// The time of a launch on a grid of which `trace` holds a part: that of a full wave of blocks on some cores, as often as
/// the cores would run it. The L2 holds what the host copied, since the blocks of the other cores use it too.
pub(super) fn time_of_wave(topology: &Topology, trace: &Trace, steps: Steps<'_>) -> MachineTime {
    let launch = trace.launch_with_registers();
    let whole = MachineSpec::new(topology, &launch);
    let traced = trace.blocks.len() as u64;
    let resident = resident_blocks(&launch, &whole.limits).min(traced);
    let (cores, all_cores) = (traced / resident, u64::from(whole.cores));
    let wave = Arc::new(Wave { trace, steps, cores, all_cores, resident }.trace());
    let (l2, slices) = (whole.l2, whole.slices);
    let part = whole.sampled(cores as u32);
    let l2 = CacheShape { sets: l2.sets * slices / part.slices, ..l2 };
    let spec = MachineSpec { all_cores: part.cores, l2, ..part };
    let fixed = f64::from(spec.launch_cycles);
    let outcome = KernelRun::new(spec, wave, State::Copies, None).finish();
    let waves = launch.grid.count() as f64 / (all_cores * resident) as f64;
    MachineTime { launch: fixed, work: (outcome.cycles as f64 - fixed) * waves, outcome }
}

struct Wave<'a> {
    trace: &'a Trace,
    steps: Steps<'a>,
    cores: u64,
    all_cores: u64,
    /// Blocks of a core.
    resident: u64,
}

impl Wave<'_> {
    fn trace(&self) -> Trace {
        let trace = self.trace;
        let mut builder = TraceBuilder::new(trace.name.clone(), trace.launch_with_registers());
        trace.sites.iter().for_each(|site| {
            builder.intern_site(site.clone());
        });
        for site in 0..trace.sites.len() as u32 {
            if let Some(schedule) = trace.schedule(site) {
                builder.set_schedule(site, schedule);
            }
        }
        builder.add_arrays(trace.arrays.iter().cloned());
        *builder.mix_mut() = trace.mix;
        let grid = trace.launch.grid;
        let blocks = (self.cores * self.resident) as usize;
        for (number, block) in (0..).zip(trace.blocks.iter().take(blocks)) {
            let place = (number % self.cores + self.all_cores * (number / self.cores)) % grid.count();
            let (x, y) = (place % u64::from(grid.x), place / u64::from(grid.x));
            let by = [x as i64 - i64::from(block.id.x), y as i64 - i64::from(block.id.y)];
            builder.begin_block(Dim3::new(x as u32, y as u32, 0));
            for warp in &trace.warps[block.warps.start as usize..block.warps.end as usize] {
                self.add_warp(&mut builder, warp, by);
            }
        }
        builder.finish()
    }

    fn add_warp(&self, builder: &mut TraceBuilder, warp: &Warp, by: [i64; 2]) {
        builder.begin_warp(warp.index);
        let mut barriers = self.trace.barriers(warp).iter().peekable();
        let (accesses, mut executed) = (self.trace.accesses(warp).len(), 0);
        for at in 0..=accesses {
            let access = self.trace.access(warp, at);
            let gap = access.as_ref().map_or(warp.instructions - executed, |access| u64::from(access.gap)) as u32;
            let mut gone = 0;
            while let Some(barrier) = barriers.next_if(|barrier| barrier.access as usize == at) {
                builder.add_instructions(barrier.gap - gone);
                builder.mark_barrier();
                gone = barrier.gap;
            }
            builder.add_instructions(gap - gone);
            executed += u64::from(gap) + 1;
            if let Some(access) = access {
                self.add_access(builder, &access, by);
            }
        }
    }

    fn add_access(&self, builder: &mut TraceBuilder, access: &Access<'_>, by: [i64; 2]) {
        let mut addresses = [0; WARP_LANES];
        let count = access.addresses(&mut addresses);
        if self.trace.sites[access.site as usize].space == Space::Global {
            let array = &self.trace.arrays[self.trace.array_of(addresses[0]).expect("an array")];
            let (_, [right, down]) = self.steps.iter().find(|(name, _)| *name == &*array.name).expect("a known array");
            let further = right * by[0] + down * by[1];
            addresses[..count].iter_mut().for_each(|address| *address = address.wrapping_add_signed(further));
        }
        builder.add_access(access.site, access.mask, &addresses[..count]);
    }
}
