//! Tests of CUDA text at the command line: `warpscope trace`, and `.cu` files in commands that take traces.

use crate::terminal::json;
use cuda_vm::library_kernel;
use std::path::PathBuf;
use std::process::{Command, Output};

fn warpscope(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_warpscope")).args(arguments).output().expect("the program starts")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Makes a folder for a test and writes a library kernel into it.
fn folder(name: &str, id: &str) -> (PathBuf, String) {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let file = folder.join(format!("{id}.cu"));
    std::fs::write(&file, library_kernel(id).expect("a kernel").text).expect("a file can be written");
    (folder, file.display().to_string())
}

/// Returns the lines of a report that name neither the input nor its arrays, as the advice does.
fn figures(report: &str) -> Vec<&str> {
    report
        .lines()
        .filter(|l| l.contains("requests") || l.contains("compulsory"))
        .filter(|l| !l.starts_with("    ") && !l.starts_with("  advice:"))
        .collect()
}

#[test]
fn a_traced_kernel_gives_the_report_of_its_text() {
    let (folder, file) = folder("cli_cuda_trc", "transpose");
    let out = folder.join("out.trc").display().to_string();
    let said = warpscope(&["trace", &file, "--size", "n=64", "-o", &out]);
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    assert!(text(&said).contains("transpose <<<[") && text(&said).contains("load global"), "{}", text(&said));
    let direct = warpscope(&["cache", &file, "--size", "n=64", "--model", "reference"]);
    let traced = warpscope(&["cache", &out, "--model", "reference"]);
    assert!(direct.status.success() && traced.status.success());
    assert!(!figures(&text(&direct)).is_empty());
    assert_eq!(figures(&text(&direct)), figures(&text(&traced)));
}

#[test]
fn info_recognises_cuda_by_content_too() {
    let (folder, file) = folder("cli_cuda_info", "vector-add");
    let nameless = folder.join("kernel.txt");
    std::fs::copy(&file, &nameless).expect("a copy");
    let said = text(&warpscope(&["info", &nameless.display().to_string()]));
    assert!(said.contains("CUDA C++ (trace, recognised by its content)"), "{said}");
    assert!(said.contains("array a (named)") || said.contains("array A (named)"), "{said}");
}

/// Its arrays are in memory while it runs.
#[test]
fn info_says_what_a_text_takes_while_it_runs() {
    let (folder, _) = folder("cli_cuda_memory", "vector-add");
    let file = folder.join("k.cu").display().to_string();
    let said = |array: &str| {
        let text = format!("// launch: k<<<1, 32>>>(x: {array})\n__global__ void k(char *x) {{ x[0] = 1; }}\n");
        std::fs::write(&file, text).expect("a file can be written");
        json(&["info", &file])["estimate"]["memory_bytes"].as_u64().expect("bytes") >> 20
    };
    assert_eq!(said("char[16777216]"), 16);
    assert_eq!(said("char[32]"), 1);
}

#[test]
fn launches_from_outside_and_faults() {
    let (folder, _) = folder("cli_cuda_launch", "vector-add");
    let file = folder.join("k.cu");
    std::fs::write(&file, "__global__ void k(int *a, int n) {\n  a[threadIdx.x * n] = 1;\n}\n")
        .expect("a file can be written");
    let file = file.display().to_string();
    let good = warpscope(&["trace", &file, "--launch", "k<<<2, 32>>>(a: int[64], n = 2)"]);
    assert!(good.status.success() && text(&good).contains("2 warp accesses"), "{}", text(&good));
    let bad = warpscope(&["trace", &file, "--launch", "k<<<2, 32>>>(a: int[64], n = 3)"]);
    let said = String::from_utf8_lossy(&bad.stderr).into_owned();
    assert!(!bad.status.success() && said.contains("k.cu:2") && said.contains("`a[66]`"), "{said}");
    let compiled = warpscope(&["trace", &file, "--as", "compiled", "--launch", "k<<<1, 32>>>(a: int[64], n = 1)"]);
    assert!(compiled.status.success() && text(&compiled).contains("store global 1"), "{}", text(&compiled));
}

#[test]
fn values_of_a_guess_have_an_origin_and_a_failure_leaves_no_file() {
    let (folder, _) = folder("cli_cuda_origin", "vector-add");
    let file = folder.join("h.cu");
    let kernel = "__global__ void k(float *a, int n, int m) {\n  a[threadIdx.x + n] = m;\n}\n";
    let host = "int main(int argc, char **argv) {\n  float *d; cudaMalloc(&d, 4096);\n  k<<<4, 64>>>(d, 5, atoi(argv[1]));\n}\n";
    std::fs::write(&file, format!("{kernel}{host}")).expect("a file can be written");
    let (file, out) = (file.display().to_string(), folder.join("h.trc"));
    let said = text(&warpscope(&["trace", &file, "-o", &out.display().to_string()]));
    for line in [
        "  blocks 4: host line 6",
        "  a [1024]: host line 6",
        "  n 5: host line 6",
        "  m 256: default, host line 6 leaves it open",
    ] {
        assert!(said.contains(line), "{line} is not in {said}");
    }
    assert!(out.exists());
    std::fs::write(&file, "__global__ void k(float *a) { a[0] = = 1; }\n").expect("a file can be written");
    let failed = warpscope(&["trace", &file, "-o", &out.display().to_string()]);
    assert_eq!((failed.status.code(), out.exists()), (Some(1), false), "{}", String::from_utf8_lossy(&failed.stderr));
}

#[test]
fn headers_are_read_beside_the_file_through_folders_and_among_the_files() {
    let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cli_cuda_headers");
    let put = |path: &str, text: &str| {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder can be made");
        std::fs::write(&path, text).expect("a file can be written");
        path.display().to_string()
    };
    let main = put(
        "src/k.cu",
        "#include \"sub/a.h\"\n#include \"far.h\"\n// launch: k<<<1, 32>>>(out: int[64])\n\
         __global__ void k(int *out) { out[A * threadIdx.x] = FAR; }\n",
    );
    put("src/sub/a.h", "#pragma once\n#include \"b.h\"\n#define A (B + 1)\n");
    put("src/sub/b.h", "#define B 0\n");
    let far = put("inc/far.h", "#define FAR 3\n");
    let folder = root.join("inc").display().to_string();
    let good = warpscope(&["trace", &main, "-I", &folder]);
    assert!(good.status.success() && text(&good).contains("1 warp accesses"), "{good:?}");
    let given = warpscope(&["trace", &far, &main]);
    assert_eq!(text(&given), text(&good), "{given:?}");
    let missing = warpscope(&["trace", &main]);
    let said = String::from_utf8_lossy(&missing.stderr).into_owned();
    assert!(!missing.status.success(), "{said}");
    assert!(
        said.contains("k.cu:2: warning: expected the included files, found no \"far.h\"") && said.contains("-I DIR"),
        "{said}"
    );
    put("src/sub/b.h", "\n#define B 0\n__device__ int wrong() { return 1 }\n");
    let wrong = warpscope(&["trace", &main, "-I", &folder]);
    let said = String::from_utf8_lossy(&wrong.stderr).into_owned();
    assert!(said.contains("sub/b.h:3: ") && said.contains("expected `;`"), "{said}");
}

#[test]
fn the_host_code_of_another_file_decides_the_launch() {
    let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cli_cuda_program");
    std::fs::create_dir_all(&root).expect("a folder can be made");
    let put = |name: &str, text: &str| {
        let path = root.join(name);
        std::fs::write(&path, text).expect("a file can be written");
        path.display().to_string()
    };
    let kernels = put(
        "kernels.cu",
        "__global__ void k(float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = 1; }\n\
         void run(float *a, int n) { k<<<(n + 63) / 64, 64>>>(a, n); }\n",
    );
    let main = "void run(float *a, int n);\n\
        int main() { int n = 1000; float *a; cudaMalloc(&a, n * sizeof(float)); run(a, n); }\n";
    for name in ["main.cpp", "main.cu", "main.c"] {
        let main = put(name, main);
        for files in [[&kernels, &main], [&main, &kernels]] {
            let done = warpscope(&["trace", files[0], files[1]]);
            let said = text(&done);
            assert!(
                said.contains("k <<<[16, 1, 1], [64, 1, 1]>>>") && said.contains("a [1000]: host line 2"),
                "{said}"
            );
        }
    }
}

#[test]
fn headers_may_be_utf_16_and_launches_of_the_host_can_be_asked_for() {
    let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cli_cuda_launches");
    std::fs::create_dir_all(&root).expect("a folder can be made");
    let put = |name: &str, bytes: &[u8]| {
        let path = root.join(name);
        std::fs::write(&path, bytes).expect("a file can be written");
        path.display().to_string()
    };
    let wide = "#define SIDE 64\n".encode_utf16().flat_map(u16::to_le_bytes);
    put("side.h", &[0xff, 0xfe].into_iter().chain(wide).collect::<Vec<u8>>());
    let main = put(
        "k.cu",
        b"#include \"side.h\"\n__global__ void k(float *a, int n) { a[blockIdx.x * 32 + threadIdx.x] += n; }\n\
          int main() { float *a; cudaMalloc(&a, SIDE * 4); for (int n = 1; n < 4; n++) k<<<SIDE / 32 / n, 32>>>(a, n); }\n",
    );
    let widest = text(&warpscope(&["trace", &main]));
    assert!(widest.contains("1 k <<<[2, 1, 1], [32, 1, 1]>>>") && widest.contains("  n 1: host line 3\n"), "{widest}");
    let second = text(&warpscope(&["trace", &main, "--launch", "2"]));
    assert!(second.contains("  blocks 1: host line 3, launch 2 of 2\n") && second.contains("  n 2: "), "{second}");
    let all = text(&warpscope(&["trace", &main, "--launch", "all"]));
    assert!(all.contains("2 k <<<[1, 1, 1], [32, 1, 1]>>>") && all.contains("  n 2: host line 3\n"), "{all}");
}
