//! Games of one kind of player against itself.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use meeple_bots::{Block, BotSpec, Entrant, Error, IdlePrograms, Position};
use meeple_game::Rng;

use super::AssessOptions;
use super::luck::{Expectation, LuckMeter};
use super::record::{Coverage, GameRecord, Recorder};
use crate::RunProgress;
use crate::play::in_order;

/// The games of one kind of player.
pub(crate) struct Stage<'a> {
    pub(crate) table: &'a dyn Position,
    pub(crate) options: &'a AssessOptions,
    pub(crate) bot: &'a BotSpec,
    pub(crate) games: u64,
    /// The work of a game, in simulations per decision.
    pub(crate) weight: u64,
    /// How luck is measured, if it is.
    pub(crate) expectation: Option<Expectation>,
}

/// The games that were played.
#[derive(Default)]
pub(crate) struct StageDone {
    pub(crate) games: Vec<GameRecord>,
    pub(crate) coverage: Coverage,
}

impl Stage<'_> {
    /// Plays the games, as far as they are not stopped.
    pub(crate) fn play(&self, seed: &Rng, progress: &RunProgress) -> Result<StageDone, Error> {
        let entrant = |_: usize| Entrant { bot: self.bot, network: None };
        let seatings = [vec![0; self.table.players()]];
        let work = |idle: &mut IdlePrograms, game: u64, left: &AtomicBool| -> Result<_, Error> {
            let seed = seed.split(game);
            let luck = |expectation| LuckMeter::new(expectation, seed.split(LUCK));
            let mut recorder = Recorder {
                table: self.table,
                progress,
                left,
                max_decisions: self.options.max_decisions,
                luck: self.expectation.map(luck),
                events: Vec::new(),
                searched: Vec::new(),
                game: None,
            };
            let block = Block { entrant: &entrant, seatings: &seatings, openings: 0, seed };
            if !self.table.play_block(&block, idle, &mut recorder)? {
                return Ok(None);
            }
            progress.add_done(self.weight);
            Ok(recorder.game)
        };
        let mut done = StageDone::default();
        let take = |_, mut game: GameRecord| {
            done.coverage.merge(&std::mem::take(&mut game.coverage));
            done.games.push(game);
            Ok(ControlFlow::Continue(()))
        };
        in_order(self.options.threads, 0..self.games, IdlePrograms::default, work, take)?;
        Ok(done)
    }
}

/// The random stream of luck; those from 0 on are of chance events and seats.
const LUCK: u64 = 1 << 32;
