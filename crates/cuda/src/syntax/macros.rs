//! Expands macros by Prosser's algorithm. Each token carries a hide set, so that a name is not expanded inside its own
//! expansion.

use crate::syntax::lex::lex;
use crate::syntax::preprocess::unrolled;
use crate::syntax::token::{Name, Pos, TextFault, Tok, Token};
use std::collections::HashMap;
use std::rc::Rc;

/// Most macros that expand inside one another.
const NESTED_MAX: usize = 1000;
/// Most tokens of a file, after its macros.
const TOKENS_MAX: usize = 2_000_000;
/// Most calls of macros in arguments of one another.
const CALLS_MAX: u32 = 100;
/// Most tokens that the macros of a file may make.
const MADE_MAX: usize = 1_000_000;

/// What the macros of a file may still do. It bounds the time for any text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    /// Tokens that may still be made.
    left: usize,
    /// Calls of macros around the current one.
    depth: u32,
}

impl Default for Budget {
    fn default() -> Self {
        Self { left: MADE_MAX, depth: 0 }
    }
}

impl Budget {
    fn spend(&mut self, tokens: usize, pos: Pos) -> Result<(), TextFault> {
        self.left = self.left.saturating_sub(tokens);
        if self.left > 0 {
            return Ok(());
        }
        let found = format!("more than {MADE_MAX}");
        let help = "a macro grows without end, or the file is too large: expand it by hand";
        Err(TextFault::new(pos, "macros that make fewer tokens", found, help))
    }

    /// Whether nothing is left.
    pub(crate) fn is_spent(self) -> bool {
        self.left == 0
    }
}

#[derive(Clone, Debug)]
pub struct Macro {
    /// `None` for an object-like macro.
    pub params: Option<Vec<Name>>,
    pub variadic: bool,
    pub body: Vec<Token>,
    /// Set by the launch or the options. A `#define` of the text does not replace it.
    pub fixed: bool,
}

/// The defined macros by name.
pub type Macros = HashMap<Name, Macro>;

/// Whether a macro is defined. The text is built for CUDA, so that names such as `WITH_CUDA` and `APP_USE_CUDA` are, which build
/// files define.
pub(crate) fn is_defined(macros: &Macros, name: &Name) -> bool {
    macros.contains_key(name) || name.ends_with("WITH_CUDA") || name.ends_with("USE_CUDA")
}

/// Adds an object-like macro. `fixed` protects it from a `#define` of the text.
pub fn define_macro(macros: &mut Macros, name: &str, text: &str, fixed: bool) {
    let mut body = lex(text).tokens;
    body.pop();
    macros.insert(Rc::from(name), Macro { params: None, variadic: false, body, fixed });
}

/// A hide set as a linked list whose tails are shared between tokens.
type Hide = Option<Rc<Hidden>>;

struct Hidden {
    name: Name,
    rest: Hide,
    /// Names in the list.
    depth: usize,
}

fn hides(mut hide: &Hide, name: &Name) -> bool {
    while let Some(hidden) = hide {
        if hidden.name == *name {
            return true;
        }
        hide = &hidden.rest;
    }
    false
}

/// Adds a name to the list of hidden ones.
fn hidden(name: &Name, rest: Hide, pos: Pos) -> Result<Hide, TextFault> {
    let depth = rest.as_ref().map_or(0, |h| h.depth) + 1;
    if depth > NESTED_MAX {
        let found = format!("more than {NESTED_MAX} inside one another");
        return Err(TextFault::new(pos, "fewer macros inside one another", found, "expand some of them by hand"));
    }
    Ok(Some(Rc::new(Hidden { name: name.clone(), rest, depth })))
}

type Item = (Token, Hide);

/// Expands `tokens` and appends the result to `out`.
pub fn expand_macros(tokens: Vec<Token>, macros: &Macros, out: &mut Vec<Token>) -> Result<(), TextFault> {
    expand_within(tokens, macros, out, &mut Budget::default())
}

