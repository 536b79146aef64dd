//! Takes back what a text stages in shared memory: the reads of a shared array become reads of the array that it is a copy of.
//!
//! A copy such as `tile[r][c] = a[(y + r) * n + x + c]` gives for each element of the tile the element of the array, as a sum of the
//! tile's indices with known steps. A read of `tile[i][j]` becomes `a[y * n + x + i * n + j]`. The statements that copy go, with the
//! loops and conditions around them, and so does the declaration. Barriers go if no shared array is left and `barriers.rs` finds no other
//! use of them. Conditions of a copy, as in `y + r < n ? a[…] : 0`, move to the reads. An `if` around a copy moves to the reads if it
//! depends on the block. Then no copy fills the other elements, and they are read as 0.
//!
//! Nothing proves that the text reads an element only after it was copied in the same round. `cuda_vm` compares the results.

use crate::rewrite::conditions::Condition;
use crate::rewrite::kernel::{refuse, Kernel, Plan};
use crate::rewrite::polynomial::{Polynomial, Symbol};
use crate::rewrite::staging::{Copy, Read, SharedArray, Staging};
use crate::rewrite::types::parameter;
use crate::rewrite::uses::{self, is_signed, Doing, Form, Use, Uses};
use crate::rewrite::{Refusal, Rewritten, Space};
use crate::syntax::ast::{BinaryOp, ExprKind, Scalar, Stmt, StmtKind, TypeExpr, TypeKind};
use crate::syntax::token::{Name, Pos};
use bytecode::sorted::SortedSet;
use std::ops::Range;

/// A sum of the indices of a shared element, each with its step, and of what is the same for all elements.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Affine {
    pub base: Polynomial,
    pub steps: Vec<Polynomial>,
}

/// What a shared array is a copy of.
struct Origin<'s> {
    shared: &'s SharedArray,
    reads: Vec<&'s Read>,
    copies: Vec<&'s Copy>,
    array: Name,
    /// The length of a row, if the shared array has one index and holds rows.
    pitch: Option<i64>,
    index: Affine,
    conditions: Vec<(Affine, BinaryOp, Affine)>,
    otherwise: String,
}

/// What the copies to a shared array say together.
struct Followed {
    index: Affine,
    conditions: Vec<(Affine, BinaryOp, Affine)>,
    otherwise: Option<Pos>,
}

/// A kernel and what it does with its shared arrays.
pub(super) struct Unstaging<'s, 'k> {
    pub kernel: &'s Kernel<'k>,
    pub uses: &'s Uses,
    staging: &'s Staging,
}

impl Kernel<'_> {
    /// Takes back the staging of the arrays that do not stay in shared memory. `None` if the text stages none of them, or if it
    /// cannot be taken back and the copies can read another memory.
    pub fn take_back(&self, moves: &[(&str, Space)]) -> Result<Option<Rewritten>, Refusal> {
        let staged = |array: &str| self.uses_of(array).any(|u| u.staged);
        let moved: Vec<(&str, Space)> =
            moves.iter().copied().filter(|(array, space)| *space != Space::Shared && staged(array)).collect();
        if moved.is_empty() {
            return Ok(None);
        }
        let globals: Vec<Name> = self.unit.globals.iter().map(|g| g.name.clone()).collect();
        let (uses, staging) = uses::find_staging(&self.function, &globals, &self.known, &self.unit);
        let arrays: Vec<&str> = moved.iter().map(|(array, _)| *array).collect();
        match (Unstaging { kernel: self, uses: &uses, staging: &staging }).text(&arrays) {
            Ok(taken) => Ok(Some(taken)),
            Err(refusal) if moved.iter().any(|(_, space)| *space == Space::Global) => Err(refusal),
            Err(_) => Ok(None),
        }
    }
}

