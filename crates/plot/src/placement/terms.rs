//! The chart of placements as horizontal bars, which shows how Tcomp, Tmem and their overlap make up a predicted time.
//!
//! In: [`TermBar`]s.
//! Out: one row per placement: its name, then a bar of three parts. The parts are computing alone (Tcomp − Toverlap),
//! both at once (Toverlap) and memory alone (Tmem − Toverlap). The bar is therefore as long as T = Tcomp + Tmem −
//! Toverlap (Huang & Li, equation 1).

use crate::axes::{round_step, si, ticks, write_text, Canvas};
use crate::marks::{mark_box, whole};
use crate::theme::{text_width, Theme, CAPACITY, COMPULSORY, LATENCY};
use crate::DrawResult;
use lab::TermBar;
use plotters::element::{PathElement, Rectangle};
use plotters::style::text_anchor::HPos;
use plotters::style::Color;

/// Heights in px of a row, of the bar in it, of a name above the bar, and of the scale under all rows.
const ROW: i32 = 26;
const BAR: i32 = 16;
const NAME: i32 = 16;
const UNDER: i32 = 38;
const GAP: i32 = 8;

/// Returns the width in px that the names take before the bars. Returns `None` if the names stand above the bars
/// because they would take more than two fifths of the picture.
fn label_width(bars: &[TermBar], width: u32) -> Option<i32> {
    let named = bars.iter().map(|bar| text_width(&bar.label)).max().unwrap_or(0) + 2 * GAP as u32;
    (named <= width * 2 / 5).then_some(named as i32)
}

/// Computes the height of the picture in px.
pub(super) fn height(bars: &[TermBar], width: u32) -> u32 {
    let row = if label_width(bars, width).is_some() { ROW } else { ROW + NAME };
    (bars.len().clamp(1, 64) as i32 * row + UNDER) as u32
}

/// Splits a bar into computing alone, both at once, and memory alone. A trained overlap can be below 0 or above a term.
/// Then there are no such parts, and the bar is one part as long as T.
fn parts(bar: &TermBar) -> [f64; 3] {
    let both = bar.t_overlap;
    match (0.0..=bar.t_comp.min(bar.t_mem)).contains(&both) {
        true => [bar.t_comp - both, both, bar.t_mem - both],
        false => [0.0, (bar.t_comp + bar.t_mem - both).max(0.0), 0.0],
    }
}

/// Shortens a text to the width `room`.
fn shorten(text: &str, room: i32) -> String {
    if text_width(text) as i32 <= room {
        return text.into();
    }
    let mut short: String = text.into();
    while !short.is_empty() && text_width(&short) as i32 + 10 > room {
        short.pop();
    }
    format!("{}…", short.trim_end())
}

pub(super) fn draw(canvas: &Canvas<'_>, theme: &Theme, bars: &[TermBar]) -> DrawResult {
    let (width, height) = canvas.dim_in_pixel();
    let (width, bottom) = (width as i32, height as i32 - UNDER);
    let longest = bars.iter().map(|bar| parts(bar).iter().sum::<f64>()).fold(0.0, f64::max);
    if bars.is_empty() || !longest.is_finite() || longest <= 0.0 {
        return crate::axes::draw_message(canvas, theme, "nothing evaluated yet");
    }
    let beside = label_width(bars, width as u32);
    let left = beside.unwrap_or(GAP);
    let above = if beside.is_some() { 0 } else { NAME };
    let right = width - text_width("0.00M") as i32 - GAP;
    let at = |cycles: f64| left + (f64::from(right - left) * cycles / longest).round() as i32;
    let step = round_step(longest / f64::from(((right - left) / 80).max(1)));
    for tick in ticks(step, longest) {
        canvas.draw(&PathElement::new([(at(tick), 0), (at(tick), bottom)], theme.grid.stroke_width(1)))?;
        write_text(canvas, &si(tick), theme.quiet, HPos::Center, (at(tick).max(8), bottom + 11))?;
    }
    write_text(
        canvas,
        "Predicted time (SM cycles)",
        theme.text,
        HPos::Center,
        ((left + right) / 2, height as i32 - 9),
    )?;
    for (bar, row) in bars.iter().zip(0..) {
        let head = row * (ROW + above);
        let (top, middle) = (head + above + (ROW - BAR) / 2, head + above + ROW / 2);
        let color = if bar.present || bar.chosen { theme.text } else { theme.quiet };
        match beside {
            Some(_) => write_text(canvas, &bar.label, color, HPos::Right, (left - GAP, middle))?,
            None => write_text(
                canvas,
                &shorten(&bar.label, width - 2 * GAP),
                color,
                HPos::Left,
                (left, head + NAME / 2 + 3),
            )?,
        }
        let mut from = 0.0;
        for (cycles, color) in parts(bar).into_iter().zip([COMPULSORY, LATENCY, CAPACITY]) {
            let (x, end) = (at(from), at(from + cycles));
            if end > x {
                canvas.draw(&Rectangle::new([(x, top), (end, top + BAR)], color.filled()))?;
            }
            from += cycles;
        }
        if bar.chosen {
            canvas.draw(&Rectangle::new(
                [(left - 2, top - 3), (at(from) + 2, top + BAR + 3)],
                theme.text.stroke_width(2),
            ))?;
        }
        write_text(canvas, &si(from), theme.text, HPos::Left, (at(from) + 6, middle))?;
        let [comp, both, mem] = parts(bar).map(whole);
        let told =
            format!("{}\n{} cycles\ncomputing alone {comp}, both {both}, memory alone {mem}", bar.label, whole(from));
        mark_box(canvas, [(0, head), (width, head + ROW + above)], told)?;
    }
    Ok(())
}
