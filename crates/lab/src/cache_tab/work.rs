//! What a kernel asks for and moves, beside the least that its data would take, and the main reason why it is more. The
//! headline of the page and of the command line stands on it. A rate of misses cannot: a kernel that asks for each line many
//! times misses rarely.
//!
//! In: the counts of [`exec::WorkCounter`] and what a model moved. Out: [`Work`], plain data. It follows from the trace and
//! the other numbers of a report, so it is no part of the fingerprint.

use crate::cache_tab::gpu_classes::GpuMissClasses;
use crate::cache_tab::gpu_report::GpuNumbers;
use crate::cache_tab::places::ArrayPlace;
use crate::cache_tab::report::Misses;
use exec::{ArrayWork, Asked, AskedWords, StoreUse, WorkCounts, WorkSettings};
use serde::Serialize;
use trace::Array;

/// Bytes of a sector.
const SECTOR: u64 = 32;

/// What is counted for the model `gpu`.
pub(crate) const GPU_WORK: WorkSettings =
    WorkSettings { unit_bytes: SECTOR, groups: false, textures: true, stores: StoreUse::Ignore };

/// From this factor on, requests are far above the least.
const SCATTERED: f64 = 1.5;
/// From this factor on, data is asked for so often that keeping it pays. Twice is what a second pass over the data does.
const SHARED: f64 = 2.5;
/// From this factor on, the L1 loses data that is used again.
const LOST: f64 = 1.25;

/// The work of a launch.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Work {
    /// Bytes of a request: a line in the models of one L1, a sector in `gpu`.
    pub request_bytes: u64,
    /// Loads through the L1.
    pub loads: WorkAsked,
    /// Stores to global and local memory.
    pub stores: WorkAsked,
    /// Atomics on global memory, which run at the L2.
    pub atomics: WorkAsked,
    /// Bytes that the L1s, or the cores where loads pass by the L1, fetch from the level below.
    pub l1_bytes: u64,
    /// Bytes that the L2 reads from DRAM, in the model `gpu`.
    pub l2_bytes: Option<u64>,
    /// The least of both: each line or sector that the launch's loads touch, once.
    pub least_bytes: u64,
    /// Each line or sector that a block's loads touch, once per block.
    pub block_bytes: u64,
    /// How often the loads ask for each word of their data. The lanes of a warp instruction count once.
    pub uses: f64,
    /// What makes it more than the least.
    pub advice: WorkAdvice,
}

/// What the warp instructions of one kind ask for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct WorkAsked {
    /// Warp instructions.
    pub instructions: u64,
    /// Their requests.
    pub requests: u64,
    /// The requests that would do if the bytes of an instruction's lanes lay side by side.
    pub least: u64,
}

/// The main reason why a kernel asks for more, or moves more, than its data would take.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct WorkAdvice {
    /// The reason.
    pub cause: WorkCause,
    /// How many times the least. It is 1 where there is nothing to win.
    pub factor: f64,
    /// The instructions that it is about.
    #[cfg_attr(feature = "types", ts(type = "'loads' | 'stores' | 'atomics'"))]
    pub of: &'static str,
    /// The array with most of it, where that is known.
    pub array: Option<ArrayPlace>,
}

/// Why a kernel asks for or moves more than the least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum WorkCause {
    /// No instruction asks for global memory.
    Idle,
    /// The lanes of a warp ask for far more lines or sectors than their bytes fill.
    Coalescing,
    /// The threads of a block ask for the same data again and again.
    SharingInBlock,
    /// Several blocks ask for the same data.
    SharingAcrossBlocks,
    /// The L1 loses lines that are used again, because too many share a set, or because it replaces them at random.
    Sets,
    /// The L1 loses lines that are used again, because they do not fit.
    Capacity,
    /// The L1 loses data that is used again. The run did not ask why.
    Lost,
    /// There is nothing of this kind to win.
    Least,
}

/// What the L1s fetched more than once.
#[derive(Clone, Copy, Debug)]
struct Refetched {
    /// Fetches over first fetches.
    factor: f64,
    cause: WorkCause,
}

impl Refetched {
    fn new(fetched: u64, first: u64, capacity: u64, sets: u64) -> Self {
        let cause = if sets > capacity { WorkCause::Sets } else { WorkCause::Capacity };
        Self { factor: times(fetched, first), cause }
    }
}

impl Work {
    /// The work of a launch in a model of one L1. `arrays` are those of the trace, and `missed` are the requests that do not
    /// hit. Those of a line in flight fetch nothing.
    pub(crate) fn of_l1(counts: &WorkCounts, arrays: &[Array], line_bytes: u64, missed: u64, misses: &Misses) -> Self {
        let [compulsory, capacity, sets, latency] =
            [misses.compulsory, misses.capacity, misses.associativity, misses.latency].map(|n| n.max(0) as u64);
        let fetched = missed.saturating_sub(latency);
        let refetched = Refetched::new(fetched, compulsory, capacity, sets);
        Self::new(counts, arrays, line_bytes, (fetched * line_bytes, None), Some(refetched))
    }

