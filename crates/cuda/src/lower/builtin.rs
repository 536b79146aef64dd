//! Built-in functions of numbers: the CUDA math API and integer intrinsics.

use crate::lower::context::{LValue, LowerResult, Lowerer, Value};
use crate::lower::types::{common, num, promoted, vector, Ty};
use crate::syntax::ast::{Path, Scalar, TemplateArg};
use crate::syntax::token::Name;
use bytecode::code::{Bin, Ins, Math, Num, Op, Promise, Reg, Rounding, Un};

/// Functions of one float, by their name without suffix `f` and underscores.
const MATH_ONE: [(&str, Math); 40] = [
    ("sqrt", Math::Sqrt),
    ("rsqrt", Math::Rsqrt),
    ("cbrt", Math::Cbrt),
    ("sin", Math::Sin),
    ("cos", Math::Cos),
    ("tan", Math::Tan),
    ("asin", Math::Asin),
    ("acos", Math::Acos),
    ("atan", Math::Atan),
    ("sinh", Math::Sinh),
    ("cosh", Math::Cosh),
    ("tanh", Math::Tanh),
    ("asinh", Math::Asinh),
    ("acosh", Math::Acosh),
    ("atanh", Math::Atanh),
    ("exp", Math::Exp),
    ("exp2", Math::Exp2),
    ("exp10", Math::Exp10),
    ("expm1", Math::Expm1),
    ("log", Math::Log),
    ("log2", Math::Log2),
    ("log10", Math::Log10),
    ("log1p", Math::Log1p),
    ("floor", Math::Floor),
    ("ceil", Math::Ceil),
    ("trunc", Math::Trunc),
    ("round", Math::Round),
    ("rint", Math::Rint),
    ("nearbyint", Math::Rint),
    ("erf", Math::Erf),
    ("erfc", Math::Erfc),
    ("lgamma", Math::Lgamma),
    ("tgamma", Math::Gamma),
    ("sinpi", Math::SinPi),
    ("cospi", Math::CosPi),
    ("saturate", Math::Saturate),
    ("isnan", Math::IsNan),
    ("isinf", Math::IsInf),
    ("isfinite", Math::IsFinite),
    ("signbit", Math::SignBit),
];

const MATH_TWO: [(&str, Math); 9] = [
    ("pow", Math::Pow),
    ("atan2", Math::Atan2),
    ("fmod", Math::Fmod),
    ("remainder", Math::Remainder),
    ("hypot", Math::Hypot),
    ("copysign", Math::CopySign),
    ("fdim", Math::Fdim),
    ("nextafter", Math::NextAfter),
    ("ldexp", Math::Ldexp),
];

/// Intrinsics of `float` that are fewer instructions than the functions that they approximate.
const FAST: [(&str, Math); 10] = [
    ("__sinf", Math::FastSin),
    ("__cosf", Math::FastCos),
    ("__tanf", Math::FastTan),
    ("__expf", Math::FastExp),
    ("__exp10f", Math::FastExp10),
    ("__logf", Math::FastLog),
    ("__log2f", Math::FastLog2),
    ("__log10f", Math::FastLog10),
    ("__powf", Math::FastPow),
    ("__fdividef", Math::FastDivide),
];

/// The base name and the forced type of a math function. `sinf` is `sin` of `float`. A plain `sin` takes the type of its
/// argument.
fn math_name(name: &str) -> (&str, Option<Scalar>) {
    let bare = name.trim_start_matches('_');
    let known = |n: &str| MATH_ONE.iter().any(|(m, _)| *m == n) || MATH_TWO.iter().any(|(m, _)| *m == n);
    match bare.strip_suffix('f') {
        Some(base) if known(base) => (base, Some(Scalar::F32)),
        _ => (bare, None),
    }
}

