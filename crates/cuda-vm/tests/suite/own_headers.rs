//! The texts that stand for headers of the toolkit and its samples: what they compute, and the accesses that they must
//! give. The lists are worked out by hand from the documentation of each interface.

use base::Severity;
use cuda_vm::{emulate, CudaOptions, CudaRun, TraceForm};
use trace::{Kind, Space};

fn run(text: &str, form: TraceForm) -> CudaRun {
    let run = emulate("case.cu", text, &CudaOptions { form, ..CudaOptions::default() });
    let told: Vec<String> =
        run.diagnostics.iter().filter(|d| d.severity != Severity::Note).map(ToString::to_string).collect();
    assert!(told.is_empty(), "{told:#?}\n{text}");
    run
}

/// The compiled accesses of a warp of block 0: `ld x 0+4*32:4` is a load of 32 lanes from byte 0 of `x` on, 4 bytes apart and 4
/// bytes wide. Shared memory is `s`, from its lowest address.
fn accesses(run: &CudaRun, warp: usize) -> Vec<String> {
    let trace = &run.launches[0].trace;
    let mut list = [0; 32];
    let mut lowest = u64::MAX;
    for access in trace.warps.iter().flat_map(|warp| trace.accesses(warp)) {
        if trace.sites[access.site as usize].space == Space::Shared {
            let lanes = access.addresses(&mut list);
            lowest = list[..lanes].iter().fold(lowest, |low, &a| low.min(a));
        }
    }
    let row = |access: trace::Access| {
        let site = &trace.sites[access.site as usize];
        let lanes = access.addresses(&mut list);
        let first = list[0];
        let array = trace.arrays.iter().find(|a| first >= a.base && first < a.base + a.bytes);
        let (name, base) = match array {
            _ if site.space == Space::Shared => ("s", lowest),
            Some(array) => (&*array.name, array.base),
            None => ("?", 0),
        };
        let step = if lanes > 1 { list[1].wrapping_sub(first) } else { 0 };
        let even = list[..lanes].windows(2).all(|pair| pair[1].wrapping_sub(pair[0]) == step);
        let kind = match site.kind {
            Kind::Load => "ld",
            Kind::Store => "st",
            _ => "at",
        };
        let uneven: Vec<u64> = list[..lanes].iter().map(|a| a - base).collect();
        let shape = if even { format!("{}+{step}*{lanes}", first - base) } else { format!("{uneven:?}") };
        format!("{kind} {name} {shape}:{}", site.bytes)
    };
    trace.accesses(&trace.warps[warp]).map(row).collect()
}

/// A kernel `k` of one block with arrays `x` and `out` of `count` elements, compiled.
fn compiled(head: &str, ty: &str, count: u32, threads: u32, body: &str) -> CudaRun {
    let text = format!(
        "{head}\n// launch: k<<<1, {threads}>>>(x: {ty}[{count}] = 1, out: {ty}[{count}])\n\
         __global__ void k(const {ty} *__restrict__ x, {ty} *__restrict__ out) {{ int t = threadIdx.x; {body} }}"
    );
    run(&text, TraceForm::Compiled)
}

#[test]
fn vectors_have_operators_and_the_functions_of_the_samples() {
    let head = "#include <helper_math.h>";
    let vectors = compiled(
        head,
        "float4",
        32,
        32,
        "float4 a = x[t]; out[t] = 2.0f * a + make_float4(make_float3(a), dot(a, a));",
    );
    assert_eq!(vectors.after("out").unwrap().f32s()[..4], [3.0, 3.0, 3.0, 6.0]);
    assert_eq!(accesses(&vectors, 0), ["ld x 0+16*32:16", "st out 0+16*32:16"]);
    let text = format!(
        "{head}\n#define S1 7\n// launch: k<<<1, 1>>>(o: float[12], N = 3)\n__global__ void k(float *o) {{\n\
         float3 a = make_float3(3, 0, 4), b = cross(a, make_float3(0, 1, 0)); float2 c = make_float2(1.0f, 8.0f);\n\
         o[0] = length(a); o[1] = b.x; o[2] = b.z; o[3] = normalize(a).z; o[4] = lerp(1.0f, 3.0f, 0.5f);\n\
         c /= 2; c -= make_float2(1); o[5] = c.y; o[6] = clamp(a, 1.0f, 3.5f).z; o[7] = clamp(S1 + N, 0, 4);\n\
         int3 i = make_int3(4, 5, 6) * 2 + 1; o[8] = i.z; o[9] = dot(make_int2(2, 3), make_int2(4, 5)); o[10] = (-a).x; o[11] = fmaxf(a, make_float3(5)).x; }}"
    );
    let numbers = run(&text, TraceForm::Written).after("o").unwrap().f32s();
    assert_eq!(numbers[..3], [5.0, -4.0, 3.0]);
    assert!((numbers[3] - 0.8).abs() < 1e-6);
    assert_eq!(numbers[4..], [2.0, 3.0, 3.5, 4.0, 13.0, 23.0, -3.0, 5.0]);
}

