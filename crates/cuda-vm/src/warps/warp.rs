//! A warp: its registers, the lanes that run, and the groups of lanes that wait.

use crate::warps::address_shape::AddressShape;
use base::grow;
use bytecode::code::{Program, Reg, WIDE};
use bytecode::cost::ONE;

pub(crate) const LANES: usize = 32;
/// A register with 32 bits per lane.
pub(crate) type Narrow = [u32; LANES];
/// A register with 64 bits per lane.
pub(crate) type Wide = [u64; LANES];
/// The mask of a warp whose lanes all run.
pub(crate) const FULL: u32 = u32::MAX;

/// The [`AccessEvent::site`] of a barrier.
pub(crate) const BARRIER: u32 = u32::MAX;

/// An access or a barrier, kept until its block ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AccessEvent {
    pub site: u32,
    pub mask: u32,
    /// Instructions without memory access since the access before.
    pub gap: u32,
    /// Active lanes per row. 0 if [`Warp::addresses`] holds one address per active lane.
    pub width: u32,
    /// Bytes from lane to lane, and from the last lane of a row to the first of the next row.
    pub steps: [i32; 2],
    pub base: u64,
}

/// A warp and its divergence state. After a divergent branch one group of lanes runs and the others wait in `pending`.
#[derive(Default)]
pub(crate) struct Warp {
    pub index: u32,
    pub narrow: Vec<Narrow>,
    pub wide: Vec<Wide>,
    /// The shape of the addresses in each 64-bit register. A write to the register makes it stale.
    pub shapes: Vec<AddressShape>,
    /// The block of code that runs next.
    pub block: u32,
    /// The lanes that run.
    pub mask: u32,
    /// `mask` spread out: all ones in the lanes that run.
    pub lanes: Narrow,
    kept_narrow: Narrow,
    kept_wide: Wide,
    /// The groups that wait: block of code and lanes. The last one comes first in the layout.
    pub pending: Vec<(u32, u32)>,
    /// The groups that reached a barrier: the block behind it, and lanes.
    pub parked: Vec<(u32, u32)>,
    /// Local memory, one thread after another.
    pub local: Vec<u8>,
    pub events: Vec<AccessEvent>,
    pub addresses: Vec<u64>,
    /// Cost of the instructions since the last access, in 64ths.
    pub gap: u64,
    pub finished: bool,
    pub at_barrier: bool,
    /// Blocks of code that ran since the lanes diverged.
    pub blocks_since_divergence: u64,
}

impl Warp {
    pub fn new(program: &Program, index: u32, local_bytes: usize) -> Self {
        let mut warp = Self {
            index,
            narrow: vec![[0; LANES]; program.narrow as usize],
            wide: vec![[0; LANES]; program.wide as usize],
            shapes: vec![AddressShape::default(); program.wide as usize],
            local: vec![0; local_bytes * LANES],
            ..Self::default()
        };
        for &(reg, value) in &program.constants {
            warp.fill(reg, value);
        }
        warp
    }

    /// Begins a thread block with these lanes.
    pub fn start_block(&mut self, mask: u32) {
        (self.block, self.finished, self.at_barrier) = (0, mask == 0, false);
        self.pending.clear();
        self.parked.clear();
        self.events.clear();
        self.addresses.clear();
        self.gap = 0;
        self.blocks_since_divergence = 0;
        self.set_mask(mask);
    }

    /// Bytes of the accesses that are kept until the block ends.
    pub fn access_bytes(&self) -> usize {
        self.events.capacity() * size_of::<AccessEvent>() + self.addresses.capacity() * size_of::<u64>()
    }

    /// Keeps an access whose addresses were added before.
    #[inline]
    pub fn keep(&mut self, event: AccessEvent) {
        grow(&mut self.events, 1);
        self.events.push(event);
    }

    /// Adds the addresses of the active lanes of an access.
    #[inline]
    pub fn keep_addresses(&mut self, addresses: impl Iterator<Item = u64>) {
        grow(&mut self.addresses, LANES);
        self.addresses.extend(addresses);
    }

