//! Counts of a part of a kernel's accesses, for the question what an array, a line of code or an instruction asks for.
//!
//! The run is that of the whole kernel. Only accesses of the part are counted: at each level, by array, site and core, and
//! over time. A scheduler's wait for a load, for shared memory or for the pipe belongs to the access that it waits for.
//! Nobody's in particular, and therefore counted in full, are: cycles, instructions, other waits, how busy the parts of the
//! GPU are, and DRAM writes, which happen when another line needs the place.

use crate::memory::MemoryCounts;
use crate::outcome::{KernelOutcome, Stalls};
use crate::part::{L1Counts, Wait};
use trace::{Site, Space, Trace};

/// The part of a kernel that is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountedPart {
    /// Accesses whose first lane lies in the array with this first byte, or in no array. Shared memory has no arrays.
    Array(Option<u64>),
    /// Accesses of this line of the source.
    Line(u32),
    /// Accesses of the instruction at this program counter.
    Pc(u64),
    /// Accesses of the warps on this core.
    Core(u32),
}

/// What the part did.
#[derive(Clone, Debug)]
pub(crate) struct Counted {
    part: CountedPart,
    /// L1 counts by core.
    cores: Vec<L1Counts>,
    memory: MemoryCounts,
    /// Wavefronts of shared memory: of loads with atomics, and of stores.
    wavefronts: [u64; 2],
    stalls: Stalls,
}

impl Counted {
    pub fn new(part: CountedPart, cores: u32) -> Self {
        Self {
            part,
            cores: vec![L1Counts::default(); cores as usize],
            memory: MemoryCounts::default(),
            wavefronts: [0; 2],
            stalls: Stalls::default(),
        }
    }

    /// Whether an access of a core and a site to an array of the trace, by its index, belongs to the part.
    #[cold]
    #[inline(never)]
    pub fn holds(&self, trace: &Trace, (core, site): (usize, u32), array: usize) -> bool {
        let is = |such: &dyn Fn(&Site) -> bool| trace.sites.get(site as usize).is_some_and(such);
        match self.part {
            CountedPart::Array(base) => {
                trace.arrays.get(array).map(|array| array.base) == base && !is(&|site| site.space == Space::Shared)
            }
            CountedPart::Line(line) => is(&|site| site.source_line == Some(line)),
            CountedPart::Pc(pc) => is(&|site| site.pc == pc && !site.opcode.is_empty()),
            CountedPart::Core(only) => core == only as usize,
        }
    }

    #[cold]
    #[inline(never)]
    pub fn add(&mut self, core: usize, l1: [&L1Counts; 2], memory: [&MemoryCounts; 2]) {
        if let Some(of_core) = self.cores.get_mut(core) {
            of_core.add_difference(l1);
        }
        self.memory.add_difference(memory);
    }

    /// Adds what L1s wrote back of an array. False if it is not in the part: no line of code and no core asked for it.
    pub fn takes_back(&mut self, base: Option<u64>, returned: &MemoryCounts) -> bool {
        let takes = self.part == CountedPart::Array(base);
        if takes {
            self.memory.add_difference([&MemoryCounts::default(), returned]);
        }
        takes
    }

    #[cold]
    #[inline(never)]
    pub fn add_wavefronts(&mut self, wavefronts: u32, stores: bool) {
        self.wavefronts[usize::from(stores)] += u64::from(wavefronts);
    }

    /// Adds a wait of a core's warp for its access of a number.
    #[cold]
    #[inline(never)]
    pub fn add_stall(&mut self, trace: &Trace, core: usize, (warp, number): (u32, u32), (wait, cycles): (Wait, u64)) {
        if matches!(wait, Wait::Arithmetic | Wait::Barrier | Wait::Launch) {
            return;
        }
        let of_warp = trace.warps.get(warp as usize);
        let Some(access) = of_warp.and_then(|warp| trace.access(warp, number as usize)) else { return };
        let array = trace.array_of(access.first_address()).unwrap_or(trace.arrays.len());
        if self.holds(trace, (core, access.site), array) {
            self.stalls.add(wait, cycles);
        }
    }

    /// Puts the counts of the part in the place of those of the kernel.
    #[cold]
    #[inline(never)]
    pub fn replace(&self, outcome: &mut KernelOutcome) {
        let mut l1 = L1Counts::default();
        self.cores.iter().for_each(|core| l1.add(core));
        (outcome.l1, outcome.cores) = (l1, self.cores.clone());
        outcome.memory = MemoryCounts { dram_writes: outcome.memory.dram_writes, ..self.memory };
        [outcome.shared_load_wavefronts, outcome.shared_store_wavefronts] = self.wavefronts;
        let Stalls { arithmetic, barrier, .. } = outcome.stalls;
        outcome.stalls = Stalls { arithmetic, barrier, ..self.stalls };
        outcome.constants = None;
    }
}
