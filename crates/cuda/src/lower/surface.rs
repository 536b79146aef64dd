//! Reads and writes of surfaces: `surf2Dread`, `surf2Dwrite` and their kin for one to three dimensions and for layers.
//!
//! A surface has the rows of its array one after the other. An access is a load or a store at the address of the element.

use crate::lower::context::{LValue, LowerResult, Lowerer, Value};
use crate::lower::types::{vector, Ty};
use crate::syntax::ast::{Path, Scalar, TemplateArg};
use bytecode::code::{Bin, Ins, Num, Op, Promise};

/// Marks the dimensions of a texture whose integers are read as floats.
pub(crate) const UNIT: u8 = 0x80;

/// The vector of floats with as many members as a number or vector.
pub(crate) fn as_floats(ty: &Ty) -> Ty {
    match ty {
        Ty::Struct(s) => vector(&format!("float{}", s.fields.len())).unwrap_or(Ty::FLOAT),
        _ => Ty::FLOAT,
    }
}

impl Lowerer<'_> {
    pub fn surface(&mut self, path: &Path, args: &[Value]) -> LowerResult<Option<Value>> {
        let name: &str = path.last();
        let writes = name.ends_with("write");
        let dimensions = match name.trim_end_matches("read").trim_end_matches("write") {
            "surf1D" => 1,
            "surf2D" | "surf1DLayered" => 2,
            "surf3D" | "surf2DLayered" | "surfCubemap" => 3,
            _ => return self.fault("a surface of one to three dimensions", format!("`{name}`"), "not supported"),
        };
        let Some(at) = args.iter().position(|v| matches!(v.ty, Ty::Texture(..))) else {
            let found = args.first().map_or("nothing".into(), |v| v.ty.shown());
            return self.fault("a surface", found, "give a `cudaSurfaceObject_t` or a surface of the file");
        };
        let coordinates = &args[at + 1..];
        if coordinates.len() < dimensions {
            let found = format!("{}", coordinates.len());
            return self.fault(
                format!("{dimensions} coordinate{s}", s = base::plural(dimensions as u64, "s")),
                found,
                "x counts bytes, y and z count rows",
            );
        }
        let element = match (path.args().and_then(|a| a.first()), args.first()) {
            (Some(TemplateArg::Type(ty)), _) => self.resolve_type(ty)?,
            (Some(arg), _) => self.type_arg(arg)?,
            (None, Some(Value { ty: Ty::Pointer(to), .. })) if at == 1 && !writes => to.ty.clone(),
            (None, Some(value)) if at == 1 => value.ty.read(),
            _ => return self.fault("the type of the element", "none", "write for example `surf2Dread<float>(…)`"),
        };
        let mut regs = vec![self.reg(&args[at])?];
        for v in &coordinates[..dimensions] {
            let v = self.convert(v.clone(), &Ty::INT)?;
            regs.push(self.reg(&v)?);
        }
        let mut row = regs.get(2).copied().unwrap_or_else(|| self.code.int(0));
        if let Some(layer) = regs.get(3) {
            let (sixteen, low) = (self.code.int(16), self.code.int(0xffff));
            let layer = self.code.bin(Bin::Shl, Num::U32, *layer, sixteen);
            row = self.code.bin(Bin::And, Num::U32, row, low);
            row = self.code.bin(Bin::Or, Num::U32, row, layer);
        }
        // The modes are zero, clamp and trap. The first two make no access outside.
        let mode = match coordinates.get(dimensions) {
            Some(mode) => {
                let mode = self.reg(mode)?;
                self.code.value(mode).unwrap_or(2)
            }
            None => 2,
        };
        let dst = self.code.reg(true);
        let mut ins = Ins::new(Op::Surface, dst, &[regs[0], regs[1], row], self.pos.line);
        ins.imm = if mode < 2 { element.size() as i64 } else { 0 };
        self.code.push(ins);
        let place = LValue::memory(element.clone(), dst, 0, Promise::default());
        if writes {
            let value = self.convert(args[0].clone(), &element)?;
            self.store(&place, &value)?;
            return Ok(Some(Value::nothing()));
        }
        let value = self.load(&place)?;
        if at == 1 {
            self.store_through(&args[0], &value)?;
            return Ok(Some(Value::scalar(Scalar::I32, self.code.int(0))));
        }
        Ok(Some(value))
    }
}
