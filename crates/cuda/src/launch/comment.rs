//! Writes a guessed launch as a launch comment.

use crate::host::HostArg;
use crate::launch::bounds;
use crate::launch::guess::{product, uses_rows, LaunchGuess, ELEMENTS_MAX, SHAPES};
use crate::lower::types::Ty;
use crate::syntax::ast::{Expr, ExprKind, Path, Scalar, TemplateArg, TypeExpr, TypeKind};
use crate::syntax::token::Name;
use std::rc::Rc;

/// Elements up to which an array has random contents. A larger one holds ones, which is quicker.
const RANDOM_MAX: u64 = 1 << 24;
/// Elements of an array of pointers.
const ROWS: u64 = 1 << 10;

impl LaunchGuess {
    /// The guess as a launch comment. `None` if a parameter cannot be guessed.
    pub fn text(&self) -> Option<String> {
        let kernel = &self.kernel;
        let mut inner = Vec::new();
        let mut items: Vec<String> =
            (0..kernel.params.len()).map(|i| self.item(i, &mut inner)).collect::<Option<_>>()?;
        items.extend(inner);
        items.extend(self.textures.iter().cloned());
        items.extend(self.sizes.extra.iter().map(|(name, value, _)| format!("{name} = {value}")));
        // What the host leaves out has the kernel's own default.
        let left_out =
            |i: usize| kernel.template[i].default.is_some() && !matches!(self.template.get(i), Some(Some(_)));
        let given = (0..kernel.template.len()).rev().find(|i| !left_out(*i)).map_or(0, |last| last + 1);
        let args: Vec<String> = (0..given).map(|i| self.template_arg(i)).collect();
        let args = args.join(", ");
        // Two `>` in a row would be another sign.
        let space = if args.ends_with('>') { " " } else { "" };
        let args = if args.is_empty() { args } else { format!("<{args}{space}>") };
        let shared = self.shared.map_or(String::new(), |bytes| format!(", {bytes}"));
        let (grid, block) = self.shape();
        let (grid, block) = (shown(grid), shown(block));
        Some(format!("{}{args}<<<{grid}, {block}{shared}>>>({})", kernel.name, items.join(", ")))
    }

    /// Blocks and threads.
    pub(super) fn shape(&self) -> ([u64; 3], [u64; 3]) {
        let rows = uses_rows(&self.kernel, "threadIdx");
        let grid_rows = rows || uses_rows(&self.kernel, "blockIdx");
        let other = self.shape.checked_sub(1).map(|i| SHAPES[i]);
        let block = match other.or(self.block.is_none().then_some(if rows { 16 * 16 } else { 128 })) {
            Some(threads) if rows => square(threads),
            Some(threads) => [threads, 1, 1],
            None => self.block.unwrap_or([1; 3]),
        };
        let mut grid = self.grid.unwrap_or(if grid_rows { [4, 4, 1] } else { [4, 1, 1] }).map(|n| n.max(1));
        while product(grid) > self.blocks {
            halve(&mut grid);
        }
        (grid, block)
    }

    pub(super) fn template_arg(&self, i: usize) -> String {
        let ty = self.kernel.template[i].value.as_ref();
        // A template and a function have names, a number has digits.
        let number = ty.is_some_and(|ty| matches!(ty.kind, TypeKind::Scalar(_)));
        match self.template.get(i) {
            Some(Some(told))
                if told.starts_with(|c: char| c.is_ascii_digit() || c == '-')
                    || !number
                    || told == "true"
                    || told == "false" =>
            {
                told.clone()
            }
            _ if ty.is_some_and(|ty| matches!(ty.kind, TypeKind::Scalar(Scalar::Bool))) => "true".into(),
            _ if ty.is_some() => likely_value(&self.kernel.template[i].name).into(),
            // `float` fits most template parameters. The name tells if vectors or indices are meant.
            _ => match &*self.kernel.template[i].name.to_ascii_lowercase() {
                name if ["index", "idx", "offset"].iter().any(|part| name.contains(part)) => "int".into(),
                name if name.contains("vec") || name.ends_with('4') => "float4".into(),
                name if name.ends_with('2') => "float2".into(),
                _ => "float".into(),
            },
        }
    }

