//! Placements of texts whose launches come from their host code.

use base::Job;
use lab::{placement_options, rewritten_text, Contents, CudaSettings, Intake, PlacementRequest, PlacementRun};

/// A convolution whose weights the host writes. Two launches have other sizes.
const PROGRAM: &str = "
#include <cuda_runtime.h>
__global__ void conv(const float *in, const float *w, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 9; k++) if (i + k < n) sum += in[i + k] * w[k];
    if (i < n) out[i] = sum;
}
__global__ void twice(float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] *= 2;
}
int main() {
    int n = 1 << 12;
    float *in, *w, *out, weights[9];
    for (int i = 0; i < 9; i++) weights[i] = i + 1;
    cudaMalloc(&in, n * 4);
    cudaMalloc(&w, 9 * 4);
    cudaMalloc(&out, n * 4);
    cudaMemcpy(w, weights, 9 * 4, cudaMemcpyHostToDevice);
    conv<<<(n + 255) / 256, 256>>>(in, w, out, n);
    twice<<<(n + 127) / 128, 128>>>(out, n);
}
";

fn contents(text: &str) -> Contents {
    let mut intake = Intake::default();
    intake.set_cuda(placement_options(CudaSettings::default().options()));
    intake.begin("program.cu");
    intake.push(text.as_bytes());
    intake.finish()
}

fn request() -> PlacementRequest {
    PlacementRequest { gpu: "rtx3060".into(), kernel: 1, top: 100, ..PlacementRequest::default() }
}

#[test]
fn every_placement_of_a_program_runs() {
    let contents = contents(PROGRAM);
    assert_eq!(contents.kernels.len(), 2);
    let report = PlacementRun::new(request(), &contents).expect("a kernel").finish();
    assert!(!report.notes.iter().any(|note| note.contains("left out")), "{:?}", report.notes);
    let of = |memory: &str| {
        let row = report.ranking.iter().find(|row| row.placement["w"] == memory && row.placement["in"] == "global");
        row.and_then(|row| row.machine_microseconds)
    };
    for memory in ["global", "constant", "shared", "texture1d"] {
        assert!(of(memory).is_some(), "{memory}");
    }
}

/// Two kernels with the same names for arrays of other sizes and types, and values that decide addresses.
const TWO: &str = "
__global__ void filter(const float *in, const float *w, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 8; k++) if (i + k < n) sum += in[i + k] * w[k];
    if (i < n) out[i] = sum;
}
__global__ void spread(const double *in, const int *w, double *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[32 * i + w[i % 8]] = in[i];
}
int main() {
    int n = 1 << 12;
    float *in, *w, *out, weights[8];
    double *in2, *out2;
    int *w2, rows[8];
    for (int i = 0; i < 8; i++) weights[i] = i + 1;
    for (int i = 0; i < 8; i++) rows[i] = 3 * i + 1;
    cudaMalloc(&in, n * 4), cudaMalloc(&w, 8 * 4), cudaMalloc(&out, n * 4);
    cudaMemcpy(w, weights, 8 * 4, cudaMemcpyHostToDevice);
    filter<<<(n + 255) / 256, 256>>>(in, w, out, n);
    cudaMalloc(&in2, n * 8), cudaMalloc(&w2, 8 * 4), cudaMalloc(&out2, 32 * n * 8);
    cudaMemcpy(w2, rows, 8 * 4, cudaMemcpyHostToDevice);
    spread<<<(n + 255) / 256, 256>>>(in2, w2, out2, n);
}
";

#[test]
fn kernels_of_a_program_do_not_share_arrays_of_a_name() {
    let contents = contents(TWO);
    for kernel in [1, 2] {
        let request = PlacementRequest { kernel, ..request() };
        let report = PlacementRun::new(request, &contents).expect("a kernel").finish();
        assert!(!report.notes.iter().any(|note| note.contains("left out")), "{:?}", report.notes);
        let row = report.ranking.iter().find(|row| {
            row.placement.iter().all(|(array, memory)| memory == if array == "w" { "constant" } else { "global" })
        });
        assert!(row.expect("`w` is small").machine_microseconds.is_some(), "kernel {kernel}");
    }
}

#[test]
fn the_text_for_people_has_the_launches_of_the_host_alone() {
    let contents = contents(PROGRAM);
    let rewritten = rewritten_text(&request(), &contents, &["w=constant".into()]).expect("a text");
    assert!(rewritten.notes.is_empty(), "{:?}", rewritten.notes);
    assert!(!rewritten.text.contains("launch:"), "{}", rewritten.text);
    assert!(rewritten.text.ends_with("twice<<<(n + 127) / 128, 128>>>(out, n);\n}\n"), "{}", rewritten.text);
    let copy = "    { cudaMemcpyToSymbol(::w, w, sizeof(::w), 0, cudaMemcpyDeviceToDevice);\n      conv<<<";
    assert!(rewritten.text.contains(copy), "{}", rewritten.text);
    // Comments of the text itself stay.
    let own = format!("// launch: conv<<<16, 256>>>(in: float[4096] = random(1), w: float[9] = random(2), out: float[4096], n = 4096)\n{PROGRAM}");
    let rewritten = rewritten_text(&request(), &self::contents(&own), &["w=constant".into()]).expect("a text");
    assert_eq!(rewritten.text.matches("// launch: conv<<<16, 256>>>").count(), 1, "{}", rewritten.text);
}
