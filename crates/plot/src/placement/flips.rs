//! The chart of a hidden memory's latencies by the address bit that was flipped.
//!
//! In: [`FlipTimes`].
//! Out: for each bit a dot at the median of nine latencies and a line from the least to the largest. The scale ends a
//! third above the largest median, so outliers may leave the picture.

use crate::axes::{draw_axes, round_step, si, ticks, Axis, Canvas, RIGHT};
use crate::marks::{decimal, mark_area};
use crate::theme::{text_width, Theme, COMPULSORY};
use crate::DrawResult;
use lab::FlipTimes;
use plotters::element::{Circle, PathElement};
use plotters::style::Color;

pub(super) fn draw(canvas: &Canvas<'_>, theme: &Theme, times: &FlipTimes) -> DrawResult {
    let (width, _) = canvas.dim_in_pixel();
    let high = times.ns.iter().map(|[_, median, _]| *median).fold(1.0, f64::max) * 1.33;
    let number = |at: &f64| si(*at);
    let y = Axis {
        end: high,
        ticks: ticks(round_step(high / 5.0), high),
        label: &number,
        title: "Latency (ns)",
        color: theme.text,
    };
    let n = times.bits.len();
    let inner = width.saturating_sub(y.thickness() + RIGHT).max(40);
    let every = ((text_width("33") + 8) as usize * n).div_ceil(inner as usize).max(1);
    let title = match times.with {
        Some(bit) => format!("Address bit, flipped together with bit {bit}"),
        None => "Address bit, flipped alone".into(),
    };
    let x = Axis {
        end: n as f64,
        ticks: (0..n).step_by(every).map(|i| i as f64 + 0.5).collect(),
        label: &|at| times.bits.get(*at as usize).map_or_else(String::new, u32::to_string),
        title: &title,
        color: theme.text,
    };
    let chart = draw_axes(canvas, theme, &x, &y, None)?;
    let area = chart.plotting_area();
    for (i, [least, median, most]) in times.ns.iter().enumerate() {
        let at = i as f64 + 0.5;
        let range = [(at, least.clamp(0.0, high)), (at, most.clamp(0.0, high))];
        area.draw(&PathElement::new(range, theme.axis.stroke_width(2)))?;
        area.draw(&Circle::new((at, median.clamp(0.0, high)), 4, COMPULSORY.filled()))?;
        let [low, middle, most] = [least, median, most].map(|ns| decimal(*ns, 1));
        let bit = times.bits.get(i).copied().unwrap_or_default();
        let told = format!("Bit {bit}\nmedian {middle} ns\nfrom {low} to {most} ns");
        mark_area(&chart, [(i as f64, 0.0), (i as f64 + 1.0, high)], told)?;
    }
    Ok(())
}
