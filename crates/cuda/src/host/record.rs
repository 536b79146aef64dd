//! Launches of host code, and their arguments as values without an evaluator.

use super::class::CLASS;
use super::closure::is_closure;
use super::value::{Key, Value};
use super::{root, Host, HostArg, HostLaunch};
use crate::lower::packs::expanded;
use crate::syntax::ast::{Expr, ExprKind, Function, FunctionKind, TemplateArg, TypeExpr, TypeKind};
use crate::syntax::token::{Name, Pos};
use std::rc::Rc;

/// Most structs of an array whose members are kept.
const STRUCTS_MAX: u64 = 16;

impl Host<'_> {
    /// Records a launch: kernel, grid, block and shared memory, and the arguments.
    pub(super) fn launch(&mut self, shape: &[Expr], exprs: &[Expr], pos: Pos) -> Value {
        let kernel = shape.first().and_then(|e| self.kernel_of(e));
        let values: Vec<Value> = shape.iter().skip(1).map(|e| self.eval(e)).collect();
        let args: Vec<HostArg> = exprs
            .iter()
            .enumerate()
            .map(|(i, e)| {
                let mut value = self.eval(e);
                if let Some(ty) = kernel.as_ref().and_then(|(kernel, _)| self.pointer_param(kernel, i)) {
                    value = self.convert(&ty, value);
                }
                self.launch_argument(&value)
            })
            .collect();
        if let Some((kernel, mut template)) = kernel {
            self.deduced(&kernel, &mut template, exprs);
            self.record((kernel, template), &values, (args, pos));
        }
        Value::int(0)
    }

    /// The type of a parameter of a kernel, if it is a pointer.
    fn pointer_param(&self, kernel: &Name, i: usize) -> Option<TypeExpr> {
        let f = self.unit.functions.iter().find(|f| f.kind == FunctionKind::Kernel && f.name == *kernel)?;
        f.params.get(i).map(|p| p.ty.clone()).filter(|ty| matches!(ty.kind, TypeKind::Pointer(..)))
    }

    /// Adds the template arguments of a kernel that follow from the types of its arguments.
    fn deduced(&mut self, kernel: &Name, template: &mut Vec<Option<String>>, args: &[Expr]) {
        let fits = |f: &&Rc<Function>| {
            f.kind == FunctionKind::Kernel && f.name == *kernel && f.body.is_some() && f.template.len() > template.len()
        };
        let Some(f) = self.unit.functions.iter().find(fits).cloned() else { return };
        let f = expanded(&f, args.len(), template.len()).map_or(f, |(f, _)| f);
        let known = self.template_of_call(&f, &[], args);
        for (i, arg) in known.iter().enumerate().skip(template.len()) {
            let text = arg.as_ref().and_then(|arg| self.template_text(arg));
            debug_assert_eq!(i, template.len());
            template.push(text);
        }
        while template.last().is_some_and(Option::is_none) {
            template.pop();
        }
    }

    /// The kernel that an expression names, and its template arguments as text.
    pub(super) fn kernel_of(&mut self, e: &Expr) -> Option<(Name, Vec<Option<String>>)> {
        let path = match root(e).and_then(|name| self.variable(name)).map(|v| self.get(&v.place)) {
            Some(Value::Function(path)) => (*path).clone(),
            _ => match path_of(e) {
                Some(path) => path.clone(),
                // An element of a table.
                None => match self.eval(e) {
                    Value::Function(path) => (*path).clone(),
                    _ => return None,
                },
            },
        };
        let args = path.args().cloned();
        let template = args.iter().flat_map(|args| args.iter()).map(|arg| self.template_text(arg)).collect();
        Some((path.last().clone(), template))
    }

    pub(super) fn record(
        &mut self,
        (kernel, template): (Name, Vec<Option<String>>),
        shape: &[Value],
        (args, pos): (Vec<HostArg>, Pos),
    ) {
        let numbers = |value: Option<&Value>| {
            Some(match value? {
                // `dim3` or `{x, y}`, whose missing numbers are 1.
                parts @ Value::Parts(all) => [("x", 0), ("y", 1), ("z", 2)].map(|(axis, i)| {
                    let value = match parts.get(&Key::Field(Name::from(axis))) {
                        Value::Unknown => parts.get(&Key::At(i)),
                        value => value,
                    };
                    value.as_int().or((i >= all.len() as i64).then_some(1))
                }),
                other => [other.as_int(), Some(1), Some(1)],
            })
        };
        let dims = |value: Option<&Value>| {
            let numbers = numbers(value)?;
            let mut out = [1; 3];
            for (slot, number) in out.iter_mut().zip(numbers) {
                *slot = u64::try_from(number?).ok().filter(|n| (1..=1 << 31).contains(n))?;
            }
            Some(out)
        };
        let input = shape.iter().map(Value::input).max().unwrap_or(0);
        // A launch without the third value has no dynamic shared memory.
        let shared = shape.get(2).map_or(Some(0), Value::as_int).and_then(|bytes| u64::try_from(bytes).ok());
        let (grid, block) = (dims(shape.first()), dims(shape.get(1)));
        // CUDA refuses an empty grid. One that comes from an assumed size still tells the rest of the launch.
        let empty = numbers(shape.first()).is_some_and(|all| all.iter().any(|n| n.is_some_and(|n| n <= 0)));
        if empty && input == 0 {
            return;
        }
        let read_only = self.read_only(&kernel);
        for (_, arg) in args.iter().enumerate().filter(|(i, _)| !read_only.contains(i)) {
            self.written(arg);
        }
        let open = [0, 1].map(|i| shape.get(i).is_some_and(|value| value.input() > 0));
        self.out.keep(HostLaunch { kernel, line: pos.line, template, grid, block, shared, input, open, args });
    }

    /// The parameters of a kernel that point to constants.
    fn read_only(&self, kernel: &Name) -> Vec<usize> {
        let kernel = self.unit.functions.iter().find(|f| f.kind == FunctionKind::Kernel && f.name == *kernel);
        let params = kernel.iter().flat_map(|f| f.params.iter().enumerate());
        let constant = |ty: &TypeExpr| matches!(&ty.kind, TypeKind::Pointer(to, _) if to.constant);
        params.filter(|(_, p)| constant(&p.ty)).map(|(i, _)| i).collect()
    }

    /// A kernel may write to what it gets.
    fn written(&mut self, arg: &HostArg) {
        match arg {
            HostArg::Array { object, .. } => self.now_holds(*object, None),
            HostArg::Fields(fields) => fields.iter().for_each(|(_, arg)| self.written(arg)),
            _ => {}
        }
    }

    pub(super) fn argument(&self, value: &Value, depth: u32) -> HostArg {
        match value {
            Value::Int(value, input) => HostArg::Int(*value, *input),
            Value::Float(value, input) => HostArg::Float(*value, *input),
            Value::Function(path) => HostArg::Function(path.last().clone()),
            Value::Pointer { object: Some(object), offset, .. } => match &self.objects[*object].image {
                Some(image) => HostArg::Image(image.clone()),
                None => HostArg::Array {
                    object: *object,
                    bytes: self.objects[*object].bytes,
                    offset: u64::try_from(*offset).unwrap_or(0),
                    open: self.objects[*object].open,
                    contents: self.objects[*object].contents.clone(),
                    structs: self.structs(value, depth),
                },
            },
            Value::Parts(parts) if depth < 4 => {
                let fields = parts.iter().filter_map(|(key, value)| match key {
                    Key::Field(name) if &**name != CLASS => Some((name.clone(), self.argument(value, depth + 1))),
                    Key::At(i) => Some((Name::from(i.to_string()), self.argument(value, depth + 1))),
                    Key::Field(_) => None,
                });
                HostArg::Fields(fields.collect())
            }
            _ => HostArg::Unknown,
        }
    }

    /// The structs that a pointer points to, if the host set members of all of them.
    fn structs(&self, pointer: &Value, depth: u32) -> Vec<HostArg> {
        let Value::Pointer { object: Some(object), offset: 0, element: size @ 1.. } = pointer else {
            return Vec::new();
        };
        let count = self.objects[*object].bytes.map_or(0, |bytes| bytes / size);
        if depth > 2 || !(1..=STRUCTS_MAX).contains(&count) {
            return Vec::new();
        }
        let element = |i: u64| self.get(&self.element(pointer, i as i64)?).members();
        (0..count).map(|i| Some(self.argument(&element(i)?, depth + 1))).collect::<Option<_>>().unwrap_or_default()
    }

    /// A template argument as text: a type, or a number.
    pub(super) fn template_text(&mut self, arg: &TemplateArg) -> Option<String> {
        match arg {
            TemplateArg::Type(ty) => {
                let ty = self.settled(ty)?;
                self.type_text(&ty)
            }
            TemplateArg::Value(Expr { kind: ExprKind::Bool(value), .. }) => Some(value.to_string()),
            TemplateArg::Value(e) => match self.eval(e) {
                Value::Int(value, _) => Some(value.to_string()),
                Value::Type(ty) => self.template_text(&TemplateArg::Type((*ty).clone())),
                _ => path_of(e)?
                    .plain()
                    .filter(|name| self.is_type(name) || self.is_function(name))
                    .map(ToString::to_string),
            },
        }
    }

    fn type_text(&mut self, ty: &TypeExpr) -> Option<String> {
        let number = |ty: &TypeExpr| matches!(ty.kind, TypeKind::Scalar(_));
        let behind = self.behind(ty).filter(number);
        match &behind.as_ref().unwrap_or(ty).kind {
            TypeKind::Scalar(scalar) => Some(crate::lower::types::Ty::Scalar(*scalar).shown()),
            TypeKind::Pointer(to, _) => self.type_text(to).map(|to| to + "*"),
            TypeKind::Reference(to) => self.type_text(to),
            TypeKind::Named(path) if is_closure(path.last()) => Some(path.last().to_string()),
            TypeKind::Named(path) if path.plain().is_some_and(|name| self.is_template(name)) => {
                path.plain().map(ToString::to_string)
            }
            // The parameter of a function that nothing calls is no type.
            TypeKind::Named(path) if self.module.resolve(ty).is_ok() => {
                let mut parts = Vec::new();
                for (name, args) in &path.parts {
                    let args: Option<Vec<String>> = args
                        .as_ref()
                        .map(|args| args.iter().map(|arg| self.template_text(arg)).collect())
                        .unwrap_or(Some(Vec::new()));
                    let args = args?.join(", ");
                    // Two `>` in a row would be another sign.
                    let space = if args.ends_with('>') { " " } else { "" };
                    parts.push(if args.is_empty() { name.to_string() } else { format!("{name}<{args}{space}>") });
                }
                Some(parts.join("::"))
            }
            _ => None,
        }
    }

    /// A class template, which a template can be handed as such.
    fn is_template(&self, name: &Name) -> bool {
        self.unit.structs.iter().any(|s| s.name == *name && !s.template.is_empty())
    }

    /// A function of the device, which a template can be handed as a constant.
    fn is_function(&self, name: &Name) -> bool {
        self.unit.functions.iter().any(|f| f.name == *name && f.kind == FunctionKind::Device)
    }

    fn is_type(&self, name: &Name) -> bool {
        self.unit.structs.iter().any(|s| s.name == *name) || self.unit.aliases.iter().any(|a| a.0 == *name)
    }
}

/// The path that an expression names, behind casts and `&`.
fn path_of(e: &Expr) -> Option<&crate::syntax::ast::Path> {
    match &e.kind {
        ExprKind::Name(path) => Some(path),
        ExprKind::Cast(_, inner, _) | ExprKind::Unary(_, inner) => path_of(inner),
        _ => None,
    }
}
