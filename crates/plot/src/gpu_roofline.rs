//! The roofline of a kernel in the model `gpu`, both axes logarithmic.
//!
//! In: the roofline of a kernel's report, and that of a baseline if there is one.
//! The baseline's two points are grey; lines are those of the run.
//! Out: a level line for what the units can compute, a slope for what the L2 and DRAM can move, and the kernel's two points:
//! a disc at its operations per byte of DRAM, a ring at those per byte of the L2. A point at a line cannot go faster. The key
//! stands at the top left, above all lines. A kernel without floating-point instructions has no point.

use crate::axes::{draw_axes, si, write_text, Axis, Canvas, Chart};
use crate::marks::{decimal, mark_box};
use crate::theme::{Theme, CAPACITY, COMPULSORY, LATENCY, TEXT};
use crate::DrawResult;
use lab::GpuRoofline;
use plotters::element::{Circle, PathElement};
use plotters::style::text_anchor::HPos;
use plotters::style::{Color, RGBColor};

/// Decades that are shown beyond the outermost point or corner, so that marks stay within the picture.
const BESIDE: f64 = 0.3;
/// The least decades of the axis of operations per second.
const LEAST_DECADES: f64 = 2.0;

/// The exponents of ten at the ends of an axis.
#[derive(Clone, Copy)]
struct Decades {
    first: f64,
    last: f64,
}

impl Decades {
    fn around(values: impl Iterator<Item = f64> + Clone) -> Self {
        let exponents = || values.clone().filter(|value| *value > 0.0 && value.is_finite()).map(libm::log10);
        let (least, most) = exponents().fold((f64::MAX, f64::MIN), |(a, b), e| (a.min(e), b.max(e)));
        Self { first: (least - BESIDE).floor(), last: (most + BESIDE).ceil() }
    }

    fn length(self) -> f64 {
        self.last - self.first
    }

    /// Every decade, or every second and so on if there is room for fewer labels.
    fn ticks(self, room: f64) -> Vec<f64> {
        let every = (self.length() / room.max(1.0)).ceil().max(1.0);
        crate::axes::ticks(every, self.length())
    }
}

pub(super) fn draw(
    canvas: &Canvas<'_>,
    theme: &Theme,
    (roofline, base): (&GpuRoofline, Option<&GpuRoofline>),
) -> DrawResult {
    let (width, height) = canvas.dim_in_pixel();
    let r = roofline;
    if r.operations == 0 || r.operations_per_second <= 0.0 {
        let at = (width as i32 / 2, height as i32 / 2);
        return write_text(canvas, "no floating-point instructions", theme.quiet, HPos::Center, at);
    }
    let peak = r.peak_operations_per_second;
    let slopes = [("L2", COMPULSORY, r.peak_l2_bytes_per_second), ("DRAM", CAPACITY, r.peak_dram_bytes_per_second)];
    let points = [r.per_l2_byte, r.per_dram_byte];
    let corners = slopes.iter().map(|(_, _, bytes)| peak / bytes);
    let base_points = base.map(|base| [base.per_l2_byte, base.per_dram_byte]).unwrap_or_default();
    let xs = Decades::around(corners.chain(points.into_iter().chain(base_points).flatten()));
    // Room for the key, above the corner of the L2.
    let xs = Decades { first: xs.first.min(libm::log10(peak / slopes[0].2).floor() - 1.0), ..xs };
    let speeds = [Some(peak), Some(r.operations_per_second), base.map(|base| base.operations_per_second)];
    let ys = Decades::around(speeds.into_iter().flatten());
    let ys = Decades { first: ys.first.min(ys.last - LEAST_DECADES), ..ys };
    let power = |place: &f64| {
        let value = libm::exp10((place + xs.first).round());
        if value < 1.0 {
            format!("{value}")
        } else {
            si(value)
        }
    };
    let y = Axis {
        end: ys.length(),
        ticks: ys.ticks(f64::from(height) / 48.0),
        label: &|place| si(libm::exp10((place + ys.first).round())),
        title: "Operations per second",
        color: theme.text,
    };
    let x = Axis {
        end: xs.length(),
        ticks: xs.ticks(f64::from(width.saturating_sub(90)) / 64.0),
        label: &power,
        title: "Operations per byte (lanes × instructions)",
        color: theme.text,
    };
    let chart = draw_axes(canvas, theme, &x, &y, None)?;
    let place = |per_byte: f64, per_second: f64| (libm::log10(per_byte) - xs.first, libm::log10(per_second) - ys.first);
    let level = place(peak / slopes[0].2, peak);
    let far = (xs.length(), level.1);
    chart.plotting_area().draw(&PathElement::new([level, far], theme.text.stroke_width(2)))?;
    let right = chart.plotting_area().map_coordinate(&far);
    write_text(canvas, "arithmetic", theme.text, HPos::Right, (right.0, right.1 - 10))?;
    let mark = |at: (i32, i32), text: String| mark_box(canvas, [(at.0 - 8, at.1 - 8), (at.0 + 8, at.1 + 8)], text);
    for (name, color, bytes) in slopes {
        let corner = place(peak / bytes, peak);
        // The slope leaves the picture at its left edge or at its lower one.
        let left = corner.1 - corner.0;
        let start = if left >= 0.0 { (0.0, left) } else { (-left, 0.0) };
        chart.plotting_area().draw(&PathElement::new([start, corner], color.stroke_width(2)))?;
        let text = format!("{name} peak\n{}B per second", si(bytes));
        mark(chart.plotting_area().map_coordinate(&corner), text)?;
    }
    draw_key(canvas, theme, &chart, slopes.map(|(name, color, _)| (name, color)))?;
    let told = |name: &str, per_byte: f64, per_second: f64| {
        let reached = si(per_second);
        format!("{name}\n{} operations per byte\n{reached} operations per second", decimal(per_byte, 3))
    };
    let grey = theme.axis;
    let runs = [
        base.map(|base| (base_points, base.operations_per_second, "baseline, ", grey, grey)),
        Some((points, r.operations_per_second, "", theme.text, LATENCY)),
    ];
    for (points, per_second, of, ring_color, disc_color) in runs.into_iter().flatten() {
        for (per_byte, (name, color, _)) in points.into_iter().zip(slopes) {
            let Some(per_byte) = per_byte else { continue };
            let at = place(per_byte, per_second);
            let ring = color == COMPULSORY;
            let fill = if ring { ring_color.stroke_width(2) } else { disc_color.filled() };
            chart.plotting_area().draw(&Circle::new(at, if ring { 8 } else { 5 }, fill))?;
            mark(chart.plotting_area().map_coordinate(&at), told(&format!("{of}{name}"), per_byte, per_second))?;
        }
    }
    Ok(())
}

/// Writes which line and which mark is which.
fn draw_key(canvas: &Canvas<'_>, theme: &Theme, chart: &Chart<'_>, slopes: [(&str, RGBColor); 2]) -> DrawResult {
    let corner = chart.plotting_area().get_pixel_range();
    let (left, mut y) = (corner.0.start + 8, corner.1.start + 10);
    for (name, color) in slopes {
        canvas.draw(&PathElement::new([(left, y), (left + 14, y)], color.stroke_width(3)))?;
        let mark = left + 26;
        if name == "L2" {
            canvas.draw(&Circle::new((mark, y), 5, theme.text.stroke_width(2)))?;
        } else {
            canvas.draw(&Circle::new((mark, y), 5, LATENCY.filled()))?;
        }
        write_text(canvas, name, theme.text, HPos::Left, (mark + 12, y))?;
        y += TEXT as i32 + 6;
    }
    Ok(())
}
