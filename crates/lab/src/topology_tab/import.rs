//! Topologies and measurements from dropped files: topologies of every known format, mt4g's raw timing files, outputs of
//! gpu-benches, and archives of them.
//!
//! In: the bytes of files, in pieces.
//! Out: a [`TopologyReport`]: the topology, and each value that the files yield by the thesis' rule, mt4g's and ours. The
//! values that mt4g's JSON reports stand beside them with the rule `reported`.

use crate::topology_tab::agreement::{of_curves, of_files, AgreementRow, LEVELS};
use crate::topology_tab::curve::{Reduction, SizeCurve};
use base::{Diagnostic, Severity};
use gpu::{preset_of_device, read_topology, recognise, Topology};
use probe::benches::{looks_like_bench, read_bench, BenchCurve, BenchKind};
use probe::raw::{ProbedMemory, RawFile, RawKind, RawReader};
use probe::recompute::{recompute, Measurement, Rule};
use serde::Serialize;
use serde_json::{json, Value};
use std::collections::BTreeMap;
use trace::{FileReader, Format};

/// The topology and the measurements in the files.
#[derive(Clone, Debug, Serialize)]
pub struct TopologyReport {
    /// The GPU, from a JSON among the files or else from the measurements. It is null if neither suffices.
    pub topology: Option<Topology>,
    /// One entry per value and rule.
    pub measurements: Vec<MeasurementRow>,
    /// The sizes by the three rules beside each other, and why they differ.
    pub agreement: Vec<AgreementRow>,
    /// Messages about skipped files and assumed values.
    pub diagnostics: Vec<Diagnostic>,
    /// The raw files, from which the curves are made.
    #[serde(skip)]
    raw: Vec<RawFile>,
    /// The curves of gpu-benches.
    #[serde(skip)]
    benches: Vec<BenchCurve>,
}

impl TopologyReport {
    /// Makes the curves of the raw files that have at least one time per array size.
    pub fn curves(&self, reduction: Reduction, alpha: f64) -> Vec<SizeCurve> {
        let has_sizes = |file: &&RawFile| matches!(file.kind, RawKind::Size | RawKind::SegmentSize);
        let files = self.raw.iter().filter(has_sizes).map(|file| SizeCurve::of_file(file, reduction, alpha));
        let latencies = self.benches.iter().filter(|curve| curve.kind == BenchKind::Latency);
        files.chain(latencies.map(|curve| SizeCurve::of_bench(curve, reduction, alpha))).collect()
    }
}

/// One value by one rule.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[cfg_attr(feature = "types", ts(rename = "Measurement"))]
pub struct MeasurementRow {
    /// The name of the file that holds the value.
    pub file: String,
    /// `l1`, `texture`, `read_only`, `constant_l1`, `constant_l1_5`, `l2`, `l3`, `scalar_l1`, `shared` or `main`; of a
    /// curve of gpu-benches `level_1` to `level_8`, because it does not tell which memory answers.
    pub memory: &'static str,
    /// `size`, `line_size`, `fetch_granularity`, `segment_size`, `latency_mean`, `latency_p50`, `latency_p95` or
    /// `bandwidth`.
    pub kind: &'static str,
    /// `thesis` or `mt4g` for a value by that rule, `warpscope` for one by our rule, and `reported` for one in mt4g's
    /// JSON.
    #[cfg_attr(feature = "types", ts(type = "'thesis' | 'mt4g' | 'warpscope' | 'reported'"))]
    pub rule: &'static str,
    /// The value. It is null if the rule finds no change point.
    pub value: Option<f64>,
    /// `bytes`, `cycles` or `GB/s`.
    pub unit: &'static str,
    /// The 95 % interval, if the rule computes one.
    pub interval: Option<(f64, f64)>,
    /// The two-sample Kolmogorov–Smirnov D, if the rule computes it.
    pub ks_d: Option<f64>,
    /// The permutation p-value, if the rule computes it.
    pub p: Option<f64>,
    /// The values that single estimators found, by the name of the estimator.
    pub estimators: BTreeMap<&'static str, f64>,
}

impl From<Measurement> for MeasurementRow {
    fn from(m: Measurement) -> Self {
        let rule = match m.rule {
            Rule::Thesis => "thesis",
            Rule::Mt4g => "mt4g",
            Rule::Warpscope => "warpscope",
        };
        Self {
            file: m.file,
            memory: m.memory.name(),
            kind: m.kind,
            rule,
            value: m.value,
            unit: m.unit,
            interval: m.interval,
            ks_d: m.ks_d,
            p: m.p,
            estimators: base::map_of(m.estimators),
        }
    }
}

