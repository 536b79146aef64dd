//! `warpscope cache`: the report of a model, as text or JSON.

use super::files::{print_diagnostics, with_note_of_refused};
use super::words::counted;
use super::{heading, measured, time_left, CacheArguments, Format};
use base::Diagnostic;
use lab::{
    busiest, check_names, choose_kernels, comparison_text, gpu_topology, name_key, run_estimate_above, CacheModel,
    CacheReport, Contents, GpuReport, GpuRoofline, KernelReport, LaunchState, Report, Scenario, ScenarioRun, Work,
    WorkAdvice, WorkCause,
};
use share::{add_fingerprint, write_link};
use std::fmt::Write as _;

/// Runs the model and returns the text for stdout.
pub fn cache(arguments: &CacheArguments) -> Result<String, Vec<Diagnostic>> {
    let (mut contents, mut scenario) =
        arguments.settings.read(&arguments.files, &arguments.read_as, &arguments.cuda)?;
    measured::take_profile(arguments, &mut contents)?;
    apply_model(arguments, &contents, &mut scenario)?;
    measured::apply_state(arguments, &contents, &mut scenario)?;
    print_diagnostics(&contents.diagnostics);
    if !contents.kernels.is_empty() {
        scenario.kernels = choose_kernels(&arguments.kernels, &contents)?;
    }
    name_arrays(&arguments.names, &contents, &mut scenario)?;
    if !contents.kernels.is_empty() {
        fits_in_memory(
            &scenario,
            &contents,
            "run fewer kernels (--kernel) or cores (--set core_limit=1), or set smaller caches",
        )?;
    }
    let run = ScenarioRun::new(&scenario, &contents)?;
    if contents.has_error() {
        eprintln!("the parts that could be read are used");
    }
    let report = add_fingerprint(time_left::finish(run)?).with_names(&scenario.view);
    match arguments.format {
        Format::Json => super::json(&report),
        Format::Text => Ok(with_note_of_refused(&contents, text(&report, &scenario))),
    }
}

/// Refuses a run that is estimated to take more memory than is free. Where the system does not say what is free, every run fits.
pub fn fits_in_memory(scenario: &Scenario, contents: &Contents, help: &str) -> Result<(), Vec<Diagnostic>> {
    let free = free_memory();
    fits(free, &format!("{} MiB, which are free", free >> 20), scenario, contents, help)
}

/// As [`fits_in_memory`], and refuses what no browser could run. A link may come from anybody.
pub fn fits_in_page(scenario: &Scenario, contents: &Contents, help: &str) -> Result<(), Vec<Diagnostic>> {
    if free_memory() < PAGE_BYTES {
        return fits_in_memory(scenario, contents, help);
    }
    fits(PAGE_BYTES, &format!("{} MiB, which a browser can hold", PAGE_BYTES >> 20), scenario, contents, help)
}

/// All memory that wasm32 can address.
const PAGE_BYTES: u64 = 4 << 30;

fn fits(limit: u64, shown: &str, scenario: &Scenario, contents: &Contents, help: &str) -> Result<(), Vec<Diagnostic>> {
    let Some(needed) = run_estimate_above(limit, scenario, contents)? else { return Ok(()) };
    let found = format!("about {} MiB", needed >> 20);
    Err(vec![Diagnostic::error("run", format!("at most {shown}"), found, help)])
}

/// Bytes of free memory. The largest number where the system does not say.
fn free_memory() -> u64 {
    let told = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let kibibytes = |name: &str| {
        let line = told.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|rest| rest.trim().trim_end_matches(" kB").parse::<u64>().ok())
    };
    let available = kibibytes("MemAvailable:");
    available.map_or(u64::MAX, |available| (available + kibibytes("SwapFree:").unwrap_or(0)) << 10)
}

/// Stores the model, and what only some models have: the state of the caches and the seed.
fn apply_model(
    arguments: &CacheArguments,
    contents: &Contents,
    scenario: &mut Scenario,
) -> Result<(), Vec<Diagnostic>> {
    scenario.model = match arguments.model {
        Some(model) => model.into(),
        None => {
            let usual = CacheModel::default_for(&gpu_topology(&scenario.gpu, contents.topology.as_ref())?);
            measured::model_of_profile(contents, usual).unwrap_or(usual)
        }
    };
    if let Some(name) = &arguments.state {
        scenario.state = state(name)?;
    }
    scenario.classes = arguments.classes;
    if let Some(sms) = arguments.sms {
        scenario.set.insert("sms".into(), sms.to_string());
    }
    apply_seed(arguments.seed, scenario)
}

/// The state of the caches that `--state` names.
pub fn state(name: &str) -> Result<LaunchState, Vec<Diagnostic>> {
    LaunchState::named(name).ok_or_else(|| {
        let help = format!("use one of {}", LaunchState::ALL.map(|state| state.to_string()).join(", "));
        vec![Diagnostic::error("--state", "a state of the caches", format!("`{name}`"), help)]
    })
}

