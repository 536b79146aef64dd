//! Short traces and their reuse distances, for tests of reuse engines. Nothing here is shared with an engine, the generator of
//! random numbers included.

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
struct SplitMix(u64);

impl SplitMix {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// A number below `end`, near enough to uniform for a test.
    fn below(&mut self, end: u64) -> u64 {
        self.bits() % end
    }
}

/// The reuse distances of a stream by the definition, from a list of lines, most recent last; `None` for a first access.
pub fn reuse_distances(lines: &[u64]) -> Vec<Option<u32>> {
    let mut list: Vec<u64> = Vec::new();
    let distance = |line: &u64| {
        let place = list.iter().rposition(|l| l == line);
        let above = place.map(|place| {
            list.remove(place);
            (list.len() - place) as u32
        });
        list.push(*line);
        above
    };
    lines.iter().map(distance).collect()
}

/// A random short trace with few or many lines, near each other or scattered, with repeats and runs.
fn short_trace(random: &mut SplitMix) -> Vec<u64> {
    let n = random.below(2001);
    let most = [4, 40, 400, 4000][random.below(4) as usize];
    let m = 1 + random.below(most);
    let (kind, shift, base) = (random.below(5), random.below(3) * 20, random.bits() >> random.below(60));
    let mut at = 0;
    let lines = (0..n).map(|i| {
        at = match kind {
            0 => random.below(m),
            1 => i % m,
            2 if random.below(3) > 0 => at,
            2 => random.below(m),
            3 => {
                let near = 1 + random.below(m);
                random.below(near)
            }
            _ => (at + random.below(3)) % m,
        };
        base.wrapping_add(at << shift)
    });
    lines.collect()
}

/// Short traces of many kinds, each with its seed and its reuse distances.
pub fn reuse_traces(count: u64) -> impl Iterator<Item = (u64, Vec<u64>, Vec<Option<u32>>)> {
    (0..count).map(|seed| {
        let lines = short_trace(&mut SplitMix(seed));
        let distances = reuse_distances(&lines);
        (seed, lines, distances)
    })
}
