//! Distances inside the sets of a cache with few ways: a list of tags per set, most recent first.
//!
//! One pass gives the hits of every associativity up to the longest list, as LRU caches include one another
//! (Mattson et al. 1970). Above 32 ways [`crate::Stacks`] is the better structure.

/// Longest list.
const MOST_WAYS: usize = 32;

/// Move-to-front lists of all sets; line `l` belongs to set `l mod sets`.
#[derive(Clone, Debug)]
pub struct SetStacks {
    sets: u64,
    ways: usize,
    tags: Vec<u64>,
    filled: Vec<u8>,
    /// Accesses that found their line at each place.
    found: [u64; MOST_WAYS],
    accesses: u64,
}

impl SetStacks {
    /// Empty lists. `sets` is at least 1; `ways` is held between 1 and 32.
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
    pub fn push(&mut self, lines: &[u64]) {
        for &line in lines {
            self.access(line);
        }
    }

    /// Distance of the access within its set; `None` when it is the first one to its line, or not below the ways.
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

    /// Accesses so far.
    pub fn accesses(&self) -> u64 {
        self.accesses
    }

    /// Hits with 1, 2, … ways.
    pub fn hits(&self) -> Vec<u64> {
        let mut hits = 0;
        let running = |found: &u64| {
            hits += found;
            hits
        };
        self.found[..self.ways].iter().map(running).collect()
    }
}
