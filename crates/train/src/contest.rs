//! Games between two bots with the same luck at every seat, counted in order.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;

use meeple_arena::{Bot, Scores, Watch, play_game};
use meeple_game::{ActionList, Game, Rng, Turn};

use crate::TrainError;

/// Makes a bot for a game.
pub(crate) type Maker<'a, G> =
    &'a (dyn Fn() -> Result<Box<dyn Bot<G>>, meeple_arena::Error> + Sync);

/// A contest of one bot, alone against others that are all alike.
pub(crate) struct Contest<'a, G: Game> {
    pub(crate) table: &'a G::Config,
    /// Where luck comes from.
    pub(crate) seed: Rng,
    /// Random decisions with which every game of a block begins: bots that draw
    /// nothing would play the same game again and again.
    pub(crate) openings: u32,
    pub(crate) threads: usize,
    pub(crate) is_stopped: &'a (dyn Fn() -> bool + Sync),
}

/// What a contest has come to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tallied {
    /// Games played.
    pub games: u64,
    /// Games in which the bot got more than all others.
    pub wins: u64,
    /// Games in which it got less than all others.
    pub losses: u64,
    /// Its points: 1 for getting more than another, a half for as much, in
    /// mean over the others.
    pub points: f64,
    /// The scores of blocks of games with the same luck.
    pub blocks: Scores,
}

impl Tallied {
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

impl<G: Game> Contest<'_, G> {
    /// Plays at least `games` games in whole blocks, in each of which the first
    /// bot sits at every seat once, until `is_enough`; nothing if it was
    /// stopped.
    pub(crate) fn play(
        &self,
        first: Maker<'_, G>,
        others: Maker<'_, G>,
        games: u64,
        mut is_enough: impl FnMut(&Tallied) -> bool,
    ) -> Result<Option<Tallied>, TrainError> {
        let players = G::new(self.table).players();
        let blocks = games.div_ceil(players as u64);
        let (next, left) = (AtomicU64::new(0), AtomicBool::new(false));
        let (sender, receiver) = sync_channel(64);
        thread::scope(|scope| {
            for _ in 0..self.threads.max(1) {
                let (sender, next, left) = (sender.clone(), &next, &left);
                scope.spawn(move || {
                    loop {
                        let block = next.fetch_add(1, Ordering::Relaxed);
                        if block >= blocks || left.load(Ordering::Relaxed) {
                            return;
                        }
                        let watch = Leave { left, is_stopped: self.is_stopped };
                        let played = self.block(block, players, first, others, watch);
                        if sender.send((block, played)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            let mut tallied = Tallied::default();
            let (mut expected, mut waiting) = (0, BTreeMap::new());
            for (block, played) in receiver {
                waiting.insert(block, played);
                while let Some(played) = waiting.remove(&expected) {
                    expected += 1;
                    // What was begun beyond the decision is played for nothing.
                    if left.load(Ordering::Relaxed) {
                        continue;
                    }
                    match played {
                        Ok(Some(scores)) => tallied.add(&scores),
                        Ok(None) => return Ok(None),
                        Err(error) => {
                            left.store(true, Ordering::Relaxed);
                            return Err(error.into());
                        }
                    }
                    left.store(is_enough(&tallied), Ordering::Relaxed);
                }
            }
            Ok(Some(tallied))
        })
    }

    /// Where the games of a block begin.
    fn opening(&self, seed: &Rng) -> G {
        // Streams from 0 on belong to luck and seats.
        let mut rng = seed.split(u64::MAX);
        let mut scratch = ActionList::new();
        let (mut game, mut decisions) = (G::new(self.table), 0);
        while decisions < self.openings {
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

    /// The scores of the first bot at each seat; nothing if it was stopped.
    fn block(
        &self,
        block: u64,
        players: usize,
        first: Maker<'_, G>,
        others: Maker<'_, G>,
        mut watch: Leave<'_>,
    ) -> Result<Option<Vec<f64>>, meeple_arena::Error> {
        let mut scores = Vec::with_capacity(players);
        for seat in 0..players {
            let mut bots = (0..players)
                .map(|at| if at == seat { first() } else { others() })
                .collect::<Result<Vec<_>, _>>()?;
            let seed = self.seed.split(block);
            let mut game = self.opening(&seed);
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
    use meeple_arena::BotSpec;
    use meeple_games::small::{ConnectFour, Pig};

    fn contest<G: Game>(table: &G::Config, threads: usize, stop: bool) -> Option<Tallied> {
        let is_stopped = || stop;
        let seed = Rng::new(3);
        let contest = Contest { table, seed, openings: 0, threads, is_stopped: &is_stopped };
        let make = |text: &str| {
            let spec: BotSpec = text.parse().unwrap();
            move || spec.build::<G>(table)
        };
        contest.play(&make("flat:playouts=5"), &make("random"), 40, |_| false).unwrap()
    }

    #[test]
    fn threads_do_not_change_what_is_counted() {
        let table = Default::default();
        let one = contest::<ConnectFour>(&table, 1, false).unwrap();
        assert_eq!(Some(&one), contest::<ConnectFour>(&table, 3, false).as_ref());
        assert_eq!((one.games, one.blocks.len()), (40, 20));
        assert!(one.score() > 0.7, "{one:?}");
        let three = serde_json::from_str(r#"{"players":3}"#).unwrap();
        assert_eq!(contest::<Pig>(&three, 2, false).unwrap().games, 42, "whole blocks");
    }

    #[test]
    fn a_stopped_contest_counts_for_nothing() {
        assert_eq!(contest::<ConnectFour>(&Default::default(), 2, true), None);
    }

    #[test]
    fn it_ends_when_it_is_decided() {
        let table = Default::default();
        let is_stopped = || false;
        let contest = Contest::<ConnectFour> {
            table: &table,
            seed: Rng::new(3),
            openings: 0,
            threads: 2,
            is_stopped: &is_stopped,
        };
        let random = || BotSpec::Random.build::<ConnectFour>(&table);
        let tallied = contest.play(&random, &random, 1000, |so_far| so_far.games >= 10);
        assert_eq!(tallied.unwrap().unwrap().games, 10);
    }

    /// Bots that draw nothing play one game for each seat, unless games begin
    /// in different ways.
    #[test]
    fn openings_make_games_differ() {
        let table = Default::default();
        let is_stopped = || false;
        let scores = |openings| {
            let seed = Rng::new(3);
            let contest = Contest::<ConnectFour> {
                table: &table,
                seed,
                openings,
                threads: 1,
                is_stopped: &is_stopped,
            };
            let make = |text: &str| {
                let spec: BotSpec = text.parse().unwrap();
                move || spec.build::<ConnectFour>(&Default::default())
            };
            let (first, others) = (make("puct:sims=30,eval=auto"), make("puct:sims=20,eval=auto"));
            let tallied = contest.play(&first, &others, 40, |_| false).unwrap().unwrap();
            tallied.blocks.iter().count()
        };
        assert_eq!(scores(0), 1);
        assert!(scores(3) > 1);
    }
}
