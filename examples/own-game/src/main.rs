//! The command `meeple` with one more game and one more bot.

use std::process::ExitCode;

fn main() -> ExitCode {
    own_game::register();
    meeple_cli::main()
}
