//! Confidence of a ranking: the probability of each placement to be the fastest, by simulation of the model's errors.
//!
//! In: times of some placements. Out: a [`Chance`] per placement. Each draw changes every time by an error. Not
//! modelled: errors that change all placements of a kernel in about the same way.

use base::Random;

/// The results of the draws for a placement.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Chance {
    /// Share of the draws in which it is the fastest.
    pub best: f64,
    /// Share of the draws in which it is no slower than the first placement.
    pub not_behind: f64,
}

/// The error that times on the machine have among the placements of one kernel, as a standard deviation of logarithms,
/// where the placements are a trace whose arrays were moved. Chosen on one half of the measured groups of a matrix product
/// on an RTX 2080 Ti, so that chances come true in their tenths there (`crates/placement/tests/suite/placement_gemm.rs`).
pub const MOVED_NOISE: f64 = 0.4;
/// The same where each placement is a rewritten text. Chosen among 0.1, 0.12, 0.15, 0.18, 0.2, 0.22, 0.25 and 0.3, so that the measured
/// fastest placements are likeliest, on every second of 403 groups of a convolution on an A100 and on the 118 groups of a matrix product on
/// an RTX 2080 Ti whose programs copy as rewritten texts do, weighted equally (docs/placement.md).
pub const TEXT_NOISE: f64 = 0.18;

/// Number of draws; `SEED` is their seed.
const DRAWS: usize = 1024;
const SEED: u64 = 11;

/// The chances of placements that take `times` on the machine. The first must be the fastest one. `noise` is the error
/// that the times of one kernel have among each other, as a standard deviation of logarithms.
pub fn chances_of_times(times: &[f64], noise: f64) -> Vec<Chance> {
    let mut random = Random::new(SEED);
    let mut wins = vec![(0u32, 0u32); times.len()];
    for _ in 0..DRAWS {
        let times: Vec<f64> = times.iter().map(|time| time * libm::exp(noise * random.normal())).collect();
        let Some(first) = times.first() else { break };
        let best = (0..times.len()).min_by(|a, b| times[*a].total_cmp(&times[*b])).unwrap_or(0);
        wins[best].0 += 1;
        wins.iter_mut().zip(&times).filter(|(_, time)| *time <= first).for_each(|(wins, _)| wins.1 += 1);
    }
    let share = |count: u32| f64::from(count) / DRAWS as f64;
    wins.into_iter().map(|(best, ahead)| Chance { best: share(best), not_behind: share(ahead) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn far_apart_is_sure_and_equal_is_a_coin() {
        let sure = chances_of_times(&[100.0, 200.0], 0.05);
        assert_eq!((sure[0].best, sure[1].best), (1.0, 0.0));
        let coin = chances_of_times(&[100.0, 100.0], 0.05);
        assert!((coin[0].best - 0.5).abs() < 0.06 && (coin[1].not_behind - 0.5).abs() < 0.06, "{coin:?}");
        // 10 % apart with noise of 10 % each: the second is ahead where a normal number is below -ln 1.1 / (0.1 √2),
        // 25 %.
        let close = chances_of_times(&[100.0, 110.0], 0.1);
        assert!((close[1].not_behind - 0.25).abs() < 0.05, "{close:?}");
        assert_eq!(close[0].not_behind, 1.0);
        assert!(chances_of_times(&[], 0.1).is_empty());
    }
}
