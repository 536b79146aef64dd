//! Parses statements.

use crate::syntax::ast::{Expr, ExprKind, ForLoop, Function, FunctionKind, Stmt, StmtKind, TypeKind};
use crate::syntax::parse::{names, Parsed, Parser};
use crate::syntax::preprocess::UNROLL;
use crate::syntax::token::{Name, Tok};
use std::rc::Rc;

/// Most tokens of template arguments that the parser looks ahead.
const ARGUMENTS_MAX: usize = 200;

impl Parser {
    pub(crate) fn block(&mut self) -> Parsed<Stmt> {
        let pos = self.pos();
        self.require("{", "at the start of the block")?;
        let mut body = Vec::new();
        while !self.is("}") {
            if self.peek().tok == Tok::End {
                return self.fault("`}` at the end of the block", "add `}`");
            }
            let (start, state) = (self.at, (self.depth, self.angle));
            match self.statement() {
                Ok(statement) => body.push(statement),
                Err(fault) if !self.host => return Err(fault),
                Err(_) => {
                    (self.at, (self.depth, self.angle)) = (start, state);
                    self.skip_item();
                    if self.at == start {
                        self.next();
                    }
                }
            }
        }
        self.next();
        Ok(Stmt { kind: StmtKind::Block(body), pos })
    }

    pub(crate) fn statement(&mut self) -> Parsed<Stmt> {
        self.nested(|p| {
            let pos = p.pos();
            p.statement_kind().map(|kind| Stmt { kind, pos })
        })
    }

    fn statement_kind(&mut self) -> Parsed<StmtKind> {
        if self.eat(";") {
            return Ok(StmtKind::Empty);
        }
        if self.is("{") {
            return self.block().map(|block| block.kind);
        }
        let Some(word) = self.peek().ident().cloned() else { return self.expression_statement() };
        match &*word {
            UNROLL => self.unrolled(),
            "if" => self.if_statement(),
            "for" => self.for_statement(None),
            "while" => {
                self.next();
                let condition = self.condition("while")?;
                Ok(StmtKind::While(condition, Box::new(self.statement()?)))
            }
            "do" => self.do_statement(),
            "switch" => {
                self.next();
                let value = self.condition("switch")?;
                Ok(StmtKind::Switch(value, Box::new(self.statement()?)))
            }
            "case" => {
                self.next();
                let value = self.ternary()?;
                self.require(":", "after the case")?;
                Ok(StmtKind::Case(value))
            }
            "default" => {
                self.next();
                self.require(":", "after `default`")?;
                Ok(StmtKind::Default)
            }
            "break" | "continue" => {
                self.next();
                self.require(";", &format!("after `{word}`"))?;
                Ok(if &*word == "break" { StmtKind::Break } else { StmtKind::Continue })
            }
            "return" => {
                self.next();
                let value = if self.is(";") { None } else { Some(self.return_value()?) };
                self.require(";", "after `return`")?;
                Ok(StmtKind::Return(value))
            }
            "goto" => {
                self.next();
                let label = self.name("a label")?;
                self.require(";", "after the label")?;
                Ok(StmtKind::Goto(label))
            }
            "using" | "namespace" | "typedef" => self.alias_statement(),
            "else" => self.refuse("a statement", "this `else` has no `if`: check the braces and `;` before it"),
            "static_assert" => {
                self.next();
                self.skip_balanced();
                self.require(";", "after the assertion")?;
                Ok(StmtKind::Nothing)
            }
            "__global__" => self.refuse("`}` before the next kernel", "the function before is not closed"),
            _ if self.peek_at(1).is(":") && !names::is_keyword(&word) => {
                self.at += 2;
                Ok(StmtKind::Label(word))
            }
            _ if self.declaration_begins() => {
                let s = self.specifiers()?;
                if s.declares && self.eat(";") {
                    return Ok(StmtKind::Nothing);
                }
                let variables = self.variables(&s)?;
                self.require(";", "after the declaration")?;
                Ok(StmtKind::Variables(variables))
            }
            _ => self.expression_statement(),
        }
    }

    fn return_value(&mut self) -> Parsed<Expr> {
        if self.is("{") {
            return self.initial_value();
        }
        self.expression()
    }

