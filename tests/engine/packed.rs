//! A compressed trace gives the same report as the plain one.

use crate::common::run;
use flate2::{write::GzEncoder, Compression};
use lab::{CacheModel, Intake};
use std::io::Write;

fn fingerprint(name: &str, bytes: &[u8]) -> String {
    let mut intake = Intake::default();
    intake.begin(name);
    bytes.chunks(999).for_each(|chunk| intake.push(chunk));
    run(&intake.finish(), "a100", CacheModel::Paper, 1, &[]).fingerprint
}

#[test]
fn every_packing_of_a_trace_has_the_same_fingerprint() {
    let folder = testkit::root().join("crates/trace/tests/data");
    let packed = std::fs::read(folder.join("packed.zst")).expect("a fixture");
    let mut plain = Vec::new();
    let mut decoder = ruzstd::decoding::StreamingDecoder::new(&packed[..]).expect("a frame");
    std::io::Read::read_to_end(&mut decoder, &mut plain).expect("a whole frame");
    let expected = fingerprint("packed.traceg", &plain);
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(&plain).expect("a vector takes everything");
    assert_eq!(fingerprint("other.traceg.gz", &gzip.finish().expect("a vector takes everything")), expected, "gzip");
    let mut files = 0;
    for entry in std::fs::read_dir(folder).expect("the fixtures") {
        let path = entry.expect("a fixture").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
        if name.starts_with("packed.") {
            assert_eq!(fingerprint(name, &std::fs::read(&path).expect("a fixture")), expected, "{name}");
            files += 1;
        }
    }
    assert_eq!(files, 11);
}
