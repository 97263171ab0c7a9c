//! The [`Bot`] trait, and bots by name with options: `name:option=value,…`.

use std::fmt;
use std::str::FromStr;

use meeple_game::{Action, Game, Rng, View, set_weights};
use meeple_net::Predictor;
use meeple_search::{SearchReport, StopFlag};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::bots::{
    Flat, Greedy, Options, Random, RegisteredSpec, SearchKind, SearchSpec, Weighted,
    registered_names,
};
use crate::external::{ExternalSpec, Protocol};
use crate::renamed::bot_option;
use crate::{BotError, Error, open_value};

/// An agent that chooses actions from what its seat can observe.
pub trait Bot<G: Game>: Send {
    /// Returns one of the legal actions of `view`. There is at least one.
    ///
    /// All randomness comes from `rng`, so that games are reproducible.
    ///
    /// # Errors
    ///
    /// When the bot is an external program that crashes, times out or violates the protocol, and
    /// when its search fails.
    fn choose(&mut self, view: &View<'_, G>, rng: &mut Rng) -> Result<Action, BotError>;

    /// Called at the start of each game.
    ///
    /// # Errors
    ///
    /// As for [`choose`](Self::choose).
    fn begin(&mut self) -> Result<(), BotError> {
        Ok(())
    }

    /// Returns the report of its last search, if the bot searches.
    fn search_report(&self) -> Option<&SearchReport> {
        None
    }

    /// Sets the flag that interrupts the bot. Once the flag is set, every decision returns soon
    /// with some legal action, which the caller discards. Bots that always decide quickly can
    /// ignore it.
    fn set_stop(&mut self, _stop: &StopFlag) {}
}

/// The name of a bot, with its options.
///
/// ```
/// use meeple_bots::BotSpec;
///
/// let bot: BotSpec = "flat:playouts=50".parse()?;
/// assert_eq!(bot.to_string(), "flat:playouts=50");
/// let error = "flat:depth=3".parse::<BotSpec>().unwrap_err();
/// assert_eq!(error.to_string(), r#"bot flat has no option "depth", expected one of playouts"#);
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
    },
    /// A tree search: `mcts` and its variants, and `puct`.
    Search(SearchSpec),
    /// An external program: `program` and `uci`.
    External(ExternalSpec),
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
        "program",
        "uci",
    ];

    /// Short names of bots, with their canonical names.
    pub const ALIASES: &[(&str, &str)] = &[
        ("ismcts", "mcts-ismcts"),
        ("ordered", "mcts-ordered"),
        ("transposition", "mcts-transposition"),
        ("parallel", "mcts-parallel"),
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
            _ => Self::Flat { playouts: options.take("playouts", 100, 1..=1_000_000)? },
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
            Self::Search(spec) => spec.is_repeatable(),
            Self::External(_) => false,
            Self::Weighted { bot, .. } => bot.is_repeatable(),
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
            Self::Flat { playouts } => Box::new(Flat::new(playouts)),
            Self::Search(ref spec) => spec.build(config)?,
            Self::External(ref spec) => spec.build(config)?,
            Self::Registered(ref spec) => spec.build(config)?,
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
            Self::External(spec) => spec.check(G::new(config).name()),
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
            Self::Flat { playouts } => write!(f, "flat:playouts={playouts}"),
            Self::Search(spec) => write!(f, "{spec}"),
            Self::External(spec) => write!(f, "{spec}"),
            Self::Registered(spec) => write!(f, "{spec}"),
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    use meeple_game::Action;

    use crate::Watch;
    use meeple_games::small::{ConnectFour, KnockoutWhist, Kuhn, Pig};

    #[track_caller]
    fn refused(text: &str, expected: &str) {
        assert_eq!(text.parse::<BotSpec>().unwrap_err().to_string(), expected);
    }

    #[test]
    fn specs_are_read_and_written() {
        for text in [
            "random",
            "greedy",
            "flat:playouts=7",
            "mcts:sims=1000,c=1.4,determinizations=10",
            "mcts-ismcts:sims=7,c=0.5",
            "mcts-ordered:sims=7,c=0.5",
            "mcts-transposition:sims=7,c=0.5",
            "mcts-parallel:sims=7,c=0.5,workers=8,threads=1",
            "puct:sims=7,c=2",
            "puct:sims=7,c=2,eval=auto",
            "puct:sims=7,c=1.25,prior=onestep",
            "puct:sims=64,c=2,model=runs/a/model.safetensors,root=gumbel,considered=8",
            "puct:sims=7,c=2,eval=rollout,depth=8,root=gumbel,considered=4,below=yes,reuse=yes",
            "mcts:sims=9,c=1.25,determinizations=3,eval=heuristic,prior=game",
            "mcts:sims=9,c=1,determinizations=10,depth=20",
            "mcts-ismcts:sims=400,c=0.5,eval=heuristic,prior=onestep,reuse=yes,observer=mover",
            "mcts-ismcts:sims=400",
            "mcts-ismcts:ms=50,full_budget=yes",
            "mcts-ismcts:sims=50,early_stop=0.4,reuse=count",
            "mcts-ismcts:sims=50,observer=mover,sims_per_determinization=16",
            "mcts-ismcts:sims=50,observer=searcher",
            "mcts-ismcts:sims=50,focus=no",
            "mcts:sims=2000,c=1.2,determinizations=10,memory=64MB",
            "mcts-parallel:sims=7,c=1,workers=8,threads=1,memory=512KB",
            "mcts:sims=9,ms=50,c=1,determinizations=10",
            "mcts-ismcts:sims=400,c=1,eval=rollout,prior=even",
            "mcts-ordered:sims=7,c=1.25,prior=history",
            "mcts-parallel:sims=7,c=1,workers=8,threads=1,share=tree",
            "program:time=500,command=python3 bot.py --depth=3,4",
            "uci:nodes=10,time=2000,command=stockfish",
            "greedy:weights.card=1.5,weights.land=-2",
            "mcts:sims=9,c=1,determinizations=10,eval=heuristic,weights.land=2",
        ] {
            assert_eq!(text.parse::<BotSpec>().unwrap().to_string(), text);
        }
        // A prior implies PUCT, whose default exploration constant differs.
        let spec: BotSpec = "mcts:prior=killers".parse().unwrap();
        assert_eq!(spec.to_string(), "mcts:sims=1000,c=1.25,determinizations=10,prior=killers");
        assert_eq!(" Flat : playouts = 7 ".parse(), Ok(BotSpec::Flat { playouts: 7 }));
        assert_eq!("flat".parse(), Ok(BotSpec::Flat { playouts: 100 }));
        for (alias, name) in BotSpec::ALIASES {
            assert_eq!(alias.parse::<BotSpec>(), name.parse::<BotSpec>());
        }
    }

    #[test]
    fn clocks_threads_and_programs_do_not_repeat() {
        for (text, expected) in [
            ("greedy:weights.land=2", true),
            ("mcts:sims=9", true),
            ("mcts:sims=9,ms=50", false),
            ("mcts:ms=50,eval=heuristic,weights.land=2", false),
            ("mcts-parallel:threads=2", true),
            ("mcts-parallel:threads=2,share=tree", false),
            ("mcts-parallel:threads=1,share=tree", true),
            ("uci:command=stockfish", false),
        ] {
            let bot: BotSpec = text.parse().unwrap();
            assert_eq!(bot.is_repeatable(), expected, "{text}");
        }
    }

    #[test]
    fn mistakes_are_named_with_what_exists() {
        let known = "random, greedy, flat, mcts, mcts-ismcts, mcts-ordered, mcts-transposition, \
                     mcts-parallel, puct, program, uci";
        refused("xyz", &format!("unknown bot \"xyz\", expected one of {known}"));
        refused(
            "mcst",
            &format!("unknown bot \"mcst\", expected one of {known}; did you mean mcts?"),
        );
        refused(
            "mcts:sim=3",
            "bot mcts has no option \"sim\", expected one of ms, sims, full_budget, early_stop, \
             prior, c, eval, depth, reuse, \
             memory, focus, root, determinizations, weights.NAME; did you mean sims?",
        );
        refused(
            "mcts-transposition:eval=heuristic,depth=3",
            "bot mcts-transposition has no option \"depth\", expected one of ms, sims, full_budget, early_stop, \
             prior, c, eval, \
             reuse, memory, focus, weights.NAME",
        );
        refused(
            "mcts:prior=best",
            "bot mcts: prior=best is not one of even, game, onestep, history, killers, auto",
        );
        refused(
            "mcts-transposition:prior=history",
            "bot mcts-transposition: prior=history is not one of even, game, onestep",
        );
        refused("mcts:eval=net", "bot mcts: eval=net is not one of rollout, heuristic, auto");
        refused(
            "puct:model=a.safetensors,prior=game",
            "bot puct has no option \"model\", expected one of ms, sims, full_budget, early_stop, \
             prior, c, eval, reuse, memory, focus, root, \
             weights.NAME",
        );
        refused(
            "puct:eval=model,prior=game",
            "bot puct: prior=game is not for bots without a network",
        );
        refused(
            "mcts:early_stop=0",
            "bot mcts: early_stop=0 is not a number above 0 and at most 1",
        );
        refused("mcts:reuse=1", "bot mcts: reuse=1 is not yes, no or count");
        for size in ["64", "1MiB", "-1MB", "63KB", "65GB", "99999999999999999999GB"] {
            let expected = "a size from 64KB to 64GB, such as 64MB";
            refused(
                &format!("mcts:memory={size}"),
                &format!("bot mcts: memory={size} is not {expected}"),
            );
        }
        refused(
            "mcts-parallel:memory=256KB,workers=5",
            "bot mcts-parallel: memory=256KB is not 64KB or more for each worker",
        );
        refused("mcts:ms=0", "bot mcts: ms=0 is not a whole number from 1 to 1000000");
        refused(
            "puct:ms=50,root=gumbel",
            "bot puct: ms=50 is not usable with root=gumbel, which plans its simulations",
        );
        refused(
            "mcts-parallel:share=all",
            "bot mcts-parallel: share=all is not one of roots, tree",
        );
        refused(
            "mcts-parallel:share=tree,root=gumbel",
            "bot mcts-parallel has no option \"root\", expected one of ms, sims, full_budget, early_stop, \
             prior, c, eval, depth, \
             reuse, memory, focus, share, workers, threads, weights.NAME",
        );
        refused(
            "greedy:land=2",
            r#"bot greedy has no option "land", expected one of weights.NAME"#,
        );
        refused("greedy:weights.land=much", "bot greedy: weights=land:much is not a finite number");
        refused("puct:c=-1", "bot puct: c=-1 is not a number from 0 to 1000");
        refused("mcts:c=NaN", "bot mcts: c=NaN is not a number from 0 to 1000");
        refused("mcts:sims=0", "bot mcts: sims=0 is not a whole number from 1 to 100000000");
        refused("random:sims=3", r#"bot random has no option "sims", expected none"#);
        refused("flat:sims=3", r#"bot flat has no option "sims", expected one of playouts"#);
        for value in ["0", "-1", "1e3", "99999999999"] {
            let expected =
                format!("bot flat: playouts={value} is not a whole number from 1 to 1000000");
            refused(&format!("flat:playouts={value}"), &expected);
        }
        let expected = "expected option=value, each option once";
        refused("flat:playouts", &format!("bot flat: cannot read \"playouts\", {expected}"));
        refused(
            "flat:playouts=1,playouts=2",
            &format!("bot flat: cannot read \"playouts=2\", {expected}"),
        );
    }

    #[test]
    fn searches_play_what_they_can() {
        let build = |text: &str| {
            let spec: BotSpec = text.parse().unwrap();
            (
                spec.build::<Kuhn>(&Default::default()).err(),
                spec.build::<Pig>(&Default::default()).err(),
            )
        };
        for text in ["mcts", "mcts-ismcts", "mcts-parallel"] {
            assert_eq!(build(text), (None, None), "{text}");
        }
        assert!(matches!(build("mcts-ordered"), (Some(_), Some(_))), "no estimates");
        for text in ["mcts:eval=heuristic", "mcts-ismcts:depth=3", "mcts-ismcts:prior=onestep"] {
            assert!(matches!(build(text), (Some(_), Some(_))), "{text}: no estimates");
        }
        for text in ["mcts-transposition", "puct", "mcts-parallel:share=tree"] {
            assert!(matches!(build(text), (Some(Error::WrongGame { .. }), None)), "{text}");
        }
        assert!(
            "mcts-ordered"
                .parse::<BotSpec>()
                .unwrap()
                .build::<ConnectFour>(&Default::default())
                .is_ok()
        );
    }

    /// All option combinations play complete, reproducible games of perfect and imperfect
    /// information.
    #[test]
    fn searches_with_all_their_options_play() {
        let evals = ["", ",eval=auto", ",prior=history,reuse=yes", ",prior=killers,reuse=no"];
        for name in ["mcts", "mcts-ismcts", "mcts-parallel"] {
            for eval in evals {
                for root in ["", ",root=gumbel,considered=2,below=yes"] {
                    let text = format!("{name}:sims=20{eval}{root}");
                    plays::<KnockoutWhist>(&text);
                    plays::<Pig>(&text);
                }
            }
        }
        for text in [
            "mcts-ismcts:sims=20,eval=heuristic,prior=onestep,root=gumbel,reuse=yes",
            "mcts-transposition:sims=20,prior=game",
            "mcts-parallel:sims=20,share=tree,threads=1,prior=game,depth=4",
            "mcts-parallel:sims=20,share=tree,threads=1,prior=killers",
            "puct:sims=20,prior=onestep",
        ] {
            plays::<ConnectFour>(text);
        }
    }

    /// Records the actions and chance outcomes of a game.
    #[derive(Default)]
    struct Recorder(Vec<Action>);

    impl<G: Game> Watch<G> for Recorder {
        fn decided(&mut self, _game: &G, action: Action, _bot: &dyn Bot<G>, _time: Duration) {
            self.0.push(action);
        }

        fn chanced(&mut self, action: Action) {
            self.0.push(action);
        }
    }

    #[track_caller]
    fn plays<G: Game>(text: &str) {
        let spec: BotSpec = text.parse().expect("a bot that exists");
        let seats = G::new(&G::Config::default()).players();
        let build = |_| spec.build::<G>(&G::Config::default()).expect("a bot that plays it");
        let played = |seed: u64| {
            let mut bots: Vec<Box<dyn Bot<G>>> = (0..seats).map(build).collect();
            let (game, mut recorder) = (G::new(&G::Config::default()), Recorder::default());
            let played = crate::play_game(game, &mut bots, &Rng::new(seed), &mut recorder);
            (played.unwrap(), recorder.0)
        };
        assert_eq!(played(3), played(3), "{text} plays the same again");
    }

    #[test]
    fn greedy_needs_an_estimate() {
        let refused = BotSpec::Greedy.build::<Kuhn>(&Default::default()).err();
        assert!(matches!(refused, Some(Error::WrongGame { bot: "greedy", game: "kuhn", .. })));
    }
}
