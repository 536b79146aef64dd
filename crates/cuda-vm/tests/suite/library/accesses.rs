//! Access lists derived by hand. They say what each warp of a kernel must load and store, instruction by instruction,
//! with each lane's address as a formula of block, warp and lane. Only the trace under test comes from the emulator.

use super::case::Case;
use cuda_vm::library_kernel;
use trace::{Kind, Space};

const WARP_LANES: usize = 32;

/// An access of a warp: its line of the text, its kind, and the address of each active lane.
#[derive(Debug, PartialEq, Eq)]
struct Access {
    line: u32,
    kind: Kind,
    space: Space,
    lanes: Vec<Option<u64>>,
}

/// The addresses of the arrays. They start at 0x7f00_0000_0000 in the order of the launch, each at a multiple of 512
/// bytes.
struct Layout(Vec<(&'static str, u64)>);

impl Layout {
    fn new(arrays: &[(&'static str, u64)]) -> Self {
        let mut next = 0x7f00_0000_0000;
        let mut place = |&(name, elements): &(&'static str, u64)| {
            let base = next;
            next += (4 * elements).next_multiple_of(512);
            (name, base)
        };
        Self(arrays.iter().map(&mut place).collect())
    }

    fn at(&self, name: &str, element: u64) -> u64 {
        self.0.iter().find(|(n, _)| *n == name).expect("an array of the layout").1 + 4 * element
    }
}

/// The list of one warp, written by hand.
struct List<'a> {
    case: &'a Case,
    layout: Layout,
    rows: Vec<Access>,
}

impl List<'_> {
    fn add(&mut self, text: &str, kind: Kind, space: Space, address: impl Fn(&Self, u64) -> Option<u64>) {
        let lanes = (0..WARP_LANES as u64).map(|lane| address(self, lane)).collect::<Vec<_>>();
        if lanes.iter().any(Option::is_some) {
            self.rows.push(Access { line: self.case.line(text), kind, space, lanes });
        }
    }

    /// Adds a load of `array` at the line that holds `text`. `element` gives the index of each lane, or `None` for an
    /// inactive lane.
    fn load(&mut self, text: &str, array: &str, element: impl Fn(u64) -> Option<u64>) {
        self.add(text, Kind::Load, Space::Global, |list, lane| element(lane).map(|e| list.layout.at(array, e)));
    }

    fn store(&mut self, text: &str, array: &str, element: impl Fn(u64) -> Option<u64>) {
        self.add(text, Kind::Store, Space::Global, |list, lane| element(lane).map(|e| list.layout.at(array, e)));
    }

    /// Adds an access of shared memory with 4-byte elements that starts at address 0 of its space.
    fn shared(&mut self, text: &str, kind: Kind, element: impl Fn(u64) -> Option<u64>) {
        self.add(text, kind, Space::Shared, |_, lane| element(lane).map(|e| 4 * e));
    }
}

/// The accesses of one warp in the trace. Shared addresses count from the lowest one.
fn found(case: &Case, block: usize, warp: usize) -> Vec<Access> {
    let trace = case.trace(0);
    let mut list = [0; WARP_LANES];
    let mut lowest = u64::MAX;
    for access in trace.warps.iter().flat_map(|warp| trace.accesses(warp)) {
        if trace.sites[access.site as usize].space == Space::Shared {
            let lanes = access.addresses(&mut list);
            lowest = list[..lanes].iter().fold(lowest, |low, &a| low.min(a));
        }
    }
    let warp = &trace.warps[trace.blocks[block].warps.start as usize + warp];
    let row = |access: trace::Access| {
        let site = &trace.sites[access.site as usize];
        access.addresses(&mut list);
        let base = if site.space == Space::Shared { lowest } else { 0 };
        let mut active = list.iter().map(|a| a - base);
        let lanes = (0..WARP_LANES).map(|lane| (access.mask >> lane & 1 == 1).then(|| active.next().unwrap()));
        let lanes = lanes.collect();
        Access { line: site.source_line.unwrap_or(0), kind: site.kind, space: site.space, lanes }
    };
    trace.accesses(warp).map(row).collect()
}

/// Compares each warp of a run with the list that `write(list, block, warp)` makes.
fn check(
    id: &str,
    sizes: &[(&str, &str)],
    arrays: &[(&'static str, u64)],
    blocks: usize,
    warps: usize,
    write: impl Fn(&mut List, u64, u64),
) {
    let case = Case::run(library_kernel(id).expect("a kernel of the library"), sizes, false);
    assert_eq!(case.trace(0).blocks.len(), blocks, "{id}");
    assert_eq!(case.trace(0).warps.len(), blocks * warps, "{id}");
    let mut rows = 0;
    for block in 0..blocks {
        for warp in 0..warps {
            let mut list = List { case: &case, layout: Layout::new(arrays), rows: Vec::new() };
            write(&mut list, block as u64, warp as u64);
            let found = found(&case, block, warp);
            for (i, (found, expected)) in found.iter().zip(&list.rows).enumerate() {
                assert_eq!(found, expected, "{id}, block {block}, warp {warp}, access {i}");
            }
            assert_eq!(found.len(), list.rows.len(), "{id}, block {block}, warp {warp}: accesses");
            rows += list.rows.len();
        }
    }
    println!("{id}: {rows} warp accesses equal");
}

#[test]
fn vector_add_with_a_half_empty_last_warp() {
    let n = 1000;
    check("vector-add", &[("n", "1000")], &[("a", n), ("b", n), ("c", n)], 4, 8, |list, block, warp| {
        let element = |lane: u64| Some(block * 256 + warp * 32 + lane).filter(|&i| i < n);
        list.load("a[i] + b[i]", "a", element);
        list.load("a[i] + b[i]", "b", element);
        list.store("a[i] + b[i]", "c", element);
    });
}

#[test]
fn strided_copy() {
    let (n, stride) = (512, 9);
    let arrays = [("source", n * stride), ("target", n)];
    check("copy-strided", &[("n", "512"), ("stride", "9")], &arrays, 2, 8, |list, block, warp| {
        let first = block * 256 + warp * 32;
        list.load("source[i * stride]", "source", |lane| Some((first + lane) * stride));
        list.store("source[i * stride]", "target", |lane| Some(first + lane));
    });
}

#[test]
fn transpose_reads_columns() {
    let n = 64;
    check("transpose", &[("n", "64")], &[("source", n * n), ("target", n * n)], 2 * 8, 8, |list, block, warp| {
        let (x0, y) = (block % 2 * 32, block / 2 * 8 + warp);
        list.load("source[x * n + y]", "source", |lane| Some((x0 + lane) * n + y));
        list.store("source[x * n + y]", "target", |lane| Some(y * n + x0 + lane));
    });
}

#[test]
fn matrix_vector_rows() {
    let (rows, columns) = (300, 7);
    let arrays = [("A", rows * columns), ("x", columns), ("y", rows)];
    check("matvec-rows", &[("rows", "300"), ("columns", "7")], &arrays, 2, 8, |list, block, warp| {
        let row = |lane: u64| Some(block * 256 + warp * 32 + lane).filter(|&i| i < rows);
        for j in 0..columns {
            list.load("sum +=", "A", |lane| row(lane).map(|i| i * columns + j));
            list.load("sum +=", "x", |lane| row(lane).map(|_| j));
        }
        list.store("y[i] = sum", "y", row);
    });
}

#[test]
fn row_copy_of_figure_3() {
    let (threads, width) = (64, 100);
    let arrays = [("source", threads * width), ("target", threads * width)];
    check("row-copy", &[("threads", "64"), ("width", "100")], &arrays, 1, 2, |list, _, warp| {
        for j in 0..width {
            let element = |lane: u64| Some((warp * 32 + lane) * width + j);
            list.load("= source[", "source", element);
            list.store("= source[", "target", element);
        }
    });
}

#[test]
fn stencil_leaves_its_rim_alone() {
    let (width, height) = (64, 16);
    let arrays = [("source", width * height), ("target", width * height)];
    let sizes = [("width", "64"), ("height", "16")];
    check("stencil", &sizes, &arrays, 2 * 2, 8, |list, block, warp| {
        let y = block / 2 * 8 + warp;
        let point = |lane: u64| {
            let x = block % 2 * 32 + lane;
            (x > 0 && y > 0 && x < width - 1 && y < height - 1).then_some(y * width + x)
        };
        let sum = "(source[i - 1]";
        list.load("0.6f * source[i]", "source", point);
        list.load(sum, "source", |lane| point(lane).map(|i| i - 1));
        list.load(sum, "source", |lane| point(lane).map(|i| i + 1));
        list.load(sum, "source", |lane| point(lane).map(|i| i - width));
        list.load(sum, "source", |lane| point(lane).map(|i| i + width));
        list.store("0.6f * source[i]", "target", point);
    });
}

#[test]
fn tiled_transpose_goes_through_padded_shared_memory() {
    let n = 64;
    let arrays = [("source", n * n), ("target", n * n)];
    check("transpose-tiled", &[("n", "64")], &arrays, 4, 8, |list, block, warp| {
        let (bx, by) = (block % 2 * 32, block / 2 * 32);
        for j in [0, 8, 16, 24] {
            let row = warp + j;
            list.load("= source[", "source", |lane| Some((by + row) * n + bx + lane));
            list.shared("= source[", Kind::Store, |lane| Some(row * 33 + lane));
        }
        for j in [0, 8, 16, 24] {
            let row = warp + j;
            list.shared("target[(y", Kind::Load, |lane| Some(lane * 33 + row));
            list.store("target[(y", "target", |lane| Some((bx + row) * n + by + lane));
        }
    });
}

#[test]
fn tree_sum_loses_half_of_its_lanes_every_round() {
    let n = 400;
    check("reduce-tree", &[("n", "400")], &[("data", n), ("sums", 2)], 2, 8, |list, block, warp| {
        let thread = |lane: u64| warp * 32 + lane;
        list.load("data[i] : 0.0f", "data", |lane| Some(block * 256 + thread(lane)).filter(|&i| i < n));
        list.shared("data[i] : 0.0f", Kind::Store, |lane| Some(thread(lane)));
        for half in [128, 64, 32, 16, 8, 4, 2, 1] {
            let active = |lane: u64| Some(thread(lane)).filter(|&t| t < half);
            list.shared("part[t] +=", Kind::Load, |lane| active(lane).map(|t| t + half));
            list.shared("part[t] +=", Kind::Load, active);
            list.shared("part[t] +=", Kind::Store, active);
        }
        let first = |lane: u64| (thread(lane) == 0).then_some(0);
        list.shared("sums[blockIdx.x] =", Kind::Load, first);
        list.store("sums[blockIdx.x] =", "sums", |lane| first(lane).map(|_| block));
    });
}

#[test]
fn mshr_microbenchmark_uses_one_lane_per_warp() {
    let warps = 3;
    let arrays = [("memory", 32 * 32 * warps * 8), ("time", warps)];
    check("mb-mshr", &[("warps", "3")], &arrays, 1, 3, |list, _, warp| {
        let only = |lane: u64, element: u64| (lane == 0).then_some(element);
        for i in 0..8 {
            list.load("memory[32 *", "memory", |lane| only(lane, 32 * (warp * 32 + i * 32 * warps)));
        }
        list.store("time[t / 32]", "time", |lane| only(lane, warp));
    });
}

#[test]
fn pointer_chase_follows_the_cycle() {
    let n = 100;
    let case = Case::run(library_kernel("pointer-chase").unwrap(), &[("n", "100"), ("steps", "57")], false);
    let next = case.i32("next");
    check("pointer-chase", &[("n", "100"), ("steps", "57")], &[("next", n), ("last", 1)], 1, 1, |list, _, _| {
        let mut at = 0;
        for _ in 0..57 {
            list.load("at = next[at]", "next", |lane| (lane == 0).then_some(at));
            at = next[at as usize] as u64;
        }
        list.store("*last = at", "last", |lane| (lane == 0).then_some(0));
    });
}
