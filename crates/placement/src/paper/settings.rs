//! What the user of the printed model gives: the sample's measurements, the overlap, and what the paper leaves open.

/// Names of the events of equation 11. All but the last are counts per memory instruction of a warp.
pub const EVENTS: [&str; 11] = [
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
];

/// Measurements of the sample placement, over the whole launch. What is absent comes from the trace.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SampleCounters {
    /// Measured time, SM cycles.
    pub cycles: Option<f64>,
    /// Executed warp instructions (nvprof's `inst_executed`).
    pub executed: Option<f64>,
    /// Issued warp instructions (nvprof's `inst_issued`). The difference to the executed ones are replays.
    pub issued: Option<f64>,
}

/// The unit of "the number of instructions between" two requests (III-C3), as which the paper takes the time between
/// their arrivals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arrivals {
    /// An instruction takes the effective instruction throughput of equation 13, as in Tcomp.
    #[default]
    Throughput,
    /// An instruction takes a cycle.
    Cycle,
}

/// Coefficients of equation 11.
#[derive(Clone, Debug, PartialEq)]
pub struct Coefficients {
    /// One per event of [`EVENTS`].
    pub events: [f64; EVENTS.len()],
    /// The constant c.
    pub constant: f64,
}

/// Where Toverlap_ratio comes from.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum PaperOverlap {
    /// Without training: the sample's own ratio, (Tcomp + Tmem − T) / Tmem with its measured T, holds for each target.
    /// Without a measured T it is that of [`PaperOverlap::Sim`].
    #[default]
    Sample,
    /// Equation 11 with trained coefficients, as printed.
    Trained(Coefficients),
    /// The sample's ratio plus what equation 11 says of the difference between target and sample. The paper predicts
    /// "based on" the sample and does not say how its time enters. This is one reading.
    SampleAndTrained(Coefficients),
    /// The overlap of Sim et al. (PPoPP'12), with which the paper compares.
    Sim,
}

/// The settings of the printed model.
#[derive(Clone, Debug, PartialEq)]
pub struct PaperSettings {
    /// What was measured of the sample.
    pub sample: SampleCounters,
    /// Where the overlap comes from.
    pub overlap: PaperOverlap,
    /// Γ of equation 16. 0 leaves barriers out. Sim et al. have 64 for Fermi (from memory), which makes barriers take
    /// longer than whole kernels on the K80; nobody published a value for Kepler.
    pub gamma: f64,
    /// The unit of times between arrivals.
    pub arrivals: Arrivals,
}

impl Default for PaperSettings {
    fn default() -> Self {
        let (sample, overlap) = (SampleCounters::default(), PaperOverlap::default());
        Self { sample, overlap, gamma: 0.0, arrivals: Arrivals::default() }
    }
}
