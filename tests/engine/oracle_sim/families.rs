//! Seventeen kernels like those of Huang & Li's Table IV, of which eight are for training and nine for evaluation.
//! They are small, were written for this test, and have the access patterns of their namesakes in SHOC and the CUDA
//! SDK. The training kernels come in several sizes.

use super::program::{Index, Program};
use base::Random;

const TRAIN: [fn(usize) -> Program; 8] = [convolution, md, matrix_product, spmv, transpose, cfd, triad, qtc];
const EVALUATE: [fn() -> Program; 9] = [bfs, fft, neural_net, reduction, scan, sort, stencil, md5, s3d];

/// Number of sizes of each training kernel.
pub const SIZES: usize = 3;

/// The training kernels in one of their sizes. Size 0 resembles the paper's, and the others differ in launch, reuse
/// and draws.
pub fn training(size: usize) -> Vec<Program> {
    TRAIN.iter().map(|make| make(size)).collect()
}

pub fn evaluation() -> Vec<Program> {
    EVALUATE.iter().map(|make| make()).collect()
}

fn convolution(size: usize) -> Program {
    let (wide, high, taps) = [(256, 32, 17), (128, 48, 9), (512, 16, 33)][size];
    let mut p = Program::new("convolution", (wide as u32 / 32, high as u32 / 4), (32, 4));
    let src = p.array("d_Src", wide * high + taps - 1, 4, wide, Index::Plane);
    let weights = p.array("c_Kernel", taps, 4, taps, Index::Line);
    let dst = p.array("d_Dst", wide * high, 4, wide, Index::Plane);
    p.code(|w| {
        for k in 0..taps {
            w.load(src, |t| (t.by * 4 + t.y) * wide + t.bx * 32 + t.x + k);
            w.load(weights, |_| k);
            w.alu(1);
        }
        w.store(dst, |t| (t.by * 4 + t.y) * wide + t.bx * 32 + t.x);
    })
}

fn md(size: usize) -> Program {
    let (n, near, spread, block) = [(2048, 16, 128, 128), (1536, 24, 64, 64), (4096, 8, 1024, 256)][size];
    let mut random = Random::new(1 + 100 * size as u64);
    let list: Vec<u64> = (0..n * near).map(|i| (i % n + n + random.below(spread) - spread / 2) % n).collect();
    let mut p = Program::new("md", ((n / block) as u32, 1), (block as u32, 1));
    let position = p.array("d_position", n, 16, 64, Index::Line);
    let neighbours = p.array("neighList", n * near, 4, n, Index::Walk);
    let force = p.array("force", n, 16, 64, Index::Line);
    p.code(|w| {
        let i = |t: &super::program::At| t.bx * block + t.x;
        w.load(position, i);
        for j in 0..near {
            w.load(neighbours, |t| j * n + i(t));
            w.alu(1);
            w.load(position, |t| list[(j * n + i(t)) as usize]);
            w.alu(9);
        }
        w.store(force, i);
    })
}

fn matrix_product(size: usize) -> Program {
    let n = [64, 96, 48][size];
    let mut p = Program::new("matrixMul", (n as u32 / 16, n as u32 / 16), (16, 16));
    let [a, b, c] = ["A", "B", "C"].map(|name| p.array(name, n * n, 4, n, Index::Plane));
    p.code(|w| {
        for k in 0..n {
            if k > 0 && k % 16 == 0 {
                w.phase();
            }
            w.load(a, |t| (t.by * 16 + t.y) * n + k);
            w.load(b, |t| k * n + t.bx * 16 + t.x);
            w.alu(1);
        }
        w.store(c, |t| (t.by * 16 + t.y) * n + t.bx * 16 + t.x);
    })
}

