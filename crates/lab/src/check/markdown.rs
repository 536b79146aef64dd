//! The report as Markdown, for a page about accuracy: per file the totals, then a table of all launches.

use crate::check::counter::Counter;
use crate::check::report::{CheckReport, CheckedCounter, CheckedFile, CheckedLaunch};
use crate::check::row::SIMULATORS;
use crate::check::text::{error_text, rows_text, value_text};
use std::fmt::Write as _;

/// Writes the report as Markdown. Its headings are of the second level and below.
pub fn check_markdown(report: &CheckReport) -> String {
    let mut out = String::new();
    let mut title = "";
    for file in &report.files {
        // Writing to a String cannot fail, so the results of `writeln!` are ignored.
        if title != file.title {
            let _ = writeln!(out, "## {}\n\n{}\n", file.title, file.about);
        }
        title = file.title;
        let _ = writeln!(out, "`{}`: {}\n", file.name, rows_text(file));
        totals(&mut out, file);
        variants(&mut out, file);
        launches(&mut out, file);
    }
    out
}

fn totals(out: &mut String, file: &CheckedFile) {
    let has = |name: &str| file.totals.iter().any(|total| total.others.iter().any(|other| other.name == name));
    let names: Vec<&str> = SIMULATORS.iter().map(|(name, _)| *name).filter(|name| has(name)).collect();
    let mut header = vec!["GPU", "counter", "launches", "mean error", "median", "worst", "of", "exact"];
    header.extend(&names);
    table_head(out, &header);
    for total in &file.totals {
        let error = |value: f64| format!("{value:.2} {}", total.error_unit);
        let mut cells = vec![
            total.gpu.to_string(),
            total.counter.name().into(),
            total.launches.to_string(),
            error(total.mean),
            error(total.median),
            error_text(Some(total.worst), &total.error_unit),
            total.worst_label.clone(),
            total.exact.to_string(),
        ];
        for name in &names {
            let other = total.others.iter().find(|other| other.name == *name);
            cells.push(other.map_or(String::new(), |other| format!("{:.1}", other.mean)));
        }
        table_row(out, &cells);
    }
    out.push('\n');
}

/// How well the times order the variants of a launch.
fn variants(out: &mut String, file: &CheckedFile) {
    if file.choices.is_empty() {
        return;
    }
    let _ = writeln!(out, "Variants of a launch, and the choice of the quickest.\n");
    let regret = ["groups", "mean regret", "best fixed choice", "its mean regret"];
    table_head(out, &[&["GPU", "kernel", "launches", "median error", "pairs ordered right"][..], &regret].concat());
    for row in &file.choices {
        let cells = [
            row.gpu.to_string(),
            row.kernel.clone(),
            row.launches.to_string(),
            format!("{:.1} %", row.time_error),
            format!("{} of {}", row.pairs_right, row.pairs),
            row.groups.to_string(),
            format!("{:.1} %", row.regret),
            row.best_fixed.clone(),
            format!("{:.1} %", row.best_fixed_regret),
        ];
        table_row(out, &cells);
    }
    out.push('\n');
}

/// A row per launch and a column per counter. A cell has the measured and the modelled value and the errors.
fn launches(out: &mut String, file: &CheckedFile) {
    let mut counters: Vec<Counter> = Vec::new();
    for counter in file.launches.iter().flat_map(|launch| &launch.counters).map(|c| c.counter) {
        if !counters.contains(&counter) {
            counters.push(counter);
        }
    }
    let others = file.launches.iter().flat_map(|l| &l.counters).any(|c| !c.others.is_empty());
    let errors = if others { " (error; Accel-Sim's; microgpusim's)" } else { " (error)" };
    let _ = writeln!(out, "Each launch: measured → modelled{errors}.\n");
    let scaled = file.launches.iter().any(|launch| launch.scaled.is_some());
    let mut header = vec!["launch", "GPU"];
    header.extend(scaled.then_some("runs"));
    header.extend(counters.iter().map(|counter| counter.name()));
    table_head(out, &header);
    for launch in &file.launches {
        let mut cells = vec![launch.label.clone(), launch.gpu.into()];
        if scaled {
            cells.push(launch.scaled.clone().unwrap_or("all".into()));
        }
        cells.extend(counters.iter().map(|counter| cell(launch, *counter)));
        table_row(out, &cells);
    }
    out.push('\n');
}

fn cell(launch: &CheckedLaunch, counter: Counter) -> String {
    let Some(c) = launch.counters.iter().find(|c| c.counter == counter) else { return "–".into() };
    format!("{} → {} ({})", value_text(c.measured), value_text(c.modelled), errors(c))
}

fn errors(c: &CheckedCounter) -> String {
    let mut text = error_text(c.error, &c.error_unit);
    if c.others.is_empty() {
        return text;
    }
    for (name, _) in SIMULATORS {
        let other = c.others.iter().find(|other| other.name == name);
        let _ = write!(text, "; {}", other.map_or("–".into(), |other| error_text(other.error, &c.error_unit)));
    }
    text
}

fn table_head(out: &mut String, names: &[&str]) {
    let _ = writeln!(out, "| {} |\n|{}", names.join(" | "), " --- |".repeat(names.len()));
}

fn table_row(out: &mut String, cells: &[String]) {
    let _ = writeln!(out, "| {} |", cells.join(" | ").replace('\n', " "));
}
