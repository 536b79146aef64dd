//! `warpscope trace`: runs the kernels of a CUDA file and writes their traces.

use super::convert::{numbered, write};
use super::files::{cuda_text, joined, print_diagnostics};
use super::time_left;
use base::{Diagnostic, Severity};
use clap::{Args, Parser, ValueEnum};
use lab::{Counts, CudaOptions, CudaSettings, Emulation, Target, TraceForm};
use std::fmt::Write as _;
use std::path::PathBuf;

#[derive(Parser)]
pub(super) struct TraceArguments {
    /// CUDA text, and files that it includes.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    cuda: CudaArguments,
    /// The accesses as written in the text, or those that remain after compilation.
    #[arg(long = "as", value_enum, default_value = "compiled", value_name = "FORM")]
    form: FormArgument,
    /// File to write. Its ending (.trc, .traceg, each also with .gz) selects the format. Several launches become OUT-1,
    /// OUT-2 …
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
}

/// Options for running CUDA text.
#[derive(Args)]
pub(super) struct CudaArguments {
    /// Launch in place of the file's `// launch:` comments: `kernel<<<blocks, threads>>>(name = value, array: float[n]
    /// = random(1))`. A number K takes the K-th launch of each kernel in the host code, `all` takes all of them.
    #[arg(long, value_name = "LAUNCH")]
    launch: Option<String>,
    /// Another value for a size of the launch, for example `--size n=256`. Can be repeated.
    #[arg(long = "size", value_name = "NAME=VALUE")]
    sizes: Vec<String>,
    /// Folder of files that the text includes. Can be repeated.
    #[arg(short = 'I', long = "include", value_name = "DIR")]
    pub include: Vec<PathBuf>,
    /// Warp instructions after which a launch is stopped.
    #[arg(long, value_name = "N")]
    budget: Option<u64>,
}

/// Options for running CUDA text in a command whose `--as` is the format of a file.
#[derive(Args)]
pub(super) struct CudaFileArguments {
    #[command(flatten)]
    pub cuda: CudaArguments,
    /// For CUDA text: its accesses as written, or those that remain after compilation.
    #[arg(long, value_enum, default_value = "compiled")]
    form: FormArgument,
}

impl CudaFileArguments {
    /// Converts the arguments to the options of the emulator.
    pub fn options(&self) -> Result<CudaOptions, Vec<Diagnostic>> {
        self.cuda.options(self.form)
    }

