//! Loops over the elements of an object with `begin()` and `end()`.
//!
//! The parser writes `for (T x : a)` as a loop over the indices of an array. Whether `a` is an object shows only here.

use crate::lower::context::{LowerResult, Lowerer};
use crate::lower::types::Ty;
use crate::syntax::ast::{
    BinaryOp, Expr, ExprKind, ForLoop, Init, Path, Stmt, StmtKind, TypeExpr, TypeKind, UnaryOp, Variable,
};
use crate::syntax::token::{Name, Pos};

/// How the parser names the range of such a loop.
pub(crate) const RANGE: &str = "(range at ";

impl Lowerer<'_> {
    /// The loop with iterators, if it goes over an object.
    pub fn over_object(&mut self, l: &ForLoop) -> LowerResult<Option<ForLoop>> {
        let StmtKind::Variables(all) = &l.init.kind else { return Ok(None) };
        let ([range, place], StmtKind::Block(body)) = (&all[..], &l.body.kind) else { return Ok(None) };
        let (Some(Init::Value(object)), true) = (&range.init, range.name.starts_with(RANGE)) else { return Ok(None) };
        if matches!(object.kind, ExprKind::List(_)) {
            return Ok(None);
        }
        let Ty::Struct(class) = self.type_of(object)? else { return Ok(None) };
        if self.methods(&class, &Name::from("begin")).is_empty() {
            return Ok(None);
        }
        let pos = l.init.pos;
        let at = |kind| Expr { kind, pos };
        let named = |name: &Name| at(ExprKind::Name(Path::simple(name.clone())));
        let method = |name: &str| {
            let member = ExprKind::Member(Box::new(named(&range.name)), Name::from(name), None);
            at(ExprKind::Call(Box::new(at(member)), Vec::new()))
        };
        let variable = |name: Name, init: Expr, pos: Pos| {
            let ty = TypeExpr { kind: TypeKind::Auto, constant: false, volatile: false, pos };
            Variable { name, ty, init: Some(Init::Value(init)), pos, ..range.clone() }
        };
        let after = Pos { column: place.pos.column + 1, ..place.pos };
        let end = Name::from(format!("(end at {})", pos.column).as_str());
        // A temporary object is kept by value.
        let kept = match self.try_place_of(object)? {
            true => range.clone(),
            false => variable(range.name.clone(), object.clone(), range.pos),
        };
        let first = variable(place.name.clone(), method("begin"), place.pos);
        let last = variable(end.clone(), method("end"), after);
        let condition = at(ExprKind::Binary(BinaryOp::NotEqual, Box::new(named(&place.name)), Box::new(named(&end))));
        let step = at(ExprKind::Unary(UnaryOp::PreIncrement, Box::new(named(&place.name))));
        let mut body = body.clone();
        if let Some(Stmt { kind: StmtKind::Variables(elements), .. }) = body.first_mut() {
            if let Some(element) = elements.last_mut() {
                element.init = Some(Init::Value(at(ExprKind::Unary(UnaryOp::Deref, Box::new(named(&place.name))))));
            }
        }
        Ok(Some(ForLoop {
            init: Stmt { kind: StmtKind::Variables(vec![kept, first, last]), pos },
            condition: Some(condition),
            step: Some(step),
            body: Stmt { kind: StmtKind::Block(body), pos },
            unroll: l.unroll,
        }))
    }

    fn try_place_of(&mut self, e: &Expr) -> LowerResult<bool> {
        Ok(!matches!(e.kind, ExprKind::Call(..) | ExprKind::Construct(..))
            && self.without_code(|l| l.try_place(e))?.is_some())
    }
}
