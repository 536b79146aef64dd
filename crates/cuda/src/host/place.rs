//! Where host code keeps values, and how it converts them.

use super::class::CLASS;
use super::expression::is_void;
use super::value::{Key, Place, Value};
use super::{Host, NESTING_MAX};
use crate::lower::types::Ty;
use crate::syntax::ast::{Expr, ExprKind, Path, Scalar, TemplateArg, TypeExpr, TypeKind, UnaryOp};
use std::rc::Rc;

impl Host<'_> {
    pub(super) fn get(&self, place: &Place) -> Value {
        let Some(mut value) = self.slots.get(place.slot).cloned() else { return Value::Unknown };
        for key in &place.path {
            value = value.get(key);
        }
        value
    }

    pub(super) fn set(&mut self, place: &Place, value: Value) {
        if let Some(slot) = self.slots.get_mut(place.slot).filter(|_| place.path.len() <= 8) {
            slot.set(&place.path, value);
            if !place.path.is_empty() {
                self.forget_slot(place.slot);
            }
        }
    }

    /// The place of an element behind a pointer.
    pub(super) fn element(&self, pointer: &Value, index: i64) -> Option<Place> {
        match pointer {
            Value::Pointer { object: Some(object), offset, element } if *element > 0 => {
                let at = (offset / *element as i64).wrapping_add(index);
                Some(Place { slot: self.objects[*object].slot, path: vec![Key::At(at)] })
            }
            _ => None,
        }
    }

    /// Where an expression is kept.
    pub(super) fn place(&mut self, e: &Expr) -> Option<Place> {
        if self.nesting >= NESTING_MAX || !self.burn(1) {
            return None;
        }
        self.nesting += 1;
        let place = self.place_of(e);
        self.nesting -= 1;
        place
    }

    fn place_of(&mut self, e: &Expr) -> Option<Place> {
        match &e.kind {
            ExprKind::Name(path) => Some(self.variable(path.last())?.place.clone()),
            ExprKind::Member(object, name, _) => Some(self.place(object)?.part(Key::Field(name.clone()))),
            ExprKind::Index(array, index) => {
                let index = self.eval(index).as_int()?;
                match self.eval(array) {
                    pointer @ Value::Pointer { .. } => self.element(&pointer, index),
                    Value::Address(place) if index == 0 => Some(place),
                    _ => Some(self.place(array)?.part(Key::At(index))),
                }
            }
            ExprKind::Unary(UnaryOp::Deref, inner) => match self.eval(inner) {
                Value::Address(place) => Some(place),
                pointer => self.element(&pointer, 0),
            },
            ExprKind::Cast(_, inner, _) => self.place(inner),
            // A name of `auto [a, b] = value`.
            ExprKind::Nth(inner, i) => {
                let place = self.place(inner)?;
                let Value::Parts(parts) = self.get(&place) else { return None };
                let mut members = parts.iter().filter(|(key, _)| !matches!(key, Key::Field(n) if &**n == CLASS));
                members.nth(*i).map(|(key, _)| place.part(key.clone()))
            }
            _ => None,
        }
    }

    /// A value of a type, made of arguments.
    pub(super) fn constructed(&mut self, ty: &TypeExpr, mut values: Vec<Value>) -> Value {
        if let TypeKind::Named(path) = &ty.kind {
            if let Some(value) = self.constant_of(path) {
                return value;
            }
            if &**path.last() == "dim3" && !matches!(values.first(), Some(Value::Parts(_))) {
                values.resize(3, Value::int(1));
                let mut all = values.into_iter().map(|v| self.convert_to(Scalar::U32, v));
                return Value::dims([(); 3].map(|()| all.next().unwrap_or(Value::Unknown)));
            }
        }
        if let Some(element) = self.vector_of(ty) {
            return self.new_vector(&element, &values);
        }
        if self.is_class(ty) {
            return self.new_object(ty, values);
        }
        match values.len() {
            0 => Value::Unknown,
            1 => self.convert(ty, values.remove(0)),
            _ => self.convert(ty, Value::list(values)),
        }
    }

    /// The number that an object of `std::integral_constant<int, 3>` or `std::true_type` stands for.
    fn constant_of(&mut self, path: &Path) -> Option<Value> {
        match (&**path.last(), path.args().map_or(&[][..], |args| &args[..])) {
            ("true_type", []) => Some(Value::int(1)),
            ("false_type", []) => Some(Value::int(0)),
            ("integral_constant", [_, TemplateArg::Value(e)]) | ("bool_constant", [TemplateArg::Value(e)]) => {
                Some(self.eval(e))
            }
            _ => None,
        }
    }

    /// The size of what a pointer type points to, if the type stands for one.
    pub(super) fn pointed_to(&self, ty: &TypeExpr) -> Option<u64> {
        match self.module.resolve(&self.bound_type(ty)) {
            Ok(Ty::Pointer(to)) => Some(to.ty.size()),
            _ => None,
        }
    }

    /// Bytes of the array that a pointer points to.
    pub(super) fn length(&self, pointer: &Value) -> Option<u64> {
        match pointer {
            Value::Pointer { object: Some(object), .. } => self.objects[*object].bytes,
            _ => None,
        }
    }

    /// Converts a value to a type.
    pub(super) fn convert(&mut self, ty: &TypeExpr, value: Value) -> Value {
        match (&ty.kind, value) {
            (TypeKind::Scalar(scalar), value) => self.convert_to(*scalar, value),
            // The elements of an array of structs have members.
            (TypeKind::Array(to, _), Value::Parts(parts)) if matches!(to.kind, TypeKind::Named(_)) => {
                let all = parts.iter().map(|(key, value)| (key.clone(), self.convert(to, value.clone())));
                Value::Parts(Rc::new(all.collect()))
            }
            (TypeKind::Pointer(to, _), Value::Pointer { object, offset, element }) => {
                let element = self.size_of(to).filter(|_| !is_void(to)).unwrap_or(element);
                Value::Pointer { object, offset, element }
            }
            // An object becomes a pointer by its conversion operator.
            (TypeKind::Pointer(..), object @ Value::Parts(_)) => match self.class_of(&object) {
                Some(class) => {
                    self.slots.push(object.clone());
                    let place = Place { slot: self.slots.len() - 1, path: Vec::new() };
                    self.call_on((place, class), "operator cast", &[]).unwrap_or(object)
                }
                None => object,
            },
            (TypeKind::Named(path), value @ Value::Int(..)) if &**path.last() == "dim3" => {
                self.constructed(ty, vec![value])
            }
            (TypeKind::Named(path), Value::Parts(parts))
                if &**path.last() == "dim3" && parts.iter().all(|(key, _)| matches!(key, Key::At(_))) =>
            {
                self.constructed(ty, parts.iter().map(|(_, value)| value.clone()).collect())
            }
            (TypeKind::Named(_), list @ Value::Parts(_)) if self.vector_of(ty).is_some() => {
                self.constructed(ty, vec![list])
            }
            (TypeKind::Named(_), value @ Value::Parts(_)) if self.is_class(ty) => self.new_object(ty, vec![value]),
            (TypeKind::Named(_), Value::Parts(parts)) => match self.module.resolve(&self.bound_type(ty)) {
                // A list becomes the members in order.
                Ok(Ty::Struct(s)) => {
                    let named = parts.iter().map(|(key, value)| match key {
                        Key::At(i) => match usize::try_from(*i).ok().and_then(|i| s.fields.get(i)) {
                            Some(field) => (Key::Field(field.name.clone()), value.clone()),
                            None => (key.clone(), value.clone()),
                        },
                        Key::Field(_) => (key.clone(), value.clone()),
                    });
                    Value::Parts(Rc::new(named.collect()))
                }
                _ => Value::Parts(parts),
            },
            (TypeKind::Named(_), value @ (Value::Int(..) | Value::Float(..))) => {
                match self.module.resolve(&self.bound_type(ty)) {
                    Ok(Ty::Scalar(scalar)) => self.convert_to(scalar, value),
                    _ => value,
                }
            }
            (_, value) => value,
        }
    }

    fn convert_to(&self, scalar: Scalar, value: Value) -> Value {
        match (scalar, value) {
            (Scalar::F32 | Scalar::F64, Value::Int(v, input)) => Value::Float(v as f64, input),
            (Scalar::F32 | Scalar::F64, value) => value,
            (_, Value::Float(v, input)) => Value::Int(v as i64, input),
            (Scalar::I32, Value::Int(v, input)) => Value::Int(i64::from(v as i32), input),
            (Scalar::U32, Value::Int(v, input)) => Value::Int(i64::from(v as u32), input),
            (Scalar::Bool, Value::Int(v, input)) => Value::Int(i64::from(v != 0), input),
            (_, value) => value,
        }
    }
}
