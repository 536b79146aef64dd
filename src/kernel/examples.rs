//! The examples of the page's menu, each an exercise about one cause of misses.

use super::threads::{Recorder, Thread};
use crate::job::Random;
use crate::trace::Trace;

/// A built-in kernel.
pub struct Example {
    /// Identifier, as links carry it.
    pub id: &'static str,
    /// Name in the menu.
    pub title: &'static str,
    /// What it shows and what to try.
    pub lesson: &'static str,
    make: fn() -> Trace,
}

/// All examples; the first is the one that the page opens with.
pub fn examples() -> &'static [Example] {
    &EXAMPLES
}

/// The trace of an example.
pub fn example(id: &str) -> Option<Trace> {
    EXAMPLES.iter().find(|e| e.id == id).map(|e| (e.make)())
}

static EXAMPLES: [Example; 8] = [
    Example {
        id: "matvec-rows",
        title: "Matrix times vector, one row per thread (512 × 192)",
        lesson: "Neighbouring threads read rows that lie far apart, so every lane needs a line of its own. \
                 Count the requests per load, then compare with the next example.",
        make: matvec_rows,
    },
    Example {
        id: "matvec-columns",
        title: "Matrix times vector, transposed layout (512 × 192)",
        lesson: "The same sum with the matrix stored column by column: neighbouring lanes share lines. \
                 The loads are the same, the requests are 32 times fewer.",
        make: matvec_columns,
    },
    Example {
        id: "matmul-naive",
        title: "Matrix multiply, naive (96 × 96)",
        lesson: "Each thread walks a row of A and a column of B. Which array misses, and does a larger L1 help? \
                 Try the 48 KB configuration.",
        make: matmul,
    },
    Example {
        id: "row-copy",
        title: "Copy, one row of 1,024 floats per thread (128 rows)",
        lesson: "Figure 3 of HPCA'14: each line is used 32 times by one thread, if it survives that long. \
                 Change the seed: the miss rate moves, because warps run apart.",
        make: row_copy,
    },
    Example {
        id: "transpose",
        title: "Transpose, column-wise reads (256 × 256)",
        lesson: "Reads go down columns, writes along rows. Many latency misses: neighbouring warps ask for a line \
                 while it is still on its way.",
        make: transpose,
    },
    Example {
        id: "stride-4096",
        title: "Two loops with a stride of 4,096 bytes (128 loads)",
        lesson: "Figure 7 of HPCA'14: 128 lines fit a 16 KB cache, yet the stride reaches only half of its sets. \
                 Change the stride's set index to modulo and see the set heat map collapse.",
        make: stride,
    },
    Example {
        id: "stencil",
        title: "Five-point stencil (256 × 128)",
        lesson: "Rows above and below are read again by other warps. Is the reuse distance short enough?",
        make: stencil,
    },
    Example {
        id: "gather",
        title: "Gather through a random index (64 K elements)",
        lesson:
            "Indices are read in order, data at random. No schedule helps; only a larger cache or sorted indices do.",
        make: gather,
    },
];

fn matmul() -> Trace {
    const N: u64 = 96;
    let mut r = Recorder::new("matmul_naive", (6, 12), (16, 8));
    let [a, b, c] = ["A", "B", "C"].map(|name| r.array(name, N * N));
    let row = |t: &Thread| u64::from(t.block.y * 8 + t.y);
    let column = |t: &Thread| u64::from(t.block.x * 16 + t.x);
    r.run(|warp| {
        warp.compute(8);
        for k in 0..N {
            warp.load(6, a, |t| Some(row(t) * N + k));
            warp.load(7, b, |t| Some(k * N + column(t)));
            warp.compute(3);
        }
        warp.store(8, c, |t| Some(row(t) * N + column(t)));
    })
}

const MATVEC_ROWS: u64 = 512;
const MATVEC_COLUMNS: u64 = 192;

fn matvec(name: &str, element: fn(u64, u64) -> u64) -> Trace {
    let mut r = Recorder::new(name, (2, 1), (256, 1));
    let a = r.array("A", MATVEC_ROWS * MATVEC_COLUMNS);
    let [x, y] = [r.array("x", MATVEC_COLUMNS), r.array("y", MATVEC_ROWS)];
    let row = |t: &Thread| u64::from(t.block.x * 256 + t.x);
    r.run(|warp| {
        warp.compute(6);
        for j in 0..MATVEC_COLUMNS {
            warp.load(5, a, |t| Some(element(row(t), j)));
            warp.load(6, x, |_| Some(j));
            warp.compute(3);
        }
        warp.store(7, y, |t| Some(row(t)));
    })
}

