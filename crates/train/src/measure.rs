//! Gating, and the measurements on the ladder.

use std::time::Instant;

use meeple_arena::{Match, MatchTally, signed};
use meeple_bots::{BotSpec, Entrant};
use meeple_game::Rng;
use meeple_net::{Network, Precision, Predictor};
use meeple_stats::{Sprt, Verdict, wilson};

use crate::TrainError;
use crate::config::Gate;
use crate::folder::name;
use crate::ladder::{LadderRating, MatchResult, network_name, ratings};
use crate::run::{Run, stream};

impl Run<'_> {
    /// Plays the gating match of the new network, if one is due. Returns false if it was
    /// stopped.
    pub(crate) fn pass_gate(&mut self) -> Result<bool, TrainError> {
        let is_due = self.state.gated < self.state.iterations;
        let Some(gate) = self.config.gate.filter(|_| is_due) else {
            return Ok(true);
        };
        let candidate = self.state.iterations;
        self.progress.enter(format!("network {candidate} at the gate"));
        let Some((tally, is_better)) = self.play_gate(gate)? else { return Ok(false) };
        let verdict = if is_better { "plays from now on" } else { "is not taken" };
        self.progress.say(format!(
            "network {candidate} {verdict}: {:.1} % of {} games against network {}",
            100.0 * tally.score(),
            tally.games.len(),
            self.state.actor
        ));
        if is_better {
            self.keep_network(candidate)?;
            self.state.actor = candidate;
        }
        self.state.gated = candidate;
        self.commit()?;
        Ok(true)
    }

    /// Plays the new network against the current actor. Returns the result and whether the
    /// network passes; `None` if it was stopped.
    fn play_gate(&self, gate: Gate) -> Result<Option<(MatchTally, bool)>, TrainError> {
        let path = self.folder.file(&name::network(self.state.actor));
        let actor = Network::load(&self.info(), &path)?.compile(Precision::Float);
        let challenger = self.trainer.network().compile(Precision::Float);
        let (games, test) = match gate {
            Gate::Share(gate) => (gate.games, None),
            Gate::Sprt(gate) => {
                let (elo0, elo1, alpha, beta) = (gate.elo0, gate.elo1, gate.alpha, gate.beta);
                (gate.most_games, Some(Sprt { elo0, elo1, alpha, beta }))
            }
        };
        let verdict = |so_far: &MatchTally| test.map(|test| so_far.verdict(&test));
        let mut is_decided =
            |so_far: &MatchTally| verdict(so_far).is_some_and(|verdict| verdict != Verdict::Open);
        let bot = &self.config.evaluation.bot;
        let seed = self.stream(stream::GATE).split(self.state.iterations);
        let against_actor = Match {
            games,
            openings: self.openings(),
            ..self.versus(&challenger, bot, Some(&actor), seed)
        };
        let tally = against_actor.play(&mut is_decided)?;
        Ok(tally.map(|tally| {
            let is_better = match gate {
                Gate::Share(gate) => tally.score() >= gate.share,
                Gate::Sprt(_) => verdict(&tally) == Some(Verdict::AcceptElo1),
            };
            (tally, is_better)
        }))
    }

    /// Creates a match of a network against a bot, or against another network.
    fn versus<'s>(
        &'s self,
        network: &'s Predictor,
        bot: &'s BotSpec,
        rival: Option<&'s Predictor>,
        seed: Rng,
    ) -> Match<'s> {
        let evaluation = &self.config.evaluation;
        Match {
            game: &self.config.game,
            table: &self.config.table,
            first: Entrant { bot: &evaluation.bot, network: Some(network) },
            others: Entrant { bot, network: rival },
            games: evaluation.games,
            openings: 0,
            max_decisions: None,
            seed,
            threads: self.threads,
            stop: self.progress.switch().clone(),
        }
    }

    /// Returns the number of random opening decisions in games between networks. Chance events
    /// make games differ on their own, so games with chance need none.
    fn openings(&self) -> u32 {
        if self.info().chance { 0 } else { self.config.evaluation.openings }
    }

    /// Measures the network on the ladder if it is due. Returns false if it was stopped.
    pub(crate) fn measure(&mut self) -> Result<bool, TrainError> {
        let evaluation = self.config.evaluation.clone();
        let network = self.state.iterations;
        let is_due = evaluation.every > 0
            && network > 0
            && network.is_multiple_of(evaluation.every)
            && !self.state.measured.contains(&network);
        if !is_due {
            return Ok(true);
        }
        let start = Instant::now();
        let predictor = self.trainer.network().compile(Precision::Float);
        let seed = self.stream(stream::MEASURING).split(network);
        let mut results = Vec::new();
        for (number, opponent) in (0..).zip(&evaluation.ladder) {
            let name = opponent.to_string();
            self.progress.enter(format!("network {network} against {name}"));
            let seed = seed.split(number);
            let against_bot = self.versus(&predictor, opponent, None, seed);
            let Some(tally) = against_bot.play(&mut |_| false)? else { return Ok(false) };
            results.push(MatchResult::new(network, name, &tally));
        }
        let earlier = self.state.measured.iter().rev().take(evaluation.checkpoints);
        for (number, &other) in (evaluation.ladder.len() as u64..).zip(earlier) {
            let name = network_name(other);
            self.progress.enter(format!("network {network} against {name}"));
            let path = self.folder.file(&name::network(other));
            let rival = Network::load(&self.info(), &path)?.compile(Precision::Float);
            let (seed, bot) = (seed.split(number), &evaluation.bot);
            let against_rival = Match {
                openings: self.openings(),
                ..self.versus(&predictor, bot, Some(&rival), seed)
            };
            let Some(tally) = against_rival.play(&mut |_| false)? else { return Ok(false) };
            results.push(MatchResult::new(network, name, &tally));
        }
        self.keep_network(network)?;
        self.state.matches.extend(results.iter().cloned());
        self.state.measured.push(network);
        self.commit()?;
        self.tell_strength(network, &results, start.elapsed().as_secs_f64());
        Ok(true)
    }

    /// Stores the current network, which is kept while it is the actor or is rated.
    pub(crate) fn keep_network(&self, iterations: u64) -> Result<(), TrainError> {
        self.folder.make("networks")?;
        Ok(self.trainer.network().save(&self.folder.file(&name::network(iterations)))?)
    }

    /// Returns the ratings from all matches so far.
    pub(crate) fn ratings(&self) -> Vec<LadderRating> {
        let anchor = self.config.evaluation.ladder.first();
        anchor.map_or(Vec::new(), |anchor| ratings(&self.state.matches, &anchor.to_string()))
    }

    fn tell_strength(&mut self, network: u64, results: &[MatchResult], seconds: f64) {
        let ratings = self.ratings();
        let mine = ratings.iter().find(|rating| rating.network == Some(network));
        if let Some(LadderRating { elo, interval, .. }) = mine {
            let [shown, low, high] =
                [*elo, interval.ci_low, interval.ci_high].map(|elo| signed(elo, 0));
            self.progress.say(format!(
                "network {network}: {shown} Elo ({low} to {high}), measured in {seconds:.0} s"
            ));
            let _ = self.events.scalar("strength/elo", network, *elo as f32);
        }
        for result in results {
            let interval = wilson(result.points.round() as u64, result.games);
            let score = result.points / result.games.max(1) as f64;
            self.progress.say(format!(
                "  {:.1} % ({:.0} - {:.0} %) of {} games against {}",
                100.0 * score,
                100.0 * interval.ci_low,
                100.0 * interval.ci_high,
                result.games,
                result.opponent
            ));
            let _ =
                self.events.scalar(&format!("score/{}", result.opponent), network, score as f32);
        }
        self.progress.board().ratings = ratings;
        // A failed write is ignored: the report is informative only, and is written again
        // later.
        let _ = self.write_report();
    }
}