impl Lowerer<'_> {
    pub fn is_builtin(&self, name: &str) -> bool {
        let (base, _) = math_name(name);
        MATH_ONE.iter().any(|(m, _)| *m == base)
            || MATH_TWO.iter().any(|(m, _)| *m == base)
            || matches!(
                base,
                "min"
                    | "max"
                    | "abs"
                    | "fabs"
                    | "fabsf"
                    | "fmin"
                    | "fmax"
                    | "fminf"
                    | "fmaxf"
                    | "fma"
                    | "fmaf"
                    | "swap"
            )
            || name.starts_with("make_")
            || name.starts_with("atomic")
    }

    /// Lowers a built-in function of values.
    pub fn builtin(&mut self, path: &Path, args: &[Value]) -> LowerResult<Option<Value>> {
        let name: &str = path.last();
        if let Some(value) = self.limits(path)? {
            return Ok(Some(value));
        }
        if let Some(value) = self.vector_builtin(name, args)? {
            return Ok(Some(value));
        }
        if let Some(value) = self.math(name, args)? {
            return Ok(Some(value));
        }
        if let Some(value) = self.integer(name, args)? {
            return Ok(Some(value));
        }
        if let Some(value) = self.conversion(name, args)? {
            return Ok(Some(value));
        }
        self.machine(path, args)
    }

    fn vector_builtin(&mut self, name: &str, args: &[Value]) -> LowerResult<Option<Value>> {
        let made = match name {
            "make_cuComplex" | "make_cuFloatComplex" => Some("float2"),
            "make_cuDoubleComplex" => Some("double2"),
            _ => name.strip_prefix("make_"),
        };
        let Some(Ty::Struct(s)) = made.and_then(vector) else { return Ok(None) };
        if args.len() > s.fields.len() {
            return Ok(None);
        }
        self.struct_of(&s, args.to_vec()).map(Some)
    }

    /// The float type in which a math function computes.
    fn float_type(&self, forced: Option<Scalar>, args: &[Value]) -> Option<Scalar> {
        if forced.is_some() {
            return forced;
        }
        let all: Vec<Scalar> =
            args.iter().map(|v| v.ty.scalar().filter(|s| *s != Scalar::Void)).collect::<Option<_>>()?;
        let met = all.iter().copied().reduce(common)?;
        Some(if promoted(met) == Scalar::F32 { Scalar::F32 } else { Scalar::F64 })
    }

    fn as_float(&mut self, value: &Value, scalar: Scalar) -> LowerResult<Reg> {
        let value = self.convert(value.clone(), &Ty::Scalar(scalar))?;
        self.reg(&value)
    }

    fn math(&mut self, name: &str, args: &[Value]) -> LowerResult<Option<Value>> {
        if let Some((_, op)) = FAST.iter().find(|(fast, _)| *fast == name) {
            let regs: Vec<Reg> = args.iter().map(|v| self.as_float(v, Scalar::F32)).collect::<LowerResult<_>>()?;
            let wanted = 1 + usize::from(matches!(op, Math::FastPow | Math::FastDivide));
            if regs.len() != wanted {
                let found = format!("{}", regs.len());
                return self.fault(
                    format!("{wanted} argument{s} of `{name}`", s = base::plural(wanted as u64, "s")),
                    found,
                    "check their number",
                );
            }
            return Ok(Some(Value::scalar(Scalar::F32, self.folded_math(*op, Num::F32, false, &regs))));
        }
        let (base, forced) = math_name(name);
        if let (Some((_, op)), [x]) = (MATH_ONE.iter().find(|(m, _)| *m == base), args) {
            let Some(scalar) = self.float_type(forced, args) else { return Ok(None) };
            let x = self.as_float(x, scalar)?;
            let truth = matches!(op, Math::IsNan | Math::IsInf | Math::IsFinite | Math::SignBit);
            let wide = !truth && num(scalar).wide();
            let reg = self.folded_math(*op, num(scalar), wide, &[x]);
            return Ok(Some(Value::scalar(if truth { Scalar::Bool } else { scalar }, reg)));
        }
        if let (Some((_, op)), [x, y]) = (MATH_TWO.iter().find(|(m, _)| *m == base), args) {
            let both = if *op == Math::Ldexp { &args[..1] } else { args };
            let Some(scalar) = self.float_type(forced, both) else { return Ok(None) };
            let y = if *op == Math::Ldexp {
                let y = self.convert(y.clone(), &Ty::INT)?;
                self.reg(&y)?
            } else {
                self.as_float(y, scalar)?
            };
            let x = self.as_float(x, scalar)?;
            return Ok(Some(Value::scalar(scalar, self.folded_math(*op, num(scalar), num(scalar).wide(), &[x, y]))));
        }
        self.float_arithmetic(name, args)
    }

    fn folded_math(&mut self, op: Math, n: Num, wide: bool, args: &[Reg]) -> Reg {
        let known: Option<Vec<u64>> = args.iter().map(|r| self.code.value(*r)).collect();
        match known {
            Some(v) => {
                let b = v.get(1).copied().unwrap_or(0);
                self.code.constant(wide, bytecode::scalar::math(op, n, v[0], b))
            }
            None => self.code.op(Op::Math(op, n), wide, args),
        }
    }

    /// Lowers arithmetic functions such as `fmaf`, `__fadd_rn`, `fminf` and `__fdividef`.
    fn float_arithmetic(&mut self, name: &str, args: &[Value]) -> LowerResult<Option<Value>> {
        // All rounding modes are treated as rounding to nearest.
        let rounded = ["_rn", "_rz", "_ru", "_rd"].iter().find_map(|s| name.strip_suffix(s));
        let (scalar, op) = match (name, rounded) {
            ("fmaf" | "__fmaf", _) | (_, Some("__fmaf")) => (Some(Scalar::F32), "fma"),
            (_, Some("__fma")) => (Some(Scalar::F64), "fma"),
            ("fma", _) => (None, "fma"),
            ("fminf", _) => (Some(Scalar::F32), "min"),
            ("fmaxf", _) => (Some(Scalar::F32), "max"),
            ("fmin", _) => (None, "min"),
            ("fmax", _) => (None, "max"),
            ("fabsf", _) => (Some(Scalar::F32), "abs"),
            ("fabs", _) => (None, "abs"),
            ("fdividef", _) | (_, Some("__fdiv")) => (Some(Scalar::F32), "div"),
            (_, Some("__ddiv")) => (Some(Scalar::F64), "div"),
            (_, Some("__fadd")) => (Some(Scalar::F32), "add"),
            (_, Some("__fsub")) => (Some(Scalar::F32), "sub"),
            (_, Some("__fmul")) => (Some(Scalar::F32), "mul"),
            (_, Some("__dadd")) => (Some(Scalar::F64), "add"),
            (_, Some("__dsub")) => (Some(Scalar::F64), "sub"),
            (_, Some("__dmul")) => (Some(Scalar::F64), "mul"),
            (_, Some("__fsqrt")) => (Some(Scalar::F32), "sqrt"),
            (_, Some("__dsqrt")) => (Some(Scalar::F64), "sqrt"),
            (_, Some("__frcp")) => (Some(Scalar::F32), "recip"),
            (_, Some("__drcp")) => (Some(Scalar::F64), "recip"),
            (_, Some("__frsqrt")) => (Some(Scalar::F32), "rsqrt"),
            _ => return Ok(None),
        };
        let Some(scalar) = self.float_type(scalar, args) else { return Ok(None) };
        let n = num(scalar);
        let regs: Vec<Reg> = args.iter().map(|v| self.as_float(v, scalar)).collect::<LowerResult<_>>()?;
        let bin = |op| match op {
            "min" => Bin::Min,
            "max" => Bin::Max,
            "div" => Bin::Div,
            "add" => Bin::Add,
            "sub" => Bin::Sub,
            _ => Bin::Mul,
        };
        let reg = match (op, &regs[..]) {
            ("fma", [a, b, c]) => self.fma(n, *a, *b, *c),
            ("abs", [a]) => self.code.un(Un::Abs, n, *a),
            ("sqrt", [a]) => self.folded_math(Math::Sqrt, n, n.wide(), &[*a]),
            ("rsqrt", [a]) => self.folded_math(Math::Rsqrt, n, n.wide(), &[*a]),
            ("recip", [a]) => self.folded_math(Math::Recip, n, n.wide(), &[*a]),
            ("min" | "max" | "div" | "add" | "sub" | "mul", [a, b]) => self.code.bin(bin(op), n, *a, *b),
            _ => {
                return self.fault(
                    format!("the arguments of `{name}`"),
                    format!("{}", args.len()),
                    "check their number",
                )
            }
        };
        Ok(Some(Value::scalar(scalar, reg)))
    }

    fn integer(&mut self, name: &str, args: &[Value]) -> LowerResult<Option<Value>> {
        let regs_as = |l: &mut Self, scalar: Scalar| -> LowerResult<Vec<Reg>> {
            args.iter().map(|v| l.as_float(v, scalar)).collect()
        };
        let value = match (name, args) {
            ("min" | "max" | "umin" | "umax" | "llmin" | "llmax" | "ullmin" | "ullmax", [a, b]) => {
                let (scalar, x, y) = self.convert_to_common(a, b)?;
                let bin = if name.ends_with("min") { Bin::Min } else { Bin::Max };
                Value::scalar(scalar, self.code.bin(bin, num(scalar), x, y))
            }
            ("abs" | "labs" | "llabs", [a]) => {
                let (scalar, x, _) = self.convert_to_common(a, a)?;
                Value::scalar(scalar, self.code.un(Un::Abs, num(scalar), x))
            }
            ("__mul24" | "__umul24" | "mul24" | "umul24", [_, _]) => {
                let signed = !name.contains('u') || name == "__mul24" || name == "mul24";
                let scalar = if signed { Scalar::I32 } else { Scalar::U32 };
                let regs = regs_as(self, scalar)?;
                let eight = self.code.int(8);
                let low = |l: &mut Self, r: Reg| {
                    let up = l.code.bin(Bin::Shl, num(scalar), r, eight);
                    l.code.bin(Bin::Shr, num(scalar), up, eight)
                };
                let (a, b) = (low(self, regs[0]), low(self, regs[1]));
                Value::scalar(scalar, self.code.bin(Bin::Mul, num(scalar), a, b))
            }
            ("__mulhi" | "__umulhi" | "__mul64hi" | "__umul64hi", [_, _]) => {
                let scalar = match name {
                    "__mulhi" => Scalar::I32,
                    "__umulhi" => Scalar::U32,
                    "__mul64hi" => Scalar::I64,
                    _ => Scalar::U64,
                };
                let regs = regs_as(self, scalar)?;
                Value::scalar(scalar, self.code.bin(Bin::MulHigh, num(scalar), regs[0], regs[1]))
            }
            ("__popc" | "__clz" | "__ffs" | "__brev" | "__popcll" | "__clzll" | "__ffsll" | "__brevll", [_]) => {
                let scalar = if name.ends_with("ll") { Scalar::U64 } else { Scalar::U32 };
                let regs = regs_as(self, scalar)?;
                let (op, result) = match name.trim_end_matches("ll") {
                    "__popc" => (Un::Popc, Scalar::I32),
                    "__c" | "__clz" => (Un::Clz, Scalar::I32),
                    "__ffs" => (Un::Ffs, Scalar::I32),
                    _ => (Un::Brev, scalar),
                };
                Value::scalar(result, self.code.un(op, num(scalar), regs[0]))
            }
            ("__sad" | "__usad", [a, b, c]) => {
                let scalar = if name == "__sad" { Scalar::I32 } else { Scalar::U32 };
                let (a, b, c) = (self.as_float(a, scalar)?, self.as_float(b, scalar)?, self.as_float(c, Scalar::U32)?);
                let (low, high) =
                    (self.code.bin(Bin::Min, num(scalar), a, b), self.code.bin(Bin::Max, num(scalar), a, b));
                let apart = self.code.bin(Bin::Sub, Num::U32, high, low);
                Value::scalar(Scalar::U32, self.code.bin(Bin::Add, Num::U32, apart, c))
            }
            ("__funnelshift_r" | "__funnelshift_l" | "__byte_perm", [_, _, _]) => {
                let regs = regs_as(self, Scalar::U32)?;
                let op = if name == "__byte_perm" { Op::BytePerm } else { Op::Funnel };
                let dst = self.code.reg(false);
                let mut ins = Ins::new(op, dst, &regs, self.pos.line);
                ins.imm = i64::from(name == "__funnelshift_l");
                self.code.push(ins);
                Value::scalar(Scalar::U32, dst)
            }
            _ => return Ok(None),
        };
        Ok(Some(value))
    }

    /// Lowers `__float_as_int`, `__float2int_rn`, `__int2float_rn` and similar conversions.
    fn conversion(&mut self, name: &str, args: &[Value]) -> LowerResult<Option<Value>> {
        let [value] = args else { return self.halves(name, args) };
        let short = |s: &str| {
            Some(match s {
                "int" => Scalar::I32,
                "uint" => Scalar::U32,
                "ll" | "longlong" => Scalar::I64,
                "ull" | "ulonglong" => Scalar::U64,
                "float" => Scalar::F32,
                "double" => Scalar::F64,
                _ => return None,
            })
        };
        let Some(bare) = name.strip_prefix("__") else { return Ok(None) };
        if let Some((from, to)) = bare.split_once("_as_") {
            let (Some(from), Some(to)) = (short(from), short(to)) else { return Ok(None) };
            let reg = self.as_float(value, from)?;
            return Ok(Some(Value::scalar(to, reg)));
        }
        if name == "__double2hiint" || name == "__double2loint" {
            let reg = self.as_float(value, Scalar::F64)?;
            let by = self.code.constant(true, if name == "__double2hiint" { 32 } else { 0 });
            let moved = self.code.bin(Bin::Shr, Num::U64, reg, by);
            return Ok(Some(Value::scalar(Scalar::I32, self.code.convert(Num::U64, Num::U32, moved))));
        }
        let Some((from, rest)) = bare.split_once('2') else { return Ok(None) };
        let (to, mode) = rest.rsplit_once('_').unwrap_or((rest, "rn"));
        let (Some(from), Some(to)) = (short(from), short(to)) else { return Ok(None) };
        let reg = self.as_float(value, from)?;
        let rounding = match mode {
            "rn" => Some(Rounding::Nearest),
            "ru" => Some(Rounding::Up),
            "rd" => Some(Rounding::Down),
            _ => None,
        };
        let (f, t) = (num(from), num(to));
        let reg = match rounding {
            Some(how) if f.float() && !t.float() => self.code.op(Op::Round(f, t, how), t.wide(), &[reg]),
            _ => self.code.convert(f, t, reg),
        };
        Ok(Some(Value::scalar(to, reg)))
    }

    fn halves(&mut self, name: &str, args: &[Value]) -> LowerResult<Option<Value>> {
        let ("__hiloint2double", [high, low]) = (name, args) else { return Ok(None) };
        let (high, low) = (self.as_float(high, Scalar::U32)?, self.as_float(low, Scalar::U32)?);
        let (high, low) = (self.code.convert(Num::U32, Num::U64, high), self.code.convert(Num::U32, Num::U64, low));
        let by = self.code.constant(true, 32);
        let high = self.code.bin(Bin::Shl, Num::U64, high, by);
        Ok(Some(Value::scalar(Scalar::F64, self.code.bin(Bin::Or, Num::U64, high, low))))
    }

    /// Lowers `std::numeric_limits<T>::max()` and similar calls.
    fn limits(&mut self, path: &Path) -> LowerResult<Option<Value>> {
        let [.., (owner, Some(args)), (what, _)] = &path.parts[..] else { return Ok(None) };
        if &**owner != "numeric_limits" {
            return Ok(None);
        }
        let Some(TemplateArg::Type(ty)) = args.first() else {
            return match args.first() {
                Some(arg) => {
                    let ty = self.type_arg(arg)?;
                    self.limit(&ty, what)
                }
                None => Ok(None),
            };
        };
        let ty = self.resolve_type(ty)?;
        self.limit(&ty, what)
    }

    fn limit(&mut self, ty: &Ty, what: &Name) -> LowerResult<Option<Value>> {
        let Some(scalar) = ty.scalar() else { return Ok(None) };
        let lowest = &**what == "lowest";
        let least = lowest || &**what == "min";
        let bits = match scalar {
            Scalar::F32 => u64::from(
                match &**what {
                    "max" => f32::MAX,
                    "lowest" => f32::MIN,
                    "min" => f32::MIN_POSITIVE,
                    "epsilon" => f32::EPSILON,
                    "infinity" => f32::INFINITY,
                    _ => f32::NAN,
                }
                .to_bits(),
            ),
            Scalar::F64 => match &**what {
                "max" => f64::MAX,
                "lowest" => f64::MIN,
                "min" => f64::MIN_POSITIVE,
                "epsilon" => f64::EPSILON,
                "infinity" => f64::INFINITY,
                _ => f64::NAN,
            }
            .to_bits(),
            Scalar::I32 => (if least { i32::MIN } else { i32::MAX }) as u32 as u64,
            Scalar::I64 => (if least { i64::MIN } else { i64::MAX }) as u64,
            Scalar::U64 => {
                if least {
                    0
                } else {
                    u64::MAX
                }
            }
            Scalar::U32 => {
                if least {
                    0
                } else {
                    u64::from(u32::MAX)
                }
            }
            Scalar::I8 => (if least { -128i32 } else { 127 }) as u32 as u64,
            Scalar::U8 => {
                if least {
                    0
                } else {
                    255
                }
            }
            Scalar::I16 => (if least { -32768i32 } else { 32767 }) as u32 as u64,
            Scalar::U16 => {
                if least {
                    0
                } else {
                    65535
                }
            }
            Scalar::Bool | Scalar::Void => u64::from(!least),
        };
        Ok(Some(Value::scalar(scalar, self.code.constant(num(scalar).wide(), bits))))
    }

    /// Writes to the target of a pointer argument, as in `sincosf(x, &s, &c)`.
    pub fn store_through(&mut self, pointer: &Value, value: &Value) -> LowerResult<()> {
        let place: LValue = self.deref(pointer.clone())?;
        self.store(&place, value)
    }

    pub fn load_through(&mut self, pointer: &Value, read_only: bool) -> LowerResult<Value> {
        let mut place = self.deref(pointer.clone())?;
        if let crate::lower::context::Location::Memory { promise, .. } = &mut place.at {
            *promise = Promise { read_only, ..*promise };
        }
        self.load(&place)
    }
}
