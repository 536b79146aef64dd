//! Writers of `.trc` and `.traceg` (tracer version 5).
//!
//! In: a [`Trace`]. Out: a [`WrittenTrace`] with the text and the number of warp accesses that the format cannot hold.
//! Reading the text gives an equal trace without the names of arrays, which neither format has. A `.trc` also loses
//! program counters and instruction counts, and its reader aligns the lanes. A `.traceg` needs an opcode. If a site has
//! none, or if its opcode contradicts the site, the writer makes one. A trace has the sums of instructions by unit only, so
//! a `.traceg` has them spread evenly.

use crate::formats::sass;
use crate::formats::sass::MemoryOp;
use crate::formats::traceg::WINDOW;
use crate::formats::write_registers::{Units, WarpRegisters};
use crate::{Access, Barrier, Block, Dim3, IssueShares, Kind, Schedule, Site, Space, Trace};
use std::io;
use std::io::Write;

/// The text of a trace file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenTrace {
    /// The content of the file.
    pub text: Vec<u8>,
    /// Number of warp accesses that the format cannot hold.
    pub left_out: usize,
}

/// Base of the window of shared memory in written files, far above any real address. The window of local memory follows
/// it.
const SHARED_BASE: u64 = 0xfff0_0000_0000_0000;
const LOCAL_BASE: u64 = SHARED_BASE + WINDOW;

/// The layout of the instruction lines, as version 5 of the tracer states it.
const TRACES_FORMAT: &str = "[line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width \
     [adrrescompress?] [mem_addresses] immediate";

/// Where the text goes. After the first error nothing more is written.
struct Out<'w> {
    to: &'w mut dyn Write,
    result: io::Result<()>,
}

/// The text of what a writer writes.
fn in_memory(write: impl FnOnce(&mut Vec<u8>) -> io::Result<usize>) -> WrittenTrace {
    let mut text = Vec::new();
    // Writing to a vector cannot fail.
    let left_out = write(&mut text).unwrap_or_default();
    WrittenTrace { text, left_out }
}

/// Writes global loads and stores as Ocelot `.trc`, warp after warp.
pub fn write_trc(trace: &Trace) -> WrittenTrace {
    in_memory(|text| write_trc_to(trace, text))
}

/// The same as [`write_trc`], without the text in memory. Gives the number of warp accesses that are left out.
///
/// # Errors
///
/// Returns the error of the writer.
pub fn write_trc_to(trace: &Trace, to: &mut dyn Write) -> io::Result<usize> {
    let mut text = Out { to, result: Ok(()) };
    let mut left_out = 0;
    let block = block_size(trace);
    put(&mut text, format_args!("blocksize: {} {} {}\n", block.x, block.y, block.z));
    let size = block.count();
    for (owner, warp) in warps(trace) {
        let first = owner.id.linear_in(trace.launch.grid).saturating_mul(size);
        for access in trace.accesses(warp) {
            let site = &trace.sites[access.site as usize];
            let lane = u64::from(warp.index) * 32 + u64::from(31 - access.mask.leading_zeros());
            if site.space != Space::Global || site.kind == Kind::Atomic || site.bytes == 0 || lane >= size {
                left_out += 1;
                continue;
            }
            let direction = u8::from(site.kind == Kind::Store);
            for (lane, address) in lanes(&access) {
                let thread = first + u64::from(warp.index) * 32 + u64::from(lane);
                put(&mut text, format_args!("{thread} {direction} {address} {}\n", site.bytes));
            }
        }
    }
    text.result.map(|()| left_out)
}

/// Writes an Accel-Sim `.traceg` of tracer version 5. Barriers become `BAR.SYNC`, and other instructions without an
/// access opcodes of the units that the launch used, or `NOP` where these are not known. If the schedules of loads are
/// known, a load's register is read where its value is used first. What the compiler may do about a load's place is in
/// the header, under a key that other readers skip.
pub fn write_traceg(trace: &Trace) -> WrittenTrace {
    in_memory(|text| write_traceg_to(trace, text).map(|()| 0))
}

