//! Chains of dependent loads for a real machine. A browser's clock is coarse, so it times thousands of loads at once.
//!
//! In: the array size, the distance between loads and a seed. Out: the byte addresses in the order of the loads. The
//! chain visits each address once and then starts again. The module also derives the line size from chains of pairs.
//!
//! The *local* order is random within each page of 4 KiB and random among the pages. A fully random order over the
//! array would add the steps of the TLB to the curve. The drawback is that a prefetcher recognises more of a local
//! order, so distant levels look faster than they are.

use crate::change::opt;
use base::Random;

/// Bytes of a page within which the order is random. It is the smallest page of all common CPUs.
pub const PAGE: u64 = 4096;
/// Largest array in bytes. Addresses have 32 bits, and no browser allocates more.
pub const LONGEST: u64 = 1 << 30;
/// Distance between the pairs of [`pairs`], bytes.
pub const BLOCK: u64 = 1024;
/// Smallest slowdown of the second load of a pair that counts as another line.
const SLOWER: f64 = 1.15;

/// Addresses of an array of `bytes` in steps of `stride` (at least 4), in local order. Empty for less than two loads
/// and for more than [`LONGEST`].
pub fn local_order(bytes: u64, stride: u64, seed: u64) -> Vec<u32> {
    let stride = stride.max(4);
    if bytes < 2 * stride || bytes > LONGEST {
        return Vec::new();
    }
    let mut random = Random::stream(seed, 41);
    let per_page = (PAGE / stride).max(1);
    let loads = bytes / stride;
    let mut pages: Vec<u64> = (0..loads.div_ceil(per_page)).collect();
    shuffle(&mut pages, &mut random);
    let mut out = Vec::with_capacity(loads as usize);
    for page in pages {
        let first = out.len();
        let places = page * per_page..loads.min((page + 1) * per_page);
        out.extend(places.map(|place| (place * stride) as u32));
        shuffle(&mut out[first..], &mut random);
    }
    out
}

/// Addresses of pairs over an array of `bytes`. Each pair is the first word of a block and the word `distance` bytes
/// after it. The blocks follow in random order. The length is the same for every distance.
pub fn pairs(bytes: u64, distance: u64, seed: u64) -> Vec<u32> {
    if !(2 * BLOCK..=LONGEST).contains(&bytes) || distance >= BLOCK {
        return Vec::new();
    }
    let mut blocks: Vec<u32> = (0..bytes / BLOCK).map(|block| (block * BLOCK) as u32).collect();
    shuffle(&mut blocks, &mut Random::stream(seed, 42));
    blocks.into_iter().flat_map(|block| [block, block + distance as u32]).collect()
}

fn shuffle<T>(all: &mut [T], random: &mut Random) {
    for i in (1..all.len()).rev() {
        all.swap(i, random.below(i as u64 + 1) as usize);
    }
}

/// Line size from the times per load of chains of [`pairs`], by ascending distance. It is the first distance at which
/// the second load misses as well. `None` if the times show no such step.
pub fn line_of_pairs(distances: &[u64], times: &[f64]) -> Option<u64> {
    if distances.len() != times.len() || !times.iter().all(|time| time.is_finite() && *time > 0.0) {
        return None;
    }
    let logs: Vec<f64> = times.iter().map(|time| libm::log(*time)).collect();
    let index = opt(&logs)?.index;
    let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
    let step = mean(&logs[index..]) - mean(&logs[..index]);
    (step >= libm::log(SLOWER)).then(|| distances[index])
}

/// The value of more than half of the votes.
pub fn majority(votes: &[Option<u64>]) -> Option<u64> {
    let most = votes.iter().max_by_key(|vote| votes.iter().filter(|other| other == vote).count())?;
    let count = votes.iter().filter(|other| *other == most).count();
    most.filter(|_| 2 * count > votes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_address_once_and_pages_one_after_the_other() {
        for (bytes, stride) in [(4096, 64), (128, 64), (100_000, 64), (1 << 20, 128), (12_345, 4), (3 << 13, 8192)] {
            let order = local_order(bytes, stride, 7);
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert!(sorted.iter().enumerate().all(|(i, at)| u64::from(*at) == i as u64 * stride), "{bytes} {stride}");
            assert_eq!(order.len() as u64, bytes / stride);
            let changes = order.windows(2).filter(|w| u64::from(w[0]) / PAGE != u64::from(w[1]) / PAGE).count() as u64;
            let pages = (bytes / stride * stride).div_ceil(PAGE.max(stride));
            assert_eq!(changes, pages - 1, "{bytes} {stride}: no page is left and entered again");
        }
        assert_ne!(local_order(1 << 16, 64, 1), local_order(1 << 16, 64, 2));
        assert_ne!(local_order(4096, 64, 1), (0..64).map(|i| i * 64).collect::<Vec<u32>>());
        assert!(local_order(64, 64, 1).is_empty() && local_order(u64::MAX, 64, 1).is_empty());
    }

    #[test]
    fn pairs_come_together() {
        let order = pairs(8 << 10, 64, 3);
        assert_eq!(order.len(), 16);
        assert!(order.chunks(2).all(|pair| pair[0] % 1024 == 0 && pair[1] == pair[0] + 64));
        assert!(pairs(1 << 20, 1024, 3).is_empty() && pairs(1 << 10, 64, 3).is_empty());
    }

    #[test]
    fn the_step_is_the_line() {
        let distances = [8, 16, 32, 64, 128, 256];
        let found = line_of_pairs(&distances, &[5.0, 5.1, 4.9, 8.0, 8.1, 8.3]);
        assert_eq!(found, Some(64));
        assert_eq!(line_of_pairs(&distances, &[5.0, 5.1, 4.9, 5.0, 5.1, 5.3]), None);
        assert_eq!(line_of_pairs(&distances, &[5.0]), None);
        assert_eq!(majority(&[found, found, Some(128), None, found]), Some(64));
        assert_eq!(majority(&[None, None, None, Some(64), Some(64)]), None);
        assert_eq!(majority(&[Some(32), Some(64)]), None);
        assert_eq!(majority(&[]), None);
    }
}
