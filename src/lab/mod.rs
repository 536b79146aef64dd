//! Use cases: a [`Scenario`] (raw) is validated against a topology, run over kernels, and becomes a [`Report`].
//!
//! In: dropped bytes through [`Intake`], or a built-in example, and a [`Scenario`]. Out: a [`Report`] of plain data, and
//! diagnostics where something cannot run. The only room that sees every model.
//!
//! Not modelled: see [`crate::cache`]; every report repeats in its notes what its run left out.

mod catalogue;
mod compose;
mod csv;
mod discovered;
mod intake;
mod measured;
mod report;
mod run;
mod scenario;
mod settings;

// The report holds histograms, so its readers get the type here.
pub use crate::reuse::Histogram;
// The one line about a GPU that lists show.
pub use crate::topology::summary;
pub use catalogue::{example_list, gpu, preset_list, topology_json, ExampleInfo, PresetInfo};
pub use csv::report_csv;
pub use discovered::{DiscoverReport, DiscoverRun};
pub use intake::{Contents, FileSummary, Intake};
pub use measured::{MeasuredIntake, MeasurementRow, TopologyReport};
pub use report::{KernelReport, Report};
pub use run::Run;
pub use scenario::{FileId, Model, Scenario};
pub use settings::{parameters, Parameter};
