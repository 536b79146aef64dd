//! The file of a partition. Jobs on several machines each analyse a part of a stream and write such a file, and another
//! job merges them.

use crate::reuse_tab::analyse::{merge_partitions, part_range, Partition};
use base::Diagnostic;
use reuse::{Histogram, PartitionSummary};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The value of the file's field `kind`.
const KIND: &str = "warpscope reuse partition";
const VERSION: u32 = 1;

/// A partition with its position in the stream.
#[derive(Clone, Debug, PartialEq)]
pub struct PartitionFile {
    /// The first and the last part that it covers, counted from 1.
    pub parts: (u64, u64),
    /// The number of parts in the whole stream.
    pub of: u64,
    /// The line size in bytes. Parts with different line sizes cannot be merged.
    pub line_bytes: u64,
    /// The partition.
    pub partition: Partition,
}

#[derive(Serialize, Deserialize)]
struct Stored {
    kind: String,
    version: u32,
    parts: (u64, u64),
    of: u64,
    line_bytes: u64,
    accesses: u64,
    /// Accesses by distance as text, as in every report. The key of first accesses is `inf`.
    histogram: BTreeMap<String, u64>,
    firsts: Vec<u64>,
    recents: Vec<u64>,
}

impl PartitionFile {
    /// Writes the text of the file.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if it cannot be written as JSON, which would be a defect.
    pub fn to_json(&self) -> Result<String, Diagnostic> {
        let summary = &self.partition.summary;
        let mut histogram = base::map_of(summary.histogram.iter().map(|(d, count)| (d.to_string(), count)));
        histogram.insert("inf".into(), summary.histogram.infinite());
        let stored = Stored {
            kind: KIND.into(),
            version: VERSION,
            parts: self.parts,
            of: self.of,
            line_bytes: self.line_bytes,
            accesses: self.partition.accesses,
            histogram,
            firsts: summary.firsts.clone(),
            recents: summary.recents.clone(),
        };
        serde_json::to_string(&stored)
            .map_err(|e| wrong("partition", "a partition that can be written", &e.to_string()))
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if the text is not a valid partition. A partition that passes these checks can be merged.
    pub fn from_json(name: &str, text: &[u8]) -> Result<Self, Diagnostic> {
        let stored: Stored =
            serde_json::from_slice(text).map_err(|e| wrong(name, "a partition that `--part` wrote", &e.to_string()))?;
        if stored.kind != KIND || stored.version != VERSION {
            let found = format!("{}, version {}", stored.kind, stored.version);
            return Err(wrong(name, &format!("{KIND}, version {VERSION}"), &found));
        }
        let total = stored.histogram.values().try_fold(0u64, |sum, &count| sum.checked_add(count));
        if total != Some(stored.accesses) {
            return Err(wrong(name, "counts that add up to its accesses", &format!("{} accesses", stored.accesses)));
        }
        let mut histogram = Histogram::default();
        for (distance, &count) in &stored.histogram {
            let distance = match distance.as_str() {
                "inf" => None,
                d => Some(d.parse().ok().filter(|&d: &u32| (d as usize) < stored.firsts.len()).ok_or_else(|| {
                    wrong(name, "distances below the number of distinct lines", &format!("`{distance}`"))
                })?),
            };
            histogram.add_many(distance, count);
        }
        let summary = PartitionSummary { histogram, firsts: stored.firsts, recents: stored.recents };
        if !summary.is_sound() {
            return Err(wrong(name, "the same distinct lines in `firsts` and `recents`", "lists that do not fit"));
        }
        let partition = Partition { accesses: stored.accesses, summary };
        Ok(Self { parts: stored.parts, of: stored.of, line_bytes: stored.line_bytes, partition })
    }

    /// Sorts and merges partitions.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if they are not adjacent parts of one stream, as far as their numbers and lengths tell.
    pub fn merge(mut files: Vec<Self>) -> Result<Self, Diagnostic> {
        base::sort_by_key(&mut files, |file| file.parts);
        for pair in files.windows(2) {
            let (a, b) = (&pair[0], &pair[1]);
            if a.of != b.of || a.line_bytes != b.line_bytes || a.parts.1.checked_add(1) != Some(b.parts.0) {
                let found = format!("{}, then {}", a.place(), b.place());
                return Err(wrong("merge", "neighbouring parts of one stream", &found));
            }
        }
        let total = files.iter().try_fold(0u64, |sum, file| sum.checked_add(file.partition.accesses));
        let total = total.ok_or_else(|| wrong("merge", "fewer than 2^64 accesses", "more"))?;
        // Parts of another stream may have another length.
        let whole = files.first().zip(files.last()).is_some_and(|(a, b)| (a.parts.0, b.parts.1) == (1, b.of));
        let length = |file: &Self| {
            let start = part_range(total, file.parts.0, file.of).start;
            part_range(total, file.parts.1, file.of).end.saturating_sub(start)
        };
        if let Some(file) = files.iter().find(|file| whole && file.partition.accesses != length(file)) {
            let expected = format!("{} of {total} accesses in {}", length(file), file.place());
            return Err(wrong("merge", &expected, &format!("{}", file.partition.accesses)));
        }
        let ends = files.first().zip(files.last()).map(|(a, b)| ((a.parts.0, b.parts.1), a.of, a.line_bytes));
        let (parts, of, line_bytes) = ends.ok_or_else(|| wrong("merge", "at least one part", "none"))?;
        let partition = merge_partitions(files.into_iter().map(|file| file.partition).collect());
        Ok(Self { parts, of, line_bytes, partition })
    }

    /// True if the partition covers the whole stream.
    pub fn is_whole(&self) -> bool {
        self.parts == (1, self.of)
    }

    /// Describes the position in words, for messages.
    pub fn place(&self) -> String {
        format!("parts {}-{} of {} with lines of {} bytes", self.parts.0, self.parts.1, self.of, self.line_bytes)
    }
}

fn wrong(file: &str, expected: &str, found: &str) -> Diagnostic {
    Diagnostic::error(file, expected, found, "write the parts again with `warpscope reuse --part K/OF -o part.json`")
}
