//! The speed of the text readers, beside a plain reader of the same bytes in the same run.
//!
//! The plain reader is the obvious implementation: `str::lines`, `split_whitespace`, `parse`, and a vector of addresses
//! per instruction. It builds no warps and checks nothing, so the ratio favours it.
//!
//! `--write FOLDER` writes the generated inputs to a folder instead. `--time FILE…` reads files and prints a line of
//! JSON for each, which `scripts/bench/wasm-parse.mjs` compares with the wasm build.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros)] // tests read files and print

// The macros of criterion make public functions without a comment.
#![allow(missing_docs)]

use criterion::{criterion_group, Criterion, Throughput};
use lab::Intake;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;
use trace::{FileContent, FileReader};
use xz4rust::XzDecoder;

/// Returns about 16 MB of a matrix-vector product, interleaved by thread.
fn trc() -> String {
    let mut text = String::from("blocksize: 256 1 1\n");
    for k in 0..256u64 {
        for thread in 0..4096u64 {
            let address = if k % 8 == 7 { 0x4000_0000 + 4 * thread } else { 0x1000_0000 + 4 * (thread * 1024 + k) };
            text += &format!("{thread} {} {address} 4\n", u8::from(k % 8 == 7));
        }
    }
    text
}

/// Returns about 16 MB of arithmetic, strided, delta and list accesses in the mix of real traces.
fn traceg() -> String {
    let mut text = String::from(
        "-kernel name = k\n-grid dim = (64,1,1)\n-block dim = (256,1,1)\n-shmem = 0\n-nregs = 32\n\
         -accelsim tracer version = 5\n-enable lineinfo = 0\n",
    );
    for block in 0..64 {
        text += &format!("#BEGIN_TB\n\nthread block = {block},0,0\n");
        for warp in 0..8u64 {
            text += &format!("\nwarp = {warp}\ninsts = 800\n");
            for i in 0..800u64 {
                let (pc, base) = (16 * (i % 200), 0x7fb0_2d70_0000 + 4096 * i + 128 * warp);
                text += &match i % 16 {
                    3 => format!("{pc:04x} ffffffff 1 R25 LDG.E 1 R8 4 1 {base:#x} 4 0 0 \n"),
                    7 => format!("{pc:04x} ffffffff 1 R5 LDS.U.32 1 R5 4 1 {:#x} 4 0 0 \n", 128 * warp),
                    11 => {
                        let steps: String = (0..31).map(|k| format!("{} ", 4 + k * 64 % 252)).collect();
                        format!("{pc:04x} ffffffff 1 R25 LDG.E.64 1 R8 8 2 {base:#x} {steps}0 0 \n")
                    }
                    15 => {
                        let list: String = (0..32).map(|k| format!("{:#018x} ", base + k * 7 % 32 * 512)).collect();
                        format!("{pc:04x} ffffffff 0 STG.E 2 R8 R9 4 0 {list}0 0 \n")
                    }
                    _ => format!("{pc:04x} ffffffff 1 R10 FFMA 3 R24 R10 R9 0 0 0 \n"),
                };
            }
        }
        text += "\n#END_TB\n";
    }
    text
}

/// Returns about 16 MB of the same instructions as [`traceg`], with block and warp on each line and warps mixed.
fn raw() -> String {
    let grouped = traceg();
    let head = grouped.split("#BEGIN_TB").next().unwrap_or_default();
    let lines: Vec<&str> = grouped.lines().filter(|line| line.contains(" R") && !line.starts_with('-')).collect();
    let mut text = head.to_string();
    for i in 0..lines.len() {
        let warp = i % 512;
        let line = lines[(i / 512 + warp * 800) % lines.len()];
        text += &format!("{} 0 0 {} {line}\n", warp / 8, warp % 8);
    }
    text
}

/// Returns about 16 MB of loops over arrays with a stack beside them.
fn lackey() -> String {
    let mut text = String::new();
    for i in 0..450_000u64 {
        text += &format!("I  {:08x},4\n L {:08x},8\n", 0x0040_1000 + 4 * (i % 64), 0x04a2_0000 + 8 * (i % 100_000));
        if i % 4 == 0 {
            text += &format!(" S {:09x},8\n", 0x1_ffef_f000 - 8 * (i % 40));
        }
    }
    text
}

/// Returns about 16 MB with names of columns.
fn csv() -> String {
    let mut text = String::from("time,rw,address,size\n");
    for i in 0..500_000u64 {
        let kind = if i % 4 == 0 { 'W' } else { 'R' };
        text += &format!("{i},{kind},{:#x},8\n", 0x7f00_0000_0000 + 64 * (i * 7919 % 100_003));
    }
    text
}

fn plain_stream(text: &str) -> Vec<(char, u64, u64)> {
    let access = |line: &str| {
        let (kind, rest) = line.trim_start().split_once(char::is_whitespace)?;
        let (address, bytes) = rest.trim().split_once(',')?;
        Some((kind.chars().next()?, u64::from_str_radix(address, 16).ok()?, bytes.parse().ok()?))
    };
    text.lines().filter_map(access).collect()
}

fn plain_csv(text: &str) -> Vec<(char, u64, u64)> {
    let access = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        let address = u64::from_str_radix(fields[2].strip_prefix("0x")?, 16).ok()?;
        Some((fields[1].chars().next()?, address, fields[3].parse().ok()?))
    };
    text.lines().filter_map(access).collect()
}

fn ours(name: &str, text: &str) -> FileContent {
    let mut reader = FileReader::new(name);
    text.as_bytes().chunks(1 << 20).for_each(|chunk| reader.push_bytes(chunk));
    reader.finish()
}

