//! The program `meeple`.

use std::process::ExitCode;

fn main() -> ExitCode {
    meeple_cli::main()
}
