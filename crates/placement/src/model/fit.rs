//! Training of Toverlap (equation 11) by ridge regression of the overlap ratio on the memory events.
//!
//! In: predictions with measured times, by kernel. Out: a [`Fit`].
//!
//! The last feature is the overlap by chains, and its coefficient is fixed at 1. The regression learns the difference
//! to it, so a large penalty leaves the overlap by chains unchanged. The other features are standardised. Each row is
//! weighted by Tmem over its measured time, so that the regression minimises the relative error of T. The penalty is
//! chosen by cross-validation that leaves out one kernel at a time. Least squares are solved by Householder
//! reflections, with the rows of the penalty below the data.
//!
//! No coefficients are shipped. On kernels and GPUs that were both left out, training made the ranking of placements
//! worse. A user can train on measured times.

use crate::model::equations as eq;
use crate::model::evaluator::Prediction;
use crate::model::settings::{Overlap, FEATURES};
use base::Random;
use std::collections::BTreeSet;

/// A placement with its prediction and its measured time.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Name of the kernel. Cross-validation leaves out whole kernels.
    pub kernel: String,
    /// Tcomp, cycles.
    pub comp: f64,
    /// Tmem, cycles.
    pub mem: f64,
    /// Values of the [`FEATURES`] in equation 11.
    pub features: [f64; FEATURES.len()],
    /// Measured time, cycles.
    pub measured: f64,
}

impl Sample {
    /// A sample from a prediction and a measured time in cycles.
    pub fn new(kernel: &str, prediction: &Prediction, measured: f64) -> Self {
        let Prediction { comp, mem, features, .. } = *prediction;
        Self { kernel: kernel.into(), comp, mem, features, measured }
    }

    /// The ratio that makes the prediction exact, (Tcomp + Tmem − T) / Tmem, minus the overlap by chains.
    fn ratio(&self) -> f64 {
        (self.comp + self.mem - self.measured) / self.mem.max(1e-9) - self.features[TRAINED]
    }

    fn weight(&self) -> f64 {
        self.mem / self.measured.max(1e-9)
    }
}

/// Number of features with a trained coefficient, which are all but the last.
const TRAINED: usize = FEATURES.len() - 1;

/// A trained overlap.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// Coefficients of the standardised features.
    pub coefficients: Vec<f64>,
    /// Means of the features.
    pub means: Vec<f64>,
    /// Standard deviations of the features; 1 for a constant feature.
    pub scales: Vec<f64>,
    /// Constant term of the ratio.
    pub constant: f64,
    /// Penalty of the regression.
    pub lambda: f64,
    /// Mean relative error of T on left-out kernels.
    pub error: f64,
    /// Smallest and largest value of each feature in training.
    pub ranges: Vec<(f64, f64)>,
    /// Number of training rows.
    pub rows: usize,
    /// Number of training kernels.
    pub kernels: usize,
    /// Spread of the errors within one kernel, as the standard deviation of their logarithms about the kernel's mean,
    /// on left-out kernels.
    pub noise: f64,
    /// Coefficients and constants from bootstrap resamples of the training kernels, with a fixed seed.
    pub resamples: Vec<Vec<f64>>,
}

/// Number of bootstrap resamples in [`Fit::resamples`], and their seed.
const RESAMPLES: usize = 32;
const SEED: u64 = 7;

/// Smallest numbers of rows and kernels that a training accepts.
pub const FEWEST: (usize, usize) = (15, 3);

impl Fit {
    /// The fit as a value of [`crate::Settings::overlap`].
    pub fn overlap(&self) -> Overlap {
        Overlap::Regression {
            coefficients: self.coefficients.clone(),
            means: self.means.clone(),
            scales: self.scales.clone(),
            constant: self.constant,
        }
    }

    /// Names of the features that lie outside the range of the training.
    pub fn outside(&self, features: &[f64]) -> Vec<&'static str> {
        let far = |(x, (low, high)): (&f64, &(f64, f64))| *x < low - 1e-9 || *x > high + 1e-9;
        let each = features.iter().zip(&self.ranges).zip(FEATURES);
        each.filter(|(pair, _)| far(*pair)).map(|(_, name)| name).collect()
    }

    fn predict(&self, sample: &Sample) -> f64 {
        let standard: Vec<f64> =
            sample.features.iter().zip(&self.means).zip(&self.scales).map(|((x, m), s)| (x - m) / s).collect();
        let ratio = eq::overlap_ratio(&standard, &self.coefficients, self.constant);
        eq::total(sample.comp, sample.mem, eq::t_overlap(ratio, sample.comp, sample.mem))
    }
}

