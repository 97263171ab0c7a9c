//! A block: games with the same chance events, one for each seating of the bots.

use std::any::Any;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use meeple_game::{Action, ActionList, Game, Rng, Steps, Turn, View, play_out};
use meeple_net::Predictor;
use meeple_search::{SearchReport, StopFlag};

use super::{Played, Watch, play_game};
use crate::{Bot, BotSpec, Error, SeatView, seat_view};

/// A bot, by itself or by a network that is no file yet.
#[derive(Clone, Copy, Debug)]
pub struct Entrant<'a> {
    /// The bot.
    pub bot: &'a BotSpec,
    /// The network it plays by, if it plays by one.
    pub network: Option<&'a Predictor>,
}

impl Entrant<'_> {
    /// The bot, ready to play.
    fn build<G: Game>(&self, config: &G::Config) -> Result<Box<dyn Bot<G>>, Error> {
        match self.network {
            Some(network) => self.bot.build_with(config, network),
            None => self.bot.build(config),
        }
    }
}

/// Games that differ in who sits where, and in nothing else.
#[derive(Clone)]
pub struct Block<'a, 'c> {
    /// The bot with a number.
    pub entrant: &'a dyn Fn(usize) -> Entrant<'c>,
    /// Who sits where in each game, by number.
    pub seatings: &'a [Vec<usize>],
    /// Random decisions with which every game begins.
    pub openings: u32,
    /// The random seed of each game.
    pub seed: Rng,
}

impl fmt::Debug for Block<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Block").field("seatings", &self.seatings).finish_non_exhaustive()
    }
}

/// Observes the games of a block, one after the other.
pub trait BlockObserver {
    /// A game ended, with the bots seated like this.
    fn finished(&mut self, seating: &[usize], played: Played);

    /// Whether decisions are timed.
    fn is_timed(&self) -> bool {
        false
    }

    /// The seat that `view` is of chose `action`; `report` is that of its search, if it
    /// searched.
    fn decided(
        &mut self,
        _view: &dyn SeatView,
        _action: Action,
        _report: Option<&SearchReport>,
        _time: Duration,
    ) {
    }

    /// The outcome of a chance event is `action`.
    fn chanced(&mut self, _action: Action) {}

    /// Decisions after which a game is broken off as a draw, if there is such a number.
    fn limit(&self) -> Option<u64> {
        None
    }

    /// Whether the block should be left; see [`Watch::is_stopped`].
    fn is_stopped(&self) -> bool {
        false
    }

    /// The switch that interrupts bots in the middle of a decision, if there is one.
    fn switch(&self) -> Option<&StopFlag> {
        None
    }
}

/// Seats one bot among others that are all alike: at every seat once.
#[must_use]
pub fn one_among(one: usize, others: usize, seats: usize) -> Vec<Vec<usize>> {
    let seating = |at: usize| (0..seats).map(move |seat| if seat == at { one } else { others });
    (0..seats).map(|at| seating(at).collect()).collect()
}

/// Plays the games of a block one after the other. Returns whether all were played to
/// their end.
pub(crate) fn play_block<G: Game>(
    config: &Arc<G::Config>,
    block: &Block<'_, '_>,
    idle: &mut IdlePrograms,
    observer: &mut dyn BlockObserver,
) -> Result<bool, Error> {
    let mut roster = Roster { config: &**config, entrant: block.entrant, idle: idle.of::<G>() };
    let start = opening::<G>(config, block.openings, &block.seed);
    for seating in block.seatings {
        let bots = seating.iter().map(|&bot| roster.seat(bot));
        let mut bots = bots.collect::<Result<Vec<_>, _>>()?;
        let mut watch = Observed { observer: &mut *observer, config };
        let Some(played) = play_game(start, &mut bots, &block.seed, &mut watch)? else {
            return Ok(false);
        };
        let loser = played.forfeit.as_ref().map(|(loser, _)| loser.index());
        for (seat, (&number, bot)) in seating.iter().zip(bots).enumerate() {
            if loser != Some(seat) {
                roster.rise(number, bot);
            }
        }
        observer.finished(seating, played);
    }
    Ok(true)
}

