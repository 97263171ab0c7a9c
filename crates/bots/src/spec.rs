//! Bots by name with options: `name:option=value,…`.

#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;

use meeple_game::{Game, GameInfo, set_weights};
use meeple_net::Predictor;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::bots::{
    Flat, Greedy, Options, Random, RegisteredSpec, SearchKind, SearchSpec, Weighted,
    registered_names,
};
use crate::external::{ExternalSpec, Protocol};
use crate::renamed::bot_option;
use crate::{Bot, Error, Level, open_value};

/// The name of a bot, with its options.
///
/// ```
/// use meeple_bots::BotSpec;
///
/// let bot: BotSpec = "flat:playouts=50".parse()?;
/// assert_eq!(bot.to_string(), "flat:playouts=50");
/// let error = "flat:depth=3".parse::<BotSpec>().unwrap_err();
/// assert_eq!(error.to_string(), r#"bot flat has no option "depth", expected one of playouts, temperature"#);
/// # Ok::<_, meeple_bots::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum BotSpec {
    /// Plays uniformly at random.
    Random,
    /// Maximizes the game's heuristic evaluation one action ahead.
    Greedy,
    /// Flat Monte Carlo: the action with the best mean payoff over random rollouts.
    Flat {
        /// Rollouts of each action.
        playouts: u32,
        /// The temperature of a softmax over the mean payoffs; 0 plays the best action.
        temperature: f32,
    },
    /// A tree search: `mcts` and its variants, `puct`, and `alphabeta`.
    Search(SearchSpec),
    /// An external program: `program` and `uci`.
    External(ExternalSpec),
    /// The bot of a level; which one depends on the game.
    Level(Level),
    /// A bot of another crate; see [`register_bot`](crate::register_bot).
    Registered(RegisteredSpec),
    /// A bot that uses the heuristic evaluation, with changed evaluation weights:
    /// `greedy:weights.land=1.4`.
    Weighted {
        /// The bot.
        bot: Box<Self>,
        /// The changed weights, by name.
        weights: Vec<(String, f32)>,
    },
}

impl BotSpec {
    /// The names of the built-in bots.
    pub const BUILT_IN: &[&str] = &[
        "random",
        "greedy",
        "flat",
        "mcts",
        "mcts-ismcts",
        "mcts-ordered",
        "mcts-transposition",
        "mcts-parallel",
        "puct",
        "alphabeta",
        "maxn",
        "paranoid",
        "brs",
        "program",
        "uci",
        "gnubg",
        "beginner",
        "casual",
        "club",
        "strong",
        "strongest",
    ];

    /// Short names of bots, with their canonical names.
    pub const ALIASES: &[(&str, &str)] = &[
        ("ismcts", "mcts-ismcts"),
        ("ordered", "mcts-ordered"),
        ("transposition", "mcts-transposition"),
        ("parallel", "mcts-parallel"),
        ("expectiminimax", "alphabeta"),
    ];

    /// Returns the bot called `name` with options as name-value pairs, the form in which
    /// experiments give them.
    ///
    /// # Errors
    ///
    /// When there is no such bot, option or value.
    pub fn with_options(name: &str, options: &[(String, String)]) -> Result<Self, Error> {
        let bot = Self::named(name)?;
        let given = options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        Self::read(bot, Options::from_pairs(bot, given)?)
    }

