//! Puts several files together: kernels in launch order, and arrays with names.
//!
//! In: the [`FileContent`] of every dropped file. Out: a [`TraceSet`]. A kernels list gives the order of the kernels
//! that it names. Its memory copies name the arrays of the kernels that follow them. Files match by base name, without
//! folder and compression suffix. Kernels that no list names come after the others, in natural order of their file
//! names. Ranges of addresses without a name become guessed arrays.
//!
//! Not modelled: copies from the device and frees, which are not in the list. So an array keeps its name to the end.

use crate::canonical::arrays;
use crate::{AddressStream, Array, FileContent, Format, ListEntry, Origin, Trace};
use base::{Diagnostic, Diagnostics, Severity};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// The kernels and address streams of all files.
#[derive(Clone, Debug, Default)]
pub struct TraceSet {
    /// The kernels in launch order.
    pub kernels: Vec<Trace>,
    /// The source of each kernel.
    pub kernel_sources: Vec<KernelSource>,
    /// Address streams, in natural order of the names of their files. They have no launch and belong to no kernel.
    pub streams: Vec<AddressStream>,
    /// The messages of all files, and then those about missing files.
    pub diagnostics: Vec<Diagnostic>,
}

/// The file from which a kernel was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KernelSource {
    /// [`FileContent::number`] of the file.
    pub file: usize,
    /// Memory instructions of the kernel whose addresses the trace does not have.
    pub left_out: u64,
}

/// The name and the kernels of a trace file that no list names.
type UnlistedFile = (String, Vec<(KernelSource, Trace)>);

fn unlisted_file(file: FileContent) -> UnlistedFile {
    let left_out = file.left_out.into_iter().chain(std::iter::repeat(0));
    let sources = left_out.map(|left_out| KernelSource { file: file.number, left_out });
    (file.name, sources.zip(file.kernels).collect())
}

/// Most names of missing files in a message.
const MISSING_NAMES_MAX: usize = 4;
/// Most arrays that get a name, so that a hostile list does not cost much time.
const NAMED_MAX: usize = 1 << 14;
/// Longest list of allocations that is read, in bytes.
const ALLOCATIONS_MAX: usize = 4 << 20;

/// Puts the dropped files together.
pub fn assemble(files: Vec<FileContent>) -> TraceSet {
    let mut files: Vec<FileContent> = files.into_iter().flat_map(FileContent::into_files).collect();
    base::sort_by(&mut files, |a, b| compare_natural(&a.name, &b.name));
    let mut set = TraceSet::default();
    let mut unlisted: Vec<UnlistedFile> = Vec::new();
    let mut lists = Vec::new();
    let mut allocations = Vec::new();
    for mut file in files {
        set.diagnostics.append(&mut file.diagnostics);
        set.streams.append(&mut file.streams);
        match file.format {
            Format::KernelsList => lists.push((file.name, file.launches)),
            Format::Allocations => allocations.extend(file.launches),
            _ if !file.kernels.is_empty() => unlisted.push(unlisted_file(file)),
            _ => {}
        }
    }
    for (name, entries) in lists {
        take_listed_kernels(&name, &entries, &mut unlisted, &mut set);
    }
    for (source, kernel) in unlisted.into_iter().flat_map(|(_, kernels)| kernels) {
        set.kernel_sources.push(source);
        set.kernels.push(kernel);
    }
    let allocated = allocated_arrays(&allocations);
    for kernel in &mut set.kernels {
        name_allocations(kernel, &allocated);
        arrays::guess_arrays(kernel);
    }
    set
}

/// Moves the kernels that a list names to `set`, in the order of the list. Each kernel gets the arrays of the copies
/// before it.
fn take_listed_kernels(name: &str, entries: &[ListEntry], unlisted: &mut Vec<UnlistedFile>, set: &mut TraceSet) {
    let mut memory = DeviceMemory::new("array", Some(true));
    let mut missing = Vec::new();
    let mut found = 0;
    for entry in entries {
        match entry {
            ListEntry::Copy { base, bytes } => memory.add_range(*base, *bytes),
            ListEntry::Kernel { file } => {
                let Some(at) = find_listed(name, file, unlisted) else {
                    missing.push(base_name(file));
                    continue;
                };
                found += 1;
                for (source, mut kernel) in unlisted.remove(at).1 {
                    set.kernel_sources.push(source);
                    kernel.replace_arrays(memory.arrays());
                    set.kernels.push(kernel);
                }
            }
        }
    }
    if !missing.is_empty() {
        set.diagnostics.extend(report_missing(name, found, &missing));
    }
}

