//! Alias analysis. Addresses are written as sums, which shows which accesses surely meet, which surely do not, and how
//! an address is aligned.

use crate::optimise::ssa::{Def, Ssa, Val};
use bytecode::code::{Bin, Ins, Mem, MemorySpace, Num, Op, Promise, Reg, NONE};
use bytecode::sorted::SortedMap;
use rustc_hash::FxHashMap as HashMap;

/// Deepest recursion into operands. A deeper value counts as a single term.
const DEPTH_MAX: usize = 40;
/// Most products in a sum.
const TERMS_MAX: usize = 12;
/// Most passes over all values until the roots of pointers settle.
const PASSES_MAX: usize = 60;
/// Most factors of a product.
const FACTORS_MAX: usize = 3;

/// A constant plus a sum of products of values, each with a constant factor.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Sum {
    pub terms: SortedMap<Vec<Val>, i64>,
    pub constant: i64,
}

impl Sum {
    fn of(value: Val) -> Self {
        Self::product(vec![value], 1)
    }

    fn number(constant: i64) -> Self {
        Self { terms: SortedMap::default(), constant }
    }

    fn product(factors: Vec<Val>, n: i64) -> Self {
        let mut terms = SortedMap::default();
        terms.insert(factors, n);
        Self { terms, constant: 0 }
    }

    /// Computes `self + factor · other`.
    pub fn plus(mut self, other: &Sum, factor: i64) -> Self {
        self.constant = self.constant.wrapping_add(other.constant.wrapping_mul(factor));
        for (product, &n) in other.terms.iter() {
            let slot = self.terms.get_or_insert_with(product.clone(), || 0);
            *slot = slot.wrapping_add(n.wrapping_mul(factor));
        }
        self.terms.retain(|_, n| *n != 0);
        self
    }

    fn times(&self, other: &Sum) -> Option<Self> {
        let mut product = Sum::number(self.constant.wrapping_mul(other.constant));
        let rest = |sum: &Sum| Sum { terms: sum.terms.clone(), constant: 0 };
        product = product.plus(&rest(self), other.constant).plus(&rest(other), self.constant);
        for (a, &n) in self.terms.iter() {
            for (b, &m) in other.terms.iter() {
                let mut factors = a.clone();
                for factor in b {
                    factors.insert(factors.partition_point(|f| f < factor), *factor);
                }
                if factors.len() > FACTORS_MAX {
                    return None;
                }
                product = product.plus(&Sum::product(factors, n.wrapping_mul(m)), 1);
            }
        }
        (product.terms.len() <= TERMS_MAX).then_some(product)
    }

    /// The sum without its constant.
    pub fn base(&self) -> Sum {
        Sum { terms: self.terms.clone(), constant: 0 }
    }
}

/// The parameter or variable that a pointer is based on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PointerRoot {
    /// Not a pointer.
    None,
    /// A parameter, or the address of a variable.
    Of(Reg),
    /// One of several, or unknown.
    Many,
}

impl PointerRoot {
    fn join(self, other: Self) -> Self {
        match (self, other) {
            (PointerRoot::None, x) | (x, PointerRoot::None) => x,
            (x, y) if x == y => x,
            _ => PointerRoot::Many,
        }
    }
}

/// The sums of values, cached, and the roots of pointers.
pub(crate) struct Sums {
    known: HashMap<Val, Sum>,
    roots: Vec<PointerRoot>,
}

impl Sums {
    pub fn new(ssa: &Ssa) -> Self {
        let mut sums = Self { known: HashMap::default(), roots: vec![PointerRoot::None; ssa.nodes.len()] };
        let mut changed = true;
        for _ in 0..PASSES_MAX {
            if !std::mem::take(&mut changed) {
                return sums;
            }
            for value in 0..ssa.nodes.len() {
                let root = sums.root_of(ssa, &ssa.nodes[value].def).join(sums.roots[value]);
                changed |= root != sums.roots[value];
                sums.roots[value] = root;
            }
        }
        // The roots did not settle, so nothing is certain.
        sums.roots.fill(PointerRoot::Many);
        sums
    }

    fn root(&self, ssa: &Ssa, value: Val) -> PointerRoot {
        self.roots.get(ssa.find(value) as usize).copied().unwrap_or(PointerRoot::Many)
    }

