//! Experiments on a hidden GPU. The visitor selects experiments, sees their times, and guesses the values of the GPU.
//!
//! In: a seed or a preset, noise and outliers, [`Experiment`]s, and a [`GpuGuess`].
//! Out: [`ExperimentOutcome`]s, and the [`DiscoverReport`] of the guess. Its score follows the same rule as that of the
//! page's own deduction.

use crate::topology_tab::curve::{Reduction, SizeCurve};
use crate::topology_tab::discover::{spec_of, DiscoverReport, HiddenGpu};
use crate::topology_tab::guess::GpuGuess;
use base::Diagnostic;
use base::{Progress, Step};
use probe::granularity::{miss_distance, slow_from, Walk};
use probe::latency::Latency;
use probe::raw::ProbedMemory;
use probe::virtual_gpu::{Chase, GpuSpec};
use probe::VirtualGpu;
use serde::{Deserialize, Serialize};

/// An experiment on a hidden GPU.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Experiment {
    /// The times of all loads for arrays of growing size (thesis 4.2).
    Sizes {
        /// The memory that the loads go through.
        memory: String,
        /// The size of the first array, in bytes.
        from: u64,
        /// The size of the last array, in bytes.
        to: u64,
        /// The step from array to array, in bytes. With 0, each array is a quarter octave larger.
        step: u64,
    },
    /// The times of one walk, load by load (thesis 4.3). They give the distances between misses, and latencies.
    Walk {
        /// The memory that the loads go through.
        memory: String,
        /// The size of the array, in bytes.
        bytes: u64,
        /// The distance from load to load, in bytes.
        stride: u64,
        /// Selects a round of loads before the timed one.
        warm: bool,
    },
    /// Two threads of a warp that each walk their own array (thesis 4.5).
    Sharing {
        /// The memory of the first thread.
        first: String,
        /// The memory of the second thread.
        second: String,
        /// The size of the first thread's array, in bytes.
        first_bytes: u64,
        /// The size of the second thread's array, in bytes.
        second_bytes: u64,
    },
    /// Thread 0 with a thread of each other warp in turn (thesis 4.6).
    Amount {
        /// The memory that the loads go through.
        memory: String,
        /// The size of each thread's array, in bytes.
        bytes: u64,
    },
}

/// The result of an experiment.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "Outcome"))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ExperimentOutcome {
    /// The curve of an experiment with array sizes.
    Sizes(Box<SizeCurve>),
    /// The times of a walk.
    Walk(WalkOutcome),
    /// The shares of slow loads, of an experiment with two threads.
    Shares(SharesOutcome),
}

/// The times of one walk.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct WalkOutcome {
    /// The memory that the loads went through.
    pub memory: &'static str,
    /// The distance from load to load, in bytes.
    pub stride: u64,
    /// The time of each load in order, in cycles.
    pub times: Vec<f64>,
    /// The limit above which times are slow, in cycles. It is null if the loads do not fall into two groups.
    pub slow_from: Option<f64>,
    /// The most frequent distance between slow loads in bytes, and its share of all such distances.
    pub distance: Option<(u64, f64)>,
    /// The mean without outliers, in cycles. With two groups of loads it is the mean of the fast ones.
    pub mean: f64,
    /// The median of the same loads, in cycles.
    pub p50: f64,
    /// The 95th percentile of the same loads, in cycles.
    pub p95: f64,
}

/// Shares of slow loads, alone and beside another thread.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct SharesOutcome {
    /// The labels of the bars: memories or warps.
    pub labels: Vec<String>,
    /// The share of slow loads of each when it runs alone.
    pub alone: Vec<f64>,
    /// The share of slow loads of each beside the other thread.
    pub together: Vec<f64>,
    /// The limit of a share beside another thread. A share above it means that the two disturb each other.
    pub limit: f64,
}

/// The largest array of an experiment, in bytes.
const MOST_BYTES: u64 = 128 << 20;
/// The greatest number of arrays in one experiment.
const MOST_SIZES: u64 = 400;
/// The number of times recorded per array.
const RECORD: usize = 512;
/// The rounds of an experiment with array sizes. The median of each position's times is reduced.
const ROUNDS: u32 = 5;
/// The same value as in [`probe::discover`].
const DISTURBED: f64 = 0.08;

