//! Arguments whose types come from templates: structs with their members, and packs.

use super::bounds;
use super::guess::LaunchGuess;
use crate::host::types::{behind_aliases, with_args};
use crate::host::HostArg;
use crate::lower::packs::{expanded, shown_name};
use crate::lower::Module;
use crate::syntax::ast::{Alias, ExprKind, Function, Scalar, Storage, Struct, TypeExpr, TypeKind, Unit};
use crate::syntax::lex;
use crate::syntax::parse::parse_fragment;
use std::rc::Rc;

/// Most scalars and arrays of a struct argument, and most letters of the name of such an array.
const FIELDS_MAX: usize = 256;
const PATH_MAX: usize = 200;

impl LaunchGuess {
    /// Puts the template arguments into the types of the parameters.
    pub(super) fn settle_params(&mut self, unit: &Unit, module: &Module) {
        if self.kernel.template.is_empty() {
            return;
        }
        let parsed = |i: usize| {
            let tokens = lex(&format!("<{} >", self.template_arg(i))).tokens;
            parse_fragment(tokens, unit, |f| f.template_args()).ok()?.into_iter().next()
        };
        let args: Vec<_> = (0..self.kernel.template.len()).map(parsed).collect();
        let mut kernel = (*self.kernel).clone();
        let all: Option<Vec<_>> = args.iter().cloned().collect();
        if let Some(special) = all.and_then(|args| module.specialised(&kernel, &args)) {
            // Its parameters may have other names.
            (kernel.params, kernel.body) = (special.params.clone(), special.body.clone());
        }
        for param in &mut kernel.params {
            if let Some(ty) = with_args(&param.ty, &kernel.template, &args) {
                param.ty = ty;
            }
        }
        self.kernel = Rc::new(kernel);
    }

    /// Values of the scalars of a struct, and items for the arrays that it points to. `None` if it is not a plain
    /// struct.
    pub(super) fn fields(
        &self,
        (path, arg): (&str, Option<&HostArg>),
        ty: &TypeExpr,
        seed: usize,
        (values, arrays): (&mut Vec<String>, &mut Vec<String>),
    ) -> Option<()> {
        if values.len() + arrays.len() > FIELDS_MAX || path.len() > PATH_MAX {
            return None;
        }
        match &ty.kind {
            TypeKind::Pointer(to, _) => {
                values.push(path.into());
                arrays.push(self.array(path, to, seed + arrays.len(), arg)?);
            }
            TypeKind::Scalar(scalar) => values.push(self.scalar(*scalar, arg, "")),
            TypeKind::Array(to, Some(size)) => {
                let ExprKind::Int(count) = &size.kind else { return None };
                for i in 0..count.value.min(FIELDS_MAX as u64) {
                    let inner = (&*format!("{path}_{i}"), member(arg, &i.to_string()));
                    self.fields(inner, to, seed, (&mut *values, &mut *arrays))?;
                }
                // Its further elements are zero. A member behind it would take the place of one, and is refused above.
                if count.value > FIELDS_MAX as u64 {
                    values.push("0".into());
                }
            }
            TypeKind::Named(named) if &**named.last() == "cudaTextureObject_t" => {
                values.push(path.into());
                arrays.push(self.image_item(path, arg, seed));
            }
            TypeKind::Named(named) if self.scalar_named(named).is_some() => {
                values.push(self.scalar(self.scalar_named(named)?, arg, ""));
            }
            TypeKind::Named(named) => {
                if let Some(vector) = bounds::vector_type(ty) {
                    let members = ["x", "y", "z", "w"].into_iter().zip(vector.leaves());
                    values.extend(members.map(|(name, leaf)| self.scalar(leaf.scalar, member(arg, name), "")));
                    return Some(());
                }
                let name = if named.args().is_some() { named.last().to_string() } else { self.type_text(ty)? };
                let given = named.args().map_or(&[][..], |args| args.as_slice());
                let fits = |s: &&Rc<Struct>| {
                    *s.name == *name && s.template.len() >= given.len() && s.specialised.is_none() && !s.union
                };
                let found = self.structs.iter().find(fits)?;
                let left_out = found.template.iter().skip(given.len()).map(|p| p.default.clone());
                let args = given.iter().cloned().map(Some).chain(left_out);
                let args = args.map(|arg| arg.map(Some)).collect::<Option<Vec<_>>>()?;
                for base in &found.bases {
                    let base = with_args(base, &found.template, &args)?;
                    self.fields((path, arg), &base, seed, (&mut *values, &mut *arrays))?;
                }
                for field in found.fields.iter().filter(|f| f.storage == Storage::Automatic) {
                    let inner = format!("{path}_{}", field.name);
                    let ty = with_args(&field.ty, &found.template, &args)?;
                    let before = values.len();
                    self.fields((&inner, member(arg, &field.name)), &ty, seed, (&mut *values, &mut *arrays))?;
                    if &*field.name == "strides_" && arg.is_none() {
                        dense(values, before);
                    }
                }
            }
            _ => return None,
        }
        Some(())
    }

    pub(super) fn is_struct(&self, ty: &TypeExpr) -> bool {
        let TypeKind::Named(path) = &ty.kind else { return false };
        self.structs.iter().any(|s| s.name == *path.last() && !s.fields.is_empty())
    }
}

/// The kernel with what aliases stand for in the types of its parameters, unless that is a number.
pub(super) fn without_aliases(kernel: &Rc<Function>, aliases: &[Alias]) -> Rc<Function> {
    let mut kernel = kernel.clone();
    // A number keeps its name. A pointer to a function is read as one to anything.
    let other = |ty: &TypeExpr| match &ty.kind {
        TypeKind::Pointer(to, _) => !matches!(to.kind, TypeKind::Scalar(Scalar::Void)),
        of => matches!(of, TypeKind::Named(_)),
    };
    let behind = |ty: &TypeExpr| behind_aliases(ty, |name| aliases.iter().find(|alias| alias.0 == *name)).filter(other);
    if kernel.params.iter().any(|param| behind(&param.ty).is_some()) {
        for param in &mut Rc::make_mut(&mut kernel).params {
            param.ty = behind(&param.ty).unwrap_or_else(|| param.ty.clone());
        }
    }
    kernel
}

/// The kernel with the elements of its packs as parameters of their own.
pub(super) fn without_packs(kernel: &Rc<Function>, args: usize, given: usize) -> Rc<Function> {
    let Some((mut kernel, _)) = expanded(kernel, args, given) else { return kernel.clone() };
    for param in &mut Rc::make_mut(&mut kernel).params {
        param.name = param.name.as_ref().map(shown_name);
    }
    kernel
}

/// Makes the values from `first` on the strides of a tensor without gaps, whose sizes stand before them.
fn dense(values: &mut [String], first: usize) {
    let (dimensions, mut stride) = (values.len() - first, 1u64);
    for at in (first..values.len()).rev() {
        let size = at.checked_sub(dimensions).and_then(|size| values[size].parse().ok());
        values[at] = stride.to_string();
        stride = stride.saturating_mul(size.unwrap_or(1));
    }
}

/// A member or an element of a struct argument.
fn member<'a>(arg: Option<&'a HostArg>, name: &str) -> Option<&'a HostArg> {
    match arg {
        Some(HostArg::Fields(all)) => all.iter().find(|(n, _)| &**n == name).map(|(_, arg)| arg),
        _ => None,
    }
}
