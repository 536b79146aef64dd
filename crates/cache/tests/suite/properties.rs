//! Properties of every trace: no request is lost, the models agree where they must, and a seed fixes the result.

use crate::gtx470::gtx470;
use base::{Job, Step};
use cache::{CacheOutcome, ClassCounts, PaperModel, Params, RequestClass};
use exec::{coalesce, resident_blocks, StoreUse};
use gpu::{SetIndex, Stores};
use proptest::prelude::*;
use std::sync::Arc;
use trace::{Dim3, Kind, Launch, Site, Space, Trace, TraceBuilder};

/// A random trace: blocks of up to three warps, loads and stores of three widths, addresses within a few kilobytes.
fn traces() -> impl Strategy<Value = Trace> {
    let access = (any::<u32>(), 0u64..1 << 14, -300i32..300, 0usize..3, any::<bool>());
    let warp = proptest::collection::vec(access, 0..12);
    let block = proptest::collection::vec(warp, 1..4);
    proptest::collection::vec(block, 1..12).prop_map(|blocks| {
        let launch = Launch {
            grid: Dim3::new(blocks.len() as u32, 1, 1),
            block: Dim3::new(96, 1, 1),
            shared_bytes: 0,
            registers: 0,
        };
        let mut builder = TraceBuilder::new("random", launch);
        for (index, block) in blocks.iter().enumerate() {
            builder.begin_block(Dim3::new(index as u32, 0, 0));
            for (index, warp) in block.iter().enumerate() {
                builder.begin_warp(index as u32);
                for &(mask, base, stride, width, store) in warp {
                    let kind = if store { Kind::Store } else { Kind::Load };
                    let bytes = [4, 8, 16][width];
                    let site = Site { pc: 0, opcode: "".into(), source_line: None, space: Space::Global, kind, bytes };
                    let site = builder.intern_site(site);
                    builder.add_affine_access(site, mask, (1 << 20) + base, stride);
                }
            }
        }
        builder.finish()
    })
}

fn params(
    ways: u32,
    sets: u32,
    mshrs: u64,
    latency: u64,
    cores: u32,
    stores: Stores,
    switches: (bool, bool),
) -> Params {
    Params {
        ways,
        sets,
        set_index: SetIndex::XorFields,
        mshrs,
        latency,
        cores,
        core_limit: cores,
        stores,
        blocking: switches.0,
        warp_loads: u64::MAX,
        clip: switches.1,
        ..gtx470("16", 3)
    }
}

fn any_params() -> impl Strategy<Value = Params> {
    let stores = prop_oneof![
        Just(Stores::None),
        Just(Stores::WriteEvict),
        Just(Stores::WriteThroughNoAllocate),
        Just(Stores::WriteAllocate)
    ];
    let mshrs = prop_oneof![1u64..6, Just(u64::MAX)];
    (1u32..5, 1u32..9, mshrs, 0u64..40, 1u32..4, stores, any::<(bool, bool)>())
        .prop_map(|(w, s, m, l, c, stores, switches)| params(w, s, m, l, c, stores, switches))
}

fn run(trace: &Trace, params: &Params) -> CacheOutcome {
    let stores = if params.stores == Stores::None { StoreUse::Ignore } else { StoreUse::Include };
    let requests = Arc::new(coalesce(trace, params.line_bytes, stores).expect("few requests"));
    PaperModel::new(requests, params.clone(), resident_blocks(&trace.launch, &params.limits), true).finish()
}

fn sum(parts: &[ClassCounts]) -> ClassCounts {
    parts.iter().fold(ClassCounts::default(), |mut sum, part| {
        sum.merge(part);
        sum
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn nothing_is_lost(trace in traces(), params in any_params()) {
        let outcome = run(&trace, &params);
        let stores = if params.stores == Stores::None { StoreUse::Ignore } else { StoreUse::Include };
        let all = coalesce(&trace, params.line_bytes, stores).expect("few requests").requests.len() as u64;
        prop_assert_eq!(outcome.total.requests() + outcome.stores, all);
        prop_assert_eq!(outcome.histogram.total(), outcome.total.requests());
        for parts in [&outcome.sites, &outcome.sets, &outcome.warps, &outcome.cores] {
            prop_assert_eq!(sum(parts), outcome.total);
        }
        let mut arrays = sum(&outcome.arrays);
        arrays.merge(&outcome.no_array);
        prop_assert_eq!(arrays, outcome.total);
        let over_time: u64 = outcome.timeline.buckets.iter().map(|bucket| bucket.requests).sum();
        prop_assert_eq!(over_time, outcome.total.requests());
    }

    #[test]
    fn a_run_in_small_steps_equals_a_run_in_one(trace in traces(), params in any_params(), budget in 1u64..7) {
        let stores = if params.stores == Stores::None { StoreUse::Ignore } else { StoreUse::Include };
        let requests = Arc::new(coalesce(&trace, params.line_bytes, stores).expect("few requests"));
        let mut job = PaperModel::new(requests, params.clone(), resident_blocks(&trace.launch, &params.limits), true);
        let mut last = 0;
        let outcome = loop {
            match job.step(budget) {
                Step::Done(outcome) => break outcome,
                Step::More(progress) => {
                    prop_assert!(progress.done >= last && progress.done <= progress.total);
                    last = progress.done;
                }
            }
        };
        prop_assert_eq!(outcome, run(&trace, &params));
    }

    #[test]
    fn one_fully_associative_set_has_no_associativity_misses(trace in traces(), lines in 1u32..40) {
        let params = params(lines, 1, 64, 20, 1, Stores::None, (true, true));
        prop_assert_eq!(run(&trace, &params).total.of_class(RequestClass::Associativity), 0);
    }

    #[test]
    fn a_cache_that_holds_everything_misses_each_line_once(trace in traces()) {
        let params = params(1 << 16, 1, u64::MAX, 20, 1, Stores::None, (true, true));
        let outcome = run(&trace, &params);
        let requests = coalesce(&trace, params.line_bytes, StoreUse::Ignore).expect("few requests");
        prop_assert_eq!(outcome.total.misses(), requests.lines.len() as u64);
        prop_assert_eq!(outcome.total.of_class(RequestClass::Compulsory), requests.lines.len() as u64);
    }

    #[test]
    fn without_latency_there_are_no_latency_misses(trace in traces()) {
        let params = params(2, 4, 64, 0, 2, Stores::None, (true, true));
        let outcome = run(&trace, &Params { sigma: 0.0, ..params });
        prop_assert_eq!(outcome.total.of_class(RequestClass::Latency), 0);
    }
}
