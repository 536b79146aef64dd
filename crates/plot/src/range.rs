//! The part of a long axis that is drawn.
//!
//! In: two shares of the whole axis, as the page's zoom gives them.
//! Out: the bars in it, or lines that are cut at its ends.

use crate::axes::si;
use crate::marks::whole;

/// The least part of an axis that is drawn.
const LEAST: f64 = 1e-6;

/// A part of an axis, as shares of the whole: from 0 to 1 is all of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    from: f64,
    to: f64,
}

impl Range {
    /// The whole axis.
    pub const WHOLE: Self = Self { from: 0.0, to: 1.0 };

    /// A part of the axis. Ends outside of 0 to 1 are taken as the nearer of the two, and what is no part is the whole.
    #[must_use]
    pub fn new(from: f64, to: f64) -> Self {
        let (from, to) = (from.max(0.0), to.min(1.0));
        if to - from >= LEAST {
            Self { from, to }
        } else {
            Self::WHOLE
        }
    }

    /// The bars of `count` that lie in the range, at least in part.
    pub(super) fn bars(self, count: usize) -> std::ops::Range<usize> {
        // A range that ends between two bars is not exact to the last bit.
        let at = |share: f64| share * count as f64;
        let last = ((at(self.to) - 1e-6).ceil().max(1.0) as usize).min(count);
        let first = ((at(self.from) + 1e-6).floor().max(0.0) as usize).min(last.saturating_sub(1));
        first..last
    }

    /// The part of an axis from 0 to `end`.
    pub(super) fn span(self, end: f64) -> Span {
        Span { start: self.from * end, stop: self.to * end }
    }
}

/// A part of an axis in the axis's own units. It is drawn from 0 on, so places lose [`Span::start`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub start: f64,
    pub stop: f64,
}

impl Span {
    pub fn length(self) -> f64 {
        self.stop - self.start
    }

    /// The places of the multiples of `step`.
    pub fn ticks(self, step: f64) -> Vec<f64> {
        let first = (self.start / step - 1e-9).ceil();
        let count = ((self.stop / step + 1e-9).floor() - first + 1.0).clamp(0.0, 1000.0);
        (0..count as u32).map(|i| (first + f64::from(i)) * step - self.start).collect()
    }

    /// Formats the value at a place. Ticks that three digits do not tell apart get all their digits.
    pub fn label(self, place: f64, step: f64) -> String {
        let value = self.start + place;
        if value >= 1000.0 && step < value / 100.0 {
            whole(value)
        } else {
            si(value)
        }
    }

    /// Moves a line to its place, and cuts what lies outside. The x of `points` ascend.
    pub fn line(self, points: &[(f64, f64)]) -> Vec<(f64, f64)> {
        if points.iter().all(|(x, _)| (self.start..=self.stop).contains(x)) {
            return points.iter().map(|&(x, y)| (x - self.start, y)).collect();
        }
        let mut out: Vec<(f64, f64)> = Vec::new();
        let mut add = |(x, y): (f64, f64)| {
            let point = (x - self.start, y);
            if out.last() != Some(&point) {
                out.push(point);
            }
        };
        for pair in points.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            if b.0 < self.start || a.0 > self.stop {
                continue;
            }
            let cut = |x: f64| match () {
                () if x == a.0 => a,
                () if x == b.0 => b,
                () => (x, a.1 + (b.1 - a.1) * (x - a.0) / (b.0 - a.0)),
            };
            let ends = if a.0 == b.0 { [a, b] } else { [cut(a.0.max(self.start)), cut(b.0.min(self.stop))] };
            ends.into_iter().for_each(&mut add);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_in_part_count_and_none_is_lost() {
        assert_eq!(Range::WHOLE.bars(7), 0..7);
        assert_eq!(Range::new(0.25, 0.5).bars(8), 2..4);
        assert_eq!(Range::new(0.3, 0.55).bars(8), 2..5);
        assert_eq!(Range::new(0.999_999, 1.0).bars(3), 2..3);
        assert_eq!(Range::WHOLE.bars(0), 0..0);
        for odd in [(f64::NAN, f64::NAN), (0.5, 0.5), (2.0, 3.0), (0.7, 0.2)] {
            assert_eq!(Range::new(odd.0, odd.1), Range::WHOLE);
        }
        for n in [3, 10, 1000] {
            let parts: Vec<usize> = (0..n)
                .map(|i| i as f64 / n as f64)
                .flat_map(|from| Range::new(from, from + 1.0 / n as f64).bars(n))
                .collect();
            assert_eq!(parts, (0..n).collect::<Vec<_>>());
        }
    }

    #[test]
    fn lines_are_cut_at_the_ends() {
        let span = Range::new(0.25, 0.75).span(8.0);
        let line = span.line(&[(0.0, 0.0), (4.0, 4.0), (4.0, 8.0), (8.0, 0.0)]);
        assert_eq!(line, [(0.0, 2.0), (2.0, 4.0), (2.0, 8.0), (4.0, 4.0)]);
        assert_eq!(span.line(&[(0.0, 1.0), (1.0, 1.0)]), []);
        assert_eq!(span.line(&[(3.0, 1.0)]), [(1.0, 1.0)]);
        assert_eq!(span.ticks(2.0), [0.0, 2.0, 4.0]);
        let far = Span { start: 1_234_000.0, stop: 1_236_000.0 };
        assert_eq!(far.label(0.0, 500.0), "1\u{202f}234\u{202f}000");
        assert_eq!(Range::WHOLE.span(4000.0).label(2000.0, 1000.0), "2k");
    }
}
