//! The rows of IPDPS'12: Cui et al., *A Highly Parallel Reuse Distance Analysis Algorithm on GPUs*.
//!
//! The paper's traces are those of SPEC CPU2000, which are not at hand, and its histograms stand in pictures. Ours are of
//! the six generated streams of the Reuse tab: 262,144 accesses each. The examples are worked by hand from the text.

use super::row::{Claim, Origin, Paper, PaperRow, PaperValues, PaperWork};
use super::value::PaperValue;
use crate::scenario::Scenario;
use reuse::{hp_rda, Histogram, HistogramDifference, HpRdaSettings, Pattern, RankBits, ReuseEngine, SyntheticStream};

/// What is the same in rows that must be exact.
const EXACT: PaperRow = PaperRow {
    id: "",
    paper: Paper::Ipdps12,
    item: "",
    what: "",
    unit: "",
    origin: Origin::Printed,
    claim: Claim::Exact,
    work: PaperWork::Nothing,
    open: None,
};

const ROWS: &[PaperRow] = &[
    PaperRow {
        id: "ipdps12.figure-1",
        item: "Figure 1",
        what: "distance of the second access to b, with c, g, e, f and a between them",
        work: PaperWork::Parts(1, |_| figure_1()),
        ..EXACT
    },
    none("ipdps12.figure-2", "Figures 2 and 3", "the balanced tree and the sequential algorithm", LISTING),
    none("ipdps12.figure-4", "Figure 4", "the steps of HP-RDA", LISTING),
    PaperRow {
        id: "ipdps12.figure-5",
        item: "Figure 5",
        what: "the local array before the last access to a, and its distance",
        work: PaperWork::Parts(1, |_| figure_5()),
        ..EXACT
    },
    PaperRow {
        id: "ipdps12.equation-1",
        item: "Equation 1, Figures 6 and 8",
        what: "distances joined over three thread traces with 5, 4 and 3 distinct addresses, by hand; g gets 6 in place of 4",
        work: PaperWork::Parts(1, |_| equation_1()),
        ..EXACT
    },
    PaperRow {
        id: "ipdps12.equation-2",
        item: "Equations 2 and 3",
        what: "a distance above M is multiplied by ef = M / Σ count, by hand: 5 × 0.3, cut to 1",
        work: PaperWork::Parts(1, |_| equations_2_and_3()),
        ..EXACT
    },
    PaperRow {
        id: "ipdps12.equation-4",
        item: "Equation 4",
        what: "bounds of ef: 1 without overlap, 1/n where n thread traces have the same addresses",
        work: PaperWork::Parts(1, |_| equation_4()),
        ..EXACT
    },
    none("ipdps12.figure-7", "Figure 7", "the algorithm that merges thread-level results", LISTING),
    none("ipdps12.figure-9", "Figure 9", "the distribution of work over threads", LISTING),
    none(
        "ipdps12.figure-10",
        "Figures 10 and 11",
        "speed-ups over the sequential algorithm: 19.6 on a GPU, 3 on four CPU threads",
        "Times depend on the machine, so a list that gives the same everywhere has none. The Reuse tab times the engines \
         beside each other, on the GPU where the browser has WebGPU; docs/speed.md has ours.",
    ),
    PaperRow {
        id: "ipdps12.figure-12",
        item: "Figures 12 and 13",
        what: "largest gap to the exact curve of accumulated shares at distances 0, 1, 2, 4 … 4 M, without and with adjustment",
        unit: "points",
        origin: Origin::None,
        claim: Claim::Cannot(
            "The paper draws curves of SPEC CPU2000 programs and prints no values. Ours are generated streams. Adjustment narrows \
             the gap of three, and widens that of the uniform stream and of the product of matrices.",
        ),
        work: PaperWork::Parts(STREAMS.len(), figure_12),
        open: Some(reuse_tab),
        ..EXACT
    },
    PaperRow {
        id: "ipdps12.figure-14",
        item: "Figure 14",
        what: "error e with adjustment; the paper says below 1 % in all cases, ours by stream",
        unit: "%",
        claim: Claim::Beyond {
            bound: 1.0,
            because: "The paper measures SPEC CPU2000, ours are generated streams. The uniform stream is above 1 %: its thread \
                      traces have common lines everywhere, and distances up to M are never corrected. The bound is the paper's.",
        },
        work: PaperWork::Parts(STREAMS.len(), |stream| figure_14(stream, true)),
        open: Some(reuse_tab),
        ..EXACT
    },
    PaperRow {
        id: "ipdps12.figure-14-off",
        item: "Figure 14",
        what: "error e without adjustment, by stream",
        unit: "%",
        origin: Origin::None,
        claim: Claim::Cannot("The paper prints one mean, 1.2 % over SPEC CPU2000. Ours are generated streams."),
        work: PaperWork::Parts(STREAMS.len(), |stream| figure_14(stream, false)),
        open: Some(reuse_tab),
        ..EXACT
    },
    none("ipdps12.figure-15", "Figure 15", "shares of the time by step", "Times depend on the machine: see Figure 10."),
    PaperRow {
        id: "ipdps12.figure-16",
        item: "Figure 16",
        what: "the error falls from ST = 512 to 16384, by stream (with adjustment; ours are the errors in percent)",
        claim: Claim::Exact,
        work: PaperWork::Parts(STREAMS.len(), figure_16),
        open: Some(reuse_tab),
        ..EXACT
    },
    none("ipdps12.figure-17", "Figure 17", "run time over ST", "Times depend on the machine: see Figure 10."),
    PaperRow {
        id: "ipdps12.section-5e",
        item: "Section V-E",
        what: "the configuration of the evaluation",
        work: PaperWork::Parts(1, |_| section_5e()),
        ..EXACT
    },
];

