//! What there is to choose from without any file: examples and GPUs.

use crate::scenario::Scenario;
use base::Diagnostic;
use cuda_vm::library;
use cuda_vm::LibraryKernel;
use gpu::{preset, presets, summary, write_topology, Topology};
use serde::Serialize;

/// A built-in example.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct ExampleInfo {
    /// Identifier, as links carry it.
    pub id: &'static str,
    /// Name in the menu.
    pub title: &'static str,
    /// What it shows and what to try.
    pub lesson: String,
}

/// A GPU that needs no file.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct PresetInfo {
    /// Identifier, as `--gpu` takes it.
    pub id: &'static str,
    /// Name shown to people.
    pub name: String,
    /// Vendor.
    pub vendor: String,
    /// L1 size, lines, ways and cores in one line.
    pub summary: String,
}

/// All examples, which are the kernels of the library; the first is the one that the page opens with.
pub fn example_list() -> Vec<ExampleInfo> {
    let info = |kernel: &LibraryKernel| ExampleInfo { id: kernel.id, title: kernel.title, lesson: kernel.lesson() };
    library().iter().map(info).collect()
}

/// All presets; the first is the default.
pub fn preset_list() -> Vec<PresetInfo> {
    let info = |id| {
        let t = preset(id)?;
        Some(PresetInfo { id, summary: summary(&t), name: t.name, vendor: t.vendor })
    };
    presets().into_iter().filter_map(info).collect()
}

/// The topology of a scenario's `gpu`: a preset, or `loaded` for [`Scenario::FILE_GPU`].
///
/// # Errors
/// A diagnostic when there is no such preset, or nothing was loaded.
pub fn gpu(name: &str, loaded: Option<&Topology>) -> Result<Topology, Vec<Diagnostic>> {
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

/// A GPU as topology JSON in our own format.
///
/// # Errors
/// As [`gpu`].
pub fn topology_json(name: &str, loaded: Option<&Topology>) -> Result<String, Vec<Diagnostic>> {
    gpu(name, loaded).map(|topology| write_topology(&topology))
}
