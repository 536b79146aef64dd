//! The course: the exercises that come with the program. The page fetches their files itself, so they are no part of its module.

use crate::exercise::Exercise;
use crate::read::read_exercise;

macro_rules! files {
    ($($id:literal),* $(,)?) => {
        /// The files of the course by identifier, in the order of the course.
        pub const FILES: &[(&str, &str)] = &[$(($id, include_str!(concat!("../exercises/", $id, ".json"))),)*];
    };
}

files!(
    "strides",
    "rows-columns",
    "line-sectors",
    "order-patterns",
    "occupancy",
    "table-1",
    "table-2",
    "tiling-helps",
    "tiling-in-vain",
    "conflict-stride",
    "conflict-hash",
    "figure-7",
    "table-3",
    "table-4",
    "table-5",
    "mshrs",
    "curve",
    "banks",
    "hidden-l1",
    "hidden-sharing",
    "change-point",
    "dram-mapping",
    "queue",
    "place-four",
    "hp-rda",
    "merging",
    "half-bytes",
);

/// The text of an exercise's file.
pub fn exercise_text(id: &str) -> Option<&'static str> {
    FILES.iter().find(|(known, _)| *known == id).map(|(_, text)| *text)
}

/// An exercise of the course.
pub fn built_in(id: &str) -> Option<Exercise> {
    let text = exercise_text(id)?;
    read_exercise(&format!("{id}.json"), text.as_bytes()).ok()
}
