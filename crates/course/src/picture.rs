//! What the figure of a solution is drawn from.
//!
//! In: an exercise and what is known of its values. Out: a [`Picture`] of the value that the figure names. It is computed when the
//! solution is shown, since the check of an answer does not need it.

use crate::exercise::{Exercise, Figure};
use crate::quantity::{cut_into_traces, histogram, Input, Known, Quantity};
use base::Diagnostic;
use lab::{
    ChartLine, DramExercise, Experiment, ExperimentBench, ExperimentOutcome, FlipTimes, GpuGuess, Histogram,
    PlacementLine, Report, ReuseChart, SharesOutcome, SizeCurve, TermBar, Tone,
};
use reuse::MissRatioCurve;
use serde_json::Value;

/// What a figure of `plot` is drawn from.
#[derive(Clone, Debug)]
pub enum Picture {
    /// A run, whose report is known by the name of the value.
    Report,
    /// Reuse distances or miss ratios.
    Reuse(ReuseChart),
    /// A series over array sizes, with its change point.
    Sizes(Box<SizeCurve>),
    /// Shares of slow loads.
    Shares(SharesOutcome),
    /// Latencies by flipped address bit.
    Flips(FlipTimes),
    /// Predicted times by placement.
    Terms(Vec<TermBar>),
    /// Mean waits by load, in ns by percent: simulated, by Kingman's formula, and by the formula as printed.
    Waits(Vec<ChartLine>),
}

impl Exercise {
    /// The value that the figure shows.
    pub(crate) fn figure_value(&self, figure: &Figure) -> Option<&Quantity> {
        let fits = |value: &&Quantity| value.name == figure.of && value.kind.figures.contains(&figure.kind.as_str());
        self.values.iter().find(fits)
    }

    /// What the figure of the solution is drawn from; `None` if it has none. All values must be known.
    ///
    /// # Errors
    ///
    /// Returns diagnostics if it cannot be computed.
    pub fn picture(&self, known: &Known) -> Result<Option<Picture>, Vec<Diagnostic>> {
        let Some(figure) = &self.figure else { return Ok(None) };
        let Some(quantity) = self.figure_value(figure) else { return Ok(None) };
        let input = Input { quantity, known, exercise: &self.id };
        Ok(Some(match figure.kind.as_str() {
            "distances" if quantity.kind.name == "table" => Picture::Reuse(distances_of_row(&input.computed()?)),
            "distances" => Picture::Reuse(distances(&histogram(&input.lines()?))),
            "curve" => Picture::Reuse(curves(&input, false)?),
            "hp_rda" => Picture::Reuse(curves(&input, true)?),
            "change" => Picture::Sizes(Box::new(SizeCurve::of_series(&numbers(&input.computed()?["values"])))),
            "sizes" => sizes(&mut input.bench()?)?,
            "sharing" => Picture::Shares(sharing(&mut input.bench()?)?),
            "flips" => {
                let mut memory = DramExercise::new(input.number("seed")? as u64, input.number("hashed")? != 0.0);
                Picture::Flips(memory.flip(None)?)
            }
            "terms" => Picture::Terms(terms(&input)?),
            "waits" => Picture::Waits(waits(&input)?),
            kind => {
                let Some(report) = known.reports.get(&figure.of) else { return Ok(None) };
                refuse_other_models(&self.id, report, kind)?;
                Picture::Report
            }
        }))
    }
}

/// A run has the figures of its model. The first kernel is drawn.
fn refuse_other_models(id: &str, report: &Report, kind: &str) -> Result<(), Vec<Diagnostic>> {
    let figures: &[&str] = match report {
        Report::Cache(_) => &["classes", "histogram", "sets", "timeline"],
        Report::Gpu(report) if report.kernels.first().is_some_and(|kernel| kernel.roofline.is_some()) => {
            &["flow", "roofline"]
        }
        Report::Gpu(_) => &["flow"],
    };
    if figures.contains(&kind) {
        return Ok(());
    }
    let expected = format!("`figure.kind`: a figure of that value: {}", figures.join(", "));
    Err(vec![Diagnostic::error(id, expected, kind, "mend the exercise's file")])
}

fn numbers(list: &Value) -> Vec<f64> {
    list.as_array().into_iter().flatten().filter_map(Value::as_f64).collect()
}

/// Largest distance that has a bar of its own for each distance.
const SINGLE: u64 = 32;

/// Bars of distances: each alone where all are small, else 0 and then powers of two.
fn distances(found: &Histogram) -> ReuseChart {
    let counts = found.counts();
    let largest = counts.keys().next_back().copied().unwrap_or(0);
    let single = |at: u64| (at as f64, at as f64, counts.get(&at).copied().unwrap_or(0) as f64);
    let doubling = |(bin, count): (usize, u64)| {
        let low = (1u64 << bin) >> 1;
        (low as f64, (2 * low).max(1) as f64 - 1.0, count as f64)
    };
    let bars = match largest < SINGLE {
        true => (0..=largest).map(single).collect(),
        false => found.log2_bins().into_iter().enumerate().map(doubling).collect(),
    };
    ReuseChart::Distances { bars, firsts: Some(found.infinite() as f64) }
}

/// The distances in the row of a table. A request that was cancelled has none, and an infinite one is null.
fn distances_of_row(table: &Value) -> ReuseChart {
    let list = |key: &str| table[key].as_array().cloned().unwrap_or_default();
    let mut found = Histogram::default();
    for (distance, status) in list("distance").iter().zip(list("status")) {
        if status != "cancel" {
            found.add(distance.as_u64().map(|distance| distance as u32));
        }
    }
    distances(&found)
}

