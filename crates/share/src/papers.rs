//! The links of the self-check's rows.

use crate::write_link;
use lab::{PaperResult, PaperRow};

/// Adds the link to the run that shows a row, if the row has one that is short enough.
pub fn add_paper_link(row: &PaperRow, mut result: PaperResult) -> PaperResult {
    result.link = row.open.and_then(|scenario| write_link(&scenario()).ok());
    result
}
