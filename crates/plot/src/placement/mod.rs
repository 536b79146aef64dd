//! Figures of the Placement tab: ranked placements, the banks under one placement, and a hidden memory's latencies.
//!
//! In: data of the lab as a [`PlacementFigure`], and a [`Look`].
//! Out: the text of one `<svg>`, as from [`crate::cache_figure`].
//! Not modelled: legends, which the page writes in HTML.

mod banks;
mod flips;
mod terms;

use crate::{chart_height, on_canvas, Look, PlotError};
use lab::{BankLoad, FlipTimes, TermBar};

/// A figure of the Placement tab with its data.
#[derive(Clone, Copy, Debug)]
pub enum PlacementFigure<'a> {
    /// Placements, each a bar of Tcomp, Toverlap and Tmem.
    Terms(&'a [TermBar]),
    /// Requests by row event and the mean wait, for each bank.
    Banks(&'a [BankLoad]),
    /// Latencies by flipped address bit.
    Flips(&'a FlipTimes),
}

/// Draws a figure.
///
/// # Errors
///
/// Returns a [`PlotError`] when the drawing library fails.
pub fn placement_figure(what: PlacementFigure<'_>, look: &Look) -> Result<String, PlotError> {
    let (width, theme) = (look.width(), look.theme());
    let (label, height) = match what {
        PlacementFigure::Terms(bars) => ("Predicted time by placement", terms::height(bars, width)),
        PlacementFigure::Banks(_) => ("Requests and waits by memory bank", chart_height(width)),
        PlacementFigure::Flips(_) => ("Latency by flipped address bit", chart_height(width)),
    };
    let svg = on_canvas((width, height), |canvas| match what {
        PlacementFigure::Terms(bars) => terms::draw(canvas, &theme, bars),
        PlacementFigure::Banks(rows) => banks::draw(canvas, &theme, rows, look.range),
        PlacementFigure::Flips(times) => flips::draw(canvas, &theme, times),
    })?;
    Ok(svg.replacen("<svg ", &format!("<svg role=\"img\" aria-label=\"{label}\" "), 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::check_figure;
    use lab::DramExercise;

    fn check(what: PlacementFigure<'_>, words: &[&str]) {
        check_figure(|look| placement_figure(what, look), words);
    }

    fn bar(label: &str, t_comp: f64, t_mem: f64, t_overlap: f64) -> TermBar {
        TermBar { label: label.into(), t_comp, t_mem, t_overlap, present: label == "now", chosen: false }
    }

    /// Returns the widths of the filled rectangles of one colour.
    fn widths(svg: &str, color: &str) -> Vec<f64> {
        let of = |part: &str| part.split("width=\"").nth(1)?.split('"').next()?.parse().ok();
        svg.split("<rect ").filter(|part| part.contains(color)).filter_map(of).collect()
    }

    #[test]
    fn bars_are_as_long_as_the_time_and_show_what_is_hidden() {
        let bars = [
            bar("now", 300.0, 900.0, 200.0),
            bar("A texture1d", 300.0, 300.0, 300.0),
            bar("a very long name of a placement that no picture has room for", 1.0, 0.0, 0.0),
        ];
        check(PlacementFigure::Terms(&bars), &["now", "1k", "A texture1d"]);
        check(PlacementFigure::Terms(&[]), &["nothing"]);
        // A trained overlap can be larger than a term. The bar is then one part of the length T.
        check(PlacementFigure::Terms(&[bar("zero", 0.0, 0.0, 0.0), bar("odd", 10.0, 5.0, 12.0)]), &["odd"]);
        let svg = placement_figure(PlacementFigure::Terms(&bars[..2]), &Look::new(900, false)).expect("a drawing");
        let (comp, both, mem) = (widths(&svg, "#56B4E9"), widths(&svg, "#009E73"), widths(&svg, "#E69F00"));
        // The bars are 100 of computing alone, 200 and 300 of both at once, and 700 of memory alone.
        assert_eq!((comp.len(), both.len(), mem.len()), (1, 2, 1));
        assert!(
            (both[0] / comp[0] - 2.0).abs() < 0.1 && (mem[0] / comp[0] - 7.0).abs() < 0.2,
            "{comp:?} {both:?} {mem:?}"
        );
        assert!((both[1] / both[0] - 1.5).abs() < 0.1);
    }

    #[test]
    fn banks_of_any_number() {
        let row = |bank: usize| BankLoad {
            bank,
            requests: 100,
            rows: [60, 10, 30],
            utilisation: 0.5,
            variation: [1.0, 1.0],
            wait_ns: bank as f64,
            saturated: bank == 3,
        };
        for n in [1, 7, 80, 640] {
            let rows: Vec<BankLoad> = (0..n).map(row).collect();
            check(PlacementFigure::Banks(&rows), &["Bank", "Requests"]);
        }
        check(PlacementFigure::Banks(&[]), &["no requests"]);
        check(
            PlacementFigure::Banks(&[BankLoad { requests: 0, rows: [0; 3], wait_ns: 0.0, ..row(0) }]),
            &["no requests"],
        );
    }

    #[test]
    fn latencies_of_every_bit() {
        let mut bench = DramExercise::new(3, true);
        check(PlacementFigure::Flips(&bench.flip(None).expect("times")), &["Address bit", "Latency"]);
        check(PlacementFigure::Flips(&bench.flip(Some(9)).expect("times")), &["together with bit 9"]);
    }
}
