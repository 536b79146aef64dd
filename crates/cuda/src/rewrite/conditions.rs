//! The conditions under which a kernel uses its arrays: branches of `if`, and elements in `condition ? element : 0`.

use crate::lower::walk;
use crate::rewrite::calls::is_load;
use crate::rewrite::chosen::limit;
use crate::rewrite::polynomial::Polynomial;
use crate::rewrite::uses::{is_signed, Doing, Finder};
use crate::syntax::ast::{BinaryOp, Expr, ExprKind, Stmt, StmtKind, UnaryOp};
use crate::syntax::token::{Name, Pos};

/// A comparison: the left side, the sign and the right side.
pub(super) type Condition = (Polynomial, BinaryOp, Polynomial);

/// What holds in a branch of an `if`, or where a `? :` gives its first value.
pub(super) struct Test {
    /// The position of the `if`, or of the value.
    pub at: Pos,
    /// The line of the condition.
    pub line: u32,
    /// Comparisons that are all true. `None` if the condition has another form.
    pub conditions: Option<Vec<Condition>>,
    /// Arrays whose elements may be 0 in place of the test. Then the branch adds 0 to a variable, leaves a 0 in it, or the value is 0.
    pub adds: Vec<Name>,
}

impl Finder<'_> {
    /// Looks at a branch of the `if` at `at`.
    pub fn branch(&mut self, at: Pos, condition: &Expr, holds: bool, stmt: &Stmt) {
        let adds = if holds { self.added(stmt) } else { Vec::new() };
        self.begin_test(at, condition, holds, adds);
        self.statement(stmt);
        self.under.pop();
    }

    /// Looks at the first value of a `? :`.
    pub fn chosen(&mut self, condition: &Expr, value: &Expr, doing: Doing) {
        let adds = vanishing(value);
        self.begin_test(value.pos, condition, true, adds);
        self.place(value, doing);
        self.under.pop();
    }

    fn begin_test(&mut self, at: Pos, condition: &Expr, holds: bool, adds: Vec<Name>) {
        let mut conditions = Vec::new();
        let known = self.conditions(condition, holds, &mut conditions).is_some();
        let conditions = known.then_some(conditions);
        self.under.push(self.out.tests.len());
        self.out.tests.push(Test { at, line: condition.pos.line, conditions, adds });
    }

    /// The comparisons that are all true where a condition is, or where it is not.
    pub fn conditions(&self, e: &Expr, holds: bool, out: &mut Vec<Condition>) -> Option<()> {
        use BinaryOp::{Equal, Greater, GreaterEqual, Less, LessEqual, LogicalAnd, LogicalOr, NotEqual};
        let ExprKind::Binary(op, a, b) = &e.kind else { return None };
        let opposite = match op {
            LogicalAnd | LogicalOr => {
                return ((*op == LogicalAnd) == holds).then(|| {
                    self.conditions(a, holds, out)?;
                    self.conditions(b, holds, out)
                })?;
            }
            Less => GreaterEqual,
            GreaterEqual => Less,
            Greater => LessEqual,
            LessEqual => Greater,
            Equal => NotEqual,
            NotEqual => Equal,
            _ => return None,
        };
        let (left, right) = (self.number(a)?, self.number(b)?);
        let op = if holds { *op } else { opposite };
        if !self.is_signed(a) || !self.is_signed(b) {
            // Unsigned numbers below 0 are large ones, so the smaller one of two is not below 0.
            let positive = |sum: &Polynomial| self.is_positive(sum);
            let zero = Polynomial::default();
            match op {
                _ if positive(&left) && positive(&right) => {}
                Less | LessEqual if positive(&right) => out.push((left.clone(), GreaterEqual, zero)),
                Greater | GreaterEqual if positive(&left) => out.push((right.clone(), GreaterEqual, zero)),
                _ => return None,
            }
        }
        out.push((left, op, right));
        Some(())
    }

    /// Whether a number is the same with and without a sign in the whole launch.
    pub fn is_positive(&self, sum: &Polynomial) -> bool {
        let range = self.known.range_in_grid(sum, &self.out.loops);
        range.is_some_and(|(low, high)| low >= 0 && high <= i32::MAX.into())
    }

    /// Whether the value of a number can be below 0.
    pub fn is_signed(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Int(literal) => !literal.unsigned,
            ExprKind::Name(path) => path.plain().is_some_and(|name| !self.out.unsigned.contains(name)),
            ExprKind::Unary(UnaryOp::Minus | UnaryOp::Plus, a) => self.is_signed(a),
            ExprKind::Binary(_, a, b) => self.is_signed(a) && self.is_signed(b),
            ExprKind::Cast(ty, ..) => is_signed(ty),
            ExprKind::Ternary(_, a, b) => self.is_signed(a) && self.is_signed(b),
            ExprKind::Call(callee, args) if limit(callee, args).is_some() => args.iter().all(|e| self.is_signed(e)),
            _ => false,
        }
    }

    /// The arrays whose elements make a statement change no value if they are 0.
    fn added(&self, stmt: &Stmt) -> Vec<Name> {
        match &stmt.kind {
            StmtKind::Block(all) => match &all[..] {
                [one] => self.added(one),
                _ => Vec::new(),
            },
            StmtKind::Expr(Expr { kind: ExprKind::Assign(op, target, value), .. }) if !has_changes(value) => {
                let name = if let ExprKind::Name(path) = &target.kind { path.plain() } else { None };
                let stays = |name: &Name| match op {
                    Some(BinaryOp::Add | BinaryOp::Sub) => true,
                    None => self.scope.is_zero(name),
                    _ => false,
                };
                if name.is_some_and(stays) {
                    vanishing(value)
                } else {
                    Vec::new()
                }
            }
            // `for (…) sum += a[…];`
            StmtKind::For(l) => self.added(&l.body),
            _ => Vec::new(),
        }
    }
}

/// The arrays whose elements make a value 0 if they are 0, as long as the other factors are finite.
fn vanishing(e: &Expr) -> Vec<Name> {
    match &e.kind {
        ExprKind::Index(base, _) => walk::root(base).cloned().into_iter().collect(),
        ExprKind::Binary(BinaryOp::Mul, a, b) => [vanishing(a), vanishing(b)].concat(),
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => {
            let other = vanishing(b);
            vanishing(a).into_iter().filter(|name| other.contains(name)).collect()
        }
        ExprKind::Binary(BinaryOp::Div, a, _) => vanishing(a),
        ExprKind::Unary(UnaryOp::Minus | UnaryOp::Plus, a) | ExprKind::Cast(_, a, _) | ExprKind::Member(a, ..) => {
            vanishing(a)
        }
        ExprKind::Call(callee, args) if is_load(callee) => match &args[..] {
            [Expr { kind: ExprKind::Unary(UnaryOp::Address, element), .. }] => vanishing(element),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// Whether the evaluation of a value changes something.
fn has_changes(e: &Expr) -> bool {
    use UnaryOp::{PostDecrement, PostIncrement, PreDecrement, PreIncrement};
    let mut found = false;
    walk::expression(e, &mut |e| {
        found |= match &e.kind {
            ExprKind::Assign(..) | ExprKind::Construct(..) => true,
            ExprKind::Unary(PreIncrement | PreDecrement | PostIncrement | PostDecrement, _) => true,
            ExprKind::Call(callee, _) => !is_load(callee),
            _ => false,
        }
    });
    found
}
