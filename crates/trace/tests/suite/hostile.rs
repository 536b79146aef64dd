//! Helpers for tests with hostile files: mutations of bytes, and checks that hold for the result of any reader.

#![allow(dead_code)]

use base::Random;
use flate2::{write::GzEncoder, Compression};
use std::io::Write;
use trace::{assemble, FileContent, FileReader};

/// Compresses with the fastest level of gzip.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("a vector takes everything")
}

/// Damages `bytes` in one of several ways.
pub fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    let at = |random: &mut Random, bytes: &[u8]| random.below(bytes.len().max(1) as u64) as usize;
    match random.below(9) {
        0 => bytes.truncate(at(random, bytes)),
        1 => {
            for _ in 0..=random.below(16) {
                let i = at(random, bytes);
                if let Some(byte) = bytes.get_mut(i) {
                    *byte ^= 1 << random.below(8);
                }
            }
        }
        2 => {
            let mut lines: Vec<&[u8]> = bytes.split(|&b| b == b'\n').collect();
            for i in (1..lines.len()).rev() {
                lines.swap(i, random.below(i as u64 + 1) as usize);
            }
            *bytes = lines.join(&b'\n');
        }
        3 => *bytes = (0..random.below(4096)).map(|_| random.bits() as u8).collect(),
        4 => {
            let (i, n) = (at(random, bytes), random.below(64));
            let noise: Vec<u8> = (0..n).map(|_| random.bits() as u8).collect();
            bytes.splice(i..i, noise);
        }
        5 => {
            // Makes a number too large for every integer type.
            let digits: Vec<usize> = (0..bytes.len()).filter(|&i| bytes[i].is_ascii_digit()).collect();
            if let Some(&i) = digits.get(at(random, bytes) % digits.len().max(1)) {
                let n = 1 + random.below(24) as usize;
                bytes.splice(i..i, std::iter::repeat_n(b'9', n));
            }
        }
        6 => {
            let (i, j) = (at(random, bytes), at(random, bytes));
            drop(bytes.drain(i.min(j)..i.max(j)));
        }
        7 => {
            let copy = bytes.clone();
            (0..random.below(4)).for_each(|_| bytes.extend_from_slice(&copy));
        }
        _ => bytes.iter_mut().filter(|b| **b == b'\n').for_each(|b| *b = b" \r\0\t"[random.below(4) as usize]),
    }
}

/// Reads the bytes in chunks, checks the content, and assembles it.
pub fn read(name: &str, bytes: &[u8], chunk: usize) -> FileContent {
    let mut reader = FileReader::new(name);
    bytes.chunks(chunk.max(1)).for_each(|chunk| reader.push_bytes(chunk));
    let content = reader.finish();
    assert!(
        content.is_useful() || !content.diagnostics.is_empty() || !content.members.is_empty(),
        "{name}: neither a result nor a reason for {:?}",
        String::from_utf8_lossy(bytes)
    );
    assert!(content.diagnostics.len() < 120, "{name}: a flood of messages");
    let members = content.members.iter().flat_map(|member| &member.diagnostics);
    for diagnostic in content.diagnostics.iter().chain(members) {
        assert!(diagnostic.file.starts_with(name));
        assert!(!diagnostic.expected.is_empty() && !diagnostic.found.is_empty() && !diagnostic.help.is_empty());
        assert!(diagnostic.to_string().len() < 700 + diagnostic.file.len(), "{diagnostic}");
    }
    for kernel in &content.kernels {
        let mut list = [0; 32];
        let lanes: usize = kernel.warps.iter().flat_map(|w| kernel.accesses(w)).map(|a| a.addresses(&mut list)).sum();
        assert!(lanes <= 32 * kernel.access_count());
        // gzip compresses a thousand to one. A .trc may have 65,536 empty warps before they are left out.
        let bound = 1100 * bytes.len() + (4 << 20);
        assert!(kernel.heap_bytes() < bound, "{name}: {} bytes", kernel.heap_bytes());
        assert!(kernel.sites.len() <= kernel.access_count());
    }
    for stream in &content.streams {
        assert_eq!(stream.iter().count() as u64, stream.len());
        assert!(!stream.is_empty());
    }
    assemble(vec![content.clone()]);
    content
}
