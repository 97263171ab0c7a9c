//! Games of one bot among others that are all alike, with the same luck at every seat.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;

use meeple_game::{ActionList, Game, Rng, Turn};
use meeple_games::registry::{Visit, with_game};
use meeple_net::Predictor;
use serde::Deserialize;
use serde_json::Value;

use crate::{Bot, BotSpec, Error, Scores, Watch, play_game};

/// A bot, by itself or by a network that is no file yet.
#[derive(Clone, Copy, Debug)]
pub struct Contender<'a> {
    /// The bot.
    pub bot: &'a BotSpec,
    /// The network it plays by, if it plays by one.
    pub network: Option<&'a Predictor>,
}

/// Games in blocks: in each block the first contender sits at every seat once,
/// among others, and luck is the same.
///
/// The game is known by name alone, so that whoever holds meetings need not
/// compile every bot for every game.
///
/// ```
/// use meeple_arena::{BotSpec, Contender, Meeting};
/// use meeple_game::Rng;
///
/// let (greedy, random) = (BotSpec::Greedy, BotSpec::Random);
/// let meeting = Meeting {
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
/// let points = meeting.play(&mut |_| false)?.expect("nobody stopped it");
/// assert!(points.games == 40 && points.score() > 0.8);
/// # Ok::<_, meeple_arena::Error>(())
/// ```
#[derive(Clone)]
pub struct Meeting<'a> {
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
    /// Where luck comes from.
    pub seed: Rng,
    /// Threads to use.
    pub threads: usize,
    /// Whether the games should be left.
    pub is_stopped: &'a (dyn Fn() -> bool + Sync),
}

impl fmt::Debug for Meeting<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Meeting").field("game", &self.game).finish_non_exhaustive()
    }
}

/// What the first contender of a meeting has come to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Points {
    /// Games played.
    pub games: u64,
    /// Games in which it got more than all others.
    pub wins: u64,
    /// Games in which it got less than all others.
    pub losses: u64,
    /// Its points: 1 for getting more than another, a half for as much, in
    /// mean over the others.
    pub points: f64,
    /// The scores of the blocks.
    pub blocks: Scores,
}

impl Points {
    fn add(&mut self, scores: &[f64]) {
        self.games += scores.len() as u64;
        self.wins += scores.iter().filter(|&&score| score == 1.0).count() as u64;
        self.losses += scores.iter().filter(|&&score| score == 0.0).count() as u64;
        self.points += scores.iter().sum::<f64>();
        self.blocks.add(scores.iter().sum::<f64>() / scores.len().max(1) as f64);
    }

    /// The share of points.
    #[must_use]
    pub fn score(&self) -> f64 {
        self.points / self.games.max(1) as f64
    }
}

impl Meeting<'_> {
    /// Plays until all games are played or `is_enough`, which is asked after
    /// every block, in order; nothing if it was stopped.
    ///
    /// # Errors
    ///
    /// When there is no such game or table, or a bot cannot play it.
    pub fn play(
        &self,
        is_enough: &mut dyn FnMut(&Points) -> bool,
    ) -> Result<Option<Points>, Error> {
        let work = Play { meeting: self, is_enough };
        with_game(self.game, work).map_err(|error| Error::Table { reason: error.to_string() })?
    }

    /// Checks that both contenders can play the game.
    ///
    /// # Errors
    ///
    /// As for [`play`](Self::play).
    pub fn check(&self) -> Result<(), Error> {
        let work = Check { table: self.table, contenders: [self.first, self.others] };
        with_game(self.game, work).map_err(|error| Error::Table { reason: error.to_string() })?
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
        let work = Check { table, contenders: [contender, contender] };
        with_game(game, work).map_err(|error| Error::Table { reason: error.to_string() })?
    }
}

impl Contender<'_> {
    fn build<G: Game>(&self, table: &G::Config) -> Result<Box<dyn Bot<G>>, Error> {
        match self.network {
            Some(network) => self.bot.build_with(table, network),
            None => self.bot.build(table),
        }
    }
}

fn table_of<G: Game>(table: &Value) -> Result<G::Config, Error> {
    G::Config::deserialize(table).map_err(|error| Error::Table { reason: error.to_string() })
}

struct Check<'a> {
    table: &'a Value,
    contenders: [Contender<'a>; 2],
}

impl Visit for Check<'_> {
    type Out = Result<(), Error>;

    fn visit<G: Game>(self) -> Self::Out {
        let table = table_of::<G>(self.table)?;
        self.contenders.iter().try_for_each(|contender| contender.build::<G>(&table).map(drop))
    }
}

struct Play<'a, 'b> {
    meeting: &'a Meeting<'b>,
    is_enough: &'a mut dyn FnMut(&Points) -> bool,
}

impl Visit for Play<'_, '_> {
    type Out = Result<Option<Points>, Error>;

