//! CUDA text as a source of traces: run in steps or at once, from a file, an archive or the library.

use base::{Job, Step};
use cuda_vm::{emulate, library};
use lab::{array_csv, CacheRun, Contents, CudaSettings, Intake, Scenario};

const TWO: &str = "// launch: k<<<2, 64>>>(x: float[256] = iota)
    // launch: k<<<1, 32>>>(x)
    __global__ void k(float *x) { x[threadIdx.x] += 1; }";

fn read(files: &[(&str, &[u8])]) -> Intake {
    let mut intake = Intake::default();
    intake.keep_texts();
    for (name, bytes) in files {
        intake.begin(name);
        intake.push(bytes);
    }
    intake
}

fn report(contents: &Contents) -> String {
    let report = CacheRun::new(&Scenario::default(), contents).expect("it runs").finish().expect("a report");
    serde_json::to_string(&report).expect("plain data")
}

#[test]
fn a_text_in_steps_gives_what_the_emulator_gives_at_once() {
    for kernel in library().iter().take(6) {
        let name = format!("{}.cu", kernel.id);
        let direct = emulate(&name, kernel.text, &CudaSettings::default().options());
        let mut intake = read(&[(&name, kernel.text.as_bytes())]);
        let (mut steps, mut last) = (0, 0);
        while let Step::More(progress) = intake.run_texts(10_000) {
            assert!(last <= progress.done && progress.done <= progress.total, "{progress:?}");
            (steps, last) = (steps + 1, progress.done);
        }
        assert!(steps > 1);
        let contents = intake.finish();
        let traces: Vec<_> = direct.launches.iter().map(|launch| &launch.trace).collect();
        assert_eq!(contents.kernels.iter().map(|trace| &**trace).collect::<Vec<_>>(), traces, "{}", kernel.id);
        assert_eq!((contents.files[0].role, contents.files[0].kernels), ("trace", traces.len()));
        let [text] = &contents.texts[..] else { panic!("one text") };
        assert_eq!((text.file, text.launches.len(), &text.output), (Some(0), traces.len(), &direct.output));
        assert_eq!(
            text.arrays.iter().map(array_csv).collect::<Vec<_>>(),
            direct.arrays.iter().map(array_csv).collect::<Vec<_>>()
        );
    }
}

#[test]
fn an_example_is_no_file_and_gives_the_report_of_its_text() {
    let kernel = &library()[0];
    let example = Contents::of_example(kernel.id).expect("a kernel of the library");
    let file = read(&[("mine.cu", kernel.text.as_bytes())]).finish();
    assert_eq!((example.example.as_deref(), example.files.len(), example.places.len()), (Some(kernel.id), 0, 0));
    assert!(file.example.is_none() && file.files[0].id.name == "mine.cu");
    assert_eq!(report(&example), report(&file));
    assert!(Contents::of_example("nothing").is_err());
}

#[test]
fn launches_are_found_beside_other_traces() {
    let trc = b"blocksize: 32 1 1\n0 0 4096 4\n";
    let contents = read(&[("a.trc", trc), ("k.cu", TWO.as_bytes()), ("z.trc", trc)]).finish();
    assert_eq!(contents.kernels.len(), 4);
    let file = contents.texts[0].file;
    assert_eq!(file, Some(1));
    let blocks = |launch| contents.launch(file, launch).map(|trace| trace.launch.grid.x);
    assert_eq!([blocks(0), blocks(1), blocks(2)], [Some(2), Some(1), None]);
}

#[test]
fn a_text_that_cannot_run_says_why_and_the_others_stay() {
    let contents = read(&[("bad.cu", b"__global__ void k(float *x) { x[0] = ; }"), ("k.cu", TWO.as_bytes())]).finish();
    assert_eq!(contents.kernels.len(), 2);
    assert!(contents.has_error() && contents.diagnostics[0].file == "bad.cu");
    assert!(contents.texts[0].position.is_some() && contents.texts[0].launches.is_empty());
    let other = read(&[("bytes.cu", b"// \xe9\0\n__global__ void k() {}")]).finish();
    assert_eq!(other.diagnostics[0].expected, "a text");
}

/// Other files would not mend the text.
#[test]
fn the_remedy_for_a_text_without_a_launch_is_in_its_messages() {
    let help = |files: &[(&str, &[u8])]| {
        let refused = CacheRun::new(&Scenario::default(), &read(files).finish()).err().expect("no kernel");
        refused[0].help.to_string()
    };
    let traces = "load an Ocelot .trc or Accel-Sim .traceg file";
    assert_eq!(help(&[]), traces);
    let messages = "the other messages say why no launch of the CUDA text ran";
    assert_eq!(help(&[("host.cu", b"int main() { return 0; }")]), messages);
    assert_eq!(help(&[("bad.cu", b"__global__ void k(float *x) { x[0] = ; }")]), messages);
}

#[test]
fn without_being_asked_nothing_but_traces_is_kept() {
    let mut intake = Intake::default();
    intake.begin("k.cu");
    intake.push(TWO.as_bytes());
    let contents = intake.finish();
    assert_eq!((contents.kernels.len(), contents.texts.len()), (2, 0));
}
