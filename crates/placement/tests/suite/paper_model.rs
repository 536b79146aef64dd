//! The printed model on traces whose terms are worked by hand, on the K80 with its printed service times and mapping.

use crate::recorder::Recorder;
use gpu::preset;
use placement::Memory::{Constant, Global, Shared, Texture1d};
use placement::*;
use std::sync::Arc;
use trace::Trace;

fn predict(trace: &Trace, settings: Settings, placement: &[Memory]) -> Prediction {
    let machine = Machine::from_topology(&preset("k80").expect("a preset"));
    assert!(machine.measured.known, "its memory was measured");
    let mut kernel = PlacementKernel::new(trace, &machine).expect("a kernel with arrays");
    kernel.keep_layout(trace);
    let sample = vec![Global; kernel.arrays.len()];
    Evaluator::new(Arc::new(kernel), Arc::new(machine), settings, sample).predict(placement)
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-6 * expected.abs().max(1.0), "{found}, by hand {expected}");
}

/// One warp loads four lines of an array, each after 399 other instructions.
fn chain() -> Trace {
    let mut r = Recorder::new("chain", (1, 1), (32, 1));
    let a = r.array("a", 128, 4);
    r.run(|warp| {
        for k in 0..4 {
            warp.compute(399);
            warp.load(a, |t| Some(t.x + 32 * k));
        }
    })
}

/// DRAM_lat of the chain in ns. Address bit 7 names the bank, so lines 0 and 2 are in one bank and 1 and 3 in another.
/// Both banks see a row miss and, 800 instructions later, a hit in the same row: 742 and 352 ns, τs 547, σs 195,
/// cs 195 / 547. One gap has no deviation, ca = 0. An instruction takes EIT 9 (N = 1) at 0.875 GHz: τa = 800 × 9 / 0.875 =
/// 8228.571 ns; ρ = 547 / 8228.571; wait cs / 2 × ρ / (1 − ρ) × τa = 104.44 ns.
fn dram_ns() -> f64 {
    let (gap, service) = (7200.0 / 0.875, 547.0);
    let rho = service / gap;
    195.0 / 547.0 / 2.0 * (rho / (1.0 - rho)) * gap + service
}

fn measured(cycles: f64) -> Settings {
    let sample = SampleCounters { cycles: Some(cycles), ..SampleCounters::default() };
    Settings::paper(PaperSettings { sample, ..PaperSettings::default() })
}

#[test]
fn the_sample_by_hand() {
    let found = predict(&chain(), measured(15_000.0), &[Global]);
    let dram = dram_ns() * 0.875;
    assert!((dram - 570.0).abs() < 0.1, "{dram}");
    // 1,600 instructions of 9 cycles.
    near(found.comp, 14_400.0);
    near(found.memory_latency, dram);
    // All four requests miss: AMAT = DRAM_lat + 223. One warp, so nothing is served at once: 4 × AMAT.
    near(found.amat, dram + 223.0);
    near(found.mem, 4.0 * (dram + 223.0));
    // The sample is predicted as it was measured, and the overlap is what equation 1 leaves.
    near(found.cycles, 15_000.0);
    near(found.overlap, 14_400.0 + 4.0 * (dram + 223.0) - 15_000.0);
    assert_eq!(found.cycles, equations::total(found.comp, found.mem, found.overlap));
}

#[test]
fn targets_by_hand() {
    let mem = 4.0 * (dram_ns() * 0.875 + 223.0);
    let ratio = (14_400.0 + mem - 15_000.0) / mem;
    // A texture saves two address instructions a load: 1,592 × 9. Misses and banks stay.
    let texture = predict(&chain(), measured(15_000.0), &[Texture1d]);
    near(texture.comp, 14_328.0);
    near(texture.mem, mem);
    near(texture.cycles, 14_328.0 + mem * (1.0 - ratio));
    // Constant memory saves one. 32 different words are 31 replays (3), and two missing lines of 64 bytes two replays (2).
    // 1,600 − 4 + 4 × 33 = 1,728. There are 128 requests; the four lines of 128 bytes come in two pairs, to the same
    // banks at the same distance: miss ratio 4 / 128.
    let constant = predict(&chain(), measured(15_000.0), &[Constant]);
    assert_eq!(constant.traffic.replays, [0, 8, 124, 0]);
    near(constant.comp, 1_728.0 * 9.0);
    let amat = dram_ns() * 0.875 * 4.0 / 128.0 + 223.0;
    near(constant.mem, 128.0 * amat);
    near(constant.cycles, 15_552.0 + 128.0 * amat * (1.0 - ratio));
    // A load of 32 floats in a row moves 128 bytes, so (1) gives no replay, and no two lanes share a bank. The copy moves
    // 512 bytes at 240 GB/s: 512 × 0.875 / 240 cycles.
    let shared = predict(&chain(), measured(15_000.0), &[Shared]);
    near(shared.comp, (1_600.0 - 4.0) * 9.0);
    near(shared.paper.expect("terms").copy, 512.0 * 0.875 / 240.0);
    // Nothing goes to memory: AMAT = 223 + 47, also for shared requests, as printed.
    near(shared.amat, 270.0);
    near(shared.cycles, 14_364.0 + shared.paper.expect("terms").copy + 4.0 * 270.0 * (1.0 - ratio));
}

