//! CUDA text as a source of traces.
//!
//! In: a file that the trace room recognised as CUDA. Out: the traces of its launches, in the file's place.

use crate::diag::{Diagnostic, Severity};
use crate::kernel::{emulate, Options, Skipped};
use crate::trace::FileContent;

/// Parts of the file that a message lists.
const SKIPPED_TOLD: usize = 6;

/// Runs the launches of a file and puts their traces into it.
pub(super) fn run_cuda(content: &mut FileContent, options: &Options) {
    let bytes = std::mem::take(&mut content.unrecognised);
    let name = content.name.clone();
    let Ok(text) = String::from_utf8(bytes) else {
        content.diagnostics.push(Diagnostic::error(name, "a text in UTF-8", "other bytes", "save the file as UTF-8"));
        return;
    };
    let run = emulate(&name, &text, options);
    content.diagnostics.extend(run.diagnostics);
    content.diagnostics.extend(skipped(&name, &run.skipped));
    content.left_out = vec![0; run.launches.len()];
    content.kernels = run.launches.into_iter().map(|launch| launch.trace).collect();
}

/// Says what to do with a file that nobody here runs.
pub(super) fn refuse_cuda(content: &mut FileContent) {
    content.unrecognised.clear();
    let name = content.name.clone();
    let help = "make a trace of it at the terminal: warpscope trace FILE.cu -o FILE.traceg";
    content.diagnostics.push(Diagnostic::error(
        name,
        "a trace or a topology",
        "CUDA text, which only the terminal runs so far",
        help,
    ));
}

/// One note about everything that is not for the device.
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
