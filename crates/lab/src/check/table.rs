//! A CSV file with a header: its columns by name, and its rows with their line numbers.

use base::{excerpt, Diagnostic, Diagnostics, Severity};
use gpu::preset_id;
use std::collections::BTreeMap;

/// A table. Rows whose number of fields is not that of the header are left out, with a diagnostic.
pub(crate) struct Table {
    columns: BTreeMap<String, usize>,
    rows: Vec<(u64, Vec<String>)>,
    /// Messages about damaged rows.
    pub diagnostics: Vec<Diagnostic>,
    /// Rows that are left out.
    pub damaged: usize,
}

/// Why a row gives no case.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Refusal {
    /// A field that cannot be read: the column, what was expected, what it holds.
    Damaged(String, &'static str, String),
    /// The model or the project's texts have no such launch.
    NotModelled(&'static str),
}

/// A row of a table.
#[derive(Clone, Copy)]
pub(crate) struct Row<'a> {
    table: &'a Table,
    /// The line in the file, counted from 1.
    pub line: u64,
    fields: &'a [String],
}

impl Table {
    /// Reads a file.
    pub fn read(name: &str, bytes: &[u8]) -> Self {
        let mut diagnostics = Diagnostics::new(name);
        let mut reader = csv::ReaderBuilder::new().flexible(true).has_headers(false).from_reader(bytes);
        let (mut columns, mut rows, mut damaged) = (BTreeMap::new(), Vec::new(), 0);
        let mut record = csv::ByteRecord::new();
        let mut width = 0;
        while let Ok(true) = reader.read_byte_record(&mut record) {
            let line = record.position().map_or(0, csv::Position::line);
            let fields: Vec<String> = record.iter().map(|field| String::from_utf8_lossy(field).trim().into()).collect();
            if columns.is_empty() {
                width = fields.len();
                columns = fields.into_iter().enumerate().map(|(at, name)| (name, at)).collect();
            } else if fields.len() == width {
                rows.push((line, fields));
            } else {
                damaged += 1;
                let found = format!("{} fields", fields.len());
                let expected = format!("{width} fields, as the header has");
                diagnostics.add(Severity::Warning, Some(line), expected, found, "the row is left out");
            }
        }
        Self { columns, rows, diagnostics: diagnostics.into_vec(), damaged }
    }

    /// Whether the header has all of these columns.
    pub fn has_columns(&self, names: &[&str]) -> bool {
        names.iter().all(|name| self.columns.contains_key(*name))
    }

    /// The rows in the order of the file.
    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows.iter().map(|(line, fields)| Row { table: self, line: *line, fields })
    }
}

impl<'a> Row<'a> {
    /// The field of a column. It is empty if there is no such column.
    pub fn text(&self, column: &str) -> &'a str {
        self.table.columns.get(column).map_or("", |&at| &self.fields[at])
    }

    /// The number in a column, if it holds one.
    pub fn optional(&self, column: &str) -> Option<f64> {
        self.text(column).parse().ok().filter(|value: &f64| value.is_finite() && *value >= 0.0)
    }

    /// The number in a column.
    pub fn number(&self, column: &str) -> Result<f64, Refusal> {
        self.optional(column).ok_or_else(|| self.refuse(column, "a number that is not negative"))
    }

    /// The whole number in a column, 1 to 2²⁸.
    pub fn count(&self, column: &str) -> Result<u64, Refusal> {
        let number = self.text(column).parse().ok().filter(|value| (1..=1 << 28).contains(value));
        number.ok_or_else(|| self.refuse(column, "a whole number from 1 to 268,435,456"))
    }

    /// The preset of the GPU that the column `gpu` names.
    pub fn gpu(&self) -> Result<&'static str, Refusal> {
        preset_id(self.text("gpu")).ok_or(Refusal::NotModelled("no preset has the name of the GPU"))
    }

    /// The refusal of this row because of a column.
    pub fn refuse(&self, column: &str, expected: &'static str) -> Refusal {
        Refusal::Damaged(column.into(), expected, excerpt(self.text(column).as_bytes()))
    }
}

/// The whole numbers in a text, such as `4096x512` or `n=64 mask=5`.
pub(crate) fn numbers_in(text: &str) -> Vec<u64> {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect()
}
