//! What a warp instruction asks of the memory system: lines with sectors, steps of the load-store pipe, wavefronts of
//! shared memory.

use gpu::Coalescing;

/// Bytes of a sector, the unit of transfers below the L1.
pub(crate) const SECTOR_BYTES: u64 = 32;
const SECTOR_SHIFT: u32 = SECTOR_BYTES.trailing_zeros();
/// Bytes between the load-store pipe and the registers in a step: four per lane of a warp.
const STEP_BYTES: u32 = 128;
/// Lanes touch at most this number of lines: an access may cross the end of one line.
const LINES_MAX: usize = 64;

/// A line and its sectors that a warp instruction touches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LineUse {
    pub line: u64,
    pub sectors: u8,
    /// Those that two groups of eight lanes ask for separately, because the second one crosses the end of a line.
    pub again: u8,
    /// Bytes that the lanes touch in it. Overlapping lanes count each time.
    pub bytes: u32,
}

/// The lines of one warp instruction, in order of their first lane.
#[derive(Default)]
pub(crate) struct Lines {
    list: Vec<LineUse>,
    /// Lines before this one in the list are of other groups of lanes.
    group_begins: usize,
    /// Distinct sectors of the warp.
    pub sectors: u32,
    /// The sum over groups of eight lanes of their distinct sectors.
    pub group_sectors: u32,
    /// What the L1 gives one at a time: the sum over groups of lanes of their distinct segments. A group has the lanes
    /// whose items together fill a whole line: a warp of 4-byte items, half a warp of 8-byte items, a quarter of 16-byte ones.
    /// Where segments are parts of a line and lanes share 4-byte items, a warp takes at least the distinct lines of each of its halves.
    pub segments: u32,
}

/// Sizes of lines and of their segments, as powers of two.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grain {
    pub line_shift: u32,
    pub segment_shift: u32,
}

impl Grain {
    /// The L1 takes `line_cycles` for a whole line, and gives an equal segment of it in each of them.
    pub fn new(line_shift: u32, line_cycles: f64) -> Self {
        let segments = (line_cycles.clamp(1.0, 1024.0).ceil() as u32).next_power_of_two();
        let segment_shift = line_shift.saturating_sub(segments.trailing_zeros()).max(SECTOR_SHIFT);
        Self { line_shift, segment_shift }
    }

    /// Whether a segment is a part of a line.
    fn parts_lines(self) -> bool {
        self.segment_shift < self.line_shift
    }

    /// Cycles of the L1 for a segment.
    fn segment_cycles(self, line_cycles: f64) -> f64 {
        line_cycles / f64::from(1u32 << (self.line_shift - self.segment_shift))
    }
}

/// Lanes of a group whose segments are counted together.
fn lanes_together(bytes: u64) -> u32 {
    match bytes {
        0..=4 => 32,
        5..=8 => 16,
        _ => 8,
    }
}

/// The lanes of one half of a warp. Eight lanes belong to one half, and the next eight to the other.
const HALF: u32 = 0x00ff_00ff;

impl Lines {
    pub fn list(&self) -> &[LineUse] {
        &self.list
    }

    /// The sectors that would hold the bytes of all lanes if their elements lay side by side. Lanes that share elements can
    /// need fewer, so it is never more than `sectors`.
    pub fn least_sectors(&self) -> u32 {
        let bytes: u32 = self.list().iter().map(|line| line.bytes).sum();
        bytes.div_ceil(SECTOR_BYTES as u32).min(self.sectors)
    }

