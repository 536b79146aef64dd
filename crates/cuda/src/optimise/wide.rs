//! Joins accesses to neighbouring elements into wide accesses, and splits wide loads of which some parts are unused.
//!
//! Only the record changes. An access of 16 bytes is one load that is recorded with 16 bytes and three silent loads.

use crate::optimise::address::{AccessLocation, Multiples, Sum, Sums};
use crate::optimise::carried::Carried;
use crate::optimise::fold::silent;
use crate::optimise::ssa::{Def, Ssa, Val};
use bytecode::code::{BlockId, Mem, MemorySpace, Op, SILENT};
use bytecode::sorted::SortedMap;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

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

/// Makes loads of constant memory at an address that the text fixes silent, because they are operands of other
/// instructions. One whose index is a parameter, or of the block or thread, is an instruction of its own (NVRTC 12.9).
pub(crate) fn fold_constant_bank(ssa: &mut Ssa) {
    let mut sums = Sums::new(ssa);
    for value in ssa.bodies.iter().flat_map(|b| b.code.clone()).collect::<Vec<_>>() {
        let Some(ins) = ssa.ins(value) else { continue };
        let Op::Load(mem) = ins.op else { continue };
        let place = AccessLocation::new(ssa, &mut sums, ins, mem.bytes());
        let fixed = place.sum.terms.keys().flatten().all(|&v| is_address_of_global(ssa, v));
        if place.promise.space == MemorySpace::Constant && fixed {
            if let Def::Ins(ins) = &mut ssa.nodes[value as usize].def {
                ins.record = SILENT;
            }
        }
    }
}

/// Whether a value is the address of a variable of the file.
fn is_address_of_global(ssa: &Ssa, value: Val) -> bool {
    matches!(ssa.def(value), Def::Leaf(reg) if ssa.program.globals.iter().any(|(_, global)| global == reg))
}

/// Joins accesses of 4 or 8 bytes whose common address is aligned to 16 or 8 bytes, as far as the compiler knows. Two loads of pairs, such
/// as `float2`, are joined too.
pub(crate) fn join(ssa: &mut Ssa) {
    let multiples = Multiples::new(ssa);
    let carried = Carried::new(ssa);
    let pairs = groups(ssa).into_iter().filter(|group| group.len() == 2).map(|group| (group[0], group[1])).collect();
    let mut sums = Sums::new(ssa);
    for block in 0..ssa.bodies.len() as BlockId {
        join_block(ssa, (&multiples, &carried, &pairs), &mut sums, block);
    }
}

/// The second load of each pair, by the first.
type Pairs = HashMap<Val, Val>;

/// What open accesses have in common: whether they store, the bytes of each, the bytes of each of its parts, and their base.
type GroupKey = (bool, i64, i64, Sum);

/// Accesses that may still be joined: what is known of them, and for each constant offset the value.
type OpenGroups = SortedMap<GroupKey, (AccessLocation, SortedMap<i64, Val>)>;

fn join_block(
    ssa: &mut Ssa,
    (multiples, carried, pairs): (&Multiples, &Carried, &Pairs),
    sums: &mut Sums,
    block: BlockId,
) {
    let mut open = OpenGroups::default();
    let mut joined: Vec<JoinedAccess> = Vec::new();
    for value in ssa.bodies[block as usize].code.clone() {
        let Some(ins) = ssa.ins(value) else { continue };
        let (mem, stores) = match ins.op {
            Op::Load(mem) => (mem, false),
            Op::Store(mem) => (mem, true),
            Op::Atomic(..) | Op::Nothing => {
                close(ssa, (multiples, pairs), &mut open, &mut joined, |_, _| true);
                continue;
            }
            _ => continue,
        };
        let place = AccessLocation::new(ssa, sums, ins, mem.bytes());
        let own_bytes = mem.bytes();
        let pair = !stores && mem == Mem::B32 && pairs.contains_key(&value);
        let single = matches!(mem, Mem::B32 | Mem::B64) && ins.record == own_bytes;
        let joins = (single || pair) && !ins.promise.volatile && !carried.hides(block, &place.sum);
        let unit = if pair { 2 * own_bytes } else { own_bytes };
        let own = (stores, i64::from(unit), i64::from(own_bytes), place.sum.base());
        let twice = open.get(&own).is_some_and(|(_, held)| stores && held.get(&place.sum.constant).is_some());
        // Loads can pass loads, and stores can pass stores of the same base. Any other access that may meet them ends
        // their group.
        close(ssa, (multiples, pairs), &mut open, &mut joined, |key, other| {
            let own_base = *key == own && joins && !twice;
            (stores || key.0) && !own_base && (other.sum.terms == place.sum.terms || other.may_meet(&place))
        });
        if joins {
            let offset = place.sum.constant;
            open.get_or_insert_with(own, || (place, SortedMap::default())).1.insert(offset, value);
        }
    }
    close(ssa, (multiples, pairs), &mut open, &mut joined, |_, _| true);
    for access in joined {
        apply(ssa, block, access);
    }
}

