//! Shapes that only the page needs; the rest crosses as the lab has it.

use crate::cuda::TextShape;
use base::Diagnostic;
use lab::{info, Contents, FileId, KernelInfo, Report, Skipped};
use serde::Serialize;

#[derive(Serialize)]
pub struct StepOutcome<'a> {
    pub done: u64,
    pub total: u64,
    pub report: Option<&'a Report>,
}

#[derive(Serialize)]
pub struct IntakeStep {
    pub done: u64,
    pub total: u64,
    pub intake: Option<IntakeInfo>,
    /// What the run of the first CUDA text gave.
    pub text: Option<TextShape>,
}

#[derive(Serialize)]
pub struct IntakeInfo {
    files: Vec<FileShape>,
    kernels: Vec<KernelShape>,
    topology: Option<String>,
    diagnostics: Vec<Diagnostic>,
    memory_bytes: u64,
}

#[derive(Serialize)]
struct FileShape {
    id: FileId,
    format: String,
    read_as: &'static str,
    candidates: Vec<&'static str>,
    recognised_by: &'static str,
    kernels: usize,
    role: &'static str,
    skipped: Vec<Skipped>,
}

#[derive(Serialize)]
struct KernelShape {
    #[serde(flatten)]
    kernel: KernelInfo,
    /// Name of its file.
    file: String,
}

impl IntakeInfo {
    pub fn of(contents: &Contents) -> Self {
        let told = info(contents);
        let mut kernels = Vec::new();
        let mut files = Vec::new();
        for (i, file) in told.files.into_iter().enumerate() {
            let id = contents.files.get(i).map(|file| file.id.clone());
            let version = file.version.map_or(String::new(), |version| format!(" (tracer version {version})"));
            let packed = file.compression.map_or(String::new(), |packed| format!(", {packed}"));
            files.extend(id.map(|id| FileShape {
                id,
                format: format!("{}{version}{packed}", file.format),
                read_as: file.read_as,
                candidates: file.candidates,
                recognised_by: file.recognised_by,
                kernels: file.kernels.len(),
                role: file.role,
                skipped: file.skipped,
            }));
            kernels.extend(file.kernels.into_iter().map(|kernel| KernelShape { kernel, file: file.file.clone() }));
        }
        kernels.sort_by_key(|shape| shape.kernel.number);
        Self {
            files,
            kernels,
            topology: contents.topology.as_ref().map(|t| t.name.clone()),
            diagnostics: contents.diagnostics.clone(),
            memory_bytes: told.estimate.memory_bytes,
        }
    }
}
