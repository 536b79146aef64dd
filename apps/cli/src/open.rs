//! `warpscope open`: runs the scenario of a link, or of a file that the page saved, and says whether its result is reproduced.

use super::cache::{fits_in_page, text};
use super::files::{print_diagnostics, read_file};
use super::{time_left, Format};
use base::{Diagnostic, Severity};
use lab::{linked_contents, FileHash, FileId, Report, Scenario, ScenarioRun};
use serde_json::{json, Value};
use share::{add_fingerprint, is_scenario, parse_link, read_scenario};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

#[derive(clap::Parser)]
pub struct OpenArguments {
    /// Link of the page, its part after `#`, or a scenario file that the page saved.
    scenario: String,
    /// The files that the link names. Their contents are compared with the link, so other names do no harm.
    files: Vec<PathBuf>,
    /// Format of stdout.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// A run of a link: what it gave, and whether that is what the link promised.
struct Outcome {
    scenario: Scenario,
    report: Report,
    /// `None` if the link promised nothing.
    reproduced: Option<bool>,
}

/// Runs the scenario and its baseline, and returns the text for stdout.
pub fn open(arguments: &OpenArguments) -> Result<String, Vec<Diagnostic>> {
    let scenario = scenario_of(&arguments.scenario)?;
    let given = given_files(&arguments.files)?;
    let base = scenario.base.as_deref().map(|base| run(base, &given)).transpose()?;
    let here = run(&scenario, &given)?;
    let out = match arguments.format {
        Format::Json => super::json(&json!({ "run": value(&here)?, "base": base.as_ref().map(value).transpose()? }))?,
        Format::Text => {
            let mut out = text(&here.report, &here.scenario);
            say(&mut out, "", &here);
            base.iter().for_each(|base| say(&mut out, "the baseline: ", base));
            out
        }
    };
    let differs = |outcome: &Outcome| outcome.reproduced == Some(false);
    if !differs(&here) && !base.as_ref().is_some_and(differs) {
        return Ok(out);
    }
    super::print(out)?;
    let help = "another version of Warpscope made the link, or somebody edited it";
    Err(vec![Diagnostic::error("link", "the result that the link promises", "another result", help)])
}

fn value(outcome: &Outcome) -> Result<Value, Vec<Diagnostic>> {
    let report = serde_json::to_value(&outcome.report).map_err(|error| {
        vec![Diagnostic::error("result", "a result that can be written", error.to_string(), "report this")]
    })?;
    Ok(json!({ "report": report, "promised": outcome.scenario.fingerprint, "reproduced": outcome.reproduced }))
}

fn say(out: &mut String, of: &str, outcome: &Outcome) {
    let promised = outcome.scenario.fingerprint.as_deref().unwrap_or_default();
    // Writing to a String cannot fail, so the results of `writeln!` are ignored.
    let _ = match outcome.reproduced {
        Some(true) => writeln!(out, "{of}reproduced"),
        Some(false) => {
            writeln!(
                out,
                "{of}not reproduced: the link promised {promised}, this run gave {}",
                outcome.report.fingerprint()
            )
        }
        None => writeln!(out, "{of}the link promised no result"),
    };
}

/// The scenario of a link, or of the file with this name.
fn scenario_of(given: &str) -> Result<Scenario, Vec<Diagnostic>> {
    let path = Path::new(given);
    if path.is_file() {
        let bytes = read_file(path)?;
        let help = "save it on the page with “Download the scenario file”, or give a link in quotes";
        let bad = |found: String| vec![Diagnostic::error(given, "a scenario file", found, help)];
        return if is_scenario(&bytes) {
            read_scenario(&bytes).map_err(|error| bad(error.to_string()))
        } else {
            Err(bad("another file".into()))
        };
    }
    let hash = given.split_once('#').map_or(given, |(_, hash)| hash);
    parse_link(hash).map_err(|error| {
        let help = "put the link in quotes, or name a scenario file";
        vec![Diagnostic::error("link", "a link of the page or a scenario file", error.to_string(), help)]
    })
}

/// Each file with its contents and their hash.
fn given_files(paths: &[PathBuf]) -> Result<Vec<(String, Vec<u8>)>, Vec<Diagnostic>> {
    let hashed = |path: &PathBuf| {
        let bytes = read_file(path)?;
        let mut hash = FileHash::default();
        hash.push(&bytes);
        Ok((hash.finish(), bytes))
    };
    paths.iter().map(hashed).collect()
}

fn run(scenario: &Scenario, given: &[(String, Vec<u8>)]) -> Result<Outcome, Vec<Diagnostic>> {
    let contents = linked_contents(scenario, &|id| bytes_of(id, given))?;
    let refused = contents.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    // Without a kernel the run would only add that there is none.
    if refused && contents.kernels.is_empty() && contents.long_texts.is_empty() {
        return Err(contents.diagnostics);
    }
    print_diagnostics(&contents.diagnostics);
    let files = contents.files.iter().map(|file| file.id.clone()).collect();
    let scenario = Scenario { files, example: contents.example.clone(), ..scenario.clone() };
    if !contents.kernels.is_empty() {
        fits_in_page(&scenario, &contents, "change the link: fewer kernels, `set.core_limit=1`, or smaller caches")?;
    }
    let report = add_fingerprint(time_left::finish(ScenarioRun::new(&scenario, &contents)?)?);
    let reproduced = scenario.fingerprint.as_deref().map(|promised| promised == report.fingerprint());
    let report = report.with_names(&scenario.view);
    Ok(Outcome { scenario, report, reproduced })
}

fn bytes_of<'a>(id: &FileId, given: &'a [(String, Vec<u8>)]) -> Option<&'a [u8]> {
    given.iter().find(|(hash, _)| *hash == id.sha256).map(|(_, bytes)| &**bytes)
}