/// Reads dropped files, compressed or in archives.
#[derive(Default)]
pub struct TopologyIntake {
    open: Option<FileReader>,
    raw: Vec<RawFile>,
    benches: Vec<BenchCurve>,
    topologies: Vec<(String, Vec<u8>)>,
    diagnostics: Vec<Diagnostic>,
}

impl TopologyIntake {
    /// Starts the file `name` and ends the one before.
    pub fn begin(&mut self, name: &str) {
        self.end();
        // Raw timings resemble many formats, so the reader must not guess. With the format JSON it passes the
        // decompressed bytes on unchanged.
        self.open = Some(FileReader::with_format(name, Format::Json));
    }

    /// Takes the next bytes of the file.
    pub fn push(&mut self, bytes: &[u8]) {
        if let Some(reader) = &mut self.open {
            reader.push_bytes(bytes);
        }
    }

    fn end(&mut self) {
        let Some(reader) = self.open.take() else { return };
        for file in reader.finish().into_files() {
            self.diagnostics.extend(file.diagnostics);
            self.take(file.name, file.json, file.compression == Some("zip"));
        }
    }

    fn take(&mut self, name: String, bytes: Vec<u8>, archive: bool) {
        if let Some(mut reader) = RawReader::new(&name) {
            reader.push_bytes(&bytes);
            let (file, said) = reader.finish();
            self.diagnostics.extend(said);
            if !file.rows.is_empty() {
                self.raw.push(file);
            }
        } else if looks_like_bench(&bytes) {
            let (curve, said) = read_bench(&name, &bytes);
            self.diagnostics.extend(said);
            self.diagnostics.extend(curve.as_ref().and_then(too_many_levels));
            self.benches.extend(curve);
        } else if looks_like_topology(&name, &bytes) {
            self.topologies.push((name, bytes));
        } else if !archive {
            self.diagnostics.push(Diagnostic {
                severity: Severity::Note,
                file: name,
                line: None,
                expected:
                    "a topology (JSON, mt4g's CSV, gpgpusim.config), a raw file named `… - MEMORY KIND.txt`, or an \
                           output of gpu-benches"
                        .into(),
                found: "none of these".into(),
                help: "the file is not used".into(),
            });
        }
    }

    /// Ends the last file and recomputes all values.
    ///
    /// # Errors
    ///
    /// Returns the diagnostics of the files if none of them could be used.
    pub fn finish(mut self) -> Result<TopologyReport, Vec<Diagnostic>> {
        self.end();
        let device = self.raw.first().map(|file| file.device.clone()).unwrap_or_default();
        let mut read_ones: Vec<(&String, &Vec<u8>, Topology)> = Vec::new();
        for (name, bytes) in &self.topologies {
            let (read, said) = read_topology(name, bytes);
            self.diagnostics.extend(said);
            read_ones.extend(read.map(|read| (name, bytes, read)));
        }
        // With several GPUs, the one that the raw files belong to counts.
        let chosen = read_ones.iter().position(|(.., read)| read.name == device).unwrap_or(0);
        let mut reported: Option<(String, Value)> = None;
        let mut topology: Option<Topology> = None;
        for (i, (name, bytes, read)) in read_ones.into_iter().enumerate() {
            if i == chosen {
                reported = Some((name.clone(), serde_json::from_slice(bytes).unwrap_or(Value::Null)));
                topology = Some(read);
            } else {
                self.diagnostics.push(second_gpu(name, &read));
            }
        }
        if topology.is_none() && self.raw.is_empty() && self.benches.is_empty() {
            let none = "a topology, mt4g's raw timing files or outputs of gpu-benches";
            let help = "choose a topology file, the folder of raw files or a saved output";
            // What is wrong with a file says more.
            if self.diagnostics.iter().all(|d| d.severity != Severity::Error) {
                self.diagnostics.push(Diagnostic::error("files", none, "none of these", help));
            }
            return Err(self.diagnostics);
        }
        let total = |device: &str| l2_total(topology.as_ref(), device);
        let mut measurements = measurements(&self.raw, total);
        measurements.extend(self.benches.iter().flat_map(bench_values));
        if let Some((name, value)) = &reported {
            measurements.extend(reported_values(name, value));
        }
        let total = total(&device);
        let topology = topology.or_else(|| {
            let (built, said) = built(&self.raw, &measurements, total);
            self.diagnostics.extend(said);
            built
        });
        let agreement = of_files(&self.raw).into_iter().chain(of_curves(&self.benches)).collect();
        let Self { raw, benches, diagnostics, .. } = self;
        Ok(TopologyReport { topology, measurements, agreement, diagnostics, raw, benches })
    }
}

