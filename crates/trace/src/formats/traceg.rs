//! Accel-Sim traces made with NVBit: grouped `.traceg` and raw `.trace`, tracer versions 0 to 6.
//!
//! In: lines. Out: one [`Trace`] per kernel in the file (usually one). Grouped files have blocks between `#BEGIN_TB` and
//! `#END_TB`; raw files have the block and the warp on every line, in the order the tracer's channel delivered them.
//! The layout is taken from the tracer version and checked on every line, since ids were seen to leak into grouped files
//! and the `#traces format` comment cannot be trusted.
//!
//! An instruction without active lanes is counted but makes no access. Generic `LD`, `ST` and `ATOM` belong to shared or
//! local memory when their first active lane's address lies in the 16 MiB window at that base, and are kept relative to it.
//!
//! Not modelled: bulk copies of the tensor memory accelerator (counted as instructions and told), generic accesses whose
//! lanes lie in different spaces, register numbers, immediates and register values.

use crate::formats::header::Header;
use crate::formats::instruction::{addresses, head, leading_fields, Head, Lanes};
use crate::formats::reader::Reader;
use crate::formats::sass;
use crate::formats::sass::Op;
use crate::formats::text::{decimal, trim, triple, Flaw, Line};
use crate::{Dim3, FileContent, Format, Kind, Site, Space, Trace, TraceBuilder};
use base::{excerpt, Diagnostics, Severity};

/// Size of the generic address windows of shared and local memory.
pub(crate) const WINDOW: u64 = 16 << 20;

/// Reads one file.
#[derive(Debug)]
pub(crate) struct TracegReader {
    file: String,
    header: Header,
    /// Fields before the program counter; set at the first instruction.
    leading: usize,
    raw: bool,
    builder: Option<TraceBuilder>,
    block: Place,
    warp: Option<WarpCount>,
    memo: Vec<Memo>,
    told: Told,
    kernels: Vec<Trace>,
    /// Memory instructions of each kernel whose addresses are not kept.
    left_out: Vec<u64>,
    /// Tracer version of the first kernel.
    version: Option<u64>,
    heap: usize,
}

/// Where the reader is between `#BEGIN_TB` and `#END_TB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Outside,
    /// After `#BEGIN_TB`, before `thread block =`.
    Begun,
    Inside,
}

#[derive(Clone, Copy, Debug)]
struct WarpCount {
    announced: Option<(u64, u64)>,
    seen: u64,
}

/// Things that are told once per kernel.
#[derive(Debug, Default)]
struct Told {
    layout: bool,
    no_warp: bool,
    bulk: Option<(u64, String, u64)>,
    unknown: Option<(u64, String, u64)>,
}

/// A decoded instruction, found again by its program counter.
#[derive(Clone, Debug)]
struct Memo {
    pc: u64,
    source_line: Option<u32>,
    opcode: Box<[u8]>,
    op: Op,
    /// Site per space that a generic instruction met: global, shared, local.
    sites: [Option<u32>; 3],
}

const MEMO_SLOTS: usize = 1024;

impl TracegReader {
    pub fn new(file: &str) -> Self {
        let empty = Memo { pc: u64::MAX, source_line: None, opcode: Box::default(), op: Op::Other, sites: [None; 3] };
        Self {
            file: file.into(),
            header: Header::default(),
            leading: 0,
            raw: false,
            builder: None,
            block: Place::Outside,
            warp: None,
            memo: vec![empty; MEMO_SLOTS],
            told: Told::default(),
            kernels: Vec::new(),
            left_out: Vec::new(),
            version: None,
            heap: 0,
        }
    }

    fn header_line(&mut self, line: Line, diagnostics: &mut Diagnostics) {
        if self.builder.is_some() && line.bytes.starts_with(b"-kernel name") {
            self.close(diagnostics);
        }
        self.header.line(line, diagnostics);
    }

    fn mark(&mut self, line: Line, diagnostics: &mut Diagnostics) {
        if line.bytes == b"#BEGIN_TB" {
            self.end_warp(diagnostics);
            self.builder(false);
            self.block = Place::Begun;
        } else if line.bytes == b"#END_TB" {
            self.end_warp(diagnostics);
            self.block = Place::Outside;
        }
    }

    /// The builder, made when the header is complete.
    fn builder(&mut self, raw: bool) -> &mut TraceBuilder {
        self.builder.get_or_insert_with(|| {
            self.raw = raw;
            self.leading = self.header.leading_fields(raw);
            let name = self.header.name.clone().unwrap_or_else(|| crate::input::assemble::stem(&self.file).into());
            TraceBuilder::new(name, self.header.launch)
        })
    }

