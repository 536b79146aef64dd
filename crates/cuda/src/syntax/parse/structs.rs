//! Parses structs, classes, unions and enums.

use crate::syntax::ast::{
    BinaryOp, Enum, Expr, ExprKind, Function, FunctionKind, Init, Path, Scalar, Stmt, StmtKind, Storage, Struct,
    TemplateArg, TemplateParam, TypeKind, Variable,
};
use crate::syntax::parse::{names, Parsed, Parser, PARAMS_MAX};
use crate::syntax::token::{IntLiteral, Name, Tok};
use std::rc::Rc;

/// Most members of a struct.
const MEMBERS_MAX: usize = 4096;

impl Parser {
    /// Parses `struct a`, `struct a {…}` or `enum {…}`. Returns the type and whether it was declared here.
    pub(crate) fn elaborated(&mut self) -> Parsed<(TypeKind, bool)> {
        if self.is_word("enum") {
            return self.enumeration();
        }
        let pos = self.pos();
        let union = self.next().is_ident("union");
        let mut align = None;
        while self.is_word("__align__")
            || self.is_word("alignas")
            || self.is_word("__attribute__")
            || self.is_word("__builtin_align__")
        {
            let is_align = !self.is_word("__attribute__");
            self.next();
            if is_align && self.eat("(") {
                align = Some(self.expression()?);
                self.require(")", "after the alignment")?;
            } else if self.peek_at(2).is_ident("aligned") || self.peek_at(2).is_ident("__aligned__") {
                // `__attribute__((aligned(32)))`.
                self.at += 3;
                align = Some(self.expression()?);
                self.require(")", "after the alignment")?;
                self.require(")", "after the attribute")?;
            } else {
                self.skip_balanced();
            }
        }
        while self.peek().ident().is_some() && self.peek_at(1).is("::") {
            self.at += 2;
        }
        let name = match self.peek().ident() {
            Some(name) if !names::is_keyword(name) => self.name("a name")?,
            _ => Name::from(format!("(struct at {}:{})", pos.line, pos.column).as_str()),
        };
        let specialised =
            if self.is("<") && self.templates.contains(&name) { Some(Rc::new(self.template_args()?)) } else { None };
        self.types.insert(name.clone());
        self.eat_word("final");
        let has_bases = self.is(":");
        if !self.is("{") && !has_bases {
            return Ok((TypeKind::Named(Path { parts: vec![(name, specialised)] }), false));
        }
        self.declare_over_own(&name, pos, specialised.is_some());
        let inner = self.unit.structs.len();
        let mut body = Struct { name: name.clone(), specialised, union, align, ..Struct::default() };
        if self.eat(":") {
            loop {
                while ["public", "private", "protected", "virtual"].iter().any(|w| self.eat_word(w)) {}
                body.bases.push(self.type_name()?);
                if !self.eat(",") {
                    break;
                }
            }
        }
        self.members(&mut body)?;
        if self.is_word("__attribute__") || self.is_word("__align__") {
            self.next();
            self.skip_balanced();
        }
        for one in self.unit.structs[inner..].iter_mut().filter(|s| s.outer.is_none()) {
            let unnamed = one.name.starts_with('(');
            if let Some(one) = Rc::get_mut(one).filter(|_| !unnamed) {
                one.outer = Some(name.clone());
            }
        }
        self.unit.structs.push(Rc::new(body));
        Ok((TypeKind::Named(Path::simple(name)), true))
    }

    /// Notes a type of our own headers, or takes one away for a type of the text with its name.
    fn declare_over_own(&mut self, name: &Name, pos: crate::syntax::token::Pos, specialised: bool) {
        if pos.line == 0 || pos.line >= crate::syntax::headers::OWN_LINES {
            self.own_types.insert(name.clone());
        } else if !specialised && self.own_types.remove(name) {
            self.unit.structs.retain(|s| s.name != *name || s.outer.is_some());
            self.unit.aliases.retain(|a| a.0 != *name);
        }
    }

    fn enumeration(&mut self) -> Parsed<(TypeKind, bool)> {
        let pos = self.next().pos;
        let _ = self.eat_word("class") || self.eat_word("struct");
        let name = if self.is("{") || self.is(":") { None } else { Some(self.name("the enum's name")?) };
        if let Some(name) = &name {
            self.types.insert(name.clone());
        }
        if self.eat(":") {
            self.specifiers()?;
        }
        let shown = name.clone().unwrap_or_else(|| Name::from(format!("(enum at {})", pos.line).as_str()));
        if !self.eat("{") {
            return Ok((TypeKind::Named(Path::simple(shown)), false));
        }
        let mut values = Vec::new();
        while !self.is("}") {
            let value = self.name("the name of a value")?;
            let init = if self.eat("=") { Some(self.ternary()?) } else { None };
            values.push((value, init));
            if !self.eat(",") {
                break;
            }
        }
        self.require("}", "after the values of the enum")?;
        self.unit.enums.push(Rc::new(Enum { name: Some(shown.clone()), pos, values }));
        Ok((TypeKind::Named(Path::simple(shown)), true))
    }

