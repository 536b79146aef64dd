//! A measured launch, and how to run it.

use crate::check::choices::Variant;
use crate::check::counter::Counter;
use crate::check::texts::KernelText;
use machine::{MachineSpec, State};

/// What to run for a row of a file, and what was measured.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// The kernel with its sizes, as people read it.
    pub label: String,
    /// What it is a variant of, if others were measured beside it.
    pub variant: Option<Variant>,
    /// The preset of the GPU.
    pub gpu: &'static str,
    /// The launch.
    pub launch: LaunchPlan,
    /// The part of the launch that runs.
    pub scale: Scale,
    /// The counters.
    pub measured: Vec<Measured>,
}

/// Sizes of a launch comment, by name.
pub(crate) type Sizes = Vec<(&'static str, u64)>;

/// A launch of a text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LaunchPlan {
    /// The kernel.
    pub text: KernelText,
    /// The sizes of its launch comment.
    pub sizes: Sizes,
    /// The caches before it.
    pub before: Before,
}

/// The caches before a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Before {
    /// Empty, as Nsight Compute leaves them.
    Cold,
    /// As nvprof's replay leaves them.
    Replay,
    /// As a launch of the same kernel leaves them.
    Repeated,
}

impl Before {
    /// The state of the machine before the first launch.
    pub fn state(self) -> State {
        match self {
            Self::Cold => State::Cold,
            Self::Replay => State::Replay,
            Self::Repeated => State::Warm,
        }
    }

    /// Launches to run. The last one counts.
    pub fn launches(self) -> u32 {
        if self == Self::Repeated {
            2
        } else {
            1
        }
    }

    /// The word in reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Cold => "cold",
            Self::Replay => "replay",
            Self::Repeated => "repeated",
        }
    }
}

/// Blocks of a core after which the time of a block hardly depends on their number. It is above the limits of residence of
/// all GPUs here. Assumed: fewer cores shorten a check.
const ENOUGH_BLOCKS: u64 = 128;

/// How the counts of a smaller launch become those of the measured one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Scale {
    /// Blocks of the measured launch over blocks that run, or work over work where the blocks are shortened.
    pub blocks: f64,
    /// The same for global loads. It differs where the last blocks of the measured launch load less.
    pub loads: f64,
    /// The same for global stores.
    pub stores: f64,
    /// The same for the data that are read once.
    pub dram_reads: f64,
    /// The part of the launch's blocks that runs, if it runs on as large a part of the cores. Else 1.
    pub share: f64,
    /// Cycles of a launch that do not depend on its size.
    pub launch_cycles: u64,
    /// What runs in place of the measured launch. `None` if the measured launch runs.
    pub runs: Option<String>,
}

impl Scale {
    /// The measured launch runs.
    pub fn whole() -> Self {
        Self { runs: None, ..Self::part(1.0, String::new()) }
    }

    /// A part of the launch runs.
    pub fn part(factor: f64, runs: String) -> Self {
        Self {
            blocks: factor,
            loads: factor,
            stores: factor,
            dram_reads: factor,
            share: 1.0,
            launch_cycles: 0,
            runs: Some(runs),
        }
    }

    /// The same part of the launch, on a part of the cores: `share` of the blocks run. Only times can be compared then.
    pub fn on_some_cores(self, share: f64) -> Self {
        Self { share, ..self }
    }

    /// The machine that runs the part of `blocks` blocks. Each of its cores gets about as many as in the whole launch, or
    /// at least enough that the last ones do not matter.
    pub fn machine(&mut self, whole: MachineSpec, blocks: u64) -> MachineSpec {
        if self.share >= 1.0 {
            return whole;
        }
        let all = whole.cores;
        let (fair, enough) = ((f64::from(all) * self.share).round() as u32, (blocks / ENOUGH_BLOCKS) as u32);
        let some = fair.max(enough).clamp(1, all);
        self.blocks *= f64::from(some) / f64::from(all);
        MachineSpec { all_cores: some, ..whole.sampled(some) }
    }

    /// Cycles of the measured launch, from those of the launch that ran. The cost of a launch is not scaled.
    pub fn cycles(&self, ran: u64) -> f64 {
        let fixed = self.launch_cycles.min(ran);
        fixed as f64 + (ran - fixed) as f64 * self.blocks
    }
}

/// A measured counter.
#[derive(Clone, Debug)]
pub(crate) struct Measured {
    /// Which.
    pub counter: Counter,
    /// What the hardware counted.
    pub value: f64,
    /// What the error is a share of, in place of the value.
    pub share_of: Option<(f64, &'static str)>,
    /// What other simulators say, in the order of [`SIMULATORS`].
    pub others: [Option<f64>; 2],
}

/// The simulators whose values a file may have, with the beginnings of the names of their columns.
pub(crate) const SIMULATORS: [(&str, &str); 2] = [("Accel-Sim", "accelsim_"), ("microgpusim", "microgpusim_")];

impl Measured {
    /// A counter that nobody else modelled.
    pub fn new(counter: Counter, value: f64) -> Self {
        Self { counter, value, share_of: None, others: [None; 2] }
    }

    /// The error of a modelled value: points for a rate, else percent. `None` where the measured value is 0 and the
    /// modelled one is not.
    pub fn error(&self, modelled: f64) -> Option<f64> {
        let difference = modelled - self.value;
        if self.counter.is_rate() {
            return Some(difference);
        }
        let base = self.share_of.map_or(self.value, |(base, _)| base);
        if base == 0.0 {
            return (difference == 0.0).then_some(0.0);
        }
        Some(100.0 * difference / base)
    }
}
