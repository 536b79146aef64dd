//! Fuzz tests of trace files. For any bytes, a reader must end soon, take little memory, and give a result or a
//! message.

use crate::hostile::{gzip, mutate, read};
use base::Random;
use flate2::{write::GzEncoder, Compression};
use std::io::Write;
use std::time::{Duration, Instant};
use testkit::cases;
use trace::FileReader;

/// After this time a reader counts as hung. The bound is generous, because a busy machine needed 20 s.
const HANG: Duration = Duration::from_secs(120);

fn inputs() -> u64 {
    cases(2_000, 5_000)
}

const TRC: &str = "blocksize: 32 2 1\n0 0 4096 4\n1 0 4100 4\n63 1 8192 8\n64 0 4096 4\n1 0 4104 4\n0 1 67108864 16\n";

const TRACEG: &str = "-kernel name = k\n-kernel id = 1\n-grid dim = (2,1,1)\n-block dim = (32,1,1)\n-shmem = 64\n\
    -nregs = 8\n-shmem base_addr = 0x00007fb05c000000\n-local mem base_addr = 0x00007fb05a000000\n\
    -accelsim tracer version = 5\n-enable lineinfo = 0\n#traces format = PC mask\n#BEGIN_TB\n\nthread block = 0,0,0\n\n\
    warp = 0\ninsts = 4\n0000 ffffffff 1 R1 MOV 0 0 0 \n0010 ffffffff 1 R0 LDG.E 1 R4 4 1 0x7fb02d700000 4 0 \n\
    0020 00000005 0 STS.64 2 R4 R5 8 2 0x10 -4 0 \n0030 00000003 1 R0 LD.E 1 R4 4 0 0x7fb05c000020 0x40 0 \n\n#END_TB\n\
    #BEGIN_TB\nthread block = 1,0,0\nwarp = 0\ninsts = 1\n0020 00000000 0 STG.E 2 R4 R5 4 1 0x0 0 0 \n#END_TB\n";

const RAW: &str = "-kernel name = k\n-accelsim tracer version = 3\n1 0 0 3 0008 ffffffff 1 R1 MOV 0 0\n\
    0 0 0 0 0010 00000001 1 R0 LDG.E 1 R4 4 1 0x10 0\n1 0 0 3 0010 0000000f 1 R0 LDG.E 1 R4 4 1 0x20 4\n";

const LIST: &str = "MemcpyHtoD,0x00007fc841500000,32768\nMemcpyHtoD,0x00007fc841508000,98304\nkernel-1.traceg\n\
    MemcpyHtoD,0x00007fc841527000,1\nkernel-2-ctx_0x55.traceg.xz\n";

const ALLOCATIONS: &str =
    "[{\"device_ptr\": 140043069947904, \"num_bytes\": 4096}, {\"device_ptr\": 1, \"num_bytes\": 2}]";

fn fuzz(name: &str, base: &str, seed: u64) {
    for input in 0..inputs() {
        let mut random = Random::stream(seed, input);
        let mut bytes = base.as_bytes().to_vec();
        (0..=random.below(3)).for_each(|_| mutate(&mut bytes, &mut random));
        if input % 4 == 1 {
            bytes = gzip(&bytes);
        }
        if input % 8 == 1 {
            mutate(&mut bytes, &mut random);
        }
        let chunk = if input % 2 == 0 { 1 + random.below(100) as usize } else { usize::MAX };
        read(name, &bytes, chunk);
    }
}

#[test]
fn trc() {
    fuzz("a.trc", TRC, 1);
}

#[test]
fn traceg() {
    fuzz("kernel-1.traceg", TRACEG, 2);
}

#[test]
fn raw() {
    fuzz("kernel-1.trace", RAW, 3);
}

#[test]
fn kernelslist() {
    fuzz("kernelslist.g", LIST, 4);
}

#[test]
fn allocations() {
    fuzz("allocations.json", ALLOCATIONS, 5);
}

#[test]
fn gzip_of_them() {
    for (seed, base) in [(6, TRC), (7, TRACEG), (8, RAW), (9, LIST)] {
        let packed = gzip(base.repeat(20).as_bytes());
        for input in 0..inputs() / 4 {
            let mut random = Random::stream(seed, input);
            let mut bytes = packed.clone();
            mutate(&mut bytes, &mut random);
            read("a.gz", &bytes, 1 + random.below(300) as usize);
        }
    }
}

#[test]
fn ten_megabytes_of_one_character() {
    for byte in *b"0a \n#-{w\0\xff1t" {
        for name in ["a.trc", "kernel-1.traceg", "kernelslist.g", "x"] {
            let start = Instant::now();
            let flood = vec![byte; 10 << 20];
            read(name, &flood, 1 << 20);
            // The second input has a valid start, so that the reader of the format gets the rest.
            for base in [TRC, TRACEG, LIST] {
                let mut bytes = base.as_bytes().to_vec();
                bytes.extend_from_slice(&flood[..2 << 20]);
                read(name, &bytes, 1 << 20);
            }
            assert!(start.elapsed() < HANG, "{name}: {byte} took {:?}", start.elapsed());
        }
    }
}

/// Many distinct lines of one kind, which must not take quadratic time.
#[test]
fn many_lines_of_one_kind() {
    let list = |line: &dyn Fn(u64) -> String| (0..100_000).map(line).collect::<String>();
    let head = "-accelsim tracer version = 5\n#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\n";
    let cases = [
        list(&|i| format!("MemcpyHtoD,0x{:x},4\nkernel-{i}.traceg\n", i * 8)),
        format!("blocksize: 1 1 1\n{}", list(&|i| format!("{} 0 {i} {}\n", i * 600 % 60_000_000, i % 65535 + 1))),
        format!("blocksize: 1024 1 1\n{}", list(&|i| format!("0 {} {i} 4\n", i % 2))),
        format!("{head}{}", list(&|i| format!("{i:x} 00000001 0 LDG.E.{} 0 4 1 {i:x}0000 0\n", i % 100))),
        format!("{head}{}", list(&|i| format!("thread block = {},{i},{i}\nwarp = {i}\n", 99_999 - i))),
        list(&|i| format!("{i} 0 0 {} 0010 00000001 1 R0 LDG.E 1 R4 4 1 0x20 0\n", i % 7)),
        format!("-kernel name = k\n{}", list(&|i| format!("#BEGIN_TB\n-kernel name = {i}\n"))),
    ];
    for text in &cases {
        let start = Instant::now();
        read("x", text.as_bytes(), 1 << 16);
        assert!(start.elapsed() < HANG, "{:?} for {:?}", start.elapsed(), &text[..80]);
    }
}

#[test]
fn a_gzip_bomb_stops_at_the_limit() {
    let line = "0 0 4096 4\n".repeat(1000);
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(b"blocksize: 32 1 1\n").expect("a vector takes everything");
    (0..5000).for_each(|_| encoder.write_all(line.as_bytes()).expect("a vector takes everything"));
    let bomb = encoder.finish().expect("a vector takes everything");
    assert!(bomb.len() < 1 << 20);
    let mut reader = FileReader::with_limit("bomb.trc.gz", 8 << 20);
    reader.push_bytes(&bomb);
    let content = reader.finish();
    assert!(content.kernels[0].heap_bytes() < 16 << 20);
    assert!(content.diagnostics[0].to_string().contains("at most 8 MiB of trace"), "{}", content.diagnostics[0]);
}
