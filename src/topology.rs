//! Topologies, measurements, hidden GPUs and this machine's levels for the page: one [`TopologyLab`] per worker.

use crate::browser::FileStream;
use crate::js::{drawn, error, from_js, page_error, read_look, to_js, OF_PAGE};
use crate::shapes::{MeasuredView, OutcomeStep, View};
use base::{Diagnostic, Severity};
use base::{Job, Step};
use lab::{
    compare_topologies, gpu_topology, hierarchy_boxes, inherited, machine_levels, machine_topology, preset_list,
    read_topology, summary, topology_facts, write_topology, DiscoverReport, DiscoverRun, Experiment, ExperimentBench,
    ExperimentOutcome, GpuGuess, HiddenGpu, MachineLevels, MachineMeasurement, Reduction, SizeCurve, Topology,
    TopologyIntake, TopologyReport,
};
use plot::topology::{topology_figure, TopologyFigure};
use wasm_bindgen::prelude::*;

impl View {
    fn of(topology: &Topology, diagnostics: Vec<Diagnostic>) -> Self {
        Self {
            json: write_topology(topology),
            id: topology.id.clone(),
            name: topology.name.clone(),
            summary: summary(topology),
            facts: topology_facts(topology),
            inherited: inherited(topology),
            diagnostics,
        }
    }
}

/// What a worker of the Topology tab holds.
#[wasm_bindgen]
#[derive(Default)]
pub struct TopologyLab {
    intake: TopologyIntake,
    measured: Option<TopologyReport>,
    curves: Vec<SizeCurve>,
    bench: Option<ExperimentBench>,
    outcome: Option<ExperimentOutcome>,
    run: Option<DiscoverRun>,
    discovered: Option<DiscoverReport>,
    /// Of the CPU and of the GPU.
    levels: [MachineLevels; 2],
}

#[wasm_bindgen]
impl TopologyLab {
    /// A lab with nothing in it.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// The presets.
    #[wasm_bindgen(unchecked_return_type = "page.PresetInfo[]")]
    pub fn presets(&self) -> Result<JsValue, JsValue> {
        to_js(&preset_list())
    }

    /// A preset.
    #[wasm_bindgen(unchecked_return_type = "page.TopologyView")]
    pub fn preset(&self, id: &str) -> Result<JsValue, JsValue> {
        to_js(&View::of(&gpu_topology(id, None).map_err(page_error)?, Vec::new()))
    }

    /// A topology of any known format, validated.
    #[wasm_bindgen(unchecked_return_type = "page.TopologyView")]
    pub fn read(&self, name: &str, text: &str) -> Result<JsValue, JsValue> {
        let (topology, said) = topology_of(name, text)?;
        to_js(&View::of(&topology, said))
    }

    /// Two topologies, place by place.
    #[wasm_bindgen(unchecked_return_type = "page.Difference[]")]
    pub fn compare(&self, first: &str, second: &str) -> Result<JsValue, JsValue> {
        to_js(&compare_topologies(&topology_of("first GPU", first)?.0, &topology_of("second GPU", second)?.0))
    }

    /// Forgets the files.
    pub fn clear_files(&mut self) {
        self.intake = TopologyIntake::default();
        self.measured = None;
        self.curves.clear();
    }

    /// Starts a file.
    pub fn begin_file(&mut self, name: &str) {
        self.intake.begin(name);
    }

    /// Takes the next bytes of the file.
    pub fn push(&mut self, chunk: &[u8]) {
        self.intake.push(chunk);
    }

    /// Takes the next piece of a file's stream; its length, 0 when the stream has to be asked for more.
    pub fn take(&mut self, stream: &mut FileStream) -> u32 {
        stream.hand(|bytes| self.push(bytes))
    }

