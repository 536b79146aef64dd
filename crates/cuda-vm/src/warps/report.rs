//! The faults of a launch with line, thread, array and index. Also the sites and the counts of its accesses.

use crate::warps::launch_run::LaunchRun;
use crate::warps::warp::Warp;
use bytecode::code::{Atomic, Ins, MemorySpace, Op};
use bytecode::fault::{FaultCause, RunFault};
use bytecode::memory::{MemoryObject, ADDRESS};
use trace::{sass_opcode, Kind, Schedule, Site, Space, COUNT_OPCODE};

impl LaunchRun {
    /// The name of a thread in messages.
    pub(crate) fn thread_name(&self, warp: &Warp, lane: usize) -> String {
        let t = u64::from(warp.index) * 32 + lane as u64;
        let (w, h) = (u64::from(self.block.x), u64::from(self.block.y));
        let (gw, gh) = (u64::from(self.grid.x), u64::from(self.grid.y));
        let b = self.linear_block;
        let thread = (t % w, t / w % h, t / w / h);
        let block = (b % gw, b / gw % gh, b / gw / gh);
        format!("thread {thread:?} of block {block:?}")
    }

    fn verb(ins: &Ins) -> &'static str {
        match ins.op {
            Op::Load(_) => "reads",
            Op::Store(_) => "writes",
            _ => "updates",
        }
    }

    /// The fault of a pointer that belongs to no array.
    pub(crate) fn wild_pointer_fault(&self, warp: &Warp, ins: &Ins, pointer: u64, lane: usize) -> RunFault {
        let address = (pointer & ADDRESS).wrapping_add(ins.imm as u64) & ADDRESS;
        let what = if address < 1 << 16 {
            "a null pointer".into()
        } else {
            format!("address {address:#x}, which no array holds")
        };
        let found = format!("{} {} {what}", self.thread_name(warp, lane), Self::verb(ins));
        RunFault::new(ins.line, "an address inside an array", found, "is the pointer set, and is it one of the device?")
    }

    /// The fault of an access before the start or beyond the end of an array.
    pub(crate) fn out_of_bounds_fault(
        &self,
        warp: &Warp,
        ins: &Ins,
        object: &MemoryObject,
        offset: u64,
        lane: usize,
    ) -> RunFault {
        let index = (offset as i64).div_euclid(object.element as i64);
        let count = object.bytes / object.element;
        let found = format!("{} {} `{}[{index}]`", self.thread_name(warp, lane), Self::verb(ins), object.name);
        let expected = format!("an index from 0 to {} of `{}`", count.saturating_sub(1), object.name);
        let help = "guard the access with an `if`, or give the launch a larger array";
        let mut fault = RunFault::new(ins.line, expected, found, help);
        fault.cause = match u64::try_from(index) {
            Ok(index) if object.space == MemorySpace::Global => FaultCause::Global(object.name.clone(), index),
            Err(_) if object.space == MemorySpace::Global => {
                FaultCause::Before(object.name.clone(), index.unsigned_abs())
            }
            _ => FaultCause::Fixed,
        };
        fault
    }

    pub(crate) fn misaligned_fault(
        &self,
        warp: &Warp,
        ins: &Ins,
        object: &MemoryObject,
        offset: u64,
        lane: usize,
        align: u64,
    ) -> RunFault {
        let found = format!("{} {} byte {offset} of `{}`", self.thread_name(warp, lane), Self::verb(ins), object.name);
        let help = "an access of 2, 4, 8 or 16 bytes needs an address that is a multiple of its size";
        let fault = RunFault::new(ins.line, format!("an address that is a multiple of {align}"), found, help);
        RunFault { cause: FaultCause::Fixed, ..fault }
    }

    pub(crate) fn no_texture_fault(&self, warp: &Warp, ins: &Ins, lane: usize) -> RunFault {
        let found = format!("{} fetches from none", self.thread_name(warp, lane));
        RunFault::new(ins.line, "a texture that is bound", found, "give the texture an array in the launch comment")
    }

    pub(crate) fn budget_fault(&self, warp: &Warp, line: u32) -> RunFault {
        let lane = warp.mask.trailing_zeros() as usize & 31;
        let found = format!("more, with {} here", self.thread_name(warp, lane));
        let help =
            "does the loop here end? Otherwise choose smaller sizes, or allow more instructions with `--budget` at the \
                    terminal";
        let fault = RunFault::new(line, "a launch within its budget of instructions", found, help);
        RunFault { cause: FaultCause::Limit, ..fault }
    }

    /// The fault of a trace that is too large. If one block has most of it, a loop probably does not end.
    pub(crate) fn trace_fault(&self, warp: &Warp) -> RunFault {
        let found = format!("more than {} MiB", self.limit >> 20);
        let (line, help) = if self.pending > self.limit / 2 {
            let line = self.program.blocks.get(warp.block as usize).map_or(0, |block| block.line);
            (line, "does the loop here end? Otherwise choose smaller sizes")
        } else {
            (0, "choose smaller sizes or fewer blocks")
        };
        let fault = RunFault::new(line, "a trace that fits in memory", found, help);
        RunFault { cause: FaultCause::TraceSize, ..fault }
    }

    /// The number of an instruction's site in this space. One instruction can access several spaces.
    pub(crate) fn site_of_instruction(&mut self, number: u32, space: MemorySpace, ins: &Ins, bytes: u32) -> u32 {
        let column = space as usize;
        let known = self.sites[number as usize][column.min(5)];
        if known != u32::MAX {
            return known;
        }
        let kind = match ins.op {
            Op::Store(_) => Kind::Store,
            Op::Atomic(..) => Kind::Atomic,
            _ => Kind::Load,
        };
        let space = match space {
            MemorySpace::Global => Space::Global,
            MemorySpace::Shared => Space::Shared,
            MemorySpace::Local => Space::Local,
            MemorySpace::Constant => Space::Constant,
            // Only texture fetches come without a space.
            MemorySpace::Unknown => Space::Texture,
        };
        let site = Site {
            pc: u64::from(number) * 16,
            opcode: match ins.op {
                Op::Atomic(Atomic::Count, _) if space == Space::Shared => COUNT_OPCODE.into(),
                _ => sass_opcode(space, kind, bytes as u16).into(),
            },
            source_line: Some(ins.line),
            space,
            kind,
            bytes: bytes as u16,
        };
        let id = self.site_list.len() as u32;
        let schedule = ins.schedule.map(|s| Schedule { hoist: s.hoist, use_after: s.use_after });
        self.site_list.push((site, schedule));
        self.sites[number as usize][column.min(5)] = id;
        id
    }

    pub(crate) fn count_access(&mut self, space: MemorySpace, op: Op) {
        let place = match space {
            MemorySpace::Global => 0,
            MemorySpace::Shared => 1,
            MemorySpace::Local => 2,
            MemorySpace::Constant => 3,
            MemorySpace::Unknown => 4,
        };
        let counters = match op {
            Op::Store(_) => &mut self.tally.stores,
            Op::Atomic(..) => &mut self.tally.atomics,
            _ => &mut self.tally.loads,
        };
        counters[place] += 1;
    }
}