    /// Adds a barrier to the events. The instructions before it count from here on as a gap of their own.
    pub fn record_barrier(&mut self) {
        let gap = (self.gap / ONE) as u32;
        self.gap %= ONE;
        self.keep(AccessEvent { site: BARRIER, mask: 0, gap, width: 0, steps: [0; 2], base: 0 });
    }

    /// Writes the same value to all lanes.
    pub fn fill(&mut self, reg: Reg, value: u64) {
        if reg & WIDE != 0 {
            self.wide[(reg & !WIDE) as usize] = [value; LANES];
            self.shapes[(reg & !WIDE) as usize] = AddressShape::default();
        } else {
            self.narrow[reg as usize] = [value as u32; LANES];
        }
    }

    /// Sets the lanes that run.
    pub fn set_mask(&mut self, mask: u32) {
        self.mask = mask;
        for (lane, all) in self.lanes.iter_mut().enumerate() {
            *all = 0u32.wrapping_sub(mask >> lane & 1);
        }
    }

    #[inline(always)]
    pub fn reg32(&self, reg: Reg) -> &Narrow {
        &self.narrow[reg as usize]
    }

    #[inline(always)]
    pub fn reg64(&self, reg: Reg) -> &Wide {
        &self.wide[(reg & !WIDE) as usize]
    }

    /// A 64-bit register for writing. Its address shape becomes stale.
    #[inline(always)]
    pub fn reg64_mut(&mut self, reg: Reg) -> &mut Wide {
        let at = (reg & !WIDE) as usize;
        self.shapes[at].lanes_known = 0;
        &mut self.wide[at]
    }

    /// A register of either width, as 64 bits per lane.
    pub fn bits(&self, reg: Reg) -> Wide {
        if reg & WIDE != 0 {
            *self.reg64(reg)
        } else {
            self.reg32(reg).map(u64::from)
        }
    }

    /// Writes a register of either width.
    pub fn set_bits(&mut self, reg: Reg, value: &Wide) {
        if reg & WIDE != 0 {
            *self.reg64_mut(reg) = *value;
        } else {
            self.narrow[reg as usize] = value.map(|v| v as u32);
        }
    }

    /// Saves a register before an instruction that writes all of its lanes.
    pub fn save_register(&mut self, reg: Reg) {
        if reg & WIDE != 0 {
            self.kept_wide = *self.reg64(reg);
        } else {
            self.kept_narrow = *self.reg32(reg);
        }
    }

    /// Restores the lanes that do not run to the saved value.
    pub fn restore_inactive(&mut self, reg: Reg) {
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

    /// Adds a group to those that wait. It merges with a group that waits at the same block.
    pub fn add_pending(&mut self, block: u32, mask: u32) {
        match self.pending.iter().rposition(|&(b, _)| b >= block) {
            Some(i) if self.pending[i].0 == block => self.pending[i].1 |= mask,
            Some(i) => self.pending.insert(i + 1, (block, mask)),
            None => self.pending.insert(0, (block, mask)),
        }
    }

    /// Continues at `block`. If a waiting group comes first in the layout, that group runs instead, and groups at the
    /// same block merge.
    #[inline(always)]
    pub fn continue_at(&mut self, block: u32) {
        self.block = block;
        if let Some(&(first, _)) = self.pending.last() {
            self.switch_group(first, block);
        }
    }

    #[inline(never)]
    fn switch_group(&mut self, first: u32, block: u32) {
        if block < first {
            return;
        }
        let Some((_, other)) = self.pending.pop() else { return };
        let mine = self.mask;
        if block == first {
            self.set_mask(mine | other);
        } else {
            self.add_pending(block, mine);
            self.block = first;
            self.set_mask(other);
        }
    }

    /// Ends the group that runs and starts the next one. Returns false if no group is left.
    pub fn next_group(&mut self) -> bool {
        match self.pending.pop() {
            Some((block, mask)) => {
                self.block = block;
                self.set_mask(mask);
                true
            }
            None => {
                self.set_mask(0);
                false
            }
        }
    }
}