/// The same as [`write_traceg`], without the text in memory.
///
/// # Errors
///
/// Returns the error of the writer.
pub fn write_traceg_to(trace: &Trace, to: &mut dyn Write) -> io::Result<()> {
    let mut text = Out { to, result: Ok(()) };
    let line_numbers = trace.sites.iter().any(|site| site.source_line.is_some());
    let opcodes: Vec<WrittenOpcode> = trace.sites.iter().map(WrittenOpcode::of_site).collect();
    write_header(&mut text, trace, line_numbers);
    write_schedules(&mut text, trace, &opcodes);
    // Accel-Sim takes the first line that begins with `#` as the end of the header.
    put(&mut text, format_args!("\n#traces format = {TRACES_FORMAT}\n"));
    let mut units = Units::of(trace);
    for block in &trace.blocks {
        let Dim3 { x, y, z } = block.id;
        put(&mut text, format_args!("\n#BEGIN_TB\n\nthread block = {x},{y},{z}\n"));
        for warp in &trace.warps[block.warps.start as usize..block.warps.end as usize] {
            put(&mut text, format_args!("\nwarp = {}\ninsts = {}\n", warp.index, warp.instructions));
            let mut to = WarpWriter {
                text: &mut text,
                trace,
                opcodes: &opcodes,
                line_numbers,
                units: &mut units,
                registers: WarpRegisters::default(),
                barriers: trace.barriers(warp),
            };
            let mut written = 0;
            for (number, access) in trace.accesses(warp).enumerate() {
                to.write_gap(u64::from(access.gap), number as u32);
                to.write_access(&access);
                written += u64::from(access.gap) + 1;
            }
            to.write_gap(warp.instructions.saturating_sub(written), u32::MAX);
        }
        put(&mut text, format_args!("\n#END_TB\n"));
    }
    text.result
}

fn write_header(text: &mut Out, trace: &Trace, line_numbers: bool) {
    let (grid, block) = (trace.launch.grid, trace.launch.block);
    let name: String = trace.name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    put(text, format_args!("-kernel name = {name}\n-kernel id = 1\n"));
    for (key, dim) in [("grid", grid), ("block", block)] {
        put(text, format_args!("-{key} dim = ({},{},{})\n", dim.x, dim.y, dim.z));
    }
    put(text, format_args!("-shmem = {}\n-nregs = {}\n", trace.launch.shared_bytes, trace.launch.registers));
    if trace.estimated_registers > 0 {
        put(text, format_args!("-warpscope estimated registers = {}\n", trace.estimated_registers));
    }
    if trace.issue != IssueShares::default() {
        put(text, format_args!("-warpscope waiting = {}\n", trace.issue.waiting));
    }
    put(text, format_args!("-binary version = 80\n-cuda stream id = 0\n"));
    put(text, format_args!("-shmem base_addr = {SHARED_BASE:#018x}\n-local mem base_addr = {LOCAL_BASE:#018x}\n"));
    put(text, format_args!("-nvbit version = 1.7\n-accelsim tracer version = 5\n"));
    put(text, format_args!("-enable lineinfo = {}\n", u8::from(line_numbers)));
}

/// The opcode of a site in the written file.
struct WrittenOpcode {
    text: String,
    /// Added to all addresses. It is the base of the window if the opcode is generic.
    base: u64,
}

impl WrittenOpcode {
    fn of_site(site: &Site) -> Self {
        let plain = site.opcode.bytes().all(|b| b.is_ascii_graphic()) && site.opcode.len() <= 64;
        let (space, kind, bytes) = match sass::decode(site.opcode.as_bytes()) {
            MemoryOp::Lanes { space, kind, bytes } => (space, kind, bytes),
            _ => (None, site.kind, 0),
        };
        let base = match site.space {
            Space::Shared if space.is_none() => SHARED_BASE,
            Space::Local if space.is_none() => LOCAL_BASE,
            _ => 0,
        };
        let generic = space.is_none() && (site.space == Space::Global || base != 0);
        if plain && kind == site.kind && bytes == site.bytes && (space == Some(site.space) || generic) {
            return Self { text: site.opcode.to_string(), base };
        }
        Self { text: sass::sass_opcode(site.space, site.kind, site.bytes), base: 0 }
    }
}

/// Writes what the compiler may do about loads, a line per site.
fn write_schedules(text: &mut Out, trace: &Trace, opcodes: &[WrittenOpcode]) {
    for (number, site) in trace.sites.iter().enumerate() {
        let Some(Schedule { hoist, use_after }) = trace.schedule(number as u32) else { continue };
        let opcode = &opcodes[number].text;
        put(text, format_args!("-warpscope schedule = {:x} {opcode} {hoist} ", site.pc));
        match use_after {
            Schedule::NEVER => put(text, format_args!("never\n")),
            after => put(text, format_args!("{after}\n")),
        }
    }
}

