//! CUTracer's NDJSON, one JSON object per line.
//!
//! In: objects with `type` `mem_addr_trace` or `mem_value_trace`, `addrs[32]`, `ctx`, `grid_launch_id`, `cta`, `warp`
//! and `pc`. Depending on the version of the tool, they also have `sass`, or `is_load`, `mem_space` and `access_size`.
//! Out: one kernel per context and launch. If a run traces both types, every access is in the file twice, and only the
//! type that comes first in a launch is used. Objects of other types (registers, opcodes, bulk copies) make no access.
//! An object with a kernel's name, grid and block gives the name and the sizes of the launch.
//!
//! The tool writes no mask, so a lane with address 0 counts as inactive. `mem_space` has the numbers of NVBit's
//! `MemorySpace`.
//!
//! Not modelled: values, and the windows of generic addresses (all generic addresses count as global).

use crate::formats::launches::{active_lanes, report_skipped_line, InterleavedLaunches, LaunchAccess, LaunchKey};
use crate::formats::reader::FormatReader;
use crate::formats::sass;
use crate::formats::sass::MemoryOp;
use crate::formats::text::{hexadecimal, Line};
use crate::{Dim3, FileContent, Format, Kind, Launch, Site, Space};
use base::{excerpt, Diagnostics, Severity};
use rustc_hash::FxHashMap;
use serde_json::{Map, Value};

type Object = Map<String, Value>;

pub(crate) struct CutracerReader {
    launches: InterleavedLaunches,
    /// True for a launch whose accesses are read from `mem_value_trace`.
    by_value: FxHashMap<LaunchKey, bool>,
    /// The first line and the number of accesses without kind and width.
    assumed: Option<(u64, u64)>,
    /// The first line and the number of accesses of a launch's second type.
    twice: Option<(u64, u64)>,
}

/// True if this tool could have written the line.
pub(crate) fn looks_like(line: &[u8]) -> bool {
    let has = |key: &[u8]| memchr::memmem::find(line, key).is_some();
    line.starts_with(b"{") && has(b"\"grid_launch_id\"") && has(b"\"cta\"")
}

/// The number of a field. It may be a JSON number or hexadecimal text.
fn number(object: &Object, key: &str) -> Option<u64> {
    match object.get(key)? {
        Value::String(text) => hexadecimal(text.as_bytes()),
        value => value.as_u64(),
    }
}

fn dim3(object: &Object, keys: &[&str]) -> Option<Dim3> {
    let value = keys.iter().find_map(|key| object.get(*key))?.as_array()?;
    let part = |i: usize| value.get(i).and_then(Value::as_u64).and_then(|n| u32::try_from(n).ok());
    Some(Dim3::new(part(0)?, part(1)?, part(2)?))
}

fn launch_key(object: &Object) -> Result<LaunchKey, &'static str> {
    let launch = number(object, "grid_launch_id").or_else(|| number(object, "kernel_launch_id"));
    Ok((number(object, "ctx").unwrap_or(0), launch.ok_or("a number `grid_launch_id`")?))
}

/// The opcode of a disassembled instruction, without a predicate such as `@!P0`.
fn opcode(sass: &str) -> &str {
    let mut words = sass.split_whitespace().skip_while(|word| word.starts_with('@'));
    words.next().unwrap_or_default().trim_end_matches(';')
}

/// The space by NVBit's number (`InstrType::MemorySpace`): 1 local, 2 generic, 3 global, 4 shared, 5 constant, 6 global
/// to shared, 7 surface, 8 texture, 9 shared of the cluster.
fn space_of_number(number: u64) -> Space {
    match number {
        1 => Space::Local,
        4 | 9 => Space::Shared,
        5 => Space::Constant,
        7 | 8 => Space::Texture,
        _ => Space::Global,
    }
}

impl CutracerReader {
    pub fn new(name: &str) -> Self {
        Self { launches: InterleavedLaunches::new(name), by_value: FxHashMap::default(), assumed: None, twice: None }
    }

