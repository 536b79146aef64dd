//! The rows of CLUSTER'17: Huang and Li, *Performance modeling for optimal data placement on GPU with heterogeneous memory
//! systems*.
//!
//! Each equation stands beside an example that is worked by hand in its label. The times of Figures 5 to 9 were measured
//! on a K80 and are not published, so ours of the same moves stand in `docs/placement.md` beside the printed errors.

use super::row::{Claim, Origin, Paper, PaperRow, PaperValues, PaperWork};
use super::value::PaperValue;
use crate::dram_map;
use dram::{analyse, BankSettings, Banks, DramRequest, Moments, Outstanding, Queue, Service};
use gpu::preset;
use placement::{equations as eq, replay, Addressing, IndexShape, Machine, Memory};

/// What is the same in rows that must be exact.
const EXACT: PaperRow = PaperRow {
    id: "",
    paper: Paper::Cluster17,
    item: "",
    what: "",
    unit: "",
    origin: Origin::Printed,
    claim: Claim::Exact,
    work: PaperWork::Nothing,
    open: None,
};

/// Why no time of the paper stands beside ours.
const TIMES: &str =
    "The times of the benchmarks on a K80 are not published, only mean errors. docs/placement.md has the same \
                     errors of our model, with times of our model of the whole K80 and our own texts of the kernels.";

/// What only a reader of the paper needs.
const WORDS: &str = "It defines words and symbols. The model `paper` uses them.";

const ROWS: &[PaperRow] = &[
    by_hand("cluster17.equation-1", "Equation 1", "T = Tcomp + Tmem − Toverlap", equation_1),
    by_hand("cluster17.equation-2", "Equation 2", "Tcomp of 150 instructions a warp, 13 warps an SM, EIT 1/6 and 500 cycles of W_serial", equation_2),
    by_hand("cluster17.equation-3", "Equation 3", "replays of the target: 320 of the sample, 250 of them by (1) to (4), 40 in the target", equation_3),
    by_hand("cluster17.equation-4", "Equation 4", "80 effective requests of 450 cycles", equation_4),
    by_hand("cluster17.equation-5", "Equation 5", "AMAT with a quarter of L2 misses of 649.25 cycles, a hit of 223 and a tenth of shared requests of 47", equation_5),
    by_hand("cluster17.equation-6", "Equations 6 and 8", "a bank of the K80 with a row miss, a hit, a conflict and a hit, 2,000 ns apart", equation_6),
    by_hand("cluster17.equation-7", "Equation 7", "that bank and one request to another bank, weighted by arrivals", equation_7),
    by_hand("cluster17.equation-9", "Equations 9 and 10", "wait with ca 0.7, cs 0.4, ρ 0.25 and τa 200 ns, as printed without squares and with τa", equation_9),
    by_hand("cluster17.equation-11", "Equations 11 and 12", "ratio of events 1.5, 0.25 and 0.5 with coefficients 0.2, −0.4, 0.1 and 0.3; Toverlap of 2,000 cycles", equation_11),
    by_hand("cluster17.equation-13", "Equations 13 to 15", "EIT of 9 cycles of latency, 192 lanes, 20 warps and ILP 1.5; and of 64 warps", equation_13),
    PaperRow {
        claim: Claim::Cannot(
            "The equations are lost in the copy of the paper that is at hand. Ours have the form of Sim et al. \
             (PPoPP'12), from memory; Γ = 64 is theirs for Fermi. The values are worked by hand from that form.",
        ),
        origin: Origin::None,
        ..by_hand("cluster17.equation-16", "Equations 16 and 17", "W_serial of two barriers and thirty special functions a warp; effective requests", equation_16)
    },
    by_hand("cluster17.equation-18", "Equations 18 and 19", "ITMLP of MLP 2 and six warps, with bandwidth for 20 and for 9; MWP_cp of CWP 5, 1 and 50 with MWP 10", equation_18),
    by_hand("cluster17.section-3b-addressing", "III-B, Figure 2", "instructions that address an element of a float array: global, 1D texture, constant, shared", addressing),
    by_hand("cluster17.section-3b-replays", "III-B", "replays (1), (3) and (4) of a warp that reads words 128 bytes apart; (1) counts words, so it sees none", replays),
    by_hand("cluster17.section-3c-rows", "III-C2", "service times and address bits of the preset k80", measured),
    by_hand("cluster17.algorithm-1", "Algorithm 1", "the algorithm finds the bits of a hidden memory that answers only with latencies", algorithm_1),
    PaperRow::cannot("cluster17.table-1", Paper::Cluster17, "Table I", "cosine similarity of nvprof events and times", "The 265 counters of the runs are not published."),
    PaperRow::cannot("cluster17.tables-2-3", Paper::Cluster17, "Tables II and III, Figures 1 and 3", "parameters, symbols and drawings", WORDS),
    PaperRow::cannot("cluster17.table-4", Paper::Cluster17, "Table IV", "38 placements of 8 kernels for training, 22 of 9 for evaluation", TABLE_4),
    PaperRow::cannot("cluster17.figure-4", Paper::Cluster17, "Figure 4", "ca of the arrivals: spmv 1.11, md 2.22, matrixMul 1.72", FIGURE_4),
    PaperRow::cannot("cluster17.figure-5", Paper::Cluster17, "Figure 5", "mean error 9.9 %, and 17.6 % less than by the model of Sim et al. (PPoPP'12)", TIMES),
    PaperRow::cannot("cluster17.figure-6", Paper::Cluster17, "Figure 6", "ranks of five placements of kernelFeedForward1", TIMES),
    PaperRow::cannot("cluster17.figure-7", Paper::Cluster17, "Figures 7 to 9", "the baseline is better by 17 % with counting, 31 % with the queue too, 39.1 % with the mapping too", TIMES),
    PaperRow::cannot(
        "cluster17.coefficients",
        Paper::Cluster17,
        "III-D",
        "the coefficients of equation 11",
        "The paper does not print them. The model is trained on your times or on those of the whole-GPU model, and the \
         untrained rule stands where training does not help on left-out kernels.",
    ),
];

