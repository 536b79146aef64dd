//! Tests of the text of NVBit's mem_trace and the NDJSON of CUTracer. The content of generated files is compared with
//! the generator's.

use base::Random;
use base::Severity;
use std::collections::BTreeMap;
use std::fmt::Write;
use trace::{FileContent, FileReader, Format, Kind, Space, Trace};

fn read(name: &str, text: &str) -> FileContent {
    let mut reader = FileReader::new(name);
    text.as_bytes().chunks(777).for_each(|chunk| reader.push_bytes(chunk));
    reader.finish()
}

fn messages(content: &FileContent) -> Vec<String> {
    content.diagnostics.iter().map(ToString::to_string).collect()
}

/// Opcode, space, kind and bytes of an access.
const OPCODES: [(&str, Space, Kind, u16, u64); 6] = [
    ("LDG.E.64", Space::Global, Kind::Load, 8, 3),
    ("STG.E", Space::Global, Kind::Store, 4, 3),
    ("LDS.U.32", Space::Shared, Kind::Load, 4, 4),
    ("STL.64", Space::Local, Kind::Store, 8, 1),
    ("LD.E.128", Space::Global, Kind::Load, 16, 2),
    ("SULD.D.32", Space::Texture, Kind::Load, 4, 7),
];

#[derive(Clone)]
struct Access {
    launch: u64,
    block: [u32; 3],
    warp: u32,
    opcode: usize,
    lanes: [u64; 32],
}

/// Interleaved accesses of several launches with 4 warps in a block.
fn random_accesses(seed: u64) -> Vec<Access> {
    let mut random = Random::new(seed);
    (0..random.below(60) + 1)
        .map(|_| {
            let mask = if random.below(3) == 0 { random.bits() as u32 } else { u32::MAX };
            let base = 0x7f00_0000_0000 + random.below(1 << 30);
            let step = random.below(64);
            Access {
                launch: random.below(3),
                block: [random.below(3) as u32, random.below(2) as u32, 0],
                warp: random.below(4) as u32,
                opcode: random.below(6) as usize,
                lanes: std::array::from_fn(|lane| if mask >> lane & 1 == 1 { base + step * lane as u64 } else { 0 }),
            }
        })
        .collect()
}

type Seen = (Space, Kind, u16, Vec<(u32, u64)>);

/// The generated accesses by launch, block and warp.
fn expected(all: &[Access]) -> BTreeMap<(u64, [u32; 3], u32), Vec<Seen>> {
    let mut out: BTreeMap<_, Vec<Seen>> = BTreeMap::new();
    for access in all {
        let (_, space, kind, bytes, _) = OPCODES[access.opcode];
        let lanes: Vec<_> = (0..32).zip(access.lanes).filter(|(_, address)| *address != 0).collect();
        let list = out.entry((access.launch, access.block, access.warp)).or_default();
        if !lanes.is_empty() {
            list.push((space, kind, bytes, lanes));
        }
    }
    out
}

fn seen(kernels: &[Trace], launches: &[u64]) -> BTreeMap<(u64, [u32; 3], u32), Vec<Seen>> {
    let mut out = BTreeMap::new();
    for (kernel, &launch) in kernels.iter().zip(launches) {
        for block in &kernel.blocks {
            for warp in &kernel.warps[block.warps.start as usize..block.warps.end as usize] {
                let list = kernel.accesses(warp).map(|access| {
                    let mut addresses = [0; 32];
                    access.addresses(&mut addresses);
                    let site = &kernel.sites[access.site as usize];
                    let lanes = (0..32).filter(|lane| access.mask >> lane & 1 == 1).zip(addresses).collect();
                    (site.space, site.kind, site.bytes, lanes)
                });
                out.insert((launch, [block.id.x, block.id.y, block.id.z], warp.index), list.collect());
            }
        }
    }
    out
}

fn order(all: &[Access]) -> Vec<u64> {
    let mut order = Vec::new();
    all.iter().for_each(|access| {
        if !order.contains(&access.launch) {
            order.push(access.launch)
        }
    });
    order
}

