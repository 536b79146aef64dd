//! The state of lowering: scopes, the meaning of names, and the code so far.

use crate::lower::emit::{Emitter, Label};
use crate::lower::types::{Binding, StructTy, Ty};
use crate::syntax::ast::{Expr, Function, Scalar, Struct, TemplateParam, TypeExpr, TypeKind, Unit, Variable};
use crate::syntax::headers::OWN_LINES;
use crate::syntax::token::{Name, Pos, TextFault};
use bytecode::code::{PrintCall, Promise, Reg};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Why lowering stops early.
pub(crate) enum Stop {
    TextFault(TextFault),
    /// A declaration turned out to need memory or to be assigned. Lowering starts again with this knowledge.
    Restart,
}

pub(crate) type LowerResult<T> = Result<T, Stop>;

/// An lvalue: something that can be assigned or have its address taken.
#[derive(Clone)]
pub(crate) struct LValue {
    pub ty: Ty,
    pub at: Location,
}

#[derive(Clone)]
pub(crate) enum Location {
    /// Registers of a variable, from the scalar `first` on. `decl` is the position of its declaration.
    Regs {
        regs: Rc<Vec<Reg>>,
        first: usize,
        decl: Pos,
    },
    Memory {
        address: Reg,
        offset: i64,
        promise: Promise,
    },
}

/// A typed value, in registers or known to the compiler only.
#[derive(Clone)]
pub(crate) struct Value {
    pub ty: Ty,
    pub kind: ValueKind,
}

#[derive(Clone)]
pub(crate) enum ValueKind {
    /// One register per scalar.
    Regs(Vec<Reg>),
    /// A pointer to a variable that lives in registers. It can be dereferenced but not stored.
    Pointer(LValue),
    Text(Name),
    Lambda(Rc<Lambda>),
    Nothing,
}

pub struct Lambda {
    pub(crate) function: Rc<Function>,
    pub(crate) scopes: Vec<Scope>,
    /// The object whose method makes it.
    pub(crate) this: Option<LValue>,
    /// Counts the lambdas. Each has a type of its own.
    pub(crate) number: u32,
}

impl std::fmt::Debug for Lambda {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "lambda {}", self.number)
    }
}

impl Lambda {
    /// Its value. A function that is named as a value has the type of no object.
    pub(crate) fn value(self: Rc<Self>) -> Value {
        let ty = if self.number > 0 { Ty::Lambda(self.clone()) } else { Ty::VOID };
        Value { ty, kind: ValueKind::Lambda(self) }
    }
}

/// The meaning of a name.
#[derive(Clone)]
pub(crate) enum Entity {
    LValue(LValue),
    /// A pointer variable that is only dereferenced, and its target.
    Pointer(Ty, LValue),
    Type(Ty),
    Constant(Scalar, u64),
    Lambda(Rc<Lambda>),
    /// Another name: a function or a template given as template argument.
    Named(Name),
    /// A pack of this many elements.
    Pack(usize),
}

pub(crate) type Scope = HashMap<Name, Entity>;

/// A function that is being inlined.
pub(crate) struct InlineFrame {
    pub name: Name,
    pub scopes: Vec<Scope>,
    pub returns: Ty,
    /// Whether the function returns a reference.
    pub by_reference: bool,
    /// The value of the first `return`, to which the others are assigned.
    pub result: Option<Value>,
    pub result_lvalue: Option<LValue>,
    /// Whether the function has only one `return`.
    pub single_return: bool,
    pub result_regs: Option<Vec<Reg>>,
    pub end: Label,
    /// Whether a `return` jumped to `end`.
    pub jumped: bool,
    pub this: Option<LValue>,
    /// Names of references. What they stand for may be an object of a class below theirs.
    pub references: HashSet<Name>,
    /// Names that the function assigns.
    pub assigned: Rc<HashSet<Name>>,
    pub breaks: Vec<Label>,
    pub continues: Vec<Label>,
    pub labels: HashMap<Name, (Label, bool)>,
    /// For each enclosing `switch`, the labels of its remaining cases in order.
    pub cases: Vec<Vec<Label>>,
    pub is_kernel: bool,
}

/// The declared names of a file.
#[derive(Default)]
pub(crate) struct Names {
    pub functions: HashMap<Name, Vec<Rc<Function>>>,
    pub methods: HashMap<(Name, Name), Vec<Rc<Function>>>,
    pub structs: HashMap<Name, Vec<Rc<Struct>>>,
    pub aliases: HashMap<Name, (Rc<Vec<TemplateParam>>, TypeExpr)>,
    /// The values of enums. One that is not constant is a fault where it is used.
    pub enums: HashMap<Name, Result<u64, TextFault>>,
    pub enum_types: HashSet<Name>,
    pub globals: HashMap<Name, Rc<Variable>>,
    /// Templates of variables.
    pub global_templates: HashMap<Name, (Rc<Variable>, Vec<TemplateParam>)>,
    /// The functions that a pointer may point to. Their numbers, counted from 1, are the pointers.
    pub addressed: Vec<Rc<Function>>,
    /// The names of functions that the file uses without a call.
    pub taken: std::cell::OnceCell<HashSet<Name>>,
}

