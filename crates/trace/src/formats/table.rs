//! Tables of accesses as CSV, separated by commas, semicolons, tabs or blanks.
//!
//! In: lines with one access each. The caller chooses the columns of the address, the length and the kind, or the first
//! line names them (for example `address,size,rw`). Otherwise the columns are guessed from the first line, and a note
//! says so. Addresses are decimal. They are hexadecimal if they start with `0x`, if the name of the column contains
//! `hex`, or if the first address has letters. Out: an [`AddressStream`]. Lines that start with `#` are skipped.
//!
//! Not modelled: separators and line ends inside quotes.

use crate::canonical::stream::{AddressStream, StreamAccess, StreamKind};
use crate::formats::stream_reader::StreamParser;
use crate::formats::text::{decimal, hexadecimal, trim, Flaw, Line};
use crate::Format;
use base::{Diagnostics, Severity};

/// The columns of a table, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CsvColumns {
    /// Column of the address.
    pub address: usize,
    /// Column of the length in bytes.
    pub bytes: Option<usize>,
    /// Column of the kind, for example `R`, `W`, `load`, `store`, 0 (read), 1 (write) or 2 (fetch).
    pub kind: Option<usize>,
}

const HELP: &str = "the line was skipped; check which column is which";
const COLUMNS_MAX: usize = 64;
/// Bytes of the longest vector access. A larger number in the first line is not taken for a length.
const LIKELY_LENGTH_MAX: u64 = 128;

/// The separator and the columns of a table.
#[derive(Clone, Copy, Debug)]
struct Layout {
    separator: u8,
    columns: CsvColumns,
    /// Addresses without `0x` are hexadecimal.
    hexadecimal: bool,
}

#[derive(Default)]
pub(crate) struct TableParser {
    chosen: Option<CsvColumns>,
    layout: Option<Layout>,
    /// The first line names columns, and none of them has addresses.
    is_other: bool,
}

/// The separator of a line.
fn separator(line: &[u8]) -> u8 {
    let used = |separator: &&u8| line.contains(separator);
    b",;\t".iter().find(used).copied().unwrap_or(b' ')
}

/// The fields of a line, without the blanks and quotes around each.
fn split_fields(line: &[u8], separator: u8) -> impl Iterator<Item = &[u8]> {
    let blank = separator == b' ';
    let bare = |field| {
        let field = trim(field);
        let inside = field.strip_prefix(b"\"").and_then(|field| field.strip_suffix(b"\""));
        inside.unwrap_or(field)
    };
    line.split(move |&byte| byte == separator).map(bare).filter(move |field| !blank || !field.is_empty())
}

/// A number of a table. With `hex` it is hexadecimal even without `0x`.
fn parse_number(field: &[u8], hex: bool) -> Option<u64> {
    if hex || field.starts_with(b"0x") || field.starts_with(b"0X") {
        hexadecimal(field)
    } else {
        decimal(field)
    }
}

fn parse_kind(field: &[u8]) -> Option<StreamKind> {
    let is = |names: &[&str]| names.iter().any(|name| field.eq_ignore_ascii_case(name.as_bytes()));
    if is(&["r", "0", "l", "read", "load", "rd", "ld", "false"]) {
        Some(StreamKind::Load)
    } else if is(&["w", "1", "s", "write", "store", "wr", "st", "true"]) {
        Some(StreamKind::Store)
    } else if is(&["m", "rw", "modify", "update", "atomic", "rmw", "a"]) {
        Some(StreamKind::Modify)
    } else if is(&["i", "2", "f", "fetch", "ifetch", "instr", "exec", "x"]) {
        Some(StreamKind::Fetch)
    } else {
        None
    }
}

