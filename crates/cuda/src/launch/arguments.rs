//! Evaluates the items of a launch: expressions become values, arrays are allocated and filled.

use crate::launch::init::{real, whole, MatrixPart};
use crate::launch::store::{DeviceStore, LaunchArray};
use crate::launch::{fill, split, Filler, InitialContents, LaunchItem};
use crate::lower::types::{num, size_of_scalar, Ty};
use crate::lower::{Module, Parameter};
use crate::syntax::ast::{Expr, ExprKind, Init, Scalar, Storage, Unit};
use crate::syntax::macros::{expand_macros, Macros};
use crate::syntax::parse::parse_fragment;
use crate::syntax::token::{Name, Pos, TextFault, Tok, Token};
use bytecode::code::MemorySpace;
use bytecode::scalar::convert;
use bytecode::texture::{Edge, Texture};

/// Largest number of rows, entries or elements that an initialiser may name.
const COUNT_MAX: u64 = 1 << 27;

/// The names that expressions of a launch may use, and the bounds of the arrays.
pub struct LaunchEnv<'a> {
    /// Resolves types and names of the file.
    pub module: &'a Module,
    /// The file.
    pub unit: &'a Unit,
    /// The macros of the file, with the sizes.
    pub macros: &'a Macros,
    /// Parameters of the kernel that are numbers, with their values.
    pub known: Vec<(Name, Scalar, u64)>,
    /// The launch comment, to which faults refer.
    pub pos: Pos,
    /// Most bytes that the arrays of a file may have together.
    pub bytes: u64,
}

