//! The errors of bots and games between them.

use meeple_search::SearchError;

use crate::Forfeit;

/// An error in a bot, or in a game between bots.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// No bot has this name.
    #[error("unknown bot {name:?}, expected one of {}{}", known.join(", "), near(name, known))]
    UnknownBot {
        /// The name.
        name: String,
        /// The names of all bots.
        known: Vec<&'static str>,
    },
    /// The bot has no such option.
    #[error(
        "bot {bot} has no option {option:?}, expected {}{}",
        options(known),
        near(option, known)
    )]
    UnknownOption {
        /// The bot.
        bot: &'static str,
        /// The option.
        option: String,
        /// The options of the bot.
        known: Vec<&'static str>,
    },
    /// An option has no value, or is given twice.
    #[error("bot {bot}: cannot read {text:?}, expected option=value, each option once")]
    BadOption {
        /// The bot.
        bot: &'static str,
        /// The option as given.
        text: String,
    },
    /// The value of an option is invalid.
    #[error("bot {bot}: {option}={value} is not {expected}")]
    BadValue {
        /// The bot.
        bot: &'static str,
        /// The option.
        option: &'static str,
        /// Its value.
        value: String,
        /// A description of valid values.
        expected: &'static str,
    },
    /// Positions that are searched together are of different tables.
    #[error("position {index} is of another table, expected all to be of one table of {expected}")]
    OtherTable {
        /// The index of the position.
        index: usize,
        /// The game of the others.
        expected: &'static str,
    },
    /// The bot needs something that the game does not have.
    #[error("bot {bot} cannot play {game}: {reason}")]
    WrongGame {
        /// The bot.
        bot: &'static str,
        /// The game.
        game: &'static str,
        /// What is missing.
        reason: &'static str,
    },
    /// The network of a bot is for another game, or the file is not a network.
    #[error("bot {bot} cannot play {game}: {reason}")]
    WrongModel {
        /// The bot.
        bot: &'static str,
        /// The game.
        game: &'static str,
        /// What is wrong with the network, and its path.
        reason: String,
    },
    /// A registered bot rejects the table or its options.
    #[error("bot {bot} cannot play {game}: {reason}")]
    Refused {
        /// The bot with its options.
        bot: String,
        /// The game.
        game: &'static str,
        /// What is wrong.
        reason: String,
    },
    /// The game is unknown, or the configuration invalid.
    #[error("{reason}")]
    Table {
        /// What is wrong.
        reason: String,
    },
    /// The heuristic evaluation does not have these weights.
    #[error("bot {bot} cannot play {game} with these weights: {reason}")]
    BadWeights {
        /// The bot.
        bot: String,
        /// The game.
        game: &'static str,
        /// What is wrong with them.
        reason: String,
    },
    /// An external program does not start.
    #[error("the program {command:?} does not start: {reason}")]
    NoStart {
        /// Its command line.
        command: String,
        /// What happened.
        reason: String,
    },
    /// The number of bots does not match the number of seats.
    #[error("{bots} bots cannot fill {seats} seats: name one for all or one for each")]
    WrongBots {
        /// The number of bots.
        bots: usize,
        /// The number of seats.
        seats: usize,
    },
    /// The search of a bot failed during a game.
    #[error("{reason} (in a game of {game})")]
    Failed {
        /// The game.
        game: &'static str,
        /// The bot, and what happened.
        reason: String,
    },
    /// No player decides here: it is a chance node, or the game is over.
    #[error("no player is to decide here")]
    NothingToDecide,
    /// A search failed.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// The threads could not be started.
    #[error("cannot start {threads} threads: {reason}")]
    Threads {
        /// The number of threads requested.
        threads: usize,
        /// The error of the operating system.
        reason: String,
    },
}

/// The reason why a bot did not choose an action.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BotError {
    /// It is an external program that failed. It forfeits the game.
    #[error(transparent)]
    Forfeit(#[from] Forfeit),
    /// Its search failed, for example because the outputs of its network are not finite. The game
    /// cannot continue and has no result.
    #[error("bot {bot} cannot decide: {reason}")]
    Search {
        /// The bot with its options.
        bot: String,
        /// What happened.
        reason: SearchError,
    },
}

/// A suggestion for a misspelled name.
fn near(name: &str, known: &[&'static str]) -> String {
    let near = meeple_games::did_you_mean(name, known.iter().copied());
    near.map(|near| format!("; {near}")).unwrap_or_default()
}

fn options(known: &[&str]) -> String {
    if known.is_empty() { "none".into() } else { format!("one of {}", known.join(", ")) }
}
