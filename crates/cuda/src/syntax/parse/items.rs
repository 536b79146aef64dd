//! Parses a file: device code is parsed, host code is skipped and listed.

use crate::syntax::ast::{Function, FunctionKind, Init, StmtKind, Storage, Struct, TypeKind};
use crate::syntax::parse::{names, Parsed, Parser};
use crate::syntax::preprocess::UNROLL;
use crate::syntax::token::{Name, Pos, TextFault, Tok};
use std::rc::Rc;

/// Number of faults after which the rest of a file is not parsed.
const FAULTS_MAX: usize = 20;

impl Parser {
    pub(crate) fn file(&mut self) -> Vec<TextFault> {
        let mut faults = Vec::new();
        while self.peek().tok != Tok::End && faults.len() < FAULTS_MAX {
            let start = self.at;
            self.too_deep = None;
            if let Err(fault) = self.item() {
                faults.push(self.too_deep.take().unwrap_or(fault));
                (self.depth, self.angle) = (0, false);
                self.at = start;
                self.skip_item();
            }
            if self.at == start {
                self.next();
            }
        }
        faults
    }

    fn item(&mut self) -> Parsed<()> {
        self.skip_attributes();
        let word = self.peek().ident().cloned();
        match word.as_deref() {
            _ if self.eat(";") || self.eat("}") => Ok(()),
            Some(UNROLL) => {
                self.at += 1;
                Ok(())
            }
            Some("namespace") => self.namespace(),
            Some("inline") if self.peek_at(1).is_ident("namespace") => {
                self.next();
                self.namespace()
            }
            Some("extern") if matches!(self.peek_at(1).tok, Tok::Str(_)) && self.peek_at(2).is("{") => {
                self.at += 3;
                Ok(())
            }
            Some("using" | "typedef") => self.alias_item(),
            Some("template") => self.template_item(),
            Some("static_assert") => {
                self.skip_item();
                Ok(())
            }
            _ if self.mentions_device() => self.device_item(Vec::new()),
            _ => self.host_item(),
        }
    }

    /// Parses the content of a namespace as if it stood outside, because names are looked up by their last part.
    fn namespace(&mut self) -> Parsed<()> {
        self.next();
        while self.peek().ident().is_some() || self.is("::") {
            self.next();
        }
        if self.eat("=") {
            while !self.eat(";") && self.peek().tok != Tok::End {
                self.next();
            }
            return Ok(());
        }
        self.require("{", "after the namespace's name")
    }

    fn alias_item(&mut self) -> Parsed<()> {
        let start = self.at;
        match self.alias_statement() {
            Ok(StmtKind::Aliases(all)) => {
                self.unit.aliases.extend(all.into_iter().map(|(name, ty)| (name, Rc::default(), ty)));
            }
            Ok(_) => {}
            // A `typedef` of something that only the host knows.
            Err(_) => {
                let pos = self.tokens[start].pos;
                self.at = start;
                self.skip_item();
                self.unit.skipped.push((pos, "a type of the host".into()));
            }
        }
        Ok(())
    }

    fn template_item(&mut self) -> Parsed<()> {
        let start = self.at;
        if !self.peek_at(1).is("<") {
            // An explicit instantiation declares nothing new.
            self.skip_item();
            return Ok(());
        }
        let host = |p: &mut Self| {
            let pos = p.tokens[start].pos;
            p.at = start;
            let name = p.skip_item();
            p.skipped(pos, name);
            Ok(())
        };
        let Ok(template) = self.template_params() else { return host(self) };
        if self.is_word("template") {
            // A method template of a class template.
            return host(self);
        }
        let is_struct = ["struct", "class", "union"].iter().any(|w| self.is_word(w));
        if is_struct && !self.mentions_device_function() {
            if let Some(name) = self.peek_at(1).ident().cloned() {
                self.templates.insert(name);
            }
            let device = self.tokens[self.at..]
                .iter()
                .take_while(|t| t.tok != Tok::End)
                .take(4000)
                .any(|t| t.is_ident("__device__"));
            let (enums, functions) = (self.unit.enums.len(), self.unit.functions.len());
            let outer = self.enclose(&template);
            let declared = self.elaborated();
            self.enclosing = outer;
            return match declared {
                Ok((kind, false)) => {
                    if let TypeKind::Named(path) = kind {
                        let name = path.last().clone();
                        self.unit.declared.push(Rc::new(Struct { name, template, ..Struct::default() }));
                    }
                    self.require(";", "after the struct")
                }
                Ok((_, true)) => {
                    // The friends of a class template have its parameters.
                    for friend in self.unit.functions[functions..].iter_mut().filter_map(Rc::get_mut) {
                        friend.template.splice(0..0, template.iter().cloned());
                    }
                    if let Some(last) = self.unit.structs.pop() {
                        let mut body = (*last).clone();
                        body.template = template;
                        self.enums_to_members(&mut body, enums);
                        self.unit.structs.push(Rc::new(body));
                    }
                    self.require(";", "after the struct")
                }
                Err(fault) if device => Err(fault),
                Err(_) => host(self),
            };
        }
        if self.is_word("using") {
            self.next();
            let name = self.name("the name of the type")?;
            self.templates.insert(name.clone());
            self.types.insert(name.clone());
            self.require("=", "after the name of the type")?;
            let ty = self.type_name()?;
            self.unit.aliases.push((name, Rc::new(template), ty));
            return self.require(";", "after the type");
        }
        if self.mentions_device() {
            return self.device_item(template);
        }
        match self.attempt(|p| p.constant_template(&template)) {
            Some(()) => Ok(()),
            None => host(self),
        }
    }

