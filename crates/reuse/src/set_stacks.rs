//! Reuse distances inside the sets of a cache with few ways.
//!
//! In: line numbers in order of the accesses. Out: the hits for every associativity, from one pass, because an LRU
//! cache contains all lines of a smaller one (Mattson et al. 1970). Each set has a short list of tags, most recent
//! first. With more than 32 ways [`crate::LruStacks`] is faster.

/// Most ways, and so the length of the longest list.
const MOST_WAYS: usize = 32;

/// The move-to-front lists of all sets. Line `l` is in set `l mod sets`.
#[derive(Clone, Debug)]
pub struct SetStacks {
    sets: u64,
    ways: usize,
    tags: Vec<u64>,
    filled: Vec<u8>,
    /// For each position in a list, the number of accesses that found their line there.
    found: [u64; MOST_WAYS],
    accesses: u64,
}

impl SetStacks {
    /// Empty lists. `sets` is raised to 1 if it is 0, and `ways` is limited to 1 to 32.
    pub fn new(sets: usize, ways: usize) -> Self {
        let (sets, ways) = (sets.max(1), ways.clamp(1, MOST_WAYS));
        Self {
            sets: sets as u64,
            ways,
            tags: vec![0; sets * ways],
            filled: vec![0; sets],
            found: [0; MOST_WAYS],
            accesses: 0,
        }
    }

    /// Takes the next accesses.
    pub fn push_lines(&mut self, lines: &[u64]) {
        for &line in lines {
            self.access(line);
        }
    }

    /// The distance of the access within its set, or `None` if the line is not among the most recent `ways` lines of
    /// the set.
    #[inline]
    pub fn access(&mut self, line: u64) -> Option<u32> {
        let set = if self.sets.is_power_of_two() { line & (self.sets - 1) } else { line % self.sets } as usize;
        self.accesses += 1;
        let row = &mut self.tags[set * self.ways..][..self.ways];
        let filled = usize::from(self.filled[set]);
        let mut moved = line;
        for (place, tag) in row[..filled].iter_mut().enumerate() {
            std::mem::swap(tag, &mut moved);
            if moved == line {
                self.found[place] += 1;
                return Some(place as u32);
            }
        }
        if let Some(tag) = row.get_mut(filled) {
            *tag = moved;
            self.filled[set] += 1;
        }
        None
    }

    /// Number of accesses so far.
    pub fn accesses(&self) -> u64 {
        self.accesses
    }

    /// The numbers of hits with 1, 2, … ways.
    pub fn hits(&self) -> Vec<u64> {
        let mut hits = 0;
        let running = |found: &u64| {
            hits += found;
            hits
        };
        self.found[..self.ways].iter().map(running).collect()
    }
}
