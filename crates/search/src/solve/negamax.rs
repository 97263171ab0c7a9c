//! Negamax with alpha-beta for two players who see everything.

use meeple_game::{Action, ActionList, Game, Turn};
use rustc_hash::FxHashMap;

use super::SolveError;

/// What is known of a state: its value lies between the two.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    low: f32,
    high: f32,
}

/// The exact value of states of a game without luck or secrets, for two whose
/// payoffs sum to 0.
///
/// ```
/// use meeple_game::Game;
/// use meeple_games::small::TicTacToe;
/// use meeple_search::solve::Negamax;
///
/// let start = TicTacToe::new(&Default::default());
/// assert_eq!(Negamax::new(1_000_000).value(&start)?, 0.0);
/// # Ok::<_, meeple_search::solve::SolveError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Negamax {
    known: FxHashMap<u64, Bounds>,
    limit: usize,
}

impl Negamax {
    /// A solver that remembers up to `limit` states and gives up beyond.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self { known: FxHashMap::default(), limit }
    }

    /// What the player to move gets when both play best; what the first seat
    /// got when the game is over.
    ///
    /// # Errors
    ///
    /// When the game is not of this kind, or has too many states.
    pub fn value<G: Game>(&mut self, state: &G) -> Result<f32, SolveError> {
        if G::LUCK || G::HIDDEN {
            return Err(SolveError::NotPerfect { game: G::NAME });
        }
        if state.players() != 2 {
            return Err(SolveError::Seats { game: G::NAME, players: state.players() });
        }
        self.search(state, -1.0, 1.0)
    }

    /// Every legal action with what it is worth to the player to move.
    ///
    /// # Errors
    ///
    /// As for [`value`](Self::value).
    pub fn actions<G: Game>(&mut self, state: &G) -> Result<Vec<(Action, f32)>, SolveError> {
        let mut actions = ActionList::new();
        state.legal_actions(&mut actions);
        let worth = |&action: &Action| {
            let mut next = *state;
            next.apply(action);
            let value = self.value(&next)?;
            Ok((action, if is_same_side(state, &next) { value } else { -value }))
        };
        actions.iter().map(worth).collect()
    }

    fn search<G: Game>(&mut self, state: &G, alpha: f32, beta: f32) -> Result<f32, SolveError> {
        let Turn::Player(_) = state.turn() else { return Ok(state.payoffs()[0]) };
        let key = state.key();
        let known = self.known.get(&key).copied().unwrap_or(Bounds { low: -1.0, high: 1.0 });
        if known.low >= beta || known.low == known.high {
            return Ok(known.low);
        }
        if known.high <= alpha {
            return Ok(known.high);
        }
        let (floor, ceiling) = (alpha.max(known.low), beta.min(known.high));
        let mut best = f32::NEG_INFINITY;
        let mut actions = ActionList::new();
        state.legal_actions(&mut actions);
        for &action in actions.iter() {
            let mut next = *state;
            next.apply(action);
            let floor = floor.max(best);
            best = best.max(if is_same_side(state, &next) {
                self.search(&next, floor, ceiling)?
            } else {
                -self.search(&next, -ceiling, -floor)?
            });
            if best >= ceiling {
                break;
            }
        }
        if self.known.len() >= self.limit && !self.known.contains_key(&key) {
            return Err(SolveError::TooLarge { game: G::NAME, limit: self.limit });
        }
        let low = if best > floor { best } else { known.low };
        let high = if best < ceiling { best } else { known.high };
        self.known.insert(key, Bounds { low, high });
        Ok(best)
    }
}

/// Whether a value of `next` is seen from the seat that moves in `state`; the
/// end is seen from the first seat.
fn is_same_side<G: Game>(state: &G, next: &G) -> bool {
    let seat = |game: &G| match game.turn() {
        Turn::Player(player) => player.index(),
        Turn::Chance | Turn::Over => 0,
    };
    seat(state) == seat(next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use meeple_game::Rng;
    use meeple_games::small::{ConnectFour, Pig, TicTacToe};

    #[test]
    fn tic_tac_toe_is_a_draw_from_every_first_square() {
        let start = TicTacToe::new(&Default::default());
        let actions = Negamax::new(10_000).actions(&start).unwrap();
        assert_eq!(actions.len(), 9);
        assert!(actions.iter().all(|&(_, value)| value == 0.0));
    }

    /// What the first seat gets when both play best, without any pruning.
    fn plain<G: Game>(state: &G) -> f32 {
        let Turn::Player(mover) = state.turn() else { return state.payoffs()[0] };
        let mut actions = ActionList::new();
        state.legal_actions(&mut actions);
        let sign = if mover.index() == 0 { 1.0 } else { -1.0 };
        let worth = |&action: &Action| {
            let mut next = *state;
            next.apply(action);
            sign * plain(&next)
        };
        sign * actions.iter().map(worth).fold(f32::NEG_INFINITY, f32::max)
    }

    #[test]
    fn pruning_changes_no_value() {
        let mut solver = Negamax::new(1_000_000);
        let (mut rng, mut scratch) = (Rng::new(1), ActionList::new());
        let mut wins = 0;
        for _ in 0..200 {
            let mut game = ConnectFour::new(&Default::default());
            for _ in 0..32 {
                if game.turn() != Turn::Over {
                    game.apply(game.sample_action(&mut rng, &mut scratch));
                }
            }
            let Turn::Player(mover) = game.turn() else { continue };
            let expected = if mover.index() == 0 { plain(&game) } else { -plain(&game) };
            assert_eq!(solver.value(&game), Ok(expected), "{game}");
            wins += usize::from(expected != 0.0);
        }
        assert!(wins > 5, "{wins}");
    }

    #[test]
    fn what_cannot_be_solved_is_refused() {
        let mut solver = Negamax::new(10);
        let pig = Pig::new(&Default::default());
        assert_eq!(solver.value(&pig), Err(SolveError::NotPerfect { game: "pig" }));
        let start = TicTacToe::new(&Default::default());
        let refused = solver.value(&start).unwrap_err();
        assert_eq!(refused.to_string(), "tic-tac-toe has more than the 10 states allowed");
    }
}
