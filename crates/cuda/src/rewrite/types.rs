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
use crate::syntax::token::{Name, Tok, Token};
use std::ops::Range;

const UNKNOWN: &str = "a launch of the template has types that the text does not show";
/// Functions of the host that call each other, at most.
const CALLS_DEPTH: usize = 8;

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
        let mut all: Vec<String> = Vec::new();
        for ty in found.iter().flatten() {
            if !all.contains(ty) {
                all.push(ty.clone());
            }
        }
        match all.len() {
            2.. if found.contains(&None) => several(array, &all),
            1.. if !found.contains(&None) => Ok(all),
            _ => refuse(array, UNKNOWN),
        }
    }

    /// The type of an array's elements, if all launches have one.
    pub fn one_element(&self, array: &str) -> Result<String, Refusal> {
        let all = self.elements(array)?;
        match &all[..] {
            [one] => Ok(one.clone()),
            _ => several(array, &all),
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

    /// The template arguments of the launches that the host made at a token. None if it could make others there.
    fn instances_at(&self, name: usize) -> Vec<&str> {
        let tokens = &self.source.tokens;
        let line = tokens[name].pos.line;
        let end = (name..tokens.len()).find(|&t| tokens[t].is(";")).unwrap_or(name);
        let lines = line..=tokens[end].pos.line;
        let beside = (0..tokens.len()).filter(|&t| tokens[t].pos.line == line && self.shape(t).is_some()).count();
        let known = beside == 1 && self.has_one_instance(name, 0);
        let own = self.known.facts.instances.iter().filter(|(line, _)| known && lines.contains(line));
        own.map(|(_, text)| text.as_str()).collect()
    }

    /// Whether the function of the host around a token is no template, or all its calls have the same arguments.
    fn has_one_instance(&self, token: usize, depth: usize) -> bool {
        let Some((name, template)) = self.host_function(token) else { return false };
        if !template {
            return true;
        }
        let tokens = &self.source.tokens;
        let calls = (0..tokens.len()).filter(|&t| tokens[t].is_ident(name) && self.host_function(t).is_some());
        let calls: Vec<usize> = calls.collect();
        let args = |call: usize| self.source.angles(call + 1).map_or("", |args| self.source.slice(args));
        let same =
            calls.iter().all(|&call| args(call) == args(calls[0]) && (calls.len() == 1 || !args(call).is_empty()));
        same && depth < CALLS_DEPTH && calls.iter().all(|&call| self.has_one_instance(call, depth + 1))
    }

    /// The name of the function around a token, and whether it is a template. `None` for a method.
    fn host_function(&self, token: usize) -> Option<(&Name, bool)> {
        let tokens = &self.source.tokens;
        let before = |t: usize, by: usize| t.checked_sub(by).map(|t| &tokens[t]);
        let is_space = |t: usize| {
            let named = (1..3).any(|by| before(t, by).is_some_and(|t| t.is_ident("namespace")));
            named || before(t, 1).is_some_and(|t| matches!(t.tok, Tok::Str(_)))
        };
        let around =
            |t: &usize| tokens[*t].is("{") && !is_space(*t) && self.source.close(*t).is_some_and(|c| c > token);
        let brace = (0..token).find(around)?;
        let close = brace.checked_sub(1).filter(|&t| tokens[t].is(")"))?;
        let open = (1..close).rev().find(|&t| tokens[t].is("(") && self.source.close(t) == Some(close))?;
        let first = (0..open).rev().find(|&t| [";", "{", "}"].iter().any(|sign| tokens[t].is(sign))).unwrap_or(0);
        let template = tokens[first..open].iter().any(|t| t.is_ident("template"));
        Some((tokens[open - 1].ident()?, template))
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
            _ => refuse("", UNKNOWN),
        }
    }
}

fn several<T>(array: &str, all: &[String]) -> Result<T, Refusal> {
    refuse(array, format!("launches of the template give it the types `{}`", all.join("` and `")))
}

/// Whether the compiler finds a parameter of a template from an argument of this type.
fn shows(ty: &TypeExpr, param: &Name) -> bool {
    match &ty.kind {
        TypeKind::Pointer(to, _) | TypeKind::Array(to, _) | TypeKind::Reference(to) => shows(to, param),
        TypeKind::Named(path) => path.plain() == Some(param),
        _ => false,
    }
}
