//! Tables of times that train the overlap of the printed model, and tables that cannot.

use base::Job;
use lab::{retrain, Contents, MachineTraining, OverlapFile, PaperRequest, PlacementRequest, PlacementRun};
use std::fmt::Write as _;

const KERNELS: [&str; 3] = ["matvec-rows", "transpose", "gather"];

/// Returns three examples as if they had been read from files.
fn contents() -> Contents {
    let mut all = Contents::default();
    for id in KERNELS {
        all.kernels.extend(Contents::of_example(id).expect("an example").kernels);
    }
    all
}

fn request(kernel: u32, overlap: Option<OverlapFile>) -> PlacementRequest {
    // The time of the sample is no kernel's of the table, so equation 11 alone must find those.
    let rule = if overlap.is_some() { "trained" } else { "" };
    let paper = PaperRequest { time_us: Some(100.0), overlap: rule.into(), ..PaperRequest::default() };
    let (gpu, model) = ("k80".into(), "paper".into());
    PlacementRequest { gpu, kernel, top: 1000, model, paper, overlap, ..PlacementRequest::default() }
}

/// Times that hide half of each Tmem. Training finds it.
#[test]
fn training_finds_the_ratio_of_a_table() {
    let contents = contents();
    let ranking = |kernel: u32, overlap: Option<&OverlapFile>| {
        PlacementRun::new(request(kernel, overlap.cloned()), &contents).expect("a kernel").finish().ranking
    };
    let time = |row: &lab::PlacementRow| (row.t_comp + 0.5 * row.t_mem) * row.microseconds / row.cycles;
    let mut csv = String::from("kernel,placement,time_us\n");
    let mut truth = Vec::new();
    for kernel in 1..=KERNELS.len() as u32 {
        for row in ranking(kernel, None) {
            let placement: Vec<String> =
                row.placement.iter().map(|(array, memory)| format!("{array}={memory}")).collect();
            let name = &contents.kernels[kernel as usize - 1].name;
            writeln!(csv, "{name},{},{}", placement.join(" "), time(&row)).expect("text");
            truth.push((kernel, row.placement.clone(), time(&row)));
        }
    }
    let file = retrain("times.csv", csv.as_bytes(), &contents, &request(0, None)).expect("enough rows");
    assert_eq!((file.rows, file.kernels, file.gpu.as_str()), (truth.len(), KERNELS.len(), "k80"));
    assert!(file.provenance.contains("times.csv"));
    // Copies of tiles are not part of what overlaps, so the ratio is a half almost everywhere.
    assert!(file.error()[0] < 0.05, "{:?} {:?}", file.least_squares, file.ridge);
    let text = serde_json::to_string(&file).expect("plain data");
    assert_eq!(OverlapFile::read("back.json", text.as_bytes()).expect("its own file"), file);
    for kernel in 1..=KERNELS.len() as u32 {
        for row in ranking(kernel, Some(&file)) {
            let of = |(k, placement, _): &&(u32, _, f64)| *k == kernel && *placement == row.placement;
            let (_, _, time) = truth.iter().find(of).expect("a placement of the table");
            assert!((row.microseconds / time - 1.0).abs() < 0.05, "{row:?}: {time}");
            let sum = row.t_comp + row.t_mem - row.t_overlap;
            assert!((sum - row.cycles).abs() < 1e-6 * sum, "the terms add up");
        }
    }
}

/// Without a table, the model of the whole GPU gives the times.
#[test]
fn the_whole_gpu_trains_too() {
    let mut request = request(0, None);
    request.paper = PaperRequest::default();
    let file = MachineTraining::new(&contents(), &request).expect("three kernels").finish().expect("enough rows");
    assert_eq!(file.kernels, KERNELS.len());
    assert!(file.rows >= 15 && file.provenance.contains("model of the whole Tesla K80"), "{}", file.provenance);
    assert!(file.errors().untrained.is_finite() && file.errors().trained.is_finite());
    let mut two = contents();
    two.kernels.pop();
    let said = MachineTraining::new(&two, &request).err().expect("too few")[0].to_string();
    assert!(said.contains("at least 3 kernels"), "{said}");
}

#[test]
fn the_sample_is_measured_or_comes_from_the_whole_gpu() {
    let contents = contents();
    let measured = PlacementRun::new(request(2, None), &contents).expect("a kernel").finish();
    let time = measured.sample_time.expect("a time");
    assert_eq!((time.microseconds, time.simulated), (100.0, false));
    assert!((measured.sample.microseconds - 100.0).abs() < 1e-9, "the sample is predicted as it was measured");
    let mut without = request(2, None);
    without.paper = PaperRequest::default();
    let simulated = PlacementRun::new(without, &contents).expect("a kernel").finish();
    let time = simulated.sample_time.expect("a time");
    assert!(time.simulated && (simulated.sample.microseconds / time.microseconds - 1.0).abs() < 1e-9);
    let machine = PlacementRequest { gpu: "k80".into(), kernel: 2, ..PlacementRequest::default() };
    let machine = PlacementRun::new(machine, &contents).expect("a kernel").finish();
    assert_eq!(machine.sample.machine_microseconds, Some(time.microseconds), "the time of the default model's machine");
    assert!(machine.sample_time.is_none());
    assert!(simulated.notes.iter().any(|note| note.contains("nothing was measured")), "{:?}", simulated.notes);
}

#[test]
fn what_is_wrong_with_a_table_is_said_with_its_line() {
    let check = |csv: &str, expected: &str| {
        let found = retrain("times.csv", csv.as_bytes(), &contents(), &PlacementRequest::default()).expect_err(csv);
        let text: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert!(text.join("\n").contains(expected), "{csv}: {text:?}");
    };
    check("kernel,time\n", "columns kernel, placement, time_us");
    check("kernel,placement,time_us\nnone,A=global,3\n", "times.csv:2: error: expected a kernel of the traces");
    check("kernel,placement,time_us\ntranspose,source=global,3\ntranspose,source=global,-1\n", "times.csv:3");
    check("kernel,placement,time_us\ntranspose,sauce=global,3\n", "an array of the kernel");
    check("kernel,placement,time_us\ntranspose,source=rom,3\n", "a memory");
    check("kernel,placement,time_us\ntranspose,source=global,3\n", "at least 15 rows of 3 kernels");
    let broken = OverlapFile::read("x.json", b"{\"warpscope_overlap\": 3}").expect_err("fields are missing");
    assert!(broken[0].to_string().contains("coefficients of the overlap"));
}
