//! Negamax with alpha-beta pruning (Knuth and Moore, 1975) and a transposition table.

use meeple_game::{Action, ActionList, Game, Turn};
use rustc_hash::FxHashMap;

use super::SolveError;

/// The bounds of a state's value.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    low: f32,
    high: f32,
}

/// Exact values of deterministic two-player zero-sum games with perfect information.
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
    table: FxHashMap<u64, Bounds>,
    limit: usize,
}

impl Negamax {
    /// Creates a solver whose transposition table holds up to `limit` states.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self { table: FxHashMap::default(), limit }
    }

    /// The minimax value for the player to move; for the first player if the game is over.
    ///
    /// # Errors
    ///
    /// Fails if the game is not supported or has more states than allowed.
    pub fn value<G: Game>(&mut self, state: &G) -> Result<f32, SolveError> {
        if state.has_chance() || state.has_imperfect_information() {
            return Err(SolveError::NotPerfect { game: state.name() });
        }
        if state.players() != 2 {
            return Err(SolveError::Seats { game: state.name(), players: state.players() });
        }
        self.search(state, -1.0, 1.0)
    }

    /// The minimax value of every legal action for the player to move.
    ///
    /// # Errors
    ///
    /// Fails like [`value`](Self::value).
    pub fn actions<G: Game>(&mut self, state: &G) -> Result<Vec<(Action, f32)>, SolveError> {
        let mut actions = ActionList::new();
        state.legal_actions(&mut actions);
        let value_of = |&action: &Action| {
            let mut next = *state;
            next.apply(action);
            let value = self.value(&next)?;
            Ok((action, if is_same_side(state, &next) { value } else { -value }))
        };
        actions.iter().map(value_of).collect()
    }

    fn search<G: Game>(&mut self, state: &G, alpha: f32, beta: f32) -> Result<f32, SolveError> {
        let Turn::Player(_) = state.turn() else { return Ok(state.payoffs()[0]) };
        let key = state.key();
        let bounds = self.table.get(&key).copied().unwrap_or(Bounds { low: -1.0, high: 1.0 });
        if bounds.low >= beta || bounds.low == bounds.high {
            return Ok(bounds.low);
        }
        if bounds.high <= alpha {
            return Ok(bounds.high);
        }
        let (floor, ceiling) = (alpha.max(bounds.low), beta.min(bounds.high));
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
        if self.table.len() >= self.limit && !self.table.contains_key(&key) {
            return Err(SolveError::TooLarge { game: state.name(), limit: self.limit });
        }
        let low = if best > floor { best } else { bounds.low };
        let high = if best < ceiling { best } else { bounds.high };
        self.table.insert(key, Bounds { low, high });
        Ok(best)
    }
}

/// Whether the values of `next` and `state` refer to the same player; terminal values refer
/// to the first player.
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

    /// The minimax value for the first player, without pruning.
    fn minimax<G: Game>(state: &G) -> f32 {
        let Turn::Player(mover) = state.turn() else { return state.payoffs()[0] };
        let mut actions = ActionList::new();
        state.legal_actions(&mut actions);
        let sign = if mover.index() == 0 { 1.0 } else { -1.0 };
        let value_of = |&action: &Action| {
            let mut next = *state;
            next.apply(action);
            sign * minimax(&next)
        };
        sign * actions.iter().map(value_of).fold(f32::NEG_INFINITY, f32::max)
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
            let expected = if mover.index() == 0 { minimax(&game) } else { -minimax(&game) };
            assert_eq!(solver.value(&game), Ok(expected), "{game}");
            wins += usize::from(expected != 0.0);
        }
        assert!(wins > 5, "{wins}");
    }

    #[test]
    fn unsupported_games_are_rejected() {
        let mut solver = Negamax::new(10);
        let pig = Pig::new(&Default::default());
        assert_eq!(solver.value(&pig), Err(SolveError::NotPerfect { game: "pig" }));
        let start = TicTacToe::new(&Default::default());
        let refused = solver.value(&start).unwrap_err();
        assert_eq!(refused.to_string(), "tic-tac-toe has more than the 10 states allowed");
    }
}
