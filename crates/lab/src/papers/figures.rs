//! The figures of README.md and of pages under docs that rows of the self-check give.
//!
//! In: the text of a page and a [`PaperReport`]. Out: the text with the figures of the report. A figure stands in a
//! sentence or a line of a table whose words are listed here, so that the pages need no marks. `npm run figures` writes
//! all of them, and a test holds that nothing changes.

use super::report::{PaperReport, PaperTotals};
use base::Diagnostic;

/// Where a figure comes from.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// A count of the whole list.
    Total(fn(&PaperTotals) -> usize),
    /// Our value under a label of a row.
    Ours(&'static str, &'static str),
    /// The published value under a label of a row.
    Published(&'static str, &'static str),
}

use Source::{Ours, Published, Total};

/// Words of a page around figures.
struct Figures {
    file: &'static str,
    /// Each `{}` is a figure.
    words: &'static str,
    /// As many as the words have figures.
    from: &'static [Source],
}

const PAPER: &str = "hpca14.figure-3-paper";
const GPU: &str = "hpca14.figure-3-gpu";

const FIGURES: &[Figures] = &[
    Figures {
        file: "README.md",
        words: "recomputed beside the published values in {} rows: {} equal, {} different ({} of them red), {} that cannot be compared",
        from: &[
            Total(|t| t.rows),
            Total(|t| t.exact),
            Total(|t| t.differs),
            Total(|t| t.red),
            Total(|t| t.cannot),
        ],
    },
    Figures {
        file: "README.md",
        words: "misses {} % of the requests where a GTX 470 misses {} %",
        from: &[Ours(PAPER, "1024 threads"), Published(PAPER, "1024 threads")],
    },
    Figures {
        file: "docs/cache-models.md",
        words: "| GTX 470, % | {} | {} | {} | {} | {} | {} |",
        from: &[
            Published(PAPER, "32 threads"),
            Published(PAPER, "64 threads"),
            Published(PAPER, "128 threads"),
            Published(PAPER, "256 threads"),
            Published(PAPER, "512 threads"),
            Published(PAPER, "1024 threads"),
        ],
    },
    Figures {
        file: "docs/cache-models.md",
        words: "| `paper`, seed 1, % | {} | {} | {} | {} | {} | {} |",
        from: &[
            Ours(PAPER, "32 threads"),
            Ours(PAPER, "64 threads"),
            Ours(PAPER, "128 threads"),
            Ours(PAPER, "256 threads"),
            Ours(PAPER, "512 threads"),
            Ours(PAPER, "1024 threads"),
        ],
    },
    Figures {
        file: "docs/cache-models.md",
        words: "| `gpu`, % | {} | {} | {} | {} | {} | {} |",
        from: &[
            Ours(GPU, "32 threads"),
            Ours(GPU, "64 threads"),
            Ours(GPU, "128 threads"),
            Ours(GPU, "256 threads"),
            Ours(GPU, "512 threads"),
            Ours(GPU, "1024 threads"),
        ],
    },
    Figures {
        file: "docs/cache-models.md",
        words: "At 128 threads `paper` gives {} to {} % over the seeds 1 to 8.",
        from: &[Ours("hpca14.figure-3-seeds", "least"), Ours("hpca14.figure-3-seeds", "most")],
    },
    Figures {
        file: "docs/machine-model.md",
        words: "The rate at 128 threads is {} to {} % from base to base",
        from: &[Ours(GPU, "128 threads, least of the bases"), Ours(GPU, "128 threads, most of the bases")],
    },
    Figures {
        file: "docs/reuse.md",
        words: "take {} bytes per distinct line on a uniform stream and {} on a Zipf stream",
        from: &[Ours("docs.reuse-bytes", "uniform"), Ours("docs.reuse-bytes", "Zipf 1.0")],
    },
];

/// The pages that have figures, relative to the project's folder.
pub fn figure_pages() -> Vec<&'static str> {
    let mut files: Vec<&str> = FIGURES.iter().map(|figures| figures.file).collect();
    files.dedup();
    files
}

fn value(report: &PaperReport, source: Source) -> Option<String> {
    let of = |id: &str, label: &str| {
        let row = report.rows.iter().find(|row| row.id == id)?;
        row.values.iter().find(|value| value.label == label)
    };
    match source {
        Total(count) => Some(count(&report.totals).to_string()),
        Ours(id, label) => of(id, label).map(|value| value.ours.clone()),
        Published(id, label) => of(id, label).map(|value| value.published.clone()),
    }
}

/// The places of the figures in a text, if its words are there.
fn places(text: &str, words: &str) -> Option<Vec<(usize, usize)>> {
    let mut pieces = words.split("{}");
    let first = pieces.next()?;
    let pieces: Vec<&str> = pieces.collect();
    let from = |start: usize| {
        let mut at = start + first.len();
        let mut out = Vec::with_capacity(pieces.len());
        for piece in &pieces {
            let figure =
                text[at..].find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',').unwrap_or(text.len() - at);
            // A full stop or a comma behind the last digit belongs to the words.
            let figure = text[at..at + figure].trim_end_matches(['.', ',']).len();
            if figure == 0 || !text[at + figure..].starts_with(piece) {
                return None;
            }
            out.push((at, at + figure));
            at += figure + piece.len();
        }
        Some(out)
    };
    text.match_indices(first).find_map(|(start, _)| from(start))
}

/// The ranges of bytes of a page that are figures of the self-check.
///
/// # Errors
///
/// Returns the words that the page lacks.
pub fn figure_places(file: &str, text: &str) -> Result<Vec<(usize, usize)>, Diagnostic> {
    let mut out = Vec::new();
    for figures in FIGURES.iter().filter(|figures| figures.file == file) {
        let found = places(text, figures.words).filter(|found| found.len() == figures.from.len());
        out.extend(found.ok_or_else(|| missing(file, figures.words))?);
    }
    Ok(out)
}

fn missing(file: &str, words: &str) -> Diagnostic {
    let help = "keep the sentence, or change its words in crates/lab/src/papers/figures.rs";
    Diagnostic::error(file, format!("`{words}` with numbers in the braces"), "no such words", help)
}

/// The text of a page with the figures of a report.
///
/// # Errors
///
/// Returns the words that the page lacks, or the row that the report lacks.
pub fn fill_figures(file: &str, text: &str, report: &PaperReport) -> Result<String, Diagnostic> {
    let mut text = text.to_string();
    for figures in FIGURES.iter().filter(|figures| figures.file == file) {
        let found = places(&text, figures.words).filter(|found| found.len() == figures.from.len());
        let found = found.ok_or_else(|| missing(file, figures.words))?;
        // From the last one, so that the places before it stay.
        for ((from, to), source) in found.into_iter().zip(figures.from).rev() {
            let Some(value) = value(report, *source) else {
                let found = format!("none for {source:?}");
                return Err(Diagnostic::error(file, "a value of the self-check", found, "run all rows"));
            };
            text.replace_range(from..to, &value);
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::places;

    #[test]
    fn figures_are_found_between_their_words() {
        let text = "It takes 3 s. A is 1.50 % and 1,024 of 7. A is many % and 3 of 4.";
        assert_eq!(places(text, "A is {} % and {} of {}"), Some(vec![(19, 23), (30, 35), (39, 40)]));
        assert_eq!(&text[39..40], "7");
        assert_eq!(places(text, "takes {} s"), Some(vec![(9, 10)]));
        assert_eq!(places(text, "A is {} of"), None);
        assert_eq!(places(text, "no {}"), None);
    }
}