    /// Returns the names of all bots, built-in ones first.
    #[must_use]
    pub fn names() -> Vec<&'static str> {
        Self::BUILT_IN.iter().copied().chain(registered_names()).collect()
    }

    fn named(name: &str) -> Result<&'static str, Error> {
        let known = Self::names();
        let is_it = |other: &str| other.eq_ignore_ascii_case(name.trim());
        let alias = Self::ALIASES.iter().find(|(alias, _)| is_it(alias));
        let found = alias.map(|(_, bot)| *bot);
        let found = found.or_else(|| known.iter().find(|known| is_it(known)).copied());
        found.ok_or_else(|| Error::UnknownBot { name: name.trim().into(), known })
    }

    fn read(bot: &'static str, mut options: Options<'_>) -> Result<Self, Error> {
        if !Self::BUILT_IN.contains(&bot)
            && let Some(spec) = RegisteredSpec::new(bot, options.take_all())
        {
            return Ok(Self::Registered(spec));
        }
        let mut options = options.renamed()?;
        let spec = match (bot, SearchKind::named(bot)) {
            (_, Some(kind)) => Self::Search(SearchSpec::read(kind, &mut options)?),
            ("random", _) => Self::Random,
            ("greedy", _) => Self::Greedy,
            ("program", _) => {
                Self::External(ExternalSpec::read(Protocol::JsonLines, &mut options)?)
            }
            ("uci", _) => Self::External(ExternalSpec::read(Protocol::Uci, &mut options)?),
            ("gnubg", _) => Self::External(ExternalSpec::read(Protocol::Gnubg, &mut options)?),
            ("flat", _) => Self::Flat {
                playouts: options.take("playouts", 100, 1..=1_000_000)?,
                temperature: options.take_temperature()?,
            },
            _ => Self::Level(Level::named(bot).expect("every other built-in bot is a level")),
        };
        let weights = match spec {
            Self::Greedy | Self::Search(_) => options.take_weights()?,
            _ => Vec::new(),
        };
        options.finish()?;
        if weights.is_empty() {
            return Ok(spec);
        }
        Ok(Self::Weighted { bot: Box::new(spec), weights })
    }

    /// Whether the same seed gives the same games. This excludes external programs, searches with
    /// a time limit, and searches whose threads share a tree.
    #[must_use]
    pub fn is_repeatable(&self) -> bool {
        match self {
            Self::Random | Self::Greedy | Self::Flat { .. } | Self::Registered(_) => true,
            // A test builds the levels of every game.
            Self::Level(_) => true,
            Self::Search(spec) => spec.is_repeatable(),
            Self::External(_) => false,
            Self::Weighted { bot, .. } => bot.is_repeatable(),
        }
    }

    /// Returns the bot that plays at a table: for a level the bot of that level there, otherwise
    /// the bot itself.
    #[must_use]
    pub fn at(&self, info: &GameInfo) -> Self {
        match self {
            Self::Level(level) => level.bot(info),
            _ => self.clone(),
        }
    }

    /// Builds the bot for `G`. A bot that plays with a network uses `network`; any other is built
    /// as by [`build`](Self::build).
    ///
    /// # Errors
    ///
    /// When the network is not for the game, or as for [`build`](Self::build).
    pub fn build_with<G: Game>(
        &self,
        config: &G::Config,
        network: &Predictor,
    ) -> Result<Box<dyn Bot<G>>, Error> {
        match self {
            Self::Search(spec) if spec.kind == SearchKind::Puct => spec.build_with(config, network),
            _ => self.build(config),
        }
    }

    /// Builds the bot for `G`.
    ///
    /// # Errors
    ///
    /// When the bot needs something that the game does not have, or its program does not start.
    pub fn build<G: Game>(&self, config: &G::Config) -> Result<Box<dyn Bot<G>>, Error> {
        Ok(match *self {
            Self::Random => Box::new(Random::default()),
            Self::Greedy => {
                if G::COMPANIONS.evaluation.is_none() {
                    let reason = "the game has no heuristic evaluation";
                    return Err(Error::WrongGame {
                        bot: "greedy",
                        game: G::new(config).name(),
                        reason,
                    });
                }
                Box::new(Greedy::new())
            }
            Self::Flat { playouts, temperature } => Box::new(Flat::new(playouts, temperature)),
            Self::Search(ref spec) => spec.build(config)?,
            Self::External(ref spec) => spec.build(config)?,
            Self::Registered(ref spec) => spec.build(config)?,
            Self::Level(level) => level.bot(&G::new(config).info()).build(config)?,
            Self::Weighted { ref bot, ref weights } => {
                let other = set_weights::<G>(config, weights).map_err(|reason| {
                    let game = G::new(config).name();
                    Error::BadWeights { bot: bot.to_string(), game, reason }
                })?;
                Box::new(Weighted::new(bot.build(config)?, G::new(&other)))
            }
        })
    }
}

impl BotSpec {
    /// Checks that the bot can play `G` at this table, without starting external programs.
    ///
    /// # Errors
    ///
    /// When the bot needs something that the game does not have.
    pub fn check<G: Game>(&self, config: &G::Config) -> Result<(), Error> {
        match self {
            Self::External(spec) => spec.check::<G>(config),
            _ => self.build::<G>(config).map(drop),
        }
    }

    /// Returns the bot with some options changed.
    ///
    /// # Errors
    ///
    /// When there is no such option or value.
    pub fn with_changes(&self, changes: &[(String, String)]) -> Result<Self, Error> {
        let text = self.to_string();
        let (name, options) = text.split_once(':').unwrap_or((&text, ""));
        let (options, command) = match options.split_once("command=") {
            Some((options, command)) => (options, Some(command)),
            None => (options, None),
        };
        let pairs = options.split(',').filter_map(|option| option.split_once('='));
        let mut pairs: Vec<(String, String)> =
            pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        pairs.extend(command.map(|command| ("command".to_owned(), command.to_owned())));
        for (name, value) in changes {
            let name = bot_option(name);
            pairs.retain(|(other, _)| other != name);
            pairs.push((name.to_owned(), value.clone()));
        }
        Self::with_options(name, &pairs)
    }

    /// Checks that the bot can play a game given by name.
    ///
    /// # Errors
    ///
    /// When there is no such game or table, or the bot cannot play it.
    pub fn check_by_name(&self, game: &str, table: &Value) -> Result<(), Error> {
        let position =
            open_value(game, table).map_err(|error| Error::Table { reason: error.to_string() })?;
        position.bot(self).map(drop)
    }
}

impl FromStr for BotSpec {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let (name, options) = text.split_once(':').unwrap_or((text, ""));
        let bot = Self::named(name)?;
        Self::read(bot, Options::parse(bot, options)?)
    }
}

impl fmt::Display for BotSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random => write!(f, "random"),
            Self::Greedy => write!(f, "greedy"),
            Self::Flat { playouts, temperature } => {
                write!(f, "flat:playouts={playouts}")?;
                if *temperature > 0.0 { write!(f, ",temperature={temperature}") } else { Ok(()) }
            }
            Self::Search(spec) => write!(f, "{spec}"),
            Self::External(spec) => write!(f, "{spec}"),
            Self::Registered(spec) => write!(f, "{spec}"),
            Self::Level(level) => write!(f, "{level}"),
            Self::Weighted { bot, weights } => {
                write!(f, "{bot}")?;
                let mut separator = if matches!(**bot, Self::Greedy) { ':' } else { ',' };
                for (name, weight) in weights {
                    write!(f, "{separator}weights.{name}={weight}")?;
                    separator = ',';
                }
                Ok(())
            }
        }
    }
}

impl TryFrom<String> for BotSpec {
    type Error = Error;

    fn try_from(text: String) -> Result<Self, Error> {
        text.parse()
    }
}

impl From<BotSpec> for String {
    fn from(spec: BotSpec) -> Self {
        spec.to_string()
    }
}
