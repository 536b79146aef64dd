//! The Topology tab: shows, measures and discovers the caches of a GPU. Each file is one feature.
//!
//! * `facts` lists and compares the values of topologies, and `hierarchy` arranges the memories as boxes.
//! * `import` reads dropped topologies and raw timing files, `curve` reduces the times of one measurement, and
//!   `agreement` compares the sizes by three rules.
//! * `discover` measures a virtual GPU by the page's own experiments.
//! * `experiment` runs the experiments that a visitor selects on such a GPU, and `guess` scores the visitor's answer.
//! * `this_machine` turns latencies that the browser measured into a topology.

pub(crate) mod agreement;
pub(crate) mod curve;
pub(crate) mod discover;
pub(crate) mod experiment;
pub(crate) mod facts;
pub(crate) mod guess;
pub(crate) mod hierarchy;
pub(crate) mod import;
pub(crate) mod this_machine;
