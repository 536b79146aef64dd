//! The chart of the reduced series with the change point, its interval, and the results of other estimators.
//!
//! In: a [`ReducedSeries`].
//! Out: a line with a point per array size, the interval as a band, and the change point as an upright line. A short
//! line at the top marks each estimator that differs.

use crate::axes::{draw_axes, round_step, si, ticks, write_text, Axis, Canvas, RIGHT};
use crate::marks::{decimal, mark_long_axis, mark_points, whole};
use crate::range::Range;
use crate::theme::{text_width, Theme, CAPACITY, COMPULSORY};
use crate::topology::sizes::SizeAxis;
use crate::DrawResult;
use lab::{size_text, FoundCache, Reduction, SizeCurve};
use plotters::element::{Circle, PathElement, Rectangle};
use plotters::style::text_anchor::HPos;
use plotters::style::Color;

/// A reduced series with its change point.
pub(super) struct ReducedSeries {
    sizes: Vec<f64>,
    values: Vec<f64>,
    change: Option<f64>,
    interval: Option<(f64, f64)>,
    others: Vec<f64>,
    title: &'static str,
}

impl ReducedSeries {
    pub fn of_curve(curve: &SizeCurve) -> Self {
        Self {
            sizes: curve.sizes.iter().map(|size| *size as f64).collect(),
            values: curve.series.clone(),
            change: curve.change.map(|size| size as f64),
            interval: curve.interval.map(|(low, high)| (low as f64, high as f64)),
            others: curve.estimators.values().map(|size| *size as f64).collect(),
            title: match curve.reduction {
                Reduction::Angle => "Angle (rad)",
                Reduction::Mean => "Mean time (cycles)",
                Reduction::Rms => "RMS excess (cycles)",
                Reduction::Cut | Reduction::Distance | Reduction::Sliding => "Distance (cycles)",
            },
        }
    }

    pub fn of_cache(cache: &FoundCache) -> Self {
        let sweep = cache.sweep.as_ref();
        Self {
            sizes: sweep.map_or(Vec::new(), |sweep| sweep.sizes.iter().map(|size| *size as f64).collect()),
            values: sweep.map_or(Vec::new(), |sweep| sweep.series.clone()),
            change: cache.size.map(|size| size as f64),
            interval: cache.interval.map(|(low, high)| (low as f64, high as f64)),
            others: cache.estimators.values().map(|size| *size as f64).collect(),
            title: "Distance (cycles)",
        }
    }
}

pub(super) fn draw(canvas: &Canvas<'_>, theme: &Theme, series: &ReducedSeries, range: Range) -> DrawResult {
    let (width, _) = canvas.dim_in_pixel();
    let most = series.values.iter().copied().fold(0.0, f64::max);
    let Some(axis) = SizeAxis::zoomed(&series.sizes, width.saturating_sub(60 + RIGHT), range) else {
        return crate::axes::draw_message(canvas, theme, "no change was found, so there is no sweep");
    };
    // Angles are far below 1, where round steps end. They are drawn in thousandths.
    let (scale, title) =
        if most < 10.0 { (1000.0, format!("{} / 1000", series.title)) } else { (1.0, series.title.into()) };
    let step = round_step(most * scale / 5.0);
    let top = ((most * scale / step).ceil() * step).max(step);
    let y = Axis { end: top, ticks: ticks(step, top), label: &|n| si(*n), title: &title, color: theme.text };
    let label = |at: &f64| axis.label(*at);
    let x = axis.axis(&label, theme.text);
    let chart = draw_axes(canvas, theme, &x, &y, None)?;
    let area = chart.plotting_area();
    if let Some((low, high)) = series.interval {
        let (low, high) = (axis.clamped(low), axis.clamped(high));
        area.draw(&Rectangle::new([(low, 0.0), (high, top)], CAPACITY.mix(0.3).filled()))?;
    }
    for other in series.others.iter().filter(|other| Some(**other) != series.change && axis.has(**other)) {
        let at = axis.at(*other);
        area.draw(&PathElement::new([(at, top), (at, top * 0.88)], theme.axis.stroke_width(2)))?;
    }
    let points: Vec<(f64, f64)> =
        series.sizes.iter().zip(&series.values).map(|(size, value)| (axis.at(*size), value * scale)).collect();
    area.draw(&PathElement::new(axis.line(&points), COMPULSORY.stroke_width(1)))?;
    let seen: Vec<_> = points.iter().filter(|(at, _)| (0.0..=x.end).contains(at)).collect();
    for point in seen.iter().filter(|_| seen.len() < 400) {
        area.draw(&Circle::new(**point, 2, theme.text.filled()))?;
    }
    let places: Vec<f64> = points.iter().map(|(at, _)| *at).collect();
    mark_points(&chart, x.end, &places, &|i| {
        format!("{} bytes\n{} {}", whole(series.sizes[i]), series.title, decimal(series.values[i], 4))
    })?;
    mark_long_axis(&chart, x.end)?;
    if let Some(change) = series.change.filter(|change| axis.has(*change)) {
        let at = axis.at(change);
        area.draw(&PathElement::new([(at, 0.0), (at, top)], theme.text.stroke_width(2)))?;
        let text = format!("change at {} ({} B)", size_text(change as u64), change);
        let half = text_width(&text) as i32 / 2 + 2;
        let (x, y) = area.map_coordinate(&(at, top));
        if 2 * half < width as i32 {
            write_text(canvas, &text, theme.text, HPos::Center, (x.clamp(half, width as i32 - half), y - 11))?;
        }
    }
    Ok(())
}
