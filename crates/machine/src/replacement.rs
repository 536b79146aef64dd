//! Replacement policies of one set of a cache.
//!
//! A set keeps one word of state per way and, at the end, one word for the set. What they mean depends on the policy. LRU and
//! FIFO keep the ways in a list by age, so that a set with many ways finds its victim at once.

use gpu::Replacement;

/// The policy with the state of its random choices. One generator serves a whole cache.
#[derive(Clone, Debug)]
pub(crate) struct Policy {
    kind: Replacement,
    /// State of a 64-bit linear congruential generator (Knuth's MMIX constants). It decides victims only, and it is
    /// much quicker than the project's generator.
    random: u64,
}

impl Policy {
    /// A policy whose random choices follow `seed`.
    pub fn new(kind: Replacement, seed: u64) -> Self {
        Self { kind, random: seed ^ 0x9e37_79b9_7f4a_7c15 }
    }

    fn draw(&mut self, bound: usize) -> usize {
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (((self.random >> 32) * bound as u64) >> 32) as usize
    }

    /// What a set of empty ways remembers.
    pub fn marks_of_set(&self, ways: usize) -> Vec<u32> {
        let mut marks = vec![0; ways + 1];
        if matches!(self.kind, Replacement::Lru | Replacement::Fifo) {
            let neighbour = |way: usize, is: bool| if is { way as u32 } else { NO_WAY };
            for (way, mark) in marks.iter_mut().enumerate().take(ways) {
                *mark = link(neighbour(way.wrapping_sub(1), way > 0), neighbour(way + 1, way + 1 < ways));
            }
            marks[ways] = link(0, ways as u32 - 1);
        }
        marks
    }

    /// Notes a hit of `way`.
    #[inline]
    pub fn hit(&mut self, marks: &mut [u32], way: usize) {
        match self.kind {
            Replacement::Lru => make_newest(marks, way),
            Replacement::NotRecentlyUsed => use_bit(of_ways(marks), way),
            Replacement::TreePlru => point_away(of_ways(marks), way),
            Replacement::Fifo | Replacement::Random => {}
        }
    }

    /// Notes that `way` got a new line.
    #[inline]
    pub fn fill(&mut self, marks: &mut [u32], way: usize) {
        match self.kind {
            Replacement::Fifo => make_newest(marks, way),
            _ => self.hit(marks, way),
        }
    }

    /// The ways, the newest first where the policy keeps them by age.
    pub fn newest_first(&self, marks: &[u32]) -> Vec<usize> {
        let ways = marks.len() - 1;
        if !matches!(self.kind, Replacement::Lru | Replacement::Fifo) {
            return (0..ways).collect();
        }
        let next =
            |way: &usize| Some(older_of(marks[*way])).filter(|&older| older != NO_WAY).map(|older| older as usize);
        std::iter::successors(Some(newer_of(marks[ways]) as usize), next).take(ways).collect()
    }

    /// The way that gives up its line. All ways hold lines.
    #[inline]
    pub fn victim(&mut self, marks: &mut [u32]) -> usize {
        match self.kind {
            Replacement::Lru | Replacement::Fifo => older_of(marks[marks.len() - 1]) as usize,
            Replacement::Random => self.draw(marks.len() - 1),
            Replacement::TreePlru => pointed_at(of_ways(marks)),
            Replacement::NotRecentlyUsed => {
                let start = self.draw(marks.len() - 1);
                // Only a set of one way has no clear bit.
                clear_bit(of_ways(marks), start).unwrap_or(start)
            }
        }
    }
}

/// The words of the ways.
#[inline]
fn of_ways(marks: &mut [u32]) -> &mut [u32] {
    let ways = marks.len() - 1;
    &mut marks[..ways]
}

/// No way, in a list by age.
const NO_WAY: u32 = 0xffff;

/// The neighbours of a way in the list by age. For the set, its oldest and its newest way.
#[inline]
fn link(older: u32, newer: u32) -> u32 {
    older | newer << 16
}

#[inline]
fn older_of(link: u32) -> u32 {
    link & 0xffff
}

#[inline]
fn newer_of(link: u32) -> u32 {
    link >> 16
}

/// Moves a way to the end of the list by age.
#[inline]
fn make_newest(marks: &mut [u32], way: usize) {
    let ends = marks.len() - 1;
    let (oldest, newest) = (older_of(marks[ends]), newer_of(marks[ends]));
    if newest as usize == way {
        return;
    }
    let (older, newer) = (older_of(marks[way]), newer_of(marks[way]));
    let oldest = match marks.get_mut(older as usize).filter(|_| older != NO_WAY) {
        Some(before) => {
            *before = link(older_of(*before), newer);
            oldest
        }
        None => newer,
    };
    marks[newer as usize] = link(older, newer_of(marks[newer as usize]));
    marks[newest as usize] = link(older_of(marks[newest as usize]), way as u32);
    marks[way] = link(newest, NO_WAY);
    marks[ends] = link(oldest, way as u32);
}

