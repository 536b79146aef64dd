//! Tests of compressed files. All compressions of a trace must give the same trace. Damage, decompression bombs and
//! limits must give a message.

use base::Random;
use base::Severity;
use flate2::write::{DeflateEncoder, GzEncoder};
use flate2::{Compression, Crc};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use trace::{assemble, FileContent, FileReader, Format};

/// The trace in the files of `tests/data`, which the tools of their formats compressed.
fn sample() -> String {
    let mut random = Random::new(42);
    let mut text = String::from(
        "-kernel name = packed\n-kernel id = 1\n-grid dim = (8,1,1)\n-block dim = (64,1,1)\n-shmem = 0\n-nregs = 8\n\
         -accelsim tracer version = 5\n-enable lineinfo = 0\n",
    );
    for block in 0..8 {
        let _ = write!(text, "#BEGIN_TB\n\nthread block = {block},0,0\n");
        for warp in 0..2 {
            let _ = write!(text, "\nwarp = {warp}\ninsts = 100\n");
            for i in 0..100u64 {
                let base = 0x7f00_0000_0000 + random.below(1 << 24);
                let _ = match i % 4 {
                    0 => writeln!(text, "{:04x} ffffffff 1 R2 LDG.E 1 R4 4 1 {base:#x} 4 0 0 ", 16 * i),
                    1 => writeln!(text, "{:04x} 00000007 0 STG.E.64 2 R4 R6 8 2 {base:#x} 64 -8 0 0 ", 16 * i),
                    _ => writeln!(text, "{:04x} ffffffff 1 R1 FFMA 3 R1 R2 R3 0 0 0 ", 16 * i),
                };
            }
        }
        text += "\n#END_TB\n\n";
    }
    text
}

fn read(name: &str, bytes: &[u8], chunk: usize) -> FileContent {
    let mut reader = FileReader::new(name);
    bytes.chunks(chunk).for_each(|chunk| reader.push_bytes(chunk));
    reader.finish()
}

fn messages(content: &FileContent) -> Vec<String> {
    let members = content.members.iter().flat_map(|member| &member.diagnostics);
    content.diagnostics.iter().chain(members).map(ToString::to_string).collect()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("a vector takes everything")
}

fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)).expect("a fixture")
}

/// A file of `tests/data`. xz 5, zstd 1.5 and Info-ZIP made these files from [`sample`].
const FIXTURES: [(&str, &str); 11] = [
    ("packed.blocks.xz", "xz"),    // xz --block-size=8KiB -T2
    ("packed.crc32.xz", "xz"),     // xz --check=crc32 --block-size=8KiB
    ("packed.sha256.xz", "xz"),    // xz --check=sha256 --block-size=8KiB
    ("packed.none.xz", "xz"),      // xz --check=none
    ("packed.streams.xz", "xz"),   // two streams with 8 bytes of padding between and 4 at the end
    ("packed.zst", "zstd"),        // zstd -19
    ("packed.fast.zst", "zstd"),   // zstd --fast=5 --no-check
    ("packed.long.zst", "zstd"),   // zstd --long=27, read from a pipe
    ("packed.frames.zst", "zstd"), // two frames, a skippable one between them
    ("packed.zip", "zip"),         // zip -9
    ("packed.pipe.zip", "zip"),    // zip from a pipe: lengths behind the data, zip64
];

#[test]
fn every_packing_of_a_trace_is_the_same_trace() {
    let plain = read("packed.traceg", sample().as_bytes(), 1 << 16).kernels;
    assert_eq!(plain[0].warps.len(), 16);
    for (name, compression) in FIXTURES {
        let bytes = fixture(name);
        for chunk in [1, 7, 1000, usize::MAX] {
            // The name does not suggest the compression.
            let content = read("file", &bytes, chunk);
            assert_eq!(messages(&content), Vec::<String>::new(), "{name}");
            assert_eq!(content.compression, Some(compression), "{name}");
            let source = assemble(vec![content]);
            let mut kernels = source.kernels;
            kernels.iter_mut().for_each(|kernel| kernel.replace_arrays(Vec::new()));
            assert_eq!(kernels, plain, "{name} in chunks of {chunk}");
        }
    }
    let content = read("file", &gzip(&gzip(sample().as_bytes())), 100);
    assert_eq!((content.kernels, content.compression), (plain, Some("gzip")));
}

// ---- zip -----------------------------------------------------------------------------------------------------------

#[derive(Clone, Copy, PartialEq)]
enum Lengths {
    Front,
    Behind,
}

