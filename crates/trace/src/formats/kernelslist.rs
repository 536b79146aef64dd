//! `kernelslist` and `kernelslist.g` of Accel-Sim, which list the host's copies and the kernel trace files in launch
//! order.
//!
//! In: lines `MemcpyHtoD,0x<hex>,<bytes>` and file names `kernel-<n>…`. Out: [`ListEntry`] items. The format allows a
//! reader to ignore all other lines. A note reports the first of them.

use crate::formats::reader::FormatReader;
use crate::formats::text::{decimal, hexadecimal, trim, Flaw, Line};
use crate::{FileContent, Format, ListEntry};
use base::{excerpt, Diagnostics, Severity};

#[derive(Debug, Default)]
pub(crate) struct KernelsListReader {
    entries: Vec<ListEntry>,
    ignored: u64,
    first_ignored: Option<(u64, String)>,
}

/// True for a line that only a kernels list has.
pub(crate) fn looks_like(line: &[u8]) -> bool {
    let line = trim(line);
    line.starts_with(b"Memcpy")
        || (base_name(line).starts_with(b"kernel-") && memchr::memmem::find(line, b".trace").is_some())
}

fn base_name(path: &[u8]) -> &[u8] {
    path.rsplit(|&b| b == b'/' || b == b'\\').next().unwrap_or(path)
}

impl FormatReader for KernelsListReader {
    fn line(&mut self, line: Line, diagnostics: &mut Diagnostics) {
        let text = trim(line.bytes);
        if text.is_empty() {
            return;
        }
        if text.starts_with(b"MemcpyHtoD") {
            match parse_copy(text) {
                Ok(entry) => self.entries.push(entry),
                Err(flaw) => flaw.report(Severity::Warning, line.number, diagnostics),
            }
        } else if base_name(text).starts_with(b"kernel") {
            self.entries.push(ListEntry::Kernel { file: String::from_utf8_lossy(text).into_owned() });
        } else {
            self.ignored += 1;
            self.first_ignored.get_or_insert_with(|| (line.number, excerpt(text)));
        }
    }

    fn heap_bytes(&self) -> usize {
        self.entries.capacity() * size_of::<ListEntry>() + self.entries.len() * 32
    }

    fn content_name(&self) -> &'static str {
        "list"
    }

    fn finish(self: Box<Self>, content: &mut FileContent, diagnostics: &mut Diagnostics) {
        content.format = Format::KernelsList;
        if let Some((line, found)) = self.first_ignored {
            let found = if self.ignored == 1 { found } else { format!("{found} and {} more", self.ignored - 1) };
            let help = "such lines are ignored; they change no result";
            diagnostics.add(
                Severity::Note,
                Some(line),
                "`MemcpyHtoD,0x<address>,<bytes>` or a kernel file",
                found,
                help,
            );
        }
        if self.entries.is_empty() {
            let help = "load the list that the tracer wrote, or the kernel files without it";
            diagnostics.add(Severity::Error, None, "copies and kernel files, one per line", "none", help);
        }
        content.launches = self.entries;
    }
}

fn parse_copy(text: &[u8]) -> Result<ListEntry, Flaw<'_>> {
    const HELP: &str = "the line was skipped; its array gets no name";
    let mut parts = text.split(|&b| b == b',').skip(1);
    let (base, bytes) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let flaw = |expected, found| Flaw { expected, found, help: HELP };
    let base = hexadecimal(trim(base)).ok_or_else(|| flaw("`MemcpyHtoD,` and an address in hexadecimal", text))?;
    let bytes = decimal(trim(bytes)).ok_or_else(|| flaw("a number of bytes after the address", text))?;
    Ok(ListEntry::Copy { base, bytes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_and_kernels_in_order() {
        let mut reader = KernelsListReader::default();
        let mut diagnostics = Diagnostics::new("kernelslist.g");
        let text =
            "MemcpyHtoD,0x00007fc841500000,32768\nkernel-1-ctx_0x55.traceg.xz\n\nMemcpyDtoH,1\nMemcpyHtoD,zz,1\n";
        for (i, bytes) in text.lines().enumerate() {
            reader.line(Line { number: i as u64 + 1, bytes: bytes.as_bytes() }, &mut diagnostics);
        }
        let mut content = FileContent::empty("kernelslist.g", Format::Unknown);
        Box::new(reader).finish(&mut content, &mut diagnostics);
        assert_eq!(
            content.launches,
            [
                ListEntry::Copy { base: 0x7fc841500000, bytes: 32768 },
                ListEntry::Kernel { file: "kernel-1-ctx_0x55.traceg.xz".into() }
            ]
        );
        let messages: Vec<String> = diagnostics.into_vec().iter().map(ToString::to_string).collect();
        assert_eq!(messages.len(), 2, "{messages:?}");
        assert!(
            messages[0].starts_with("kernelslist.g:5: warning: expected `MemcpyHtoD,` and an address"),
            "{}",
            messages[0]
        );
        assert!(messages[1].starts_with("kernelslist.g:4: note:"), "{}", messages[1]);
    }
}
