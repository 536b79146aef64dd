//! The chart of raw load times by array size, before any reduction.
//!
//! In: a [`SizeCurve`].
//! Out: the median as a line, the range from 5 to 95 % as a dark band, and the range from the least to the largest as a
//! light band. The scale ends a little above the 95 % values, so a largest time may leave the picture. The table beside
//! the chart has its number.

use crate::axes::{draw_axes, round_step, si, ticks, Axis, Canvas, RIGHT};
use crate::theme::{Theme, COMPULSORY};
use crate::topology::sizes::SizeAxis;
use crate::DrawResult;
use lab::{SizeCurve, TimeQuantiles};
use plotters::element::{PathElement, Polygon};
use plotters::style::Color;

pub(super) fn draw(canvas: &Canvas<'_>, theme: &Theme, curve: &SizeCurve) -> DrawResult {
    let (width, _) = canvas.dim_in_pixel();
    let sizes: Vec<f64> = curve.sizes.iter().map(|size| *size as f64).collect();
    let top = curve.times.iter().map(|times| times[3]).fold(0.0, f64::max) * 1.15;
    let Some(axis) = SizeAxis::of(&sizes, width.saturating_sub(60 + RIGHT)).filter(|_| top > 0.0) else {
        return crate::axes::draw_message(canvas, theme, "no times");
    };
    let step = round_step(top / 5.0);
    let top = (top / step).ceil() * step;
    let y = Axis { end: top, ticks: ticks(step, top), label: &|n| si(*n), title: "Time (cycles)", color: theme.text };
    let label = |at: &f64| axis.label(*at);
    let chart = draw_axes(canvas, theme, &axis.axis(&label, theme.text), &y, None)?;
    let area = chart.plotting_area();
    let place = |i: usize, of: usize| (axis.at(sizes[i]), curve.times[i][of].min(top));
    let band = |low: usize, high: usize| -> Vec<(f64, f64)> {
        let up = (0..sizes.len()).map(|i| place(i, low));
        up.chain((0..sizes.len()).rev().map(|i| place(i, high))).collect()
    };
    const _: () = assert!(std::mem::size_of::<TimeQuantiles>() == 40, "least, 5 %, median, 95 %, largest");
    area.draw(&Polygon::new(band(0, 4), theme.hits.mix(0.35)))?;
    area.draw(&Polygon::new(band(1, 3), COMPULSORY.mix(0.45)))?;
    let median: Vec<(f64, f64)> = (0..sizes.len()).map(|i| place(i, 2)).collect();
    area.draw(&PathElement::new(median, theme.text.stroke_width(if width < 500 { 1 } else { 2 })))?;
    Ok(())
}