fn report_missing(list: &str, found: usize, missing: &[&str]) -> Vec<Diagnostic> {
    let mut diagnostics = Diagnostics::new(list);
    let mut names = missing[..missing.len().min(MISSING_NAMES_MAX)].join(", ");
    if missing.len() > MISSING_NAMES_MAX {
        names += &format!(" and {} more", missing.len() - MISSING_NAMES_MAX);
    }
    let (severity, help) = match found {
        0 => (Severity::Warning, "load the kernel files together with the list"),
        _ => (Severity::Note, "the loaded kernels are used; load the missing files as well to have all kernels"),
    };
    let expected = format!(
        "{n} kernel file{s} beside the list",
        n = found + missing.len(),
        s = base::plural((found + missing.len()) as u64, "s")
    );
    diagnostics.add(severity, None, expected, format!("{found}; {names} not loaded"), help);
    diagnostics.into_vec()
}

/// The index of the file that the list calls `listed`. A file with the same base name in the folder of the list is
/// best, then one in another folder, then a file with the same stem.
fn find_listed(list: &str, listed: &str, unlisted: &[UnlistedFile]) -> Option<usize> {
    let wanted = without_compression(base_name(listed));
    let folder = &list[..list.len() - base_name(list).len()];
    let exact = |(name, _): &UnlistedFile| without_compression(base_name(name)) == wanted;
    let near = |file: &UnlistedFile| exact(file) && file.0.starts_with(folder);
    let alike = |(name, _): &UnlistedFile| stem(name) == stem(listed);
    let at = unlisted.iter().position(near).or_else(|| unlisted.iter().position(exact));
    at.or_else(|| unlisted.iter().position(alike))
}

/// The arrays in device memory, as copies or allocations name them.
struct DeviceMemory {
    prefix: &'static str,
    /// Whether the ranges are copies from the host. Allocations do not tell.
    copied_in: Option<bool>,
    by_base: BTreeMap<u64, Array>,
}

impl DeviceMemory {
    fn new(prefix: &'static str, copied_in: Option<bool>) -> Self {
        Self { prefix, copied_in, by_base: BTreeMap::new() }
    }

    /// A range at a known base replaces the length of the known array. A range inside a known array is a part of it.
    fn add_range(&mut self, base: u64, bytes: u64) {
        let number = self.by_base.len() + 1;
        if let Some((_, array)) = self.by_base.range_mut(..=base).next_back() {
            if array.base == base {
                array.bytes = bytes;
                return;
            }
            if base - array.base < array.bytes {
                return;
            }
        }
        if number <= NAMED_MAX {
            let name = format!("{} {number}", self.prefix);
            self.by_base.insert(base, Array { name, base, bytes, origin: Origin::Named, copied_in: self.copied_in });
        }
    }

    fn arrays(&self) -> Vec<Array> {
        self.by_base.values().cloned().collect()
    }
}

fn allocated_arrays(entries: &[ListEntry]) -> Vec<Array> {
    let mut memory = DeviceMemory::new("allocation", None);
    for entry in entries {
        if let ListEntry::Copy { base, bytes } = entry {
            memory.add_range(*base, *bytes);
        }
    }
    memory.arrays()
}

/// Adds those allocations as arrays that no copy names and that the kernel accesses.
fn name_allocations(kernel: &mut Trace, allocated: &[Array]) {
    let named = |a: &Array| kernel.arrays.binary_search_by_key(&a.base, |b| b.base).is_ok();
    let free: Vec<Array> = allocated.iter().filter(|a| !named(a)).cloned().collect();
    if free.is_empty() {
        return;
    }
    let mut arrays = arrays::only_accessed(kernel, free);
    arrays.extend(kernel.arrays.iter().cloned());
    kernel.replace_arrays(arrays);
}

/// The entries of a JSON list of `{"device_ptr": …, "num_bytes": …}`. Any other JSON gives no entries.
pub(crate) fn parse_allocations(json: &[u8]) -> Vec<ListEntry> {
    if json.len() > ALLOCATIONS_MAX || memchr::memmem::find(json, b"\"device_ptr\"").is_none() {
        return Vec::new();
    }
    let Ok(serde_json::Value::Array(items)) = serde_json::from_slice(json) else { return Vec::new() };
    let entry = |item: &serde_json::Value| {
        let field = |key| item.get(key).and_then(serde_json::Value::as_u64);
        Some(ListEntry::Copy { base: field("device_ptr")?, bytes: field("num_bytes")? })
    };
    items.iter().map(entry).collect::<Option<Vec<_>>>().unwrap_or_default()
}

