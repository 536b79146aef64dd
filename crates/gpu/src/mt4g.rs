//! Import of mt4g's JSON (caps-tum/mt4g; groups `general`, `compute`, `memory`, `meta`), NVIDIA and AMD.
//!
//! In: the parsed object. Out: a [`Topology`] with every value's status, and diagnostics: a warning for each missing group
//! or value in a wrong unit, a note for each value that mt4g does not measure and that is therefore assumed (ways, set
//! index, MSHRs, stores, the model's latency). Without any size of an L1 and any number of cores there is no result.
//!
//! Where a preset has the device's name, it supplies what the file lacks ([`crate::refine`]), with a note. For other devices the
//! compute capability names the generation, and clock and width of the memory's bus give its bandwidth.
//!
//! Two values of HIP are corrected, with a note: shared memory "per multiprocessor", which is the whole GPU's, and resident
//! blocks, which is a quotient of other limits. Not imported: measured bandwidths, miss penalties, page sizes.

use crate::geometry::{assume_ways, divides};
use crate::preset::preset_of_device;
use crate::quantity::{shown, Reader};
use crate::refine::{fields, shape, whole};
use crate::{Board, Cache, Fact, SetIndex, Stores, Topology};
use base::{Diagnostics, Severity};
use serde_json::{Map, Value};

type Object = Map<String, Value>;

/// Whether the keys are mt4g's.
pub(super) fn looks_like(object: &Object) -> bool {
    ["general", "compute", "memory"].iter().any(|key| object.contains_key(*key))
}

/// Reads what is there, assumes the rest and says so.
pub(super) fn import(object: &Object, out: &mut Diagnostics) -> Option<Topology> {
    let empty = Object::new();
    let mut groups = [&empty; 3];
    for (slot, name) in groups.iter_mut().zip(["general", "compute", "memory"]) {
        match object.get(name).and_then(Value::as_object) {
            Some(group) => *slot = group,
            None => {
                let found = object.get(name).map_or_else(|| "none".into(), shown);
                out.add(
                    Severity::Warning,
                    None,
                    format!("a group `{name}`"),
                    found,
                    "its values are assumed or absent",
                );
            }
        }
    }
    let [general, compute, memory] = groups;
    let l1_size = memory.get("l1").and_then(|l1| l1.get("size"));
    if l1_size.is_none() && !compute.contains_key("multiProcessorCount") {
        let expected = "`memory.l1.size` or `compute.multiProcessorCount`";
        out.add(Severity::Error, None, expected, "neither", "run mt4g again; this file says nothing about a GPU");
        return None;
    }
    let text = |key: &str| general.get(key).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
    let name: String = text("name").unwrap_or("unnamed GPU").chars().take(100).collect();
    let vendor: String = text("vendor").unwrap_or("unknown").chars().take(100).collect();
    let known = preset_of_device(&name);
    let known = known.as_ref();
    let amd = vendor.eq_ignore_ascii_case("AMD");
    let mut reader = Reader { out, source: format!("mt4g, {name}"), clock_khz: None };
    let clock = reader.kilohertz("general.clockRate", general.get("clockRate"));
    let clock = reader.within("general.clockRate", clock, 100_000_000);
    let registers = reader.count("compute.regsPerMultiProcessor", compute.get("regsPerMultiProcessor"));
    let registers = reader.within("compute.regsPerMultiProcessor", registers, 1 << 30);
    reader.clock_khz = clock.as_ref().map(|fact| fact.value);
    let limits = Limits::read(&mut reader, compute, memory, amd, known);
    let l1 = l1(&mut reader, memory.get("l1"), amd, known.map(|gpu| &gpu.l1));
    let mut topology = Topology {
        warpscope_topology: 1,
        id: slug(&name),
        name,
        vendor,
        cores: limits.cores,
        warp_lanes: limits.lanes,
        max_threads_per_core: limits.threads,
        max_blocks_per_core: limits.blocks,
        shared_bytes_per_core: limits.shared,
        registers_per_core: registers,
        clock_khz: clock,
        l1,
        l2: None,
        l3: None,
        texture: None,
        read_only: None,
        constant_l1: None,
        constant_l1_5: None,
        scalar_l1: None,
        shared_cycles: None,
        memory_cycles: None,
        memory_bytes: None,
        generation: None,
        board: None,
        thesis_table: None,
        model_latency: Fact::assumed(100, "the value of HPCA 2014 for Fermi; a tick is not a cycle"),
        model_sigma: Fact::assumed(5.0, "the value of HPCA 2014 for Fermi"),
    };
    reader.note("model_latency, model_sigma", "the model's ticks", "none", "assumed 100 and 5, as HPCA 2014 for Fermi");
    levels(&mut reader, memory, compute, known, &mut topology);
    let Some(known) = known else {
        if !amd {
            topology.generation = generation(&reader, general);
        }
        topology.board = board(&mut reader, compute, memory);
        return Some(topology);
    };
    let help = "it supplies what the file lacks, such as ways, MSHRs, stores and the board, each with its own source";
    reader.note("general.name", "a device", format!("that of the preset {}", known.id), help);
    Some(whole(topology, known))
}

