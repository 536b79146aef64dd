//! CUDA text: the library, what a text launches, and what its run gave.

use crate::js::{from_js, page_error, to_js};
use crate::shapes::{ArrayShape, CountsShape, ItemShape, LaunchOutlineShape, LaunchShape, TextShape, TextsStep};
use base::Step;
use lab::CudaOptions as Options;
use lab::{
    example_kernel, example_list, join_sources, outline, Contents, Counts, CudaSettings, CudaText, LaunchOutline,
    OutlineItem, SourceFile,
};
use wasm_bindgen::prelude::*;

/// What a step of running texts says.
pub fn texts_step(step: &Step<()>) -> Result<JsValue, JsValue> {
    to_js(&match step {
        Step::More(progress) => TextsStep { done: progress.done, total: progress.total, finished: false },
        Step::Done(()) => TextsStep { done: 1, total: 1, finished: true },
    })
}

/// The emulator's options for settings of the page.
pub fn cuda_options(settings: JsValue) -> Result<Options, JsValue> {
    let settings: CudaSettings = from_js("cuda", "settings of CUDA text", settings)?;
    Ok(settings.options())
}

impl CountsShape {
    fn of(counts: &Counts) -> Self {
        let &Counts { integer, fp32, fp64, special, loads, stores, atomics, branch, barrier, other } = counts;
        Self { integer, fp32, fp64, special, loads, stores, atomics, branch, barrier, other }
    }
}

impl LaunchOutlineShape {
    fn of(launch: LaunchOutline) -> Self {
        let LaunchOutline { line, last_line, kernel, blocks, threads, shared, items, blocks_origin, threads_origin } =
            launch;
        let shape = |OutlineItem { name, declaration, value, origin }| ItemShape { name, declaration, value, origin };
        let items = items.into_iter().map(shape).collect();
        Self { line, last_line, kernel, blocks, threads, shared, items, blocks_origin, threads_origin }
    }
}

/// The library: identifier, title and lesson of each kernel; the first is the one that the page opens with.
#[wasm_bindgen(unchecked_return_type = "page.ExampleInfo[]")]
pub fn library() -> Result<JsValue, JsValue> {
    to_js(&example_list())
}

/// The text of an example.
#[wasm_bindgen]
pub fn example_text(id: &str) -> Result<String, JsValue> {
    Ok(example_kernel(id).map_err(page_error)?.text.into())
}

/// The launches of a text, for a form.
#[wasm_bindgen(unchecked_return_type = "page.LaunchOutline[]")]
pub fn launch_outline(text: &str) -> Result<JsValue, JsValue> {
    to_js(&outline(text).into_iter().map(LaunchOutlineShape::of).collect::<Vec<_>>())
}

/// Joins the files of a program that run with those that they include, found among the others. Returns the index and
/// the text of each.
#[wasm_bindgen(unchecked_return_type = "[number, string][]")]
pub fn join_files(paths: Vec<String>, texts: Vec<String>) -> Result<JsValue, JsValue> {
    let files: Vec<SourceFile> = paths.into_iter().zip(texts).map(|(path, text)| SourceFile { path, text }).collect();
    to_js(&join_sources(&files, &[], &mut |_| None))
}

impl TextShape {
    pub(crate) fn of(text: &CudaText, contents: &Contents) -> Self {
        let launches = text.launches.iter().enumerate().filter_map(|(number, (kernel, counts))| {
            let trace = contents.launch(text.file, number)?;
            let (grid, block) = (trace.launch.grid, trace.launch.block);
            Some(LaunchShape {
                kernel: kernel.clone(),
                grid: [grid.x, grid.y, grid.z],
                block: [block.x, block.y, block.z],
                accesses: trace.access_count(),
                instructions: counts.total(),
                counts: CountsShape::of(counts),
            })
        });
        let arrays = text.arrays.iter().map(|array| ArrayShape {
            name: array.name.clone(),
            element: array.element.clone(),
            elements: array.elements,
            changed: array.before.bytes() != array.after,
        });
        Self {
            launches: launches.collect(),
            arrays: arrays.collect(),
            output: text.output.clone(),
            diagnostics: text.diagnostics.clone(),
            position: text.position,
        }
    }
}
