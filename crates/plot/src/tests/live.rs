//! The values that the marks tell are those that are drawn, in each figure, whole and zoomed.

use super::{attribute, kernel, reuse_charts};
use crate::placement::{placement_figure, PlacementFigure};
use crate::topology::{topology_figure, TopologyFigure};
use crate::*;
use lab::{BankLoad, ChartLine, Experiment, ExperimentBench, ExperimentOutcome, FlipTimes, HiddenGpu, TermBar, Tone};

/// A mark: its left, top, width and height in px, and its text.
type Told = ((f64, f64, f64, f64), String);

/// Returns the drawn part of a figure, and its marks.
fn marks(svg: &str) -> (&str, Vec<Told>) {
    let (drawn, group) = svg.split_once("<g class=\"marks\"").unwrap_or((svg, ""));
    let mark = |part: &str| {
        let numbers: Vec<f64> =
            attribute(part, "d").split(['M', ' ', 'h', 'v', '-', 'z']).filter_map(|n| n.parse().ok()).collect();
        let text = part.split_once("<title>").and_then(|(_, rest)| rest.split_once("</title>")).expect("a title").0;
        ((numbers[0], numbers[1], numbers[2], numbers[3]), text.replace('\u{202f}', ""))
    };
    (drawn, group.split("<path").skip(1).map(mark).collect())
}

/// Returns the left end, the width and the height of each filled rectangle of a colour.
fn bars(drawn: &str, color: &str) -> Vec<(f64, f64, f64)> {
    let number = |part: &str, name| attribute(part, name).parse().expect("a number");
    let of = drawn.split("<rect").skip(1).filter(|part| part.split("/>").next().is_some_and(|p| p.contains(color)));
    of.map(|part| (number(part, "x"), number(part, "width"), number(part, "height"))).collect()
}

fn texts_of(svg: &str) -> Vec<String> {
    marks(svg).1.into_iter().map(|(_, text)| text).collect()
}

/// The first whole number after `before`.
fn number_after(text: &str, before: &str) -> f64 {
    let rest = text.split_once(before).expect(before).1;
    let digits: String = rest.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
    digits.parse().expect("a number")
}

#[test]
fn a_histogram_tells_the_count_of_each_bar_and_a_part_of_it_fewer() {
    let kernel = kernel("stencil");
    let bins = histogram::bins(&kernel.histogram, 4);
    for range in [Range::WHOLE, Range::new(0.25, 0.75)] {
        let look = Look { range, ..Look::new(900, false) };
        let svg = cache_figure(&kernel, CacheFigure::Histogram, 4, &look).expect("a figure");
        let shown = &bins[range.bars(bins.len())];
        let (drawn, marks) = marks(&svg);
        assert_eq!(marks.len(), shown.len());
        assert_eq!(drawn.matches("<rect").count(), shown.len());
        for ((_, text), bin) in marks.iter().zip(shown) {
            assert!(
                text.starts_with(&format!(
                    "Distance {}\n{} request{}",
                    bin.label(),
                    bin.count,
                    base::plural(bin.count, "s")
                )),
                "{text}"
            );
        }
    }
    assert!(svg_of_axis(&kernel).starts_with("data-axis=\""), "it can be zoomed");
}

fn svg_of_axis(kernel: &KernelReport) -> String {
    let svg = cache_figure(kernel, CacheFigure::Histogram, 4, &Look::new(900, false)).expect("a figure");
    svg.split("pointer-events=\"all\" ").nth(1).expect("the group").into()
}

