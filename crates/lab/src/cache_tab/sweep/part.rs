//! The file of a part of a sweep. Jobs on several machines each run a part of the points and write such a file, and
//! another job merges them.

use super::axis::SweepAxis;
use super::plan::SweepPlan;
use super::table::{SweepRow, SweepTable};
use crate::scenario::Scenario;
use base::Diagnostic;
use serde::{Deserialize, Serialize};

/// The value of the file's field `kind`.
const KIND: &str = "warpscope sweep part";
const VERSION: u32 = 1;

/// Some of the rows of a sweep, with what tells whether parts belong together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SweepPart {
    kind: String,
    version: u32,
    /// The scenario around which the axes vary, with the hashes of its files.
    base: Scenario,
    axes: Vec<SweepAxis>,
    /// The number of points in the whole sweep.
    points: usize,
    rows: Vec<SweepRow>,
}

impl SweepPart {
    /// Makes the part of a sweep that has these rows.
    pub fn new(plan: &SweepPlan, rows: Vec<SweepRow>) -> Self {
        let (base, axes) = (plan.base().clone(), plan.axes().to_vec());
        Self { kind: KIND.into(), version: VERSION, base, axes, points: plan.points(), rows }
    }

    /// The points of part `part` of `of`, both counted from 1. Neighbouring points go to different parts, because their
    /// runs take about as long.
    pub fn points(plan: &SweepPlan, part: u64, of: u64) -> impl Iterator<Item = usize> {
        let step = usize::try_from(of).unwrap_or(usize::MAX);
        (usize::try_from(part - 1).unwrap_or(usize::MAX)..plan.points()).step_by(step)
    }

    /// Says whether a file holds such a part, so that a merge knows what it merges.
    pub fn is_one(text: &[u8]) -> bool {
        #[derive(Deserialize)]
        struct Head {
            kind: String,
        }
        serde_json::from_slice::<Head>(text).is_ok_and(|head| head.kind == KIND)
    }

    /// Writes the text of the file.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if it cannot be written as JSON, which would be a defect.
    pub fn to_json(&self) -> Result<String, Diagnostic> {
        serde_json::to_string(self).map_err(|e| wrong("part", "a part that can be written", &e.to_string()))
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if the text is no such part, or if a row does not fit its axes.
    pub fn from_json(name: &str, text: &[u8]) -> Result<Self, Diagnostic> {
        let part: Self = serde_json::from_slice(text)
            .map_err(|e| wrong(name, "a part that `sweep --part` wrote", &e.to_string()))?;
        if part.kind != KIND || part.version != VERSION {
            let found = format!("{}, version {}", part.kind, part.version);
            return Err(wrong(name, &format!("{KIND}, version {VERSION}"), &found));
        }
        let points = part.axes.iter().try_fold(1usize, |n, axis| n.checked_mul(axis.values.len()));
        if points != Some(part.points) {
            return Err(wrong(name, "as many points as its axes give", &part.points.to_string()));
        }
        let fits =
            |row: &SweepRow| (1..=part.points).contains(&(row.point as usize)) && row.values.len() == part.axes.len();
        match part.rows.iter().find(|row| !fits(row)) {
            Some(row) => Err(wrong(name, "rows that fit the axes", &format!("point {}", row.point))),
            None => Ok(part),
        }
    }

    /// Puts parts together, in any order.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if they are not of one sweep, or if a point stands in two of them.
    pub fn merge(parts: Vec<Self>) -> Result<Self, Diagnostic> {
        let mut parts = parts.into_iter();
        let mut merged = parts.next().ok_or_else(|| wrong("merge", "at least one part", "none"))?;
        for part in parts {
            if part.base != merged.base || part.axes != merged.axes {
                return Err(wrong("merge", "parts of one sweep", "other files, other settings or other values"));
            }
            merged.rows.extend(part.rows);
        }
        base::sort_by_key(&mut merged.rows, |row| row.point);
        match merged.rows.windows(2).find(|pair| pair[0].point == pair[1].point) {
            Some(pair) => Err(wrong("merge", "each point once", &format!("point {} twice", pair[0].point))),
            None => Ok(merged),
        }
    }

    /// True if all points of the sweep are there.
    pub fn is_whole(&self) -> bool {
        self.rows.len() == self.points
    }

    /// How many points are there.
    pub fn place(&self) -> String {
        format!("{} of {} points", self.rows.len(), self.points)
    }

    /// The table of its rows.
    pub fn into_table(self) -> SweepTable {
        SweepTable { axes: self.axes, rows: self.rows }
    }
}

fn wrong(name: &str, expected: &str, found: &str) -> Diagnostic {
    Diagnostic::error(name, expected, found, "give parts that `warpscope sweep --part` wrote for one sweep")
}
