//! The view of one seat: everything that a bot receives of a state.

use meeple_rng::Rng;

use crate::{Action, ActionList, Game, GameInfo, ObservationSpec, Player, adopt_weights, focus};

/// A state as one seat sees it.
///
/// A bot receives a view and cannot reach the true state through it: there is no accessor.
/// [`sample`](View::sample) draws a determinization.
///
/// ```compile_fail
/// # use meeple_game::{Game, View};
/// fn cheat<G: Game>(view: &View<'_, G>) -> G {
///     *view.state // error: the field is private
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct View<'a, G> {
    state: &'a G,
    seat: Player,
}

impl<'a, G: Game> View<'a, G> {
    /// Creates the view of `seat` on `state`.
    ///
    /// # Panics
    ///
    /// Panics when the table has no such seat.
    #[must_use]
    pub fn new(state: &'a G, seat: Player) -> Self {
        assert!(seat.index() < state.players(), "{seat} of {} is empty", state.players());
        Self { state, seat }
    }

    /// Returns the seat of this view.
    #[must_use]
    pub fn seat(&self) -> Player {
        self.seat
    }

    /// Returns the static properties of this table.
    #[must_use]
    pub fn info(&self) -> GameInfo {
        self.state.info()
    }

    /// Returns the number of seats.
    #[must_use]
    pub fn players(&self) -> usize {
        self.state.players()
    }

    /// Replaces `out` by the legal actions of this seat; empty if it is not to decide.
    pub fn legal_actions(&self, out: &mut ActionList) {
        if self.state.turn() == crate::Turn::Player(self.seat) {
            self.state.legal_actions(out);
        } else {
            out.clear();
        }
    }

    /// Returns the layout of observations at this table.
    #[must_use]
    pub fn observation(&self) -> &'static ObservationSpec {
        self.state.observation()
    }

    /// Writes the observation of this seat.
    pub fn observe(&self, out: &mut [i32]) {
        self.state.observe(self.seat, out);
    }

    /// Returns a hash of the information state of this seat.
    #[must_use]
    pub fn info_key(&self) -> u64 {
        self.state.info_key(self.seat)
    }

    /// Returns the table as this seat sees it.
    #[must_use]
    pub fn text(&self) -> String {
        self.state.text(self.seat)
    }

    /// Returns the name of one of this seat's actions.
    #[must_use]
    pub fn action_name(&self, action: Action) -> String {
        self.state.action_name(action)
    }

    /// Calls `look` with the same view, but with the evaluation weights of `other`.
    pub fn reweighed<R>(&self, other: &G, look: impl FnOnce(&View<'_, G>) -> R) -> R {
        let mut state = *self.state;
        adopt_weights(&mut state, other);
        look(&View { state: &state, seat: self.seat })
    }

    /// Calls `look` with the same view, restricted to its [focus](crate::Companions::focus).
    pub fn focused<R>(&self, look: impl FnOnce(&View<'_, G>) -> R) -> R {
        let mut state = *self.state;
        focus(&mut state);
        look(&View { state: &state, seat: self.seat })
    }

    /// Returns a random state that this seat cannot distinguish from the true one; in games
    /// with perfect information, the true one itself.
    #[must_use]
    pub fn sample(&self, rng: &mut Rng) -> G {
        if self.state.has_imperfect_information() {
            self.state.determinize(self.seat, rng)
        } else {
            *self.state
        }
    }
}
