//! Counts of parts of a kernel: they add up to the whole, and each row of the whole report is the total of its part.

use base::Job;
use lab::{AccessCounts, CacheModel, CacheRun, Contents, CountFilter, KernelReport, Scenario};

fn kernel(model: CacheModel, example: &str, part: Option<CountFilter>) -> KernelReport {
    let contents = Contents::of_example(example).expect("a built-in example");
    let scenario = Scenario { model, gpu: "gtx470-16k".into(), ..Scenario::default() };
    let run = CacheRun::new(&scenario, &contents).map_err(|e| format!("{e:?}")).expect("a scenario that runs");
    let run = match part {
        Some(part) => run.counting(part),
        None => run,
    };
    run.finish().map_err(|e| format!("{e:?}")).expect("a report").kernels.remove(0)
}

fn requests<'c>(rows: impl Iterator<Item = &'c AccessCounts>) -> (u64, u64) {
    rows.fold((0, 0), |sum, row| (sum.0 + row.requests, sum.1 + row.hits))
}

/// Checks that every breakdown of a part's report adds up to `requests` and `hits`, and that the run was the same.
fn check(whole: &KernelReport, part: &KernelReport, (all, hits): (u64, u64), what: &CountFilter) {
    assert_eq!((part.requests, part.ticks, part.cancels), (all, whole.ticks, whole.cancels), "{what:?}");
    let rows = [
        requests(part.arrays.iter().map(|row| &row.counts)),
        requests(part.instructions.iter().map(|row| &row.counts)),
        requests(part.sets.iter().map(|row| &row.counts)),
        requests(part.cores.iter().map(|row| &row.counts)),
    ];
    assert_eq!(rows, [(all, hits); 4], "{what:?}");
    assert_eq!(part.timeline.iter().map(|row| row.requests).sum::<u64>(), all, "{what:?}");
    let distances = part.histogram.counts().values().sum::<u64>() + part.histogram.infinite();
    assert_eq!(distances, all, "{what:?}");
}

#[test]
fn each_row_of_a_report_is_the_total_of_its_part() {
    for model in [CacheModel::Paper, CacheModel::Reference] {
        let whole = kernel(model, "stencil", None);
        for row in &whole.arrays {
            let part = CountFilter::Array(row.array.base.clone());
            let counted = kernel(model, "stencil", Some(part.clone()));
            check(&whole, &counted, (row.counts.requests, row.counts.hits), &part);
            assert_eq!(counted.arrays.len(), 1);
        }
        let mut lines: Vec<u32> = whole.instructions.iter().filter_map(|row| row.instruction.line).collect();
        lines.sort_unstable();
        lines.dedup();
        assert!(!lines.is_empty());
        for line in lines {
            let rows = whole.instructions.iter().filter(|row| row.instruction.line == Some(line));
            let part = CountFilter::Line(line);
            let counted = kernel(model, "stencil", Some(part.clone()));
            check(&whole, &counted, requests(rows.map(|row| &row.counts)), &part);
        }
        let row = &whole.sets[5];
        let part = CountFilter::Set(5);
        check(&whole, &kernel(model, "stencil", Some(part.clone())), (row.counts.requests, row.counts.hits), &part);
        let near: u64 = whole.histogram.counts().range(0..4).map(|(_, n)| n).sum();
        let counted = kernel(model, "stencil", Some(CountFilter::Distances(0, Some(3))));
        assert_eq!((counted.requests, counted.histogram.infinite()), (near, 0));
        let first = kernel(model, "stencil", Some(CountFilter::Distances(0, None)));
        assert_eq!((first.requests, first.histogram.counts().len()), (whole.histogram.infinite(), 0));
    }
}

#[test]
fn a_part_that_is_not_there_counts_nothing() {
    for part in [
        CountFilter::Line(9999),
        CountFilter::Set(9999),
        CountFilter::Pc("0x1".into()),
        CountFilter::Array("0x1".into()),
    ] {
        let counted = kernel(CacheModel::Paper, "stencil", Some(part));
        assert_eq!((counted.requests, counted.miss_rate), (0, 0.0));
    }
}
