//! Parses types: specifiers, pointers, references, arrays, template arguments, paths.

use crate::syntax::ast::{Expr, ExprKind, Path, Restrict, Scalar, Storage, TemplateArg, TypeExpr, TypeKind};
use crate::syntax::parse::{names, Parsed, Parser};
use crate::syntax::token::{Name, Pos, Tok};
use std::rc::Rc;

/// The specifiers of a declaration, before the declared names.
pub(crate) struct Specifiers {
    pub ty: TypeExpr,
    pub storage: Storage,
    pub is_extern: bool,
    pub is_virtual: bool,
    pub is_static: bool,
    pub align: Option<Expr>,
    pub kernel: bool,
    pub device: bool,
    /// Whether the specifiers declare a struct or an enum.
    pub declares: bool,
}

impl Parser {
    pub(crate) fn plain_type(kind: TypeKind, pos: Pos) -> TypeExpr {
        TypeExpr { kind, constant: false, volatile: false, pos }
    }

    /// Whether a type begins here.
    pub(crate) fn at_type(&self) -> bool {
        self.type_at(0)
    }

    pub(crate) fn type_at(&self, ahead: usize) -> bool {
        let ahead = ahead + usize::from(self.peek_at(ahead).is("::"));
        let Some(name) = self.peek_at(ahead).ident() else { return false };
        if names::is_specifier(name) {
            return true;
        }
        let scoped = self.peek_at(ahead + 1).is("::");
        if !scoped {
            return self.types.contains(name);
        }
        // `a::b::T` is a type if its class is one. Template arguments hide what follows.
        let mut i = ahead;
        while self.peek_at(i + 1).is("::") && self.peek_at(i + 2).ident().is_some() {
            i += 2;
        }
        self.peek_at(i).ident().is_some_and(|last| self.types.contains(last)) && !self.peek_at(i + 1).is("(")
    }

    /// Skips an attribute. Its arguments do not matter.
    fn attribute(&mut self) {
        self.next();
        if self.is("(") {
            self.skip_balanced();
        }
    }

    /// Parses specifiers up to the first declarator.
    pub(crate) fn specifiers(&mut self) -> Parsed<Specifiers> {
        let pos = self.pos();
        let (mut constant, mut volatile, mut constexpr) = (false, false, false);
        let (mut shared, mut in_constant) = (false, false);
        let mut s = Specifiers {
            ty: Self::plain_type(TypeKind::Auto, pos),
            storage: Storage::Automatic,
            is_extern: false,
            is_virtual: false,
            is_static: false,
            align: None,
            kernel: false,
            device: false,
            declares: false,
        };
        let mut words: Vec<&'static str> = Vec::new();
        let mut found: Option<TypeKind> = None;
        loop {
            // Attributes stand before a declaration, perhaps behind `extern "C"`, and behind the words of a type.
            self.skip_attributes();
            // `::a::T` is a type as well.
            if found.is_none() && words.is_empty() && self.peek_at(1).ident().is_some() {
                self.eat("::");
            }
            let Some(name) = self.peek().ident().cloned() else { break };
            match &*name {
                "const" => constant = true,
                "volatile" => volatile = true,
                "constexpr" => constexpr = true,
                "static" => s.is_static = true,
                "extern" => {
                    s.is_extern = true;
                    if matches!(self.peek_at(1).tok, Tok::Str(_)) {
                        self.next();
                    }
                }
                "__shared__" => shared = true,
                "__constant__" => in_constant = true,
                "__device__" | "__managed__" => s.device = true,
                "__global__" => s.kernel = true,
                "__align__" | "alignas" => {
                    self.next();
                    s.align = self.align_value()?;
                    continue;
                }
                "__launch_bounds__" | "__attribute__" | "__maxnreg__" | "__cluster_dims__" | "__block_size__" => {
                    self.attribute();
                    continue;
                }
                "virtual" => s.is_virtual = true,
                "inline" | "register" | "mutable" | "typename" | "explicit" | "friend" | "__host__"
                | "__forceinline__" | "__noinline__" | "__inline__" | "__inline" | "__restrict__" | "__restrict"
                | "__grid_constant__" => {}
                "auto" => found = Some(TypeKind::Auto),
                "decltype" => {
                    self.next();
                    self.require("(", "after `decltype`")?;
                    found = Some(match self.eat_word("auto") {
                        true => TypeKind::Auto,
                        false => TypeKind::Decltype(Box::new(self.expression()?)),
                    });
                    self.require(")", "after the expression")?;
                    continue;
                }
                "struct" | "class" | "union" | "enum" if found.is_none() && words.is_empty() => {
                    let (kind, declares) = self.elaborated()?;
                    s.declares |= declares;
                    found = Some(kind);
                    continue;
                }
                word if names::is_arithmetic(word) && found.is_none() => words.push(arithmetic(word)),
                _ if found.is_none() && words.is_empty() && !names::is_keyword(&name) => {
                    let path = self.path_of(true)?;
                    let path = Self::surface_as_texture(path);
                    // A group of any kind has the type of its value.
                    let group = &**path.last() == "thread_group" && self.types.contains("thread_group");
                    found = Some(if group { TypeKind::Auto } else { TypeKind::Named(path) });
                    continue;
                }
                _ => break,
            }
            self.next();
        }
        s.ty.kind = match (found, words.is_empty()) {
            (Some(kind), _) => kind,
            (None, false) => TypeKind::Scalar(scalar_of(&words)),
            (None, true) => return self.fault("a type", "a declaration begins with its type"),
        };
        s.ty.constant = constant || constexpr;
        s.ty.volatile = volatile;
        s.storage = match (shared, in_constant, s.device) {
            (true, ..) if s.is_extern => Storage::DynamicShared,
            (true, ..) => Storage::Shared,
            (_, true, _) => Storage::Constant,
            _ if constexpr => Storage::Constexpr,
            (_, _, true) => Storage::Device,
            _ if s.is_static => Storage::Static,
            _ => Storage::Automatic,
        };
        Ok(s)
    }

