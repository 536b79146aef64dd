//! Which numbers of two runs are compared, in which unit, and which direction is better. The page and the terminal share
//! this list, so both say the same of two reports.
//!
//! In: two reports as JSON, as `warpscope cache --format json` prints them and the page saves them. Out: a [`Comparison`].
//!
//! A number is compared only where it means the same in both models: a line is not a sector, and a tick is not a cycle.
//! A rate has no better direction, because a kernel that asks for each line many times misses rarely.

use super::time_margin::{times, Times};
use base::Diagnostic;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Bytes of a sector.
const SECTOR: f64 = 32.0;

/// Numbers whose difference is a smaller part of the baseline are called the same.
const SAME: f64 = 0.005;

/// The verdict of times that differ by less than the model can be off.
const UNSURE: &str = "unsure";

/// Which direction of a number is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Better {
    /// Less is better.
    Lower,
    /// Neither is better as such.
    Neither,
}

/// The unit of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ComparedUnit"))]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// A whole number.
    Count,
    /// Bytes.
    Bytes,
    /// Seconds.
    Seconds,
    /// A fraction of 1.
    Share,
    /// A count for each instruction.
    Mean,
}

/// Between which models a number means the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ComparedScope"))]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// All models.
    All,
    /// `paper` and `reference` count lines, `gpu` counts sectors.
    Unit,
    /// `paper` and `reference` have ticks, `gpu` has cycles.
    Time,
    /// Each model counts misses in its own way.
    Model,
}

/// A number of a kernel that is compared.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct ComparedNumber {
    /// Its name.
    pub key: &'static str,
    /// The path of the field in the JSON of a kernel.
    pub path: &'static str,
    /// The path of the field that it is divided by, if it is a ratio.
    pub over: Option<&'static str>,
    /// What the field is multiplied by.
    pub factor: f64,
    /// Its unit.
    pub unit: Unit,
    /// Which direction is better.
    pub better: Better,
    /// Between which models it is compared.
    pub scope: Scope,
}

const fn number(key: &'static str, path: &'static str, unit: Unit, better: Better, scope: Scope) -> ComparedNumber {
    ComparedNumber { key, path, over: None, factor: 1.0, unit, better, scope }
}

impl ComparedNumber {
    const fn over(self, over: &'static str) -> Self {
        Self { over: Some(over), ..self }
    }

    const fn of_sectors(self) -> Self {
        Self { factor: SECTOR, ..self }
    }

    /// The number of a kernel. It is `None` where the model does not have it.
    fn of(&self, kernel: &Value) -> Option<f64> {
        let at = |path: &str| path.split('.').try_fold(kernel, |value, key| value.get(key))?.as_f64();
        let value = self.factor * at(self.path)?;
        match self.over.map(at) {
            None => Some(value),
            Some(over) => over.filter(|over| *over > 0.0).map(|over| value / over),
        }
    }

    /// Whether the number of one model can be held against that of another.
    fn is_same_in(&self, model: &str, other: &str) -> bool {
        let one_l1 = |model: &str| model != "gpu";
        model == other
            || match self.scope {
                Scope::All => true,
                Scope::Unit | Scope::Time => one_l1(model) && one_l1(other),
                Scope::Model => false,
            }
    }
}

