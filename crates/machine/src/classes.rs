//! Why the loads of a part miss in its L1: compulsory, capacity or conflict, sector by sector, or after a store that dropped
//! the line.
//!
//! A shadow of the L1 sees the same lookups and stores in the same order, and knows two other caches: one without limits,
//! and a fully associative LRU cache with as many lines. Stores do the same to them as to the L1. Each sector that the L1 lacks has one class, so that the classes add up to the
//! misses exactly. Hill and Smith (IEEE Trans. Computers 38(12), 1989) subtract miss counts of whole runs instead. There a
//! class can be negative, if the L1 holds a sector that the fully associative cache lacks. Here such a sector is a hit.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Sectors that loads missed in the L1, by class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MissClasses {
    /// The L1 never had the sector: a cache without limits misses too.
    pub compulsory: u64,
    /// A store dropped the line since the L1 had the sector: a cache without limits misses too.
    pub dropped: u64,
    /// A fully associative LRU cache with as many lines misses too.
    pub capacity: u64,
    /// A fully associative LRU cache with as many lines holds the sector.
    pub conflict: u64,
    /// Of all these, sectors whose line was there without them.
    pub line_there: u64,
}

impl MissClasses {
    /// All misses.
    pub fn all(&self) -> u64 {
        self.compulsory + self.dropped + self.capacity + self.conflict
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.compulsory += other.compulsory;
        self.dropped += other.dropped;
        self.capacity += other.capacity;
        self.conflict += other.conflict;
        self.line_there += other.line_there;
    }
}

/// The classes of the misses of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassOutcome {
    /// Of the kernel.
    pub kernel: MissClasses,
    /// By site of the trace.
    pub sites: Vec<MissClasses>,
    /// By array of the trace, and at the end for addresses in no array.
    pub arrays: Vec<MissClasses>,
}

/// A lookup of the L1, as it found and left the line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lookup {
    pub line: u64,
    /// The sectors that the load asks for.
    pub wanted: u8,
    /// The sectors that the L1 held. `None` if it did not hold the line.
    pub held: Option<u8>,
    /// The sectors that it fetches if it lacks one of `wanted`, without those that it holds.
    pub fetched: u8,
    /// All sectors that a miss fetches, where it does not fetch only those that are asked for.
    pub whole: u8,
}

/// The shadow of the L1 of a part.
#[derive(Debug)]
pub(crate) struct Shadow {
    unlimited: UnlimitedCache,
    associative: AssociativeCache,
    /// The misses since the last [`Shadow::take`].
    classes: MissClasses,
    /// The lookups since an observer began to look, where there is one.
    pub seen: Option<Vec<SeenLookup>>,
}

/// A lookup as an observer sees it. Sectors are bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SeenLookup {
    pub hits: u8,
    pub line_there: bool,
    /// The others: compulsory, dropped, capacity and conflict misses.
    pub classes: [u8; 4],
}

impl Shadow {
    /// The shadow of an L1 of so many lines.
    pub fn new(lines: usize) -> Self {
        let (unlimited, associative) = (UnlimitedCache::default(), AssociativeCache::new(lines));
        Self { unlimited, associative, classes: MissClasses::default(), seen: None }
    }

    /// Follows a lookup.
    pub fn look_up(&mut self, lookup: &Lookup) {
        let associative = self.associative.load(lookup.line, lookup.wanted, lookup.whole);
        let missing = lookup.wanted & !lookup.held.unwrap_or(0);
        if missing == 0 {
            return self.show(lookup, [0; 4]);
        }
        // Only a miss fetches. So these are also the sectors that a cache without limits holds.
        let Known { ever, held } = self.unlimited.fetch(lookup.line, lookup.fetched);
        let again = missing & held;
        let count = |sectors: u8| u64::from(sectors.count_ones());
        let [compulsory, dropped, capacity, conflict] =
            [missing & !ever, missing & ever & !held, again & !associative, again & associative];
        self.classes.compulsory += count(compulsory);
        self.classes.dropped += count(dropped);
        self.classes.capacity += count(capacity);
        self.classes.conflict += count(conflict);
        self.classes.line_there += lookup.held.map_or(0, |_| count(missing));
        self.show(lookup, [compulsory, dropped, capacity, conflict]);
    }

    #[inline(never)]
    fn show(&mut self, lookup: &Lookup, classes: [u8; 4]) {
        if let Some(seen) = &mut self.seen {
            let (hits, line_there) = (lookup.wanted & lookup.held.unwrap_or(0), lookup.held.is_some());
            seen.push(SeenLookup { hits, line_there, classes });
        }
    }

    /// Follows a store that drops its line.
    pub fn drop_line(&mut self, line: u64) {
        self.unlimited.drop_line(line);
        self.associative.drop_line(line);
    }

