//! Row buffers, with one open row per bank, and the time that a request to a bank takes.

use crate::mapping::DramAddress;

/// State of the row buffer that a request finds (Huang & Li, III-C2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowEvent {
    /// The row of the request is open.
    Hit,
    /// No row is open.
    Miss,
    /// Another row is open and must be written back first.
    Conflict,
}

/// Numbers of row events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RowCounts {
    /// Requests to the open row.
    pub hits: u64,
    /// Requests to a bank without an open row.
    pub misses: u64,
    /// Requests to a bank with another open row.
    pub conflicts: u64,
}

impl RowCounts {
    /// Counts one event.
    pub fn add(&mut self, event: RowEvent) {
        match event {
            RowEvent::Hit => self.hits += 1,
            RowEvent::Miss => self.misses += 1,
            RowEvent::Conflict => self.conflicts += 1,
        }
    }

    /// Number of all requests.
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

    /// Opens the requested row and returns the state that the request found.
    pub fn access(&mut self, address: DramAddress) -> RowEvent {
        let Some(open) = self.open.get_mut(address.bank as usize) else { return RowEvent::Miss };
        match open.replace(address.row) {
            None => RowEvent::Miss,
            Some(row) if row == address.row => RowEvent::Hit,
            Some(_) => RowEvent::Conflict,
        }
    }

    /// Closes all rows, as a refresh does.
    pub fn precharge_all(&mut self) {
        self.open.fill(None);
    }
}

/// Times of a request by row event, in ns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// Latency of a request to an idle memory, for a hit, a miss and a conflict.
    pub latency_ns: [f64; 3],
    /// Time during which the bank is busy, for a hit, a miss and a conflict.
    pub occupancy_ns: [f64; 3],
}

impl Timing {
    /// The times of Kepler. Huang & Li measured the latencies of 352, 742 and 1008 ns on a Tesla K80. Their
    /// differences are far above DRAM timings (about 11 ns for tRCD or tRP), so they can include TLB misses. The
    /// occupancies are those of GPGPU-Sim's GDDR5 at 1502 MHz: 128 bytes take two bursts of two clocks, a row cycle
    /// takes 52 clocks, and a miss saves the precharge of 16 clocks.
    pub fn kepler() -> Self {
        Self { latency_ns: [352.0, 742.0, 1008.0], occupancy_ns: [2.7, 24.0, 34.6] }
    }

    /// The times of a memory whose idle latency is `latency_ns`. `hit_ns` is the transfer time of a line and `row_ns`
    /// the row cycle. A miss takes seven tenths of the row cycle.
    pub fn from_latency(latency_ns: f64, hit_ns: f64, row_ns: f64) -> Self {
        let occupancy_ns = [hit_ns, 0.7 * row_ns, row_ns];
        Self { latency_ns: occupancy_ns.map(|extra| latency_ns + extra - hit_ns), occupancy_ns }
    }

    /// Index of an event in [`Timing::latency_ns`] and [`Timing::occupancy_ns`].
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
        let mut check = |bank, row, expected| assert_eq!(rows.access(DramAddress { bank, row }), expected);
        check(0, 7, RowEvent::Miss);
        check(0, 7, RowEvent::Hit);
        check(1, 7, RowEvent::Miss);
        check(0, 8, RowEvent::Conflict);
        check(0, 7, RowEvent::Conflict);
        rows.precharge_all();
        assert_eq!(rows.access(DramAddress { bank: 0, row: 7 }), RowEvent::Miss);
    }
}