/// Trains on `samples`. `None` with fewer than [`FEWEST`] rows or kernels.
pub fn fit(samples: &[Sample]) -> Option<Fit> {
    let kernels: BTreeSet<&str> = samples.iter().map(|sample| sample.kernel.as_str()).collect();
    if samples.len() < FEWEST.0 || kernels.len() < FEWEST.1 {
        return None;
    }
    let mut best: Option<(f64, f64)> = None;
    for step in 0..17 {
        let lambda = libm::pow(10.0, f64::from(step) / 2.0 - 3.0);
        let error = kernels.iter().map(|left_out| {
            let train: Vec<&Sample> = samples.iter().filter(|sample| sample.kernel != *left_out).collect();
            let fitted = with_penalty(&train, lambda);
            let held: Vec<f64> = samples
                .iter()
                .filter(|sample| sample.kernel == *left_out)
                .map(|sample| (fitted.predict(sample) / sample.measured - 1.0).abs())
                .collect();
            held.iter().sum::<f64>() / held.len().max(1) as f64
        });
        let error = error.sum::<f64>() / kernels.len() as f64;
        if best.is_none_or(|(least, _)| error < least) {
            best = Some((error, lambda));
        }
    }
    let (error, lambda) = best?;
    let all: Vec<&Sample> = samples.iter().collect();
    let fit = with_penalty(&all, lambda);
    let by_kernel: Vec<Vec<&Sample>> =
        kernels.iter().map(|kernel| samples.iter().filter(|sample| sample.kernel == *kernel).collect()).collect();
    let (noise, resamples) = (noise(&by_kernel, lambda), resamples(&by_kernel, &fit));
    Some(Fit { error, kernels: kernels.len(), noise, resamples, ..fit })
}

/// [`Fit::noise`].
fn noise(by_kernel: &[Vec<&Sample>], lambda: f64) -> f64 {
    let (mut squares, mut count) = (0.0, 0.0);
    for (left_out, held) in by_kernel.iter().enumerate() {
        let train =
            by_kernel.iter().enumerate().filter(|(i, _)| *i != left_out).flat_map(|(_, list)| list.iter().copied());
        let fitted = with_penalty(&train.collect::<Vec<_>>(), lambda);
        let logs: Vec<f64> = held.iter().map(|sample| libm::log(fitted.predict(sample) / sample.measured)).collect();
        let mean = logs.iter().sum::<f64>() / logs.len().max(1) as f64;
        squares += logs.iter().map(|log| (log - mean) * (log - mean)).sum::<f64>();
        count += logs.len() as f64;
    }
    libm::sqrt(squares / f64::max(count, 1.0))
}

/// [`Fit::resamples`].
fn resamples(by_kernel: &[Vec<&Sample>], fit: &Fit) -> Vec<Vec<f64>> {
    let mut random = Random::new(SEED);
    let one = |random: &mut Random| {
        let draws = (0..by_kernel.len()).map(|_| random.below(by_kernel.len() as u64) as usize);
        let train: Vec<&Sample> = draws.flat_map(|kernel| by_kernel[kernel].iter().copied()).collect();
        solve(&train, fit.lambda, &fit.means, &fit.scales)
    };
    (0..RESAMPLES).map(|_| one(&mut random)).collect()
}

fn with_penalty(samples: &[&Sample], lambda: f64) -> Fit {
    let n = samples.len().max(1) as f64;
    let column = |i: usize| samples.iter().map(move |sample| sample.features[i]);
    let mut means: Vec<f64> = (0..TRAINED).map(|i| column(i).sum::<f64>() / n).collect();
    let spread = |(i, mean): (usize, &f64)| libm::sqrt(column(i).map(|x| (x - mean) * (x - mean)).sum::<f64>() / n);
    let mut scales: Vec<f64> = means.iter().enumerate().map(spread).map(|s| if s > 1e-12 { s } else { 1.0 }).collect();
    let mut solution = solve(samples, lambda, &means, &scales);
    let constant = solution.pop().unwrap_or(0.0);
    solution.push(1.0);
    means.push(0.0);
    scales.push(1.0);
    let range =
        |i: usize| column(i).fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    let ranges = (0..FEATURES.len()).map(range).collect();
    Fit {
        coefficients: solution,
        means,
        scales,
        constant,
        lambda,
        error: 0.0,
        ranges,
        rows: samples.len(),
        kernels: 0,
        noise: 0.0,
        resamples: Vec::new(),
    }
}

