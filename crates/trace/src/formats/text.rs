//! Lines, fields and numbers of text formats. The functions work on bytes, without copies, UTF-8 checks and allocations
//! per line.
//!
//! In: chunks of any size. Out: whole lines with their one-based numbers, and their fields and numbers. A line has at
//! most [`LINE_LIMIT`] bytes. A longer line is skipped in constant memory and reported.

use base::{excerpt, Diagnostics, Severity};
use memchr::memchr;

/// Longest line that is read. A warp access in the widest format has about 700 bytes.
pub(crate) const LINE_LIMIT: usize = 1 << 20;

/// Cuts chunks into lines and keeps the unfinished line for the next chunk.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    carry: Vec<u8>,
    number: u64,
    skipping: bool,
}

impl Lines {
    /// Number of complete lines so far.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Drops the unfinished line.
    pub fn drop_unfinished(&mut self) {
        (self.carry, self.skipping) = (Vec::new(), false);
    }

    /// Calls `line` for every line that `bytes` completes, without its line end.
    pub fn push_bytes(
        &mut self,
        mut bytes: &[u8],
        diagnostics: &mut Diagnostics,
        mut line: impl FnMut(Line, &mut Diagnostics),
    ) {
        while let Some(end) = memchr(b'\n', bytes) {
            let (piece, rest) = (&bytes[..end], &bytes[end + 1..]);
            bytes = rest;
            if self.carry.is_empty() && !self.skipping && piece.len() <= LINE_LIMIT {
                self.number += 1;
                line(Line { number: self.number, bytes: trim(piece) }, diagnostics);
            } else {
                self.extend_carry(piece, diagnostics);
                self.complete_line(diagnostics, &mut line);
            }
        }
        self.extend_carry(bytes, diagnostics);
    }

    /// Calls `line` for the last line if it has no line end.
    pub fn finish(&mut self, diagnostics: &mut Diagnostics, mut line: impl FnMut(Line, &mut Diagnostics)) {
        if !self.carry.is_empty() {
            self.complete_line(diagnostics, &mut line);
        }
        self.carry = Vec::new();
    }

    fn extend_carry(&mut self, piece: &[u8], diagnostics: &mut Diagnostics) {
        if self.skipping {
            return;
        }
        if self.carry.len() + piece.len() > LINE_LIMIT {
            let head = if self.carry.is_empty() { piece } else { &self.carry };
            diagnostics.add(
                Severity::Warning,
                Some(self.number + 1),
                "lines of at most 1 MiB",
                format!("a longer one that starts with {}", excerpt(head)),
                "the line was skipped; check that the file is text with line ends",
            );
            self.skipping = true;
            self.carry.clear();
        } else {
            self.carry.extend_from_slice(piece);
        }
    }

    fn complete_line(&mut self, diagnostics: &mut Diagnostics, line: &mut impl FnMut(Line, &mut Diagnostics)) {
        self.number += 1;
        if !self.skipping {
            line(Line { number: self.number, bytes: trim(&self.carry) }, diagnostics);
        }
        self.skipping = false;
        self.carry.clear();
    }
}

/// One line of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    /// Number of the line, from 1.
    pub number: u64,
    /// The line without its end and without blanks around it.
    pub bytes: &'a [u8],
}

impl<'a> Line<'a> {
    pub fn fields(self) -> Fields<'a> {
        Fields { rest: self.bytes }
    }
}

/// The reason why a line cannot be read. [`Flaw::report`] makes a message of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Flaw<'a> {
    pub expected: &'static str,
    pub found: &'a [u8],
    pub help: &'static str,
}

impl Flaw<'_> {
    pub fn report(self, severity: Severity, line: u64, diagnostics: &mut Diagnostics) {
        let found = if self.found.is_empty() { "the end of the line".into() } else { excerpt(self.found) };
        diagnostics.add(severity, Some(line), self.expected, found, self.help);
    }
}

/// The fields of a line, separated by blanks. After the last field come empty ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields<'a> {
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    #[inline]
    pub fn next_field(&mut self) -> &'a [u8] {
        let bytes = self.rest;
        let mut start = 0;
        while start < bytes.len() && bytes[start] <= b' ' {
            start += 1;
        }
        let mut end = start;
        while end < bytes.len() && bytes[end] > b' ' {
            end += 1;
        }
        self.rest = &bytes[end..];
        &bytes[start..end]
    }
}

/// `bytes` without blanks and carriage returns at the end.
#[inline]
pub(crate) fn trim_end(mut bytes: &[u8]) -> &[u8] {
    while let [head @ .., last] = bytes {
        if *last > b' ' {
            break;
        }
        bytes = head;
    }
    bytes
}

/// `bytes` without blanks at both ends.
#[inline]
pub(crate) fn trim(bytes: &[u8]) -> &[u8] {
    let start = bytes.iter().position(|&b| b > b' ').unwrap_or(bytes.len());
    trim_end(&bytes[start..])
}

/// The value of an unsigned decimal number.
#[inline]
pub(crate) fn decimal(field: &[u8]) -> Option<u64> {
    if field.is_empty() || field.len() > 19 {
        return long_decimal(field);
    }
    let mut value = 0u64;
    for &byte in field {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = value * 10 + u64::from(digit);
    }
    Some(value)
}

