//! What a profiler measured, as plain data.

use crate::check::counter::Counter;
use crate::scenario::LaunchState;
use std::collections::{BTreeMap, VecDeque};

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
    /// The sizes of the launch, if the file has them.
    pub sizes: Option<LaunchSizes>,
    /// True if a tuner measured: a launch of other sizes is another configuration then.
    pub tuned: bool,
    /// The number of the launch in the program, counted from 1, if the file names the launch in this way.
    pub number: Option<u32>,
    /// True if the values are averages over launches.
    pub is_average: bool,
    /// The known counters with their values.
    pub counters: BTreeMap<Counter, f64>,
}

impl ProfiledLaunch {
    /// What the launches of two files have in common if they are one.
    fn identity(&self) -> (&str, &str, Option<LaunchSizes>, Option<u32>, bool) {
        (&self.kernel, &self.configuration, self.sizes, self.number, self.is_average)
    }
}

/// The sizes of a launch in x, y and z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
    /// Adds what another file measured. Files of one program come in several pieces, such as one per kernel or one per
    /// metric.
    pub fn merge(&mut self, other: Profile) {
        if self.launches.is_empty() {
            *self = other;
            return;
        }
        let again = if self.tool == other.tool { self.measured_again(&other) } else { Vec::new() };
        let mut launches: Vec<_> = other.launches.into_iter().map(Some).collect();
        for (own, at) in again {
            let counters = launches[at].take().map(|launch| launch.counters).unwrap_or_default();
            for (counter, value) in counters {
                self.launches[own].counters.entry(counter).or_insert(value);
            }
        }
        self.launches.extend(launches.into_iter().flatten());
        self.unknown_metrics += other.unknown_metrics;
        self.left_out += other.left_out;
        if self.tool != other.tool {
            (self.tool, self.state) = (other.tool, other.state);
        }
        if self.device.is_empty() {
            self.device = other.device;
        }
    }

    /// Launches of which another file has further counters: their places here and there, in order. Two launches with a
    /// counter in common are two launches, unless both are averages.
    fn measured_again(&self, other: &Profile) -> Vec<(usize, usize)> {
        let mut rest: BTreeMap<_, VecDeque<usize>> = BTreeMap::new();
        for (at, launch) in other.launches.iter().enumerate() {
            rest.entry(launch.identity()).or_default().push_back(at);
        }
        let mut again = Vec::new();
        for (own, launch) in self.launches.iter().enumerate() {
            let Some(places) = rest.get_mut(&launch.identity()) else { continue };
            let Some(&at) = places.front() else { continue };
            let mut counters = other.launches[at].counters.keys();
            if launch.is_average || !counters.any(|counter| launch.counters.contains_key(counter)) {
                places.pop_front();
                again.push((own, at));
            }
        }
        again
    }
}
