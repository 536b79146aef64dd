//! Shapes that only the page needs; the rest crosses as the lab has it.
//!
//! They are plain data and compile on every target, so that their TypeScript types can be written from them
//! (`npm run types`).

mod placement;

pub use crate::learn::CourseStep;
use base::Diagnostic;
use lab::{
    info, AgreementRow, CacheModel, Contents, FactRow, FileId, GpuWhyReport, KernelInfo, LaunchState, MeasurementRow,
    Report, ReusePrepared, ReuseResult, Skipped, SweepAxis, SweepRow, WhyReport,
};
pub use placement::{ChangeAsk, ChangedText, PlaceAsk, PlacePaper, Trained, TrainingStep};
use serde::{Deserialize, Serialize};

/// What is thrown: something to read.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct PageError {
    /// Why, and what to do.
    pub diagnostics: Vec<Diagnostic>,
}

/// How a figure is drawn.
#[derive(Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Look {
    /// The width in px.
    pub width: u32,
    /// Selects the dark theme.
    pub dark: bool,
    /// The part of a long axis that is drawn, as shares of the whole: 0 and 1 are its ends.
    pub range: (f64, f64),
}

/// What a step of a run says.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct StepOutcome<'a> {
    /// Work done, in the model's units.
    pub done: u64,
    /// Work in all.
    pub total: u64,
    /// The report, when the run is over.
    pub report: Option<&'a Report>,
}

/// The points of a sweep.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct SweepOutline {
    /// What varies.
    pub axes: Vec<SweepAxis>,
    /// How many points there are.
    pub points: usize,
}

/// What a step of a sweep's point says.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct PointStep {
    /// Work done, in the model's units.
    pub done: u64,
    /// Work in all.
    pub total: u64,
    /// The row, when the point is over.
    pub row: Option<SweepRow>,
}

/// What a step of a question about an access says.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct WhyProgress {
    /// Work done.
    pub done: u64,
    /// Work in all.
    pub total: u64,
    /// The answer, when the question is over.
    pub report: Option<WhyReport>,
    /// The answer for the model `gpu`.
    pub gpu: Option<GpuWhyReport>,
}

/// What a step of an intake says.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct IntakeStep {
    /// Warp instructions of CUDA text that were run.
    pub done: u64,
    /// Warp instructions in all.
    pub total: u64,
    /// What the files hold, when the intake is over.
    pub intake: Option<IntakeInfo>,
    /// What the run of the first CUDA text gave.
    pub text: Option<TextShape>,
}

/// What the dropped files, or an example, hold.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "Intake"))]
pub struct IntakeInfo {
    /// The files, in the order in which they came.
    pub files: Vec<FileShape>,
    /// The kernels of all files, by number.
    pub kernels: Vec<KernelShape>,
    /// Launches whose traces do not fit in memory, which the model `gpu` runs block by block. Their numbers follow those
    /// of the kernels.
    pub long_launches: usize,
    /// Name of the dropped topology, if there was one; run with the GPU `file`.
    pub topology: Option<String>,
    /// The model that runs for this topology where nobody chose one.
    pub topology_model: Option<CacheModel>,
    /// What a profiler measured, if its output is among the files.
    pub profile: Option<ProfileShape>,
    /// What was wrong.
    pub diagnostics: Vec<Diagnostic>,
    /// Estimated peak memory of the run, bytes.
    pub memory_bytes: u64,
}

/// What a profiler measured.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ProfileInfo"))]
pub struct ProfileShape {
    /// The name of the tool.
    pub tool: &'static str,
    /// The state of the caches that it measures from.
    pub state: LaunchState,
    /// How many launches it measured.
    pub launches: usize,
}

/// A file that was read.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "FileInfo"))]
pub struct FileShape {
    /// Name, size and hash.
    pub id: FileId,
    /// Its format and packing, for people.
    pub format: String,
    /// The word for the format.
    pub read_as: &'static str,
    /// Words for formats that the content fits equally well; empty where it fits one at most.
    pub candidates: Vec<&'static str>,
    /// Whether the content told the format, or only the name, or a person.
    #[cfg_attr(feature = "types", ts(type = "'content' | 'name' | 'choice'"))]
    pub recognised_by: &'static str,
    /// How many kernels it holds.
    pub kernels: usize,
    /// What it is for.
    #[cfg_attr(
        feature = "types",
        ts(type = "'trace' | 'address stream' | 'kernels list' | 'topology' | 'profile' | 'unknown'")
    )]
    pub role: &'static str,
    /// Parts that were not read.
    pub skipped: Vec<Skipped>,
}