    /// [`Lines::coalesce`], and [`Lines::mark_again`] if `asks_again`, for lanes from 0 on that access consecutive items, or
    /// all the same one. Returns false if it does not apply.
    pub fn coalesce_affine(
        &mut self,
        affine: Option<(u64, i32)>,
        mask: u32,
        bytes: u16,
        grain: Grain,
        asks_again: bool,
    ) -> bool {
        let Some((base, stride)) = affine else { return false };
        let lanes = mask.trailing_ones();
        let consecutive = stride == i32::from(bytes) && bytes > 0;
        if mask.checked_shr(lanes).unwrap_or(0) != 0 || !(consecutive || stride == 0) || base >= 1 << 60 {
            return false;
        }
        let (bytes, step) = (u64::from(bytes.max(1)), stride as u64);
        let sector = |address: u64| address >> SECTOR_SHIFT;
        let one_line = |from: u64, to: u64| from >> grain.line_shift == to >> grain.line_shift;
        if asks_again && stride == 0 && !one_line(base, base + bytes - 1) {
            return false;
        }
        // The sectors that a group shares with the one before it and asks for again.
        let mut again = [u64::MAX; 4];
        self.clear();
        if consecutive && lanes == 32 && base % SECTOR_BYTES == 0 && bytes % 4 == 0 {
            // The eight items of a group fill their sectors.
            self.group_sectors = bytes as u32;
        } else {
            for first in (0..lanes).step_by(8) {
                let last = (first + 8).min(lanes) - 1;
                let (from, to) = (base + u64::from(first) * step, base + u64::from(last) * step + bytes - 1);
                self.group_sectors += (sector(to) - sector(from) + 1) as u32;
                if asks_again && first > 0 && !one_line(from, to) && sector(from - 1) == sector(from) {
                    again[first as usize / 8] = sector(from);
                }
            }
        }
        let together = lanes_together(bytes);
        for first in (0..lanes).step_by(together as usize) {
            let last = (first + together).min(lanes) - 1;
            let (from, to) = (base + u64::from(first) * step, base + u64::from(last) * step + bytes - 1);
            self.segments += ((to >> grain.segment_shift) - (from >> grain.segment_shift) + 1) as u32;
        }
        if together == 32 && grain.parts_lines() && stride == 0 && lanes > 1 {
            // All lanes share one item, and each half asks for its lines.
            let halves = [HALF, !HALF].into_iter().filter(|half| half & mask != 0).count() as u32;
            let lines = ((base + bytes - 1) >> grain.line_shift) - (base >> grain.line_shift) + 1;
            self.segments = self.segments.max(halves * lines as u32);
        }
        let (mut from, end) = (base, base + u64::from(lanes - 1) * step + bytes);
        let times = if consecutive { 1 } else { lanes };
        let per_line = grain.line_shift - SECTOR_SHIFT;
        while from < end {
            let line = from >> grain.line_shift;
            let to = end.min((line + 1) << grain.line_shift);
            let (first, last) = (sector(from), sector(to - 1));
            let within = (1 << per_line) - 1;
            let sectors = (u32::MAX >> (31 - (last - first) as u32)) << (first & within);
            let here = again.iter().filter(|&&at| at >> per_line == line);
            let again = here.fold(0, |all, at| all | 1 << (at & within));
            self.list.push(LineUse { line, sectors: sectors as u8, again, bytes: (to - from) as u32 * times });
            self.sectors += sectors.count_ones();
            from = to;
        }
        true
    }

    /// Coalesces the active lanes of an access. `addresses` has one address per bit of `mask`, lowest lane first.
    pub fn coalesce(&mut self, addresses: &[u64], mask: u32, bytes: u16, grain: Grain) {
        self.clear();
        self.add_lanes(addresses, mask, bytes, grain);
        let distinct = |lanes, shift| distinct(addresses, mask, lanes, bytes, shift);
        self.segments = match lanes_together(bytes.into()) {
            // All lanes are one group, whose sectors are known.
            32 => {
                let sectors = 1u32 << (grain.segment_shift - SECTOR_SHIFT);
                let segment = u32::MAX >> (32 - sectors);
                let of_line =
                    |mask: u8| (0..8).step_by(sectors as usize).filter(move |at| u32::from(mask) & segment << at != 0);
                let segments = self.list.iter().map(|line| of_line(line.sectors).count() as u32).sum();
                let halves = match grain.parts_lines() {
                    true => distinct(HALF, grain.line_shift) + distinct(!HALF, grain.line_shift),
                    false => 0,
                };
                // Lanes that share no item need each half of a line once.
                if halves > segments && most_equal(addresses) > 1 {
                    halves
                } else {
                    segments
                }
            }
            together => {
                let groups = (0..32).step_by(together as usize).map(|first| u32::MAX >> (32 - together) << first);
                groups.map(|lanes| distinct(lanes, grain.segment_shift)).sum()
            }
        };
    }

