//! The parameters of the cache model: their keys, units and defaults, and their validation into [`Params`].

use crate::cache_tab::gpu_settings::{check_l1_scenario, gpu_label, gpu_parameters};
use crate::scenario::{CacheModel, Scenario};
use base::Diagnostic;
use cache::{fitted, Params};
use exec::{CoreLimits, UNKNOWN_LIMIT};
use gpu::{Fact, SetIndex, Status, Stores, Topology};
use serde::Serialize;
use std::collections::BTreeMap;

/// A parameter as the page's form and `warpscope presets` show it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Parameter {
    /// The key for `--set` and links.
    pub key: &'static str,
    /// The name that people read.
    pub label: &'static str,
    /// The unit. It is empty for counts and choices.
    pub unit: &'static str,
    /// The value that the topology gives.
    pub value: String,
    /// `integer`, `number`, `boolean` or `choice`, or `fact` for a value that cannot be set.
    #[cfg_attr(feature = "types", ts(type = "'integer' | 'number' | 'boolean' | 'choice' | 'fact'"))]
    pub kind: &'static str,
    /// The values of a choice. It is empty for other kinds.
    pub choices: Vec<&'static str>,
    /// What a number may be, in words. It is empty for other kinds.
    pub range: String,
    /// A sentence that says what the parameter does.
    pub help: &'static str,
    /// `official`, `measured` or `assumed` for a value of the GPU, and `option` for a switch of the model.
    pub status: String,
    /// The document or measurement that the value is from.
    pub source: String,
}

/// The kind of value that a key takes, with the largest number if it takes numbers.
#[derive(Clone, Copy)]
enum Kind {
    Integer(u64, u64),
    /// An integer or `unlimited`.
    Limit,
    Number(f64),
    Boolean,
    Choice(&'static [&'static str]),
}

impl Kind {
    /// What a value must be.
    fn words(self) -> String {
        match self {
            Self::Integer(low, high) => format!("a whole number from {low} to {high}"),
            Self::Limit => "a whole number of at least 1, or `unlimited`".into(),
            Self::Number(high) => format!("a number from 0 to {high}"),
            Self::Boolean => "`true` or `false`".into(),
            Self::Choice(choices) => format!("one of {}", choices.join(", ")),
        }
    }
}

struct Key {
    key: &'static str,
    label: &'static str,
    unit: &'static str,
    kind: Kind,
    help: &'static str,
}

const fn key(key: &'static str, label: &'static str, unit: &'static str, kind: Kind, help: &'static str) -> Key {
    Key { key, label, unit, kind, help }
}

const MAX_BYTES: u64 = 1 << 32;
/// The parameter came after the first links, so a report has it only where it is set: the fingerprints of old links stay.
const WARP_LOADS: &str = "warp_loads";
const UNLIMITED: &str = "unlimited";
const SET_INDEX: &[&str] = &["topology", "modulo", "xor"];
pub(super) const STORES: &[&str] = &["none", "write_evict", "write_through_no_allocate", "write_allocate"];