/// A kernel that was read.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "KernelInfo"))]
pub struct KernelShape {
    /// As the lab has it.
    #[serde(flatten)]
    pub kernel: KernelInfo,
    /// Name of the file that holds it.
    pub file: String,
}

/// What running a CUDA text gave.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "KernelRun"))]
pub struct TextShape {
    /// Its launches, in order.
    pub launches: Vec<LaunchShape>,
    /// Its arrays.
    pub arrays: Vec<ArrayShape>,
    /// Text of `printf`.
    pub output: String,
    /// What was wrong.
    pub diagnostics: Vec<Diagnostic>,
    /// Line and column of the first error, from 1.
    pub position: Option<(u32, u32)>,
}

/// A launch that was run.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "LaunchRun"))]
pub struct LaunchShape {
    /// Name of the kernel.
    pub kernel: String,
    /// Blocks in x, y and z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y and z.
    pub block: [u32; 3],
    /// Memory accesses of warps in the trace.
    pub accesses: usize,
    /// Warp instructions.
    pub instructions: u64,
    /// The same by class.
    pub counts: CountsShape,
}

/// Warp instructions by class; loads, stores and atomics of global, shared, local, constant and texture memory.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "InstructionCounts"))]
#[allow(missing_docs)]
pub struct CountsShape {
    pub integer: u64,
    pub fp32: u64,
    pub fp64: u64,
    pub special: u64,
    pub loads: [u64; 5],
    pub stores: [u64; 5],
    pub atomics: [u64; 5],
    pub branch: u64,
    pub barrier: u64,
    pub other: u64,
}

/// An array of a CUDA text after its launches.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ArrayRun"))]
pub struct ArrayShape {
    /// Its name in the text.
    pub name: String,
    /// The type of its elements.
    pub element: String,
    /// How many it has.
    pub elements: u64,
    /// Whether the launches changed it.
    pub changed: bool,
}

/// How far the runs of CUDA texts are, for a service that shows nothing of them.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct TextsStep {
    /// Warp instructions that were run.
    pub done: u64,
    /// Warp instructions in all.
    pub total: u64,
    /// Whether all texts were run.
    pub finished: bool,
}

/// A launch comment in pieces. Where there is none, `line` is the kernel's and `last_line` one less.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "LaunchOutline"))]
pub struct LaunchOutlineShape {
    /// Its first line, from 1.
    pub line: u32,
    /// Its last line.
    pub last_line: u32,
    /// Name of the kernel.
    pub kernel: String,
    /// Blocks, as written.
    pub blocks: String,
    /// Threads of a block, as written.
    pub threads: String,
    /// Bytes of dynamic shared memory, as written.
    pub shared: Option<String>,
    /// Arguments and sizes.
    pub items: Vec<ItemShape>,
    /// Where guessed blocks come from; empty if the text gives them.
    pub blocks_origin: String,
    /// Where guessed threads come from.
    pub threads_origin: String,
}

/// An argument or size of a launch.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "LaunchItem"))]
pub struct ItemShape {
    /// Its name.
    pub name: String,
    /// Its type; empty for a plain value, which can be set from outside.
    pub declaration: String,
    /// What it is set to.
    pub value: String,
    /// Where a guessed value comes from, such as `host line 12`; empty if the text gives it.
    pub origin: String,
}

/// A topology as the page shows and edits it.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "TopologyView"))]
pub struct View {
    /// Our own format.
    pub json: String,
    /// Word for links and files.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// One line.
    pub summary: String,
    /// Every value with its source.
    pub facts: Vec<FactRow>,
    /// Values that the topology does not state, and the placement model uses.
    pub inherited: Vec<FactRow>,
    /// Warnings of the validator.
    pub diagnostics: Vec<Diagnostic>,
}

