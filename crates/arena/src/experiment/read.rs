//! Reads experiment files. Errors point to the line and column of the mistake.

use std::fmt;
use std::path::{Path as FilePath, PathBuf};

use meeple_bots::{NameKind, rename_keys};
use meeple_games::files::{file_table, is_path, read_table};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::check::{Fault, root};
use super::locate::{Path, line_and_column, locate};
use super::{Experiment, check};

/// The maximum width of a line in an error message, in characters.
const WIDEST: usize = 100;

/// Returns the part of a line around the character `at`, and the position of `at` in it.
fn window(line: &str, at: usize) -> (String, usize) {
    let length = line.chars().count();
    if length <= WIDEST {
        return (line.to_owned(), at);
    }
    let first = at.saturating_sub(WIDEST / 2).min(length - WIDEST);
    let mut shown: String = line.chars().skip(first).take(WIDEST).collect();
    let mut before = at - first;
    if first > 0 {
        shown.insert(0, '…');
        before += 1;
    }
    if first + WIDEST < length {
        shown.push('…');
    }
    (shown, before)
}

/// An error in an experiment file, with its location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// The field, such as `tables[0].game`; empty for the whole file.
    pub field: String,
    /// What is wrong, and what was expected.
    pub message: String,
    /// The text of the line.
    pub source: String,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column, field, message, source } = self;
        let field = if field.is_empty() { String::new() } else { format!("{field}: ") };
        write!(f, "{file}:{line}:{column}: {field}{message}")?;
        if !source.trim().is_empty() {
            let margin = line.to_string().len();
            let (shown, before) = window(source, column - 1);
            // Tabs are kept, so that the marker aligns with the column above it.
            let blank = |letter: char| if letter == '\t' { '\t' } else { ' ' };
            let indent: String = shown.chars().take(before).map(blank).collect();
            write!(f, "\n {line} | {shown}\n {:margin$} | {indent}^", "")?;
        }
        Ok(())
    }
}

impl std::error::Error for Mistake {}

/// Reads and validates the experiment `text` of `file`.
///
/// ```
/// use meeple_arena::read_experiment;
///
/// let text = r#"{
///   "name": "first",
///   "tables": ["pig"],
///   "bots": ["random", "mcst"],
///   "task": {"simulate": {"games": 10}}
/// }"#;
/// let mistake = read_experiment("first.json".as_ref(), text).unwrap_err();
/// assert_eq!((mistake.line, mistake.field.as_str()), (4, "bots[1]"));
/// assert!(mistake.message.starts_with("unknown bot \"mcst\", expected one of random, "));
/// ```
///
/// # Errors
///
/// At the first mistake.
pub fn read_experiment(file: &FilePath, text: &str) -> Result<Experiment, Mistake> {
    let mut experiment: Experiment = parse(NameKind::Experiment, file, text)?;
    include_game_files(&mut experiment, file)
        .and_then(|()| check(&experiment))
        .map_err(|(path, message)| misplaced(file, text, &path, message))?;
    Ok(experiment)
}

/// Replaces the paths of game files by their texts; paths are relative to the folder of the
/// experiment file. A run needs the files no longer, and repeats whatever becomes of them.
fn include_game_files(experiment: &mut Experiment, file: &FilePath) -> Result<(), Fault> {
    for (at, table) in experiment.tables.iter_mut().enumerate() {
        if !is_path(&table.game) {
            continue;
        }
        let path = beside(file, &table.game);
        for config in &mut table.configs {
            // A finished run holds the text already.
            if file_table(&table.game, Some(config)).is_none() {
                *config = read_table(&path, Some(config))
                    .map_err(|error| (root("tables").at(at).key("game"), error.to_string()))?;
            }
        }
    }
    Ok(())
}

/// Returns a path that is written in `file`, relative to its folder.
#[must_use]
pub fn beside(file: &FilePath, path: &str) -> PathBuf {
    file.parent().unwrap_or("".as_ref()).join(path.trim())
}

