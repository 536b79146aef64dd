//! The session of the Reuse tab: one [`ReuseSession`] in its worker. The parallel partitions are other workers' [`super::reuse`].

use crate::browser::FileStream;
use crate::cuda::{cuda_options, texts_step};
use crate::js::{drawn, error, from_js, page_error, read_format, read_look, read_scenario, report_json, to_js};
use crate::shapes::{EngineShape, ReuseStep, TraceShape};
use base::Step;
use lab::{HpRdaSettings, Pattern, ReuseChart, ReuseLines, ReuseSession as Session, ReuseTaskOutcome, SessionEngine};
use plot::reuse_figure;
use wasm_bindgen::prelude::*;

impl EngineShape {
    fn read(value: JsValue) -> Result<SessionEngine, JsValue> {
        let shape: Self = from_js("engine", "an engine", value)?;
        Ok(match shape.engine.as_str() {
            "auto" => SessionEngine::Auto,
            "rank" => SessionEngine::Rank,
            "offline" => SessionEngine::Offline,
            "sample" => SessionEngine::Sample { per_million: shape.per_million },
            "hp-rda-trace" => SessionEngine::HpRdaTrace,
            "hp-rda" => SessionEngine::HpRda(shape.hp_rda()),
            other => return Err(error("engine", "auto, rank, offline, sample or hp-rda", other, "choose one of them")),
        })
    }

    fn hp_rda(&self) -> HpRdaSettings {
        HpRdaSettings { thread_trace: self.st.max(1), block_threads: self.nb.max(1), adjust: self.adjust }
    }
}

/// An input, its lines, and analyses of them.
#[wasm_bindgen]
#[derive(Default)]
pub struct ReuseSession {
    session: Session,
    lines: Option<ReuseLines>,
}

#[wasm_bindgen]
impl ReuseSession {
    /// A session that keeps at most `keep_bytes` of packed addresses.
    #[wasm_bindgen(constructor)]
    pub fn new(keep_bytes: usize) -> Self {
        Self { session: Session::with_limit(keep_bytes), lines: None }
    }

