//! The self-check: its rows come out as they say, the same in steps of any size, and docs/papers.md shows them.

use base::{Job, Step};
use lab::{paper_rows, paper_rows_only, papers_csv, papers_markdown, Paper, PaperReport, PaperRun};
use std::collections::BTreeSet;

#[test]
fn the_page_shows_what_the_rows_give_and_no_row_surprises() {
    let report = PaperReport::new(paper_rows().iter().map(|row| PaperRun::new(row).finish()).collect());
    let odd: Vec<_> = report.rows.iter().filter(|row| !row.expected).collect();
    assert!(odd.is_empty(), "{odd:#?}");
    assert!(report.rows.iter().any(|row| row.red), "a known disagreement stays in the list");
    let page = std::fs::read_to_string(testkit::root().join("docs/papers.md")).expect("the page");
    let help = "docs/papers.md is not current: warpscope check --format markdown > docs/papers.md";
    assert!(page == papers_markdown(&report), "{help}");
    let lines = papers_csv(&report).lines().count();
    let values: usize = report.rows.iter().map(|row| row.values.len().max(1)).sum();
    assert_eq!(lines, values + 1);
}

#[test]
fn ids_are_unique_and_name_their_paper_and_every_row_has_words() {
    let rows = paper_rows();
    let ids: BTreeSet<_> = rows.iter().map(|row| row.id).collect();
    assert_eq!(ids.len(), rows.len());
    for row in &rows {
        assert!(row.id.starts_with(&format!("{}.", row.paper.key())), "{}", row.id);
        assert!(!row.item.is_empty() && !row.what.is_empty() && !row.what.ends_with('.'), "{}", row.id);
    }
    let of_paper: usize = Paper::ALL.iter().map(|paper| paper_rows_only(paper.key()).len()).sum();
    assert_eq!(of_paper, rows.len());
    assert_eq!(paper_rows_only("hpca14.table-5").len(), 1);
    assert!(paper_rows_only("no such row").is_empty());
}

#[test]
fn small_steps_give_the_same_as_large_ones() {
    for row in ["hpca14.table-5", "hpca14.figure-7-paper", "hpca14.figure-12"].iter().flat_map(|id| paper_rows_only(id))
    {
        let whole = PaperRun::new(&row).finish();
        let mut run = PaperRun::new(&row);
        let mut last = 0;
        let small = loop {
            match run.step(5_000) {
                Step::Done(result) => break result,
                Step::More(now) => {
                    assert!(now.done >= last && now.done <= now.total, "{}: {now:?}", row.id);
                    last = now.done;
                }
            }
        };
        assert_eq!(small, whole);
    }
}
