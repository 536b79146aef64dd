//! Use cases: a [`Scenario`] (raw) is validated against a topology, run over kernels, and becomes a [`Report`].
//!
//! In: dropped bytes through [`Intake`], or a built-in example, and a [`Scenario`]. Out: a [`Report`] of plain data, and
//! diagnostics where something cannot run. The only room that sees every model.
//!
//! Not modelled: see [`crate::cache`]; every report repeats in its notes what its run left out.

mod catalogue;
mod choose;
mod compose;
mod convert;
mod csv;
mod discovered;
mod dram_map;
mod estimate;
mod info;
mod intake;
mod measured;
mod overlap;
mod partition_file;
mod place;
mod place_reasons;
mod report;
mod reuse;
mod reuse_stream;
mod run;
mod scenario;
mod settings;

// The report holds histograms, so its readers get the type here; the others are what analyses of streams need.
pub use crate::reuse::{Histogram, HpRdaSettings, Pattern, Stream, Summary as ReuseSummary};
// How much a placement run searches.
pub use crate::placement::Limits as PlaceLimits;
// The one line about a GPU that lists show.
pub use crate::topology::summary;
pub use catalogue::{example_list, gpu, preset_list, topology_json, ExampleInfo, PresetInfo};
pub use choose::choose_kernels;
pub use convert::{convert, Converted, Target};
pub use csv::report_csv;
pub use discovered::{DiscoverReport, DiscoverRun};
pub use dram_map::{dram_map, DramMapReport, MappingBits};
pub use info::{info, FileInfo, Info, KernelInfo, Skipped};
pub use intake::{Contents, FileSummary, Intake};
pub use measured::{MeasuredIntake, MeasurementRow, TopologyReport};
pub use overlap::{retrain, OverlapFile};
pub use partition_file::PartitionFile;
pub use place::{BankRow, PlaceArray, PlaceReport, PlaceRequest, PlaceRow, PlaceRun};
pub use report::{KernelReport, Report, Total};
pub use reuse::{
    analyse_reuse, merge_partitions, part_range, partition_of, stream_lines, EngineChoice, LineSource, Partition,
    ReuseReport, ReuseSettings,
};
pub use reuse_stream::ReuseStream;
pub use run::Run;
pub use scenario::{FileId, Model, Scenario};
pub use settings::{parameters, Parameter};
