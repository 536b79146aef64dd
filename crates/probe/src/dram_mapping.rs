//! Finds the column, bank and row bits of a memory from latencies, with Algorithm 1 of Huang & Li and, for hashed
//! banks, the pair probe.
//!
//! Algorithm 1 tests each address bit. It waits until all rows are closed, reads a random address, then reads the same
//! address with the bit flipped and times the second read. For a column bit the row is still open. For a bank bit the
//! other bank is idle. For a row bit another row is open. The medians of nine times per bit form three clusters.
//!
//! With hashed banks (a bank bit XOR a row bit), flipping the row bit alone changes the bank, so the row bit looks
//! like a bank bit. The pair probe flips two bits of the bank group together. If both enter the same bank bit, the
//! bank stays the same and the row changes, so the read causes a conflict.
//!
//! Latencies cannot tell which bit of such a pair names the row. All labellings describe the same memory, and the
//! answer keeps the pair together. Not found: a row bit that enters two bank bits at once.

use base::Random;

/// A memory whose access latencies can be measured.
pub trait TimedMemory {
    /// Reads `address` without any cache and returns the latency in ns.
    fn access(&mut self, address: u64) -> f64;
    /// Waits until a refresh has closed all rows.
    fn idle(&mut self);
    /// The address bits to classify.
    fn bits(&self) -> std::ops::Range<u32>;
}

/// An address mapping, as far as latencies determine it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundMapping {
    /// Mask of the column bits.
    pub column: u64,
    /// Masks whose parities are the bits of the bank number, in ascending order.
    pub bank: Vec<u64>,
    /// Mask of the bits that select only the row.
    pub row: u64,
}

/// Measurements per bit or pair of bits.
const TIMES: usize = 9;

/// Median of [`flip_times`].
fn time(memory: &mut impl TimedMemory, flip: u64, random: &mut Random) -> f64 {
    flip_times(memory, flip, random)[TIMES / 2]
}

/// One step of Algorithm 1 (one bit in `flip`) or of the pair probe (two bits). Nine times, the step closes all rows,
/// reads a random address and times the read of that address with the bits of `flip` flipped. Returns the times in
/// ascending order, in ns.
pub fn flip_times(memory: &mut impl TimedMemory, flip: u64, random: &mut Random) -> [f64; TIMES] {
    let range = memory.bits();
    let space = ((1u64 << range.end.min(63)) - 1) & !((1 << range.start.min(63)) - 1);
    let mut times = [0.0; TIMES];
    for slot in &mut times {
        memory.idle();
        let base = random.bits() & space;
        memory.access(base);
        *slot = memory.access(base ^ flip);
    }
    times.sort_by(f64::total_cmp);
    times
}

/// Runs Algorithm 1. The result is right when no bank bit is hashed. Hashed row bits appear as bank bits.
pub fn find_mapping(memory: &mut impl TimedMemory, seed: u64) -> FoundMapping {
    classify(memory, &mut Random::new(seed)).0
}

/// Runs Algorithm 1 and then the pair probe among the bits that look like bank bits.
pub fn find_hashed_mapping(memory: &mut impl TimedMemory, seed: u64) -> FoundMapping {
    let mut random = Random::new(seed);
    let (plain, border) = classify(memory, &mut random);
    let mut groups = plain.bank.clone();
    let bits = plain.bank;
    for (i, &a) in bits.iter().enumerate() {
        for &b in &bits[i + 1..] {
            let at = |bit: u64, groups: &[u64]| groups.iter().position(|group| group & bit != 0);
            let (Some(first), Some(second)) = (at(a, &groups), at(b, &groups)) else { continue };
            if first != second && time(memory, a | b, &mut random) > border {
                let other = groups.remove(second.max(first));
                groups[second.min(first)] |= other;
            }
        }
    }
    groups.sort_unstable();
    FoundMapping { bank: groups, ..plain }
}

/// Runs Algorithm 1. Also returns the latency above which an access met another open row.
fn classify(memory: &mut impl TimedMemory, random: &mut Random) -> (FoundMapping, f64) {
    let mut times: Vec<(f64, u64)> = memory.bits().map(|bit| (time(memory, 1 << bit, random), 1 << bit)).collect();
    base::sort_by(&mut times, |a, b| a.0.total_cmp(&b.0));
    let (first, second) = three_clusters(&times);
    let mask = |part: &[(f64, u64)]| part.iter().fold(0, |all, (_, bit)| all | bit);
    let mut bank: Vec<u64> = times[first..second].iter().map(|&(_, bit)| bit).collect();
    bank.sort_unstable();
    let border = match (times.get(second.wrapping_sub(1)), times.get(second)) {
        (Some(below), Some(above)) => (below.0 + above.0) / 2.0,
        _ => f64::INFINITY,
    };
    (FoundMapping { column: mask(&times[..first]), bank, row: mask(&times[second..]) }, border)
}

/// The starts of the second and the third cluster of sorted times. The two cuts minimise the squared distances to the
/// clusters' means.
fn three_clusters(times: &[(f64, u64)]) -> (usize, usize) {
    let n = times.len();
    let mut best = (f64::INFINITY, (n, n));
    for first in 1..n {
        for second in first + 1..n {
            let cost = spread(&times[..first]) + spread(&times[first..second]) + spread(&times[second..]);
            if cost < best.0 {
                best = (cost, (first, second));
            }
        }
    }
    best.1
}

fn spread(part: &[(f64, u64)]) -> f64 {
    let mean = part.iter().map(|x| x.0).sum::<f64>() / part.len().max(1) as f64;
    part.iter().map(|x| (x.0 - mean) * (x.0 - mean)).sum()
}
