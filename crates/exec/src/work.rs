//! How much a kernel asks of memory, beside the least that the same data would take.
//!
//! In: the blocks of a trace, in one or several parts. Out: [`WorkCounts`]. No cache is modelled here: the counts follow from
//! the addresses alone, so they are equal for all models.

use crate::asked_data::{RecentData, Run};
use crate::coalesce::{uses_l1, ArrayFinder, StoreUse};
use crate::requests::NO_ARRAY;
use crate::touched::Touched;
use trace::{Access, Kind, Site, Space, Trace};

/// No GPU loads more bytes per lane than 16. A file may claim more, which this bounds.
const LANE_BYTES: u64 = 256;

/// What counts as a request, and whose data counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkSettings {
    /// Bytes of a request: a line, or a sector. It is not 0.
    pub unit_bytes: u64,
    /// Lanes of a group share requests as Fermi's L1 coalesces them. Otherwise all lanes of a warp do.
    pub groups: bool,
    /// Loads of textures count too.
    pub textures: bool,
    /// Whether the data of stores counts as touched. Their requests are counted in any case.
    pub stores: StoreUse,
}

/// What instructions of one kind ask for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// Warp instructions.
    pub instructions: u64,
    /// Distinct lines or sectors of each, summed.
    pub requests: u64,
    /// The requests that would do if the bytes of an instruction's lanes lay side by side.
    pub least: u64,
}

/// Data that instructions ask for, in words of four bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AskedWords {
    /// Distinct words of each instruction, summed.
    pub asked: u64,
    /// Distinct words of each block, summed.
    pub by_blocks: u64,
    /// Distinct words of the launch.
    pub distinct: u64,
}

/// The counts of one array, or of all addresses in no array.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ArrayWork {
    /// Of loads and stores.
    pub asked: Asked,
    /// Of loads.
    pub words: AskedWords,
    /// Of atomics.
    pub atomic_words: AskedWords,
}

/// The counts of a launch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkCounts {
    /// Loads.
    pub loads: Asked,
    /// Stores.
    pub stores: Asked,
    /// Atomics. Their least is that of coalescing, as for loads.
    pub atomics: Asked,
    /// Words of loads.
    pub words: AskedWords,
    /// Words of atomics.
    pub atomic_words: AskedWords,
    /// Distinct lines or sectors of the launch.
    pub units: u64,
    /// Distinct lines or sectors of each block, summed.
    pub block_units: u64,
    /// By array of the trace, and at the end of addresses in no array.
    pub arrays: Vec<ArrayWork>,
}

/// Counts the work of a launch.
pub struct WorkCounter {
    settings: WorkSettings,
    counts: WorkCounts,
    words: Touched,
    atomic_words: Touched,
    units: Touched,
    recent: RecentData,
}

/// What an access is to the counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Load,
    Store,
    Atomic,
}

impl WorkCounter {
    /// A counter that has seen nothing.
    pub fn new(settings: WorkSettings) -> Self {
        let recent = RecentData::new(settings);
        let counts = WorkCounts::default();
        let [words, atomic_words, units] = [(); 3].map(|()| Touched::default());
        Self { settings, counts, words, atomic_words, units, recent }
    }

    /// Adds the first `limit` blocks of a trace. The parts of a launch have the same arrays.
    pub fn add(&mut self, trace: &Trace, limit: usize) {
        let mut arrays = ArrayFinder::new(trace);
        self.counts.arrays.resize(trace.arrays.len() + 1, ArrayWork::default());
        for block in trace.blocks.iter().take(limit) {
            [&mut self.words, &mut self.atomic_words, &mut self.units].into_iter().for_each(Touched::begin_block);
            for warp in &trace.warps[block.warps.start as usize..block.warps.end as usize] {
                for access in trace.accesses(warp) {
                    let site = &trace.sites[access.site as usize];
                    let Some(role) = self.role(site).filter(|_| access.mask != 0) else { continue };
                    let array = arrays.find_array(access.first_address());
                    let last = trace.arrays.len();
                    self.add_access(&access, site, role, if array == NO_ARRAY { last } else { usize::from(array) });
                }
            }
        }
    }

    /// The counts so far.
    pub fn counts(&self) -> &WorkCounts {
        &self.counts
    }

    fn role(&self, site: &Site) -> Option<Role> {
        let global = uses_l1(site, StoreUse::Include);
        match site.kind {
            Kind::Load => (global || self.settings.textures && site.space == Space::Texture).then_some(Role::Load),
            Kind::Store => global.then_some(Role::Store),
            Kind::Atomic => (site.space == Space::Global).then_some(Role::Atomic),
        }
    }

