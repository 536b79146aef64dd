//! The texts of the measured kernels.

/// A kernel that was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct KernelText {
    /// The name of the file, for messages.
    pub name: &'static str,
    /// CUDA text with one launch comment.
    pub text: &'static str,
}

/// Names a text by its file.
macro_rules! kernel {
    ($name:literal) => {
        KernelText { name: $name, text: include_str!(concat!("kernels/", $name)) }
    };
}

pub(crate) const BABELSTREAM_ADD: KernelText = kernel!("babelstream_add.cu");
pub(crate) const BABELSTREAM_COPY: KernelText = kernel!("babelstream_copy.cu");
pub(crate) const BABELSTREAM_MUL: KernelText = kernel!("babelstream_mul.cu");
pub(crate) const BABELSTREAM_TRIAD: KernelText = kernel!("babelstream_triad.cu");
pub(crate) const BACKPROP_ADJUST: KernelText = kernel!("backprop_adjust.cu");
pub(crate) const BACKPROP_FORWARD: KernelText = kernel!("backprop_forward.cu");
pub(crate) const CONV15_GLOBAL: KernelText = kernel!("conv15_global.cu");
pub(crate) const CONV15_SHARED: KernelText = kernel!("conv15_shared.cu");
pub(crate) const CONV1D_CONSTANT: KernelText = kernel!("conv1d_constant.cu");
pub(crate) const CONV1D_GLOBAL: KernelText = kernel!("conv1d_global.cu");
pub(crate) const CONV1D_HALO: KernelText = kernel!("conv1d_halo.cu");
pub(crate) const CONV1D_INNER: KernelText = kernel!("conv1d_inner.cu");
pub(crate) const CONV2D_CONSTANT: KernelText = kernel!("conv2d_constant.cu");
pub(crate) const CONV2D_GLOBAL: KernelText = kernel!("conv2d_global.cu");
pub(crate) const CONV2D_SHARED: KernelText = kernel!("conv2d_shared.cu");
pub(crate) const HISTOGRAM_GLOBAL: KernelText = kernel!("histogram_global.cu");
pub(crate) const HISTOGRAM_SHARED: KernelText = kernel!("histogram_shared.cu");
pub(crate) const HOTSPOT: KernelText = kernel!("hotspot.cu");
pub(crate) const MATMUL_GLOBAL: KernelText = kernel!("matmul_global.cu");
pub(crate) const MATMUL_SHARED: KernelText = kernel!("matmul_shared.cu");
pub(crate) const MATRIXMUL: KernelText = kernel!("matrixmul.cu");
pub(crate) const MATVEC_GLOBAL: KernelText = kernel!("matvec_global.cu");
pub(crate) const MATVEC_SHARED: KernelText = kernel!("matvec_shared.cu");
pub(crate) const SGEMM: KernelText = kernel!("sgemm.cu");
pub(crate) const SIMPLE_MATRIXMUL: KernelText = kernel!("simple_matrixmul.cu");
pub(crate) const TRANSPOSE_COALESCED: KernelText = kernel!("transpose_coalesced.cu");
pub(crate) const TRANSPOSE_NAIVE: KernelText = kernel!("transpose_naive.cu");
pub(crate) const VECTORADD_32: KernelText = kernel!("vectoradd_32.cu");
pub(crate) const VECTORADD_64: KernelText = kernel!("vectoradd_64.cu");

/// All texts.
const ALL: [KernelText; 29] = [
    BABELSTREAM_ADD,
    BABELSTREAM_COPY,
    BABELSTREAM_MUL,
    BABELSTREAM_TRIAD,
    BACKPROP_ADJUST,
    BACKPROP_FORWARD,
    CONV15_GLOBAL,
    CONV15_SHARED,
    CONV1D_CONSTANT,
    CONV1D_GLOBAL,
    CONV1D_HALO,
    CONV1D_INNER,
    CONV2D_CONSTANT,
    CONV2D_GLOBAL,
    CONV2D_SHARED,
    HISTOGRAM_GLOBAL,
    HISTOGRAM_SHARED,
    HOTSPOT,
    MATMUL_GLOBAL,
    MATMUL_SHARED,
    MATRIXMUL,
    MATVEC_GLOBAL,
    MATVEC_SHARED,
    SGEMM,
    SIMPLE_MATRIXMUL,
    TRANSPOSE_COALESCED,
    TRANSPOSE_NAIVE,
    VECTORADD_32,
    VECTORADD_64,
];

/// The names and the CUDA texts of the measured kernels, each with a launch comment of a size of its own.
pub fn check_kernels() -> Vec<(&'static str, &'static str)> {
    ALL.iter().map(|kernel| (kernel.name, kernel.text)).collect()
}
