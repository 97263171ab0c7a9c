//! Blocks: games with the same chance events, one for each seating of the bots.

use std::any::Any;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use meeple_game::{Action, ActionList, Game, Rng, Steps, Turn, View, play_out};
use meeple_net::Predictor;
use meeple_search::{SearchReport, StopFlag};

use super::{Played, Watch, play_game};
use crate::bots::seat_view;
use crate::{Bot, BotSpec, Error, SeatView};

/// A bot, optionally with a network that is not in a file.
#[derive(Clone, Copy, Debug)]
pub struct Entrant<'a> {
    /// The bot.
    pub bot: &'a BotSpec,
    /// The network, for bots that play with one.
    pub network: Option<&'a Predictor>,
}

impl Entrant<'_> {
    /// Builds the bot for `G`.
    fn build<G: Game>(&self, config: &G::Config) -> Result<Box<dyn Bot<G>>, Error> {
        match self.network {
            Some(network) => self.bot.build_with(config, network),
            None => self.bot.build(config),
        }
    }
}

/// Games that differ only in their seating.
#[derive(Clone)]
pub struct Block<'a, 'c> {
    /// Returns the bot with an index.
    pub entrant: &'a dyn Fn(usize) -> Entrant<'c>,
    /// The seatings, one for each game: the bot index of every seat.
    pub seatings: &'a [Vec<usize>],
    /// The number of random decisions at the start of every game.
    pub openings: u32,
    /// The random generator that every game starts with. Equal seeds give equal chance events.
    pub seed: Rng,
}

impl fmt::Debug for Block<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Block").field("seatings", &self.seatings).finish_non_exhaustive()
    }
}

/// Observes the games of a block, in the order of play.
pub trait BlockObserver {
    /// Called at the end of each game, with its seating.
    fn finished(&mut self, seating: &[usize], played: Played);

    /// Whether decisions are timed.
    fn is_timed(&self) -> bool {
        false
    }

    /// Called after each decision, with the view of the deciding seat, and the report of its
    /// search if it searches.
    fn decided(
        &mut self,
        _view: &dyn SeatView,
        _action: Action,
        _report: Option<&SearchReport>,
        _time: Duration,
    ) {
    }

    /// Called after each chance event.
    fn chanced(&mut self, _action: Action) {}

    /// The maximum number of decisions of a game, after which it is a draw; `None` for no limit.
    fn limit(&self) -> Option<u64> {
        None
    }

    /// Whether to abort the block; see [`Watch::is_stopped`].
    fn is_stopped(&self) -> bool {
        false
    }

    /// The flag that interrupts bots during a decision, if there is one.
    fn switch(&self) -> Option<&StopFlag> {
        None
    }
}

/// Returns the seatings of one bot among copies of another: each seat once.
#[must_use]
pub fn one_among(one: usize, others: usize, seats: usize) -> Vec<Vec<usize>> {
    let seating = |at: usize| (0..seats).map(move |seat| if seat == at { one } else { others });
    (0..seats).map(|at| seating(at).collect()).collect()
}

/// Plays the games of a block in sequence. Returns whether all of them finished.
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

/// Returns the initial state of the games of a block, after their random opening.
fn opening<G: Game>(config: &G::Config, openings: u32, seed: &Rng) -> G {
    // Streams from 0 on are those of chance events and seats.
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

/// Plays games with uniformly random actions and passes each to `take`. Game `i` uses stream `i`
/// of `root`. This fast path needs neither views nor bots.
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

/// Forwards the events of a game to the observer of its block.
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

/// The idle external programs of one thread at one table.
#[derive(Default)]
pub struct IdlePrograms(Option<Box<dyn Any + Send>>);

impl fmt::Debug for IdlePrograms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IdlePrograms").finish_non_exhaustive()
    }
}

/// Programs with their bot indices.
type Idle<G> = Vec<(usize, Box<dyn Bot<G>>)>;

impl IdlePrograms {
    fn of<G: Game>(&mut self) -> &mut Idle<G> {
        let idle = self.0.get_or_insert_with(|| Box::new(Idle::<G>::new()));
        idle.downcast_mut().expect("a table has one game")
    }
}

/// The bots of a thread, by index. Bots are built for each game, so that games are independent.
/// External programs are reused, because they are slow to start; they are notified of each new
/// game.
struct Roster<'a, 'c, G: Game> {
    config: &'a G::Config,
    entrant: &'a dyn Fn(usize) -> Entrant<'c>,
    /// Programs of earlier games, except those that forfeited.
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
