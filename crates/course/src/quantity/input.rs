//! The inputs of a value, and what each kind computes from them.

use crate::quantity::known::Known;
use crate::quantity::queue::{queue, QueueInput};
use crate::quantity::reuse_values::{reuse_values, stream, ReuseInput, MOST_ACCESSES};
use crate::quantity::series::{series, SeriesInput};
use crate::quantity::table::{table, TableInput};
use crate::quantity::Quantity;
use base::{Diagnostic, Severity, Step};
use lab::{
    dram_map, example_kernel, run_estimate_above, stream_lines, ArrayEdit, Contents, CudaOptions, ExperimentBench,
    GpuGuess, HiddenGpu, Intake, PlacementPrepared, PlacementRequest, PlacementSession, Scenario,
};
use serde_json::{json, Value};
use share::parse_link;

/// The most warp instructions of a launch, and the largest trace: a file of exercises must not take all memory or time.
pub const WARP_INSTRUCTIONS: u64 = 40_000_000;
pub const TRACE_BYTES: usize = 256 << 20;
/// The most memory that a run of a model may be estimated to take.
const RUN_BYTES: u64 = 512 << 20;

/// Options of a run of CUDA text, within those bounds.
pub fn bounded(options: CudaOptions) -> CudaOptions {
    CudaOptions { budget: WARP_INSTRUCTIONS, trace_bytes: TRACE_BYTES, array_bytes: TRACE_BYTES as u64, ..options }
}

/// An intake of a scenario's example or text, which has yet to run.
pub fn contents_of(scenario: &Scenario) -> Result<Intake, Vec<Diagnostic>> {
    let mut intake = Intake::default();
    intake.set_cuda(bounded(scenario.cuda.options()));
    match (&scenario.example, &scenario.cuda.text) {
        (Some(example), _) => intake.example(example)?,
        (None, Some(text)) => {
            intake.begin("exercise.cu");
            intake.push(text.as_bytes());
            intake.end();
        }
        (None, None) => {
            let help = "name an example in the link, or carry a text";
            return Err(vec![Diagnostic::error("link", "an example or a CUDA text", "neither", help)]);
        }
    }
    Ok(intake)
}

/// A cache of gibibytes takes memory for each of its lines, and time to clear them.
pub fn refuse_large(scenario: &Scenario, contents: &Contents) -> Result<(), Vec<Diagnostic>> {
    let Some(needed) = run_estimate_above(RUN_BYTES, scenario, contents)? else { return Ok(()) };
    let expected = format!("a run that takes at most {} MiB", RUN_BYTES >> 20);
    let help = "set smaller caches or sizes in the link";
    Err(vec![Diagnostic::error("link", expected, format!("about {} MiB", needed >> 20), help)])
}

/// A text that did not run to its end gives no values.
pub fn refuse_failed(contents: &Contents) -> Result<(), Vec<Diagnostic>> {
    let errors: Vec<Diagnostic> =
        contents.diagnostics.iter().filter(|found| found.severity == Severity::Error).cloned().collect();
    if errors.is_empty() {
        Ok(())
    } else {
        Err(errors)
    }
}

/// The inputs of one value, filled in.
pub struct Input<'a> {
    pub quantity: &'a Quantity,
    pub known: &'a Known,
    /// The exercise's identifier, for messages.
    pub exercise: &'a str,
}

