//! Equation 11 trained on times of hardware: measured placements of five kernels on an A100, an RTX 3080 and an RTX 2060.
//!
//! Each launch is predicted from the measured time of its variant with all operands in global memory. Whole kernels are
//! left out of the training in turn. No number of the model is fitted to these times. The GPUs are not the paper's, so
//! their row latencies and mappings are those that our own model assumes, and nobody published the counters.
//!
//! `HARDWARE=all cargo test --release -p lab --test suite trained_on_hardware -- --nocapture` takes all launches.

use crate::placement_hardware::{convolution, small, traced, Group};
use gpu::preset;
use placement::{train, Evaluator, Machine, Memory, Observation, PaperSettings, PlacementKernel, Settings, Training};
use std::sync::Arc;
use testkit::sample_data;

/// The observations of a launch.
fn observe(kernel: &str, number: usize, group: &Group) -> Vec<Observation> {
    let (trace, topology) = (traced(group), preset(group.gpu).expect("a preset"));
    let machine = Machine::from_topology(&topology);
    let per_ms = 1e6 * machine.clock_ghz / group.scale;
    let mut placed = PlacementKernel::new(&trace, &machine).expect("arrays");
    placed.keep_layout(&trace);
    let names: Vec<String> = placed.arrays.iter().map(|array| array.name.clone()).collect();
    let from = vec![Memory::Global; names.len()];
    let settings = Settings::paper(PaperSettings::default());
    let mut evaluator = Evaluator::new(Arc::new(placed), Arc::new(machine), settings, from.clone());
    let mut observations = Vec::new();
    for (moves, ms) in &group.variants {
        let mut to = from.clone();
        for (array, memory) in moves {
            to[names.iter().position(|name| name == array).expect("an array")] = *memory;
        }
        let prediction = evaluator.predict(&to);
        observations.extend(Observation::new((kernel, number), moves.is_empty(), &prediction, ms * per_ms));
    }
    observations
}

fn percent(training: &Training) -> [[f64; 3]; 2] {
    training.errors.map(|of| [of.untrained, of.trained, of.sample_and_trained].map(|error| 100.0 * error))
}

#[test]
fn trained_on_hardware() {
    if sample_data("hardware/placement_convolution_a100.csv").is_none() {
        return;
    }
    let all = std::env::var("HARDWARE").is_ok_and(|value| value == "all");
    let mut kernels = vec![("convolution", convolution(), 64)];
    kernels.extend(["conv1D", "conv2D", "matmul", "matvec"].map(|kernel| (kernel, small(kernel), 12)));
    let mut rows = Vec::new();
    for (kernel, groups, every) in &kernels {
        let chosen = groups.iter().step_by(if all { 1 } else { *every }).enumerate();
        rows.extend(chosen.flat_map(|(number, group)| observe(kernel, number, group)));
    }
    let training = train(&rows).expect("enough rows");
    println!("{} times of {} kernels, left out in turn", training.size.0, training.size.1);
    for (rule, [untrained, trained, both]) in ["least squares", "ridge"].iter().zip(percent(&training)) {
        println!(
            "  {rule}: untrained {untrained:.1} %, equation 11 {trained:.1} %, sample and equation 11 {both:.1} %"
        );
    }
    assert_eq!(training.size.1, kernels.len(), "each kernel has launches with several variants");
    for [untrained, trained, both] in percent(&training) {
        assert!([untrained, trained, both].iter().all(|error| error.is_finite()), "{untrained} {trained} {both}");
    }
}
