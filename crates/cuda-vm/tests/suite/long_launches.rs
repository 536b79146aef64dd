//! Launches whose traces do not fit in memory.

use cuda_vm::{emulate, CudaOptions, LaunchPart, LaunchSegment, LaunchStream, StreamStep, TooLong, TraceForm};
use trace::Access;

/// The second launch reads what the first one wrote, and its rows have different lengths.
const TEXT: &str = "
    // launch: fill<<<40, 64>>>(x: int[2560], n = 2560)
    // launch: rows<<<40, 64>>>(x, y: float[2560])
    __global__ void fill(int *x, int n) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) x[i] = 300 + i % 700; }
    __global__ void rows(const int *x, float *y) {
        __shared__ float part[64];
        int i = blockIdx.x * 64 + threadIdx.x;
        float sum = 0;
        for (int k = 0; k < x[i]; k++) sum += y[(i + k * 64) % 2560];
        part[threadIdx.x] = sum;
        __syncthreads();
        y[i] = part[63 - threadIdx.x];
    }";

fn options(trace_bytes: usize) -> CudaOptions {
    CudaOptions { form: TraceForm::Compiled, trace_bytes, ..CudaOptions::default() }
}

fn stream(from: usize, budget: u64) -> Vec<LaunchSegment> {
    let mut stream = LaunchStream::new("rows.cu", TEXT, &options(1 << 20), from);
    let mut segments = Vec::new();
    loop {
        match stream.step(budget) {
            StreamStep::More(_) => {}
            StreamStep::Blocks(segment) => segments.push(*segment),
            StreamStep::Done(diagnostics) => {
                assert!(diagnostics.is_empty(), "{diagnostics:?}");
                return segments;
            }
        }
    }
}

type Row = (u32, u32, u32, Vec<u64>);

fn rows<'a>(accesses: impl Iterator<Item = Access<'a>>) -> Vec<Row> {
    let row = |access: Access<'_>| {
        let mut addresses = [0; 32];
        let count = access.addresses(&mut addresses);
        (access.site, access.mask, access.gap, addresses[..count].to_vec())
    };
    accesses.map(row).collect()
}

#[test]
fn the_segments_of_a_launch_are_its_trace() {
    let whole = emulate("rows.cu", TEXT, &options(1 << 30));
    let trace = &whole.launches[1].trace;
    let segments = stream(1, 1 << 20);
    assert!(segments.len() > 2, "{} segments", segments.len());
    assert!(segments.iter().all(|segment| segment.launch == 1));
    let lasts: Vec<bool> = segments.iter().map(|segment| segment.last).collect();
    assert_eq!(lasts.iter().filter(|&&last| last).count(), 1);
    assert_eq!(lasts.last(), Some(&true));
    let warps = segments.iter().flat_map(|s| s.trace.warps.iter().map(move |warp| (&s.trace, warp)));
    let mut found = 0;
    for ((of, warp), expected) in warps.zip(&trace.warps) {
        assert_eq!((warp.index, warp.instructions), (expected.index, expected.instructions));
        assert_eq!(of.barriers(warp), trace.barriers(expected));
        assert!(rows(of.accesses(warp)) == rows(trace.accesses(expected)), "warp {found}");
        found += 1;
    }
    assert_eq!(found, trace.warps.len());
    for segment in &segments {
        let (sites, arrays) = (&segment.trace.sites, &segment.trace.arrays);
        assert_eq!(sites[..], trace.sites[..sites.len()]);
        assert_eq!(*arrays, trace.arrays);
        assert_eq!(segment.trace.launch, trace.launch);
    }
    assert_eq!(segments.last().map(|segment| segment.trace.mix), Some(trace.mix));
}

#[test]
fn where_a_segment_ends_does_not_depend_on_the_steps() {
    let ends = |budget| -> Vec<_> { stream(1, budget).iter().map(|s| (s.trace.blocks.len(), s.trace.mix)).collect() };
    assert_eq!(ends(1), ends(u64::MAX));
}

#[test]
fn a_launch_that_is_too_long_is_named_and_not_run() {
    let run = emulate("rows.cu", TEXT, &options(1 << 20));
    assert_eq!(run.too_long, Some(TooLong { first: 1, count: 1 }));
    assert_eq!(run.launches.len(), 1);
    let [warning] = &run.diagnostics[..] else { panic!("{:?}", run.diagnostics) };
    assert_eq!(warning.severity, base::Severity::Warning);
    assert!(warning.found.contains("more than 1 MiB for `rows` with 40 blocks"), "{}", warning.found);
}

