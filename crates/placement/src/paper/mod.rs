//! The model of Huang & Li (CLUSTER'17) as printed: the time of a target placement from a sample placement.
//!
//! In: the sample's measured time and counters ([`settings::SampleCounters`]), and the counts of the simulated caches.
//! Out: a [`crate::Prediction`] whose T, Tcomp, Tmem and Toverlap are the results of equations 1 to 19.
//!
//! * [`settings`]: what the user gives, and what the paper leaves open.
//! * [`predict`]: equations 2 to 5 and 13 to 19 for one placement, then 1, 11 and 12.
//! * [`training`]: the coefficients of equation 11, and their error on kernels that were left out.
//!
//! The paper leaves these points open, and we assume:
//! * Equations 16 and 17 are lost in our copy. [`crate::equations`] has the form of Sim et al., with their constant latency
//!   of main memory. Γ is 0 unless it is given.
//! * ILP is 1. MLP is the mean number of loads that follow each other without other instructions in a trace. The departure delay
//!   of Hong & Kim is 1 cycle.
//! * An instruction between two requests takes the EIT of equation 13 ([`settings::Arrivals`]).
//! * Where a bank has ρ ≥ 0.95, equation 9 has no value or grows without limit. Little's law bounds the wait: no more
//!   requests are at a bank than the resident warps have there.
//! * Of the row and column bits, the lowest three are the column. Bank names are hashed to the banks of the board
//!   ([`dram::Mapping::reported`]).
//! * Replays (5) are one for each instruction of `double`, if the trace knows them, and (6) to (10) are none, unless
//!   the sample's counters are given.
//! * The copy of a tile takes its bytes over the peak bandwidth (III-B). No computation overlaps with it.

pub(crate) mod predict;
pub(crate) mod settings;
pub(crate) mod training;

pub use predict::PaperPrediction;
pub use settings::{Arrivals, Coefficients, PaperOverlap, PaperSettings, SampleCounters, EVENTS};
pub use training::{coefficients, train, LeftOutErrors, Observation, Regression, Training, FEWEST};
