//! Unrolls loops: writes out loops of few rounds, and lets one test serve several rounds of other loops.
//!
//! The rules follow what the compiler was seen to do. A loop whose rounds are known and few is written out. A small
//! body is copied 16 times, with a loop of 4 copies and a loop of single rounds for the rest. A larger body is copied 4
//! times or twice. A known number of rounds is divided without rest. Loops with barriers, exchanges between lanes or
//! several exits are left alone.

use crate::optimise::cfg::Loop;
use crate::optimise::shape::Layout;
use crate::optimise::trips::{tested_loops, Counter, Limit, Tested};
use bytecode::code::{Bin, Block, BlockId, Cmp, Ins, Num, Op, Program, Reg, Terminator, WIDE};
use bytecode::scalar;
use rustc_hash::FxHashMap as HashMap;

/// Most instructions of a loop that is written out.
const FULL_MAX: usize = 480;
/// Most rounds of a loop that is written out.
const FULL_ROUNDS: u64 = 64;
/// The same two bounds for loops with `#pragma unroll`.
const PRAGMA_MAX: usize = 6000;
const PRAGMA_ROUNDS: u64 = 1024;
/// Bounds of a loop with `#pragma unroll` whose body was improved before. NVRTC 12.9 writes out 4,725 multiply-adds, and
/// not 5,400, and four copies of 1,320, and not of 1,440. The other two bound the time of the passes.
const LARGE_OPERATIONS: usize = 10_700;
const LARGE_SIZE: usize = 60_000;
/// Most operations of an outer loop without a pragma that is written out after its inner loops were.
const OUTER_OPERATIONS: usize = 300;
const LARGE_BLOCKS: usize = 2_000;
/// Most instructions of a body that is copied 16, 4 or 2 times.
const SIXTEEN_MAX: usize = 22;
const FOUR_MAX: usize = 52;
const TWO_MAX: usize = 100;
/// Blocks of a loop without branches in its body: body, step, test, and the way back.
const STRAIGHT: usize = 4;
/// Most instructions of the copies of a body, if the number of rounds is known.
const PARTIAL_MAX: usize = 150;
/// Most loops that are unrolled in one kernel, and most blocks that it may then have.
const LOOPS_MAX: usize = 64;
const BLOCKS_MAX: usize = 20_000;

impl Tested {
    /// Whether the loop is written out: it has few rounds, or the text asks for it.
    fn can_write_out(&self) -> bool {
        let Some(rounds) = self.rounds else { return false };
        let wanted = self.pragma.is_some_and(|n| n == 0 || u64::from(n) >= rounds);
        let (most, size) = if wanted { (PRAGMA_ROUNDS, PRAGMA_MAX) } else { (FULL_ROUNDS, FULL_MAX) };
        self.pragma != Some(1)
            && rounds <= most
            && rounds as usize * self.size <= size
            && rounds as usize * self.found.blocks.len() <= BLOCKS_MAX
    }
}

/// Writes out loops whose rounds are known and few, innermost first.
pub(crate) fn unroll_fully(mut program: Program) -> Program {
    for _ in 0..LOOPS_MAX {
        if program.blocks.len() > BLOCKS_MAX {
            break;
        }
        let loops = tested_loops(&program);
        let Some(chosen) = loops.iter().find(|t| t.can_write_out()) else { break };
        let mut layout = Layout::new(program);
        write_out(&mut layout, chosen);
        program = layout.finish();
    }
    program
}

/// Unrolls one loop with `#pragma unroll` that is too large for [`unroll_fully`]. Returns the program, and how many
/// instructions it added. Between two calls, the program must be improved, so that the copies are counted without what
/// folds away.
///
/// A loop that is too large to be written out gets up to 4 copies of its body, behind the single rounds that remain.
pub(crate) fn unroll_large(program: &Program, most: usize) -> Option<(Program, usize)> {
    let loops = tested_loops(program);
    let layout = Layout::new(program.clone());
    let innermost = |t: &Tested| loops.iter().all(|o| o.found.header == t.found.header || !t.found.has(o.found.header));
    let choose = |t: &Tested| {
        let rounds = t.rounds.filter(|&rounds| rounds <= PRAGMA_ROUNDS)? as usize;
        let asked = t.pragma.is_some_and(|n| n == 0 || n as usize >= rounds);
        if !asked {
            // What is left of an outer loop after its inner loops were written out may be small enough.
            let small = t.pragma.is_none() && rounds as u64 <= FULL_ROUNDS && rounds * t.operations <= OUTER_OPERATIONS;
            return (small && innermost(t) && rounds * t.size <= PRAGMA_MAX).then_some((rounds, rounds));
        }
        let fits = |copies: &usize| {
            copies * t.operations <= LARGE_OPERATIONS
                && copies * t.size <= LARGE_SIZE.min(most)
                && copies * t.found.blocks.len() <= LARGE_BLOCKS
        };
        let few = || [4, 3, 2].into_iter().find(fits).filter(|_| innermost(t) && repeatable(&layout, t));
        Some(rounds).filter(fits).or_else(few).map(|copies| (copies, rounds))
    };
    let (tested, (copies, rounds)) = loops.iter().find_map(|t| choose(t).map(|copies| (t, copies)))?;
    let mut layout = layout;
    let single = rounds % copies;
    if copies == rounds {
        write_out(&mut layout, tested);
    } else {
        layout.block(tested.test).pragma = Some(1);
        add_single_rounds(&mut layout, tested, single);
        share_test(&mut layout, tested, copies);
    }
    Some((layout.finish(), (copies + single) * tested.size))
}

