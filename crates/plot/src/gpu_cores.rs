//! Sectors that the loads of each core look up in its L1, in the model `gpu`.
//!
//! In: the rows of the cores with loads, and the number of cores; of a baseline too, if there is one.
//! Out: a bar per core. Its lower part are the sectors that were there, the upper one those that were not. A core without
//! loads has none. A line over the bar is the baseline's sectors.

use crate::axes::{draw_axes, draw_no_data, round_step, si, ticks, Axis, Canvas};
use crate::marks::{mark_area, mark_long_axis, share, whole};
use crate::range::Range;
use crate::theme::{Theme, CAPACITY};
use crate::DrawResult;
use lab::GpuCoreRow;
use plotters::element::{PathElement, Rectangle};
use plotters::style::Color;

/// Width in px from which a bar leaves a gap to its neighbour.
const GAPS_FROM: f64 = 4.0;

/// The rows of a run, and those of its baseline.
pub(super) type Rows<'r> = (&'r [GpuCoreRow], &'r [GpuCoreRow]);

pub(super) fn draw(canvas: &Canvas<'_>, theme: &Theme, (rows, base): Rows<'_>, cores: u64, range: Range) -> DrawResult {
    let both = || rows.iter().chain(base);
    let most = both().map(|row| row.l1_sectors).max().unwrap_or(0) as f64;
    if most <= 0.0 {
        return draw_no_data(canvas, theme);
    }
    let end = both().map(|row| u64::from(row.core) + 1).fold(cores.max(1), u64::max);
    let shown = range.bars(end as usize);
    let in_sight = |row: &&GpuCoreRow| shown.contains(&(row.core as usize));
    let most = both().filter(in_sight).map(|row| row.l1_sectors).max().unwrap_or(0).max(1) as f64;
    let end = shown.len() as f64;
    let step = round_step(most / 4.0);
    let top = (most / step).ceil().max(1.0) * step;
    let y = Axis { end: top, ticks: ticks(step, top), label: &|n| si(*n), title: "Sectors", color: theme.text };
    let width = canvas.dim_in_pixel().0;
    let labels = f64::from(width.saturating_sub(90)) / 48.0;
    // A number stands in the middle of its bar.
    let numbers = ticks(round_step(end / labels.max(1.0)), end - 1.0).into_iter().map(|core| core + 0.5).collect();
    let x = Axis {
        end,
        ticks: numbers,
        label: &|place| (shown.start as f64 + place.floor()).to_string(),
        title: "Core (SM)",
        color: theme.text,
    };
    let chart = draw_axes(canvas, theme, &x, &y, None)?;
    let area = chart.plotting_area();
    let range = area.get_pixel_range().0;
    let half = if f64::from(range.end - range.start) / end >= GAPS_FROM { 0.4 } else { 0.5 };
    let middle_of = |row: &GpuCoreRow| (row.core as usize - shown.start) as f64 + 0.5;
    for row in rows.iter().filter(in_sight) {
        let middle = middle_of(row);
        let (hits, all) = (row.l1_hits as f64, row.l1_sectors as f64);
        let bar = |from: f64, to: f64| [(middle - half, from), (middle + half, to)];
        area.draw(&Rectangle::new(bar(0.0, hits), theme.axis.filled()))?;
        area.draw(&Rectangle::new(bar(hits, all), CAPACITY.filled()))?;
        let s = base::plural(row.l1_sectors, "s");
        let mut told =
            format!("Core {}\n{} sector{s}\n{} hit ({})", row.core, whole(all), whole(hits), share(hits, all));
        if let Some(before) = base.iter().find(|before| before.core == row.core) {
            let (hits, all) = (before.l1_hits as f64, before.l1_sectors as f64);
            let s = base::plural(before.l1_sectors, "s");
            told += &format!("\nbaseline {} sector{s}\n{} hit ({})", whole(all), whole(hits), share(hits, all));
        }
        mark_area(&chart, [(middle - 0.5, 0.0), (middle + 0.5, top)], told)?;
    }
    for row in base.iter().filter(in_sight) {
        let (middle, all) = (middle_of(row), row.l1_sectors as f64);
        area.draw(&PathElement::new([(middle - half, all), (middle + half, all)], theme.text.stroke_width(2)))?;
    }
    mark_long_axis(&chart, end)?;
    Ok(())
}
