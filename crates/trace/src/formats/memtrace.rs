//! The text of NVBit's mem_trace tool.
//!
//! In: lines `MEMTRACE: CTX 0x… - grid_launch_id n - CTA x,y,z - warp w - OPCODE - ` and 32 addresses, and
//! `MEMTRACE: CTX 0x… - LAUNCH - Kernel pc … - Kernel name … - grid launch id n - grid size x,y,z - block size x,y,z -
//! nregs n - shmem n - cuda stream id n`. Everything else is the program's own output and skipped. Out: one kernel per
//! launch. The tool prints no mask: a lane with address 0 is taken as inactive.
//!
//! Not modelled: program counters and instructions without addresses, which the tool does not print; the windows of
//! generic addresses (all are taken as global).

use crate::formats::launches::{active, skipped, Key, Launches, Record};
use crate::formats::reader::Reader;
use crate::formats::sass;
use crate::formats::sass::Op;
use crate::formats::text::{decimal, hexadecimal, trim, triple, Fields, Line};
use crate::{Dim3, FileContent, Format, Launch, Site, Space};
use base::{excerpt, Diagnostics, Severity};

pub(crate) const PREFIX: &[u8] = b"MEMTRACE: CTX ";

pub(crate) struct MemtraceReader {
    launches: Launches,
    /// Opcodes that name no access of lanes, told once.
    unknown: Option<(u64, String, u64)>,
}

/// The parts of a line between ` - `.
struct Parts<'a> {
    rest: &'a [u8],
}

impl<'a> Parts<'a> {
    fn next_part(&mut self) -> &'a [u8] {
        let end = memchr::memmem::find(self.rest, b" - ").unwrap_or(self.rest.len());
        let part = &self.rest[..end];
        self.rest = self.rest.get(end + 3..).unwrap_or_default();
        trim(part)
    }

    /// The value of the next part, which starts with `key`.
    fn value(&mut self, key: &'static str) -> Result<&'a [u8], (&'static str, &'a [u8])> {
        let part = self.next_part();
        part.strip_prefix(key.as_bytes()).map(trim).ok_or((key, part))
    }
}

type Bad<'a> = (&'static str, &'a [u8]);

fn size(text: &[u8]) -> Option<Dim3> {
    triple(text).map(|[x, y, z]| Dim3::new(x, y, z))
}

impl MemtraceReader {
    pub fn new(name: &str) -> Self {
        Self { launches: Launches::new(name), unknown: None }
    }

    fn record<'a>(&mut self, text: &'a [u8], line: u64) -> Result<(), Bad<'a>> {
        let mut parts = Parts { rest: text };
        let field = parts.next_part();
        let context = hexadecimal(field).ok_or(("a context in hexadecimal", field))?;
        let field = parts.next_part();
        if field == b"LAUNCH" {
            return self.launch(context, parts.rest);
        }
        let value = field.strip_prefix(b"grid_launch_id ").ok_or(("`grid_launch_id` or `LAUNCH`", field))?;
        let number = decimal(trim(value)).ok_or(("a launch number", value))?;
        let value = parts.value("CTA")?;
        let block = size(value).ok_or(("a block's index, `x,y,z`", value))?;
        let value = parts.value("warp")?;
        let warp = decimal(value).and_then(|n| u32::try_from(n).ok()).ok_or(("a warp's number", value))?;
        let opcode = parts.next_part();
        if !opcode.first().is_some_and(u8::is_ascii_uppercase) || opcode.len() > 64 {
            return Err(("an opcode", opcode));
        }
        let mut all = [0; 32];
        let mut fields = Fields::of(parts.rest);
        for slot in &mut all {
            let field = fields.next_field();
            *slot = hexadecimal(field).ok_or(("32 addresses in hexadecimal", field))?;
        }
        self.access((context, number), block, warp, opcode, &all, line);
        Ok(())
    }

    fn access(&mut self, key: Key, block: Dim3, warp: u32, opcode: &[u8], all: &[u64; 32], line: u64) {
        let Op::Lanes { space, kind, bytes } = sass::decode(opcode) else {
            self.unknown.get_or_insert_with(|| (line, excerpt(opcode), 0)).2 += 1;
            return self.launches.instruction(key, block, warp);
        };
        let mut list = [0; 32];
        let (mask, count) = active(all, &mut list);
        let space = space.unwrap_or(Space::Global);
        let opcode = String::from_utf8_lossy(opcode).into();
        let site = Site { pc: 0, opcode, source_line: None, space, kind, bytes };
        self.launches.access(Record { key, block, warp, mask, addresses: &list[..count] }, site);
    }

    fn launch<'a>(&mut self, context: u64, rest: &'a [u8]) -> Result<(), Bad<'a>> {
        let mut parts = Parts { rest };
        parts.value("Kernel pc")?;
        // A demangled name may hold anything, ` - ` too.
        let rest = parts.rest.strip_prefix(b"Kernel name ").ok_or(("Kernel name", parts.rest))?;
        let end = memchr::memmem::rfind(rest, b" - grid launch id ").ok_or(("grid launch id", rest))?;
        let name = String::from_utf8_lossy(trim(&rest[..end])).into_owned();
        let mut parts = Parts { rest: &rest[end + 3..] };
        let value = parts.value("grid launch id")?;
        let number = decimal(value).ok_or(("a launch number", value))?;
        let value = parts.value("grid size")?;
        let grid = size(value).ok_or(("a grid of three sizes", value))?;
        let value = parts.value("block size")?;
        let block = size(value).ok_or(("a block of three sizes", value))?;
        let mut small = |key| parts.value(key).ok().and_then(decimal).and_then(|n| u32::try_from(n).ok()).unwrap_or(0);
        let (registers, shared_bytes) = (small("nregs"), small("shmem"));
        self.launches.launch((context, number), Some(name), Launch { grid, block, shared_bytes, registers });
        Ok(())
    }
}

impl Reader for MemtraceReader {
    #[inline]
    fn line(&mut self, line: Line, diagnostics: &mut Diagnostics) {
        let Some(text) = line.bytes.strip_prefix(PREFIX) else { return };
        // Verbose runs print what they instrument.
        if memchr::memmem::find(text, b", Inspecting ").is_some() {
            return;
        }
        if let Err((expected, found)) = self.record(text, line.number) {
            let found = if found.is_empty() { "the end of the line".into() } else { excerpt(found) };
            skipped(line, expected, found, diagnostics);
        }
    }

    fn heap_bytes(&self) -> usize {
        self.launches.heap_bytes()
    }

    fn finish(self: Box<Self>, content: &mut FileContent, diagnostics: &mut Diagnostics) {
        content.format = Format::MemTrace;
        if let Some((line, opcode, count)) = self.unknown {
            let found = format!("{opcode} and the like, {count} times");
            let help = "its addresses are left out; it is counted as an instruction";
            diagnostics.add(Severity::Note, Some(line), "a known memory instruction", found, help);
        }
        content.kernels = self.launches.finish(diagnostics);
    }
}
