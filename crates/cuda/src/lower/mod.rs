//! Lowers a kernel of the syntax tree to bytecode: types, overloads, templates, conversions. All calls are inlined.
//!
//! In: a [`Unit`], a kernel and its template arguments. Out: a [`Program`], or the fault.
//!
//! A local variable lives in registers until something needs its address, such as an index that is not constant.
//! Whether that happens shows only while lowering. Lowering then starts again with the variable in local memory. `a * b
//! + c` of floats becomes one fma, as the compiler does by default.
//!
//! Not modelled: virtual functions, exceptions, evaluation orders that C++ leaves open (one is taken), `long double`,
//! rounding modes other than to nearest.

mod arithmetic;
mod builtin;
mod call;
mod constants;
mod context;
mod declare;
mod deduce;
mod emit;
mod expr;
mod lvalue;
mod machine;
mod method;
mod overload;
pub(crate) mod packs;
mod pointer;
pub(crate) mod range;
mod resolve;
mod stmt;
mod surface;
pub mod types;
mod value;
pub mod walk;

use crate::syntax::ast::{Function, TemplateArg, TypeExpr, Unit};
use crate::syntax::token::{Name, Pos, TextFault};
use bytecode::code::{Program, Reg};
use context::{Entity, LValue, Location, Lowerer, Names, Stop};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use types::{mem, num, Binding, Ty};

/// Steps for one kernel, over all attempts. A text that needs more is refused.
const FUEL: u64 = 3_000_000;
/// Most attempts for one kernel. Each one finds at least one more variable that needs memory.
const ATTEMPTS_MAX: u32 = 300;

/// The declarations of a file, ready for lowering its kernels.
pub struct Module {
    names: Names,
}

/// A parameter of a kernel with its resolved type.
#[derive(Clone, Debug)]
pub struct Parameter {
    pub name: Name,
    pub ty: Ty,
}

impl Parameter {
    /// The bytes of an element that the parameter points to. `None` if it is no pointer, or points to rows.
    pub fn element_bytes(&self) -> Option<u64> {
        match &self.ty {
            Ty::Pointer(to) if !matches!(to.ty, Ty::Array(..)) => Some(to.ty.size()).filter(|bytes| *bytes > 0),
            _ => None,
        }
    }
}

/// A kernel in bytecode, with what the launch needs to know about it.
pub struct LoweredKernel {
    /// The code as written.
    pub program: Program,
    /// The parameters in order.
    pub params: Vec<Parameter>,
    /// Types of the file's variables that the kernel uses.
    pub globals: HashMap<Name, Ty>,
}

impl Module {
    /// Collects the declarations of a file.
    pub fn new(unit: &Unit) -> Self {
        let mut names = Names::of(unit);
        for e in &unit.enums {
            let mut next = Ok(0i64);
            for (name, init) in &e.values {
                if let Some(init) = init {
                    let mut l = lowerer(&names);
                    l.begin();
                    next = l.constant_int(init, "the value of an enum").map_err(fault_of);
                }
                names.enums.insert(name.clone(), next.clone().map(|value| value as u64 & 0xffff_ffff));
                next = next.map(|value| value.wrapping_add(1));
            }
        }
        Self { names }
    }

    /// Resolves a type of a launch comment.
    pub(crate) fn resolve(&self, ty: &TypeExpr) -> Result<Ty, TextFault> {
        let mut l = lowerer(&self.names);
        l.begin();
        l.resolve_type(ty).map_err(fault_of)
    }

    /// What the template parameters of a kernel are with these arguments.
    pub(crate) fn bindings(&self, kernel: &Function, args: &[TemplateArg]) -> Result<Vec<(Name, Binding)>, TextFault> {
        let mut l = lowerer(&self.names);
        l.begin();
        l.bindings(&kernel.template, args).map_err(fault_of)
    }

    /// Resolves a type in which template parameters are these.
    pub(crate) fn resolve_in(&self, ty: &TypeExpr, bindings: &[(Name, Binding)]) -> Result<Ty, TextFault> {
        let mut l = lowerer(&self.names);
        l.begin();
        l.in_bindings(bindings, |l| l.resolve_type(ty)).map_err(fault_of)
    }

