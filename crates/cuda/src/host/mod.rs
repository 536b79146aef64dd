//! Runs the host code of a file as far as its launches need it.
//!
//! In: the tokens of a file and its device code. Out: a [`HostRun`] with the launches, their shapes and the values of their
//! arguments. Nothing is computed but sizes, pointers and what decides them. The contents of arrays are not kept.
//!
//! `main` runs without arguments. A branch that then ends the program before a launch is not taken. What a user types or a
//! file holds is taken to be [`ASSUMED`]. A loop that does not matter for launches is skipped. The number of steps is
//! bounded.

mod expression;
mod library;
mod place;
pub(crate) mod scale;
mod statement;
pub(crate) mod value;

use crate::lower::Module;
use crate::syntax::ast::{Expr, ExprKind, Function, Stmt, TemplateArg, TypeExpr, TypeKind, Unit};
use crate::syntax::parse::host::{parse_host, LAUNCH};
use crate::syntax::token::{Name, Pos, Token};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use value::{Input, Key, Value};

/// The value of a number that the text does not decide.
pub(crate) const ASSUMED: i64 = 256;
/// Steps of a run, of a loop or function without launches, and of a loop with them.
const FUEL: u64 = 200_000;
const SIDE_FUEL: u64 = 4_000;
const LOOP_FUEL: u64 = 40_000;
/// Deepest nesting of calls.
const DEPTH_MAX: u32 = 24;
/// Deepest nesting of expressions and statements in all calls. The stack of a browser's worker is small.
const NESTING_MAX: u32 = 400;
/// Most launches that are kept.
pub(crate) const LAUNCHES_MAX: usize = 256;

/// An argument of a launch.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum HostArg {
    Unknown,
    Int(i64, Input),
    Float(f64),
    /// An array with its size and the bytes before the pointer.
    Array {
        object: usize,
        bytes: Option<u64>,
        offset: u64,
    },
    Fields(Vec<(Name, HostArg)>),
}

/// A launch of the host.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct HostLaunch {
    pub kernel: Name,
    pub line: u32,
    /// The template arguments as text. `None` for one that is unknown.
    pub template: Vec<Option<String>>,
    pub grid: Option<[u64; 3]>,
    pub block: Option<[u64; 3]>,
    pub shared: Option<u64>,
    /// The input that decides the grid, if one does.
    pub input: Input,
    pub args: Vec<HostArg>,
}

/// Something that the text does not decide.
#[derive(Clone, Debug)]
pub(crate) struct HostInput {
    pub line: u32,
    /// The undeclared name, if it is one.
    pub name: Option<Name>,
}

/// What the host does.
#[derive(Clone, Debug, Default)]
pub struct HostRun {
    pub(crate) launches: Vec<HostLaunch>,
    pub(crate) inputs: Vec<HostInput>,
    /// Numbers of the text that may be sizes, with their values.
    pub(crate) literals: Vec<(Pos, i64)>,
}

/// Values that replace those of the text.
#[derive(Clone, Debug, Default)]
pub struct HostSizes {
    /// By the name of a variable.
    pub names: Vec<(Name, i64)>,
    /// By the place of a number.
    pub literals: Vec<(Pos, i64)>,
}

impl HostRun {
    /// The first launch of a kernel whose shape is known, or the first.
    pub(crate) fn launch(&self, kernel: &str) -> Option<&HostLaunch> {
        let of = || self.launches.iter().filter(|l| &*l.kernel == kernel);
        of().find(|l| l.grid.is_some() && l.block.is_some()).or_else(|| of().next())
    }

    /// The number of launches of a kernel.
    pub(crate) fn count(&self, kernel: &str) -> usize {
        self.launches.iter().filter(|l| &*l.kernel == kernel).count()
    }

    /// Names that nothing declares and that decide a launch.
    pub fn undeclared(&self) -> Vec<Name> {
        let mut used: Vec<Input> = Vec::new();
        for launch in &self.launches {
            used.push(launch.input);
            used.extend(launch.args.iter().map(|arg| if let HostArg::Int(_, input) = arg { *input } else { 0 }));
        }
        let named = self.inputs.iter().enumerate().filter(|(i, _)| used.contains(&(*i as Input + 1)));
        named.filter_map(|(_, input)| input.name.clone()).collect()
    }
}

