//! Writes the cache model's report of each kernel of the library and of each given trace, for two caches and both
//! models. A report is a line `{"name", "gpu", "model", "report"}`. `tests/wasm/fingerprints.test.mjs` compares the
//! reports with those of the wasm build.

use base::Job;
use lab::{example_list, CacheModel, CacheRun, Contents, Intake, Scenario};
use share::add_fingerprint;
use std::io::Write;
use std::path::Path;

fn read(path: &str) -> std::io::Result<(String, Contents)> {
    let name = Path::new(path).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut intake = Intake::default();
    intake.begin(path);
    intake.push(&std::fs::read(path)?);
    Ok((name, intake.finish()))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut all: Vec<(String, Contents)> = Vec::new();
    for example in example_list() {
        all.push((example.id.into(), Contents::of_example(example.id).map_err(|told| format!("{told:?}"))?));
    }
    for path in std::env::args().skip(1) {
        all.push(read(&path)?);
    }
    let mut out = std::io::stdout().lock();
    for (name, contents) in &all {
        for gpu in ["gtx470-16k", "gtx470-48k"] {
            for model in [CacheModel::Paper, CacheModel::Reference] {
                let scenario = Scenario { gpu: gpu.into(), model, ..Scenario::default() };
                let run = CacheRun::new(&scenario, contents).map_err(|told| format!("{name}: {told:?}"))?;
                let report = add_fingerprint(run.finish().map_err(|told| format!("{name}: {told:?}"))?);
                let line = serde_json::json!({"name": name, "gpu": gpu, "model": model, "report": report});
                writeln!(out, "{line}")?;
            }
        }
    }
    Ok(())
}
