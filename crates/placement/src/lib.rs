//! Predicts the time of every placement of a kernel's arrays in the GPU's memories, from one trace of the kernel.
//!
//! In: a trace with arrays ([`PlacementKernel::new`]), a GPU ([`Machine::from_topology`]), the placement of the traced
//! run, and [`Settings`]. Out: a [`Prediction`] per placement (Tcomp, Tmem, Toverlap and their counts), the reasons
//! why placements are illegal, and the best placements found by [`PlacementSearch`]. [`Judging`] then runs the most
//! promising ones on the whole GPU (crate `machine`), each as the trace of a rewritten text, or else as a trace of the
//! kernel with its arrays moved.
//!
//! Source: Huang & Li, "Performance modeling for optimal data placement on GPU with heterogeneous memory systems",
//! CLUSTER'17, equations 1 to 19. [`equations`] marks the parts that come from Sim et al. (PPoPP'12) and Hong & Kim
//! (ISCA'09). [`Settings::seed`] is the model as printed and [`Settings::default`] the corrected one. Every difference
//! between them is a switch.
//!
//! The model goes beyond the paper in these points, which are all inferred:
//! * T combines the longest chain of waits with the time of each resource ([`equations::time_of_resources`]).
//! * A replay costs a pass of the load-store unit.
//! * The number of lines that an SM can have in flight is limited.
//! * Tiles hold elements that are touched together next to each other.
//!
//! Not modelled by the equations: values and register dependences, instruction caches, TLBs, changes to the algorithm,
//! and distributed shared memory. A written line goes to memory when it leaves the L2. A trace of few blocks stands for
//! as many SMs as it has blocks, so its bandwidth is too generous. The equations choose what runs on the machine. As
//! times they are rough.

mod judge;
mod model;
mod search;
mod space;

pub use judge::{Judge, JudgeRun, Judging, MachineTime, Retrace, Retracer};
pub use model::{equations, replay};
pub use model::{fit, Fit, Sample, FEWEST};
pub use model::{Amat, Overlap, ReplayCount, Requests, Settings, FEATURES};
pub use model::{ArrayUse, Evaluator, Machine, PlacementKernel, Prediction, Traffic};
pub use search::{chances_of_times, Chance, MACHINE_NOISE};
pub use search::{PlacementSearch, RankedPlacement, SearchLimits, SearchOutcome};
pub use space::{blocked_offset, Addressing, IndexShape, Tile};
pub use space::{forbidden, nominal, options, placement_at, too_much, Memory, Placement, CONSTANT_BYTES};
