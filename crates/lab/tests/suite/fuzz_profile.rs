//! Fuzz tests of profiles. For any bytes, the reader must end soon and give a profile or a message. What it keeps can be
//! compared and printed. Damage in one place leaves the rest.

use base::{Diagnostic, Diagnostics, Severity};
use lab::{read_profile, Profile};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use std::time::{Duration, Instant};

/// After this time a reader counts as hung. A busy machine takes a few seconds for the largest file.
const HANG: Duration = Duration::from_secs(60);

const LONG: &str = "==PROF== Connected to process 7
\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"
\"0\",\"copy(const float *, float *)\",\"gpu__time_duration.sum\",\"nsecond\",\"2,500\"
\"0\",\"copy(const float *, float *)\",\"dram__bytes_read.sum\",\"Kbyte\",\"4.096\"
\"1\",\"copy(const float *, float *)\",\"gpu__time_duration.sum\",\"usecond\",\"3\"
";

const WIDE: &str = "\"ID\",\"Kernel Name\",\"dram__sectors_read.sum\",\"gpu__time_duration.sum\"
\"\",\"\",\"sector\",\"nsecond\"
\"0\",\"copy(int)\",\"128\",\"2,500\"
\"1\",\"sum\",\"64\",\"3,000\"
";

const METRICS: &str = "==7== NVPROF is profiling process 7
\"Device\",\"Kernel\",\"Invocations\",\"Metric Name\",\"Metric Description\",\"Min\",\"Max\",\"Avg\"
\"TITAN X (Pascal) (0)\",\"copy(float*)\",2,\"gld_transactions\",\"Loads\",128,128,128
\"TITAN X (Pascal) (0)\",\"copy(float*)\",2,\"global_hit_rate\",\"Rate\",25.00%,25.00%,25.00%
";

const KTT: &str = r#"{ "Metadata": { "Device": "GPU", "KttVersion": "2.1", "TimeUnit": "Milliseconds" },
  "Results": [
    { "Status": "Ok", "Configuration": [ { "Name": "BLOCK", "Value": 512 } ],
      "ComputationResults": [ { "KernelFunction": "copy", "Duration": 0.003,
        "GlobalSize": { "X": 2, "Y": 1, "Z": 1 }, "LocalSize": { "X": 512, "Y": 1, "Z": 1 },
        "ProfilingData": { "RemainingProfilingRuns": 0, "Counters": [
          { "Name": "dram__bytes_read.sum", "Type": "Double", "Value": 4096.0 } ] } } ] },
    { "Status": "Ok", "ComputationResults": [ { "KernelFunction": "sum", "Duration": 4.5 } ] } ] }
"#;

const PRINTED: &str = "==7== Profiling result:
Kernel: copy
        l1_global_load_hit, 10 20 30
        l1_global_load_miss, 1 2 3
        l1_global_load_hit, 5
        l1_global_load_miss, 5
";

const PAIR: &str = "12\n34\n";

/// Files with their names and the launches of each.
const FILES: [(&str, &str, usize); 6] = [
    ("long.csv", LONG, 2),
    ("wide.csv", WIDE, 2),
    ("nvprof.csv", METRICS, 1),
    ("ktt.json", KTT, 2),
    ("printed.prof", PRINTED, 2),
    ("pair_07.prof", PAIR, 1),
];

/// Numbers that break careless arithmetic.
const HOSTILE: [&str; 10] =
    ["1e999", "-1", "NaN", "inf", "1e-320", "18446744073709551616", "9e307", "0x10", "1e308", "--5,,."];