impl Input<'_> {
    fn wrong(&self, expected: &str, found: &str) -> Vec<Diagnostic> {
        let place = format!("the value `{}`: {expected}", self.quantity.name);
        vec![Diagnostic::error(self.exercise, place, found, "mend the exercise's file")]
    }

    pub fn number(&self, name: &'static str) -> Result<f64, Vec<Diagnostic>> {
        match self.quantity.numbers.get(name) {
            Some(formula) => self.known.formula(formula).ok_or_else(|| {
                self.wrong(&format!("a number for `{name}`"), &format!("`{}` has none", formula.text()))
            }),
            None => {
                let own = self.quantity.kind.numbers.iter().find(|(known, _)| *known == name);
                own.and_then(|(_, number)| *number).ok_or_else(|| self.wrong("an input", name))
            }
        }
    }

    pub fn text(&self, name: &str) -> String {
        self.quantity.texts.get(name).map_or(String::new(), |text| self.known.fill(text))
    }

    pub fn scenario(&self) -> Result<Scenario, Vec<Diagnostic>> {
        let link = self.text("link");
        parse_link(&link).map_err(|error| self.wrong("a link of this page", &error.to_string()))
    }

    fn contents(&self) -> Result<(Scenario, Contents), Vec<Diagnostic>> {
        let scenario = self.scenario()?;
        let mut intake = contents_of(&scenario)?;
        while let Step::More(_) = intake.run_texts(u64::MAX) {}
        let contents = intake.finish();
        refuse_failed(&contents)?;
        Ok((scenario, contents))
    }

    /// What a kind other than a formula or a report computes.
    pub fn computed(&self) -> Result<Value, Vec<Diagnostic>> {
        match self.quantity.kind.name {
            "reuse" => self.reuse(),
            "table" => self.table(),
            "queue" => self.queue(),
            "series" => self.series(),
            "placement" => self.placement(),
            "hidden_gpu" => {
                let report = self.bench()?.score(&GpuGuess::default());
                Ok(serde_json::to_value(report.truth).unwrap_or_default())
            }
            _ => {
                let report = dram_map(self.number("seed")? as u64, self.number("hashed")? != 0.0);
                Ok(serde_json::to_value(report).unwrap_or_default())
            }
        }
    }

    /// The hidden GPU of a value of the kind `hidden_gpu`.
    pub fn bench(&self) -> Result<ExperimentBench, Vec<Diagnostic>> {
        ExperimentBench::new(&HiddenGpu { seed: self.number("seed")? as u64, ..HiddenGpu::default() })
    }

    /// The line numbers of a value of the kind `reuse`.
    pub fn lines(&self) -> Result<Vec<u64>, Vec<Diagnostic>> {
        let lines = if self.quantity.texts.contains_key("link") {
            let (_, contents) = self.contents()?;
            let line_bytes = self.number("line_bytes")?.clamp(1.0, 65_536.0) as u64;
            stream_lines(&contents, Some(line_bytes)).map_err(|error| vec![error])?.0
        } else {
            let (lines, accesses) = (self.number("lines")?, self.number("accesses")?);
            let drawn = stream(&self.text("pattern"), self.number("exponent")?, lines, accesses, self.number("seed")?);
            drawn
                .ok_or_else(|| self.wrong("a pattern: uniform, zipf, loop, matmul or phased", &self.text("pattern")))?
        };
        if lines.len() as u64 > MOST_ACCESSES {
            return Err(self.wrong("at most 4,000,000 accesses", &lines.len().to_string()));
        }
        Ok(lines)
    }

    fn reuse(&self) -> Result<Value, Vec<Diagnostic>> {
        let input = ReuseInput {
            sizes: [self.number("size")?, self.number("size2")?, self.number("size3")?],
            thread_trace: self.number("thread_trace")?,
            block_threads: self.number("block_threads")?,
            parts: self.number("parts")?,
        };
        Ok(reuse_values(&self.lines()?, &input))
    }

    fn table(&self) -> Result<Value, Vec<Diagnostic>> {
        let input = TableInput {
            threads: self.number("threads")?,
            loads: self.number("loads")?,
            step: self.number("step")?,
            gap: self.number("gap")?,
            line_elements: self.number("line_elements")?,
            ways: self.number("ways")?,
            mshrs: self.number("mshrs")?,
            miss_latency: self.number("miss_latency")?,
            hit_latency: self.number("hit_latency")?,
        };
        table(&input).ok_or_else(|| self.wrong("few requests", "too many"))
    }

    fn queue(&self) -> Result<Value, Vec<Diagnostic>> {
        self.queue_with(self.number("arrival")?)
    }

    /// The queue with another mean time between requests.
    pub fn queue_with(&self, arrival: f64) -> Result<Value, Vec<Diagnostic>> {
        let (arrivals, services) = (self.text("arrivals"), self.text("services"));
        Ok(queue(&QueueInput {
            arrival,
            service: self.number("service")?,
            batch: self.number("batch")?,
            requests: self.number("requests")?,
            seed: self.number("seed")?,
            arrivals: &arrivals,
            services: &services,
        }))
    }

    fn series(&self) -> Result<Value, Vec<Diagnostic>> {
        Ok(series(&SeriesInput {
            points: self.number("points")?,
            change: self.number("change")?,
            low: self.number("low")?,
            high: self.number("high")?,
            noise: self.number("noise")?,
            seed: self.number("seed")?,
        }))
    }

    /// The kernel of a value of the kind `placement`, ready for the search.
    pub fn session(&self) -> Result<(PlacementSession, PlacementPrepared), Vec<Diagnostic>> {
        let scenario = self.scenario()?;
        let mut session = PlacementSession::default();
        session.set_cuda(bounded(scenario.cuda.options()));
        session.example(example_kernel(scenario.example.as_deref().unwrap_or_default())?.id)?;
        while let Step::More(_) = session.run_texts(u64::MAX) {}
        session.finish_files();
        let request = PlacementRequest { gpu: scenario.gpu, ..PlacementRequest::default() };
        let prepared = session.prepare(request, &ArrayEdit::default())?;
        Ok((session, prepared))
    }

    /// The predicted times of up to four placements, by the equations, in microseconds.
    fn placement(&self) -> Result<Value, Vec<Diagnostic>> {
        let (mut session, prepared) = self.session()?;
        let mut out = json!({
            "arrays": prepared.arrays.iter().map(|array| array.name.clone()).collect::<Vec<_>>(),
            "now": prepared.sample.placement,
            "microseconds": prepared.sample.microseconds,
            "legal": prepared.numbers,
            "nominal": prepared.nominal,
        });
        for name in ["first", "second", "third", "fourth"] {
            let memories = self.text(name);
            if !memories.is_empty() {
                let placement: Vec<String> = memories.split(',').map(|memory| memory.trim().to_string()).collect();
                out[name] = json!(session.details(&placement)?.line.microseconds);
            }
        }
        Ok(out)
    }
}
