//! Sessions of the Reuse tab: each kind of input gives the results of the engines, and memory estimates hold.

use base::Step;
use lab::{
    analyse_reuse, line_source, stream_lines, Contents, DistanceBar, EngineChoice, Format, HpRdaSettings, Intake,
    Pattern, ReusePrepared, ReuseReport, ReuseResult, ReuseSession, ReuseSettings, ReuseTaskOutcome, Scenario,
    SessionEngine, SyntheticStream,
};
use std::io::Write;

fn prepared(session: &mut ReuseSession, line_bytes: u64, model_order: bool) -> ReusePrepared {
    session.prepare(line_bytes, model_order, &Scenario::default()).expect("an input");
    match session.finish().expect("lines") {
        ReuseTaskOutcome::Prepared(prepared) => prepared,
        other => panic!("{other:?}"),
    }
}

fn result(session: &mut ReuseSession, engine: SessionEngine) -> ReuseResult {
    session.start(engine).expect("a task");
    match session.finish().expect("an analysis") {
        ReuseTaskOutcome::Result(result) => *result,
        other => panic!("{other:?}"),
    }
}

fn generated(pattern: Pattern, n: u32, m: u32) -> ReuseSession {
    let mut session = ReuseSession::default();
    session.generate(pattern, n, m, 7);
    assert!(matches!(session.finish().expect("a stream"), ReuseTaskOutcome::Generated(made) if made == u64::from(n)));
    session
}

fn report(lines: &Vec<u64>, engine: EngineChoice) -> ReuseReport {
    analyse_reuse(lines, ReuseSettings { engine, threads: 1 }).expect("a stream in memory")
}

/// Checks that the bars of a series are the histogram of a report.
fn assert_counts(session: &ReuseSession, key: &str, report: &ReuseReport) {
    let last = report.histogram.iter().filter_map(|row| row.0).max().unwrap_or(0);
    let mut bars = Vec::new();
    for from in (0..=last).step_by(4096) {
        bars.extend(
            session.distance_bars(key, from, last.min(from + 4095), 4096).into_iter().filter(|bar| bar.count > 0),
        );
    }
    let expected: Vec<DistanceBar> =
        report.histogram.iter().filter_map(|&(d, count)| d.map(|d| DistanceBar { low: d, high: d, count })).collect();
    assert_eq!(bars, expected, "{key}");
}

/// Packs bytes as `gzip` does.
fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(bytes).expect("written to memory");
    packed.finish().expect("written to memory")
}

#[test]
fn the_same_numbers_have_the_same_lines_under_every_name() {
    let numbers: Vec<u8> = [5_u64, 900, 5, 64].into_iter().flat_map(u64::to_le_bytes).collect();
    let mut read = Vec::new();
    for (name, format, bytes) in [
        ("a.u64", None, numbers.clone()),
        ("a.u64.gz", None, gzip(&numbers)),
        ("a.bin", Some(Format::U64), numbers.clone()),
        ("a.bin.gz", Some(Format::U64), gzip(&numbers)),
        ("a.u64", Some(Format::U64), numbers.clone()),
    ] {
        let mut session = ReuseSession::default();
        session.begin_file(name, format, 64);
        session.push_bytes(&bytes);
        session.end_file();
        let input = session.finish_files();
        assert_eq!((input.kind, input.line_bytes), ("stream", 1), "{name} on the page");
        let mut intake = Intake::default();
        match format {
            Some(format) => intake.begin_as(name, format),
            None => intake.begin(name),
        }
        intake.push(&bytes);
        let (lines, line_bytes) = stream_lines(&intake.finish(), None).expect("lines");
        assert_eq!(line_bytes, 1, "{name} at the terminal");
        read.push(lines);
    }
    assert!(read.iter().all(|lines| *lines == [5, 900, 5, 64]), "{read:?}");
}

const PATTERNS: [Pattern; 4] = [Pattern::Uniform, Pattern::Zipf { exponent: 1.0 }, Pattern::Phased, Pattern::Matmul];

