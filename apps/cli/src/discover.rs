//! `warpscope discover`: measures a hidden GPU from outside and prints the findings beside the truth.

use super::files::read_file;
use super::Format;
use base::Diagnostic;
use clap::Parser;
use lab::{gpu_topology, Contents, DiscoverReport, DiscoverRun, HiddenGpu, Scenario};
use std::fmt::Write as _;
use std::path::Path;

#[derive(Parser)]
pub(super) struct DiscoverArguments {
    /// Seed of the hidden GPU, or of the noise of its times with `--gpu`: a number, or `random`.
    #[arg(long, default_value_t = 4, value_parser = crate::seed::seed)]
    seed: u64,
    /// Measure this preset (see `warpscope presets`) or topology file instead of a mystery GPU.
    #[arg(long)]
    gpu: Option<String>,
    /// Format of stdout.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

pub(super) fn discover(arguments: &DiscoverArguments) -> Result<String, Vec<Diagnostic>> {
    let hidden = HiddenGpu { seed: arguments.seed, gpu: arguments.gpu.clone(), ..HiddenGpu::default() };
    let run = match &arguments.gpu {
        Some(path) if gpu_topology(path, None).is_err() && Path::new(path).is_file() => {
            let mut contents = Contents::default();
            contents.load_topology(path, &read_file(Path::new(path))?)?;
            DiscoverRun::of_topology(&gpu_topology(Scenario::FILE_GPU, contents.topology.as_ref())?, arguments.seed)
        }
        _ => DiscoverRun::new(&hidden)?,
    };
    let report = crate::time_left::finish(run);
    match arguments.format {
        Format::Json => super::json(&report),
        Format::Text => Ok(text(&report)),
    }
}

fn text(report: &DiscoverReport) -> String {
    let bytes = |value: Option<u64>| value.map_or("?".into(), |value| format!("{value} B"));
    let mut out = String::new();
    // Writing to a String cannot fail, so the results of `writeln!` are ignored.
    let _ = writeln!(out, "{}, seed {}: {} of {} right", report.gpu, report.seed, report.score.right, report.score.of);
    for (memory, truth) in &report.truth.caches {
        let Some(found) = report.found.caches.get(memory) else {
            let _ = writeln!(out, "  {memory:<13} global loads pass it by");
            continue;
        };
        let size = match found.larger_than {
            Some(largest) => format!("> {largest} B"),
            None => bytes(found.size),
        };
        let interval = found.interval.map_or(String::new(), |(low, high)| format!(", 95 %: {low} to {high} B"));
        let _ = write!(
            out,
            "  {memory:<13} size {size} ({} B{interval}), line {} ({} B)",
            truth.usable,
            bytes(found.line_size),
            truth.line_size
        );
        let fetch = bytes(found.fetch_granularity);
        let _ = write!(
            out,
            ", fetch {fetch} ({} B), {:.0} cycles ({:.0})",
            truth.fetch_granularity, found.latency.p50, truth.latency
        );
        if let Some(amount) = found.amount {
            let _ = write!(out, ", {amount} per core ({})", truth.amount);
        }
        let with = if found.shared_with.is_empty() {
            String::new()
        } else {
            format!(", with {}", found.shared_with.join(", "))
        };
        let _ = writeln!(out, "{with}");
    }
    for row in &report.outlook {
        let name = format!("{} {}", row.quantity.replace('_', " "), row.of);
        let unit = match row.unit {
            "bytes" => " B",
            "bytes_per_cycle" => " B/cycle and core",
            _ => "",
        };
        let found = match (row.found, row.at_least) {
            (Some(found), _) => format!("{}{unit}", rounded(found)),
            (None, Some(least)) => format!("at least {}{unit}", rounded(least)),
            (None, None) => "?".into(),
        };
        let interval =
            row.interval.map_or(String::new(), |(low, high)| format!(", 95 %: {} to {}", rounded(low), rounded(high)));
        let _ = writeln!(out, "  {}: {found} ({}{interval})", name.trim_end(), rounded(row.truth));
    }
    let _ = writeln!(out, "  in brackets: the truth");
    out
}

/// A number with at most two digits after the point.
fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}
