//! Stack distances: how many distinct lines lie between two accesses to the same line.
//!
//! In: line numbers in the order in which they take effect. Out: reuse distances, their histogram, and the miss ratio
//! of every cache size. Definition: HPCA'14 3.3; infinite at the first access. A fully associative LRU cache of `n`
//! lines hits iff `d < n`. Inside the cache model, lines are dense and come in sets: [`Stacks`]. For whole streams there
//! are engines: [`RankBits`] (streaming), [`Offline`] (streams in memory), [`SetStacks`] (few ways), [`Shards`]
//! (a sample), [`hp_rda`] (the IPDPS'12 approximation).
//!
//! Not modelled: replacement policies other than LRU; a stack distance says nothing about them.

mod bit_stack;
mod curve;
mod difference;
mod distinct;
mod fenwick;
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

pub use bit_stack::BitStack;
pub use curve::MissRatioCurve;
pub use difference::Difference;
pub use distinct::DistinctEstimate;
pub use fenwick::Fenwick;
pub use histogram::Histogram;
pub use hp_rda::{hp_rda, HpRda, HpRdaRun, HpRdaSettings, HpRdaTrace};
pub use offline::{Inversions, Offline};
pub use rank_bits::RankBits;
pub use set_stacks::SetStacks;
pub use shards::{Estimate, Shards};
pub use stacks::Stacks;
pub use streams::{Pattern, Stream};
pub use summary::Summary;

/// An exact analysis of a stream of lines. Histograms of all engines are equal.
pub trait Engine: Send {
    /// Takes the next accesses.
    fn push(&mut self, lines: &[u64]);

    /// Distinct lines so far.
    fn distinct(&self) -> u64;

    /// Bytes on the heap that the analysis needs.
    fn bytes(&self) -> usize;

    /// The distances of all accesses.
    fn finish(self: Box<Self>) -> Histogram;
}
