//! The model's switches: every place where what is printed and what is put right differ.

use dram::{Queue, Service};

/// How replay (1) is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplayCount {
    /// Words over transaction size, as printed.
    Printed,
    /// Distinct segments.
    Segments,
}

/// Equation 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amat {
    /// One hit latency, that of the L2, for every request, shared ones included.
    Printed,
    /// Every level its own hit latency, shared requests without one.
    PerLevel,
}

/// What equation 17 counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requests {
    /// Every transaction, as printed; those of one instruction wait for each other.
    Transactions,
    /// Loads; the transactions of one leave one after the other and wait together.
    Loads,
}

/// Toverlap.
#[derive(Clone, Debug, PartialEq)]
pub enum Overlap {
    /// As in Sim et al.; needs no training.
    Sim,
    /// From the longest chain of a warp, the schedulers' and the memory's throughput; needs no training (inferred).
    Chains,
    /// Equations 11 and 12: coefficients of [`FEATURES`], each with mean and scale, and a constant.
    Regression {
        /// One per feature.
        coefficients: Vec<f64>,
        /// Means that are taken off the features.
        means: Vec<f64>,
        /// Scales that divide them.
        scales: Vec<f64>,
        /// Constant.
        constant: f64,
    },
}

/// Names of the events of equation 11; all but the last two are per warp-level memory instruction. The last one, the overlap
/// that [`Overlap::Chains`] finds, is not in the seed.
pub const FEATURES: [&str; 12] = [
    "L2 misses",
    "global requests",
    "constant misses",
    "constant requests",
    "texture misses",
    "texture requests",
    "bank conflicts",
    "shared requests",
    "row misses",
    "row conflicts",
    "warps / 64",
    "overlap by chains",
];

/// The model's switches.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Replay (1).
    pub replays: ReplayCount,
    /// Equation 5.
    pub amat: Amat,
    /// Equation 17.
    pub requests: Requests,
    /// Equations 6 to 10.
    pub queue: Queue,
    /// What a bank is busy with.
    pub service: Service,
    /// Arrivals: instructions alone set the pace (as printed), or no faster than bandwidth and outstanding loads let them.
    pub open_arrivals: bool,
    /// EIT is bounded by the issue width.
    pub issue_cap: bool,
    /// Replays cost the passes of the load-store unit that they are, in Tmem, and not issue slots as well (as printed).
    pub replay_passes: bool,
    /// Γ of equation 16.
    pub gamma: f64,
    /// Independent instructions of a warp in a row, ILP of equation 14; a trace does not tell.
    pub ilp: f64,
    /// Share of references whose addressing a loop hoists.
    pub hoisted: f64,
    /// Addressing is charged only where the trace has as many instructions before an access.
    pub see_hoisted: bool,
    /// Toverlap.
    pub overlap: Overlap,
    /// Loads that find their line on the way wait for it (not in the seed).
    pub merging: bool,
    /// Replays and addressing are counted (off: the seed's ablation of instruction counting).
    pub counting: bool,
    /// Waits and row events are modelled (off: main memory takes the same time for every request).
    pub queueing: bool,
    /// Requests go to the bank of their address (off: to all banks in turn).
    pub mapping: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            replays: ReplayCount::Segments,
            amat: Amat::PerLevel,
            requests: Requests::Loads,
            queue: Queue::Lindley,
            service: Service::Occupancy,
            open_arrivals: false,
            issue_cap: true,
            replay_passes: true,
            gamma: 0.0,
            ilp: 1.0,
            hoisted: 0.0,
            see_hoisted: true,
            overlap: Overlap::Chains,
            merging: true,
            counting: true,
            queueing: true,
            mapping: true,
        }
    }
}

impl Settings {
    /// The model as Huang & Li print it.
    pub fn seed() -> Self {
        Self {
            replays: ReplayCount::Printed,
            amat: Amat::Printed,
            requests: Requests::Transactions,
            queue: Queue::SeedPrinted,
            service: Service::Latency,
            open_arrivals: true,
            overlap: Overlap::Sim,
            merging: false,
            issue_cap: false,
            replay_passes: false,
            see_hoisted: false,
            ..Self::default()
        }
    }
}
