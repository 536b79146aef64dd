//! Ocelot `.trc`: the format of the GPU cache model of HPCA 2014.
//!
//! In: `blocksize: x y z`, then `thread direction address bytes` in decimal (direction 0 load, 1 store), ordered within a
//! thread only. Out: one [`Trace`]. Thread n belongs to block n / blocksize; its warp is (n mod B)/32 in that block.
//!
//! The format has no program counters, so lanes are aligned as that model aligns them: the k-th load of every lane of a
//! warp is one warp access. A store belongs to the slot between the loads where its lane had it; the j-th stores of a slot
//! are one warp access, before the slot's load. An access is split where lanes differ in width.
//!
//! Lines are kept as 16-byte items until the file ends, then sorted by warp (stable, so threads keep their order).
//!
//! Not modelled: instructions without memory accesses; other spaces than global memory.

use super::text::{decimal, number, triple, Flaw, Line};
use super::{Dim3, Kind, Launch, Site, Space, Trace, TraceBuilder};
use crate::diag::{Diagnostics, Severity};

/// Thread numbers must be below this: 67 million threads, far above what a trace of every access can hold.
const THREADS_MAX: u64 = 1 << 26;
/// CUDA programming guide, compute capabilities: most threads in a block.
const BLOCK_MAX: u64 = 1024;
/// Block size assumed for a file without one: a block is then a warp, and no lanes are aligned that should not be.
const BLOCK_ASSUMED: Dim3 = Dim3::new(32, 1, 1);
const ITEMS_PER_CHUNK: usize = 1 << 14;

/// One line.
#[derive(Clone, Copy, Debug)]
struct Item {
    address: u64,
    thread: u32,
    /// Bytes in the low 16 bits, direction above.
    access: u32,
}

/// Reads one file.
#[derive(Debug, Default)]
pub(super) struct TrcReader {
    block: Option<Dim3>,
    bad_block: bool,
    /// Chunks rather than one vector: growing never needs the space twice.
    chunks: Vec<Vec<Item>>,
    threads: u32,
}

impl TrcReader {
    /// Takes one line.
    #[inline]
    pub fn line(&mut self, line: Line, diagnostics: &mut Diagnostics) {
        match item(line) {
            Ok(item) => self.keep(item),
            Err(_) if line.bytes.is_empty() => {}
            Err(flaw) => self.other_line(line, flaw, diagnostics),
        }
    }

    #[inline]
    fn keep(&mut self, item: Item) {
        self.threads = self.threads.max(item.thread + 1);
        match self.chunks.last_mut() {
            Some(chunk) if chunk.len() < ITEMS_PER_CHUNK => chunk.push(item),
            _ => {
                let mut chunk = Vec::with_capacity(ITEMS_PER_CHUNK);
                chunk.push(item);
                self.chunks.push(chunk);
            }
        }
    }

    #[cold]
    fn other_line(&mut self, line: Line, flaw: Flaw, diagnostics: &mut Diagnostics) {
        let text = line.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line.bytes);
        if text.len() < 9 || !text[..9].eq_ignore_ascii_case(b"blocksize") {
            return flaw.report(Severity::Warning, line.number, diagnostics);
        }
        let sizes = text[9..].strip_prefix(b":").unwrap_or(&text[9..]);
        if self.block.is_some() {
            let flaw = Flaw { expected: "one blocksize line", found: text, help: "the first one is used" };
            return flaw.report(Severity::Warning, line.number, diagnostics);
        }
        let block = triple(sizes).map(|[x, y, z]| Dim3::new(x, y, z));
        match block.filter(|block| (1..THREADS_MAX).contains(&block.count())) {
            Some(block) => {
                if block.count() > BLOCK_MAX {
                    let help = "it is used as it stands; no GPU runs such blocks";
                    let flaw = Flaw { expected: "at most 1024 threads in a block", found: sizes, help };
                    flaw.report(Severity::Warning, line.number, diagnostics);
                }
                self.block = Some(block);
            }
            None => {
                self.bad_block = true;
                let help = "write the block size that the kernel was launched with";
                let flaw = Flaw { expected: "`blocksize: x y z` with sizes above zero", found: text, help };
                flaw.report(Severity::Error, line.number, diagnostics);
            }
        }
    }

    /// Bytes that the items and what they become take at most: an item, its place in the order, and a warp access of one
    /// lane.
    pub fn heap_bytes(&self) -> usize {
        self.chunks.len() * ITEMS_PER_CHUNK * (size_of::<Item>() + 4 + 28)
    }

    /// The trace, named `name`; none when the file has no access or no usable block size.
    pub fn finish(self, name: &str, diagnostics: &mut Diagnostics) -> Option<Trace> {
        if self.chunks.is_empty() {
            let help = "load a file with lines `thread direction address bytes`";
            diagnostics.add(Severity::Error, None, "at least one access", "none", help);
            return None;
        }
        if self.block.is_none() && self.bad_block {
            return None;
        }
        let block = self.block.unwrap_or_else(|| {
            let help = "32 is assumed: add the line `blocksize: x y z` at the top for the real one";
            diagnostics.add(Severity::Warning, Some(1), "`blocksize: x y z`", "no such line", help);
            BLOCK_ASSUMED
        });
        let sorted = Sorted::new(self.chunks, self.threads, block.count() as u32);
        if !sorted.dense {
            let help = "they make no accesses, so only counts of blocks change";
            diagnostics.add(Severity::Note, None, "accesses from most warps", "mostly empty warps, left out", help);
        }
        Some(sorted.trace(name, block))
    }
}

