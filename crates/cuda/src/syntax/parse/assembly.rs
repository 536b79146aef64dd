//! Inline PTX: `asm("add.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));` becomes a block of statements.
//!
//! Each instruction is written as CUDA and parsed again. A memory instruction becomes a load or store of the same width,
//! so that the trace holds it. Cache hints, rounding modes and scopes have no effect. An instruction that is not known is
//! named in the fault.

use crate::syntax::ast::{Stmt, StmtKind};
use crate::syntax::lex::lex;
use crate::syntax::parse::{Parsed, Parser};
use crate::syntax::token::{Pos, TextFault, Tok, Token};
use std::fmt::Write;

/// Instructions that give one value: the name with the words that matter, and the expression of the operands `a` to `d`,
/// each cast to the type of the instruction.
const VALUES: [(&str, &str); 52] = [
    ("mov", "a"),
    ("add", "a + b"),
    ("sub", "a - b"),
    ("mul.hi", "mulhi"),
    ("mul.wide", "(W)a * (W)b"),
    ("mul24", "__mul24(a, b)"),
    ("mul", "a * b"),
    ("mad.wide", "(W)a * (W)b + (W)c"),
    ("mad.hi", "madhi"),
    ("mad", "a * b + c"),
    ("fma", "fma(a, b, c)"),
    ("div", "a / b"),
    ("rem", "a % b"),
    ("and", "a & b"),
    ("or", "a | b"),
    ("xor", "a ^ b"),
    ("not", "~a"),
    ("cnot", "a == 0"),
    ("shl", "a << b"),
    ("shr", "a >> b"),
    ("min", "min(a, b)"),
    ("max", "max(a, b)"),
    ("abs", "a < 0 ? -a : a"),
    ("neg", "-a"),
    ("sqrt", "sqrt(a)"),
    ("rsqrt", "rsqrt(a)"),
    ("rcp", "(T)1 / a"),
    ("ex2", "exp2(a)"),
    ("lg2", "__log2f(a)"),
    ("sin", "__sinf(a)"),
    ("cos", "__cosf(a)"),
    ("tanh", "tanh(a)"),
    ("copysign", "copysign(b, a)"),
    ("popc", "__popc(a)"),
    ("clz", "__clz(a)"),
    ("brev", "__brev(a)"),
    ("bfe", "__bfe(a, (unsigned)b, (unsigned)c)"),
    ("bfi", "__bfi(a, b, c, d)"),
    ("prmt", "__byte_perm(a, b, c)"),
    ("lop3", "__lop3(a, b, c, d)"),
    ("shf.l", "__funnelshift_l(a, b, c)"),
    ("shf.r", "__funnelshift_r(a, b, c)"),
    ("dp4a", "__dp4a(a, b, c)"),
    ("sad", "(a > b ? a - b : b - a) + c"),
    ("activemask", "__activemask()"),
    ("selp", "c ? a : b"),
    ("slct", "c >= 0 ? a : b"),
    ("cvt", "a"),
    ("cvta", "a"),
    ("vote.ballot", "__ballot_sync(b, a)"),
    ("vote.any", "__any_sync(b, a)"),
    ("vote.all", "__all_sync(b, a)"),
];

/// Instructions without an effect on the trace.
const NOTHING: [&str; 11] = [
    "createpolicy",
    "prefetch",
    "prefetchu",
    "membar",
    "fence",
    "nanosleep",
    "discard",
    "applypriority",
    "griddepcontrol",
    "pragma",
    "pmevent",
];

/// The special registers as expressions.
const SPECIALS: [(&str, &str); 13] = [
    ("laneid", "__lane_id()"),
    ("warpid", "__warp_id()"),
    ("lanemask_eq", "__lane_mask(0)"),
    ("lanemask_lt", "__lane_mask(1)"),
    ("lanemask_le", "__lane_mask(2)"),
    ("lanemask_gt", "__lane_mask(3)"),
    ("lanemask_ge", "__lane_mask(4)"),
    ("clock", "clock()"),
    ("clock64", "clock64()"),
    ("globaltimer", "clock64()"),
    ("smid", "0u"),
    ("gridid", "0ull"),
    ("WARP_SZ", "32"),
];

