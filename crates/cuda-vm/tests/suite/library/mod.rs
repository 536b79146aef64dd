//! Runs each kernel of the library and compares it with a plain Rust reference that starts from the same data. Some
//! kernels are also compared with a list of accesses that was derived by hand.

mod accesses;
mod case;
mod dense;
mod grids;
mod initial;
mod irregular;
mod particles;

use case::{Case, Outputs, Values};
use cuda_vm::{library, library_kernel};

/// How a kernel is checked: its reference, and sizes that leave lanes and blocks partly filled.
struct Check {
    id: &'static str,
    sizes: &'static [(&'static str, &'static str)],
    /// Largest difference relative to the largest expected value. 0 asks for equal bits. It is above 0 where the
    /// compiler chooses the order of float operations, or where the last bit of a function may differ.
    tolerance: f32,
    expected: fn(&Case) -> Outputs,
}

const fn exact(id: &'static str, sizes: &'static [(&str, &str)], expected: fn(&Case) -> Outputs) -> Check {
    Check { id, sizes, tolerance: 0.0, expected }
}

const fn near(id: &'static str, sizes: &'static [(&str, &str)], expected: fn(&Case) -> Outputs) -> Check {
    Check { id, sizes, tolerance: 2e-6, expected }
}

const CHECKS: &[Check] = &[
    exact("vector-add", &[("n", "1000")], dense::vector_add),
    exact("copy-strided", &[("n", "333"), ("stride", "3")], dense::copy_strided),
    exact("copy-offset", &[("n", "777"), ("offset", "33")], dense::copy_offset),
    exact("row-copy", &[("threads", "40"), ("width", "50")], dense::row_copy),
    exact("transpose", &[("n", "64")], dense::transpose),
    exact("transpose-tiled", &[("n", "96")], dense::transpose),
    exact("gather", &[("n", "999"), ("size", "77")], dense::gather),
    exact("matmul-naive", &[("n", "32")], dense::matmul),
    exact("matmul-tiled", &[("n", "48")], dense::matmul),
    exact("gemm", &[("NI", "40"), ("NJ", "32"), ("NK", "19")], dense::gemm),
    exact("matvec-rows", &[("rows", "300"), ("columns", "23")], dense::matvec_rows),
    exact("matvec-columns", &[("rows", "300"), ("columns", "23")], dense::matvec_columns),
    exact("atax", &[("m", "70"), ("n", "37")], dense::atax),
    exact("bicg", &[("m", "37"), ("n", "70")], dense::bicg),
    exact("mvt", &[("n", "75")], dense::mvt),
    near("gesummv", &[("n", "75")], dense::gesummv),
    exact("neural-layer", &[("inputs", "50"), ("outputs", "40"), ("batch", "3")], dense::neural_layer),
    exact("conv2d", &[("width", "64"), ("height", "24")], grids::conv2d),
    near("conv3d", &[("nx", "32"), ("ny", "8"), ("nz", "5")], grids::conv3d),
    near("stencil", &[("width", "64"), ("height", "16")], grids::stencil),
    near("stencil-9", &[("width", "150"), ("height", "9")], grids::stencil_9),
    near("stencil-7", &[("nx", "32"), ("ny", "8"), ("nz", "4")], grids::stencil_7),
    exact("spmv-csr", &[("n", "200"), ("entries", "1500")], irregular::spmv_csr),
    exact("spmv-ell", &[("n", "200"), ("width", "5")], irregular::spmv_ell),
    exact("histogram-global", &[("n", "10000")], irregular::histogram),
    exact("histogram-private", &[("n", "10000")], irregular::histogram),
    exact("reduce-tree", &[("n", "1000")], irregular::reduce_tree),
    exact("reduce-shuffle", &[("n", "9999")], irregular::reduce_shuffle),
    exact("scan", &[("blocks", "3")], irregular::scan),
    exact("bfs-step", &[("n", "300"), ("edges", "2000")], irregular::bfs_step),
    exact("pointer-chase", &[("n", "100"), ("steps", "57")], irregular::pointer_chase),
    exact("stride-4096", &[("loads", "10"), ("stride", "64")], irregular::unchanged_data),
    exact("mb-associativity", &[("victim", "100")], irregular::unchanged_memory),
    exact("mb-mshr", &[("warps", "3")], irregular::unchanged_memory),
    near("nbody", &[("n", "256")], particles::nbody),
    near("md-lj", &[("n", "200"), ("count", "9")], particles::md_lj),
];

fn compare(check: &Check, case: &Case) {
    let outputs = (check.expected)(case);
    assert!(!outputs.is_empty(), "{}: nothing to compare", check.id);
    for (name, expected) in outputs {
        match expected {
            Values::Float(expected) => {
                let found = case.after_f32(name);
                assert_eq!(found.len(), expected.len(), "{} {name}", check.id);
                let largest = expected.iter().fold(0.0f32, |m, x| m.max(x.abs()));
                for (i, (f, e)) in found.iter().zip(&expected).enumerate() {
                    let near = f.to_bits() == e.to_bits() || (f - e).abs() <= check.tolerance * largest;
                    assert!(near, "{} {name}[{i}]: found {f}, expected {e}", check.id);
                }
            }
            Values::Int(expected) => {
                let found = case.after_i32(name);
                assert_eq!(found.len(), expected.len(), "{} {name}", check.id);
                for (i, (f, e)) in found.iter().zip(&expected).enumerate() {
                    assert_eq!(f, e, "{} {name}[{i}]", check.id);
                }
            }
        }
    }
}

#[test]
fn every_kernel_has_a_reference() {
    for kernel in library() {
        assert_eq!(CHECKS.iter().filter(|c| c.id == kernel.id).count(), 1, "{}", kernel.id);
    }
    assert_eq!(CHECKS.len(), library().len());
}

#[test]
fn outputs_equal_the_reference_at_the_kernels_own_sizes() {
    for check in CHECKS {
        compare(check, &Case::run(library_kernel(check.id).unwrap(), &[], false));
    }
}

#[test]
fn outputs_equal_the_reference_at_awkward_sizes() {
    for check in CHECKS {
        compare(check, &Case::run(library_kernel(check.id).unwrap(), check.sizes, false));
    }
}

#[test]
fn the_trace_as_compiled_computes_the_same() {
    for check in CHECKS {
        compare(check, &Case::run(library_kernel(check.id).unwrap(), check.sizes, true));
    }
}
