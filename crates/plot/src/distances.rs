//! The bar chart of a stream's accesses by reuse distance.
//!
//! In: bars with their least and largest distances, and the number of first accesses.
//! Out: one rectangle per bar. The last bar, in another colour, is the infinite distance.

use crate::axes::{draw_axes, draw_no_data, round_step, si, ticks, Axis, Canvas, RIGHT};
use crate::marks::{mark_area, mark_long_axis, share, whole};
use crate::range::Range;
use crate::theme::{text_width, Theme, CAPACITY, COMPULSORY};
use crate::DrawResult;
use plotters::element::Rectangle;
use plotters::style::Color;

/// Height in px above and under the bars, together.
const RIMS: u32 = 68;

fn label(bars: &[(f64, f64, f64)], at: usize) -> String {
    let number = |n: f64| if n < 10_000.0 { format!("{n}") } else { si(n) };
    match bars.get(at) {
        None => "∞".into(),
        Some(&(low, high, _)) if low == high => number(low),
        // The label names only the start of a bar, because the next bar begins where it ends.
        Some(&(low, ..)) => number(low),
    }
}

/// All distances of a bar.
fn distances(bars: &[(f64, f64, f64)], at: usize) -> String {
    match bars.get(at) {
        None => "∞, first accesses".into(),
        Some(&(low, high, _)) if low == high => whole(low),
        Some(&(low, high, _)) => format!("{}–{}", whole(low), whole(high)),
    }
}

pub(super) fn draw(
    canvas: &Canvas<'_>,
    theme: &Theme,
    bars: &[(f64, f64, f64)],
    firsts: Option<f64>,
    range: Range,
) -> DrawResult {
    let finite = |n: f64| if n.is_finite() { n } else { 0.0 };
    let total: f64 = bars.iter().map(|bar| bar.2).chain(firsts).map(finite).sum();
    let kept = range.bars(bars.len() + usize::from(firsts.is_some()));
    let firsts = firsts.filter(|_| kept.end > bars.len());
    let bars = &bars[kept.start.min(bars.len())..kept.end.min(bars.len())];
    let counts = || bars.iter().map(|bar| bar.2).chain(firsts).map(finite);
    let (count, most) = (counts().count(), counts().fold(0.0, f64::max));
    if total <= 0.0 {
        return draw_no_data(canvas, theme);
    }
    let most = most.max(1.0);
    let step = round_step(most / 5.0);
    let top = (most / step).ceil() * step;
    let y = Axis { end: top, ticks: ticks(step, top), label: &|n| si(*n), title: "Accesses", color: theme.text };
    let (width, height) = canvas.dim_in_pixel();
    let bar_width = f64::from(width.saturating_sub(y.thickness() + RIGHT)) / count as f64;
    // The sign of the infinite bar is always drawn. The numbers keep clear of it and of one another.
    let widest = (0..bars.len()).map(|i| text_width(&label(bars, i))).max().unwrap_or(0);
    let stride = ((f64::from(widest) + 8.0) / bar_width).ceil().max(1.0) as usize;
    let last = bars.len().saturating_sub(if firsts.is_some() { stride.min(bars.len()) / 2 } else { 0 });
    let mut places: Vec<f64> = (0..last).step_by(stride).map(|i| i as f64 + 0.5).collect();
    places.extend(firsts.map(|_| bars.len() as f64 + 0.5));
    let x = Axis {
        end: count as f64,
        ticks: places,
        label: &|at| label(bars, *at as usize),
        title: "Reuse distance (lines)",
        color: theme.text,
    };
    let chart = draw_axes(canvas, theme, &x, &y, None)?;
    let area = chart.plotting_area();
    let gap = if bar_width < 8.0 { 0.0 } else { 0.1 };
    for (i, n) in counts().enumerate() {
        let color = if i < bars.len() { CAPACITY } else { COMPULSORY };
        // A bar that is not empty is at least one pixel high.
        let high = if n <= 0.0 { 0.0 } else { n.max(1.5 * top / f64::from(height - RIMS)) };
        let corners = [(i as f64 + gap, 0.0), ((i + 1) as f64 - gap, high)];
        area.draw(&Rectangle::new(corners, color.filled()))?;
        let es = base::plural((n + 0.5) as u64, "es");
        let told = format!("Distance {}\n{} access{es} ({})", distances(bars, i), whole(n), share(n, total));
        mark_area(&chart, [(i as f64, 0.0), ((i + 1) as f64, top)], told)?;
    }
    mark_long_axis(&chart, count as f64)?;
    Ok(())
}
