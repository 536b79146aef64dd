//! What a row of a report is about, whatever the model counts there: an array or an instruction of the trace.

use crate::input::info::{kind_name, space_name};
use serde::Serialize;
use trace::{Array, Origin, Site, Space, Trace};

/// An array of a trace.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct ArrayPlace {
    /// Its name.
    pub name: String,
    /// The first byte address, as hexadecimal text.
    pub base: String,
    /// Its length.
    pub bytes: u64,
    /// True if the range was guessed from gaps in the address space.
    pub guessed: bool,
}

impl ArrayPlace {
    pub(crate) fn of_array(array: &Array) -> Self {
        Self {
            name: array.name.clone(),
            base: format!("{:#x}", array.base),
            bytes: array.bytes,
            guessed: array.origin == Origin::Guessed,
        }
    }

    /// All addresses that belong to no array. If all arrays are given, these are the threads' local memory.
    pub(crate) fn elsewhere(trace: &Trace) -> Self {
        let local = trace.sites.iter().any(|s| s.space == Space::Local)
            && trace.arrays.iter().all(|a| a.origin != Origin::Guessed);
        let name = if local { "local memory" } else { "(elsewhere)" };
        Self { name: name.into(), base: String::new(), bytes: 0, guessed: true }
    }
}

/// An instruction of a trace that accesses memory.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct InstructionPlace {
    /// The program counter as hexadecimal text. It is empty if the trace has none.
    pub pc: String,
    /// The opcode. It is empty if the trace has none.
    pub opcode: String,
    /// The memory space.
    pub space: &'static str,
    /// `load`, `store` or `atomic`.
    pub kind: &'static str,
    /// Bytes per lane.
    pub bytes: u16,
    /// The line of the source file, if the trace names it.
    pub line: Option<u32>,
}

impl InstructionPlace {
    pub(crate) fn of_site(site: &Site) -> Self {
        Self {
            pc: program_counter(site),
            opcode: site.opcode.to_string(),
            space: space_name(site.space),
            kind: kind_name(site.kind),
            bytes: site.bytes,
            line: site.source_line,
        }
    }
}

/// The program counter as hexadecimal text. An example or a .trc has none. The counter 0 is a real one only if the file
/// has opcodes and no source lines.
fn program_counter(site: &Site) -> String {
    if site.opcode.is_empty() || site.pc == 0 && site.source_line.is_some() {
        return String::new();
    }
    format!("{:#x}", site.pc)
}
