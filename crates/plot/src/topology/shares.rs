//! The chart of the slow loads of two threads, each thread alone and both together.
//!
//! In: a [`SharesOutcome`].
//! Out: for each memory or warp, a bar for its share of slow loads alone and a bar for its share beside the other
//! thread. A bar above the limit line means that the two evict each other's lines, so they share one physical cache.

use crate::axes::{draw_axes, write_text, Axis, Canvas, RIGHT};
use crate::marks::{mark_area, share};
use crate::theme::{text_width, Theme, CAPACITY};
use crate::DrawResult;
use lab::SharesOutcome;
use plotters::element::{PathElement, Rectangle};
use plotters::style::text_anchor::HPos;
use plotters::style::Color;

pub(super) fn draw(canvas: &Canvas<'_>, theme: &Theme, shares: &SharesOutcome) -> DrawResult {
    let (width, height) = canvas.dim_in_pixel();
    let n = shares.labels.len();
    if n == 0 {
        return crate::axes::draw_message(canvas, theme, "no times");
    }
    let y = Axis {
        end: 100.0,
        ticks: vec![0.0, 25.0, 50.0, 75.0, 100.0],
        label: &|percent| percent.to_string(),
        title: "Slow loads (%)",
        color: theme.text,
    };
    let inner = width.saturating_sub(y.thickness() + RIGHT);
    // Names are too wide for many bars, so many bars get numbers only.
    let name = |i: usize| -> String {
        let label = shares.labels.get(i).map_or("", String::as_str);
        let short = if n > 4 { label.rsplit(' ').next().unwrap_or(label) } else { label };
        short.to_string()
    };
    let widest = (0..n).map(|i| text_width(&name(i)) + 8).max().unwrap_or(1);
    let every = ((widest as usize * n).div_ceil(inner.max(1) as usize)).max(1);
    let label = |at: &f64| name(*at as usize);
    let x = Axis {
        end: n as f64,
        ticks: (0..n).step_by(every).map(|i| i as f64 + 0.5).collect(),
        label: &label,
        title: if n > 4 { "Warp of the second thread" } else { "Memory" },
        color: theme.text,
    };
    let chart = draw_axes(canvas, theme, &x, &y, None)?;
    let area = chart.plotting_area();
    let least = 150.0 / f64::from(height);
    for i in 0..n {
        let at = i as f64;
        let bars = [(0.12, 0.48, &shares.alone, theme.axis), (0.52, 0.88, &shares.together, CAPACITY)];
        for (from, to, values, color) in bars {
            let value = 100.0 * values.get(i).copied().unwrap_or(0.0);
            let high = if value > 0.0 { value.max(least) } else { 0.0 };
            area.draw(&Rectangle::new([(at + from, 0.0), (at + to, high)], color.filled()))?;
        }
    }
    for i in 0..n {
        let [alone, together] =
            [&shares.alone, &shares.together].map(|of| share(of.get(i).copied().unwrap_or(0.0), 1.0));
        let told = format!("{}\nalone {alone} slow\nbeside the other thread {together} slow", shares.labels[i]);
        mark_area(&chart, [(i as f64, 0.0), (i as f64 + 1.0, 100.0)], told)?;
    }
    let limit = 100.0 * shares.limit;
    area.draw(&PathElement::new([(0.0, limit), (n as f64, limit)], theme.text.stroke_width(1)))?;
    let (right, at) = area.map_coordinate(&(n as f64, limit));
    write_text(canvas, "disturbed above", theme.quiet, HPos::Right, (right - 4, at - 9))?;
    Ok(())
}
