//! The chart of miss rate and busy MSHRs over time.
//!
//! In: the time intervals of a kernel's report.
//! Out: the miss rate, latency misses included, as a step line on the left scale, and the mean number of busy MSHRs as
//! an area on the right scale. The step line is interrupted where no request was issued.

use crate::axes::{draw_axes, draw_no_data, round_step, si, ticks, Axis, Canvas};
use crate::marks::{decimal, mark_long_axis, mark_points, share, whole};
use crate::range::Range;
use crate::theme::{Theme, MSHR};
use crate::DrawResult;
use lab::KernelReport;
use plotters::element::{PathElement, Polygon};
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

pub(super) fn draw(canvas: &Canvas<'_>, theme: &Theme, kernel: &KernelReport, range: Range) -> DrawResult {
    let rows = &kernel.timeline;
    let Some(last) = rows.last().filter(|_| kernel.requests > 0) else { return draw_no_data(canvas, theme) };
    let end = kernel.ticks.max(last.tick.saturating_add(1)) as f64;
    let busiest = rows.iter().map(|row| row.mshrs).fold(0.0, f64::max);
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
    let ends = rows.iter().skip(1).map(|row| row.tick as f64).chain([end]);
    let mut rate: Vec<Vec<(f64, f64)>> = vec![Vec::new()];
    let mut busy = vec![(0.0, 0.0)];
    for (row, to) in rows.iter().zip(ends) {
        let from = row.tick as f64;
        let level = 100.0 * row.mshrs / right.end;
        busy.extend([(from, level), (to, level)]);
        if row.requests == 0 {
            rate.push(Vec::new());
        } else if let Some(line) = rate.last_mut() {
            let percent = 100.0 * row.misses as f64 / row.requests as f64;
            line.extend([(from, percent), (to, percent)]);
        }
    }
    busy.push((end, 0.0));
    let busy = span.line(&busy);
    let floor = [(span.length(), 0.0), (0.0, 0.0)];
    area.draw(&Polygon::new(busy.iter().copied().chain(floor).collect::<Vec<_>>(), MSHR.mix(0.3)))?;
    area.draw(&PathElement::new(busy, MSHR.stroke_width(1)))?;
    for line in rate.into_iter().map(|line| span.line(&line)).filter(|line| !line.is_empty()) {
        area.draw(&PathElement::new(line, theme.text.stroke_width(if width < 500 { 1 } else { 2 })))?;
    }
    let middles: Vec<f64> = rows
        .iter()
        .zip(rows.iter().skip(1).map(|row| row.tick as f64).chain([end]))
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
