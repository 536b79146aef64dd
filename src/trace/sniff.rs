//! Which format a file has: by its first bytes, and only where they do not tell, by its name.
//!
//! In: the head of the uncompressed file. Out: a [`Format`], or `None` while more bytes are needed.

use super::header::key_value;
use super::text::{decimal, trim, Fields};
use super::{instruction, kernelslist};

/// Bytes after which a format must be known.
pub(super) const HEAD_LIMIT: usize = 64 << 10;

/// Formats that are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Ocelot `.trc`: one line per thread and access.
    Trc,
    /// Accel-Sim `.traceg`, or `.trace` when raw.
    Traceg {
        /// True when instructions are in arrival order, each with its block and warp.
        raw: bool,
    },
    /// Accel-Sim `kernelslist`.
    KernelsList,
    /// JSON list of device allocations (`device_ptr`, `num_bytes`).
    Allocations,
    /// JSON of another kind: not a trace.
    Json,
    /// None of these.
    Unknown,
}

impl Format {
    /// Name shown to people.
    pub fn name(self) -> &'static str {
        match self {
            Format::Trc => "Ocelot .trc",
            Format::Traceg { raw: false } => "Accel-Sim .traceg",
            Format::Traceg { raw: true } => "Accel-Sim raw .trace",
            Format::KernelsList => "kernelslist",
            Format::Allocations => "allocations",
            Format::Json => "json",
            Format::Unknown => "unknown",
        }
    }
}

/// The format of a file that starts with `head`; `complete` when nothing follows.
pub(super) fn sniff(head: &[u8], complete: bool, name: &str) -> Option<Format> {
    let text = trim(head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head));
    if matches!(text.first(), Some(b'{' | b'[')) {
        return Some(Format::Json);
    }
    let complete = complete || head.len() >= HEAD_LIMIT;
    let mut rest = head;
    loop {
        let end = memchr::memchr(b'\n', rest);
        if end.is_none() && !complete {
            return None;
        }
        let line = &rest[..end.unwrap_or(rest.len())];
        if let Some(format) = classify(trim(line)) {
            return Some(format);
        }
        match end {
            Some(end) => rest = &rest[end + 1..],
            None => return Some(by_name(name, text)),
        }
    }
}

fn classify(line: &[u8]) -> Option<Format> {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    if line.starts_with(b"-gpgpu_") || line.starts_with(b"GPU_INFORMATION;") {
        // Topologies: no traces, whatever their later lines look like. Who reads such is handed the bytes.
        return Some(Format::Unknown);
    }
    if line.len() >= 9 && line[..9].eq_ignore_ascii_case(b"blocksize") || is_trc(line) {
        return Some(Format::Trc);
    }
    let traceg = line == b"#BEGIN_TB" || line.starts_with(b"#traces format") || key_value(line).is_some();
    if traceg || instruction::leading_fields(Fields::of(line)).is_some() {
        return Some(Format::Traceg { raw: false });
    }
    kernelslist::looks_like(line).then_some(Format::KernelsList)
}

/// `thread direction address bytes`.
fn is_trc(line: &[u8]) -> bool {
    let mut fields = Fields::of(line);
    let four: [&[u8]; 4] = std::array::from_fn(|_| fields.next_field());
    four.iter().all(|field| decimal(field).is_some())
        && matches!(four[1], b"0" | b"1")
        && fields.next_field().is_empty()
}

/// Empty files and binary ones have no format whatever their name says.
fn by_name(name: &str, text: &[u8]) -> Format {
    let base = super::assemble::base_name(name).to_ascii_lowercase();
    let stem = super::assemble::without_compression(&base);
    if text.is_empty() || text.contains(&0) {
        Format::Unknown
    } else if stem.ends_with(".trc") {
        Format::Trc
    } else if stem.ends_with(".traceg") || stem.ends_with(".trace") {
        Format::Traceg { raw: false }
    } else if stem.starts_with("kernelslist") {
        Format::KernelsList
    } else {
        Format::Unknown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_first_name_second() {
        let traceg = Some(Format::Traceg { raw: false });
        let cases: [(&str, &str, Option<Format>); 12] = [
            ("blocksize: 32 1 1\n", "x", Some(Format::Trc)),
            ("0 0 4096 4\n", "x.traceg", Some(Format::Trc)),
            ("-kernel name = k\n", "x.trc", traceg),
            ("\n\n#BEGIN_TB\n", "x", traceg),
            ("31 0 0 12 0008 ffffffff 1 R1 MOV 0 0 \n", "x", traceg),
            ("MemcpyHtoD,0x10,4\n", "x", Some(Format::KernelsList)),
            ("./traces/kernel-1.traceg.xz\n", "x", Some(Format::KernelsList)),
            (" {\"a\"", "x.trc", Some(Format::Json)),
            ("garbage\n", "a/B.TRC.gz", Some(Format::Trc)),
            ("garbage\n0 0 4096 4\n", "x", Some(Format::Trc)),
            ("garbage\n", "x.txt", Some(Format::Unknown)),
            ("", "x.trc", Some(Format::Unknown)),
        ];
        for (text, name, format) in cases {
            assert_eq!(sniff(text.as_bytes(), true, name), format, "{text:?} {name}");
        }
        assert_eq!(sniff(b"garbage\n0 0 40", false, "x"), None);
        assert_eq!(sniff(&vec![b'x'; HEAD_LIMIT], false, "x"), Some(Format::Unknown));
    }
}
