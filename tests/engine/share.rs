//! Tests of links and fingerprints: their contents, their round trip, and that old links always open.

use crate::common::contents_of;
use crate::common::run;
use base::Job;
use lab::{
    CacheModel, Contents, CudaSettings, FileId, Format, GpuMissClasses, GpuReport, Intake, LaunchState, Report,
    Scenario, ScenarioRun, TraceForm,
};
use proptest::prelude::*;
use share::{add_fingerprint, parse_link, write_link, LinkError};
use std::path::PathBuf;

#[test]
fn a_default_scenario_makes_the_shortest_link() {
    assert_eq!(write_link(&Scenario::default()), Ok("v=1".into()));
    assert_eq!(parse_link(""), Ok(Scenario::default()));
    assert_eq!(parse_link("#v=1"), Ok(Scenario::default()));
}

#[test]
fn links_are_readable() {
    let scenario = Scenario {
        example: Some("stencil".into()),
        gpu: "a100".into(),
        model: CacheModel::Reference,
        seed: 7,
        set: [("ways".to_string(), "8".to_string())].into(),
        view: [("tab".to_string(), "reuse".to_string()), ("reuse.line".to_string(), "64".to_string())].into(),
        fingerprint: Some("00ff".into()),
        ..Scenario::default()
    };
    let link = write_link(&scenario).expect("a short link");
    assert_eq!(
        link,
        "v=1&example=stencil&gpu=a100&model=reference&seed=7&set.ways=8&view.reuse.line=64&view.tab=reuse&result=00ff"
    );
    assert_eq!(parse_link(&link).as_ref(), Ok(&scenario));
    // The language of the page is no part of it.
    assert_eq!(parse_link(&format!("{link}&lang=zh")), Ok(scenario));
}

#[test]
fn a_link_of_the_model_gpu_has_a_state_and_nothing_that_the_model_ignores() {
    let scenario = Scenario {
        example: Some("stencil".into()),
        gpu: "rtx3060".into(),
        model: CacheModel::Gpu,
        state: LaunchState::Replay,
        classes: true,
        seed: 7,
        warm: true,
        ..Scenario::default()
    };
    let link = write_link(&scenario).expect("a short link");
    assert_eq!(link, "v=1&example=stencil&gpu=rtx3060&model=gpu&state=replay&classes=1");
    assert_eq!(parse_link(&link), Ok(Scenario { seed: 1, warm: false, ..scenario.clone() }));
    let other = Scenario { model: CacheModel::Paper, ..scenario };
    assert_eq!(write_link(&other).as_deref(), Ok("v=1&example=stencil&gpu=rtx3060&seed=7&warm=1"));
}

/// Links of version 1, as the first release wrote them. Never change these files, only add to them.
#[test]
fn old_links_open() {
    let folder = testkit::root().join("tests/links/v1");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).expect("the folder of old links").flatten() {
        let text = std::fs::read_to_string(entry.path()).expect("a link and its scenario");
        let (link, scenario) = text.split_once('\n').expect("two lines");
        let expected: Scenario = serde_json::from_str(scenario).expect("a scenario");
        assert_eq!(parse_link(link), Ok(expected), "{}", entry.path().display());
        seen += 1;
    }
    assert!(seen >= 3);
}

#[test]
fn a_bad_link_says_which_part_is_bad() {
    let check = |link: &str, message: &str| {
        let error = parse_link(link).expect_err(link);
        assert!(error.to_string().contains(message), "{link}: {error}");
    };
    check("v=2&gpu=a100", "version `2`");
    check("gpu=a100", "version `gpu=a100`");
    check("v=1&colour=red", "`colour`");
    check("v=1&model=best", "model=best; expected gpu, paper or reference");
    check("v=1&model=gpu&state=hot", "state=hot; expected cold, copies, replay or warm");
    check("v=1&state=warm", "state=warm; expected model=gpu beside it");
    check("v=1&model=gpu&seed=7", "seed=7; expected no seed beside model=gpu");
    check("v=1&classes=1", "classes=1; expected model=gpu beside it");
    check("v=1&model=gpu&classes=yes", "classes=yes; expected 1");
    check("v=1&warm=1&model=gpu", "warm=1; expected state=warm");
    check("v=1&seed=-1", "seed=-1");
    check("v=1&seed=9007199254740992", "up to 9007199254740991");
    check("v=1&kernels=0", "kernels=0; expected numbers");
    check("v=1&kernels=5-3", "kernels=5-3");
    check("v=1&kernels=1-4000000000", "kernels=1-4000000000");
    check("v=1&warm=yes", "warm=yes; expected 1");
    check("v=1&file=a.trc:12:abc", "NAME:SIZE:SHA256");
    check("v=1&as.1=csv", "as.1=csv; expected the number of a file in the link");
    let file = format!("v=1&file=a:12:{}", "0".repeat(64));
    check(&format!("{file}&as.0=csv"), "expected the number of a file");
    check(&format!("{file}&as.1=excel"), "as.1=excel; expected a format such as csv");
    check(&format!("v=1&gpu={}", "a".repeat(5000)), "characters long");
    check("v=1&base=", "base=; expected the link of a run");
    check("v=1&base=v%3D2", "the baseline in the link: the link has version `2`");
    check("v=1&base=v%3D1%26seed%3Dx", "the baseline in the link: the link says seed=x");
    check("v=1&base=v%3D1%26base%3Dv%253D1", "expected a link without a base of its own; leave out the inner one");
}

