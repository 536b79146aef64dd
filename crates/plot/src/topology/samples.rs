//! The Kolmogorov–Smirnov chart: the distribution functions of both sides of a split and their largest distance.
//!
//! In: the samples of a [`SizeCurve`].
//! Out: F (left of the split) and G (right of it) as step lines, and D as an upright line where the two differ most.

use crate::axes::{draw_axes, round_step, si, ticks, write_text, Axis, Canvas, RIGHT};
use crate::marks::{ascending, decimal, mark_points, share};
use crate::theme::{text_width, Theme, CAPACITY, COMPULSORY};
use crate::DrawResult;
use lab::SizeCurve;
use plotters::element::PathElement;
use plotters::style::text_anchor::HPos;
use plotters::style::Color;

pub(super) fn draw(canvas: &Canvas<'_>, theme: &Theme, curve: &SizeCurve) -> DrawResult {
    let (width, _) = canvas.dim_in_pixel();
    let Some(samples) = &curve.samples else {
        return crate::axes::draw_message(canvas, theme, "one kind of value: no split");
    };
    let all = samples.left.iter().chain(&samples.right).copied();
    let (least, most) = all.fold((f64::INFINITY, 0.0_f64), |(a, b), v| (a.min(v), b.max(v)));
    let scale = if most < 10.0 { 1000.0 } else { 1.0 };
    let title = if scale > 1.0 { "Reduced value / 1000" } else { "Reduced value" };
    let end = (most * scale).max(1.0) * 1.02;
    let labels = f64::from(width.saturating_sub(60 + RIGHT)) / 64.0;
    let step = round_step(end / labels.max(1.0));
    let x = Axis { end, ticks: ticks(step, end), label: &|n| si(*n), title, color: theme.text };
    let label = |n: &f64| format!("{n:.2}");
    let y = Axis {
        end: 1.0,
        ticks: vec![0.0, 0.25, 0.5, 0.75, 1.0],
        label: &label,
        title: "Share at most this",
        color: theme.text,
    };
    let chart = draw_axes(canvas, theme, &x, &y, None)?;
    let area = chart.plotting_area();
    let stroke = if width < 500 { 2 } else { 3 };
    for (sample, color) in [(&samples.left, COMPULSORY), (&samples.right, CAPACITY)] {
        area.draw(&PathElement::new(steps(sample, scale, end), color.stroke_width(stroke)))?;
    }
    let values: Vec<f64> = samples.left.iter().chain(&samples.right).copied().collect();
    let values = ascending(values);
    let places: Vec<f64> = values.iter().map(|value| value * scale).collect();
    mark_points(&chart, end, &places, &|i| {
        let below =
            |sorted: &[f64]| share(sorted.partition_point(|value| *value <= values[i]) as f64, sorted.len() as f64);
        let (left, right) = (below(&samples.left), below(&samples.right));
        format!("At most {}\nleft of the split {left}\nright of it {right}", decimal(values[i], 4))
    })?;
    let (at, low, high) = widest(&samples.left, &samples.right);
    let at = at.max(least) * scale;
    area.draw(&PathElement::new([(at, low), (at, high)], theme.text.stroke_width(2)))?;
    let text = format!("D = {:.3}, critical {:.3}", samples.d, samples.critical);
    let half = text_width(&text) as i32 / 2 + 2;
    let (px, top) = area.map_coordinate(&(at, 1.0));
    if 2 * half < width as i32 {
        write_text(canvas, &text, theme.text, HPos::Center, (px.clamp(half, width as i32 - half), top - 11))?;
    }
    Ok(())
}

/// Returns the points of the distribution function of sorted values.
fn steps(sorted: &[f64], scale: f64, end: f64) -> Vec<(f64, f64)> {
    let n = sorted.len() as f64;
    let mut out = vec![(0.0, 0.0)];
    for (i, value) in sorted.iter().enumerate() {
        let at = value * scale;
        out.extend([(at, i as f64 / n), (at, (i + 1) as f64 / n)]);
    }
    out.push((end, 1.0));
    out
}

/// Returns the place where the functions differ most, and their values there.
fn widest(left: &[f64], right: &[f64]) -> (f64, f64, f64) {
    let share = |sorted: &[f64], x: f64| sorted.partition_point(|v| *v <= x) as f64 / sorted.len().max(1) as f64;
    let mut best = (0.0, 0.0_f64, 0.0_f64);
    for x in left.iter().chain(right) {
        let (f, g) = (share(left, *x), share(right, *x));
        if (f - g).abs() > (best.1 - best.2).abs() {
            best = (*x, f, g);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_widest_place_is_d() {
        assert_eq!(widest(&[1.0, 2.0], &[3.0, 4.0]), (2.0, 1.0, 0.0));
        assert_eq!(widest(&[1.0, 2.0, 3.0, 4.0], &[4.0, 5.0]), (3.0, 0.75, 0.0));
        assert_eq!(
            steps(&[1.0, 2.0], 1.0, 3.0),
            [(0.0, 0.0), (1.0, 0.0), (1.0, 0.5), (2.0, 0.5), (2.0, 1.0), (3.0, 1.0)]
        );
    }
}
