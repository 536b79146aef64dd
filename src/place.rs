//! Placements for the page: one [`PlaceLab`] per worker of the pool.

use crate::browser::FileStream;
use crate::cuda::{cuda_options, texts_step};
use crate::js::{drawn, error, from_js, page_error, read_format, read_look, report_json, to_js, OF_PAGE};
use crate::shapes::{ChangeAsk, ChangedText, PlaceAsk, Trained, TrainingStep};
use base::{Job, Progress, Step};
use lab::{
    retrain, ArrayEdit, BankLoad, DramAnswer, DramExercise, FlipTimes, MachineTraining, OverlapFile, PaperRequest,
    PlacementRequest, PlacementSession, Rewritten, TermBar,
};
use plot::placement::{placement_figure, PlacementFigure};
use wasm_bindgen::prelude::*;

impl PlaceAsk {
    fn read(value: JsValue) -> Result<(PlacementRequest, ArrayEdit), JsValue> {
        let ask: Self = from_js("placement", OF_PAGE, value)?;
        let overlap = ask.overlap.map(|json| OverlapFile::read("overlap", json.as_bytes())).transpose();
        let request = PlacementRequest {
            gpu: ask.gpu,
            kernel: ask.kernel,
            model: ask.model,
            paper: PaperRequest {
                time_us: ask.paper.time_us,
                simulated: ask.paper.simulated,
                inst_executed: ask.paper.inst_executed,
                inst_issued: ask.paper.inst_issued,
                static_constants: ask.paper.static_constants.into(),
                overlap: ask.paper.overlap,
                gamma: ask.paper.gamma,
                arrivals: ask.paper.arrivals,
            },
            queue: ask.queue,
            without: ask.without,
            overlap: overlap.map_err(page_error)?,
            ..PlacementRequest::default()
        };
        let edit = ArrayEdit { names: ask.names, ranges: ask.ranges, confirmed: ask.confirmed, from: ask.from };
        Ok((request, edit))
    }
}

impl Trained {
    fn of(file: OverlapFile) -> Result<Self, JsValue> {
        let json = serde_json::to_string_pretty(&file)
            .map_err(|e| error("overlap", "coefficients that can be written", &e.to_string(), "report this"))?;
        let [error, untrained] = file.error();
        let OverlapFile { provenance, gpu, rows, kernels, .. } = file;
        Ok(Self { json, provenance, gpu, error, untrained, rows, kernels })
    }
}

/// What a worker of the Placement tab holds.
#[wasm_bindgen]
#[derive(Default)]
pub struct PlaceLab {
    session: PlacementSession,
    bench: Option<DramExercise>,
    banks: Vec<BankLoad>,
    flips: Option<FlipTimes>,
    training: Option<MachineTraining>,
}

#[wasm_bindgen]
impl PlaceLab {
    /// A lab with nothing in it.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
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

    /// Starts a file, to be read as the format of this key if there is one.
    pub fn begin_file(&mut self, name: &str, format: Option<String>) -> Result<(), JsValue> {
        self.session.begin_file(name, format.map(|key| read_format(name, &key)).transpose()?);
        Ok(())
    }

    /// Takes the next bytes of the file.
    pub fn push(&mut self, chunk: &[u8]) {
        self.session.push(chunk);
    }

    /// Takes the next piece of a file's stream; its length, 0 when the stream has to be asked for more.
    pub fn take(&mut self, stream: &mut FileStream) -> u32 {
        stream.hand(|bytes| self.push(bytes))
    }

    /// Puts the files together and says which kernels they hold.
    #[wasm_bindgen(unchecked_return_type = "page.PlaceInput")]
    pub fn finish_files(&mut self) -> Result<JsValue, JsValue> {
        to_js(&self.session.finish_files())
    }

