//! Accel-Sim traces made with NVBit: grouped `.traceg` and raw `.trace`, tracer versions 0 to 6.
//!
//! In: lines. Out: one [`Trace`] per kernel in the file (usually one). Grouped files have blocks between `#BEGIN_TB`
//! and `#END_TB`. Raw files have the block and the warp on every line, in the order in which the tracer's channel
//! delivered them. The tracer version gives the layout of a line, and every line is checked against it. Some grouped
//! files have block and warp on their lines, and the `#traces format` comment is often wrong.
//!
//! An instruction without active lanes is counted but makes no access. A generic `LD`, `ST` or `ATOM` accesses shared
//! or local memory if the address of its first active lane is in the 16 MiB window of that space. Such addresses are
//! stored relative to the base of the window.
//!
//! The registers tell after how many instructions a load's value is used first ([`FirstUses`]). A file that this project
//! wrote says in its header what the compiler may do about each load ([`Header::schedules`]).
//!
//! Not modelled: bulk copies of the tensor memory accelerator (they are counted as instructions and reported), generic
//! accesses whose lanes are in different spaces, immediates and register values.

use crate::formats::header::Header;
use crate::formats::instruction::{count_leading_fields, read_addresses, read_head, InstructionHead, LaneAddresses};
use crate::formats::reader::FormatReader;
use crate::formats::sass;
use crate::formats::sass::MemoryOp;
use crate::formats::text::{decimal, trim, triple, Fields, Flaw, Line};
use crate::formats::uses::{FirstUses, LoadSite};
use crate::{Dim3, FileContent, Format, Kind, Site, Space, Trace, TraceBuilder};
use base::{excerpt, Diagnostics, Severity};

/// Size of the windows of shared and local memory in the generic address space.
pub(crate) const WINDOW: u64 = 16 << 20;

/// Reads one file.
#[derive(Debug)]
pub(crate) struct TracegReader {
    file: String,
    header: Header,
    /// Number of fields before the program counter, set at the first instruction.
    leading: usize,
    raw: bool,
    builder: Option<TraceBuilder>,
    uses: FirstUses,
    block: BlockState,
    warp: Option<WarpCount>,
    decoded: Vec<DecodedInstruction>,
    reported: ReportedOnce,
    kernels: Vec<Trace>,
    /// For each kernel the number of memory instructions without addresses in the trace.
    left_out: Vec<u64>,
    /// Tracer version of the first kernel.
    version: Option<u64>,
    heap: usize,
}

/// The position of the reader relative to the lines `#BEGIN_TB` and `#END_TB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BlockState {
    Outside,
    /// After `#BEGIN_TB`, before `thread block =`.
    Begun,
    Inside,
}

#[derive(Clone, Copy, Debug)]
struct WarpCount {
    /// The number of instructions on the line `insts =`, and the number of that line.
    announced: Option<(u64, u64)>,
    seen: u64,
}

/// Findings that are reported once per kernel. `bulk` and `unknown` have the first line, its opcode, and the number of
/// lines.
#[derive(Debug, Default)]
struct ReportedOnce {
    layout: bool,
    no_warp: bool,
    bulk: Option<(u64, String, u64)>,
    unknown: Option<(u64, String, u64)>,
}

/// A decoded instruction. A kernel repeats few instructions very often, so a direct-mapped cache by program counter
/// saves most of the decoding.
#[derive(Clone, Debug)]
struct DecodedInstruction {
    pc: u64,
    source_line: Option<u32>,
    opcode: Box<[u8]>,
    op: MemoryOp,
    /// The site for each space of a generic instruction: global, shared, local.
    sites: [Option<u32>; 3],
}

const DECODED_SLOTS: usize = 1024;

