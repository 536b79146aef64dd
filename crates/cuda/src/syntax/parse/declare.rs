//! Parses declarators, initialisers and parameters.

use crate::syntax::ast::{Expr, ExprKind, Init, Param, Scalar, Storage, TypeExpr, TypeKind, Variable};
use crate::syntax::parse::types::Specifiers;
use crate::syntax::parse::{Parsed, Parser};
use crate::syntax::token::{Name, Pos, Tok};

impl Parser {
    /// Parses the pointers, the name and the array bounds of one declared entity. A parameter may lack the name.
    pub(crate) fn declarator(&mut self, base: TypeExpr) -> Parsed<(Option<Name>, TypeExpr)> {
        let ty = self.pointers(base)?;
        // `T (*name)[N]` and `T (&name)[N]`.
        if self.is("(") && (self.peek_at(1).is("*") || self.peek_at(1).is("&")) {
            self.next();
            let pos = self.pos();
            let pointer = self.next().is("*");
            while self.peek().ident().is_some_and(|n| n.contains("restrict") || &**n == "const") {
                self.next();
            }
            let name = self.peek().ident().cloned();
            if name.is_some() {
                self.next();
            }
            // A pointer to a function is a pointer to nothing. The call finds the function.
            let void = Self::plain_type(TypeKind::Scalar(Scalar::Void), pos);
            let function = Self::plain_type(TypeKind::Pointer(Box::new(void), crate::syntax::ast::Restrict::No), pos);
            let function = self.arrays(function)?;
            self.require(")", "after the name")?;
            if self.is("(") {
                self.skip_balanced();
                return Ok((name, function));
            }
            let inner = Box::new(self.arrays(ty)?);
            let kind = if pointer {
                TypeKind::Pointer(inner, crate::syntax::ast::Restrict::No)
            } else {
                TypeKind::Reference(inner)
            };
            return Ok((name, Self::plain_type(kind, pos)));
        }
        let name = match self.peek().ident() {
            Some(name) if !crate::syntax::parse::names::is_keyword(name) => self.next().ident().cloned(),
            _ => None,
        };
        Ok((name, self.arrays(ty)?))
    }

    fn arrays(&mut self, ty: TypeExpr) -> Parsed<TypeExpr> {
        if !self.is("[") {
            return Ok(ty);
        }
        let pos = self.pos();
        self.next();
        let size = if self.is("]") { None } else { Some(Box::new(self.expression()?)) };
        self.require("]", "after the array's size")?;
        let element = self.nested(|p| p.arrays(ty))?;
        let (constant, volatile) = (element.constant, element.volatile);
        Ok(TypeExpr { kind: TypeKind::Array(Box::new(element), size), constant, volatile, pos })
    }

    /// Parses the variables of a declaration up to its `;`.
    pub(crate) fn variables(&mut self, s: &Specifiers) -> Parsed<Vec<Variable>> {
        let mut out = Vec::new();
        loop {
            let pos = self.pos();
            if matches!(s.ty.kind, TypeKind::Auto) && (self.is("[") || self.peek_at(1).is("[")) {
                self.structured_binding(s, pos, &mut out)?;
                return Ok(out);
            }
            let (name, ty) = self.declarator(s.ty.clone())?;
            let Some(name) = name else {
                return self.fault("the name of a variable", "a declaration is `type name;` or `type name = value;`");
            };
            self.hide_type(&name);
            while self.is_word("__align__") || self.is_word("__attribute__") {
                self.next();
                self.skip_balanced();
            }
            let mut init = self.initializer()?;
            if let (TypeKind::Array(..), Some(Init::Value(Expr { kind: ExprKind::Str(text), pos }))) = (&ty.kind, &init)
            {
                let pos = *pos;
                let items = text.bytes().chain([0]).map(|b| Expr { kind: ExprKind::Char(i32::from(b)), pos }).collect();
                init = Some(Init::Construct(items, true));
            }
            let mut storage = s.storage;
            if storage == Storage::Shared && matches!(ty.kind, TypeKind::Array(_, None)) {
                storage = Storage::DynamicShared;
            }
            let align = s.align.clone().map(Box::new);
            out.push(Variable { name, ty, storage, init, pos, align });
            if !self.eat(",") {
                return Ok(out);
            }
        }
    }

    /// Parses `[a, b] = value`: the names are the members of a hidden variable.
    fn structured_binding(&mut self, s: &Specifiers, pos: Pos, out: &mut Vec<Variable>) -> Parsed<()> {
        let reference = self.eat("&") || self.eat("&&");
        self.require("[", "before the names")?;
        let mut names = Vec::new();
        while !self.is("]") {
            names.push((self.pos(), self.name("a name")?));
            if !self.eat(",") {
                break;
            }
        }
        self.require("]", "after the names")?;
        let Some(init) = self.initializer()? else { return self.fault("`=` and a value", "add the value") };
        let hidden = Name::from(format!("(members at {}:{})", pos.line, pos.column).as_str());
        let auto = || Self::plain_type(TypeKind::Auto, pos);
        let refer = || Self::plain_type(TypeKind::Reference(Box::new(auto())), pos);
        let storage = Storage::Automatic;
        let ty = if reference { refer() } else { s.ty.clone() };
        out.push(Variable { name: hidden.clone(), ty, storage, init: Some(init), pos, align: None });
        for (i, (pos, name)) in names.into_iter().enumerate() {
            let whole = Expr { kind: ExprKind::Name(crate::syntax::ast::Path::simple(hidden.clone())), pos };
            let member = Expr { kind: ExprKind::Nth(Box::new(whole), i), pos };
            out.push(Variable { name, ty: refer(), storage, init: Some(Init::Value(member)), pos, align: None });
        }
        Ok(())
    }

