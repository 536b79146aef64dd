//! Recognises the format of a file by its first bytes, and by its name only if the bytes do not decide.
//!
//! In: the head of the uncompressed file. Out: a [`Format`] and the other formats that fit, or `None` while more bytes
//! are needed. Binary streams are recognised by name only.

use crate::containers::unpack::Container;
use crate::formats::format::Format;
use crate::formats::header::key_value;
use crate::formats::text::{decimal, hexadecimal, trim, Fields};
use crate::formats::{cutracer, instruction, kernelslist, lackey, memtrace, pinatrace, table};

/// Number of bytes after which the format must be known.
pub(crate) const HEAD_LIMIT: usize = 64 << 10;

/// The formats that fit a head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sniffed {
    pub format: Format,
    /// All formats that fit, if more than one does.
    pub candidates: Vec<Format>,
}

impl Sniffed {
    fn sure(format: Format) -> Self {
        Self { format, candidates: Vec::new() }
    }

    /// If several formats fit the content, the format that the name suggests is taken if it is one of them.
    fn among(all: &[Format], named: Format) -> Self {
        match all {
            [format] => Self::sure(*format),
            all if all.contains(&named) => Self::sure(named),
            all => Self { format: all.first().copied().unwrap_or(Format::Unknown), candidates: all.to_vec() },
        }
    }
}

/// The format of a file that starts with `head`. `complete` says that `head` is the whole file.
pub(crate) fn sniff(head: &[u8], complete: bool, name: &str) -> Option<Sniffed> {
    let named = format_of_name(name);
    if named.is_stream() && matches!(named, Format::U64 | Format::OracleGeneral) && !head.is_empty() {
        return Some(Sniffed::sure(named));
    }
    if named == Format::Cuda && !head.is_empty() && !head.contains(&0) {
        return Some(Sniffed::sure(named));
    }
    if named == Format::Profile && !head.is_empty() && !head.contains(&0) {
        return Some(Sniffed::sure(named));
    }
    if is_raw_timing(name) {
        // Rows of numbers, as in a table of addresses. Another crate reads them.
        return Some(Sniffed::sure(Format::Unknown));
    }
    if head.starts_with(b"BZh") || Container::of_head(head).is_some() {
        return Some(Sniffed::sure(Format::Unknown));
    }
    let text = trim(head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head));
    let complete = complete || head.len() >= HEAD_LIMIT;
    let mut rest = text;
    if text.first() == Some(&b'[') {
        return Some(Sniffed::sure(Format::Json));
    }
    let mut first = true;
    loop {
        let end = memchr::memchr(b'\n', rest);
        if end.is_none() && !complete {
            return None;
        }
        let line = trim(&rest[..end.unwrap_or(rest.len())]);
        if text.first() == Some(&b'{') {
            let format = if cutracer::looks_like(line) { Format::CuTracer } else { Format::Json };
            return Some(Sniffed::sure(format));
        }
        let all = classify_line(line, first);
        if !all.is_empty() {
            return Some(Sniffed::among(&all, named));
        }
        first &= line.is_empty() || line.starts_with(b"#");
        match end {
            Some(end) => rest = &rest[end + 1..],
            None if text.is_empty() || text.contains(&0) => return Some(Sniffed::sure(Format::Unknown)),
            None => return Some(Sniffed::sure(named)),
        }
    }
}