/// A local header with its data. Method 8 deflates the data, and other methods store it.
fn member(name: &str, data: &[u8], method: u16, lengths: Lengths, flags: u16) -> Vec<u8> {
    let mut packed = data.to_vec();
    if method == 8 {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        packed = encoder.write_all(data).and_then(|()| encoder.finish()).expect("a vector takes everything");
    }
    let mut crc = Crc::new();
    crc.update(data);
    let words = [crc.sum(), packed.len() as u32, data.len() as u32];
    let words: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let behind = lengths == Lengths::Behind;
    let mut out = b"PK\x03\x04\x14\0".to_vec();
    out.extend((flags | if behind { 8 } else { 0 }).to_le_bytes());
    out.extend(method.to_le_bytes());
    out.extend([0; 4]);
    out.extend(if behind { vec![0; 12] } else { words.clone() });
    out.extend((name.len() as u16).to_le_bytes());
    out.extend([0; 2]);
    out.extend(name.as_bytes());
    out.extend(packed);
    if behind {
        out.extend(b"PK\x07\x08");
        out.extend(words);
    }
    out
}

const DIRECTORY: &[u8] = b"PK\x01\x02rest";

#[test]
fn members_are_files_of_their_own() {
    let traceg = sample();
    let list = "MemcpyHtoD,0x7f0000000000,16777216\nkernel-1.traceg\nkernel-2.traceg\n";
    let mut zip = member("run/", b"", 0, Lengths::Front, 0);
    zip.extend(member("run/kernelslist.g", list.as_bytes(), 0, Lengths::Front, 0));
    zip.extend(member("run/kernel-1.traceg.gz", &gzip(traceg.as_bytes()), 0, Lengths::Front, 0));
    zip.extend(member("run/kernel-2.traceg.xz", &fixture("packed.blocks.xz"), 8, Lengths::Behind, 0));
    zip.extend(member("__MACOSX/run/._kernel-1.traceg", b"\0\x05", 8, Lengths::Front, 0));
    zip.extend(member("README.md", b"what this is\n", 8, Lengths::Front, 0));
    zip.extend(member("table.csv", b"addr\n1\n2\n", 8, Lengths::Front, 0));
    zip.extend(member(
        "inner.zip",
        &[member("a.trc", b"0 0 4 4\n", 8, Lengths::Front, 0), DIRECTORY.to_vec()].concat(),
        8,
        Lengths::Behind,
        0,
    ));
    zip.extend(DIRECTORY);
    for chunk in [1, 10, usize::MAX] {
        let content = read("run.zip", &zip, chunk);
        assert_eq!(content.format, Format::Archive);
        let names: Vec<&str> = content.members.iter().map(|member| member.name.as_str()).collect();
        let expected = [
            "run/kernelslist.g",
            "run/kernel-1.traceg.gz",
            "run/kernel-2.traceg.xz",
            "README.md",
            "table.csv",
            "inner.zip",
        ];
        assert_eq!(names, expected.map(|name| format!("run.zip/{name}")));
        let told = messages(&content);
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].starts_with("run.zip/README.md:1: note: expected a trace, an address stream"), "{told:?}");
        let source = assemble(vec![content]);
        assert_eq!(source.kernels.len(), 3);
        assert_eq!(source.streams[0].len(), 2);
        assert_eq!(source.kernels[0].arrays[0].name, "array 1");
        assert_eq!(source.kernels[0], source.kernels[1]);
        assert!(source.diagnostics.iter().any(|d| d.file == "run.zip/inner.zip/a.trc"));
    }
}

#[test]
fn zip_messages() {
    let good = member("b.trc", b"blocksize: 1 1 1\n0 0 4 4\n", 8, Lengths::Front, 0);
    let text = b"blocksize: 1 1 1\n0 0 4 4\n0 0 8 4\n";
    let mut wrong = member("a.trc", text, 0, Lengths::Front, 0);
    // This byte is in the address of the last line.
    let last = wrong.len() - 4;
    wrong[last] ^= 1;
    let cases: [(Vec<u8>, &str, usize); 7] = [
        (member("a.trc", text, 8, Lengths::Front, 1), "z.zip/a.trc: error: expected a zip archive with files without encryption, found an encrypted one; pack", 1),
        (member("a.trc", text, 12, Lengths::Front, 0), "z.zip/a.trc: error: expected a zip archive with a stored, deflated, zstd or xz member, found method 12; pack", 1),
        (member("a.trc", text, 0, Lengths::Behind, 0), "z.zip/a.trc: error: expected a zip archive with the length of each member in its header, found a member without; pack", 0),
        (wrong, "z.zip/a.trc:3: warning: expected a zip archive with valid data, found a checksum that does not match; the content", 2),
        (b"PK\x03\x04".to_vec(), "z.zip: warning: expected a member or the directory, found `", 0),
        (b"".to_vec(), "", 1),
        (b"PK\x05\x06\0\0\0\0".to_vec(), "z.zip: error: expected at least one file in the archive, found none; pack trace", 0),
    ];
    for (first, told, kernels) in cases {
        if first == b"PK\x03\x04" {
            // No header follows, so the archive counts as cut off.
            let cut = [good.clone(), good[..20].to_vec()].concat();
            let content = read("z.zip", &cut, 5);
            assert!(messages(&content)[0]
                .starts_with("z.zip: warning: expected a zip archive with its end, found one that is cut"));
            continue;
        }
        let content = read("z.zip", &[first, good.clone(), DIRECTORY.to_vec()].concat(), 9);
        let all = messages(&content);
        assert!(told.is_empty() || all.iter().any(|message| message.starts_with(told)), "{told}: {all:#?}");
        assert_eq!(content.members.iter().map(|member| member.kernels.len()).sum::<usize>(), kernels, "{told}");
    }
}