#[test]
fn groups_reduce_and_scan_in_registers() {
    let head = "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n#include <cooperative_groups/scan.h>\nnamespace cg = cooperative_groups;";
    let body = "auto tile = cg::tiled_partition<8>(cg::this_thread_block()); int v = x[t] + tile.thread_rank();\n\
                int sum = cg::reduce(tile, v, cg::plus<int>()), most = cg::reduce(tile, v, cg::greater<int>());\n\
                auto grid = cg::this_grid(); out[grid.thread_rank()] = sum * 100 + most * 10 + cg::exclusive_scan(tile, 1) % 10;";
    let groups = compiled(head, "int", 32, 32, body);
    // 1 + 0 … 1 + 7: 36 in all, 8 at most.
    let expected: Vec<i32> = (0..32).map(|t| 3680 + t % 8).collect();
    assert_eq!(groups.after("out").unwrap().i32s(), expected);
    assert_eq!(accesses(&groups, 0), ["ld x 0+4*32:4", "st out 0+4*32:4"]);
}

#[test]
fn half_precision_is_stored_in_two_bytes() {
    let head = "#include <cuda_fp16.h>\n#include <cuda_bf16.h>";
    let text = format!(
        "{head}\n// launch: k<<<1, 32>>>(x: half2[32], y: half2[32], z: __nv_bfloat16[32], f: float[64])\n\
         __global__ void k(const half2 *__restrict__ x, half2 *__restrict__ y, __nv_bfloat16 *__restrict__ z, float *__restrict__ f) {{ int t = threadIdx.x;\n\
         half2 h = __hfma2(x[t], __float2half2_rn(2.0f), __floats2half2_rn(0.1f, 65519.0f)); y[t] = h; z[t] = __float2bfloat16(1.01f);\n\
         float2 g = __half22float2(h); f[t] = g.x; f[t + 32] = g.y; }}"
    );
    let halves = run(&text, TraceForm::Compiled);
    // The nearest numbers in each format.
    assert_eq!(halves.after("f").unwrap().f32s()[0], 0.099_975_586);
    assert_eq!(halves.after("f").unwrap().f32s()[32], 65504.0);
    assert_eq!(
        accesses(&halves, 0),
        ["ld x 0+4*32:4", "st y 0+4*32:4", "st z 0+2*32:2", "st f 0+4*32:4", "st f 128+4*32:4"]
    );
    let text = format!(
        "{head}\n// launch: k<<<1, 1>>>(o: float[9])\n__global__ void k(float *o) {{ half a = 1.5f, b = __float2half(0.25f), c = a * b; c += a;\n\
         o[0] = c; o[1] = __half2float(a / b); o[2] = (float)__float2half(1e9f); o[3] = (float)half(5.9604645e-8f); o[4] = a > b; o[5] = __hadd(a, b);\n\
         o[6] = (float)half(2049.0f); o[7] = (float)half(-0.0f); __nv_bfloat16 d = 3.0f; o[8] = __bfloat162float(d * d); }}"
    );
    let numbers = run(&text, TraceForm::Written).after("o").unwrap().f32s();
    assert_eq!(numbers, [1.875, 6.0, f32::INFINITY, 5.960_464_5e-8, 1.0, 1.75, 2048.0, 0.0, 9.0]);
}