    fn add_access(&mut self, access: &Access<'_>, site: &Site, role: Role, array: usize) {
        let bytes = u64::from(site.bytes).clamp(1, LANE_BYTES);
        let found = self.recent.of(access, bytes);
        let asked = &found.data.asked;
        let row = &mut self.counts.arrays[array];
        match role {
            Role::Load => self.counts.loads.add(asked),
            Role::Store => self.counts.stores.add(asked),
            Role::Atomic => self.counts.atomics.add(asked),
        }
        if role != Role::Atomic {
            row.asked.add(asked);
        }
        if role == Role::Load || role == Role::Store && self.settings.stores == StoreUse::Include {
            let units = touch(&mut self.units, &found.data.units, found.units);
            self.counts.block_units += units.by_blocks;
            self.counts.units += units.distinct;
        }
        let (touched, all, of_array) = match role {
            Role::Store => return,
            Role::Load => (&mut self.words, &mut self.counts.words, &mut row.words),
            Role::Atomic => (&mut self.atomic_words, &mut self.counts.atomic_words, &mut row.atomic_words),
        };
        let words = touch(touched, &found.data.words, found.words);
        all.add(&words);
        of_array.add(&words);
    }
}

/// Touches runs that are shifted by as many numbers.
fn touch(touched: &mut Touched, runs: &[Run], shift: u64) -> AskedWords {
    let mut sum = AskedWords::default();
    for &(first, last) in runs {
        let (by_blocks, distinct) = touched.touch(first.wrapping_add(shift), last.wrapping_add(shift));
        sum.add(&AskedWords { asked: last - first + 1, by_blocks, distinct });
    }
    sum
}

impl Asked {
    fn add(&mut self, other: &Self) {
        self.instructions += other.instructions;
        self.requests += other.requests;
        self.least += other.least;
    }
}