/// Stores the seed, which the model `gpu` does not have.
pub fn apply_seed(seed: Option<u64>, scenario: &mut Scenario) -> Result<(), Vec<Diagnostic>> {
    let Some(seed) = seed else { return Ok(()) };
    if scenario.model == CacheModel::Gpu {
        let help = "leave --seed out, or choose --model paper, whose latencies are random";
        let expected = "no seed: the model gpu draws nothing by chance";
        return Err(vec![Diagnostic::error("--seed", expected, format!("`{seed}`"), help)]);
    }
    scenario.seed = seed;
    Ok(())
}

/// The report as text. It ends with the fingerprint and the link.
pub fn text(report: &Report, scenario: &Scenario) -> String {
    let (mut out, notes, measured) = match report {
        Report::Cache(report) => (cache_text(report), &report.notes, None),
        Report::Gpu(report) => (gpu_text(report), &report.notes, report.measured.as_ref()),
    };
    // Writing to a String cannot fail, so the results of `writeln!` are ignored.
    for note in notes {
        let _ = writeln!(out, "note: {note}");
    }
    let _ = writeln!(out, "fingerprint {}", report.fingerprint());
    let linked = Scenario { fingerprint: Some(report.fingerprint().into()), ..scenario.clone() };
    if let Ok(link) = write_link(&linked) {
        let _ = writeln!(out, "link #{link}");
    }
    out + &measured.map_or(String::new(), comparison_text)
}

fn gpu_text(report: &GpuReport) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail, so the results of `writeln!` are ignored.
    let _ = writeln!(out, "model gpu, gpu {}, state {}", report.gpu, report.state);
    for kernel in &report.kernels {
        let n = &kernel.gpu;
        let _ = writeln!(out, "\n{}", heading(kernel.number, &kernel.name, kernel.grid, kernel.block));
        let instructions = counted(n.instructions, "warp instruction");
        let _ = writeln!(out, "  {}, {:.2} us, {instructions}", counted(n.cycles, "cycle"), n.seconds * 1e6);
        work_text(&mut out, &kernel.work);
        let (part, share) = busiest(&n.busy);
        let _ = writeln!(out, "  busiest: {part}, {} of the time; occupancy {}", percent(share), percent(n.occupancy));
        let _ = writeln!(
            out,
            "  L1: {}, {} ({} at least), {} hit; L2: {} read, {} of them there, {} written",
            counted(n.l1.requests, "load"),
            counted(n.l1.sectors, "sector"),
            n.l1.least_sectors,
            percent(n.l1.hit_rate),
            counted(n.l2.reads, "sector"),
            n.l2.read_hits,
            n.l2.writes
        );
        if let Some(c) = &n.l1.classes {
            let _ = writeln!(
                out,
                "  L1 misses: compulsory {}, capacity {}, conflict {}, dropped by stores {}; {} of them with their line there",
                c.compulsory, c.capacity, c.conflict, c.dropped, c.line_there
            );
        }
        let _ = writeln!(out, "  DRAM: {} read, {} written", counted(n.dram.reads, "sector"), n.dram.writes);
        let shared = &n.shared;
        let _ = writeln!(
            out,
            "  shared memory: {} wavefronts of loads, {} of stores",
            shared.load_wavefronts, shared.store_wavefronts
        );
        let _ = writeln!(out, "  roofline: {}", roofline_text(kernel.roofline.as_ref()));
    }
    out
}

fn roofline_text(roofline: Option<&GpuRoofline>) -> String {
    let Some(r) = roofline else { return "unknown, because the trace does not say what its instructions are".into() };
    if r.operations == 0 {
        return "no floating-point instructions".into();
    }
    let per = |value: Option<f64>, level: &str| match value {
        Some(per) => format!("{per:.3} per byte of {level}"),
        None => format!("no byte of {level}"),
    };
    format!(
        "{:.2} G of {:.2} G lane operations/s that {} allows; {}, {}",
        r.operations_per_second / 1e9,
        r.attainable_operations_per_second / 1e9,
        if r.limit == "units" { "arithmetic" } else { r.limit },
        per(r.per_dram_byte, "DRAM"),
        per(r.per_l2_byte, "the L2")
    )
}

/// Stores the names of arrays in the scenario's view. The page shows names from there, and the link carries them.
fn name_arrays(names: &[String], contents: &Contents, scenario: &mut Scenario) -> Result<(), Vec<Diagnostic>> {
    for pair in names {
        let split = pair.split_once('=').map(|(base, name)| (base.trim(), name.trim()));
        let (base, name) = split.filter(|(_, name)| !name.is_empty()).ok_or_else(|| {
            vec![Diagnostic::error(
                "--name",
                "BASE=NAME",
                format!("`{pair}`"),
                "write for example `--name 0x7f00=weights`",
            )]
        })?;
        check_names([base], contents)?;
        scenario.view.insert(name_key(base), name.into());
    }
    Ok(())
}

