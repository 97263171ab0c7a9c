//! Matches of one bot against copies of another, with the same chance events at every seat.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use meeple_bots::{
    Block, BlockObserver, Entrant, Error, IdlePrograms, Played, Position, one_among, open_value,
};
use meeple_game::Rng;
use meeple_search::StopFlag;
use serde_json::Value;

use super::in_order;
use crate::tally::score;
use crate::{MatchTally, Scoring};

/// The indices of the two entrants.
const FIRST: usize = 0;
const OTHERS: usize = 1;

/// A match in blocks of games. In each block the first entrant plays every seat once, with the
/// same chance events.
///
/// Games for stakes are scored by payoff, all others by wins.
///
/// ```
/// use meeple_arena::Match;
/// use meeple_bots::{BotSpec, Entrant};
/// use meeple_game::Rng;
/// use meeple_search::StopFlag;
///
/// let (greedy, random) = (BotSpec::Greedy, BotSpec::Random);
/// let versus_random = Match {
///     game: "connect-four",
///     table: &serde_json::json!({}),
///     first: Entrant { bot: &greedy, network: None },
///     others: Entrant { bot: &random, network: None },
///     games: 40,
///     openings: 0,
///     max_decisions: None,
///     seed: Rng::new(1),
///     threads: 1,
///     stop: StopFlag::default(),
/// };
/// let tally = versus_random.play(&mut |_| false)?.expect("nobody stopped it");
/// assert!(tally.games.len() == 40 && tally.score() > 0.8);
/// # Ok::<_, meeple_bots::Error>(())
/// ```
#[derive(Clone)]
pub struct Match<'a> {
    /// The game.
    pub game: &'a str,
    /// The configuration of the table.
    pub table: &'a Value,
    /// The bot that plays every seat once per block.
    pub first: Entrant<'a>,
    /// The bot at all other seats.
    pub others: Entrant<'a>,
    /// The minimum number of games, rounded up to whole blocks.
    pub games: u64,
    /// The number of random decisions at the start of every game of a block. Without them,
    /// deterministic bots repeat the same game.
    pub openings: u32,
    /// The number of decisions after which a game is a draw; `None` for no limit.
    pub max_decisions: Option<u64>,
    /// The random seed.
    pub seed: Rng,
    /// The number of threads; 0 means one for each core.
    pub threads: usize,
    /// Aborts the match, and the searches of its bots.
    pub stop: StopFlag,
}

impl fmt::Debug for Match<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Match").field("game", &self.game).finish_non_exhaustive()
    }
}

impl Match<'_> {
    /// Plays until all games are finished or `is_enough` returns `true`. It is called after every
    /// block, in order. Returns `None` if the match was aborted.
    ///
    /// # Errors
    ///
    /// When the game is unknown, the configuration invalid, or a bot cannot play it.
    pub fn play(
        &self,
        is_enough: &mut dyn FnMut(&MatchTally) -> bool,
    ) -> Result<Option<MatchTally>, Error> {
        let table = self.open()?;
        let (seats, scoring) = (table.players(), Scoring::of_table(&*table));
        let seatings = one_among(FIRST, OTHERS, seats);
        let entrant = |bot: usize| if bot == FIRST { self.first } else { self.others };
        type Scored = Result<Option<Vec<f64>>, Error>;
        let work = |idle: &mut IdlePrograms, block: u64, left: &AtomicBool| -> Scored {
            let mut scores = BlockScores { versus: self, left, scoring, scores: Vec::new() };
            let block = Block {
                entrant: &entrant,
                seatings: &seatings,
                openings: self.openings,
                seed: self.seed.split(block),
            };
            let is_whole = table.play_block(&block, idle, &mut scores)?;
            Ok(is_whole.then_some(scores.scores))
        };
        let mut tally = MatchTally::new(scoring);
        let take = |_, scores: Vec<f64>| {
            tally.add(&scores);
            // Blocks in progress beyond this one are discarded, so that results are reproducible.
            Ok(if is_enough(&tally) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        };
        let blocks = 0..self.games.div_ceil(seats as u64);
        let is_done = in_order(self.threads, blocks, IdlePrograms::default, work, take)?;
        Ok(is_done.then_some(tally))
    }

    /// Checks that both entrants can play the game.
    ///
    /// # Errors
    ///
    /// As for [`play`](Self::play).
    pub fn check(&self) -> Result<(), Error> {
        let table = self.open()?;
        [self.first, self.others].iter().try_for_each(|entrant| {
            let bot = match entrant.network {
                Some(network) => table.bot_with(entrant.bot, network),
                None => table.bot(entrant.bot),
            };
            bot.map(drop)
        })
    }

    fn open(&self) -> Result<Box<dyn Position>, Error> {
        open_value(self.game, self.table)
            .map_err(|error| Error::Table { reason: error.to_string() })
    }
}

