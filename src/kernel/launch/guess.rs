//! A launch for a kernel that comes without one: something to start from, said to be a guess.

use crate::kernel::cuda::ast::{ExprKind, Function, Scalar, TypeExpr, TypeKind};

/// Elements of each array, and the value of each whole number.
const ELEMENTS: u64 = 1 << 16;
const NUMBER: u64 = 64;

/// A launch comment for `kernel`, if its parameters can be given.
pub(in crate::kernel) fn guess(kernel: &Function, dynamic_shared: bool) -> Option<String> {
    if !kernel.template.is_empty() && kernel.template.iter().any(|t| t.default.is_none() && t.value.is_none()) {
        // A type parameter: float fits most.
        let args: Vec<&str> = kernel.template.iter().map(|t| if t.value.is_some() { "16" } else { "float" }).collect();
        return with(kernel, &format!("<{}>", args.join(", ")), dynamic_shared);
    }
    let args: Vec<&str> = kernel.template.iter().map(|_| "16").collect();
    let args = if args.is_empty() { String::new() } else { format!("<{}>", args.join(", ")) };
    with(kernel, &args, dynamic_shared)
}

fn with(kernel: &Function, args: &str, dynamic_shared: bool) -> Option<String> {
    let mut items = Vec::new();
    for (i, param) in kernel.params.iter().enumerate() {
        let name = param.name.clone()?;
        items.push(match &param.ty.kind {
            TypeKind::Pointer(to, _) => {
                let ty = type_text(to, kernel)?;
                let init = if ty.contains("float") || ty.contains("double") {
                    format!("random({})", i + 1)
                } else {
                    format!("random({}, 0, {NUMBER})", i + 1)
                };
                format!("{name}: {ty}[{ELEMENTS}] = {init}")
            }
            TypeKind::Scalar(Scalar::F32 | Scalar::F64) => format!("{name} = 1.5"),
            TypeKind::Named(path) if &**path.last() == "cudaTextureObject_t" => {
                format!("{name}: float[64][64] = random({})", i + 1)
            }
            _ => format!("{name} = {NUMBER}"),
        });
    }
    let (grid, block) = if uses_rows(kernel) { ("dim3(4, 4)", "dim3(16, 16)") } else { ("4", "128") };
    let shared = if dynamic_shared { ", 16384" } else { "" };
    Some(format!("{}{args}<<<{grid}, {block}{shared}>>>({})", kernel.name, items.join(", ")))
}

fn type_text(ty: &TypeExpr, kernel: &Function) -> Option<String> {
    Some(match &ty.kind {
        TypeKind::Scalar(Scalar::Void) => "char".into(),
        TypeKind::Scalar(scalar) => crate::kernel::lower::types::Ty::Scalar(*scalar).shown(),
        TypeKind::Named(path) => {
            let name = path.plain()?;
            if kernel.template.iter().any(|t| t.name == *name) {
                "float".into()
            } else {
                name.to_string()
            }
        }
        _ => return None,
    })
}

/// The kernel reads `.y` of its indices.
fn uses_rows(kernel: &Function) -> bool {
    let mut found = false;
    if let Some(body) = &kernel.body {
        crate::kernel::lower::walk::statement(body, &mut |e| {
            if let ExprKind::Member(object, member, _) = &e.kind {
                let index =
                    matches!(&object.kind, ExprKind::Name(p) if matches!(&**p.last(), "threadIdx" | "blockIdx"));
                found |= index && &**member == "y";
            }
        });
    }
    found
}
