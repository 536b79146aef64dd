//! The chart of time per load by array size on this machine, with the cache levels found in it. Both axes are
//! logarithmic.
//!
//! In: [`MachineLevels`].
//! Out: the least time as a line, the range up to the largest time as a band, each level as a bold flat line, and each
//! boundary as an upright line with its interval from 15 to 85 % as a band.

use crate::axes::{draw_axes, write_text, Axis, Canvas, RIGHT};
use crate::marks::{decimal, mark_long_axis, mark_points};
use crate::range::Range;
use crate::theme::{text_width, Theme, CAPACITY, COMPULSORY};
use crate::topology::sizes::SizeAxis;
use crate::DrawResult;
use lab::{size_text, MachineLevels};
use plotters::element::{PathElement, Polygon, Rectangle};
use plotters::style::text_anchor::HPos;
use plotters::style::Color;

pub(super) fn draw(canvas: &Canvas<'_>, theme: &Theme, found: &MachineLevels, range: Range) -> DrawResult {
    let (width, _) = canvas.dim_in_pixel();
    let (sizes, least): (Vec<f64>, Vec<(f64, f64)>) = found
        .sizes
        .iter()
        .zip(found.least.iter().zip(&found.most))
        .filter(|(_, (least, _))| least.is_finite() && **least > 0.0)
        .map(|(size, (least, most))| (*size, (*least, *most)))
        .unzip();
    let low = least.iter().map(|(least, _)| *least).fold(f64::INFINITY, f64::min) / 1.3;
    let Some(axis) = SizeAxis::zoomed(&sizes, width.saturating_sub(60 + RIGHT), range).filter(|_| low.is_finite())
    else {
        return crate::axes::draw_message(canvas, theme, "nothing measured yet");
    };
    let high = least.iter().map(|(least, _)| *least).fold(0.0, f64::max) * 2.0;
    let up = |ns: f64| libm::log10(ns.clamp(low, high) / low);
    let end = up(high);
    let marks = (-3..7).flat_map(|e| [1.0, 2.0, 5.0].map(|n| n * libm::pow(10.0, f64::from(e))));
    let marks: Vec<f64> = marks.filter(|ns| *ns >= low && *ns <= high).map(up).collect();
    let text = |at: &f64| {
        let ns = low * libm::pow(10.0, *at);
        if ns < 0.95 {
            format!("{ns:.1}")
        } else {
            format!("{ns:.0}")
        }
    };
    let y = Axis { end, ticks: marks, label: &text, title: "Time per load (ns)", color: theme.text };
    let label = |at: &f64| axis.label(*at);
    let x = axis.axis(&label, theme.text);
    let chart = draw_axes(canvas, theme, &x, &y, None)?;
    let area = chart.plotting_area();
    for (_, from, to) in &found.boundaries {
        let (from, to) = (axis.clamped(*from), axis.clamped(*to));
        area.draw(&Rectangle::new([(from, 0.0), (to, end)], CAPACITY.mix(0.3).filled()))?;
    }
    let places: Vec<f64> = sizes.iter().map(|size| axis.at(*size)).collect();
    let below: Vec<_> = places.iter().zip(&least).map(|(x, (least, _))| (*x, up(*least))).collect();
    let above: Vec<_> = places.iter().zip(&least).map(|(x, (_, most))| (*x, up(*most))).collect();
    let (below, above) = (axis.line(&below), axis.line(&above));
    area.draw(&Polygon::new(below.iter().chain(above.iter().rev()).copied().collect::<Vec<_>>(), theme.hits.mix(0.5)))?;
    for (latency, from, to) in &found.levels {
        let line = [(axis.at(*from), up(*latency)), (axis.at(*to), up(*latency))];
        area.draw(&PathElement::new(axis.line(&line), COMPULSORY.stroke_width(5)))?;
    }
    area.draw(&PathElement::new(below, theme.text.stroke_width(if width < 500 { 1 } else { 2 })))?;
    mark_points(&chart, x.end, &places, &|i| {
        let (fastest, slowest) = (decimal(least[i].0, 2), decimal(least[i].1, 2));
        format!("{}\n{fastest} ns per load\nup to {slowest} ns", size_text(sizes[i] as u64))
    })?;
    mark_long_axis(&chart, x.end)?;
    let mut free = 0;
    for (bytes, ..) in found.boundaries.iter().filter(|(bytes, ..)| axis.has(*bytes)) {
        let at = axis.at(*bytes);
        area.draw(&PathElement::new([(at, 0.0), (at, end)], theme.text.stroke_width(2)))?;
        let text = size_text(*bytes as u64);
        let half = text_width(&text) as i32 / 2 + 2;
        let (x, top) = area.map_coordinate(&(at, end));
        let x = x.clamp(half, width as i32 - half);
        if x - half >= free {
            write_text(canvas, &text, theme.text, HPos::Center, (x, top - 11))?;
            free = x + half + 4;
        }
    }
    Ok(())
}