fn close(
    ssa: &Ssa,
    known: (&Multiples, &Pairs),
    open: &mut OpenGroups,
    joined: &mut Vec<JoinedAccess>,
    hit: impl Fn(&GroupKey, &AccessLocation) -> bool,
) {
    open.retain(|key, (place, held)| {
        let gone = hit(key, place);
        if gone {
            find_groups(ssa, known, key, held, joined);
        }
        !gone
    });
}

fn find_groups(
    ssa: &Ssa,
    (multiples, pairs): (&Multiples, &Pairs),
    (stores, unit, part, base): &GroupKey,
    loads: &SortedMap<i64, Val>,
    joined: &mut Vec<JoinedAccess>,
) {
    let (unit, part) = (*unit, *part);
    let aligned = multiples.low_zero_bits_of_sum(ssa, base);
    let mut left = loads.clone();
    for (bytes, bits) in [(16, 4), (8, 3)] {
        if aligned < bits || bytes == unit {
            continue;
        }
        for &at in loads.keys() {
            let start = at - at.rem_euclid(bytes);
            let parts = |from: i64, to: i64| {
                (from..to).map(|i| left.get(&start.wrapping_add(unit * i)).copied()).collect::<Option<WideGroup>>()
            };
            // The first or the last of four loads may be missing. The wide load reads it anyway.
            let most = |from, to| if bytes == 4 * unit && !stores { parts(from, to) } else { None };
            let whole = parts(0, bytes / unit).or_else(|| most(0, 3)).map(|group| (group, 0));
            if let Some((group, missing)) = whole.or_else(|| most(1, 4).map(|group| (group, unit))) {
                (0..bytes / unit).for_each(|i| {
                    left.remove(&start.wrapping_add(unit * i));
                });
                let second = |value: &Val| pairs.get(value).copied().filter(|_| part < unit);
                let group = group.iter().flat_map(|value| [Some(*value), second(value)]).flatten().collect();
                joined.push(JoinedAccess { bytes: bytes as u32, unit: part, missing, group });
            }
        }
    }
}

/// Accesses that become one.
struct JoinedAccess {
    bytes: u32,
    /// Bytes of each access.
    unit: i64,
    /// Bytes that the wide access reads before the first of the group.
    missing: i64,
    group: WideGroup,
}

/// Moves the loads of a group to the earliest one, or the stores to the latest one, in the order of addresses. The
/// first one gets the record.
fn apply(ssa: &mut Ssa, block: BlockId, access: JoinedAccess) {
    let JoinedAccess { bytes, unit, missing, mut group } = access;
    if missing > 0 {
        // A load whose value nothing uses stands for the element before.
        let Some(mut ins) = ssa.ins(group[0]).cloned() else { return };
        ins.imm = ins.imm.wrapping_sub(missing);
        let wide = ssa.nodes[group[0] as usize].wide;
        let first = ssa.add(Def::Ins(ins), wide, block);
        let code = &mut ssa.bodies[block as usize].code;
        let at = code.iter().position(|v| group.contains(v)).unwrap_or(0);
        code.insert(at, first);
        group.insert(0, first);
    }
    let group = &group[..];
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
            ins.imm = example.imm.wrapping_add(unit * (i as i64 - order));
            ins.record = if i == 0 { bytes } else { SILENT };
        }
    }
    let code = &mut ssa.bodies[block as usize].code;
    let before = code[..at].iter().filter(|v| group.contains(v)).count();
    code.retain(|v| !group.contains(v));
    group.iter().rev().for_each(|&v| code.insert(at - before, v));
}
