//! The cost of each bytecode instruction in machine instructions, and its class.
//!
//! Costs are in 64ths of a warp instruction. Costs above one instruction were counted in machine code for sm_80 (NVRTC
//! 12.9). An integer division that is not by a power of two takes about 37 instructions, which is within about a fifth.
//! Float divisions and math functions are in [`crate::math_cost`].

use crate::code::{Bin, Ins, Num, Op, Program, Terminator, SILENT};
use crate::math_cost::{self, Work};

/// The cost of one warp instruction.
pub const ONE: u64 = 64;

/// The classes by which a report counts instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each name says all")]
pub enum Class {
    Integer,
    Float32,
    Float64,
    /// What runs on the special function unit: reciprocals, roots, sines, powers of two, logarithms, and conversions
    /// between integers and `float` (Nsight Compute's guide, pipeline XU).
    Special,
    Branch,
    Barrier,
    /// Loads, stores and atomics. The emulator counts them when it runs them.
    Memory,
    Other,
}

/// Number of variants of [`Class`].
pub const CLASSES: usize = 8;

/// The class of an operation, or of the part of it that no other class has.
fn class(op: Op) -> Class {
    let of = |num: Num| match num {
        Num::F32 => Class::Float32,
        Num::F64 => Class::Float64,
        _ => Class::Integer,
    };
    match op {
        Op::Bin(_, n) | Op::Cmp(_, n) | Op::Un(_, n) | Op::Fma(n) | Op::Math(_, n) => of(n),
        // The units of doubles convert from and to them (CUDA C Programming Guide, throughput of type conversions).
        Op::Convert(from, to) | Op::Round(from, to, _) if from == Num::F64 || to == Num::F64 => Class::Float64,
        Op::Convert(from, to) | Op::Round(from, to, _) if from.float() != to.float() => Class::Special,
        Op::Load(_) | Op::Store(_) | Op::Atomic(..) | Op::Texture(_) => Class::Memory,
        Op::Print | Op::Assert | Op::Clock | Op::Nothing | Op::Shuffle(_) | Op::Vote(_) | Op::BarrierResult => {
            Class::Other
        }
        _ => Class::Integer,
    }
}

/// The cost of an instruction by class.
fn shares(ins: &Ins) -> [(Class, u64); 3] {
    let (all, class) = (u64::from(ins.cost), class(ins.op));
    let (special, own) = match ins.op {
        // What an access costs beyond one instruction is arithmetic on its address.
        _ if class == Class::Memory => (0, all.min(ONE)),
        Op::Math(f, n) => of_work(math_cost::function(f, n == Num::F64), all),
        Op::Bin(Bin::Div, n) if n.float() => of_work(math_cost::division(n == Num::F64), all),
        _ => (0, all),
    };
    [(Class::Special, special), (class, own), (Class::Integer, all - special - own)]
}

/// The special and the own part of a cost, which is that of `work` or a part of it.
fn of_work(work: Work, cost: u64) -> (u64, u64) {
    let special = (u64::from(work.special) * ONE).min(cost);
    (special, (u64::from(work.own) * ONE).min(cost - special))
}

/// Cost of one instruction. `constant` gives the value of a register that is known before the launch.
pub fn cost(ins: &Ins, constant: &dyn Fn(u32) -> Option<u64>) -> u64 {
    let whole = |n: u64| n * ONE;
    match ins.op {
        Op::Bin(Bin::Div | Bin::Rem, n) if !n.float() => {
            let power = constant(ins.args[1]).is_some_and(u64::is_power_of_two);
            let fixed = constant(ins.args[1]).is_some();
            match (power, fixed, n) {
                (true, _, Num::U32 | Num::U64) => ONE,
                (true, ..) => whole(3),
                (_, true, n) if !n.wide() => whole(4),
                (_, _, n) if n.wide() => whole(75),
                _ => whole(37),
            }
        }
        Op::Bin(Bin::Div, n) => whole(u64::from(math_cost::division(n == Num::F64).all)),
        Op::Bin(Bin::Rem, _) => whole(30),
        Op::Bin(Bin::Mul, n) if !n.float() && n.wide() => whole(3),
        Op::Bin(_, n) | Op::Cmp(_, n) if !n.float() && n.wide() => whole(2),
        Op::Math(f, n) => whole(u64::from(math_cost::function(f, n == Num::F64).all)),
        // The silent parts of a vector access belong to the access that is recorded.
        Op::Load(_) | Op::Store(_) | Op::Texture(_) if ins.record == SILENT => 0,
        Op::Nothing | Op::BarrierResult => ONE,
        Op::Print => whole(20),
        Op::Assert => whole(2),
        _ => ONE,
    }
}

/// Sets the costs of a program that runs as written.
pub fn set_costs_as_written(program: &mut Program) {
    let constants: rustc_hash::FxHashMap<u32, u64> = program.constants.iter().copied().collect();
    let constant = |reg: u32| constants.get(&reg).copied();
    for ins in program.blocks.iter_mut().flat_map(|b| &mut b.ins) {
        ins.cost = cost(ins, &constant).min(u64::from(u16::MAX)) as u16;
    }
    // Thread and block indices are read once, from special registers.
    if let Some(first) = program.blocks.first_mut() {
        first.end_cost += program.specials.len() as u32 * ONE as u32;
    }
    for block in &mut program.blocks {
        block.waiting = block.ins.iter().map(|ins| u32::from(ins.cost)).sum::<u32>() + block.end_cost;
    }
}

/// Prefix sums of the costs of each block. The emulator charges a block, or the part before an access, with one
/// look-up.
pub struct Costs {
    /// For each block, the cost of the instructions before each instruction, then of all of them, then of all with the
    /// terminator.
    pub before: Vec<Vec<u64>>,
    /// For each block, the cost of each class, including the terminator.
    pub classes: Vec<[u64; CLASSES]>,
    /// For each block, the number of its first instruction in the whole program.
    pub first: Vec<u32>,
}

impl Costs {
    /// Sums up the costs of a program, which must be set.
    pub fn of_program(program: &Program) -> Self {
        let mut costs = Self { before: Vec::new(), classes: Vec::new(), first: Vec::new() };
        let mut first = 0;
        for block in &program.blocks {
            let (mut sum, mut before, mut classes) = (0, Vec::with_capacity(block.ins.len() + 2), [0; CLASSES]);
            for ins in &block.ins {
                before.push(sum);
                sum += u64::from(ins.cost);
                for (class, cost) in shares(ins) {
                    classes[class as usize] += cost;
                }
            }
            let kind = if matches!(block.end, Terminator::Barrier { .. }) { Class::Barrier } else { Class::Branch };
            classes[kind as usize] += u64::from(block.end_cost);
            before.push(sum);
            before.push(sum + u64::from(block.end_cost));
            costs.before.push(before);
            costs.classes.push(classes);
            costs.first.push(first);
            first += block.ins.len() as u32 + 1;
        }
        costs
    }
}
