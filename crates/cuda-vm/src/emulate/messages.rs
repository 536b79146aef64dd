//! The messages of a run: which file and line they are about, and what helps.

use crate::emulate::Emulation;
use base::{Diagnostic, Severity};
use cuda::{is_known, own_place, Pos, TextFault};

/// What to do about a header that is not there.
const HEADER_HELP: &str = "at the terminal name its folder with `-I DIR`, on the page drop it together with this file";
/// Number of includes that a message names.
const INCLUDES_TOLD: usize = 4;

impl Emulation {
    pub(super) fn error(&mut self, fault: &TextFault) {
        let column = if fault.pos.column > 0 { format!(" in column {}", fault.pos.column) } else { String::new() };
        let found = format!("{}{column}", fault.found);
        let help = format!("{}{}{}", fault.help, self.assumed_types_note(fault), self.own_includes_note(fault));
        self.tell(Severity::Error, fault.pos.line, &fault.expected, &found, &help);
        if self.out.position.is_none() && fault.pos.line > 0 && own_place(fault.pos.line).is_none() {
            self.out.position = Some((fault.pos.line, fault.pos.column));
        }
    }

    /// Names the included files that may declare what a fault misses. Those in quotes belong to the program.
    fn own_includes_note(&self, fault: &TextFault) -> String {
        let own: Vec<&str> = self.out.skipped.iter().filter_map(|part| part.what.strip_prefix("include of ")).collect();
        let own: Vec<&str> = own.into_iter().filter(|name| name.starts_with('"')).take(INCLUDES_TOLD).collect();
        if own.is_empty() || !fault.help.contains("included files") {
            return String::new();
        }
        format!("; this file includes {}, which is not there: {HEADER_HELP}", own.join(", "))
    }

    pub(super) fn warn(&mut self, line: u32, expected: &str, found: &str, help: &str) {
        self.tell(Severity::Warning, line, expected, found, help);
    }

    /// Adds a message about a line of the text, or of the file in the text that has the line.
    pub(super) fn tell(&mut self, severity: Severity, line: u32, expected: &str, found: &str, help: &str) {
        let own = own_place(line);
        let (file, line) = match (&own, self.files.find(line)) {
            (Some((header, line)), _) => (header.clone(), Some(u64::from(*line))),
            (None, Some((file, line))) => (file.to_string(), Some(u64::from(line))),
            (None, None) => (self.name.clone(), (line > 0).then_some(u64::from(line))),
        };
        let (expected, found, help) = (expected.into(), found.into(), help.into());
        self.diagnostics.push(Diagnostic { severity, file, line, expected, found, help });
    }

    /// Says that tensor cores are not computed.
    pub(super) fn note_matrix_products(&mut self, text: &str) {
        let Some(at) = ["mma_sync(", "mma.sync"].iter().filter_map(|word| text.find(word)).min() else { return };
        let line = text[..at].matches('\n').count() as u32 + 1;
        let found = "a product of matrices, which is not computed";
        let help = "accesses and their order are right; do not use the values of the result";
        self.tell(Severity::Note, line, "accesses of tensor cores", found, help);
    }

    /// Warns of files of the program that are not there.
    pub(super) fn warn_missing_headers(&mut self, includes: &[(Pos, String)]) {
        let own = includes.iter().filter(|(_, name)| name.starts_with('"') && !is_known(name.trim_matches('"')));
        let own: Vec<&(Pos, String)> = own.collect();
        if let [(pos, _), ..] = &own[..] {
            let names: Vec<&str> = own.iter().map(|(_, name)| &**name).take(INCLUDES_TOLD).collect();
            let more = if own.len() > INCLUDES_TOLD {
                format!(" and {} more", own.len() - INCLUDES_TOLD)
            } else {
                String::new()
            };
            self.warn(pos.line, "the included files", &format!("no {}{more}", names.join(", ")), HEADER_HELP);
        }
    }
}