/// The generation of NVIDIA's compute capability. AMD's numbers are not unique: 9.0 is a Vega as well as an MI210.
fn generation(reader: &Reader, general: &Object) -> Option<Fact<String>> {
    let capability = general.get("computeCapability")?;
    let number = |key: &str| capability.get(key).and_then(Value::as_u64);
    let (major, minor) = (number("major")?, number("minor")?);
    let id = match (major, minor) {
        (2, _) => "fermi",
        (3, _) => "kepler",
        (5, _) => "maxwell",
        (6, 0) => "pascal-gp100",
        (6, _) => "pascal",
        (7, 0 | 2) => "volta",
        (7, 5) => "turing",
        (8, 0) => "ampere",
        (8, 6 | 7) => "ampere-ga10x",
        (8, 9) => "ada",
        (9, 0) => "hopper",
        _ => return None,
    };
    Some(Fact::official(id.into(), format!("{}: compute capability {major}.{minor}", reader.source)))
}

/// What the device's interface says of a board: lanes of a core, and the bandwidth of memory that moves two words per clock.
fn board(reader: &mut Reader, compute: &Object, memory: &Object) -> Option<Board> {
    let main = memory.get("main");
    let of_main = |key: &str| main.and_then(|main| main.get(key));
    let clock = reader.kilohertz("memory.main.memoryClockRate", of_main("memoryClockRate"));
    let width = of_main("memoryBusWidth").filter(|width| width.get("unit").and_then(Value::as_str) == Some("bit"));
    let bits = width.and_then(|width| width.get("value")).and_then(Value::as_f64);
    let gbs = clock.zip(bits).map(|(clock, bits)| (clock.value as f64 * bits / 4e3).round() / 1e3);
    let peak_gbs = gbs.filter(|gbs| (0.001..=1e6).contains(gbs));
    let path = "compute.numberOfCoresPerMultiProcessor";
    let lanes = reader.count(path, compute.get("numberOfCoresPerMultiProcessor"));
    let board = Board {
        peak_gbs: peak_gbs.map(|gbs| Fact::official(gbs, format!("{}: memory clock and bus width", reader.source))),
        lanes_per_cycle: reader.within(path, lanes, 1 << 12),
        ..Board::default()
    };
    (board != Board::default()).then_some(board)
}

/// What a core can hold.
struct Limits {
    cores: Fact<u64>,
    lanes: Fact<u64>,
    threads: Fact<u64>,
    blocks: Fact<u64>,
    shared: Option<Fact<u64>>,
}

