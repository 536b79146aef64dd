//! Typing mistakes: deletes one sign of a library kernel, chosen by a seeded draw. The first error must be on the line
//! of the missing sign.

use base::Random;
use base::Severity;
use cuda_vm::{emulate, library, CudaOptions};
use std::collections::BTreeMap;

/// Deletions of each sign in each kernel. A kernel with fewer signs has each of them deleted.
const DRAWS: usize = 12;

/// Positions of `sign` in the code, outside comments and preprocessor lines.
fn places(text: &str, sign: char) -> Vec<usize> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let code = line.split("//").next().unwrap_or("");
        if !code.trim_start().starts_with('#') {
            found.extend(code.match_indices(sign).map(|(at, _)| start + at));
        }
        start += line.len();
    }
    found
}

fn first_error(text: &str) -> Option<u64> {
    let run = emulate("typo.cu", text, &CudaOptions::default());
    run.diagnostics.iter().find(|d| d.severity == Severity::Error).map(|d| d.line.unwrap_or(0))
}

/// The distances in lines from each deletion to the first error. `None` counts the deletions without an error.
fn distances(sign: char, seed: u64) -> BTreeMap<Option<u64>, usize> {
    let mut random = Random::new(seed);
    let mut distances = BTreeMap::new();
    for kernel in library() {
        let mut places = places(kernel.text, sign);
        while places.len() > DRAWS {
            places.swap_remove(random.below(places.len() as u64) as usize);
        }
        for at in places {
            let text = [&kernel.text[..at], &kernel.text[at + 1..]].concat();
            let line = 1 + kernel.text[..at].matches('\n').count() as u64;
            *distances.entry(first_error(&text).map(|found| found.abs_diff(line))).or_insert(0) += 1;
        }
    }
    distances
}

/// The share of deletions whose first error is at most `lines` lines away.
fn share(sign: char, lines: u64) -> f64 {
    let distances = distances(sign, 2014);
    let all: usize = distances.values().sum();
    let near = |d: &Option<u64>| d.is_some_and(|d| d <= lines);
    let good: usize = distances.iter().filter(|(d, _)| near(d)).map(|(_, n)| n).sum();
    let share = good as f64 / all as f64;
    println!("`{sign}` deleted {all} times: {:.1} % reported within {lines} lines; {distances:?}", 100.0 * share);
    assert!(all > 50);
    share
}

#[test]
fn a_missing_semicolon_is_reported_on_its_line() {
    assert!(share(';', 0) >= 0.9);
}

#[test]
fn a_missing_parenthesis_is_reported_on_its_line() {
    assert!(share('(', 0) >= 0.9);
    assert!(share(')', 0) >= 0.9);
}

#[test]
fn a_missing_brace_is_reported_within_three_lines() {
    assert!(share('{', 3) >= 0.5);
    assert!(share('}', 3) >= 0.5);
}