    fn structure(&mut self, line: Line, diagnostics: &mut Diagnostics) {
        let equals = memchr::memchr(b'=', line.bytes).unwrap_or(line.bytes.len());
        let key = trim(&line.bytes[..equals]);
        let value = trim(line.bytes.get(equals + 1..).unwrap_or_default());
        let read = match key {
            b"thread block" => self.begin_block(value, diagnostics),
            b"warp" => self.begin_warp(value, diagnostics),
            b"insts" => self.announce(value, line.number),
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
        self.builder(false).begin_block(Dim3::new(x, y, z));
        self.block = Place::Inside;
        Ok(())
    }

    fn begin_warp(&mut self, value: &[u8], diagnostics: &mut Diagnostics) -> Result<(), &'static str> {
        let index = decimal(value).and_then(|n| u32::try_from(n).ok()).ok_or("the warp's index in its block")?;
        self.end_warp(diagnostics);
        if self.block == Place::Begun {
            // The `thread block =` line is missing: the next free index keeps blocks apart.
            let next = self.builder(false).block_count() as u32;
            self.builder(false).begin_block(Dim3::new(next, 0, 0));
            self.block = Place::Inside;
        }
        self.builder(false).begin_warp(index);
        self.warp = Some(WarpCount { announced: None, seen: 0 });
        Ok(())
    }

    fn announce(&mut self, value: &[u8], line: u64) -> Result<(), &'static str> {
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
                format!("{count} instructions for this warp"),
                format!("{seen}"),
                "those that are there are used; the file may be cut off or was edited",
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
            self.without_warp(line, diagnostics);
        }
        let mut fields = line.fields();
        let mut read = head(&mut fields, self.leading, self.raw);
        if read.is_err() && self.change_layout(line, diagnostics) {
            fields = line.fields();
            read = head(&mut fields, self.leading, self.raw);
        }
        let done = read.and_then(|head| {
            let Some(builder) = &mut self.builder else { return Ok(()) };
            if self.raw {
                let [x, y, z, warp] = head.ids;
                builder.select_warp(Dim3::new(x, y, z), warp);
            }
            if head.width == 0 && !head.opcode.starts_with(b"U") || head.mask == 0 {
                builder.instructions(1);
                return Ok(());
            }
            self.access(head, fields, line.number)
        });
        if let Err(flaw) = done {
            flaw.report(Severity::Warning, line.number, diagnostics);
        }
    }

    /// An instruction before any block: a raw file, if the line starts with ids.
    fn enter_raw(&mut self, line: Line) -> bool {
        let raw = leading_fields(line.fields()).is_some_and(|leading| leading >= 4);
        if raw {
            self.builder(true);
        }
        raw
    }

    fn without_warp(&mut self, line: Line, diagnostics: &mut Diagnostics) {
        if !std::mem::replace(&mut self.told.no_warp, true) {
            let help = "such instructions are counted to the warp before them";
            let flaw = Flaw { expected: "`warp = n` before instructions", found: line.bytes, help };
            flaw.report(Severity::Warning, line.number, diagnostics);
        }
    }

    /// True when the line has another number of leading fields than the header says, which is then used from here on.
    #[cold]
    fn change_layout(&mut self, line: Line, diagnostics: &mut Diagnostics) -> bool {
        let found = leading_fields(line.fields()).filter(|&n| n != self.leading && (n >= 4 || !self.raw));
        let Some(leading) = found else { return false };
        if !std::mem::replace(&mut self.told.layout, true) {
            diagnostics.add(
                Severity::Note,
                Some(line.number),
                format!("{} fields before the program counter, by the header's tracer version", self.leading),
                format!("{leading}"),
                "the lines themselves are followed; nothing is lost",
            );
        }
        self.leading = leading;
        true
    }

    #[inline]
    fn access<'a>(
        &mut self,
        head: Head<'a>,
        mut fields: crate::formats::text::Fields<'a>,
        line: u64,
    ) -> Result<(), Flaw<'a>> {
        let Some(builder) = &mut self.builder else { return Ok(()) };
        let memo = recall(&mut self.memo, &head);
        let Op::Lanes { space, kind, bytes } = memo.op else {
            builder.instructions(1);
            let told = match memo.op {
                Op::Bulk => &mut self.told.bulk,
                Op::Other if head.width > 0 => &mut self.told.unknown,
                _ => return Ok(()),
            };
            told.get_or_insert_with(|| (line, excerpt(head.opcode), 0)).2 += 1;
            return Ok(());
        };
        if head.width == 0 {
            builder.instructions(1);
            return Ok(());
        }
        let mut list = [0; 32];
        let lanes = head.mask.count_ones() as usize;
        let read = addresses(&mut fields, lanes, &mut list);
        let Ok(read) = read else {
            // The instruction was executed; only its addresses are lost.
            builder.instructions(1);
            return read.map(|_| ());
        };
        let first = if let Lanes::Affine(base, _) = read { base } else { list[0] };
        let (space, base) = match space {
            Some(space) => (space, 0),
            None => resolve(&self.header, first),
        };
        let site = site(builder, memo, space, kind, bytes);
        match read {
            Lanes::Affine(address, stride) => {
                builder.access_affine(site, head.mask, address.wrapping_sub(base), stride)
            }
            Lanes::List => {
                list[..lanes].iter_mut().for_each(|address| *address = address.wrapping_sub(base));
                builder.access(site, head.mask, &list[..lanes]);
            }
        }
        Ok(())
    }

    /// Ends the kernel that is being read.
    fn close(&mut self, diagnostics: &mut Diagnostics) {
        self.end_warp(diagnostics);
        let left_out = self.tell_once(diagnostics);
        let header = std::mem::take(&mut self.header);
        if let Some(builder) = self.builder.take() {
            if header.launch.grid.count() == 0 || header.launch.block.count() == 0 {
                let help = "occupancy limits that depend on them are not applied";
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
            self.kernels.push(builder.finish());
        }
        self.memo.iter_mut().for_each(|memo| memo.sites = [None; 3]);
        (self.raw, self.block, self.told) = (false, Place::Outside, Told::default());
    }

    /// Returns how many memory instructions are told of.
    fn tell_once(&mut self, diagnostics: &mut Diagnostics) -> u64 {
        let mut all = 0;
        if let Some((line, opcode, count)) = self.told.bulk.take() {
            all += count;
            let help = "bulk copies go past the L1 model; they are counted as instructions only";
            let found = format!("{opcode}, {count} times");
            diagnostics.add(Severity::Note, Some(line), "accesses with an address per lane", found, help);
        }
        if let Some((line, opcode, count)) = self.told.unknown.take() {
            all += count;
            let help = "its addresses are left out; it is counted as an instruction";
            let found = format!("{opcode} and the like, {count} times");
            diagnostics.add(Severity::Note, Some(line), "a known memory instruction", found, help);
        }
        all
    }
}

