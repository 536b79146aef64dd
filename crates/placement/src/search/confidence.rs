//! Confidence of a ranking: the probability of each placement to be the fastest, by simulation of the model's errors.
//!
//! In: a trained overlap and the predictions of some placements. Out: a [`Chance`] per placement. Each draw takes the
//! coefficients of one resample of the training kernels. It changes every placement's time by the error that
//! predictions of one kernel have among each other on left-out kernels. Not modelled: errors of the machine's numbers,
//! which change all placements of a kernel in about the same way.

use crate::model::equations as eq;
use crate::model::evaluator::Prediction;
use crate::model::fit::Fit;
use crate::model::settings::FEATURES;
use base::Random;

/// The results of the draws for a placement.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Chance {
    /// Share of the draws in which it is the fastest.
    pub best: f64,
    /// Share of the draws in which it is no slower than the first placement.
    pub not_behind: f64,
}

/// The error that times on the machine have among the placements of one kernel, as a standard deviation of logarithms.
/// Chosen on one half of the measured groups of a matrix product on an RTX 2080 Ti, so that chances come true in their
/// tenths there (`crates/placement/tests/suite/placement_gemm.rs`).
pub const MACHINE_NOISE: f64 = 0.4;

/// Number of draws; `SEED` is their seed.
const DRAWS: usize = 1024;
const SEED: u64 = 11;

/// The chances of placements that take `times` on the machine. The first must be the fastest one. `noise` is the error
/// that the times of one kernel have among each other, as a standard deviation of logarithms.
pub fn chances_of_times(times: &[f64], noise: f64) -> Vec<Chance> {
    drawn(times.len(), noise, |_, number| times[number])
}

/// The chances of `count` placements. `time` is the time of a placement in a draw, before its error.
fn drawn(count: usize, noise: f64, time: impl Fn(usize, usize) -> f64) -> Vec<Chance> {
    let mut random = Random::new(SEED);
    let mut wins = vec![(0u32, 0u32); count];
    for draw in 0..DRAWS {
        let times: Vec<f64> =
            (0..count).map(|number| time(draw, number) * libm::exp(noise * random.normal())).collect();
        let Some(first) = times.first() else { break };
        let best = (0..times.len()).min_by(|a, b| times[*a].total_cmp(&times[*b])).unwrap_or(0);
        wins[best].0 += 1;
        wins.iter_mut().zip(&times).filter(|(_, time)| *time <= first).for_each(|(wins, _)| wins.1 += 1);
    }
    let share = |count: u32| f64::from(count) / DRAWS as f64;
    wins.into_iter().map(|(best, ahead)| Chance { best: share(best), not_behind: share(ahead) }).collect()
}

impl Fit {
    /// The chances of `predictions`, of which the first must be the fastest one.
    pub fn chances(&self, predictions: &[Prediction]) -> Vec<Chance> {
        drawn(predictions.len(), self.noise, |draw, number| self.redrawn(draw, &predictions[number]))
    }

    /// The time of a prediction with the coefficients of a resample.
    fn redrawn(&self, draw: usize, prediction: &Prediction) -> f64 {
        let Some(resample) = self.resamples.get(draw % self.resamples.len().max(1)) else { return prediction.cycles };
        let standard = prediction.features.iter().zip(&self.means).zip(&self.scales).map(|((x, m), s)| (x - m) / s);
        let trained = FEATURES.len() - 1;
        let sum: f64 = standard.take(trained).zip(resample).map(|(x, coefficient)| x * coefficient).sum();
        let ratio = sum + resample.get(trained).copied().unwrap_or(0.0) + prediction.features[trained];
        eq::total(prediction.comp, prediction.mem, eq::t_overlap(ratio, prediction.comp, prediction.mem))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(noise: f64) -> Fit {
        let (n, zeros) = (FEATURES.len(), vec![0.0; FEATURES.len()]);
        Fit {
            coefficients: zeros.clone(),
            means: zeros.clone(),
            scales: vec![1.0; n],
            constant: 0.0,
            lambda: 1.0,
            error: 0.1,
            ranges: vec![(0.0, 1.0); n],
            rows: 20,
            kernels: 4,
            noise,
            resamples: vec![zeros; 3],
        }
    }

    fn placement(comp: f64) -> Prediction {
        Prediction { cycles: comp, comp, mem: 0.0, ..Prediction::default() }
    }

    #[test]
    fn far_apart_is_sure_and_equal_is_a_coin() {
        let sure = fit(0.05).chances(&[placement(100.0), placement(200.0)]);
        assert_eq!((sure[0].best, sure[1].best), (1.0, 0.0));
        let coin = fit(0.05).chances(&[placement(100.0), placement(100.0)]);
        assert!((coin[0].best - 0.5).abs() < 0.06 && (coin[1].not_behind - 0.5).abs() < 0.06, "{coin:?}");
        // 10 % apart with noise of 10 % each: the second is ahead where a normal number is below -ln 1.1 / (0.1 √2),
        // 25 %.
        let close = fit(0.1).chances(&[placement(100.0), placement(110.0)]);
        assert!((close[1].not_behind - 0.25).abs() < 0.05, "{close:?}");
        assert_eq!(close[0].not_behind, 1.0);
        assert!(fit(0.1).chances(&[]).is_empty());
    }

    #[test]
    fn resamples_decide_where_there_is_no_noise() {
        let mut unsure = fit(0.0);
        // One resample of three hides all of the second placement's memory time.
        unsure.resamples[1][FEATURES.len() - 1] = 1.0;
        let second = Prediction { cycles: 120.0, comp: 80.0, mem: 40.0, ..Prediction::default() };
        let chances = unsure.chances(&[placement(100.0), second]);
        assert!((chances[1].best - 1.0 / 3.0).abs() < 0.01, "{chances:?}");
    }
}
