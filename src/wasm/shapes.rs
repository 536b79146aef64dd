//! Shapes that only the page needs; the rest crosses as the lab has it.

use crate::diag::Diagnostic;
use crate::lab::{memory_estimate, Contents, FileId, Report};
use serde::Serialize;

#[derive(Serialize)]
pub struct PageError {
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Serialize)]
pub struct StepOutcome<'a> {
    pub done: u64,
    pub total: u64,
    pub report: Option<&'a Report>,
}

#[derive(Serialize)]
pub struct IntakeInfo {
    files: Vec<FileInfo>,
    kernels: Vec<KernelInfo>,
    topology: Option<String>,
    diagnostics: Vec<Diagnostic>,
    memory_bytes: u64,
}

#[derive(Serialize)]
struct FileInfo {
    id: FileId,
    format: String,
    kernels: usize,
    role: &'static str,
}

#[derive(Serialize)]
struct KernelInfo {
    name: String,
    grid: [u32; 3],
    block: [u32; 3],
    warps: usize,
    instructions: u64,
    accesses: usize,
    arrays: Vec<String>,
}

impl IntakeInfo {
    pub fn of(contents: &Contents) -> Self {
        let file = |f: &crate::lab::FileSummary| FileInfo {
            id: f.id.clone(),
            format: f.compression.map_or_else(|| f.format.clone(), |packed| format!("{}, {packed}", f.format)),
            kernels: f.kernels,
            role: f.role,
        };
        let kernel = |k: &_| KernelInfo {
            name: k.name.clone(),
            grid: [k.launch.grid.x, k.launch.grid.y, k.launch.grid.z],
            block: [k.launch.block.x, k.launch.block.y, k.launch.block.z],
            warps: k.warps.len(),
            instructions: k.warps.iter().map(|warp| warp.instructions).sum(),
            accesses: k.access_count(),
            arrays: k.arrays.iter().map(|array| array.name.clone()).collect(),
        };
        Self {
            files: contents.files.iter().map(file).collect(),
            kernels: contents.kernels.iter().map(kernel).collect(),
            topology: contents.topology.as_ref().map(|t| t.name.clone()),
            diagnostics: contents.diagnostics.clone(),
            memory_bytes: memory_estimate(&contents.kernels),
        }
    }
}