fn spmv(size: usize) -> Program {
    let (rows, least, more, wide) = [(256, 16, 96, 4096), (512, 4, 40, 16_384), (128, 64, 200, 1024)][size];
    let mut random = Random::new(2 + 100 * size as u64);
    let lengths: Vec<u64> = (0..rows).map(|_| least + random.below(more)).collect();
    let starts: Vec<u64> = lengths.iter().scan(0, |sum, n| Some(std::mem::replace(sum, *sum + n))).collect();
    let all: u64 = lengths.iter().sum();
    let columns: Vec<u64> = (0..all).map(|_| random.below(wide)).collect();
    let mut p = Program::new("spmv", (rows as u32 / 4, 1), (128, 1));
    let delimiters = p.array("rowDelimiters", rows + 1, 4, 32, Index::Line);
    let val = p.array("val", all, 4, 128, Index::Walk);
    let cols = p.array("cols", all, 4, 128, Index::Walk);
    let vec = p.array("d_vec", wide, 4, 64, Index::Line);
    let out = p.array("d_out", rows, 4, 32, Index::Line);
    p.code(|w| {
        let row = w.threads[0].bx * 4 + w.threads[0].x / 32;
        w.load(delimiters, |_| row);
        w.load(delimiters, |_| row + 1);
        w.alu(3);
        let (start, length) = (starts[row as usize], lengths[row as usize]);
        for at in (0..length).step_by(32) {
            let here = |t: &super::program::At| (at + t.x % 32 < length).then_some(start + at + t.x % 32);
            w.load_if(cols, here);
            w.load_if(val, here);
            w.alu(1);
            w.load_if(vec, |t| here(t).map(|i| columns[i as usize]));
            w.alu(2);
        }
        w.alu(10);
        w.store(out, |_| row);
    })
}

fn transpose(size: usize) -> Program {
    let n = [128, 208, 96][size];
    let mut p = Program::new("transpose", (n as u32 / 16, n as u32 / 16), (16, 16));
    let input = p.array("idata", n * n, 4, n, Index::Plane);
    let output = p.array("odata", n * n, 4, n, Index::Plane);
    p.code(|w| {
        w.load(input, |t| (t.bx * 16 + t.x) * n + t.by * 16 + t.y);
        w.store(output, |t| (t.by * 16 + t.y) * n + t.bx * 16 + t.x);
    })
}

fn cfd(size: usize) -> Program {
    let (n, spread) = [(1536, 96), (2304, 512), (768, 48)][size];
    let mut random = Random::new(3 + 100 * size as u64);
    let around: Vec<u64> = (0..n * 4).map(|i| (i % n + n + random.below(spread) - spread / 2) % n).collect();
    let mut p = Program::new("cfd", (n as u32 / 96, 1), (96, 1));
    let elements = p.array("elements_surrounding", n * 4, 4, n, Index::Line);
    let normals = p.array("normals", n * 4, 4, n, Index::Line);
    let variables = p.array("variables", n * 5, 4, n, Index::Line);
    let fluxes = p.array("fluxes", n * 5, 4, n, Index::Line);
    p.code(|w| {
        let i = |t: &super::program::At| t.bx * 96 + t.x;
        (0..5).for_each(|v| w.load(variables, |t| v * n + i(t)));
        w.alu(12);
        for j in 0..4 {
            w.load(elements, |t| j * n + i(t));
            w.load(normals, |t| j * n + i(t));
            w.alu(1);
            (0..5).for_each(|v| w.load(variables, |t| v * n + around[(j * n + i(t)) as usize]));
            w.alu(24);
        }
        (0..5).for_each(|v| w.store(fluxes, |t| v * n + i(t)));
    })
}

fn triad(size: usize) -> Program {
    let (n, block) = [(16_384, 256), (32_768, 128), (8192, 64)][size];
    let mut p = Program::new("triad", ((n / block) as u32, 1), (block as u32, 1));
    let [a, b, c] = ["A", "B", "C"].map(|name| p.array(name, n, 4, 128, Index::Line));
    p.code(|w| {
        let i = |t: &super::program::At| t.bx * block + t.x;
        w.load(a, i);
        w.load(b, i);
        w.alu(1);
        w.store(c, i);
    })
}

fn qtc(size: usize) -> Program {
    let (n, count, part) = [(192, 24, 12), (320, 16, 8), (128, 48, 16)][size];
    let mut random = Random::new(4 + 100 * size as u64);
    let picks: Vec<u64> = (0..count).map(|_| random.below(n)).collect();
    let mut p = Program::new("QTC", ((n / part) as u32, 1), (64, 1));
    let distance = p.array("distance_matrix", n * n, 4, n, Index::Plane);
    let cluster = p.array("cluster", count, 4, count, Index::Line);
    let out = p.array("out", n * 64, 4, 64, Index::Line);
    p.code(|w| {
        for (k, pick) in picks.iter().enumerate() {
            w.load(cluster, |_| k as u64);
            w.alu(1);
            w.load(distance, |t| (t.bx * part + t.x % part) * n + pick);
            w.load(distance, |t| pick * n + t.x * 3 % n);
            w.alu(3);
        }
        w.store(out, |t| t.bx * 64 + t.x);
    })
}

