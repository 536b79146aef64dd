//! What files hold: the use case behind `warpscope info` and the page's drop report.
//!
//! In: [`Contents`]. Out: [`Info`], plain data. An instruction is a line of the trace; a memory instruction one with a
//! non-zero mask and at least one address; an access one lane's address. Kernels belong to the file that holds them, also
//! where a list named them.

use super::estimate::memory_estimate;
use super::intake::Contents;
use crate::diag::{Diagnostic, Severity};
use crate::trace::{Kind, Origin, Place, Space, Trace};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What all files hold.
#[derive(Clone, Debug, Serialize)]
pub struct Info {
    /// One per file, in the order they came.
    pub files: Vec<FileInfo>,
    /// What all of them together need.
    pub estimate: Estimate,
}

/// What one file holds.
#[derive(Clone, Debug, Serialize)]
pub struct FileInfo {
    /// Name as it was given.
    pub file: String,
    /// Its format.
    pub format: String,
    /// `content`, or `name` where the content did not tell the format.
    pub recognised_by: &'static str,
    /// How it was compressed.
    pub compression: Option<&'static str>,
    /// Tracer version of an Accel-Sim trace; 0 where its header has none.
    pub version: Option<u64>,
    /// `trace`, `kernels list`, `topology` or `unknown`.
    pub role: &'static str,
    /// Length in bytes, as it lies on the disk.
    pub bytes: u64,
    /// Its kernels, in launch order.
    pub kernels: Vec<KernelInfo>,
    /// What was skipped and why.
    pub skipped: Vec<Skipped>,
    /// Everything there is to say.
    pub diagnostics: Vec<Diagnostic>,
    /// What this file alone needs.
    pub estimate: Estimate,
}

/// One kernel launch.
#[derive(Clone, Debug, Serialize)]
pub struct KernelInfo {
    /// Its number among all kernels that were read, from 1, as `--kernel` takes it.
    pub number: u32,
    /// Name.
    pub name: String,
    /// Blocks in the grid.
    pub grid: [u32; 3],
    /// Threads in a block.
    pub block: [u32; 3],
    /// Blocks that the trace holds.
    pub blocks_present: usize,
    /// Threads of the blocks that the trace holds.
    pub threads: u64,
    /// Warps that the trace holds.
    pub warps: usize,
    /// Lines of the trace.
    pub instructions: u64,
    /// Of these, those with active lanes and an address.
    pub memory_instructions: u64,
    /// Addresses of lanes, by space and kind, such as `global_load`.
    pub accesses: BTreeMap<String, u64>,
    /// Its arrays.
    pub arrays: Vec<ArrayInfo>,
}

/// An array of a kernel.
#[derive(Clone, Debug, Serialize)]
pub struct ArrayInfo {
    /// Name.
    pub name: String,
    /// First byte address, hexadecimal.
    pub base: String,
    /// Length in bytes.
    pub bytes: u64,
    /// The range was guessed from gaps in the address space.
    pub guessed: bool,
}

/// Something that is not used.
#[derive(Clone, Debug, Serialize)]
pub struct Skipped {
    /// What it is.
    pub what: String,
    /// Line of the file.
    pub line: Option<u64>,
    /// Why it is not used.
    pub why: String,
}

/// What the next step needs.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Estimate {
    /// Memory at the peak, bytes.
    pub memory_bytes: u64,
}

/// Describes what was read.
pub fn info(contents: &Contents) -> Info {
    let estimate = Estimate { memory_bytes: memory_estimate(&contents.kernels) };
    let mut files: Vec<FileInfo> = (0..contents.files.len()).map(|number| file_info(contents, number)).collect();
    // Last, behind files that only add a GPU to it.
    if let Some(example) = &contents.example {
        let kernels = contents.kernels.iter().zip(1..).map(|(kernel, n)| kernel_info(n, kernel, 0)).collect();
        let file = format!("example:{example}");
        files.push(FileInfo { file, kernels, estimate, ..FileInfo::empty() });
    }
    Info { files, estimate }
}

impl FileInfo {
    fn empty() -> Self {
        Self {
            file: String::new(),
            format: "built-in example".into(),
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

fn file_info(contents: &Contents, number: usize) -> FileInfo {
    let file = &contents.files[number];
    let mine = || {
        let all = contents.kernels.iter().zip(&contents.places).zip(1u32..);
        all.filter(|((_, place), _)| place.file == number).map(|((kernel, place), n)| (n, kernel, *place))
    };
    let held: Vec<Arc<Trace>> = mine().map(|(_, kernel, _)| Arc::clone(kernel)).collect();
    let diagnostics: Vec<Diagnostic> = contents.diagnostics.iter().filter(|d| d.file == file.name).cloned().collect();
    let mut skipped: Vec<Skipped> = mine().filter_map(|(_, kernel, place)| bulk(kernel, place)).collect();
    skipped.extend(diagnostics.iter().filter(|d| d.severity > Severity::Note).map(|d| Skipped {
        what: d.found.clone(),
        line: d.line,
        why: format!("expected {}; {}", d.expected, d.help),
    }));
    FileInfo {
        file: file.name.clone(),
        format: file.format.clone(),
        recognised_by: if file.by_name { "name" } else { "content" },
        compression: file.compression,
        version: file.version,
        role: file.role,
        bytes: file.id.size,
        kernels: mine().map(|(n, kernel, place)| kernel_info(n, kernel, place.left_out)).collect(),
        skipped,
        diagnostics,
        estimate: Estimate { memory_bytes: memory_estimate(&held) },
    }
}

fn bulk(kernel: &Trace, place: Place) -> Option<Skipped> {
    (place.left_out > 0).then(|| Skipped {
        what: format!("the addresses of {} memory instructions of {}", place.left_out, kernel.name),
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
    let array = |array: &crate::trace::Array| ArrayInfo {
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

/// A space as reports name it.
pub(super) fn space_name(space: Space) -> &'static str {
    match space {
        Space::Global => "global",
        Space::Local => "local",
        Space::Shared => "shared",
        Space::Constant => "constant",
        Space::Texture => "texture",
    }
}

/// A kind of access as reports name it.
pub(super) fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Load => "load",
        Kind::Store => "store",
        Kind::Atomic => "atomic",
    }
}
