//! Compares the registers per thread with those of the code that NVIDIA's compiler makes of the same kernels.
//!
//! The compiler fills 32 registers freely, because fewer would not let more warps into a core. So kernels are compared by the
//! registers that they take of a core: rounded up to 8, and at least 32. Rules were chosen on every second row of each
//! table, from the first on.

use cuda_vm::{emulate, library_kernel, CudaOptions, TraceForm};
use serde_json::Value;
use std::collections::BTreeMap;
use trace::{Kind, Space, Trace};

/// A kernel, the registers that the compiler takes, and the estimate.
type Row = (String, u64, u64);

fn table(file: &str) -> Value {
    let path = format!("{}/tests/data/{file}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).expect("the table")).expect("JSON")
}

fn kernels(file: &str) -> Vec<Row> {
    let mut found = Vec::new();
    for (id, kernels) in table(file)["kernels"].as_object().expect("kernels") {
        let tiled = || std::fs::read_to_string(format!("{}/tests/data/tiled/{id}.cu", env!("CARGO_MANIFEST_DIR")));
        let text = library_kernel(id).map_or_else(|| tiled().expect("a kernel"), |kernel| kernel.text.into());
        let options = CudaOptions { form: TraceForm::Compiled, ..CudaOptions::default() };
        let run = emulate(&format!("{id}.cu"), &text, &options);
        let launches = run.launches.iter().map(|launch| &launch.trace);
        let estimates: BTreeMap<&str, u32> = launches.map(|trace| (&*trace.name, trace.estimated_registers)).collect();
        for (name, kernel) in kernels.as_object().expect("kernels of a file") {
            let machine = kernel["registers"].as_u64().expect("a number");
            found.extend(estimates.get(&**name).map(|&own| (format!("{id}/{name}"), machine, u64::from(own))));
        }
    }
    found
}

/// A form of a text, on a small launch.
fn traced(text: &str, sizes: &Value, small: &[(&str, &str)]) -> Trace {
    let sizes = sizes.as_object().expect("sizes").iter().map(|(name, value)| (name.clone(), value.to_string()));
    let small = small.iter().map(|(name, value)| (name.to_string(), value.to_string()));
    let options =
        CudaOptions { form: TraceForm::Compiled, sizes: sizes.chain(small).collect(), ..CudaOptions::default() };
    let mut run = emulate("form.cu", text, &options);
    assert!(run.diagnostics.is_empty(), "{:?}", run.diagnostics);
    run.launches.remove(0).trace
}

/// One block of a form of the matrix product, over four rounds of the sum.
fn product(sizes: &Value) -> Trace {
    const TEXT: &str = include_str!("../../../lab/tests/suite/gemm_global.cu");
    traced(TEXT, sizes, &[("K", "4"), ("BX", "1"), ("BY", "1")])
}

/// One block of a form of the convolution through shared memory.
fn convolution(sizes: &Value) -> Trace {
    const TEXT: &str = include_str!("../../../lab/src/check/kernels/conv15_shared.cu");
    traced(TEXT, sizes, &[("W", "16"), ("H", "1"), ("EXACT", "0")])
}

fn forms(file: &str, form: fn(&Value) -> Trace) -> Vec<Row> {
    let row = |row: &Value| {
        let own = form(&row["sizes"]).estimated_registers;
        (row["sizes"].to_string(), row["registers"].as_u64().expect("a number"), u64::from(own))
    };
    table(file)["forms"].as_array().expect("forms").iter().map(row).collect()
}

/// What a kernel takes of a core.
fn taken(registers: u64) -> f64 {
    registers.next_multiple_of(8).max(32) as f64
}

/// How near the estimates of some kernels are.
struct Score {
    all: usize,
    /// Kernels that take the same of a core, and within a fifth of it.
    same: usize,
    near: usize,
    /// The largest error in percent.
    worst: f64,
}

fn scored(rows: &[Row], half: usize) -> Score {
    let half = rows.iter().skip(half).step_by(2);
    let errors: Vec<f64> = half.map(|(_, machine, own)| 100.0 * (taken(*own) / taken(*machine) - 1.0)).collect();
    let within = |percent: f64| errors.iter().filter(|error| error.abs() <= percent).count();
    let worst = errors.iter().copied().max_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap_or(0.0);
    Score { all: errors.len(), same: within(0.0), near: within(20.0), worst }
}

#[test]
fn registers_are_near_those_of_machine_code() {
    // Within a fifth: kernels of each half of each table.
    let near = [
        ("sass", kernels("sass.json"), [19, 19]),
        ("tiled", kernels("tiled.json"), [11, 11]),
        ("gemm", forms("gemm.json", product), [20, 20]),
        // All rows were seen when the window of an order was looked for.
        ("convolution", forms("convolution.json", convolution), [7, 9]),
    ];
    for (file, rows, expected) in near {
        for (name, machine, own) in rows.iter().filter(|_| std::env::var("REGISTERS").is_ok()) {
            println!("{name:80} {machine:4} {own:4}");
        }
        for (half, which) in ["first half", "second half"].iter().enumerate() {
            let found = scored(&rows, half);
            let (all, same, worst) = (found.all, found.same, found.worst);
            println!(
                "{file}, {which}: {all} kernels, {same} take the same, {} within 20 %, worst {worst:+.0} %",
                found.near
            );
            assert!(found.near >= expected[half], "{file}, {which}");
        }
    }
}

#[test]
fn what_has_no_register_is_in_local_memory() {
    let forms = table("gemm.json");
    let rows = forms["forms"].as_array().expect("forms");
    assert!(rows.iter().any(|row| row["registers"] == 255));
    for row in rows {
        let trace = product(&row["sizes"]);
        let local = |kind| trace.sites.iter().filter(|s| s.space == Space::Local && s.kind == kind).count();
        if row["registers"] == 255 {
            println!("{}: {} loads, {} stores of local memory", row["sizes"], local(Kind::Load), local(Kind::Store));
        }
        assert_eq!(local(Kind::Load) > 0, row["registers"] == 255, "{row}");
        assert_eq!(local(Kind::Store) > 0, row["registers"] == 255, "{row}");
    }
}
