//! `cargo xtask`: everything the project checks and measures about itself.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command talks to its caller")]

mod browser;
mod deny;
mod fuzz;
mod node;
mod package;
mod peers;
mod python;
mod run;
mod sanitize;
mod test;
mod tidy;

use std::process::ExitCode;

const HELP: &str = "\
usage: cargo xtask <command>

  test    format, lints, tests, documentation and tidiness: what a change must pass;
          --full adds what needs large packages (Ray, PyTorch), AddressSanitizer over the
          crates with unsafe kernels, and advisories where there is a network
  browser only the lab in a real browser, clicked by a script
  fuzz    [TARGET…] [--seconds N] [--keep]: fuzz targets with libFuzzer, each for a minute
          unless something else is said; --keep adds what they find to fuzz/corpus
  tidy    only the checks of the project's own layout and documents
  peers   speed beside other libraries, installed from the package registries";

/// The commands, for checking that documents name real ones.
const COMMANDS: [&str; 5] = ["test", "browser", "fuzz", "tidy", "peers"];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments[..] {
        ["browser"] => browser::run(),
        ["fuzz", ..] => fuzz::run(&arguments[1..]),
        ["test"] => test::run(false),
        ["test", "--full"] => test::run(true),
        ["tidy"] => tidy::run(),
        ["peers"] => peers::run(),
        _ => {
            eprintln!("{HELP}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
