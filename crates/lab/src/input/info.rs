//! The content of files, as `warpscope info` and the page's report on dropped files show it.
//!
//! In: [`Contents`].
//! Out: [`Info`], as plain data. An instruction is a line of the trace. A memory instruction is a line with a non-zero
//! mask and at least one address. An access is the address of one lane. A kernel belongs to the file that holds it,
//! even if a list of kernels named it.

use crate::cache_tab::choose_kernels::chosen;
use crate::cache_tab::estimate_memory::{held_bytes, Estimator};
use crate::input::intake::Contents;
use crate::scenario::Scenario;
use base::{Diagnostic, Severity};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use trace::{KernelSource, Kind, Origin, Space, Trace};

/// The content of all files.
#[derive(Clone, Debug, Serialize)]
pub struct Info {
    /// One entry per file, in the order of the input.
    pub files: Vec<FileInfo>,
    /// The memory that a run over all files takes.
    pub estimate: Estimate,
}

/// The content of one file.
#[derive(Clone, Debug, Serialize)]
pub struct FileInfo {
    /// The name as it was given.
    pub file: String,
    /// The name of the format for people.
    pub format: String,
    /// The key of the format, as `--as` takes it.
    pub read_as: &'static str,
    /// The keys of formats that the content fits equally well. It is empty if the content fits at most one.
    pub candidates: Vec<&'static str>,
    /// `content`, `name` if the content fits several formats, or `choice` if a person chose the format.
    pub recognised_by: &'static str,
    /// The name of the compression, if there is one.
    pub compression: Option<&'static str>,
    /// The tracer version of an Accel-Sim trace. It is 0 if the header has none.
    pub version: Option<u64>,
    /// `trace`, `address stream`, `kernels list`, `topology`, `profile` or `unknown`.
    pub role: &'static str,
    /// The length in bytes as dropped, compressed or not.
    pub bytes: u64,
    /// The kernels in launch order.
    pub kernels: Vec<KernelInfo>,
    /// The parts of the file that are not used, with reasons.
    pub skipped: Vec<Skipped>,
    /// All diagnostics of the file.
    pub diagnostics: Vec<Diagnostic>,
    /// The memory that a run over this file alone takes.
    pub estimate: Estimate,
}

/// One kernel launch.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct KernelInfo {
    /// The number of the kernel among all that were read, counted from 1, as `--kernel` takes it.
    pub number: u32,
    /// The name of the kernel as the trace has it.
    pub name: String,
    /// The number of blocks in the grid, in x, y and z.
    pub grid: [u32; 3],
    /// The number of threads in a block, in x, y and z.
    pub block: [u32; 3],
    /// The number of blocks in the trace.
    pub blocks_present: usize,
    /// The number of threads in these blocks.
    pub threads: u64,
    /// The number of warps in the trace.
    pub warps: usize,
    /// The number of lines in the trace.
    pub instructions: u64,
    /// The number of lines with active lanes and an address.
    pub memory_instructions: u64,
    /// The number of lane addresses by space and kind, such as `global_load`.
    pub accesses: BTreeMap<String, u64>,
    /// The arrays in order of address.
    pub arrays: Vec<ArrayInfo>,
}

/// An array of a kernel.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct ArrayInfo {
    pub name: String,
    /// The first byte address, as hexadecimal text.
    pub base: String,
    pub bytes: u64,
    /// True if the range was guessed from gaps in the address space.
    pub guessed: bool,
}

/// A part of a file that is not used.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Skipped {
    /// What the part is.
    pub what: String,
    /// The line of the file, if the part has one.
    pub line: Option<u64>,
    /// The reason why it is not used.
    pub why: String,
}

/// The resources that a run takes.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Estimate {
    /// Bytes of memory at the peak.
    pub memory_bytes: u64,
}

/// Describes the input, and estimates a run with the default settings.
pub fn info(contents: &Contents) -> Info {
    // The default GPU is a preset with valid values, and all kernels are selected.
    info_for(&Scenario::default(), contents)
        .unwrap_or_else(|_| Info { files: Vec::new(), estimate: Estimate::default() })
}

/// Describes the input, and estimates the run of a scenario.
///
/// # Errors
///
/// Returns diagnostics if there is no such GPU or kernel, or if a parameter cannot be used.
pub fn info_for(scenario: &Scenario, contents: &Contents) -> Result<Info, Vec<Diagnostic>> {
    let estimator = Estimator::of(scenario, contents)?;
    let chosen: Vec<Arc<Trace>> = chosen(scenario, contents)?.into_iter().map(|(_, kernel)| kernel).collect();
    let memory_bytes = |held: &[Arc<Trace>], run: &[Arc<Trace>]| held_bytes(held) + estimator.run_bytes(run);
    let estimate = Estimate { memory_bytes: memory_bytes(&contents.kernels, &chosen).max(contents.texts_bytes) };
    let several = contents.files.len() > 1;
    let of_file = |held: &[Arc<Trace>]| if several { memory_bytes(held, held) } else { estimate.memory_bytes };
    let numbers = 0..contents.files.len();
    let mut files: Vec<FileInfo> = numbers.map(|number| file_info(contents, number, &of_file)).collect();
    // The example comes last, after files that only add a GPU.
    if let Some(example) = &contents.example {
        let kernels = contents.kernels.iter().zip(1..).map(|(kernel, n)| kernel_info(n, kernel, 0)).collect();
        let file = format!("example:{example}");
        files.push(FileInfo { file, kernels, estimate, ..FileInfo::empty() });
    }
    Ok(Info { files, estimate })
}

