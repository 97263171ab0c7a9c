//! The games of a stage of an experiment, each with a fixed number.

use meeple_game::Rng;

use super::record::Record;
use crate::MatchTally;
use crate::experiment::{Draw, Experiment, Model};
use meeple_bots::one_among;
use meeple_stats::{Sprt, Verdict};

/// Matches that are interleaved.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stage {
    /// The matches.
    pub(crate) matches: Vec<Match>,
    /// The schedule in which their blocks are interleaved.
    segments: Vec<Segment>,
    /// The number of blocks whose samples form a file, if samples are kept.
    pub(crate) shard: Option<u64>,
    /// The sequential test that may end the stage early.
    pub(crate) test: Option<(Sprt, Model)>,
}

/// Consecutive rounds in which the same matches play one block each, in turn.
#[derive(Clone, Debug, PartialEq)]
struct Segment {
    /// The number of rounds before this segment.
    first: u64,
    rounds: u64,
    matches: Vec<usize>,
}

/// Blocks of games between the same bots at one table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Match {
    /// The table.
    pub(crate) table: usize,
    /// The seatings of a block, one for each game.
    pub(crate) seatings: Vec<Vec<usize>>,
    /// The two bots to compare, if there are two.
    pub(crate) pair: Option<[usize; 2]>,
    /// The random stream. Matches with the same number get the same chance events.
    pub(crate) stream: u64,
}

impl Match {
    /// Pairs two bots at a table: each plays every seat, with the same chance events. With more
    /// than two seats, each plays every seat once against copies of the other.
    pub(crate) fn paired(
        table: usize,
        [first, second]: [usize; 2],
        seats: usize,
        stream: u64,
    ) -> Self {
        let mut seatings = one_among(first, second, seats);
        if seats > 2 {
            seatings.extend(one_among(second, first, seats));
        }
        Self { table, seatings, pair: Some([first, second]), stream }
    }

    /// Seats the bots in the given order and, if `rotate`, in all its rotations.
    pub(crate) fn seated(table: usize, bots: &[usize], rotate: bool, stream: u64) -> Self {
        let shifts = if rotate { bots.len() } else { 1 };
        let seating = |shift: usize| {
            (0..bots.len()).map(|seat| bots[(seat + bots.len() - shift) % bots.len()]).collect()
        };
        let seatings = (0..shifts).map(seating).collect();
        let pair = match *bots {
            [first, second] if first != second => Some([first, second]),
            _ => None,
        };
        Self { table, seatings, pair, stream }
    }

    /// The number of games of a block.
    pub(crate) fn block(&self) -> u64 {
        self.seatings.len() as u64
    }
}

impl Stage {
    /// Creates a stage in which each match has at least `games` games, in whole blocks.
    pub(crate) fn new(matches: Vec<Match>, games: u64) -> Self {
        let blocks: Vec<u64> =
            matches.iter().map(|pairing| games.div_ceil(pairing.block())).collect();
        let mut ends = blocks.clone();
        ends.sort_unstable();
        ends.dedup();
        let mut first = 0;
        let segment = |end: u64| {
            let rounds = end - first;
            let matches = (0..blocks.len()).filter(|&at| blocks[at] >= end).collect();
            let segment = Segment { first, rounds, matches };
            first = end;
            segment
        };
        Self { segments: ends.into_iter().map(segment).collect(), matches, shard: None, test: None }
    }

    /// The number of blocks of all matches.
    pub(crate) fn units(&self) -> u64 {
        self.segments.iter().map(|segment| segment.rounds * segment.matches.len() as u64).sum()
    }

    /// The number of games of all matches.
    pub(crate) fn games(&self) -> u64 {
        self.segments.iter().map(|segment| segment.rounds * self.round_games(segment)).sum()
    }

    fn round_games(&self, segment: &Segment) -> u64 {
        segment.matches.iter().map(|&at| self.matches[at].block()).sum()
    }

    /// Returns the match and block of a unit. Matches are interleaved, so that an interrupted run
    /// has evenly distributed results.
    pub(crate) fn unit(&self, unit: u64) -> (usize, u64) {
        let (segment, rest) = self.segment(unit);
        let width = segment.matches.len() as u64;
        (segment.matches[(rest % width) as usize], segment.first + rest / width)
    }

