//! The boundary to JavaScript: one class per service of the page, plain data in and out, errors as data.
//!
//! In: bytes, names and scenarios from the page's workers. Out: objects as `www/engine/generated` types them, and SVG.
//! The only crate that knows `wasm_bindgen`. Nothing is decided here. On other targets it has only the [`shapes`] of the
//! data, whose TypeScript types are written there.

#[cfg(target_arch = "wasm32")]
mod browser;
#[cfg(target_arch = "wasm32")]
mod chase;
#[cfg(target_arch = "wasm32")]
mod cuda;
#[cfg(target_arch = "wasm32")]
mod desk;
#[cfg(target_arch = "wasm32")]
mod js;
#[cfg(target_arch = "wasm32")]
mod place;
#[cfg(target_arch = "wasm32")]
mod reuse;
#[cfg(target_arch = "wasm32")]
mod scenario;
pub mod shapes;
#[cfg(target_arch = "wasm32")]
mod topology;

#[cfg(target_arch = "wasm32")]
use js::{error, page_error, to_js};

/// The types that the declarations of `pkg/engine` name.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen::prelude::wasm_bindgen(typescript_custom_section)]
const TYPES: &str = "import type * as page from '../../www/engine/generated';";

/// Version of the engine.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").into()
}
