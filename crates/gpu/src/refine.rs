//! What a preset adds to a measured GPU of the same device name.
//!
//! In: the values that a file states, and the preset. Out: the file's values, and those of the preset where the file has
//! none, each with its own source. Not taken over: the number of a thesis table, because its measurements would replace
//! those of the file.

use crate::geometry::divides;
use crate::{Cache, Fact, Topology};

/// The file's fields of a cache, and the preset's where it has none. [`shape`] adds ways and set index.
pub(super) fn fields(own: Cache, known: &Cache) -> Cache {
    let bytes = own.bytes.or_else(|| known.bytes.clone());
    // How many there are belongs to the size of one: the preset counts parts where a file can give the whole.
    let same = value(&bytes) == value(&known.bytes);
    let line_bytes = own.line_bytes.or_else(|| known.line_bytes.clone());
    let fits = |fetch: &Fact<u64>| value(&line_bytes).is_some_and(|line| divides(fetch.value, line));
    Cache {
        fetch_bytes: own.fetch_bytes.or_else(|| known.fetch_bytes.clone().filter(fits)),
        mshrs: own.mshrs.or_else(|| known.mshrs.clone()),
        hit_cycles: own.hit_cycles.or_else(|| known.hit_cycles.clone()),
        stores: own.stores.or_else(|| known.stores.clone()),
        instances: own.instances.or_else(|| known.instances.clone().filter(|_| same)),
        shared_with: own.shared_with.or_else(|| known.shared_with.clone()),
        ways: own.ways,
        set_index: own.set_index,
        bytes,
        line_bytes,
    }
}

/// Gives a cache the preset's sets and set index where its lines are as long and divide into so many sets.
pub(super) fn shape(cache: &mut Cache, known: &Cache) {
    // A set index can be masks of address bits, which must lie above the line.
    if value(&cache.line_bytes) != value(&known.line_bytes) {
        return;
    }
    let lines = |cache: &Cache| value(&cache.bytes)?.checked_div(value(&cache.line_bytes)?);
    let (Some(own), Some(whole), Some(ways)) = (lines(cache), lines(known), &known.ways) else { return };
    let Some(sets) = whole.checked_div(ways.value).filter(|sets| divides(*sets, own)) else { return };
    let fewer = || Fact::assumed(own / sets, format!("{sets} sets, as in the preset of this GPU"));
    cache.ways = Some(if own == whole { ways.clone() } else { fewer() });
    cache.set_index.clone_from(&known.set_index);
}

/// The values of the GPU as a whole that the file lacks.
pub(super) fn whole(own: Topology, known: &Topology) -> Topology {
    Topology {
        shared_bytes_per_core: own.shared_bytes_per_core.or_else(|| known.shared_bytes_per_core.clone()),
        registers_per_core: own.registers_per_core.or_else(|| known.registers_per_core.clone()),
        clock_khz: own.clock_khz.or_else(|| known.clock_khz.clone()),
        shared_cycles: own.shared_cycles.or_else(|| known.shared_cycles.clone()),
        memory_cycles: own.memory_cycles.or_else(|| known.memory_cycles.clone()),
        memory_bytes: own.memory_bytes.or_else(|| known.memory_bytes.clone()),
        generation: own.generation.or_else(|| known.generation.clone()),
        board: own.board.or_else(|| known.board.clone()),
        ..own
    }
}

fn value(fact: &Option<Fact<u64>>) -> Option<u64> {
    fact.as_ref().map(|fact| fact.value)
}
