//! Links of version 1 with the results that they promise: each opens, runs and gives its result again.
//!
//! `WRITE_LINKS=1 cargo test --test engine stored_links` gives the links without a result theirs.

use base::Job;
use lab::{linked_contents, FileHash, Scenario, ScenarioRun};
use share::{add_fingerprint, parse_link, read_scenario, write_scenario, write_whole_link};
use std::path::PathBuf;

fn folder() -> PathBuf {
    testkit::root().join("tests/links")
}

/// The files that the links name, each with its hash.
fn files() -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(folder().join("files")).expect("the files of the links").flatten();
    let hashed = entries.map(|entry| {
        let bytes = std::fs::read(entry.path()).expect("a file of the links");
        let mut hash = FileHash::default();
        hash.push(&bytes);
        (hash.finish(), bytes)
    });
    hashed.collect()
}

fn fingerprint(scenario: &Scenario, files: &[(String, Vec<u8>)]) -> String {
    let bytes = |id: &lab::FileId| files.iter().find(|(hash, _)| *hash == id.sha256).map(|(_, bytes)| &**bytes);
    let contents = linked_contents(scenario, &bytes).expect("what the link runs on");
    assert!(contents.diagnostics.is_empty(), "{:?}", contents.diagnostics);
    let run = ScenarioRun::new(scenario, &contents).expect("a scenario that runs");
    add_fingerprint(run.finish().expect("a report")).fingerprint().to_string()
}

fn links() -> Vec<String> {
    let text = std::fs::read_to_string(folder().join("reproduced.txt")).expect("the stored links");
    text.lines().map(String::from).collect()
}

/// Gives the links without a result theirs, and their baselines.
fn write(files: &[(String, Vec<u8>)]) {
    let with_results = |line: String| {
        if line.starts_with('#') || line.contains("result=") {
            return line;
        }
        let mut scenario = parse_link(&line).expect("a link");
        scenario.fingerprint = Some(fingerprint(&scenario, files));
        if let Some(base) = scenario.base.as_deref_mut() {
            base.fingerprint = Some(fingerprint(base, files));
        }
        write_whole_link(&scenario).expect("a link below the limit")
    };
    let lines: Vec<String> = links().into_iter().map(with_results).collect();
    std::fs::write(folder().join("reproduced.txt"), lines.join("\n") + "\n").expect("the stored links");
}

#[test]
fn stored_links_are_reproduced() {
    let files = files();
    if std::env::var_os("WRITE_LINKS").is_some() {
        write(&files);
    }
    let links: Vec<String> = links().into_iter().filter(|line| !line.starts_with('#')).collect();
    assert!(links.len() >= 60, "{} links", links.len());
    let mut differ = Vec::new();
    for link in &links {
        let scenario = parse_link(link).expect(link);
        let base = scenario.base.as_deref();
        for run in base.into_iter().chain([&scenario]) {
            let promised = run.fingerprint.as_deref().expect("a promised result");
            let here = fingerprint(run, &files);
            if here != promised {
                differ.push(format!("{link}\n  promised {promised}, gave {here}"));
            }
        }
    }
    assert!(differ.is_empty(), "{} of {} links:\n{}", differ.len(), links.len(), differ.join("\n"));
}

#[test]
fn stored_links_survive_as_files() {
    for link in links().iter().filter(|line| !line.starts_with('#')) {
        let scenario = parse_link(link).expect(link);
        let file = write_scenario(&scenario);
        assert_eq!(read_scenario(file.as_bytes()).expect(link), scenario, "{file}");
    }
}
