//! What the marks of a figure stand for, so that a reader gets the exact values by pointer or keyboard.
//!
//! In: rectangles in the coordinates of a chart or in px, each with its text.
//! Out: at the end of the SVG, an invisible group with one shape per mark and the text as its title. A viewer of the file
//! shows the titles by itself, and the page reads them. The group names the px between which a long axis runs.

use crate::axes::{Canvas, Chart};
use crate::backend::PlainText;
use crate::DrawResult;
use plotters::element::{Drawable, PointCollection};
use plotters::prelude::SVGBackend;
use plotters_backend::{BackendCoord, DrawingErrorKind};
use std::cell::RefCell;
use std::fmt::Write;
use std::rc::Rc;

/// The least distance in px between the marks of a line's points.
const APART: i32 = 3;
/// What the page puts between groups of three digits, and before a unit.
const THIN: char = '\u{202f}';

/// A mark: two corners, and a text whose first line says what it is and whose other lines are its values.
struct Mark<C> {
    corners: Vec<C>,
    kind: Kind,
}

#[derive(Clone)]
enum Kind {
    Area(String),
    /// The columns that are nearest to a point, whose place is the third corner.
    Point(String),
    LongAxis,
}

impl<'a, C> PointCollection<'a, C> for &'a Mark<C> {
    type Point = &'a C;
    type IntoIter = std::slice::Iter<'a, C>;

    fn point_iter(self) -> Self::IntoIter {
        self.corners.iter()
    }
}

impl<'s, C> Drawable<PlainText<SVGBackend<'s>>> for Mark<C> {
    fn draw<I: Iterator<Item = BackendCoord>>(
        &self,
        at: I,
        backend: &mut PlainText<SVGBackend<'s>>,
        _: (u32, u32),
    ) -> Result<(), DrawingErrorKind<std::io::Error>> {
        backend.marks.add(&self.kind, &at.collect::<Vec<_>>());
        Ok(())
    }
}

/// The marks of one figure, in px and as SVG.
#[derive(Clone, Default)]
pub(super) struct Marks(Rc<RefCell<Written>>);

#[derive(Default)]
struct Written {
    shapes: String,
    long_axis: Option<(i32, i32)>,
}

impl Marks {
    fn add(&self, kind: &Kind, places: &[BackendCoord]) {
        let [a, b, rest @ ..] = places else { return };
        let mut written = self.0.borrow_mut();
        let (Kind::Area(text) | Kind::Point(text)) = kind else {
            written.long_axis = Some((a.0, b.0));
            return;
        };
        let (left, top) = (a.0.min(b.0), a.1.min(b.1));
        let (width, height) = ((a.0 - b.0).abs().max(1), (a.1 - b.1).abs().max(1));
        let at = rest.first().map(|point| format!(" data-at=\"{}\"", point.0)).unwrap_or_default();
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        // Writing to a string cannot fail.
        let _ = write!(
            written.shapes,
            "<path d=\"M{left} {top}h{width}v{height}h-{width}z\"{at}><title>{text}</title></path>"
        );
    }

    /// Puts the marks at the end of a finished figure.
    pub fn append_to(&self, svg: &mut String) {
        let written = self.0.borrow();
        let Some(end) = svg.rfind("</svg>").filter(|_| !written.shapes.is_empty()) else { return };
        let axis = written.long_axis.map(|(from, to)| format!(" data-axis=\"{from} {to}\"")).unwrap_or_default();
        let group = format!("<g class=\"marks\" fill=\"none\" pointer-events=\"all\"{axis}>{}</g>\n", written.shapes);
        svg.insert_str(end, &group);
    }
}

// Plotters' elements are inlined where they are drawn. These functions are not, which keeps the module of the page small.

/// Adds a mark over an area of a chart.
#[inline(never)]
pub(super) fn mark_area(chart: &Chart<'_>, corners: [(f64, f64); 2], text: String) -> DrawResult {
    Ok(chart.plotting_area().draw(&Mark { corners: corners.into(), kind: Kind::Area(text) })?)
}