/// Lowers one kernel.
pub(crate) struct Lowerer<'u> {
    pub names: &'u Names,
    pub code: Emitter,
    pub frames: Vec<InlineFrame>,
    /// Declarations of variables that need memory.
    pub demoted: HashSet<Pos>,
    /// Addresses of local variables, by position of the declaration and name of the type.
    pub locals: HashMap<(Pos, String), Reg>,
    /// Declarations that are assigned though they looked constant.
    pub varying: HashSet<Pos>,
    pub structs: HashMap<String, Rc<StructTy>>,
    pub prints: Vec<PrintCall>,
    pub asserts: Vec<Rc<str>>,
    pub globals: HashMap<Name, (Reg, Ty)>,
    pub global_order: Vec<(Name, Reg)>,
    pub shared: HashMap<Pos, LValue>,
    /// The carry of inline PTX, of which a thread has one.
    pub carry: Option<LValue>,
    pub pos: Pos,
    /// The number of the last lambda.
    pub lambdas: u32,
    /// Steps left. They bound the time for any text.
    pub fuel: u64,
    /// Current nesting of calls, statements and expressions.
    pub depth: u32,
    /// How many constants are being evaluated inside one another. Calls then run while compiling, if they can.
    pub folding: u32,
}

/// Deepest nesting of calls, statements and expressions.
const DEPTH_MAX: u32 = 320;
/// Most functions that are inlined into one another.
const FRAMES_MAX: usize = 60;

impl Names {
    pub fn of(unit: &Unit) -> Self {
        let mut names = Self::default();
        let plain = |f: &&Rc<Function>| f.body.is_some() && f.owner.is_none() && f.template.is_empty();
        names.addressed = unit.functions.iter().filter(plain).cloned().collect();
        for f in &unit.functions {
            match &f.owner {
                Some(owner) => names.methods.entry((owner.clone(), f.name.clone())).or_default().push(f.clone()),
                None => names.functions.entry(f.name.clone()).or_default().push(f.clone()),
            }
        }
        for s in &unit.structs {
            names.structs.entry(s.name.clone()).or_default().push(s.clone());
        }
        for s in &unit.declared {
            let all = names.structs.entry(s.name.clone()).or_default();
            if !all.is_empty() && all.iter().all(|s| s.specialised.is_some()) {
                all.push(s.clone());
            }
        }
        // `typedef struct node {…} node;` and `using A = space::A;` name the type itself and are no aliases. A member of a class
        // is another type.
        let itself = |name: &Name, ty: &TypeExpr| {
            let TypeKind::Named(path) = &ty.kind else { return false };
            path.plain() == Some(name)
                || matches!(&path.parts[..], [.., (owner, _), (last, _)] if last == name && !names.structs.contains_key(owner))
        };
        let aliases = unit.aliases.iter().filter(|(name, _, ty)| !itself(name, ty));
        names.aliases = aliases.map(|(name, params, ty)| (name.clone(), (params.clone(), ty.clone()))).collect();
        for g in &unit.globals {
            names.globals.insert(g.name.clone(), g.clone());
        }
        for (g, params) in &unit.global_templates {
            names.global_templates.insert(g.name.clone(), (g.clone(), params.clone()));
        }
        for e in &unit.enums {
            names.enum_types.extend(e.name.clone());
        }
        names
    }
}

