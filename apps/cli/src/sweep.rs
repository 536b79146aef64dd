//! `warpscope sweep`: the same kernels under many values of one or more parameters, on all cores, as a table. `merge` puts
//! its parts together.

use super::files::{print_diagnostics, write_error, ReadAs};
use super::reuse::parse_part;
use super::settings::RunSettings;
use super::trace::CudaFileArguments;
use super::{json, ModelArgument};
use base::{Diagnostic, Job};
use clap::{Args, ValueEnum};
use lab::{
    choose_kernels, gpu_topology, CacheModel, Contents, Scenario, SweepAxis, SweepPart, SweepPlan, SweepRow, SweepTable,
};
use share::add_fingerprint;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

#[derive(Args)]
pub struct SweepArguments {
    /// Files as for `warpscope cache`, or `example:ID`.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    cuda: CudaFileArguments,
    #[command(flatten)]
    read_as: ReadAs,
    #[command(flatten)]
    settings: RunSettings,
    /// What varies: a parameter with a list (`ways=1,2,4,8`), multiples (`cache_bytes=x1/2,x1,x2`; `factors` for a quarter to
    /// four times) or a range (`seed=1..8`). Also `gpu`, `model`, `state`, and `without=nothing,associativity,latency,mshrs`
    /// to switch off one mechanism at a time. All combinations run if it is repeated.
    #[arg(long = "vary", value_name = "KEY=VALUES", required = true)]
    vary: Vec<String>,
    /// Model, as for `warpscope cache`.
    #[arg(long, value_enum)]
    model: Option<ModelArgument>,
    /// State of the caches before each launch in the model `gpu`, as for `warpscope cache` [default: cold].
    #[arg(long)]
    state: Option<String>,
    /// Seed, as for `warpscope cache` [default: 1].
    #[arg(long, value_parser = crate::seed::seed)]
    seed: Option<u64>,
    /// Run only this kernel, as for `warpscope cache`. Can be repeated.
    #[arg(long = "kernel", value_name = "N|NAME|all")]
    kernels: Vec<String>,
    /// Points that run at a time [default: one per core of this machine].
    #[arg(long)]
    threads: Option<std::num::NonZeroUsize>,
    /// Run only part K of OF of the points, to be merged later with `warpscope merge`.
    #[arg(long, value_name = "K/OF", requires = "output")]
    part: Option<String>,
    /// File for the part.
    #[arg(short, long, requires = "part")]
    output: Option<PathBuf>,
    /// Format of stdout.
    #[arg(long, value_enum, default_value = "text")]
    format: TableFormat,
}

/// Formats of a table.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub enum TableFormat {
    Text,
    Json,
    Csv,
}

/// Runs the points and returns the table for stdout.
pub fn sweep(arguments: &SweepArguments) -> Result<String, Vec<Diagnostic>> {
    let axes = arguments.vary.iter().map(|text| SweepAxis::read(text)).collect::<Result<Vec<_>, _>>();
    let axes = axes.map_err(|error| vec![error])?;
    let (contents, mut scenario) = arguments.settings.read(&arguments.files, &arguments.read_as, &arguments.cuda)?;
    scenario.model = model(arguments.model, &axes, &scenario, &contents)?;
    if let Some(name) = &arguments.state {
        scenario.state = super::cache::state(name)?;
    }
    super::cache::apply_seed(arguments.seed, &mut scenario)?;
    print_diagnostics(&contents.diagnostics);
    if !contents.kernels.is_empty() {
        scenario.kernels = choose_kernels(&arguments.kernels, &contents)?;
    }
    let plan = SweepPlan::new(scenario, axes, &contents)?;
    if let (Some(part), Some(output)) = (&arguments.part, &arguments.output) {
        let (part, of) = parse_part(part)?;
        let rows = run_points(&plan, &SweepPart::points(&plan, part, of).collect::<Vec<_>>(), &contents, arguments);
        let text = SweepPart::new(&plan, rows).to_json().map_err(|error| vec![error])?;
        std::fs::write(output, text).map_err(|error| vec![write_error(&output.display().to_string(), &error)])?;
        return Ok(String::new());
    }
    let rows = run_points(&plan, &(0..plan.points()).collect::<Vec<_>>(), &contents, arguments);
    show(SweepPart::new(&plan, rows).into_table(), arguments.format)
}

