//! Writes the reports of each kernel of the library and of each given trace. A report is a line
//! `{"name", "gpu", "model", "report"}`. `tests/wasm/fingerprints.test.mjs` compares the reports with those of the wasm
//! build.
//!
//! `reports FILE…` runs the models of one L1 on two caches. `reports gpu GPU… -- FILE…` runs the model `gpu` on each GPU.

use base::Job;
use lab::{example_list, CacheModel, Contents, Intake, Scenario, ScenarioRun};
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

/// What to run: GPUs, models, and files.
fn asked() -> (Vec<String>, Vec<CacheModel>, Vec<String>) {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|first| first == "gpu") {
        let end = arguments.iter().position(|argument| argument == "--").unwrap_or(arguments.len());
        let files = arguments.split_off((end + 1).min(arguments.len()));
        arguments.truncate(end);
        return (arguments.split_off(1), vec![CacheModel::Gpu], files);
    }
    let caches = ["gtx470-16k", "gtx470-48k"].map(String::from).to_vec();
    (caches, vec![CacheModel::Paper, CacheModel::Reference], arguments)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (gpus, models, files) = asked();
    let mut all: Vec<(String, Contents)> = Vec::new();
    for example in example_list() {
        all.push((example.id.into(), Contents::of_example(example.id).map_err(|told| format!("{told:?}"))?));
    }
    for path in files {
        all.push(read(&path)?);
    }
    let mut out = std::io::stdout().lock();
    for (name, contents) in &all {
        for gpu in &gpus {
            for &model in &models {
                let scenario = Scenario { gpu: gpu.clone(), model, ..Scenario::default() };
                let run = ScenarioRun::new(&scenario, contents).map_err(|told| format!("{name}: {told:?}"))?;
                let report = add_fingerprint(run.finish().map_err(|told| format!("{name}: {told:?}"))?);
                let line = serde_json::json!({"name": name, "gpu": gpu, "model": model, "report": report});
                writeln!(out, "{line}")?;
            }
        }
    }
    Ok(())
}
