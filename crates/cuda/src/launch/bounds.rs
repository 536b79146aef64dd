//! What a kernel's text says about its threads.

use crate::syntax::ast::{BinaryOp, Expr, ExprKind, Function, Stmt, StmtKind};
use crate::syntax::token::{Tok, Token};

/// Most tokens between `__launch_bounds__` and the name of the kernel.
const AHEAD: usize = 12;
/// CUDA's limit of threads per block.
const THREADS: u64 = 1024;

/// The threads of `__launch_bounds__(threads)` before a kernel's name.
pub(super) fn launch_bound(tokens: &[Token], kernel: &str) -> Option<u64> {
    tokens.iter().enumerate().filter(|(_, t)| t.is_ident("__launch_bounds__")).find_map(|(i, _)| {
        let near = tokens.get(i + 3..)?.iter().take(AHEAD).any(|t| t.is_ident(kernel));
        match tokens.get(i + 2)?.tok {
            Tok::Int(literal) if near => Some(literal.value).filter(|n| (1..=THREADS).contains(n)),
            _ => None,
        }
    })
}

/// The block that a kernel with `blockIdx.x * 16 + threadIdx.x` is meant for. The bound is the block if the text has no such
/// number.
pub(super) fn block_in(kernel: &Function, bound: Option<u64>) -> Option<[u64; 3]> {
    let mut block = [0u64; 3];
    if let Some(body) = &kernel.body {
        crate::lower::walk::statement(body, &mut |e| {
            let ExprKind::Binary(BinaryOp::Add, a, b) = &e.kind else { return };
            for (product, thread) in [(a, b), (b, a)] {
                let ExprKind::Binary(BinaryOp::Mul, x, y) = &product.kind else { continue };
                for (index, size) in [(x, y), (y, x)] {
                    if let (Some(axis), ExprKind::Int(size)) = (axis_of(index, "blockIdx"), &size.kind) {
                        if axis_of(thread, "threadIdx") == Some(axis) {
                            block[axis] = size.value;
                        }
                    }
                }
            }
        });
    }
    match block {
        [0, 0, 0] => bound.map(|threads| [threads, 1, 1]),
        [0, ..] => None,
        some => Some(some.map(|n| n.max(1))),
    }
}

/// The number of the axis in `index.x`.
fn axis_of(e: &Expr, index: &str) -> Option<usize> {
    let ExprKind::Member(object, axis, _) = &e.kind else { return None };
    let named = matches!(&object.kind, ExprKind::Name(path) if &**path.last() == index);
    ["x", "y", "z"].iter().position(|a| **a == **axis).filter(|_| named)
}

/// Whether an `if` of the kernel compares with a parameter, as in `if (i < n)`, and the kernel has one row of threads.
pub(super) fn guards(kernel: &Function, name: &str) -> bool {
    !super::guess::uses_rows(kernel, "threadIdx")
        && !super::guess::uses_rows(kernel, "blockIdx")
        && kernel.body.as_ref().is_some_and(|body| guarded(body, name))
}

fn guarded(stmt: &Stmt, name: &str) -> bool {
    match &stmt.kind {
        StmtKind::Block(all) => all.iter().any(|s| guarded(s, name)),
        StmtKind::If(_, condition, yes, _) => {
            let mut found = false;
            crate::lower::walk::expression(condition, &mut |e| {
                use BinaryOp::{GreaterEqual, Less};
                if let ExprKind::Binary(Less | GreaterEqual, _, bound) = &e.kind {
                    found |= matches!(&bound.kind, ExprKind::Name(path) if &**path.last() == name);
                }
            });
            found || guarded(yes, name)
        }
        _ => false,
    }
}
