//! Reuse distances (stack distances) and miss-ratio curves.
//!
//! In: line numbers in order of the accesses. Out: reuse distances, their histogram, and the miss ratio of every cache
//! size. The reuse distance d of an access is the number of distinct lines since the previous access to the same line
//! (HPCA'14
//! 3.3). It is infinite for the first access. A fully associative LRU cache of `n` lines hits if and only if `d < n`.
//!
//! The cache models use [`LruStacks`], with dense lines in sets. For whole streams there are several engines:
//! [`RankBits`] (streaming), [`Offline`] (streams in memory), [`SetStacks`] (few ways), [`Shards`] (a sample) and
//! [`hp_rda`] (the IPDPS'12 approximation).
//!
//! Not modelled: replacement policies other than LRU, which a stack distance does not describe.

mod bit_stack;
mod curve;
mod difference;
mod distinct;
mod fenwick;
mod front;
mod histogram;
mod hp_rda;
mod offline;
mod rank_bits;
mod ranks;
mod set_stacks;
mod shards;
mod stacks;
mod streams;
mod summary;
mod table;

pub use curve::MissRatioCurve;
pub use difference::HistogramDifference;
pub use distinct::DistinctEstimate;
pub use fenwick::Fenwick;
pub use histogram::Histogram;
pub use hp_rda::{hp_rda, hp_rda_by_part, HpRda, HpRdaPart, HpRdaRun, HpRdaSettings, HpRdaTrace};
pub use offline::{Inversions, Offline};
pub use rank_bits::RankBits;
pub use set_stacks::SetStacks;
pub use shards::{Shards, ShardsEstimate};
pub use stacks::LruStacks;
pub use streams::{Pattern, SyntheticStream};
pub use summary::PartitionSummary;

/// An exact analysis of a stream of lines. All engines give equal histograms.
pub trait ReuseEngine: Send {
    /// Takes the next accesses.
    fn push_lines(&mut self, lines: &[u64]);

    /// Number of distinct lines so far.
    fn distinct(&self) -> u64;

    /// Heap of the analysis, in bytes.
    fn bytes(&self) -> usize;

    /// The histogram of all accesses.
    fn finish(self: Box<Self>) -> Histogram;
}
