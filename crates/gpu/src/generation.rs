//! Generations of GPUs: what all GPUs of one share, and what is assumed of a GPU without one (`generations.json`).
//!
//! In: a generation's identifier, as a topology names it. Out: a [`Generation`] with a [`Board`] of sourced values. A new
//! generation is a new row of the file and a word of the schema.

use crate::Board;
use serde::Deserialize;

const FILE: &str = include_str!("generations.json");

/// A row of the file.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Generation {
    /// Identifier, as the topology's `generation` names it.
    pub id: String,
    /// Name shown to people.
    pub name: String,
    /// Values that a GPU of this generation has unless its topology says otherwise.
    pub board: Board,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rows {
    any_gpu: Board,
    generations: Vec<Generation>,
}

/// The file is part of the program and a test reads it, so the empty default does not come up.
fn rows() -> Rows {
    serde_json::from_slice(FILE.as_bytes()).unwrap_or_default()
}

/// All generations, oldest first.
pub fn generations() -> Vec<Generation> {
    rows().generations
}

/// The generation of this identifier.
pub fn generation(id: &str) -> Option<Generation> {
    generations().into_iter().find(|row| row.id == id)
}

/// [`generations`] and [`any_gpu`].
pub(crate) fn generations_and_any_gpu() -> (Vec<Generation>, Board) {
    let rows = rows();
    (rows.generations, rows.any_gpu)
}

/// Assumptions about a GPU of which neither topology nor generation states a value.
pub fn any_gpu() -> Board {
    rows().any_gpu
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Status;
    use serde_json::Value;

    fn keys(board: &Board) -> Vec<String> {
        let json = serde_json::to_value(board).expect("plain data");
        json.as_object().expect("an object").keys().cloned().collect()
    }

    #[test]
    fn every_row_reads_and_names_its_sources() {
        let ids: Vec<String> = generations().into_iter().map(|row| row.id).collect();
        assert_eq!(
            ids,
            [
                "fermi",
                "kepler",
                "maxwell",
                "pascal",
                "pascal-gp100",
                "volta",
                "turing",
                "ampere",
                "ampere-ga10x",
                "ada",
                "hopper",
                "cdna"
            ]
        );
        for row in generations() {
            let json = serde_json::to_value(&row.board).expect("plain data");
            let facts = json.as_object().expect("an object");
            assert!(!facts.is_empty(), "{} says nothing", row.id);
            let named = |fact: &Value| fact["source"].as_str().is_some_and(|source| source.len() > 10);
            assert!(facts.values().all(named), "{}", row.id);
        }
        assert_eq!(generation("gtx"), None);
    }

    #[test]
    fn any_gpu_has_every_value_but_the_carve_out_and_a_limit_of_loads() {
        let board = any_gpu();
        assert_eq!(keys(&board).len(), 38);
        assert!(board.carve_out_bytes.is_none() && board.loads_per_warp.is_none());
        assert_eq!(board.peak_gbs.map(|fact| (fact.value, fact.status)), Some((300.0, Status::Assumed)));
    }
}
