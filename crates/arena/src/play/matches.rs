//! Matches of one bot against others that are all alike, with the same chance events at every seat.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use meeple_game::{ActionList, Game, Rng, Turn};
use meeple_net::Predictor;
use serde::Deserialize;
use serde_json::Value;

use super::{Block, Idle, Roster, Watch, in_order, one_among};
use crate::any_game::{self, AnyGame};
use crate::tally::score;
use crate::{Bot, BotSpec, Error, MatchTally, Scoring};

/// The numbers of the two contenders.
const FIRST: usize = 0;
const OTHERS: usize = 1;

/// A bot, by itself or by a network that is no file yet.
#[derive(Clone, Copy, Debug)]
pub struct Contender<'a> {
    /// The bot.
    pub bot: &'a BotSpec,
    /// The network it plays by, if it plays by one.
    pub network: Option<&'a Predictor>,
}

/// A match in blocks of games: in each block the first contender sits at every seat
/// once, among others, with the same chance events.
///
/// Games for stakes are scored by payoff, all others by wins.
///
/// The game is known by name alone, so that callers need not compile every bot for
/// every game.
///
/// ```
/// use meeple_arena::{BotSpec, Contender, Match};
/// use meeple_game::Rng;
///
/// let (greedy, random) = (BotSpec::Greedy, BotSpec::Random);
/// let versus_random = Match {
///     game: "connect-four",
///     table: &serde_json::json!({}),
///     first: Contender { bot: &greedy, network: None },
///     others: Contender { bot: &random, network: None },
///     games: 40,
///     openings: 0,
///     seed: Rng::new(1),
///     threads: 1,
///     is_stopped: &|| false,
/// };
/// let tally = versus_random.play(&mut |_| false)?.expect("nobody stopped it");
/// assert!(tally.games.len() == 40 && tally.score() > 0.8);
/// # Ok::<_, meeple_arena::Error>(())
/// ```
#[derive(Clone)]
pub struct Match<'a> {
    /// The game.
    pub game: &'a str,
    /// The table, as its configuration is written.
    pub table: &'a Value,
    /// Who sits at every seat once.
    pub first: Contender<'a>,
    /// Who sits at all other seats.
    pub others: Contender<'a>,
    /// Games to play at least, in whole blocks.
    pub games: u64,
    /// Random decisions with which every game of a block begins: bots that draw
    /// nothing would play the same game again and again.
    pub openings: u32,
    /// The random seed.
    pub seed: Rng,
    /// Threads; 0 means one for each core.
    pub threads: usize,
    /// Whether the games should be left.
    pub is_stopped: &'a (dyn Fn() -> bool + Sync),
}

impl fmt::Debug for Match<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Match").field("game", &self.game).finish_non_exhaustive()
    }
}

impl Match<'_> {
    /// Plays until all games are played or `is_enough`, which is asked after
    /// every block, in order; nothing if it was stopped.
    ///
    /// # Errors
    ///
    /// When there is no such game or table, or a bot cannot play it.
    pub fn play(
        &self,
        is_enough: &mut dyn FnMut(&MatchTally) -> bool,
    ) -> Result<Option<MatchTally>, Error> {
        game_called(self.game)?.play_match(self, is_enough)
    }

    /// Checks that both contenders can play the game.
    ///
    /// # Errors
    ///
    /// As for [`play`](Self::play).
    pub fn check(&self) -> Result<(), Error> {
        game_called(self.game)?.check_contenders(self.table, [self.first, self.others])
    }
}

impl BotSpec {
    /// Checks that the bot can play a game that is known by name.
    ///
    /// # Errors
    ///
    /// When there is no such game or table, or the bot cannot play it.
    pub fn check_by_name(&self, game: &str, table: &Value) -> Result<(), Error> {
        let contender = Contender { bot: self, network: None };
        game_called(game)?.check_contenders(table, [contender, contender])
    }
}

impl Contender<'_> {
    /// The bot, ready to play.
    pub(crate) fn build<G: Game>(&self, table: &G::Config) -> Result<Box<dyn Bot<G>>, Error> {
        match self.network {
            Some(network) => self.bot.build_with(table, network),
            None => self.bot.build(table),
        }
    }
}

fn table_of<G: Game>(table: &Value) -> Result<G::Config, Error> {
    G::Config::deserialize(table).map_err(|error| Error::Table { reason: error.to_string() })
}

fn game_called(name: &str) -> Result<&'static dyn AnyGame, Error> {
    any_game::find(name).map_err(|error| Error::Table { reason: error.to_string() })
}

