//! Semantic validation of experiment files.

use meeple_bots::{ConfigError, Position, ValueError, open_value};

use super::limits::check_limits;
use super::locate::{Path, PathStep};
use super::task::{SprtTask, Task, Tune};
use super::{BotEntry, Experiment, Parameter};
use crate::run::OpenTable;

/// The path of an invalid field, and what is wrong with it.
pub(super) type Fault = (Path, String);

/// The maximum number of games of a match, and of decisions of a game.
const MOST: u64 = 1_000_000_000;
/// The maximum number of candidates of a grid search.
const MOST_CANDIDATES: usize = 10_000;

/// Validates what the types do not: games, configurations, bots and numbers.
///
/// # Errors
///
/// At the first invalid field, with its path.
pub(super) fn check(experiment: &Experiment) -> Result<(), Fault> {
    check_name(&experiment.name)?;
    if experiment.tables.is_empty() {
        return fault(root("tables"), "expected at least one table");
    }
    check_task(&experiment.task)?;
    check_limits(experiment)?;
    for (at, table) in experiment.tables.iter().enumerate() {
        if let Some(limit) = table.limit {
            check_count(root("tables").at(at).key("limit"), limit)?;
        }
        check_table(experiment, at)?;
    }
    if let Task::Tune(tune) = &experiment.task {
        check_candidates(experiment, tune)?;
    }
    check_scoring(experiment)?;
    if experiment.output.parquet && !cfg!(feature = "parquet") {
        let path = root("output").key("parquet");
        return fault(
            path,
            "this program was built without Parquet: build it with --features parquet",
        );
    }
    Ok(())
}

pub(super) fn root(key: &str) -> Path {
    Path::default().key(key)
}

pub(super) fn fault<T>(path: Path, message: impl Into<String>) -> Result<T, Fault> {
    Err((path, message.into()))
}

/// Checks a number of games or decisions.
fn check_count(path: Path, count: u64) -> Result<(), Fault> {
    if (1..=MOST).contains(&count) {
        return Ok(());
    }
    fault(path, format!("expected a number from 1 to {MOST}, got {count}"))
}

fn check_name(name: &str) -> Result<(), Fault> {
    let letter = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    if name.is_empty() || name.starts_with('.') || name.len() > 100 || !name.chars().all(letter) {
        return fault(
            root("name"),
            format!(
                "expected up to 100 letters, digits, hyphens, underscores and dots, got {name:?}"
            ),
        );
    }
    Ok(())
}

fn check_task(task: &Task) -> Result<(), Fault> {
    let path = || root("task").key(task.name());
    let check_games = |key: &str, games: u64| check_count(path().key(key), games);
    match task {
        Task::Simulate(simulate) => check_games("games", simulate.games),
        Task::Tournament(tournament) => check_games("games", tournament.games),
        Task::Benchmark(benchmark) => check_games("games", benchmark.games),
        Task::Collect(collect) => {
            check_games("games", collect.games)?;
            check_games("shard_games", collect.shard_games)
        }
        Task::Sprt(sprt) => {
            check_games("games", sprt.games)?;
            check_sprt(sprt, &path)
        }
        Task::Tune(tune) => {
            check_games("games", tune.games)?;
            check_games("validation_games", tune.validation_games)?;
            check_tune(tune, &path)
        }
    }
}

fn check_sprt(sprt: &SprtTask, path: &impl Fn() -> Path) -> Result<(), Fault> {
    if !(sprt.elo0.is_finite() && sprt.elo1.is_finite() && sprt.elo0 < sprt.elo1) {
        let got = format!("{} and {}", sprt.elo0, sprt.elo1);
        return fault(path().key("elo1"), format!("expected elo0 below elo1, got {got}"));
    }
    for (key, value) in [("alpha", sprt.alpha), ("beta", sprt.beta)] {
        if !(0.000_001..=0.5).contains(&value) {
            return fault(path().key(key), format!("expected 0.000001 to 0.5, got {value}"));
        }
    }
    Ok(())
}

