//! Import of mt4g's `GPU_Memory_Topology.csv` as its version 0.1 wrote it.
//!
//! In: text with one section per line, `SECTION; key; value; "unit"; key; …`. Out: the same facts in the groups of mt4g's
//! later JSON, which [`crate::mt4g`] reads: what is missing is assumed and said there. A size that no core's L1 has (one
//! published sample says MiB where KiB was meant) is read in KiB with a warning. A size marked `>=` is a lower bound. Its line
//! size is the distance between misses, and so the fetch granularity.
//!
//! Not imported: bandwidths, and whether the constant cache is the L1. A published sample says so of caches of 2 and 25 KiB.

use base::{Diagnostics, Severity};
use serde_json::{json, Map, Value};

type Object = Map<String, Value>;

/// Far above any L1, texture or constant cache of a core.
const MOST_PER_CORE: f64 = 4_194_304.0;

/// Sections with a memory of their own: its name here, its path in the JSON, and whether every core has one.
const MEMORIES: [(&str, &[&str], bool); 8] = [
    ("L1_DATA_CACHE", &["l1"], true),
    ("L2_DATA_CACHE", &["l2"], false),
    ("TEXTURE_CACHE", &["texture"], true),
    ("READ-ONLY_CACHE", &["readOnly"], true),
    ("CONSTANT_L1_CACHE", &["constant", "l1"], true),
    ("CONST_L1_5_CACHE", &["constant", "l1.5"], true),
    ("MAIN_MEMORY", &["main"], false),
    ("SHARED_MEMORY", &["shared"], true),
];

/// The memories that may live in the cache of another section: their names in its line and in the JSON.
const SHARED: [(&str, &str); 3] = [
    ("Share_Cache_With_L1_Data", "L1"),
    ("Share_Cache_With_Texture", "Texture"),
    ("Share_Cache_With_Read-Only", "Read Only"),
];

/// Whether the text is such a file: a line starts with one of its sections.
pub(super) fn looks_like(text: &str) -> bool {
    text.lines().take(20).any(|line| {
        let section = line.split(';').next().unwrap_or_default().trim();
        line.contains(';') && (section == "GPU_INFORMATION" || MEMORIES.iter().any(|(name, ..)| *name == section))
    })
}

/// The facts as mt4g's JSON would have them.
pub(super) fn object(text: &str, out: &mut Diagnostics) -> Object {
    let (mut general, mut compute, mut memory) = (Object::new(), Object::new(), Object::new());
    let mut bus = Object::new();
    for (number, line) in (1..).zip(text.lines()) {
        let mut fields = line.split(';').map(|field| field.trim().trim_matches('"').trim());
        let section = fields.next().unwrap_or_default();
        let line = Section { fields: fields.collect(), number };
        match section {
            "" => {}
            "GPU_INFORMATION" => {
                line.copy("GPU_name", &mut general, "name");
                line.copy("GPU_vendor", &mut general, "vendor");
            }
            "COMPUTE_RESOURCE_INFORMATION" => {
                let keys = ["Number_of_SM", "Number_of_streaming_multiprocessors"];
                let cores = keys.iter().find_map(|key| line.number(key));
                compute.extend(cores.map(|cores| ("multiProcessorCount".to_string(), json!(cores))));
                let lanes = line.number("Number_of_cores_per_SM");
                compute.extend(lanes.map(|lanes| ("numberOfCoresPerMultiProcessor".to_string(), json!(lanes))));
                general.extend(line.capability().map(|both| ("computeCapability".to_string(), both)));
            }
            "REGISTER_INFORMATION" => {
                let registers = line.number("Registers_per_SM");
                compute.extend(registers.map(|n| ("regsPerMultiProcessor".to_string(), json!(n))));
            }
            "ADDITIONAL_INFORMATION" => {
                let clock = line.measured("GPU_Clock_Rate");
                general.extend(
                    clock.map(|(value, unit)| ("clockRate".to_string(), json!({"value": value, "unit": unit}))),
                );
                for (key, name) in
                    [("Memory_Clock_Frequency", "memoryClockRate"), ("Memory_Bus_Width", "memoryBusWidth")]
                {
                    let measured = line.measured(key);
                    bus.extend(measured.map(|(value, unit)| (name.to_string(), json!({"value": value, "unit": unit}))));
                }
            }
            _ => match MEMORIES.iter().find(|(name, ..)| *name == section) {
                Some((_, path, per_core)) => place(&mut memory, path, line.memory(section, *per_core, out)),
                None => {
                    let found = base::excerpt(section.as_bytes());
                    out.add(Severity::Note, Some(number), "a section of mt4g 0.1", found, "the line is left out");
                }
            },
        }
    }
    if let Some(main) = memory.get_mut("main").and_then(Value::as_object_mut) {
        main.extend(bus);
    }
    if vendor_is_nvidia(&general) {
        // Every NVIDIA GPU has these; the file does not say them, so they are no measurements and no warnings either.
        compute.insert("warpSize".into(), json!(32));
    }
    let groups = [("general", general), ("compute", compute), ("memory", memory)];
    groups.into_iter().map(|(name, group)| (name.to_string(), Value::Object(group))).collect()
}

