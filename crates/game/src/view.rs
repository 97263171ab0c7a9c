//! What one seat may know of a state: all that a bot ever gets.

use meeple_rng::Rng;

use crate::{Action, ActionList, Game, GameInfo, Player, adopt_weights, focus};

/// A state as one seat sees it.
///
/// A bot is handed a view and cannot reach the true state through it: there is
/// no accessor. [`sample`](View::sample) deals what the seat has not seen anew.
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
    /// What `seat` may know of `state`.
    ///
    /// # Panics
    ///
    /// Panics when nobody sits there.
    #[must_use]
    pub fn new(state: &'a G, seat: Player) -> Self {
        assert!(seat.index() < state.players(), "{seat} of {} is empty", state.players());
        Self { state, seat }
    }

    /// The seat that looks.
    #[must_use]
    pub fn seat(&self) -> Player {
        self.seat
    }

    /// What is known about this table before it is played.
    #[must_use]
    pub fn info(&self) -> GameInfo {
        self.state.info()
    }

    /// The number of seats.
    #[must_use]
    pub fn players(&self) -> usize {
        self.state.players()
    }

    /// Replaces `out` by what this seat may do now; nothing if it is not to
    /// decide.
    pub fn legal_actions(&self, out: &mut ActionList) {
        if self.state.turn() == crate::Turn::Player(self.seat) {
            self.state.legal_actions(out);
        } else {
            out.clear();
        }
    }

    /// Writes the observation of this seat.
    pub fn observe(&self, out: &mut [i32]) {
        self.state.observe(self.seat, out);
    }

    /// A hash of all that this seat knows.
    #[must_use]
    pub fn info_key(&self) -> u64 {
        self.state.info_key(self.seat)
    }

    /// The table as this seat sees it.
    #[must_use]
    pub fn text(&self) -> String {
        self.state.text(self.seat)
    }

    /// One of this seat's actions as people write it.
    #[must_use]
    pub fn action_name(&self, action: Action) -> String {
        self.state.action_name(action)
    }

    /// Shows the same to `look`, but for the weights of the estimate, which are
    /// those of `other`.
    pub fn reweighed<R>(&self, other: &G, look: impl FnOnce(&View<'_, G>) -> R) -> R {
        let mut state = *self.state;
        adopt_weights(&mut state, other);
        look(&View { state: &state, seat: self.seat })
    }

    /// Shows the same to `look`, [focused](crate::Companions::focus).
    pub fn focused<R>(&self, look: impl FnOnce(&View<'_, G>) -> R) -> R {
        let mut state = *self.state;
        focus(&mut state);
        look(&View { state: &state, seat: self.seat })
    }

    /// A random state that this seat cannot tell from the true one; the true
    /// one itself in games that hide nothing.
    #[must_use]
    pub fn sample(&self, rng: &mut Rng) -> G {
        if G::IMPERFECT_INFORMATION { self.state.determinize(self.seat, rng) } else { *self.state }
    }
}
