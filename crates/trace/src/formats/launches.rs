//! Builds several kernels from interleaved accesses, as NVBit's tools print them.
//!
//! In: launches and accesses in any order, each with its context and launch number. Out: one [`Trace`] per launch, in
//! order of their first line.
//!
//! Some tools number the warps as the hardware does, or over the whole grid. If a number is too large for the block, or
//! if the size of the block is unknown, the warps of each block are renumbered from 0 in order. The result is exact if
//! every warp of a block makes an access.

use crate::formats::text::Line;
use crate::{Dim3, Launch, Site, Trace, TraceBuilder};
use base::{Diagnostics, Severity};
use rustc_hash::FxHashMap;

/// Context and number of a launch.
pub(crate) type LaunchKey = (u64, u64);

/// Heap of a builder without accesses and of its entry in the map.
const LAUNCH_BYTES: usize = 1 << 10;

/// The trace builders of all launches.
///
/// The reader checks the heap after every chunk, and the sum over all builders would be slow for files with many
/// launches. So `others` keeps the sum of all builders but the current one.
pub(crate) struct InterleavedLaunches {
    /// Name of the file, for kernels without a name.
    file: String,
    numbers: FxHashMap<LaunchKey, usize>,
    builders: Vec<TraceBuilder>,
    /// The launch of the last line and the index of its builder.
    last: Option<(LaunchKey, usize)>,
    /// Heap of all other builders.
    others: usize,
}

/// One access of a launch.
pub(crate) struct LaunchAccess<'a> {
    pub key: LaunchKey,
    pub block: Dim3,
    pub warp: u32,
    pub mask: u32,
    /// Addresses of the active lanes.
    pub addresses: &'a [u64],
}

impl InterleavedLaunches {
    pub fn new(file: &str) -> Self {
        Self { file: file.into(), numbers: FxHashMap::default(), builders: Vec::new(), last: None, others: 0 }
    }

    /// Adds a launch. A second one with the same key has no effect.
    pub fn add_launch(&mut self, key: LaunchKey, name: Option<String>, launch: Launch) {
        self.select_launch(key, name, Some(launch));
    }

    fn select_launch(&mut self, key: LaunchKey, name: Option<String>, launch: Option<Launch>) -> &mut TraceBuilder {
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
    pub fn add_access(&mut self, access: LaunchAccess, site: Site) {
        let builder = self.select_launch(access.key, None, None);
        builder.select_warp(access.block, access.warp);
        if access.mask == 0 {
            return builder.add_instructions(1);
        }
        let site = builder.intern_site(site);
        builder.add_access(site, access.mask, access.addresses);
    }

    /// Adds an instruction without an address.
    pub fn add_instruction(&mut self, key: LaunchKey, block: Dim3, warp: u32) {
        let builder = self.select_launch(key, None, None);
        builder.select_warp(block, warp);
        builder.add_instructions(1);
    }

    pub fn heap_bytes(&self) -> usize {
        let last = self.last.map_or(0, |(_, at)| self.builders[at].heap_bytes() + LAUNCH_BYTES);
        self.others + last
    }

    /// The kernels that have instructions.
    pub fn finish(self, diagnostics: &mut Diagnostics) -> Vec<Trace> {
        let mut kernels: Vec<Trace> = self.builders.into_iter().map(TraceBuilder::finish).collect();
        kernels.retain(|kernel| !kernel.warps.is_empty());
        let renumbered = kernels.iter_mut().filter_map(renumber_warps).count();
        if renumbered > 0 {
            let found = {
                let (all, s) = (kernels.len(), base::plural(kernels.len() as u64, "s"));
                format!("the tool's own numbers in {renumbered} of {all} kernel{s}")
            };
            let help = "the warps of every block were renumbered in order";
            diagnostics.add(Severity::Note, None, "a warp's index in its block", found, help);
        }
        if kernels.is_empty() {
            let help = "trace the program again; the tool prints one line per access of a warp";
            diagnostics.add(Severity::Error, None, "at least one access", "none", help);
        }
        kernels
    }
}

/// Renumbers the warps of every block from 0 if their numbers cannot be indices in a block. Returns `None` if nothing
/// changes.
fn renumber_warps(kernel: &mut Trace) -> Option<()> {
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

/// Writes the addresses that are not 0 to `out`. Returns the mask of their lanes and their number.
pub(crate) fn active_lanes(all: &[u64; 32], out: &mut [u64; 32]) -> (u32, usize) {
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

/// Reports a line that the tool garbled.
pub(crate) fn report_skipped_line(line: Line, expected: &str, found: String, diagnostics: &mut Diagnostics) {
    let help = "the line was skipped; other output may have been printed into it";
    diagnostics.add(Severity::Warning, Some(line.number), expected, found, help);
}
