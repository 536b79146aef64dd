//! What could have brought the data of an access from a nearer level: changes of the machine, each of which is run.

use crate::cache_tab::why::gpu_watch::{can_hit, class_of, GpuSeen};
use crate::cache_tab::why::report::WhyChange;
use crate::scenario::LaunchState;
use cache::RequestClass;
use exec::CoreLimits;
use gpu::Stores;
use machine::{CacheShape, LineIndex, MachineSpec, State};
use trace::Trace;

/// A changed run.
pub(super) struct GpuChanged {
    pub change: WhyChange,
    pub value: String,
    pub spec: MachineSpec,
    pub state: State,
}

/// The line that the changes are about, and the changes that could help, the most direct one first. `alone`: no kernel before
/// fills the L2.
pub(super) fn changes(
    seen: &GpuSeen,
    trace: &Trace,
    spec: &MachineSpec,
    state: LaunchState,
    alone: bool,
) -> (u64, Vec<GpuChanged>) {
    let Some(line) = seen.access.lines.get(seen.focus) else { return (0, Vec::new()) };
    let mut all = Vec::new();
    let mut add = |change, value: String, spec: MachineSpec| {
        all.push(GpuChanged { change, value, spec, state: state.into() });
    };
    let of = spec.l1;
    let explained = can_hit(trace, &seen.access) && !seen.access.texture;
    if explained && line.fetched != 0 && !line.in_l1 && !spec.loads_in_l1 {
        add(WhyChange::ThroughL1, "1".into(), MachineSpec { loads_in_l1: true, ..spec.clone() });
    }
    let class = class_of(line).filter(|_| explained);
    // Sectors that the L1 never had of a line that it was asked for before.
    let other_sectors = matches!(class, Some((RequestClass::Compulsory, _))) && seen.before.is_some();
    if (line.line_there && class.is_some() || other_sectors) && !spec.whole_lines {
        add(WhyChange::WholeLines, "1".into(), MachineSpec { whole_lines: true, ..spec.clone() });
    }
    match class {
        Some((_, true)) => {
            let stores = Stores::WriteThroughNoAllocate;
            add(WhyChange::Stores, "write_through_no_allocate".into(), MachineSpec { stores, ..spec.clone() });
        }
        Some((class @ (RequestClass::Capacity | RequestClass::Associativity), _)) => {
            let needed = seen.before.map_or(2 * of.ways, |(_, of_set, _)| of_set.saturating_add(1).max(of.ways + 1));
            let ways = needed.min(CacheShape::WAYS_MAX);
            add(WhyChange::Ways, ways.to_string(), MachineSpec { l1: CacheShape { ways, ..of }, ..spec.clone() });
            if class == RequestClass::Associativity && of.sets > 1 {
                let ways = of.ways.saturating_mul(of.sets).min(CacheShape::WAYS_MAX);
                let l1 = CacheShape { sets: 1, ways, index: LineIndex::Modulo, ..of };
                add(WhyChange::OneSet, "1".into(), MachineSpec { l1, ..spec.clone() });
            }
            let limits = CoreLimits { blocks: 1, ..spec.limits };
            if spec.limits.blocks > 1 {
                add(WhyChange::OneBlock, "1".into(), MachineSpec { limits, ..spec.clone() });
            }
        }
        _ => {}
    }
    if line.dram_again != 0 {
        let ways = spec.l2.ways.saturating_mul(2).min(CacheShape::WAYS_MAX);
        let value = (u64::from(ways) * u64::from(spec.l2.sets) * u64::from(spec.slices)) << spec.line_shift;
        let l2 = CacheShape { ways, ..spec.l2 };
        add(WhyChange::L2Bytes, value.to_string(), MachineSpec { l2, ..spec.clone() });
    } else if line.dram != 0 && state == LaunchState::Cold && alone {
        let change = WhyChange::Copies;
        all.push(GpuChanged { change, value: "copies".into(), spec: spec.clone(), state: State::Copies });
    }
    (line.line, all)
}
