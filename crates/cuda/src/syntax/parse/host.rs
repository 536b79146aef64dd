//! Parses the host code of a file, for the evaluator of launches.
//!
//! In: preprocessed tokens and the device code of the file. Out: the functions and the variables of the host. What cannot
//! be parsed is skipped, statement by statement.

use crate::syntax::ast::{
    BinaryOp, Expr, ExprKind, Function, FunctionKind, Path, Scalar, TypeExpr, TypeKind, Unit, Variable,
};
use crate::syntax::parse::{names, Parsed, Parser, ATTEMPTS_MAX};
use crate::syntax::token::{IntLiteral, Name, Pos, Tok, Token};
use std::collections::HashSet;
use std::rc::Rc;

/// The name of the function that a launch calls: `k<<<g, b>>>(a)` is parsed as `(<<<)(k, g, b)(a)`.
pub(crate) const LAUNCH: &str = "<<<";
/// Types of the host that the parser knows from the start.
const TYPES: [&str; 7] = ["FILE", "string", "vector", "device_vector", "host_vector", "cudaDeviceProp", "cudaArray"];

/// The functions and the variables of the host in order of the text.
#[derive(Default)]
pub(crate) struct HostCode {
    pub functions: Vec<Rc<Function>>,
    pub globals: Vec<Variable>,
}

/// Parses the host code of a file.
pub(crate) fn parse_host(tokens: Vec<Token>, unit: &Unit) -> HostCode {
    let mut types = names::builtin_types();
    types.extend(TYPES.iter().map(|name| Name::from(*name)));
    types.extend(unit.structs.iter().map(|s| s.name.clone()));
    types.extend(unit.aliases.iter().map(|a| a.0.clone()));
    types.extend(unit.enums.iter().filter_map(|e| e.name.clone()));
    let mut templates = names::builtin_templates();
    templates.extend(TYPES[2..5].iter().map(|name| Name::from(*name)));
    templates.extend(unit.functions.iter().filter(|f| !f.template.is_empty()).map(|f| f.name.clone()));
    let mut p = Parser {
        tokens,
        at: 0,
        depth: 0,
        types,
        templates,
        own_types: HashSet::new(),
        too_deep: None,
        attempts: ATTEMPTS_MAX,
        angle: false,
        host: true,
        unit: Unit::default(),
    };
    let mut out = HostCode::default();
    while p.peek().tok != Tok::End {
        let start = p.at;
        if p.host_code(&mut out).is_err() {
            (p.at, p.depth, p.angle, p.too_deep) = (start, 0, false, None);
            p.skip_item();
        }
        if p.at == start {
            p.next();
        }
    }
    out
}

impl Parser {
    fn host_code(&mut self, out: &mut HostCode) -> Parsed<()> {
        if self.eat(";") || self.eat("}") {
            return Ok(());
        }
        let word = self.peek().ident().cloned();
        match word.as_deref() {
            Some("namespace") => {
                while !self.is("{") && !self.is(";") && self.peek().tok != Tok::End {
                    self.next();
                }
                self.next();
                return Ok(());
            }
            Some("extern") if matches!(self.peek_at(1).tok, Tok::Str(_)) && self.peek_at(2).is("{") => {
                self.at += 3;
                return Ok(());
            }
            Some("using" | "typedef") => return self.alias_statement().map(drop),
            _ => {}
        }
        let template = if word.as_deref() == Some("template") { self.template_params()? } else { Vec::new() };
        if self.mentions_device() {
            // A kernel, or a function that the unit has.
            self.skip_item();
            return Ok(());
        }
        let pos = self.pos();
        // Old C: `main(int argc, char **argv)` without a type.
        let bare = self.peek_at(1).is("(") && !self.at_type();
        let s = if bare { None } else { Some(self.specifiers()?) };
        if s.as_ref().is_some_and(|s| s.declares) && self.eat(";") {
            return Ok(());
        }
        let save = self.at;
        let int = Self::plain_type(TypeKind::Scalar(Scalar::I32), pos);
        let ty = self.pointers(s.as_ref().map_or(int, |s| s.ty.clone()))?;
        let mut name = self.name("a name")?;
        while self.eat("::") {
            name = self.name("a name")?;
        }
        if self.is("(") {
            if !template.is_empty() {
                self.templates.insert(name.clone());
            }
            let start = self.at;
            // `dim3 block(16, 16);` has no parameters.
            if let Ok(function) = self.function_rest(name, FunctionKind::Device, template, ty, pos) {
                out.functions.push(Rc::new(function));
                return Ok(());
            }
            if self.tokens[start..self.at].iter().any(|t| t.is("{")) {
                return self.refuse("a function", "");
            }
        }
        self.at = save;
        if let Some(s) = s {
            out.globals.extend(self.variables(&s)?);
        }
        self.require(";", "after the declaration")
    }

    /// Parses `new T[n]`, `new T(a)`, `new T` or `new (p) T(a)`. On the host it becomes `malloc(sizeof(T) * n)`.
    pub(crate) fn allocation(&mut self, pos: Pos) -> Parsed<Expr> {
        self.next();
        let place = if !self.host && self.eat("(") { Some(self.arguments(")")?) } else { None };
        let base = self.specifiers()?.ty;
        let ty = self.pointers(base)?;
        let literal = IntLiteral { value: 1, unsigned: false, long: true, decimal: true };
        let mut count = Expr { kind: ExprKind::Int(literal), pos };
        if self.eat("[") {
            count = self.expression()?;
            self.require("]", "after the number of elements")?;
        }
        let one = matches!(count.kind, ExprKind::Int(_)) && !self.tokens[self.at - 1].is("]");
        let (round, brace) = (self.is("("), self.is("{"));
        if !self.host {
            let args = if round || brace {
                self.next();
                self.arguments(if round { ")" } else { "}" })?
            } else {
                Vec::new()
            };
            return Ok(Self::device_new(place.and_then(|p| p.into_iter().next()), ty, count, one.then_some(args), pos));
        }
        if round || brace {
            self.skip_balanced();
        }
        let size = Expr { kind: ExprKind::SizeofType(ty), pos };
        let bytes = Expr { kind: ExprKind::Binary(BinaryOp::Mul, Box::new(size), Box::new(count)), pos };
        let malloc = Expr { kind: ExprKind::Name(Path::simple(Rc::from("malloc"))), pos };
        Ok(Expr { kind: ExprKind::Call(Box::new(malloc), vec![bytes]), pos })
    }

    /// Memory of the device heap, or the given place, as a `T *`. An object is built there with its arguments.
    fn device_new(place: Option<Expr>, ty: TypeExpr, count: Expr, args: Option<Vec<Expr>>, pos: Pos) -> Expr {
        let at = |kind| Expr { kind, pos };
        let call = |name: &str, args| {
            let name = at(ExprKind::Name(Path::simple(Rc::from(name))));
            at(ExprKind::Call(Box::new(name), args))
        };
        let memory = place.unwrap_or_else(|| {
            let size = at(ExprKind::SizeofType(ty.clone()));
            call("__malloc", vec![at(ExprKind::Binary(BinaryOp::Mul, Box::new(size), Box::new(count)))])
        });
        let pointer = TypeKind::Pointer(Box::new(ty.clone()), crate::syntax::ast::Restrict::No);
        let memory = at(ExprKind::Cast(Self::plain_type(pointer, pos), Box::new(memory), false));
        match args {
            Some(args) if !args.is_empty() || matches!(ty.kind, TypeKind::Named(_)) => {
                call("__new", vec![memory, at(ExprKind::Construct(ty, args))])
            }
            _ => memory,
        }
    }
}
