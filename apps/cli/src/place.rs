//! `warpscope place` ranks placements of a kernel's arrays, and `warpscope dram-map` finds the address mapping of a
//! memory.

use super::files::{print_diagnostics, read_contents_to_place, read_file, with_note_of_refused, ReadAs};
use super::trace::CudaFileArguments;
use super::Format;
use base::Diagnostic;
use clap::Parser;
use lab::{
    dram_map, gpu_topology, retrain, rewritten_text, ChangeRow, Contents, MachineTraining, MappingBits, OverlapFile,
    PlacementReport, PlacementRequest, PlacementRow, PlacementRun, Scenario,
};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

#[derive(Parser)]
pub(super) struct PlaceArguments {
    /// Trace files or CUDA text (see `warpscope cache`), or `example:ID`.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    read_as: ReadAs,
    #[command(flatten)]
    cuda: CudaFileArguments,
    /// GPU: a preset or a topology file [default: a100].
    #[arg(long)]
    gpu: Option<String>,
    /// Name or number of the kernel. 0, the default, takes the one with most accesses.
    #[arg(long, default_value = "0", hide_default_value = true)]
    kernel: String,
    /// Memories of the arrays in the trace that are not in global memory: `--from A=texture1d,B=constant`.
    #[arg(long, value_name = "ARRAY=MEMORY", value_delimiter = ',')]
    from: Vec<String>,
    /// Print the file's text with these changes, instead of a ranking: `--rewrite A=shared,x=constant,restrict`. The memories
    /// are global, readonly, texture1d, texture2d, constant and shared. Other changes are those of --changes.
    #[arg(long, value_name = "CHANGE", value_delimiter = ',')]
    rewrite: Vec<String>,
    /// Run other changes of the text too, in the present and in the recommended placement: `restrict` (each pointer is
    /// `__restrict__`), `readonly` (`__ldg`), `padding` (of shared arrays) and other blocks, such as `block=32x8`.
    #[arg(long)]
    changes: bool,
    /// `default` is our own model, whose best placements run on the model of the whole GPU. `paper` is that of Huang & Li
    /// (CLUSTER'17) as printed: it predicts from a measured sample placement [default: default, or paper if --sample,
    /// --overlap or --train is given].
    #[arg(long)]
    model: Option<String>,
    /// What was measured of the placement in the trace, for the model `paper`: `time_us=812`, and if known
    /// `inst_executed`, `inst_issued` (nvprof, the whole launch) and `static_constants` (bytes). Without a time, the model of
    /// the whole GPU supplies it.
    #[arg(long, value_name = "KEY=NUMBER", value_delimiter = ',')]
    sample: Vec<String>,
    /// Choices of the model `paper` where the paper is open: `overlap=sample|trained|sample+trained|sim`, `gamma=0`,
    /// `arrivals=eit|cycle`.
    #[arg(long, value_name = "KEY=VALUE", value_delimiter = ',')]
    assume: Vec<String>,
    /// Rule for the waits at memory banks: lindley, kingman, klb, kingman-linear, seed [default: the model's].
    #[arg(long)]
    queue: Option<String>,
    /// Leave parts of the model out: counting (of replays and addressing), queue, mapping.
    #[arg(long, value_delimiter = ',')]
    without: Vec<String>,
    /// Coefficients of equation 11 for the model `paper`, as `--retrain` writes them.
    #[arg(long, value_name = "JSON", conflicts_with = "train")]
    overlap: Option<PathBuf>,
    /// Train equation 11 on measured times of the files' kernels (columns kernel, placement, time_us), or with `machine` on
    /// times of the model of the whole GPU, and rank with it if it beats the untrained overlap on left-out kernels.
    #[arg(long, value_name = "CSV")]
    train: Option<PathBuf>,
    /// Train as with --train, and print the coefficients instead of a ranking.
    #[arg(long, value_name = "CSV")]
    retrain: Option<PathBuf>,
    /// Number of placements to print.
    #[arg(long, default_value_t = 10)]
    top: usize,
    /// Format of stdout.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// Searches the placements and returns the text for stdout.
pub(super) fn place(arguments: &PlaceArguments) -> Result<String, Vec<Diagnostic>> {
    let mut contents = read_contents_to_place(&arguments.files, &arguments.read_as, &arguments.cuda)?;
    let mut request = PlacementRequest {
        model: model(arguments),
        queue: arguments.queue.clone().unwrap_or_default(),
        without: arguments.without.clone(),
        top: arguments.top,
        changes: arguments.changes,
        ..PlacementRequest::default()
    };
    match &arguments.gpu {
        Some(path) if gpu_topology(path, None).is_err() && Path::new(path).is_file() => {
            contents.load_topology(path, &read_file(Path::new(path))?)?;
            request.gpu = Scenario::FILE_GPU.into();
        }
        Some(id) => request.gpu.clone_from(id),
        None if contents.topology.is_some() => request.gpu = Scenario::FILE_GPU.into(),
        None => {}
    }
    print_diagnostics(&contents.diagnostics);
    request.from = pairs("--from", &arguments.from)?.into_iter().collect();
    for (key, value) in pairs("--sample", &arguments.sample)? {
        request.paper.set_sample(&key, &value)?;
    }
    for (key, value) in pairs("--assume", &arguments.assume)? {
        request.paper.set_assumption(&key, &value)?;
    }
    request.kernel = kernel_number(&arguments.kernel, &contents)?;
    if let Some(path) = &arguments.overlap {
        request.overlap = Some(OverlapFile::read(&path.display().to_string(), &read_file(path)?)?);
    }
    if let Some(path) = &arguments.retrain {
        return super::json(&train(path, &contents, &request)?);
    }
    if let Some(path) = &arguments.train {
        let file = train(path, &contents, &request)?;
        let [trained, untrained] = file.error().map(|error| 100.0 * error);
        let says = format!("{trained:.1} % mean error on left-out kernels, {untrained:.1} % without training");
        let used = trained < untrained || !request.paper.overlap.is_empty();
        eprintln!("note: {}: {says}{}", file.provenance, if used { "" } else { ", so they are not used" });
        request.overlap = used.then_some(file);
    }
    if !arguments.rewrite.is_empty() {
        check_changes(&arguments.rewrite)?;
        let moved = rewritten_text(&request, &contents, &arguments.rewrite)?;
        if arguments.format == Format::Json {
            return super::json(&serde_json::json!({ "text": moved.text, "notes": moved.notes }));
        }
        moved.notes.iter().for_each(|note| eprintln!("note: {note}"));
        return Ok(moved.text);
    }
    let report = crate::time_left::finish(PlacementRun::new(request, &contents)?);
    match arguments.format {
        Format::Json => super::json(&report),
        Format::Text => Ok(with_note_of_refused(&contents, text(&report))),
    }
}

/// The number of a kernel, which is given by its number or its name. Of several launches of a kernel it is the first one. 0 if there
/// is no kernel.
fn kernel_number(wanted: &str, contents: &Contents) -> Result<u32, Vec<Diagnostic>> {
    if contents.kernels.is_empty() {
        return Ok(0);
    }
    let named = contents.kernels.iter().zip(1..).find(|(trace, _)| trace.name == wanted);
    named.map(|(_, number)| number).or_else(|| wanted.parse().ok()).ok_or_else(|| {
        let names: Vec<&str> = contents.kernels.iter().map(|trace| trace.name.as_str()).take(8).collect();
        let expected = format!("a number, or one of {}", names.join(", "));
        vec![Diagnostic::error("--kernel", expected, format!("`{wanted}`"), "choose a kernel of the files")]
    })
}

/// CUDA's limit of threads per block.
const THREADS_MAX: u64 = 1024;

/// Refuses a block that no GPU starts, and two changes of which one would be lost.
fn check_changes(changes: &[String]) -> Result<(), Vec<Diagnostic>> {
    let fault =
        |expected: &str, found: String, help: String| Err(vec![Diagnostic::error("--rewrite", expected, found, help)]);
    let mut seen: Vec<(&str, &str)> = Vec::new();
    for change in changes.iter().map(|change| change.trim()) {
        let Some((name, value)) = change.split_once('=').map(|(name, value)| (name.trim(), value.trim())) else {
            continue;
        };
        let block = is_shape(name, value);
        if block && !(1..=THREADS_MAX).contains(&threads(value).unwrap_or(0)) {
            let help = format!("write for example `{name}=256` or `{name}=32x8`");
            return fault("a block of 1 to 1024 threads", format!("`{change}`"), help);
        }
        // `threads` is another block too.
        let what = if block { "the block" } else { name };
        if let Some((_, first)) = seen.iter().find(|(other, _)| *other == what) {
            let expected = if block { "one block" } else { "one memory for each array" };
            let help = if block { "give one block".into() } else { format!("give `{name}` one memory") };
            return fault(expected, format!("`{first}` and `{change}`"), help);
        }
        seen.push((what, change));
    }
    Ok(())
}

/// Whether a change is another block. An array may have the name `block` and move to a memory.
fn is_shape(name: &str, value: &str) -> bool {
    matches!(name, "block" | "threads") && !value.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// The threads of a block such as `32x8`. `None` if it is no block, or has more threads than a number holds.
fn threads(shape: &str) -> Option<u64> {
    let sides: Vec<u64> = shape.split('x').map(|side| side.parse().ok()).collect::<Option<_>>()?;
    (sides.len() <= 3).then_some(())?;
    sides.iter().try_fold(1, |all: u64, side| all.checked_mul(*side))
}

/// The model that is asked for. What only the printed model takes asks for it.
fn model(arguments: &PlaceArguments) -> String {
    let implied = !arguments.sample.is_empty()
        || !arguments.assume.is_empty()
        || arguments.overlap.is_some()
        || arguments.train.is_some();
    match &arguments.model {
        Some(model) => {
            if model == "seed" {
                eprintln!("note: the model `seed` is now `paper`, which predicts from a sample");
            }
            model.clone()
        }
        None if implied => "paper".into(),
        None => "default".into(),
    }
}

/// Trains equation 11 on a table, or on the model of the whole GPU.
fn train(path: &Path, contents: &Contents, request: &PlacementRequest) -> Result<OverlapFile, Vec<Diagnostic>> {
    match path.to_str() {
        Some("machine") => crate::time_left::finish(MachineTraining::new(contents, request)?),
        _ => retrain(&path.display().to_string(), &read_file(path)?, contents, request),
    }
}

/// The keys and values of an option. A key that comes twice is refused, because one of its values would be lost.
fn pairs(option: &str, list: &[String]) -> Result<Vec<(String, String)>, Vec<Diagnostic>> {
    let pair = |pair: &String| {
        let (array, memory) = pair.split_once('=').ok_or_else(|| {
            let (what, example) = match option {
                "--sample" => ("KEY=NUMBER", "time_us=812"),
                "--assume" => ("KEY=VALUE", "gamma=64"),
                _ => ("ARRAY=MEMORY", "A=texture1d"),
            };
            let help = format!("write for example `{option} {example}`");
            vec![Diagnostic::error(option, what, format!("`{pair}`"), help)]
        })?;
        Ok((array.trim().into(), memory.trim().into()))
    };
    let all = list.iter().map(pair).collect::<Result<Vec<(String, String)>, Vec<Diagnostic>>>()?;
    for (i, (key, value)) in all.iter().enumerate() {
        if let Some((_, first)) = all[..i].iter().find(|(other, _)| other == key) {
            let found = format!("`{key}={first}` and `{key}={value}`");
            return Err(vec![Diagnostic::error(option, "each name once", found, format!("give `{key}` one value"))]);
        }
    }
    Ok(all)
}

fn text(report: &PlacementReport) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail, so the results of `writeln!` are ignored.
    let _ = writeln!(out, "{} on {}, model {}", report.kernel, report.gpu, report.model);
    for array in &report.arrays {
        let guessed = if array.guessed { ", guessed" } else { "" };
        let _ = writeln!(out, "  {}: {} bytes{guessed}", array.name, array.bytes);
        for (memory, reason) in array.legality.iter().filter_map(|(memory, reason)| Some((memory, reason.as_ref()?))) {
            let _ = writeln!(out, "    not {memory}: {reason}");
        }
    }
    let legal = report.legal.map_or("?".into(), |legal| legal.to_string());
    let gap = match report.gap {
        Some(0.0) => "exact".into(),
        Some(gap) => format!("at most {:.1} % above the best there is", 100.0 * gap),
        None => "no bound known".into(),
    };
    let evaluated = report.evaluated;
    let _ =
        writeln!(out, "legal placements: {legal}, {evaluated} by the equations ({gap}), {} on the machine", report.ran);
    let tie = report.ties > 1;
    row(&mut out, "trace", &report.sample, tie);
    for (number, placement) in report.ranking.iter().enumerate() {
        row(&mut out, &format!("{:5}", number + 1), placement, tie);
    }
    if let Some(recommended) = &report.recommended {
        let other = report.ranking.first().is_some_and(|first| first.placement != *recommended);
        let why = if other { ", which moves the fewest arrays of those that tie" } else { "" };
        let _ = writeln!(out, "recommended: {}{why}", memories(recommended));
    }
    let tie = several(report.changes.as_deref().unwrap_or_default().iter().map(|row| row.tie));
    for change in report.changes.iter().flatten() {
        change_row(&mut out, change, tie);
    }
    for note in &report.notes {
        let _ = writeln!(out, "note: {note}");
    }
    out
}

/// Whether rows tie with each other. The best row alone ties with nothing, where others are shown.
fn several(ties: impl ExactSizeIterator<Item = bool>) -> bool {
    ties.len() == 1 || ties.filter(|tie| *tie).nth(1).is_some()
}

/// The memories of arrays as `A=shared B=global`.
fn memories(placement: &BTreeMap<String, String>) -> String {
    let each: Vec<String> = placement.iter().map(|(array, memory)| format!("{array}={memory}")).collect();
    each.join(" ")
}

fn change_row(out: &mut String, row: &ChangeRow, several: bool) {
    let changes = if row.changes.is_empty() { "no other change".into() } else { row.changes.join(" ") };
    let time = row.machine_microseconds.map_or("not possible".into(), |time| format!("{time:.1} µs"));
    let chance = row.chance.map_or(String::new(), |chance| {
        format!(" {:.0} % to be the fastest{}", 100.0 * chance, if row.tie && several { ", tie" } else { "" })
    });
    let _ = writeln!(out, "change {time:>13};{chance}  {changes}  {}", memories(&row.placement));
    if !row.reason.is_empty() {
        let _ = writeln!(out, "        {}", row.reason);
    }
}

fn row(out: &mut String, head: &str, row: &PlacementRow, several: bool) {
    let tie = match (row.chance, row.tie && several) {
        (Some(chance), true) => format!(" {:.0} % to be the fastest, tie", 100.0 * chance),
        (Some(chance), false) => format!(" {:.0} % to be the fastest", 100.0 * chance),
        (None, true) => " tie".into(),
        (None, false) => String::new(),
    };
    let machine = row.machine_microseconds.map_or(String::new(), |time| format!(" {time:>10.1} µs;"));
    let _ = writeln!(
        out,
        "{head}{machine} equations {:>12.0} cycles (comp {:.0}, mem {:.0}, overlap {:.0}){tie}  {}",
        row.cycles,
        row.t_comp,
        row.t_mem,
        row.t_overlap,
        memories(&row.placement)
    );
    for reason in &row.reasons {
        let _ = writeln!(out, "        {reason}");
    }
}

#[derive(Parser)]
pub(super) struct DramMapArguments {
    /// Seed of the hidden mapping: a number, or `random`.
    #[arg(long, default_value_t = 1, value_parser = crate::seed::seed)]
    seed: u64,
    /// XOR bank bits with row bits.
    #[arg(long)]
    hashed: bool,
    /// Format of stdout.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// Probes a hidden memory and returns the text for stdout.
pub(super) fn map_dram(arguments: &DramMapArguments) -> Result<String, Vec<Diagnostic>> {
    let report = dram_map(arguments.seed, arguments.hashed);
    if arguments.format == Format::Json {
        return super::json(&report);
    }
    let mut out = String::new();
    let verdict = |right: bool| if right { "right" } else { "wrong" };
    let rows = [
        ("truth", &report.truth, ""),
        ("Algorithm 1", &report.algorithm_1, verdict(report.right[0])),
        ("with pairs", &report.pair_probe, verdict(report.right[1])),
    ];
    for (name, MappingBits { column, bank, row }, verdict) in rows {
        let _ = writeln!(out, "{name:<12} column {column:?}, bank {bank:?}, row {row:?} {verdict}");
    }
    Ok(out)
}
