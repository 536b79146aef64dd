//! Plain data to JavaScript, and errors as data.

use crate::shapes::PageError;
use base::Diagnostic;
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
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