    /// Makes a kernel ready.
    #[wasm_bindgen(unchecked_return_type = "page.PlacePrepared")]
    pub fn prepare(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "page.PlaceAsk")] ask: JsValue,
    ) -> Result<JsValue, JsValue> {
        let (request, edit) = PlaceAsk::read(ask)?;
        to_js(&self.session.prepare(request, &edit).map_err(page_error)?)
    }

    /// Runs the sample of the printed model on the whole GPU, if it has no time, for about `budget` evaluations' time.
    #[wasm_bindgen(unchecked_return_type = "page.PlaceStanding")]
    pub fn sample(&mut self, budget: u32) -> Result<JsValue, JsValue> {
        to_js(&self.session.sample(u64::from(budget)).map_err(page_error)?)
    }

    /// What `prepare` gave, with the sample's time.
    #[wasm_bindgen(unchecked_return_type = "page.PlacePrepared")]
    pub fn prepared(&mut self) -> Result<JsValue, JsValue> {
        to_js(&self.session.prepared().map_err(page_error)?)
    }

    /// Looks at the placements of these numbers next.
    pub fn part(&mut self, from: f64, to: f64) -> Result<(), JsValue> {
        self.session.search_numbers(from as u64..to as u64).map_err(page_error)
    }

    /// Goes on with the search for about `budget` evaluations.
    #[wasm_bindgen(unchecked_return_type = "page.PlaceStanding")]
    pub fn step(&mut self, budget: u32) -> Result<JsValue, JsValue> {
        to_js(&self.session.step(u64::from(budget)).map_err(page_error)?)
    }

    /// Runs the best placements of a finished search on the whole GPU, for about `budget` evaluations' time.
    #[wasm_bindgen(unchecked_return_type = "page.PlaceStanding")]
    pub fn judge(&mut self, budget: u32) -> Result<JsValue, JsValue> {
        to_js(&self.session.judge(u64::from(budget)).map_err(page_error)?)
    }

    /// Runs other changes of the text, after the placements ran, for about `budget` evaluations' time.
    #[wasm_bindgen(unchecked_return_type = "page.PlaceStanding")]
    pub fn change(&mut self, budget: u32) -> Result<JsValue, JsValue> {
        to_js(&self.session.change(u64::from(budget)).map_err(page_error)?)
    }

    /// The other changes that ran so far, the fastest first.
    #[wasm_bindgen(unchecked_return_type = "page.PlaceChange[]")]
    pub fn changes(&mut self) -> Result<JsValue, JsValue> {
        to_js(&self.session.changes().map_err(page_error)?)
    }

    /// The text of one of them.
    #[wasm_bindgen(unchecked_return_type = "page.ChangedText")]
    pub fn changed_text(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "page.ChangeAsk")] ask: JsValue,
    ) -> Result<JsValue, JsValue> {
        let ask: ChangeAsk = from_js("change", OF_PAGE, ask)?;
        let Rewritten { text, notes } = self.session.changed_text(&ask.placement, &ask.changes).map_err(page_error)?;
        to_js(&ChangedText { text, notes })
    }

    /// How far the search is.
    #[wasm_bindgen(unchecked_return_type = "page.PlaceStanding")]
    pub fn standing(&mut self) -> Result<JsValue, JsValue> {
        to_js(&self.session.progress().map_err(page_error)?)
    }

    /// What was evaluated since the last call, five numbers each.
    pub fn found(&mut self) -> Result<Vec<f64>, JsValue> {
        self.session.take_evaluated().map_err(page_error)
    }

    /// Takes what another worker found.
    pub fn absorb(&mut self, looked: f64, found: &[f64]) -> Result<(), JsValue> {
        self.session.absorb_evaluated(looked as u64, found).map_err(page_error)
    }

    /// The best `most` so far; `judge`: with chances and ties.
    #[wasm_bindgen(unchecked_return_type = "page.PlaceRanking")]
    pub fn ranking(&mut self, most: u32, judge: bool) -> Result<JsValue, JsValue> {
        to_js(&self.session.ranking(most as usize, judge).map_err(page_error)?)
    }

    /// Times when one array alone moves, by memory.
    #[wasm_bindgen(unchecked_return_type = "(number | null)[]")]
    pub fn moves(&mut self, array: u32) -> Result<JsValue, JsValue> {
        to_js(&self.session.moves(array as usize).map_err(page_error)?)
    }

    /// A closer look at one placement; its banks are what `figure` draws.
    #[wasm_bindgen(unchecked_return_type = "page.PlaceLook")]
    pub fn look(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "string[]")] placement: JsValue,
    ) -> Result<JsValue, JsValue> {
        let placement: Vec<String> = from_js("placement", OF_PAGE, placement)?;
        let found = self.session.details(&placement).map_err(page_error)?;
        let out = to_js(&found);
        self.banks = found.banks;
        out
    }

    /// The report as JSON, the same as the command line prints.
    pub fn report_json(&mut self) -> Result<String, JsValue> {
        report_json(&self.session.report().map_err(page_error)?)
    }

    /// All that was evaluated as CSV.
    pub fn csv(&mut self) -> Result<String, JsValue> {
        self.session.csv().map_err(page_error)
    }

    /// Reads coefficients of the overlap.
    #[wasm_bindgen(unchecked_return_type = "page.Trained")]
    pub fn read_overlap(&self, name: &str, text: &str) -> Result<JsValue, JsValue> {
        to_js(&Trained::of(OverlapFile::read(name, text.as_bytes()).map_err(page_error)?)?)
    }

    /// Trains coefficients on measured times of the kernels that are held.
    #[wasm_bindgen(unchecked_return_type = "page.Trained")]
    pub fn retrain(
        &self,
        name: &str,
        csv: &str,
        #[wasm_bindgen(unchecked_param_type = "page.PlaceAsk")] ask: JsValue,
    ) -> Result<JsValue, JsValue> {
        let (request, _) = PlaceAsk::read(ask)?;
        let trained = retrain(name, csv.as_bytes(), self.session.contents(), &request).map_err(page_error)?;
        to_js(&Trained::of(trained)?)
    }

    /// Begins a training on the model of the whole GPU with the kernels that are held.
    pub fn begin_training(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "page.PlaceAsk")] ask: JsValue,
    ) -> Result<(), JsValue> {
        let (request, _) = PlaceAsk::read(ask)?;
        self.training = Some(MachineTraining::new(self.session.contents(), &request).map_err(page_error)?);
        Ok(())
    }

    /// Goes on with the training for about `budget` evaluations' time; its result is null until it has finished.
    #[wasm_bindgen(unchecked_return_type = "page.TrainingStep")]
    pub fn train(&mut self, budget: u32) -> Result<JsValue, JsValue> {
        let training =
            self.training.as_mut().ok_or_else(|| error("training", "one that began", "none", "begin one"))?;
        to_js(&match training.step(u64::from(budget)) {
            Step::More(Progress { done, total }) => TrainingStep { done, total, trained: None },
            Step::Done(file) => {
                self.training = None;
                TrainingStep { done: 1, total: 1, trained: Some(Trained::of(file.map_err(page_error)?)?) }
            }
        })
    }

    /// Hides a memory; gives its address bits.
    #[wasm_bindgen(unchecked_return_type = "number[]")]
    pub fn hide_memory(&mut self, seed: f64, hashed: bool) -> Result<JsValue, JsValue> {
        self.flips = None;
        to_js(&self.bench.insert(DramExercise::new(seed as u64, hashed)).bits())
    }

    /// Flips each bit, alone or together with another.
    #[wasm_bindgen(unchecked_return_type = "page.FlipTimes")]
    pub fn flip(&mut self, with: Option<u32>) -> Result<JsValue, JsValue> {
        let bench = self.bench.as_mut().ok_or_else(nothing_hidden)?;
        to_js(self.flips.insert(bench.flip(with).map_err(page_error)?))
    }

    /// Reveals the mapping and scores an answer.
    #[wasm_bindgen(unchecked_return_type = "page.DramReveal")]
    pub fn reveal(
        &self,
        #[wasm_bindgen(unchecked_param_type = "page.DramAnswer")] answer: JsValue,
    ) -> Result<JsValue, JsValue> {
        let answer: DramAnswer = from_js("answer", OF_PAGE, answer)?;
        to_js(&self.bench.as_ref().ok_or_else(nothing_hidden)?.reveal(&answer))
    }

    /// A figure as SVG text: `terms` of bars, `banks` of the last look, `flips` of the last experiment.
    pub fn figure(
        &self,
        kind: &str,
        #[wasm_bindgen(unchecked_param_type = "page.TermBar[]")] bars: JsValue,
        #[wasm_bindgen(unchecked_param_type = "page.Look")] look: JsValue,
    ) -> Result<String, JsValue> {
        let look = &read_look(look)?;
        let lost = || error("figure", "something to draw", kind, "run it again");
        let figure = match kind {
            "terms" => placement_figure(PlacementFigure::Terms(&from_js::<Vec<TermBar>>("bars", OF_PAGE, bars)?), look),
            "banks" => placement_figure(PlacementFigure::Banks(&self.banks), look),
            "flips" => placement_figure(PlacementFigure::Flips(self.flips.as_ref().ok_or_else(lost)?), look),
            _ => return Err(lost()),
        };
        drawn(figure)
    }
}

fn nothing_hidden() -> JsValue {
    error("hidden memory", "one that was drawn", "none", "draw a memory first")
}