#[test]
fn classes_and_sets_tell_their_counts() {
    let kernel = kernel("matvec-rows");
    let svg = cache_figure(&kernel, CacheFigure::Classes, 4, &Look::new(900, false)).expect("a figure");
    let (_, marks) = marks(&svg);
    let told: f64 = marks.iter().map(|(_, text)| number_after(text, "\n")).sum();
    let all: f64 = marks.iter().map(|((_, _, width, _), _)| width).sum();
    for ((_, _, width, _), text) in &marks {
        assert!((width / all - number_after(text, "\n") / told).abs() < 0.01, "{text}: {width} of {all}");
    }
    let mut many = kernel.clone();
    many.sets = (0..4096).map(|i| kernel.sets[i % kernel.sets.len()].clone()).collect();
    for (kernel, range, first, per) in
        [(&kernel, Range::WHOLE, 0, 1), (&many, Range::WHOLE, 0, 4), (&many, Range::new(0.5, 0.75), 2048, 1)]
    {
        let look = Look { range, ..Look::new(900, true) };
        let svg = cache_figure(kernel, CacheFigure::Sets, 4, &look).expect("a figure");
        let told = texts_of(&svg);
        let shown = range.bars(kernel.sets.len());
        assert_eq!(told.len(), shown.len() / per);
        for (i, text) in told.iter().enumerate() {
            let sets = &kernel.sets[first + i * per..][..per];
            let misses: u64 = sets.iter().map(|set| set.counts.requests - set.counts.hits).sum();
            let name = if per == 1 { format!("Set {}\n", first + i) } else { format!("Sets {} to ", i * per) };
            assert!(text.starts_with(&name) && text.contains(&format!("\n{misses} misses of ")), "{text}");
        }
    }
}

#[test]
fn a_timeline_tells_each_row_in_any_part_of_it() {
    let kernel = kernel("stencil");
    let mut seen = 0;
    for part in 0..4 {
        let range = Range::new(f64::from(part) / 4.0, f64::from(part + 1) / 4.0);
        let svg = cache_figure(&kernel, CacheFigure::Timeline, 4, &Look { range, ..Look::new(2000, false) });
        for text in texts_of(&svg.expect("a figure")) {
            let tick = number_after(&text, "From tick ") as u64;
            let row = kernel.timeline.iter().find(|row| row.tick == tick).expect("a row of the report");
            assert!(text.contains(&format!("{:.1}", row.mshrs).trim_end_matches(".0").to_string()), "{text}");
            if row.requests > 0 {
                assert!(text.contains(&format!("\n{} of {} requests", row.misses, row.requests)), "{text}");
            }
            seen += 1;
        }
    }
    assert!(seen >= kernel.timeline.len(), "{seen} of {}", kernel.timeline.len());
}

#[test]
fn the_flow_the_cores_and_the_roofline_tell_their_numbers() {
    let report = super::gpu::report("matmul-tiled", "rtx3060");
    let kernel = &report.kernels[0];
    for width in [320, 900] {
        let told = texts_of(&flow_figure(&kernel.gpu, &Look::new(width, false)).expect("a figure"));
        assert_eq!(told.len(), 4 + 6);
        assert!(told.contains(&format!("L2 to L1\n{} bytes", 32 * kernel.gpu.l2.reads)), "{told:?}");
        assert!(told.contains(&format!("DRAM to L2\n{} bytes", 32 * kernel.gpu.dram.reads)), "{told:?}");
        assert!(told.iter().any(|text| text.starts_with("DRAM\n") && text.contains('%')), "{told:?}");
    }
    let rows = &kernel.rows.cores;
    for range in [Range::WHOLE, Range::new(0.5, 1.0)] {
        let look = Look { range, ..Look::new(900, false) };
        let told = texts_of(&cores_figure(rows, &[], report.cores, &look).expect("a figure"));
        let shown = range.bars(report.cores as usize);
        let expected: Vec<String> = rows
            .iter()
            .filter(|row| shown.contains(&(row.core as usize)))
            .map(|row| format!("Core {}\n{} sectors\n{} hit", row.core, row.l1_sectors, row.l1_hits))
            .collect();
        assert!(!expected.is_empty() && told.len() == expected.len());
        assert!(told.iter().zip(&expected).all(|(text, start)| text.starts_with(start)), "{told:?}");
    }
    let roofline = kernel.roofline.as_ref().expect("a mix");
    let told = texts_of(&roofline_figure(roofline, None, &Look::new(900, false)).expect("a figure"));
    let per = roofline.per_dram_byte.expect("bytes of DRAM");
    let point = told.iter().find(|text| text.starts_with("DRAM\n")).expect("the point");
    assert!((number_after(point, "\n") - per).abs() < 0.001, "{point}: {per}");
}

