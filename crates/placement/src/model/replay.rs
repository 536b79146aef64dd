//! Replays (1) to (4) of Huang & Li, III-B, which are the issue slots of a warp instruction beyond its first.
//!
//! In: the byte addresses of the active lanes and the bytes of each access. Out: counts. The cache simulation counts
//! cause (2), constant misses. Causes (5) to (10) are the same for every placement.

/// Banks of shared memory; `WORD` is the number of bytes of a bank's word.
const BANKS: usize = 32;
const WORD: u64 = 4;

/// Number of distinct units of `size` bytes that the lanes touch, where `size` is a power of two.
fn distinct(addresses: &[u64], bytes: u64, size: u64) -> u32 {
    let mut units = [0u64; 64];
    let mut count = 0;
    for &address in addresses {
        let (first, last) = (address / size, address.saturating_add(bytes.max(1) - 1) / size);
        for unit in [first, last] {
            if !units[..count].contains(&unit) {
                units[count.min(63)] = unit;
                count = (count + 1).min(64);
            }
        }
    }
    count as u32
}

/// Replay (1) by segments, which are transactions of `transaction` bytes beyond the first. This is the default, while
/// Huang & Li count words only.
pub fn global_segments(addresses: &[u64], bytes: u64, transaction: u64) -> u32 {
    distinct(addresses, bytes, transaction).saturating_sub(1)
}

/// Replay (1) as printed, which is the bytes of all lanes over the transaction size, minus one. It ignores divergence:
/// 32 scattered floats give 0.
pub fn global_literal(lanes: usize, bytes: u64, transaction: u64) -> u32 {
    (lanes as u64 * bytes).div_ceil(transaction.max(1)).saturating_sub(1) as u32
}

/// Replay (3), which is the number of distinct 4-byte words of an indexed constant load beyond the first. A wider
/// element takes one fetch per element.
pub fn constant_divergence(addresses: &[u64], bytes: u64) -> u32 {
    let unit = bytes.max(WORD).next_power_of_two();
    distinct(addresses, 1, unit).saturating_sub(1)
}

/// Passes of a shared-memory instruction. 32 lanes of 16 bytes stay far below 256 passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SharedCost {
    /// Passes for the width of the elements: 1, or 2 and 4 for 8- and 16-byte elements.
    pub passes: u8,
    /// Additional passes for bank conflicts, which are replay (4).
    pub conflicts: u8,
    /// Passes on a GPU where two parts of a wide access share them if neighbouring lanes read the same words.
    pub merged: u8,
}

impl SharedCost {
    /// Passes for the width and for conflicts.
    pub fn all(&self) -> u64 {
        u64::from(self.passes) + u64::from(self.conflicts)
    }
}

/// Replay (4) over 32 banks of 4-byte words. Lanes that read the same word share it. 8-byte elements are served by
/// half warps and 16-byte elements by quarter warps. `lanes` holds the lane number of every address.
pub fn shared(addresses: &[u64], lanes: &[u8], bytes: u64) -> SharedCost {
    let group = match bytes {
        8 => 16,
        16 => 8,
        _ => 32,
    };
    let (passes, conflicts) = passes_of_groups(addresses, lanes, bytes, group);
    let agree = |step| lanes_agree(addresses, lanes, step);
    let (merged, more) = match group < 32 && (agree(1) || agree(2)) {
        true => passes_of_groups(addresses, lanes, bytes, 2 * group),
        false => (passes, conflicts),
    };
    SharedCost { passes, conflicts, merged: merged.saturating_add(more) }
}

/// Passes and conflicts if each group of so many lanes is served apart.
fn passes_of_groups(addresses: &[u64], lanes: &[u8], bytes: u64, group: u8) -> (u8, u8) {
    let (mut passes, mut conflicts, mut start) = (0, 0u8, 0);
    while start < addresses.len() {
        let part = lanes[start] / group;
        let end = start + lanes[start..].iter().take_while(|lane| **lane / group == part).count();
        passes += 1;
        conflicts = conflicts.saturating_add(worst_bank(&addresses[start..end], bytes).saturating_sub(1));
        start = end;
    }
    (passes, conflicts)
}

