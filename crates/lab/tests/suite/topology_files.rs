//! Topology files among dropped files.

use lab::Intake;

#[test]
fn the_intake_takes_every_topology_for_one() {
    let files: [(&str, &[u8]); 2] = [
        ("any.txt", include_bytes!("../../../gpu/tests/data/fermi-like.config")),
        ("other.csv", include_bytes!("../../../gpu/tests/data/turing-like.csv")),
    ];
    for (name, bytes) in files {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut packed, bytes).expect("memory takes it");
        for bytes in [bytes.to_vec(), packed.finish().expect("memory takes it")] {
            let mut intake = Intake::default();
            intake.begin(name);
            bytes.chunks(100).for_each(|chunk| intake.push(chunk));
            let contents = intake.finish();
            assert_eq!(contents.files[0].role, "topology", "{name}: {:?}", contents.diagnostics);
            assert!(contents.topology.is_some() && !contents.has_error(), "{name}: {:?}", contents.diagnostics);
        }
    }
    let mut intake = Intake::default();
    intake.begin("cat.jpg");
    intake.push(b"meow");
    let contents = intake.finish();
    assert!(contents.has_error() && contents.files[0].role == "unknown");
}
