//! The roofline and the cores of the model `gpu`.

use super::{check_texts, texts};
use crate::{cores_figure, roofline_figure, Look};
use base::Job;
use lab::{CacheModel, Contents, GpuCoreRow, GpuReport, GpuRoofline, GpuRun, Scenario};

const WIDTHS: [u32; 6] = [0, 240, 320, 720, 840, 9000];

pub(super) fn report(example: &str, gpu: &str) -> GpuReport {
    let contents = Contents::of_example(example).expect("a built-in example");
    let scenario = Scenario { gpu: gpu.into(), model: CacheModel::Gpu, ..Scenario::default() };
    let run = GpuRun::new(&scenario, &contents).map_err(|e| format!("{e:?}")).expect("a scenario that runs");
    run.finish().map_err(|e| format!("{e:?}")).expect("a report")
}

/// Saves a figure for eyes, where a folder is named.
fn save(name: &str, svg: &str) {
    if let Ok(folder) = std::env::var("WARPSCOPE_FIGURES") {
        std::fs::write(format!("{folder}/{name}.svg"), svg).expect("written");
    }
}

fn circles(svg: &str) -> Vec<(f64, f64)> {
    let number = |element: &str, name: &str| super::attribute(element, name).parse().expect("a number");
    svg.split("<circle").skip(1).map(|c| (number(c, "cx"), number(c, "cy"))).collect()
}

#[test]
fn rooflines_have_two_points_below_their_lines() {
    for (example, gpu) in [("matmul-tiled", "rtx3060"), ("vector-add", "h100"), ("stencil", "titan-x-pascal")] {
        let report = report(example, gpu);
        let roofline = report.kernels[0].roofline.as_ref().expect("a mix");
        for width in WIDTHS {
            let svg = roofline_figure(roofline, None, &Look::new(width, width % 2 == 0)).expect("a figure");
            check_texts(&svg);
            save(&format!("roofline-{example}-{width}"), &svg);
            let told: Vec<&str> = texts(&svg).into_iter().map(|(_, text)| text.trim()).collect();
            for word in ["Operations per second", "arithmetic", "L2", "DRAM"] {
                assert!(told.contains(&word), "{example} {width}: no {word} in {told:?}");
            }
            // Two of the key, then the points. More bytes pass the L2 than DRAM, so its point is left of DRAM's.
            let marks = circles(&svg);
            let [_, _, (l2, height), (dram, same)] = marks[..] else { panic!("{example} {width}: {marks:?}") };
            assert_eq!(height, same);
            assert!(l2 <= dram, "{example} {width}: {marks:?}");
        }
    }
}

#[test]
fn points_stay_within_the_picture() {
    let report = report("matmul-tiled", "rtx3060");
    let sample = report.kernels[0].roofline.clone().expect("a mix");
    for per_byte in [1e-6, 0.01, 1.0, 1e5] {
        for reached in [1.0, 1e-3, 1e-7] {
            let operations_per_second = sample.peak_operations_per_second * reached;
            let per = Some(per_byte);
            let one = GpuRoofline { operations_per_second, per_l2_byte: per, per_dram_byte: per, ..sample.clone() };
            for (x, y) in circles(&roofline_figure(&one, None, &Look::new(320, false)).expect("a figure")) {
                assert!((60.0..320.0).contains(&x) && (20.0..180.0).contains(&y), "{per_byte} {reached}: {x}, {y}");
            }
        }
    }
    // The two points of a baseline that was a hundred times slower lie below those of the run.
    let slower = GpuRoofline { operations_per_second: sample.operations_per_second / 100.0, ..sample.clone() };
    let marks = circles(&roofline_figure(&sample, Some(&slower), &Look::new(640, false)).expect("a figure"));
    let [_, _, before, _, now, _] = marks[..] else { panic!("{marks:?}") };
    assert!(before.0 == now.0 && before.1 > now.1 + 20.0, "{marks:?}");
    let none = GpuRoofline { operations: 0, ..sample.clone() };
    let svg = roofline_figure(&none, None, &Look::new(320, false)).expect("a figure");
    assert_eq!(circles(&svg), []);
    assert!(svg.contains("no floating-point instructions"));
    let from_caches = GpuRoofline { per_dram_byte: None, ..sample };
    assert_eq!(circles(&roofline_figure(&from_caches, None, &Look::new(320, false)).expect("a figure")).len(), 3);
}

