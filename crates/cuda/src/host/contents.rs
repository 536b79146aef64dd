//! What the host writes to whole arrays, as initialisers of the launch comment.
//!
//! Copies, `memset` and loop nests are followed whose counters run from 0 and that set each element once: `a[i] = 4 * i`,
//! `a[r * n + c] = 1.5f`, `a[i] = rand() % bins`, and `for (auto &x : a) x = 1`. Whatever else may write to an array makes its contents unknown again.

use super::statement::declared;
use super::value::{Key, Value};
use super::{Host, Object};
use crate::lower::range::RANGE;
use crate::lower::types::size_of_scalar;
use crate::lower::walk;
use crate::syntax::ast::{BinaryOp, Expr, ExprKind, ForLoop, Init, Stmt, StmtKind, TypeKind, UnaryOp};
use crate::syntax::token::Name;
use std::collections::HashSet;
use std::rc::Rc;

/// Deepest loop nest that is followed.
const NEST_MAX: usize = 3;
/// Most elements of which each has a value of its own.
const LIST_MAX: u64 = 64;
/// The first number that `rand()` does not return.
const RAND_END: i64 = 1 << 31;
const RANDOM: [&str; 4] = ["rand", "random", "lrand48", "rand_r"];
/// Functions that change nothing.
const PURE: [&str; 16] = [
    "min", "max", "abs", "fabs", "fabsf", "sqrt", "sqrtf", "pow", "sin", "sinf", "cos", "cosf", "printf", "fprintf",
    "free", "assert",
];

/// The known contents of an array.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Contents {
    /// All bytes are this one.
    Byte(u8),
    /// The values, the bytes of an element, and the number of elements.
    Elements(Values, u64, u64),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Values {
    /// Element `i` is `start + i * step`, or its remainder.
    Steps {
        start: f64,
        step: f64,
        modulus: Option<i64>,
    },
    /// Whole numbers from the first one to before the second one.
    Random(i64, i64),
    List(Vec<i64>),
}

/// The arrays that a loop writes to, with what it leaves in them.
pub(super) type Written = Vec<(usize, Option<Rc<Contents>>)>;

/// The counters of a loop nest and how often each loop runs, and the innermost body.
struct Nest<'s> {
    levels: Vec<(Name, u64)>,
    count: u64,
    body: &'s Stmt,
}

impl Contents {
    /// Zeros in all bytes.
    pub const ZERO: Self = Self::Byte(0);

    /// `count` elements of `size` bytes with the same value.
    pub fn same(value: f64, size: u64, count: u64) -> Self {
        Self::Elements(Values::Steps { start: value, step: 0.0, modulus: None }, size, count)
    }

    /// The initialiser of an array of `count` elements of `size` bytes. `whole`: they are whole numbers. `seed`: of random ones.
    pub fn initialiser(&self, (size, count): (u64, u64), whole: bool, seed: usize) -> Option<String> {
        let (values, of, known) = match self {
            Self::Byte(0) => return Some("zero".into()),
            Self::Byte(0xff) if whole => return Some("-1".into()),
            Self::Byte(_) => return None,
            Self::Elements(values, of, known) => (values, *of, *known),
        };
        if of != size || known < count {
            return None;
        }
        Some(match values {
            Values::Steps { start, step, modulus } => match (*start, *step, modulus) {
                (0.0, 0.0, _) => "zero".into(),
                (0.0, 1.0, None) => "iota".into(),
                (value, 0.0, None) => value.to_string(),
                (start, step, None) => format!("iota({start}, {step})"),
                (start, step, Some(modulus)) => format!("iota({start}, {step}, {modulus})"),
            },
            Values::Random(low, high) if whole => format!("random({seed}, {low}, {high})"),
            Values::Random(..) => return None,
            Values::List(all) => {
                let all: Vec<String> = all.iter().map(ToString::to_string).collect();
                format!("{{{}}}", all.join(", "))
            }
        })
    }
}

