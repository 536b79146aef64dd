//! The caches of this machine, as a browser measures them. Latency curves become levels, and levels become a topology.
//!
//! In: array sizes and their time per load, once per repetition.
//! Out: [`MachineLevels`], and a [`Topology`] that the cache model can use. A browser does not tell the clock
//! frequency, so latencies stay in nanoseconds. The topology has an assumed clock of 1 GHz, at which a cycle takes one
//! nanosecond. Values that were not measured are assumed and have that status.

use base::Diagnostic;
use gpu::{validate, Cache, Fact, SetIndex, Status, Stores, Topology};
use probe::levels::{find_levels, CurveLevels, CurveSettings};
use serde::{Deserialize, Serialize};

/// The levels of a latency curve, as plain numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct MachineLevels {
    /// Array sizes in bytes, ascending.
    pub sizes: Vec<f64>,
    /// The least time per load over the repetitions, in nanoseconds, by array size.
    pub least: Vec<f64>,
    /// The largest time per load over the repetitions, in nanoseconds, by array size.
    pub most: Vec<f64>,
    /// Each flat part of the curve: its latency in nanoseconds, and its first and last size in bytes.
    pub levels: Vec<(f64, f64, f64)>,
    /// Each boundary between levels: the sizes in bytes where the step has risen by 70 %, by 15 % and by 85 %.
    pub boundaries: Vec<(f64, f64, f64)>,
}

/// Splits a curve with `per_octave` sizes per octave into levels. The result has no levels if the curve cannot be
/// split.
pub fn machine_levels(sizes: &[f64], repetitions: &[Vec<f64>], per_octave: f64) -> MachineLevels {
    let found = if per_octave.is_finite() && per_octave >= 1.0 {
        find_levels(sizes, repetitions, &CurveSettings { per_octave, ..CurveSettings::default() }).unwrap_or_default()
    } else {
        CurveLevels::default()
    };
    let at = |i: usize| repetitions.iter().filter_map(move |times| times.get(i).copied()).filter(|t| *t > 0.0);
    MachineLevels {
        sizes: sizes.to_vec(),
        least: (0..sizes.len()).map(|i| at(i).fold(f64::INFINITY, f64::min)).collect(),
        most: (0..sizes.len()).map(|i| at(i).fold(0.0, f64::max)).collect(),
        levels: found.levels.iter().map(|level| (level.latency, level.from, level.to)).collect(),
        boundaries: found.boundaries.iter().map(|b| (b.bytes, b.interval.0, b.interval.1)).collect(),
    }
}

/// The measurement of a machine, from which a topology is made.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "Machine"))]
pub struct MachineMeasurement {
    /// `CPU in this browser`, or the name of the GPU adapter.
    pub name: String,
    /// The vendor, or `unknown`.
    pub vendor: String,
    /// How and where the values were measured. It becomes the source of each measured value.
    pub source: String,
    /// The number of cores, if the browser tells it. The source of the value then names the browser.
    pub cores: Option<u64>,
    /// The lanes of a warp. A CPU has 1.
    pub lanes: u64,
    /// The size of each level in bytes, nearest first.
    pub sizes: Vec<f64>,
    /// The latency in nanoseconds of each level, and of the memory beyond the last one.
    pub latencies: Vec<f64>,
    /// The line size in bytes, if a vote of the measurements determined it.
    pub line: Option<u64>,
    /// True if a program emulates the GPU. No value then counts as measured.
    #[serde(default)]
    pub software: bool,
}

/// Makes the topology of a machine. The first level is the L1, and the next ones are the L2 and the L3. The memory
/// beyond the last level is main memory.
///
/// # Errors
///
/// Returns diagnostics if no level was found, or if the numbers make no valid topology.
pub fn machine_topology(machine: &MachineMeasurement) -> Result<Topology, Vec<Diagnostic>> {
    let sizes = machine.sizes.iter().filter(|size| (1024.0..=1e12).contains(*size));
    let line = machine.line.unwrap_or(64).clamp(16, 1024).next_power_of_two();
    // Sizes are whole lines. A topology has names for at most three levels.
    let sizes: Vec<u64> = sizes.take(3).map(|size| (libm::round(size / line as f64) as u64).max(4) * line).collect();
    let Some(l1) = sizes.first() else {
        let help = "measure again on an idle machine, or with a longer run";
        return Err(vec![Diagnostic::error(&machine.name, "a curve with a step", "none", help)]);
    };
    let source = &machine.source;
    let status = if machine.software { Status::Assumed } else { Status::Measured };
    let measured = |value: u64, source: &str| Fact { value, status, source: source.into() };
    let cycles = |ns: f64, more: &str| Fact { value: tenths(ns), status, source: format!("{source}; {more}") };
    let measured_line = match machine.line {
        Some(_) => measured(line, source),
        None => assumed(line, "the pair test found no line; most CPUs and many GPUs have 64"),
    };
    let level = |index: usize| {
        let hit = machine.latencies.get(index).filter(|ns| (0.0..1e9).contains(*ns));
        Cache {
            bytes: sizes.get(index).map(|bytes| measured(*bytes, source)),
            line_bytes: Some(measured_line.clone()),
            hit_cycles: hit.map(|ns| cycles(*ns, "nanoseconds")),
            ..Cache::default()
        }
    };
    let lines = l1 / line;
    let ways = (4..=64).find(|ways| lines % ways == 0).unwrap_or(lines);
    let guess = "not visible from a browser";
    let beyond = machine.latencies.get(sizes.len()).filter(|ns| (0.0..1e9).contains(*ns));
    let topology = Topology {
        warpscope_topology: 1,
        id: if machine.lanes == 1 { "this-cpu".into() } else { "this-gpu".into() },
        name: short(&machine.name, "this machine"),
        vendor: short(&machine.vendor, "unknown"),
        cores: match machine.cores.filter(|cores| (1..=1 << 16).contains(cores)) {
            Some(cores) => official(cores, "the browser's own count, which it may round"),
            None => assumed(1, guess),
        },
        warp_lanes: assumed(
            machine.lanes.clamp(1, 64),
            if machine.lanes == 1 { "a CPU loads one word at a time" } else { guess },
        ),
        max_threads_per_core: assumed(2048, guess),
        max_blocks_per_core: assumed(16, guess),
        shared_bytes_per_core: None,
        registers_per_core: None,
        clock_khz: Some(assumed(1_000_000, "not visible from a browser: at 1 GHz a cycle is a nanosecond")),
        l1: Cache {
            ways: Some(assumed(ways, guess)),
            set_index: Some(assumed(SetIndex::Modulo, guess)),
            mshrs: Some(assumed(10, guess)),
            stores: Some(assumed(Stores::WriteThroughNoAllocate, guess)),
            ..level(0)
        },
        l2: (sizes.len() > 1).then(|| level(1)),
        l3: (sizes.len() > 2).then(|| level(2)),
        texture: None,
        read_only: None,
        constant_l1: None,
        constant_l1_5: None,
        scalar_l1: None,
        shared_cycles: None,
        memory_cycles: beyond.map(|ns| cycles(*ns, "nanoseconds, prefetching included")),
        memory_bytes: None,
        generation: None,
        board: None,
        thesis_table: None,
        model_latency: assumed(100, "the value of HPCA 2014 for Fermi; a tick is not a cycle"),
        model_sigma: assumed(5.0, "the value of HPCA 2014 for Fermi"),
    };
    let said = validate(&topology);
    if said.iter().any(|d| d.severity == base::Severity::Error) {
        return Err(said);
    }
    Ok(topology)
}

