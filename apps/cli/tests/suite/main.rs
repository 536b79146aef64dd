//! The `warpscope` command from outside.

mod cli;
mod cli_cuda;
mod cli_place;
mod cli_probe;
mod reuse_cli;
mod terminal;
