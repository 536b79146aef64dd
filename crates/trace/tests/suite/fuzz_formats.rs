//! Fuzz tests of the newer formats and of every decompressor with 5,000 files each, and tests with endless lines.

use crate::hostile::{gzip, mutate, read};
use base::Random;
use std::path::Path;
use std::time::{Duration, Instant};
use testkit::cases;
use trace::{FileReader, Format};

/// After this time a reader counts as hung. The bound is generous, because a busy machine needed 20 s.
const HANG: Duration = Duration::from_secs(120);

fn inputs() -> u64 {
    cases(2_000, 5_000)
}

const LACKEY: &str = "==7== Lackey\nI  04001000,3\n L 1ffefff8,8\n S 1ffefff0,8\n M 0421c7cc,4\n";
const DIN: &str = "2 1000\n0 7ffe1234\n1 10\n4 0\n0 fffffffffffffff8\n";
const PINATRACE: &str = "0x401000: R 0x7ffe1234\n0x401004: W 0x7ffe1238 8\n0 R 7ffe\n#eof\n";
const CSV: &str = "time,rw,addr,size\n1,R,0x7ffe,8\n2,W,4096,4\n\"3\",\"load\",\"0x10\",\"1\"\n";
const TABLE: &str = "0x1000;R;4\n0x1008;W;8\n4104;r;8\n";

fn mem_trace() -> String {
    let line = |warp| {
        let lanes: String = (0..32).map(|lane| format!("0x{:016x} ", 0x7f00 + 4 * lane)).collect();
        format!("MEMTRACE: CTX 0x1 - grid_launch_id 0 - CTA 1,0,0 - warp {warp} - LDG.E - {lanes}\n")
    };
    let launch =
        "MEMTRACE: CTX 0x1 - LAUNCH - Kernel pc 0x1 - Kernel name k - grid launch id 0 - grid size 2,1,1 - block size \
                  64,1,1 - nregs 8 - shmem 0 - cuda stream id 0\n";
    format!("{launch}{}{}", line(0), line(1))
}

fn cutracer() -> String {
    let lanes: Vec<u64> = (0..32).map(|lane| 0x7f00 + 4 * lane).collect();
    let common = format!(r#""addrs":{lanes:?},"cta":[0,0,0],"ctx":"0x5","grid_launch_id":1,"pc":"0x10","warp":0"#);
    format!(
        "{{{common},\"type\":\"mem_addr_trace\",\"sass\":\"LDG.E R0, [R2] ;\"}}\n\
         {{{common},\"type\":\"mem_value_trace\",\"is_load\":true,\"access_size\":4,\"mem_space\":3}}\n"
    )
}

/// Mutates `base` in all ways, compresses some of the results, and reads them by name or as `format`.
fn fuzz(name: &str, base: &[u8], format: Option<Format>, seed: u64) {
    for input in 0..inputs() {
        let mut random = Random::stream(seed, input);
        let mut bytes = base.to_vec();
        (0..=random.below(3)).for_each(|_| mutate(&mut bytes, &mut random));
        if input % 16 == 1 {
            bytes = gzip(&bytes);
        }
        let chunk = if input % 2 == 0 { 1 + random.below(100) as usize } else { usize::MAX };
        read(name, &bytes, chunk);
        if let Some(format) = format.filter(|_| input % 4 == 0) {
            let mut reader = FileReader::with_format(name, format);
            reader.push_bytes(&bytes);
            let content = reader.finish();
            assert!(content.is_useful() || !content.diagnostics.is_empty());
        }
    }
}

#[test]
fn lackey() {
    fuzz("a.lackey", LACKEY.as_bytes(), Some(Format::Lackey), 11);
}

#[test]
fn din() {
    fuzz("a.din", DIN.as_bytes(), Some(Format::Din), 12);
}

#[test]
fn pinatrace() {
    fuzz("pinatrace.out", PINATRACE.as_bytes(), Some(Format::Pinatrace), 13);
}

#[test]
fn csv() {
    fuzz("a.csv", CSV.as_bytes(), Some(Format::Csv), 14);
    fuzz("a.csv", TABLE.as_bytes(), None, 15);
}

#[test]
fn binary() {
    let words: Vec<u8> = (0..64u64).flat_map(|i| (i * 0x0101_0101).to_le_bytes()).collect();
    fuzz("a.u64", &words, Some(Format::U64), 16);
    fuzz("a.oracleGeneral", &words, Some(Format::OracleGeneral), 17);
}

#[test]
fn nvbit() {
    fuzz("run.log", mem_trace().as_bytes(), Some(Format::MemTrace), 18);
}

#[test]
fn ndjson() {
    fuzz("k.ndjson", cutracer().as_bytes(), Some(Format::CuTracer), 19);
}

fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)).expect("a fixture")
}

