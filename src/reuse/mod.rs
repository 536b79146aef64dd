//! Stack distances: how many distinct lines lie between two accesses to the same line.
//!
//! In: line numbers (small, dense) in the order in which they take effect. Out: reuse distances and their histogram.
//! Definition: HPCA'14 3.3; infinite at the first access. A fully associative LRU cache of `n` lines hits iff `d < n`.
//!
//! Not modelled: replacement policies other than LRU; a stack distance says nothing about them.

mod bit_stack;
mod histogram;
mod stacks;

pub use bit_stack::BitStack;
pub use histogram::Histogram;
pub use stacks::Stacks;
