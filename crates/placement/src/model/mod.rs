//! The time of one placement: the inputs of the model, the simulation of the caches, and the equations.

pub(crate) mod access;
pub(crate) mod access_order;
pub(crate) mod additive;
pub(crate) mod caches;
pub mod equations;
pub(crate) mod evaluator;
pub(crate) mod hierarchy;
pub(crate) mod kernel;
pub(crate) mod longest_chain;
pub(crate) mod lru;
pub(crate) mod machine;
pub mod replay;
pub(crate) mod request_table;
pub(crate) mod settings;
pub(crate) mod simulate;
pub(crate) mod terms;
pub(crate) mod traffic;

pub use evaluator::{Evaluator, Prediction};
pub use kernel::{ArrayUse, PlacementKernel, ACCESSES_MAX};
pub use machine::{Machine, MeasuredMemory};
pub use settings::{ReplayCount, Settings};
pub use traffic::Traffic;