impl Host<'_> {
    /// Something may have written to the arrays that a value points into.
    pub(super) fn forget_contents(&mut self, value: &Value) {
        match value {
            Value::Parts(parts) => parts.iter().for_each(|(_, part)| self.forget_contents(part)),
            _ => self.take_contents(value, None),
        }
    }

    /// An element of the array whose elements are kept in this slot was set.
    pub(super) fn forget_slot(&mut self, slot: usize) {
        if let Ok(object) = self.objects.binary_search_by_key(&slot, |object| object.slot) {
            self.objects[object].contents = None;
        }
    }

    /// A copy of bytes: `[to, from, bytes, …]`.
    pub(super) fn copy_contents(&mut self, values: &[Value], args: &[Expr]) {
        let [to, from, bytes, ..] = values else { return };
        let Value::Pointer { object: Some(target), offset, element } = to else {
            let place = if let Value::Address(place) = to { Some(place.clone()) } else { self.place(&args[0]) };
            self.read_back.extend(place.map(|place| place.slot));
            return;
        };
        self.forget_contents(to);
        if *offset != 0 || !covers(&self.objects[*target], bytes) {
            return;
        }
        // Structs keep their members.
        if let Value::Address(place) = from {
            if let (Some(value), Some(to)) = (self.get(place).members(), self.element(to, 0)) {
                self.set(&to, value);
            }
        } else if let Value::Pointer { object: Some(source), offset: 0, .. } = from {
            let all = self.slots[self.objects[*source].slot].clone();
            if all.get(&Key::At(0)).members().is_some() {
                let slot = self.objects[*target].slot;
                self.slots[slot] = all;
            }
        }
        let whole = match from {
            Value::Pointer { object: Some(source), offset: 0, .. } => self.objects[*source].contents.clone(),
            _ => None,
        };
        self.objects[*target].contents = whole.or_else(|| self.listed((from, &args[1]), (bytes, *element)));
    }

    /// A variable of the host, or an array with few elements, as the contents of what it is copied to.
    fn listed(&mut self, (from, e): (&Value, &Expr), (bytes, element): (&Value, u64)) -> Option<Rc<Contents>> {
        let count = u64::try_from(bytes.as_int()?).ok()?.checked_div(element).filter(|n| (1..=LIST_MAX).contains(n))?;
        if let (Value::Text(text), 1) = (from, element) {
            let list: Vec<i64> = text.bytes().chain([0]).map(i64::from).take(count as usize).collect();
            let whole = list.len() as u64 == count;
            return whole.then(|| Rc::new(Contents::Elements(Values::List(list), element, count)));
        }
        let (slot, all) = match from {
            Value::Address(place) => (place.slot, self.get(place)),
            Value::Pointer { object: Some(object), offset: 0, element: of } if *of == element => {
                let slot = self.objects[*object].slot;
                (slot, self.slots[slot].clone())
            }
            Value::Parts(_) => (self.place(e)?.slot, from.clone()),
            _ => return None,
        };
        if self.read_back.contains(&slot) {
            return None;
        }
        let value = |i: u64| match &all {
            Value::Parts(_) => all.get(&Key::At(i as i64)),
            one if i == 0 => one.clone(),
            _ => Value::Unknown,
        };
        let known = |i| Some(value(i)).filter(|value| value.input() == 0);
        let number = |i| known(i)?.as_float().filter(|number| number.is_finite());
        let numbers: Vec<f64> = (0..count).map(number).collect::<Option<_>>()?;
        if numbers.iter().all(|number| *number == numbers[0]) {
            return Some(Rc::new(Contents::same(numbers[0], element, count)));
        }
        let whole = |i| if let Value::Int(value, _) = value(i) { Some(value) } else { None };
        let list = (0..count).map(whole).collect::<Option<_>>()?;
        Some(Rc::new(Contents::Elements(Values::List(list), element, count)))
    }

    /// The array that a value points to has these contents now.
    pub(super) fn take_contents(&mut self, pointer: &Value, contents: Option<Rc<Contents>>) {
        if let Value::Pointer { object: Some(object), .. } = pointer {
            self.now_holds(*object, contents);
        }
    }

    /// An array has these contents now.
    pub(super) fn now_holds(&mut self, object: usize, contents: Option<Rc<Contents>>) {
        if contents.is_none() {
            self.read_back.insert(self.objects[object].slot);
        }
        self.objects[object].contents = contents;
    }

    /// `memset(pointer, byte, bytes)` and `cudaMemset`.
    pub(super) fn set_contents(&mut self, values: &[Value]) {
        let [to @ Value::Pointer { object: Some(object), offset, .. }, byte, bytes, ..] = values else { return };
        self.forget_contents(to);
        if *offset == 0 && covers(&self.objects[*object], bytes) {
            let byte = byte.as_int().and_then(|byte| u8::try_from(byte & 0xff).ok());
            self.objects[*object].contents = byte.map(|byte| Rc::new(Contents::Byte(byte)));
        }
    }

    /// What a loop writes to arrays. It is asked before the loop runs, when its counter is at its start.
    pub(super) fn written_by(&mut self, l: &ForLoop) -> Written {
        let mut touched = self.touched(&l.body);
        let own: Vec<Expr> = set_by_range(l).cloned().into_iter().collect();
        touched.extend(self.arrays_of(&own));
        if touched.is_empty() {
            return Written::new();
        }
        let depth = self.scope.len();
        let known = match self.aside(|host| host.filled_by_range(l)) {
            Some(one) => vec![one],
            None => {
                let nest = self.aside(|host| host.nest(l));
                nest.map_or(Written::new(), |nest| self.aside(|host| host.filled(&nest)))
            }
        };
        self.scope.truncate(depth);
        let once = |object: usize| touched.iter().filter(|other| **other == object).count() == 1;
        let contents = |object: usize| known.iter().find(|(o, _)| *o == object && once(object))?.1.clone();
        touched.iter().map(|&object| (object, contents(object))).collect()
    }

    pub(super) fn take_written(&mut self, written: Written) {
        written.into_iter().for_each(|(object, contents)| self.now_holds(object, contents));
    }

    /// A loop of which nothing is known ran.
    pub(super) fn forget_touched(&mut self, body: &Stmt) {
        for object in self.touched(body) {
            self.now_holds(object, None);
        }
    }

    /// The arrays that a statement may write to, once for each place where it may.
    fn touched(&mut self, body: &Stmt) -> Vec<usize> {
        let mut targets: Vec<Expr> = Vec::new();
        walk::statement(body, &mut |e| match &e.kind {
            ExprKind::Assign(_, target, _) => targets.extend(array_of(target).cloned()),
            ExprKind::Unary(op, target) if steps(*op) => targets.extend(array_of(target).cloned()),
            ExprKind::Call(callee, args) => match &callee.kind {
                ExprKind::Name(path) if PURE.contains(&&**path.last()) => {}
                ExprKind::Member(object, ..) => targets.extend(args.iter().chain([&**object]).cloned()),
                _ => targets.extend(args.iter().cloned()),
            },
            _ => {}
        });
        ranges(body, &mut targets);
        // Behind a pointer of an array may be any array.
        let behind = |target: &Expr| matches!(target.kind, ExprKind::Index(..) | ExprKind::Unary(UnaryOp::Deref, _));
        if targets.iter().any(|target| behind(target) && !self.is_inside(target)) {
            return (0..self.objects.len()).collect();
        }
        self.arrays_of(&targets)
    }

    /// Whether this is an array, or a row of an array of arrays. There is no pointer between.
    fn is_inside(&mut self, e: &Expr) -> bool {
        let is_array = self.type_of(e).is_some_and(|ty| matches!(ty.kind, TypeKind::Array(..)));
        is_array && if let ExprKind::Index(array, _) = &e.kind { self.is_inside(array) } else { true }
    }

    /// Nothing is known of any array.
    pub(super) fn forget_all_contents(&mut self) {
        (0..self.objects.len()).for_each(|object| self.now_holds(object, None));
    }

    /// The arrays that the names and members of an expression point into.
    fn arrays_in(&mut self, e: &Expr) -> Vec<usize> {
        let mut parts: Vec<&Expr> = Vec::new();
        collect(e, &mut parts);
        let mut out = Vec::new();
        for part in parts {
            if let Some(Value::Pointer { object: Some(object), .. }) = self.place(part).map(|place| self.get(&place)) {
                out.push(object);
            }
        }
        out
    }

    /// The arrays that arguments point into.
    pub(super) fn arrays_of(&mut self, args: &[Expr]) -> Vec<usize> {
        args.iter().flat_map(|arg| self.arrays_in(arg)).collect()
    }

    /// Evaluates without a trace among the inputs and the numbers that may be sizes.
    fn aside<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let (inputs, literals) = (self.out.inputs.len(), self.out.literals.len());
        let value = run(self);
        self.out.inputs.truncate(inputs);
        self.out.literals.truncate(literals);
        value
    }

    /// The loops that stand alone in each other. Their counters are declared in the scope. `None` if one does not count from 0 by 1.
    fn nest<'s>(&mut self, l: &'s ForLoop) -> Option<Nest<'s>> {
        let mut nest = Nest { levels: Vec::new(), count: 1, body: &l.body };
        let mut next = Some(l);
        while let Some(l) = next {
            if !nest.levels.is_empty() {
                self.statement(&l.init);
            }
            let ExprKind::Binary(BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::NotEqual, counter, _) =
                &l.condition.as_ref()?.kind
            else {
                return None;
            };
            let ExprKind::Name(counter) = &counter.kind else { return None };
            let by_one = match &l.step.as_ref()?.kind {
                ExprKind::Unary(op, _) => matches!(op, UnaryOp::PreIncrement | UnaryOp::PostIncrement),
                ExprKind::Assign(Some(BinaryOp::Add), _, by) => self.eval(by).as_int() == Some(1),
                _ => false,
            };
            let place = self.variable(counter.last())?.place.clone();
            let rounds = self.rounds(l.condition.as_ref(), l.step.as_ref()).filter(|n| *n > 0)?;
            if !by_one || self.get(&place).as_int() != Some(0) || nest.levels.len() == NEST_MAX {
                return None;
            }
            nest.levels.push((counter.last().clone(), rounds));
            nest.count = nest.count.checked_mul(rounds)?;
            nest.body = &l.body;
            next = only_loop(&l.body);
        }
        Some(nest)
    }

    /// What the assignments in the innermost body leave in their arrays.
    fn filled(&mut self, nest: &Nest) -> Written {
        let mut unsteady = HashSet::new();
        declared(nest.body, &mut unsteady);
        walk::statement(nest.body, &mut |e| super::statement::assigned(e, &mut unsteady));
        let all = match &nest.body.kind {
            StmtKind::Block(all) => all.as_slice(),
            _ => std::slice::from_ref(nest.body),
        };
        let mut out = Written::new();
        for stmt in all {
            let StmtKind::Expr(Expr { kind: ExprKind::Assign(None, target, value), .. }) = &stmt.kind else { continue };
            let ExprKind::Index(array, index) = &target.kind else { continue };
            if [array, index, value].iter().any(|e| !is_steady(e, &unsteady)) || !is_sum(index) {
                continue;
            }
            let Value::Pointer { object: Some(object), offset: 0, element } = self.eval(array) else { continue };
            let in_order =
                samples(nest.count).all(|k| self.at(nest, k, index).and_then(|v| v.as_int()) == Some(k as i64));
            let values = if in_order { self.values(nest, value) } else { None };
            out.push((object, values.map(|values| Rc::new(Contents::Elements(values, element, nest.count)))));
        }
        out
    }

    /// What `for (auto &x : array) x = value;` leaves in the array.
    fn filled_by_range(&mut self, l: &ForLoop) -> Option<(usize, Option<Rc<Contents>>)> {
        let (array, StmtKind::Block(all)) = (set_by_range(l)?, &l.body.kind) else { return None };
        let [Stmt { kind: StmtKind::Variables(own), .. }, body] = all.as_slice() else { return None };
        let body = match &body.kind {
            StmtKind::Block(all) if all.len() == 1 => &all[0],
            _ => body,
        };
        let StmtKind::Expr(Expr { kind: ExprKind::Assign(None, target, value), .. }) = &body.kind else { return None };
        let element = &own.last()?.name;
        let is_element = matches!(&target.kind, ExprKind::Name(path) if path.plain() == Some(element));
        if !is_element || !is_steady(value, &HashSet::from([element.clone()])) {
            return None;
        }
        let Value::Pointer { object: Some(object), offset: 0, element: size } = self.eval(array) else { return None };
        let count = self.objects[object].bytes?.checked_div(size).filter(|count| *count > 0)?;
        let values = self.values(&Nest { levels: Vec::new(), count, body }, value)?;
        Some((object, Some(Rc::new(Contents::Elements(values, size, count)))))
    }

    /// The value of an expression in round `k` of all rounds of a nest.
    fn at(&mut self, nest: &Nest, k: u64, e: &Expr) -> Option<Value> {
        let mut left = k;
        for (name, rounds) in nest.levels.iter().rev() {
            let place = self.variable(name)?.place.clone();
            self.set(&place, Value::int((left % rounds) as i64));
            left /= rounds;
        }
        let value = self.eval(e);
        nest.levels.iter().for_each(|(name, _)| {
            if let Some(place) = self.variable(name).map(|v| v.place.clone()) {
                self.set(&place, Value::int(0));
            }
        });
        Some(value)
    }

    /// The values that an expression has in all rounds of a nest.
    fn values(&mut self, nest: &Nest, e: &Expr) -> Option<Values> {
        if mentions_random(e) {
            let (low, high) = self.random_range(e)?;
            return Some(Values::Random(low, high.unwrap_or(RAND_END)));
        }
        if let ExprKind::Binary(BinaryOp::Rem, of, by) = &e.kind {
            let Value::Int(by @ 1.., _) = self.eval(by) else { return None };
            return match self.values(nest, of)? {
                Values::Steps { start, step, modulus: None }
                    if is_sum(of) && start.fract() == 0.0 && step.fract() == 0.0 =>
                {
                    Some(Values::Steps { start, step, modulus: Some(by) })
                }
                _ => None,
            };
        }
        let each = nest.count <= LIST_MAX;
        if !each && !is_sum(e) {
            return None;
        }
        let mut known = Vec::new();
        for k in samples(nest.count) {
            let value = self.at(nest, k, e)?;
            known.push((k, value.as_float()?, matches!(value, Value::Int(..))));
        }
        if known.iter().any(|(_, value, _)| !value.is_finite()) {
            return None;
        }
        let start = known.first()?.1;
        let step = known.get(1).map_or(0.0, |(_, second, _)| second - start);
        if known.iter().all(|(k, value, _)| *value == start + *k as f64 * step) {
            return Some(Values::Steps { start, step, modulus: None });
        }
        let whole = known.iter().all(|(.., whole)| *whole);
        (each && whole).then(|| Values::List(known.iter().map(|(_, value, _)| *value as i64).collect()))
    }

    /// The least value of a random expression, and the one that it stays below, if it is bounded.
    fn random_range(&mut self, e: &Expr) -> Option<(i64, Option<i64>)> {
        match &e.kind {
            ExprKind::Call(callee, _) => match &callee.kind {
                ExprKind::Name(path) if RANDOM.contains(&&**path.last()) => Some((0, None)),
                _ => None,
            },
            ExprKind::Cast(_, inner, _) => self.random_range(inner),
            ExprKind::Binary(op, a, b) => {
                let (of, by, turned) = if mentions_random(a) { (a, b, false) } else { (b, a, true) };
                if mentions_random(by) {
                    return None;
                }
                let Value::Int(by, _) = self.eval(by) else { return None };
                let (low, high) = self.random_range(of)?;
                match op {
                    BinaryOp::Rem if !turned && low == 0 && high.is_none() && by > 0 => Some((0, Some(by))),
                    BinaryOp::And if low == 0 && high.is_none() && by >= 0 => {
                        by.checked_add(1).filter(|bound| bound.count_ones() == 1).map(|bound| (0, Some(bound)))
                    }
                    BinaryOp::Add => Some((low.checked_add(by)?, Some(high?.checked_add(by)?))),
                    BinaryOp::Sub if !turned => Some((low.checked_sub(by)?, Some(high?.checked_sub(by)?))),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// Whether a number of bytes is all of an array.
fn covers(object: &Object, bytes: &Value) -> bool {
    let bytes = bytes.as_int().and_then(|n| u64::try_from(n).ok());
    object.bytes.zip(bytes).is_none_or(|(size, bytes)| bytes >= size)
}

fn steps(op: UnaryOp) -> bool {
    use UnaryOp::{PostDecrement, PostIncrement, PreDecrement, PreIncrement};
    matches!(op, PreIncrement | PreDecrement | PostIncrement | PostDecrement)
}

/// The array of which an assignment to this target sets an element.
fn array_of(target: &Expr) -> Option<&Expr> {
    match &target.kind {
        ExprKind::Index(array, _) | ExprKind::Unary(UnaryOp::Deref, array) => Some(array),
        ExprKind::Member(inner, ..) => array_of(inner),
        _ => None,
    }
}

/// The names and members in an expression, but no indices.
fn collect<'e>(e: &'e Expr, out: &mut Vec<&'e Expr>) {
    match &e.kind {
        ExprKind::Name(_) => out.push(e),
        ExprKind::Member(inner, ..) => {
            out.push(e);
            collect(inner, out);
        }
        ExprKind::Index(array, _) => collect(array, out),
        ExprKind::Unary(_, inner) | ExprKind::Cast(_, inner, _) => collect(inner, out),
        ExprKind::Binary(_, a, b) => [a, b].into_iter().for_each(|e| collect(e, out)),
        ExprKind::Call(callee, args) => args.iter().chain([&**callee]).for_each(|e| collect(e, out)),
        _ => {}
    }
}

/// The array whose elements the loop `for (auto &x : array)` sets.
fn set_by_range(l: &ForLoop) -> Option<&Expr> {
    let (StmtKind::Variables(head), StmtKind::Block(all)) = (&l.init.kind, &l.body.kind) else { return None };
    let array = head.first().filter(|array| array.name.starts_with(RANGE))?;
    let StmtKind::Variables(own) = &all.first()?.kind else { return None };
    let element = own.last().filter(|v| matches!(&v.ty.kind, TypeKind::Reference(to) if !to.constant))?;
    let mut changed = HashSet::new();
    walk::statement(&l.body, &mut |e| super::statement::assigned(e, &mut changed));
    match &array.init {
        Some(Init::Value(range)) if changed.contains(&element.name) => Some(range),
        _ => None,
    }
}

/// Adds the arrays that loops over ranges in a statement set.
fn ranges(stmt: &Stmt, out: &mut Vec<Expr>) {
    match &stmt.kind {
        StmtKind::Block(all) => all.iter().for_each(|s| ranges(s, out)),
        StmtKind::If(_, _, yes, no) => [&**yes].into_iter().chain(no.as_deref()).for_each(|s| ranges(s, out)),
        StmtKind::For(l) => {
            out.extend(set_by_range(l).cloned());
            ranges(&l.body, out);
        }
        StmtKind::While(_, body) | StmtKind::DoWhile(body, _) | StmtKind::Switch(_, body) => ranges(body, out),
        _ => {}
    }
}

/// The loop that a body consists of.
fn only_loop(body: &Stmt) -> Option<&ForLoop> {
    match &body.kind {
        StmtKind::For(l) => Some(l),
        StmtKind::Block(all) => match all.as_slice() {
            [one] => only_loop(one),
            _ => None,
        },
        _ => None,
    }
}

/// Whether an expression changes nothing and has nothing that the body changes.
fn is_steady(e: &Expr, unsteady: &HashSet<Name>) -> bool {
    let mut steady = true;
    walk::expression(e, &mut |e| {
        steady &= match &e.kind {
            ExprKind::Assign(..) | ExprKind::Lambda(_) => false,
            ExprKind::Unary(op, _) => !steps(*op),
            ExprKind::Name(path) => !unsteady.contains(path.last()),
            ExprKind::Call(callee, _) => match &callee.kind {
                ExprKind::Name(path) => [&RANDOM[..], &PURE].iter().any(|all| all.contains(&&**path.last())),
                _ => false,
            },
            _ => true,
        };
    });
    steady
}

/// Whether an expression is made of sums and products, of which a few values tell whether it grows evenly.
fn is_sum(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Int(_) | ExprKind::Float(..) | ExprKind::Name(_) | ExprKind::Char(_) | ExprKind::Bool(_) => true,
        // A cast to a small type cuts bits off.
        ExprKind::Cast(ty, inner, _) => {
            !matches!(ty.kind, TypeKind::Scalar(s) if size_of_scalar(s) < 4) && is_sum(inner)
        }
        ExprKind::Unary(UnaryOp::Minus | UnaryOp::Plus, inner) => is_sum(inner),
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, a, b) => is_sum(a) && is_sum(b),
        _ => false,
    }
}

fn mentions_random(e: &Expr) -> bool {
    let mut found = false;
    walk::expression(e, &mut |e| {
        found |= matches!(&e.kind, ExprKind::Name(path) if RANDOM.contains(&&**path.last()));
    });
    found
}

/// All of a few rounds, and of many the first, the last and some between, in order.
fn samples(count: u64) -> impl Iterator<Item = u64> {
    let between = |i: u64| (count / 16 * i + i * i % 7).min(count - 1);
    let all: Vec<u64> = if count <= LIST_MAX {
        (0..count).collect()
    } else {
        (0..4).chain((1..16).map(between)).chain([count - 1]).collect()
    };
    all.into_iter()
}
