//! `warpscope check`: the papers' tables and figures recomputed, or the model `gpu` beside hardware counters.

use super::files::{ends_in, entries, print_diagnostics, read_file};
use super::papers::check_papers;
use base::{Diagnostic, Job, Step};
use clap::{Parser, ValueEnum};
use lab::{check_csv, check_markdown, check_text, CheckFile, CheckOptions, CheckRun, Half};
use std::path::{Path, PathBuf};

#[derive(Parser)]
pub struct CheckArguments {
    /// Folder with CSV files of hardware counters, to hold the model `gpu` against in place of the papers. A file is
    /// recognised by its columns.
    #[arg(long, value_name = "DIR")]
    hardware: Option<PathBuf>,
    /// Only the rows of a paper (hpca14, cluster17, ipdps12, thesis, docs), or those whose ids contain NAME. With --hardware, only
    /// files whose names contain NAME; if there is none, only launches whose descriptions contain it.
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Most rows of a file, evenly spread over it.
    #[arg(long, value_name = "N", requires = "hardware")]
    rows: Option<usize>,
    /// Only launches of one half of each file. A hash of a launch's description says which.
    #[arg(long, value_enum, value_name = "HALF", requires = "hardware")]
    half: Option<CheckHalf>,
    /// Format of stdout.
    #[arg(long, value_enum, default_value = "text")]
    format: CheckFormat,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum CheckHalf {
    First,
    Second,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub enum CheckFormat {
    Text,
    Json,
    Csv,
    Markdown,
}

/// Work between two reports of progress.
const BUDGET: u64 = 1 << 22;

/// Runs the rows of the papers or the measured launches, and returns the text for stdout. Stderr shows the progress.
pub fn check(arguments: &CheckArguments) -> Result<String, Vec<Diagnostic>> {
    match &arguments.hardware {
        Some(folder) => check_hardware(folder, arguments),
        None => check_papers(arguments.only.as_deref(), arguments.format),
    }
}

fn check_hardware(folder: &Path, arguments: &CheckArguments) -> Result<String, Vec<Diagnostic>> {
    let files = csv_files(folder)?;
    let half = arguments.half.map(|half| match half {
        CheckHalf::First => Half::First,
        CheckHalf::Second => Half::Second,
    });
    let options = CheckOptions { only: arguments.only.clone(), rows: arguments.rows, half };
    let mut run = CheckRun::new(&files, &options)?;
    let mut shown = None;
    let report = loop {
        print_diagnostics(&run.take_diagnostics());
        let (done, all) = run.launches();
        if shown != Some(done) {
            shown = Some(done);
            if let Some(now) = run.now() {
                eprintln!("{} of {all}: {now}", done + 1);
            }
        }
        if let Step::Done(report) = run.step(BUDGET) {
            break report;
        }
    };
    match arguments.format {
        CheckFormat::Text => Ok(check_text(&report)),
        CheckFormat::Json => super::json(&report),
        CheckFormat::Csv => Ok(check_csv(&report)),
        CheckFormat::Markdown => Ok(check_markdown(&report)),
    }
}

/// Reads the CSV files of a folder, in the order of their names.
fn csv_files(folder: &Path) -> Result<Vec<CheckFile>, Vec<Diagnostic>> {
    let mut paths = entries(folder)?;
    paths.retain(|path| ends_in(path, "csv"));
    let file = |path: PathBuf| {
        let name = path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
        Ok(CheckFile { name, bytes: read_file(&path)? })
    };
    paths.into_iter().map(file).collect()
}
