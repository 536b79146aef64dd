//! Tests of the trace formats. Small texts test every construct, independent counts test the sample files, and round
//! trips test the writers.

use base::Random;
use base::Severity;
use flate2::{write::GzEncoder, Compression};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use testkit::{own_data, sample_data};
use trace::{
    assemble, write_traceg, write_trc, Dim3, FileContent, FileReader, Format, Kind, Launch, Site, Space, Trace,
    TraceBuilder,
};
use xz4rust::XzDecoder;

fn read(name: &str, bytes: &[u8]) -> FileContent {
    let mut reader = FileReader::new(name);
    reader.push_bytes(bytes);
    reader.finish()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("a vector takes everything");
    encoder.finish().expect("a vector takes everything")
}

fn messages(content: &FileContent) -> Vec<String> {
    content.diagnostics.iter().map(ToString::to_string).collect()
}

/// A line for every access: block, warp, gap, program counter, opcode, space, kind, bytes, mask and addresses.
fn listing(trace: &Trace) -> Vec<String> {
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
struct Count {
    warps: usize,
    instructions: u64,
    accesses: usize,
    lanes: u64,
}

fn count(trace: &Trace) -> Count {
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
        assert_eq!(messages(&content), Vec::<String>::new(), "{name}");
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

// ---- .traceg by construct ------------------------------------------------------------------------------------------

const HEAD: &str = "-kernel name = k\n-grid dim = (2,1,1)\n-block dim = (64,1,1)\n-shmem = 16\n-nregs = 8\n\
    -shmem base_addr = 0x00007fb05c000000\n-local mem base_addr = 0x00007fb05a000000\n";

const V5: &str = "-kernel name = k\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-nregs = 8\n\
    -accelsim tracer version = 5\n#traces format = whatever\n\n#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 2\n\
    0000 ffffffff 1 R1 IMAD.MOV.U32 2 R255 R255 0 0 \n0010 ffffffff 1 R0 LDG.E 1 R4 4 1 0x1000 4 0 \n\n#END_TB\n";

fn check(header: &str, warp: &str, expected: &[&str], told: &[&str]) {
    let instructions = warp.lines().count();
    let text =
        format!("{HEAD}{header}\n#BEGIN_TB\nthread block = 1,0,0\nwarp = 1\ninsts = {instructions}\n{warp}\n#END_TB\n");
    for text in [text.clone(), text.replace('\n', "\r\n")] {
        let content = read("k.traceg", text.as_bytes());
        assert_eq!(content.kernels.len(), 1, "{text}\n{:?}", messages(&content));
        assert_eq!(listing(&content.kernels[0]), expected, "{text}");
        let messages = messages(&content);
        assert_eq!(messages.len(), told.len(), "{text}\n{messages:#?}");
        for (message, told) in messages.iter().zip(told) {
            assert!(message.starts_with(told), "{message}\nshould start with\n{told}");
        }
    }
}

const VERSION_4: &str = "-accelsim tracer version = 4";

#[test]
fn address_modes() {
    let load = |tail: &str| format!("0010 0000000d 1 R0 LDG.E 1 R4 4 {tail}");
    let expected = ["1,0,0 w1 +0 10 LDG.E Global Load 4 d: 100 104 200"];
    check(VERSION_4, &load("0 0x100 0x104 0x200"), &expected, &[]);
    check(VERSION_4, &load("2 0x100 4 252"), &expected, &[]);
    check(VERSION_4, &load("2 0x104 -4 256"), &["1,0,0 w1 +0 10 LDG.E Global Load 4 d: 104 100 200"], &[]);
    check(
        VERSION_4,
        "0010 00000007 1 R0 LDG.E.64 1 R4 8 1 0x7fb02d700000 -8",
        &["1,0,0 w1 +0 10 LDG.E.64 Global Load 8 7: 7fb02d700000 7fb02d6ffff8 7fb02d6ffff0"],
        &[],
    );
    check(
        VERSION_4,
        "0010 00000003 1 R0 LDG.E 1 R4 4 1 0x0 8589934592",
        &["1,0,0 w1 +0 10 LDG.E Global Load 4 3: 0 200000000"],
        &[],
    );
}

#[test]
fn instructions_without_lanes_or_addresses_are_counted() {
    check(
        VERSION_4,
        "0000 ffffffff 1 R1 MOV 0 0\n0008 00000000 0 STG.E 2 R4 R5 4 1 0x0 0\n0010 ffffffff 1 R4 LDC.64 0 0\n\
         0018 00000001 1 R0 LDG.E.U8 1 R4 1 1 0x10 0",
        &["1,0,0 w1 +3 18 LDG.E.U8 Global Load 1 1: 10"],
        &[],
    );
}

#[test]
fn spaces() {
    check(
        VERSION_4,
        "0008 00000001 1 R0 LDS.U.32 1 R4 4 1 0x10 0\n0010 00000001 0 STL.64 2 R4 R5 8 1 0xfffdc0 0\n\
         0018 00000001 1 R0 LD.E 1 R4 4 1 0x7fb05c000020 0\n0020 00000001 0 ST.E.128 2 R4 R5 16 1 0x7fb05a000040 0\n\
         0018 00000001 1 R0 LD.E 1 R4 4 1 0x7fb05d000000 0\n0028 00000001 1 R0 LDGSTS.E.BYPASS.128 2 R4 R6 16 1 0x50 0\n\
         0030 00000001 0 RED.E.ADD.STRONG.GPU 2 R4 R5 4 1 0x60 0\n0038 00000001 1 UR4 ULDC.64 1 UR5 8 1 0x118 0",
        &[
            "1,0,0 w1 +0 8 LDS.U.32 Shared Load 4 1: 10",
            "1,0,0 w1 +0 10 STL.64 Local Store 8 1: fffdc0",
            "1,0,0 w1 +0 18 LD.E Shared Load 4 1: 20",
            "1,0,0 w1 +0 20 ST.E.128 Local Store 16 1: 40",
            "1,0,0 w1 +0 18 LD.E Global Load 4 1: 7fb05d000000",
            "1,0,0 w1 +0 28 LDGSTS.E.BYPASS.128 Global Load 16 1: 50",
            "1,0,0 w1 +0 30 RED.E.ADD.STRONG.GPU Global Atomic 4 1: 60",
            "1,0,0 w1 +0 38 ULDC.64 Constant Load 8 1: 118",
        ],
        &[],
    );
}

#[test]
fn every_tracer_version() {
    let load = "0010 00000001 1 R0 LDG.E 1 R4 4 1 0x10 0";
    let expected = ["1,0,0 w1 +0 10 LDG.E Global Load 4 1: 10"];
    check("", &format!("1 0 0 1 {load}"), &expected, &[]);
    check("-accelsim tracer version = 1.2", &format!("1 0 0 1 {load}"), &expected, &[]);
    check("-accelsim tracer version = 2", &format!("1 0 0 1 {load}"), &expected, &[]);
    for (version, tail) in [(3, ""), (4, " 7"), (5, " 7"), (5, " 7 8"), (6, " 7 8 NoVal"), (6, " 7 8 Val 1 0x5 1 0x6")]
    {
        check(&format!("-accelsim tracer version = {version}"), &format!("{load}{tail}"), &expected, &[]);
    }
    // Lines have ids although the version has none, and the other way round.
    let layout =
        "k.traceg:13: note: expected 0 fields before the program counter, by the header's tracer version, found ";
    check(VERSION_4, &format!("1 0 0 1 {load}"), &expected, &[&format!("{layout}4")]);
    check(VERSION_4, &format!("17 3 {load}"), &expected, &[&format!("{layout}2")]);
    check("", load, &expected, &["k.traceg:13: note: expected 4 fields before the program counter"]);
}

#[test]
fn line_numbers_come_first() {
    let header = "-accelsim tracer version = 4\n-enable lineinfo = 1";
    let text = format!("{HEAD}{header}\n#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 2\n42 0010 00000001 1 R0 LDG.E 1 R4 4 1 0x10 0 0\n0 0020 00000001 1 R0 LDG.E 1 R4 4 1 0x20 0 0\n#END_TB\n");
    let content = read("k.traceg", text.as_bytes());
    assert_eq!(messages(&content), Vec::<String>::new());
    let lines: Vec<Option<u32>> = content.kernels[0].sites.iter().map(|site| site.source_line).collect();
    assert_eq!(lines, [Some(42), None]);
}

#[test]
fn hopper_lines() {
    check(
        "-accelsim tracer version = 5\n",
        "0000 00000001 0 UTMALDG.2D 2 UR8 UR4 8 0x7000 0 4096 0 3 2 0x100 0x200 0\n\
         0010 00000001 0 UBLKCP 1 UR8 8 0x7000 1 ffff 4096 0 4 0x100 2 256 0\n\
         0020 ffffffff 1 R24 HGMMA.64x64x16.F32 2 R24 UR4 1 0 0\n0030 00000001 1 R0 LDG.E 1 R4 4 1 0x10 0 0",
        &["1,0,0 w1 +3 30 LDG.E Global Load 4 1: 10"],
        &["k.traceg:14: note: expected accesses with an address per lane, found `UTMALDG.2D`, 2 times"],
    );
    let text = V5.replace(
        "thread block = 0,0,0\n",
        "thread block = 0,0,0\ncluster id = 0,0,0\ncluster cta = 0,0,0\ncluster rank = 0\n",
    );
    let content = read("k.traceg", text.replace("0010 ffff", "c010 ffff").as_bytes());
    assert_eq!(messages(&content), Vec::<String>::new());
    assert_eq!(content.kernels[0].sites[0].pc, 0xc010);
}

#[test]
fn bad_lines_are_told_and_skipped() {
    let good = "0018 00000001 1 R0 LDG.E 1 R4 4 1 0x10 0";
    let expected = ["1,0,0 w1 +0 18 LDG.E Global Load 4 1: 10"];
    let cases = [
        (
            "zzzz 00000001 1 R0 LDG.E 1 R4 4 1 0x10 0",
            "a program counter in hexadecimal, found `zzzz`; the line was skipped",
        ),
        ("0010 1 1 R0 LDG.E 1 R4 4 1 0x10 0", "an active mask of 8 hexadecimal digits, found `1`"),
        ("0010 00000001 99 R0", "the number of destination registers, found `99`"),
        ("0010 00000001 2 R0 7", "a register, found `7`"),
        ("0010 00000001 1 R0 4 1 R4", "an opcode, found `4`"),
        ("0010 00000001 1 R0 LDG.E", "the number of source registers, found the end of the line"),
        ("0010 00000001 1 R0 LDG.E 1 R4", "a memory width (0 for none), found the end of the line"),
    ];
    for (bad, told) in cases {
        let told = format!("k.traceg:13: warning: expected {told}");
        check(VERSION_4, &format!("{bad}\n{good}"), &expected, &[&told]);
    }
    let expected = ["1,0,0 w1 +1 18 LDG.E Global Load 4 1: 10"];
    let cases = [
        ("3 0x10", "address mode 0 (list), 1 (stride) or 2 (deltas), found `3`"),
        ("0 0x10 q", "an address in hexadecimal for every active lane, found `q`"),
        ("2 0x10", "a step in decimal for every active lane after the first, found the end of the line"),
    ];
    for (bad, told) in cases {
        let told = format!("k.traceg:13: warning: expected {told}");
        check(VERSION_4, &format!("0010 00000003 1 R0 LDG.E 1 R4 4 {bad}\n{good}"), &expected, &[&told]);
    }
}

#[test]
fn counts_ends_and_headers_are_checked() {
    let cases = [
        ("insts = 2", "insts = 3", "k.traceg:15: warning: expected 3 instructions for this warp, found 2"),
        (
            "-nregs = 8",
            "-nregs = 21955",
            "k.traceg:6: warning: expected at most 255 registers per thread, found `21955`",
        ),
        ("(32,1,1)", "(32,0,1)", "k.traceg:4: warning: expected a block of three sizes above zero"),
        (
            "-grid dim = (1,1,1)\n",
            "",
            "k.traceg: warning: expected `-grid dim` and `-block dim` above the blocks, found none",
        ),
        ("#END_TB\n", "", "k.traceg: warning: expected `#END_TB` after the last block, found the end of the file"),
        ("warp = 0", "warp = x", "k.traceg:14: warning: expected the warp's index in its block, found `x`"),
        ("warp = 0\n", "", "k.traceg:15: warning: expected `warp = n` before instructions"),
        ("thread block = 0,0,0", "thread block", "k.traceg:12: warning: expected the block's index, `x,y,z`"),
        (
            "LDG.E 1",
            "XYZ.E 1",
            "k.traceg:17: note: expected a known memory instruction, found 1 instructions such as `XYZ.E`",
        ),
    ];
    for (from, to, told) in cases {
        let content = read("k.traceg", V5.replace(from, to).as_bytes());
        let messages = messages(&content);
        assert!(messages.iter().any(|m| m.starts_with(told)), "{to}: {messages:#?}");
        assert_eq!(content.kernels.len(), 1, "{to}");
        assert_eq!(count(&content.kernels[0]).instructions, 2, "{to}");
    }
}

#[test]
fn empty_warps_missing_headers_and_several_kernels() {
    let text = "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 0\nwarp = 1\ninsts = 0\n#END_TB\n";
    let content = read("a/kernel-3.traceg.gz", text.as_bytes());
    assert_eq!(content.kernels[0].warps.len(), 2);
    assert_eq!(content.kernels[0].name, "kernel-3");
    let content = read("k.traceg", format!("{V5}{V5}").as_bytes());
    assert_eq!(content.kernels.len(), 2);
    assert_eq!(content.kernels[0], content.kernels[1]);
}

#[test]
fn raw_traces_are_sorted_into_warps() {
    let header = format!("{HEAD}-accelsim tracer version = 3\n\n#traces format = ...\n");
    let lines = "1 0 0 1 0008 ffffffff 1 R1 MOV 0 0\n0 0 0 0 0010 00000001 1 R0 LDG.E 1 R4 4 1 0x10 0\n\
                 1 0 0 1 0010 00000001 1 R0 LDG.E 1 R4 4 1 0x20 0\n0 0 0 0 0018 00000001 1 R0 LDG.E 1 R4 4 1 0x30 0\n";
    let content = read("kernel-1.trace", format!("{header}{lines}").as_bytes());
    assert_eq!(content.format, Format::Traceg { raw: true });
    assert_eq!(messages(&content), Vec::<String>::new());
    assert_eq!(
        listing(&content.kernels[0]),
        [
            "0,0,0 w0 +0 10 LDG.E Global Load 4 1: 10",
            "0,0,0 w0 +0 18 LDG.E Global Load 4 1: 30",
            "1,0,0 w1 +1 10 LDG.E Global Load 4 1: 20",
        ]
    );
    // Core tracing adds two ids to each line, and the header does not say so.
    let content = read(
        "kernel-1.trace",
        format!("{header}{}", lines.replace(" 0008 ", " 5 6 0008 ").replace(" 001", " 5 6 001")).as_bytes(),
    );
    assert_eq!(listing(&content.kernels[0]).len(), 3, "{:?}", messages(&content));
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

// ---- writers -------------------------------------------------------------------------------------------------------

const OPCODES: [(&str, Space, Kind, u16); 12] = [
    ("LDG.E", Space::Global, Kind::Load, 4),
    ("LDG.E.U8.CONSTANT", Space::Global, Kind::Load, 1),
    ("LDG.E.128.SYS", Space::Global, Kind::Load, 16),
    ("STG.E.64", Space::Global, Kind::Store, 8),
    ("ATOMG.E.ADD.STRONG.GPU", Space::Global, Kind::Atomic, 4),
    ("LD.E", Space::Global, Kind::Load, 4),
    ("LD.E", Space::Shared, Kind::Load, 4),
    ("ST.E.64", Space::Local, Kind::Store, 8),
    ("LDS.U.128", Space::Shared, Kind::Load, 16),
    ("STL", Space::Local, Kind::Store, 4),
    ("LDC.64", Space::Constant, Kind::Load, 8),
    ("SULD.D.32", Space::Texture, Kind::Load, 4),
];

fn random_addresses(random: &mut Random, space: Space, lanes: usize) -> Vec<u64> {
    let limit = if space == Space::Global { 1 << 47 } else { 1 << 20 };
    let base = random.below(limit);
    match random.below(4) {
        0 => (0..lanes as u64).map(|i| base + 4 * i).collect(),
        1 => (0..lanes as u64).map(|i| (base + limit - 3 * i) % limit).collect(),
        2 => (0..lanes).map(|_| base - base.min(random.below(4096))).collect(),
        _ => (0..lanes).map(|_| random.below(limit)).collect(),
    }
}

fn random_trace(seed: u64, sites: impl Fn(&mut Random) -> Site) -> Trace {
    let mut random = Random::new(seed);
    let mut dim = |max: u64| Dim3::new(1 + random.below(max) as u32, 1 + random.below(2) as u32, 1);
    let (grid, block) = (dim(3), dim(64));
    let registers = random.below(256) as u32;
    let launch = Launch { grid, block, shared_bytes: random.below(1 << 16) as u32, registers };
    let mut builder = TraceBuilder::new(format!("_Z6kernel{seed}Pf"), launch);
    for y in 0..grid.y {
        for x in 0..grid.x {
            builder.begin_block(Dim3::new(x, y, 0));
            for warp in 0..(block.count() as u32).div_ceil(32) {
                builder.begin_warp(warp);
                for _ in 0..random.below(6) {
                    builder.add_instructions(random.below(3) as u32);
                    let site = sites(&mut random);
                    let space = site.space;
                    let id = builder.intern_site(site);
                    let live = (block.count() as u32 - 32 * warp).min(32);
                    let mask = (random.bits() as u32 | 1) & (u32::MAX >> (32 - live));
                    let mask = if random.below(2) == 0 { u32::MAX >> (32 - live) } else { mask };
                    builder.add_access(id, mask, &random_addresses(&mut random, space, mask.count_ones() as usize));
                }
                builder.add_instructions(random.below(3) as u32);
            }
        }
    }
    builder.finish()
}

#[test]
fn traceg_round_trip() {
    for seed in 0..500 {
        let trace = random_trace(seed, |random| {
            let (opcode, space, kind, bytes) = OPCODES[random.below(OPCODES.len() as u64) as usize];
            let line = if seed % 2 == 0 { Some(1 + random.below(99) as u32) } else { None };
            Site { pc: 16 * random.below(50), opcode: opcode.into(), source_line: line, space, kind, bytes }
        });
        let written = write_traceg(&trace);
        let content = read("k.traceg", &written.text);
        assert_eq!(messages(&content), Vec::<String>::new(), "seed {seed}");
        let back = &content.kernels[0];
        assert_eq!(listing(back), listing(&trace), "seed {seed}");
        assert_eq!(*back, trace, "seed {seed}");
        assert_eq!(write_traceg(back).text, written.text, "seed {seed}");
    }
}

#[test]
fn trc_round_trip() {
    for seed in 0..500 {
        let any = random_trace(seed, |random| {
            let kind = if random.below(3) == 0 { Kind::Store } else { Kind::Load };
            let bytes = 4 << random.below(3);
            Site { pc: 0, opcode: "".into(), source_line: None, space: Space::Global, kind, bytes }
        });
        let written = write_trc(&any);
        assert_eq!(written.left_out, 0);
        if written.text.iter().filter(|&&b| b == b'\n').count() == 1 {
            continue;
        }
        // The first reading aligns the lanes. Further round trips change nothing.
        let aligned = read("k.trc", &written.text).kernels.remove(0);
        assert_eq!(count(&aligned).lanes, count(&any).lanes, "seed {seed}");
        let content = read("k.trc", &write_trc(&aligned).text);
        assert_eq!(messages(&content), Vec::<String>::new(), "seed {seed}");
        assert_eq!(content.kernels[0], aligned, "seed {seed}");
    }
}

/// Aligns lanes by the definition: sorts all accesses by step, and then splits them by width.
#[test]
fn trc_is_aligned_as_defined() {
    for seed in 0..500 {
        let mut random = Random::new(seed);
        let mut threads: Vec<Vec<(bool, u64, u64)>> = Vec::new();
        for thread in 0..80 {
            let count = random.below(12) * random.below(2);
            let address =
                |random: &mut Random, i: u64| if seed % 2 == 0 { 4096 * i + 4 * thread } else { random.bits() };
            let access = |i| (random.below(3) == 0, address(&mut random, i), 4 << (random.below(8) / 7));
            threads.push((0..count).map(access).collect());
        }
        threads[79] = vec![(false, 4, 4)];
        // The key of an access: the number of loads before it, then load or the number of the store, then the lane.
        let mut steps = std::collections::BTreeMap::new();
        for (thread, list) in threads.iter().enumerate() {
            let (warp, lane) = (thread / 40 * 2 + thread % 40 / 32, thread % 40 % 32);
            let (mut loads, mut stores) = (0, 0);
            for &(store, address, bytes) in list {
                let step = if store { (loads, 0, stores) } else { (loads, 1, 0) };
                (loads, stores) = if store { (loads, stores + 1) } else { (loads + 1, 0) };
                steps.entry((warp, step)).or_insert_with(Vec::new).push((lane, store, bytes, address));
            }
        }
        let mut expected = Vec::new();
        for ((warp, _), lanes) in &steps {
            let mut widths: Vec<u64> = Vec::new();
            lanes.iter().for_each(|lane| {
                if !widths.contains(&lane.2) {
                    widths.push(lane.2)
                }
            });
            for width in widths {
                let mine: Vec<_> = lanes.iter().filter(|lane| lane.2 == width).collect();
                let mask = mine.iter().fold(0u32, |mask, lane| mask | 1 << lane.0);
                expected.push((*warp, mine[0].1, width, mask, mine.iter().map(|lane| lane.3).collect::<Vec<_>>()));
            }
        }
        // The threads are interleaved at random, or one comes after the other.
        let mut text = String::from("blocksize: 40 1 1\n");
        let mut at = vec![0; 80];
        while let Some(first) = (0..80).find(|&t| at[t] < threads[t].len()) {
            let any = random.below(80) as usize;
            let thread = if seed % 3 > 0 && at[any] < threads[any].len() { any } else { first };
            let (store, address, bytes) = threads[thread][at[thread]];
            text += &format!("{thread} {} {address} {bytes}\n", u8::from(store));
            at[thread] += 1;
        }
        let content = read("k.trc", text.as_bytes());
        let kernel = &content.kernels[0];
        let mut found = Vec::new();
        for (number, warp) in kernel.warps.iter().enumerate() {
            for access in kernel.accesses(warp) {
                let mut list = [0; 32];
                let n = access.addresses(&mut list);
                let site = &kernel.sites[access.site as usize];
                found.push((number, site.kind == Kind::Store, u64::from(site.bytes), access.mask, list[..n].to_vec()));
            }
        }
        assert_eq!(found, expected, "seed {seed}");
    }
}

#[test]
fn trc_says_what_it_cannot_hold() {
    let content = read("k.traceg", V5.replace("LDG.E", "LDS.U.32").as_bytes());
    assert_eq!(write_trc(&content.kernels[0]).left_out, 1);
    assert_eq!(write_traceg(&content.kernels[0]).left_out, 0);
}
