//! What the launches give for the parameters of a template.
//!
//! In: the template arguments of the launches as text, from the facts and from the host code. Out: the types of an array's elements,
//! and the values of whole-number parameters.

use crate::launch::lookup::args_of;
use crate::lower::types::{named_scalar, vector, Binding, Ty};
use crate::lower::Module;
use crate::rewrite::facts::LaunchFacts;
use crate::rewrite::kernel::{refuse, Kernel};
use crate::rewrite::Refusal;
use crate::syntax::ast::{Function, Scalar, TypeExpr, TypeKind, Unit};
use crate::syntax::lex;
use crate::syntax::macros::Macros;
use crate::syntax::token::{Name, Token};
use std::ops::Range;

/// The declarations of a file whose kernel is a template.
pub(super) struct Template {
    module: Module,
    macros: Macros,
}

impl Template {
    pub fn of(function: &Function, unit: &Unit, macros: Macros) -> Option<Self> {
        (!function.template.is_empty()).then(|| Self { module: Module::new(unit), macros })
    }

    /// What the template parameters are with these arguments. `None` if the file does not tell, or if arguments are missing.
    fn bindings(&self, function: &Function, unit: &Unit, args: &[Token]) -> Option<Vec<(Name, Binding)>> {
        let args = args_of(unit, &self.macros, args, function.pos).ok()?;
        self.module.bindings(function, &args).ok()
    }

    /// The values of the template's parameters in this launch. `None` for one that is no whole number.
    pub fn numbers(&self, function: &Function, unit: &Unit, facts: &LaunchFacts) -> Vec<Option<i64>> {
        let own = facts.instances.first().map(|(_, text)| tokens(text));
        let bindings = own.and_then(|own| self.bindings(function, unit, &own)).unwrap_or_default();
        let value = |name: &Name| {
            bindings.iter().find(|(bound, _)| bound == name).and_then(|(_, binding)| match *binding {
                Binding::Value(Scalar::I8 | Scalar::I16 | Scalar::I32, bits) => Some(i64::from(bits as i32)),
                Binding::Value(_, bits) => i64::try_from(bits).ok(),
                _ => None,
            })
        };
        function.template.iter().map(|p| value(&p.name)).collect()
    }
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = lex(text).tokens;
    tokens.pop();
    tokens
}

/// The name and the type of a parameter of a kernel by its number. Those of the template that are values come behind the others.
pub(super) fn parameter(function: &Function, number: usize) -> Option<(&str, &TypeExpr)> {
    match function.params.get(number) {
        Some(param) => Some((param.name.as_deref()?, &param.ty)),
        None => {
            let param = function.template.get(number - function.params.len())?;
            Some((&param.name, param.value.as_ref()?))
        }
    }
}

/// Whether every place of a text can name this type: a scalar, a vector or a half.
pub(super) fn is_builtin(element: &str) -> bool {
    const WORDS: [&str; 9] = ["float", "double", "int", "unsigned", "long", "short", "char", "signed", "bool"];
    const HALVES: [&str; 4] = ["__half", "__half2", "__nv_bfloat16", "__nv_bfloat162"];
    let known = |word: &str| WORDS.contains(&word) || named_scalar(word).is_some() || HALVES.contains(&word);
    vector(element).is_some() || element.split(' ').all(known)
}

