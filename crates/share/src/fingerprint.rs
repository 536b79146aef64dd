//! The fingerprint of a result: the first 128 bits of a SHA-256 over its numbers.
//!
//! The hash leaves out the names of files, kernels and arrays. A renamed or compressed file therefore gives the same
//! fingerprint.

use lab::{gpu_values, AccessCounts, CacheReport, GpuReport, KernelReport, Misses, Report};
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// Parts of a report of the model `gpu` that follow from the trace and the other numbers.
const DERIVED: [&str; 2] = ["roofline", "work"];

/// A report that has a fingerprint.
pub trait Fingerprinted {
    /// The text of all numbers of the report, which is hashed.
    fn numbers(&self) -> String;
    /// The place of the fingerprint in the report.
    fn place(&mut self) -> &mut String;
}

/// Computes the fingerprint of a report and stores it in the report.
pub fn add_fingerprint<R: Fingerprinted>(mut report: R) -> R {
    let hash = Sha256::digest(report.numbers().as_bytes());
    *report.place() = hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    report
}

impl Fingerprinted for Report {
    fn numbers(&self) -> String {
        match self {
            Self::Cache(report) => report.numbers(),
            Self::Gpu(report) => report.numbers(),
        }
    }

    fn place(&mut self) -> &mut String {
        match self {
            Self::Cache(report) => report.place(),
            Self::Gpu(report) => report.place(),
        }
    }
}

impl Fingerprinted for GpuReport {
    /// The numbers under their names in JSON, which are part of the command line's promise. A name that changes, or a number
    /// that is new, changes the fingerprint. The parts in [`DERIVED`] are left out.
    fn numbers(&self) -> String {
        let mut text = format!("warpscope 1\n{} {}\n", self.model, self.state);
        for kernel in &self.kernels {
            text.push_str("kernel\n");
            for (path, value) in gpu_values(kernel) {
                let field = path.rsplit('.').next().unwrap_or_default();
                let part = path.split('.').next().unwrap_or_default();
                if field != "name" && path != "number" && !DERIVED.contains(&part) {
                    write_line(&mut text, format_args!("{path} {value}"));
                }
            }
        }
        text
    }

    fn place(&mut self) -> &mut String {
        &mut self.fingerprint
    }
}

impl Fingerprinted for CacheReport {
    fn numbers(&self) -> String {
        cache_numbers(self)
    }

    fn place(&mut self) -> &mut String {
        &mut self.fingerprint
    }
}

fn cache_numbers(report: &CacheReport) -> String {
    let mut text = format!("warpscope 1\n{} {}\n", report.model, report.seed);
    for (key, value) in &report.parameters {
        write_line(&mut text, format_args!("{key}={value}"));
    }
    report.kernels.iter().for_each(|kernel| write_kernel(&mut text, kernel));
    text
}

/// The counts as the first fingerprints spelt them. Links keep fingerprints for ever, so no name of a Rust type enters the text.
fn counts_text(counts: &AccessCounts) -> String {
    let &AccessCounts { requests, hits, compulsory, capacity, associativity, latency } = counts;
    format!(
        "Row {{ requests: {requests}, hits: {hits}, compulsory: {compulsory}, capacity: {capacity}, \
         associativity: {associativity}, latency: {latency} }}"
    )
}

/// The misses by class, spelt in the same way.
fn misses_text(misses: &Misses) -> String {
    let &Misses { compulsory, capacity, associativity, latency, mshr } = misses;
    format!(
        "Misses {{ compulsory: {compulsory}, capacity: {capacity}, associativity: {associativity}, \
         latency: {latency}, mshr: {mshr} }}"
    )
}

fn write_line(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = text.write_fmt(arguments);
    text.push('\n');
}

fn write_kernel(text: &mut String, k: &KernelReport) {
    write_line(
        text,
        format_args!("kernel {:?} {:?} {} {} {} {}", k.grid, k.block, k.requests, k.hits, k.ticks, k.cancels),
    );
    let differential = k.differential.as_ref().map_or("None".into(), |misses| format!("Some({})", misses_text(misses)));
    write_line(text, format_args!("{} {differential}", misses_text(&k.misses)));
    write_line(text, format_args!("{:?} {}", k.histogram.counts(), k.histogram.infinite()));
    for case in &k.cases {
        let counts = (case.histogram.counts(), case.histogram.infinite());
        write_line(text, format_args!("case {counts:?} {} {}", case.ticks, case.cancels));
    }
    for row in &k.arrays {
        write_line(text, format_args!("array {} {}", row.array.base, counts_text(&row.counts)));
    }
    for row in &k.instructions {
        write_line(text, format_args!("instruction {} {}", row.instruction.pc, counts_text(&row.counts)));
    }
    for row in &k.sets {
        write_line(text, format_args!("set {} {}", row.set, counts_text(&row.counts)));
    }
    for row in &k.cores {
        write_line(text, format_args!("core {} {} {}", row.core, row.ticks, counts_text(&row.counts)));
    }
}
