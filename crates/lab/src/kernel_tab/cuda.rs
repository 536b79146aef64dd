//! CUDA text as a source of traces.
//!
//! In: the text of a `.cu` file, or the name of a kernel of the library, with [`CudaSettings`]. Out: traces, as [`Contents`] or
//! as a [`Recording`] for a program that is built without the emulator, which then reads it like any other file.

use crate::input::file_hash::FileHash;
use crate::input::intake::Contents;
use crate::scenario::{CudaSettings, FileId};
use base::{Diagnostic, Severity};
use cuda_vm::{emulate, library};
use cuda_vm::{library_kernel, LibraryKernel, Options, Run, Skipped};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use trace::{FileContent, Recording};

/// Parts of the file that a message lists.
const SKIPPED_TOLD: usize = 6;

impl CudaSettings {
    /// As the emulator takes them.
    pub fn options(&self) -> Options {
        Options {
            launch: self.launch.clone(),
            form: self.form,
            sizes: self.sizes.iter().map(|(name, value)| (name.clone(), value.clone())).collect(),
            ..Options::default()
        }
    }
}

/// Runs the launches of a file and puts their traces into it.
pub(crate) fn run_cuda(content: &mut FileContent, options: &Options) {
    let bytes = std::mem::take(&mut content.unrecognised);
    let name = content.name.clone();
    let Ok(text) = String::from_utf8(bytes) else {
        content.diagnostics.push(Diagnostic::error(name, "a text in UTF-8", "other bytes", "save the file as UTF-8"));
        return;
    };
    let run = emulate(&name, &text, options);
    content.diagnostics.extend(cuda_diagnostics(&name, &run));
    content.left_out = vec![0; run.launches.len()];
    content.kernels = run.launches.into_iter().map(|launch| launch.trace).collect();
}

/// Says what to do with a file that nobody here runs.
pub(crate) fn refuse_cuda(content: &mut FileContent) {
    content.unrecognised.clear();
    let help =
        "open it beside no other file, or make a trace of it at the terminal: warpscope trace FILE.cu -o FILE.traceg";
    content.diagnostics.push(Diagnostic::error(
        content.name.clone(),
        "a trace or a topology",
        "CUDA text, which is not run here",
        help,
    ));
}

/// What a run of CUDA text has to say, with one note about everything that is not for the device.
pub fn cuda_diagnostics(name: &str, run: &Run) -> Vec<Diagnostic> {
    run.diagnostics.iter().cloned().chain(skipped(name, &run.skipped)).collect()
}

fn skipped(name: &str, parts: &[Skipped]) -> Option<Diagnostic> {
    let first = parts.first()?;
    let list: Vec<String> = parts.iter().take(SKIPPED_TOLD).map(|p| format!("{} (line {})", p.what, p.line)).collect();
    let more = parts.len().saturating_sub(SKIPPED_TOLD);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    Some(Diagnostic {
        severity: Severity::Note,
        file: name.into(),
        line: Some(u64::from(first.line)),
        expected: "code for the device".into(),
        found: format!("{}{more}", list.join(", ")),
        help: "these parts are not run".into(),
    })
}

/// The kernel of the library that an example's identifier names.
///
/// # Errors
/// A diagnostic that lists all of them when there is none of this name.
pub fn example_kernel(id: &str) -> Result<&'static LibraryKernel, Vec<Diagnostic>> {
    library_kernel(id).ok_or_else(|| {
        let known = library().iter().map(|kernel| kernel.id).collect::<Vec<_>>().join(", ");
        vec![Diagnostic::error("example", "a built-in example", format!("`{id}`"), format!("use one of {known}"))]
    })
}

impl Contents {
    /// The trace of a built-in example, as the compiler leaves it, in its own sizes.
    ///
    /// # Errors
    /// A diagnostic that lists the examples when there is none of this name.
    pub fn of_example(id: &str) -> Result<Self, Vec<Diagnostic>> {
        Self::of_example_with(id, &CudaSettings::default().options())
    }

    /// The trace of a built-in example, run so.
    ///
    /// # Errors
    /// As [`Contents::of_example`].
    pub fn of_example_with(id: &str, options: &Options) -> Result<Self, Vec<Diagnostic>> {
        let run = emulate(&format!("{id}.cu"), example_kernel(id)?.text, options);
        Ok(Self {
            example: Some(id.into()),
            diagnostics: cuda_diagnostics(id, &run),
            kernels: run.launches.into_iter().map(|launch| Arc::new(launch.trace)).collect(),
            ..Self::default()
        })
    }
}

/// Where a recording comes from.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Provenance {
    /// The example, where it is one.
    pub example: Option<String>,
    /// The text.
    pub file: FileId,
    /// What the run said.
    pub diagnostics: Vec<Diagnostic>,
}

impl Provenance {
    pub(crate) fn of(content: &FileContent) -> Option<Self> {
        serde_json::from_str(&content.about).ok()
    }
}

/// The bytes of a [`Recording`] of a run; `example` where the text is one of the library.
pub fn record_cuda(name: &str, text: &str, example: Option<&str>, run: &Run) -> Vec<u8> {
    let mut hash = FileHash::default();
    hash.push(text.as_bytes());
    let file = FileId { name: name.into(), size: text.len() as u64, sha256: hash.finish(), format: None };
    let provenance = Provenance { example: example.map(Into::into), file, diagnostics: cuda_diagnostics(name, run) };
    let about = serde_json::to_string(&provenance).unwrap_or_default();
    Recording { about, kernels: run.launches.iter().map(|launch| launch.trace.clone()).collect() }.write()
}