/// The numbers of all models in the order of the table: what tells most comes first.
pub fn compared_numbers() -> Vec<ComparedNumber> {
    use Better::{Lower, Neither};
    vec![
        number("seconds", "gpu.seconds", Unit::Seconds, Lower, Scope::Time),
        number("cycles", "gpu.cycles", Unit::Count, Lower, Scope::Time),
        number("ticks", "ticks", Unit::Count, Lower, Scope::Time),
        number("requests_per_load", "work.loads.requests", Unit::Mean, Lower, Scope::Unit)
            .over("work.loads.instructions"),
        number("l1_bytes", "work.l1_bytes", Unit::Bytes, Lower, Scope::All),
        number("dram_bytes", "work.l2_bytes", Unit::Bytes, Lower, Scope::All),
        number("loads", "work.loads.instructions", Unit::Count, Lower, Scope::All),
        number("requests", "requests", Unit::Count, Lower, Scope::Unit),
        number("miss_rate", "miss_rate", Unit::Share, Neither, Scope::Model),
        number("compulsory", "misses.compulsory", Unit::Count, Lower, Scope::Model),
        number("capacity", "misses.capacity", Unit::Count, Lower, Scope::Model),
        number("associativity", "misses.associativity", Unit::Count, Lower, Scope::Model),
        number("latency", "misses.latency", Unit::Count, Lower, Scope::Model),
        number("l1_hit_rate", "gpu.l1.hit_rate", Unit::Share, Neither, Scope::Unit),
        number("l2_hit_rate", "gpu.l2.read_hits", Unit::Share, Neither, Scope::Unit).over("gpu.l2.reads"),
        number("instructions", "gpu.instructions", Unit::Count, Lower, Scope::All),
        number("written_bytes", "gpu.l2.writes", Unit::Bytes, Lower, Scope::All).of_sectors(),
        number("load_wavefronts", "gpu.shared.load_wavefronts", Unit::Count, Lower, Scope::All),
        number("store_wavefronts", "gpu.shared.store_wavefronts", Unit::Count, Lower, Scope::All),
        number("occupancy", "gpu.occupancy", Unit::Share, Neither, Scope::All),
        number("working_cores", "gpu.working_cores", Unit::Count, Neither, Scope::All),
        number("counted_sectors", "gpu.l1.accesses", Unit::Count, Lower, Scope::Unit),
        number("atomic_sectors", "gpu.l2.atomics", Unit::Count, Lower, Scope::All),
        number("least_per_load", "work.loads.least", Unit::Mean, Neither, Scope::Unit).over("work.loads.instructions"),
        number("least_bytes", "work.least_bytes", Unit::Bytes, Neither, Scope::Unit),
    ]
}

/// A number of both runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NumberRow {
    /// Its name.
    pub number: &'static str,
    /// Its unit.
    pub unit: Unit,
    /// Its value in the baseline.
    pub baseline: f64,
    /// Its value in the other run.
    pub now: f64,
    /// `now` minus `baseline`.
    pub difference: f64,
    /// `now` over `baseline`. It is `None` if the baseline is zero.
    pub ratio: Option<f64>,
    /// `better`, `worse`, `same`, or `unsure` for a time within the error of the model. It is `None` where neither direction is
    /// better, for cycles of another clock, and between two models: a difference is theirs then, not the kernel's.
    pub verdict: Option<&'static str>,
}

impl NumberRow {
    fn new(number: &ComparedNumber, [baseline, now]: [f64; 2], one_model: bool, times: Option<Times>) -> Self {
        let difference = now - baseline;
        let is_time = matches!(number.key, "seconds" | "cycles");
        let verdict = match (number.better, difference) {
            (_, 0.0) => Some("same"),
            (Better::Neither, _) => None,
            _ if !one_model => None,
            // A word beside them could speak against the one beside the time.
            _ if number.key == "cycles" && times.is_some_and(|times| !times.same_clock) => None,
            _ if difference.abs() < SAME * baseline.abs() => Some("same"),
            _ if is_time && times.is_some_and(|times| !times.tells) => Some(UNSURE),
            (Better::Lower, difference) => Some(if difference < 0.0 { "better" } else { "worse" }),
        };
        let ratio = (baseline != 0.0).then(|| now / baseline);
        Self { number: number.key, unit: number.unit, baseline, now, difference, ratio, verdict }
    }
}

/// Two kernels side by side.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComparedPair {
    /// The kernel of the baseline.
    pub baseline: String,
    /// The kernel that is compared with it.
    pub now: String,
    /// The numbers that both have.
    pub numbers: Vec<NumberRow>,
    /// Numbers that do not mean the same in both models, or that one of them lacks.
    pub not_compared: Vec<&'static str>,
}

/// Two reports side by side.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// Inputs that differ: the name, the value of the baseline, and the value now.
    pub inputs: Vec<[String; 3]>,
    /// The kernels in launch order. Those of the same number are a pair, and those of two reports with one kernel each.
    pub kernels: Vec<ComparedPair>,
}

