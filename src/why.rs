//! Questions of the Cache tab about single accesses: the steps of a core, and why an access missed.

use crate::js::{error, from_js, page_error, read_scenario, to_js};
use crate::scenario::Lab;
use crate::shapes::WhyProgress;
use base::{Job, Progress, Step};
use lab::{CacheModel, GpuWhyRun, WhyRequest, WhyRun};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Lab {
    /// Asks about an access of a kernel, by the kernel's number. `request` has the keys of `WhyRequest::of_pairs`. The kernel stays open for the next question.
    pub fn start_why(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "page.Scenario")] scenario: JsValue,
        kernel: u32,
        #[wasm_bindgen(unchecked_param_type = "Record<string, string>")] request: JsValue,
    ) -> Result<(), JsValue> {
        let scenario = read_scenario(scenario)?;
        let request = WhyRequest::of_pairs(&from_js("why", "keys with values", request)?).map_err(page_error)?;
        if scenario.model == CacheModel::Gpu {
            self.why = None;
            let open = match self.why_gpu.take().filter(|open| open.is_of(&scenario, Some(kernel))) {
                Some(open) => open,
                None => GpuWhyRun::open(&scenario, &self.contents, Some(kernel)).map_err(page_error)?,
            };
            return self.why_gpu.insert(open).ask(request).map_err(page_error);
        }
        self.why_gpu = None;
        let open = match self.why.take().filter(|open| open.is_of(&scenario, Some(kernel))) {
            Some(open) => open,
            None => WhyRun::open(&scenario, &self.contents, Some(kernel)).map_err(page_error)?,
        };
        self.why.insert(open).ask(request).map_err(page_error)
    }

    /// Does about `budget` ticks of the question's work.
    #[wasm_bindgen(unchecked_return_type = "page.WhyProgress")]
    pub fn why_step(&mut self, budget: u32) -> Result<JsValue, JsValue> {
        let none = |now: Progress| WhyProgress { done: now.done, total: now.total, report: None, gpu: None };
        let done = none(Progress { done: 1, total: 1 });
        let budget = u64::from(budget);
        let told = match (&mut self.why, &mut self.why_gpu) {
            (Some(open), _) => match open.step(budget) {
                Step::More(now) => none(now),
                Step::Done(answer) => WhyProgress { report: Some(answer.map_err(page_error)?), ..done },
            },
            (None, Some(open)) => match open.step(budget) {
                Step::More(now) => none(now),
                Step::Done(answer) => WhyProgress { gpu: Some(answer.map_err(page_error)?), ..done },
            },
            (None, None) => return Err(error("why", "a question", "none", "ask again")),
        };
        to_js(&told)
    }
}
