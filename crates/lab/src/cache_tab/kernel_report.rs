//! Composes the report of a kernel from the outcomes of its four runs.

use crate::cache_tab::places::{ArrayPlace, InstructionPlace};
use crate::cache_tab::report::{
    AccessCounts, ArrayRow, CaseReport, CoreRow, InstructionRow, KernelReport, Misses, SetRow, TimeRow, Verdict,
    WarpRow,
};
use crate::cache_tab::work::Work;
use crate::scenario::CacheModel;
use cache::{differential, CacheOutcome, ClassCounts, Differential, Params, RequestClass};
use exec::WorkCounts;
use trace::Trace;

/// The greatest number of warps in a report. It lists those with most misses.
const WARPS_LISTED: usize = 50;

/// Makes the report of one kernel from its four runs, which are in the order of [`Params::cases`]. `work` has the counts of
/// the blocks that were modelled.
pub(crate) fn kernel_report(
    model: CacheModel,
    number: u32,
    trace: &Trace,
    outcomes: [CacheOutcome; 4],
    params: &Params,
    work: Option<&WorkCounts>,
) -> KernelReport {
    let ways = params.cases().map(|case| u64::from(case.ways));
    let histograms = [0, 1, 2, 3].map(|i| &outcomes[i].histogram);
    let first_miss = |ways| if model == CacheModel::Paper { ways } else { ways + 1 };
    let parts = differential(histograms, ways, first_miss);
    let main = &outcomes[0];
    let requests = main.total.requests();
    let (hits, misses, by_differences) = match model {
        CacheModel::Paper | CacheModel::Gpu => {
            let unlimited = outcomes[3].total.misses() as i64;
            let misses = Misses { mshr: main.total.misses() as i64 - unlimited, ..classes(&main.total) };
            (main.total.of_class(RequestClass::Hit), misses, Some(signed(&parts)))
        }
        CacheModel::Reference => (requests.saturating_sub(parts.misses as u64), program_report(&parts), None),
    };
    let rate = |misses: u64| if requests == 0 { 0.0 } else { misses as f64 / requests as f64 };
    let with_latency = rate(requests - hits);
    let (grid, block) = (trace.launch.grid, trace.launch.block);
    KernelReport {
        number,
        name: trace.name.clone(),
        grid: [grid.x, grid.y, grid.z],
        block: [block.x, block.y, block.z],
        requests,
        hits,
        // The program's report has only one rate, which includes latency misses.
        miss_rate: if model == CacheModel::Paper { rate(main.total.misses()) } else { with_latency },
        miss_rate_with_latency: with_latency,
        misses,
        differential: by_differences,
        histogram: main.histogram.clone(),
        ticks: main.ticks,
        cancels: main.cancels,
        cases: if model == CacheModel::Reference { outcomes.iter().map(case).collect() } else { Vec::new() },
        arrays: arrays(trace, main),
        instructions: instructions(trace, main),
        sets: rows(&main.sets).map(|(set, counts)| SetRow { set, counts }).collect(),
        warps: worst_warps(trace, main),
        cores: rows(&main.cores)
            .zip(&main.core_ticks)
            .map(|((core, counts), &ticks)| CoreRow { core, ticks, counts })
            .collect(),
        timeline: timeline(main),
        verdict: verdict(model, trace, main, &misses, requests - hits),
        work: work.map(|counts| Work::of_l1(counts, &trace.arrays, params.line_bytes, requests - hits, &misses)),
    }
}

fn classes(counts: &ClassCounts) -> Misses {
    let of = |class| counts.of_class(class) as i64;
    Misses {
        compulsory: of(RequestClass::Compulsory),
        capacity: of(RequestClass::Capacity),
        associativity: of(RequestClass::Associativity),
        latency: of(RequestClass::Latency),
        mshr: 0,
    }
}

fn signed(d: &Differential) -> Misses {
    let Differential { compulsory, capacity, associativity, latency, mshr, .. } = *d;
    Misses { compulsory, capacity, associativity, latency, mshr }
}

/// Computes the classes as the authors' program prints them. The program has an error of sign: where the parts exceed
/// the whole, it *adds* the excess to one of them.
fn program_report(d: &Differential) -> Misses {
    let Differential { compulsory, mut associativity, mut latency, mut mshr, misses, .. } = *d;
    let rest = misses - compulsory - latency.max(0) - associativity.max(0) - mshr.max(0);
    if rest < 0 {
        let part = if mshr > -rest {
            &mut mshr
        } else if latency > -rest {
            &mut latency
        } else {
            &mut associativity
        };
        *part -= rest;
    }
    Misses {
        compulsory,
        capacity: rest.max(0),
        associativity: associativity.max(0),
        latency: latency.max(0),
        mshr: mshr.max(0),
    }
}

