//! Loads of neighbouring elements become one wide load, and wide loads of which a part is not needed become narrow ones.
//!
//! Only the record changes: an access of 16 bytes is one load that is recorded with 16 bytes and three silent ones.

use super::address::{Multiples, Place, Sum, Sums};
use super::fold::silent;
use super::ssa::{Def, Ssa, Val};
use crate::kernel::vm::code::{BlockId, Known, Mem, Op, SILENT};
use std::collections::{BTreeMap, HashSet};

/// A wide load: the one that is recorded, then its silent parts.
type Group = Vec<Val>;

/// The wide loads of a kernel, before anything is dropped.
pub(super) fn groups(ssa: &Ssa) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for body in &ssa.bodies {
        let mut open: Option<(Group, u32)> = None;
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

/// Parts of wide loads that lost some of their kin are loads of their own.
pub(super) fn split(ssa: &mut Ssa, groups: &[Group]) {
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

/// Constant memory at an address that does not vary is an operand of other instructions, no load.
pub(super) fn fold_constant_bank(ssa: &mut Ssa) {
    let mut sums = Sums::new(ssa);
    for value in ssa.bodies.iter().flat_map(|b| b.code.clone()).collect::<Vec<_>>() {
        let Some(ins) = ssa.ins(value) else { continue };
        let Op::Load(mem) = ins.op else { continue };
        let place = Place::new(ssa, &mut sums, ins, mem.bytes());
        let fixed = place.sum.terms.keys().flatten().all(|&v| matches!(ssa.def(v), Def::Leaf(_)));
        if place.promise.space == Known::Constant && fixed {
            if let Def::Ins(ins) = &mut ssa.nodes[value as usize].def {
                ins.record = SILENT;
            }
        }
    }
}

/// Joins loads of 4 bytes whose common address is aligned to 16 or 8.
pub(super) fn join(ssa: &mut Ssa) {
    let multiples = Multiples::new(ssa);
    let mut sums = Sums::new(ssa);
    for block in 0..ssa.bodies.len() as BlockId {
        join_block(ssa, &multiples, &mut sums, block);
    }
}

fn join_block(ssa: &mut Ssa, multiples: &Multiples, sums: &mut Sums, block: BlockId) {
    // Loads by base, since the last access that may change what they read: constant offset → (position, value).
    let mut open: BTreeMap<Sum, (Place, BTreeMap<i64, Val>)> = BTreeMap::new();
    let mut joined: Vec<(u32, Group)> = Vec::new();
    for value in ssa.bodies[block as usize].code.clone() {
        let Some(ins) = ssa.ins(value) else { continue };
        match ins.op {
            Op::Load(Mem::B32) if ins.record == 4 && !ins.promise.volatile => {
                let place = Place::new(ssa, sums, ins, 4);
                let (base, offset) = (place.sum.base(), place.sum.constant);
                open.entry(base).or_insert_with(|| (place, BTreeMap::new())).1.insert(offset, value);
            }
            Op::Store(mem) => {
                let place = Place::new(ssa, sums, ins, mem.bytes());
                close(ssa, multiples, &mut open, &mut joined, |other| {
                    // Any of the group may be hit, whatever the constant.
                    other.sum.terms == place.sum.terms || other.may_meet(&place)
                });
            }
            Op::Atomic(..) | Op::Nothing => close(ssa, multiples, &mut open, &mut joined, |_| true),
            _ => {}
        }
    }
    close(ssa, multiples, &mut open, &mut joined, |_| true);
    for (bytes, group) in joined {
        apply(ssa, block, bytes, &group);
    }
}

fn close(
    ssa: &Ssa,
    multiples: &Multiples,
    open: &mut BTreeMap<Sum, (Place, BTreeMap<i64, Val>)>,
    joined: &mut Vec<(u32, Group)>,
    hit: impl Fn(&Place) -> bool,
) {
    open.retain(|base, (place, loads)| {
        let gone = hit(place);
        if gone {
            find_groups(ssa, multiples, base, loads, joined);
        }
        !gone
    });
}

fn find_groups(ssa: &Ssa, multiples: &Multiples, base: &Sum, loads: &BTreeMap<i64, Val>, joined: &mut Vec<(u32, Group)>) {
    let aligned = multiples.of_sum(ssa, base);
    let mut left = loads.clone();
    for (bytes, bits) in [(16, 4), (8, 3)] {
        if aligned < bits {
            continue;
        }
        for &start in loads.keys().filter(|&&at| at.rem_euclid(bytes) == 0) {
            let parts = |n: i64| (0..n).map(|i| left.get(&start.wrapping_add(4 * i)).copied()).collect::<Option<Group>>();
            // The last of four may be missing: it is loaded too.
            let group = parts(bytes / 4).or_else(|| if bytes == 16 { parts(3) } else { None });
            if let Some(group) = group {
                (0..bytes / 4).for_each(|i| {
                    left.remove(&start.wrapping_add(4 * i));
                });
                joined.push((bytes as u32, group));
            }
        }
    }
}

/// Puts the loads of a group at the place of the earliest, lowest address first, with one record.
fn apply(ssa: &mut Ssa, block: BlockId, bytes: u32, group: &[Val]) {
    let code = &ssa.bodies[block as usize].code;
    let Some(at) = code.iter().position(|v| group.contains(v)) else { return };
    let earliest = code[at];
    let order = group.iter().position(|&v| v == earliest).unwrap_or(0) as i64;
    let Some(first) = ssa.ins(earliest).cloned() else { return };
    for (i, &value) in group.iter().enumerate() {
        if let Def::Ins(ins) = &mut ssa.nodes[value as usize].def {
            ins.args = first.args;
            ins.imm = first.imm.wrapping_add(4 * (i as i64 - order));
            ins.record = if i == 0 { bytes } else { SILENT };
        }
    }
    let code = &mut ssa.bodies[block as usize].code;
    code.retain(|v| !group.contains(v));
    group.iter().rev().for_each(|&v| code.insert(at, v));
}
