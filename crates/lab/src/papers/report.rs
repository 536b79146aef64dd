//! The results of rows as plain data. The names of the fields are those of the JSON that the command line prints.

use super::row::{Paper, PaperRow};
use super::value::PaperValue;
use serde::{Deserialize, Serialize};

/// How a row came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "PaperVerdict"))]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// All values are equal, in the digits that were published.
    Exact,
    /// At least one value differs.
    Differs,
    /// Nothing can be compared.
    Cannot,
    /// Ours could not be computed.
    Failed,
}

impl Verdict {
    /// The word for people.
    pub fn word(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Differs => "differs",
            Self::Cannot => "cannot",
            Self::Failed => "failed",
        }
    }
}

/// A row that ran.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct PaperResult {
    /// The row.
    pub id: String,
    /// The key of the paper.
    pub paper: String,
    /// The place in the paper.
    pub item: String,
    /// What is compared.
    pub what: String,
    /// The unit of the values, or an empty text.
    pub unit: String,
    /// What the published values are: `printed`, `hardware`, `own` or `none`.
    #[cfg_attr(feature = "types", ts(type = "'printed' | 'hardware' | 'own' | 'none'"))]
    pub origin: String,
    /// Published and ours.
    pub values: Vec<PaperValue>,
    /// The largest difference, with its sign.
    pub worst: Option<f64>,
    /// A larger difference makes the row red. `None` where nothing can be compared.
    pub bound: Option<f64>,
    /// How it came out.
    pub verdict: Verdict,
    /// A difference is larger than the bound, or ours could not be computed.
    pub red: bool,
    /// The row is red where that is known, and not red elsewhere.
    pub expected: bool,
    /// Why values differ, or why nothing can be compared. It is empty for rows that must be exact.
    pub because: String,
    /// The hash of a link that opens the run, where there is one.
    pub link: Option<String>,
}

/// A row before it ran.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct PaperOutline {
    /// The row.
    pub id: &'static str,
    /// The key of the paper.
    pub paper: &'static str,
    /// The title of the paper.
    pub title: &'static str,
    /// The place in the paper.
    pub item: &'static str,
    /// What is compared.
    pub what: &'static str,
}

impl From<&PaperRow> for PaperOutline {
    fn from(row: &PaperRow) -> Self {
        Self { id: row.id, paper: row.paper.key(), title: row.paper.title(), item: row.item, what: row.what }
    }
}

/// How many rows came out how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct PaperTotals {
    /// Rows that ran.
    pub rows: usize,
    /// All values equal.
    pub exact: usize,
    /// A value differs.
    pub differs: usize,
    /// Nothing can be compared.
    pub cannot: usize,
    /// Ours could not be computed.
    pub failed: usize,
    /// Red.
    pub red: usize,
    /// Red where that is not known, or not red where it is.
    pub unexpected: usize,
}

/// All rows that ran.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct PaperReport {
    /// The counts.
    pub totals: PaperTotals,
    /// The rows in the order of the list.
    pub rows: Vec<PaperResult>,
}

impl PaperReport {
    /// Makes the report of rows, and counts them.
    pub fn new(rows: Vec<PaperResult>) -> Self {
        let mut totals = PaperTotals { rows: rows.len(), ..PaperTotals::default() };
        for row in &rows {
            match row.verdict {
                Verdict::Exact => totals.exact += 1,
                Verdict::Differs => totals.differs += 1,
                Verdict::Cannot => totals.cannot += 1,
                Verdict::Failed => totals.failed += 1,
            }
            totals.red += usize::from(row.red);
            totals.unexpected += usize::from(!row.expected);
        }
        Self { totals, rows }
    }

    /// The papers that have rows, each with its rows.
    pub(super) fn by_paper(&self) -> impl Iterator<Item = (Paper, Vec<&PaperResult>)> {
        let of = |paper: Paper| self.rows.iter().filter(|row| row.paper == paper.key()).collect::<Vec<_>>();
        Paper::ALL.into_iter().map(move |paper| (paper, of(paper))).filter(|(_, rows)| !rows.is_empty())
    }
}
