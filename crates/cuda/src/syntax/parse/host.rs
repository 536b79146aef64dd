//! Parses the host code of a file, for the evaluator of launches.
//!
//! In: preprocessed tokens and the device code of the file. Out: the functions and the variables of the host. What cannot
//! be parsed is skipped, statement by statement.

use crate::syntax::ast::{
    BinaryOp, Expr, ExprKind, Function, FunctionKind, Param, Path, Scalar, StmtKind, Struct, TypeExpr, TypeKind, Unit,
    Variable,
};
use crate::syntax::parse::{names, Parsed, Parser, ATTEMPTS_MAX};
use crate::syntax::token::{IntLiteral, Name, Pos, Tok, Token};
use std::collections::HashSet;
use std::rc::Rc;

/// The name of the function that a launch calls: `k<<<g, b>>>(a)` is parsed as `(<<<)(k, g, b)(a)`.
pub(crate) const LAUNCH: &str = "<<<";
/// Types of the host that the parser knows from the start.
const TYPES: [&str; 12] = [
    "FILE",
    "string",
    "vector",
    "device_vector",
    "host_vector",
    "cudaDeviceProp",
    "cudaArray",
    "ifstream",
    "fstream",
    "ofstream",
    "stringstream",
    "istringstream",
];

/// The functions, the variables and the classes of the host in order of the text.
#[derive(Default)]
pub(crate) struct HostCode {
    /// A method that stands outside of its class has an owner. So does a function of a namespace, as in `a::f`.
    pub functions: Vec<Rc<Function>>,
    pub globals: Vec<Variable>,
    pub structs: Vec<Rc<Struct>>,
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
        hidden: Vec::new(),
        scopes: 0,
        too_deep: None,
        attempts: ATTEMPTS_MAX,
        angle: false,
        enclosing: None,
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
    out.structs = p.unit.structs;
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
        let class = ["struct", "class"].iter().any(|w| self.is_word(w));
        if let Some(name) = self.peek_at(1).ident().cloned().filter(|_| class && !template.is_empty()) {
            self.templates.insert(name);
        }
        // Old C: `main(int argc, char **argv)` without a type.
        let constructor = self.attempt(Self::constructor_outside).is_some();
        let bare = constructor || self.peek_at(1).is("(") && !self.at_type();
        let structs = self.unit.structs.len();
        let s = if bare { None } else { Some(self.specifiers()?) };
        if let Some(last) = self.unit.structs[structs..].last_mut() {
            Rc::make_mut(last).template.clone_from(&template);
        }
        if s.as_ref().is_some_and(|s| s.declares) && self.eat(";") {
            return Ok(());
        }
        let save = self.at;
        let int = Self::plain_type(TypeKind::Scalar(Scalar::I32), pos);
        let ty = self.pointers(s.as_ref().map_or(int, |s| s.ty.clone()))?;
        let mut owner = None;
        let mut name = self.name("a name")?;
        loop {
            if self.is("<") && self.types.contains(&name) {
                self.template_args()?;
            }
            if !self.eat("::") {
                break;
            }
            let last = if self.eat_word("operator") { self.operator_name()? } else { self.name("a name")? };
            owner = Some(std::mem::replace(&mut name, last));
        }
        if constructor {
            owner = Some(name.clone());
        }
        if self.is("(") {
            if !template.is_empty() {
                self.templates.insert(name.clone());
            }
            let start = self.at;
            if let Some(params) = self.attempt(Self::old_params) {
                let body = Some(self.block()?);
                out.functions.push(Rc::new(Function { owner, params, body, ..Function::new(name, template, ty, pos) }));
                return Ok(());
            }
            // `dim3 block(16, 16);` has no parameters.
            if let Ok(mut function) = self.function_rest(name, FunctionKind::Device, template, ty, pos) {
                function.owner = owner;
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

    /// Parses the parameters of a function of old C, `(a, b) int a; char *b;`, up to its `{`.
    fn old_params(&mut self) -> Parsed<Vec<Param>> {
        self.require("(", "before the parameters")?;
        let mut names = vec![self.name("a parameter")?];
        while self.eat(",") {
            names.push(self.name("a parameter")?);
        }
        self.require(")", "after the parameters")?;
        let mut declared = Vec::new();
        while !self.is("{") {
            let s = self.specifiers()?;
            declared.extend(self.variables(&s)?);
            self.require(";", "after the declaration")?;
        }
        if declared.is_empty() {
            return self.fault("the types of the parameters", "");
        }
        let param = |name: Name| {
            let ty = declared.iter().find(|v| v.name == name).map(|v| v.ty.clone());
            let int = || Self::plain_type(TypeKind::Scalar(Scalar::I32), Pos::default());
            Param { name: Some(name), ty: ty.unwrap_or_else(int), default: None, pack: false }
        };
        Ok(names.into_iter().map(param).collect())
    }

    /// Reads `A::` or `A<T>::` before the name of a constructor that stands outside of its class.
    fn constructor_outside(&mut self) -> Parsed<()> {
        let class = self.name("a class")?;
        if self.is("<") {
            self.template_args()?;
        }
        self.require("::", "after the class")?;
        if self.peek().ident() == Some(&class) && self.peek_at(1).is("(") {
            return Ok(());
        }
        self.fault("a constructor", "")
    }

    /// Parses `throw x`, which becomes `exit(x)`.
    pub(crate) fn throw(&mut self, pos: Pos) -> Parsed<Expr> {
        self.next();
        let args = if self.is(";") { Vec::new() } else { vec![self.expression()?] };
        let callee = Expr { kind: ExprKind::Name(Path::simple(Rc::from("exit"))), pos };
        Ok(Expr { kind: ExprKind::Call(Box::new(callee), args), pos })
    }

    /// Parses the block of `try`, or skips that of `catch`.
    pub(crate) fn guarded(&mut self) -> Parsed<StmtKind> {
        if self.next().is_ident("try") {
            return self.block().map(|block| block.kind);
        }
        self.skip_balanced();
        self.block().map(|_| StmtKind::Nothing)
    }

    /// Parses `new T[n]`, `new T(a)`, `new T` or `new (p) T(a)`. On the host, `new T[n]` becomes `malloc(sizeof(T) * n)`, and
    /// `new T(a)` becomes `new(T(a))`.
    pub(crate) fn allocation(&mut self, pos: Pos) -> Parsed<Expr> {
        self.next();
        let place = if !self.host && self.eat("(") { Some(self.arguments(")")?) } else { None };
        let base = self.specifiers()?.ty;
        let ty = self.pointers(base)?;
        if !self.host {
            return self.device_allocation(place, ty, pos);
        }
        let at = |kind| Expr { kind, pos };
        let call = |name: &str, args| {
            let callee = at(ExprKind::Name(Path::simple(Rc::from(name))));
            Ok(at(ExprKind::Call(Box::new(callee), args)))
        };
        if self.eat("[") {
            let count = self.expression()?;
            self.require("]", "after the number of elements")?;
            if self.is("(") || self.is("{") {
                self.skip_balanced();
            }
            let size = at(ExprKind::SizeofType(ty));
            return call("malloc", vec![at(ExprKind::Binary(BinaryOp::Mul, Box::new(size), Box::new(count)))]);
        }
        let close = if self.is("{") { "}" } else { ")" };
        let args = if self.eat("(") || self.eat("{") { self.arguments(close)? } else { Vec::new() };
        call("new", vec![at(ExprKind::Construct(ty, args))])
    }

    /// Parses what follows the type of a `new` of the device.
    fn device_allocation(&mut self, place: Option<Vec<Expr>>, ty: TypeExpr, pos: Pos) -> Parsed<Expr> {
        let literal = IntLiteral { value: 1, unsigned: false, long: true, decimal: true };
        let mut count = Expr { kind: ExprKind::Int(literal), pos };
        let is_array = self.eat("[");
        if is_array {
            count = self.nested(Self::expression)?;
            self.require("]", "after the number of elements")?;
        }
        let close = if self.is("{") { "}" } else { ")" };
        let args = if self.eat("(") || self.eat("{") { self.arguments(close)? } else { Vec::new() };
        Ok(Self::device_new(place.and_then(|p| p.into_iter().next()), ty, count, (!is_array).then_some(args), pos))
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