impl AskedWords {
    fn add(&mut self, other: &Self) {
        self.asked += other.asked;
        self.by_blocks += other.by_blocks;
        self.distinct += other.distinct;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trace::{Dim3, Launch, TraceBuilder};

    const SECTORS: WorkSettings =
        WorkSettings { unit_bytes: 32, groups: false, textures: true, stores: StoreUse::Ignore };
    const LINES: WorkSettings =
        WorkSettings { unit_bytes: 128, groups: true, textures: false, stores: StoreUse::Ignore };

    /// A trace with one warp per block. Each list has the addresses of the lanes of an instruction.
    fn counts(settings: WorkSettings, kind: Kind, bytes: u16, blocks: &[&[Vec<u64>]]) -> WorkCounts {
        let grid = Dim3::new(blocks.len() as u32, 1, 1);
        let launch = Launch { grid, block: Dim3::new(32, 1, 1), shared_bytes: 0, registers: 0 };
        let mut builder = TraceBuilder::new("k", launch);
        let site = Site { pc: 0, opcode: "".into(), source_line: None, space: Space::Global, kind, bytes };
        let site = builder.intern_site(site);
        for (number, block) in blocks.iter().enumerate() {
            builder.begin_block(Dim3::new(number as u32, 0, 0));
            builder.begin_warp(0);
            for lanes in *block {
                builder.add_access(site, u32::MAX >> (32 - lanes.len()), lanes);
            }
        }
        let mut counter = WorkCounter::new(settings);
        counter.add(&builder.finish(), usize::MAX);
        counter.counts().clone()
    }

    fn lanes(stride: u64) -> Vec<u64> {
        (0..32).map(|lane| 0x1_0000 + lane * stride).collect()
    }

    fn asked(settings: WorkSettings, bytes: u16, stride: u64) -> (u64, u64) {
        let loads = counts(settings, Kind::Load, bytes, &[&[lanes(stride)]]).loads;
        assert_eq!(loads.instructions, 1);
        (loads.requests, loads.least)
    }

    #[test]
    fn requests_of_a_load_and_the_least() {
        assert_eq!([4, 8, 128].map(|stride| asked(SECTORS, 4, stride)), [(4, 4), (8, 4), (32, 4)]);
        assert_eq!([4, 8, 128].map(|stride| asked(LINES, 4, stride)), [(1, 1), (2, 1), (32, 1)]);
        // All lanes share a word: no request can be spared.
        assert_eq!((asked(SECTORS, 4, 0), asked(LINES, 4, 0)), ((1, 1), (1, 1)));
        // Half and quarter warps have requests of their own in the L1 of Fermi.
        assert_eq!((asked(LINES, 8, 8), asked(LINES, 16, 16)), ((2, 2), (4, 4)));
        let shifted: Vec<u64> = lanes(4).iter().map(|address| address + 20).collect();
        let loads = counts(LINES, Kind::Load, 4, &[&[shifted]]).loads;
        assert_eq!((loads.requests, loads.least), (2, 1));
        let backwards: Vec<u64> = lanes(4).into_iter().rev().collect();
        assert_eq!(counts(SECTORS, Kind::Load, 4, &[&[backwards]]).loads.requests, 4);
    }

    #[test]
    fn an_access_that_comes_back_elsewhere_is_counted_there() {
        // Up and down by whole lines, by words, and to addresses where a shift would wrap around.
        let places = [0x1_0000u64, 0x1_0080, 0x1_0084, 0x1_0000, 0xff80, 0, 4, u64::MAX - 0xfff, 0x1_0080];
        for (settings, stride) in [(SECTORS, 4), (LINES, 20), (SECTORS, 132), (LINES, 0)] {
            let at = |place: u64| (0..32).map(|lane| place.saturating_add(lane * stride)).collect::<Vec<_>>();
            let together = counts(settings, Kind::Load, 4, &[&places.map(at)[..]]);
            let each = places.map(|place| counts(settings, Kind::Load, 4, &[&[at(place)]]));
            let sum = |part: fn(&WorkCounts) -> u64| each.iter().map(part).sum::<u64>();
            assert_eq!(together.loads.requests, sum(|one| one.loads.requests), "{stride}");
            assert_eq!(together.loads.least, sum(|one| one.loads.least), "{stride}");
            assert_eq!(together.words.asked, sum(|one| one.words.asked), "{stride}");
            let distinct = |bytes: u64| {
                let all = places.into_iter().flat_map(at);
                all.map(|address| address / bytes).collect::<std::collections::BTreeSet<_>>().len() as u64
            };
            assert_eq!(together.words.distinct, distinct(4), "{stride}");
            assert_eq!(together.units, distinct(settings.unit_bytes), "{stride}");
        }
    }

    #[test]
    fn words_tell_reuse_in_a_block_from_reuse_by_blocks() {
        let once = counts(SECTORS, Kind::Load, 4, &[&[lanes(4)]]);
        assert_eq!(once.words, AskedWords { asked: 32, by_blocks: 32, distinct: 32 });
        assert_eq!((once.block_units, once.units), (4, 4));
        let again = counts(SECTORS, Kind::Load, 4, &[&[lanes(4), lanes(4), lanes(0)]]);
        assert_eq!(again.words, AskedWords { asked: 65, by_blocks: 32, distinct: 32 });
        let two = counts(SECTORS, Kind::Load, 4, &[&[lanes(4)], &[lanes(4)]]);
        assert_eq!(two.words, AskedWords { asked: 64, by_blocks: 64, distinct: 32 });
        assert_eq!((two.block_units, two.units), (8, 4));
        assert_eq!(two.arrays.iter().map(|array| array.words.asked).sum::<u64>(), 64);
    }

    #[test]
    fn stores_touch_only_where_the_cache_sees_them_and_atomics_stand_apart() {
        let stores = counts(SECTORS, Kind::Store, 4, &[&[lanes(128)]]);
        assert_eq!((stores.stores.requests, stores.stores.least, stores.loads.requests), (32, 4, 0));
        assert_eq!((stores.units, stores.words.asked), (0, 0));
        let seen = WorkSettings { stores: StoreUse::Include, ..SECTORS };
        assert_eq!(counts(seen, Kind::Store, 4, &[&[lanes(128)]]).units, 32);
        let atomics = counts(SECTORS, Kind::Atomic, 4, &[&[lanes(0), lanes(0)]]);
        assert_eq!((atomics.atomics.requests, atomics.loads.requests, atomics.units), (2, 0, 0));
        assert_eq!(atomics.atomic_words, AskedWords { asked: 2, by_blocks: 1, distinct: 1 });
    }

    #[test]
    fn extreme_addresses_and_sizes_are_bounded() {
        let high = counts(SECTORS, Kind::Load, u16::MAX, &[&[vec![u64::MAX; 32]]]);
        assert_eq!((high.loads.requests, high.words.distinct), (1, 1));
        let wide = counts(SECTORS, Kind::Load, u16::MAX, &[&[vec![0; 32]]]);
        assert_eq!((wide.loads.requests, wide.words.distinct), (8, 64));
    }
}
