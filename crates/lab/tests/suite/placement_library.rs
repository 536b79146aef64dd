//! What is recommended for the kernels of the library on the A100, as docs/placement.md reviews it.

use base::Job;
use cuda_vm::library;
use lab::{Contents, CudaSettings, PlacementRequest, PlacementRun};
use std::collections::BTreeMap;

/// An example, the number of a kernel of it, and the new memories of its arrays.
type Moved = (&'static str, u32, &'static [(&'static str, &'static str)]);

/// Kernels whose arrays should move.
const MOVED: [Moved; 13] = [
    ("atax", 1, &[("t", "shared")]),
    ("atax", 2, &[("t", "shared"), ("y", "shared")]),
    ("bicg", 1, &[("r", "shared")]),
    ("bicg", 2, &[("A", "texture2d"), ("p", "constant")]),
    ("gemm", 1, &[("A", "constant"), ("B", "shared")]),
    ("gesummv", 1, &[("A", "texture2d"), ("B", "texture2d"), ("x", "constant")]),
    ("histogram-global", 1, &[("bins", "shared")]),
    ("matmul-naive", 1, &[("B", "shared")]),
    ("matvec-columns", 1, &[("x", "constant")]),
    ("matvec-rows", 1, &[("A", "texture2d")]),
    ("mvt", 1, &[("A", "texture2d"), ("y2", "shared")]),
    ("row-copy", 1, &[("source", "texture2d")]),
    ("stencil-9", 1, &[("source", "shared")]),
];

/// The moves that are recommended for a kernel.
fn recommended(id: &str, kernel: u32) -> BTreeMap<String, String> {
    let contents = Contents::of_example_with(id, &CudaSettings::default().options()).expect("an example");
    let request = PlacementRequest { gpu: "a100".into(), kernel, ..PlacementRequest::default() };
    let report = PlacementRun::new(request, &contents).expect("a kernel that can be placed").finish();
    let now = report.sample.placement;
    let recommended = report.recommended.expect("a placement");
    recommended.into_iter().filter(|(array, memory)| now[array] != *memory).collect()
}

#[test]
fn the_librarys_placements_are_those_that_were_reviewed() {
    for (id, kernel, moves) in MOVED {
        let moves = moves.iter().map(|(array, memory)| ((*array).to_string(), (*memory).to_string())).collect();
        assert_eq!(recommended(id, kernel), moves, "{id}, kernel {kernel}");
    }
    let moved = |id: &str| MOVED.iter().any(|(known, ..)| *known == id);
    let mut others = 0;
    for id in library().iter().map(|kernel| kernel.id).filter(|id| !moved(id)) {
        others += 1;
        assert_eq!(recommended(id, 1), BTreeMap::new(), "{id} stays as it is");
    }
    assert_eq!(others, 25, "the other kernels of the library");
}
