//! Parses expressions by precedence.

use crate::syntax::ast::{
    BinaryOp, Expr, ExprKind, Init, Path, Scalar, Storage, TypeExpr, TypeKind, UnaryOp, Variable,
};
use crate::syntax::parse::host::LAUNCH;
use crate::syntax::parse::{Parsed, Parser};
use crate::syntax::token::{Pos, TextFault, Tok};
use std::rc::Rc;

fn at(kind: ExprKind, pos: Pos) -> Expr {
    Expr { kind, pos }
}

impl Parser {
    /// Parses an expression, including comma operators.
    pub(crate) fn expression(&mut self) -> Parsed<Expr> {
        let outer = std::mem::replace(&mut self.angle, false);
        let mut left = self.assignment()?;
        let mut chain = 0;
        while self.is(",") {
            chain = self.link(chain)?;
            let pos = self.next().pos;
            let right = self.assignment()?;
            left = at(ExprKind::Comma(Box::new(left), Box::new(right)), pos);
        }
        self.angle = outer;
        Ok(left)
    }

    pub(crate) fn assignment(&mut self) -> Parsed<Expr> {
        self.nested(|p| {
            let left = p.ternary()?;
            let Tok::Punct(sign) = p.peek().tok else { return Ok(left) };
            let op = match sign {
                "=" => None,
                "+=" => Some(BinaryOp::Add),
                "-=" => Some(BinaryOp::Sub),
                "*=" => Some(BinaryOp::Mul),
                "/=" => Some(BinaryOp::Div),
                "%=" => Some(BinaryOp::Rem),
                "&=" => Some(BinaryOp::And),
                "|=" => Some(BinaryOp::Or),
                "^=" => Some(BinaryOp::Xor),
                "<<=" => Some(BinaryOp::Shl),
                ">>=" => Some(BinaryOp::Shr),
                _ => return Ok(left),
            };
            let pos = p.next().pos;
            let right = if p.is("{") { p.initial_value()? } else { p.assignment()? };
            Ok(at(ExprKind::Assign(op, Box::new(left), Box::new(right)), pos))
        })
    }

    pub(crate) fn ternary(&mut self) -> Parsed<Expr> {
        let condition = self.binary(0)?;
        if !self.is("?") {
            return Ok(condition);
        }
        let pos = self.next().pos;
        let outer = std::mem::replace(&mut self.angle, false);
        let yes = self.expression()?;
        self.angle = outer;
        self.require(":", "after the first value of `?`")?;
        let no = self.assignment()?;
        Ok(at(ExprKind::Ternary(Box::new(condition), Box::new(yes), Box::new(no)), pos))
    }

    pub(crate) fn operator(&self) -> Option<(BinaryOp, u8)> {
        use BinaryOp::*;
        let Tok::Punct(sign) = self.peek().tok else { return None };
        let op = match sign {
            "||" => LogicalOr,
            "&&" => LogicalAnd,
            "|" => Or,
            "^" => Xor,
            "&" => And,
            "==" => Equal,
            "!=" => NotEqual,
            "<" => Less,
            ">" if !self.angle => Greater,
            "<=" => LessEqual,
            ">=" if !self.angle => GreaterEqual,
            "<<" => Shl,
            ">>" if !self.angle => Shr,
            "+" => Add,
            "-" => Sub,
            "*" => Mul,
            "/" => Div,
            "%" => Rem,
            _ => return None,
        };
        Some((op, op.level()))
    }

    /// Counts the operators in a row and reports too many.
    fn link(&self, chain: usize) -> Parsed<usize> {
        if chain >= crate::syntax::parse::CHAIN_MAX {
            return self.refuse("fewer operators in a row", "split the expression");
        }
        Ok(chain + 1)
    }

    fn binary(&mut self, least: u8) -> Parsed<Expr> {
        let mut left = self.unary()?;
        let mut chain = 0;
        while let Some((op, level)) = self.operator().filter(|(_, level)| *level > least) {
            chain = self.link(chain)?;
            let pos = self.next().pos;
            let right = self.nested(|p| p.binary(level))?;
            left = at(ExprKind::Binary(op, Box::new(left), Box::new(right)), pos);
        }
        Ok(left)
    }