#[test]
fn random_states_have_the_sizes_of_the_library() {
    let text = "#include <curand_kernel.h>\n// launch: k<<<1, 32>>>(s: curandState[32], out: float[32])\n\
        __global__ void k(curandState *__restrict__ s, float *__restrict__ out) { int t = threadIdx.x; curandState l; curand_init(7, t, 0, &l);\n\
        float m = 0; for (int i = 0; i < 1000; i++) m += curand_uniform(&l); out[t] = m / 1000; s[t] = l; }";
    let random = run(text, TraceForm::Written);
    let means = random.after("out").unwrap().f32s();
    assert!(means.iter().all(|m| (m - 0.5).abs() < 0.05), "{means:?}");
    assert!(means.windows(2).all(|pair| pair[0] != pair[1]));
    let text = "#include <curand_kernel.h>\n// launch: k<<<1, 32>>>(o: float[8])\n__global__ void k(float *o) { curandStatePhilox4_32_10_t s;\n\
        s.key = make_uint2(0xa4093822, 0x299f31d0); s.ctr = make_uint4(0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344);\n\
        uint4 r = curand_philox(s.ctr, s.key); o[0] = r.x == 0xd16cfe09; o[1] = r.y == 0x94fdcceb; o[2] = r.z == 0x5001e420; o[3] = r.w == 0x24126ea1;\n\
        curand_init(1, 2, 3, &s); unsigned a = curand(&s), b = curand(&s); curand_init(1, 2, 4, &s); o[4] = b == curand(&s);\n\
        o[5] = sizeof(curandState); o[6] = sizeof(s); o[7] = isfinite(curand_normal(&s) + (float)curand_normal_double(&s)); }";
    // The first four are a known answer of Random123 for Philox 4×32 with 10 rounds.
    assert_eq!(run(text, TraceForm::Written).after("o").unwrap().f32s(), [1.0, 1.0, 1.0, 1.0, 1.0, 48.0, 64.0, 1.0]);
}

#[test]
fn block_reductions_keep_a_number_per_warp_in_shared_memory() {
    let head = "#include <cub/cub.cuh>";
    let body = "typedef cub::BlockReduce<int, 96> Reduce; __shared__ typename Reduce::TempStorage s;\n\
                int sum = Reduce(s).Sum(x[t] + t); if (t == 0) out[0] = sum;";
    let reduced = compiled(head, "int", 96, 96, body);
    assert_eq!(reduced.after("out").unwrap().i32s()[0], 96 + 95 * 96 / 2);
    // The first lane of each warp writes its sum. The first thread adds those of the other warps.
    assert_eq!(
        accesses(&reduced, 0),
        ["ld x 0+4*32:4", "st s 0+0*1:4", "ld s 4+0*1:4", "ld s 8+0*1:4", "st out 0+0*1:4"]
    );
    assert_eq!(accesses(&reduced, 2), ["ld x 256+4*32:4", "st s 8+0*1:4"]);
    let body = "typedef cub::WarpReduce<int> Reduce; __shared__ Reduce::TempStorage s[2];\n\
                int most = Reduce(s[t / 32]).Reduce(t, cub::Max()); if (t % 32 == 0) out[t / 32] = most;";
    let warps = compiled(head, "int", 64, 64, body);
    assert_eq!(warps.after("out").unwrap().i32s()[..2], [31, 63]);
    assert_eq!(accesses(&warps, 1), ["st out 4+0*1:4"]);
}

#[test]
fn block_scans_rake_shared_memory() {
    let head = "#include <cub/block/block_scan.cuh>";
    let body = "typedef cub::BlockScan<int, 64> Scan; __shared__ Scan::TempStorage s; int v;\n\
                Scan(s).ExclusiveSum(x[t], v); out[t] = v;";
    let scanned = compiled(head, "int", 64, 64, body);
    assert_eq!(scanned.after("out").unwrap().i32s(), (0..64).collect::<Vec<_>>());
    // Each thread writes its item. The threads of the first warp read two neighbouring items each, and write their
    // prefixes. Each thread reads its prefix. The total is kept behind the items.
    assert_eq!(accesses(&scanned, 1), ["ld x 128+4*32:4", "st s 128+4*32:4", "ld s 128+4*32:4", "st out 128+4*32:4"]);
    let first = accesses(&scanned, 0);
    assert_eq!(first[..2], ["ld x 0+4*32:4", "st s 0+4*32:4"]);
    assert_eq!(first[first.len() - 2..], ["ld s 0+4*32:4", "st out 0+4*32:4"]);
    // Nobody needs the last item of a thread twice.
    let raked = ["ld s 0+8*32:4", "ld s 4+8*32:4", "st s 512+0*1:4", "ld s 0+8*32:4", "st s 0+8*32:4", "st s 4+8*32:4"];
    assert_eq!(first[2..first.len() - 2], raked);
    let body = "typedef cub::BlockScan<int, 64, cub::BLOCK_SCAN_WARP_SCANS> Scan; __shared__ Scan::TempStorage s; int v, all;\n\
                Scan(s).InclusiveSum(x[t], v, all); out[t] = v + all;";
    let scanned = compiled(head, "int", 64, 64, body);
    assert_eq!(scanned.after("out").unwrap().i32s(), (65..129).collect::<Vec<_>>());
    assert_eq!(
        accesses(&scanned, 1),
        ["ld x 128+4*32:4", "st s 4+0*1:4", "ld s 0+0*32:4", "ld s 4+0*32:4", "st out 128+4*32:4"]
    );
}

