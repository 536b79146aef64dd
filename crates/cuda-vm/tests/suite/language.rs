//! The CUDA language, construct by construct: each file of tests/data/language says in its first lines what its kernel
//! computes and which accesses its first warp makes. The values were worked out by hand. The accesses were taken from a run and
//! then read against the text.

use base::Severity;
use cuda_vm::{emulate, text_of, CudaOptions, CudaRun};
use std::collections::BTreeMap;
use trace::{Kind, Space};

/// The accesses of the first warp: kind, array or space with the byte of the first lane, bytes per lane, lanes. Equal
/// ones in a row are counted.
fn accesses(run: &CudaRun) -> String {
    let trace = &run.launches[0].trace;
    let warp = &trace.warps[trace.blocks[0].warps.start as usize];
    let mut list: Vec<(String, usize)> = Vec::new();
    for access in trace.accesses(warp) {
        let site = &trace.sites[access.site as usize];
        let kind = match site.kind {
            Kind::Load => "load",
            Kind::Store => "store",
            Kind::Atomic => "atomic",
        };
        let first = access.first_address();
        let array = trace.arrays.iter().find(|a| first >= a.base && first - a.base < a.bytes);
        let place = match (site.space, array) {
            (Space::Global | Space::Constant, Some(array)) => format!("{}+{}", array.name, first - array.base),
            (space, _) => format!("{space:?}").to_lowercase(),
        };
        let said = format!("{kind} {place} {}x{}", site.bytes, access.mask.count_ones());
        match list.last_mut() {
            Some((last, count)) if *last == said => *count += 1,
            _ => list.push((said, 1)),
        }
    }
    let one = |(said, count): &(String, usize)| if *count == 1 { said.clone() } else { format!("{count} {said}") };
    list.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// The rest of the line that begins with this word in a comment.
fn told<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    text.lines().find_map(|l| l.strip_prefix("// ")?.strip_prefix(word)?.strip_prefix(": "))
}

#[test]
fn each_construct_computes_and_accesses_what_its_file_says() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/language");
    let files = std::fs::read_dir(folder).expect("the folder").map(|f| f.expect("a file").path());
    let mut wrong = BTreeMap::new();
    let mut count = 0;
    for path in files {
        let text = text_of(std::fs::read(&path).expect("a file")).expect("a text");
        let run = emulate("case.cu", &text, &CudaOptions::default());
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let said: Vec<String> =
            run.diagnostics.iter().filter(|d| d.severity != Severity::Note).map(ToString::to_string).collect();
        let warned = told(&text, "warning").is_some_and(|w| said.len() == 1 && said[0].contains(w));
        if !said.is_empty() && !warned || run.launches.is_empty() {
            wrong.insert(name, said.join("\n"));
            continue;
        }
        count += 1;
        let out: Vec<String> = run.after("out").expect("an array").i32s().iter().map(ToString::to_string).collect();
        let found = format!("out: {}\naccesses: {}", out.join(" "), accesses(&run));
        let expected =
            format!("out: {}\naccesses: {}", told(&text, "out").unwrap_or(""), told(&text, "accesses").unwrap_or(""));
        if found != expected {
            wrong.insert(name, format!("{found}\nexpected\n{expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.iter().map(|(n, w)| format!("== {n}\n{w}\n")).collect::<String>());
    assert!(count >= 80, "{count} files");
}
