//! Overload resolution, deduction of template arguments, constructors.

use crate::lower::call::{Arg, Called};
use crate::lower::context::{LValue, Location, LowerResult, Lowerer, Value, ValueKind};
use crate::lower::types::{num, promoted, Binding, StructTy, Ty};
use crate::syntax::ast::{Expr, ExprKind, Function, Scalar, TemplateArg, TemplateParam, TypeExpr, TypeKind};
use crate::syntax::token::Name;
use std::rc::Rc;

/// A function and the bindings of its template parameters.
pub(crate) type Chosen = (Rc<Function>, Bindings);
/// The meaning of template parameters by their names.
pub(crate) type Bindings = Vec<(Name, Binding)>;

impl Lowerer<'_> {
    /// The candidate that fits the arguments best.
    pub fn choose_overload(
        &mut self,
        all: &[Rc<Function>],
        args: &[Arg],
        given: Option<&[TemplateArg]>,
    ) -> LowerResult<Option<Chosen>> {
        // A declaration counts where no definition has its shape, as that of a template whose specialisations have bodies.
        let defined = |f: &Function| {
            let alike = |d: &&Rc<Function>| d.params.len() == f.params.len() && d.template.len() == f.template.len();
            all.iter().filter(alike).any(|d| d.body.is_some() && d.specialised.is_none())
        };
        let mut best: Option<(u32, Chosen)> = None;
        for f in all {
            let expanded = crate::lower::packs::expanded(f, args.len(), given.map_or(0, <[_]>::len));
            let (f, sizes) = match &expanded {
                Some((f, sizes)) => (f, &sizes[..]),
                None => (f, &[][..]),
            };
            let needed = f.params.iter().filter(|p| p.default.is_none()).count();
            let skip = f.specialised.is_some() || f.body.is_none() && defined(f);
            if skip || args.len() < needed || args.len() > f.params.len() {
                continue;
            }
            let template = u32::from(!f.template.is_empty()) + u32::from(expanded.is_some());
            let fit = |l: &mut Self| -> LowerResult<Option<(Bindings, u32)>> {
                let Some(mut bindings) = l.deduced(f, args, given)? else { return Ok(None) };
                bindings.extend(sizes.iter().cloned());
                Ok(l.cost(f, &bindings, args)?.map(|cost| (bindings, cost)))
            };
            let (bindings, cost) = match fit(self) {
                Ok(Some(fit)) => fit,
                Ok(None) => continue,
                // A template whose types do not exist for these arguments is no candidate.
                Err(crate::lower::context::Stop::TextFault(_)) if template > 0 && all.len() > 1 => continue,
                Err(stop) => return Err(stop),
            };
            let cost = 2 * cost + template;
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, (f.clone(), bindings)));
            }
        }
        let Some((_, (function, bindings))) = best else { return Ok(None) };
        if let Some(special) = self.specialisation(all, &function, &bindings)? {
            return Ok(Some((special, Vec::new())));
        }
        Ok(Some((function, bindings)))
    }

    pub fn specialisation(
        &mut self,
        all: &[Rc<Function>],
        general: &Function,
        bindings: &[(Name, Binding)],
    ) -> LowerResult<Option<Rc<Function>>> {
        for f in all.iter().filter(|f| f.body.is_some()) {
            let Some(args) = &f.specialised else { continue };
            let Some(theirs) = self.specialised_bindings(general, f, args)? else { continue };
            if crate::lower::resolve::shown(&theirs) == crate::lower::resolve::shown(bindings) {
                return Ok(Some(f.clone()));
            }
        }
        Ok(None)
    }

    /// The template bindings of an explicit specialisation. Arguments that it leaves out follow from its types. `None` if they
    /// do not, as when it belongs to another template of the same name.
    fn specialised_bindings(
        &mut self,
        general: &Function,
        special: &Function,
        args: &[TemplateArg],
    ) -> LowerResult<Option<Bindings>> {
        let packs = general.template.iter().any(|p| p.pack);
        // A type in the place of a number belongs to another template of the same name.
        let type_for_number = |(param, arg): (&TemplateParam, &TemplateArg)| {
            let number = param.value.as_ref().is_some_and(|ty| !matches!(ty.kind, TypeKind::Auto));
            number && matches!(arg, TemplateArg::Type(TypeExpr { kind: TypeKind::Scalar(_), .. }))
        };
        if !packs && (args.len() > general.template.len() || general.template.iter().zip(args).any(type_for_number)) {
            return Ok(None);
        }
        if args.len() >= general.template.len() || packs {
            return self.bindings(&general.template, args).map(Some);
        }
        let mut found = Vec::new();
        for (param, arg) in general.template.iter().zip(args) {
            found.push((param.name.clone(), self.binding(param, arg)?));
        }
        let params = general.params.iter().zip(&special.params).map(|(written, theirs)| (&written.ty, &theirs.ty));
        for (written, theirs) in params.chain([(&general.returns, &special.returns)]) {
            let theirs = self.resolve_type(theirs)?;
            self.deduce(written, &theirs, &mut found, &general.template);
        }
        self.completed(&general.template, &found)
    }

    /// The template bindings of a call of `f`. `None` if they cannot be deduced.
    fn deduced(
        &mut self,
        f: &Function,
        args: &[Arg],
        given: Option<&[TemplateArg]>,
    ) -> LowerResult<Option<Vec<(Name, Binding)>>> {
        if f.template.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let given = given.unwrap_or_default();
        if given.len() > f.template.len() {
            return Ok(None);
        }
        let mut found: Vec<(Name, Binding)> = Vec::new();
        if f.owner.is_some() {
            // A method defined outside of its class template repeats the parameters of the class.
            if let Some(Ty::Struct(s)) = self.frame_ref().this.as_ref().map(|this| this.ty.clone()) {
                let own = f
                    .template
                    .iter()
                    .zip(&s.bindings)
                    .map(|(param, (_, binding))| (param.name.clone(), binding.clone()));
                found.extend(own);
            }
        }
        for (param, arg) in f.template.iter().zip(given) {
            found.push((param.name.clone(), self.binding(param, arg)?));
        }
        for (param, arg) in f.params.iter().zip(args) {
            let ty = match arg {
                Arg::LValue(place) => place.ty.clone(),
                Arg::Value(value) => value.ty.clone(),
                Arg::List(_) => continue,
            };
            let by_reference = matches!(param.ty.kind, TypeKind::Reference(_));
            let ty = match &ty {
                Ty::Array(element, _) if !by_reference => Ty::pointer((**element).clone()),
                _ => ty,
            };
            self.deduce(&param.ty, &ty, &mut found, &f.template);
        }
        self.completed(&f.template, &found)
    }

    /// The template bindings that were found, and defaults for the others. `None` if one is missing.
    fn completed(&mut self, params: &[TemplateParam], found: &[(Name, Binding)]) -> LowerResult<Option<Bindings>> {
        let mut bound = Vec::new();
        for param in params {
            let known = found.iter().find(|(n, _)| *n == param.name).cloned();
            match (known, &param.default) {
                (Some(known), _) => bound.push(known),
                (None, Some(default)) => {
                    let so_far = bound.clone();
                    let binding = self.in_bindings(&so_far, |l| l.binding(param, default))?;
                    bound.push((param.name.clone(), binding));
                }
                (None, None) => return Ok(None),
            }
        }
        Ok(Some(bound))
    }

    /// The conversion cost of the arguments. `None` if they do not fit the parameters.
    fn cost(&mut self, f: &Function, bindings: &[(Name, Binding)], args: &[Arg]) -> LowerResult<Option<u32>> {
        let this = self.frame_ref().this.clone();
        // The parameters of a class template are known in the types of its methods' parameters.
        let class = match this.as_ref().map(|this| &this.ty) {
            Some(Ty::Struct(s)) => s.bindings.clone(),
            _ => Vec::new(),
        };
        let known: Vec<(Name, Binding)> = class.into_iter().chain(bindings.iter().cloned()).collect();
        let types: Vec<Option<Ty>> = self.in_bindings(&known, |l| {
            l.frame().this = this;
            // A result type such as `enable_if<…>::type` may not exist.
            if matches!(&f.returns.kind, TypeKind::Named(path) if path.parts.len() > 1) && !f.template.is_empty() {
                l.resolve_type(&f.returns)?;
            }
            f.params.iter().map(|p| l.param_type(&p.ty)).collect()
        })?;
        let mut total = 0;
        for ((ty, arg), param) in types.iter().zip(args).zip(&f.params) {
            let Some(ty) = ty else { continue };
            let actual = match arg {
                Arg::Value(value) if matches!((&value.kind, ty), (ValueKind::Lambda(_), Ty::Pointer(_))) => continue,
                Arg::LValue(place) => place.ty.clone(),
                Arg::Value(value) if matches!(value.kind, ValueKind::Lambda(_)) => continue,
                Arg::Value(value) => value.ty.clone(),
                Arg::List(_) => continue,
            };
            let far = match (distance(&actual, ty), &param.ty.kind) {
                // No conversion makes the object to which a reference to a variable could refer.
                (None, TypeKind::Reference(inner)) if !inner.constant => None,
                (None, _) => self.distance_by_class(&actual, ty)?,
                (far, _) => far,
            };
            match far {
                Some(d) => total += d,
                None => return Ok(None),
            }
        }
        Ok(Some(total))
    }

    /// The distance of an object to what an `operator T()` of its class, or a constructor of the other class, makes of it.
    fn distance_by_class(&mut self, from: &Ty, to: &Ty) -> LowerResult<Option<u32>> {
        let Ty::Struct(s) = from else { return Ok(None) };
        if let Some((far, _)) = self.closest_cast(s, to)? {
            return Ok(Some(CONVERTED + far));
        }
        let Ty::Struct(target) = to else { return Ok(None) };
        let Some(definition) = target.definition.clone() else { return Ok(None) };
        for f in self.methods(target, &definition.name).iter().filter(|f| f.template.is_empty()) {
            let [param] = &f.params[..] else { continue };
            let ty = self.in_bindings(&target.bindings.clone(), |l| l.param_type(&param.ty))?;
            if ty.is_some_and(|ty| distance(from, &ty).is_some()) {
                return Ok(Some(CONVERTED));
            }
        }
        Ok(None)
    }

    fn param_type(&mut self, written: &TypeExpr) -> LowerResult<Option<Ty>> {
        let auto = |t: &TypeExpr| matches!(t.kind, TypeKind::Auto);
        match &written.kind {
            TypeKind::Auto => Ok(None),
            TypeKind::Reference(inner) if auto(inner) => Ok(None),
            TypeKind::Reference(_) => self.resolve_type(written).map(Some),
            _ => self.resolve_type(written).map(|ty| match ty {
                Ty::Array(element, _) => Some(Ty::pointer((*element).clone())),
                ty => Some(ty),
            }),
        }
    }

    /// Lowers `T(a, b)` and `T{a, b}`.
    pub fn construct(&mut self, ty: &Ty, args: &[Expr]) -> LowerResult<Value> {
        match ty {
            Ty::Struct(s) => {
                let s = s.clone();
                let has_constructor = s.definition.as_ref().is_some_and(|d| !self.methods(&s, &d.name).is_empty());
                if has_constructor {
                    // `T({a, b})` makes one `T` and copies it.
                    if let [Expr { kind: ExprKind::List(items), .. }] = args {
                        return self.construct(ty, items);
                    }
                    let lowered = self.args(args)?;
                    if let Some(value) = self.constructed(&s, &lowered)? {
                        return Ok(value);
                    }
                }
                self.aggregate(&s, args)
            }
            Ty::Array(..) => self.fault("a value", "a list for an array", "a list stands only after `=` of a variable"),
            Ty::Bits(scalar, ..) => self.construct(&Ty::Scalar(*scalar), args),
            _ => match args {
                [] => self.zero(ty),
                [only] => {
                    let value = self.expr(only)?;
                    self.convert(value, ty)
                }
                _ => self.fault("one value", format!("{}", args.len()), "remove what is too many"),
            },
        }
    }

    /// A struct whose members have these values in order.
    fn aggregate(&mut self, s: &Rc<StructTy>, args: &[Expr]) -> LowerResult<Value> {
        let ty = Ty::Struct(s.clone());
        if let [only] = args {
            let nested = matches!(s.fields.first().map(|f| &f.ty), Some(Ty::Array(..) | Ty::Struct(_)));
            let list_or_text = matches!(only.kind, ExprKind::List(_) | ExprKind::Str(_));
            let first = nested && !list_or_text && self.type_of(only)?.is_arithmetic();
            if !first && !matches!(only.kind, ExprKind::List(_)) {
                let value = self.expr(only)?;
                if value.ty.same(&ty) {
                    return Ok(value);
                }
                if !value.ty.is_arithmetic() && s.fields.len() > 1 {
                    return self.convert(value, &ty);
                }
                return self.struct_of(s, vec![value]);
            }
        }
        let mut rest = args;
        let mut values = Vec::new();
        for field in &s.fields {
            let Some(arg) = rest.first() else { break };
            let value = match (&arg.kind, &field.ty) {
                (ExprKind::List(items), Ty::Array(element, count)) => self.array_value(element, *count, items)?,
                (ExprKind::List(items), field_ty) => self.construct(&field_ty.clone(), items)?,
                (_, Ty::Array(element, count)) if !matches!(arg.kind, ExprKind::Str(_)) => {
                    // An array without braces of its own takes as many values as it has elements.
                    let each = self.without_braces(element, arg)?.unwrap_or(1);
                    let (items, more) = rest.split_at(rest.len().min((*count as usize).saturating_mul(each)));
                    values.push(self.array_value(element, *count, items)?);
                    rest = more;
                    continue;
                }
                (_, Ty::Struct(_)) => {
                    values.push(self.next_item(&field.ty, &mut rest)?);
                    continue;
                }
                _ => self.expr(arg)?,
            };
            values.push(value);
            rest = &rest[1..];
        }
        if !rest.is_empty() {
            let room = format!(
                "at most {n} value{s}",
                n = args.len() - rest.len(),
                s = base::plural((args.len() - rest.len()) as u64, "s")
            );
            return self.fault(room, format!("{}", args.len()), "remove what is too many");
        }
        self.struct_of(s, values)
    }

    /// The next value of a list for a type, and 0 behind its end. A class without braces of its own takes as many numbers as
    /// it has members.
    pub fn next_item(&mut self, ty: &Ty, rest: &mut &[Expr]) -> LowerResult<Value> {
        let all = *rest;
        let Some(item) = all.first() else { return self.zero(ty) };
        let count = self.without_braces(ty, item)?;
        let (own, more) = all.split_at(count.unwrap_or(1).min(all.len()));
        *rest = more;
        match (count, ty) {
            (Some(_), Ty::Struct(s)) => self.aggregate(&s.clone(), own),
            _ => self.expr(item),
        }
    }

    /// How many numbers of a list a class without constructors takes, if it has no braces of its own and `item` is a number.
    fn without_braces(&mut self, ty: &Ty, item: &Expr) -> LowerResult<Option<usize>> {
        let Ty::Struct(s) = ty else { return Ok(None) };
        let plain = |l: &Self, name| !s.union && l.methods(s, name).is_empty();
        if !s.definition.as_ref().is_some_and(|d| plain(self, &d.name)) || matches!(item.kind, ExprKind::List(_)) {
            return Ok(None);
        }
        let count = ty.leaf_count() as usize;
        Ok((count > 0 && self.type_of(item)?.is_arithmetic()).then_some(count))
    }

    fn array_value(&mut self, element: &Rc<Ty>, count: u64, items: &[Expr]) -> LowerResult<Value> {
        let (mut regs, mut rest) = (Vec::new(), items);
        for _ in 0..count {
            let value = match (rest.first(), &**element) {
                (Some(Expr { kind: ExprKind::List(inner), .. }), ty) => {
                    rest = &rest[1..];
                    match ty {
                        Ty::Array(element, count) => self.array_value(element, *count, inner)?,
                        other => self.construct(other, inner)?,
                    }
                }
                (_, ty) => {
                    let value = self.next_item(ty, &mut rest)?;
                    self.convert(value, element)?
                }
            };
            if let ValueKind::Regs(more) = value.kind {
                regs.extend(more);
            }
        }
        Ok(Value::regs(Ty::Array(element.clone(), count), regs))
    }

    /// A struct whose first members have these values. The others are 0, or 1 for `dim3`.
    pub fn struct_of(&mut self, s: &Rc<StructTy>, values: Vec<Value>) -> LowerResult<Value> {
        let mut regs = Vec::new();
        let mut values = values.into_iter();
        if let (true, Some(first)) = (s.union, s.fields.first()) {
            let ty = Ty::Struct(s.clone());
            let zero = self.zero(&ty)?;
            let place = self.temporary(zero)?;
            if let Some(value) = values.next() {
                self.store(&place.part(first.ty.clone(), 0, 0), &value)?;
            }
            return self.load(&place);
        }
        for field in &s.fields {
            if let Ty::Bits(scalar, first, bits) = field.ty {
                let value = values.next().unwrap_or(Value::scalar(Scalar::I32, self.code.int(0)));
                let unit = if first == 0 { self.code.constant(num(scalar).wide(), 0) } else { regs.pop().unwrap_or(0) };
                let mixed = self.mix_bits(&Value::scalar(scalar, unit), &value, (scalar, first, bits))?;
                regs.push(self.reg(&mixed)?);
                continue;
            }
            let value = match values.next() {
                Some(value) => self.convert(value, &field.ty)?,
                None if s.key == "dim3" => Value::scalar(Scalar::U32, self.code.int(1)),
                None if field.init.is_some() => self.field_default(s, field)?,
                None => self.zero(&field.ty)?,
            };
            match value.kind {
                ValueKind::Regs(more) => regs.extend(more),
                ValueKind::Pointer(LValue { at: Location::Regs { decl, .. }, .. }) => return self.demote(decl),
                _ => {}
            }
        }
        Ok(Value::regs(Ty::Struct(s.clone()), regs))
    }

    /// The value that a struct gives to a member without another one.
    fn field_default(&mut self, s: &Rc<StructTy>, field: &crate::lower::types::Field) -> LowerResult<Value> {
        use crate::syntax::ast::Init;
        let ty = field.ty.clone();
        self.in_bindings(&s.bindings.clone(), |l| match (&field.init, &ty) {
            (
                Some(Init::Value(Expr { kind: ExprKind::List(items), .. }) | Init::Construct(items, _)),
                Ty::Array(element, n),
            ) => l.array_value(element, *n, items),
            (Some(Init::Value(Expr { kind: ExprKind::List(items), .. }) | Init::Construct(items, _)), ty) => {
                l.construct(ty, items)
            }
            (Some(Init::Value(e)), ty) => {
                let value = l.expr(e)?;
                l.convert(value, ty)
            }
            (None, ty) => l.zero(ty),
        })
    }

    /// A struct made by the constructor that takes these values, if there is one.
    pub fn try_construct(&mut self, s: &Rc<StructTy>, args: Vec<Value>) -> LowerResult<Option<Value>> {
        let args: Vec<Arg> = args.into_iter().map(Arg::Value).collect();
        self.constructed(s, &args)
    }

    fn constructed(&mut self, s: &Rc<StructTy>, args: &[Arg]) -> LowerResult<Option<Value>> {
        let Some(definition) = s.definition.clone() else { return Ok(None) };
        let candidates = self.methods(s, &definition.name);
        if candidates.is_empty() {
            return Ok(None);
        }
        let ty = Ty::Struct(s.clone());
        let initial = self.zero(&ty)?;
        let object = self.temporary(initial)?;
        match self.method(&object, &definition.name, args) {
            Ok(Some(Called::Value(_) | Called::LValue(_))) => self.load(&object).map(Some),
            Ok(None) => Ok(None),
            // A copy needs no constructor.
            Err(stop) => match args {
                [Arg::Value(value)] if value.ty.same(&ty) => Ok(Some(value.clone())),
                [Arg::LValue(place)] if place.ty.same(&ty) => self.load(&place.clone()).map(Some),
                _ => Err(stop),
            },
        }
    }
}

