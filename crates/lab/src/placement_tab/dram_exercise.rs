//! An exercise: a visitor measures a hidden memory and guesses its address mapping. The page's own probes are in
//! [`crate::placement_tab::dram_map`].
//!
//! In: a seed, experiments, and an answer.
//! Out: latencies, then the truth beside the answer and the results of both probes, with their scores.

use crate::placement_tab::dram_map::{dram_map, DramMapReport, MappingBits};
use base::Diagnostic;
use base::Random;
use probe::{flip_times, HiddenMemory, Noise, TimedMemory};
use serde::{Deserialize, Serialize};

/// The noise of the exercise and of [`dram_map`].
pub(crate) const NOISE: Noise = Noise { deviation_ns: 30.0, outliers: 0.02 };

/// The latencies after flipping address bits.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct FlipTimes {
    /// The bit that was flipped together with each of `bits`. It is null if each was flipped alone.
    pub with: Option<u32>,
    /// The flipped address bits.
    pub bits: Vec<u32>,
    /// The least, the median and the largest of nine latencies in ns, for each bit.
    pub ns: Vec<[f64; 3]>,
}

/// The part of the DRAM address that an address bit selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum BitKind {
    /// The column in a row.
    Column,
    /// The bank, by this bit alone or by the parity of several bits.
    Bank,
    /// The row.
    Row,
}

/// A visitor's answer about an address mapping.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(default)]
pub struct DramAnswer {
    /// The kind of each bit, from the lowest on. It is null for bits without an answer.
    pub kinds: Vec<Option<BitKind>>,
    /// Groups of bits that enter the same bank bit.
    pub together: Vec<Vec<u32>>,
}

/// The score of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct DramScore {
    /// The number of bits whose kind is right.
    pub bits: u32,
    /// The number of bits.
    pub of_bits: u32,
    /// The number of hashed bank bits for which the answer has exactly their address bits.
    pub groups: u32,
    /// The number of hashed bank bits.
    pub of_groups: u32,
    /// The number of groups in the answer that are no hashed bank bit.
    pub wrong_groups: u32,
}

/// The truth, and the scores of the answer and of the probes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct DramReveal {
    /// The hidden mapping and the mappings that the probes found.
    pub report: DramMapReport,
    /// The score of the visitor's answer.
    pub yours: DramScore,
    /// The scores of Algorithm 1 and of the pair probe.
    pub probes: [DramScore; 2],
}

/// A hidden memory that the visitor measures.
#[derive(Clone, Debug)]
pub struct DramExercise {
    memory: HiddenMemory,
    random: Random,
    seed: u64,
    hashed: bool,
}

impl DramExercise {
    /// Makes the hidden memory of `seed`. If `hashed`, some bank bits are XORed with row bits.
    pub fn new(seed: u64, hashed: bool) -> Self {
        let memory = if hashed { HiddenMemory::hashed(seed, NOISE) } else { HiddenMemory::plain(seed, NOISE) };
        Self { memory, random: Random::new(seed), seed, hashed }
    }

    /// Lists the address bits to classify.
    pub fn bits(&self) -> Vec<u32> {
        self.memory.bits().collect()
    }

    /// Flips each bit alone, or each other bit together with `with`. It measures nine latencies each, after all rows
    /// were closed.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if `with` is no bit of the memory.
    pub fn flip(&mut self, with: Option<u32>) -> Result<FlipTimes, Vec<Diagnostic>> {
        let range = self.memory.bits();
        if let Some(bit) = with.filter(|bit| !range.contains(bit)) {
            let expected = format!("a bit from {} to {}", range.start, range.end - 1);
            return Err(vec![Diagnostic::error("bit", expected, bit.to_string(), "choose one of the list")]);
        }
        let bits: Vec<u32> = range.filter(|bit| Some(*bit) != with).collect();
        let mask = with.map_or(0, |bit| 1 << bit);
        let mut of = |bit: &u32| {
            let times = flip_times(&mut self.memory, 1 << bit | mask, &mut self.random);
            [times[0], times[times.len() / 2], times[times.len() - 1]]
        };
        let ns = bits.iter().map(&mut of).collect();
        Ok(FlipTimes { with, bits, ns })
    }

