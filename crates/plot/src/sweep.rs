//! The chart of a value against the length of HP-RDA's thread traces, as in Figures 16 (error) and 17 (time) of
//! IPDPS'12, and of waits against the load of a queue.
//!
//! In: lines of points (x, value), and what x is.
//! Out: each line, with a circle at each point. The axis of ST is logarithmic with base 2. The axis of values begins at
//! 0.

use crate::axes::{draw_axes, draw_no_data, ticks, Axis, Canvas};
use crate::lines::{draw_line, tone_name};
use crate::marks::{ascending, decimal, mark_points, whole};
use crate::theme::Theme;
use crate::DrawResult;
use lab::{ChartLine, Tone};
use plotters::element::Circle;
use plotters::style::Color;

/// What x is.
pub(super) struct Along {
    title: &'static str,
    /// What stands before a value of x in a tooltip, and after it.
    around: [&'static str; 2],
    /// The place on the axis of a value, and the other way.
    place: fn(f64) -> f64,
    value: fn(f64) -> f64,
    /// The name of a line.
    name: fn(Tone) -> &'static str,
}

/// The length of thread traces.
pub(super) const THREAD_TRACE: Along = Along {
    title: "ST (references in a thread trace)",
    around: ["ST ", ""],
    place: |st| libm::log2(st.max(1.0)),
    value: libm::exp2,
    name: tone_name,
};

/// The load of a queue in percent, at which its wait is simulated or computed.
pub(super) const LOAD: Along = Along {
    title: "Load (%)",
    around: ["Load ", " %"],
    place: |percent| percent / 10.0,
    value: |place| place * 10.0,
    name: |tone| match tone {
        Tone::Exact => "simulated",
        Tone::Adjusted => "Kingman",
        Tone::Plain | Tone::Sample => "as printed",
    },
};

pub(super) fn draw(canvas: &Canvas<'_>, theme: &Theme, lines: &[ChartLine], title: &str, along: &Along) -> DrawResult {
    let points = || lines.iter().flat_map(|line| &line.points).filter(|(x, y)| *x >= 1.0 && y.is_finite());
    let at = along.place;
    let (least, largest) = points().fold((f64::MAX, 0.0f64), |(a, b), &(x, _)| (a.min(at(x)), b.max(at(x))));
    if points().next().is_none() {
        return draw_no_data(canvas, theme);
    }
    let most = points().map(|&(_, y)| y).fold(0.0, f64::max);
    let step = round_fraction(most / 4.0);
    let top = (most / step).ceil().max(1.0) * step;
    let start = (least - 0.5).floor();
    let number = |value: &f64| {
        let digits = (-libm::log10(step).floor()).clamp(0.0, 6.0) as usize;
        format!("{value:.digits$}")
    };
    let y = Axis { end: top, ticks: ticks(step, top), label: &number, title, color: theme.text };
    let size = |place: &f64| format!("{}", (along.value)(place + start).round());
    let end = largest - start + 0.5;
    let (width, _) = canvas.dim_in_pixel();
    let every = (end / (f64::from(width.saturating_sub(90)) / 64.0).max(1.0)).ceil().max(1.0);
    let x = Axis { end, ticks: ticks(every, end), label: &size, title: along.title, color: theme.text };
    let chart = draw_axes(canvas, theme, &x, &y, None)?;
    for one in lines {
        let points: Vec<(f64, f64)> = one.points.iter().map(|&(x, y)| (at(x) - start, y.clamp(0.0, top))).collect();
        for &point in &points {
            chart.plotting_area().draw(&Circle::new(point, 3, theme.text.filled()))?;
        }
        draw_line(&chart, theme, one.tone, points)?;
    }
    let lengths: Vec<f64> = points().map(|&(x, _)| x).collect();
    let lengths = ascending(lengths);
    let places: Vec<f64> = lengths.iter().map(|&st| at(st) - start).collect();
    mark_points(&chart, end, &places, &|i| {
        let [before, after] = along.around;
        let mut text = format!("{before}{}{after}", whole(lengths[i]));
        for one in lines {
            for (_, value) in one.points.iter().filter(|(st, value)| *st == lengths[i] && value.is_finite()) {
                text += &format!("\n{}: {}", (along.name)(one.tone), decimal(*value, 3));
            }
        }
        text
    })
}

/// Returns the smallest number of the form 1, 2 or 5 times a power of ten that is at least `least`. The result may be
/// below 1, unlike that of [`crate::axes::round_step`].
pub(super) fn round_fraction(least: f64) -> f64 {
    let unit = libm::exp10(libm::log10(least.max(1e-9)).floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|n| n * unit).find(|&step| step >= least).unwrap_or(unit)
}
