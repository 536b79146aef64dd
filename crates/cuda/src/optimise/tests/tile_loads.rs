//! How wide the loads of tiles are, against NVRTC 12.9 for sm_75.

use super::*;

/// Loads of shared memory of one and two floats, of four floats, per round of a sum whose operands lie in tiles of parts. A
/// thread has `rows` by `columns` sums, and reads as many neighbours of the tiles.
fn tile_loads(rows: u32, columns: u32, rounds: u32) -> [f64; 3] {
    loads_per_round(&format!(
        "__global__ void k(float *C, int n) {{ __shared__ float s[32][64]; __shared__ float t[32][64]; \
         float sum[{columns}][{rows}] = {{}}; for (int part = 0; part < n; part += 32) {{ __syncthreads(); \
         const int end = n < part + 32 ? n : part + 32; \n#pragma unroll {rounds}\n for (int k = part; k < end; k++) {{ \
         float a[{rows}], b[{columns}]; \
         for (int i = 0; i < {rows}; i++) a[i] = s[k - part][threadIdx.x * {rows} + i]; \
         for (int j = 0; j < {columns}; j++) b[j] = t[k - part][threadIdx.x * {columns} + j]; \
         for (int j = 0; j < {columns}; j++) for (int i = 0; i < {rows}; i++) sum[j][i] += a[i] * b[j]; }} }} \
         for (int j = 0; j < {columns}; j++) for (int i = 0; i < {rows}; i++) C[j * {rows} + i] = sum[j][i]; }}"
    ))
}

fn loads_per_round(text: &str) -> [f64; 3] {
    let both = both(text, "k", &[]);
    let run = |n| Lane::run(&both.compiled, &arguments(&both, &[("n", n)]), 3).counts;
    let (short, long) = (run(32), run(96));
    ["load shared 4", "load shared 8", "load shared 16"].map(|what| {
        let of = |counts: &BTreeMap<String, u64>| counts.get(what).copied().unwrap_or(0) as f64;
        (of(&long) - of(&short)) / 64.0
    })
}

#[test]
fn a_small_loop_over_a_part_of_a_sum_carries_addresses_whose_alignment_is_hidden() {
    // NVRTC 12.9 for sm_75. With up to 34 sums and loaded values neighbours stay apart, and with more they are joined.
    assert_eq!(tile_loads(4, 2, 2), [6.0, 0.0, 0.0]);
    assert_eq!(tile_loads(4, 4, 2), [8.0, 0.0, 0.0]);
    assert_eq!(tile_loads(8, 2, 2), [0.0, 1.0, 2.0]);
    assert_eq!(tile_loads(4, 4, 4), [0.0, 0.0, 2.0]);
    assert_eq!(tile_loads(4, 8, 2), [0.0, 0.0, 3.0]);
}

#[test]
fn neighbours_that_start_at_a_multiple_of_a_vector_are_one_load() {
    let loads = |of: &str, width: usize, sum: &str| {
        loads_per_round(&format!(
            "__global__ void k(float *C, int n) {{ __shared__ {of} t[32][64]; float sum[{width}] = {{}}; \
             for (int part = 0; part < n; part += 32) {{ __syncthreads(); for (int k = 0; k < 32; k++) {{ \
             {of} b[{width}]; float a = C[k]; \
             for (int j = 0; j < {width}; j++) b[j] = t[k][(int)threadIdx.x * {width} + j]; \
             for (int j = 0; j < {width}; j++) sum[j] += {sum}; }} }} \
             for (int j = 0; j < {width}; j++) C[j] = sum[j]; }}"
        ))
    };
    assert_eq!(loads("float", 4, "b[j] * a"), [0.0, 0.0, 1.0]);
    assert_eq!(loads("float2", 2, "b[j].x * a + b[j].y"), [0.0, 0.0, 1.0]);
}