const LISTING: &str = "A drawing or listing without values. The rows of the equations run the algorithm.";

const fn none(id: &'static str, item: &'static str, what: &'static str, because: &'static str) -> PaperRow {
    PaperRow::cannot(id, Paper::Ipdps12, item, what, because)
}

/// The rows in the order of the paper.
pub(super) fn rows() -> Vec<PaperRow> {
    ROWS.to_vec()
}

/// The Reuse tab.
fn reuse_tab() -> Scenario {
    Scenario { view: base::map_of([("tab".into(), "reuse".into())]), ..Scenario::default() }
}

fn lines(letters: &str) -> Vec<u64> {
    letters.bytes().filter(u8::is_ascii_lowercase).map(u64::from).collect()
}

fn exact(lines: &[u64]) -> Histogram {
    let mut engine = RankBits::default();
    engine.push_lines(lines);
    Box::new(engine).finish()
}

/// `distance:count` of all distances.
fn counts(histogram: &Histogram) -> String {
    let finite = histogram.iter().map(|(distance, count)| format!("{distance}:{count}"));
    finite.chain([format!("∞:{}", histogram.infinite())]).collect::<Vec<_>>().join(" ")
}

fn last_distance(letters: &str) -> Option<u32> {
    let mut engine = RankBits::default();
    lines(letters).into_iter().map(|line| engine.access(line)).last().flatten()
}

fn figure_1() -> PaperValues {
    let ours = last_distance("d a c b c c g e f a f b").map_or(String::new(), |distance| distance.to_string());
    Ok(vec![PaperValue::text("distance", "5", ours)])
}

/// The trace of the figure up to its last element. An entry of the local array is the address where it is the latest
/// access to it so far.
fn figure_5() -> PaperValues {
    const TRACE: &str = "cabcdedgbcbda";
    let before = &TRACE.as_bytes()[..TRACE.len() - 1];
    let latest = |(at, letter): (usize, &u8)| {
        let again = before[at + 1..].contains(letter);
        if again { '0' } else { char::from(*letter) }.to_string()
    };
    let array: Vec<String> = before.iter().enumerate().map(latest).collect();
    let ours = last_distance(TRACE).map_or(String::new(), |distance| distance.to_string());
    Ok(vec![
        PaperValue::text("local array", "0 a 0 0 0 e 0 g 0 c b d", array.join(" ")),
        PaperValue::text("distance, the non-zero elements after a", "5", ours),
        PaperValue::text(
            "all distances of one thread trace",
            counts(&exact(&lines(TRACE))),
            counts(&run(TRACE, 13, false).0),
        ),
    ])
}

/// HP-RDA with thread traces of `st` references, in one block. Gives the histogram and ef.
fn run(letters: &str, st: usize, adjust: bool) -> (Histogram, f64) {
    let found = hp_rda(&lines(letters), HpRdaSettings { thread_trace: st, adjust, ..HpRdaSettings::default() });
    (found.histogram, found.factor)
}