    /// Turns the enums of a class template into static members, because their values may depend on the template
    /// arguments.
    pub(crate) fn enums_to_members(&mut self, body: &mut Struct, from: usize) {
        let constants = self.enum_constants(from);
        body.fields.extend(constants.into_iter().map(|v| Variable { storage: Storage::Static, ..v }));
    }

    /// Takes the values of the last enums, as constants.
    pub(crate) fn enum_constants(&mut self, from: usize) -> Vec<Variable> {
        let mut out = Vec::new();
        for one in self.unit.enums.split_off(from) {
            let (pos, mut before) = (one.pos, None::<Expr>);
            for (name, init) in &one.values {
                let int = |value| {
                    let literal = IntLiteral { value, unsigned: false, long: false, decimal: true };
                    Expr { kind: ExprKind::Int(literal), pos }
                };
                let next = |last| ExprKind::Binary(BinaryOp::Add, Box::new(last), Box::new(int(1)));
                let init = match (init, before) {
                    (Some(init), _) => init.clone(),
                    (None, Some(last)) => Expr { kind: next(last), pos },
                    (None, None) => int(0),
                };
                before = Some(Expr { kind: ExprKind::Name(Path::simple(name.clone())), pos });
                let mut ty = Self::plain_type(TypeKind::Scalar(Scalar::I32), pos);
                ty.constant = true;
                let (init, name, storage) = (Some(Init::Value(init)), name.clone(), Storage::Constexpr);
                out.push(Variable { name, ty, storage, init, pos, align: None });
            }
            self.unit.enums.push(Rc::new(Enum { name: one.name.clone(), pos, values: Vec::new() }));
        }
        out
    }

    fn members(&mut self, body: &mut Struct) -> Parsed<()> {
        self.scoped(|p| p.members_rest(body))
    }

    fn members_rest(&mut self, body: &mut Struct) -> Parsed<()> {
        self.require("{", "before the members")?;
        while !self.eat("}") {
            if self.peek().tok == Tok::End {
                return self.fault("`}` after the members", "add `};`");
            }
            if self.eat(";") {
                continue;
            }
            if ["public", "private", "protected"].iter().any(|w| self.is_word(w)) && self.peek_at(1).is(":") {
                self.at += 2;
                continue;
            }
            if body.fields.len() + body.methods.len() > MEMBERS_MAX {
                return self.refuse("a struct of fewer members", "use an array");
            }
            self.nested(|p| p.member(body))?;
        }
        Ok(())
    }

    fn member(&mut self, body: &mut Struct) -> Parsed<()> {
        if self.is_word("typedef") || self.is_word("using") {
            if let crate::syntax::ast::StmtKind::Aliases(all) = self.alias_statement()? {
                body.aliases.extend(all);
            }
            return Ok(());
        }
        let template = if self.is_word("template") { self.template_params()? } else { Vec::new() };
        self.skip_attributes();
        if self.is_word("static_assert") {
            self.skip_item();
            return Ok(());
        }
        if !template.is_empty() && ["struct", "class"].iter().any(|w| self.is_word(w)) {
            return self.member_template(template);
        }
        let start = self.at;
        let device = self.mentions_device();
        if let Some(ahead) = self.friend_ahead() {
            return self.friend(ahead, template);
        }
        if self.destructor() {
            return Ok(());
        }
        match self.method_or_field(body, template) {
            Ok(()) => {}
            // A member function for the host may contain syntax that this parser does not read.
            Err(_) if !device && self.tokens[start..].iter().take(200).any(|t| t.is("(")) => {
                self.at = start;
                self.skip_item();
            }
            Err(fault) => return Err(fault),
        }
        Ok(())
    }

    /// Parses members of some bits, `unsigned a : 3, : 2, b : 5;`.
    fn bit_fields(&mut self, s: &crate::syntax::parse::types::Specifiers, body: &mut Struct) -> Parsed<()> {
        loop {
            let pos = self.pos();
            let name = if self.is(":") { Name::from("(bits)") } else { self.name("the name of a member")? };
            self.require(":", "after the member")?;
            let width = self.ternary()?;
            let ty = Self::plain_type(TypeKind::Bits(Box::new(s.ty.clone()), Box::new(width)), pos);
            let init = self.initializer()?;
            body.fields.push(Variable { name, ty, storage: Storage::Automatic, init, pos, align: None });
            if body.fields.len() > MEMBERS_MAX {
                return self.refuse("a struct of fewer members", "use an array");
            }
            if !self.eat(",") {
                return self.require(";", "after the member");
            }
        }
    }