#[test]
fn charts_of_streams_tell_their_points() {
    for (name, chart) in reuse_charts() {
        let told = texts_of(&reuse_figure(&chart, &Look::new(900, false)).expect("a figure"));
        match &chart {
            ReuseChart::Distances { bars, firsts } => {
                assert_eq!(told.len(), bars.len() + 1);
                for (text, (low, _, n)) in told.iter().zip(bars) {
                    assert!(text.starts_with(&format!("Distance {low}")), "{text}");
                    assert!(text.contains(&format!("\n{n} access{} (", base::plural(*n as u64, "es"))), "{text}");
                }
                assert!(told[20].contains(&format!("{} accesses", firsts.expect("first accesses"))));
            }
            ReuseChart::Curve { .. } => {
                let text = told.iter().find(|text| text.starts_with("500000 lines, 30.5 MiB")).expect(name);
                assert!(text.contains("exact 12.0%") && text.contains("sample 10.0%"), "{text}");
            }
            ReuseChart::Sweep { .. } => {
                assert_eq!(told[1], "ST 2048\nHP-RDA without ef: 0.76\nHP-RDA with ef: 0.38");
            }
        }
    }
}

#[test]
fn a_zoomed_curve_shows_more_points_and_stays_in_its_picture() {
    let points: Vec<(f64, f64)> = (1..=4000).map(|i| (f64::from(i), 1.0 / f64::from(i))).collect();
    for logarithmic in [false, true] {
        let lines = vec![ChartLine { tone: Tone::Exact, points: points.clone(), errors: Vec::new() }];
        let chart = ReuseChart::Curve { lines, knees: vec![(2.0, 0.5)], logarithmic, line_bytes: 128 };
        let draw = |from, to| {
            let svg = reuse_figure(&chart, &Look { range: Range::new(from, to), ..Look::new(600, false) });
            let svg = svg.expect("a figure");
            super::check_texts(&svg);
            for x in attribute(
                svg.split("<polyline").find(|line| line.contains("stroke-width=\"2\"")).expect("a line"),
                "points",
            )
            .split(' ')
            .filter_map(|at| at.split(',').next()?.parse::<f64>().ok())
            {
                assert!((0.0..=600.0).contains(&x), "{x}");
            }
            texts_of(&svg)
        };
        let (whole, end) = (draw(0.0, 1.0), draw(0.95, 0.96));
        assert!(whole.len() < 400, "a mark per few px");
        assert!(end.len() > 10, "the part has points of its own");
        assert!(end.iter().any(|text| !whole.contains(text)), "points that the whole curve leaves out");
        let first = number_after(&end[0], "");
        let place = if logarithmic { libm::exp2(0.95 * libm::log2(4000.0)) } else { 0.95 * 4080.0 };
        assert!((first - place).abs() <= place * 0.01 + 1.0, "{first} at {place}");
    }
}

#[test]
fn placements_banks_and_flips_tell_their_numbers() {
    let bar = TermBar {
        label: "A & <B>".into(),
        t_comp: 3000.0,
        t_mem: 9000.0,
        t_overlap: 2000.0,
        present: true,
        chosen: false,
    };
    let svg = placement_figure(PlacementFigure::Terms(&[bar]), &Look::new(900, false)).expect("a figure");
    let (drawn, told) = marks(&svg);
    assert_eq!(told[0].1, "A &amp; &lt;B>\n10000 cycles\ncomputing alone 1000, both 2000, memory alone 7000");
    let (comp, mem) = (bars(drawn, "#56B4E9")[0].1, bars(drawn, "#E69F00")[0].1);
    assert!((mem / comp - 7.0).abs() < 0.1);
    let bank = |bank: usize| BankLoad {
        bank,
        requests: 100,
        rows: [60, 10, 30],
        utilisation: 0.5,
        variation: [1.0, 1.0],
        wait_ns: bank as f64,
        saturated: false,
    };
    let rows: Vec<BankLoad> = (0..16).map(bank).collect();
    let look = Look { range: Range::new(0.5, 1.0), ..Look::new(900, false) };
    let told = texts_of(&placement_figure(PlacementFigure::Banks(&rows), &look).expect("a figure"));
    assert_eq!((told.len(), told[0].as_str()), (8, "Bank 8\n60 row hits, 10 misses, 30 conflicts\nmean wait 8 ns"));
    let flips = FlipTimes { bits: vec![7, 8], ns: vec![[1.0, 2.5, 4.0], [5.0, 6.0, 7.26]], with: None };
    let told = texts_of(&placement_figure(PlacementFigure::Flips(&flips), &Look::new(900, false)).expect("a figure"));
    assert_eq!(told, ["Bit 7\nmedian 2.5 ns\nfrom 1 to 4 ns", "Bit 8\nmedian 6 ns\nfrom 5 to 7.3 ns"]);
}

