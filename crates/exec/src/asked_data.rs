//! What an access asks for, computed anew only where it changes.
//!
//! Loops repeat one access with other first addresses. Its lanes then ask for the same words, and for the same lines or
//! sectors, shifted by as much, if the first address lies at the same place of its line or sector.
//!
//! In: the accesses of a trace. Out: their requests, and their data as runs of neighbours.

use crate::coalesce::{group_lanes, line_finder};
use crate::work::{Asked, WorkSettings};
use trace::{Access, Shape, WARP_LANES};

/// Bytes of a word, the grain in which data is told apart.
pub(crate) const WORD: u64 = 4;

/// Accesses that are remembered. A loop has few, each at few places of its lines.
const ENTRIES: usize = 256;
/// The number of no site.
const NO_SITE: u32 = u32::MAX;
/// Addresses from here on may wrap around or saturate when they are shifted, so they are computed each time.
const SHIFTED_BELOW: u64 = 1 << 63;

/// Neighbouring numbers, from the first to the last.
pub(crate) type Run = (u64, u64);

/// What one access asks for.
#[derive(Default)]
pub(crate) struct AskedData {
    pub asked: Asked,
    /// The distinct words.
    pub words: Vec<Run>,
    /// The distinct lines or sectors.
    pub units: Vec<Run>,
}

struct Entry {
    site: u32,
    shape: Shape,
    first: u64,
    /// Bytes from the lowest address to the first, and from the first to the end of the highest.
    below: u64,
    above: u64,
    data: AskedData,
}

/// The data of recent accesses of one trace.
pub(crate) struct RecentData {
    settings: WorkSettings,
    /// Shifts by multiples of this keep every place in a line and in a word.
    period: u64,
    entries: Vec<Entry>,
    /// Units of a group of lanes, or words, while they are listed.
    list: Vec<u64>,
    all_units: Vec<u64>,
}

/// The data of an access: its runs are this many words and units behind those of the list.
pub(crate) struct Shifted<'a> {
    pub data: &'a AskedData,
    pub words: u64,
    pub units: u64,
}

impl RecentData {
    pub fn new(settings: WorkSettings) -> Self {
        let unit = settings.unit_bytes;
        let period = if unit % WORD == 0 { unit } else { unit.saturating_mul(WORD) };
        Self { settings, period, entries: Vec::new(), list: Vec::with_capacity(64), all_units: Vec::with_capacity(64) }
    }

    /// Forgets everything, because another trace numbers its sites anew.
    pub fn begin_trace(&mut self) {
        let none = || Entry {
            site: NO_SITE,
            shape: Shape::default(),
            first: 0,
            below: 0,
            above: 0,
            data: AskedData::default(),
        };
        self.entries.clear();
        self.entries.resize_with(ENTRIES, none);
    }

    /// The data of an access whose lanes ask for `bytes` each.
    pub fn of(&mut self, access: &Access<'_>, bytes: u64) -> Shifted<'_> {
        let first = access.first_address();
        let slot = self.slot(access, first);
        if !self.fits(slot, access, first) {
            self.compute(slot, access, bytes);
        }
        let entry = &self.entries[slot];
        let shift = first.wrapping_sub(entry.first) as i64;
        let by = |grain: u64| (shift / grain as i64) as u64;
        Shifted { data: &entry.data, words: by(WORD), units: by(self.settings.unit_bytes) }
    }

    /// Where an access is remembered: by its instruction, its place in a line or sector, and its lanes.
    #[inline]
    fn slot(&self, access: &Access<'_>, first: u64) -> usize {
        let period = self.period;
        let within = if period.is_power_of_two() { first & (period - 1) } else { first % period };
        let place = within / WORD + u64::from(access.site) * (period / WORD).max(1);
        let lanes = u64::from(!access.mask).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        (place ^ lanes) as usize % ENTRIES
    }

    fn fits(&self, slot: usize, access: &Access<'_>, first: u64) -> bool {
        let entry = &self.entries[slot];
        let apart = first.wrapping_sub(entry.first);
        let periodic = if self.period.is_power_of_two() {
            apart & (self.period - 1) == 0
        } else {
            first % self.period == entry.first % self.period
        };
        entry.site == access.site
            && periodic
            && entry.below <= first
            && first.checked_add(entry.above).is_some_and(|end| end <= SHIFTED_BELOW)
            && entry.shape.is_of(access)
    }

    fn compute(&mut self, slot: usize, access: &Access<'_>, bytes: u64) {
        let mut addresses = [0; WARP_LANES];
        let addresses = {
            let lanes = access.addresses(&mut addresses);
            &addresses[..lanes]
        };
        self.entries[slot].data.asked = self.list_units(addresses, access.mask, bytes);
        let entry = &mut self.entries[slot];
        runs_of(&self.all_units, &mut entry.data.units);
        self.list.clear();
        for &address in addresses {
            push_range(&mut self.list, address / WORD, address.saturating_add(bytes - 1) / WORD);
        }
        in_order(&mut self.list);
        runs_of(&self.list, &mut entry.data.words);

        let first = access.first_address();
        let lowest = addresses.iter().copied().min().unwrap_or(first);
        let end = addresses.iter().copied().max().unwrap_or(first).saturating_add(bytes);
        entry.shape.take(access);
        entry.first = first;
        (entry.below, entry.above) = (first.saturating_sub(lowest), end.saturating_sub(first));
        entry.site = if end <= SHIFTED_BELOW { access.site } else { NO_SITE };
    }

    /// Lists the units of an access, and counts its requests group by group.
    fn list_units(&mut self, addresses: &[u64], mask: u32, bytes: u64) -> Asked {
        let unit_of = line_finder(self.settings.unit_bytes);
        let lanes_of_group = if self.settings.groups { group_lanes(bytes as u16) } else { 32 };
        let mut asked = Asked { instructions: 1, ..Asked::default() };
        let mut rest = addresses;
        self.all_units.clear();
        for first in (0..32).step_by(lanes_of_group as usize) {
            let group = mask >> first & (u32::MAX >> (32 - lanes_of_group));
            let (mine, others) = rest.split_at((group.count_ones() as usize).min(rest.len()));
            rest = others;
            self.list.clear();
            for &address in mine {
                push_range(&mut self.list, unit_of(address), unit_of(address.saturating_add(bytes - 1)));
            }
            in_order(&mut self.list);
            let requests = self.list.len() as u64;
            asked.requests += requests;
            asked.least += (mine.len() as u64 * bytes).div_ceil(self.settings.unit_bytes).min(requests);
            self.all_units.extend_from_slice(&self.list);
        }
        in_order(&mut self.all_units);
        asked
    }
}

/// Adds the numbers of a range, except those that repeat the one before.
fn push_range(list: &mut Vec<u64>, first: u64, last: u64) {
    for number in first..=last {
        if list.last() != Some(&number) {
            list.push(number);
        }
    }
}

/// Sorts a list and drops what stands twice. Most lists are in order already.
fn in_order(list: &mut Vec<u64>) {
    if !list.is_sorted_by(|a, b| a < b) {
        list.sort_unstable();
        list.dedup();
    }
}

/// Turns ascending numbers into runs.
fn runs_of(ascending: &[u64], runs: &mut Vec<Run>) {
    runs.clear();
    for &number in ascending {
        match runs.last_mut() {
            Some((_, last)) if number - 1 == *last => *last = number,
            _ => runs.push((number, number)),
        }
    }
}
