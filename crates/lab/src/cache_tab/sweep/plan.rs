//! The points of a sweep. Each is a scenario of its own, whose link gives the same numbers.

use super::axis::{factor, SweepAxis, MECHANISMS, WITHOUT};
use crate::cache_tab::gpu_settings::SMS;
use crate::cache_tab::scenario_run::ScenarioRun;
use crate::cache_tab::settings::parameters;
use crate::catalogue::gpu_topology;
use crate::input::intake::Contents;
use crate::scenario::{CacheModel, LaunchState, Scenario};
use base::Diagnostic;
use gpu::Topology;

/// Most points of a sweep.
const MOST_POINTS: usize = 100_000;

/// Keys of a scenario that vary beside the model's parameters.
const SCENARIO_KEYS: [&str; 5] = ["gpu", "model", "state", "seed", WITHOUT];

/// A sweep that can run: a base, and all combinations of the axes' values.
#[derive(Clone, Debug)]
pub struct SweepPlan {
    base: Scenario,
    axes: Vec<SweepAxis>,
    points: usize,
}

impl SweepPlan {
    /// Makes the plan of a sweep around a scenario.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if there is no axis, if a key stands twice or is unknown, if a value of `gpu`, `model`, `state`,
    /// `seed` or `without` is none, or if there are more than 100,000 points.
    pub fn new(base: Scenario, axes: Vec<SweepAxis>, contents: &Contents) -> Result<Self, Vec<Diagnostic>> {
        let mut errors = Vec::new();
        if axes.is_empty() {
            errors.push(wrong("at least one parameter that varies", "none", "write for example `--vary ways=1,2,4,8`"));
        }
        for (i, axis) in axes.iter().enumerate() {
            if axes[..i].iter().any(|before| before.key == axis.key) {
                errors.push(wrong("each key once", &axis.key, "put all its values into one list"));
            }
            errors.extend(check_axis(&base, &axes, axis, contents));
        }
        let points = axes.iter().try_fold(1usize, |n, axis| n.checked_mul(axis.values.len()));
        let points = points.filter(|&n| n <= MOST_POINTS).unwrap_or_else(|| {
            errors.push(wrong("at most 100000 points", "more", "give fewer values, or split the sweep"));
            0
        });
        if errors.is_empty() {
            Ok(Self { base, axes, points })
        } else {
            Err(errors)
        }
    }

    /// What varies.
    pub fn axes(&self) -> &[SweepAxis] {
        &self.axes
    }

    /// The scenario around which the axes vary.
    pub fn base(&self) -> &Scenario {
        &self.base
    }

    /// The number of points.
    pub fn points(&self) -> usize {
        self.points
    }

    /// The values of a point, one per axis. The last axis varies fastest.
    pub fn values(&self, mut point: usize) -> Vec<&str> {
        let mut values: Vec<&str> = self
            .axes
            .iter()
            .rev()
            .map(|axis| {
                let value = &axis.values[point % axis.values.len()];
                point /= axis.values.len();
                value.as_str()
            })
            .collect();
        values.reverse();
        values
    }

    /// The scenario of a point. Factors are numbers in it.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if a factor meets a parameter that is no number, or if there is no such GPU.
    pub fn scenario(&self, point: usize, contents: &Contents) -> Result<Scenario, Vec<Diagnostic>> {
        let mut scenario = self.base.clone();
        scenario.fingerprint = None;
        let values = self.values(point);
        let pairs = || self.axes.iter().map(|axis| axis.key.as_str()).zip(values.iter().copied());
        // The GPU and the model decide what the other keys mean.
        for (key, value) in pairs().filter(|(key, _)| SCENARIO_KEYS.contains(key) && *key != WITHOUT) {
            apply_scenario_key(&mut scenario, key, value).map_err(|error| vec![error])?;
        }
        let topology = gpu_topology(&scenario.gpu, contents.topology.as_ref())?;
        for (key, value) in pairs().filter(|(key, _)| !SCENARIO_KEYS.contains(key)) {
            let value = match factor(value) {
                Some(times) => scaled(&scenario, &topology, key, times).map_err(|error| vec![error])?,
                None => value.to_string(),
            };
            scenario.set.insert(key.to_string(), value);
        }
        if let Some((_, mechanism)) = pairs().find(|(key, _)| *key == WITHOUT) {
            switch_off(&mut scenario, &topology, mechanism).map_err(|error| vec![error])?;
        }
        Ok(scenario)
    }

    /// The run of a point.
    ///
    /// # Errors
    ///
    /// Returns diagnostics if the values of the point do not go together, such as a size that is no whole number of sets.
    pub fn run(&self, point: usize, contents: &Contents) -> Result<ScenarioRun, Vec<Diagnostic>> {
        ScenarioRun::new(&self.scenario(point, contents)?, contents)
    }
}

fn check_axis(base: &Scenario, axes: &[SweepAxis], axis: &SweepAxis, contents: &Contents) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    let mut scenario = base.clone();
    let fixed = SCENARIO_KEYS.contains(&axis.key.as_str()) && axis.key != WITHOUT;
    for value in axis.values.iter().filter(|_| fixed) {
        errors.extend(apply_scenario_key(&mut scenario, &axis.key, value).err());
        if axis.key == "gpu" {
            errors.extend(gpu_topology(value, contents.topology.as_ref()).err().unwrap_or_default());
        }
    }
    let models: Vec<CacheModel> = match axes.iter().find(|axis| axis.key == "model") {
        Some(axis) => axis.values.iter().filter_map(|name| CacheModel::named(name)).collect(),
        None => vec![base.model],
    };
    if axis.key == "seed" && models.contains(&CacheModel::Gpu) {
        let help = "choose --model paper, whose latencies are random";
        errors.push(wrong("a model of one L1 for `seed`", "the model gpu, which draws nothing by chance", help));
    }
    if axis.key == WITHOUT {
        if models.contains(&CacheModel::Gpu) {
            let help = "choose --model paper, which has switches for them";
            errors.push(wrong("a model of one L1 for `without`", "the model gpu", help));
        }
        let unknown = axis.values.iter().filter(|value| !MECHANISMS.contains(&value.as_str()));
        errors.extend(unknown.map(|value| unknown_mechanism(value)));
    } else if !fixed {
        errors.extend(models.into_iter().filter_map(|model| unknown_parameter(base, model, &axis.key, contents)));
    }
    errors
}

