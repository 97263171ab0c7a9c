//! The game files that come with the crate.

macro_rules! games {
    ($($name:literal,)*) => {
        /// The names and the texts of the files.
        pub const BUILTIN: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../games/", $name, ".game"))),)*];
    };
}

games! {
    "tic-tac-toe",
    "gomoku",
    "connect-four",
    "connect-six",
    "breakthrough",
    "knightthrough",
    "hex",
    "reversi",
    "english-draughts",
    "clobber",
    "fox-and-hounds",
    "amazons",
    "yavalath",
    "nine-mens-morris",
    "alquerque",
    "pig",
    "oware",
    "kalah",
    "kuhn-poker",
    "leduc-poker",
    "battleships",
    "dark-hex",
    "phantom-tic-tac-toe",
    "liars-dice",
    "sealed-letters",
    "twenty-one",
    "black-maria",
    "crazy-eights",
    "goofspiel",
    "knockout-whist",
    "los-alamos-chess",
    "gardner-minichess",
    "canadian-draughts",
    "international-draughts",
    "go",
    "dots-and-boxes",
    "surakarta",
    "ultimate-tic-tac-toe",
    "pentago",
    "ataxx",
    "chinese-checkers",
    "backgammon",
    "ludo",
    "three-ropes",
}

/// Returns the text of a file that comes with the crate.
#[must_use]
pub fn builtin(name: &str) -> Option<&'static str> {
    BUILTIN.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}
