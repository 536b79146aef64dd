//! The self-check: its rows come out as they say, the same in steps of any size, and docs/papers.md shows them.

use base::{Job, Step};
use lab::{
    figure_pages, figure_places, fill_figures, paper_rows, paper_rows_only, papers_csv, papers_markdown, Paper,
    PaperReport, PaperRun,
};
use std::cmp::Ordering;
use std::collections::BTreeSet;

#[test]
fn the_page_shows_what_the_rows_give_and_no_row_surprises() {
    let report = PaperReport::new(paper_rows().iter().map(|row| PaperRun::new(row).finish()).collect());
    let odd: Vec<_> = report.rows.iter().filter(|row| !row.expected).collect();
    assert!(odd.is_empty(), "{odd:#?}");
    assert!(report.rows.iter().any(|row| row.red), "a known disagreement stays in the list");
    let current = |page: &str, wanted: String, found: &str| {
        // `npm run figures` sets it.
        if std::env::var_os("WRITE_FIGURES").is_some() {
            std::fs::write(testkit::root().join(page), &wanted).expect("the page is written");
        } else {
            assert!(wanted == found, "{page} is not current: npm run figures");
        }
    };
    let read = |page: &str| std::fs::read_to_string(testkit::root().join(page)).expect("the page");
    for page in figure_pages() {
        let text = read(page);
        current(page, fill_figures(page, &text, &report).unwrap_or_else(|said| panic!("{said}")), &text);
    }
    current("docs/papers.md", papers_markdown(&report), &read("docs/papers.md"));
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

#[test]
fn adjustment_narrows_the_gap_of_three_streams_and_widens_that_of_two() {
    let [row] = paper_rows_only("ipdps12.figure-12").try_into().unwrap_or_else(|_| panic!("one row"));
    let result = PaperRun::new(&row).finish();
    let changes = result.values.iter().map(|value| {
        let gaps: Vec<f64> = value.ours.split(", ").map(|gap| gap.parse().expect("a number")).collect();
        (value.label.as_str(), gaps[1].total_cmp(&gaps[0]))
    });
    let with = |order| changes.clone().filter(|&(_, found)| found == order).map(|(label, _)| label).collect::<Vec<_>>();
    assert_eq!(with(Ordering::Less), ["Zipf 0.8", "Zipf 1.0", "phased"]);
    assert_eq!(with(Ordering::Greater), ["uniform", "matmul"]);
}

/// A text without what looks like a figure and is none: code, links, and names of GPUs, papers and programs.
fn without_names(text: &str) -> String {
    let names = [
        "L1",
        "L2",
        "HPCA 2014",
        "IPDPS 2012",
        "CLUSTER 2017",
        "RTX 3060",
        "GTX 470",
        "Node 20",
        "Apache-2.0",
        "port 8080",
        "Figure 3",
    ];
    let mut prose = String::new();
    for line in text.lines().filter(|line| !line.starts_with("    ") && !line.starts_with("       ")) {
        // Code stands at odd places between the marks.
        for (i, piece) in line.split('`').enumerate() {
            prose.push_str(if i % 2 == 0 { piece } else { "CODE" });
        }
        prose.push('\n');
    }
    let mut out = String::new();
    let mut rest = prose.as_str();
    while let Some((before, after)) = rest.split_once("](") {
        out.push_str(before);
        rest = after.split_once(')').map_or("", |(_, rest)| rest);
    }
    out.push_str(rest);
    names.iter().fold(out, |text, name| text.replace(name, "NAME"))
}

/// Every number of the README is a figure of the self-check, or one of these, which other tests hold.
#[test]
fn no_figure_of_the_readme_is_without_a_test() {
    let text = std::fs::read_to_string(testkit::root().join("README.md")).expect("the page");
    let mut rest = text.clone();
    for (from, to) in figure_places("README.md", &text).expect("its words").into_iter().rev() {
        rest.replace_range(from..to, "FIGURE");
    }
    let prose = without_names(&rest);
    let numbers: Vec<&str> = prose
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '.')
        .filter(|word| word.starts_with(|c: char| c.is_ascii_digit()))
        .collect();
    // The steps "1." to "4." of the list; the exercises (tests/engine); the errors of placements (below).
    assert_eq!(numbers, ["1.", "2.", "3.", "4.", "27", "20", "30"], "{prose}");
}

/// The README's bounds of placements' errors are those of the tables of docs/placement.md, which hardware data give.
#[test]
fn the_errors_of_placements_are_those_of_their_page() {
    let page = |name: &str| std::fs::read_to_string(testkit::root().join(name)).expect("the page");
    let (readme, placement) = (page("README.md").replace('\n', " "), page("docs/placement.md"));
    let number = |text: &str| -> f64 {
        let digits: String = text.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
        digits.parse().unwrap_or_else(|_| panic!("a number in {text}"))
    };
    let after = |text: &str, words: &str| number(text.split_once(words).unwrap_or_else(|| panic!("{words}")).1);
    let last = |start: &str| {
        let row = placement.lines().find(|line| line.starts_with(start)).expect("a row");
        number(row.trim_end_matches([' ', '|']).rsplit(", ").next().expect("the machine's error"))
    };
    let (product, another) = (last("| machine, each of the four traced |"), last("| matrix product, 4"));
    assert!(product < after(&readme, "off by less than "), "{product}");
    assert!(another > after(&readme, "and by more than "), "{another}");
}
