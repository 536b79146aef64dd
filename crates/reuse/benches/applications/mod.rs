//! Programs that record the address of each element that they read or write, in place of the paper's programs under Pin
//! (IPDPS'12, section V-A). Each does its work, so that its time and that of the recording are real.

use std::hint::black_box;

/// What a program gives its references to.
pub trait Record {
    /// Takes a reference to element `index` of array number `array`.
    fn see(&mut self, array: u64, index: usize);
}

/// Takes nothing: the program alone.
pub struct Nothing;

impl Record for Nothing {
    fn see(&mut self, _: u64, _: usize) {}
}

/// Keeps all references in their order.
#[derive(Default)]
pub struct Trace(pub Vec<u64>);

impl Record for Trace {
    fn see(&mut self, array: u64, index: usize) {
        self.0.push(array << 40 | index as u64);
    }
}

/// The programs' names. Each makes between 2.5 and 4.7 million references.
pub const NAMES: [&str; 4] = ["product", "heap sort", "sparse", "stencil"];

/// Runs a program by its place in [`NAMES`].
pub fn run(program: usize, record: &mut impl Record) {
    match program {
        0 => product(record),
        1 => heap_sort(record),
        2 => sparse(record),
        _ => stencil(record),
    }
}

/// The product of two dense matrices of 110 × 110, row by column.
fn product(record: &mut impl Record) {
    const N: usize = 110;
    let (a, b) = (vec![1.5; N * N], vec![0.5; N * N]);
    let mut c = vec![0.0; N * N];
    for row in 0..N {
        for column in 0..N {
            for k in 0..N {
                record.see(0, row * N + k);
                record.see(1, k * N + column);
                record.see(2, row * N + column);
                c[row * N + column] += a[row * N + k] * b[k * N + column];
            }
        }
    }
    black_box(c);
}

/// The next number of a linear congruential sequence (Knuth's constants for 64 bits).
fn draw(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

/// Heap sort of 65,536 numbers.
fn heap_sort(record: &mut impl Record) {
    const N: usize = 1 << 16;
    let mut state = 1;
    let mut numbers: Vec<usize> = (0..N).map(|_| draw(&mut state)).collect();
    for root in (0..N / 2).rev() {
        sift(&mut numbers, root, N, record);
    }
    for end in (1..N).rev() {
        record.see(0, 0);
        record.see(0, end);
        numbers.swap(0, end);
        sift(&mut numbers, 0, end, record);
    }
    assert!(numbers.is_sorted());
}

/// Lets the number at `root` sink in the heap of the first `end` numbers.
fn sift(numbers: &mut [usize], mut root: usize, end: usize, record: &mut impl Record) {
    loop {
        let mut child = 2 * root + 1;
        if child >= end {
            return;
        }
        record.see(0, child);
        if child + 1 < end {
            record.see(0, child + 1);
            child += usize::from(numbers[child] < numbers[child + 1]);
        }
        record.see(0, root);
        if numbers[root] >= numbers[child] {
            return;
        }
        numbers.swap(root, child);
        root = child;
    }
}

/// Six products of a sparse matrix of 20,000 rows, ten elements each at random columns, with a vector.
fn sparse(record: &mut impl Record) {
    const ROWS: usize = 20_000;
    const PER_ROW: usize = 10;
    let mut state = 1;
    let columns: Vec<usize> = (0..ROWS * PER_ROW).map(|_| draw(&mut state) % ROWS).collect();
    let mut x = vec![1.0; ROWS];
    for _ in 0..6 {
        let mut y = vec![0.0; ROWS];
        for (row, sum) in y.iter_mut().enumerate() {
            for at in row * PER_ROW..(row + 1) * PER_ROW {
                record.see(0, at);
                record.see(1, columns[at]);
                *sum += 0.1 * x[columns[at]];
            }
            record.see(2, row);
        }
        x = y;
    }
    black_box(x);
}

/// Three steps of a five-point stencil over 512 × 512 cells.
fn stencil(record: &mut impl Record) {
    const N: usize = 512;
    let mut grids = [vec![1.0; N * N], vec![0.0; N * N]];
    for step in 0..3u64 {
        let [from, to] = &mut grids;
        for row in 1..N - 1 {
            for column in 1..N - 1 {
                let at = row * N + column;
                let around = [at - N, at - 1, at, at + 1, at + N];
                around.iter().for_each(|&near| record.see(step % 2, near));
                record.see((step + 1) % 2, at);
                to[at] = around.iter().map(|&near| from[near]).sum::<f64>() / 5.0;
            }
        }
        grids.swap(0, 1);
    }
    black_box(grids);
}