/// The greatest number of loads that one experiment may simulate, over all arrays.
const MOST_LOADS: u64 = 1 << 27;

/// A hidden GPU with its clock.
pub struct ExperimentBench {
    spec: GpuSpec,
    seed: u64,
    gpu: VirtualGpu,
    sweep: Option<SizeSweep>,
}

/// An experiment with array sizes that is under way. It measures one array after the other.
struct SizeSweep {
    memory: ProbedMemory,
    sizes: Vec<u64>,
    rows: Vec<Walk>,
    record: usize,
}

impl ExperimentBench {
    /// Prepares experiments on a hidden GPU.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if there is no such preset.
    pub fn new(hidden: &HiddenGpu) -> Result<Self, Vec<Diagnostic>> {
        let spec = spec_of(hidden)?;
        Ok(Self { gpu: VirtualGpu::new(spec.clone(), hidden.seed), spec, seed: hidden.seed, sweep: None })
    }

    /// Lists the memories of the GPU, which a programming guide would name.
    pub fn memories(&self) -> Vec<&'static str> {
        ProbedMemory::NAMES.iter().filter(|(memory, ..)| self.gpu.has(*memory)).map(|(.., name)| *name).collect()
    }

    /// Starts an experiment. A short experiment returns its result, and [`step`](Self::step) continues a long one.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic that names an impossible setting.
    pub fn start(&mut self, experiment: &Experiment) -> Result<Option<ExperimentOutcome>, Vec<Diagnostic>> {
        self.sweep = None;
        let small = |name: &str, bytes: u64| bounded(name, bytes, 256, 1 << 20);
        match experiment {
            Experiment::Sizes { memory, from, to, step } => {
                let memory = self.memory(memory)?;
                self.sweep = Some(self.sweep_of(memory, *from, *to, *step)?);
                Ok(None)
            }
            Experiment::Walk { memory, bytes, stride, warm } => {
                let memory = self.memory(memory)?;
                let (bytes, stride) =
                    (bounded("bytes", *bytes, 64, MOST_BYTES)?, bounded("stride", *stride, 4, 1 << 16)?);
                self.walk(memory, bytes, stride, *warm).map(Some)
            }
            Experiment::Sharing { first, second, first_bytes, second_bytes } => {
                let first = (self.memory(first)?, small("first_bytes", *first_bytes)?);
                let second = (self.memory(second)?, small("second_bytes", *second_bytes)?);
                Ok(Some(self.sharing(first, second)))
            }
            Experiment::Amount { memory, bytes } => {
                let (memory, bytes) = (self.memory(memory)?, small("bytes", *bytes)?);
                Ok(Some(self.amount(memory, bytes)))
            }
        }
    }

    /// Simulates about `budget` loads of an experiment with array sizes. Returns `None` if none was started.
    pub fn step(&mut self, budget: u64) -> Option<Step<ExperimentOutcome>> {
        let mut sweep = self.sweep.take()?;
        let stride = Self::stride(sweep.memory);
        let mut used = 0;
        while let Some(bytes) = sweep.sizes.get(sweep.rows.len()).copied().filter(|_| used < budget) {
            let chase = chase(sweep.memory, 0, bytes, stride, sweep.record);
            let chase = Chase { rounds: ROUNDS, ..chase };
            sweep.rows.push(Walk { stride, bytes, times: self.gpu.chase(&chase) });
            used += bytes / stride * u64::from(chase.rounds + 1);
        }
        let (done, total) = (sweep.rows.len() as u64, sweep.sizes.len() as u64);
        if done < total {
            self.sweep = Some(sweep);
            return Some(Step::More(Progress { done, total }));
        }
        let name = sweep.memory.name();
        let rule = (Reduction::Distance, Reduction::ALPHA);
        let curve = SizeCurve::of("experiment", name, &sweep.rows, ROUNDS as usize, rule);
        Some(Step::Done(ExperimentOutcome::Sizes(Box::new(curve))))
    }

    /// Runs an experiment to its end.
    ///
    /// # Errors
    ///
    /// Fails in the same cases as [`start`](Self::start).
    pub fn run(&mut self, experiment: &Experiment) -> Result<ExperimentOutcome, Vec<Diagnostic>> {
        if let Some(outcome) = self.start(experiment)? {
            return Ok(outcome);
        }
        loop {
            match self.step(u64::MAX) {
                Some(Step::Done(outcome)) => return Ok(outcome),
                Some(Step::More(_)) => {}
                None => {
                    return Err(vec![Diagnostic::error("experiment", "one that has begun", "none", "start it again")])
                }
            }
        }
    }

    fn memory(&self, name: &str) -> Result<ProbedMemory, Vec<Diagnostic>> {
        let known = ProbedMemory::NAMES.iter().find(|(memory, _, known)| *known == name && self.gpu.has(*memory));
        known.map(|(memory, ..)| *memory).ok_or_else(|| {
            let names = self.memories().join(", ");
            vec![Diagnostic::error(
                "experiment",
                "a memory of this GPU",
                format!("`{name}`"),
                format!("use one of {names}"),
            )]
        })
    }

    /// Returns the stride at which every miss of an array is visible. Loads of the same sector would hit.
    fn stride(memory: ProbedMemory) -> u64 {
        match memory {
            // The constant L1 must not answer for the L1.5 (thesis 4.4).
            ProbedMemory::ConstantL15 => 64,
            _ => 32,
        }
    }

    fn sweep_of(&self, memory: ProbedMemory, from: u64, to: u64, step: u64) -> Result<SizeSweep, Vec<Diagnostic>> {
        let constant = matches!(memory, ProbedMemory::ConstantL1 | ProbedMemory::ConstantL15);
        let most = if constant { self.gpu.constant_bytes() } else { MOST_BYTES };
        let from = bounded("from", from, 128, most)?;
        let to = bounded("to", to, from, most)?;
        let stride = Self::stride(memory);
        let sizes: Vec<u64> = if step == 0 {
            let quarter = |i: u32| libm::round(from as f64 * libm::exp2(f64::from(i) / 4.0)) as u64 / stride * stride;
            (0..100).map(quarter).take_while(|size| *size <= to).collect()
        } else {
            let step = bounded("step", step, stride, most)?;
            bounded("arrays", (to - from) / step + 1, 1, MOST_SIZES)?;
            (0..=(to - from) / step).map(|i| from + i * step).collect()
        };
        let record = (sizes.first().map_or(1, |size| size / stride) as usize).clamp(1, RECORD);
        let rounds = u64::from(ROUNDS) + 1;
        bounded("loads of all arrays", sizes.iter().map(|size| size / stride * rounds).sum(), 1, MOST_LOADS)?;
        Ok(SizeSweep { memory, rows: Vec::with_capacity(sizes.len()), sizes, record })
    }

    fn walk(
        &mut self,
        memory: ProbedMemory,
        bytes: u64,
        stride: u64,
        warm: bool,
    ) -> Result<ExperimentOutcome, Vec<Diagnostic>> {
        let loads = bounded("loads of the walk", bytes / stride, 1, 1 << 22)?;
        // The rounds before the timed one touch each sector, whatever the stride of the timed loads.
        let warm_stride = stride.min(Self::stride(memory));
        let record = loads.min(2 * RECORD as u64) as usize;
        let chase =
            Chase { warm: u32::from(warm), warm_stride, first: true, ..chase(memory, 0, bytes, stride, record) };
        let times = self.gpu.chase(&chase);
        let slow = slow_from(&times, 1.3);
        let missed: Vec<bool> = times.iter().map(|time| slow.is_some_and(|from| *time > from)).collect();
        let fast: Vec<f64> = times.iter().copied().filter(|time| slow.is_none_or(|from| *time <= from)).collect();
        let latency = Latency::without_outliers(&fast).unwrap_or_default();
        let distance = miss_distance(&missed).map(|(loads, share)| (loads as u64 * stride, share));
        let Latency { mean, p50, p95, .. } = latency;
        Ok(ExperimentOutcome::Walk(WalkOutcome {
            memory: memory.name(),
            stride,
            times,
            slow_from: slow,
            distance,
            mean,
            p50,
            p95,
        }))
    }

    /// Returns the time above which a load through this memory is slow. It measures a small array, whose loads hit.
    fn slow(&mut self, memory: ProbedMemory) -> f64 {
        let base = if memory == ProbedMemory::ConstantL15 { 4 << 10 } else { 512 };
        let times = self.gpu.chase(&Chase { rounds: 32, ..chase(memory, 0, base, Self::stride(memory), 64) });
        let latency = Latency::without_outliers(&times).unwrap_or_default();
        latency.p50 + (4.5 * latency.deviation).max(0.3 * latency.p50)
    }

    fn sharing(&mut self, a: (ProbedMemory, u64), b: (ProbedMemory, u64)) -> ExperimentOutcome {
        let slow = (self.slow(a.0), self.slow(b.0));
        let one =
            |(memory, bytes): (ProbedMemory, u64), thread| chase(memory, thread, bytes, Self::stride(memory), RECORD);
        let (first, second) = (one(a, 0), one(b, 1));
        let alone = vec![share(&self.gpu.chase(&first), slow.0), share(&self.gpu.chase(&second), slow.1)];
        let (x, y) = self.gpu.chase_two(&first, &second);
        let labels = vec![a.0.name().to_string(), b.0.name().to_string()];
        let together = vec![share(&x, slow.0), share(&y, slow.1)];
        ExperimentOutcome::Shares(SharesOutcome { labels, alone, together, limit: DISTURBED })
    }

    fn amount(&mut self, memory: ProbedMemory, bytes: u64) -> ExperimentOutcome {
        let slow = self.slow(memory);
        let of = |warp: u32| chase(memory, 32 * warp, bytes, Self::stride(memory), RECORD);
        let mut out = SharesOutcome { labels: vec![], alone: vec![], together: vec![], limit: DISTURBED };
        for warp in 1..32 {
            out.labels.push(format!("warp {warp}"));
            out.alone.push(share(&self.gpu.chase(&of(warp)), slow));
            let (x, y) = self.gpu.chase_two(&of(0), &of(warp));
            out.together.push(share(&x, slow).max(share(&y, slow)));
        }
        ExperimentOutcome::Shares(out)
    }

    /// Scores a guess. Absent values count as wrong.
    pub fn score(&self, guess: &GpuGuess) -> DiscoverReport {
        crate::topology_tab::discover::report(&self.spec, self.seed, guess.found(&self.spec))
    }
}

