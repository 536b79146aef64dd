//! Significance of a change (thesis 3.3.4). `change_interval` bounds its position.
//!
//! The Kolmogorov–Smirnov bound holds for a split that was chosen in advance. The largest D over all splits exceeds it
//! far more often than α. The permutation test uses the largest D itself, so its p-value is valid.

use crate::change::{largest_scaled_d, ranks};
use base::Random;

/// Two-sample Kolmogorov–Smirnov D = max |F − G| (thesis eq. 3.2); 0 if a sample is empty.
pub fn ks_two_sample(a: &[f64], b: &[f64]) -> f64 {
    let (a, b) = (crate::latency::sorted(a), crate::latency::sorted(b));
    let (mut i, mut j, mut d) = (0, 0, 0.0_f64);
    while i < a.len() && j < b.len() {
        let x = a[i].min(b[j]);
        i += a[i..].iter().take_while(|v| **v <= x).count();
        j += b[j..].iter().take_while(|v| **v <= x).count();
        d = d.max((i as f64 / a.len() as f64 - j as f64 / b.len() as f64).abs());
    }
    d
}

/// Critical D at level `alpha` for samples of `n` and `m` values, sqrt(−½ ln(α/2) · (n + m)/(n m)). The minus sign is
/// missing in thesis eq. 3.3.
pub fn ks_critical(alpha: f64, n: usize, m: usize) -> f64 {
    let (n, m) = (n as f64, m as f64);
    libm::sqrt(-0.5 * libm::log(alpha / 2.0) * (n + m) / (n * m))
}

/// Probability that a series without a change has a largest scaled D as large as this one, from `draws` shuffles. It
/// is at least 1 / (`draws` + 1).
///
/// The statistic is the largest D·sqrt(nm/(n + m)) over all splits. D itself is unsuitable. It is 1 whenever the
/// largest or smallest value comes first or last, and in a shuffled series that has a probability of about 4/T. Even a
/// perfect step could not get a smaller p-value.
pub fn permutation_p(series: &[f64], draws: u32, random: &mut Random) -> f64 {
    if series.len() < 2 {
        return 1.0;
    }
    let (mut order, counts) = ranks(series);
    let own = largest_scaled_d(&order, &counts);
    let mut as_large = 1_u32;
    for _ in 0..draws {
        for i in (1..order.len()).rev() {
            order.swap(i, random.below(i as u64 + 1) as usize);
        }
        as_large += u32::from(largest_scaled_d(&order, &counts) >= own - 1e-12);
    }
    f64::from(as_large) / (f64::from(draws) + 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::max_ks;

    #[test]
    fn critical_values_are_those_of_the_tables() {
        // Tables of the large-sample test give 1.358 and 1.628 times sqrt((n + m) / (n m)).
        for (alpha, factor) in [(0.05, 1.358), (0.01, 1.628)] {
            let unit = (30.0_f64 / 200.0).sqrt();
            assert!((ks_critical(alpha, 10, 20) / unit - factor).abs() < 1e-3);
        }
    }

    #[test]
    fn d_of_two_samples() {
        assert_eq!(ks_two_sample(&[1.0, 1.0, 2.0], &[3.0, 4.0]), 1.0);
        assert_eq!(ks_two_sample(&[1.0, 2.0], &[1.0, 2.0]), 0.0);
        assert_eq!(ks_two_sample(&[1.0, 2.0, 2.0, 3.0], &[2.0]), 0.25);
        let series = [0.0, 1.0, 0.5, 7.0, 8.0];
        let split = max_ks(&series).expect("a split");
        assert_eq!(split.strength, ks_two_sample(&series[..split.index], &series[split.index..]));
    }

    #[test]
    fn a_real_change_has_the_least_p() {
        let series: Vec<f64> = (0..60).map(|i| f64::from(i % 3) + f64::from(i >= 40) * 20.0).collect();
        let mut random = Random::new(1);
        assert_eq!(permutation_p(&series, 199, &mut random), 1.0 / 200.0);
    }
}
