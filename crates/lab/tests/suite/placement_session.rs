//! Sessions of the Placement tab: several of them together find what the command line prints. Also details, ranges and
//! snippets.

use base::Job;
use lab::*;
use std::collections::BTreeMap;

fn ask(gpu: &str) -> PlacementRequest {
    PlacementRequest { gpu: gpu.into(), ..PlacementRequest::default() }
}

fn session(example: &str, gpu: &str) -> (PlacementSession, PlacementPrepared) {
    let mut session = PlacementSession::default();
    session.example(example).expect("a kernel of the library");
    assert_eq!(session.finish_files().kernels.len(), 1);
    let prepared = session.prepare(ask(gpu), &ArrayEdit::default()).expect("a kernel with arrays");
    (session, prepared)
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("plain data")
}

#[test]
fn shared_among_sessions_the_report_is_the_same() {
    for (example, gpu) in [("matmul-naive", "k20c"), ("stencil", "a100"), ("gather", "rtx2080ti")] {
        let contents = Contents::of_example(example).expect("an example");
        let alone = PlacementRun::new(ask(gpu), &contents).expect("a kernel").finish();
        let (mut lead, prepared) = session(example, gpu);
        let (mut helper, _) = session(example, gpu);
        let numbers = prepared.numbers.expect("few enough to look at all");
        let (third, half) = (numbers / 3, numbers / 2);
        lead.search_numbers(0..third).expect("prepared");
        assert!(lead.step(u64::MAX).expect("prepared").finished);
        for part in [half..numbers, third..half] {
            let looked = part.end - part.start;
            helper.search_numbers(part).expect("prepared");
            assert!(helper.step(u64::MAX).expect("prepared").finished);
            lead.absorb_evaluated(looked, &helper.take_evaluated().expect("prepared")).expect("prepared");
        }
        while !lead.judge(1000).expect("prepared").finished {}
        assert_eq!(json(&lead.report().expect("prepared")), json(&alone), "{example}");
        assert_eq!(lead.ranking(3, true).expect("prepared").gap, Some(0.0));
    }
}

/// One number per quantity: the time of the arrays where they are is that of the Cache tab, its caches as after the host's copies.
#[test]
fn the_time_as_it_is_is_that_of_the_cache_tab_in_the_state_copies() {
    for (example, gpu) in [("matmul-naive", "k20c"), ("gather", "rtx2080ti"), ("transpose", "rtx3060")] {
        let contents = Contents::of_example(example).expect("an example");
        let state = LaunchState::Copies;
        let scenario = Scenario { gpu: gpu.into(), model: CacheModel::Gpu, state, ..Scenario::default() };
        let report = ScenarioRun::new(&scenario, &contents).expect("a run").finish().expect("a report");
        let Report::Gpu(report) = report else { panic!("{example}: a report of another model") };
        let placed = PlacementRun::new(ask(gpu), &contents).expect("a kernel").finish();
        let microseconds = placed.sample.machine_microseconds.expect("it ran on the machine");
        let expected = report.kernels[0].gpu.seconds * 1e6;
        assert!((microseconds / expected - 1.0).abs() < 1e-9, "{example} {gpu}: {microseconds} beside {expected}");
    }
}

#[test]
fn a_search_that_was_stopped_keeps_its_best_and_promises_nothing() {
    let (mut session, prepared) = session("matmul-naive", "k20c");
    let standing = session.step(5).expect("prepared");
    assert_eq!((standing.done, standing.total, standing.finished), (5, prepared.numbers.expect("all"), false));
    let ranking = session.ranking(100, false).expect("prepared");
    assert_eq!((ranking.gap, ranking.evaluated), (None, ranking.lines.len() as u64));
    assert_eq!(standing.best, Some(ranking.lines[0].cycles));
    let mut nothing = PlacementSession::default();
    assert!(nothing.step(1).is_err() && nothing.report().is_err());
}

