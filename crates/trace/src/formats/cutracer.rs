//! CUTracer's NDJSON: one JSON object per line.
//!
//! In: objects with `type` `mem_addr_trace` or `mem_value_trace`, `addrs[32]`, `ctx`, `grid_launch_id`, `cta`, `warp`,
//! `pc`, and `sass` or `is_load`, `mem_space` and `access_size` where the tool's version writes them. Out: one kernel per
//! context and launch. A run that traces both kinds has every access twice: the kind that comes first is kept. Objects of
//! other kinds (registers, opcodes, bulk copies) make no access; one with a kernel's name, grid and block names the launch.
//!
//! The tool writes no mask: a lane with address 0 is taken as inactive. `mem_space` counts as NVBit's `MemorySpace` does.
//!
//! Not modelled: the values; the windows of generic addresses (all are taken as global).

use crate::formats::launches::{active, skipped, Key, Launches, Record};
use crate::formats::reader::Reader;
use crate::formats::sass;
use crate::formats::sass::Op;
use crate::formats::text::{hexadecimal, Line};
use crate::{Dim3, FileContent, Format, Kind, Launch, Site, Space};
use base::{excerpt, Diagnostics, Severity};
use rustc_hash::FxHashMap;
use serde_json::{Map, Value};

type Object = Map<String, Value>;

pub(crate) struct CutracerReader {
    launches: Launches,
    /// True for a launch whose accesses are read from values.
    by_value: FxHashMap<Key, bool>,
    /// Accesses that do not say what they are, and the first one's line.
    assumed: Option<(u64, u64)>,
    twice: Option<(u64, u64)>,
}

/// True when a line could come from this tool.
pub(crate) fn looks_like(line: &[u8]) -> bool {
    let has = |key: &[u8]| memchr::memmem::find(line, key).is_some();
    line.starts_with(b"{") && has(b"\"grid_launch_id\"") && has(b"\"cta\"")
}

/// A number, as such or in hexadecimal in quotes.
fn number(object: &Object, key: &str) -> Option<u64> {
    match object.get(key)? {
        Value::String(text) => hexadecimal(text.as_bytes()),
        value => value.as_u64(),
    }
}

fn sizes(object: &Object, keys: &[&str]) -> Option<Dim3> {
    let value = keys.iter().find_map(|key| object.get(*key))?.as_array()?;
    let part = |i: usize| value.get(i).and_then(Value::as_u64).and_then(|n| u32::try_from(n).ok());
    Some(Dim3::new(part(0)?, part(1)?, part(2)?))
}

fn key(object: &Object) -> Result<Key, &'static str> {
    let launch = number(object, "grid_launch_id").or_else(|| number(object, "kernel_launch_id"));
    Ok((number(object, "ctx").unwrap_or(0), launch.ok_or("a number `grid_launch_id`")?))
}

/// The opcode in a disassembled instruction: what follows a predicate such as `@!P0`.
fn opcode(sass: &str) -> &str {
    let mut words = sass.split_whitespace().skip_while(|word| word.starts_with('@'));
    words.next().unwrap_or_default().trim_end_matches(';')
}