/// A type of PTX as CUDA writes it.
fn type_of(word: &str) -> Option<&'static str> {
    Some(match word {
        "pred" => "bool",
        "b8" | "u8" => "unsigned char",
        "s8" => "signed char",
        "b16" | "u16" => "unsigned short",
        "s16" => "short",
        "b32" | "u32" => "unsigned",
        "s32" => "int",
        "b64" | "u64" => "unsigned long long",
        "s64" => "long long",
        "f32" => "float",
        "f64" => "double",
        _ => return None,
    })
}

/// A bit pattern becomes another type of its width without conversion, as registers of PTX do.
fn cast(text: &str, ty: &str) -> String {
    match ty {
        "float" => format!("__ptx_f({text})"),
        "double" => format!("__ptx_d({text})"),
        ty => format!("({ty})__ptx_u({text})"),
    }
}

struct Translation {
    out: String,
}

impl Translation {
    /// An operand as an expression.
    fn operand(&self, text: &str) -> String {
        let text = text.trim();
        if let Some(name) = text.strip_prefix("%%").or_else(|| text.strip_prefix('%')) {
            if name.bytes().all(|b| b.is_ascii_digit()) {
                return format!("__ptx{name}");
            }
            if let Some((_, value)) = SPECIALS.iter().find(|(n, _)| *n == name) {
                return (*value).into();
            }
            if let Some((base, axis)) = name.split_once('.') {
                let base = ["tid", "ntid", "ctaid", "nctaid"].iter().position(|b| *b == base);
                let built = ["threadIdx", "blockDim", "blockIdx", "gridDim"];
                return base.map_or("0u".into(), |i| format!("{}.{axis}", built[i]));
            }
        }
        if let Some(not) = text.strip_prefix('!') {
            return format!("!{}", self.operand(not));
        }
        for (mark, function) in
            [("0f", "__int_as_float(0x"), ("0F", "__int_as_float(0x"), ("0d", "__longlong_as_double(0x")]
        {
            if let Some(bits) = text.strip_prefix(mark) {
                return format!("{function}{bits})");
            }
        }
        text.strip_prefix('%').unwrap_or(text).into()
    }

