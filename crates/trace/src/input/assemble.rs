//! Several files become one source: kernels in launch order, arrays with names.
//!
//! In: the [`FileContent`] of every dropped file. Out: a [`Source`]. A kernels list orders the kernels it names and its
//! copies name arrays in the kernels that follow them; files match by base name, whatever their folder and compression
//! suffix. Kernels that no list names follow in natural order of their file names. Arrays without a name are guessed.
//!
//! Not modelled: copies from the device and frees (the list does not have them), so an array keeps its name for good.

use crate::canonical::arrays;
use crate::{AddressStream, Array, FileContent, Format, ListEntry, Origin, Trace};
use base::{Diagnostic, Diagnostics, Severity};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Kernels in launch order, with everything that is to say about the files they came from.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// The kernels.
    pub kernels: Vec<Trace>,
    /// Where each kernel came from.
    pub places: Vec<Place>,
    /// Address streams, in natural order of their files' names. They have no launch and belong to no kernel.
    pub streams: Vec<AddressStream>,
    /// Messages of all files, then those about how the files fit together.
    pub diagnostics: Vec<Diagnostic>,
}

/// Where a kernel came from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// [`FileContent::number`] of its file.
    pub file: usize,
    /// Its memory instructions whose addresses the trace does not hold.
    pub left_out: u64,
}

/// A dropped trace file that no list has claimed yet: its name and kernels.
type Dropped = (String, Vec<(Place, Trace)>);

fn dropped(file: FileContent) -> Dropped {
    let left_out = file.left_out.into_iter().chain(std::iter::repeat(0));
    let places = left_out.map(|left_out| Place { file: file.number, left_out });
    (file.name, places.zip(file.kernels).collect())
}

/// Names of missing files that a message lists.
const NAMES_TOLD: usize = 4;
/// Arrays that are named; more would be noise, and a hostile list must not cost time.
const NAMED_MAX: usize = 1 << 14;
/// Largest list of allocations that is read.
const ALLOCATIONS_MAX: usize = 4 << 20;

/// Puts dropped files together.
pub fn assemble(files: Vec<FileContent>) -> Source {
    let mut files: Vec<FileContent> = files.into_iter().flat_map(FileContent::into_files).collect();
    files.sort_by(|a, b| natural(&a.name, &b.name));
    let mut source = Source::default();
    let mut waiting: Vec<Dropped> = Vec::new();
    let mut lists = Vec::new();
    let mut allocations = Vec::new();
    for mut file in files {
        source.diagnostics.append(&mut file.diagnostics);
        source.streams.append(&mut file.streams);
        match file.format {
            Format::KernelsList => lists.push((file.name, file.launches)),
            Format::Allocations => allocations.extend(file.launches),
            _ if !file.kernels.is_empty() => waiting.push(dropped(file)),
            _ => {}
        }
    }
    for (name, entries) in lists {
        follow(&name, &entries, &mut waiting, &mut source);
    }
    for (place, kernel) in waiting.into_iter().flat_map(|(_, kernels)| kernels) {
        source.places.push(place);
        source.kernels.push(kernel);
    }
    let allocated = copies("allocation", &allocations);
    for kernel in &mut source.kernels {
        name_allocations(kernel, &allocated);
        arrays::guess(kernel);
    }
    source
}

/// Takes the kernels that a list names, in its order, with the arrays it has named up to each.
fn follow(name: &str, entries: &[ListEntry], waiting: &mut Vec<Dropped>, source: &mut Source) {
    let mut memory = Memory::new("array");
    let mut missing = Vec::new();
    let mut found = 0;
    for entry in entries {
        match entry {
            ListEntry::Copy { base, bytes } => memory.copy(*base, *bytes),
            ListEntry::Kernel { file } => {
                let Some(at) = find(name, file, waiting) else {
                    missing.push(base_name(file));
                    continue;
                };
                found += 1;
                for (place, mut kernel) in waiting.remove(at).1 {
                    source.places.push(place);
                    kernel.rename_arrays(memory.arrays());
                    source.kernels.push(kernel);
                }
            }
        }
    }
    if !missing.is_empty() {
        source.diagnostics.extend(tell_missing(name, found, &missing));
    }
}

fn tell_missing(list: &str, found: usize, missing: &[&str]) -> Vec<Diagnostic> {
    let mut diagnostics = Diagnostics::new(list);
    let mut names = missing[..missing.len().min(NAMES_TOLD)].join(", ");
    if missing.len() > NAMES_TOLD {
        names += &format!(" and {} more", missing.len() - NAMES_TOLD);
    }
    let (severity, help) = match found {
        0 => (Severity::Warning, "load the kernel files together with the list"),
        _ => (Severity::Note, "the kernels that are there are used; load the others with them if you want all"),
    };
    let expected = format!("{} kernel files beside the list", found + missing.len());
    diagnostics.add(severity, None, expected, format!("{found}; {names} not loaded"), help);
    diagnostics.into_vec()
}

/// The dropped file that `listed` means: the same base name, best in the folder of the list, else the same stem.
fn find(list: &str, listed: &str, waiting: &[Dropped]) -> Option<usize> {
    let wanted = without_compression(base_name(listed));
    let folder = &list[..list.len() - base_name(list).len()];
    let exact = |(name, _): &Dropped| without_compression(base_name(name)) == wanted;
    let near = |file: &Dropped| exact(file) && file.0.starts_with(folder);
    let alike = |(name, _): &Dropped| stem(name) == stem(listed);
    let at = waiting.iter().position(near).or_else(|| waiting.iter().position(exact));
    at.or_else(|| waiting.iter().position(alike))
}