#[rustfmt::skip]
static KEYS: [Key; 18] = [
    key("line_bytes", "Line size", "bytes", Kind::Integer(1, 1 << 20), "Bytes that a miss brings in."),
    key("cache_bytes", "L1 size", "bytes", Kind::Integer(1, MAX_BYTES), "Capacity of one core's L1 data cache."),
    key("ways", "Ways", "", Kind::Integer(1, MAX_BYTES), "Lines per set. Size / (line × ways) must be a whole number of sets."),
    key("set_index", "Set index", "", Kind::Choice(SET_INDEX), "How an address selects its set: as the topology says, line modulo sets, or the XOR of the two low fields."),
    key("mshrs", "MSHRs", "per core", Kind::Limit, "Miss-status holding registers: lines that can be on their way at once."),
    key("latency", "Miss latency, least", "ticks", Kind::Integer(0, Params::MAX_LATENCY), "A tick is one warp instruction, not a clock cycle."),
    key("sigma", "Miss latency, spread", "ticks", Kind::Number(65_536.0), "Standard deviation of the half-normal part of a miss's latency."),
    key("hit_latency", "Hit latency", "ticks", Kind::Integer(0, Params::MAX_LATENCY), "Ticks until a hit takes effect."),
    key("max_threads", "Threads per core", "threads", Kind::Integer(1, 1 << 20), "Threads resident on a core at a time."),
    key("max_blocks", "Blocks per core", "blocks", Kind::Integer(1, 1 << 20), "Blocks resident on a core at a time."),
    key("cores", "Cores", "", Kind::Integer(1, 4096), "Cores (SMs) that the blocks are dealt to."),
    key("core_limit", "Cores modelled", "", Kind::Limit, "Model only the first so many cores and leave the other cores' blocks out."),
    key("thread_limit", "Threads modelled", "threads", Kind::Limit, "Model only the first so many threads, in whole blocks."),
    key("blocking", "Loads hold their warp", "", Kind::Boolean, "On: the warp queue of the paper's section 4.5. Off: plain round robin (section 4.1), the setting of its tables 2 to 5."),
    key(WARP_LOADS, "Loads of a warp under way", "", Kind::Limit, "Figure 9 of the paper finds 6. It has an effect only where loads do not hold their warp."),
    key("clip", "Merged misses arrive together", "", Kind::Boolean, "On: clipping (end of the paper's section 4.2). Off: a miss on a line in flight draws a latency of its own, the setting of its tables 3 to 5."),
    key("stores", "Stores", "", Kind::Choice(STORES), "What stores do to this cache."),
    key("occupancy", "Shared memory and registers limit blocks", "", Kind::Boolean, "Uses the launch's shared memory and registers, where the trace and the topology tell them."),
];

/// Lists the parameters of a model with the values of a topology. Most of those of the model `gpu` are facts.
pub fn parameters(topology: &Topology, model: CacheModel) -> Vec<Parameter> {
    if model == CacheModel::Gpu {
        return gpu_parameters(topology);
    }
    let parameter = |key: &Key| {
        let (value, status, source) = default_of(key.key, topology);
        Parameter {
            key: key.key,
            label: key.label,
            unit: key.unit,
            value,
            kind: match key.kind {
                Kind::Integer(..) | Kind::Limit => "integer",
                Kind::Number(_) => "number",
                Kind::Boolean => "boolean",
                Kind::Choice(_) => "choice",
            },
            choices: if let Kind::Choice(choices) = key.kind { choices.to_vec() } else { Vec::new() },
            range: if matches!(key.kind, Kind::Boolean | Kind::Choice(_)) { String::new() } else { key.kind.words() },
            help: key.help,
            status,
            source,
        }
    };
    KEYS.iter().filter(|key| model == CacheModel::Paper || program_knows(key.key)).map(parameter).collect()
}

/// Returns the name that people read of a parameter of any model.
pub fn parameter_label(key: &str) -> Option<&'static str> {
    KEYS.iter().find(|known| known.key == key).map(|known| known.label).or_else(|| gpu_label(key))
}

/// Says whether the authors' program has a parameter. It has no cores, stores, limits or switches.
fn program_knows(key: &str) -> bool {
    const KNOWN: [&str; 10] = [
        "line_bytes",
        "cache_bytes",
        "ways",
        "set_index",
        "mshrs",
        "latency",
        "sigma",
        "hit_latency",
        "max_threads",
        "max_blocks",
    ];
    KNOWN.contains(&key)
}

/// Says whether a model ignores a parameter that another model of one L1 has. Such a value is in neither link nor report.
pub fn ignores_parameter(model: CacheModel, key: &str) -> bool {
    model == CacheModel::Reference && KEYS.iter().any(|known| known.key == key) && !program_knows(key)
}

