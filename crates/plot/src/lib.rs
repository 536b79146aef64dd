//! Figures of a report, as SVG.
//!
//! In: a [`KernelReport`], a [`FigureKind`], the cache's ways, a width in px and light or dark. Out: the text of one
//! `<svg>`, the same on every machine, with a transparent background and attributes only (no style, no script).
//!
//! Histogram: HPCA'14 section 3 (a distance below the ways hits); the authors' program also hits at a distance equal
//! to the ways. Colours: Okabe and Ito, *Color Universal Design* (2008); viridis, Smith and van der Walt (2015).
//!
//! Not modelled: legends, which the page writes in HTML; text is sized by arithmetic, not by its font. The class bar
//! leaves out MSHR misses in the paper's model, where they are a difference between runs and not a class.

mod axes;
mod backend;
mod classes;
mod curve;
mod distances;
mod histogram;
mod lines;
pub mod placement;
mod sets;
mod sweep;
#[cfg(test)]
mod tests;
mod theme;
mod timeline;
pub mod topology;

use axes::Canvas;
use backend::PlainText;
use lab::{KernelReport, ReuseChart};
use plotters::drawing::{DrawingAreaErrorKind, IntoDrawingArea};
use plotters::prelude::SVGBackend;
use theme::Theme;

/// Narrowest and widest figure, in px.
const WIDTHS: (u32, u32) = (240, 2000);

/// Which figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FigureKind {
    /// Hits and classes of misses, one stacked bar.
    Classes,
    /// Requests by reuse distance.
    Histogram,
    /// Misses by set, a heat map.
    Sets,
    /// Miss rate and busy MSHRs over time.
    Timeline,
}

impl FigureKind {
    /// The figure of this name: `classes`, `histogram`, `sets` or `timeline`.
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

    /// What a screen reader says before the table beside the figure.
    fn label(self) -> &'static str {
        match self {
            Self::Classes => "Requests by outcome",
            Self::Histogram => "Requests by reuse distance",
            Self::Sets => "Misses by cache set",
            Self::Timeline => "Miss rate and busy MSHRs over time",
        }
    }
}

/// Why there is no figure.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlotError {
    /// The drawing library failed.
    #[error("the figure could not be drawn: {0}")]
    Drawing(#[from] DrawingAreaErrorKind<std::io::Error>),
}

type Drawn<T = ()> = Result<T, PlotError>;

/// Draws a figure of a kernel, `width` px wide (taken into 240 to 2000); its height follows from its content.
///
/// `ways` is the cache's associativity, which the histogram marks.
///
/// # Errors
/// [`PlotError`] when the drawing library fails.
pub fn figure(kernel: &KernelReport, kind: FigureKind, ways: u64, width: u32, dark: bool) -> Result<String, PlotError> {
    let width = width.clamp(WIDTHS.0, WIDTHS.1);
    let theme = Theme::new(dark);
    let svg = match kind {
        FigureKind::Classes => on_canvas((width, classes::HEIGHT), |canvas| classes::draw(canvas, &theme, kernel)),
        FigureKind::Histogram => {
            on_canvas((width, chart_height(width)), |canvas| histogram::draw(canvas, &theme, kernel, ways))
        }
        FigureKind::Sets => {
            let grid = sets::Grid::new(kernel, width);
            on_canvas((width, grid.height()), |canvas| grid.draw(canvas, &theme))
        }
        FigureKind::Timeline => {
            on_canvas((width, chart_height(width)), |canvas| timeline::draw(canvas, &theme, kernel))
        }
    }?;
    Ok(svg.replacen("<svg ", &format!("<svg role=\"img\" aria-label=\"{}\" ", kind.label()), 1))
}

/// Draws a chart of the Reuse tab, `width` px wide (taken into 240 to 2000).
///
/// # Errors
/// [`PlotError`] when the drawing library fails.
pub fn reuse_figure(chart: &ReuseChart, width: u32, dark: bool) -> Result<String, PlotError> {
    let width = width.clamp(WIDTHS.0, WIDTHS.1);
    let theme = Theme::new(dark);
    on_canvas((width, chart_height(width)), |canvas| match chart {
        ReuseChart::Distances { bars, firsts } => distances::draw(canvas, &theme, bars, *firsts),
        ReuseChart::Curve { lines, knees, logarithmic } => curve::draw(canvas, &theme, lines, knees, *logarithmic),
        ReuseChart::Sweep { lines, title } => sweep::draw(canvas, &theme, lines, title),
    })
}

fn chart_height(width: u32) -> u32 {
    (width * 2 / 5).clamp(220, 340)
}

fn on_canvas(size: (u32, u32), draw: impl FnOnce(&Canvas<'_>) -> Drawn) -> Drawn<String> {
    let mut svg = String::new();
    let canvas = PlainText(SVGBackend::with_string(&mut svg, size)).into_drawing_area();
    draw(&canvas)?;
    canvas.present()?;
    drop(canvas);
    Ok(svg)
}