impl FileInfo {
    fn empty() -> Self {
        Self {
            file: String::new(),
            format: "built-in example".into(),
            read_as: "",
            candidates: Vec::new(),
            recognised_by: "name",
            compression: None,
            version: None,
            role: "trace",
            bytes: 0,
            kernels: Vec::new(),
            skipped: Vec::new(),
            diagnostics: Vec::new(),
            estimate: Estimate { memory_bytes: 0 },
        }
    }
}

fn file_info(contents: &Contents, number: usize, memory_bytes: &dyn Fn(&[Arc<Trace>]) -> u64) -> FileInfo {
    let file = &contents.files[number];
    let mine = || {
        let all = contents.kernels.iter().zip(&contents.places).zip(1u32..);
        all.filter(|((_, place), _)| place.file == number).map(|((kernel, place), n)| (n, kernel, *place))
    };
    let held: Vec<Arc<Trace>> = mine().map(|(_, kernel, _)| Arc::clone(kernel)).collect();
    let diagnostics: Vec<Diagnostic> = contents.diagnostics.iter().filter(|d| d.file == file.name).cloned().collect();
    let mut skipped: Vec<Skipped> = mine().filter_map(|(_, kernel, place)| bulk(kernel, place)).collect();
    // A warning of a CUDA text is about what the run assumes, or names a kernel that did not run. The diagnostics have it.
    let least = if file.key == "cuda" { Severity::Warning } else { Severity::Note };
    skipped.extend(diagnostics.iter().filter(|d| d.severity > least).map(|d| Skipped {
        what: d.found.clone(),
        line: d.line,
        why: format!("expected {}; {}", d.expected, d.help),
    }));
    FileInfo {
        file: file.name.clone(),
        format: file.format.clone(),
        read_as: file.key,
        candidates: file.candidates.clone(),
        recognised_by: match file {
            _ if file.chosen => "choice",
            _ if file.by_name => "name",
            _ => "content",
        },
        compression: file.compression,
        version: file.version,
        role: file.role,
        bytes: file.id.size,
        kernels: mine().map(|(n, kernel, place)| kernel_info(n, kernel, place.left_out)).collect(),
        skipped,
        diagnostics,
        estimate: Estimate { memory_bytes: memory_bytes(&held) },
    }
}

fn bulk(kernel: &Trace, place: KernelSource) -> Option<Skipped> {
    (place.left_out > 0).then(|| Skipped {
        what: format!(
            "the addresses of {n} memory instruction{s} of {}",
            kernel.name,
            n = place.left_out,
            s = base::plural(place.left_out, "s")
        ),
        line: None,
        why: "bulk copies and unknown opcodes have no address per lane; they are counted as instructions".into(),
    })
}

fn kernel_info(number: u32, kernel: &Trace, left_out: u64) -> KernelInfo {
    let (grid, block) = (kernel.launch.grid, kernel.launch.block);
    let mut by_site = vec![0u64; kernel.sites.len()];
    for access in kernel.warps.iter().flat_map(|warp| kernel.accesses(warp)) {
        by_site[access.site as usize] += u64::from(access.mask.count_ones());
    }
    let mut accesses = BTreeMap::new();
    for (site, lanes) in kernel.sites.iter().zip(by_site) {
        *accesses.entry(format!("{}_{}", space_name(site.space), kind_name(site.kind))).or_insert(0) += lanes;
    }
    let array = |array: &trace::Array| ArrayInfo {
        name: array.name.clone(),
        base: format!("{:#x}", array.base),
        bytes: array.bytes,
        guessed: array.origin == Origin::Guessed,
    };
    KernelInfo {
        number,
        name: kernel.name.clone(),
        grid: [grid.x, grid.y, grid.z],
        block: [block.x, block.y, block.z],
        blocks_present: kernel.blocks.len(),
        threads: kernel.blocks.len() as u64 * block.count(),
        warps: kernel.warps.len(),
        instructions: kernel.warps.iter().map(|warp| warp.instructions).sum(),
        memory_instructions: kernel.access_count() as u64 + left_out,
        accesses,
        arrays: kernel.arrays.iter().map(array).collect(),
    }
}

/// Names a memory space as reports do.
pub(crate) fn space_name(space: Space) -> &'static str {
    match space {
        Space::Global => "global",
        Space::Local => "local",
        Space::Shared => "shared",
        Space::Constant => "constant",
        Space::Texture => "texture",
    }
}

/// Names a kind of access as reports do.
pub(crate) fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Load => "load",
        Kind::Store => "store",
        Kind::Atomic => "atomic",
    }
}