    /// Finds the sectors that the warp asks for again, after [`Lines::coalesce`] of the same access. A group of eight lanes in
    /// one line joins the groups before it. One that crosses the end of a line does not, so it asks for its sectors whether
    /// the others did or not.
    pub fn mark_again(&mut self, addresses: &[u64], mask: u32, bytes: u16, grain: Grain) {
        let (list, bytes) = (&mut self.list, u64::from(bytes.max(1)));
        if list.len() < 2 {
            return;
        }
        let per_line = grain.line_shift - SECTOR_SHIFT;
        let (mut rest, mut asked) = (addresses, [0u8; LINES_MAX]);
        for group in 0..4 {
            let active = (mask >> (8 * group) & 0xff).count_ones() as usize;
            let (lanes, others) = rest.split_at(active.min(rest.len()));
            rest = others;
            // The lines of the group, and its sectors in each.
            let (mut lines, mut own) = (0u64, [0u8; LINES_MAX]);
            for &address in lanes {
                for sector in address >> SECTOR_SHIFT..=address.saturating_add(bytes - 1) >> SECTOR_SHIFT {
                    let Some(at) = list.iter().position(|known| known.line == sector >> per_line) else { continue };
                    lines |= 1 << at;
                    own[at] |= 1 << (sector & ((1 << per_line) - 1));
                }
            }
            let crosses = !lines.is_power_of_two();
            while lines != 0 {
                let at = lines.trailing_zeros() as usize;
                lines &= lines - 1;
                list[at].again |= if crosses { own[at] & asked[at] } else { 0 };
                asked[at] |= own[at];
            }
        }
    }

    /// [`Lines::coalesce`] for each group of eight lanes on its own. A line that two groups touch stands twice in the list.
    pub fn coalesce_groups(&mut self, addresses: &[u64], mask: u32, bytes: u16, grain: Grain) {
        self.clear();
        let (mut rest, mut begun) = (addresses, 0);
        for group in 0..4 {
            let mine = mask & 0xff << (8 * group);
            let (of_group, others) = rest.split_at((mine.count_ones() as usize).min(rest.len()));
            rest = others;
            self.group_begins = begun;
            self.add_lanes(of_group, mine, bytes, grain);
            begun = self.list.len();
        }
    }

    fn clear(&mut self) {
        self.list.clear();
        (self.group_begins, self.sectors, self.group_sectors, self.segments) = (0, 0, 0, 0);
    }

    /// Coalesces lanes with each other, and not with those before [`Lines::group_begins`].
    fn add_lanes(&mut self, addresses: &[u64], mask: u32, bytes: u16, grain: Grain) {
        let bytes = u64::from(bytes.max(1));
        let per_line = grain.line_shift - SECTOR_SHIFT;
        let (mut group, mut group_mask) = (u32::MAX, mask);
        // The distinct sectors of the current group. Eight lanes of at most 16 bytes touch few.
        let mut mine = [0u64; 64];
        let (mut known, mut last) = (0, u64::MAX);
        for &address in addresses {
            let lane = group_mask.trailing_zeros();
            group_mask &= group_mask.wrapping_sub(1);
            if lane >> 3 != group {
                (group, known, last) = (lane >> 3, 0, u64::MAX);
            }
            let (first, end) = (address >> SECTOR_SHIFT, address.saturating_add(bytes - 1) >> SECTOR_SHIFT);
            let mut sector = first;
            loop {
                if sector != last {
                    last = sector;
                    if !mine[..known].contains(&sector) {
                        mine[known.min(63)] = sector;
                        known = (known + 1).min(63);
                        self.group_sectors += 1;
                    }
                }
                let share = if first == end { bytes } else { share_of(address, bytes, sector) };
                self.touch(sector >> per_line, 1 << (sector & ((1 << per_line) - 1)), share as u32);
                if sector >= end {
                    break;
                }
                sector += 1;
            }
        }
    }

