//! What lowering knows at a place of the text: scopes, what names mean, and the code so far.

use crate::lower::emit::{Emitter, Label};
use crate::lower::types::{Binding, StructTy, Ty};
use crate::syntax::ast::{Expr, Function, Scalar, Struct, TemplateParam, TypeExpr, TypeKind, Unit, Variable};
use crate::syntax::token::{Fault, Name, Pos};
use bytecode::code::{Print, Promise, Reg};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Why lowering stops.
pub(crate) enum Stop {
    Fault(Fault),
    /// A declaration turned out to need memory, or to be assigned: start again with what is known now.
    Again,
}

pub(crate) type Lowered<T> = Result<T, Stop>;

/// Something that can be assigned.
#[derive(Clone)]
pub(crate) struct Place {
    pub ty: Ty,
    pub at: At,
}

#[derive(Clone)]
pub(crate) enum At {
    /// Scalars of a variable from `first` on; `decl` is where it was declared.
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

/// A value.
#[derive(Clone)]
pub(crate) struct Value {
    pub ty: Ty,
    pub kind: Kind,
}

#[derive(Clone)]
pub(crate) enum Kind {
    /// Its scalars.
    Regs(Vec<Reg>),
    /// A pointer to a variable that lives in registers; it can be followed but not stored.
    Pointer(Place),
    Text(Name),
    Lambda(Rc<Lambda>),
    Nothing,
}

pub(crate) struct Lambda {
    pub function: Rc<Function>,
    pub scopes: Vec<Scope>,
}

/// What a name means.
#[derive(Clone)]
pub(crate) enum Entity {
    Place(Place),
    /// A pointer variable that is only followed: what it points to.
    Pointer(Ty, Place),
    Type(Ty),
    Constant(Scalar, u64),
    Lambda(Rc<Lambda>),
}

pub(crate) type Scope = HashMap<Name, Entity>;

/// The function that is being inlined.
pub(crate) struct Frame {
    pub name: Name,
    pub scopes: Vec<Scope>,
    pub returns: Ty,
    /// Returns a reference.
    pub by_reference: bool,
    /// Where the value goes, once the first `return` was seen.
    pub result: Option<Value>,
    pub result_place: Option<Place>,
    /// There is one `return` in the whole function.
    pub single_return: bool,
    pub result_regs: Option<Vec<Reg>>,
    pub end: Label,
    /// A `return` jumped to the end.
    pub jumped: bool,
    pub this: Option<Place>,
    /// Names that are assigned in the function.
    pub assigned: Rc<HashSet<Name>>,
    pub breaks: Vec<Label>,
    pub continues: Vec<Label>,
    pub labels: HashMap<Name, (Label, bool)>,
    /// Labels of the cases of the `switch` around, by number of case.
    pub cases: Vec<Vec<Label>>,
    pub is_kernel: bool,
}

/// The names of a file.
#[derive(Default)]
pub(crate) struct Names {
    pub functions: HashMap<Name, Vec<Rc<Function>>>,
    pub methods: HashMap<(Name, Name), Vec<Rc<Function>>>,
    pub structs: HashMap<Name, Vec<Rc<Struct>>>,
    pub aliases: HashMap<Name, (Rc<Vec<TemplateParam>>, TypeExpr)>,
    pub enums: HashMap<Name, u64>,
    pub enum_types: HashSet<Name>,
    pub globals: HashMap<Name, Rc<Variable>>,
}

/// Lowers one kernel.
pub(crate) struct Lowerer<'u> {
    pub names: &'u Names,
    pub e: Emitter,
    pub frames: Vec<Frame>,
    /// Declarations that need memory.
    pub demoted: HashSet<Pos>,
    /// Local memory of declarations, by their type's name.
    pub locals: HashMap<(Pos, String), Reg>,
    /// Declarations that are assigned though they looked constant.
    pub varying: HashSet<Pos>,
    pub structs: HashMap<String, Rc<StructTy>>,
    pub prints: Vec<Print>,
    pub asserts: Vec<Rc<str>>,
    pub globals: HashMap<Name, (Reg, Ty)>,
    pub global_order: Vec<(Name, Reg)>,
    pub shared: HashMap<Pos, Place>,
    pub pos: Pos,
    /// Work left, so that no text takes for ever.
    pub fuel: u64,
    /// Nesting of what is being lowered.
    pub depth: u32,
}

/// Nesting of calls, statements and expressions.
const DEPTH_MAX: u32 = 320;
/// Functions inlined in one another.
const FRAMES_MAX: usize = 60;

