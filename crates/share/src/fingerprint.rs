//! The fingerprint of a result: the first 128 bits of a SHA-256 over its numbers.
//!
//! The hash leaves out the names of files, kernels and arrays. A renamed or compressed file therefore gives the same
//! fingerprint.

use lab::{KernelReport, Report};
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// Computes the fingerprint of a report and stores it in the report.
pub fn seal(mut report: Report) -> Report {
    let mut text = format!("warpscope 1\n{} {}\n", report.model, report.seed);
    for (key, value) in &report.parameters {
        line(&mut text, format_args!("{key}={value}"));
    }
    report.kernels.iter().for_each(|kernel| numbers(&mut text, kernel));
    let hash = Sha256::digest(text.as_bytes());
    report.fingerprint = hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    report
}

fn line(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = text.write_fmt(arguments);
    text.push('\n');
}

fn numbers(text: &mut String, k: &KernelReport) {
    line(text, format_args!("kernel {:?} {:?} {} {} {} {}", k.grid, k.block, k.requests, k.hits, k.ticks, k.cancels));
    line(text, format_args!("{:?} {:?}", k.misses, k.differential));
    line(text, format_args!("{:?} {}", k.histogram.counts(), k.histogram.infinite()));
    for case in &k.cases {
        let counts = (case.histogram.counts(), case.histogram.infinite());
        line(text, format_args!("case {counts:?} {} {}", case.ticks, case.cancels));
    }
    for row in &k.arrays {
        line(text, format_args!("array {} {:?}", row.base, row.counts));
    }
    for row in &k.instructions {
        line(text, format_args!("instruction {} {:?}", row.pc, row.counts));
    }
    for row in &k.sets {
        line(text, format_args!("set {} {:?}", row.set, row.counts));
    }
    for row in &k.cores {
        line(text, format_args!("core {} {} {:?}", row.core, row.ticks, row.counts));
    }
}
