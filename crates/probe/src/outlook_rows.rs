//! The findings of the outlook's experiments beside what the GPU hid, one row per value.

use crate::outlook::{OutlookFound, ReachFound};
use crate::outlook_gpu::ReachLevel;
use crate::raw::ProbedMemory;
use crate::virtual_gpu::GpuSpec;

/// A value that was found, and the hidden one.
#[derive(Clone, Debug, PartialEq)]
pub struct OutlookValue {
    /// `instruction_cache`, `page`, `tlb`, `bandwidth`, `l2_parts` or `cores_sharing`.
    pub quantity: &'static str,
    /// The number of the level from 1, or the name of the memory.
    pub of: String,
    /// `bytes`, `bytes_per_cycle` or `count`.
    pub unit: &'static str,
    /// The value found. `None` if there was no change, or if only a bound is known.
    pub found: Option<f64>,
    /// The value is at least this.
    pub at_least: Option<f64>,
    /// The 95 % interval.
    pub interval: Option<(f64, f64)>,
    /// The hidden value.
    pub truth: f64,
    /// A size is right if it is off by at most one step of the sweep or 2 %, a bandwidth if it is off by at most 5 %, a
    /// bound if it holds, and another value if it is equal.
    pub right: bool,
}

/// A bandwidth counts as right if it is off by at most this share.
const BANDWIDTH: f64 = 0.05;

fn value(quantity: &'static str, of: &str, unit: &'static str, truth: f64) -> OutlookValue {
    let (found, at_least, interval) = (None, None, None);
    OutlookValue { quantity, of: of.into(), unit, found, at_least, interval, truth, right: false }
}

fn reaches(out: &mut Vec<OutlookValue>, quantity: &'static str, hidden: &[ReachLevel], found: &[ReachFound]) {
    for (i, level) in hidden.iter().enumerate() {
        let mut row = value(quantity, &(i + 1).to_string(), "bytes", level.bytes as f64);
        if let Some(found) = found.get(i) {
            row.found = found.bytes.map(|bytes| bytes as f64);
            row.at_least = found.larger_than.map(|bytes| bytes as f64);
            row.interval = found.interval.map(|(low, high)| (low as f64, high as f64));
            row.right = match (found.bytes, found.larger_than) {
                (Some(bytes), _) => bytes.abs_diff(level.bytes) <= found.step.max(level.bytes / 50),
                (None, Some(least)) => level.bytes >= least,
                (None, None) => false,
            };
        }
        out.push(row);
    }
}

/// All values, in the order of the experiments.
pub fn outlook_values(spec: &GpuSpec, found: &OutlookFound) -> Vec<OutlookValue> {
    let hidden = &spec.outlook;
    let mut out = Vec::new();
    reaches(&mut out, "instruction_cache", &hidden.code, &found.code);
    let page = hidden.tlbs.first().map_or(0, |level| level.entry);
    let equal = |row: OutlookValue, found: Option<f64>| OutlookValue { right: found == Some(row.truth), found, ..row };
    out.push(equal(value("page", "", "bytes", page as f64), found.page.map(|bytes| bytes as f64)));
    reaches(&mut out, "tlb", &hidden.tlbs, &found.tlbs);
    for one in &found.bandwidths {
        let truth = hidden.bandwidths.iter().find(|(memory, _)| *memory == one.memory).map_or(0.0, |(_, b)| *b);
        let mut row = value("bandwidth", one.memory.name(), "bytes_per_cycle", truth);
        let near = (one.bytes_per_cycle / truth - 1.0).abs() <= BANDWIDTH;
        if one.saturated_from.is_some() {
            (row.found, row.interval, row.right) = (Some(one.bytes_per_cycle), one.interval, near);
        } else {
            (row.at_least, row.right) = (Some(one.bytes_per_cycle), near || one.bytes_per_cycle <= truth);
        }
        out.push(row);
    }
    if spec.level(ProbedMemory::L2).is_some() {
        let parts = found.l2.map(|(measured, whole)| libm::round(whole as f64 / measured.max(1) as f64));
        out.push(equal(value("l2_parts", ProbedMemory::L2.name(), "count", hidden.l2_parts as f64), parts));
    }
    for (memory, cores) in &found.cores {
        let row = value("cores_sharing", memory.name(), "count", f64::from(spec.cores_sharing(*memory)));
        out.push(equal(row, Some(f64::from(*cores))));
    }
    out
}
