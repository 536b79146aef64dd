//! Opcodes and registers of written instructions, as other readers of the format expect them.
//!
//! In: the units that the launch used and the schedules of its loads. Out: for each instruction without an access an
//! opcode of its unit, and for each load a register that a later instruction reads. Accel-Sim's parser
//! (`gpu-simulator/trace-parser`) takes at most one register that is written and four that are read, and needs `EXIT`
//! at the end of a warp.

use crate::{InstructionMix, Schedule, Trace};
use std::collections::BinaryHeap;

/// Registers that an instruction may list as read.
const SOURCES_MAX: usize = 4;
/// The register of all addresses. The next one has their upper half.
const ADDRESS: u8 = 8;
/// The register of stored values without a load.
const VALUE: u8 = 10;
/// The first register of loaded values, and the one after the last.
const LOADED: std::ops::Range<u8> = 16..252;
/// Opcodes of the units in the order of [`InstructionMix`], and one for instructions of which nothing is known.
const OPCODES: [&str; 6] = ["IADD3", "FFMA", "DFMA", "MUFU.RCP", "BRA", "NOP"];
const OTHER: usize = 4;

/// The instructions without an access of a whole launch, by unit. A trace has their sums only, so they alternate evenly.
pub(crate) struct Units {
    wanted: [u64; 6],
    given: [u64; 6],
}

impl Units {
    pub fn of(trace: &Trace) -> Self {
        let InstructionMix { integer, fp32, fp64, special, other } = trace.mix;
        let executed: u64 = trace.warps.iter().map(|warp| warp.instructions).sum();
        let barriers = trace.barriers.len() as u64;
        let all = executed.saturating_sub(trace.access_count() as u64 + barriers);
        // A written barrier counts as one of the others.
        let mut wanted = [integer, fp32, fp64, special, other.saturating_sub(barriers), 0];
        let mut room = all;
        for count in &mut wanted {
            *count = (*count).min(room);
            room -= *count;
        }
        wanted[5] = room;
        Self { wanted, given: [0; 6] }
    }

    /// The opcode of the next instruction. The `last` one of a warp ends it.
    pub fn next_opcode(&mut self, last: bool) -> &'static str {
        let left = |unit: usize| self.wanted[unit] > self.given[unit];
        if last && left(OTHER) {
            self.given[OTHER] += 1;
            return "EXIT";
        }
        let all: u128 = self.wanted.iter().map(|&n| u128::from(n)).sum();
        let number = 1 + self.given.iter().map(|&n| u128::from(n)).sum::<u128>();
        // The unit that is furthest behind its share of the instructions so far.
        let behind = |unit: usize| {
            (u128::from(self.wanted[unit]) * number) as i128 - (u128::from(self.given[unit]) * all) as i128
        };
        let unit =
            (0..OPCODES.len()).filter(|&unit| left(unit)).max_by_key(|&unit| (behind(unit), std::cmp::Reverse(unit)));
        let unit = unit.unwrap_or(OPCODES.len() - 1);
        self.given[unit] += 1;
        OPCODES[unit]
    }
}

/// The registers of one warp.
#[derive(Default)]
pub(crate) struct WarpRegisters {
    executed: u64,
    /// The number of the instruction that uses a value first, and the register of the value. The earliest is on top.
    due: BinaryHeap<std::cmp::Reverse<(u64, u8)>>,
    /// Registers that hold a value, a bit each.
    held: [u64; 4],
    next: u8,
    temporary: u8,
}

impl WarpRegisters {
    /// Goes on to the next instruction, and returns the registers that it reads beside `own` ones.
    fn sources(&mut self, own: usize) -> Vec<u8> {
        let mut list = Vec::new();
        while own + list.len() < SOURCES_MAX {
            match self.due.peek() {
                Some(std::cmp::Reverse((due, _))) if *due <= self.executed => {}
                _ => break,
            }
            if let Some(std::cmp::Reverse((_, register))) = self.due.pop() {
                list.push(register);
                self.held[usize::from(register >> 6)] &= !(1 << (register & 63));
            }
        }
        self.executed += 1;
        list
    }

    /// Registers of an instruction without an access: written ones, the opcode, and those that it reads.
    pub fn plain(&mut self, opcode: &str) -> String {
        let mut sources = self.sources(0);
        if matches!(opcode, "BRA" | "EXIT" | "NOP" | "BAR.SYNC") {
            return format!("0 {opcode} {}", listed(&sources));
        }
        if sources.is_empty() {
            sources.push(VALUE);
        }
        // Values of 8 bytes take two registers.
        self.temporary = (self.temporary + 2) % ADDRESS;
        format!("1 R{} {opcode} {}", self.temporary, listed(&sources))
    }

    /// The same for a store, or a load or atomic without a schedule.
    pub fn store(&mut self, opcode: &str, has_schedules: bool) -> String {
        if !has_schedules {
            self.executed += 1;
            return format!("0 {opcode} 0");
        }
        let mut sources = vec![ADDRESS];
        let values = self.sources(1);
        sources.extend(if values.is_empty() { vec![VALUE] } else { values });
        format!("0 {opcode} {}", listed(&sources))
    }

    /// The same for a load of `bytes` per lane.
    pub fn load(&mut self, opcode: &str, schedule: Schedule, bytes: u16) -> String {
        let mut sources = vec![ADDRESS];
        sources.extend(self.sources(1));
        let words = bytes.div_ceil(4).clamp(1, 4) as u8;
        let Some(register) = self.free(words) else { return format!("0 {opcode} {}", listed(&sources)) };
        if schedule.use_after != Schedule::NEVER {
            self.held[usize::from(register >> 6)] |= 1 << (register & 63);
            self.due.push(std::cmp::Reverse((self.executed + u64::from(schedule.use_after), register)));
        }
        format!("1 R{register} {opcode} {}", listed(&sources))
    }

    /// The next register whose value, and those of the `words` from it on, nobody waits for. Each value takes four.
    fn free(&mut self, words: u8) -> Option<u8> {
        let step = 4;
        debug_assert!(words <= step, "a value has four registers at most");
        for _ in 0..LOADED.len() / usize::from(step) {
            let register = if LOADED.contains(&self.next) { self.next } else { LOADED.start };
            self.next = register.saturating_add(step);
            if self.held[usize::from(register >> 6)] >> (register & 63) & 1 == 0 {
                return Some(register);
            }
        }
        None
    }
}

/// Number and names of registers, as a line has them.
fn listed(registers: &[u8]) -> String {
    let names: String = registers.iter().map(|register| format!(" R{register}")).collect();
    format!("{}{names}", registers.len())
}
