//! The interval of a change point.
//!
//! In: a series with one number per array size, the split at the foot of its rise, and the noise of the flat part.
//! Out: the array sizes between which the change lies, at 95 %.
//!
//! The array sizes are a grid, so a change is at best known to lie between the last size before it and the first size
//! after it. The interval has at least that width. A bootstrap of the split has no such width on a clear step, and it
//! resamples the ramp after the change as if its values came in any order. This module inverts a test instead. A
//! position of the change belongs to the interval unless the series contradicts it:
//!
//! * The rows up to the position are flat. A position behind the foot is excluded by rows that have risen.
//! * The misses grow with a power of the bytes beyond the position, up to the first risen row. The reductions are
//!   norms, so this holds for their squares. A position before the foot is excluded by rows that show no such growth.
//!   The power is 1 for counted misses. A median over `rounds` rounds shows a miss only if most rounds missed, so its
//!   power is the number of rounds that make most of them.
//!
//! The contradiction is the sum of squared deviations in units of the noise. Positions within the χ² limit of the
//! best one remain. Something else than the cache can delay a row, so one row contradicts at most as much as such
//! outliers are rare in the flat part.

use crate::latency::centre_and_spread;

/// The two-sided 95 % limit of a standard normal value.
const NORMAL: f64 = 1.96;

/// A flat row more than this many spreads above the centre is an outlier.
const OUTLIER: f64 = 4.0;

/// The flat part of a series.
#[derive(Clone, Copy, Debug)]
pub(super) struct FlatPart {
    centre: f64,
    spread: f64,
    /// Largest squared deviation from the best position that is within chance.
    limit: f64,
    /// Share of outliers, never zero.
    outliers: f64,
}

impl FlatPart {
    /// The flat part before a split. Its noise is estimated and is at least `least`.
    pub(super) fn estimated(series: &[f64], split: usize, least: f64) -> Self {
        let freedom = (split as f64 - 1.0).max(1.0);
        // The quantile of Student's t by its first two terms, because few rows estimate their noise badly.
        let t = NORMAL + (NORMAL * NORMAL * NORMAL + NORMAL) / (4.0 * freedom);
        let (_, spread) = centre_and_spread(&series[..split]);
        Self { limit: t * t, ..Self::known(series, split, spread.max(least)) }
    }

    /// The flat part before a split, with known noise.
    pub(super) fn known(series: &[f64], split: usize, spread: f64) -> Self {
        let (centre, _) = centre_and_spread(&series[..split]);
        let count = series[..split].iter().filter(|value| **value > centre + OUTLIER * spread).count();
        let outliers = (count as f64 + 0.5) / (split as f64 + 1.0);
        Self { centre, spread, limit: NORMAL * NORMAL, outliers }
    }

    fn is_flat(&self, value: f64) -> bool {
        value <= self.centre + OUTLIER * self.spread
    }

    /// The first split at or after `split` behind which rows stay risen. An outlier before the change looks like the
    /// foot of the rise, but flat rows follow it.
    pub(super) fn stays_risen(&self, series: &[f64], split: usize) -> usize {
        /// Probability that a row beyond the change looks flat.
        const FLAT_AGAIN: f64 = 0.01;
        let (outlier, flat) = (-libm::log(self.outliers), -libm::log(FLAT_AGAIN));
        // The cost of a later split in relation to `split`: outliers are before it, but no flat rows behind it.
        let (mut cost, mut best) = (0.0, (0.0, split));
        for (i, value) in series.iter().enumerate().skip(split) {
            cost += if self.is_flat(*value) { -flat } else { outlier };
            if cost < best.0 {
                best = (cost, i + 1);
            }
        }
        best.1
    }
}

/// A series whose change was estimated.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChangedSeries<'a> {
    /// One number per array size.
    pub(super) series: &'a [f64],
    /// Array sizes in bytes, ascending.
    pub(super) sizes: &'a [u64],
    /// Number of sizes before the estimated change, at least 1 and less than all.
    pub(super) split: usize,
    /// The flat part before the change.
    pub(super) flat: FlatPart,
    /// The power with which squares grow behind the change.
    pub(super) power: f64,
    /// Distance of the possible positions in bytes, such as a line; 0 if unknown.
    pub(super) unit: u64,
}

impl ChangedSeries<'_> {
    /// The sizes between which the change lies at 95 %.
    pub(super) fn interval(&self) -> Option<(u64, u64)> {
        let last = self.sizes.len().min(self.series.len()).checked_sub(1)?;
        let misfits: Vec<f64> = (1..=last + 1).map(|place| self.misfit(place)).collect();
        let best = misfits.iter().copied().fold(f64::INFINITY, f64::min);
        let remains = |place: &usize| *place == self.split || misfits[*place - 1] - best <= self.flat.limit;
        let (mut low, mut high) = (self.split.clamp(1, last + 1), self.split.min(last));
        for place in (1..=last + 1).filter(remains) {
            (low, high) = (low.min(place), high.max(place));
        }
        Some((self.sizes[low - 1], self.sizes[high.min(last)]))
    }

    /// Squared deviation of the series from a change between sizes `place - 1` and `place`, in units of the noise.
    fn misfit(&self, place: usize) -> f64 {
        let Self { series, sizes, flat, .. } = self;
        let from = sizes[place - 1];
        // All positions in the gap are equally possible. Its middle stands for them.
        let next = sizes.get(place).map_or(from, |next| next.saturating_sub(self.unit).max(from));
        let at = (from + next) as f64 / 2.0;
        let risen = self.split.min(series.len() - 1);
        let floor = flat.centre * flat.centre;
        let rise = (series[risen] * series[risen] - floor).max(0.0);
        let reach = (sizes[risen] as f64 - at).max(1.0);
        let most = -2.0 * libm::log(flat.outliers);
        let one = |i: usize| {
            let beyond = ((sizes[i] as f64 - at) / reach).clamp(0.0, 1.0);
            let expected = libm::sqrt(floor + rise * libm::pow(beyond, self.power));
            let off = (series[i] - expected) / flat.spread;
            // An outlier only delays, so a row below its expectation is none.
            if off > 0.0 {
                (off * off).min(most)
            } else {
                off * off
            }
        };
        (0..risen.max(place)).map(one).sum()
    }
}
