//! Recomputes the initial data of the kernels from the rules of the launch comment.

use super::case::Case;
use base::Random;
use cuda_vm::library_kernel;

fn case(id: &str, sizes: &[(&str, &str)]) -> Case {
    Case::run(library_kernel(id).expect("a kernel of the library"), sizes, false)
}

/// The floats of `random(seed)`: 24 random bits each, in [0, 1).
fn floats(seed: u64, n: usize) -> Vec<f32> {
    let mut random = Random::new(seed);
    (0..n).map(|_| (random.bits() >> 40) as f32 / 16_777_216.0).collect()
}

fn below(seed: u64, bound: u64, n: usize) -> Vec<i32> {
    let mut random = Random::new(seed);
    (0..n).map(|_| random.below(bound) as i32).collect()
}

/// Row offsets and columns of `csr`, whose columns are sorted, and of `graph`, whose columns are not.
fn rows(rows: u64, entries: usize, seed: u64, sorted: bool) -> (Vec<i32>, Vec<i32>) {
    let mut random = Random::new(seed);
    let mut count = vec![0; rows as usize];
    for _ in 0..entries {
        count[random.below(rows) as usize] += 1;
    }
    let (mut offsets, mut columns) = (vec![0], Vec::new());
    for n in count {
        let mut row: Vec<i32> = (0..n).map(|_| random.below(rows) as i32).collect();
        if sorted {
            row.sort_unstable();
        }
        columns.extend(row);
        offsets.push(columns.len() as i32);
    }
    (offsets, columns)
}

#[test]
fn random_floats_and_integers() {
    let c = case("vector-add", &[("n", "1000")]);
    assert_eq!(c.f32("a"), floats(1, 1000));
    assert_eq!(c.f32("b"), floats(2, 1000));
    assert_eq!(c.f32("c"), [0.0; 1000]);
    assert_eq!(case("scan", &[("blocks", "2")]).i32("data"), below(1, 100, 512));
    assert_eq!(case("nbody", &[("n", "128")]).f32("body"), floats(1, 512), "vectors element by element");
    assert_eq!(case("gather", &[("n", "99"), ("size", "7")]).i32("index"), below(1, 7, 99));
}

#[test]
fn sparse_matrices_and_graphs() {
    let c = case("spmv-csr", &[("n", "50"), ("entries", "333")]);
    let (offsets, columns) = rows(50, 333, 7, true);
    assert_eq!((c.i32("start"), c.i32("column"), c.f32("value")), (offsets, columns, floats(8, 333)));
    let c = case("bfs-step", &[("n", "50"), ("edges", "333")]);
    assert_eq!((c.i32("start"), c.i32("edge")), rows(50, 333, 5, false));
    let c = case("spmv-ell", &[("n", "50"), ("width", "6")]);
    assert_eq!((c.i32("column"), c.f32("value")), (below(7, 50, 300), floats(8, 300)));
}

#[test]
fn cycles_and_neighbours() {
    let n = 100;
    let mut order: Vec<i32> = (0..n).collect();
    let mut random = Random::new(3);
    for i in (1..n as usize).rev() {
        order.swap(i, random.below(i as u64 + 1) as usize);
    }
    let next = case("pointer-chase", &[("n", "100"), ("steps", "4")]).i32("next");
    for (j, &at) in order.iter().enumerate() {
        assert_eq!(next[at as usize], order[(j + 1) % n as usize], "after {at}");
    }
    let mut random = Random::new(2);
    let expected: Vec<i32> = (0..5)
        .flat_map(|_| (0..60).map(|i| i + 1).collect::<Vec<i32>>())
        .map(|from| (from + random.below(20) as i32) % 60)
        .collect();
    assert_eq!(case("md-lj", &[("n", "60"), ("count", "5")]).i32("neighbour"), expected);
}
