//! Tests of `warpscope open`, which runs links and scenario files, and of the page that `warpscope reference` prints.

use crate::terminal::{json, warpscope};
use std::path::Path;

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The link at the end of what `warpscope cache` prints.
fn link_of(arguments: &[&str]) -> String {
    let out = text(&warpscope(arguments).stdout);
    out.lines().find_map(|line| line.strip_prefix("link ")).expect("a link").to_string()
}

#[test]
fn a_link_of_the_terminal_is_reproduced() {
    let link = link_of(&["cache", "example:stencil", "--gpu", "rtx3060", "--state", "copies"]);
    let out = text(&warpscope(&["open", &link]).stdout);
    assert!(out.ends_with("\nreproduced\n"), "{out}");
    // As copied from the browser, and without a promise.
    let address = format!("https://host.example/page/{link}");
    assert_eq!(json(&["open", &address])["run"]["reproduced"], true);
    let bare = link.split("&result=").next().expect("a link");
    assert_eq!(json(&["open", bare])["run"]["reproduced"], serde_json::Value::Null);
}

/// 2²² sets on each of 14 cores take 6.6 GB, which many machines have free. A link may come from anybody.
#[test]
fn a_link_that_no_browser_can_run_is_refused() {
    if cfg!(target_os = "linux") {
        let link = "v=1&example=matmul-naive&gpu=gtx470-16k&set.cache_bytes=2147483648";
        let output = warpscope(&["open", link]);
        assert_eq!(output.status.code(), Some(1));
        let told = text(&output.stderr);
        assert!(told.contains("run: error: expected at most ") && told.contains("smaller caches"), "{told}");
    }
}

#[test]
fn a_text_that_is_refused_is_the_only_error() {
    let output = warpscope(&["open", "v=1&example=vector-add&cuda.size.n=none&gpu=a100&model=gpu"]);
    let said = text(&output.stderr);
    assert_eq!((output.status.code(), said.matches("error:").count()), (Some(1), 1), "{said}");
    assert!(said.contains("vector-add.cu") && said.contains("`none`"), "{said}");
}

#[test]
fn another_result_than_promised_is_an_error() {
    let link = link_of(&["cache", "example:mb-mshr"]);
    let edited = link.replace("v=1&", "v=1&seed=7&");
    let output = warpscope(&["open", &edited]);
    assert!(!output.status.success());
    assert!(text(&output.stdout).contains("not reproduced: the link promised "), "{}", text(&output.stdout));
    assert!(text(&output.stderr).contains("expected the result that the link promises"), "{}", text(&output.stderr));
    let pair = format!("{link}&base={}", "v%3D1%26example%3Dmb-mshr%26seed%3D7%26result%3D00");
    let output = warpscope(&["open", &pair]);
    assert!(!output.status.success());
    assert!(text(&output.stdout).contains("\nreproduced\nthe baseline: not reproduced"), "{}", text(&output.stdout));
}

#[test]
fn files_are_found_by_their_contents() {
    let files = testkit::root().join("tests/links/files");
    let trace = files.join("stride.trc").display().to_string();
    let link = link_of(&["cache", &trace]);
    let output = warpscope(&["open", &link]);
    assert!(
        text(&output.stderr).contains("stride.trc: error: expected a file of 2437 bytes with the SHA-256 77"),
        "{}",
        text(&output.stderr)
    );
    let copy = std::env::temp_dir().join(format!("warpscope-open-{}", std::process::id()));
    std::fs::copy(&trace, &copy).expect("a copy");
    let out = text(&warpscope(&["open", &link, &copy.display().to_string()]).stdout);
    assert!(out.ends_with("\nreproduced\n"), "{out}");
    std::fs::remove_file(copy).expect("the copy goes");
}

#[test]
fn a_scenario_file_opens_as_its_link_does() {
    let link = link_of(&["cache", "example:vector-add", "--gpu", "a100", "--form", "written"]);
    let print = link.split("result=").nth(1).expect("a result");
    let file = std::env::temp_dir().join(format!("warpscope-scenario-{}.json", std::process::id()));
    // As the page writes it.
    let scenario = format!(
        r#"{{"version":1,"example":"vector-add","files":[],"cuda":{{"form":"written","launch":null,"sizes":{{}},"text":null}},
        "gpu":"a100","model":"gpu","state":"cold","classes":false,"seed":1,"set":{{}},"kernels":[],"warm":false,"view":{{}},
        "fingerprint":"{print}","base":null}}"#
    );
    std::fs::write(&file, format!("{{\n \"warpscope\": \"scenario\",\n \"scenario\": {scenario}\n}}")).expect("a file");
    let name = file.display().to_string();
    let out = text(&warpscope(&["open", &name]).stdout);
    assert!(out.ends_with("\nreproduced\n"), "{out}");
    let later = scenario.replace("\"version\":1", "\"version\":9");
    std::fs::write(&file, format!("{{\"warpscope\":\"scenario\",\"scenario\":{later}}}")).expect("a file");
    assert!(text(&warpscope(&["open", &name]).stderr).contains("version 9; this program reads version 1"));
    std::fs::write(&file, "[]").expect("a file");
    assert!(text(&warpscope(&["open", &name]).stderr).contains("expected a scenario file, found another file"));
    std::fs::remove_file(file).expect("the file goes");
}

/// `WRITE_DOCS=1 cargo test -p warpscope-cli reference` writes the page.
#[test]
fn the_reference_lists_what_the_program_takes() {
    let printed = text(&warpscope(&["reference"]).stdout);
    let page = Path::new(&testkit::root()).join("docs/cli.md");
    if std::env::var_os("WRITE_DOCS").is_some() {
        std::fs::write(&page, &printed).expect("the page");
    }
    assert_eq!(std::fs::read_to_string(page).expect("the page"), printed);
    for part in ["## warpscope cache", "## warpscope reuse", "`--keep-going`", "## warpscope open"] {
        assert!(printed.contains(part), "{part}");
    }
    // A default has one name.
    let twice = |line: &&str| line.contains("the default,") && line.contains("Without it:");
    assert_eq!(printed.lines().find(twice), None);
}

#[test]
fn what_steers_a_terminal_is_shown_as_text() {
    // A link with an escape sequence and a line end in its version, and a mark of writing direction in a key.
    let out = warpscope(&["open", "v=\u{1b}]0;title\u{7}\n&x=1"]);
    let said = text(&out.stderr);
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.contains("\\u001b]0;title\\u0007") && said.contains("put the link in quotes"), "{said}");
    let said = text(&warpscope(&["open", "v=1&\u{202e}x=1"]).stderr);
    assert!(said.contains("\\u202ex"), "{said}");
    let said = text(&warpscope(&["open", "v=1&\u{61c}x=1"]).stderr);
    assert!(said.contains("\\u061cx"), "{said}");
    // JSON stays JSON, and keeps the name.
    let link = "v=1&example=vector-add&model=gpu&gpu=a100&view.tab=\u{202e}x";
    let shown = json(&["open", link]);
    assert!(shown["run"]["report"]["kernels"][0].is_object());
}
