//! The chart of miss rate and busy MSHRs over time.
//!
//! In: the time intervals of a kernel's report.
//! Out: the miss rate, latency misses included, as a step line on the left scale, and the mean number of busy MSHRs as
//! an area on the right scale. The step line is interrupted where no request was issued. Both lines of a baseline are dashed.

use crate::axes::{draw_axes, draw_no_data, round_step, si, ticks, Axis, Canvas};
use crate::marks::{decimal, mark_long_axis, mark_points, share, whole};
use crate::range::Range;
use crate::theme::{Theme, MSHR};
use crate::DrawResult;
use lab::KernelReport;
use plotters::element::{DashedPathElement, PathElement, Polygon};
use plotters::style::Color;

/// Each scale has four parts, so both share one grid.
const PARTS: f64 = 4.0;

/// Returns a round number that is at least `least` and suits a quarter of a scale.
fn round_quarter(least: f64) -> f64 {
    let mut unit = 1.0;
    loop {
        let handy = [1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0];
        if let Some(step) = handy.into_iter().map(|n| n * unit).find(|&step| step >= least) {
            return step;
        }
        unit *= 10.0;
    }
}

/// Points in the coordinates of the chart.
type Line = Vec<(f64, f64)>;

/// The tick at which a kernel ends.
fn end_of(kernel: &KernelReport) -> f64 {
    kernel.timeline.last().map_or(0, |last| last.tick.saturating_add(1)).max(kernel.ticks) as f64
}

/// The lines of a kernel: its miss rate in percent, in pieces, and its busy MSHRs on a scale that ends at `most`.
fn lines(kernel: &KernelReport, most: f64) -> (Vec<Line>, Line) {
    let end = end_of(kernel);
    let ends = kernel.timeline.iter().skip(1).map(|row| row.tick as f64).chain([end]);
    let mut rate: Vec<Line> = vec![Line::new()];
    let mut busy = vec![(0.0, 0.0)];
    for (row, to) in kernel.timeline.iter().zip(ends) {
        let from = row.tick as f64;
        let level = 100.0 * row.mshrs / most;
        busy.extend([(from, level), (to, level)]);
        if row.requests == 0 {
            rate.push(Line::new());
        } else if let Some(line) = rate.last_mut() {
            let percent = 100.0 * row.misses as f64 / row.requests as f64;
            line.extend([(from, percent), (to, percent)]);
        }
    }
    busy.push((end, 0.0));
    rate.retain(|line| !line.is_empty());
    (rate, busy)
}

pub(super) fn draw(
    canvas: &Canvas<'_>,
    theme: &Theme,
    (kernel, base): (&KernelReport, Option<&KernelReport>),
    range: Range,
) -> DrawResult {
    if kernel.requests == 0 || kernel.timeline.is_empty() {
        return draw_no_data(canvas, theme);
    }
    let base = base.filter(|base| !base.timeline.is_empty());
    let end = base.map_or(0.0, end_of).max(end_of(kernel));
    let both = kernel.timeline.iter().chain(base.iter().flat_map(|base| &base.timeline));
    let busiest = both.map(|row| row.mshrs).fold(0.0, f64::max);
    let step = round_quarter(busiest / PARTS);
    let left = Axis {
        end: 100.0,
        ticks: ticks(25.0, 100.0),
        label: &|percent| percent.to_string(),
        title: "Miss rate (%)",
        color: theme.text,
    };
    let right = Axis {
        end: PARTS * step,
        ticks: ticks(step, PARTS * step),
        label: &|n| si(*n),
        title: "MSHRs busy (mean)",
        color: theme.mshr_text,
    };
    let (width, _) = canvas.dim_in_pixel();
    let labels = f64::from(width - left.thickness() - right.thickness()) / 64.0;
    let span = range.span(end);
    let every = round_step(span.length() / labels.max(1.0));
    let x = Axis {
        end: span.length(),
        ticks: span.ticks(every),
        label: &|n| span.label(*n, every),
        title: "Time (ticks)",
        color: theme.text,
    };
    let chart = draw_axes(canvas, theme, &x, &left, Some(&right))?;
    let area = chart.plotting_area();
    let (rate, busy) = lines(kernel, right.end);
    let busy = span.line(&busy);
    let floor = [(span.length(), 0.0), (0.0, 0.0)];
    area.draw(&Polygon::new(busy.iter().copied().chain(floor).collect::<Vec<_>>(), MSHR.mix(0.3)))?;
    area.draw(&PathElement::new(busy, MSHR.stroke_width(1)))?;
    let thick = if width < 500 { 1 } else { 2 };
    let in_span =
        |pieces: Vec<Line>| pieces.into_iter().map(move |line| span.line(&line)).filter(|line| !line.is_empty());
    for line in in_span(rate) {
        area.draw(&PathElement::new(line, theme.text.stroke_width(thick)))?;
    }
    if let Some((rate, busy)) = base.map(|base| lines(base, right.end)) {
        area.draw(&DashedPathElement::new(span.line(&busy), 5, 4, theme.mshr_text.stroke_width(1)))?;
        for line in in_span(rate) {
            area.draw(&DashedPathElement::new(line, 5, 4, theme.text.stroke_width(thick)))?;
        }
    }
    let rows = &kernel.timeline;
    let middles: Vec<f64> = rows
        .iter()
        .zip(rows.iter().skip(1).map(|row| row.tick as f64).chain([end_of(kernel)]))
        .map(|(row, to)| (row.tick as f64 + to) / 2.0 - span.start)
        .collect();
    mark_points(&chart, span.length(), &middles, &|i| {
        let row = &rows[i];
        let rate = match row.requests {
            0 => "no requests".into(),
            n => format!(
                "{} of {} requests miss ({})",
                whole(row.misses as f64),
                whole(n as f64),
                share(row.misses as f64, n as f64)
            ),
        };
        format!("From tick {}\n{rate}\n{} MSHRs busy (mean)", whole(row.tick as f64), decimal(row.mshrs, 1))
    })?;
    mark_long_axis(&chart, span.length())?;
    Ok(())
}