/// Sets the use bit of a way. The bits lie in the first words of the state, 32 in each. The last bit that is set clears the
/// others.
#[inline]
fn use_bit(marks: &mut [u32], way: usize) {
    let ways = marks.len();
    let all = |word: usize| u32::MAX >> (32 - (ways - 32 * word).min(32));
    marks[way / 32] |= 1 << (way % 32);
    let bits = &mut marks[..ways.div_ceil(32)];
    if bits.iter().enumerate().all(|(word, &bits)| bits == all(word)) {
        bits.fill(0);
        bits[way / 32] = 1 << (way % 32);
    }
}

/// The first way from `start` on whose use bit is clear. Behind the last way comes the first.
#[inline]
fn clear_bit(marks: &[u32], start: usize) -> Option<usize> {
    let words = marks.len().div_ceil(32);
    // The word of `start` comes twice: at first its bits from `start` on, at last those before it.
    (0..=words).find_map(|step| {
        let word = (start / 32 + step) % words;
        let from = u32::MAX << (start % 32);
        let clear = !marks[word]
            & if step == 0 {
                from
            } else if step == words {
                !from
            } else {
                u32::MAX
            };
        let way = 32 * word + clear.trailing_zeros() as usize;
        (clear != 0 && way < marks.len()).then_some(way)
    })
}

/// The tree of a set of `n` ways is a heap: the node `i` has the children `2i` and `2i + 1`, and `marks[i]` says which
/// child is older. `marks[0]` is unused. A number of ways that is no power of two takes the next smaller tree, in which
/// the last ways share leaves.
fn leaves(marks: &[u32]) -> usize {
    1 << marks.len().max(1).ilog2()
}

fn point_away(marks: &mut [u32], way: usize) {
    let leaves = leaves(marks);
    let mut node = leaves + way % leaves;
    while node > 1 {
        marks[node / 2] = u32::from(node % 2 == 0);
        node /= 2;
    }
}

fn pointed_at(marks: &mut [u32]) -> usize {
    let leaves = leaves(marks);
    let mut node = 1;
    while node < leaves {
        node = 2 * node + marks[node] as usize;
    }
    node - leaves
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fills four ways in order, hits some, and names the victim.
    fn victim_after(kind: Replacement, hits: &[usize]) -> usize {
        let mut policy = Policy::new(kind, 0);
        let mut marks = policy.marks_of_set(4);
        (0..4).for_each(|way| policy.fill(&mut marks, way));
        hits.iter().for_each(|&way| policy.hit(&mut marks, way));
        policy.victim(&mut marks)
    }

    #[test]
    fn hand_worked_victims() {
        assert_eq!(victim_after(Replacement::Lru, &[0, 1]), 2);
        assert_eq!(victim_after(Replacement::Fifo, &[0, 1]), 0);
        // The root points away from the right half after a hit of way 3, and the left node away from way 1.
        assert_eq!(victim_after(Replacement::TreePlru, &[1, 3]), 0);
        assert_eq!(victim_after(Replacement::TreePlru, &[3, 0]), 2);
    }

    #[test]
    fn not_recently_used_takes_a_way_without_its_bit_and_the_last_bit_clears_the_others() {
        let (mut policy, mut marks) = (Policy::new(Replacement::NotRecentlyUsed, 7), [0b1011, 0, 0, 0, 0]);
        assert_eq!(policy.victim(&mut marks), 2);
        policy.fill(&mut marks, 2);
        assert_eq!(marks, [0b0100, 0, 0, 0, 0]);
        assert_ne!(policy.victim(&mut marks), 2);
    }

    #[test]
    fn bits_of_use_are_those_of_a_list() {
        let mut random = base::Random::new(2);
        for ways in [1, 2, 16, 31, 32, 33, 48, 64, 100] {
            let (mut marks, mut list) = (vec![0; ways], vec![false; ways]);
            for _ in 0..2000 {
                let way = random.below(ways as u64) as usize;
                use_bit(&mut marks, way);
                list[way] = true;
                if list.iter().all(|&used| used) {
                    list = vec![false; ways];
                    list[way] = true;
                }
                let start = random.below(ways as u64) as usize;
                let clear = (start..ways).chain(0..start).find(|&way| !list[way]);
                assert_eq!(clear_bit(&marks, start), clear, "{ways} ways from {start}");
            }
        }
    }
}