    /// `surface<void, 2>` is a texture of any elements here.
    fn surface_as_texture(mut path: Path) -> Path {
        if let [.., (name, Some(args))] = &mut path.parts[..] {
            if &**name == "surface" {
                let pos = args.first().map_or(Pos::default(), |a| match a {
                    TemplateArg::Type(ty) => ty.pos,
                    TemplateArg::Value(e) => e.pos,
                });
                let float = TemplateArg::Type(Self::plain_type(TypeKind::Scalar(Scalar::F32), pos));
                let rest = args.iter().skip(1).cloned();
                (*name, *args) = ("texture".into(), Rc::new(std::iter::once(float).chain(rest).collect()));
            }
        }
        path
    }

    fn align_value(&mut self) -> Parsed<Option<Expr>> {
        self.require("(", "after the alignment word")?;
        let value = if self.at_type() {
            let ty = self.type_name()?;
            let pos = ty.pos;
            Expr { kind: crate::syntax::ast::ExprKind::SizeofType(ty), pos }
        } else {
            self.expression()?
        };
        self.require(")", "after the alignment")?;
        Ok(Some(value))
    }

    /// Parses `a::b<c>::d`.
    pub(crate) fn path(&mut self) -> Parsed<Path> {
        self.path_of(false)
    }

    /// Parses a path. If `of_type` is set, a name before `<` is a template even if it is unknown.
    pub(crate) fn path_of(&mut self, of_type: bool) -> Parsed<Path> {
        self.eat("::");
        let mut parts = Vec::new();
        loop {
            self.eat_word("template");
            let name = self.name("a name")?;
            // No variable of the standard library is compared.
            let standard = parts.last().is_some_and(|(space, _): &(Name, _)| &**space == "std");
            let is_template = of_type || standard || self.templates.contains(&name);
            let args = if is_template && self.is("<") {
                self.attempt(|p| p.template_args()).map(Rc::new)
            } else if self.is("<") && self.type_at(1) {
                // An unknown name with a type behind `<` is a template if a call follows.
                let call = |p: &mut Self| {
                    let args = p.template_args()?;
                    if p.is("(") {
                        Ok(args)
                    } else {
                        p.fault("`(`", "")
                    }
                };
                self.attempt(call).map(Rc::new)
            } else {
                None
            };
            parts.push((name, args));
            if !(self.is("::") && self.peek_at(1).ident().is_some()) {
                return Ok(Path { parts });
            }
            self.next();
        }
    }

    /// Parses `<a, b>`.
    pub(crate) fn template_args(&mut self) -> Parsed<Vec<TemplateArg>> {
        self.nested(Self::template_arg_list)
    }

    fn template_arg_list(&mut self) -> Parsed<Vec<TemplateArg>> {
        self.require("<", "before the template arguments")?;
        self.in_angle(Self::template_args_within)
    }

