//! The chart of the times of one walk, load by load. Misses stand out, and the distance between them is the line or the
//! sector.
//!
//! In: a [`WalkOutcome`].
//! Out: one upright line per load. If there are slow and fast loads, slow loads have another colour and a line marks
//! the limit. The scale ends above the 95 % value of the slow loads, so outliers may leave the picture.

use crate::axes::{draw_axes, round_step, si, ticks, Axis, Canvas, RIGHT};
use crate::marks::{decimal, mark_points};
use crate::theme::{Theme, CAPACITY};
use crate::topology::sizes::SizeAxis;
use crate::DrawResult;
use lab::WalkOutcome;
use plotters::element::PathElement;
use plotters::style::Color;

/// The greatest number of loads that are drawn. Lines of more loads would merge.
const MOST: usize = 160;

pub(super) fn draw(canvas: &Canvas<'_>, theme: &Theme, walk: &WalkOutcome) -> DrawResult {
    let (width, _) = canvas.dim_in_pixel();
    let times = &walk.times[..walk.times.len().min(MOST)];
    let mut sorted = walk.times.clone();
    sorted.sort_by(f64::total_cmp);
    let slow = &sorted[walk.slow_from.map_or(0, |from| sorted.partition_point(|time| *time <= from))..];
    let Some(high) = slow.get(slow.len().saturating_sub(1) * 19 / 20) else {
        return crate::axes::draw_message(canvas, theme, "no times");
    };
    let step = round_step(high * 1.2 / 5.0);
    let top = (high * 1.2 / step).ceil() * step;
    let y = Axis { end: top, ticks: ticks(step, top), label: &|n| si(*n), title: "Time (cycles)", color: theme.text };
    // The first load is drawn at one stride, because an axis of sizes has no zero.
    let stride = walk.stride as f64;
    let ends = [stride, stride * (times.len() as f64 + 1.0)];
    let inner = width.saturating_sub(60 + RIGHT);
    let Some(axis) = SizeAxis::straight(ends, inner) else {
        return crate::axes::draw_message(canvas, theme, "no times");
    };
    let label = |at: &f64| axis.label(*at);
    let mut x = axis.axis(&label, theme.text);
    x.title = "Address in the array";
    let chart = draw_axes(canvas, theme, &x, &y, None)?;
    let area = chart.plotting_area();
    let thick = (inner / (2 * times.len().max(1) as u32)).clamp(1, 6);
    for (i, time) in times.iter().enumerate() {
        let at = axis.at(stride * (i as f64 + 1.0));
        let color = if walk.slow_from.is_some_and(|from| *time > from) { CAPACITY } else { theme.axis };
        area.draw(&PathElement::new([(at, 0.0), (at, time.min(top))], color.stroke_width(thick)))?;
    }
    if let Some(from) = walk.slow_from.filter(|from| *from < top) {
        area.draw(&PathElement::new([(0.0, from), (x.end, from)], theme.text.stroke_width(1)))?;
    }
    let places: Vec<f64> = (0..times.len()).map(|i| axis.at(stride * (i as f64 + 1.0))).collect();
    mark_points(&chart, x.end, &places, &|i| {
        let slow = if walk.slow_from.is_some_and(|from| times[i] > from) { ", slow" } else { "" };
        format!("Load {}\nbyte {}\n{} cycles{slow}", i + 1, stride * i as f64, decimal(times[i], 1))
    })
}
