//! Placements of launches that are too long for the placement model: their first blocks run.

use base::Job;
use lab::{
    placement_options, ArrayEdit, Contents, CudaOptions, CudaSettings, Intake, LaunchPart, PlacementReport,
    PlacementRequest, PlacementRun, PlacementSession,
};
use trace::{Array, Dim3, Kind, Launch, Origin, Site, Space, Trace, TraceBuilder};

/// A product of matrices with R rows and K terms. All threads of a warp read the same element of `a`, and neighbours of `b`.
const PRODUCT: &str = "
    // launch: product<<<dim3(N / 32, R / 8), dim3(32, 8)>>>(a: float[R*K] = random(1), b: float[K*N] = random(2), c: float[R*N], n = N, terms = K, N = 128, R = 1024, K = 32)
    __global__ void product(const float *a, const float *b, float *c, int n, int terms) {
        int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
        float sum = 0;
        for (int k = 0; k < terms; k++) sum += a[y * terms + k] * b[k * n + x];
        c[y * n + x] = sum;
    }";

fn request() -> PlacementRequest {
    PlacementRequest { gpu: "rtx3060".into(), top: 100, ..PlacementRequest::default() }
}

fn report(text: &str, options: CudaOptions) -> PlacementReport {
    let mut intake = Intake::default();
    intake.set_cuda(options);
    intake.begin("product.cu");
    intake.push(text.as_bytes());
    PlacementRun::new(request(), &intake.finish()).expect("a kernel that can be placed").finish()
}

/// The options under which the product runs in part: its 512 blocks have 520 accesses each.
fn in_part() -> CudaOptions {
    let part = LaunchPart::Accesses { most: 200_000, wanted: 180_000 };
    CudaOptions { part, ..CudaSettings::default().options() }
}

#[test]
fn a_part_of_a_launch_is_placed_as_the_whole() {
    let whole = report(PRODUCT, CudaSettings::default().options());
    let part = report(PRODUCT, in_part());
    let held = |report: &PlacementReport| report.notes.iter().find(|note| note.contains("blocks")).cloned();
    assert_eq!(held(&whole), None);
    assert_eq!(held(&part).as_deref(), Some("the trace holds 346 of 512 blocks; counts are scaled"));
    assert!(whole.ran > 4 && part.ran > 4, "{} and {} placements ran", part.ran, whole.ran);
    assert_eq!(part.recommended, whole.recommended);
    // Six blocks are resident on each of the 28 SMs: 346 blocks fill them twice, and 512 three times.
    for row in &part.ranking {
        let other = whole.ranking.iter().find(|other| other.placement == row.placement);
        let times = row.machine_microseconds.zip(other.and_then(|other| other.machine_microseconds));
        assert!(times.is_none_or(|(one, other)| (one / other - 1.0).abs() < 0.25), "{times:?}: {:?}", row.placement);
    }
}

#[test]
fn other_blocks_are_not_tried_on_a_part() {
    let mut intake = Intake::default();
    intake.set_cuda(in_part());
    intake.begin("product.cu");
    intake.push(PRODUCT.as_bytes());
    let request = PlacementRequest { changes: true, ..request() };
    let report = PlacementRun::new(request, &intake.finish()).expect("a kernel").finish();
    let rows = report.changes.expect("changes were asked for");
    let blocks: Vec<_> = rows.iter().filter(|row| row.changes.iter().any(|change| change.contains("block"))).collect();
    assert!(!blocks.is_empty() && blocks.iter().all(|row| row.machine_microseconds.is_none()));
    assert!(blocks.iter().all(|row| row.reason.contains("only its first blocks run")), "{}", blocks[0].reason);
    assert!(rows.iter().any(|row| row.changes == ["restrict"] && row.machine_microseconds.is_some()));
}

#[test]
fn a_launch_with_a_trace_of_gigabytes_can_be_placed() {
    let mut session = PlacementSession::default();
    let sizes = ["N", "R", "K"].map(|name| (name.into(), "2048".into())).into();
    session.set_cuda(CudaOptions { sizes, ..CudaSettings::default().options() });
    session.begin_file("product.cu", None);
    session.push(PRODUCT.as_bytes());
    let input = session.finish_files();
    assert!(input.diagnostics.is_empty(), "{:?}", input.diagnostics);
    let prepared = session.prepare(request(), &ArrayEdit::default()).expect("a kernel");
    assert_eq!((prepared.blocks, prepared.accesses), ([31, 16_384], 31 * 8 * 4097));
}

/// 520 blocks with more accesses than the placement model takes.
fn long_trace() -> Trace {
    let launch = Launch { grid: Dim3::new(520, 1, 1), block: Dim3::new(32, 1, 1), shared_bytes: 0, registers: 0 };
    let mut builder = TraceBuilder::new("long", launch);
    let (space, kind) = (Space::Global, Kind::Load);
    let site = builder.intern_site(Site { pc: 0, opcode: "".into(), source_line: None, space, kind, bytes: 4 });
    for block in 0..520 {
        builder.begin_block(Dim3::new(block, 0, 0));
        builder.begin_warp(0);
        for k in 0..8192 {
            builder.add_instructions(2);
            builder.add_affine_access(site, u32::MAX, 4096 + 128 * (k % 64), 4);
        }
    }
    let origin = Origin::Named;
    builder.add_arrays([Array { name: "x".into(), base: 4096, bytes: 8192, origin, copied_in: Some(true) }]);
    builder.finish()
}

#[test]
fn a_long_trace_file_is_placed_by_its_first_blocks() {
    let report = PlacementRun::new(request(), &Contents::of_trace(long_trace())).expect("a kernel").finish();
    let held = "the trace holds 128 of 520 blocks; counts are scaled";
    assert!(report.notes.iter().any(|note| note == held), "{:?}", report.notes);
    assert!(report.ran > 1);
}

#[test]
fn what_runs_in_part_is_what_the_model_does_not_take() {
    let part = placement_options(CudaOptions::default()).part;
    let LaunchPart::Accesses { most, wanted } = part else { panic!("{part:?}") };
    assert!(wanted < most && most == placement::ACCESSES_MAX as u64);
}