/// Adds a mark over an area in px.
#[inline(never)]
pub(super) fn mark_box(canvas: &Canvas<'_>, corners: [(i32, i32); 2], text: String) -> DrawResult {
    draw_in_px(canvas, corners.into(), Kind::Area(text))
}

/// Says that the axis of x, which ends at `end`, can be zoomed.
#[inline(never)]
pub(super) fn mark_long_axis(chart: &Chart<'_>, end: f64) -> DrawResult {
    Ok(chart.plotting_area().draw(&Mark { corners: vec![(0.0, 0.0), (end, 0.0)], kind: Kind::LongAxis })?)
}

/// Says that a picture without an axis can be zoomed.
pub(super) fn mark_long_list(canvas: &Canvas<'_>) -> DrawResult {
    draw_in_px(canvas, vec![(0, 0); 2], Kind::LongAxis)
}

#[inline(never)]
fn draw_in_px(canvas: &Canvas<'_>, corners: Vec<(i32, i32)>, kind: Kind) -> DrawResult {
    Ok(canvas.draw(&Mark { corners, kind })?)
}

/// Adds a mark for each point of a chart's lines, over its whole height. A mark has the columns of the picture that are
/// nearest to its point. `places` ascend. Points beyond the axis, which ends at `end`, have none, and neither have those
/// less than [`APART`] px from the point before them.
#[inline(never)]
pub(super) fn mark_points(chart: &Chart<'_>, end: f64, places: &[f64], text: &dyn Fn(usize) -> String) -> DrawResult {
    let area = chart.plotting_area();
    let (across, down) = area.get_pixel_range();
    let px = |place: f64| area.map_coordinate(&(place, 0.0)).0 - across.start;
    let mut kept: Vec<(usize, i32)> = Vec::new();
    for (i, &place) in places.iter().enumerate().filter(|(_, place)| (0.0..=end).contains(*place)) {
        if kept.last().is_none_or(|&(_, last)| px(place) - last >= APART) {
            kept.push((i, px(place)));
        }
    }
    let canvas = area.strip_coord_spec();
    let height = down.end - down.start;
    for (k, &(i, at)) in kept.iter().enumerate() {
        let left = k.checked_sub(1).map_or(0, |before| (kept[before].1 + at) / 2);
        let right = kept.get(k + 1).map_or(across.end - across.start, |next| (at + next.1) / 2);
        draw_in_px(&canvas, vec![(left, 0), (right, height), (at, 0)], Kind::Point(text(i)))?;
    }
    Ok(())
}

/// Sorts values, and leaves out those that are there twice.
#[inline(never)]
pub(super) fn ascending(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_by(f64::total_cmp);
    values.dedup();
    values
}

/// A whole number with its digits in groups of three, as the page writes it.
pub(super) fn whole(n: f64) -> String {
    let digits = format!("{:.0}", n.abs());
    let mut text = String::from(if n < -0.5 { "−" } else { "" });
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(THIN);
        }
        text.push(digit);
    }
    text
}

/// A number with up to `digits` digits after the point.
pub(super) fn decimal(n: f64, digits: usize) -> String {
    let text = format!("{n:.digits$}");
    let (front, after) = text.split_once('.').unwrap_or((&text, ""));
    let after = after.trim_end_matches('0');
    match after {
        "" => whole(n),
        _ => {
            let sign = if n < 0.0 { "−" } else { "" };
            let front = whole(front.trim_start_matches('-').parse().unwrap_or_default());
            format!("{sign}{front}.{after}")
        }
    }
}

/// A share of a whole in percent, with one digit after the point.
pub(super) fn share(part: f64, all: f64) -> String {
    format!("{:.1}{THIN}%", if all > 0.0 { 100.0 * part / all } else { 0.0 })
}
