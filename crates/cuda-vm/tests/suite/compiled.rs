//! A kernel as compiled must compute the same as written. The test takes the library's kernels and makes small changes
//! to their text by a seeded draw, so that loops have other bounds and steps and addresses overlap in other ways.

use base::Random;
use base::Severity;
use cuda_vm::{emulate, library, CudaOptions, CudaRun, TraceForm};

/// Changed texts per kernel.
const CHANGES: usize = 3;

/// Replacements that leave most texts valid.
const SWAPS: &[(&str, &str)] = &[
    (" < ", " <= "),
    (" <= ", " < "),
    (" + ", " - "),
    (" - ", " + "),
    (" * ", " + "),
    ("++", " += 2"),
    ("++", " += 3"),
    (" = 0;", " = 1;"),
    (" += ", " = "),
    (" = ", " += "),
    ("__restrict__ ", ""),
    ("const ", ""),
    ("int ", "unsigned int "),
    ("int ", "long long "),
    ("float ", "double "),
    ("for (int", "\n#pragma unroll 3\nfor (int"),
    ("for (int", "\n#pragma unroll\nfor (int"),
    ("16", "5"),
    ("32", "31"),
    ("{\n", "{ if (threadIdx.x % 3 == 1) continue;\n"),
    (" if (", " while ("),
    (";\n}", "; __syncthreads();\n}"),
];

/// Makes a few replacements in the code of a text.
fn changed(text: &str, random: &mut Random) -> String {
    let start = text.find("\n\n").unwrap_or(0);
    let mut out = text.to_string();
    for _ in 0..=random.below(2) {
        let (from, to) = SWAPS[random.below(SWAPS.len() as u64) as usize];
        let places: Vec<usize> = out[start..].match_indices(from).map(|(at, _)| start + at).collect();
        if !places.is_empty() {
            let at = places[random.below(places.len() as u64) as usize];
            out.replace_range(at..at + from.len(), to);
        }
    }
    out
}

fn run(text: &str, form: TraceForm) -> CudaRun {
    emulate("changed.cu", text, &CudaOptions { form, budget: 3_000_000, ..CudaOptions::default() })
}

fn failed(run: &CudaRun) -> bool {
    run.diagnostics.iter().any(|d| d.severity == Severity::Error)
}

/// Whether a warning (a race, or a barrier that some threads miss) says that the result depends on the order of the
/// lanes.
fn unsure(run: &CudaRun) -> bool {
    run.diagnostics.iter().any(|d| d.severity != Severity::Note)
}

#[test]
fn a_changed_kernel_computes_the_same_as_compiled() {
    let mut random = Random::new(6);
    let (mut compared, mut wrong) = (0, Vec::new());
    for kernel in library().iter().filter(|k| !k.id.starts_with("mb-")) {
        for _ in 0..CHANGES {
            let text = changed(kernel.text, &mut random);
            let written = run(&text, TraceForm::Written);
            if unsure(&written) {
                continue;
            }
            let compiled = run(&text, TraceForm::Compiled);
            compared += 1;
            let bad = failed(&compiled) || written.arrays.iter().zip(&compiled.arrays).any(|(a, b)| a.after != b.after);
            if bad {
                wrong.push(format!("{}: {:?}\n{text}", kernel.id, compiled.diagnostics.first()));
            }
        }
    }
    println!("{compared} texts compared, {} differ", wrong.len());
    assert!(compared > 40);
    assert!(wrong.is_empty(), "{}", wrong.join("\n=====\n"));
}

/// The masks and offsets of the first lane of a warp's global loads in array `a`.
fn loads(text: &str) -> Vec<(u32, u64)> {
    let run = run(text, TraceForm::Compiled);
    assert!(run.diagnostics.is_empty(), "{:?}", run.diagnostics);
    let trace = &run.launches[0].trace;
    let loads = trace.accesses(&trace.warps[0]).filter(|a| trace.sites[a.site as usize].kind == trace::Kind::Load);
    let first = |access: trace::Access| {
        let mut addresses = [0; 32];
        access.addresses(&mut addresses);
        (access.mask, (addresses[0] - trace.arrays[0].base) / 4)
    };
    loads.map(first).collect()
}

