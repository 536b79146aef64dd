//! TITAN X (Pascal): nvprof's counters beside those of Accel-Sim and microgpusim, in the table of romnn/microgpusim
//! (MIT).

use crate::check::counter::Counter;
use crate::check::row::{Before, Case, LaunchPlan, Measured, Scale, Sizes, SIMULATORS};
use crate::check::sets::MeasuredSet;
use crate::check::table::{numbers_in, Refusal, Row};
use crate::check::texts;

pub(crate) const SET: MeasuredSet = MeasuredSet {
    title: "TITAN X (Pascal), nvprof",
    about: "nvprof replays each launch, so the caches hold what the restored copies left (state `replay`). \
            The file rounds its numbers to 0.1 K. The error of DRAM reads and writes is a share of the L1 accesses.",
    columns: &["benchmark", "arguments", "l1_accesses", "l2_read_hits", "dram_reads"],
    cases,
};

/// The counters with their columns, and whether the error is a share of the L1 accesses.
const COUNTERS: [(Counter, &str, bool); 10] = [
    (Counter::Cycles, "cycles", false),
    (Counter::ThreadInstructions, "instructions", false),
    (Counter::L1Accesses, "l1_accesses", false),
    (Counter::L1HitRate, "l1_hit_rate_pct", false),
    (Counter::L2Reads, "l2_reads", false),
    (Counter::L2ReadHits, "l2_read_hits", false),
    (Counter::L2ReadHitRate, "l2_read_hit_rate_pct", false),
    (Counter::L2WriteHits, "l2_write_hits", false),
    (Counter::DramReads, "dram_reads", true),
    (Counter::DramWrites, "dram_writes", true),
];

fn cases(row: &Row<'_>) -> Result<Vec<Case>, Refusal> {
    let (text, sizes) = launch(row)?;
    let accesses = row.number("l1_accesses")?;
    let mut measured = Vec::new();
    for (counter, column, of_accesses) in COUNTERS {
        measured.push(Measured {
            counter,
            value: row.number(column)?,
            share_of: of_accesses.then_some((accesses, "L1 accesses")),
            others: SIMULATORS.map(|(_, prefix)| row.optional(&format!("{prefix}{column}"))),
        });
    }
    let name = match row.text("benchmark") {
        "babelstream" => row.text("kernel").trim_end_matches("_kernel"),
        other => other,
    };
    Ok(vec![Case {
        variant: None,
        label: format!("{name} {}", row.text("arguments").replace('_', " ")),
        gpu: "titan-x-pascal",
        launch: LaunchPlan { text, sizes, before: Before::Replay },
        scale: Scale::whole(),
        measured,
    }])
}

/// The text of a benchmark with its sizes.
fn launch(row: &Row<'_>) -> Result<(texts::KernelText, Sizes), Refusal> {
    let arguments = row.text("arguments");
    let numbers = numbers_in(arguments);
    let sized = |text, names: &[&'static str], values: &[u64]| {
        let fits = names.len() == values.len() && values.iter().all(|value| (1..=1 << 24).contains(value));
        let pairs = names.iter().copied().zip(values.iter().copied()).collect();
        fits.then_some((text, pairs)).ok_or_else(|| row.refuse("arguments", "the sizes of the benchmark"))
    };
    match (row.text("benchmark"), row.text("kernel")) {
        ("babelstream", "copy_kernel") => sized(texts::BABELSTREAM_COPY, &["n"], &numbers),
        ("babelstream", "mul_kernel") => sized(texts::BABELSTREAM_MUL, &["n"], &numbers),
        ("babelstream", "add_kernel") => sized(texts::BABELSTREAM_ADD, &["n"], &numbers),
        ("babelstream", "triad_kernel") => sized(texts::BABELSTREAM_TRIAD, &["n"], &numbers),
        ("matrixmul", _) => sized(texts::MATRIXMUL, &["n"], &numbers),
        ("simple_matrixmul", _) => sized(texts::SIMPLE_MATRIXMUL, &["m", "n", "p"], &numbers),
        ("transpose", _) if arguments.ends_with("_naive") => sized(texts::TRANSPOSE_NAIVE, &["n"], &numbers),
        ("transpose", _) if arguments.ends_with("_coalesced") => sized(texts::TRANSPOSE_COALESCED, &["n"], &numbers),
        ("vectorAdd", _) if arguments.starts_with("32_") => sized(texts::VECTORADD_32, &["n"], &numbers[1..]),
        ("vectorAdd", _) if arguments.starts_with("64_") => sized(texts::VECTORADD_64, &["n"], &numbers[1..]),
        _ => Err(Refusal::NotModelled("the project has no text of the kernel")),
    }
}
