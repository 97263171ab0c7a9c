//! The table configuration of a game file: its text and its options.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::errors::FileError;
use crate::games;
use crate::program::Program;

/// A game file with its options, checked and compiled.
///
/// In JSON it is the text of the file with the options beside it, so that whatever carries the
/// configuration, such as a replay, can always be replayed. A text with errors is refused with
/// all of them.
///
/// ```
/// use meeple_rules::Config;
///
/// let text = meeple_rules::builtin("breakthrough").expect("a game that comes with the crate");
/// let table = serde_json::json!({ "file": text, "size": 5 });
/// let config: Config<15> = serde_json::from_value(table).expect("a table");
/// assert_eq!(config.program().options()["size"], 5);
///
/// let wrong = serde_json::json!({ "file": "game Nothing\nplayers 2\nbord square 3\n" });
/// let error = serde_json::from_value::<Config<15>>(wrong).unwrap_err().to_string();
/// assert!(error.contains("did you mean `board`?"), "{error}");
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Spec", into = "Spec")]
pub struct Config<const WORDS: usize> {
    spec: Spec,
    program: &'static Program,
}

/// A configuration as it is written.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Spec {
    file: String,
    #[serde(flatten)]
    options: BTreeMap<String, i64>,
}

impl<const WORDS: usize> Config<WORDS> {
    /// Checks the text of a game file; `name` is the file's name in errors.
    ///
    /// # Errors
    ///
    /// All errors of the file at once.
    pub fn new(name: &str, text: &str, options: BTreeMap<String, i64>) -> Result<Self, FileError> {
        let program = Program::load(name, text, &options)?;
        if program.words() > WORDS {
            let (needed, most) = (8 * program.words(), 8 * WORDS);
            let message = format!("a state needs {needed} bytes, expected at most {most}");
            let mut problems = crate::errors::Problems::default();
            problems.add(crate::errors::Span::default(), message);
            return Err(problems.into_error(name, text));
        }
        Ok(Self { spec: Spec { file: text.into(), options }, program })
    }

    /// Returns the program.
    #[must_use]
    pub fn program(&self) -> &'static Program {
        self.program
    }

    /// Returns the text of the file.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.spec.file
    }
}

/// Tic-tac-toe.
impl<const WORDS: usize> Default for Config<WORDS> {
    fn default() -> Self {
        let text = games::builtin("tic-tac-toe").unwrap_or_default();
        Self::new("tic-tac-toe.game", text, BTreeMap::new()).expect("built-in files are valid")
    }
}

impl<const WORDS: usize> TryFrom<Spec> for Config<WORDS> {
    type Error = FileError;

    fn try_from(spec: Spec) -> Result<Self, FileError> {
        Self::new("game file", &spec.file, spec.options)
    }
}

impl<const WORDS: usize> From<Config<WORDS>> for Spec {
    fn from(config: Config<WORDS>) -> Self {
        config.spec
    }
}
