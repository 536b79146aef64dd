//! Whether a topology makes sense. In: a [`Topology`] from any source. Out: diagnostics; none means usable.
//!
//! Errors are contradictions a model cannot run with (sizes that do not divide, a hash for the wrong number of sets) and
//! sizes beyond any GPU, which would only exhaust memory. Not checked: whether the GPU exists.

use crate::generation::generations;
use crate::geometry::divides;
use crate::thesis::thesis_tables;
use crate::{Board, Cache, Fact, SetIndex, Status, Topology};
use base::{excerpt, Diagnostic, Diagnostics, Severity};
use std::ops::RangeInclusive;

/// Lines of one cache at most; four times the largest last-level cache on the market.
const MOST_LINES: u64 = 1 << 24;
/// Set-index bits at most, one set per line.
const MOST_MASKS: usize = 24;
/// Cycles, ticks and standard deviations at most.
const MOST_TIME: f64 = 1e9;

const COUNT: RangeInclusive<u64> = 1..=1 << 16;
const BYTES: RangeInclusive<u64> = 1..=1 << 50;

/// Everything wrong with a topology; messages name the field by its path and the topology by its identifier.
pub fn validate(topology: &Topology) -> Vec<Diagnostic> {
    let mut out = Diagnostics::new(topology.id.chars().take(64).collect::<String>());
    check(topology, &mut out);
    out.into_vec()
}

/// As [`validate`], adding to messages about a file.
pub(super) fn check(t: &Topology, out: &mut Diagnostics) {
    let mut check = Check { out };
    check.names(t);
    check.references(t);
    check.whole("cores", Some(&t.cores), COUNT);
    check.whole("warp_lanes", Some(&t.warp_lanes), 1..=64);
    check.whole("max_threads_per_core", Some(&t.max_threads_per_core), t.warp_lanes.value.max(1)..=1 << 16);
    check.whole("max_blocks_per_core", Some(&t.max_blocks_per_core), 1..=1 << 12);
    check.whole("shared_bytes_per_core", t.shared_bytes_per_core.as_ref(), 0..=1 << 30);
    check.whole("registers_per_core", t.registers_per_core.as_ref(), 1..=1 << 30);
    check.whole("clock_khz", t.clock_khz.as_ref(), 1..=100_000_000);
    check.whole("memory_bytes", t.memory_bytes.as_ref(), BYTES);
    check.time("shared_cycles", t.shared_cycles.as_ref());
    check.time("memory_cycles", t.memory_cycles.as_ref());
    check.whole("model_latency", Some(&t.model_latency), 0..=1_000_000);
    check.time("model_sigma", Some(&t.model_sigma));
    check.cache("l1", &t.l1);
    check.complete("l1", &t.l1);
    let others = [
        ("l2", &t.l2),
        ("l3", &t.l3),
        ("texture", &t.texture),
        ("read_only", &t.read_only),
        ("constant_l1", &t.constant_l1),
        ("constant_l1_5", &t.constant_l1_5),
        ("scalar_l1", &t.scalar_l1),
    ];
    for (path, cache) in others {
        if let Some(cache) = cache {
            check.cache(path, cache);
        }
    }
    if let Some(board) = &t.board {
        check.board(board);
    }
}

struct Check<'a> {
    out: &'a mut Diagnostics,
}

