//! Builds a [`Trace`] warp by warp. Readers, the CUDA emulator and the built-in examples all make their traces with it.

use crate::canonical::interleave::Interleaving;
use crate::canonical::trace::{Form, Record, SITE_BITS, WARP_LANES};
use crate::{Array, Barrier, Block, Dim3, InstructionMix, IssueShares, Launch, Schedule, Site, Trace, Warp};
use base::{grow, sorted_by_key};
use rustc_hash::FxHashMap;

/// Up to this number of lanes, a list of steps takes no more words than rows, which take five.
const STEPS_LANES_MAX: u32 = 4;

/// Collects blocks, warps, instructions and accesses in order.
///
/// ```
/// use trace::{Dim3, Kind, Launch, Site, Space, TraceBuilder};
///
/// let launch = Launch { grid: Dim3::new(1, 1, 1), block: Dim3::new(32, 1, 1), shared_bytes: 0, registers: 0 };
/// let mut builder = TraceBuilder::new("copy", launch);
/// let load = builder.intern_site(Site {
///     pc: 8, opcode: "LDG.E".into(), source_line: None, space: Space::Global, kind: Kind::Load, bytes: 4,
/// });
/// builder.begin_block(Dim3::new(0, 0, 0));
/// builder.begin_warp(0);
/// builder.add_instructions(3);
/// builder.add_affine_access(load, u32::MAX, 0x1000, 4);
/// let trace = builder.finish();
/// assert_eq!(trace.warps[0].instructions, 4);
/// ```
#[derive(Debug)]
pub struct TraceBuilder {
    trace: Trace,
    sites: FxHashMap<Site, u32>,
    /// Heap of the sites: their opcodes and their entries in the map.
    site_bytes: usize,
    /// The warp that gets the next instructions and accesses.
    current: usize,
    /// Instructions of the current warp since its last access.
    gap: u32,
    /// Present after the first call of [`TraceBuilder::select_warp`].
    interleaving: Option<Interleaving>,
    full: bool,
}

impl TraceBuilder {
    /// A trace without blocks.
    pub fn new(name: impl Into<String>, launch: Launch) -> Self {
        Self {
            trace: Trace {
                name: name.into(),
                launch,
                estimated_registers: 0,
                sites: Vec::new(),
                schedules: Vec::new(),
                issue: IssueShares::default(),
                mix: InstructionMix::default(),
                blocks: Vec::new(),
                warps: Vec::new(),
                arrays: Vec::new(),
                records: Vec::new(),
                words: Vec::new(),
                barriers: Vec::new(),
            },
            sites: FxHashMap::default(),
            site_bytes: 0,
            current: 0,
            gap: 0,
            interleaving: None,
            full: false,
        }
    }

    /// The number of a static instruction. Equal sites have one number.
    pub fn intern_site(&mut self, site: Site) -> u32 {
        if let Some(&id) = self.sites.get(&site) {
            return id;
        }
        let id = self.trace.sites.len() as u32;
        if id >> SITE_BITS != 0 {
            self.full = true;
            return 0;
        }
        self.site_bytes += 2 * (size_of::<Site>() + site.opcode.len() + 8);
        self.trace.sites.push(site.clone());
        self.sites.insert(site, id);
        id
    }

    /// Says how many registers a thread is estimated to have.
    #[must_use]
    pub fn with_estimated_registers(mut self, registers: u32) -> Self {
        self.trace.estimated_registers = registers;
        self
    }

    /// Says what the instructions without an access ask of the issue.
    pub fn set_issue(&mut self, issue: IssueShares) {
        self.trace.issue = issue;
    }

    /// Instructions by unit, to be added to.
    pub fn mix_mut(&mut self) -> &mut InstructionMix {
        &mut self.trace.mix
    }

    /// Says what the compiler may do about the order of a site's accesses.
    pub fn set_schedule(&mut self, site: u32, schedule: Schedule) {
        let at = site as usize;
        if at < self.trace.sites.len() {
            self.trace.schedules.resize(self.trace.schedules.len().max(at + 1), None);
            self.trace.schedules[at] = Some(schedule);
        }
    }

    /// The static instructions so far.
    pub(crate) fn sites(&self) -> &[Site] {
        &self.trace.sites
    }

    /// The number of the warp that gets the next instructions, in the order in which warps came.
    pub(crate) fn current_warp(&self) -> usize {
        self.current
    }