/// Scores the games of a block, and aborts it once its results are no longer needed.
struct BlockScores<'a> {
    versus: &'a Match<'a>,
    left: &'a AtomicBool,
    scoring: Scoring,
    scores: Vec<f64>,
}

impl BlockObserver for BlockScores<'_> {
    fn finished(&mut self, seating: &[usize], played: Played) {
        let payoffs = &played.payoffs[..seating.len()];
        self.scores.push(score(payoffs, seating, [&FIRST, &OTHERS], self.scoring));
    }

    fn limit(&self) -> Option<u64> {
        self.versus.max_decisions
    }

    fn is_stopped(&self) -> bool {
        self.left.load(Ordering::Relaxed) || self.versus.stop.is_stopped()
    }

    fn switch(&self) -> Option<&StopFlag> {
        Some(&self.versus.stop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meeple_bots::BotSpec;
    use serde_json::json;

    /// Forty games of Connect Four by default.
    fn play(bots: [&str; 2], change: impl Fn(&mut Match<'_>)) -> Result<Option<MatchTally>, Error> {
        let bots = bots.map(|bot| bot.parse::<BotSpec>().unwrap());
        let [first, others] = [0, 1].map(|at| Entrant { bot: &bots[at], network: None });
        let mut versus = Match {
            game: "connect-four",
            table: &json!({}),
            first,
            others,
            games: 40,
            openings: 0,
            max_decisions: None,
            seed: Rng::new(3),
            threads: 2,
            stop: StopFlag::default(),
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
        let [first, others] = [0, 1].map(|at| Entrant { bot: &bots[at], network: None });
        let seed = Rng::new(3);
        let mut versus = Match {
            game: "pig",
            table: &three,
            first,
            others,
            games: 40,
            openings: 0,
            max_decisions: None,
            seed,
            threads: 2,
            stop: StopFlag::default(),
        };
        assert_eq!(versus.play(&mut |_| false).unwrap().unwrap().games.len(), 42);
        versus.games = 1000;
        let points = versus.play(&mut |tally| tally.games.len() >= 10).unwrap().unwrap();
        assert_eq!(points.games.len(), 12);
    }

    #[test]
    fn a_stopped_match_counts_for_nothing() {
        assert_eq!(play(BOTS, |versus| versus.stop.stop()), Ok(None));
    }

    /// A search in progress checks the flag of its match; otherwise a match would be stopped only
    /// when the next decision is due.
    #[test]
    fn a_stopped_match_ends_its_searches() {
        let checked = play(BOTS, |versus| {
            let left = AtomicBool::new(false);
            let scoring = Scoring::Wins;
            let scores = BlockScores { versus, left: &left, scoring, scores: Vec::new() };
            assert!(scores.switch().is_some_and(|stop| !stop.is_stopped()));
            versus.stop.stop();
            assert!(scores.switch().is_some_and(StopFlag::is_stopped));
        });
        assert_eq!(checked, Ok(None));
    }

    /// Deterministic bots repeat one game for each seat, unless openings are random.
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
        assert!(refused(|versus| versus.game = "shogi").starts_with("unknown game \"shogi\""));
        let greedy: BotSpec = "greedy".parse().unwrap();
        let refused = greedy.check_by_name("pig", &json!({"players": 9})).unwrap_err().to_string();
        assert!(refused.contains('9'), "{refused}");
        let refused = greedy.check_by_name("pig", &json!({})).unwrap_err().to_string();
        assert!(refused.starts_with("bot greedy cannot play pig"), "{refused}");
    }
}
