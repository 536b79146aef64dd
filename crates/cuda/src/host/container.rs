//! Containers of the C++ library in host code: their lengths, and what is pushed into small ones.

use super::contents::Contents;
use super::value::{Key, Place, Value};
use super::Host;
use crate::lower::walk;
use crate::syntax::ast::{BinaryOp, Expr, ExprKind, Stmt, TemplateArg, TypeExpr, TypeKind, UnaryOp};
use crate::syntax::token::Name;
use std::collections::HashSet;
use std::rc::Rc;

/// The vectors that a loop lengthens, and their lengths at the start of each round.
#[derive(Debug)]
pub(super) struct Growth {
    /// Rounds that the loop makes, if its header tells.
    rounds: Option<u64>,
    /// By vector: its object, its bytes before the loop and at the start of the last round, and the bytes of a round.
    vectors: Vec<(usize, u64, u64, Option<u64>)>,
}

/// The bytes of an array, and its contents.
type KnownArray = (Option<u64>, Option<Rc<Contents>>);

/// Names of the vectors of the C++ library and of Thrust.
const VECTORS: [&str; 3] = ["vector", "device_vector", "host_vector"];
/// Size of an element whose type the text does not have, such as a vector.
const ELEMENT: u64 = 24;
/// Elements of a new vector that are kept.
const KEPT: u64 = 64;
/// Steps that a new vector counts for. Vectors in vectors multiply.
const STEPS: u64 = 16;

impl Growth {
    pub(super) fn lengthens(&self) -> bool {
        !self.vectors.is_empty()
    }
}

