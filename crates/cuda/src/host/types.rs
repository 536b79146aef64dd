//! Types of host expressions, as far as declarations tell them, and the template arguments that follow from them.

use super::value::Value;
use super::{Host, NESTING_MAX};
use crate::lower::types::{common, vector, Ty};
use crate::syntax::ast::{
    Alias, BinaryOp, Expr, ExprKind, Function, Init, Path, Restrict, Scalar, Struct, TemplateArg, TemplateParam,
    TypeExpr, TypeKind, UnaryOp, Variable,
};
use crate::syntax::token::{Name, Pos};
use std::rc::Rc;

/// Most parts of a type. One that is built up over recursive templates is given up.
const PARTS_MAX: u32 = 64;
/// Classes of the library that stand for memory of their first template argument.
const HOLDERS: [&str; 7] =
    ["vector", "device_vector", "host_vector", "array", "unique_ptr", "shared_ptr", "device_ptr"];

fn plain(kind: TypeKind) -> TypeExpr {
    TypeExpr { kind, constant: false, volatile: false, pos: Pos::default() }
}

fn scalar(scalar: Scalar) -> Option<TypeExpr> {
    Some(plain(TypeKind::Scalar(scalar)))
}

fn pointer(to: TypeExpr) -> TypeExpr {
    plain(TypeKind::Pointer(Box::new(to), Restrict::No))
}

/// What a name in a type stands for.
type Meaning<'m> = &'m dyn Fn(&Name) -> Option<TemplateArg>;

/// A type with the names of template parameters replaced. `None` if it has too many parts.
fn replaced(ty: &TypeExpr, of: Meaning<'_>, left: &mut u32) -> Option<TypeExpr> {
    *left = left.checked_sub(1)?;
    let mut out = TypeExpr { kind: TypeKind::Auto, ..*ty };
    out.kind = match &ty.kind {
        TypeKind::Named(path) => match path.plain().and_then(of) {
            Some(TemplateArg::Type(other)) => {
                let constant = other.constant || ty.constant;
                return replaced(&other, &|_| None, left).map(|other| TypeExpr { constant, ..other });
            }
            _ => TypeKind::Named(replaced_path(path, of, left)?),
        },
        TypeKind::Pointer(to, restrict) => TypeKind::Pointer(Box::new(replaced(to, of, left)?), *restrict),
        TypeKind::Reference(to) => TypeKind::Reference(Box::new(replaced(to, of, left)?)),
        TypeKind::Array(to, count) => {
            let name = match count.as_ref().map(|count| &count.kind) {
                Some(ExprKind::Name(path)) => path.plain(),
                _ => None,
            };
            let count = match name.and_then(of) {
                Some(TemplateArg::Value(known)) => Some(Box::new(known)),
                _ => count.clone(),
            };
            TypeKind::Array(Box::new(replaced(to, of, left)?), count)
        }
        other => other.clone(),
    };
    Some(out)
}

fn replaced_path(path: &Path, of: Meaning<'_>, left: &mut u32) -> Option<Path> {
    let mut parts = Vec::with_capacity(path.parts.len());
    for (i, (name, args)) in path.parts.iter().enumerate() {
        let Some(args) = args else {
            // `typename T::type`.
            if let (0, Some(TemplateArg::Type(TypeExpr { kind: TypeKind::Named(class), .. }))) = (i, of(name)) {
                parts.extend(class.parts);
                continue;
            }
            parts.push((name.clone(), None));
            continue;
        };
        let mut all = Vec::with_capacity(args.len());
        for arg in args.iter() {
            let name = match arg {
                TemplateArg::Value(Expr { kind: ExprKind::Name(path), .. }) => path.plain(),
                _ => None,
            };
            all.push(match (arg, name.and_then(of)) {
                (TemplateArg::Type(ty), _) => TemplateArg::Type(replaced(ty, of, left)?),
                (_, Some(known)) => known,
                (other, None) => other.clone(),
            });
        }
        parts.push((name.clone(), Some(Rc::new(all))));
    }
    Some(Path { parts })
}

/// A type with template arguments in place of their parameters. `None` if it has too many parts.
pub(crate) fn with_args(ty: &TypeExpr, params: &[TemplateParam], args: &[Option<TemplateArg>]) -> Option<TypeExpr> {
    let of = |name: &Name| args.get(params.iter().position(|p| p.name == *name && !p.pack)?).cloned().flatten();
    replaced(ty, &of, &mut { PARTS_MAX })
}