fn check_tune(tune: &Tune, path: &impl Fn() -> Path) -> Result<(), Fault> {
    let parameters = || path().key("parameters");
    if tune.parameters.is_empty() {
        return fault(parameters(), "expected at least one option to tune");
    }
    let mut candidates = 1usize;
    for (name, parameter) in &tune.parameters {
        let at = parameters().key(name);
        if let Parameter::Range([first, last, step]) = parameter {
            let all = [first, last, step].iter().all(|number| number.is_finite());
            if !all || first > last || *step <= 0.0 {
                let expected =
                    "expected [first, last, step] with first up to last and a step above 0";
                return fault(at.key("range"), expected);
            }
        }
        let values = parameter.values();
        if values.is_empty() {
            return fault(at, "expected at least one value");
        }
        candidates = candidates.saturating_mul(values.len());
    }
    if tune.method == super::Method::Grid && candidates > MOST_CANDIDATES {
        let message =
            format!("a grid of {candidates} candidates; expected up to {MOST_CANDIDATES}");
        return fault(parameters(), message);
    }
    if !(2..=1000).contains(&tune.population) {
        let message = format!("expected 2 to 1000, got {}", tune.population);
        return fault(path().key("population"), message);
    }
    if !(1..=1000).contains(&tune.rounds) {
        return fault(path().key("rounds"), format!("expected 1 to 1000, got {}", tune.rounds));
    }
    Ok(())
}

/// Checks that the tuned parameters are options of the bot, with valid values.
fn check_candidates(experiment: &Experiment, tune: &Tune) -> Result<(), Fault> {
    let parameters = || root("task").key("tune").key("parameters");
    let base = &experiment.bots_of(0)[0].bot;
    for (name, parameter) in &tune.parameters {
        for value in parameter.values() {
            let change = [(name.clone(), super::entry::plain(&value))];
            let changed = base.with_changes(&change);
            changed.map_err(|error| (parameters().key(name), error.to_string()))?;
        }
    }
    Ok(())
}

/// Tests and tuning add up the games of all tables, which therefore need the same scoring.
fn check_scoring(experiment: &Experiment) -> Result<(), Fault> {
    if !matches!(experiment.task, Task::Sprt(_) | Task::Tune(_)) || experiment.scoring.is_some() {
        return Ok(());
    }
    let mut scorings = (experiment.tables.iter()).map(|table| OpenTable::new(table, None).scoring);
    let first = scorings.next();
    if scorings.all(|scoring| Some(scoring) == first) {
        return Ok(());
    }
    let message = "some tables are for stakes and some are not: expected wins or payoff";
    fault(root("scoring"), message)
}

fn check_table(experiment: &Experiment, at: usize) -> Result<(), Fault> {
    CheckTable { experiment, at }.check()
}

/// The validation of one table.
struct CheckTable<'a> {
    experiment: &'a Experiment,
    at: usize,
}

