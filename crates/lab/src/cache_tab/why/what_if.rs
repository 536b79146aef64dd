//! What could have made an access hit: changes of one parameter, each of which is run.
//!
//! The lines of the warps' accesses stay the same, so the access is the same one in every run. The order of the accesses
//! may change with the parameter. That is why a change is run, and not only derived from the stack.

use crate::cache_tab::why::report::WhyChange;
use crate::cache_tab::why::watch::SeenStep;
use cache::{Params, RequestClass};
use gpu::{SetIndex, Stores};

/// A changed run.
pub(super) struct Changed {
    pub change: WhyChange,
    pub value: String,
    pub params: Params,
    pub resident: u64,
}

/// The changes that could help a request, the most direct one first.
pub(super) fn changes(seen: &SeenStep, params: &Params, resident: u64) -> Vec<Changed> {
    let Some(answer) = seen.answer else { return Vec::new() };
    let mut all = Vec::new();
    let mut add = |change: WhyChange, value: String, params: Params| {
        all.push(Changed { change, value, params, resident });
    };
    match answer.class {
        RequestClass::Hit | RequestClass::Compulsory => return all,
        RequestClass::Latency => {
            add(WhyChange::NoLatency, "0".into(), Params { latency: 0, sigma: 0.0, ..params.clone() });
        }
        RequestClass::Capacity | RequestClass::Associativity => match answer.distance {
            Some(distance) => {
                let ways = distance.saturating_add(1);
                add(WhyChange::Ways, ways.to_string(), Params { ways, ..params.clone() });
            }
            None => {
                let stores = Stores::WriteThroughNoAllocate;
                add(WhyChange::Stores, "write_through_no_allocate".into(), Params { stores, ..params.clone() });
            }
        },
    }
    if answer.class == RequestClass::Associativity {
        let ways = u32::try_from(params.lines()).unwrap_or(u32::MAX);
        let whole = Params { sets: 1, ways, set_index: SetIndex::Modulo, ..params.clone() };
        add(WhyChange::OneSet, "1".into(), whole);
        for (name, set_index) in [("modulo", SetIndex::Modulo), ("xor", SetIndex::XorFields)] {
            if set_index != params.set_index {
                add(WhyChange::SetIndex, name.into(), Params { set_index, ..params.clone() });
            }
        }
    }
    if params.mshrs != u64::MAX {
        add(WhyChange::Mshrs, "unlimited".into(), Params { mshrs: u64::MAX, ..params.clone() });
    }
    if resident > 1 {
        all.push(Changed { change: WhyChange::OneBlock, value: "1".into(), params: params.clone(), resident: 1 });
    }
    all
}
