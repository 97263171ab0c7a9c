//! Tuning of the options of a bot: grid search, coordinate search and an evolutionary algorithm.

use std::collections::BTreeMap;

use meeple_game::Rng;
use serde::Serialize;
use serde_json::Value;

use super::plan::Pool;
use super::stage::{Match, Stage};
use crate::MatchTally;
use crate::experiment::{BotEntry, Method, Tune};

/// The probability that a parameter of a child is mutated, to a uniformly random value.
const MUTATION: f64 = 0.3;

/// A candidate: the index of the value of each parameter.
type Genes = Vec<usize>;

/// The progress of tuning.
#[derive(Debug)]
enum TuningStage {
    Start,
    /// Candidates are being measured, in the stage with this number, from 1.
    Measure(usize),
    Validate,
    Done,
}

/// The state of tuning.
#[derive(Debug)]
pub(crate) struct Tuner {
    task: Tune,
    base: BotEntry,
    names: Vec<String>,
    values: Vec<Vec<Value>>,
    seats: Vec<usize>,
    opponents: Vec<usize>,
    rng: Rng,
    step: TuningStage,
    /// The candidates of the current stage.
    candidates: Vec<Genes>,
    /// The points and blocks of every candidate so far.
    measured: BTreeMap<Genes, (f64, u64)>,
    best: Genes,
}

/// The result of tuning.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Tuned {
    /// The options of the best candidate.
    pub options: BTreeMap<String, Value>,
    /// The best candidate.
    pub bot: String,
    /// Every candidate with its score against the opponents, best first.
    pub candidates: Vec<TunedCandidate>,
}

/// A candidate with its results.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TunedCandidate {
    /// Its options.
    pub options: BTreeMap<String, Value>,
    /// Its mean score.
    pub score: f64,
    /// The number of blocks of games.
    pub blocks: u64,
}

impl Tuner {
    pub(crate) fn new(
        task: &Tune,
        base: &BotEntry,
        seats: &[usize],
        seed: u64,
        pool: &mut Pool,
    ) -> Self {
        let own = [base.clone()];
        let opponents = if task.opponents.is_empty() { &own[..] } else { &task.opponents };
        let values: Vec<Vec<Value>> =
            task.parameters.values().map(|parameter| parameter.values()).collect();
        let mut tuner = Self {
            base: base.clone(),
            names: task.parameters.keys().cloned().collect(),
            best: values.iter().map(|values| values.len() / 2).collect(),
            values,
            seats: seats.to_vec(),
            opponents: opponents.iter().map(|entry| pool.number(entry)).collect(),
            rng: Rng::new(seed).split(u64::MAX),
            step: TuningStage::Start,
            candidates: Vec::new(),
            measured: BTreeMap::new(),
            task: task.clone(),
        };
        tuner.start_from_base();
        tuner
    }

    /// Starts from the values of the original bot, where they are among the candidate values.
    fn start_from_base(&mut self) {
        for (at, name) in self.names.iter().enumerate() {
            let same = |value: &Value| {
                let change = [(name.clone(), crate::experiment::plain(value))];
                self.base.bot.with_changes(&change).is_ok_and(|changed| changed == self.base.bot)
            };
            if let Some(value) = self.values[at].iter().position(same) {
                self.best[at] = value;
            }
        }
    }

    pub(crate) fn next(&mut self, pool: &mut Pool, last: Option<&[MatchTally]>) -> Option<Stage> {
        if let (TuningStage::Measure(_), Some(results)) = (&self.step, last) {
            self.count(results);
        }
        let stages = match self.step {
            TuningStage::Start => 0,
            TuningStage::Measure(stages) => stages,
            TuningStage::Validate | TuningStage::Done => {
                self.step = TuningStage::Done;
                return None;
            }
        };
        self.candidates = self.candidates_of(stages);
        if self.candidates.is_empty() {
            self.step = TuningStage::Validate;
            return Some(self.validation(pool));
        }
        self.step = TuningStage::Measure(stages + 1);
        Some(self.measurement(pool))
    }

