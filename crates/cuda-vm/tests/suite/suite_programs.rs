//! Whole programs in the manner of public suites, each written for this test, most with a construct of the host or of the
//! device that no other test has. Each program of tests/data/suites stands behind a line `//// title N`: N kernels must run to
//! the end and access memory, without an error. Lines `//= kernel <<<…>>> items` say what the host computes, worked out by
//! hand, as those of `host_styles`. `refused: words` in the title says what the diagnostics must name instead.

use crate::host_styles::differences;
use base::Severity;
use cuda_vm::{emulate, outline, CudaOptions, CudaRun};
use std::collections::BTreeSet;

const FILES: [(&str, &str); 4] = [
    ("first", include_str!("../data/suites/first.cu")),
    ("second", include_str!("../data/suites/second.cu")),
    ("third", include_str!("../data/suites/third.cu")),
    ("fourth", include_str!("../data/suites/fourth.cu")),
];

/// Programs that do not pass, with the reason.
const OPEN: [(&str, &str); 0] = [];

/// What is wrong with the run of a program: errors, and kernels that do not access memory.
fn faults(title: &str, run: &CudaRun) -> Option<String> {
    let with_accesses = run.launches.iter().filter(|l| l.trace.access_count() > 0);
    let ran: BTreeSet<&str> = with_accesses.map(|l| l.kernel.as_str()).collect();
    let head = title.split(" refused: ").next().unwrap_or(title);
    let wanted: usize = head.split_whitespace().last().and_then(|n| n.parse().ok()).expect("a number of kernels");
    let said: String = run.diagnostics.iter().map(|d| format!("    {d}\n")).collect();
    let errors = run.diagnostics.iter().any(|d| d.severity == Severity::Error);
    let refused = title.split_once(" refused: ").map(|(_, words)| words);
    let fits = ran.len() >= wanted && refused.map_or(!errors, |words| said.contains(words));
    (!fits).then(|| format!("  {ran:?} ran\n{said}"))
}

#[test]
fn programs_of_suites_run_with_the_launches_of_their_hosts() {
    let (mut programs, mut run_well, mut launches, mut right) = (0, 0, 0, 0);
    let mut wrong = String::new();
    for (file, text) in FILES {
        for program in text.split("//// ").skip(1) {
            let title = program.lines().next().unwrap_or_default();
            let text = format!("// {program}");
            programs += 1;
            let options = CudaOptions { budget: 20_000_000, ..CudaOptions::default() };
            let fault = faults(title, &emulate("case.cu", &text, &options));
            run_well += usize::from(fault.is_none());
            let found = outline(&text);
            let mut differs = String::new();
            for line in program.lines().filter_map(|line| line.strip_prefix("//= ")) {
                let all = differences(&found, line);
                launches += 1;
                right += usize::from(all.is_empty());
                all.iter().for_each(|d| differs += &format!("  {line}: {d}\n"));
            }
            let is_wrong = fault.is_some() || !differs.is_empty();
            if is_wrong != OPEN.iter().any(|(open, _)| *open == title) {
                wrong += &format!("{file}: {title}\n{}{differs}", fault.unwrap_or_default());
            }
        }
    }
    println!("{run_well} of {programs} programs run, {right} of {launches} launches are those of the host");
    assert!(programs >= 49, "{programs} programs");
    assert!(wrong.is_empty(), "{run_well} of {programs} run, {right} of {launches} launches\n{wrong}");
    assert!(run_well * 100 >= programs * 88 && right * 100 >= launches * 90, "{run_well}, {right}");
}
