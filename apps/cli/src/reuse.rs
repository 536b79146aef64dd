//! `warpscope reuse`, `generate` and `merge`: streams of addresses and their reuse distances.

use super::files::{file_error, print_diagnostics, read_contents_with, read_file, write_error, ReadAs};
use super::sweep::{self, TableFormat};
use super::trace::CudaFileArguments;
use super::words::counted;
use super::{json, Format};
use base::{Diagnostic, Severity};
use clap::builder::RangedU64ValueParser;
use clap::{Args, Subcommand, ValueEnum};
use lab::{
    analyse_reuse, line_source, part_range, partition_of, EngineChoice, HpRdaSettings, LineSource, PartitionFile,
    Pattern, ReuseReport, ReuseSettings, SweepPart, SyntheticStream,
};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Instant;

type CliResult<T> = Result<T, Vec<Diagnostic>>;

/// Numbers that are read or written at a time.
const CHUNK: usize = 1 << 16;

#[derive(Subcommand)]
pub enum Command {
    /// Reuse distances of an address stream (.u64) or of the line requests of GPU traces.
    Reuse(Box<ReuseArguments>),
    /// Write a stream of lines: binary little-endian 64-bit numbers (.u64), or text by the ending (.csv, .lackey), whose numbers
    /// `reuse` takes for bytes without `--line-bytes 1`.
    Generate(GenerateArguments),
    /// Merge parts that `reuse --part` or `sweep --part` wrote.
    Merge(MergeArguments),
}

#[derive(Args)]
pub struct ReuseArguments {
    /// An address stream (.u64, lackey, din, pinatrace, CSV), trace files as `warpscope cache` takes them, or
    /// `example:ID`.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    read_as: ReadAs,
    #[command(flatten)]
    cuda: CudaFileArguments,
    /// Bytes of a line [default: 1 for .u64 and oracleGeneral, whose numbers are lines then; 64 for other streams; 128 for GPU traces].
    #[arg(long)]
    line_bytes: Option<u64>,
    /// Engine that computes the distances.
    #[arg(long, value_enum, default_value = "auto")]
    engine: EngineArgument,
    /// Threads. Only `rank` runs on more than one.
    #[arg(long, default_value_t = 1, value_parser = from_one_to(1024))]
    threads: usize,
    /// Take a sample of the lines at this rate, for example 0.01.
    #[arg(long, conflicts_with_all = ["part", "engine"])]
    sample: Option<f64>,
    /// HP-RDA: references in a thread trace [default: 2048].
    #[arg(long, value_parser = from_one_to(u64::from(u32::MAX)))]
    st: Option<usize>,
    /// HP-RDA: threads in a block [default: 64].
    #[arg(long, value_parser = from_one_to(u64::from(u32::MAX)))]
    nb: Option<usize>,
    /// HP-RDA: multiply distances above M by ef [default: yes].
    #[arg(long, value_enum)]
    adjust: Option<YesNo>,
    /// Analyse only part K of OF with the engine `rank`, to be merged later.
    #[arg(long, value_name = "K/OF", requires = "output")]
    part: Option<String>,
    /// File for the partition.
    #[arg(short, long, requires = "part")]
    output: Option<PathBuf>,
    /// Format of stdout.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Args)]
pub struct GenerateArguments {
    /// Pattern of the accesses.
    pattern: PatternArgument,
    /// Number of accesses.
    #[arg(long)]
    n: u64,
    /// Approximate number of distinct lines.
    #[arg(long)]
    m: u64,
    /// Seed: a number, or `random`.
    #[arg(long, default_value_t = 1, value_parser = crate::seed::seed)]
    seed: u64,
    /// Exponent of zipf.
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true)]
    exponent: f64,
    /// File to write.
    #[arg(short, long)]
    output: PathBuf,
}

#[derive(Args)]
pub struct MergeArguments {
    /// Parts of one stream or of one sweep, in any order. Those of a stream must be adjacent.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Write the merged part here instead of a report.
    #[arg(short, long)]
    output: Option<PathBuf>,
    /// Format of stdout. Only sweeps have CSV.
    #[arg(long, value_enum, default_value = "text")]
    format: TableFormat,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum EngineArgument {
    Auto,
    Rank,
    Offline,
    Fenwick,
    HpRda,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum YesNo {
    Yes,
    No,
}

#[derive(Clone, Copy, ValueEnum)]
enum PatternArgument {
    Uniform,
    Zipf,
    Loop,
    Matmul,
    Phased,
}

pub fn run(command: Command) -> CliResult<String> {
    match command {
        Command::Reuse(arguments) => reuse(&arguments),
        Command::Generate(arguments) => generate(&arguments),
        Command::Merge(arguments) => merge(&arguments),
    }
}

fn from_one_to(most: u64) -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..=most)
}

