//! Ocelot `.trc`, the format of the GPU cache model of HPCA 2014.
//!
//! In: the line `blocksize: x y z`, then lines `thread direction address bytes` in decimal. Direction 0 is a load, and
//! 1 is a store. Only the accesses of one thread are in order. Out: one [`Trace`]. With B threads in a block, thread n
//! is in block n / B, and its warp in the block is (n mod B) / 32.
//!
//! The format has no program counters, so `align` aligns the lanes as the model of HPCA 2014 does.
//!
//! Not modelled: instructions without memory accesses, and spaces other than global memory.

use crate::formats::align::{AlignedSites, AlignedWarps, STORE};
use crate::formats::reader::FormatReader;
use crate::formats::text::{decimal, number, triple, Flaw, Line};
use crate::{Dim3, FileContent, Format, Launch, Trace, TraceBuilder};
use base::{Diagnostics, Severity};

/// Thread numbers must be below 67 million. A trace of every access of so many threads would be too large.
const THREADS_MAX: u64 = 1 << 26;
/// Most threads in a block (CUDA programming guide, compute capabilities).
const BLOCK_MAX: u64 = 1024;
/// Block size for a file without one. A block is then one warp, so lanes of different blocks are never aligned.
const BLOCK_ASSUMED: Dim3 = Dim3::new(32, 1, 1);
/// Most accesses that wait for the block size.
const EARLY_MAX: usize = 1 << 16;

/// The access of one line.
#[derive(Clone, Copy, Debug)]
struct ThreadAccess {
    address: u64,
    thread: u32,
    /// Bytes in the low 16 bits, and [`STORE`].
    access: u32,
}

/// Reads one file.
#[derive(Debug, Default)]
pub(crate) struct TrcReader {
    block: Option<Dim3>,
    /// The block size is [`BLOCK_ASSUMED`].
    assumed: bool,
    bad_block: bool,
    /// Accesses before the block size is known.
    early: Vec<ThreadAccess>,
    warps: AlignedWarps,
    threads: u32,
    accesses: u64,
}

impl TrcReader {
    #[inline]
    fn add_access(&mut self, access: ThreadAccess, diagnostics: &mut Diagnostics) {
        self.threads = self.threads.max(access.thread + 1);
        self.accesses += 1;
        match self.block {
            Some(block) => self.add_to_warp(access, block.count() as u32),
            None if self.early.len() < EARLY_MAX => self.early.push(access),
            None => {
                self.assume_block_size(diagnostics);
                self.add_early_to_warps();
                self.add_to_warp(access, BLOCK_ASSUMED.count() as u32);
            }
        }
    }

    /// Adds an access to its warp. There are fewer than 2^26 threads, so the number of the warp fits in 32 bits.
    #[inline]
    fn add_to_warp(&mut self, access: ThreadAccess, block: u32) {
        let in_block = access.thread % block;
        let warp = access.thread / block * block.div_ceil(32) + in_block / 32;
        self.warps.add_access(warp, in_block % 32, access.access, access.address);
    }

    fn add_early_to_warps(&mut self) {
        let Some(block) = self.block else { return };
        for access in std::mem::take(&mut self.early) {
            self.add_to_warp(access, block.count() as u32);
        }
    }

    fn assume_block_size(&mut self, diagnostics: &mut Diagnostics) {
        let help = "32 is assumed; add the line `blocksize: x y z` with the real size at the top";
        diagnostics.add(Severity::Warning, Some(1), "`blocksize: x y z`", "no such line", help);
        (self.block, self.assumed) = (Some(BLOCK_ASSUMED), true);
    }