/// Runs the host code of a file.
pub fn run_host(tokens: &[Token], unit: &Unit, module: &Module, sizes: &HostSizes) -> HostRun {
    if !tokens.iter().any(|t| t.is(LAUNCH) || t.ident().is_some_and(|n| n.starts_with("cudaLaunch"))) {
        return HostRun::default();
    }
    let code = parse_host(tokens.to_vec(), unit);
    let mut functions: HashMap<Name, Rc<Function>> = HashMap::new();
    for f in unit.functions.iter().filter(|f| f.kind == crate::syntax::ast::FunctionKind::Device && f.owner.is_none()) {
        functions.insert(f.name.clone(), f.clone());
    }
    for f in code.functions.iter().filter(|f| f.body.is_some()) {
        functions.insert(f.name.clone(), f.clone());
    }
    let mut host = Host {
        active: active(&functions),
        functions,
        unit,
        module,
        sizes,
        scope: Vec::new(),
        globals: 0,
        base: 0,
        slots: Vec::new(),
        objects: Vec::new(),
        fuel: FUEL,
        floor: 0,
        depth: 0,
        nesting: 0,
        exits: false,
        entered: HashSet::new(),
        out: HostRun::default(),
    };
    for variable in &code.globals {
        host.declare(variable);
    }
    (host.globals, host.base) = (host.scope.len(), host.scope.len());
    let roots = code.functions.iter().filter(|f| &*f.name == "main").chain(code.functions.iter().rev());
    for f in roots {
        if f.body.is_some() && host.active.contains(&f.name) && !host.entered.contains(&f.name) {
            (host.fuel, host.floor, host.exits) = (host.fuel.max(FUEL / 4), 0, false);
            host.run_root(f);
        }
    }
    host.out
}

/// The functions that launch a kernel, allocate memory, or call one that does.
fn active(functions: &HashMap<Name, Rc<Function>>) -> HashSet<Name> {
    let calls: Vec<(Name, HashSet<Name>)> = functions
        .iter()
        .map(|(name, f)| {
            let mut calls = HashSet::new();
            if let Some(body) = &f.body {
                called(body, &mut calls);
            }
            (name.clone(), calls)
        })
        .collect();
    let mut active = HashSet::new();
    loop {
        let before = active.len();
        for (name, calls) in &calls {
            if calls.iter().any(|c| matters(c) || active.contains(c)) {
                active.insert(name.clone());
            }
        }
        if active.len() == before {
            return active;
        }
    }
}

/// Adds the names of all functions that a statement calls.
fn called(stmt: &Stmt, out: &mut HashSet<Name>) {
    crate::lower::walk::statement(stmt, &mut |e| {
        if let ExprKind::Call(callee, _) = &e.kind {
            match &callee.kind {
                ExprKind::Name(path) => drop(out.insert(path.last().clone())),
                ExprKind::Member(_, method, _) => drop(out.insert(method.clone())),
                _ => {}
            }
        }
    });
}

/// Whether a function of the library launches a kernel or allocates memory.
fn matters(name: &str) -> bool {
    name == LAUNCH || name.contains("lloc") || name.starts_with("cudaLaunch")
}

/// An allocation: its size, and the slot of what is known of its contents.
struct Object {
    bytes: Option<u64>,
    slot: usize,
}

struct Variable {
    name: Name,
    slot: usize,
    /// Size in bytes, for `sizeof`.
    size: Option<u64>,
}

/// The state of a run of host code.
struct Host<'a> {
    functions: HashMap<Name, Rc<Function>>,
    active: HashSet<Name>,
    unit: &'a Unit,
    module: &'a Module,
    sizes: &'a HostSizes,
    /// Global variables, then those of the functions that are being called. Only those from `base` on are visible.
    scope: Vec<Variable>,
    globals: usize,
    base: usize,
    slots: Vec<Value>,
    objects: Vec<Object>,
    /// Steps left. A part that may not use all of them stops at `floor`.
    fuel: u64,
    floor: u64,
    depth: u32,
    nesting: u32,
    /// Whether `exit` was called.
    exits: bool,
    /// Functions that were called.
    entered: HashSet<Name>,
    out: HostRun,
}

