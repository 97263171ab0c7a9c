//! The sequence of stages of an experiment, which may depend on earlier results.

use super::stage::{Match, Stage};
use super::tune::Tuner;
use crate::MatchTally;
use crate::experiment::{BotEntry, Experiment, Schedule, Task};
use meeple_stats::Sprt;

/// The bots of a run, by index.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Pool(pub(crate) Vec<BotEntry>);

impl Pool {
    /// Returns the index of a bot, which is added if it is new.
    pub(crate) fn number(&mut self, entry: &BotEntry) -> usize {
        match self.0.iter().position(|known| known == entry) {
            Some(at) => at,
            None => {
                self.0.push(entry.clone());
                self.0.len() - 1
            }
        }
    }

    pub(crate) fn label(&self, bot: usize) -> &str {
        &self.0[bot].label
    }
}

/// The sequence of stages.
#[derive(Debug)]
pub(crate) enum StagePlan {
    /// Stages that are fixed from the start, last first.
    Known(Vec<Stage>),
    /// Stages that depend on earlier results.
    Tuning(Box<Tuner>),
}

impl StagePlan {
    /// Plans `experiment` for tables with the given numbers of seats.
    pub(crate) fn new(experiment: &Experiment, seats: &[usize], pool: &mut Pool) -> Self {
        let tables = 0..experiment.tables.len();
        let numbers: Vec<Vec<usize>> = (tables.clone())
            .map(|table| experiment.bots_of(table).iter().map(|entry| pool.number(entry)).collect())
            .collect();
        // A single bot plays all seats.
        let at_seats = |table: usize| match numbers[table][..] {
            [bot] => vec![bot; seats[table]],
            ref bots => bots.to_vec(),
        };
        let one = |stage: Stage| Self::Known(vec![stage]);
        match &experiment.task {
            Task::Simulate(task) => {
                let seated = |table: usize| {
                    Match::seated(table, &at_seats(table), task.rotate, table as u64)
                };
                one(Stage::new(tables.map(seated).collect(), task.games))
            }
            Task::Tournament(task) => {
                let mut matches = Vec::new();
                for table in tables {
                    for pair in pairs(&numbers[table], task.schedule) {
                        let stream = matches.len() as u64;
                        matches.push(Match::paired(table, pair, seats[table], stream));
                    }
                }
                one(Stage::new(matches, task.games))
            }
            Task::Sprt(task) => {
                let paired = |table: usize| {
                    let pair = [numbers[table][0], numbers[table][1]];
                    Match::paired(table, pair, seats[table], table as u64)
                };
                let test =
                    Sprt { elo0: task.elo0, elo1: task.elo1, alpha: task.alpha, beta: task.beta };
                let mut stage = Stage::new(tables.map(paired).collect(), task.games);
                stage.test = Some((test, task.model));
                one(stage)
            }
            Task::Collect(task) => {
                let mut stages: Vec<Stage> = (tables)
                    .map(|table| {
                        let seated = Match::seated(table, &at_seats(table), true, table as u64);
                        let shard = task.shard_games.div_ceil(seated.block());
                        let mut stage = Stage::new(vec![seated], task.games);
                        stage.shard = Some(shard);
                        stage
                    })
                    .collect();
                stages.reverse();
                Self::Known(stages)
            }
            Task::Benchmark(task) => {
                let mut matches = Vec::new();
                for table in tables {
                    for &bot in &numbers[table] {
                        let stream = matches.len() as u64;
                        matches.push(Match::seated(table, &vec![bot; seats[table]], false, stream));
                    }
                }
                one(Stage::new(matches, task.games))
            }
            Task::Tune(task) => {
                let base = &experiment.bots_of(0)[0];
                Self::Tuning(Box::new(Tuner::new(task, base, seats, experiment.seed, pool)))
            }
        }
    }

    /// Returns the next stage, given the results of the last one.
    pub(crate) fn next(&mut self, pool: &mut Pool, last: Option<&[MatchTally]>) -> Option<Stage> {
        match self {
            Self::Known(stages) => stages.pop(),
            Self::Tuning(tuner) => tuner.next(pool, last),
        }
    }
}

/// Returns the pairings of a schedule.
fn pairs(bots: &[usize], schedule: Schedule) -> Vec<[usize; 2]> {
    let hosts = match schedule {
        Schedule::RoundRobin => bots.len(),
        Schedule::Gauntlet => 1,
        Schedule::Ladder => return bots.array_windows().copied().collect(),
    };
    (0..hosts)
        .flat_map(|first| (first + 1..bots.len()).map(move |second| [bots[first], bots[second]]))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedules_pair_bots() {
        let bots = [3, 5, 8];
        assert_eq!(pairs(&bots, Schedule::RoundRobin), [[3, 5], [3, 8], [5, 8]]);
        assert_eq!(pairs(&bots, Schedule::Gauntlet), [[3, 5], [3, 8]]);
        assert_eq!(pairs(&bots, Schedule::Ladder), [[3, 5], [5, 8]]);
    }
}
