//! Compares the trace "as compiled" of a tiled convolution of 15 × 15 with the counters of an RTX 2080 Ti (Nsight Compute;
//! KTT's tuning space, MIT), for 67 shapes of blocks and tiles.
//!
//! The measured image has 4,096 × 4,096 outputs. All blocks do the same, apart from those at the right and lower border.
//! An image of at most 2 × 2 blocks with the same borders therefore has a block of each kind, and each kind is counted as
//! often as it occurs in the measurement.

use cuda_vm::{emulate, CudaOptions, TraceForm};
use std::collections::BTreeMap;
use trace::{Dim3, Kind, Space, Trace};

/// Outputs of the measured image in each direction.
const SIZE: u64 = 4096;

/// The kernel. It tests the bounds of its accesses only if the tiles do not divide the image (`CHECKED`).
const TEXT: &str = "
__constant__ float filter[15 * 15];
__global__ void convolve(float *out, const float *in) {
    __shared__ float tile[BY * TY + 14][BX * TX + 14];
    int left = blockIdx.x * BX * TX, top = blockIdx.y * BY * TY;
    for (int r = threadIdx.y; r < BY * TY + 14; r += BY)
        for (int c = threadIdx.x; c < BX * TX + 14; c += BX)
            if (!CHECKED || top + r < H + 14 && left + c < W + 14)
                tile[r][c] = in[(top + r) * (W + 14) + left + c];
    __syncthreads();
    float sum[TY][TX] = {};
    #pragma unroll
    for (int i = 0; i < 15; i++)
        #pragma unroll
        for (int j = 0; j < 15; j++)
            #pragma unroll
            for (int b = 0; b < TY; b++)
                #pragma unroll
                for (int a = 0; a < TX; a++)
                    sum[b][a] += tile[threadIdx.y + b * BY + i][threadIdx.x + a * BX + j] * filter[i * 15 + j];
    #pragma unroll
    for (int b = 0; b < TY; b++)
        #pragma unroll
        for (int a = 0; a < TX; a++) {
            int y = top + threadIdx.y + b * BY, x = left + threadIdx.x + a * BX;
            if (y < H && x < W) out[y * W + x] = sum[b][a];
        }
}
";

/// Counts of a launch as the counters give them.
#[derive(Clone, Copy, Debug, Default)]
struct Counters {
    global_loads: f64,
    shared_loads: f64,
    shared_stores: f64,
    instructions: f64,
}

/// The passes that shared memory needs for an access of 4 bytes per lane: the most distinct words of one bank.
fn wavefronts(addresses: &[u64]) -> f64 {
    let mut banks: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
    for &address in addresses {
        let words = banks.entry(address / 4 % 32).or_default();
        if !words.contains(&(address / 4)) {
            words.push(address / 4);
        }
    }
    banks.values().map(Vec::len).max().unwrap_or(0) as f64
}

fn counters(trace: &Trace, block: Dim3) -> Counters {
    let mut sums = Counters::default();
    let block = trace.blocks.iter().find(|b| b.id == block).expect("the block is in the trace");
    for warp in &trace.warps[block.warps.start as usize..block.warps.end as usize] {
        sums.instructions += warp.instructions as f64;
        for access in trace.accesses(warp) {
            let site = &trace.sites[access.site as usize];
            let mut addresses = [0; 32];
            let lanes = access.addresses(&mut addresses);
            match (site.space, site.kind) {
                (Space::Global, Kind::Load) => sums.global_loads += 1.0,
                (Space::Shared, Kind::Load) => sums.shared_loads += wavefronts(&addresses[..lanes]),
                (Space::Shared, Kind::Store) => sums.shared_stores += wavefronts(&addresses[..lanes]),
                // The counters of the L2 and of DRAM leave no room for spilled registers.
                (Space::Local, _) => panic!("an access of local memory"),
                _ => {}
            }
        }
    }
    sums
}

/// The size of the small image in one direction, and for each of its blocks how often the kind occurs in the large one.
fn kinds(tile: u64, checked: bool) -> (u64, Vec<f64>) {
    let all = SIZE.div_ceil(tile) as f64;
    match SIZE % tile {
        0 if !checked => (tile, vec![all]),
        0 => (2 * tile, vec![all - 1.0, 1.0]),
        rest => (tile + rest, vec![all - 1.0, 1.0]),
    }
}

