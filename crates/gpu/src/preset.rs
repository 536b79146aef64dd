//! GPUs that are built in, as files of our own format (`presets/*.json`), so that they double as examples of it.
//!
//! In: an identifier. Out: a [`Topology`]. Values that nobody measured are marked as assumed in the files; a test holds
//! every file to the validator and to the published schema.

use crate::json::pretty_bytes;
use crate::Topology;
use serde::Deserialize;

/// Identifier and file of every preset, oldest architecture first.
const FILES: [(&str, &str); 32] = [
    ("gtx470-16k", include_str!("presets/gtx470-16k.json")),
    ("gtx470-48k", include_str!("presets/gtx470-48k.json")),
    ("k20c", include_str!("presets/k20c.json")),
    ("k80", include_str!("presets/k80.json")),
    ("840m", include_str!("presets/840m.json")),
    ("titan-x-pascal", include_str!("presets/titan-x-pascal.json")),
    ("gtx1080", include_str!("presets/gtx1080.json")),
    ("p6000", include_str!("presets/p6000.json")),
    ("p100", include_str!("presets/p100.json")),
    ("v100", include_str!("presets/v100.json")),
    ("gv100", include_str!("presets/gv100.json")),
    ("rtx2060", include_str!("presets/rtx2060.json")),
    ("rtx2080ti", include_str!("presets/rtx2080ti.json")),
    ("titan-rtx", include_str!("presets/titan-rtx.json")),
    ("gtx1650", include_str!("presets/gtx1650.json")),
    ("t1000", include_str!("presets/t1000.json")),
    ("a100", include_str!("presets/a100.json")),
    ("rtx3060", include_str!("presets/rtx3060.json")),
    ("rtx3060-laptop", include_str!("presets/rtx3060-laptop.json")),
    ("rtx3060ti", include_str!("presets/rtx3060ti.json")),
    ("rtx3070ti", include_str!("presets/rtx3070ti.json")),
    ("rtx3080", include_str!("presets/rtx3080.json")),
    ("rtx3090", include_str!("presets/rtx3090.json")),
    ("a4000", include_str!("presets/a4000.json")),
    ("a6000", include_str!("presets/a6000.json")),
    ("l40", include_str!("presets/l40.json")),
    ("rtx4090", include_str!("presets/rtx4090.json")),
    ("h100", include_str!("presets/h100.json")),
    ("h200", include_str!("presets/h200.json")),
    ("mi100", include_str!("presets/mi100.json")),
    ("mi210", include_str!("presets/mi210.json")),
    ("mi300x", include_str!("presets/mi300x.json")),
];

/// Identifiers of the built-in GPUs, oldest architecture first.
pub fn presets() -> Vec<&'static str> {
    FILES.iter().map(|(id, _)| *id).collect()
}

/// The built-in GPU of this identifier.
pub fn preset(id: &str) -> Option<Topology> {
    let (_, file) = FILES.iter().find(|(known, _)| *known == id)?;
    serde_json::from_slice(file.as_bytes()).ok()
}

/// The name of a preset. The rest of the file is skipped, because each import asks all of them.
#[derive(Deserialize)]
struct Named {
    name: String,
}

/// Words that drivers write before or behind the model and people leave out.
const BRANDS: [&str; 7] = ["nvidia", "geforce", "quadro", "tesla", "amd", "instinct", "gpu"];

/// The letters and digits of a GPU's model.
fn model(name: &str) -> String {
    let lower = name.to_ascii_lowercase();
    lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !BRANDS.contains(word)).collect()
}

/// The identifier of the built-in GPU that drivers, tables or people call `name`: `NVIDIA GeForce RTX 3080` and `RTX 3080` are the
/// same one.
pub fn preset_id(name: &str) -> Option<&'static str> {
    let asked = model(name);
    let is_it = |id: &str, file: &str| {
        let known = || serde_json::from_slice::<Named>(file.as_bytes()).is_ok_and(|known| model(&known.name) == asked);
        model(id) == asked || known()
    };
    FILES.iter().find(|(id, file)| is_it(id, file)).map(|(id, _)| *id)
}

/// The built-in GPU that a driver calls `device`.
pub fn preset_of_device(device: &str) -> Option<Topology> {
    preset(preset_id(device)?)
}

/// One line about a GPU: size, lines and shape of its L1, and its cores.
pub fn summary(topology: &Topology) -> String {
    let l1 = &topology.l1;
    let mut parts = Vec::new();
    match &l1.bytes {
        Some(bytes) => parts.push(format!("L1 {}", pretty_bytes(bytes.value))),
        None => parts.push("L1 of unknown size".into()),
    }
    if let Some(line) = &l1.line_bytes {
        parts.push(format!("{} B lines", line.value));
    }
    if let (Some(bytes), Some(line), Some(ways)) = (&l1.bytes, &l1.line_bytes, &l1.ways) {
        let sets = bytes.value.checked_div(line.value.saturating_mul(ways.value)).unwrap_or(0);
        let [s, w] = [sets, ways.value].map(|n| base::plural(n, "s"));
        parts.push(format!("{sets} set{s} of {} way{w}", ways.value));
    }
    let cores = topology.cores.value;
    parts.push(format!("{cores} core{s}", s = base::plural(cores, "s")));
    parts.join(", ")
}
