//! The peak memory of reading. It stays below three times the canonical trace for each order of lines, compressed or
//! not. It stays bounded for frames that were made to exceed it. The model `gpu` takes a bounded amount beside the trace.
//!
//! This is a program of its own because its allocator counts.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros)] // tests read files and print

use base::{Job, Random};
use flate2::{write::GzEncoder, Compression};
use lab::{
    run_estimate, run_estimate_above, CacheModel, Contents, CudaOptions, CudaSettings, Intake, LaunchState, Scenario,
    ScenarioRun,
};
use std::io::Write;
use testkit::{live_bytes, peak_bytes, Counting};
use trace::{FileContent, FileReader};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Writes a file piece by piece into a callback.
type Writer<'a> = &'a dyn Fn(&mut dyn FnMut(&str));

/// Reads the pieces that `write` produces, compressed if `packed`. Gives the length of the text, too.
fn read(name: &str, packed: bool, write: Writer) -> (FileContent, usize) {
    let mut reader = FileReader::new(name);
    let mut text = 0;
    let mut encoder = packed.then(|| GzEncoder::new(Vec::new(), Compression::fast()));
    write(&mut |piece| {
        text += piece.len();
        match &mut encoder {
            None => reader.push_bytes(piece.as_bytes()),
            Some(encoder) => {
                encoder.write_all(piece.as_bytes()).expect("a vector takes everything");
                reader.push_bytes(encoder.get_ref());
                encoder.get_mut().clear();
            }
        }
    });
    if let Some(encoder) = encoder {
        reader.push_bytes(&encoder.finish().expect("a vector takes everything"));
    }
    (reader.finish(), text)
}

/// Reads the pieces that `write` produces. Compares the growth of memory at the peak with the canonical trace.
fn measure(name: &str, write: Writer) {
    // Compressed input takes this test longer than reading, so one format stands for all.
    for packed in [false, true].into_iter().filter(|packed| !packed || name == "k.traceg") {
        let before = live_bytes();
        let ((content, text), peak) = peak_bytes(|| read(name, packed, write));
        let peak = peak - before;
        assert!(content.diagnostics.is_empty(), "{:?}", content.diagnostics);
        let trace = content.heap_bytes() as usize;
        println!(
            "{name}{}: text {:.1} MB, trace {:.2} MB, peak {:.2} MB = {:.2} times the trace",
            if packed { ", gzipped" } else { "" },
            text as f64 / 1e6,
            trace as f64 / 1e6,
            peak as f64 / 1e6,
            peak as f64 / trace as f64
        );
        // The margin holds windows, the unfinished line and the decoder's tables.
        assert!(peak < 3 * trace + (2 << 20), "{name}: {peak} for {trace}");
    }
}

/// Returns a zstd frame of one block whose sequences each copy 64 KiB and more. Its 120 kB would expand to 4 GB. A
/// block may hold 128 KiB (RFC 8878, section 3.1.1.2.4). No compressor exceeds this, but the fields of the format do
/// not prevent it.
fn crafted_frame() -> Vec<u8> {
    let sequences = 60_000u32;
    // The literals are one repeated byte, as many as there are sequences (type 1, size format 3).
    let mut block = (1 | 3 << 2 | sequences << 4).to_le_bytes()[..3].to_vec();
    block.push(b'0');
    // The number of sequences takes three bytes. Then follow codes that hold for all sequences: a literal, the last
    // offset, and a match of 65,539 bytes plus 16 extra bits.
    block.push(0xff);
    block.extend_from_slice(&((sequences - 0x7f00) as u16).to_le_bytes());
    block.extend_from_slice(&[0b0101_0100, 1, 0, 52]);
    block.resize(block.len() + 2 * sequences as usize, 0);
    block.push(1);
    let header = (block.len() as u32) << 3 | 2 << 1 | 1;
    // The frame has no checksum, no content size, and a window of 128 MiB.
    let mut frame = b"\x28\xb5\x2f\xfd\0\x88".to_vec();
    frame.extend_from_slice(&header.to_le_bytes()[..3]);
    frame.extend(block);
    frame
}

