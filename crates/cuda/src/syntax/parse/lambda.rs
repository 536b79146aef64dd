//! Parses lambdas, statements as expressions, and folds of packs.

use crate::syntax::ast::{BinaryOp, Expr, ExprKind, Function, Init, StmtKind, TypeKind};
use crate::syntax::parse::{Parsed, Parser};
use crate::syntax::token::{Name, Pos, Tok};
use std::rc::Rc;

/// Most tokens of a fold expression before its `...`.
const FOLD_MAX: usize = 60;

fn at(kind: ExprKind, pos: Pos) -> Expr {
    Expr { kind, pos }
}

impl Parser {
    /// Parses `({ …; x; })`, a block with the value of its last statement, as a function that is called at once.
    pub(crate) fn statement_expression(&mut self, pos: Pos) -> Parsed<Expr> {
        self.next();
        let mut body = self.nested(Self::block)?;
        self.require(")", "after the block")?;
        if let StmtKind::Block(all) = &mut body.kind {
            if let Some(last) = all.last_mut() {
                if let StmtKind::Expr(value) = &last.kind {
                    last.kind = StmtKind::Return(Some(value.clone()));
                }
            }
        }
        let returns = Self::plain_type(TypeKind::Auto, pos);
        let lambda = Function {
            body: Some(body),
            is_static: true,
            ..Function::new(Name::from("lambda"), Vec::new(), returns, pos)
        };
        let callee = at(ExprKind::Lambda(Rc::new(lambda)), pos);
        Ok(at(ExprKind::Call(Box::new(callee), Vec::new()), pos))
    }

    /// Parses `... + x)`, `x + ...)` or `x + ... + y)`, whose `(` was read.
    pub(crate) fn fold(&mut self, pos: Pos) -> Parsed<Option<Expr>> {
        let mut ahead = 0;
        let mut depth = 0;
        // A fold has `...` outside of inner brackets.
        loop {
            let token = self.peek_at(ahead);
            match token.tok {
                Tok::Punct("(" | "[" | "{") => depth += 1,
                Tok::Punct(")" | "]" | "}") if depth == 0 => return Ok(None),
                Tok::Punct(")" | "]" | "}") => depth -= 1,
                Tok::Punct("...") if depth == 0 => break,
                Tok::Punct(";") | Tok::End => return Ok(None),
                _ => {}
            }
            ahead += 1;
            if ahead > FOLD_MAX {
                return Ok(None);
            }
        }
        let first = if self.is("...") { None } else { Some(self.unary()?) };
        let mut op = BinaryOp::Add;
        if first.is_some() {
            op = self.fold_operator()?;
        }
        self.require("...", "in the fold")?;
        let second = if self.is(")") {
            None
        } else {
            op = self.fold_operator()?;
            Some(self.unary()?)
        };
        self.require(")", "after the fold")?;
        let fold = |pack: Expr, init: Option<Expr>| at(ExprKind::Fold(op, Box::new(pack), init.map(Box::new)), pos);
        match (first, second) {
            (Some(pack), None) | (None, Some(pack)) => Ok(Some(fold(pack, None))),
            (Some(a), Some(b)) => {
                Ok(Some(if matches!(a.kind, ExprKind::Int(_) | ExprKind::Float(..) | ExprKind::Bool(_)) {
                    fold(b, Some(a))
                } else {
                    fold(a, Some(b))
                }))
            }
            _ => self.fault("a value to fold", "name the pack"),
        }
    }

    fn fold_operator(&mut self) -> Parsed<BinaryOp> {
        match self.operator() {
            Some((op, _)) => {
                self.next();
                Ok(op)
            }
            // The comma evaluates each in order.
            None if self.eat(",") => Ok(BinaryOp::LogicalOr),
            None => self.fault("an operator", "a fold has an operator before or after `...`"),
        }
    }

    /// Parses `[=, &a, b, c = 2 * d]`. The names captured by value have values, `=` stands for all of them. Captures by
    /// reference need nothing, because lambdas are inlined.
    fn captures(&mut self) -> Parsed<Vec<(Name, Vec<Expr>)>> {
        let mut captures = Vec::new();
        self.require("[", "before the captures")?;
        while !self.is("]") {
            let pos = self.pos();
            if self.eat("=") {
                captures.push((Name::from("="), Vec::new()));
            } else if self.eat("&") && (self.is(",") || self.is("]")) {
            } else if self.eat("*") || self.is_word("this") {
                self.next();
            } else {
                let reference = self.tokens[self.at - 1].is("&");
                let name = self.name("a captured name")?;
                let value = match self.initializer()? {
                    Some(Init::Value(value)) => Some(value),
                    Some(Init::Construct(mut items, _)) => items.pop(),
                    None if reference => None,
                    None => Some(Expr { kind: ExprKind::Name(crate::syntax::ast::Path::simple(name.clone())), pos }),
                };
                captures.extend(value.map(|value| (name, vec![value])));
            }
            if !self.eat(",") {
                break;
            }
        }
        self.require("]", "after the captures")?;
        Ok(captures)
    }

    /// Parses `[=] (int x) { … }`.
    pub(crate) fn lambda(&mut self) -> Parsed<Expr> {
        let pos = self.pos();
        let member_inits = self.captures()?;
        let words = ["__device__", "__host__", "mutable", "constexpr", "noexcept", "__forceinline__"];
        let template = if self.is("<") { self.template_params_rest()? } else { Vec::new() };
        while words.iter().any(|w| self.eat_word(w)) {}
        let params = if self.is("(") { self.params()? } else { Vec::new() };
        while words.iter().any(|w| self.eat_word(w)) {}
        let mut returns = Self::plain_type(TypeKind::Auto, pos);
        if self.eat("->") {
            returns = self.type_name()?;
        }
        if !self.is("{") {
            return self.fault("the body of the lambda", "an expression cannot begin with `[`");
        }
        let body = Some(self.block()?);
        let function = Function {
            params,
            member_inits,
            body,
            is_static: true,
            ..Function::new(Name::from("lambda"), template, returns, pos)
        };
        Ok(Expr { kind: ExprKind::Lambda(Rc::new(function)), pos })
    }
}
