//! The kernels of HPCA'14 as traces, and the settings of its GTX 470.

use crate::cache_tab::settings::resolve;
use crate::input::file_hash::FileHash;
use crate::scenario::{CacheModel, CudaSettings, FileId, Scenario};
use cache::{PaperModel, Params};
use exec::{coalesce, resident_blocks, StoreUse};
use gpu::{preset, Topology};
use machine::{Machine, MachineSpec};
use std::collections::BTreeMap;
use std::sync::Arc;
use trace::{Dim3, Kind, Launch, Schedule, Site, Space, Trace, TraceBuilder};

/// The two splits of the GTX 470's memory.
pub const SPLITS: [&str; 2] = ["16k", "48k"];

/// The preset of a split.
pub fn gtx470(split: &str) -> Result<Topology, String> {
    preset(&format!("gtx470-{split}")).ok_or_else(|| format!("there is no preset gtx470-{split}"))
}

/// A scenario of the model `paper` on a GTX 470 with some parameters.
pub fn on_gtx470(split: &str, set: &[(&str, &str)]) -> Scenario {
    let set: BTreeMap<String, String> = base::map_of(set.iter().map(|(key, value)| ((*key).into(), (*value).into())));
    Scenario { gpu: format!("gtx470-{split}"), model: CacheModel::Paper, set, ..Scenario::default() }
}

/// A scenario whose source is a kernel of the library, with sizes.
pub fn of_example(example: &str, sizes: &[(&str, &str)], scenario: Scenario) -> Scenario {
    let sizes = base::map_of(sizes.iter().map(|(name, value)| ((*name).into(), (*value).into())));
    let cuda = CudaSettings { sizes, ..CudaSettings::default() };
    Scenario { example: Some(example.into()), cuda, ..scenario }
}

/// A scenario whose source is a text that the link carries.
pub fn of_text(name: &str, text: &str, sizes: &[(&str, &str)], scenario: Scenario) -> Scenario {
    let mut hash = FileHash::default();
    hash.push(text.as_bytes());
    let file = FileId { name: name.into(), size: text.len() as u64, sha256: hash.finish(), format: None };
    let sizes = base::map_of(sizes.iter().map(|(name, value)| ((*name).into(), (*value).into())));
    let cuda = CudaSettings { sizes, text: Some(text.into()), ..CudaSettings::default() };
    Scenario { files: vec![file], cuda, ..scenario }
}

/// The validated parameters of a scenario of the model `paper`, on one core.
pub fn params(scenario: &Scenario) -> Result<Params, String> {
    let topology = preset(&scenario.gpu).ok_or_else(|| format!("there is no preset {}", scenario.gpu))?;
    let settings = resolve(scenario, &topology).map_err(|errors| format!("the settings: {errors:?}"))?;
    Ok(Params { cores: 1, core_limit: 1, ..settings.params })
}

/// The run of the model `paper` over a trace. Loads only.
pub fn paper_model(trace: &Trace, params: Params) -> Result<PaperModel, String> {
    let requests = coalesce(trace, params.line_bytes, StoreUse::Ignore).map_err(|overflow| overflow.to_string())?;
    let resident = resident_blocks(&trace.launch, &params.limits);
    Ok(PaperModel::new(Arc::new(requests), params, resident, true))
}

/// The run of the model `gpu` over a trace.
pub fn gpu_model(split: &str, trace: Trace) -> Result<Machine, String> {
    let spec = MachineSpec::new(&gtx470(split)?, &trace.launch);
    Ok(Machine::new(spec, Arc::new(trace)))
}

/// A block of `threads` with one load and one store.
fn kernel(name: &str, threads: u32) -> (TraceBuilder, [u32; 2]) {
    let launch = Launch { grid: Dim3::new(1, 1, 1), block: Dim3::new(threads, 1, 1), shared_bytes: 0, registers: 0 };
    let mut builder = TraceBuilder::new(name, launch);
    let site =
        |kind| Site { pc: kind as u64, opcode: "".into(), source_line: None, space: Space::Global, kind, bytes: 4 };
    let sites = [Kind::Load, Kind::Store].map(|kind| builder.intern_site(site(kind)));
    builder.begin_block(Dim3::new(0, 0, 0));
    (builder, sites)
}

/// Tables 2 to 5: one thread per warp loads elements of 4 bytes one after the other.
pub fn element_loads(elements: &[&[u64]]) -> Trace {
    let (mut builder, [load, _]) = kernel("x[2 * tid], x[2 * tid + 1]", 32 * elements.len() as u32);
    for (warp, elements) in elements.iter().enumerate() {
        builder.begin_warp(warp as u32);
        elements.iter().for_each(|&element| builder.add_access(load, 1, &[4 * element]));
    }
    builder.finish()
}

/// Figure 3: each thread copies a row of 1,024 floats. The text has three instructions without memory access between
/// load and store (the address of the target), and six before the next load (the loop and the address of the source).
pub fn row_copy(threads: u32, base: u64) -> Trace {
    const WIDTH: u64 = 1024;
    let (mut builder, [load, store]) = kernel("row_copy", threads);
    // Of the nine, one is the branch.
    builder.mix_mut().integer = 8;
    builder.mix_mut().other = 1;
    let row_bytes = 4 * WIDTH;
    let target = base + row_bytes * u64::from(threads);
    for warp in 0..threads / 32 {
        builder.begin_warp(warp);
        let row = row_bytes * 32 * u64::from(warp);
        for column in 0..WIDTH {
            builder.add_instructions(6);
            builder.add_affine_access(load, u32::MAX, base + row + 4 * column, row_bytes as i32);
            builder.add_instructions(3);
            builder.add_affine_access(store, u32::MAX, target + row + 4 * column, row_bytes as i32);
        }
    }
    builder.finish()
}

/// Figure 5: 128 threads load `loads` × 128 ints, the first thread of warp `by` loads the int at `victim` bytes, and all load
/// again.
pub fn fill_and_probe(loads: u64, victim: u64, by: u32) -> Trace {
    let (mut builder, [load, _]) = kernel("mb1", 128);
    for warp in 0..4 {
        builder.begin_warp(warp);
        for stage in 0..2 {
            for i in 0..loads {
                builder.add_affine_access(load, u32::MAX, 128 * u64::from(warp) + 512 * i, 4);
            }
            if stage == 0 && warp == by {
                builder.add_access(load, 1, &[victim]);
            }
        }
    }
    builder.finish()
}

/// Figure 7: one warp runs a loop of strided loads twice.
pub fn strided_twice(loads: u64, stride: u64) -> Trace {
    let (mut builder, [load, _]) = kernel("strided_loads", 32);
    builder.begin_warp(0);
    (0..2).for_each(|_| (0..loads).for_each(|i| builder.add_affine_access(load, u32::MAX, i * stride, 4)));
    builder.finish()
}

/// Figure 8: one thread per warp loads lines of its own, and uses none of the values.
pub fn independent_loads(warps: u32, loads: u64) -> Trace {
    let (mut builder, [load, _]) = kernel("mb2", 32 * warps);
    builder.set_schedule(load, Schedule { hoist: 0, use_after: Schedule::NEVER });
    for warp in 0..warps {
        builder.begin_warp(warp);
        for i in 0..loads {
            builder.add_access(load, 1, &[128 * (u64::from(warp) + i * u64::from(warps))]);
        }
    }
    builder.finish()
}
