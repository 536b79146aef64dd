//! What a profiler measured, as plain data.

use crate::check::counter::Counter;
use crate::scenario::LaunchState;
use std::collections::BTreeMap;

/// Launches that are read of a file. A program has fewer, and a crafted file must not fill the memory.
pub(crate) const MOST_LAUNCHES: usize = 1 << 18;

/// What a file with more launches is told.
pub(crate) const TOO_MANY_LAUNCHES: &str = "the launches after these are left out";

/// Characters of a name that are kept. Names of templates are long, but not longer.
const LONGEST_NAME: usize = 4000;

/// A name or another text of a file, at most [`LONGEST_NAME`] characters of it.
pub(crate) fn clipped(text: &str) -> String {
    match text.char_indices().nth(LONGEST_NAME) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}

/// What a profiler measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profile {
    /// The state of the caches that its way of measuring leaves.
    pub state: LaunchState,
    /// The name of the tool.
    pub tool: &'static str,
    /// The GPU that was measured, as the tool names it. It is empty if the file does not say.
    pub device: String,
    /// The launches in the order of the file.
    pub launches: Vec<ProfiledLaunch>,
    /// Metrics that have no counterpart in the model.
    pub unknown_metrics: usize,
    /// Launches without values that can be compared, because they failed or were not profiled to the end.
    pub left_out: usize,
}

/// A kernel launch, or the average of all launches of a kernel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProfiledLaunch {
    /// The kernel as the tool writes it, with arguments. It is empty if the file does not name it.
    pub kernel: String,
    /// The values of a tuner's parameters, such as `TILE=4, UNROLL=2`.
    pub configuration: String,
    /// The sizes of the launch, if the file has them and a tuner wrote it: it measures many launches of one kernel.
    pub sizes: Option<LaunchSizes>,
    /// The number of the launch in the program, counted from 1, if the file names the launch in this way.
    pub number: Option<u32>,
    /// True if the values are averages over launches.
    pub is_average: bool,
    /// The known counters with their values.
    pub counters: BTreeMap<Counter, f64>,
}

/// The sizes of a launch in x, y and z.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaunchSizes {
    /// Blocks, or threads in all: versions of KTT differ.
    pub global: [u64; 3],
    /// Threads of a block.
    pub local: [u64; 3],
}

impl LaunchSizes {
    /// Whether a launch with this grid and block has these sizes.
    pub(crate) fn fits(&self, grid: [u32; 3], block: [u32; 3]) -> bool {
        let (grid, block) = (grid.map(u64::from), block.map(u64::from));
        let threads = [grid[0] * block[0], grid[1] * block[1], grid[2] * block[2]];
        self.local == block && (self.global == grid || self.global == threads)
    }
}

impl Profile {
    /// Adds what another file measured. Files of one program come in several pieces, such as one per kernel.
    pub fn merge(&mut self, other: Profile) {
        if self.launches.is_empty() {
            *self = other;
            return;
        }
        self.launches.extend(other.launches);
        self.unknown_metrics += other.unknown_metrics;
        self.left_out += other.left_out;
        if self.tool != other.tool {
            (self.tool, self.state) = (other.tool, other.state);
        }
        if self.device.is_empty() {
            self.device = other.device;
        }
    }
}