    /// Starts a block. The warps that follow belong to it.
    pub fn begin_block(&mut self, id: Dim3) {
        let at = self.trace.warps.len() as u32;
        self.trace.blocks.push(Block { id, warps: at..at });
    }

    /// Starts the warp with this index in the current block.
    pub fn begin_warp(&mut self, index: u32) {
        if self.trace.blocks.is_empty() {
            self.begin_block(Dim3::new(0, 0, 0));
        }
        if self.interleaving.is_some() {
            let block = self.trace.blocks.last().map_or(Dim3::new(0, 0, 0), |block| block.id);
            return self.select_warp(block, index);
        }
        let at = self.trace.records.len();
        let barriers = self.trace.barriers.len() as u32;
        self.trace.warps.push(Warp { index, instructions: 0, records: at..at, barriers: barriers..barriers });
        let warps = self.trace.warps.len() as u32;
        if let Some(block) = self.trace.blocks.last_mut() {
            block.warps.end = warps;
        }
        self.current = self.trace.warps.len() - 1;
        self.gap = 0;
    }

    /// Selects a warp of a block, for sources that interleave warps. The first call for a pair of block and index
    /// starts the warp, and later calls continue it. Once this was called, blocks without a warp are not kept.
    pub fn select_warp(&mut self, block: Dim3, index: u32) {
        let left = (!self.trace.warps.is_empty()).then_some((self.current, self.gap));
        let interleaving = self.interleaving.get_or_insert_with(|| Interleaving::after(&self.trace));
        let (number, new) = interleaving.warp_number(block, index);
        self.gap = interleaving.switch_warp(left, number);
        self.current = number;
        if new {
            self.trace.warps.push(Warp { index, instructions: 0, records: 0..0, barriers: 0..0 });
        }
    }

    /// Adds instructions that access no memory.
    #[inline]
    pub fn add_instructions(&mut self, count: u32) {
        if self.trace.warps.is_empty() {
            self.begin_warp(0);
        }
        self.gap = self.gap.saturating_add(count);
        if let Some(warp) = self.trace.warps.get_mut(self.current) {
            warp.instructions += u64::from(count);
        }
    }

    /// Says that the instruction added last was a barrier of the thread block.
    pub fn mark_barrier(&mut self) {
        if let Some(interleaving) = &mut self.interleaving {
            return interleaving.push_barrier(self.current, self.gap);
        }
        let Some(warp) = self.trace.warps.get_mut(self.current) else { return };
        grow(&mut self.trace.barriers, 1);
        self.trace.barriers.push(Barrier { access: warp.records.len() as u32, gap: self.gap });
        warp.barriers.end = self.trace.barriers.len() as u32;
    }

    /// Adds an access whose active lanes, lowest first, are `stride` bytes apart. An empty mask counts as an
    /// instruction.
    #[inline]
    pub fn add_affine_access(&mut self, site: u32, mask: u32, base: u64, stride: i32) {
        if mask == 0 {
            return self.add_instructions(1);
        }
        // One lane has no stride. Equal accesses must have equal records, so the stride is set to 0.
        let stride = if mask.is_power_of_two() { 0 } else { stride };
        if self.push_record(site, mask, Form::Affine) {
            self.trace.words.extend([base as u32, (base >> 32) as u32, stride as u32]);
        }
    }

    /// Adds an access whose active lanes, lowest first, lie in rows. A row has `width` lanes that are `stride` bytes
    /// apart. From its last lane to the first lane of the next row are `jump` bytes. The first row is as long as
    /// possible, so `jump` differs from `stride`.
    #[inline]
    pub fn add_row_access(&mut self, site: u32, mask: u32, base: u64, [stride, jump]: [i32; 2], width: u32) {
        let lanes = mask.count_ones();
        if width >= lanes || stride == jump || width < 2 {
            return self.add_affine_access(site, mask, base, stride);
        }
        if lanes <= STEPS_LANES_MAX {
            let step = |i: u32| if (i + 1) % width == 0 { jump } else { stride };
            return self.push_steps(site, mask, base, (0..lanes - 1).map(step));
        }
        if self.push_record(site, mask, Form::Rows) {
            let words = [base as u32, (base >> 32) as u32, stride as u32, jump as u32, width];
            self.trace.words.extend(words);
        }
    }