#[test]
fn engines_of_a_session_give_the_histograms_of_the_command_line() {
    for pattern in PATTERNS {
        let mut session = generated(pattern, 60_000, 3_000);
        let mut stream = SyntheticStream::new(pattern, 3_000, 7);
        let lines: Vec<u64> = (0..60_000).map(|_| stream.draw()).collect();
        let known = prepared(&mut session, 1, false);
        let rank = report(&lines, EngineChoice::Rank);
        assert_eq!((known.accesses, known.distinct, known.distinct_exact), (60_000, rank.distinct, true));
        assert_eq!((known.engine, known.why, known.narrow), ("rank", "few-lines", true));
        for engine in [SessionEngine::Auto, SessionEngine::Rank, SessionEngine::Offline] {
            let found = result(&mut session, engine);
            assert_eq!((found.distinct, &found.all.miss_ratio_curve), (rank.distinct, &rank.miss_ratio_curve));
            assert!(found.difference.is_none());
            assert_counts(&session, "all", &rank);
        }
        let sampled = report(&lines, EngineChoice::Sample { per_million: 200_000 });
        let found = result(&mut session, SessionEngine::Sample { per_million: 200_000 });
        assert_eq!(found.all.miss_ratio_curve, sampled.miss_ratio_curve);
        assert_eq!(found.sample, sampled.sample);
        assert!(found.difference.expect("an exact result is there").curve_points > 0.0);
        session.start(SessionEngine::HpRdaTrace).expect("a task");
        let ReuseTaskOutcome::Trace(references, distinct, repeats) = session.finish().expect("step 1") else {
            panic!()
        };
        assert_eq!((references + repeats, distinct), (60_000, rank.distinct));
        for (thread_trace, adjust) in [(64, true), (64, false), (512, true), (1 << 20, false)] {
            let settings = HpRdaSettings { thread_trace, block_threads: 8, adjust };
            let approximate = report(&lines, EngineChoice::HpRda(settings));
            let found = result(&mut session, SessionEngine::HpRda(settings));
            assert_counts(&session, if adjust { "hp-rda-ef" } else { "hp-rda" }, &approximate);
            let note = approximate.hp_rda.expect("a note");
            assert_eq!(found.hp_rda.map(|n| (n.ntb, n.ef)), Some((note.ntb, note.ef)));
            let points = found.difference.expect("an exact result").curve_points;
            assert!(thread_trace < 60_000 || points == 0.0, "one thread trace is exact: {pattern:?}");
        }
        // The report equals that of the command line except for the time.
        let told = session.report(2.0).expect("a report");
        assert!(told == ReuseReport { seconds: 2.0, engine: "offline", ..rank }, "{pattern:?}");
        let csv = session.csv();
        assert!(csv.starts_with("series,distance,accesses\n") && csv.contains(&format!("all,inf,{distinct}\n")));
    }
}

#[test]
fn steps_have_true_progress_and_can_be_dropped_at_any_time() {
    let mut session = generated(Pattern::Uniform, 50_000, 9_000);
    prepared(&mut session, 1, false);
    for engine in [SessionEngine::Rank, SessionEngine::Offline, SessionEngine::Sample { per_million: 100_000 }] {
        session.start(engine).expect("a task");
        let (mut before, mut steps) = (0, 0);
        while let Step::More(progress) = session.step(10_000).expect("an analysis") {
            assert!(progress.done >= before && progress.done <= progress.total, "{engine:?} {progress:?}");
            (before, steps) = (progress.done, steps + 1);
            assert!(progress.done >= 10_000.min(progress.total) && progress.total >= 50_000);
        }
        assert!(steps >= 5, "{engine:?}: {steps}");
    }
    session.start(SessionEngine::Rank).expect("a task");
    assert!(matches!(session.step(10).expect("an analysis"), Step::More(_)));
    assert_eq!(result(&mut session, SessionEngine::Rank).all.accesses, 50_000, "the half-done task is forgotten");
}

