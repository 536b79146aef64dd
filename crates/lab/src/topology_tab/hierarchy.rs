//! The memory hierarchy of a topology as nested boxes, in the style of lstopo.
//!
//! In: a [`Topology`].
//! Out: [`HierarchyBoxes`]: the memories of one core, and the memories that all cores share. Logical memories in one
//! physical cache are one box. Sizes are those of one instance.

use gpu::{Cache, Fact, Status, Topology};
use serde::Serialize;

/// The kind of a box, which determines its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BoxKind {
    /// The L1, texture and read-only caches.
    Data,
    /// The constant and scalar caches.
    Constant,
    /// Shared memory.
    Shared,
    /// The L2 and L3 caches.
    Outer,
    /// Main memory.
    Memory,
}

/// One physical cache or memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HierarchyBox {
    /// The kind, which determines the colour.
    pub kind: BoxKind,
    /// The names of the logical memories in it.
    pub title: String,
    /// The size and latency of each logical memory, then its cache lines.
    pub lines: Vec<String>,
    /// The number of instances, per core for the boxes of a core and per GPU for the others.
    pub amount: u64,
    /// True if the size is assumed or unknown.
    pub unsure: bool,
}

/// The boxes of a whole GPU.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HierarchyBoxes {
    /// The name and the vendor of the GPU.
    pub title: String,
    /// The word for a core.
    pub core: String,
    /// The number of cores.
    pub cores: u64,
    /// The memories of one core.
    pub inner: Vec<HierarchyBox>,
    /// The memories that all cores share, nearest first.
    pub outer: Vec<HierarchyBox>,
}

/// Makes the boxes of a topology.
pub fn hierarchy_boxes(topology: &Topology) -> HierarchyBoxes {
    let t = topology;
    let mut inner: Vec<HierarchyBox> = Vec::new();
    let data = [("L1", Some(&t.l1)), ("Texture", t.texture.as_ref()), ("Read Only", t.read_only.as_ref())];
    let data: Vec<(&str, &Cache)> = data.into_iter().filter_map(|(name, cache)| Some((name, cache?))).collect();
    let mut placed: Vec<&str> = Vec::new();
    for (name, cache) in &data {
        if placed.contains(name) {
            continue;
        }
        let together = |other: &&(&str, &Cache)| other.0 == *name || says(cache, other.0) || says(other.1, name);
        let group: Vec<(&str, &Cache)> =
            data.iter().filter(|other| !placed.contains(&other.0)).filter(together).copied().collect();
        placed.extend(group.iter().map(|(name, _)| *name));
        inner.push(cache_block(BoxKind::Data, &group));
    }
    let constant = [("Constant L1", &t.constant_l1), ("Constant L1.5", &t.constant_l1_5)];
    for (name, cache) in constant.into_iter().filter_map(|(name, cache)| Some((name, cache.as_ref()?))) {
        inner.push(cache_block(BoxKind::Constant, &[(name, cache)]));
    }
    if t.shared_bytes_per_core.is_some() || t.shared_cycles.is_some() {
        inner.push(memory(BoxKind::Shared, "Shared memory", &t.shared_bytes_per_core, &t.shared_cycles));
    }
    let mut outer: Vec<HierarchyBox> = Vec::new();
    if let Some(scalar) = &t.scalar_l1 {
        outer.push(cache_block(BoxKind::Constant, &[("Scalar L1", scalar)]));
    }
    for (name, cache) in [("L2", &t.l2), ("L3", &t.l3)] {
        outer.extend(cache.as_ref().map(|cache| cache_block(BoxKind::Outer, &[(name, cache)])));
    }
    outer.push(memory(BoxKind::Memory, "Main memory", &t.memory_bytes, &t.memory_cycles));
    HierarchyBoxes { title: t.name.clone(), core: "Core".into(), cores: t.cores.value, inner, outer }
}

fn says(cache: &Cache, name: &str) -> bool {
    cache.shared_with.as_ref().is_some_and(|fact| fact.value.iter().any(|other| other == name))
}