/// As [`expand_macros`], with the budget of a file.
pub(crate) fn expand_within(
    tokens: Vec<Token>,
    macros: &Macros,
    out: &mut Vec<Token>,
    budget: &mut Budget,
) -> Result<(), TextFault> {
    let mut stack: Vec<Item> = tokens.into_iter().rev().map(|t| (t, None)).collect();
    while let Some((token, hide)) = stack.pop() {
        if budget.depth > 0 {
            budget.spend(1, token.pos)?;
        }
        if out.len() > TOKENS_MAX {
            let found = format!("more than {TOKENS_MAX}");
            return Err(TextFault::new(token.pos, "a file of fewer tokens", found, "split the file"));
        }
        if let [.., (close, _), (Token { tok: Tok::Str(words), .. }, _), (open, _)] = &stack[..] {
            if token.is_ident("_Pragma") && open.is("(") && close.is(")") {
                out.extend(unrolled(&lex(words).tokens, token.pos, macros, budget));
                stack.truncate(stack.len() - 3);
                continue;
            }
        }
        let found = token.ident().filter(|name| !hides(&hide, name)).and_then(|name| macros.get_key_value(name));
        let Some((name, definition)) = found else {
            if let Some(line) = line_number(&token) {
                out.push(line);
            } else {
                out.push(token);
            }
            continue;
        };
        let Some(params) = &definition.params else {
            let inner = hidden(name, hide, token.pos)?;
            budget.spend(definition.body.len() + 1, token.pos)?;
            push_body(&mut stack, paste(definition.body.clone()), &token, &inner);
            continue;
        };
        if !stack.last().is_some_and(|(t, _)| t.is("(")) {
            out.push(token);
            continue;
        }
        let args = arguments(&mut stack, params, definition.variadic, token.pos)?;
        let inner = hidden(name, hide, token.pos)?;
        budget.depth += 1;
        if budget.depth > CALLS_MAX {
            budget.depth = 0;
            let found = format!("more than {CALLS_MAX} in arguments of one another");
            return Err(TextFault::new(
                token.pos,
                "fewer macros inside one another",
                found,
                "expand some of them by hand",
            ));
        }
        let body = substitute(definition, params, &args, macros, budget)?;
        budget.depth -= 1;
        budget.spend(body.len() + 1, token.pos)?;
        push_body(&mut stack, body, &token, &inner);
    }
    Ok(())
}

fn line_number(token: &Token) -> Option<Token> {
    let literal = |value| crate::syntax::token::IntLiteral { value, unsigned: false, long: false, decimal: true };
    match &**token.ident()? {
        "__LINE__" => Some(Token { tok: Tok::Int(literal(u64::from(token.pos.line))), ..token.clone() }),
        "__FILE__" => Some(Token { tok: Tok::Str(Rc::from("file")), ..token.clone() }),
        _ => None,
    }
}

fn push_body(stack: &mut Vec<Item>, body: Vec<Token>, at: &Token, hide: &Hide) {
    for token in body.into_iter().rev() {
        let moved = Token { pos: at.pos, starts_line: false, ..token };
        stack.push((moved, hide.clone()));
    }
}

