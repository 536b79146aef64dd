//! The chart of raw load times by array size, before any reduction.
//!
//! In: a [`SizeCurve`].
//! Out: the median as a line, the range from 5 to 95 % as a dark band, and the range from the least to the largest as a
//! light band. The scale ends a little above the 95 % values, so a largest time may leave the picture. The table beside
//! the chart has its number.

use crate::axes::{draw_axes, round_step, si, ticks, Axis, Canvas, RIGHT};
use crate::marks::{decimal, mark_long_axis, mark_points, whole};
use crate::range::Range;
use crate::theme::{Theme, COMPULSORY};
use crate::topology::sizes::SizeAxis;
use crate::DrawResult;
use lab::{SizeCurve, TimeQuantiles};
use plotters::element::{PathElement, Polygon};
use plotters::style::Color;

pub(super) fn draw(canvas: &Canvas<'_>, theme: &Theme, curve: &SizeCurve, range: Range) -> DrawResult {
    let (width, _) = canvas.dim_in_pixel();
    let sizes: Vec<f64> = curve.sizes.iter().map(|size| *size as f64).collect();
    let top = curve.times.iter().map(|times| times[3]).fold(0.0, f64::max) * 1.15;
    let Some(axis) = SizeAxis::zoomed(&sizes, width.saturating_sub(60 + RIGHT), range).filter(|_| top > 0.0) else {
        return crate::axes::draw_message(canvas, theme, "no times");
    };
    let step = round_step(top / 5.0);
    let top = (top / step).ceil() * step;
    let y = Axis { end: top, ticks: ticks(step, top), label: &|n| si(*n), title: "Time (cycles)", color: theme.text };
    let label = |at: &f64| axis.label(*at);
    let chart = draw_axes(canvas, theme, &axis.axis(&label, theme.text), &y, None)?;
    let area = chart.plotting_area();
    let place = |i: usize, of: usize| (axis.at(sizes[i]), curve.times[i][of].min(top));
    let line = |of: usize| axis.line(&(0..sizes.len()).map(|i| place(i, of)).collect::<Vec<_>>());
    let band = |low: usize, high: usize| -> Vec<(f64, f64)> {
        line(low).into_iter().chain(line(high).into_iter().rev()).collect()
    };
    const _: () = assert!(std::mem::size_of::<TimeQuantiles>() == 40, "least, 5 %, median, 95 %, largest");
    area.draw(&Polygon::new(band(0, 4), theme.hits.mix(0.35)))?;
    area.draw(&Polygon::new(band(1, 3), COMPULSORY.mix(0.45)))?;
    area.draw(&PathElement::new(line(2), theme.text.stroke_width(if width < 500 { 1 } else { 2 })))?;
    let x_end = axis.axis(&label, theme.text).end;
    let places: Vec<f64> = sizes.iter().map(|size| axis.at(*size)).collect();
    mark_points(&chart, x_end, &places, &|i| {
        let [least, low, median, high, most] = curve.times[i].map(|time| decimal(time, 1));
        format!("{} bytes\nmedian {median} cycles\n5 to 95 %: {low} to {high}\nall: {least} to {most}", whole(sizes[i]))
    })?;
    mark_long_axis(&chart, x_end)?;
    Ok(())
}