impl<'s> Unstaging<'s, '_> {
    /// The text without the shared copies of some arrays.
    fn text(&self, arrays: &[&str]) -> Result<Rewritten, Refusal> {
        let mut plan = Plan::default();
        let mut gone: Vec<Pos> = Vec::new();
        let mut names: Vec<&Name> = Vec::new();
        for array in arrays {
            self.kernel.check(array, Space::Global)?;
            let writes = || self.uses.all.iter().filter(|u| *u.array == **array && u.doing == Doing::Writes);
            if writes().any(|u| u.form != Form::Address) {
                return refuse(array, "the kernel writes it, so its copies in shared memory stay");
            }
            if let Some(u) = writes().next() {
                return refuse(array, format!("line {} changes the pointer or hands it on", u.pos.line));
            }
            let own = self.staging.copies.iter().filter(|copy| *copy.array == **array);
            let shared = self.staging.arrays.iter().filter(|s| own.clone().any(|copy| copy.shared == s.name));
            for shared in shared.filter(|shared| !names.contains(&&shared.name)).collect::<Vec<_>>() {
                let origin = self.origin(array, shared)?;
                self.replace_reads(&origin, &mut plan)?;
                gone.extend(origin.copies.iter().map(|copy| copy.pos));
                names.push(&shared.name);
                plan.notes.push(format!("`{array}` is read where the text read its copy `{}`", shared.name));
                let mut tests = origin.copies.iter().flat_map(|copy| &copy.conditions);
                if tests.any(|condition| self.always_holds(condition)) {
                    plan.notes.push(format!("tests of `{}` that always hold in this launch are left out", shared.name));
                }
            }
        }
        if names.is_empty() {
            let copy = self.uses.all.iter().find(|u| *u.array == *arrays[0] && u.staged);
            let line = copy.map_or(0, |u| u.pos.line);
            return refuse(
                arrays[0],
                format!("line {line} does not show which of its elements the shared array holds"),
            );
        }
        let left = self.staging.left(&names);
        for shared in self.staging.arrays.iter().filter(|shared| left.iter().all(|left| left.name != shared.name)) {
            gone.push(shared.pos);
            if shared.memory.is_none() && shared.of.is_none() {
                let name = &shared.name;
                plan.notes.push(format!("the launch still gives the bytes of `{name}`; take them out of it"));
            }
        }
        let barriers = left.is_empty() && !self.kernel.exchanges(self.uses);
        if let Some(StmtKind::Block(body)) = self.kernel.function.body.as_ref().map(|body| &body.kind) {
            for stmt in body {
                self.remove_gone(stmt, &gone, barriers, false, &mut plan)?;
            }
        }
        match plan.edits.apply(self.kernel.source.text) {
            Some(text) => Ok(Rewritten { text, notes: plan.notes }),
            None => refuse(arrays[0], "the text reads one shared array at an index from another one"),
        }
    }

    /// What a shared array is a copy of.
    fn origin(&self, array: &str, shared: &'s SharedArray) -> Result<Origin<'s>, Refusal> {
        let name = &shared.name;
        let no = |why: String| refuse(array, format!("its copy `{name}` stays: {why}"));
        if let Some((line, what)) = self.staging.other_use(shared) {
            return no(format!("line {line}, {what}"));
        }
        if let Some(other) = self.staging.other_name(shared) {
            return no(format!("`{other}` stands for elements of it too"));
        }
        let copies: Vec<&Copy> = self.staging.copies.iter().filter(|copy| copy.shared == *name).collect();
        let reads: Vec<&Read> = self.staging.reads.iter().filter(|read| read.shared == *name).collect();
        if copies.iter().any(|copy| *copy.array != *array) {
            return no("several arrays are copied to it".into());
        }
        if !self.same_element(array, &shared.element) {
            return no("its elements have another type".into());
        }
        let last = copies.iter().map(|copy| copy.pos).max();
        if let Some(read) = reads.iter().find(|read| Some(read.pos) < last) {
            return no(format!("line {} reads it before the text fills it", read.pos.line));
        }
        let live: Vec<&Copy> = copies.iter().copied().filter(|copy| !copy.dead).collect();
        let around = common(live.iter().map(|copy| &copy.path).chain(reads.iter().map(|read| &read.path)));
        let under = common(live.iter().map(|copy| &copy.under).chain(reads.iter().map(|read| &read.under)));
        if let Some((line, why)) = live.iter().find_map(|copy| self.fills_partly(&copy.under[under.len()..], &around)) {
            return no(format!("line {line} {why}"));
        }
        let on = self.pointer_steps(array, &live, &reads, (&around, &under))?;
        let pitches = std::iter::once(None).chain(pitches(shared, &live, self).into_iter().map(Some));
        let found = pitches.filter(|pitch| pitch.is_none() || reads.iter().all(|read| read.indices[0].is_some()));
        let mut found = found.filter_map(|pitch| Some((pitch, self.affine_of(&live, pitch, &around, under.len())?)));
        let Some((pitch, Followed { mut index, conditions, otherwise })) = found.next() else {
            return no("the text does not show which element of the array each of its elements is".into());
        };
        index.base = index.base.plus(&on, -1);
        let otherwise = self.number_of_type(array, otherwise.and_then(|pos| self.number_at(pos)))?;
        let origin = Origin { shared, reads, copies, array: array.into(), pitch, index, conditions, otherwise };
        let hidden = |read: &&&Read| origin.symbols().iter().any(|s| self.is_hidden(*s, read));
        match origin.reads.iter().find(hidden) {
            Some(read) => no(format!("line {} does not have the names that its copy has", read.pos.line)),
            None => Ok(origin),
        }
    }

    /// The line of a condition under which a copy fills its element in some rounds of the loops `around` and not in others, so that
    /// reads find what an earlier round left there.
    fn fills_partly(&self, under: &[usize], around: &[Pos]) -> Option<(u32, &'static str)> {
        under.iter().map(|&test| &self.uses.tests[test]).find_map(|test| {
            let Some(conditions) = &test.conditions else {
                return Some((test.line, "fills it under a condition that is no comparison of sums"));
            };
            let changes = conditions.iter().flat_map(|(left, _, right)| [left, right]);
            let changes = changes.flat_map(|side| side.0.keys()).flatten().any(|s| self.changes(*s, around));
            changes.then_some((test.line, "fills it in some rounds only"))
        })
    }

    /// Whether a factor can differ between rounds of the loops `around`.
    fn changes(&self, symbol: Symbol, around: &[Pos]) -> bool {
        match symbol {
            Symbol::Loop(l) => self.uses.loops.get(l).is_none_or(|l| around.contains(&l.pos)),
            Symbol::Local(number) => {
                let counted = self.staging.locals.get(number).and_then(|(_, counted)| *counted);
                !around.is_empty() && counted.is_none_or(|pos| around.contains(&pos))
            }
            Symbol::Operation(number) => self.factors_of(number).into_iter().any(|symbol| self.changes(symbol, around)),
            _ => false,
        }
    }

    /// Whether a factor differs between blocks.
    pub fn is_of_block(&self, symbol: Symbol) -> bool {
        match symbol {
            Symbol::Block(_) => true,
            Symbol::Operation(number) => self.factors_of(number).into_iter().any(|symbol| self.is_of_block(symbol)),
            _ => false,
        }
    }

    /// Whether an array has elements of this type.
    fn same_element(&self, array: &str, element: &TypeExpr) -> bool {
        let parameter = self.kernel.parameter(array).map(|p| &self.kernel.function.params[p].ty);
        let own = match parameter.or_else(|| self.kernel.global(array).map(|g| &g.ty)).map(|ty| &ty.kind) {
            Some(TypeKind::Pointer(to, _) | TypeKind::Array(to, _)) => &to.kind,
            _ => return false,
        };
        match (own, &element.kind) {
            (TypeKind::Scalar(a), TypeKind::Scalar(b)) => a == b,
            (TypeKind::Named(a), TypeKind::Named(b)) => a.plain().is_some() && a.plain() == b.plain(),
            _ => false,
        }
    }

    /// How far the pointer to an array moves between its copies and the reads of them.
    fn pointer_steps(
        &self,
        array: &str,
        copies: &[&Copy],
        reads: &[&Read],
        (around, under): (&[Pos], &[usize]),
    ) -> Result<Polynomial, Refusal> {
        let mut sum = Polynomial::default();
        let (first, last) = (copies.iter().map(|c| c.pos).min(), copies.iter().map(|c| c.pos).max());
        let (begin, end) = (reads.iter().map(|r| r.pos).min(), reads.iter().map(|r| r.pos).max());
        for step in self.staging.steps.iter().filter(|step| *step.array == *array) {
            let at = Some(step.pos);
            let always = under.starts_with(&step.under);
            if step.path == around && always && at > last && at < begin {
                sum = sum.plus(&step.by, 1);
            } else if !around.starts_with(&step.path) || !always || at >= first && at <= end {
                let line = step.pos.line;
                return refuse(
                    array,
                    format!("its copy in shared memory stays: line {line} moves the pointer meanwhile"),
                );
            }
        }
        Ok(sum)
    }

    /// Whether a factor differs between the threads of a block, or between rounds of loops that are not around all copies and reads.
    pub fn varies(&self, symbol: Symbol, around: &[Pos]) -> bool {
        match symbol {
            Symbol::Thread(_) => true,
            Symbol::Loop(l) => self.uses.loops.get(l).is_none_or(|l| !around.contains(&l.pos)),
            Symbol::Local(number) => {
                let counted = self.staging.locals.get(number).and_then(|(_, counted)| *counted);
                counted.is_none_or(|pos| !around.contains(&pos))
            }
            Symbol::Operation(number) => self.factors_of(number).into_iter().any(|symbol| self.varies(symbol, around)),
            _ => false,
        }
    }

    /// The factors of both sides of an operation.
    fn factors_of(&self, number: usize) -> Vec<Symbol> {
        let all = self.staging.operations.borrow();
        let sides = all.get(number).into_iter().flat_map(|(_, a, b)| [a, b]);
        sides.flat_map(|side| side.0.keys()).flatten().copied().collect()
    }

    /// The indices of a shared element: as they are, or as a row and a column.
    fn indices(&self, all: &[Polynomial], pitch: Option<i64>) -> Vec<Polynomial> {
        let Some(pitch) = pitch else { return all.to_vec() };
        let (mut row, mut column) = (Polynomial::default(), Polynomial::default());
        for (factors, value) in self.kernel.known.with_numbers(&all[0]).0.iter() {
            let (rows, rest) = match factors.is_empty() {
                true => (value.div_euclid(pitch), value.rem_euclid(pitch)),
                false if value % pitch == 0 => (value / pitch, 0),
                false => (0, *value),
            };
            row.add_term(factors.clone(), rows);
            column.add_term(factors.clone(), rest);
        }
        vec![row, column]
    }

    /// The array's index and the conditions as sums of a shared element's indices, in which all copies agree. A condition that only some
    /// copies have holds for all: such copies fill the rim of a tile. The first `outer` conditions around a copy are around the reads too.
    fn affine_of(&self, copies: &[&Copy], pitch: Option<i64>, around: &[Pos], outer: usize) -> Option<Followed> {
        let mut conditions: Vec<((Affine, BinaryOp, Affine), usize)> = Vec::new();
        let mut otherwise: Option<Pos> = None;
        let facts = &self.kernel.known;
        let sizes = |affine: &Affine| {
            (facts.with_sizes(&affine.base), affine.steps.iter().map(|s| facts.with_sizes(s)).collect::<Vec<_>>())
        };
        let each = copies.iter().map(|copy| {
            let to = self.indices(&copy.to, pitch);
            let own = self.express(&to, &copy.from, around);
            (copy, to, own)
        });
        // Copies that show the steps come first.
        let (shown, single): (Vec<_>, Vec<_>) = each.partition(|(.., own)| own.is_some());
        let index = shown.first()?.2.clone()?;
        for (copy, to, own) in shown.iter().chain(&single) {
            let rim = match own {
                Some(own) if sizes(own) != sizes(&index) => return None,
                Some(_) => None,
                None => Some(self.rim((copy, to), &index, (around, outer))?),
            };
            let side = |sum: &Polynomial| match &rim {
                Some(rim) => rim.side(self, sum, around),
                None => self.express(to, sum, around),
            };
            let tests = copy.under[outer..].iter().filter_map(|&test| self.uses.tests[test].conditions.as_ref());
            let of_block = |(left, _, right): &&Condition| {
                [left, right].into_iter().flat_map(|side| side.0.keys()).flatten().any(|s| self.is_of_block(*s))
            };
            let all = copy.conditions.iter().chain(tests.flatten().filter(of_block));
            for (left, op, right) in all.filter(|condition| !self.always_holds(condition)) {
                let own = (side(left)?, *op, side(right)?);
                let same = |(left, op, right): &(Affine, BinaryOp, Affine)| {
                    *op == own.1 && sizes(left) == sizes(&own.0) && sizes(right) == sizes(&own.2)
                };
                match conditions.iter_mut().find(|(known, _)| same(known)) {
                    Some((_, times)) => *times += 1,
                    None => conditions.push((own, 1)),
                }
            }
            if let Some(pos) = copy.otherwise {
                // A macro may write the number, and then no read can have it.
                let number = self.number_at(pos)?;
                if self.number_at(*otherwise.get_or_insert(pos)) != Some(number) {
                    return None;
                }
            }
        }
        // A condition of some copies that is the same for all elements says nothing of the others.
        let moves = |affine: &Affine| affine.steps.iter().any(|step| !step.0.is_empty());
        if conditions.iter().any(|((left, _, right), times)| *times < copies.len() && !moves(left) && !moves(right)) {
            return None;
        }
        let conditions = conditions.into_iter().map(|(condition, _)| condition).collect();
        Some(Followed { index, conditions, otherwise })
    }

    /// Whether a bounds test of a copy holds in all threads and rounds of this launch. A test of parameters alone is no bounds test.
    fn always_holds(&self, (left, op, right): &Condition) -> bool {
        let difference = left.plus(right, -1);
        let bounds = self.kernel.known.with_numbers(&difference).constant().is_none();
        let range = self.kernel.known.range_in_grid(&difference, &self.uses.loops);
        bounds
            && range.is_some_and(|(low, high)| match op {
                BinaryOp::Less => high < 0,
                BinaryOp::LessEqual => high <= 0,
                BinaryOp::Greater => low > 0,
                BinaryOp::GreaterEqual => low >= 0,
                _ => false,
            })
    }

    /// A sum as a sum of a shared element's indices.
    fn express(&self, to: &[Polynomial], sum: &Polynomial, around: &[Pos]) -> Option<Affine> {
        let mut moving: Vec<Symbol> = Vec::new();
        // What is the same for all elements of an index.
        let mut rests = vec![Polynomial::default(); to.len()];
        for (index, rest) in to.iter().zip(&mut rests) {
            for (factors, value) in index.0.iter() {
                match factors[..] {
                    [symbol] if self.varies(symbol, around) => moving.push(symbol),
                    _ if factors.iter().any(|symbol| self.varies(*symbol, around)) => return None,
                    _ => rest.add_term(factors.clone(), *value),
                }
            }
        }
        // What multiplies each moving factor.
        let mut base = Polynomial::default();
        let mut parts = vec![Polynomial::default(); moving.len()];
        for (factors, value) in sum.0.iter() {
            let mut varying = factors.iter().enumerate().filter(|(_, s)| self.varies(**s, around));
            let Some((at, symbol)) = varying.next() else {
                base.add_term(factors.clone(), *value);
                continue;
            };
            let number = moving.iter().position(|known| known == symbol).filter(|_| varying.next().is_none())?;
            let mut rest = factors.clone();
            rest.remove(at);
            parts[number].add_term(rest, *value);
        }
        let times = |index: &Polynomial, symbol: Symbol| index.0.get(&[symbol] as &[Symbol]).copied().unwrap_or(0);
        let mut steps = Vec::new();
        for (number, index) in to.iter().enumerate() {
            let alone =
                |symbol: Symbol| to.iter().enumerate().all(|(n, other)| n == number || times(other, symbol) == 0);
            let at = moving.iter().position(|&symbol| times(index, symbol) != 0 && alone(symbol))?;
            let by = times(index, moving[at]);
            let mut step = Polynomial::default();
            for (factors, value) in parts[at].0.iter() {
                step.add_term(factors.clone(), value.checked_div(by).filter(|each| each.wrapping_mul(by) == *value)?);
            }
            steps.push(step);
        }
        for (symbol, part) in moving.iter().zip(&parts) {
            let each = to.iter().zip(&steps);
            let all = each.fold(Polynomial::default(), |all, (index, step)| all.plus(step, times(index, *symbol)));
            if all != *part {
                return None;
            }
        }
        for (rest, step) in rests.iter().zip(&steps) {
            base = base.plus(&rest.times(step)?, -1);
        }
        Some(Affine { base, steps })
    }

    fn is_hidden(&self, symbol: Symbol, read: &Read) -> bool {
        match symbol {
            Symbol::Quotient(p, _) => self.is_hidden(Symbol::Parameter(p), read),
            Symbol::Operation(number) => self.factors_of(number).into_iter().any(|symbol| self.is_hidden(symbol, read)),
            Symbol::Parameter(_) | Symbol::Loop(_) | Symbol::Local(_) => !read.named.contains(&symbol),
            _ => false,
        }
    }

    /// The text of the number at a position.
    fn number_at(&self, pos: Pos) -> Option<&str> {
        let token = self.kernel.source.at(pos)?;
        let text = self.kernel.source.slice(token..token + 1);
        text.starts_with(|c: char| c.is_ascii_digit() || c == '.').then_some(text)
    }

    /// A number as an element of an array, so that the read has the array's type. Without a number it is 0.
    fn number_of_type(&self, array: &str, number: Option<&str>) -> Result<String, Refusal> {
        let element = self.kernel.element(array)?;
        if self.kernel.is_of_template(&element) {
            return Ok(number.map_or(format!("{element}()"), |number| format!("({element}){number}")));
        }
        let text = number.unwrap_or("0");
        let fits = match element.as_str() {
            "float" => !text.contains(['.', 'e', 'E']) || text.ends_with(['f', 'F']),
            "double" => true,
            _ => text.chars().all(|c| c.is_ascii_digit()),
        };
        let vector = element.ends_with(|c: char| c.is_ascii_digit()) && number.is_none();
        Ok(match (vector, fits) {
            (true, _) => format!("{element}()"),
            (_, true) => text.into(),
            (..) => format!("({element}){text}"),
        })
    }

    /// A sum as C, in signed numbers, so that the compiler sees that positions do not overflow, and conditions may be below 0.
    fn text_of(&self, sum: &Polynomial) -> String {
        sum.text(&|symbol| match symbol {
            Symbol::Thread(_) | Symbol::Block(_) | Symbol::BlockSize(_) | Symbol::GridSize(_) => {
                format!("(int){}", self.kernel.name_of(symbol))
            }
            Symbol::Parameter(p) | Symbol::Quotient(p, _) => {
                let name = self.kernel.name_of(symbol);
                match parameter(&self.kernel.function, p) {
                    Some((_, ty)) if matches!(ty.kind, TypeKind::Scalar(Scalar::U32)) => format!("(int){name}"),
                    Some((_, ty)) if !is_signed(ty) => format!("(long long){name}"),
                    _ => name,
                }
            }
            Symbol::Loop(l) => self.kernel.signed(&self.uses.loops[l].variable),
            Symbol::Local(number) => self.kernel.signed(&self.staging.locals[number].0),
            Symbol::Operation(number) => {
                let (op, a, b) = self.staging.operations.borrow()[number].clone();
                format!("({} {} {})", bracketed(&self.text_of(&a)), op.sign(), bracketed(&self.text_of(&b)))
            }
            _ => self.kernel.name_of(symbol),
        })
    }

    /// A sum of a shared element's indices as C.
    fn sum_of(&self, affine: &Affine, indices: &[String]) -> String {
        let mut terms: Vec<String> = Vec::new();
        if !affine.base.0.is_empty() {
            terms.push(self.text_of(&affine.base));
        }
        for (step, index) in affine.steps.iter().zip(indices).filter(|(_, index)| *index != "0") {
            match step.constant() {
                Some(0) => {}
                Some(1) => terms.push(index.clone()),
                _ => terms.push(format!("{} * {}", bracketed(index), bracketed(&self.text_of(step)))),
            }
        }
        if terms.is_empty() {
            terms.push("0".into());
        }
        // A number such as -1024 comes last.
        if terms[0].starts_with('-') {
            terms.rotate_left(1);
        }
        terms.join(" + ").replace(" + -", " - ")
    }

    /// Reads the array where the text reads its copy.
    fn replace_reads(&self, origin: &Origin<'_>, plan: &mut Plan) -> Result<(), Refusal> {
        let (source, array) = (&self.kernel.source, &origin.array);
        let mut places = SortedSet::default();
        for read in &origin.reads {
            let at = Use {
                array: array.clone(),
                pos: read.pos,
                form: Form::Element,
                index: None,
                doing: Doing::Reads,
                loops: Vec::new(),
                under: Vec::new(),
                staged: false,
            };
            let (name, open, end) = self.kernel.place(array, &at)?;
            let (object, member) = match origin.shared.name.split_once('.') {
                Some((_, member)) => (name.saturating_sub(2), member),
                None => (name, &*origin.shared.name),
            };
            if !source.tokens[name].is_ident(member) {
                return refuse(array, format!("a macro in line {} reads its copy", read.pos.line));
            }
            if !places.insert(name) {
                continue;
            }
            let indices: Vec<String> = match origin.pitch {
                Some(pitch) => {
                    let Some(Some(index)) = read.indices.first() else {
                        return refuse(array, format!("the index in line {} is no sum", read.pos.line));
                    };
                    let all = self.indices(std::slice::from_ref(index), Some(pitch));
                    all.iter().map(|index| self.text_of(index)).collect()
                }
                None => self.written_indices(open, end),
            };
            let mut text = format!("{array}[{}]", self.sum_of(&origin.index, &indices));
            if !origin.conditions.is_empty() {
                let each = origin.conditions.iter().map(|(left, op, right)| {
                    format!("{} {} {}", self.sum_of(left, &indices), op.sign(), self.sum_of(right, &indices))
                });
                text = format!("({} ? {text} : {})", each.collect::<Vec<_>>().join(" && "), origin.otherwise);
            }
            plan.edits.replace(source.start(object)..source.end(end), text);
        }
        Ok(())
    }

    /// The indices in the brackets from `open` to the last one, `end`, as they are written, in signed numbers.
    fn written_indices(&self, open: usize, end: usize) -> Vec<String> {
        let (mut all, mut at) = (Vec::new(), open);
        while let Some(close) = self.kernel.source.close(at).filter(|close| *close <= end) {
            all.push(self.kernel.signed_index(at + 1..close));
            at = close + 1;
        }
        all
    }

    /// The bytes of a statement, with the white space of its line if nothing else is there.
    pub fn line_of(&self, range: Range<usize>) -> Range<usize> {
        let text = self.kernel.source.text;
        let begin = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
        let rest = &text[range.end..];
        let line = rest.find('\n').map_or(rest.len(), |at| at + 1);
        match text[begin..range.start].trim().is_empty() && rest[..line].trim().is_empty() {
            true => begin..range.end + line,
            false => range,
        }
    }

    /// Removes what is gone of a statement. A statement that is alone under a head leaves a `;`.
    fn remove_gone(
        &self,
        stmt: &Stmt,
        gone: &[Pos],
        barriers: bool,
        alone: bool,
        plan: &mut Plan,
    ) -> Result<(), Refusal> {
        if is_gone(stmt, gone, barriers) {
            let source = &self.kernel.source;
            let range = source.at(stmt.pos).and_then(|first| {
                let end = self.kernel.statement_end(source.behind_pragmas(first)?)?;
                Some(source.start(first)..end)
            });
            let Some(range) = range else {
                return refuse("", format!("a macro writes the statement in line {}", stmt.pos.line));
            };
            match alone {
                true => plan.edits.replace(range, ";"),
                false => plan.edits.replace(self.line_of(range), ""),
            }
            return Ok(());
        }
        let mut inner = |stmt: &Stmt, alone: bool| self.remove_gone(stmt, gone, barriers, alone, plan);
        match &stmt.kind {
            StmtKind::Block(all) => all.iter().try_for_each(|stmt| inner(stmt, false)),
            StmtKind::If(_, _, yes, no) => {
                inner(yes, true)?;
                no.iter().try_for_each(|no| inner(no, true))
            }
            StmtKind::For(l) => inner(&l.body, true),
            StmtKind::While(_, body) | StmtKind::DoWhile(body, _) | StmtKind::Switch(_, body) => inner(body, true),
            StmtKind::Variables(all) => self.remove_variables(stmt, all, gone, plan),
            _ => Ok(()),
        }
    }
}