/// Returns a lackey file with instruction fetches, long accesses and all kinds.
fn lackey(n: u64) -> Vec<u8> {
    let mut text = Vec::new();
    for i in 0..n {
        let address = 0x7ff0_0000_0000u64 + (i * i * 37) % 40_000 * 8;
        match i % 5 {
            0 => writeln!(text, "I  {:08x},4", 0x40_0000 + i * 4),
            1 => writeln!(text, " S {address:08x},64"),
            2 => writeln!(text, " M {address:08x},8"),
            _ => writeln!(text, " L {address:08x},{}", 1 + i % 32),
        }
        .expect("memory");
    }
    text
}

fn dropped(session: &mut ReuseSession, files: &[(&str, &[u8])], chunk: usize) -> lab::ReuseInput {
    for (name, bytes) in files {
        session.begin_file(name, None, 64);
        bytes.chunks(chunk).for_each(|piece| session.push_bytes(piece));
        session.end_file();
    }
    session.finish_files()
}

fn contents(files: &[(&str, &[u8])]) -> Contents {
    let mut intake = Intake::default();
    for (name, bytes) in files {
        intake.begin(name);
        intake.push(bytes);
    }
    intake.finish()
}

#[test]
fn files_kept_and_files_passing_by_give_the_same_at_every_line_size() {
    let (first, second) = (lackey(20_000), lackey(3_000));
    let files: [(&str, &[u8]); 2] = [("a.lackey", &first), ("b.lackey", &second)];
    let read = contents(&files);
    for line_bytes in [1, 16, 48, 64, 4096] {
        let (lines, _) = stream_lines(&read, Some(line_bytes)).expect("few lines");
        // What the terminal reads, from any line on.
        let (source, _) = line_source(contents(&files), Some(line_bytes)).expect("address streams");
        assert_eq!(source.accesses(), lines.len() as u64);
        for start in [0, 1, 65_535, 65_536, lines.len() - 1, lines.len()].map(|start| start.min(lines.len())) {
            for end in [start, start + 1, lines.len()].map(|end| end.min(lines.len())) {
                let mut visited = Vec::new();
                source.visit(start as u64..end as u64, &mut |part| visited.extend_from_slice(part)).expect("memory");
                assert!(visited == lines[start..end], "{line_bytes}: {start}..{end}");
            }
        }
        let expected = report(&lines, EngineChoice::Rank);
        let mut kept = ReuseSession::default();
        let info = dropped(&mut kept, &files, 1000);
        assert_eq!((info.kind, info.line_bytes, info.accesses, info.files.len()), ("stream", 64, 18_400, 2));
        assert!(info.kept_bytes.is_some_and(|bytes| bytes > 10_000));
        let known = prepared(&mut kept, line_bytes, false);
        assert_eq!((known.accesses, known.why), (lines.len() as u64, "few-lines"));
        let off = known.distinct.abs_diff(expected.distinct) as f64 / expected.distinct as f64;
        assert!(if known.distinct_exact { off == 0.0 } else { off < 0.025 }, "{off}");
        assert_eq!(result(&mut kept, SessionEngine::Auto).all.miss_ratio_curve, expected.miss_ratio_curve);
        assert_counts(&kept, "all", &expected);
        let mut handed = Vec::new();
        let mut reader = kept.read_lines().expect("lines");
        loop {
            let piece = reader.next_lines(777);
            handed.extend_from_slice(piece);
            if piece.len() < 777 {
                break;
            }
        }
        assert_eq!(handed, lines, "for the other workers");

        let mut streamed = ReuseSession::with_limit(1000);
        let info = dropped(&mut streamed, &files, 1000);
        assert_eq!((info.kind, info.kept_bytes, info.accesses), ("stream", None, 18_400));
        streamed.prepare(line_bytes, false, &Scenario::default()).expect("a survey");
        let known = streamed.prepared().expect("at once").clone();
        assert_eq!((known.why, known.distinct_exact), ("passing", line_bytes == 64 && known.distinct < 32_768));
        streamed.start_streaming(SessionEngine::Auto).expect("an analysis");
        for (name, bytes) in files {
            streamed.begin_file(name, None, line_bytes);
            bytes.chunks(999).for_each(|piece| streamed.push_bytes(piece));
            streamed.end_file();
        }
        let ReuseTaskOutcome::Result(found) = streamed.finish_streaming().expect("a result") else { panic!() };
        assert_eq!(found.all.accesses, lines.len() as u64);
        assert_counts(&streamed, "all", &expected);
        // The first survey serves another line size too.
        streamed.prepare(32, false, &Scenario::default()).expect("the survey is still there");
    }
}

