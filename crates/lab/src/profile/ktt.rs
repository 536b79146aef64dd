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
use crate::profile::data::{clipped, LaunchSizes, Profile, ProfiledLaunch, MOST_LAUNCHES, TOO_MANY_LAUNCHES};
use crate::profile::metrics::{counter_of_metric, value_in_unit};
use crate::scenario::LaunchState;
use base::{excerpt, Diagnostics, Severity};
use serde::de::IgnoredAny;
use serde::Deserialize;
use std::collections::BTreeMap;

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

/// What to do about a file that ends too early.
const CUT_OFF: &str = "the file is cut off: let KTT write it again";

/// The values of a file, one by one, so that damage leaves what stands before it.
struct Values<'j> {
    json: &'j [u8],
    at: usize,
    /// The line of `at`, counted from 1.
    line: u64,
}

impl<'j> Values<'j> {
    /// The values from the one on that a key of the file has.
    fn of_key(json: &'j [u8], key: &str) -> Option<Self> {
        let mut values = Self { json, at: 0, line: 1 };
        let found = json.windows(key.len()).position(|window| window == key.as_bytes())?;
        values.advance(found + key.len());
        values.skip(b":").then_some(values)
    }

    fn advance(&mut self, bytes: usize) {
        let passed = &self.json[self.at..self.at + bytes];
        self.line += passed.iter().filter(|&&byte| byte == b'\n').count() as u64;
        self.at += bytes;
    }

    /// Passes white space and one of these bytes. Returns false if something else follows.
    fn skip(&mut self, bytes: &[u8]) -> bool {
        let rest = &self.json[self.at..];
        let space = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let follows = rest.get(space).is_some_and(|byte| bytes.contains(byte));
        self.advance(space + usize::from(follows));
        follows
    }

    /// The bytes of the next value, with its first line. An error is what is wrong with it, in the line of the damage.
    fn next_value(&mut self) -> Result<(u64, &'j [u8]), (u64, serde_json::Error)> {
        self.skip(b"");
        let (json, line) = (&self.json[self.at..], self.line);
        let mut values = serde_json::Deserializer::from_slice(json).into_iter::<IgnoredAny>();
        match values.next() {
            Some(Err(e)) => Err((line + e.line().max(1) as u64 - 1, e)),
            _ => {
                let length = values.byte_offset();
                self.advance(length);
                Ok((line, &json[..length]))
            }
        }
    }
}

/// The message of an error, without its place, which is counted from the begin of a value.
fn message(e: &serde_json::Error) -> String {
    let text = e.to_string();
    let text = text.split(" at line ").next().unwrap_or_default();
    text.chars().take(200).collect()
}

/// Reads the results of KTT.
pub(crate) fn read(json: &[u8], out: &mut Diagnostics) -> Profile {
    let mut profile = Profile { state: LaunchState::Replay, tool: "KTT", ..Profile::default() };
    let metadata = Values::of_key(json, "\"Metadata\"").and_then(|mut values| values.next_value().ok());
    let metadata = metadata.and_then(|(_, json)| serde_json::from_slice::<Metadata>(json).ok()).unwrap_or_default();
    profile.device = clipped(&metadata.device);
    let unit = match metadata.time_unit.as_str() {
        "Nanoseconds" => "ns",
        "Microseconds" => "us",
        "Seconds" => "s",
        // The unit that KTT writes unless a program chooses another.
        _ => "ms",
    };
    let Some(mut results) = Values::of_key(json, "\"Results\"") else {
        let (found, help) = match serde_json::from_slice::<IgnoredAny>(json) {
            Err(e) if e.is_eof() => (message(&e), CUT_OFF),
            _ => (
                "no results".into(),
                "let KTT 2 write it with `SaveResults(…, OutputFormat::JSON)`; its T4 format is another one",
            ),
        };
        out.add(Severity::Error, None, "the JSON of KTT 2", found, help);
        return profile;
    };
    let whole = read_results(&mut results, unit, &mut profile, out);
    if profile.launches.iter().all(|launch| launch.counters.is_empty()) {
        let found =
            format!("launches without values: {}, failed results: {}", profile.launches.len(), profile.left_out);
        let help = if whole { "look at what KTT said of the failures" } else { CUT_OFF };
        out.add(Severity::Error, None, "a result with the status `Ok`, and its duration", found, help);
    }
    profile
}

