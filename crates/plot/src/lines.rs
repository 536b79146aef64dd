//! Lines by tone, each with a dash of its own: colour is never the only sign. For the charts of the Reuse tab.

use crate::axes::Chart;
use crate::theme::{Theme, ASSOCIATIVITY, LATENCY};
use crate::Drawn;
use lab::Tone;
use plotters::element::{DashedPathElement, PathElement, Polygon};
use plotters::style::{Color, RGBColor};

/// Colour, and px of dash and gap; no dash is a whole line.
fn look(tone: Tone, theme: &Theme) -> (RGBColor, Option<(i32, i32)>) {
    match tone {
        Tone::Exact => (theme.text, None),
        Tone::Plain => (ASSOCIATIVITY, Some((7, 4))),
        Tone::Adjusted => (LATENCY, Some((2, 3))),
        Tone::Sample => (theme.mshr_text, Some((12, 3))),
    }
}

/// A line through points that are on the chart's scale already.
pub(super) fn line(chart: &Chart<'_>, theme: &Theme, tone: Tone, points: Vec<(f64, f64)>) -> Drawn {
    let area = chart.plotting_area();
    let (color, dash) = look(tone, theme);
    let style = color.stroke_width(2);
    match dash {
        None => area.draw(&PathElement::new(points, style))?,
        Some((size, gap)) => area.draw(&DashedPathElement::new(points, size, gap, style))?,
    }
    Ok(())
}

/// The area between two rows of values over the same places.
pub(super) fn band(chart: &Chart<'_>, theme: &Theme, tone: Tone, low: &[(f64, f64)], high: &[(f64, f64)]) -> Drawn {
    if low.len() < 2 {
        return Ok(());
    }
    let outline: Vec<(f64, f64)> = low.iter().chain(high.iter().rev()).copied().collect();
    chart.plotting_area().draw(&Polygon::new(outline, look(tone, theme).0.mix(0.2)))?;
    Ok(())
}
