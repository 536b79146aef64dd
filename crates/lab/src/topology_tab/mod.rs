//! The Topology tab: draws, measures and discovers the caches of a GPU.

pub(crate) mod bench;
pub(crate) mod blocks;
pub(crate) mod curve;
pub(crate) mod discovered;
pub(crate) mod facts;
pub(crate) mod guess;
pub(crate) mod machine;
pub(crate) mod measured;
