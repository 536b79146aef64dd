//! Import of GPGPU-Sim's `gpgpusim.config`, also as Accel-Sim ships it.
//!
//! In: text of `-option value` pairs with `#` comments. Out: a [`Topology`], every value marked as assumed, since it is a
//! simulator's setting and not a measurement, and diagnostics with lines.
//!
//! The L2 is one slice per sub-partition: its string describes a slice, and there are `n_mem` × `n_sub_partition` of them.
//! An adaptive L1 grows into shared memory that a launch leaves free; the string's own size is taken and a note lists
//! the others. Not imported: pipelines, instruction latencies, the interconnect, DRAM timing.

use crate::cache_string::{parse, CacheString};
use crate::mt4g::slug;
use crate::{Cache, Fact, Topology};
use base::{excerpt, Diagnostics, Severity};
use std::collections::HashMap;

/// Longest list of options that is read; real files have about a hundred.
const MOST_OPTIONS: usize = 10_000;
const FILE: &str = "gpgpusim.config";

/// Whether the text is one of these files: a line starts with an option of the simulator.
pub(super) fn looks_like(text: &str) -> bool {
    text.lines().any(|line| line.trim_start().starts_with("-gpgpu_"))
}

/// Reads what is there, assumes the rest and says so.
pub(super) fn import(file: &str, text: &str, out: &mut Diagnostics) -> Option<Topology> {
    let mut config = Config { options: options(text), out };
    let Some(l1) = config.cache("gpgpu_cache:dl1") else {
        if !config.out.any(Severity::Error) {
            let expected = "`-gpgpu_cache:dl1` with a cache";
            config.out.add(
                Severity::Error,
                None,
                expected,
                "none",
                "add the option; without an L1 there is nothing to model",
            );
        }
        return None;
    };
    let cores = config.cores();
    let (threads, lanes) = config.pipeline();
    let blocks = config.number("gpgpu_shader_cta", 1 << 12).unwrap_or_else(|| config.missing("gpgpu_shader_cta", 8));
    let name = name_of(file, &config);
    config.adaptive(&l1);
    let (index, differs) = l1.set_index();
    if !differs.is_empty() {
        let help = "the set index is marked so in the settings; choose another there if it matters";
        let found = format!("{} with {} sets; {differs}", l1.index, l1.sets);
        config.out.add(
            Severity::Note,
            config.line("gpgpu_cache:dl1"),
            "a set index that is modelled as it is",
            found,
            help,
        );
    }
    if l1.replacement != 'L' {
        let help = "the model replaces the least recently used line";
        config.out.add(Severity::Note, config.line("gpgpu_cache:dl1"), "replacement L (LRU)", l1.replacement, help);
    }
    let l1 = Cache { hit_cycles: config.cycles("gpgpu_l1_latency"), ..cache(&l1, "gpgpu_cache:dl1", index) };
    let note = "every value is a setting of the simulator and marked as assumed";
    config.out.add(Severity::Note, None, "measured values", "a configuration of GPGPU-Sim", note);
    Some(Topology {
        warpscope_topology: 1,
        id: slug(&name),
        name,
        vendor: "NVIDIA".into(),
        cores,
        warp_lanes: lanes,
        max_threads_per_core: threads,
        max_blocks_per_core: blocks,
        shared_bytes_per_core: config.number("gpgpu_shmem_size", 1 << 30),
        registers_per_core: config.number("gpgpu_shader_registers", 1 << 30),
        clock_khz: config.clock(),
        l1,
        l2: config.l2(),
        l3: None,
        texture: config.other("gpgpu_tex_cache:l1"),
        read_only: None,
        constant_l1: config.other("gpgpu_const_cache:l1"),
        constant_l1_5: None,
        scalar_l1: None,
        shared_cycles: config.cycles("gpgpu_smem_latency"),
        memory_cycles: None,
        memory_bytes: None,
        generation: None,
        board: None,
        thesis_table: None,
        model_latency: Fact::assumed(100, "the value of HPCA 2014 for Fermi; a tick is not a cycle"),
        model_sigma: Fact::assumed(5.0, "the value of HPCA 2014 for Fermi"),
    })
}

