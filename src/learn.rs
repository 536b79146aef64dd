//! Exercises for the page: one [`CourseLab`] in the Learn tab's worker.

use crate::js::{drawn, error, from_js, page_error, read_look, to_js, OF_PAGE};
use base::{Job, Step};
use course::{
    draw, fingerprint, locked_hash, needed_for_view, read_exercise, solution, view, Check, Exercise, Given, Known,
    Picture, ValuesRun,
};
use lab::Report;
use plot::placement::{placement_figure, PlacementFigure};
use plot::topology::{topology_figure, TopologyFigure};
use plot::{cache_figure, flow_figure, reuse_figure, roofline_figure, waits_figure, CacheFigure, Look, PlotError};
use serde::Serialize;
use std::sync::Arc;
use wasm_bindgen::prelude::*;

/// What a step on an exercise gave. One of the last three is there when it is finished.
#[derive(Default, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct CourseStep {
    /// Units that are done.
    pub done: u64,
    /// Units in all; 0 while that is not known.
    pub total: u64,
    /// Nothing is left to do.
    pub finished: bool,
    /// The exercise on show.
    pub view: Option<course::ExerciseView>,
    /// What the check found.
    pub verdict: Option<course::Verdict>,
    /// The solution.
    pub solution: Option<course::Words>,
}

impl CourseStep {
    fn part(done: u64, total: u64) -> Self {
        Self { done, total, ..Self::default() }
    }

    fn finished() -> Self {
        Self { done: 1, total: 1, finished: true, ..Self::default() }
    }
}

/// What the steps work for.
enum Goal {
    Show,
    Check(Given),
    Solve,
}

/// The exercise on show, what is known of its values, and the work under way.
#[wasm_bindgen]
#[derive(Default)]
pub struct CourseLab {
    exercise: Option<Arc<Exercise>>,
    seed: u64,
    known: Arc<Known>,
    /// The number of values that are known.
    count: usize,
    goal: Option<Goal>,
    values: Option<(ValuesRun, usize)>,
    check: Option<Check>,
    /// What the figure of the solution on show is drawn from.
    picture: Option<Picture>,
}

#[wasm_bindgen]
impl CourseLab {
    /// A lab without an exercise.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads an exercise and begins to compute what its texts show. `step` goes on.
    pub fn open(&mut self, name: &str, text: &str, seed: f64) -> Result<(), JsValue> {
        let exercise = Arc::new(read_exercise(name, text.as_bytes()).map_err(page_error)?);
        self.seed = seed as u64;
        self.known = Arc::new(draw(&exercise, self.seed));
        self.count = 0;
        self.picture = None;
        let upto = needed_for_view(&exercise);
        self.exercise = Some(exercise);
        self.begin(Goal::Show, upto)
    }

    /// Begins the check of an answer.
    pub fn begin_check(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "page.GivenAnswer")] given: JsValue,
    ) -> Result<(), JsValue> {
        let given: Given = from_js("answer", OF_PAGE, given)?;
        self.begin(Goal::Check(given), usize::MAX)
    }

    /// Begins to compute the solution.
    pub fn begin_solution(&mut self) -> Result<(), JsValue> {
        self.begin(Goal::Solve, usize::MAX)
    }

    /// Does about `budget` warp instructions, ticks or events of work.
    #[wasm_bindgen(unchecked_return_type = "page.CourseStep")]
    pub fn step(&mut self, budget: u32) -> Result<JsValue, JsValue> {
        to_js(&self.advance(u64::from(budget))?)
    }

    /// The solution's figure, as SVG text.
    pub fn figure(&self, #[wasm_bindgen(unchecked_param_type = "page.Look")] look: JsValue) -> Result<String, JsValue> {
        let look = &read_look(look)?;
        let lost = || error("figure", "a figure of a solution", "none", "show the solution again");
        let figure = self.exercise.as_ref().and_then(|exercise| exercise.figure.as_ref()).ok_or_else(lost)?;
        drawn(match self.picture.as_ref().ok_or_else(lost)? {
            Picture::Report => report_figure(self.known.reports.get(&figure.of).ok_or_else(lost)?, &figure.kind, look),
            Picture::Reuse(chart) => reuse_figure(chart, look),
            Picture::Sizes(curve) => topology_figure(TopologyFigure::Reduced(curve), look),
            Picture::Shares(shares) => topology_figure(TopologyFigure::Shares(shares), look),
            Picture::Flips(times) => placement_figure(PlacementFigure::Flips(times), look),
            Picture::Terms(bars) => placement_figure(PlacementFigure::Terms(bars), look),
            Picture::Waits(lines) => waits_figure(lines, look),
        })
    }
}

