//! What `place` says of kernels at their measured sizes, against the measured times.
//!
//! [`crate::placement_hardware`] runs parts of the launches, so that several models can be compared in a minute. Here each text runs with all
//! operands in global memory, at the size that was measured, as a person would drop it. `place` then cuts long launches itself.
//!
//! `HARDWARE=all cargo test --release -p lab --test suite kernels_at_full_size -- --nocapture` runs all groups, in about 45 minutes;
//! `GPU=ID` keeps the rows of one preset, and `SHOW=1` prints each group. Without `HARDWARE`, the smallest products of a matrix by a vector run.

use crate::placement_hardware::{small_in, text_named, Group, Part};
use base::Job;
use lab::{placement_options, CudaOptions, CudaSettings, Intake, PlacementRequest, PlacementRun};
use std::collections::BTreeMap;

/// The sizes of the whole launch.
fn whole(kernel: &str, numbers: &[u64], b: u64) -> Option<Part> {
    let (text, sizes) = match (kernel, numbers) {
        ("conv1D", &[n, m, ..]) => ("conv1d_global.cu", vec![("n", n), ("M", m), ("B", b)]),
        ("conv2D", &[w, h, 1, m, ..]) => ("conv2d_global.cu", vec![("S", w), ("H", h), ("R", h), ("M", m), ("B", b)]),
        ("matmul", &[n, m, p]) if n == m && m == p => {
            ("matmul_global.cu", vec![("N", n), ("R", n), ("K", n), ("B", b)])
        }
        ("matvec", &[n, m]) if n == m => ("matvec_global.cu", vec![("N", n), ("K", n), ("B", b)]),
        ("histogram", &[n, 512]) => ("histogram_global.cu", vec![("n", n), ("B", b)]),
        _ => return None,
    };
    Some((text, sizes, 1.0))
}

/// Milliseconds of the measured variants by the machine, as `place` lists them.
fn placed(group: &Group) -> Vec<Option<f64>> {
    let sizes = group.sizes.iter().map(|(name, value)| ((*name).into(), value.to_string())).collect();
    let mut intake = Intake::default();
    intake.set_cuda(placement_options(CudaOptions { sizes, ..CudaSettings::default().options() }));
    intake.begin(group.text);
    intake.push(text_named(group.text).as_bytes());
    let request = PlacementRequest { gpu: group.gpu.into(), top: usize::MAX, ..PlacementRequest::default() };
    let report = PlacementRun::new(request, &intake.finish()).expect("a kernel that can be placed").finish();
    let time_of = |moves: &[(&str, placement::Memory)]| {
        let moved: BTreeMap<&str, String> = moves.iter().map(|(array, memory)| (*array, memory.to_string())).collect();
        let same = |placement: &BTreeMap<String, String>| {
            placement.iter().all(|(array, memory)| moved.get(array.as_str()).map_or("global", String::as_str) == memory)
        };
        report.ranking.iter().find(|row| same(&row.placement))?.machine_microseconds.map(|time| time / 1e3)
    };
    group.variants.iter().map(|(moves, _)| time_of(moves)).collect()
}

/// Prints how well `place` does on some groups. Returns the median error of the time and the mean regret, percent.
fn score(kernel: &str, groups: &[Group]) -> [f64; 2] {
    let (mut errors, mut regret, mut right, mut pairs) = (BTreeMap::new(), 0.0, 0, 0);
    for group in groups {
        let times = placed(group);
        if std::env::var_os("SHOW").is_some() {
            println!("  {} {:?} {:?} {times:.4?}", group.gpu, group.sizes, group.variants);
        }
        let ran: Vec<(f64, f64)> =
            times.iter().zip(&group.variants).filter_map(|(time, (_, measured))| Some(((*time)?, *measured))).collect();
        assert_eq!(ran.len(), times.len(), "variants that `place` did not run: {times:?} of {:?}", group.variants);
        let best = ran.iter().map(|(_, measured)| *measured).fold(f64::INFINITY, f64::min);
        let chosen = ran.iter().min_by(|a, b| a.0.total_cmp(&b.0)).expect("a variant");
        regret += 100.0 * (chosen.1 / best - 1.0) / groups.len() as f64;
        for (time, measured) in &ran {
            errors.entry(group.gpu).or_insert_with(Vec::new).push(100.0 * (time / measured - 1.0).abs());
            for (other, slower) in ran.iter().filter(|(_, slower)| *slower > 1.1 * measured) {
                (pairs, right) = (pairs + 1, right + u32::from(other > time && slower > measured));
            }
        }
    }
    println!("{kernel}: {} groups, regret {regret:.1} %, pairs {right} of {pairs}", groups.len());
    let mut worst = 0.0f64;
    for (gpu, errors) in &mut errors {
        errors.sort_by(f64::total_cmp);
        let median = errors[errors.len() / 2];
        println!("  {gpu}: {} times, median error {median:.0} %", errors.len());
        worst = worst.max(median);
    }
    [worst, regret]
}

#[test]
fn kernels_at_full_size() {
    let all = std::env::var("HARDWARE").is_ok_and(|value| value == "all");
    for kernel in ["matmul", "matvec", "conv2D", "conv1D", "histogram"] {
        let mut groups = small_in(kernel, whole);
        if !all {
            groups.retain(|group| group.sizes[0] == ("N", 256));
        }
        if groups.is_empty() {
            continue;
        }
        let [error, regret] = score(kernel, &groups);
        assert!(error < 30.0 && regret < 3.0, "{kernel}: median error {error} %, regret {regret} %");
    }
}
