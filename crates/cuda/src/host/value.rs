//! The values of host code, and where they are kept.

use super::Variable;
use crate::syntax::ast::{Function, Path, TypeExpr};
use crate::syntax::token::Name;
use std::rc::Rc;

/// Most members or elements of one value that are kept.
const PARTS_MAX: usize = 256;
/// Number of the input that a value comes from, from 1. 0: the text alone decides it.
pub(crate) type Input = u16;

/// A value of the host, as far as it is known.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Unknown,
    Int(i64, Input),
    Float(f64, Input),
    /// Bytes from the start of an allocation, and the size of an element. No object: not allocated yet.
    Pointer {
        object: Option<usize>,
        offset: i64,
        element: u64,
    },
    /// The address of a variable or of a part of it.
    Address(Place),
    /// The members of a struct or the elements of an array that were set.
    Parts(Rc<Vec<(Key, Value)>>),
    /// The type that a template parameter stands for, or the class of an object.
    Type(Rc<TypeExpr>),
    /// A text in quotes, or the string that holds it.
    Text(Name),
    /// A function by its name, with template arguments.
    Function(Rc<Path>),
    Lambda(Rc<Closure>),
}

/// A lambda with the variables that it sees.
#[derive(Debug)]
pub(crate) struct Closure {
    pub function: Rc<Function>,
    pub(super) seen: Vec<Variable>,
}

/// A member or an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    Field(Name),
    At(i64),
}

/// A variable, and the way to a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub slot: usize,
    pub path: Vec<Key>,
}

impl Place {
    pub fn part(mut self, key: Key) -> Self {
        self.path.push(key);
        self
    }
}

impl Value {
    pub fn int(value: i64) -> Self {
        Self::Int(value, 0)
    }

    /// The elements of a list in braces.
    pub fn list(values: Vec<Value>) -> Self {
        Self::Parts(Rc::new((0..).map(Key::At).zip(values).collect()))
    }

    /// The value of a `dim3`.
    pub fn dims(all: [Value; 3]) -> Self {
        let names = ["x", "y", "z"].map(|name| Key::Field(Name::from(name)));
        Self::Parts(Rc::new(names.into_iter().zip(all).collect()))
    }

    pub fn get(&self, key: &Key) -> Self {
        match self {
            Self::Parts(parts) => {
                parts.iter().find(|(k, _)| k == key).map_or(Self::Unknown, |(_, value)| value.clone())
            }
            _ => Self::Unknown,
        }
    }

    /// Sets a part, behind a way of members and elements.
    pub fn set(&mut self, path: &[Key], value: Value) {
        let Some((key, rest)) = path.split_first() else {
            *self = value;
            return;
        };
        if !matches!(self, Self::Parts(_)) {
            *self = Self::Parts(Rc::default());
        }
        let Self::Parts(parts) = self else { return };
        let parts = Rc::make_mut(parts);
        match parts.iter().position(|(k, _)| k == key) {
            Some(at) => parts[at].1.set(rest, value),
            None if parts.len() < PARTS_MAX => {
                let mut inner = Self::Unknown;
                inner.set(rest, value);
                parts.push((key.clone(), inner));
            }
            None => {}
        }
    }

    /// The value itself, if it is a struct with members.
    pub fn members(self) -> Option<Self> {
        let named = |parts: &[(Key, Value)]| parts.iter().any(|(key, _)| matches!(key, Key::Field(_)));
        matches!(&self, Self::Parts(parts) if named(parts)).then_some(self)
    }

    pub fn as_int(&self) -> Option<i64> {
        match self {
            Self::Int(value, _) => Some(*value),
            Self::Float(value, _) => Some(*value as i64),
            _ => None,
        }
    }

    pub fn as_float(&self) -> Option<f64> {
        match self {
            Self::Int(value, _) => Some(*value as f64),
            Self::Float(value, _) => Some(*value),
            _ => None,
        }
    }

    pub fn input(&self) -> Input {
        match self {
            Self::Int(_, input) | Self::Float(_, input) => *input,
            Self::Parts(parts) => parts.iter().map(|(_, value)| value.input()).max().unwrap_or(0),
            _ => 0,
        }
    }

    /// Whether it counts as true. `None` if that is unknown.
    pub fn truth(&self) -> Option<bool> {
        match self {
            Self::Int(value, _) => Some(*value != 0),
            Self::Float(value, _) => Some(*value != 0.0),
            Self::Pointer { object, .. } => object.map(|_| true),
            Self::Address(_) | Self::Text(_) => Some(true),
            _ => None,
        }
    }

    /// Keeps what agrees with the value after the other branch. A lone branch is mostly for an option that nobody gave, so
    /// what was known stays.
    pub fn merge(&mut self, other: &Self, lone: bool) {
        let free = |v: &Self| matches!(v, Self::Unknown | Self::Pointer { object: None, .. });
        match (&mut *self, other) {
            (Self::Parts(own), Self::Parts(parts)) if !Rc::ptr_eq(own, parts) => {
                let own = Rc::make_mut(own);
                for (key, other) in parts.iter() {
                    match own.iter().position(|(k, _)| k == key) {
                        Some(at) => own[at].1.merge(other, lone),
                        // One branch sets what the other leaves unset.
                        None => own.push((key.clone(), other.clone())),
                    }
                }
            }
            (own, other) if free(own) && !matches!(other, Self::Unknown) => *own = other.clone(),
            (own, other) if !lone && !own.same(other) && !free(other) => *own = Self::Unknown,
            _ => {}
        }
    }

    /// Whether both are the same known value.
    pub fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Int(a, _), Self::Int(b, _)) => a == b,
            (Self::Float(a, _), Self::Float(b, _)) => a == b,
            (Self::Pointer { object: a, offset: b, .. }, Self::Pointer { object: c, offset: d, .. }) => {
                (a, b) == (c, d)
            }
            (Self::Address(a), Self::Address(b)) => a == b,
            (Self::Text(a), Self::Text(b)) => a == b,
            (Self::Type(a), Self::Type(b)) => Rc::ptr_eq(a, b),
            (Self::Lambda(a), Self::Lambda(b)) => Rc::ptr_eq(a, b),
            (Self::Function(a), Self::Function(b)) => a.last() == b.last(),
            (Self::Parts(a), Self::Parts(b)) => {
                Rc::ptr_eq(a, b) || a.len() == b.len() && a.iter().zip(&**b).all(|(x, y)| x.0 == y.0 && x.1.same(&y.1))
            }
            _ => false,
        }
    }
}
