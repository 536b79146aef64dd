//! Rough times of placements, which take microseconds instead of a simulation.
//!
//! In: an [`Evaluator`]. Out: a time per placement from the same equations. The traffic is the sum of the additive
//! counts of the arrays and of cache misses, which follow from the combined footprints of the arrays in each cache.
//! Not modelled: queues.

use crate::model::access::LineLayout;
use crate::model::access_order::{AccessOrder, OrderEvent};
use crate::model::additive::{hit_level, AdditiveTable};
use crate::model::evaluator::Evaluator;
use crate::model::kernel::{PlacementKernel, LINE, NO_ARRAY, SECTOR};
use crate::model::settings::Settings;
use crate::model::traffic::AnswerLevel;
use crate::space::footprint::{misses, Curve};
use crate::space::legal::Memory;
use crate::Traffic;
use trace::Kind;

/// The request streams of an array in one layout.
#[derive(Debug, Default)]
struct Streams {
    /// Footprint of the stream of the first SM.
    near: Curve,
    /// Footprint of the stream of all SMs.
    far: Curve,
    /// Mean number of sectors per request.
    sectors: f64,
}

/// The streams of one array in line order, in the blocked layout, and as constants.
type Layouts = [Streams; 3];

/// Rough estimates for the placements of one kernel.
#[derive(Debug)]
pub(crate) struct Screen {
    arrays: Vec<Layouts>,
    loads: Vec<f64>,
    additive: AdditiveTable,
    settings: Settings,
}

fn layout(memory: Memory) -> usize {
    match memory {
        Memory::Global | Memory::Texture1d | Memory::Shared => 0,
        Memory::Texture2d => 1,
        Memory::Constant => 2,
    }
}

/// The requests of `array` in order of time, for the first SM with its own clock and for all SMs.
fn streams(kernel: &PlacementKernel, order: &AccessOrder, array: usize, layout: usize) -> Streams {
    let (mut near, mut far) = (Vec::new(), Vec::new());
    let (mut clock, mut all, mut sectors) = (0, 0, 0u64);
    for step in &order.steps {
        let OrderEvent::Access(id, _) = step.event else { continue };
        let entry = &kernel.entries[id as usize];
        all += 1;
        clock += u32::from(step.sm == 0);
        if entry.array == NO_ARRAY || usize::from(entry.array) != array {
            continue;
        }
        for &request in entry.lists.requests(LineLayout::ALL[layout], &kernel.pool) {
            let line = if layout == 2 { request } else { request >> 4 };
            sectors += if layout == 2 { 2 } else { u64::from((request & 0xf).count_ones()) };
            if step.sm == 0 {
                near.push((clock, line));
            }
            far.push((all, if layout == 2 { request / 2 } else { line }));
        }
    }
    let sectors = sectors as f64 / far.len().max(1) as f64;
    Streams { near: Curve::new(&near, clock), far: Curve::new(&far, all), sectors }
}

impl Screen {
    pub fn new(evaluator: &mut Evaluator) -> Self {
        let sample = evaluator.sample().clone();
        let blocks = evaluator.residency(&sample).0;
        let kernel = evaluator.kernel().clone();
        let order = evaluator.order(blocks);
        let arrays = (0..kernel.arrays.len()).map(|array| [0, 1, 2].map(|way| streams(&kernel, order, array, way)));
        let arrays = arrays.collect();
        let loads = |array: usize| {
            let mine = kernel.entries.iter().filter(|entry| usize::from(entry.array) == array);
            mine.filter(|entry| entry.kind == Kind::Load).count() as f64
        };
        let settings = Settings { queueing: false, ..evaluator.settings().clone() };
        let loads = (0..kernel.arrays.len()).map(loads).collect();
        Self { arrays, loads, additive: evaluator.additive_table(), settings }
    }

    /// The additive counts, which the bound uses as well.
    pub fn additive(&self) -> &AdditiveTable {
        &self.additive
    }

    /// Computes for each array the share of requests that miss in a cache of `lines` lines that `members` share.
    fn ratios(&self, members: &[usize], placement: &[Memory], lines: f64, far: bool, out: &mut [f64]) {
        let of = |&array: &usize| {
            let streams = &self.arrays[array][layout(placement[array])];
            if far {
                &streams.far
            } else {
                &streams.near
            }
        };
        let curves: Vec<&Curve> = members.iter().map(of).collect();
        for (array, (missed, curve)) in members.iter().zip(misses(&curves, lines).into_iter().zip(&curves)) {
            out[*array] = missed / curve.requests.max(1.0);
        }
    }