/// Copies some rounds in front of a loop, without tests.
fn add_single_rounds(layout: &mut Layout, tested: &Tested, count: usize) {
    let mut next = tested.found.header;
    for _ in 0..count {
        let at = layout.place_of(next);
        let round = copy_loop(layout, &tested.found, at);
        chain_rounds(layout, tested, &round, next);
        next = round[&tested.found.header];
    }
    layout.redirect(tested.before, tested.found.header, next);
}

/// Lets one test serve several rounds of the remaining innermost loops.
pub(crate) fn unroll_partly(program: Program) -> Program {
    let loops = tested_loops(&program);
    let mut layout = Layout::new(program);
    for tested in loops.iter().take(LOOPS_MAX) {
        let inner = loops.iter().all(|o| o.found.header == tested.found.header || !tested.found.has(o.found.header));
        if !inner || !repeatable(&layout, tested) || layout.program.blocks.len() > BLOCKS_MAX {
            continue;
        }
        let pragma = tested.pragma.filter(|&n| n > 0 && n as usize * tested.size <= PRAGMA_MAX);
        match (tested.rounds, pragma) {
            (_, Some(1)) => {}
            (Some(rounds), Some(n)) if rounds % u64::from(n) == 0 => share_test(&mut layout, tested, n as usize),
            (Some(rounds), _) => {
                let divides = |k: &u64| rounds % k == 0 && *k as usize * tested.size <= PARTIAL_MAX;
                if let Some(copies) = [8, 7, 6, 5, 4, 3, 2].into_iter().find(divides) {
                    share_test(&mut layout, tested, copies as usize);
                }
            }
            (None, Some(n)) => add_unrolled_loops(&mut layout, tested, &[n as usize]),
            (None, None) => {
                let factors = unroll_factors(&layout, tested);
                add_unrolled_loops(&mut layout, tested, factors);
            }
        }
    }
    layout.finish()
}

/// Whether the body can be copied: it has no barrier, no exchange between lanes and no volatile access.
fn repeatable(layout: &Layout, tested: &Tested) -> bool {
    let blocks = tested.found.blocks.iter().map(|&b| &layout.program.blocks[b as usize]);
    blocks.into_iter().all(|block| {
        let plain = |ins: &Ins| !matches!(ins.op, Op::Shuffle(_) | Op::Vote(_) | Op::Print | Op::Assert | Op::Clock);
        !matches!(block.end, Terminator::Barrier { .. } | Terminator::Exit) && block.ins.iter().all(plain)
    })
}

/// Copies a loop's blocks to a place of the layout. Returns the numbers of the copies. Edges out of the loop stay as
/// they are.
fn copy_loop(layout: &mut Layout, found: &Loop, mut at: usize) -> HashMap<BlockId, BlockId> {
    let blocks: Vec<BlockId> = layout.order.iter().copied().filter(|&b| found.has(b)).collect();
    let mut copies = HashMap::default();
    for &block in &blocks {
        let copied = layout.program.blocks[block as usize].clone();
        copies.insert(block, layout.insert(at, copied));
        at += 1;
    }
    for &copied in copies.values() {
        let end = &mut layout.program.blocks[copied as usize].end;
        let to = |b: BlockId| copies.get(&b).copied().unwrap_or(b);
        *end = match *end {
            Terminator::Jump(b) => Terminator::Jump(to(b)),
            Terminator::Branch { on, yes, no } => Terminator::Branch { on, yes: to(yes), no: to(no) },
            Terminator::Barrier { next, on } => Terminator::Barrier { next: to(next), on },
            Terminator::Exit => Terminator::Exit,
        };
    }
    copies
}