fn case(outcome: &CacheOutcome) -> CaseReport {
    CaseReport { histogram: outcome.histogram.clone(), ticks: outcome.ticks, cancels: outcome.cancels }
}

fn rows(counts: &[ClassCounts]) -> impl Iterator<Item = (u32, AccessCounts)> + '_ {
    counts.iter().enumerate().map(|(i, counts)| (i as u32, AccessCounts::from(counts)))
}

fn arrays(trace: &Trace, outcome: &CacheOutcome) -> Vec<ArrayRow> {
    let named = trace
        .arrays
        .iter()
        .zip(&outcome.arrays)
        .map(|(array, counts)| ArrayRow { array: ArrayPlace::of_array(array), counts: counts.into() });
    let other = ArrayRow { array: ArrayPlace::elsewhere(trace), counts: (&outcome.no_array).into() };
    named.chain([other]).filter(|row| row.counts.requests > 0).collect()
}

fn instructions(trace: &Trace, outcome: &CacheOutcome) -> Vec<InstructionRow> {
    let mut rows: Vec<InstructionRow> = trace
        .sites
        .iter()
        .zip(&outcome.sites)
        .map(|(site, counts)| InstructionRow { instruction: InstructionPlace::of_site(site), counts: counts.into() })
        .filter(|row| row.counts.requests > 0)
        .collect();
    base::sort_by_key(&mut rows, |row| std::cmp::Reverse(row.counts.requests - row.counts.hits));
    rows
}

fn worst_warps(trace: &Trace, outcome: &CacheOutcome) -> Vec<WarpRow> {
    let mut all: Vec<(usize, AccessCounts)> = outcome.warps.iter().map(AccessCounts::from).enumerate().collect();
    base::sort_by_key(&mut all, |(warp, row)| (std::cmp::Reverse(row.requests - row.hits), *warp));
    all.truncate(WARPS_LISTED);
    let place = |(warp, counts): (usize, AccessCounts)| {
        let block = trace.blocks.partition_point(|block| block.warps.end as usize <= warp);
        let block = trace.blocks.get(block)?;
        let warp = trace.warps.get(warp)?.index;
        Some(WarpRow { block: block.id.linear_in(trace.launch.grid), warp, counts })
    };
    all.into_iter().filter(|(_, row)| row.requests > 0).filter_map(place).collect()
}

fn timeline(outcome: &CacheOutcome) -> Vec<TimeRow> {
    let row = |(i, bucket): (usize, &cache::TimeBucket)| TimeRow {
        tick: i as u64 * outcome.timeline.width,
        requests: bucket.requests,
        misses: bucket.misses,
        mshrs: if bucket.issues == 0 { 0.0 } else { bucket.busy_mshrs as f64 / bucket.issues as f64 },
    };
    outcome.timeline.buckets.iter().enumerate().map(row).collect()
}

/// Finds the largest class and the array that has most of its misses. In `reference` the classes are not known per
/// array, so the array is the one with most misses of any kind.
fn verdict(model: CacheModel, trace: &Trace, outcome: &CacheOutcome, misses: &Misses, all: u64) -> Verdict {
    let candidates = [
        // Of equally many, the first is told. Those that can be avoided come first.
        ("associativity", misses.associativity, RequestClass::Associativity),
        ("capacity", misses.capacity, RequestClass::Capacity),
        ("compulsory", misses.compulsory, RequestClass::Compulsory),
        ("latency", misses.latency, RequestClass::Latency),
    ];
    let largest = candidates.into_iter().fold(None, |best: Option<(&str, i64, RequestClass)>, candidate| match best {
        Some(best) if best.1 >= candidate.1 => Some(best),
        _ => Some(candidate),
    });
    let Some((name, count, class)) = largest.filter(|(_, count, _)| *count > 0) else { return Verdict::default() };
    let of_array = |counts: &ClassCounts| match model {
        CacheModel::Paper | CacheModel::Gpu => counts.of_class(class),
        CacheModel::Reference => counts.requests() - counts.of_class(RequestClass::Hit),
    };
    let whole = if model == CacheModel::Paper { count as u64 } else { all };
    let best = trace.arrays.iter().zip(&outcome.arrays).map(|(array, counts)| (array, of_array(counts)));
    let best = best.fold(None, |best: Option<(&trace::Array, u64)>, next| match best {
        Some(best) if best.1 >= next.1 => Some(best),
        _ => Some(next),
    });
    let share = |part: u64, whole: u64| if whole == 0 { 0.0 } else { part as f64 / whole as f64 };
    Verdict {
        class: Some(name),
        class_share: share(count as u64, all),
        array: best.filter(|(_, count)| *count > 0).map(|(array, _)| array.name.clone()),
        array_share: best.map_or(0.0, |(_, count)| share(count, whole)),
    }
}
