//! Topology files. In: bytes of any known format. Out: a [`Topology`] and diagnostics; and back to text.
//!
//! Our own format is strict (an unknown or missing field is an error with its line); the others are read leniently by
//! [`crate::mt4g`], [`crate::mt4g_csv`] and [`crate::gpgpusim`]. Either way the result has passed [`crate::validate`], or
//! there is none.
//!
//! Not read here: mt4g's raw timing folders.

use crate::geometry::divides;
use crate::validate::check;
use crate::{gpgpusim, mt4g, mt4g_csv, Topology};
use base::{excerpt, Diagnostic, Diagnostics, Severity};
use serde_json::error::Category;
use serde_json::Value;

/// Files are a few kilobytes; anything far above is not a topology, and is not parsed.
const MOST_BYTES: usize = 4 << 20;

/// Longest piece of a parser's message that is passed on.
const MOST_MESSAGE: usize = 200;

/// Version of the format that is read and written.
const VERSION: u64 = 1;

/// Name of the topology format that a file which is not JSON has, by its content; `None` for anything else.
pub fn recognise(bytes: &[u8]) -> Option<&'static str> {
    let text = &String::from_utf8_lossy(bytes.get(..MOST_BYTES).unwrap_or(bytes));
    if gpgpusim::looks_like(text) {
        Some("gpgpusim.config")
    } else if mt4g_csv::looks_like(text) {
        Some("mt4g 0.1 CSV")
    } else {
        None
    }
}

/// Reads a topology from a file called `name`: our own JSON or mt4g's, told apart by their keys; mt4g's CSV of version 0.1;
/// or GPGPU-Sim's configuration.
///
/// Without a topology there is at least one error among the diagnostics, and the other way round.
pub fn read_topology(name: &str, bytes: &[u8]) -> (Option<Topology>, Vec<Diagnostic>) {
    let mut out = Diagnostics::new(name);
    let topology = read(name, bytes, &mut out).filter(|topology| {
        check(topology, &mut out);
        !out.any(Severity::Error)
    });
    (topology, out.into_vec())
}

/// Pretty-printed JSON in the order of the fields.
///
/// [`read_topology`] reads it back equal if [`crate::validate`] is content with it and latencies have few decimals (a
/// double of 17 digits can come back with another last bit, because the parser is not built for exact ones).
pub fn write_topology(topology: &Topology) -> String {
    // Every key is a string and every value is plain data, so this cannot fail.
    let mut text = serde_json::to_string_pretty(topology).unwrap_or_default();
    text.push('\n');
    text
}

fn read(name: &str, bytes: &[u8], out: &mut Diagnostics) -> Option<Topology> {
    const FORMATS: &str = "`warpscope_topology` (our format) or `general`, `compute`, `memory` (mt4g)";
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.len() > MOST_BYTES {
        let found = pretty_bytes(bytes.len() as u64);
        out.add(Severity::Error, None, "a topology file of at most 4 MiB", found, "choose the topology file of a GPU");
        return None;
    }
    match recognise(bytes) {
        Some("gpgpusim.config") => return gpgpusim::import(name, &String::from_utf8_lossy(bytes), out),
        Some(_) => {
            let object = mt4g_csv::object(&String::from_utf8_lossy(bytes), out);
            return mt4g::import(&object, out);
        }
        None => {}
    }
    let value: Value = match serde_json::from_slice(bytes) {
        Ok(value) => value,
        Err(error) => {
            syntax(bytes, &error, out);
            return None;
        }
    };
    let Some(object) = value.as_object() else {
        out.add(Severity::Error, Some(1), "a JSON object", excerpt(bytes), format!("give one with {FORMATS}"));
        return None;
    };
    if let Some(version) = object.get("warpscope_topology") {
        return own(bytes, version, out);
    }
    if mt4g::looks_like(object) {
        return mt4g::import(object, out);
    }
    let keys = object.keys().take(5).cloned().collect::<Vec<_>>().join(", ");
    out.add(Severity::Error, None, FORMATS, excerpt(keys.as_bytes()), "choose a topology file");
    None
}

fn own(bytes: &[u8], version: &Value, out: &mut Diagnostics) -> Option<Topology> {
    if version.as_u64() != Some(VERSION) {
        let help = "this program is older than the file, or the file is not ours";
        let found = excerpt(version.to_string().as_bytes());
        out.add(Severity::Error, None, format!("`warpscope_topology`: {VERSION}"), found, help);
        return None;
    }
    match serde_json::from_slice(bytes) {
        Ok(topology) => Some(topology),
        Err(error) => {
            let (expected, found) = split_message(&error);
            let expected = plain_type(&expected).map_or(expected, String::from);
            let help = "compare with schema/topology.schema.json";
            out.add(Severity::Error, Some(error.line() as u64), expected, found, help);
            None
        }
    }
}

/// What is not JSON, with its place and the text there.
fn syntax(bytes: &[u8], error: &serde_json::Error, out: &mut Diagnostics) {
    let (expected, message) = split_message(error);
    let line = bytes.split(|byte| *byte == b'\n').nth(error.line().saturating_sub(1)).unwrap_or_default();
    let near = excerpt(&line[error.column().saturating_sub(1).min(line.len())..]);
    let (expected, found, help) = match error.classify() {
        Category::Eof => ("more text".into(), "the end of the file".into(), "the file is cut short: get it again"),
        _ if expected == "value" => ("a JSON value".into(), near, "mend the JSON here; text needs quotation marks"),
        _ if message.is_empty() => (expected, near, "mend the JSON here"),
        _ => (expected, format!("{message} at {near}"), "mend the JSON here"),
    };
    out.add(Severity::Error, Some(error.line() as u64), expected, found, help);
}

/// Splits the parser's message into what it wanted and what it found, without the place, which is given apart.
fn split_message(error: &serde_json::Error) -> (String, String) {
    let text = error.to_string();
    let text = text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message);
    let short = |s: &str| s.chars().take(MOST_MESSAGE).collect::<String>();
    if let Some(field) = text.strip_prefix("missing field ") {
        return (format!("a field {}", short(field)), "none".into());
    }
    if let Some((found, expected)) = text.rsplit_once(", expected ") {
        let found = found.trim_start_matches("invalid type: ").trim_start_matches("invalid value: ");
        return (short(expected), short(found));
    }
    if let Some(expected) = text.strip_prefix("expected ") {
        return (short(expected), String::new());
    }
    if text.starts_with("duplicate field") {
        return ("each field once".into(), short(text));
    }
    ("text of this format".into(), short(text))
}

/// A type of the parser's messages in words of the format.
fn plain_type(name: &str) -> Option<&'static str> {
    match name {
        "u8" | "u32" | "u64" => Some("a whole number that is not negative"),
        "f64" => Some("a number"),
        fact if fact.starts_with("struct Fact") => Some("an object with `value`, `status` and `source`"),
        object if object.starts_with("struct ") => Some("a JSON object"),
        _ => None,
    }
}

/// A size as people write it: a whole number of the largest fitting binary unit, else bytes.
pub(super) fn pretty_bytes(bytes: u64) -> String {
    for (shift, unit) in [(30, "GiB"), (20, "MiB"), (10, "KiB")] {
        if bytes >= 1 << shift && divides(1 << shift, bytes) {
            return format!("{} {unit}", bytes >> shift);
        }
    }
    format!("{bytes} B")
}
