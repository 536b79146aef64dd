//! Reads the output of a profiler, told apart by its content: KTT's JSON, the counts of a `.prof` file, or CSV.

use crate::profile::data::Profile;
use crate::profile::{csv_tables, ktt, l1_events};
use base::{excerpt, Diagnostic, Diagnostics, Severity};

/// What can be read, as messages name it.
pub(crate) const EXPECTED: &str =
    "the CSV of Nsight Compute or nvprof, the JSON of KTT 2, or hits and misses of a .prof file";

/// Reads a profile. Flaws are diagnostics, and the good part of the file is used. With an error among the diagnostics
/// nothing can be compared.
pub fn read_profile(name: &str, bytes: &[u8]) -> (Profile, Vec<Diagnostic>) {
    let mut out = Diagnostics::new(name);
    let text = String::from_utf8_lossy(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes));
    let begin = text.trim_start();
    if begin.is_empty() {
        out.add(
            Severity::Error,
            None,
            EXPECTED,
            "an empty file",
            "let the profiler write its output to this file again",
        );
    } else if bytes.contains(&0) {
        out.add(Severity::Error, None, EXPECTED, excerpt(bytes), help_for_binary(bytes));
    } else if begin.starts_with('{') || begin.starts_with('[') {
        return (ktt::read(bytes, &mut out), out.into_vec());
    } else if l1_events::looks_like(&text) {
        return (l1_events::read(name, &text, &mut out), out.into_vec());
    } else {
        return (csv_tables::read(&text, &mut out), out.into_vec());
    }
    (Profile::default(), out.into_vec())
}

/// What to do with a report that only the tool itself reads.
pub(crate) fn help_for_binary(bytes: &[u8]) -> &'static str {
    if bytes.starts_with(b"NVR") {
        "write it as CSV with `ncu --import FILE --csv --page raw`"
    } else if bytes.starts_with(b"SQLite format 3") {
        "write it as CSV with `nvprof --import-profile FILE --csv --print-gpu-trace`"
    } else {
        "write it as text: `ncu --csv --page raw`, `nvprof --csv`, or KTT's JSON"
    }
}