    fn expression_statement(&mut self) -> Parsed<StmtKind> {
        let expr = self.expression()?;
        self.require(";", "after the statement")?;
        Ok(StmtKind::Expr(expr))
    }

    /// Whether a declaration of variables begins here.
    fn declaration_begins(&self) -> bool {
        let Some(first) = self.peek().ident() else { return false };
        if names::is_arithmetic(first) {
            // `int(x);` is an expression.
            return !self.peek_at(1).is("(") || self.peek_at(2).is("*") || self.peek_at(2).is("&");
        }
        if names::is_specifier(first) {
            return true;
        }
        if self.at_type() {
            let after = self.peek_at(1);
            return after.ident().is_some_and(|n| !names::is_keyword(n) || &**n == "const")
                || after.is("*")
                || after.is("&")
                || after.is("<") && !self.static_call_begins()
                || after.is("::");
        }
        // `Unknown name …` is a declaration. Lowering reports the unknown type.
        let second = self.peek_at(1);
        if second.is("<") || second.is("::") {
            return self.template_declares();
        }
        second.ident().is_some_and(|n| !names::is_keyword(n)) && {
            let third = self.peek_at(2);
            let same_line = second.pos.line == self.pos().line && third.pos.line == second.pos.line;
            same_line && (third.is("=") || third.is(";") || third.is("["))
        }
    }

    /// Whether `Unknown<arguments> name;` follows, perhaps with `a::` before it.
    fn template_declares(&self) -> bool {
        let mut start = 1;
        while self.peek_at(start).is("::") && self.peek_at(start + 1).ident().is_some() {
            start += 2;
        }
        let mut depth = 0;
        for i in start..start + ARGUMENTS_MAX {
            let token = self.peek_at(i);
            depth += match token.tok {
                Tok::Punct("<") => 1,
                Tok::Punct(">") => -1,
                Tok::Punct(">>") => -2,
                Tok::Punct(";" | "{" | "&&" | "||") | Tok::End => return false,
                _ => 0,
            };
            if depth <= 0 {
                let (name, after) = (self.peek_at(i + 1), self.peek_at(i + 2));
                return i > start
                    && name.ident().is_some_and(|n| !names::is_keyword(n))
                    && (after.is(";") || after.is("="));
            }
        }
        false
    }

    /// Whether `Type<arguments>::function(` follows, a call of a static function of a class template.
    fn static_call_begins(&self) -> bool {
        let mut depth = 0;
        for i in 1..ARGUMENTS_MAX {
            let token = self.peek_at(i);
            depth += match token.tok {
                Tok::Punct("<") => 1,
                Tok::Punct(">") => -1,
                Tok::Punct(">>") => -2,
                Tok::Punct(";" | "{") | Tok::End => return false,
                _ => 0,
            };
            if depth <= 0 {
                return self.peek_at(i + 1).is("::")
                    && self.peek_at(i + 2).ident().is_some()
                    && self.peek_at(i + 3).is("(");
            }
        }
        false
    }

    fn condition(&mut self, what: &str) -> Parsed<Expr> {
        self.require("(", &format!("after `{what}`"))?;
        let condition = self.expression()?;
        self.require(")", &format!("after the condition of `{what}`"))?;
        Ok(condition)
    }

    fn if_statement(&mut self) -> Parsed<StmtKind> {
        self.next();
        self.eat_word("constexpr");
        self.require("(", "after `if`")?;
        let pos = self.pos();
        let mut init = Stmt { kind: StmtKind::Empty, pos };
        if self.declaration_begins() {
            let s = self.specifiers()?;
            let variables = self.variables(&s)?;
            let name = variables[0].name.clone();
            init.kind = StmtKind::Variables(variables);
            if !self.eat(";") {
                // `if (int x = f())`: the variable is the condition.
                self.require(")", "after the condition of `if`")?;
                let condition = Expr { kind: ExprKind::Name(crate::syntax::ast::Path::simple(name)), pos };
                return self.branches(init, condition);
            }
        }
        let condition = self.expression()?;
        self.require(")", "after the condition of `if`")?;
        self.branches(init, condition)
    }

