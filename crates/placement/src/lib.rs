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
//! Beyond the paper, all inferred: T is the geometric mean of two times, one from the longest chain of waits beside what each
//! resource takes ([`equations::time_of_resources`]), one from a run in which warps take their turns in time, which is a small
//! simulation; passes of the load-store unit, which replays are; lines that an SM can have on the way; tiles that hold what is
//! touched side by side. The clock of that run has every load wait for those before it in the order of a fair scheduler: against
//! hardware (`tests/placement_gemm.rs`) it alone is far too slow, and only the mean of both is of use.
//!
//! Not modelled: values and register dependences (a trace has none), instruction caches, TLBs, padding or other changes to the
//! algorithm, distributed shared memory. A written line goes to memory when it has to leave the L2. A trace of few blocks
//! stands for as many SMs as it has blocks, so bandwidth is too generous there. The numbers rank placements; as times they are rough.

mod model;
mod search;
mod space;

pub use model::{equations, replay};
pub use model::{fit, untrained, Fit, Sample, FEWEST};
pub use model::{Amat, Overlap, ReplayCount, Requests, Settings, FEATURES};
pub use model::{ArrayUse, Evaluator, Kernel, Machine, Prediction, Rows, Traffic};
pub use search::{Chance, Limits, Outcome, Ranked, Search};
pub use space::{blocked_offset, Addressing, Shape, Tile};
pub use space::{forbidden, nominal, options, placement_at, too_much, Memory, Placement, CONSTANT_BYTES};