/// Recognises JSON by its first character, and the other formats by their words.
fn looks_like_topology(name: &str, bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let first = text.iter().find(|byte| !byte.is_ascii_whitespace());
    name.to_ascii_lowercase().ends_with(".json") || first == Some(&b'{') || recognise(bytes).is_some()
}

/// The message about a topology that stands beside the one that is used.
fn second_gpu(name: &str, read: &Topology) -> Diagnostic {
    Diagnostic {
        severity: Severity::Warning,
        file: name.into(),
        line: None,
        expected: "one GPU at a time".into(),
        found: format!("`{}`", read.name),
        help: "the file is not used".into(),
    }
}

/// Returns the size of the device's whole L2, from the topology if it is the device's or else from its preset. A file whose
/// name has no device belongs to the topology.
fn l2_total(topology: Option<&Topology>, device: &str) -> Option<u64> {
    let own = topology.filter(|topology| device.is_empty() || topology.name == device).cloned();
    let l2 = own.or_else(|| preset_of_device(device))?.l2?;
    Some(l2.bytes?.value.saturating_mul(l2.instances.map_or(1, |fact| fact.value)))
}

fn measurements(raw: &[RawFile], total: impl Fn(&str) -> Option<u64>) -> Vec<MeasurementRow> {
    let is_size = |file: &&RawFile| matches!(file.kind, RawKind::Size | RawKind::SegmentSize);
    let mut sizes: BTreeMap<(String, ProbedMemory), u64> = BTreeMap::new();
    let (first, rest): (Vec<&RawFile>, Vec<&RawFile>) = raw.iter().partition(is_size);
    let mut out = Vec::new();
    for file in first {
        let found = recompute(file, total(&file.device), None);
        if let Some(value) = found.iter().find(|m| m.rule == Rule::Warpscope).and_then(|m| m.value) {
            sizes.insert((file.device.clone(), file.memory), value as u64);
        }
        out.extend(found);
    }
    for file in rest {
        let size = sizes.get(&(file.device.clone(), file.memory)).copied();
        out.extend(recompute(file, total(&file.device), size));
    }
    out.into_iter().map(MeasurementRow::from).collect()
}

fn too_many_levels(curve: &BenchCurve) -> Option<Diagnostic> {
    let levels = curve.levels().len();
    (levels > LEVELS.len()).then(|| Diagnostic {
        severity: Severity::Warning,
        file: curve.name.clone(),
        line: None,
        expected: format!("at most {} levels in a curve", LEVELS.len()),
        found: format!("{levels} levels"),
        help: "the last ones are left out".into(),
    })
}

/// The values of a curve of gpu-benches: the latency or throughput of each level, and where it ends by each rule.
fn bench_values(curve: &BenchCurve) -> Vec<MeasurementRow> {
    let one = |memory, kind, rule, value: Option<f64>, unit| MeasurementRow {
        file: curve.name.clone(),
        memory,
        kind,
        rule,
        value,
        unit,
        interval: None,
        ks_d: None,
        p: None,
        estimators: BTreeMap::new(),
    };
    let kind = if curve.kind == BenchKind::Latency { "latency_p50" } else { "bandwidth" };
    let mut out = Vec::new();
    for (level, memory) in curve.levels().iter().zip(LEVELS) {
        if let Some(end) = &level.end {
            out.push(one(memory, "size", "thesis", Some(end.thesis as f64), "bytes"));
            out.push(one(memory, "size", "mt4g", Some(end.mt4g as f64), "bytes"));
            let interval = end.interval.map(|(low, high)| (low as f64, high as f64));
            let ours = one(memory, "size", "warpscope", end.ours.map(|size| size as f64), "bytes");
            out.push(MeasurementRow { interval, p: end.p, ..ours });
        }
        out.push(one(memory, kind, "warpscope", Some(level.value), curve.kind.unit()));
    }
    out
}