fn reuse(arguments: &ReuseArguments) -> CliResult<String> {
    check_options(arguments)?;
    let (source, line_bytes) = source(arguments)?;
    let threads = arguments.threads;
    let begun = Instant::now();
    if let (Some(part), Some(output)) = (&arguments.part, &arguments.output) {
        let (part, of) = parse_part(part)?;
        let partition = partition_of(&*source, part_range(source.accesses(), part, of), threads).map_err(one)?;
        let file = PartitionFile { parts: (part, part), of, line_bytes, partition };
        write_file(output, file.to_json().map_err(one)?.as_bytes())?;
        return Ok(String::new());
    }
    let settings = ReuseSettings { engine: engine(arguments)?, threads };
    let mut report = analyse_reuse(&*source, settings).map_err(one)?;
    report.seconds = begun.elapsed().as_secs_f64();
    if report.sample.as_ref().is_some_and(|sample| sample.error_95.is_empty()) {
        let found = "a sample that is too small to say anything";
        print_diagnostics(&[Diagnostic {
            severity: Severity::Warning,
            ..problem("--sample", "a sample with lines that come again", found, "take a larger rate, or all lines")
        }]);
    }
    show(&report, line_bytes, arguments.format)
}

/// Refuses options that the engine does not heed.
fn check_options(arguments: &ReuseArguments) -> CliResult<()> {
    let &ReuseArguments { engine, st, nb, adjust, .. } = arguments;
    let name = engine.to_possible_value().map_or(String::new(), |value| value.get_name().to_string());
    let given = [("--st", st.is_some()), ("--nb", nb.is_some()), ("--adjust", adjust.is_some())];
    if let Some((option, _)) = given.iter().find(|(_, given)| *given && engine != EngineArgument::HpRda) {
        return Err(one(problem(option, "`--engine hp-rda`", &name, "add that, or leave this option out")));
    }
    if arguments.part.is_some() && !matches!(engine, EngineArgument::Auto | EngineArgument::Rank) {
        return Err(one(problem("--part", "`--engine rank`", &name, "only its results can be merged")));
    }
    Ok(())
}

fn engine(arguments: &ReuseArguments) -> CliResult<EngineChoice> {
    if let Some(rate) = arguments.sample {
        let per_million = rate * 1e6;
        if !(1.0..=1e6).contains(&per_million) {
            return Err(one(problem("--sample", "a rate from 0.000001 to 1", &rate.to_string(), "try 0.01")));
        }
        return Ok(EngineChoice::Sample { per_million: per_million.round() as u32 });
    }
    let paper = HpRdaSettings::default();
    Ok(match arguments.engine {
        EngineArgument::Auto => EngineChoice::Auto,
        EngineArgument::Rank => EngineChoice::Rank,
        EngineArgument::Offline => EngineChoice::Offline,
        EngineArgument::Fenwick => EngineChoice::Fenwick,
        EngineArgument::HpRda => EngineChoice::HpRda(HpRdaSettings {
            thread_trace: arguments.st.unwrap_or(paper.thread_trace),
            block_threads: arguments.nb.unwrap_or(paper.block_threads),
            adjust: arguments.adjust.map_or(paper.adjust, |adjust| adjust == YesNo::Yes),
        }),
    })
}

/// Opens the stream. Returns it with its line size in bytes.
fn source(arguments: &ReuseArguments) -> CliResult<(Box<dyn LineSource>, u64)> {
    if arguments.line_bytes == Some(0) {
        return Err(one(problem("--line-bytes", "at least 1", "0", "lines of GPUs have 32 to 128 bytes")));
    }
    if let [path] = arguments.files.as_slice() {
        if arguments.read_as.is_empty() && path.extension().is_some_and(|e| e == "u64") && !is_packed(path) {
            let line_bytes = arguments.line_bytes.unwrap_or(1);
            return Ok((Box::new(NumberFile::open(path, line_bytes)?), line_bytes));
        }
    }
    let contents = read_contents_with(&arguments.files, &arguments.read_as, &arguments.cuda)?;
    print_diagnostics(&contents.diagnostics);
    if contents.kernels.is_empty() && contents.streams.is_empty() {
        let name = arguments.files[0].display().to_string();
        let help = "give an address stream or a trace; `warpscope generate` writes streams";
        return Err(one(problem(&name, "an address stream or a trace", "neither", help)));
    }
    line_source(contents, arguments.line_bytes).map_err(one)
}