    /// Parses a class template inside a class.
    fn member_template(&mut self, template: Vec<TemplateParam>) -> Parsed<()> {
        if let Some(name) = self.peek_at(1).ident().cloned() {
            self.templates.insert(name);
        }
        let enums = self.unit.enums.len();
        let (_, declared) = self.elaborated()?;
        if let Some(last) = self.unit.structs.pop().filter(|_| declared) {
            let mut body = (*last).clone();
            body.template = template;
            self.enums_to_members(&mut body, enums);
            self.unit.structs.push(Rc::new(body));
        }
        self.require(";", "after the struct")
    }

    /// Skips a destructor. It has no effect at the end of a scope in this emulator.
    fn destructor(&mut self) -> bool {
        let mut ahead = 0;
        while self.peek_at(ahead).ident().is_some_and(|n| names::is_specifier(n)) {
            ahead += 1;
        }
        if !self.peek_at(ahead).is("~") {
            return false;
        }
        self.skip_item();
        true
    }

    fn method_or_field(&mut self, body: &mut Struct, template: Vec<TemplateParam>) -> Parsed<()> {
        let constructor = self.constructor_ahead(&body.name);
        if let Some(ahead) = constructor {
            let pos = self.pos();
            self.at += ahead;
            let returns = Self::plain_type(TypeKind::Scalar(crate::syntax::ast::Scalar::Void), pos);
            let mut function = self.function_rest(body.name.clone(), FunctionKind::Device, template, returns, pos)?;
            if self.tokens[self.at.saturating_sub(2)].is_ident("default") {
                // A copy needs no constructor, and the members have their initial values before any.
                if !function.params.is_empty() {
                    return Ok(());
                }
                function.body = Some(Stmt { kind: StmtKind::Block(Vec::new()), pos });
            }
            body.methods.push(Rc::new(function));
            return Ok(());
        }
        if self.conversion_ahead() {
            while !self.is_word("operator") {
                self.next();
            }
            let pos = self.next().pos;
            let returns = self.specifiers()?.ty;
            let returns = self.pointers(returns)?;
            let function =
                self.function_rest(Name::from("operator cast"), FunctionKind::Device, template, returns, pos)?;
            body.methods.push(Rc::new(function));
            return Ok(());
        }
        let s = self.specifiers()?;
        if s.declares && self.eat(";") {
            // The members of an unnamed struct or union are members of this one.
            if let TypeKind::Named(path) = &s.ty.kind {
                let (name, pos) = (path.last().clone(), s.ty.pos);
                if name.starts_with("(struct") {
                    let storage = Storage::Automatic;
                    body.fields.push(Variable { name, ty: s.ty.clone(), storage, init: None, pos, align: None });
                }
            }
            return Ok(());
        }
        if self.is(":") || self.peek_at(1).is(":") && self.peek().ident().is_some() {
            return self.bit_fields(&s, body);
        }
        let save = self.at;
        let ty = self.pointers(s.ty.clone())?;
        let pos = self.pos();
        let name = if self.eat_word("operator") { Some(self.operator_name()?) } else { self.peek().ident().cloned() };
        let is_operator = name.as_ref().is_some_and(|n| n.starts_with("operator"));
        if let Some(name) = name.filter(|_| is_operator || self.peek_at(1).is("(")) {
            if !is_operator {
                self.next();
            }
            if !template.is_empty() {
                self.templates.insert(name.clone());
            }
            let mut function = self.function_rest(name, FunctionKind::Device, template, ty, pos)?;
            function.is_static = s.is_static;
            function.is_virtual = s.is_virtual;
            if self.tokens[self.at.saturating_sub(2)].is_ident("default") {
                return Ok(());
            }
            body.methods.push(Rc::new(function));
            return Ok(());
        }
        self.at = save;
        let mut fields = self.variables(&s)?;
        if s.is_static {
            fields.iter_mut().for_each(|f| f.storage = Storage::Static);
        }
        self.require(";", "after the member")?;
        body.fields.extend(fields);
        Ok(())
    }

    /// The number of specifiers before `Name(` if a constructor of the class follows.
    fn constructor_ahead(&self, class: &Name) -> Option<usize> {
        let mut ahead = 0;
        while self.peek_at(ahead).ident().is_some_and(|n| names::is_specifier(n) && !names::is_arithmetic(n)) {
            ahead += 1;
        }
        (self.peek_at(ahead).ident() == Some(class) && self.peek_at(ahead + 1).is("(")).then_some(ahead + 1)
    }