fn bfs() -> Program {
    const N: u64 = 4096;
    let mut random = Random::new(5);
    let edges: Vec<u64> = (0..N * 8).map(|_| random.below(N)).collect();
    let degree: Vec<u64> = (0..N).map(|_| 1 + random.below(7)).collect();
    let mut p = Program::new("bfs", (N as u32 / 256, 1), (256, 1));
    let offsets = p.array("offsets", N + 1, 4, 64, Index::Line);
    let edge_array = p.array("edgeArray", N * 8, 4, 256, Index::Line);
    let old = p.array("levels_old", N, 4, 64, Index::Line);
    let new = p.array("levels", N, 4, 64, Index::Line);
    p.code(|w| {
        let i = |t: &super::program::At| t.bx * 256 + t.x;
        w.load(offsets, i);
        w.load(offsets, |t| i(t) + 1);
        w.alu(2);
        for k in 0..7 {
            w.load_if(edge_array, |t| (k < degree[i(t) as usize]).then_some(i(t) * 8 + k));
            w.alu(1);
            w.load_if(old, |t| (k < degree[i(t) as usize]).then_some(edges[(i(t) * 8 + k) as usize]));
            w.alu(2);
        }
        w.store(new, i);
    })
}

fn fft() -> Program {
    let mut p = Program::new("fft", (24, 1), (64, 1));
    let input = p.array("input", 24 * 512, 8, 512, Index::Line);
    let twiddle = p.array("twiddle", 512, 8, 32, Index::Line);
    let work = p.array("smem", 24 * 512, 8, 512, Index::Line);
    p.code(|w| {
        (0..8).for_each(|k| w.load(input, |t| t.bx * 512 + t.x + 64 * k));
        w.alu(30);
        for (pass, stride) in [(1u64, 8u64), (2, 64)] {
            (0..8).for_each(|k| w.load(twiddle, |t| t.x * k * pass % 512));
            w.alu(20);
            (0..8).for_each(|k| w.store(work, |t| t.bx * 512 + t.x * 8 + k));
            (0..8).for_each(|k| w.load(work, |t| t.bx * 512 + (t.x * stride + k * 64 / stride) % 512));
            w.alu(30);
        }
        (0..8).for_each(|k| w.store(work, |t| t.bx * 512 + t.x + 64 * k));
    })
}

fn neural_net() -> Program {
    const IN: u64 = 96;
    const OUT: u64 = 128;
    let mut p = Program::new("neuralnet", (2, 16), (64, 1));
    let inputs = p.array("inputs", IN * 16, 4, IN, Index::Plane);
    let weights = p.array("weights", IN * OUT, 4, OUT, Index::Plane);
    let bias = p.array("bias", OUT, 4, 32, Index::Line);
    let out = p.array("outputs", OUT * 16, 4, OUT, Index::Plane);
    p.code(|w| {
        w.load(bias, |t| t.bx * 64 + t.x);
        for k in 0..IN {
            if k == 32 || k == 64 {
                w.phase();
            }
            w.load(inputs, |t| t.by * IN + k);
            w.load(weights, |t| k * OUT + t.bx * 64 + t.x);
            w.alu(1);
        }
        w.alu(12);
        w.store(out, |t| t.by * OUT + t.bx * 64 + t.x);
    })
}

fn reduction() -> Program {
    const B: u64 = 128;
    let mut p = Program::new("reduction", (32, 1), (B as u32, 1));
    let data = p.array("g_idata", 32 * B * 8, 4, 256, Index::Line);
    let scratch = p.array("sdata", 32 * B, 4, B, Index::Line);
    let out = p.array("g_odata", 32, 4, 32, Index::Line);
    p.code(|w| {
        for k in 0..8 {
            w.load(data, |t| t.bx * B * 8 + k * B + t.x);
            w.alu(1);
        }
        w.store(scratch, |t| t.bx * B + t.x);
        for step in [64u64, 32, 16, 8, 4, 2, 1] {
            if w.threads[0].x >= step {
                continue;
            }
            w.load_if(scratch, |t| (t.x < step).then_some(t.bx * B + t.x + step));
            w.load_if(scratch, |t| (t.x < step).then_some(t.bx * B + t.x));
            w.alu(1);
            w.store(scratch, |t| t.bx * B + t.x);
        }
        if w.threads[0].x == 0 {
            w.store(out, |t| t.bx);
        }
    })
}