impl CheckTable<'_> {
    /// Checks the configurations and bots of the table.
    fn check(&self) -> Result<(), Fault> {
        let table = &self.experiment.tables[self.at];
        let mut seats = None;
        let mut first = Vec::new();
        for (number, value) in table.configs.iter().enumerate() {
            let position = open_value(&table.game, value).map_err(|error| match error {
                // The table may consist of the name alone.
                ValueError::Game(unknown) => {
                    (root("tables").at(self.at).key("game"), unknown.to_string())
                }
                ValueError::Config(ConfigError { game, path, reason }) => {
                    let message = format!("{reason} in the table of {game}");
                    (self.config_path(number, steps(&path)), message)
                }
            })?;
            let players = position.players();
            if *seats.get_or_insert(players) != players {
                return fault(
                    self.config_path(number, Vec::new()),
                    "all configurations of a table need the same number of seats",
                );
            }
            first.push(position);
        }
        self.check_bots(&first, seats.unwrap_or(2))
    }

    /// Returns the path of a field of a configuration in the experiment file.
    fn config_path(&self, number: usize, inner: Vec<PathStep>) -> Path {
        let table = &self.experiment.tables[self.at];
        let path = root("tables").at(self.at);
        let is_pooled = |step: &PathStep| matches!(step, PathStep::Key(key) if table.pooled.as_ref() == Some(key));
        if table.pooled.is_some() && inner.first().is_none_or(is_pooled) {
            return path.key("pool").key("of");
        }
        // A single configuration, and the common part of a pool, is the key `config`.
        let is_one = table.pooled.is_some() || table.configs.len() == 1;
        let mut path = if is_one { path.key("config") } else { path.key("configs").at(number) };
        path.0.extend(inner);
        path
    }

    fn check_bots(&self, configs: &[Box<dyn Position>], seats: usize) -> Result<(), Fault> {
        let table = &self.experiment.tables[self.at];
        let own = table.bots.is_some();
        let path = || if own { root("tables").at(self.at).key("bots") } else { root("bots") };
        let bots = self.experiment.bots_of(self.at);
        let count = bots.len();
        let wrong = |expected: &str| fault(path(), format!("expected {expected}, got {count}"));
        let task = &self.experiment.task;
        match task {
            _ if bots.is_empty() => return wrong("at least one bot"),
            Task::Simulate(_) | Task::Collect(_) if count != 1 && count != seats => {
                return wrong(&format!("one bot, or one for each of {seats} seats"));
            }
            Task::Tournament(_) if count < 2 => return wrong("at least two bots"),
            Task::Sprt(_) if count != 2 => return wrong("the bot to test and its opponent"),
            Task::Tune(_) if count != 1 => return wrong("the one bot to tune"),
            _ => {}
        }
        let seated = matches!(task, Task::Simulate(_) | Task::Collect(_));
        for (at, entry) in bots.iter().enumerate() {
            let same = |other: &BotEntry| other.label == entry.label;
            let double = bots[..at].iter().find(|other| same(other));
            if double.is_some_and(|other| !seated || other.bot != entry.bot) {
                let message =
                    format!("the label {:?} is taken; give this bot another", entry.label);
                return fault(path().at(at), message);
            }
            for config in configs {
                let fits = config.check_bot(&entry.bot);
                fits.map_err(|error| (path().at(at), error.to_string()))?;
            }
        }
        if let Task::Tune(tune) = task {
            for (name, parameter) in &tune.parameters {
                for value in parameter.values() {
                    let change = [(name.clone(), super::entry::plain(&value))];
                    let path = || root("task").key("tune").key("parameters").key(name);
                    let fits = bots[0].bot.with_changes(&change);
                    let fits = fits.and_then(|candidate| configs[0].check_bot(&candidate));
                    fits.map_err(|error| (path(), error.to_string()))?;
                }
            }
            for (at, entry) in tune.opponents.iter().enumerate() {
                let fits = configs[0].check_bot(&entry.bot);
                let path = root("task").key("tune").key("opponents").at(at);
                fits.map_err(|error| (path, error.to_string()))?;
            }
        }
        if let Task::Tournament(tournament) = task
            && let Some(anchor) = &tournament.anchor
            && !bots.iter().any(|entry| entry.label == *anchor)
        {
            let labels: Vec<&str> = bots.iter().map(|entry| entry.label.as_str()).collect();
            let expected = labels.join(", ");
            let path = root("task").key("tournament").key("anchor");
            return fault(path, format!("no bot has this label, expected one of {expected}"));
        }
        Ok(())
    }
}

/// Converts a path inside a configuration.
fn steps(path: &serde_path_to_error::Path) -> Vec<PathStep> {
    use serde_path_to_error::Segment;

    let steps = path.iter().filter_map(|segment| match segment {
        Segment::Seq { index } => Some(PathStep::At(*index)),
        Segment::Map { key } => Some(PathStep::Key(key.clone())),
        _ => None,
    });
    steps.collect()
}
