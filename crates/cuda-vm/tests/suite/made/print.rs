//! Writes a made-up program as CUDA text with its launch comment.

use super::tree::{Array, Bits, Built, Element, Expr, Function, Op, Place, Program, Stmt, Target, Ty};
use std::fmt::Write;

pub fn text(program: &Program) -> String {
    let mut p = Printer { program, out: String::new(), indent: 0 };
    p.launch();
    p.declarations();
    for (i, function) in program.functions.iter().enumerate() {
        p.function(i, function);
    }
    p.kernel();
    p.out
}

/// The name of an array.
pub fn name(index: usize, array: &Array) -> String {
    let word = match array.place {
        Place::Input => "in",
        Place::Output => "out",
        Place::Records => "rec",
        Place::Counters => "cnt",
        Place::Shared => "sh",
        Place::Constant => "con",
        Place::Thread => "own",
    };
    format!("{word}{index}")
}

/// A number as a literal of its type. Types without literals are cast.
fn literal(ty: Ty, bits: u64) -> String {
    match ty {
        Ty::F32 => format!("{:?}f", f32::from_bits(bits as u32)),
        Ty::F64 => format!("{:?}", f64::from_bits(bits)),
        Ty::I8 => (bits as i8).to_string(),
        Ty::I16 => (bits as i16).to_string(),
        Ty::I32 => (bits as i32).to_string(),
        Ty::I64 => format!("{}ll", bits as i64),
        Ty::U64 => format!("{bits}ull"),
        Ty::U8 | Ty::U16 => bits.to_string(),
        Ty::U32 => format!("{bits}u"),
    }
}

struct Printer<'p> {
    program: &'p Program,
    out: String,
    indent: usize,
}

/// How tightly an operator binds.
fn level(op: Op) -> u32 {
    match op {
        Op::Or => 4,
        Op::Xor => 5,
        Op::And => 6,
        Op::Shl | Op::Shr => 9,
        Op::Add | Op::Sub => 10,
        Op::Mul | Op::Div | Op::Rem => 11,
    }
}