fn cache_block(kind: BoxKind, group: &[(&str, &Cache)]) -> HierarchyBox {
    let title = group.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    let one = |(name, cache): &(&str, &Cache)| {
        let size = cache.bytes.as_ref().map(|fact| size_text(fact.value));
        let cycles = cache.hit_cycles.as_ref().map(|fact| cycles(fact.value));
        let known = [size.unwrap_or("size unknown".into())].into_iter().chain(cycles).collect::<Vec<_>>().join(", ");
        if group.len() == 1 {
            known
        } else {
            format!("{name}: {known}")
        }
    };
    let mut lines: Vec<String> = group.iter().map(one).collect();
    // Memories of one cache usually have the same lines, which are then named once.
    let mut shapes: Vec<String> = group.iter().filter_map(|(_, cache)| shape(cache)).collect();
    shapes.dedup();
    lines.extend(shapes);
    let amount = group.iter().filter_map(|(_, cache)| cache.instances.as_ref()).map(|fact| fact.value).max();
    let sure = |cache: &Cache| cache.bytes.as_ref().is_some_and(|fact| fact.status != Status::Assumed);
    let unsure = !group.first().is_some_and(|(_, cache)| sure(cache));
    HierarchyBox { kind, title, lines, amount: amount.unwrap_or(1), unsure }
}

fn shape(cache: &Cache) -> Option<String> {
    let line = cache.line_bytes.as_ref().map(|fact| format!("{} B lines", fact.value));
    let whole = cache.line_bytes.as_ref().map(|fact| fact.value);
    let fetch = cache.fetch_bytes.as_ref().filter(|fact| Some(fact.value) != whole);
    let fetch = fetch.map(|fact| format!("{} B fetched", fact.value));
    let parts: Vec<String> = line.into_iter().chain(fetch).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn memory(kind: BoxKind, title: &str, bytes: &Option<Fact<u64>>, latency: &Option<Fact<f64>>) -> HierarchyBox {
    let bytes_text = bytes.as_ref().map_or("size unknown".into(), |fact| size_text(fact.value));
    let text = [bytes_text].into_iter().chain(latency.as_ref().map(|fact| cycles(fact.value)));
    let unsure = bytes.as_ref().is_none_or(|fact| fact.status == Status::Assumed);
    HierarchyBox { kind, title: title.into(), lines: vec![text.collect::<Vec<_>>().join(", ")], amount: 1, unsure }
}

fn cycles(value: f64) -> String {
    let text = format!("{value:.1}");
    format!("{} cycles", text.strip_suffix(".0").unwrap_or(&text))
}

/// Formats a size with a binary unit, with one decimal place if it is not whole.
pub fn size_text(bytes: u64) -> String {
    let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
    let Some((shift, unit)) = units.into_iter().find(|(shift, _)| bytes >= 1 << shift) else {
        return format!("{bytes} B");
    };
    format!("{} {unit}", decimal_text(bytes as f64 / f64::from(1_u32 << shift), 1))
}

/// Formats a number with this many decimal places, or as a whole one if they are 0. A half is rounded up, as the page does
/// (`toFixed`); `format!` takes the even neighbour.
pub fn decimal_text(value: f64, digits: usize) -> String {
    let text = format!("{:.digits$}", value.next_up());
    text.strip_suffix(".0").unwrap_or(&text).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpu::preset;

    #[test]
    fn memories_of_one_cache_are_one_box() {
        let h100 = hierarchy_boxes(&preset("h100").expect("a preset"));
        let titles: Vec<&str> = h100.inner.iter().map(|block| block.title.as_str()).collect();
        assert_eq!(titles, ["L1, Texture, Read Only", "Constant L1", "Constant L1.5", "Shared memory"]);
        assert_eq!(h100.inner[0].lines[3], "128 B lines, 32 B fetched");
        assert!(h100.inner[2].unsure, "nobody knows the size of its constant L1.5");
        assert_eq!((h100.cores, h100.outer[0].amount), (132, 2));
        let k20c = hierarchy_boxes(&preset("k20c").expect("a preset"));
        assert!(k20c.inner.len() > 4 && k20c.inner[0].title == "L1", "an L1 of its own: {:?}", k20c.inner);
    }

    #[test]
    fn sizes_are_short() {
        assert_eq!(size_text(96), "96 B");
        assert_eq!(size_text(2112), "2.1 KiB");
        assert_eq!(size_text(262_144), "256 KiB");
        assert_eq!(size_text(85_176_483_840), "79.3 GiB");
        assert_eq!((size_text(33_024), size_text(33_536)), ("32.3 KiB".into(), "32.8 KiB".into()));
        assert_eq!((cycles(38.0), cycles(37.25)), ("38 cycles".into(), "37.2 cycles".into()));
    }
}
