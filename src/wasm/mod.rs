//! Stub of the boundary, so that the toolchain has something to carry.

use wasm_bindgen::prelude::*;

/// Version of the engine.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").into()
}