    fn push_steps(&mut self, site: u32, mask: u32, base: u64, steps: impl Iterator<Item = i32>) {
        if self.push_record(site, mask, Form::Steps) {
            self.trace.words.extend([base as u32, (base >> 32) as u32]);
            self.trace.words.extend(steps.map(|step| step as u32));
        }
    }

    /// Adds an access with one address per active lane, lowest lane first.
    ///
    /// If addresses are missing, the highest lanes are cleared, so that a damaged line does not shift lanes.
    pub fn add_access(&mut self, site: u32, mut mask: u32, addresses: &[u64]) {
        while (mask.count_ones() as usize) > addresses.len() {
            mask &= !(1 << (31 - mask.leading_zeros()));
        }
        let lanes = mask.count_ones() as usize;
        let addresses = &addresses[..lanes.min(WARP_LANES)];
        let Some(&base) = addresses.first() else { return self.add_instructions(1) };
        let mut steps = [0i32; WARP_LANES];
        let mut affine = true;
        for (i, pair) in addresses.windows(2).enumerate() {
            let Ok(step) = i32::try_from(pair[1].wrapping_sub(pair[0]) as i64) else {
                return self.push_wide(site, mask, addresses);
            };
            steps[i] = step;
            affine &= step == steps[0];
        }
        if affine {
            return self.add_affine_access(site, mask, base, steps[0]);
        }
        let steps = &steps[..lanes - 1];
        // The first step that differs ends the first row. The other rows must have the same steps.
        let width = steps.iter().take_while(|&&step| step == steps[0]).count() + 1;
        let jump = steps[width - 1];
        if steps
            .chunks(width)
            .all(|row| row.iter().enumerate().all(|(i, &s)| s == if i + 1 < width { steps[0] } else { jump }))
        {
            return self.add_row_access(site, mask, base, [steps[0], jump], width as u32);
        }
        self.push_steps(site, mask, base, steps.iter().copied());
    }

    fn push_wide(&mut self, site: u32, mask: u32, addresses: &[u64]) {
        if self.push_record(site, mask, Form::Wide) {
            self.trace.words.extend(addresses.iter().flat_map(|&a| [a as u32, (a >> 32) as u32]));
        }
    }

    fn push_record(&mut self, site: u32, mask: u32, form: Form) -> bool {
        let Ok(payload) = u32::try_from(self.trace.words.len()) else {
            self.full = true;
            return false;
        };
        grow(&mut self.trace.records, 1);
        grow(&mut self.trace.words, 2 * WARP_LANES);
        let gap = self.gap;
        self.add_instructions(1);
        self.gap = 0;
        self.trace.records.push(Record { site_form: site | (form as u32) << SITE_BITS, mask, gap, payload });
        let end = self.trace.records.len();
        if let Some(interleaving) = &mut self.interleaving {
            interleaving.push_owner(self.current);
        } else if let Some(warp) = self.trace.warps.get_mut(self.current) {
            warp.records.end = end;
        }
        true
    }

    /// True if the builder dropped accesses because the trace exceeds its 32-bit indices (about 16 GB of addresses).
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// Number of blocks so far.
    pub fn block_count(&self) -> usize {
        self.trace.blocks.len()
    }

    /// Number of warp-level accesses so far.
    pub fn access_count(&self) -> usize {
        self.trace.records.len()
    }

    /// Bytes that the accesses take, the same on each platform.
    pub fn access_bytes(&self) -> usize {
        self.trace.records.capacity() * size_of::<Record>() + self.trace.words.capacity() * size_of::<u32>()
    }

    /// Bytes that the accesses of the first block take. They are known when the second one has begun.
    pub fn first_block_bytes(&self) -> Option<usize> {
        let second = self.trace.blocks.get(1)?.warps.start as usize;
        let end = self.trace.warps.get(second)?.records.start;
        let words = self.trace.records.get(end)?.payload as usize;
        Some(end * size_of::<Record>() + words * size_of::<u32>())
    }

    /// Bytes on the heap. A reader uses this to bound the memory that a hostile input takes.
    pub fn heap_bytes(&self) -> usize {
        self.trace.heap_bytes() + self.site_bytes + self.interleaving.as_ref().map_or(0, Interleaving::heap_bytes)
    }

