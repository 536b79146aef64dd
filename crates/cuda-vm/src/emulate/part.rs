//! Launches of which the first blocks run alone.

use crate::warps::launch_run::BlockLimit;

/// How much of a launch runs: all of it, or its first blocks. The grid stays that of the launch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum LaunchPart {
    /// All blocks.
    #[default]
    Whole,
    /// If all blocks like the first one would have more than `most` warp accesses, as many as have `wanted`. A launch ends in any case
    /// before a block like the last one would bring it over `most`, unless its blocks wait for each other.
    Accesses {
        /// Warp accesses of a launch that runs as a whole, at most.
        most: u64,
        /// Warp accesses of the part of a longer launch.
        wanted: u64,
    },
    /// So many blocks of each launch that runs to its end, in their order. Launches after those in the list run as a whole.
    Blocks(Vec<u64>),
}

impl LaunchPart {
    /// The blocks of the launch with this number, counted from 0 among those that run to their end.
    pub(super) fn limit(&self, launch: usize) -> BlockLimit {
        match self {
            Self::Whole => BlockLimit::None,
            Self::Accesses { most, wanted } => BlockLimit::Accesses { most: *most, wanted: *wanted },
            Self::Blocks(counts) => counts.get(launch).map_or(BlockLimit::None, |count| BlockLimit::Blocks(*count)),
        }
    }
}
