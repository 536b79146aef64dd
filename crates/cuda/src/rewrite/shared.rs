//! Moves to shared memory: each block copies the elements that it uses to a tile, and waits for all its threads.
//!
//! The tile has a dimension for each product of parameters and row lengths in the indices: of `(y + 1) * width + x` these are rows of
//! `width` and columns. The part of the index that only the block decides is the tile's corner. If the indices are no
//! such sums, or the tile would not be smaller, the whole array is copied.

use crate::rewrite::copies::{Copied, Order};
use crate::rewrite::kernel::{refuse, Kernel, Plan};
use crate::rewrite::parts::returns;
use crate::rewrite::polynomial::{Polynomial, Symbol};
use crate::rewrite::uses::{Doing, Form, Use};
use crate::rewrite::{Refusal, Space};
use bytecode::sorted::SortedSet;
use std::fmt::Write as _;

/// Bytes of shared memory that a block can declare on every GPU (CUDA programming guide).
const STATIC_BYTES: u64 = 49_152;
/// Threads that every GPU can have on an SM. Tiles of so many threads together have [`STATIC_BYTES`] at most, if parts are possible.
const THREADS: u64 = 1024;
/// Shared memory has this number of banks of four bytes (CUDA programming guide).
const BANKS: i64 = 32;

/// A dimension of a tile.
pub(super) struct Side {
    /// The step between neighbours in the array.
    pub step: Polynomial,
    /// What the block adds to the position, without `least`.
    block: Polynomial,
    /// The smallest position that the block's threads add.
    least: i64,
    pub size: u64,
}

/// The part of an array that a block uses.
pub(super) struct Tile {
    pub sides: Vec<Side>,
    /// The index in the array of the tile's first element.
    pub corner: Polynomial,
    /// The loop whose parts fill the tile anew, by its number.
    part: Option<usize>,
}

/// Whether a product has a factor of the block, or of the loop with this number, and one that varies inside the block. No
/// corner of a tile has such a product.
fn mixes(factors: &[Symbol], part: Option<usize>) -> bool {
    let varies = |s: &Symbol| matches!(s, Symbol::Thread(_) | Symbol::Loop(_));
    let of_part = |s: &Symbol| part.is_some_and(|number| *s == Symbol::Loop(number));
    let block = factors.iter().any(|s| matches!(s, Symbol::Block(_)));
    let loops = factors.iter().filter(|s| of_part(s)).count();
    block && factors.iter().any(varies) || loops > 0 && factors.iter().filter(|s| varies(s)).count() > 1
}

/// What the start of the current part of a loop adds to a position.
fn of_part(position: &Polynomial, part: Option<usize>) -> Polynomial {
    let mut out = Polynomial::default();
    let Some(number) = part else { return out };
    let terms = position.0.iter().filter(|(factors, _)| factors.contains(&Symbol::Loop(number)));
    terms.for_each(|(factors, value)| out.add_term(factors.clone(), *value));
    out.with(Symbol::Loop(number), &[Symbol::Part(number)])
}

/// The outermost loop around a use, if the index counts it.
fn counts(u: &Use) -> Option<usize> {
    let number = *u.loops.first()?;
    let index = u.index.as_ref()?;
    index.0.keys().flatten().any(|symbol| *symbol == Symbol::Loop(number)).then_some(number)
}

impl Tile {
    pub fn elements(&self) -> u64 {
        self.sides.iter().fold(1, |product, side| product.saturating_mul(side.size))
    }
}

