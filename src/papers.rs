//! The self-check: the rows of the papers, run one at a time by each worker, and the report of them.

use crate::js::{error, from_js, report_json, to_js};
use crate::shapes::OutcomeStep;
use base::{Job, Step};
use lab::{paper_rows, papers_csv, PaperOutline, PaperReport, PaperResult, PaperRow, PaperRun};
use share::add_paper_link;
use wasm_bindgen::prelude::*;

/// The rows, and the one that runs.
#[wasm_bindgen]
#[derive(Default)]
pub struct PaperCheck {
    now: Option<(PaperRow, PaperRun)>,
}

#[wasm_bindgen]
impl PaperCheck {
    /// A check in which no row runs.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// All rows, before they run.
    #[wasm_bindgen(unchecked_return_type = "page.PaperOutline[]")]
    pub fn list(&self) -> Result<JsValue, JsValue> {
        to_js(&paper_rows().iter().map(PaperOutline::from).collect::<Vec<_>>())
    }

    /// Makes a row ready to be stepped.
    pub fn start(&mut self, id: &str) -> Result<(), JsValue> {
        let row = paper_rows().into_iter().find(|row| row.id == id).ok_or_else(no_row)?;
        let run = PaperRun::new(&row);
        self.now = Some((row, run));
        Ok(())
    }

    /// Does about `budget` units of the row's work.
    #[wasm_bindgen(unchecked_return_type = "page.OutcomeStep<page.PaperResult>")]
    pub fn step(&mut self, budget: u32) -> Result<JsValue, JsValue> {
        let (row, run) = self.now.as_mut().ok_or_else(no_row)?;
        match run.step(u64::from(budget)) {
            Step::More(now) => to_js(&OutcomeStep { done: now.done, total: now.total, outcome: None::<PaperResult> }),
            Step::Done(result) => {
                let outcome = Some(add_paper_link(row, result));
                self.now = None;
                to_js(&OutcomeStep { done: 1, total: 1, outcome })
            }
        }
    }

    /// Rows that ran, with their counts.
    #[wasm_bindgen(unchecked_return_type = "page.PaperReport")]
    pub fn report(
        &self,
        #[wasm_bindgen(unchecked_param_type = "page.PaperResult[]")] rows: JsValue,
    ) -> Result<JsValue, JsValue> {
        to_js(&read_rows(rows)?)
    }

    /// The report as JSON, the same as the command line prints.
    pub fn json(
        &self,
        #[wasm_bindgen(unchecked_param_type = "page.PaperResult[]")] rows: JsValue,
    ) -> Result<String, JsValue> {
        report_json(&read_rows(rows)?)
    }

    /// The report as CSV, the same as the command line prints.
    pub fn csv(
        &self,
        #[wasm_bindgen(unchecked_param_type = "page.PaperResult[]")] rows: JsValue,
    ) -> Result<String, JsValue> {
        Ok(papers_csv(&read_rows(rows)?))
    }
}

fn read_rows(rows: JsValue) -> Result<PaperReport, JsValue> {
    from_js::<Vec<PaperResult>>("check", "rows that ran", rows).map(PaperReport::new)
}

fn no_row() -> JsValue {
    error("check", "a row of the list", "none", "start the check again")
}
