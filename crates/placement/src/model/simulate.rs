//! Simulates the memory hierarchy under one placement.
//!
//! In: a kernel, a machine, a placement and an order of the accesses. Out: [`Traffic`].

use crate::model::access::AccessMarks;
use crate::model::access_order::{AccessOrder, OrderEvent};
use crate::model::caches::Caches;
use crate::model::hierarchy::{HierarchyRun, MergeWindow};
use crate::model::kernel::{PlacementKernel, SECTOR};
use crate::model::machine::Machine;
use crate::model::settings::ReplayCount;
use crate::model::traffic::{Traffic, WarpTraffic};
use crate::space::legal::Memory;

/// The inputs of a simulation.
pub(crate) struct SimulationInputs<'a> {
    pub kernel: &'a PlacementKernel,
    pub machine: &'a Machine,
    /// The order of the accesses.
    pub order: &'a AccessOrder,
    pub placement: &'a [Memory],
    pub replays: ReplayCount,
    /// Copies of tiles are simulated. If not, only their sectors are counted.
    pub tile_copies: bool,
    pub window: MergeWindow,
    /// Marks of every access.
    pub marks: &'a [AccessMarks],
    /// Bytes of shared memory that the resident blocks of an SM use.
    pub shared_used: u64,
}

/// Simulates a placement.
pub(crate) fn simulate<'a>(inputs: &SimulationInputs<'a>, caches: &'a mut Caches) -> Traffic {
    let SimulationInputs { kernel, machine, order, placement, replays, tile_copies, window, marks, shared_used } =
        *inputs;
    caches.reset(kernel, machine, order.sms as usize, shared_used);
    let (per_warp, copy_waits) = (vec![WarpTraffic::default(); kernel.warps.len()], vec![[0.0; 7]; kernel.warps.len()]);
    let updates = kernel.most_updates(placement);
    let traffic = Traffic { sms: f64::from(order.sms), updates, per_warp, copy_waits, ..Traffic::default() };
    let (warp, l2_requests) = (None, [0; 8]);
    let mut run = HierarchyRun { warp, kernel, machine, placement, replays, window, caches, l2_requests, traffic };
    for step in &order.steps {
        match step.event {
            OrderEvent::Access(id, warp) => {
                let entry = &kernel.entries[id as usize];
                let memory = run.memory_of(entry);
                let passes = entry.passes(memory, machine);
                run.access(
                    entry,
                    warp,
                    (memory, passes),
                    marks[id as usize].starts_group(),
                    step.sm as usize,
                    step.issued,
                );
            }
            OrderEvent::TileCopy(id) if tile_copies => run.run_tile_copy(id, step.sm as usize, step.issued),
            OrderEvent::TileCopy(id) => run.count_copied_sectors(id),
        }
    }
    for warp in 0..kernel.warps.len() {
        if let Some(level) = run.traffic.per_warp[warp].group.take() {
            run.count_wait(warp, level);
        }
    }
    run.traffic.l2_load_requests = run.l2_requests.iter().sum();
    let reply = |sectors: u64| (sectors * SECTOR).div_ceil(machine.l2_bytes_per_cycle as u64);
    run.traffic.reply_cycles = (0..).zip(run.l2_requests).map(|(sectors, asks)| asks * reply(sectors)).sum();
    run.traffic
}
