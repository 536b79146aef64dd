//! Lines of the Reuse tab's charts. Each tone has its own dash pattern, so colour is never the only difference.

use crate::axes::Chart;
use crate::theme::{Theme, ASSOCIATIVITY, LATENCY};
use crate::DrawResult;
use lab::Tone;
use plotters::element::{DashedPathElement, PathElement, Polygon};
use plotters::style::{Color, RGBColor};

/// Returns the colour of a tone, and its dash and gap in px. A solid line has no dash.
fn line_style(tone: Tone, theme: &Theme) -> (RGBColor, Option<(i32, i32)>) {
    match tone {
        Tone::Exact => (theme.text, None),
        Tone::Plain => (ASSOCIATIVITY, Some((7, 4))),
        Tone::Adjusted => (LATENCY, Some((2, 3))),
        Tone::Sample => (theme.mshr_text, Some((12, 3))),
    }
}

/// The name of a tone, as the page's legend has it.
pub(super) fn tone_name(tone: Tone) -> &'static str {
    match tone {
        Tone::Exact => "exact",
        Tone::Plain => "HP-RDA without ef",
        Tone::Adjusted => "HP-RDA with ef",
        Tone::Sample => "sample",
    }
}

/// Draws a line through points in the coordinates of the chart.
pub(super) fn draw_line(chart: &Chart<'_>, theme: &Theme, tone: Tone, points: Vec<(f64, f64)>) -> DrawResult {
    let area = chart.plotting_area();
    let (color, dash) = line_style(tone, theme);
    let style = color.stroke_width(2);
    match dash {
        None => area.draw(&PathElement::new(points, style))?,
        Some((size, gap)) => area.draw(&DashedPathElement::new(points, size, gap, style))?,
    }
    Ok(())
}

/// Fills the area between two lines that have the same positions on the x axis.
pub(super) fn draw_band(
    chart: &Chart<'_>,
    theme: &Theme,
    tone: Tone,
    low: &[(f64, f64)],
    high: &[(f64, f64)],
) -> DrawResult {
    if low.len() < 2 {
        return Ok(());
    }
    let outline: Vec<(f64, f64)> = low.iter().chain(high.iter().rev()).copied().collect();
    chart.plotting_area().draw(&Polygon::new(outline, line_style(tone, theme).0.mix(0.2)))?;
    Ok(())
}