    fn template_args_within(&mut self) -> Parsed<Vec<TemplateArg>> {
        let mut args = Vec::new();
        while !matches!(self.peek().tok, Tok::Punct(">" | ">>" | ">>>")) {
            let mut arg = if self.at_type() {
                match self.attempt(|p| {
                    let ty = p.type_name()?;
                    let ends = matches!(p.peek().tok, Tok::Punct("," | ">" | ">>" | ">>>" | "..."));
                    if ends {
                        Ok(ty)
                    } else {
                        p.fault("`,` or `>`", "")
                    }
                }) {
                    Some(ty) => TemplateArg::Type(ty),
                    None => TemplateArg::Value(self.ternary()?),
                }
            } else {
                TemplateArg::Value(self.ternary()?)
            };
            if self.eat("...") {
                let pos = self.pos();
                arg = TemplateArg::Value(match arg {
                    TemplateArg::Type(TypeExpr { kind: TypeKind::Named(path), .. }) => {
                        let name = Expr { kind: ExprKind::Name(path), pos };
                        Expr { kind: ExprKind::Expand(Box::new(name)), pos }
                    }
                    TemplateArg::Value(e) => Expr { kind: ExprKind::Expand(Box::new(e)), pos },
                    TemplateArg::Type(_) => {
                        return self.fault("the name of a pack before `...`", "name the pack alone")
                    }
                });
            }
            args.push(arg);
            if !self.eat(",") {
                break;
            }
        }
        Ok(args)
    }

    /// Parses a type without a declared name, as in casts.
    pub(crate) fn type_name(&mut self) -> Parsed<TypeExpr> {
        self.nested(|p| {
            let base = p.specifiers()?.ty;
            let mut ty = p.pointers(base)?;
            if p.is("(") && (p.peek_at(1).is("*") || p.peek_at(1).is("&")) && p.peek_at(2).is(")") {
                let (_, pointer) = p.declarator(ty)?;
                return Ok(pointer);
            }
            while p.is("[") {
                p.next();
                let size = if p.is("]") { None } else { Some(Box::new(p.expression()?)) };
                p.require("]", "after the array's size")?;
                let pos = ty.pos;
                ty = Self::plain_type(TypeKind::Array(Box::new(ty), size), pos);
            }
            Ok(ty)
        })
    }

    /// Parses `* const * __restrict__ &` after a type.
    pub(crate) fn pointers(&mut self, mut ty: TypeExpr) -> Parsed<TypeExpr> {
        let mut levels = 0;
        loop {
            let pos = self.pos();
            levels += 1;
            if levels > crate::syntax::parse::DEPTH_MAX {
                return self.refuse("a type with less nesting", "use fewer `*`");
            }
            if self.eat("*") {
                ty = Self::plain_type(TypeKind::Pointer(Box::new(ty), Restrict::No), pos);
            } else if self.eat("&") || self.eat("&&") {
                ty = Self::plain_type(TypeKind::Reference(Box::new(ty)), pos);
            } else {
                match self.peek().ident().map(|n| n.to_string()).as_deref() {
                    Some("const") => ty.constant = true,
                    Some("volatile") => ty.volatile = true,
                    Some("__restrict__" | "__restrict" | "restrict") => {
                        if let TypeKind::Pointer(_, restrict) = &mut ty.kind {
                            *restrict = Restrict::Yes;
                        }
                    }
                    _ => return Ok(ty),
                }
                self.next();
            }
        }
    }
}

fn arithmetic(word: &str) -> &'static str {
    ["void", "bool", "char", "short", "int", "long", "float", "double", "unsigned"]
        .into_iter()
        .find(|w| *w == word)
        .unwrap_or(if word == "__int64" { "long" } else { "signed" })
}

fn scalar_of(words: &[&str]) -> Scalar {
    let has = |word| words.contains(&word);
    let unsigned = has("unsigned");
    let pick = |signed, not| if unsigned { not } else { signed };
    match () {
        () if has("void") => Scalar::Void,
        () if has("bool") => Scalar::Bool,
        () if has("float") => Scalar::F32,
        () if has("double") => Scalar::F64,
        () if has("char") => pick(Scalar::I8, Scalar::U8),
        () if has("short") => pick(Scalar::I16, Scalar::U16),
        () if has("long") => pick(Scalar::I64, Scalar::U64),
        () => pick(Scalar::I32, Scalar::U32),
    }
}