    /// Reveals the mapping. One rule scores the answer and the probes.
    pub fn reveal(&self, answer: &DramAnswer) -> DramReveal {
        let report = dram_map(self.seed, self.hashed);
        let bits = self.bits();
        let probes = [&report.algorithm_1, &report.pair_probe]
            .map(|found| score(&of_mapping(found, &bits), &bits, &report.truth));
        let yours = score(answer, &bits, &report.truth);
        DramReveal { report, yours, probes }
    }
}

/// Converts a mapping to an answer.
fn of_mapping(mapping: &MappingBits, bits: &[u32]) -> DramAnswer {
    let kind = |bit: &u32| {
        if mapping.column.contains(bit) {
            Some(BitKind::Column)
        } else if mapping.row.contains(bit) {
            Some(BitKind::Row)
        } else {
            mapping.bank.iter().flatten().any(|b| b == bit).then_some(BitKind::Bank)
        }
    };
    let together = mapping.bank.iter().filter(|group| group.len() > 1).cloned().collect();
    DramAnswer { kinds: bits.iter().map(kind).collect(), together }
}

fn score(answer: &DramAnswer, bits: &[u32], truth: &MappingBits) -> DramScore {
    let truth = of_mapping(truth, bits);
    let right = answer.kinds.iter().zip(&truth.kinds).filter(|(said, is)| said.is_some() && said == is).count();
    let group = |group: &Vec<u32>| {
        let mut group = group.clone();
        group.sort_unstable();
        group.dedup();
        group
    };
    let mut said: Vec<Vec<u32>> = answer.together.iter().map(group).filter(|group| group.len() > 1).collect();
    said.sort_unstable();
    said.dedup();
    let is: Vec<Vec<u32>> = truth.together.iter().map(group).collect();
    let groups = said.iter().filter(|group| is.contains(group)).count();
    DramScore {
        bits: right as u32,
        of_bits: bits.len() as u32,
        groups: groups as u32,
        of_groups: is.len() as u32,
        wrong_groups: (said.len() - groups) as u32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_visitor_who_reads_the_times_is_right() {
        for seed in 1..6 {
            let mut bench = DramExercise::new(seed, false);
            let times = bench.flip(None).expect("times");
            // The latencies are 352, 742 and 1008 ns with a deviation of 30.
            let kind = |ns: &[f64; 3]| match ns[1] {
                ns if ns < 547.0 => Some(BitKind::Column),
                ns if ns < 875.0 => Some(BitKind::Bank),
                _ => Some(BitKind::Row),
            };
            let answer = DramAnswer { kinds: times.ns.iter().map(kind).collect(), together: Vec::new() };
            let shown = bench.reveal(&answer);
            assert_eq!((shown.yours.bits, shown.yours.of_bits), (28, 28), "seed {seed}");
            assert_eq!(shown.probes[0], shown.yours);
        }
    }

    #[test]
    fn hashed_bits_are_told_by_pairs_only() {
        let mut bench = DramExercise::new(4, true);
        let empty = bench.reveal(&DramAnswer::default());
        assert_eq!((empty.yours.bits, empty.yours.groups), (0, 0));
        assert!(empty.yours.of_groups > 0 && empty.probes[0].groups == 0);
        assert_eq!(empty.probes[1].groups, empty.yours.of_groups);
        assert_eq!(empty.probes[1].bits, 28);
        let group = empty.report.truth.bank.iter().find(|group| group.len() > 1).expect("a hash");
        let times = bench.flip(Some(group[0])).expect("times");
        let at = times.bits.iter().position(|bit| *bit == group[1]).expect("the other bit");
        assert!(times.ns[at][1] > 875.0, "a conflict: {:?}", times.ns[at]);
        let answer = DramAnswer { kinds: Vec::new(), together: vec![vec![group[1], group[0]], vec![5, 6, 7, 8, 9]] };
        let shown = bench.reveal(&answer).yours;
        assert_eq!((shown.groups, shown.wrong_groups), (u32::from(group.len() == 2), 2 - u32::from(group.len() == 2)));
        assert!(bench.flip(Some(2)).is_err());
    }
}