    #[inline]
    fn touch(&mut self, line: u64, sector: u8, bytes: u32) {
        let mine = &self.list[self.group_begins..];
        let at = match mine.last() {
            Some(last) if last.line == line => self.list.len() - 1,
            _ => match mine.iter().position(|known| known.line == line) {
                Some(at) => self.group_begins + at,
                None if mine.len() < LINES_MAX => {
                    self.list.push(LineUse { line, sectors: 0, again: 0, bytes: 0 });
                    self.list.len() - 1
                }
                None => return,
            },
        };
        let known = &mut self.list[at];
        self.sectors += u32::from(known.sectors & sector == 0);
        known.sectors |= sector;
        known.bytes += bytes;
    }

    /// Cycles of the load-store pipe for an access that moves `moved` bytes to or from registers, where a whole line takes
    /// `line_cycles`. The registers take at most [`STEP_BYTES`] in that time, also where lanes share the bytes of a line.
    pub fn pipe_cycles(&self, coalescing: Coalescing, moved: u32, line_cycles: f64, grain: Grain) -> u64 {
        match coalescing {
            Coalescing::LinesOfWarp => {
                let segments = f64::from(self.segments) * grain.segment_cycles(line_cycles);
                segments.max(f64::from(moved) * line_cycles / f64::from(STEP_BYTES)).ceil() as u64
            }
            Coalescing::SectorsOfEightLanes => (f64::from(self.group_sectors) * line_cycles) as u64,
        }
    }
}

/// How many blocks of `1 << shift` bytes the active ones of `lanes` touch.
fn distinct(addresses: &[u64], mask: u32, lanes: u32, bytes: u16, shift: u32) -> u32 {
    let (mut active, mut known, mut count) = (mask, [0u64; 64], 0);
    for &address in addresses {
        let lane = active & active.wrapping_neg();
        active ^= lane;
        if lanes & lane == 0 {
            continue;
        }
        for block in address >> shift..=address.saturating_add(u64::from(bytes.max(1)) - 1) >> shift {
            if count < known.len() && !known[..count].contains(&block) {
                known[count] = block;
                count += 1;
            }
        }
    }
    count as u32
}

/// Bytes of an access that lie in a sector.
fn share_of(address: u64, bytes: u64, sector: u64) -> u64 {
    let start = address.max(sector << SECTOR_SHIFT);
    let end = address.saturating_add(bytes).min((sector + 1) << SECTOR_SHIFT);
    end - start
}

/// The largest number of equal addresses.
pub(crate) fn most_equal(addresses: &[u64]) -> u32 {
    let mut sorted = [0; 32];
    let count = addresses.len().min(32);
    sorted[..count].copy_from_slice(&addresses[..count]);
    sorted[..count].sort_unstable();
    let (mut most, mut run) = (0, 0);
    for i in 0..count {
        run = if i > 0 && sorted[i] == sorted[i - 1] { run + 1 } else { 1 };
        most = most.max(run);
    }
    most
}

