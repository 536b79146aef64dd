//! What a request says of the printed model (Huang & Li, CLUSTER'17): the measured sample, the overlap, and the points
//! that the paper leaves open.
//!
//! In: a [`PaperRequest`]. Out: the model's settings, and sentences about what was measured and what was assumed.

use crate::placement_tab::overlap::OverlapFile;
use crate::placement_tab::run::{wrong, PlacementRequest, PlacementRun};
use base::{Diagnostic, Job, Step};
use dram::Queue;
use placement::{Arrivals, Evaluator, Machine, PaperOverlap, PaperSettings, SampleCounters, Settings};
use serde::Serialize;

/// What was measured of the sample placement, and choices where the paper is open. Everything can be absent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PaperRequest {
    /// The time of the sample placement in microseconds. If it is absent, the model of the whole GPU supplies it.
    pub time_us: Option<f64>,
    /// True if `time_us` is by the model of the whole GPU.
    pub simulated: bool,
    /// Executed warp instructions of the launch, nvprof's `inst_executed`.
    pub inst_executed: Option<f64>,
    /// Issued warp instructions of the launch, nvprof's `inst_issued`.
    pub inst_issued: Option<f64>,
    /// Bytes of constant memory that the module keeps for itself.
    pub static_constants: u64,
    /// The rule of the overlap: `sample`, `trained`, `sample+trained` or `sim`. If it is empty, coefficients decide.
    pub overlap: String,
    /// Γ of equation 16.
    pub gamma: Option<f64>,
    /// The time of an instruction between two arrivals: `eit` or `cycle`. If it is empty, it is `eit`.
    pub arrivals: String,
}

/// The time of the sample placement from which the printed model predicts.
#[derive(Clone, Copy, Debug, Serialize, PartialEq)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct SampleTime {
    /// The time in microseconds.
    pub microseconds: f64,
    /// True if the model of the whole GPU supplied it, and false if it was given as measured.
    pub simulated: bool,
}

/// The name of the printed model in a request. `seed` is its name in old links.
pub(crate) fn is_paper(model: &str) -> bool {
    matches!(model, "paper" | "seed")
}

/// The keys of `--sample`.
const SAMPLE: [&str; 4] = ["time_us", "inst_executed", "inst_issued", "static_constants"];
/// The keys of `--assume`.
const ASSUME: [&str; 3] = ["overlap", "gamma", "arrivals"];
const RULES: [&str; 4] = ["sample", "trained", "sample+trained", "sim"];

impl PaperRequest {
    /// Takes a measurement of the sample.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if the key is unknown or the value is no number above 0.
    pub fn set_sample(&mut self, key: &str, value: &str) -> Result<(), Vec<Diagnostic>> {
        let help = "write for example `--sample time_us=812,inst_executed=5100000,inst_issued=6000000`";
        if !SAMPLE.contains(&key) {
            return Err(wrong("--sample", SAMPLE.join(", "), key, help));
        }
        let number = value.parse::<f64>().ok().filter(|number| number.is_finite() && *number > 0.0);
        let number = number.ok_or_else(|| wrong(&format!("--sample {key}"), "a number above 0".into(), value, help))?;
        match key {
            "time_us" => self.time_us = Some(number),
            "inst_executed" => self.inst_executed = Some(number),
            "inst_issued" => self.inst_issued = Some(number),
            _ => self.static_constants = number as u64,
        }
        Ok(())
    }

    /// Takes a choice where the paper is open.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if the key or the value is unknown.
    pub fn set_assumption(&mut self, key: &str, value: &str) -> Result<(), Vec<Diagnostic>> {
        let help = "write for example `--assume gamma=64,arrivals=cycle,overlap=sample`";
        match key {
            "overlap" => self.overlap = value.into(),
            "arrivals" => self.arrivals = value.into(),
            "gamma" => {
                let number = value.parse::<f64>().ok().filter(|gamma| (0.0..=1e6).contains(gamma));
                let expected = || wrong("--assume gamma", "a number from 0 to 1e6".into(), value, help);
                self.gamma = Some(number.ok_or_else(expected)?);
            }
            _ => return Err(wrong("--assume", ASSUME.join(", "), key, help)),
        }
        Ok(())
    }