impl Kernel<'_> {
    pub fn to_shared(&self, array: &str, plan: &mut Plan) -> Result<(), Refusal> {
        let (elements, bytes) = self.size(array)?;
        let room = STATIC_BYTES.saturating_sub(plan.tile_bytes + self.known.facts.shared_bytes);
        if self.updates(array) {
            return self.to_private(array, room, plan);
        }
        if let Some(u) = self.uses_of(array).find(|u| u.form == Form::Address) {
            return refuse(array, format!("line {} hands its address on", u.pos.line));
        }
        self.check_addresses(array, false)?;
        let threads: u64 = self.known.facts.block.iter().map(|n| u64::from(*n)).product();
        let staged = self.uses_of(array).any(|u| u.staged);
        if staged && self.accesses(array, None).is_some_and(|accesses| accesses <= threads) {
            // The text without the copies is another choice, so its refusal says why there is none.
            return match self.take_back(&[(array, Space::Global)]) {
                Err(stays) => refuse(array, format!("the text copies it to shared memory already: {}", stays.reason)),
                Ok(_) => refuse(array, "the text copies it to shared memory already"),
            };
        }
        let element = self.element(array)?;
        let written = self.uses_of(array).any(|u| u.doing == Doing::Writes);
        let tile = self.tile(array, None);
        if let Some(tile) = &tile {
            self.check_reuse(array, tile)?;
        }
        // A copy of the whole array has the indices of the text, which do not count from a pointer into it.
        let pointer = self.uses_of(array).any(|u| u.form == Form::Pointer);
        let whole = tile.as_ref().is_none_or(|tile| tile.elements() >= elements && !pointer);
        let needed = bytes * if whole { elements } else { tile.as_ref().map_or(elements, Tile::elements) };
        let crowds = (plan.tile_bytes + needed).saturating_mul(THREADS / threads.clamp(1, THREADS)) > STATIC_BYTES;
        let part = match needed > room {
            true => self.part_tile(array, room / bytes, written, false)?,
            false if crowds => self.part_tile(array, room / bytes, written, true).ok().flatten(),
            false => None,
        };
        if let Some(tile) = part {
            plan.tile_bytes += bytes * tile.elements();
            return self.stage_tile(array, &element, &tile, false, plan);
        }
        if needed > room {
            let reason = match self.uses_of(array).find(|u| u.index.is_none()) {
                Some(u) => format!(
                    "the index in line {} does not show which part a block needs, and the whole array does not fit: {needed} bytes of {room}",
                    u.pos.line
                ),
                None => format!("does not fit: {needed} bytes of a block's {room}"),
            };
            return refuse(array, reason);
        }
        plan.tile_bytes += needed;
        match tile.filter(|_| !whole || written) {
            Some(tile) => {
                if written {
                    self.check_write_back(array, &tile)?;
                }
                self.stage_tile(array, &element, &tile, written, plan)
            }
            None if written => {
                refuse(array, "the kernel writes it, and the text does not show which block owns an element")
            }
            None => self.stage_whole(array, &element, plan),
        }
    }

    /// The part of an array that a block uses. `None` if an index is not a sum of known products, or if the uses start
    /// from different places.
    /// With `part`, the tile of a part of the loop with this number.
    fn tile(&self, array: &str, part: Option<usize>) -> Option<Tile> {
        let mut loops = self.uses.loops.clone();
        if let Some(l) = part.and_then(|number| loops.get_mut(number)) {
            l.range = (0, l.part() - l.step);
        }
        let indices: Vec<&Polynomial> = self.tiled(array, part).map(|u| u.index.as_ref()).collect::<Option<_>>()?;
        let bare: Vec<Polynomial> = indices.iter().map(|index| self.known.bare(index)).collect::<Option<_>>()?;
        let mut terms = bare.iter().flat_map(|index| index.0.keys());
        // The text of a chosen value names the variable of the loop, which parts do not count.
        let chosen = indices.iter().flat_map(|index| index.0.keys()).flatten().any(|s| matches!(s, Symbol::Chosen(_)));
        if terms.any(|factors| mixes(factors, part)) || part.is_some() && chosen {
            return None;
        }
        let parameters =
            |factors: &Vec<Symbol>| -> Vec<Symbol> { factors.iter().copied().filter(|s| s.is_step()).collect() };
        let mut steps: Vec<Vec<Symbol>> = Vec::new();
        for step in indices.iter().flat_map(|i| i.0.keys().map(parameters)) {
            if !steps.contains(&step) {
                steps.push(step);
            }
        }
        // The longest product is the largest step, and of numbers the largest one.
        let number = |step: &[Symbol]| -> i64 {
            step.iter().fold(1, |product, symbol| match symbol {
                Symbol::Pitch(length) => product.saturating_mul(*length),
                _ => product,
            })
        };
        let longest = |a: &Vec<Symbol>, b: &Vec<Symbol>| b.len().cmp(&a.len());
        base::sort_by(&mut steps, |a, b| longest(a, b).then(number(b).cmp(&number(a))).then_with(|| a.cmp(b)));
        let (mut sides, mut corner) = (Vec::new(), Polynomial::default());
        for factors in steps {
            let step = Polynomial::product(factors.clone());
            let first = indices.first()?.along(&factors);
            let block = self.known.bare(&first)?.of_block().plus(&of_part(&first, part), 1);
            let (mut least, mut most) = (i64::MAX, i64::MIN);
            for index in &indices {
                let position = index.along(&factors);
                if self.known.bare(&position)?.of_block().plus(&of_part(&position, part), 1) != block {
                    return None;
                }
                // The block's share counts as 0 there.
                let (low, high) = self.known.range(&position, &loops)?;
                (least, most) = (least.min(low), most.max(high));
            }
            let size = most.checked_sub(least)?.checked_add(1)? as u64;
            corner = corner.plus(&block.plus(&Polynomial::number(least), 1).times(&step)?, 1);
            if size > 1 {
                sides.push(Side { step, block, least, size });
            }
        }
        Some(Tile { sides, corner, part })
    }

    /// The uses that read a tile. Of a loop that is made in parts, they are those whose index it counts. Others stay in global memory.
    fn tiled<'u>(&'u self, array: &'u str, part: Option<usize>) -> impl Iterator<Item = &'u Use> + 'u {
        self.uses_of(array).filter(move |u| part.is_none_or(|number| counts(u) == Some(number)))
    }

    /// Accesses of a block's threads to a tile, without those that copy to shared memory. `None` if a loop has no known bounds.
    fn accesses(&self, array: &str, part: Option<usize>) -> Option<u64> {
        let threads: u64 = self.known.facts.block.iter().map(|n| u64::from(*n)).product();
        let mut accesses = 0u64;
        for u in self.tiled(array, part).filter(|u| !u.staged) {
            let mut times = threads;
            for l in &u.loops {
                let l = self.uses.loops.get(*l)?;
                times = times.saturating_mul((l.range.1.checked_sub(l.range.0)? / l.step).checked_add(1)? as u64);
            }
            accesses = accesses.saturating_add(times);
        }
        Some(accesses)
    }

    /// A tile that is filled once for each part of the loop around its uses, and around `all` uses if that is asked for. `None` if there
    /// is no such loop, or no tile of at most `room` elements. The error says why the loop cannot have a barrier.
    fn part_tile(&self, array: &str, room: u64, written: bool, all: bool) -> Result<Option<Tile>, Refusal> {
        let Some(number) = self.uses_of(array).find_map(counts) else { return Ok(None) };
        let around = !all || self.uses_of(array).all(|u| u.loops.first() == Some(&number));
        let Some(l) = self.uses.loops.get(number).filter(|_| around && !written) else { return Ok(None) };
        let shorter = l.part() <= l.range.1.saturating_sub(l.range.0);
        let tile = shorter.then(|| self.tile(array, Some(number))).flatten();
        let fits = |tile: &Tile| tile.elements() <= room / 2 && !tile.corner.0.is_empty();
        let Some(tile) = tile.filter(fits) else { return Ok(None) };
        // Each part has its share of the accesses.
        let all = (l.range.1.saturating_sub(l.range.0) / l.step).saturating_add(1);
        let rounds = (l.part() / l.step) as u64;
        let accesses = self
            .accesses(array, Some(number))
            .map_or(u64::MAX, |accesses| (accesses / all as u64).saturating_mul(rounds));
        if accesses <= tile.elements() {
            return refuse(array, "staging without reuse: a block uses each element once at most");
        }
        self.check_part(array, number)?;
        Ok(Some(tile))
    }

    /// Staging pays only if some element is used more than once by a block.
    fn check_reuse(&self, array: &str, tile: &Tile) -> Result<(), Refusal> {
        match self.accesses(array, None).is_none_or(|accesses| accesses > tile.elements()) {
            true => Ok(()),
            false => refuse(array, "staging without reuse: a block uses each element once at most"),
        }
    }

    /// A tile that is written goes back, so no two blocks may own an element, and no thread may leave before.
    fn check_write_back(&self, array: &str, tile: &Tile) -> Result<(), Refusal> {
        if self.statements().iter().any(returns) {
            return refuse(array, "a thread may return early, and then it could not help to copy the elements back");
        }
        self.check_rows_apart(array, tile)?;
        let mut all = self.uses_of(array).map(|u| &u.index);
        let first = all.next();
        let same = all.all(|index| Some(index) == first);
        for d in (0..3).filter(|d| self.known.facts.grid[*d] > 1) {
            let apart = tile.sides.iter().any(|side| {
                side.block.0.len() == 1
                    && side.block.0.iter().all(|(factors, value)| {
                        let rest: Vec<Symbol> = factors.iter().copied().filter(|s| *s != Symbol::Block(d)).collect();
                        let mut times = Polynomial::default();
                        times.add_term(rest.clone(), *value);
                        let reach = self.known.range(&times, &[]).map_or(0, |(low, _)| low);
                        rest.len() + 1 == factors.len() && reach >= side.size as i64
                    })
            });
            if !apart || !same {
                return refuse(array, "several blocks may use an element, and each would have its own copy");
            }
        }
        Ok(())
    }

    /// A position along a row that leaves the row is an element of another row, which has a second slot or another owner.
    fn check_rows_apart(&self, array: &str, tile: &Tile) -> Result<(), Refusal> {
        let value = |step: &Polynomial| self.known.range(step, &[]).map(|(step, _)| step);
        let step_of = |factors: &[Symbol]| -> Polynomial {
            Polynomial::product(factors.iter().copied().filter(|s| s.is_step()).collect())
        };
        for (index, side) in
            self.uses_of(array).filter_map(|u| u.index.as_ref()).flat_map(|i| tile.sides.iter().map(move |s| (i, s)))
        {
            let outer = value(&side.step);
            let mut inner = Polynomial::default();
            for (factors, times) in index.0.iter().filter(|(factors, _)| value(&step_of(factors)) < outer) {
                inner.add_term(factors.clone(), *times);
            }
            let reach =
                self.known.range_in_grid(&inner, &self.uses.loops).and_then(|(low, high)| high.checked_sub(low));
            if outer.zip(reach).is_none_or(|(step, reach)| reach >= step) {
                return refuse(array, "positions along a row may leave the row, so an element may have several owners");
            }
        }
        Ok(())
    }

    fn stage_whole(&self, array: &str, element: &str, plan: &mut Plan) -> Result<(), Refusal> {
        if self.parameter(array).is_some() {
            self.check_rows(array)?;
        }
        let (elements, _) = self.size(array)?;
        let tile = self.source.fresh(&format!("{array}_tile"));
        if let Some(u) = self.uses_of(array).find(|u| u.form == Form::Pointer) {
            return refuse(array, format!("line {} reads it through a pointer", u.pos.line));
        }
        for (name, ..) in self.places(array)? {
            plan.edits.replace(self.source.start(name)..self.source.end(name), tile.clone());
        }
        let at = self.source.fresh("at");
        let (thread, threads) = self.threads();
        if let Some((_, declared)) = self.declaration(array) {
            let mut end = self.source.close(declared + 1).unwrap_or(declared + 1);
            let mut rows = false;
            while self.source.tokens.get(end + 1).is_some_and(|t| t.is("[")) {
                rows = true;
                end = self.source.close(end + 1).unwrap_or(end + 1);
            }
            if rows {
                let dims = &self.source.text[self.source.start(declared + 1)..self.source.end(end)];
                plan.entry.push(format!(
                    "    // Each block copies `{array}` to shared memory.\n    __shared__ {element} {tile}{dims};\n    \
                     for (int {at} = {thread}; {at} < sizeof({tile}) / sizeof({element}); {at} += {threads})\n        \
                     (({element} *){tile})[{at}] = ((const {element} *){array})[{at}];\n"
                ));
                return Ok(());
            }
        }
        plan.entry.push(format!(
            "    // Each block copies `{array}` to shared memory.\n    __shared__ {element} {tile}[{elements}];\n    \
             for (int {at} = {thread}; {at} < {elements}; {at} += {threads})\n        {tile}[{at}] = {array}[{at}];\n"
        ));
        Ok(())
    }

    fn stage_tile(
        &self,
        array: &str,
        element: &str,
        tile: &Tile,
        written: bool,
        plan: &mut Plan,
    ) -> Result<(), Refusal> {
        self.check_rows(array)?;
        let (elements, bytes) = self.size(array)?;
        let name = self.source.fresh(&format!("{array}_tile"));
        let rows = tile.elements() / tile.sides.last().map_or(1, |side| side.size);
        // `tile_bytes` has the tile without its padding.
        let used = plan.tile_bytes + self.known.facts.shared_bytes + rows * bytes;
        let room = STATIC_BYTES.saturating_sub(used - rows * bytes) / (rows * bytes).max(1);
        let padding = self.padding(array, tile, (bytes, room));
        plan.tile_bytes += padding * rows * bytes;
        let mut shape = String::new();
        for (number, side) in tile.sides.iter().enumerate() {
            let last = number + 1 == tile.sides.len();
            // Writing to a String cannot fail.
            let _ = write!(shape, "[{}]", side.size + if last { padding } else { 0 });
        }
        if shape.is_empty() {
            shape = "[1]".into();
        }
        let zeros = plan.unguarded && !written && self.elements(array)?.iter().all(|element| is_scalar(element));
        for u in self.tiled(array, tile.part) {
            let (from, _, end) = self.place(array, u)?;
            let index = self.index_in_tile(u, tile);
            if zeros {
                for piece in self.guard(u, from, end).unwrap_or_default() {
                    if plan.guards.insert(piece.start) {
                        plan.edits.replace(self.source.start(piece.start)..self.source.start(piece.end), "");
                    }
                }
            }
            plan.edits.replace(self.source.start(from)..self.source.end(end), format!("{name}{index}"));
        }
        let fresh = |name: &str| self.source.fresh(name);
        let (corner, from) = (self.text_of(&tile.corner), fresh("from"));
        let (names, positions) = match self.order(tile) {
            Order::Rows(_) => {
                let places = vec![fresh("row"), fresh("column")];
                ([&places[..], std::slice::from_ref(&from)].concat(), places)
            }
            Order::Elements => {
                let at = fresh("at");
                let mut inner = tile.elements();
                let position = |(number, side): (usize, &Side)| {
                    inner /= side.size;
                    let rest = if inner > 1 { format!("{at} / {inner}") } else { at.clone() };
                    if number > 0 {
                        format!("{rest} % {}", side.size)
                    } else {
                        rest
                    }
                };
                let positions = tile.sides.iter().enumerate().map(position).collect();
                (vec![at.clone(), from.clone()], positions)
            }
        };
        let (mut slot, mut index) = (String::new(), corner);
        for (side, position) in tile.sides.iter().zip(&positions) {
            let _ = write!(slot, "[{position}]");
            let step = self.text_of(&side.step);
            let _ = match (step.as_str(), names.contains(position)) {
                ("1", _) => write!(index, " + {position}"),
                (_, true) => write!(index, " + {position} * {step}"),
                (..) => write!(index, " + ({position}) * {step}"),
            };
        }
        if slot.is_empty() {
            slot = "[0]".into();
        }
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let copy = |into: &str, out: &str, or: Option<&str>| {
            self.copy_text(tile, elements, &names, &index, &Copied { into, out, or })
        };
        let (place, source) = (format!("{name}{slot}"), format!("{array}[{from}]"));
        let into = copy(&place, &source, zeros.then_some("0"));
        let padded = match padding {
            0 => String::new(),
            1 => " The last column keeps rows in different banks.".into(),
            more => format!(" The last {more} columns keep rows in different banks."),
        };
        let declared = format!(
            "    // Each block copies its part of `{array}` to shared memory.{padded}\n    __shared__ {element} {name}{shape};\n"
        );
        match tile.part {
            Some(number) => {
                plan.declared.push(declared);
                plan.parts.get_or_insert_with(number, Vec::new).push(into);
            }
            None => plan.entry.push(declared + &into),
        }
        if written {
            plan.exit.push(format!("    // The part of `{array}` goes back.\n{}", copy(&source, &place, None)));
        }
        Ok(())
    }

    /// The index of a use in its tile, as C.
    fn index_in_tile(&self, u: &Use, tile: &Tile) -> String {
        let Some(index) = &u.index else { return String::new() };
        let mut out = String::new();
        for side in &tile.sides {
            let factors = side.step.0.keys().next().cloned().unwrap_or_default();
            let mut position = index.along(&factors);
            if let Some(number) = tile.part {
                let since = [Symbol::Part(number), Symbol::Round(number)];
                let has_parts = self.uses.loops[number].has_parts();
                position = position.with(Symbol::Loop(number), &since[..if has_parts { 1 } else { 2 }]);
            }
            let position = position.plus(&side.block, -1).plus(&Polynomial::number(side.least), -1);
            let _ = write!(out, "[{}]", self.text_of_signed(&position));
        }
        if out.is_empty() {
            out.push_str("[0]");
        }
        out
    }

    /// The fewest more elements per row, up to `room`, that save the most bank conflicts of a block's warps.
    fn padding(&self, array: &str, tile: &Tile, (bytes, room): (u64, u64)) -> u64 {
        if tile.sides.len() < 2 {
            return 0;
        }
        let [x, y, z] = self.known.facts.block.map(|threads| i64::from(threads.max(1)));
        let passes = |padding: i64| -> usize {
            let uses = self.tiled(array, tile.part).filter_map(|u| self.known.bare(u.index.as_ref()?));
            let warps = (0..x * y * z).step_by(BANKS as usize);
            uses.flat_map(|index| warps.clone().map(move |first| (index.clone(), first)))
                .map(|(index, first)| {
                    let mut words = SortedSet::default();
                    for lane in first..(first + BANKS).min(x * y * z) {
                        let thread = [lane % x, lane / x % y, lane / x / y];
                        let mut slot = 0i64;
                        for (number, side) in tile.sides.iter().enumerate() {
                            let factors = side.step.0.keys().next().cloned().unwrap_or_default();
                            let last = number + 1 == tile.sides.len();
                            let size = side.size as i64 + if last { padding } else { 0 };
                            slot = slot * size + self.lane_position(&index.along(&factors), &thread);
                        }
                        words.insert(slot * bytes as i64 / 4);
                    }
                    let mut banks = [0usize; BANKS as usize];
                    words.iter().for_each(|word| banks[word.rem_euclid(BANKS) as usize] += 1);
                    banks.into_iter().max().unwrap_or(0)
                })
                .sum()
        };
        let fitting = 0..=(BANKS - 1).min(i64::try_from(room).unwrap_or(0));
        fitting.min_by_key(|&padding| (passes(padding), padding)).unwrap_or(0) as u64
    }

    /// The position of a thread, with loops at their starts and without what the block adds.
    fn lane_position(&self, position: &Polynomial, thread: &[i64; 3]) -> i64 {
        let mut sum = 0i64;
        for (factors, value) in position.0.iter() {
            let product = factors.iter().fold(*value, |product, factor| {
                product.wrapping_mul(match *factor {
                    Symbol::Thread(d) => thread[d],
                    Symbol::Loop(l) => self.uses.loops.get(l).map_or(0, |l| l.range.0),
                    Symbol::BlockSize(d) => self.known.facts.block[d].into(),
                    Symbol::GridSize(d) => self.known.facts.grid[d].into(),
                    Symbol::Block(_)
                    | Symbol::Parameter(_)
                    | Symbol::Quotient(..)
                    | Symbol::Pitch(_)
                    | Symbol::Local(_)
                    | Symbol::Operation(_)
                    | Symbol::Part(_)
                    | Symbol::Round(_)
                    | Symbol::Chosen(_) => 0,
                })
            });
            sum = sum.wrapping_add(product);
        }
        sum
    }

    /// The number of a thread in its block and the number of threads, as C.
    pub fn threads(&self) -> (&'static str, &'static str) {
        match self.known.facts.block {
            [_, 1, 1] => ("threadIdx.x", "blockDim.x"),
            [_, _, 1] => ("threadIdx.y * blockDim.x + threadIdx.x", "blockDim.x * blockDim.y"),
            _ => (
                "(threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x",
                "blockDim.x * blockDim.y * blockDim.z",
            ),
        }
    }
}

/// Whether 0 is a value of an element type.
fn is_scalar(element: &str) -> bool {
    const SCALARS: [&str; 12] =
        ["float", "double", "int", "unsigned", "long", "short", "char", "signed", "bool", "uint", "size_t", "int32_t"];
    element.split(' ').all(|word| SCALARS.contains(&word))
}
