//! The bar of hits and classes of misses, from 0 to 100 %.
//!
//! In: the counts of a kernel.
//! Out: one segment per class that occurred, with its name where the name fits.

use crate::axes::{draw_axes, draw_no_data, ticks, write_text, Axis, Canvas};
use crate::marks::{mark_area, share, whole};
use crate::theme::{text_width, Theme, ASSOCIATIVITY, CAPACITY, COMPULSORY, INK, LATENCY, MSHR};
use crate::DrawResult;
use lab::KernelReport;
use plotters::element::Rectangle;
use plotters::style::text_anchor::HPos;
use plotters::style::Color;

/// The height of the figure in px.
pub(super) const HEIGHT: u32 = 116;

pub(super) fn draw(canvas: &Canvas<'_>, theme: &Theme, kernel: &KernelReport) -> DrawResult {
    let misses = &kernel.misses;
    // In reports with a `differential`, MSHR misses are a difference between runs and lie within the other classes.
    let mshr = if kernel.differential.is_none() { misses.mshr } else { 0 };
    let parts = [
        ("hits", kernel.hits as f64, theme.hits, theme.text),
        ("compulsory", misses.compulsory as f64, COMPULSORY, INK),
        ("capacity", misses.capacity as f64, CAPACITY, INK),
        ("associativity", misses.associativity as f64, ASSOCIATIVITY, INK),
        ("latency", misses.latency as f64, LATENCY, INK),
        ("MSHRs", mshr as f64, MSHR, INK),
    ];
    let requests: f64 = parts.iter().map(|part| part.1.max(0.0)).sum();
    if kernel.requests == 0 || requests <= 0.0 {
        return draw_no_data(canvas, theme);
    }
    let x = Axis {
        end: 100.0,
        ticks: ticks(25.0, 100.0),
        label: &|percent| percent.to_string(),
        title: "Share of requests (%)",
        color: theme.text,
    };
    let y = Axis { end: 1.0, ticks: Vec::new(), label: &|_| String::new(), title: "", color: theme.text };
    let chart = draw_axes(canvas, theme, &x, &y, None)?;
    let area = chart.plotting_area();
    let mut from = 0.0;
    for (name, count, color, ink) in parts.into_iter().filter(|part| part.1 > 0.0) {
        let percentage = 100.0 * count / requests;
        let to = from + percentage;
        area.draw(&Rectangle::new([(from, 0.06), (to, 1.0)], color.filled()))?;
        let told = format!(
            "{name}\n{} request{s} ({})",
            whole(count),
            share(count, requests),
            s = base::plural((count + 0.5) as u64, "s")
        );
        mark_area(&chart, [(from, 0.06), (to, 1.0)], told)?;
        let (left, top) = area.map_coordinate(&(from, 1.0));
        let (right, bottom) = area.map_coordinate(&(to, 0.0));
        let percent = if percentage < 0.1 { "<0.1 %".into() } else { format!("{percentage:.1} %") };
        let place = ((left + right) / 2, (top + bottom) / 2);
        if text_width(name).max(text_width(&percent)) as i32 + 6 <= right - left {
            write_text(canvas, name, ink, HPos::Center, (place.0, place.1 - 8))?;
            write_text(canvas, &percent, ink, HPos::Center, (place.0, place.1 + 8))?;
        } else if text_width(&percent) as i32 + 4 <= right - left {
            write_text(canvas, &percent, ink, HPos::Center, place)?;
        }
        from = to;
    }
    Ok(())
}
