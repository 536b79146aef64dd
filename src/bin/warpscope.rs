//! The command line: the same use cases as the page, with the same numbers.

use clap::{Parser, Subcommand, ValueEnum};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use warpscope::diag::Diagnostic;
use warpscope::job::Job;
use warpscope::lab::{
    example_list, gpu, parameters, preset_list, Contents, Intake, KernelReport, Model, Report, Run, Scenario,
};
use warpscope::share::{seal, write_link};

#[path = "warpscope/discover.rs"]
mod discover;
#[path = "warpscope/topology.rs"]
mod topology;

/// Why a GPU's memory accesses miss.
#[derive(Parser)]
#[command(version, about, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Model the L1 data cache for the kernels of trace files.
    Cache(CacheArguments),
    /// Read a GPU's topology, and recompute it from mt4g's raw timing files.
    Topology(topology::TopologyArguments),
    /// Measure a virtual GPU from outside, and compare with the truth.
    Discover(discover::DiscoverArguments),
    /// List the GPUs that `--gpu` knows, or the parameters of one.
    Presets {
        /// Show this preset's parameters with their sources.
        preset: Option<String>,
    },
    /// List the built-in examples.
    Examples,
}

#[derive(Parser)]
struct CacheArguments {
    /// Trace files (.trc, .traceg, raw .trace, gzip of them), kernelslist.g, topology JSON; or `example:ID`.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// GPU: a preset (see `warpscope presets`) or a topology JSON, our own or mt4g's [default: gtx470-16k].
    #[arg(long)]
    gpu: Option<String>,
    /// Cache model: what the HPCA'14 paper describes, or what its authors' program does.
    #[arg(long, value_enum, default_value = "paper")]
    model: ModelArgument,
    /// Seed of the random miss latencies.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Change a parameter of the GPU, for example `--set ways=8` (see `warpscope presets PRESET`).
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// What to print on stdout.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum ModelArgument {
    Paper,
    Reference,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Format {
    Text,
    Json,
}

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Cache(arguments) => cache(&arguments),
        Command::Discover(arguments) => discover::discover(&arguments),
        Command::Topology(arguments) => topology::topology(&arguments),
        Command::Presets { preset: None } => Ok(list_presets()),
        Command::Presets { preset: Some(id) } => preset_parameters(&id),
        Command::Examples => Ok(list_examples()),
    };
    match done.and_then(print) {
        Ok(()) => ExitCode::SUCCESS,
        Err(diagnostics) => {
            tell(&diagnostics);
            ExitCode::FAILURE
        }
    }
}

/// Writes the result; a reader that stops early (`| head`) is not an error.
fn print(text: String) -> Result<(), Vec<Diagnostic>> {
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(vec![failed("stdout", &error)]),
        _ => Ok(()),
    }
}

fn tell(diagnostics: &[Diagnostic]) {
    for diagnostic in diagnostics {
        eprintln!("{diagnostic}");
    }
}

fn failed(file: &str, error: &std::io::Error) -> Diagnostic {
    Diagnostic::error(file, "a readable file", error.to_string(), "check the path and its permissions")
}

fn cache(arguments: &CacheArguments) -> Result<String, Vec<Diagnostic>> {
    let mut contents = contents(&arguments.files)?;
    let mut scenario = Scenario {
        example: contents.example.clone(),
        files: contents.files.iter().map(|file| file.id.clone()).collect(),
        model: match arguments.model {
            ModelArgument::Paper => Model::Paper,
            ModelArgument::Reference => Model::Reference,
        },
        seed: arguments.seed,
        ..Scenario::default()
    };
    match &arguments.gpu {
        Some(path) if gpu(path, None).is_err() && Path::new(path).is_file() => {
            contents.load_topology(path, &read(Path::new(path))?)?;
            scenario.gpu = Scenario::FILE_GPU.into();
        }
        Some(id) => scenario.gpu.clone_from(id),
        None if contents.topology.is_some() => scenario.gpu = Scenario::FILE_GPU.into(),
        None => {}
    }
    for pair in &arguments.set {
        let (key, value) = pair.split_once('=').ok_or_else(|| {
            vec![Diagnostic::error("--set", "KEY=VALUE", format!("`{pair}`"), "write for example `--set ways=8`")]
        })?;
        scenario.set.insert(key.trim().into(), value.trim().into());
    }
    tell(&contents.diagnostics);
    let run = Run::new(&scenario, &contents)?;
    if contents.has_error() {
        eprintln!("the parts that could be read are used");
    }
    let report = seal(run.finish()?);
    match arguments.format {
        Format::Json => to_json(&report),
        Format::Text => Ok(text(&report, &scenario)),
    }
}

