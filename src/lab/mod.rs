//! Use cases: a [`Scenario`] (raw) is validated against a topology, run over kernels, and becomes a [`Report`].
//!
//! In: dropped bytes through [`Intake`], or a built-in example, and a [`Scenario`]. Out: a [`Report`] of plain data, and
//! diagnostics where something cannot run. The only room that sees every model.
//!
//! Not modelled: see [`crate::cache`]; every report repeats in its notes what its run left out.

mod bench;
mod blocks;
mod catalogue;
mod choose;
mod compose;
mod convert;
mod csv;
mod cuda;
mod curve;
mod desk;
mod discovered;
mod dram_bench;
mod dram_map;
mod estimate;
mod facts;
mod file_hash;
mod guess;
mod info;
mod intake;
mod machine;
mod measured;
mod names;
mod overlap;
mod partition_file;
mod place;
mod place_confidence;
mod place_desk;
mod place_reasons;
mod report;
mod reuse;
mod reuse_chart;
mod reuse_stream;
mod run;
mod scenario;
mod settings;

// The report holds histograms, so its readers get the type here; the others are what analyses of streams need.
pub use crate::probe::chain::{line_of_pairs, local_order, majority, pairs};
pub use crate::probe::Sweep;
pub use crate::reuse::{Histogram, HpRdaSettings, Pattern, Stream, Summary as ReuseSummary};
// Running CUDA text, and what that gives.
pub use crate::kernel::{
    outline, Counts, Emulation, Form, LaunchOutline, Options as CudaOptions, OutlineItem, Run as CudaRun,
};
// How much a placement run searches.
pub use crate::placement::Limits as PlaceLimits;
// The formats that a file can be read as.
pub use crate::trace::Format;
// What lists show of a GPU, and what the page reads, edits and saves.
pub use crate::topology::{read_topology, summary, write_topology, Topology};
pub use bench::{Bench, Experiment, Outcome, SharesOutcome, WalkOutcome};
pub use blocks::{blocks, size as size_text, Block, BlockKind, Blocks};
pub use catalogue::{example_list, gpu, preset_list, topology_json, ExampleInfo, PresetInfo};
pub use choose::choose_kernels;
pub use convert::{convert, Converted, Target};
pub use csv::{array_csv, report_csv};
pub use cuda::{cuda_diagnostics, example_kernel, record_cuda};
pub use curve::{Curve, Reduction, Samples, Spread};
pub use desk::{
    Bar, DeskEngine, DeskOutcome, DeskResult, DifferenceNote, InputInfo, Prepared, ReuseDesk, ReuseLines, Series,
};
pub use discovered::{DiscoverReport, DiscoverRun, FoundCache, Hidden};
pub use dram_bench::{BitKind, DramAnswer, DramBench, DramReveal, DramScore, FlipTimes};
pub use dram_map::{dram_map, DramMapReport, MappingBits};
pub use estimate::run_estimate;
pub use facts::{compare, facts, Difference, FactRow};
pub use file_hash::FileHash;
pub use guess::{CacheGuess, Guess};
pub use info::{info, info_for, FileInfo, Info, KernelInfo, Skipped};
pub use intake::{Contents, FileSummary, Intake};
pub use machine::{machine_levels, machine_topology, Machine, MachineLevels};
pub use measured::{MeasuredIntake, MeasurementRow, TopologyReport};
pub use names::{check_names, name_key, with_names};
pub use overlap::{retrain, OverlapFile};
pub use partition_file::PartitionFile;
pub use place::{BankRow, PlaceArray, PlaceReport, PlaceRequest, PlaceRow, PlaceRun};
pub use place_desk::{
    ArrayEdit, PlaceCount, PlaceDesk, PlaceInput, PlaceKernel, PlaceLine, PlaceLook, PlacePrepared, PlaceRanking,
    PlaceStanding, TermBar,
};
pub use report::{KernelReport, Report, Total};
pub use reuse::{
    analyse_reuse, merge_partitions, part_range, partition_of, stream_lines, EngineChoice, LineSource, Partition,
    ReuseReport, ReuseSettings,
};
pub use reuse_chart::{ChartLine, ReuseChart, Tone};
pub use reuse_stream::ReuseStream;
pub use run::Run;
pub use scenario::{CudaSettings, FileId, Model, Scenario};
pub use settings::{parameters, Parameter};