/// Frames that no compressor writes, alone and in a row, are refused in the memory of one window.
fn hostile_frames() {
    let crafted = crafted_frame();
    let tiny = b"\x28\xb5\x2f\xfd\0\x88\x0b\0\0x";
    for (what, bytes) in [("one", crafted.clone()), ("ten", crafted.repeat(10)), ("windows", tiny.repeat(1000))] {
        let before = live_bytes();
        let (content, peak) = peak_bytes(|| {
            let mut reader = FileReader::new("crafted.zst");
            bytes.chunks(1 << 16).for_each(|chunk| reader.push_bytes(chunk));
            reader.finish()
        });
        let peak = peak - before;
        println!("hostile zstd, {what}: peak {:.1} MB", peak as f64 / 1e6);
        assert!(peak < (128 << 20) + (16 << 20), "{what}: {peak}");
        if what != "windows" {
            let told = content.diagnostics.iter().map(ToString::to_string).collect::<Vec<_>>();
            assert!(told[0].starts_with("crafted.zst: error: expected a zstd stream with valid data"), "{told:?}");
        }
    }
}

/// Returns a kernel whose loads are random words of 16 MB, and one that reads 16 MB once in order.
fn two_kernels() -> Contents {
    let mut random = Random::new(3);
    let mut intake = Intake::default();
    for name in ["gather.trc", "walk.trc"] {
        intake.begin(name);
        intake.push(b"blocksize: 256 1 1\n");
        for k in 0..60u64 {
            for thread in 0..THREADS {
                let word = if name == "gather.trc" { random.below(1 << 22) } else { k * THREADS + thread };
                intake.push(format!("{thread} 0 {} 4\n", (1 << 30) + 4 * word).as_bytes());
            }
        }
    }
    intake.finish()
}

/// The estimate follows the memory of a real run for all settings that matter. The allocator counts a table and the
/// larger table that it grows into at once, and the system need not. The test therefore allows a margin.
fn estimates() {
    let before = live_bytes();
    let contents = two_kernels();
    let scenario = |gpu: &str, set: &[(&str, &str)]| Scenario {
        gpu: gpu.into(),
        set: set.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect(),
        ..Scenario::default()
    };
    let whole = |gpu, state| Scenario { model: CacheModel::Gpu, state, ..scenario(gpu, &[]) };
    let cases = [
        ("default", scenario("gtx470-16k", &[])),
        ("many cores", scenario("a100", &[])),
        ("small lines", scenario("gtx470-16k", &[("line_bytes", "32")])),
        ("many sets", scenario("gtx470-16k", &[("cache_bytes", "134217728")])),
        ("one core of many", scenario("a100", &[("core_limit", "1")])),
        ("warm", Scenario { warm: true, ..scenario("gtx470-16k", &[]) }),
        ("reference", Scenario { model: CacheModel::Reference, ..scenario("gtx470-16k", &[]) }),
        ("one kernel", Scenario { kernels: vec![2], ..scenario("gtx470-16k", &[]) }),
        ("whole GPU, small", whole("gtx1650", LaunchState::Cold)),
        ("whole GPU, large", whole("h100", LaunchState::Cold)),
        ("whole GPU, warm", whole("rtx3060", LaunchState::Warm)),
    ];
    for (what, scenario) in cases {
        let bytes = run_estimate(&scenario, &contents).expect("a scenario that can run");
        let above = |free: u64| run_estimate_above(free, &scenario, &contents).expect("a scenario that can run");
        assert_eq!([above(0), above(bytes - 1), above(bytes)], [Some(bytes), Some(bytes), None], "{what}");
        let estimate = bytes as f64;
        let run = || ScenarioRun::new(&scenario, &contents).expect("a scenario that can run").finish();
        let (report, peak) = peak_bytes(run);
        assert!(report.is_ok());
        let peak = (peak - before) as f64;
        println!(
            "{what}: peak {:.1} MB, estimate {:.1} MB, {:+.0} %",
            peak / 1e6,
            estimate / 1e6,
            100.0 * (estimate / peak - 1.0)
        );
        // Small runs take less than the 1 MB that every estimate has for reports and buffers.
        let near = (0.75..1.35).contains(&(estimate / peak)) || (estimate - peak).abs() < 1e6;
        assert!(near, "{what}: {estimate} for {peak}");
    }
}

/// The GPU with the most cores and the largest L2.
const GPUS: [&str; 1] = ["h100"];

