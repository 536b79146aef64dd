//! What a profiler measured, beside what the model `gpu` says of the same kernels.
//!
//! In: the CSV of Nsight Compute (`--csv`, long or `--page raw`) or of nvprof (`--csv` with `--metrics`, `--events` or
//! `--print-gpu-trace`), the JSON of KTT 2, or the `.prof` files of HPCA 2014's authors; and a [`crate::GpuReport`].
//! Out: a [`crate::ProfileComparison`] with a line per known counter.
//! Not modelled: metrics without a counterpart in the model. They are counted.

pub(crate) mod compare;
mod csv_tables;
pub(crate) mod data;
mod known;
pub(crate) mod ktt;
mod l1_events;
pub(crate) mod metrics;
pub(crate) mod read;