/// The formats that allow such a line, the most likely one first. `first` says that it is the first line of the file.
fn classify_line(line: &[u8], first: bool) -> Vec<Format> {
    if memchr::memmem::find(line, b"__global__").is_some() {
        return vec![Format::Cuda];
    }
    if is_profile(line) {
        return vec![Format::Profile];
    }
    if line.starts_with(b"-gpgpu_") || line.starts_with(b"GPU_INFORMATION;") {
        // Topologies are not traces, even if later lines look like one. Another crate reads them.
        return vec![Format::Unknown];
    }
    if line.len() >= 9 && line[..9].eq_ignore_ascii_case(b"blocksize") {
        return vec![Format::Trc];
    }
    let traceg = line == b"#BEGIN_TB" || line.starts_with(b"#traces format") || key_value(line).is_some();
    if traceg || instruction::count_leading_fields(Fields::new(line)).is_some() {
        return vec![Format::Traceg { raw: false }];
    }
    let sure = [
        (line.starts_with(memtrace::PREFIX), Format::MemTrace),
        (kernelslist::looks_like(line), Format::KernelsList),
        (lackey::parse_access(line).is_some(), Format::Lackey),
        (pinatrace::parse_fields(Fields::new(line)).is_ok(), Format::Pinatrace),
    ];
    if let Some((_, format)) = sure.iter().find(|(fits, _)| *fits) {
        return vec![*format];
    }
    let possible = [
        (is_trc(line), Format::Trc),
        (is_din(line), Format::Din),
        // Any text may contain a line of numbers, so only the first line can start a table.
        (first && table::looks_like(line), Format::Csv),
    ];
    possible.iter().filter(|(fits, _)| *fits).map(|&(_, format)| format).collect()
}

/// True for `GPU - MEMORY KIND.txt`, packed or not: the names that mt4g gives its raw timing files. They have no header. The crate
/// `probe` reads them, and a test of `lab` holds that both know the same names.
pub(crate) fn is_raw_timing(name: &str) -> bool {
    // "Line Size" and "Segment Size" end in "Size".
    const KINDS: [&str; 3] = [" size.txt", " fetch granularity.txt", " latency.txt"];
    let base = crate::input::assemble::base_name(name).to_ascii_lowercase();
    let base = crate::input::assemble::without_compression(&base);
    base.contains(" - ") && KINDS.iter().any(|kind| base.ends_with(kind))
}

/// True for the header of a table of Nsight Compute or nvprof, and for lines that these tools print before it.
fn is_profile(line: &[u8]) -> bool {
    if line.starts_with(b"==PROF==") || memchr::memmem::find(line, b"NVPROF is profiling").is_some() {
        return true;
    }
    // A line with such words alone can be of any program.
    if memchr::memchr_iter(b',', line).count() < 2 {
        return false;
    }
    let bare = |field: &[u8]| -> Vec<u8> { field.iter().copied().filter(|byte| !b"\" \t".contains(byte)).collect() };
    let fields: Vec<Vec<u8>> = line.split(|&byte| byte == b',').map(bare).collect();
    let has = |name: &str| fields.iter().any(|field| field == name.as_bytes());
    let column = ["KernelName", "MetricName", "EventName", "Kernel"].iter().any(|name| has(name));
    column || (has("Duration") && has("Name"))
}

/// True for `label address`.
fn is_din(line: &[u8]) -> bool {
    let mut fields = Fields::new(line);
    let (label, address) = (fields.next_field(), fields.next_field());
    matches!(label, b"0" | b"1" | b"2" | b"3" | b"4")
        && hexadecimal(address).is_some()
        && fields.next_field().is_empty()
}

/// True for `thread direction address bytes`.
fn is_trc(line: &[u8]) -> bool {
    let mut fields = Fields::new(line);
    let four: [&[u8]; 4] = std::array::from_fn(|_| fields.next_field());
    four.iter().all(|field| decimal(field).is_some())
        && matches!(four[1], b"0" | b"1")
        && fields.next_field().is_empty()
}