    /// Parses a `constexpr` variable or function template without `__device__`. A variable becomes a function without
    /// parameters.
    fn constant_template(&mut self, template: &[crate::syntax::ast::TemplateParam]) -> Parsed<()> {
        let pos = self.pos();
        let s = self.specifiers()?;
        let returns = self.pointers(s.ty.clone())?;
        let name = self.name("a name")?;
        if s.storage != Storage::Constexpr {
            return self.fault("a constant", "");
        }
        self.templates.insert(name.clone());
        let function = self.template_rest(name, template.to_vec(), returns, pos)?;
        self.unit.functions.push(Rc::new(function));
        Ok(())
    }

    /// Parses what follows the name of a constant or of a function.
    fn template_rest(
        &mut self,
        name: Name,
        template: Vec<crate::syntax::ast::TemplateParam>,
        returns: crate::syntax::ast::TypeExpr,
        pos: Pos,
    ) -> Parsed<Function> {
        if self.is("(") {
            return self.function_rest(name, FunctionKind::Device, template, returns, pos);
        }
        let value = match self.initializer()? {
            Some(Init::Value(value)) => value,
            Some(Init::Construct(items, _)) => {
                crate::syntax::ast::Expr { kind: crate::syntax::ast::ExprKind::List(items), pos }
            }
            None => return self.fault("the value of the constant", "add `= value`"),
        };
        self.require(";", "after the declaration")?;
        let body = Some(crate::syntax::ast::Stmt { kind: StmtKind::Return(Some(value)), pos });
        Ok(Function { body, is_static: true, ..Function::new(name, template, returns, pos) })
    }

    /// Whether `__device__` or a similar word stands before the first `(`, `{`, `;` or `=`.
    pub(crate) fn mentions_device(&self) -> bool {
        const WORDS: [&str; 7] =
            ["__global__", "__device__", "__constant__", "__shared__", "__managed__", "texture", "surface"];
        let tokens = &self.tokens[self.at..];
        let mut depth = 0;
        for token in tokens.iter().take(200) {
            match token.tok {
                // Attributes with arguments may stand before the word that matters.
                Tok::Punct("(") => depth += 1,
                Tok::Punct(")") => depth -= 1,
                Tok::Punct("{" | ";" | "=" | "}") | Tok::End if depth == 0 => return false,
                _ => {}
            }
            if depth > 0 {
                continue;
            }
            if let Some(name) = token.ident() {
                if WORDS.contains(&&**name) {
                    return true;
                }
            }
        }
        false
    }

    fn mentions_device_function(&self) -> bool {
        // `struct A` is the return type of a function if a `(` comes before any `{`.
        self.tokens[self.at..].iter().find(|t| t.is("(") || t.is("{") || t.is(";")).is_some_and(|t| t.is("("))
            && self.mentions_device()
    }

