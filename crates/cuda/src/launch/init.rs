//! Fills arrays by the initialisers of the launch comment, which docs/launch.md defines element by element.

use crate::lower::types::{num, size_of_scalar, Leaf, Ty};
use crate::syntax::ast::Scalar;
use base::sorted_by_key;
use base::Random;
use bytecode::code::Num;
use bytecode::scalar::convert;
use std::sync::Arc;

/// An initialiser with its arguments.
#[derive(Clone, Debug, PartialEq)]
pub enum Filler {
    Zero,
    /// Start, step and modulus, which is infinite where there is none.
    Iota(f64, f64, f64),
    Random(u64, Option<(f64, f64)>),
    Permutation(u64),
    Cycle(u64),
    Stride(u64),
    /// A sparse matrix by its rows, entries and seed. `part` is `None` if the type and length of the array decide.
    Csr {
        rows: u64,
        entries: u64,
        seed: u64,
        part: Option<MatrixPart>,
        sorted: bool,
    },
    Ell {
        rows: u64,
        width: u64,
        seed: u64,
        part: Option<MatrixPart>,
    },
    Neighbours {
        atoms: u64,
        per_atom: u64,
        seed: u64,
    },
    /// A list of values, followed by zeros.
    List(Vec<(Scalar, u64)>),
    /// One value for all elements.
    Value(Scalar, u64),
}

/// A part of a sparse matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatrixPart {
    Offsets,
    Columns,
    Values,
}

/// The contents of an array before the first launch. They are made again when somebody asks, so that they take no memory.
#[derive(Clone, Debug)]
pub struct InitialContents(Contents);

#[derive(Clone, Debug)]
enum Contents {
    Filled {
        filler: Filler,
        leaves: Vec<Leaf>,
        size: u64,
        count: u64,
    },
    /// Those of a variable with a value in the text.
    Written(Arc<Vec<u8>>),
}

impl InitialContents {
    pub(crate) fn filled(filler: Filler, ty: &Ty, count: u64) -> Self {
        Self(Contents::Filled { filler, leaves: ty.leaves(), size: ty.size(), count })
    }

    pub(crate) fn written(bytes: Arc<Vec<u8>>) -> Self {
        Self(Contents::Written(bytes))
    }

    /// The bytes of all elements.
    pub fn bytes(&self) -> Vec<u8> {
        match &self.0 {
            Contents::Filled { filler, leaves, size, count } => fill_leaves(filler, leaves.clone(), *size, *count),
            Contents::Written(bytes) => bytes.to_vec(),
        }
    }
}

impl Filler {
    /// Bytes that are taken for a moment to fill `count` elements, beside the elements.
    pub(crate) fn scratch(&self, count: u64) -> u64 {
        match self {
            Self::Permutation(_) | Self::Cycle(_) => count.saturating_mul(8),
            // The entries of each row, the offsets, which double while they grow, and the columns.
            Self::Csr { rows, entries, .. } => rows.saturating_mul(32).saturating_add(entries.saturating_mul(8)),
            _ => 0,
        }
    }
}

/// The bytes of `count` elements of type `ty`.
pub fn fill(filler: &Filler, ty: &Ty, count: u64) -> Vec<u8> {
    fill_leaves(filler, ty.leaves(), ty.size(), count)
}