fn outcome(experiment: &Experiment) -> ExperimentOutcome {
    ExperimentBench::new(&HiddenGpu { seed: 3, ..HiddenGpu::default() })
        .expect("a GPU")
        .run(experiment)
        .expect("an outcome")
}

#[test]
fn experiments_tell_their_times() {
    let sizes = Experiment::Sizes { memory: "l1".into(), from: 4096, to: 1 << 20, step: 0 };
    let ExperimentOutcome::Sizes(curve) = outcome(&sizes) else { panic!("a curve") };
    let one = |number: f64, digits: usize| {
        format!("{number:.digits$}").trim_end_matches('0').trim_end_matches('.').to_string()
    };
    let mut seen = [0; 2];
    for range in [Range::new(0.0, 0.5), Range::new(0.5, 1.0)] {
        let look = Look { range, ..Look::new(2000, false) };
        let draw = |what| texts_of(&topology_figure(what, &look).expect("a figure"));
        for text in draw(TopologyFigure::Times(&curve)) {
            let at = curve.sizes.iter().position(|size| text.starts_with(&format!("{size} bytes\n"))).expect("a size");
            assert!(text.contains(&format!("median {} cycles", one(curve.times[at][2], 1))), "{text}");
            seen[0] += 1;
        }
        for text in draw(TopologyFigure::Reduced(&curve)) {
            let at = curve.sizes.iter().position(|size| text.starts_with(&format!("{size} bytes\n"))).expect("a size");
            assert!(text.ends_with(&format!(" {}", one(curve.series[at], 4))), "{text}: {}", curve.series[at]);
            seen[1] += 1;
        }
    }
    assert!(seen.iter().all(|&n| n >= curve.sizes.len().min(300)), "{seen:?} of {}", curve.sizes.len());
    let walk = Experiment::Walk { memory: "l1".into(), bytes: 1 << 20, stride: 4, warm: true };
    let ExperimentOutcome::Walk(walk) = outcome(&walk) else { panic!("a walk") };
    let told = texts_of(&topology_figure(TopologyFigure::Walk(&walk), &Look::new(900, false)).expect("a figure"));
    assert!(told[4].starts_with(&format!("Load 5\nbyte 16\n{} cycles", one(walk.times[4], 1))), "{told:?}");
    let amount = Experiment::Amount { memory: "l1".into(), bytes: 4096 };
    let ExperimentOutcome::Shares(shares) = outcome(&amount) else { panic!("shares") };
    let told = texts_of(&topology_figure(TopologyFigure::Shares(&shares), &Look::new(900, false)).expect("a figure"));
    assert_eq!(told.len(), shares.labels.len());
    assert!(told[0].contains(&format!("alone {:.1}% slow", 100.0 * shares.alone[0])), "{}", told[0]);
    let levels = lab::machine_levels(&[4096.0, 8192.0, 16_384.0], &[vec![1.0, 1.25, 4.0], vec![2.0, 1.5, 5.0]], 1.0);
    let told = texts_of(&topology_figure(TopologyFigure::Levels(&levels), &Look::new(900, false)).expect("a figure"));
    assert_eq!(told[1], "8 KiB\n1.25 ns per load\nup to 1.5 ns");
    let boxes = lab::hierarchy_boxes(&gpu::preset("rtx3060").expect("a preset"));
    let told = texts_of(&topology_figure(TopologyFigure::Hierarchy(&boxes), &Look::new(900, false)).expect("a figure"));
    assert_eq!(told.len(), boxes.inner.len() + boxes.outer.len());
}
