//! Chains for this machine's pointer chases, and the vote on its line size. The chase itself is no Rust: see
//! `www/engine/topology/chase-module.ts`.

use lab::{line_of_pairs, local_order, majority, pairs};
use wasm_bindgen::prelude::*;

/// Chains and votes; it holds nothing.
#[wasm_bindgen]
pub struct Chains;

#[wasm_bindgen]
impl Chains {
    /// Byte addresses of an array in local order; empty for an array that cannot be.
    pub fn local(bytes: f64, stride: u32, seed: u32) -> Vec<u32> {
        local_order(bytes as u64, u64::from(stride), u64::from(seed))
    }

    /// Byte addresses of pairs `distance` bytes apart.
    pub fn pairs(bytes: f64, distance: u32, seed: u32) -> Vec<u32> {
        pairs(bytes as u64, u64::from(distance), u64::from(seed))
    }

    /// Line size by one run over ascending distances; 0: none was seen.
    pub fn line(distances: &[u32], times: &[f64]) -> u32 {
        let distances: Vec<u64> = distances.iter().map(|distance| u64::from(*distance)).collect();
        line_of_pairs(&distances, times).unwrap_or(0) as u32
    }

    /// What more than half of the votes say; 0 stands for none.
    pub fn majority(votes: &[u32]) -> u32 {
        let votes: Vec<Option<u64>> =
            votes.iter().map(|vote| Some(u64::from(*vote)).filter(|vote| *vote > 0)).collect();
        majority(&votes).unwrap_or(0) as u32
    }
}