/// The format that a name suggests.
fn format_of_name(name: &str) -> Format {
    let base = crate::input::assemble::base_name(name).to_ascii_lowercase();
    let stem = crate::input::assemble::without_compression(&base);
    let suffixes = [
        (".trc", Format::Trc),
        (".cu", Format::Cuda),
        (".cuh", Format::Cuda),
        (".traceg", Format::Traceg { raw: false }),
        (".trace", Format::Traceg { raw: false }),
        (".ndjson", Format::CuTracer),
        (".lackey", Format::Lackey),
        (".din", Format::Din),
        (".csv", Format::Csv),
        (".prof", Format::Profile),
        (".u64", Format::U64),
        (".oraclegeneral", Format::OracleGeneral),
        (".oraclegeneral.bin", Format::OracleGeneral),
    ];
    match suffixes.iter().find(|(suffix, _)| stem.ends_with(suffix)) {
        Some(&(_, format)) => format,
        None if stem.starts_with("kernelslist") => Format::KernelsList,
        None if stem.starts_with("pinatrace") => Format::Pinatrace,
        None => Format::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_first_name_second() {
        let traceg = Some(Format::Traceg { raw: false });
        let cases: [(&str, &str, Option<Format>); 32] = [
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
            ("==12== Lackey\n L 1ffe,8\n", "x", Some(Format::Lackey)),
            ("0x401000: W 0x7ffe\n", "x", Some(Format::Pinatrace)),
            ("0 R 7ffe\n", "x", Some(Format::Pinatrace)),
            ("MEMTRACE: CTX 0x1 - LAUNCH", "x", Some(Format::MemTrace)),
            ("{\"grid_launch_id\":0,\"cta\":[0,0,0]}\n", "x", Some(Format::CuTracer)),
            ("{\"general\":\n", "x", Some(Format::Json)),
            ("address,size\n", "x", Some(Format::Csv)),
            ("1024,40,41,40\n", "x - Size", Some(Format::Csv)),
            ("1024,40,41,40\n", "a/NVIDIA H100 - L1 Size.txt", Some(Format::Unknown)),
            ("1024,40,41,40\n", "G - L1 Latency.txt.GZ", Some(Format::Unknown)),
            ("1a2b\n", "x.u64", Some(Format::U64)),
            ("0 1a2b\n", "x", Some(Format::Din)),
            ("text\n4096\n", "x", Some(Format::Unknown)),
            ("int n;\n__global__ void k() {}\n", "x", Some(Format::Cuda)),
            ("0 1a2b\n", "x.cu.gz", Some(Format::Cuda)),
            ("\"ID\",\"Process ID\",\"Kernel Name\"\n", "x", Some(Format::Profile)),
            ("done\n\"Device\",\"Kernel\",\"Invocations\"\n", "x.csv", Some(Format::Profile)),
            ("==7== NVPROF is profiling process 7\n", "x", Some(Format::Profile)),
            ("\"Start\",\"Duration\",\"Size\",\"Name\"\n", "x", Some(Format::Profile)),
            ("12\n34\n", "x_00.prof", Some(Format::Profile)),
        ];
        for (text, name, format) in cases {
            assert_eq!(sniff(text.as_bytes(), true, name).map(|s| s.format), format, "{text:?} {name}");
        }
        assert_eq!(sniff(b"garbage\n0 0 40", false, "x"), None);
        assert_eq!(sniff(&vec![b'x'; HEAD_LIMIT], false, "x"), Some(Sniffed::sure(Format::Unknown)));
    }

    #[test]
    fn a_tie_is_told_and_the_name_breaks_it() {
        let sniffed = |text: &str, name| sniff(text.as_bytes(), true, name).map(|s| (s.format, s.candidates));
        let both = vec![Format::Din, Format::Csv];
        assert_eq!(sniffed("0 4096\n", "x"), Some((Format::Din, both)));
        assert_eq!(sniffed("0 4096\n", "x.csv"), Some((Format::Csv, vec![])));
        assert_eq!(sniffed("0 0 4096 4\n", "x"), Some((Format::Trc, vec![Format::Trc, Format::Csv])));
        assert_eq!(sniffed("0 0 4096 4\n", "x.trc.gz"), Some((Format::Trc, vec![])));
    }
}