impl Host<'_> {
    /// Takes a step. Returns false if none is left.
    fn burn(&mut self, steps: u64) -> bool {
        let left = self.fuel > self.floor + steps;
        self.fuel = if left { self.fuel - steps } else { self.floor };
        left
    }

    fn bind(&mut self, name: Name, value: Value, size: Option<u64>) {
        self.slots.push(value);
        self.scope.push(Variable { name, slot: self.slots.len() - 1, size });
    }

    fn variable(&self, name: &str) -> Option<&Variable> {
        let own = self.scope[self.base..].iter().rev();
        own.chain(self.scope[..self.globals].iter().rev()).find(|v| *v.name == *name)
    }

    /// A number that the text does not decide.
    fn input(&mut self, line: u32, name: Option<Name>) -> Value {
        let known = self.out.inputs.iter().position(|i| i.line == line && i.name == name);
        let number = known.unwrap_or(self.out.inputs.len());
        if known.is_none() {
            self.out.inputs.push(HostInput { line, name });
        }
        Value::Int(ASSUMED, number.saturating_add(1).min(usize::from(Input::MAX)) as Input)
    }

    fn allocate(&mut self, bytes: Option<u64>, element: u64) -> Value {
        self.slots.push(Value::Unknown);
        self.objects.push(Object { bytes, slot: self.slots.len() - 1 });
        Value::Pointer { object: Some(self.objects.len() - 1), offset: 0, element }
    }

    /// Runs `main`, or a function that nothing calls, with values for its parameters.
    fn run_root(&mut self, f: &Rc<Function>) {
        let main = &*f.name == "main";
        let args: Vec<Value> = f
            .params
            .iter()
            .map(|p| match &p.ty.kind {
                _ if main => Value::int(1),
                TypeKind::Scalar(crate::syntax::ast::Scalar::F32 | crate::syntax::ast::Scalar::F64) => {
                    Value::Float(1.5, 0)
                }
                TypeKind::Scalar(_) => self.input(p.ty.pos.line, None),
                _ => Value::Unknown,
            })
            .collect();
        self.enter(f, &[], |host, i, _| if main && i > 0 { Value::Unknown } else { host.or_unknown(args.get(i)) });
    }

    fn or_unknown(&self, value: Option<&Value>) -> Value {
        value.cloned().unwrap_or(Value::Unknown)
    }

    /// Calls a function. `arg` gives the value of the parameter of this number.
    fn enter(
        &mut self,
        f: &Rc<Function>,
        template: &[TemplateArg],
        mut arg: impl FnMut(&mut Self, usize, &TypeExpr) -> Value,
    ) -> Value {
        let Some(body) = f.body.as_ref().filter(|_| self.depth < DEPTH_MAX) else { return Value::Unknown };
        let mut bound: Vec<(Name, Value)> = Vec::new();
        for (i, param) in f.template.iter().enumerate() {
            let value = match template.get(i).or(param.default.as_ref()) {
                Some(TemplateArg::Type(ty)) => Value::Type(Rc::new(self.bound_type(ty).into_owned())),
                Some(TemplateArg::Value(e)) => self.eval(e),
                None => Value::Unknown,
            };
            bound.push((param.name.clone(), value));
        }
        let values: Vec<Value> = f.params.iter().enumerate().map(|(i, p)| arg(self, i, &p.ty)).collect();
        let (base, count) = (self.base, self.scope.len());
        self.base = count;
        self.depth += 1;
        self.entered.insert(f.name.clone());
        bound.into_iter().for_each(|(name, value)| self.bind(name, value, None));
        for (param, value) in f.params.iter().zip(values) {
            let Some(name) = param.name.clone() else { continue };
            let size = self.size_of(&param.ty);
            match (&param.ty.kind, value) {
                // A reference is the variable itself.
                (TypeKind::Reference(_), Value::Address(place)) if place.path.is_empty() => {
                    self.scope.push(Variable { name, slot: place.slot, size });
                }
                (TypeKind::Reference(_), Value::Address(place)) => {
                    let value = self.get(&place);
                    self.bind(name, value, size);
                }
                (_, value) => {
                    let value = self.convert(&param.ty, value);
                    self.bind(name, value, size);
                }
            }
        }
        let flow = self.statement(body);
        self.depth -= 1;
        self.scope.truncate(count);
        self.base = base;
        match flow {
            statement::Flow::Return(value) => self.convert(&f.returns, value),
            _ => Value::Unknown,
        }
    }

    /// The type that stands for a template parameter, or the type itself.
    fn bound_type<'t>(&self, ty: &'t TypeExpr) -> std::borrow::Cow<'t, TypeExpr> {
        if let TypeKind::Named(path) = &ty.kind {
            if let Some(Value::Type(ty)) = path.plain().and_then(|n| self.variable(n)).map(|v| &self.slots[v.slot]) {
                return std::borrow::Cow::Owned((**ty).clone());
            }
        }
        std::borrow::Cow::Borrowed(ty)
    }

    /// Size of a type in bytes.
    fn size_of(&mut self, ty: &TypeExpr) -> Option<u64> {
        match &ty.kind {
            TypeKind::Pointer(..) => Some(8),
            TypeKind::Array(inner, Some(count)) => {
                let count = self.eval(count).as_int()?;
                self.size_of(inner)?.checked_mul(u64::try_from(count).ok()?)
            }
            _ => self.module.resolve(&self.bound_type(ty)).ok().map(|ty| ty.size()),
        }
    }

    /// Records a launch: kernel, grid, block and shared memory, and the arguments.
    fn launch(&mut self, shape: &[Expr], args: &[Expr], pos: Pos) -> Value {
        let template = shape.first().and_then(|e| match &e.kind {
            ExprKind::Name(path) => path.args().cloned(),
            _ => None,
        });
        let template: Vec<Option<String>> =
            template.iter().flat_map(|args| args.iter()).map(|arg| self.template_text(arg)).collect();
        let values: Vec<Value> = shape.iter().skip(1).map(|e| self.eval(e)).collect();
        let args: Vec<HostArg> = args
            .iter()
            .map(|e| {
                let value = self.eval(e);
                self.argument(&value, 0)
            })
            .collect();
        if let Some(kernel) = shape.first().and_then(root) {
            self.record(kernel.clone(), template, &values, (args, pos));
        }
        Value::int(0)
    }

    fn record(
        &mut self,
        kernel: Name,
        template: Vec<Option<String>>,
        shape: &[Value],
        (args, pos): (Vec<HostArg>, Pos),
    ) {
        let dims = |value: Option<&Value>| {
            let numbers = match value? {
                parts @ Value::Parts(_) => {
                    ["x", "y", "z"].map(|axis| parts.get(&Key::Field(Name::from(axis))).as_int())
                }
                other => [other.as_int(), Some(1), Some(1)],
            };
            let mut out = [1; 3];
            for (slot, number) in out.iter_mut().zip(numbers) {
                *slot = u64::try_from(number?).ok().filter(|n| (1..=1 << 31).contains(n))?;
            }
            Some(out)
        };
        let input = shape.iter().map(Value::input).max().unwrap_or(0);
        // A launch without the third value has no dynamic shared memory.
        let shared = shape.get(2).map_or(Some(0), Value::as_int).and_then(|bytes| u64::try_from(bytes).ok());
        let (grid, block) = (dims(shape.first()), dims(shape.get(1)));
        if self.out.launches.len() < LAUNCHES_MAX {
            let line = pos.line;
            self.out.launches.push(HostLaunch { kernel, line, template, grid, block, shared, input, args });
        }
    }

    fn argument(&self, value: &Value, depth: u32) -> HostArg {
        match value {
            Value::Int(value, input) => HostArg::Int(*value, *input),
            Value::Float(value, _) => HostArg::Float(*value),
            Value::Pointer { object: Some(object), offset, .. } => HostArg::Array {
                object: *object,
                bytes: self.objects[*object].bytes,
                offset: u64::try_from(*offset).unwrap_or(0),
            },
            Value::Parts(parts) if depth < 4 => {
                let fields = parts.iter().filter_map(|(key, value)| match key {
                    Key::Field(name) => Some((name.clone(), self.argument(value, depth + 1))),
                    Key::At(_) => None,
                });
                HostArg::Fields(fields.collect())
            }
            _ => HostArg::Unknown,
        }
    }

    /// A template argument as text: a type, or a number.
    fn template_text(&mut self, arg: &TemplateArg) -> Option<String> {
        match arg {
            TemplateArg::Type(ty) => match &self.bound_type(ty).kind {
                TypeKind::Scalar(scalar) => Some(crate::lower::types::Ty::Scalar(*scalar).shown()),
                TypeKind::Named(path) => path.plain().map(ToString::to_string),
                _ => None,
            },
            TemplateArg::Value(Expr { kind: ExprKind::Bool(value), .. }) => Some(value.to_string()),
            TemplateArg::Value(e) => match self.eval(e) {
                Value::Int(value, _) => Some(value.to_string()),
                Value::Type(ty) => self.template_text(&TemplateArg::Type((*ty).clone())),
                _ => match &e.kind {
                    ExprKind::Name(path) => path.plain().filter(|name| self.is_type(name)).map(ToString::to_string),
                    _ => None,
                },
            },
        }
    }

    fn is_type(&self, name: &Name) -> bool {
        self.unit.structs.iter().any(|s| s.name == *name) || self.unit.aliases.iter().any(|a| a.0 == *name)
    }
}

/// The name that an expression begins with, behind casts and `&`.
fn root(e: &Expr) -> Option<&Name> {
    match &e.kind {
        ExprKind::Name(path) => Some(path.last()),
        ExprKind::Cast(_, inner, _) | ExprKind::Unary(_, inner) => root(inner),
        _ => None,
    }
}