/// The equations rank A in a 2D texture first, and both arrays in shared memory below.
#[test]
fn all_tiles_run_right_after_the_present_placement() {
    let (mut session, _) = session("matmul-naive", "rtx2060");
    while !session.step(u64::MAX).expect("prepared").finished {}
    while session.judge(1).expect("prepared").done < 2 {}
    let csv = session.csv().expect("prepared");
    let rows = csv.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>());
    let ran: Vec<[&str; 2]> = rows.filter(|row| !row[6].is_empty()).map(|row| [row[1], row[2]]).collect();
    assert_eq!(ran.len(), 2);
    assert!(ran.contains(&["global"; 2]) && ran.contains(&["shared"; 2]), "{ran:?}");
}

#[test]
fn csv_has_every_placement_that_was_evaluated() {
    let (mut session, _) = session("matmul-naive", "k20c");
    assert!(session.step(u64::MAX).expect("prepared").finished);
    let mut judged = 0;
    loop {
        let standing = session.judge(1).expect("prepared");
        assert!(standing.done >= judged && standing.done <= standing.total);
        judged = standing.done;
        if standing.finished {
            break;
        }
    }
    assert!(judged > 8, "the order is stable after some runs");
    let csv = session.csv().expect("prepared");
    let mut lines = csv.lines();
    assert_eq!(
        lines.next(),
        Some("rank,A,B,C,cycles,microseconds,machine_microseconds,t_comp,t_mem,t_overlap,tie,chance")
    );
    let report = session.report().expect("prepared");
    let first: Vec<&str> = lines.next().expect("a row").split(',').collect();
    assert_eq!(first[1], report.ranking[0].placement["A"]);
    assert_eq!(first[4].parse(), Ok(report.ranking[0].cycles));
    assert_eq!(first[6].parse().ok(), report.ranking[0].machine_microseconds);
    assert_eq!(csv.lines().filter(|line| line.split(',').nth(6) != Some("")).count() as u64, judged + 1);
    assert_eq!(lines.count() as u64 + 1, report.evaluated);
    let judged = session.ranking(20, true).expect("prepared").lines;
    let chances: Vec<(Option<f64>, bool)> = judged.iter().map(|line| (line.chance, line.tie)).collect();
    assert_eq!(chances[..10], report.ranking.iter().map(|row| (row.chance, row.tie)).collect::<Vec<_>>());
    for line in &judged {
        assert_eq!(line.chance.is_some(), line.machine_microseconds.is_some(), "all that ran compete");
        assert!(line.chance.is_some() || !line.tie, "no other one ties");
    }
    assert!(judged[10].chance.is_some(), "also beyond the rows of the report");
}

#[test]
fn a_look_says_why() {
    let (mut session, prepared) = session("matmul-naive", "k20c");
    assert!(session.step(u64::MAX).expect("prepared").finished);
    let names = |list: [&str; 3]| list.map(String::from);
    let found = session.details(&names(["constant", "global", "global"])).expect("three arrays");
    assert_eq!(found.illegal, None);
    assert_eq!(found.reasons.len(), 1);
    assert!(found.reasons[0].starts_with("`A` in constant instead of global"));
    let count = |key: &str| found.counts.iter().find(|count| count.key == key).expect("a count");
    assert_eq!(count("cycles").before, prepared.sample.cycles);
    assert_eq!(count("cycles").after, found.line.cycles);
    assert!(count("requests_constant").before == 0.0 && count("requests_constant").after > 0.0);
    let rows: u64 = found.banks.iter().flat_map(|bank| bank.rows).sum();
    assert_eq!(rows as f64, count("row_hits").after + count("row_misses").after + count("row_conflicts").after);
    let moves = session.moves(0).expect("prepared");
    assert_eq!(moves.iter().flatten().count(), 5, "A is only read and small");
    assert_eq!((moves[0], moves[3]), (Some(prepared.sample.cycles), Some(found.line.cycles)));
    let written = session.details(&names(["global", "global", "constant"])).expect("three arrays");
    assert!(written.illegal.expect("C is written").contains("the kernel writes it"));
    assert_eq!(session.moves(2).expect("prepared")[3], None);
    assert!(session.details(&[]).is_err() && session.details(&names(["rom", "global", "global"])).is_err());
}

