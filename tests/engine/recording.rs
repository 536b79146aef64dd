//! Recordings of CUDA text: what they hand over is what the emulator made, and damaged ones are errors.

use base::{Job, Random};
use cuda_vm::{emulate, library, Options};
use lab::{array_csv, record_cuda, Contents, CudaSettings, Intake, Run, Scenario};
use trace::{FileReader, Recording};

fn recorded(bytes: &[u8]) -> Contents {
    let mut intake = Intake::default();
    intake.begin("whatever");
    bytes.chunks(60_000).for_each(|chunk| intake.push(chunk));
    intake.finish()
}

#[test]
fn a_recording_gives_the_report_of_the_text_itself() {
    for kernel in library().iter().take(12) {
        let direct = Contents::of_example(kernel.id).expect("a kernel of the library");
        let run = emulate(&format!("{}.cu", kernel.id), kernel.text, &CudaSettings::default().options());
        let there = recorded(&record_cuda(&format!("{}.cu", kernel.id), kernel.text, Some(kernel.id), &run));
        assert_eq!((there.example.as_deref(), there.files.len()), (Some(kernel.id), 0));
        assert!(direct.kernels == there.kernels, "{}: another trace", kernel.id);
        assert!(there.places.is_empty());
        assert_eq!(direct.diagnostics, there.diagnostics);
        let report = |contents: &Contents| Run::new(&Scenario::default(), contents).expect("it runs").finish();
        let [direct, there] =
            [&direct, &there].map(|contents| serde_json::to_string(&report(contents).expect("a report")));
        assert_eq!(direct.expect("JSON"), there.expect("JSON"), "{}", kernel.id);
    }
}

#[test]
fn a_recording_stands_for_the_file_it_was_made_of() {
    let text = library()[0].text;
    let run = emulate("mine.cu", text, &CudaSettings::default().options());
    let there = recorded(&record_cuda("mine.cu", text, None, &run));
    let mut intake = Intake::default();
    intake.set_cuda(CudaSettings::default().options());
    intake.begin("mine.cu");
    intake.push(text.as_bytes());
    let direct = intake.finish();
    assert_eq!(there.files[0].id, direct.files[0].id);
    assert_eq!((&there.files[0].format, there.files[0].key), (&direct.files[0].format, direct.files[0].key));
    assert_eq!((there.files[0].role, there.files[0].kernels), ("trace", 1));
    assert!(there.example.is_none() && there.kernels == direct.kernels);
}

#[test]
fn damaged_recordings_are_errors_or_sound_traces() {
    let text = "// launch: k<<<2, 64>>>(x: float[256] = iota, y: int[64] = random(1, 0, 255))
        __global__ void k(float *x, const int *y) { int i = threadIdx.x; x[y[i]] += 1; if (i < 7) x[i * 9] = 2; }";
    let run = emulate("k.cu", text, &Options::default());
    let whole = record_cuda("k.cu", text, None, &run);
    assert_eq!(Recording::read(&whole).map(|recording| recording.kernels.len()), Ok(1));
    let mut random = Random::new(5);
    let mut sound = 0;
    for _ in 0..5_000 {
        let mut bytes = whole.clone();
        for _ in 0..random.below(6) + 1 {
            let at = random.below(bytes.len() as u64) as usize;
            bytes[at] = random.below(256) as u8;
        }
        bytes.truncate(bytes.len() - random.below(3) as usize * random.below(200) as usize);
        let Ok(recording) = Recording::read(&bytes) else { continue };
        sound += 1;
        for trace in &recording.kernels {
            let mut addresses = [0; 32];
            let lanes: usize =
                trace.warps.iter().flat_map(|w| trace.accesses(w)).map(|a| a.addresses(&mut addresses)).sum();
            assert!(lanes <= 32 * trace.access_count());
        }
    }
    assert!(sound > 100, "{sound} mutants were read");
    let mut reader = FileReader::new("k");
    reader.push(&whole[..whole.len() / 2]);
    let content = reader.finish();
    assert!(content.kernels.is_empty());
    assert_eq!(content.diagnostics[0].expected, "a recording of this version");
}

#[test]
fn arrays_are_tables() {
    let text = "// launch: k<<<1, 4>>>(x: float[4] = iota, y: unsigned char[4] = zero, z: double2[2] = zero)
        __global__ void k(float *x, unsigned char *y, double2 *z) {
            int i = threadIdx.x; x[i] *= 0.5f; y[i] = 250 + i; if (i < 2) z[i].y = 1.0; }";
    let run = emulate("k.cu", text, &Options::default());
    assert_eq!(run.diagnostics, []);
    let table = |name: &str| array_csv(run.arrays.iter().find(|array| array.name == name).expect("an array"));
    assert_eq!(table("x"), "index,before,after\n0,0,0\n1,1,0.5\n2,2,1\n3,3,1.5\n");
    assert_eq!(table("y"), "index,before,after\n0,0,250\n1,0,251\n2,0,252\n3,0,253\n");
    assert!(table("z").ends_with("1,00000000000000000000000000000000,0000000000000000000000000000f03f\n"));
}
