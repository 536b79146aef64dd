//! The use cases of the page and of the command line. A request is validated, a job runs it in steps, and a report
//! holds the result. Each tab of the page has a folder, and its header lists the request, the job and the report.
//!
//! In: dropped files through [`Intake`], or a built-in example, and a request such as a [`Scenario`].
//! Out: reports such as [`CacheReport`], which are plain data, and diagnostics where something cannot run. This is the
//! only crate that knows all models.
//! Not modelled: see [`cache`]. Each report lists in its notes what its run left out.

mod cache_tab;
mod catalogue;
mod check;
mod input;
mod kernel_tab;
mod papers;
mod placement_tab;
mod profile;
mod reuse_tab;
mod scenario;
mod topology_tab;
mod twins;

// Types of other crates that appear in requests and reports.
pub use cuda_vm::{is_source_name, join_sources, SourceFile};
pub use cuda_vm::{
    outline, text_of, Counts, CudaOptions, CudaRun, Emulation, LaunchOutline, LaunchPart, OutlineItem, Rewritten,
    TraceForm,
};
pub use placement::SearchLimits;
pub use probe::chain::{line_of_pairs, local_order, majority, pairs};
pub use probe::Sweep;
pub use reuse::{Histogram, HpRdaSettings, PartitionSummary as ReuseSummary, Pattern, SyntheticStream};
pub use trace::{is_packed, short_name, Format, Trace};

