//! The program as a test starts it.

use serde_json::Value;
use std::process::{Command, Output};

/// Runs it to its end.
pub fn warpscope(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_warpscope")).args(arguments).output().expect("the program runs")
}

/// Its JSON; it must have succeeded and printed nothing else.
pub fn json(arguments: &[&str]) -> Value {
    let output = warpscope(&[arguments, &["--format", "json"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON on stdout and nothing else")
}
