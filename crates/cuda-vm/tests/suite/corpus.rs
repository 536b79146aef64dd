//! Programs in the style of public suites: Rodinia, the CUDA samples and HeCBench. Each file of tests/data/corpus holds
//! many, each behind a line `//// name N`, where N kernels must run to the end and access memory. `refused: words` says
//! what the diagnostics must name instead.

use base::Severity;
use cuda_vm::{emulate, CudaOptions};
use std::collections::BTreeSet;

/// The heads and texts of the programs of a file.
fn programs(text: &str) -> Vec<(&str, &str)> {
    let parts = text.split("//// ").filter(|part| !part.trim().is_empty());
    parts.map(|part| part.split_once('\n').expect("a line with the name")).collect()
}

/// What is wrong with a program, if anything is.
fn flaw(head: &str, text: &str) -> Option<String> {
    let run = emulate("case.cu", text, &CudaOptions { budget: 20_000_000, ..CudaOptions::default() });
    let with_accesses = run.launches.iter().filter(|l| l.trace.access_count() > 0);
    let ran: BTreeSet<&str> = with_accesses.map(|l| l.kernel.as_str()).collect();
    let wanted: usize = head.split_whitespace().nth(1).and_then(|n| n.parse().ok()).expect("a number of kernels");
    let said: String = run.diagnostics.iter().map(|d| format!("  {d}\n")).collect();
    let errors = run.diagnostics.iter().any(|d| d.severity == Severity::Error);
    let refused = head.split_once("refused: ").map(|(_, words)| words);
    let fits = ran.len() >= wanted && refused.map_or(!errors, |words| said.contains(words));
    (!fits).then(|| format!("{head}: {ran:?} ran\n{said}"))
}

fn check(file: &str, text: &str, least: usize) {
    let all = programs(text);
    assert!(all.len() >= least, "{file}: {} programs", all.len());
    let wrong: String = all.iter().filter_map(|(head, text)| flaw(head, text)).collect();
    assert!(wrong.is_empty(), "{file}\n{wrong}");
}

#[test]
fn programs_like_those_of_rodinia_run() {
    check("rodinia", include_str!("../data/corpus/rodinia.cu"), 20);
}

#[test]
fn programs_like_the_samples_run() {
    check("samples", include_str!("../data/corpus/samples.cu"), 20);
    check("samples2", include_str!("../data/corpus/samples2.cu"), 25);
}

#[test]
fn programs_like_those_of_hecbench_run() {
    check("hecbench", include_str!("../data/corpus/hecbench.cu"), 25);
}
