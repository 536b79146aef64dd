//! Figures of topologies, measurements and experiments.
//!
//! In: data of the lab as a [`TopologyFigure`], and a [`Look`].
//! Out: the text of one `<svg>`, as from [`crate::cache_figure`].
//! Not modelled: legends, which the page writes in HTML.

mod hierarchy;
mod levels;
mod reduced;
mod samples;
mod shares;
mod sizes;
mod times;
mod walk;

use crate::axes::Canvas;
use crate::{chart_height, on_canvas, Look, PlotError};
use lab::{FoundCache, HierarchyBoxes, MachineLevels, SharesOutcome, SizeCurve, WalkOutcome};

/// A figure of the Topology tab with its data.
#[derive(Clone, Copy, Debug)]
pub enum TopologyFigure<'a> {
    /// The memory hierarchy as nested boxes.
    Hierarchy(&'a HierarchyBoxes),
    /// Raw load times by array size.
    Times(&'a SizeCurve),
    /// The reduced series with its change point and interval.
    Reduced(&'a SizeCurve),
    /// The Kolmogorov–Smirnov chart of both sides of a split.
    Samples(&'a SizeCurve),
    /// The sweep that gave the size of a discovered cache.
    Sweep(&'a FoundCache),
    /// Time per load by array size, with the cache levels found in it.
    Levels(&'a MachineLevels),
    /// Times of a walk, load by load.
    Walk(&'a WalkOutcome),
    /// Shares of slow loads, alone and beside another thread.
    Shares(&'a SharesOutcome),
}

impl TopologyFigure<'_> {
    fn label(&self) -> &'static str {
        match self {
            Self::Hierarchy(_) => "Memory hierarchy",
            Self::Times(_) => "Loading times by array size",
            Self::Reduced(_) | Self::Sweep(_) => "Reduced loading times by array size",
            Self::Samples(_) => "Both samples of the Kolmogorov–Smirnov test",
            Self::Levels(_) => "Time per load by array size",
            Self::Walk(_) => "Time of each load",
            Self::Shares(_) => "Share of slow loads",
        }
    }

    fn height(&self, width: u32) -> u32 {
        match self {
            Self::Hierarchy(blocks) => hierarchy::height(blocks, width),
            _ => chart_height(width),
        }
    }
}

/// Draws a figure.
///
/// # Errors
///
/// Returns a [`PlotError`] when the drawing library fails.
pub fn topology_figure(what: TopologyFigure<'_>, look: &Look) -> Result<String, PlotError> {
    let (width, theme) = (look.width(), look.theme());
    let draw = |canvas: &Canvas<'_>| match what {
        TopologyFigure::Hierarchy(blocks) => hierarchy::draw(canvas, &theme, blocks),
        TopologyFigure::Times(curve) => times::draw(canvas, &theme, curve, look.range),
        TopologyFigure::Reduced(curve) => {
            reduced::draw(canvas, &theme, &reduced::ReducedSeries::of_curve(curve), look.range)
        }
        TopologyFigure::Samples(curve) => samples::draw(canvas, &theme, curve),
        TopologyFigure::Sweep(cache) => {
            reduced::draw(canvas, &theme, &reduced::ReducedSeries::of_cache(cache), look.range)
        }
        TopologyFigure::Levels(found) => levels::draw(canvas, &theme, found, look.range),
        TopologyFigure::Walk(walk) => walk::draw(canvas, &theme, walk),
        TopologyFigure::Shares(shares) => shares::draw(canvas, &theme, shares),
    };
    let svg = on_canvas((width, what.height(width)), draw)?;
    Ok(svg.replacen("<svg ", &format!("<svg role=\"img\" aria-label=\"{}\" ", what.label()), 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::check_figure;
    use base::Job;
    use lab::{hierarchy_boxes, topology_facts};
    use lab::{machine_levels, DiscoverRun, Experiment, ExperimentBench, ExperimentOutcome, HiddenGpu};

    fn check(what: TopologyFigure<'_>, words: &[&str]) {
        check_figure(|look| topology_figure(what, look), words);
    }

    fn bench(experiment: &Experiment) -> ExperimentOutcome {
        let hidden = HiddenGpu { seed: 3, noise: Some(0.05), outliers: Some(0.02), ..HiddenGpu::default() };
        ExperimentBench::new(&hidden).expect("a GPU").run(experiment).expect("an outcome")
    }

    #[test]
    fn every_preset_has_its_boxes() {
        for id in gpu::presets() {
            let topology = gpu::preset(id).expect("a preset");
            assert!(!topology_facts(&topology).is_empty());
            let boxes = hierarchy_boxes(&topology);
            check(TopologyFigure::Hierarchy(&boxes), &[&topology.name, "Main memory"]);
        }
    }

    #[test]
    fn curves_of_experiments() {
        let sizes = |memory: &str, from, to, step| Experiment::Sizes { memory: memory.into(), from, to, step };
        // The last tick of the third, 13824 B, is at the end of the axis.
        for experiment in [
            sizes("l1", 1024, 1 << 20, 0),
            sizes("texture", 4096, 8192, 128),
            sizes("l1", 11_264, 13_824, 32),
            sizes("l2", 2048, 2048, 32),
        ] {
            let ExperimentOutcome::Sizes(curve) = bench(&experiment) else { panic!("a curve") };
            check(TopologyFigure::Times(&curve), &["Array size"]);
            check(TopologyFigure::Reduced(&curve), &[]);
            check(TopologyFigure::Samples(&curve), &[]);
        }
        let nothing = machine_levels(&[], &[], 8.0);
        check(TopologyFigure::Levels(&nothing), &["nothing measured"]);
    }

    #[test]
    fn walks_and_shares() {
        let walk = Experiment::Walk { memory: "l1".into(), bytes: 1 << 20, stride: 4, warm: true };
        let ExperimentOutcome::Walk(walk) = bench(&walk) else { panic!("a walk") };
        check(TopologyFigure::Walk(&walk), &["Address in the array"]);
        let amount = Experiment::Amount { memory: "l1".into(), bytes: 4096 };
        let ExperimentOutcome::Shares(shares) = bench(&amount) else { panic!("shares") };
        assert_eq!(shares.labels.len(), 31);
        check(TopologyFigure::Shares(&shares), &[]);
    }

    #[test]
    fn levels_and_sweeps() {
        let sizes: Vec<f64> = (0..113).map(|i| 4096.0 * libm::exp2(f64::from(i) / 8.0)).collect();
        let times = sizes.iter().map(|size| if *size > 32_768.0 { 4.0 } else { 1.0 }).collect::<Vec<f64>>();
        let noisy = times.iter().map(|time| time * 1.3).collect();
        check(TopologyFigure::Levels(&machine_levels(&sizes, &[times, noisy], 8.0)), &["34.3 KiB"]);
        let report =
            DiscoverRun::new(&HiddenGpu { gpu: Some("840m".into()), ..HiddenGpu::default() }).expect("a GPU").finish();
        for cache in report.found.caches.values() {
            check(TopologyFigure::Sweep(cache), &[]);
        }
    }
}