    /// Parses a function or a variable of the device.
    pub(crate) fn device_item(&mut self, template: Vec<crate::syntax::ast::TemplateParam>) -> Parsed<()> {
        let start = self.at;
        let s = self.specifiers()?;
        if s.declares && self.eat(";") {
            return Ok(());
        }
        if self.is("::") && self.peek_at(1).is("~") {
            self.skip_item();
            return Ok(());
        }
        if let TypeKind::Named(path) = &s.ty.kind {
            // A constructor outside of its class, `A<T>::A(…)`.
            if let ([.., (class, _), (name, None)], true) = (&path.parts[..], self.is("(")) {
                if class == name {
                    let (class, pos) = (class.clone(), s.ty.pos);
                    let void = Self::plain_type(TypeKind::Scalar(crate::syntax::ast::Scalar::Void), pos);
                    let mut function = self.function_rest(class.clone(), FunctionKind::Device, template, void, pos)?;
                    function.owner = Some(class);
                    self.unit.functions.push(Rc::new(function));
                    return Ok(());
                }
            }
        }
        let save = self.at;
        let mut ty = self.pointers(s.ty.clone())?;
        while self.peek().ident().is_some_and(|n| n.starts_with("__") && names::is_specifier(n)) {
            self.next();
            if self.is("(") {
                self.skip_balanced();
            }
            ty = self.pointers(ty)?;
        }
        let pos = self.pos();
        let (owner, name) = self.function_name()?;
        let specialised =
            if self.is("<") && self.templates.contains(&name) { Some(Rc::new(self.template_args()?)) } else { None };
        if !self.is("(") {
            if s.kernel {
                return self.fault("`(` before the kernel's parameters", "a kernel is `__global__ void name(…) { … }`");
            }
            if !template.is_empty() && (self.is("[") || self.is(";")) {
                self.templates.insert(name);
                self.at = save;
                let variables = self.variables(&s)?;
                self.require(";", "after the declaration")?;
                self.unit.global_templates.extend(variables.into_iter().map(|v| (Rc::new(v), template.clone())));
                return Ok(());
            }
            if !template.is_empty() {
                self.templates.insert(name.clone());
                let function = self.template_rest(name, template, ty, pos)?;
                self.unit.functions.push(Rc::new(function));
                return Ok(());
            }
            self.at = save;
            let variables = self.variables(&s)?;
            self.require(";", "after the declaration")?;
            self.unit.globals.extend(variables.into_iter().map(Rc::new));
            return Ok(());
        }
        let is_texture =
            matches!(&s.ty.kind, TypeKind::Named(p) if &**p.last() == "texture" || &**p.last() == "surface");
        if is_texture && matches!(ty.kind, TypeKind::Reference(_)) {
            // A host function that returns a texture.
            self.at = start;
            let name = self.skip_item();
            self.skipped(pos, name);
            return Ok(());
        }
        if is_texture || s.storage == Storage::Constant {
            self.at = save;
            let variables = self.variables(&s)?;
            self.require(";", "after the declaration")?;
            self.unit.globals.extend(variables.into_iter().map(Rc::new));
            return Ok(());
        }
        if !template.is_empty() || specialised.is_some() {
            self.templates.insert(name.clone());
        }
        let kind = if s.kernel { FunctionKind::Kernel } else { FunctionKind::Device };
        let mut function = self.function_rest(name, kind, template, ty, pos)?;
        function.owner = owner;
        function.specialised = specialised;
        self.unit.functions.push(Rc::new(function));
        Ok(())
    }

    /// Parses `f`, `A::f`, `A<T>::f` or `operator+`.
    fn function_name(&mut self) -> Parsed<(Option<Name>, Name)> {
        let mut owner = None;
        loop {
            if self.eat_word("operator") {
                return Ok((owner, self.operator_name()?));
            }
            let name = self.name("the name of a function or variable")?;
            if self.is("<") && self.types.contains(&name) {
                self.template_args()?;
            }
            if !self.eat("::") {
                return Ok((owner, name));
            }
            owner = Some(name);
        }
    }

    /// Keeps constants, structs and enums that can be parsed, and skips everything else.
    fn host_item(&mut self) -> Parsed<()> {
        let (start, pos) = (self.at, self.pos());
        let word = self.peek().ident().cloned();
        let kept = match word.as_deref() {
            Some("struct" | "class" | "union" | "enum" | "static" | "const" | "constexpr" | "inline" | "__host__") => {
                true
            }
            Some(word) => names::is_arithmetic(word) || self.types.contains(word),
            None => false,
        };
        if kept {
            let counts = (self.unit.structs.len(), self.unit.enums.len());
            match self.attempt(Self::plain_item) {
                Some(()) => return Ok(()),
                None => {
                    // A fault in a struct that holds device code must be reported.
                    let end = self.item_end();
                    if self.tokens[start..end].iter().any(|t| t.is_ident("__device__"))
                        && matches!(word.as_deref(), Some("struct" | "class" | "union"))
                    {
                        return self.plain_item();
                    }
                    self.unit.structs.truncate(counts.0);
                    self.unit.enums.truncate(counts.1);
                }
            }
        }
        let name = self.skip_item();
        self.skipped(pos, name);
        Ok(())
    }

