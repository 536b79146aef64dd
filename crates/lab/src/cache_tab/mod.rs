//! The Cache tab: a scenario becomes settings, a run in steps, and a report.

pub(crate) mod choose;
pub(crate) mod compose;
pub(crate) mod csv;
pub(crate) mod estimate;
pub(crate) mod names;
pub(crate) mod report;
pub(crate) mod run;
pub(crate) mod settings;
