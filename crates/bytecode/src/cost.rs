//! What an instruction costs in machine instructions, and which class it belongs to.
//!
//! Costs are in 64ths of a warp instruction. Those above one are counts read off code for sm_80 (NVRTC 12.9): an integer
//! division that is not by a power of two is about 37 instructions, a float division takes about 10 on its usual path
//! (132 stand in the code), functions of the math library 8 to 60. They are within a fifth or so; denormals and large
//! arguments of `sin` take other paths, which are not modelled.

use crate::code::{Bin, End, Ins, Math, Num, Op, Program, SILENT};

/// One warp instruction.
pub const ONE: u64 = 64;

/// Classes that instructions are counted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Integer,
    Float32,
    Float64,
    /// Roots, sines and the like, on the special function units or as library code.
    Special,
    Branch,
    Barrier,
    /// Loads, stores, atomics: counted as they run.
    Memory,
    Other,
}

/// Number of classes.
pub const CLASSES: usize = 8;

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
        Op::Load(_) | Op::Store(_) | Op::Atomic(..) | Op::Texture(_) => Class::Memory,
        Op::Print | Op::Assert | Op::Clock | Op::Nothing | Op::Shuffle(_) | Op::Vote(_) | Op::BarrierResult => {
            Class::Other
        }
        _ => Class::Integer,
    }
}

/// Cost of one instruction; `constant` tells the value of a register that is constant.
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
        // The silent parts of a vector access, and what only exists here.
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

/// Sets the costs of a program as it is written.
pub fn price(program: &mut Program) {
    let constants: rustc_hash::FxHashMap<u32, u64> = program.constants.iter().copied().collect();
    let constant = |reg: u32| constants.get(&reg).copied();
    for ins in program.blocks.iter_mut().flat_map(|b| &mut b.ins) {
        ins.cost = cost(ins, &constant).min(u64::from(u16::MAX)) as u16;
    }
    // Indices of threads and blocks are read from special registers, once.
    if let Some(first) = program.blocks.first_mut() {
        first.end_cost += program.specials.len() as u32 * ONE as u32;
    }
}

/// Costs of a program, block by block.
pub struct Costs {
    /// Cost of the instructions of a block before each of its instructions, and of all with the end.
    pub before: Vec<Vec<u64>>,
    /// Cost of each class in a block, end included.
    pub classes: Vec<[u64; CLASSES]>,
    /// First instruction of a block among all.
    pub first: Vec<u32>,
}

impl Costs {
    pub fn of(program: &Program) -> Self {
        let mut costs = Self { before: Vec::new(), classes: Vec::new(), first: Vec::new() };
        let mut first = 0;
        for block in &program.blocks {
            let (mut sum, mut before, mut classes) = (0, Vec::with_capacity(block.ins.len() + 2), [0; CLASSES]);
            for ins in &block.ins {
                before.push(sum);
                sum += u64::from(ins.cost);
                // What an access costs beyond itself is arithmetic of its address.
                let class = class(ins.op);
                let own = if class == Class::Memory { u64::from(ins.cost).min(ONE) } else { u64::from(ins.cost) };
                classes[class as usize] += own;
                classes[Class::Integer as usize] += u64::from(ins.cost) - own;
            }
            let kind = if matches!(block.end, End::Barrier { .. }) { Class::Barrier } else { Class::Branch };
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