/// A path without its folders. Both `/` and `\` separate folders.
pub(crate) fn base_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// A file name without a compression suffix. It needs no `.zip`, since `kernel.traceg.zip` is the folder of its
/// members.
pub(crate) fn without_compression(name: &str) -> &str {
    let packed = [".gz", ".xz", ".zst", ".bz2"].iter().find_map(|suffix| name.strip_suffix(suffix));
    packed.unwrap_or(name)
}

/// A file name without folders, compression suffix and extension.
pub(crate) fn stem(path: &str) -> &str {
    let name = without_compression(base_name(path));
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Compares names so that `kernel-2` comes before `kernel-10`.
fn compare_natural(a: &str, b: &str) -> Ordering {
    let (mut x, mut y) = (a, b);
    loop {
        let (digits_x, digits_y) = (leading_digits(x), leading_digits(y));
        if digits_x > 0 && digits_y > 0 {
            let (n, m) = (x[..digits_x].trim_start_matches('0'), y[..digits_y].trim_start_matches('0'));
            let order = n.len().cmp(&m.len()).then_with(|| n.cmp(m));
            if order != Ordering::Equal {
                return order;
            }
            (x, y) = (&x[digits_x..], &y[digits_y..]);
            continue;
        }
        let (mut chars_x, mut chars_y) = (x.chars(), y.chars());
        match (chars_x.next(), chars_y.next()) {
            (None, None) => return a.cmp(b),
            (Some(c), Some(d)) if c == d => (x, y) = (chars_x.as_str(), chars_y.as_str()),
            (c, d) => return c.cmp(&d),
        }
    }
}

fn leading_digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FileReader;

    fn file(name: &str, text: &str) -> FileContent {
        let mut reader = FileReader::new(name);
        reader.push_bytes(text.as_bytes());
        reader.finish()
    }

    fn kernel(name: &str, address: u64) -> String {
        let head = format!(
            "-kernel name = {name}\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-accelsim tracer version = 5\n"
        );
        let line = format!("0008 00000001 1 R1 LDG.E 1 R2 4 1 {address:#x} 0 0 0");
        format!("{head}#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 1\n{line}\n#END_TB\n")
    }

    fn names(set: &TraceSet) -> Vec<&str> {
        set.kernels.iter().map(|kernel| kernel.name.as_str()).collect()
    }

    #[test]
    fn a_list_orders_kernels_and_names_arrays() {
        let list = "MemcpyHtoD,0x1000,256\nkernel-2.traceg\nMemcpyHtoD,0x2000,256\nMemcpyHtoD,0x1000,512\n\
                    kernel-1.traceg.xz\nkernel-3.traceg\nkernel-9.traceg\n";
        let set = assemble(vec![
            file("run/kernel-10.traceg", &kernel("ten", 0x9000)),
            file("run/kernel-1.traceg", &kernel("one", 0x2000)),
            file("run/kernel-2.traceg", &kernel("two", 0x1000)),
            file("run/kernelslist.g", list),
        ]);
        assert_eq!(names(&set), ["two", "one", "ten"]);
        let arrays = |i: usize| -> Vec<(&str, u64)> {
            set.kernels[i].arrays.iter().map(|array| (array.name.as_str(), array.bytes)).collect()
        };
        assert_eq!(arrays(0), [("array 1", 256)]);
        assert_eq!(arrays(1), [("array 1", 512), ("array 2", 256)]);
        assert_eq!(arrays(2), [("A", 4)]);
        assert_eq!(set.diagnostics.len(), 1);
        assert_eq!(
            set.diagnostics[0].to_string(),
            "run/kernelslist.g: note: expected 4 kernel files beside the list, found 2; kernel-3.traceg, kernel-9.traceg \
             not loaded; the loaded kernels are used; load the missing files as well to have all kernels"
        );
    }

    #[test]
    fn without_a_list_names_decide() {
        let files = ["kernel-10.traceg", "kernel-9.traceg", "b/kernel-1.traceg", "kernel-09a.traceg"];
        let set = assemble(files.iter().map(|name| file(name, &kernel(name, 0))).collect());
        assert_eq!(names(&set), ["b/kernel-1.traceg", "kernel-9.traceg", "kernel-09a.traceg", "kernel-10.traceg"]);
    }

    #[test]
    fn allocations_name_what_is_touched() {
        let json = r#"[{"device_ptr": 4096, "num_bytes": 64}, {"device_ptr": 8192, "num_bytes": 64}]"#;
        let set = assemble(vec![file("allocations.json", json), file("kernel-1.traceg", &kernel("k", 8200))]);
        let arrays: Vec<&str> = set.kernels[0].arrays.iter().map(|array| array.name.as_str()).collect();
        assert_eq!(arrays, ["allocation 2"]);
    }
}
