//! A set-associative cache with sectors and least-recently-used replacement.
//!
//! In: dense line numbers in order of address, and sectors. Out: the sectors that miss, and the evicted line.
//! Consecutive lines go to consecutive sets, and each round through the sets begins at another set. Not modelled:
//! conflicts of strides under the hash of real hardware (camping).

/// Largest number of ways. More ways hardly change the result but cost time, so larger caches get more sets instead.
const WAYS: u32 = 16;
const EMPTY: u32 = u32::MAX;

/// A line and the slot of its state. Only this pair moves when lines change their order, and the state stays in its
/// slot.
#[derive(Clone, Copy, Debug)]
struct Way {
    tag: u32,
    slot: u32,
}

/// A sectored LRU cache.
///
/// Each set is an array of ways in order of use. A touch moves the ways before the line back by one.
#[derive(Clone, Debug, Default)]
pub struct SectoredLru {
    ways: usize,
    sets: u32,
    /// Reciprocal of `sets`, for divisions by multiplication.
    inverse: u64,
    /// The ways of all sets, each set with the most recent way first.
    order: Vec<Way>,
    /// Valid sectors of the line in each slot.
    sectors: Vec<u8>,
    /// For each slot, the time at which each sector was filled, in the caller's clock, and the level that it came
    /// from, as `clock << 3 | level`.
    filled: Vec<[u32; 4]>,
    /// Slot of the line touched last.
    last: usize,
    /// The line that the last touch evicted.
    pub victim: Option<u32>,
}

impl SectoredLru {
    /// Turns this into an empty cache of `lines` lines. Small caches are fully associative.
    pub fn reset(&mut self, lines: u64) {
        let lines = lines.clamp(1, 1 << 24) as u32;
        let sets = lines.div_ceil(4 * WAYS).max(1);
        let sets = if sets == 1 { 1 } else { lines.div_ceil(WAYS) };
        self.ways = lines.div_ceil(sets) as usize;
        self.sets = sets;
        self.inverse = (u64::MAX / u64::from(sets)).wrapping_add(1);
        self.last = 0;
        let size = self.ways * sets as usize;
        self.order.resize(size, Way { tag: EMPTY, slot: 0 });
        for set in self.order.chunks_exact_mut(self.ways) {
            (0..).zip(set).for_each(|(slot, way)| *way = Way { tag: EMPTY, slot });
        }
        // The state of an empty slot is never read, so it need not be cleared.
        self.sectors.resize(size, 0);
        self.filled.resize(size, [0; 4]);
    }

    /// Quotient and remainder by the number of sets, computed with multiplications. `inverse` is 2⁶⁴ ÷ sets, rounded
    /// up, which is exact for 32-bit numbers (Lemire, Kaser and Kurz 2019, theorem 1).
    #[inline]
    fn divide(&self, number: u32) -> (u32, u32) {
        let high = |a: u64, b: u32| ((a >> 32) * u64::from(b) + (((a & 0xffff_ffff) * u64::from(b)) >> 32)) >> 32;
        let fraction = self.inverse.wrapping_mul(number.into());
        (high(self.inverse, number) as u32, high(fraction, self.sets) as u32)
    }

    /// Index of the first way of a line's set. Consecutive lines use the sets in turn. Every round begins at another
    /// set, so that the rows of a matrix do not share a few sets. Hardware achieves the same with its own hash.
    #[inline]
    fn start(&self, line: u32) -> usize {
        if self.sets == 1 {
            return 0;
        }
        let (round, place) = self.divide(line);
        let set = place + self.divide(round.wrapping_mul(0x9e37_79b1) >> 8).1;
        (if set < self.sets { set } else { set - self.sets }) as usize * self.ways
    }

    /// For the line touched last, the latest fill time among `sectors` and the level that this sector came from.
    #[inline]
    pub fn filled(&self, sectors: u8) -> (u32, u8) {
        let stamps = &self.filled[self.last];
        let of = |sector: usize| if sectors >> sector & 1 != 0 { stamps[sector] } else { 0 };
        let last = of(0).max(of(1)).max(of(2)).max(of(3));
        (last >> 3, (last & 7) as u8)
    }

    /// Records that `sectors` of the line touched last are being filled.
    #[inline]
    pub fn fill(&mut self, sectors: u8, now: u32, level: u8) {
        for (sector, stamp) in self.filled[self.last].iter_mut().enumerate() {
            if sectors >> sector & 1 != 0 {
                *stamp = now << 3 | u32::from(level);
            }
        }
    }

    /// Touches `sectors` of a line. Returns the sectors that were missing, which are valid from now on.
    #[inline]
    pub fn touch(&mut self, line: u32, sectors: u8) -> u8 {
        let start = self.start(line);
        let set = &mut self.order[start..start + self.ways];
        self.victim = None;
        // Each way moves back by one, up to the former position of the line.
        let mut out = set[0];
        if out.tag != line {
            for way in &mut set[1..] {
                std::mem::swap(way, &mut out);
                if out.tag == line {
                    break;
                }
            }
            set[0] = Way { tag: line, slot: out.slot };
        }
        self.last = start + out.slot as usize;
        if out.tag != line {
            self.victim = (out.tag != EMPTY).then_some(out.tag);
            (self.sectors[self.last], self.filled[self.last]) = (0, [0; 4]);
        }
        let valid = &mut self.sectors[self.last];
        let missing = sectors & !*valid;
        *valid |= sectors;
        missing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recent_line_goes_and_sectors_come_one_by_one() {
        let mut cache = SectoredLru::default();
        cache.reset(2);
        assert_eq!(cache.touch(1, 0b0011), 0b0011);
        assert_eq!(cache.touch(1, 0b0110), 0b0100);
        assert_eq!(cache.touch(2, 1), 1);
        assert_eq!(cache.touch(1, 0b0111), 0);
        assert_eq!(cache.touch(3, 1), 1);
        assert_eq!(cache.touch(2, 1), 1, "2 was the least recent");
        assert_eq!(cache.touch(1, 1), 1);
    }

    #[test]
    fn as_many_lines_as_fit_stay() {
        for lines in [1u64, 7, 32, 64, 65, 1536, 10_240] {
            let mut cache = SectoredLru::default();
            cache.reset(lines);
            let n = lines as u32;
            assert_eq!((0..n).filter(|&line| cache.touch(line, 1) != 0).count(), n as usize);
            assert_eq!((0..n).filter(|&line| cache.touch(line, 1) != 0).count(), 0, "{lines}");
        }
    }

    #[test]
    fn divisions_are_exact() {
        let mut random = base::Random::new(5);
        for sets in (2..200).chain((0..200).map(|_| random.below(1 << 20) as u32 + 2)).collect::<Vec<_>>() {
            let cache =
                SectoredLru { sets, inverse: (u64::MAX / u64::from(sets)).wrapping_add(1), ..SectoredLru::default() };
            let numbers = [0, 1, sets - 1, sets, sets + 1, u32::MAX - 1, u32::MAX];
            for number in numbers.into_iter().chain((0..500).map(|_| random.below(1 << 32) as u32)) {
                assert_eq!(cache.divide(number), (number / sets, number % sets), "{number} by {sets}");
            }
        }
    }
}