/// Replaces the test by a jump to `to`.
fn skip_test(layout: &mut Layout, test: BlockId, to: BlockId) {
    let block = layout.block(test);
    (block.end, block.end_cost, block.pragma) = (Terminator::Jump(to), 0, None);
}

/// The edge that closes a round in a copy: its block, and the header that it leads to.
fn closing_edge(tested: &Tested, copies: &HashMap<BlockId, BlockId>) -> (BlockId, BlockId) {
    let of = |b: BlockId| copies.get(&b).copied().unwrap_or(b);
    let from = if tested.stay == tested.found.header { tested.test } else { tested.stay };
    (of(from), of(tested.found.header))
}

fn write_out(layout: &mut Layout, tested: &Tested) {
    let rounds = tested.rounds.unwrap_or(1);
    let mut here: HashMap<BlockId, BlockId> = tested.found.blocks.iter().map(|&b| (b, b)).collect();
    let mut copies = Vec::new();
    for _ in 1..rounds {
        let all: Vec<BlockId> = copies.iter().flat_map(|c: &HashMap<BlockId, BlockId>| c.values().copied()).collect();
        let last = |b: &BlockId| tested.found.has(*b) || all.contains(b);
        let at = layout.order.iter().rposition(last).unwrap_or(0) + 1;
        copies.push(copy_loop(layout, &tested.found, at));
    }
    for next in copies {
        chain_rounds(layout, tested, &here, next[&tested.found.header]);
        here = next;
    }
    skip_test(layout, here[&tested.test], tested.leave);
}

/// Lets the end of a round lead to the start of the next one without a test.
fn chain_rounds(layout: &mut Layout, tested: &Tested, here: &HashMap<BlockId, BlockId>, to: BlockId) {
    if tested.stay == tested.found.header {
        skip_test(layout, here[&tested.test], to);
    } else {
        skip_test(layout, here[&tested.test], here[&tested.stay]);
        let (from, header) = closing_edge(tested, here);
        layout.redirect(from, header, to);
    }
}

/// Puts `copies` rounds in front of one test. The number of rounds must be a multiple of `copies`.
fn share_test(layout: &mut Layout, tested: &Tested, copies: usize) {
    let first: HashMap<BlockId, BlockId> = tested.found.blocks.iter().map(|&b| (b, b)).collect();
    let mut rounds = vec![first];
    for _ in 1..copies {
        let all: Vec<BlockId> = rounds.iter().flat_map(|c| c.values().copied()).collect();
        let at = layout.order.iter().rposition(|b| all.contains(b)).unwrap_or(0) + 1;
        rounds.push(copy_loop(layout, &tested.found, at));
    }
    for pair in rounds.windows(2) {
        chain_rounds(layout, tested, &pair[0], pair[1][&tested.found.header]);
    }
    let last = &rounds[copies - 1];
    if tested.stay == tested.found.header {
        layout.redirect(last[&tested.test], last[&tested.found.header], tested.found.header);
    } else {
        let (from, header) = closing_edge(tested, last);
        layout.redirect(from, header, tested.found.header);
    }
}

/// The unroll factors that the compiler would choose without a pragma.
fn unroll_factors(layout: &Layout, tested: &Tested) -> &'static [usize] {
    let mut code = tested.found.blocks.iter().flat_map(|&b| &layout.program.blocks[b as usize].ins);
    let volatile = code.any(|i| i.promise.volatile);
    match tested.size {
        n if n <= SIXTEEN_MAX && !volatile && tested.found.blocks.len() <= STRAIGHT => &[16, 4],
        n if n <= FOUR_MAX => &[4],
        n if n <= TWO_MAX => &[2],
        _ => &[],
    }
}

/// Replaces a loop by a loop for each unroll factor and one of single rounds for the remainder.
fn add_unrolled_loops(layout: &mut Layout, tested: &Tested, factors: &[usize]) {
    let (Some(counter), Some(&least)) = (tested.counter, factors.last()) else { return };
    // From the last to the first, since each loop leads to the next one.
    let mut next = None;
    if !counter.remainder_first {
        next = Some(tested.found.header);
    }
    for &copies in factors.iter().rev() {
        next = Some(add_unrolled_loop(layout, tested, counter, copies, next));
    }
    let Some(mut first) = next else { return };
    if counter.remainder_first {
        first = add_remainder(layout, tested, counter, least, first);
    }
    layout.redirect(tested.before, tested.found.header, first);
}

