//! A warp: its registers, the lanes that run, and the groups that wait.

use crate::warps::address_shape::Shape;
use bytecode::code::{Program, Reg, WIDE};

/// Lanes of a warp.
pub(crate) const LANES: usize = 32;
/// 32 bits of every lane.
pub(crate) type Narrow = [u32; LANES];
/// 64 bits of every lane.
pub(crate) type Wide = [u64; LANES];
/// All lanes.
pub(crate) const FULL: u32 = u32::MAX;

/// An access that was made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Event {
    pub site: u32,
    pub mask: u32,
    /// Instructions before it since the last one.
    pub gap: u32,
    /// Active lanes per row; 0: the addresses stand in the list, one per active lane.
    pub width: u32,
    /// Bytes from lane to lane, and from the last lane of a row to the next row.
    pub steps: [i32; 2],
    pub base: u64,
}

/// State of a warp.
#[derive(Default)]
pub(crate) struct Warp {
    pub index: u32,
    pub narrow: Vec<Narrow>,
    pub wide: Vec<Wide>,
    /// How the addresses in a register of 64 bits lie, as long as it is not written again.
    pub shapes: Vec<Shape>,
    /// Block of code that runs next.
    pub block: u32,
    /// Lanes that run.
    pub mask: u32,
    /// All ones in the lanes that run.
    pub lanes: Narrow,
    kept_narrow: Narrow,
    kept_wide: Wide,
    /// Groups of lanes that run later: block of code and lanes, the last one first in the layout.
    pub pending: Vec<(u32, u32)>,
    /// Groups that reached a barrier.
    pub parked: Vec<(u32, u32)>,
    /// Local memory, thread after thread.
    pub local: Vec<u8>,
    pub events: Vec<Event>,
    pub addresses: Vec<u64>,
    /// Instructions since the last access, in 64ths.
    pub gap: u64,
    pub finished: bool,
    pub at_barrier: bool,
    /// Blocks of code since lanes parted.
    pub parted: u64,
}

impl Warp {
    pub fn new(program: &Program, index: u32, local_bytes: usize) -> Self {
        let mut warp = Self {
            index,
            narrow: vec![[0; LANES]; program.narrow as usize],
            wide: vec![[0; LANES]; program.wide as usize],
            shapes: vec![Shape::default(); program.wide as usize],
            local: vec![0; local_bytes * LANES],
            ..Self::default()
        };
        for &(reg, value) in &program.constants {
            warp.fill(reg, value);
        }
        warp
    }

    /// Begins a block with these lanes.
    pub fn start(&mut self, mask: u32) {
        (self.block, self.finished, self.at_barrier) = (0, mask == 0, false);
        self.pending.clear();
        self.parked.clear();
        self.events.clear();
        self.addresses.clear();
        self.gap = 0;
        self.parted = 0;
        self.run(mask);
    }

    /// The same value in all lanes.
    pub fn fill(&mut self, reg: Reg, value: u64) {
        if reg & WIDE != 0 {
            self.wide[(reg & !WIDE) as usize] = [value; LANES];
            self.shapes[(reg & !WIDE) as usize] = Shape::default();
        } else {
            self.narrow[reg as usize] = [value as u32; LANES];
        }
    }

    /// Sets the lanes that run.
    pub fn run(&mut self, mask: u32) {
        self.mask = mask;
        for (lane, all) in self.lanes.iter_mut().enumerate() {
            *all = 0u32.wrapping_sub(mask >> lane & 1);
        }
    }

    #[inline(always)]
    pub fn n(&self, reg: Reg) -> &Narrow {
        &self.narrow[reg as usize]
    }

    #[inline(always)]
    pub fn w(&self, reg: Reg) -> &Wide {
        &self.wide[(reg & !WIDE) as usize]
    }

    /// A register of 64 bits, to be written.
    #[inline(always)]
    pub fn w_mut(&mut self, reg: Reg) -> &mut Wide {
        let at = (reg & !WIDE) as usize;
        self.shapes[at].asked = 0;
        &mut self.wide[at]
    }

    /// Either kind of register, as 64 bits.
    pub fn bits(&self, reg: Reg) -> Wide {
        if reg & WIDE != 0 {
            *self.w(reg)
        } else {
            self.n(reg).map(u64::from)
        }
    }

    /// Writes either kind of register.
    pub fn set_bits(&mut self, reg: Reg, value: &Wide) {
        if reg & WIDE != 0 {
            *self.w_mut(reg) = *value;
        } else {
            self.narrow[reg as usize] = value.map(|v| v as u32);
        }
    }

    /// Keeps what a register holds before an instruction writes all of its lanes.
    pub fn keep(&mut self, reg: Reg) {
        if reg & WIDE != 0 {
            self.kept_wide = *self.w(reg);
        } else {
            self.kept_narrow = *self.n(reg);
        }
    }

    /// Gives the lanes that do not run what was kept of the register.
    pub fn restore(&mut self, reg: Reg) {
        if reg & WIDE != 0 {
            let now = &mut self.wide[(reg & !WIDE) as usize];
            for ((now, kept), on) in now.iter_mut().zip(&self.kept_wide).zip(&self.lanes) {
                let on = i64::from(*on as i32) as u64;
                *now = *now & on | kept & !on;
            }
        } else {
            let now = &mut self.narrow[reg as usize];
            for ((now, kept), on) in now.iter_mut().zip(&self.kept_narrow).zip(&self.lanes) {
                *now = *now & on | kept & !on;
            }
        }
    }

    /// Adds a group to those that run later.
    pub fn wait(&mut self, block: u32, mask: u32) {
        match self.pending.iter().rposition(|&(b, _)| b >= block) {
            Some(i) if self.pending[i].0 == block => self.pending[i].1 |= mask,
            Some(i) => self.pending.insert(i + 1, (block, mask)),
            None => self.pending.insert(0, (block, mask)),
        }
    }

    /// Goes on at `block` with the lanes that run, or with the group that comes first in the layout.
    #[inline(always)]
    pub fn go(&mut self, block: u32) {
        self.block = block;
        if let Some(&(first, _)) = self.pending.last() {
            self.meet(first, block);
        }
    }

    #[inline(never)]
    fn meet(&mut self, first: u32, block: u32) {
        if block < first {
            return;
        }
        let Some((_, other)) = self.pending.pop() else { return };
        let mine = self.mask;
        if block == first {
            self.run(mine | other);
        } else {
            self.wait(block, mine);
            self.block = first;
            self.run(other);
        }
    }

    /// The lanes that run have nothing more to do here; false when no others are left.
    pub fn next_group(&mut self) -> bool {
        match self.pending.pop() {
            Some((block, mask)) => {
                self.block = block;
                self.run(mask);
                true
            }
            None => {
                self.run(0);
                false
            }
        }
    }
}
