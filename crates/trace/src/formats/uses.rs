//! Where each load's value is used first, from the registers of an Accel-Sim trace.
//!
//! In: the registers of each instruction of each warp, in program order. Out: for each site a [`Schedule`]. NVBit's trace
//! has instructions in the order of issue, so no load is hoisted. A line lists the first register of an operand only:
//! a load of 8 bytes also writes the register after it.
//!
//! Not modelled: uniform registers, predicates, and the number of groups that `DEPBAR` leaves in flight.

use crate::formats::instruction::Registers;
use crate::{Kind, Schedule, Space, TraceBuilder};
use std::collections::BTreeMap;

/// Distances of one site that are told apart. A site in a loop has a few.
const DISTANCES_MAX: usize = 64;
/// Loads of a warp that are tracked at a time. Registers allow 255; the rest are asynchronous copies.
const UNREAD_MAX: usize = 512;
/// In place of a register for an asynchronous copy to shared memory, whose arrival `DEPBAR` waits for.
const COPY: u8 = u8::MAX;

/// A load whose value no instruction has read so far.
#[derive(Clone, Copy, Debug)]
struct Unread {
    register: u8,
    /// Registers that it writes.
    words: u8,
    site: u32,
    /// The instruction's number in its warp.
    at: u64,
}

#[derive(Clone, Debug, Default)]
struct WarpState {
    executed: u64,
    /// Registers with a value that was not read, a bit each.
    waiting: [u64; 4],
    unread: Vec<Unread>,
}

/// The first uses of all loads of a kernel.
#[derive(Debug, Default)]
pub(crate) struct FirstUses {
    /// For each site how often its value was used after so many instructions, or [`Schedule::NEVER`].
    sites: Vec<BTreeMap<u16, u32>>,
    /// A state per warp that is not complete: one, or all of them where they arrive interleaved.
    warps: Vec<WarpState>,
    /// Loads of all warps that are tracked.
    unread: usize,
    /// A load had a register.
    known: bool,
}

impl FirstUses {
    /// Starts a warp. The one before is complete.
    pub fn begin_warp(&mut self) {
        self.end_warps();
        self.warps.push(WarpState::default());
    }

    /// Says that a warp executes the next instruction, which reads these registers.
    #[inline]
    pub fn execute(&mut self, warp: usize, opcode: &[u8], sources: &Registers, width: u64) {
        if self.warps.len() <= warp {
            self.warps.resize(warp + 1, WarpState::default());
        }
        let state = &mut self.warps[warp];
        let now = state.executed;
        state.executed += 1;
        if state.unread.is_empty() {
            return;
        }
        let before = state.unread.len();
        let words = source_words(opcode, width);
        for &register in sources.list() {
            for register in register..register.saturating_add(words) {
                if state.is_waiting(register) {
                    state.settle(&mut self.sites, register, Some(now));
                }
            }
        }
        if opcode.starts_with(b"DEPBAR") {
            state.settle(&mut self.sites, COPY, Some(now));
        }
        self.unread -= before - state.unread.len();
    }

    /// Says that the instruction executed last writes these registers, and no load's value.
    #[inline]
    pub fn overwrite(&mut self, warp: usize, opcode: &[u8], written: &Registers) {
        let Some(state) = self.warps.get_mut(warp).filter(|state| !state.unread.is_empty()) else { return };
        let (before, words) = (state.unread.len(), written_words(opcode));
        for &register in written.list() {
            state.forget(&mut self.sites, register, words);
        }
        self.unread -= before - state.unread.len();
    }

    /// Says that the instruction executed last is a load or an atomic of this site.
    pub fn load(&mut self, warp: usize, site: LoadSite, opcode: &[u8], written: &Registers) {
        if site.kind == Kind::Store || site.space == Space::Constant {
            return self.overwrite(warp, opcode, written);
        }
        let Some(state) = self.warps.get_mut(warp) else { return };
        if self.sites.len() <= site.number as usize {
            self.sites.resize(site.number as usize + 1, BTreeMap::new());
        }
        let words = site.bytes.div_ceil(4).clamp(1, 4) as u8;
        let register = if opcode.starts_with(b"LDGSTS") { Some(COPY) } else { written.list().first().copied() };
        let Some(register) = register else { return count(&mut self.sites, site.number, Schedule::NEVER) };
        self.known |= register != COPY;
        if register != COPY {
            let before = state.unread.len();
            state.forget(&mut self.sites, register, words);
            self.unread -= before - state.unread.len();
            for register in register..register.saturating_add(words) {
                state.waiting[usize::from(register >> 6)] |= 1 << (register & 63);
            }
        }
        if state.unread.len() >= UNREAD_MAX {
            return;
        }
        self.unread += 1;
        state.unread.push(Unread { register, words, site: site.number, at: state.executed - 1 });
    }

