//! Tests of the `warpscope` command, which they run as a process.

mod cli;
mod cli_compare;
mod cli_cuda;
mod cli_exercise;
mod cli_gpu;
mod cli_open;
mod cli_place;
mod cli_probe;
mod cli_sweep;
mod cli_why;
mod reuse_cli;
mod terminal;