#[test]
fn each_core_with_loads_has_a_bar_of_two_parts() {
    let report = report("matmul-tiled", "rtx3060");
    let rows = &report.kernels[0].rows.cores;
    for width in WIDTHS {
        let svg = cores_figure(rows, &[], report.cores, &Look::new(width, width % 2 == 0)).expect("a figure");
        check_texts(&svg);
        save(&format!("cores-{width}"), &svg);
        assert_eq!(svg.matches("<rect").count(), 2 * rows.len(), "{width}");
    }
    let lines = |base: &[GpuCoreRow]| {
        let svg = cores_figure(rows, base, report.cores, &Look::new(900, false)).expect("a figure");
        check_texts(&svg);
        svg.matches("<polyline").count()
    };
    assert_eq!(lines(rows), lines(&[]) + rows.len(), "a line of the baseline over each bar");
    let many: Vec<GpuCoreRow> = (0..144).map(|core| GpuCoreRow { core, l1_sectors: 7, l1_hits: 7 }).collect();
    let svg = cores_figure(&many, &[], 144, &Look::new(320, true)).expect("a figure");
    check_texts(&svg);
    save("cores-many", &svg);
    check_texts(&cores_figure(&[], &[], 28, &Look::new(320, false)).expect("a figure"));
}

/// A row of a sweep over two axes, or a row without a result.
fn swept(point: u32, values: [&str; 2], miss_rate: Option<f64>) -> lab::SweepRow {
    let mut row = lab::SweepRow::new(point as usize, values.to_vec(), Err(&[]));
    if let Some(rate) = miss_rate {
        row.error = None;
        row.measures.insert("miss_rate".into(), lab::SweepNumber::Real(rate));
    }
    row
}

#[test]
fn a_sweep_has_a_line_per_value_of_its_second_axis_and_a_gap_where_nothing_ran() {
    let axis = |text: &str| lab::SweepAxis::read(text).expect("an axis");
    let rates = [Some(0.5), Some(0.4), None, Some(0.2), Some(0.3), Some(0.3), Some(0.2), Some(0.1)];
    let values = ["1", "2", "4", "8"].into_iter().flat_map(|ways| [[ways, "16"], [ways, "unlimited"]]);
    let rows = values.zip(rates).enumerate().map(|(i, (values, rate))| swept(i as u32, values, rate)).collect();
    let table = lab::SweepTable { axes: vec![axis("ways=1,2,4,8"), axis("mshrs=16,unlimited")], rows };
    for (width, dark) in [(320, false), (900, true)] {
        let svg = crate::sweep_figure(&table, "miss_rate", &Look::new(width, dark)).expect("a figure");
        super::check_texts(&svg);
        assert_eq!(svg.matches("<circle").count(), 7, "a circle per point with a result");
        // The line of 16 MSHRs is broken at two ways.
        assert_eq!(svg.matches("stroke-width=\"2\"").count(), 3, "{svg}");
        assert!(svg.contains("<title>Ways = 2\n16: no result\nunlimited: 20 %</title>"));
        for text in ["Ways", "MSHRs", "unlimited", "miss rate", "40 %"] {
            assert!(svg.contains(text), "{text}: {svg}");
        }
    }
    for (first, values) in [("gpu=a100,rtx3060", ["a100", "rtx3060"]), ("seed=1,2", ["1", "2"])] {
        let rows = values.into_iter().enumerate().map(|(i, value)| swept(i as u32, [value, "16"], Some(0.5))).collect();
        let unordered = lab::SweepTable { axes: vec![axis(first), axis("mshrs=16")], rows };
        let svg = crate::sweep_figure(&unordered, "miss_rate", &Look::new(900, false)).expect("a figure");
        let (points, lines) = (svg.matches("<circle").count(), svg.matches("stroke-width=\"2\"").count());
        assert_eq!((points, lines), (2, 0), "{first} has no order, so no line joins its points");
    }
    assert!(
        crate::sweep_figure(&lab::SweepTable { axes: vec![], rows: vec![] }, "cycles", &Look::new(320, false)).is_ok()
    );
}
