//! Tables of times that cannot train the overlap. `tests/engine/placement_retraining.rs` trains on valid ones.

use lab::{retrain, Contents, OverlapFile, PlacementRequest};

const KERNELS: [&str; 3] = ["matvec-rows", "transpose", "gather"];

/// Returns three examples as if they had been read from files.
fn contents() -> Contents {
    let mut all = Contents::default();
    for id in KERNELS {
        all.kernels.extend(Contents::of_example(id).expect("an example").kernels);
    }
    all
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
