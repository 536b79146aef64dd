//! Tests of the placement model against hand-worked counts.

use crate::recorder::Recorder;
use gpu::preset;
use placement::*;
use std::sync::Arc;
use trace::Trace;

fn machine(gpu: &str) -> Machine {
    Machine::from_topology(&preset(gpu).expect("a preset"))
}

fn predict(trace: &Trace, gpu: &str, settings: Settings, placement: &[Memory]) -> Prediction {
    let machine = machine(gpu);
    let kernel = PlacementKernel::new(trace, &machine).expect("a kernel with arrays");
    let sample = vec![Memory::Global; kernel.arrays.len()];
    Evaluator::new(Arc::new(kernel), Arc::new(machine), settings, sample).predict(placement)
}

/// y[i] = c[k] + sum over k of x[i + 64 k], one block of 64 threads, 8 rounds.
fn small() -> Trace {
    let mut r = Recorder::new("small", (1, 1), (64, 1));
    let x = r.array("x", 512, 4);
    let c = r.array("c", 8, 4);
    let y = r.array("y", 64, 4);
    r.run(|warp| {
        for k in 0..8 {
            warp.load(x, |t| Some(t.x + 64 * k));
            warp.load(c, |_| Some(k));
            warp.compute(2);
        }
        warp.store(y, |t| Some(t.x));
    })
}

use Memory::{Constant, Global, Shared, Texture1d, Texture2d};

#[test]
fn traffic_by_hand() {
    let all_global = predict(&small(), "a100", Settings::default(), &[Global, Global, Global]);
    let t = &all_global.traffic;
    // Two warps × 8 rounds: one line of x and one of c each, and a store per warp.
    assert_eq!((t.requests, t.stores), ([34, 0, 0, 0, 0], 2));
    // x has 16 lines at first touch. c has one line from memory, for which the other warp's load waits as well. The L1
    // serves the other 14 loads of c.
    assert_eq!(t.loads, [0, 0, 0, 14, 0, 0, 18]);
    // A warp's loads of c and x are in flight together, so each of the 16 pairs waits for x.
    assert_eq!(t.waits, [0, 0, 0, 0, 0, 0, 16]);
    assert_eq!((t.l1_misses, t.l2_misses), (17, 17));
    // The sectors are 64 for x, 1 for c and 8 for y. Written sectors stay in the L2, which holds all lines.
    assert_eq!((t.l2_sectors, t.memory_sectors), (73, 65));
    assert_eq!(t.replays, [0; 4]);

    let constant = predict(&small(), "a100", Settings::default(), &[Global, Constant, Global]);
    // One miss of the constant L1 fetches all 8 words. A miss is a replay (2), and every word is broadcast.
    assert_eq!((constant.traffic.constant_misses, constant.traffic.replays), (1, [0, 1, 0, 0]));
    assert_eq!(constant.traffic.requests, [18, 0, 0, 16, 0]);
    // The other warp's load of the first word waits for that line as well.
    assert_eq!(constant.traffic.loads[1], 14);

    let texture = predict(&small(), "k20c", Settings::default(), &[Texture1d, Global, Global]);
    assert_eq!((texture.traffic.texture_misses, texture.traffic.requests[1]), (16, 16));

    // With x in shared memory, a block copies its 512 floats once, in 16 moves of 5 instructions with one barrier per
    // warp.
    let shared = predict(&small(), "a100", Settings::default(), &[Shared, Global, Global]);
    assert_eq!(shared.traffic.copy_instructions, 80);
    assert_eq!(shared.traffic.loads[0], 16);
    assert_eq!(shared.traffic.requests[Shared as usize], 16 + 16);
}