#[inline]
fn item(line: Line<'_>) -> Result<Item, Flaw<'_>> {
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
        b"1" => 1,
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
    Ok(Item { address, thread: thread as u32, access: bytes as u32 | direction << 16 })
}

/// Items with the order that puts those of a warp together.
struct Sorted {
    chunks: Vec<Vec<Item>>,
    order: Vec<u32>,
    threads: u32,
    block: u32,
    /// Most warps have accesses, so that empty ones can be kept too without letting one large thread number cost much.
    dense: bool,
}

impl Sorted {
    fn new(chunks: Vec<Vec<Item>>, threads: u32, block: u32) -> Self {
        let items: usize = chunks.iter().map(Vec::len).sum();
        let warps = u64::from(threads.div_ceil(block)) * u64::from(block.div_ceil(32));
        let dense = warps <= 4 * items as u64 + (1 << 16);
        let mut this = Self { chunks, order: vec![0; items], threads, block, dense };
        if dense {
            this.counting_sort(warps as usize);
        } else {
            this.order = (0..items as u32).collect();
            let mut order = std::mem::take(&mut this.order);
            order.sort_by_key(|&i| this.warp(this.item(i).thread));
            this.order = order;
        }
        this
    }

    fn counting_sort(&mut self, warps: usize) {
        let mut at = vec![0u32; warps + 1];
        for item in self.chunks.iter().flatten() {
            at[self.warp(item.thread) as usize + 1] += 1;
        }
        for i in 1..at.len() {
            at[i] += at[i - 1];
        }
        for (i, item) in self.chunks.iter().flatten().enumerate() {
            let slot = &mut at[self.warp(item.thread) as usize];
            self.order[*slot as usize] = i as u32;
            *slot += 1;
        }
    }

    /// Warp of a thread, counted over the grid. Below 2^26 blocks of at least one warp, so it fits.
    #[inline]
    fn warp(&self, thread: u32) -> u32 {
        thread / self.block * self.block.div_ceil(32) + thread % self.block / 32
    }

    #[inline]
    fn item(&self, index: u32) -> &Item {
        &self.chunks[index as usize / ITEMS_PER_CHUNK][index as usize % ITEMS_PER_CHUNK]
    }

    fn trace(self, name: &str, block: Dim3) -> Trace {
        let blocks = self.threads.div_ceil(self.block);
        let launch = Launch { grid: Dim3::new(blocks, 1, 1), block, shared_bytes: 0, registers: 0 };
        let mut builder = TraceBuilder::new(name, launch);
        let mut aligner = Aligner::default();
        let per_block = self.block.div_ceil(32);
        let mut next = 0;
        let mut rest = &self.order[..];
        while let Some(&first) = rest.first() {
            let warp = self.warp(self.item(first).thread);
            let count = rest.iter().take_while(|&&i| self.warp(self.item(i).thread) == warp).count();
            let (mine, others) = rest.split_at(count);
            rest = others;
            let from = if self.dense { next } else { warp };
            (from..=warp).for_each(|warp| begin(&mut builder, warp, per_block, next, self.dense));
            next = warp + 1;
            aligner.warp(mine.iter().map(|&i| (self.item(i).thread % self.block % 32, *self.item(i))), &mut builder);
        }
        if self.dense {
            (next..blocks * per_block).for_each(|warp| begin(&mut builder, warp, per_block, next, true));
        }
        builder.finish()
    }
}

/// Starts `warp`, and its block when `warp` is the first of it that is kept; `next` is the warp after the last one kept.
fn begin(builder: &mut TraceBuilder, warp: u32, per_block: u32, next: u32, dense: bool) {
    let block = warp / per_block;
    let new = if dense { block * per_block == warp } else { next == 0 || (next - 1) / per_block != block };
    if new {
        builder.begin_block(Dim3::new(block, 0, 0));
    }
    builder.begin_warp(warp % per_block);
}

/// Puts the accesses of a warp's lanes side by side.
#[derive(Default)]
struct Aligner {
    placed: Vec<Placed>,
    last_site: Option<(u32, u32)>,
}

#[derive(Clone, Copy)]
struct Placed {
    /// Loads the lane had done, then 0 for a store or 1 for a load, then the store's number in its slot.
    key: u64,
    lane: u32,
    access: u32,
    address: u64,
}

impl Aligner {
    fn warp(&mut self, items: impl Iterator<Item = (u32, Item)>, builder: &mut TraceBuilder) {
        let (mut loads, mut stores) = ([0u64; 32], [0u64; 32]);
        self.placed.clear();
        for (lane, item) in items {
            let (done, in_slot) = (&mut loads[lane as usize], &mut stores[lane as usize]);
            let key = if item.access >> 16 == 0 {
                let key = *done << 32 | 1 << 31;
                *done += 1;
                *in_slot = 0;
                key
            } else {
                *in_slot += 1;
                *done << 32 | (*in_slot - 1)
            };
            self.placed.push(Placed { key, lane, access: item.access, address: item.address });
        }
        // Stable, and quick on the runs that files have: lockstep order, or one thread after the other.
        self.placed.sort_by_key(|p| (p.key, p.lane));
        let placed = std::mem::take(&mut self.placed);
        placed.chunk_by(|a, b| a.key == b.key).for_each(|group| self.group(group, builder));
        self.placed = placed;
    }

    /// One access per width, by the first lane that has it.
    fn group(&mut self, group: &[Placed], builder: &mut TraceBuilder) {
        let mut done = 0u32;
        for (i, first) in group.iter().enumerate() {
            if done & 1 << first.lane != 0 {
                continue;
            }
            let (mut mask, mut count, mut addresses) = (0, 0, [0; 32]);
            for other in group[i..].iter().filter(|other| other.access == first.access) {
                mask |= 1 << other.lane;
                addresses[count] = other.address;
                count += 1;
            }
            done |= mask;
            let site = self.site(first.access, builder);
            builder.access(site, mask, &addresses[..count]);
        }
    }

    fn site(&mut self, access: u32, builder: &mut TraceBuilder) -> u32 {
        if let Some((_, site)) = self.last_site.filter(|last| last.0 == access) {
            return site;
        }
        let kind = if access >> 16 == 0 { Kind::Load } else { Kind::Store };
        let bytes = access as u16;
        let site =
            builder.site(Site { pc: 0, opcode: "".into(), source_line: None, space: Space::Global, kind, bytes });
        self.last_site = Some((access, site));
        site
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Seen = (u32, u32, Kind, u16, u32, Vec<u64>);

    fn read(text: &str) -> (Option<Trace>, Vec<String>) {
        let (mut reader, mut diagnostics) = (TrcReader::default(), Diagnostics::new("t.trc"));
        for (i, bytes) in text.lines().enumerate() {
            reader.line(Line { number: i as u64 + 1, bytes: bytes.as_bytes() }, &mut diagnostics);
        }
        let trace = reader.finish("t", &mut diagnostics);
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
        let (trace, told) = read(text);
        assert_eq!(accesses(&trace.expect("a trace")), expected, "{text}");
        assert!(told.is_empty(), "{told:?}");
    }

    #[test]
    fn lanes_are_aligned_by_their_number_of_loads() {
        use Kind::{Load, Store};
        // Lane 0 loads twice with two stores between; lane 2 stores first, then loads once.
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
        // 40 threads are a warp of 32 and one of 8; thread 79 is the last lane of block 1.
        let load = |block, warp, mask, address| (block, warp, Kind::Load, 4, mask, vec![address]);
        check(
            "blocksize: 10 2 2\n79 0 1 4\n31 0 2 4\n32 0 3 4",
            &[load(0, 0, 1 << 31, 2), load(0, 1, 1, 3), load(1, 1, 1 << 7, 1)],
        );
    }

    #[test]
    fn empty_warps_are_kept_unless_they_are_most() {
        let (trace, told) = read("blocksize: 64 1 1\n130 0 0 4");
        let trace = trace.expect("a trace");
        assert_eq!((trace.blocks.len(), trace.warps.len()), (3, 6));
        assert_eq!(trace.launch.grid, Dim3::new(3, 1, 1));
        assert!(told.is_empty());
        let (trace, told) = read("blocksize: 1 1 1\n67108863 0 0 4\n67108863 0 8 4\n5 0 0 4");
        let trace = trace.expect("a trace");
        assert_eq!(trace.blocks.iter().map(|b| b.id.x).collect::<Vec<_>>(), [5, 67108863]);
        assert_eq!(trace.warps.iter().map(|w| w.instructions).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(told.len(), 1);
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
            let (_, told) = read(text);
            assert!(told.iter().any(|message| message.starts_with(expected)), "{text:?}: {told:?}");
        }
    }
}