    /// Converts the arguments to the settings in a scenario.
    pub fn settings(&self) -> Result<CudaSettings, Vec<Diagnostic>> {
        self.cuda.settings(self.form)
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum FormArgument {
    Written,
    Compiled,
}

impl CudaArguments {
    fn settings(&self, form: FormArgument) -> Result<CudaSettings, Vec<Diagnostic>> {
        let mut settings = CudaSettings { launch: self.launch.clone(), ..CudaSettings::default() };
        settings.form = match form {
            FormArgument::Written => TraceForm::Written,
            FormArgument::Compiled => TraceForm::Compiled,
        };
        for pair in &self.sizes {
            let (name, value) = pair.split_once('=').ok_or_else(|| {
                vec![Diagnostic::error("--size", "NAME=VALUE", format!("`{pair}`"), "write for example `--size n=256`")]
            })?;
            settings.sizes.insert(name.trim().into(), value.trim().into());
        }
        Ok(settings)
    }

    fn options(&self, form: FormArgument) -> Result<CudaOptions, Vec<Diagnostic>> {
        let options = self.settings(form)?.options();
        Ok(CudaOptions { budget: self.budget.unwrap_or(options.budget), ..options })
    }
}

/// Runs the file and returns the text for stdout.
pub(super) fn trace(arguments: &TraceArguments) -> Result<String, Vec<Diagnostic>> {
    let target = match &arguments.output {
        None => None,
        Some(path) => {
            let known = Target::of_name(&path.display().to_string());
            let expected = "a name that ends in .trc, .traceg, .trc.gz or .traceg.gz";
            let wrong = || vec![Diagnostic::error("-o", expected, path.display().to_string(), "choose one of these")];
            Some((known.ok_or_else(wrong)?, path))
        }
    };
    let mut texts = Vec::new();
    for path in &arguments.files {
        texts.push((path.clone(), cuda_text(path)?));
    }
    let texts = joined(texts, &arguments.cuda.include);
    if let (Some(_), [_, second, ..]) = (target, &texts[..]) {
        let help = "write one file at a time";
        let found = format!("also {}", second.0.display());
        return Err(vec![Diagnostic::error("-o", "one file with kernels", found, help)]);
    }
    let mut said = String::new();
    for (path, text) in &texts {
        trace_text(arguments, &path.display().to_string(), text, target, &mut said)?;
    }
    Ok(said)
}

/// Runs a text, adds to what is printed, and writes its traces.
fn trace_text(
    arguments: &TraceArguments,
    name: &str,
    text: &str,
    target: Option<(Target, &PathBuf)>,
    said: &mut String,
) -> Result<(), Vec<Diagnostic>> {
    let options = arguments.cuda.options(arguments.form)?;
    let mut run = time_left::finish(Emulation::new(name, text, &options));
    let failed = run.diagnostics.iter().any(|d| d.severity == Severity::Error);
    if failed || run.launches.is_empty() {
        // A file of an earlier run would pass for the result of this one.
        if let Some((_, path)) = target {
            drop(std::fs::remove_file(path));
        }
        if !failed {
            let help = "the messages above say why";
            run.diagnostics.push(Diagnostic::error(name, "a kernel that runs to its end", "none", help));
        }
        return Err(run.diagnostics);
    }
    print_diagnostics(&run.diagnostics);
    let mut assumed = run.assumed.iter().filter(|a| a.ran);
    for (number, launch) in (1u32..).zip(&run.launches) {
        let (grid, block) = (launch.trace.launch.grid, launch.trace.launch.block);
        // Writing to a String cannot fail, so the results of `writeln!` are ignored.
        let _ = writeln!(
            said,
            "{number} {} <<<[{}, {}, {}], [{}, {}, {}]>>>: {} warp instructions, {} warp accesses",
            launch.kernel,
            grid.x,
            grid.y,
            grid.z,
            block.x,
            block.y,
            block.z,
            launch.counts.total(),
            launch.trace.access_count()
        );
        classes(said, &launch.counts);
        if let Some(assumed) = assumed.next() {
            for (name, value, origin) in &assumed.values {
                let _ = writeln!(said, "  {name} {value}: {origin}");
            }
        }
        if let Some((target, path)) = target {
            let path = if run.launches.len() > 1 { numbered(path, number) } else { path.clone() };
            for loss in write(&path, &launch.trace, target)? {
                eprintln!("{}: not in the file: {loss}", path.display());
            }
            let _ = writeln!(said, "  {}", path.display());
        }
    }
    if !run.output.is_empty() {
        let _ = writeln!(said, "printf:\n{}", run.output);
    }
    Ok(())
}

fn classes(out: &mut String, counts: &Counts) {
    let mut all = vec![
        ("integer".to_string(), counts.integer),
        ("fp32".into(), counts.fp32),
        ("fp64".into(), counts.fp64),
        ("special".into(), counts.special),
        ("branch".into(), counts.branch),
        ("barrier".into(), counts.barrier),
        ("other".into(), counts.other),
    ];
    for (what, spaces) in [("load", counts.loads), ("store", counts.stores), ("atomic", counts.atomics)] {
        let names = ["global", "shared", "local", "constant", "texture"];
        all.extend(names.iter().zip(spaces).map(|(space, n)| (format!("{what} {space}"), n)));
    }
    let shown: Vec<String> = all.iter().filter(|(_, n)| *n > 0).map(|(name, n)| format!("{name} {n}")).collect();
    let _ = writeln!(out, "  {}", shown.join(", "));
}