/// Values by option, each with its line. A repeated option keeps its last value, as the simulator does.
fn options(text: &str) -> HashMap<&str, (u64, Vec<&str>)> {
    let mut all: HashMap<&str, (u64, Vec<&str>)> = HashMap::new();
    let mut current: Option<&str> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let code = line.split('#').next().unwrap_or_default();
        for word in code.split_whitespace() {
            let option = word.strip_prefix('-').filter(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()));
            if let Some(option) = option {
                if all.len() >= MOST_OPTIONS {
                    return all;
                }
                all.insert(option, (number, Vec::new()));
                current = Some(option);
            } else if let Some((_, values)) = current.and_then(|option| all.get_mut(option)) {
                values.push(word.trim_matches('"'));
            }
        }
    }
    all
}

struct Config<'a, 'b> {
    options: HashMap<&'a str, (u64, Vec<&'a str>)>,
    out: &'b mut Diagnostics,
}

impl Config<'_, '_> {
    fn value(&self, option: &str) -> Option<&str> {
        self.options.get(option)?.1.first().copied()
    }

    fn line(&self, option: &str) -> Option<u64> {
        self.options.get(option).map(|(line, _)| *line)
    }

    fn skip(&mut self, option: &str, expected: &str, found: &str, severity: Severity) {
        let (line, found) = (self.line(option), excerpt(found.as_bytes()));
        let help = if severity == Severity::Error { "correct this option" } else { "the value is skipped" };
        self.out.add(severity, line, format!("`-{option}`: {expected}"), found, help);
    }

    /// A whole number from 1 to `most`.
    fn number(&mut self, option: &str, most: u64) -> Option<Fact<u64>> {
        let text = self.value(option)?.to_string();
        let number = text.parse().ok().filter(|n| (1..=most).contains(n));
        if number.is_none() {
            self.skip(option, &format!("a whole number from 1 to {most}"), &text, Severity::Warning);
        }
        number.map(|n| Fact::assumed(n, source(option)))
    }

    fn missing(&mut self, option: &str, assumed: u64) -> Fact<u64> {
        let help = format!("assumed {assumed}");
        self.out.add(Severity::Warning, None, format!("`-{option}` with a usable value"), "none", help);
        Fact::assumed(assumed, format!("{FILE} has no usable -{option}"))
    }

    fn cycles(&mut self, option: &str) -> Option<Fact<f64>> {
        self.number(option, 1_000_000).map(|fact| Fact::assumed(fact.value as f64, fact.source))
    }

    fn cores(&mut self) -> Fact<u64> {
        let clusters = self.number("gpgpu_n_clusters", 1 << 12);
        let each = self.number("gpgpu_n_cores_per_cluster", 16).map_or(1, |fact| fact.value);
        match clusters {
            Some(clusters) => {
                Fact::assumed(clusters.value * each, format!("{FILE}: -gpgpu_n_clusters × -gpgpu_n_cores_per_cluster"))
            }
            None => self.missing("gpgpu_n_clusters", 1),
        }
    }

    /// Threads of a core and lanes of a warp, from `threads:lanes`.
    fn pipeline(&mut self) -> (Fact<u64>, Fact<u64>) {
        const OPTION: &str = "gpgpu_shader_core_pipeline";
        let text = self.value(OPTION).unwrap_or_default().to_string();
        let read = text.split_once(':').and_then(|(threads, lanes)| Some((threads.parse().ok()?, lanes.parse().ok()?)));
        let fits = |&(threads, lanes): &(u64, u64)| (1..=64).contains(&lanes) && (lanes..=1 << 16).contains(&threads);
        match read.filter(fits) {
            Some((threads, lanes)) => (Fact::assumed(threads, source(OPTION)), Fact::assumed(lanes, source(OPTION))),
            None => {
                if !text.is_empty() {
                    self.skip(OPTION, "threads:lanes, up to 65536 and 64", &text, Severity::Warning);
                }
                (self.missing(OPTION, 1536), Fact::assumed(32, "what this vendor's GPUs have"))
            }
        }
    }

    /// The core clock: the first of the four domains, in MHz.
    fn clock(&mut self) -> Option<Fact<u64>> {
        const OPTION: &str = "gpgpu_clock_domains";
        let text = self.value(OPTION)?.to_string();
        let mhz =
            text.split(':').next().and_then(|mhz| mhz.parse::<f64>().ok()).filter(|mhz| (0.001..1e5).contains(mhz));
        if mhz.is_none() {
            self.skip(OPTION, "a core clock in MHz first", &text, Severity::Warning);
        }
        mhz.map(|mhz| Fact::assumed((mhz * 1e3).round() as u64, source(OPTION)))
    }

