//! Games in `.game` files: those that come with the program, and the tables of others.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

use meeple_game::{Game as _, GameInfo};
use meeple_rules::{BUILTIN, Config, Program, builtin};
use serde::Deserialize as _;
use serde_json::{Map, Value};

use crate::registry::{BUILT_IN, normalized};

/// The 64-bit words of most states: enough for a board of 361 points with two kinds of stones.
const WORDS: usize = 15;
/// The words of the largest states, such as those of go, which remember all positions.
const MOST_WORDS: usize = 511;

/// The type of most games in files.
pub type FileGame = meeple_rules::FileGame<WORDS>;

/// The type of games in files with large states.
pub type LargeFileGame = meeple_rules::FileGame<MOST_WORDS>;

/// The configuration of a game in a file with small states.
pub type FileConfig = Config<WORDS>;

/// The configuration of any game in a file.
pub type LargeFileConfig = Config<MOST_WORDS>;

/// Returns the name of the type that plays a table of a game in a file: the smallest one that
/// holds its states. A table that is wrong is refused by either.
#[must_use]
pub fn type_of(table: &Value) -> &'static str {
    let is_large = |config: LargeFileConfig| config.program().words() > WORDS;
    let is_large = LargeFileConfig::deserialize(table).is_ok_and(is_large);
    if is_large { LargeFileGame::NAME } else { FileGame::NAME }
}

/// The key of a configuration that holds the text of a game file.
const TEXT: &str = "file";

/// The names of the games that come as files. A game that is built in by the same name is
/// preferred; its file is a twin to test against.
pub static NAMES: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let names = BUILTIN.iter().map(|(name, _)| *name);
    names.filter(|name| !BUILT_IN.contains(name)).collect()
});

/// Returns the properties of the default table of a game that comes as a file.
pub(crate) fn info(name: &str) -> Option<GameInfo> {
    let name = *NAMES.iter().find(|known| **known == name)?;
    let program = Program::load(name, builtin(name)?, &BTreeMap::new());
    let program = program.expect("files that come with the program are valid");
    let is_large = program.words() > WORDS;
    Some(if is_large {
        LargeFileGame::start(program).info()
    } else {
        FileGame::start(program).info()
    })
}

/// Returns the configuration of a table of a game in a file: one that holds the text of a game file,
/// or, for a game that comes as a file, `config` with that text. `None` for all other games.
///
/// ```
/// use meeple_games::files::file_table;
///
/// let table = file_table("hex", None).expect("hex comes as a file");
/// assert!(table["file"].as_str().is_some_and(|text| text.contains("game Hex")));
/// assert_eq!(file_table("chess", None), None);
/// ```
#[must_use]
pub fn file_table<'a>(game: &str, config: Option<&'a Value>) -> Option<Cow<'a, Value>> {
    if let Some(config) = config
        && config.get(TEXT).is_some_and(Value::is_string)
    {
        return Some(Cow::Borrowed(config));
    }
    let game = normalized(game);
    let name = NAMES.iter().find(|known| **known == game)?;
    let table = match config {
        None => Map::new(),
        Some(Value::Object(options)) => options.clone(),
        // Refused when it is read as a configuration.
        Some(other) => return Some(Cow::Borrowed(other)),
    };
    Some(Cow::Owned(with_text(table, builtin(name)?)))
}

/// Adds the text of a game file to the options of a table.
#[must_use]
pub fn with_text(mut options: Map<String, Value>, text: &str) -> Value {
    options.insert(TEXT.into(), text.into());
    Value::Object(options)
}

/// Whether a name stands for a file: it ends with `.game`.
#[must_use]
pub fn is_path(game: &str) -> bool {
    Path::new(game.trim()).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("game"))
}

/// The largest file that is read, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// Returns `config` with the text of the game file at `path`, checked together with its options.
/// The table can be opened under any name, on any machine.
///
/// # Errors
///
/// When the file cannot be read, or with all errors of the file.
pub fn read_table(path: &Path, config: Option<&Value>) -> Result<Value, FileTableError> {
    let refused = |reason: String| FileTableError { reason };
    let options = match config {
        None => Map::new(),
        Some(Value::Object(options)) => options.clone(),
        Some(other) => return Err(refused(format!("expected an object of options, got {other}"))),
    };
    let unreadable = |error: std::io::Error| {
        refused(format!("cannot read the game file {}: {error}", path.display()))
    };
    let length = std::fs::metadata(path).map_err(unreadable)?.len();
    if length > MAX_BYTES {
        return Err(refused(format!(
            "the game file {} has {length} bytes, expected at most {MAX_BYTES}",
            path.display()
        )));
    }
    let mut numbers = BTreeMap::new();
    for (key, value) in &options {
        let Some(number) = value.as_i64() else {
            return Err(refused(format!("{key} is {value}, expected a whole number")));
        };
        numbers.insert(key.clone(), number);
    }
    let (name, bytes) = (path.display().to_string(), std::fs::read(path).map_err(unreadable)?);
    let checked = Program::load_bytes(&name, &bytes, &numbers);
    let text = String::from_utf8_lossy(&bytes);
    checked
        .and_then(|_| LargeFileConfig::new(&name, &text, numbers))
        .map_err(|error| refused(error.to_string()))?;
    Ok(with_text(options, &text))
}

/// The error of a table in a game file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct FileTableError {
    reason: String,
}
