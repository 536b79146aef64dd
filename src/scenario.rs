//! The scenario: what was read, why it misses, figures and links.

use crate::js::{drawn, error, from_js, page_error, read_format, read_look, read_scenario, report_json, to_js};
use base::{Job, Step};
use lab::{
    array_csv, convert, gpu_topology, parameters, preset_list, run_estimate, topology_json, CacheModel, Contents,
    CountFilter, FileHash, GpuWhyRun, Intake, Report, ScenarioRun, Target, WhyRun,
};
use plot::{
    cache_figure, cache_pair_figure, cores_figure, flow_figure, flow_pair_figure, roofline_figure, CacheFigure,
    KernelWithWays,
};
use share::{add_fingerprint, parse_link, write_link, LinkError};
use wasm_bindgen::prelude::*;

use crate::browser::{begin, end, FileStream};
use crate::compare::{bad_baseline, read_cores, read_flow, read_kernel, read_roofline};
use crate::cuda::cuda_options;
use crate::shapes::{IntakeInfo, IntakeStep, StepOutcome, TextShape};
use crate::sweep::Sweeping;

/// Stretches of work that the browser's performance tools show.
const READING: &str = "warpscope: reading";
const EMULATION: &str = "warpscope: emulation";
const RUN: &str = "warpscope: run";

/// SHA-256 of a file, for a worker beside the one that reads it.
#[wasm_bindgen]
#[derive(Default)]
pub struct Hasher(FileHash);

#[wasm_bindgen]
impl Hasher {
    /// The hash of nothing yet.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        self.0.push(bytes);
    }

    /// Takes the next piece of the file's stream; its length, 0 when the stream has to be asked for more.
    pub fn take(&mut self, stream: &mut FileStream) -> u32 {
        stream.hand(|bytes| self.push(bytes))
    }

    /// Lower-case hexadecimal.
    pub fn finish(self) -> String {
        self.0.finish()
    }
}

/// The engine of one worker: what was read, the run under way, and the last report.
#[wasm_bindgen]
#[derive(Default)]
pub struct Lab {
    intake: Intake,
    pub(crate) contents: Contents,
    run: Option<ScenarioRun>,
    pub(crate) sweeping: Option<Sweeping>,
    /// The kernel that is open for questions about its accesses.
    pub(crate) why: Option<WhyRun>,
    /// The same in the model `gpu`.
    pub(crate) why_gpu: Option<GpuWhyRun>,
    report: Option<Report>,
    /// True while the run counts a part of the requests.
    counting: bool,
    /// The counts of a part, of the same scenario as the report.
    part: Option<Report>,
}

