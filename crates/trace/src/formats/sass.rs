//! SASS opcodes: which memory space, which kind of access, how many bytes per lane.
//!
//! In: an opcode as NVBit prints it (`LDG.E.64.SYS`). Out: an [`Op`]. Source: the instruction set reference of the CUDA
//! binary utilities; the width rule is that of the Accel-Sim traces: the first token that is a number, or a `U`, `S` or
//! `F` before a number, in bits; without one, 4 bytes. `LDSM` and `STSM` move rows of 16 bytes whatever their tokens say.
//!
//! Not modelled: bulk copies by the tensor memory accelerator (they bypass the lanes), cache control, tensor memory.

use crate::{Kind, Space};

/// What an opcode does to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    /// Lanes give addresses in `space`; `None` means generic: the address tells.
    Lanes { space: Option<Space>, kind: Kind, bytes: u16 },
    /// A bulk copy of the tensor memory accelerator.
    Bulk,
    /// Cache control and the like: has an address, moves no data.
    Control,
    /// Not known to access memory.
    Other,
}

/// Bulk copies (Hopper and later).
const BULK: [&[u8]; 7] = [b"UTMALDG", b"UTMASTG", b"UTMAPF", b"UTMAREDG", b"UBLKCP", b"UBLKPF", b"UBLKRED"];

/// Meaning of `opcode`.
pub(crate) fn decode(opcode: &[u8]) -> Op {
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
        b"LDSM" => return Op::Lanes { space: Some(Shared), kind: Load, bytes: 16 },
        b"STSM" => return Op::Lanes { space: Some(Shared), kind: Store, bytes: 16 },
        b"LDS" => (Some(Shared), Load),
        b"STS" => (Some(Shared), Store),
        b"ATOMS" | b"REDS" => (Some(Shared), Atomic),
        b"LDL" => (Some(Local), Load),
        b"STL" => (Some(Local), Store),
        b"LDC" | b"ULDC" | b"LDCU" => (Some(Constant), Load),
        b"TEX" | b"TEXS" | b"TLD" | b"TLDS" | b"TLD4" | b"TLD4S" | b"TXD" | b"SULD" => (Some(Texture), Load),
        b"SUST" => (Some(Texture), Store),
        b"SUATOM" | b"SURED" => (Some(Texture), Atomic),
        b"CCTL" | b"CCTLL" | b"CCTLT" | b"PREFETCH" | b"QSPC" => return Op::Control,
        name if BULK.contains(&name) => return Op::Bulk,
        _ => return Op::Other,
    };
    Op::Lanes { space, kind, bytes: tokens.find_map(width).unwrap_or(4) }
}

fn width(token: &[u8]) -> Option<u16> {
    let digits = match token {
        [b'U' | b'S' | b'F', digits @ ..] => digits,
        digits => digits,
    };
    let bits = crate::formats::text::decimal(digits)?;
    let bytes = u16::try_from(bits / 8).ok()?;
    (bits % 8 == 0 && bytes > 0).then_some(bytes)
}

/// The opcode of an access of `bytes` per lane, for traces that come without one; [`decode`]s to its arguments.
pub fn opcode(space: Space, kind: Kind, bytes: u16) -> String {
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

/// Tensor-core instructions whose lines have one more field before the width.
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
        let lanes = |space, kind, bytes| Op::Lanes { space, kind, bytes };
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
            ("UTMALDG.2D", Op::Bulk),
            ("CCTL.IVALL", Op::Control),
            ("IMAD.MOV.U32", Op::Other),
            ("REDUX.SUM", Op::Other),
            ("", Op::Other),
        ];
        for (opcode, op) in cases {
            assert_eq!(decode(opcode.as_bytes()), op, "{opcode}");
        }
        assert!(is_gmma(b"HGMMA.64x256x16.F32") && !is_gmma(b"HMMA") && !is_gmma(b""));
    }

    #[test]
    fn made_up_opcodes_decode_to_what_they_were_made_of() {
        for bytes in [1, 3, 4, 16, 65535] {
            let opcode = opcode(Space::Global, Kind::Atomic, bytes);
            let op = Op::Lanes { space: Some(Space::Global), kind: Kind::Atomic, bytes };
            assert_eq!(decode(opcode.as_bytes()), op);
        }
    }
}
