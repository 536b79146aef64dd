//! Figures of reports, as SVG.
//!
//! In: the numbers of the model `gpu`, or a [`KernelReport`], a [`CacheFigure`], the number of ways of the cache, and a [`Look`]. The modules [`topology`] and [`placement`] draw data of those tabs.
//! Out: the text of one `<svg>`. It is the same on every machine and has a transparent background. It uses attributes
//! only, neither styles nor scripts. Its last group holds what the marks stand for.
//!
//! Sources: the histogram follows HPCA'14 section 3, where a distance below the ways hits. The authors' program also
//! hits at a distance equal to the ways. The colours are from Okabe and Ito, *Color Universal Design* (2008), and
//! viridis by Smith and van der Walt (2015).
//!
//! Not modelled: legends, which the page writes in HTML. The width of text is computed from the number of letters, not
//! from the font. The bar of classes leaves out MSHR misses in the paper's model, where they are a difference between
//! runs and not a class.

mod axes;
mod backend;
mod classes;
mod curve;
mod distances;
mod gpu_cores;
mod gpu_flow;
mod gpu_roofline;
mod histogram;
mod lines;
mod marks;
mod pair;
mod parameter_sweep;
pub mod placement;
mod range;
mod sets;
mod sweep;
#[cfg(test)]
mod tests;
mod theme;
mod timeline;
pub mod topology;

pub use pair::{cache_pair_figure, flow_pair_figure};

use axes::Canvas;
use backend::PlainText;
use lab::{ChartLine, GpuCoreRow, GpuNumbers, GpuRoofline, KernelReport, ReuseChart, SweepTable};
use marks::Marks;
use plotters::drawing::{DrawingAreaErrorKind, IntoDrawingArea};
use plotters::prelude::SVGBackend;
pub use range::Range;
use theme::Theme;

/// The least and the greatest width of a figure, in px.
const WIDTHS: (u32, u32) = (240, 2000);

/// How a figure is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// The width in px. A width outside 240 to 2000 is taken as the nearer of the two.
    pub width: u32,
    /// Selects the dark theme.
    pub dark: bool,
    /// The part of a long axis that is drawn. Figures without one ignore it.
    pub range: Range,
}

impl Look {
    /// A whole figure.
    pub fn new(width: u32, dark: bool) -> Self {
        Self { width, dark, range: Range::WHOLE }
    }

    fn width(&self) -> u32 {
        self.width.clamp(WIDTHS.0, WIDTHS.1)
    }

    fn theme(&self) -> Theme {
        Theme::new(self.dark)
    }
}

/// A figure of one kernel's report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CacheFigure {
    /// One stacked bar of hits and classes of misses.
    Classes,
    /// The histogram of requests by reuse distance.
    Histogram,
    /// The heat map of misses by set.
    Sets,
    /// The miss rate and the busy MSHRs over time.
    Timeline,
}

impl CacheFigure {
    /// Finds a figure by its name: `classes`, `histogram`, `sets` or `timeline`.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Classes, Self::Histogram, Self::Sets, Self::Timeline].into_iter().find(|kind| kind.name() == name)
    }

    fn name(self) -> &'static str {
        match self {
            Self::Classes => "classes",
            Self::Histogram => "histogram",
            Self::Sets => "sets",
            Self::Timeline => "timeline",
        }
    }

    /// The label that a screen reader reads before the table beside the figure.
    fn label(self) -> &'static str {
        match self {
            Self::Classes => "Requests by outcome",
            Self::Histogram => "Requests by reuse distance",
            Self::Sets => "Misses by cache set",
            Self::Timeline => "Miss rate and busy MSHRs over time",
        }
    }
}

/// A kernel of a model of one L1, with the number of ways that it ran with.
#[derive(Clone, Copy, Debug)]
pub struct KernelWithWays<'k> {
    /// The report of the kernel.
    pub kernel: &'k KernelReport,
    /// The associativity of the cache.
    pub ways: u64,
}

/// The reason why a figure cannot be drawn.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlotError {
    /// The drawing library failed.
    #[error("the figure could not be drawn: {0}")]
    Drawing(#[from] DrawingAreaErrorKind<std::io::Error>),
}

type DrawResult<T = ()> = Result<T, PlotError>;

/// Draws a figure of a kernel. The height follows from the content.
///
/// `ways` is the associativity of the cache, which the histogram marks.
///
/// # Errors
///
/// Returns a [`PlotError`] when the drawing library fails.
pub fn cache_figure(kernel: &KernelReport, kind: CacheFigure, ways: u64, look: &Look) -> Result<String, PlotError> {
    let (width, theme) = (look.width(), look.theme());
    let svg = match kind {
        CacheFigure::Classes => on_canvas((width, classes::HEIGHT), |canvas| classes::draw(canvas, &theme, kernel)),
        CacheFigure::Histogram => {
            let shown = KernelWithWays { kernel, ways };
            on_canvas((width, chart_height(width)), |canvas| histogram::draw(canvas, &theme, (shown, None), look.range))
        }
        CacheFigure::Sets => {
            let grid = sets::SetGrid::new(kernel, look);
            on_canvas((width, grid.height()), |canvas| grid.draw(canvas, &theme, grid.most()))
        }
        CacheFigure::Timeline => {
            on_canvas((width, chart_height(width)), |canvas| timeline::draw(canvas, &theme, (kernel, None), look.range))
        }
    }?;
    Ok(svg.replacen("<svg ", &format!("<svg role=\"img\" aria-label=\"{}\" ", kind.label()), 1))
}