/// Space by NVBit's number (`InstrType::MemorySpace`): 1 local, 2 generic, 3 global, 4 shared, 5 constant, 6 global to
/// shared, 7 surface, 8 texture, 9 shared of the cluster.
fn space(number: u64) -> Space {
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
        Self { launches: Launches::new(name), by_value: FxHashMap::default(), assumed: None, twice: None }
    }

    fn object(&mut self, object: &Object, line: u64) -> Result<(), &'static str> {
        match object.get("type").and_then(Value::as_str) {
            Some("mem_addr_trace") => self.record(object, false, line),
            Some("mem_value_trace") => self.record(object, true, line),
            _ => {
                self.named(object);
                Ok(())
            }
        }
    }

    /// An object that tells of a launch.
    fn named(&mut self, object: &Object) {
        let names = ["kernel_name", "unmangled_name", "mangled_name", "func_name", "name"];
        let Some(name) = names.iter().find_map(|name| object.get(*name)).and_then(Value::as_str) else { return };
        let Ok(key) = key(object) else { return };
        let none = Dim3::new(0, 0, 0);
        let small = |key| number(object, key).and_then(|n| u32::try_from(n).ok()).unwrap_or(0);
        let launch = Launch {
            grid: sizes(object, &["grid", "grid_dim", "grid_size"]).unwrap_or(none),
            block: sizes(object, &["block", "block_dim", "block_size"]).unwrap_or(none),
            shared_bytes: small("shmem"),
            registers: small("nregs"),
        };
        self.launches.launch(key, Some(name.into()), launch);
    }

    fn record(&mut self, object: &Object, by_value: bool, line: u64) -> Result<(), &'static str> {
        let key = key(object)?;
        if *self.by_value.entry(key).or_insert(by_value) != by_value {
            self.twice.get_or_insert((line, 0)).1 += 1;
            return Ok(());
        }
        let block = sizes(object, &["cta"]).ok_or("a block's index `cta` of three numbers")?;
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
            self.launches.instruction(key, block, warp);
            return Ok(());
        };
        let mut list = [0; 32];
        let (mask, count) = active(&lanes, &mut list);
        self.launches.access(Record { key, block, warp, mask, addresses: &list[..count] }, site);
        Ok(())
    }

    /// What is accessed; `None` for an instruction that is known to move no lane's data.
    fn site(&mut self, object: &Object, line: u64) -> Option<Site> {
        let pc = number(object, "pc").unwrap_or(0);
        let sass = opcode(object.get("sass").and_then(Value::as_str).unwrap_or_default());
        let decoded = sass::decode(sass.as_bytes());
        if matches!(decoded, Op::Bulk | Op::Control) {
            return None;
        }
        let told = (object.get("is_load").and_then(Value::as_bool), number(object, "access_size"));
        let (space, kind, bytes) = match (decoded, told) {
            (Op::Lanes { space, kind, bytes }, _) => (space.unwrap_or(Space::Global), kind, bytes),
            (_, (Some(load), bytes)) => {
                let kind = if load { Kind::Load } else { Kind::Store };
                let bytes = bytes.and_then(|n| u16::try_from(n).ok()).filter(|&n| n > 0).unwrap_or(4);
                (space(number(object, "mem_space").unwrap_or(3)), kind, bytes)
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

impl Reader for CutracerReader {
    fn line(&mut self, line: Line, diagnostics: &mut Diagnostics) {
        let text = line.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line.bytes);
        if text.is_empty() {
            return;
        }
        let Ok(Value::Object(object)) = serde_json::from_slice(text) else {
            return skipped(line, "a JSON object on one line", excerpt(text), diagnostics);
        };
        if let Err(expected) = self.object(&object, line.number) {
            skipped(line, expected, "another or none".into(), diagnostics);
        }
    }

    fn heap_bytes(&self) -> usize {
        self.launches.heap_bytes() + self.by_value.len() * 32
    }

    fn finish(self: Box<Self>, content: &mut FileContent, diagnostics: &mut Diagnostics) {
        content.format = Format::CuTracer;
        if let Some((line, count)) = self.assumed {
            let help =
                "loads of 4 bytes from global memory are assumed; trace with `mem_value_trace` for what they are";
            let found = format!("neither, {count} times");
            let expected = "`sass`, or `is_load` and `access_size`";
            diagnostics.add(Severity::Warning, Some(line), expected, found, help);
        }
        if let Some((line, count)) = self.twice {
            let help = "such a launch has every access twice; the kind that comes first is kept";
            let found = format!("both, {count} accesses");
            diagnostics.add(Severity::Note, Some(line), "addresses or values of a launch", found, help);
        }
        content.kernels = self.launches.finish(diagnostics);
    }
}