impl Limits {
    fn read(reader: &mut Reader, compute: &Object, memory: &Object, amd: bool, known: Option<&Topology>) -> Self {
        let mut count = |key: &str, most: u64, pick: fn(&Topology) -> &Fact<u64>, assumed: u64, ground: &str| {
            let path = format!("compute.{key}");
            let fact = reader.count(&path, compute.get(key)).filter(|fact| (1..=most).contains(&fact.value));
            fact.or_else(|| known.map(|gpu| pick(gpu).clone())).unwrap_or_else(|| {
                let help = format!("assumed {assumed}: {ground}");
                reader.out.add(Severity::Warning, None, format!("`{path}`: 1 to {most}"), "none", help);
                Fact::assumed(assumed, ground)
            })
        };
        let lanes = if amd { 64 } else { 32 };
        let cores =
            count("multiProcessorCount", 1 << 16, |gpu| &gpu.cores, 1, "one core shows its own cache all the same");
        let lanes = count("warpSize", 64, |gpu| &gpu.warp_lanes, lanes, "what this vendor's compute GPUs have");
        let threads =
            count("maxThreadsPerMultiProcessor", 1 << 16, |gpu| &gpu.max_threads_per_core, 2048, "what most GPUs have");
        let blocks =
            count("maxBlocksPerMultiProcessor", 1 << 12, |gpu| &gpu.max_blocks_per_core, 16, "what many GPUs have");
        let per_block = compute.get("maxThreadsPerBlock").and_then(Value::as_u64).filter(|n| *n > 0);
        let blocks = match per_block {
            Some(per_block) if amd && blocks.value == threads.value / per_block => {
                let ground =
                    "HIP reports threads over block size; LLVM's AMDGPU back end allows 16 blocks of several warps";
                let path = "compute.maxBlocksPerMultiProcessor";
                reader.note(
                    path,
                    "a limit on resident blocks",
                    blocks.value.to_string(),
                    format!("assumed 16: {ground}"),
                );
                Fact::assumed(16, ground)
            }
            _ => blocks,
        };
        let shared = shared_bytes(reader, memory, &cores);
        let threads = if threads.value < lanes.value { Fact::assumed(2048, "what most GPUs have") } else { threads };
        Self { cores, lanes, threads, blocks, shared }
    }
}

fn shared_bytes(reader: &mut Reader, memory: &Object, cores: &Fact<u64>) -> Option<Fact<u64>> {
    let shared = memory.get("shared")?;
    let path = "memory.shared.sharedMemPerMultiProcessor";
    let per_core = reader.bytes(path, shared.get("sharedMemPerMultiProcessor"))?;
    let per_block = reader.bytes("memory.shared.sharedMemPerBlock", shared.get("sharedMemPerBlock"));
    match per_block {
        Some(per_block) if cores.value > 1 && Some(per_core.value) == per_block.value.checked_mul(cores.value) => {
            let help = format!("{} bytes in each core", per_block.value);
            reader.note(path, "shared memory of one core", format!("{}, all cores together", per_core.value), help);
            Some(per_block)
        }
        _ if per_core.value <= 1 << 30 => Some(per_core),
        _ => {
            reader.skip(path, "at most 1 GiB", per_core.value.to_string());
            None
        }
    }
}

/// The L1 with everything the model needs.
fn l1(reader: &mut Reader, value: Option<&Value>, amd: bool, known: Option<&Cache>) -> Cache {
    let path = "memory.l1";
    let mut cache = cache(reader, path, value).unwrap_or_default();
    if let Some(known) = known {
        cache = fields(cache, known);
    }
    let assumed_line = if amd { 64 } else { 128 };
    let line = need(reader, &mut cache.line_bytes, "lineSize", assumed_line, "what this vendor's GPUs usually have");
    // Again, now that there is a line: size and fetch granularity must fit it.
    tidy(reader, path, &mut cache);
    let bytes = need(reader, &mut cache.bytes, "size", line.max(16_384), "the smallest L1 of any GPU known here");
    if let Some(known) = known {
        shape(&mut cache, known);
    }
    assume(reader, &mut cache, bytes / line, line);
    if value.and_then(|l1| l1.get("globalL1CacheSupported")) == Some(&Value::Bool(false)) {
        reader.note(
            path,
            "a cache of global loads",
            "global loads pass it by",
            "the model sends them through it all the same",
        );
    }
    cache
}

/// Assumes what mt4g does not measure and no preset states, with a note each.
fn assume(reader: &mut Reader, cache: &mut Cache, lines: u64, line: u64) {
    let sectored = cache.fetch_bytes.as_ref().is_some_and(|fetch| fetch.value < line);
    if cache.ways.is_none() {
        let ways = assume_ways(lines, sectored);
        let sets = lines / ways;
        let ground = if sectored { "few sets, as GPGPU-Sim gives sectored caches" } else { "few ways, as Fermi's L1" };
        let ground = format!("mt4g does not measure it; {ground}; whole sets");
        reader.note("l1.ways", "a value", "none", format!("assumed {ways} ({sets} sets): {ground}"));
        cache.ways = Some(Fact::assumed(ways, ground));
    }
    if cache.set_index.is_none() {
        let ground = "mt4g does not measure it; works for any number of sets";
        reader.note("l1.set_index", "a value", "none", format!("assumed modulo: {ground}"));
        cache.set_index = Some(Fact::assumed(SetIndex::Modulo, ground));
    }
    if cache.mshrs.is_none() {
        let (mshrs, ground) = if sectored {
            (256, "mt4g does not measure it; a middle of GPGPU-Sim's sectored caches")
        } else {
            (64, "mt4g does not measure it; the number of HPCA 2014 for Fermi")
        };
        reader.note("l1.mshrs", "a value", "none", format!("assumed {mshrs}: {ground}"));
        cache.mshrs = Some(Fact::assumed(mshrs, ground));
    }
    if cache.stores.is_none() {
        let ground = "mt4g does not measure it; a common policy";
        reader.note("l1.stores", "a value", "none", format!("assumed write-through, no allocation: {ground}"));
        cache.stores = Some(Fact::assumed(Stores::WriteThroughNoAllocate, ground));
    }
}