#[test]
fn arrays_are_named_confirmed_and_cut_as_a_person_says() {
    let trace = "blocksize: 32 1 1\n0 0 4096 4\n1 0 4100 4\n0 0 16777216 4\n1 0 16777220 4\n";
    let mut session = PlacementSession::default();
    session.begin_file("copy.trc", None);
    session.push(trace.as_bytes());
    assert_eq!(session.finish_files().kernels.len(), 1);
    let mut with = |edit: &ArrayEdit| session.prepare(ask("k20c"), edit);
    let plain = with(&ArrayEdit::default()).expect("arrays");
    assert!(plain.arrays.len() == 2 && plain.arrays[0].guessed);
    assert!(plain.notes.iter().any(|note| note.contains("guessed")));
    let names = [("0x1000".to_string(), "left".to_string())].into();
    let named = with(&ArrayEdit { names, confirmed: true, ..ArrayEdit::default() }).expect("arrays");
    assert!(named.arrays[0].name == "left" && !named.arrays[0].guessed);
    assert!(!named.notes.iter().any(|note| note.contains("guessed")));
    let twins = [("0x1000".to_string(), "x".to_string()), ("0x1000000".to_string(), "x".to_string())].into();
    let twins = with(&ArrayEdit { names: twins, ..ArrayEdit::default() }).expect("arrays");
    assert_eq!((twins.arrays[0].name.as_str(), twins.arrays[1].name.as_str()), ("x", "x (2)"));
    let from = |list: &[&str]| ArrayEdit { from: list.iter().map(|m| (*m).into()).collect(), ..ArrayEdit::default() };
    let moved = with(&from(&["global", "texture1d"])).expect("two arrays");
    assert_eq!(moved.sample.placement, ["global", "texture1d"]);
    assert!(with(&from(&["global"])).expect_err("one is missing")[0].to_string().contains("each array, 2 in all"));
    let ranges = |text: &str| ArrayEdit { ranges: text.into(), ..ArrayEdit::default() };
    let stated = with(&ranges("x 0x1000 4; y 4100 4\nz 0x1000000 8")).expect("three ranges");
    assert_eq!(stated.arrays.iter().map(|array| array.name.as_str()).collect::<Vec<_>>(), ["x", "y", "z"]);
    assert_eq!(with(&ArrayEdit::default()).expect("arrays").arrays.len(), 2, "the files' own are not lost");
    for (text, expected) in [
        ("x 0x1000", "ranges:1: error: expected a name"),
        ("x 0x1000 8; y zero 4", "ranges:2"),
        ("x 0x1000 8; y 0x1004 4", "do not overlap"),
        ("x 0x1000 4; x 0x1004 4", "twice"),
        ("x 0xffffffffffffffff 4", "ranges:1"),
    ] {
        let said = with(&ranges(text)).expect_err(text);
        assert!(said[0].to_string().contains(expected), "{text}: {}", said[0]);
    }
}

/// The device code of a snippet runs in our own emulator, with each array read as the snippet says.
#[test]
fn snippets_compile_and_read_every_array() {
    let (mut session, _) = session("matmul-naive", "a100");
    // Said to be elsewhere than in its text, the kernel is one of a trace without text.
    let edit = ArrayEdit { from: ["texture1d", "global", "global"].map(String::from).into(), ..ArrayEdit::default() };
    let prepared = session.prepare(ask("a100"), &edit).expect("a kernel with arrays");
    for a in ["global", "texture1d", "texture2d", "constant", "shared"] {
        for b in ["global", "shared"] {
            let text = session.details(&[a, b, "global"].map(String::from)).expect("three arrays").snippet;
            let device = text.split("\n// On the host").next().unwrap_or_default();
            let reads: Vec<&str> = device
                .lines()
                .filter_map(|line| Some(line.trim().strip_prefix("//   ")?.split_once("  as  ")?.1))
                .collect();
            assert_eq!(reads.len(), 3, "{text}");
            let body = format!("int i = threadIdx.x, x = 0, y = 0;\n    C[i] = {} + {};\n}}\n", reads[0], reads[1]);
            let end = device.rfind('}').expect("a kernel");
            let n = prepared.arrays[0].bytes / 4;
            let side = prepared.arrays[0].width;
            let of_a = match a {
                "shared" => format!("A_global: float[{n}] = iota, A_first = 0"),
                "texture2d" => format!("A: float[{}][{side}] = iota", n / side),
                _ => format!("A: float[{n}] = iota"),
            };
            let of_b = if b == "shared" {
                format!("B_global: float[{n}] = iota, B_first = 0")
            } else {
                format!("B: float[{n}] = iota")
            };
            let launch = format!("// launch: matmul_naive<<<1, 32>>>({of_a}, {of_b}, C: float[{n}] = zero)\n");
            let source = format!("{launch}{}{body}", &device[..end]);
            let run = CudaRun::of(&source);
            assert!(run.is_empty(), "{a} {b}: {run:?}\n{source}");
        }
    }
}