    /// A global variable of the file, or the template of which it is an instance.
    pub(crate) fn global(&self, name: &str) -> Option<&crate::syntax::ast::Variable> {
        let template = || name.split('<').next().and_then(|name| self.names.global_templates.get(name));
        self.names.globals.get(name).or_else(|| template().map(|(variable, _)| variable)).map(|variable| &**variable)
    }

    /// Evaluates an expression of a launch comment. `known` are names with values.
    pub(crate) fn evaluate(
        &self,
        expr: &crate::syntax::ast::Expr,
        known: &[(Name, crate::syntax::ast::Scalar, u64)],
    ) -> Result<(crate::syntax::ast::Scalar, u64), TextFault> {
        let mut l = lowerer(&self.names);
        l.begin();
        for (name, scalar, bits) in known {
            l.bind(name, Entity::Constant(*scalar, *bits));
        }
        match l.constant(expr).map_err(fault_of)? {
            Some(value) => Ok(value),
            None => Err(TextFault::new(
                expr.pos,
                "a constant",
                "a value that is not",
                "use numbers, sizes and constants of the file",
            )),
        }
    }

    /// The explicit specialisation of a kernel for these template arguments, if the file has one.
    pub(crate) fn specialised(&self, kernel: &Function, args: &[TemplateArg]) -> Option<Rc<Function>> {
        let mut l = lowerer(&self.names);
        l.begin();
        let bindings = l.bindings(&kernel.template, args).ok()?;
        l.specialisation(self.names.functions.get(&kernel.name)?, kernel, &bindings).ok()?
    }

    /// Lowers a kernel with these template arguments.
    pub fn lower(&self, kernel: &Rc<Function>, args: &[TemplateArg]) -> Result<LoweredKernel, TextFault> {
        let (mut demoted, mut varying) = (HashSet::new(), HashSet::new());
        let mut fuel = FUEL;
        for _ in 0..ATTEMPTS_MAX {
            let mut l = lowerer(&self.names);
            (l.demoted, l.varying, l.fuel) = (demoted, varying, fuel);
            match l.kernel(kernel, args) {
                Ok(params) => return Ok(l.finish(params)),
                Err(Stop::TextFault(fault)) => return Err(fault),
                Err(Stop::Restart) => (demoted, varying, fuel) = (l.demoted, l.varying, l.fuel),
            }
        }
        Err(TextFault::new(
            kernel.pos,
            "a kernel of bounded size",
            "too many local variables in memory",
            "split the kernel",
        ))
    }
}

fn fault_of(stop: Stop) -> TextFault {
    match stop {
        Stop::TextFault(fault) => fault,
        Stop::Restart => TextFault::new(Pos::default(), "a constant", "the address of a variable", "write a constant"),
    }
}

fn lowerer(names: &Names) -> Lowerer<'_> {
    Lowerer {
        names,
        code: emit::Emitter::new(),
        frames: Vec::new(),
        demoted: HashSet::new(),
        locals: HashMap::new(),
        varying: HashSet::new(),
        structs: HashMap::new(),
        prints: Vec::new(),
        asserts: Vec::new(),
        globals: HashMap::new(),
        global_order: Vec::new(),
        shared: HashMap::new(),
        carry: None,
        pos: Pos::default(),
        lambdas: 0,
        fuel: FUEL,
        depth: 0,
        folding: 0,
    }
}

type KernelParams = (Vec<Parameter>, Vec<Vec<(Reg, u32, bytecode::code::Mem)>>, Vec<bytecode::code::PointerParam>);