    /// Follows a store whose sectors stay in the L1.
    pub fn keep(&mut self, line: u64, sectors: u8) {
        self.unlimited.fetch(line, sectors);
        self.associative.load(line, sectors, 0);
    }

    /// The misses since the last call.
    pub fn take(&mut self) -> MissClasses {
        std::mem::take(&mut self.classes)
    }
}

/// Lines whose sectors share an entry of [`UnlimitedCache`], as a power of two.
const GROUP_SHIFT: u32 = 3;

/// Sectors of lines: those that the L1 ever had, and of them those that no store has dropped since.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Known<T> {
    pub ever: T,
    pub held: T,
}

/// A cache without limits, eight lines to an entry: a kernel that streams through memory fetches each line once.
#[derive(Debug, Default)]
pub(crate) struct UnlimitedCache(HashMap<u64, Known<u64>, BuildHasherDefault<LineHasher>>);

impl UnlimitedCache {
    fn shift(line: u64) -> u64 {
        8 * (line & ((1 << GROUP_SHIFT) - 1))
    }

    /// Fetches sectors of a line, and returns what was known of the line before.
    #[inline(never)]
    pub fn fetch(&mut self, line: u64, sectors: u8) -> Known<u8> {
        let shift = Self::shift(line);
        let group = self.0.entry(line >> GROUP_SHIFT).or_default();
        let before = Known { ever: (group.ever >> shift) as u8, held: (group.held >> shift) as u8 };
        let sectors = u64::from(sectors) << shift;
        (group.ever, group.held) = (group.ever | sectors, group.held | sectors);
        before
    }

    fn drop_line(&mut self, line: u64) {
        if let Some(group) = self.0.get_mut(&(line >> GROUP_SHIFT)) {
            group.held &= !(0xff << Self::shift(line));
        }
    }
}

/// No line, in the list of a cache.
const NONE: u32 = u32::MAX;

/// A line of the fully associative cache, and its neighbours in the order of use.
#[derive(Clone, Copy, Debug)]
struct Resident {
    line: u64,
    valid: u8,
    newer: u32,
    older: u32,
}

/// A fully associative LRU cache of lines that are filled in sectors. A lookup takes constant time.
#[derive(Debug)]
struct AssociativeCache {
    capacity: usize,
    lines: Vec<Resident>,
    places: HashMap<u64, u32, BuildHasherDefault<LineHasher>>,
    newest: u32,
    oldest: u32,
}

impl AssociativeCache {
    fn new(capacity: usize) -> Self {
        let capacity = capacity.max(1);
        Self { capacity, lines: Vec::new(), places: HashMap::default(), newest: NONE, oldest: NONE }
    }

    /// Loads sectors of a line, and returns the sectors of it that were there. `whole` is what a miss fetches besides.
    fn load(&mut self, line: u64, wanted: u8, whole: u8) -> u8 {
        let place = match self.lines.get(self.newest as usize) {
            // Neighbouring loads often use the same line.
            Some(newest) if newest.line == line => self.newest,
            _ => self.use_line(line),
        };
        let Some(resident) = self.lines.get_mut(place as usize) else { return 0 };
        let before = resident.valid;
        if wanted & !before != 0 {
            resident.valid |= wanted | whole;
        }
        before
    }

    /// Drops the sectors of a line, and makes its place the next to be used.
    fn drop_line(&mut self, line: u64) {
        let Some(&place) = self.places.get(&line) else { return };
        self.lines[place as usize].valid = 0;
        self.unlink(place);
        let before = std::mem::replace(&mut self.oldest, place);
        match self.lines.get_mut(before as usize) {
            Some(line) => line.older = place,
            None => self.newest = place,
        }
        let this = &mut self.lines[place as usize];
        (this.newer, this.older) = (before, NONE);
    }

    /// Makes a line the newest, and gives up the oldest if there is no room for it.
    fn use_line(&mut self, line: u64) -> u32 {
        if let Some(&place) = self.places.get(&line) {
            self.unlink(place);
            self.link_newest(place);
            return place;
        }
        let fresh = Resident { line, valid: 0, newer: NONE, older: NONE };
        let place = if self.lines.len() < self.capacity {
            self.lines.push(fresh);
            self.lines.len() as u32 - 1
        } else {
            let place = self.oldest;
            self.unlink(place);
            self.places.remove(&self.lines[place as usize].line);
            self.lines[place as usize] = fresh;
            place
        };
        self.places.insert(line, place);
        self.link_newest(place);
        place
    }

    fn unlink(&mut self, place: u32) {
        let Resident { newer, older, .. } = self.lines[place as usize];
        match self.lines.get_mut(newer as usize) {
            Some(line) => line.older = older,
            None => self.newest = older,
        }
        match self.lines.get_mut(older as usize) {
            Some(line) => line.newer = newer,
            None => self.oldest = newer,
        }
    }

