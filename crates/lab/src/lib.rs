//! Use cases: a [`Scenario`] (raw) is validated against a topology, run over kernels, and becomes a [`Report`].
//!
//! In: dropped bytes through [`Intake`], or a built-in example, and a [`Scenario`]. Out: a [`Report`] of plain data, and
//! diagnostics where something cannot run. The only room that sees every model.
//!
//! Not modelled: see [`cache`]; every report repeats in its notes what its run left out.

mod cache_tab;
mod catalogue;
mod input;
mod kernel_tab;
mod placement_tab;
mod reuse_tab;
mod scenario;
mod topology_tab;

// The report holds histograms, so its readers get the type here; the others are what analyses of streams need.
pub use probe::chain::{line_of_pairs, local_order, majority, pairs};
pub use probe::Sweep;
pub use reuse::{Histogram, HpRdaSettings, Pattern, Stream, Summary as ReuseSummary};
// Running CUDA text, and what that gives.
pub use cuda_vm::{outline, Counts, CudaOptions, CudaRun, Emulation, LaunchOutline, OutlineItem, TraceForm};
// How much a placement run searches.
pub use placement::SearchLimits as PlaceLimits;
// The formats that a file can be read as.
pub use trace::Format;
// What lists show of a GPU, and what the page reads, edits and saves.
pub use cache_tab::choose::choose_kernels;
pub use cache_tab::csv::{array_csv, report_csv};
pub use cache_tab::estimate::run_estimate;
pub use cache_tab::names::{check_names, name_key, with_names};
pub use cache_tab::report::{KernelReport, Report, Total};
pub use cache_tab::run::Run;
pub use cache_tab::settings::{parameters, Parameter};
pub use catalogue::{example_list, gpu, preset_list, topology_json, ExampleInfo, PresetInfo};
pub use gpu::{read_topology, summary, write_topology, Topology};
pub use input::file_hash::FileHash;
pub use input::info::{info, info_for, FileInfo, Info, KernelInfo, Skipped};
pub use input::intake::{Contents, FileSummary, Intake};
pub use kernel_tab::convert::{convert, Converted, Target};
pub use kernel_tab::cuda::{cuda_diagnostics, example_kernel, CudaText};
pub use placement_tab::desk::{
    ArrayEdit, PlaceCount, PlaceDesk, PlaceInput, PlaceKernel, PlaceLine, PlaceLook, PlacePrepared, PlaceRanking,
    PlaceStanding, TermBar,
};
pub use placement_tab::dram_bench::{BitKind, DramAnswer, DramBench, DramReveal, DramScore, FlipTimes};
pub use placement_tab::dram_map::{dram_map, DramMapReport, MappingBits};
pub use placement_tab::overlap::{retrain, OverlapFile};
pub use placement_tab::run::{BankRow, PlaceArray, PlaceReport, PlaceRequest, PlaceRow, PlaceRun};
pub use reuse_tab::analysis::{
    analyse_reuse, merge_partitions, part_range, partition_of, stream_lines, EngineChoice, LineSource, Partition,
    ReuseReport, ReuseSettings,
};
pub use reuse_tab::chart::{ChartLine, ReuseChart, Tone};
pub use reuse_tab::desk::{
    Bar, DeskEngine, DeskOutcome, DeskResult, DifferenceNote, InputInfo, Prepared, ReuseDesk, ReuseLines, Series,
};
pub use reuse_tab::partition_file::PartitionFile;
pub use reuse_tab::stream::ReuseStream;
pub use scenario::{CudaSettings, FileId, Model, Scenario};
pub use topology_tab::bench::{Bench, Experiment, Outcome, SharesOutcome, WalkOutcome};
pub use topology_tab::blocks::{blocks, size as size_text, Block, BlockKind, Blocks};
pub use topology_tab::curve::{Curve, Reduction, Samples, Spread};
pub use topology_tab::discovered::{DiscoverReport, DiscoverRun, FoundCache, Hidden};
pub use topology_tab::facts::{compare, facts, inherited, Difference, FactRow};
pub use topology_tab::guess::{CacheGuess, Guess};
pub use topology_tab::machine::{machine_levels, machine_topology, Machine, MachineLevels};
pub use topology_tab::measured::{MeasuredIntake, MeasurementRow, TopologyReport};
