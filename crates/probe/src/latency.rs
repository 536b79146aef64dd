//! Statistics of load times. In: times in cycles. Out: mean, standard deviation and percentiles.

/// Statistics of the times of one memory, cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Latency {
    /// Arithmetic mean.
    pub mean: f64,
    /// Sample standard deviation (n − 1), as in mt4g's JSON; 0 for one value.
    pub deviation: f64,
    /// Median, linearly interpolated.
    pub p50: f64,
    /// 95th percentile, linearly interpolated.
    pub p95: f64,
    /// Number of times.
    pub count: usize,
}

impl Latency {
    /// Statistics of all times, as in mt4g; `None` without times.
    pub fn from_times(times: &[f64]) -> Option<Self> {
        if times.is_empty() {
            return None;
        }
        let n = times.len() as f64;
        let mean = times.iter().sum::<f64>() / n;
        let deviation = libm::sqrt(times.iter().map(|t| (t - mean) * (t - mean)).sum::<f64>() / (n - 1.0).max(1.0));
        let sorted = sorted(times);
        let (p50, p95) = (quantile(&sorted, 0.5), quantile(&sorted, 0.95));
        Some(Self { mean, deviation, p50, p95, count: times.len() })
    }

    /// Statistics of the times within eight spreads of the median. A spread is 1.4826 median deviations and at least
    /// one cycle. Other kernels, refreshes and the first load therefore do not change the mean.
    pub fn without_outliers(times: &[f64]) -> Option<Self> {
        let (centre, spread) = centre_and_spread(times);
        let reach = 8.0 * spread.max(1.0);
        let kept: Vec<f64> = times.iter().copied().filter(|t| (t - centre).abs() <= reach).collect();
        Self::from_times(&kept)
    }
}

/// Quantile `q` of sorted values, interpolated linearly between the two nearest values; 0 without values.
pub fn quantile(sorted: &[f64], q: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return 0.0 };
    let place = q.clamp(0.0, 1.0) * last as f64;
    let below = (place as usize).min(last);
    let above = (below + 1).min(last);
    let share = place - below as f64;
    // The order of operations is that of mt4g, so that results agree to the last bit.
    sorted[below] * (1.0 - share) + sorted[above] * share
}

pub(super) fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// Median, and the median deviation from it times 1.4826, which is the standard deviation of normal values.
pub(super) fn centre_and_spread(values: &[f64]) -> (f64, f64) {
    let centre = quantile(&sorted(values), 0.5);
    let deviations: Vec<f64> = values.iter().map(|v| (v - centre).abs()).collect();
    (centre, 1.4826 * quantile(&sorted(&deviations), 0.5))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_interpolated() {
        let all = Latency::from_times(&[4.0, 1.0, 3.0, 2.0]).expect("times");
        assert_eq!((all.mean, all.p50, all.count), (2.5, 2.5, 4));
        assert!((all.p95 - 3.85).abs() < 1e-12 && (all.deviation - (5.0_f64 / 3.0).sqrt()).abs() < 1e-12);
        assert_eq!(Latency::from_times(&[]), None);
    }

    #[test]
    fn outliers_do_not_move_the_mean() {
        let mut times = vec![30.0; 40];
        times.extend([900.0, 1200.0]);
        assert_eq!(Latency::without_outliers(&times).map(|l| l.mean), Some(30.0));
    }
}
