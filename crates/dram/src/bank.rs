//! Row buffers: one open row per bank, and what a request to it costs.

use crate::mapping::Place;

/// What a request finds in its bank (Huang & Li, III-C2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowEvent {
    /// Its row is open.
    Hit,
    /// No row is open.
    Miss,
    /// Another row is open and has to be written back first.
    Conflict,
}

/// How often each happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RowCounts {
    /// Row was open.
    pub hits: u64,
    /// No row was open.
    pub misses: u64,
    /// Another row was open.
    pub conflicts: u64,
}

impl RowCounts {
    /// Counts one more.
    pub fn add(&mut self, event: RowEvent) {
        match event {
            RowEvent::Hit => self.hits += 1,
            RowEvent::Miss => self.misses += 1,
            RowEvent::Conflict => self.conflicts += 1,
        }
    }

    /// All requests.
    pub fn total(&self) -> u64 {
        self.hits + self.misses + self.conflicts
    }
}

/// The open row of every bank.
#[derive(Clone, Debug)]
pub struct RowBuffers {
    open: Vec<Option<u64>>,
}

impl RowBuffers {
    /// `banks` banks without an open row.
    pub fn new(banks: u32) -> Self {
        Self { open: vec![None; banks as usize] }
    }

    /// Opens the row of `place` and says what was there.
    pub fn access(&mut self, place: Place) -> RowEvent {
        let Some(open) = self.open.get_mut(place.bank as usize) else { return RowEvent::Miss };
        match open.replace(place.row) {
            None => RowEvent::Miss,
            Some(row) if row == place.row => RowEvent::Hit,
            Some(_) => RowEvent::Conflict,
        }
    }

    /// Closes all rows, as a refresh does.
    pub fn precharge_all(&mut self) {
        self.open.fill(None);
    }
}

/// What a request costs, in ns, by row event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// Latency that a lone request sees: hit, miss, conflict.
    pub latency_ns: [f64; 3],
    /// Time for which the bank is taken: hit, miss, conflict.
    pub occupancy_ns: [f64; 3],
}

impl Timing {
    /// Kepler. Latencies: 352, 742 and 1008 ns as Huang & Li measured on a Tesla K80; the differences are far above what DRAM
    /// does (about 11 ns for tRCD or tRP), TLB misses may be among them. Occupancies: GPGPU-Sim's GDDR5 at 1502 MHz: two
    /// bursts of two clocks for 128 bytes, row cycle 52 clocks; a miss saves the precharge, 16 clocks.
    pub fn kepler() -> Self {
        Self { latency_ns: [352.0, 742.0, 1008.0], occupancy_ns: [2.7, 24.0, 34.6] }
    }

    /// A memory whose lone request takes `latency_ns`, with the occupancies that `hit_ns` (transfer of a line) and `row_ns`
    /// (row cycle) give; a miss takes seven tenths of the row cycle.
    pub fn of(latency_ns: f64, hit_ns: f64, row_ns: f64) -> Self {
        let occupancy_ns = [hit_ns, 0.7 * row_ns, row_ns];
        Self { latency_ns: occupancy_ns.map(|extra| latency_ns + extra - hit_ns), occupancy_ns }
    }

    /// Entry of [`Timing::latency_ns`] or [`Timing::occupancy_ns`] for an event.
    pub fn index(event: RowEvent) -> usize {
        match event {
            RowEvent::Hit => 0,
            RowEvent::Miss => 1,
            RowEvent::Conflict => 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_open_conflict_and_close() {
        let mut rows = RowBuffers::new(2);
        let mut check = |bank, row, expected| assert_eq!(rows.access(Place { bank, row }), expected);
        check(0, 7, RowEvent::Miss);
        check(0, 7, RowEvent::Hit);
        check(1, 7, RowEvent::Miss);
        check(0, 8, RowEvent::Conflict);
        check(0, 7, RowEvent::Conflict);
        rows.precharge_all();
        assert_eq!(rows.access(Place { bank: 0, row: 7 }), RowEvent::Miss);
    }
}
