//! Reads, writes and converts values.

use crate::lower::context::{LValue, Location, LowerResult, Lowerer, Stop, Value, ValueKind};
use crate::lower::overload::distance;
use crate::lower::types::{common, mem, num, size_of_scalar, Leaf, StructTy, Ty, LEAVES_MAX};
use crate::syntax::ast::{Function, Restrict, Scalar};
use crate::syntax::token::{Name, Pos};
use bytecode::code::{Bin, Cmp, Mem, Num, Op, Promise, Reg, Un, SILENT};
use std::rc::Rc;

impl Value {
    pub fn regs(ty: Ty, regs: Vec<Reg>) -> Self {
        Self { ty, kind: ValueKind::Regs(regs) }
    }

    pub fn one(ty: Ty, reg: Reg) -> Self {
        Self::regs(ty, vec![reg])
    }

    pub fn scalar(scalar: Scalar, reg: Reg) -> Self {
        Self::one(Ty::Scalar(scalar), reg)
    }

    pub fn nothing() -> Self {
        Self { ty: Ty::VOID, kind: ValueKind::Nothing }
    }
}

impl LValue {
    pub fn memory(ty: Ty, address: Reg, offset: i64, promise: Promise) -> Self {
        Self { ty, at: Location::Memory { address, offset, promise } }
    }

    /// The part that begins `leaves` scalars and `bytes` bytes behind the start.
    pub fn part(&self, ty: Ty, leaves: u64, bytes: u64) -> Self {
        let at = match &self.at {
            Location::Regs { regs, first, decl } => {
                Location::Regs { regs: regs.clone(), first: first + leaves as usize, decl: *decl }
            }
            Location::Memory { address, offset, promise } => {
                Location::Memory { address: *address, offset: offset.wrapping_add(bytes as i64), promise: *promise }
            }
        };
        Self { ty, at }
    }
}

/// Bytes that the trace records for the access of this scalar. A vector is one access per chunk, which is recorded with
/// its first scalar.
fn recorded(ty: &Ty, leaf: &Leaf) -> u32 {
    let own = size_of_scalar(leaf.scalar);
    let chunk = ty.align().min(16);
    if chunk <= u64::from(own) {
        return own;
    }
    if leaf.offset % chunk == 0 {
        chunk.min(ty.size() - leaf.offset.min(ty.size())) as u32
    } else {
        SILENT
    }
}

/// The base of an object, or the object of which it is a base.
fn related(place: &LValue, ty: &Ty) -> Option<LValue> {
    if let Some(base) = crate::lower::call::base_of(place, ty) {
        return Some(base);
    }
    let start = Location::Regs { regs: Rc::default(), first: 0, decl: Pos::default() };
    let inside = crate::lower::call::base_of(&LValue { ty: ty.clone(), at: start }, &place.ty)?;
    match (&place.at, inside.at) {
        (Location::Regs { regs, first, decl }, Location::Regs { first: before, .. }) => {
            let at = Location::Regs { regs: regs.clone(), first: first.checked_sub(before)?, decl: *decl };
            Some(LValue { ty: ty.clone(), at })
        }
        _ => None,
    }
}

