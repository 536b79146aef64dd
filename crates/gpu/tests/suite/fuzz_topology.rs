//! Damaged topology files: no panic, no hang, and always either a topology or an error.

use base::Severity;
use gpu::{preset, read_topology, validate, write_topology};
use rand_chacha::rand_core::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use testkit::cases;

const MT4G: [&str; 3] = [
    include_str!("../data/nvidia-like.json"),
    include_str!("../data/amd-like.json"),
    include_str!("../data/only-l1-size.json"),
];

fn check(bytes: &[u8]) {
    let (gpu, diagnostics) = read_topology("damaged.json", bytes);
    let failed = diagnostics.iter().any(|d| d.severity == Severity::Error);
    assert_ne!(gpu.is_some(), failed, "{diagnostics:?}");
    assert!(diagnostics.len() <= 51);
    assert!(diagnostics.iter().all(|d| d.to_string().len() < 2000));
    // What is read can be used: written, read again and equal.
    if let Some(gpu) = gpu {
        assert!(validate(&gpu).iter().all(|d| d.severity < Severity::Error));
        assert_eq!(read_topology("again.json", write_topology(&gpu).as_bytes()).0, Some(gpu));
    }
}

fn below(rng: &mut ChaCha8Rng, most: usize) -> usize {
    rng.next_u64() as usize % most.max(1)
}

/// Numbers where arithmetic breaks, and other things that are no numbers.
const NASTY: [&str; 16] = [
    "0",
    "-1",
    "1",
    "3",
    "0.5",
    "1e308",
    "1e999",
    "-0.0",
    "18446744073709551615",
    "18446744073709551616",
    "9007199254740993",
    "65537",
    "null",
    "\"x\"",
    "[]",
    "{}",
];

fn mutate(rng: &mut ChaCha8Rng, text: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    if bytes.is_empty() {
        return bytes;
    }
    match below(rng, 6) {
        0 => bytes.truncate(below(rng, text.len())),
        1 => {
            for _ in 0..=below(rng, 8) {
                let at = below(rng, bytes.len());
                bytes[at] ^= 1 << below(rng, 8);
            }
        }
        2 => {
            let mut lines: Vec<&str> = text.lines().collect();
            for _ in 0..=below(rng, 6) {
                let (a, b) = (below(rng, lines.len()), below(rng, lines.len()));
                lines.swap(a, b);
            }
            bytes = lines.join("\n").into_bytes();
        }
        3 => {
            let mut lines: Vec<&str> = text.lines().collect();
            let at = below(rng, lines.len());
            if below(rng, 2) == 0 {
                lines.remove(at);
            } else {
                lines.insert(at, lines[at]);
            }
            bytes = lines.join("\n").into_bytes();
        }
        4 => bytes = swap_numbers(rng, text),
        _ => {
            let at = below(rng, bytes.len());
            let junk: Vec<u8> = (0..below(rng, 40)).map(|_| rng.next_u32() as u8).collect();
            bytes.splice(at..at, junk);
        }
    }
    bytes
}

/// Replaces some numbers by nasty ones, which leaves the file valid JSON.
fn swap_numbers(rng: &mut ChaCha8Rng, text: &str) -> Vec<u8> {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(": ").map(|at| at + 2) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        if digits > 0 && below(rng, 8) == 0 {
            out.push_str(NASTY[below(rng, NASTY.len())]);
            rest = &rest[digits..];
        }
    }
    (out + rest).into_bytes()
}

#[test]
fn two_thousand_damaged_files() {
    let mut rng = ChaCha8Rng::seed_from_u64(2014);
    let own: Vec<String> =
        ["gtx470-48k", "a100", "mi300x"].into_iter().filter_map(preset).map(|g| write_topology(&g)).collect();
    let all: Vec<&str> = own.iter().map(String::as_str).chain(MT4G).collect();
    assert_eq!(all.len(), 6);
    for i in 0..2000 {
        let mut bytes = mutate(&mut rng, all[i % all.len()]);
        if below(&mut rng, 3) == 0 {
            bytes = mutate(&mut rng, &String::from_utf8_lossy(&bytes));
        }
        check(&bytes);
    }
}

#[test]
fn binary_and_nested_and_huge() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    for length in [1, 10, 1000, 100_000] {
        let bytes: Vec<u8> = (0..length).map(|_| rng.next_u32() as u8).collect();
        check(&bytes);
    }
    for byte in [b'[', b'{', b'"', b'1', b' ', b'\n', 0, 0xFF] {
        check(&vec![byte; 10_000_000]);
        check(&vec![byte; 4 << 20]);
    }
    check("{\"memory\":".repeat(100_000).as_bytes());
    check(format!("{{\"memory\": {{\"l1\": {}}}}}", "[".repeat(500_000)).as_bytes());
    check(format!("{{\"warpscope_topology\": 1, \"id\": \"{}\"}}", "é".repeat(500_000)).as_bytes());
    check(
        format!(
            "{{\"general\": {{\"name\": \"{}\"}}, \"compute\": {{\"multiProcessorCount\": 3}}}}",
            "é ".repeat(500_000)
        )
        .as_bytes(),
    );
    let many: Vec<String> = (0..100_000).map(|i| format!("\"key{i}\": {i}")).collect();
    check(format!("{{{}}}", many.join(",")).as_bytes());
    check(format!("{{\"warpscope_topology\": 1, {}}}", many.join(",")).as_bytes());
    check(format!("{{\"warpscope_topology\": \"{}\"}}", "x".repeat(1_000_000)).as_bytes());
}

/// Replaces some fields by nasty ones, which leaves lines and separators as they are.
fn swap_fields(rng: &mut ChaCha8Rng, text: &str) -> Vec<u8> {
    let mut out = String::new();
    for part in text.split_inclusive([' ', ':', ',', ';', '\n']) {
        let (field, end) = part.split_at(part.len() - usize::from(part.ends_with([' ', ':', ',', ';', '\n'])));
        let swap = !field.is_empty() && below(rng, 12) == 0;
        out.push_str(if swap { NASTY[below(rng, NASTY.len())] } else { field });
        out.push_str(end);
    }
    out.into_bytes()
}

fn damage(text: &str, seed: u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for i in 0..cases(1_500, 5_000) {
        let mut bytes = if i % 3 == 0 { swap_fields(&mut rng, text) } else { mutate(&mut rng, text) };
        if below(&mut rng, 3) == 0 {
            bytes = mutate(&mut rng, &String::from_utf8_lossy(&bytes));
        }
        check(&bytes);
    }
}

#[test]
fn damaged_configurations() {
    damage(include_str!("../data/fermi-like.config"), 480);
}

#[test]
fn damaged_csvs() {
    damage(include_str!("../data/turing-like.csv"), 1650);
}

#[test]
fn long_and_endless_configurations() {
    for unit in ["-gpgpu_x ", "-gpgpu_cache:dl1 ", "GPU_INFORMATION;", "L1_DATA_CACHE; Size; 1; KiB\n", "-gpgpu_x\n"] {
        check(unit.repeat(200_000).as_bytes());
    }
}
