//! Accesses of local memory for the values that a thread has no register for.
//!
//! The values wait longest for their next use among those that are alive at the start of the block with the most of them. Each
//! is loaded before it is used, and stored once it has changed. The emulator keeps all values: these accesses are there
//! for the trace, and nothing reads what they load.

use crate::optimise::registers::{Borders, Item, Values};
use crate::optimise::ssa::{Def, Ssa, Val};
use bytecode::code::{BlockId, Ins, KernelArray, Mem, MemorySpace, Op, Schedule, NONE, WIDE};
use rustc_hash::FxHashMap as HashMap;

/// Registers of a thread.
pub(super) const REGISTERS_MAX: u32 = 255;
/// Values in memory per register that is missing, and per register of values that are loaded ahead of their use. NVRTC 12.9 for sm_75
/// loads ahead from global memory although other values then wait in memory. Both numbers were chosen on its machine code for 36 forms of a
/// matrix product with 256 sums per thread: 9 widths of loads, with each operand in global or in shared memory.
const PER_MISSING: f64 = 1.5;
const PER_EARLY: f64 = 2.5;
/// Instructions between the load of a spilled value and its use. A value whose next use is nearer stays in its register.
const AHEAD: usize = 24;

/// A block whose values do not all have a register.
pub(super) struct Crowded<'a> {
    pub block: BlockId,
    pub items: &'a [Item],
    pub borders: &'a Borders,
}

/// An access that is added in front of an instruction, or behind it.
struct Added {
    beside: Val,
    behind: bool,
    value: Val,
    store: bool,
    slot: u32,
}

/// How many values wait in memory where `missing` registers are missing, and `early` would hold values that are loaded ahead.
pub(super) fn values_in_memory(missing: u32, early: u32) -> u32 {
    (PER_MISSING * f64::from(missing) + PER_EARLY * f64::from(early)) as u32
}

/// Adds the accesses of `count` values in memory.
pub(super) fn spill(ssa: &mut Ssa, values: &Values, crowded: &Crowded, count: u32) {
    let mut readers: HashMap<u32, Vec<usize>> = HashMap::default();
    for (at, item) in crowded.items.iter().enumerate() {
        item.reads.iter().for_each(|&read| readers.entry(read).or_default().push(at));
    }
    let first = |number: &u32| readers.get(number).map_or(usize::MAX, |at| at[0]);
    let mut waiting: Vec<u32> = crowded.borders.start.clone();
    waiting.sort_by_key(|number| std::cmp::Reverse((first(number), *number)));
    let (mut added, mut slots) = (Vec::new(), 0);
    for number in waiting {
        if slots >= count {
            break;
        }
        let width = u32::from(values.width[number as usize]).max(1);
        slots = slots.next_multiple_of(width);
        // One that the block does not read has its register elsewhere only. It waits in memory at no cost here.
        follow(values, crowded, &readers, number, slots, &mut added);
        slots += width;
    }
    let owner: HashMap<u32, Val> =
        values.number.iter().zip(0..).filter(|(n, _)| **n != NONE).map(|(n, v)| (*n, v)).collect();
    let reg = ssa.program.wide | WIDE;
    ssa.program.wide += 1;
    ssa.program.variables.push(KernelArray {
        name: "spilled registers".into(),
        bytes: u64::from(slots.max(1)) * 4,
        align: 16,
        element: 4,
        space: MemorySpace::Local,
        reg,
        dynamic: false,
        hidden: false,
    });
    let base = ssa.leaf(reg);
    insert(ssa, crowded.block, base, &added, &owner);
}

/// The accesses of one value, and of those that take its place in turn.
fn follow(
    values: &Values,
    crowded: &Crowded,
    readers: &HashMap<u32, Vec<usize>>,
    number: u32,
    slot: u32,
    added: &mut Vec<Added>,
) {
    let (mut number, mut from) = (number, None);
    while let Some(reads) = readers.get(&number) {
        let Some(&next) = reads.iter().find(|&&at| from.is_none_or(|from| at > from)) else { break };
        if from.is_none_or(|from| next - from > AHEAD) {
            let beside = crowded.items[next.saturating_sub(AHEAD)].origin;
            added.push(Added { beside, behind: false, value: number, store: false, slot });
        }
        let item = &crowded.items[next];
        let last = reads.last() == Some(&next) && !crowded.borders.end.contains(&number);
        let takes = item.makes.iter().find(|&&made| values.width[made as usize] == values.width[number as usize]);
        match takes.filter(|_| last) {
            Some(&made) => {
                let again = readers.get(&made).and_then(|reads| reads.first());
                if crowded.borders.end.contains(&made) || again.is_some_and(|&again| again - next > AHEAD) {
                    added.push(Added {
                        beside: crowded.items[next].origin,
                        behind: true,
                        value: made,
                        store: true,
                        slot,
                    });
                }
                number = made;
                from = Some(next);
            }
            None => from = Some(next),
        }
    }
}

fn insert(ssa: &mut Ssa, block: BlockId, base: Val, added: &[Added], owner: &HashMap<u32, Val>) {
    let mut beside: HashMap<(Val, bool), Vec<&Added>> = HashMap::default();
    added.iter().for_each(|one| beside.entry((one.beside, one.behind)).or_default().push(one));
    let code = std::mem::take(&mut ssa.bodies[block as usize].code);
    let mut all = Vec::with_capacity(code.len() + added.len());
    for value in code {
        let found = ssa.find(value);
        for behind in [false, true] {
            if behind {
                all.push(value);
            }
            for one in beside.remove(&(found, behind)).into_iter().flatten() {
                let Some(&kept) = owner.get(&one.value) else { continue };
                all.push(access(ssa, block, base, one, kept));
            }
        }
    }
    ssa.bodies[block as usize].code = all;
}

fn access(ssa: &mut Ssa, block: BlockId, base: Val, one: &Added, kept: Val) -> Val {
    let wide = ssa.nodes[kept as usize].wide;
    let mem = if wide { Mem::B64 } else { Mem::B32 };
    let line = ssa.ins(one.beside).map_or(0, |ins| ins.line);
    let (op, args) = if one.store { (Op::Store(mem), vec![base, kept]) } else { (Op::Load(mem), vec![base]) };
    // The register of a load tells only that it has a result.
    let mut ins = Ins::new(op, if one.store { NONE } else { u32::from(wide) * WIDE }, &args, line);
    (ins.imm, ins.record, ins.promise.space) = (i64::from(one.slot) * 4, mem.bytes(), MemorySpace::Local);
    if !one.store {
        ins.schedule = Some(Schedule { hoist: 0, use_after: AHEAD as u16 });
    }
    ssa.add(Def::Ins(ins), wide && !one.store, block)
}