    /// Names ranges of the address space. Where two ranges overlap, the one with the lower base ends at the next base.
    pub fn add_arrays(&mut self, arrays: impl IntoIterator<Item = Array>) {
        self.trace.arrays.extend(arrays);
    }

    /// The finished trace, with blocks in order of their linear index and warps in order of their index in the block.
    pub fn finish(self) -> Trace {
        let mut trace = self.trace;
        if let Some(interleaving) = self.interleaving {
            interleaving.sort_into_warps(&mut trace);
        }
        let grid = trace.launch.grid;
        let mut blocks = std::mem::take(&mut trace.blocks);
        let mut warps = std::mem::take(&mut trace.warps);
        let in_order = blocks.windows(2).all(|p| p[0].id.linear_in(grid) < p[1].id.linear_in(grid))
            && blocks.iter().all(|b| warps[warp_range(b)].windows(2).all(|p| p[0].index < p[1].index));
        if !in_order {
            blocks = sorted_by_key(blocks, |b| b.id.linear_in(grid));
            let mut sorted = Vec::with_capacity(warps.len());
            for block in &mut blocks {
                let mut mine = sorted_by_key(warps[warp_range(block)].to_vec(), |w| u64::from(w.index));
                let start = sorted.len() as u32;
                sorted.append(&mut mine);
                block.warps = start..sorted.len() as u32;
            }
            warps = sorted;
        }
        trace.normalise_arrays();
        Trace { blocks, warps, ..trace }
    }
}

fn warp_range(block: &Block) -> std::ops::Range<usize> {
    block.warps.start as usize..block.warps.end as usize
}

impl Trace {
    /// Replaces the arrays. They are sorted and made disjoint. Of two arrays with one base, the longer one is kept.
    pub fn replace_arrays(&mut self, arrays: Vec<Array>) {
        self.arrays = arrays;
        self.normalise_arrays();
    }