    /// Whether a conversion operator, `operator T()`, follows.
    fn conversion_ahead(&self) -> bool {
        let mut ahead = 0;
        while self.peek_at(ahead).ident().is_some_and(|n| names::is_specifier(n) && !names::is_arithmetic(n)) {
            ahead += 1;
        }
        self.peek_at(ahead).is_ident("operator") && self.type_at(ahead + 1)
    }

    /// Parses the parameters, member initialisers and body of a function whose name was read.
    pub(crate) fn function_rest(
        &mut self,
        name: Name,
        kind: FunctionKind,
        template: Vec<TemplateParam>,
        returns: crate::syntax::ast::TypeExpr,
        pos: crate::syntax::token::Pos,
    ) -> Parsed<Function> {
        let mut function = Function { kind, ..Function::new(name, template, returns, pos) };
        self.scoped(|p| p.function_parts(&mut function))?;
        Ok(function)
    }

    fn function_parts(&mut self, function: &mut Function) -> Parsed<()> {
        function.params = self.params()?;
        function.params.iter().for_each(|p| self.assume_type(&p.ty));
        loop {
            if self.eat("->") {
                function.returns = self.type_name()?;
                if matches!(function.returns.kind, TypeKind::Decltype(_)) {
                    function.returns.kind = TypeKind::Auto;
                }
            } else if self.is_word("__launch_bounds__") || self.is_word("__attribute__") || self.is_word("noexcept") {
                self.next();
                if self.is("(") {
                    self.skip_balanced();
                }
            } else if !["const", "volatile", "override", "final"].iter().any(|w| self.eat_word(w)) {
                break;
            }
        }
        if self.eat(":") {
            loop {
                let member = self.path_of(true)?.last().clone();
                let close = if self.is("{") { "}" } else { ")" };
                self.next();
                function.member_inits.push((member, self.arguments(close)?));
                if !self.eat(",") {
                    break;
                }
            }
        }
        if self.eat("=") {
            // `= default;`, `= delete;`, `= 0;`
            self.next();
        }
        if self.is("{") {
            function.body = Some(self.block()?);
        } else {
            self.require(";", "after the function")?;
        }
        Ok(())
    }

    /// Parses `template <typename T, int N = 4>`.
    pub(crate) fn template_params(&mut self) -> Parsed<Vec<TemplateParam>> {
        self.next();
        self.template_params_rest()
    }

    /// Parses `<typename T, int N = 4>`.
    pub(crate) fn template_params_rest(&mut self) -> Parsed<Vec<TemplateParam>> {
        self.require("<", "after `template`")?;
        self.in_angle(Self::template_params_within)
    }

    fn template_params_within(&mut self) -> Parsed<Vec<TemplateParam>> {
        let mut params = Vec::new();
        while !matches!(self.peek().tok, Tok::Punct(">" | ">>")) {
            if params.len() >= PARAMS_MAX {
                return self.refuse("fewer template parameters", "split the template");
            }
            params.push(self.template_param()?);
            if !self.eat(",") {
                break;
            }
        }
        Ok(params)
    }

    fn template_param(&mut self) -> Parsed<TemplateParam> {
        if self.is_word("template") {
            // A template as argument is known by its name.
            self.nested(Self::template_params)?;
            self.next();
            let name = self.name("the name of the template")?;
            self.templates.insert(name.clone());
            self.types.insert(name.clone());
            let value = Some(Self::plain_type(TypeKind::Auto, self.pos()));
            let default = if self.eat("=") { Some(TemplateArg::Type(self.type_name()?)) } else { None };
            return Ok(TemplateParam { name, value, default, pack: false });
        }
        let is_type = (self.is_word("typename") || self.is_word("class")) && !(self.peek_at(2).is("::"));
        if is_type {
            self.next();
            let pack = self.eat("...");
            let name = self.peek().ident().cloned().unwrap_or_else(|| Name::from("(type)"));
            if self.peek().ident().is_some() {
                self.next();
            }
            self.types.insert(name.clone());
            let default = if self.eat("=") { Some(TemplateArg::Type(self.type_name()?)) } else { None };
            return Ok(TemplateParam { name, value: None, default, pack });
        }
        let s = self.specifiers()?;
        let pack = self.eat("...");
        let (name, ty) = self.declarator(s.ty)?;
        let name = name.unwrap_or_else(|| Name::from("(value)"));
        // The name now means a value, even if it is a type elsewhere in the file.
        self.types.remove(&name);
        let default: Option<Expr> = if self.eat("=") { Some(self.ternary()?) } else { None };
        Ok(TemplateParam { name, value: Some(ty), default: default.map(TemplateArg::Value), pack })
    }
}
