//! Running other programs in the project's folder.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail};

/// The folder of the project.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the project").to_owned()
}

/// A command to be run in the project's folder.
pub(crate) fn command(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root());
    if std::env::var_os("CI").is_some() {
        // Nobody builds there again: incremental compilation would only take time and disk.
        command.env("CARGO_INCREMENTAL", "0");
    }
    command
}

/// The cargo that runs this.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    command(&std::env::var("CARGO").unwrap_or_else(|_| "cargo".into()), arguments)
}

/// Runs a command and fails if it fails.
pub(crate) fn run(command: &mut Command) -> anyhow::Result<()> {
    let status = command.status().with_context(|| format!("cannot run {command:?}"))?;
    if !status.success() {
        bail!("{command:?} failed: {status}");
    }
    Ok(())
}

/// Runs a command and yields what it printed on stdout.
pub(crate) fn output(command: &mut Command) -> anyhow::Result<String> {
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot run {command:?}"))?;
    if !output.status.success() {
        bail!("{command:?} failed: {}", output.status);
    }
    String::from_utf8(output.stdout).with_context(|| format!("{command:?} printed no text"))
}

/// Whether a command can be run and succeeds, saying nothing.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Builds `target/debug/meeple` and the examples that others run, just as the tests
/// do, so that nothing is compiled twice.
pub(crate) fn build_programs() -> anyhow::Result<()> {
    let what = ["test", "--workspace", "--all-features", "--no-run", "--quiet"];
    run(&mut cargo(&[&what[..], &["--test", "commands", "--example", "onnx"]].concat()))
}
