//! Pairs of launches of the library that do the same work, a naive one and a better one.
//!
//! The page offers to compare a kernel with its better form. A test runs each pair and holds that the better one does less.

use serde::Serialize;
use std::collections::BTreeMap;

/// A launch of a kernel of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TwinLaunch {
    /// The identifier of the kernel.
    pub id: &'static str,
    /// The sizes that make it this form of the kernel.
    pub sizes: &'static [(&'static str, u32)],
    /// The position of the launch in the text, counted from 0.
    pub launch: usize,
}

/// The better form of an example, for the page.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct ExampleTwin {
    /// The identifier of the example.
    pub id: &'static str,
    /// The sizes that make it the better form. All others are those of the naive form.
    pub sizes: BTreeMap<String, String>,
}

const fn first(id: &'static str) -> TwinLaunch {
    launch(id, 0)
}

const fn launch(id: &'static str, launch: usize) -> TwinLaunch {
    TwinLaunch { id, sizes: &[], launch }
}

const fn sized(id: &'static str, sizes: &'static [(&'static str, u32)]) -> TwinLaunch {
    TwinLaunch { id, sizes, launch: 0 }
}

/// A naive launch and the better one, for each pair of the library.
pub const TWINS: [(TwinLaunch, TwinLaunch); 10] = [
    (first("matvec-rows"), first("matvec-columns")),
    (first("matmul-naive"), first("matmul-tiled")),
    (first("transpose"), first("transpose-tiled")),
    (first("copy-strided"), sized("copy-strided", &[("stride", 1)])),
    (first("copy-offset"), sized("copy-offset", &[("offset", 0)])),
    (launch("atax", 0), launch("atax", 1)),
    (launch("bicg", 1), launch("bicg", 0)),
    (first("spmv-csr"), first("spmv-ell")),
    (first("histogram-global"), first("histogram-private")),
    (first("stride-4096"), sized("stride-4096", &[("stride", 32)])),
];

/// The better form of an example, if that is another text or the same text with other sizes. Launches of one text stand
/// beside each other in its report already.
pub(crate) fn better_form(id: &str) -> Option<ExampleTwin> {
    let (_, better) =
        TWINS.iter().find(|(naive, better)| naive.id == id && (better.id != id || !better.sizes.is_empty()))?;
    let mut sizes = BTreeMap::new();
    for (name, value) in better.sizes {
        sizes.insert((*name).to_string(), value.to_string());
    }
    Some(ExampleTwin { id: better.id, sizes })
}
