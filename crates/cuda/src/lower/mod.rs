//! A kernel of the tree to bytecode: types, overloads, templates, conversions; calls are inlined.
//!
//! In: a [`Unit`], a kernel and its template arguments. Out: a [`Program`], or the fault. A local variable lives in
//! registers until something needs its address (an index that is not constant, `&x` that goes on); that is found while
//! lowering, which then starts again with the variable in local memory. `a * b + c` of floats becomes one fma, as the
//! compiler does by default.
//!
//! Not modelled: virtual functions, exceptions, the order of evaluation where C++ leaves it open, `long double`, rounding
//! modes other than to nearest.

mod arithmetic;
mod builtin;
mod call;
mod context;
mod declare;
mod emit;
mod expr;
mod machine;
mod method;
mod overload;
mod place;
mod resolve;
mod stmt;
pub mod types;
mod value;
pub mod walk;

use crate::syntax::ast::{Function, TemplateArg, Unit};
use crate::syntax::token::{Fault, Name, Pos};
use bytecode::code::{Program, Reg};
use context::{At, Entity, Lowerer, Names, Place, Stop};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use types::{mem, num, Ty};

/// Steps of lowering one kernel, all attempts together; a text that needs more is refused.
const FUEL: u64 = 6_000_000;
/// Attempts of lowering one kernel: each finds at least one more variable that needs memory.
const ATTEMPTS_MAX: u32 = 300;

/// The names of a file, ready for lowering.
pub struct Module {
    names: Names,
}

/// A parameter as the launch sees it.
#[derive(Clone, Debug)]
pub struct Parameter {
    pub name: Name,
    pub ty: Ty,
}

/// A kernel, lowered, with what the launch needs to know.
pub struct Lowered {
    pub program: Program,
    pub params: Vec<Parameter>,
    /// Types of the globals that the kernel uses.
    pub globals: HashMap<Name, Ty>,
}

impl Module {
    /// Collects names; faults are those of enum values.
    pub fn new(unit: &Unit) -> Result<Self, Fault> {
        let mut names = Names::of(unit);
        for e in &unit.enums {
            let mut next = 0i64;
            for (name, init) in &e.values {
                if let Some(init) = init {
                    let mut l = lowerer(&names);
                    l.begin();
                    next = l.constant_int(init, "the value of an enum").map_err(fault_of)?;
                }
                names.enums.insert(name.clone(), next as u64 & 0xffff_ffff);
                next += 1;
            }
        }
        Ok(Self { names })
    }

    /// The type that a launch comment names.
    pub fn resolve(&self, ty: &crate::syntax::ast::TypeExpr) -> Result<Ty, Fault> {
        let mut l = lowerer(&self.names);
        l.begin();
        l.ty(ty).map_err(fault_of)
    }

    /// The type of a global variable of the file.
    pub fn global(&self, name: &str) -> Option<(Ty, Rc<crate::syntax::ast::Variable>)> {
        let variable = self.names.globals.get(name)?.clone();
        let mut l = lowerer(&self.names);
        l.begin();
        let ty = l.global_type(&variable).ok()?;
        Some((ty, variable))
    }

    /// The value of an expression of the launch comment, where these names are constants.
    pub fn evaluate(
        &self,
        expr: &crate::syntax::ast::Expr,
        known: &[(Name, crate::syntax::ast::Scalar, u64)],
    ) -> Result<(crate::syntax::ast::Scalar, u64), Fault> {
        let mut l = lowerer(&self.names);
        l.begin();
        for (name, scalar, bits) in known {
            l.bind(name, Entity::Constant(*scalar, *bits));
        }
        match l.constant(expr).map_err(fault_of)? {
            Some(value) => Ok(value),
            None => Err(Fault::new(
                expr.pos,
                "a constant",
                "a value that is not",
                "use numbers, sizes and constants of the file",
            )),
        }
    }

