//! The caches of one placement's run: per SM L1, texture and constant caches, and the L2 that they share.

use crate::model::agenda::Agenda;
use crate::model::asked::Asked;
use crate::model::kernel::{Kernel, LINE};
use crate::model::lru::Lru;
use crate::model::machine::Machine;

/// Caches that are used again from one placement to the next.
#[derive(Debug, Default)]
pub(crate) struct Caches {
    pub l1: Vec<Lru>,
    pub texture: Vec<Lru>,
    pub constant: Vec<Lru>,
    pub constant_fill: Vec<Lru>,
    pub l2: L2,
    /// Whose turn it is, where warps take their turns in time.
    pub agenda: Agenda,
    /// Accesses of every SM so far.
    pub clocks: Vec<u32>,
    /// Where there is no L1, by SM.
    pub asked: Vec<Asked>,
}

/// What the L2 knows of a line.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Line {
    /// When it was fetched last, and by which SM.
    pub fetched: u32,
    pub by: u16,
    /// Valid sectors, where all lines fit.
    seen: u8,
    /// Stored sectors that have not gone to memory, where they do not.
    pub dirty: u8,
}

/// The L2; a set of lines where they all fit.
#[derive(Debug, Default)]
pub(crate) struct L2 {
    pub lines: Vec<Line>,
    pub lru: Lru,
    pub all_fit: bool,
}

impl L2 {
    pub fn reset(&mut self, capacity: u64, lines: usize) {
        self.all_fit = capacity >= lines as u64;
        self.lines.clear();
        self.lines.resize(lines, Line::default());
        if !self.all_fit {
            self.lru.reset(capacity);
        }
    }

    #[inline]
    pub fn touch(&mut self, line: u32, sectors: u8) -> u8 {
        if !self.all_fit {
            return self.lru.touch(line, sectors);
        }
        let seen = &mut self.lines[line as usize].seen;
        let missing = sectors & !*seen;
        *seen |= sectors;
        missing
    }
}

impl Caches {
    pub fn reset(&mut self, kernel: &Kernel, machine: &Machine, sms: usize, shared_used: u64) {
        let reset = |caches: &mut Vec<Lru>, bytes: u64, line: u64| {
            caches.resize_with(sms, Lru::default);
            caches.iter_mut().for_each(|cache| cache.reset(bytes / line));
        };
        // Where L1 and shared memory are parts of one store, tiles take from the cache.
        let left = machine.carve_out.map_or(u64::MAX, |all| all.saturating_sub(shared_used).max(8 << 10));
        self.clocks.clear();
        self.clocks.resize(sms, 0);
        if machine.l1_bytes == 0 {
            self.asked.resize_with(sms, Asked::default);
            self.asked.iter_mut().for_each(|asked| asked.reset(kernel.lines.len()));
        }
        reset(&mut self.l1, machine.l1_bytes.min(left), LINE);
        if !machine.unified {
            reset(&mut self.texture, machine.texture_bytes, LINE);
        }
        reset(&mut self.constant, machine.constant_l1_bytes, 64);
        reset(&mut self.constant_fill, machine.constant_l15_bytes, 256);
        let share = sms as f64 / machine.sms.min(kernel.total_blocks()).max(1) as f64;
        self.l2.reset((machine.l2_bytes as f64 * share.min(1.0)) as u64 / LINE, kernel.lines.len());
    }
}
