//! `warpscope cache --measured`: a profiler's counters beside the model's.

use super::files::{print_diagnostics, read_file};
use super::CacheArguments;
use base::{Diagnostic, Severity};
use lab::{compare_profile, read_profile, CacheModel, Profile, ProfileComparison, Report, Scenario};
use serde::Serialize;

/// A report with what was measured, as JSON.
#[derive(Serialize)]
pub struct Beside<'a> {
    #[serde(flatten)]
    pub report: &'a Report,
    pub measured: ProfileComparison,
}

/// Reads the profile, if one is given.
pub fn profile(arguments: &CacheArguments) -> Result<Option<Profile>, Vec<Diagnostic>> {
    let Some(path) = &arguments.measured else { return Ok(None) };
    let (profile, diagnostics) = read_profile(&path.display().to_string(), &read_file(path)?);
    if diagnostics.iter().any(|d| d.severity == Severity::Error) {
        return Err(diagnostics);
    }
    print_diagnostics(&diagnostics);
    Ok(Some(profile))
}

/// Sets the state that the profiler measures from, unless a person chose one.
pub fn apply_state(
    arguments: &CacheArguments,
    profile: Option<&Profile>,
    scenario: &mut Scenario,
) -> Result<(), Vec<Diagnostic>> {
    let Some(profile) = profile else { return Ok(()) };
    if scenario.model != CacheModel::Gpu {
        let help = "add --model gpu, or name a GPU after Fermi with --gpu";
        let found = format!("the model {}", scenario.model);
        return Err(vec![Diagnostic::error("--measured", "the model gpu", found, help)]);
    }
    if arguments.state.is_none() {
        scenario.state = profile.state;
    }
    Ok(())
}

/// Compares the report with the profile.
pub fn compare(report: &Report, profile: Option<&Profile>) -> Option<ProfileComparison> {
    match report {
        Report::Gpu(report) => profile.map(|profile| compare_profile(report, profile)),
        Report::Cache(_) => None,
    }
}
