//! The driver: plays a game event by event.

use meeple_rng::Rng;

use crate::{Action, ActionList, Game, IllegalAction, MAX_PLAYERS, Payoffs, Player, Steps, Turn};

/// A state that a [`Driver`] can play: every [`Game`], and positions whose game is chosen at
/// run time.
pub trait Playable {
    /// Returns the number of seats.
    fn players(&self) -> usize;

    /// Returns who decides now.
    fn turn(&self) -> Turn;

    /// Draws a chance outcome by its probability.
    fn sample_chance(&self, rng: &mut Rng) -> Action;

    /// Plays a legal action or a chance outcome.
    ///
    /// # Panics
    ///
    /// May panic when `action` is neither.
    fn apply(&mut self, action: Action);

    /// Plays `action` if it is one of the choices here.
    ///
    /// # Errors
    ///
    /// When it is not; the state is unchanged.
    fn try_apply(&mut self, action: Action) -> Result<(), IllegalAction>;

    /// Returns the payoff of each seat; all 0 before the end.
    fn payoffs(&self) -> Payoffs;

    /// Returns why a finished game has no result by its rules; see [`Game::fault`].
    fn fault(&self) -> Option<&'static str>;
}

impl<G: Game> Playable for G {
    #[inline]
    fn players(&self) -> usize {
        Game::players(self)
    }

    #[inline]
    fn turn(&self) -> Turn {
        Game::turn(self)
    }

    #[inline]
    fn sample_chance(&self, rng: &mut Rng) -> Action {
        Game::sample_chance(self, rng)
    }

    #[inline]
    fn apply(&mut self, action: Action) {
        Game::apply(self, action);
    }

    fn try_apply(&mut self, action: Action) -> Result<(), IllegalAction> {
        Game::try_apply(self, action)
    }

    #[inline]
    fn payoffs(&self) -> Payoffs {
        Game::payoffs(self)
    }

    #[inline]
    fn fault(&self) -> Option<&'static str> {
        Game::fault(self)
    }
}