/// Device memory as copies and allocations show it.
struct Memory {
    prefix: &'static str,
    by_base: BTreeMap<u64, Array>,
}

impl Memory {
    fn new(prefix: &'static str) -> Self {
        Self { prefix, by_base: BTreeMap::new() }
    }

    /// A copy to a known base replaces its length; one into the middle of a known array is a part of it.
    fn copy(&mut self, base: u64, bytes: u64) {
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
            self.by_base.insert(base, Array { name, base, bytes, origin: Origin::Named });
        }
    }

    fn arrays(&self) -> Vec<Array> {
        self.by_base.values().cloned().collect()
    }
}

fn copies(prefix: &'static str, entries: &[ListEntry]) -> Vec<Array> {
    let mut memory = Memory::new(prefix);
    for entry in entries {
        if let ListEntry::Copy { base, bytes } = entry {
            memory.copy(*base, *bytes);
        }
    }
    memory.arrays()
}

/// Allocations name what copies do not; those that the kernel leaves alone would only be noise.
fn name_allocations(kernel: &mut Trace, allocated: &[Array]) {
    let named = |a: &Array| kernel.arrays.binary_search_by_key(&a.base, |b| b.base).is_ok();
    let free: Vec<Array> = allocated.iter().filter(|a| !named(a)).cloned().collect();
    if free.is_empty() {
        return;
    }
    let mut arrays = arrays::only_touched(kernel, free);
    arrays.extend(kernel.arrays.iter().cloned());
    kernel.rename_arrays(arrays);
}

/// Entries of a JSON list of `{"device_ptr": …, "num_bytes": …}`; empty for any other JSON.
pub(crate) fn allocations(json: &[u8]) -> Vec<ListEntry> {
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

/// A path without its folders, written either way.
pub(crate) fn base_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// A file name without a compression suffix; `kernel.traceg.zip/kernel.traceg` has lost its own with the folder.
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
fn natural(a: &str, b: &str) -> Ordering {
    let (mut x, mut y) = (a, b);
    loop {
        let (digits_x, digits_y) = (digits(x), digits(y));
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

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FileReader;

    fn file(name: &str, text: &str) -> FileContent {
        let mut reader = FileReader::new(name);
        reader.push(text.as_bytes());
        reader.finish()
    }

    fn kernel(name: &str, address: u64) -> String {
        let head = format!(
            "-kernel name = {name}\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-accelsim tracer version = 5\n"
        );
        let line = format!("0008 00000001 1 R1 LDG.E 1 R2 4 1 {address:#x} 0 0 0");
        format!("{head}#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 1\n{line}\n#END_TB\n")
    }

    fn names(source: &Source) -> Vec<&str> {
        source.kernels.iter().map(|kernel| kernel.name.as_str()).collect()
    }

    #[test]
    fn a_list_orders_kernels_and_names_arrays() {
        let list = "MemcpyHtoD,0x1000,256\nkernel-2.traceg\nMemcpyHtoD,0x2000,256\nMemcpyHtoD,0x1000,512\n\
                    kernel-1.traceg.xz\nkernel-3.traceg\nkernel-9.traceg\n";
        let source = assemble(vec![
            file("run/kernel-10.traceg", &kernel("ten", 0x9000)),
            file("run/kernel-1.traceg", &kernel("one", 0x2000)),
            file("run/kernel-2.traceg", &kernel("two", 0x1000)),
            file("run/kernelslist.g", list),
        ]);
        assert_eq!(names(&source), ["two", "one", "ten"]);
        let arrays = |i: usize| -> Vec<(&str, u64)> {
            source.kernels[i].arrays.iter().map(|array| (array.name.as_str(), array.bytes)).collect()
        };
        assert_eq!(arrays(0), [("array 1", 256)]);
        assert_eq!(arrays(1), [("array 1", 512), ("array 2", 256)]);
        assert_eq!(arrays(2), [("A", 4)]);
        assert_eq!(source.diagnostics.len(), 1);
        assert_eq!(
            source.diagnostics[0].to_string(),
            "run/kernelslist.g: note: expected 4 kernel files beside the list, found 2; kernel-3.traceg, kernel-9.traceg \
             not loaded; the kernels that are there are used; load the others with them if you want all"
        );
    }

    #[test]
    fn without_a_list_names_decide() {
        let files = ["kernel-10.traceg", "kernel-9.traceg", "b/kernel-1.traceg", "kernel-09a.traceg"];
        let source = assemble(files.iter().map(|name| file(name, &kernel(name, 0))).collect());
        assert_eq!(names(&source), ["b/kernel-1.traceg", "kernel-9.traceg", "kernel-09a.traceg", "kernel-10.traceg"]);
    }

    #[test]
    fn allocations_name_what_is_touched() {
        let json = r#"[{"device_ptr": 4096, "num_bytes": 64}, {"device_ptr": 8192, "num_bytes": 64}]"#;
        let source = assemble(vec![file("allocations.json", json), file("kernel-1.traceg", &kernel("k", 8200))]);
        let arrays: Vec<&str> = source.kernels[0].arrays.iter().map(|array| array.name.as_str()).collect();
        assert_eq!(arrays, ["allocation 2"]);
    }
}