/// Where the games of a block begin.
fn opening<G: Game>(config: &G::Config, openings: u32, seed: &Rng) -> G {
    // Streams from 0 on belong to chance events and seats.
    let mut rng = seed.split(u64::MAX);
    let mut scratch = ActionList::new();
    let (mut game, mut decisions) = (G::new(config), 0);
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

/// Plays random games, each from the stream of `root` with its number, and hands each to
/// `take`: they need no views and no bots, only the generator.
pub(crate) fn play_random<G: Game>(
    config: &G::Config,
    root: &Rng,
    games: Range<u64>,
    is_stopped: &dyn Fn() -> bool,
    take: &mut dyn FnMut(Played),
) {
    let mut scratch = ActionList::new();
    let start = G::new(config);
    for index in games {
        if is_stopped() {
            return;
        }
        let mut game = start;
        let steps: Steps = play_out(&mut game, &mut root.split(index), &mut scratch);
        let (payoffs, fault) = (game.payoffs(), game.fault());
        take(Played { steps, payoffs, cut: false, forfeit: None, fault });
    }
}

/// Tells the observer of a block what happens in a game.
struct Observed<'a, G: Game> {
    observer: &'a mut dyn BlockObserver,
    config: &'a Arc<G::Config>,
}

impl<G: Game> Watch<G> for Observed<'_, G> {
    fn is_timed(&self) -> bool {
        self.observer.is_timed()
    }

    fn decided(&mut self, game: &G, action: Action, bot: &dyn Bot<G>, time: Duration) {
        let Turn::Player(seat) = game.turn() else { return };
        let view = seat_view(View::new(game, seat), self.config);
        self.observer.decided(&view, action, bot.search_report(), time);
    }

    fn chanced(&mut self, action: Action) {
        self.observer.chanced(action);
    }

    fn limit(&self) -> Option<u64> {
        self.observer.limit()
    }

    fn is_stopped(&self) -> bool {
        self.observer.is_stopped()
    }

    fn switch(&self) -> Option<&StopFlag> {
        self.observer.switch()
    }
}

/// External programs of a thread at one table that wait for their next game.
#[derive(Default)]
pub struct IdlePrograms(Option<Box<dyn Any + Send>>);

impl fmt::Debug for IdlePrograms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IdlePrograms").finish_non_exhaustive()
    }
}

/// Programs with their numbers.
type Idle<G> = Vec<(usize, Box<dyn Bot<G>>)>;

impl IdlePrograms {
    fn of<G: Game>(&mut self) -> &mut Idle<G> {
        let idle = self.0.get_or_insert_with(|| Box::new(Idle::<G>::new()));
        idle.downcast_mut().expect("a table has one game")
    }
}

/// The bots of a thread by number: new ones for each game, so that no game depends on
/// another. External programs go on, because starting one takes time; they are told
/// that a game begins.
struct Roster<'a, 'c, G: Game> {
    config: &'a G::Config,
    entrant: &'a dyn Fn(usize) -> Entrant<'c>,
    /// Programs from earlier games. One that forfeited is not among them.
    idle: &'a mut Idle<G>,
}

impl<G: Game> Roster<'_, '_, G> {
    fn seat(&mut self, bot: usize) -> Result<Box<dyn Bot<G>>, Error> {
        match self.idle.iter().position(|(number, _)| *number == bot) {
            Some(at) => Ok(self.idle.swap_remove(at).1),
            None => (self.entrant)(bot).build(self.config),
        }
    }

    /// Takes a bot back after a game.
    fn rise(&mut self, number: usize, bot: Box<dyn Bot<G>>) {
        if matches!((self.entrant)(number).bot, BotSpec::External(_)) {
            self.idle.push((number, bot));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_sits_everywhere() {
        assert_eq!(one_among(4, 9, 2), [[4, 9], [9, 4]]);
        assert_eq!(one_among(0, 1, 3), [[0, 1, 1], [1, 0, 1], [1, 1, 0]]);
    }
}
