//! Finds launches in a file's host code. Host code is not run. It shows with which template arguments and with how many
//! threads a kernel is meant to start, if these are constants.
//!
//! Only constants are followed: numbers, their sums and products, and names that were set to such before the launch. A
//! value from the command line or from a function is unknown.

use crate::launch::{depth_change, split};
use crate::syntax::token::{Tok, Token};

/// What the host code says about the launches of a kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct HostHint {
    /// The template arguments as written. `None` for one that is not a plain type or number.
    pub template: Vec<Option<String>>,
    pub grid: Option<[u64; 3]>,
    pub block: Option<[u64; 3]>,
    pub shared: Option<u64>,
}

/// Most names that are followed from one to the next.
const DEPTH: u32 = 6;
/// Most tokens of one expression.
const LONGEST: usize = 64;
/// Most launches of one kernel that are considered.
const LAUNCHES: usize = 16;

/// The launch of `kernel` with the most known values. `types` are the types that the file declares.
pub(crate) fn host_hint(tokens: &[Token], kernel: &str, types: &[&str]) -> HostHint {
    let named = (0..tokens.len()).filter(|&i| tokens[i].is_ident(kernel));
    let hints: Vec<HostHint> = named.filter_map(|i| launch(tokens, i, types)).take(LAUNCHES).collect();
    let tells = |h: &HostHint| (h.template.iter().flatten().count(), h.block.is_some(), h.grid.is_some());
    let best = hints.iter().map(tells).max();
    hints.into_iter().find(|h| Some(tells(h)) == best).unwrap_or_default()
}

/// Whether the file has shared memory whose size the launch gives.
pub(crate) fn has_dynamic_shared(tokens: &[Token]) -> bool {
    let shared = |after: &[Token]| after.iter().take(3).any(|t| t.is_ident("__shared__"));
    (0..tokens.len()).any(|i| tokens[i].is_ident("extern") && shared(&tokens[i + 1..]))
}

/// Reads the launch whose kernel name is the token at `name`.
fn launch(tokens: &[Token], name: usize, types: &[&str]) -> Option<HostHint> {
    let mut hint = HostHint::default();
    let mut at = name + 1;
    let made = instantiated(tokens, name);
    if tokens.get(at)?.is("<") {
        let stop = if made { "(" } else { "<<<" };
        let end = at + tokens[at..].iter().take(LONGEST).position(|t| t.is(stop))?;
        let inner = &tokens[at + 1..end];
        let close = inner.iter().rposition(|t| t.is(">"))?;
        let arg = |arg| template_arg(tokens, name, arg, types, DEPTH);
        hint.template = split(&inner[..close]).into_iter().map(arg).collect();
        at = end;
    }
    if !tokens.get(at)?.is("<<<") {
        return made.then_some(hint);
    }
    let end = at + tokens[at..].iter().take(4 * LONGEST).position(|t| t.is(">>>"))?;
    let parts = split(&tokens[at + 1..end]);
    let look = ConstantLookup { tokens, before: name };
    hint.grid = parts.first().and_then(|p| look.dims(p, DEPTH));
    hint.block = parts.get(1).and_then(|p| look.dims(p, DEPTH));
    hint.shared = parts.get(2).and_then(|p| look.value(p, DEPTH));
    Some(hint)
}

/// Whether the name belongs to an explicit instantiation, `template __global__ void name<…>(…);`.
fn instantiated(tokens: &[Token], name: usize) -> bool {
    let before = &tokens[name.saturating_sub(3)..name];
    before.len() == 3 && ["template", "__global__", "void"].iter().zip(before).all(|(word, t)| t.is_ident(word))
}

/// The text of a template argument: a type of the language or of the file, a number, or a name with a constant value.
fn template_arg(tokens: &[Token], before: usize, arg: &[Token], types: &[&str], depth: u32) -> Option<String> {
    const TYPES: [&str; 22] = [
        "float", "double", "int", "unsigned", "char", "short", "long", "signed", "bool", "true", "false", "float2",
        "float3", "float4", "double2", "int2", "int4", "uint", "uint2", "uint4", "uchar", "uchar4",
    ];
    if let [Token { tok: Tok::Ident(name), .. }] = arg {
        if types.contains(&&**name) {
            return Some(name.to_string());
        }
    }
    if !arg.is_empty() && arg.iter().all(|t| t.ident().is_some_and(|name| TYPES.contains(&&**name))) {
        let words: Vec<String> = arg.iter().filter_map(Token::ident).map(|name| name.to_string()).collect();
        return Some(words.join(" "));
    }
    let value = ConstantLookup { tokens, before }.value(arg, DEPTH).map(|value| value.to_string());
    value.or_else(|| through_template(tokens, before, arg, types, depth.checked_sub(1)?))
}

