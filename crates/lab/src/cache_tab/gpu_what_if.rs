//! Facts of a GPU that a scenario of the model `gpu` can set, for the question "what if".
//!
//! In: a topology, and values as text.
//! Out: the topology with these values, which are marked as set by hand.
//! Not settable: registers, which CUDA texts do not know, and what follows from the generation, such as the units of a core, and how the L1 takes its lines. Another
//! generation is another topology.

use crate::scenario::Scenario;
use base::Diagnostic;
use gpu::{validate, Board, Cache, Fact, SetIndex, Status, Topology};

/// The source of a value that a scenario sets.
pub(crate) const BY_HAND: &str = "set by hand";

/// The values that a fact can be set to.
#[derive(Clone, Copy)]
pub(crate) enum Range {
    /// Whole numbers from the first to the second.
    Whole(u64, u64),
    /// Numbers above 0 and up to this.
    Number(f64),
}

/// The settable facts. The ranges hold every GPU with room above, and bound the memory that a run takes.
const SETTABLE: [(&str, Range); 23] = [
    ("cores", Range::Whole(1, 1024)),
    ("clock", Range::Whole(10_000, 10_000_000)),
    ("max_threads", Range::Whole(64, 4096)),
    ("max_blocks", Range::Whole(1, 128)),
    ("shared_bytes", Range::Whole(1024, 1 << 20)),
    ("instruction_cycles", Range::Number(1_000.0)),
    ("l1_bytes", Range::Whole(1024, 4 << 20)),
    ("l1_ways", Range::Whole(1, 4096)),
    ("l1_hit_cycles", Range::Number(10_000.0)),
    ("l1_mshrs", Range::Whole(1, 1 << 16)),
    ("l1_line_cycles", Range::Number(1_000.0)),
    ("access_cycles", Range::Number(1_000.0)),
    ("shared_cycles", Range::Number(10_000.0)),
    ("shared_wavefront_cycles", Range::Number(1_000.0)),
    ("barrier_cycles", Range::Number(10_000.0)),
    ("block_launch_cycles", Range::Number(10_000.0)),
    ("l2_bytes", Range::Whole(64 << 10, 1 << 30)),
    ("l2_ways", Range::Whole(1, 4096)),
    ("l2_slices", Range::Whole(1, 1024)),
    ("l2_hit_cycles", Range::Number(10_000.0)),
    ("l2_bytes_per_cycle", Range::Whole(1, 4096)),
    ("peak_gbs", Range::Number(100_000.0)),
    ("memory_cycles", Range::Number(10_000.0)),
];

impl Range {
    /// The kind of the parameter in a form.
    pub(crate) fn kind(self) -> &'static str {
        match self {
            Self::Whole(..) => "integer",
            Self::Number(_) => "number",
        }
    }

    /// The number that a text states, if it is within the range. Whole numbers below 2^53 are exact.
    fn read(self, text: &str) -> Option<f64> {
        match self {
            Self::Whole(low, high) => text.parse::<u64>().ok().filter(|n| (low..=high).contains(n)).map(|n| n as f64),
            Self::Number(high) => text.parse::<f64>().ok().filter(|&x| x > 0.0 && x <= high),
        }
    }

    /// What a value must be.
    pub(crate) fn words(self) -> String {
        match self {
            Self::Whole(low, high) => format!("a whole number from {low} to {high}"),
            Self::Number(high) => format!("a number above 0, up to {high}"),
        }
    }
}

/// The range of a key that can be set.
pub(crate) fn settable(key: &str) -> Option<Range> {
    SETTABLE.iter().find(|(known, _)| *known == key).map(|(_, range)| *range)
}

/// All keys that can be set.
pub(crate) fn settable_keys() -> impl Iterator<Item = &'static str> {
    SETTABLE.iter().map(|(key, _)| *key)
}

/// The topology with the facts that a scenario sets. Facts that only a generation states become facts of the topology.
///
/// # Errors
///
/// Returns diagnostics if a value is out of its range, or if the topology contradicts itself with it.
pub(crate) fn what_if(scenario: &Scenario, mut topology: Topology) -> Result<Topology, Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let mut changed = false;
    for (key, text) in &scenario.set {
        let Some(range) = settable(key) else { continue };
        match range.read(text.trim()) {
            Some(value) => {
                set(&mut topology, key, value);
                changed = true;
            }
            None => {
                let expected = format!("{key}: {}", range.words());
                errors.push(Diagnostic::error("parameters", expected, format!("`{text}`"), "change the value"));
            }
        }
    }
    if changed && errors.is_empty() {
        forget_index(&mut topology.l1);
        errors = validate(&topology).into_iter().map(of_parameter).collect();
    }
    if errors.is_empty() {
        Ok(topology)
    } else {
        Err(errors)
    }
}