/// A kernel of a text gets that text, rewritten. What the text refuses says so where it would be chosen.
#[test]
fn a_text_is_rewritten_whole_and_its_refusals_are_shown() {
    let (mut session, prepared) = session("conv2d", "a100");
    let at = |name: &str| prepared.arrays.iter().position(|array| array.name == name).expect("an array");
    let (weights, image, result) = (at("weights"), at("image"), at("result"));
    assert_eq!(prepared.sample.placement[weights], "constant", "the text has it there");
    assert!(prepared.arrays[weights].legality["global"].is_none());
    assert_eq!(prepared.arrays[weights].accesses, [0; 3], "its values are operands");
    assert!(prepared.arrays[weights].legality["shared"].as_ref().is_some_and(|why| why.contains("operands")));
    assert!(prepared.arrays[result].legality["shared"].as_ref().is_some_and(|why| why.contains("without reuse")));
    assert!(prepared.notes.iter().any(|note| note.contains("the text rewritten for it")));
    let mut placement = prepared.sample.placement.clone();
    (placement[weights], placement[image]) = ("global".into(), "shared".into());
    let look = session.details(&placement).expect("three arrays");
    assert!(look.rewritten && look.illegal.is_none(), "{:?}", look.illegal);
    assert!(look.snippet.contains("__device__ float weights[3][3]") && look.snippet.contains("image_tile[10][34]"));
    assert!(CudaRun::of(&look.snippet).is_empty(), "{}", look.snippet);
    // What the text stages is in shared memory, and the text can be rewritten without its tile.
    let (mut session, tiled) = self::session("matmul-tiled", "a100");
    assert_eq!(tiled.sample.placement, ["shared", "shared", "global"]);
    let mut placement = tiled.sample.placement.clone();
    placement[0] = "global".into();
    let look = session.details(&placement).expect("three arrays");
    assert!(look.rewritten && look.illegal.is_none(), "{:?}", look.illegal);
    assert!(look.snippet.contains("A[n * (int)blockIdx.y * 16 + t + ty * n + k] * b[k][tx]"), "{}", look.snippet);
}

/// Trace and text of a placement agree: what runs on the machine is the rewritten text.
#[test]
fn the_machine_runs_the_rewritten_text() {
    let contents = Contents::of_example("mvt").expect("an example");
    let report = PlacementRun::new(ask("a100"), &contents).expect("a kernel").finish();
    let best = &report.ranking[0];
    assert_eq!(best.placement["y1"], "constant", "a uniformly read small array");
    let moved = best.placement.iter().filter(|(_, memory)| *memory != "global");
    let moves: Vec<String> = moved.map(|(array, memory)| format!("{array}={memory}")).collect();
    let text = rewritten_text(&ask("a100"), &contents, &moves).expect("they are only read").text;
    let mut intake = Intake::default();
    intake.set_cuda(CudaSettings::default().options());
    intake.begin("mvt.cu");
    intake.push(text.as_bytes());
    let own = PlacementRun::new(ask("a100"), &intake.finish()).expect("a kernel").finish();
    let placed = best.machine_microseconds.expect("it ran on the machine");
    let alone = own.sample.machine_microseconds.expect("it ran on the machine");
    assert!((placed / alone - 1.0).abs() < 1e-9, "{placed} beside {alone}");
    // The tiles are arrays of the new text, and the others are where the placement has them.
    let constants = |placement: &BTreeMap<String, String>| placement.values().filter(|m| *m == "constant").count();
    assert_eq!(constants(&own.sample.placement), constants(&best.placement), "{:?}", own.sample.placement);
    let refused = rewritten_text(&ask("a100"), &contents, &["x1=constant".into()]);
    assert!(refused.expect_err("x1 is written")[0].to_string().contains("writes it"));
}

