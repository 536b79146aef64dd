//! The `-key = value` lines at the head of an Accel-Sim trace.
//!
//! In: one line at a time. Out: a [`Header`]. Real headers contain wrong values (one had a register count of 21955),
//! and old headers lack the last five keys. A wrong value is reported and treated as unknown.

use crate::formats::text::{decimal, hexadecimal, trim, triple, Fields, Flaw, Line};
use crate::{Dim3, IssueShares, Launch, Schedule, TraceBuilder};
use base::{Diagnostics, Severity};
use rustc_hash::FxHashMap;

/// Most registers of a thread (CUDA programming guide, compute capabilities).
const REGISTERS_MAX: u64 = 255;
/// A bound on the shared memory of a block. The largest shared memory so far has 228 KiB.
const SHARED_MAX: u64 = 1 << 20;
/// Most lines with schedules that are kept.
const SCHEDULES_MAX: usize = 1 << 16;

#[derive(Debug)]
pub(crate) struct Header {
    pub name: Option<String>,
    pub launch: Launch,
    pub shared_base: u64,
    pub local_base: u64,
    /// Tracer version, or 0 if it is missing. Versions below 3 write the block and the warp on every line.
    pub version: u64,
    pub line_numbers: bool,
    /// Registers of a thread as estimated, from `-warpscope estimated registers = N`, or 0.
    pub estimated_registers: u32,
    /// From `-warpscope waiting = N`, in 65,536ths.
    pub issue: IssueShares,
    /// For a program counter and an opcode, what the compiler may do about the load. Only files that this project wrote
    /// have such lines: `-warpscope schedule = PC OPCODE HOIST USE`. Other readers skip a key that they do not know.
    pub schedules: Vec<(u64, Box<str>, Schedule)>,
}

impl Default for Header {
    fn default() -> Self {
        let none = Dim3::new(0, 0, 0);
        let launch = Launch { grid: none, block: none, shared_bytes: 0, registers: 0 };
        Self {
            name: None,
            launch,
            shared_base: 0,
            local_base: 0,
            version: 0,
            line_numbers: false,
            estimated_registers: 0,
            issue: IssueShares::default(),
            schedules: Vec::new(),
        }
    }
}

/// Key and value of a header line, trimmed.
pub(crate) fn key_value(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let line = trim(line);
    let body = line.strip_prefix(b"-")?;
    let equals = memchr::memchr(b'=', body)?;
    Some((trim(&body[..equals]), trim(&body[equals + 1..])))
}

impl Header {
    /// Reads one header line.
    pub fn read_line(&mut self, line: Line, diagnostics: &mut Diagnostics) {
        let Some((key, value)) = key_value(line.bytes) else {
            let flaw = Flaw { expected: "`-key = value`", found: line.bytes, help: "the line was ignored" };
            return flaw.report(Severity::Warning, line.number, diagnostics);
        };
        if let Err(expected) = self.set_value(key, value) {
            let flaw = Flaw { expected, found: value, help: "the value is treated as unknown" };
            flaw.report(Severity::Warning, line.number, diagnostics);
        }
    }

    fn set_value(&mut self, key: &[u8], value: &[u8]) -> Result<(), &'static str> {
        let dim = |value| triple(value).map(|[x, y, z]| Dim3::new(x, y, z)).filter(|d| d.count() > 0);
        let number = |max: u64| decimal(value).filter(|&n| n <= max);
        match key {
            b"kernel name" => self.name = Some(String::from_utf8_lossy(value).into_owned()),
            b"grid dim" => self.launch.grid = dim(value).ok_or("a grid of three sizes above zero, `(x,y,z)`")?,
            b"block dim" => self.launch.block = dim(value).ok_or("a block of three sizes above zero, `(x,y,z)`")?,
            b"shmem" => self.launch.shared_bytes = number(SHARED_MAX).ok_or("at most 1 MiB of shared memory")? as u32,
            b"nregs" => self.launch.registers = number(REGISTERS_MAX).ok_or("at most 255 registers per thread")? as u32,
            b"shmem base_addr" => self.shared_base = hexadecimal(value).ok_or("an address in hexadecimal")?,
            b"local mem base_addr" => self.local_base = hexadecimal(value).ok_or("an address in hexadecimal")?,
            b"accelsim tracer version" => self.version = version(value).ok_or("a tracer version such as 4")?,
            b"enable lineinfo" => self.line_numbers = number(1).ok_or("0 or 1")? == 1,
            b"warpscope estimated registers" => {
                self.estimated_registers = number(REGISTERS_MAX).ok_or("at most 255 registers per thread")? as u32;
            }
            b"warpscope waiting" => {
                self.issue.waiting = number(u64::from(IssueShares::ALL)).ok_or("at most 65536")? as u32;
            }
            b"warpscope schedule" if self.schedules.len() < SCHEDULES_MAX => {
                self.schedules.push(schedule(value).ok_or("a program counter, an opcode and two numbers")?);
            }
            // No model depends on kernel id, binary version, stream and NVBit version.
            _ => {}
        }
        Ok(())
    }

    /// Gives the sites of a kernel their schedules.
    pub fn set_schedules(&self, builder: &mut TraceBuilder) {
        let by_place: FxHashMap<(u64, &str), Schedule> =
            self.schedules.iter().map(|(pc, opcode, schedule)| ((*pc, &**opcode), *schedule)).collect();
        for number in 0..builder.sites().len() {
            let site = &builder.sites()[number];
            if let Some(&schedule) = by_place.get(&(site.pc, &*site.opcode)) {
                builder.set_schedule(number as u32, schedule);
            }
        }
    }

    /// Number of fields before the program counter, according to the header.
    pub fn leading_fields(&self, raw: bool) -> usize {
        let ids = if raw || self.version < 3 { 4 } else { 0 };
        ids + usize::from(self.line_numbers)
    }
}

/// A line of [`Header::schedules`].
fn schedule(value: &[u8]) -> Option<(u64, Box<str>, Schedule)> {
    let mut fields = Fields::new(value);
    let pc = hexadecimal(fields.next_field())?;
    let opcode = String::from_utf8_lossy(fields.next_field()).into();
    let hoist = decimal(fields.next_field()).and_then(|n| u16::try_from(n).ok())?;
    let use_after = match fields.next_field() {
        b"never" => Schedule::NEVER,
        number => decimal(number).and_then(|n| u16::try_from(n).ok())?,
    };
    Some((pc, opcode, Schedule { hoist, use_after }))
}

/// The major version, such as 1 for `1.2`.
fn version(value: &[u8]) -> Option<u64> {
    decimal(value.split(|&b| b == b'.').next()?)
}
