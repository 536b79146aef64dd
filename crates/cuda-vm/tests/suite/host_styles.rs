//! Host programs in the styles of public suites, each written for this test. The lines `//= kernel <<<…>>> items` say what
//! the host computes, worked out by hand. An item is `array[elements]`, `name = value` or a pointer into an array.
//!
//! Numbers of files and of the command line are 256, as docs/launch.md says. Of several launches of a kernel, the line has the
//! one with the most threads.

use base::Random;
use cuda_vm::{emulate, join_sources, outline, CudaOptions, LaunchOutline, SourceFile};

const SUITES: [(&str, &str); 11] = [
    ("polybench", include_str!("../data/hosts/polybench.cu")),
    ("rodinia", include_str!("../data/hosts/rodinia.cu")),
    ("shoc", include_str!("../data/hosts/shoc.cu")),
    ("parboil", include_str!("../data/hosts/parboil.cu")),
    ("hecbench", include_str!("../data/hosts/hecbench.cu")),
    ("samples", include_str!("../data/hosts/samples.cu")),
    ("other", include_str!("../data/hosts/other.cu")),
    ("more", include_str!("../data/hosts/more.cu")),
    ("vectors", include_str!("../data/hosts/vectors.cu")),
    ("idioms", include_str!("../data/hosts/idioms.cu")),
    ("contents", include_str!("../data/hosts/contents.cu")),
];
/// Programs whose launch is not found, with the reason.
const OPEN: [(&str, &str); 0] = [];

/// What the outline of a text says otherwise than a line of expectation. Empty if both agree.
pub(crate) fn differences(all: &[LaunchOutline], line: &str) -> Vec<String> {
    let (kernel, rest) = line.split_once("<<<").expect("`<<<` after the kernel");
    let (shape, items) = rest.split_once(">>>").expect("`>>>` after the shape");
    let found = all.iter().find(|l| l.kernel.split('<').next() == Some(kernel.trim()));
    let Some(l) = found else { return vec!["no launch".into()] };
    let shared = l.shared.as_ref().map_or(String::new(), |bytes| format!(", {bytes}"));
    let mut out = Vec::new();
    let (blocks, threads) = (&l.blocks, &l.threads);
    let told = format!("{blocks}, {threads}{shared}");
    if told != shape {
        out.push(told);
    }
    let names =
        |word: &str| word.contains('[') || word == "=" || word.chars().all(|c| c.is_ascii_digit()) || word == "+";
    let mut words = items.split_whitespace().peekable();
    while let Some(first) = words.next() {
        let mut item = first.to_string();
        if words.next_if_eq(&"=").is_some() {
            item = format!("{item} = {}", words.next().unwrap_or_default());
        }
        while item.matches(['{', '(']).count() > item.matches(['}', ')']).count() {
            item = format!("{item} {}", words.next().unwrap_or("}"));
        }
        while !first.contains('[')
            && words.peek().is_some_and(|w| names(w) && !w.contains('[') || item.ends_with('=') || item.ends_with('+'))
        {
            item = format!("{item} {}", words.next().unwrap_or_default());
        }
        let shown = l.items.iter().flat_map(|i| {
            let size = i.declaration.find('[').map_or("", |at| &i.declaration[at..]);
            let real = i.value.parse::<f64>().ok().filter(|_| i.declaration.is_empty());
            [format!("{}{size}", i.name), format!("{} = {}", i.name, real.map_or(i.value.clone(), |v| v.to_string()))]
        });
        let shown: Vec<String> = shown.collect();
        if !shown.contains(&item) {
            out.push(format!("{item} is not in {shown:?}"));
        }
    }
    out
}

#[test]
fn nine_of_ten_host_programs_give_their_launch() {
    let (mut right, mut all, mut wrong) = (0, 0, Vec::new());
    for (suite, text) in SUITES {
        for program in text.split("//// ").skip(1) {
            let title = program.lines().next().unwrap_or_default();
            let found = outline(&format!("// {program}"));
            let differs: Vec<Vec<String>> = program
                .lines()
                .filter_map(|line| line.strip_prefix("//= "))
                .map(|line| differences(&found, line).into_iter().map(|d| format!("{line}: {d}")).collect())
                .collect();
            assert!(!differs.is_empty(), "{suite}: {title} expects nothing");
            all += differs.len();
            right += differs.iter().filter(|d| d.is_empty()).count();
            let failed = differs.iter().any(|d| !d.is_empty());
            if failed != OPEN.iter().any(|(open, _)| *open == title) {
                wrong.push(format!("{suite}: {title}: {:#?}", differs.concat()));
            }
        }
    }
    println!("{right} of {all} launches are those of the host");
    assert!(wrong.is_empty(), "{right} of {all} right\n{}", wrong.join("\n"));
    assert!(all >= 50 && right * 10 >= all * 9, "{right} of {all}");
}