    /// How CUDA text is run.
    pub fn set_cuda(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "page.CudaSettings")] settings: JsValue,
    ) -> Result<(), JsValue> {
        self.session.set_cuda(cuda_options(settings)?);
        Ok(())
    }

    /// Takes a kernel of the library.
    pub fn example(&mut self, id: &str) -> Result<(), JsValue> {
        self.session.example(id).map_err(page_error)
    }

    /// Runs CUDA text for about `budget` warp instructions; to be called until it has finished.
    #[wasm_bindgen(unchecked_return_type = "page.TextsStep")]
    pub fn texts_step(&mut self, budget: u32) -> Result<JsValue, JsValue> {
        texts_step(&self.session.run_texts(u64::from(budget)))
    }

    /// Starts a file, to be read as the format of this key if there is one; see the lab's session.
    pub fn begin_file(&mut self, name: &str, format: Option<String>, line_bytes: u32) -> Result<(), JsValue> {
        let format = format.map(|key| read_format(name, &key)).transpose()?;
        self.session.begin_file(name, format, u64::from(line_bytes));
        Ok(())
    }

    /// Takes the next bytes of the file.
    pub fn push(&mut self, chunk: &[u8]) {
        self.session.push_bytes(chunk);
    }

    /// Takes the next piece of a file's stream; its length, 0 when the stream has to be asked for more.
    pub fn take(&mut self, stream: &mut FileStream) -> u32 {
        stream.hand(|bytes| self.push(bytes))
    }

    /// Ends the file.
    pub fn end_file(&mut self) {
        self.session.end_file();
    }

    /// Puts the files together and says what they are.
    #[wasm_bindgen(unchecked_return_type = "page.InputInfo")]
    pub fn finish_files(&mut self) -> Result<JsValue, JsValue> {
        to_js(&self.session.finish_files())
    }

    /// Takes a generated stream as input; a task. False when there is no such pattern.
    pub fn generate(&mut self, pattern: &str, exponent: f64, n: u32, m: u32, seed: u32) -> bool {
        let Some(pattern) = Pattern::from_name(pattern, exponent) else { return false };
        self.session.generate(pattern, n, m, seed);
        true
    }

    /// Makes the lines ready; a task, unless the answer is there at once.
    #[wasm_bindgen(unchecked_return_type = "page.Prepared | null")]
    pub fn prepare(
        &mut self,
        line_bytes: u32,
        model_order: bool,
        #[wasm_bindgen(unchecked_param_type = "page.Scenario")] scenario: JsValue,
    ) -> Result<JsValue, JsValue> {
        let scenario = read_scenario(scenario)?;
        self.lines = None;
        self.session.prepare(u64::from(line_bytes), model_order, &scenario).map_err(page_error)?;
        to_js(&self.session.prepared())
    }

    /// Starts an analysis; a task.
    pub fn start(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "page.EngineSpec")] engine: JsValue,
    ) -> Result<(), JsValue> {
        self.session.start(EngineShape::read(engine)?).map_err(page_error)
    }

    /// Does about `budget` accesses of the task.
    #[wasm_bindgen(unchecked_return_type = "page.ReuseStep")]
    pub fn step(&mut self, budget: u32) -> Result<JsValue, JsValue> {
        let step = match self.session.step(u64::from(budget)).map_err(page_error)? {
            Step::More(progress) => ReuseStep { done: progress.done, total: progress.total, ..ReuseStep::default() },
            Step::Done(outcome) => Self::done(outcome),
        };
        to_js(&step)
    }

    /// Makes ready an analysis that takes the files as they come.
    pub fn start_passing(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "page.EngineSpec")] engine: JsValue,
    ) -> Result<(), JsValue> {
        self.session.start_streaming(EngineShape::read(engine)?).map_err(page_error)
    }

    /// What that analysis found.
    #[wasm_bindgen(unchecked_return_type = "page.ReuseStep")]
    pub fn finish_passing(&mut self) -> Result<JsValue, JsValue> {
        to_js(&Self::done(self.session.finish_streaming().map_err(page_error)?))
    }

    /// Begins to hand the lines out.
    pub fn read_lines(&mut self) {
        self.lines = self.session.read_lines();
    }

    /// The next lines, where all numbers fit 32 bits.
    pub fn next_u32(&mut self, most: u32) -> Vec<u32> {
        self.lines
            .as_mut()
            .map_or(Vec::new(), |lines| lines.next_lines(most as usize).iter().map(|&n| n as u32).collect())
    }

    /// The next lines.
    pub fn next_u64(&mut self, most: u32) -> Vec<u64> {
        self.lines.as_mut().map_or(Vec::new(), |lines| lines.next_lines(most as usize).to_vec())
    }

    /// Whether merged partitions have the exact histogram; null where that cannot be said.
    pub fn equals_exact(&self, summary: &[u8]) -> Option<bool> {
        self.session.equals_exact(summary)
    }

    /// References after HP-RDA's step 1.
    pub fn hp_rda_addresses(&self) -> Vec<u32> {
        self.session.hp_rda_trace().map_or(Vec::new(), |trace| trace.addresses.clone())
    }

    /// Step 5 for the last run of HP-RDA; null when there is none.
    #[wasm_bindgen(unchecked_return_type = "page.ReuseResult | null")]
    pub fn adjust_hp_rda(&mut self) -> Result<JsValue, JsValue> {
        to_js(&self.session.adjust_hp_rda())
    }

    /// Whether another machine's accesses by distance and Σ count are those of the last run of HP-RDA here.
    pub fn equals_hp_rda(&self, joined: &[u32], count: f64) -> Option<bool> {
        self.session.equals_hp_rda(joined, count as u64)
    }

    /// Bars over the distances `from..=to` of a series.
    #[wasm_bindgen(unchecked_return_type = "page.Bar[]")]
    pub fn window(&self, key: &str, from: f64, to: f64, most: u32) -> Result<JsValue, JsValue> {
        to_js(&self.session.distance_bars(key, from as u64, to as u64, u64::from(most)))
    }

    /// The exact result as JSON, the same as the command line prints.
    pub fn report_json(&self, seconds: f64) -> Result<String, JsValue> {
        let report =
            self.session.report(seconds).ok_or_else(|| error("report", "a finished analysis", "none", "run it"))?;
        report_json(&report)
    }

    /// All series as CSV.
    pub fn csv(&self) -> String {
        self.session.csv()
    }
}

impl ReuseSession {
    fn done(outcome: ReuseTaskOutcome) -> ReuseStep {
        let end = ReuseStep { done: 1, total: 1, ..ReuseStep::default() };
        match outcome {
            ReuseTaskOutcome::Generated(n) => ReuseStep { generated: Some(n), ..end },
            ReuseTaskOutcome::Prepared(prepared) => ReuseStep { prepared: Some(prepared), ..end },
            ReuseTaskOutcome::Result(result) => ReuseStep { result: Some(result), ..end },
            ReuseTaskOutcome::Trace(references, distinct, repeats) => {
                ReuseStep { trace: Some(TraceShape { references, distinct, repeats }), ..end }
            }
        }
    }
}

/// Draws a chart of the Reuse tab as SVG text.
#[wasm_bindgen]
pub fn reuse_chart(
    #[wasm_bindgen(unchecked_param_type = "page.ReuseChart")] chart: JsValue,
    #[wasm_bindgen(unchecked_param_type = "page.Look")] look: JsValue,
) -> Result<String, JsValue> {
    let chart: ReuseChart = serde_wasm_bindgen::from_value(chart)
        .map_err(|e| error("figure", "a chart", &e.to_string(), "the table beside it has the same numbers"))?;
    drawn(reuse_figure(&chart, &read_look(look)?))
}