/// Resolves a template parameter of the host function that contains the launch, by the place where that function is
/// used.
fn through_template(tokens: &[Token], before: usize, arg: &[Token], types: &[&str], depth: u32) -> Option<String> {
    let [name] = arg else { return None };
    let is_list = |&i: &usize| tokens[i].is_ident("template") && tokens.get(i + 1).is_some_and(|t| t.is("<"));
    let start = (0..before).rev().find(is_list)? + 2;
    let close = start + tokens[start..before].iter().position(|t| t.is(">"))?;
    let number = split(&tokens[start..close]).into_iter().position(|param| {
        let end = param.iter().position(|t| t.is("=")).unwrap_or(param.len());
        param[..end].last().is_some_and(|t| t.tok == name.tok)
    })?;
    let open = close + tokens[close..before].iter().position(|t| t.is("("))?;
    let function = &tokens[open - 1];
    let used = |&i: &usize| tokens[i].tok == function.tok && tokens.get(i + 1).is_some_and(|t| t.is("<"));
    (0..tokens.len()).filter(used).take(LAUNCHES).find_map(|i| {
        let list = &tokens[i + 2..tokens.len().min(i + 2 + LONGEST)];
        let end = list.iter().position(|t| t.is(">"))?;
        template_arg(tokens, i, split(&list[..end]).get(number)?, types, depth)
    })
}

/// Finds values in the tokens before a place.
struct ConstantLookup<'a> {
    tokens: &'a [Token],
    before: usize,
}

impl ConstantLookup<'_> {
    /// Reads `dim3(a, b)`, a variable of that type, or a number.
    fn dims(&self, part: &[Token], depth: u32) -> Option<[u64; 3]> {
        let depth = depth.checked_sub(1)?;
        match part {
            [dim3, open, inner @ .., close] if dim3.is_ident("dim3") && open.is("(") && close.is(")") => {
                let mut out = [1; 3];
                for (slot, tokens) in out.iter_mut().zip(split(inner)) {
                    *slot = self.value(tokens, depth)?;
                }
                Some(out)
            }
            [only] if only.ident().is_some() => match self.value(part, depth) {
                Some(number) => Some([number, 1, 1]),
                None => self.variable(only.ident()?, depth),
            },
            _ => Some([self.value(part, depth)?, 1, 1]),
        }
    }

    /// Reads `dim3 name(a, b)` or `dim3 name = dim3(a, b)`, and later assignments such as `name.x = a`.
    fn variable(&self, name: &str, depth: u32) -> Option<[u64; 3]> {
        let tokens = &self.tokens[..self.before];
        let declared = self.declared(name, depth);
        let mut out = declared.unwrap_or([1; 3]);
        let mut any = declared.is_some();
        for (slot, axis) in out.iter_mut().zip(["x", "y", "z"]) {
            let sets = |w: &[Token]| w[0].is_ident(name) && w[1].is(".") && w[2].is_ident(axis) && w[3].is("=");
            let Some(at) = tokens.windows(4).rposition(sets) else { continue };
            let rest = &tokens[at + 4..tokens.len().min(at + 4 + LONGEST)];
            let end = rest.iter().position(|t| t.is(";"))?;
            if let Some(value) = self.value(&rest[..end], depth) {
                (*slot, any) = (value, true);
            }
        }
        any.then_some(out)
    }

    fn declared(&self, name: &str, depth: u32) -> Option<[u64; 3]> {
        let tokens = &self.tokens[..self.before];
        let at = tokens.iter().rposition(|t| t.is_ident(name)).and_then(|_| {
            (0..tokens.len()).rev().find(|&i| {
                let next = tokens.get(i + 1);
                tokens[i].is_ident(name) && next.is_some_and(|t| t.is("(") || t.is("{") || t.is("="))
            })
        })?;
        let rest = &tokens[at + 1..tokens.len().min(at + 1 + LONGEST)];
        if rest.first()?.is("=") {
            let end = rest.iter().position(|t| t.is(";"))?;
            return self.dims(&rest[1..end], depth);
        }
        let mut open = 0;
        let close = rest.iter().position(|t| {
            open += depth_change(t);
            open == 0
        })?;
        let mut out = [1; 3];
        for (slot, tokens) in out.iter_mut().zip(split(&rest[1..close])) {
            *slot = self.value(tokens, depth)?;
        }
        Some(out)
    }

    fn value(&self, part: &[Token], depth: u32) -> Option<u64> {
        let mut sum = SumParser { look: self, rest: part, depth: depth.checked_sub(1)? };
        let value = sum.shifted()?;
        (sum.rest.is_empty() && part.len() <= LONGEST).then_some(value)
    }

    /// The last value that a name was set to.
    fn named(&self, name: &str, depth: u32) -> Option<u64> {
        let tokens = &self.tokens[..self.before];
        let set = |&i: &usize| tokens[i].is_ident(name) && tokens.get(i + 1).is_some_and(|t| t.is("="));
        let at = (0..tokens.len()).rev().find(set)?;
        let rest = &tokens[at + 2..tokens.len().min(at + 2 + LONGEST)];
        let end = rest.iter().position(|t| t.is(";") || t.is(","))?;
        self.value(&rest[..end], depth)
    }
}