fn plain_trc(text: &str) -> Vec<[u64; 4]> {
    let field = |word: Option<&str>| word.and_then(|w| w.parse().ok()).unwrap_or(0);
    text.lines()
        .skip(1)
        .map(|line| {
            let mut words = line.split_whitespace();
            std::array::from_fn(|_| field(words.next()))
        })
        .collect()
}

fn plain_traceg(text: &str) -> Vec<(u64, u32, String, Vec<u64>)> {
    let hex = |word: &str| u64::from_str_radix(word.trim_start_matches("0x"), 16).unwrap_or(0);
    let mut out = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.len() < 6 || line.starts_with(['-', '#']) || words[1] == "=" {
            continue;
        }
        let mask = hex(words[1]) as u32;
        let destinations: usize = words[2].parse().unwrap_or(0);
        let opcode = words[3 + destinations].to_string();
        let sources: usize = words[4 + destinations].parse().unwrap_or(0);
        let rest = &words[5 + destinations + sources..];
        let (mut addresses, lanes) = (Vec::new(), mask.count_ones() as usize);
        if rest[0] != "0" {
            let step = |i: usize| rest[i].parse::<i64>().unwrap_or(0) as u64;
            for i in 0..lanes {
                addresses.push(match (rest[1], i) {
                    ("0", _) => hex(rest[2 + i]),
                    (_, 0) => hex(rest[2]),
                    ("1", _) => addresses[i - 1] + step(3),
                    _ => u64::wrapping_add(addresses[i - 1], step(2 + i)),
                });
            }
        }
        out.push((hex(words[0]), mask, opcode, addresses));
    }
    out
}

/// Reads a sample of the project's own, or one that lies beside the checkout if it is there.
fn sample(path: &str) -> Option<String> {
    let path = testkit::root().join(path);
    let bytes = std::fs::read(&path).ok()?;
    if path.extension().is_some_and(|e| e == "xz") {
        let (mut decoder, mut packed, mut piece, mut text) =
            (XzDecoder::in_heap(), &bytes[..], vec![0; 1 << 16], vec![]);
        while !packed.is_empty() {
            let done = decoder.decode(packed, &mut piece).ok()?;
            text.extend_from_slice(&piece[..done.output_produced()]);
            packed = &packed[done.input_consumed()..];
        }
        return String::from_utf8(text).ok();
    }
    if path.extension().is_some_and(|e| e == "gz") {
        let mut decoder = flate2::write::GzDecoder::new(Vec::new());
        std::io::Write::write_all(&mut decoder, &bytes).ok()?;
        return String::from_utf8(decoder.finish().ok()?).ok();
    }
    String::from_utf8(bytes).ok()
}

fn generated() -> [(&'static str, String); 5] {
    [("a.trc", trc()), ("k.traceg", traceg()), ("k.trace", raw()), ("a.lackey", lackey()), ("a.csv", csv())]
}

fn bench(c: &mut Criterion) {
    let mut inputs: Vec<_> = generated().into_iter().map(|(name, text)| ("generated", name, text)).collect();
    for path in [
        "tests/data/oracle/fig3_128.trc.xz",
        "tests/data/oracle/gemm.trc.xz",
        "../shared/data/traceg/matrixmul/kernel-1.traceg",
        "../shared/data/traceg/bfs/kernel-7.traceg.gz",
    ] {
        match sample(path) {
            Some(text) => inputs.push((path, if path.contains(".trc") { "a.trc" } else { "k.traceg" }, text)),
            None => println!("skipped: no {path}"),
        }
    }
    for (label, name, text) in &inputs {
        let mut group = c.benchmark_group(format!("{label} {name}"));
        group.sample_size(10).throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function("ours", |b| b.iter(|| black_box(ours(name, text))));
        match *name {
            "a.lackey" => group.bench_function("plain", |b| b.iter(|| black_box(plain_stream(text)))),
            "a.csv" => group.bench_function("plain", |b| b.iter(|| black_box(plain_csv(text)))),
            "k.trace" => &mut group,
            "a.trc" => group.bench_function("plain", |b| b.iter(|| black_box(plain_trc(text)))),
            _ => group.bench_function("plain", |b| b.iter(|| black_box(plain_traceg(text)))),
        };
        group.finish();
    }
}

/// The number of bytes that are read at a time, as in the program.
const CHUNK: usize = 1 << 18;
const ROUNDS: usize = 5;

/// Returns the least time of a few readings, in seconds.
fn least(mut read: impl FnMut()) -> f64 {
    let mut timed = || {
        let began = Instant::now();
        read();
        began.elapsed().as_secs_f64()
    };
    (0..ROUNDS).map(|_| timed()).fold(f64::INFINITY, f64::min)
}

/// Prints the seconds that a file takes with the reader alone, and with its SHA-256.
fn time(path: &str) -> std::io::Result<()> {
    let bytes = std::fs::read(path)?;
    let parse = least(|| {
        let mut reader = FileReader::new(path);
        bytes.chunks(CHUNK).for_each(|chunk| reader.push_bytes(chunk));
        black_box(reader.finish());
    });
    let hashed = least(|| {
        let mut intake = Intake::default();
        intake.begin(path);
        bytes.chunks(CHUNK).for_each(|chunk| intake.push(chunk));
        intake.end();
        black_box(intake);
    });
    println!("{{\"bytes\":{},\"parse_s\":{parse},\"hashed_s\":{hashed}}}", bytes.len());
    Ok(())
}

criterion_group!(benches, bench);

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.split_first() {
        Some((option, files)) if option == "--time" => files.iter().try_for_each(|file| time(file)),
        Some((option, [folder, ..])) if option == "--write" => {
            generated().iter().try_for_each(|(name, text)| std::fs::write(Path::new(folder).join(name), text))
        }
        _ => {
            benches();
            Criterion::default().configure_from_args().final_summary();
            Ok(())
        }
    }
}