#[test]
fn instructions_by_hand() {
    // 2 warps × (8 × (2 loads + 2) + 1) = 66 executed, one SM.
    let charged = Settings { see_hoisted: false, ..Settings::default() };
    let of = |placement: &[Memory]| predict(&small(), "k20c", charged.clone(), placement).instructions;
    assert_eq!(of(&[Global, Global, Global])[0], 66.0);
    // x is indexed as one row. A texture saves both address instructions of 16 loads, and constant memory saves one.
    assert_eq!(of(&[Texture1d, Global, Global])[1], -32.0);
    assert_eq!(of(&[Global, Constant, Global])[1], -16.0);
    assert_eq!(of(&[Texture1d, Constant, Global])[1], -48.0);
    // Ampere has IMAD.WIDE, so there is one instruction less to save.
    assert_eq!(predict(&small(), "a100", charged.clone(), &[Texture1d, Global, Global]).instructions[1], -16.0);
    // Two instructions lie before all loads of x but each warp's first, and none before those of c.
    let seen = |placement: &[Memory]| predict(&small(), "k20c", Settings::default(), placement).instructions[1];
    assert_eq!((seen(&[Texture1d, Global, Global]), seen(&[Global, Constant, Global])), (-28.0, 0.0));
    let off = Settings { counting: false, ..Settings::default() };
    assert_eq!(predict(&small(), "k20c", off, &[Texture1d, Global, Global]).instructions, [66.0, 0.0, 0.0, 0.0]);
}

fn printed() -> Settings {
    Settings::paper(PaperSettings::default())
}

/// One warp reads a column of a 64 × 64 matrix of floats.
fn column() -> Trace {
    let mut r = Recorder::new("column", (1, 1), (32, 1));
    let m = r.array("m", 4096, 4);
    r.run(|warp| {
        for column in 0..64 {
            warp.load(m, |t| Some(t.x * 64 + column));
        }
    })
}

#[test]
fn a_column_by_hand() {
    let of = |memory, settings: &Settings| predict(&column(), "k20c", settings.clone(), &[memory]).traffic;
    let model = Settings::default();
    // As segments, a load has 32 lines. As printed, 32 words are one transaction.
    assert_eq!(of(Global, &model).replays, [64 * 31, 0, 0, 0]);
    assert_eq!(of(Global, &printed()).replays, [0; 4]);
    // In the blocked layout a line has 8 × 4 elements, so a column of 32 has 8 lines.
    assert_eq!(of(Texture2d, &model).requests, [0, 0, 64 * 8, 0, 0]);
    // 32 different words of constant memory.
    assert_eq!(of(Constant, &model).replays[2], 64 * 31);
    // With a stride of 64 words, all lanes are in one bank.
    assert_eq!(of(Shared, &model).replays[3], 64 * 31);
}

#[test]
fn legality_with_reasons() {
    let mut r = Recorder::new("legal", (4, 1), (64, 1));
    let large = r.array("large", 40_000, 4);
    let small = r.array("small", 1000, 4);
    let tall = r.array("tall", 12_000, 4);
    let out = r.array("out", 256, 4);
    let sum = r.array("sum", 16, 4);
    let trace = r.run(|warp| {
        for k in 0..4 {
            warp.load(large, |t| Some((t.bx * 64 + t.x) * 40 + k));
            warp.load(small, |t| Some(t.x + k * 32));
            warp.load(tall, |t| Some(t.x * 180 + k));
        }
        warp.store(sum, |t| Some(t.x % 16));
        warp.store(out, |t| Some(t.bx * 64 + t.x));
        warp.store(out, |t| Some(t.bx * 64 + t.x));
    });
    let machine = machine("k20c");
    let kernel = PlacementKernel::new(&trace, &machine).expect("a kernel");
    let why = |array: usize, memory| forbidden(&kernel.arrays[array], memory, &machine);
    assert_eq!(why(0, Constant).as_deref(), Some("160000 bytes, constant memory has 65536"));
    assert_eq!(why(1, Constant), None);
    assert!(why(3, Texture1d).is_some_and(|reason| reason.contains("writes it")));
    assert!(why(4, Shared).is_some_and(|reason| reason.contains("several blocks")));
    assert!(why(0, Shared).is_some_and(|reason| reason.contains("without reuse")));
    assert_eq!(why(3, Shared), None, "each block writes a part of its own");
    assert!(Memory::ALL.iter().all(|&memory| why(1, memory).is_none()));
    // small and tall take 4,000 and 48,000 bytes of constant memory and fit together.
    let mut placement = vec![Global, Constant, Constant, Global, Global];
    assert_eq!(too_much(&kernel, &placement, &machine), None);
    placement[0] = Constant;
    assert!(too_much(&kernel, &placement, &machine).is_some());
    let amd = Machine::from_topology(&preset("mi210").expect("a preset"));
    assert!(forbidden(&kernel.arrays[1], Texture1d, &amd).is_some_and(|reason| reason.contains("no texture")));
}

