//! The memory side of the simulated GPU: L2 slices, and DRAM channels with FR-FCFS scheduling.

/// Configuration of the memory side. Times are in cycles of the SM clock.
#[derive(Clone, Debug)]
pub struct MemoryConfig {
    pub slices: usize,
    pub l2_lines_per_slice: usize,
    /// Time from an SM's port to the slice and back, without queues.
    pub l2_cycles: u64,
    pub channels: usize,
    pub banks: usize,
    pub row_lines: u64,
    pub rcd: u64,
    pub rp: u64,
    pub cl: u64,
    pub rc: u64,
    /// Bus time of a 32-byte sector, in 1/16 cycles.
    pub sector_16ths: u64,
    pub refresh_every: u64,
    pub refresh: u64,
    /// Time to the chips and back, in addition to the time of the bank.
    pub pipeline: u64,
}

/// A cache of LRU sets with sectors and dirty bits. Each set holds `(line, valid, dirty)`, most recent first.
#[derive(Clone, Debug)]
pub struct SetCache {
    sets: Vec<Vec<(u64, u8, u8)>>,
    ways: usize,
}

impl SetCache {
    pub fn new(lines: usize, ways: usize) -> Self {
        let ways = ways.min(lines.max(1));
        Self { sets: vec![Vec::new(); (lines / ways).max(1)], ways }
    }

    /// Touches a line. Returns the missing bits of `sectors` and the line and sectors of a dirty victim. With `fill`,
    /// the missing sectors become valid.
    pub fn touch(&mut self, line: u64, sectors: u8, fill: bool, dirty: bool) -> (u8, Option<(u64, u8)>) {
        let count = self.sets.len() as u64;
        // A cheap hash keeps power-of-two strides apart, as hardware does.
        let set = &mut self.sets[((line ^ (line / count) ^ (line / count / count)) % count) as usize];
        let mark = if dirty { sectors } else { 0 };
        if let Some(at) = set.iter().position(|entry| entry.0 == line) {
            let mut entry = set.remove(at);
            let missing = sectors & !entry.1;
            if fill {
                entry.1 |= sectors;
            }
            entry.2 |= mark;
            set.insert(0, entry);
            return (missing, None);
        }
        if !fill {
            return (sectors, None);
        }
        set.insert(0, (line, sectors, mark));
        let victim = if set.len() > self.ways { set.pop() } else { None };
        (sectors, victim.filter(|v| v.2 != 0).map(|v| (v.0, v.2)))
    }
}

#[derive(Clone, Debug)]
pub struct Waiting {
    pub line: u64,
    pub sectors: u8,
    /// The requester that waits for the line; none for a write.
    pub reply: Option<u32>,
    pub arrived: u64,
}

#[derive(Clone, Debug, Default)]
struct DramBank {
    row: Option<u64>,
    ready: u64,
    activated: Option<u64>,
}

/// A DRAM channel.
#[derive(Clone, Debug)]
pub struct Channel {
    queue: Vec<Waiting>,
    banks: Vec<DramBank>,
    bus_16ths: u64,
    refreshed: u64,
    pub row_hits: u64,
    pub row_others: u64,
}

impl Channel {
    pub fn new(config: &MemoryConfig) -> Self {
        Self {
            queue: Vec::new(),
            banks: vec![DramBank::default(); config.banks],
            bus_16ths: 0,
            refreshed: 0,
            row_hits: 0,
            row_others: 0,
        }
    }

    pub fn push(&mut self, request: Waiting) {
        self.queue.push(request);
    }

    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    fn place(config: &MemoryConfig, line: u64) -> (usize, u64) {
        let local = line / 2 / config.channels as u64 * 2 + line % 2;
        let row = local / config.row_lines;
        ((row ^ (row / config.banks as u64)) as usize % config.banks, row / config.banks as u64)
    }

