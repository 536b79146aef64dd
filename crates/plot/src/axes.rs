//! Axes: round numbers, their labels, and the chart between them.
//!
//! In: the length of each axis, its ticks and the format of their labels.
//! Out: a plotters chart with grid, numbers and titles, all of them within the picture.

use crate::backend::PlainText;
use crate::theme::{text_style, text_width, Theme, TEXT};
use crate::DrawResult;
use plotters::chart::{ChartBuilder, ChartContext, LabelAreaPosition};
use plotters::coord::cartesian::Cartesian2d;
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters::prelude::SVGBackend;
use plotters::style::text_anchor::{HPos, VPos};
use plotters::style::{FontTransform, RGBColor};

/// A whole picture. Its coordinates are px.
pub(super) type Canvas<'a> = DrawingArea<PlainText<SVGBackend<'a>>, Shift>;
/// The area of a picture between its axes.
pub(super) type Chart<'a> = ChartContext<'a, PlainText<SVGBackend<'a>>, Cartesian2d<Scale, Scale>>;

/// Height in px above a chart.
const ABOVE: u32 = 24;
/// Height in px under a chart, for the numbers and the title.
pub(super) const UNDER: u32 = 44;
/// Least width in px beside a chart without a right axis.
pub(super) const RIGHT: u32 = 18;
/// Distance in px between the edge, a title, and the numbers.
const GAP: u32 = 6;

/// One axis. It begins at 0.
pub(super) struct Axis<'l> {
    /// The value at the end of the axis.
    pub end: f64,
    /// The values that get a label.
    pub ticks: Vec<f64>,
    /// Formats the label of a tick.
    pub label: &'l dyn Fn(&f64) -> String,
    /// What the axis shows, with its unit.
    pub title: &'l str,
    /// The colour of the title.
    pub color: RGBColor,
}

impl Axis<'_> {
    /// The width in px that an upright axis takes beside a chart.
    pub(super) fn thickness(&self) -> u32 {
        let widest = self.ticks.iter().map(|tick| text_width(&(self.label)(tick))).max().unwrap_or(0);
        let title = if self.title.is_empty() { 0 } else { TEXT + GAP };
        title + widest + 3 * GAP
    }

    /// The width in px beside a chart of `width` px that half of the last label takes.
    fn beyond(&self, width: u32) -> u32 {
        let Some(last) = self.ticks.last() else { return RIGHT };
        let half = text_width(&(self.label)(last)) / 2 + 2;
        let inside = f64::from(width.saturating_sub(RIGHT)) * (1.0 - last / self.end);
        half.saturating_sub(inside as u32).max(RIGHT)
    }

    fn scale(&self) -> Scale {
        Scale { end: self.end, ticks: self.ticks.clone() }
    }
}

/// A straight scale from 0 with given ticks. The ticks that plotters would choose overlap in narrow figures.
#[derive(Clone)]
pub(super) struct Scale {
    end: f64,
    ticks: Vec<f64>,
}

impl Ranged for Scale {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (from, to): (i32, i32)) -> i32 {
        from + (f64::from(to - from) * value / self.end).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() {
            Vec::new()
        } else {
            self.ticks.clone()
        }
    }

    fn range(&self) -> std::ops::Range<f64> {
        0.0..self.end
    }
}