impl Lowerer<'_> {
    /// Moves a variable from registers to local memory. Lowering starts again with that.
    pub fn demote<T>(&mut self, decl: Pos) -> LowerResult<T> {
        if decl == Pos::default() || !self.demoted.insert(decl) {
            return self.fault("a variable with an address", "a temporary value", "store it in a variable first");
        }
        Err(Stop::Restart)
    }

    pub fn float(&mut self, value: f32) -> Reg {
        self.code.constant(false, u64::from(value.to_bits()))
    }

    /// Reads a place. An array becomes a pointer to its first element.
    pub fn load(&mut self, place: &LValue) -> LowerResult<Value> {
        if let Ty::Lambda(lambda) = &place.ty {
            return Ok(lambda.clone().value());
        }
        if let Ty::Array(element, _) = &place.ty {
            let ty = Ty::pointer((**element).clone());
            return match &place.at {
                Location::Regs { .. } => {
                    Ok(Value { ty, kind: ValueKind::Pointer(place.part((**element).clone(), 0, 0)) })
                }
                Location::Memory { .. } => {
                    let address = self.address(place)?;
                    Ok(Value::one(ty, address))
                }
            };
        }
        if let Ty::Bits(scalar, first, bits) = place.ty {
            return self.load_bits(place, scalar, first, bits);
        }
        let leaves = self.leaves(&place.ty)?;
        let regs = match &place.at {
            Location::Regs { regs, first, .. } => match regs.get(*first..*first + leaves.len()) {
                Some(regs) => regs.to_vec(),
                None => return self.fault("a value", "something that has none", "check this expression"),
            },
            Location::Memory { address, offset, promise } => leaves
                .iter()
                .map(|leaf| {
                    let record = recorded(&place.ty, leaf);
                    self.code.load(mem(leaf.scalar), *address, offset + leaf.offset as i64, record, *promise)
                })
                .collect(),
        };
        Ok(Value::regs(place.ty.clone(), regs))
    }

    /// Reads a member of some bits.
    fn load_bits(&mut self, place: &LValue, scalar: Scalar, first: u8, bits: u8) -> LowerResult<Value> {
        let unit = LValue { ty: Ty::Scalar(scalar), at: place.at.clone() };
        let unit = self.load(&unit)?;
        let reg = self.reg(&unit)?;
        let wide = num(scalar).wide();
        let signed = matches!(scalar, Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64);
        let n = match (wide, signed) {
            (false, true) => Num::I32,
            (false, false) => Num::U32,
            (true, true) => Num::I64,
            (true, false) => Num::U64,
        };
        let width = if wide { 64 } else { 32 };
        let up = self.code.constant(wide, width - u64::from(first + bits));
        let down = self.code.constant(wide, width - u64::from(bits));
        let reg = self.code.bin(Bin::Shl, n, reg, up);
        Ok(Value::scalar(scalar, self.code.bin(Bin::Shr, n, reg, down)))
    }

    /// A unit of bits in which a member has a new value.
    pub fn mix_bits(&mut self, unit: &Value, value: &Value, member: (Scalar, u8, u8)) -> LowerResult<Value> {
        let (scalar, first, bits) = member;
        let wide = num(scalar).wide();
        let n = if wide { Num::U64 } else { Num::U32 };
        let mask = if bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
        let (unit, value) = (self.reg(unit)?, self.convert(value.clone(), &Ty::Scalar(scalar))?);
        let value = self.reg(&value)?;
        let (keep, mask) = (self.code.constant(wide, !(mask << first)), self.code.constant(wide, mask));
        let by = self.code.constant(wide, u64::from(first));
        let value = self.code.bin(Bin::And, n, value, mask);
        let value = self.code.bin(Bin::Shl, n, value, by);
        let unit = self.code.bin(Bin::And, n, unit, keep);
        Ok(Value::scalar(scalar, self.code.bin(Bin::Or, n, unit, value)))
    }

    pub fn leaves(&mut self, ty: &Ty) -> LowerResult<Vec<Leaf>> {
        if ty.leaf_count() > LEAVES_MAX {
            return self.fault(
                "a value of bounded size",
                format!("a value of {} bytes", ty.size()),
                "copy it element by element",
            );
        }
        Ok(ty.leaves())
    }

    /// Writes a value of the place's type.
    pub fn store(&mut self, place: &LValue, value: &Value) -> LowerResult<()> {
        if let Ty::Bits(scalar, first, bits) = place.ty {
            let unit = LValue { ty: Ty::Scalar(scalar), at: place.at.clone() };
            let old = self.load(&unit)?;
            let mixed = self.mix_bits(&old, value, (scalar, first, bits))?;
            return self.store(&unit, &mixed);
        }
        let value = self.convert(value.clone(), &place.ty)?;
        let leaves = self.leaves(&place.ty)?;
        let ValueKind::Regs(from) = &value.kind else {
            return match (&value.kind, &place.at) {
                (ValueKind::Pointer(target), _) => match target.at {
                    Location::Regs { decl, .. } => self.demote(decl),
                    Location::Memory { .. } => Ok(()),
                },
                (ValueKind::Nothing | ValueKind::Lambda(_), _) if leaves.is_empty() => Ok(()),
                _ => self.fault(format!("a value of type {}", place.ty.shown()), "something else", "check the types"),
            };
        };
        match &place.at {
            Location::Regs { regs, first, decl } => {
                let targets = &regs[*first..*first + leaves.len()];
                if targets.iter().any(|r| !self.code.is_variable(*r)) {
                    self.varying.insert(*decl);
                    return Err(Stop::Restart);
                }
                // `v = make(v.y, v.x)` must read all parts before it writes the first.
                let overlaps = targets.len() > 1 && from.iter().any(|f| targets.contains(f));
                let from: Vec<Reg> = if overlaps { from.iter().map(|r| self.copy(*r)).collect() } else { from.clone() };
                self.code.assign_all(targets, &from);
            }
            Location::Memory { address, offset, promise } => {
                for (leaf, source) in leaves.iter().zip(from) {
                    let record = recorded(&place.ty, leaf);
                    self.code.store(mem(leaf.scalar), *address, offset + leaf.offset as i64, *source, record, *promise);
                }
            }
        }
        Ok(())
    }

    /// Copies a value to a new register.
    pub fn copy(&mut self, reg: Reg) -> Reg {
        let wide = reg & bytecode::code::WIDE != 0;
        self.code.op(Op::Mov, wide, &[reg])
    }

    /// A register with the address of a place in memory.
    pub fn address(&mut self, place: &LValue) -> LowerResult<Reg> {
        match &place.at {
            Location::Memory { address, offset: 0, .. } => Ok(*address),
            Location::Memory { address, offset, .. } => {
                let offset = self.code.constant(true, *offset as u64);
                Ok(self.code.bin(bytecode::code::Bin::Add, Num::U64, *address, offset))
            }
            Location::Regs { decl, .. } => self.demote(*decl),
        }
    }

    /// A pointer to a place.
    pub fn pointer_to(&mut self, place: LValue) -> LowerResult<Value> {
        let (ty, restrict) = (place.ty.clone(), Restrict::No);
        let volatile = matches!(&place.at, Location::Memory { promise, .. } if promise.volatile);
        let pointer = Ty::Pointer(Rc::new(crate::lower::types::Pointee { ty, restrict, constant: false, volatile }));
        Ok(match &place.at {
            Location::Memory { .. } => Value::one(pointer, self.address(&place)?),
            Location::Regs { .. } => Value { ty: pointer, kind: ValueKind::Pointer(place) },
        })
    }

    /// The single register of a scalar or pointer.
    pub fn reg(&mut self, value: &Value) -> LowerResult<Reg> {
        match &value.kind {
            ValueKind::Regs(regs) if regs.len() == 1 => Ok(regs[0]),
            ValueKind::Pointer(LValue { at: Location::Regs { decl, .. }, .. }) => self.demote(*decl),
            ValueKind::Text(_) => {
                let pointer = self.text_pointer(value)?;
                self.reg(&pointer)
            }
            _ => {
                let found = format!("a value of type {}", value.ty.shown());
                self.fault("a number or a pointer", found, "name the member that is meant")
            }
        }
    }

    /// Converts a value to a type.
    pub fn convert(&mut self, value: Value, to: &Ty) -> LowerResult<Value> {
        if let (ValueKind::Text(_), Ty::Pointer(_)) = (&value.kind, to) {
            let pointer = self.text_pointer(&value)?;
            return Ok(Value { ty: to.clone(), ..pointer });
        }
        if let (ValueKind::Lambda(lambda), Ty::Pointer(_) | Ty::Scalar(Scalar::Bool)) = (&value.kind, to) {
            let pointer = self.function_pointer(&lambda.function.clone())?;
            return Ok(Value { ty: to.clone(), ..pointer });
        }
        if value.ty.same(to) {
            return Ok(Value { ty: to.clone(), kind: value.kind });
        }
        if let Ty::Bits(scalar, ..) = to {
            return self.convert(value, &Ty::Scalar(*scalar));
        }
        match (&value.ty, to) {
            (_, Ty::Scalar(Scalar::Void)) => Ok(Value::nothing()),
            (Ty::Scalar(from), Ty::Scalar(target)) => {
                let reg = self.reg(&value)?;
                let reg = self.convert_scalar(reg, *from, *target);
                Ok(Value::scalar(*target, reg))
            }
            (Ty::Pointer(_), Ty::Pointer(target)) => match &value.kind {
                ValueKind::Pointer(place) if related(place, &target.ty).is_some() => {
                    let place = related(place, &target.ty).unwrap_or_else(|| place.clone());
                    Ok(Value { ty: to.clone(), kind: ValueKind::Pointer(place) })
                }
                ValueKind::Pointer(place) if !place.ty.same(&target.ty) && !target.ty.is_void() => match place.at {
                    Location::Regs { decl, .. } => self.demote(decl),
                    Location::Memory { .. } => self.fault("a pointer", "a reference", "check the types"),
                },
                _ => Ok(Value { ty: to.clone(), kind: value.kind }),
            },
            (Ty::Pointer(_) | Ty::Texture(..), Ty::Scalar(target)) => {
                let reg = self.reg(&value)?;
                let reg = self.convert_scalar(reg, Scalar::U64, *target);
                Ok(Value::scalar(*target, reg))
            }
            (Ty::Scalar(from), Ty::Pointer(_) | Ty::Texture(..)) => {
                let reg = self.reg(&value)?;
                let reg = self.convert_scalar(reg, *from, Scalar::U64);
                Ok(Value::one(to.clone(), reg))
            }
            (Ty::Texture(..), Ty::Texture(..)) | (Ty::Group(_), Ty::Group(_)) => {
                Ok(Value { ty: to.clone(), kind: value.kind })
            }
            (Ty::Struct(from), Ty::Struct(_)) if from.bases > 0 => {
                let at = Location::Regs { regs: Rc::default(), first: 0, decl: Pos::default() };
                let base = crate::lower::call::base_of(&LValue { ty: Ty::Struct(from.clone()), at }, to);
                match (base.map(|b| b.at), &value.kind) {
                    (Some(Location::Regs { first, .. }), ValueKind::Regs(regs)) => {
                        let count = to.leaf_count() as usize;
                        Ok(Value::regs(to.clone(), regs[first..first + count].to_vec()))
                    }
                    _ => self.no_conversion(&value.ty, to),
                }
            }
            (Ty::Struct(from), Ty::Struct(to_dim)) if from.vector && from.key == "uint3" && to_dim.key == "dim3" => {
                Ok(Value { ty: to.clone(), kind: value.kind })
            }
            (Ty::Struct(from), _) if !self.methods(from, &Name::from("operator cast")).is_empty() => {
                if let Some(cast) = self.cast_by_operator(&from.clone(), &value, to)? {
                    return Ok(cast);
                }
                let made = match to {
                    Ty::Struct(target) => self.try_construct(&target.clone(), vec![value.clone()])?,
                    _ => None,
                };
                made.map_or_else(|| self.no_conversion(&value.ty, to), Ok)
            }
            (_, Ty::Struct(target)) => {
                let target = target.clone();
                if let Some(made) = self.try_construct(&target, vec![value.clone()])? {
                    return Ok(made);
                }
                self.no_conversion(&value.ty, to)
            }
            _ => self.no_conversion(&value.ty, to),
        }
    }

    /// A pointer to the characters of a text, which are constant memory of the file.
    pub fn text_pointer(&mut self, value: &Value) -> LowerResult<Value> {
        let ValueKind::Text(text) = &value.kind else { return Ok(value.clone()) };
        let path = crate::syntax::ast::Path::simple(Name::from(format!("\"{text}\"").as_str()));
        match self.lvalue_of_name(&path)? {
            Some(place) => self.load(&place),
            None => self.fault("a number or a pointer", "a text", "put the text in an array"),
        }
    }

    /// Converts a struct by that `operator T()` whose result is closest to the type.
    fn cast_by_operator(&mut self, from: &Rc<StructTy>, value: &Value, to: &Ty) -> LowerResult<Option<Value>> {
        let Some((_, f)) = self.closest_cast(from, to)? else { return Ok(None) };
        let object = self.temporary(value.clone())?;
        let result = match self.inline(&f, &from.bindings.clone(), &[], Some(object))? {
            crate::lower::call::Called::Value(value) => value,
            crate::lower::call::Called::LValue(place) => self.load(&place)?,
        };
        self.convert(result, to).map(Some)
    }

    /// The `operator T()` of a struct whose result is closest to a type, and how far it is.
    pub fn closest_cast(&mut self, from: &Rc<StructTy>, to: &Ty) -> LowerResult<Option<(u32, Rc<Function>)>> {
        let mut closest: Option<(u32, Rc<Function>)> = None;
        for f in self.methods(from, &Name::from("operator cast")) {
            let ty = self.in_bindings(&from.bindings.clone(), |l| l.resolve_type(&f.returns))?;
            let fits = ty.same(to) || ty.is_arithmetic() && to.is_arithmetic();
            let far = distance(&ty, to).filter(|_| fits);
            if far.is_some_and(|far| closest.as_ref().is_none_or(|(least, _)| far < *least)) {
                closest = far.map(|far| (far, f));
            }
        }
        Ok(closest)
    }

    /// The number or pointer that a class makes of its object by an `operator T()`. Other values stay.
    pub fn converted_by_class(&mut self, value: &Value) -> LowerResult<Value> {
        let Ty::Struct(s) = value.ty.clone() else { return Ok(value.clone()) };
        for f in self.methods(&s, &Name::from("operator cast")) {
            let to = self.in_bindings(&s.bindings.clone(), |l| l.resolve_type(&f.returns))?;
            if to.is_arithmetic() || matches!(to, Ty::Pointer(_)) {
                return Ok(self.cast_by_operator(&s, value, &to)?.unwrap_or_else(|| value.clone()));
            }
        }
        Ok(value.clone())
    }

    fn no_conversion<T>(&self, from: &Ty, to: &Ty) -> LowerResult<T> {
        self.fault(format!("a value of type {}", to.shown()), format!("one of type {}", from.shown()), "convert it")
    }

    pub fn convert_scalar(&mut self, reg: Reg, from: Scalar, to: Scalar) -> Reg {
        if from == to {
            return reg;
        }
        if to == Scalar::Bool {
            let zero = self.code.constant(num(from).wide(), 0);
            return self.code.cmp(Cmp::NotEqual, num(from), reg, zero);
        }
        let reg = self.code.convert(num(from), num(to), reg);
        let small = mem(to);
        let fits = size_of_scalar(from) < size_of_scalar(to)
            && (matches!(from, Scalar::Bool | Scalar::U8 | Scalar::U16) || !matches!(small, Mem::U8 | Mem::U16));
        if matches!(small, Mem::B32 | Mem::B64) || fits || from == Scalar::Bool {
            return reg;
        }
        self.code.un(Un::Narrow(small), Num::I32, reg)
    }

    /// Converts two numbers to their common type.
    pub fn convert_to_common(&mut self, a: &Value, b: &Value) -> LowerResult<(Scalar, Reg, Reg)> {
        let scalar_of = |v: &Value| match &v.ty {
            Ty::Scalar(s) if *s != Scalar::Void => Some(*s),
            Ty::Pointer(_) | Ty::Texture(..) => Some(Scalar::U64),
            _ => None,
        };
        let (Some(x), Some(y)) = (scalar_of(a), scalar_of(b)) else {
            let found = format!("{} and {}", a.ty.shown(), b.ty.shown());
            return self.fault("two numbers", found, "these types have no such operator; declare one, or name members");
        };
        let target = common(x, y);
        let (ra, rb) = (self.reg(a)?, self.reg(b)?);
        Ok((target, self.convert_scalar(ra, x, target), self.convert_scalar(rb, y, target)))
    }

    /// A register that is 1 if a number or pointer is not zero, otherwise 0.
    pub fn truth(&mut self, value: &Value) -> LowerResult<Reg> {
        if matches!(value.kind, ValueKind::Pointer(_)) {
            return Ok(self.code.int(1));
        }
        let value = self.convert(value.clone(), &Ty::BOOL)?;
        self.reg(&value)
    }
}