fn scan() -> Program {
    const B: u64 = 128;
    let mut p = Program::new("scan", (24, 1), (B as u32, 1));
    let data = p.array("g_idata", 24 * B * 4, 4, 512, Index::Line);
    let sums = p.array("block_sums", 24, 4, 24, Index::Line);
    let scratch = p.array("s_data", 24 * B * 2, 4, 2 * B, Index::Line);
    let out = p.array("g_odata", 24 * B * 4, 4, 512, Index::Line);
    p.code(|w| {
        w.load(sums, |t| t.bx);
        (0..4).for_each(|k| w.load(data, |t| t.bx * B * 4 + t.x * 4 + k));
        w.alu(4);
        for step in [1u64, 2, 4, 8, 16] {
            w.store(scratch, |t| t.bx * 2 * B + t.x);
            w.load(scratch, |t| t.bx * 2 * B + t.x + B - step.min(B));
            w.alu(2);
        }
        w.alu(4);
        (0..4).for_each(|k| w.store(out, |t| t.bx * B * 4 + t.x * 4 + k));
    })
}

fn sort() -> Program {
    const N: u64 = 4096;
    let mut random = Random::new(6);
    let digits: Vec<u64> = (0..N).map(|_| random.below(16)).collect();
    let mut p = Program::new("sort", (32, 1), (128, 1));
    let keys = p.array("keysIn", N, 8, 64, Index::Line);
    let offsets = p.array("sBlockOffsets", 32 * 16, 4, 16, Index::Line);
    let bases = p.array("sOffsets", 32 * 16, 4, 16, Index::Line);
    let out = p.array("keysOut", N, 8, 64, Index::Line);
    p.code(|w| {
        let i = |t: &super::program::At| t.bx * 128 + t.x;
        w.load(keys, i);
        w.alu(3);
        for _ in 0..4 {
            w.load(offsets, |t| t.bx * 16 + digits[i(t) as usize]);
            w.load(bases, |t| digits[i(t) as usize] * 32 + t.bx);
            w.alu(4);
        }
        w.store(out, |t| digits[i(t) as usize] * 256 + (t.bx * 8 + t.x / 16) % 256);
    })
}

fn stencil() -> Program {
    const W: u64 = 128;
    let mut p = Program::new("stencil2d", (4, 8), (32, 4));
    let data = p.array("data", W * 36, 4, W, Index::Plane);
    let weights = p.array("weights", 9, 4, 9, Index::Line);
    let out = p.array("newData", W * 36, 4, W, Index::Plane);
    p.code(|w| {
        for iteration in 0..2 {
            for k in 0..9 {
                w.load(data, |t| (t.by * 4 + t.y + k / 3) * W + (t.bx * 32 + t.x + k % 3 + iteration) % W);
                w.load(weights, |_| k);
                w.alu(1);
            }
            w.alu(4);
        }
        w.store(out, |t| (t.by * 4 + t.y) * W + t.bx * 32 + t.x);
    })
}

fn md5() -> Program {
    let mut p = Program::new("md5hash", (16, 1), (128, 1));
    let table = p.array("K", 64, 4, 16, Index::Line);
    let shifts = p.array("r", 64, 4, 16, Index::Line);
    let found = p.array("foundKey", 16 * 128, 4, 128, Index::Line);
    p.code(|w| {
        for k in 0..48 {
            w.load(table, |_| k);
            w.load(shifts, |_| k);
            w.alu(9);
        }
        w.store(found, |t| t.bx * 128 + t.x);
    })
}

fn s3d() -> Program {
    const N: u64 = 2048;
    let mut p = Program::new("S3D", (32, 1), (64, 1));
    let pressure = p.array("gpu_p", N, 4, 64, Index::Line);
    let temperature = p.array("gpu_t", N, 4, 64, Index::Line);
    let species = p.array("gpu_y", N * 22, 4, N, Index::Walk);
    let molar = p.array("molar", 22, 4, 22, Index::Line);
    let out = p.array("gpu_c", N * 22, 4, N, Index::Walk);
    p.code(|w| {
        let i = |t: &super::program::At| t.bx * 64 + t.x;
        w.load(pressure, i);
        w.load(temperature, i);
        w.alu(6);
        for k in 0..22 {
            w.load(species, |t| k * N + i(t));
            w.load(molar, |_| k);
            w.alu(5);
            w.store(out, |t| k * N + i(t));
        }
    })
}
