//! The histogram of requests by reuse distance, with the associativity marked.
//!
//! In: the histogram of a kernel and the number of ways.
//! Out: one bar per distance if there are few distances, otherwise one bar per power of two. A power of two that
//! contains the associativity is split there, so each bar holds only hits or only misses. The last bar is the infinite
//! distance. A baseline has the same bins, as a line over the bars; where its associativity is another one, that is a dashed line.
//!
//! Source: HPCA'14 section 3: a request with a finite distance below the number of ways hits. Not modelled: the classes
//! of misses. A request within the ways can miss because its line is in flight, and a request at infinite distance can
//! be a latency miss.

use crate::axes::{draw_axes, draw_no_data, round_step, si, ticks, write_text, Axis, Canvas, RIGHT};
use crate::marks::{mark_area, mark_long_axis, share, whole};
use crate::range::Range;
use crate::theme::{text_width, Theme, CAPACITY, COMPULSORY};
use crate::{DrawResult, KernelWithWays};
use lab::Histogram;
use plotters::element::{DashedPathElement, PathElement, Rectangle};
use plotters::style::text_anchor::HPos;
use plotters::style::Color;

/// The greatest number of distances that get one bar each.
const EXACT: u64 = 24;
/// The greatest number of ways up to which all bars are drawn, even if no request has such a distance.
const FEW_WAYS: u64 = 16;

/// A bar for the distances from `low` to `high`. The infinite distance has no `low`.
pub(super) struct Bin {
    pub low: Option<u64>,
    pub high: u64,
    pub count: u64,
}

impl Bin {
    /// All distances of the bar, with all their digits.
    fn distances(&self) -> String {
        match self.low {
            None => "∞".into(),
            Some(low) if low == self.high => whole(low as f64),
            Some(low) => format!("{}–{}", whole(low as f64), whole(self.high as f64)),
        }
    }

    pub(super) fn label(&self) -> String {
        let number = |n: u64| if n < 10_000 { n.to_string() } else { si(n as f64) };
        match self.low {
            None => "∞".into(),
            Some(low) if low == self.high => number(low),
            Some(low) => format!("{}–{}", number(low), number(self.high)),
        }
    }
}

/// The distances of the bars of all histograms. Each comes with the least distance that misses.
fn ranges(of: &[(&Histogram, u64)]) -> Vec<(u64, u64)> {
    let last = of.iter().map(|(histogram, first_miss)| {
        let longest = histogram.counts().keys().next_back().copied().unwrap_or(0);
        if *first_miss <= FEW_WAYS {
            longest.max(*first_miss)
        } else {
            longest
        }
    });
    let last = last.max().unwrap_or(0);
    let mut ranges = Vec::new();
    let mut low = 0;
    while low <= last {
        let next = if last < EXACT || low == 0 { low + 1 } else { (low + 1).next_power_of_two() };
        let next = of.iter().map(|(_, first_miss)| *first_miss).filter(|split| low < *split).fold(next, u64::min);
        ranges.push((low, next - 1));
        low = next;
    }
    ranges
}

fn fill(ranges: &[(u64, u64)], histogram: &Histogram) -> Vec<Bin> {
    let counts = histogram.counts();
    let count = |low, high| counts.range(low..=high).map(|(_, n)| n).sum();
    let finite = ranges.iter().map(|&(low, high)| Bin { low: Some(low), high, count: count(low, high) });
    finite.chain([Bin { low: None, high: 0, count: histogram.infinite() }]).collect()
}

/// Sorts a histogram into bars. `first_miss` is the least distance that misses.
#[cfg(test)]
pub(super) fn bins(histogram: &Histogram, first_miss: u64) -> Vec<Bin> {
    fill(&ranges(&[(histogram, first_miss)]), histogram)
}

/// The least distance that misses. The authors' program, whose reports have no `differential`, also hits at a distance equal
/// to the ways.
fn first_miss(of: KernelWithWays<'_>) -> u64 {
    of.ways.saturating_add(u64::from(of.kernel.differential.is_none()))
}

/// Selects the bars that get a label, at intervals that keep labels apart. The last bar always gets one.
fn labelled(bins: &[Bin], bar_width: f64) -> Vec<f64> {
    let end = |i: usize, side: f64| {
        (i as f64 + 0.5) * bar_width + side * (f64::from(text_width(&bins[i].label())) / 2.0 + 3.0)
    };
    let last = bins.len() - 1;
    let every = |stride: usize| (0..last).step_by(stride).filter(|&i| end(i, 1.0) <= end(last, -1.0));
    let apart = |stride: usize| (0..last).step_by(stride).skip(1).all(|i| end(i - stride, 1.0) <= end(i, -1.0));
    let stride = [1, 2, 3, 4, 5, 6, 8, 10, 15].into_iter().find(|&stride| apart(stride)).unwrap_or(last.max(1));
    every(stride).chain([last]).map(|i| i as f64 + 0.5).collect()
}

