//! Runs functions while compiling, for array sizes, template arguments and other places that need a constant.
//!
//! In: a function and its arguments, all known. Out: its result, or `None` if it needs more than whole numbers, local
//! variables, branches and loops. The steps count as steps of lowering.

use crate::lower::context::{Entity, LowerResult, Lowerer};
use crate::lower::types::num;
use crate::lower::types::Ty;
use crate::syntax::ast::{BinaryOp, Path};
use crate::syntax::ast::{Expr, ExprKind, Function, Init, Scalar, Stmt, StmtKind, TypeKind, UnaryOp};
use crate::syntax::token::{IntLiteral, Name};

type Known = (Scalar, u64);

/// Steps of lowering that a call and a round of a loop count as, besides those of the expressions in them.
const CALL_FUEL: u64 = 100;
const ROUND_FUEL: u64 = 30;

/// How a statement ends.
enum Flow {
    Next,
    Break,
    Continue,
    Return(Known),
    /// The statement cannot be run while compiling.
    Unknown,
}

impl Lowerer<'_> {
    /// The result of a call whose arguments are known.
    pub fn constant_call(&mut self, f: &Function, args: &[Known]) -> LowerResult<Option<Known>> {
        let Some(body) = &f.body else { return Ok(None) };
        self.use_fuel_for(CALL_FUEL)?;
        if args.len() != f.params.len() {
            return Ok(None);
        }
        for (param, &known) in f.params.iter().zip(args) {
            let (Some(name), Some(known)) = (&param.name, self.as_type(&param.ty, known)?) else { return Ok(None) };
            self.bind(name, Entity::Constant(known.0, known.1));
        }
        match self.run_constant(body)? {
            Flow::Return(known) if matches!(f.returns.kind, TypeKind::Auto) => Ok(Some(known)),
            Flow::Return(known) => self.as_type(&f.returns, known),
            _ => Ok(None),
        }
    }

    fn as_type(&mut self, ty: &crate::syntax::ast::TypeExpr, (from, bits): Known) -> LowerResult<Option<Known>> {
        if matches!(ty.kind, TypeKind::Auto) {
            return Ok(Some((from, bits)));
        }
        let Ty::Scalar(to) = self.resolve_type(ty)? else { return Ok(None) };
        let reg = self.code.constant(num(from).wide(), bits);
        let reg = self.convert_scalar(reg, from, to);
        Ok(self.code.value(reg).map(|bits| (to, bits)))
    }

    fn run_constant(&mut self, stmt: &Stmt) -> LowerResult<Flow> {
        self.nested(|l| l.run_constant_kind(stmt))
    }

    fn run_constant_kind(&mut self, stmt: &Stmt) -> LowerResult<Flow> {
        Ok(match &stmt.kind {
            StmtKind::Empty | StmtKind::Nothing => Flow::Next,
            StmtKind::Expr(e) => self.run_assignment(e)?,
            StmtKind::Variables(all) => {
                for v in all {
                    let init = match &v.init {
                        // A record or an array is no single value.
                        Some(Init::Value(Expr { kind: ExprKind::List(items), .. }) | Init::Construct(items, _)) => {
                            match &items[..] {
                                [one] if !matches!(one.kind, ExprKind::List(_)) => one,
                                _ => return Ok(Flow::Unknown),
                            }
                        }
                        Some(Init::Value(e)) => e,
                        None => return Ok(Flow::Unknown),
                    };
                    let Some(known) = self.constant(init)? else { return Ok(Flow::Unknown) };
                    let Some(known) = self.as_type(&v.ty, known)? else { return Ok(Flow::Unknown) };
                    self.bind(&v.name, Entity::Constant(known.0, known.1));
                }
                Flow::Next
            }
            StmtKind::Block(all) => {
                self.push_scope();
                let mut flow = Flow::Next;
                for one in all {
                    flow = self.run_constant(one)?;
                    if !matches!(flow, Flow::Next) {
                        break;
                    }
                }
                self.pop_scope();
                flow
            }
            StmtKind::If(init, condition, yes, no) => {
                self.run_constant(init)?;
                match (self.constant(condition)?, no) {
                    (None, _) => Flow::Unknown,
                    (Some((_, 0)), Some(no)) => self.run_constant(no)?,
                    (Some((_, 0)), None) => Flow::Next,
                    (Some(_), _) => self.run_constant(yes)?,
                }
            }
            StmtKind::While(condition, body) => self.run_loop(Some(condition), None, body)?,
            StmtKind::For(l) => {
                self.push_scope();
                let flow = match self.run_constant(&l.init)? {
                    Flow::Next => self.run_loop(l.condition.as_ref(), l.step.as_ref(), &l.body)?,
                    other => other,
                };
                self.pop_scope();
                flow
            }
            StmtKind::Return(Some(e)) => self.constant(e)?.map_or(Flow::Unknown, Flow::Return),
            StmtKind::Break => Flow::Break,
            StmtKind::Continue => Flow::Continue,
            _ => Flow::Unknown,
        })
    }

    fn run_loop(&mut self, condition: Option<&Expr>, step: Option<&Expr>, body: &Stmt) -> LowerResult<Flow> {
        loop {
            self.use_fuel_for(ROUND_FUEL)?;
            if let Some(condition) = condition {
                match self.constant(condition)? {
                    None => return Ok(Flow::Unknown),
                    Some((_, 0)) => return Ok(Flow::Next),
                    Some(_) => {}
                }
            }
            match self.run_constant(body)? {
                Flow::Next | Flow::Continue => {}
                Flow::Break => return Ok(Flow::Next),
                other => return Ok(other),
            }
            if let Some(step) = step {
                if !matches!(self.run_assignment(step)?, Flow::Next) {
                    return Ok(Flow::Unknown);
                }
            }
        }
    }

    fn run_assignment(&mut self, e: &Expr) -> LowerResult<Flow> {
        use UnaryOp::{PostDecrement, PostIncrement, PreDecrement, PreIncrement};
        let one = || {
            let one = IntLiteral { value: 1, unsigned: false, long: false, decimal: true };
            Box::new(Expr { kind: ExprKind::Int(one), pos: e.pos })
        };
        let (target, value) = match &e.kind {
            ExprKind::Assign(None, target, value) => (target, (**value).clone().kind),
            ExprKind::Assign(Some(op), target, value) => (target, ExprKind::Binary(*op, target.clone(), value.clone())),
            ExprKind::Unary(PreIncrement | PostIncrement, target) => {
                (target, ExprKind::Binary(BinaryOp::Add, target.clone(), one()))
            }
            ExprKind::Unary(PreDecrement | PostDecrement, target) => {
                (target, ExprKind::Binary(BinaryOp::Sub, target.clone(), one()))
            }
            ExprKind::Comma(a, b) => {
                return match self.run_assignment(a)? {
                    Flow::Next => self.run_assignment(b),
                    other => Ok(other),
                }
            }
            _ => return Ok(Flow::Unknown),
        };
        let ExprKind::Name(path) = &target.kind else { return Ok(Flow::Unknown) };
        let Some(known) = self.constant(&Expr { kind: value, pos: e.pos })? else { return Ok(Flow::Unknown) };
        Ok(if self.rebind(path, known) { Flow::Next } else { Flow::Unknown })
    }

    /// Gives a local constant a new value.
    fn rebind(&mut self, path: &Path, (from, bits): Known) -> bool {
        let Some(name) = path.plain() else { return false };
        let name: &Name = name;
        let Some(Entity::Constant(to, _)) = self.local(name) else { return false };
        let to = *to;
        let reg = self.code.constant(num(from).wide(), bits);
        let reg = self.convert_scalar(reg, from, to);
        let Some(bits) = self.code.value(reg) else { return false };
        let scope = self.frame().scopes.iter_mut().rev().find(|s| s.contains_key(name));
        scope.map(|s| s.insert(name.clone(), Entity::Constant(to, bits))).is_some()
    }
}
