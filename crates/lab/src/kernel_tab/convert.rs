//! Converts traces to another format.
//!
//! In: one kernel and a [`Target`].
//! Out: [`Converted`]: the file, and one sentence for each kind of information that the format cannot hold. A reader of
//! the file gets the same kernel except for these losses. A `.traceg` file needs opcodes, so the converter makes them
//! up if the source has none.

use std::io;
use trace::{write_traceg_to, write_trc_to, Kind, Origin, Space, Trace};

/// A format that can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The format `.trc` of Ocelot.
    Trc,
    /// The format `.traceg` of Accel-Sim, tracer version 5.
    Traceg,
}

impl Target {
    /// Finds the format by the extension of a file name. A `.gz` after it is ignored.
    pub fn of_name(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        match name.rsplit_once('.')?.1 {
            "trc" => Some(Self::Trc),
            "traceg" => Some(Self::Traceg),
            _ => None,
        }
    }
}

/// A converted kernel.
#[derive(Clone, Debug)]
pub struct Converted {
    /// The content of the file.
    pub text: Vec<u8>,
    /// Sentences that name the information which the file does not hold.
    pub losses: Vec<String>,
}

/// Converts one kernel.
pub fn convert(trace: &Trace, target: Target) -> Converted {
    let mut text = Vec::new();
    // Writing to a vector cannot fail.
    let losses = convert_to(trace, target, &mut text).unwrap_or_default();
    Converted { text, losses }
}

/// Writes one kernel in another format, and gives what the format cannot hold. The text may be larger than memory.
///
/// # Errors
///
/// Returns the error of the writer.
pub fn convert_to(trace: &Trace, target: Target, to: &mut dyn io::Write) -> io::Result<Vec<String>> {
    let (left_out, mut losses) = match target {
        Target::Trc => (write_trc_to(trace, to)?, trc_losses(trace)),
        Target::Traceg => (write_traceg_to(trace, to).map(|()| 0)?, Vec::new()),
    };
    if left_out > 0 {
        let what = "warp accesses that are no loads or stores of global memory by threads of the block";
        losses.insert(0, format!("{left_out} {what}"));
    }
    let named = trace.arrays.iter().filter(|array| array.origin == Origin::Named).count();
    if named > 0 {
        losses.push(format!("the names of arrays ({named})"));
    }
    Ok(losses)
}

fn trc_losses(trace: &Trace) -> Vec<String> {
    let mut losses = Vec::new();
    let mut lose = |count: u64, what: &str| {
        if count > 0 {
            losses.push(format!("{count} {what}"));
        }
    };
    let fits = |space, kind| space == Space::Global && kind != Kind::Atomic;
    let kept = trace.sites.iter().filter(|site| fits(site.space, site.kind));
    let with_code = kept.filter(|site| !site.opcode.is_empty() || site.pc != 0 || site.source_line.is_some());
    lose(with_code.count() as u64, "program counters and opcodes");
    let all: u64 = trace.warps.iter().map(|warp| warp.instructions).sum();
    lose(all.saturating_sub(trace.access_count() as u64), "instructions that access no memory");
    let launch = &trace.launch;
    let shape = u64::from(launch.grid.y > 1 || launch.grid.z > 1);
    lose(shape, "shape of the grid: blocks are numbered in one row");
    let needs = u64::from(launch.shared_bytes > 0) + u64::from(launch.registers > 0);
    lose(needs, "limits of the launch (shared memory, registers)");
    losses
}
