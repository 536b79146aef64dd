//! Tests of `.traceg`, construct by construct.

use super::formats::{count, listing, messages, read};
use trace::Format;

const HEAD: &str = "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (64,1,1)\n-shmem = 16\n-nregs = 8\n\
    -shmem base_addr = 0x00007fb05c000000\n-local mem base_addr = 0x00007fb05a000000\n";

pub(super) const V5: &str = "-kernel name = k\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-nregs = 8\n\
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

#[test]
fn blocks_that_are_missing_are_told() {
    let text = V5.replace("grid dim = (1,1,1)", "grid dim = (3,2,1)");
    let content = read("k.traceg", text.as_bytes());
    assert_eq!(
        messages(&content),
        ["k.traceg: note: expected 6 blocks of the grid, found 1; all counts are of the blocks in the file"]
    );
    assert!(messages(&read("k.traceg", V5.as_bytes())).is_empty());
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
            "k.traceg:17: note: expected a known memory instruction, found 1 instruction such as `XYZ.E`",
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