/// Writes the instructions of one warp.
struct WarpWriter<'t, 'w> {
    text: &'t mut Out<'w>,
    trace: &'t Trace,
    opcodes: &'t [WrittenOpcode],
    line_numbers: bool,
    units: &'t mut Units,
    registers: WarpRegisters,
    /// Barriers that are not written yet.
    barriers: &'t [Barrier],
}

impl WarpWriter<'_, '_> {
    /// Writes the instructions between two accesses, or after the last one. Barriers before the access `number` are among
    /// them.
    fn write_gap(&mut self, count: u64, number: u32) {
        let line = if self.line_numbers { "0 " } else { "" };
        for written in 1..=count {
            let opcode = match self.barriers.split_first() {
                Some((next, rest)) if next.access <= number && u64::from(next.gap) <= written => {
                    self.barriers = rest;
                    "BAR.SYNC"
                }
                _ => self.units.next_opcode(number == u32::MAX && written == count),
            };
            let registers = self.registers.plain(opcode);
            put(self.text, format_args!("{line}0000 ffffffff {registers} 0 0 \n"));
        }
    }

    fn write_access(&mut self, access: &Access) {
        let (site, opcode) = (&self.trace.sites[access.site as usize], &self.opcodes[access.site as usize]);
        if self.line_numbers {
            put(self.text, format_args!("{} ", site.source_line.unwrap_or(0)));
        }
        let registers = match self.trace.schedule(access.site) {
            Some(schedule) if site.kind != Kind::Store => self.registers.load(&opcode.text, schedule, site.bytes),
            _ => self.registers.store(&opcode.text, self.trace.has_schedules()),
        };
        put(self.text, format_args!("{:04x} {:08x} {registers} {} ", site.pc, access.mask, site.bytes.max(1)));
        let mut list = [0; 32];
        let count = access.addresses(&mut list);
        let list = &mut list[..count];
        list.iter_mut().for_each(|address| *address = address.wrapping_add(opcode.base));
        write_addresses(self.text, access.mask, list);
        put(self.text, format_args!(" 0 \n"));
    }
}

fn write_addresses(text: &mut Out, mask: u32, list: &[u64]) {
    let step = |i: usize| list[i + 1].wrapping_sub(list[i]) as i64;
    let steps = list.len().saturating_sub(1);
    let contiguous = (mask >> mask.trailing_zeros()).wrapping_add(1) & (mask >> mask.trailing_zeros()) == 0;
    if (0..steps).any(|i| i32::try_from(step(i)).is_err()) {
        put(text, format_args!("0"));
        list.iter().for_each(|address| put(text, format_args!(" {address:#018x}")));
    } else if contiguous && (1..steps).all(|i| step(i) == step(0)) {
        let stride = if steps > 0 { step(0) } else { 0 };
        put(text, format_args!("1 {:#x} {stride}", list.first().unwrap_or(&0)));
    } else {
        put(text, format_args!("2 {:#x}", list.first().unwrap_or(&0)));
        (0..steps).for_each(|i| put(text, format_args!(" {}", step(i))));
    }
}

/// The size of a block. If the launch does not give it, it follows from the highest warp index.
fn block_size(trace: &Trace) -> Dim3 {
    if trace.launch.block.count() > 0 {
        return trace.launch.block;
    }
    let warps = trace.warps.iter().map(|warp| warp.index.saturating_add(1)).max().unwrap_or(1);
    Dim3::new(warps.saturating_mul(32), 1, 1)
}

fn warps(trace: &Trace) -> impl Iterator<Item = (&Block, &crate::Warp)> {
    trace.blocks.iter().flat_map(|block| {
        let range = block.warps.start as usize..block.warps.end as usize;
        trace.warps[range].iter().map(move |warp| (block, warp))
    })
}

fn lanes(access: &Access) -> impl Iterator<Item = (u32, u64)> {
    let mut list = [0; 32];
    access.addresses(&mut list);
    let mask = access.mask;
    (0..32).filter(move |lane| mask >> lane & 1 == 1).zip(list)
}

fn put(text: &mut Out, what: std::fmt::Arguments) {
    if text.result.is_ok() {
        text.result = text.to.write_fmt(what);
    }
}
