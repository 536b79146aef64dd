//! Checks of figures that need no person to look at them.

#![allow(clippy::disallowed_methods)] // one test writes the figures to a folder, for eyes

use crate::*;
use base::Job;
use lab::{CacheModel, CacheRun, ChartLine, Contents, GpuRun, Scenario, Tone};
use reuse::Histogram;

mod gpu;
mod live;
mod pair;

const KINDS: [(CacheFigure, &[&str]); 4] = [
    (CacheFigure::Classes, &["Share of requests (%)"]),
    (CacheFigure::Histogram, &["Reuse distance within the set (lines)", "Requests", "ways"]),
    (CacheFigure::Sets, &["Misses per set", "Set", "min ", "max "]),
    (CacheFigure::Timeline, &["Time (ticks)", "Miss rate (%)", "MSHRs busy (mean)"]),
];

fn kernel(example: &str) -> KernelReport {
    let contents = Contents::of_example(example).expect("a built-in example");
    let run =
        CacheRun::new(&Scenario::default(), &contents).map_err(|e| format!("{e:?}")).expect("a scenario that runs");
    run.finish().map_err(|e| format!("{e:?}")).expect("a report").kernels.remove(0)
}

/// Returns the attributes and the text of every `<text>` element.
fn texts(svg: &str) -> Vec<(&str, &str)> {
    svg.split("<text")
        .skip(1)
        .map(|t| t.split_once("</text>").expect("closed").0.split_once('>').expect("text"))
        .collect()
}

/// Returns the number of points of the thick line.
fn line_points(svg: &str) -> usize {
    let line = svg.split("<polyline").find(|line| line.contains("stroke-width=\"2\"")).expect("a line");
    attribute(line, "points").split_whitespace().count()
}

fn attribute<'s>(element: &'s str, name: &str) -> &'s str {
    let start = element.find(&format!(" {name}=\"")).expect(name) + name.len() + 3;
    element[start..].split('"').next().expect("quoted")
}

/// Checks that every `<text>` element lies within the picture if its letters are at most 0.65 em wide.
fn check_texts(svg: &str) {
    let number = |element: &str, name: &str| attribute(element, name).parse::<f64>().expect("a number");
    let (width, height) = (number(svg, "width"), number(svg, "height"));
    for (attributes, text) in texts(svg) {
        let text = text.trim().replace("&lt;", "<");
        let long = text.chars().count() as f64 * 0.65 * number(attributes, "font-size");
        let before = match attribute(attributes, "text-anchor") {
            "start" => 0.0,
            "middle" => long / 2.0,
            _ => long,
        };
        let (x, y) = (number(attributes, "x"), number(attributes, "y"));
        let (at, limit) = if attributes.contains("rotate") { (y, height) } else { (x, width) };
        assert!(at - before >= 0.0 && at - before + long <= limit, "`{text}` leaves {width} × {height}");
    }
}

/// Draws a figure at every width and in both themes. Checks that the SVG is well-formed, has no style and holds the
/// words, with all texts within its frame where there is room for one.
pub(crate) fn check_figure(draw: impl Fn(&Look) -> Result<String, PlotError>, words: &[&str]) {
    for width in [1, 320, 900, 5000] {
        for dark in [false, true] {
            let svg = draw(&Look::new(width, dark)).expect("a drawing");
            assert!(svg.starts_with("<svg role=\"img\""), "{svg:.80}");
            assert!(!svg.contains("style=") && !svg.contains("NaN") && !svg.contains("inf"), "{width}: {svg}");
            if width >= 320 {
                check_texts(&svg);
            }
            for word in words.iter().filter(|_| width == 900) {
                assert!(svg.contains(word), "{word}: {svg}");
            }
            let within = f64::from(width.clamp(240, 2000));
            for at in svg.split(" x=\"").skip(1).filter_map(|rest| rest.split('"').next()?.parse::<f64>().ok()) {
                assert!((-1.0..=within + 1.0).contains(&at), "{at} of {within}: {svg:.80}");
            }
        }
    }
}