#[test]
fn blocks_load_and_store_items_per_thread() {
    let head = "#include <cub/cub.cuh>";
    let moves = |load: &str, store: &str| {
        let body = format!(
            "typedef cub::BlockLoad<float, 32, 4, cub::BLOCK_LOAD_{load}> Load; typedef cub::BlockStore<float, 32, 4, cub::BLOCK_STORE_{store}> Store;\n\
             __shared__ union {{ Load::TempStorage load; Store::TempStorage store; }} s; float a[4];\n\
             Load(s.load).Load(x, a); Store(s.store).Store(out, a);"
        );
        let run = compiled(head, "float", 128, 32, &body);
        assert_eq!(run.after("out").unwrap().f32s(), [1.0; 128]);
        accesses(&run, 0)
    };
    assert_eq!(moves("VECTORIZE", "VECTORIZE"), ["ld x 0+16*32:16", "st out 0+16*32:16"]);
    let rows = |kind: &str, array: &str, first: u64, step: u64| -> Vec<String> {
        (0..4).map(|i| format!("{kind} {array} {}+{step}*32:4", i * first)).collect()
    };
    let striped = [rows("ld", "x", 128, 4), rows("st", "out", 128, 4)].concat();
    assert_eq!(moves("STRIPED", "STRIPED"), striped);
}

#[test]
fn pairs_and_device_pointers() {
    let text =
        "#include <utility>\n#include <thrust/device_ptr.h>\n// launch: k<<<1, 2>>>(x: int[4] = iota, out: int[2])\n\
        __device__ std::pair<int, float> both(int a) { return std::make_pair(a, 2.5f * a); }\n\
        __global__ void k(int *x, int *out) { thrust::device_ptr<int> p(x); auto b = both(p[threadIdx.x + 1]);\n\
        out[threadIdx.x] = b.first * 10 + (int)b.second + *thrust::raw_pointer_cast(p + 2); }";
    assert_eq!(run(text, TraceForm::Written).after("out").unwrap().i32s(), [10 + 2 + 2, 20 + 5 + 2]);
}

#[test]
fn fragments_of_matrices_are_loaded_as_the_instructions_lay_them_out() {
    // PTX ISA, matrix fragments of mma.m16n8k16: a register holds two halves that lie side by side in k. The rows of the
    // second matrix run across k, so that its halves are loaded one by one. An accumulator holds two floats side by side.
    let text = "#include <mma.h>\n// launch: k<<<1, 32>>>(a: half[256] = 1, b: half[256] = 1, c: float[256] = 2, d: float[256])\n\
        __global__ void k(const half *__restrict__ a, const half *__restrict__ b, const float *__restrict__ c, float *__restrict__ d) {\n\
        nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, half, nvcuda::wmma::row_major> x;\n\
        nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, 16, 16, 16, half, nvcuda::wmma::row_major> y;\n\
        nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> z;\n\
        load_matrix_sync(x, a, 16); load_matrix_sync(y, b, 16); load_matrix_sync(z, c, 16, nvcuda::wmma::mem_row_major);\n\
        mma_sync(z, x, y, z); store_matrix_sync(d, z, 16, nvcuda::wmma::mem_row_major); }";
    let list = accesses(&run(text, TraceForm::Compiled), 0);
    let count = |kind: &str, bytes: &str| list.iter().filter(|a| a.starts_with(kind) && a.ends_with(bytes)).count();
    assert_eq!([count("ld a", ":4"), count("ld b", ":2"), count("ld c", ":8"), count("st d", ":8")], [4, 8, 4, 4]);
    // Lane 4g + t reads the halves 2t and 2t + 1 of row g.
    let rows: Vec<u64> = (0..32).map(|lane| lane / 4 * 32 + lane % 4 * 4).collect();
    assert!(list.contains(&format!("ld a {rows:?}:4")), "{list:#?}");
}

/// The largest NaN would round past the exponent.
#[test]
fn a_bfloat16_of_nan_is_nan() {
    let text = "#include <cuda_bf16.h>
// launch: k<<<1, 1>>>(out: unsigned[2] = zero)
__global__ void k(unsigned *out) {
    out[0] = __bfloat16_as_ushort(__float2bfloat16(__uint_as_float(0x7fffffffu)));
    out[1] = __bfloat16_as_ushort(__float2bfloat16(__uint_as_float(0xff800000u)));
}
";
    let run = cuda_vm::emulate("k.cu", text, &cuda_vm::CudaOptions::default());
    let out = &run.arrays[0].after;
    assert_eq!(out[..], [0xff, 0x7f, 0, 0, 0x80, 0xff, 0, 0], "{:?}", run.diagnostics);
}