    /// The settings of the model on a machine. `file` has trained coefficients.
    fn settings(&self, file: Option<&OverlapFile>, clock_ghz: f64) -> Result<PaperSettings, Vec<Diagnostic>> {
        if let (Some(executed), Some(issued)) = (self.inst_executed, self.inst_issued) {
            if issued < executed {
                let found = format!("{issued} issued, {executed} executed");
                let help = "issued instructions are the executed ones and their replays";
                return Err(wrong("sample", "inst_issued of at least inst_executed".into(), &found, help));
            }
        }
        let trained = || {
            file.map(OverlapFile::coefficients).ok_or_else(|| {
                let help = "give coefficients with `--overlap` or times with `--train`";
                wrong("overlap", "trained coefficients".into(), "none", help)
            })
        };
        let overlap = match (self.overlap.as_str(), file) {
            ("" | "sample", None) | ("sample", Some(_)) => PaperOverlap::Sample,
            ("", Some(file)) if file.with_sample => PaperOverlap::SampleAndTrained(file.coefficients()),
            ("", Some(file)) => PaperOverlap::Trained(file.coefficients()),
            ("trained", _) => PaperOverlap::Trained(trained()?),
            ("sample+trained", _) => PaperOverlap::SampleAndTrained(trained()?),
            ("sim", _) => PaperOverlap::Sim,
            (other, _) => return Err(wrong("--assume overlap", RULES.join(", "), other, "choose one of them")),
        };
        let arrivals = match self.arrivals.as_str() {
            "" | "eit" => Arrivals::Throughput,
            "cycle" => Arrivals::Cycle,
            other => return Err(wrong("--assume arrivals", "eit or cycle".into(), other, "choose one of them")),
        };
        let sample = SampleCounters {
            cycles: self.time_us.map(|time| time * 1e3 * clock_ghz),
            executed: self.inst_executed,
            issued: self.inst_issued,
        };
        Ok(PaperSettings { sample, overlap, gamma: self.gamma.unwrap_or(0.0), arrivals })
    }
}

/// Returns the switches of the model.
pub(crate) fn settings(request: &PlacementRequest, machine: &Machine) -> Result<Settings, Vec<Diagnostic>> {
    let mut settings = match request.model.as_str() {
        "default" | "" if request.overlap.is_some() || request.paper != PaperRequest::default() => {
            let help = "add `--model paper`, or leave the sample and the coefficients out";
            return Err(wrong("--model", "`paper`, which alone takes a sample or an overlap".into(), "default", help));
        }
        "default" | "" => Settings::default(),
        model if is_paper(model) => {
            Settings::paper(request.paper.settings(request.overlap.as_ref(), machine.clock_ghz)?)
        }
        other => return Err(wrong("--model", "`default` or `paper`".into(), other, "see `warpscope place --help`")),
    };
    if !request.queue.is_empty() {
        let found = Queue::NAMES.iter().find(|(name, _)| *name == request.queue);
        let names = Queue::NAMES.map(|(name, _)| name).join(", ");
        settings.queue = found.ok_or_else(|| wrong("--queue", names, &request.queue, "choose one of them"))?.1;
    }
    for part in &request.without {
        match part.as_str() {
            "counting" => settings.counting = false,
            "queue" => settings.queueing = false,
            "mapping" => settings.mapping = false,
            other => return Err(wrong("--without", "counting, queue or mapping".into(), other, "choose one of them")),
        }
    }
    Ok(settings)
}