/// Compares two reports. `names` say in messages what they are.
///
/// # Errors
///
/// Returns a diagnostic if one of them is no report of `warpscope cache`, or if they have no kernel of the same number.
pub fn compare_reports(names: [&str; 2], baseline: &Value, now: &Value) -> Result<Comparison, Vec<Diagnostic>> {
    let (base_model, base_kernels) = parts(baseline, names[0])?;
    let (model, kernels) = parts(now, names[1])?;
    let numbers = compared_numbers();
    let mut pairs = Vec::new();
    for kernel in kernels {
        let alone = kernels.len() == 1 && base_kernels.len() == 1;
        let pairs_with = |base: &&Value| alone || base.get("number") == kernel.get("number");
        let Some(base) = base_kernels.iter().find(pairs_with) else { continue };
        let times = times([baseline, now], [base, kernel]);
        let mut pair = ComparedPair { baseline: name(base), now: name(kernel), numbers: vec![], not_compared: vec![] };
        for number in &numbers {
            match (number.of(base), number.of(kernel)) {
                (Some(before), Some(after)) if number.is_same_in(base_model, model) => {
                    pair.numbers.push(NumberRow::new(number, [before, after], base_model == model, times));
                }
                (None, None) => {}
                _ => pair.not_compared.push(number.key),
            }
        }
        pairs.push(pair);
    }
    if pairs.is_empty() {
        let help = "run the same kernels in both, or choose one of each with --kernel";
        return Err(vec![Diagnostic::error("compare", "kernels of the same number in both", "none", help)]);
    }
    Ok(Comparison { inputs: inputs(baseline, now), kernels: pairs })
}

fn name(kernel: &Value) -> String {
    kernel.get("name").and_then(Value::as_str).unwrap_or_default().into()
}

fn parts<'v>(report: &'v Value, which: &str) -> Result<(&'v str, &'v [Value]), Vec<Diagnostic>> {
    let model = report.get("model").and_then(Value::as_str);
    let kernels = report.get("kernels").and_then(Value::as_array);
    model.zip(kernels.map(Vec::as_slice)).ok_or_else(|| {
        let help = "save it on the page, or with `warpscope cache FILE --format json`";
        vec![Diagnostic::error(which, "a report with `model` and `kernels`", "another JSON", help)]
    })
}

/// The inputs that a report states and that differ: a report names neither its files nor sizes, launches and warm caches. The parameters of another GPU or model all differ, so they are not listed.
fn inputs(baseline: &Value, now: &Value) -> Vec<[String; 3]> {
    let text = |value: Option<&Value>| match value {
        None | Some(Value::Null) => "-".to_string(),
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
    };
    let mut found = Vec::new();
    for key in ["gpu", "model", "state", "seed"] {
        let [before, after] = [baseline, now].map(|report| report.get(key));
        if before != after {
            found.push([key.to_string(), text(before), text(after)]);
        }
    }
    let same_gpu = ["gpu", "model"].iter().all(|key| baseline.get(key) == now.get(key));
    // The model `gpu` states those that were set.
    let parameters = |report: &'_ Value| {
        let stated = report.get("parameters").filter(|_| same_gpu);
        stated.or_else(|| report.get("set")).and_then(Value::as_object).cloned()
    };
    if let (Some(before), Some(after)) = (parameters(baseline), parameters(now)) {
        let keys: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
        let differing = keys.into_iter().filter(|key| before.get(*key) != after.get(*key));
        found.extend(differing.map(|key| [key.clone(), text(before.get(key)), text(after.get(key))]));
    }
    found
}

impl Comparison {
    /// The comparison as aligned text.
    pub fn text(&self) -> String {
        let mut out = String::new();
        // Writing to a String cannot fail.
        for [name, before, after] in &self.inputs {
            let _ = writeln!(out, "{name}: {before} -> {after}");
        }
        for pair in &self.kernels {
            let _ = writeln!(out, "\n{} -> {}", pair.baseline, pair.now);
            for row in &pair.numbers {
                let [before, after] = [row.baseline, row.now].map(|value| shown(row.unit, value));
                let ratio = row.ratio.map_or("-".into(), |ratio| format!("x{ratio:.3}"));
                let verdict = row.verdict.unwrap_or("");
                let _ = writeln!(out, "  {:<18} {before:>14} {after:>14} {ratio:>9}  {verdict}", row.number);
            }
            if pair.numbers.iter().any(|row| row.verdict == Some(UNSURE)) {
                let _ = writeln!(out, "  {UNSURE}: the times differ by less than the model's mean error on these GPUs");
            }
            if !pair.not_compared.is_empty() {
                let _ = writeln!(out, "  not compared: {}", pair.not_compared.join(", "));
            }
        }
        out
    }
}