#[test]
fn a_pair_is_one_link() {
    let base =
        Scenario { example: Some("matvec-rows".into()), fingerprint: Some("00ff".into()), ..Scenario::default() };
    let pair = Scenario {
        set: [("ways".to_string(), "8".to_string())].into(),
        fingerprint: Some("11aa".into()),
        base: Some(Box::new(base.clone())),
        ..base.clone()
    };
    let link = write_link(&pair).expect("a short link");
    assert_eq!(
        link,
        "v=1&example=matvec-rows&set.ways=8&result=11aa&base=v%3D1%26example%3Dmatvec-rows%26result%3D00ff"
    );
    assert_eq!(parse_link(&link).as_ref(), Ok(&pair));
    // Two runs of one text carry it once.
    let text = cuda_vm::library_kernel("matmul-tiled").expect("a kernel of the library").text;
    let cuda = CudaSettings { text: Some(text.into()), ..CudaSettings::default() };
    let with_text = |of: Scenario| Scenario { example: None, cuda: cuda.clone(), ..of };
    let one = with_text(base);
    let two = Scenario { base: Some(Box::new(one.clone())), ..with_text(pair) };
    let [alone, both] = [&one, &two].map(|scenario| write_link(scenario).expect("a link below the limit"));
    assert!(both.len() < alone.len() + 100, "{} and {}", alone.len(), both.len());
    assert_eq!(parse_link(&both), Ok(two));
}

#[test]
fn a_pair_that_is_too_long_has_no_link() {
    let file = |name: &str| FileId { name: name.repeat(40), size: 1, sha256: "0".repeat(64), format: None };
    let of = |name| Scenario { files: vec![file(name); 17], ..Scenario::default() };
    assert!(write_link(&of("a")).is_ok());
    let pair = Scenario { base: Some(Box::new(of("a"))), ..of("b") };
    assert!(matches!(write_link(&pair), Err(LinkError::TooLong(_))));
}

#[test]
fn a_scenario_with_too_many_files_has_no_link() {
    let file = FileId { name: "kernel.traceg".into(), size: 1, sha256: "0".repeat(64), format: None };
    let scenario = Scenario { files: vec![file; 60], ..Scenario::default() };
    assert!(matches!(write_link(&scenario), Err(LinkError::TooLong(_))));
}

#[test]
fn a_kernel_rides_along_until_the_link_is_too_long() {
    let text = cuda_vm::library_kernel("matmul-tiled").expect("a kernel of the library").text;
    let with = |text: String| Scenario {
        cuda: CudaSettings { text: Some(text), ..CudaSettings::default() },
        ..Scenario::default()
    };
    let link = write_link(&with(text.into())).expect("a link below the limit");
    assert!(link.len() < text.len() * 4 / 5, "{} for {} bytes of text", link.len(), text.len());
    assert_eq!(parse_link(&link).expect("a link").cuda.text.as_deref(), Some(text));
    let mut random = base::Random::new(3);
    let noise: String = (0..6_000).map(|_| char::from(b'a' + random.below(26) as u8)).collect();
    assert_eq!(write_link(&with(noise)).as_deref(), Ok("v=1"));
    for bad in ["v=1&cuda.text=!", "v=1&cuda.text=", "v=1&cuda.form=x", "v=1&cuda.what=1"] {
        assert!(parse_link(bad).is_err(), "{bad}");
    }
}