#[test]
fn the_remainder_of_an_unrolled_loop_runs_first_unless_an_integer_starts_from_a_constant() {
    // Lanes 0 to 5 have five rounds and the others four (NVRTC 12.9 for sm_75).
    let text = |body: &str| {
        format!("// launch: k<<<1, 32>>>(a: float[192], o: float[32])\n__global__ void k(const float *a, float *o) {{ int t = threadIdx.x; float s = 0; {body} o[t] = s; }}")
    };
    let first = loads(&text("for (int c = t; c < 134; c += 32) s += a[c];"));
    assert_eq!(first, [(0x3f, 0), (u32::MAX, 32), (u32::MAX, 64), (u32::MAX, 96), (u32::MAX, 128)]);
    let last = loads(&text("int n = 0; for (int c = t; c < 134; c += 32) { s += a[c]; n += c; } s += n;"));
    assert_eq!(last, [(u32::MAX, 0), (u32::MAX, 32), (u32::MAX, 64), (u32::MAX, 96), (0x3f, 128)]);
    // Downwards, with a limit that belongs to the range.
    let down = loads(&text("for (int c = t + 128; c >= 6; c -= 32) s += a[c];"));
    assert_eq!(down, [(!0x3f, 134), (u32::MAX, 128), (u32::MAX, 96), (u32::MAX, 64), (u32::MAX, 32)]);
}

/// The freedom of each load in the order of the first warp.
fn freedoms(text: &str) -> Vec<(u16, u16)> {
    let run = run(text, TraceForm::Compiled);
    assert!(run.diagnostics.is_empty(), "{:?}", run.diagnostics);
    let trace = &run.launches[0].trace;
    let freedom = trace.accesses(&trace.warps[1]).filter_map(|access| trace.schedule(access.site));
    freedom.map(|schedule| (schedule.hoist, schedule.use_after)).collect()
}

#[test]
fn guarded_loads_are_issued_together_unless_their_guard_waits_for_one() {
    // NVRTC 12.9 for sm_80 issues the predicated loads before the sums.
    let text = |body: &str| {
        format!("// launch: k<<<1, 64>>>(a: float[192] = random(1, 1, 2), o: float[64], n = 192)\n__global__ void k(const float *a, float *o, int n) {{ int t = threadIdx.x; float s = a[t]; {body} o[t] = s; }}")
    };
    let apart = "if (t > 1) s += a[t - 2]; if (t < n - 9) s += a[t + 9]; if (t < n - 64) s += a[t + 64];";
    let hoists: Vec<u16> = freedoms(&text(apart)).iter().map(|freedom| freedom.0).collect();
    assert_eq!(hoists, [0, 1, 2, 3]);
    // A value that is chosen is used where it is added, behind the next load and its test.
    let chosen = "float left = t > 1 ? a[t - 2] : 0; float right = t < n - 9 ? a[t + 9] : 0; s = s * 2 + left + right;";
    let freedom = freedoms(&text(chosen));
    assert_eq!((freedom[1].0, freedom[2].0), (1, 2));
    assert!(freedom[1].1 >= 2, "{freedom:?}");
    let chain = "if (s > 0) s += a[t + 64]; if (s > 1) s += a[t + 128];";
    let hoists: Vec<u16> = freedoms(&text(chain)).iter().map(|freedom| freedom.0).collect();
    assert_eq!(hoists, [0, 0, 0]);
    // Nine guards need more predicates than there are.
    let nine: String = (0..9).map(|i| format!("if (t < n - {i}) s += a[t + {i}];")).collect();
    let hoists: Vec<u16> = freedoms(&text(&nine)).iter().map(|freedom| freedom.0).collect();
    assert_eq!(hoists.iter().filter(|&&hoist| hoist == 0).count(), 2, "{hoists:?}");
}
