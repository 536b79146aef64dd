//! Runs the host code of a file as far as its launches need it.
//!
//! In: the tokens of a file and its device code. Out: a [`HostRun`] with the launches, their shapes and the values of their
//! arguments. Nothing is computed but sizes, pointers and what decides them. Of arrays, simple [`contents`] are kept.
//!
//! `main` runs without arguments. A branch that then ends the program before a launch is not taken. What a user types or a
//! file holds is taken to be [`ASSUMED`]. A loop that does not matter for launches is skipped. The number of steps is
//! bounded.

mod call;
mod class;
mod closure;
mod container;
pub(crate) mod contents;
mod expression;
pub(crate) mod image;
mod library;
mod place;
mod record;
pub(crate) mod scale;
mod statement;
pub(crate) mod types;
pub(crate) mod value;

use crate::lower::Module;
use crate::syntax::ast::{Alias, Expr, ExprKind, Function, FunctionKind, Stmt, Struct, TypeExpr, TypeKind, Unit};
use crate::syntax::parse::host::{parse_host, LAUNCH};
use crate::syntax::token::{Name, Pos, Token};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use value::{Input, Place, Value};

/// The value of a number that the text does not decide.
pub(crate) const ASSUMED: i64 = 256;
/// Steps of a run, of a loop or function without launches, and of a loop with them.
const FUEL: u64 = 1_000_000;
const SIDE_FUEL: u64 = 50_000;
const LOOP_FUEL: u64 = 200_000;
/// Steps of a function that may lead to a launch, after those before it took many and led to none.
const REST_FUEL: u64 = 5_000;
/// Steps of a function that can only write to arrays.
const LOOK_FUEL: u64 = 2_000;
/// Deepest nesting of calls.
const DEPTH_MAX: u32 = 24;
/// Deepest nesting of expressions and statements in all calls. The stack of a browser's worker is small.
const NESTING_MAX: u32 = 400;
/// Most launches that are kept of one line, and of all. A benchmark repeats each of its launches in a loop of its own.
pub(crate) const LAUNCHES_MAX: usize = 256;
const ALL_LAUNCHES_MAX: usize = 4096;

/// An argument of a launch.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum HostArg {
    Unknown,
    Int(i64, Input),
    Float(f64, Input),
    /// An array with its size and the bytes before the pointer.
    Array {
        object: usize,
        bytes: Option<u64>,
        offset: u64,
        /// Whether its size depends on something that the text does not decide.
        open: bool,
        /// What the host left in it.
        contents: Option<Rc<contents::Contents>>,
        /// Its elements, if they are few structs whose members the host set.
        structs: Vec<HostArg>,
    },
    Fields(Vec<(Name, HostArg)>),
    /// A texture or surface.
    Image(image::Image),
    /// A function of the device.
    Function(Name),
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
    /// Whether the grid and the block depend on one.
    pub open: [bool; 2],
    pub args: Vec<HostArg>,
}

/// Something that the text does not decide.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct HostInput {
    pub pos: Pos,
    /// The undeclared name, if it is one.
    pub name: Option<Name>,
}

/// What the host does.
#[derive(Clone, Debug, Default)]
pub struct HostRun {
    pub(crate) launches: Vec<HostLaunch>,
    /// Kernels with more launches than are kept.
    pub(crate) cut_off: Vec<Name>,
    pub(crate) inputs: Vec<HostInput>,
    /// Numbers of the text that may be sizes, with their values.
    pub(crate) literals: Vec<(Pos, i64)>,
    /// The classes of the lambdas that kernels get.
    pub(crate) closures: Vec<Rc<Struct>>,
}

/// Values that replace those of the text.
#[derive(Clone, Debug, Default)]
pub struct HostSizes {
    /// The value of a number that the text does not decide, if it is not [`ASSUMED`].
    pub assumed: Option<i64>,
    /// By the name of a variable.
    pub names: Vec<(Name, i64)>,
    /// By the place of a number.
    pub literals: Vec<(Pos, i64)>,
    /// Of what the text does not decide: a parameter of a kernel got the value of its name.
    pub(crate) inputs: Vec<(HostInput, i64)>,
}

/// Which launch of a kernel is meant, if the host has several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HostChoice {
    /// The one with the most threads, or the first of those.
    #[default]
    Widest,
    /// The one of this number among those of the kernel, from 1, or the last.
    Number(usize),
    /// The one of this index among those of all kernels, from 0.
    Index(usize),
}

fn product(dims: [u64; 3]) -> u64 {
    dims.iter().fold(1, |a, b| a.saturating_mul(*b))
}