fn contents(files: &[PathBuf]) -> Result<Contents, Vec<Diagnostic>> {
    if let [only] = files {
        if let Some(id) = only.to_str().and_then(|name| name.strip_prefix("example:")) {
            return Contents::of_example(id);
        }
    }
    let mut intake = Intake::default();
    for path in files {
        let name = path.display().to_string();
        let mut file = File::open(path).map_err(|error| vec![failed(&name, &error)])?;
        intake.begin(&name);
        let mut chunk = vec![0; 1 << 18];
        loop {
            match file.read(&mut chunk) {
                Ok(0) => break,
                Ok(n) => intake.push(&chunk[..n]),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(vec![failed(&name, &error)]),
            }
        }
    }
    Ok(intake.finish())
}

fn read(path: &Path) -> Result<Vec<u8>, Vec<Diagnostic>> {
    std::fs::read(path).map_err(|error| vec![failed(&path.display().to_string(), &error)])
}

fn to_json(report: &impl serde::Serialize) -> Result<String, Vec<Diagnostic>> {
    serde_json::to_string(report).map(|text| text + "\n").map_err(|error| {
        vec![Diagnostic::error("report", "a report that can be written", error.to_string(), "report this")]
    })
}

fn text(report: &Report, scenario: &Scenario) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail, so the results of `writeln!` say nothing.
    let _ = writeln!(out, "model {}, gpu {}, seed {}", report.model, report.gpu, report.seed);
    for kernel in &report.kernels {
        kernel_text(&mut out, kernel);
    }
    for note in &report.notes {
        let _ = writeln!(out, "note: {note}");
    }
    let _ = writeln!(out, "fingerprint {}", report.fingerprint);
    let linked = Scenario { fingerprint: Some(report.fingerprint.clone()), ..scenario.clone() };
    if let Ok(link) = write_link(&linked) {
        let _ = writeln!(out, "link #{link}");
    }
    out
}

fn kernel_text(out: &mut String, kernel: &KernelReport) {
    let percent = |rate: f64| format!("{:.2} %", 100.0 * rate);
    let _ = writeln!(out, "\n{} <<<{:?}, {:?}>>>", kernel.name, kernel.grid, kernel.block);
    let _ = writeln!(
        out,
        "  {} requests, {} hits, miss rate {} ({} with latency misses)",
        kernel.requests,
        kernel.hits,
        percent(kernel.miss_rate),
        percent(kernel.miss_rate_with_latency)
    );
    let m = &kernel.misses;
    let _ = writeln!(
        out,
        "  compulsory {}, capacity {}, associativity {}, latency {}; MSHRs {:+}",
        m.compulsory, m.capacity, m.associativity, m.latency, m.mshr
    );
    if let (Some(class), Some(array)) = (kernel.verdict.class, &kernel.verdict.array) {
        let (most, of_it) = (percent(kernel.verdict.class_share), percent(kernel.verdict.array_share));
        let _ = writeln!(out, "  {most} of the misses are {class} misses, {of_it} of these in {array}");
    }
    let _ = writeln!(out, "  {} ticks, {} cancelled issues", kernel.ticks, kernel.cancels);
    for row in kernel.arrays.iter().take(12) {
        let c = &row.counts;
        let guessed = if row.guessed { " (guessed)" } else { "" };
        let rate = percent((c.requests - c.hits) as f64 / c.requests.max(1) as f64);
        let _ = writeln!(out, "    {}{guessed}: {} requests, {rate} miss", row.name, c.requests);
    }
}

fn list_presets() -> String {
    preset_list().iter().map(|p| format!("{:<12} {}: {}\n", p.id, p.name, p.summary)).collect()
}

fn preset_parameters(id: &str) -> Result<String, Vec<Diagnostic>> {
    let topology = gpu(id, None)?;
    let mut out = format!("{}\n", topology.name);
    for p in parameters(&topology, Model::Paper) {
        let _ = writeln!(out, "  {:<13} {} {} [{}: {}]", p.key, p.value, p.unit, p.status, p.source);
        let _ = writeln!(out, "  {:<13} {}", "", p.help);
    }
    Ok(out)
}

fn list_examples() -> String {
    example_list().iter().map(|e| format!("{:<15} {}\n{:<15} {}\n", e.id, e.title, "", e.lesson)).collect()
}