impl Names {
    pub fn of(unit: &Unit) -> Self {
        let mut names = Self::default();
        for f in &unit.functions {
            match &f.owner {
                Some(owner) => names.methods.entry((owner.clone(), f.name.clone())).or_default().push(f.clone()),
                None => names.functions.entry(f.name.clone()).or_default().push(f.clone()),
            }
        }
        for s in &unit.structs {
            names.structs.entry(s.name.clone()).or_default().push(s.clone());
        }
        // C's `typedef struct node {…} node;` names the struct itself.
        let itself =
            |name: &Name, ty: &TypeExpr| matches!(&ty.kind, TypeKind::Named(path) if path.plain() == Some(name));
        for (name, params, ty) in unit.aliases.iter().filter(|(name, _, ty)| !itself(name, ty)) {
            names.aliases.insert(name.clone(), (params.clone(), ty.clone()));
        }
        for g in &unit.globals {
            names.globals.insert(g.name.clone(), g.clone());
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
    ) -> Lowered<T> {
        Err(Stop::Fault(Fault::new(self.pos, expected, found, help)))
    }

    pub fn at(&mut self, pos: Pos) {
        self.pos = pos;
        self.e.line = pos.line;
    }

    /// Goes one step down; a text that nests too deep is refused.
    pub fn nested<T>(&mut self, f: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        self.burn()?;
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

    /// Uses up work.
    pub fn burn(&mut self) -> Lowered<()> {
        self.fuel = self.fuel.saturating_sub(1);
        if self.fuel == 0 || self.e.count > crate::lower::emit::INSTRUCTIONS_MAX {
            return self.fault(
                "a kernel of bounded size",
                "too much code after inlining and unrolling",
                "make it smaller",
            );
        }
        Ok(())
    }

    pub fn frame(&mut self) -> &mut Frame {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    pub fn frame_ref(&self) -> &Frame {
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

    /// A name of the scopes around.
    pub fn local(&self, name: &str) -> Option<&Entity> {
        self.frame_ref().scopes.iter().rev().find_map(|scope| scope.get(name))
    }

    /// Enters a function.
    pub fn enter(&mut self, frame: Frame) -> Lowered<()> {
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

    pub fn new_frame(&mut self, name: Name, returns: Ty) -> Frame {
        let end = self.e.label();
        Frame {
            name,
            scopes: vec![Scope::new()],
            returns,
            by_reference: false,
            result: None,
            result_place: None,
            single_return: false,
            result_regs: None,
            end,
            jumped: false,
            this: None,
            assigned: Rc::default(),
            breaks: Vec::new(),
            continues: Vec::new(),
            labels: HashMap::new(),
            cases: Vec::new(),
            is_kernel: false,
        }
    }

    /// Runs something without leaving code behind: for types and constants.
    pub fn dry<T>(&mut self, f: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        let state = self.e.pause();
        let pos = self.pos;
        let prints = self.prints.len();
        let (shared, locals) = (self.shared.clone(), self.locals.clone());
        let result = f(self);
        self.prints.truncate(prints);
        (self.shared, self.locals) = (shared, locals);
        self.e.resume(state);
        self.at(pos);
        result
    }

    /// The value of a constant expression.
    pub fn constant(&mut self, expr: &Expr) -> Lowered<Option<(Scalar, u64)>> {
        let value = self.dry(|l| l.expr(expr))?;
        let (Some(scalar), Kind::Regs(regs)) = (value.ty.scalar(), &value.kind) else { return Ok(None) };
        Ok(regs.first().and_then(|r| self.e.value(*r)).map(|bits| (scalar, bits)))
    }

    /// A constant integer.
    pub fn constant_int(&mut self, expr: &Expr, what: &str) -> Lowered<i64> {
        self.at(expr.pos);
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
    pub fn type_of(&mut self, expr: &Expr) -> Lowered<Ty> {
        self.dry(|l| {
            if let Some(place) = l.try_place(expr)? {
                return Ok(place.ty);
            }
            l.expr(expr).map(|v| v.ty)
        })
    }

    pub fn bind_all(&mut self, bindings: &[(Name, Binding)]) {
        for (name, binding) in bindings {
            let entity = match binding {
                Binding::Type(ty) => Entity::Type(ty.clone()),
                Binding::Value(scalar, bits) => Entity::Constant(*scalar, *bits),
            };
            self.bind(name, entity);
        }
    }
}
