//! The report as one table: a line per kernel, array, instruction, set and core.

use super::report::{Report, Row};

/// The report's counts as CSV (RFC 4180). Columns: kernel (its place in the report), part, name, and the counts.
pub fn report_csv(report: &Report) -> String {
    let mut out = csv::Writer::from_writer(Vec::new());
    // Writing to memory cannot fail.
    let _ = out.write_record([
        "kernel",
        "part",
        "name",
        "requests",
        "hits",
        "compulsory",
        "capacity",
        "associativity",
        "latency",
    ]);
    let mut line = |kernel: usize, part: &str, name: &str, row: &Row| {
        let counts = [row.requests, row.hits, row.compulsory, row.capacity, row.associativity, row.latency];
        let fields = [kernel.to_string(), part.into(), name.into()];
        let _ = out.write_record(fields.into_iter().chain(counts.map(|n| n.to_string())));
    };
    for (i, kernel) in report.kernels.iter().enumerate() {
        let m = &kernel.misses;
        let whole = Row {
            requests: kernel.requests,
            hits: kernel.hits,
            compulsory: m.compulsory.max(0) as u64,
            capacity: m.capacity.max(0) as u64,
            associativity: m.associativity.max(0) as u64,
            latency: m.latency.max(0) as u64,
        };
        line(i + 1, "kernel", &kernel.name, &whole);
        kernel.arrays.iter().for_each(|row| line(i + 1, "array", &row.name, &row.counts));
        for row in &kernel.instructions {
            let place = row.line.map_or_else(|| row.pc.clone(), |line| format!("line {line}"));
            line(i + 1, "instruction", format!("{place} {} {}", row.opcode, row.kind).trim(), &row.counts);
        }
        kernel.sets.iter().for_each(|row| line(i + 1, "set", &row.set.to_string(), &row.counts));
        kernel.cores.iter().for_each(|row| line(i + 1, "core", &row.core.to_string(), &row.counts));
    }
    out.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
}