proptest! {
    #[test]
    fn every_link_comes_back(
        example in proptest::option::of("[a-z-]{1,20}"),
        gpu in "[a-z0-9-]{1,20}",
        model in 0usize..3,
        state in 0usize..4,
        seed in 0u64..1 << 53,
        set in proptest::collection::btree_map("[a-z_]{1,12}", "[ -~]{0,12}", 0..5),
        names in proptest::collection::vec(("\\PC{1,40}", any::<u64>(), "[0-9a-f]{64}", 0usize..24), 0..5),
        kernels in proptest::collection::btree_set(1u32..90_000, 0..20),
        warm in any::<bool>(),
        classes in any::<bool>(),
        view in proptest::collection::btree_map("[a-z][a-z.]{0,20}", "[ -~]{0,12}", 0..4),
        fingerprint in proptest::option::of("[0-9a-f]{32}"),
        cuda in (any::<bool>(), proptest::option::of("\\PC{1,60}"), proptest::collection::btree_map("[a-z]{1,9}", "[ -~]{0,9}", 0..3), proptest::option::of("\\PC{1,200}")),
    ) {
        let read_as = |n: usize| Format::KEYS.get(n).map(ToString::to_string);
        let files = names.into_iter();
        let files = files.map(|(name, size, sha256, n)| FileId { name, size, sha256, format: read_as(n) }).collect();
        let model = CacheModel::ALL[model];
        // The model `gpu` has states in place of seeds and warm L1s.
        let whole = model == CacheModel::Gpu;
        let state = if whole { LaunchState::ALL[state] } else { LaunchState::Cold };
        let classes = whole && classes;
        let (seed, warm) = if whole { (1, false) } else { (seed, warm) };
        let (written, launch, sizes, text) = cuda;
        let cuda = CudaSettings { form: if written { TraceForm::Written } else { TraceForm::Compiled }, launch, sizes, text };
        let scenario = Scenario {
            cuda, version: 1, example, files, gpu, model, state, classes, seed, set, kernels: kernels.into_iter().collect(), warm, view, fingerprint, base: None,
        };
        let link = write_link(&scenario).expect("a link below the limit");
        prop_assert_eq!(parse_link(&link), Ok(scenario.clone()));
        let pair = Scenario { gpu: "a100".into(), base: Some(Box::new(scenario.clone())), ..scenario };
        if let Ok(link) = write_link(&pair) {
            let read = parse_link(&link).expect("a pair");
            // A text that does not fit is left out, the baseline's first.
            let fits = read.base.as_ref().is_some_and(|base| base.cuda.text == pair.cuda.text);
            prop_assert!(fits || link.len() > 2000, "{}", link);
            prop_assert_eq!(read == pair, fits);
        }
    }

    #[test]
    fn no_hash_makes_the_reader_panic(hash in "\\PC{0,300}") {
        let _ = parse_link(&hash);
        let _ = parse_link(&format!("v=1&{hash}"));
    }
}

#[test]
fn the_fingerprint_tells_results_apart_and_nothing_else() {
    let contents = Contents::of_example("stencil").expect("an example");
    let of = |gpu: &str, model, seed, set: &[(&str, &str)]| run(&contents, gpu, model, seed, set).fingerprint;
    let first = of("gtx470-16k", CacheModel::Paper, 1, &[]);
    assert_eq!(first, of("gtx470-16k", CacheModel::Paper, 1, &[]));
    assert_eq!(first, of("gtx470-16k", CacheModel::Paper, 1, &[("ways", "4")]), "the value it has anyway");
    let others = [
        of("gtx470-48k", CacheModel::Paper, 1, &[]),
        of("gtx470-16k", CacheModel::Reference, 1, &[]),
        of("gtx470-16k", CacheModel::Paper, 2, &[]),
        of("gtx470-16k", CacheModel::Paper, 1, &[("ways", "8")]),
    ];
    assert!(others.iter().all(|other| *other != first), "{others:?}");
}

/// Runs an example in the model `gpu`.
fn whole_gpu(example: &str, gpu: &str, state: LaunchState) -> GpuReport {
    let contents = Contents::of_example(example).expect("an example");
    let scenario = Scenario { gpu: gpu.into(), model: CacheModel::Gpu, state, ..Scenario::default() };
    let run = ScenarioRun::new(&scenario, &contents).expect("a scenario that runs");
    match add_fingerprint(run.finish().expect("a report")) {
        Report::Gpu(report) => report,
        Report::Cache(_) => panic!("another model's report"),
    }
}

