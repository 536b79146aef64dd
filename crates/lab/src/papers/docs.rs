//! The rows of this project's own documents: launches of docs/accuracy.md that run within seconds, beside what hardware
//! took and beside what the page prints for the model. The other tables need measured files that are not part of the
//! project.

use super::row::{Claim, Origin, Paper, PaperRow, PaperValues, PaperWork};
use super::value::PaperValue;
use crate::check::report::CheckReport;
use crate::check::run::{CheckFile, CheckOptions, CheckRun};
use crate::check::text::value_text;
use base::{Job, Step};
use reuse::{Pattern, RankBits, ReuseEngine, SyntheticStream};

const ACCURACY: PaperRow = PaperRow {
    id: "",
    paper: Paper::Docs,
    item: "docs/accuracy.md",
    what: "",
    unit: "",
    origin: Origin::Hardware,
    claim: Claim::Within {
        bound: 25.0,
        because: "Times and cycles of the model gpu. The page's mean errors on these GPUs are 3 % (TITAN X), 11 % (RTX 3080) \
                  and 13 % (RTX 2060), and it says what is known of them. The bound of a quarter is assumed.",
    },
    work: PaperWork::Nothing,
    open: None,
};

const ROWS: &[PaperRow] = &[
    PaperRow {
        id: "docs.titan-x-pascal",
        what: "cycles of four launches on a TITAN X (Pascal), measured by the authors of microgpusim",
        work: PaperWork::Steps(|| Launches::boxed(TITAN_X, &[7517.0, 13_104.0, 7048.0, 5877.0])),
        ..ACCURACY
    },
    PaperRow {
        id: "docs.rtx2060",
        what: "times of five launches on an RTX 2060 in µs, measured by others",
        work: PaperWork::Steps(|| Launches::boxed(RTX2060, &[27.56, 30.74, 42.35, 44.56, 169.0])),
        ..ACCURACY
    },
    PaperRow {
        id: "docs.rtx3080",
        what: "times of two launches on an RTX 3080 in µs, measured by others",
        work: PaperWork::Steps(|| Launches::boxed(RTX3080, &[43.75, 166.0])),
        ..ACCURACY
    },
    none(
        "docs.accuracy-all",
        "docs/accuracy.md",
        "all tables: TITAN X, GV100, RTX 2080 Ti, RTX 3080, RTX 2060, A100",
        "The measured files are not part of this project, and the launches take minutes. `warpscope check --hardware DIR` \
         recomputes them, and `npm run accuracy` writes the page.",
    ),
    none(
        "docs.placement",
        "README, docs/placement.md",
        "errors of predicted times of placements, each traced by itself: half below 20 % on one matrix product, above \
         30 % on another",
        "The measured times are not part of this project. Tests compare where the files are present.",
    ),
    none(
        "docs.topologies",
        "docs/topologies.md",
        "how often an interval holds the true size, over 300 hidden GPUs",
        "It takes minutes: `cargo run --release -p lab --example interval_coverage -- 200000 200300`.",
    ),
    none(
        "docs.sass",
        "docs/sass.md",
        "loads and stores of the library's kernels beside machine code",
        "It needs NVIDIA's compiler, which is no part of this project.",
    ),
    PaperRow {
        id: "docs.reuse-bytes",
        item: "docs/reuse.md",
        what: "bytes per distinct line of the exact engine, on generated streams of 524,288 accesses to at most 131,072 lines",
        origin: Origin::Own,
        claim: Claim::Cannot("The page states what is computed here."),
        work: PaperWork::Parts(STREAMS.len(), reuse_bytes),
        ..ACCURACY
    },
    none("docs.speed", "docs/speed.md", "benchmarks", "Times depend on the machine. The page says how they are measured."),
];

const STREAMS: [(&str, Pattern); 4] = [
    ("uniform", Pattern::Uniform),
    ("Zipf 1.0", Pattern::Zipf { exponent: 1.0 }),
    ("loop", Pattern::Loop),
    ("matmul", Pattern::Matmul),
];

