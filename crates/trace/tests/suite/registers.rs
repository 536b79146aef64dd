//! First uses of loads from the registers of an Accel-Sim trace, by hand; opcodes and registers that are written.

use trace::{write_traceg, FileReader, Schedule, Trace};

fn kernel(header: &str, lines: &str) -> Trace {
    let count = lines.lines().count();
    let text = format!(
        "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n{header}-accelsim tracer version = 4\n\n\
         #BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = {count}\n{lines}#END_TB\n"
    );
    let mut reader = FileReader::new("k.traceg");
    reader.push_bytes(text.as_bytes());
    let content = reader.finish();
    assert!(content.diagnostics.is_empty(), "{:?}", content.diagnostics);
    content.kernels.into_iter().next().expect("a kernel")
}

/// The instructions between each site's load and the first use, in order of the program counter.
fn uses(trace: &Trace) -> Vec<Option<u16>> {
    let mut sites: Vec<_> = (0..trace.sites.len() as u32).collect();
    sites.sort_by_key(|&site| trace.sites[site as usize].pc);
    sites.into_iter().map(|site| trace.schedule(site).map(|schedule| schedule.use_after)).collect()
}

const NEVER: Option<u16> = Some(Schedule::NEVER);

#[test]
fn the_first_instruction_that_reads_the_register_uses_the_value() {
    let trace = kernel(
        "",
        "0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x1000 4\n\
         0010 ffffffff 1 R5 LDG.E 1 R2 4 1 0x2000 4\n\
         0020 ffffffff 1 R7 IADD3 1 R6 0\n\
         0030 ffffffff 1 R8 FADD 2 R4 R7 0\n\
         0040 ffffffff 1 R9 FADD 2 R4 R5 0\n\
         0050 ffffffff 0 STG.E 2 R2 R9 4 1 0x3000 4\n",
    );
    assert_eq!(uses(&trace), [Some(2), Some(2), None]);
    assert_eq!(trace.schedule(0).map(|schedule| schedule.hoist), Some(0));
}

#[test]
fn a_register_that_is_written_again_or_never_read_has_no_use() {
    let trace = kernel(
        "",
        "0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x1000 4\n\
         0010 ffffffff 1 R4 MOV 1 R6 0\n\
         0020 ffffffff 1 R5 FADD 1 R4 0\n\
         0030 ffffffff 1 R9 LDG.E 1 R2 4 1 0x2000 4\n\
         0040 ffffffff 1 R255 LDG.E 1 R2 4 1 0x2000 4\n\
         0050 ffffffff 1 R12 IADD3 1 R255 0\n",
    );
    assert_eq!(uses(&trace), [NEVER, NEVER, NEVER]);
}

#[test]
fn wide_values_take_the_registers_after_the_listed_one() {
    let trace = kernel(
        "",
        "0000 ffffffff 1 R4 LDG.E.128 1 R2 16 1 0x1000 16\n\
         0010 ffffffff 1 R10 IMAD.WIDE 1 R8 0\n\
         0020 ffffffff 1 R20 LDG.E.64 1 R2 8 1 0x2000 8\n\
         0030 ffffffff 1 R13 FADD 1 R7 0\n\
         0040 ffffffff 1 R14 DADD 1 R20 0\n\
         0050 ffffffff 1 R30 LDG.E 1 R2 4 1 0x1000 4\n\
         0060 ffffffff 1 R29 IMAD.WIDE 1 R8 0\n\
         0070 ffffffff 1 R31 FADD 1 R30 0\n",
    );
    assert_eq!(uses(&trace), [Some(2), Some(1), NEVER], "R30 is the upper half of R29");
}

#[test]
fn the_most_frequent_distance_counts() {
    let line = |pc: &str, rest: &str| format!("{pc} ffffffff {rest}\n");
    let (load, add, other) =
        (line("0000", "1 R4 LDS 1 R2 4 1 0x0 4"), line("0010", "1 R5 FADD 1 R4 0"), line("0020", "1 R6 IADD3 1 R7 0"));
    let near = format!("{load}{add}");
    let far = format!("{load}{other}{add}");
    assert_eq!(uses(&kernel("", &format!("{near}{far}{far}"))), [Some(1)]);
    assert_eq!(uses(&kernel("", &format!("{far}{near}"))), [Some(0)], "the smaller of two that are as frequent");
}

#[test]
fn copies_to_shared_memory_wait_at_depbar_and_reductions_never() {
    let trace = kernel(
        "",
        "0000 ffffffff 0 LDGSTS.E 2 R3 R2 4 1 0x1000 4\n\
         0010 ffffffff 1 R4 LDG.E 1 R2 4 1 0x1000 4\n\
         0020 ffffffff 0 RED.E.ADD 2 R2 R3 4 1 0x1000 4\n\
         0030 ffffffff 0 LDGDEPBAR 0 0\n\
         0040 ffffffff 0 DEPBAR.LE 0 0\n\
         0050 ffffffff 1 R5 FADD 1 R4 0\n",
    );
    assert_eq!(uses(&trace), [Some(3), Some(3), NEVER]);
}

#[test]
fn a_trace_without_registers_has_no_schedules() {
    let trace = kernel("", "0000 ffffffff 0 LDG.E 0 4 1 0x1000 4\n0010 ffffffff 0 NOP 0 0\n");
    assert!(!trace.has_schedules());
}