#[test]
fn shared_memory_takes_residency() {
    // The A100 holds 32 blocks of 64 threads per SM and 164 KiB of shared memory, of which a block takes 1 KiB besides its own.
    let build = |elements: u64| {
        let mut r = Recorder::new("residency", (4, 1), (64, 1));
        let x = r.array("x", elements, 16);
        // Every block reads all of the array, so its tile is the whole array.
        let mut trace = r.run(|warp| {
            for k in (0..elements).step_by(64) {
                warp.load(x, |t| (k + t.x < elements).then_some(k + t.x));
            }
        });
        // A trace of some blocks of a launch that fills the GPU.
        trace.launch.grid.x = 108 * 32;
        trace
    };
    const KIB: u64 = 1024;
    // 41 KiB are more than a quarter of the 163 KiB of a block, so its tile holds one half of the rounds, 21 or 20 of 41.
    for (kib, tile, blocks) in [(2, 2, 32), (5, 5, 27), (6, 6, 23), (32, 32, 4), (40, 40, 4), (41, 21, 7)] {
        let machine = machine("a100");
        let kernel = PlacementKernel::new(&build(kib * KIB / 16), &machine).expect("a kernel");
        let e = Evaluator::new(Arc::new(kernel), Arc::new(machine), Settings::default(), vec![Global]);
        assert_eq!(e.residency(&[Global]), (32, 0));
        assert_eq!(e.residency(&[Shared]), (blocks, blocks * tile * KIB), "an array of {kib} KiB");
    }
}

#[test]
fn switches_change_what_they_name() {
    let trace = column();
    let of = |settings: Settings| predict(&trace, "k20c", settings, &[Global]);
    let base = of(Settings::default());
    let off = of(Settings { queueing: false, ..Settings::default() });
    assert_eq!(off.banks.wait_ns, 0.0);
    assert_ne!(base.memory_latency, off.memory_latency);
    let even = of(Settings { mapping: false, ..Settings::default() });
    let requests = |of: &Prediction| of.banks.banks.iter().map(|b| b.requests).collect::<Vec<_>>();
    // The 16 KiB of the matrix lie in ten of the 80 banks. Without the mapping, requests go to all banks in turn.
    let (mapped, in_turn) = (requests(&base), requests(&even));
    assert_eq!((mapped.len(), mapped.iter().filter(|&&n| n > 0).count()), (80, 10));
    let (all, banks) = (mapped.iter().sum::<u64>(), mapped.len() as u64);
    let share = |bank: u64| all / banks + u64::from(bank < all % banks);
    assert_eq!(in_turn, (0..banks).map(share).collect::<Vec<_>>());
    assert!(base.cycles >= base.comp.max(base.mem) - 1e-9);
    // The printed model is not the default one.
    assert_ne!(of(printed()).cycles, base.cycles);
}

#[test]
fn passes_by_hand() {
    // 32 lanes that each read the same 16 bytes touch one line, but move 512 bytes to registers.
    let mut r = Recorder::new("wide", (1, 1), (32, 1));
    let v = r.array("v", 64, 16);
    let trace = r.run(|warp| warp.load(v, |_| Some(3)));
    let of = |gpu, memory| predict(&trace, gpu, Settings::default(), &[memory]).traffic.passes;
    assert_eq!((of("a100", Global), of("a100", Texture1d)), (4, 4));
    // In shared memory, four quarters of a warp take a pass each, or two of them one. The copy of one sector adds a load
    // and a store.
    assert_eq!((of("a100", Shared), of("rtx2080ti", Shared)), (4 + 2, 2 + 2));
    // A column takes as many passes as lines, independently of the bytes.
    assert_eq!(predict(&column(), "k20c", Settings::default(), &[Global]).traffic.passes, 64 * 32);
}
