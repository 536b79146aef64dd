//! Parses friends of classes. A function that is defined in a class as its friend is one of the file.

use crate::syntax::ast::TemplateParam;
use crate::syntax::parse::{Parsed, Parser};
use crate::syntax::token::{Name, Tok, Token};

/// A class template whose members are being parsed: its name, and the names of its parameters.
pub(crate) type Enclosing = (Name, Vec<Name>);

impl Parser {
    /// Notes the class template that begins here, and returns the one around it. A specialisation and a template with a
    /// pack are none: their names stand for more than a list of their parameters.
    pub(crate) fn enclose(&mut self, template: &[TemplateParam]) -> Option<Enclosing> {
        let name = self.peek_at(1).ident().filter(|_| !self.peek_at(2).is("<") && !template.iter().any(|p| p.pack));
        let next = name.cloned().map(|name| (name, template.iter().map(|p| p.name.clone()).collect()));
        std::mem::replace(&mut self.enclosing, next)
    }

    /// How many tokens ahead `friend` stands, as in `friend T f()` and `__device__ friend T f()`.
    pub(crate) fn friend_ahead(&self) -> Option<usize> {
        const BEFORE: [&str; 7] =
            ["__host__", "__device__", "__forceinline__", "__inline__", "inline", "constexpr", "static"];
        (0..BEFORE.len())
            .find(|&n| !BEFORE.iter().any(|w| self.peek_at(n).is_ident(w)))
            .filter(|&n| self.peek_at(n).is_ident("friend"))
    }

    /// Parses the declaration of a friend, `ahead` tokens before which its specifiers begin.
    pub(crate) fn friend(&mut self, ahead: usize, template: Vec<TemplateParam>) -> Parsed<()> {
        let start = self.at;
        self.skip_item();
        let end = std::mem::replace(&mut self.at, start);
        if !self.tokens[start..end].iter().any(|t| t.is("{")) {
            self.at = end;
            return Ok(());
        }
        self.tokens[start..=start + ahead].rotate_right(1);
        let end = self.with_own_name(start, end);
        self.next();
        let device = self.mentions_device();
        match self.device_item(template) {
            Err(_) if !device => {
                self.at = end;
                Ok(())
            }
            result => result,
        }
    }

    /// Gives the name of the class template its parameters in these tokens: outside of the class it does not stand for
    /// itself. Returns where the tokens end now.
    fn with_own_name(&mut self, start: usize, end: usize) -> usize {
        let Some((class, params)) = self.enclosing.clone() else { return end };
        let alone = |at: usize, tokens: &[Token]| {
            tokens[at].is_ident(&class)
                && !tokens[at + 1].is("<")
                && !tokens[at - 1].is("::")
                && !tokens[at - 1].is("~")
        };
        let mut written = Vec::with_capacity(end - start);
        for at in start..end {
            let token = self.tokens[at].clone();
            let mut push = |tok: Tok| written.push(Token { tok, ..token.clone() });
            push(token.tok.clone());
            if alone(at, &self.tokens) {
                for (i, name) in params.iter().enumerate() {
                    push(Tok::Punct(if i == 0 { "<" } else { "," }));
                    push(Tok::Ident(name.clone()));
                }
                push(Tok::Punct(">"));
            }
        }
        let grown = start + written.len();
        self.tokens.splice(start..end, written);
        grown
    }
}