/// Returns the value, the status and the source that a topology gives to a key.
fn default_of(key: &str, t: &Topology) -> (String, String, String) {
    let l1 = &t.l1;
    match key {
        "line_bytes" => optional(&l1.line_bytes, 128),
        "cache_bytes" => optional(&l1.bytes, 16 << 10),
        "ways" => optional(&l1.ways, 4),
        "mshrs" => optional(&l1.mshrs, 64),
        "latency" => known(&t.model_latency),
        "sigma" => known(&t.model_sigma),
        "max_threads" => known(&t.max_threads_per_core),
        "max_blocks" => known(&t.max_blocks_per_core),
        "cores" => known(&t.cores),
        "set_index" => match &l1.set_index {
            Some(fact) => ("topology".into(), status(fact.status), fact.source.clone()),
            None => ("modulo".into(), status(Status::Assumed), "the topology names no set index".into()),
        },
        "stores" => match &l1.stores {
            Some(fact) => (STORES[fact.value as usize].into(), status(fact.status), fact.source.clone()),
            None => {
                ("none".into(), status(Status::Assumed), "the topology does not say; only loads are modelled".into())
            }
        },
        "hit_latency" => ("0".into(), "option".into(), "HPCA'14 table 4 and its program".into()),
        "core_limit" | "thread_limit" => (UNLIMITED.into(), "option".into(), "all are modelled".into()),
        WARP_LOADS => (UNLIMITED.into(), "option".into(), "HPCA'14 5.2: the limit need not be one of MSHRs".into()),
        "blocking" | "clip" => ("true".into(), "option".into(), "HPCA'14 4.2 and 4.5".into()),
        _ => ("true".into(), "option".into(), "HPCA'14 3.1".into()),
    }
}

fn known<T: ToString>(fact: &Fact<T>) -> (String, String, String) {
    (fact.value.to_string(), status(fact.status), fact.source.clone())
}

fn optional(fact: &Option<Fact<u64>>, otherwise: u64) -> (String, String, String) {
    fact.as_ref().map_or_else(
        || (otherwise.to_string(), status(Status::Assumed), "the topology does not say; Fermi's value".into()),
        known,
    )
}

fn status(status: Status) -> String {
    match status {
        Status::Official => "official",
        Status::Measured => "measured",
        Status::Assumed => "assumed",
    }
    .into()
}

/// Validated parameters, and the text of every value.
pub(crate) struct Settings {
    pub params: Params,
    /// The greatest number of threads that are modelled.
    pub thread_limit: u64,
    /// The text of every value by key, for the report.
    pub values: BTreeMap<String, String>,
    /// Notes about the values, for the report.
    pub notes: Vec<String>,
}

