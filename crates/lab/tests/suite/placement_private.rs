//! A histogram whose blocks may have private copies of the bins.

use base::Job;
use lab::{check_kernels, Contents, Intake, PlacementReport, PlacementRequest, PlacementRun};
use std::collections::BTreeMap;

/// The text of a measured histogram, with more values.
fn histogram(name: &str) -> Contents {
    let text = check_kernels().into_iter().find(|(known, _)| *known == name).expect("a text").1;
    let mut intake = Intake::default();
    intake.begin(name);
    intake.push(text.replace("n = 16384", "n = 65536").as_bytes());
    intake.finish()
}

fn placed(name: &str, model: &str, from: &[(&str, &str)]) -> PlacementReport {
    let from: BTreeMap<String, String> = from.iter().map(|(a, m)| ((*a).into(), (*m).into())).collect();
    let request = PlacementRequest { gpu: "rtx2060".into(), model: model.into(), from, ..PlacementRequest::default() };
    PlacementRun::new(request, &histogram(name)).expect("a kernel that can be placed").finish()
}

/// Why the bins cannot be in shared memory.
fn refused(report: &PlacementReport) -> Option<&str> {
    let bins = report.arrays.iter().find(|array| array.name == "bins").expect("the bins");
    bins.legality["shared"].as_deref()
}

#[test]
fn private_copies_of_contended_bins_are_first() {
    let report = placed("histogram_global.cu", "default", &[]);
    assert_eq!(refused(&report), None);
    let first = &report.ranking[0];
    assert_eq!(first.placement["bins"], "shared");
    let [now, then] = [&report.sample, first].map(|row| row.machine_microseconds.expect("it ran"));
    // Measured with as many values: 38.0 µs. Shared bins were measured from 524,288 values on, and were 11 times faster.
    assert!(now > 4.0 * then, "{now} {then}");
    assert!(report.sample.cycles > 65536.0, "the L2 makes the updates of a bin one after the other");
    assert_eq!(report.recommended.expect("a placement")["bins"], "shared");
}

#[test]
fn without_a_text_to_rewrite_there_are_no_private_copies() {
    let together = Some("blocks update it together with atomics");
    assert_eq!(refused(&placed("histogram_global.cu", "default", &[("in", "texture1d")])), together);
    assert_eq!(refused(&placed("histogram_global.cu", "paper", &[])), together);
}

#[test]
fn a_text_with_copies_gets_no_others() {
    let report = placed("histogram_shared.cu", "default", &[]);
    let merged = "each block keeps a copy of its updates in shared memory already, which line 9 merges";
    assert_eq!(refused(&report), Some(merged));
}