/// Reads the list of results until its end, or until something is no JSON. Returns false if it does not end.
fn read_results(values: &mut Values, unit: &str, profile: &mut Profile, out: &mut Diagnostics) -> bool {
    if !values.skip(b"[") {
        let found = excerpt(&values.json[values.at..]);
        out.add(Severity::Warning, Some(values.line), "a list of results", found, CUT_OFF);
        return false;
    }
    if values.skip(b"]") {
        return true;
    }
    for number in 1..=MOST_LAUNCHES {
        match values.next_value() {
            Ok((line, result)) => read_result((number, line), result, unit, profile, out),
            Err((line, e)) => {
                let help = if e.is_eof() { CUT_OFF } else { "the results from this one on are left out" };
                out.add(Severity::Warning, Some(line), format!("result {number} as JSON"), message(&e), help);
                return false;
            }
        }
        if values.skip(b"]") {
            return true;
        }
        if !values.skip(b",") {
            let found = excerpt(&values.json[values.at..]);
            out.add(Severity::Warning, Some(values.line), "another result, or the end of the list", found, CUT_OFF);
            return false;
        }
    }
    let expected = format!("at most {MOST_LAUNCHES} results");
    out.add(Severity::Warning, Some(values.line), expected, "more", TOO_MANY_LAUNCHES);
    true
}

/// Reads a result that begins in a line.
fn read_result((number, line): (usize, u64), json: &[u8], unit: &str, profile: &mut Profile, out: &mut Diagnostics) {
    let result: KernelResult = match serde_json::from_slice(json) {
        Ok(result) => result,
        Err(e) => {
            let (line, expected) = (line + e.line().max(1) as u64 - 1, format!("result {number} as KTT 2 writes it"));
            out.add(Severity::Warning, Some(line), expected, message(&e), "the result is left out");
            profile.left_out += 1;
            return;
        }
    };
    if result.status != "Ok" {
        profile.left_out += 1;
        return;
    }
    let configuration = clipped(&configuration_text(&result.configuration));
    for computation in result.computation_results {
        if profile.launches.len() < MOST_LAUNCHES {
            let flaws = add_launch(profile, computation, &configuration, unit);
            for (what, found) in flaws {
                let (expected, found) = (format!("a number for {what}"), excerpt(found.as_bytes()));
                out.add(Severity::Warning, Some(line), expected, found, "the value is left out");
            }
        }
    }
}

fn configuration_text(pairs: &[Pair]) -> String {
    let text = |pair: &Pair| match &pair.value {
        serde_json::Value::String(word) => format!("{}={word}", pair.name),
        value => format!("{}={value}", pair.name),
    };
    pairs.iter().map(text).collect::<Vec<_>>().join(", ")
}

/// Adds a launch. Returns the counters whose values are no numbers, with the values.
fn add_launch(
    profile: &mut Profile,
    computation: Computation,
    configuration: &str,
    unit: &str,
) -> Vec<(&'static str, String)> {
    let (mut flaws, mut counters) = (Vec::new(), BTreeMap::new());
    let duration = computation.duration.to_string();
    match value_in_unit(&duration, unit, Counter::Microseconds) {
        Some(time) => drop(counters.insert(Counter::Microseconds, time)),
        None => flaws.push((Counter::Microseconds.name(), duration)),
    }
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
        let text = measured.value.to_string();
        match value_in_unit(&text, unit, counter) {
            None => flaws.push((counter.name(), text)),
            Some(_) if ranks.get(&counter).is_some_and(|&known| known <= rank) => (),
            Some(value) => {
                ranks.insert(counter, rank);
                counters.insert(counter, value);
            }
        }
    }
    let sizes = computation.global_size.zip(computation.local_size).map(|(global, local)| LaunchSizes {
        global: [global.x, global.y, global.z],
        local: [local.x, local.y, local.z],
    });
    profile.launches.push(ProfiledLaunch {
        kernel: clipped(&computation.kernel_function),
        configuration: configuration.into(),
        sizes,
        tuned: true,
        counters,
        ..ProfiledLaunch::default()
    });
    flaws
}
