//! The switches of the models.

use crate::paper::settings::PaperSettings;
use dram::Queue;

/// Method of counting replay (1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplayCount {
    /// By bytes over transaction size, as Huang & Li print it.
    Printed,
    /// By distinct segments.
    Segments,
}

/// The switches of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The model is that of Huang & Li with these settings. `None` is our own.
    pub paper: Option<PaperSettings>,
    /// Waiting times in equations 6 to 10.
    pub queue: Queue,
    /// Addressing is charged only where the trace has enough instructions before an access.
    pub see_hoisted: bool,
    /// Replays and addressing are counted. Off is the paper's ablation of instruction counting.
    pub counting: bool,
    /// Waits and row events are modelled. If off, main memory takes the same time for every request.
    pub queueing: bool,
    /// Requests go to the bank of their address. If off, they go to all banks in turn.
    pub mapping: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { paper: None, queue: Queue::Lindley, see_hoisted: true, counting: true, queueing: true, mapping: true }
    }
}

impl Settings {
    /// The model of Huang & Li.
    pub fn paper(paper: PaperSettings) -> Self {
        Self { paper: Some(paper), queue: Queue::SeedPrinted, see_hoisted: false, ..Self::default() }
    }

    /// How replay (1) is counted.
    pub(crate) fn replays(&self) -> ReplayCount {
        match self.paper {
            Some(_) => ReplayCount::Printed,
            None => ReplayCount::Segments,
        }
    }
}
