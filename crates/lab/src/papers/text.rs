//! The report as text for a terminal, as Markdown for `docs/papers.md`, and as CSV.

use super::report::{PaperReport, PaperResult, PaperTotals, Verdict};
use super::value::PaperValue;
use std::fmt::Write as _;

/// Writes the report as text. Writing to a String cannot fail, so the results of `writeln!` are ignored.
pub fn papers_text(report: &PaperReport) -> String {
    let mut out = String::new();
    for (paper, rows) in report.by_paper() {
        let _ = writeln!(out, "{}", paper.title());
        for row in rows {
            let red = if row.red { ", RED" } else { "" };
            let _ = writeln!(out, "\n  {} [{}{red}] {}: {}", row.id, row.verdict.word(), row.item, row.what);
            if !row.because.is_empty() {
                let _ = writeln!(out, "    {}", row.because);
            }
            for value in &row.values {
                let PaperValue { label, published, ours, .. } = value;
                let difference = difference_text(value);
                let _ = writeln!(out, "    {label}: published {published}, ours {ours}{difference}");
            }
            if let Some(link) = &row.link {
                let _ = writeln!(out, "    #{link}");
            }
        }
        out.push('\n');
    }
    let _ = writeln!(out, "{}", totals_text(report.totals));
    out
}

/// The counts in a sentence.
fn totals_text(t: PaperTotals) -> String {
    let failed = if t.failed > 0 { format!(", {} failed", t.failed) } else { String::new() };
    format!(
        "{} rows: {} exact, {} differ, {} cannot be compared{failed}. {} red, {} of them not as stated.",
        t.rows, t.exact, t.differs, t.cannot, t.red, t.unexpected
    )
}

/// The difference of a value with its unit, after a comma.
fn difference_text(value: &PaperValue) -> String {
    match (value.difference, value.equal) {
        (Some(difference), Some(false)) if value.relative => format!(", {difference:+.1} %"),
        (Some(difference), Some(false)) => format!(", {}", signed(difference)),
        (None, Some(false)) => ", not equal".into(),
        _ => String::new(),
    }
}

/// A number with its sign and three significant digits.
fn signed(value: f64) -> String {
    match value.abs() {
        size if size >= 100.0 => format!("{value:+.0}"),
        size if size >= 1.0 => format!("{value:+.2}"),
        _ => format!("{value:+.4}"),
    }
}

/// Writes the report as the page `docs/papers.md`: a table per paper.
pub fn papers_markdown(report: &PaperReport) -> String {
    let mut out = String::from(
        "# The papers, row by row\n\n\
         `warpscope check --format markdown` writes this page, and a test compares the two. The tab \"Self-check\" of the page \
         computes the same rows. Each row has a verdict:\n\n\
         * **exact**: all values are equal, in the digits that were published.\n\
         * **differs**: at least one value is not. The row says why.\n\
         * **cannot**: nothing can be compared. The row says why.\n\n\
         A row is **red** if a difference is larger than the bound that the row states. Red rows stay in the list.\n\n",
    );
    let _ = writeln!(out, "{}\n", totals_text(report.totals));
    for (paper, rows) in report.by_paper() {
        let _ = writeln!(out, "## {}\n", paper.title());
        out.push_str("| where | what | verdict | published → ours | why |\n| --- | --- | --- | --- | --- |\n");
        for row in rows {
            let unit = if row.unit.is_empty() { String::new() } else { format!(" ({})", row.unit) };
            let cells =
                [row.item.clone(), format!("{}{unit}", row.what), verdict_text(row), values_text(row), why_text(row)];
            let cells = cells.map(|cell| cell.replace('|', "\\|").replace('\n', " "));
            let _ = writeln!(out, "| {} |", cells.join(" | "));
        }
        out.push('\n');
    }
    out.pop();
    out
}

fn verdict_text(row: &PaperResult) -> String {
    let word = row.verdict.word();
    if row.red {
        format!("**{word}, red**")
    } else {
        word.into()
    }
}

/// The values of a row in one cell. Many equal ones are counted, not listed.
fn values_text(row: &PaperResult) -> String {
    if row.verdict == Verdict::Exact && row.values.len() > 8 {
        return format!("all {} values equal", row.values.len());
    }
    let one = |value: &PaperValue| {
        let label = if value.label.is_empty() { String::new() } else { format!("{}: ", value.label) };
        match value.equal {
            Some(true) => format!("{label}{}", value.published),
            _ => format!("{label}{} → {}{}", value.published, value.ours, difference_text(value)),
        }
    };
    row.values.iter().map(one).collect::<Vec<_>>().join("; ")
}

fn why_text(row: &PaperResult) -> String {
    match row.bound {
        Some(bound) if bound > 0.0 => {
            let unit = if row.values.iter().any(|value| value.relative) { " %" } else { "" };
            format!("{} Bound: {bound}{unit}.", row.because)
        }
        _ => row.because.clone(),
    }
}

/// Writes the report as CSV (RFC 4180) with a line per value, and one for each row without values.
pub fn papers_csv(report: &PaperReport) -> String {
    let mut out = csv::Writer::from_writer(Vec::new());
    // Writing to memory cannot fail.
    let _ = out.write_record([
        "id",
        "paper",
        "item",
        "what",
        "unit",
        "origin",
        "label",
        "published",
        "ours",
        "difference",
        "relative",
        "bound",
        "verdict",
        "red",
        "expected",
        "because",
        "link",
    ]);
    let number = |value: Option<f64>| value.map_or(String::new(), |v| v.to_string());
    let none = PaperValue::text("", "", "");
    for row in &report.rows {
        let values = if row.values.is_empty() { std::slice::from_ref(&none) } else { &row.values };
        for value in values {
            let fields = [
                row.id.clone(),
                row.paper.clone(),
                row.item.clone(),
                row.what.clone(),
                row.unit.clone(),
                row.origin.clone(),
                value.label.clone(),
                value.published.clone(),
                value.ours.clone(),
                number(value.difference),
                value.relative.to_string(),
                number(row.bound),
                row.verdict.word().into(),
                row.red.to_string(),
                row.expected.to_string(),
                row.because.clone(),
                row.link.clone().unwrap_or_default(),
            ];
            let _ = out.write_record(fields);
        }
    }
    String::from_utf8(out.into_inner().unwrap_or_default()).unwrap_or_default()
}