impl Lowerer<'_> {
    fn begin(&mut self) {
        let frame = self.new_frame(Name::from("file"), Ty::VOID);
        self.frames.push(frame);
    }

    fn kernel(&mut self, f: &Rc<Function>, args: &[TemplateArg]) -> context::LowerResult<KernelParams> {
        self.begin();
        self.set_line(f.pos);
        let all = self.names.functions.get(&f.name).cloned().unwrap_or_default();
        let mut special = None;
        if f.specialised.is_none() && all.iter().any(|f| f.specialised.is_some()) {
            let bindings = self.bindings(&f.template, args)?;
            special = self.specialisation(&all, f, &bindings)?;
        }
        let (f, args) = special.as_ref().map_or((f, args), |special| (special, &[][..]));
        let expanded = packs::expanded_kernel(f, args.len());
        let (f, packs) = expanded.as_ref().map_or((f, &[][..]), |(f, packs)| (f, packs));
        let mut bindings = self.bindings(&f.template, args)?;
        bindings.extend(packs.iter().cloned());
        let Some(body) = &f.body else {
            return self.fault("the body of the kernel", "a declaration", "define it in this file");
        };
        let mut frame = self.new_frame(f.name.clone(), Ty::VOID);
        frame.is_kernel = true;
        frame.assigned = Rc::new(walk::assigned(body));
        self.enter(frame)?;
        self.bind_all(&bindings);
        let (mut params, mut places, mut pointers) = (Vec::new(), Vec::new(), Vec::new());
        for (i, param) in f.params.iter().enumerate() {
            self.set_line(param.ty.pos);
            let ty = self.resolve_type(&param.ty)?;
            let unnamed = || Name::from(format!("parameter {}", i + 1).as_str());
            let name = param.name.clone().unwrap_or_else(unnamed);
            let leaves = self.leaves(&ty)?;
            let regs: Vec<Reg> = leaves.iter().map(|leaf| self.code.reg(num(leaf.scalar).wide())).collect();
            places.push(regs.iter().zip(&leaves).map(|(r, l)| (*r, l.offset as u32, mem(l.scalar))).collect());
            if let Ty::Pointer(to) = &ty {
                let restrict = Self::is_restrict(&ty);
                pointers.push(bytecode::code::PointerParam {
                    reg: regs[0],
                    restrict,
                    constant: to.constant,
                    align: to.ty.align() as u32,
                });
            }
            self.bind_kernel_param(&name, &ty, regs, param.ty.pos)?;
            params.push(Parameter { name: packs::shown_name(&name), ty });
        }
        self.stmt(body)?;
        Ok((params, places, pointers))
    }

    fn bind_kernel_param(&mut self, name: &Name, ty: &Ty, regs: Vec<Reg>, pos: Pos) -> context::LowerResult<()> {
        let assigned = self.frame_ref().assigned.contains(name) || self.varying.contains(&pos);
        let at = Location::Regs { regs: Rc::new(regs), first: 0, decl: pos };
        let mut place = LValue { ty: ty.clone(), at };
        if assigned && !self.demoted.contains(&pos) && !ty.holds_union() {
            // The register of an argument is never written.
            let value = self.load(&place)?;
            let copy = self.temporary(value)?;
            if let Location::Regs { regs, .. } = copy.at {
                place.at = Location::Regs { regs, first: 0, decl: pos };
            }
        }
        if self.demoted.contains(&pos) || ty.holds_union() {
            let value = self.load(&place)?;
            let space = bytecode::code::MemorySpace::Local;
            let reg = self.code.memory(name, ty.size(), ty.align().max(4), ty.size().max(1), space);
            let promise = bytecode::code::Promise { space, ..Default::default() };
            place = LValue::memory(ty.clone(), reg, 0, promise);
            self.store(&place, &value)?;
        }
        self.bind(name, Entity::LValue(place));
        Ok(())
    }

    fn finish(self, (params, places, pointers): KernelParams) -> LoweredKernel {
        let globals = self.globals.iter().map(|(name, (_, ty))| (name.clone(), ty.clone())).collect();
        let mut program = Program {
            narrow: self.code.narrow,
            wide: self.code.wide,
            params: places,
            pointers,
            variables: self.code.variables.clone(),
            globals: self.global_order.iter().map(|(name, reg)| (name.clone(), *reg)).collect(),
            prints: self.prints,
            asserts: self.asserts,
            ..Program::default()
        };
        (program.blocks, program.constants, program.specials) = self.code.finish();
        LoweredKernel { program, params, globals }
    }
}
