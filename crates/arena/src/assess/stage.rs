//! Games of one kind of player against itself, in units that share their chance events.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use meeple_bots::{Block, BotSpec, Entrant, Error, IdlePrograms, Position, Streams};
use meeple_game::Rng;

use super::AssessOptions;
use super::record::{Coverage, GameRecord, Recorder};
use crate::RunProgress;
use crate::play::in_order;

/// The games of one kind of player.
pub(crate) struct Stage<'a> {
    table: &'a dyn Position,
    options: &'a AssessOptions,
    units: u64,
    /// The number of games of a unit.
    games: u64,
    /// The work of a game, in simulations per decision.
    weight: u64,
}

/// The games that were played.
#[derive(Default)]
pub(crate) struct StageDone {
    /// The games, in units that share their chance events.
    pub(crate) units: Vec<Vec<GameRecord>>,
    pub(crate) coverage: Coverage,
}

impl<'a> Stage<'a> {
    /// Returns the random games and the games of the bot. Where there is chance, the bot plays
    /// every game twice, with the same chance events.
    pub(crate) fn of(table: &'a dyn Position, options: &'a AssessOptions) -> (Self, Self) {
        let games = if table.info().chance { 2 } else { 1 };
        let weight = options.bot.sims.into();
        (
            Self { table, options, units: options.random_games, games: 1, weight: 1 },
            Self { table, options, units: options.games.div_ceil(games), games, weight },
        )
    }

    /// The work of all games.
    pub(crate) fn work(&self) -> u64 {
        self.units * self.games * self.weight
    }

    /// Plays the units, as far as they are not stopped.
    pub(crate) fn play(
        &self,
        bot: &BotSpec,
        seed: &Rng,
        progress: &RunProgress,
    ) -> Result<StageDone, Error> {
        let entrant = |_: usize| Entrant { bot, network: None };
        let seatings = [vec![0; self.table.players()]];
        let work = |idle: &mut IdlePrograms, unit: u64, left: &AtomicBool| -> Result<_, Error> {
            let max_decisions = self.options.max_decisions;
            let mut recorder = Recorder::new(self.table, progress, left, max_decisions);
            let seed = seed.split(unit);
            for game in 0..self.games {
                // Stream 0 is that of chance.
                let streams = Streams { chance: seed.clone(), seats: seed.split(1 + game) };
                let block = Block { entrant: &entrant, seatings: &seatings, openings: 0, streams };
                if !self.table.play_block(&block, idle, &mut recorder)? {
                    return Ok(None);
                }
            }
            progress.add_done(self.games * self.weight);
            Ok(Some(recorder.games))
        };
        let mut done = StageDone::default();
        let take = |_, mut games: Vec<GameRecord>| {
            for game in &mut games {
                done.coverage.merge(&std::mem::take(&mut game.coverage));
            }
            done.units.push(games);
            Ok(ControlFlow::Continue(()))
        };
        in_order(self.options.threads, 0..self.units, IdlePrograms::default, work, take)?;
        Ok(done)
    }
}
