//! Figures of a run beside a baseline. The page keeps the report of the baseline and sends the numbers that a figure needs of it
//! as one list, because a worker holds one report. `www/app/figure-numbers.ts` writes these lists.

use crate::js::error;
use lab::{AccessCounts, GpuCoreRow, GpuNumbers, GpuRoofline, Histogram, KernelReport, Misses, SetRow, TimeRow};
use wasm_bindgen::prelude::*;

/// Why a list was refused.
pub fn bad_baseline() -> JsValue {
    error("baseline", "the numbers of a figure", "another list", "pin the baseline again")
}

/// The distance that stands for the infinite one.
const INFINITE: f64 = -1.0;

/// The next numbers of a list.
struct List<'l>(&'l [f64]);

impl<'l> List<'l> {
    fn take(&mut self, count: usize) -> Option<&'l [f64]> {
        let (front, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(front)
    }

    fn next(&mut self) -> Option<f64> {
        self.take(1).map(|front| front[0])
    }

    /// Rows of `width` numbers, after their count.
    fn rows(&mut self, width: usize) -> Option<std::slice::ChunksExact<'l, f64>> {
        let count = self.next()? as usize;
        self.take(count.checked_mul(width)?).map(|all| all.chunks_exact(width))
    }
}

/// The parts of a kernel's report that figures of one L1 draw, and its ways. The list has the ways, 1 for the model
/// `reference`, the ticks; then, each after their number, pairs of distance and requests, requests, hits and latency misses by set, and tick, requests,
/// misses and busy MSHRs by interval.
pub fn read_kernel(list: &[f64]) -> Option<(KernelReport, u64)> {
    let mut list = List(list);
    let (ways, program, ticks) = (list.next()? as u64, list.next()? == 1.0, list.next()? as u64);
    let mut histogram = Histogram::default();
    for row in list.rows(2)? {
        histogram.add_many((row[0] != INFINITE).then_some(row[0] as u32), row[1] as u64);
    }
    let set = |(set, row): (u32, &[f64])| SetRow {
        set,
        counts: AccessCounts {
            requests: row[0] as u64,
            hits: row[1] as u64,
            latency: row[2] as u64,
            ..AccessCounts::default()
        },
    };
    let sets = (0..).zip(list.rows(3)?).map(set).collect();
    let time =
        |row: &[f64]| TimeRow { tick: row[0] as u64, requests: row[1] as u64, misses: row[2] as u64, mshrs: row[3] };
    let kernel = KernelReport {
        requests: histogram.total(),
        histogram,
        differential: (!program).then(Misses::default),
        ticks,
        sets,
        timeline: list.rows(4)?.map(time).collect(),
        ..KernelReport::default()
    };
    Some((kernel, ways))
}

/// The parts of a kernel's numbers that the flow of bytes draws. The list has sectors and hits of the L1; reads, hits, writes and
/// atomics of the L2; reads and writes of DRAM; then the busy shares of the issue slots, the pipes, the L2, DRAM, and the links
/// from and to the L2.
pub fn read_flow(list: &[f64]) -> Option<GpuNumbers> {
    let mut n = GpuNumbers::default();
    let (counts, busy) = (list.get(..8)?, list.get(8..14)?);
    let count = |at: usize| counts[at] as u64;
    (n.l1.sectors, n.l1.hits) = (count(0), count(1));
    (n.l2.reads, n.l2.read_hits, n.l2.writes, n.l2.atomics) = (count(2), count(3), count(4), count(5));
    (n.dram.reads, n.dram.writes) = (count(6), count(7));
    (n.busy.issue, n.busy.pipe, n.busy.l2) = (busy[0], busy[1], busy[2]);
    (n.busy.dram, n.busy.replies, n.busy.requests) = (busy[3], busy[4], busy[5]);
    Some(n)
}

/// The rows of the cores, after their number: core, sectors and hits.
pub fn read_cores(list: &[f64]) -> Option<Vec<GpuCoreRow>> {
    let row = |row: &[f64]| GpuCoreRow { core: row[0] as u32, l1_sectors: row[1] as u64, l1_hits: row[2] as u64 };
    Some(List(list).rows(3)?.map(row).collect())
}

/// The points of a roofline: operations per second, and those per byte of the L2 and of DRAM, each -1 where no byte moves.
pub fn read_roofline(list: &[f64]) -> Option<GpuRoofline> {
    let &[operations_per_second, l2, dram] = list else { return None };
    let [per_l2_byte, per_dram_byte] = [l2, dram].map(|per_byte| (per_byte >= 0.0).then_some(per_byte));
    Some(GpuRoofline { operations_per_second, per_l2_byte, per_dram_byte, ..GpuRoofline::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_the_kernel_that_it_was_written_from() {
        let list = [
            4.0, 1.0, 99.0, 2.0, 3.0, 10.0, INFINITE, 5.0, 2.0, 9.0, 2.0, 1.0, 8.0, 0.0, 3.0, 1.0, 0.0, 15.0, 9.0, 2.5,
        ];
        let (kernel, ways) = read_kernel(&list).unwrap();
        assert_eq!((ways, kernel.ticks, kernel.requests), (4, 99, 15));
        assert!(kernel.differential.is_none());
        assert_eq!((kernel.histogram.counts()[&3], kernel.histogram.infinite()), (10, 5));
        let sets: Vec<_> =
            kernel.sets.iter().map(|row| (row.counts.requests, row.counts.hits, row.counts.latency)).collect();
        assert_eq!(sets, [(9, 2, 1), (8, 0, 3)]);
        assert_eq!((kernel.timeline[0].misses, kernel.timeline[0].mshrs), (9, 2.5));
        for end in 0..list.len() {
            assert!(read_kernel(&list[..end]).is_none(), "{end} numbers");
        }
    }

    #[test]
    fn a_list_is_the_cores_and_the_roofline_that_it_was_written_from() {
        let cores = read_cores(&[2.0, 0.0, 9.0, 4.0, 3.0, 8.0, 0.0]).unwrap();
        let rows: Vec<_> = cores.iter().map(|row| (row.core, row.l1_sectors, row.l1_hits)).collect();
        assert_eq!(rows, [(0, 9, 4), (3, 8, 0)]);
        let roofline = read_roofline(&[5e9, 2.5, -1.0]).unwrap();
        assert_eq!((roofline.operations_per_second, roofline.per_l2_byte), (5e9, Some(2.5)));
        assert!(roofline.per_dram_byte.is_none() && read_roofline(&[1.0]).is_none() && read_cores(&[1.0]).is_none());
    }

    #[test]
    fn a_list_is_the_flow_that_it_was_written_from() {
        let list: Vec<f64> = (1..15).map(f64::from).collect();
        let n = read_flow(&list).unwrap();
        assert_eq!((n.l1.hits, n.l2.atomics, n.dram.writes, n.busy.issue, n.busy.requests), (2, 6, 8, 9.0, 14.0));
        assert!(read_flow(&list[1..]).is_none());
    }
}
