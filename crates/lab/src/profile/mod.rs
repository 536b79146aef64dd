//! What a profiler measured, beside what the model `gpu` says of the same kernels.
//!
//! In: the CSV of Nsight Compute (`--csv`, long or `--page raw`) or of nvprof (`--csv` with `--metrics`, `--events` or
//! `--print-gpu-trace`), and a [`crate::GpuReport`]. Out: a [`crate::ProfileComparison`] with a line per known counter.
//! Not modelled: metrics without a counterpart in the model. They are counted.

pub(crate) mod compare;
pub(crate) mod metrics;
pub(crate) mod read;
