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

/// The model that a profile is compared with. It is `None` without a profile. Says so where the GPU's own model is another.
pub fn model_of_profile(contents: &Contents, usual: CacheModel) -> Option<CacheModel> {
    let profile = contents.profile.as_ref()?;
    if usual != CacheModel::Gpu {
        eprintln!("the model is gpu, not {usual}, because {}'s counters are compared with it", profile.tool);
    }
    Some(CacheModel::Gpu)
}

/// Sets the state that the profiler measures from, unless a person chose one.
pub fn apply_state(
    arguments: &CacheArguments,
    contents: &Contents,
    scenario: &mut Scenario,
) -> Result<(), Vec<Diagnostic>> {
    let Some(profile) = &contents.profile else { return Ok(()) };
    if scenario.model != CacheModel::Gpu {
        let expected = format!("the model gpu, because {}'s counters are compared with it", profile.tool);
        let found = format!("the model {}", scenario.model);
        let help = "leave --model out, or leave the profile out";
        return Err(vec![Diagnostic::error("--model", expected, found, help)]);
    }
    if arguments.state.is_none() {
        scenario.state = profile.state;
    }
    Ok(())
}