fn fill_leaves(filler: &Filler, leaves: Vec<Leaf>, size: u64, count: u64) -> Vec<u8> {
    let mut writer = Writer { out: vec![0; (count * size) as usize], leaves, size, at: 0 };
    let is_float = writer.leaves.iter().any(|l| matches!(l.scalar, Scalar::F32 | Scalar::F64));
    match filler {
        Filler::Zero => {}
        Filler::Iota(start, step, modulus) => {
            (0..count).for_each(|i| writer.assign((start + i as f64 * step) % modulus));
        }
        Filler::Random(seed, range) => writer.random(*seed, *range, count),
        Filler::Permutation(seed) => permutation(*seed, count).into_iter().for_each(|i| writer.integer(i)),
        Filler::Cycle(seed) => {
            let order = permutation(*seed, count);
            for (j, &i) in order.iter().enumerate() {
                writer.at = i;
                writer.integer(order[(j + 1) % order.len()]);
            }
        }
        Filler::Stride(k) => (0..count).for_each(|i| writer.integer((i + k) % count.max(1))),
        Filler::Csr { rows, entries, seed, part, sorted } => {
            let part = part.unwrap_or(match (is_float, count == rows + 1) {
                (true, _) => MatrixPart::Values,
                (_, true) => MatrixPart::Offsets,
                _ => MatrixPart::Columns,
            });
            if part == MatrixPart::Values {
                writer.random(seed + 1, None, count);
            } else {
                let (offsets, columns) = matrix(*rows, *entries, *seed, *sorted);
                let values = if part == MatrixPart::Offsets { offsets } else { columns };
                values.into_iter().take(count as usize).for_each(|v| writer.integer(v));
            }
        }
        Filler::Ell { rows, width, seed, part } => {
            if part.map_or(is_float, |p| p == MatrixPart::Values) {
                writer.random(seed + 1, None, count);
            } else {
                let mut random = Random::new(*seed);
                (0..(rows * width).min(count)).for_each(|_| writer.integer(random.below(*rows)));
            }
        }
        Filler::Neighbours { atoms, per_atom, seed } => {
            let mut random = Random::new(*seed);
            let reach = atoms.saturating_sub(1).min(4 * per_atom);
            for _ in 0..*per_atom {
                (0..*atoms).for_each(|i| writer.integer((i + 1 + random.below(reach)) % atoms.max(&1)));
            }
        }
        Filler::List(values) => values.iter().for_each(|(s, bits)| writer.leaf(*s, *bits)),
        Filler::Value(scalar, bits) => {
            let leaves = writer.leaves.len() as u64;
            (0..count * leaves).for_each(|_| writer.leaf(*scalar, *bits));
        }
    }
    writer.out
}

fn permutation(seed: u64, count: u64) -> Vec<u64> {
    let mut random = Random::new(seed);
    let mut order: Vec<u64> = (0..count).collect();
    for i in (1..order.len()).rev() {
        order.swap(i, random.below(i as u64 + 1) as usize);
    }
    order
}

/// The row offsets and the column of each entry.
fn matrix(rows: u64, entries: u64, seed: u64, sorted: bool) -> (Vec<u64>, Vec<u64>) {
    let mut random = Random::new(seed);
    let mut count = vec![0u64; rows as usize];
    for _ in 0..entries {
        if let Some(n) = count.get_mut(random.below(rows) as usize) {
            *n += 1;
        }
    }
    let (mut offsets, mut columns) = (vec![0], Vec::with_capacity(entries as usize));
    for n in count {
        let start = columns.len();
        columns.extend((0..n).map(|_| random.below(rows)));
        if sorted {
            let row = columns.split_off(start);
            columns.extend(sorted_by_key(row, |&column| column));
        }
        offsets.push(columns.len() as u64);
    }
    (offsets, columns)
}

/// Writes the scalars of an array one after another.
struct Writer {
    out: Vec<u8>,
    leaves: Vec<Leaf>,
    size: u64,
    at: u64,
}

impl Writer {
    fn leaf(&mut self, scalar: Scalar, bits: u64) {
        let Some(count) = u64::try_from(self.leaves.len()).ok().filter(|n| *n > 0) else { return };
        let leaf = self.leaves[(self.at % count) as usize];
        let at = (self.at / count * self.size + leaf.offset) as usize;
        self.at += 1;
        let value = convert(num(scalar), num(leaf.scalar), bits);
        let value = if leaf.scalar == Scalar::Bool { u64::from(value != 0) } else { value };
        let bytes = size_of_scalar(leaf.scalar) as usize;
        if let Some(target) = self.out.get_mut(at..at + bytes) {
            target.copy_from_slice(&value.to_le_bytes()[..bytes]);
        }
    }

    fn integer(&mut self, value: u64) {
        self.leaf(Scalar::U64, value);
    }

    /// Writes a number as an assignment does. Of a whole number, a small element keeps the low bits.
    fn assign(&mut self, value: f64) {
        if value.fract() == 0.0 && value.abs() < 9.0e15 {
            self.leaf(Scalar::I64, value as i64 as u64);
        } else {
            self.number(value);
        }
    }

    /// Writes a number that was computed in double precision.
    fn number(&mut self, value: f64) {
        self.leaf(Scalar::F64, value.to_bits());
    }