fn matvec_rows() -> Trace {
    matvec("matvec_rows", |row, column| row * MATVEC_COLUMNS + column)
}

fn matvec_columns() -> Trace {
    matvec("matvec_columns", |row, column| column * MATVEC_ROWS + row)
}

fn row_copy() -> Trace {
    const WIDTH: u64 = 1024;
    let mut r = Recorder::new("row_copy", (1, 1), (128, 1));
    let [source, target] = ["source", "target"].map(|name| r.array(name, WIDTH * 128));
    r.run(|warp| {
        for j in 0..WIDTH {
            warp.load(4, source, |t| Some(u64::from(t.x) * WIDTH + j));
            warp.store(5, target, |t| Some(u64::from(t.x) * WIDTH + j));
            warp.compute(2);
        }
    })
}

fn transpose() -> Trace {
    const N: u64 = 256;
    let mut r = Recorder::new("transpose", (8, 32), (32, 8));
    let [source, target] = ["source", "target"].map(|name| r.array(name, N * N));
    let x = |t: &Thread| u64::from(t.block.x * 32 + t.x);
    let y = |t: &Thread| u64::from(t.block.y * 8 + t.y);
    r.run(|warp| {
        warp.compute(8);
        warp.load(5, source, |t| Some(x(t) * N + y(t)));
        warp.store(6, target, |t| Some(y(t) * N + x(t)));
    })
}

fn stride() -> Trace {
    const LOADS: u64 = 128;
    let mut r = Recorder::new("stride_4096", (1, 1), (32, 1));
    let data = r.array("data", LOADS * 1024);
    r.run(|warp| {
        for line in [3, 5] {
            for i in 0..LOADS {
                warp.load(line, data, |t| Some(i * 1024 + u64::from(t.x)));
                warp.compute(2);
            }
        }
    })
}

fn stencil() -> Trace {
    const WIDTH: u64 = 256;
    const HEIGHT: u64 = 128;
    let mut r = Recorder::new("stencil_5_point", (8, 16), (32, 8));
    let [source, target] = ["source", "target"].map(|name| r.array(name, WIDTH * HEIGHT));
    let inside = |t: &Thread, dx: i64, dy: i64| {
        let (x, y) = (u64::from(t.block.x * 32 + t.x), u64::from(t.block.y * 8 + t.y));
        let edge = x == 0 || y == 0 || x == WIDTH - 1 || y == HEIGHT - 1;
        (!edge).then(|| y.wrapping_add_signed(dy) * WIDTH + x.wrapping_add_signed(dx))
    };
    r.run(|warp| {
        warp.compute(12);
        for (line, dx, dy) in [(7, 0, 0), (8, -1, 0), (8, 1, 0), (9, 0, -1), (9, 0, 1)] {
            warp.load(line, source, |t| inside(t, dx, dy));
            warp.compute(1);
        }
        warp.store(10, target, |t| inside(t, 0, 0));
    })
}

fn gather() -> Trace {
    const ELEMENTS: u64 = 1 << 16;
    const THREADS: u32 = 8192;
    let mut random = Random::new(2014);
    let indices: Vec<u64> = (0..THREADS).map(|_| random.below(ELEMENTS)).collect();
    let mut r = Recorder::new("gather", (THREADS / 256, 1), (256, 1));
    let [index, data] = [r.array("index", u64::from(THREADS)), r.array("data", ELEMENTS)];
    let out = r.array("out", u64::from(THREADS));
    let thread = |t: &Thread| u64::from(t.block.x * 256 + t.x);
    r.run(|warp| {
        warp.compute(5);
        warp.load(4, index, |t| Some(thread(t)));
        warp.load(5, data, |t| Some(indices[thread(t) as usize]));
        warp.store(6, out, |t| Some(thread(t)));
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_makes_a_trace_with_named_arrays_only() {
        for e in examples() {
            let trace = example(e.id).expect("listed examples exist");
            let blocks = trace.launch.grid.count();
            assert_eq!(trace.blocks.len() as u64, blocks, "{}", e.id);
            let mut addresses = [0; 32];
            for access in trace.warps.iter().flat_map(|warp| trace.accesses(warp)) {
                let n = access.addresses(&mut addresses);
                assert!(addresses[..n].iter().all(|&a| trace.array_of(a).is_some()), "{}", e.id);
            }
        }
        assert!(example("no such kernel").is_none());
    }
}
