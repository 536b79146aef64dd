//! Two crates know mt4g's raw timing files by name: one reads them, the other must not take them for traces.

use probe::raw::{parse_file_name, ProbedMemory};
use trace::{FileReader, Format};

#[test]
fn what_is_read_as_raw_timings_is_no_trace() {
    let kinds = ["Size", "Line Size", "Segment Size", "Fetch Granularity", "Latency"];
    for (_, memory, _) in ProbedMemory::NAMES {
        for kind in kinds {
            let name = format!("folder/NVIDIA H100 - {memory} {kind}.txt");
            assert!(parse_file_name(&name).is_some(), "{name}");
            let mut reader = FileReader::new(&name);
            reader.push_bytes(b"1024,40,41,40\n2048,40,41,41\n");
            let content = reader.finish();
            assert_eq!(content.format, Format::Unknown, "{name}");
            assert!(content.diagnostics[0].to_string().contains("mt4g's raw timing file"), "{name}");
        }
    }
}
