//! The curve of miss ratio by cache size, with its knees marked.
//!
//! In: curves over cache sizes in lines, knees, the choice of a logarithmic axis, and the bytes of a line.
//! Out: one line per curve, a band where a curve has an error estimate, and a ring with its size at each knee. The axis
//! shows sizes in lines, and below them in bytes. Sizes below one line are not drawn.

use crate::axes::{draw_axes, draw_no_data, round_step, si, ticks, write_text, Axis, Canvas, Chart, UNDER};
use crate::lines::{draw_band, draw_line, tone_name};
use crate::marks::{ascending, mark_long_axis, mark_points, share, whole};
use crate::range::{Range, Span};
use crate::theme::{text_width, Theme};
use crate::DrawResult;
use lab::{size_text, ChartLine, Tone};
use plotters::element::Circle;
use plotters::style::text_anchor::HPos;
use plotters::style::Color;

/// Distance in px between the axis and the middle of the sizes in bytes.
const BYTES_BELOW: u32 = 22;

/// Distance in px between a knee and its size.
const RIGHT_OF_KNEE: f64 = 7.0;

/// How the axis of cache sizes is drawn.
pub(super) struct Sizes {
    pub logarithmic: bool,
    /// Bytes of a line.
    pub line_bytes: u64,
    /// The part of the axis that is drawn.
    pub range: Range,
}

impl Sizes {
    /// The place of a size on the whole axis.
    fn at(&self, lines: f64) -> f64 {
        if self.logarithmic {
            libm::log2(lines.max(1.0))
        } else {
            lines
        }
    }

    /// The size at a place of the whole axis.
    fn lines(&self, at: f64) -> f64 {
        if self.logarithmic {
            libm::exp2(at)
        } else {
            at
        }
    }

    /// The places of labels, at most about `most` of them: powers of two over some octaves, round sizes otherwise.
    fn ticks(&self, span: Span, most: f64) -> (Vec<f64>, f64) {
        if self.logarithmic && span.length() >= 2.0 {
            return (span.ticks((span.length() / most).ceil().max(1.0)), f64::INFINITY);
        }
        let sizes = Span { start: self.lines(span.start), stop: self.lines(span.stop) };
        let step = round_step(sizes.length() / most);
        let places = sizes.ticks(step).into_iter().map(|place| self.at(sizes.start + place) - span.start);
        (places.collect(), step)
    }
}

