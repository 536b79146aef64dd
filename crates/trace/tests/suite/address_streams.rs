//! Tests of address streams. A generator for every format gives files and counts. Further tests cover content that fits
//! several formats, chosen formats, and messages.

use base::Random;
use base::Severity;
use trace::{assemble, AddressStream, CsvColumns, FileContent, FileReader, Format, StreamAccess, StreamKind};

fn finish(mut reader: FileReader, bytes: &[u8]) -> FileContent {
    bytes.chunks(1000).for_each(|chunk| reader.push_bytes(chunk));
    reader.finish()
}

fn read(name: &str, bytes: &[u8]) -> FileContent {
    finish(FileReader::new(name), bytes)
}

fn messages(content: &FileContent) -> Vec<String> {
    content.diagnostics.iter().map(ToString::to_string).collect()
}

fn accesses(content: &FileContent) -> Vec<StreamAccess> {
    content.streams.iter().flat_map(AddressStream::iter).collect()
}

/// Random accesses with walks, small steps back and jumps, as in programs.
fn random_accesses(seed: u64, kinds: &[StreamKind], lengths: &[u32]) -> Vec<StreamAccess> {
    let mut random = Random::new(seed);
    let mut at = 0x7fff_0000_1000;
    (0..1 + random.below(400))
        .map(|_| {
            at = match random.below(5) {
                0 => random.bits() >> random.below(60),
                1 => at.wrapping_sub(random.below(4096)),
                _ => at.wrapping_add(8),
            };
            let kind = kinds[random.below(kinds.len() as u64) as usize];
            StreamAccess { address: at, bytes: lengths[random.below(lengths.len() as u64) as usize], kind }
        })
        .collect()
}

fn lines(all: &[StreamAccess], line: impl Fn(&StreamAccess) -> String) -> String {
    all.iter().map(line).collect()
}

/// Writes random accesses with `write`, reads them back and compares. `kinds` and `lengths` are those that the format
/// can express.
fn round_trip(
    name: &str,
    format: Format,
    kinds: &[StreamKind],
    lengths: &[u32],
    write: impl Fn(&[StreamAccess]) -> Vec<u8>,
) {
    for seed in 0..100 {
        let all = random_accesses(seed, kinds, lengths);
        let content = read(name, &write(&all));
        assert_eq!(content.format, format, "{name} {seed}");
        assert!(content.format.is_stream());
        let told: Vec<_> = content.diagnostics.iter().filter(|d| d.severity > Severity::Note).collect();
        assert!(told.is_empty(), "{name} {seed}: {told:?}");
        assert_eq!(accesses(&content), all, "{name} {seed}");
        assert!(content.kernels.is_empty());
        for kind in StreamKind::ALL {
            let count = all.iter().filter(|access| access.kind == kind).count() as u64;
            assert_eq!(content.streams[0].count(kind), count);
        }
    }
}

use StreamKind::{Fetch, Load, Store};

#[test]
fn lackey() {
    round_trip("a", Format::Lackey, &StreamKind::ALL, &[1, 2, 4, 8, 16, 32, 512], |all| {
        let text = lines(all, |a| {
            let mark = ["", "", "", "==77== in between\n"][a.address as usize % 4];
            let kind = [" L ", " S ", " M ", "I  "][a.kind as usize];
            format!("{mark}{kind}{:08x},{}\n", a.address, a.bytes)
        });
        format!("==77== Lackey, an example Valgrind tool\n==77== Command: true\n==77== \n{text}==77== \n").into_bytes()
    });
    let content = read("a", b"I  04001000,3\nhello from the program\n L 1ffe,8\n M 20,zz\n");
    assert_eq!(content.streams[0].len(), 2);
    assert_eq!(
        messages(&content),
        [
            "a:2: note: expected `I`, `L`, `S` or `M` and `address,size`, found `hello from the program` and 1 more line; \
          such lines are skipped; trace again if they should be accesses",
            "a: note: expected loads and stores, found instruction fetches (1); reuse distances leave them out; an access \
             that spans two lines counts for both"
        ]
    );
}

