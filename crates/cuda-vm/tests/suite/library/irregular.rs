//! References of the kernels for sparse matrices, histograms, sums, searches and pointer chases.

use super::case::{Case, Outputs, Values};

fn int(name: &'static str, values: Vec<i32>) -> (&'static str, Values) {
    (name, Values::Int(values))
}

fn float(name: &'static str, values: Vec<f32>) -> (&'static str, Values) {
    (name, Values::Float(values))
}

pub fn spmv_csr(c: &Case) -> Outputs {
    let (start, column) = (c.i32("start"), c.i32("column"));
    let (value, x) = (c.f32("value"), c.f32("x"));
    let row =
        |w: &[i32]| (w[0] as usize..w[1] as usize).fold(0.0f32, |sum, k| value[k].mul_add(x[column[k] as usize], sum));
    vec![float("y", start.windows(2).map(row).collect())]
}

pub fn spmv_ell(c: &Case) -> Outputs {
    let (column, value, x, n) = (c.i32("column"), c.f32("value"), c.f32("x"), c.size("n"));
    let row =
        |i: usize| (i..column.len()).step_by(n).fold(0.0f32, |sum, k| value[k].mul_add(x[column[k] as usize], sum));
    vec![float("y", (0..n).map(row).collect())]
}

pub fn histogram(c: &Case) -> Outputs {
    let mut bins = vec![0; 256];
    for value in c.i32("data") {
        bins[value as usize] += 1;
    }
    vec![int("bins", bins)]
}

/// Adds the upper half of a list to its lower half until one number is left.
fn fold_halves(mut part: Vec<f32>) -> f32 {
    while part.len() > 1 {
        let upper = part.split_off(part.len() / 2);
        part.iter_mut().zip(upper).for_each(|(a, b)| *a += b);
    }
    part[0]
}

pub fn reduce_tree(c: &Case) -> Outputs {
    let block = |chunk: &[f32]| {
        let mut part = chunk.to_vec();
        part.resize(256, 0.0);
        fold_halves(part)
    };
    vec![float("sums", c.f32("data").chunks(256).map(block).collect())]
}

pub fn reduce_shuffle(c: &Case) -> Outputs {
    const GRID: usize = 16 * 256;
    let data = c.f32("data");
    let thread = |t: usize| data.iter().skip(t).step_by(GRID).fold(0.0f32, |sum, x| sum + x);
    let warp = |w: usize| fold_halves((w * 32..(w + 1) * 32).map(thread).collect());
    let block = |b: usize| {
        let mut parts: Vec<f32> = (b * 8..(b + 1) * 8).map(warp).collect();
        parts.resize(32, 0.0);
        fold_halves(parts)
    };
    vec![float("sums", (0..16).map(block).collect())]
}

pub fn scan(c: &Case) -> Outputs {
    let data = c.i32("data");
    let block = |block: &[i32]| {
        let running = block.iter().scan(0, |sum, x| {
            *sum += x;
            Some(*sum)
        });
        running.collect::<Vec<i32>>()
    };
    vec![int("sums", data.chunks(256).flat_map(block).collect())]
}

pub fn bfs_step(c: &Case) -> Outputs {
    let (start, edge, before) = (c.i32("start"), c.i32("edge"), c.i32("level"));
    let depth = 2;
    let mut level = before.clone();
    let frontier = (0..before.len()).filter(|&v| before[v] == depth);
    for v in frontier {
        for &u in &edge[start[v] as usize..start[v + 1] as usize] {
            if before[u as usize] == 0 {
                level[u as usize] = depth + 1;
            }
        }
    }
    let more = i32::from(level != before);
    vec![int("level", level), int("more", vec![more])]
}

pub fn pointer_chase(c: &Case) -> Outputs {
    let next = c.i32("next");
    let last = (0..c.size("steps")).fold(0, |at, _| next[at as usize]);
    vec![int("last", vec![last])]
}

/// The reference of kernels that only read.
pub fn unchanged_data(c: &Case) -> Outputs {
    vec![int("data", (0..c.i32("data").len() as i32).collect())]
}

/// The reference of the microbenchmarks. They only read `memory`. They write times, of which the test expects only that
/// they are positive.
pub fn unchanged_memory(c: &Case) -> Outputs {
    let time = c.after_i32("time");
    assert!(time.iter().all(|&t| t > 0), "a load takes time: {time:?}");
    vec![int("memory", (0..c.i32("memory").len() as i32).collect())]
}