    fn branches(&mut self, init: Stmt, condition: Expr) -> Parsed<StmtKind> {
        let yes = self.statement()?;
        let no = if self.eat_word("else") { Some(Box::new(self.statement()?)) } else { None };
        Ok(StmtKind::If(Box::new(init), condition, Box::new(yes), no))
    }

    fn unrolled(&mut self) -> Parsed<StmtKind> {
        self.next();
        let Tok::Int(count) = self.next().tok else { return Ok(StmtKind::Nothing) };
        if self.is_word("for") {
            return self.for_statement(Some(count.value));
        }
        // A pragma before another statement is ignored.
        Ok(StmtKind::Nothing)
    }

    fn for_statement(&mut self, unroll: Option<u64>) -> Parsed<StmtKind> {
        self.next();
        self.require("(", "after `for`")?;
        let pos = self.pos();
        let init = if self.eat(";") {
            StmtKind::Empty
        } else if self.declaration_begins() {
            let s = self.specifiers()?;
            let variables = self.variables(&s)?;
            self.require(";", "after the start of the loop")?;
            StmtKind::Variables(variables)
        } else {
            let expr = self.expression()?;
            self.require(";", "after the start of the loop")?;
            StmtKind::Expr(expr)
        };
        let condition = if self.is(";") { None } else { Some(self.expression()?) };
        self.require(";", "after the condition of the loop")?;
        let step = if self.is(")") { None } else { Some(self.expression()?) };
        self.require(")", "after the step of the loop")?;
        let body = self.statement()?;
        Ok(StmtKind::For(Box::new(ForLoop { init: Stmt { kind: init, pos }, condition, step, body, unroll })))
    }

    fn do_statement(&mut self) -> Parsed<StmtKind> {
        self.next();
        let body = Box::new(self.statement()?);
        if !self.eat_word("while") {
            return self.fault("`while` after the body of `do`", "add `while (condition);`");
        }
        let condition = self.condition("while")?;
        self.require(";", "after the condition")?;
        Ok(StmtKind::DoWhile(body, condition))
    }

    /// Parses `typedef`, `using a = b`, `using namespace a` or `namespace a = b`.
    pub(crate) fn alias_statement(&mut self) -> Parsed<StmtKind> {
        let word = self.next();
        if word.is_ident("typedef") {
            let s = self.specifiers()?;
            let (name, ty) = self.declarator(s.ty)?;
            let Some(name) = name else { return self.fault("the name of the type", "write `typedef type name;`") };
            self.require(";", "after the type")?;
            self.types.insert(name.clone());
            return Ok(StmtKind::Alias(name, ty));
        }
        if word.is_ident("using") && !self.is_word("namespace") && self.peek_at(1).is("=") {
            let name = self.name("the name of the type")?;
            self.next();
            let ty = self.type_name()?;
            self.require(";", "after the type")?;
            self.types.insert(name.clone());
            return Ok(StmtKind::Alias(name, ty));
        }
        while !self.is(";") && self.peek().tok != Tok::End {
            self.next();
        }
        self.require(";", "after `using`")?;
        Ok(StmtKind::Nothing)
    }

    /// Parses `[=] (int x) { … }`. Captures need no values because lambdas are inlined.
    pub(crate) fn lambda(&mut self) -> Parsed<Expr> {
        let pos = self.pos();
        self.skip_balanced();
        while self.is_word("__device__") || self.is_word("__host__") {
            self.next();
        }
        let params = if self.is("(") { self.params()? } else { Vec::new() };
        self.eat_word("mutable");
        let mut returns = Self::plain_type(TypeKind::Auto, pos);
        if self.eat("->") {
            returns = self.type_name()?;
        }
        if !self.is("{") {
            return self.fault("the body of the lambda", "an expression cannot begin with `[`");
        }
        let body = Some(self.block()?);
        let function = Function {
            name: Name::from("lambda"),
            kind: FunctionKind::Device,
            owner: None,
            template: Vec::new(),
            specialised: None,
            params,
            returns,
            member_inits: Vec::new(),
            body,
            is_static: true,
            pos,
        };
        Ok(Expr { kind: ExprKind::Lambda(Rc::new(function)), pos })
    }
}