#[test]
fn raw_traces_keep_the_registers_and_barriers_of_each_warp_apart() {
    let line = |warp: u32, rest: &str| format!("0 0 0 {warp} {rest}\n");
    let mut text =
        String::from("-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (64,1,1)\n-accelsim tracer version = 3\n\n");
    for (warp, rest) in [
        (1, "0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x1000 4"),
        (0, "0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x1000 4"),
        (0, "0010 ffffffff 1 R6 MOV 1 R5 0"),
        (1, "0010 ffffffff 1 R6 MOV 1 R5 0"),
        (0, "0020 ffffffff 0 BAR.SYNC 0 0"),
        (0, "0030 ffffffff 1 R7 FADD 1 R4 0"),
        (1, "0020 ffffffff 0 BAR.SYNC 0 0"),
        (1, "0030 ffffffff 1 R7 FADD 1 R4 0"),
        (0, "0040 ffffffff 0 STG.E 2 R2 R7 4 1 0x1000 4"),
        (1, "0040 ffffffff 0 STG.E 2 R2 R7 4 1 0x1000 4"),
        (1, "0050 ffffffff 0 BAR.SYNC 0 0"),
    ] {
        text.push_str(&line(warp, rest));
    }
    let mut reader = FileReader::new("k.trace");
    reader.push_bytes(text.as_bytes());
    let trace = reader.finish().kernels.remove(0);
    assert_eq!(uses(&trace), [Some(2), None]);
    let barriers = |warp: usize| -> Vec<(u32, u32)> {
        trace.barriers(&trace.warps[warp]).iter().map(|barrier| (barrier.access, barrier.gap)).collect()
    };
    assert_eq!((barriers(0), barriers(1)), (vec![(1, 2)], vec![(1, 2), (2, 1)]));
}

#[test]
fn written_lines_fit_what_accel_sim_takes() {
    let trace = kernel(
        "-warpscope estimated registers = 40\n-warpscope waiting = 20000\n-warpscope schedule = 0 LDG.E 2 1\n",
        "0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x1000 4\n\
         0010 ffffffff 1 R5 IADD3 1 R6 0\n\
         0020 ffffffff 1 R8 FFMA 2 R4 R5 0\n\
         0030 ffffffff 0 STG.E 2 R2 R8 4 1 0x3000 4\n\
         0040 ffffffff 0 EXIT 0 0\n",
    );
    assert_eq!(trace.schedule(0), Some(Schedule { hoist: 2, use_after: 1 }));
    assert_eq!((trace.launch.registers, trace.launch_with_registers().registers), (0, 40));
    assert_eq!(trace.issue.waiting, 20_000);
    let written = String::from_utf8(write_traceg(&trace).text).expect("text");
    assert!(written.contains("\n-warpscope estimated registers = 40\n-warpscope waiting = 20000\n"), "{written}");
    let first = written.lines().find(|line| line.starts_with('#')).expect("a line");
    assert!(first.starts_with("#traces format"), "the end of the header must not be the first block: {first}");
    let lines: Vec<&str> = written.lines().filter(|line| line.contains(" ffffffff ")).map(|l| &l[5..]).collect();
    assert_eq!(
        lines,
        [
            "ffffffff 1 R16 LDG.E 1 R8 4 1 0x1000 4 0 ",
            "ffffffff 1 R2 IADD3 1 R10 0 0 ",
            "ffffffff 1 R4 FFMA 1 R16 0 0 ",
            "ffffffff 0 STG.E 2 R8 R10 4 1 0x3000 4 0 ",
            "ffffffff 0 EXIT 0 0 0 ",
        ]
    );
    let mut fields = lines.iter().map(|line| line.split(' '));
    assert!(fields.all(|mut f| f.nth(1).and_then(|n| n.parse::<u32>().ok()).is_some_and(|n| n <= 1)));
}

#[test]
fn conversions_run_on_the_special_function_unit_or_on_that_of_doubles() {
    let opcodes = ["F2I.TRUNC", "I2F", "FRND.FLOOR", "F2F.F32.F64", "I2F.F64", "FLO.U32"];
    let plain: String =
        opcodes.iter().zip(0..).map(|(opcode, i)| format!("{:04x} ffffffff 0 {opcode} 0 0\n", 16 * i)).collect();
    let mix = kernel("", &plain).mix;
    assert_eq!((mix.special, mix.fp64, mix.integer), (3, 2, 1));
}

#[test]
fn units_of_a_launch_are_written_and_read_back() {
    let plain: String = (0..40)
        .map(|i| {
            let opcode = ["IADD3", "FFMA", "MUFU.RCP", "DFMA", "IMAD", "BRA"][i % 6];
            format!("{:04x} ffffffff 0 {opcode} 0 0\n", 16 * i)
        })
        .collect();
    let trace = kernel("", &format!("{plain}0000 ffffffff 0 STG.E 0 4 1 0x1000 4\n0300 ffffffff 0 BAR.SYNC 0 0\n"));
    let mut reader = FileReader::new("k.traceg");
    reader.push_bytes(&write_traceg(&trace).text);
    let back = reader.finish().kernels.remove(0);
    assert_eq!(back.mix, trace.mix);
    assert_eq!((back.mix.integer, back.mix.special, back.mix.other), (13, 7, 7));
    assert_eq!(back.barriers(&back.warps[0]), trace.barriers(&trace.warps[0]));
}
