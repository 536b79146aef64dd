//! Names that a visitor gives to arrays. A link holds them by the first byte of the array: `view.name.0x7f00=weights`.
//!
//! In: a [`CacheReport`] or a [`GpuReport`], and the view of a scenario.
//! Out: the same report with these names. The fingerprint leaves names out, so they do not change it.

use crate::cache_tab::gpu_report::GpuReport;
use crate::cache_tab::places::ArrayPlace;
use crate::cache_tab::report::CacheReport;
use crate::cache_tab::work::Work;
use crate::input::intake::Contents;
use base::Diagnostic;
use std::collections::BTreeMap;

/// The prefix of such keys in a view.
const PREFIX: &str = "name.";

/// Returns the key in a view for the name of the array at `base`.
pub fn name_key(base: &str) -> String {
    format!("{PREFIX}{base}")
}

/// Replaces the names of the arrays in `report` by those in `view`.
pub fn with_names(mut report: CacheReport, view: &BTreeMap<String, String>) -> CacheReport {
    for kernel in &mut report.kernels {
        kernel.work.iter_mut().for_each(|work| name_advice(work, view));
        for array in kernel.arrays.iter_mut().map(|row| &mut row.array) {
            let Some(name) = view.get(&name_key(&array.base)) else { continue };
            let old = std::mem::replace(&mut array.name, name.clone());
            if kernel.verdict.array.as_ref() == Some(&old) {
                kernel.verdict.array = Some(name.clone());
            }
        }
    }
    report
}

/// Replaces the names of the arrays in a report of the model `gpu` by those in `view`.
pub(crate) fn with_gpu_names(mut report: GpuReport, view: &BTreeMap<String, String>) -> GpuReport {
    for kernel in &mut report.kernels {
        name_advice(&mut kernel.work, view);
        kernel.rows.arrays.iter_mut().for_each(|row| name_array(&mut row.array, view));
    }
    report
}

fn name_advice(work: &mut Work, view: &BTreeMap<String, String>) {
    work.advice.array.iter_mut().for_each(|array| name_array(array, view));
}

fn name_array(array: &mut ArrayPlace, view: &BTreeMap<String, String>) {
    if let Some(name) = view.get(&name_key(&array.base)) {
        array.name.clone_from(name);
    }
}

/// Checks that an array begins at each of the bases.
///
/// # Errors
///
/// Returns a diagnostic that lists the addresses where arrays begin.
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