/// A diagnostic if a model has no parameter of this key that can be set.
fn unknown_parameter(base: &Scenario, model: CacheModel, key: &str, contents: &Contents) -> Option<Diagnostic> {
    // A GPU that does not exist has a diagnostic of its own.
    let topology = gpu_topology(&base.gpu, contents.topology.as_ref()).ok()?;
    let mut known: Vec<&str> =
        parameters(&topology, model).into_iter().filter(|p| p.kind != "fact").map(|p| p.key).collect();
    if model == CacheModel::Gpu {
        known.push(SMS);
    }
    if known.contains(&key) {
        return None;
    }
    let help = format!("use one of {}, {}", SCENARIO_KEYS.join(", "), known.join(", "));
    Some(wrong(&format!("a parameter of the model {model}"), key, &help))
}

fn apply_scenario_key(scenario: &mut Scenario, key: &str, value: &str) -> Result<(), Diagnostic> {
    let names = |all: &[String]| format!("use one of {}", all.join(", "));
    match key {
        "gpu" => scenario.gpu = value.into(),
        "model" => {
            let help = names(&CacheModel::ALL.map(|model| model.to_string()));
            scenario.model = CacheModel::named(value).ok_or_else(|| wrong("a model", value, &help))?;
        }
        "state" => {
            let help = names(&LaunchState::ALL.map(|state| state.to_string()));
            scenario.state = LaunchState::named(value).ok_or_else(|| wrong("a state of the caches", value, &help))?;
        }
        _ => {
            let help = "write for example `seed=1..8`";
            scenario.seed = value.parse().map_err(|_| wrong("seeds that are whole numbers", value, help))?;
        }
    }
    Ok(())
}

/// The value that a parameter has without the axis, times a factor.
fn scaled(
    scenario: &Scenario,
    topology: &Topology,
    key: &str,
    (over, under): (f64, f64),
) -> Result<String, Diagnostic> {
    let parameter = parameters(topology, scenario.model).into_iter().find(|p| p.key == key);
    let is_real = parameter.as_ref().is_some_and(|p| p.kind == "number");
    let value = scenario.set.get(key).cloned().or_else(|| parameter.map(|p| p.value)).unwrap_or_default();
    if value == "unlimited" {
        return Ok(value);
    }
    let help = "give its values as a list";
    let number: f64 = value.parse().map_err(|_| wrong("a number to multiply", &format!("{key}={value}"), help))?;
    let product = number * over / under;
    // Of a parameter that is a whole number, the nearest one stands in the table.
    Ok(if is_real { product.to_string() } else { product.round().to_string() })
}

/// Switches a mechanism off by parameters that the model has.
fn switch_off(scenario: &mut Scenario, topology: &Topology, mechanism: &str) -> Result<(), Diagnostic> {
    let mut set = |key: &str, value: &str| drop(scenario.set.insert(key.into(), value.into()));
    match mechanism {
        "nothing" => {}
        "latency" => ["latency", "sigma", "hit_latency"].into_iter().for_each(|key| set(key, "0")),
        "mshrs" => set("mshrs", "unlimited"),
        "associativity" => {
            let number = |key: &str| -> Result<u64, Diagnostic> {
                let stated = parameters(topology, scenario.model).into_iter().find(|p| p.key == key).map(|p| p.value);
                let value = scenario.set.get(key).cloned().or(stated).unwrap_or_default();
                value.parse().map_err(|_| wrong("a number", &format!("{key}={value}"), "change the value"))
            };
            let ways = number("cache_bytes")? / number("line_bytes")?.max(1);
            scenario.set.insert("ways".into(), ways.to_string());
            scenario.set.insert("set_index".into(), "modulo".into());
        }
        _ => return Err(unknown_mechanism(mechanism)),
    }
    Ok(())
}

fn unknown_mechanism(found: &str) -> Diagnostic {
    wrong("a mechanism", found, &format!("use one of {}", MECHANISMS.join(", ")))
}

fn wrong(expected: &str, found: &str, help: &str) -> Diagnostic {
    Diagnostic::error("sweep", expected, format!("`{found}`"), help)
}

#[cfg(test)]
mod tests {
    use super::scaled;
    use crate::scenario::{CacheModel, Scenario};

    #[test]
    fn half_of_a_number_is_half_and_that_of_a_whole_number_is_rounded() {
        let topology = gpu::preset("rtx3060").expect("a preset");
        let set = [("l1_line_cycles", "1"), ("l1_mshrs", "5")].map(|(key, value)| (key.into(), value.into()));
        let scenario = Scenario { model: CacheModel::Gpu, set: set.into(), ..Scenario::default() };
        let half = |key| scaled(&scenario, &topology, key, (1.0, 2.0)).expect("a number");
        assert_eq!([half("l1_line_cycles"), half("l1_mshrs")], ["0.5", "3"]);
    }
}