    fn translate(&mut self, text: &str) -> Option<()> {
        let text = text.trim();
        if text.is_empty() {
            return Some(());
        }
        if let Some(rest) = text.strip_prefix('@') {
            let (test, rest) = rest.split_once(char::is_whitespace)?;
            if rest.trim_start().starts_with('@') {
                return None;
            }
            let _ = write!(self.out, "if ({}) {{", self.operand(test));
            self.translate(rest)?;
            self.out.push('}');
            return Some(());
        }
        let (name, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let words: Vec<&str> = name.split(['.', ':']).filter(|w| !w.is_empty()).collect();
        if name.starts_with(".reg") {
            let ty = rest.split_whitespace().next().and_then(|w| type_of(w.trim_start_matches('.')));
            let (ty, names) = match ty {
                Some(ty) => (ty, rest.split_once(char::is_whitespace)?.1),
                None => (type_of(words.get(1)?)?, rest),
            };
            let _ = write!(self.out, "{ty} {};", names.replace('%', ""));
            return Some(());
        }
        let args = split(rest);
        self.instruction(&words, &args)
    }

    fn instruction(&mut self, words: &[&str], args: &[&str]) -> Option<()> {
        let types: Vec<&str> = words.iter().filter_map(|w| type_of(w)).collect();
        let has = |word: &str| words.contains(&word);
        match words[0] {
            name if NOTHING.contains(&name) => {}
            "mov" if args.iter().any(|a| a.starts_with('{')) => self.parts(types.last()?, args)?,
            "ldmatrix" | "mma" => self.matrix(words, args)?,
            name if name.starts_with('v') && name.ends_with(['2', '4']) => self.parallel(words, &types, args)?,
            "ld" | "ldu" | "st" => self.memory(words, types.last()?, args)?,
            "cp" if has("async") && args.len() >= 2 && !has("bulk") => {
                let bytes = self.operand(args.get(2).unwrap_or(&"0"));
                let (to, from) = (self.pointer(args[0], true)?, self.pointer(args[1], false)?);
                let _ = write!(self.out, "__copy_async((void *)({to}), (const void *)({from}), {bytes});");
            }
            "cp" if has("async") && !has("bulk") => {}
            "bar" | "barrier" if has("warp") => self.out.push_str("__syncwarp();"),
            "bar" | "barrier" => self.out.push_str("__syncthreads();"),
            "trap" => self.out.push_str("__trap();"),
            "shfl" => {
                let kind = words.iter().find(|w| ["up", "down", "bfly", "idx"].contains(w))?;
                let kind =
                    ["_up", "_down", "_xor", ""][["up", "down", "bfly", "idx"].iter().position(|k| k == kind)?];
                let to = self.operand(args.first()?.split('|').next()?);
                let (value, lane) = (self.operand(args.get(1)?), self.operand(args.get(2)?));
                let _ = write!(self.out, "__ptx_s({to}, __shfl{kind}_sync(~0u, {value}, {lane}));");
            }
            "setp" | "set" => {
                let tests = ["eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs"];
                let at = words.iter().find_map(|w| tests.iter().position(|t| t == w))?;
                let sign = ["==", "!=", "<", "<=", ">", ">=", "<", "<=", ">", ">="][at];
                let ty = types.last()?;
                let (a, b) = (cast(&self.operand(args.get(1)?), ty), cast(&self.operand(args.get(2)?), ty));
                let to = self.operand(args.first()?.split('|').next()?);
                let _ = write!(self.out, "{to} = {a} {sign} {b};");
            }
            "atom" | "red" => self.atomic(words, types.last()?, args)?,
            "addc" | "subc" | "madc" => self.carried(words, types.last()?, args)?,
            "add" | "sub" | "mad" if has("cc") => self.carried(words, types.last()?, args)?,
            _ => self.value(words, &types, args)?,
        }
        Some(())
    }

    /// The operands in braces, or the operand itself.
    fn list(&self, text: &str) -> Vec<String> {
        text.trim().trim_start_matches('{').trim_end_matches('}').split(',').map(|v| self.operand(v)).collect()
    }

    /// `mov.b64 {lo, hi}, x` and `mov.b64 x, {lo, hi}`.
    fn parts(&mut self, ty: &str, args: &[&str]) -> Option<()> {
        let (to, from) = (self.list(args.first()?), self.list(args.get(1)?));
        let wide = ty.contains("long") || ty == "double";
        let (part, whole) = if wide { ("unsigned", "unsigned long long") } else { ("unsigned short", "unsigned") };
        let bits = if wide { 32 } else { 16 };
        let out = &mut self.out;
        match (&to[..], &from[..]) {
            ([low, high], [x]) => {
                let x = format!("({whole})__ptx_u({x})");
                let _ = write!(out, "{{ {whole} __w = {x}; __ptx_s({low}, ({part})__w);");
                let _ = write!(out, " __ptx_s({high}, ({part})(__w >> {bits})); }}");
            }
            ([x], [low, high]) => {
                let part = |v: &str| format!("({whole})({part})__ptx_u({v})");
                let _ = write!(out, "__ptx_s({x}, {} | {} << {bits});", part(low), part(high));
            }
            _ => return None,
        }
        Some(())
    }

    /// Loads of matrices are loads of a row of 16 bytes by each lane that gives an address. Products keep the order of
    /// the operands but are not computed.
    fn matrix(&mut self, words: &[&str], args: &[&str]) -> Option<()> {
        let lists: Vec<Vec<String>> = args.iter().map(|a| self.list(a)).collect();
        if words[0] == "ldmatrix" {
            let address = self.pointer(args.get(1)?, true)?;
            let lanes = 8 * lists[0].len();
            let _ = write!(self.out, "{{ uint4 __v; if (__lane_id() < {lanes}) __v = *(uint4 *)({address});");
            for (to, field) in lists[0].iter().zip(["x", "y", "z", "w"]) {
                let _ = write!(self.out, " __ptx_s({to}, __v.{field});");
            }
            self.out.push_str(" }");
            return Some(());
        }
        let [to, a, b, sum, ..] = &lists[..] else { return None };
        let factors: Vec<String> = a.iter().chain(b).map(|v| format!("(unsigned)__ptx_u({v})")).collect();
        let _ = write!(self.out, "{{ unsigned __m = {};", factors.join(" ^ "));
        for (to, sum) in to.iter().zip(sum) {
            let _ = write!(self.out, " __ptx_s({to}, {sum} + (__m & 1u));");
        }
        self.out.push_str(" }");
        Some(())
    }

    /// Instructions on two or four parts of a word, such as `vadd4.u32.u32.u32`, which have functions of their own.
    fn parallel(&mut self, words: &[&str], types: &[&str], args: &[&str]) -> Option<()> {
        let (base, digit) = words[0][1..].split_at(words[0].len() - 2);
        let sign = if types.get(1)?.starts_with("unsigned") { "u" } else { "s" };
        let sums = words.contains(&"add");
        let name = match base {
            "add" | "sub" => base.to_string(),
            "absdiff" if sums => format!("sad{sign}"),
            "absdiff" | "min" | "max" => format!("{base}{sign}"),
            "avrg" => format!("avg{sign}"),
            _ => return None,
        };
        let operand = |i: usize| args.get(i).map(|a| format!("(unsigned)__ptx_u({})", self.operand(a)));
        let (to, a, b) = (self.operand(args.first()?), operand(1)?, operand(2)?);
        let sum = if sums { format!(" + {}", operand(3)?) } else { String::new() };
        let _ = write!(self.out, "__ptx_s({to}, __v{name}{digit}({a}, {b}){sum});");
        Some(())
    }

    /// `%1`, `[%1]` or `[%1 + 16]` as a number of bytes.
    fn pointer(&self, text: &str, shared: bool) -> Option<String> {
        let inner = text.trim().trim_start_matches('[').trim_end_matches(']');
        let (base, offset) = inner.split_once('+').unwrap_or((inner, "0"));
        let base = self.operand(base);
        Some(match shared {
            true => format!("(char *)__cvta_shared_to_generic({base}) + ({})", self.operand(offset)),
            false => format!("(char *)({base}) + ({})", self.operand(offset)),
        })
    }

    fn memory(&mut self, words: &[&str], ty: &str, args: &[&str]) -> Option<()> {
        let load = words[0] != "st";
        let (values, address) = if load { (args.first()?, args.get(1)?) } else { (args.get(1)?, args.first()?) };
        let shared = words.iter().any(|w| w.starts_with("shared"));
        let volatile = if words.contains(&"volatile") { "volatile " } else { "" };
        let address = self.pointer(address, shared)?;
        let list: Vec<&str> = values.trim().trim_start_matches('{').trim_end_matches('}').split(',').collect();
        let vector = match (list.len(), ty) {
            (1, _) => ty,
            (2, "float") => "float2",
            (4, "float") => "float4",
            (2, "double") => "double2",
            (2, "long long" | "unsigned long long") => "ulonglong2",
            (2, "short" | "unsigned short") => "ushort2",
            (4, "short" | "unsigned short") => "ushort4",
            (2, "int" | "unsigned") => "uint2",
            (4, "int" | "unsigned") => "uint4",
            (2, _) => "uchar2",
            _ => "uchar4",
        };
        let names: Vec<String> = list.iter().map(|v| self.operand(v)).collect();
        let fields = ["", ".x", ".y", ".z", ".w"];
        let out = &mut self.out;
        let first = usize::from(names.len() > 1);
        let _ = write!(out, "{{ {vector} __v;");
        if load {
            let _ = write!(out, " __v = *({volatile}{vector} *)({address});");
        }
        for (name, field) in names.iter().zip(&fields[first..]) {
            let _ = match load {
                true => write!(out, " __ptx_s({name}, __v{field});"),
                false => write!(out, " __v{field} = {};", cast(name, ty)),
            };
        }
        if !load {
            let _ = write!(out, " *({volatile}{vector} *)({address}) = __v;");
        }
        out.push_str(" }");
        Some(())
    }

    fn atomic(&mut self, words: &[&str], ty: &str, args: &[&str]) -> Option<()> {
        let operations = [
            ("add", "Add"),
            ("min", "Min"),
            ("max", "Max"),
            ("and", "And"),
            ("or", "Or"),
            ("xor", "Xor"),
            ("exch", "Exch"),
            ("cas", "CAS"),
            ("inc", "Inc"),
            ("dec", "Dec"),
        ];
        let function = operations.iter().find(|(word, _)| words.contains(word))?.1;
        let first = usize::from(words[0] == "atom");
        let address = self.pointer(args.get(first)?, words.iter().any(|w| w.starts_with("shared")))?;
        let values: Vec<String> = args[first + 1..].iter().map(|a| cast(&self.operand(a), ty)).collect();
        let call = format!("atomic{function}(({ty} *)({address}), {})", values.join(", "));
        let _ = match first {
            0 => write!(self.out, "{call};"),
            _ => write!(self.out, "__ptx_s({}, {call});", self.operand(args[0])),
        };
        Some(())
    }

    /// A sum that takes the carry of the one before (`addc`), leaves its own (`.cc`), or both. A thread has one carry, which stays from one
    /// `asm` to the next. After `sub` it is the borrow.
    fn carried(&mut self, words: &[&str], ty: &str, args: &[&str]) -> Option<()> {
        let (base, takes) = match words[0].strip_suffix('c') {
            Some(base) => (base, true),
            None => (words[0], false),
        };
        let operand = |i: usize| Some(cast(&self.operand(args.get(i)?), ty));
        let (wide, signed) = (ty.contains("long"), !ty.starts_with("unsigned"));
        let (first, second) = match base {
            "mad" if words.contains(&"hi") => {
                let name = format!("__{}mul{}hi", if signed { "" } else { "u" }, if wide { "64" } else { "" });
                (format!("{name}({}, {})", operand(1)?, operand(2)?), operand(3)?)
            }
            "mad" => (format!("{} * {}", operand(1)?, operand(2)?), operand(3)?),
            _ => (operand(1)?, operand(2)?),
        };
        let ty = if wide { "unsigned long long" } else { "unsigned" };
        let (sign, beyond, at_end) = match base {
            "sub" => ('-', "__p < __q", "__p == __q"),
            _ => ('+', "__s < __p", "__s == __p"),
        };
        let _ = write!(self.out, "{{ {ty} __p = {first}, __q = {second}, __s = __p {sign} __q");
        let _ = if takes { write!(self.out, " {sign} __ptx_carry;") } else { write!(self.out, ";") };
        if words.contains(&"cc") {
            let more = if takes { format!(" || __ptx_carry && {at_end}") } else { String::new() };
            let _ = write!(self.out, " __ptx_carry = {beyond}{more};");
        }
        let _ = write!(self.out, " __ptx_s({}, __s); }}", self.operand(args.first()?));
        Some(())
    }

    fn value(&mut self, words: &[&str], types: &[&str], args: &[&str]) -> Option<()> {
        let named = |name: &str| {
            let mut parts = name.split('.');
            parts.next() == Some(words[0]) && parts.all(|p| words.contains(&p))
        };
        let (name, text) = VALUES.iter().find(|(name, _)| named(name))?;
        let ty = types.last().copied().unwrap_or("unsigned");
        let wide = matches!(ty, "long long" | "unsigned long long");
        let text = match *text {
            "mulhi" | "madhi" => {
                let sign = if ty.starts_with("unsigned") { "u" } else { "" };
                let size = if wide { "64" } else { "" };
                format!("__{sign}mul{size}hi(a, b){}", if *name == "mad.hi" { " + c" } else { "" })
            }
            text => text.into(),
        };
        let of_shared = words.contains(&"shared") && *name == "cvta";
        let mut expression = String::new();
        let mut word = String::new();
        for c in text.chars().chain([' ']) {
            if c.is_ascii_alphanumeric() || c == '_' {
                word.push(c);
                continue;
            }
            match word.as_str() {
                "T" => expression.push_str(ty),
                "W" => expression.push_str(if ty == "int" { "long long" } else { "unsigned long long" }),
                "a" | "b" | "c" | "d" => {
                    let index = 1 + usize::from(word.as_bytes()[0] - b'a');
                    let value = self.operand(args.get(index)?);
                    let predicate = *name == "selp" && index == 3 || name.starts_with("vote");
                    let shift = matches!(*name, "shl" | "shr") && index == 2;
                    let ty = if shift { "unsigned" } else { ty };
                    let _ = match predicate {
                        true => write!(expression, "({value})"),
                        false => write!(expression, "({})", cast(&value, ty)),
                    };
                }
                word => expression.push_str(word),
            }
            word.clear();
            expression.push(c);
        }
        if *name == "cvt" && types.len() == 2 {
            expression = format!("({})({expression})", types[0]);
        } else if of_shared {
            let function = if words.contains(&"to") { "__cvta_generic_to_shared" } else { "__cvta_shared_to_generic" };
            expression = format!("(unsigned long long){function}({})", self.operand(args.get(1)?));
        }
        let _ = write!(self.out, "__ptx_s({}, {expression});", self.operand(args.first()?));
        Some(())
    }
}

/// The operands, which commas separate. Commas in `{}` separate the elements of one.
fn split(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut out) = (0, 0, Vec::new());
    for (i, c) in text.char_indices() {
        match c {
            '{' | '[' => depth += 1,
            '}' | ']' => depth -= 1,
            ',' if depth == 0 => {
                out.push(text[start..i].trim());
                start = i + 1;
            }
            _ => {}
        }
    }
    if !text[start..].trim().is_empty() {
        out.push(text[start..].trim());
    }
    out
}