    fn read_object(&mut self, object: &Object, line: u64) -> Result<(), &'static str> {
        match object.get("type").and_then(Value::as_str) {
            Some("mem_addr_trace") => self.read_access(object, false, line),
            Some("mem_value_trace") => self.read_access(object, true, line),
            _ => {
                self.read_launch(object);
                Ok(())
            }
        }
    }

    /// Reads an object that describes a launch.
    fn read_launch(&mut self, object: &Object) {
        let names = ["kernel_name", "unmangled_name", "mangled_name", "func_name", "name"];
        let Some(name) = names.iter().find_map(|name| object.get(*name)).and_then(Value::as_str) else { return };
        let Ok(key) = launch_key(object) else { return };
        let none = Dim3::new(0, 0, 0);
        let number_or_zero = |key| number(object, key).and_then(|n| u32::try_from(n).ok()).unwrap_or(0);
        let launch = Launch {
            grid: dim3(object, &["grid", "grid_dim", "grid_size"]).unwrap_or(none),
            block: dim3(object, &["block", "block_dim", "block_size"]).unwrap_or(none),
            shared_bytes: number_or_zero("shmem"),
            registers: number_or_zero("nregs"),
        };
        self.launches.add_launch(key, Some(name.into()), launch);
    }

    fn read_access(&mut self, object: &Object, by_value: bool, line: u64) -> Result<(), &'static str> {
        let key = launch_key(object)?;
        if *self.by_value.entry(key).or_insert(by_value) != by_value {
            self.twice.get_or_insert((line, 0)).1 += 1;
            return Ok(());
        }
        let block = dim3(object, &["cta"]).ok_or("a block's index `cta` of three numbers")?;
        let warp = number(object, "warp").and_then(|n| u32::try_from(n).ok()).ok_or("a number `warp`")?;
        let all = object.get("addrs").and_then(Value::as_array).filter(|all| all.len() == 32);
        let all = all.ok_or("32 addresses `addrs`")?;
        let mut lanes = [0; 32];
        for (slot, value) in lanes.iter_mut().zip(all) {
            *slot = match value {
                Value::String(text) => hexadecimal(text.as_bytes()),
                value => value.as_u64(),
            }
            .ok_or("addresses that are numbers")?;
        }
        let Some(site) = self.site(object, line) else {
            self.launches.add_instruction(key, block, warp);
            return Ok(());
        };
        let mut list = [0; 32];
        let (mask, count) = active_lanes(&lanes, &mut list);
        self.launches.add_access(LaunchAccess { key, block, warp, mask, addresses: &list[..count] }, site);
        Ok(())
    }

    /// The site of an access, or `None` for an instruction that moves no data of a lane.
    fn site(&mut self, object: &Object, line: u64) -> Option<Site> {
        let pc = number(object, "pc").unwrap_or(0);
        let sass = opcode(object.get("sass").and_then(Value::as_str).unwrap_or_default());
        let decoded = sass::decode(sass.as_bytes());
        if matches!(decoded, MemoryOp::Bulk | MemoryOp::Control) {
            return None;
        }
        let given = (object.get("is_load").and_then(Value::as_bool), number(object, "access_size"));
        let (space, kind, bytes) = match (decoded, given) {
            (MemoryOp::Lanes { space, kind, bytes }, _) => (space.unwrap_or(Space::Global), kind, bytes),
            (_, (Some(load), bytes)) => {
                let kind = if load { Kind::Load } else { Kind::Store };
                let bytes = bytes.and_then(|n| u16::try_from(n).ok()).filter(|&n| n > 0).unwrap_or(4);
                (space_of_number(number(object, "mem_space").unwrap_or(3)), kind, bytes)
            }
            _ => {
                self.assumed.get_or_insert((line, 0)).1 += 1;
                (Space::Global, Kind::Load, 4)
            }
        };
        let opcode = if sass.len() <= 64 { sass.into() } else { "".into() };
        Some(Site { pc, opcode, source_line: None, space, kind, bytes })
    }
}

impl FormatReader for CutracerReader {
    fn line(&mut self, line: Line, diagnostics: &mut Diagnostics) {
        let text = line.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line.bytes);
        if text.is_empty() {
            return;
        }
        let Ok(Value::Object(object)) = serde_json::from_slice(text) else {
            return report_skipped_line(line, "a JSON object on one line", excerpt(text), diagnostics);
        };
        if let Err(expected) = self.read_object(&object, line.number) {
            report_skipped_line(line, expected, "another or none".into(), diagnostics);
        }
    }

    fn heap_bytes(&self) -> usize {
        self.launches.heap_bytes() + self.by_value.len() * 32
    }

    fn finish(self: Box<Self>, content: &mut FileContent, diagnostics: &mut Diagnostics) {
        content.format = Format::CuTracer;
        if let Some((line, count)) = self.assumed {
            let help = "loads of 4 bytes from global memory are assumed; trace with `mem_value_trace` to record them";
            let found = format!("neither, {count} time{s}", s = base::plural(count, "s"));
            let expected = "`sass`, or `is_load` and `access_size`";
            diagnostics.add(Severity::Warning, Some(line), expected, found, help);
        }
        if let Some((line, count)) = self.twice {
            let help = "such a launch has every access twice; only the type that comes first is used";
            let found = format!("both, {count} access{es}", es = base::plural(count, "es"));
            diagnostics.add(Severity::Note, Some(line), "addresses or values of a launch", found, help);
        }
        content.kernels = self.launches.finish(diagnostics);
    }
}