    fn link_newest(&mut self, place: u32) {
        let before = std::mem::replace(&mut self.newest, place);
        match self.lines.get_mut(before as usize) {
            Some(line) => line.newer = place,
            None => self.oldest = place,
        }
        let this = &mut self.lines[place as usize];
        (this.newer, this.older) = (NONE, before);
    }
}

/// Spreads line numbers over a table. Addresses of a trace are no attack, so it need not resist one.
#[derive(Debug, Default)]
struct LineHasher(u64);

impl Hasher for LineHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    fn write_u64(&mut self, line: u64) {
        self.0 = crate::sector_cache::hash(self.0 ^ line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sector_cache::{CacheShape, LineIndex, SectorCache};
    use base::Random;
    use gpu::Replacement;
    use std::collections::HashSet;

    /// An L1 with its shadow, as a part has them.
    struct Shadowed {
        l1: SectorCache,
        shadow: Shadow,
        whole: u8,
    }

    impl Shadowed {
        fn new(sets: u32, ways: u32, policy: Replacement, whole: u8) -> Self {
            let l1 = SectorCache::new(CacheShape { sets, ways, index: LineIndex::Modulo, policy }, 1, 0);
            Self { l1, shadow: Shadow::new((sets * ways) as usize), whole }
        }

        /// A store that drops its line.
        fn drop_line(&mut self, line: u64) {
            self.l1.drop_line(line);
            self.shadow.drop_line(line);
        }

        /// A store that the L1 keeps.
        fn keep(&mut self, line: u64, sectors: u8) {
            let place = self.l1.find(line).unwrap_or_else(|| self.l1.allocate(line).0);
            self.l1.write(place, sectors);
            self.shadow.keep(line, sectors);
        }

        /// Loads sectors and returns those that the L1 held, and the classes of the others.
        fn load(&mut self, line: u64, wanted: u8) -> (u8, MissClasses) {
            let place = self.l1.find(line);
            let held = place.map(|place| self.l1.valid(place));
            let fetched = (wanted | self.whole) & !held.unwrap_or(0);
            self.shadow.look_up(&Lookup { line, wanted, held, fetched, whole: self.whole });
            if wanted & !held.unwrap_or(0) != 0 {
                let place = place.unwrap_or_else(|| self.l1.allocate(line).0);
                self.l1.fill(place, fetched, 0);
            }
            (held.unwrap_or(0), self.shadow.take())
        }
    }

    const fn classes(compulsory: u64, capacity: u64, conflict: u64, line_there: u64) -> MissClasses {
        MissClasses { compulsory, capacity, conflict, line_there, dropped: 0 }
    }

    #[test]
    fn hand_worked_classes() {
        // Two sets of one line each: even and odd lines.
        let mut l1 = Shadowed::new(2, 1, Replacement::Lru, 0);
        assert_eq!(l1.load(0, 0b0001).1, classes(1, 0, 0, 0), "the first use");
        assert_eq!(l1.load(0, 0b0011).1, classes(1, 0, 0, 1), "the line is there, its second sector is not");
        assert_eq!(l1.load(0, 0b0011).1, classes(0, 0, 0, 0), "a hit");
        assert_eq!(l1.load(2, 0b0001).1, classes(1, 0, 0, 0));
        assert_eq!(l1.load(0, 0b0011).1, classes(0, 0, 2, 0), "line 2 took its set, the other set was free");
        assert_eq!(l1.load(1, 0b0001).1, classes(1, 0, 0, 0));
        assert_eq!(l1.load(3, 0b0001).1, classes(1, 0, 0, 0));
        assert_eq!(l1.load(2, 0b0001).1, classes(0, 1, 0, 0), "three lines since its use, two have room");
        assert_eq!(l1.load(0, 0b0101).1, classes(1, 1, 0, 0), "sector 0 was used, sector 2 never");
    }

    #[test]
    fn a_miss_that_fetches_whole_lines_makes_their_other_sectors_known() {
        let mut l1 = Shadowed::new(1, 1, Replacement::Lru, 0b1111);
        assert_eq!(l1.load(0, 0b0001).1, classes(1, 0, 0, 0));
        assert_eq!(l1.load(0, 0b1000), (0b1111, classes(0, 0, 0, 0)));
        l1.load(1, 0b0001);
        assert_eq!(l1.load(0, 0b1000).1, classes(0, 1, 0, 0), "never asked for, but fetched");
    }

    #[test]
    fn stores_drop_lines_or_bring_them() {
        let mut l1 = Shadowed::new(1, 2, Replacement::Lru, 0);
        l1.load(0, 0b0011);
        l1.drop_line(0);
        let dropped = MissClasses { compulsory: 1, dropped: 1, ..MissClasses::default() };
        assert_eq!(l1.load(0, 0b0101).1, dropped, "sector 2 was never there");
        assert_eq!(l1.load(0, 0b0101).1, classes(0, 0, 0, 0));
        l1.load(1, 0b0001);
        l1.drop_line(1);
        l1.load(2, 0b0001);
        assert_eq!(l1.load(0, 0b0001).1, classes(0, 0, 0, 0), "line 2 took the place that line 1 left");
        l1.keep(3, 0b0001);
        assert_eq!(l1.load(3, 0b0011).1, classes(1, 0, 0, 1), "the store brought sector 0");
        assert_eq!(l1.load(2, 0b0001).1, classes(0, 1, 0, 0), "and took the place of line 2");
    }

    /// Both caches as a textbook has them: a set, and a list in order of use.
    #[derive(Default)]
    struct Textbook {
        ever: HashSet<(u64, u32)>,
        held: HashSet<(u64, u32)>,
        list: Vec<(u64, HashSet<u32>)>,
    }

    fn bits(mask: u8) -> impl Iterator<Item = u32> {
        (0..8).filter(move |bit| mask >> bit & 1 == 1)
    }

    impl Textbook {
        /// The sectors of a line that the fully associative cache has. The line becomes the newest.
        fn touch(&mut self, lines: usize, line: u64) -> &mut HashSet<u32> {
            let entry = match self.list.iter().position(|entry| entry.0 == line) {
                Some(at) => self.list.remove(at),
                None => (line, HashSet::new()),
            };
            self.list.push(entry);
            if self.list.len() > lines {
                self.list.remove(0);
            }
            &mut self.list.last_mut().unwrap().1
        }

        fn fetch(&mut self, line: u64, sectors: u8) {
            self.ever.extend(bits(sectors).map(|sector| (line, sector)));
            self.held.extend(bits(sectors).map(|sector| (line, sector)));
        }

        fn keep(&mut self, lines: usize, line: u64, sectors: u8) {
            self.touch(lines, line).extend(bits(sectors));
            self.fetch(line, sectors);
        }

        fn drop_line(&mut self, line: u64) {
            self.list.retain(|entry| entry.0 != line);
            self.held.retain(|sector| sector.0 != line);
        }

        fn load(&mut self, lines: usize, line: u64, wanted: u8, held: u8, whole: u8) -> MissClasses {
            let valid = self.touch(lines, line);
            let before = valid.clone();
            if bits(wanted).any(|sector| !valid.contains(&sector)) {
                valid.extend(bits(wanted | whole));
            }
            let mut found = MissClasses::default();
            for sector in bits(wanted & !held) {
                let place = (line, sector);
                *match (self.ever.contains(&place), self.held.contains(&place), before.contains(&sector)) {
                    (false, _, _) => &mut found.compulsory,
                    (true, false, _) => &mut found.dropped,
                    (true, true, false) => &mut found.capacity,
                    (true, true, true) => &mut found.conflict,
                } += 1;
            }
            if wanted & !held != 0 {
                self.fetch(line, wanted | whole);
            }
            found
        }
    }

    #[test]
    fn random_loads_and_stores_have_the_classes_of_a_textbook() {
        let policies = [
            Replacement::Lru,
            Replacement::Fifo,
            Replacement::Random,
            Replacement::TreePlru,
            Replacement::NotRecentlyUsed,
        ];
        for seed in 0..400 {
            let mut random = Random::new(seed);
            let (sets, ways) = (1 + random.below(4) as u32, 1 + random.below(5) as u32);
            let policy = policies[seed as usize % policies.len()];
            let whole = [0, 0b1111][random.below(2) as usize];
            let mut l1 = Shadowed::new(sets, ways, policy, whole);
            let mut textbook = Textbook::default();
            let mut all = MissClasses::default();
            let mut missed = 0;
            let used = 1 + random.below(40);
            for step in 0..400 {
                let (line, wanted) = (random.below(used), 1 + random.below(15) as u8);
                match random.below(12) {
                    0 if seed % 3 == 1 => {
                        l1.drop_line(line);
                        textbook.drop_line(line);
                    }
                    0..=2 if seed % 3 == 2 => {
                        l1.keep(line, wanted);
                        textbook.keep((sets * ways) as usize, line, wanted);
                    }
                    _ => {}
                }
                let (held, mut found) = l1.load(line, wanted);
                missed += u64::from((wanted & !held).count_ones());
                all.add(&found);
                found.line_there = 0;
                let expected = textbook.load((sets * ways) as usize, line, wanted, held, whole);
                assert_eq!(found, expected, "seed {seed}, step {step}");
            }
            assert_eq!(all.all(), missed, "seed {seed}");
            if sets == 1 && policy == Replacement::Lru {
                assert_eq!(all.conflict, 0, "seed {seed}: the L1 is fully associative");
            }
        }
    }
}
