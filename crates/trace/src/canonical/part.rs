//! The first blocks of a trace.

use crate::canonical::trace::{InstructionMix, Trace, Warp};

impl Trace {
    /// The first `count` blocks. The launch stays that of the whole grid, and the instructions by unit are the share of these blocks.
    pub fn first_blocks(&self, count: usize) -> Self {
        let blocks = self.blocks[..count.min(self.blocks.len())].to_vec();
        let end = blocks.last().map_or(0, |block| block.warps.end as usize);
        let (mut records, mut barriers) = (Vec::new(), Vec::new());
        let warps: Vec<Warp> = self.warps[..end]
            .iter()
            .map(|warp| {
                let (first, first_barrier) = (records.len(), barriers.len() as u32);
                records.extend_from_slice(&self.records[warp.records.clone()]);
                barriers.extend_from_slice(self.barriers(warp));
                let (index, instructions) = (warp.index, warp.instructions);
                Warp {
                    index,
                    instructions,
                    records: first..records.len(),
                    barriers: first_barrier..barriers.len() as u32,
                }
            })
            .collect();
        let instructions = |warps: &[Warp]| warps.iter().map(|warp| u128::from(warp.instructions)).sum::<u128>();
        let (these, all) = (instructions(&warps), instructions(&self.warps).max(1));
        let share = |count: u64| (u128::from(count) * these / all) as u64;
        let InstructionMix { integer, fp32, fp64, special, other } = self.mix;
        let mix = InstructionMix {
            integer: share(integer),
            fp32: share(fp32),
            fp64: share(fp64),
            special: share(special),
            other: share(other),
        };
        Self {
            name: self.name.clone(),
            launch: self.launch,
            estimated_registers: self.estimated_registers,
            sites: self.sites.clone(),
            schedules: self.schedules.clone(),
            issue: self.issue,
            mix,
            blocks,
            warps,
            arrays: self.arrays.clone(),
            records,
            words: self.words.clone(),
            barriers,
        }
    }
}