const TABLE_4: &str =
    "35 placements of the training and 14 of the evaluation run in a test (placement_paper.rs). Arrays of \
                       shared memory that move to global memory are no arrays of a trace, a written array cannot be a \
                       texture, and rows that the table prints twice run once.";
const FIGURE_4: &str =
    "The streams are those of GPGPU-Sim's Tesla C2050 and are not published. docs/placement.md has ours, of our \
                        texts of the kernels.";

/// All rows.
pub(super) fn rows() -> Vec<PaperRow> {
    ROWS.to_vec()
}

/// A row that an example by hand holds.
const fn by_hand(id: &'static str, item: &'static str, what: &'static str, work: fn(usize) -> PaperValues) -> PaperRow {
    PaperRow { id, item, what, work: PaperWork::Parts(1, work), ..EXACT }
}

/// A value by hand, in digits that a person would write.
fn number(label: &str, by_hand: f64, ours: f64) -> PaperValue {
    PaperValue::number(label, by_hand, ours, 3)
}

fn equation_1(_: usize) -> PaperValues {
    Ok(vec![number("900 + 2000 − 700", 2200.0, eq::total(900.0, 2000.0, 700.0))])
}

fn equation_2(_: usize) -> PaperValues {
    Ok(vec![number("150 × 13 / 6 + 500", 825.0, eq::t_comp(150.0, 13.0, 1.0 / 6.0, 500.0))])
}

fn equation_3(_: usize) -> PaperValues {
    Ok(vec![number("320 − 250 + 40", 110.0, eq::replays(320.0, 250.0, 40.0))])
}

fn equation_4(_: usize) -> PaperValues {
    Ok(vec![number("80 × 450", 36_000.0, eq::t_mem(80.0, 450.0))])
}

fn equation_5(_: usize) -> PaperValues {
    let ours = eq::amat_printed(649.25, 0.25, 223.0, 47.0, 0.1);
    Ok(vec![number("162.3125 + 223 + 4.7", 390.0125, ours)])
}

fn k80() -> Result<Machine, String> {
    preset("k80").map(|topology| Machine::from_topology(&topology)).ok_or_else(|| "no preset k80".into())
}

/// Requests to memory at these times and addresses, on the K80 as printed.
fn banks(requests: &[(f64, u64)]) -> Result<Banks, String> {
    let machine = k80()?;
    let requests: Vec<DramRequest> = requests.iter().map(|&(ns, address)| DramRequest { ns, address }).collect();
    let (queue, service) = (Queue::SeedPrinted, Service::Latency);
    let settings = BankSettings { queue, service, even: false, outstanding: Outstanding::Each(f64::INFINITY) };
    Ok(analyse(&requests, &machine.measured.mapping, &machine.measured.timing, &settings))
}

/// Bit 8 is a column bit and bit 11 a row bit.
const FOUR: [(f64, u64); 4] = [(0.0, 0), (2000.0, 1 << 8), (4000.0, 1 << 11), (6000.0, 1 << 11 | 1 << 8)];

fn equation_6(_: usize) -> PaperValues {
    let found = banks(&FOUR)?;
    let bank = found.banks.iter().find(|bank| bank.requests > 0).ok_or("no bank")?;
    Ok(vec![
        number("service (742 + 352 + 1008 + 352) / 4, ns", 613.5, bank.moments.service),
        number("cs 277.897 / 613.5", 0.453, bank.moments.cs()),
        number("wait 0.453 / 2 × 0.30675 / 0.69325 × 2000, ns", 200.431, bank.wait_ns),
        number("latency, ns", 813.931, bank.latency_ns),
    ])
}

fn equation_7(_: usize) -> PaperValues {
    let requests: Vec<(f64, u64)> = FOUR.into_iter().chain([(9000.0, 1 << 22)]).collect();
    Ok(vec![number("0.8 × 813.9305 + 0.2 × 742, ns", 799.544, banks(&requests)?.latency_ns)])
}