impl Printer<'_> {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{}{text}", "  ".repeat(self.indent));
    }

    fn launch(&mut self) {
        let p = self.program;
        let mut items = Vec::new();
        for (i, a) in p.arrays.iter().enumerate() {
            let list = || a.contents.iter().map(|v| literal(a.ty, *v)).collect::<Vec<_>>().join(", ");
            let name = name(i, a);
            let (ty, count) = (a.ty.name(), p.elements(a));
            match a.place {
                Place::Input | Place::Counters => items.push(format!("{name}: {ty}[{count}] = {{{}}}", list())),
                Place::Output => items.push(format!("{name}: {ty}[{count}]")),
                Place::Records => items.push(format!("{name}: S[{count}]")),
                _ => {}
            }
        }
        let text = format!("// launch: k<<<{}, {}>>>({})", p.blocks, p.threads, items.join(",\n//     "));
        self.line(&text);
    }

    fn declarations(&mut self) {
        let p = self.program;
        let members: Vec<String> = p.members.iter().enumerate().map(|(i, ty)| format!("{} m{i};", ty.name())).collect();
        self.line(&format!("struct S {{ {} }};", members.join(" ")));
        for (i, a) in p.arrays.iter().enumerate().filter(|(_, a)| a.place == Place::Constant) {
            let list: Vec<String> = a.contents.iter().map(|v| literal(a.ty, *v)).collect();
            let name = name(i, a);
            self.line(&format!("__constant__ {} {name}[{}] = {{{}}};", a.ty.name(), a.each, list.join(", ")));
        }
    }

    fn function(&mut self, index: usize, f: &Function) {
        let mut params: Vec<String> = f.params.iter().map(|(v, ty)| format!("{} v{v}", ty.name())).collect();
        if let Some(input) = f.input {
            let array = &self.program.arrays[input];
            params.push(format!("const {} *{}", array.ty.name(), name(input, array)));
        }
        self.line(&format!("__device__ {} f{index}({}) {{", f.returns.name(), params.join(", ")));
        self.body(&f.body);
        self.line("}");
    }

    fn kernel(&mut self) {
        let p = self.program;
        let mut params = Vec::new();
        for (i, a) in p.arrays.iter().enumerate() {
            let (name, ty) = (name(i, a), a.ty.name());
            match a.place {
                Place::Input if i % 2 == 0 => params.push(format!("const {ty} *__restrict__ {name}")),
                Place::Input => params.push(format!("const {ty} *{name}")),
                Place::Output | Place::Counters => params.push(format!("{ty} *{name}")),
                Place::Records => params.push(format!("S *{name}")),
                _ => {}
            }
        }
        self.line(&format!("__global__ void k({}) {{", params.join(", ")));
        self.indent += 1;
        for (i, a) in p.arrays.iter().enumerate().filter(|(_, a)| a.place == Place::Shared) {
            self.line(&format!("__shared__ {} {}[{}];", a.ty.name(), name(i, a), p.elements(a)));
        }
        self.line("const unsigned g = blockIdx.x * blockDim.x + threadIdx.x;");
        self.indent -= 1;
        self.body(&p.kernel);
        self.line("}");
    }

    fn body(&mut self, all: &[Stmt]) {
        self.indent += 1;
        all.iter().for_each(|s| self.statement(s));
        self.indent -= 1;
    }

    fn block(&mut self, head: &str, all: &[Stmt], tail: &str) {
        self.line(&format!("{head} {{"));
        self.body(all);
        self.line(&format!("}}{tail}"));
    }

    fn statement(&mut self, s: &Stmt) {
        match s {
            Stmt::Declare(v, ty, e) => self.line(&format!("{} v{v} = {};", ty.name(), expr(self.program, e, 0))),
            Stmt::Compound(v, all) => {
                let types = &self.program.members;
                let list: Vec<String> = all
                    .iter()
                    .zip(types)
                    .map(|(e, ty)| format!("({})({})", ty.name(), expr(self.program, e, 0)))
                    .collect();
                self.line(&format!("S v{v} = {{{}}};", list.join(", ")));
            }
            Stmt::CopyStruct(a, b) => self.line(&format!("v{a} = v{b};")),
            Stmt::Array(a, all) => {
                let array = &self.program.arrays[*a];
                let ty = array.ty.name();
                let list: Vec<String> = all.iter().map(|e| format!("({ty})({})", expr(self.program, e, 0))).collect();
                self.line(&format!("{ty} {}[{}] = {{{}}};", name(*a, array), array.each, list.join(", ")));
            }
            Stmt::Set(to, op, e) => {
                let sign = op.map_or("", Op::sign);
                let text = format!("{} {sign}= {};", target(self.program, to), expr(self.program, e, 1));
                self.line(&text);
            }
            Stmt::Step(to, up) => {
                let to = target(self.program, to);
                self.line(&if *up { format!("{to}++;") } else { format!("--{to};") });
            }
            Stmt::If(c, yes, no) => {
                self.block(&format!("if ({})", expr(self.program, c, 0)), yes, "");
                if !no.is_empty() {
                    self.block("else", no, "");
                }
            }
            Stmt::For(v, bound, body) => {
                let head = format!("for (int v{v} = 0; v{v} < {}; v{v}++)", expr(self.program, bound, 8));
                self.block(&head, body, "");
            }
            Stmt::While(v, c, body) => {
                self.line(&format!("int v{v} = 0;"));
                self.line(&format!("while (v{v} < 4 && {}) {{", expr(self.program, c, 4)));
                self.indent += 1;
                self.line(&format!("v{v}++;"));
                self.indent -= 1;
                self.body(body);
                self.line("}");
            }
            Stmt::Do(v, c, body) => {
                self.line(&format!("int v{v} = 0;"));
                self.line("do {");
                self.indent += 1;
                self.line(&format!("v{v}++;"));
                self.indent -= 1;
                self.body(body);
                self.line(&format!("}} while (v{v} < 4 && {});", expr(self.program, c, 4)));
            }
            other => self.flow(other),
        }
    }

    fn flow(&mut self, s: &Stmt) {
        match s {
            Stmt::Leave(c, out) => {
                let word = if *out { "break" } else { "continue" };
                self.line(&format!("if ({}) {word};", expr(self.program, c, 0)));
            }
            Stmt::Switch(e, cases, rest) => {
                self.line(&format!("switch ({}) {{", expr(self.program, e, 0)));
                for (number, body, leaves) in cases {
                    self.block(&format!("case {number}:"), body, if *leaves { " break;" } else { "" });
                }
                self.block("default:", rest, "");
                self.line("}");
            }
            Stmt::Return(e) => self.line(&format!("return {};", expr(self.program, e, 0))),
            Stmt::Barrier => self.line("__syncthreads();"),
            Stmt::Atomic(to, e) => {
                let to = element(self.program, to);
                self.line(&format!("atomicAdd(&{to}, {});", expr(self.program, e, 1)));
            }
            Stmt::Exchange(v, ty, e, bits) => {
                let e = expr(self.program, e, 1);
                self.line(&format!("{} v{v} = __shfl_xor_sync(0xffffffffu, {e}, {bits});", ty.name()));
            }
            Stmt::Vote(v, e) => {
                let e = expr(self.program, e, 1);
                self.line(&format!("unsigned v{v} = __ballot_sync(0xffffffffu, {e});"));
            }
            _ => {}
        }
    }
}

fn target(p: &Program, t: &Target) -> String {
    match t {
        Target::Variable(v, _) => format!("v{v}"),
        Target::Member(v, m, _) => format!("v{v}.m{m}"),
        Target::Element(e) => element(p, e),
    }
}

fn element(p: &Program, e: &Element) -> String {
    let array = &p.arrays[e.array];
    let inner =
        format!("(unsigned){} % {}u", expr(p, &e.index, 13), if e.own { array.each } else { p.elements(array) });
    let at = match (array.place, e.own) {
        (Place::Output | Place::Records, _) => format!("g * {} + {inner}", array.each),
        (Place::Shared, true) => format!("threadIdx.x * {} + {inner}", array.each),
        _ => inner,
    };
    let member = e.member.map_or(String::new(), |m| format!(".m{m}"));
    format!("{}[{at}]{member}", name(e.array, array))
}

