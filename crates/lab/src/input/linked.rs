//! What the scenario of a link runs on.

use super::intake::{Contents, Intake};
use crate::{example_list, FileId, Scenario};
use base::Diagnostic;
use trace::Format;

/// Reads what a scenario names: its example, the text that it carries, or its files, whose bytes `file` gives. A scenario that names
/// neither files nor an example means the first example.
///
/// # Errors
///
/// Returns a diagnostic for an unknown example, and one for each file that `file` does not have.
pub fn linked_contents<'a>(
    scenario: &Scenario,
    file: &dyn Fn(&FileId) -> Option<&'a [u8]>,
) -> Result<Contents, Vec<Diagnostic>> {
    let mut intake = Intake::default();
    intake.set_cuda(scenario.cuda.options());
    let first = || example_list().first().map(|example| example.id.to_string());
    let example = scenario.example.clone().or_else(|| first().filter(|_| scenario.files.is_empty()));
    if let Some(id) = example {
        intake.example(&id)?;
    }
    let text = scenario.cuda.text.as_deref().filter(|_| scenario.files.len() == 1).map(str::as_bytes);
    let missing: Vec<Diagnostic> =
        scenario.files.iter().filter(|id| text.or_else(|| file(id)).is_none()).map(missing).collect();
    if !missing.is_empty() {
        return Err(missing);
    }
    for id in &scenario.files {
        match id.format.as_deref().and_then(Format::from_key) {
            Some(format) => intake.begin_as(&id.name, format),
            None => intake.begin(&id.name),
        }
        intake.push(text.or_else(|| file(id)).unwrap_or_default());
    }
    Ok(intake.finish())
}

fn missing(id: &FileId) -> Diagnostic {
    let expected = format!("a file of {} bytes with the SHA-256 {}", id.size, id.sha256);
    Diagnostic::error(&*id.name, expected, "no such file", "give the file with the link")
}
