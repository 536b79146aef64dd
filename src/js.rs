//! Plain data to and from JavaScript, and errors as data.

use crate::shapes::{Look, PageError};
use base::Diagnostic;
use lab::{Format, Scenario};
use serde::de::DeserializeOwned;
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use std::fmt::Display;
use wasm_bindgen::prelude::*;

pub fn to_js(value: &impl Serialize) -> Result<JsValue, JsValue> {
    let serializer = Serializer::new().serialize_maps_as_objects(true).serialize_missing_as_null(true);
    value.serialize(&serializer).map_err(JsValue::from)
}

pub fn page_error(diagnostics: Vec<Diagnostic>) -> JsValue {
    to_js(&PageError { diagnostics }).unwrap_or_else(|value| value)
}

pub fn error(file: &str, expected: &str, found: &str, help: &str) -> JsValue {
    page_error(vec![Diagnostic::error(file, expected, found, help)])
}

/// What the page sends of its settings, for messages.
pub const OF_PAGE: &str = "settings of this page";

/// Reads what the page sent; `what` names it and `expected` says what it should have been.
pub fn from_js<T: DeserializeOwned>(what: &str, expected: &str, value: JsValue) -> Result<T, JsValue> {
    serde_wasm_bindgen::from_value(value).map_err(|e| error(what, expected, &e.to_string(), "start from a fresh page"))
}

pub fn read_scenario(scenario: JsValue) -> Result<Scenario, JsValue> {
    from_js("scenario", "a scenario of version 1", scenario)
}

/// The format that a person chose for a file.
pub fn read_format(file: &str, key: &str) -> Result<Format, JsValue> {
    Format::from_key(key)
        .ok_or_else(|| error(file, &Format::KEYS.join(", "), &format!("`{key}`"), "choose one of these"))
}

/// A report as JSON, the same as the command line prints.
pub fn report_json(report: &impl Serialize) -> Result<String, JsValue> {
    serde_json::to_string(report)
        .map_err(|e| error("report", "a report that can be written", &e.to_string(), "report this"))
}

/// How the page wants a figure drawn.
pub fn read_look(look: JsValue) -> Result<plot::Look, JsValue> {
    let Look { width, dark, range: (from, to) } = from_js("figure", "a width, a theme and a range", look)?;
    Ok(plot::Look { width, dark, range: plot::Range::new(from, to) })
}

/// A figure as SVG text, or why it could not be drawn.
pub fn drawn<E: Display>(figure: Result<String, E>) -> Result<String, JsValue> {
    figure.map_err(|e| error("figure", "a drawing", &e.to_string(), "the table beside it has the same numbers"))
}