fn count([bx, by, tx, ty]: [u64; 4]) -> Counters {
    let checked = SIZE % (bx * tx) != 0 || SIZE % (by * ty) != 0;
    let ((w, columns), (h, rows)) = (kinds(bx * tx, checked), kinds(by * ty, checked));
    let launch = format!(
        "convolve<<<dim3({}, {}), dim3(BX, BY)>>>(out: float[W * H], in: float[(W + 14) * (H + 14)] = random(1), \
         filter: float[225] = random(2), W = {w}, H = {h}, BX = {bx}, BY = {by}, TX = {tx}, TY = {ty}, CHECKED = {})",
        columns.len(),
        rows.len(),
        u8::from(checked),
    );
    let options = CudaOptions { form: TraceForm::Compiled, launch: Some(launch), ..CudaOptions::default() };
    let run = emulate("convolution.cu", TEXT, &options);
    assert!(run.diagnostics.is_empty(), "{:?}", run.diagnostics);
    let mut sums = Counters::default();
    for (x, column) in columns.iter().enumerate() {
        for (y, row) in rows.iter().enumerate() {
            let block = counters(&run.launches[0].trace, Dim3::new(x as u32, y as u32, 0));
            let times = column * row;
            sums.global_loads += times * block.global_loads;
            sums.shared_loads += times * block.shared_loads;
            sums.shared_stores += times * block.shared_stores;
            sums.instructions += times * block.instructions;
        }
    }
    sums
}

/// The median, the 95th percentile and the largest of the distances from 1.
fn spread(ratios: &[f64]) -> [f64; 3] {
    let mut distances: Vec<f64> = ratios.iter().map(|r| (r - 1.0).abs()).collect();
    distances.sort_by(f64::total_cmp);
    let at = |part: f64| distances[((distances.len() - 1) as f64 * part).round() as usize];
    [at(0.5), at(0.95), at(1.0)]
}

/// Compares every row of the table from the first on, `apart` rows apart.
fn compare_with_hardware(apart: usize) {
    let Some(path) = testkit::sample_data("hardware/convolution_rtx2080ti.csv") else { return };
    let text = std::fs::read_to_string(path).expect("the counters");
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().expect("a header");
    let column = |name: &str| header.iter().position(|h| *h == name).unwrap_or_else(|| panic!("no column {name}"));
    let shape = ["BLOCK_SIZE_X", "BLOCK_SIZE_Y", "TILE_SIZE_X", "TILE_SIZE_Y"].map(column);
    let measured = [
        "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
        "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
        "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
        "smsp__inst_executed.sum",
    ]
    .map(column);
    let mut ratios: [Vec<f64>; 4] = Default::default();
    for line in lines.step_by(apart) {
        let shape = shape.map(|at| line[at].parse::<u64>().expect("a size"));
        let found = count(shape);
        let found = [found.global_loads, found.shared_loads, found.shared_stores, found.instructions];
        let row = measured.map(|at| line[at].parse::<f64>().expect("a count"));
        let row: Vec<f64> = found.iter().zip(row).map(|(found, measured)| found / measured).collect();
        println!("{shape:?}: {row:.4?}");
        ratios.iter_mut().zip(row).for_each(|(all, ratio)| all.push(ratio));
    }
    let [loads, shared_loads, shared_stores, instructions] = &ratios;
    let exact = |ratios: &[f64]| ratios.iter().filter(|&&ratio| ratio == 1.0).count();
    println!("{} shapes, exact: global loads {}, shared stores {}", loads.len(), exact(loads), exact(shared_stores));
    let [all_loads, all_stores, all_instructions] = [shared_loads, shared_stores, instructions].map(|r| spread(r));
    println!("distances: shared loads {all_loads:.4?}, stores {all_stores:.4?}, instructions {all_instructions:.4?}");
    assert_eq!(exact(loads), loads.len(), "global loads are exact: {loads:?}");
    assert!(all_loads[0] < 0.003 && all_loads[2] < 0.015, "{all_loads:?}");
    // The counter of stores also holds conflicts with other accesses of the multiprocessor: it is equal where they cannot
    // happen, and never less.
    assert!(shared_stores.iter().all(|&ratio| ratio <= 1.0), "{shared_stores:?}");
    assert!(6 * exact(shared_stores) >= loads.len() && all_stores[0] < 0.025, "{shared_stores:?}");
    assert!(all_instructions[0] < 0.01 && all_instructions[2] < 0.1, "{instructions:?}");
}

#[test]
fn a_tiled_convolution_counts_as_hardware_does() {
    compare_with_hardware(4);
}

/// `cargo test -p cuda-vm --test suite convolution -- --ignored --nocapture` prints the whole table.
#[test]
#[ignore = "a minute"]
fn all_tiled_convolutions_count_as_hardware_does() {
    compare_with_hardware(1);
}
