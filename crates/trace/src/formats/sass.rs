//! The memory space, the kind of access and the width of SASS opcodes.
//!
//! In: an opcode as NVBit prints it (`LDG.E.64.SYS`). Out: a [`MemoryOp`]. Source: the instruction set reference of the
//! CUDA binary utilities. The rule for the width is that of the Accel-Sim traces. The first token that is a number, or
//! `U`, `S` or `F` and a number, is the width in bits. Without such a token the width is 4 bytes. `LDSM` and `STSM`
//! move rows of 16 bytes and ignore the rule.
//!
//! Not modelled: bulk copies by the tensor memory accelerator (they bypass the lanes), cache control, tensor memory.

use crate::{InstructionMix, Kind, Space};

/// The memory access of an opcode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MemoryOp {
    /// Each lane has an address in `space`. `None` means a generic address, which itself tells the space.
    Lanes { space: Option<Space>, kind: Kind, bytes: u16 },
    /// A bulk copy of the tensor memory accelerator.
    Bulk,
    /// An instruction such as cache control, which has an address and moves no data.
    Control,
    /// Any other opcode. It accesses no memory as far as is known.
    Other,
}

/// Bulk copies (Hopper and later).
const BULK: [&[u8]; 7] = [b"UTMALDG", b"UTMASTG", b"UTMAPF", b"UTMAREDG", b"UBLKCP", b"UBLKPF", b"UBLKRED"];

/// The memory access of `opcode`.
pub(crate) fn decode(opcode: &[u8]) -> MemoryOp {
    use Kind::{Atomic, Load, Store};
    use Space::{Constant, Global, Local, Shared, Texture};
    let mut tokens = opcode.split(|&b| b == b'.');
    let (space, kind) = match tokens.next().unwrap_or_default() {
        b"LDG" | b"LDGSTS" => (Some(Global), Load),
        b"STG" => (Some(Global), Store),
        b"ATOMG" | b"RED" | b"REDG" => (Some(Global), Atomic),
        b"LD" => (None, Load),
        b"ST" => (None, Store),
        b"ATOM" => (None, Atomic),
        b"LDSM" => return MemoryOp::Lanes { space: Some(Shared), kind: Load, bytes: 16 },
        b"STSM" => return MemoryOp::Lanes { space: Some(Shared), kind: Store, bytes: 16 },
        b"LDS" => (Some(Shared), Load),
        b"STS" => (Some(Shared), Store),
        b"ATOMS" | b"REDS" => (Some(Shared), Atomic),
        b"LDL" => (Some(Local), Load),
        b"STL" => (Some(Local), Store),
        b"LDC" | b"ULDC" | b"LDCU" => (Some(Constant), Load),
        b"TEX" | b"TEXS" | b"TLD" | b"TLDS" | b"TLD4" | b"TLD4S" | b"TXD" | b"SULD" => (Some(Texture), Load),
        b"SUST" => (Some(Texture), Store),
        b"SUATOM" | b"SURED" => (Some(Texture), Atomic),
        b"CCTL" | b"CCTLL" | b"CCTLT" | b"PREFETCH" | b"QSPC" => return MemoryOp::Control,
        name if BULK.contains(&name) => return MemoryOp::Bulk,
        _ => return MemoryOp::Other,
    };
    MemoryOp::Lanes { space, kind, bytes: tokens.find_map(width_bytes).unwrap_or(4) }
}

/// Counts an instruction without memory access for the unit that runs it. The first letters of an opcode tell.
pub(crate) fn count_unit(mix: &mut InstructionMix, opcode: &[u8]) {
    let name = opcode.split(|&b| b == b'.').next().unwrap_or_default();
    let unit = match name {
        // A file that this project wrote has these in place of instructions that it does not know.
        b"NOP" => return,
        b"MUFU" | b"RRO" => &mut mix.special,
        // The units of doubles convert from and to them (CUDA C Programming Guide, throughput of type conversions).
        b"F2I" | b"I2F" | b"F2F" | b"FRND" if opcode.windows(3).any(|part| part == b"F64") => &mut mix.fp64,
        b"F2I" | b"I2F" | b"F2F" | b"FRND" => &mut mix.special,
        b"BRA" | b"BRX" | b"EXIT" | b"RET" | b"CALL" | b"BSSY" | b"BSYNC" | b"WARPSYNC" | b"BAR" | b"SHFL"
        | b"VOTE" | b"MEMBAR" | b"DEPBAR" | b"S2R" | b"CS2R" | b"SSY" | b"SYNC" | b"YIELD" | b"NANOSLEEP" => {
            &mut mix.other
        }
        b"FLO" => &mut mix.integer,
        name if name.starts_with(b"D") && !name.starts_with(b"DP") => &mut mix.fp64,
        name if name.starts_with(b"F") || name.starts_with(b"H") => &mut mix.fp32,
        _ => &mut mix.integer,
    };
    *unit += 1;
}