/// Reads the JSON `text` of `file` and validates it with `check`, which may complete it. A fault consists of a field,
/// such as `self_play.games`, and a message.
///
/// ```
/// use meeple_bots::NameKind;
///
/// #[derive(Debug, serde::Deserialize)]
/// struct Settings {
///     games: u32,
/// }
///
/// let check = |settings: &mut Settings| match settings.games {
///     0 => Err(("games".to_owned(), "expected at least 1".to_owned())),
///     _ => Ok(()),
/// };
/// let text = "{\n  \"games\": 0\n}";
/// let mistake = meeple_arena::read_checked(NameKind::Training, "a.json".as_ref(), text, check).unwrap_err();
/// assert_eq!((mistake.line, mistake.column, mistake.field.as_str()), (2, 12, "games"));
/// ```
///
/// # Errors
///
/// At the first mistake.
pub fn read_checked<T: DeserializeOwned>(
    kind: NameKind,
    file: &FilePath,
    text: &str,
    check: impl FnOnce(&mut T) -> Result<(), (String, String)>,
) -> Result<T, Mistake> {
    let mut value = parse(kind, file, text)?;
    check(&mut value)
        .map_err(|(field, message)| misplaced(file, text, &path_of(&field), message))?;
    Ok(value)
}

fn parse<T: DeserializeOwned>(kind: NameKind, file: &FilePath, text: &str) -> Result<T, Mistake> {
    if let Ok(mut value) = serde_json::from_str::<Value>(text)
        && rename_keys(kind, &mut value)
    {
        return serde_path_to_error::deserialize(value).map_err(|error| {
            misplaced(file, text, &path_of(&error.path().to_string()), error.inner().to_string())
        });
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    let read = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let field = error.path().to_string();
        let field = if field == "." || field == "?" { String::new() } else { field };
        from_serde(file, text, &field, error.inner())
    })?;
    reader.end().map_err(|error| from_serde(file, text, "", &error))?;
    Ok(read)
}

/// Returns the error of a value that has the right type but is invalid.
fn misplaced(file: &FilePath, text: &str, path: &Path, message: String) -> Mistake {
    let place = line_and_column(text, locate(text, path));
    mistake(file, text, place, path.to_string(), message)
}

fn from_serde(file: &FilePath, text: &str, field: &str, error: &serde_json::Error) -> Mistake {
    let message = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let message = message.strip_suffix(&place).unwrap_or(&message).to_owned();
    // Serde reports semantic errors at the end of the value; point to its start.
    let mut place = (error.line().max(1), error.column().max(1));
    if error.is_data() && !message.starts_with("unknown field") && !field.is_empty() {
        place = line_and_column(text, locate(text, &path_of(field)));
    }
    mistake(file, text, place, field.to_owned(), message)
}

/// Parses a path from its displayed form.
fn path_of(field: &str) -> Path {
    let mut path = Path::default();
    for part in field.split(['.', '[', ']']).filter(|part| !part.is_empty()) {
        path = match part.parse() {
            Ok(index) => path.at(index),
            Err(_) => path.key(part),
        };
    }
    path
}

fn mistake(
    file: &FilePath,
    text: &str,
    (line, column): (usize, usize),
    field: String,
    message: String,
) -> Mistake {
    let source = text.lines().nth(line - 1).unwrap_or("").to_owned();
    Mistake { file: file.display().to_string(), line, column, field, message, source }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of a file with a single line of a megabyte, only the part around the mistake is shown.
    #[test]
    fn long_lines_are_cut_around_the_mistake() {
        assert_eq!(window("short", 3), ("short".to_owned(), 3));
        let line: String = ('a'..='z').cycle().take(1000).collect();
        for at in [0, 10, 500, 999] {
            let (shown, before) = window(&line, at);
            assert!(shown.chars().count() <= WIDEST + 2, "{shown}");
            assert_eq!(shown.chars().nth(before), line.chars().nth(at), "{at}");
            assert_eq!(shown.starts_with('…'), at >= 500);
            assert_eq!(shown.ends_with('…'), at < 999);
        }
        // Multi-byte characters count as one.
        let (shown, before) = window(&"é".repeat(300), 150);
        assert_eq!((shown.chars().count(), before), (WIDEST + 2, 51));
        let text = format!("{{\"name\": \"{}\", \"tables\": [\"shogi\"]}}", "x".repeat(1_000_000));
        let shown = read_experiment("one-line.json".as_ref(), &text).unwrap_err().to_string();
        assert!(shown.len() < 1000, "{} bytes", shown.len());
    }
}