impl Check<'_> {
    fn wrong(&mut self, path: &str, expected: impl std::fmt::Display, found: impl std::fmt::Display, help: &str) {
        self.out.add(Severity::Error, None, format!("`{path}`: {expected}"), found.to_string(), help);
    }

    fn names(&mut self, t: &Topology) {
        if t.warpscope_topology != 1 {
            self.wrong("warpscope_topology", 1, t.warpscope_topology, "only version 1 exists");
        }
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if t.id.is_empty() || t.id.len() > 64 || !t.id.chars().all(plain) {
            let expected = "1 to 64 of a-z, 0-9 and `-`";
            self.wrong("id", expected, excerpt(t.id.as_bytes()), "it is what people type after --gpu");
        }
        for (path, text) in [("name", &t.name), ("vendor", &t.vendor)] {
            if text.trim().is_empty() || text.chars().count() > 200 {
                self.wrong(path, "1 to 200 characters", excerpt(text.as_bytes()), "");
            }
        }
    }

    /// What the topology names must exist.
    fn references(&mut self, t: &Topology) {
        if let Some(fact) = &t.generation {
            let known = generations().into_iter().map(|row| row.id).collect();
            self.one_of("generation", fact, known);
        }
        if let Some(fact) = &t.thesis_table {
            let known = thesis_tables().into_iter().map(|table| table.table).collect();
            self.one_of("thesis_table", fact, known);
        }
    }

    fn one_of(&mut self, path: &str, fact: &Fact<String>, known: Vec<String>) {
        if !known.contains(&fact.value) {
            let expected = format!("one of {}", known.join(", "));
            self.wrong(path, expected, excerpt(fact.value.as_bytes()), "correct the value or leave the field out");
        }
        self.source(path, fact);
    }

    fn board(&mut self, board: &Board) {
        self.real("board.peak_gbs", board.peak_gbs.as_ref(), 0.001..=1e6);
        self.whole("board.channels", board.channels.as_ref(), 1..=1 << 10);
        self.real("board.row_cycle_ns", board.row_cycle_ns.as_ref(), 0.001..=1e6);
        self.whole("board.lanes_per_cycle", board.lanes_per_cycle.as_ref(), 1..=1 << 12);
        self.whole("board.issue_width", board.issue_width.as_ref(), 1..=1 << 6);
        self.real("board.instruction_cycles", board.instruction_cycles.as_ref(), 0.001..=1e6);
        self.whole("board.l2_bytes_per_cycle", board.l2_bytes_per_cycle.as_ref(), COUNT);
        self.whole("board.lsu_bytes_per_cycle", board.lsu_bytes_per_cycle.as_ref(), COUNT);
        self.whole("board.shared_bytes_per_block", board.shared_bytes_per_block.as_ref(), 0..=1 << 30);
        self.whole("board.carve_out_bytes", board.carve_out_bytes.as_ref(), 1..=1 << 30);
        self.whole("board.texture_slices", board.texture_slices.as_ref(), 1..=1 << 10);
        self.whole("board.texture_units", board.texture_units.as_ref(), 1..=1 << 10);
        self.whole("board.texture_2d_side", board.texture_2d_side.as_ref(), 1..=1 << 20);
        self.pipes(board);
        let switches = [
            ("board.merges_wide", &board.merges_wide),
            ("board.asks_again", &board.asks_again),
            ("board.counts_lanes", &board.counts_lanes),
            ("board.l2_half_dirty", &board.l2_half_dirty),
            ("board.wide_multiply", &board.wide_multiply),
            ("board.global_loads_in_l1", &board.global_loads_in_l1),
        ];
        for (path, fact) in switches {
            if let Some(fact) = fact {
                self.source(path, fact);
            }
        }
        if let Some(fact) = &board.address_mapping {
            self.source("board.address_mapping", fact);
        }
        self.measured_memory(board);
        if let Some(fact) = &board.coalescing {
            self.source("board.coalescing", fact);
        }
        if let Some(fact) = &board.l1_pipe {
            self.source("board.l1_pipe", fact);
        }
        if let Some(fact) = &board.l1_allocate {
            self.source("board.l1_allocate", fact);
        }
        for (path, fact) in [("board.l1_policy", &board.l1_policy), ("board.l2_policy", &board.l2_policy)] {
            if let Some(fact) = fact {
                self.source(path, fact);
            }
        }
    }

    /// Row latencies and address bits as a program measured them.
    fn measured_memory(&mut self, board: &Board) {
        if let Some(fact) = &board.row_latency_ns {
            let sane = fact.value.len() == 3 && fact.value.iter().all(|ns| (0.001..=1e6).contains(ns));
            if !sane {
                let found = format!("{:?}", fact.value);
                self.wrong(
                    "board.row_latency_ns",
                    "three latencies in ns",
                    found,
                    "open row, no open row, another row",
                );
            }
            self.source("board.row_latency_ns", fact);
        }
        if let Some(fact) = &board.row_and_column_bits {
            let ascend = fact.value.windows(2).all(|pair| pair[0] < pair[1]);
            if !ascend || fact.value.is_empty() || fact.value.iter().any(|bit| *bit > 63) {
                let found = format!("{:?}", fact.value);
                let help = "number the bits from 0, the lowest first";
                self.wrong("board.row_and_column_bits", "numbers of bits up to 63, each once", found, help);
            }
            self.source("board.row_and_column_bits", fact);
        }
    }

    /// What the model of the whole GPU reads of a board.
    fn pipes(&mut self, board: &Board) {
        self.whole("board.schedulers", board.schedulers.as_ref(), 1..=1 << 6);
        self.whole("board.reserved_shared_bytes", board.reserved_shared_bytes.as_ref(), 0..=1 << 20);
        self.whole("board.core_parts", board.core_parts.as_ref(), 1..=1 << 4);
        self.real("board.l1_line_cycles", board.l1_line_cycles.as_ref(), 0.001..=1e6);
        self.whole("board.loads_per_warp", board.loads_per_warp.as_ref(), 1..=1 << 20);
        self.real("board.shared_wavefront_cycles", board.shared_wavefront_cycles.as_ref(), 0.001..=1e6);
        self.real("board.access_cycles", board.access_cycles.as_ref(), 0.001..=1e6);
        self.real("board.constant_word_cycles", board.constant_word_cycles.as_ref(), 0.001..=1e6);
        self.real("board.barrier_cycles", board.barrier_cycles.as_ref(), 0.0..=1e6);
        self.whole("board.barrier_lanes_per_cycle", board.barrier_lanes_per_cycle.as_ref(), 1..=1 << 12);
        self.real("board.block_launch_cycles", board.block_launch_cycles.as_ref(), 0.0..=1e6);
        self.real("board.launch_cycles", board.launch_cycles.as_ref(), 0.0..=1e9);
        self.whole("board.loaded_clock_khz", board.loaded_clock_khz.as_ref(), 1..=100_000_000);
        self.whole("board.int_lanes_per_cycle", board.int_lanes_per_cycle.as_ref(), 1..=1 << 12);
        self.whole("board.fp64_lanes_per_cycle", board.fp64_lanes_per_cycle.as_ref(), 1..=1 << 12);
        self.whole("board.special_lanes_per_cycle", board.special_lanes_per_cycle.as_ref(), 1..=1 << 12);
        self.whole("board.l2_slices", board.l2_slices.as_ref(), 1..=1 << 12);
    }

    fn whole(&mut self, path: &str, fact: Option<&Fact<u64>>, range: RangeInclusive<u64>) {
        let Some(fact) = fact else { return };
        if !range.contains(&fact.value) {
            let expected = format!("{} to {}", range.start(), range.end());
            self.wrong(path, expected, fact.value, "correct the value or leave the field out");
        }
        self.source(path, fact);
    }

    fn real(&mut self, path: &str, fact: Option<&Fact<f64>>, range: RangeInclusive<f64>) {
        let Some(fact) = fact else { return };
        if !range.contains(&fact.value) {
            let expected = format!("{} to {}", range.start(), range.end());
            self.wrong(path, expected, fact.value, "correct the value or leave the field out");
        }
        self.source(path, fact);
    }

    fn time(&mut self, path: &str, fact: Option<&Fact<f64>>) {
        let Some(fact) = fact else { return };
        if !(0.0..=MOST_TIME).contains(&fact.value) {
            self.wrong(path, "a finite number, not negative", fact.value, "correct the value or leave the field out");
        }
        self.source(path, fact);
    }

    /// A value that somebody is said to have stated or measured must say who.
    fn source<T>(&mut self, path: &str, fact: &Fact<T>) {
        if fact.status != Status::Assumed && fact.source.trim().is_empty() {
            let expected = format!("`{path}.source`: who stated or measured the value");
            self.out.add(Severity::Warning, None, expected, "nothing", "name the source or set the status to assumed");
        }
    }

    /// The model needs these of the L1.
    fn complete(&mut self, path: &str, cache: &Cache) {
        let present = [
            ("bytes", cache.bytes.is_some()),
            ("line_bytes", cache.line_bytes.is_some()),
            ("ways", cache.ways.is_some()),
            ("set_index", cache.set_index.is_some()),
            ("mshrs", cache.mshrs.is_some()),
        ];
        for (field, _) in present.iter().filter(|(_, present)| !present) {
            let help = "give a value; status `assumed` is fine if nobody measured it";
            self.wrong(&format!("{path}.{field}"), "a value", "nothing", help);
        }
    }

    fn cache(&mut self, path: &str, cache: &Cache) {
        let at = |field: &str| format!("{path}.{field}");
        self.whole(&at("bytes"), cache.bytes.as_ref(), BYTES);
        self.whole(&at("line_bytes"), cache.line_bytes.as_ref(), COUNT);
        self.whole(&at("fetch_bytes"), cache.fetch_bytes.as_ref(), COUNT);
        self.whole(&at("ways"), cache.ways.as_ref(), 1..=MOST_LINES);
        self.whole(&at("mshrs"), cache.mshrs.as_ref(), COUNT);
        self.whole(&at("instances"), cache.instances.as_ref(), COUNT);
        self.time(&at("hit_cycles"), cache.hit_cycles.as_ref());
        for fact in cache.stores.iter() {
            self.source(&at("stores"), fact);
        }
        for fact in cache.shared_with.iter() {
            self.source(&at("shared_with"), fact);
        }
        for fact in cache.set_index.iter() {
            self.source(&at("set_index"), fact);
        }
        let Some(line) = value(&cache.line_bytes) else { return };
        if !line.is_power_of_two() {
            self.wrong(&at("line_bytes"), "a power of two", line, "GPUs use 32, 64, 128 or 256");
            return;
        }
        if let Some(fetch) = value(&cache.fetch_bytes).filter(|fetch| !divides(*fetch, line)) {
            self.wrong(
                &at("fetch_bytes"),
                format!("a divisor of the line, {line}"),
                fetch,
                "a miss fetches whole parts of a line",
            );
        }
        if let Some(bytes) = value(&cache.bytes) {
            self.shape(path, cache, bytes, line);
        }
    }

    /// Size, lines, ways and sets must agree. `line` is a power of two, `bytes` is not zero.
    fn shape(&mut self, path: &str, cache: &Cache, bytes: u64, line: u64) {
        let at = |field: &str| format!("{path}.{field}");
        let lines = bytes / line;
        if !divides(line, bytes) {
            self.wrong(&at("bytes"), format!("a multiple of the line, {line}"), bytes, "round the size to whole lines");
            return;
        }
        if lines > MOST_LINES {
            self.wrong(&at("bytes"), format!("at most {MOST_LINES} lines"), lines, "no GPU has such a cache");
            return;
        }
        let Some(ways) = value(&cache.ways) else { return };
        if !divides(ways, lines) {
            let expected = format!("a divisor of the {lines} lines");
            self.wrong(&at("ways"), expected, ways, "ways × sets × line must be the size");
            return;
        }
        if let Some(index) = &cache.set_index {
            self.index(&at("set_index"), &index.value, lines / ways, line);
        }
    }

    fn index(&mut self, path: &str, index: &SetIndex, sets: u64, line: u64) {
        match index {
            SetIndex::Modulo => {}
            SetIndex::XorFields if index.fits(sets) => {}
            SetIndex::XorFields => {
                self.wrong(path, "a power of two sets for `xor_fields`", sets, "use `modulo` for other numbers");
            }
            SetIndex::XorMasks(masks) if masks.len() > MOST_MASKS || !index.fits(sets) => {
                let expected = format!("one mask per bit of the index of {sets} set{s}", s = base::plural(sets, "s"));
                self.wrong(
                    path,
                    expected,
                    format!("{n} mask{s}", n = masks.len(), s = base::plural(masks.len() as u64, "s")),
                    "2 to the power of the masks must be the sets",
                );
            }
            SetIndex::XorMasks(masks) => self.masks(path, masks, line),
        }
    }

    fn masks(&mut self, path: &str, masks: &[u64], line: u64) {
        if let Some(mask) = masks.iter().find(|mask| *mask & (line - 1) != 0) {
            let expected = "masks without the bits inside a line";
            self.wrong(
                path,
                expected,
                format!("{mask:#x}"),
                "a line must not straddle sets; masks are of the byte address",
            );
        }
        if rank(masks) < masks.len() {
            let expected = format!("`{path}`: masks none of which is an XOR of others");
            let help = "some sets can never be used";
            self.out.add(Severity::Warning, None, expected, format!("independent: {}", rank(masks)), help);
        }
    }
}

/// The value of a fact, unless it is zero, which has its own message.
fn value(fact: &Option<Fact<u64>>) -> Option<u64> {
    fact.as_ref().map(|fact| fact.value).filter(|value| *value > 0)
}

/// Rank over GF(2): how many of the masks are independent.
fn rank(masks: &[u64]) -> usize {
    let mut basis: Vec<u64> = Vec::new();
    for mask in masks {
        // Each basis vector has its own leading bit, and `min` clears it where it is set.
        let reduced = basis.iter().fold(*mask, |rest, vector| rest.min(rest ^ vector));
        if reduced != 0 {
            basis.push(reduced);
            basis.sort_unstable_by(|a, b| b.cmp(a));
        }
    }
    basis.len()
}
