//! The boundary to JavaScript: one class per service of the page, plain data in and out, errors as data.
//!
//! In: bytes, names and scenarios from the page's workers. Out: objects shaped as `www/engine/types.ts` says, and SVG.
//! The only crate that knows `wasm_bindgen`. Nothing is decided here. On other targets it is empty.
#![cfg(target_arch = "wasm32")]

use base::Diagnostic;
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::*;

mod browser;
mod chase;
mod cuda;
mod desk;
mod place;
mod reuse;
mod scenario;
mod shapes;
mod topology;

/// Version of the engine.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").into()
}

/// What is thrown: something to read.
#[derive(Serialize)]
struct PageError {
    diagnostics: Vec<Diagnostic>,
}

fn to_js(value: &impl Serialize) -> Result<JsValue, JsValue> {
    let serializer = Serializer::new().serialize_maps_as_objects(true).serialize_missing_as_null(true);
    value.serialize(&serializer).map_err(JsValue::from)
}

fn page_error(diagnostics: Vec<Diagnostic>) -> JsValue {
    to_js(&PageError { diagnostics }).unwrap_or_else(|value| value)
}

fn error(file: &str, expected: &str, found: &str, help: &str) -> JsValue {
    page_error(vec![Diagnostic::error(file, expected, found, help)])
}
