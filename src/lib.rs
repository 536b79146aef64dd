//! The boundary to JavaScript: one class per service of the page, plain data in and out, errors as data.
//!
//! In: bytes, names and scenarios from the page's workers. Out: objects as `www/engine/generated` types them, and SVG.
//! The only crate that knows `wasm_bindgen`. Nothing is decided here. It compiles on every target, so that the native lint
//! and the test of the types cover it; only a browser or node can call it.

mod browser;
mod chase;
mod compare;
mod cuda;
mod js;
mod learn;
mod papers;
mod place;
mod reuse;
mod reuse_session;
mod scenario;
pub mod shapes;
mod sweep;
mod topology;
mod why;

use js::{error, to_js};

/// The types that the declarations of `pkg/engine` name.
#[wasm_bindgen::prelude::wasm_bindgen(typescript_custom_section)]
const TYPES: &str = "import type * as page from '../../www/engine/generated';";

/// Makes a panic an exception with its message and line, for the report that the page offers. Without it the exception says
/// `unreachable`. The module must not be called again.
#[wasm_bindgen::prelude::wasm_bindgen(start)]
fn tell_panics() {
    std::panic::set_hook(Box::new(|panic| wasm_bindgen::throw_str(&panic.to_string())));
}

/// Version of the engine.
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").into()
}