impl Origin<'_> {
    /// The factors that a read needs names for.
    fn symbols(&self) -> SortedSet<Symbol> {
        let sides = self.conditions.iter().flat_map(|(left, _, right)| [left, right]);
        let mut out = SortedSet::default();
        for affine in std::iter::once(&self.index).chain(sides) {
            for sum in std::iter::once(&affine.base).chain(&affine.steps) {
                sum.0.keys().flatten().for_each(|symbol| {
                    out.insert(*symbol);
                });
            }
        }
        out
    }
}

/// What all of these paths begin with.
fn common<'p, T: Clone + PartialEq + 'p>(mut paths: impl Iterator<Item = &'p Vec<T>>) -> Vec<T> {
    let mut common = paths.next().cloned().unwrap_or_default();
    for path in paths {
        let same = common.iter().zip(path).take_while(|(a, b)| a == b).count();
        common.truncate(same);
    }
    common
}

/// Lengths of rows that a shared array with one index may have, the shortest first.
fn pitches(shared: &SharedArray, copies: &[&Copy], unstaging: &Unstaging<'_, '_>) -> Vec<i64> {
    let mut all = SortedSet::default();
    for copy in copies.iter().filter(|_| shared.dimensions == 1) {
        for (_, value) in
            unstaging.kernel.known.with_numbers(&copy.to[0]).0.iter().filter(|(factors, _)| !factors.is_empty())
        {
            if *value > 1 {
                all.insert(*value);
            }
        }
    }
    all.iter().copied().collect()
}

