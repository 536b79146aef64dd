//! `warpscope topology`: a GPU's topology and measurements from files or folders.

use super::files::{entries, file_error, print_diagnostics};
use super::Format;
use base::{Diagnostic, Severity};
use clap::Parser;
use lab::{MeasurementRow, TopologyIntake, TopologyReport};
use std::fmt::Write as _;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The depth to which folders within folders are searched.
const DEPTH: usize = 3;

#[derive(Parser)]
pub(super) struct TopologyArguments {
    /// Topology JSON (our own or mt4g's), mt4g's raw `… - MEMORY KIND.txt` files, outputs of gpu-benches (`gpu-latency`,
    /// `gpu-cache`, `gpu-l2-cache`), or folders of them.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Format of stdout.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

pub(super) fn topology(arguments: &TopologyArguments) -> Result<String, Vec<Diagnostic>> {
    let mut intake = TopologyIntake::default();
    for path in &arguments.files {
        take(&mut intake, path, DEPTH)?;
    }
    let report = intake.finish()?;
    let worth_saying = |d: &&Diagnostic| d.severity > Severity::Note;
    print_diagnostics(&report.diagnostics.iter().filter(worth_saying).cloned().collect::<Vec<_>>());
    match arguments.format {
        Format::Json => super::json(&report),
        Format::Text => Ok(text(&report)),
    }
}

fn take(intake: &mut TopologyIntake, path: &Path, depth: usize) -> Result<(), Vec<Diagnostic>> {
    if path.is_dir() {
        for entry in entries(path)?.iter().filter(|entry| depth > 0 || !entry.is_dir()) {
            take(intake, entry, depth.saturating_sub(1))?;
        }
        return Ok(());
    }
    let name = path.display().to_string();
    let wrong = |error: std::io::Error| vec![file_error(&name, &error)];
    let mut file = File::open(path).map_err(wrong)?;
    intake.begin(&name);
    let mut chunk = vec![0; 1 << 18];
    loop {
        match file.read(&mut chunk) {
            Ok(0) => return Ok(()),
            Ok(n) => intake.push(&chunk[..n]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(wrong(error)),
        }
    }
}

fn text(report: &TopologyReport) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail, so the results of `writeln!` are ignored.
    if let Some(topology) = &report.topology {
        let _ = writeln!(out, "{}: {}", topology.name, lab::summary(topology));
    }
    for row in &report.measurements {
        let value = row.value.map_or("no change found".into(), |value| format!("{value} {}", row.unit));
        let _ = write!(out, "{:<14} {:<18} {:<10} {value}", row.memory, row.kind, row.rule);
        if let Some(p) = row.p {
            let _ = write!(out, "  p {p:.3}");
        }
        // The files of several devices, or several files of one value, differ only by their names.
        let same = |other: &&MeasurementRow| (other.memory, other.kind, other.rule) == (row.memory, row.kind, row.rule);
        if report.measurements.iter().filter(same).count() > 1 {
            let _ = write!(out, "  {}", file_name(&row.file));
        }
        let _ = writeln!(out);
    }
    agreement(&mut out, report);
    out
}

fn file_name(path: &str) -> String {
    Path::new(path).file_name().map_or(path.into(), |name| name.to_string_lossy().into())
}

/// The sizes by the three rules, one line per size.
fn agreement(out: &mut String, report: &TopologyReport) {
    if report.agreement.is_empty() {
        return;
    }
    let _ = writeln!(out, "\nsizes by three rules, in bytes (steps apart; why)");
    let size = |value: Option<f64>| value.map_or("none".into(), |value| format!("{value}"));
    for row in &report.agreement {
        let why = match row.why {
            "agree" => "within one step".into(),
            "rise" => format!("the rise to the next level has {} sizes, and the best splits lie within it", row.rise),
            "none" => "a rule finds no change".into(),
            _ => "not explained".into(),
        };
        let steps = row.steps.map_or("–".into(), |steps| steps.to_string());
        let (thesis, mt4g, ours) = (size(row.thesis), size(row.mt4g), size(row.ours));
        let name = file_name(&row.file);
        let _ = writeln!(out, "{name}: {}: thesis {thesis}, mt4g {mt4g}, ours {ours} ({steps}; {why})", row.memory);
    }
}
