//! What can be wrong with a bot or a match.

use meeple_search::SearchError;

use crate::Forfeit;

/// Why a bot or a match cannot be had.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// No bot has this name.
    #[error("unknown bot {name:?}, expected one of {}{}", known.join(", "), near(name, known))]
    UnknownBot {
        /// The name.
        name: String,
        /// The names there are.
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
        /// The options there are.
        known: Vec<&'static str>,
    },
    /// An option stands without a value, or twice.
    #[error("bot {bot}: cannot read {text:?}, expected option=value, each option once")]
    BadOption {
        /// The bot.
        bot: &'static str,
        /// What was written.
        text: String,
    },
    /// The value of an option is not one.
    #[error("bot {bot}: {option}={value} is not {expected}")]
    BadValue {
        /// The bot.
        bot: &'static str,
        /// The option.
        option: &'static str,
        /// Its value.
        value: String,
        /// What the value should be.
        expected: &'static str,
    },
    /// The bot needs what the game does not have.
    #[error("bot {bot} cannot play {game}: {reason}")]
    WrongGame {
        /// The bot.
        bot: &'static str,
        /// The game.
        game: &'static str,
        /// What is missing.
        reason: &'static str,
    },
    /// The network that a bot should play by is not for the game, or no network.
    #[error("bot {bot} cannot play {game}: {reason}")]
    WrongModel {
        /// The bot.
        bot: &'static str,
        /// The game.
        game: &'static str,
        /// What is wrong with the network, and where it is.
        reason: String,
    },
    /// A registered bot does not accept the table or its options.
    #[error("bot {bot} cannot play {game}: {reason}")]
    Refused {
        /// The bot with its options.
        bot: String,
        /// The game.
        game: &'static str,
        /// What is wrong.
        reason: String,
    },
    /// There is no such game, or no such table of it.
    #[error("{reason}")]
    Table {
        /// What is wrong.
        reason: String,
    },
    /// The game's estimate has no such weights.
    #[error("bot {bot} cannot play {game} with these weights: {reason}")]
    BadWeights {
        /// The bot.
        bot: String,
        /// The game.
        game: &'static str,
        /// What is wrong with them.
        reason: String,
    },
    /// The program that a bot is does not start.
    #[error("the program {command:?} does not start: {reason}")]
    NoStart {
        /// How it is started.
        command: String,
        /// What happened.
        reason: String,
    },
    /// More or fewer bots than seats.
    #[error("{bots} bots cannot fill {seats} seats: name one for all or one for each")]
    WrongBots {
        /// Bots named.
        bots: usize,
        /// Seats at the table.
        seats: usize,
    },
    /// A bot could not go on in the middle of a game.
    #[error("{reason} (in a game of {game})")]
    Failed {
        /// The game.
        game: &'static str,
        /// The bot, and what happened.
        reason: String,
    },
    /// There is nobody to decide: luck does, or the game is over.
    #[error("no player is to decide here")]
    NothingToDecide,
    /// A search could not be made.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// The threads could not be started.
    #[error("cannot start {threads} threads: {reason}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What the system said.
        reason: String,
    },
}

/// Why a bot did not choose an action.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BotError {
    /// It is another program that failed: it forfeits the game.
    #[error(transparent)]
    Forfeit(#[from] Forfeit),
    /// Its search failed, as it does by a network whose weights are so large that its
    /// outputs are not finite: nobody can play on, and the game has no result.
    #[error("bot {bot} cannot decide: {reason}")]
    Search {
        /// The bot with its options.
        bot: String,
        /// What happened.
        reason: SearchError,
    },
}

/// What a misspelt name is near to.
fn near(name: &str, known: &[&'static str]) -> String {
    let near = meeple_games::did_you_mean(name, known.iter().copied());
    near.map(|near| format!("; {near}")).unwrap_or_default()
}

fn options(known: &[&str]) -> String {
    if known.is_empty() { "none".into() } else { format!("one of {}", known.join(", ")) }
}
