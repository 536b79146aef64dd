//! The lists of built-in examples and GPUs.

use crate::scenario::{CacheModel, Scenario};
use crate::twins::{better_form, ExampleTwin};
use base::Diagnostic;
use cuda_vm::library;
use cuda_vm::LibraryKernel;
use gpu::{preset, presets, summary, write_topology, Topology};
use serde::Serialize;

/// A built-in example.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct ExampleInfo {
    /// The identifier that links carry.
    pub id: &'static str,
    /// The name in the page's menu.
    pub title: &'static str,
    /// A sentence about what the example shows and what to try.
    pub lesson: String,
    /// The better form of the same work, if the library has one.
    pub better: Option<ExampleTwin>,
}

/// A GPU that needs no file.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct PresetInfo {
    /// The identifier that `--gpu` takes.
    pub id: &'static str,
    /// The name that people read.
    pub name: String,
    /// The vendor, such as `NVIDIA`.
    pub vendor: String,
    /// The L1's size, lines and ways, and the number of cores, in one line.
    pub summary: String,
    /// The model that runs where nobody chose one.
    pub default_model: CacheModel,
}

/// Lists the examples, which are the kernels of the library. The page opens with the first one.
pub fn example_list() -> Vec<ExampleInfo> {
    let info = |kernel: &LibraryKernel| ExampleInfo {
        id: kernel.id,
        title: kernel.title,
        lesson: kernel.lesson(),
        better: better_form(kernel.id),
    };
    library().iter().map(info).collect()
}

/// Lists the presets. The first one is the default.
pub fn preset_list() -> Vec<PresetInfo> {
    let info = |id| {
        let t = preset(id)?;
        let default_model = CacheModel::default_for(&t);
        Some(PresetInfo { id, summary: summary(&t), name: t.name, vendor: t.vendor, default_model })
    };
    presets().into_iter().filter_map(info).collect()
}

/// Returns the topology that a scenario's `gpu` names: a preset, or `loaded` for [`Scenario::FILE_GPU`].
///
/// # Errors
///
/// Returns a diagnostic if there is no such preset, or if no topology was loaded.
pub fn gpu_topology(name: &str, loaded: Option<&Topology>) -> Result<Topology, Vec<Diagnostic>> {
    let found = if name == Scenario::FILE_GPU { loaded.cloned() } else { preset(name) };
    found.ok_or_else(|| {
        let help = if name == Scenario::FILE_GPU {
            "load a topology JSON (our own or mt4g's) with the trace".into()
        } else {
            format!("use one of {}", presets().join(", "))
        };
        vec![Diagnostic::error("gpu", "a preset or a loaded topology", format!("`{name}`"), help)]
    })
}

/// Writes a GPU as topology JSON in our own format.
///
/// # Errors
///
/// Fails in the same cases as [`gpu_topology`].
pub fn topology_json(name: &str, loaded: Option<&Topology>) -> Result<String, Vec<Diagnostic>> {
    gpu_topology(name, loaded).map(|topology| write_topology(&topology))
}
