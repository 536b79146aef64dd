//! Parses one instruction line of an Accel-Sim trace.
//!
//! ```text
//! line := [ids] [lineno] PC mask nd reg* opcode ns reg* [gmma] width [addresses] tail
//! addresses := 0 hex × lanes | 1 hex stride | 2 hex delta × (lanes − 1)
//! ```
//!
//! In: the fields of a line, and the number of fields before the program counter. Out: an [`InstructionHead`] and lane
//! addresses. The tail (immediates, register values) is not read. Each delta is from one active lane to the next.

use crate::formats::sass;
use crate::formats::text::{decimal, hexadecimal, signed, Fields, Flaw};

/// The part of a line before its addresses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InstructionHead<'a> {
    /// Block x, y, z and warp. Zeros if the caller does not need them.
    pub ids: [u32; 4],
    pub source_line: Option<u32>,
    pub pc: u64,
    pub mask: u32,
    pub opcode: &'a [u8],
    /// Registers that it writes.
    pub written: Registers,
    /// Registers that it reads.
    pub sources: Registers,
    /// Bytes per lane, or 0 if the instruction has no address.
    pub width: u64,
}

/// General registers of an instruction, without the zero register. A line lists the first one of each operand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Registers {
    numbers: [u8; 8],
    count: u8,
}

impl Registers {
    /// Their numbers.
    #[inline]
    pub fn list(&self) -> &[u8] {
        &self.numbers[..usize::from(self.count)]
    }

    /// Adds a register as the line writes it. Others than `R0` to `R254` are left out, and so are more than eight.
    #[inline]
    fn add(&mut self, field: &[u8]) {
        let [b'R', digits @ ..] = field else { return };
        let number = decimal(digits).and_then(|number| u8::try_from(number).ok()).filter(|&number| number < ZERO);
        if let Some((slot, number)) = self.numbers.get_mut(usize::from(self.count)).zip(number) {
            *slot = number;
            self.count += 1;
        }
    }
}

/// The register that is always zero.
const ZERO: u8 = 255;
/// Longest opcode that is kept. Real ones have up to about 40 characters.
const OPCODE_LIMIT: usize = 64;
/// Most registers that an instruction lists. A larger number means that the fields are shifted.
const REGISTER_LIMIT: u64 = 64;

const HELP: &str = "the line was skipped; trace the kernel again if many lines are bad";

fn flaw<'a>(expected: &'static str, found: &'a [u8]) -> Flaw<'a> {
    Flaw { expected, found, help: HELP }
}

/// The number of fields before the program counter, or `None` if the line has no mask.
///
/// Only a mask has exactly eight hexadecimal digits and is followed by a short number.
pub(crate) fn count_leading_fields(mut fields: Fields) -> Option<usize> {
    let mut previous = fields.next_field();
    for leading in 0..8 {
        let field = fields.next_field();
        if is_mask(field) && hexadecimal(previous).is_some() {
            let count = fields.next_field();
            return (count.len() <= 2 && decimal(count).is_some()).then_some(leading);
        }
        previous = field;
    }
    None
}

#[inline]
fn is_mask(field: &[u8]) -> bool {
    field.len() == 8 && hexadecimal(field).is_some()
}

/// Reads a line up to the width. If the number of leading fields is odd, the last one is the source line.
#[inline]
pub(crate) fn read_head<'a>(
    fields: &mut Fields<'a>,
    leading: usize,
    want_ids: bool,
) -> Result<InstructionHead<'a>, Flaw<'a>> {
    let mut ids = [0; 4];
    let mut source_line = None;
    for at in 0..leading {
        let field = fields.next_field();
        if let Some(slot) = ids.get_mut(at).filter(|_| want_ids) {
            *slot = parse_id(field)?;
        }
        if at + 1 == leading && leading % 2 == 1 {
            source_line = Some(parse_id(field)?).filter(|&line| line > 0);
        }
    }
    let field = fields.next_field();
    let pc = hexadecimal(field).ok_or_else(|| flaw("a program counter in hexadecimal", field))?;
    let field = fields.next_field();
    let mask = hexadecimal(field).filter(|_| field.len() == 8);
    let mask = mask.ok_or_else(|| flaw("an active mask of 8 hexadecimal digits", field))? as u32;
    let written = read_registers(fields, "the number of destination registers")?;
    let opcode = fields.next_field();
    if !opcode.first().is_some_and(u8::is_ascii_uppercase) || opcode.len() > OPCODE_LIMIT {
        return Err(flaw("an opcode", opcode));
    }
    let sources = read_registers(fields, "the number of source registers")?;
    let mut width = 0;
    if !sass::is_gmma(opcode) {
        let field = fields.next_field();
        width = decimal(field).ok_or_else(|| flaw("a memory width (0 for none)", field))?;
    }
    Ok(InstructionHead { ids, source_line, pc, mask, opcode, written, sources, width })
}

fn parse_id(field: &[u8]) -> Result<u32, Flaw<'_>> {
    let value = decimal(field).and_then(|n| u32::try_from(n).ok());
    value.ok_or_else(|| flaw("block, warp and line numbers before the program counter", field))
}

#[inline]
fn read_registers<'a>(fields: &mut Fields<'a>, expected: &'static str) -> Result<Registers, Flaw<'a>> {
    let field = fields.next_field();
    let count = decimal(field).filter(|&n| n <= REGISTER_LIMIT).ok_or_else(|| flaw(expected, field))?;
    let mut registers = Registers::default();
    for _ in 0..count {
        let register = fields.next_field();
        if !register.first().is_some_and(u8::is_ascii_uppercase) {
            return Err(flaw("a register", register));
        }
        registers.add(register);
    }
    Ok(registers)
}

/// The addresses of the active lanes, as the line gives them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LaneAddresses {
    /// Base and stride.
    Affine(u64, i32),
    /// The caller's buffer has one address per active lane.
    List,
}

/// Reads the addresses of `lanes` active lanes. A list is written to `out`.
#[inline]
pub(crate) fn read_addresses<'a>(
    fields: &mut Fields<'a>,
    lanes: usize,
    out: &mut [u64; 32],
) -> Result<LaneAddresses, Flaw<'a>> {
    let mode = fields.next_field();
    let address = |fields: &mut Fields<'a>| {
        let field = fields.next_field();
        hexadecimal(field).ok_or_else(|| flaw("an address in hexadecimal for every active lane", field))
    };
    let step = |fields: &mut Fields<'a>| {
        let field = fields.next_field();
        signed(field).ok_or_else(|| flaw("a step in decimal for every active lane after the first", field))
    };
    let lanes = lanes.min(out.len());
    match mode {
        b"0" => {
            for slot in &mut out[..lanes] {
                *slot = address(fields)?;
            }
        }
        b"1" => {
            let (base, stride) = (address(fields)?, step(fields)?);
            if let Ok(stride) = i32::try_from(stride) {
                return Ok(LaneAddresses::Affine(base, stride));
            }
            for (i, slot) in out[..lanes].iter_mut().enumerate() {
                *slot = base.wrapping_add((stride as u64).wrapping_mul(i as u64));
            }
        }
        b"2" => {
            let mut at = address(fields)?;
            for (i, slot) in out[..lanes].iter_mut().enumerate() {
                if i > 0 {
                    at = at.wrapping_add(step(fields)? as u64);
                }
                *slot = at;
            }
        }
        _ => return Err(flaw("address mode 0 (list), 1 (stride) or 2 (deltas)", mode)),
    }
    Ok(LaneAddresses::List)
}