    /// The work of a launch in the model `gpu`. `in_l1` says whether loads look in the L1.
    pub(crate) fn of_gpu(counts: &WorkCounts, arrays: &[Array], numbers: &GpuNumbers, in_l1: bool) -> Self {
        let refetched = match &numbers.l1.classes {
            Some(GpuMissClasses { compulsory, capacity, conflict, .. }) => {
                Refetched::new(compulsory + capacity + conflict, *compulsory, *capacity, *conflict)
            }
            None => Refetched { factor: times(numbers.l2.reads, counts.block_units), cause: WorkCause::Lost },
        };
        let moved = (SECTOR * numbers.l2.reads, Some(SECTOR * numbers.dram.reads));
        Self::new(counts, arrays, SECTOR, moved, in_l1.then_some(refetched))
    }

    fn new(
        counts: &WorkCounts,
        arrays: &[Array],
        request_bytes: u64,
        (l1_bytes, l2_bytes): (u64, Option<u64>),
        refetched: Option<Refetched>,
    ) -> Self {
        Self {
            request_bytes,
            loads: (&counts.loads).into(),
            stores: (&counts.stores).into(),
            atomics: (&counts.atomics).into(),
            l1_bytes,
            l2_bytes,
            least_bytes: counts.units * request_bytes,
            block_bytes: counts.block_units * request_bytes,
            uses: times(counts.words.asked, counts.words.distinct),
            advice: WorkAdvice::of(counts, arrays, refetched),
        }
    }
}

impl From<&Asked> for WorkAsked {
    fn from(asked: &Asked) -> Self {
        let &Asked { instructions, requests, least } = asked;
        Self { instructions, requests, least }
    }
}

impl WorkAdvice {
    /// The larger of two factors tells scattered lanes from shared data. Scattered lanes also make an L1 lose lines, and lanes
    /// side by side mend that, so lost lines are the reason only where lanes are not scattered.
    fn of(counts: &WorkCounts, arrays: &[Array], refetched: Option<Refetched>) -> Self {
        let (loads, stores) = (&counts.loads, &counts.stores);
        if loads.instructions + stores.instructions + counts.atomics.instructions == 0 {
            return Self { cause: WorkCause::Idle, factor: 1.0, of: "loads", array: None };
        }
        let array = |excess: &dyn Fn(&ArrayWork) -> u64| {
            let known = counts.arrays.iter().zip(arrays).map(|(work, array)| (excess(work), array));
            let most = known.fold(None, |best: Option<(u64, &Array)>, next| match best {
                Some(best) if best.0 >= next.0 => Some(best),
                _ => Some(next),
            });
            most.filter(|(excess, _)| *excess > 0).map(|(_, array)| ArrayPlace::of_array(array))
        };
        let scattered = times(loads.requests + stores.requests, loads.least + stores.least);
        let on_atomics = counts.atomics.requests > loads.requests + stores.requests;
        let words = if on_atomics { &counts.atomic_words } else { &counts.words };
        let shared = times(words.asked, words.distinct);
        let lost = refetched.filter(|lost| lost.factor >= LOST);
        if scattered >= SCATTERED && (scattered >= shared || shared < SHARED) {
            let of = if stores.requests - stores.least > loads.requests - loads.least { "stores" } else { "loads" };
            let array = array(&|work| work.asked.requests - work.asked.least);
            return Self { cause: WorkCause::Coalescing, factor: scattered, of, array };
        }
        if shared >= SHARED && lost.is_none_or(|lost| shared >= lost.factor) {
            let of = if on_atomics { "atomics" } else { "loads" };
            let again = |words: &AskedWords| words.asked - words.distinct;
            let array = array(&|work| again(if on_atomics { &work.atomic_words } else { &work.words }));
            return Self { cause: sharing(words), factor: shared, of, array };
        }
        let (cause, factor) = lost.map_or((WorkCause::Least, 1.0), |lost| (lost.cause, lost.factor));
        Self { cause, factor, of: "loads", array: None }
    }
}

/// Says who shares. Shared memory serves the threads of a block, so that comes first where it saves half of the requests.
fn sharing(words: &AskedWords) -> WorkCause {
    if times(words.asked, words.by_blocks) >= 2.0 {
        WorkCause::SharingInBlock
    } else {
        WorkCause::SharingAcrossBlocks
    }
}

/// How many times the least. Nothing is once nothing.
fn times(all: u64, least: u64) -> f64 {
    if least == 0 {
        1.0
    } else {
        all as f64 / least as f64
    }
}
