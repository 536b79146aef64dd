//! Whether two times of the model `gpu` differ by more than the model can be off.
//!
//! In: the reports of two runs and their kernels as JSON. Out: [`Times`]. The errors are those of `docs/accuracy.md`, by GPU. The page
//! reads the same file.

use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Clocks that differ by a smaller part are the same.
const SAME_CLOCK: f64 = 0.005;

#[derive(Deserialize)]
struct TimeError {
    error: f64,
}

/// What the times of two runs tell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Times {
    /// The longer time is longer than the error explains.
    pub tells: bool,
    /// Only then do cycles say what the time says.
    pub same_clock: bool,
}

/// What the times of two kernels tell. It is `None` unless both ran on the model `gpu`.
pub(super) fn times(reports: [&Value; 2], kernels: [&Value; 2]) -> Option<Times> {
    let of = |kernel: &Value, key: &str| kernel.pointer(key).and_then(Value::as_f64).filter(|value| *value > 0.0);
    let seconds = |kernel| of(kernel, "/gpu/seconds");
    let clock = |kernel| Some(of(kernel, "/gpu/cycles")? / seconds(kernel)?);
    let [before, now] = kernels;
    let errors: BTreeMap<String, TimeError> =
        serde_json::from_str(include_str!("time_errors.json")).unwrap_or_default();
    let error = reports.map(|report| error_of(&errors, report)).into_iter().fold(0.0, f64::max);
    Some(Times {
        tells: !near(seconds(before)?, seconds(now)?, error),
        same_clock: near(clock(before)?, clock(now)?, SAME_CLOCK),
    })
}

/// The mean error of a time on the GPU of a report, a share. A GPU with a value that was set is one that nobody measured, and
/// is taken to be as far off as the worst of those that somebody did.
fn error_of(errors: &BTreeMap<String, TimeError>, report: &Value) -> f64 {
    let is_set = report.get("set").and_then(Value::as_object).is_some_and(|set| !set.is_empty());
    let known = report.get("gpu").and_then(Value::as_str).and_then(|gpu| errors.get(gpu));
    let worst = || errors.values().map(|known| known.error).fold(0.0, f64::max);
    known.filter(|_| !is_set).map_or_else(worst, |known| known.error)
}

/// Whether the larger of two values is larger by no more than a part of the smaller.
fn near(a: f64, b: f64, part: f64) -> bool {
    a.max(b) <= a.min(b) * (1.0 + part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_time_tells_only_beyond_the_error_of_its_gpu() {
        let kernel = |cycles: f64, seconds: f64| json!({ "gpu": { "cycles": cycles, "seconds": seconds } });
        let on = |gpu: &str, set: Value| json!({ "gpu": gpu, "set": set });
        let tells = |before: &Value, now: &Value, ratio: f64| {
            times([before, now], [&kernel(100.0, 1.0), &kernel(100.0, ratio)]).expect("two times").tells
        };
        // The mean error on the TITAN X is below 10 %, and that on the A100 above.
        let [titan, a100] = ["titan-x-pascal", "a100"].map(|gpu| on(gpu, json!({})));
        assert!(tells(&titan, &titan, 1.09) && !tells(&titan, &titan, 1.01) && !tells(&a100, &a100, 1.11));
        assert!(!tells(&titan, &a100, 1.11) && !tells(&a100, &titan, 1.0 / 1.11), "the larger error counts");
        // Of a changed GPU nobody measured the error.
        let changed = on("titan-x-pascal", json!({ "l1_ways": "8" }));
        assert!(!tells(&titan, &changed, 1.125) && tells(&titan, &changed, 1.3));
        assert_eq!(tells(&titan, &changed, 1.125), tells(&a100, &titan, 1.125), "as on the worst");
        let clocks = |cycles: f64| times([&a100, &a100], [&kernel(100.0, 1.0), &kernel(cycles, 1.0)]);
        assert!(clocks(100.4).is_some_and(|t| t.same_clock) && clocks(101.0).is_some_and(|t| !t.same_clock));
        assert_eq!(times([&titan, &titan], [&kernel(100.0, 1.0), &json!({ "ticks": 100 })]), None);
    }
}