    /// Ends all warps. Values that were not read are never used.
    pub fn end_warps(&mut self) {
        self.unread = 0;
        for state in self.warps.drain(..) {
            for unread in state.unread {
                count(&mut self.sites, unread.site, Schedule::NEVER);
            }
        }
    }

    /// Stores the most frequent distance of each site, the smaller one of two. A trace whose loads have no registers has
    /// no schedules.
    pub fn set_schedules(mut self, builder: &mut TraceBuilder) {
        self.end_warps();
        if !self.known {
            return;
        }
        for (site, counts) in (0u32..).zip(&self.sites) {
            let most = counts.iter().max_by_key(|(&distance, &count)| (count, std::cmp::Reverse(distance)));
            if let Some((&use_after, _)) = most {
                builder.set_schedule(site, Schedule { hoist: 0, use_after });
            }
        }
    }

    /// Bytes on the heap, about.
    pub fn heap_bytes(&self) -> usize {
        let counts = self.sites.capacity() * (size_of::<BTreeMap<u16, u32>>() + 64);
        // A list grows to twice what it holds.
        self.warps.capacity() * size_of::<WarpState>() + counts + 2 * self.unread * size_of::<Unread>()
    }
}

/// The site of a load.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LoadSite {
    pub number: u32,
    pub space: Space,
    pub kind: Kind,
    pub bytes: u16,
}

impl WarpState {
    #[inline]
    fn is_waiting(&self, register: u8) -> bool {
        self.waiting[usize::from(register >> 6)] >> (register & 63) & 1 == 1
    }

    /// Ends the wait of the loads that write this register: used by the instruction `now`, or else never.
    fn settle(&mut self, sites: &mut [BTreeMap<u16, u32>], register: u8, now: Option<u64>) {
        let mut at = 0;
        while let Some(&unread) = self.unread.get(at) {
            let holds = unread.register == register
                || unread.register != COPY
                    && (unread.register..unread.register.saturating_add(unread.words)).contains(&register);
            if !holds {
                at += 1;
                continue;
            }
            self.unread.swap_remove(at);
            for register in unread.register..unread.register.saturating_add(unread.words) {
                self.waiting[usize::from(register >> 6)] &= !(1 << (register & 63));
            }
            let distance = now.map_or(Schedule::NEVER, |now| {
                let between = now.saturating_sub(unread.at + 1);
                u16::try_from(between).map_or(Schedule::NEVER - 1, |between| between.min(Schedule::NEVER - 1))
            });
            count(sites, unread.site, distance);
        }
    }

    /// Drops the values in registers that are written again.
    fn forget(&mut self, sites: &mut [BTreeMap<u16, u32>], register: u8, words: u8) {
        for register in register..register.saturating_add(words) {
            if self.is_waiting(register) {
                self.settle(sites, register, None);
            }
        }
    }
}

fn count(sites: &mut [BTreeMap<u16, u32>], site: u32, distance: u16) {
    let Some(counts) = sites.get_mut(site as usize) else { return };
    if counts.len() < DISTANCES_MAX || counts.contains_key(&distance) {
        let count = counts.entry(distance).or_insert(0);
        *count = count.saturating_add(1);
    }
}

/// Registers of each operand that an instruction reads: addresses and stored values may have several.
fn source_words(opcode: &[u8], width: u64) -> u8 {
    match opcode.first() {
        _ if width > 4 => width.div_ceil(4).min(4) as u8,
        Some(b'D') => 2,
        _ => 1,
    }
}

/// Registers that an instruction without a load writes from the listed one on.
fn written_words(opcode: &[u8]) -> u8 {
    let mut tokens = opcode.split(|&b| b == b'.');
    let name = tokens.next().unwrap_or_default();
    let first = tokens.clone().next().unwrap_or_default();
    match name {
        _ if tokens.any(|token| token == b"WIDE" || token == b"64") => 2,
        _ if first == b"F64" => 2,
        name if name.starts_with(b"D") && !name.starts_with(b"DP") => 2,
        _ => 1,
    }
}
