//! The text of NVBit's mem_trace tool.
//!
//! In: lines `MEMTRACE: CTX 0x… - grid_launch_id n - CTA x,y,z - warp w - OPCODE - ` and 32 addresses, and `MEMTRACE:
//! CTX 0x… - LAUNCH - Kernel pc … - Kernel name … - grid launch id n - grid size x,y,z - block size x,y,z - nregs n -
//! shmem n - cuda stream id n`. All other lines are output of the traced program and are report_skipped_line. Out: one
//! kernel per launch. The tool prints no mask, so a lane with address 0 counts as inactive.
//!
//! Not modelled: program counters and instructions without addresses, because the tool does not print them. The windows
//! of generic addresses, so all generic addresses count as global.

use crate::formats::launches::{active_lanes, report_skipped_line, InterleavedLaunches, LaunchAccess};
use crate::formats::reader::FormatReader;
use crate::formats::sass;
use crate::formats::sass::MemoryOp;
use crate::formats::text::{decimal, hexadecimal, trim, triple, Fields, Line};
use crate::{Dim3, FileContent, Format, Launch, Site, Space};
use base::{excerpt, Diagnostics, Severity};

pub(crate) const PREFIX: &[u8] = b"MEMTRACE: CTX ";

pub(crate) struct MemtraceReader {
    launches: InterleavedLaunches,
    /// The first opcode that is not an access of lanes: its line, the opcode, and the number of such lines.
    unknown: Option<(u64, String, u64)>,
}

/// Splits a line at ` - `.
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

    /// The value of the next part, which must start with `key`.
    fn next_value(&mut self, key: &'static str) -> Result<&'a [u8], (&'static str, &'a [u8])> {
        let part = self.next_part();
        part.strip_prefix(key.as_bytes()).map(trim).ok_or((key, part))
    }
}

type ExpectedFound<'a> = (&'static str, &'a [u8]);

fn dim3(text: &[u8]) -> Option<Dim3> {
    triple(text).map(|[x, y, z]| Dim3::new(x, y, z))
}

impl MemtraceReader {
    pub fn new(name: &str) -> Self {
        Self { launches: InterleavedLaunches::new(name), unknown: None }
    }

    fn read_record<'a>(&mut self, text: &'a [u8], line: u64) -> Result<(), ExpectedFound<'a>> {
        let mut parts = Parts { rest: text };
        let field = parts.next_part();
        let context = hexadecimal(field).ok_or(("a context in hexadecimal", field))?;
        let field = parts.next_part();
        if field == b"LAUNCH" {
            return self.read_launch(context, parts.rest);
        }
        let value = field.strip_prefix(b"grid_launch_id ").ok_or(("`grid_launch_id` or `LAUNCH`", field))?;
        let number = decimal(trim(value)).ok_or(("a launch number", value))?;
        let value = parts.next_value("CTA")?;
        let block = dim3(value).ok_or(("a block's index, `x,y,z`", value))?;
        let value = parts.next_value("warp")?;
        let warp = decimal(value).and_then(|n| u32::try_from(n).ok()).ok_or(("a warp's number", value))?;
        let opcode = parts.next_part();
        if !opcode.first().is_some_and(u8::is_ascii_uppercase) || opcode.len() > 64 {
            return Err(("an opcode", opcode));
        }
        let mut all = [0; 32];
        let mut fields = Fields::new(parts.rest);
        for slot in &mut all {
            let field = fields.next_field();
            *slot = hexadecimal(field).ok_or(("32 addresses in hexadecimal", field))?;
        }
        let key = (context, number);
        let Some(site) = self.site(opcode, line) else {
            self.launches.add_instruction(key, block, warp);
            return Ok(());
        };
        let mut list = [0; 32];
        let (mask, count) = active_lanes(&all, &mut list);
        self.launches.add_access(LaunchAccess { key, block, warp, mask, addresses: &list[..count] }, site);
        Ok(())
    }

    /// The site of an access, or `None` for an opcode that is not an access of lanes.
    fn site(&mut self, opcode: &[u8], line: u64) -> Option<Site> {
        let MemoryOp::Lanes { space, kind, bytes } = sass::decode(opcode) else {
            self.unknown.get_or_insert_with(|| (line, excerpt(opcode), 0)).2 += 1;
            return None;
        };
        let space = space.unwrap_or(Space::Global);
        let opcode = String::from_utf8_lossy(opcode).into();
        Some(Site { pc: 0, opcode, source_line: None, space, kind, bytes })
    }

    fn read_launch<'a>(&mut self, context: u64, rest: &'a [u8]) -> Result<(), ExpectedFound<'a>> {
        let mut parts = Parts { rest };
        parts.next_value("Kernel pc")?;
        // A demangled name may contain ` - `.
        let rest = parts.rest.strip_prefix(b"Kernel name ").ok_or(("Kernel name", parts.rest))?;
        let end = memchr::memmem::rfind(rest, b" - grid launch id ").ok_or(("grid launch id", rest))?;
        let name = String::from_utf8_lossy(trim(&rest[..end])).into_owned();
        let mut parts = Parts { rest: &rest[end + 3..] };
        let value = parts.next_value("grid launch id")?;
        let number = decimal(value).ok_or(("a launch number", value))?;
        let value = parts.next_value("grid size")?;
        let grid = dim3(value).ok_or(("a grid of three sizes", value))?;
        let value = parts.next_value("block size")?;
        let block = dim3(value).ok_or(("a block of three sizes", value))?;
        let mut number_or_zero =
            |key| parts.next_value(key).ok().and_then(decimal).and_then(|n| u32::try_from(n).ok()).unwrap_or(0);
        let (registers, shared_bytes) = (number_or_zero("nregs"), number_or_zero("shmem"));
        self.launches.add_launch((context, number), Some(name), Launch { grid, block, shared_bytes, registers });
        Ok(())
    }
}

impl FormatReader for MemtraceReader {
    #[inline]
    fn line(&mut self, line: Line, diagnostics: &mut Diagnostics) {
        let Some(text) = line.bytes.strip_prefix(PREFIX) else { return };
        // A verbose run prints the instructions that it instruments.
        if memchr::memmem::find(text, b", Inspecting ").is_some() {
            return;
        }
        if let Err((expected, found)) = self.read_record(text, line.number) {
            let found = if found.is_empty() { "the end of the line".into() } else { excerpt(found) };
            report_skipped_line(line, expected, found, diagnostics);
        }
    }

    fn heap_bytes(&self) -> usize {
        self.launches.heap_bytes()
    }

    fn finish(self: Box<Self>, content: &mut FileContent, diagnostics: &mut Diagnostics) {
        content.format = Format::MemTrace;
        if let Some((line, opcode, count)) = self.unknown {
            let found = format!("{count} instruction{s} such as {opcode}", s = base::plural(count, "s"));
            let help = "their addresses are left out; they count as instructions";
            diagnostics.add(Severity::Note, Some(line), "a known memory instruction", found, help);
        }
        content.kernels = self.launches.finish(diagnostics);
    }
}
