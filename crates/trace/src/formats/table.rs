//! Tables of accesses as CSV, separated by commas, semicolons, tabs or blanks.
//!
//! In: lines with one access each. Which column holds the address, the length and the kind, the first line says
//! (`address,size,rw` and the like) or whoever loads the file; without either it is guessed from the first line and told.
//! Addresses are decimal, or hexadecimal with `0x`, in a column named `…hex`, or where the first one has letters.
//! Out: an [`AddressStream`]. Lines that start with `#` are skipped.
//!
//! Not modelled: separators and line ends inside quotes.

use crate::canonical::stream::{finish, AddressStream, StreamAccess, StreamKind};
use crate::formats::reader::Reader;
use crate::formats::text::{decimal, hexadecimal, trim, Flaw, Line};
use crate::{FileContent, Format};
use base::{Diagnostics, Severity};

/// Where a table has what, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CsvColumns {
    /// Column of the address.
    pub address: usize,
    /// Column of the length in bytes.
    pub bytes: Option<usize>,
    /// Column of the kind: `R`, `W`, `load`, `store`, 0 (read), 1 (write), 2 (fetch) and the like.
    pub kind: Option<usize>,
}

const HELP: &str = "the line was skipped; check which column is which";
const COLUMNS_MAX: usize = 64;
/// Longest vector access, and the most a first line's number may be to pass for a length.
const LENGTH_LIKELY: u64 = 128;

/// How a table is read.
#[derive(Clone, Copy, Debug)]
struct Layout {
    separator: u8,
    columns: CsvColumns,
    /// Addresses without `0x` are hexadecimal.
    hexadecimal: bool,
}

pub(crate) struct TableReader {
    stream: AddressStream,
    chosen: Option<CsvColumns>,
    layout: Option<Layout>,
}

/// Separator that a line uses.
fn separator(line: &[u8]) -> u8 {
    let used = |separator: &&u8| line.contains(separator);
    b",;\t".iter().find(used).copied().unwrap_or(b' ')
}

/// The fields of a line without blanks and quotes around them.
fn fields(line: &[u8], separator: u8) -> impl Iterator<Item = &[u8]> {
    let blank = separator == b' ';
    let bare = |field| {
        let field = trim(field);
        let inside = field.strip_prefix(b"\"").and_then(|field| field.strip_suffix(b"\""));
        inside.unwrap_or(field)
    };
    line.split(move |&byte| byte == separator).map(bare).filter(move |field| !blank || !field.is_empty())
}

/// A number as a table may write it, `0x` included.
fn number(field: &[u8], hex: bool) -> Option<u64> {
    if hex || field.starts_with(b"0x") || field.starts_with(b"0X") {
        hexadecimal(field)
    } else {
        decimal(field)
    }
}