/// The layout by the names in a first line.
fn layout_by_names(line: &[u8], separator: u8) -> Option<Layout> {
    let names: Vec<String> = split_fields(line, separator)
        .take(COLUMNS_MAX)
        .map(|name| String::from_utf8_lossy(name).to_ascii_lowercase())
        .collect();
    let find = |wanted: &[&str]| names.iter().position(|name| wanted.contains(&name.as_str()));
    let address = find(&["address", "addr", "addr_hex", "address_hex", "vaddr", "paddr", "ea", "mem_addr", "memaddr"])
        .or_else(|| names.iter().position(|name| name.contains("addr") && !name.starts_with("0x")))?;
    let bytes = find(&["size", "bytes", "len", "length", "width", "access_size", "nbytes"]);
    let kind = find(&["rw", "r/w", "type", "op", "kind", "access", "access_type", "is_write", "write", "direction"]);
    let hexadecimal = names[address].contains("hex");
    Some(Layout { separator, columns: CsvColumns { address, bytes, kind }, hexadecimal })
}

/// The layout by the values in a first line without names. The address is the field with `0x`, or else a field with
/// hexadecimal letters, or else the largest number. A length is a power of two up to 128. A kind is a letter or a word.
fn layout_by_values(line: &[u8], separator: u8) -> Option<Layout> {
    let all: Vec<&[u8]> = split_fields(line, separator).take(COLUMNS_MAX).collect();
    let prefixed = |field: &&[u8]| field.starts_with(b"0x") && hexadecimal(field).is_some();
    let letters = |field: &&[u8]| field.len() >= 4 && hexadecimal(field).is_some() && decimal(field).is_none();
    let largest = || (0..all.len()).filter(|&i| decimal(all[i]).is_some()).max_by_key(|&i| decimal(all[i]));
    let address = all.iter().position(&prefixed).or_else(|| all.iter().position(&letters));
    let address = address.or_else(largest)?;
    let others = || (0..all.len()).filter(|&i| i != address);
    let length = |i: &usize| decimal(all[*i]).is_some_and(|n| n.is_power_of_two() && n <= LIKELY_LENGTH_MAX);
    let kinds = others().find(|&i| parse_kind(all[i]).is_some() && decimal(all[i]).is_none());
    let columns = CsvColumns { address, bytes: others().find(length), kind: kinds };
    Some(Layout { separator, columns, hexadecimal: letters(&all[address]) && !prefixed(&all[address]) })
}

/// True if a line has names of columns only. A number, a kind or a hexadecimal address without `0x` makes it an access.
fn has_names_only(line: &[u8], separator: u8) -> bool {
    let digits = |field: &[u8]| field.iter().any(u8::is_ascii_digit);
    let named = |field: &[u8]| {
        field.first().is_some_and(u8::is_ascii_alphabetic) && !(digits(field) && hexadecimal(field).is_some())
    };
    let other = |field: &[u8]| parse_kind(field).is_none() && hexadecimal(field).is_none();
    let fields = || split_fields(line, separator);
    separator != b' ' && fields().count() > 1 && fields().all(named) && fields().any(other)
}

/// True if `line` could be the first line of a table.
pub(crate) fn looks_like(line: &[u8]) -> bool {
    let separator = separator(line);
    if layout_by_names(line, separator).is_some() {
        return separator != b' ' || !line.contains(&b' ');
    }
    let plausible = |field: &[u8]| parse_number(field, false).is_some() || parse_kind(field).is_some();
    let address = |field: &[u8]| parse_number(field, false).is_some();
    !line.is_empty() && split_fields(line, separator).all(plausible) && split_fields(line, separator).any(address)
}

impl TableParser {
    pub fn with_columns(columns: CsvColumns) -> Self {
        Self { chosen: Some(columns), ..Self::default() }
    }