/// Whether each lane asks for what the lane `step` away does, if that one is there.
fn lanes_agree(addresses: &[u64], lanes: &[u8], step: u8) -> bool {
    lanes.iter().zip(addresses).all(|(lane, address)| {
        let other = lanes.binary_search(&(lane ^ step)).ok().and_then(|at| addresses.get(at));
        other.is_none_or(|other| other == address)
    })
}

/// Largest number of distinct words that one bank has to deliver.
fn worst_bank(addresses: &[u64], bytes: u64) -> u8 {
    let mut words = [0u64; 128];
    let mut count = 0;
    for &address in addresses {
        for word in address / WORD..=address.saturating_add(bytes.max(1) - 1) / WORD {
            if count < words.len() && !words[..count].contains(&word) {
                words[count] = word;
                count += 1;
            }
        }
    }
    let mut load = [0u8; BANKS];
    words[..count].iter().for_each(|word| load[*word as usize % BANKS] += 1);
    load.into_iter().max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LANES: [u8; 32] = {
        let mut lanes = [0; 32];
        let mut i = 0;
        while i < 32 {
            lanes[i] = i as u8;
            i += 1;
        }
        lanes
    };

    fn strided(stride: u64) -> Vec<u64> {
        (0..32).map(|lane| 0x4000 + lane * stride).collect()
    }

    fn scattered() -> Vec<u64> {
        (0..32).map(|lane| 0x4000 + lane * 37 * 4 * 4).collect()
    }

    /// (element, addresses) → segments of 128 and of 32 bytes, as printed, constant divergence, shared passes and
    /// conflicts; and shared passes where equal words go together.
    fn check(bytes: u64, addresses: &[u64], expected: [u32; 6], merged: u8) {
        let cost = shared(addresses, &LANES[..addresses.len()], bytes);
        let found = [
            global_segments(addresses, bytes, 128),
            global_segments(addresses, bytes, 32),
            global_literal(addresses.len(), bytes, 128),
            constant_divergence(addresses, bytes),
            cost.passes.into(),
            cost.conflicts.into(),
        ];
        assert_eq!(found, expected, "{bytes}-byte elements at {addresses:x?}");
        assert_eq!(cost.merged, merged, "{bytes}-byte elements at {addresses:x?}");
    }

    #[test]
    fn coalesced() {
        check(4, &strided(4), [0, 3, 0, 31, 1, 0], 1);
        check(8, &strided(8), [1, 7, 1, 31, 2, 0], 2);
        check(16, &strided(16), [3, 15, 3, 31, 4, 0], 4);
        // Not aligned: one segment more.
        let shifted: Vec<u64> = strided(4).iter().map(|a| a + 64).collect();
        check(4, &shifted, [1, 3, 0, 31, 1, 0], 1);
    }

    #[test]
    fn broadcast() {
        check(4, &strided(0), [0, 0, 0, 0, 1, 0], 1);
        check(8, &strided(0), [0, 0, 1, 0, 2, 0], 1);
        check(16, &strided(0), [0, 0, 3, 0, 4, 0], 2);
    }

    #[test]
    fn strides() {
        // Every second word: two lanes to a bank.
        check(4, &strided(8), [1, 7, 0, 31, 1, 1], 2);
        // A column of a 32-wide matrix: all lanes in one bank, a segment each.
        check(4, &strided(128), [31, 31, 0, 31, 1, 31], 32);
        // A column of a padded, 33-wide matrix: no two in one bank.
        check(4, &strided(132), [31, 31, 0, 31, 1, 0], 1);
        // 8-byte elements 256 bytes apart: 16 lanes of a half in two banks, each half 15 too many.
        check(8, &strided(256), [31, 31, 1, 31, 2, 30], 32);
        check(16, &strided(512), [31, 31, 3, 31, 4, 28], 32);
    }

    #[test]
    fn random() {
        // Lines: 592-byte steps, all different. Banks: multiples of 148 words, 148 mod 32 = 20, gcd 4: 8 banks of 4.
        check(4, &scattered(), [31, 31, 0, 31, 1, 3], 4);
    }

    #[test]
    fn few_lanes() {
        check(4, &[0x4000], [0, 0, 0, 0, 1, 0], 1);
        check(4, &[0x4000, 0x4080], [1, 1, 0, 1, 1, 1], 2);
    }
}
