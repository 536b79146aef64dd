//! Runs the `warpscope` command for tests.

use serde_json::Value;
use std::process::{Command, Output};

/// Runs the command to its end.
pub fn warpscope(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_warpscope")).args(arguments).output().expect("the program runs")
}

/// Runs a command that must succeed and print only JSON. Returns the JSON.
pub fn json(arguments: &[&str]) -> Value {
    let output = warpscope(&[arguments, &["--format", "json"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON on stdout and nothing else")
}