impl Parser {
    /// Parses an `asm` statement.
    pub(crate) fn assembly(&mut self) -> Parsed<StmtKind> {
        let pos = self.next().pos;
        while self.eat_word("volatile") || self.eat_word("__volatile__") || self.eat_word("goto") {}
        self.require("(", "after `asm`")?;
        let text = self.strings();
        let mut operands: Vec<Token> = Vec::new();
        let (mut number, mut part) = (0, 0);
        while !self.is(")") && self.peek().tok != Tok::End {
            if self.eat(":") || self.eat("::") {
                // `::` stands for two colons.
                part += if self.tokens[self.at - 1].is("::") { 2 } else { 1 };
                continue;
            }
            let before = self.at;
            self.eat(",");
            self.strings();
            if before == self.at {
                return self.fault("operands such as `\"r\"(x)`", "check the operands of `asm`");
            }
            if self.is("(") {
                let open = self.at;
                self.skip_balanced();
                let declared = if part == 1 { "auto &" } else { "auto " };
                operands.extend(
                    lex(&format!("{declared}__ptx{number} = ")).tokens.into_iter().filter(|t| t.tok != Tok::End),
                );
                operands.extend(self.tokens[open..self.at].iter().cloned());
                operands.extend(lex(";").tokens.into_iter().take(1));
                number += 1;
            }
        }
        self.require(")", "after the operands")?;
        self.require(";", "after `asm`")?;
        let mut made = Translation { out: String::new() };
        let plain = text.replace("\\n", "\n").replace("\\t", " ");
        let plain: String =
            plain.lines().map(|l| l.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join(" ");
        for instruction in plain.split(';') {
            // Braces around all instructions only limit where names are known.
            let trimmed = instruction.trim();
            let bare = trimmed.strip_prefix('{').unwrap_or(trimmed).trim();
            let bare = if bare.contains('{') { bare } else { bare.trim_end_matches('}') };
            if made.translate(bare).is_none() {
                let name = bare.split_whitespace().next().unwrap_or_default();
                return Ok(StmtKind::Refused(TextFault::new(
                    pos,
                    "an instruction of PTX that is known",
                    format!("`{name}`"),
                    "write the instruction as an intrinsic function",
                )));
            }
        }
        operands.extend(lex(&made.out).tokens);
        self.parse_made(operands, pos).map(StmtKind::Block)
    }

    /// Parses tokens that were made for a construct. Each one gets a position of its own in the construct's line.
    fn parse_made(&mut self, mut tokens: Vec<Token>, pos: Pos) -> Parsed<Vec<Stmt>> {
        for (token, i) in tokens.iter_mut().zip(1..) {
            token.pos = Pos { line: pos.line, column: pos.column * 4096 + i };
        }
        let file = std::mem::replace(&mut self.tokens, tokens);
        let at = std::mem::replace(&mut self.at, 0);
        let mut body = Vec::new();
        let mut result = Ok(());
        while result.is_ok() && self.peek().tok != Tok::End {
            result = self.statement().map(|statement| body.push(statement));
        }
        (self.tokens, self.at) = (file, at);
        result.map_err(|fault| fault.at(pos)).map(|()| body)
    }
}