fn cache_text(report: &CacheReport) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail, so the results of `writeln!` are ignored.
    let _ = writeln!(out, "model {}, gpu {}, seed {}", report.model, report.gpu, report.seed);
    for kernel in &report.kernels {
        kernel_text(&mut out, kernel);
    }
    if report.kernels.len() > 1 {
        let (total, m) = (&report.total, &report.total.misses);
        let rates = (percent(total.miss_rate), percent(total.miss_rate_with_latency));
        let _ = writeln!(out, "\ntotal of {} kernels", report.kernels.len());
        let _ = writeln!(
            out,
            "  {}, {}, miss rate {} ({} with latency misses)",
            counted(total.requests, "request"),
            counted(total.hits, "hit"),
            rates.0,
            rates.1
        );
        let _ = writeln!(
            out,
            "  compulsory {}, capacity {}, associativity {}, latency {}; MSHRs {:+}",
            m.compulsory, m.capacity, m.associativity, m.latency, m.mshr
        );
    }
    out
}

fn percent(rate: f64) -> String {
    format!("{:.2} %", 100.0 * rate)
}

/// What the kernel asks for and moves, beside the least, and what makes it more. The page's headline says the same.
fn work_text(out: &mut String, work: &Work) {
    let asked = [("load", &work.loads), ("store", &work.stores), ("atomic", &work.atomics)];
    for (kind, asked) in asked.into_iter().filter(|(_, asked)| asked.instructions > 0) {
        let per = |requests: u64| requests as f64 / asked.instructions as f64;
        let _ = writeln!(
            out,
            "  work: {}, {} of {} bytes, {:.1} each (least {:.1})",
            counted(asked.instructions, kind),
            counted(asked.requests, "request"),
            work.request_bytes,
            per(asked.requests),
            per(asked.least)
        );
    }
    let dram = work.l2_bytes.map_or(String::new(), |bytes| format!(", {bytes} from DRAM to the L2"));
    let _ = writeln!(
        out,
        "  work: {} bytes to the L1s{dram}; {} would do if each came once",
        work.l1_bytes, work.least_bytes
    );
    let _ = writeln!(out, "  advice: {}", advice_text(&work.advice));
}

fn advice_text(advice: &WorkAdvice) -> String {
    let array = advice.array.as_ref().map_or(String::new(), |array| format!(", most in `{}`", array.name));
    let (of, factor) = (advice.of, format!("{:.1}", advice.factor));
    match advice.cause {
        WorkCause::Idle => "none, because no instruction asks for global memory".into(),
        WorkCause::Coalescing => format!("coalescing: {factor} times the least requests, most by {of}{array}"),
        WorkCause::SharingInBlock => {
            format!(
                "sharing: {of} ask {factor} times for the same words{array}; keep them in shared memory or registers"
            )
        }
        WorkCause::SharingAcrossBlocks => {
            format!("sharing: blocks ask {factor} times for the same words{array}; larger tiles ask less often")
        }
        WorkCause::Sets => format!("sets: lines are fetched {factor} times, because many share a set"),
        WorkCause::Capacity => format!("capacity: lines are fetched {factor} times, because they do not fit in the L1"),
        WorkCause::Lost => {
            format!("the L1s fetch data {factor} times as often as the blocks need it; --classes says why")
        }
        WorkCause::Least => "none: requests and bytes are near the least".into(),
    }
}

fn kernel_text(out: &mut String, kernel: &KernelReport) {
    let _ = writeln!(out, "\n{}", heading(kernel.number, &kernel.name, kernel.grid, kernel.block));
    kernel.work.iter().for_each(|work| work_text(out, work));
    let _ = writeln!(
        out,
        "  {}, {}, miss rate {} ({} with latency misses)",
        counted(kernel.requests, "request"),
        counted(kernel.hits, "hit"),
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
        let _ = writeln!(out, "  {most} of the misses are {class} misses, {of_it} of these in `{array}`");
    }
    let _ = writeln!(out, "  {}, {}", counted(kernel.ticks, "tick"), counted(kernel.cancels, "cancelled issue"));
    for row in kernel.arrays.iter().take(12) {
        let c = &row.counts;
        let guessed = if row.array.guessed { " (guessed)" } else { "" };
        let rate = percent((c.requests - c.hits) as f64 / c.requests.max(1) as f64);
        let _ = writeln!(out, "    {}{guessed}: {}, {rate} miss", row.array.name, counted(c.requests, "request"));
    }
}