/// Whether a file is compressed, whatever its name says.
fn is_packed(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(8).read_to_end(&mut head));
    read.is_ok() && lab::is_packed(&head)
}

/// A .u64 file that can be read from any position.
struct NumberFile {
    path: PathBuf,
    numbers: u64,
    line_bytes: u64,
}

impl NumberFile {
    fn open(path: &Path, line_bytes: u64) -> CliResult<Self> {
        let name = path.display().to_string();
        let bytes = std::fs::metadata(path).map_err(|e| one(file_error(&name, &e)))?.len();
        if bytes % 8 != 0 {
            let found = format!("{bytes} bytes, {} after the last number", bytes % 8);
            print_diagnostics(&[Diagnostic {
                severity: Severity::Warning,
                ..problem(&name, "numbers of 8 bytes", &found, "the rest is left out; is the file cut off?")
            }]);
        }
        Ok(Self { path: path.into(), numbers: bytes / 8, line_bytes })
    }
}

impl LineSource for NumberFile {
    fn accesses(&self) -> u64 {
        self.numbers
    }

    fn visit(&self, range: Range<u64>, take: &mut dyn FnMut(&[u64])) -> Result<(), Diagnostic> {
        let fail = |error| file_error(&self.path.display().to_string(), &error);
        let mut file = File::open(&self.path).map_err(fail)?;
        file.seek(SeekFrom::Start(range.start * 8)).map_err(fail)?;
        let (mut bytes, mut lines) = (vec![0; CHUNK * 8], vec![0; CHUNK]);
        let shift = self.line_bytes.is_power_of_two().then(|| self.line_bytes.trailing_zeros());
        let mut left = range.end.saturating_sub(range.start);
        while left > 0 {
            let now = left.min(CHUNK as u64) as usize;
            file.read_exact(&mut bytes[..now * 8]).map_err(fail)?;
            for (line, number) in lines.iter_mut().zip(bytes[..now * 8].chunks_exact(8)) {
                let address = number.iter().rev().fold(0, |n, &byte| n << 8 | u64::from(byte));
                *line = shift.map_or_else(|| address / self.line_bytes, |shift| address >> shift);
            }
            take(&lines[..now]);
            left -= now as u64;
        }
        Ok(())
    }
}

pub fn parse_part(text: &str) -> CliResult<(u64, u64)> {
    let parsed = text.split_once('/').and_then(|(k, of)| Some((k.parse().ok()?, of.parse().ok()?)));
    parsed.filter(|&(k, of): &(u64, u64)| 1 <= k && k <= of).ok_or_else(|| {
        one(problem("--part", "K/OF with K from 1 to OF", &format!("`{text}`"), "write for example `--part 1/4`"))
    })
}

fn merge(arguments: &MergeArguments) -> CliResult<String> {
    let begun = Instant::now();
    let mut files = Vec::new();
    for path in &arguments.files {
        files.push((path.display().to_string(), read_file(path)?));
    }
    if files.iter().any(|(_, text)| SweepPart::is_one(text)) {
        return sweep::merge(&files, arguments.output.as_deref(), arguments.format);
    }
    let format = match arguments.format {
        TableFormat::Text => Format::Text,
        TableFormat::Json => Format::Json,
        TableFormat::Csv => {
            let help = "choose --format json, which has the histogram and the curve";
            return Err(one(problem("--format", "text or json for parts of a stream", "csv", help)));
        }
    };
    let parts = files.iter().map(|(name, text)| PartitionFile::from_json(name, text)).collect::<Result<_, _>>();
    let merged = parts.and_then(PartitionFile::merge).map_err(one)?;
    if let Some(output) = &arguments.output {
        write_file(output, merged.to_json().map_err(one)?.as_bytes())?;
        return Ok(String::new());
    }
    if !merged.is_whole() {
        let help = "give the others too, or write a larger part with -o";
        return Err(one(problem("merge", "all parts of the stream", &merged.place(), help)));
    }
    let mut report = ReuseReport::of_partition(&merged.partition, 1);
    report.seconds = begun.elapsed().as_secs_f64();
    show(&report, merged.line_bytes, format)
}

/// Lines of a generated stream at most. A slip of the keyboard shall not fill the disk.
const MOST_GENERATED: u64 = 1 << 36;

