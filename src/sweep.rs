//! Sweeps of the Cache tab: the points of a plan, run one at a time by each worker, and the table of their rows.

use crate::js::{drawn, error, from_js, page_error, read_look, read_scenario, to_js};
use crate::scenario::Lab;
use crate::shapes::{PointStep, SweepOutline};
use base::{Diagnostic, Job, Step};
use lab::{Report, ScenarioRun, SweepAxis, SweepPlan, SweepRow, SweepTable};
use plot::sweep_figure;
use share::add_fingerprint;
use wasm_bindgen::prelude::*;

/// A sweep under way in a worker.
pub struct Sweeping {
    plan: SweepPlan,
    /// The point that runs, and its run.
    now: Option<(usize, ScenarioRun)>,
}

#[wasm_bindgen]
impl Lab {
    /// Makes the points of a sweep around a scenario. Each text of `vary` is one that `warpscope sweep --vary` takes.
    #[wasm_bindgen(unchecked_return_type = "page.SweepOutline")]
    pub fn sweep_plan(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "page.Scenario")] scenario: JsValue,
        vary: Vec<String>,
    ) -> Result<JsValue, JsValue> {
        let axes = vary.iter().map(|text| SweepAxis::read(text)).collect::<Result<Vec<_>, _>>();
        let axes = axes.map_err(|error| page_error(vec![error]))?;
        let plan = SweepPlan::new(read_scenario(scenario)?, axes, &self.contents).map_err(page_error)?;
        let outline = SweepOutline { axes: plan.axes().to_vec(), points: plan.points() };
        self.sweeping = Some(Sweeping { plan, now: None });
        to_js(&outline)
    }

    /// Makes a point of the plan, counted from 0, ready to be stepped. Gives the row of a point that cannot run.
    #[wasm_bindgen(unchecked_return_type = "page.SweepRow | null")]
    pub fn start_point(&mut self, point: usize) -> Result<JsValue, JsValue> {
        let sweeping = self.sweeping.as_mut().filter(|sweeping| point < sweeping.plan.points()).ok_or_else(no_point)?;
        sweeping.now = None;
        match sweeping.plan.run(point, &self.contents) {
            Ok(run) => {
                sweeping.now = Some((point, run));
                Ok(JsValue::NULL)
            }
            Err(diagnostics) => to_js(&sweeping.row(point, Err(&diagnostics))),
        }
    }

    /// Does about `budget` ticks or events of the point's work.
    #[wasm_bindgen(unchecked_return_type = "page.PointStep")]
    pub fn point_step(&mut self, budget: u32) -> Result<JsValue, JsValue> {
        let sweeping = self.sweeping.as_mut().ok_or_else(no_point)?;
        let (point, run) = sweeping.now.as_mut().ok_or_else(no_point)?;
        match run.step(u64::from(budget)) {
            Step::More(progress) => to_js(&PointStep { done: progress.done, total: progress.total, row: None }),
            Step::Done(result) => {
                let point = *point;
                sweeping.now = None;
                let report = result.map(add_fingerprint);
                let row = sweeping.row(point, report.as_ref().map_err(Vec::as_slice));
                to_js(&PointStep { done: 1, total: 1, row: Some(row) })
            }
        }
    }
}

impl Sweeping {
    fn row(&self, point: usize, result: Result<&Report, &[Diagnostic]>) -> SweepRow {
        SweepRow::new(point, self.plan.values(point), result)
    }
}

/// A table as CSV, the same as the command line prints.
#[wasm_bindgen]
pub fn sweep_csv(#[wasm_bindgen(unchecked_param_type = "page.SweepTable")] table: JsValue) -> Result<String, JsValue> {
    Ok(read_table(table)?.csv())
}

/// A number of a table over its first axis, as SVG text.
#[wasm_bindgen]
pub fn sweep_drawing(
    #[wasm_bindgen(unchecked_param_type = "page.SweepTable")] table: JsValue,
    measure: &str,
    #[wasm_bindgen(unchecked_param_type = "page.Look")] look: JsValue,
) -> Result<String, JsValue> {
    drawn(sweep_figure(&read_table(table)?, measure, &read_look(look)?))
}

fn read_table(table: JsValue) -> Result<SweepTable, JsValue> {
    from_js("sweep", "the table of a sweep", table)
}

fn no_point() -> JsValue {
    error("sweep", "a point of a planned sweep", "none", "start the sweep again")
}