pub use cache_tab::array_names::{check_names, name_key, with_names};
pub use cache_tab::choose_kernels::choose_kernels;
pub use cache_tab::compare::{compare_reports, compared_numbers, Better, ComparedNumber, Comparison, NumberRow};
pub use cache_tab::count_filter::CountFilter;
pub use cache_tab::csv::{array_csv, gpu_csv, gpu_values, report_csv};
pub use cache_tab::estimate_memory::{run_estimate, run_estimate_above};
pub use cache_tab::gpu_classes::GpuMissClasses;
pub use cache_tab::gpu_report::{busiest, GpuKernelReport, GpuNumbers, GpuReport};
pub use cache_tab::gpu_roofline::GpuRoofline;
pub use cache_tab::gpu_rows::{GpuArrayRow, GpuCoreRow, GpuInstructionRow, GpuLevels, GpuRows, GpuTimeRow};
pub use cache_tab::gpu_run::GpuRun;
pub use cache_tab::report::{AccessCounts, CacheReport, CacheTotal, KernelReport, Misses, SetRow, TimeRow};
pub use cache_tab::run::CacheRun;
pub use cache_tab::scenario_run::{Report, ScenarioRun};
pub use cache_tab::settings::{ignores_parameter, parameter_label, parameters, Parameter};
pub use cache_tab::sweep::axis::SweepAxis;
pub use cache_tab::sweep::part::SweepPart;
pub use cache_tab::sweep::plan::SweepPlan;
pub use cache_tab::sweep::table::{SweepNumber, SweepRow, SweepTable};
pub use cache_tab::why::gpu_report::{
    GpuWhyLine, GpuWhyReport, GpuWhyStep, GpuWhyUse, GpuWhyWay, GpuWhyWhatIf, WhyLevel,
};
pub use cache_tab::why::gpu_run::GpuWhyRun;
pub use cache_tab::why::report::{WhyChange, WhyOutcome, WhyPending, WhyReport, WhyStep, WhyUse, WhyWarp, WhyWhatIf};
pub use cache_tab::why::request::{WhyFilter, WhyFind, WhyRequest};
pub use cache_tab::why::run::WhyRun;
pub use cache_tab::work::{Work, WorkAdvice, WorkAsked, WorkCause};
pub use catalogue::{example_list, gpu_topology, preset_list, topology_json, ExampleInfo, PresetInfo};
pub use check::choices::{CheckedChoices, Half, Variant};
pub use check::counter::Counter;
pub use check::csv::check_csv;
pub use check::markdown::check_markdown;
pub use check::report::{
    CheckReport, CheckTotal, CheckedCounter, CheckedFile, CheckedLaunch, OtherModel, OtherTotal, SkippedRows,
};
pub use check::run::{CheckFile, CheckOptions, CheckRun};
pub use check::text::check_text;
pub use check::texts::check_kernels;
pub use gpu::{read_topology, summary, write_topology, Topology};
pub use input::file_hash::FileHash;
pub use input::info::{info, info_for, FileInfo, Info, KernelInfo, Skipped};
pub use input::intake::{Contents, FileSummary, Intake};
pub use input::linked::linked_contents;
pub use input::long_text::LongText;
pub use kernel_tab::convert::{convert, convert_to, Converted, Target};
pub use kernel_tab::cuda::{cuda_diagnostics, example_kernel, CudaText};
pub use papers::{
    figure_pages, figure_places, fill_figures, paper_rows, paper_rows_only, papers_csv, papers_markdown, papers_text,
    Paper, PaperOutline, PaperReport, PaperResult, PaperRow, PaperRun, PaperTotals, PaperValue, Verdict,
};
pub use placement_tab::changes::ChangeRow;
pub use placement_tab::dram_exercise::{BitKind, DramAnswer, DramExercise, DramReveal, DramScore, FlipTimes};
pub use placement_tab::dram_map::{dram_map, DramMapReport, MappingBits};
pub use placement_tab::overlap::{retrain, MachineTraining, OverlapErrors, OverlapFile};
pub use placement_tab::paper::{PaperRequest, SampleTime};
pub use placement_tab::report::{BankLoad, PlacementArray, PlacementReport, PlacementRow};
pub use placement_tab::rewriter::{placement_options, rewritten_text};
pub use placement_tab::run::{PlacementRequest, PlacementRun};
pub use placement_tab::session::{
    ArrayEdit, KernelChoice, PlacementCount, PlacementDetails, PlacementInput, PlacementLine, PlacementPrepared,
    PlacementProgress, PlacementRanking, PlacementSession, TermBar,
};
pub use profile::compare::{compare_profile, comparison_text, ComparedKernel, ProfileComparison};
pub use profile::data::{LaunchSizes, Profile, ProfiledLaunch};
pub use profile::read::read_profile;
pub use reuse_tab::analyse::{
    analyse_reuse, line_source, merge_partitions, part_range, partition_of, stream_lines, EngineChoice, LineSource,
    Partition, ReuseReport, ReuseSettings,
};
pub use reuse_tab::chart::{ChartLine, ReuseChart, Tone};
pub use reuse_tab::partition_file::PartitionFile;
pub use reuse_tab::session::{
    DifferenceNote, DistanceBar, ReuseInput, ReuseLines, ReusePrepared, ReuseResult, ReuseSeries, ReuseSession,
    ReuseTaskOutcome, SessionEngine,
};
pub use reuse_tab::stream::ReuseStream;
pub use scenario::{CacheModel, CudaSettings, FileId, LaunchState, Scenario};
pub use topology_tab::agreement::AgreementRow;
pub use topology_tab::curve::{Reduction, SizeCurve, SplitSamples, TimeQuantiles};
pub use topology_tab::discover::{DiscoverReport, DiscoverRun, FoundCache, HiddenGpu, OutlookRow};
pub use topology_tab::experiment::{Experiment, ExperimentBench, ExperimentOutcome, SharesOutcome, WalkOutcome};
pub use topology_tab::facts::{compare_topologies, inherited, topology_facts, FactDifference, FactRow};
pub use topology_tab::guess::{CacheGuess, GpuGuess};
pub use topology_tab::hierarchy::{decimal_text, hierarchy_boxes, size_text, BoxKind, HierarchyBox, HierarchyBoxes};
pub use topology_tab::import::{MeasurementRow, TopologyIntake, TopologyReport};
pub use topology_tab::this_machine::{machine_levels, machine_topology, MachineLevels, MachineMeasurement};
pub use twins::{ExampleTwin, TwinLaunch, TWINS};