    pub(crate) fn unary(&mut self) -> Parsed<Expr> {
        let pos = self.pos();
        let op = match self.peek().tok {
            Tok::Punct("-") => UnaryOp::Minus,
            Tok::Punct("+") => UnaryOp::Plus,
            Tok::Punct("!") => UnaryOp::Not,
            Tok::Punct("~") => UnaryOp::Complement,
            Tok::Punct("*") => UnaryOp::Deref,
            Tok::Punct("&") => UnaryOp::Address,
            Tok::Punct("++") => UnaryOp::PreIncrement,
            Tok::Punct("--") => UnaryOp::PreDecrement,
            Tok::Punct("(") if self.type_at(1) => {
                if let Some(cast) = self.attempt(|p| p.cast(pos)) {
                    return Ok(cast);
                }
                return self.postfix();
            }
            _ => return self.postfix(),
        };
        self.next();
        let inner = self.nested(Self::unary)?;
        Ok(at(ExprKind::Unary(op, Box::new(inner)), pos))
    }

    /// Parses `(T)x` or `(T){…}`.
    fn cast(&mut self, pos: Pos) -> Parsed<Expr> {
        self.require("(", "before the type")?;
        let outer = std::mem::replace(&mut self.angle, false);
        let ty = self.type_name()?;
        self.angle = outer;
        self.require(")", "after the type")?;
        if self.is("{") {
            let list = self.initial_value()?;
            let items = if let ExprKind::List(items) = list.kind { items } else { Vec::new() };
            return Ok(at(ExprKind::Construct(ty, items), pos));
        }
        let inner = self.nested(Self::unary)?;
        Ok(at(ExprKind::Cast(ty, Box::new(inner), false), pos))
    }

    fn postfix(&mut self) -> Parsed<Expr> {
        let mut expr = self.primary()?;
        let mut chain = 0;
        loop {
            let pos = self.pos();
            let Tok::Punct(sign) = self.peek().tok else { return Ok(expr) };
            chain = self.link(chain)?;
            expr = match sign {
                "(" => {
                    self.next();
                    let args = self.arguments(")")?;
                    at(ExprKind::Call(Box::new(expr), args), pos)
                }
                "[" => {
                    self.next();
                    let index = self.expression()?;
                    self.require("]", "after the index")?;
                    at(ExprKind::Index(Box::new(expr), Box::new(index)), pos)
                }
                "." | "->" => {
                    self.next();
                    self.eat_word("template");
                    if self.is("~") {
                        return self.refuse("a member", "destructors are not called by name");
                    }
                    let name =
                        if self.eat_word("operator") { self.operator_name()? } else { self.name("a member's name")? };
                    let args = if self.templates.contains(&name) && self.is("<") {
                        self.attempt(|p| p.template_args()).map(Rc::new)
                    } else {
                        None
                    };
                    if sign == "->" {
                        expr = at(ExprKind::Unary(UnaryOp::Deref, Box::new(expr)), pos);
                    }
                    // `object.Base::member` is that of the base.
                    if self.eat("::") {
                        let base = Self::plain_type(TypeKind::Named(Path { parts: vec![(name, args)] }), pos);
                        let base = Self::plain_type(TypeKind::Reference(Box::new(base)), pos);
                        let member = self.name("a member's name")?;
                        let of_base = at(ExprKind::Cast(base, Box::new(expr), false), pos);
                        expr = at(ExprKind::Member(Box::new(of_base), member, None), pos);
                        continue;
                    }
                    at(ExprKind::Member(Box::new(expr), name, args), pos)
                }
                "++" | "--" => {
                    self.next();
                    let op = if sign == "++" { UnaryOp::PostIncrement } else { UnaryOp::PostDecrement };
                    at(ExprKind::Unary(op, Box::new(expr)), pos)
                }
                "<<<" if self.host => {
                    self.next();
                    // The launch is a call of what `<<<` returns for the kernel and the shape.
                    let mut shape = vec![expr];
                    shape.extend(self.arguments(">>>")?);
                    let open = at(ExprKind::Name(Path::simple(Rc::from(LAUNCH))), pos);
                    at(ExprKind::Call(Box::new(open), shape), pos)
                }
                "<<<" => {
                    return Err(TextFault::new(
                        pos,
                        "device code without launches",
                        "`<<<`",
                        "dynamic parallelism is not supported",
                    ));
                }
                _ => return Ok(expr),
            };
        }
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let pos = self.pos();
        let kind = match self.peek().tok.clone() {
            Tok::Int(literal) => ExprKind::Int(literal),
            Tok::Float(value, single) => ExprKind::Float(value, single),
            Tok::Char(code) => ExprKind::Char(code),
            Tok::Str(_) => return Ok(self.string(pos)),
            Tok::Punct("(") if self.peek_at(1).is("{") => return self.statement_expression(pos),
            Tok::Punct("(") => {
                self.next();
                if let Some(fold) = self.nested(|p| p.fold(pos))? {
                    return Ok(fold);
                }
                let inner = self.nested(Self::expression)?;
                self.require(")", "after the expression")?;
                return Ok(inner);
            }
            Tok::Punct("[") => return self.scoped(Self::lambda),
            Tok::Punct("::") => return Ok(at(ExprKind::Name(self.path()?), pos)),
            Tok::Ident(name) => return self.word(&name, pos),
            _ => return self.fault("an expression", "an operand is missing, or a sign is too many"),
        };
        self.next();
        Ok(at(kind, pos))
    }

