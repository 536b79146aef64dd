//! What an access asks for.
//!
//! In: the accesses of a trace. Out: their requests, and their data as runs of neighbours.

use crate::coalesce::{group_lanes, line_finder};
use crate::recent::{Found, RecentAccesses};
use crate::work::{Asked, WorkSettings};
use trace::{Access, WARP_LANES};

/// Bytes of a word, the grain in which data is told apart.
pub(crate) const WORD: u64 = 4;

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

/// The data of recent accesses.
pub(crate) struct RecentData {
    settings: WorkSettings,
    recent: RecentAccesses<AskedData>,
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
        // Places in words are told apart too.
        let period = if unit % WORD == 0 { unit } else { unit.saturating_mul(WORD) };
        let recent = RecentAccesses::new(period);
        Self { settings, recent, list: Vec::with_capacity(64), all_units: Vec::with_capacity(64) }
    }

    /// The data of an access whose lanes ask for `bytes` each.
    #[inline]
    pub fn of(&mut self, access: &Access<'_>, bytes: u64) -> Shifted<'_> {
        let found = self.recent.find(access, bytes);
        if !found.known {
            self.compute(found, access, bytes);
        }
        let (data, shift) = self.recent.data(found, access.first_address());
        let unit = self.settings.unit_bytes;
        let units = if unit.is_power_of_two() { shift >> unit.trailing_zeros() } else { shift / unit as i64 };
        Shifted { data, words: (shift / WORD as i64) as u64, units: units as u64 }
    }

    #[cold]
    fn compute(&mut self, found: Found, access: &Access<'_>, bytes: u64) {
        let mut addresses = [0; WARP_LANES];
        let addresses = {
            let lanes = access.addresses(&mut addresses);
            &addresses[..lanes]
        };
        let asked = self.list_units(addresses, access.mask, bytes);
        let data = self.recent.remember(found, access, addresses, bytes);
        data.asked = asked;
        runs_of(&self.all_units, &mut data.units);
        self.list.clear();
        for &address in addresses {
            push_range(&mut self.list, address / WORD, address.saturating_add(bytes - 1) / WORD);
        }
        in_order(&mut self.list);
        runs_of(&self.list, &mut data.words);
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
