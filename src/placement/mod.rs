//! Where should each array live: predicts the time of every placement of a kernel's arrays from one trace of it.
//!
//! In: a trace with arrays ([`Kernel::new`]), a GPU ([`Machine::of`]), the placement that the trace was taken with, and
//! [`Settings`]. Out: a [`Prediction`] per placement (Tcomp, Tmem, Toverlap and the counts behind them), what is not legal
//! and why, and the best placements found by [`Search`].
//!
//! Source: Huang & Li, "Performance modeling for optimal data placement on GPU with heterogeneous memory systems",
//! CLUSTER'17, equations 1 to 19; the parts that come from Sim et al. (PPoPP'12) and Hong & Kim (ISCA'09) are marked in
//! [`equations`]. [`Settings::seed`] is the model as printed, [`Settings::default`] what is put right in it; every
//! difference is a switch.
//!
//! Beyond the paper, all inferred: T by the longest chain of waits beside the throughputs ([`equations::time_of_chains`]), passes
//! of the load-store unit, lines that an SM can have on the way, tiles that hold what is touched side by side.
//!
//! Not modelled: values and register dependences (a trace has none), instruction caches, TLBs, write-back of dirty lines
//! (a written line counts when it first misses, and not at all in an L2 that holds every line), padding or other changes to the
//! algorithm, distributed shared memory. A trace of few blocks stands for as many SMs as it has blocks, so bandwidth is too
//! generous there. The numbers rank placements; as times they are rough.

mod addressing;
mod bound;
mod caches;
mod chains;
mod confidence;
mod copying;
pub mod equations;
mod fit;
mod footprint;
mod hierarchy;
mod kernel;
mod lru;
mod machine;
mod model;
mod order;
mod pace;
mod packing;
mod parts;
pub mod replay;
mod screen;
mod search;
mod settings;
mod space;
mod terms;
mod texture;
mod tiles;

pub use addressing::{Addressing, Shape};
pub use confidence::Chance;
pub use fit::{fit, untrained, Fit, Sample, FEWEST};
pub use hierarchy::Traffic;
pub use kernel::{ArrayUse, Kernel, Rows};
pub use machine::Machine;
pub use model::{Evaluator, Prediction};
pub use search::{Limits, Outcome, Ranked, Search};
pub use settings::{Amat, Overlap, ReplayCount, Requests, Settings, FEATURES};
pub use space::{forbidden, nominal, options, placement_at, too_much, Memory, Placement, CONSTANT_BYTES};
pub use texture::blocked_offset;
pub use tiles::Tile;
