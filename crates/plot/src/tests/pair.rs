//! Figures of two runs.

use super::{check_texts, kernel, texts};
use crate::{cache_figure, cache_pair_figure, flow_figure, flow_pair_figure, CacheFigure, KernelWithWays, Look};

const KINDS: [CacheFigure; 3] = [CacheFigure::Histogram, CacheFigure::Sets, CacheFigure::Timeline];

fn told(svg: &str) -> Vec<&str> {
    texts(svg).into_iter().map(|(_, text)| text.trim()).collect()
}

#[test]
fn both_runs_share_their_axes() {
    let (small, large) = (kernel("stencil"), kernel("matvec-rows"));
    let [small, large] = [&small, &large].map(|kernel| KernelWithWays { kernel, ways: 4 });
    for kind in KINDS {
        for width in [240, 340, 900] {
            let alone = cache_figure(large.kernel, kind, 4, &Look::new(width, false)).expect("a figure");
            for (now, base) in [(small, large), (large, small)] {
                let pair = cache_pair_figure(kind, now, base, &Look::new(width, false)).expect("a figure");
                check_texts(&pair);
                for bad in ["NaN", "inf\"", "width=\"-", "height=\"-", "style"] {
                    assert!(!pair.contains(bad), "{kind:?} contains {bad}");
                }
                // The larger of the two runs sets the axes, wherever it stands. Its own largest number is on them.
                if kind != CacheFigure::Sets {
                    let numbers = |svg: &str| {
                        let all = told(svg).into_iter().filter(|text| text.ends_with('k')).map(String::from);
                        all.collect::<Vec<_>>()
                    };
                    let missing: Vec<String> =
                        numbers(&alone).into_iter().filter(|text| !numbers(&pair).contains(text)).collect();
                    assert!(missing.is_empty(), "{kind:?}, {width}: no {missing:?}");
                }
            }
        }
    }
}

#[test]
fn another_associativity_is_a_dashed_line_and_equal_runs_have_none() {
    let kernel = kernel("stencil");
    let with = |ways| KernelWithWays { kernel: &kernel, ways };
    let lines = |base| {
        let svg =
            cache_pair_figure(CacheFigure::Histogram, with(4), with(base), &Look::new(640, false)).expect("a figure");
        svg.matches("<polyline").count()
    };
    // A dashed line is many short ones.
    assert!(lines(8) > lines(4) + 5, "{} and {}", lines(8), lines(4));
}

#[test]
fn flows_stand_above_each_other_with_one_scale_of_arrows() {
    let mut now = lab::GpuNumbers::default();
    now.l1.sectors = 1024;
    let mut base = now.clone();
    base.l1.sectors = 4096;
    for width in [320, 840] {
        let pair = flow_pair_figure(&now, &base, &Look::new(width, false)).expect("a figure");
        check_texts(&pair);
        for word in ["Now", "Baseline", "32 KiB", "128 KiB"] {
            assert!(told(&pair).contains(&word), "{width}: {:?}", told(&pair));
        }
        // Alone, each has the thickest arrow. Together, the smaller one is thinner, so its shape is another one.
        let shapes = |svg: &str| svg.matches("<polygon").count();
        let alone = flow_figure(&now, &Look::new(width, false)).expect("a figure");
        assert_eq!(shapes(&pair), 2 * shapes(&alone));
        let first = |svg: &str| svg.split("<polygon").nth(1).map(|rest| super::attribute(rest, "points").to_string());
        let span = |points: String| {
            let numbers: Vec<Vec<f64>> = points
                .split_whitespace()
                .map(|point| point.split(',').map(|n| n.parse().expect("a number")).collect())
                .collect();
            let across = if width < 720 { 0 } else { 1 };
            let all = numbers.iter().map(|point| point[across]);
            all.clone().fold(f64::MIN, f64::max) - all.fold(f64::MAX, f64::min)
        };
        assert!(span(first(&pair).expect("an arrow")) < span(first(&alone).expect("an arrow")), "{width}");
    }
}