    /// Parses adjacent text literals. They are constant memory of the file, if something needs their address.
    fn string(&mut self, pos: Pos) -> Expr {
        let text = self.strings();
        let name = Rc::from(format!("\"{text}\"").as_str());
        if !self.host && !self.unit.globals.iter().any(|g| g.name == name) {
            let mut char = Self::plain_type(TypeKind::Scalar(Scalar::I8), pos);
            char.constant = true;
            let ty = Self::plain_type(TypeKind::Array(Box::new(char), None), pos);
            let items = text.bytes().chain([0]).map(|b| at(ExprKind::Char(i32::from(b)), pos)).collect();
            let (storage, init) = (Storage::Constant, Some(Init::Construct(items, true)));
            self.unit.globals.push(Rc::new(Variable { name, ty, storage, init, pos, align: None }));
        }
        at(ExprKind::Str(text), pos)
    }

    fn word(&mut self, name: &str, pos: Pos) -> Parsed<Expr> {
        let kind = match name {
            "true" | "false" => ExprKind::Bool(name == "true"),
            "nullptr" | "NULL" => {
                self.next();
                let zero = at(
                    ExprKind::Int(crate::syntax::token::IntLiteral {
                        value: 0,
                        unsigned: false,
                        long: true,
                        decimal: true,
                    }),
                    pos,
                );
                let void =
                    Self::plain_type(crate::syntax::ast::TypeKind::Scalar(crate::syntax::ast::Scalar::Void), pos);
                let ty = crate::syntax::ast::TypeKind::Pointer(Box::new(void), crate::syntax::ast::Restrict::No);
                return Ok(at(ExprKind::Cast(Self::plain_type(ty, pos), Box::new(zero), false), pos));
            }
            "this" => ExprKind::This,
            "sizeof" | "alignof" | "__alignof__" => return self.sizeof(pos),
            "offsetof" if self.peek_at(1).is("(") => return self.offsetof(pos),
            "static_cast" | "reinterpret_cast" | "const_cast" | "dynamic_cast" => return self.named_cast(pos),
            "new" => return self.allocation(pos),
            "throw" if self.host => return self.throw(pos),
            "delete" => {
                self.next();
                if self.eat("[") {
                    self.require("]", "after `delete [`")?;
                }
                let pointer = self.unary()?;
                if self.host {
                    return Ok(pointer);
                }
                let free = at(ExprKind::Name(Path::simple(Rc::from("__free"))), pos);
                return Ok(at(ExprKind::Call(Box::new(free), vec![pointer]), pos));
            }
            "asm" | "__asm__" => {
                return self.refuse("code without inline PTX", "write the instruction as an intrinsic function")
            }
            "operator" => {
                self.next();
                let name = self.operator_name()?;
                return Ok(at(ExprKind::Name(Path::simple(name)), pos));
            }
            _ if self.at_type() && !self.hidden_by_variable() => return self.construct(pos),
            _ => {
                let path = self.path()?;
                return Ok(at(ExprKind::Name(path), pos));
            }
        };
        self.next();
        Ok(at(kind, pos))
    }

    /// Whether the name of a type stands where only a variable makes sense.
    fn hidden_by_variable(&self) -> bool {
        let Some(name) = self.peek().ident() else { return false };
        let after = self.peek_at(1);
        let continues_type = ["(", "{", "::", "<"].iter().any(|sign| after.is(sign));
        !crate::syntax::parse::names::is_specifier(name) && !continues_type
    }