    #[cold]
    fn read_other_line(&mut self, line: Line, flaw: Flaw, diagnostics: &mut Diagnostics) {
        let text = line.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line.bytes);
        if text.len() < 9 || !text[..9].eq_ignore_ascii_case(b"blocksize") {
            return flaw.report(Severity::Warning, line.number, diagnostics);
        }
        let sizes = text[9..].strip_prefix(b":").unwrap_or(&text[9..]);
        if self.assumed {
            let help = "the assumed 32 is used; move the line to the top";
            let flaw = Flaw { expected: "the blocksize line above the accesses", found: text, help };
            return flaw.report(Severity::Warning, line.number, diagnostics);
        }
        if self.block.is_some() {
            let flaw = Flaw { expected: "one blocksize line", found: text, help: "the first one is used" };
            return flaw.report(Severity::Warning, line.number, diagnostics);
        }
        let block = triple(sizes).map(|[x, y, z]| Dim3::new(x, y, z));
        match block.filter(|block| (1..THREADS_MAX).contains(&block.count())) {
            Some(block) => {
                if block.count() > BLOCK_MAX {
                    let help = "the size is used, but no GPU runs such blocks";
                    let flaw = Flaw { expected: "at most 1024 threads in a block", found: sizes, help };
                    flaw.report(Severity::Warning, line.number, diagnostics);
                }
                self.block = Some(block);
                self.add_early_to_warps();
            }
            None => {
                self.bad_block = true;
                let help = "write the block size that the kernel was launched with";
                let flaw = Flaw { expected: "`blocksize: x y z` with sizes above zero", found: text, help };
                flaw.report(Severity::Error, line.number, diagnostics);
            }
        }
    }

    /// The trace with the name `name`, or `None` if the file has no access or no usable block size.
    fn into_trace(mut self, name: &str, diagnostics: &mut Diagnostics) -> Option<Trace> {
        if self.early.is_empty() && self.warps.is_empty() {
            let help = "load a file with lines `thread direction address bytes`";
            diagnostics.add(Severity::Error, None, "at least one access", "none", help);
            return None;
        }
        if self.bad_block && (self.block.is_none() || self.assumed) {
            return None;
        }
        if self.block.is_none() {
            self.assume_block_size(diagnostics);
        }
        self.add_early_to_warps();
        let block = self.block.unwrap_or(BLOCK_ASSUMED);
        let size = block.count();
        let warps = u64::from(self.threads).div_ceil(size) * size.div_ceil(32);
        // Empty warps are kept as well, unless a large thread number would make them too many.
        let dense = warps <= 4 * self.accesses + (1 << 16);
        if !dense {
            let help = "they make no accesses, so only the number of blocks changes";
            diagnostics.add(Severity::Note, None, "accesses from most warps", "mostly empty warps, left out", help);
        }
        Some(build_trace(self.warps, name, self.threads, block, dense))
    }
}

impl FormatReader for TrcReader {
    #[inline]
    fn line(&mut self, line: Line, diagnostics: &mut Diagnostics) {
        match parse_access(line) {
            Ok(access) => self.add_access(access, diagnostics),
            Err(_) if line.bytes.is_empty() => {}
            Err(flaw) => self.read_other_line(line, flaw, diagnostics),
        }
    }

    fn heap_bytes(&self) -> usize {
        self.early.capacity() * size_of::<ThreadAccess>() + self.warps.heap_bytes()
    }

    fn finish(self: Box<Self>, content: &mut FileContent, diagnostics: &mut Diagnostics) {
        content.format = Format::Trc;
        let name = crate::input::assemble::stem(&content.name).to_string();
        content.kernels.extend(self.into_trace(&name, diagnostics));
    }
}

