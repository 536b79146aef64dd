//! Items of a guessed launch for textures and surfaces.

use crate::host::HostArg;
use crate::launch::guess::LaunchGuess;
use crate::lower::types::{named_scalar, vector, Ty};
use crate::syntax::ast::{Expr, ExprKind, TemplateArg, TypeExpr, TypeKind};

/// Elements of a texture of which nothing is known, and up to which one has random contents.
const ELEMENTS: u64 = 64 * 64;
const RANDOM_MAX: u64 = 1 << 20;
/// The words of the names of scalars.
const SCALARS: [&str; 6] = ["unsigned", "char", "short", "int", "float", "double"];

impl LaunchGuess {
    /// An array item for a texture object. It has the sizes that the host gives it, or is a square that grows.
    pub(super) fn image_item(&self, name: &str, arg: Option<&HostArg>, seed: usize) -> String {
        let least = self.elements.get(name).copied().unwrap_or(0);
        let (mut dims, texel, words) = match arg {
            Some(HostArg::Image(image)) => (image.dims.clone(), image.texel.clone(), image.words.clone()),
            _ => {
                let side = 1 << least.max(ELEMENTS).ilog2().div_ceil(2);
                (vec![side, side], None, Vec::new())
            }
        };
        let all = |dims: &[u64]| dims.iter().fold(1u64, |a, b| a.saturating_mul(*b));
        let inner = all(&dims[1..]).max(1);
        dims[0] = dims[0].max(least.div_ceil(inner));
        let texel = texel.or_else(|| self.texel_read(name)).unwrap_or_else(|| "float".into());
        let init = match texel.contains("float") {
            _ if all(&dims) > RANDOM_MAX => "1".into(),
            true => format!("random({seed})"),
            false => format!("random({seed}, 0, 64)"),
        };
        let sides: String = dims.iter().map(|n| format!("[{n}]")).collect();
        let words: String = words.iter().map(|word| format!(" {word}")).collect();
        format!("{name}: {texel}{sides}{words} = {init}")
    }

    /// The type that the kernel reads or writes, as in `tex2D<uchar4>(name, x, y)`. Another one would be read as something else.
    fn texel_read(&self, name: &str) -> Option<String> {
        let mut found = None;
        crate::lower::walk::statement(self.kernel.body.as_ref()?, &mut |e| {
            let ExprKind::Call(callee, args) = &e.kind else { return };
            let ExprKind::Name(path) = &callee.kind else { return };
            let reads = ["tex", "surf"].iter().any(|start| path.last().starts_with(start));
            let of = |arg: &Expr| matches!(&arg.kind, ExprKind::Name(path) if &**path.last() == name);
            if reads && found.is_none() && args.iter().any(of) {
                found = path.args().and_then(|args| element(args.first()?));
            }
        });
        found.filter(|ty| {
            vector(ty).is_some() || named_scalar(ty).is_some() || ty.split(' ').all(|w| SCALARS.contains(&w))
        })
    }
}

/// A scalar or vector as template argument.
fn element(arg: &TemplateArg) -> Option<String> {
    match arg {
        TemplateArg::Type(TypeExpr { kind: TypeKind::Scalar(scalar), .. }) => Some(Ty::Scalar(*scalar).shown()),
        TemplateArg::Type(TypeExpr { kind: TypeKind::Named(path), .. })
        | TemplateArg::Value(Expr { kind: ExprKind::Name(path), .. }) => path.plain().map(ToString::to_string),
        _ => None,
    }
}

/// An array item for a texture reference, `texture<type, dimensions, …> name`.
pub(super) fn reference(name: &str, ty: &TypeExpr) -> Option<String> {
    let TypeKind::Named(path) = &ty.kind else { return None };
    let args = path.args().filter(|_| &**path.last() == "texture")?;
    let element = element(args.first()?)?;
    let size = match args.get(1) {
        Some(TemplateArg::Value(Expr { kind: ExprKind::Int(literal), .. })) if literal.value == 2 => "[256][256]",
        Some(TemplateArg::Value(Expr { kind: ExprKind::Int(literal), .. })) if literal.value == 3 => "[64][64][64]",
        Some(TemplateArg::Value(Expr { kind: ExprKind::Name(path), .. })) => match &**path.last() {
            "cudaTextureType2D" => "[256][256]",
            "cudaTextureType3D" => "[64][64][64]",
            _ => "[65536]",
        },
        _ => "[65536]",
    };
    let init = if element.contains("float") { "random(99)" } else { "random(99, 0, 64)" };
    Some(format!("{name}: {element}{size} = {init}"))
}
