//! Signs of the numbers in an index. An index that becomes a part of another sum is signed there, because conditions compare such sums
//! with 0.

use crate::rewrite::kernel::Kernel;
use crate::rewrite::unstage::bracketed;
use crate::rewrite::uses::is_signed;
use crate::syntax::token::{Name, Tok};
use std::ops::Range;

/// Unsigned numbers that every text knows.
const BUILTIN: [&str; 4] = ["threadIdx.", "blockIdx.", "blockDim.", "gridDim."];

fn names_unsigned(name: &str) -> bool {
    BUILTIN.iter().any(|known| known.strip_suffix('.') == Some(name))
        || ["sizeof", "unsigned", "size_t"].contains(&name)
}

impl Kernel<'_> {
    /// The name of a variable as a signed number. An index in shared memory fits an `int`.
    pub fn signed(&self, name: &Name) -> String {
        let cast = if self.uses.unsigned.contains(name) { "(int)" } else { "" };
        format!("{cast}{name}")
    }

    /// An index as it is written, as a term of a signed sum.
    pub fn signed_index(&self, tokens: Range<usize>) -> String {
        let text = self.source.slice(tokens.clone());
        let sums = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ' ' | '+' | '-' | '*' | '(' | ')');
        // A remainder or a quotient of unsigned numbers is another one than of signed numbers.
        let plain = text.chars().all(sums);
        match self.has_unsigned(tokens, !plain) {
            true => format!("(int){}", bracketed(text)),
            false if plain => {
                BUILTIN.iter().fold(text.into(), |text, name| text.replace(name, &format!("(int){name}")))
            }
            false => format!("({text})"),
        }
    }

    fn has_unsigned(&self, tokens: Range<usize>, builtin: bool) -> bool {
        let source = &self.source.tokens;
        tokens.into_iter().any(|t| match &source[t].tok {
            Tok::Int(literal) => literal.unsigned,
            Tok::Ident(_) if t > 0 && source[t - 1].is(".") => false,
            Tok::Ident(name) => {
                builtin && names_unsigned(name)
                    || self.uses.unsigned.contains(name)
                    || self.global(name).is_some_and(|global| !is_signed(&global.ty))
                    || self.is_macro_of_unsigned(name)
            }
            _ => false,
        })
    }

    /// Whether the text defines a macro that has an unsigned number.
    fn is_macro_of_unsigned(&self, name: &Name) -> bool {
        let tokens = &self.source.tokens;
        let defined = (1..tokens.len()).find(|&t| tokens[t].is_ident(name) && tokens[t - 1].is_ident("define"));
        let rest = defined.map_or(&[][..], |t| &tokens[t + 1..]);
        rest.iter().take_while(|token| !token.starts_line).any(|token| match &token.tok {
            Tok::Int(literal) => literal.unsigned,
            Tok::Ident(name) => names_unsigned(name) || self.uses.unsigned.contains(name),
            _ => false,
        })
    }
}
