//! Names that a person gives to arrays, by their first byte: `view.name.0x7f00=weights` in a link.
//!
//! In: a [`Report`] and a scenario's view. Out: the same report with these names. They are no part of the result: the
//! fingerprint leaves names out.

use crate::cache_tab::report::Report;
use crate::input::intake::Contents;
use base::Diagnostic;
use std::collections::BTreeMap;

/// What a view's key begins with.
const PREFIX: &str = "name.";

/// The key of a view for the array at `base`.
pub fn name_key(base: &str) -> String {
    format!("{PREFIX}{base}")
}

/// Gives the arrays of `report` the names that `view` has for them.
pub fn with_names(mut report: Report, view: &BTreeMap<String, String>) -> Report {
    for kernel in &mut report.kernels {
        for array in &mut kernel.arrays {
            let Some(name) = view.get(&name_key(&array.base)) else { continue };
            let old = std::mem::replace(&mut array.name, name.clone());
            if kernel.verdict.array.as_ref() == Some(&old) {
                kernel.verdict.array = Some(name.clone());
            }
        }
    }
    report
}

/// Checks that an array begins at every named base.
///
/// # Errors
/// A diagnostic that lists where arrays begin.
pub fn check_names<'a>(bases: impl IntoIterator<Item = &'a str>, contents: &Contents) -> Result<(), Vec<Diagnostic>> {
    const LISTED: usize = 10;
    let arrays = || contents.kernels.iter().flat_map(|kernel| &kernel.arrays);
    let mut known: Vec<String> = arrays().map(|array| format!("{:#x}", array.base)).collect();
    known.sort_unstable();
    known.dedup();
    for base in bases {
        if !known.iter().any(|known| known == base) {
            let more = if known.len() > LISTED { " …" } else { "" };
            let help = format!("arrays begin at {}{more}", known[..known.len().min(LISTED)].join(", "));
            return Err(vec![Diagnostic::error("names", "the first byte of an array", format!("`{base}`"), help)]);
        }
    }
    Ok(())
}