    pub(crate) fn initializer(&mut self) -> Parsed<Option<Init>> {
        if self.eat("=") {
            return Ok(Some(Init::Value(self.initial_value()?)));
        }
        if self.is("{") {
            let list = self.initial_value()?;
            return Ok(match list.kind {
                ExprKind::List(items) => Some(Init::Construct(items, true)),
                _ => None,
            });
        }
        if self.is("(") {
            self.next();
            let args = self.arguments(")")?;
            return Ok(Some(Init::Construct(args, false)));
        }
        Ok(None)
    }

    /// Parses an expression or a list in braces.
    pub(crate) fn initial_value(&mut self) -> Parsed<Expr> {
        let pos = self.pos();
        if !self.eat("{") {
            return self.assignment();
        }
        self.nested(|p| {
            let mut items = Vec::new();
            while !p.is("}") {
                // `.x = 1` is taken in order, without regard to the name.
                if p.is(".") && p.peek_at(2).is("=") {
                    p.at += 3;
                }
                let item = p.initial_value()?;
                items.push(p.expanded(item));
                if !p.eat(",") {
                    break;
                }
            }
            p.require("}", "after the initial values")?;
            Ok(Expr { kind: ExprKind::List(items), pos })
        })
    }

    /// A value, or `value...`.
    fn expanded(&mut self, value: Expr) -> Expr {
        if !self.is("...") {
            return value;
        }
        let pos = self.next().pos;
        Expr { kind: ExprKind::Expand(Box::new(value)), pos }
    }

    /// Parses expressions up to a closing sign. The opening one was read.
    pub(crate) fn arguments(&mut self, close: &str) -> Parsed<Vec<Expr>> {
        let outer = std::mem::replace(&mut self.angle, false);
        let mut args = Vec::new();
        while !self.is(close) {
            let value = self.initial_value()?;
            args.push(self.expanded(value));
            if !self.eat(",") {
                break;
            }
        }
        self.angle = outer;
        self.require(close, "after the arguments")?;
        Ok(args)
    }

    /// Lets a variable have the name of a type: up to the end of its scope or, for a type of CUDA, of the file.
    fn hide_type(&mut self, name: &Name) {
        let own = crate::syntax::parse::names::is_builtin_type(name) || self.own_types.contains(name);
        if (own || self.scopes > 0) && self.types.remove(name) {
            let template = self.templates.remove(name);
            self.hidden.push((name.clone(), template));
        }
    }

    /// Notes that the name in a parameter's declaration is a type, even an unknown one, so that casts to it are parsed
    /// as casts.
    pub(crate) fn assume_type(&mut self, ty: &TypeExpr) {
        match &ty.kind {
            TypeKind::Pointer(to, _) | TypeKind::Array(to, _) | TypeKind::Reference(to) => self.assume_type(to),
            TypeKind::Named(path) => {
                if let Some(name) = path.plain() {
                    self.types.insert(name.clone());
                }
            }
            _ => {}
        }
    }

    /// Parses the parameters of a function, `(int a, float *b = 0)`.
    pub(crate) fn params(&mut self) -> Parsed<Vec<Param>> {
        self.require("(", "before the parameters")?;
        let mut params = Vec::new();
        if self.is_word("void") && self.peek_at(1).is(")") {
            self.next();
        }
        while !self.is(")") {
            if params.len() >= crate::syntax::parse::PARAMS_MAX {
                return self.refuse("fewer parameters", "pass a struct");
            }
            if self.is("...") {
                return self
                    .fault("a parameter with a type", "functions of any number of parameters are not supported");
            }
            let s = self.specifiers()?;
            let base = self.pointers(s.ty)?;
            let pack = self.eat("...");
            let (mut name, mut ty) = self.declarator(base)?;
            if self.host && self.is("(") {
                // A macro of a header that is not there, such as `T ARRAY_2D(a, N, M)`.
                name = self.peek_at(1).ident().cloned();
                self.skip_balanced();
                let kind = TypeKind::Pointer(Box::new(ty.clone()), crate::syntax::ast::Restrict::No);
                ty = Self::plain_type(kind, ty.pos);
            }
            name.iter().for_each(|name| self.hide_type(name));
            // An array parameter is a pointer.
            if let TypeKind::Array(element, _) = ty.kind {
                ty.kind = TypeKind::Pointer(element, crate::syntax::ast::Restrict::No);
                (ty.constant, ty.volatile) = (false, false);
            }
            let default = if self.eat("=") { Some(self.initial_value()?) } else { None };
            params.push(Param { name, ty, default, pack });
            if !self.eat(",") {
                break;
            }
        }
        self.require(")", "after the parameters")?;
        Ok(params)
    }

    /// Joins adjacent string literals.
    pub(crate) fn strings(&mut self) -> Name {
        let mut text = String::new();
        while let Tok::Str(part) = &self.peek().tok {
            text.push_str(part);
            self.next();
        }
        Name::from(text.as_str())
    }
}