#[test]
fn a_block_that_is_too_large_on_its_own_is_an_error() {
    let text = "// launch: one<<<1, 32>>>(x: int[32], n = 9999999)
        __global__ void one(int *x, int n) { for (int k = 0; k < n; k++) x[(threadIdx.x * 7 + k) % 32] += k; }";
    let mut stream = LaunchStream::new("one.cu", text, &options(1 << 20), 0);
    loop {
        match stream.step(1 << 24) {
            StreamStep::More(_) => {}
            StreamStep::Blocks(_) => panic!("a segment"),
            StreamStep::Done(diagnostics) => {
                let error = diagnostics.iter().find(|d| d.severity == base::Severity::Error).expect("an error");
                // The loop is in the second line.
                assert_eq!((error.line, error.help.starts_with("does the loop here end?")), (Some(2), true), "{error}");
                return;
            }
        }
    }
}

#[test]
fn a_launch_beyond_its_instructions_names_the_option_that_allows_more() {
    let text =
        "// launch: one<<<1, 32>>>(x: int[32])\n__global__ void one(volatile int *x) {\n  while (x[0] == 0) { }\n}\n";
    let run = emulate("one.cu", text, &CudaOptions { budget: 10_000, ..CudaOptions::default() });
    let error = run.diagnostics.iter().find(|d| d.severity == base::Severity::Error).expect("an error");
    assert_eq!((error.line, error.help.contains("`--budget`")), (Some(3), true), "{error}");
}

/// The launches of [`TEXT`], as much of them as `part` says.
fn parts(part: LaunchPart) -> cuda_vm::CudaRun {
    let run = emulate("rows.cu", TEXT, &CudaOptions { part, ..options(1 << 30) });
    assert!(run.diagnostics.is_empty(), "{:?}", run.diagnostics);
    run
}

#[test]
fn the_part_of_a_long_launch_is_its_first_blocks() {
    let whole = parts(LaunchPart::Whole);
    let part = parts(LaunchPart::Accesses { most: 25_000, wanted: 10_000 });
    assert_eq!(part.launches[0].trace, whole.launches[0].trace, "the first launch is short");
    let [whole, part] = [&whole, &part].map(|run| &run.launches[1].trace);
    let of_block = whole.first_blocks(1).access_count();
    assert_eq!((part.launch, part.blocks.len()), (whole.launch, 10_000 / of_block));
    let expected = whole.first_blocks(part.blocks.len());
    assert_eq!((&part.blocks, part.warps.len()), (&expected.blocks, expected.warps.len()));
    for (own, other) in part.warps.iter().zip(&expected.warps) {
        assert_eq!((own.index, own.instructions), (other.index, other.instructions));
        assert_eq!(part.barriers(own), expected.barriers(other));
        assert!(rows(part.accesses(own)) == rows(expected.accesses(other)));
    }
    // The blocks have the same mean, so the shares are near to what these blocks executed.
    let near = |own: u64, other: u64| own.abs_diff(other) * 50 <= own;
    assert!(near(part.mix.integer, expected.mix.integer), "{:?} {:?}", part.mix, expected.mix);
}

#[test]
fn a_launch_ends_before_it_has_too_many_accesses() {
    // By the first block alone, 40 blocks have fewer.
    let whole = parts(LaunchPart::Whole);
    let trace = &whole.launches[1].trace;
    let most = trace.first_blocks(1).access_count() * 40;
    assert!(trace.access_count() > most);
    let part = parts(LaunchPart::Accesses { most: most as u64, wanted: 1 });
    let part = &part.launches[1].trace;
    assert!(part.blocks.len() > 1 && part.access_count() <= most, "{} blocks", part.blocks.len());
    assert!(trace.first_blocks(part.blocks.len() + 2).access_count() > most);
}

#[test]
fn as_many_blocks_run_again() {
    let part = parts(LaunchPart::Accesses { most: 25_000, wanted: 10_000 });
    let blocks = part.launches.iter().map(|launch| launch.trace.blocks.len() as u64).collect();
    let again = parts(LaunchPart::Blocks(blocks));
    for (one, other) in part.launches.iter().zip(&again.launches) {
        assert_eq!(one.trace, other.trace);
    }
    assert_eq!(part.after("y").map(|y| y.f32s().to_vec()), again.after("y").map(|y| y.f32s().to_vec()));
}

#[test]
fn blocks_that_wait_for_each_other_all_run() {
    let text = "// launch: all<<<8, 32>>>(x: int[256])
        #include <cooperative_groups.h>
        __global__ void all(int *x) {
            int i = blockIdx.x * 32 + threadIdx.x;
            x[i] = i;
            cooperative_groups::this_grid().sync();
            x[i] += x[255 - i];
        }";
    let part = LaunchPart::Accesses { most: 4, wanted: 2 };
    let run = emulate("all.cu", text, &CudaOptions { part, ..CudaOptions::default() });
    assert_eq!(run.launches[0].trace.blocks.len(), 8, "{:?}", run.diagnostics);
}