#[test]
fn numbers_of_u64_files_are_lines_and_gpu_traces_are_told_apart() {
    let bytes: Vec<u8> = (0..1000u64).flat_map(|i| (i % 10).to_le_bytes()).collect();
    let mut session = ReuseSession::default();
    let info = dropped(&mut session, &[("a.u64", &bytes)], 13);
    assert_eq!((info.kind, info.line_bytes), ("stream", 1));
    let mut session = ReuseSession::default();
    let trc = b"blocksize: 32 1 1\n0 0 4096 4\n1 0 4100 4\n";
    let info = dropped(&mut session, &[("k.trc", trc), ("s.u64", &bytes)], 1000);
    assert_eq!((info.kind, info.kernels.len()), ("stream", 1));
    assert!(info.diagnostics.iter().any(|d| d.found.contains("beside address streams, kernels: 1")));
    let mut session = ReuseSession::default();
    let info = dropped(&mut session, &[("k.trc", trc)], 1000);
    assert_eq!((info.kind, info.line_bytes), ("kernels", 128));
    // The chosen format prevails over the name and the content.
    let mut session = ReuseSession::default();
    session.begin_file("a.trc", Format::from_key("u64"), 1);
    session.push_bytes(&bytes);
    session.end_file();
    let info = session.finish_files();
    assert_eq!((info.kind, info.accesses, info.candidates.len()), ("stream", 1000, 0));
    let mut session = ReuseSession::default();
    let info = dropped(&mut session, &[("x.txt", b"nothing of the kind\n")], 1000);
    assert_eq!(info.kind, "none");
    assert!(session.prepare(64, false, &Scenario::default()).is_err());
    assert!(session.step(1).is_err() && session.start(SessionEngine::Auto).is_err());
}

/// Adds a kernel of the library to a session.
fn example_dropped(session: &mut ReuseSession, id: &str) -> lab::ReuseInput {
    session.example(id).expect("a kernel of the library");
    session.finish_files()
}

#[test]
fn kernels_are_split_by_array_and_kernel_and_add_up() {
    for example in ["matvec-rows", "transpose", "stencil"] {
        let contents = Contents::of_example(example).expect("an example");
        for line_bytes in [32, 128, 1024] {
            let (lines, _) = stream_lines(&contents, Some(line_bytes)).expect("few lines");
            let expected = report(&lines, EngineChoice::Rank);
            let mut session = ReuseSession::default();
            assert_eq!(example_dropped(&mut session, example).kind, "kernels");
            let known = prepared(&mut session, line_bytes, false);
            assert_eq!((known.why, known.grouped, known.line_bytes), ("groups", true, line_bytes));
            let found = result(&mut session, SessionEngine::Auto);
            assert_counts(&session, "all", &expected);
            for parts in [&found.kernels, &found.arrays] {
                assert!(!parts.is_empty());
                assert_eq!(parts.iter().map(|part| part.accesses).sum::<u64>(), found.all.accesses, "{example}");
                assert_eq!(parts.iter().map(|part| part.firsts).sum::<u64>(), found.all.firsts, "{example}");
            }
            assert!(found.arrays.iter().all(|part| !part.name.is_empty()), "examples name their arrays");
        }
    }
}