/// Draws a chart over the whole canvas. A `right` axis only shows numbers. The data that belongs to it is drawn on the
/// scale of `y`.
pub(super) fn draw_axes<'a>(
    canvas: &Canvas<'a>,
    theme: &Theme,
    x: &Axis<'_>,
    y: &Axis<'_>,
    right: Option<&Axis<'_>>,
) -> DrawResult<Chart<'a>> {
    let (width, height) = canvas.dim_in_pixel();
    let (before, after) =
        (y.thickness(), right.map_or_else(|| x.beyond(width.saturating_sub(y.thickness())), Axis::thickness));
    let mut chart: Chart<'a> = ChartBuilder::on(canvas)
        .margin_top(ABOVE)
        .margin_right(after)
        .set_label_area_size(LabelAreaPosition::Left, before)
        .set_label_area_size(LabelAreaPosition::Bottom, UNDER)
        .build_cartesian_2d(x.scale(), y.scale())?;
    let mut mesh = chart.configure_mesh();
    if y.ticks.is_empty() {
        mesh.disable_y_axis();
    }
    mesh.disable_x_mesh()
        .bold_line_style(theme.grid)
        .axis_style(theme.axis)
        .label_style(text_style(theme.quiet, HPos::Left, VPos::Top))
        .x_label_formatter(x.label)
        .y_label_formatter(y.label)
        .set_all_tick_mark_size(3)
        .draw()?;
    let (top, bottom) = (ABOVE as i32, (height - UNDER) as i32);
    let upright = |axis: &Axis<'_>, turn, x: u32| {
        let style = text_style(axis.color, HPos::Center, VPos::Top).transform(turn);
        canvas.draw_text(axis.title, &style, (x as i32, (top + bottom) / 2))
    };
    // In a narrow picture a title moves away from the edges. If it is still too long, it loses its unit.
    let fits = |title: &str| text_width(title) + 2 * GAP <= width;
    let title = if fits(x.title) { x.title } else { x.title.split(" (").next().unwrap_or_default() };
    let half = (text_width(title) / 2 + GAP).min(width / 2);
    let across = ((before + width - after) / 2).clamp(half, width - half);
    let under = text_style(x.color, HPos::Center, VPos::Bottom);
    canvas.draw_text(title, &under, (across as i32, height as i32 - 2))?;
    upright(y, FontTransform::Rotate270, GAP)?;
    if let Some(right) = right {
        upright(right, FontTransform::Rotate90, width - GAP)?;
        for &tick in &right.ticks {
            let up = f64::from(bottom - top) * tick / right.end;
            let at = ((width - after + GAP) as i32, bottom - up.round() as i32);
            write_text(canvas, &(right.label)(&tick), theme.quiet, HPos::Left, at)?;
        }
    }
    Ok(chart)
}

/// Returns the smallest number of the form 1, 2 or 5 times a power of ten that is at least `least` and at least 1.
pub(super) fn round_step(least: f64) -> f64 {
    let mut unit = 1.0;
    loop {
        if let Some(step) = [1.0, 2.0, 5.0].into_iter().map(|n| n * unit).find(|&step| step >= least) {
            return step;
        }
        unit *= 10.0;
    }
}

/// Returns the multiples of `step` from 0 to `end`.
pub(super) fn ticks(step: f64, end: f64) -> Vec<f64> {
    (0..=(end / step + 1e-9) as u32).map(|i| f64::from(i) * step).collect()
}

/// Formats a number with three digits and an SI prefix.
pub(super) fn si(value: f64) -> String {
    let mut value = value;
    let mut prefixes = ["", "k", "M", "G", "T", "P", "E"].into_iter();
    let mut prefix = prefixes.next().unwrap_or_default();
    while value >= 999.5 {
        let Some(next) = prefixes.next() else { break };
        (value, prefix) = (value / 1000.0, next);
    }
    let digits = if value >= 99.95 {
        0
    } else if value >= 9.995 {
        1
    } else {
        2
    };
    let text = format!("{value:.digits$}");
    let text = if digits > 0 { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text}{prefix}")
}

/// Writes a text in the middle of a picture that has no data.
pub(super) fn draw_message(canvas: &Canvas<'_>, theme: &Theme, text: &str) -> DrawResult {
    let (width, height) = canvas.dim_in_pixel();
    write_text(canvas, text, theme.quiet, HPos::Center, (width as i32 / 2, height as i32 / 2))
}

/// Writes a line of text. Its left end, right end or middle is at `x`, as `h` says.
pub(super) fn write_text(canvas: &Canvas<'_>, text: &str, color: RGBColor, h: HPos, at: (i32, i32)) -> DrawResult {
    Ok(canvas.draw_text(text, &text_style(color, h, VPos::Center), at)?)
}

/// Writes a message into a picture that has no data.
pub(super) fn draw_no_data(canvas: &Canvas<'_>, theme: &Theme) -> DrawResult {
    let (width, height) = canvas.dim_in_pixel();
    write_text(canvas, "no requests", theme.quiet, HPos::Center, (width as i32 / 2, height as i32 / 2))
}