/// The type behind the names that `typedef` and `using` give it. `None` if the type is no such name.
pub(crate) fn behind_aliases<'a>(ty: &TypeExpr, of: impl Fn(&Name) -> Option<&'a Alias>) -> Option<TypeExpr> {
    /// Aliases of aliases are followed so far.
    const DEPTH: u32 = 4;
    let mut found: Option<TypeExpr> = None;
    for _ in 0..DEPTH {
        let TypeKind::Named(path) = &found.as_ref().unwrap_or(ty).kind else { break };
        let alias = Some(path.last()).filter(|_| path.parts.len() == 1).and_then(&of);
        let Some((name, params, other)) = alias else { break };
        // A `typedef struct A A;`
        if matches!(&other.kind, TypeKind::Named(of) if of.last() == name) {
            break;
        }
        let args: Vec<_> = path.args().into_iter().flat_map(|args| args.iter()).cloned().map(Some).collect();
        found = Some(with_args(other, params, &args)?);
    }
    found
}

/// Finds the arguments of template parameters such that `written` means `actual`.
fn deduce(written: &TypeExpr, actual: &TypeExpr, params: &[TemplateParam], found: &mut [Option<TemplateArg>]) {
    match (&written.kind, &actual.kind) {
        (TypeKind::Reference(inner), _) => deduce(inner, actual, params, found),
        (TypeKind::Pointer(a, _), TypeKind::Pointer(b, _) | TypeKind::Array(b, _)) => deduce(a, b, params, found),
        (TypeKind::Named(path), _) => {
            if let Some(i) = path.plain().and_then(|name| params.iter().position(|p| p.name == *name)) {
                if params[i].value.is_none() && !params[i].pack {
                    let kind = match &actual.kind {
                        TypeKind::Array(to, _) => pointer((**to).clone()).kind,
                        other => other.clone(),
                    };
                    found[i].get_or_insert(TemplateArg::Type(plain(kind)));
                }
                return;
            }
            let TypeKind::Named(other) = &actual.kind else { return };
            let (Some(args), Some(others)) = (path.args(), other.args()) else { return };
            if path.last() != other.last() {
                return;
            }
            for (arg, other) in args.iter().zip(others.iter()) {
                match (arg, other) {
                    (TemplateArg::Type(a), TemplateArg::Type(b)) => deduce(a, b, params, found),
                    (TemplateArg::Value(Expr { kind: ExprKind::Name(path), .. }), TemplateArg::Value(_)) => {
                        if let Some(i) = params.iter().position(|p| path.plain() == Some(&p.name)) {
                            found[i].get_or_insert(other.clone());
                        }
                    }
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

impl Host<'_> {
    pub(super) fn behind(&self, ty: &TypeExpr) -> Option<TypeExpr> {
        behind_aliases(ty, |name| self.aliases.get(name).copied())
    }

    /// A declared type with the template parameters of the running functions replaced.
    pub(super) fn settled(&self, ty: &TypeExpr) -> Option<TypeExpr> {
        let meaning = |name: &Name| match self.variable(name).map(|v| self.get(&v.place)) {
            Some(Value::Type(ty)) => Some(TemplateArg::Type((*ty).clone())),
            Some(Value::Int(value, _)) => Some(TemplateArg::Value(super::expression::number(value)?)),
            _ => None,
        };
        let ty = replaced(ty, &meaning, &mut { PARTS_MAX })?;
        let instance = |ty: &TypeExpr| matches!(&ty.kind, TypeKind::Named(path) if path.args().is_some());
        Some(self.behind(&ty).filter(instance).unwrap_or(ty))
    }

    /// The type of a variable: the declared one, or that of the initial value.
    pub(super) fn declared_type(&mut self, v: &Variable) -> Option<Rc<TypeExpr>> {
        match (&v.ty.kind, &v.init) {
            (TypeKind::Auto, Some(Init::Value(e))) => self.type_of(e),
            (TypeKind::Auto, _) => None,
            (TypeKind::Reference(inner), Some(Init::Value(e))) if matches!(inner.kind, TypeKind::Auto) => {
                self.type_of(e)
            }
            (TypeKind::Pointer(inner, _), Some(Init::Value(e))) if matches!(inner.kind, TypeKind::Auto) => {
                self.type_of(e)
            }
            _ => self.settled(&v.ty),
        }
        .map(Rc::new)
    }

    /// The type of an expression, without evaluating it. References are what they refer to.
    pub(super) fn type_of(&mut self, e: &Expr) -> Option<TypeExpr> {
        if self.nesting >= NESTING_MAX || !self.burn(1) {
            return None;
        }
        self.nesting += 1;
        let ty = self.type_of_kind(e);
        self.nesting -= 1;
        match ty {
            Some(TypeExpr { kind: TypeKind::Reference(to), .. }) => Some(*to),
            Some(TypeExpr { kind: TypeKind::Auto, .. }) => None,
            other => other,
        }
    }

    fn type_of_kind(&mut self, e: &Expr) -> Option<TypeExpr> {
        match &e.kind {
            ExprKind::Int(literal) => scalar(match (literal.long, literal.unsigned) {
                (false, false) => Scalar::I32,
                (false, true) => Scalar::U32,
                (true, false) => Scalar::I64,
                (true, true) => Scalar::U64,
            }),
            ExprKind::Float(_, single) => scalar(if *single { Scalar::F32 } else { Scalar::F64 }),
            ExprKind::Bool(_) => scalar(Scalar::Bool),
            ExprKind::Char(_) => scalar(Scalar::I8),
            ExprKind::SizeofType(_) | ExprKind::SizeofExpr(_) | ExprKind::AlignofType(_) => scalar(Scalar::U64),
            ExprKind::Name(path) => match self.variable(path.last()) {
                Some(variable) => variable.ty.as_deref().cloned(),
                None => self.unit.globals.iter().find(|g| g.name == *path.last()).map(|g| g.ty.clone()),
            },
            ExprKind::This => self.variable("this").and_then(|v| v.ty.as_deref().cloned()),
            ExprKind::Unary(op, inner) => {
                let ty = self.type_of(inner)?;
                match op {
                    UnaryOp::Deref => self.element_type(&ty),
                    UnaryOp::Address => Some(pointer(ty)),
                    UnaryOp::Not => scalar(Scalar::Bool),
                    _ => Some(ty),
                }
            }
            ExprKind::Index(array, _) => {
                let ty = self.type_of(array)?;
                self.element_type(&ty)
            }
            ExprKind::Binary(op, a, b) => self.type_of_binary(*op, a, b),
            ExprKind::Assign(_, target, _) => self.type_of(target),
            ExprKind::Ternary(_, yes, no) => match self.type_of(yes) {
                Some(ty) => Some(ty),
                None => self.type_of(no),
            },
            ExprKind::Comma(_, last) => self.type_of(last),
            ExprKind::Cast(ty, ..) | ExprKind::Construct(ty, _) => self.settled(ty),
            ExprKind::Member(object, name, _) => {
                let class = self.type_of(object)?;
                let body = self.class_named(&class)?;
                let field = body.fields.iter().find(|f| f.name == *name)?;
                self.of_class(&class, &body, &field.ty)
            }
            ExprKind::Call(callee, args) => self.type_of_call(callee, args),
            ExprKind::Lambda(f) => Some(plain(TypeKind::Named(Path::simple(super::closure::class_name(f))))),
            _ => None,
        }
    }

    fn type_of_binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Option<TypeExpr> {
        use BinaryOp::{Shl, Shr};
        if op.is_truth() {
            return scalar(Scalar::Bool);
        }
        let left = self.type_of(a)?;
        let of = |host: &Self, ty: &TypeExpr| match host.module.resolve(ty) {
            Ok(Ty::Scalar(scalar)) => Some(scalar),
            _ => None,
        };
        let Some(x) = of(self, &left) else { return Some(left) };
        let right = self.type_of(b)?;
        match of(self, &right) {
            Some(_) if matches!(op, Shl | Shr) => Some(left),
            Some(y) => scalar(common(x, y)),
            None => Some(right),
        }
    }

    fn type_of_call(&mut self, callee: &Expr, args: &[Expr]) -> Option<TypeExpr> {
        match &callee.kind {
            ExprKind::Name(path) => {
                let name = path.last();
                if let ("raw_pointer_cast" | "move", Some(first)) = (&**name, args.first()) {
                    return self.type_of(first);
                }
                if let Some(f) = self.functions.get(name).cloned() {
                    let given = path.args().map_or(&[][..], |args| args.as_slice());
                    let known = self.template_of_call(&f, given, args);
                    return with_args(&f.returns, &f.template, &known);
                }
                match &**name {
                    "new" => match args {
                        [Expr { kind: ExprKind::Construct(ty, _), .. }] => self.settled(ty).map(pointer),
                        _ => None,
                    },
                    "min" | "max" | "abs" => {
                        let first = args.first()?;
                        self.type_of(first)
                    }
                    "atoi" => scalar(Scalar::I32),
                    "atol" | "strtol" | "atoll" => scalar(Scalar::I64),
                    "atof" | "strtod" => scalar(Scalar::F64),
                    other => {
                        let made = other.strip_prefix("make_").filter(|made| vector(made).is_some())?;
                        Some(plain(TypeKind::Named(Path::simple(Name::from(made)))))
                    }
                }
            }
            ExprKind::Member(object, method, _) => {
                let class = self.type_of(object)?;
                let TypeKind::Named(path) = &class.kind else { return None };
                let name = path.last().clone();
                if let Some(f) = self.method(&name, method, args.len()) {
                    let body = self.class_named(&class)?;
                    return self.of_class(&class, &body, &f.returns);
                }
                match &**method {
                    "data" | "get" | "begin" => self.element_type(&class).map(pointer),
                    "size" => scalar(Scalar::U64),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// What a pointer, an array or a container has as elements.
    pub(super) fn element_type(&self, ty: &TypeExpr) -> Option<TypeExpr> {
        match &ty.kind {
            TypeKind::Pointer(to, _) | TypeKind::Array(to, _) => Some((**to).clone()),
            TypeKind::Named(path) if HOLDERS.contains(&&**path.last()) => match path.args()?.first()? {
                TemplateArg::Type(ty) => Some(ty.clone()),
                TemplateArg::Value(_) => None,
            },
            TypeKind::Named(_) => self.behind(ty).and_then(|ty| self.element_type(&ty)),
            _ => None,
        }
    }

    fn class_named(&self, ty: &TypeExpr) -> Option<Rc<Struct>> {
        match &ty.kind {
            TypeKind::Named(path) => self.class(path.last()),
            _ => None,
        }
    }

    /// A type that a class declares, with the template arguments of an object.
    fn of_class(&self, class: &TypeExpr, body: &Struct, ty: &TypeExpr) -> Option<TypeExpr> {
        let args = if let TypeKind::Named(path) = &class.kind { path.args() } else { None };
        let args: Vec<_> = args.into_iter().flat_map(|args| args.iter()).cloned().map(Some).collect();
        with_args(ty, &body.template, &args)
    }

    /// The template arguments of a call: those that it gives, and those that follow from the types of its arguments.
    pub(super) fn template_of_call(
        &mut self,
        f: &Function,
        given: &[TemplateArg],
        args: &[Expr],
    ) -> Vec<Option<TemplateArg>> {
        let mut found: Vec<Option<TemplateArg>> = given.iter().cloned().map(Some).collect();
        for arg in found.iter_mut() {
            if let Some(TemplateArg::Type(ty)) = arg {
                *arg = self.settled(ty).map(TemplateArg::Type);
            }
        }
        found.resize(f.template.len().max(given.len()), None);
        if given.len() >= f.template.len() {
            return found;
        }
        for (param, arg) in f.params.iter().zip(args) {
            if mentions(&param.ty, &f.template) {
                if let Some(ty) = self.type_of(arg) {
                    deduce(&param.ty, &ty, &f.template, &mut found);
                }
            }
        }
        found
    }
}

/// Whether a type names a template parameter.
fn mentions(ty: &TypeExpr, params: &[TemplateParam]) -> bool {
    match &ty.kind {
        TypeKind::Pointer(to, _) | TypeKind::Reference(to) | TypeKind::Array(to, _) => mentions(to, params),
        TypeKind::Named(path) => path.args().is_some() || params.iter().any(|p| path.plain() == Some(&p.name)),
        _ => false,
    }
}
