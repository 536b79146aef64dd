//! Training the overlap from a table of measured times.

use base::Job;
use lab::{retrain, Contents, OverlapFile, PlaceRequest, PlaceRun};

const KERNELS: [(&str, &str); 3] = [("matvec-rows", "A"), ("transpose", "source"), ("gather", "data")];

/// Three examples as if they had been read together.
fn contents() -> Contents {
    let mut all = Contents::default();
    for (id, _) in KERNELS {
        all.kernels.extend(Contents::of_example(id).expect("an example").kernels);
    }
    all
}

/// Times that are a fifth below what the shipped model says.
fn table() -> String {
    let mut csv = String::from("kernel,placement,time_us\n");
    for (id, array) in KERNELS {
        let contents = Contents::of_example(id).expect("an example");
        let report = PlaceRun::new(PlaceRequest::default(), &contents).expect("a kernel with arrays").finish();
        let rows = report.ranking.iter().filter(|row| row.placement[array] != "constant");
        for row in rows.take(6) {
            let placement: Vec<String> =
                row.placement.iter().map(|(array, memory)| format!("{array}={memory}")).collect();
            csv += &format!("{},{},{}\n", report.kernel, placement.join(" "), 0.8 * row.microseconds);
        }
    }
    csv
}

#[test]
fn a_table_trains_and_the_result_is_used() {
    let file = retrain("times.csv", table().as_bytes(), &contents(), &PlaceRequest::default()).expect("18 rows");
    assert_eq!((file.rows, file.kernels, file.gpu.as_str()), (18, 3, "a100"));
    assert!(file.provenance.contains("times.csv"));
    let text = serde_json::to_string(&file).expect("plain data");
    assert_eq!(OverlapFile::read("mine.json", text.as_bytes()).as_ref(), Ok(&file));
    let cycles = |id: &str, overlap: Option<OverlapFile>| {
        let contents = Contents::of_example(id).expect("an example");
        let request = PlaceRequest { overlap, ..PlaceRequest::default() };
        PlaceRun::new(request, &contents).expect("a kernel").finish().sample.cycles
    };
    // Shorter times mean more overlap, wherever there is room for it.
    let pairs = KERNELS.map(|(id, _)| (cycles(id, Some(file.clone())), cycles(id, None)));
    assert!(pairs.iter().any(|(with, without)| with < &(0.99 * without)), "{pairs:?}");
}

#[test]
fn what_is_wrong_with_a_table_is_said_with_its_line() {
    let check = |csv: &str, expected: &str| {
        let found = retrain("times.csv", csv.as_bytes(), &contents(), &PlaceRequest::default()).expect_err(csv);
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
