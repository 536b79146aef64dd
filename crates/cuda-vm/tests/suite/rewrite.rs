//! Rewritten kernels give the results of the library's own texts.

use cuda_vm::{emulate, library, rewrite, CudaOptions, CudaRun, LaunchFacts, LibraryKernel, Space};

/// The arrays of a launch that its kernel uses.
fn arrays(run: &CudaRun, launch: usize) -> Vec<String> {
    let result = &run.launches[launch];
    result
        .trace
        .arrays
        .iter()
        .map(|array| array.name.clone())
        .filter(|name| result.facts.arrays.iter().any(|(known, ..)| known == name))
        .collect()
}

fn errors(run: &CudaRun) -> Vec<String> {
    let bad = run.diagnostics.iter().filter(|d| d.severity == base::Severity::Error);
    bad.map(|d| format!("{:?}: expected {}, found {}", d.line, d.expected, d.found)).collect()
}

/// Runs a rewritten text and compares all arrays with those of the original. A tile may leave what a clock measured.
fn check(kernel: &LibraryKernel, run: &CudaRun, text: &str, what: &str) {
    let moved = emulate(kernel.id, text, &CudaOptions::default());
    assert!(errors(&moved).is_empty(), "{what}: {:?}\n{text}", errors(&moved));
    assert_eq!(moved.launches.len(), run.launches.len(), "{what}\n{text}");
    for array in &run.arrays {
        let after = moved.arrays.iter().find(|other| other.name == array.name);
        assert!(after.is_some_and(|other| other.after == array.after), "{what}: {} differs\n{text}", array.name);
    }
}

fn moved(kernel: &LibraryKernel, facts: &LaunchFacts, moves: &[(&str, Space)]) -> Result<String, String> {
    rewrite(kernel.text, facts, moves).map(|r| r.text).map_err(|r| r.to_string())
}

#[test]
fn every_move_of_one_or_two_arrays_of_the_library_keeps_the_results() {
    let show = std::env::var("SHOW_REWRITES").ok();
    let mut offered = 0;
    for kernel in library() {
        let run = emulate(kernel.id, kernel.text, &CudaOptions::default());
        for (launch, result) in run.launches.iter().enumerate() {
            let mut legal: Vec<(String, Space)> = Vec::new();
            for array in arrays(&run, launch) {
                for space in Space::ALL.into_iter().filter(|space| *space != Space::Global) {
                    let what = format!("{} {}: {array} in {space}", kernel.id, result.kernel);
                    match moved(kernel, &result.facts, &[(&array, space)]) {
                        Ok(text) => {
                            if show.is_some() {
                                println!("{what}: offered");
                            }
                            if show.as_deref() == Some(kernel.id) {
                                println!("{text}");
                            }
                            check(kernel, &run, &text, &what);
                            legal.push((array.clone(), space));
                            offered += 1;
                        }
                        Err(reason) => {
                            if show.is_some() {
                                println!("{what}: not, {reason}");
                            }
                            assert!(!reason.is_empty());
                        }
                    }
                }
            }
            for (i, (a, first)) in legal.iter().enumerate() {
                for (b, second) in legal[i + 1..].iter().filter(|(b, _)| b != a) {
                    let what = format!("{} {}: {a} in {first}, {b} in {second}", kernel.id, result.kernel);
                    if let Ok(text) = moved(kernel, &result.facts, &[(a, *first), (b, *second)]) {
                        check(kernel, &run, &text, &what);
                        offered += 1;
                    }
                }
            }
        }
    }
    assert!(offered > 150, "{offered}");
}
