//! The options of an assessment.

use meeple_bots::{BotSpec, Eval, Position, Prior, Reuse, SearchKind, SearchSpec};

/// The options of an assessment.
#[derive(Clone, Debug, PartialEq)]
pub struct AssessOptions {
    /// The bot that plays: it searches, and the same seed gives the same decisions.
    pub bot: SearchSpec,
    /// The number of games of the bot against itself, and of each match that measures skill.
    pub games: u64,
    /// The number of games with random play.
    pub random_games: u64,
    /// The number of matches that measure skill, each between a search and one with twice its
    /// simulations. The last one is against `bot`.
    pub doublings: u32,
    /// The number of decisions after which a game counts as unfinished.
    pub max_decisions: u64,
    /// Random seed.
    pub seed: u64,
    /// The number of threads; 0 means one for each core.
    pub threads: usize,
}

impl AssessOptions {
    /// Returns the default options for a table: an information-set search where information is
    /// imperfect, otherwise UCT, both with the heuristic evaluation of the game if it has one.
    #[must_use]
    pub fn new(table: &dyn Position) -> Self {
        let kind = if table.info().imperfect_information {
            SearchKind::InformationSets
        } else {
            SearchKind::Plain
        };
        let bot = SearchSpec {
            sims: 400,
            prior: Prior::Auto,
            eval: Eval::Auto,
            // A reused tree would add to the simulations of a decision.
            reuse: Reuse::No,
            // Depends on the game with these priors.
            c: None,
            ..SearchSpec::new(kind)
        };
        Self {
            bot,
            games: 200,
            random_games: 1000,
            doublings: 3,
            max_decisions: 10_000,
            seed: 0,
            threads: 0,
        }
    }

    /// The bot with the simulations of a rung of the ladder; the last rung is the bot itself.
    pub(crate) fn rung(&self, rung: u32) -> SearchSpec {
        // Values of all actions are read, so searches do not stop as soon as the best is known.
        let sims = self.sims(rung);
        SearchSpec { sims, full_budget: true, ..self.bot.clone() }
    }

    /// The simulations of a rung.
    pub(crate) fn sims(&self, rung: u32) -> u32 {
        self.bot.sims >> (self.doublings - rung)
    }

    /// Returns what is wrong with the options, if anything.
    #[must_use]
    pub fn problem(&self) -> Option<String> {
        let least = 1u64 << self.doublings.min(40);
        if u64::from(self.bot.sims) < least {
            return Some(format!(
                "{} simulations cannot be halved {} times, expected at least {least}",
                self.bot.sims, self.doublings
            ));
        }
        let bot = BotSpec::Search(self.bot.clone());
        (!bot.is_repeatable()).then(|| {
            format!("{bot} is not repeatable, expected a bot without a time limit or shared tree")
        })
    }

    /// Whether the search evaluates leaves by random play to the end of the game.
    pub(crate) fn plays_to_the_end(&self, table: &dyn Position) -> bool {
        match self.bot.eval {
            Eval::Rollout { depth } => depth.is_none(),
            Eval::Auto | Eval::Model => table.heuristic().is_none(),
            Eval::Heuristic => false,
        }
    }
}