#[wasm_bindgen]
impl Lab {
    /// An engine without input.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        let mut lab = Self::default();
        lab.intake.keep_texts();
        lab
    }

    /// Forgets all input. The last report stays until the next run is done.
    pub fn clear(&mut self) {
        begin(READING);
        self.intake = Intake::default();
        self.intake.keep_texts();
        self.contents = Contents::default();
        self.run = None;
        self.sweeping = None;
        (self.why, self.why_gpu, self.part) = (None, None, None);
    }

    /// Starts a file.
    pub fn begin_file(&mut self, name: &str) {
        self.intake.begin(name);
    }

    /// Starts a file that a person wants read as this format.
    pub fn begin_file_as(&mut self, name: &str, format: &str) -> Result<(), JsValue> {
        self.intake.begin_as(name, read_format(name, format)?);
        Ok(())
    }

    /// The SHA-256 of the file that was just begun is made elsewhere.
    pub fn leave_hash(&mut self) {
        self.intake.leave_hash();
    }

    /// Takes the SHA-256 of a file that has ended, counted from 0.
    pub fn set_hash(&mut self, file: usize, sha256: String) {
        self.intake.hash(file, sha256);
    }

    /// Takes the next bytes of the file.
    pub fn push(&mut self, chunk: &[u8]) {
        self.intake.push(chunk);
        // An address stream is of no use here but to be named; the Reuse tab reads it itself.
        self.intake.drain(&mut |_| {});
    }

    /// Takes the next piece of a file's stream; its length, 0 when the stream has to be asked for more.
    pub fn take(&mut self, stream: &mut FileStream) -> u32 {
        stream.hand(|bytes| self.push(bytes))
    }

    /// Ends the file.
    pub fn end_file(&mut self) {
        self.intake.end();
    }

    /// How CUDA text is run.
    pub fn set_cuda(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "page.CudaSettings")] settings: JsValue,
    ) -> Result<(), JsValue> {
        self.intake.set_cuda(cuda_options(settings)?);
        Ok(())
    }

    /// Takes a kernel of the library.
    pub fn example(&mut self, id: &str) -> Result<(), JsValue> {
        self.intake.example(id).map_err(page_error)
    }

    /// All files were read.
    pub fn begin_texts(&mut self) {
        end(READING);
        begin(EMULATION);
    }

    /// Runs CUDA text for about `budget` warp instructions, then puts the files together.
    #[wasm_bindgen(unchecked_return_type = "page.IntakeStep")]
    pub fn intake_step(&mut self, budget: u32) -> Result<JsValue, JsValue> {
        match self.intake.run_texts(u64::from(budget)) {
            Step::More(progress) => {
                to_js(&IntakeStep { done: progress.done, total: progress.total, intake: None, text: None })
            }
            Step::Done(()) => {
                end(EMULATION);
                self.contents = std::mem::take(&mut self.intake).finish();
                self.intake.keep_texts();
                let text = self.contents.texts.first().map(|text| TextShape::of(text, &self.contents));
                to_js(&IntakeStep { done: 1, total: 1, intake: Some(IntakeInfo::of(&self.contents)), text })
            }
        }
    }

    /// The trace of a launch of the CUDA text, counted from 0, as `trc` or `traceg`.
    pub fn trace(&self, launch: usize, format: &str) -> Result<Vec<u8>, JsValue> {
        let target = Target::of_name(&format!("trace.{format}"));
        let trace = self.contents.texts.first().and_then(|text| self.contents.launch(text.file, launch));
        let (target, trace) = target
            .zip(trace)
            .ok_or_else(|| error("trace", "a launch, as trc or traceg", format, "run the kernel again"))?;
        Ok(convert(trace, target).text)
    }

    /// An array of the CUDA text as it was before the first launch and after the last, as CSV.
    pub fn array_csv(&self, name: &str) -> Result<String, JsValue> {
        let arrays = self.contents.texts.first().map_or(&[][..], |text| &text.arrays);
        let array = arrays.iter().find(|array| array.name == name);
        array.map(array_csv).ok_or_else(|| error("array", "an array of the run", name, "run the kernel again"))
    }

    /// The presets.
    #[wasm_bindgen(unchecked_return_type = "page.PresetInfo[]")]
    pub fn presets(&self) -> Result<JsValue, JsValue> {
        to_js(&preset_list())
    }

    /// The parameters of a GPU for a model.
    #[wasm_bindgen(unchecked_return_type = "page.Parameter[]")]
    pub fn parameters(&self, gpu_id: &str, model: &str) -> Result<JsValue, JsValue> {
        let model = CacheModel::named(model)
            .ok_or_else(|| error("model", "gpu, paper or reference", &format!("`{model}`"), "use one of these"))?;
        let topology = gpu_topology(gpu_id, self.contents.topology.as_ref()).map_err(page_error)?;
        to_js(&parameters(&topology, model))
    }

    /// Bytes that a scenario's run is estimated to take at its peak.
    pub fn estimate(
        &self,
        #[wasm_bindgen(unchecked_param_type = "page.Scenario")] scenario: JsValue,
    ) -> Result<f64, JsValue> {
        Ok(run_estimate(&read_scenario(scenario)?, &self.contents).map_err(page_error)? as f64)
    }

    /// Checks a scenario and makes it ready to be stepped.
    pub fn start(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "page.Scenario")] scenario: JsValue,
    ) -> Result<(), JsValue> {
        let scenario = read_scenario(scenario)?;
        begin(RUN);
        (self.run, self.counting) = (None, false);
        (self.why, self.why_gpu, self.part) = (None, None, None);
        self.run = Some(ScenarioRun::new(&scenario, &self.contents).map_err(page_error)?);
        Ok(())
    }

    /// Makes a scenario ready to be stepped once more, to count a part of its requests. The last report stays.
    pub fn start_counting(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "page.Scenario")] scenario: JsValue,
        #[wasm_bindgen(unchecked_param_type = "page.CountFilter")] part: JsValue,
    ) -> Result<(), JsValue> {
        let (scenario, part) =
            (read_scenario(scenario)?, from_js::<CountFilter>("filter", "a part of the requests", part)?);
        begin(RUN);
        (self.run, self.counting) = (None, true);
        self.run = Some(ScenarioRun::counting(&scenario, &self.contents, part).map_err(page_error)?);
        Ok(())
    }

    /// Does about `budget` ticks or events of work.
    #[wasm_bindgen(unchecked_return_type = "page.StepOutcome")]
    pub fn step(&mut self, budget: u32) -> Result<JsValue, JsValue> {
        let Some(run) = &mut self.run else {
            return Err(error("engine", "a started run", "none", "run the scenario again"));
        };
        match run.step(u64::from(budget)) {
            Step::More(progress) => to_js(&StepOutcome { done: progress.done, total: progress.total, report: None }),
            Step::Done(result) => {
                end(RUN);
                self.run = None;
                let report = result.map_err(page_error)?;
                let report = match self.counting {
                    true => self.part.insert(report),
                    false => self.report.insert(add_fingerprint(report)),
                };
                to_js(&StepOutcome { done: 1, total: 1, report: Some(report) })
            }
        }
    }

    /// A figure of the last report's kernel, as SVG text; with numbers of a baseline, of both. With `part.` before its name it is
    /// of the part that was counted last.
    pub fn figure(
        &self,
        kernel: usize,
        kind: &str,
        #[wasm_bindgen(unchecked_param_type = "page.Look")] look: JsValue,
        base: Option<Vec<f64>>,
    ) -> Result<String, JsValue> {
        let look = &read_look(look)?;
        let missing = || error("figure", "a kernel and a figure of the report", kind, "run again");
        match self.last_report()? {
            Report::Cache(report) => {
                let (kind, of) = match (kind.strip_prefix("part."), &self.part) {
                    (Some(kind), Some(Report::Cache(part))) => (kind, part),
                    _ => (kind, report),
                };
                let number = report.kernels.get(kernel).ok_or_else(missing)?.number;
                let shown = of.kernels.iter().find(|kernel| kernel.number == number).zip(CacheFigure::named(kind));
                let (kernel, kind) = shown.ok_or_else(missing)?;
                let ways = report.parameters.get("ways").and_then(|ways| ways.parse().ok()).unwrap_or(1);
                let now = KernelWithWays { kernel, ways };
                match base {
                    Some(base) => {
                        let (kernel, ways) = read_kernel(&base).ok_or_else(bad_baseline)?;
                        drawn(cache_pair_figure(kind, now, KernelWithWays { kernel: &kernel, ways }, look))
                    }
                    None => drawn(cache_figure(kernel, kind, ways, look)),
                }
            }
            Report::Gpu(report) => {
                let (kind, of) = match (kind.strip_prefix("part."), &self.part) {
                    (Some(kind), Some(Report::Gpu(part))) => (kind, part),
                    _ => (kind, report),
                };
                let number = report.kernels.get(kernel).ok_or_else(missing)?.number;
                let shown = of.kernels.iter().find(|kernel| kernel.number == number).ok_or_else(missing)?;
                match kind {
                    "flow" => match base {
                        Some(base) => {
                            let base = read_flow(&base).ok_or_else(bad_baseline)?;
                            drawn(flow_pair_figure(&shown.gpu, &base, look))
                        }
                        None => drawn(flow_figure(&shown.gpu, look)),
                    },
                    "cores" => {
                        let base = base.map(|base| read_cores(&base).ok_or_else(bad_baseline)).transpose()?;
                        drawn(cores_figure(&shown.rows.cores, &base.unwrap_or_default(), report.cores, look))
                    }
                    "roofline" => {
                        let now = shown.roofline.as_ref().ok_or_else(missing)?;
                        let base = base.map(|base| read_roofline(&base).ok_or_else(bad_baseline)).transpose()?;
                        drawn(roofline_figure(now, base.as_ref(), look))
                    }
                    _ => Err(missing()),
                }
            }
        }
    }

    /// A link's hash for a scenario.
    pub fn link(
        &self,
        #[wasm_bindgen(unchecked_param_type = "page.Scenario")] scenario: JsValue,
    ) -> Result<String, JsValue> {
        write_link(&read_scenario(scenario)?).map_err(|e| link_error(&e))
    }

    /// The scenario of a link's hash.
    #[wasm_bindgen(unchecked_return_type = "page.Scenario")]
    pub fn parse_link(&self, hash: &str) -> Result<JsValue, JsValue> {
        to_js(&parse_link(hash).map_err(|e| link_error(&e))?)
    }

    /// The last report as JSON, the same as the command line prints; `view` may name arrays.
    pub fn report_json(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Record<string, string>")] view: JsValue,
    ) -> Result<String, JsValue> {
        report_json(&self.named_report(view)?)
    }

    /// The last report as CSV; `view` may name arrays.
    pub fn report_csv(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Record<string, string>")] view: JsValue,
    ) -> Result<String, JsValue> {
        Ok(self.named_report(view)?.csv())
    }

    /// A GPU as topology JSON.
    pub fn topology_json(&self, gpu_id: &str) -> Result<String, JsValue> {
        topology_json(gpu_id, self.contents.topology.as_ref()).map_err(page_error)
    }
}

impl Lab {
    fn named_report(&self, view: JsValue) -> Result<Report, JsValue> {
        let view = from_js("view", "keys with values", view)?;
        Ok(self.last_report()?.clone().with_names(&view))
    }

    fn last_report(&self) -> Result<&Report, JsValue> {
        self.report.as_ref().ok_or_else(|| error("report", "a finished run", "none", "run the scenario first"))
    }
}

fn link_error(e: &LinkError) -> JsValue {
    error("link", "a link of this page", &e.to_string(), "ask for the link again, or open the page without it")
}