fn vendor_is_nvidia(general: &Object) -> bool {
    general.get("vendor").and_then(Value::as_str).is_some_and(|vendor| vendor.eq_ignore_ascii_case("nvidia"))
}

fn place(memory: &mut Object, path: &[&str], group: Value) {
    match path {
        [only] => drop(memory.insert((*only).into(), group)),
        [first, rest @ ..] => {
            let inner = memory.entry(*first).or_insert_with(|| Value::Object(Object::new()));
            if let Some(inner) = inner.as_object_mut() {
                place(inner, rest, group);
            }
        }
        [] => {}
    }
}

/// The fields of one line after its section's name.
struct Section<'a> {
    fields: Vec<&'a str>,
    number: u64,
}

impl<'a> Section<'a> {
    /// What follows every field `key`.
    fn after(&self, key: &'a str) -> impl Iterator<Item = &[&'a str]> + '_ {
        let places = self.fields.iter().enumerate().filter(move |(_, field)| **field == key);
        places.map(|(at, _)| &self.fields[at + 1..])
    }

    fn copy(&self, key: &'a str, group: &mut Object, name: &str) {
        if let Some(text) = self.after(key).next().and_then(|rest| rest.first()) {
            group.insert(name.into(), json!(text));
        }
    }

    fn number(&self, key: &'a str) -> Option<u64> {
        self.after(key).next()?.first()?.parse().ok()
    }

    /// The compute capability, which is written as `7.5` or `7.00`.
    fn capability(&self) -> Option<Value> {
        let (major, minor) = self.after("CUDA_compute_capability").next()?.first()?.split_once('.')?;
        let minor = minor.get(..1)?;
        Some(json!({"major": major.parse::<u64>().ok()?, "minor": minor.parse::<u64>().ok()?}))
    }

    fn measured(&self, key: &'a str) -> Option<(f64, &'a str)> {
        let rest = self.after(key).next()?;
        Some((rest.first()?.parse().ok()?, rest.get(1)?))
    }

    fn memory(&self, section: &str, per_core: bool, out: &mut Diagnostics) -> Value {
        let mut group = Object::new();
        if let Some((size, mut unit)) = self.measured("Size") {
            let bytes = size * if unit == "MiB" { 1_048_576.0 } else { 0.0 };
            if per_core && bytes > MOST_PER_CORE {
                let found = format!("{size} MiB");
                let help = "KiB must be meant and is taken; correct the unit if not";
                out.add(
                    Severity::Warning,
                    Some(self.number),
                    format!("`{section}`: a size that a core can have"),
                    found,
                    help,
                );
                unit = "KiB";
            }
            if self.after("Size").next().and_then(|rest| rest.get(2)) == Some(&">=") {
                let found = format!("at least {size} {unit}");
                let help = "the lower bound is taken as the size";
                out.add(Severity::Note, Some(self.number), format!("`{section}`: a size"), found, help);
            }
            let (name, value) = match section {
                "MAIN_MEMORY" => ("totalGlobalMem", json!({"value": size, "unit": unit})),
                "SHARED_MEMORY" => ("sharedMemPerMultiProcessor", json!({"value": size, "unit": unit})),
                _ => ("size", json!({"size": size, "unit": unit, "confidence": 1, "method": "mt4g 0.1"})),
            };
            group.insert(name.into(), value);
        }
        // It is the distance between misses (thesis 4.3), which is what a miss fetches.
        if let Some((fetch, unit)) = self.measured("Cache_Line_Size") {
            let fetch = json!({"size": fetch, "unit": unit, "confidence": 1, "method": "mt4g 0.1"});
            group.insert("fetchGranularity".into(), fetch);
        }
        // Given twice, in cycles and in nanoseconds.
        let latencies =
            self.after("Load_Latency").filter_map(|rest| Some((rest.first()?.parse::<f64>().ok()?, *rest.get(1)?)));
        let latency = latencies.min_by_key(|(_, unit)| *unit != "cycles");
        group.extend(latency.map(|(mean, unit)| ("latency".to_string(), json!({"mean": mean, "unit": unit}))));
        let instances = ["Caches_Per_SM", "Caches_Per_GPU"].iter().find_map(|key| self.number(key));
        group.extend(instances.map(|n| ("amount".to_string(), json!(n))));
        let says = |key| !section.starts_with("CONST") && self.number(key).is_some_and(|share| share != 0);
        let shared = SHARED.iter().filter(|(key, _)| says(key));
        let names: Vec<&str> = shared.map(|(_, name)| *name).collect();
        if !names.is_empty() {
            group.insert("sharedWith".into(), json!(names));
        }
        Value::Object(group)
    }
}