#[cold]
fn long_decimal(field: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(field).ok()?;
    if text.starts_with('+') {
        return None;
    }
    text.parse().ok()
}

/// The value of a decimal number with an optional minus sign.
#[inline]
pub(crate) fn signed(field: &[u8]) -> Option<i64> {
    match field {
        [b'-', digits @ ..] => decimal(digits).and_then(|n| 0i64.checked_sub_unsigned(n)),
        digits => decimal(digits).and_then(|n| i64::try_from(n).ok()),
    }
}

const NOT_HEX: u8 = 0xff;

const HEX: [u8; 256] = {
    let mut table = [NOT_HEX; 256];
    let mut i = 0;
    while i < 16 {
        table[b"0123456789abcdef"[i] as usize] = i as u8;
        table[b"0123456789ABCDEF"[i] as usize] = i as u8;
        i += 1;
    }
    table
};

/// The value of a hexadecimal number of at most 16 digits, with or without `0x`.
#[inline]
pub(crate) fn hexadecimal(field: &[u8]) -> Option<u64> {
    let digits = match field {
        [b'0', b'x' | b'X', digits @ ..] => digits,
        digits => digits,
    };
    if digits.is_empty() || digits.len() > 16 {
        return None;
    }
    let (mut value, mut bad) = (0u64, 0u8);
    for &byte in digits {
        let digit = HEX[usize::from(byte)];
        bad |= digit;
        value = value << 4 | u64::from(digit & 15);
    }
    (bad < 16).then_some(value)
}

/// The value of a decimal number, or of a hexadecimal number with `0x`.
pub(crate) fn number(field: &[u8]) -> Option<u64> {
    if field.starts_with(b"0x") || field.starts_with(b"0X") {
        hexadecimal(field)
    } else {
        decimal(field)
    }
}

/// Up to three numbers, separated by blanks, commas or parentheses. A missing number is 1.
pub(crate) fn triple(text: &[u8]) -> Option<[u32; 3]> {
    let mut out = [1; 3];
    let mut parts = text.split(|b| b" \t,()".contains(b)).filter(|part| !part.is_empty());
    out[0] = u32::try_from(decimal(parts.next()?)?).ok()?;
    for slot in &mut out[1..] {
        let Some(part) = parts.next() else { return Some(out) };
        *slot = u32::try_from(decimal(part)?).ok()?;
    }
    parts.next().is_none().then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(chunks: &[&[u8]]) -> (Vec<(u64, Vec<u8>)>, usize) {
        let (mut lines, mut out, mut diagnostics) = (Lines::default(), Vec::new(), Diagnostics::new("f"));
        for chunk in chunks {
            lines.push_bytes(chunk, &mut diagnostics, |l, _| out.push((l.number, l.bytes.to_vec())));
        }
        lines.finish(&mut diagnostics, |l, _| out.push((l.number, l.bytes.to_vec())));
        (out, diagnostics.into_vec().len())
    }

    #[test]
    fn any_chunking_gives_the_same_lines() {
        let text = b"one \r\n\ntwo\nthree";
        let whole = lines(&[text]);
        assert_eq!(whole.0, [(1, b"one".to_vec()), (2, vec![]), (3, b"two".to_vec()), (4, b"three".to_vec())]);
        let bytes: Vec<&[u8]> = text.chunks(1).collect();
        assert_eq!(lines(&bytes), whole);
    }

    #[test]
    fn an_overlong_line_is_skipped_and_the_numbers_stay_right() {
        let long = vec![b'x'; LINE_LIMIT + 1];
        let (out, messages) = lines(&[b"a\n", &long[..100], &long, b"\nb\n", &long, b"\n"]);
        assert_eq!(out, [(1, b"a".to_vec()), (3, b"b".to_vec())]);
        assert_eq!(messages, 2);
    }

    #[test]
    fn numbers() {
        let cases: [(&str, Option<u64>); 8] = [
            ("0", Some(0)),
            ("18446744073709551615", Some(u64::MAX)),
            ("18446744073709551616", None),
            ("", None),
            ("-1", None),
            ("1x", None),
            ("+00000000000000000001", None),
            ("00000000000000000000007", Some(7)),
        ];
        for (text, value) in cases {
            assert_eq!(decimal(text.as_bytes()), value, "{text}");
        }
        assert_eq!(signed(b"-9223372036854775808"), Some(i64::MIN));
        assert_eq!(signed(b"9223372036854775808"), None);
        assert_eq!(hexadecimal(b"0xFfffffffffffffff"), Some(u64::MAX));
        assert_eq!(hexadecimal(b"0x"), None);
        assert_eq!(hexadecimal(b"0xg"), None);
        assert_eq!(hexadecimal(b"00000000000000001"), None);
        assert_eq!(triple(b"(32,32,1)"), Some([32, 32, 1]));
        assert_eq!(triple(b" 128"), Some([128, 1, 1]));
        assert_eq!(triple(b"1,2,3,4"), None);
        assert_eq!(triple(b"()"), None);
    }
}