/// A contradiction of the topology that a value set by hand made, under the key of that value: `l1_ways` for `l1.ways`.
fn of_parameter(error: Diagnostic) -> Diagnostic {
    let mut parts = error.expected.splitn(3, '`');
    let (Some(""), Some(path), Some(said)) = (parts.next(), parts.next(), parts.next()) else { return error };
    let key = path.trim_start_matches("board.").replace('.', "_");
    if settable(&key).is_none() {
        return error;
    }
    Diagnostic { file: "parameters".into(), expected: format!("{key}{said}"), ..error }
}

/// Gives up a set index that is for another number of sets. One that nobody measured takes its place.
fn forget_index(cache: &mut Cache) {
    let (Some(bytes), Some(line), Some(ways)) = (&cache.bytes, &cache.line_bytes, &cache.ways) else { return };
    let sets = bytes.value / line.value.saturating_mul(ways.value).max(1);
    if cache.set_index.as_ref().is_some_and(|index| !index.value.fits(sets)) {
        cache.set_index = Some(by_hand(SetIndex::Modulo));
    }
}

fn by_hand<T>(value: T) -> Fact<T> {
    Fact { value, status: Status::Assumed, source: BY_HAND.into() }
}

fn set(t: &mut Topology, key: &str, value: f64) {
    let whole = value as u64;
    match key {
        "cores" => t.cores = by_hand(whole),
        // The clock under load counts where both are known.
        "clock" if t.full_board().loaded_clock_khz.is_some() => board(t).loaded_clock_khz = Some(by_hand(whole)),
        "clock" => t.clock_khz = Some(by_hand(whole)),
        "max_threads" => t.max_threads_per_core = by_hand(whole),
        "max_blocks" => t.max_blocks_per_core = by_hand(whole),
        "shared_bytes" => t.shared_bytes_per_core = Some(by_hand(whole)),
        "instruction_cycles" => board(t).instruction_cycles = Some(by_hand(value)),
        "l1_bytes" => set_l1_bytes(t, whole),
        "l1_ways" => t.l1.ways = Some(by_hand(whole)),
        "l1_hit_cycles" => t.l1.hit_cycles = Some(by_hand(value)),
        "l1_mshrs" => t.l1.mshrs = Some(by_hand(whole)),
        "l1_line_cycles" => board(t).l1_line_cycles = Some(by_hand(value)),
        "access_cycles" => board(t).access_cycles = Some(by_hand(value)),
        "shared_cycles" => t.shared_cycles = Some(by_hand(value)),
        "shared_wavefront_cycles" => board(t).shared_wavefront_cycles = Some(by_hand(value)),
        "barrier_cycles" => board(t).barrier_cycles = Some(by_hand(value)),
        "block_launch_cycles" => board(t).block_launch_cycles = Some(by_hand(value)),
        "l2_bytes" => l2(t).bytes = Some(by_hand(whole)),
        "l2_ways" => l2(t).ways = Some(by_hand(whole)),
        "l2_slices" => board(t).l2_slices = Some(by_hand(whole)),
        "l2_hit_cycles" => l2(t).hit_cycles = Some(by_hand(value)),
        "l2_bytes_per_cycle" => board(t).l2_bytes_per_cycle = Some(by_hand(whole)),
        "peak_gbs" => board(t).peak_gbs = Some(by_hand(value)),
        _ => t.memory_cycles = Some(by_hand(value)),
    }
}

/// Sets the size of the L1. Where it shares its memory with shared memory, that memory grows or shrinks by as much, so that
/// the blocks keep their room.
fn set_l1_bytes(t: &mut Topology, bytes: u64) {
    if let (Some(store), Some(own)) = (t.full_board().carve_out_bytes, &t.l1.bytes) {
        let rest = store.value.saturating_sub(own.value);
        board(t).carve_out_bytes = Some(by_hand(rest + bytes));
    }
    t.l1.bytes = Some(by_hand(bytes));
}

fn l2(t: &mut Topology) -> &mut Cache {
    t.l2.get_or_insert_default()
}

fn board(t: &mut Topology) -> &mut Board {
    t.board.get_or_insert_default()
}