fn equation_9(_: usize) -> PaperValues {
    let m = Moments { arrival: 200.0, arrival_deviation: 140.0, service: 50.0, service_deviation: 20.0 };
    let wait = Queue::SeedPrinted.wait(&m).ok_or("no wait")?;
    Ok(vec![
        number("ca 140 / 200", 0.7, m.ca()),
        number("cs 20 / 50", 0.4, m.cs()),
        number("ρ 50 / 200", 0.25, m.utilisation()),
        number("wait 0.55 × 1/3 × 200, ns", 36.667, wait),
    ])
}

fn equation_11(_: usize) -> PaperValues {
    let ratio = eq::overlap_ratio(&[1.5, 0.25, 0.5], &[0.2, -0.4, 0.1], 0.3);
    Ok(vec![number("0.3 − 0.1 + 0.05 + 0.3", 0.55, ratio), number("0.55 × 2000", 1100.0, eq::t_overlap(ratio, 2000.0))])
}

fn equation_13(_: usize) -> PaperValues {
    let most = eq::itilp_max(9.0, 192.0);
    let eit = |warps| eq::eit(9.0, eq::itilp(1.5, warps, most), f64::INFINITY);
    Ok(vec![
        number("ITILP_max 9 / (32 / 192)", 54.0, most),
        number("20 warps: 9 / 30", 0.3, eit(20.0)),
        number("64 warps: 9 / 54", 0.167, eit(64.0)),
    ])
}

fn equation_16(_: usize) -> PaperValues {
    let ours = |label: &str, value: f64| PaperValue::ours(label, format!("{value:.0}"));
    Ok(vec![
        ours("O_sync 2 × 16 × 64 × 500 × 0.1 = 102,400", eq::o_sync(2.0, 16.0, 64.0, 500.0, 0.1)),
        ours("O_SFU 30 × 16 × 1 × (0.3 − 1/6) = 64", eq::o_sfu(30.0, 16.0, 32.0, 0.3, 192.0)),
        ours("effective requests 12 × 64 / 8 = 96", eq::effective_requests(12.0, 64.0, 8.0)),
    ])
}

fn equation_18(_: usize) -> PaperValues {
    Ok(vec![
        number("ITMLP min(12, 20)", 12.0, eq::itmlp(2.0, 6.0, 20.0)),
        number("ITMLP min(12, 9)", 9.0, eq::itmlp(2.0, 6.0, 9.0)),
        number("MWP_cp min(max(1, 4), 10)", 4.0, eq::mwp_cp(5.0, 10.0)),
        number("MWP_cp min(max(1, 0), 10)", 1.0, eq::mwp_cp(1.0, 10.0)),
        number("MWP_cp min(max(1, 49), 10)", 10.0, eq::mwp_cp(50.0, 10.0)),
    ])
}

fn addressing(_: usize) -> PaperValues {
    let kepler = Addressing { wide_multiply: false };
    let of = |memory| kepler.instructions(memory, IndexShape::Line { power: false }, 4);
    let each = [(Memory::Global, 2.0), (Memory::Texture1d, 0.0), (Memory::Constant, 1.0), (Memory::Shared, 1.0)];
    Ok(each
        .into_iter()
        .map(|(memory, printed)| PaperValue::number(memory.to_string(), printed, of(memory), 0))
        .collect())
}

fn replays(_: usize) -> PaperValues {
    let addresses: Vec<u64> = (0..32).map(|lane| 128 * lane).collect();
    let lanes: Vec<u8> = (0..32).collect();
    let count = |label: &str, by_hand: f64, ours: u32| PaperValue::number(label, by_hand, f64::from(ours), 0);
    Ok(vec![
        count("(1) 32 × 4 / 128 − 1", 0.0, replay::global_literal(32, 4, 128)),
        count("(3) 32 words − 1", 31.0, replay::constant_divergence(&addresses, 4)),
        count("(4) 32 lanes in one bank − 1", 31.0, replay::shared(&addresses, &lanes, 4).conflicts.into()),
    ])
}

fn measured(_: usize) -> PaperValues {
    let machine = k80()?;
    let board = preset("k80").map(|topology| topology.full_board()).ok_or("no preset k80")?;
    let bits = board.row_and_column_bits.ok_or("no bits")?.value;
    let bits: Vec<String> = bits.iter().map(u64::to_string).collect();
    let [hit, miss, conflict] = machine.measured.timing.latency_ns;
    Ok(vec![
        PaperValue::number("row hit, ns", 352.0, hit, 0),
        PaperValue::number("row miss, ns", 742.0, miss, 0),
        PaperValue::number("row conflict, ns", 1008.0, conflict, 0),
        PaperValue::text("row and column bits", "8 9 10 11 12 13 14 15 16 17 18 19 20 21 30 31 32", bits.join(" ")),
        PaperValue::number("banks", 96.0, f64::from(machine.measured.mapping.banks()), 0),
    ])
}

fn algorithm_1(_: usize) -> PaperValues {
    let found = dram_map(1, false);
    let text = |list: &[u32]| list.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
    Ok(vec![
        PaperValue::text("column bits", text(&found.truth.column), text(&found.algorithm_1.column)),
        PaperValue::text("row bits", text(&found.truth.row), text(&found.algorithm_1.row)),
    ])
}
