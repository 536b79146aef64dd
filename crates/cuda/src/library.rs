//! The library: kernels as CUDA text. Each one shows one cause of hits and misses.
//!
//! In: nothing. Out: the texts, each with a name for the menu and a lesson. A text holds its own launch comment, where
//! sizes can be changed. Its first comment says what it shows, so that a copied file still says both. Figures in the
//! texts are those of *A Detailed GPU Cache Model Based on Reuse Distance Theory* (HPCA 2014).
//!
//! ```
//! let kernel = cuda::library_kernel("matvec-rows").unwrap();
//! assert!(kernel.lesson().starts_with("Matrix times vector, one row per thread"));
//! assert!(kernel.text.contains("__global__ void matvec_rows"));
//! ```

/// A kernel of the library.
#[derive(Clone, Copy, Debug)]
pub struct LibraryKernel {
    /// The identifier in links. It is also the file's name without `.cu`.
    pub id: &'static str,
    /// The name in the menu.
    pub title: &'static str,
    /// The contents of the `.cu` file.
    pub text: &'static str,
}

impl LibraryKernel {
    /// The comment that opens the text. It says what the kernel shows and what to try.
    pub fn lesson(&self) -> String {
        let opening = self.text.lines().map_while(|line| line.strip_prefix("// "));
        let words: Vec<&str> = opening.take_while(|line| !line.starts_with("launch:")).collect();
        words.join(" ")
    }
}

/// All kernels in the order of the menu. The page opens with the first one.
pub fn library() -> &'static [LibraryKernel] {
    &LIBRARY
}

/// The kernel with this identifier.
pub fn library_kernel(id: &str) -> Option<&'static LibraryKernel> {
    LIBRARY.iter().find(|kernel| kernel.id == id)
}

macro_rules! kernels {
    ($($id:literal $title:literal)*) => {
        [$(LibraryKernel { id: $id, title: $title, text: include_str!(concat!("library/", $id, ".cu")) }),*]
    };
}

static LIBRARY: [LibraryKernel; 36] = kernels! {
    "matvec-rows" "Matrix times vector, one row per thread"
    "matvec-columns" "Matrix times vector, transposed layout"
    "matmul-naive" "Matrix multiply, naive"
    "matmul-tiled" "Matrix multiply, tiled"
    "gemm" "Matrix multiply, adding to C in memory"
    "vector-add" "Vector add"
    "copy-strided" "Copy with a stride"
    "copy-offset" "Copy with an offset"
    "row-copy" "Copy, one row per thread (figure 3)"
    "transpose" "Transpose, naive"
    "transpose-tiled" "Transpose, tiled"
    "stencil" "Five-point stencil"
    "stencil-9" "Nine-point stencil, walking down columns"
    "stencil-7" "Seven-point stencil in 3D"
    "conv2d" "Convolution 3 × 3"
    "conv3d" "Convolution in 3D"
    "atax" "ATAX: y = Aᵀ(A x)"
    "bicg" "BiCG: s = r A, q = A p"
    "mvt" "MVT: x1 += A y1, x2 += Aᵀ y2"
    "gesummv" "GESUMMV: y = α A x + β B x"
    "spmv-csr" "Sparse matrix times vector, CSR"
    "spmv-ell" "Sparse matrix times vector, ELL"
    "gather" "Gather through a random index"
    "histogram-global" "Histogram, global atomics"
    "histogram-private" "Histogram, one copy per block"
    "reduce-tree" "Sum by a tree in shared memory"
    "reduce-shuffle" "Sum by warp shuffles"
    "scan" "Prefix sum of blocks"
    "bfs-step" "Breadth-first search, one step"
    "nbody" "N-body"
    "md-lj" "Molecular dynamics, Lennard-Jones"
    "neural-layer" "Neural network, one layer"
    "pointer-chase" "Pointer chase"
    "stride-4096" "Strided loads, twice (figure 7)"
    "mb-associativity" "Microbenchmark: associativity (figure 5)"
    "mb-mshr" "Microbenchmark: MSHRs (figure 8)"
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kernel_says_what_it_shows_and_how_it_is_launched() {
        for kernel in library() {
            let lesson = kernel.lesson();
            assert!(lesson.ends_with(['.', '?']) && lesson.len() > 60, "{}: {lesson}", kernel.id);
            assert!(kernel.text.contains("\n// launch: "), "{}", kernel.id);
            assert!(kernel.text.contains("__global__"), "{}", kernel.id);
            assert!(kernel.text.lines().count() <= 40, "{}: longer than a screen", kernel.id);
            assert!(std::ptr::eq(library_kernel(kernel.id).unwrap(), kernel), "{}: two of one name", kernel.id);
        }
        assert!(library_kernel("no such kernel").is_none());
    }
}
