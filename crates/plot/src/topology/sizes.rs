//! An axis of array sizes. It is straight over a narrow range and logarithmic over a wide one.
//!
//! In: the sizes.
//! Out: positions on the axis, and ticks at round sizes that keep their labels apart.

use crate::axes::Axis;
use crate::range::{Range, Span};
use crate::theme::text_width;
use lab::size_text;
use plotters::style::RGBColor;

/// The greatest range in octaves that a straight axis shows.
const STRAIGHT: f64 = 8.0;

/// An axis of array sizes.
pub(super) struct SizeAxis {
    first: f64,
    end: f64,
    octaves: bool,
    /// True if the ticks are powers of two.
    doubling: bool,
    ticks: Vec<f64>,
    step: f64,
}

impl SizeAxis {
    /// Makes an axis over ascending sizes that is `width` px long. Returns `None` if there are no sizes.
    pub fn of(sizes: &[f64], width: u32) -> Option<Self> {
        let (first, last) = (*sizes.first()?, *sizes.last()?);
        if first <= 0.0 || !last.is_finite() {
            return None;
        }
        Some(Self::new(first, last, last / first > STRAIGHT, width))
    }

    /// Makes the axis of a part of the sizes, on the same kind of scale as that of all.
    pub fn zoomed(sizes: &[f64], width: u32, range: Range) -> Option<Self> {
        let whole = Self::of(sizes, width)?;
        if range == Range::WHOLE {
            return Some(whole);
        }
        let Span { start, stop } = range.span(whole.end);
        Some(Self::new(whole.bytes(start), whole.bytes(stop), whole.octaves, width))
    }

    /// Makes a straight axis, however wide its range is.
    pub fn straight([first, last]: [f64; 2], width: u32) -> Option<Self> {
        (first > 0.0 && last.is_finite()).then(|| Self::new(first, last, false, width))
    }

    fn new(first: f64, last: f64, octaves: bool, width: u32) -> Self {
        let end = if octaves { libm::log2(last / first) } else { (last - first).max(first / 64.0) };
        let doubling = octaves && last / first > STRAIGHT;
        let mut axis = Self { first, end, octaves, doubling, ticks: Vec::new(), step: 1.0 };
        axis.choose_ticks(width);
        axis
    }

    fn choose_ticks(&mut self, width: u32) {
        let last = self.bytes(self.end);
        // Each try has fewer ticks. A hundred tries end with one tick or none.
        for i in 0..100 {
            self.step = if self.doubling { f64::from(i + 1) } else { 32.0 * libm::exp2(f64::from(i)) };
            let least = if self.doubling { libm::log2(self.first) } else { self.first / self.step };
            let round = |n: i32| match self.doubling {
                true => libm::exp2(libm::ceil(least) + f64::from(n) * self.step),
                false => (libm::ceil(least) + f64::from(n)) * self.step,
            };
            let sizes: Vec<f64> = (0..64).map(round).take_while(|size| *size <= last * (1.0 + 1e-9)).collect();
            self.ticks = sizes.iter().map(|size| self.at(*size)).collect();
            let widest = self.ticks.iter().map(|at| text_width(&self.label(*at)) + 14).max().unwrap_or(0);
            if sizes.len() < 64 && f64::from(widest) * sizes.len() as f64 <= f64::from(width) {
                return;
            }
        }
    }

    /// Converts a size to a position. Sizes beyond the axis have positions beyond its ends.
    pub fn at(&self, bytes: f64) -> f64 {
        if self.octaves {
            libm::log2(bytes / self.first)
        } else {
            bytes - self.first
        }
    }

    /// Converts a size to the nearest position that the axis has.
    pub fn clamped(&self, bytes: f64) -> f64 {
        self.at(bytes).clamp(0.0, self.end)
    }

    /// Returns true if the axis has the size.
    pub fn has(&self, bytes: f64) -> bool {
        (-1e-9..=self.end + 1e-9).contains(&self.at(bytes))
    }

    /// Cuts a line whose positions come from [`Self::at`].
    pub fn line(&self, points: &[(f64, f64)]) -> Vec<(f64, f64)> {
        Span { start: 0.0, stop: self.end }.line(points)
    }

    /// The size at a position.
    fn bytes(&self, at: f64) -> f64 {
        if self.octaves {
            self.first * libm::exp2(at)
        } else {
            self.first + at
        }
    }

    /// Formats the size at a position.
    pub fn label(&self, at: f64) -> String {
        let bytes = libm::round(self.bytes(at)) as u64;
        // Between whole KiB only a label in bytes distinguishes two ticks.
        if !self.doubling && self.step < 1024.0 {
            format!("{bytes} B")
        } else {
            size_text(bytes)
        }
    }

    /// Returns the axis for [`crate::axes::chart`].
    pub fn axis<'l>(&self, label: &'l dyn Fn(&f64) -> String, color: RGBColor) -> Axis<'l> {
        Axis { end: self.end, ticks: self.ticks.clone(), label, title: "Array size", color }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_few() {
        let narrow = SizeAxis::of(&[236_000.0, 240_000.0], 700).expect("an axis");
        let labels: Vec<String> = narrow.ticks.iter().map(|at| narrow.label(*at)).collect();
        assert!(labels.len() > 3 && labels.iter().all(|label| label.ends_with(" B")), "{labels:?}");
        let wide = SizeAxis::of(&[4096.0, 67_108_864.0], 700).expect("an axis");
        let labels: Vec<String> = wide.ticks.iter().map(|at| wide.label(*at)).collect();
        assert_eq!(labels.first().map(String::as_str), Some("4 KiB"));
        assert!((4..=14).contains(&labels.len()), "{labels:?}");
        assert!(SizeAxis::of(&[], 700).is_none() && SizeAxis::of(&[0.0, 5.0], 700).is_none());
        assert!(SizeAxis::of(&[5.0], 700).is_some(), "one size is a point");
    }
}