fn need(reader: &mut Reader, field: &mut Option<Fact<u64>>, name: &str, assumed: u64, ground: &str) -> u64 {
    if field.is_none() {
        let help = format!("assumed {assumed}: {ground}");
        reader.out.add(Severity::Warning, None, format!("`memory.l1.{name}`: a value"), "none usable", help);
    }
    field.get_or_insert_with(|| Fact::assumed(assumed, ground)).value
}

/// All other levels and memories.
fn levels(reader: &mut Reader, memory: &Object, compute: &Object, known: Option<&Topology>, t: &mut Topology) {
    let group = |name: &str| memory.get(name);
    let mut l2 = cache(reader, "memory.l2", group("l2"));
    if let (Some(cache), Some(group)) = (l2.as_mut(), group("l2")) {
        l2_instances(reader, group, compute, cache);
    }
    t.l2 = complete(reader, "memory.l2", l2, known.and_then(|gpu| gpu.l2.as_ref()));
    let mut level = |path: &str, value: Option<&Value>, pick: fn(&Topology) -> &Option<Cache>| {
        let own = cache(reader, path, value);
        complete(reader, path, own, known.and_then(|gpu| pick(gpu).as_ref()))
    };
    t.l3 = level("memory.l3", group("l3"), |gpu| &gpu.l3);
    t.texture = level("memory.texture", group("texture"), |gpu| &gpu.texture);
    t.read_only = level("memory.readOnly", group("readOnly"), |gpu| &gpu.read_only);
    let constant = |name: &str| group("constant").and_then(|constant| constant.get(name));
    t.constant_l1 = level("memory.constant.l1", constant("l1"), |gpu| &gpu.constant_l1);
    t.constant_l1_5 = level("memory.constant.l1.5", constant("l1.5"), |gpu| &gpu.constant_l1_5);
    t.scalar_l1 = level("memory.scalarL1", group("scalarL1"), |gpu| &gpu.scalar_l1);
    t.shared_cycles = group("shared").and_then(|g| reader.cycles("memory.shared.latency", g.get("latency")));
    t.memory_cycles = group("main").and_then(|g| reader.cycles("memory.main.latency", g.get("latency")));
    let bytes = group("main").and_then(|g| reader.bytes("memory.main.totalGlobalMem", g.get("totalGlobalMem")));
    t.memory_bytes = reader.within("memory.main.totalGlobalMem", bytes, 1 << 50);
    for name in ["l2", "main", "shared"] {
        if group(name).is_none() && !memory.is_empty() {
            let help = if known.is_some() { "its values are those of the preset" } else { "its values are absent" };
            reader.out.add(Severity::Warning, None, format!("a group `memory.{name}`"), "none", help);
        }
    }
}

/// A cache of the file with what it lacks from the preset's.
fn complete(reader: &mut Reader, path: &str, own: Option<Cache>, known: Option<&Cache>) -> Option<Cache> {
    let Some(known) = known else { return own };
    let mut cache = fields(own.unwrap_or_default(), known);
    tidy(reader, path, &mut cache);
    shape(&mut cache, known);
    Some(cache)
}