pub(super) fn draw(
    canvas: &Canvas<'_>,
    theme: &Theme,
    lines: &[ChartLine],
    knees: &[(f64, f64)],
    sizes: &Sizes,
) -> DrawResult {
    let places = || lines.iter().flat_map(|line| line.points.iter().map(|&(x, _)| x)).filter(|x| x.is_finite());
    let largest = places().fold(0.0, f64::max);
    if largest < 1.0 {
        return draw_no_data(canvas, theme);
    }
    let (width, height) = canvas.dim_in_pixel();
    let labels = f64::from(width.saturating_sub(90)) / 64.0;
    let end = sizes.at(largest * if sizes.logarithmic { 1.0 } else { 1.02 }).max(1.0);
    let span = sizes.range.span(end);
    let (places, step) = sizes.ticks(span, labels.max(1.0));
    let lines_at = |place: f64| sizes.lines(span.start + place);
    let size = |place: &f64| Span { start: lines_at(*place), ..span }.label(0.0, step);
    let x = Axis {
        end: span.length(),
        ticks: places,
        label: &size,
        title: "Cache size (lines, fully associative)",
        color: theme.text,
    };
    let percent = |percent: &f64| percent.to_string();
    let y = Axis { end: 100.0, ticks: ticks(25.0, 100.0), label: &percent, title: "Miss ratio (%)", color: theme.text };
    let chart = draw_axes(canvas, theme, &x, &y, None)?;
    let place = |&(x, y): &(f64, f64)| (sizes.at(x).min(end), (100.0 * y).clamp(0.0, 100.0));
    for curve in lines {
        let off = |sign: f64| -> Vec<(f64, f64)> {
            let line: Vec<_> = curve.errors.iter().map(|&(x, e)| place(&(x, value(curve, x) + sign * e))).collect();
            span.line(&line)
        };
        draw_band(&chart, theme, curve.tone, &off(-1.0), &off(1.0))?;
    }
    for curve in lines {
        // Every request misses below the first distance. A straight axis begins at size 0 and a logarithmic one at one
        // line. A sample does not know the sizes below its first point.
        let first = curve.points.first().is_some_and(|&(x, _)| x > 1.0 && curve.tone != Tone::Sample);
        let start = (first || !sizes.logarithmic).then_some((0.0, 100.0));
        let mut points: Vec<(f64, f64)> = start.into_iter().chain(curve.points.iter().map(place)).collect();
        points.extend(points.last().map(|&(_, y)| (end, y)));
        draw_line(&chart, theme, curve.tone, span.line(&points))?;
    }
    let area = chart.plotting_area();
    mark_sizes(&chart, lines, sizes, span)?;
    mark_long_axis(&chart, x.end)?;
    for tick in x.ticks.iter().filter(|_| sizes.line_bytes > 1) {
        let text = size_text((lines_at(*tick).round() * sizes.line_bytes as f64) as u64);
        let (px, _) = area.map_coordinate(&(*tick, 0.0));
        let half = text_width(&text) as i32 / 2 + 2;
        let at = (px.clamp(half, (width as i32 - half).max(half)), (height - UNDER + BYTES_BELOW) as i32);
        write_text(canvas, &text, theme.quiet, HPos::Center, at)?;
    }
    let mut free = f64::NEG_INFINITY;
    for knee in knees {
        let (along, up) = place(knee);
        let point = (along - span.start, up);
        if !(0.0..=x.end).contains(&point.0) {
            continue;
        }
        area.draw(&Circle::new(point, 5, theme.text.stroke_width(2)))?;
        let text = si(knee.0);
        let length = f64::from(text_width(&text));
        let (px, py) = area.map_coordinate(&point);
        // The curve falls, so it leaves the place above and to the right of a knee free.
        let start = (f64::from(px) + RIGHT_OF_KNEE).min(f64::from(width) - length - 2.0);
        // A label is left out if it would overlap the label before it.
        if start > free {
            write_text(canvas, &text, theme.text, HPos::Left, (start as i32, (py - 14).max(8)))?;
            free = start + length + 4.0;
        }
    }
    Ok(())
}

/// Marks every size at which a curve has a point, with the values of all curves there.
fn mark_sizes(chart: &Chart<'_>, lines: &[ChartLine], sizes: &Sizes, span: Span) -> DrawResult {
    let known: Vec<f64> = lines
        .iter()
        .flat_map(|line| line.points.iter().map(|&(x, _)| x))
        .filter(|x| x.is_finite() && *x >= 1.0)
        .collect();
    let known = ascending(known);
    let places: Vec<f64> = known.iter().map(|&size| sizes.at(size) - span.start).collect();
    mark_points(chart, span.length(), &places, &|i| {
        let size = known[i];
        let mut text = format!("{} line{s}", whole(size), s = base::plural((size + 0.5) as u64, "s"));
        if sizes.line_bytes > 1 {
            text += &format!(", {}", size_text((size * sizes.line_bytes as f64) as u64));
        }
        for curve in lines {
            let name = if lines.len() > 1 { tone_name(curve.tone) } else { "miss ratio" };
            text += &format!("\n{name} {}", share(value(curve, size), 1.0));
        }
        text
    })
}

/// Returns the value of a curve at a size: the value of the last point that is not larger.
fn value(curve: &ChartLine, size: f64) -> f64 {
    let next = curve.points.partition_point(|&(x, _)| x <= size);
    next.checked_sub(1).map_or(1.0, |i| curve.points[i].1)
}
