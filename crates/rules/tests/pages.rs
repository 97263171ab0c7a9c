//! The pages of the book about game files: each is made from its file, and a test keeps them true.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use meeple_game::{Game, choices};
use meeple_rules::{BUILTIN, Config, FileGame};

/// The files that are played in lock step with a hand-written game.
const LOCK_STEP: [&str; 8] = [
    "tic-tac-toe",
    "connect-four",
    "breakthrough",
    "pig",
    "kuhn-poker",
    "leduc-poker",
    "knockout-whist",
    "backgammon",
];

/// Other references, which tests of their own compare with.
const REFERENCES: [(&str, &str); 4] = [
    (
        "chinese-checkers",
        "Move counts by depth for six players, in turns counted by where a marble comes to, where each of \
         ten marbles may also stay: 24 579 13968.",
    ),
    (
        "backgammon",
        "The numbers of different positions after each of the 21 first rolls, as GNU Backgammon and an \
         independent generator count them: 42, 15, 16, 14, 8, 10 for 1-1 to 6-1, 447 in all, and \
         202,782 after the second roll.",
    ),
    (
        "ludo",
        "Played in lock step with a plain simulation in its test, over 200 random games of two to four \
         players.",
    ),
    (
        "three-ropes",
        "Played in lock step with a plain simulation in its test; the odds of a fall with three climbers \
         are those of all orders of four dice, 8 % on columns 6, 7, 8 and 56 % on 2, 3, 12.",
    ),
];

/// Compares the pages in `docs/src/games/files` with what the files say. `UPDATE=1`
/// rewrites them.
#[test]
fn every_file_has_its_page() {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src");
    let mut pages: BTreeMap<PathBuf, String> = BUILTIN
        .iter()
        .map(|(name, text)| (book.join(format!("games/files/{name}.md")), page(name, text)))
        .collect();
    pages.insert(book.join("games/files/index.md"), index());
    for (path, page) in &pages {
        if std::env::var_os("UPDATE").is_some() {
            std::fs::create_dir_all(book.join("games/files")).expect("to make the folder");
            std::fs::write(path, page).expect("to write the page");
        }
        let found = std::fs::read_to_string(path).unwrap_or_default();
        assert!(found == *page, "{} is out of date; UPDATE=1 rewrites it", path.display());
    }
    let summary = std::fs::read_to_string(book.join("SUMMARY.md")).expect("a summary");
    for (name, _) in BUILTIN {
        assert!(summary.contains(&format!("(games/files/{name}.md)")), "{name} in SUMMARY.md");
    }
}

fn config(name: &str, text: &str) -> Config<511> {
    Config::new(name, text, BTreeMap::new()).unwrap_or_else(|error| panic!("{error}"))
}

/// The title of a file.
fn title(text: &str) -> &str {
    text.lines().find_map(|line| line.strip_prefix("game ")).expect("a title")
}

/// The remarks at the head of a file: the rules in plain words, and the sources.
fn remarks(text: &str) -> (String, String) {
    let head: Vec<&str> = text.lines().map_while(|line| line.strip_prefix("# ")).collect();
    let head = head.join(" ");
    let (rules, sources) = head.split_once("Sources: ").expect("a file names its sources");
    (rules.trim().to_owned(), sources.trim().to_owned())
}

/// What the game is, in a few words.
fn kind(game: &FileGame<511>) -> String {
    let (fewest, most) = game.seats().into_inner();
    let players = if fewest == most {
        format!("{most} players")
    } else {
        format!("{fewest} to {most} players")
    };
    let chance = if game.has_chance() { "chance" } else { "no chance" };
    let sight = if game.has_imperfect_information() { "imperfect" } else { "perfect" };
    format!("{players}, {chance}, {sight} information")
}

/// The external references of a game.
fn oracles(name: &str) -> Vec<String> {
    let mut all = Vec::new();
    for line in include_str!("perft.txt").lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<&str> = line.split('|').map(str::trim).collect();
        if columns[0] != name {
            continue;
        }
        let table =
            if columns[1].is_empty() { String::new() } else { format!(" (`{}`)", columns[1]) };
        all.push(format!("Move counts by depth, in {}{table}: {}.", columns[2], columns[3]));
    }
    if LOCK_STEP.contains(&name) {
        all.push("Played in lock step with the hand-written game over 1,000 random games.".into());
    }
    all.extend(open_spiel(name));
    let others = REFERENCES.iter().filter(|(game, _)| *game == name);
    all.extend(others.map(|(_, reference)| (*reference).to_owned()));
    if all.is_empty() {
        all.push("None outside of the project.".into());
    }
    all.push("`conform` passes without help, as for every file.".into());
    all
}

