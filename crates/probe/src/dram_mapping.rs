//! Finds column, bank and row bits of a memory from latencies: Algorithm 1 of Huang & Li, and the pair probe for banks that
//! are hashed.
//!
//! Algorithm 1. Per bit: let all rows close, touch a random address, then the same address with the bit flipped, and time
//! the second. The row is still open for a column bit, another bank is idle for a bank bit, another row is open for a row
//! bit. The median of nine times per bit falls into three clusters.
//!
//! With hashed banks (a bank bit XOR a row bit) flipping the row bit alone changes the bank, so it looks like a bank bit. The
//! pair probe flips two bits of the bank group together: if both enter the same bank bit, the bank stays and the row
//! changes, which only a conflict shows.
//!
//! What latencies cannot tell: which bit of such a pair names the row. All labellings give the same memory; the answer keeps
//! the pair together. Not found: a row bit that enters two bank bits at once.

use base::Random;

/// Something that can be asked for latencies.
pub trait Memory {
    /// Reads `address` past all caches; the latency in ns.
    fn access(&mut self, address: u64) -> f64;
    /// Waits until a refresh has closed all rows.
    fn idle(&mut self);
    /// Address bits to tell apart.
    fn bits(&self) -> std::ops::Range<u32>;
}

/// An address mapping as far as latencies tell it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Column bits.
    pub column: u64,
    /// Bits whose parity is one bit of the bank, in ascending order.
    pub bank: Vec<u64>,
    /// Bits that only name rows.
    pub row: u64,
}

/// Times per bit or pair of bits.
const TIMES: usize = 9;

/// Median time of an access to a random address with `flip` flipped, after that address itself was touched.
fn time(memory: &mut impl Memory, flip: u64, random: &mut Random) -> f64 {
    flip_times(memory, flip, random)[TIMES / 2]
}

/// Nine times, in ascending order, of an access to a random address with the bits of `flip` flipped, each after all rows were
/// closed and that address itself was touched; ns. One step of Algorithm 1 (one bit) or of the pair probe (two).
pub fn flip_times(memory: &mut impl Memory, flip: u64, random: &mut Random) -> [f64; TIMES] {
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

/// Algorithm 1. Right when no bank bit is hashed; hashed row bits come out as bank bits.
pub fn find_mapping(memory: &mut impl Memory, seed: u64) -> Found {
    classify(memory, &mut Random::new(seed)).0
}

/// Algorithm 1, then the pair probe among the bits that look like bank bits.
pub fn find_hashed_mapping(memory: &mut impl Memory, seed: u64) -> Found {
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
    Found { bank: groups, ..plain }
}

/// Algorithm 1; also the latency above which an access met another open row.
fn classify(memory: &mut impl Memory, random: &mut Random) -> (Found, f64) {
    let mut times: Vec<(f64, u64)> = memory.bits().map(|bit| (time(memory, 1 << bit, random), 1 << bit)).collect();
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (first, second) = three_clusters(&times);
    let mask = |part: &[(f64, u64)]| part.iter().fold(0, |all, (_, bit)| all | bit);
    let mut bank: Vec<u64> = times[first..second].iter().map(|&(_, bit)| bit).collect();
    bank.sort_unstable();
    let border = match (times.get(second.wrapping_sub(1)), times.get(second)) {
        (Some(below), Some(above)) => (below.0 + above.0) / 2.0,
        _ => f64::INFINITY,
    };
    (Found { column: mask(&times[..first]), bank, row: mask(&times[second..]) }, border)
}

/// Where the second and the third cluster of sorted times begin: the two cuts with the least squared distances to the means.
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