    /// Puts the files together and recomputes every value.
    #[wasm_bindgen(unchecked_return_type = "page.Measured")]
    pub fn finish_files(&mut self) -> Result<JsValue, JsValue> {
        let report = std::mem::take(&mut self.intake).finish().map_err(page_error)?;
        let topology = report.topology.as_ref().map(|topology| View::of(topology, Vec::new()));
        let TopologyReport { measurements, agreement, diagnostics, .. } = &report;
        let view = MeasuredView { topology, measurements, agreement, diagnostics };
        let out = to_js(&view);
        self.measured = Some(report);
        out
    }

    /// Curves of the raw files by a reduction (`cut`, `distance`, `sliding`, `angle`, `mean`, `rms`) at a level.
    #[wasm_bindgen(unchecked_return_type = "page.Curve[]")]
    pub fn curves(&mut self, reduction: &str, alpha: f64) -> Result<JsValue, JsValue> {
        let reduction: Reduction = serde_json::from_value(reduction.into())
            .map_err(|_| error("reduction", "one of the reductions", reduction, "choose it from the list"))?;
        let alpha = if alpha > 0.0 && alpha < 1.0 { alpha } else { Reduction::ALPHA };
        self.curves = self.measured.as_ref().map_or(Vec::new(), |report| report.curves(reduction, alpha));
        to_js(&self.curves)
    }

