//! A discrete-event simulation of a GPU, to compare the placement model with. It shares nothing with the model but the trace
//! format: SMs with schedulers, scoreboards and barriers, caches with miss registers, a crossbar, L2 slices, and DRAM channels
//! that serve row hits first. Agreement with it is agreement with a simulator, not with hardware.

#![allow(dead_code)]

pub mod families;
pub mod memory;
pub mod program;
pub mod sim;