fn mem_trace(all: &[Access]) -> String {
    let mut text = String::from("------ NVBit (NVidia Binary Instrumentation Tool v1.7) ------\nprogram says hello\n");
    for launch in order(all) {
        let _ = writeln!(
            text,
            "MEMTRACE: CTX 0x000055d0 - LAUNCH - Kernel pc 0x00007f10 - Kernel name void k<{launch}>(int - 1, float*) - grid \
             launch id {launch} - grid size 3,2,1 - block size 128,1,1 - nregs 32 - shmem 512 - cuda stream id 0"
        );
    }
    for (i, a) in all.iter().enumerate() {
        let [x, y, z] = a.block;
        let opcode = OPCODES[a.opcode].0;
        let head = format!(
            "MEMTRACE: CTX 0x000055d0 - grid_launch_id {} - CTA {x},{y},{z} - warp {} - {opcode} - ",
            a.launch, a.warp
        );
        let lanes: String = a.lanes.iter().map(|address| format!("0x{address:016x} ")).collect();
        let _ = writeln!(text, "{head}{lanes}");
        if i % 5 == 0 {
            text += "  program output, 42%\n";
        }
    }
    text
}

#[test]
fn mem_trace_text() {
    for seed in 0..200 {
        let all = random_accesses(seed);
        let content = read("run.log", &mem_trace(&all));
        assert_eq!(content.format, Format::MemTrace);
        assert_eq!(messages(&content), Vec::<String>::new(), "seed {seed}");
        let order = order(&all);
        assert_eq!(seen(&content.kernels, &order), expected(&all), "seed {seed}");
        for (kernel, launch) in content.kernels.iter().zip(order) {
            assert_eq!(kernel.name, format!("void k<{launch}>(int - 1, float*)"));
            assert_eq!((kernel.launch.grid.count(), kernel.launch.block.count()), (6, 128));
            assert_eq!((kernel.launch.registers, kernel.launch.shared_bytes), (32, 512));
        }
    }
}

#[test]
fn warps_numbered_by_the_hardware_are_numbered_anew() {
    let mut all = random_accesses(3);
    let plain = read("a", &mem_trace(&all));
    all.iter_mut().for_each(|access| access.warp = 17 + 2 * access.warp);
    let content = read("a", &mem_trace(&all));
    assert!(messages(&content)[0]
        .starts_with("a: note: expected a warp's index in its block, found the tool's own numbers"));
    for (kernel, other) in content.kernels.iter().zip(&plain.kernels) {
        assert_eq!(kernel.access_count(), other.access_count());
        for block in &kernel.blocks {
            let warps = &kernel.warps[block.warps.start as usize..block.warps.end as usize];
            assert!(warps.iter().enumerate().all(|(i, warp)| warp.index == i as u32));
        }
    }
}

#[test]
fn mem_trace_messages() {
    let good = "MEMTRACE: CTX 0x1 - grid_launch_id 0 - CTA 0,0,0 - warp 0 - LDG.E - ".to_string() + &"0x10 ".repeat(32);
    let cases = [
        ("LDG.E", "ldg", "a:2: warning: expected an opcode, found `ldg`; the line was skipped; other output may"),
        ("warp 0", "warp x", "a:2: warning: expected a warp's number, found `x`"),
        ("CTA 0,0,0", "CTA z", "a:2: warning: expected a block's index, `x,y,z`, found `z`"),
        ("CTA 0,0,0", "0,0,0", "a:2: warning: expected CTA, found `0,0,0`"),
        ("0x10 0x10 0x10 ", "", "a:2: warning: expected 32 addresses in hexadecimal, found the end of the line"),
        ("grid_launch_id 0", "grid 0", "a:2: warning: expected `grid_launch_id` or `LAUNCH`, found `grid 0`"),
        ("LDG.E", "XYZ", "a:2: note: expected a known memory instruction, found 1 instruction such as `XYZ`"),
    ];
    for (from, to, told) in cases {
        let content = read("a", &format!("{good}\n{}\n{good}\n", good.replacen(from, to, 1)));
        assert!(messages(&content).iter().any(|message| message.starts_with(told)), "{told}: {:?}", messages(&content));
        assert_eq!(content.kernels[0].access_count(), 2);
    }
    let content = read("a", "MEMTRACE: CTX 0x1 - LAUNCH - Kernel pc 0x1 - Kernel name k\n");
    assert!(content.kernels.is_empty());
    assert!(content.diagnostics.iter().any(|d| d.severity == Severity::Error));
}

#[derive(Clone, Copy, PartialEq)]
enum Cutracer {
    /// Objects `mem_addr_trace` with the disassembly.
    Sass,
    /// Objects `mem_value_trace`.
    Values,
    /// Both types, so that each access is in the file twice.
    Both,
}

