//! The report as text for a terminal, and how its numbers are written.

use crate::check::report::{CheckReport, CheckTotal, CheckedFile};
use std::fmt::Write as _;

/// Writes the report as text.
pub fn check_text(report: &CheckReport) -> String {
    let mut out = String::new();
    for file in &report.files {
        // Writing to a String cannot fail, so the results of `writeln!` are ignored.
        let _ = writeln!(out, "{}: {}", file.name, file.title);
        let _ = writeln!(out, "  {}", file.about);
        let _ = writeln!(out, "  {}", rows_text(file));
        for launch in &file.launches {
            let scaled = launch.scaled.as_ref().map_or(String::new(), |what| format!(", runs {what}"));
            let _ = writeln!(out, "\n  {} ({}, {}{scaled})", launch.label, launch.gpu, launch.state);
            for c in &launch.counters {
                let name = c.counter.name();
                let others = c.others.iter().map(|o| format!(", {} {}", o.name, error_text(o.error, &c.error_unit)));
                let _ = writeln!(
                    out,
                    "    {name:<24} {:>14} measured {:>14} modelled {:>10}{}",
                    value_text(c.measured),
                    value_text(c.modelled),
                    error_text(c.error, &c.error_unit),
                    others.collect::<String>()
                );
            }
        }
        let _ = writeln!(out, "\n  mean, median and worst error over the launches");
        for total in &file.totals {
            let _ = writeln!(out, "    {}", total_text(total));
        }
        for row in &file.choices {
            let _ = writeln!(
                out,
                "    {} {}: {} launches, median error of the time {:.1} %; {} of {} pairs of variants in the right order; \
                 mean regret over {} groups {:.1} %, always `{}` {:.1} %",
                row.gpu,
                row.kernel,
                row.launches,
                row.time_error,
                row.pairs_right,
                row.pairs,
                row.groups,
                row.regret,
                row.best_fixed,
                row.best_fixed_regret
            );
        }
        out.push('\n');
    }
    out
}

fn total_text(total: &CheckTotal) -> String {
    let others = total.others.iter().map(|other| format!(", {} {:.1}", other.name, other.mean));
    format!(
        "{:<14} {:<24} {:>3} launches, mean {:.2} {unit}, median {:.2}, worst {:+.1} ({}), exact {}{}",
        total.gpu,
        total.counter.name(),
        total.launches,
        total.mean,
        total.median,
        total.worst,
        total.worst_label,
        total.exact,
        others.collect::<String>(),
        unit = total.error_unit,
    )
}

/// The rows of a file, in a sentence.
pub(crate) fn rows_text(file: &CheckedFile) -> String {
    let mut text = format!("{} rows, {} launches run", file.rows, file.launches.len());
    if file.left_out > 0 {
        let _ = write!(text, ", {} rows not asked for", file.left_out);
    }
    if file.damaged > 0 {
        let _ = write!(text, ", {} rows damaged", file.damaged);
    }
    for skipped in &file.skipped {
        let _ = write!(text, "; {} skipped: {}", skipped.rows, skipped.reason);
    }
    text + "."
}

/// A number with four significant digits at least, and commas between thousands.
pub(crate) fn value_text(value: f64) -> String {
    if value.abs() < 100.0 {
        let text = format!("{value:.2}");
        return text.strip_suffix(".00").map_or(text.clone(), String::from);
    }
    let digits = format!("{:.0}", value.abs());
    let mut out = String::from(if value < 0.0 { "-" } else { "" });
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// An error with its sign.
pub(crate) fn error_text(error: Option<f64>, unit: &str) -> String {
    let short = if unit == "points" { " pt" } else { " %" };
    match error {
        Some(error) if error.abs() < 0.005 => "exact".into(),
        Some(error) if error.abs() < 10.0 => format!("{error:+.2}{short}"),
        Some(error) => format!("{error:+.0}{short}"),
        None => "no share".into(),
    }
}
