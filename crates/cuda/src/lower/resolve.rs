//! Resolves written types: aliases, templates of structs, built-in vectors.

use crate::lower::context::{Entity, LowerResult, Lowerer};
use crate::lower::types::{named_scalar, num, size_of_scalar, vector, Binding, Pointee, StructTy, Ty};
use crate::syntax::ast;
use crate::syntax::ast::{
    ExprKind, Init, Path, Restrict, Scalar, Storage, Struct, TemplateArg, TemplateParam, TypeExpr, TypeKind,
};
use crate::syntax::token::{Name, Pos};
use base::sorted_by_key;
use std::rc::Rc;

impl Lowerer<'_> {
    /// The type that a written type means. A reference becomes the type that it refers to.
    pub fn resolve_type(&mut self, written: &TypeExpr) -> LowerResult<Ty> {
        self.use_fuel()?;
        Ok(match &written.kind {
            TypeKind::Scalar(scalar) => Ty::Scalar(*scalar),
            TypeKind::Reference(inner) => self.resolve_type(inner)?,
            TypeKind::Pointer(inner, restrict) => {
                let ty = self.resolve_type(inner)?;
                let (restrict, constant, volatile) = (*restrict, inner.constant, inner.volatile);
                Ty::Pointer(Rc::new(Pointee { ty, restrict, constant, volatile }))
            }
            TypeKind::Array(element, size) => {
                let element = self.resolve_type(element)?;
                let count = match size {
                    Some(size) => self.constant_int(size, "the size of an array")?,
                    None => 0,
                };
                if count < 0 || element.size().saturating_mul(count as u64) > 1 << 32 {
                    self.set_line(written.pos);
                    return self.fault("an array of 0 bytes to 4 GiB", format!("{count} elements"), "check its size");
                }
                Ty::Array(Rc::new(element), count as u64)
            }
            TypeKind::Auto => {
                self.set_line(written.pos);
                return self.fault("a type", "`auto` without a value", "give the variable an initial value");
            }
            TypeKind::Decltype(expr) => self.type_of(expr)?,
            TypeKind::Bits(ty, bits) => {
                let resolved = self.resolve_type(ty)?;
                let bits = self.constant_int(bits, "a number of bits")?;
                let scalar = match (&ty.kind, resolved.scalar()) {
                    (TypeKind::Named(_), Some(Scalar::I32)) => Scalar::U32,
                    (_, Some(scalar)) => scalar,
                    _ => return self.fault("a whole number of some bits", resolved.shown(), "use an integer type"),
                };
                Ty::Bits(scalar, 0, bits.clamp(0, 8 * i64::from(size_of_scalar(scalar))) as u8)
            }
            TypeKind::Named(path) => {
                self.set_line(written.pos);
                self.named(path)?
            }
        })
    }

    fn named(&mut self, path: &Path) -> LowerResult<Ty> {
        if let Some(ty) = self.find_type(path)? {
            return Ok(ty);
        }
        let name = path.last();
        let help = match &**name {
            "half" | "__half" | "half2" | "__half2" => "include <cuda_fp16.h>",
            "__nv_bfloat16" => "include <cuda_bf16.h>",
            n if n.starts_with("curand") => "include <curand_kernel.h>",
            "fragment" => "include <mma.h>",
            n if n.contains("cluster") => "clusters of thread blocks are not supported; use one block",
            n if n.contains("tma") || n.contains("tensor_map") => "bulk copies by tensor maps are not supported",
            _ => "declare the type in this file or in the included files",
        };
        let expected = if path.args().is_some() { "a known template" } else { "a known type" };
        self.fault(expected, format!("`{name}`"), help)
    }

    /// The type of a path, if it names one.
    pub fn find_type(&mut self, path: &Path) -> LowerResult<Option<Ty>> {
        let mut name = path.last().clone();
        if path.parts.len() > 1 {
            if let Some(ty) = self.member_type(path)? {
                return Ok(Some(ty));
            }
        }
        if let Some(Entity::Named(other)) = self.local(&name) {
            name = other.clone();
        }
        if path.args().is_none() {
            if let Some(Entity::Type(ty)) = self.local(&name) {
                // A base class takes the class that derives from it as argument before that is complete.
                return Ok(Some(self.complete(ty)));
            }
            if let Some(ty) = self.type_of_class(&name)? {
                return Ok(Some(ty));
            }
        }
        if let Some((params, ty)) = self.names.aliases.get(&name).cloned() {
            if params.is_empty() {
                return self.nested(|l| l.resolve_type(&ty)).map(Some);
            }
            let args = path.args().cloned().unwrap_or_default();
            let bindings = self.bindings(&params, &args)?;
            return self.nested(|l| l.in_bindings(&bindings, |l| l.resolve_type(&ty))).map(Some);
        }
        if let Some(mut definitions) = self.names.structs.get(&name).cloned() {
            // A class template inside a class template knows the arguments of both.
            let owner = match self.owner_of(path)? {
                Some(Ty::Struct(s)) => Some(s),
                _ => None,
            };
            let outer = owner.as_ref().map_or_else(Vec::new, |s| s.bindings.clone());
            if definitions.len() > 1 {
                self.keep_nearest(&mut definitions, owner.as_ref());
            }
            return self.structure(&definitions, path.args(), &outer).map(Some);
        }
        if self.names.enum_types.contains(&name) {
            return Ok(Some(Ty::INT));
        }
        if let Some(scalar) = named_scalar(&name) {
            return Ok(Some(Ty::Scalar(scalar)));
        }
        self.builtin_type(&name, path)
    }

    /// Of several structs with one name, keeps those of the named class, of the current class, or of the file.
    fn keep_nearest(&self, definitions: &mut Vec<Rc<Struct>>, owner: Option<&Rc<StructTy>>) {
        let class = |s: &Rc<StructTy>| s.definition.as_ref().map(|d| d.name.clone());
        let current = match self.frame_ref().this.as_ref().map(|p| &p.ty) {
            Some(Ty::Struct(s)) => class(s),
            _ => None,
        };
        for wanted in [owner.and_then(class), current, None] {
            if definitions.iter().any(|d| d.outer == wanted) {
                return definitions.retain(|d| d.outer == wanted);
            }
        }
    }

    fn builtin_type(&mut self, name: &Name, path: &Path) -> LowerResult<Option<Ty>> {
        let float = Rc::new(Ty::FLOAT);
        Ok(Some(match &**name {
            "cudaTextureObject_t" => Ty::Texture(0, float),
            "texture" => {
                let args = path.args().cloned().unwrap_or_default();
                let element = match args.first() {
                    Some(arg) => self.type_arg(arg)?,
                    None => Ty::FLOAT,
                };
                let dimensions = match args.get(1) {
                    Some(TemplateArg::Value(e)) => match &e.kind {
                        ExprKind::Name(p) => match &**p.last() {
                            "cudaTextureType2D" | "cudaSurfaceType2D" => 2,
                            "cudaTextureType3D"
                            | "cudaSurfaceType3D"
                            | "cudaTextureType2DLayered"
                            | "cudaSurfaceType2DLayered" => 3,
                            _ => 1,
                        },
                        _ => self.constant_int(e, "the dimensions of a texture")?,
                    },
                    _ => 1,
                };
                let normalised = |arg: &TemplateArg| match arg {
                    TemplateArg::Value(ast::Expr { kind: ExprKind::Name(p), .. }) => {
                        &**p.last() == "cudaReadModeNormalizedFloat"
                    }
                    _ => false,
                };
                let unit = if args.get(2).is_some_and(normalised) { crate::lower::surface::UNIT } else { 0 };
                Ty::Texture(dimensions.clamp(1, 3) as u8 | unit, Rc::new(element))
            }
            "thread_block" | "thread_group" => Ty::Group(0),
            "coalesced_group" => Ty::Group(32),
            "thread_block_tile" => {
                let args = path.args().cloned().unwrap_or_default();
                let size = match args.first() {
                    Some(TemplateArg::Value(e)) => self.constant_int(e, "the size of a tile")?,
                    _ => 32,
                };
                Ty::Group(size.clamp(1, 32) as u32)
            }
            "cuComplex" | "cuFloatComplex" => return Ok(vector("float2")),
            "cuDoubleComplex" => return Ok(vector("double2")),
            name => return Ok(vector(name)),
        }))
    }

    /// The type `A` of a path `A::…`, if it is one.
    pub(crate) fn owner_of(&mut self, path: &Path) -> LowerResult<Option<Ty>> {
        let [parts @ .., _] = &path.parts[..] else { return Ok(None) };
        if parts.is_empty() {
            return Ok(None);
        }
        let owner = Path { parts: parts.to_vec() };
        let name = owner.last();
        let known = self.names.structs.contains_key(name)
            || self.names.aliases.contains_key(name)
            || matches!(self.local(name), Some(Entity::Type(_) | Entity::Named(_)));
        if !known {
            return Ok(None);
        }
        self.find_type(&owner)
    }

    /// The type `A::T`, an alias or struct inside a struct.
    fn member_type(&mut self, path: &Path) -> LowerResult<Option<Ty>> {
        let Some(Ty::Struct(s)) = self.owner_of(path)? else { return Ok(None) };
        self.alias_of(&s, path.last())
    }

    fn alias_of(&mut self, s: &Rc<StructTy>, name: &Name) -> LowerResult<Option<Ty>> {
        let Some(definition) = s.definition.clone() else { return Ok(None) };
        let Some((_, ty)) = definition.aliases.iter().find(|(n, _)| n == name) else { return Ok(None) };
        self.nested(|l| l.in_bindings(&s.bindings.clone(), |l| l.resolve_type(ty))).map(Some)
    }

    /// A type that the class of the current method declares.
    fn type_of_class(&mut self, name: &Name) -> LowerResult<Option<Ty>> {
        let Some(Ty::Struct(s)) = self.frame_ref().this.as_ref().map(|p| p.ty.clone()) else { return Ok(None) };
        if s.definition.as_ref().is_some_and(|d| d.name == *name) {
            return Ok(Some(Ty::Struct(s)));
        }
        if let Some((_, Binding::Type(ty))) = s.bindings.iter().find(|(n, _)| n == name) {
            return Ok(Some(ty.clone()));
        }
        self.alias_of(&s, name)
    }

    /// Runs `f` in a frame that knows only these names and those of the file.
    pub fn in_bindings<T>(
        &mut self,
        bindings: &[(Name, Binding)],
        f: impl FnOnce(&mut Self) -> LowerResult<T>,
    ) -> LowerResult<T> {
        let frame = self.new_frame(Name::from("a template"), Ty::VOID);
        self.enter(frame)?;
        self.bind_all(bindings);
        let result = f(self);
        self.frames.pop();
        result
    }

    pub fn type_arg(&mut self, arg: &TemplateArg) -> LowerResult<Ty> {
        match arg {
            TemplateArg::Type(ty) => self.resolve_type(ty),
            TemplateArg::Value(e) => match &e.kind {
                ExprKind::Name(path) => {
                    self.set_line(e.pos);
                    self.named(&path.clone())
                }
                _ => {
                    self.set_line(e.pos);
                    self.fault("a type as template argument", "a value", "give a type here")
                }
            },
        }
    }

    /// Binds template parameters to arguments. Defaults fill missing arguments.
    pub fn bindings(&mut self, params: &[TemplateParam], args: &[TemplateArg]) -> LowerResult<Vec<(Name, Binding)>> {
        let mut bound = Vec::new();
        let flat = self.flat_args(args);
        let args = flat.as_deref().unwrap_or(args);
        for (i, param) in params.iter().enumerate() {
            if param.pack {
                // The rest of the arguments.
                let rest = args.get(i..).unwrap_or_default();
                for (n, arg) in rest.iter().enumerate() {
                    bound.push((crate::lower::packs::numbered(&param.name, n), self.binding(param, arg)?));
                }
                bound.push((param.name.clone(), Binding::Pack(rest.len())));
                break;
            }
            let binding = match (args.get(i), &param.default) {
                (Some(arg), _) => self.binding(param, arg)?,
                (None, Some(default)) => self.in_bindings(&bound.clone(), |l| l.binding(param, default))?,
                (None, None) => {
                    let found = format!("none for `{}`", param.name);
                    return self.fault("a template argument", found, "give the template all of its arguments");
                }
            };
            bound.push((param.name.clone(), binding));
        }
        Ok(bound)
    }

    pub fn binding(&mut self, param: &TemplateParam, arg: &TemplateArg) -> LowerResult<Binding> {
        let Some(value_type) = &param.value else { return self.type_arg(arg).map(Binding::Type) };
        // `A<T>::value` looks like a type until its class is known.
        let value = match arg {
            TemplateArg::Type(TypeExpr { kind: TypeKind::Named(path), pos, .. }) if path.parts.len() > 1 => {
                Some(TemplateArg::Value(ast::Expr { kind: ExprKind::Name(path.clone()), pos: *pos }))
            }
            _ => None,
        };
        let arg = value.as_ref().unwrap_or(arg);
        let TemplateArg::Value(e) = arg else {
            if let (TypeKind::Auto, TemplateArg::Type(TypeExpr { kind: TypeKind::Named(path), .. })) =
                (&value_type.kind, arg)
            {
                // A template that is handed on.
                if let Some(Entity::Named(name)) = self.local(path.last()) {
                    return Ok(Binding::Named(name.clone()));
                }
                return Ok(Binding::Named(path.last().clone()));
            }
            return self.fault(format!("a value for `{}`", param.name), "a type", "give a constant here");
        };
        if let ExprKind::Name(path) = &e.kind {
            let name = path.last();
            let template = matches!(value_type.kind, TypeKind::Auto) && self.names.structs.contains_key(name);
            if template || self.names.functions.contains_key(name) && self.local(name).is_none() {
                return Ok(Binding::Named(name.clone()));
            }
            if let Some(Entity::Named(name)) = self.local(name) {
                return Ok(Binding::Named(name.clone()));
            }
        }
        let value = self.constant_int(e, "a template argument")?;
        let scalar = self.resolve_type(value_type).ok().and_then(|t| t.scalar()).unwrap_or(Scalar::I32);
        let bits = bytecode::scalar::convert(bytecode::code::Num::I64, crate::lower::types::num(scalar), value as u64);
        Ok(Binding::Value(scalar, if scalar == Scalar::Bool { u64::from(value != 0) } else { bits }))
    }

    fn structure(
        &mut self,
        definitions: &[Rc<Struct>],
        args: Option<&Rc<Vec<TemplateArg>>>,
        outer: &[(Name, Binding)],
    ) -> LowerResult<Ty> {
        let general = definitions.iter().find(|d| d.specialised.is_none()).or(definitions.first());
        let Some(definition) = general.cloned() else { return self.fault("a struct", "none", "declare it") };
        if definition.template.is_empty() && args.is_none() && definition.specialised.is_none() && outer.is_empty() {
            let local = self.local_types();
            return self.instantiate(&definition, local, Vec::new(), definition.name.to_string());
        }
        let no_args = Rc::default();
        let args = args.unwrap_or(&no_args);
        if args.is_empty() {
            // Inside a template, its bare name means the current instantiation.
            if let Some(Ty::Struct(s)) = self.frame_ref().this.as_ref().map(|p| p.ty.clone()) {
                if s.definition.as_ref().is_some_and(|d| d.name == definition.name) {
                    return Ok(Ty::Struct(s));
                }
            }
        }
        let mut bindings = self.bindings(&definition.template, args)?;
        let args = bindings.iter().map(|(_, binding)| binding.clone()).collect();
        bindings.extend(outer.iter().cloned());
        let key = format!("{}<{}>", definition.name, shown(&bindings));
        let mut best: Option<(Rc<Struct>, crate::lower::overload::Bindings)> = None;
        for special in definitions.iter().filter(|d| d.specialised.is_some()) {
            let theirs = special.specialised.clone().unwrap_or_default();
            // The parameters of a partial specialisation follow from its pattern.
            let mut found = Vec::new();
            if !special.template.is_empty() {
                for (pattern, (_, actual)) in theirs.iter().zip(&bindings) {
                    self.match_pattern(pattern, actual, &mut found, &special.template);
                }
                if found.len() != special.template.len() {
                    continue;
                }
            }
            let theirs = self.in_bindings(&found.clone(), |l| l.bindings(&definition.template, &theirs))?;
            let closer = best.as_ref().is_none_or(|(other, _)| other.template.len() > special.template.len());
            if shown(&theirs) == shown(&bindings) && closer {
                best = Some((special.clone(), found));
            }
        }
        if let Some((special, found)) = best {
            return self.instantiate(&special, found, args, key);
        }
        self.instantiate(&definition, bindings, args, key)
    }

    /// The types that the function declares. A struct inside it may use them.
    fn local_types(&self) -> Vec<(Name, Binding)> {
        let all = self.frame_ref().scopes.iter().flatten();
        let types = all.filter_map(|(name, entity)| match entity {
            Entity::Type(ty) => Some((name.clone(), Binding::Type(ty.clone()))),
            _ => None,
        });
        types.collect()
    }

    fn instantiate(
        &mut self,
        definition: &Rc<Struct>,
        bindings: Vec<(Name, Binding)>,
        args: Vec<Binding>,
        key: String,
    ) -> LowerResult<Ty> {
        if let Some(known) = self.structs.get(&key) {
            return Ok(Ty::Struct(known.clone()));
        }
        // A struct may contain a pointer to itself. The pointer finds this entry and does not need the size.
        let mut unfinished = StructTy::lay_out(key.clone(), Vec::new(), false, 1);
        (unfinished.definition, unfinished.bindings) = (Some(definition.clone()), bindings.clone());
        unfinished.args = args.clone();
        self.structs.insert(key.clone(), Rc::new(unfinished));
        let built = self.in_bindings(&bindings.clone(), |l| l.build(definition, bindings, key.clone()));
        match built {
            Ok(s) => {
                let s = Rc::new(StructTy { args, ..s });
                self.structs.insert(key, s.clone());
                Ok(Ty::Struct(s))
            }
            Err(stop) => {
                self.structs.remove(&key);
                Err(stop)
            }
        }
    }

    /// Binds the types that a class declares and its static members that are whole numbers, in their order: each may need
    /// those before it.
    fn bind_members(&mut self, definition: &Struct, bindings: &mut Vec<(Name, Binding)>) -> LowerResult<()> {
        let place = |pos: Pos| u64::from(pos.line) << 32 | u64::from(pos.column);
        let mut aliases = definition.aliases.iter().peekable();
        let is_static = |f: &&ast::Variable| matches!(f.storage, Storage::Static | Storage::Constexpr);
        let statics: Vec<&ast::Variable> = definition.fields.iter().filter(is_static).collect();
        let statics = sorted_by_key(statics, |field| place(field.pos));
        for field in statics.into_iter().map(Some).chain([None]) {
            while let Some((name, ty)) =
                aliases.next_if(|(_, ty)| field.is_none_or(|field| place(ty.pos) <= place(field.pos)))
            {
                let ty = self.resolve_type(ty)?;
                bindings.push((name.clone(), Binding::Type(ty.clone())));
                self.bind(name, Entity::Type(ty));
            }
            let Some(ast::Variable { init: Some(Init::Value(init)), name, ty, .. }) = field else { continue };
            // A static member that cannot be evaluated here is reported where it is used.
            if let Ok(Some((from, bits))) = self.constant(init) {
                let declared = match &ty.kind {
                    TypeKind::Scalar(scalar) => Some(*scalar),
                    TypeKind::Named(path) => named_scalar(path.last()),
                    TypeKind::Auto => Some(from),
                    _ => None,
                };
                let Some(scalar) = declared else { continue };
                let bits = bytecode::scalar::convert(num(from), num(scalar), bits);
                bindings.push((name.clone(), Binding::Value(scalar, bits)));
                self.bind(name, Entity::Constant(scalar, bits));
            }
        }
        Ok(())
    }

    fn build(&mut self, definition: &Rc<Struct>, bindings: Vec<(Name, Binding)>, key: String) -> LowerResult<StructTy> {
        let mut bindings = bindings;
        self.bind_members(definition, &mut bindings)?;
        let mut fields = Vec::new();
        for base in &definition.bases {
            let ty = self.resolve_type(base)?;
            fields.push((Name::from(format!("(base {})", ty.shown()).as_str()), ty, 1));
        }
        let bases = fields.len();
        for field in &definition.fields {
            if matches!(field.storage, Storage::Static | Storage::Constexpr) {
                continue;
            }
            let ty = self.resolve_type(&field.ty)?;
            let align = match &field.align {
                Some(align) => self.constant_int(align, "an alignment")?.clamp(1, 128) as u64,
                None => 1,
            };
            fields.push((field.name.clone(), ty, align));
        }
        let align = match &definition.align {
            Some(align) => self.constant_int(align, "an alignment")?.clamp(1, 128) as u64,
            None => 1,
        };
        let mut s = StructTy::lay_out(key, fields, definition.union, align.next_power_of_two());
        let own = definition.fields.iter().filter(|f| !matches!(f.storage, Storage::Static | Storage::Constexpr));
        for (field, declared) in s.fields[bases..].iter_mut().zip(own) {
            field.init = declared.init.clone();
        }
        (s.bases, s.definition, s.bindings) = (bases, Some(definition.clone()), bindings);
        Ok(s)
    }

    /// Whether the type is a `__restrict__` pointer.
    pub fn is_restrict(ty: &Ty) -> bool {
        matches!(ty, Ty::Pointer(to) if to.restrict == Restrict::Yes)
    }
}

pub(crate) fn shown(bindings: &[(Name, Binding)]) -> String {
    let one = |binding: &Binding| match binding {
        Binding::Type(ty) => ty.shown(),
        Binding::Value(scalar, bits) => match scalar {
            Scalar::I64 | Scalar::I32 => (*bits as u32 as i32).to_string(),
            _ => bits.to_string(),
        },
        Binding::Named(name) => name.to_string(),
        Binding::Pack(count) => count.to_string(),
    };
    bindings.iter().map(|(_, b)| one(b)).collect::<Vec<_>>().join(", ")
}
