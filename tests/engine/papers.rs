//! The links of the self-check's rows: each opens a run, and those of Tables 2 to 5 give the tables' hits and misses.

use base::{Job, Step};
use lab::{paper_rows, Contents, Intake, PaperRow, Report, Scenario, ScenarioRun};
use share::{parse_link, write_link};

fn linked() -> Vec<(PaperRow, Scenario)> {
    paper_rows().into_iter().filter_map(|row| row.open.map(|open| (row, open()))).collect()
}

/// Opens what the link of a scenario names, as the page does.
fn contents(scenario: &Scenario) -> Contents {
    let mut intake = Intake::default();
    intake.set_cuda(scenario.cuda.options());
    if let Some(example) = &scenario.example {
        intake.example(example).expect("an example");
    }
    if let (Some(text), Some(file)) = (&scenario.cuda.text, scenario.files.first()) {
        intake.begin(&file.name);
        intake.push(text.as_bytes());
        intake.end();
    }
    while let Step::More(_) = intake.run_texts(1 << 22) {}
    let contents = intake.finish();
    assert!(!contents.has_error(), "{:?}", contents.diagnostics);
    contents
}

#[test]
fn every_link_says_what_the_row_means_and_its_source_opens() {
    let rows = linked();
    assert!(rows.len() >= 10);
    for (row, scenario) in rows {
        let link = write_link(&scenario).unwrap_or_else(|error| panic!("{}: {error}", row.id));
        assert_eq!(parse_link(&link).as_ref(), Ok(&scenario), "{}", row.id);
        if scenario.example.is_some() || scenario.cuda.text.is_some() {
            assert!(contents(&scenario).launch_count() > 0, "{}", row.id);
        }
    }
}

/// The tables print these hits and misses; the links run CUDA text in place of the rows' own traces.
#[test]
fn the_links_of_tables_2_to_5_give_their_hits_and_misses() {
    for (id, hits, new, latency, cancels) in [
        ("hpca14.table-2", 6, 2, 0, 0),
        ("hpca14.table-3", 4, 2, 2, 0),
        ("hpca14.table-4", 4, 2, 2, 0),
        ("hpca14.table-5", 1, 2, 1, 1),
    ] {
        let (_, scenario) = linked().into_iter().find(|(row, _)| row.id == id).expect("a row with a link");
        let run = ScenarioRun::new(&scenario, &contents(&scenario)).expect("a run");
        let Ok(Report::Cache(report)) = run.finish() else { panic!("{id}: no report") };
        let kernel = &report.kernels[0];
        let found = (kernel.hits, kernel.misses.compulsory, kernel.misses.latency, kernel.cancels);
        assert_eq!(found, (hits, new, latency, cancels), "{id}");
    }
}