#[test]
fn each_number_of_the_model_gpu_is_in_the_fingerprint_and_no_name() {
    let report = whole_gpu("reduce-tree", "rtx3060", LaunchState::Cold);
    let of = |report: &GpuReport| add_fingerprint(report.clone()).fingerprint;
    assert_eq!(of(&report), report.fingerprint, "a fingerprint does not enter itself");
    let mut named = report.clone();
    named.kernels[0].name = "another".into();
    named.kernels[0].number = 9;
    named.kernels[0].rows.arrays[0].array.name = "another".into();
    named.notes.clear();
    // It follows from the trace and the other numbers.
    named.kernels[0].roofline = None;
    assert_eq!(of(&named), report.fingerprint);
    let changes: [fn(&mut GpuReport); 12] = [
        |r| r.kernels[0].rows.arrays[0].counts.l1_hits += 1,
        |r| r.kernels[0].rows.timeline[0].instructions += 1,
        |r| r.state = LaunchState::Warm,
        |r| r.kernels[0].grid[0] += 1,
        |r| r.kernels[0].gpu.cycles += 1,
        |r| r.kernels[0].gpu.l1.least_sectors += 1,
        |r| r.kernels[0].gpu.l2.write_hits += 1,
        |r| r.kernels[0].gpu.shared.store_wavefronts += 1,
        |r| r.kernels[0].gpu.stalls.barrier += 1,
        |r| r.kernels[0].gpu.busy.replies += 1e-9,
        |r| r.kernels[0].gpu.sampled = Some(1),
        |r| r.kernels[0].gpu.l1.classes = Some(GpuMissClasses::default()),
    ];
    for (i, change) in changes.iter().enumerate() {
        let mut changed = report.clone();
        change(&mut changed);
        assert_ne!(of(&changed), report.fingerprint, "change {i}");
    }
}

/// Every stored link depends on this number. A change of it is a change of the model and belongs in the CHANGELOG.
#[test]
fn the_first_example_keeps_its_fingerprint() {
    let contents = Contents::of_example("matvec-rows").expect("an example");
    let report = run(&contents, "gtx470-16k", CacheModel::Paper, 1, &[]);
    assert_eq!(report.fingerprint, "dd967e78cde8dc7a5a63f16c251e7376");
}

/// A link must state how its bytes are read, so that they are read in the same way on every machine.
#[test]
fn a_link_carries_the_format_where_the_content_does_not_tell_it() {
    let text = b"0 0 4096 4\n";
    let id = |name: &str, choice: Option<&str>| {
        let mut intake = Intake::default();
        match choice.and_then(Format::from_key) {
            Some(format) => intake.begin_as(name, format),
            None => intake.begin(name),
        }
        intake.push(text);
        let contents = intake.finish();
        (contents.files[0].key, contents.files[0].id.format.clone())
    };
    assert_eq!(id("x", None), ("trc", None), "the content alone");
    assert_eq!(id("x.trc", None), ("trc", None));
    assert_eq!(id("x.csv", None), ("csv", Some("csv".into())), "the name");
    assert_eq!(id("x", Some("csv")), ("csv", Some("csv".into())), "the choice");
    assert_eq!(id("x", Some("trc")), ("trc", None), "a choice of what it is anyway");
    let mut scenario = Scenario { files: vec![FileId::default(); 2], ..Scenario::default() };
    scenario.files[1].sha256 = "0".repeat(64);
    scenario.files[1].format = Some("csv".into());
    assert!(write_link(&scenario).is_ok_and(|link| link.ends_with("&as.2=csv")));
}

#[test]
fn compression_and_name_do_not_change_the_fingerprint() {
    use std::io::Write;
    let text = b"blocksize: 64 1 1\n0 0 4096 4\n1 0 4100 4\n40 0 8192 4\n";
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(text).expect("memory takes it");
    let folder = std::env::temp_dir().join(format!("warpscope-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for two files");
    let [plain, zipped] = [folder.join("a.trc"), folder.join("b.trc.gz")];
    std::fs::write(&plain, text).expect("a file");
    std::fs::write(&zipped, gzip.finish().expect("memory takes it")).expect("a file");
    let print =
        |path: &PathBuf| run(&contents_of(std::slice::from_ref(path)), "a100", CacheModel::Paper, 1, &[]).fingerprint;
    assert_eq!(print(&plain), print(&zipped));
    std::fs::remove_dir_all(folder).expect("the folder goes");
}

#[test]
fn a_link_to_an_exercise_opens_it_with_its_own_seed() {
    let scenario = parse_link("#v=1&exercise=strides&seed=7&lang=zh").expect("a link");
    let view = |key: &str| scenario.view.get(key).map(String::as_str);
    assert_eq!((view("learn.exercise"), view("learn.seed"), view("tab")), (Some("strides"), Some("7"), Some("learn")));
    assert_eq!(scenario.seed, 1, "the seed is not that of a run");
    let written = write_link(&scenario).expect("a link");
    assert_eq!(parse_link(&written).expect("a link"), scenario);
    // A run beside it keeps its model without a seed.
    let beside = parse_link("v=1&example=stencil&gpu=a100&model=gpu&exercise=strides&seed=7").expect("a link");
    assert_eq!(beside.example.as_deref(), Some("stencil"));
}
