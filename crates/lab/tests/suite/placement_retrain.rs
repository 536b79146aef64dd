//! Tables of times that train the overlap, and tables that cannot.

use base::Job;
use lab::{retrain, Contents, OverlapFile, PlacementRequest, PlacementRun};
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

/// Times that hide a part of each Tmem that the equations do not hide. Training finds it.
#[test]
fn training_brings_predictions_nearer_to_the_table() {
    let contents = contents();
    let request = |kernel: u32, overlap: Option<OverlapFile>| PlacementRequest {
        gpu: "k20c".into(),
        kernel,
        top: 1000,
        overlap,
        ..PlacementRequest::default()
    };
    let ranking = |kernel: u32, overlap: Option<&OverlapFile>| {
        PlacementRun::new(request(kernel, overlap.cloned()), &contents).expect("a kernel").finish().ranking
    };
    let time = |row: &lab::PlacementRow| {
        let scale = row.microseconds / row.cycles;
        (row.t_comp.max(row.t_mem) + 0.2 * row.t_comp.min(row.t_mem)) * scale
    };
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
    assert_eq!((file.rows, file.kernels, file.gpu.as_str()), (truth.len(), KERNELS.len(), "k20c"));
    assert!(file.provenance.contains("times.csv"));
    let text = serde_json::to_string(&file).expect("plain data");
    assert_eq!(OverlapFile::read("back.json", text.as_bytes()).expect("its own file"), file);
    let error = |overlap: Option<&OverlapFile>| {
        let mut sum = 0.0;
        for kernel in 1..=KERNELS.len() as u32 {
            for row in ranking(kernel, overlap) {
                let of = |(k, placement, _): &&(u32, _, f64)| *k == kernel && *placement == row.placement;
                let (_, _, time) = truth.iter().find(of).expect("a placement of the table");
                sum += (row.microseconds / time - 1.0).abs();
            }
        }
        sum / truth.len() as f64
    };
    let (before, after) = (error(None), error(Some(&file)));
    assert!(after < before / 2.0, "{before} {after}");
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
