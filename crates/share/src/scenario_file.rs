//! A scenario as a file, for one that no link holds. Its CUDA texts are readable in it.
//!
//! `{"warpscope":"scenario","scenario":{"version":1,…}}`, with the fields of [`Scenario`]. The page writes it as well (`sharing.ts`).

use crate::link::{long_link, parse_any, LinkError};
use lab::Scenario;
use serde::{Deserialize, Serialize};

/// The greatest size of such a file, in bytes. CUDA texts have at most a mebibyte each.
const MAX_BYTES: usize = 4 << 20;

/// What stands at the beginning of such a file.
const MARK: &str = "scenario";

/// Why a file is no scenario.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScenarioFileError {
    /// The file is larger than any that the page writes. The field is its length.
    #[error("the file has {0} bytes; a scenario has at most {MAX_BYTES}")]
    TooLarge(usize),
    /// The file is not JSON of this shape.
    #[error("the file is no scenario of this page: {0}")]
    Shape(#[from] serde_json::Error),
    /// A later page wrote the file.
    #[error("the scenario has version {0}; this program reads version 1")]
    Version(u32),
    /// A baseline is compared with one run, and has no baseline itself.
    #[error("the baseline in the file has a baseline of its own; expected none")]
    Nested,
    /// The scenario says what no link could say.
    #[error("in the file, {0}")]
    Link(#[from] LinkError),
}

#[derive(Serialize, Deserialize)]
struct ScenarioFile {
    warpscope: String,
    scenario: Scenario,
}

/// Writes a scenario as a file.
pub fn write_scenario(scenario: &Scenario) -> String {
    let file = ScenarioFile { warpscope: MARK.into(), scenario: scenario.clone() };
    // Strings, numbers and maps with strings as keys: nothing of it can fail.
    serde_json::to_string_pretty(&file).unwrap_or_default() + "\n"
}

/// Whether a file says that it is a scenario. Its beginning is enough.
pub fn is_scenario(beginning: &[u8]) -> bool {
    let mut rest = beginning.iter().filter(|byte| !byte.is_ascii_whitespace());
    "{\"warpscope\":\"scenario\"".bytes().all(|byte| rest.next() == Some(&byte))
}

/// Reads such a file.
///
/// # Errors
///
/// Returns a [`ScenarioFileError`] that says what is wrong with it.
pub fn read_scenario(bytes: &[u8]) -> Result<Scenario, ScenarioFileError> {
    if bytes.len() > MAX_BYTES {
        return Err(ScenarioFileError::TooLarge(bytes.len()));
    }
    let ScenarioFile { scenario, .. } = serde_json::from_slice(bytes)?;
    let base = scenario.base.as_deref();
    if base.is_some_and(|base| base.base.is_some()) {
        return Err(ScenarioFileError::Nested);
    }
    if let Some(other) = [Some(&scenario), base].into_iter().flatten().find(|one| one.version != 1) {
        return Err(ScenarioFileError::Version(other.version));
    }
    // What a link refuses is refused here as well.
    Ok(parse_any(&long_link(&scenario))?)
}
