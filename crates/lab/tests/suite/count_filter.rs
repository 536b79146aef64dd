//! Counts of parts of a kernel: they add up to the whole, and each row of the whole report is the total of its part.

use base::Job;
use lab::{
    AccessCounts, CacheModel, CacheRun, Contents, CountFilter, GpuKernelReport, GpuLevels, KernelReport, Report,
    Scenario, ScenarioRun,
};
use std::collections::BTreeSet;

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
        for row in &whole.cores {
            let part = CountFilter::Core(row.core);
            check(&whole, &kernel(model, "stencil", Some(part.clone())), (row.counts.requests, row.counts.hits), &part);
        }
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
        CountFilter::Core(9999),
        CountFilter::Pc("0x1".into()),
        CountFilter::Array("0x1".into()),
    ] {
        let counted = kernel(CacheModel::Paper, "stencil", Some(part));
        assert_eq!((counted.requests, counted.miss_rate), (0, 0.0));
    }
}

fn gpu_kernel(gpu: &str, example: &str, part: Option<CountFilter>) -> GpuKernelReport {
    let contents = Contents::of_example(example).expect("a built-in example");
    let scenario = Scenario { model: CacheModel::Gpu, gpu: gpu.into(), classes: true, ..Scenario::default() };
    let run = match part {
        Some(part) => ScenarioRun::counting(&scenario, &contents, part),
        None => ScenarioRun::new(&scenario, &contents),
    };
    match run.expect("a scenario that runs").finish().expect("a report") {
        Report::Gpu(mut report) => report.kernels.remove(0),
        Report::Cache(report) => panic!("a report of {}", report.model),
    }
}

/// The numbers of a row of the model `gpu`.
fn levels(counts: &GpuLevels) -> [u64; 9] {
    let &GpuLevels { requests, l1_sectors, l1_hits, l2_reads, l2_read_hits, l2_writes, l2_atomics, dram_reads, .. } =
        counts;
    [requests, l1_sectors, l1_hits, l2_reads, l2_read_hits, l2_writes, l2_atomics, dram_reads, counts.wavefronts]
}

fn add(rows: Vec<[u64; 9]>) -> [u64; 9] {
    rows.into_iter().fold([0; 9], |sum, row| std::array::from_fn(|i| sum[i] + row[i]))
}

#[test]
fn in_the_whole_gpu_each_row_is_the_total_of_its_part_at_every_level() {
    for gpu in ["rtx3060", "gtx470-16k"] {
        let whole = gpu_kernel(gpu, "matmul-tiled", None);
        let check = |part: CountFilter, row: [u64; 9]| {
            let counted = gpu_kernel(gpu, "matmul-tiled", Some(part.clone()));
            let (n, rows) = (&counted.gpu, &counted.rows);
            assert_eq!(add(rows.instructions.iter().map(|row| levels(&row.counts)).collect()), row, "{gpu}, {part:?}");
            assert_eq!(
                [n.l1.sectors, n.l1.hits, n.l2.reads, n.l2.read_hits, n.l2.writes],
                row[1..6],
                "{gpu}, {part:?}"
            );
            assert_eq!(
                [n.dram.reads, n.shared.load_wavefronts + n.shared.store_wavefronts],
                row[7..9],
                "{gpu}, {part:?}"
            );
            assert_eq!(rows.cores.iter().map(|core| core.l1_sectors).sum::<u64>(), row[1], "{gpu}, {part:?}");
            assert_eq!(rows.timeline.iter().map(|row| row.dram_reads).sum::<u64>(), row[7], "{gpu}, {part:?}");
            let misses = n.l1.classes.as_ref().map(|c| c.compulsory + c.capacity + c.conflict + c.dropped);
            assert_eq!(misses, Some(row[1] - row[2]), "{gpu}, {part:?}");
            let (stalls, all) = (&n.stalls, &whole.gpu.stalls);
            assert_eq!((n.cycles, stalls.arithmetic, stalls.barrier), (whole.gpu.cycles, all.arithmetic, all.barrier));
            assert!(
                stalls.load <= all.load && stalls.pipe <= all.pipe && stalls.shared <= all.shared,
                "{gpu}, {part:?}"
            );
            (n.stalls.load, n.stalls.pipe, n.stalls.shared)
        };
        for row in &whole.rows.arrays {
            check(CountFilter::Array(row.array.base.clone()), levels(&row.counts));
        }
        let rows = || whole.rows.instructions.iter();
        let lines: BTreeSet<u32> = rows().filter_map(|row| row.instruction.line).collect();
        assert!(lines.len() > 2, "{gpu}");
        let mut waits = (0, 0, 0);
        for line in lines {
            let of_line = rows().filter(|row| row.instruction.line == Some(line)).map(|row| levels(&row.counts));
            let own = check(CountFilter::Line(line), add(of_line.collect()));
            waits = (waits.0 + own.0, waits.1 + own.1, waits.2 + own.2);
        }
        for core in &whole.rows.cores {
            let counted = gpu_kernel(gpu, "matmul-tiled", Some(CountFilter::Core(core.core)));
            let n = &counted.gpu.l1;
            assert_eq!((n.sectors, n.hits), (core.l1_sectors, core.l1_hits), "{gpu}, core {}", core.core);
            assert_eq!(counted.rows.cores.iter().filter(|row| row.l1_sectors > 0).count(), 1);
            let of_arrays = counted.rows.arrays.iter().map(|row| row.counts.l1_sectors).sum::<u64>();
            assert_eq!(of_arrays, core.l1_sectors, "{gpu}, core {}", core.core);
        }
        let all = &whole.gpu.stalls;
        assert_eq!(waits, (all.load, all.pipe, all.shared), "{gpu}: each wait for an access belongs to its line");
    }
}

#[test]
fn the_whole_gpu_has_no_sets_and_no_distances() {
    let contents = Contents::of_example("stencil").expect("a built-in example");
    let scenario = Scenario { model: CacheModel::Gpu, gpu: "rtx3060".into(), ..Scenario::default() };
    for part in [CountFilter::Set(1), CountFilter::Distances(0, None), CountFilter::Array("A".into())] {
        let told = ScenarioRun::counting(&scenario, &contents, part).err().expect("an error");
        assert!(told[0].to_string().contains("choose an array") || told[0].to_string().contains("0x7f00"), "{told:?}");
    }
}