/// `adbcg | efaba | bagba`: b is in all three traces, with e, f and a before it in the second and a after it.
fn equation_1() -> PaperValues {
    const TRACE: &str = "adbcg efaba bagba";
    let (found, factor) = run(TRACE, 5, false);
    Ok(vec![
        // Within traces: a 1, b 2, a 2. Joined: a 4 + 2, b 2 + 3, a 0 + 1, b 1 + 0, g 0 + 4 + 2.
        PaperValue::text("distances by equation 1", "1:3 2:2 5:1 6:2 ∞:7", counts(&found)),
        // g has only e, f, a and b between its accesses.
        PaperValue::text("true distances", "1:3 2:2 4:1 5:1 6:1 ∞:7", counts(&exact(&lines(TRACE)))),
        PaperValue::number("ef = 7 / (5 + 4 + 3)", 7.0 / 12.0, factor, 4),
    ])
}

/// `abc | bab | aba | bca`: M = 3, counts 3, 2, 2 and 3. c gets 0 + 2 + 2 + 1 = 5 > 3.
fn equations_2_and_3() -> PaperValues {
    const TRACE: &str = "abc bab aba bca";
    let ((off, factor), (on, _)) = (run(TRACE, 3, false), run(TRACE, 3, true));
    Ok(vec![
        PaperValue::number("ef = 3 / (3 + 2 + 2 + 3)", 0.3, factor, 4),
        PaperValue::text("without adjustment", "1:6 2:1 3:1 5:1 ∞:3", counts(&off)),
        PaperValue::text("with adjustment", "1:7 2:1 3:1 ∞:3", counts(&on)),
    ])
}

fn equation_4() -> PaperValues {
    let (_, apart) = run("abcd efgh ijkl", 4, true);
    let (_, same) = run(&"abcdefgh ".repeat(10), 8, true);
    Ok(vec![PaperValue::number("no overlap", 1.0, apart, 4), PaperValue::number("ten equal traces", 0.1, same, 4)])
}

const ACCESSES: usize = 1 << 18;
const STREAMS: [(&str, Pattern, u64); 6] = [
    ("uniform", Pattern::Uniform, 20_000),
    ("Zipf 0.8", Pattern::Zipf { exponent: 0.8 }, 20_000),
    ("Zipf 1.0", Pattern::Zipf { exponent: 1.0 }, 20_000),
    ("loop", Pattern::Loop, 2_000),
    ("matmul", Pattern::Matmul, 3_000),
    ("phased", Pattern::Phased, 20_000),
];

fn stream(at: usize) -> Vec<u64> {
    let (_, pattern, lines) = STREAMS[at];
    let mut out = vec![0; ACCESSES];
    SyntheticStream::new(pattern, lines, 1).fill(&mut out);
    out
}

fn difference(lines: &[u64], exact: &Histogram, thread_trace: usize, adjust: bool) -> HistogramDifference {
    let settings = HpRdaSettings { thread_trace, adjust, ..HpRdaSettings::default() };
    HistogramDifference::between(exact, &hp_rda(lines, settings).histogram)
}

fn figure_12(at: usize) -> PaperValues {
    let lines = stream(at);
    let exact = exact(&lines);
    let gap = |adjust| difference(&lines, &exact, HpRdaSettings::default().thread_trace, adjust).binned_points;
    Ok(vec![PaperValue::ours(STREAMS[at].0, format!("{:.2}, {:.2}", gap(false), gap(true)))])
}

fn figure_14(at: usize, adjust: bool) -> PaperValues {
    let lines = stream(at);
    let error = difference(&lines, &exact(&lines), HpRdaSettings::default().thread_trace, adjust).e_percent;
    let name = STREAMS[at].0;
    if !adjust {
        return Ok(vec![PaperValue::ours(name, format!("{error:.2}"))]);
    }
    // An error up to 1 % is what the paper says, so that only the part above it counts as a difference.
    let value = PaperValue::number(name, 0.0, error, 2);
    Ok(vec![PaperValue { published: "below 1".into(), equal: Some(error < 1.0), ..value }])
}

fn figure_16(at: usize) -> PaperValues {
    let lines = stream(at);
    let exact = exact(&lines);
    let errors = [512, 2048, 16_384].map(|st| difference(&lines, &exact, st, true).e_percent);
    let falls = errors.windows(2).all(|pair| pair[1] <= pair[0]);
    let list = errors.map(|error| format!("{error:.2}")).join(", ");
    let label = format!("{}: {list}", STREAMS[at].0);
    Ok(vec![PaperValue::text(label, "falls", if falls { "falls" } else { "does not fall" })])
}

fn section_5e() -> PaperValues {
    let HpRdaSettings { thread_trace, block_threads, .. } = HpRdaSettings::default();
    Ok(vec![
        PaperValue::text("ST", "2048", thread_trace.to_string()),
        PaperValue::text("NB", "64", block_threads.to_string()),
    ])
}