/// The game of OpenSpiel that is played in lock step with a file, and how its rules differ.
fn open_spiel(name: &str) -> Vec<String> {
    let lines = include_str!("open_spiel.txt").lines();
    let mut lines = lines.skip_while(|line| line.split('|').next().map(str::trim) != Some(name));
    let Some(line) = lines.next() else { return Vec::new() };
    let columns: Vec<&str> = line.split('|').map(str::trim).collect();
    let table = if columns[1].is_empty() { String::new() } else { format!(" (`{}`)", columns[1]) };
    let mut all = vec![format!(
        "Played in lock step{table} with OpenSpiel's `{}` over 1,000 random games.",
        columns[2]
    )];
    let differences = lines.take_while(|line| line.starts_with(' '));
    all.extend(differences.map(|line| format!("A difference from OpenSpiel: {}", line.trim())));
    all
}

fn page(name: &str, text: &str) -> String {
    let game = FileGame::<511>::new(&config(name, text));
    let (rules, sources) = remarks(text);
    let mut page = format!(
        "# {}\n\n`{name}`: {}. File:\n[crates/rules/games/{name}.game]\
         (../../../../crates/rules/games/{name}.game).\n\n## Rules\n\n{}\n\n## Options\n\n",
        title(text),
        kind(&game),
        wrap(&rules, "")
    );
    let mut options: Vec<(String, String, String)> = Vec::new();
    let (fewest, most) = game.seats().into_inner();
    if fewest < most {
        options.push(("players".into(), fewest.to_string(), format!("{fewest} to {most}")));
    }
    for line in text.lines().filter_map(|line| line.strip_prefix("option ")) {
        let (option, rest) = line.split_once(" = ").expect("an option with a default");
        let (default, values) = rest.split_once(" in ").expect("an option with its values");
        options.push((option.into(), default.into(), values.replace("..", " to ")));
    }
    if options.is_empty() {
        page.push_str("None.\n");
    } else {
        page.push_str("| option | default | values |\n|---|---|---|\n");
    }
    for (option, default, values) in options {
        let _ = writeln!(page, "| `{option}` | {default} | {values} |");
    }
    let offered = choices(&game);
    let names: Vec<String> =
        offered.iter().take(5).map(|&action| format!("`{}`", game.action_name(action))).collect();
    let what = if game.turn() == meeple_game::Turn::Chance { "chance outcomes" } else { "actions" };
    let first = format!(
        "{} ids. The game begins with {} {what}, such as {}. Observations have {} cells.",
        game.actions(),
        offered.len(),
        names.join(", "),
        game.observation().len()
    );
    let _ = write!(page, "\n## Actions\n\n{}\n\n## Known values and oracles\n\n", wrap(&first, ""));
    for oracle in oracles(name) {
        let _ = writeln!(page, "- {}", wrap(&oracle, "  "));
    }
    let _ = write!(page, "\nSources: {}\n\n## File\n\n```text\n", wrap(&sources, ""));
    let body = text.lines().skip_while(|line| line.starts_with('#')).collect::<Vec<_>>().join("\n");
    let _ = write!(page, "{body}\n```\n");
    page
}

fn index() -> String {
    let mut page = String::from(
        "# Games in files\n\nThese games come as [game files](../../reference/game-files.md). Their pages are made from \
         the files by a test.\n\n| game | players | chance | information | oracle |\n|---|---|---|---|---|\n",
    );
    for (name, text) in BUILTIN {
        let game = FileGame::<511>::new(&config(name, text));
        let (fewest, most) = game.seats().into_inner();
        let players = if fewest == most { most.to_string() } else { format!("{fewest}-{most}") };
        let chance = if game.has_chance() { "yes" } else { "no" };
        let sight = if game.has_imperfect_information() { "imperfect" } else { "perfect" };
        let all = oracles(name);
        let has = |words: &str| all.iter().any(|oracle| oracle.contains(words));
        let kinds = [
            ("Move counts", "move counts"),
            ("OpenSpiel's", "OpenSpiel"),
            ("hand-written", "hand-written game"),
        ];
        let found: Vec<&str> =
            kinds.iter().filter(|(words, _)| has(words)).map(|(_, kind)| *kind).collect();
        let oracle = if found.is_empty() { "none outside".into() } else { found.join(", ") };
        let title = title(text);
        let _ =
            writeln!(page, "| [{title}]({name}.md) | {players} | {chance} | {sight} | {oracle} |");
    }
    page
}

/// Breaks a text into lines of at most 100 characters; all but the first begin with `indent`.
fn wrap(text: &str, indent: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("one line at least");
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > 100 {
            lines.push(format!("{indent}{word}"));
        } else {
            line.push_str(if line.trim().is_empty() { "" } else { " " });
            line.push_str(word);
        }
    }
    lines.join("\n")
}