/// The peaks of the model `gpu` beside the trace, with its report, for the matrix product with tiles of this size.
fn machine_peaks(n: u32) -> [usize; GPUS.len()] {
    let options = CudaOptions { sizes: vec![("n".into(), n.to_string())], ..CudaSettings::default().options() };
    let contents = Contents::of_example_with("matmul-tiled", &options).expect("an example");
    let trace: u64 = contents.kernels.iter().map(|trace| trace.heap_bytes() as u64).sum();
    assert!(trace > 0, "the trace is in memory");
    GPUS.map(|gpu| {
        let scenario = Scenario { gpu: gpu.into(), model: CacheModel::Gpu, ..Scenario::default() };
        let before = live_bytes();
        let run = || ScenarioRun::new(&scenario, &contents).expect("a scenario that can run").finish();
        let (report, peak) = peak_bytes(run);
        let peak = peak - before;
        assert!(report.is_ok());
        println!(
            "gpu {gpu}, matmul {n}: trace {:.1} MB, peak beside it {:.1} MB",
            trace as f64 / 1e6,
            peak as f64 / 1e6
        );
        peak
    })
}

/// The model `gpu` needs at most 64 MB beside the trace of a matrix product of 512×512 on all cores. Eight times the work
/// on the same cores takes hardly more.
fn machine_beside_its_trace() {
    let (small, large) = (machine_peaks(256), machine_peaks(512));
    for (gpu, (small, large)) in GPUS.iter().zip(small.into_iter().zip(large)) {
        assert!(large <= 64_000_000, "{gpu}: {large}");
        assert!(4 * large < 5 * small + (4 << 20), "{gpu}: {large} for eight times the work of {small}");
    }
}

const THREADS: u64 = 4096;

#[test]
fn peaks() {
    // All checks are in one test, because the allocator would count other tests too.
    hostile_frames();
    estimates();
    machine_beside_its_trace();
    let steps = 320;
    let address = |thread: u64, k: u64| 0x1000_0000 + if k % 8 == 7 { 4 * thread } else { 4 * (thread * 1024 + k) };
    let line = |thread: u64, k: u64| format!("{thread} {} {} 4\n", u8::from(k % 8 == 7), address(thread, k));
    measure("lockstep.trc", &|push| {
        push("blocksize: 256 1 1\n");
        (0..2 * steps).for_each(|k| (0..THREADS).for_each(|thread| push(&line(thread, k))));
    });
    measure("thread-after-thread.trc", &|push| {
        push("blocksize: 256 1 1\n");
        (0..THREADS).for_each(|thread| (0..steps).for_each(|k| push(&line(thread, k))));
    });
    measure("gather.trc", &|push| {
        let mut random = Random::new(1);
        push("blocksize: 256 1 1\n");
        (0..steps)
            .for_each(|_| (0..THREADS).for_each(|thread| push(&format!("{thread} 0 {} 4\n", random.below(1 << 30)))));
    });
    let instruction = |i: u64, warp: u64| {
        let (pc, base) = (16 * (i % 200), 0x7fb0_2d70_0000 + 4096 * i + 128 * warp);
        match i % 8 {
            3 => format!("{pc:04x} ffffffff 1 R25 LDG.E 1 R8 4 1 {base:#x} 4 0 0 \n"),
            5 => {
                let steps: String = (0..31).map(|k| format!("{} ", 4 + k * 64 % 252)).collect();
                format!("{pc:04x} ffffffff 1 R25 LDG.E.64 1 R8 8 2 {base:#x} {steps}0 0 \n")
            }
            _ => format!("{pc:04x} ffffffff 1 R10 FFMA 3 R24 R10 R9 0 0 0 \n"),
        }
    };
    let head = "-kernel name = k\n-grid dim = (250,1,1)\n-block dim = (256,1,1)\n-accelsim tracer version = 5\n";
    measure("k.traceg", &|push| {
        push(head);
        for block in 0..250 {
            push(&format!("#BEGIN_TB\nthread block = {block},0,0\n"));
            for warp in 0..8 {
                push(&format!("warp = {warp}\ninsts = 400\n"));
                (0..400).for_each(|i| push(&instruction(i, warp)));
            }
            push("#END_TB\n");
        }
    });
    measure("k.trace", &|push| {
        push(head);
        for i in 0..400 {
            (0..2000).for_each(|warp| push(&format!("{} 0 0 {} {}", warp / 8, warp % 8, instruction(i, warp))));
        }
    });
    measure("walk.lackey", &|push| {
        (0..2_500_000u64).for_each(|i| {
            push(&format!(" {} {:08x},8\n", if i % 3 == 0 { 'S' } else { 'L' }, 0x1ffe_0000 + 24 * (i * i % 4099)))
        });
    });
}
