//! Runs the program in tests.

use std::process::{Command, Output, Stdio};

use serde_json::Value;

pub(crate) fn meeple(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_meeple"));
    command.args(arguments).stdin(Stdio::null());
    command
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is text")
}

/// Runs a command that must succeed; returns its stdout.
#[track_caller]
pub(crate) fn succeeds(arguments: &[&str]) -> String {
    let output = meeple(arguments).output().expect("the program runs");
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

#[track_caller]
#[allow(dead_code, reason = "not every test reads JSON")]
pub(crate) fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&succeeds(arguments)).expect("output is JSON")
}

/// Runs a command that must fail with exit code 2 and this message.
#[track_caller]
pub(crate) fn refused(arguments: &[&str], expected: &str) {
    let output = meeple(arguments).output().expect("the program runs");
    check_failure(arguments, &output, 2, expected);
}

#[track_caller]
pub(crate) fn check_failure(arguments: &[&str], output: &Output, code: i32, expected: &str) {
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {errors}");
    assert!(errors.contains(expected), "{arguments:?}: {errors}");
    assert!(!errors.contains("panicked") && !errors.contains('\u{1b}'), "{errors}");
}

/// Reads the output of a running program until it contains `expected`.
#[cfg(unix)]
#[track_caller]
#[allow(dead_code, reason = "not every test waits")]
pub(crate) fn wait_for(output: &mut impl std::io::Read, expected: &str) {
    let (mut seen, mut byte) = (Vec::new(), [0]);
    while !String::from_utf8_lossy(&seen).contains(expected) {
        let read = output.read(&mut byte).expect("output can be read");
        assert!(read == 1, "{expected:?} in {}", String::from_utf8_lossy(&seen));
        seen.extend(byte);
    }
}

/// Runs a long command, sends SIGINT, and returns its partial results on stdout.
#[cfg(unix)]
#[track_caller]
#[allow(dead_code, reason = "not every test presses Ctrl-C")]
pub(crate) fn interrupted(arguments: &[&str]) -> String {
    let mut command = meeple(arguments);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let child = child.expect("the program runs");
    std::thread::sleep(std::time::Duration::from_millis(500));
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("kill runs").success());
    let output = child.wait_with_output().expect("the program ends");
    check_failure(arguments, &output, 130, "interrupted");
    text(&output.stdout)
}
