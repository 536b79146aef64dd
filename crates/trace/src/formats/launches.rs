//! Kernels whose accesses arrive mixed, each with the context and the launch it belongs to, as NVBit's tools print them.
//!
//! In: launches and accesses in any order. Out: one [`Trace`] per launch, in the order in which they were first seen.
//!
//! Tools number warps as the hardware does or over the whole grid. Where a number is too large for the block, or the
//! block's size is not known, the warps of a block are numbered anew, in their order; that is exact when every warp of a
//! block makes an access.

use crate::formats::text::Line;
use crate::{Dim3, Launch, Site, Trace, TraceBuilder};
use base::{Diagnostics, Severity};
use rustc_hash::FxHashMap;

/// Context and number of a launch.
pub(crate) type Key = (u64, u64);

/// A builder's fixed part and its entry in the map.
const LAUNCH_BYTES: usize = 1 << 10;

pub(crate) struct Launches {
    /// Names kernels that have none.
    file: String,
    numbers: FxHashMap<Key, usize>,
    builders: Vec<TraceBuilder>,
    /// The launch that was used last, and the heap of all others.
    last: Option<(Key, usize)>,
    others: usize,
}

/// What a line says of one access.
pub(crate) struct Record<'a> {
    pub key: Key,
    pub block: Dim3,
    pub warp: u32,
    pub mask: u32,
    /// Addresses of the active lanes.
    pub addresses: &'a [u64],
}

impl Launches {
    pub fn new(file: &str) -> Self {
        Self { file: file.into(), numbers: FxHashMap::default(), builders: Vec::new(), last: None, others: 0 }
    }

    /// A launch line. A second one for the same number changes nothing.
    pub fn launch(&mut self, key: Key, name: Option<String>, launch: Launch) {
        self.find(key, name, Some(launch));
    }

    fn find(&mut self, key: Key, name: Option<String>, launch: Option<Launch>) -> &mut TraceBuilder {
        let at = match self.last {
            Some((last, at)) if last == key => at,
            last => {
                if let Some((_, at)) = last {
                    self.others += self.builders[at].heap_bytes() + LAUNCH_BYTES;
                }
                let next = self.builders.len();
                let at = *self.numbers.entry(key).or_insert(next);
                if at == next {
                    let none = Dim3::new(0, 0, 0);
                    let unknown = Launch { grid: none, block: none, shared_bytes: 0, registers: 0 };
                    let name = name.unwrap_or_else(|| format!("{} launch {}", self.file, key.1));
                    self.builders.push(TraceBuilder::new(name, launch.unwrap_or(unknown)));
                } else {
                    self.others = self.others.saturating_sub(self.builders[at].heap_bytes() + LAUNCH_BYTES);
                }
                self.last = Some((key, at));
                at
            }
        };
        &mut self.builders[at]
    }

    /// Adds an access of the instruction `site`.
    pub fn access(&mut self, record: Record, site: Site) {
        let builder = self.find(record.key, None, None);
        builder.select_warp(record.block, record.warp);
        if record.mask == 0 {
            return builder.instructions(1);
        }
        let site = builder.site(site);
        builder.access(site, record.mask, record.addresses);
    }

    /// Adds an instruction that has no address.
    pub fn instruction(&mut self, key: Key, block: Dim3, warp: u32) {
        let builder = self.find(key, None, None);
        builder.select_warp(block, warp);
        builder.instructions(1);
    }

    pub fn heap_bytes(&self) -> usize {
        let last = self.last.map_or(0, |(_, at)| self.builders[at].heap_bytes() + LAUNCH_BYTES);
        self.others + last
    }

    /// The kernels that have instructions.
    pub fn finish(self, diagnostics: &mut Diagnostics) -> Vec<Trace> {
        let mut kernels: Vec<Trace> = self.builders.into_iter().map(TraceBuilder::finish).collect();
        kernels.retain(|kernel| !kernel.warps.is_empty());
        let renumbered = kernels.iter_mut().filter_map(renumber).count();
        if renumbered > 0 {
            let found = format!("the tool's own numbers in {renumbered} of {} kernels", kernels.len());
            let help = "the warps of every block were numbered anew, in their order";
            diagnostics.add(Severity::Note, None, "a warp's index in its block", found, help);
        }
        if kernels.is_empty() {
            let help = "trace the program again; the tool prints one line per access of a warp";
            diagnostics.add(Severity::Error, None, "at least one access", "none", help);
        }
        kernels
    }
}

/// Numbers the warps of every block from 0 where they cannot be indices in a block.
fn renumber(kernel: &mut Trace) -> Option<()> {
    let per_block = kernel.launch.block.count().div_ceil(32);
    let known = per_block > 0 && kernel.warps.iter().all(|warp| u64::from(warp.index) < per_block);
    if known {
        return None;
    }
    let mut changed = false;
    for block in &kernel.blocks {
        let warps = &mut kernel.warps[block.warps.start as usize..block.warps.end as usize];
        for (index, warp) in warps.iter_mut().enumerate() {
            changed |= warp.index != index as u32;
            warp.index = index as u32;
        }
    }
    changed.then_some(())
}

/// Puts the lanes of 32 addresses that are not 0 together: the mask, and how many of `out` are used.
pub(crate) fn active(all: &[u64; 32], out: &mut [u64; 32]) -> (u32, usize) {
    let (mut mask, mut count) = (0, 0);
    for (lane, &address) in all.iter().enumerate() {
        if address != 0 {
            mask |= 1 << lane;
            out[count] = address;
            count += 1;
        }
    }
    (mask, count)
}

/// A sign that a tool dropped or garbled something, told with its line.
pub(crate) fn skipped(line: Line, expected: &str, found: String, diagnostics: &mut Diagnostics) {
    let help = "the line was skipped; other output may have been printed into it";
    diagnostics.add(Severity::Warning, Some(line.number), expected, found, help);
}