/// Lists the values that mt4g's JSON reports, with the rule `reported`. Other JSON gives none.
fn reported_values(file: &str, json: &Value) -> Vec<MeasurementRow> {
    let memory = &json["memory"];
    let groups = [
        ("l1", &memory["l1"]),
        ("texture", &memory["texture"]),
        ("read_only", &memory["readOnly"]),
        ("constant_l1", &memory["constant"]["l1"]),
        ("constant_l1_5", &memory["constant"]["l1.5"]),
        ("l2", &memory["l2"]),
        ("l3", &memory["l3"]),
        ("scalar_l1", &memory["scalarL1"]),
        ("shared", &memory["shared"]),
        ("main", &memory["main"]),
    ];
    let kinds = [
        ("size", "size"),
        ("line_size", "lineSize"),
        ("fetch_granularity", "fetchGranularity"),
        ("segment_size", "segmentSize"),
        ("latency_mean", "mean"),
        ("latency_p50", "p50"),
        ("latency_p95", "p95"),
    ];
    let mut out = Vec::new();
    for (memory, group) in groups {
        for (kind, key) in kinds {
            let latency = kind.starts_with("latency");
            let value = if latency { &group["latency"][key] } else { &group[key] };
            let number =
                if latency { value } else { value.get("size").or_else(|| value.get("value")).unwrap_or(value) };
            let unit = if latency { &group["latency"]["unit"] } else { &value["unit"] };
            // The importer says which values it skips.
            let factor = match unit.as_str() {
                None => 1.0,
                Some("cycles") if latency => 1.0,
                Some("bytes" | "byte" | "B") if !latency => 1.0,
                Some("KiB") if !latency => 1024.0,
                Some("MiB") if !latency => 1_048_576.0,
                Some("GiB") if !latency => 1_073_741_824.0,
                Some(_) => continue,
            };
            let Some(number) = number.as_f64().map(|n| n * factor).filter(|n| (0.0..1e16).contains(n)) else {
                continue;
            };
            // Confidence 0 is mt4g's mark for a search without a result.
            let found = value["confidence"].as_f64() != Some(0.0);
            out.push(MeasurementRow {
                file: file.into(),
                memory,
                kind,
                rule: "reported",
                value: found.then_some(number),
                unit: if latency { "cycles" } else { "bytes" },
                interval: None,
                ks_d: None,
                p: None,
                estimators: BTreeMap::new(),
            });
        }
    }
    out
}

/// Makes a topology of the first file's device from its measurements alone, with mt4g's importer. The importer lists its
/// assumptions, and names the first file for them. `None` without the size of the L1, which every topology needs.
fn built(raw: &[RawFile], rows: &[MeasurementRow], total: Option<u64>) -> (Option<Topology>, Vec<Diagnostic>) {
    let Some(file) = raw.first() else { return (None, Vec::new()) };
    let own: Vec<&str> = raw.iter().filter(|other| other.device == file.device).map(|own| own.name.as_str()).collect();
    let value = |memory: &str, kind: &str| {
        let is_it = |r: &&MeasurementRow, rule: &str| {
            r.memory == memory && r.kind == kind && r.rule == rule && own.contains(&r.file.as_str())
        };
        let of = |rule: &str| rows.iter().find(|r| is_it(r, rule))?.value;
        of("warpscope").or_else(|| of("mt4g"))
    };
    if value("l1", "size").is_none() {
        return (None, Vec::new());
    }
    let mut groups = serde_json::Map::new();
    let mut constant = serde_json::Map::new();
    let names = [
        ("l1", "l1"),
        ("texture", "texture"),
        ("read_only", "readOnly"),
        ("constant_l1", "l1"),
        ("constant_l1_5", "l1.5"),
        ("l2", "l2"),
        ("l3", "l3"),
        ("scalar_l1", "scalarL1"),
        ("shared", "shared"),
        ("main", "main"),
    ];
    for (memory, key) in names {
        let mut group = serde_json::Map::new();
        let fields = [("size", "size"), ("line_size", "lineSize"), ("fetch_granularity", "fetchGranularity")];
        let segment = value(memory, "segment_size");
        let measured = |bytes: f64| json!({"size": bytes, "unit": "bytes", "method": "p-chase"});
        for (kind, field) in fields {
            if let Some(bytes) = value(memory, kind) {
                group.insert(field.into(), measured(bytes));
            }
        }
        if let Some(segment) = segment {
            group.insert("size".into(), measured(total.map_or(segment, |total| total as f64)));
            group.insert("segmentSize".into(), measured(segment));
        }
        if let Some(p50) = value(memory, "latency_p50") {
            group.insert("latency".into(), json!({"p50": p50, "unit": "cycles"}));
        }
        if group.is_empty() {
            continue;
        }
        let place = if memory.starts_with("constant") { &mut constant } else { &mut groups };
        place.insert(key.into(), Value::Object(group));
    }
    if !constant.is_empty() {
        groups.insert("constant".into(), Value::Object(constant));
    }
    let device = &file.device;
    let amd = ["AMD", "Instinct", "Radeon"].iter().any(|word| device.contains(word));
    let vendor = if amd { "AMD" } else { "NVIDIA" };
    let name = if device.is_empty() { "measured GPU" } else { device };
    let whole = json!({"general": {"name": name, "vendor": vendor}, "compute": {}, "memory": groups});
    read_topology(&file.name, whole.to_string().as_bytes())
}
