//! Which games a stage of an experiment has, each with a number of its own.

use meeple_game::Rng;

use super::record::Record;
use crate::experiment::{Draw, Experiment, Model};
use crate::{Scores, Sprt, Verdict};

/// Matches that are played side by side.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stage {
    /// The matches, all with as many blocks.
    pub(crate) matches: Vec<Match>,
    /// Blocks of each match.
    pub(crate) blocks: u64,
    /// Blocks whose samples make a file, if samples are kept.
    pub(crate) shard: Option<u64>,
    /// The test that may end it early.
    pub(crate) test: Option<(Sprt, Model)>,
}

/// Blocks of games between the same bots at one table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Match {
    /// The table.
    pub(crate) table: usize,
    /// Who sits where in each game of a block.
    pub(crate) seatings: Vec<Vec<usize>>,
    /// The two bots that are compared, if there are two.
    pub(crate) duel: Option<[usize; 2]>,
    /// Matches with the same number get the same luck.
    pub(crate) luck: u64,
}

impl Match {
    /// Two bots at a table: each in every seat, with the same luck. Where there
    /// are more seats, each of them once against a table full of the other.
    pub(crate) fn duel(table: usize, [first, second]: [usize; 2], seats: usize, luck: u64) -> Self {
        let alone = |one: usize, others: usize| {
            (0..seats).map(move |at| {
                (0..seats).map(|seat| if seat == at { one } else { others }).collect()
            })
        };
        let mut seatings: Vec<Vec<usize>> = alone(first, second).collect();
        if seats > 2 {
            seatings.extend(alone(second, first));
        }
        Self { table, seatings, duel: Some([first, second]), luck }
    }

    /// The bots as they are seated and, if `rotate`, moved on seat by seat.
    pub(crate) fn seated(table: usize, bots: &[usize], rotate: bool, luck: u64) -> Self {
        let shifts = if rotate { bots.len() } else { 1 };
        let seating = |shift: usize| {
            (0..bots.len()).map(|seat| bots[(seat + bots.len() - shift) % bots.len()]).collect()
        };
        let seatings = (0..shifts).map(seating).collect();
        let duel = match *bots {
            [first, second] if first != second => Some([first, second]),
            _ => None,
        };
        Self { table, seatings, duel, luck }
    }

    /// Games of a block.
    pub(crate) fn block(&self) -> u64 {
        self.seatings.len() as u64
    }
}

impl Stage {
    /// A stage in which each match has at least so many games.
    pub(crate) fn new(matches: Vec<Match>, games: u64) -> Self {
        let block = matches.iter().map(Match::block).min().unwrap_or(1);
        Self { matches, blocks: games.div_ceil(block), shard: None, test: None }
    }

    /// Blocks of all matches.
    pub(crate) fn units(&self) -> u64 {
        self.blocks * self.matches.len() as u64
    }

    /// Games of all matches.
    pub(crate) fn games(&self) -> u64 {
        self.matches.iter().map(|contest| contest.block() * self.blocks).sum()
    }

    /// The match and block of a unit of work: matches take turns, so that what
    /// is done is spread evenly whenever it is interrupted.
    pub(crate) fn unit(&self, unit: u64) -> (usize, u64) {
        let matches = self.matches.len() as u64;
        ((unit % matches) as usize, unit / matches)
    }
}

/// A stage at its place in a run.
#[derive(Debug)]
pub(crate) struct Course {
    pub(crate) stage: Stage,
    /// The number of the stage.
    number: usize,
    /// Games before it.
    games: u64,
}

impl Stage {
    /// The stage as number so and so, after so many games.
    pub(crate) fn course(self, number: usize, games: u64) -> Course {
        Course { stage: self, number, games }
    }
}

impl Course {
    /// What is known of the first game of a unit before it is played.
    pub(crate) fn first_record(&self, experiment: &Experiment, unit: u64) -> Record {
        let (at, block) = self.stage.unit(unit);
        let contest = &self.stage.matches[at];
        let luck = Rng::new(experiment.seed).split(self.number as u64);
        let luck = luck.split(contest.luck).split(block);
        let table = &experiment.tables[contest.table];
        let configs = table.configs.len();
        let config = match table.draw {
            Draw::InTurn => (block % configs as u64) as usize,
            Draw::BySeed => luck.split(1).below(configs),
        };
        Record {
            game: self.games + self.games_before(unit),
            stage: self.number as u32,
            r#match: at as u32,
            block,
            table: contest.table as u32,
            config: config as u32,
            // As many bits as every reader of JSON keeps.
            seed: luck.split(0).bits() >> 11,
            bots: Vec::new(),
            payoffs: Vec::new(),
            decisions: 0,
            chances: 0,
            forfeit: None,
        }
    }

    /// Games of this stage before those of a unit.
    fn games_before(&self, unit: u64) -> u64 {
        let (at, block) = self.stage.unit(unit);
        let games = |matches: &[Match]| matches.iter().map(Match::block).sum::<u64>();
        block * games(&self.stage.matches) + games(&self.stage.matches[..at])
    }
}

/// What the games of a match say about the first of its two bots.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct MatchResult {
    /// Scores of whole blocks.
    pub(crate) blocks: Scores,
    /// Scores of games.
    pub(crate) games: Scores,
}

impl MatchResult {
    /// Counts a block by the scores of its games.
    pub(crate) fn add(&mut self, scores: &[f64]) {
        scores.iter().for_each(|&score| self.games.add(score));
        self.blocks.add(scores.iter().sum::<f64>() / scores.len().max(1) as f64);
    }
}

/// What a test makes of the results of all matches together.
pub(crate) fn verdict((test, model): &(Sprt, Model), results: &[MatchResult]) -> Verdict {
    test.verdict(&counted(*model, results))
}

/// The scores that a test counts.
pub(crate) fn counted(model: Model, results: &[MatchResult]) -> Scores {
    let mut all = Scores::default();
    for result in results {
        all.merge(match model {
            Model::Pentanomial => &result.blocks,
            Model::Trinomial => &result.games,
        });
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duels_swap_all_seats() {
        assert_eq!(Match::duel(0, [4, 9], 2, 0).seatings, [[4, 9], [9, 4]]);
        let three = Match::duel(0, [0, 1], 3, 0).seatings;
        let expected = [[0, 1, 1], [1, 0, 1], [1, 1, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]];
        assert_eq!(three, expected);
    }

    #[test]
    fn seated_bots_rotate() {
        let contest = Match::seated(0, &[5, 6, 7], true, 0);
        assert_eq!(contest.seatings, [[5, 6, 7], [7, 5, 6], [6, 7, 5]]);
        assert_eq!(contest.duel, None);
        let fixed = Match::seated(0, &[5, 6], false, 0);
        assert_eq!((fixed.seatings.len(), fixed.duel), (1, Some([5, 6])));
    }

    #[test]
    fn units_take_turns() {
        let stage = Stage::new(vec![Match::duel(0, [0, 1], 2, 0), Match::duel(0, [0, 2], 2, 1)], 5);
        assert_eq!((stage.blocks, stage.units(), stage.games()), (3, 6, 12));
        let units: Vec<_> = (0..4).map(|unit| stage.unit(unit)).collect();
        assert_eq!(units, [(0, 0), (1, 0), (0, 1), (1, 1)]);
    }
}