    fn root_of(&self, ssa: &Ssa, def: &Def) -> PointerRoot {
        match def {
            Def::Leaf(reg) => {
                let points = ssa.program.pointers.iter().any(|p| p.reg == *reg)
                    || ssa.program.variables.iter().any(|v| v.reg == *reg)
                    || ssa.program.globals.iter().any(|(_, r)| r == reg);
                if points {
                    PointerRoot::Of(*reg)
                } else {
                    PointerRoot::None
                }
            }
            Def::Const(_) | Def::Undef => PointerRoot::None,
            Def::Phi(values) => values.iter().fold(PointerRoot::None, |root, &v| root.join(self.root(ssa, v))),
            Def::Ins(ins) => {
                let at = |i: usize| self.root(ssa, ins.args[i]);
                match ins.op {
                    Op::Mov | Op::Index(_) => at(0),
                    Op::Bin(Bin::Add | Bin::Sub, num) if num.wide() && !num.float() => at(0).join(at(1)),
                    Op::Select => at(1).join(at(2)),
                    Op::Load(Mem::B64) => PointerRoot::Many,
                    op if crate::optimise::fold::pure(op) => {
                        let points =
                            ins.args.iter().filter(|&&a| a != NONE).any(|&a| self.root(ssa, a) != PointerRoot::None);
                        if points {
                            PointerRoot::Many
                        } else {
                            PointerRoot::None
                        }
                    }
                    _ => PointerRoot::None,
                }
            }
        }
    }

    /// The text's promise, extended by what the root of the address implies.
    fn promise(&self, ssa: &Ssa, ins: &Ins) -> Promise {
        let mut promise = ins.promise;
        let PointerRoot::Of(reg) = self.root(ssa, ins.args[0]) else { return promise };
        if let Some((i, pointer)) =
            ssa.program.pointers.iter().zip(1u16..).map(|(p, i)| (i, p)).find(|(_, p)| p.reg == reg)
        {
            if promise.space == MemorySpace::Unknown {
                promise.space = MemorySpace::Global;
            }
            if pointer.restrict {
                promise.restrict = i;
                promise.read_only |= pointer.constant;
            }
        }
        promise
    }

    fn variable(&self, ssa: &Ssa, ins: &Ins) -> Option<usize> {
        let PointerRoot::Of(reg) = self.root(ssa, ins.args[0]) else { return None };
        ssa.program.variables.iter().position(|v| v.reg == reg)
    }

    /// The sum that a value equals.
    pub fn sum_of(&mut self, ssa: &Ssa, value: Val) -> Sum {
        self.sum_to_depth(ssa, ssa.find(value), 0)
    }

    fn sum_to_depth(&mut self, ssa: &Ssa, value: Val, depth: usize) -> Sum {
        let value = ssa.find(value);
        if let Some(known) = self.known.get(&value) {
            return known.clone();
        }
        let sum = match ssa.def(value) {
            Def::Const(c) => Sum::number(if ssa.nodes[value as usize].wide { *c as i64 } else { i64::from(*c as i32) }),
            Def::Ins(ins) if depth < DEPTH_MAX => self.of_ins(ssa, value, ins, depth + 1),
            _ => Sum::of(value),
        };
        let sum = if sum.terms.len() > TERMS_MAX { Sum::of(value) } else { sum };
        self.known.insert(value, sum.clone());
        sum
    }

    fn of_ins(&mut self, ssa: &Ssa, value: Val, ins: &Ins, depth: usize) -> Sum {
        let [a, b, ..] = ins.args;
        match ins.op {
            Op::Mov => self.sum_to_depth(ssa, a, depth),
            Op::Bin(_, num) if num.float() => Sum::of(value),
            Op::Bin(Bin::Add, _) => self.sum_to_depth(ssa, a, depth).plus(&self.sum_to_depth(ssa, b, depth), 1),
            Op::Bin(Bin::Sub, _) => self.sum_to_depth(ssa, a, depth).plus(&self.sum_to_depth(ssa, b, depth), -1),
            Op::Bin(Bin::Mul, _) => {
                let product = self.sum_to_depth(ssa, a, depth).times(&self.sum_to_depth(ssa, b, depth));
                product.unwrap_or_else(|| Sum::of(value))
            }
            Op::Bin(Bin::Shl, _) => match ssa.value_of(b) {
                Some(shift) if shift < 31 => Sum::default().plus(&self.sum_to_depth(ssa, a, depth), 1 << shift),
                _ => Sum::of(value),
            },
            Op::Convert(Num::I32 | Num::U32 | Num::I64 | Num::U64, Num::I64 | Num::U64) => {
                self.sum_to_depth(ssa, a, depth)
            }
            Op::Index(_) => self.sum_to_depth(ssa, a, depth).plus(&self.sum_to_depth(ssa, b, depth), ins.imm),
            _ => Sum::of(value),
        }
    }

    /// The address of a memory access as a sum.
    pub fn address(&mut self, ssa: &Ssa, ins: &Ins) -> Sum {
        let mut sum = self.sum_of(ssa, ins.args[0]);
        sum.constant = sum.constant.wrapping_add(ins.imm);
        sum
    }
}

/// What is known about the location of an access.
#[derive(Clone, Debug)]
pub(crate) struct AccessLocation {
    pub sum: Sum,
    pub bytes: i64,
    pub promise: Promise,
    /// The shared or local variable that contains it.
    pub variable: Option<usize>,
}