/// A figure of the first kernel of a report, whose model has it.
fn report_figure(report: &Report, kind: &str, look: &Look) -> Result<String, PlotError> {
    match report {
        Report::Cache(report) => {
            let ways = report.parameters.get("ways").and_then(|ways| ways.parse().ok()).unwrap_or(1);
            let kind = CacheFigure::named(kind).unwrap_or(CacheFigure::Classes);
            report.kernels.first().map_or(Ok(String::new()), |kernel| cache_figure(kernel, kind, ways, look))
        }
        Report::Gpu(report) => {
            report.kernels.first().map_or(Ok(String::new()), |kernel| match (kind, &kernel.roofline) {
                ("roofline", Some(roofline)) => roofline_figure(roofline, None, look),
                _ => flow_figure(&kernel.gpu, look),
            })
        }
    }
}

impl CourseLab {
    fn begin(&mut self, goal: Goal, upto: usize) -> Result<(), JsValue> {
        let exercise = self.exercise.as_ref().ok_or_else(nothing_open)?;
        let upto = upto.min(exercise.value_count()).max(self.count);
        let run = ValuesRun::new(Arc::clone(exercise), (*self.known).clone(), self.count, upto);
        (self.goal, self.values, self.check) = (Some(goal), Some((run, upto)), None);
        Ok(())
    }

    fn advance(&mut self, budget: u64) -> Result<CourseStep, JsValue> {
        let exercise = Arc::clone(self.exercise.as_ref().ok_or_else(nothing_open)?);
        if let Some((run, upto)) = &mut self.values {
            match run.step(budget) {
                Step::More(progress) => return Ok(CourseStep::part(progress.done, progress.total)),
                Step::Done(known) => {
                    self.count = *upto;
                    self.values = None;
                    self.known = Arc::new(known.map_err(page_error)?);
                }
            }
        }
        match self.goal.take() {
            Some(Goal::Show) => {
                Ok(CourseStep { view: Some(view(&exercise, &self.known, self.seed)), ..CourseStep::finished() })
            }
            Some(Goal::Solve) => {
                self.picture = exercise.picture(&self.known).map_err(page_error)?;
                Ok(CourseStep { solution: Some(solution(&exercise, &self.known)), ..CourseStep::finished() })
            }
            Some(Goal::Check(given)) => {
                self.check = Some(Check::new(exercise, Arc::clone(&self.known), self.seed, given));
                Ok(CourseStep::part(0, 0))
            }
            None => match self.check.as_mut().ok_or_else(nothing_open)?.step(budget) {
                Step::More(progress) => Ok(CourseStep::part(progress.done, progress.total)),
                Step::Done(verdict) => {
                    self.check = None;
                    Ok(CourseStep { verdict: Some(verdict.map_err(page_error)?), ..CourseStep::finished() })
                }
            },
        }
    }
}

fn nothing_open() -> JsValue {
    error("exercise", "an exercise that was opened", "none", "open the exercise again")
}

/// The fingerprint of a verdict under a name.
#[wasm_bindgen]
pub fn answer_fingerprint(name: &str, digest: &str) -> String {
    fingerprint(name, digest)
}

/// The hash of a locked answer; undefined where the answer cannot be one.
#[wasm_bindgen]
pub fn lock_answer(salt: &str, step: Option<f64>, text: &str) -> Option<String> {
    locked_hash(salt, step, text)
}
