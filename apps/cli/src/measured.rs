//! `warpscope cache --measured`: a profiler's counters beside the model's.

use super::files::{print_diagnostics, read_file};
use super::CacheArguments;
use base::{Diagnostic, Severity};
use lab::{read_profile, CacheModel, Contents, Scenario};

/// Reads the profile, if `--measured` names one. It replaces a profile among the files.
pub fn take_profile(arguments: &CacheArguments, contents: &mut Contents) -> Result<(), Vec<Diagnostic>> {
    let Some(path) = &arguments.measured else { return Ok(()) };
    let (profile, diagnostics) = read_profile(&path.display().to_string(), &read_file(path)?);
    if diagnostics.iter().any(|d| d.severity == Severity::Error) {
        return Err(diagnostics);
    }
    print_diagnostics(&diagnostics);
    contents.set_profile(profile);
    Ok(())
}

/// Sets the state that the profiler measures from, unless a person chose one.
pub fn apply_state(
    arguments: &CacheArguments,
    contents: &Contents,
    scenario: &mut Scenario,
) -> Result<(), Vec<Diagnostic>> {
    let Some(profile) = &contents.profile else { return Ok(()) };
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