impl TracegReader {
    pub fn new(file: &str) -> Self {
        let empty = DecodedInstruction {
            pc: u64::MAX,
            source_line: None,
            opcode: Box::default(),
            op: MemoryOp::Other,
            sites: [None; 3],
        };
        Self {
            file: file.into(),
            header: Header::default(),
            leading: 0,
            raw: false,
            builder: None,
            uses: FirstUses::default(),
            block: BlockState::Outside,
            warp: None,
            decoded: vec![empty; DECODED_SLOTS],
            reported: ReportedOnce::default(),
            kernels: Vec::new(),
            left_out: Vec::new(),
            version: None,
            heap: 0,
        }
    }

    fn header_line(&mut self, line: Line, diagnostics: &mut Diagnostics) {
        if self.builder.is_some() && line.bytes.starts_with(b"-kernel name") {
            self.close_kernel(diagnostics);
        }
        self.header.read_line(line, diagnostics);
    }

    fn block_marker(&mut self, line: Line, diagnostics: &mut Diagnostics) {
        if line.bytes == b"#BEGIN_TB" {
            self.end_warp(diagnostics);
            self.builder_or_new(false);
            self.block = BlockState::Begun;
        } else if line.bytes == b"#END_TB" {
            self.end_warp(diagnostics);
            self.block = BlockState::Outside;
        }
    }

    /// The builder of the current kernel. The first call makes it, after the header.
    fn builder_or_new(&mut self, raw: bool) -> &mut TraceBuilder {
        self.builder.get_or_insert_with(|| {
            self.raw = raw;
            self.leading = self.header.leading_fields(raw);
            let name = self.header.name.clone().unwrap_or_else(|| crate::input::assemble::stem(&self.file).into());
            let mut builder =
                TraceBuilder::new(name, self.header.launch).with_estimated_registers(self.header.estimated_registers);
            builder.set_issue(self.header.issue);
            builder
        })
    }

    fn structure_line(&mut self, line: Line, diagnostics: &mut Diagnostics) {
        let equals = memchr::memchr(b'=', line.bytes).unwrap_or(line.bytes.len());
        let key = trim(&line.bytes[..equals]);
        let value = trim(line.bytes.get(equals + 1..).unwrap_or_default());
        let read = match key {
            b"thread block" => self.begin_block(value, diagnostics),
            b"warp" => self.begin_warp(value, diagnostics),
            b"insts" => self.set_announced_count(value, line.number),
            _ => Err("`thread block =`, `warp =`, `insts =` or an instruction"),
        };
        if let Err(expected) = read {
            let found = if value.is_empty() { line.bytes } else { value };
            let flaw = Flaw { expected, found, help: "the line was skipped" };
            flaw.report(Severity::Warning, line.number, diagnostics);
        }
    }