    /// Parses a struct, an enum, a global constant or a `constexpr` function.
    fn plain_item(&mut self) -> Parsed<()> {
        let start_pos = self.pos();
        let s = self.specifiers()?;
        if self.eat(";") {
            return Ok(());
        }
        let save = self.at;
        let ty = self.pointers(s.ty.clone())?;
        if let Some(name) = self.peek().ident().cloned().filter(|_| self.peek_at(1).is("(")) {
            if s.storage != Storage::Constexpr {
                return self.fault("device code", "");
            }
            self.next();
            let function = self.function_rest(name, FunctionKind::Device, Vec::new(), ty, start_pos)?;
            self.unit.functions.push(Rc::new(function));
            return Ok(());
        }
        if self.is_word("operator") {
            // In old code, operators of vectors have no `__device__`.
            let (_, name) = self.function_name()?;
            let function = self.function_rest(name, FunctionKind::Device, Vec::new(), ty, start_pos)?;
            self.unit.functions.push(Rc::new(function));
            return Ok(());
        }
        self.at = save;
        let variables = self.variables(&s)?;
        self.require(";", "after the declaration")?;
        for variable in variables {
            let constant = variable.ty.constant && matches!(variable.init, Some(Init::Value(_) | Init::Construct(..)));
            if constant {
                self.unit.globals.push(Rc::new(variable));
            } else {
                self.unit.skipped.push((variable.pos, format!("variable `{}` of the host", variable.name)));
            }
        }
        Ok(())
    }

    fn skipped(&mut self, pos: Pos, name: Option<Name>) {
        let what = match name {
            Some(name) => format!("`{name}` of the host"),
            None => "code of the host".into(),
        };
        self.unit.skipped.push((pos, what));
    }

    /// The index of the token after this item.
    fn item_end(&mut self) -> usize {
        let start = self.at;
        self.skip_item();
        std::mem::replace(&mut self.at, start)
    }

    /// Skips a part in braces without regard to other brackets.
    fn skip_braces(&mut self) {
        let mut depth = 0;
        loop {
            match self.peek().tok {
                Tok::Punct("{") => depth += 1,
                Tok::Punct("}") => depth -= 1,
                Tok::End => return,
                _ => {}
            }
            self.next();
            if depth <= 0 {
                return;
            }
        }
    }

    /// Skips to the end of a declaration or function and notes launches in it. Returns the name before its first `(`.
    pub(crate) fn skip_item(&mut self) -> Option<Name> {
        let start = self.at;
        let mut name = None;
        let mut structs = false;
        loop {
            match self.peek().tok.clone() {
                Tok::End | Tok::Punct("}") => break,
                Tok::Punct(";") => {
                    self.next();
                    break;
                }
                Tok::Punct("(" | "[") => {
                    if name.is_none() && self.at > start {
                        name = self.tokens[self.at - 1].ident().cloned();
                    }
                    self.skip_balanced();
                }
                Tok::Punct("{") => {
                    self.skip_braces();
                    if structs || self.is(";") || self.is("=") || self.is(",") {
                        continue;
                    }
                    break;
                }
                Tok::Ident(word) => {
                    structs |=
                        name.is_none() && matches!(&*word, "struct" | "class" | "union" | "enum") && self.at == start;
                    // A parameter that is a template stands behind `<` or a comma.
                    let begins = self.peek().starts_line && matches!(&*word, "__global__" | "template");
                    if self.at > start && begins && !matches!(self.tokens[self.at - 1].tok, Tok::Punct("<" | ",")) {
                        break;
                    }
                    self.next();
                }
                _ => {
                    self.next();
                }
            }
        }
        let launches: Vec<(Pos, Name)> = (start + 1..self.at)
            .filter(|&i| self.tokens[i].is("<<<"))
            .filter_map(|i| self.tokens[i - 1].ident().map(|n| (self.tokens[i].pos, n.clone())))
            .collect();
        self.unit.host_launches.extend(launches);
        name
    }
}
