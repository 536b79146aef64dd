//! Shapes that only the page needs; the rest crosses as the lab has it.

use crate::diag::Diagnostic;
use crate::lab::{Contents, FileId, Report, Run};
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
            format: f.format.clone(),
            kernels: f.kernels,
            role: f.role,
        };
        let traces: u64 = contents.kernels.iter().map(|k| k.heap_bytes() as u64).sum();
        let largest = contents.kernels.iter().map(|k| Run::memory_estimate(k, 128)).max().unwrap_or(0);
        Self {
            files: contents.files.iter().map(file).collect(),
            kernels: contents
                .kernels
                .iter()
                .map(|k| KernelInfo {
                    name: k.name.clone(),
                    grid: [k.launch.grid.x, k.launch.grid.y, k.launch.grid.z],
                    block: [k.launch.block.x, k.launch.block.y, k.launch.block.z],
                    warps: k.warps.len(),
                    instructions: k.warps.iter().map(|warp| warp.instructions).sum(),
                    accesses: k.access_count(),
                    arrays: k.arrays.iter().map(|array| array.name.clone()).collect(),
                })
                .collect(),
            topology: contents.topology.as_ref().map(|t| t.name.clone()),
            diagnostics: contents.diagnostics.clone(),
            memory_bytes: traces + largest,
        }
    }
}