#[test]
fn din() {
    round_trip("a.din", Format::Din, &[Load, Store, Fetch], &[0], |all| {
        let label = |kind| match kind {
            Load => 0,
            Store => 1,
            _ => 2,
        };
        lines(all, |a| {
            format!("{} {:x} 0 0\n", label(a.kind), a.address).replace(" 0 0", if a.bytes == 0 { "" } else { " 4" })
        })
        .into_bytes()
    });
    let content = read("a.din", b"0 1000\n4 0\n1 zz\n9 10\n2 20 extra\n");
    assert_eq!(accesses(&content).len(), 2);
    let told = messages(&content);
    assert!(told[0]
        .starts_with("a.din:3: warning: expected an address in hexadecimal after the label, found `zz`; the line"));
    assert!(told[1].starts_with("a.din:4: warning: expected label 0 (read), 1 (write) or 2 (fetch), found `9`"));
    assert!(told[2].starts_with("a.din:2: note: expected reads, writes and fetches, found `4 0`"), "{told:?}");
}

#[test]
fn pinatrace() {
    let mark = |kind| if kind == Load { 'R' } else { 'W' };
    round_trip("a", Format::Pinatrace, &[Load, Store], &[0], |all| {
        (lines(all, |a| format!("0x401{:03x}: {} {:#x}\n", a.address % 999, mark(a.kind), a.address)) + "#eof\n")
            .into_bytes()
    });
    round_trip("a", Format::Pinatrace, &[Load, Store], &[1, 4, 8], |all| {
        (lines(all, |a| format!("0x7f00: {} {:#x} {}\n", mark(a.kind), a.address, a.bytes)) + "#eof\n").into_bytes()
    });
    round_trip("a", Format::Pinatrace, &[Load, Store], &[0], |all| {
        (lines(all, |a| format!("{} {} 0x{:x}\n", a.address % 7, mark(a.kind), a.address)) + "#eof\n").into_bytes()
    });
    let content = read("a", b"0x1: R 0x10\n0x1: Q 0x10\n");
    assert_eq!(accesses(&content).len(), 1);
    let told = messages(&content);
    assert!(told[0].starts_with("a:2: warning: expected `R` or `W`, found `Q`; the line was skipped"), "{told:?}");
    assert!(told[1].starts_with("a: note: expected `#eof` at the end, found no such line"), "{told:?}");
}

#[test]
fn csv_with_names() {
    for (separator, quote) in [(",", ""), (";", "\""), ("\t", ""), (", ", "\"")] {
        for hex in [true, false] {
            round_trip("a.csv", Format::Csv, &StreamKind::ALL, &[1, 4, 8, 64], |all| {
                let q = |text: &str| format!("{quote}{text}{quote}");
                let names = ["time", "rw", "Addr", "Size"].map(q).join(separator);
                let body = lines(all, |a| {
                    let address = if hex { format!("{:#x}", a.address) } else { a.address.to_string() };
                    let kind = ["R", "write", "M", "ifetch"][a.kind as usize];
                    [q("7"), q(kind), q(&address), q(&a.bytes.to_string())].join(separator) + "\r\n"
                });
                format!("# made for a test\n{names}\n{body}").into_bytes()
            });
        }
    }
    round_trip("a", Format::Csv, &[Load], &[0], |all| {
        format!("addr_hex\n{}", lines(all, |a| format!("{:x}\n", a.address))).into_bytes()
    });
}

#[test]
fn csv_without_names() {
    round_trip("a.csv", Format::Csv, &[Load], &[0], |all| lines(all, |a| format!("{}\n", a.address)).into_bytes());
    round_trip("a.csv", Format::Csv, &[Load, Store], &[4, 8], |all| {
        let kind = |kind| if kind == Load { 'r' } else { 'w' };
        lines(all, |a| format!("{},{:#x},{}\n", kind(a.kind), a.address, a.bytes)).into_bytes()
    });
    let content = read("a.csv", b"R,0x1000,8\n");
    let note = "a.csv:1: note: expected names of the columns, found none; guessed: address in column 2, length in 3, \
                kind in 1; if that is wrong, name the columns";
    assert!(messages(&content)[0].starts_with(note), "{:?}", messages(&content));
}

#[test]
fn csv_with_chosen_columns() {
    for head in ["", "when,where,how,much\n"] {
        let text = format!("{head}5,4096,1,8\n6,4104,0,4\n");
        let columns = CsvColumns { address: 1, bytes: Some(3), kind: Some(2) };
        let content = finish(FileReader::with_columns("a.bin", columns), text.as_bytes());
        let expected =
            [(4096, 8, Store), (4104, 4, Load)].map(|(address, bytes, kind)| StreamAccess { address, bytes, kind });
        assert_eq!(accesses(&content), expected, "{:?}", messages(&content));
        assert!(content.diagnostics.is_empty(), "{:?}", messages(&content));
    }
}