fn cutracer(all: &[Access], shape: Cutracer) -> String {
    let mut text = String::new();
    for launch in order(all) {
        let _ = writeln!(
            text,
            r#"{{"type":"kernel_launch","ctx":"0x5","grid_launch_id":{launch},"kernel_name":"k{launch}","grid":[3,2,1],"block":[128,1,1],"cta":null}}"#
        );
    }
    for (i, a) in all.iter().enumerate() {
        let (opcode, _, kind, bytes, space) = OPCODES[a.opcode];
        let common = format!(
            r#""addrs":{:?},"cta":{:?},"ctx":"0x5","grid_launch_id":{},"opcode_id":{},"pc":"0x{:x}","timestamp":{i},"trace_index":{i},"warp":{}"#,
            a.lanes,
            a.block,
            a.launch,
            a.opcode,
            16 * a.opcode,
            a.warp
        );
        if shape != Cutracer::Values {
            let _ = writeln!(
                text,
                r#"{{{common},"ipoint":"B","type":"mem_addr_trace","sass":"@!P0 {opcode} R0, [R2] ;"}}"#
            );
        }
        if shape != Cutracer::Sass {
            let values = vec![[1, 2]; 32];
            let load = kind == Kind::Load;
            let _ = writeln!(
                text,
                r#"{{"access_size":{bytes},{common},"ipoint":"A","is_load":{load},"mem_space":{space},"type":"mem_value_trace","values":{values:?}}}"#
            );
        }
        let _ =
            writeln!(text, r#"{{"cta":[0,0,0],"ctx":"0x5","grid_launch_id":0,"type":"reg_trace","regs":[],"warp":0}}"#);
    }
    text
}

#[test]
fn cutracer_objects() {
    for seed in 0..100 {
        let all = random_accesses(seed);
        for shape in [Cutracer::Sass, Cutracer::Values, Cutracer::Both] {
            let content = read("k.ndjson", &cutracer(&all, shape));
            assert_eq!(content.format, Format::CuTracer);
            let told = messages(&content);
            assert_eq!(told.len(), usize::from(shape == Cutracer::Both), "{told:?}");
            assert!(told.iter().all(|m| m.contains("note: expected addresses or values of a launch, found both")));
            assert_eq!(seen(&content.kernels, &order(&all)), expected(&all), "seed {seed}");
            assert_eq!(content.kernels[0].name, format!("k{}", all[0].launch));
            assert_eq!(content.kernels[0].sites.iter().map(|site| site.pc % 16).max().unwrap_or(0), 0);
        }
    }
}

#[test]
fn cutracer_without_a_word_on_the_access() {
    let text = cutracer(&random_accesses(1), Cutracer::Sass).replace("\"sass\"", "\"other\"");
    let lines: Vec<&str> = text.lines().filter(|line| line.contains("mem_addr_trace")).collect();
    let content = read("k.ndjson", &lines.join("\n"));
    assert!(messages(&content)[0]
        .starts_with("k.ndjson:1: warning: expected `sass`, or `is_load` and `access_size`, found neither"));
    assert!(content
        .kernels
        .iter()
        .all(|kernel| kernel.sites.iter().all(|site| site.kind == Kind::Load && site.bytes == 4)));
}

#[test]
fn cutracer_messages() {
    let good = cutracer(&random_accesses(2)[..1], Cutracer::Values);
    let good = good.lines().find(|line| line.contains("mem_value")).unwrap_or_default();
    let cases = [
        (
            "\"addrs\":[",
            "\"addrs\":[1,",
            "k:2: warning: expected 32 addresses `addrs`, found another or none; the line was",
        ),
        ("\"cta\":[", "\"cta\":[[],", "k:2: warning: expected a block's index `cta` of three numbers"),
        ("\"warp\":", "\"w\":", "k:2: warning: expected a number `warp`"),
        ("{", "", "k:2: warning: expected a JSON object on one line, found `"),
    ];
    for (from, to, told) in cases {
        let content = read("k", &format!("{good}\n{}\n{good}", good.replacen(from, to, 1)));
        assert!(messages(&content).iter().any(|message| message.starts_with(told)), "{told}: {:?}", messages(&content));
        assert_eq!(content.kernels.iter().map(Trace::access_count).sum::<usize>(), 2);
    }
}
