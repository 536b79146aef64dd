//! The switches of the model, one for every difference between the printed and the corrected model.

use dram::{Queue, Service};

/// Method of counting replay (1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplayCount {
    /// By bytes over transaction size, as printed.
    Printed,
    /// By distinct segments.
    Segments,
}

/// Form of equation 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amat {
    /// Every request, including shared ones, has the hit latency of the L2.
    Printed,
    /// Every level has its own hit latency, and shared requests have none.
    PerLevel,
}

/// The unit that equation 17 counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requests {
    /// Transactions, as printed. Those of one instruction wait for each other.
    Transactions,
    /// Loads. The transactions of a load leave one after the other and wait together.
    Loads,
}

/// Model of Toverlap.
#[derive(Clone, Debug, PartialEq)]
pub enum Overlap {
    /// The overlap of Sim et al., without training.
    Sim,
    /// From the longest chain of a warp and the throughput of the schedulers and of memory, without training
    /// (inferred).
    Chains,
    /// Equations 11 and 12 with coefficients of the standardised [`FEATURES`] and a constant.
    Regression {
        /// One coefficient per feature.
        coefficients: Vec<f64>,
        /// Means that are subtracted from the features.
        means: Vec<f64>,
        /// Scales that divide them.
        scales: Vec<f64>,
        /// Constant term.
        constant: f64,
    },
}

/// Names of the events of equation 11. All but the last two are per warp-level memory instruction. The last one is the
/// overlap of [`Overlap::Chains`] and is not in the seed.
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

/// The switches of the model.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Method of counting replay (1).
    pub replays: ReplayCount,
    /// Form of equation 5.
    pub amat: Amat,
    /// Unit of equation 17.
    pub requests: Requests,
    /// Waiting times in equations 6 to 10.
    pub queue: Queue,
    /// Service time of a bank.
    pub service: Service,
    /// Requests arrive at the rate of the instructions alone, as printed. If off, bandwidth and outstanding loads also
    /// limit the rate.
    pub open_arrivals: bool,
    /// The issue width bounds EIT.
    pub issue_cap: bool,
    /// Replays cost passes of the load-store unit in Tmem. If off, they also cost issue slots, as printed.
    pub replay_passes: bool,
    /// Addressing is charged only where the trace has enough instructions before an access.
    pub see_hoisted: bool,
    /// Model of Toverlap.
    pub overlap: Overlap,
    /// Loads that find their line in flight wait for it (not in the seed).
    pub merging: bool,
    /// Replays and addressing are counted. Off is the seed's ablation of instruction counting.
    pub counting: bool,
    /// Waits and row events are modelled. If off, main memory takes the same time for every request.
    pub queueing: bool,
    /// Requests go to the bank of their address. If off, they go to all banks in turn.
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
