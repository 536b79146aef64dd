//! The cost of each bytecode instruction in machine instructions, and its class.
//!
//! Costs are in 64ths of a warp instruction. Costs above one instruction were counted in machine code for sm_80 (NVRTC
//! 12.9). An integer division that is not by a power of two takes about 37 instructions. A float division takes about
//! 10 on its usual path, out of 132 in the code. Functions of the math library take 8 to 60. These figures are within
//! about a fifth.
//!
//! Not modelled: the longer paths for denormals and for large arguments of `sin`.

use crate::code::{Bin, Ins, Math, Num, Op, Program, Terminator, SILENT};

/// The cost of one warp instruction.
pub const ONE: u64 = 64;

/// The classes by which a report counts instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each name says all")]
pub enum Class {
    Integer,
    Float32,
    Float64,
    /// Roots, sines and similar functions, on the special function units or as library code.
    Special,
    Branch,
    Barrier,
    /// Loads, stores and atomics. The emulator counts them when it runs them.
    Memory,
    Other,
}

/// Number of variants of [`Class`].
pub const CLASSES: usize = 8;

/// The class of an operation. Blocks add the classes of their terminators.
pub fn class(op: Op) -> Class {
    let of = |num: Num| match num {
        Num::F32 => Class::Float32,
        Num::F64 => Class::Float64,
        _ => Class::Integer,
    };
    match op {
        Op::Bin(_, n) | Op::Cmp(_, n) | Op::Un(_, n) | Op::Fma(n) => of(n),
        Op::Math(m, n) => match m {
            Math::Floor | Math::Ceil | Math::Trunc | Math::Saturate | Math::Rint | Math::CopySign => of(n),
            _ => Class::Special,
        },
        // The units of doubles convert from and to them (CUDA C Programming Guide, throughput of type conversions).
        Op::Convert(from, to) | Op::Round(from, to, _) if from == Num::F64 || to == Num::F64 => Class::Float64,
        Op::Load(_) | Op::Store(_) | Op::Atomic(..) | Op::Texture(_) => Class::Memory,
        Op::Print | Op::Assert | Op::Clock | Op::Nothing | Op::Shuffle(_) | Op::Vote(_) | Op::BarrierResult => {
            Class::Other
        }
        _ => Class::Integer,
    }
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
        Op::Bin(Bin::Div, Num::F32) => whole(10),
        Op::Bin(Bin::Div, Num::F64) => whole(16),
        Op::Bin(Bin::Rem, _) => whole(30),
        Op::Bin(Bin::Mul, n) if !n.float() && n.wide() => whole(3),
        Op::Bin(_, n) | Op::Cmp(_, n) if !n.float() && n.wide() => whole(2),
        Op::Math(m, n) => whole(math(m, n == Num::F64)),
        // The silent parts of a vector access belong to the access that is recorded.
        Op::Load(_) | Op::Store(_) | Op::Texture(_) if ins.record == SILENT => 0,
        Op::Nothing | Op::BarrierResult => ONE,
        Op::Print => whole(20),
        Op::Assert => whole(2),
        _ => ONE,
    }
}

fn math(op: Math, double: bool) -> u64 {
    let (single, twice) = match op {
        Math::Sqrt => (8, 18),
        Math::Rsqrt => (3, 12),
        Math::Recip => (8, 12),
        Math::Sin | Math::Cos | Math::SinPi | Math::CosPi => (22, 50),
        Math::Tan => (30, 70),
        Math::Exp | Math::Exp10 => (7, 22),
        Math::Exp2 => (4, 22),
        Math::Log | Math::Log2 | Math::Log10 => (14, 40),
        Math::Pow => (40, 120),
        Math::Floor | Math::Ceil | Math::Trunc | Math::Rint | Math::Saturate => (1, 1),
        Math::CopySign | Math::IsNan | Math::IsInf | Math::IsFinite | Math::SignBit => (1, 2),
        Math::Round => (4, 5),
        Math::Fmod | Math::Remainder => (30, 40),
        Math::Hypot => (14, 24),
        _ => (25, 60),
    };
    if double {
        twice
    } else {
        single
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
                // The cost of an access beyond one instruction is arithmetic on its address.
                let class = class(ins.op);
                let own = if class == Class::Memory { u64::from(ins.cost).min(ONE) } else { u64::from(ins.cost) };
                classes[class as usize] += own;
                classes[Class::Integer as usize] += u64::from(ins.cost) - own;
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
