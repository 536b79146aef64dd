//! The output of `printf`.

use crate::warps::warp::Warp;
use bytecode::code::{Num, PrintArg, PrintCall, NONE, WIDE};

/// Formats the text that one lane prints.
pub(crate) fn formatted(print: &PrintCall, warp: &Warp, lane: usize) -> String {
    let mut out = String::new();
    let mut args = print.args.iter();
    let mut rest = print.format.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        if rest.peek() == Some(&'%') {
            rest.next();
            out.push('%');
            continue;
        }
        let mut flags = String::new();
        while let Some(&c) = rest.peek() {
            if c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | ' ' | '#') {
                flags.push(c);
            } else if !matches!(c, 'l' | 'h' | 'z' | 'j' | 't') {
                break;
            }
            rest.next();
        }
        let Some(kind) = rest.next() else { break };
        let Some((reg, arg)) = args.next() else {
            out.push_str("(nothing)");
            continue;
        };
        let text = match arg {
            PrintArg::Text(text) => text.to_string(),
            PrintArg::Number(num) => {
                let bits = match *reg {
                    NONE => 0,
                    r if r & WIDE != 0 => warp.reg64(r)[lane],
                    r => u64::from(warp.reg32(r)[lane]),
                };
                number(kind, &flags, *num, bits)
            }
        };
        out.push_str(&padded(&text, &flags));
    }
    out
}

fn number(kind: char, flags: &str, num: Num, bits: u64) -> String {
    let precision = flags.split_once('.').and_then(|(_, p)| p.parse::<usize>().ok()).map(|p| p.min(40));
    let value = match num {
        Num::F32 => f64::from(f32::from_bits(bits as u32)),
        Num::F64 => f64::from_bits(bits),
        Num::I32 => f64::from(bits as i32),
        Num::U32 => f64::from(bits as u32),
        Num::I64 => bits as i64 as f64,
        Num::U64 => bits as f64,
    };
    match kind {
        'f' | 'F' => format!("{value:.*}", precision.unwrap_or(6)),
        'e' | 'E' => format!("{value:.*e}", precision.unwrap_or(6)),
        'g' | 'G' => format!("{value}"),
        'x' => format!("{bits:x}"),
        'X' => format!("{bits:X}"),
        'p' => format!("{bits:#x}"),
        'c' => char::from(bits as u8).to_string(),
        _ => match num {
            Num::I32 => (bits as i32).to_string(),
            Num::U32 => (bits as u32).to_string(),
            Num::U64 => bits.to_string(),
            _ if num.float() => format!("{value}"),
            _ => (bits as i64).to_string(),
        },
    }
}

fn padded(text: &str, flags: &str) -> String {
    let left = flags.starts_with('-');
    let width: usize =
        flags.trim_start_matches(['-', '+', ' ', '#']).split('.').next().and_then(|w| w.parse().ok()).unwrap_or(0);
    let width = width.min(200);
    match left {
        true => format!("{text:<width$}"),
        false => format!("{text:>width$}"),
    }
}