fn new_test(ins: Vec<Ins>, on: Reg, line: u32) -> Block {
    Block { ins, end: Terminator::Branch { on, yes: 0, no: 0 }, line, end_cost: 64, waiting: 0, pragma: None }
}

/// Adds a loop of `copies` rounds that leads to `next`, or to the end if the number of rounds is a multiple of `copies`.
/// Returns the block that decides whether it is entered.
fn add_unrolled_loop(
    layout: &mut Layout,
    tested: &Tested,
    counter: Counter,
    copies: usize,
    next: Option<BlockId>,
) -> BlockId {
    let line = layout.program.blocks[tested.test as usize].line;
    let place = layout.place_of(next.unwrap_or(tested.found.header));
    let mut at = place;
    let mut rounds: Vec<HashMap<BlockId, BlockId>> = Vec::new();
    for _ in 0..copies {
        rounds.push(copy_loop(layout, &tested.found, at));
        at += tested.found.blocks.len();
    }
    for pair in rounds.windows(2) {
        chain_rounds(layout, tested, &pair[0], pair[1][&tested.found.header]);
    }
    let first = rounds[0][&tested.found.header];
    let (code, on) = remaining_rounds_test(&mut layout.program, counter, counter.next, copies as u64 - 1, line);
    close_loop(layout, tested, &rounds[copies - 1], (code, on), first, next);
    if next.is_none() {
        return first;
    }
    let (code, on) = remaining_rounds_test(&mut layout.program, counter, counter.register, copies as u64 - 1, line);
    let top = layout.insert(place, new_test(code, on, line));
    let into = layout.insert_jump(place + 1, first);
    let onward = next.map_or(into, |next| layout.insert_jump(layout.place_of(next), next));
    set_targets(layout, top, into, onward);
    top
}

/// Adds a loop of the single rounds that remain when the others are taken `copies` at a time. It leads to `next`. Returns
/// the block that decides whether it is entered.
fn add_remainder(layout: &mut Layout, tested: &Tested, counter: Counter, copies: usize, next: BlockId) -> BlockId {
    let line = layout.program.blocks[tested.test as usize].line;
    let place = layout.place_of(next);
    let (code, some, end) = end_of_remainder(&mut layout.program, counter, copies as u64, line);
    let top = layout.insert(place, new_test(code, some, line));
    let round = copy_loop(layout, &tested.found, place + 1);
    let first = round[&tested.found.header];
    let mut code = Code::new(&mut layout.program, line);
    let on = code.push(Op::Cmp(Cmp::NotEqual, counter.num), false, &[counter.next, end]);
    let test = (code.ins, on);
    close_loop(layout, tested, &round, test, first, Some(next));
    let into = layout.insert_jump(place + 1, first);
    let onward = layout.insert_jump(layout.place_of(next), next);
    set_targets(layout, top, into, onward);
    top
}

fn set_targets(layout: &mut Layout, block: BlockId, to_yes: BlockId, to_no: BlockId) {
    if let Terminator::Branch { yes, no, .. } = &mut layout.block(block).end {
        (*yes, *no) = (to_yes, to_no);
    }
}

/// Ends a round with a test that leads back to `first`. If the test fails, single rounds may remain for `next`. The tests
/// come before the copies of the back edge, because values of the last round may be read behind the loop.
fn close_loop(
    layout: &mut Layout,
    tested: &Tested,
    round: &HashMap<BlockId, BlockId>,
    (code, on): (Vec<Ins>, Reg),
    first: BlockId,
    next: Option<BlockId>,
) {
    let test = round[&tested.test];
    let line = layout.program.blocks[test as usize].line;
    let turns = tested.stay != tested.found.header;
    let back = if turns { round[&tested.stay] } else { first };
    let mut at = 1 + round.values().map(|&b| layout.place_of(b)).max().unwrap_or(0);
    let out;
    if let (Some(next), Some(counter)) = (next, tested.counter) {
        let (code, on) = remaining_rounds_test(&mut layout.program, counter, counter.next, 0, line);
        let rest = layout.insert(at, new_test(code, on, line));
        at += 1;
        let mut onward = layout.insert_jump(at, next);
        if turns {
            let mut turn = layout.program.blocks[back as usize].clone();
            turn.end = Terminator::Jump(onward);
            onward = layout.insert(at, turn);
            at += 1;
        }
        at += 1;
        let leave = layout.insert_jump(at, tested.leave);
        set_targets(layout, rest, onward, leave);
        out = rest;
    } else {
        out = layout.insert_jump(at, tested.leave);
    }
    if turns {
        layout.block(back).end = Terminator::Jump(first);
    }
    let block = layout.block(test);
    block.ins.extend(code);
    (block.end, block.end_cost, block.pragma) = (Terminator::Branch { on, yes: back, no: out }, 64, None);
}