    fn begin_block(&mut self, value: &[u8], diagnostics: &mut Diagnostics) -> Result<(), &'static str> {
        let [x, y, z] = triple(value).ok_or("the block's index, `x,y,z`")?;
        self.end_warp(diagnostics);
        self.builder_or_new(false).begin_block(Dim3::new(x, y, z));
        self.block = BlockState::Inside;
        Ok(())
    }

    fn begin_warp(&mut self, value: &[u8], diagnostics: &mut Diagnostics) -> Result<(), &'static str> {
        let index = decimal(value).and_then(|n| u32::try_from(n).ok()).ok_or("the warp's index in its block")?;
        self.end_warp(diagnostics);
        if self.block == BlockState::Begun {
            // The line `thread block =` is missing. The block gets the next free index.
            let next = self.builder_or_new(false).block_count() as u32;
            self.builder_or_new(false).begin_block(Dim3::new(next, 0, 0));
            self.block = BlockState::Inside;
        }
        self.builder_or_new(false).begin_warp(index);
        self.uses.begin_warp();
        self.warp = Some(WarpCount { announced: None, seen: 0 });
        Ok(())
    }

    fn set_announced_count(&mut self, value: &[u8], line: u64) -> Result<(), &'static str> {
        let count = decimal(value).ok_or("the number of the warp's instructions")?;
        if let Some(warp) = &mut self.warp {
            warp.announced = Some((count, line));
        }
        Ok(())
    }

    fn end_warp(&mut self, diagnostics: &mut Diagnostics) {
        let Some(WarpCount { announced: Some((count, line)), seen }) = self.warp.take() else { return };
        if count != seen {
            diagnostics.add(
                Severity::Warning,
                Some(line),
                format!("{count} instruction{s} for this warp", s = base::plural(count, "s")),
                format!("{seen}"),
                "the instructions in the file are used; the file may be cut off or edited",
            );
        }
    }

    #[inline]
    fn instruction(&mut self, line: Line, diagnostics: &mut Diagnostics) {
        if self.builder.is_none() && !self.enter_raw(line) {
            let flaw = Flaw { expected: "a header, then `#BEGIN_TB`", found: line.bytes, help: "the line was skipped" };
            return flaw.report(Severity::Warning, line.number, diagnostics);
        }
        if let Some(warp) = &mut self.warp {
            warp.seen += 1;
        } else if !self.raw {
            self.report_missing_warp(line, diagnostics);
        }
        let mut fields = line.fields();
        let mut read = read_head(&mut fields, self.leading, self.raw);
        if read.is_err() && self.change_layout(line, diagnostics) {
            fields = line.fields();
            read = read_head(&mut fields, self.leading, self.raw);
        }
        let done = read.and_then(|head| {
            let Some(builder) = &mut self.builder else { return Ok(()) };
            if self.raw {
                let [x, y, z, warp] = head.ids;
                builder.select_warp(Dim3::new(x, y, z), warp);
            }
            let warp = if self.raw { builder.current_warp() } else { 0 };
            self.uses.execute(warp, head.opcode, &head.sources, head.width);
            if head.width == 0 && !head.opcode.starts_with(b"U") || head.mask == 0 {
                builder.add_instructions(1);
                sass::count_unit(builder.mix_mut(), head.opcode);
                if head.mask != 0 && sass::is_block_barrier(head.opcode) {
                    builder.mark_barrier();
                }
                self.uses.overwrite(warp, head.opcode, &head.written);
                return Ok(());
            }
            match self.add_access(head, fields, line.number)? {
                Some(site) => self.uses.load(warp, site, head.opcode, &head.written),
                None => self.uses.overwrite(warp, head.opcode, &head.written),
            }
            Ok(())
        });
        if let Err(flaw) = done {
            flaw.report(Severity::Warning, line.number, diagnostics);
        }
    }

    /// Handles an instruction before any block. If the line starts with block and warp, the file is raw.
    fn enter_raw(&mut self, line: Line) -> bool {
        let raw = count_leading_fields(line.fields()).is_some_and(|leading| leading >= 4);
        if raw {
            self.builder_or_new(true);
        }
        raw
    }

    fn report_missing_warp(&mut self, line: Line, diagnostics: &mut Diagnostics) {
        if !std::mem::replace(&mut self.reported.no_warp, true) {
            let help = "such instructions count for the warp before them";
            let flaw = Flaw { expected: "`warp = n` before instructions", found: line.bytes, help };
            flaw.report(Severity::Warning, line.number, diagnostics);
        }
    }

    /// If the number of leading fields of the line differs from the header, uses it from here on and returns true.
    #[cold]
    fn change_layout(&mut self, line: Line, diagnostics: &mut Diagnostics) -> bool {
        let found = count_leading_fields(line.fields()).filter(|&n| n != self.leading && (n >= 4 || !self.raw));
        let Some(leading) = found else { return false };
        if !std::mem::replace(&mut self.reported.layout, true) {
            diagnostics.add(
                Severity::Note,
                Some(line.number),
                format!("{} fields before the program counter, by the header's tracer version", self.leading),
                format!("{leading}"),
                "the layout of the lines is used; nothing is lost",
            );
        }
        self.leading = leading;
        true
    }

    /// Adds a memory instruction, and returns its site if it has addresses.
    #[inline]
    fn add_access<'a>(
        &mut self,
        head: InstructionHead<'a>,
        mut fields: Fields<'a>,
        line: u64,
    ) -> Result<Option<LoadSite>, Flaw<'a>> {
        let Some(builder) = &mut self.builder else { return Ok(None) };
        let decoded = decode_cached(&mut self.decoded, &head);
        let MemoryOp::Lanes { space, kind, bytes } = decoded.op else {
            builder.add_instructions(1);
            let reported = match decoded.op {
                MemoryOp::Bulk => &mut self.reported.bulk,
                MemoryOp::Other if head.width > 0 => &mut self.reported.unknown,
                _ => return Ok(None),
            };
            reported.get_or_insert_with(|| (line, excerpt(head.opcode), 0)).2 += 1;
            return Ok(None);
        };
        if head.width == 0 {
            builder.add_instructions(1);
            return Ok(None);
        }
        let mut list = [0; 32];
        let lanes = head.mask.count_ones() as usize;
        let read = read_addresses(&mut fields, lanes, &mut list);
        let Ok(read) = read else {
            // The warp executed the instruction. Only its addresses are lost.
            builder.add_instructions(1);
            return read.map(|_| None);
        };
        let first = if let LaneAddresses::Affine(base, _) = read { base } else { list[0] };
        let (space, base) = match space {
            Some(space) => (space, 0),
            None => resolve_generic(&self.header, first),
        };
        let site = site_in_space(builder, decoded, space, kind, bytes);
        match read {
            LaneAddresses::Affine(address, stride) => {
                builder.add_affine_access(site, head.mask, address.wrapping_sub(base), stride)
            }
            LaneAddresses::List => {
                list[..lanes].iter_mut().for_each(|address| *address = address.wrapping_sub(base));
                builder.add_access(site, head.mask, &list[..lanes]);
            }
        }
        Ok(Some(LoadSite { number: site, space, kind, bytes }))
    }

    /// Ends the current kernel.
    fn close_kernel(&mut self, diagnostics: &mut Diagnostics) {
        self.end_warp(diagnostics);
        let left_out = self.report_left_out(diagnostics);
        let header = std::mem::take(&mut self.header);
        let uses = std::mem::take(&mut self.uses);
        if let Some(mut builder) = self.builder.take() {
            if header.schedules.is_empty() {
                uses.set_schedules(&mut builder);
            } else {
                header.set_schedules(&mut builder);
            }
            if header.launch.grid.count() == 0 || header.launch.block.count() == 0 {
                let help = "limits on resident blocks that depend on them are not applied";
                diagnostics.add(Severity::Warning, None, "`-grid dim` and `-block dim` above the blocks", "none", help);
            }
            if builder.is_full() {
                let help = "trace a shorter run";
                diagnostics.add(
                    Severity::Warning,
                    None,
                    "at most 16 GB of addresses",
                    "more, which were dropped",
                    help,
                );
            }
            self.heap += builder.heap_bytes();
            self.version.get_or_insert(header.version);
            self.left_out.push(left_out);
            let trace = builder.finish();
            let (blocks, found) = (header.launch.grid.count(), trace.blocks.len() as u64);
            if found < blocks {
                let help = "all counts are of the blocks in the file";
                let expected = format!("{blocks} block{s} of the grid", s = base::plural(blocks, "s"));
                diagnostics.add(Severity::Note, None, expected, found.to_string(), help);
            }
            self.kernels.push(trace);
        }
        self.decoded.iter_mut().for_each(|decoded| decoded.sites = [None; 3]);
        (self.raw, self.block, self.reported) = (false, BlockState::Outside, ReportedOnce::default());
    }

    /// Reports the memory instructions without addresses in the trace, and returns their number.
    fn report_left_out(&mut self, diagnostics: &mut Diagnostics) -> u64 {
        let mut all = 0;
        if let Some((line, opcode, count)) = self.reported.bulk.take() {
            all += count;
            let help = "bulk copies bypass the L1 model; they only count as instructions";
            let found = format!("{opcode}, {count} time{s}", s = base::plural(count, "s"));
            diagnostics.add(Severity::Note, Some(line), "accesses with an address per lane", found, help);
        }
        if let Some((line, opcode, count)) = self.reported.unknown.take() {
            all += count;
            let help = "their addresses are left out; they count as instructions";
            let found = format!("{count} instruction{s} such as {opcode}", s = base::plural(count, "s"));
            diagnostics.add(Severity::Note, Some(line), "a known memory instruction", found, help);
        }
        all
    }
}