    fn random(&mut self, seed: u64, range: Option<(f64, f64)>, count: u64) {
        let mut random = Random::new(seed);
        let leaves = self.leaves.clone();
        let floats = leaves.iter().all(|leaf| leaf.scalar == Scalar::F32) && self.size == 4 * leaves.len() as u64;
        if floats && range.is_none() {
            // Most arrays, and a guess fills some of them dozens of times. 24 bits are exact in single precision.
            for float in self.out.chunks_exact_mut(4) {
                float.copy_from_slice(&((random.bits() >> 40) as f32 / 16_777_216.0).to_le_bytes());
            }
            return;
        }
        for _ in 0..count {
            for leaf in &leaves {
                let float = num(leaf.scalar).float();
                match range {
                    None if float => {
                        let unit = (random.bits() >> 40) as f64 / f64::from(1u32 << 24);
                        self.number(unit);
                    }
                    Some((low, high)) if float => {
                        let unit = (random.bits() >> 40) as f64 / f64::from(1u32 << 24);
                        self.number(low + (high - low) * unit);
                    }
                    None => {
                        let bound = if size_of_scalar(leaf.scalar) == 1 { 256 } else { 1024 };
                        let value = random.below(bound);
                        self.integer(value);
                    }
                    Some((low, high)) => {
                        let (low, span) = (low as i64, (high - low).max(0.0) as u64);
                        let value = low.wrapping_add(random.below(span) as i64);
                        self.leaf(Scalar::I64, value as u64);
                    }
                }
            }
        }
    }
}

/// An argument as a whole number.
pub fn whole(value: (Scalar, u64)) -> u64 {
    convert(num(value.0), Num::I64, value.1)
}

/// An argument as a number in double precision.
pub fn real(value: (Scalar, u64)) -> f64 {
    f64::from_bits(convert(num(value.0), Num::F64, value.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ints(filler: Filler, count: u64) -> Vec<i32> {
        fill(&filler, &Ty::INT, count).chunks(4).map(|c| i32::from_le_bytes(c.try_into().unwrap())).collect()
    }

    #[test]
    fn rules_of_the_launch_comment() {
        assert_eq!(ints(Filler::Iota(3.0, -2.0, f64::INFINITY), 3), [3, 1, -1]);
        assert_eq!(ints(Filler::Iota(1.0, 2.0, 4.0), 4), [1, 3, 1, 3]);
        assert_eq!(fill(&Filler::Iota(254.0, 1.0, f64::INFINITY), &Ty::Scalar(Scalar::U8), 4), [254, 255, 0, 1]);
        assert_eq!(ints(Filler::Stride(2), 4), [2, 3, 0, 1]);
        assert_eq!(ints(Filler::Value(Scalar::F32, u64::from(2.7f32.to_bits())), 2), [2, 2]);
        let mut sorted = ints(Filler::Permutation(5), 100);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..100).collect::<Vec<_>>());
        let next = ints(Filler::Cycle(5), 100);
        let mut seen = 0;
        let mut at = 0;
        loop {
            at = next[at as usize];
            seen += 1;
            if at == 0 {
                break;
            }
        }
        assert_eq!(seen, 100);
    }

    #[test]
    fn parts_of_a_matrix_fit_together() {
        let csr = |part| Filler::Csr { rows: 10, entries: 50, seed: 3, part, sorted: true };
        let offsets = ints(csr(None), 11);
        let columns = ints(csr(None), 50);
        assert_eq!((offsets[0], offsets[10]), (0, 50));
        for row in offsets.windows(2) {
            let mine = &columns[row[0] as usize..row[1] as usize];
            assert!(mine.windows(2).all(|p| p[0] <= p[1]) && mine.iter().all(|c| (0..10).contains(c)));
        }
        assert_eq!(ints(csr(Some(MatrixPart::Offsets)), 11), offsets);
    }

    #[test]
    fn random_floats_are_exact_in_single_precision() {
        let values: Vec<f32> = fill(&Filler::Random(1, None), &Ty::FLOAT, 100)
            .chunks(4)
            .map(|c| f32::from_le_bytes(c.try_into().unwrap()))
            .collect();
        assert!(values.iter().all(|v| (0.0..1.0).contains(v)));
        let mut random = Random::new(1);
        assert_eq!(values[0], (random.bits() >> 40) as f32 / 16_777_216.0);
    }
}