#[test]
fn changed_programs_neither_panic_nor_hang() {
    let own = "struct A { A inner; static A one; int n = 3; A(int m) : inner(m), n(m) {} void go() { auto f = [&] { f(); go(); }; f(); } };\n\
        __global__ void k(int *a) { a[0] = 1; }\nint main() { A a(2); a.go(); k<<<a.n, a.inner.n>>>(0); }\n";
    outline(own);
    let mut random = Random::new(23);
    for (_, suite) in SUITES {
        for program in suite.split("//// ").skip(1) {
            for _ in 0..12 {
                let mut text = format!("// {program}").into_bytes();
                for _ in 0..=random.below(3) {
                    let at = random.below(text.len() as u64) as usize;
                    let from = random.below(text.len() as u64) as usize;
                    let end = (from + 1 + random.below(30) as usize).min(text.len());
                    match random.below(3) {
                        0 => drop(text.drain(from..end)),
                        1 => text[at] = b"0*&<>(){};=,.x:["[random.below(16) as usize],
                        _ => {
                            let piece = text[from..end].to_vec();
                            text.splice(at..at, piece);
                        }
                    }
                }
                outline(&String::from_utf8_lossy(&text));
            }
        }
    }
}

/// Arguments of templates that are no plain number: a class template, a function by name and by address, an enumerator and
/// a negative number. The kernel runs as the host calls it.
#[test]
fn template_arguments_can_be_templates_functions_and_negative_numbers() {
    let largest = "template <typename T> struct Max { __device__ T operator()(T a, T b) const { return a > b ? a : b; } static __device__ T least() { return T(-5); } };
template <typename T, template <typename> class Op> __global__ void k(T *out) { out[threadIdx.x] = Op<T>()(Op<T>::least(), T(3)); }";
    let square = "__device__ int square(int x) { return x * x; }
template <auto F, class T> __global__ void k(T *out) { out[threadIdx.x] = F(threadIdx.x + 3); }";
    let step = "enum Step { Back = -2, On = 1 };
template <Step S> __global__ void k(int *out) { out[threadIdx.x] = S; }";
    let shift = "template <int D> __global__ void k(int *out) { out[threadIdx.x] = D; }";
    let cases = [
        (largest, "int, Max", [3, 3]),
        (square, "square, int", [9, 16]),
        (square, "&square, int", [9, 16]),
        (step, "Back", [-2, -2]),
        (shift, "-7", [-7, -7]),
    ];
    for (kernel, args, expected) in cases {
        let host = format!("int main() {{ int *out; cudaMalloc(&out, 2 * sizeof(int)); k<{args}><<<1, 2>>>(out); }}");
        let found = emulate("host.cu", &format!("{kernel}\n{host}"), &CudaOptions::default());
        let out = found.after("out").unwrap_or_else(|| panic!("{args}: {:?}", found.diagnostics)).i32s();
        assert!(out == expected, "{args}: {:?}", out.get(..2));
    }
}

#[test]
fn a_launch_in_a_header_is_told_as_a_line_of_the_header() {
    let header =
        "__global__ void set(float *a) { a[threadIdx.x] = 1.0f; }\n\nvoid start(float *d) {\n  set<<<1, 32>>>(d);\n}\n";
    let main = "#include \"start.h\"\nint main() { float *d; cudaMalloc(&d, 128); start(d); }\n";
    let file = |path: &str, text: &str| SourceFile { path: path.into(), text: text.into() };
    let joined = join_sources(&[file("main.cu", main), file("start.h", header)], &[], &mut |_| None);
    let [launch] = &outline(&joined[0].1)[..] else { panic!("one launch") };
    assert_eq!(launch.blocks_origin, "host line 4 of start.h");
    assert!(launch.items.iter().all(|item| item.origin == launch.blocks_origin), "{:?}", launch.items);
}