impl FormatReader for TracegReader {
    #[inline]
    fn line(&mut self, line: Line, diagnostics: &mut Diagnostics) {
        match line.bytes.first() {
            None => {}
            Some(b'-') => self.header_line(line, diagnostics),
            Some(b'#') => self.block_marker(line, diagnostics),
            Some(b't' | b'w' | b'i') => self.structure_line(line, diagnostics),
            // A program counter may also start with c.
            Some(b'c') if line.bytes.starts_with(b"cluster") => {}
            Some(_) => self.instruction(line, diagnostics),
        }
    }

    fn heap_bytes(&self) -> usize {
        self.heap + self.uses.heap_bytes() + self.builder.as_ref().map_or(0, TraceBuilder::heap_bytes)
    }

    fn finish(mut self: Box<Self>, content: &mut FileContent, diagnostics: &mut Diagnostics) {
        content.format = Format::Traceg { raw: self.raw };
        if self.block != BlockState::Outside {
            let help = "the file is cut off; the content before is used";
            diagnostics.add(Severity::Warning, None, "`#END_TB` after the last block", "the end of the file", help);
        }
        self.close_kernel(diagnostics);
        if self.kernels.is_empty() {
            let help = "load a .traceg or .trace file as the tracer wrote it";
            diagnostics.add(Severity::Error, None, "blocks between `#BEGIN_TB` and `#END_TB`", "none", help);
        }
        content.kernels = self.kernels;
        content.left_out = self.left_out;
        content.version = self.version;
    }
}