impl Lowerer<'_> {
    pub fn fault<T>(
        &self,
        expected: impl Into<String>,
        found: impl Into<String>,
        help: impl Into<String>,
    ) -> LowerResult<T> {
        Err(Stop::TextFault(TextFault::new(self.pos, expected, found, help)))
    }

    pub fn set_line(&mut self, pos: Pos) {
        // What the prelude or a header of ours does belongs to the line of its call. The prelude has no lines.
        if pos.line != 0 && pos.line < OWN_LINES {
            self.pos = pos;
            self.code.line = pos.line;
        }
    }

    /// Runs `f` one level deeper, or reports that the nesting is too deep.
    pub fn nested<T>(&mut self, f: impl FnOnce(&mut Self) -> LowerResult<T>) -> LowerResult<T> {
        self.use_fuel()?;
        if self.depth >= DEPTH_MAX {
            return self.fault(
                "a kernel with less nesting",
                "calls, statements and expressions too deep in each other",
                "split it",
            );
        }
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        result
    }

    /// Uses up one step.
    pub fn use_fuel(&mut self) -> LowerResult<()> {
        self.use_fuel_for(1)
    }

    /// Uses up some steps.
    pub fn use_fuel_for(&mut self, steps: u64) -> LowerResult<()> {
        self.fuel = self.fuel.saturating_sub(steps);
        if self.fuel == 0 || self.code.count > crate::lower::emit::INSTRUCTIONS_MAX {
            return self.fault(
                "a kernel of bounded size",
                "too much code after inlining and unrolling",
                "make it smaller",
            );
        }
        Ok(())
    }

    pub fn frame(&mut self) -> &mut InlineFrame {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    pub fn frame_ref(&self) -> &InlineFrame {
        &self.frames[self.frames.len() - 1]
    }

    pub fn push_scope(&mut self) {
        self.frame().scopes.push(Scope::new());
    }

    pub fn pop_scope(&mut self) {
        self.frame().scopes.pop();
    }

    pub fn bind(&mut self, name: &Name, entity: Entity) {
        if let Some(scope) = self.frame().scopes.last_mut() {
            scope.insert(name.clone(), entity);
        }
    }

    /// The meaning of a name in the current scopes.
    pub fn local(&self, name: &str) -> Option<&Entity> {
        self.frame_ref().scopes.iter().rev().find_map(|scope| scope.get(name))
    }

    /// Enters a function.
    pub fn enter(&mut self, frame: InlineFrame) -> LowerResult<()> {
        if self.frames.len() >= FRAMES_MAX {
            let found = format!("`{}` inside more than {FRAMES_MAX} calls", frame.name);
            return self.fault(
                "functions without recursion",
                found,
                "calls are inlined; write the recursion as a loop",
            );
        }
        self.frames.push(frame);
        Ok(())
    }

    pub fn new_frame(&mut self, name: Name, returns: Ty) -> InlineFrame {
        let end = self.code.label();
        InlineFrame {
            name,
            scopes: vec![Scope::new()],
            returns,
            by_reference: false,
            result: None,
            result_lvalue: None,
            single_return: false,
            result_regs: None,
            end,
            jumped: false,
            this: None,
            references: HashSet::new(),
            assigned: Rc::default(),
            breaks: Vec::new(),
            continues: Vec::new(),
            labels: HashMap::new(),
            cases: Vec::new(),
            is_kernel: false,
        }
    }

    /// Runs `f` and discards the code that it writes. Types and constants are computed this way.
    pub fn without_code<T>(&mut self, f: impl FnOnce(&mut Self) -> LowerResult<T>) -> LowerResult<T> {
        let state = self.code.pause();
        let pos = self.pos;
        let prints = self.prints.len();
        let (shared, locals) = (self.shared.clone(), self.locals.clone());
        let result = f(self);
        self.prints.truncate(prints);
        (self.shared, self.locals) = (shared, locals);
        self.code.resume(state);
        self.set_line(pos);
        result
    }

    /// The value of a constant expression.
    pub fn constant(&mut self, expr: &Expr) -> LowerResult<Option<(Scalar, u64)>> {
        self.folding += 1;
        let value = self.without_code(|l| l.expr(expr));
        self.folding -= 1;
        let mut value = value?;
        if matches!(value.kind, ValueKind::Lambda(_)) || matches!(value.ty, Ty::Pointer(_)) {
            let whole = Ty::Scalar(Scalar::U64);
            value = self.convert(value, &Ty::pointer(Ty::VOID)).map(|p| Value { ty: whole, ..p })?;
        }
        let (Some(scalar), ValueKind::Regs(regs)) = (value.ty.scalar(), &value.kind) else { return Ok(None) };
        Ok(regs.first().and_then(|r| self.code.value(*r)).map(|bits| (scalar, bits)))
    }

    /// The value of a constant integer expression.
    pub fn constant_int(&mut self, expr: &Expr, what: &str) -> LowerResult<i64> {
        self.set_line(expr.pos);
        match self.constant(expr)? {
            Some((scalar, bits)) => {
                let from = crate::lower::types::num(scalar);
                Ok(bytecode::scalar::convert(from, bytecode::code::Num::I64, bits) as i64)
            }
            None => self.fault(
                format!("a constant as {what}"),
                "a value known only when it runs",
                "use a literal, a macro or a `const int`",
            ),
        }
    }

    /// The type of an expression.
    pub fn type_of(&mut self, expr: &Expr) -> LowerResult<Ty> {
        self.without_code(|l| {
            if let Some(place) = l.try_place(expr)? {
                return Ok(place.ty.read());
            }
            l.expr(expr).map(|v| v.ty)
        })
    }

    pub fn bind_all(&mut self, bindings: &[(Name, Binding)]) {
        for (name, binding) in bindings {
            let entity = match binding {
                Binding::Type(ty) => Entity::Type(ty.clone()),
                Binding::Value(scalar, bits) => Entity::Constant(*scalar, *bits),
                Binding::Named(name) => Entity::Named(name.clone()),
                Binding::Pack(count) => Entity::Pack(*count),
            };
            self.bind(name, entity);
        }
    }
}
