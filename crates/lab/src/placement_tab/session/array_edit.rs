//! The visitor's corrections of arrays: other names, or other ranges than those guessed from gaps between addresses.
//!
//! In: an [`ArrayEdit`].
//! Out: the traces with the corrected arrays, or a diagnostic for a line of the ranges.

use crate::input::intake::Contents;
use base::{excerpt, Diagnostic, Diagnostics, Severity};
use std::collections::BTreeMap;
use std::sync::Arc;
use trace::{Array, Origin};

/// The visitor's corrections of the arrays.
#[derive(Clone, Debug, Default)]
pub struct ArrayEdit {
    /// Names by the first byte of the array (`0x7f00`).
    pub names: BTreeMap<String, String>,
    /// Ranges that replace those of the files. Lines or `;` separate them, and each has a name, the first byte and the
    /// length in bytes. If the text is empty, the ranges of the files stay.
    pub ranges: String,
    /// True if the guessed ranges are right.
    pub confirmed: bool,
    /// The memories of the arrays in the trace, in order of address. If the list is empty, the memories in the request
    /// stay.
    pub from: Vec<String>,
}

/// The greatest number of ranges. A longer text is no list that a person wrote.
const MOST: usize = 256;

/// Gives each trace the arrays `own` with the corrections of `edit`.
pub(crate) fn apply_edit(contents: &mut Contents, own: &[Vec<Array>], edit: &ArrayEdit) -> Result<(), Vec<Diagnostic>> {
    let stated = if edit.ranges.trim().is_empty() { None } else { Some(parse_ranges(&edit.ranges)?) };
    for (trace, own) in contents.kernels.iter_mut().zip(own) {
        let mut arrays = stated.clone().unwrap_or_else(|| own.clone());
        for array in &mut arrays {
            if let Some(name) = edit.names.get(&format!("{:#x}", array.base)) {
                array.name.clone_from(name);
            }
            if edit.confirmed {
                array.origin = Origin::Named;
            }
        }
        // Placements refer to arrays by name, so names must be unique.
        for i in 1..arrays.len() {
            let (before, rest) = arrays.split_at_mut(i);
            let twin = |name: &str| before.iter().any(|array| array.name == name);
            let mut n = 2;
            let name = rest[0].name.clone();
            while twin(&rest[0].name) {
                rest[0].name = format!("{name} ({n})");
                n += 1;
            }
        }
        if trace.arrays != arrays {
            Arc::make_mut(trace).arrays = arrays;
        }
    }
    Ok(())
}

/// Maps the name of each array to its memory.
pub(crate) fn memories_by_name(arrays: &[Array], from: &[String]) -> Result<BTreeMap<String, String>, Vec<Diagnostic>> {
    if arrays.len() != from.len() {
        let expected = format!("a memory for each array, {} in all", arrays.len());
        let found = excerpt(from.join(",").as_bytes());
        return Err(vec![Diagnostic::error("present placement", expected, found, "reset it")]);
    }
    Ok(base::map_of(arrays.iter().map(|array| array.name.clone()).zip(from.iter().cloned())))
}

fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// Reads ranges such as `A 0x7f0000 4096; B 0x7f2000 4096`.
fn parse_ranges(text: &str) -> Result<Vec<Array>, Vec<Diagnostic>> {
    let mut out = Diagnostics::new("ranges");
    let mut arrays = Vec::new();
    let lines = text.split(['\n', ';']).enumerate().filter(|(_, line)| !line.trim().is_empty());
    for (i, line) in lines.take(MOST + 1) {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let parsed = match fields[..] {
            [name, base, bytes] => number(base).zip(number(bytes)).map(|(base, bytes)| (name, base, bytes)),
            _ => None,
        };
        match parsed {
            Some((name, base, bytes)) if bytes > 0 && base.checked_add(bytes).is_some() => {
                arrays.push(Array { name: name.into(), base, bytes, origin: Origin::Named, copied_in: None });
            }
            _ => {
                let expected = "a name, the first byte and the length, as in `A 0x7f0000 4096`";
                let found = excerpt(line.trim().as_bytes());
                out.add(Severity::Error, Some(i as u64 + 1), expected, found, "separate them by spaces");
            }
        }
    }
    base::sort_by_key(&mut arrays, |array| array.base);
    if let Some(pair) = arrays.windows(2).find(|pair| pair[0].base + pair[0].bytes > pair[1].base) {
        let found = format!("{} reaches into {}", pair[0].name, pair[1].name);
        out.add(Severity::Error, None, "ranges that do not overlap", found, "shorten the first");
    }
    if arrays.len() > MOST {
        out.add(Severity::Error, None, format!("at most {MOST} arrays"), "more", "leave out what does not matter");
    }
    let mut names: Vec<&str> = arrays.iter().map(|array| array.name.as_str()).collect();
    names.sort_unstable();
    if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        let found = format!("`{}` twice", pair[0]);
        out.add(Severity::Error, None, "a name of its own for every array", found, "rename one of them");
    }
    if out.any(Severity::Error) {
        return Err(out.into_vec());
    }
    Ok(arrays)
}