/// The exact miss ratios by cache size, and those of HP-RDA beside them.
fn curves(input: &Input<'_>, beside: bool) -> Result<ReuseChart, Vec<Diagnostic>> {
    let lines = input.lines()?;
    let exact = MissRatioCurve::from_histogram(&histogram(&lines));
    let points = |curve: &MissRatioCurve| curve.points.iter().map(|&(size, ratio)| (size as f64, ratio)).collect();
    let mut shown = vec![line(Tone::Exact, points(&exact))];
    if beside {
        let approximate = cut_into_traces(&lines, input.number("thread_trace")?, input.number("block_threads")?);
        shown.push(line(Tone::Adjusted, points(&MissRatioCurve::from_histogram(&approximate.histogram))));
    }
    let knees = exact.knees.iter().map(|&(size, ratio)| (size as f64, ratio)).collect();
    Ok(ReuseChart::Curve { lines: shown, knees, logarithmic: true, line_bytes: 1 })
}

fn line(tone: Tone, points: Vec<(f64, f64)>) -> ChartLine {
    ChartLine { tone, points, errors: Vec::new() }
}

/// Arrays of an experiment around the size of a cache.
const ARRAYS: u64 = 48;

/// What a hidden GPU truly has, as JSON.
fn truth(bench: &ExperimentBench) -> Value {
    serde_json::to_value(bench.score(&GpuGuess::default()).truth).unwrap_or_default()
}

/// The bytes of a cache that arrays can use.
fn usable(truth: &Value, memory: &str) -> u64 {
    truth["caches"][memory]["usable"].as_u64().unwrap_or(0)
}

/// Load times through the L1 for arrays from half of its size to half as much again.
fn sizes(bench: &mut ExperimentBench) -> Result<Picture, Vec<Diagnostic>> {
    let size = usable(&truth(bench), "l1");
    let step = (size / ARRAYS).next_multiple_of(32).max(32);
    let from = (size / 2).max(128);
    let experiment = Experiment::Sizes { memory: "l1".into(), from, to: from + size, step };
    match bench.run(&experiment)? {
        ExperimentOutcome::Sizes(curve) => Ok(Picture::Sizes(curve)),
        _ => Err(vec![Diagnostic::error("experiment", "one that has begun", "none", "start it again")]),
    }
}

/// Each pair of L1, texture and read-only loads, each over three quarters of its cache: the shares of the first of the pair.
fn sharing(bench: &mut ExperimentBench) -> Result<SharesOutcome, Vec<Diagnostic>> {
    let truth = truth(bench);
    let bytes = |memory: &str| (usable(&truth, memory) / 4 * 3).next_multiple_of(128);
    let mut all = SharesOutcome { labels: Vec::new(), alone: Vec::new(), together: Vec::new(), limit: 0.0 };
    for (label, first, second) in
        [("L1+Tex", "l1", "texture"), ("L1+RO", "l1", "read_only"), ("Tex+RO", "texture", "read_only")]
    {
        let (first_bytes, second_bytes) = (bytes(first), bytes(second));
        let pair = Experiment::Sharing { first: first.into(), second: second.into(), first_bytes, second_bytes };
        let ExperimentOutcome::Shares(found) = bench.run(&pair)? else { continue };
        all.labels.push(label.into());
        all.alone.extend(found.alone.first());
        all.together.extend(found.together.first());
        all.limit = found.limit;
    }
    Ok(all)
}

/// Placements in the figure of terms, besides that of the text.
const PLACEMENTS: usize = 6;

/// The placement of the text and the best ones by the equations.
fn terms(input: &Input<'_>) -> Result<Vec<TermBar>, Vec<Diagnostic>> {
    let (mut session, prepared) = input.session()?;
    while !session.step(u64::MAX)?.finished {}
    let now = prepared.sample;
    let name = |line: &PlacementLine| {
        let moved =
            prepared.arrays.iter().zip(&line.placement).zip(&now.placement).filter(|((_, to), from)| to != from);
        moved.map(|((array, to), _)| format!("{}: {to}", array.name)).collect::<Vec<_>>().join(", ")
    };
    let bar = |line: &PlacementLine| TermBar {
        label: name(line),
        t_comp: line.t_comp,
        t_mem: line.t_mem,
        t_overlap: line.t_overlap,
        present: line.placement == now.placement,
        chosen: false,
    };
    let best = session.ranking(PLACEMENTS, false)?.lines;
    let as_it_is = TermBar { label: "as it is".into(), ..bar(&now) };
    Ok(std::iter::once(as_it_is).chain(best.iter().filter(|line| line.placement != now.placement).map(bar)).collect())
}

/// The waits at loads of 10 to 90 % of the same bank.
fn waits(input: &Input<'_>) -> Result<Vec<ChartLine>, Vec<Diagnostic>> {
    let service = input.number("service")?;
    let of = [(Tone::Exact, "simulated"), (Tone::Adjusted, "kingman"), (Tone::Plain, "printed")];
    let mut lines: Vec<ChartLine> = of.iter().map(|(tone, _)| line(*tone, Vec::new())).collect();
    for load in (10..=90).step_by(10) {
        let found = input.queue_with(100.0 * service / f64::from(load))?;
        for (line, (_, key)) in lines.iter_mut().zip(of) {
            line.points.push((f64::from(load), found[key].as_f64().unwrap_or(f64::NAN)));
        }
    }
    Ok(lines)
}
