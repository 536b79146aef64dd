//! Resolves what a launch comment names in its file: the kernel, its template arguments, and the role of each item.

use crate::launch::{LaunchItem, LaunchSpec};
use crate::syntax::ast::{Function, FunctionKind, TemplateArg, Unit};
use crate::syntax::macros::{expand_macros, Macros};
use crate::syntax::parse::parse_fragment;
use crate::syntax::token::{Name, Pos, TextFault, Tok, Token};
use std::collections::HashSet;
use std::rc::Rc;

fn kernels(unit: &Unit) -> impl Iterator<Item = &Rc<Function>> {
    unit.functions.iter().filter(|f| f.kind == FunctionKind::Kernel)
}

/// Whether the file defines a kernel, and does not only declare one.
pub fn has_kernel(unit: &Unit) -> bool {
    kernels(unit).any(|f| f.body.is_some())
}

/// The kernels that the file defines. Explicit specialisations of a template are left out: their template stands for them.
pub fn defined_kernels(unit: &Unit) -> Vec<&Rc<Function>> {
    let special: HashSet<&Name> =
        kernels(unit).filter(|f| f.specialised.is_some() && f.body.is_some()).map(|f| &f.name).collect();
    let defined = |f: &Function| kernels(unit).any(|k| k.name == f.name && k.specialised.is_none() && k.body.is_some());
    let mut all: Vec<&Rc<Function>> = Vec::new();
    for f in kernels(unit).filter(|f| f.specialised.is_none()) {
        // A template may be defined by its specialisations alone.
        let by_others = || special.contains(&f.name) && !all.iter().any(|a| a.name == f.name) && !defined(f);
        if f.body.is_some() || by_others() {
            all.push(f);
        }
    }
    all
}

/// Whether any kernel of the file has a parameter of this name.
pub fn is_kernel_param(unit: &Unit, name: &str) -> bool {
    kernels(unit).flat_map(|f| &f.params).any(|p| p.name.as_deref() == Some(name))
}

/// The number of template arguments. Those of an argument lie in brackets of their own.
fn count_args(tokens: &[Token]) -> usize {
    let mut depth = 0;
    let mut commas = 0;
    for token in tokens {
        match token.tok {
            Tok::Punct("<" | "(" | "{") => depth += 1,
            Tok::Punct(">" | ")" | "}") => depth -= 1,
            Tok::Punct(">>") => depth -= 2,
            Tok::Punct(",") if depth == 0 => commas += 1,
            _ => {}
        }
    }
    if tokens.is_empty() {
        0
    } else {
        commas + 1
    }
}

fn names(spec: &LaunchSpec, param: &Name) -> bool {
    spec.items.iter().any(|item| item.name == *param)
}

/// The kernel that a launch starts.
pub fn find_kernel(unit: &Unit, spec: &LaunchSpec) -> Result<Rc<Function>, TextFault> {
    let is = |f: &&Rc<Function>| f.kind == FunctionKind::Kernel && f.name == spec.kernel && f.specialised.is_none();
    // Of several kernels with one name, the one whose parameters the launch names.
    let named =
        |f: &Function| f.params.iter().filter(|p| p.name.as_ref().is_some_and(|name| names(spec, name))).count();
    let given = count_args(&spec.template);
    let templates = |f: &Function| f.template.len() >= given;
    let found = unit.functions.iter().filter(is).max_by_key(|f| (f.body.is_some(), templates(f), named(f)));
    found.cloned().ok_or_else(|| {
        let kernels: Vec<&str> =
            unit.functions.iter().filter(|f| f.kind == FunctionKind::Kernel).map(|f| &*f.name).collect();
        let help = if kernels.is_empty() {
            "the file has no kernel".into()
        } else {
            format!("the file has {}", kernels.join(", "))
        };
        TextFault::new(spec.pos, "a kernel of the file", format!("`{}`", spec.kernel), help)
    })
}

/// The template arguments of a launch.
pub fn template_args(unit: &Unit, macros: &Macros, spec: &LaunchSpec) -> Result<Vec<TemplateArg>, TextFault> {
    args_of(unit, macros, &spec.template, spec.pos)
}

/// Template arguments with the brackets around them. There are none if there are no brackets.
pub(crate) fn args_of(
    unit: &Unit,
    macros: &Macros,
    template: &[Token],
    pos: Pos,
) -> Result<Vec<TemplateArg>, TextFault> {
    if template.is_empty() {
        return Ok(Vec::new());
    }
    let mut tokens = Vec::new();
    expand_macros(template.to_vec(), macros, &mut tokens)?;
    tokens.push(Token { tok: Tok::End, pos, starts_line: true, spaced: true });
    parse_fragment(tokens, unit, |f| f.template_args()).map_err(|f| f.at(pos))
}

/// An item that is neither a parameter of its launch's kernel nor a variable of the file.
pub fn is_size(unit: &Unit, specs: &[LaunchSpec], item: &LaunchItem) -> bool {
    let param = |spec: &LaunchSpec| {
        let kernel = unit.functions.iter().filter(|f| f.name == spec.kernel);
        kernel.flat_map(|f| &f.params).any(|p| p.name.as_ref() == Some(&item.name))
    };
    item.value.is_some()
        && item.dims.is_empty()
        && !specs.iter().any(param)
        && !unit.globals.iter().any(|g| g.name == item.name && g.init.is_none())
}

/// Whether an item declares an array.
pub fn is_array(item: &LaunchItem) -> bool {
    !item.dims.is_empty()
}

/// The items of a launch with those that it inherits from earlier launches, which are marked. Its own items take
/// precedence.
pub fn items_with_inherited(specs: &[LaunchSpec], index: usize) -> Vec<(&LaunchItem, bool)> {
    let mut out: Vec<(&LaunchItem, bool)> = Vec::new();
    for (i, spec) in specs[..=index].iter().enumerate() {
        for item in spec.items.iter().filter(|item| item.value.is_some() || is_array(item)) {
            let inherited = i < index;
            match out.iter_mut().find(|(o, _)| o.name == item.name) {
                // A later item without `=` names the array that exists.
                Some(slot) if item.value.is_some() || !is_array(item) => *slot = (item, inherited),
                Some(slot) => slot.1 = true,
                None => out.push((item, inherited)),
            }
        }
    }
    out
}