/// [`wavefronts`] for frequent patterns of lanes with one stride.
pub(crate) fn wavefronts_affine(affine: Option<(u64, i32)>, mask: u32, bytes: u16) -> Option<u32> {
    let (base, stride) = affine?;
    match (bytes, stride) {
        (16, 0) if mask == u32::MAX => Some(2),
        (16, 16) if mask == u32::MAX => Some(4),
        (1..=4, 0) => Some(1),
        // Each lane has a word of its own, and banks repeat after 32 / gcd(stride in words, 32) lanes.
        (1..=4, _) if stride % 4 == 0 && base % 4 + u64::from(bytes) <= 4 => {
            let words = stride.unsigned_abs() / 4;
            let period = 32 >> words.trailing_zeros().min(5);
            Some(mask.count_ones().div_ceil(period))
        }
        _ => None,
    }
}

/// Wavefronts of a shared-memory access: the largest number of distinct words in one bank, over the warp for lanes of up
/// to 4 bytes, per half warp for 8 bytes, per quarter for 16 bytes.
///
/// With `merges_wide`, two halves of 8-byte lanes and two quarters of 16-byte lanes share wavefronts if each lane asks for
/// what its neighbour does, or each for what the lane after the next does, and in no other case. Without it, two quarters
/// of a half warp share them if they ask for the same words.
pub(crate) fn wavefronts(addresses: &[u64], mask: u32, bytes: u16, merges_wide: bool) -> u32 {
    let (lanes, words) = match bytes {
        0..=4 => return conflicts(addresses.iter(), 1).max(1),
        5..=8 => (32, 2),
        _ => (16, 4),
    };
    let agree = |step| lanes_agree(addresses, mask, step);
    let pairs = if merges_wide { agree(1) || agree(2) } else { lanes == 16 && agree(8) };
    let (mut total, mut rest) = (0, addresses);
    let group = if pairs { lanes } else { lanes / 2 };
    for first in (0..32).step_by(group) {
        let active = mask >> first & u32::MAX >> (32 - group);
        let (mine, others) = rest.split_at((active.count_ones() as usize).min(rest.len()));
        total += conflicts(mine.iter(), words);
        rest = others;
    }
    total.max(1)
}

/// Whether each active lane asks for what the lane `step` away does, if that one is active.
fn lanes_agree(addresses: &[u64], mask: u32, step: usize) -> bool {
    let mut of_lane = [None; 32];
    let active = (0..32usize).filter(|lane| mask >> lane & 1 == 1);
    active.zip(addresses).for_each(|(lane, address)| of_lane[lane] = Some(*address));
    (0..32usize).all(|lane| of_lane[lane].zip(of_lane[lane ^ step]).is_none_or(|(a, b)| a == b))
}

