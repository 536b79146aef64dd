//! Selects the kernels to run.
//!
//! In: what a person wrote (`all`, `3`, `2-4`, a name or a part of it), or the numbers in a scenario.
//! Out: the kernels in launch order, without repeats.

use crate::input::intake::Contents;
use crate::scenario::Scenario;
use base::Diagnostic;
use std::collections::BTreeSet;
use std::sync::Arc;
use trace::Trace;

/// The greatest number of names in a message.
const LISTED: usize = 10;

/// Returns the numbers of the kernels that `wanted` names. An empty result means all kernels, which is also the
/// default.
///
/// # Errors
///
/// Returns a diagnostic that lists the kernels if a part of `wanted` names none.
pub fn choose_kernels(wanted: &[String], contents: &Contents) -> Result<Vec<u32>, Vec<Diagnostic>> {
    let mut numbers = BTreeSet::new();
    let mut all = wanted.is_empty();
    for text in wanted.iter().map(|text| text.trim()) {
        if text == "all" {
            all = true;
            continue;
        }
        let found = match range(text) {
            Some((first, last)) => exist(first, last, contents.launch_count()),
            None => named(text, contents),
        };
        if found.is_empty() {
            return Err(vec![unknown(text, contents)]);
        }
        numbers.extend(found);
    }
    Ok(if all { Vec::new() } else { numbers.into_iter().collect() })
}

fn range(text: &str) -> Option<(u32, u32)> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    Some((first.trim().parse().ok()?, last.trim().parse().ok()?))
}

/// Returns the range, or nothing if a part of it does not exist.
fn exist(first: u32, last: u32, kernels: usize) -> Vec<u32> {
    if first == 0 || last as usize > kernels {
        return Vec::new();
    }
    (first..=last).collect()
}

/// Returns all launches of the kernel with exactly this name. If there is none, returns the launches of all kernels
/// whose names contain it.
fn named(text: &str, contents: &Contents) -> Vec<u32> {
    let with = |fits: &dyn Fn(&str) -> bool| -> Vec<u32> {
        contents.kernels.iter().zip(1..).filter(|(kernel, _)| fits(&kernel.name)).map(|(_, number)| number).collect()
    };
    let exact = with(&|name| name == text);
    if exact.is_empty() && !text.is_empty() {
        return with(&|name| name.contains(text));
    }
    exact
}

/// Returns the kernels of a scenario with their numbers.
///
/// # Errors
///
/// Returns a diagnostic if there is no kernel of some number.
pub(crate) fn chosen(scenario: &Scenario, contents: &Contents) -> Result<Vec<(u32, Arc<Trace>)>, Vec<Diagnostic>> {
    let numbered = || (1u32..).zip(contents.kernels.iter().map(Arc::clone));
    if scenario.kernels.is_empty() {
        return Ok(numbered().collect());
    }
    let wanted: BTreeSet<u32> = scenario.kernels.iter().copied().collect();
    let out_of_range = |number: &&u32| **number == 0 || **number as usize > contents.launch_count();
    if let Some(number) = wanted.iter().find(out_of_range) {
        return Err(vec![unknown(&number.to_string(), contents)]);
    }
    Ok(numbered().filter(|(number, _)| wanted.contains(number)).collect())
}

fn unknown(text: &str, contents: &Contents) -> Diagnostic {
    let names = contents.kernels.iter().zip(1u32..).take(LISTED).map(|(kernel, n)| format!("{n} {}", kernel.name));
    let mut list = names.collect::<Vec<_>>().join(", ");
    if contents.kernels.len() > LISTED {
        list += &format!(" and {} more", contents.kernels.len() - LISTED);
    }
    let expected =
        format!("a kernel: its number up to {}, a range of numbers, its name or `all`", contents.launch_count());
    Diagnostic::error("kernels", expected, base::excerpt(text.as_bytes()), format!("there are {list}"))
}
