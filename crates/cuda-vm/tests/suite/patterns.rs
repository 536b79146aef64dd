//! The pictures of the page's gallery: which lanes of a warp touch the same line. The page keeps them as data, so that it need not
//! run 36 kernels to show a list.
//!
//! `WRITE_PATTERNS=1 cargo test -p cuda-vm patterns` writes them anew.

use cuda_vm::{emulate, library, CudaOptions, TraceForm};
use std::collections::BTreeMap;
use trace::{Space, Trace, WARP_LANES};

/// Memory instructions in a picture.
const ROWS: usize = 8;
/// Bytes of a line in a picture: the L1 line of most GPUs.
const LINE: u64 = 128;
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../www/content/patterns.json");

/// A digit per lane: lanes of a row with the same digit touch the same line. A dot is a lane that rests.
fn pattern(trace: &Trace) -> Vec<String> {
    // The first of those with most to show: warps at an edge may rest.
    let most = trace.warps.iter().map(|warp| trace.accesses(warp).len()).max();
    let Some(warp) = trace.warps.iter().find(|warp| Some(trace.accesses(warp).len()) == most) else {
        return Vec::new();
    };
    let global = trace.accesses(warp).filter(|access| {
        let site = &trace.sites[access.site as usize];
        matches!(site.space, Space::Global)
    });
    let row = |access: trace::Access<'_>| {
        let mut addresses = [0; WARP_LANES];
        access.addresses(&mut addresses);
        let mut next = addresses.iter();
        let mut lines = Vec::new();
        let mut digit = |lane: usize| {
            if access.mask >> lane & 1 == 0 {
                return '.';
            }
            let line = next.next().expect("an address per active lane") / LINE;
            let at = lines.iter().position(|&l| l == line).unwrap_or_else(|| {
                lines.push(line);
                lines.len() - 1
            });
            char::from_digit(at as u32, WARP_LANES as u32).expect("at most 32 lines")
        };
        (0..WARP_LANES).map(&mut digit).collect()
    };
    global.take(ROWS).map(row).collect()
}

#[test]
fn the_gallery_has_the_pattern_of_each_kernel() {
    let small = |text: &str| {
        let run = emulate("library.cu", text, &CudaOptions { form: TraceForm::Compiled, ..CudaOptions::default() });
        pattern(&run.launches.first().expect("a launch").trace)
    };
    let made: BTreeMap<&str, Vec<String>> = library().iter().map(|kernel| (kernel.id, small(kernel.text))).collect();
    let text = serde_json::to_string_pretty(&made).expect("JSON") + "\n";
    if std::env::var_os("WRITE_PATTERNS").is_some() {
        std::fs::write(FILE, &text).expect("a writable folder");
    }
    let kept: BTreeMap<String, Vec<String>> =
        serde_json::from_str(&std::fs::read_to_string(FILE).expect("the file")).expect("JSON");
    assert!(kept.iter().map(|(id, rows)| (id.as_str(), rows)).eq(made.iter().map(|(id, rows)| (*id, rows))));
    // Written by hand: a row per lane touches 32 lines, a column touches one.
    assert!(made["matvec-rows"].iter().any(|row| row == "0123456789abcdefghijklmnopqrstuv"));
    assert!(made["vector-add"].iter().all(|row| row == &"0".repeat(32)));
    assert!(made.values().all(|rows| !rows.is_empty()));
}
