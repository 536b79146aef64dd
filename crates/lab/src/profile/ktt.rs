//! The results of the tuner KTT, version 2: JSON with a result per configuration of its parameters.
//!
//! The format is that of KTT's own writer (github HiPerCoRe/KTT, `Source/Output/JsonConverters.cpp`): `Metadata` with
//! `TimeUnit`, and `Results`, each with `Status`, `Configuration` and one of `ComputationResults` per kernel with
//! `Duration` and, when it profiled, `ProfilingData.Counters`. The counters are CUPTI's: the metrics of Nsight Compute,
//! in bytes and nanoseconds, and before Volta those of nvprof.
//!
//! KTT runs a configuration once for each pass of the counters. Read-only arrays stay on the GPU, and the others are
//! copied again before each pass (`KernelRunner::SetupBuffers`). Of the states of the model, `replay` is nearest to it.

use crate::check::counter::Counter;
use crate::profile::data::{LaunchSizes, Profile, ProfiledLaunch};
use crate::profile::metrics::{counter_of_metric, value_in_unit};
use crate::scenario::LaunchState;
use base::{Diagnostics, Severity};
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct File {
    #[serde(rename = "Metadata", default)]
    metadata: Metadata,
    /// Read one by one, so that a damaged one leaves the others.
    #[serde(rename = "Results")]
    results: Vec<serde_json::Value>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct Metadata {
    device: String,
    time_unit: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct KernelResult {
    status: String,
    #[serde(default)]
    configuration: Vec<Pair>,
    #[serde(default)]
    computation_results: Vec<Computation>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Pair {
    name: String,
    value: serde_json::Value,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Computation {
    kernel_function: String,
    duration: f64,
    global_size: Option<Dimensions>,
    local_size: Option<Dimensions>,
    profiling_data: Option<Profiling>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Dimensions {
    x: u64,
    y: u64,
    z: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Profiling {
    #[serde(default)]
    counters: Vec<Measurement>,
    #[serde(default)]
    remaining_profiling_runs: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Measurement {
    name: String,
    value: serde_json::Value,
}

/// Whether JSON is of KTT, version 2.
pub(crate) fn looks_like(json: &[u8]) -> bool {
    let head = String::from_utf8_lossy(&json[..json.len().min(64 << 10)]);
    head.contains("\"Results\"") && ["\"ComputationResults\"", "\"KttVersion\""].iter().any(|key| head.contains(key))
}

/// Reads the results of KTT.
pub(crate) fn read(json: &[u8], out: &mut Diagnostics) -> Profile {
    let mut profile = Profile { state: LaunchState::Replay, tool: "KTT", ..Profile::default() };
    let file: File = match serde_json::from_slice(json) {
        Ok(file) => file,
        Err(e) => {
            let help = if e.is_eof() {
                "the file is cut off: let KTT write it again"
            } else {
                "let KTT 2 write it with `SaveResults(…, OutputFormat::JSON)`; its T4 format is another one"
            };
            out.add(Severity::Error, Some(e.line() as u64), "the JSON of KTT 2", e.to_string(), help);
            return profile;
        }
    };
    profile.device = file.metadata.device;
    let unit = match file.metadata.time_unit.as_str() {
        "Nanoseconds" => "ns",
        "Microseconds" => "us",
        "Seconds" => "s",
        // The unit that KTT writes unless a program chooses another.
        _ => "ms",
    };
    for (number, result) in (1..).zip(file.results) {
        let result: KernelResult = match serde_json::from_value(result) {
            Ok(result) => result,
            Err(e) => {
                let expected = format!("result {number} as KTT 2 writes it");
                out.add(Severity::Warning, None, expected, e.to_string(), "the result is left out");
                profile.left_out += 1;
                continue;
            }
        };
        if result.status != "Ok" {
            profile.left_out += 1;
            continue;
        }
        let configuration = configuration_text(&result.configuration);
        for computation in result.computation_results {
            add_launch(&mut profile, computation, &configuration, unit);
        }
    }
    if profile.launches.is_empty() {
        let found = format!("{} results that failed or have no launch", profile.left_out);
        out.add(Severity::Error, None, "a result with the status `Ok`", found, "look at what KTT said of the failures");
    }
    profile
}

fn configuration_text(pairs: &[Pair]) -> String {
    let text = |pair: &Pair| match &pair.value {
        serde_json::Value::String(word) => format!("{}={word}", pair.name),
        value => format!("{}={value}", pair.name),
    };
    pairs.iter().map(text).collect::<Vec<_>>().join(", ")
}

fn add_launch(profile: &mut Profile, computation: Computation, configuration: &str, unit: &str) {
    let mut counters: BTreeMap<Counter, f64> = BTreeMap::new();
    let duration = computation.duration.to_string();
    counters.extend(value_in_unit(&duration, unit, Counter::Microseconds).map(|time| (Counter::Microseconds, time)));
    let mut ranks: BTreeMap<Counter, usize> = BTreeMap::new();
    // Counters of passes that did not all run are not complete.
    let profiled = computation.profiling_data.iter().filter(|data| data.remaining_profiling_runs == 0);
    for measured in profiled.flat_map(|data| &data.counters) {
        let Some((rank, counter)) = counter_of_metric(&measured.name) else {
            profile.unknown_metrics += 1;
            continue;
        };
        let unit = match counter {
            Counter::Microseconds => "ns",
            _ if measured.name.contains("bytes") => "byte",
            _ => "",
        };
        let value = value_in_unit(&measured.value.to_string(), unit, counter);
        if let Some(value) = value.filter(|_| ranks.get(&counter).is_none_or(|&known| rank < known)) {
            ranks.insert(counter, rank);
            counters.insert(counter, value);
        }
    }
    let sizes = computation.global_size.zip(computation.local_size).map(|(global, local)| LaunchSizes {
        global: [global.x, global.y, global.z],
        local: [local.x, local.y, local.z],
    });
    profile.launches.push(ProfiledLaunch {
        kernel: computation.kernel_function,
        configuration: configuration.into(),
        sizes,
        counters,
        ..ProfiledLaunch::default()
    });
}