impl HostRun {
    /// The launch of a kernel that has the most threads, or the first of those.
    pub(crate) fn launch(&self, kernel: &str) -> Option<&HostLaunch> {
        self.choose(kernel, HostChoice::Widest).map(|(_, launch)| launch)
    }

    /// The chosen launch of a kernel with its number among those of the kernel, from 1.
    pub(crate) fn choose(&self, kernel: &str, choice: HostChoice) -> Option<(usize, &HostLaunch)> {
        let of = || (1..).zip(self.launches.iter().filter(|l| &*l.kernel == kernel));
        match choice {
            HostChoice::Widest => {
                let threads = |l: &HostLaunch| Some(product(l.grid?).saturating_mul(product(l.block?)));
                let most = of().filter_map(|(_, l)| threads(l)).max();
                // A `switch` over the size of the block has a launch per size, and the one with the size that the block has is meant.
                let is_told = |l: &HostLaunch| {
                    let size = l.block.map(|block| product(block).to_string());
                    size.is_some() && l.template.contains(&size)
                };
                let widest = || of().filter(|(_, l)| threads(l) == most);
                let chosen = widest().find(|(_, l)| is_told(l));
                chosen.or_else(|| widest().next())
            }
            HostChoice::Number(number) => of().take(number).last(),
            HostChoice::Index(index) => {
                let launch = self.launches.get(index).filter(|l| &*l.kernel == kernel)?;
                Some((self.launches[..=index].iter().filter(|l| l.kernel == launch.kernel).count(), launch))
            }
        }
    }

    /// The kernels in the order of the launches.
    pub fn kernels(&self) -> impl Iterator<Item = &Name> {
        self.launches.iter().map(|l| &l.kernel)
    }

    /// Whether the host has more launches than are kept.
    pub fn is_cut_off(&self) -> bool {
        !self.cut_off.is_empty()
    }

    /// Keeps a launch, unless there are enough.
    fn keep(&mut self, launch: HostLaunch) {
        let of_line = self.launches.iter().rev().filter(|l| l.line == launch.line);
        let left = self.launches.len() < ALL_LAUNCHES_MAX && of_line.take(LAUNCHES_MAX).count() < LAUNCHES_MAX;
        if left {
            self.launches.push(launch);
        } else if !self.cut_off.contains(&launch.kernel) {
            self.cut_off.push(launch.kernel);
        }
    }

    /// The kernels of the launches from this one on have more that are not known.
    fn cut_off_after(&mut self, first: usize) {
        for launch in self.launches.iter().skip(first) {
            if !self.cut_off.contains(&launch.kernel) {
                self.cut_off.push(launch.kernel.clone());
            }
        }
    }

    /// The value of what the text does not decide, if there is anything.
    pub fn open_value(&self) -> Option<i64> {
        (!self.inputs.is_empty()).then_some(ASSUMED)
    }

    /// The number of launches of a kernel.
    pub fn count(&self, kernel: &str) -> usize {
        self.launches.iter().filter(|l| &*l.kernel == kernel).count()
    }