    fn normalise_arrays(&mut self) {
        self.arrays.retain(|a| a.bytes > 0);
        let arrays = sorted_by_key(std::mem::take(&mut self.arrays), |a| !a.bytes);
        self.arrays = sorted_by_key(arrays, |a| a.base);
        self.arrays.dedup_by_key(|a| a.base);
        for i in 1..self.arrays.len() {
            let next = self.arrays[i].base;
            let array = &mut self.arrays[i - 1];
            array.bytes = array.bytes.min(next - array.base);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Kind, Origin, Space};

    fn site() -> Site {
        Site { pc: 0, opcode: "LDG".into(), source_line: None, space: Space::Global, kind: Kind::Load, bytes: 4 }
    }

    fn builder() -> TraceBuilder {
        let launch = Launch { grid: Dim3::new(4, 1, 1), block: Dim3::new(64, 1, 1), shared_bytes: 0, registers: 0 };
        TraceBuilder::new("k", launch)
    }

    #[test]
    fn every_form_gives_its_addresses_back() {
        let rows: Vec<u64> = (0..31).map(|i| 1000 + 512 * (i / 8) - 4 * (i % 8)).collect();
        let lists: [&[u64]; 6] = [
            &[8, 12, 16],
            &[8, 8, 4096],
            &[1 << 40, 3, u64::MAX],
            &[0xffff_ffff_ffff_fff0, 0xffff_ffff_ffff_fff4],
            &[1 << 33, 1 << 33, 4, 4, 5],
            &rows,
        ];
        let mut b = builder();
        let s = b.intern_site(site());
        for list in lists {
            b.add_instructions(2);
            b.add_access(s, (1 << list.len()) - 1, list);
        }
        let trace = b.finish();
        let mut out = [0; 32];
        for (access, list) in trace.accesses(&trace.warps[0]).zip(lists) {
            let n = access.addresses(&mut out);
            assert_eq!(&out[..n], list);
            assert_eq!(access.gap, 2);
            let ends = || Some((*list.iter().min()?, *list.iter().max()?));
            assert!(access.span().is_none() || access.span() == ends(), "{list:?}");
        }
        assert_eq!(trace.warps[0].instructions, 18);
        // Both ways to add rows make the same five words.
        let words = |t: &Trace| t.words[t.records[5].payload as usize..].to_vec();
        assert_eq!(words(&trace), [1000, 0, -4i32 as u32, 540, 8]);
        let mut again = builder();
        let s = again.intern_site(site());
        again.add_row_access(s, (1 << 31) - 1, 1000, [-4, 540], 8);
        assert_eq!(again.finish().words, words(&trace));
    }

    #[test]
    fn the_span_of_regular_accesses_is_that_of_their_addresses() {
        let mut b = builder();
        let s = b.intern_site(site());
        for mask in [u32::MAX, u32::MAX >> 3, 0x0fff_00ff, 1] {
            for steps in [[4, -60], [-4, 540], [0, 128], [8, 8], [i32::MIN, i32::MAX]] {
                for width in [1, 2, 7, 8, 16, 31, 32, 33] {
                    b.add_row_access(s, mask, 1 << 40, steps, width);
                }
            }
        }
        let trace = b.finish();
        let (mut out, mut known) = ([0; 32], 0);
        for access in trace.accesses(&trace.warps[0]) {
            let count = access.addresses(&mut out);
            let list = &out[..count];
            let Some(span) = access.span() else { continue };
            assert_eq!(Some(span), list.iter().min().copied().zip(list.iter().max().copied()));
            known += 1;
        }
        assert!(known > 100, "{known}");
    }

    #[test]
    fn too_few_addresses_clear_the_last_lanes() {
        let mut b = builder();
        let s = b.intern_site(site());
        b.add_access(s, 0b1011, &[4, 8]);
        b.add_access(s, 0, &[]);
        let trace = b.finish();
        let masks: Vec<u32> = trace.accesses(&trace.warps[0]).map(|a| a.mask).collect();
        assert_eq!(masks, [0b0011]);
        assert_eq!(trace.warps[0].instructions, 2);
    }

    #[test]
    fn blocks_and_warps_are_put_in_order() {
        let mut b = builder();
        for (block, warps) in [(3, [1, 0]), (1, [0, 1])] {
            b.begin_block(Dim3::new(block, 0, 0));
            warps.iter().for_each(|&w| b.begin_warp(w));
        }
        let trace = b.finish();
        let order: Vec<(u32, u32)> = trace
            .blocks
            .iter()
            .flat_map(|block| trace.warps[warp_range(block)].iter().map(|w| (block.id.x, w.index)))
            .collect();
        assert_eq!(order, [(1, 0), (1, 1), (3, 0), (3, 1)]);
    }

    #[test]
    fn interleaved_warps_give_the_same_trace_as_warps_in_order() {
        let (mut mixed, mut plain) = (builder(), builder());
        let (a, b) = (mixed.intern_site(site()), plain.intern_site(site()));
        for step in 0..3 {
            for (block, warp) in [(1, 1), (0, 0), (1, 0)] {
                mixed.select_warp(Dim3::new(block, 0, 0), warp);
                mixed.add_instructions(step);
                mixed.add_access(a, 1, &[u64::from(100 * block + 10 * warp + step)]);
            }
        }
        for (block, warps) in [(0, 0..1), (1, 0..2)] {
            plain.begin_block(Dim3::new(block, 0, 0));
            for warp in warps {
                plain.begin_warp(warp);
                for step in 0..3 {
                    plain.add_instructions(step);
                    plain.add_access(b, 1, &[u64::from(100 * block + 10 * warp + step)]);
                }
            }
        }
        let (mixed, plain) = (mixed.finish(), plain.finish());
        assert_eq!(mixed.blocks, plain.blocks);
        let list = |t: &Trace| -> Vec<(u64, u32, u32)> {
            let mut out = [0; 32];
            let accesses = t.warps.iter().flat_map(|w| t.accesses(w));
            accesses
                .map(|a| (a.addresses(&mut out), out[0], a.gap))
                .map(|(_, address, gap)| (address, gap, 0))
                .collect()
        };
        assert_eq!(list(&mixed), list(&plain));
    }

    #[test]
    fn overlapping_arrays_are_cut() {
        let array =
            |name: &str, base, bytes| Array { name: name.into(), base, bytes, origin: Origin::Named, copied_in: None };
        let mut b = builder();
        b.add_arrays([array("b", 100, 50), array("a", 0, 120), array("empty", 7, 0)]);
        let trace = b.finish();
        assert_eq!(trace.array_of(99), Some(0));
        assert_eq!(trace.array_of(100), Some(1));
        assert_eq!(trace.array_of(150), None);
        assert_eq!(trace.arrays[0].bytes, 100);
    }
}