/// Whether an opcode makes the warp wait for the other warps of its block. `BAR.ARV` only arrives.
pub(crate) fn is_block_barrier(opcode: &[u8]) -> bool {
    opcode.starts_with(b"BAR.SYNC") || opcode.starts_with(b"BAR.RED") || opcode == b"BAR"
}

fn width_bytes(token: &[u8]) -> Option<u16> {
    let digits = match token {
        [b'U' | b'S' | b'F', digits @ ..] => digits,
        digits => digits,
    };
    let bits = crate::formats::text::decimal(digits)?;
    let bytes = u16::try_from(bits / 8).ok()?;
    (bits % 8 == 0 && bytes > 0).then_some(bytes)
}

/// An opcode for an access of `bytes` per lane, for traces whose format has none. [`decode`] gives its arguments back.
pub fn sass_opcode(space: Space, kind: Kind, bytes: u16) -> String {
    let name = match (space, kind) {
        (Space::Global, Kind::Load) => "LDG.E",
        (Space::Global, Kind::Store) => "STG.E",
        (Space::Global, Kind::Atomic) => "ATOMG.E",
        (Space::Shared, Kind::Load) => "LDS",
        (Space::Shared, Kind::Store) => "STS",
        (Space::Shared, Kind::Atomic) => "ATOMS",
        (Space::Local, Kind::Load) => "LDL",
        (Space::Local, _) => "STL",
        (Space::Constant, _) => "LDC",
        (Space::Texture, Kind::Load) => "TEX",
        (Space::Texture, Kind::Store) => "SUST",
        (Space::Texture, Kind::Atomic) => "SUATOM",
    };
    match bytes {
        1 => format!("{name}.U8"),
        2 => format!("{name}.U16"),
        4 => name.into(),
        _ => format!("{name}.{}", u32::from(bytes) * 8),
    }
}

/// True for tensor-core instructions whose lines have one more field before the width.
#[inline]
pub(crate) fn is_gmma(opcode: &[u8]) -> bool {
    opcode.get(1..5) == Some(b"GMMA")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opcodes() {
        use Kind::{Atomic, Load, Store};
        let lanes = |space, kind, bytes| MemoryOp::Lanes { space, kind, bytes };
        let cases = [
            ("LDG.E", lanes(Some(Space::Global), Load, 4)),
            ("LDG.E.U8", lanes(Some(Space::Global), Load, 1)),
            ("LDG.E.S16.CONSTANT", lanes(Some(Space::Global), Load, 2)),
            ("LDG.E.128.SYS", lanes(Some(Space::Global), Load, 16)),
            ("LDGSTS.E.BYPASS.LTC128B.128", lanes(Some(Space::Global), Load, 16)),
            ("STG.E.CG", lanes(Some(Space::Global), Store, 4)),
            ("RED.E.ADD.F64.RN.STRONG.GPU", lanes(Some(Space::Global), Atomic, 8)),
            ("ATOMG.E.ADD.F16x2.RN", lanes(Some(Space::Global), Atomic, 4)),
            ("LDSM.16.M88.4", lanes(Some(Space::Shared), Load, 16)),
            ("LDS.U.32", lanes(Some(Space::Shared), Load, 4)),
            ("ST.E.64", lanes(None, Store, 8)),
            ("ULDC.64", lanes(Some(Space::Constant), Load, 8)),
            ("UTMALDG.2D", MemoryOp::Bulk),
            ("CCTL.IVALL", MemoryOp::Control),
            ("IMAD.MOV.U32", MemoryOp::Other),
            ("REDUX.SUM", MemoryOp::Other),
            ("", MemoryOp::Other),
        ];
        for (opcode, op) in cases {
            assert_eq!(decode(opcode.as_bytes()), op, "{opcode}");
        }
        assert!(is_gmma(b"HGMMA.64x256x16.F32") && !is_gmma(b"HMMA") && !is_gmma(b""));
    }

    #[test]
    fn made_up_opcodes_decode_to_what_they_were_made_of() {
        for bytes in [1, 3, 4, 16, 65535] {
            let opcode = sass_opcode(Space::Global, Kind::Atomic, bytes);
            let op = MemoryOp::Lanes { space: Some(Space::Global), kind: Kind::Atomic, bytes };
            assert_eq!(decode(opcode.as_bytes()), op);
        }
    }
}