fn check(kernel: &KernelReport, kind: CacheFigure, ways: u64, width: u32) -> String {
    let svg = cache_figure(kernel, kind, ways, &Look::new(width, width % 2 == 0)).expect("a figure");
    assert_eq!(svg, cache_figure(kernel, kind, ways, &Look::new(width, width % 2 == 0)).expect("the same figure"));
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"), "{svg:.100}");
    let opened = svg.matches('<').count() - svg.matches("</").count();
    assert_eq!(opened, svg.matches("</").count() + svg.matches("/>").count(), "every element is closed");
    for bad in ["NaN", "inf\"", "width=\"-", "height=\"-", "style", "script"] {
        assert!(!svg.contains(bad), "{kind:?} contains {bad}");
    }
    check_texts(&svg);
    svg
}

#[test]
fn examples_are_drawn_with_their_titles_at_every_width() {
    for example in ["matvec-rows", "transpose", "stencil"] {
        let kernel = kernel(example);
        for (kind, titles) in KINDS {
            for width in [1, 340, 341, 900, 901, 1_000_000] {
                let svg = check(&kernel, kind, 4, width);
                let texts = texts(&svg);
                for title in titles {
                    let title = if width == 1 { title.split(" (").next().expect("a title") } else { title };
                    assert!(texts.iter().any(|(_, text)| text.contains(title)), "{example} {kind:?}: {title}");
                }
            }
            let sized = |width| attribute(&check(&kernel, kind, 4, width), "width").parse::<u32>().expect("a width");
            assert_eq!([1, 500, 1_000_000].map(sized), [240, 500, 2000]);
        }
    }
}

#[test]
fn a_histogram_has_a_bar_per_bin_and_counts_every_request_once() {
    let mut kernel = kernel("stencil");
    for distances in [&[0u32][..], &[0, 1, 1, 5, 23], &[3, 24, 100_000], &[7, 10_000_000]] {
        for first_miss in [1, 3, 4, 6, 128, u64::MAX] {
            kernel.histogram = Histogram::default();
            distances.iter().for_each(|&d| kernel.histogram.add(Some(d)));
            kernel.histogram.add(None);
            let bins = histogram::bins(&kernel.histogram, first_miss);
            assert_eq!(bins.iter().map(|bin| bin.count).sum::<u64>(), distances.len() as u64 + 1);
            let pure = |bin: &histogram::Bin| bin.low.is_none_or(|low| (low < first_miss) == (bin.high < first_miss));
            assert!(bins.iter().all(pure), "every bar is hits or misses");
            let svg = check(&kernel, CacheFigure::Histogram, first_miss, 340);
            assert_eq!(svg.matches("<rect ").count(), bins.len(), "{distances:?}");
            assert!(svg.contains("\n1 request (") && !svg.contains("\n1 requests"), "{svg}");
        }
    }
}