impl Host<'_> {
    /// The type of the elements, if a type is a vector.
    pub(super) fn vector_of(&self, ty: &TypeExpr) -> Option<TypeExpr> {
        let behind = self.behind(ty);
        let TypeKind::Named(path) = &behind.as_ref().unwrap_or(ty).kind else { return None };
        match path.args().filter(|_| VECTORS.contains(&&**path.last()))?.first()? {
            TemplateArg::Type(ty) => Some(ty.clone()),
            // A type that the text does not have is read as a value.
            TemplateArg::Value(Expr { kind: ExprKind::Name(path), pos }) => {
                let kind = TypeKind::Named(path.clone());
                Some(TypeExpr { kind, constant: false, volatile: false, pos: *pos })
            }
            TemplateArg::Value(_) => None,
        }
    }

    /// A vector from a list, another vector, two iterators, or a length and perhaps the value of all elements.
    pub(super) fn new_vector(&mut self, of: &TypeExpr, values: &[Value]) -> Value {
        if !self.burn(STEPS) {
            return Value::Unknown;
        }
        let element = self.size_of(of).filter(|bytes| *bytes > 0).unwrap_or(ELEMENT);
        match values {
            [Value::Parts(list)] => {
                let vector = self.allocate((list.len() as u64).checked_mul(element), element);
                let all: Vec<(Key, Value)> =
                    list.iter().map(|(key, value)| (key.clone(), self.convert(of, value.clone()))).collect();
                self.keep_elements(&vector, all);
                vector
            }
            [copy @ Value::Pointer { object: Some(object), offset: 0, .. }] => {
                let elements = self.slots.get(self.objects[*object].slot).cloned();
                let (open, contents) = (self.objects[*object].open, self.objects[*object].contents.clone());
                let vector = self.allocate(self.length(copy), element);
                self.mark_open(&vector, open);
                self.take_contents(&vector, contents);
                if let Some(Value::Parts(all)) = elements {
                    self.keep_elements(&vector, all.to_vec());
                }
                vector
            }
            [_, _, _, ..] => self.new_vector(of, &[Value::list(values.to_vec())]),
            [Value::Pointer { offset: from, .. }, Value::Pointer { offset: to, .. }] => {
                let bytes = to.checked_sub(*from).and_then(|bytes| u64::try_from(bytes).ok());
                self.allocate(bytes, element)
            }
            _ => {
                let count = values.first().map_or(Some(0), Value::as_int).and_then(|n| u64::try_from(n).ok());
                let vector = self.allocate(count.and_then(|n| n.checked_mul(element)), element);
                self.mark_open(&vector, values.first().is_some_and(|length| length.input() > 0));
                let kept = count.unwrap_or(0).min(KEPT) as i64;
                let all = (0..kept).filter_map(|i| Some((Key::At(i), self.element_made(of, values.get(1))?))).collect();
                self.keep_elements(&vector, all);
                if let (TypeKind::Scalar(_), Some(count)) = (&of.kind, count) {
                    let value = values.get(1).map_or(Some(0.0), Value::as_float);
                    let all = value.map(|value| Rc::new(Contents::same(value, element, count)));
                    self.take_contents(&vector, all);
                }
                vector
            }
        }
    }

    /// Says whether the size of a new array depends on something that the text does not decide.
    fn mark_open(&mut self, array: &Value, open: bool) {
        if let Value::Pointer { object: Some(object), .. } = array {
            self.objects[*object].open = open;
        }
    }

    /// An element of a new vector. Vectors in a vector are vectors of their own.
    fn element_made(&mut self, of: &TypeExpr, value: Option<&Value>) -> Option<Value> {
        match (self.vector_of(of), value) {
            (Some(inner), value) => Some(self.new_vector(&inner, value.map_or(&[], std::slice::from_ref))),
            (None, Some(value)) => Some(self.convert(of, value.clone())),
            (None, None) => match of.kind {
                TypeKind::Scalar(_) => Some(self.convert(of, Value::int(0))),
                _ => None,
            },
        }
    }

    fn keep_elements(&mut self, vector: &Value, all: Vec<(Key, Value)>) {
        let Value::Pointer { object: Some(object), .. } = vector else { return };
        let slot = self.objects[*object].slot;
        self.slots[slot] = Value::Parts(Rc::new(all));
    }

    /// Calls a method of a container of the library.
    pub(super) fn call_container(&mut self, (object, value): (&Expr, &Value), method: &Name, args: &[Expr]) -> Value {
        let args: Vec<Value> = args.iter().map(|e| self.eval(e)).collect();
        match (&**method, value) {
            ("size" | "length", Value::Pointer { element, .. }) => match self.length(value) {
                Some(bytes) if *element > 0 => Value::int((bytes / element) as i64),
                _ => Value::Unknown,
            },
            ("size", Value::Parts(parts)) => Value::int(parts.len() as i64),
            // The first of the sizes that an option chooses from.
            ("getOptionInt", _) => match self.input(object.pos, None) {
                Value::Int(_, input) => Value::Int(1, input),
                other => other,
            },
            ("size" | "length", Value::Text(text)) => Value::int(text.len() as i64),
            ("c_str" | "data", Value::Text(_)) => value.clone(),
            ("compare", Value::Text(text)) => match args.first() {
                Some(Value::Text(other)) => Value::int(text.cmp(other) as i64),
                _ => Value::Unknown,
            },
            // A map of options, of which nobody gives one, holds nothing.
            ("find" | "end" | "cend", Value::Unknown | Value::Text(_)) => Value::int(-1),
            ("count", Value::Unknown) => Value::int(0),
            ("data" | "begin" | "cbegin" | "get", Value::Pointer { .. }) => value.clone(),
            ("end" | "cend", Value::Pointer { object, element, .. }) => match self.length(value) {
                Some(bytes) => Value::Pointer { object: *object, offset: bytes as i64, element: *element },
                None => Value::Unknown,
            },
            ("back", Value::Pointer { element, .. }) => {
                let last = self.length(value).and_then(|bytes| bytes.checked_div(*element)).unwrap_or(0) as i64 - 1;
                self.element(value, last).map_or(Value::Unknown, |place| self.get(&place))
            }
            ("front", Value::Pointer { .. }) => self.element(value, 0).map_or(Value::Unknown, |place| self.get(&place)),
            ("insert", Value::Pointer { .. }) => {
                self.forget_contents(value);
                self.insert(value, &args);
                Value::Unknown
            }
            ("push_back" | "emplace_back" | "pop_back" | "clear", Value::Pointer { .. }) => {
                self.change_length(value, method, args);
                Value::Unknown
            }
            ("resize" | "assign", Value::Pointer { element, .. }) => {
                let count = args.first().and_then(Value::as_int).and_then(|n| u64::try_from(n).ok());
                let new = self.allocate(count.and_then(|n| n.checked_mul(*element)), *element);
                self.mark_open(&new, args.first().is_some_and(|length| length.input() > 0));
                self.store(object, new);
                Value::Unknown
            }
            // Such as `swap`, or a method that an unknown class has.
            _ => {
                args.iter().chain([value]).for_each(|value| self.forget_contents(value));
                Value::Unknown
            }
        }
    }

    /// `vector.insert(at, from, to)`: the vector is longer, and what goes to its end is known as far as it was.
    fn insert(&mut self, vector: &Value, args: &[Value]) {
        let Value::Pointer { object: Some(object), element, .. } = vector else { return };
        let before = self.objects[*object].bytes;
        let added = match args {
            [_, Value::Pointer { offset: from, .. }, Value::Pointer { offset: to, .. }] => {
                to.checked_sub(*from).and_then(|bytes| u64::try_from(bytes).ok())
            }
            _ => None,
        };
        self.objects[*object].bytes = before.zip(added).and_then(|(bytes, added)| bytes.checked_add(added));
        let count = |bytes: Option<u64>| bytes.and_then(|bytes| bytes.checked_div(*element)).unwrap_or(0);
        match args {
            [Value::Pointer { offset: at, .. }, from, _] if before == u64::try_from(*at).ok() => {
                for i in 0..count(added).min(KEPT) as i64 {
                    let value = self.element(from, i).map_or(Value::Unknown, |place| self.get(&place));
                    if let Some(place) = self.element(vector, count(before) as i64 + i) {
                        self.set(&place, value);
                    }
                }
            }
            // What stood behind the place has another index now.
            _ => {
                let slot = self.objects[*object].slot;
                self.slots[slot] = Value::Unknown;
            }
        }
    }

    /// Changes the length of a vector by an element, or empties it.
    fn change_length(&mut self, vector: &Value, method: &str, mut args: Vec<Value>) {
        let Value::Pointer { object: Some(object), element, .. } = vector else { return };
        let object = &mut self.objects[*object];
        let bytes = match method {
            "clear" => Some(0),
            "pop_back" => object.bytes.map(|bytes| bytes.saturating_sub(*element)),
            _ => object.bytes.and_then(|bytes| bytes.checked_add(*element)),
        };
        let (slot, before) = (object.slot, std::mem::replace(&mut object.bytes, bytes));
        if let (true, Some(at)) =
            (method.ends_with("_back") && args.len() == 1, before.and_then(|n| n.checked_div(*element)))
        {
            self.set(&Place { slot, path: vec![Key::At(at as i64)] }, args.remove(0));
        }
    }

    /// The bytes and the contents of all objects.
    pub(super) fn arrays(&self) -> Vec<KnownArray> {
        self.objects.iter().map(|object| (object.bytes, object.contents.clone())).collect()
    }

    /// Gives objects the bytes and contents that they had before, and tells those that they have now. Later objects keep theirs.
    pub(super) fn set_arrays(&mut self, before: Vec<KnownArray>) -> Vec<KnownArray> {
        let now = self.arrays();
        for (object, (bytes, contents)) in self.objects.iter_mut().zip(before) {
            (object.bytes, object.contents) = (bytes, contents);
        }
        now
    }

    /// Keeps the bytes and the contents on which this branch and the other one agree.
    pub(super) fn merge_arrays(&mut self, other: &[KnownArray]) {
        for (object, (bytes, contents)) in self.objects.iter_mut().zip(other) {
            if object.bytes != *bytes {
                object.bytes = None;
            }
            if object.contents != *contents {
                object.contents = None;
            }
        }
    }

    /// What is known of the vectors that a loop lengthens, before its first round.
    pub(super) fn growth(
        &mut self,
        condition: Option<&Expr>,
        step: Option<&Expr>,
        body: &Stmt,
        own: &HashSet<Name>,
    ) -> Growth {
        let mut named: Vec<Expr> = Vec::new();
        walk::statement(body, &mut |e| named.extend(lengthened(e, own).cloned()));
        let rounds = if named.is_empty() { None } else { self.rounds(condition, step) };
        let mut vectors: Vec<(usize, u64, u64, Option<u64>)> = Vec::new();
        for vector in &named {
            let Some(Value::Pointer { object: Some(object), .. }) = self.place(vector).map(|place| self.get(&place))
            else {
                continue;
            };
            if let Some(bytes) = self.objects[object].bytes.filter(|_| vectors.iter().all(|(o, ..)| *o != object)) {
                vectors.push((object, bytes, bytes, None));
            }
        }
        Growth { rounds, vectors }
    }

    /// How often a loop runs whose header counts a variable up to a number, or down to it.
    pub(super) fn rounds(&mut self, condition: Option<&Expr>, step: Option<&Expr>) -> Option<u64> {
        let ExprKind::Binary(compare, counter, end) = &condition?.kind else { return None };
        let ExprKind::Name(_) = &counter.kind else { return None };
        let by = match &step?.kind {
            ExprKind::Unary(UnaryOp::PreIncrement | UnaryOp::PostIncrement, _) => 1,
            ExprKind::Unary(UnaryOp::PreDecrement | UnaryOp::PostDecrement, _) => -1,
            ExprKind::Assign(Some(BinaryOp::Add), _, by) => self.eval(by).as_int()?,
            ExprKind::Assign(Some(BinaryOp::Sub), _, by) => self.eval(by).as_int()?.checked_neg()?,
            _ => return None,
        };
        let (from, end) = (self.eval(counter).as_int()?, self.eval(end).as_int()?);
        let way = match compare {
            BinaryOp::Less | BinaryOp::NotEqual if by > 0 => end.checked_sub(from)?,
            BinaryOp::LessEqual if by > 0 => end.checked_sub(from)?.checked_add(1)?,
            BinaryOp::Greater | BinaryOp::NotEqual if by < 0 => from.checked_sub(end)?,
            BinaryOp::GreaterEqual if by < 0 => from.checked_sub(end)?.checked_add(1)?,
            _ => return None,
        };
        Some(u64::try_from(way).unwrap_or(0).div_ceil(by.unsigned_abs()))
    }

    /// Takes the lengths at the start of round `round`, from 0.
    pub(super) fn grow(&mut self, growth: &mut Growth, round: u64) {
        for (object, _, last, by) in &mut growth.vectors {
            let now = self.objects[*object].bytes;
            let grown = now.and_then(|now| now.checked_sub(*last));
            match (round, *by, grown) {
                (0, ..) | (2.., None, _) => {}
                (1, ..) => *by = grown,
                // One that was left for want of steps tells nothing, and one that adds nothing is not understood.
                (_, _, None) => {}
                (_, Some(1..), Some(0)) => *by = None,
                // Rounds that differ, such as those at a border, tell about how many there are.
                _ => {
                    self.objects[*object].open |= *by != grown;
                    *by = grown;
                }
            }
            *last = now.unwrap_or(*last);
        }
    }

    /// Gives the vectors of a loop that was left early the lengths that all its rounds make, if each round adds as much.
    pub(super) fn grow_on(&mut self, growth: Growth) {
        for (object, before, _, by) in growth.vectors {
            let all = growth.rounds.zip(by).and_then(|(rounds, by)| by.checked_mul(rounds)?.checked_add(before));
            self.objects[object].bytes = all;
        }
    }
}

/// The vector that an expression lengthens: a variable or a member of one, which none of `own` is.
fn lengthened<'e>(e: &'e Expr, own: &HashSet<Name>) -> Option<&'e Expr> {
    let ExprKind::Call(callee, _) = &e.kind else { return None };
    let ExprKind::Member(vector, method, _) = &callee.kind else { return None };
    let mut root = vector;
    while let ExprKind::Member(object, ..) = &root.kind {
        root = object;
    }
    let ExprKind::Name(path) = &root.kind else { return None };
    (matches!(&**method, "push_back" | "emplace_back") && !own.contains(path.last())).then_some(vector)
}
