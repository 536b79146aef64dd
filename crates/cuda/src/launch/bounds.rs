//! What a kernel's text says about its threads.

use crate::lower::types::{vector, Ty};
use crate::syntax::ast::{
    BinaryOp, Expr, ExprKind, Function, FunctionKind, Scalar, Stmt, StmtKind, Struct, TypeExpr, TypeKind, Unit,
};
use crate::syntax::token::{Tok, Token};
use std::rc::Rc;

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

/// Whether the file has shared memory whose size the launch gives.
pub(super) fn has_dynamic_shared(tokens: &[Token]) -> bool {
    let shared = |after: &[Token]| after.iter().take(3).any(|t| t.is_ident("__shared__"));
    (0..tokens.len()).any(|i| tokens[i].is_ident("extern") && shared(&tokens[i + 1..]))
}

/// The template arguments of an explicit instantiation, `template __global__ void name<…>(…);`, as text.
pub(super) fn instantiated(tokens: &[Token], kernel: &str) -> Vec<Option<String>> {
    let begins = |w: &[Token]| {
        ["template", "__global__", "void"].iter().zip(w).all(|(word, t)| t.is_ident(word))
            && w[3].is_ident(kernel)
            && w[4].is("<")
    };
    let Some(start) = tokens.windows(5).position(begins) else { return Vec::new() };
    let rest = &tokens[start + 5..];
    let end = rest.iter().position(|t| t.is("(")).unwrap_or(0);
    let close = rest[..end].iter().rposition(|t| t.is(">")).unwrap_or(0);
    let text = |t: &Token| match &t.tok {
        Tok::Int(literal) => Some(literal.value.to_string()),
        _ => t.ident().map(ToString::to_string),
    };
    let arg = |arg: &[Token]| arg.iter().map(text).collect::<Option<Vec<_>>>().map(|words| words.join(" "));
    super::split(&rest[..close]).into_iter().map(arg).collect()
}

/// Gives each template parameter of an enum that nothing tells the first value of the enum, and a pointer to a function the
/// function of the device that stands closest above the kernel. Returns these parameters by number, each with the other values.
pub(super) fn take_listed(
    unit: &Unit,
    kernel: &Function,
    template: &mut Vec<Option<String>>,
) -> Vec<(usize, Vec<String>)> {
    let mut taken = Vec::new();
    for (i, param) in kernel.template.iter().enumerate().filter(|(_, param)| param.default.is_none()) {
        let values: Vec<String> = match param.value.as_ref().map(|ty| &ty.kind) {
            Some(TypeKind::Named(path)) => {
                let of = unit.enums.iter().filter(|e| e.name.as_ref() == Some(path.last()));
                of.flat_map(|e| &e.values).map(|(value, _)| format!("{}::{value}", path.last())).collect()
            }
            // A pointer to a function is read as one to nothing. Functions of ours have the line 0 or lie behind the text.
            Some(TypeKind::Pointer(to, _)) if matches!(to.kind, TypeKind::Scalar(Scalar::Void)) => {
                let above = |f: &&Rc<Function>| {
                    let own = (1..kernel.pos.line).contains(&f.pos.line);
                    own && f.kind == FunctionKind::Device && f.template.is_empty()
                };
                unit.functions.iter().rev().filter(above).map(|f| f.name.to_string()).collect()
            }
            _ => Vec::new(),
        };
        template.resize(template.len().max(i + 1), None);
        if template[i].is_none() && !values.is_empty() {
            let mut values = values.into_iter();
            template[i] = values.next();
            taken.push((i, values.collect()));
        }
    }
    taken
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

/// The block of a kernel with one row of threads whose template argument is called a size of the block, as in `blockSize`.
pub(super) fn block_of_template(kernel: &Function, arguments: &[Option<String>]) -> Option<[u64; 3]> {
    if super::guess::uses_rows(kernel, "threadIdx") {
        return None;
    }
    let threads = kernel.template.iter().zip(arguments).find_map(|(parameter, argument)| {
        let name = parameter.name.to_ascii_lowercase().replace('_', "");
        let is_size = ["blocksize", "blockdim", "numthreads", "blockthreads"].iter().any(|part| name.contains(part));
        argument.as_ref()?.parse().ok().filter(|_| is_size)
    })?;
    Some([threads, 1, 1])
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

/// The structs of a file, also by the other names that `typedef struct tag { … } Name` gives them.
pub(super) fn named_structs(unit: &Unit) -> Vec<Rc<Struct>> {
    let renamed = unit.aliases.iter().filter_map(|(name, template, ty)| {
        let TypeKind::Named(path) = &ty.kind else { return None };
        let of = unit.structs.iter().find(|s| template.is_empty() && path.plain() == Some(&s.name))?;
        Some(Rc::new(Struct { name: name.clone(), ..(**of).clone() }))
    });
    unit.structs.iter().cloned().chain(renamed).collect()
}

/// The type of a built-in vector.
pub(super) fn vector_type(ty: &TypeExpr) -> Option<Ty> {
    match &ty.kind {
        TypeKind::Named(path) => vector(path.plain()?),
        _ => None,
    }
}