/// An expression, in brackets where it binds less tightly than `least`.
fn expr(p: &Program, e: &Expr, least: u32) -> String {
    let own = match e {
        Expr::Binary(op, a, b, wraps) => {
            let ty = e.ty();
            let shift = matches!(op, Op::Shl);
            if ty.is_signed() && (*wraps || shift) {
                let cast = |x: &Expr| format!("({}){}", ty.unsigned().name(), expr(p, x, 13));
                let right = if shift { expr(p, b, 10) } else { cast(b) };
                return format!("({})({} {} {right})", ty.name(), cast(a), op.sign());
            }
            let l = level(*op);
            (l, format!("{} {} {}", expr(p, a, l), op.sign(), expr(p, b, l + 1)))
        }
        Expr::Compare(test, a, b) => {
            let l = if matches!(test.sign(), "==" | "!=") { 7 } else { 8 };
            (l, format!("{} {} {}", expr(p, a, l + 1), test.sign(), expr(p, b, l + 1)))
        }
        Expr::Both(a, b) => (3, format!("{} && {}", expr(p, a, 3), expr(p, b, 4))),
        Expr::Either(a, b) => (2, format!("{} || {}", expr(p, a, 2), expr(p, b, 3))),
        Expr::Not(a) => (12, format!("!{}", expr(p, a, 13))),
        Expr::Choose(c, a, b) => (1, format!("{} ? {} : {}", expr(p, c, 2), expr(p, a, 1), expr(p, b, 1))),
        Expr::Cast(ty, a) => (12, format!("({}){}", ty.name(), expr(p, a, 13))),
        Expr::Narrow(a) => (11, format!("{} % 1000", expr(p, a, 11))),
        Expr::Divisor(a) => (4, format!("{} % 7 | 1", expr(p, a, 11))),
        Expr::Shift(a) => (6, format!("{} & 15", expr(p, a, 6))),
        other => return call(p, other),
    };
    if own.0 < least {
        format!("({})", own.1)
    } else {
        own.1
    }
}

/// An expression that needs no brackets.
fn call(p: &Program, e: &Expr) -> String {
    let arg = |e: &Expr| expr(p, e, 1);
    let suffix = |e: &Expr| if e.ty() == Ty::F32 { "f" } else { "" };
    match e {
        Expr::Number(ty, bits) => {
            let text = literal(*ty, *bits);
            if text.starts_with('-') {
                format!("({text})")
            } else {
                text
            }
        }
        Expr::Variable(v, _) => format!("v{v}"),
        Expr::Member(v, m, _) => format!("v{v}.m{m}"),
        Expr::Built(Built::Thread) => "threadIdx.x".into(),
        Expr::Built(Built::Block) => "blockIdx.x".into(),
        Expr::Built(Built::Global) => "g".into(),
        Expr::Read(of) => element(p, of),
        Expr::Clamp(a) => {
            let f = suffix(a);
            let (low, high) = (literal(a.ty(), low(a.ty())), literal(a.ty(), high(a.ty())));
            format!("fmin{f}(fmax{f}({}, {low}), {high})", arg(a))
        }
        Expr::Product(a, b) => {
            let word = if a.ty() == Ty::F32 { "__fmul_rn" } else { "__dmul_rn" };
            format!("{word}({}, {})", arg(a), arg(b))
        }
        Expr::Fma(a, b, c) => format!("fma{}({}, {}, {})", suffix(a), arg(a), arg(b), arg(c)),
        Expr::Root(a) => format!("sqrt{f}(fabs{f}({}))", arg(a), f = suffix(a)),
        Expr::Bits(of, a) => {
            let word = match of {
                Bits::Count => "__popc",
                Bits::LeadingZeros => "__clz",
                Bits::FirstSet => "__ffs",
                Bits::Reversed => "__brev",
            };
            format!("{word}({})", arg(a))
        }
        Expr::Extreme(least, a, b) => format!("{}({}, {})", if *least { "min" } else { "max" }, arg(a), arg(b)),
        Expr::Call(f, _, args) => {
            let mut all: Vec<String> = args.iter().map(arg).collect();
            all.extend(p.functions[*f].input.map(|input| name(input, &p.arrays[input])));
            format!("f{f}({})", all.join(", "))
        }
        _ => unreachable!("an operator"),
    }
}

/// The bounds of `Expr::Clamp`.
pub fn low(ty: Ty) -> u64 {
    if ty == Ty::F32 {
        u64::from((-1000f32).to_bits())
    } else {
        (-1000f64).to_bits()
    }
}

pub fn high(ty: Ty) -> u64 {
    if ty == Ty::F32 {
        u64::from(1000f32.to_bits())
    } else {
        1000f64.to_bits()
    }
}
