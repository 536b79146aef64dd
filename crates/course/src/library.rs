//! The course: the exercises that come with the program. The page fetches their files itself, so they are no part of its module.

use crate::exercise::Exercise;
use crate::read::read_exercise;

macro_rules! files {
    ($($id:literal),* $(,)?) => {
        /// The files of the course by identifier, in the order of the course.
        pub const FILES: &[(&str, &str)] = &[$(($id, include_str!(concat!("../exercises/", $id, ".json"))),)*];
    };
}

files!("strides", "rows-columns", "table-2", "half-bytes");

/// The text of an exercise's file.
pub fn exercise_text(id: &str) -> Option<&'static str> {
    FILES.iter().find(|(known, _)| *known == id).map(|(_, text)| *text)
}

/// An exercise of the course.
pub fn built_in(id: &str) -> Option<Exercise> {
    let text = exercise_text(id)?;
    read_exercise(&format!("{id}.json"), text.as_bytes()).ok()
}
