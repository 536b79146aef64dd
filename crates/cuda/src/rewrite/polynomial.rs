//! Indices as sums of products of names, with whole coefficients.

use bytecode::sorted::SortedMap;
use std::fmt::Write as _;

/// A factor of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Symbol {
    /// A value between others, such as a clamped position, by its number in [`Known::chosen`](crate::rewrite::facts::Known::chosen).
    Chosen(usize),
    /// A number parameter of the kernel, by its position.
    Parameter(usize),
    /// `blockDim` in a direction.
    BlockSize(usize),
    /// `gridDim` in a direction.
    GridSize(usize),
    /// `blockIdx` in a direction.
    Block(usize),
    /// `threadIdx` in a direction.
    Thread(usize),
    /// The variable of a loop, by its number.
    Loop(usize),
    /// Where the current part of a loop starts that is made in parts.
    Part(usize),
    /// How far the variable of such a loop is from there.
    Round(usize),
    /// The length of a row that is a number in the text.
    Pitch(i64),
    /// A number parameter, by its position, divided by a number. The radius of a filter is such a quotient.
    Quotient(usize, i64),
    /// A variable whose value is no sum, by its number. Only the search for staged arrays has it.
    Local(usize),
    /// Another operation on two sums, such as `threadIdx.x / 8`, by its number. Only the search for staged arrays has it.
    Operation(usize),
}

impl Symbol {
    /// Whether it can be the step from one row to the next.
    pub fn is_step(self) -> bool {
        matches!(self, Self::Parameter(_) | Self::Pitch(_))
    }
}

/// A sum of products.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Polynomial(pub SortedMap<Vec<Symbol>, i64>);

/// Terms of a sum, at most. Longer ones are not indices that a person wrote.
const TERMS_MAX: usize = 64;

impl Polynomial {
    pub fn number(value: i64) -> Self {
        let mut out = Self::default();
        out.add_term(Vec::new(), value);
        out
    }

    pub fn symbol(symbol: Symbol) -> Self {
        let mut out = Self::default();
        out.add_term(vec![symbol], 1);
        out
    }

    /// The product of some symbols.
    pub fn product(factors: Vec<Symbol>) -> Self {
        let mut out = Self::default();
        out.add_term(factors, 1);
        out
    }

    /// The position along a dimension: what multiplies the symbols in `step`, and no other ones that can be a step.
    pub fn along(&self, step: &[Symbol]) -> Self {
        let mut out = Self::default();
        for (factors, value) in self.0.iter() {
            let (steps, rest): (Vec<Symbol>, Vec<Symbol>) = factors.iter().partition(|symbol| symbol.is_step());
            if steps == step {
                out.add_term(rest, *value);
            }
        }
        out
    }

    pub fn add_term(&mut self, factors: Vec<Symbol>, value: i64) {
        let sum = self.0.get_or_insert_with(factors.clone(), || 0);
        *sum = sum.wrapping_add(value);
        if *sum == 0 {
            self.0.remove(&factors);
        }
    }

    /// The sum with `times` times another one.
    pub fn plus(&self, other: &Self, times: i64) -> Self {
        let mut out = self.clone();
        other.0.iter().for_each(|(factors, value)| out.add_term(factors.clone(), value.wrapping_mul(times)));
        out
    }

    /// The sum with a sum of symbols in place of a symbol.
    pub fn with(&self, symbol: Symbol, sum: &[Symbol]) -> Self {
        let mut out = Self::default();
        for (factors, value) in self.0.iter() {
            let Some(at) = factors.iter().position(|factor| *factor == symbol) else {
                out.add_term(factors.clone(), *value);
                continue;
            };
            for by in sum {
                let mut factors = factors.clone();
                factors[at] = *by;
                factors.sort_unstable();
                out.add_term(factors, *value);
            }
        }
        out
    }

    /// The terms that are the same for all threads of a block but not for all blocks.
    pub fn of_block(&self) -> Self {
        let terms = self.0.iter().filter(|(f, _)| f.iter().any(|s| matches!(s, Symbol::Block(_))));
        let mut out = Self::default();
        terms.for_each(|(factors, value)| out.add_term(factors.clone(), *value));
        out
    }

    /// The sum with other sums in place of symbols. `None` if it has too many terms.
    pub fn replaced(&self, sums: &[(Symbol, Self)]) -> Option<Self> {
        let mut out = Self::default();
        for (factors, value) in self.0.iter() {
            let mut term = Self::number(*value);
            for factor in factors {
                let known = sums.iter().find(|(symbol, _)| symbol == factor).map(|(_, by)| by.clone());
                term = term.times(&known.unwrap_or_else(|| Self::symbol(*factor)))?;
            }
            out = out.plus(&term, 1);
        }
        Some(out)
    }

    /// The product. `None` if it has too many terms.
    pub fn times(&self, other: &Self) -> Option<Self> {
        let mut out = Self::default();
        for (a, x) in self.0.iter() {
            for (b, y) in other.0.iter() {
                let mut factors = [a.as_slice(), b.as_slice()].concat();
                factors.sort_unstable();
                out.add_term(factors, x.checked_mul(*y)?);
            }
        }
        (out.0.len() <= TERMS_MAX).then_some(out)
    }

    /// The position of the parameter that it is, if it is one.
    pub fn parameter(&self) -> Option<usize> {
        let [Symbol::Parameter(p)] = self.0.keys().next()?[..] else { return None };
        (*self == Self::symbol(Symbol::Parameter(p))).then_some(p)
    }

    /// The value if there are no names in it.
    pub fn constant(&self) -> Option<i64> {
        match self.0.len() {
            0 => Some(0),
            1 => self.0.get(&[] as &[Symbol]).copied(),
            _ => None,
        }
    }

    /// The sum as C. `name` writes a factor.
    pub fn text(&self, name: &dyn Fn(Symbol) -> String) -> String {
        let mut out = String::new();
        // What differs from block to block first, then threads and loops, then numbers.
        // A choice that is taken away comes behind what it is taken from.
        let place = |f: &[Symbol], value: i64| match f.first() {
            None => 2,
            Some(Symbol::Chosen(_)) if value < 0 => 1,
            _ => 0,
        };
        let terms = (0..3).flat_map(|at| self.0.iter().filter(move |(f, value)| place(f, **value) == at));
        for (factors, value) in terms {
            let sign = match (out.is_empty(), *value < 0) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            let size = value.unsigned_abs();
            let mut names: Vec<String> = factors.iter().map(|f| name(*f)).collect();
            if size != 1 || names.is_empty() {
                names.push(size.to_string());
            }
            // Writing to a String cannot fail.
            let _ = write!(out, "{sign}{}", names.join(" * "));
        }
        if out.is_empty() {
            out.push('0');
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_sums_again_and_read_like_c() {
        let x = Polynomial::symbol(Symbol::Thread(0)).plus(&Polynomial::number(1), -2);
        let n = Polynomial::symbol(Symbol::Parameter(3));
        let product = x.times(&n).unwrap().plus(&n, 2);
        let name = |s: Symbol| match s {
            Symbol::Thread(_) => "t".to_string(),
            _ => "n".to_string(),
        };
        assert_eq!(product.text(&name), "n * t");
        assert_eq!(x.text(&name), "t - 2");
        assert_eq!(x.plus(&x, -1).constant(), Some(0));
        assert_eq!(Polynomial::number(-3).text(&name), "-3");
    }
}