    fn item(&self, i: usize, inner: &mut Vec<String>) -> Option<String> {
        let param = &self.kernel.params[i];
        let name = param.name.clone()?;
        let seed = i + 1;
        Some(match &param.ty.kind {
            TypeKind::Pointer(to, _) | TypeKind::Array(to, _) => match self.host_arg(i) {
                Some(HostArg::Int(0, _)) => format!("{name} = 0"),
                arg => self.pointer(i, &name, to, arg)?,
            },
            TypeKind::Scalar(_) if self.given(&name).is_some() => format!("{name} = {}", self.given(&name)?),
            TypeKind::Scalar(scalar) => format!("{name} = {}", self.scalar(*scalar, self.host_arg(i), &name)),
            TypeKind::Named(path) if &**path.last() == "cudaTextureObject_t" => {
                self.image_item(&name, self.host_arg(i), seed)
            }
            _ => {
                if let Some(HostArg::Function(function)) = self.host_arg(i) {
                    return Some(format!("{name} = {function}"));
                }
                let mut values = Vec::new();
                // A vector that the host leaves open has one value for all members.
                let open =
                    bounds::vector_type(&param.ty).is_some() && !matches!(self.host_arg(i), Some(HostArg::Fields(_)));
                match self.fields((&name, self.host_arg(i)), &param.ty, seed, (&mut values, inner)) {
                    Some(()) if !open && (values.len() > 1 || !inner.is_empty() || self.is_struct(&param.ty)) => {
                        format!("{name} = {{{}}}", values.join(", "))
                    }
                    _ => match self.given(&name) {
                        Some(value) => format!("{name} = {value}"),
                        None => format!("{name} = {}", self.scalar(Scalar::I64, self.host_arg(i), &name)),
                    },
                }
            }
        })
    }

    /// The item of an array with the size and the contents that the host gives it.
    pub(super) fn array(&self, name: &str, to: &TypeExpr, seed: usize, arg: Option<&HostArg>) -> Option<String> {
        let (bytes, contents) = match arg {
            Some(HostArg::Array { bytes, contents, .. }) => (*bytes, contents.as_deref()),
            _ => (None, None),
        };
        // An array behind a pointer is part of the same array.
        if let TypeKind::Pointer(inner, _) | TypeKind::Array(inner, None) = &to.kind {
            // All pointers point to the same row.
            let (row, ty) = (format!("{name}_row"), self.type_text(inner)?);
            let rows = bytes.map_or(ROWS, |bytes| (bytes / 8).clamp(1, ELEMENTS_MAX));
            return Some(format!("{}, {name}: {ty}*[{rows}] = {row}", self.array(&row, inner, seed, None)?));
        }
        let ty = self.type_text(to)?;
        if let Some(HostArg::Array { structs, .. }) = arg.filter(|_| self.elements.get(name).is_none()) {
            let (mut values, mut arrays) = (Vec::new(), Vec::new());
            let all = structs.iter().enumerate().map(|(i, one)| {
                let name = if structs.len() == 1 { name.into() } else { format!("{name}_{i}") };
                self.fields((&*name, Some(one)), to, seed, (&mut values, &mut arrays))
            });
            if !structs.is_empty() && self.is_struct(to) && all.collect::<Option<()>>().is_some() {
                arrays.push(format!("{name}: {ty}[{}] = {{{}}}", structs.len(), values.join(", ")));
                return Some(arrays.join(", "));
            }
        }
        let elements = self.elements.get(name).copied().unwrap_or_else(|| self.elements_at_first(&ty, bytes));
        let width = self.width(&ty);
        let real = |scalar: Scalar| matches!(scalar, Scalar::F32 | Scalar::F64);
        let whole = match &to.kind {
            TypeKind::Named(path) if self.scalar_named(path).is_some() => !self.scalar_named(path).is_some_and(real),
            _ => !ty.contains("float") && !ty.contains("double"),
        };
        let init = if self.ordered && whole {
            "iota".into()
        } else if let Some(init) = contents.and_then(|c| c.initialiser((width, elements), whole, seed)) {
            init
        } else if elements > RANDOM_MAX {
            "1".into()
        } else if !whole {
            format!("random({seed})")
        } else {
            format!("random({seed}, 0, {})", self.number)
        };
        Some(format!("{name}: {ty}[{elements}] = {init}"))
    }