#[test]
fn the_model_orders_loads_per_core_with_lines_of_their_own() {
    let example = "matvec-rows";
    let mut session = ReuseSession::default();
    example_dropped(&mut session, example);
    let known = prepared(&mut session, 64, true);
    assert_eq!(known.line_bytes, 128, "no smaller than the model's own");
    let found = result(&mut session, SessionEngine::Auto);
    // The accesses are the model's loads in any order, and the first accesses are those of each core.
    let run = lab::CacheRun::new(&Scenario::default(), &Contents::of_example(example).expect("an example"));
    let report = base::Job::finish(run.map_err(|e| format!("{e:?}")).expect("a run")).expect("a report");
    let kernel = &report.kernels[0];
    assert_eq!(found.all.accesses, kernel.requests);
    assert_eq!(found.all.firsts, kernel.misses.compulsory as u64);
    // One line holds two of the model's lines, so there are as many accesses and fewer lines.
    assert_eq!(prepared(&mut session, 256, true).line_bytes, 256);
    let wide = result(&mut session, SessionEngine::Auto);
    assert_eq!(wide.all.accesses, found.all.accesses);
    assert!(wide.distinct < found.distinct && wide.distinct * 2 >= found.distinct);
    // Another seed gives another order.
    session.prepare(128, true, &Scenario { seed: 5, ..Scenario::default() }).expect("an input");
    session.finish().expect("lines");
    assert_eq!(result(&mut session, SessionEngine::Auto).all.accesses, found.all.accesses);
}

#[test]
fn a_window_is_exact_when_narrow_and_adds_up_when_wide() {
    let mut session = generated(Pattern::Uniform, 30_000, 2_000);
    prepared(&mut session, 1, false);
    let found = result(&mut session, SessionEngine::Rank);
    let largest = found.all.largest.expect("a distance");
    for most in [1, 7, 100, 4096] {
        let bars = session.distance_bars("all", 0, largest, most);
        assert!(bars.len() as u64 <= most);
        assert_eq!(bars.iter().map(|bar| bar.count).sum::<u64>(), found.all.accesses - found.all.firsts);
        assert!(bars.windows(2).all(|pair| pair[0].high + 1 == pair[1].low));
    }
    let exact = session.distance_bars("all", 10, 20, 100);
    assert_eq!(exact.len(), 11);
    assert!(exact.iter().all(|bar| bar.low == bar.high));
    assert_eq!(session.distance_bars("nothing", 0, 10, 10), []);
    assert_eq!(session.distance_bars("all", u64::MAX - 1, u64::MAX, 10).len(), 2);
}

#[test]
fn what_another_machine_joined_is_compared_and_adjusted() {
    let mut session = generated(Pattern::Uniform, 40_000, 1_000);
    prepared(&mut session, 1, false);
    let exact = result(&mut session, SessionEngine::Rank);
    assert!(session.adjust_hp_rda().is_none() && session.equals_hp_rda(&[], 0).is_none());
    session.start(SessionEngine::HpRdaTrace).expect("a task");
    session.finish().expect("step 1");
    let settings = HpRdaSettings { thread_trace: 128, block_threads: 4, adjust: true };
    let adjusted = result(&mut session, SessionEngine::HpRda(settings));
    let plain = result(&mut session, SessionEngine::HpRda(HpRdaSettings { adjust: false, ..settings }));
    // A GPU that executes steps 3 and 4 returns distances without repeats, first accesses and adjustment.
    let repeats = session.hp_rda_trace().expect("step 1").repeats;
    let largest = plain.all.largest.expect("a distance");
    let bars = (0..=largest)
        .step_by(4096)
        .flat_map(|from| session.distance_bars("hp-rda", from, largest.min(from + 4095), 4096));
    let mut joined: Vec<u32> = bars.map(|bar| bar.count as u32).collect();
    joined[0] -= repeats as u32;
    let note = plain.hp_rda.expect("a note");
    let count = (plain.distinct as f64 / note.ef).round() as u64;
    assert_eq!(session.equals_hp_rda(&joined, count), Some(true));
    assert_eq!(session.equals_hp_rda(&joined, count + 1), Some(false), "another ef");
    joined[3] += 1;
    assert_eq!(session.equals_hp_rda(&joined, count), Some(false), "another histogram");
    let later = session.adjust_hp_rda().expect("the run was without step 5");
    assert_eq!(later.fingerprint, adjusted.fingerprint);
    assert_ne!(later.fingerprint, plain.fingerprint);
    assert_eq!(exact.fingerprint.len(), 16);
}