/// Reads the arguments of a macro call whose `(` is next.
fn arguments(stack: &mut Vec<Item>, params: &[Name], variadic: bool, pos: Pos) -> Result<Vec<Vec<Token>>, TextFault> {
    stack.pop();
    let mut args = vec![Vec::new()];
    let mut depth = 0;
    loop {
        let Some((token, _)) = stack.pop() else {
            return Err(TextFault::new(
                pos,
                "`)` after the macro's arguments",
                "the end",
                "close the bracket of this macro call",
            ));
        };
        match token.tok {
            Tok::Punct("(") => depth += 1,
            Tok::Punct(")") if depth == 0 => break,
            Tok::Punct(")") => depth -= 1,
            Tok::Punct(",") if depth == 0 && !(variadic && args.len() >= params.len()) => {
                args.push(Vec::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = args.last_mut() {
            last.push(token);
        }
    }
    let given = if params.is_empty() && args[0].is_empty() { 0 } else { args.len() };
    let fits = given == params.len() || variadic && given + 1 >= params.len();
    if !fits {
        let (wanted, help) = (params.len(), "give the macro the arguments that its #define asks for");
        return Err(TextFault::new(
            pos,
            format!("{wanted} argument{s} of the macro", s = base::plural(wanted as u64, "s")),
            format!("{given}"),
            help,
        ));
    }
    args.resize(params.len().max(1), Vec::new());
    Ok(args)
}

fn substitute(
    m: &Macro,
    params: &[Name],
    args: &[Vec<Token>],
    macros: &Macros,
    budget: &mut Budget,
) -> Result<Vec<Token>, TextFault> {
    let of = |token: &Token| token.ident().and_then(|name| params.iter().position(|p| p == name));
    let mut out: Vec<Token> = Vec::new();
    let body = &m.body;
    for (i, token) in body.iter().enumerate() {
        let pasted = i > 0 && body[i - 1].is("##") || body.get(i + 1).is_some_and(|t| t.is("##"));
        if token.is("#") && body.get(i + 1).is_some_and(|t| of(t).is_some()) {
            continue;
        }
        let Some(index) = of(token) else {
            out.push(token.clone());
            continue;
        };
        if i > 0 && body[i - 1].is("#") {
            let text = stringify(&args[index]);
            out.push(Token { tok: Tok::Str(Rc::from(text.as_str())), ..token.clone() });
        } else if pasted {
            out.extend(args[index].iter().cloned());
        } else {
            expand_within(args[index].clone(), macros, &mut out, budget)?;
        }
    }
    Ok(paste(out))
}

fn stringify(tokens: &[Token]) -> String {
    let mut out = String::new();
    for (i, token) in tokens.iter().enumerate() {
        if i > 0 && token.spaced {
            out.push(' ');
        }
        out.push_str(&spelled(token));
    }
    out
}

fn spelled(token: &Token) -> String {
    match &token.tok {
        Tok::Ident(name) => name.to_string(),
        Tok::Str(text) => format!("\"{text}\""),
        Tok::Int(literal) => literal.value.to_string(),
        Tok::Float(value, single) => format!("{value:?}{}", if *single { "f" } else { "" }),
        Tok::Punct(p) => (*p).into(),
        Tok::Char(code) => code.to_string(),
        Tok::Stray(c) => c.to_string(),
        Tok::End => String::new(),
    }
}

/// Joins the tokens on both sides of each `##`.
fn paste(tokens: Vec<Token>) -> Vec<Token> {
    if !tokens.iter().any(|t| t.is("##")) {
        return tokens;
    }
    let mut out: Vec<Token> = Vec::new();
    let mut join = false;
    for token in tokens {
        if token.is("##") {
            join = true;
            continue;
        }
        match out.pop() {
            Some(left) if join => {
                let mut glued = lex(&format!("{}{}", spelled(&left), spelled(&token))).tokens;
                glued.pop();
                out.extend(glued.into_iter().map(|t| Token { pos: left.pos, starts_line: false, ..t }));
            }
            left => {
                out.extend(left);
                out.push(token);
            }
        }
        join = false;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::headers::builtin_macros;
    use crate::syntax::preprocess::preprocess;

    #[test]
    fn macros_that_grow_end_with_a_fault_on_the_line_of_their_use() {
        let doubled = |first: &str, next: &dyn Fn(u32) -> String, last: &str| {
            let lines: String = (1..=64).map(|i| next(i) + "\n").collect();
            format!("{first}\n{lines}{last} a\n{last} b\n#if {last}\n#endif\nc")
        };
        let plain = doubled("#define A0 1", &|i| format!("#define A{i} A{} A{}", i - 1, i - 1), "A64");
        let called =
            doubled("#define A0(x) x x", &|i| format!("#define A{i}(x) A{}(x) A{}(x)", i - 1, i - 1), "A64(1)");
        let nested = format!("#define F(x) x x\n{}1{}", "F(".repeat(60), ")".repeat(60));
        let chain: String = (0..2000).map(|i| format!("#define A{i} A{}\n", i + 1)).collect();
        let deep = format!("#define F(x) x\n{}1{}", "F(".repeat(100_000), ")".repeat(100_000));
        let lines = [66, 66, 2, 2001, 2];
        for (text, line) in [plain, called, nested, chain + "A0", deep].iter().zip(lines) {
            let out = preprocess(&lex(text), builtin_macros());
            assert_eq!(out.faults.first().map(|f| f.pos.line), Some(line), "{:?}", out.faults.first());
            assert!(out.faults.len() <= 3, "{:?}", out.faults);
            assert!(out.tokens.len() < 200_002 + MADE_MAX);
        }
        // A long file with a short macro on each line is fine.
        let out = preprocess(&lex(&format!("#define N 4\n{}", "int a[N];\n".repeat(50_000))), builtin_macros());
        assert!(out.faults.is_empty() && out.tokens.len() == 300_001);
    }
}