    pub(super) fn scalar_named(&self, path: &Path) -> Option<Scalar> {
        self.scalars.iter().find(|(name, _)| path.plain() == Some(name)).map(|(_, scalar)| *scalar)
    }

    pub(super) fn type_text(&self, ty: &TypeExpr) -> Option<String> {
        Some(match &ty.kind {
            TypeKind::Scalar(Scalar::Void) => "char".into(),
            TypeKind::Scalar(scalar) => Ty::Scalar(*scalar).shown(),
            TypeKind::Array(to, _) => self.type_text(to)?,
            TypeKind::Named(path) => self.path_text(path)?,
            _ => return None,
        })
    }

    /// A name with namespaces and template arguments as text. A template parameter is its argument.
    fn path_text(&self, path: &Path) -> Option<String> {
        let template = &self.kernel.template;
        if let Some(i) = path.plain().and_then(|name| template.iter().position(|t| t.name == *name)) {
            return Some(self.template_arg(i));
        }
        let arg = |arg: &TemplateArg| match arg {
            TemplateArg::Type(ty) => self.type_text(ty),
            TemplateArg::Value(Expr { kind: ExprKind::Int(literal), .. }) => Some(literal.value.to_string()),
            TemplateArg::Value(Expr { kind: ExprKind::Bool(value), .. }) => Some(value.to_string()),
            TemplateArg::Value(Expr { kind: ExprKind::Name(path), .. }) => self.path_text(path),
            TemplateArg::Value(_) => None,
        };
        let part = |(name, args): &(Name, Option<Rc<Vec<TemplateArg>>>)| match args {
            // `P::type` of a template parameter.
            None => {
                Some(template.iter().position(|t| t.name == *name).map_or(name.to_string(), |i| self.template_arg(i)))
            }
            Some(args) => Some(format!("{name}<{}>", args.iter().map(arg).collect::<Option<Vec<_>>>()?.join(", "))),
        };
        let parts = path.parts.iter().map(part).collect::<Option<Vec<_>>>()?;
        if let [class, name] = &parts[..] {
            // An alias that a class declares for a scalar.
            let class = self.structs.iter().find(|s| *s.name == **class && s.template.is_empty());
            if let Some((_, ty)) = class.and_then(|s| s.aliases.iter().find(|(n, _)| **n == **name)) {
                if let TypeKind::Scalar(scalar) = ty.kind {
                    return Some(Ty::Scalar(scalar).shown());
                }
            }
        }
        Some(parts.join("::"))
    }
}

/// Guesses the value of a template parameter from its name. Parameters of matrix products have usual names.
fn likely_value(name: &str) -> &'static str {
    match name {
        "BM" | "BN" | "WM" | "WN" => "64",
        "BK" | "TM" | "TN" => "8",
        "WNITER" | "WMITER" => "1",
        "NUM_THREADS" => "128",
        _ => "16",
    }
}

/// Threads as rows and columns.
fn square(threads: u64) -> [u64; 3] {
    let rows = 1 << (threads.ilog2() / 2);
    [threads / rows, rows, 1]
}

pub(super) fn shown([x, y, z]: [u64; 3]) -> String {
    match (y, z) {
        (1, 1) => x.to_string(),
        (_, 1) => format!("dim3({x}, {y})"),
        _ => format!("dim3({x}, {y}, {z})"),
    }
}

fn halve(dims: &mut [u64; 3]) {
    if let Some(most) = dims.iter_mut().max() {
        *most /= 2;
    }
}