/// The space of a generic address, and the base of its window.
fn resolve_generic(header: &Header, address: u64) -> (Space, u64) {
    let within = |base: u64| base != 0 && address.wrapping_sub(base) < WINDOW;
    if within(header.shared_base) {
        (Space::Shared, header.shared_base)
    } else if within(header.local_base) {
        (Space::Local, header.local_base)
    } else {
        (Space::Global, 0)
    }
}

#[inline]
fn decode_cached<'m>(cache: &'m mut [DecodedInstruction], head: &InstructionHead) -> &'m mut DecodedInstruction {
    let slot = (head.pc >> 3) as usize % DECODED_SLOTS;
    let decoded = &mut cache[slot];
    if decoded.pc != head.pc || decoded.source_line != head.source_line || *decoded.opcode != *head.opcode {
        *decoded = DecodedInstruction {
            pc: head.pc,
            source_line: head.source_line,
            opcode: head.opcode.into(),
            op: sass::decode(head.opcode),
            sites: [None; 3],
        };
    }
    decoded
}

#[inline]
fn site_in_space(
    builder: &mut TraceBuilder,
    decoded: &mut DecodedInstruction,
    space: Space,
    kind: Kind,
    bytes: u16,
) -> u32 {
    let which = match space {
        Space::Shared => 1,
        Space::Local => 2,
        _ => 0,
    };
    *decoded.sites[which].get_or_insert_with(|| {
        let opcode = String::from_utf8_lossy(&decoded.opcode).into();
        builder.intern_site(Site { pc: decoded.pc, opcode, source_line: decoded.source_line, space, kind, bytes })
    })
}