fn generate(arguments: &GenerateArguments) -> CliResult<String> {
    if !(0.0..=100.0).contains(&arguments.exponent) {
        let found = arguments.exponent.to_string();
        return Err(one(problem("--exponent", "a number from 0 to 100", &found, "1 is the usual one")));
    }
    let pattern = match arguments.pattern {
        PatternArgument::Uniform => Pattern::Uniform,
        PatternArgument::Zipf => Pattern::Zipf { exponent: arguments.exponent },
        PatternArgument::Loop => Pattern::Loop,
        PatternArgument::Matmul => Pattern::Matmul,
        PatternArgument::Phased => Pattern::Phased,
    };
    if arguments.m == 0 || matches!(pattern, Pattern::Zipf { .. }) && arguments.m > 1 << 28 {
        let help = "zipf keeps a table of its lines and takes at most 268,435,456";
        return Err(one(problem("--m", "a number of lines", &arguments.m.to_string(), help)));
    }
    if arguments.n > MOST_GENERATED {
        let help = "a .u64 of so many takes 512 GiB; write a shorter stream, or several with other seeds";
        return Err(one(problem("--n", "at most 68,719,476,736 lines", &arguments.n.to_string(), help)));
    }
    let name = arguments.output.display().to_string();
    let fail = |error| one(file_error(&name, &error));
    let ending = arguments.output.extension().and_then(|e| e.to_str()).unwrap_or_default();
    let mut out = BufWriter::new(File::create(&arguments.output).map_err(fail)?);
    if ending == "csv" {
        out.write_all(b"address\n").map_err(fail)?;
    }
    let mut stream = SyntheticStream::new(pattern, arguments.m, arguments.seed);
    let mut lines = vec![0; CHUNK];
    let mut left = arguments.n;
    while left > 0 {
        let now = left.min(CHUNK as u64) as usize;
        stream.fill(&mut lines[..now]);
        for line in &lines[..now] {
            match ending {
                "csv" => writeln!(out, "{line}"),
                "lackey" => writeln!(out, " L {line:08x},1"),
                _ => out.write_all(&line.to_le_bytes()),
            }
            .map_err(fail)?;
        }
        left -= now as u64;
    }
    out.flush().map_err(fail)?;
    Ok(String::new())
}

fn show(report: &ReuseReport, line_bytes: u64, format: Format) -> CliResult<String> {
    if format == Format::Json {
        return json(report);
    }
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = writeln!(
        out,
        "{}, {} of {}; engine {} on {}, {:.3} s",
        counted(report.accesses, "access"),
        counted(report.distinct, "distinct line"),
        counted(line_bytes, "byte"),
        report.engine,
        counted(report.threads as u64, "thread"),
        report.seconds
    );
    if let Some(sample) = &report.sample {
        let _ = writeln!(out, "estimated from {}, {} of the lines", counted(sample.sampled, "access"), sample.rate);
        for (lines, error) in &sample.error_95 {
            let _ = writeln!(out, "  {}: miss ratio within {error:.4} (95 %)", counted(*lines, "line"));
        }
    }
    if let Some(hp) = &report.hp_rda {
        let _ = writeln!(out, "approximation HP-RDA: ST {}, NB {}, NTB {}, ef {:.6}", hp.st, hp.nb, hp.ntb, hp.ef);
    }
    for (lines, ratio) in &report.knees {
        let _ = writeln!(out, "knee at {}: miss ratio {ratio:.4}", counted(*lines, "line"));
    }
    let mut bins: Vec<(String, u64)> = Vec::new();
    for &(distance, count) in &report.histogram {
        let name = distance.map_or("inf".into(), |d| match u64::BITS - d.leading_zeros() {
            0 => "0".into(),
            k => format!("{}..{}", 1u64 << (k - 1), (1u128 << k) - 1),
        });
        match bins.last_mut() {
            Some((last, sum)) if *last == name => *sum += count,
            _ => bins.push((name, count)),
        }
    }
    for (name, count) in bins {
        let share = 100.0 * count as f64 / report.accesses.max(1) as f64;
        let _ = writeln!(out, "{name:>24} {count:>14} {share:7.3} %");
    }
    Ok(out)
}

fn write_file(path: &Path, bytes: &[u8]) -> CliResult<()> {
    std::fs::write(path, bytes).map_err(|error| one(write_error(&path.display().to_string(), &error)))
}

fn one(diagnostic: Diagnostic) -> Vec<Diagnostic> {
    vec![diagnostic]
}

fn problem(file: &str, expected: &str, found: &str, help: &str) -> Diagnostic {
    Diagnostic::error(file, expected, found, help)
}
