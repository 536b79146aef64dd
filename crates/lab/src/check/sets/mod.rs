//! The kinds of measurements, a file each. A kind is recognised by its columns.

mod convolution;
mod gv100;
mod placement_convolution;
mod placement_times;
mod titan_x;

use crate::check::row::Case;
use crate::check::table::{Refusal, Row, Table};

/// A kind of measurements.
pub(crate) struct MeasuredSet {
    /// What was measured, for people.
    pub title: &'static str,
    /// How it was measured and what is compared, in sentences.
    pub about: &'static str,
    /// Columns that only this kind has.
    pub columns: &'static [&'static str],
    /// Reads a row.
    pub cases: fn(&Row<'_>) -> Result<Vec<Case>, Refusal>,
}

/// All kinds.
const SETS: [&MeasuredSet; 5] =
    [&titan_x::SET, &gv100::SET, &convolution::SET, &placement_convolution::SET, &placement_times::SET];

/// The kind of a table.
pub(crate) fn set_of_table(table: &Table) -> Option<&'static MeasuredSet> {
    SETS.into_iter().find(|set| table.has_columns(set.columns))
}

/// The place of a kind in reports, by its title.
pub(crate) fn place_of_title(title: &str) -> usize {
    SETS.iter().take_while(|set| set.title != title).count()
}

/// The columns of each kind, for a message.
pub(crate) fn known_columns() -> String {
    SETS.map(|set| set.columns.join(",")).join(" or ")
}
