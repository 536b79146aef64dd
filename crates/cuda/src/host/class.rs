//! Objects of host classes: their members, methods and constructors.
//!
//! An object is a value with parts, one of which names its class. While a method runs, the members are variables whose place
//! is in the object.

use super::value::{Key, Place, Value};
use super::{Host, Variable};
use crate::lower::types::Ty;
use crate::syntax::ast::{Function, Init, Path, Storage, Struct, TypeExpr, TypeKind};
use crate::syntax::token::{Name, Pos};
use std::rc::Rc;

/// The part of an object that holds its type.
pub(super) const CLASS: &str = "(class)";
/// Most levels of base classes.
const BASES_MAX: u32 = 8;

/// The object of a method, and its type.
#[derive(Clone)]
pub(super) struct ThisObject {
    pub place: Place,
    pub ty: Rc<TypeExpr>,
}

fn class_name(ty: &TypeExpr) -> Option<&Name> {
    match &ty.kind {
        TypeKind::Named(path) => Some(path.last()),
        _ => None,
    }
}

impl Host<'_> {
    pub(super) fn class(&self, name: &str) -> Option<Rc<Struct>> {
        self.by_name.get(name).cloned()
    }

    /// The type of the object, if the value is one of a class.
    pub(super) fn class_of(&self, value: &Value) -> Option<Rc<TypeExpr>> {
        match value.get(&Key::Field(Name::from(CLASS))) {
            Value::Type(ty) => Some(ty),
            _ => None,
        }
    }

    /// A method of a class or of one of its bases. `count`: the number of arguments.
    pub(super) fn method(&mut self, class: &str, name: &str, count: usize) -> Option<Rc<Function>> {
        self.method_within(class, name, count, 0)
    }

    fn method_within(&mut self, class: &str, name: &str, count: usize, depth: u32) -> Option<Rc<Function>> {
        if !self.burn(1) {
            return None;
        }
        let body = self.class(class)?;
        let outside = self.methods_of.get(class).into_iter().flatten();
        let all = body.methods.iter().chain(outside).filter(|f| *f.name == *name && f.body.is_some());
        let fits = |f: &&Rc<Function>| {
            f.params.len() >= count && f.params.iter().skip(count).all(|p| p.default.is_some() || p.pack)
        };
        all.clone().find(fits).or_else(|| all.clone().next().filter(|_| *name != *class)).cloned().or_else(|| {
            let bases = body.bases.iter().filter(|_| depth < BASES_MAX).filter_map(class_name);
            bases.filter_map(|base| self.method_within(base, name, count, depth + 1)).next()
        })
    }

    /// The constructor that takes these values: the first one whose parameters suit them.
    fn constructor(&mut self, class: &Name, values: &[Value]) -> Option<Rc<Function>> {
        let first = self.method(class, class, values.len())?;
        let body = self.class(class)?;
        let outside: Vec<Rc<Function>> =
            self.methods.iter().filter(|f| f.owner.as_ref() == Some(class)).cloned().collect();
        let all = body.methods.iter().chain(&outside).filter(|f| f.name == *class && f.body.is_some());
        let takes = |f: &&Rc<Function>| {
            f.params.len() >= values.len()
                && f.params.iter().skip(values.len()).all(|p| p.default.is_some())
                && f.params.iter().zip(values).all(|(p, value)| self.suits(&p.ty, value))
        };
        all.into_iter().find(takes).cloned().or(Some(first))
    }

    /// Whether a parameter of a type may take a value. A number is no array, and an array is no number.
    fn suits(&self, ty: &TypeExpr, value: &Value) -> bool {
        let ty = match &ty.kind {
            TypeKind::Reference(to) => to,
            _ => ty,
        };
        let number = match &ty.kind {
            TypeKind::Scalar(_) => true,
            TypeKind::Named(_) if self.vector_of(ty).is_some() => false,
            TypeKind::Named(_) => match self.module.resolve(&self.bound_type(ty)) {
                Ok(Ty::Scalar(_)) => true,
                Ok(_) => false,
                Err(_) => return true,
            },
            TypeKind::Pointer(..) => false,
            _ => return true,
        };
        match value {
            Value::Int(0, _) if matches!(ty.kind, TypeKind::Pointer(..)) => true,
            Value::Int(..) | Value::Float(..) => number,
            Value::Pointer { .. } | Value::Parts(_) | Value::Text(_) | Value::Address(_) => !number,
            _ => true,
        }
    }

    /// The only class that has a method of this name.
    pub(super) fn owner_of(&self, name: &str) -> Option<Name> {
        let inside = self.classes.iter().filter(|s| s.methods.iter().any(|f| *f.name == *name));
        let mut owners = inside.map(|s| &s.name);
        owners.next().filter(|_| owners.next().is_none()).cloned()
    }

    /// Makes the template parameters and the members of an object visible.
    pub(super) fn show_members(&mut self, this: &ThisObject) {
        let place = Value::Address(this.place.clone());
        let pointer = TypeKind::Pointer(Box::new((*this.ty).clone()), crate::syntax::ast::Restrict::No);
        let ty = TypeExpr { kind: pointer, constant: false, volatile: false, pos: this.ty.pos };
        self.bind_typed(Name::from("this"), place, (None, Some(Rc::new(ty))));
        self.show_members_of(&this.place, &this.ty, 0);
    }

    fn show_members_of(&mut self, place: &Place, ty: &TypeExpr, depth: u32) {
        let Some(body) = class_name(ty).and_then(|name| self.class(name)) else { return };
        let args = if let TypeKind::Named(path) = &ty.kind { path.args().cloned() } else { None };
        let args: Vec<_> = args.iter().flat_map(|args| args.iter()).cloned().map(Some).collect();
        let bound = self.template_values(&body.template, &args);
        bound.into_iter().for_each(|(name, value)| self.bind(name, value, None));
        for base in body.bases.iter().filter(|_| depth < BASES_MAX) {
            if !self.burn(1) {
                return;
            }
            self.show_members_of(place, base, depth + 1);
        }
        for field in &body.fields {
            if !self.burn(1) {
                return;
            }
            let size = self.size_of(&field.ty);
            if field.storage == Storage::Automatic {
                let place = place.clone().part(Key::Field(field.name.clone()));
                let ty = self.settled(&field.ty).map(Rc::new);
                self.scope.push(Variable { name: field.name.clone(), place, size, ty });
            } else if matches!(field.ty.kind, TypeKind::Scalar(_)) {
                let value = self.initial(field);
                self.bind(field.name.clone(), value, size);
            }
        }
    }

    /// A static member of a class. With `own`, the number that a member of each object has at first counts too.
    pub(super) fn static_member(&mut self, class: TypeExpr, name: &str, own: bool) -> Option<Value> {
        let named = class_name(&class).filter(|name| self.by_name.contains_key(*name))?;
        let all = self.classes.iter().chain(&self.unit.structs).filter(|s| s.name == *named);
        let fits = |f: &&crate::syntax::ast::Variable| {
            f.storage != Storage::Automatic || own && !matches!(f.ty.kind, TypeKind::Pointer(..))
        };
        let field = all.flat_map(|s| &s.fields).find(|f| *f.name == *name).filter(fits).cloned()?;
        let this = ThisObject { place: self.no_object(), ty: Rc::new(class) };
        let mut value = Value::Unknown;
        self.within(&this, |host| value = host.initial(&field));
        Some(value)
    }

    /// The class `A` of a path `A::name`, behind the names that `using` gives it.
    pub(super) fn class_in(&self, path: &Path) -> Option<TypeExpr> {
        let [parts @ .., _] = &path.parts[..] else { return None };
        let owner = Path { parts: parts.last().map(|part| vec![part.clone()])? };
        let kind = TypeKind::Named(owner);
        let ty = self.settled(&TypeExpr { kind, constant: false, volatile: false, pos: Pos::default() })?;
        if self.class(class_name(&ty)?).is_some() {
            return Some(ty);
        }
        let alias = self.unit.aliases.iter().find(|a| Some(&a.0) == class_name(&ty) && a.1.is_empty())?;
        class_name(&alias.2).filter(|name| self.class(name).is_some())?;
        self.settled(&alias.2)
    }

    /// The place of an object that a static method does not have.
    pub(super) fn no_object(&mut self) -> Place {
        self.slots.push(Value::Unknown);
        Place { slot: self.slots.len() - 1, path: Vec::new() }
    }

    /// Whether values of the type are objects with methods or with members that have values from the start.
    pub(super) fn is_class(&self, ty: &TypeExpr) -> bool {
        let made = |f: &crate::syntax::ast::Variable| f.init.is_some() || self.vector_of(&f.ty).is_some();
        class_name(&self.bound_type(ty))
            .and_then(|name| self.class(name))
            .is_some_and(|s| !s.methods.is_empty() || !s.bases.is_empty() || s.fields.iter().any(made))
    }

    /// A new object. Its constructor runs, or the values are its members in order.
    pub(super) fn new_object(&mut self, ty: &TypeExpr, values: Vec<Value>) -> Value {
        // A class may name itself as a member by mistake.
        if self.depth >= super::DEPTH_MAX || !self.burn(1) {
            return Value::Unknown;
        }
        self.depth += 1;
        let object = self.made_object(ty, values);
        self.depth -= 1;
        object
    }

    fn made_object(&mut self, ty: &TypeExpr, values: Vec<Value>) -> Value {
        let ty = Rc::new(self.bound_type(ty).into_owned());
        let Some(body) = class_name(&ty).and_then(|name| self.class(name)) else { return Value::Unknown };
        if let [copy @ Value::Parts(_)] = &values[..] {
            if self.class_of(copy).is_some() {
                return copy.clone();
            }
        }
        let mut object = Value::Unknown;
        object.set(&[Key::Field(Name::from(CLASS))], Value::Type(ty.clone()));
        self.slots.push(object);
        let place = Place { slot: self.slots.len() - 1, path: Vec::new() };
        let this = ThisObject { place: place.clone(), ty };
        self.within(&this, |host| {
            let mut fields = Vec::new();
            host.fields_of(&body, &mut fields, 0);
            for field in fields {
                let value = host.initial(&field);
                if !matches!(value, Value::Unknown) {
                    host.set(&place.clone().part(Key::Field(field.name.clone())), value);
                }
            }
        });
        match self.constructor(&body.name, &values) {
            Some(f) => drop(self.enter(&f, &[], (Some(this), &[]), values.into_iter().map(Some).collect())),
            None => {
                let items: Vec<Value> = match &values[..] {
                    [Value::Parts(parts)] => parts.iter().map(|(_, value)| value.clone()).collect(),
                    _ => values,
                };
                let names = body.fields.iter().filter(|f| f.storage == Storage::Automatic);
                for (field, value) in names.zip(items) {
                    self.set(&place.clone().part(Key::Field(field.name.clone())), value);
                }
            }
        }
        self.get(&place)
    }

    fn fields_of(&mut self, body: &Struct, out: &mut Vec<crate::syntax::ast::Variable>, depth: u32) {
        if !self.burn(1 + body.fields.len() as u64) {
            return;
        }
        for base in body.bases.iter().filter(|_| depth < BASES_MAX) {
            if let Some(base) = class_name(base).and_then(|name| self.class(name)) {
                self.fields_of(&base, out, depth + 1);
            }
        }
        out.extend(body.fields.iter().filter(|f| f.storage == Storage::Automatic).cloned());
    }

    /// Runs something where the members of an object are visible.
    fn within(&mut self, this: &ThisObject, run: impl FnOnce(&mut Self)) {
        let (base, count) = (self.base, self.scope.len());
        self.base = count;
        self.show_members(this);
        run(self);
        self.scope.truncate(count);
        self.base = base;
    }

    /// Sets the members that a constructor names before its body.
    pub(super) fn initialise_members(&mut self, f: &Function, this: &ThisObject) {
        let Some(body) = class_name(&this.ty).and_then(|name| self.class(name)) else { return };
        let mut fields = Vec::new();
        self.fields_of(&body, &mut fields, 0);
        for (name, args) in &f.member_inits {
            let values: Vec<Value> = args.iter().map(|e| self.eval(e)).collect();
            let Some(field) = fields.iter().find(|field| field.name == *name) else {
                // Another constructor of the class.
                if *name == body.name {
                    self.construct_base(this, values);
                } else if let Some(base) = body.bases.iter().find(|base| class_name(base) == Some(name)) {
                    let this = ThisObject { place: this.place.clone(), ty: Rc::new(base.clone()) };
                    self.construct_base(&this, values);
                }
                continue;
            };
            let value = self.constructed(&field.ty, values);
            self.set(&this.place.clone().part(Key::Field(name.clone())), value);
        }
    }

    /// Runs the constructor of a base on the object of the class.
    fn construct_base(&mut self, this: &ThisObject, values: Vec<Value>) {
        let Some(f) = class_name(&this.ty).and_then(|name| self.constructor(name, &values)) else { return };
        let values = values.into_iter().map(Some).collect();
        self.enter(&f, &[], (Some(this.clone()), &[]), values);
    }

    /// The value of a variable of this type before anything sets it.
    pub(super) fn initial(&mut self, v: &crate::syntax::ast::Variable) -> Value {
        match &v.init {
            Some(Init::Value(e)) => {
                let value = self.eval(e);
                self.convert(&v.ty, value)
            }
            Some(Init::Construct(args, braces)) => {
                let values: Vec<Value> = args.iter().map(|e| self.eval(e)).collect();
                // `vector<int> v{16, 2}` has two elements, and `vector<int> v(16, 2)` has sixteen.
                if *braces && !values.is_empty() && self.vector_of(&v.ty).is_some() {
                    return self.constructed(&v.ty, vec![Value::list(values)]);
                }
                self.constructed(&v.ty, values)
            }
            None => match &v.ty.kind {
                TypeKind::Named(path) if &**path.last() == "dim3" || self.vector_of(&v.ty).is_some() => {
                    self.constructed(&v.ty, Vec::new())
                }
                TypeKind::Pointer(to, _) => {
                    Value::Pointer { object: None, offset: 0, element: self.size_of(to).unwrap_or(0) }
                }
                TypeKind::Named(_) if self.is_class(&v.ty) => self.new_object(&v.ty, Vec::new()),
                TypeKind::Named(_) => match self.pointed_to(&v.ty) {
                    Some(element) => Value::Pointer { object: None, offset: 0, element },
                    None => Value::Unknown,
                },
                _ => Value::Unknown,
            },
        }
    }
}