    /// Returns the segment of a unit, and the index of the unit in it.
    fn segment(&self, unit: u64) -> (&Segment, u64) {
        let mut rest = unit;
        for segment in &self.segments {
            let units = segment.rounds * segment.matches.len() as u64;
            if rest < units {
                return (segment, rest);
            }
            rest -= units;
        }
        unreachable!("unit {unit} of {}", self.units())
    }

    /// Returns the number of games before a unit.
    fn games_before(&self, unit: u64) -> u64 {
        let (segment, rest) = self.segment(unit);
        let width = segment.matches.len() as u64;
        let earlier = self.segments.iter().take_while(|other| other.first < segment.first);
        let earlier: u64 = earlier.map(|other| other.rounds * self.round_games(other)).sum();
        let round = &segment.matches[..(rest % width) as usize];
        let round: u64 = round.iter().map(|&at| self.matches[at].block()).sum();
        earlier + rest / width * self.round_games(segment) + round
    }
}

/// A stage with its position in the run.
#[derive(Debug)]
pub(crate) struct ScheduledStage {
    pub(crate) stage: Stage,
    /// The index of the stage.
    number: usize,
    /// The number of games before it.
    games: u64,
}

impl Stage {
    /// Schedules the stage with the index `number`, after `games` games.
    pub(crate) fn scheduled(self, number: usize, games: u64) -> ScheduledStage {
        ScheduledStage { stage: self, number, games }
    }
}

impl ScheduledStage {
    /// Returns the record of the first game of a unit, without the result.
    pub(crate) fn first_record(&self, experiment: &Experiment, unit: u64) -> Record {
        let (at, block) = self.stage.unit(unit);
        let pairing = &self.stage.matches[at];
        let rng = Rng::new(experiment.seed).split(self.number as u64);
        let rng = rng.split(pairing.stream).split(block);
        let table = &experiment.tables[pairing.table];
        let configs = table.configs.len();
        let config = match table.draw {
            Draw::InTurn => (block % configs as u64) as usize,
            Draw::BySeed => rng.split(1).below(configs),
        };
        Record {
            game: self.games + self.stage.games_before(unit),
            stage: self.number as u32,
            r#match: at as u32,
            block,
            table: pairing.table as u32,
            config: config as u32,
            // JSON readers with double-precision numbers keep 53 bits.
            seed: rng.split(0).bits() >> 11,
            bots: Vec::new(),
            payoffs: Vec::new(),
            decisions: 0,
            chances: 0,
            cut: false,
            forfeit: None,
            fault: None,
        }
    }
}

/// Returns the verdict of a test on the results of all matches.
pub(crate) fn verdict((test, model): &(Sprt, Model), results: &[MatchTally]) -> Verdict {
    test.verdict(counted(results).ratio(test, *model))
}

/// Adds up the results of all matches.
pub(crate) fn counted(results: &[MatchTally]) -> MatchTally {
    let mut all =
        results.first().map_or_else(MatchTally::default, |first| MatchTally::new(first.scoring));
    results.iter().for_each(|result| all.merge(result));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duels_swap_all_seats() {
        assert_eq!(Match::paired(0, [4, 9], 2, 0).seatings, [[4, 9], [9, 4]]);
        let three = Match::paired(0, [0, 1], 3, 0).seatings;
        let expected = [[0, 1, 1], [1, 0, 1], [1, 1, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]];
        assert_eq!(three, expected);
    }

    #[test]
    fn seated_bots_rotate() {
        let pairing = Match::seated(0, &[5, 6, 7], true, 0);
        assert_eq!(pairing.seatings, [[5, 6, 7], [7, 5, 6], [6, 7, 5]]);
        assert_eq!(pairing.pair, None);
        let fixed = Match::seated(0, &[5, 6], false, 0);
        assert_eq!((fixed.seatings.len(), fixed.pair), (1, Some([5, 6])));
    }

    #[test]
    fn units_take_turns() {
        let matches = vec![Match::paired(0, [0, 1], 3, 0), Match::paired(0, [0, 2], 2, 1)];
        let stage = Stage::new(matches, 8);
        assert_eq!((stage.units(), stage.games()), (6, 20), "two blocks of six, four of two");
        let units: Vec<_> = (0..6).map(|unit| stage.unit(unit)).collect();
        assert_eq!(units, [(0, 0), (1, 0), (0, 1), (1, 1), (1, 2), (1, 3)]);
        let games: Vec<_> = (0..6).map(|unit| stage.games_before(unit)).collect();
        assert_eq!(games, [0, 6, 8, 14, 16, 18]);
    }
}
