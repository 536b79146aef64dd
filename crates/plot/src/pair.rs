//! Figures of a run beside a baseline, on the same axes.
//!
//! In: the numbers of both runs. Out: one picture. Bars and lines lie over each other, the baseline's as a line or dashed. Heat
//! maps and flows cannot, so they stand above each other with the same scale of colours or arrows, now above and the baseline
//! below.

use crate::axes::{write_text, Canvas};
use crate::theme::Theme;
use crate::{
    chart_height, gpu_flow, histogram, on_canvas, sets, timeline, CacheFigure, DrawResult, KernelWithWays, Look,
    PlotError,
};
use lab::GpuNumbers;
use plotters::style::text_anchor::HPos;

/// Height in px of the word above each of two pictures.
const TITLE: u32 = 24;

/// Draws a figure of a kernel together with that of the baseline.
///
/// # Errors
///
/// Returns a [`PlotError`] when the drawing library fails.
pub fn cache_pair_figure(
    kind: CacheFigure,
    now: KernelWithWays<'_>,
    base: KernelWithWays<'_>,
    look: &Look,
) -> Result<String, PlotError> {
    let (width, theme) = (look.width(), look.theme());
    let chart = (width, chart_height(width));
    let svg = match kind {
        CacheFigure::Histogram => {
            on_canvas(chart, |canvas| histogram::draw(canvas, &theme, (now, Some(base)), look.range))
        }
        CacheFigure::Timeline => {
            on_canvas(chart, |canvas| timeline::draw(canvas, &theme, (now.kernel, Some(base.kernel)), look.range))
        }
        CacheFigure::Sets => {
            let grids = [now, base].map(|of| sets::SetGrid::new(of.kernel, look));
            let scale = grids[0].most().max(grids[1].most());
            let heights = [grids[0].height(), grids[1].height()];
            above_each_other(width, heights, &theme, &|at, canvas| grids[at].draw(canvas, &theme, scale))
        }
        CacheFigure::Classes => return crate::cache_figure(now.kernel, kind, now.ways, look),
    }?;
    Ok(svg.replacen("<svg ", &format!("<svg role=\"img\" aria-label=\"{}, and the baseline\" ", kind.label()), 1))
}

/// Draws where the bytes of a kernel flow in the model `gpu`, and below it those of the baseline.
///
/// # Errors
///
/// Returns a [`PlotError`] when the drawing library fails.
pub fn flow_pair_figure(now: &GpuNumbers, base: &GpuNumbers, look: &Look) -> Result<String, PlotError> {
    let (width, theme) = (look.width(), look.theme());
    let mut flows = [now, base].map(gpu_flow::Flow::new);
    let most = flows[0].most.max(flows[1].most);
    flows.iter_mut().for_each(|flow| flow.most = most);
    let heights = [gpu_flow::Flow::height(width); 2];
    let svg = above_each_other(width, heights, &theme, &|at, canvas| flows[at].draw(canvas, &theme))?;
    let label = "Bytes between registers, L1, L2 and DRAM, and those of the baseline";
    Ok(svg.replacen("<svg ", &format!("<svg role=\"img\" aria-label=\"{label}\" "), 1))
}

/// Draws two pictures, each with a word above it. `draw` gets the number of the picture.
fn above_each_other(
    width: u32,
    heights: [u32; 2],
    theme: &Theme,
    draw: &dyn Fn(usize, &Canvas<'_>) -> DrawResult,
) -> DrawResult<String> {
    on_canvas((width, heights[0] + heights[1] + 2 * TITLE), |canvas| {
        let (upper, lower) = canvas.split_vertically(heights[0] + TITLE);
        for (at, (part, word)) in [(upper, "Now"), (lower, "Baseline")].into_iter().enumerate() {
            let (title, picture) = part.split_vertically(TITLE);
            write_text(&title, word, theme.text, HPos::Left, (8, TITLE as i32 / 2))?;
            draw(at, &picture)?;
        }
        Ok(())
    })
}
