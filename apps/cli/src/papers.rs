//! `warpscope check` without `--hardware`: the papers' tables and figures, recomputed.

use super::check::CheckFormat;
use super::files::print_diagnostics;
use base::{Diagnostic, Job};
use lab::{
    paper_rows, paper_rows_only, papers_csv, papers_markdown, papers_text, Paper, PaperReport, PaperResult, PaperRow,
    PaperRun,
};
use share::add_paper_link;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Runs the rows on all cores and returns the text for stdout. A row that came out other than the list says is an error.
pub fn check_papers(only: Option<&str>, format: CheckFormat) -> Result<String, Vec<Diagnostic>> {
    let rows = only.map_or_else(paper_rows, paper_rows_only);
    if rows.is_empty() {
        let papers = Paper::ALL.map(Paper::key).join(", ");
        let found = format!("`{}`", only.unwrap_or_default());
        let help = "`warpscope check` lists the ids";
        return Err(vec![Diagnostic::error("--only", format!("{papers}, or a part of a row's id"), found, help)]);
    }
    let report = PaperReport::new(run_rows(&rows));
    let odd = report.rows.iter().filter(|row| !row.expected);
    let told: Vec<Diagnostic> = odd
        .map(|row| {
            let expected = if row.red { "a row that is not red" } else { "a row that is red, as it says" };
            let found = format!("{}, largest difference {:?}, bound {:?}", row.verdict.word(), row.worst, row.bound);
            Diagnostic::error(&row.id, expected, found, "a model has changed, or the row is wrong")
        })
        .collect();
    print_diagnostics(&told);
    match format {
        CheckFormat::Text => Ok(papers_text(&report)),
        CheckFormat::Json => super::json(&report),
        CheckFormat::Csv => Ok(papers_csv(&report)),
        CheckFormat::Markdown => Ok(papers_markdown(&report)),
    }
}

/// The results in the order of the rows.
fn run_rows(rows: &[PaperRow]) -> Vec<PaperResult> {
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let results = Mutex::new(Vec::with_capacity(rows.len()));
    let told = std::io::stderr().is_terminal();
    std::thread::scope(|scope| {
        for _ in 0..threads.min(rows.len()) {
            scope.spawn(|| loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(row) = rows.get(at) else { return };
                let result = add_paper_link(row, PaperRun::new(row).finish());
                results.lock().unwrap_or_else(PoisonError::into_inner).push((at, result));
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                if told {
                    eprint!("\r{done} of {} rows", rows.len());
                }
            });
        }
    });
    if told {
        eprintln!();
    }
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, result)| result).collect()
}