/// Memory of the engine after a stream, per distinct line.
fn reuse_bytes(at: usize) -> PaperValues {
    let (name, pattern) = STREAMS[at];
    let mut lines = vec![0; 1 << 19];
    SyntheticStream::new(pattern, 1 << 17, 1).fill(&mut lines);
    let mut engine = RankBits::default();
    engine.push_lines(&lines);
    let bytes = engine.bytes() as f64 / engine.distinct().max(1) as f64;
    Ok(vec![PaperValue::ours(name, format!("{bytes:.0}"))])
}

const fn none(id: &'static str, item: &'static str, what: &'static str, because: &'static str) -> PaperRow {
    PaperRow::cannot(id, Paper::Docs, item, what, because)
}

/// The rows, the recomputed ones first.
pub(super) fn rows() -> Vec<PaperRow> {
    ROWS.to_vec()
}

/// Lines of the table that the authors of microgpusim published (MIT).
const TITAN_X: &str = "\
benchmark,kernel,arguments,cycles,instructions,l1_accesses,l1_hit_rate_pct,l2_read_hits,l2_read_hit_rate_pct,l2_write_hits,dram_reads,dram_writes,l2_reads
babelstream,copy_kernel,102400,7100,1500000,25600,0,25600,100,25600,0,8,25600
matrixmul,mult_gpu,64,13500,933900,2000,0,2000,100,512,0,0,2000
transpose,transposeNaive,128_naive,7600,360400,2000,0,2000,100,16400,6,0,2000
vectorAdd,vecAdd,64_1000,6000,25300,504,0,500,100,250,0,0,500
";

const RTX2060: &str = "\
gpu,kernel,problem,block,variant,batch_time_ms
RTX 2060,conv1D,n=524288 mask=5,512,mask global,0.0302888
RTX 2060,conv2D,512x512 channels=1 mask=5,16x16,mask global,0.0286458
RTX 2060,histogram,n=65536 bins=512,512,bins global,0.0379682
RTX 2060,matvec,256x256 U32,512,vector global,0.0399223
RTX 2060,matvec,512x512 U32,512,vector shared,0.151986
";

const RTX3080: &str = "\
gpu,kernel,problem,block,variant,batch_time_ms
RTX 3080,matvec,256x256 U32,512,vector global,0.0364767
RTX 3080,matvec,512x512 U32,512,vector shared,0.137707
";

/// The run of some measured launches.
struct Launches {
    run: Result<CheckRun, String>,
    /// What the page prints for the model, in the order of the launches.
    printed: &'static [f64],
}

impl Launches {
    fn boxed(csv: &str, printed: &'static [f64]) -> Box<dyn Job<Output = PaperValues>> {
        let file = CheckFile { name: "rows of docs/accuracy.md".into(), bytes: csv.as_bytes().to_vec() };
        let run = CheckRun::new(&[file], &CheckOptions::default());
        Box::new(Self { run: run.map_err(|errors| format!("{errors:?}")), printed })
    }

    /// The first counter of each launch is its cycles or its time.
    fn tell(&self, report: &CheckReport) -> PaperValues {
        let launches: Vec<_> = report.files.iter().flat_map(|file| &file.launches).collect();
        if launches.len() != self.printed.len() {
            return Err(format!("{} of {} launches ran", launches.len(), self.printed.len()));
        }
        let mut values = Vec::new();
        for (launch, printed) in launches.into_iter().zip(self.printed) {
            let Some(counter) = launch.counters.first() else { return Err(format!("{} has no counter", launch.label)) };
            let digits = if counter.measured < 100.0 { 2 } else { 0 };
            let PaperValue { published, ours, difference, relative, equal, .. } =
                PaperValue::relative("", counter.measured, counter.modelled, digits);
            let label = format!("{}, measured", launch.label);
            values.push(PaperValue { label, published, ours, difference, relative, equal });
            let printed = value_text(*printed);
            values.push(PaperValue::text(format!("{}, as the page prints it", launch.label), printed, {
                value_text(counter.modelled)
            }));
        }
        Ok(values)
    }
}

impl Job for Launches {
    type Output = PaperValues;

    fn step(&mut self, budget: u64) -> Step<PaperValues> {
        let step = match &mut self.run {
            Ok(run) => run.step(budget),
            Err(why) => return Step::Done(Err(std::mem::take(why))),
        };
        match step {
            Step::More(progress) => Step::More(progress),
            Step::Done(report) => Step::Done(self.tell(&report)),
        }
    }
}
