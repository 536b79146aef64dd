//! Comparison with a baseline: which numbers are compared, and figures of both runs. The page keeps the report of the baseline
//! and sends what a figure needs of it, because a worker holds one report.

use crate::js::{from_js, to_js};
use crate::shapes::{FigureBase, FlowShape};
use lab::{compared_numbers, AccessCounts, GpuNumbers, Histogram, KernelReport, Misses, SetRow, TimeRow};
use wasm_bindgen::prelude::*;

/// The numbers that are compared, in the order of their table.
#[wasm_bindgen(unchecked_return_type = "page.ComparedNumber[]")]
pub fn comparison_numbers() -> Result<JsValue, JsValue> {
    to_js(&compared_numbers())
}

/// Reads the baseline of a figure. Without one, the figure is of one run.
pub fn read_base(base: JsValue) -> Result<Option<FigureBase>, JsValue> {
    from_js("baseline", "numbers of the baseline", base)
}

impl FigureBase {
    /// The parts of a kernel's report that figures draw.
    pub fn kernel(&self) -> KernelReport {
        let mut histogram = Histogram::default();
        for (distance, count) in &self.histogram {
            // `inf` is no number, and stands for the infinite distance.
            histogram.add_many(distance.parse().ok(), *count);
        }
        let set = |(set, &misses)| SetRow { set, counts: AccessCounts { requests: misses, ..AccessCounts::default() } };
        let timeline = self.timeline.iter().map(|row| TimeRow {
            tick: row.tick,
            requests: row.requests,
            misses: row.misses,
            mshrs: row.mshrs,
        });
        KernelReport {
            requests: histogram.total(),
            histogram,
            differential: (!self.program).then(Misses::default),
            ticks: self.ticks,
            sets: (0..).zip(&self.set_misses).map(set).collect(),
            timeline: timeline.collect(),
            ..KernelReport::default()
        }
    }
}

impl FlowShape {
    /// The parts of a kernel's numbers that the flow of bytes draws.
    pub fn numbers(&self) -> GpuNumbers {
        let mut n = GpuNumbers::default();
        (n.l1.sectors, n.l1.hits) = (self.l1_sectors, self.l1_hits);
        (n.l2.reads, n.l2.read_hits) = (self.l2_reads, self.l2_read_hits);
        (n.l2.writes, n.l2.atomics) = (self.l2_writes, self.l2_atomics);
        (n.dram.reads, n.dram.writes) = (self.dram_reads, self.dram_writes);
        let [issue, pipe, l2, dram, replies, requests] = self.busy;
        (n.busy.issue, n.busy.pipe, n.busy.l2) = (issue, pipe, l2);
        (n.busy.dram, n.busy.replies, n.busy.requests) = (dram, replies, requests);
        n
    }
}
