//! Items of a guessed launch for textures and surfaces.

use crate::host::HostArg;
use crate::launch::guess::LaunchGuess;
use crate::lower::types::Ty;
use crate::syntax::ast::{Expr, ExprKind, TemplateArg, TypeExpr, TypeKind};

/// Elements of a texture of which nothing is known, and up to which one has random contents.
const ELEMENTS: u64 = 64 * 64;
const RANDOM_MAX: u64 = 1 << 20;

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
        let texel = texel.unwrap_or_else(|| "float".into());
        let init = match texel.contains("float") {
            _ if all(&dims) > RANDOM_MAX => "1".into(),
            true => format!("random({seed})"),
            false => format!("random({seed}, 0, 64)"),
        };
        let sides: String = dims.iter().map(|n| format!("[{n}]")).collect();
        let words: String = words.iter().map(|word| format!(" {word}")).collect();
        format!("{name}: {texel}{sides}{words} = {init}")
    }
}

/// An array item for a texture reference, `texture<type, dimensions, …> name`.
pub(super) fn reference(name: &str, ty: &TypeExpr) -> Option<String> {
    let TypeKind::Named(path) = &ty.kind else { return None };
    let args = path.args().filter(|_| &**path.last() == "texture")?;
    let element = match args.first()? {
        TemplateArg::Type(TypeExpr { kind: TypeKind::Scalar(scalar), .. }) => Ty::Scalar(*scalar).shown(),
        TemplateArg::Type(TypeExpr { kind: TypeKind::Named(path), .. }) => path.plain()?.to_string(),
        TemplateArg::Value(Expr { kind: ExprKind::Name(path), .. }) => path.plain()?.to_string(),
        _ => return None,
    };
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