/// Checks that both contenders can play at `table`.
pub(crate) fn check_contenders<G: Game>(
    table: &Value,
    contenders: [Contender<'_>; 2],
) -> Result<(), Error> {
    let table = table_of::<G>(table)?;
    contenders.iter().try_for_each(|contender| contender.build::<G>(&table).map(drop))
}

/// Plays a match until `is_enough`; nothing if it was stopped.
pub(crate) fn play_match<G: Game>(
    played: &Match<'_>,
    is_enough: &mut dyn FnMut(&MatchTally) -> bool,
) -> Result<Option<MatchTally>, Error> {
    let table = table_of::<G>(played.table)?;
    let first = G::new(&table);
    let (seats, scoring) = (first.players(), Scoring::of_game(&first));
    let seatings = one_among(FIRST, OTHERS, seats);
    let contender = |bot: usize| if bot == FIRST { played.first } else { played.others };
    type Scored = Result<Option<Vec<f64>>, Error>;
    let work = |idle: &mut Idle<G>, block: u64, left: &AtomicBool| -> Scored {
        let seed = played.seed.split(block);
        let start = opening::<G>(&table, played.openings, &seed);
        let mut roster = Roster { config: &table, contender: &contender, idle };
        let watch = |_: &[usize]| Leave { left, is_stopped: played.is_stopped };
        let mut scores = Vec::with_capacity(seats);
        let block = Block { start, seatings: &seatings, seed };
        let is_whole = block.play(&mut roster, watch, |seating, played, _| {
            scores.push(score(&played.payoffs[..seats], seating, [&FIRST, &OTHERS], scoring));
        })?;
        Ok(is_whole.then_some(scores))
    };
    let mut tally = MatchTally::new(scoring);
    let take = |_, scores: Vec<f64>| {
        tally.add(&scores);
        // What was begun beyond the decision is played for nothing.
        Ok(if is_enough(&tally) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    };
    let blocks = 0..played.games.div_ceil(seats as u64);
    let is_done = in_order(played.threads, blocks, Idle::new, work, take)?;
    Ok(is_done.then_some(tally))
}

/// Where the games of a block begin.
fn opening<G: Game>(table: &G::Config, openings: u32, seed: &Rng) -> G {
    // Streams from 0 on belong to luck and seats.
    let mut rng = seed.split(u64::MAX);
    let mut scratch = ActionList::new();
    let (mut game, mut decisions) = (G::new(table), 0);
    while decisions < openings {
        let before = game;
        match game.turn() {
            Turn::Chance => game.apply(game.sample_chance(&mut rng)),
            Turn::Player(_) => {
                game.apply_sampled(&mut rng, &mut scratch);
                decisions += 1;
            }
            Turn::Over => {}
        }
        if game.turn() == Turn::Over {
            return before;
        }
    }
    game
}

/// Abandons games once their results are no longer needed.
struct Leave<'a> {
    left: &'a AtomicBool,
    is_stopped: &'a (dyn Fn() -> bool + Sync),
}

impl<G: Game> Watch<G> for Leave<'_> {
    fn is_stopped(&self) -> bool {
        self.left.load(Ordering::Relaxed) || (self.is_stopped)()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Forty games of connect four, if it is not said otherwise.
    fn play(bots: [&str; 2], change: impl Fn(&mut Match<'_>)) -> Result<Option<MatchTally>, Error> {
        let bots = bots.map(|bot| bot.parse::<BotSpec>().unwrap());
        let [first, others] = [0, 1].map(|at| Contender { bot: &bots[at], network: None });
        let mut versus = Match {
            game: "connect-four",
            table: &json!({}),
            first,
            others,
            games: 40,
            openings: 0,
            seed: Rng::new(3),
            threads: 2,
            is_stopped: &|| false,
        };
        change(&mut versus);
        versus.play(&mut |tally| tally.games.len() >= 100)
    }

    const BOTS: [&str; 2] = ["flat:playouts=5", "random"];

    #[test]
    fn threads_do_not_change_what_is_counted() {
        let one = play(BOTS, |versus| versus.threads = 1).unwrap().unwrap();
        assert_eq!(Some(&one), play(BOTS, |versus| versus.threads = 3).unwrap().as_ref());
        assert_eq!((one.games.len(), one.blocks.len()), (40, 20));
        assert!(one.score() > 0.7, "{one:?}");
    }

    #[test]
    fn blocks_are_whole_and_decisions_end_it() {
        let three = json!({"players": 3});
        let bots = BOTS.map(|bot| bot.parse::<BotSpec>().unwrap());
        let [first, others] = [0, 1].map(|at| Contender { bot: &bots[at], network: None });
        let (seed, is_stopped) = (Rng::new(3), || false);
        let mut versus = Match {
            game: "pig",
            table: &three,
            first,
            others,
            games: 40,
            openings: 0,
            seed,
            threads: 2,
            is_stopped: &is_stopped,
        };
        assert_eq!(versus.play(&mut |_| false).unwrap().unwrap().games.len(), 42);
        versus.games = 1000;
        let points = versus.play(&mut |tally| tally.games.len() >= 10).unwrap().unwrap();
        assert_eq!(points.games.len(), 12);
    }

    #[test]
    fn a_stopped_match_counts_for_nothing() {
        assert_eq!(play(BOTS, |versus| versus.is_stopped = &|| true), Ok(None));
    }

    /// Bots that draw nothing play one game for each seat, unless games begin
    /// in different ways.
    #[test]
    fn openings_make_games_differ() {
        let scores = |openings| {
            let bots = ["puct:sims=30,eval=auto", "puct:sims=20,eval=auto"];
            let points = play(bots, |versus| versus.openings = openings).unwrap().unwrap();
            points.blocks.iter().count()
        };
        assert_eq!(scores(0), 1);
        assert!(scores(3) > 1);
    }

    #[test]
    fn what_cannot_be_played_is_refused() {
        let refused = |change: fn(&mut Match<'_>)| play(BOTS, change).unwrap_err().to_string();
        assert!(refused(|versus| versus.game = "go").starts_with("unknown game \"go\""));
        let greedy: BotSpec = "greedy".parse().unwrap();
        let refused = greedy.check_by_name("pig", &json!({"players": 9})).unwrap_err().to_string();
        assert!(refused.contains('9'), "{refused}");
        let refused = greedy.check_by_name("pig", &json!({})).unwrap_err().to_string();
        assert!(refused.starts_with("bot greedy cannot play pig"), "{refused}");
    }
}