    /// Hides a GPU; gives the memories that it has.
    #[wasm_bindgen(unchecked_return_type = "string[]")]
    pub fn hide(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "page.Hidden")] hidden: JsValue,
    ) -> Result<JsValue, JsValue> {
        let hidden: HiddenGpu = from_js("hidden GPU", OF_PAGE, hidden)?;
        self.run = Some(DiscoverRun::new(&hidden).map_err(page_error)?);
        let bench = self.bench.insert(ExperimentBench::new(&hidden).map_err(page_error)?);
        (self.discovered, self.outcome) = (None, None);
        to_js(&bench.memories())
    }

    /// One step of the page's own experiments.
    #[wasm_bindgen(unchecked_return_type = "page.OutcomeStep<page.Discovered>")]
    pub fn discover(&mut self) -> Result<JsValue, JsValue> {
        let Some(run) = &mut self.run else { return Err(nothing_hidden()) };
        match run.step(1) {
            Step::More(progress) => to_js(&standing::<()>(progress.done, progress.total, None)),
            Step::Done(report) => {
                self.run = None;
                to_js(&standing(1, 1, Some(self.discovered.insert(report))))
            }
        }
    }

    /// Begins an experiment of the visitor.
    #[wasm_bindgen(unchecked_return_type = "page.OutcomeStep<page.Outcome>")]
    pub fn experiment(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "page.Experiment")] experiment: JsValue,
    ) -> Result<JsValue, JsValue> {
        let experiment: Experiment = from_js("experiment", OF_PAGE, experiment)?;
        let Some(bench) = &mut self.bench else { return Err(nothing_hidden()) };
        self.outcome = bench.start(&experiment).map_err(page_error)?;
        to_js(&standing(0, 1, self.outcome.as_ref()))
    }

    /// Goes on with it for about `budget` loads.
    #[wasm_bindgen(unchecked_return_type = "page.OutcomeStep<page.Outcome>")]
    pub fn experiment_step(&mut self, budget: u32) -> Result<JsValue, JsValue> {
        let Some(bench) = &mut self.bench else { return Err(nothing_hidden()) };
        match bench.step(u64::from(budget)) {
            Some(Step::More(progress)) => to_js(&standing::<()>(progress.done, progress.total, None)),
            Some(Step::Done(outcome)) => to_js(&standing(1, 1, Some(self.outcome.insert(outcome)))),
            None => Err(error("experiment", "one that has begun", "none", "start it again")),
        }
    }

    /// Scores what the visitor says.
    #[wasm_bindgen(unchecked_return_type = "page.Discovered")]
    pub fn score(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "page.Guess")] guess: JsValue,
    ) -> Result<JsValue, JsValue> {
        let guess: GpuGuess = from_js("answer", OF_PAGE, guess)?;
        let Some(bench) = &self.bench else { return Err(nothing_hidden()) };
        to_js(&bench.score(&guess))
    }

    /// Levels of this machine: `which` 0 for the CPU, 1 for the GPU; `times` holds the repetitions one after the other.
    #[wasm_bindgen(unchecked_return_type = "page.MachineLevels")]
    pub fn levels(&mut self, which: usize, sizes: &[f64], times: &[f64], per_octave: f64) -> Result<JsValue, JsValue> {
        let repetitions: Vec<Vec<f64>> = times.chunks(sizes.len().max(1)).map(<[f64]>::to_vec).collect();
        let found = machine_levels(sizes, &repetitions, per_octave);
        let slot = self.levels.get_mut(which);
        let slot = slot.ok_or_else(|| error("levels", "CPU or GPU", &which.to_string(), "measure again"))?;
        *slot = found;
        to_js(slot)
    }

    /// The topology of a measured machine.
    #[wasm_bindgen(unchecked_return_type = "page.TopologyView")]
    pub fn machine(
        &self,
        #[wasm_bindgen(unchecked_param_type = "page.Machine")] machine: JsValue,
    ) -> Result<JsValue, JsValue> {
        let machine: MachineMeasurement = from_js("machine", OF_PAGE, machine)?;
        to_js(&View::of(&machine_topology(&machine).map_err(page_error)?, Vec::new()))
    }

    /// A figure as SVG text. `of`: for `hierarchy` the JSON of a topology; for `times`, `reduced`, `samples` the number of a
    /// curve, or `experiment`; for `walk` and `shares` nothing; for `sweep` a memory; for `levels` 0 or 1.
    pub fn figure(
        &self,
        kind: &str,
        of: &str,
        #[wasm_bindgen(unchecked_param_type = "page.Look")] look: JsValue,
    ) -> Result<String, JsValue> {
        let lost = || error("figure", "something to draw", kind, "run it again");
        let boxes;
        let what = match kind {
            "hierarchy" => {
                boxes = hierarchy_boxes(&topology_of("topology", of)?.0);
                TopologyFigure::Hierarchy(&boxes)
            }
            "times" => TopologyFigure::Times(self.curve(of).ok_or_else(lost)?),
            "reduced" => TopologyFigure::Reduced(self.curve(of).ok_or_else(lost)?),
            "samples" => TopologyFigure::Samples(self.curve(of).ok_or_else(lost)?),
            "sweep" => {
                let cache = self.discovered.as_ref().and_then(|report| report.found.caches.get(of));
                TopologyFigure::Sweep(cache.ok_or_else(lost)?)
            }
            "levels" => {
                TopologyFigure::Levels(of.parse().ok().and_then(|i: usize| self.levels.get(i)).ok_or_else(lost)?)
            }
            _ => match (kind, &self.outcome) {
                ("walk", Some(ExperimentOutcome::Walk(walk))) => TopologyFigure::Walk(walk),
                ("shares", Some(ExperimentOutcome::Shares(shares))) => TopologyFigure::Shares(shares),
                _ => return Err(lost()),
            },
        };
        drawn(topology_figure(what, &read_look(look)?))
    }
}

impl TopologyLab {
    fn curve(&self, of: &str) -> Option<&SizeCurve> {
        match (&self.outcome, of.parse::<usize>()) {
            (Some(ExperimentOutcome::Sizes(curve)), Err(_)) => Some(curve),
            (_, Ok(index)) => self.curves.get(index),
            _ => None,
        }
    }
}

fn standing<T>(done: u64, total: u64, outcome: Option<T>) -> OutcomeStep<T> {
    OutcomeStep { done, total, outcome }
}

fn nothing_hidden() -> JsValue {
    error("hidden GPU", "one that was drawn", "none", "draw a GPU first")
}

fn topology_of(name: &str, text: &str) -> Result<(Topology, Vec<Diagnostic>), JsValue> {
    let (topology, said) = read_topology(name, text.as_bytes());
    match topology {
        Some(topology) => Ok((topology, said)),
        None => Err(page_error(said.into_iter().filter(|d| d.severity == Severity::Error).collect())),
    }
}