impl LaunchEnv<'_> {
    fn place(&self, fault: TextFault) -> TextFault {
        fault.at(self.pos)
    }

    /// A fault of the launch comment.
    pub fn fault<T>(&self, expected: impl Into<String>, found: impl Into<String>, help: &str) -> Result<T, TextFault> {
        Err(TextFault::new(self.pos, expected, found, help))
    }

    fn expanded(&self, tokens: &[Token]) -> Result<Vec<Token>, TextFault> {
        let mut out = Vec::new();
        expand_macros(tokens.to_vec(), self.macros, &mut out).map_err(|f| self.place(f))?;
        out.push(Token { tok: Tok::End, pos: self.pos, starts_line: true, spaced: true });
        Ok(out)
    }

    /// Evaluates an expression.
    pub(crate) fn value(&self, tokens: &[Token]) -> Result<(Scalar, u64), TextFault> {
        let tokens = self.expanded(tokens)?;
        let expr = parse_fragment(tokens, self.unit, |f| {
            let e = f.expression()?;
            if f.at_end() {
                return Ok(e);
            }
            Err(TextFault::new(self.pos, "the end of the value", f.peek(0).shown(), "check this value"))
        });
        let expr = expr.map_err(|f| self.place(f))?;
        self.module.evaluate(&expr, &self.known).map_err(|f| self.place(f))
    }

    /// Evaluates a size. `what` names it in a fault.
    pub fn size(&self, tokens: &[Token], what: &str) -> Result<u64, TextFault> {
        let value = whole(self.value(tokens)?) as i64;
        match u64::try_from(value) {
            Ok(size) if size <= 1 << 40 => Ok(size),
            _ => self.fault(format!("a size for {what}"), format!("{value}"), "sizes are not negative"),
        }
    }

    fn names_function(&self, tokens: &[Token]) -> bool {
        let name = if let [name] = tokens { name.ident() } else { None };
        name.is_some_and(|name| self.unit.functions.iter().any(|f| f.name == *name))
    }

    pub(crate) fn ty(&self, tokens: &[Token]) -> Result<Ty, TextFault> {
        let tokens = self.expanded(tokens)?;
        let ty = parse_fragment(tokens, self.unit, |f| f.type_name()).map_err(|f| self.place(f))?;
        self.module.resolve(&ty).map_err(|f| self.place(f))
    }

    /// Evaluates the items that are number parameters. One may use another.
    pub fn learn_numbers(&mut self, items: &[&LaunchItem], params: &[Parameter]) {
        let mut open: Vec<(&LaunchItem, Scalar)> = Vec::new();
        for item in items {
            let param = params.iter().find(|p| p.name == item.name);
            if let (Some(Ty::Scalar(scalar)), true) = (param.map(|p| &p.ty), item.dims.is_empty()) {
                open.push((item, *scalar));
            }
        }
        // Each round evaluates at least one item. Otherwise the rest cannot be evaluated.
        while !open.is_empty() {
            let before = open.len();
            open.retain(|(item, scalar)| {
                let Some(tokens) = &item.value else { return true };
                let Ok((from, bits)) = self.value(tokens) else { return true };
                self.known.push((item.name.clone(), *scalar, convert(num(from), num(*scalar), bits)));
                false
            });
            if open.len() == before {
                break;
            }
        }
    }

    pub(crate) fn filler(&self, tokens: &[Token], ty: &Ty) -> Result<Filler, TextFault> {
        let Some(first) = tokens.first() else { return Ok(Filler::Zero) };
        if first.is("{") && tokens[tokens.len() - 1].is("}") {
            // Inner braces only group the scalars, which are taken in order.
            let flat: Vec<Token> =
                tokens[1..tokens.len() - 1].iter().filter(|t| !t.is("{") && !t.is("}")).cloned().collect();
            let parts = split(&flat);
            let values = parts.into_iter().filter(|p| !p.is_empty()).map(|p| self.value(p));
            return Ok(Filler::List(values.collect::<Result<_, _>>()?));
        }
        let name = first.ident().map(|n| n.to_string()).unwrap_or_default();
        let (part, open) = match tokens {
            [_, dot, part, ..] if dot.is(".") && part.ident().is_some() => (part.ident().cloned(), 3),
            _ => (None, 1),
        };
        let call = tokens.get(open).is_some_and(|t| t.is("(")) && tokens[tokens.len() - 1].is(")");
        let known = ["zero", "iota", "random", "permutation", "cycle", "stride", "csr", "ell", "graph", "neighbours"];
        if !known.contains(&name.as_str()) || !(call || tokens.len() == 1) {
            let (scalar, bits) = self.value(tokens)?;
            return Ok(Filler::Value(scalar, bits));
        }
        let inner = if call { split(&tokens[open + 1..tokens.len() - 1]) } else { Vec::new() };
        let args: Vec<(Scalar, u64)> =
            inner.into_iter().filter(|p| !p.is_empty()).map(|p| self.value(p)).collect::<Result<_, _>>()?;
        self.named_filler(&name, part.as_deref(), &args, ty)
    }

    fn named_filler(
        &self,
        name: &str,
        part: Option<&str>,
        args: &[(Scalar, u64)],
        _ty: &Ty,
    ) -> Result<Filler, TextFault> {
        let n = |i: usize| args.get(i).copied().map(whole).unwrap_or(0);
        let part = match part {
            None => None,
            Some("offsets" | "rows") => Some(MatrixPart::Offsets),
            Some("columns" | "edges") => Some(MatrixPart::Columns),
            Some("values") => Some(MatrixPart::Values),
            Some(other) => {
                return self.fault("offsets, columns (edges) or values", format!("`{other}`"), "check the part's name")
            }
        };
        let wanted = match name {
            "zero" => 0..=0,
            "iota" => 0..=3,
            "random" => 1..=3,
            "permutation" | "cycle" | "stride" => 1..=1,
            _ => 3..=3,
        };
        if !wanted.contains(&args.len()) || name == "random" && args.len() == 2 {
            let help =
                "the forms are random(seed), random(seed, low, high), iota(start, step), csr(rows, entries, seed) …";
            return self.fault(format!("the arguments of `{name}`"), format!("{}", args.len()), help);
        }
        let large = matches!(name, "csr" | "ell" | "graph" | "neighbours")
            && (n(0) > COUNT_MAX
                || n(1) > COUNT_MAX
                || matches!(name, "ell" | "neighbours") && n(0).saturating_mul(n(1)) > COUNT_MAX);
        if large {
            return self.fault(format!("at most {COUNT_MAX} rows and entries"), "more", "choose smaller sizes");
        }
        Ok(match name {
            "iota" => {
                let number = |i: usize, otherwise: f64| args.get(i).copied().map_or(otherwise, real);
                let modulus = number(2, f64::INFINITY);
                if modulus.is_nan() || modulus <= 0.0 {
                    return self.fault(
                        "a modulus above 0",
                        format!("{modulus}"),
                        "leave it out for numbers that go on",
                    );
                }
                Filler::Iota(number(0, 0.0), number(1, 1.0), modulus)
            }
            "random" if args.len() == 3 => Filler::Random(n(0), Some((real(args[1]), real(args[2])))),
            "random" => Filler::Random(n(0), None),
            "permutation" => Filler::Permutation(n(0)),
            "cycle" => Filler::Cycle(n(0)),
            "stride" => Filler::Stride(n(0)),
            "csr" | "graph" => Filler::Csr { rows: n(0), entries: n(1), seed: n(2), part, sorted: name == "csr" },
            "ell" => Filler::Ell { rows: n(0), width: n(1), seed: n(2), part },
            "neighbours" => Filler::Neighbours { atoms: n(0), per_atom: n(1), seed: n(2) },
            _ => Filler::Zero,
        })
    }

    /// Allocates the array of an item, or fills it again. An inherited array keeps its contents.
    pub fn allocate_array(&self, store: &mut DeviceStore, item: &LaunchItem, inherited: bool) -> Result<(), TextFault> {
        let known = store.arrays.iter().position(|a| a.name == item.name);
        if let (Some(_), true) = (known, inherited) {
            return Ok(());
        }
        let ty = match &item.ty {
            Some(tokens) if !tokens.is_empty() => self.ty(tokens)?,
            _ => return self.fault(format!("the type of `{}`", item.name), "none", "write `name: float[n]`"),
        };
        let dims: Vec<u64> =
            item.dims.iter().map(|d| self.size(d, &format!("`{}`", item.name))).collect::<Result<_, _>>()?;
        let count = dims.iter().fold(1u64, |a, b| a.saturating_mul(*b));
        let filler = match &item.value {
            Some(tokens) => self.list(store, tokens, &ty)?,
            None => Filler::Zero,
        };
        let bytes = count.saturating_mul(ty.size());
        // An array that is filled again is there already, beside its new contents.
        self.check_room(store, &item.name, bytes, filler.scratch(count))?;
        let data = fill(&filler, &ty, count);
        if let Some(index) = known {
            let slot = store.memory.objects[store.arrays[index].object].slot;
            if store.memory.data[slot].len() == data.len() {
                store.memory.data[slot] = data;
                return Ok(());
            }
            return self.fault(format!("the size that `{}` had before", item.name), "another one", "use another name");
        }
        let before = InitialContents::filled(filler, &ty, count);
        self.hold(store, item, ty, (count, before), data, &dims)
    }

    /// Refuses an array if the arrays would take more memory than allowed, and names the largest of them. `scratch`: bytes
    /// that are taken for a moment to fill it.
    fn check_room(&self, store: &DeviceStore, name: &str, bytes: u64, scratch: u64) -> Result<(), TextFault> {
        let held = store.bytes();
        if bytes.saturating_add(scratch).saturating_add(held) <= self.bytes {
            return Ok(());
        }
        let known = store.memory.objects.iter().filter(|o| o.space != MemorySpace::Shared);
        let largest = known.max_by_key(|o| o.bytes).filter(|o| o.bytes > bytes.saturating_add(scratch));
        let (name, own) = largest.map_or((name, bytes), |o| (&*o.name, o.bytes));
        let beside = match (largest.is_some(), held, scratch) {
            (true, ..) => format!(" and {} of others", (held - own).saturating_add(bytes)),
            (_, 0, 0) => String::new(),
            (_, 0, scratch) => format!(" and {scratch} to fill it"),
            (_, held, _) => format!(" and {held} of others"),
        };
        let expected = format!("arrays of at most {} MiB in all", self.bytes >> 20);
        self.fault(expected, format!("`{name}` of {own} bytes{beside}"), "choose smaller sizes")
    }

    fn hold(
        &self,
        store: &mut DeviceStore,
        item: &LaunchItem,
        ty: Ty,
        (count, before): (u64, InitialContents),
        data: Vec<u8>,
        dims: &[u64],
    ) -> Result<(), TextFault> {
        let is_constant = self.unit.globals.iter().any(|g| g.name == item.name && g.storage == Storage::Constant);
        let space = if is_constant { MemorySpace::Constant } else { MemorySpace::Global };
        let object = store.memory.allocate(&item.name, space, data, ty.size());
        let texture = self.texture(item, &ty, dims, object)?;
        store.textures.push(texture);
        let number = store.textures.len() as u64;
        let name = item.name.clone();
        let copied_in = item.value.is_some() || is_constant;
        let mut array = LaunchArray { name, object, ty, count, before, copied_in, texture: Some(number) };
        store.take_over(&mut array);
        store.arrays.push(array);
        Ok(())
    }

    fn texture(&self, item: &LaunchItem, ty: &Ty, dims: &[u64], object: usize) -> Result<Texture, TextFault> {
        let channel = ty.leaves().first().map_or(Scalar::F32, |l| l.scalar);
        let mut texture = Texture {
            object,
            width: dims.last().copied().unwrap_or(1),
            height: dims.iter().rev().nth(1).copied().unwrap_or(1),
            depth: dims.iter().rev().nth(2).copied().unwrap_or(1),
            texel: ty.size(),
            channel: u64::from(size_of_scalar(channel)),
            signed: matches!(channel, Scalar::I8 | Scalar::I16),
            ..Texture::default()
        };
        for word in &item.words {
            match &**word {
                "clamp" => texture.edge = Edge::Clamp,
                "wrap" => texture.edge = Edge::Wrap,
                "mirror" => texture.edge = Edge::Mirror,
                "border" => texture.edge = Edge::Border,
                "linear" => texture.linear = true,
                "normalized" => texture.normalized = true,
                other => {
                    return self.fault(
                        "clamp, wrap, mirror, border, linear or normalized",
                        format!("`{other}`"),
                        "check the word",
                    )
                }
            }
        }
        Ok(texture)
    }

    /// The bytes of a kernel's argument. `default` is the parameter's default in the text.
    pub fn argument_bytes(
        &self,
        store: &DeviceStore,
        param: &Parameter,
        items: &[&LaunchItem],
        default: Option<&Expr>,
    ) -> Result<Vec<u8>, TextFault> {
        let item = items.iter().find(|i| i.name == param.name);
        let held = |name: &str| store.arrays.iter().find(|a| &*a.name == name);
        let whole_array = |h: &LaunchArray| match param.ty {
            Ty::Texture(..) => h.texture.unwrap_or(0),
            _ => store.memory.pointer_to_object(h.object),
        };
        match (&param.ty, item) {
            (Ty::Pointer(_) | Ty::Texture(..), Some(item)) if !item.dims.is_empty() => {
                Ok(held(&item.name).map_or(0, whole_array).to_le_bytes().to_vec())
            }
            (Ty::Pointer(_) | Ty::Texture(..), Some(item)) => {
                let tokens = item.value.as_deref().unwrap_or_default();
                let target = tokens.first().and_then(Token::ident).and_then(|n| held(n));
                let Some(target) = target else {
                    return match self.value(tokens) {
                        Ok((_, 0)) => Ok(vec![0; 8]),
                        // A pointer to a function is its number.
                        Ok((_, number)) if self.names_function(tokens) => Ok(number.to_le_bytes().to_vec()),
                        _ => self.fault(
                            format!("an array for `{}`", param.name),
                            format!("`{}`", item.text),
                            "name an array item, or write `name: float[n] = …`",
                        ),
                    };
                };
                let offset = match tokens.get(1) {
                    Some(sign) if sign.is("+") => self.size(&tokens[2..], "an offset")?,
                    Some(other) => {
                        return self.fault(
                            "`+` and an offset after the array",
                            other.shown(),
                            "write `name = OTHER + 16`",
                        )
                    }
                    None => 0,
                };
                Ok(whole_array(target).wrapping_add(offset.wrapping_mul(target.ty.size())).to_le_bytes().to_vec())
            }
            (ty, Some(item)) => {
                let tokens = item.value.as_deref().unwrap_or_default();
                let filler = match self.list(store, tokens, ty)? {
                    Filler::Value(scalar, bits) => Filler::Value(scalar, bits),
                    list @ Filler::List(_) => list,
                    _ => {
                        return self.fault(
                            format!("a value for `{}`", param.name),
                            "an initialiser of arrays",
                            "write a number",
                        )
                    }
                };
                Ok(fill(&filler, ty, 1))
            }
            (ty, None) => match default {
                Some(default) => {
                    let (scalar, bits) = self.module.evaluate(default, &self.known).map_err(|f| self.place(f))?;
                    Ok(fill(&Filler::Value(scalar, bits), ty, 1))
                }
                None => match held(&param.name) {
                    Some(h) => Ok(whole_array(h).to_le_bytes().to_vec()),
                    None => {
                        let found = format!("none for `{}` of type {}", param.name, ty.shown());
                        let help = match ty {
                            Ty::Pointer(_) => {
                                format!("add `{}: {}[n] = random(1)` to the launch", param.name, element_name(ty))
                            }
                            Ty::Texture(..) => format!("add `{}: float[n] = random(1)` to the launch", param.name),
                            _ => format!("add `{} = value` to the launch", param.name),
                        };
                        self.fault("an item for every parameter of the kernel", found, &help)
                    }
                },
            },
        }
    }

    /// The address or texture handle of a variable of the file. Its first use allocates it.
    pub fn global_address(&self, store: &mut DeviceStore, name: &Name, ty: &Ty) -> Result<u64, TextFault> {
        let texture = matches!(ty, Ty::Texture(..));
        if let Some(h) = store.arrays.iter().find(|a| a.name == *name) {
            return Ok(if texture { h.texture.unwrap_or(0) } else { store.memory.pointer_to_object(h.object) });
        }
        if texture {
            return self.fault(
                format!("an array for the texture `{name}`"),
                "none",
                "add `name: float[n] = random(1)` to the launch",
            );
        }
        let Some(variable) = self.module.global(name) else { return Ok(0) };
        let constant = variable.storage == Storage::Constant;
        let (element, count) = match ty {
            Ty::Array(element, count) => ((**element).clone(), *count),
            other => (other.clone(), 1),
        };
        // What the text writes is kept twice.
        let kept = if variable.init.is_some() { ty.size() } else { 0 };
        self.check_room(store, name, ty.size(), kept)?;
        let mut data = vec![0; ty.size() as usize];
        match &variable.init {
            Some(Init::Value(e)) => self.initial(e, ty, &mut data)?,
            Some(Init::Construct(items, _)) => self.initial_list(items, ty, &mut data)?,
            None => {}
        }
        let space = if constant { MemorySpace::Constant } else { MemorySpace::Global };
        let before = match variable.init {
            Some(_) => InitialContents::written(data.clone().into()),
            None => InitialContents::filled(Filler::Zero, &element, count),
        };
        let object = store.memory.allocate(name, space, data, innermost(&element).size());
        let (name, copied_in) = (name.clone(), variable.init.is_some() || constant);
        let texture = None;
        let mut array = LaunchArray { name, object, ty: element, count, before, copied_in, texture };
        store.take_over(&mut array);
        store.arrays.push(array);
        Ok(store.memory.pointer_to_object(object))
    }

    fn initial(&self, e: &Expr, ty: &Ty, data: &mut [u8]) -> Result<(), TextFault> {
        if let ExprKind::List(items) = &e.kind {
            return self.initial_list(items, ty, data);
        }
        let (scalar, bits) = self.module.evaluate(e, &self.known)?;
        let bytes = fill(&Filler::List(vec![(scalar, bits)]), ty, 1);
        let length = bytes.len().min(data.len());
        data[..length].copy_from_slice(&bytes[..length]);
        Ok(())
    }

    fn initial_list(&self, items: &[Expr], ty: &Ty, data: &mut [u8]) -> Result<(), TextFault> {
        self.initial_from(&mut &items[..], ty, data)
    }

    /// Initialises a value from the first items. A part without braces of its own takes as many items as it has
    /// scalars.
    fn initial_from(&self, rest: &mut &[Expr], ty: &Ty, data: &mut [u8]) -> Result<(), TextFault> {
        for i in 0.. {
            let Some(item) = rest.first() else { break };
            let (inner, offset) = match ty {
                Ty::Array(element, count) if i < *count => ((**element).clone(), i * element.size()),
                Ty::Struct(s) if (i as usize) < s.fields.len() => {
                    let field = &s.fields[i as usize];
                    (field.ty.clone(), field.offset)
                }
                Ty::Array(..) | Ty::Struct(_) => break,
                other if i == 0 => (other.clone(), 0),
                _ => break,
            };
            let (start, end) = (offset as usize, (offset + inner.size()) as usize);
            let part = data.get_mut(start..end).unwrap_or_default();
            let whole = matches!(
                &item.kind,
                ExprKind::List(_) | ExprKind::Str(_) | ExprKind::Call(..) | ExprKind::Construct(..)
            );
            if !whole && matches!(inner, Ty::Array(..) | Ty::Struct(_)) {
                self.initial_from(rest, &inner, part)?;
                continue;
            }
            self.initial(item, &inner, part)?;
            *rest = &rest[1..];
        }
        Ok(())
    }
}

fn element_name(ty: &Ty) -> String {
    match ty {
        Ty::Pointer(to) => to.ty.shown(),
        other => other.shown(),
    }
}

fn innermost(ty: &Ty) -> &Ty {
    match ty {
        Ty::Array(element, _) => innermost(element),
        other => other,
    }
}

/// Evaluates the blocks or threads of a launch. Missing dimensions are 1.
pub fn evaluate_dims(env: &LaunchEnv<'_>, spec: &[Vec<Token>], what: &str) -> Result<[u32; 3], TextFault> {
    let mut out = [1; 3];
    for (slot, tokens) in out.iter_mut().zip(spec) {
        let value = env.size(tokens, what)?;
        *slot = match u32::try_from(value) {
            Ok(n) if n > 0 => n,
            _ => return env.fault(format!("1 to 4,294,967,295 {what}"), format!("{value}"), "check the launch"),
        };
    }
    Ok(out)
}