    /// Returns the candidates to measure next; empty at the end of the search.
    fn candidates_of(&mut self, stages: usize) -> Vec<Genes> {
        match self.task.method {
            Method::Grid if stages == 0 => self.grid(),
            Method::Grid => Vec::new(),
            Method::Coordinate if stages < self.task.rounds * self.names.len() => {
                let parameter = stages % self.names.len();
                let with = |value: usize| {
                    let mut genes = self.best.clone();
                    genes[parameter] = value;
                    genes
                };
                (0..self.values[parameter].len()).map(with).collect()
            }
            Method::Coordinate => Vec::new(),
            Method::Evolution if stages == 0 => self.founders(),
            Method::Evolution if stages < self.task.rounds => self.children(),
            Method::Evolution => Vec::new(),
        }
    }

    /// Returns every combination of values.
    fn grid(&self) -> Vec<Genes> {
        let mut all: Vec<Genes> = vec![Vec::new()];
        for values in &self.values {
            all = (all.into_iter())
                .flat_map(|genes| (0..values.len()).map(move |at| [&genes[..], &[at]].concat()))
                .collect();
        }
        all
    }

    /// Returns the first generation: the original bot and random candidates.
    fn founders(&mut self) -> Vec<Genes> {
        let mut found = vec![self.best.clone()];
        // Bounds the attempts, since there may be fewer combinations than the population size.
        for _ in 0..self.task.population * 50 {
            if found.len() == self.task.population {
                break;
            }
            let genes: Genes =
                self.values.iter().map(|values| self.rng.below(values.len())).collect();
            if !found.contains(&genes) {
                found.push(genes);
            }
        }
        found
    }

    /// Returns the next generation: the better half of the last one (elitism), and its children
    /// by uniform crossover and mutation.
    fn children(&mut self) -> Vec<Genes> {
        let mut ranked = self.candidates.clone();
        ranked.sort_by(|a, b| self.score(b).total_cmp(&self.score(a)).then(a.cmp(b)));
        ranked.truncate(ranked.len().div_ceil(2));
        let elite = ranked.len();
        for _ in 0..self.task.population * 50 {
            if ranked.len() == self.task.population {
                break;
            }
            let parents = [self.rng.below(elite), self.rng.below(elite)];
            let mut child: Genes =
                (0..self.names.len()).map(|at| ranked[parents[self.rng.below(2)]][at]).collect();
            for (at, value) in child.iter_mut().enumerate() {
                if self.rng.unit() < MUTATION {
                    *value = self.rng.below(self.values[at].len());
                }
            }
            if !ranked.contains(&child) {
                ranked.push(child);
            }
        }
        ranked
    }

    /// Adds the results of the last stage, and updates the best candidate.
    fn count(&mut self, results: &[MatchTally]) {
        let matches = results.len() / self.candidates.len().max(1);
        for (genes, results) in self.candidates.iter().zip(results.chunks(matches.max(1))) {
            let (points, blocks) = self.measured.entry(genes.clone()).or_default();
            for result in results {
                *points += result.blocks.mean() * result.blocks.len() as f64;
                *blocks += result.blocks.len();
            }
        }
        let best = (self.candidates.iter())
            .max_by(|a, b| self.score(a).total_cmp(&self.score(b)).then(b.cmp(a)));
        self.best = best.cloned().unwrap_or_else(|| self.best.clone());
    }

    fn score(&self, genes: &Genes) -> f64 {
        let (points, blocks) = self.measured.get(genes).copied().unwrap_or_default();
        if blocks == 0 { 0.5 } else { points / blocks as f64 }
    }

    /// The stage of measuring every candidate against every opponent at every table, with common
    /// random numbers: all candidates get the same chance events.
    fn measurement(&self, pool: &mut Pool) -> Stage {
        let mut matches = Vec::new();
        for genes in &self.candidates {
            let candidate = pool.number(&self.entry(genes));
            for (table, &seats) in self.seats.iter().enumerate() {
                for (at, &opponent) in self.opponents.iter().enumerate() {
                    let stream = (table * self.opponents.len() + at) as u64;
                    matches.push(Match::paired(table, [candidate, opponent], seats, stream));
                }
            }
        }
        Stage::new(matches, self.task.games)
    }

