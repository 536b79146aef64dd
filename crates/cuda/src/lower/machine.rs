//! Built-in functions of the machine: barriers, fences, atomics, shuffles, votes, cooperative groups, textures,
//! `printf`.

use crate::lower::context::{LowerResult, Lowerer, Value, ValueKind};
use crate::lower::surface::{as_floats, UNIT};
use crate::lower::types::{num, size_of_scalar, Ty};
use crate::syntax::ast::{Expr, ExprKind, Path, Scalar, TemplateArg};
use crate::syntax::token::{Name, Pos};
use bytecode::code::{
    Atomic, Bin, Fetch, Ins, Num, Op, PrintArg, PrintCall, Promise, Reg, Shuffle, SpecialRegister, Un, Vote, NONE,
    SILENT, WIDE,
};
use std::rc::Rc;

/// The upper bits of a pointer that was made of a number in the window of shared memory.
const SHARED_WINDOW: u64 = 0xffff << 48;

impl Lowerer<'_> {
    /// Built-in functions whose arguments are not plain values.
    pub fn raw_builtin(&mut self, path: &Path, args: &[Expr], pos: Pos) -> LowerResult<Option<Value>> {
        let name: &str = path.last();
        if self.names.functions.contains_key(name) {
            return Ok(None);
        }
        match name {
            "printf" => {
                let Some(Expr { kind: ExprKind::Str(format), .. }) = args.first() else {
                    return self.fault("a text as format of printf", "something else", "write the format as \"…\"");
                };
                self.print(format.clone(), &args[1..], pos).map(Some)
            }
            "assert" => {
                let [condition] = args else { return self.fault("one condition", format!("{}", args.len()), "") };
                let value = self.expr(condition)?;
                let truth = self.truth(&value)?;
                self.set_line(pos);
                let mut ins = Ins::new(Op::Assert, NONE, &[truth], pos.line);
                ins.imm = self.asserts.len() as i64;
                self.asserts.push(Rc::from("assert"));
                self.code.push(ins);
                Ok(Some(Value::nothing()))
            }
            "max" | "min" => {
                // `max({a, b, c})`.
                let [Expr { kind: ExprKind::List(items), .. }] = args else { return Ok(None) };
                let [first, rest @ ..] = &items[..] else { return Ok(None) };
                let mut most = self.expr(first)?;
                for item in rest {
                    let value = self.expr(item)?;
                    let Some(next) = self.builtin(&Path::simple(path.last().clone()), &[most, value])? else {
                        return Ok(None);
                    };
                    most = next;
                }
                Ok(Some(most))
            }
            "swap" => {
                let [a, b] = args else { return Ok(None) };
                let (a, b) = (self.lvalue(a)?, self.lvalue(b)?);
                let (x, y) = (self.load(&a)?, self.load(&b)?);
                let held = self.temporary(x)?;
                self.store(&a, &y)?;
                let x = self.load(&held)?;
                self.store(&b, &x)?;
                Ok(Some(Value::nothing()))
            }
            _ => Ok(None),
        }
    }

    fn print(&mut self, format: Name, args: &[Expr], pos: Pos) -> LowerResult<Value> {
        let mut kept = Vec::new();
        for arg in args {
            let value = self.expr(arg)?;
            if let ValueKind::Text(text) = &value.kind {
                kept.push((NONE, PrintArg::Text(text.clone())));
                continue;
            }
            let (scalar, reg, _) = self.convert_to_common(&value, &value)?;
            let (scalar, reg) = match scalar {
                Scalar::F32 => (Scalar::F64, self.code.convert(Num::F32, Num::F64, reg)),
                other => (other, reg),
            };
            self.code.pin(reg);
            kept.push((reg, PrintArg::Number(num(scalar))));
        }
        let mut ins = Ins::new(Op::Print, NONE, &[], pos.line);
        ins.imm = self.prints.len() as i64;
        self.prints.push(PrintCall { format, args: kept });
        self.code.push(ins);
        Ok(Value::scalar(Scalar::I32, self.code.int(0)))
    }

    /// Barriers, votes, atomics and other functions of values.
    pub fn machine(&mut self, path: &Path, args: &[Value]) -> LowerResult<Option<Value>> {
        let name: &str = path.last();
        match (name, args) {
            ("__syncthreads", []) => {
                self.code.barrier(NONE);
                return Ok(Some(Value::nothing()));
            }
            ("__syncthreads_count" | "__syncthreads_and" | "__syncthreads_or", [p]) => {
                let p = self.truth(p)?;
                self.code.barrier(p);
                let dst = self.code.reg(false);
                let mut ins = Ins::new(Op::BarrierResult, dst, &[], self.pos.line);
                ins.imm = if name.ends_with("count") {
                    0
                } else if name.ends_with("and") {
                    1
                } else {
                    2
                };
                self.code.push(ins);
                return Ok(Some(Value::scalar(Scalar::I32, dst)));
            }
            ("__syncwarp" | "__threadfence" | "__threadfence_block" | "__threadfence_system" | "__nanosleep", _)
            | ("__prof_trigger" | "__builtin_assume" | "__assume", _) => {
                self.code.push(Ins::new(Op::Nothing, NONE, &[], self.pos.line));
                return Ok(Some(Value::nothing()));
            }
            ("__trap" | "__brkpt" | "__builtin_unreachable", []) => {
                let zero = self.code.int(0);
                let mut ins = Ins::new(Op::Assert, NONE, &[zero], self.pos.line);
                ins.imm = self.asserts.len() as i64;
                self.asserts.push(Rc::from(name));
                self.code.push(ins);
                return Ok(Some(Value::nothing()));
            }
            ("clock" | "clock64" | "globaltimer", []) => {
                let wide = name != "clock";
                let reg = self.code.op(Op::Clock, wide, &[]);
                return Ok(Some(Value::scalar(if wide { Scalar::I64 } else { Scalar::I32 }, reg)));
            }
            ("__grid_barrier", []) => {
                let mut ins = Ins::new(Op::Nothing, NONE, &[], self.pos.line);
                ins.imm = 1;
                self.code.push(ins);
                self.code.barrier(NONE);
                return Ok(Some(Value::nothing()));
            }
            ("__isGlobal" | "__isShared", [_]) => {
                return self.fault("a kernel without tests of address spaces", format!("`{name}`"), "not supported");
            }
            ("__builtin_expect", [value, _]) | ("__cvta_generic_to_global", [value]) => return Ok(Some(value.clone())),
            // An address in the window of shared memory has 32 bits. Its upper bits then say only that it is one.
            ("__cvta_generic_to_shared" | "__cvta_shared_to_generic", [value]) => {
                let to_shared = name.ends_with("shared");
                let value = if matches!(value.ty, Ty::Pointer(_)) {
                    value.clone()
                } else {
                    self.convert(value.clone(), &Ty::Scalar(Scalar::U64))?
                };
                let reg = self.reg(&value)?;
                let (op, bits) = if to_shared { (Bin::And, SHARED_WINDOW - 1) } else { (Bin::Or, SHARED_WINDOW) };
                let bits = self.code.constant(true, bits);
                return Ok(Some(Value::scalar(Scalar::U64, self.code.bin(op, Num::U64, reg, bits))));
            }
            ("__ldg" | "__ldcg" | "__ldca" | "__ldcs" | "__ldlu" | "__ldcv", [pointer]) => {
                return self.load_through(pointer, name == "__ldg").map(Some);
            }
            ("__stcs" | "__stcg" | "__stwb" | "__stwt", [pointer, value]) => {
                self.store_through(pointer, value)?;
                return Ok(Some(Value::nothing()));
            }
            ("sincosf" | "sincos" | "__sincosf" | "sincospif" | "sincospi", [x, s, c]) => {
                let (sine, cosine) = match name {
                    "__sincosf" => ("__sinf", "__cosf"),
                    name if name.contains("pi") => ("sinpi", "cospi"),
                    _ => ("sin", "cos"),
                };
                for (function, target) in [(sine, s), (cosine, c)] {
                    if let Some(value) = self.builtin(&Path::simple(Name::from(function)), std::slice::from_ref(x))? {
                        self.store_through(target, &value)?;
                    }
                }
                return Ok(Some(Value::nothing()));
            }
            _ => {}
        }
        if let Some(rest) = name.strip_prefix("atomic") {
            return self.atomic(rest, args);
        }
        if let Some(value) = self.warp_builtin(name, args)? {
            return Ok(Some(value));
        }
        if name.starts_with("tex") {
            return self.texture(path, args);
        }
        if name.starts_with("surf") {
            return self.surface(path, args);
        }
        self.group_function(path, args)
    }

    fn atomic(&mut self, rest: &str, args: &[Value]) -> LowerResult<Option<Value>> {
        let name = rest.trim_end_matches("_block").trim_end_matches("_system");
        let op = match name {
            "Add" | "Sub" => Atomic::Add,
            "Min" => Atomic::Min,
            "Max" => Atomic::Max,
            "And" => Atomic::And,
            "Or" => Atomic::Or,
            "Xor" => Atomic::Xor,
            "Exch" => Atomic::Exchange,
            "CAS" => Atomic::CompareExchange,
            "Inc" => Atomic::Increment,
            "Dec" => Atomic::Decrement,
            _ => return Ok(None),
        };
        let (Some(pointer), Some(value)) = (args.first(), args.get(1)) else {
            return self.fault(
                "an address and a value",
                format!("{n} argument{s}", n = args.len(), s = base::plural(args.len() as u64, "s")),
                "give both",
            );
        };
        let place = self.deref(pointer.clone())?;
        let Some(scalar) = place.ty.scalar() else {
            return self.fault(
                "the address of a number",
                place.ty.shown(),
                "atomics work on int, unsigned, 64-bit integers, float and double",
            );
        };
        if size_of_scalar(scalar) < 4 {
            return self.fault("a number of 32 or 64 bits", place.ty.shown(), "atomics of 16 bits are not supported");
        }
        let mut regs = Vec::new();
        for v in std::iter::once(value).chain(args.get(2).filter(|_| op == Atomic::CompareExchange)) {
            let v = self.convert(v.clone(), &place.ty)?;
            regs.push(self.reg(&v)?);
        }
        if op == Atomic::CompareExchange && regs.len() < 2 {
            return self.fault("three arguments", "two", "atomicCAS(address, compare, value)");
        }
        if name == "Sub" {
            regs[0] = self.code.un(Un::Neg, num(scalar), regs[0]);
        }
        let (offset, promise) = match &place.at {
            crate::lower::context::Location::Memory { offset, promise, .. } => (*offset, *promise),
            crate::lower::context::Location::Regs { decl, .. } => return self.demote(*decl),
        };
        let crate::lower::context::Location::Memory { address, .. } = place.at else { return Ok(None) };
        let dst = self.code.reg(num(scalar).wide());
        let all: Vec<Reg> = std::iter::once(address).chain(regs).collect();
        let mut ins = Ins::new(Op::Atomic(op, num(scalar)), dst, &all, self.pos.line);
        (ins.imm, ins.record, ins.promise) = (offset, size_of_scalar(scalar), promise);
        self.code.push(ins);
        Ok(Some(Value::scalar(scalar, dst)))
    }

    fn warp_builtin(&mut self, name: &str, args: &[Value]) -> LowerResult<Option<Value>> {
        if name == "__activemask" {
            return Ok(Some(Value::scalar(Scalar::U32, self.code.op(Op::Vote(Vote::Active), false, &[]))));
        }
        if name == "__lane_id" || name == "__laneid" {
            return Ok(Some(Value::scalar(Scalar::U32, self.code.special(SpecialRegister::Lane))));
        }
        // The mask argument is ignored: the lanes that run take part.
        let sync = name.ends_with("_sync");
        let args = if sync { args.get(1..).unwrap_or_default() } else { args };
        let base = name.trim_end_matches("_sync");
        if let Some(kind) = base.strip_prefix("__shfl") {
            return self.shuffle(kind, args);
        }
        let vote = match base {
            "__any" => Vote::Any,
            "__all" => Vote::All,
            "__ballot" => Vote::Ballot,
            "__match_any" => Vote::Match,
            "__reduce_add" => Vote::ReduceAdd,
            "__reduce_min" => Vote::ReduceMin,
            "__reduce_max" => Vote::ReduceMax,
            "__reduce_and" => Vote::ReduceAnd,
            "__reduce_or" => Vote::ReduceOr,
            _ => return Ok(None),
        };
        let [value] = args else { return self.fault("one value", format!("{}", args.len()), "check the arguments") };
        self.vote(vote, value).map(Some)
    }

    fn vote(&mut self, vote: Vote, value: &Value) -> LowerResult<Value> {
        let truth = matches!(vote, Vote::Any | Vote::All | Vote::Ballot);
        let (scalar, reg) = if truth {
            (Scalar::I32, self.truth(value)?)
        } else {
            let (scalar, reg, _) = self.convert_to_common(value, value)?;
            (scalar, reg)
        };
        let result = match vote {
            Vote::Any | Vote::All => Scalar::I32,
            Vote::Ballot | Vote::Match => Scalar::U32,
            _ => scalar,
        };
        let dst = self.code.reg(false);
        let mut ins = Ins::new(Op::Vote(vote), dst, &[reg], self.pos.line);
        // Minimum and maximum compare signed numbers.
        ins.imm = i64::from(scalar == Scalar::I32);
        self.code.push(ins);
        Ok(Value::scalar(result, dst))
    }

    fn shuffle(&mut self, kind: &str, args: &[Value]) -> LowerResult<Option<Value>> {
        let kind = match kind {
            "" => Shuffle::Index,
            "_up" => Shuffle::Up,
            "_down" => Shuffle::Down,
            "_xor" => Shuffle::Xor,
            _ => return Ok(None),
        };
        let (Some(value), Some(lane)) = (args.first(), args.get(1)) else {
            return self.fault(
                "a value and a lane",
                format!("{n} argument{s}", n = args.len(), s = base::plural(args.len() as u64, "s")),
                "check the arguments",
            );
        };
        let lane = self.convert(lane.clone(), &Ty::INT)?;
        let lane = self.reg(&lane)?;
        let width = match args.get(2) {
            Some(width) => {
                let width = self.convert(width.clone(), &Ty::INT)?;
                self.reg(&width)?
            }
            None => self.code.int(32),
        };
        let ValueKind::Regs(regs) = &value.kind else { return self.fault("a value", "none", "") };
        let moved = regs.iter().map(|r| self.code.op(Op::Shuffle(kind), r & WIDE != 0, &[*r, lane, width])).collect();
        Ok(Some(Value::regs(value.ty.clone(), moved)))
    }

    /// Lowers `tex2D(t, x, y)` and the other fetches.
    fn texture(&mut self, path: &Path, args: &[Value]) -> LowerResult<Option<Value>> {
        let (dimensions, whole) = match &**path.last() {
            "tex1Dfetch" => (1, true),
            "tex1D" | "tex1DLod" => (1, false),
            "tex2D" | "tex2DLod" | "tex2Dgather" | "tex1DLayered" => (2, false),
            "tex3D" | "tex3DLod" | "tex2DLayered" => (3, false),
            _ => {
                return self.fault(
                    "a texture of one to three dimensions",
                    format!("`{}`", path.last()),
                    "not supported",
                )
            }
        };
        let (Some(handle), true) = (args.first(), args.len() > dimensions) else {
            return self.fault(
                format!("a texture and {dimensions} coordinate{s}", s = base::plural(dimensions as u64, "s")),
                format!("{n} argument{s}", n = args.len(), s = base::plural(args.len() as u64, "s")),
                "",
            );
        };
        let Ty::Texture(kind, element) = &handle.ty else {
            return self.fault("a texture", handle.ty.shown(), "the first argument is the texture");
        };
        let (unit, layered) = (*kind & UNIT != 0, path.last().ends_with("Layered"));
        let element = match path.args().and_then(|a| a.first()) {
            Some(TemplateArg::Type(ty)) => self.resolve_type(ty)?,
            Some(arg) => self.type_arg(arg)?,
            None => (**element).clone(),
        };
        let mut regs = vec![self.reg(handle)?];
        let wanted = if whole { Ty::INT } else { Ty::FLOAT };
        for coordinate in &args[1..=dimensions] {
            let value = self.convert(coordinate.clone(), &wanted)?;
            regs.push(self.reg(&value)?);
        }
        let element = if unit { as_floats(&element) } else { element };
        let leaves = self.leaves(&element)?;
        if leaves.is_empty() || leaves.len() > 4 || leaves.iter().any(|l| size_of_scalar(l.scalar) > 4) {
            return self.fault("a number or a vector of up to 16 bytes", element.shown(), "check the texture's type");
        }
        let mut out = Vec::new();
        for (i, leaf) in leaves.iter().enumerate() {
            let integer = leaf.scalar != Scalar::F32;
            let fetch = Fetch { dimensions: dimensions as u8, whole, channel: i as u8, integer, layered, unit };
            let dst = self.code.reg(false);
            let mut ins = Ins::new(Op::Texture(fetch), dst, &regs, self.pos.line);
            ins.record = if i == 0 { element.size() as u32 } else { SILENT };
            ins.promise = Promise { read_only: true, ..Promise::default() };
            self.code.push(ins);
            out.push(dst);
        }
        Ok(Some(Value::regs(element, out)))
    }

    fn group_function(&mut self, path: &Path, args: &[Value]) -> LowerResult<Option<Value>> {
        let group = |threads| Value::regs(Ty::Group(threads), Vec::new());
        Ok(Some(match (&**path.last(), args) {
            ("this_thread_block", []) => group(0),
            ("coalesced_threads", []) => group(32),
            ("tiled_partition", [_]) => {
                let size = match path.args().and_then(|a| a.first()) {
                    Some(TemplateArg::Value(e)) => self.constant_int(e, "the size of a tile")?,
                    _ => 32,
                };
                group(size.clamp(1, 32) as u32)
            }
            ("tiled_partition", [_, size]) => {
                let reg = self.reg(size)?;
                let size = self.code.value(reg).unwrap_or(32);
                group(size.clamp(1, 32) as u32)
            }
            ("sync", [Value { ty: Ty::Group(threads), .. }]) => self.group_method(*threads, "sync", &[])?,
            ("this_grid" | "this_multi_grid", _) => {
                return self.fault(
                    "the header of groups",
                    "a group of the whole grid",
                    "include <cooperative_groups.h>",
                );
            }
            ("this_cluster", _) => {
                return self.fault(
                    "groups of a block or of the grid",
                    "a cluster of blocks",
                    "clusters of thread blocks are not supported; use one block",
                );
            }
            ("reduce", [Value { ty: Ty::Group(_), .. }, ..]) => {
                return self.fault("shuffles and votes", "a reduction of a group", "reduce by a loop of shfl_down");
            }
            ("memcpy_async" | "wait" | "wait_prior", _) => {
                return self.fault("plain loads and stores", "an asynchronous copy", "copy with a loop and a barrier");
            }
            _ => return Ok(None),
        }))
    }

    fn linear_thread(&mut self) -> Reg {
        let axis = |l: &mut Self, make: fn(u8) -> SpecialRegister| [0, 1, 2].map(|a| l.code.special(make(a)));
        let [x, y, z] = axis(self, SpecialRegister::ThreadIdx);
        let [w, h, _] = axis(self, SpecialRegister::BlockDim);
        let row = self.code.bin(Bin::Mul, Num::U32, z, h);
        let row = self.code.bin(Bin::Add, Num::U32, row, y);
        let row = self.code.bin(Bin::Mul, Num::U32, row, w);
        self.code.bin(Bin::Add, Num::U32, row, x)
    }

    fn block_size(&mut self) -> Reg {
        let [w, h, d] = [0, 1, 2].map(|a| self.code.special(SpecialRegister::BlockDim(a)));
        let area = self.code.bin(Bin::Mul, Num::U32, w, h);
        self.code.bin(Bin::Mul, Num::U32, area, d)
    }

    /// Lowers a method of a cooperative group. `threads` is 0 for the group of the block.
    pub fn group_method(&mut self, threads: u32, name: &str, args: &[Value]) -> LowerResult<Value> {
        let tile = threads != 0;
        let threads_reg = self.code.constant(false, u64::from(threads));
        let unsigned = |reg| Value::scalar(Scalar::U32, reg);
        Ok(match (name, args) {
            ("sync", _) if !tile => {
                self.code.barrier(NONE);
                Value::nothing()
            }
            ("sync", _) => {
                self.code.push(Ins::new(Op::Nothing, NONE, &[], self.pos.line));
                Value::nothing()
            }
            ("thread_rank", _) => {
                let linear = self.linear_thread();
                unsigned(if tile { self.code.bin(Bin::Rem, Num::U32, linear, threads_reg) } else { linear })
            }
            ("meta_group_rank", _) => {
                let linear = self.linear_thread();
                unsigned(self.code.bin(Bin::Div, Num::U32, linear, threads_reg))
            }
            ("meta_group_size", _) => {
                let size = self.block_size();
                unsigned(self.code.bin(Bin::Div, Num::U32, size, threads_reg))
            }
            ("size" | "num_threads", _) => unsigned(if tile { threads_reg } else { self.block_size() }),
            ("shfl" | "shfl_up" | "shfl_down" | "shfl_xor", [value, lane]) => {
                let width = Value::scalar(Scalar::I32, threads_reg);
                let all = [value.clone(), lane.clone(), width];
                match self.shuffle(name.trim_start_matches("shfl"), &all)? {
                    Some(value) => value,
                    None => return self.fault("a shuffle", format!("`{name}`"), ""),
                }
            }
            ("any" | "all" | "ballot", [value]) => {
                let vote = match name {
                    "any" => Vote::Any,
                    "all" => Vote::All,
                    _ => Vote::Ballot,
                };
                self.vote(vote, value)?
            }
            ("thread_index" | "group_index" | "group_dim", _) => {
                let make = match name {
                    "thread_index" => SpecialRegister::ThreadIdx as fn(u8) -> SpecialRegister,
                    "group_index" => SpecialRegister::BlockIdx,
                    _ => SpecialRegister::BlockDim,
                };
                let regs = [0, 1, 2].map(|a| self.code.special(make(a))).to_vec();
                Value::regs(crate::lower::types::vector("dim3").unwrap_or(Ty::UINT), regs)
            }
            _ => return self.fault("a known method of a group", format!("`{name}`"), "not supported"),
        })
    }
}