#[test]
fn csv_messages() {
    let cases = [
        (
            "addr,size\n4096,x\n",
            "a.csv:2: warning: expected a length in bytes, found `x`; the line was skipped; check which",
        ),
        ("addr,rw\n4096,Q\n", "a.csv:2: warning: expected a kind such as `R` or `W`, found `Q`"),
        (
            "addr\n4096\n7ffe\n",
            "a.csv:3: warning: expected an address, found `7ffe`; the line was skipped; write `0x` before",
        ),
        ("4096.5\n", "a.csv:1: warning: expected a column with addresses, found `4096.5`; name the columns"),
        ("addr\n", "a.csv: error: expected at least one access, found none; load a file with a table such as"),
    ];
    for (text, told) in cases {
        let content = read("a.csv", text.as_bytes());
        assert!(messages(&content).iter().any(|message| message.starts_with(told)), "{told}: {:?}", messages(&content));
    }
}

/// A table of measured numbers has columns that are larger than any length, but no address.
#[test]
fn a_table_of_other_things_is_no_stream() {
    for header in ["size,rw", "benchmark,kernel,grid,block,cycles", "BLOCK_X;\"time (ms)\";dram__read.sum", "gpu\tbest"]
    {
        let rows = "\n2,32,4096,16,102400\n4,R,8192,8,12\n";
        let content = read("a.csv", format!("{header}{rows}").as_bytes());
        assert!(content.streams.is_empty(), "{header}");
        let told = messages(&content);
        let expected = "a.csv:1: error: expected a column with addresses, found `";
        assert!(told.len() == 1 && told[0].starts_with(expected), "{told:?}");
        assert!(told[0].ends_with(
            "; nothing of this table is read; if a column has addresses, name it `address`, or give its number"
        ));
    }
    // Lines without names, and names with an address among them.
    for text in [
        "7ffe001c,main\n",
        "ffe0001c,load\n",
        "R,0x1000\n",
        "4096,8\n",
        "name,memory address\nx,4096\n",
        "a title\n4096\n",
    ] {
        assert_eq!(accesses(&read("a.csv", text.as_bytes())).len(), 1, "{text}");
    }
}

#[test]
fn binary_streams_are_known_by_name() {
    round_trip("a.u64", Format::U64, &[Load], &[0], |all| all.iter().flat_map(|a| a.address.to_le_bytes()).collect());
    round_trip("a.oracleGeneral.bin", Format::OracleGeneral, &[Load], &[0], |all| {
        let record = |a: &StreamAccess| {
            let mut record = 7u32.to_le_bytes().to_vec();
            record.extend(a.address.to_le_bytes());
            record.extend(70_000u32.to_le_bytes());
            record.extend((-1i64).to_le_bytes());
            record
        };
        all.iter().flat_map(record).collect()
    });
    let content = read("a.u64", &[1, 0, 0, 0, 0, 0, 0, 0, 9]);
    assert_eq!(accesses(&content).len(), 1);
    assert_eq!(
        messages(&content),
        ["a.u64: warning: expected records of 8 bytes, found 1 byte at the end; the rest is left out; the file may be \
          cut off or be of another format"]
    );
}

#[test]
fn a_tie_names_the_candidates_and_a_choice_settles_it() {
    let text = b"0 4096\n1 8192\n";
    let content = read("a", text);
    assert_eq!((content.format, content.candidates.as_slice()), (Format::Din, [Format::Din, Format::Csv].as_slice()));
    assert_eq!(read("a.din", text).candidates, []);
    let content = finish(FileReader::with_format("a", Format::Csv), text);
    assert_eq!(accesses(&content).iter().map(|a| a.address).collect::<Vec<_>>(), [4096, 8192]);
    assert_eq!((content.format, content.chosen), (Format::Csv, true));
    assert_eq!(content.candidates, [Format::Din, Format::Csv], "one may choose again");
    let content = finish(FileReader::with_format("a", Format::U64), &[0; 16]);
    assert_eq!(accesses(&content).len(), 2);
    assert_eq!(read("x", b"0 0 4096 4\n").candidates, [Format::Trc, Format::Csv]);
}

#[test]
fn streams_are_handed_through_beside_kernels() {
    let kernel = read("k.trc", b"blocksize: 1 1 1\n0 0 4096 4\n");
    let source = assemble(vec![read("b.din", b"0 10\n"), kernel, read("a.din", b"0 10\n0 20\n")]);
    assert_eq!(source.kernels.len(), 1);
    let names: Vec<_> = source.streams.iter().map(|stream| (stream.name.as_str(), stream.len())).collect();
    assert_eq!(names, [("a", 2), ("b", 1)]);
}
