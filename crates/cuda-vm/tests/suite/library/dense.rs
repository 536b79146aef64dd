//! References of the kernels on dense vectors and matrices. They use `mul_add` where CUDA contracts `a * b + c`.

use super::case::{Case, Outputs, Values};

fn float(name: &'static str, values: Vec<f32>) -> (&'static str, Values) {
    (name, Values::Float(values))
}

/// The sum of the products in order, starting from `start`.
fn dot(start: f32, pairs: impl Iterator<Item = (f32, f32)>) -> f32 {
    pairs.fold(start, |sum, (a, b)| a.mul_add(b, sum))
}

pub fn vector_add(c: &Case) -> Outputs {
    let (a, b) = (c.f32("a"), c.f32("b"));
    vec![float("c", a.iter().zip(&b).map(|(x, y)| x + y).collect())]
}

pub fn copy_strided(c: &Case) -> Outputs {
    let source = c.f32("source");
    vec![float("target", (0..c.size("n")).map(|i| source[i * c.size("stride")]).collect())]
}

pub fn copy_offset(c: &Case) -> Outputs {
    let source = c.f32("source");
    vec![float("target", source[c.size("offset")..].to_vec())]
}

pub fn row_copy(c: &Case) -> Outputs {
    vec![float("target", c.f32("source"))]
}

pub fn transpose(c: &Case) -> Outputs {
    let (source, n) = (c.f32("source"), c.size("n"));
    vec![float("target", (0..n * n).map(|i| source[i % n * n + i / n]).collect())]
}

pub fn gather(c: &Case) -> Outputs {
    let data = c.f32("data");
    vec![float("out", c.i32("index").iter().map(|&i| data[i as usize]).collect())]
}

pub fn matmul(c: &Case) -> Outputs {
    let (a, b, n) = (c.f32("A"), c.f32("B"), c.size("n"));
    let element = |i: usize| dot(0.0, (0..n).map(|k| (a[i / n * n + k], b[k * n + i % n])));
    vec![float("C", (0..n * n).map(element).collect())]
}

pub fn gemm(c: &Case) -> Outputs {
    let (a, b, old) = (c.f32("A"), c.f32("B"), c.f32("C"));
    let (nj, nk) = (c.size("NJ"), c.size("NK"));
    let (alpha, beta) = (1.5f32, 0.5f32);
    let element = |i: usize| {
        let products = (0..nk).map(|k| (alpha * a[i / nj * nk + k], b[k * nj + i % nj]));
        dot(old[i] * beta, products)
    };
    vec![float("C", (0..old.len()).map(element).collect())]
}

pub fn matvec_rows(c: &Case) -> Outputs {
    let (a, x) = (c.f32("A"), c.f32("x"));
    let row = |row: &[f32]| dot(0.0, row.iter().copied().zip(x.iter().copied()));
    vec![float("y", a.chunks(c.size("columns")).map(row).collect())]
}

pub fn matvec_columns(c: &Case) -> Outputs {
    let (a, x, rows) = (c.f32("A"), c.f32("x"), c.size("rows"));
    let element = |i: usize| dot(0.0, x.iter().enumerate().map(|(j, &x)| (a[j * rows + i], x)));
    vec![float("y", (0..rows).map(element).collect())]
}

/// The product A v, where A has `v.len()` columns.
fn by_rows(a: &[f32], v: &[f32]) -> Vec<f32> {
    a.chunks(v.len()).map(|row| dot(0.0, row.iter().copied().zip(v.iter().copied()))).collect()
}

/// The product Aᵀ v, where A has `v.len()` rows.
fn by_columns(a: &[f32], v: &[f32]) -> Vec<f32> {
    let n = a.len() / v.len();
    (0..n).map(|j| dot(0.0, v.iter().enumerate().map(|(i, &v)| (v, a[i * n + j])))).collect()
}

pub fn atax(c: &Case) -> Outputs {
    let a = c.f32("A");
    let t = by_rows(&a, &c.f32("x"));
    let y = by_columns(&a, &t);
    vec![float("t", t), float("y", y)]
}

pub fn bicg(c: &Case) -> Outputs {
    let a = c.f32("A");
    let q = by_rows(&a, &c.f32("p"));
    vec![float("s", by_columns(&a, &c.f32("r"))), float("q", q)]
}

pub fn mvt(c: &Case) -> Outputs {
    let (a, n) = (c.f32("A"), c.size("n"));
    let [y1, y2, x1, x2] = ["y1", "y2", "x1", "x2"].map(|name| c.f32(name));
    let first = (0..n).map(|i| dot(x1[i], (0..n).map(|j| (a[i * n + j], y1[j])))).collect();
    let second = (0..n).map(|i| dot(x2[i], (0..n).map(|j| (a[j * n + i], y2[j])))).collect();
    vec![float("x1", first), float("x2", second)]
}

pub fn gesummv(c: &Case) -> Outputs {
    let x = c.f32("x");
    let (a, b) = (by_rows(&c.f32("A"), &x), by_rows(&c.f32("B"), &x));
    vec![float("y", a.iter().zip(&b).map(|(a, b)| 1.5 * a + 0.5 * b).collect())]
}

pub fn neural_layer(c: &Case) -> Outputs {
    let (inputs, outputs) = (c.size("inputs"), c.size("outputs"));
    let [input, weight, bias] = ["input", "weight", "bias"].map(|name| c.f32(name));
    let mut output = Vec::new();
    for sample in input.chunks(inputs) {
        for o in 0..outputs {
            let sum = dot(bias[o], sample.iter().enumerate().map(|(i, &x)| (x, weight[i * outputs + o])));
            output.push(sum.max(0.0));
        }
    }
    vec![float("output", output)]
}
