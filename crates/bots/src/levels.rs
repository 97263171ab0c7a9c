//! Levels: opponents of graded strength, by names that need no knowledge of search.
//!
//! Each level is a bot for each game. The weaker ones err by a softmax over the values of a small
//! search, so their errors are plausible. `experiments/levels` has matches between
//! neighbours; docs/src/measurements/levels.md says which steps were measured.

use std::fmt;

use meeple_game::GameInfo;

use crate::BotSpec;

/// A level of strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Knows the rules.
    Beginner,
    /// Plays now and then.
    Casual,
    /// Plays regularly.
    Club,
    /// Beats most people.
    Strong,
    /// Searches most; meant to answer within two seconds.
    Strongest,
}

impl Level {
    /// All levels, the weakest first.
    pub const ALL: [Self; 5] =
        [Self::Beginner, Self::Casual, Self::Club, Self::Strong, Self::Strongest];

    /// Returns the name of its bot.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Beginner => "beginner",
            Self::Casual => "casual",
            Self::Club => "club",
            Self::Strong => "strong",
            Self::Strongest => "strongest",
        }
    }

    /// Returns the level called `name`.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.name() == name)
    }

    /// Returns the bot of this level at a table.
    ///
    /// ```
    /// use meeple_bots::{Level, open};
    ///
    /// let chess = open("chess", None)?;
    /// assert!(Level::Strong.bot(&chess.info()).to_string().starts_with("alphabeta:"));
    /// # Ok::<_, meeple_bots::OpenError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Never: a test reads all specifications.
    #[must_use]
    pub fn bot(self, info: &GameInfo) -> BotSpec {
        let own = GAMES.iter().find(|(game, _)| *game == info.name);
        let levels = match own {
            Some((_, levels)) => levels,
            None if info.imperfect_information => &HIDDEN,
            None => &OPEN,
        };
        levels[self as usize].parse().expect("the bots of levels can be read")
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The bots of the levels, the weakest first. Each has a limit that does not depend on the clock.
type Levels = [&'static str; 5];

/// The levels of games with perfect information that have none of their own.
const OPEN: Levels = [
    "mcts:sims=20,sims_per_action=1,temperature=0.5",
    "mcts:sims=50,sims_per_action=4,temperature=0.1",
    "mcts:sims=200,sims_per_action=10,temperature=0.03",
    "mcts:sims=1500,sims_per_action=30",
    "mcts:sims=12000",
];

/// The levels of games with imperfect information that have none of their own.
const HIDDEN: Levels = [
    "mcts-ismcts:sims=20,sims_per_action=1,temperature=0.5",
    "mcts-ismcts:sims=50,sims_per_action=4,temperature=0.1",
    "mcts-ismcts:sims=200,sims_per_action=10,temperature=0.03",
    "mcts-ismcts:sims=1500,sims_per_action=30",
    "mcts-ismcts:sims=12000",
];

/// The levels of the games in files whose random games take longest: as above, within two seconds.
const SLOW: Levels = [OPEN[0], OPEN[1], OPEN[2], "mcts:sims=800", "mcts:sims=3000"];

/// The games with levels of their own.
const GAMES: &[(&str, Levels)] = &[
    (
        "tic-tac-toe",
        [
            "mcts:sims=9,temperature=2",
            "mcts:sims=15,temperature=0.6",
            "mcts:sims=30,temperature=0.3",
            "mcts:sims=80,temperature=0.12",
            "alphabeta:depth=9,nodes=1000000",
        ],
    ),
    (
        "chess",
        [
            "alphabeta:depth=1,nodes=1000000,temperature=0.1",
            "alphabeta:depth=2,nodes=1000000,temperature=0.05",
            "alphabeta:depth=3,nodes=1000000,temperature=0.02",
            "alphabeta:nodes=20000",
            "alphabeta:nodes=1500000",
        ],
    ),
    // With fewer simulations, club was hardly better than casual.
    ("breakthrough", [OPEN[0], OPEN[1], "mcts:sims=500,temperature=0.02", OPEN[3], OPEN[4]]),
    // Depth 1 is the network on the positions after each turn.
    (
        "backgammon",
        [
            "alphabeta:depth=1,nodes=1000000,temperature=0.3",
            "alphabeta:depth=1,nodes=1000000,temperature=0.1",
            "alphabeta:depth=1,nodes=1000000,temperature=0.03",
            "alphabeta:depth=1,nodes=1000000",
            "alphabeta:depth=2,nodes=1000000",
        ],
    ),
    (
        "magic",
        [
            "mcts-ismcts:sims=8,temperature=0.3",
            "mcts-ismcts:sims=16,temperature=0.1",
            "greedy",
            "mcts-ismcts:sims=100,root=gumbel,considered=8,reuse=yes,sims_per_determinization=16",
            "mcts-ismcts:sims=2000,root=gumbel,considered=8,reuse=yes,sims_per_determinization=16",
        ],
    ),
    ("go", SLOW),
    ("los-alamos-chess", SLOW),
    ("gardner-minichess", SLOW),
    ("international-draughts", SLOW),
    ("canadian-draughts", SLOW),
];

#[cfg(test)]
mod tests {
    use meeple_game::MAX_ACTIONS;
    use meeple_games::registry;

    use super::*;
    use crate::{choices_of, open};

    #[test]
    fn every_game_has_all_levels() {
        for info in registry::infos() {
            let table = open(info.name, None).expect("the default table");
            for level in Level::ALL {
                let spec = level.bot(&info);
                assert!(spec.is_repeatable(), "{spec} at {}", info.name);
                // The lab allows no more.
                let simulations = match &spec {
                    BotSpec::Search(spec) => spec.simulations(MAX_ACTIONS),
                    _ => 0,
                };
                assert!(simulations <= 2_000_000, "{spec} at {}", info.name);
                table.check_bot(&spec).unwrap_or_else(|error| panic!("{}: {error}", info.name));
                assert_eq!(level.name().parse(), Ok(BotSpec::Level(level)));
            }
        }
        for (game, levels) in GAMES {
            assert!(registry::infos().iter().any(|info| info.name == *game), "{game}");
            assert!(levels.iter().all(|bot| bot.parse::<BotSpec>().is_ok()), "{game}");
        }
    }

    #[test]
    fn a_level_plays_as_its_bot() {
        let first = open("connect-four", None).expect("connect four");
        let info = first.info();
        let mut by_level = first.bot(&BotSpec::Level(Level::Casual)).expect("a level");
        let mut by_name = first.bot(&Level::Casual.bot(&info)).expect("a bot");
        let (mut one, mut other) = (meeple_game::Rng::new(3), meeple_game::Rng::new(3));
        let seat = meeple_game::Player(0);
        for _ in 0..20 {
            let chosen = by_level.choose(&*first, seat, &mut one).expect("an action");
            assert_eq!(chosen, by_name.choose(&*first, seat, &mut other).expect("an action"));
            assert!(choices_of(&*first).contains(&chosen));
        }
    }
}
