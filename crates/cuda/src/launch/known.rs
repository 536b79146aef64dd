//! What a rewriting of the text has to know of a launch's arguments.

use crate::host::HostRun;
use crate::launch::arguments::LaunchEnv;
use crate::launch::store::DeviceStore;
use crate::launch::{LaunchItem, LaunchSpec};
use crate::lower::types::Ty;
use crate::lower::Parameter;
use crate::syntax::ast::{Function, Scalar};
use crate::syntax::macros::{expand_macros, Macros};
use crate::syntax::token::{Tok, Token};

/// The template arguments of all launches of a kernel as text, the one at `index` first, each with its line of the host code or 0.
/// They are `<?>` where they are not known. There are none of a kernel that is no template.
pub fn instances(
    kernel: &Function,
    (specs, index): (&[LaunchSpec], usize),
    macros: &Macros,
    run: &HostRun,
) -> Vec<(u32, String)> {
    let others = specs.iter().filter(|spec| spec.kernel == kernel.name);
    let written = specs[index..=index].iter().chain(others).map(|spec| (0, template_text(&spec.template, macros)));
    let followed = run.launches.iter().filter(|launch| launch.kernel == kernel.name).map(|launch| {
        let args: Option<Vec<&str>> = launch.template.iter().map(Option::as_deref).collect();
        (launch.line, args.map(|args| format!("<{}>", args.join(", "))))
    });
    let mut all: Vec<(u32, String)> = Vec::new();
    for (line, text) in written.chain(followed).filter(|_| !kernel.template.is_empty()) {
        let instance = (line, text.unwrap_or_else(|| "<?>".into()));
        if !all.contains(&instance) {
            all.push(instance);
        }
    }
    all
}

/// Template arguments as text, with the macros in them expanded.
fn template_text(template: &[Token], macros: &Macros) -> Option<String> {
    let (mut tokens, mut text) = (Vec::new(), String::new());
    expand_macros(template.to_vec(), macros, &mut tokens).ok()?;
    for token in &tokens {
        let word = match &token.tok {
            Tok::Ident(name) => name.to_string(),
            Tok::Int(literal) => literal.value.to_string(),
            Tok::Punct(sign) => (*sign).into(),
            _ => return None,
        };
        let joins = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        if token.spaced && !text.is_empty() || joins(text.chars().last()) && joins(word.chars().next()) {
            text.push(' ');
        }
        text += &word;
    }
    Some(text)
}

impl LaunchEnv<'_> {
    /// The number parameters with their values.
    pub fn numbers(&self) -> Vec<(String, i64)> {
        let value = |scalar: Scalar, bits: u64| match scalar {
            Scalar::I8 => i64::from(bits as i8),
            Scalar::I16 => i64::from(bits as i16),
            Scalar::I32 => i64::from(bits as i32),
            _ => bits as i64,
        };
        let whole = self.known.iter().filter(|(_, scalar, _)| !matches!(scalar, Scalar::F32 | Scalar::F64));
        whole.map(|(name, scalar, bits)| (name.to_string(), value(*scalar, *bits))).collect()
    }

    /// Parameters that point into an array of another name, with the array.
    pub fn aliases(&self, store: &DeviceStore, params: &[Parameter], items: &[&LaunchItem]) -> Vec<(String, String)> {
        let pointers = params.iter().filter(|p| matches!(p.ty, Ty::Pointer(_) | Ty::Texture(..)));
        let alias = |p: &Parameter| {
            let item = items.iter().find(|item| item.name == p.name).filter(|item| item.dims.is_empty())?;
            let target = item.value.as_ref()?.first()?.ident()?;
            store.arrays.iter().any(|a| a.name == *target).then(|| (p.name.to_string(), target.to_string()))
        };
        pointers.filter_map(alias).collect()
    }
}
