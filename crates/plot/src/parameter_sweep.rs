//! A number of a sweep over the values of its first axis.
//!
//! In: the table of a sweep, and the name of a number.
//! Out: a circle per point, and a line per combination of the other axes' values. The names of the lines stand at their
//! right ends. Names, such as those of GPUs, and seeds have no order, so no line joins them. Points without a result leave a gap. The axis of values begins at 0.

use crate::axes::{draw_axes, draw_message, si, ticks, Axis, Canvas};
use crate::marks::{decimal, mark_points, whole};
use crate::sweep::round_fraction;
use crate::theme::{viridis, Theme};
use crate::DrawResult;
use lab::{SweepAxis, SweepNumber, SweepTable};
use plotters::element::{Circle, PathElement};
use plotters::style::Color;

/// Lines that are drawn. More cannot be told apart, and the table has all of them.
const MOST_LINES: usize = 12;
/// Part of the height that the name of a line takes.
const NAME_HEIGHT: f64 = 0.07;
/// The part of viridis that is dark enough on white, and its mirror in the dark theme.
const TONES: f64 = 0.75;

/// One line: its name, and a value for each value of the first axis.
struct Line {
    name: String,
    values: Vec<Option<f64>>,
}

pub(super) fn draw(canvas: &Canvas<'_>, theme: &Theme, table: &SweepTable, measure: &str, dark: bool) -> DrawResult {
    let mut lines = lines_of(table, measure);
    lines.truncate(MOST_LINES);
    let Some(first) = table.axes.first() else { return draw_message(canvas, theme, "no points") };
    let most = lines.iter().flat_map(|line| &line.values).flatten().copied().fold(0.0, f64::max);
    if lines.is_empty() {
        return draw_message(canvas, theme, "no points");
    }
    let step = round_fraction(most / 4.0);
    let top = (most / step).ceil().max(1.0) * step;
    let percent = measure.ends_with("_rate") || measure.ends_with("with_latency");
    let label = |value: &f64| match () {
        () if percent => format!("{} %", si(100.0 * value)),
        () if measure == "seconds" => format!("{} µs", si(1e6 * value)),
        () => small(*value),
    };
    let title = if measure == "seconds" { "time".into() } else { measure.replace('_', " ") };
    let y = Axis { end: top, ticks: ticks(step, top), label: &label, title: &title, color: theme.text };
    let count = first.values.len();
    let width = f64::from(canvas.dim_in_pixel().0.saturating_sub(160));
    // Every so many values get their name, so that names do not overlap.
    let every = (count as f64 * 56.0 / width.max(56.0)).ceil().max(1.0) as usize;
    let places = (0..count).step_by(every).map(|i| i as f64 + 0.5).collect();
    let value_of = |place: &f64| first.values.get(place.floor() as usize).cloned().unwrap_or_default();
    let x = Axis { end: count as f64, ticks: places, label: &value_of, title: name_of(first), color: theme.text };

    let ends: Vec<f64> = spread(&lines, top);
    let name_at = |tick: &f64| {
        let at = ends.iter().position(|end| end == tick);
        at.and_then(|at| lines.get(at)).map_or(String::new(), |line| line.name.clone())
    };
    let others = table.axes.iter().skip(1).map(name_of).collect::<Vec<_>>().join(", ");
    let names = Axis { end: top, ticks: ends.clone(), label: &name_at, title: &others, color: theme.text };
    let right = if table.axes.len() > 1 { Some(&names) } else { None };
    let chart = draw_axes(canvas, theme, &x, &y, right)?;
    let area = chart.plotting_area();
    let ordered = first.has_order();
    for (i, line) in lines.iter().enumerate() {
        let at = i as f64 / (lines.len() - 1).max(1) as f64 * TONES;
        let color = if lines.len() == 1 { theme.text } else { viridis(if dark { 1.0 - at } else { at }) };
        let points: Vec<Option<(f64, f64)>> =
            line.values.iter().enumerate().map(|(x, y)| y.map(|y| (x as f64 + 0.5, y))).collect();
        for point in points.iter().flatten() {
            area.draw(&Circle::new(*point, 3, color.filled()))?;
        }
        if !ordered {
            continue;
        }
        for part in points.split(Option::is_none) {
            let part: Vec<(f64, f64)> = part.iter().flatten().copied().collect();
            area.draw(&PathElement::new(part, color.stroke_width(2)))?;
        }
    }
    let places: Vec<f64> = (0..count).map(|i| i as f64 + 0.5).collect();
    mark_points(&chart, count as f64, &places, &|i| {
        let mut text = format!("{} = {}", name_of(first), first.values[i]);
        for line in &lines {
            let told = line.values[i].map_or("no result".into(), |value| exact(value, percent, measure));
            text +=
                &if line.name.is_empty() { format!("\n{title} {told}") } else { format!("\n{}: {told}", line.name) };
        }
        text
    })
}

/// A parameter as people read it.
fn name_of(axis: &SweepAxis) -> &str {
    lab::parameter_label(&axis.key).unwrap_or(&axis.key)
}

/// A value with all its digits that mean something.
fn exact(value: f64, percent: bool, measure: &str) -> String {
    match () {
        () if percent => format!("{} %", decimal(100.0 * value, 2)),
        () if measure == "seconds" => format!("{} µs", decimal(1e6 * value, 3)),
        () if value.fract() == 0.0 => whole(value),
        () => decimal(value, 3),
    }
}

/// The lines in the order of the points. The first axis varies slowest.
fn lines_of(table: &SweepTable, measure: &str) -> Vec<Line> {
    let count = table.axes.first().map_or(0, |axis| axis.values.len());
    let mut lines: Vec<Line> = Vec::new();
    for row in &table.rows {
        let Some((value, others)) = row.values.split_first() else { continue };
        let Some(at) = table.axes[0].values.iter().position(|known| known == value) else { continue };
        let name = others.join(", ");
        let known = lines.iter().position(|line| line.name == name);
        let line = known.unwrap_or_else(|| {
            lines.push(Line { name, values: vec![None; count] });
            lines.len() - 1
        });
        lines[line].values[at] = row.measures.get(measure).map(|number| match *number {
            SweepNumber::Count(n) => n.max(0) as f64,
            SweepNumber::Real(x) => x.max(0.0),
        });
    }
    lines
}

/// Where the names of the lines stand: at their last points, moved apart so that none covers another.
fn spread(lines: &[Line], top: f64) -> Vec<f64> {
    let last = |line: &Line| line.values.iter().rev().flatten().next().copied().unwrap_or(0.0);
    let mut order: Vec<usize> = (0..lines.len()).collect();
    base::sort_by(&mut order, |&a, &b| last(&lines[a]).total_cmp(&last(&lines[b])));
    let mut ends = vec![0.0; lines.len()];
    let gap = top * NAME_HEIGHT;
    let mut below = f64::NEG_INFINITY;
    for &i in &order {
        below = last(&lines[i]).max(below + gap);
        ends[i] = below;
    }
    // Those that were pushed beyond the top move down again.
    let mut above = top + gap;
    for &i in order.iter().rev() {
        above = ends[i].min(above - gap);
        ends[i] = above;
    }
    ends
}

fn small(value: f64) -> String {
    if value > 0.0 && value < 1.0 {
        value.to_string()
    } else {
        si(value)
    }
}