/// The largest number of distinct words in one bank.
fn conflicts<'a>(addresses: impl Iterator<Item = &'a u64> + Clone, words: u64) -> u32 {
    // Most accesses have at most one word per bank, which one pass sees.
    let (mut banks, mut held) = (0u32, [0u64; 32]);
    let mut all = addresses.clone().flat_map(|&address| (0..words).map(move |i| (address >> 2).wrapping_add(i)));
    let free = all.all(|word| {
        let bank = (word & 31) as usize;
        let first = banks >> bank & 1 == 0;
        if first {
            banks |= 1 << bank;
            held[bank] = word;
        }
        first || held[bank] == word
    });
    if free {
        return u32::from(banks != 0);
    }
    let mut list = [0u64; 128];
    let mut count = 0;
    for word in addresses.flat_map(|&address| (0..words).map(move |i| (address >> 2).wrapping_add(i))) {
        if count < list.len() {
            list[count] = word;
            count += 1;
        }
    }
    let list = &mut list[..count];
    list.sort_unstable();
    let mut counts = [0u32; 32];
    for (i, word) in list.iter().enumerate() {
        counts[(word & 31) as usize] += u32::from(i == 0 || list[i - 1] != *word);
    }
    counts.into_iter().max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn affine(stride: u64) -> Vec<u64> {
        (0..32).map(|lane| 0x10000 + lane * stride).collect()
    }

    fn lines(addresses: &[u64], bytes: u16) -> (Vec<(u64, u8)>, u32, u32) {
        let mut lines = Lines::default();
        lines.coalesce(addresses, u32::MAX >> (32 - addresses.len()), bytes, Grain::new(7, 1.0));
        (lines.list().iter().map(|l| (l.line, l.sectors)).collect(), lines.sectors, lines.group_sectors)
    }

    #[test]
    fn a_pipe_of_half_a_line_takes_one_cycle_for_a_tag_and_two_for_a_whole_line() {
        let cycles = |addresses: &[u64], step| {
            let (mut lines, grain) = (Lines::default(), Grain::new(7, step));
            lines.coalesce(addresses, u32::MAX >> (32 - addresses.len()), 4, grain);
            lines.pipe_cycles(Coalescing::LinesOfWarp, 4 * addresses.len() as u32, step, grain)
        };
        // A row of a matrix for each lane: 32 tags, and four bytes of each line.
        assert_eq!((cycles(&affine(4096), 1.0), cycles(&affine(4096), 2.0)), (32, 32));
        // One whole line; the same 64 bytes further on, in half of each of two lines; one word for all lanes, which still
        // fills their registers.
        assert_eq!((cycles(&affine(4), 1.0), cycles(&affine(4), 2.0)), (1, 2));
        let shifted: Vec<u64> = affine(4).iter().map(|address| address + 64).collect();
        assert_eq!((cycles(&shifted, 1.0), cycles(&shifted, 2.0)), (2, 2));
        assert_eq!((cycles(&affine(0), 1.0), cycles(&affine(0), 2.0)), (1, 2));
    }

    #[test]
    fn halves_of_a_warp_take_a_line_in_turn_where_lanes_share_items() {
        let segments = |address: &dyn Fn(u64) -> u64, bytes, step| {
            let mut lines = Lines::default();
            lines.coalesce(&(0..32).map(address).collect::<Vec<_>>(), u32::MAX, bytes, Grain::new(7, step));
            lines.segments
        };
        // Two rows of 16 threads, with an element for each thread, and with one for each row, which has lanes of both halves.
        let rows = |width: u64, step: u64| move |lane: u64| lane / width * 4096 + lane % width * step;
        assert_eq!((segments(&rows(16, 4), 4, 1.0), segments(&rows(16, 4), 4, 2.0)), (2, 2));
        assert_eq!((segments(&rows(16, 0), 4, 1.0), segments(&rows(16, 0), 4, 2.0)), (2, 4));
        // Both rows read the same 16 elements.
        assert_eq!((segments(&|lane| lane % 16 * 4, 4, 1.0), segments(&|lane| lane % 16 * 4, 4, 2.0)), (1, 2));
        // Four rows of 8 threads: each is in one half.
        assert_eq!((segments(&rows(8, 0), 4, 1.0), segments(&rows(8, 0), 4, 2.0)), (4, 4));
        // Nothing is known of halves of wide lanes.
        assert_eq!((segments(&rows(16, 0), 8, 1.0), segments(&rows(16, 0), 8, 2.0)), (2, 2));
        // Every eighth word: eight lines, and both segments of each.
        assert_eq!((segments(&rows(32, 32), 4, 1.0), segments(&rows(32, 32), 4, 2.0)), (8, 16));
    }

    #[test]
    fn patterns_worked_by_hand() {
        assert_eq!(lines(&affine(4), 4), (vec![(512, 15)], 4, 4));
        // One word for all lanes: each group of eight lanes asks for its sector.
        assert_eq!(lines(&affine(0), 4), (vec![(512, 1)], 1, 4));
        assert_eq!(lines(&affine(8), 8), (vec![(512, 15), (513, 15)], 8, 8));
        assert_eq!(lines(&affine(128), 4).1, 32);
        // A word that crosses a line touches both.
        assert_eq!(lines(&[0x1007e], 4), (vec![(512, 8), (513, 1)], 2, 2));
    }

    /// What the lanes ask for again, by line and sector.
    fn again(addresses: &[u64]) -> Vec<(u64, u8)> {
        let mut lines = Lines::default();
        let mask = u32::MAX >> (32 - addresses.len());
        lines.coalesce(addresses, mask, 4, Grain::new(7, 1.0));
        lines.mark_again(addresses, mask, 4, Grain::new(7, 1.0));
        lines.list().iter().filter(|l| l.again != 0).map(|l| (l.line, l.again)).collect()
    }

    #[test]
    fn eight_lanes_across_two_lines_ask_again_for_what_they_share_with_those_before() {
        let row = |start: u64, lanes: u64| (0..lanes).map(move |lane| 4 * (start + lane));
        // Rows of sixteen words that begin at a word of a line. The second eight of 22 end in the next line, and begin in the
        // sector in which the first eight end. The first eight of 26 cross, and nobody asked before them.
        for (start, expected) in [(2, 0), (10, 0), (22, 0b1000), (26, 0), (16, 0), (24, 0)] {
            let expected: Vec<(u64, u8)> = (expected != 0).then_some((0, expected)).into_iter().collect();
            assert_eq!(again(&row(start, 16).collect::<Vec<_>>()), expected, "a row from word {start}");
        }
        // A warp of two rows that lie 17 words apart: lanes 8 to 15 end at word 33 of the lines.
        let rows: Vec<u64> = row(18, 16).chain(row(35, 16)).collect();
        assert_eq!(again(&rows), [(0, 0b1000)]);
        // A word beyond the end of a line for all: the later groups cross it too.
        assert_eq!(again(&[126; 32]), [(0, 0b1000), (1, 0b0001)]);
        // Whole lines, side by side or apart.
        assert_eq!(again(&affine(4)), []);
        assert_eq!(again(&affine(128)), []);
    }

    /// [`Lines::segments`], byte by byte.
    fn steps(list: &[u64], mask: u32, bytes: u16, grain: Grain) -> u32 {
        let (mut segments, mut lines) = (BTreeSet::new(), BTreeSet::new());
        let together = 32 / u32::from(bytes.max(4)).next_power_of_two() * 4;
        for (lane, address) in (0..32).filter(|lane| mask >> lane & 1 == 1).zip(list) {
            for byte in *address..address + u64::from(bytes) {
                segments.insert((lane / together, byte >> grain.segment_shift));
                lines.insert((lane / 8 % 2, byte >> grain.line_shift));
            }
        }
        let shared = list.iter().collect::<BTreeSet<_>>().len() < list.len();
        let halves = shared && bytes <= 4 && grain.segment_shift < grain.line_shift;
        segments.len().max(if halves { lines.len() } else { 0 }) as u32
    }

    #[test]
    fn shortcuts_say_what_the_lane_by_lane_way_says() {
        let masks = [u32::MAX, 0xff, 0x1ff, 1, 0xffff_fff0];
        for (base, bytes) in [(0x1000, 4), (0x1010, 4), (0x1018, 8), (0x1008, 16), (0x1002, 2), (0x1001, 1)] {
            for stride in [0, 1, 2, 4, 8, 12, 16, 64, 128, -4] {
                for mask in masks {
                    let lanes = u64::from(mask.count_ones());
                    let at = |lane: u64| (base as i64 + stride * lane as i64) as u64;
                    let list: Vec<u64> = (0..lanes).map(at).collect();
                    let affine = Some((base, stride as i32));
                    let (mut slow, mut quick) = (Lines::default(), Lines::default());
                    for grain in [1.0, 2.0, 4.0].map(|cycles| Grain::new(7, cycles)) {
                        slow.coalesce(&list, mask, bytes, grain);
                        slow.mark_again(&list, mask, bytes, grain);
                        if quick.coalesce_affine(affine, mask, bytes, grain, true) {
                            assert_eq!(quick.list(), slow.list(), "{base} {bytes} {stride} {mask:x}");
                            let counts = |l: &Lines| (l.sectors, l.group_sectors, l.segments);
                            assert_eq!(counts(&quick), counts(&slow), "{base} {bytes} {stride} {mask:x}");
                        }
                        assert_eq!(slow.segments, steps(&list, mask, bytes, grain), "{base} {bytes} {stride} {mask:x}");
                    }
                    for merges in [false, true] {
                        if let Some(waves) = wavefronts_affine(affine, mask, bytes) {
                            let slow = wavefronts(&list, mask, bytes, merges);
                            assert_eq!(waves, slow, "{base} {bytes} {stride} {mask:x} {merges}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_least_sectors_worked_by_hand() {
        let least = |addresses: &[u64], bytes: u16| {
            let mut lines = Lines::default();
            lines.coalesce(addresses, u32::MAX >> (32 - addresses.len()), bytes, Grain::new(7, 1.0));
            (lines.sectors, lines.least_sectors())
        };
        assert_eq!(least(&affine(4), 4), (4, 4), "side by side");
        assert_eq!(least(&affine(128), 4), (32, 4), "a line each");
        assert_eq!(least(&affine(0), 4), (1, 1), "one word for all lanes");
        let shifted: Vec<u64> = affine(4).iter().map(|address| address + 16).collect();
        assert_eq!(least(&shifted, 4), (5, 4), "side by side, but not aligned");
        assert_eq!(least(&affine(16), 16), (16, 16), "16 bytes a lane");
        assert_eq!(least(&[0x10000, 0x20000, 0x30000], 4), (3, 1), "three lanes");
    }

    #[test]
    fn wavefronts_worked_by_hand() {
        let full = |stride, bytes| wavefronts(&affine(stride), u32::MAX, bytes, false);
        let merged = |stride, bytes| wavefronts(&affine(stride), u32::MAX, bytes, true);
        assert_eq!([full(4, 4), full(0, 4), full(8, 4), full(128, 4)], [1, 1, 2, 32]);
        assert_eq!([full(8, 8), full(16, 8)], [2, 4]);
        assert_eq!([full(16, 16), full(0, 16)], [4, 2]);
        assert_eq!(wavefronts(&[0], 1, 4, false), 1);
        // Lanes side by side have no equal words. All lanes at one address do.
        assert_eq!([merged(8, 8), merged(16, 16), merged(0, 8), merged(0, 16)], [2, 4, 1, 2]);
        // Pairs of lanes, and every other lane, at one address. Lanes that differ from both neighbours stay apart.
        let both = |of_lane: fn(u64) -> u64, bytes| {
            let list: Vec<u64> = (0..32).map(|lane| 0x1000 + of_lane(lane)).collect();
            [false, true].map(|merges| wavefronts(&list, u32::MAX, bytes, merges))
        };
        assert_eq!(both(|lane| lane / 2 * 8, 8), [2, 1]);
        assert_eq!(both(|lane| (lane / 4 * 2 + lane % 2) * 8, 8), [2, 1]);
        assert_eq!(both(|lane| lane % 8 * 8, 8), [2, 2]);
        assert_eq!(both(|lane| lane / 2 * 16, 16), [4, 2]);
        // Quarters that ask for the same words. With the rule of neighbours each of them returns its own registers, and each
        // has the conflicts of eight rows 64 bytes apart, which keep to two times four banks.
        assert_eq!(both(|lane| lane % 8 * 16, 16), [2, 4]);
        assert_eq!(both(|lane| lane % 8 * 64, 16), [8, 16]);
        // Rows of 8 bytes, 64 bytes apart.
        assert_eq!(both(|lane| lane % 8 * 64, 8), [8, 8]);
    }
}
