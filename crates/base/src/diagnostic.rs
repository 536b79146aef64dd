//! Messages to a person about their input.
//!
//! A parser does not panic and does not stop at the first flaw. It returns the part of the input that it could read,
//! together with [`Diagnostics`]. A diagnostic names the file and the line, what the parser expected, what it found,
//! and what the person can do.

use serde::{Deserialize, Serialize};
use std::fmt;

/// What the flaw did to the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The parser lost nothing, but the person should know something.
    Note,
    /// The parser skipped or assumed part of the input.
    Warning,
    /// The input gave no usable result.
    Error,
}

/// One message about one line of the input, or about a whole file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Diagnostic {
    /// What the flaw did to the input.
    pub severity: Severity,
    /// Name of the file as the person gave it.
    pub file: String,
    /// One-based line, when the format has lines.
    pub line: Option<u64>,
    /// What the grammar allows here.
    pub expected: String,
    /// What the input holds there, shortened by [`excerpt`].
    pub found: String,
    /// What the parser did about it, or what the person can do. It may be empty.
    pub help: String,
}

impl Diagnostic {
    /// An error about `file` as a whole.
    pub fn error(
        file: impl Into<String>,
        expected: impl Into<String>,
        found: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        let [file, expected, found, help] = [file.into(), expected.into(), found.into(), help.into()];
        Self { severity: Severity::Error, file, line: None, expected, found, help }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        write!(f, "{}", self.file)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, ": {severity}: expected {}, found {}", self.expected, self.found)?;
        if !self.help.is_empty() {
            write!(f, "; {}", self.help)?;
        }
        Ok(())
    }
}

/// The diagnostics of one file. A file with a million bad lines must not fill memory or the screen, so only the first
/// [`Diagnostics::KEPT`] messages are kept. The rest is counted.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    file: String,
    kept: Vec<Diagnostic>,
    dropped: u64,
    dropped_worst: Option<Severity>,
}

impl Diagnostics {
    /// Most messages that are kept for a file.
    pub const KEPT: usize = 50;

    /// An empty list for messages about `file`.
    pub fn new(file: impl Into<String>) -> Self {
        Self { file: file.into(), ..Self::default() }
    }

    /// Adds a message about `line` (one-based) of this file.
    pub fn add(
        &mut self,
        severity: Severity,
        line: Option<u64>,
        expected: impl Into<String>,
        found: impl Into<String>,
        help: impl Into<String>,
    ) {
        let file = self.file.clone();
        self.push(Diagnostic {
            severity,
            file,
            line,
            expected: expected.into(),
            found: found.into(),
            help: help.into(),
        });
    }

    /// Adds a message about any file, such as one that this file includes.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if self.kept.len() == Self::KEPT {
            self.dropped += 1;
            self.dropped_worst = self.dropped_worst.max(Some(diagnostic.severity));
            return;
        }
        self.kept.push(diagnostic);
    }

    /// True when a message of at least `severity` was added.
    pub fn any(&self, severity: Severity) -> bool {
        self.kept.iter().any(|d| d.severity >= severity) || self.dropped_worst >= Some(severity)
    }

    /// The messages. If some were dropped, a last message gives their number.
    pub fn into_vec(mut self) -> Vec<Diagnostic> {
        if let Some(severity) = self.dropped_worst {
            self.kept.push(Diagnostic {
                severity,
                file: self.file,
                line: None,
                expected: format!("at most {} messages", Self::KEPT),
                found: format!("{} more", self.dropped),
                help: "fix the first ones and load the file again".into(),
            });
        }
        self.kept
    }
}

/// A short printable form of raw input for [`Diagnostic::found`]. It has at most 40 characters, and control bytes are
/// escaped.
pub fn excerpt(bytes: &[u8]) -> String {
    const LIMIT: usize = 40;
    if bytes.is_empty() {
        return "nothing".into();
    }
    let head: String = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * LIMIT)])
        .chars()
        .flat_map(|c| if c.is_control() { c.escape_default().collect::<Vec<_>>() } else { vec![c] })
        .take(LIMIT)
        .collect();
    let more = if head.len() < bytes.len() && head.chars().count() == LIMIT { "…" } else { "" };
    format!("`{head}{more}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_of_messages_is_counted_not_kept() {
        let mut bag = Diagnostics::new("a.trc");
        for line in 0..1000 {
            bag.add(Severity::Warning, Some(line), "4 fields", "3", "");
        }
        let all = bag.into_vec();
        assert_eq!(all.len(), Diagnostics::KEPT + 1);
        assert!(all.last().is_some_and(|d| d.found.starts_with("950 more")));
    }

    #[test]
    fn excerpts_are_short_and_printable() {
        assert_eq!(excerpt(b"\x00\x01"), "`\\u{0}\\u{1}`");
        assert!(excerpt(&[b'a'; 10_000]).chars().count() < 50);
        assert_eq!(excerpt(b""), "nothing");
    }
}
