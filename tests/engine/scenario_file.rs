//! Scenarios as files: those that are too long for a link, and files that are none.

use lab::{CudaSettings, FileId, Scenario};
use share::{is_scenario, read_scenario, write_link, write_scenario, write_whole_link, LinkError, ScenarioFileError};

/// A text that cannot be packed into a link.
fn long_text(seed: u64) -> String {
    let mut random = base::Random::new(seed);
    (0..40_000).map(|_| char::from(b' ' + random.below(95) as u8)).collect()
}

fn with_text(text: &str) -> Scenario {
    Scenario {
        files: vec![FileId { name: "long.cu".into(), size: 40_000, sha256: "0".repeat(64), format: None }],
        cuda: CudaSettings { text: Some(text.into()), ..CudaSettings::default() },
        fingerprint: Some("00ff".into()),
        ..Scenario::default()
    }
}

#[test]
fn what_no_link_holds_is_a_file() {
    let scenario = with_text(&long_text(1));
    assert!(matches!(write_whole_link(&scenario), Err(LinkError::TooLong(n)) if n > 4096));
    // The link for chats goes without the text, and its reader needs the file.
    assert!(write_link(&scenario).is_ok_and(|link| !link.contains("cuda.text")));
    let file = write_scenario(&scenario);
    assert!(is_scenario(file.as_bytes()) && is_scenario(&file.as_bytes()[..40]));
    assert_eq!(read_scenario(file.as_bytes()).expect("a scenario"), scenario);
}

#[test]
fn a_pair_of_long_texts_is_one_file() {
    let [one, two] = [1, 2].map(|seed| with_text(&long_text(seed)));
    let pair = Scenario { base: Some(Box::new(one.clone())), ..two.clone() };
    assert_eq!(read_scenario(write_scenario(&pair).as_bytes()).expect("a pair"), pair);
    // Two runs of one text.
    let same = Scenario { base: Some(Box::new(Scenario { seed: 5, ..two.clone() })), ..two };
    assert_eq!(read_scenario(write_scenario(&same).as_bytes()).expect("a pair"), same);
    // Sixty files have no link either.
    let file = FileId { name: "kernel.traceg".into(), size: 1, sha256: "0".repeat(64), format: None };
    let many = Scenario { files: vec![file; 60], ..Scenario::default() };
    assert!(write_link(&many).is_err());
    assert_eq!(read_scenario(write_scenario(&many).as_bytes()).expect("a scenario"), many);
}

#[test]
fn a_file_that_is_no_scenario_says_why() {
    let fails = |text: &str, message: &str| {
        let error = read_scenario(text.as_bytes()).expect_err(text);
        assert!(error.to_string().contains(message), "{text}: {error}");
    };
    fails("", "no scenario of this page: EOF");
    fails("[]", "no scenario of this page");
    fails(r#"{"warpscope":"scenario"}"#, "missing field `scenario`");
    let with = |from: &str, to: &str| {
        let text = write_scenario(&Scenario { base: Some(Box::default()), ..Scenario::default() });
        assert!(text.contains(from), "{text}");
        text.replacen(from, to, 1)
    };
    fails(&with("\"version\": 1", "\"version\": 2"), "version 2; this program reads version 1");
    fails(&with("\"seed\": 1", "\"seed\": 9007199254740992"), "seed=9007199254740992");
    fails(&with("\"model\": \"paper\"", "\"model\": \"best\""), "unknown variant `best`");
    fails(&with("\"kernels\": []", "\"kernels\": [0]"), "kernels=0");
    fails(&with("\"base\": null", "\"base\": {}"), "missing field");
    let nested = Scenario {
        base: Some(Box::new(Scenario { base: Some(Box::default()), ..Scenario::default() })),
        ..Scenario::default()
    };
    assert!(matches!(read_scenario(write_scenario(&nested).as_bytes()), Err(ScenarioFileError::Nested)));
    let deep = format!("{{\"warpscope\":\"scenario\",\"scenario\":{}", "{\"base\":".repeat(100_000));
    let error = read_scenario(deep.as_bytes()).expect_err("a deep file");
    assert!(error.to_string().contains("recursion limit"), "{error}");
    let large = " ".repeat((4 << 20) + 1);
    assert!(matches!(read_scenario(large.as_bytes()), Err(ScenarioFileError::TooLarge(_))));
    for other in ["", "{}", r#"{"warpscope":"report"}"#, r#"{"link":"v=1","warpscope":"scenario"}"#] {
        assert!(!is_scenario(other.as_bytes()), "{other}");
    }
    assert!(is_scenario(b" {\n \"warpscope\" : \"scenario\" , "));
}