pub(super) fn draw(
    canvas: &Canvas<'_>,
    theme: &Theme,
    (now, base): (KernelWithWays<'_>, Option<KernelWithWays<'_>>),
    range: Range,
) -> DrawResult {
    let (ways, misses_from) = (now.ways, first_miss(now));
    let histograms: Vec<_> =
        [Some(now), base].into_iter().flatten().map(|of| (&of.kernel.histogram, first_miss(of))).collect();
    let ranges = ranges(&histograms);
    let all = fill(&ranges, &now.kernel.histogram);
    let all_of_base = base.map(|base| fill(&ranges, &base.kernel.histogram)).unwrap_or_default();
    let total = all.iter().map(|bin| bin.count).sum::<u64>() as f64;
    let shown = range.bars(all.len());
    let bins = &all[shown.clone()];
    let base_bins = all_of_base.get(shown).unwrap_or_default();
    let most = bins.iter().chain(base_bins).map(|bin| bin.count).max().unwrap_or(0) as f64;
    if all.iter().chain(&all_of_base).all(|bin| bin.count == 0) {
        return draw_no_data(canvas, theme);
    }
    let most = most.max(1.0);
    let step = round_step(most / 5.0);
    let top = (most / step).ceil() * step;
    let y = Axis { end: top, ticks: ticks(step, top), label: &|n| si(*n), title: "Requests", color: theme.text };
    let (width, height) = canvas.dim_in_pixel();
    let bar_width = f64::from(width.saturating_sub(y.thickness() + RIGHT)) / bins.len() as f64;
    let x = Axis {
        end: bins.len() as f64,
        ticks: labelled(bins, bar_width),
        label: &|at| bins.get(*at as usize).map(Bin::label).unwrap_or_default(),
        title: "Reuse distance within the set (lines)",
        color: theme.text,
    };
    let chart = draw_axes(canvas, theme, &x, &y, None)?;
    let area = chart.plotting_area();
    let gap = if bar_width < 8.0 { 0.0 } else { 0.1 };
    for (i, bin) in bins.iter().enumerate() {
        let color = match bin.low {
            None => COMPULSORY,
            Some(low) if low < misses_from => theme.axis,
            Some(_) => CAPACITY,
        };
        // A bar that is not empty is at least one pixel high.
        let high = if bin.count == 0 { 0.0 } else { (bin.count as f64).max(1.5 * top / f64::from(height - 68)) };
        let (left, right) = (i as f64 + gap, (i + 1) as f64 - gap);
        area.draw(&Rectangle::new([(left, 0.0), (right, high)], color.filled()))?;
        let told = format!(
            "Distance {}\n{} request{s} ({})",
            bin.distances(),
            whole(bin.count as f64),
            share(bin.count as f64, total),
            s = base::plural(bin.count, "s")
        );
        mark_area(&chart, [(i as f64, 0.0), (i as f64 + 1.0, top)], told)?;
    }
    mark_long_axis(&chart, bins.len() as f64)?;
    let below = |split: u64| bins.iter().filter(|bin| bin.low.is_some_and(|low| low < split)).count() as f64;
    let hits = below(misses_from);
    if let Some(base) = base {
        let steps = base_bins.iter().enumerate();
        let steps = steps.flat_map(|(i, bin)| [(i as f64, bin.count as f64), (i as f64 + 1.0, bin.count as f64)]);
        area.draw(&PathElement::new(steps.collect::<Vec<_>>(), theme.mshr_text.stroke_width(2)))?;
        let split = below(first_miss(base));
        if split != hits {
            let line = vec![(split, 0.0), (split, top)];
            area.draw(&DashedPathElement::new(line, 6, 4, theme.mshr_text.stroke_width(2)))?;
        }
    }
    // A part of the axis may hold only hits or only misses.
    if hits == 0.0 || hits == bins.len() as f64 {
        return Ok(());
    }
    area.draw(&PathElement::new([(hits, 0.0), (hits, top)], theme.text.stroke_width(2)))?;
    let text = if ways == 1 { "1 way".into() } else { format!("{ways} ways") };
    let half = text_width(&text) as i32 / 2 + 2;
    let (line, top) = area.map_coordinate(&(hits, top));
    let (middle, y) = (line.clamp(half, width as i32 - half), top - 11);
    write_text(canvas, &text, theme.text, HPos::Center, (middle, y))?;
    let (before, after) = (middle - half - 8, middle + half + 8);
    if before > text_width("hits") as i32 {
        write_text(canvas, "hits", theme.quiet, HPos::Right, (before, y))?;
    }
    if after + (text_width("misses") as i32) < width as i32 {
        write_text(canvas, "misses", theme.quiet, HPos::Left, (after, y))?;
    }
    Ok(())
}
