//! The sizes of the options: whether the text uses them, and their place in the launch comments.

use super::Emulation;
use cuda::{lex, LaunchComment, LaunchItem, LaunchSpec, Lexed, Name, Pos, TextFault, Token};
use std::collections::BTreeSet;

impl Emulation {
    /// Checks the sizes of the options. A size that the text does not use would change nothing, so a misspelt name would go
    /// unseen.
    pub(super) fn check_sizes(&mut self, lexed: &Lexed, comments: &[LaunchComment], specs: &[LaunchSpec]) -> bool {
        if self.options.sizes.is_empty() {
            return true;
        }
        let of_launches: Vec<Token> = comments.iter().flat_map(|comment| lex(&comment.text).tokens).collect();
        let names: BTreeSet<&Name> = lexed.all_tokens().chain(&of_launches).filter_map(Token::ident).collect();
        let faults: Vec<TextFault> = self
            .options
            .sizes
            .iter()
            .filter_map(|(name, value)| {
                let known = names.iter().any(|known| ***known == **name);
                if known {
                    bad_value(name, value, &names)
                } else {
                    Some(unknown_size(name, specs))
                }
            })
            .collect();
        faults.iter().for_each(|fault| self.error(fault));
        faults.is_empty()
    }

    /// Replaces values of the launch comment by the sizes of the options.
    pub(super) fn replace_sizes(&self, specs: &mut [LaunchSpec]) {
        for (name, value) in self.options.sizes.clone() {
            let tokens = tokens_of(&value);
            let mut known = false;
            for item in specs.iter_mut().flat_map(|s| &mut s.items).filter(|i| *i.name == *name && i.dims.is_empty()) {
                (item.value, item.text, known) = (Some(tokens.clone()), value.clone(), true);
            }
            if !known {
                let item = LaunchItem {
                    name: Name::from(name.as_str()),
                    ty: None,
                    dims: Vec::new(),
                    words: Vec::new(),
                    value: Some(tokens),
                    text: value,
                };
                specs.iter_mut().take(1).for_each(|s| s.items.push(item.clone()));
            }
        }
    }
}

/// The tokens of a value, without the end of the text.
fn tokens_of(value: &str) -> Vec<Token> {
    let mut tokens = lex(value).tokens;
    tokens.pop();
    tokens
}

fn unknown_size(name: &str, specs: &[LaunchSpec]) -> TextFault {
    let plain = specs.iter().flat_map(|s| &s.items).filter(|item| item.ty.is_none() && item.dims.is_empty());
    let sizes: BTreeSet<&str> = plain.filter(|item| item.value.is_some()).map(|item| &*item.name).collect();
    let help = if specs.is_empty() {
        "use it in a launch comment above the kernel, which this file does not have, or leave it out".into()
    } else if sizes.is_empty() {
        "leave it out: the launch comments of this file name no size".into()
    } else {
        format!("use one of {}", sizes.into_iter().collect::<Vec<_>>().join(", "))
    };
    TextFault::new(Pos::default(), "a size that the file uses", format!("`{name}`"), help)
}

/// What is wrong with a value: it is empty, or it has a name that the file does not.
fn bad_value(name: &str, value: &str, names: &BTreeSet<&Name>) -> Option<TextFault> {
    let tokens = tokens_of(value);
    let unknown = tokens.iter().filter_map(Token::ident).any(|word| !names.contains(word));
    (tokens.is_empty() || unknown).then(|| {
        let help = "give a number, or an expression of numbers and sizes of the file";
        TextFault::new(Pos::default(), format!("a value for the size `{name}`"), format!("`{value}`"), help)
    })
}