#[derive(Clone, Debug)]
enum Damage {
    CutOff(Index),
    Flip(Vec<(Index, u8)>),
    Insert(Index, Vec<u8>),
    Remove(Index, Index),
    Swap(Index, Index),
    Number(Index, usize),
    Huge(Index, u8, usize),
    Repeat(usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    let any = any::<Index>;
    prop_oneof![
        any().prop_map(Damage::CutOff),
        vec((any(), 0..8u8), 1..16).prop_map(Damage::Flip),
        (any(), vec(0..=255u8, 0..64)).prop_map(|(at, bytes)| Damage::Insert(at, bytes)),
        (any(), any()).prop_map(|(from, to)| Damage::Remove(from, to)),
        (any(), any()).prop_map(|(one, other)| Damage::Swap(one, other)),
        (any(), 0..HOSTILE.len()).prop_map(|(at, number)| Damage::Number(at, number)),
        (any(), prop::sample::select(b"9a\",{[ \n".to_vec()), 0..60_000usize)
            .prop_map(|(at, byte, n)| Damage::Huge(at, byte, n)),
        (1..4usize).prop_map(Damage::Repeat),
    ]
}

fn apply(bytes: &mut Vec<u8>, damage: &Damage) {
    let (len, all) = (bytes.len(), bytes.len() + 1);
    match damage {
        Damage::CutOff(at) => bytes.truncate(at.index(all)),
        Damage::Flip(flips) if len > 0 => flips.iter().for_each(|(at, bit)| bytes[at.index(len)] ^= 1 << bit),
        Damage::Flip(_) => (),
        Damage::Insert(at, noise) => drop(bytes.splice(at.index(all)..at.index(all), noise.iter().copied())),
        Damage::Remove(from, to) => {
            let (from, to) = (from.index(all), to.index(all));
            drop(bytes.drain(from.min(to)..from.max(to)));
        }
        Damage::Swap(one, other) => {
            let mut lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
            let (one, other) = (one.index(lines.len()), other.index(lines.len()));
            lines.swap(one, other);
            *bytes = lines.join(&b'\n');
        }
        Damage::Number(at, number) => {
            let digits: Vec<usize> = (0..len).filter(|&at| bytes[at].is_ascii_digit()).collect();
            if !digits.is_empty() {
                let at = digits[at.index(digits.len())];
                drop(bytes.splice(at..at + 1, HOSTILE[*number].bytes()));
            }
        }
        Damage::Huge(at, byte, n) => {
            let at = at.index(all);
            drop(bytes.splice(at..at, std::iter::repeat_n(*byte, *n)));
        }
        Damage::Repeat(n) => *bytes = bytes.repeat(*n),
    }
}

/// Reads a file and checks what holds for each.
fn read(name: &str, bytes: &[u8]) -> (Profile, Vec<Diagnostic>) {
    let (profile, said) = read_profile(name, bytes);
    let refused = said.iter().any(|d| d.severity == Severity::Error);
    let usable = profile.launches.iter().any(|launch| !launch.counters.is_empty());
    assert!(refused || usable, "{name}: neither a profile nor a reason for {:?}", String::from_utf8_lossy(bytes));
    assert!(said.len() <= Diagnostics::KEPT + 1, "{name}: a flood of messages");
    let lines = bytes.split(|&byte| byte == b'\n').count() as u64;
    for d in &said {
        assert!(!d.expected.is_empty() && !d.found.is_empty() && !d.help.is_empty(), "{d:?}");
        assert!(d.to_string().len() < 700, "{d}");
        assert!(d.line.is_none_or(|line| (1..=lines).contains(&line)), "{d}: the file has {lines} lines");
    }
    for launch in &profile.launches {
        assert!(launch.counters.values().all(|value| value.is_finite() && *value >= 0.0), "{launch:?}");
        assert!(launch.kernel.chars().count() <= 4001 && launch.configuration.chars().count() <= 4001);
    }
    (profile, said)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_damage_gives_a_profile_or_a_reason(file in 0..FILES.len(), damages in vec(damage(), 1..4)) {
        let (name, text, _) = FILES[file];
        let mut bytes = text.as_bytes().to_vec();
        damages.iter().for_each(|damage| apply(&mut bytes, damage));
        let start = Instant::now();
        read(name, &bytes);
        prop_assert!(start.elapsed() < HANG);
    }

    #[test]
    fn any_bytes_give_a_profile_or_a_reason(bytes in vec(0..=255u8, 0..3000)) {
        read("p.csv", &bytes);
    }

    #[test]
    fn a_file_that_is_cut_off_keeps_the_launches_before(file in 0..FILES.len(), at in any::<Index>()) {
        let (name, text, launches) = FILES[file];
        let (whole, said) = read(name, text.as_bytes());
        prop_assert!(said.is_empty(), "{:?}", said);
        prop_assert_eq!(whole.launches.len(), launches);
        let (cut, _) = read(name, &text.as_bytes()[..at.index(text.len())]);
        // The last launch may lack counters, or have a number that lost its end.
        let known = cut.launches.len().saturating_sub(1);
        prop_assert_eq!(&cut.launches[..known], &whole.launches[..known]);
    }
}

#[test]
fn hostile_numbers_are_told_with_their_line() {
    // The line of the value `2,500`, `128`, `25.00%` or `0.003`, and the text of each.
    let places = [(LONG, "2,500", 3), (WIDE, "2,500", 3), (METRICS, "25.00%\n", 4), (PRINTED, "10 20 30", 3)];
    for number in ["1e999", "-1", "NaN", "inf", "1e-320", "9e307"] {
        for (text, place, line) in places {
            let end = if place.ends_with('\n') { "\n" } else { "" };
            let (profile, said) = read("p", text.replacen(place, &format!("{number}{end}"), 1).as_bytes());
            assert_eq!(said.iter().map(|d| d.line).collect::<Vec<_>>(), [Some(line)], "{number} in {text}: {said:?}");
            assert!(profile.launches.iter().any(|launch| !launch.counters.is_empty()), "{number} in {text}");
        }
    }
    for number in ["1e999", "-1", "\"NaN\"", "1e308", "{}"] {
        let (profile, said) = read("ktt.json", KTT.replacen("4096.0", number, 1).as_bytes());
        assert!(matches!(said[..], [Diagnostic { line: Some(3 | 7), .. }]), "{number}: {said:?}");
        assert!(profile.launches.iter().any(|launch| launch.kernel == "sum"), "{number}");
    }
}

/// Large files of one kind, which must not take quadratic time or memory without bound.
#[test]
fn large_files_end_soon() {
    let list = |line: &dyn Fn(u64) -> String| (0..100_000).map(line).collect::<String>();
    let metrics = METRICS.lines().take(2).collect::<Vec<_>>().join("\n");
    let cases = [
        // Each kernel has another name.
        format!("{metrics}\n{}", list(&|i| format!("G,k{i},1,global_hit_rate,r,1,1,1\n"))),
        format!("\"Kernel Name\",\"dram__sectors_read.sum\"\n{}", list(&|i| format!("k,{}\n", i % 7 + 1))),
        format!("{LONG}{}", list(&|_| "\"\n".into())),
        format!("{LONG}{}", list(&|i| format!("{i},k,gpu__time_duration.sum,nsecond,x\n"))),
        format!("{KTT}{}", " ".repeat(1 << 20)),
        format!("{{\"Results\": [{}", "0,".repeat(1 << 19)),
        format!("{{\"Results\": {}", "[".repeat(1 << 19)),
        format!("{{\"Results\": [{{\"Status\": \"{}\"}}]}}", "x".repeat(1 << 20)),
        list(&|_| "l1_global_load_hit, 1\nl1_global_load_miss, 1\n".into()),
        format!("1\n{}\n", "9".repeat(1 << 20)),
    ];
    for text in &cases {
        let start = Instant::now();
        let (profile, _) = read("p", text.as_bytes());
        assert!(profile.launches.len() <= 1 << 18, "{:?}", &text[..60]);
        assert!(start.elapsed() < HANG, "{:?} for {:?}", start.elapsed(), &text[..60]);
    }
}