#[inline]
fn parse_access(line: Line<'_>) -> Result<ThreadAccess, Flaw<'_>> {
    const HELP: &str = "the line was skipped; a line is `thread direction address bytes`";
    let flaw = |expected, found| Flaw { expected, found, help: HELP };
    let mut fields = line.fields();
    let field = fields.next_field();
    let thread = decimal(field).ok_or_else(|| flaw("a thread number", field))?;
    if thread >= THREADS_MAX {
        return Err(flaw("a thread number below 67108864", field));
    }
    let field = fields.next_field();
    let direction = match field {
        b"0" => 0,
        b"1" => STORE,
        _ => return Err(flaw("direction 0 (load) or 1 (store)", field)),
    };
    let field = fields.next_field();
    let address = number(field).ok_or_else(|| flaw("an address in decimal", field))?;
    let field = fields.next_field();
    let bytes = decimal(field).filter(|n| (1..=0xffff).contains(n));
    let bytes = bytes.ok_or_else(|| flaw("a number of bytes from 1 to 65535", field))?;
    let field = fields.next_field();
    if !field.is_empty() {
        return Err(flaw("four fields", line.bytes));
    }
    Ok(ThreadAccess { address, thread: thread as u32, access: bytes as u32 | direction })
}

/// Builds the trace. If `dense`, it also has the empty warps between the others.
fn build_trace(warps: AlignedWarps, name: &str, threads: u32, block: Dim3, dense: bool) -> Trace {
    let size = block.count() as u32;
    let (blocks, per_block) = (threads.div_ceil(size), size.div_ceil(32));
    let launch = Launch { grid: Dim3::new(blocks, 1, 1), block, shared_bytes: 0, registers: 0 };
    let mut builder = TraceBuilder::new(name, launch);
    let (mut sites, mut next) = (AlignedSites::default(), 0);
    for (warp, aligned) in warps.into_sorted() {
        let from = if dense { next } else { warp };
        (from..=warp).for_each(|warp| begin_warp(&mut builder, warp, per_block, next, dense));
        next = warp + 1;
        aligned.write_accesses(&mut builder, &mut sites);
    }
    if dense {
        (next..blocks * per_block).for_each(|warp| begin_warp(&mut builder, warp, per_block, next, true));
    }
    builder.finish()
}

/// Starts `warp`, and also its block if it is the first warp of the block in the trace. `next` is the warp after the
/// last one in the trace.
fn begin_warp(builder: &mut TraceBuilder, warp: u32, per_block: u32, next: u32, dense: bool) {
    let block = warp / per_block;
    let new = if dense { block * per_block == warp } else { next == 0 || (next - 1) / per_block != block };
    if new {
        builder.begin_block(Dim3::new(block, 0, 0));
    }
    builder.begin_warp(warp % per_block);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;

    type Seen = (u32, u32, Kind, u16, u32, Vec<u64>);

    fn read(text: &str) -> (Option<Trace>, Vec<String>) {
        let (mut reader, mut diagnostics) = (TrcReader::default(), Diagnostics::new("t.trc"));
        for (i, bytes) in text.lines().enumerate() {
            reader.line(Line { number: i as u64 + 1, bytes: bytes.as_bytes() }, &mut diagnostics);
        }
        let trace = reader.into_trace("t", &mut diagnostics);
        (trace, diagnostics.into_vec().iter().map(ToString::to_string).collect())
    }

    fn accesses(trace: &Trace) -> Vec<Seen> {
        let mut out = Vec::new();
        for block in &trace.blocks {
            for warp in &trace.warps[block.warps.start as usize..block.warps.end as usize] {
                for access in trace.accesses(warp) {
                    let mut list = [0; 32];
                    let n = access.addresses(&mut list);
                    let site = &trace.sites[access.site as usize];
                    out.push((block.id.x, warp.index, site.kind, site.bytes, access.mask, list[..n].to_vec()));
                }
            }
        }
        out
    }

    fn check(text: &str, expected: &[Seen]) {
        let (trace, messages) = read(text);
        assert_eq!(accesses(&trace.expect("a trace")), expected, "{text}");
        assert!(messages.is_empty(), "{messages:?}");
    }

    #[test]
    fn lanes_are_aligned_by_their_number_of_loads() {
        use Kind::{Load, Store};
        // Lane 0 loads twice with two stores in between. Lane 2 stores first and then loads once.
        check(
            "blocksize: 4 1 1\n0 0 100 4\n0 1 200 4\n0 1 204 4\n0 0 108 4\n2 1 300 4\n2 0 116 4",
            &[
                (0, 0, Store, 4, 0b100, vec![300]),
                (0, 0, Load, 4, 0b101, vec![100, 116]),
                (0, 0, Store, 4, 0b001, vec![200]),
                (0, 0, Store, 4, 0b001, vec![204]),
                (0, 0, Load, 4, 0b001, vec![108]),
            ],
        );
    }

    #[test]
    fn one_access_has_one_width() {
        let load = |bytes, mask, list: &[u64]| (0, 0, Kind::Load, bytes, mask, list.to_vec());
        check(
            "blocksize: 4 1 1\n0 0 0 8\n1 0 8 4\n2 0 16 8\n3 0 24 4",
            &[load(8, 0b0101, &[0, 16]), load(4, 0b1010, &[8, 24])],
        );
    }

    #[test]
    fn blocks_that_do_not_fill_their_warps() {
        // 40 threads are a warp of 32 and a warp of 8. Thread 79 is the last lane of block 1.
        let load = |block, warp, mask, address| (block, warp, Kind::Load, 4, mask, vec![address]);
        check(
            "blocksize: 10 2 2\n79 0 1 4\n31 0 2 4\n32 0 3 4",
            &[load(0, 0, 1 << 31, 2), load(0, 1, 1, 3), load(1, 1, 1 << 7, 1)],
        );
    }

    #[test]
    fn empty_warps_are_kept_unless_they_are_most() {
        let (trace, messages) = read("blocksize: 64 1 1\n130 0 0 4");
        let trace = trace.expect("a trace");
        assert_eq!((trace.blocks.len(), trace.warps.len()), (3, 6));
        assert_eq!(trace.launch.grid, Dim3::new(3, 1, 1));
        assert!(messages.is_empty());
        let (trace, messages) = read("blocksize: 1 1 1\n67108863 0 0 4\n67108863 0 8 4\n5 0 0 4");
        let trace = trace.expect("a trace");
        assert_eq!(trace.blocks.iter().map(|b| b.id.x).collect::<Vec<_>>(), [5, 67108863]);
        assert_eq!(trace.warps.iter().map(|w| w.instructions).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(messages.len(), 1);
    }

    #[test]
    fn messages() {
        let cases = [
            ("blocksize: 32 1 1\n0 0 1 4\nx 0 1 4", "t.trc:3: warning: expected a thread number, found `x`"),
            (
                "blocksize: 32 1 1\n0 0 1 4\n4000000000 0 1 4",
                "t.trc:3: warning: expected a thread number below 67108864",
            ),
            ("blocksize: 32 1 1\n0 2 1 4", "t.trc:2: warning: expected direction 0 (load) or 1 (store), found `2`"),
            ("blocksize: 32 1 1\n0 0 -1 4", "t.trc:2: warning: expected an address in decimal, found `-1`"),
            ("blocksize: 32 1 1\n0 0 1", "t.trc:2: warning: expected a number of bytes from 1 to 65535, found the end"),
            ("blocksize: 32 1 1\n0 0 1 0", "t.trc:2: warning: expected a number of bytes from 1 to 65535, found `0`"),
            ("blocksize: 32 1 1\n0 0 1 4 5", "t.trc:2: warning: expected four fields, found `0 0 1 4 5`"),
            ("blocksize: 0 1 1\n0 0 1 4", "t.trc:1: error: expected `blocksize: x y z` with sizes above zero"),
            ("blocksize: 99 99 1\n0 0 1 4", "t.trc:1: warning: expected at most 1024 threads in a block"),
            ("0 0 1 4", "t.trc:1: warning: expected `blocksize: x y z`, found no such line; 32 is assumed"),
            ("blocksize: 32 1 1", "t.trc: error: expected at least one access, found none"),
        ];
        for (text, expected) in cases {
            let (_, messages) = read(text);
            assert!(messages.iter().any(|message| message.starts_with(expected)), "{text:?}: {messages:?}");
        }
    }
}
