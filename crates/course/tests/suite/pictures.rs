//! What the figures of the solutions are drawn from, against the values that the exercises name.

use course::{built_in, Known, KnownValue, Picture, FILES};
use lab::{ReuseChart, Tone};
use std::sync::Arc;

const SEED: u64 = 2;

fn picture(id: &str) -> (Known, Picture) {
    let exercise = Arc::new(built_in(id).expect("an exercise"));
    let known = exercise.known(SEED).expect("its values");
    let picture = exercise.picture(&known).unwrap_or_else(|errors| panic!("{id}: {}", errors[0]));
    (known, picture.unwrap_or_else(|| panic!("{id} has no picture")))
}

fn number(known: &Known, name: &str) -> f64 {
    match known.values[name] {
        KnownValue::Number(number) => number,
        ref other => panic!("{name} is {other:?}"),
    }
}

#[test]
fn every_solution_has_a_figure() {
    for (id, _) in FILES {
        picture(id);
    }
}

#[test]
fn a_run_has_the_figures_of_its_model() {
    let text =
        course::exercise_text("strides").expect("an exercise").replace("\"kind\": \"flow\"", "\"kind\": \"histogram\"");
    let exercise = Arc::new(course::read_exercise("strides.json", text.as_bytes()).expect("names that are known"));
    let known = exercise.known(SEED).expect("its values");
    let errors = exercise.picture(&known).expect_err("the model gpu has no histogram");
    assert!(errors[0].expected.contains("`figure.kind`: a figure of that value: flow"), "{}", errors[0]);
}

#[test]
fn bars_of_distances_count_every_access() {
    for (id, row) in [("table-1", "distances"), ("table-2", "distance_row"), ("table-3", "distance_row")] {
        let (known, picture) = picture(id);
        let Picture::Reuse(ReuseChart::Distances { bars, firsts }) = picture else { panic!("{id}") };
        let cells = known.list(row);
        let count = |text: &str| cells.iter().filter(|cell| *cell == text).count() as f64;
        assert_eq!(firsts, Some(count("∞")), "{id}");
        assert!(!cells.is_empty());
        for (low, high, accesses) in bars {
            assert_eq!((high, accesses), (low, count(&low.to_string())), "{id}");
        }
    }
    let (known, cancelled) = picture("table-5");
    let Picture::Reuse(ReuseChart::Distances { bars, firsts }) = cancelled else { panic!("table-5") };
    let shown: f64 = bars.iter().map(|bar| bar.2).chain(firsts).sum();
    let issued = known.list("status_row").iter().filter(|cell| *cell != "cancel").count();
    assert_eq!(shown, issued as f64);
    let (known, looped) = picture("merging");
    let Picture::Reuse(ReuseChart::Distances { bars, firsts }) = looped else { panic!("merging") };
    assert_eq!(firsts, Some(number(&known, "distinct")));
    let largest = number(&known, "largest");
    assert!(bars.iter().all(|&(low, high, n)| n == 0.0 || (low..=high).contains(&largest)), "{bars:?}");
}

#[test]
fn curves_go_through_the_ratios_of_the_solution() {
    let (known, picture_of_curve) = picture("curve");
    let Picture::Reuse(ReuseChart::Curve { lines, .. }) = picture_of_curve else { panic!("curve") };
    let at = |size: f64| lines[0].points.iter().rfind(|(lines, _)| *lines <= size).map_or(1.0, |(_, ratio)| *ratio);
    for (size, name) in [(16.0, "r16"), (64.0, "r64"), (512.0, "r512")] {
        assert!((at(size) - number(&known, name)).abs() < 0.003, "{size} lines: {}", at(size));
    }
    let (_, both) = picture("hp-rda");
    let Picture::Reuse(ReuseChart::Curve { lines, .. }) = both else { panic!("hp-rda") };
    assert_eq!(lines.iter().map(|line| line.tone).collect::<Vec<_>>(), [Tone::Exact, Tone::Adjusted]);
    assert_ne!(lines[0].points, lines[1].points);
}

#[test]
fn a_hidden_gpu_is_measured_where_its_cache_ends() {
    let (known, picture_of_sizes) = picture("hidden-l1");
    let Picture::Sizes(curve) = picture_of_sizes else { panic!("hidden-l1") };
    let (size, step) = (number(&known, "size"), (curve.sizes[1] - curve.sizes[0]) as f64);
    let change = curve.change.expect("a change") as f64;
    assert!((size - step..=size + step).contains(&change), "{change} for {size}");
    let (known, picture_of_shares) = picture("hidden-sharing");
    let Picture::Shares(shares) = picture_of_shares else { panic!("hidden-sharing") };
    let disturbed = |i: usize| shares.together[i] > shares.limit;
    let with_l1 = u8::from(disturbed(0)) + u8::from(disturbed(1));
    assert_eq!(f64::from(with_l1), number(&known, "with_l1"), "{shares:?}");
    assert!(shares.alone.iter().all(|share| *share < shares.limit), "{shares:?}");
}

#[test]
fn the_rest_shows_what_the_solution_says() {
    let (known, series) = picture("change-point");
    let Picture::Sizes(curve) = series else { panic!("change-point") };
    let index = number(&known, "index");
    assert!((curve.change.expect("a change") as f64 / 1024.0 - index).abs() <= 1.0);
    let (known, bits) = picture("dram-mapping");
    let Picture::Flips(times) = bits else { panic!("dram-mapping") };
    let all = number(&known, "columns") + number(&known, "banks") + number(&known, "rows");
    assert_eq!(times.bits.len() as f64, all);
    let (known, bars) = picture("place-four");
    let Picture::Terms(bars) = bars else { panic!("place-four") };
    assert!(bars.len() > 3 && bars[0].present && bars[1..].iter().all(|bar| !bar.present && bar.label.contains(": ")));
    assert!(number(&known, "legal") > bars.len() as f64);
    let (known, lines) = picture("queue");
    let Picture::Waits(lines) = lines else { panic!("queue") };
    let load = number(&known, "load");
    let shown = lines[1].points.iter().find(|(percent, _)| *percent == load).expect("the load").1;
    assert!((shown / number(&known, "kingman") - 1.0).abs() < 1e-9, "{shown}");
}
