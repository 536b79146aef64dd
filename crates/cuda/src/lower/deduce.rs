//! Deduces template parameters from types.

use crate::lower::context::Lowerer;
use crate::lower::types::{Binding, StructTy, Ty};
use crate::syntax::ast::{ExprKind, Path, Scalar, TemplateArg, TemplateParam, TypeExpr, TypeKind};
use crate::syntax::token::Name;

impl Lowerer<'_> {
    /// Deduces template parameters such that `written` means `actual`.
    pub fn deduce(
        &mut self,
        written: &TypeExpr,
        actual: &Ty,
        found: &mut Vec<(Name, Binding)>,
        params: &[TemplateParam],
    ) {
        match (&written.kind, actual) {
            (TypeKind::Reference(inner), _) => self.deduce(inner, actual, found, params),
            (TypeKind::Pointer(inner, _), Ty::Pointer(to)) => self.deduce(inner, &to.ty, found, params),
            (TypeKind::Pointer(inner, _), Ty::Array(element, _)) => self.deduce(inner, element, found, params),
            (TypeKind::Array(inner, size), Ty::Array(element, count)) => {
                if let Some(ExprKind::Name(path)) = size.as_ref().map(|s| &s.kind) {
                    add(found, params, path, Binding::Value(Scalar::I32, *count));
                }
                self.deduce(inner, element, found, params);
            }
            (TypeKind::Named(path), actual) => {
                if path.plain().is_some() {
                    add(found, params, path, Binding::Type(actual.clone()));
                }
                if let (Some(args), Ty::Struct(s)) = (path.args(), actual) {
                    self.deduce_struct(&args.clone(), s, found, params);
                }
                if let (Some(args), Ty::Group(threads)) = (path.args(), actual) {
                    if let Some(TemplateArg::Value(e)) = args.first() {
                        if let ExprKind::Name(path) = &e.kind {
                            add(found, params, path, Binding::Value(Scalar::U32, u64::from(*threads)));
                        }
                    }
                }
            }
            _ => {}
        }
    }

    pub fn match_pattern(
        &mut self,
        pattern: &TemplateArg,
        actual: &Binding,
        found: &mut Vec<(Name, Binding)>,
        params: &[TemplateParam],
    ) {
        match (pattern, actual) {
            (TemplateArg::Type(ty), Binding::Type(actual)) => self.deduce(ty, &actual.clone(), found, params),
            (TemplateArg::Type(TypeExpr { kind: TypeKind::Named(path), .. }), Binding::Named(_)) => {
                add(found, params, path, actual.clone());
            }
            (TemplateArg::Value(e), binding) => {
                if let ExprKind::Name(path) = &e.kind {
                    add(found, params, path, binding.clone());
                }
            }
            _ => {}
        }
    }

    fn deduce_struct(
        &mut self,
        args: &[TemplateArg],
        s: &StructTy,
        found: &mut Vec<(Name, Binding)>,
        params: &[TemplateParam],
    ) {
        for (arg, binding) in args.iter().zip(&s.args) {
            self.match_pattern(arg, binding, found, params);
        }
    }
}

fn add(found: &mut Vec<(Name, Binding)>, params: &[TemplateParam], path: &Path, binding: Binding) {
    let Some(name) = path.plain() else { return };
    let fits = |p: &&TemplateParam| p.name == *name && p.value.is_some() == !matches!(binding, Binding::Type(_));
    if params.iter().any(|p| fits(&p)) && !found.iter().any(|(n, _)| n == name) {
        found.push((name.clone(), binding));
    }
}