impl AccessLocation {
    pub fn new(ssa: &Ssa, sums: &mut Sums, ins: &Ins, bytes: u32) -> Self {
        let sum = sums.address(ssa, ins);
        Self { sum, bytes: i64::from(bytes), promise: sums.promise(ssa, ins), variable: sums.variable(ssa, ins) }
    }

    /// Returns false if the two accesses surely touch no common byte.
    pub fn may_meet(&self, other: &AccessLocation) -> bool {
        let (a, b) = (self.promise, other.promise);
        let apart = |x: MemorySpace, y: MemorySpace| x != MemorySpace::Unknown && y != MemorySpace::Unknown && x != y;
        if apart(a.space, b.space) || a.restrict != b.restrict || a.read_only || b.read_only {
            return false;
        }
        if let (Some(x), Some(y)) = (self.variable, other.variable) {
            if x != y {
                return false;
            }
        }
        if self.sum.terms == other.sum.terms {
            let distance = other.sum.constant.wrapping_sub(self.sum.constant);
            return distance < self.bytes && distance.wrapping_neg() < other.bytes;
        }
        true
    }

    /// Whether other threads may change the memory at a barrier.
    pub fn yields_to_barrier(&self) -> bool {
        let p = self.promise;
        !p.read_only && !matches!(p.space, MemorySpace::Local | MemorySpace::Constant) && p.restrict == 0
    }
}

/// For each value, the number of low bits that are surely 0.
pub(crate) struct Multiples(Vec<u32>);

/// Zero is divisible by any power of two. More bits than these do not matter.
const MANY: u32 = 16;
/// Shared arrays start at multiples of 16 bytes, as the compiler places them.
const VARIABLE_BITS: u32 = 4;

impl Multiples {
    /// Starts from the highest number of bits and lowers it until all instructions agree. A loop counter thus keeps
    /// what each round preserves.
    pub fn new(ssa: &Ssa) -> Self {
        let mut multiples = Self(vec![MANY; ssa.nodes.len()]);
        let mut changed = true;
        for _ in 0..PASSES_MAX {
            if !std::mem::take(&mut changed) {
                return multiples;
            }
            for value in 0..ssa.nodes.len() {
                let bits = multiples.of_def(ssa, &ssa.nodes[value].def).min(multiples.0[value]);
                changed |= bits != multiples.0[value];
                multiples.0[value] = bits;
            }
        }
        multiples.0.fill(0);
        multiples
    }

    fn low_zero_bits(&self, ssa: &Ssa, value: Val) -> u32 {
        self.0[ssa.find(value) as usize]
    }

    /// The number of low bits of a sum that are surely 0.
    pub fn low_zero_bits_of_sum(&self, ssa: &Ssa, sum: &Sum) -> u32 {
        let mut bits = MANY.min(sum.constant.trailing_zeros());
        for (product, n) in sum.terms.iter() {
            let factors: u32 = product.iter().map(|&v| self.low_zero_bits(ssa, v)).sum();
            bits = bits.min(n.trailing_zeros() + factors);
        }
        bits
    }

    fn of_def(&self, ssa: &Ssa, def: &Def) -> u32 {
        match def {
            Def::Const(c) => MANY.min(c.trailing_zeros()),
            Def::Leaf(reg) => {
                let pointer = ssa.program.pointers.iter().find(|p| p.reg == *reg);
                let variable = ssa.program.variables.iter().any(|v| v.reg == *reg);
                pointer
                    .map_or(if variable { VARIABLE_BITS } else { 0 }, |p| p.align.trailing_zeros().min(VARIABLE_BITS))
            }
            Def::Phi(values) => values.iter().map(|&v| self.low_zero_bits(ssa, v)).min().unwrap_or(0),
            Def::Ins(ins) => self.of_ins(ssa, ins),
            Def::Undef => 0,
        }
    }

    fn of_ins(&self, ssa: &Ssa, ins: &Ins) -> u32 {
        let [a, b, ..] = ins.args;
        match ins.op {
            Op::Bin(_, num) if num.float() => 0,
            Op::Bin(Bin::Add | Bin::Sub | Bin::Or, _) => self.low_zero_bits(ssa, a).min(self.low_zero_bits(ssa, b)),
            Op::Bin(Bin::Mul, _) => MANY.min(self.low_zero_bits(ssa, a) + self.low_zero_bits(ssa, b)),
            Op::Bin(Bin::And, _) => self.low_zero_bits(ssa, a).max(self.low_zero_bits(ssa, b)),
            Op::Bin(Bin::Shl, _) => match ssa.value_of(b) {
                Some(shift) if shift < 31 => MANY.min(self.low_zero_bits(ssa, a) + shift as u32),
                _ => 0,
            },
            Op::Mov | Op::Convert(Num::I32 | Num::U32, Num::I64 | Num::U64) => self.low_zero_bits(ssa, a),
            _ => 0,
        }
    }
}