fn tenths(ns: f64) -> f64 {
    libm::round(ns * 10.0) / 10.0
}

fn short(text: &str, otherwise: &str) -> String {
    let text: String = text.trim().chars().take(100).collect();
    if text.is_empty() {
        otherwise.into()
    } else {
        text
    }
}

fn official<T>(value: T, source: &str) -> Fact<T> {
    Fact { value, status: Status::Official, source: source.into() }
}

fn assumed<T>(value: T, ground: &str) -> Fact<T> {
    Fact { value, status: Status::Assumed, source: ground.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpu::{read_topology, write_topology};

    fn cpu() -> MachineMeasurement {
        MachineMeasurement {
            name: "CPU in this browser".into(),
            vendor: "unknown".into(),
            source: "pointer chase in this browser".into(),
            cores: Some(8),
            lanes: 1,
            sizes: vec![33_100.0, 1_050_000.0, 30e6],
            latencies: vec![1.3, 4.1, 18.0, 90.04],
            line: Some(64),
            software: false,
        }
    }

    #[test]
    fn levels_become_a_topology_that_survives_its_file() {
        let topology = machine_topology(&cpu()).expect("a topology");
        assert_eq!(topology.l1.bytes.as_ref().map(|fact| fact.value), Some(33_088));
        assert_eq!(topology.l3.as_ref().and_then(|l3| l3.hit_cycles.as_ref()).map(|fact| fact.value), Some(18.0));
        assert_eq!(topology.memory_cycles.as_ref().map(|fact| fact.value), Some(90.0));
        let played = machine_topology(&MachineMeasurement { software: true, ..cpu() }).expect("a topology");
        assert!(played.l1.bytes.is_some_and(|fact| fact.status == Status::Assumed));
        let (back, said) = read_topology("cpu.json", write_topology(&topology).as_bytes());
        assert_eq!((back.as_ref(), said.len()), (Some(&topology), 0));
    }

    #[test]
    fn odd_numbers_are_refused_or_rounded() {
        assert!(machine_topology(&MachineMeasurement { sizes: vec![], ..cpu() }).is_err());
        assert!(machine_topology(&MachineMeasurement { sizes: vec![f64::NAN, -1.0, 1e300], ..cpu() }).is_err());
        for line in [None, Some(0), Some(48), Some(u64::MAX >> 8)] {
            let topology = machine_topology(&MachineMeasurement { line, cores: Some(0), ..cpu() }).expect("a topology");
            assert!(validate(&topology).is_empty());
            assert_eq!(topology.l1.line_bytes.is_some_and(|fact| fact.status == Status::Measured), line.is_some());
        }
        let one = machine_topology(&MachineMeasurement { sizes: vec![40e3], latencies: vec![f64::INFINITY], ..cpu() });
        assert!(one.is_ok_and(|t| t.l2.is_none() && t.memory_cycles.is_none() && t.l1.hit_cycles.is_none()));
    }

    #[test]
    fn a_curve_is_parted_and_keeps_its_noise() {
        let sizes: Vec<f64> = (0..80).map(|i| 4096.0 * libm::exp2(f64::from(i) / 8.0)).collect();
        let one = |slow: f64| sizes.iter().map(|size| if *size > 32_768.0 { 4.0 * slow } else { slow }).collect();
        let found = machine_levels(&sizes, &[one(1.0), one(1.2)], 8.0);
        assert_eq!((found.levels.len(), found.boundaries.len()), (2, 1));
        assert!((30e3..40e3).contains(&found.boundaries[0].0), "{:?}", found.boundaries);
        assert_eq!((found.least[0], found.most[0]), (1.0, 1.2));
        assert!(machine_levels(&sizes, &[], 8.0).levels.is_empty());
        assert!(machine_levels(&sizes, &[one(1.0)], f64::NAN).levels.is_empty());
    }
}