/// What the printed model was given and what it assumes, in sentences.
pub(crate) fn notes(request: &PlacementRequest, evaluator: &Evaluator) -> Vec<String> {
    let machine = evaluator.machine();
    let Some(paper) = &evaluator.settings().paper else { return Vec::new() };
    let mut notes = vec![match machine.measured.known {
        true => {
            "service times and row and column bits of main memory are those that Huang & Li measured on this GPU; which \
             of the bits are the column and which bank a name has are assumed"
        }
        false => {
            "nobody measured this GPU's row latencies and address bits as the paper did, so they are those that our own \
             model assumes"
        }
    }
    .to_string()];
    notes.push(match (&paper.overlap, &request.overlap) {
        (PaperOverlap::Sim, _) => "overlap: that of Sim et al., with which the paper compares".into(),
        (PaperOverlap::Trained(_), Some(file)) => format!("overlap: equation 11 with {}", file.provenance),
        (PaperOverlap::SampleAndTrained(_), Some(file)) => {
            format!("overlap: the sample's ratio and the difference by equation 11 with {}", file.provenance)
        }
        _ => "overlap: the sample's ratio holds for every placement; equation 11 is not trained".into(),
    });
    notes.push(match paper.gamma {
        0.0 => "equations 16 and 17 are lost in our copy of the paper and have the form of Sim et al. (PPoPP'12, from \
                memory); barriers cost nothing, because Γ is not known for this GPU"
            .into(),
        gamma => format!(
            "equations 16 and 17 are lost in our copy of the paper and have the form of Sim et al. (PPoPP'12, from memory), \
             with Γ = {gamma}"
        ),
    });
    if request.paper.inst_issued.is_none() {
        notes.push(
            "no counter of issued instructions was given, so the sample has no replays by causes (6) to (10)".into(),
        );
    }
    notes
}

/// What is odd about the sample by the equations, in sentences.
pub(crate) fn oddities(evaluator: &mut Evaluator) -> Vec<String> {
    let sample = evaluator.sample().clone();
    let found = evaluator.predict(&sample);
    let mut notes = Vec::new();
    let ratio = found.paper.map_or(0.0, |paper| paper.ratio);
    if ratio > 1.0 {
        notes.push(format!(
            "by equation 2 the sample computes for {:.0} cycles, which is longer than it takes, so its overlap is {:.0} % \
             of Tmem and a longer Tmem makes a placement faster; do not trust this ranking",
            found.comp,
            100.0 * ratio
        ));
    }
    let banks = found.banks.banks.iter().filter(|bank| bank.requests > 0).count();
    if found.banks.saturated > 0 {
        notes.push(format!(
            "{} of the sample's {banks} banks get more than they can serve, where equation 9 has no value; the number \
             of outstanding requests bounds their wait (assumed)",
            found.banks.saturated
        ));
    }
    notes
}

impl PlacementRun {
    /// Runs the sample of the model `paper` on the whole GPU for about `budget` of its events, if nobody measured it.
    /// Returns false if nothing is left to do. The search must not have begun.
    pub fn sample_step(&mut self, budget: u64) -> bool {
        let Some(run) = &mut self.sampling else { return false };
        let Step::Done(time) = run.step(budget) else { return true };
        let microseconds = time.cycles() / self.machine_hz * 1e6;
        let evaluator = self.search.evaluator();
        let clock = evaluator.machine().clock_ghz;
        evaluator.set_sample_cycles(microseconds * 1e3 * clock);
        (self.sampling, self.sample_time) = (None, Some(SampleTime { microseconds, simulated: true }));
        self.note_sample();
        false
    }

    /// Adds where the sample's time is from, and what is odd about it.
    pub(crate) fn note_sample(&mut self) {
        let Some(SampleTime { microseconds, simulated }) = self.sample_time else { return };
        self.notes.push(match simulated {
            true => format!("sample: {microseconds:.1} µs by the model of the whole GPU; nothing was measured"),
            false => format!("sample: {microseconds:.1} µs, as measured by you"),
        });
        let odd = oddities(self.search.evaluator());
        self.notes.extend(odd);
    }
}
