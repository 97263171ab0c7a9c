//! What chess tells alpha-beta search: evaluation, captures, exchanges, null moves, repetitions.

use meeple_game::{Action, ActionList, QUIET, Tactics, mix};

use super::exchange::{VALUES, captured, static_exchange};
use super::position::{KING, PAWN, QUEEN, kind_of};
use super::rules::noisy_moves;
use super::{Chess, ChessRules, evaluation};
use crate::described::Described;

/// The half-move clock from which positions that differ in it have different keys: the search
/// may reach the fifty-move rule.
const LATE_CLOCK: u8 = 60;

pub(super) const TACTICS: Tactics<Chess> = Tactics {
    evaluate: |game| evaluation::evaluate(&game.state().position),
    unit: 100,
    scale: SCALE,
    noisy_actions,
    exchanges,
    gain,
    is_in_check: |game| game.facts().is_check(),
    null_move,
    position_key: |game| {
        let position = &game.state().position;
        let clock = position.clock;
        position.key() ^ if clock < LATE_CLOCK { 0 } else { mix(u64::from(clock)) }
    },
    repetition: |game| game.state().last_occurrence(),
};

/// Centipawns whose expected payoff is tanh 1.
pub(super) const SCALE: i32 = 350;

fn noisy_actions(game: &Chess, out: &mut ActionList) {
    out.clear();
    let state = game.state();
    noisy_moves(state, game.facts(), |event| out.push(ChessRules::action_of(state, &event)));
}

/// Ranks captures by the most valuable victim, then the least valuable attacker, unless the static
/// exchange evaluation says that they lose material.
fn exchanges(game: &Chess, actions: &[Action], ranks: &mut [i32]) {
    let (state, position) = (game.state(), &game.state().position);
    for (rank, &action) in ranks.iter_mut().zip(actions) {
        let event = ChessRules::event_of(state, action);
        let victim = captured(position, &event);
        let is_queen = event.promotion == QUEEN;
        if victim.is_none() && !is_queen {
            *rank = QUIET;
            continue;
        }
        let attacker = usize::from(kind_of(position.at(event.from)));
        let worth = victim.map_or(0, |kind| VALUES[usize::from(kind)]);
        let is_safe = worth >= VALUES[attacker] && (event.promotion == 0 || is_queen);
        let exchange = if is_safe { worth } else { static_exchange(position, &event) };
        *rank = if exchange < 0 || event.promotion != 0 && !is_queen {
            exchange.min(-1)
        } else {
            worth * 16 + i32::from(is_queen) * VALUES[usize::from(QUEEN)] * 16 - attacker as i32
        };
    }
}

fn gain(game: &Chess, action: Action) -> i32 {
    let event = ChessRules::event_of(game.state(), action);
    let victim = captured(&game.state().position, &event);
    let promotion = if event.promotion == 0 { 0 } else { VALUES[usize::from(event.promotion)] };
    victim.map_or(0, |kind| VALUES[usize::from(kind)]) + promotion
}

/// A pass, unless the player is in check or has only pawns: then zugzwang is likely.
fn null_move(game: &Chess) -> Option<Chess> {
    let state = game.state();
    let position = &state.position;
    let pieces = position.side(position.mover()) & !(position.kind(PAWN) | position.kind(KING));
    if game.facts().is_check() || pieces == 0 {
        return None;
    }
    let mut passed = *state;
    passed.pass();
    Some(Chess::at(passed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Options;
    use meeple_game::{Game, Rng, Turn};

    /// The noisy actions are the legal captures and promotions to a queen.
    #[test]
    fn noisy_actions_are_the_legal_captures() {
        let (mut rng, mut legal, mut noisy) = (Rng::new(7), ActionList::new(), ActionList::new());
        let mut total = 0;
        for _ in 0..150 {
            let mut game = Chess::new(&Options::default());
            while game.turn() != Turn::Over {
                game.legal_actions(&mut legal);
                noisy_actions(&game, &mut noisy);
                let state = game.state();
                let is_noisy = |&&action: &&Action| {
                    let event = ChessRules::event_of(state, action);
                    let takes = captured(&state.position, &event).is_some();
                    (takes && event.promotion == 0) || event.promotion == QUEEN
                };
                let mut expected: Vec<Action> = legal.iter().filter(is_noisy).copied().collect();
                let mut found = noisy.to_vec();
                expected.sort();
                found.sort();
                assert_eq!(found, expected, "{game}");
                total += found.len();
                game.apply(*rng.pick(&legal));
            }
        }
        assert!(total > 1000, "{total}");
    }

    #[test]
    fn passing_is_refused_in_check_and_in_pawn_endings() {
        let at = |fen: &str| Chess::new(&Options { fen: fen.parse().unwrap() });
        assert!(null_move(&at("4k3/8/8/8/8/8/4r3/4K2R w - - 0 1")).is_none());
        assert!(null_move(&at("4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1")).is_none());
        let passed = null_move(&at("4k3/4p3/8/8/8/8/4P3/R3K3 w - - 0 1")).unwrap();
        assert_eq!(passed.turn(), Turn::Player(meeple_game::Player(1)));
        assert!(passed.is_consistent());
    }

    #[test]
    fn repetitions_are_found_with_their_distance() {
        let mut game = Chess::new(&Options::default());
        let mut found = vec![];
        for text in ["g1f3", "g8f6", "f3g1", "f6g8", "e2e4", "g8f6", "g1f3", "f6g8", "f3g1"] {
            game.apply(game.parse_action(text).unwrap());
            found.push((TACTICS.repetition)(&game));
        }
        let expected = [None, None, None, Some(4), None, None, None, None, Some(4)];
        assert_eq!(found, expected);
    }
}