/// Draws where the bytes of a kernel flow in the model `gpu`: see `gpu_flow.rs`.
///
/// # Errors
///
/// Returns a [`PlotError`] when the drawing library fails.
pub fn flow_figure(numbers: &GpuNumbers, look: &Look) -> Result<String, PlotError> {
    let width = look.width();
    let flow = gpu_flow::Flow::new(numbers);
    let svg = on_canvas((width, gpu_flow::Flow::height(width)), |canvas| flow.draw(canvas, &look.theme()))?;
    Ok(svg.replacen("<svg ", "<svg role=\"img\" aria-label=\"Bytes between registers, L1, L2 and DRAM\" ", 1))
}

/// Draws the roofline of a kernel in the model `gpu`, with the points of a baseline: see `gpu_roofline.rs`.
///
/// # Errors
///
/// Returns a [`PlotError`] when the drawing library fails.
pub fn roofline_figure(roofline: &GpuRoofline, base: Option<&GpuRoofline>, look: &Look) -> Result<String, PlotError> {
    let width = look.width();
    let draw = |canvas: &Canvas<'_>| gpu_roofline::draw(canvas, &look.theme(), (roofline, base));
    let svg = on_canvas((width, chart_height(width)), draw)?;
    Ok(svg.replacen("<svg ", "<svg role=\"img\" aria-label=\"Operations per second and per byte\" ", 1))
}

/// Draws the sectors of each of `cores` cores in the model `gpu`, with those of a baseline: see `gpu_cores.rs`.
///
/// # Errors
///
/// Returns a [`PlotError`] when the drawing library fails.
pub fn cores_figure(rows: &[GpuCoreRow], base: &[GpuCoreRow], cores: u64, look: &Look) -> Result<String, PlotError> {
    let width = look.width();
    let draw = |canvas: &Canvas<'_>| gpu_cores::draw(canvas, &look.theme(), (rows, base), cores, look.range);
    let svg = on_canvas((width, chart_height(width)), draw)?;
    Ok(svg.replacen("<svg ", "<svg role=\"img\" aria-label=\"Sectors by core\" ", 1))
}

/// Draws a chart of the Reuse tab.
///
/// # Errors
///
/// Returns a [`PlotError`] when the drawing library fails.
pub fn reuse_figure(chart: &ReuseChart, look: &Look) -> Result<String, PlotError> {
    let (width, theme) = (look.width(), look.theme());
    on_canvas((width, chart_height(width)), |canvas| match chart {
        ReuseChart::Distances { bars, firsts } => distances::draw(canvas, &theme, bars, *firsts, look.range),
        ReuseChart::Curve { lines, knees, logarithmic, line_bytes } => {
            let sizes = curve::Sizes { logarithmic: *logarithmic, line_bytes: *line_bytes, range: look.range };
            curve::draw(canvas, &theme, lines, knees, &sizes)
        }
        ReuseChart::Sweep { lines, title } => sweep::draw(canvas, &theme, lines, title, &sweep::THREAD_TRACE),
    })
}

/// Draws the mean waits of a queue by its load: points (percent, ns), simulated, by Kingman's formula, and by the formula
/// as printed.
///
/// # Errors
///
/// Returns a [`PlotError`] when the drawing library fails.
pub fn waits_figure(lines: &[ChartLine], look: &Look) -> Result<String, PlotError> {
    let width = look.width();
    let draw = |canvas: &Canvas<'_>| sweep::draw(canvas, &look.theme(), lines, "Mean wait (ns)", &sweep::LOAD);
    let svg = on_canvas((width, chart_height(width)), draw)?;
    Ok(svg.replacen("<svg ", "<svg role=\"img\" aria-label=\"Mean wait by load\" ", 1))
}

/// Draws a number of a sweep over the values of its first axis: see `parameter_sweep.rs`.
///
/// # Errors
///
/// Returns a [`PlotError`] when the drawing library fails.
pub fn sweep_figure(table: &SweepTable, measure: &str, look: &Look) -> Result<String, PlotError> {
    let width = look.width();
    let draw = |canvas: &Canvas<'_>| parameter_sweep::draw(canvas, &look.theme(), table, measure, look.dark);
    let svg = on_canvas((width, chart_height(width)), draw)?;
    Ok(svg.replacen("<svg ", "<svg role=\"img\" aria-label=\"A number over the values of a parameter\" ", 1))
}

fn chart_height(width: u32) -> u32 {
    (width * 2 / 5).clamp(220, 340)
}

fn on_canvas(size: (u32, u32), draw: impl FnOnce(&Canvas<'_>) -> DrawResult) -> DrawResult<String> {
    let mut svg = String::new();
    let marks = Marks::default();
    let inner = SVGBackend::with_string(&mut svg, size);
    let canvas = PlainText { inner, marks: marks.clone() }.into_drawing_area();
    draw(&canvas)?;
    canvas.present()?;
    drop(canvas);
    marks.append_to(&mut svg);
    Ok(svg)
}