/// Whether nothing is left of a statement.
fn is_gone(stmt: &Stmt, gone: &[Pos], barriers: bool) -> bool {
    let barrier = || match &stmt.kind {
        StmtKind::Expr(e) => matches!(&e.kind, ExprKind::Call(callee, _)
            if matches!(&callee.kind, ExprKind::Name(path) if path.plain().is_some_and(|name| **name == *"__syncthreads"))),
        _ => false,
    };
    if gone.contains(&stmt.pos) && matches!(stmt.kind, StmtKind::Expr(_) | StmtKind::If(..)) || barriers && barrier() {
        return true;
    }
    match &stmt.kind {
        StmtKind::Block(all) => {
            let left = all.iter().filter(|stmt| !matches!(stmt.kind, StmtKind::Variables(_) | StmtKind::Empty));
            left.clone().next().is_some() && left.clone().all(|stmt| is_gone(stmt, gone, barriers))
        }
        StmtKind::If(_, _, yes, no) => is_gone(yes, gone, barriers) && no.iter().all(|no| is_gone(no, gone, barriers)),
        StmtKind::For(l) => is_gone(&l.body, gone, barriers),
        _ => false,
    }
}

/// Text in brackets, unless it is a name or a number.
pub(super) fn bracketed(text: &str) -> String {
    match text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.')) {
        true => text.into(),
        false => format!("({text})"),
    }
}
