//! The command line. It has the same use cases as the page and gives the same numbers.

use base::Diagnostic;
use clap::{CommandFactory, Parser, Subcommand, ValueEnum};
use lab::{example_list, gpu_topology, inherited, parameters, preset_list, topology_facts, CacheModel};
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

mod cache;
mod check;
mod compare;
mod convert;
mod discover;
mod exercise;
mod files;
mod info;
mod measured;
mod open;
mod papers;
mod place;
mod reference;
mod reuse;
mod seed;
mod settings;
mod sweep;
mod time_left;
mod topology;
mod trace;
mod why;
mod why_gpu;
mod words;

use files::{print_diagnostics, printable, was_refused, write_error, ReadAs};
use settings::RunSettings;

/// Why a GPU's memory accesses miss.
#[derive(Parser)]
#[command(version, about, max_term_width = 100)]
struct Arguments {
    /// Exit with status 0 although a part of the input was refused. The rest runs, unless a file cannot be opened.
    #[arg(long, global = true)]
    keep_going: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Model the caches of a GPU for the kernels of trace files.
    Cache(CacheArguments),
    /// Model the caches under many values of one or more parameters, on all cores of this machine.
    Sweep(sweep::SweepArguments),
    /// Compare two reports of `cache`: which of GPU, model, state, seed and parameters differ, and each number with its difference.
    Compare(compare::CompareArguments),
    /// Run the scenario of a link or of a scenario file, and say whether its result is reproduced.
    Open(open::OpenArguments),
    /// Step through the accesses of a core in the model `paper` or `gpu`, and say why one hit or missed.
    Why(why::WhyArguments),
    /// Recompute the tables and figures of the papers and show the differences, or hold the model `gpu` against files of
    /// hardware counters.
    ///
    /// A row of a paper is red if a difference is larger than the row's bound. Rows that are known to be red say why. The
    /// exit status is 1 only if a row is red that is not known to be, or is not red although it is said to be.
    Check(check::CheckArguments),
    /// Describe files: their kernels, instructions, accesses and arrays, and the memory that a run takes.
    Info(InfoArguments),
    /// Write the kernels of trace files in another format. Stderr names what the format cannot hold.
    Convert(ConvertArguments),
    /// Run the kernels of a CUDA file and write their traces. Stdout describes the run.
    Trace(trace::TraceArguments),
    /// Read a GPU's topology, and recompute it from mt4g's raw timing files.
    Topology(topology::TopologyArguments),
    /// Measure a virtual GPU from outside, and compare with the truth.
    Discover(discover::DiscoverArguments),
    /// Rank the memories for the arrays of a kernel: global, texture, constant or shared memory.
    Place(place::PlaceArguments),
    /// Find the address mapping of a hidden memory from its latencies.
    DramMap(place::DramMapArguments),
    /// List the GPUs that `--gpu` takes, or the parameters of one.
    Presets {
        /// Show this preset's parameters with their sources.
        preset: Option<String>,
    },
    /// List the built-in examples.
    Examples,
    /// Exercises of the course: list, show, check, grade.
    #[command(subcommand)]
    Exercise(exercise::ExerciseCommand),
    /// Print every command and option as Markdown.
    #[command(hide = true)]
    Reference,
    #[command(flatten)]
    Reuse(reuse::Command),
}