#[test]
fn counters_of_the_sample_hold_what_the_trace_cannot_know() {
    // 1,650 instructions were executed and 1,700 issued: 50 replays by causes (5) to (10). Constant memory adds 132 by (2)
    // and (3), and saves 4 for addresses: 1,650 − 4 + 50 + 132 = 1,828.
    let sample = SampleCounters { cycles: Some(15_000.0), executed: Some(1_650.0), issued: Some(1_700.0) };
    let settings = Settings::paper(PaperSettings { sample, ..PaperSettings::default() });
    near(predict(&chain(), settings.clone(), &[Constant]).comp, 1_828.0 * 9.0);
    near(predict(&chain(), settings.clone(), &[Global]).comp, 1_700.0 * 9.0);
    // The ablation of counting takes the executed instructions.
    near(predict(&chain(), Settings { counting: false, ..settings }, &[Constant]).comp, 1_650.0 * 9.0);
}

#[test]
fn trained_coefficients_by_hand() {
    // Ratio = 0.2 × L2 misses (4 / 4) + 0.4 × global requests (4 / 4) + 3.2 × 1 / 64 warps + 0.05 = 0.7.
    let mut events = [0.0; EVENTS.len()];
    (events[0], events[1], events[10]) = (0.2, 0.4, 3.2);
    let coefficients = Coefficients { events, constant: 0.05 };
    let with = |overlap| Settings::paper(PaperSettings { overlap, ..measured(15_000.0).paper.expect("settings") });
    let trained = predict(&chain(), with(PaperOverlap::Trained(coefficients.clone())), &[Global]);
    near(trained.paper.expect("terms").ratio, 0.7);
    near(trained.overlap, 0.7 * trained.mem);
    // Of the difference to the sample, a texture has no global requests: −0.4.
    let texture = predict(&chain(), with(PaperOverlap::SampleAndTrained(coefficients)), &[Texture1d]);
    let mem = 4.0 * (dram_ns() * 0.875 + 223.0);
    near(texture.paper.expect("terms").ratio, (14_400.0 + mem - 15_000.0) / mem - 0.4);
}

/// With a cycle per instruction, requests to a bank are 800 cycles apart: τa = 800 / 0.875 ns.
#[test]
fn the_unit_of_arrivals_by_hand() {
    let paper = PaperSettings { arrivals: Arrivals::Cycle, ..measured(15_000.0).paper.expect("settings") };
    let found = predict(&chain(), Settings::paper(paper), &[Global]);
    let (gap, service) = (800.0 / 0.875, 547.0);
    let rho: f64 = service / gap;
    near(found.memory_latency, (195.0 / 547.0 / 2.0 * (rho / (1.0 - rho)) * gap + service) * 0.875);
}

#[test]
fn barriers_by_hand() {
    let builder = |barriers: u32| {
        let mut r = Recorder::new("barriers", (1, 1), (32, 1));
        let a = r.array("a", 128, 4);
        r.run(|warp| {
            warp.load(a, |t| Some(t.x));
            (0..barriers).for_each(|_| warp.barrier());
            warp.compute(3 - barriers);
        })
    };
    let of = |barriers, gamma| {
        let paper = PaperSettings { gamma, ..measured(1000.0).paper.expect("settings") };
        predict(&builder(barriers), Settings::paper(paper), &[Global]).paper.expect("terms").serial
    };
    // One warp, two barriers, Γ = 64, 339 cycles of DRAM, one of four instructions loads: 2 × 64 × 339 / 4 = 10,848.
    assert_eq!(of(2, 64.0), [10_848.0, 0.0]);
    assert_eq!((of(2, 0.0), of(0, 64.0)), ([0.0; 2], [0.0; 2]));
}

#[test]
fn static_constants() {
    let machine = Machine::from_topology(&preset("k80").expect("a preset"));
    let mut r = Recorder::new("constants", (1, 1), (32, 1));
    let a = r.array("a", 15_000, 4);
    let trace = r.run(|warp| warp.load(a, |t| Some(t.x)));
    let mut kernel = PlacementKernel::new(&trace, &machine).expect("a kernel");
    assert_eq!(too_much(&kernel, &[Constant], &machine), None, "60,000 of 65,536 bytes");
    kernel.static_constants = 6_000;
    let said = too_much(&kernel, &[Constant], &machine).expect("too much");
    assert_eq!(said, "60000 bytes of constant memory, there are 65536, less the module's own 6000");
}

/// Where a bank has more than it can serve, the wait is bounded by what can be outstanding, and T stays finite.
#[test]
fn an_overloaded_bank_is_bounded_by_what_is_outstanding() {
    let mut r = Recorder::new("flood", (1, 1), (32, 1));
    let a = r.array("a", 1 << 12, 4);
    let trace = r.run(|warp| (0..128).for_each(|k| warp.load(a, |t| Some(t.x + 32 * k))));
    let found = predict(&trace, measured(100_000.0), &[Global]);
    assert!(found.banks.saturated > 0);
    // A warp has 16 loads outstanding, half of them at each of the two banks: no wait is above 8 service times.
    for bank in found.banks.banks.iter().filter(|bank| bank.requests > 0) {
        assert!(bank.wait_ns <= 8.0 * bank.moments.service + 1e-9, "{bank:?}");
    }
    assert!(found.cycles.is_finite());
}
