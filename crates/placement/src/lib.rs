//! Predicts the time of every placement of a kernel's arrays in the GPU's memories, from one trace of the kernel.
//!
//! In: a trace with arrays ([`PlacementKernel::new`]), a GPU ([`Machine::from_topology`]), the placement of the traced
//! run, and [`Settings`]. Out: a [`Prediction`] per placement (Tcomp, Tmem, Toverlap and their counts), the reasons
//! why placements are illegal, and the best placements found by [`PlacementSearch`]. [`Judging`] then runs the most
//! promising ones on the whole GPU (crate `machine`), each as the trace of a rewritten text, or else as a trace of the
//! kernel with its arrays moved.
//!
//! Two models share the trace, the caches and the search. [`Settings::default`] is our own, which chooses what runs on
//! the whole GPU. [`Settings::paper`] is that of Huang & Li, "Performance modeling for optimal data placement on GPU with
//! heterogeneous memory systems", CLUSTER'17, equations 1 to 19, as printed (module `paper`).
//!
//! Our own model differs from the paper in these points, which are all inferred:
//! * T combines the longest chain of waits with the time of each resource ([`equations::time_of_resources`]).
//! * A replay costs a pass of the load-store unit, and (1) counts distinct segments.
//! * Loads are counted in place of transactions, and loads that follow each other wait together.
//! * A bank is busy for less time than its latency, and waits follow from the sequence of requests.
//! * The number of lines that an SM can have in flight is limited, and a load that finds its line in flight waits for it.
//! * Tiles hold elements that are touched together next to each other. Their copies take instructions and barriers.
//!
//! Not modelled by the equations: values and register dependences, instruction caches, TLBs, changes to the algorithm,
//! and distributed shared memory. A written line goes to memory when it leaves the L2. A trace of few blocks stands for
//! as many SMs as it has blocks, so its bandwidth is too generous. The equations choose what runs on the machine. As
//! times they are rough.

mod judge;
mod model;
mod paper;
mod search;
mod space;

pub use judge::{Judge, JudgeRun, Judging, MachineTime, Retrace, Retracer, Timing};
pub use model::{equations, replay};
pub use model::{
    ArrayUse, Evaluator, Machine, MeasuredMemory, PlacementKernel, Prediction, ReplayCount, Settings, Traffic,
    ACCESSES_MAX,
};
pub use paper::{coefficients, train, LeftOutErrors, Observation, Regression, Training, FEWEST};
pub use paper::{Arrivals, Coefficients, PaperOverlap, PaperPrediction, PaperSettings, SampleCounters, EVENTS};
pub use search::{chances_of_times, Chance, MOVED_NOISE, TEXT_NOISE};
pub use search::{PlacementSearch, RankedPlacement, SearchLimits, SearchOutcome};
pub use space::{blocked_offset, Addressing, IndexShape, Tile};
pub use space::{forbidden, nominal, options, placement_at, too_much, Memory, Placement, CONSTANT_BYTES};
