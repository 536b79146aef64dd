//! Rows whose length is a number in the text: `in[(y + i) * 526 + x + j]`, as sizes in macros give it.
//!
//! In: the indices of an array. Out: the same indices with a [`Symbol::Pitch`] where a multiple of the row's length is, so that the rest of
//! the rewriting sees rows as it does for a length in a parameter. A length counts if the positions along a row of a block's
//! threads fit in it, and the rows hold fewer elements together than the stretch from the first to the last one.

use crate::rewrite::facts::Known;
use crate::rewrite::polynomial::{Polynomial, Symbol};
use crate::rewrite::uses::{Loop, Uses};
use crate::syntax::token::Name;

/// Lengths that are tried at most, for each sum.
const TRIED: usize = 16;
/// Dimensions of numbers at most.
const DEPTH: usize = 3;

/// Names the numeric row lengths in the indices of all arrays.
pub(super) fn name_pitches(uses: &mut Uses, known: &Known<'_>) {
    let mut names: Vec<Name> = Vec::new();
    for one in &uses.all {
        if !names.contains(&one.array) {
            names.push(one.array.clone());
        }
    }
    for name in names {
        let own: Vec<usize> = (0..uses.all.len()).filter(|&at| uses.all[at].array == name).collect();
        let indices: Option<Vec<Polynomial>> = own.iter().map(|&at| uses.all[at].index.clone()).collect();
        let Some(mut indices) = indices else { continue };
        for step in steps(&indices) {
            let along: Vec<Polynomial> = indices.iter().map(|index| index.along(&step)).collect();
            let Some(divided) = divided(&along, &uses.loops, known, DEPTH) else { continue };
            let factor = Polynomial::product(step);
            for ((index, before), after) in indices.iter_mut().zip(&along).zip(&divided) {
                let change = after.plus(before, -1).times(&factor);
                *index = change.map_or_else(|| index.clone(), |change| index.plus(&change, 1));
            }
        }
        for (at, index) in own.into_iter().zip(indices) {
            uses.all[at].index = Some(index);
        }
    }
}

/// The products of parameters in some indices, each once.
fn steps(indices: &[Polynomial]) -> Vec<Vec<Symbol>> {
    let mut steps: Vec<Vec<Symbol>> = Vec::new();
    for factors in indices.iter().flat_map(|index| index.0.keys()) {
        let step: Vec<Symbol> = factors.iter().copied().filter(|symbol| symbol.is_step()).collect();
        if !steps.contains(&step) {
            steps.push(step);
        }
    }
    steps
}

/// The smallest and the largest value of several sums inside a block.
fn span(all: &[Polynomial], loops: &[Loop], known: &Known<'_>) -> Option<i64> {
    let (mut least, mut most) = (i64::MAX, i64::MIN);
    for one in all {
        let (low, high) = known.range(one, loops)?;
        (least, most) = (least.min(low), most.max(high));
    }
    most.checked_sub(least)?.checked_add(1)
}

/// The sums with rows of the length that leaves the fewest elements. `None` if there is no such length.
fn divided(all: &[Polynomial], loops: &[Loop], known: &Known<'_>, depth: usize) -> Option<Vec<Polynomial>> {
    if depth == 0 {
        return None;
    }
    let mut lengths: Vec<i64> = Vec::new();
    for (factors, value) in all.iter().flat_map(|one| one.0.iter()) {
        let length = value.checked_abs()?;
        if !factors.is_empty() && length > 1 && !lengths.contains(&length) {
            lengths.push(length);
        }
    }
    lengths.sort_unstable();
    let whole = span(all, loops, known)?;
    let mut best: Option<(i64, i64, Vec<Polynomial>, Vec<Polynomial>)> = None;
    for length in lengths.into_iter().take(TRIED) {
        let (rows, columns): (Vec<Polynomial>, Vec<Polynomial>) = all.iter().map(|one| split(one, length)).unzip();
        let (Some(height), Some(width)) = (span(&rows, loops, known), span(&columns, loops, known)) else { continue };
        let Some(elements) = height.checked_mul(width) else { continue };
        let least = best.as_ref().map_or(whole, |(least, ..)| *least);
        if width <= length && height > 1 && elements < least {
            best = Some((elements, length, rows, columns));
        }
    }
    let (_, length, rows, columns) = best?;
    let rows = divided(&rows, loops, known, depth - 1).unwrap_or(rows);
    let columns = divided(&columns, loops, known, depth - 1).unwrap_or(columns);
    let pitch = Polynomial::symbol(Symbol::Pitch(length));
    rows.iter().zip(&columns).map(|(row, column)| Some(row.times(&pitch)?.plus(column, 1))).collect()
}

/// A sum as a multiple of `length` and the rest. A number goes to the nearest row, so that the element to the left of a row's first
/// one is a column of -1.
fn split(sum: &Polynomial, length: i64) -> (Polynomial, Polynomial) {
    let (mut rows, mut columns) = (Polynomial::default(), Polynomial::default());
    for (factors, value) in sum.0.iter() {
        let row = match factors.is_empty() {
            true => value.saturating_add(length / 2).div_euclid(length),
            false => value / length,
        };
        if row != 0 {
            rows.add_term(factors.clone(), row);
        }
        if value - row * length != 0 {
            columns.add_term(factors.clone(), value - row * length);
        }
    }
    (rows, columns)
}