/// The distance of a type to what a class makes of it.
const CONVERTED: u32 = 5;

/// The conversion distance of two types: 0 for the same type, 1 for a promotion, 2 for a conversion.
pub(crate) fn distance(from: &Ty, to: &Ty) -> Option<u32> {
    if from.same(to) {
        return Some(0);
    }
    match (from, to) {
        (Ty::Scalar(a), Ty::Scalar(b)) if *a != Scalar::Void && *b != Scalar::Void => {
            let widened = promoted(*a) == *b || (*a, *b) == (Scalar::F32, Scalar::F64);
            let float = |s: &Scalar| matches!(s, Scalar::F32 | Scalar::F64);
            Some(if widened {
                1
            } else if float(a) == float(b) {
                2
            } else {
                3
            })
        }
        (Ty::Array(element, _), Ty::Pointer(to)) => (element.same(&to.ty) || to.ty.is_void()).then_some(0),
        (Ty::Pointer(a), Ty::Pointer(b)) if a.ty.is_void() || b.ty.is_void() => Some(2),
        (Ty::Scalar(_), Ty::Pointer(_)) => Some(4),
        (Ty::Pointer(_), Ty::Scalar(Scalar::Bool | Scalar::U64 | Scalar::I64)) => Some(4),
        (Ty::Struct(a), Ty::Struct(b)) if a.bases == 0 && b.definition.is_none() => {
            // `uint3` becomes `dim3`.
            (a.vector
                && b.vector
                && a.fields.len() == b.fields.len()
                && a.key.starts_with("uint3")
                && &*b.key == "dim3")
                .then_some(2)
        }
        (Ty::Struct(a), Ty::Struct(_)) => a.fields[..a.bases].iter().find_map(|f| distance(&f.ty, to)).map(|d| d + 2),
        (_, Ty::Struct(s)) if s.definition.is_some() => Some(CONVERTED),
        (Ty::Texture(..), Ty::Texture(..)) | (Ty::Group(_), Ty::Group(_)) => Some(0),
        _ => None,
    }
}