    /// Parses `T(a, b)`, `T{a, b}` or a static member `T<…>::x`.
    fn construct(&mut self, pos: Pos) -> Parsed<Expr> {
        if let Some(path) = self.attempt(|p| {
            let path = p.path()?;
            let is_type = p.types.contains(path.last()) && path.parts.len() == 1;
            if is_type {
                p.fault("a member", "")
            } else {
                Ok(path)
            }
        }) {
            if !(self.types.contains(path.last()) && (self.is("(") || self.is("{"))) {
                return Ok(at(ExprKind::Name(path), pos));
            }
            let kind = crate::syntax::ast::TypeKind::Named(path);
            return self.constructed(Self::plain_type(kind, pos), pos);
        }
        let ty = self.specifiers()?.ty;
        self.constructed(ty, pos)
    }

    fn constructed(&mut self, ty: TypeExpr, pos: Pos) -> Parsed<Expr> {
        let args = if self.eat("(") {
            self.arguments(")")?
        } else if self.eat("{") {
            self.arguments("}")?
        } else {
            return self.fault("`(` after the type", "an expression is expected here, not a type");
        };
        Ok(at(ExprKind::Construct(ty, args), pos))
    }

    fn sizeof(&mut self, pos: Pos) -> Parsed<Expr> {
        let of_alignment = self.next().is_ident("alignof");
        if self.eat("...") {
            self.require("(", "after `sizeof...`")?;
            let name = self.name("the name of a pack")?;
            self.require(")", "after the pack")?;
            return Ok(at(ExprKind::PackSize(name), pos));
        }
        if self.is("(") && self.type_at(1) {
            let ty = self.attempt(|p| {
                p.next();
                let ty = p.type_name()?;
                p.require(")", "after the type")?;
                Ok(ty)
            });
            if let Some(ty) = ty {
                let kind = if of_alignment { ExprKind::AlignofType(ty) } else { ExprKind::SizeofType(ty) };
                return Ok(at(kind, pos));
            }
        }
        let inner = self.nested(Self::unary)?;
        Ok(at(ExprKind::SizeofExpr(Box::new(inner)), pos))
    }

    /// Parses `offsetof(T, a.b)`: the address of a member of an object at address 0.
    fn offsetof(&mut self, pos: Pos) -> Parsed<Expr> {
        self.at += 2;
        let ty = self.type_name()?;
        self.require(",", "after the type")?;
        let zero = crate::syntax::token::IntLiteral { value: 0, unsigned: true, long: true, decimal: true };
        let pointer = TypeKind::Pointer(Box::new(ty), crate::syntax::ast::Restrict::No);
        let cast = |kind, e| at(ExprKind::Cast(Self::plain_type(kind, pos), Box::new(e), false), pos);
        let object = cast(pointer, at(ExprKind::Int(zero), pos));
        let mut member = at(ExprKind::Unary(UnaryOp::Deref, Box::new(object)), pos);
        loop {
            member = at(ExprKind::Member(Box::new(member), self.name("a member")?, None), pos);
            if !self.eat(".") {
                break;
            }
        }
        self.require(")", "after the member")?;
        Ok(cast(TypeKind::Scalar(Scalar::U64), at(ExprKind::Unary(UnaryOp::Address, Box::new(member)), pos)))
    }

    fn named_cast(&mut self, pos: Pos) -> Parsed<Expr> {
        let reinterpret = self.next().is_ident("reinterpret_cast");
        self.require("<", "after the cast")?;
        let ty = self.type_name()?;
        self.close_angle()?;
        self.require("(", "after the cast's type")?;
        let inner = self.expression()?;
        self.require(")", "after the value")?;
        Ok(at(ExprKind::Cast(ty, Box::new(inner), reinterpret), pos))
    }

    /// Parses the sign after `operator` and returns the function's name.
    pub(crate) fn operator_name(&mut self) -> Parsed<Rc<str>> {
        let sign = match self.peek().tok {
            Tok::Punct("(") if self.peek_at(1).is(")") => {
                self.next();
                "()"
            }
            Tok::Punct("[") if self.peek_at(1).is("]") => {
                self.next();
                "[]"
            }
            Tok::Punct(sign) => sign,
            _ => {
                // A conversion operator, `operator T()`.
                let ty = self.specifiers()?.ty;
                self.pointers(ty)?;
                return Ok(Rc::from("operator cast"));
            }
        };
        self.next();
        Ok(Rc::from(format!("operator{sign}").as_str()))
    }
}