    /// Rough time of `placement`, in cycles.
    pub fn estimate(&self, evaluator: &Evaluator, placement: &[Memory]) -> f64 {
        let machine = evaluator.machine();
        let placement = &evaluator.kernel().in_trace(placement);
        let (blocks, shared) = evaluator.residency(placement);
        let n = placement.len();
        let of = |wanted: &[Memory]| -> Vec<usize> { (0..n).filter(|&i| wanted.contains(&placement[i])).collect() };
        let textures = [Memory::Texture1d, Memory::Texture2d];
        let left = machine.carve_out.map_or(u64::MAX, |all| all.saturating_sub(shared).max(8 << 10));
        let l1 = machine.l1_bytes.min(left) as f64 / LINE as f64;
        let (mut near, mut far) = (vec![1.0; n], vec![1.0; n]);
        match machine.unified {
            true => self.ratios(&of(&[Memory::Global, textures[0], textures[1]]), placement, l1, false, &mut near),
            false => {
                if machine.l1_bytes > 0 {
                    self.ratios(&of(&[Memory::Global]), placement, l1, false, &mut near);
                }
                let lines = machine.texture_bytes as f64 / LINE as f64;
                self.ratios(&of(&textures), placement, lines, false, &mut near);
            }
        }
        self.ratios(&of(&[Memory::Constant]), placement, machine.constant_l1_bytes as f64 / 64.0, false, &mut near);
        let l2 = machine.l2_bytes as f64 / LINE as f64;
        self.ratios(&(0..n).collect::<Vec<_>>(), placement, l2, true, &mut far);
        let sum = self.additive.sum(placement);
        let updates = evaluator.kernel().most_updates(placement);
        let mut traffic = Traffic { sms: evaluator.sms(), updates, ..Traffic::default() };
        let add = |count: &mut u64, more: f64| *count += more.max(0.0) as u64;
        add(&mut traffic.replays[0], sum.replays);
        add(&mut traffic.copy_instructions, sum.copies);
        add(&mut traffic.requests[0], sum.requests);
        add(&mut traffic.passes, sum.passes);
        add(&mut traffic.loads[AnswerLevel::Shared as usize], self.additive.fixed.loads);
        for (i, &memory) in placement.iter().enumerate() {
            let streams = &self.arrays[i][layout(memory)];
            let near = if memory == Memory::Shared { 0.0 } else { near[i] };
            let streams_far = far[i];
            let far = far[i].min(near);
            // The lines of a load tend to miss together.
            add(&mut traffic.loads[hit_level(memory, machine) as usize], self.loads[i] * (1.0 - near));
            add(&mut traffic.loads[AnswerLevel::L2 as usize], self.loads[i] * (near - far));
            add(&mut traffic.loads[AnswerLevel::Memory as usize], self.loads[i] * far);
            add(&mut traffic.l2_sectors, streams.far.requests * streams.sectors * near);
            let cold = self.additive.arrays[i][memory as usize].sectors;
            let missed = (streams.far.requests * streams.sectors * far).max(cold);
            add(&mut traffic.memory_sectors, missed);
            add(&mut traffic.l2_misses, missed * SECTOR as f64 / LINE as f64);
            if memory == Memory::Shared {
                // Copies read data that blocks share from the L2 again, if all footprints fit into it.
                let part = &self.additive.arrays[i][memory as usize];
                let cold = (part.sectors / part.copied.max(1.0)).max(streams_far).min(1.0);
                add(&mut traffic.loads[AnswerLevel::Memory as usize], (part.loads - self.loads[i]) * cold);
                add(&mut traffic.loads[AnswerLevel::L2 as usize], (part.loads - self.loads[i]) * (1.0 - cold));
                add(&mut traffic.l2_sectors, part.copied);
                add(&mut traffic.memory_sectors, part.copied * cold - missed);
            }
        }
        let mlp = evaluator.mlp();
        for (waits, loads) in traffic.waits.iter_mut().zip(traffic.loads) {
            *waits = (loads as f64 / mlp) as u64;
        }
        evaluator.terms(&self.settings, placement, blocks).predict(traffic).cycles
    }
}