// ---- damage and limits ---------------------------------------------------------------------------------------------

#[test]
fn cut_and_damaged_streams_keep_what_came_before() {
    let whole = read("k", sample().as_bytes(), 4096).kernels[0].access_count();
    for (name, compression) in FIXTURES {
        let bytes = fixture(name);
        let cut = read("k", &bytes[..bytes.len() / 2], 500);
        let held: usize = cut.members.iter().chain([&cut]).flat_map(|c| &c.kernels).map(|k| k.access_count()).sum();
        // The decoder of a single xz or zstd block delivers no content before the end of the block.
        assert!(held < whole, "{name}");
        assert!(messages(&cut).iter().any(|m| m.contains("its end, found")), "{name}: {:?}", messages(&cut));
        let mut flipped = bytes.clone();
        let middle = bytes.len() / 2;
        flipped[middle..middle + 40].iter_mut().for_each(|byte| *byte = !*byte);
        let content = read("k", &flipped, 500);
        let told = messages(&content);
        // One of the files has no checksum, so only its lines can show the damage.
        assert!(
            told.iter().any(|m| m.contains(compression) && m.contains("expected")) || name == "packed.fast.zst",
            "{name}: {told:?}"
        );
    }
}

#[test]
fn windows_and_dictionaries_are_bounded() {
    // A frame header whose window descriptor says 2^28 bytes.
    let content = read("a", b"\x28\xb5\x2f\xfd\x00\x90rest", 3);
    assert!(messages(&content)[0].starts_with(
        "a: error: expected a zstd stream with a window of at most 128 MiB, found one of 256 MiB; pack the file again"
    ));
    let content = read("a", b"\x28\xb5\x2f\xfd\x01\x10\x07rest", 3);
    assert!(messages(&content)[0].contains("expected a zstd stream with no dictionary, found a frame that needs one"));
    let content = read("a", &fixture("big-dictionary.xz"), 100);
    assert!(messages(&content)[0].starts_with(
        "a: error: expected an xz stream with a dictionary of at most 64 MiB, found one of 192 MiB; pack the file again"
    ), "{:?}", messages(&content));
}

#[test]
fn bombs_stop_at_the_limit() {
    // More than a gigabyte of zeros, and of equal accesses.
    for line in ["0", "0 0 4096 4\n"] {
        let mut flood = GzEncoder::new(Vec::new(), Compression::best());
        let piece = line.repeat((16 << 20) / line.len());
        flood.write_all(b"blocksize: 32 1 1\n").expect("a vector takes everything");
        (0..4).for_each(|_| flood.write_all(piece.as_bytes()).expect("a vector takes everything"));
        let once = flood.finish().expect("a vector takes everything");
        let twice = gzip(&once.repeat(200));
        let mut reader = FileReader::with_limit("bomb", 1 << 20);
        twice.chunks(64 << 10).for_each(|chunk| reader.push_bytes(chunk));
        let content = reader.finish();
        let held: usize = content.kernels.iter().map(|kernel| kernel.heap_bytes()).sum();
        assert!(held < 4 << 20, "{held}");
        assert!(content.diagnostics.iter().any(|d| d.severity >= Severity::Warning));
    }
    let deep = (0..4).fold(b"0 0 4096 4\n".to_vec(), |bytes, _| gzip(&bytes));
    let content = read("deep", &deep, 10);
    assert!(messages(&content)[0].contains("found gzip inside other containers; unpack the outer containers first"));
}

#[test]
fn the_members_of_an_archive_share_one_limit() {
    let mut random = Random::new(8);
    let mut text = String::from("blocksize: 32 1 1\n");
    (0..40_000).for_each(|i| text += &format!("{} 0 {} 4\n", i % 32, random.below(1 << 40)));
    let zip: Vec<u8> =
        (0..20).flat_map(|i| member(&format!("{i}.trc"), text.as_bytes(), 8, Lengths::Front, 0)).collect();
    let mut reader = FileReader::with_limit("z.zip", 2 << 20);
    reader.push_bytes(&[zip, DIRECTORY.to_vec()].concat());
    let content = reader.finish();
    assert!(content.heap_bytes() < 4 << 20, "{}", content.heap_bytes());
    assert!(messages(&content).iter().any(|message| message.contains("MiB of trace, found more")));
}
