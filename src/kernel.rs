//! CUDA text: what it launches, running it, and what that gave. One [`KernelLab`] in its worker.

use super::{error, page_error, to_js};
use base::Diagnostic;
use base::{Job, Step};
use lab::{
    array_csv, convert, cuda_diagnostics, example_kernel, example_list, outline, record_cuda, Counts, CudaRun,
    CudaSettings, Emulation, LaunchOutline, OutlineItem, Target,
};
use serde::Serialize;
use wasm_bindgen::prelude::*;

/// Bytes of trace that a launch may make in the page: it is handed over as bytes, so it is there twice for a while.
const TRACE_BYTES: usize = 1 << 28;

/// What a step says.
#[derive(Serialize)]
struct KernelStep {
    done: u64,
    total: u64,
    run: Option<RunShape>,
}

#[derive(Serialize)]
struct RunShape {
    launches: Vec<LaunchShape>,
    arrays: Vec<ArrayShape>,
    output: String,
    diagnostics: Vec<Diagnostic>,
    position: Option<(u32, u32)>,
}

#[derive(Serialize)]
struct LaunchShape {
    kernel: String,
    grid: [u32; 3],
    block: [u32; 3],
    accesses: usize,
    instructions: u64,
    counts: CountsShape,
}

/// Warp instructions by class; loads, stores and atomics of global, shared, local, constant and texture memory.
#[derive(Serialize)]
struct CountsShape {
    integer: u64,
    fp32: u64,
    fp64: u64,
    special: u64,
    loads: [u64; 5],
    stores: [u64; 5],
    atomics: [u64; 5],
    branch: u64,
    barrier: u64,
    other: u64,
}

impl CountsShape {
    fn of(counts: &Counts) -> Self {
        let &Counts { integer, fp32, fp64, special, loads, stores, atomics, branch, barrier, other } = counts;
        Self { integer, fp32, fp64, special, loads, stores, atomics, branch, barrier, other }
    }
}

#[derive(Serialize)]
struct LaunchOutlineShape {
    line: u32,
    last_line: u32,
    kernel: String,
    blocks: String,
    threads: String,
    shared: Option<String>,
    items: Vec<ItemShape>,
}

#[derive(Serialize)]
struct ItemShape {
    name: String,
    declaration: String,
    value: String,
}

impl LaunchOutlineShape {
    fn of(launch: LaunchOutline) -> Self {
        let LaunchOutline { line, last_line, kernel, blocks, threads, shared, items } = launch;
        let shape = |OutlineItem { name, declaration, value }| ItemShape { name, declaration, value };
        Self { line, last_line, kernel, blocks, threads, shared, items: items.into_iter().map(shape).collect() }
    }
}

#[derive(Serialize)]
struct ArrayShape {
    name: String,
    element: String,
    elements: u64,
    changed: bool,
}

/// The library: identifier, title and lesson of each kernel; the first is the one that the page opens with.
#[wasm_bindgen]
pub fn library() -> Result<JsValue, JsValue> {
    to_js(&example_list())
}

/// A text that is run, and the last run.
#[wasm_bindgen]
#[derive(Default)]
pub struct KernelLab {
    name: String,
    text: String,
    example: Option<String>,
    job: Option<Emulation>,
    run: CudaRun,
}

#[wasm_bindgen]
impl KernelLab {
    /// Nothing was run yet.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// The text of an example.
    pub fn example_text(&self, id: &str) -> Result<String, JsValue> {
        Ok(example_kernel(id).map_err(page_error)?.text.into())
    }

    /// The launches of a text, for a form.
    pub fn outline(&self, text: &str) -> Result<JsValue, JsValue> {
        to_js(&outline(text).into_iter().map(LaunchOutlineShape::of).collect::<Vec<_>>())
    }

    /// Starts to run a text; `example` where it is that of the library.
    pub fn start(
        &mut self,
        name: &str,
        text: String,
        example: Option<String>,
        settings: JsValue,
    ) -> Result<(), JsValue> {
        let settings: CudaSettings = serde_wasm_bindgen::from_value(settings)
            .map_err(|e| error("cuda", "settings of CUDA text", &e.to_string(), "start from a fresh page"))?;
        let mut options = settings.options();
        options.trace_bytes = TRACE_BYTES;
        self.job = Some(Emulation::new(name, &text, &options));
        (self.name, self.text, self.example) = (name.into(), text, example);
        Ok(())
    }

    /// Runs about `budget` warp instructions.
    pub fn step(&mut self, budget: u32) -> Result<JsValue, JsValue> {
        let Some(job) = &mut self.job else {
            return Err(error("kernel", "a started run", "none", "run the kernel again"));
        };
        let step = match job.step(u64::from(budget)) {
            Step::More(progress) => KernelStep { done: progress.done, total: progress.total, run: None },
            Step::Done(run) => {
                self.job = None;
                self.run = run;
                KernelStep { done: 1, total: 1, run: Some(self.shape()) }
            }
        };
        to_js(&step)
    }

    /// The last run for the engine of another module, read there like a file.
    pub fn recording(&self) -> Vec<u8> {
        record_cuda(&self.name, &self.text, self.example.as_deref(), &self.run)
    }

    /// The trace of a launch of the last run, counted from 0, as `trc` or `traceg`.
    pub fn trace(&self, launch: usize, format: &str) -> Result<Vec<u8>, JsValue> {
        let target = Target::of_name(&format!("trace.{format}"));
        let launch = self.run.launches.get(launch);
        let (target, launch) = target
            .zip(launch)
            .ok_or_else(|| error("trace", "a launch, as trc or traceg", format, "run the kernel again"))?;
        Ok(convert(&launch.trace, target).text)
    }

    /// An array as it was before the first launch and after the last, as CSV.
    pub fn array_csv(&self, name: &str) -> Result<String, JsValue> {
        let array = self.run.arrays.iter().find(|array| array.name == name);
        array.map(array_csv).ok_or_else(|| error("array", "an array of the run", name, "run the kernel again"))
    }
}

impl KernelLab {
    fn shape(&self) -> RunShape {
        let launches = self.run.launches.iter().map(|launch| {
            let (grid, block) = (launch.trace.launch.grid, launch.trace.launch.block);
            LaunchShape {
                kernel: launch.kernel.clone(),
                grid: [grid.x, grid.y, grid.z],
                block: [block.x, block.y, block.z],
                accesses: launch.trace.access_count(),
                instructions: launch.counts.total(),
                counts: CountsShape::of(&launch.counts),
            }
        });
        let arrays = self.run.arrays.iter().map(|array| ArrayShape {
            name: array.name.clone(),
            element: array.element.clone(),
            elements: array.elements,
            changed: array.before != array.after,
        });
        RunShape {
            launches: launches.collect(),
            arrays: arrays.collect(),
            output: self.run.output.clone(),
            diagnostics: cuda_diagnostics(&self.name, &self.run),
            position: self.run.position,
        }
    }
}