/// Instructions that are being written.
struct Code<'a> {
    program: &'a mut Program,
    line: u32,
    ins: Vec<Ins>,
}

impl<'a> Code<'a> {
    fn new(program: &'a mut Program, line: u32) -> Self {
        Self { program, line, ins: Vec::new() }
    }

    fn register(&mut self, wide: bool) -> Reg {
        let count = if wide { &mut self.program.wide } else { &mut self.program.narrow };
        *count += 1;
        (*count - 1) | if wide { WIDE } else { 0 }
    }

    fn constant(&mut self, wide: bool, value: u64) -> Reg {
        let reg = self.register(wide);
        self.program.constants.push((reg, if wide { value } else { value & 0xffff_ffff }));
        reg
    }

    fn push(&mut self, op: Op, wide: bool, args: &[Reg]) -> Reg {
        let dst = self.register(wide);
        self.ins.push(Ins::new(op, dst, args, self.line));
        dst
    }

    fn bin(&mut self, op: Bin, num: Num, a: Reg, b: Reg) -> Reg {
        self.push(Op::Bin(op, num), num.wide(), &[a, b])
    }

    /// The quotient of an unsigned value. A shift takes the place of a division where it can.
    fn divided(&mut self, num: Num, value: Reg, by: u64) -> Reg {
        let power = by.is_power_of_two();
        let constant = self.constant(num.wide(), if power { u64::from(by.trailing_zeros()) } else { by });
        self.bin(if power { Bin::Shr } else { Bin::Div }, num, value, constant)
    }

    fn remainder(&mut self, num: Num, value: Reg, by: u64) -> Reg {
        let power = by.is_power_of_two();
        let constant = self.constant(num.wide(), if power { by - 1 } else { by });
        self.bin(if power { Bin::And } else { Bin::Rem }, num, value, constant)
    }

    /// A value of the counter's type in 64 bits.
    fn widened(&mut self, counter: Counter, reg: Reg) -> Reg {
        self.push(Op::Convert(counter.num, Num::I64), true, &[reg])
    }
}

/// Code that tests whether `more` rounds follow the one in which the counter has the value of `register`. For 0 it tests
/// whether this one happens at all.
fn remaining_rounds_test(
    program: &mut Program,
    counter: Counter,
    register: Reg,
    more: u64,
    line: u32,
) -> (Vec<Ins>, Reg) {
    let mut code = Code::new(program, line);
    let now = code.widened(counter, register);
    let limit = match counter.limit {
        Limit::Number(n) => code.constant(true, scalar::convert(counter.num, Num::I64, n)),
        Limit::Register(reg) => code.widened(counter, reg),
    };
    let far = code.constant(true, counter.step.wrapping_mul(more as i64) as u64);
    let last = code.bin(Bin::Add, Num::I64, now, far);
    let on = code.push(Op::Cmp(counter.op, Num::I64), false, &[last, limit]);
    (code.ins, on)
}

/// Code in front of a loop that tests whether the number of rounds leaves a remainder, and gives the counter behind the
/// remainder. Sums wrap as the counter's type does.
fn end_of_remainder(program: &mut Program, counter: Counter, copies: u64, line: u32) -> (Vec<Ins>, Reg, Reg) {
    let wide = counter.num.wide();
    let num = if wide { Num::U64 } else { Num::U32 };
    let mut code = Code::new(program, line);
    let limit = match counter.limit {
        Limit::Number(n) => code.constant(wide, n),
        Limit::Register(reg) => reg,
    };
    let (from, to) = if counter.step > 0 { (counter.register, limit) } else { (limit, counter.register) };
    let by = counter.step.unsigned_abs();
    // The number of rounds is rounded up if the limit itself is left out.
    let closed = matches!(counter.op, Cmp::LessEqual | Cmp::GreaterEqual);
    let up = code.constant(wide, if closed { by } else { by - 1 });
    let distance = code.bin(Bin::Sub, num, to, from);
    let distance = code.bin(Bin::Add, num, distance, up);
    let rounds = code.divided(num, distance, by);
    let single = code.remainder(num, rounds, copies);
    let (zero, step) = (code.constant(wide, 0), code.constant(wide, counter.step as u64));
    let distance = code.bin(Bin::Mul, num, single, step);
    let end = code.bin(Bin::Add, num, counter.register, distance);
    let some = code.push(Op::Cmp(Cmp::NotEqual, num), false, &[single, zero]);
    (code.ins, some, end)
}
