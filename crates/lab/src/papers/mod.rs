//! The self-check: what the papers print or measured, beside what the models of this project give now.
//!
//! In: nothing. The rows hold the published values, and each computes ours live, without input, clock or randomness of
//! its own, so that the terminal and the page give the same. Out: a [`PaperResult`] for each row, with a verdict, and a
//! [`PaperReport`] of them, which `text.rs` writes. A row whose difference is larger than its bound is red. If that is
//! known, the row says so and why, and the list as a whole is as expected. `docs/papers.md` is this list.
//!
//! Each figure, table, equation and mechanism of a paper has a row. Where nothing can be compared, the row says why.
//!
//! To add a paper, write a file or folder beside `hpca14` with a function `rows() -> Vec<PaperRow>`, and name it twice below: as a
//! module and in [`SOURCES`]. A row's `work` computes the values in parts of about 50 ms, or as a job in steps (`points.rs` has one
//! for rows that run a model several times). A published value and a bound carry their source in the row; a bound is
//! not chosen after ours. After a change of rows, `npm run figures` writes `docs/papers.md` and the figures of other
//! pages that `figures.rs` lists.
//! `crates/lab/tests/suite/papers.rs` and `tests/engine/papers.rs` test the list.

mod cluster17;
mod docs;
mod figures;
mod hpca14;
mod ipdps12;
mod points;
mod report;
mod row;
mod run;
mod text;
mod thesis;
mod value;

pub use figures::{figure_pages, figure_places, fill_figures};
pub use report::{PaperOutline, PaperReport, PaperResult, PaperTotals, Verdict};
pub use row::{Paper, PaperRow};
pub use run::PaperRun;
pub use text::{papers_csv, papers_markdown, papers_text};
pub use value::PaperValue;

/// Where rows come from, in the order of the list.
const SOURCES: &[fn() -> Vec<PaperRow>] = &[hpca14::rows, cluster17::rows, ipdps12::rows, thesis::rows, docs::rows];

/// All rows.
pub fn paper_rows() -> Vec<PaperRow> {
    SOURCES.iter().flat_map(|rows| rows()).collect()
}

/// The rows that a word selects: all of a paper by its key, or else those whose id contains it.
pub fn paper_rows_only(word: &str) -> Vec<PaperRow> {
    let by_paper = Paper::ALL.iter().any(|paper| paper.key() == word);
    let chosen = |row: &PaperRow| if by_paper { row.paper.key() == word } else { row.id.contains(word) };
    paper_rows().into_iter().filter(chosen).collect()
}