/// Damages compressed streams. They are small, so that the damage hits every part of the format.
fn packed(names: &[&str], seed: u64) {
    let bases: Vec<Vec<u8>> = names.iter().map(|name| fixture(name)).collect();
    for input in 0..inputs() {
        let mut random = Random::stream(seed, input);
        let mut bytes = bases[random.below(bases.len() as u64) as usize].clone();
        mutate(&mut bytes, &mut random);
        if input % 3 == 0 {
            mutate(&mut bytes, &mut random);
        }
        let chunk = if input % 2 == 0 { 1 + random.below(300) as usize } else { usize::MAX };
        read("a", &bytes, chunk);
    }
}

#[test]
fn xz() {
    packed(&["small.xz", "small.crc32.xz", "small.sha256.xz"], 21);
}

#[test]
fn zstd() {
    packed(&["small.zst", "small.19.zst", "small.frames.zst"], 22);
}

#[test]
fn zip() {
    packed(&["small.zip", "small.pipe.zip", "small.stored.zip"], 23);
}

#[test]
fn endless_lines() {
    let bases = [LACKEY, DIN, PINATRACE, CSV, TABLE, &mem_trace(), &cutracer()];
    for byte in *b"0a \n,{[\"\0\xff" {
        let start = Instant::now();
        for base in bases {
            let mut bytes = base.as_bytes().to_vec();
            bytes.extend(std::iter::repeat_n(byte, 3 << 20));
            read("x", &bytes, 1 << 20);
        }
        assert!(start.elapsed() < HANG, "{byte}: {:?}", start.elapsed());
    }
}

#[test]
fn many_lines_of_one_kind() {
    let list = |line: &dyn Fn(u64) -> String| (0..50_000).map(line).collect::<String>();
    let lanes = "0x10 ".repeat(32);
    let cases = [
        list(&|i| format!("MEMTRACE: CTX 0x1 - grid_launch_id {i} - CTA 0,0,0 - warp 0 - LDG.E - {lanes}\n")),
        list(&|i| format!("MEMTRACE: CTX 0x1 - grid_launch_id {} - CTA 0,{i},0 - warp {i} - LDG.E - {lanes}\n", i % 2)),
        list(&|i| format!("MEMTRACE: CTX 0x{i:x} - LAUNCH - Kernel name {i}\n")),
        // Stores are between loads, and lanes come in opposite orders.
        format!("blocksize: 32 1 1\n{}", list(&|i| format!("31 {} {i} 4\n", i % 2)))
            + &list(&|i| format!("0 {} {} 4\n", u8::from(i % 3 > 0), i * i)),
        format!("blocksize: 32 1 1\n{}", list(&|i| format!("{} 1 {i} {}\n", 31 - i % 32, 1 + i % 31))),
    ];
    for text in &cases {
        let start = Instant::now();
        read("x", text.as_bytes(), 1 << 16);
        assert!(start.elapsed() < HANG, "{:?} for {:?}", start.elapsed(), &text[..60]);
    }
}
