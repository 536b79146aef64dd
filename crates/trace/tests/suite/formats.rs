//! Tests of the trace formats: independent counts test the sample files, and damaged files keep what is good.

use super::formats_traceg::V5;
use base::{Random, Severity};
use flate2::{write::GzEncoder, Compression};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use testkit::{own_data, sample_data};
use trace::{assemble, FileContent, FileReader, Format, Space, Trace};
use xz4rust::XzDecoder;

pub(super) fn read(name: &str, bytes: &[u8]) -> FileContent {
    let mut reader = FileReader::new(name);
    reader.push_bytes(bytes);
    reader.finish()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("a vector takes everything");
    encoder.finish().expect("a vector takes everything")
}

pub(super) fn messages(content: &FileContent) -> Vec<String> {
    content.diagnostics.iter().map(ToString::to_string).collect()
}

/// A line for every access: block, warp, gap, program counter, opcode, space, kind, bytes, mask and addresses.
pub(super) fn listing(trace: &Trace) -> Vec<String> {
    let mut out = Vec::new();
    for block in &trace.blocks {
        for warp in &trace.warps[block.warps.start as usize..block.warps.end as usize] {
            for access in trace.accesses(warp) {
                let mut list = [0; 32];
                let n = access.addresses(&mut list);
                let site = &trace.sites[access.site as usize];
                let addresses: Vec<String> = list[..n].iter().map(|a| format!("{a:x}")).collect();
                out.push(format!(
                    "{},{},{} w{} +{} {:x} {} {:?} {:?} {} {:x}: {}",
                    block.id.x,
                    block.id.y,
                    block.id.z,
                    warp.index,
                    access.gap,
                    site.pc,
                    site.opcode,
                    site.space,
                    site.kind,
                    site.bytes,
                    access.mask,
                    addresses.join(" ")
                ));
            }
        }
    }
    out
}

// ---- samples -------------------------------------------------------------------------------------------------------

fn files_below(folder: PathBuf) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn unpacked(path: &Path) -> (Vec<u8>, String) {
    let bytes = std::fs::read(path).expect("a readable sample");
    let mut text = Vec::new();
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("gz") => {
            let mut decoder = flate2::write::GzDecoder::new(&mut text);
            decoder.write_all(&bytes).and_then(|()| decoder.try_finish()).expect("a sound sample");
        }
        Some("xz") => {
            let (mut decoder, mut packed, mut piece) = (XzDecoder::in_heap(), &bytes[..], vec![0; 1 << 16]);
            while !packed.is_empty() {
                let done = decoder.decode(packed, &mut piece).expect("a sound sample");
                text.extend_from_slice(&piece[..done.output_produced()]);
                packed = &packed[done.input_consumed()..];
            }
        }
        _ => text.clone_from(&bytes),
    }
    (bytes, String::from_utf8(text).expect("text"))
}

/// Numbers of warps, instructions, memory instructions with active lanes, and active lanes of these instructions.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Count {
    warps: usize,
    pub(super) instructions: u64,
    accesses: usize,
    pub(super) lanes: u64,
}

pub(super) fn count(trace: &Trace) -> Count {
    Count {
        warps: trace.warps.len(),
        instructions: trace.warps.iter().map(|warp| warp.instructions).sum(),
        accesses: trace.access_count(),
        lanes: trace.warps.iter().flat_map(|w| trace.accesses(w)).map(|a| u64::from(a.mask.count_ones())).sum(),
    }
}

/// Counts by splitting every line into words. Each line has `ids` words before the program counter.
fn naive_traceg(text: &str, ids: usize) -> Count {
    let mut count = Count::default();
    let mut warps = BTreeSet::new();
    for line in text.lines() {
        count.warps += usize::from(line.starts_with("warp ="));
        let words: Vec<&str> = line.split_whitespace().collect();
        if line.starts_with(['-', '#']) || line.contains('=') || words.len() < ids + 6 {
            continue;
        }
        warps.insert(words[..ids].to_vec());
        count.instructions += 1;
        let mask = u32::from_str_radix(words[ids + 1], 16).expect("a mask");
        let destinations: usize = words[ids + 2].parse().expect("a number");
        let sources: usize = words[ids + 4 + destinations].parse().expect("a number");
        let width: u32 = words[ids + 5 + destinations + sources].parse().expect("a width");
        if width > 0 && mask != 0 {
            count.accesses += 1;
            count.lanes += u64::from(mask.count_ones());
        }
    }
    if ids > 0 {
        count.warps = warps.len();
    }
    count
}

