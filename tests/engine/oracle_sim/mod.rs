//! A discrete-event simulation of a GPU, as an independent reference for the placement model. The two share only the
//! trace format. The simulation has SMs with schedulers, scoreboards and barriers, caches with miss registers, a
//! crossbar, L2 slices, and DRAM channels that serve row hits first. Agreement with it is not agreement with hardware.

#![allow(dead_code)]

pub mod families;
pub mod memory;
pub mod program;
pub mod sim;