#[test]
fn bins_are_distances_while_few_and_powers_of_two_cut_at_the_ways_when_many() {
    let labels = |distances: &[u32], first_miss| {
        let mut histogram = Histogram::default();
        distances.iter().for_each(|&d| histogram.add(Some(d)));
        histogram::bins(&histogram, first_miss).iter().map(histogram::Bin::label).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(labels(&[], 2), "0 1 2 ∞");
    assert_eq!(labels(&[2, 5], 4), "0 1 2 3 4 5 ∞");
    assert_eq!(labels(&[2, 5], 1000), "0 1 2 3 4 5 ∞");
    assert_eq!(labels(&[40], 4), "0 1 2–3 4–7 8–15 16–31 32–63 ∞");
    assert_eq!(labels(&[40], 6), "0 1 2–3 4–5 6–7 8–15 16–31 32–63 ∞");
    assert!(labels(&[10_000_000], 6).ends_with(" 4.19M–8.39M 8.39M–16.8M ∞"));
}

#[test]
fn where_nothing_was_requested_the_figure_says_so() {
    let mut kernel = kernel("stencil");
    kernel.requests = 0;
    kernel.histogram = Histogram::default();
    for (kind, _) in KINDS {
        assert!(check(&kernel, kind, 4, 340).contains("no requests"), "{kind:?}");
    }
}

#[test]
fn sets_are_cells_up_to_1024_and_neighbours_share_one_beyond() {
    let mut kernel = kernel("stencil");
    let row = kernel.sets[0].clone();
    for (sets, cells, group) in [(1, 1, 1), (33, 33, 1), (1024, 1024, 1), (1025, 513, 2), (16_384, 1024, 16)] {
        kernel.sets = vec![row.clone(); sets];
        let svg = check(&kernel, CacheFigure::Sets, 4, 340);
        assert_eq!(svg.matches("<rect ").count(), cells + 40, "{sets} sets and the scale's 40 steps");
        assert_eq!(svg.contains(&format!("cells of {group} sets")), group > 1);
        let all = row.counts.requests - row.counts.hits;
        assert!(all < 10_000 && svg.contains(&format!("max {all}")), "a mean of equals is any of them");
    }
}

#[test]
fn numbers_are_short_and_round() {
    let numbers = [0.0, 0.25, 7.0, 12.5, 999.0, 999.6, 1000.0, 1500.0, 16_384.0, 2e6, 1e19];
    let expected = ["0", "0.25", "7", "12.5", "999", "1k", "1k", "1.5k", "16.4k", "2M", "10E"];
    assert_eq!(numbers.map(axes::si), expected);
    assert_eq!([0.1, 1.0, 1.1, 3.0, 6.0, 4001.0].map(axes::round_step), [1.0, 1.0, 2.0, 5.0, 10.0, 5000.0]);
    assert_eq!(axes::ticks(5.0, 12.0), [0.0, 5.0, 10.0]);
}

#[test]
fn kinds_are_known_by_their_names() {
    let named = ["classes", "histogram", "sets", "timeline"].map(CacheFigure::named);
    assert_eq!(named, KINDS.map(|(kind, _)| Some(kind)));
    assert_eq!(CacheFigure::named("pie"), None);
}

fn reuse_charts() -> Vec<(&'static str, ReuseChart)> {
    let chart_line = |tone, points: &[(f64, f64)], errors: &[(f64, f64)]| ChartLine {
        tone,
        points: points.to_vec(),
        errors: errors.to_vec(),
    };
    let exact = chart_line(Tone::Exact, &[(1.0, 0.9), (1000.0, 0.85), (1001.0, 0.3), (500_000.0, 0.12)], &[]);
    let sample =
        chart_line(Tone::Sample, &[(128.0, 0.9), (1100.0, 0.3), (480_000.0, 0.1)], &[(128.0, 0.1), (1024.0, 0.3)]);
    let sweep = [(512.0, 0.45), (2048.0, 0.38), (16_384.0, 0.33), (131_072.0, 0.17)];
    let curve = |logarithmic| ReuseChart::Curve {
        lines: vec![exact.clone(), sample.clone()],
        knees: vec![(1001.0, 0.3), (1100.0, 0.3)],
        logarithmic,
        line_bytes: 64,
    };
    let bars = (0..20).map(|k: i32| (2f64.powi(k) - 1.0, 2f64.powi(k + 1) - 2.0, f64::from(k * k))).collect();
    vec![
        ("distances", ReuseChart::Distances { bars, firsts: Some(90.0) }),
        ("curve-log", curve(true)),
        ("curve-linear", curve(false)),
        (
            "sweep",
            ReuseChart::Sweep {
                lines: vec![
                    chart_line(Tone::Plain, &sweep.map(|(x, y)| (x, 2.0 * y)), &[]),
                    chart_line(Tone::Adjusted, &sweep, &[]),
                ],
                title: "e (%)".into(),
            },
        ),
    ]
}

#[test]
fn charts_of_streams_are_drawn_at_every_width() {
    let titles = ["Reuse distance", "Cache size", "Cache size", "ST"];
    for ((name, chart), title) in reuse_charts().into_iter().zip(titles) {
        for width in [1, 340, 341, 900, 2000] {
            let svg = reuse_figure(&chart, &Look::new(width, width % 2 == 0)).expect("a figure");
            assert_eq!(svg, reuse_figure(&chart, &Look::new(width, width % 2 == 0)).expect("the same figure"));
            assert!(!svg.contains("NaN") && !svg.contains("inf\""), "{name}");
            assert!(texts(&svg).iter().any(|(_, text)| text.contains(title)), "{name} {width}");
            check_texts(&svg);
        }
    }
    let knees = reuse_figure(&reuse_charts()[1].1, &Look::new(900, false)).expect("a figure");
    assert_eq!(knees.matches("<circle ").count(), 2, "a ring at each knee");
    assert!(texts(&knees).iter().any(|(_, text)| text.trim() == "1k"), "and its size");
    let bytes = texts(&knees).iter().filter(|(_, text)| text.trim().ends_with("KiB")).count();
    assert!(bytes >= 3, "sizes in bytes under those in lines: {:?}", texts(&knees));
    // The first distance is 8. Up to it, every request misses.
    let points = vec![(8.0, 1.0), (9.0, 0.2), (64.0, 0.1)];
    let late = |tone| {
        let lines = vec![ChartLine { tone, points: points.clone(), errors: Vec::new() }];
        let chart = ReuseChart::Curve { lines, knees: Vec::new(), logarithmic: true, line_bytes: 1 };
        reuse_figure(&chart, &Look::new(900, false)).expect("a figure")
    };
    assert_eq!(line_points(&late(Tone::Exact)), points.len() + 2, "from one line on, and to the end");
    let bars = reuse_figure(&reuse_charts()[0].1, &Look::new(900, false)).expect("a figure");
    assert_eq!(bars.matches("<rect ").count(), 21);
    let nothing = ReuseChart::Distances { bars: Vec::new(), firsts: None };
    assert!(reuse_figure(&nothing, &Look::new(340, true)).expect("a figure").contains("no requests"));
    for odd in [f64::NAN, f64::INFINITY, -1.0, 0.0] {
        let points = vec![(odd, odd)];
        let lines = || vec![ChartLine { tone: Tone::Plain, points: points.clone(), errors: points.clone() }];
        let curve = ReuseChart::Curve { lines: lines(), knees: points.clone(), logarithmic: true, line_bytes: 64 };
        let sweep = ReuseChart::Sweep { lines: lines(), title: String::new() };
        let bars = ReuseChart::Distances { bars: vec![(odd, odd, odd)], firsts: Some(odd) };
        for chart in [curve, sweep, bars] {
            assert!(reuse_figure(&chart, &Look::new(340, true)).is_ok(), "{chart:?}");
        }
    }
}

/// Writes the figures into the folder that `WARPSCOPE_FIGURES` names, for a person to look at.
#[test]
fn pictures_to_look_at() {
    let Ok(folder) = std::env::var("WARPSCOPE_FIGURES") else { return };
    let write = |name: &str, kernel: &KernelReport, kinds: &[CacheFigure]| {
        for &kind in kinds {
            for (width, dark) in [(340, false), (900, true), (900, false), (340, true)] {
                let tone = if dark { "dark" } else { "light" };
                let path = format!("{folder}/{}-{name}-{width}-{tone}.svg", kind.name());
                std::fs::write(path, cache_figure(kernel, kind, 4, &Look::new(width, dark)).expect("a figure"))
                    .expect("written");
            }
        }
    };
    for (name, chart) in reuse_charts() {
        for (width, dark) in [(340, false), (900, true)] {
            let svg = reuse_figure(&chart, &Look::new(width, dark)).expect("a figure");
            std::fs::write(format!("{folder}/reuse-{name}-{width}.svg"), svg).expect("written");
        }
    }
    for example in ["matvec-rows", "transpose", "stencil"] {
        write(example, &kernel(example), &KINDS.map(|(kind, _)| kind));
    }
    let mut kernel = kernel("stencil");
    kernel.sets = (0..200).map(|i| kernel.sets[i * i % kernel.sets.len()].clone()).collect();
    write("rows", &kernel, &[CacheFigure::Sets]);
    kernel.sets = (0..16_384).map(|i| kernel.sets[i as usize % kernel.sets.len()].clone()).collect();
    [0, 3, 90, 5000, 10_000_000].into_iter().for_each(|d| kernel.histogram.add(Some(d)));
    write("extreme", &kernel, &[CacheFigure::Histogram, CacheFigure::Sets]);
    kernel.requests = 0;
    write("none", &kernel, &[CacheFigure::Timeline]);
}

/// The picture of the whole GPU, from kernels that use each part, in every width.
#[test]
fn the_flow_of_bytes_names_amounts_and_the_busiest_part() {
    for example in ["matvec-rows", "matmul-tiled", "reduce-tree", "histogram-global"] {
        let contents = Contents::of_example(example).expect("a built-in example");
        let scenario = Scenario { gpu: "rtx3060".into(), model: CacheModel::Gpu, ..Scenario::default() };
        let run = GpuRun::new(&scenario, &contents).map_err(|e| format!("{e:?}")).expect("a scenario that runs");
        let report = run.finish().map_err(|e| format!("{e:?}")).expect("a report");
        let numbers = &report.kernels[0].gpu;
        for width in [0, 240, 320, 719, 720, 840, 1200, 9000] {
            let svg = flow_figure(numbers, &Look::new(width, width % 2 == 0)).expect("a figure");
            check_texts(&svg);
            let told: Vec<&str> = texts(&svg).into_iter().map(|(_, text)| text.trim()).collect();
            let amount = lab::size_text(32 * numbers.l2.reads);
            assert!(told.contains(&amount.as_str()), "{example} {width}: no {amount} in {told:?}");
            let named = told.iter().filter(|text| text.contains("busiest: ")).count();
            assert_eq!(named, 1, "{example} {width}: {told:?}");
            for title in ["Registers", "L1", "L2", "DRAM"] {
                assert!(told.contains(&title), "{example} {width}: no {title} in {told:?}");
            }
        }
    }
    let nothing = flow_figure(&lab::GpuNumbers::default(), &Look::new(640, false)).expect("a figure");
    check_texts(&nothing);
}

/// Halves, and shares just below the whole. `www/content/format.test.ts` has the same numbers.
#[test]
fn the_flow_of_bytes_rounds_as_the_page_does() {
    let mut numbers = lab::GpuNumbers::default();
    (numbers.l1.hits, numbers.l1.sectors, numbers.l2.reads) = (1, 8, 1032);
    (numbers.busy.pipe, numbers.busy.l2) = (0.9996, 0.01);
    let svg = flow_figure(&numbers, &Look::new(840, false)).expect("a figure");
    let told: Vec<&str> = texts(&svg).into_iter().map(|(_, text)| text.trim()).collect();
    for text in ["13 % hit", "busiest: 99.9 %", "busy 1 %", "32.3 KiB"] {
        assert!(told.contains(&text), "no {text} in {told:?}");
    }
}

#[test]
fn each_part_can_be_the_busiest() {
    let parts: [fn(&mut lab::GpuNumbers); 6] = [
        |n| n.busy.issue = 0.5,
        |n| n.busy.pipe = 0.5,
        |n| n.busy.l2 = 0.5,
        |n| n.busy.dram = 0.5,
        |n| n.busy.replies = 0.5,
        |n| n.busy.requests = 0.5,
    ];
    for (i, set) in parts.iter().enumerate() {
        let mut numbers = lab::GpuNumbers::default();
        set(&mut numbers);
        for width in [320, 840] {
            let svg = flow_figure(&numbers, &Look::new(width, false)).expect("a figure");
            assert!(svg.contains("busiest: 50 %"), "part {i} at {width}");
        }
    }
}
