//! Tests on simulated times whether a trained overlap helps on a kernel family and a GPU that were both left out of
//! the training. The shipped fit follows from the answer. The nine families and the A100 of `placement_agreement.rs`
//! are not used here.
//!
//! `TRAINING=all cargo test --test engine placement_training -- --nocapture` takes all sizes and GPUs and runs some
//! minutes.

use crate::agreement::figures::{figures, mean, show, Figures};
use crate::agreement::study::{studies, Study, SMS};
use crate::oracle_sim::families;
use lab::OverlapFile;
use placement::*;
use std::sync::LazyLock;

const GPUS: [&str; 7] = ["k20c", "v100", "p6000", "t1000", "gtx470-16k", "rtx2080ti", "h100"];
/// The GPUs among these that every run uses.
const FEW: usize = 3;

/// The studies of the training families in their first size, by GPU. Two tests use them, and simulating them takes most of
/// the time of both.
fn first_size() -> &'static [(&'static str, Study)] {
    static STUDIES: LazyLock<Vec<(&str, Study)>> = LazyLock::new(|| of_size(&GPUS[..FEW], 0));
    &STUDIES
}

fn of_size(gpus: &[&'static str], size: usize) -> Vec<(&'static str, Study)> {
    let of = |&gpu| studies(&families::training(size), gpu).into_iter().map(move |study| (gpu, study));
    gpus.iter().flat_map(of).collect()
}

fn judged(study: &Study, settings: &Settings) -> Figures {
    let mut evaluator = study.evaluator(settings);
    let truth: Vec<f64> = study.cases.iter().map(|case| case.truth).collect();
    let predicted: Vec<f64> = study.cases.iter().map(|case| evaluator.predict(&case.placement).cycles).collect();
    figures(&truth, &predicted, true)
}

/// The samples of a study, under the name of its family or of the family on one GPU in one size.
fn samples(study: &Study, name: &str) -> Vec<Sample> {
    let mut evaluator = study.evaluator(&Settings::default());
    study.cases.iter().map(|case| Sample::new(name, &evaluator.predict(&case.placement), case.truth)).collect()
}

#[test]
fn training_does_not_help_on_other_kernels_of_other_gpus() {
    let all = std::env::var("TRAINING").is_ok_and(|value| value == "all");
    let gpus = if all { &GPUS[..] } else { &GPUS[..FEW] };
    let more: Vec<(&str, Study)> =
        if all { (0..families::SIZES).flat_map(|size| of_size(gpus, size)).collect() } else { Vec::new() };
    let list = if all { &more[..] } else { first_size() };
    let rows: Vec<Vec<Sample>> = list.iter().map(|(_, study)| samples(study, &study.name)).collect();
    let untrained: Vec<Figures> = list.iter().map(|(_, study)| judged(study, &Settings::default())).collect();
    let left_out = |(gpu, study): &(&str, Study)| {
        let others = list.iter().zip(&rows).filter(|((g, s), _)| g != gpu && s.name != study.name);
        let fitted =
            fit(&others.flat_map(|(_, rows)| rows.iter().cloned()).collect::<Vec<_>>()).expect("seven kernels");
        judged(study, &Settings { overlap: fitted.overlap(), ..Settings::default() })
    };
    let trained: Vec<Figures> = list.iter().map(left_out).collect();
    println!("{} kernels of eight families on {} GPUs", list.len() / gpus.len(), gpus.len());
    show("  untrained", &untrained);
    show("  trained on other families and GPUs", &trained);
    for gpu in gpus {
        let of: Vec<Figures> = list.iter().zip(&untrained).filter(|((g, _), _)| g == gpu).map(|(_, f)| *f).collect();
        show(&format!("  untrained, {gpu}"), &of);
    }
    assert!(mean(&untrained, |f| f.spearman) > mean(&trained, |f| f.spearman));
    assert!(mean(&untrained, |f| f.spearman) > 0.85 && mean(&untrained, |f| f.error) < 0.1);
    assert!(mean(&untrained, |f| f.regret) < 0.05);
}

#[test]
fn the_shipped_file_is_the_model_untrained() {
    let mut rows = Vec::new();
    for (gpu, study) in first_size() {
        rows.extend(samples(study, &format!("{} on {gpu}", study.name)));
    }
    let measured = untrained(&rows).expect("enough kernels");
    let provenance = format!(
        "untrained; errors against our own simulator (tests/oracle_sim), {} placements of 8 kernels on slices of {SMS} SMs of {}; \
         no hardware",
        measured.rows,
        GPUS[..FEW].join(", ")
    );
    let made = OverlapFile::of(&measured, &GPUS[..FEW].join(" "), provenance);
    let shipped = OverlapFile::shipped();
    if shipped.as_ref() != Some(&made) {
        println!("{}", serde_json::to_string_pretty(&made).expect("plain data"));
    }
    let shipped = shipped.expect("a file that can be read");
    assert_eq!((shipped.rows, &shipped.provenance), (made.rows, &made.provenance));
    assert_eq!(shipped.coefficients, made.coefficients);
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} {b}");
    near(shipped.noise, made.noise);
    near(shipped.error, made.error);
}
