//! Twins: a game and the same game with two of its events swapped.
//!
//! Where both reach the same observation of the player to move, they must offer the same
//! actions. Random play rarely reaches the same observation twice; twins often do, as when two
//! cards are bought in another order.

use meeple_rng::{Rng, mix};

use super::rule::{Checked, Rule, expect};
use super::sight::named_actions;
use crate::{Action, ActionList, Game, OutcomeList, Player, Turn, choices};

/// The number of events after which a game is cut off.
const LONGEST: usize = 3000;
/// The maximum number of events in all twins of one game.
const STEPS: usize = 200_000;
/// The number of pairs of events of each kind that are tried for one game.
const PAIRS: usize = 20_000;

/// An event of a game, and the state in which it happened.
struct Event<G> {
    state: G,
    action: Action,
}

/// Plays a game and some of its twins side by side.
pub(super) fn check<G: Game>(first: &G, rng: &mut Rng) -> Checked {
    let events = play_by_preference(first, rng);
    let is_chance = |&at: &usize| events[at].state.turn() == Turn::Chance;
    let (draws, choices): (Vec<usize>, Vec<usize>) = (0..events.len()).partition(is_chance);
    let cells = first.observation().len();
    let mut buffers = [vec![0; cells], vec![0; cells]];
    for kind in [draws, choices].into_iter().filter(|kind| !kind.is_empty()) {
        let mut steps = 0;
        for _ in 0..PAIRS {
            let (one, other) = (*rng.pick(&kind), *rng.pick(&kind));
            let (early, late) = (one.min(other), one.max(other));
            if steps < STEPS / 2 && are_swappable(&events[early], &events[late]) {
                steps += follow(&events, early, late, &mut buffers)?;
            }
        }
    }
    Ok(())
}

/// Plays a game in which every seat prefers some action ids and mostly plays the one that
/// ranks highest. Such games contain long stretches without an action that uniformly random
/// play would take soon.
fn play_by_preference<G: Game>(first: &G, rng: &mut Rng) -> Vec<Event<G>> {
    let (mut game, mut scratch) = (*first, ActionList::new());
    let mut events = Vec::new();
    let preference = rng.bits();
    while game.turn() != Turn::Over && events.len() < LONGEST {
        let action = match game.turn() {
            Turn::Player(player) if rng.below(8) > 0 => {
                let rank = |action: &&Action| {
                    mix(preference ^ u64::from(action.0) << 8 ^ u64::from(player.0))
                };
                game.legal_actions(&mut scratch);
                *scratch.iter().max_by_key(rank).expect("a player decides")
            }
            _ => super::random_step(&game, rng, &mut scratch),
        };
        events.push(Event { state: game, action });
        game.apply(action);
    }
    events
}

/// Returns whether two events can be swapped: two choices of one player, or two draws from one
/// deck. A draw differs from a roll of dice in that its outcome is gone afterwards.
fn are_swappable<G: Game>(early: &Event<G>, late: &Event<G>) -> bool {
    if early.action == late.action || early.state.turn() != late.state.turn() {
        return false;
    }
    if early.state.turn() != Turn::Chance {
        return choices(&early.state).contains(&late.action);
    }
    let mut outcomes = OutcomeList::new();
    let mut can_be = |event: &Event<G>, action: Action| {
        event.state.chance_outcomes(&mut outcomes);
        outcomes.iter().any(|outcome| outcome.action == action)
    };
    can_be(early, late.action) && !can_be(late, early.action)
}

/// Follows the twin in which the events `early` and `late` are swapped for as long as the
/// events of the game are possible there. Returns the number of steps.
fn follow<G: Game>(
    events: &[Event<G>],
    early: usize,
    late: usize,
    buffers: &mut [Vec<i32>; 2],
) -> Result<usize, super::Fault> {
    let mut twin = events[early].state;
    for (at, event) in events.iter().enumerate().skip(early) {
        let Event { state, action } = event;
        if at > early {
            // The twin has merged with the game, or has diverged too far to take the same
            // events.
            if twin == *state || twin.turn() != state.turn() {
                return Ok(at - early);
            }
            if let Turn::Player(player) = state.turn() {
                compare(state, &twin, player, buffers)?;
            }
        }
        let action = match at {
            _ if at == early => events[late].action,
            _ if at == late => events[early].action,
            _ => *action,
        };
        if !choices(&twin).contains(&action) {
            return Ok(at - early);
        }
        twin.apply(action);
    }
    Ok(events.len() - early)
}

/// Checks that two states with the same observation of the player to move offer the same
/// actions.
fn compare<G: Game>(
    one: &G,
    other: &G,
    player: Player,
    [seen, sees]: &mut [Vec<i32>; 2],
) -> Checked {
    one.observe(player, seen);
    other.observe(player, sees);
    if seen != sees {
        return Ok(());
    }
    let (offered, also) = (named_actions(one, player), named_actions(other, player));
    expect(offered == also, Rule::LegalActionsObserved, one, || {
        format!("{player} sees the same in {other:?}; may {offered:?} and {also:?}")
    })
}