impl Kernel<'_> {
    /// Whether a type, as written, names a parameter of the template.
    pub fn is_of_template(&self, written: &str) -> bool {
        let mut words = written.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.any(|word| self.function.template.iter().any(|p| *p.name == *word))
    }

    /// The types that the elements of an array have in the launches of the kernel, this one first, each once. It is the type as
    /// written if no template decides it.
    pub fn elements(&self, array: &str) -> Result<Vec<String>, Refusal> {
        let written = self.element(array)?;
        let Some(template) = self.template.as_ref().filter(|_| self.is_of_template(&written)) else {
            return Ok(vec![written]);
        };
        let ty = match self.parameter(array).map(|p| &self.function.params[p].ty.kind) {
            Some(TypeKind::Pointer(to, _) | TypeKind::Array(to, _)) => to,
            _ => return Ok(vec![written]),
        };
        let element = |args: &[Token]| {
            let bindings = template.bindings(&self.function, &self.unit, args)?;
            template.module.resolve_in(ty, &bindings).ok().map(|ty: Ty| ty.shown())
        };
        let instances = &self.known.facts.instances;
        let mut found: Vec<Option<String>> = instances.iter().map(|(_, text)| element(&tokens(text))).collect();
        for at in 0..self.source.tokens.len() {
            let args = self.args_at(at);
            let whole = self.count_args(args.clone()) >= self.function.template.len();
            match whole.then(|| element(&self.source.tokens[args])).flatten() {
                Some(ty) => found.push(Some(ty)),
                None if self.shape(at).is_some() && self.instances_at(at).is_empty() => found.push(None),
                None => {}
            }
        }
        let Some(found) = found.into_iter().collect::<Option<Vec<_>>>() else {
            return refuse(array, "a launch of the template has types that the text does not show");
        };
        let mut all: Vec<String> = Vec::new();
        for ty in found {
            if !all.contains(&ty) {
                all.push(ty);
            }
        }
        match all.is_empty() {
            true => refuse(array, "a launch of the template has types that the text does not show"),
            false => Ok(all),
        }
    }

    /// The type of an array's elements, if all launches have one.
    pub fn one_element(&self, array: &str) -> Result<String, Refusal> {
        let all = self.elements(array)?;
        match &all[..] {
            [one] => Ok(one.clone()),
            _ => refuse(array, format!("launches of the template give it the types `{}`", all.join("` and `"))),
        }
    }

    /// The template arguments behind the kernel's name at a token, with their brackets.
    pub fn args_at(&self, name: usize) -> Range<usize> {
        let own = self.source.tokens[name].is_ident(&self.function.name);
        own.then(|| self.source.angles(name + 1)).flatten().unwrap_or(name + 1..name + 1)
    }

    /// The number of template arguments between these tokens.
    fn count_args(&self, args: Range<usize>) -> usize {
        let read = |template: &Template| {
            args_of(&self.unit, &template.macros, &self.source.tokens[args], self.function.pos).ok()
        };
        self.template.as_ref().and_then(read).map_or(0, |args| args.len())
    }

    /// The template arguments of the launches that the host made at a token.
    fn instances_at(&self, name: usize) -> Vec<&str> {
        let end = (name..self.source.tokens.len()).find(|&t| self.source.tokens[t].is(";")).unwrap_or(name);
        let lines = self.source.tokens[name].pos.line..=self.source.tokens[end].pos.line;
        let own = self.known.facts.instances.iter().filter(|(line, _)| lines.contains(line));
        own.map(|(_, text)| text.as_str()).collect()
    }

    /// The template arguments that a launch in host code has to write once parameters from which the compiler finds them are changed.
    pub fn args_to_write(&self, name: usize, changed: &[usize]) -> Result<Option<String>, Refusal> {
        let given = self.count_args(self.args_at(name));
        let lost = |param: &Name| {
            let mut showing = (0..self.function.params.len()).filter(|&p| shows(&self.function.params[p].ty, param));
            showing.clone().next().is_some() && showing.all(|p| changed.contains(&p))
        };
        if !self.function.template.iter().skip(given).any(|param| lost(&param.name)) {
            return Ok(None);
        }
        match self.instances_at(name)[..] {
            [one] => Ok(Some(one.into())),
            _ => refuse("", "a launch of the template has types that the text does not show"),
        }
    }
}

/// Whether the compiler finds a parameter of a template from an argument of this type.
fn shows(ty: &TypeExpr, param: &Name) -> bool {
    match &ty.kind {
        TypeKind::Pointer(to, _) | TypeKind::Array(to, _) | TypeKind::Reference(to) => shows(to, param),
        TypeKind::Named(path) => path.plain() == Some(param),
        _ => false,
    }
}