fn kind(field: &[u8]) -> Option<StreamKind> {
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

/// Columns by the names in a first line.
fn named(line: &[u8], separator: u8) -> Option<Layout> {
    let names: Vec<String> = fields(line, separator)
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

/// Columns by what a first line without names holds: the address is what has `0x`, else the largest number; a length is a
/// power of two up to 128; a kind is a letter or a word.
fn guessed(line: &[u8], separator: u8) -> Option<Layout> {
    let all: Vec<&[u8]> = fields(line, separator).take(COLUMNS_MAX).collect();
    let prefixed = |field: &&[u8]| field.starts_with(b"0x") && hexadecimal(field).is_some();
    let letters = |field: &&[u8]| field.len() >= 4 && hexadecimal(field).is_some() && decimal(field).is_none();
    let largest = || (0..all.len()).filter(|&i| decimal(all[i]).is_some()).max_by_key(|&i| decimal(all[i]));
    let address = all.iter().position(&prefixed).or_else(|| all.iter().position(&letters));
    let address = address.or_else(largest)?;
    let others = || (0..all.len()).filter(|&i| i != address);
    let length = |i: &usize| decimal(all[*i]).is_some_and(|n| n.is_power_of_two() && n <= LENGTH_LIKELY);
    let kinds = others().find(|&i| kind(all[i]).is_some() && decimal(all[i]).is_none());
    let columns = CsvColumns { address, bytes: others().find(length), kind: kinds };
    Some(Layout { separator, columns, hexadecimal: letters(&all[address]) && !prefixed(&all[address]) })
}

/// True when `line`, the first of a file, could start a table.
pub(crate) fn looks_like(line: &[u8]) -> bool {
    let separator = separator(line);
    if named(line, separator).is_some() {
        return separator != b' ' || !line.contains(&b' ');
    }
    let plausible = |field: &[u8]| number(field, false).is_some() || kind(field).is_some();
    let address = |field: &[u8]| number(field, false).is_some();
    !line.is_empty() && fields(line, separator).all(plausible) && fields(line, separator).any(address)
}

impl TableReader {
    pub fn new(name: &str) -> Self {
        Self { stream: AddressStream::new(name), chosen: None, layout: None }
    }

    pub fn with_columns(name: &str, columns: CsvColumns) -> Self {
        Self { chosen: Some(columns), ..Self::new(name) }
    }

    /// Takes the first line; true when it holds names and no access.
    fn begin(&mut self, line: Line, diagnostics: &mut Diagnostics) -> bool {
        let separator = separator(line.bytes);
        let names = named(line.bytes, separator);
        if let Some(columns) = self.chosen {
            let first = fields(line.bytes, separator).nth(columns.address).unwrap_or_default();
            let letters = number(first, false).is_none() && hexadecimal(first).is_some();
            let named_hex = names.is_some_and(|layout| layout.hexadecimal);
            self.layout = Some(Layout { separator, columns, hexadecimal: letters || named_hex });
            return number(first, letters).is_none();
        }
        if let Some(layout) = names {
            self.layout = Some(layout);
            return true;
        }
        let Some(layout) = guessed(line.bytes, separator) else {
            let help = "name the columns in the first line, for example `address,size,rw`, or give their numbers";
            let flaw = Flaw { expected: "a column with addresses", found: line.bytes, help };
            flaw.report(Severity::Warning, line.number, diagnostics);
            return true;
        };
        self.layout = Some(layout);
        if fields(line.bytes, separator).count() > 1 {
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
    fn access<'a>(layout: &Layout, line: Line<'a>) -> Result<StreamAccess, Flaw<'a>> {
        let CsvColumns { address, bytes, kind: kinds } = layout.columns;
        let (mut found, none) = ([b"".as_slice(); 3], usize::MAX);
        let wanted = [address, bytes.unwrap_or(none), kinds.unwrap_or(none)];
        for (column, field) in fields(line.bytes, layout.separator).enumerate() {
            for (slot, wanted) in found.iter_mut().zip(wanted) {
                if column == wanted {
                    *slot = field;
                }
            }
        }
        let flaw = |expected, found| Flaw { expected, found, help: HELP };
        let address = number(found[0], layout.hexadecimal).ok_or_else(|| {
            let letters = hexadecimal(found[0]).is_some();
            let help = "the line was skipped; write `0x` before hexadecimal addresses";
            let flaw = flaw("an address", found[0]);
            Flaw { help: if letters { help } else { HELP }, ..flaw }
        })?;
        let length = || number(found[1], false).and_then(|n| u32::try_from(n).ok());
        let bytes = match bytes {
            Some(_) => length().ok_or_else(|| flaw("a length in bytes", found[1]))?,
            None => 0,
        };
        let kind = match kinds {
            Some(_) => kind(found[2]).ok_or_else(|| flaw("a kind such as `R` or `W`", found[2]))?,
            None => StreamKind::Load,
        };
        Ok(StreamAccess { address, bytes, kind })
    }
}

impl Reader for TableReader {
    #[inline]
    fn line(&mut self, line: Line, diagnostics: &mut Diagnostics) {
        let line = Line { bytes: line.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line.bytes), ..line };
        if line.bytes.is_empty() || line.bytes[0] == b'#' {
            return;
        }
        if self.layout.is_none() && self.begin(line, diagnostics) {
            return;
        }
        let Some(layout) = &self.layout else { return };
        match Self::access(layout, line) {
            Ok(access) => self.stream.push(access),
            Err(flaw) => flaw.report(Severity::Warning, line.number, diagnostics),
        }
    }

    fn heap_bytes(&self) -> usize {
        self.stream.heap_bytes()
    }

    fn keeps(&self) -> &'static str {
        "addresses"
    }

    fn stream(&mut self) -> Option<&mut AddressStream> {
        Some(&mut self.stream)
    }

    fn finish(self: Box<Self>, content: &mut FileContent, diagnostics: &mut Diagnostics) {
        finish(
            self.stream,
            Format::Csv,
            "a table such as `address,size,rw`, one access per line",
            content,
            diagnostics,
        );
    }
}