    /// What the host leaves open and hands as it is to parameters of kernels for which a size is given.
    fn inputs_of(&self, unit: &Unit, sizes: &HostSizes) -> Vec<(HostInput, i64)> {
        let assumed = sizes.assumed.unwrap_or(ASSUMED);
        let mut out: Vec<(HostInput, i64)> = Vec::new();
        for launch in self.launches.iter().filter(|_| !sizes.names.is_empty()) {
            let kernel = unit.functions.iter().find(|f| f.kind == FunctionKind::Kernel && f.name == launch.kernel);
            for (param, arg) in kernel.iter().flat_map(|f| &f.params).zip(&launch.args) {
                let given = sizes.names.iter().find(|(name, _)| param.name.as_ref() == Some(name));
                let (Some((_, value)), HostArg::Int(now, input @ 1..)) = (given, arg) else { continue };
                let Some(input) = self.inputs.get(usize::from(*input) - 1).filter(|_| *now == assumed) else {
                    continue;
                };
                if !out.iter().any(|(other, _)| other == input) {
                    out.push((input.clone(), *value));
                }
            }
        }
        out
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

/// Runs the host code of a file. A size for a parameter of a kernel is the value of what the host leaves open and hands to it.
pub fn run_host(tokens: &[Token], unit: &Unit, module: &Module, sizes: &HostSizes) -> HostRun {
    let run = run_once(tokens, unit, module, sizes);
    let inputs = run.inputs_of(unit, sizes);
    if inputs.is_empty() {
        return run;
    }
    run_once(tokens, unit, module, &HostSizes { inputs, ..sizes.clone() })
}

fn run_once(tokens: &[Token], unit: &Unit, module: &Module, sizes: &HostSizes) -> HostRun {
    if !tokens.iter().any(|t| t.is(LAUNCH) || t.ident().is_some_and(|n| starts(n))) {
        return HostRun::default();
    }
    let code = parse_host(tokens.to_vec(), unit);
    let mut functions: HashMap<Name, Rc<Function>> = HashMap::new();
    for f in unit.functions.iter().filter(|f| f.kind == FunctionKind::Device && f.owner.is_none()) {
        functions.insert(f.name.clone(), f.clone());
    }
    // What stands before `::` is a class or a namespace.
    let is_class = |f: &&Rc<Function>| f.owner.as_ref().is_some_and(|o| code.structs.iter().any(|s| s.name == *o));
    let methods: Vec<Rc<Function>> = code.functions.iter().filter(is_class).cloned().collect();
    for f in code.functions.iter().filter(|f| f.body.is_some() && !is_class(f)) {
        functions.insert(f.name.clone(), f.clone());
    }
    let inside = code.structs.iter().flat_map(|s| &s.methods).filter(|f| f.body.is_some());
    let all: Vec<Rc<Function>> = functions.values().chain(&methods).chain(inside).cloned().collect();
    let globals: HashSet<Name> = code.globals.iter().map(|v| v.name.clone()).collect();
    let mut by_name: HashMap<Name, Rc<Struct>> = HashMap::new();
    for class in code.structs.iter().chain(&unit.structs) {
        by_name.entry(class.name.clone()).or_insert_with(|| class.clone());
    }
    let mut aliases: HashMap<&Name, &Alias> = HashMap::new();
    for alias in &unit.aliases {
        aliases.entry(&alias.0).or_insert(alias);
    }
    let mut methods_of: HashMap<Name, Vec<Rc<Function>>> = HashMap::new();
    for f in &methods {
        methods_of.entry(f.owner.clone().unwrap_or_default()).or_default().push(f.clone());
    }
    let mut host = Host {
        active: callers(&all, matters),
        writers: statement::writers(&all, &globals),
        functions,
        methods,
        classes: code.structs,
        by_name,
        methods_of,
        aliases,
        entries: Vec::new(),
        everything: false,
        unit,
        module,
        sizes,
        scope: Vec::new(),
        globals: 0,
        base: 0,
        slots: Vec::new(),
        wholes: HashSet::new(),
        objects: Vec::new(),
        read_back: HashSet::new(),
        fuel: FUEL,
        floor: 0,
        depth: 0,
        nesting: 0,
        rounds: 0,
        exits: false,
        entered: HashSet::new(),
        out: HostRun::default(),
    };
    for variable in &code.globals {
        host.declare(variable);
        (host.globals, host.base) = (host.scope.len(), host.scope.len());
    }
    // Before the functions that others call, which may stand behind those when they are declared ahead.
    let mut inner = HashSet::new();
    for f in code.functions.iter().filter(|f| host.active.contains(&f.name)) {
        let mut calls = HashSet::new();
        f.body.iter().for_each(|body| called(body, &mut calls));
        inner.extend(calls.into_iter().filter(|name| *name != f.name));
    }
    let (inner, outer): (Vec<_>, Vec<_>) = code.functions.iter().rev().partition(|f| inner.contains(&f.name));
    let main = code.functions.iter().filter(|f| &*f.name == "main");
    let roots = main.chain(outer).chain(inner);
    // Large libraries have a thousand functions that allocate, and few of them lead to a launch.
    let (leading, mut idle) = (callers(&all, starts), FUEL / 4);
    for f in roots {
        let main = &*f.name == "main";
        let matters = main || host.active.contains(&f.name) && (idle > 0 || leading.contains(&f.name));
        if f.body.is_some() && matters && !host.entered.contains(&f.name) {
            let (fuel, known) = (host.fuel.max(FUEL / 4), host.out.launches.len());
            let own = main || launches(f) || idle > 0 && leading.contains(&f.name);
            let steps = if own { fuel } else { idle.max(REST_FUEL) };
            (host.fuel, host.floor, host.exits) = (fuel, fuel - steps, false);
            host.run_root(f);
            if host.out.launches.len() == known {
                idle = idle.saturating_sub(fuel - host.fuel);
            }
        }
    }
    host.run_left_out();
    host.out
}

/// The functions that call one of these functions of the library, themselves or through others.
fn callers(functions: &[Rc<Function>], of: fn(&str) -> bool) -> HashSet<Name> {
    let calls: Vec<(Name, HashSet<Name>)> = functions
        .iter()
        .map(|f| {
            let mut calls = HashSet::new();
            if let Some(body) = &f.body {
                called(body, &mut calls);
            }
            (f.name.clone(), calls)
        })
        .collect();
    let mut found = HashSet::new();
    loop {
        let before = found.len();
        for (name, calls) in &calls {
            if calls.iter().any(|c| of(c) || found.contains(c)) {
                found.insert(name.clone());
            }
        }
        if found.len() == before {
            return found;
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
    starts(name) || name == "new" || name.contains("lloc")
}

/// Whether a function of the library launches a kernel.
fn starts(name: &str) -> bool {
    name == LAUNCH
        || ["cudaLaunch", "cuLaunch", "hipLaunch"].iter().any(|start| name.starts_with(start))
        || name.starts_with("cudaGraphAddKernelNode")
}

/// Whether a function launches a kernel itself.
fn launches(f: &Function) -> bool {
    let mut calls = HashSet::new();
    if let Some(body) = &f.body {
        called(body, &mut calls);
    }
    calls.iter().any(|name| starts(name))
}

/// An allocation: its size, and the slot of what is known of its contents.
struct Object {
    bytes: Option<u64>,
    /// Whether the size depends on something that the text does not decide.
    open: bool,
    slot: usize,
    /// What a `cudaArray` or the memory of a texture holds.
    image: Option<image::Image>,
    /// What the host left in it, until something may change it.
    contents: Option<Rc<contents::Contents>>,
}

#[derive(Clone, Debug)]
struct Variable {
    name: Name,
    /// Where its value is. A reference and a member have the place of something else.
    place: Place,
    /// Size in bytes, for `sizeof`.
    size: Option<u64>,
    /// The type, if it is known.
    ty: Option<Rc<TypeExpr>>,
}

/// A call of a function: the values of its template parameters and parameters, its object, and what a lambda sees.
#[derive(Clone)]
struct Entry {
    function: Rc<Function>,
    bound: Vec<(Name, Value)>,
    values: Vec<Value>,
    this: Option<class::ThisObject>,
    seen: Vec<Variable>,
}

/// The state of a run of host code.
struct Host<'a> {
    functions: HashMap<Name, Rc<Function>>,
    /// Methods that are defined outside of their classes.
    methods: Vec<Rc<Function>>,
    classes: Vec<Rc<Struct>>,
    /// The first class of each name, of the host or of the device code.
    by_name: HashMap<Name, Rc<Struct>>,
    /// The methods that are defined outside of their classes, by these, and the first alias of each name.
    methods_of: HashMap<Name, Vec<Rc<Function>>>,
    aliases: HashMap<&'a Name, &'a Alias>,
    active: HashSet<Name>,
    /// Functions that set a global variable.
    writers: HashSet<Name>,
    /// The first calls of the functions that launch kernels.
    entries: Vec<Entry>,
    /// Whether all branches are taken and all loops run once.
    everything: bool,
    unit: &'a Unit,
    module: &'a Module,
    sizes: &'a HostSizes,
    /// Global variables, then those of the functions that are being called. Only those from `base` on are visible.
    scope: Vec<Variable>,
    globals: usize,
    base: usize,
    slots: Vec<Value>,
    /// The slots of variables that are whole numbers.
    wholes: HashSet<usize>,
    objects: Vec<Object>,
    /// The slots of variables and arrays to which something wrote values that are not known.
    read_back: HashSet<usize>,
    /// Steps left. A part that may not use all of them stops at `floor`.
    fuel: u64,
    floor: u64,
    depth: u32,
    nesting: u32,
    /// Loops that are in a round.
    rounds: u32,
    /// Whether `exit` was called.
    exits: bool,
    /// Functions that were called.
    entered: HashSet<Name>,
    out: HostRun,
}

impl Host<'_> {
    /// Looks for the launches of kernels that no run reached. The functions that launch them run once more, in all branches.
    fn run_left_out(&mut self) {
        let known = self.out.launches.len();
        let reached = |host: &Self, kernel: &str| host.out.launches[..known].iter().any(|l| &*l.kernel == kernel);
        let mut kernels = self.unit.functions.iter().filter(|f| f.kind == FunctionKind::Kernel && f.body.is_some());
        if kernels.all(|k| reached(self, &k.name)) {
            return;
        }
        self.everything = true;
        for entry in std::mem::take(&mut self.entries) {
            (self.fuel, self.floor, self.exits) = (self.fuel.max(LOOP_FUEL), 0, false);
            self.run_entry(entry);
        }
        // Methods that nothing called, such as those behind a table of functions.
        let inside = self.classes.iter().flat_map(|s| &s.methods);
        let methods: Vec<Rc<Function>> = self.methods.iter().chain(inside).cloned().collect();
        for f in methods.iter().filter(|f| launches(f)) {
            if !self.entered.contains(&f.name) {
                (self.fuel, self.floor, self.exits) = (self.fuel.max(LOOP_FUEL), 0, false);
                self.run_root(f);
            }
        }
        let mut index = 0;
        let found = std::mem::take(&mut self.out.launches);
        let first: Vec<HostLaunch> = found[..known].to_vec();
        self.out.launches = found;
        self.out.launches.retain(|l| {
            index += 1;
            index <= known || !first.iter().any(|f| f.kernel == l.kernel)
        });
    }

    /// Takes a step. Returns false if none is left.
    fn burn(&mut self, steps: u64) -> bool {
        let left = self.fuel > self.floor + steps;
        self.fuel = if left { self.fuel - steps } else { self.floor };
        left
    }

    fn bind(&mut self, name: Name, value: Value, size: Option<u64>) {
        self.bind_typed(name, value, (size, None));
    }

    fn bind_typed(&mut self, name: Name, value: Value, (size, ty): (Option<u64>, Option<Rc<TypeExpr>>)) {
        self.slots.push(value);
        let place = Place { slot: self.slots.len() - 1, path: Vec::new() };
        self.scope.push(Variable { name, place, size, ty });
    }

    fn variable(&self, name: &str) -> Option<&Variable> {
        let own = self.scope[self.base..].iter().rev();
        own.chain(self.scope[..self.globals].iter().rev()).find(|v| *v.name == *name)
    }

    /// A number that the text does not decide.
    fn input(&mut self, pos: Pos, name: Option<Name>) -> Value {
        let known = self.out.inputs.iter().position(|i| i.pos == pos && i.name == name);
        let number = known.unwrap_or(self.out.inputs.len());
        if known.is_none() {
            self.out.inputs.push(HostInput { pos, name: name.clone() });
        }
        // What is given is not open any more.
        if let Some((_, value)) = self.sizes.inputs.iter().find(|(input, _)| input.pos == pos && input.name == name) {
            return Value::int(*value);
        }
        let number = number.saturating_add(1).min(usize::from(Input::MAX)) as Input;
        Value::Int(self.sizes.assumed.unwrap_or(ASSUMED), number)
    }

    fn allocate(&mut self, bytes: Option<u64>, element: u64) -> Value {
        self.slots.push(Value::Unknown);
        self.objects.push(Object { bytes, open: false, slot: self.slots.len() - 1, image: None, contents: None });
        Value::Pointer { object: Some(self.objects.len() - 1), offset: 0, element }
    }

    /// The type that stands for a template parameter, or the type itself.
    fn bound_type<'t>(&self, ty: &'t TypeExpr) -> std::borrow::Cow<'t, TypeExpr> {
        if let TypeKind::Named(path) = &ty.kind {
            if let Some(Value::Type(ty)) = path.plain().and_then(|n| self.variable(n)).map(|v| self.get(&v.place)) {
                return std::borrow::Cow::Owned((*ty).clone());
            }
            if path.parts.len() > 1 || path.args().is_some() {
                return self.settled(ty).map_or(std::borrow::Cow::Borrowed(ty), std::borrow::Cow::Owned);
            }
        }
        std::borrow::Cow::Borrowed(ty)
    }

    /// Size of a type in bytes.
    fn size_of(&mut self, ty: &TypeExpr) -> Option<u64> {
        match &ty.kind {
            TypeKind::Pointer(..) => Some(8),
            // The length comes from the values.
            TypeKind::Array(_, None) => None,
            TypeKind::Array(inner, Some(count)) => {
                let count = self.eval(count).as_int()?;
                self.size_of(inner)?.checked_mul(u64::try_from(count).ok()?)
            }
            _ => self.module.resolve(&self.bound_type(ty)).ok().map(|ty| ty.size()),
        }
    }
}

/// The place of one of several numbers that are read at the same place.
fn part(pos: Pos, number: u32) -> Pos {
    Pos { column: pos.column + number, ..pos }
}

/// The name that an expression begins with, behind casts and `&`.
fn root(e: &Expr) -> Option<&Name> {
    match &e.kind {
        ExprKind::Name(path) => Some(path.last()),
        ExprKind::Cast(_, inner, _) | ExprKind::Unary(_, inner) => root(inner),
        _ => None,
    }
}