/// Segments of one L2 (NVIDIA) and L2s of several dies (AMD) become instances, each of its own size.
fn l2_instances(reader: &mut Reader, l2: &Value, compute: &Object, cache: &mut Cache) {
    let segment = reader.bytes("memory.l2.segmentSize", l2.get("segmentSize"));
    if let (Some(total), Some(segment)) = (cache.bytes.as_ref().map(|fact| fact.value), segment) {
        if segment.value > 0 && total > segment.value && divides(segment.value, total) {
            cache.instances =
                Some(Fact::measured(total / segment.value, format!("{}: size over segment", reader.source)));
            cache.bytes = Some(segment);
        }
    }
    if let Some(dies) = reader.count("compute.numXCDs", compute.get("numXCDs")).filter(|dies| dies.value > 1) {
        let each = cache.instances.as_ref().map_or(1, |fact| fact.value);
        cache.instances =
            Some(Fact::official(each.saturating_mul(dies.value), format!("{}: in each die", reader.source)));
    }
}

/// One cache as far as the file knows it; sizes that contradict each other are rounded or left out.
fn cache(reader: &mut Reader, path: &str, value: Option<&Value>) -> Option<Cache> {
    let group = value?;
    if !group.is_object() {
        reader.skip(path, "an object", shown(group));
        return None;
    }
    let at = |field: &str| format!("{path}.{field}");
    let mut cache = Cache {
        bytes: reader.bytes(&at("size"), group.get("size")).filter(|fact| fact.value > 0),
        line_bytes: reader.bytes(&at("lineSize"), group.get("lineSize")),
        fetch_bytes: reader.bytes(&at("fetchGranularity"), group.get("fetchGranularity")),
        hit_cycles: reader.cycles(&at("latency"), group.get("latency")),
        ..Cache::default()
    };
    let instances =
        ["amountPerMultiprocessor", "amount", "uniqueAmount"].into_iter().find(|key| group.get(key).is_some());
    cache.instances = instances.and_then(|key| reader.count(&at(key), group.get(key)));
    // mt4g counts instances by letting two of them disturb each other; zero means that it could not tell.
    cache.instances = cache.instances.filter(|fact| (1..=1 << 16).contains(&fact.value));
    cache.instances = cache.instances.map(|fact| Fact::measured(fact.value, fact.source));
    cache.shared_with = group.get("sharedWith").and_then(Value::as_array).map(|names| {
        let names =
            names.iter().filter_map(Value::as_str).take(8).map(|name| name.chars().take(40).collect()).collect();
        Fact::measured(names, reader.source.clone())
    });
    tidy(reader, path, &mut cache);
    Some(cache)
}

fn tidy(reader: &mut Reader, path: &str, cache: &mut Cache) {
    const MOST: u64 = 1 << 16;
    if let Some(line) = cache.line_bytes.take_if(|line| !line.value.is_power_of_two() || line.value > MOST) {
        reader.skip(&format!("{path}.lineSize"), "a power of two up to 65536", line.value.to_string());
    }
    let known = cache.line_bytes.as_ref().map(|line| line.value);
    let wrong = |fetch: u64| fetch == 0 || fetch > MOST || known.is_some_and(|line| !divides(fetch, line));
    if let Some(fetch) = cache.fetch_bytes.take_if(|fetch| wrong(fetch.value)) {
        reader.skip(&format!("{path}.fetchGranularity"), "a divisor of the line", fetch.value.to_string());
    }
    let line = known.unwrap_or(1);
    let most = known.map_or(1 << 50, |line| line << 24);
    if let Some(bytes) = cache.bytes.take_if(|bytes| bytes.value < line || bytes.value > most) {
        let expected = "at least a line and at most 16777216 lines";
        reader.skip(&format!("{path}.size"), expected, bytes.value.to_string());
    }
    if let Some(bytes) = cache.bytes.as_mut().filter(|bytes| !divides(line, bytes.value)) {
        let rounded = bytes.value - bytes.value % line;
        let found = bytes.value.to_string();
        reader.note(&format!("{path}.size"), "whole lines", found, format!("rounded down to {rounded} bytes"));
        bytes.value = rounded;
    }
}

/// A name as an identifier: lower case, everything but letters and digits one dash.
pub(super) fn slug(name: &str) -> String {
    let mut id = String::new();
    for c in name.chars().map(|c| c.to_ascii_lowercase()) {
        if c.is_ascii_alphanumeric() {
            id.push(c);
        } else if !id.is_empty() && !id.ends_with('-') {
            id.push('-');
        }
        if id.len() == 64 {
            break;
        }
    }
    let id = id.trim_end_matches('-');
    if id.is_empty() {
        "imported-gpu".into()
    } else {
        id.into()
    }
}
