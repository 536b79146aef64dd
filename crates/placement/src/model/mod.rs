//! The time of one placement: the kernel and the machine as the model reads them, the caches' run, and the equations.

pub(crate) mod agenda;
pub(crate) mod asked;
pub(crate) mod caches;
pub(crate) mod chains;
pub(crate) mod copying;
pub(crate) mod entry;
pub mod equations;
pub(crate) mod evaluator;
pub(crate) mod fit;
pub(crate) mod hierarchy;
pub(crate) mod kernel;
pub(crate) mod lru;
pub(crate) mod machine;
pub(crate) mod order;
pub(crate) mod pace;
pub(crate) mod parts;
pub mod replay;
pub(crate) mod settings;
pub(crate) mod terms;
pub(crate) mod traffic;

pub use evaluator::{Evaluator, Prediction};
pub use fit::{fit, untrained, Fit, Sample, FEWEST};
pub use kernel::{ArrayUse, Kernel, Rows};
pub use machine::Machine;
pub use settings::{Amat, Overlap, ReplayCount, Requests, Settings, FEATURES};
pub use traffic::Traffic;