/// Each code of a format of 8 bits has its value, and what lies between two values goes to the nearest one, or to the even code.
#[test]
fn numbers_of_eight_bits_are_rounded_to_the_nearest() {
    let text = "#include <cuda_fp8.h>\n\
        // launch: k<__nv_fp8_E><<<1, 256>>>(value: float[256], middle: int[256], below: int[256], above: int[256], out: int[16])\n\
        template <typename T> __global__ void k(float *value, int *middle, int *below, int *above, int *out) {\n\
          int t = threadIdx.x;\n\
          T a, b; a.__x = t; b.__x = t + 1;\n\
          value[t] = float(a);\n\
          float m = ((float)a + (float)b) / 2;\n\
          middle[t] = T(m).__x;\n\
          below[t] = T(__half(m * 0.998f)).__x;\n\
          above[t] = T((double)m * 1.0000000001).__x;\n\
          if (t > 0) return;\n\
          out[0] = T(1e9f).__x, out[1] = T(-1e9f).__x, out[2] = T(NAN).__x, out[3] = T(-0.0f).__x;\n\
          out[4] = __nv_cvt_float_to_fp8(INFINITY, __NV_NOSAT, __NV_FORMAT);\n\
          __half_raw raw = __nv_cvt_fp8_to_halfraw(T(1.5f).__x, __NV_FORMAT);\n\
          out[5] = raw.x;\n\
          out[6] = (int)(2 * __half2float(__nv_cvt_fp8_to_halfraw(T(1.5f).__x, __NV_FORMAT)));\n\
          out[7] = __nv_cvt_halfraw_to_fp8(raw, __NV_SATFINITE, __NV_FORMAT);\n\
          __nv_fp8x4_E four(make_float4(0.0f, 1.0f, 2.0f, -1.0f));\n\
          float4 back = float4(four);\n\
          out[8] = (int)(back.y + 10 * back.z + 100 * back.w), out[9] = sizeof(T) + 10 * sizeof(four);\n\
          __nv_fp8x2_storage_t two = __nv_cvt_float2_to_fp8x2(make_float2(1.0f, 2.0f), __NV_SATFINITE, __NV_FORMAT);\n\
          out[10] = two & 0xff, out[11] = two >> 8;\n\
          out[12] = __nv_cvt_fp8x2_to_halfraw2(two, __NV_FORMAT).y;\n\
          out[13] = (int)T(3.0f) + (int)T(__nv_bfloat16(4.0f)), out[14] = T(1.5f) < T(1.75f);\n\
        }";
    // Bits of the fraction, the largest finite code, the codes of infinity, 1.0 and 2.0.
    for (name, fraction, largest, infinity, one, two) in
        [("e4m3", 3, 0x7e_usize, 0x7f, 0x38, 0x40), ("e5m2", 2, 0x7b, 0x7c, 0x3c, 0x40)]
    {
        let run =
            run(&text.replace("_E", &format!("_{name}")).replace("FORMAT", &name.to_uppercase()), TraceForm::Written);
        let (value, ints) = (run.after("value").unwrap().f32s(), |array: &str| run.after(array).unwrap().i32s());
        let bias = (1 << (6 - fraction)) - 1;
        for code in 0..=largest {
            let (exponent, part) =
                ((code >> fraction) as i32, (code % (1 << fraction)) as f32 / f32::powi(2.0, fraction));
            let size = if exponent > 0 {
                (1.0 + part) * f32::powi(2.0, exponent - bias)
            } else {
                part * f32::powi(2.0, 1 - bias)
            };
            assert_eq!([value[code], value[code + 128]], [size, -size], "{name} {code:#x}");
        }
        assert!(value[0x7f].is_nan() && value[0xff].is_nan());
        for code in (0..largest).chain(128..128 + largest) {
            let (even, below) = ((code + code % 2) as i32, code as i32);
            // A half number has no digit below 2⁻²⁴, with which the smallest middle of `e5m2` cannot shrink by so little.
            let least = if name == "e5m2" && code % 128 == 0 { below } else { ints("below")[code] };
            assert_eq!(
                [ints("middle")[code], least, ints("above")[code]],
                [even, below, below + 1],
                "{name} {code:#x}"
            );
        }
        let most = largest as i32;
        let half = 0x3e00;
        let expected = [
            most,
            most + 128,
            0x7f,
            0x80,
            infinity,
            half,
            3,
            one + (1 << fraction >> 1),
            -79,
            41,
            one,
            two,
            0x4000,
            7,
            1,
            0,
        ];
        assert_eq!(ints("out"), expected, "{name}");
    }
}