    fn visit<G: Game>(self) -> Self::Out {
        let Self { meeting, is_enough } = self;
        let table = table_of::<G>(meeting.table)?;
        let players = G::new(&table).players();
        let blocks = meeting.games.div_ceil(players as u64);
        let (next, left) = (AtomicU64::new(0), AtomicBool::new(false));
        let (sender, receiver) = sync_channel(64);
        let (next, left, table) = (&next, &left, &table);
        thread::scope(|scope| {
            for _ in 0..meeting.threads.max(1) {
                let sender = sender.clone();
                scope.spawn(move || {
                    loop {
                        let block = next.fetch_add(1, Ordering::Relaxed);
                        if block >= blocks || left.load(Ordering::Relaxed) {
                            return;
                        }
                        let played = play_block::<G>(meeting, table, block, players, left);
                        if sender.send((block, played)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            let receiver = receiver;
            let mut points = Points::default();
            let (mut expected, mut waiting) = (0, BTreeMap::new());
            while let Ok((block, played)) = receiver.recv() {
                waiting.insert(block, played);
                while let Some(played) = waiting.remove(&expected) {
                    expected += 1;
                    match played {
                        Ok(Some(scores)) => points.add(&scores),
                        Ok(None) => return Ok(None),
                        Err(error) => {
                            left.store(true, Ordering::Relaxed);
                            return Err(error);
                        }
                    }
                    // What was begun beyond the decision is played for nothing.
                    if is_enough(&points) {
                        left.store(true, Ordering::Relaxed);
                        return Ok(Some(points));
                    }
                }
            }
            Ok(Some(points))
        })
    }
}

/// The scores of the first contender at each seat; nothing if it was stopped.
fn play_block<G: Game>(
    meeting: &Meeting<'_>,
    table: &G::Config,
    block: u64,
    players: usize,
    left: &AtomicBool,
) -> Result<Option<Vec<f64>>, Error> {
    let seed = meeting.seed.split(block);
    let mut scores = Vec::with_capacity(players);
    for seat in 0..players {
        let contender = |at: usize| if at == seat { &meeting.first } else { &meeting.others };
        let mut bots = (0..players)
            .map(|at| contender(at).build::<G>(table))
            .collect::<Result<Vec<_>, _>>()?;
        let mut game = opening::<G>(table, meeting.openings, &seed);
        let mut watch = Leave { left, is_stopped: meeting.is_stopped };
        let Some(played) = play_game(&mut game, &mut bots, &seed, &mut watch) else {
            return Ok(None);
        };
        let mine = played.payoffs[seat];
        let theirs = played.payoffs[..players].iter().enumerate();
        let points: f64 = theirs
            .filter(|&(at, _)| at != seat)
            .map(|(_, &payoff)| match mine.total_cmp(&payoff) {
                std::cmp::Ordering::Greater => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Less => 0.0,
            })
            .sum();
        scores.push(points / (players - 1) as f64);
    }
    Ok(Some(scores))
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

/// Leaves games that nobody waits for.
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
    fn play(bots: [&str; 2], change: impl Fn(&mut Meeting<'_>)) -> Result<Option<Points>, Error> {
        let bots = bots.map(|bot| bot.parse::<BotSpec>().unwrap());
        let [first, others] = [0, 1].map(|at| Contender { bot: &bots[at], network: None });
        let mut meeting = Meeting {
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
        change(&mut meeting);
        meeting.play(&mut |points| points.games >= 100)
    }

    const BOTS: [&str; 2] = ["flat:playouts=5", "random"];

    #[test]
    fn threads_do_not_change_what_is_counted() {
        let one = play(BOTS, |meeting| meeting.threads = 1).unwrap().unwrap();
        assert_eq!(Some(&one), play(BOTS, |meeting| meeting.threads = 3).unwrap().as_ref());
        assert_eq!((one.games, one.blocks.len()), (40, 20));
        assert!(one.score() > 0.7, "{one:?}");
    }

    #[test]
    fn blocks_are_whole_and_decisions_end_it() {
        let three = json!({"players": 3});
        let bots = BOTS.map(|bot| bot.parse::<BotSpec>().unwrap());
        let [first, others] = [0, 1].map(|at| Contender { bot: &bots[at], network: None });
        let (seed, is_stopped) = (Rng::new(3), || false);
        let mut meeting = Meeting {
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
        assert_eq!(meeting.play(&mut |_| false).unwrap().unwrap().games, 42);
        meeting.games = 1000;
        let points = meeting.play(&mut |points| points.games >= 10).unwrap().unwrap();
        assert_eq!(points.games, 12);
    }

    #[test]
    fn a_stopped_meeting_counts_for_nothing() {
        assert_eq!(play(BOTS, |meeting| meeting.is_stopped = &|| true), Ok(None));
    }

    /// Bots that draw nothing play one game for each seat, unless games begin
    /// in different ways.
    #[test]
    fn openings_make_games_differ() {
        let scores = |openings| {
            let bots = ["puct:sims=30,eval=auto", "puct:sims=20,eval=auto"];
            let points = play(bots, |meeting| meeting.openings = openings).unwrap().unwrap();
            points.blocks.iter().count()
        };
        assert_eq!(scores(0), 1);
        assert!(scores(3) > 1);
    }

    #[test]
    fn what_cannot_be_played_is_refused() {
        let refused = |change: fn(&mut Meeting<'_>)| play(BOTS, change).unwrap_err().to_string();
        assert!(refused(|meeting| meeting.game = "go").starts_with("unknown game \"go\""));
        let greedy: BotSpec = "greedy".parse().unwrap();
        let refused = greedy.check_by_name("pig", &json!({"players": 9})).unwrap_err().to_string();
        assert!(refused.contains('9'), "{refused}");
        let refused = greedy.check_by_name("pig", &json!({})).unwrap_err().to_string();
        assert!(refused.starts_with("bot greedy cannot play pig"), "{refused}");
    }
}