/// What files of measurements hold.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "Measured"))]
pub struct MeasuredView<'r> {
    /// The GPU that they describe.
    pub topology: Option<View>,
    /// The sizes, judged.
    pub measurements: &'r [MeasurementRow],
    /// The sizes by three rules.
    pub agreement: &'r [AgreementRow],
    /// What was wrong.
    pub diagnostics: &'r [Diagnostic],
}

/// What a step of an experiment on a hidden GPU says.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct OutcomeStep<T> {
    /// Work done.
    pub done: u64,
    /// Work in all.
    pub total: u64,
    /// What was found, when the experiment is over.
    pub outcome: Option<T>,
}

/// Where the analysis of a stretch of a stream stands.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct PartStep {
    /// Accesses done.
    pub done: u64,
    /// Accesses in all.
    pub total: u64,
    /// Distinct lines so far.
    pub distinct: u64,
    /// Memory that it takes, bytes.
    pub bytes: usize,
}

/// What a step of the Reuse tab's analyses says; one of the options is there when the task is over.
#[derive(Default, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct ReuseStep {
    /// Work done.
    pub done: u64,
    /// Work in all.
    pub total: u64,
    /// Accesses of the stream that was generated.
    pub generated: Option<u64>,
    /// What is known before an analysis.
    pub prepared: Option<ReusePrepared>,
    /// What the analysis found.
    pub result: Option<Box<ReuseResult>>,
    /// HP-RDA's step 1.
    pub trace: Option<TraceShape>,
}

/// What HP-RDA's step 1 found.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "HpRdaTrace"))]
pub struct TraceShape {
    /// Accesses.
    pub references: u64,
    /// Distinct lines.
    pub distinct: u64,
    /// Accesses whose line was accessed before.
    pub repeats: u64,
}

/// How to analyse, as the page says it.
#[derive(Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "EngineSpec"))]
pub struct EngineShape {
    /// The engine.
    #[cfg_attr(feature = "types", ts(type = "'auto' | 'rank' | 'offline' | 'sample' | 'hp-rda' | 'hp-rda-trace'"))]
    pub engine: String,
    /// Of a million lines, how many are sampled.
    #[serde(default)]
    #[cfg_attr(feature = "types", ts(as = "Option<u32>", optional))]
    pub per_million: u32,
    /// Accesses of a thread's trace.
    #[serde(default)]
    #[cfg_attr(feature = "types", ts(as = "Option<usize>", optional))]
    pub st: usize,
    /// Threads of a block.
    #[serde(default)]
    #[cfg_attr(feature = "types", ts(as = "Option<usize>", optional))]
    pub nb: usize,
    /// Whether the error function `ef` adjusts the result.
    #[serde(default)]
    #[cfg_attr(feature = "types", ts(as = "Option<bool>", optional))]
    pub adjust: bool,
}

impl IntakeInfo {
    /// What the page shows of the files that were put together.
    pub fn of(contents: &Contents) -> Self {
        let told = info(contents);
        let mut kernels = Vec::new();
        let mut files = Vec::new();
        for (i, file) in told.files.into_iter().enumerate() {
            let id = contents.files.get(i).map(|file| file.id.clone());
            let version = file.version.map_or(String::new(), |version| format!(" (tracer version {version})"));
            let packed = file.compression.map_or(String::new(), |packed| format!(", {packed}"));
            files.extend(id.map(|id| FileShape {
                id,
                format: format!("{}{version}{packed}", file.format),
                read_as: file.read_as,
                candidates: file.candidates,
                recognised_by: file.recognised_by,
                kernels: file.kernels.len(),
                role: file.role,
                skipped: file.skipped,
            }));
            kernels.extend(file.kernels.into_iter().map(|kernel| KernelShape { kernel, file: file.file.clone() }));
        }
        base::sort_by_key(&mut kernels, |shape| shape.kernel.number);
        Self {
            files,
            kernels,
            long_launches: contents.launch_count() - contents.kernels.len(),
            topology: contents.topology.as_ref().map(|t| t.name.clone()),
            topology_model: contents.topology.as_ref().map(CacheModel::default_for),
            profile: contents.profile.as_ref().map(|profile| ProfileShape {
                tool: profile.tool,
                state: profile.state,
                launches: profile.launches.len(),
            }),
            diagnostics: contents.diagnostics.clone(),
            memory_bytes: told.estimate.memory_bytes,
        }
    }
}
