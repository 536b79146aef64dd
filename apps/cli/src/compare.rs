//! `warpscope compare`: the numbers of two reports side by side.

use super::files::read_file;
use super::Format;
use base::Diagnostic;
use lab::compare_reports;
use serde_json::Value;
use std::path::{Path, PathBuf};

#[derive(clap::Parser)]
pub struct CompareArguments {
    /// Report of the baseline: JSON that `warpscope cache FILE --format json` prints or the page saves.
    baseline: PathBuf,
    /// The report that is compared with it.
    now: PathBuf,
    /// Format of stdout.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// Compares the reports and returns the text for stdout.
pub fn compare(arguments: &CompareArguments) -> Result<String, Vec<Diagnostic>> {
    let [baseline, now] = [&arguments.baseline, &arguments.now];
    let names = [baseline, now].map(|path| path.display().to_string());
    let comparison = compare_reports([&names[0], &names[1]], &report(baseline)?, &report(now)?)?;
    match arguments.format {
        Format::Json => super::json(&comparison),
        Format::Text => Ok(comparison.text()),
    }
}

fn report(path: &Path) -> Result<Value, Vec<Diagnostic>> {
    serde_json::from_slice(&read_file(path)?).map_err(|error| {
        let help = "save it on the page, or with `warpscope cache FILE --format json`";
        vec![Diagnostic::error(path.display().to_string(), "a report as JSON", error.to_string(), help)]
    })
}
