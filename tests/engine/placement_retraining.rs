//! Training the overlap from a table of times: of the cycle-level simulator (tests/oracle_sim), which shares no code with the
//! model.

use crate::agreement::study::{put, simulator};
use crate::oracle_sim::families;
use crate::oracle_sim::program::Program;
use crate::oracle_sim::sim::cycles;
use base::Job;
use gpu::preset;
use lab::{retrain, Contents, OverlapFile, PlacementRequest, PlacementRun};
use placement::{Machine, Memory};
use std::collections::BTreeMap;
use std::sync::Arc;

const GPU: &str = "a100";
/// Of the simulator's families: two of them read a small array again and again, two read everything once.
const KERNELS: [&str; 4] = ["convolution", "matrixMul", "transpose", "triad"];
/// Placements of a kernel that are simulated, at most.
const MOST: usize = 12;

/// A kernel's trace as its user would have it, and the simulated microseconds of its placements.
struct Timed {
    contents: Contents,
    /// (placement by array, microseconds).
    rows: Vec<(BTreeMap<String, String>, f64)>,
}

fn timed(program: &Program) -> Timed {
    let machine = Machine::from_topology(&preset(GPU).expect("a preset"));
    let gpu = simulator(&machine, 4);
    let compile = |placement: &[Memory], marks: bool| {
        let puts: Vec<_> = placement.iter().map(|memory| put(*memory)).collect();
        program.compile(&puts, machine.wide_multiply, machine.shared_per_block, marks)
    };
    let trace = compile(&vec![Memory::Global; program.data.len()], false).expect("no tile");
    let contents = Contents { kernels: vec![Arc::new(trace)], ..Contents::default() };
    let widths: Vec<u64> = program.data.iter().map(|data| data.width).collect();
    let elements: Vec<u64> = program.data.iter().map(|data| data.element).collect();
    let mut rows = Vec::new();
    let every = predicted(&contents, None);
    for placement in every.keys().step_by(every.len().div_ceil(MOST)) {
        let by_array: BTreeMap<String, String> = placement.iter().cloned().collect();
        let memories: Vec<Memory> =
            program.data.iter().map(|data| Memory::named(&by_array[data.name]).expect("a memory")).collect();
        let puts: Vec<_> = memories.iter().map(|memory| put(*memory)).collect();
        let Some(trace) = compile(&memories, true) else { continue };
        let ns = cycles(&gpu, &trace, &puts, &widths, &elements) as f64 / machine.clock_ghz;
        rows.push((by_array, ns / 1e3));
    }
    Timed { contents, rows }
}

/// The microseconds that the model predicts for every placement of the only kernel.
fn predicted(contents: &Contents, overlap: Option<OverlapFile>) -> BTreeMap<Vec<(String, String)>, f64> {
    let request = PlacementRequest { gpu: GPU.into(), top: 1000, overlap, ..PlacementRequest::default() };
    let report = PlacementRun::new(request, contents).expect("a kernel with arrays").finish();
    report.ranking.into_iter().map(|row| (row.placement.into_iter().collect(), row.microseconds)).collect()
}

/// The mean relative error of the predictions for `rows`.
fn error(timed: &Timed, rows: &[usize], overlap: Option<OverlapFile>) -> f64 {
    let predicted = predicted(&timed.contents, overlap);
    let of = |&row: &usize| {
        let (placement, time) = &timed.rows[row];
        (predicted[&placement.clone().into_iter().collect::<Vec<_>>()] / time - 1.0).abs()
    };
    rows.iter().map(of).sum::<f64>() / rows.len() as f64
}

#[test]
fn training_on_half_of_the_placements_helps_on_the_other_half() {
    let programs = families::training(0);
    let list: Vec<Timed> =
        programs.iter().filter(|program| KERNELS.contains(&program.name.as_str())).map(timed).collect();
    assert_eq!(list.len(), KERNELS.len());
    let (mut csv, mut lines) = (String::from("kernel,placement,time_us\n"), 0);
    for timed in &list {
        for (placement, time) in timed.rows.iter().step_by(2) {
            let placement: Vec<String> = placement.iter().map(|(array, memory)| format!("{array}={memory}")).collect();
            csv += &format!("{},{},{time}\n", timed.contents.kernels[0].name, placement.join(" "));
            lines += 1;
        }
    }
    let mut together = Contents::default();
    together.kernels.extend(list.iter().flat_map(|timed| timed.contents.kernels.clone()));
    let request = PlacementRequest { gpu: GPU.into(), ..PlacementRequest::default() };
    let file = retrain("times.csv", csv.as_bytes(), &together, &request).expect("enough rows");
    assert_eq!((file.rows, file.kernels, file.gpu.as_str()), (lines, list.len(), GPU));
    assert!(file.provenance.contains("times.csv"));
    let text = serde_json::to_string(&file).expect("plain data");
    assert_eq!(OverlapFile::read("mine.json", text.as_bytes()).as_ref(), Ok(&file));
    let (mut before, mut after) = (0.0, 0.0);
    for timed in &list {
        let unseen: Vec<usize> = (1..timed.rows.len()).step_by(2).collect();
        let (a, b) = (error(timed, &unseen, None), error(timed, &unseen, Some(file.clone())));
        println!("{} {a} {b}", timed.contents.kernels[0].name);
        before += a;
        after += b;
    }
    assert!(after < before, "{after} {before}");
}