    /// Serves one request if a bank is ready, a row hit first and otherwise the oldest request. Returns the request
    /// with the time of its data, and the time of the next decision.
    pub fn decide(&mut self, config: &MemoryConfig, now: u64) -> (Option<(Waiting, u64)>, Option<u64>) {
        if self.queue.is_empty() {
            return (None, None);
        }
        if now >= self.refreshed + config.refresh_every {
            self.refreshed = now;
            for bank in &mut self.banks {
                (bank.row, bank.ready) = (None, bank.ready.max(now + config.refresh));
            }
        }
        let mut choice: Option<(bool, usize)> = None;
        let mut soonest = u64::MAX;
        for (i, request) in self.queue.iter().enumerate() {
            let (bank, row) = Self::place(config, request.line);
            let open = self.banks[bank].row == Some(row);
            // A bank opens another row at the earliest one row cycle after the last one.
            let ready = match open {
                true => self.banks[bank].ready,
                false => self.banks[bank].ready.max(self.banks[bank].activated.map_or(0, |then| then + config.rc)),
            };
            soonest = soonest.min(ready);
            if ready <= now && choice.is_none_or(|(best, _)| open && !best) {
                choice = Some((open, i));
            }
        }
        let Some((open, i)) = choice else { return (None, Some(soonest.max(now + 1))) };
        let request = self.queue.remove(i);
        let (number, row) = Self::place(config, request.line);
        let bank = &mut self.banks[number];
        let mut data = now + config.cl;
        if open {
            self.row_hits += 1;
        } else {
            self.row_others += 1;
            data += config.rcd + if bank.row.is_some() { config.rp } else { 0 };
            (bank.row, bank.activated) = (Some(row), Some(now));
        }
        let begin = (data * 16).max(self.bus_16ths);
        self.bus_16ths = begin + u64::from(request.sectors.count_ones()) * config.sector_16ths;
        let done = self.bus_16ths.div_ceil(16);
        bank.ready = done.saturating_sub(config.cl).max(now + 1);
        let again = (!self.queue.is_empty()).then_some(now + 1);
        (Some((request, done + config.pipeline)), again)
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    pub fn config() -> MemoryConfig {
        MemoryConfig {
            slices: 2,
            l2_lines_per_slice: 64,
            l2_cycles: 100,
            channels: 1,
            banks: 4,
            row_lines: 16,
            rcd: 10,
            rp: 11,
            cl: 12,
            rc: 40,
            sector_16ths: 16,
            refresh_every: 1 << 40,
            refresh: 100,
            pipeline: 0,
        }
    }

    fn request(line: u64) -> Waiting {
        Waiting { line, sectors: 0xf, reply: Some(line as u32), arrived: 0 }
    }

    #[test]
    fn a_closed_row_an_open_row_and_a_conflict_take_what_they_should() {
        let config = config();
        let mut channel = Channel::new(&config);
        channel.push(request(0));
        let (served, _) = channel.decide(&config, 1000);
        // Activate 10, column 12, four sectors 4.
        assert_eq!(served.map(|s| s.1), Some(1026));
        channel.push(request(1));
        let (served, _) = channel.decide(&config, 2000);
        assert_eq!(served.map(|s| s.1), Some(2016));
        channel.push(request(16 * 4));
        let (served, _) = channel.decide(&config, 3000);
        // The hash of the bank moves row 4 to bank 1, which is closed.
        assert_eq!(served.map(|s| s.1), Some(3026));
        channel.push(request(16 * 5));
        let (served, _) = channel.decide(&config, 4000);
        // Row 5 is in bank 0 again (5 ^ 1 = 4), and the precharge adds 11.
        assert_eq!(served.map(|s| s.1), Some(4037));
        assert_eq!((channel.row_hits, channel.row_others), (1, 3));
    }

    #[test]
    fn a_row_hit_overtakes_and_the_row_cycle_is_kept() {
        let config = config();
        let mut channel = Channel::new(&config);
        channel.push(request(0));
        channel.decide(&config, 0);
        channel.push(request(16 * 5));
        channel.push(request(1));
        // At 20 the bank is ready, but another row must wait until 40.
        let (served, again) = channel.decide(&config, 20);
        assert_eq!((served.map(|s| s.0.line), again), (Some(1), Some(21)));
        let (served, again) = channel.decide(&config, 25);
        assert!(served.is_none());
        assert_eq!(again, Some(40));
        let (served, _) = channel.decide(&config, 40);
        assert_eq!(served.map(|s| s.0.line), Some(80));
    }

    #[test]
    fn refresh_closes_rows() {
        let config = MemoryConfig { refresh_every: 500, ..config() };
        let mut channel = Channel::new(&config);
        channel.push(request(0));
        channel.decide(&config, 10);
        channel.push(request(1));
        let (served, again) = channel.decide(&config, 600);
        assert!(served.is_none());
        assert_eq!(again, Some(700));
        let (served, _) = channel.decide(&config, 700);
        assert_eq!(served.map(|s| s.1), Some(726));
    }

    #[test]
    fn dirty_lines_come_back_when_they_leave() {
        let mut cache = SetCache::new(1, 1);
        assert_eq!(cache.touch(1, 0b11, true, true), (0b11, None));
        assert_eq!(cache.touch(1, 0b01, true, false), (0, None));
        assert_eq!(cache.touch(2, 1, true, false), (1, Some((1, 0b11))));
        assert_eq!(cache.touch(3, 1, true, false), (1, None));
    }
}