/// The coefficients of the standardised features, and the constant as the last number.
fn solve(samples: &[&Sample], lambda: f64, means: &[f64], scales: &[f64]) -> Vec<f64> {
    let width = TRAINED + 1;
    let mut rows: Vec<Vec<f64>> = Vec::with_capacity(samples.len() + width);
    for sample in samples {
        let weight = sample.weight();
        let standard = sample.features[..TRAINED].iter().zip(means).zip(scales).map(|((x, m), s)| weight * (x - m) / s);
        rows.push(standard.chain([weight, weight * sample.ratio()]).collect());
    }
    for i in 0..width {
        let mut row = vec![0.0; width + 1];
        row[i] = libm::sqrt(lambda);
        rows.push(row);
    }
    least_squares(rows, width)
}

/// Solves rows of `width` factors and a right-hand side by least squares.
fn least_squares(mut rows: Vec<Vec<f64>>, width: usize) -> Vec<f64> {
    for k in 0..width {
        let norm = libm::sqrt(rows[k..].iter().map(|row| row[k] * row[k]).sum::<f64>());
        if norm == 0.0 {
            continue;
        }
        let head = if rows[k][k] > 0.0 { -norm } else { norm };
        let mut mirror: Vec<f64> = rows[k..].iter().map(|row| row[k]).collect();
        mirror[0] -= head;
        let square: f64 = mirror.iter().map(|x| x * x).sum();
        for j in k..=width {
            let dot: f64 = rows[k..].iter().zip(&mirror).map(|(row, m)| row[j] * m).sum();
            let factor = 2.0 * dot / square;
            rows[k..].iter_mut().zip(&mirror).for_each(|(row, m)| row[j] -= factor * m);
        }
    }
    let mut x = vec![0.0; width];
    for k in (0..width).rev() {
        let rest: f64 = (k + 1..width).map(|j| rows[k][j] * x[j]).sum();
        x[k] = if rows[k][k].abs() > 1e-12 { (rows[k][width] - rest) / rows[k][k] } else { 0.0 };
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(kernels: usize, rows: usize, noise: f64) -> Vec<Sample> {
        let mut random = Random::new(3);
        (0..kernels * rows)
            .map(|i| {
                let mut features: [f64; FEATURES.len()] = std::array::from_fn(|_| random.unit());
                features[TRAINED] *= 0.3;
                let ratio = features[TRAINED] + 0.1 + 0.4 * features[0] - 0.2 * features[5] + noise * random.normal();
                let (comp, mem) = (4e4, 1e4);
                Sample { kernel: format!("k{}", i % kernels), comp, mem, features, measured: comp + mem - ratio * mem }
            })
            .collect()
    }

    #[test]
    fn a_linear_truth_beside_the_chains_is_found() {
        let fitted = fit(&samples(6, 20, 0.0)).expect("enough rows");
        assert!(fitted.error < 1e-3, "{}", fitted.error);
        let slope = |i: usize| fitted.coefficients[i] / fitted.scales[i];
        assert!((slope(0) - 0.4).abs() < 0.01 && (slope(5) + 0.2).abs() < 0.01 && slope(3).abs() < 0.01);
        assert_eq!(slope(TRAINED), 1.0);
        assert_eq!((fitted.rows, fitted.kernels), (120, 6));
    }

    #[test]
    fn noise_asks_for_a_larger_penalty() {
        let clean = fit(&samples(4, 6, 0.0)).expect("enough rows");
        let noisy = fit(&samples(4, 6, 0.4)).expect("enough rows");
        assert!(noisy.lambda > clean.lambda, "{} {}", noisy.lambda, clean.lambda);
    }

    #[test]
    fn too_little_is_refused_and_far_features_are_named() {
        assert!(fit(&samples(2, 20, 0.0)).is_none());
        assert!(fit(&samples(3, 4, 0.0)).is_none());
        let fitted = fit(&samples(5, 5, 0.1)).expect("enough rows");
        let mut features = [0.5; FEATURES.len()];
        features[TRAINED] = 0.1;
        assert!(fitted.outside(&features).is_empty());
        features[6] = 7.0;
        assert_eq!(fitted.outside(&features), ["bank conflicts"]);
    }

    #[test]
    fn least_squares_by_hand() {
        // The line through (0, 1), (1, 3), (2, 5) and, off it, (3, 6): y = 1.2 + 1.7 x.
        let rows = [(0.0, 1.0), (1.0, 3.0), (2.0, 5.0), (3.0, 6.0)].map(|(x, y)| vec![x, 1.0, y]).to_vec();
        let found = least_squares(rows, 2);
        assert!((found[0] - 1.7).abs() < 1e-12 && (found[1] - 1.2).abs() < 1e-12, "{found:?}");
    }
}
