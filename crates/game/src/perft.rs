//! Counts the positions below a state, to compare rules with published counts.

use crate::{ActionList, Game, OutcomeList, Turn};

/// Returns the number of sequences of `depth` events from `state`: decisions and chance outcomes.
///
/// Chance outcomes count, because dice may be rolled any number of times between two decisions.
/// Games that end earlier are not counted. `is_stopped` ends the count early, with a number that is too small.
pub fn perft<G: Game>(state: &G, depth: u32, is_stopped: &dyn Fn() -> bool) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut nodes = 0;
    match state.turn() {
        Turn::Over => {}
        Turn::Chance => {
            let mut outcomes = OutcomeList::new();
            state.chance_outcomes(&mut outcomes);
            for outcome in outcomes.iter() {
                let mut next = *state;
                next.apply(outcome.action);
                nodes += perft(&next, depth - 1, is_stopped);
            }
        }
        Turn::Player(_) => {
            let mut actions = ActionList::new();
            state.legal_actions(&mut actions);
            if depth == 1 {
                return actions.len() as u64;
            }
            for &action in actions.iter() {
                if is_stopped() {
                    break;
                }
                let mut next = *state;
                next.apply(action);
                nodes += perft(&next, depth - 1, is_stopped);
            }
        }
    }
    nodes
}
