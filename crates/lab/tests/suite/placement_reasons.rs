//! The reasons of placements do not contradict the times on the machine, on library kernels and three GPUs.

use base::Job;
use lab::{Contents, CudaSettings, PlacementReport, PlacementRequest, PlacementRow, PlacementRun};

const KERNELS: [&str; 9] = [
    "atax",
    "conv2d",
    "conv3d",
    "copy-offset",
    "copy-strided",
    "histogram-global",
    "matmul-naive",
    "matmul-tiled",
    "matvec-columns",
];

/// Three generations: caches, constant caches and shared memory differ.
const GPUS: [&str; 3] = ["gtx1080", "rtx3060", "a100"];

fn report(id: &str, gpu: &str) -> PlacementReport {
    let contents = Contents::of_example_with(id, &CudaSettings::default().options()).expect("an example");
    let request = PlacementRequest { gpu: gpu.into(), top: 64, ..PlacementRequest::default() };
    PlacementRun::new(request, &contents).expect("a kernel that can be placed").finish()
}

/// The direction of a change of a time: sentences have one digit of a percent, and smaller changes are none.
fn direction(ratio: f64) -> i32 {
    i32::from(ratio > 1.0005) - i32::from(ratio < 0.9995)
}

/// What a sentence says of the time. `None` if it does not know.
fn said(reason: &str) -> Option<i32> {
    let has = |word: &str| reason.contains(word);
    let found = [has(" saves "), has(" changes nothing "), has(" costs ")];
    match found {
        [true, false, false] => Some(-1),
        [false, true, false] => Some(0),
        [false, false, true] => Some(1),
        _ => {
            assert!(has(": unknown"), "{reason}");
            None
        }
    }
}

/// Every count that a sentence of the machine names changed in the direction of the time.
fn check_causes(reason: &str) {
    let way = said(reason).expect("a sentence of the machine");
    let numbers = reason.split(" → ").collect::<Vec<_>>();
    for pair in numbers.windows(2) {
        let before: f64 = pair[0].rsplit(' ').next().and_then(|text| text.parse().ok()).expect("a number");
        let after = pair[1].split([' ', ')']).next().and_then(|text| text.parse().ok()).expect("a number");
        assert!((before < after) == (way > 0) && before != after, "{reason}");
    }
}

/// Checks a placement that ran on the machine, with the time of the present one there. Returns how many reasons were of
/// the machine and how many of the equations.
fn check(row: &PlacementRow, sample: &PlacementRow) -> [usize; 2] {
    let (there, here) = (row.machine_microseconds.expect("it ran"), sample.machine_microseconds.expect("it ran"));
    let gain = direction(there / here);
    let moved = row.placement.iter().filter(|(array, memory)| sample.placement[*array] != **memory).count();
    assert_eq!(row.reasons.len(), moved + usize::from(moved > 1), "{row:?}");
    if let Some(first) = row.reasons.first() {
        assert!(first.contains(" on the whole GPU"), "all moves together, or the only one, ran: {first}");
        assert_eq!(said(first), Some(gain), "{first} for {here} and {there} µs");
    }
    let (machine, others): (Vec<&String>, Vec<&String>) =
        row.reasons.iter().partition(|reason| reason.contains(" on the whole GPU") && !reason.contains(": unknown"));
    machine.iter().for_each(|reason| check_causes(reason));
    for reason in &others {
        assert!(said(reason).is_none_or(|way| way == gain && reason.contains(" by the equations")), "{reason}: {gain}");
    }
    [machine.len(), others.len()]
}

/// Each move of a placement near the first one ran alone, and the placement ran without each of its moves.
fn check_worth_of_moves(near: &PlacementRow, report: &PlacementReport) {
    let sample = &report.sample.placement;
    let ran = |placement| {
        let row = report.ranking.iter().find(|row| row.placement == placement).expect("a legal placement");
        assert!(row.machine_microseconds.is_some(), "{placement:?} beside {:?}", near.placement);
    };
    for (array, memory) in near.placement.iter().filter(|(array, memory)| sample[*array] != **memory) {
        let (mut back, mut alone) = (near.placement.clone(), sample.clone());
        back.insert(array.clone(), sample[array].clone());
        alone.insert(array.clone(), memory.clone());
        [back, alone].into_iter().for_each(ran);
    }
    let of_machine = |reason: &String| reason.contains(" on the whole GPU") && !reason.contains(": unknown");
    assert!(near.reasons.iter().all(of_machine), "{:?}", near.reasons);
}

/// The fastest placement of `gesummv` is not among the eight after the best of the equations, nor a part of the fastest one of those.
#[test]
fn moves_of_a_placement_near_the_best_run_by_themselves() {
    let report = report("gesummv", "rtx2060");
    let first = &report.ranking[0];
    let placed = ["A", "B", "x", "y"].map(|array| first.placement[array].as_str());
    assert_eq!(placed, ["global", "texture1d", "constant", "global"]);
    assert!(first.machine_microseconds.is_some());
}

#[test]
fn no_reason_contradicts_the_time_on_the_machine() {
    let mut counts = [0, 0];
    // `PLACEMENTS=all` runs each kernel on each GPU.
    let all = std::env::var("PLACEMENTS").is_ok_and(|value| value == "all");
    let pairs =
        KERNELS.iter().enumerate().flat_map(|(i, id)| GPUS.iter().enumerate().map(move |(g, gpu)| (i, id, g, gpu)));
    for (_, id, _, gpu) in pairs.filter(|(i, _, g, _)| all || i % GPUS.len() == *g) {
        let report = report(id, gpu);
        let ran: Vec<&PlacementRow> = report.ranking.iter().filter(|row| row.machine_microseconds.is_some()).collect();
        let times: Vec<f64> = ran.iter().filter_map(|row| row.machine_microseconds).collect();
        assert!(times.len() > 1 && times.is_sorted(), "{id} on {gpu}: the ranking has the order of the machine");
        for near in ran.iter().zip(&times).filter(|(_, time)| **time <= times[0] * 1.05).map(|(row, _)| row) {
            check_worth_of_moves(near, &report);
        }
        for row in ran {
            let found = check(row, &report.sample);
            (counts[0], counts[1]) = (counts[0] + found[0], counts[1] + found[1]);
        }
    }
    println!("{} reasons of the machine, {} of the equations or unknown", counts[0], counts[1]);
    assert!(counts[0] > counts[1], "most reasons are of the machine: {counts:?}");
}
