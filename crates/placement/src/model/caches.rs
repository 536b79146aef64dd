//! The caches of a simulated placement: L1, texture and constant caches of every SM, and the shared L2.

use crate::model::kernel::{PlacementKernel, LINE};
use crate::model::lru::SectoredLru;
use crate::model::machine::Machine;
use crate::model::request_table::RequestTable;

/// The caches and queues of a simulation. They are reused from one placement to the next to save allocations.
#[derive(Debug, Default)]
pub(crate) struct Caches {
    pub l1: Vec<SectoredLru>,
    pub texture: Vec<SectoredLru>,
    pub constant: Vec<SectoredLru>,
    pub constant_fill: Vec<SectoredLru>,
    pub l2: L2,
    /// Number of accesses of every SM so far.
    pub clocks: Vec<u32>,
    /// The last requests of every SM, if there is no L1.
    pub requests: Vec<RequestTable>,
}

/// The state of a line in the L2.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct L2Line {
    /// Time of the last fetch; `by` is the SM that requested it.
    pub fetched: u32,
    pub by: u16,
    /// Valid sectors, if all lines fit into the L2.
    seen: u8,
    /// Stored sectors that were not yet written to memory, if not all lines fit.
    pub dirty: u8,
}

/// The L2. If all lines of the kernel fit, it keeps only their valid sectors and needs no replacement.
#[derive(Debug, Default)]
pub(crate) struct L2 {
    pub lines: Vec<L2Line>,
    pub lru: SectoredLru,
    pub all_fit: bool,
}

impl L2 {
    pub fn reset(&mut self, capacity: u64, lines: usize) {
        self.all_fit = capacity >= lines as u64;
        self.lines.clear();
        self.lines.resize(lines, L2Line::default());
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
    pub fn reset(&mut self, kernel: &PlacementKernel, machine: &Machine, sms: usize, shared_used: u64) {
        let reset = |caches: &mut Vec<SectoredLru>, bytes: u64, line: u64| {
            caches.resize_with(sms, SectoredLru::default);
            caches.iter_mut().for_each(|cache| cache.reset(bytes / line));
        };
        // Where L1 and shared memory divide one storage, tiles reduce the cache.
        let left = machine.carve_out.map_or(u64::MAX, |all| all.saturating_sub(shared_used).max(8 << 10));
        self.clocks.clear();
        self.clocks.resize(sms, 0);
        if machine.l1_bytes == 0 {
            self.requests.resize_with(sms, RequestTable::default);
            self.requests.iter_mut().for_each(|table| table.reset(kernel.lines.len()));
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
