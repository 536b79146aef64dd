//! Parses statements.

use crate::syntax::ast::{
    BinaryOp, Expr, ExprKind, ForLoop, Init, Scalar, Stmt, StmtKind, Storage, TypeKind, UnaryOp, Variable,
};
use crate::syntax::parse::{names, Parsed, Parser};
use crate::syntax::preprocess::UNROLL;
use crate::syntax::token::{IntLiteral, Name, Pos, Tok};

/// Most tokens of template arguments that the parser looks ahead.
const ARGUMENTS_MAX: usize = 200;

impl Parser {
    pub(crate) fn block(&mut self) -> Parsed<Stmt> {
        self.scoped(Self::block_rest)
    }

    fn block_rest(&mut self) -> Parsed<Stmt> {
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
                    (self.at, (self.depth, self.angle), self.too_deep) = (start, state, None);
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
        self.skip_attributes();
        if self.at_type() {
            self.eat("::");
        }
        let Some(word) = self.peek().ident().cloned() else {
            return if self.eat(";") { Ok(StmtKind::Empty) } else { self.expression_statement() };
        };
        match &*word {
            "asm" | "__asm__" | "__asm" => self.assembly(),
            UNROLL => self.unrolled(),
            "if" => self.if_statement(),
            "for" => self.scoped(|p| p.for_statement(None)),
            "while" => self.while_statement(),
            "do" => self.do_statement(),
            "switch" => {
                self.next();
                self.require("(", "after `switch`")?;
                let (init, value) = self.declared_condition("switch")?;
                let body = Box::new(self.statement()?);
                Ok(Self::after(init, StmtKind::Switch(value, body)))
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
            "try" | "catch" if self.host => self.guarded(),
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
            _ if (&*word == "typename" || self.at_type() && (self.peek_at(1).is("<") || self.peek_at(1).is("::")))
                && self.object_begins() =>
            {
                self.expression_statement()
            }
            _ if self.declaration_begins() => {
                let enums = self.unit.enums.len();
                let s = self.specifiers()?;
                if s.declares && self.eat(";") {
                    // The values of an enum may depend on the function's template arguments.
                    return Ok(StmtKind::Variables(self.enum_constants(enums)));
                }
                if self.function_declared(&s) {
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

    /// Whether `typename A::B(arguments)` or `A<int>(arguments)` begins here, an object without a name.
    fn object_begins(&self) -> bool {
        let (start, mut depth) = (usize::from(self.is_word("typename")), 0);
        for i in start..ARGUMENTS_MAX {
            let token = self.peek_at(i);
            match token.tok {
                Tok::Punct("<") => depth += 1,
                Tok::Punct(">") => depth -= 1,
                Tok::Punct(">>") => depth -= 2,
                Tok::Punct(";" | "{" | "=") | Tok::End => return false,
                Tok::Punct("::") | Tok::Ident(_) => {}
                Tok::Punct("(") if depth == 0 => {
                    return !self.pointer_declared(i + 1);
                }
                _ if depth == 0 => return false,
                _ => {}
            }
            // A name behind a name is declared.
            if depth == 0 && i > start && token.ident().is_some() && !self.peek_at(i - 1).is("::") {
                return false;
            }
        }
        false
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
                || after.is("::")
                || after.is("(") && self.pointer_declared(2);
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

    /// Whether `*name)[` or `*name)(` follows: `T (*name)[4]` is a declaration, and `T(*name)` a value.
    fn pointer_declared(&self, ahead: usize) -> bool {
        (self.peek_at(ahead).is("*") || self.peek_at(ahead).is("&"))
            && self.peek_at(ahead + 1).ident().is_some()
            && self.peek_at(ahead + 2).is(")")
            && (self.peek_at(ahead + 3).is("[") || self.peek_at(ahead + 3).is("("))
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
                // `if (i < n) a[i] = b > c;` is no declaration.
                Tok::Punct(";" | "{" | "&&" | "||" | "=" | "[") | Tok::End => return false,
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

    /// Whether a function is declared here, as in `extern int f(int);`. It is found by its definition.
    fn function_declared(&mut self, s: &crate::syntax::parse::types::Specifiers) -> bool {
        let declared = |p: &mut Self| {
            p.pointers(s.ty.clone())?;
            p.name("a name")?;
            if !(p.type_at(1) || p.peek_at(1).is(")")) {
                return p.fault("a type", "");
            }
            p.params()?;
            p.require(";", "after the declaration")
        };
        self.attempt(declared).is_some()
    }

    /// Parses the rest of `if (`, `while (` or `switch (`, perhaps with a declaration before `;` or as the condition.
    fn declared_condition(&mut self, what: &str) -> Parsed<(Stmt, Expr)> {
        let pos = self.pos();
        let mut init = Stmt { kind: StmtKind::Empty, pos };
        let closed = format!("after the condition of `{what}`");
        let declared = |p: &mut Self| {
            let s = p.specifiers()?;
            p.variables(&s)
        };
        if let Some(variables) = self.declaration_begins().then(|| self.attempt(declared)).flatten() {
            let name = variables[0].name.clone();
            init.kind = StmtKind::Variables(variables);
            if !self.eat(";") {
                // `if (int x = f())`: the variable is the condition.
                self.require(")", &closed)?;
                return Ok((init, Expr { kind: ExprKind::Name(crate::syntax::ast::Path::simple(name)), pos }));
            }
        }
        let mut condition = self.expression()?;
        if self.eat(";") {
            init.kind = StmtKind::Expr(condition);
            condition = self.expression()?;
        }
        self.require(")", &closed)?;
        Ok((init, condition))
    }

    /// A statement with a declaration in front of it.
    fn after(init: Stmt, kind: StmtKind) -> StmtKind {
        if matches!(init.kind, StmtKind::Empty) {
            return kind;
        }
        let pos = init.pos;
        StmtKind::Block(vec![init, Stmt { kind, pos }])
    }

    fn if_statement(&mut self) -> Parsed<StmtKind> {
        self.next();
        self.eat_word("constexpr");
        self.require("(", "after `if`")?;
        let (init, condition) = self.declared_condition("if")?;
        self.branches(init, condition)
    }

    /// Parses `while`. A loop whose condition declares a variable declares it in each round.
    fn while_statement(&mut self) -> Parsed<StmtKind> {
        self.next();
        self.require("(", "after `while`")?;
        let (declared, condition) = self.declared_condition("while")?;
        let pos = declared.pos;
        let body = self.statement()?;
        if matches!(declared.kind, StmtKind::Empty) {
            return Ok(StmtKind::While(condition, Box::new(body)));
        }
        let empty = Stmt { kind: StmtKind::Empty, pos };
        Ok(Self::declaring_loop(empty, (declared, condition), None, body))
    }

    fn declaring_loop(init: Stmt, test: (Stmt, Expr), step: Option<Expr>, body: Stmt) -> StmtKind {
        let (declared, condition) = test;
        let pos = declared.pos;
        let at = |kind| Stmt { kind, pos };
        let leave = Expr { kind: ExprKind::Unary(UnaryOp::Not, Box::new(condition)), pos };
        let test = StmtKind::If(Box::new(at(StmtKind::Empty)), leave, Box::new(at(StmtKind::Break)), None);
        let body = at(StmtKind::Block(vec![declared, at(test), body]));
        StmtKind::For(Box::new(ForLoop { init, condition: None, step, body, unroll: None }))
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
            return self.scoped(|p| p.for_statement(Some(count.value)));
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
            if self.eat(":") {
                return self.range_loop(variables, unroll, pos);
            }
            self.require(";", "after the start of the loop")?;
            StmtKind::Variables(variables)
        } else {
            let expr = self.expression()?;
            self.require(";", "after the start of the loop")?;
            StmtKind::Expr(expr)
        };
        let mut declared = None;
        let condition = if self.is(";") {
            None
        } else if self.declaration_begins() {
            let s = self.specifiers()?;
            let variables = self.variables(&s)?;
            let name = ExprKind::Name(crate::syntax::ast::Path::simple(variables[0].name.clone()));
            declared = Some((Stmt { kind: StmtKind::Variables(variables), pos }, Expr { kind: name, pos }));
            None
        } else {
            Some(self.expression()?)
        };
        self.require(";", "after the condition of the loop")?;
        let step = if self.is(")") { None } else { Some(self.expression()?) };
        self.require(")", "after the step of the loop")?;
        let body = self.statement()?;
        if let Some(test) = declared {
            return Ok(Self::declaring_loop(Stmt { kind: init, pos }, test, step, body));
        }
        Ok(StmtKind::For(Box::new(ForLoop { init: Stmt { kind: init, pos }, condition, step, body, unroll })))
    }

    /// Parses the rest of `for (T x : array)` as a loop over the elements.
    fn range_loop(&mut self, mut variables: Vec<Variable>, unroll: Option<u64>, pos: Pos) -> Parsed<StmtKind> {
        let range = self.initial_value()?;
        self.require(")", "after the array of the loop")?;
        let body = self.statement()?;
        let expr = |kind| Expr { kind, pos };
        let named = |name: &str| expr(ExprKind::Name(crate::syntax::ast::Path::simple(Name::from(name))));
        let boxed = |e: Expr| Box::new(e);
        let (all, at) =
            (format!("{}{})", crate::lower::range::RANGE, pos.column), format!("(place at {})", pos.column));
        let auto = || Self::plain_type(TypeKind::Auto, pos);
        let kind = match &range.kind {
            // The elements of a list have the type of its first one.
            ExprKind::List(items) => {
                let first = items.first().cloned().unwrap_or_else(|| named(&all));
                let element = Self::plain_type(TypeKind::Decltype(boxed(first)), pos);
                TypeKind::Array(Box::new(element), None)
            }
            _ => TypeKind::Reference(Box::new(auto())),
        };
        let variable = |name: &str, ty, init, pos| {
            let (storage, init) = (Storage::Automatic, Some(Init::Value(init)));
            Variable { name: Name::from(name), ty, storage, init, pos, align: None }
        };
        let array = variable(&all, Self::plain_type(kind, pos), range, pos);
        let zero = IntLiteral { value: 0, unsigned: true, long: false, decimal: true };
        let unsigned = Self::plain_type(TypeKind::Scalar(Scalar::U32), pos);
        let next = Pos { column: pos.column + 1, ..pos };
        let counter = variable(&at, unsigned, expr(ExprKind::Int(zero)), next);
        let element = || expr(ExprKind::Index(boxed(named(&all)), boxed(named(&at))));
        let size = |e: Expr| boxed(expr(ExprKind::SizeofExpr(boxed(e))));
        let count = expr(ExprKind::Binary(
            BinaryOp::Div,
            size(named(&all)),
            size(expr(ExprKind::Index(boxed(named(&all)), boxed(expr(ExprKind::Int(zero)))))),
        ));
        if let Some(last) = variables.last_mut() {
            last.init = Some(Init::Value(element()));
        }
        let statement = |kind| Stmt { kind, pos };
        let body = statement(StmtKind::Block(vec![statement(StmtKind::Variables(variables)), body]));
        let condition = Some(expr(ExprKind::Binary(BinaryOp::Less, boxed(named(&at)), boxed(count))));
        let step = Some(expr(ExprKind::Unary(UnaryOp::PreIncrement, boxed(named(&at)))));
        let init = statement(StmtKind::Variables(vec![array, counter]));
        Ok(StmtKind::For(Box::new(ForLoop { init, condition, step, body, unroll })))
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
            let mut aliases = Vec::new();
            loop {
                let (name, ty) = self.declarator(s.ty.clone())?;
                let Some(name) = name else { return self.fault("the name of the type", "write `typedef type name;`") };
                self.types.insert(name.clone());
                aliases.push((name, ty));
                if !self.eat(",") {
                    break;
                }
            }
            self.require(";", "after the type")?;
            return Ok(StmtKind::Aliases(aliases));
        }
        if word.is_ident("using") && !self.is_word("namespace") && self.peek_at(1).is("=") {
            let name = self.name("the name of the type")?;
            self.next();
            let ty = self.type_name()?;
            self.require(";", "after the type")?;
            self.types.insert(name.clone());
            return Ok(StmtKind::Aliases(vec![(name, ty)]));
        }
        while !self.is(";") && self.peek().tok != Tok::End {
            self.next();
        }
        self.require(";", "after `using`")?;
        Ok(StmtKind::Nothing)
    }
}