/// The random stream that chance events are drawn from.
#[derive(Debug)]
pub enum ChanceStream<'a> {
    /// One generator, drawn from in order. The caller may draw from it in between.
    Sequential(&'a mut Rng),
    /// A separate stream for each chance event, numbered by the chance events before it:
    /// different players can be dealt the same chance events.
    PerChanceEvent(&'a Rng),
    /// A separate stream for each event, numbered by all events before it: undoing and
    /// replaying an action leads to the same dice.
    PerEvent(&'a Rng),
}

/// The result of [`Driver::next`]: an event that was played, or what the driver waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// This chance outcome was drawn and played.
    Chance(Action),
    /// This player must decide; continue with [`Driver::play`].
    Decision(Player),
    /// The game is over; [`Driver::end`] says how it ended.
    Over,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// By its rules.
    Finished,
    /// It exceeded a bound of its implementation, which counts as a draw.
    Fault(&'static str),
    /// It reached the limit of decisions, which counts as a draw.
    Limit,
    /// This player lost before the end of the game: a bot failed or a person resigned.
    Forfeit(Player),
}

/// A game in progress. It draws chance events, counts events, and records when and how the
/// game ended; the caller decides for the players.
///
/// Playing to the end and stepping are the same loop:
///
/// ```
/// use meeple_game::{ActionList, ChanceStream, Driver, Event, Game, Payoffs, Rng};
///
/// fn play_randomly<G: Game>(game: G, rng: &mut Rng) -> Payoffs {
///     let (mut driver, mut scratch) = (Driver::new(game), ActionList::new());
///     loop {
///         match driver.next(ChanceStream::Sequential(rng)) {
///             Event::Chance(_) => {}
///             Event::Decision(_) => _ = driver.play_sampled(rng, &mut scratch),
///             Event::Over => return driver.payoffs(),
///         }
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Driver<S> {
    state: S,
    steps: Steps,
    /// Decisions after which the game is ended as a draw.
    limit: Option<u64>,
    /// An end that is not part of the state: a forfeit or the limit of decisions.
    outside_end: Option<End>,
}

impl<S: Playable> Driver<S> {
    /// Starts at `state`.
    #[inline]
    pub const fn new(state: S) -> Self {
        Self { state, steps: Steps { decisions: 0, chances: 0 }, limit: None, outside_end: None }
    }

    /// Ends the game as a draw after this many decisions; `None` sets no limit.
    #[must_use]
    pub fn with_limit(self, limit: Option<u64>) -> Self {
        Self { limit, ..self }
    }

    /// Returns the current state.
    #[inline]
    pub fn state(&self) -> &S {
        &self.state
    }

    /// Replaces the state by another one after the same events, such as a determinization.
    pub fn set_state(&mut self, state: S) {
        self.state = state;
    }

    /// Consumes the driver and returns its state.
    pub fn into_state(self) -> S {
        self.state
    }

    /// Returns the number of events so far.
    #[inline]
    pub fn steps(&self) -> Steps {
        self.steps
    }

    /// Plays the chance event at a chance node; otherwise returns who must decide.
    #[inline]
    pub fn next(&mut self, chance: ChanceStream<'_>) -> Event {
        if self.outside_end.is_some() {
            return Event::Over;
        }
        match self.state.turn() {
            Turn::Player(_) if self.limit.is_some_and(|limit| self.steps.decisions >= limit) => {
                self.outside_end = Some(End::Limit);
                Event::Over
            }
            Turn::Player(player) => Event::Decision(player),
            Turn::Chance => {
                let state = &self.state;
                let numbered = |base: &Rng, number| state.sample_chance(&mut base.split(number));
                let outcome = match chance {
                    ChanceStream::Sequential(rng) => state.sample_chance(rng),
                    ChanceStream::PerChanceEvent(base) => numbered(base, self.steps.chances),
                    ChanceStream::PerEvent(base) => numbered(base, self.steps.total()),
                };
                self.state.apply(outcome);
                self.steps.chances += 1;
                Event::Chance(outcome)
            }
            Turn::Over => Event::Over,
        }
    }

    /// Plays the decision of the player to move, a legal action.
    ///
    /// # Panics
    ///
    /// May panic when `action` is not legal.
    #[inline]
    pub fn play(&mut self, action: Action) {
        self.state.apply(action);
        self.steps.decisions += 1;
    }

    /// Plays a legal action or a chance outcome that was chosen or recorded elsewhere.
    ///
    /// # Errors
    ///
    /// When it is neither; nothing is changed.
    pub fn try_play(&mut self, action: Action) -> Result<(), IllegalAction> {
        let is_chance = self.state.turn() == Turn::Chance;
        self.state.try_apply(action)?;
        *if is_chance { &mut self.steps.chances } else { &mut self.steps.decisions } += 1;
        Ok(())
    }

    /// Ends the game with a loss of `loser`.
    pub fn forfeit(&mut self, loser: Player) {
        self.outside_end = Some(End::Forfeit(loser));
    }

    /// Returns how the game ended; `None` before.
    pub fn end(&self) -> Option<End> {
        match self.outside_end {
            Some(end) => Some(end),
            None if self.state.turn() == Turn::Over => {
                Some(self.state.fault().map_or(End::Finished, End::Fault))
            }
            None => None,
        }
    }

    /// Returns the payoff of each seat; all 0 before the end. A seat that forfeits gets -1,
    /// and the others share 1.
    pub fn payoffs(&self) -> Payoffs {
        match self.outside_end {
            None => self.state.payoffs(),
            Some(End::Forfeit(loser)) => forfeit_payoffs(loser, self.state.players()),
            Some(End::Limit | End::Fault(_) | End::Finished) => Payoffs::default(),
        }
    }
}

impl<G: Game> Driver<G> {
    /// Plays a random legal action for the player to move, as [`Game::apply_sampled`] draws it.
    #[inline]
    pub fn play_sampled(&mut self, rng: &mut Rng, scratch: &mut ActionList) -> Action {
        self.steps.decisions += 1;
        self.state.apply_sampled(rng, scratch)
    }
}

/// Returns the payoffs of a forfeited game: -1 for `loser`, and the others share 1.
fn forfeit_payoffs(loser: Player, players: usize) -> Payoffs {
    let mut payoffs = [0.0; MAX_PLAYERS];
    payoffs[..players].fill(1.0 / (players - 1) as f32);
    payoffs[loser.index()] = -1.0;
    payoffs
}