#[derive(Parser)]
struct CacheArguments {
    /// Trace files (.trc, .traceg, raw .trace, packed or not), kernelslist.g, CUDA text (.cu), a topology, a profile, or
    /// `example:ID`.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    cuda: trace::CudaFileArguments,
    #[command(flatten)]
    read_as: ReadAs,
    #[command(flatten)]
    settings: RunSettings,
    /// Model: `gpu` (the whole GPU in cycles), `paper` (one Fermi L1 as HPCA'14 describes it) or `reference` (the program of
    /// its authors) [default: gpu beside a profile; otherwise paper for Fermi
    /// GPUs, gpu for all others].
    #[arg(long, value_enum)]
    model: Option<ModelArgument>,
    /// State of the caches before each launch in the model `gpu`: `cold` (Nsight Compute's way), `copies` (after the copies
    /// from the host), `replay` (nvprof's way) or `warm` (after the kernel before) [default: cold].
    #[arg(long)]
    state: Option<String>,
    /// In the model `gpu`, say why loads miss in the L1: compulsory, capacity or conflict. The other models always do.
    #[arg(long)]
    classes: bool,
    /// In the model `gpu`, simulate N of the GPU's cores with their share of the blocks, and scale the totals.
    #[arg(long, value_name = "N")]
    sms: Option<u32>,
    /// Output of a profiler (the CSV of Nsight Compute or nvprof, the JSON of KTT 2, a `.prof` file): shows each of its
    /// counters beside the model's, with the error. Without `--state` the model runs from the state that the profiler
    /// measures from. Such a file can also stand among FILES.
    #[arg(long, value_name = "PROFILE")]
    measured: Option<PathBuf>,
    /// Seed of the random miss latencies in `paper` and `reference`: a number, or `random` [default: 1].
    #[arg(long, value_parser = seed::seed)]
    seed: Option<u64>,
    /// Run only this kernel: its number (see `warpscope info`), a range such as `2-4`, its name, or `all`. Can be
    /// repeated.
    #[arg(long = "kernel", value_name = "N|NAME|all")]
    kernels: Vec<String>,
    /// Show the array that begins at BASE (see `warpscope info`) as NAME in the output and the link. Can be repeated.
    #[arg(long = "name", value_name = "BASE=NAME")]
    names: Vec<String>,
    /// Format of stdout.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Parser)]
struct InfoArguments {
    /// Any files, or `example:ID`.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    cuda: trace::CudaFileArguments,
    #[command(flatten)]
    read_as: ReadAs,
    #[command(flatten)]
    settings: RunSettings,
    /// Format of stdout.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Parser)]
struct ConvertArguments {
    /// Trace files, with their kernelslist.g if there is one, or `example:ID`.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    read_as: ReadAs,
    /// File to write. Its ending (.trc, .traceg, each also with .gz) selects the format. Several kernels become OUT-1,
    /// OUT-2 …
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Only this kernel, as for `warpscope cache`. Can be repeated.
    #[arg(long = "kernel", value_name = "N|NAME|all")]
    kernels: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum ModelArgument {
    Paper,
    Reference,
    Gpu,
}

impl From<ModelArgument> for CacheModel {
    fn from(argument: ModelArgument) -> Self {
        match argument {
            ModelArgument::Paper => Self::Paper,
            ModelArgument::Reference => Self::Reference,
            ModelArgument::Gpu => Self::Gpu,
        }
    }
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Format {
    Text,
    Json,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let done = match arguments.command {
        Command::Cache(arguments) => cache::cache(&arguments),
        Command::Sweep(arguments) => sweep::sweep(&arguments),
        Command::Compare(arguments) => compare::compare(&arguments),
        Command::Open(arguments) => open::open(&arguments),
        Command::Why(arguments) => why::why(&arguments),
        Command::Check(arguments) => check::check(&arguments),
        Command::Info(arguments) => info::describe(&arguments),
        Command::Convert(arguments) => convert::convert_files(&arguments),
        Command::Discover(arguments) => discover::discover(&arguments),
        Command::Trace(arguments) => trace::trace(&arguments),
        Command::Topology(arguments) => topology::topology(&arguments),
        Command::Place(arguments) => place::place(&arguments),
        Command::DramMap(arguments) => place::map_dram(&arguments),
        Command::Presets { preset: None } => Ok(list_presets()),
        Command::Presets { preset: Some(id) } => preset_parameters(&id),
        Command::Examples => Ok(list_examples()),
        Command::Reference => Ok(reference::reference(&Arguments::command())),
        Command::Reuse(command) => reuse::run(command),
        Command::Exercise(command) => exercise::run(&command),
    };
    match done.and_then(print) {
        Ok(()) if was_refused() && !arguments.keep_going => ExitCode::FAILURE,
        Ok(()) => ExitCode::SUCCESS,
        Err(diagnostics) => {
            print_diagnostics(&diagnostics);
            ExitCode::FAILURE
        }
    }
}

/// Prints the result. A reader that stops early (`| head`) is no error.
fn print(text: String) -> Result<(), Vec<Diagnostic>> {
    match std::io::stdout().write_all(printable(&text).as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(vec![write_error("stdout", &error)]),
        _ => Ok(()),
    }
}

fn json(value: &impl serde::Serialize) -> Result<String, Vec<Diagnostic>> {
    serde_json::to_string(value).map(|text| text + "\n").map_err(|error| {
        vec![Diagnostic::error("result", "a result that can be written", error.to_string(), "report this")]
    })
}

/// The line above what is said about a kernel.
fn heading(number: u32, name: &str, grid: [u32; 3], block: [u32; 3]) -> String {
    format!("{number} {} <<<{grid:?}, {block:?}>>>", lab::short_name(name))
}

fn list_presets() -> String {
    preset_list().iter().map(|p| format!("{:<12} {}: {}\n", p.id, p.name, p.summary)).collect()
}

/// Paths in a topology's JSON that no parameter of the cache model shows.
const BEYOND_CACHES: [&str; 3] = ["generation", "thesis_table", "board."];

fn preset_parameters(id: &str) -> Result<String, Vec<Diagnostic>> {
    let topology = gpu_topology(id, None)?;
    let mut out = format!("{}\n", topology.name);
    for p in parameters(&topology, CacheModel::Paper) {
        let _ = writeln!(out, "  {:<13} {} {} [{}: {}]", p.key, p.value, p.unit, p.status, p.source);
        let _ = writeln!(out, "  {:<13} {}", "", p.help);
    }
    out.push_str("Beyond the cache model:\n");
    let own =
        topology_facts(&topology).into_iter().filter(|row| BEYOND_CACHES.iter().any(|part| row.path.starts_with(part)));
    for row in own.chain(inherited(&topology)) {
        let key = row.path.strip_prefix("board.").unwrap_or(&row.path);
        let value = row.value.as_str().map_or_else(|| row.value.to_string(), String::from);
        let _ = writeln!(out, "  {key:<22} {value} {} [{}: {}]", row.unit, row.status, row.source);
    }
    Ok(out)
}

fn list_examples() -> String {
    example_list().iter().map(|e| format!("{:<15} {}\n{:<15} {}\n", e.id, e.title, "", e.lesson)).collect()
}
