//! Reads files and runs a scenario as the command line does.

use base::Job;
use lab::{CacheModel, CacheReport, CacheRun, Contents, Intake, Scenario};
use share::add_fingerprint;
use std::path::PathBuf;

/// Names of the two cache configurations of the paper.
pub const CONFIGS: [&str; 2] = ["16", "48"];

/// Reads files as the command line does.
pub fn contents_of(paths: &[PathBuf]) -> Contents {
    let mut intake = Intake::default();
    for path in paths {
        intake.begin(&path.display().to_string());
        std::fs::read(path).expect("a sample file").chunks(1 << 16).for_each(|chunk| intake.push(chunk));
    }
    intake.finish()
}

/// Runs a scenario to its end.
pub fn run(contents: &Contents, gpu: &str, model: CacheModel, seed: u64, set: &[(&str, &str)]) -> CacheReport {
    let set = set.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    let scenario = Scenario { gpu: gpu.into(), model, seed, set, ..Scenario::default() };
    let run = CacheRun::new(&scenario, contents).expect("a scenario that can run");
    add_fingerprint(run.finish().expect("a run without overflow"))
}
