//! Texts whose staging in shared memory is taken back.

use base::Severity;
use cuda_vm::{emulate, library, rewrite, CudaOptions, CudaRun, Space};

fn run(text: &str) -> CudaRun {
    let run = emulate("k.cu", text, &CudaOptions::default());
    let bad = run.diagnostics.iter().filter(|d| d.severity == Severity::Error);
    let errors: Vec<String> =
        bad.map(|d| format!("{:?}: expected {}, found {}", d.line, d.expected, d.found)).collect();
    assert!(errors.is_empty(), "{errors:?}\n{text}");
    run
}

/// The text with arrays read from global memory. The values of all arrays are those of the text.
fn taken_back(text: &str, arrays: &[&str]) -> String {
    let before = run(text);
    let moves: Vec<(&str, Space)> = arrays.iter().map(|array| (*array, Space::Global)).collect();
    let taken = rewrite(text, &before.launches[0].facts, &moves).map_err(|refusal| refusal.to_string());
    let taken = taken.unwrap_or_else(|refusal| panic!("{refusal}\n{text}")).text;
    let after = run(&taken);
    for array in &before.arrays {
        let same = after.arrays.iter().find(|other| other.name == array.name).map(|other| &other.after);
        assert!(same == Some(&array.after), "{}\n{taken}", array.name);
    }
    taken
}

#[test]
fn show() {
    for id in ["matmul-tiled", "nbody", "neural-layer"] {
        let kernel = library().iter().find(|k| k.id == id).unwrap();
        let arrays: &[&str] = match id {
            "nbody" => &["body"],
            "neural-layer" => &["input"],
            _ => &["A", "B"],
        };
        println!("{}", taken_back(kernel.text, arrays));
    }
    println!("{}", taken_back(library().iter().find(|k| k.id == "matmul-tiled").unwrap().text, &["B"]));
    for name in [
        "gemm-tile-32",
        "gemm-square-8",
        "gemm-column-8",
        "gemm-vector",
        "gemm-rank-4",
        "gemm-warp-tiles",
        "convolution-shared",
        "gemm-double-buffer",
        "stencil-queue",
        "scores-blocked",
        "bodies-blocked",
    ] {
        let text = std::fs::read_to_string(format!("tests/data/tiled/{name}.cu")).unwrap();
        let facts = run(&text).launches[0].facts.clone();
        for (array, ..) in &facts.arrays {
            match rewrite(&text, &facts, &[(array, Space::Global)]) {
                Ok(new) if new.text == text => println!("{name} {array}: as it is"),
                Ok(_) => println!("{name} {array}: {}", taken_back(&text, &[array])),
                Err(r) => println!("{name} {array}: {r}"),
            }
        }
    }
}