    /// Lowers a kernel.
    pub fn lower(&self, kernel: &Rc<Function>, args: &[TemplateArg]) -> Result<Lowered, Fault> {
        let (mut demoted, mut varying) = (HashSet::new(), HashSet::new());
        let mut fuel = FUEL;
        for _ in 0..ATTEMPTS_MAX {
            let mut l = lowerer(&self.names);
            (l.demoted, l.varying, l.fuel) = (demoted, varying, fuel);
            match l.kernel(kernel, args) {
                Ok(params) => return Ok(l.finish(params)),
                Err(Stop::Fault(fault)) => return Err(fault),
                Err(Stop::Again) => (demoted, varying, fuel) = (l.demoted, l.varying, l.fuel),
            }
        }
        Err(Fault::new(
            kernel.pos,
            "a kernel of bounded size",
            "too many local variables in memory",
            "split the kernel",
        ))
    }
}

fn fault_of(stop: Stop) -> Fault {
    match stop {
        Stop::Fault(fault) => fault,
        Stop::Again => Fault::new(Pos::default(), "a constant", "the address of a variable", "write a constant"),
    }
}

fn lowerer(names: &Names) -> Lowerer<'_> {
    Lowerer {
        names,
        e: emit::Emitter::new(),
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
        pos: Pos::default(),
        fuel: FUEL,
        depth: 0,
    }
}

type KernelParams = (Vec<Parameter>, Vec<Vec<(Reg, u32, bytecode::code::Mem)>>, Vec<bytecode::code::PointerParam>);

impl Lowerer<'_> {
    fn begin(&mut self) {
        let frame = self.new_frame(Name::from("file"), Ty::VOID);
        self.frames.push(frame);
    }

    fn kernel(&mut self, f: &Rc<Function>, args: &[TemplateArg]) -> context::Lowered<KernelParams> {
        self.begin();
        self.at(f.pos);
        let bindings = self.bindings(&f.template, args)?;
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
            self.at(param.ty.pos);
            let ty = self.ty(&param.ty)?;
            let unnamed = || Name::from(format!("parameter {}", i + 1).as_str());
            let name = param.name.clone().unwrap_or_else(unnamed);
            let leaves = self.leaves(&ty)?;
            let regs: Vec<Reg> = leaves.iter().map(|leaf| self.e.reg(num(leaf.scalar).wide())).collect();
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
            params.push(Parameter { name, ty });
        }
        self.stmt(body)?;
        Ok((params, places, pointers))
    }

    fn bind_kernel_param(&mut self, name: &Name, ty: &Ty, regs: Vec<Reg>, pos: Pos) -> context::Lowered<()> {
        let assigned = self.frame_ref().assigned.contains(name) || self.varying.contains(&pos);
        let at = At::Regs { regs: Rc::new(regs), first: 0, decl: pos };
        let mut place = Place { ty: ty.clone(), at };
        if assigned && !self.demoted.contains(&pos) {
            // The register of an argument is never written.
            let value = self.load(&place)?;
            let copy = self.temporary(value)?;
            if let At::Regs { regs, .. } = copy.at {
                place.at = At::Regs { regs, first: 0, decl: pos };
            }
        }
        if self.demoted.contains(&pos) {
            let value = self.load(&place)?;
            let space = bytecode::code::Known::Local;
            let reg = self.e.memory(name, ty.size(), ty.align().max(4), ty.size().max(1), space);
            let promise = bytecode::code::Promise { space, ..Default::default() };
            place = Place::memory(ty.clone(), reg, 0, promise);
            self.store(&place, &value)?;
        }
        self.bind(name, Entity::Place(place));
        Ok(())
    }

    fn finish(self, (params, places, pointers): KernelParams) -> Lowered {
        let globals = self.globals.iter().map(|(name, (_, ty))| (name.clone(), ty.clone())).collect();
        let mut program = Program {
            narrow: self.e.narrow,
            wide: self.e.wide,
            params: places,
            pointers,
            variables: self.e.variables.clone(),
            globals: self.global_order.iter().map(|(name, reg)| (name.clone(), *reg)).collect(),
            prints: self.prints,
            asserts: self.asserts,
            ..Program::default()
        };
        (program.blocks, program.constants, program.specials) = self.e.finish();
        Lowered { program, params, globals }
    }
}
