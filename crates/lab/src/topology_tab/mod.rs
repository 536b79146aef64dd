//! The Topology tab: shows, measures and discovers the caches of a GPU. Each file is one feature.
//!
//! * `facts` lists and compares the values of topologies, and `blocks` arranges the hierarchy as boxes.
//! * `measured` reads dropped topologies and raw timing files, and `curve` reduces the times of one measurement.
//! * `discovered` measures a virtual GPU by the page's own experiments.
//! * `bench` runs the experiments that a visitor selects on such a GPU, and `guess` scores the visitor's answer.
//! * `machine` turns latencies that the browser measured into a topology.

pub(crate) mod bench;
pub(crate) mod blocks;
pub(crate) mod curve;
pub(crate) mod discovered;
pub(crate) mod facts;
pub(crate) mod guess;
pub(crate) mod machine;
pub(crate) mod measured;