    /// The string of a cache; a bad one is an error for the L1 and costs only itself elsewhere.
    fn cache(&mut self, option: &str) -> Option<CacheString> {
        let text = self.value(option)?.to_string();
        match parse(&text) {
            Ok(cache) => cache,
            Err((expected, found)) => {
                let severity = if option.ends_with(":dl1") { Severity::Error } else { Severity::Warning };
                self.skip(option, expected, &found, severity);
                None
            }
        }
    }

    fn other(&mut self, option: &str) -> Option<Cache> {
        let string = self.cache(option)?;
        let (index, _) = string.set_index();
        Some(cache(&string, option, index))
    }

    fn l2(&mut self) -> Option<Cache> {
        let mut l2 = self.other("gpgpu_cache:dl2")?;
        let channels = self.number("gpgpu_n_mem", 1 << 10).map_or(1, |fact| fact.value);
        let slices = self.number("gpgpu_n_sub_partition_per_mchannel", 1 << 6).map_or(1, |fact| fact.value);
        let ground = format!("{FILE}: -gpgpu_n_mem × -gpgpu_n_sub_partition_per_mchannel, each with the string's size");
        l2.instances = Some(Fact::assumed(channels * slices, ground));
        Some(l2)
    }

    /// Says which sizes an adaptive L1 takes: all of the unified memory that a launch's shared memory leaves.
    fn adaptive(&mut self, l1: &CacheString) {
        if self.value("gpgpu_adaptive_cache_config") != Some("1") {
            return;
        }
        let Some(unified) = self.number("gpgpu_unified_l1d_size", 1 << 20).map(|fact| fact.value << 10) else { return };
        let whole = l1.ways.saturating_mul(unified) / l1.bytes();
        let options = self.value("gpgpu_shmem_option").unwrap_or("0").to_string();
        let sizes: Vec<String> = options
            .split(',')
            .filter_map(|kib| kib.trim().parse::<u64>().ok())
            .filter(|kib| kib.saturating_mul(1024) <= unified)
            .take(16)
            .map(|kib| format!("{} ways with {kib} KiB of shared memory", whole * (unified - (kib << 10)) / unified))
            .collect();
        let found = format!("an L1 that grows into {} KiB of unified memory: {}", unified >> 10, sizes.join(", "));
        let help =
            format!("the string's own {} ways are used; change `ways` and `cache_bytes` for another split", l1.ways);
        let line = self.line("gpgpu_adaptive_cache_config");
        self.out.add(Severity::Note, line, "an L1 of one size", found, help);
    }
}

fn source(option: &str) -> String {
    format!("{FILE}: -{option}")
}

fn cache(string: &CacheString, option: &str, index: crate::SetIndex) -> Cache {
    let from = source(option);
    let (_, differs) = string.set_index();
    let index_source = match (differs, string.index) {
        ("", 'H') => format!("{from}: H, the Fermi hash of HPCA 2014 figure 6"),
        ("", letter) => format!("{from}: {letter}"),
        (differs, letter) => format!("{from}: {letter}; {differs}"),
    };
    Cache {
        bytes: Some(Fact::assumed(string.bytes(), format!("{from}: sets × ways × line"))),
        line_bytes: Some(Fact::assumed(string.line, from.clone())),
        fetch_bytes: Some(Fact::assumed(string.fetch(), from.clone())),
        ways: Some(Fact::assumed(string.ways, from.clone())),
        set_index: Some(Fact::assumed(index, index_source)),
        mshrs: Some(Fact::assumed(string.mshrs, from.clone())),
        stores: Some(Fact::assumed(string.stores(), from)),
        ..Cache::default()
    }
}

/// The configurations carry no name: that of the file, where it says more than the simulator's own, or the capability.
fn name_of(file: &str, config: &Config<'_, '_>) -> String {
    let base = file.rsplit(['/', '\\']).next().unwrap_or_default();
    let base = base.strip_suffix(".gz").unwrap_or(base);
    let stem = base.trim_end_matches(".config").trim_end_matches("gpgpusim").trim_end_matches('.');
    let short: String = stem.chars().filter(|c| !c.is_control()).take(60).collect();
    let part = |option: &str| config.value(option).and_then(|text| text.parse::<u8>().ok());
    match (short.trim(), part("gpgpu_compute_capability_major"), part("gpgpu_compute_capability_minor")) {
        ("", Some(major), Some(minor)) => format!("GPGPU-Sim, compute capability {major}.{minor}"),
        ("", ..) => "GPGPU-Sim configuration".into(),
        (name, ..) => format!("{name} (GPGPU-Sim)"),
    }
}