fn shown(unit: Unit, value: f64) -> String {
    match unit {
        Unit::Count | Unit::Bytes => format!("{value:.0}"),
        Unit::Seconds => format!("{:.2} us", value * 1e6),
        Unit::Share => format!("{:.2} %", 100.0 * value),
        Unit::Mean => format!("{value:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 2] = ["a.json", "b.json"];
    use serde_json::json;

    fn paper(seed: u64, ways: &str, ticks: u64, requests: u64) -> Value {
        let work = json!({ "loads": { "instructions": 100, "requests": requests, "least": 100 }, "l1_bytes": 1280,
            "l2_bytes": null, "least_bytes": 640 });
        let kernel = json!({ "number": 1, "name": "k", "requests": requests, "ticks": ticks, "miss_rate": 0.1,
            "misses": { "compulsory": 5, "capacity": 0, "associativity": 3, "latency": 0, "mshr": 0 }, "work": work });
        json!({ "model": "paper", "gpu": "gtx470-16k", "seed": seed, "kernels": [kernel],
            "parameters": { "ways": ways, "mshrs": "64" } })
    }

    fn row<'c>(comparison: &'c Comparison, key: &str) -> &'c NumberRow {
        comparison.kernels[0].numbers.iter().find(|row| row.number == key).expect(key)
    }

    #[test]
    fn less_than_half_a_percent_is_the_same() {
        let verdict = |ticks: u64| {
            let found =
                compare_reports(NAMES, &paper(1, "4", 1000, 300), &paper(1, "4", ticks, 300)).expect("two reports");
            row(&found, "ticks").verdict
        };
        assert_eq!([996, 1004, 994, 1006].map(verdict), ["same", "same", "better", "worse"].map(Some));
    }

    #[test]
    fn numbers_differ_as_written_by_hand() {
        let found = compare_reports(NAMES, &paper(1, "4", 200, 300), &paper(2, "8", 150, 400)).expect("two reports");
        assert_eq!(found.inputs, [["seed", "1", "2"], ["ways", "4", "8"]].map(|row| row.map(String::from)));
        let ticks = row(&found, "ticks");
        assert_eq!((ticks.difference, ticks.ratio, ticks.verdict), (-50.0, Some(0.75), Some("better")));
        let per_load = row(&found, "requests_per_load");
        assert_eq!((per_load.baseline, per_load.now, per_load.verdict), (3.0, 4.0, Some("worse")));
        assert_eq!(row(&found, "compulsory").verdict, Some("same"));
        let capacity = row(&found, "capacity");
        assert_eq!((capacity.ratio, capacity.verdict), (None, Some("same")));
        assert!(found.kernels[0].not_compared.is_empty());
        assert!(found.text().contains("ways: 4 -> 8"));
    }

    #[test]
    fn only_what_means_the_same_in_both_models_is_compared() {
        let mut gpu = paper(1, "4", 0, 300);
        gpu["model"] = "gpu".into();
        gpu["kernels"][0]["gpu"] = json!({ "cycles": 900, "seconds": 1e-6 });
        gpu["kernels"][0]["work"]["l2_bytes"] = 64.into();
        for key in ["ticks", "requests", "misses", "miss_rate"] {
            gpu["kernels"][0].as_object_mut().expect("a kernel").remove(key);
        }
        let found = compare_reports(NAMES, &paper(1, "4", 200, 300), &gpu).expect("two reports");
        let compared: Vec<&str> = found.kernels[0].numbers.iter().map(|row| row.number).collect();
        assert_eq!(compared, ["l1_bytes", "loads"]);
        let others = &found.kernels[0].not_compared;
        assert!(["cycles", "ticks", "requests_per_load", "dram_bytes"].iter().all(|key| others.contains(key)));
        // The program of the authors counts lines and ticks as the paper does, but its misses in another way.
        let mut reference = paper(1, "4", 100, 300);
        reference["model"] = "reference".into();
        let found = compare_reports(NAMES, &paper(1, "4", 200, 300), &reference).expect("two reports");
        let ticks = row(&found, "ticks");
        assert_eq!((ticks.ratio, ticks.verdict), (Some(0.5), None));
        assert!(found.kernels[0].not_compared.contains(&"miss_rate"));
    }

    #[test]
    fn what_is_no_report_or_has_no_pair_says_so() {
        let said = |a: &Value, b: &Value| compare_reports(NAMES, a, b).expect_err("nothing to compare")[0].to_string();
        assert!(said(&json!({}), &paper(1, "4", 1, 1)).starts_with("a.json: "));
        let mut other = paper(1, "4", 1, 1);
        other["kernels"] = json!([{ "number": 2 }, { "number": 3 }]);
        assert!(said(&paper(1, "4", 1, 1), &other).contains("--kernel"));
    }
}