struct CudaRun;

impl CudaRun {
    /// Returns the diagnostics of a text. There are none if it ran.
    fn of(source: &str) -> Vec<String> {
        let run = Emulation::new("snippet.cu", source, &CudaOptions::default()).finish();
        let errors = run.diagnostics.iter().filter(|d| d.severity == base::Severity::Error);
        let mut said: Vec<String> = errors.map(ToString::to_string).collect();
        if run.launches.len() != 1 {
            said.push(format!("{} launches", run.launches.len()));
        }
        said
    }
}

#[test]
fn arrays_that_the_kernel_does_not_use_stay_where_they_are() {
    // The value that is read of `unread` goes nowhere, and the weights of this kernel are operands of its instructions.
    let text = "__constant__ float spare[16] = {1, 2, 3};\n__constant__ float weights[4] = {1, 2, 3, 4};\n\
                // launch: k<<<8, 128>>>(a: float[n] = random(1), unread: float[n], untouched: float[n], out: float[n], n = 1024)\n\
                __global__ void k(const float *a, const float *unread, const float *untouched, float *out, int n) {\n\
                int i = blockIdx.x * 128 + threadIdx.x; float x = unread[i];\n\
                out[i] = a[i] * weights[1] + weights[2]; }\n";
    let mut session = PlacementSession::default();
    session.begin_file("dead.cu", None);
    session.push(text.as_bytes());
    session.finish_files();
    let prepared = session.prepare(ask("a100"), &ArrayEdit::default()).expect("a kernel with arrays");
    // `a` in global memory, 1D texture or constant memory, and `weights` in constant or global memory.
    assert_eq!(prepared.numbers, Some(3 * 2));
    assert!(session.step(u64::MAX).expect("prepared").finished);
    let report = session.report().expect("prepared");
    for name in ["unread", "untouched"] {
        let array = report.arrays.iter().find(|array| array.name == name).expect("an array");
        let reasons: Vec<_> = array.legality.values().filter_map(|reason| reason.as_deref()).collect();
        assert_eq!(reasons, ["no thread of this launch accesses it"; 4], "{name}");
        assert!(report.ranking.iter().all(|row| row.placement[name] == "global"), "{name}");
    }
    assert!(report.arrays.iter().all(|array| array.name != "spare"), "the kernel does not know it");
}

/// The other changes of the page are those of the terminal, and each that ran has its text.
#[test]
fn other_changes_are_the_terminals_and_have_their_texts() {
    let contents = Contents::of_example("stencil-9").expect("an example");
    let request = PlacementRequest { changes: true, ..ask("a100") };
    let alone = PlacementRun::new(request, &contents).expect("a kernel").finish();
    let (mut session, prepared) = session("stencil-9", "a100");
    assert!(prepared.changeable);
    while !session.step(1000).expect("prepared").finished {}
    while !session.judge(1000).expect("prepared").finished {}
    assert!(session.changes().expect("prepared").is_empty(), "nobody asked for them");
    while !session.change(1000).expect("a text").finished {}
    let rows = session.changes().expect("prepared");
    assert_eq!(json(&rows), json(&alone.changes.expect("they were asked for")));
    let ran = rows.iter().filter(|row| row.machine_microseconds.is_some() && !row.changes.is_empty());
    let texts: Vec<String> =
        ran.map(|row| session.changed_text(&row.placement, &row.changes).expect("a text of what ran").text).collect();
    assert!(texts.len() > 4, "{rows:?}");
    assert!(texts.iter().any(|text| text.contains("__restrict__")));
    // Several changes together are in one text.
    let together = rows.iter().find(|row| row.changes.len() > 1).expect("two that are faster");
    assert!(together.changes.iter().any(|name| name.starts_with("block=")), "{together:?}");
    assert!(session.changed_text(&BTreeMap::new(), &[]).is_err());
    assert!(session.changed_text(&rows[0].placement, &["faster".into()]).is_err());
    let refused = session.prepare(PlacementRequest { model: "paper".into(), ..ask("a100") }, &ArrayEdit::default());
    assert!(!refused.expect("a kernel with arrays").changeable);
    assert!(session.change(1).is_err());
}
