//! The path of texture loads where the GPU has a texture cache of its own (before Maxwell). Elsewhere they use the L1.
//!
//! The texture units have a pipe of their own, so that texture loads do not wait for other accesses of the core part.

use crate::part::{L1Counts, Part};
use crate::patterns::{Patterns, Together};
use crate::sector_cache::CacheShape;
use crate::spec::MachineSpec;
use crate::warp::Path;
use crate::{coalesce::LineUse, memory::Memory};
use gpu::Coalescing;
use trace::Access;

/// The texture cache of a core part. Its lines have the L1's size and are filled in sectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextureSpec {
    /// The cache.
    pub cache: CacheShape,
    /// Cycles from issue to use of a hit.
    pub cycles: u32,
}

/// The texture caches of all parts.
pub(crate) struct TextureCaches {
    /// The machine as the caches see it: they are its L1s.
    spec: MachineSpec,
    pub parts: Vec<Part>,
}

impl TextureCaches {
    /// Empty caches, one for each of `parts` parts.
    pub fn new(texture: TextureSpec, spec: &MachineSpec, parts: usize) -> Self {
        let spec = MachineSpec {
            l1: texture.cache,
            l1_cycles: texture.cycles,
            loads_in_l1: true,
            whole_lines: false,
            coalescing: Coalescing::LinesOfWarp,
            line_pipe: None,
            classes: spec.classes && spec.loads_in_l1,
            ..spec.clone()
        };
        let parts = (0..parts).map(|i| Part::new(&spec, i % spec.cores as usize, i)).collect();
        Self { spec, parts }
    }

    /// Runs a texture load that issues at `now`. Returns when the warp goes on and when the data are there.
    pub fn load(
        &mut self,
        memory: &mut Memory,
        patterns: &mut Patterns,
        (part, now): (usize, u64),
        (access, bytes): (&Access<'_>, u16),
    ) -> (u64, u64) {
        let asked = patterns.lines(access, bytes, Path::Load, Together::Warp);
        let moved = access.mask.count_ones() * u32::from(bytes);
        let cycles = asked.lines.pipe_cycles(self.spec.coalescing, moved, self.spec.line_cycles);
        let this = &mut self.parts[part];
        let (end, goes_on) = this.use_pipe(now, cycles.max(1));
        this.counts.requests += 1;
        this.counts.accesses += u64::from(asked.lines.sectors);
        this.counts.least += u64::from(asked.lines.least_sectors());
        let mut loaded = 0;
        for one in asked.lines.list() {
            let wanted = LineUse { line: one.line.wrapping_add(asked.shift), ..*one };
            loaded = loaded.max(this.load(memory, &self.spec, (now, end), wanted));
        }
        (goes_on, loaded)
    }

    /// What the loads of a part counted.
    pub fn counts(&self, part: usize) -> L1Counts {
        self.parts[part].counts
    }
}
