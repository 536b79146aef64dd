//! Joins accesses to neighbouring elements into wide accesses, and splits wide loads of which some parts are unused.
//!
//! Only the record changes. An access of 16 bytes is one load that is recorded with 16 bytes and three silent loads.

use crate::optimise::address::{AccessLocation, Multiples, Sum, Sums};
use crate::optimise::fold::silent;
use crate::optimise::ssa::{Def, Ssa, Val};
use bytecode::code::{BlockId, Mem, MemorySpace, Op, SILENT};
use bytecode::sorted::SortedMap;
use rustc_hash::FxHashSet as HashSet;

/// A wide load: first the load that is recorded, then its silent parts.
type WideGroup = Vec<Val>;

/// The wide loads of a kernel, before dead code is removed.
pub(crate) fn groups(ssa: &Ssa) -> Vec<WideGroup> {
    let mut groups: Vec<WideGroup> = Vec::new();
    for body in &ssa.bodies {
        let mut open: Option<(WideGroup, u32)> = None;
        for &value in &body.code {
            let Some(ins) = ssa.ins(value) else { continue };
            let Op::Load(mem) = ins.op else { continue };
            if silent(ins) {
                if let Some((group, left)) = &mut open {
                    if *left >= mem.bytes() {
                        group.push(value);
                        *left -= mem.bytes();
                    }
                }
            } else {
                groups.extend(open.take().map(|(group, _)| group));
                if ins.record > mem.bytes() {
                    open = Some((vec![value], ins.record - mem.bytes()));
                }
            }
        }
        groups.extend(open.take().map(|(group, _)| group));
    }
    groups
}

/// Turns the remaining parts of wide loads into loads of their own if other parts were removed.
pub(crate) fn split(ssa: &mut Ssa, groups: &[WideGroup]) {
    let alive: HashSet<Val> = ssa.bodies.iter().flat_map(|b| b.code.iter().copied()).collect();
    for group in groups {
        if group.iter().all(|v| alive.contains(v)) {
            continue;
        }
        for value in group.iter().filter(|v| alive.contains(v)) {
            if let Def::Ins(ins) = &mut ssa.nodes[*value as usize].def {
                if let Op::Load(mem) = ins.op {
                    ins.record = mem.bytes();
                }
            }
        }
    }
}

/// Makes loads of constant memory at an address that does not vary silent, because they are operands of other
/// instructions.
pub(crate) fn fold_constant_bank(ssa: &mut Ssa) {
    let mut sums = Sums::new(ssa);
    for value in ssa.bodies.iter().flat_map(|b| b.code.clone()).collect::<Vec<_>>() {
        let Some(ins) = ssa.ins(value) else { continue };
        let Op::Load(mem) = ins.op else { continue };
        let place = AccessLocation::new(ssa, &mut sums, ins, mem.bytes());
        let fixed = place.sum.terms.keys().flatten().all(|&v| matches!(ssa.def(v), Def::Leaf(_)));
        if place.promise.space == MemorySpace::Constant && fixed {
            if let Def::Ins(ins) = &mut ssa.nodes[value as usize].def {
                ins.record = SILENT;
            }
        }
    }
}

/// Joins accesses of 4 bytes whose common address is aligned to 16 or 8 bytes.
pub(crate) fn join(ssa: &mut Ssa) {
    let multiples = Multiples::new(ssa);
    let mut sums = Sums::new(ssa);
    for block in 0..ssa.bodies.len() as BlockId {
        join_block(ssa, &multiples, &mut sums, block);
    }
}

/// Accesses that may still be joined, by base: what is known of them, and for each constant offset the value.
type OpenGroups = SortedMap<(bool, Sum), (AccessLocation, SortedMap<i64, Val>)>;