    /// The validation stage: the best candidate against the original bot, with new chance events.
    fn validation(&self, pool: &mut Pool) -> Stage {
        let pair = [pool.number(&self.entry(&self.best)), pool.number(&self.base)];
        let pairing =
            |(table, &seats): (usize, &usize)| Match::paired(table, pair, seats, table as u64);
        let matches = self.seats.iter().enumerate().map(pairing).collect();
        Stage::new(matches, self.task.validation_games)
    }

    fn options(&self, genes: &Genes) -> BTreeMap<String, Value> {
        let value =
            |(at, name): (usize, &String)| (name.clone(), self.values[at][genes[at]].clone());
        self.names.iter().enumerate().map(value).collect()
    }

    fn entry(&self, genes: &Genes) -> BotEntry {
        let changes: Vec<(String, String)> = (self.options(genes).iter())
            .map(|(name, value)| (name.clone(), crate::experiment::plain(value)))
            .collect();
        let bot = self.base.bot.with_changes(&changes).expect("every value was checked");
        // A candidate may equal the original bot, and still needs a label of its own.
        let options: Vec<String> =
            changes.iter().map(|(name, value)| format!("{name}={value}")).collect();
        BotEntry { label: format!("candidate {}", options.join(",")), bot }
    }

    /// Whether all candidates have been measured.
    pub(crate) fn is_validating(&self) -> bool {
        matches!(self.step, TuningStage::Validate | TuningStage::Done)
    }

    /// Returns the result so far.
    pub(crate) fn found(&self) -> Tuned {
        let mut candidates: Vec<TunedCandidate> = (self.measured.iter())
            .map(|(genes, &(points, blocks))| TunedCandidate {
                options: self.options(genes),
                score: points / blocks.max(1) as f64,
                blocks,
            })
            .collect();
        candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
        Tuned {
            options: self.options(&self.best),
            bot: self.entry(&self.best).bot.to_string(),
            candidates,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Parameter;

    /// Tunes against a synthetic objective: the score decreases with the distance from the best
    /// values.
    fn tune(method: Method, rounds: usize) -> (Tuned, usize) {
        let numbers = |last: f64| Parameter::Range([1.0, last, 1.0]);
        let task = Tune {
            method,
            parameters: [
                ("sims".to_owned(), numbers(9.0)),
                ("determinizations".to_owned(), numbers(5.0)),
            ]
            .into(),
            games: 10,
            validation_games: 4,
            population: 10,
            rounds,
            opponents: Vec::new(),
        };
        let base = BotEntry {
            label: "base".into(),
            bot: "mcts:sims=2,determinizations=2".parse().unwrap(),
        };
        let mut pool = Pool::default();
        let mut tuner = Tuner::new(&task, &base, &[2], 1, &mut pool);
        let mut results: Option<Vec<MatchTally>> = None;
        let mut stages = 0;
        while let Some(stage) = tuner.next(&mut pool, results.as_deref()) {
            stages += 1;
            let result_of = |pairing: &Match| {
                let text = pool.0[pairing.pair.unwrap()[0]].bot.to_string();
                let number = |name: &str| -> f64 {
                    let (_, rest) = text.split_once(name).unwrap();
                    rest.split(',').next().unwrap().parse().unwrap()
                };
                let lack =
                    (number("sims=") - 7.0).abs() + (number("determinizations=") - 4.0).abs();
                let mut result = MatchTally::default();
                (0..5).for_each(|_| result.add(&[1.0 - lack / 20.0]));
                result
            };
            results = Some(stage.matches.iter().map(result_of).collect());
        }
        (tuner.found(), stages)
    }

    #[test]
    fn every_method_finds_the_best_values() {
        for (method, rounds, stages) in
            [(Method::Grid, 1, 2), (Method::Coordinate, 2, 5), (Method::Evolution, 8, 9)]
        {
            let (tuned, played) = tune(method, rounds);
            assert_eq!(played, stages, "{method:?}");
            let options: Vec<String> =
                tuned.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
            assert_eq!(options, ["determinizations=4", "sims=7"], "{method:?}");
            assert_eq!(tuned.bot, "mcts:sims=7,c=1,determinizations=4");
            assert_eq!(tuned.candidates[0].score, 1.0);
        }
        assert_eq!(tune(Method::Evolution, 3), tune(Method::Evolution, 3));
    }
}