#[test]
fn accel_sim_samples() {
    let (Some(traceg), Some(raw)) = (sample_data("traceg"), sample_data("raw")) else { return };
    for path in files_below(traceg).iter().chain(&files_below(raw)) {
        let name = path.to_string_lossy();
        let (bytes, text) = unpacked(path);
        let content = read(&name, &bytes);
        // It is the head of a longer file.
        let missing = "note: expected 98 blocks of the grid, found 40; all counts are of the blocks in the file";
        let told = name.ends_with("head3000.trace").then(|| format!("{name}: {missing}"));
        assert_eq!(messages(&content), Vec::from_iter(told), "{name}");
        match content.format {
            Format::Traceg { raw } => {
                assert_eq!(content.kernels.len(), text.matches("-kernel name").count(), "{name}");
                assert_eq!(count(&content.kernels[0]), naive_traceg(&text, if raw { 4 } else { 0 }), "{name}");
                let announced = text.lines().filter_map(|l| l.strip_prefix("insts = ")).map(|n| n.trim());
                let announced: u64 = announced.map(|n| n.parse::<u64>().expect("a number")).sum();
                assert!(raw || announced == count(&content.kernels[0]).instructions, "{name}");
            }
            Format::KernelsList => assert_eq!(content.launches.len(), text.lines().count(), "{name}"),
            Format::Allocations => assert_eq!(content.launches.len(), text.matches("num_bytes").count(), "{name}"),
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn accel_sim_samples_together() {
    let Some(folder) = sample_data("traceg") else { return };
    for app in ["bfs", "matrixmul", "vectoradd", "fixtures/atax-v5", "fixtures/atax-v6"] {
        let files = files_below(folder.join(app));
        let contents = files.iter().map(|path| read(&path.to_string_lossy(), &unpacked(path).0)).collect();
        let source = assemble(contents);
        assert!(!source.kernels.is_empty(), "{app}");
        assert!(source.diagnostics.iter().all(|d| d.severity < Severity::Warning), "{app}: {:?}", source.diagnostics);
        assert_eq!(source.kernels.len(), files.iter().filter(|f| f.to_string_lossy().contains("kernel-")).count());
        for kernel in &source.kernels {
            let named = kernel.arrays.iter().filter(|array| array.name.starts_with("array ")).count();
            assert!(named > 0, "{app}: {:?}", kernel.arrays);
            let global = |access: &trace::Access| kernel.sites[access.site as usize].space == Space::Global;
            for access in kernel.warps.iter().flat_map(|warp| kernel.accesses(warp)).filter(global) {
                let mut list = [0; 32];
                let n = access.addresses(&mut list);
                assert!(list[..n].iter().all(|&a| kernel.array_of(a).is_some()), "{app}: an address without array");
            }
        }
    }
}

/// Counts warp accesses by the definition. The k-th loads of the lanes are one access, and stores are counted by the
/// loads before them.
fn naive_trc(text: &str) -> (usize, Count) {
    let mut lines = text.lines();
    let sizes: Vec<usize> =
        lines.next().expect("a first line")[10..].split_whitespace().map(|n| n.parse().expect("a size")).collect();
    let block: usize = sizes.iter().product();
    let mut done: std::collections::HashMap<usize, (usize, usize)> = Default::default();
    let mut groups = BTreeSet::new();
    let (mut lanes, mut last) = (0, 0);
    for line in lines {
        let words: Vec<usize> = line.split_whitespace().map(|n| n.parse().expect("a number")).collect();
        let (thread, store, bytes) = (words[0], words[1] == 1, words[3]);
        let warp = (thread % block) / 32 + thread / block * block.div_ceil(32);
        let (loads, stores) = done.entry(thread).or_default();
        groups.insert((warp, *loads, !store, if store { *stores } else { 0 }, bytes));
        if store {
            *stores += 1;
        } else {
            (*loads, *stores) = (*loads + 1, 0);
        }
        lanes += 1;
        last = last.max(thread);
    }
    let warps = (last / block + 1) * block.div_ceil(32);
    let count = Count { warps, instructions: groups.len() as u64, accesses: groups.len(), lanes };
    (last / block + 1, count)
}

#[test]
fn trc_samples() {
    let files = files_below(own_data("oracle"));
    let traces: Vec<_> = files.iter().filter(|path| path.to_string_lossy().ends_with(".trc.xz")).collect();
    assert_eq!(traces.len(), 14);
    for path in traces {
        let (bytes, text) = unpacked(path);
        let content = read(&path.to_string_lossy(), &bytes);
        assert_eq!(messages(&content), Vec::<String>::new());
        let (blocks, expected) = naive_trc(&text);
        assert_eq!((content.kernels[0].blocks.len(), count(&content.kernels[0])), (blocks, expected), "{path:?}");
    }
}

#[test]
fn any_chunking_gives_the_same_content() {
    for (name, text) in [("k.traceg", V5), ("k.trc", "blocksize: 4 1 1\n0 0 4 4\n1 0 8 4\n")] {
        for bytes in [text.as_bytes().to_vec(), gzip(text.as_bytes())] {
            let whole = read(name, &bytes);
            for size in [1, 2, 3, 7, 64] {
                let mut reader = FileReader::new(name);
                bytes.chunks(size).for_each(|chunk| reader.push_bytes(chunk));
                let content = reader.finish();
                assert_eq!(content.kernels, whole.kernels);
                assert_eq!(content.diagnostics, whole.diagnostics);
            }
        }
    }
}

// ---- the rim -------------------------------------------------------------------------------------------------------

#[test]
fn unknown_formats_say_what_is_known() {
    let cases: [(&str, &[u8], &str); 5] = [
        ("a.bin", b"\x00\x01garbage", "a.bin:1: error: expected a trace, an address stream, a kernelslist or JSON, plain or packed with gzip, zstd, xz or zip, found `"),
        ("a.trc", b"", "a.trc:1: error: expected a trace"),
        ("G - L1 Size.txt", b"1024,40,41\n", "G - L1 Size.txt: error: expected a trace, an address stream, a kernelslist or JSON, plain or packed with gzip, zstd, xz or zip, found mt4g's raw timing file; read it with `warpscope topology`"),
        ("k.traceg.bz2", b"BZh9rest", "k.traceg.bz2: error: expected a trace, an address stream, a kernelslist or JSON, plain or packed with gzip, zstd, xz or zip, found bzip2; unpack"),
        ("a.trc.gz", &gzip(b""), "a.trc.gz:1: error: expected a trace"),
    ];
    for (name, bytes, told) in cases {
        let content = read(name, bytes);
        assert_eq!(content.format, Format::Unknown);
        assert_eq!(content.diagnostics.len(), 1);
        assert!(messages(&content)[0].starts_with(told), "{:?}", messages(&content));
        assert!(!content.diagnostics[0].help.is_empty());
    }
}

#[test]
fn json_is_handed_through() {
    for bytes in [b" {\"general\": {}}".to_vec(), gzip(b" {\"general\": {}}")] {
        let content = read("mt4g.json", &bytes);
        assert_eq!((content.format, content.json.as_slice()), (Format::Json, b" {\"general\": {}}".as_slice()));
        assert!(content.diagnostics.is_empty());
    }
}

#[test]
fn damaged_gzip_keeps_what_came_before() {
    let mut text = String::from("blocksize: 32 1 1\n");
    let mut random = Random::new(5);
    (0..50_000).for_each(|i| text += &format!("{} 0 {} 4\n", i % 4096, random.below(1 << 30)));
    let whole = gzip(text.as_bytes());
    let cut = read("a.trc.gz", &whole[..whole.len() / 2]);
    assert!(cut.kernels[0].access_count() > 100);
    assert!(messages(&cut).iter().any(|m| m.contains("expected a gzip stream with its end")), "{:?}", messages(&cut));
    let mut flipped = whole.clone();
    let middle = flipped.len() / 2;
    flipped[middle..middle + 64].iter_mut().for_each(|b| *b = !*b);
    let content = read("a.trc.gz", &flipped);
    assert!(content.kernels[0].access_count() > 100);
    assert!(messages(&content).iter().any(|m| m.contains("a gzip stream")), "{:?}", messages(&content));
}

#[test]
fn traces_are_bounded() {
    let mut text = String::from("blocksize: 32 1 1\n");
    let mut random = Random::new(9);
    (0..200_000).for_each(|i| text += &format!("{} 0 {} 4\n", i % 32, random.below(1 << 30)));
    for bytes in [text.clone().into_bytes(), gzip(text.as_bytes())] {
        let mut reader = FileReader::with_limit("bomb.trc", 1 << 20);
        reader.push_bytes(&bytes);
        let content = reader.finish();
        assert!(content.kernels[0].heap_bytes() < 2 << 20);
        let messages = messages(&content);
        assert_eq!(messages.len(), 1, "{messages:?}");
        assert!(messages[0].contains("warning: expected at most 1 MiB of trace, found more"), "{messages:?}");
    }
}