/// A parser of sums of products of whole numbers.
struct SumParser<'a> {
    look: &'a ConstantLookup<'a>,
    rest: &'a [Token],
    depth: u32,
}

impl SumParser<'_> {
    fn sign(&mut self, signs: &[&'static str]) -> Option<&'static str> {
        let sign = signs.iter().find(|s| self.rest.first().is_some_and(|t| t.is(s)))?;
        self.rest = &self.rest[1..];
        Some(sign)
    }

    fn shifted(&mut self) -> Option<u64> {
        let mut left = self.terms()?;
        while let Some(sign) = self.sign(&["<<", ">>"]) {
            let by = u32::try_from(self.terms()?).ok()?;
            left = if sign == "<<" { left.checked_shl(by)? } else { left.checked_shr(by)? };
        }
        Some(left)
    }

    fn terms(&mut self) -> Option<u64> {
        let mut left = self.product()?;
        while let Some(sign) = self.sign(&["+", "-"]) {
            let right = self.product()?;
            left = if sign == "+" { left.checked_add(right)? } else { left.checked_sub(right)? };
        }
        Some(left)
    }

    fn product(&mut self) -> Option<u64> {
        let mut left = self.factor()?;
        while let Some(sign) = self.sign(&["*", "/", "%"]) {
            let right = self.factor()?;
            left = match sign {
                "*" => left.checked_mul(right)?,
                "/" => left.checked_div(right)?,
                _ => left.checked_rem(right)?,
            };
        }
        Some(left)
    }

    fn factor(&mut self) -> Option<u64> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        match &first.tok {
            Tok::Int(literal) => Some(literal.value),
            Tok::Ident(name) if &**name == "sizeof" => {
                let end = rest.iter().position(|t| t.is(")"))?;
                self.rest = &rest[end + 1..];
                let eight = rest[..end].iter().any(|t| t.is_ident("double") || t.is_ident("long") || t.is("*"));
                Some(if eight { 8 } else { 4 })
            }
            Tok::Ident(name) => self.look.named(name, self.depth),
            Tok::Punct("(") => {
                self.depth = self.depth.checked_sub(1)?;
                let value = self.shifted()?;
                self.sign(&[")"])?;
                Some(value)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::lex;

    fn of(host: &str) -> HostHint {
        host_hint(&lex(host).tokens, "k", &["Point"])
    }

    #[test]
    fn constants_of_the_host_are_followed() {
        let h = of(
            "int n = 64; dim3 grid(n / 16, 2), block(16, 4 * 2); k<float, 8><<<grid, block, n * sizeof(float)>>>(a);",
        );
        assert_eq!(h.template, [Some("float".to_string()), Some("8".to_string())]);
        assert_eq!((h.grid, h.block, h.shared), (Some([4, 2, 1]), Some([16, 8, 1]), Some(256)));
        let h = of("void f(int n) { k<T><<<(n + 255) / 256, 256>>>(a, n); k<<<1, 32>>>(a, n); }");
        assert_eq!((h.grid, h.block), (Some([1, 1, 1]), Some([32, 1, 1])));
        assert_eq!(of("k<T, Point><<<dim3(2), t>>>(a);").template, [None, Some("Point".to_string())]);
        let h = of(
            "template <class U, int N = 3> void run(U *a) { k<N, U><<<1, N>>>(a); } int main() { run<Point, 8>(b); }",
        );
        assert_eq!(h.template, [Some("8".to_string()), Some("Point".to_string())]);
        let h = of("dim3 g, b(8, 8); b.x = 1 << 5; g.x = 2; g.y = n; k<<<g, b>>>(a);");
        assert_eq!((h.grid, h.block), (Some([2, 1, 1]), Some([32, 8, 1])));
        assert_eq!(of("int k = 3; f(k < 4);"), HostHint::default());
        assert_eq!(of("a = b; b = a; k<<<a, b>>>();").block, None);
    }
}