/// The model that runs: the one that was asked for, or the one that all GPUs of the sweep have by themselves.
fn model(
    asked: Option<ModelArgument>,
    axes: &[SweepAxis],
    scenario: &Scenario,
    contents: &Contents,
) -> Result<CacheModel, Vec<Diagnostic>> {
    if let Some(model) = asked {
        return Ok(model.into());
    }
    let gpus = match axes.iter().find(|axis| axis.key == "gpu") {
        Some(axis) => axis.values.clone(),
        None => vec![scenario.gpu.clone()],
    };
    let mut models = Vec::new();
    for gpu in &gpus {
        models.push(CacheModel::default_for(&gpu_topology(gpu, contents.topology.as_ref())?));
    }
    models.dedup();
    match models.as_slice() {
        [one] => Ok(*one),
        _ => {
            let help = "choose one with --model, for example --model gpu";
            let found = "GPUs of which some have the model paper by themselves, and others the model gpu";
            Err(vec![Diagnostic::error("--model", "one model for all points", found, help)])
        }
    }
}

/// Runs points on several threads and returns their rows in the order of the points.
fn run_points(plan: &SweepPlan, points: &[usize], contents: &Contents, arguments: &SweepArguments) -> Vec<SweepRow> {
    let threads = arguments.threads.map_or_else(
        || std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get),
        std::num::NonZeroUsize::get,
    );
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let rows = Mutex::new(Vec::with_capacity(points.len()));
    let told = std::io::stderr().is_terminal();
    std::thread::scope(|scope| {
        for _ in 0..threads.min(points.len()) {
            scope.spawn(|| {
                while let Some(&point) = points.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let row = run_point(plan, point, contents);
                    rows.lock().unwrap_or_else(PoisonError::into_inner).push(row);
                    let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                    if told {
                        eprint!("\r{done} of {} points", points.len());
                    }
                }
            });
        }
    });
    if told {
        eprintln!();
    }
    let mut rows = rows.into_inner().unwrap_or_else(PoisonError::into_inner);
    rows.sort_by_key(|row| row.point);
    rows
}

fn run_point(plan: &SweepPlan, point: usize, contents: &Contents) -> SweepRow {
    let report = plan.run(point, contents).and_then(Job::finish).map(add_fingerprint);
    SweepRow::new(point, plan.values(point), report.as_ref().map_err(Vec::as_slice))
}

/// Puts the files of parts together. With `output` the merged part goes there.
pub fn merge(
    files: &[(String, Vec<u8>)],
    output: Option<&Path>,
    format: TableFormat,
) -> Result<String, Vec<Diagnostic>> {
    let parts = files.iter().map(|(name, text)| SweepPart::from_json(name, text)).collect::<Result<Vec<_>, _>>();
    let merged = parts.and_then(SweepPart::merge).map_err(|error| vec![error])?;
    if let Some(output) = output {
        let text = merged.to_json().map_err(|error| vec![error])?;
        std::fs::write(output, text).map_err(|error| vec![write_error(&output.display().to_string(), &error)])?;
        return Ok(String::new());
    }
    if !merged.is_whole() {
        let help = "give the others too, or write a larger part with -o";
        return Err(vec![Diagnostic::error("merge", "all points of the sweep", merged.place(), help)]);
    }
    show(merged.into_table(), format)
}

/// The table for stdout. It is an error only if no point has a result, and then it says why.
fn show(table: SweepTable, format: TableFormat) -> Result<String, Vec<Diagnostic>> {
    let failed = table.rows.iter().filter_map(|row| row.error.as_ref());
    if failed.clone().count() == table.rows.len() && !table.rows.is_empty() {
        let first = failed.take(1).cloned().collect::<String>();
        let help = "change the values so that they go together";
        return Err(vec![Diagnostic::error("sweep", "a point that can run", first, help)]);
    }
    match format {
        TableFormat::Json => json(&table),
        TableFormat::Csv => Ok(table.csv()),
        TableFormat::Text => Ok(table.text()),
    }
}