fn join_block(ssa: &mut Ssa, multiples: &Multiples, sums: &mut Sums, block: BlockId) {
    let mut open = OpenGroups::default();
    let mut joined: Vec<(u32, WideGroup)> = Vec::new();
    for value in ssa.bodies[block as usize].code.clone() {
        let Some(ins) = ssa.ins(value) else { continue };
        let (mem, stores) = match ins.op {
            Op::Load(mem) => (mem, false),
            Op::Store(mem) => (mem, true),
            Op::Atomic(..) | Op::Nothing => {
                close(ssa, multiples, &mut open, &mut joined, |_, _| true);
                continue;
            }
            _ => continue,
        };
        let place = AccessLocation::new(ssa, sums, ins, mem.bytes());
        let joins = mem == Mem::B32 && ins.record == 4 && !ins.promise.volatile;
        let own = (stores, place.sum.base());
        let twice = open.get(&own).is_some_and(|(_, held)| stores && held.get(&place.sum.constant).is_some());
        // Loads can pass loads, and stores can pass stores of the same base. Any other access that may meet them ends
        // their group.
        close(ssa, multiples, &mut open, &mut joined, |key, other| {
            let own_base = *key == own && joins && !twice;
            (stores || key.0) && !own_base && (other.sum.terms == place.sum.terms || other.may_meet(&place))
        });
        if joins {
            let offset = place.sum.constant;
            open.get_or_insert_with(own, || (place, SortedMap::default())).1.insert(offset, value);
        }
    }
    close(ssa, multiples, &mut open, &mut joined, |_, _| true);
    for (bytes, group) in joined {
        apply(ssa, block, bytes, &group);
    }
}

fn close(
    ssa: &Ssa,
    multiples: &Multiples,
    open: &mut OpenGroups,
    joined: &mut Vec<(u32, WideGroup)>,
    hit: impl Fn(&(bool, Sum), &AccessLocation) -> bool,
) {
    open.retain(|key, (place, held)| {
        let gone = hit(key, place);
        if gone {
            find_groups(ssa, multiples, key, held, joined);
        }
        !gone
    });
}

fn find_groups(
    ssa: &Ssa,
    multiples: &Multiples,
    (stores, base): &(bool, Sum),
    loads: &SortedMap<i64, Val>,
    joined: &mut Vec<(u32, WideGroup)>,
) {
    let aligned = multiples.low_zero_bits_of_sum(ssa, base);
    let mut left = loads.clone();
    for (bytes, bits) in [(16, 4), (8, 3)] {
        if aligned < bits {
            continue;
        }
        for &start in loads.keys().filter(|&&at| at.rem_euclid(bytes) == 0) {
            let parts =
                |n: i64| (0..n).map(|i| left.get(&start.wrapping_add(4 * i)).copied()).collect::<Option<WideGroup>>();
            // The last of four loads may be missing. The wide load reads it anyway.
            let group = parts(bytes / 4).or_else(|| if bytes == 16 && !stores { parts(3) } else { None });
            if let Some(group) = group {
                (0..bytes / 4).for_each(|i| {
                    left.remove(&start.wrapping_add(4 * i));
                });
                joined.push((bytes as u32, group));
            }
        }
    }
}

/// Moves the loads of a group to the earliest one, or the stores to the latest one, in the order of addresses. The
/// first one gets the record.
fn apply(ssa: &mut Ssa, block: BlockId, bytes: u32, group: &[Val]) {
    let code = &ssa.bodies[block as usize].code;
    let stores = ssa.ins(group[0]).is_some_and(|ins| matches!(ins.op, Op::Store(_)));
    let mut places = code.iter().enumerate().filter(|(_, v)| group.contains(v)).map(|(i, _)| i);
    let (Some(first), last) = (places.next(), places.next_back()) else { return };
    let at = if stores { last.unwrap_or(first) } else { first };
    let leader = code[at];
    let order = group.iter().position(|&v| v == leader).unwrap_or(0) as i64;
    let Some(example) = ssa.ins(leader).cloned() else { return };
    for (i, &value) in group.iter().enumerate() {
        if let Def::Ins(ins) = &mut ssa.nodes[value as usize].def {
            ins.args[0] = example.args[0];
            ins.imm = example.imm.wrapping_add(4 * (i as i64 - order));
            ins.record = if i == 0 { bytes } else { SILENT };
        }
    }
    let code = &mut ssa.bodies[block as usize].code;
    let before = code[..at].iter().filter(|v| group.contains(v)).count();
    code.retain(|v| !group.contains(v));
    group.iter().rev().for_each(|&v| code.insert(at - before, v));
}