    /// Sets the layout by the first line. Returns true if the line has names and no access.
    fn read_first_line(&mut self, line: Line, diagnostics: &mut Diagnostics) -> bool {
        let separator = separator(line.bytes);
        let names = layout_by_names(line.bytes, separator);
        if let Some(columns) = self.chosen {
            let first = split_fields(line.bytes, separator).nth(columns.address).unwrap_or_default();
            let letters = parse_number(first, false).is_none() && hexadecimal(first).is_some();
            let named_hex = names.is_some_and(|layout| layout.hexadecimal);
            self.layout = Some(Layout { separator, columns, hexadecimal: letters || named_hex });
            return parse_number(first, letters).is_none();
        }
        if let Some(layout) = names {
            self.layout = Some(layout);
            return true;
        }
        if has_names_only(line.bytes, separator) {
            // Measured numbers in such a table would be taken for addresses.
            self.is_other = true;
            let help =
                "nothing of this table is read; if a column has addresses, name it `address`, or give its number";
            let flaw = Flaw { expected: "a column with addresses", found: line.bytes, help };
            flaw.report(Severity::Error, line.number, diagnostics);
            return true;
        }
        let Some(layout) = layout_by_values(line.bytes, separator) else {
            let help = "name the columns in the first line, for example `address,size,rw`, or give their numbers";
            let flaw = Flaw { expected: "a column with addresses", found: line.bytes, help };
            flaw.report(Severity::Warning, line.number, diagnostics);
            return true;
        };
        self.layout = Some(layout);
        if split_fields(line.bytes, separator).count() > 1 {
            let part = |name, column: Option<usize>| column.map_or(String::new(), |at| format!(", {name} {}", at + 1));
            let CsvColumns { address, bytes, kind } = layout.columns;
            let found = format!(
                "none; guessed: address in column {}{}{}",
                address + 1,
                part("length in", bytes),
                part("kind in", kind)
            );
            let help = "if that is wrong, name the columns in a first line, for example `address,size,rw`";
            diagnostics.add(Severity::Note, Some(line.number), "names of the columns", found, help);
        }
        false
    }

    #[inline]
    fn parse_access<'a>(layout: &Layout, line: Line<'a>) -> Result<StreamAccess, Flaw<'a>> {
        let CsvColumns { address, bytes, kind: kinds } = layout.columns;
        let (mut found, none) = ([b"".as_slice(); 3], usize::MAX);
        let wanted = [address, bytes.unwrap_or(none), kinds.unwrap_or(none)];
        for (column, field) in split_fields(line.bytes, layout.separator).enumerate() {
            for (slot, wanted) in found.iter_mut().zip(wanted) {
                if column == wanted {
                    *slot = field;
                }
            }
        }
        let flaw = |expected, found| Flaw { expected, found, help: HELP };
        let address = parse_number(found[0], layout.hexadecimal).ok_or_else(|| {
            let letters = hexadecimal(found[0]).is_some();
            let help = "the line was skipped; write `0x` before hexadecimal addresses";
            let flaw = flaw("an address", found[0]);
            Flaw { help: if letters { help } else { HELP }, ..flaw }
        })?;
        let length = || parse_number(found[1], false).and_then(|n| u32::try_from(n).ok());
        let bytes = match bytes {
            Some(_) => length().ok_or_else(|| flaw("a length in bytes", found[1]))?,
            None => 0,
        };
        let kind = match kinds {
            Some(_) => parse_kind(found[2]).ok_or_else(|| flaw("a kind such as `R` or `W`", found[2]))?,
            None => StreamKind::Load,
        };
        Ok(StreamAccess { address, bytes, kind })
    }
}

impl StreamParser for TableParser {
    const FORMAT: Format = Format::Csv;
    const EXAMPLE: &'static str = "a table such as `address,size,rw`, one access per line";

    #[inline]
    fn parse_line(&mut self, line: Line, stream: &mut AddressStream, diagnostics: &mut Diagnostics) {
        let line = Line { bytes: line.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line.bytes), ..line };
        if self.is_other || line.bytes.is_empty() || line.bytes[0] == b'#' {
            return;
        }
        if self.layout.is_none() && self.read_first_line(line, diagnostics) {
            return;
        }
        let Some(layout) = &self.layout else { return };
        match Self::parse_access(layout, line) {
            Ok(access) => stream.push_access(access),
            Err(flaw) => flaw.report(Severity::Warning, line.number, diagnostics),
        }
    }
}