fn chase(memory: ProbedMemory, thread: u32, bytes: u64, stride: u64, record: usize) -> Chase {
    Chase { memory, thread, bytes, stride, warm_stride: stride, warm: 1, rounds: 1, record, first: false }
}

fn share(times: &[f64], slow: f64) -> f64 {
    times.iter().filter(|time| **time > slow).count() as f64 / times.len().max(1) as f64
}

fn bounded(name: &str, value: u64, least: u64, most: u64) -> Result<u64, Vec<Diagnostic>> {
    if (least..=most).contains(&value) {
        return Ok(value);
    }
    let expected = format!("`{name}`: {least} to {most}");
    Err(vec![Diagnostic::error("experiment", expected, value.to_string(), "change this setting of the experiment")])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CacheGuess, DiscoverRun};
    use base::Job;

    fn hidden(seed: u64) -> HiddenGpu {
        HiddenGpu { seed, noise: Some(0.02), outliers: Some(0.01), ..HiddenGpu::default() }
    }

    #[test]
    fn a_visitor_who_measures_well_sees_the_truth() {
        let mut bench = ExperimentBench::new(&hidden(11)).expect("a GPU");
        let (_, texture) = bench.spec.cache(ProbedMemory::Texture).map(|(l, p)| (*l, *p)).expect("a texture cache");
        let usable = bench.spec.usable(ProbedMemory::Texture).expect("a size");
        let (from, to) = (usable / 2 / 128 * 128, usable * 3 / 2 / 128 * 128);
        let step = ((to - from) / 200 / 128 * 128).max(128);
        let sizes = Experiment::Sizes { memory: "texture".into(), from, to, step };
        let Ok(ExperimentOutcome::Sizes(curve)) = bench.run(&sizes) else { panic!("a curve") };
        let change = curve.change.expect("a change");
        assert!(change.abs_diff(usable) <= 2 * step, "{change} instead of {usable}");
        let walk = Experiment::Walk { memory: "texture".into(), bytes: 8 * usable, stride: 4, warm: true };
        let Ok(ExperimentOutcome::Walk(walk)) = bench.run(&walk) else { panic!("a walk") };
        assert_eq!(walk.distance.map(|(bytes, _)| bytes), Some(texture.shape.fetch));
        let amount = Experiment::Amount { memory: "texture".into(), bytes: usable * 4 / 5 / 32 * 32 };
        let Ok(ExperimentOutcome::Shares(shares)) = bench.run(&amount) else { panic!("shares") };
        let undisturbed = shares.together.iter().filter(|share| **share <= shares.limit).count();
        assert_eq!(undisturbed > 0, texture.amount > 1, "{shares:?}");
    }

    #[test]
    fn the_page_s_own_findings_score_the_same_as_a_guess() {
        for seed in [4, 21] {
            let hidden = hidden(seed);
            let report = DiscoverRun::new(&hidden).expect("a GPU").finish();
            let cache = |found: &crate::topology_tab::discover::FoundCache| CacheGuess {
                size: found.size.or(found.larger_than),
                line_size: found.line_size,
                fetch_granularity: found.fetch_granularity,
                latency: Some(found.latency.p50),
                amount: found.amount,
                shared_with: found.shared_with.iter().map(|name| name.to_string()).collect(),
            };
            let guess = GpuGuess {
                global_in_l1: report.found.global_in_l1,
                caches: report.found.caches.iter().map(|(name, found)| (name.to_string(), cache(found))).collect(),
                shared_cycles: report.found.shared_latency.p50,
                main_cycles: report.found.main_latency.p50,
            };
            let scored = ExperimentBench::new(&hidden).expect("a GPU").score(&guess);
            // A visitor does not answer for the outlook.
            let (of, right) = (report.outlook.len(), report.outlook.iter().filter(|row| row.right).count());
            let own = (report.score.right - right as u32, report.score.of - of as u32);
            assert_eq!((scored.score.right, scored.score.of), own, "seed {seed}");
            let nothing = ExperimentBench::new(&hidden).expect("a GPU").score(&GpuGuess::default());
            assert!(nothing.score.right <= 2, "{:?}", nothing.score);
        }
    }

    #[test]
    fn impossible_experiments_are_refused_by_name() {
        let mut bench = ExperimentBench::new(&hidden(1)).expect("a GPU");
        let sizes = |from, to, step| Experiment::Sizes { memory: "l2".into(), from, to, step };
        for (experiment, part) in [
            (sizes(0, 10, 1), "`from`"),
            (sizes(4096, 1 << 40, 0), "`to`"),
            (sizes(4096, 1 << 20, 32), "`arrays`"),
            (sizes(1 << 26, 1 << 27, 1 << 18), "`loads of all arrays`"),
            (Experiment::Walk { memory: "l9".into(), bytes: 64, stride: 4, warm: true }, "a memory of this GPU"),
            (Experiment::Walk { memory: "l1".into(), bytes: 1 << 27, stride: 4, warm: true }, "`loads of the walk`"),
            (Experiment::Amount { memory: "l1".into(), bytes: 1 << 30 }, "`bytes`"),
        ] {
            let said = bench.run(&experiment).expect_err("refused");
            assert!(said[0].expected.contains(part), "{experiment:?}: {said:?}");
        }
        assert!(ExperimentBench::new(&HiddenGpu { gpu: Some("nope".into()), ..HiddenGpu::default() }).is_err());
        assert!(bench.step(1).is_none());
    }

    #[test]
    fn long_experiments_come_in_steps() {
        let mut bench = ExperimentBench::new(&hidden(2)).expect("a GPU");
        let sizes = Experiment::Sizes { memory: "l1".into(), from: 1024, to: 1 << 18, step: 0 };
        assert_eq!(bench.start(&sizes).expect("begun"), None);
        let mut steps = 0;
        let outcome = loop {
            match bench.step(1000).expect("begun") {
                Step::More(progress) => assert!(progress.done <= progress.total),
                Step::Done(outcome) => break outcome,
            }
            steps += 1;
        };
        assert!(steps > 5);
        assert_eq!(ExperimentBench::new(&hidden(2)).expect("a GPU").run(&sizes).expect("an outcome"), outcome);
    }
}