/// Combines the parameters of a scenario with those of a topology and validates them.
///
/// # Errors
///
/// Returns a diagnostic for each unknown key, each malformed value, and each impossible cache.
pub(crate) fn resolve(scenario: &Scenario, topology: &Topology) -> Result<Settings, Vec<Diagnostic>> {
    let mut errors = check_l1_scenario(scenario).err().unwrap_or_default();
    let mut values = base::map_of(KEYS.iter().map(|key| (key.key.to_string(), default_of(key.key, topology).0)));
    for (name, value) in &scenario.set {
        match KEYS.iter().find(|key| key.key == name) {
            None => errors.push(unknown_key(name)),
            Some(key) => match check(key.kind, value) {
                Ok(_) if ignores_parameter(scenario.model, name) => {}
                Ok(value) => drop(values.insert(name.clone(), value)),
                Err(expected) => errors.push(bad_value(name, &expected, value)),
            },
        }
    }
    if scenario.model == CacheModel::Reference && u32::try_from(scenario.seed).is_err() {
        errors.push(bad_value("seed", "at most 4294967295 for the program's generator", &scenario.seed.to_string()));
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    values.retain(|key, value| key != WARP_LOADS || value != UNLIMITED);
    build(scenario, topology, values).map_err(|error| vec![error])
}

fn check(kind: Kind, value: &str) -> Result<String, String> {
    let value = value.trim();
    let integer = |low: u64, high: u64| match value.parse::<u64>() {
        Ok(n) if (low..=high).contains(&n) => Ok(n.to_string()),
        _ => Err(()),
    };
    let checked = match kind {
        Kind::Integer(low, high) => integer(low, high),
        Kind::Limit if value == UNLIMITED => Ok(value.into()),
        Kind::Limit => integer(1, u64::MAX - 1),
        Kind::Number(high) => match value.parse::<f64>() {
            Ok(x) if (0.0..=high).contains(&x) => Ok(x.to_string()),
            _ => Err(()),
        },
        Kind::Boolean => match value {
            "true" | "yes" | "1" => Ok("true".into()),
            "false" | "no" | "0" => Ok("false".into()),
            _ => Err(()),
        },
        Kind::Choice(choices) if choices.contains(&value) => Ok(value.into()),
        Kind::Choice(_) => Err(()),
    };
    checked.map_err(|()| kind.words())
}

fn build(scenario: &Scenario, t: &Topology, values: BTreeMap<String, String>) -> Result<Settings, Diagnostic> {
    // Each value was validated above, so a text that is no number is `unlimited`.
    let number = |key: &str| values.get(key).and_then(|value| value.parse::<u64>().ok()).unwrap_or(UNKNOWN_LIMIT);
    let yes = |key: &str| values[key] == "true";
    let (line, bytes, ways) = (number("line_bytes"), number("cache_bytes"), number("ways"));
    let set_bytes = line.saturating_mul(ways);
    let sets = bytes / set_bytes;
    if sets == 0 || bytes != sets * set_bytes || sets > 1 << 24 || bytes / line > 1 << 24 {
        return Err(bad_value(
            "cache_bytes",
            "a multiple of line_bytes × ways, with at most 16777216 lines",
            &format!("{bytes} bytes, lines of {line}, {ways} way{s}", s = base::plural(ways, "s")),
        ));
    }
    let mut notes: Vec<String> = scenario
        .set
        .keys()
        .filter(|key| ignores_parameter(scenario.model, key))
        .map(|key| format!("The parameter {key} has no effect: the authors' program does not have it."))
        .collect();
    let set_index = match values["set_index"].as_str() {
        "modulo" => SetIndex::Modulo,
        "xor" => SetIndex::XorFields,
        _ => t.l1.set_index.as_ref().map_or(SetIndex::Modulo, |fact| fact.value.clone()),
    };
    if let SetIndex::XorMasks(masks) = &set_index {
        if sets != 1 << masks.len() {
            notes.push(format!(
                "The topology's set index was measured with {} sets. How it would be with {sets} set{s} is assumed.",
                1u64 << masks.len(),
                s = base::plural(sets, "s")
            ));
        }
    }
    let set_index = fitted(set_index, line, sets);
    let limit = |fact: &Option<Fact<u64>>| match fact {
        Some(fact) if yes("occupancy") && scenario.model == CacheModel::Paper => fact.value,
        _ => UNKNOWN_LIMIT,
    };
    let params = Params {
        line_bytes: line,
        ways: ways as u32,
        sets: sets as u32,
        set_index,
        mshrs: number("mshrs"),
        latency: number("latency"),
        sigma: values["sigma"].parse().unwrap_or(0.0),
        hit_latency: number("hit_latency"),
        cores: number("cores") as u32,
        core_limit: u32::try_from(number("core_limit")).unwrap_or(u32::MAX),
        block_limit: u64::MAX,
        limits: CoreLimits {
            threads: number("max_threads"),
            blocks: number("max_blocks"),
            shared_bytes: limit(&t.shared_bytes_per_core),
            registers: limit(&t.registers_per_core),
            reserved_bytes: t.full_board().reserved_shared_bytes.map_or(0, |fact| fact.value),
        },
        blocking: yes("blocking"),
        warp_loads: number(WARP_LOADS),
        clip: yes("clip"),
        stores: store_policy(&values["stores"], scenario.model),
        seed: scenario.seed,
    };
    Ok(Settings { params, thread_limit: number("thread_limit"), values, notes })
}

fn store_policy(name: &str, model: CacheModel) -> Stores {
    match name {
        _ if model == CacheModel::Reference => Stores::None,
        "write_evict" => Stores::WriteEvict,
        "write_through_no_allocate" => Stores::WriteThroughNoAllocate,
        "write_allocate" => Stores::WriteAllocate,
        _ => Stores::None,
    }
}

fn parameter_error(expected: impl Into<String>, found: &str, help: impl Into<String>) -> Diagnostic {
    Diagnostic::error("parameters", expected, format!("`{found}`"), help)
}

fn unknown_key(name: &str) -> Diagnostic {
    let known = KEYS.iter().map(|key| key.key).collect::<Vec<_>>().join(", ");
    parameter_error("a known parameter", name, format!("use one of {known}"))
}

fn bad_value(name: &str, expected: &str, found: &str) -> Diagnostic {
    parameter_error(format!("{name}: {expected}"), found, "change the value")
}