impl Reader for TracegReader {
    #[inline]
    fn line(&mut self, line: Line, diagnostics: &mut Diagnostics) {
        match line.bytes.first() {
            None => {}
            Some(b'-') => self.header_line(line, diagnostics),
            Some(b'#') => self.mark(line, diagnostics),
            Some(b't' | b'w' | b'i') => self.structure(line, diagnostics),
            // A program counter may start with c too.
            Some(b'c') if line.bytes.starts_with(b"cluster") => {}
            Some(_) => self.instruction(line, diagnostics),
        }
    }

    fn heap_bytes(&self) -> usize {
        self.heap + self.builder.as_ref().map_or(0, TraceBuilder::heap_bytes)
    }

    fn finish(mut self: Box<Self>, content: &mut FileContent, diagnostics: &mut Diagnostics) {
        content.format = Format::Traceg { raw: self.raw };
        if self.block != Place::Outside {
            let help = "the file is cut off; what is there is used";
            diagnostics.add(Severity::Warning, None, "`#END_TB` after the last block", "the end of the file", help);
        }
        self.close(diagnostics);
        if self.kernels.is_empty() {
            let help = "load a .traceg or .trace file as the tracer wrote it";
            diagnostics.add(Severity::Error, None, "blocks between `#BEGIN_TB` and `#END_TB`", "none", help);
        }
        content.kernels = self.kernels;
        content.left_out = self.left_out;
        content.version = self.version;
    }
}

fn resolve(header: &Header, address: u64) -> (Space, u64) {
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
fn recall<'m>(memo: &'m mut [Memo], head: &Head) -> &'m mut Memo {
    let slot = (head.pc >> 3) as usize % MEMO_SLOTS;
    let memo = &mut memo[slot];
    if memo.pc != head.pc || memo.source_line != head.source_line || *memo.opcode != *head.opcode {
        *memo = Memo {
            pc: head.pc,
            source_line: head.source_line,
            opcode: head.opcode.into(),
            op: sass::decode(head.opcode),
            sites: [None; 3],
        };
    }
    memo
}

#[inline]
fn site(builder: &mut TraceBuilder, memo: &mut Memo, space: Space, kind: Kind, bytes: u16) -> u32 {
    let which = match space {
        Space::Shared => 1,
        Space::Local => 2,
        _ => 0,
    };
    *memo.sites[which].get_or_insert_with(|| {
        let opcode = String::from_utf8_lossy(&memo.opcode).into();
        builder.site(Site { pc: memo.pc, opcode, source_line: memo.source_line, space, kind, bytes })
    })
}
