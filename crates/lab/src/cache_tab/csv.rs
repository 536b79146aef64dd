//! CSV tables for other programs: one of a report of the models of one L1, with a row per kernel, array, instruction, set
//! and core, one of a report of the model `gpu`, with a row per number, and one of the elements of an array.

use crate::cache_tab::gpu_report::{GpuKernelReport, GpuReport};
use crate::cache_tab::report::{AccessCounts, CacheReport};
use cuda_vm::ArrayData;
use serde_json::Value;

/// Writes the counts of a report as CSV (RFC 4180). The columns are the kernel's position in the report, the part, its
/// name, and the counts.
pub fn report_csv(report: &CacheReport) -> String {
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
    let mut line = |kernel: usize, part: &str, name: &str, row: &AccessCounts| {
        let counts = [row.requests, row.hits, row.compulsory, row.capacity, row.associativity, row.latency];
        let fields = [kernel.to_string(), part.into(), name.into()];
        let _ = out.write_record(fields.into_iter().chain(counts.map(|n| n.to_string())));
    };
    for (i, kernel) in report.kernels.iter().enumerate() {
        let m = &kernel.misses;
        let whole = AccessCounts {
            requests: kernel.requests,
            hits: kernel.hits,
            compulsory: m.compulsory.max(0) as u64,
            capacity: m.capacity.max(0) as u64,
            associativity: m.associativity.max(0) as u64,
            latency: m.latency.max(0) as u64,
        };
        line(i + 1, "kernel", &kernel.name, &whole);
        kernel.arrays.iter().for_each(|row| line(i + 1, "array", &row.array.name, &row.counts));
        for row in &kernel.instructions {
            let of = &row.instruction;
            // A line of the text may have many of one kind, so the program counter stands beside it.
            let place = of.line.map_or_else(String::new, |line| format!("line {line}"));
            let parts = [&place, &of.pc, &of.opcode, of.kind];
            let name = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
            line(i + 1, "instruction", &name, &row.counts);
        }
        kernel.sets.iter().for_each(|row| line(i + 1, "set", &row.set.to_string(), &row.counts));
        kernel.cores.iter().for_each(|row| line(i + 1, "core", &row.core.to_string(), &row.counts));
    }
    out.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
}

/// Writes the numbers of a report of the model `gpu` as CSV (RFC 4180). The columns are the kernel's number, its name, the
/// number's name as in JSON, and the number.
pub fn gpu_csv(report: &GpuReport) -> String {
    let mut out = csv::Writer::from_writer(Vec::new());
    // Writing to memory cannot fail.
    let _ = out.write_record(["kernel", "name", "number", "value"]);
    for kernel in &report.kernels {
        for (path, value) in gpu_values(kernel) {
            let _ = out.write_record([kernel.number.to_string(), kernel.name.clone(), path, value]);
        }
    }
    out.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
}

/// Lists the values of a kernel in the order of its JSON: the path of the field, and the value as JSON writes it. A list
/// adds the position to the path, counted from 0.
pub fn gpu_values(kernel: &GpuKernelReport) -> Vec<(String, String)> {
    let mut values = Vec::new();
    if let Ok(json) = serde_json::to_value(kernel) {
        collect("", &json, &mut values);
    }
    values
}

fn collect(path: &str, value: &Value, out: &mut Vec<(String, String)>) {
    let below = |key: &str| if path.is_empty() { key.into() } else { format!("{path}.{key}") };
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(key, value)| collect(&below(key), value, out));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(i, value)| collect(&below(&i.to_string()), value, out));
        }
        Value::String(text) => out.push((path.into(), text.clone())),
        _ => out.push((path.into(), value.to_string())),
    }
}

/// Writes the elements of an array before the first launch and after the last, in the columns index, before and after.
/// An element that is not a number of C (a structure or a vector) is written as hexadecimal bytes in memory order.
pub fn array_csv(array: &ArrayData) -> String {
    // Numbers need no quotes.
    let mut out = String::from("index,before,after\n");
    let width = (array.after.len() as u64).checked_div(array.elements).map_or(1, |width| width.max(1)) as usize;
    for (i, (before, after)) in array.before.bytes().chunks(width).zip(array.after.chunks(width)).enumerate() {
        let [before, after] = [before, after].map(|bytes| number(&array.element, bytes));
        out += &format!("{i},{before},{after}\n");
    }
    out
}

fn number(element: &str, bytes: &[u8]) -> String {
    let mut word = [0; 8];
    word[..bytes.len().min(8)].copy_from_slice(&bytes[..bytes.len().min(8)]);
    let bits = u64::from_le_bytes(word);
    match (element, bytes.len()) {
        ("float", 4) => f32::from_bits(bits as u32).to_string(),
        ("double", 8) => f64::from_bits(bits).to_string(),
        ("char", 1) => (bits as i8).to_string(),
        ("short", 2) => (bits as i16).to_string(),
        ("int", 4) => (bits as i32).to_string(),
        ("long long", 8) => (bits as i64).to_string(),
        ("bool" | "unsigned char", 1) | ("unsigned short", 2) | ("unsigned int", 4) => bits.to_string(),
        ("unsigned long long", 8) => bits.to_string(),
        _ => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
    }
}
