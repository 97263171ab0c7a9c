//! Twins: a game and the same game with two of its events the other way round.
//!
//! Where both come to what one player cannot tell apart by the observation, they
//! must offer the same. Random play alone hardly ever comes twice to the same
//! observation; twins do so on purpose, as when two cards are bought in another
//! order.

use meeple_rng::{Rng, mix};

use super::rule::{Checked, Rule, expect};
use super::sight::named_menu;
use crate::{Action, ActionList, Game, OutcomeList, Player, Turn, choices};

/// Steps after which a game is no longer followed.
const LONGEST: usize = 3000;
/// Steps that the twins of one game may take together.
const STEPS: usize = 200_000;
/// Pairs of events of each kind that are looked at for one game.
const PAIRS: usize = 20_000;

/// An event of a game, and the state in which it happened.
struct Event<G> {
    state: G,
    action: Action,
}

/// Plays a game and some of its twins side by side.
pub(super) fn check<G: Game>(first: &G, rng: &mut Rng) -> Checked {
    let events = play_by_taste(first, rng);
    let is_chance = |&at: &usize| events[at].state.turn() == Turn::Chance;
    let (draws, choices): (Vec<usize>, Vec<usize>) = (0..events.len()).partition(is_chance);
    let mut buffers = [vec![0; G::observation().len()], vec![0; G::observation().len()]];
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

/// Plays a game in which every seat has a taste: it mostly plays what it likes
/// best, so that some games go without what uniformly random play does at every
/// chance.
fn play_by_taste<G: Game>(first: &G, rng: &mut Rng) -> Vec<Event<G>> {
    let (mut game, mut scratch) = (*first, ActionList::new());
    let mut events = Vec::new();
    let taste = rng.bits();
    while game.turn() != Turn::Over && events.len() < LONGEST {
        let action = match game.turn() {
            Turn::Player(player) if rng.below(8) > 0 => {
                let liking =
                    |action: &&Action| mix(taste ^ u64::from(action.0) << 8 ^ u64::from(player.0));
                game.legal_actions(&mut scratch);
                *scratch.iter().max_by_key(liking).expect("somebody is to decide")
            }
            _ => super::random_step(&game, rng, &mut scratch),
        };
        events.push(Event { state: game, action });
        game.apply(action);
    }
    events
}

/// Whether two events can be tried the other way round: two choices of one player,
/// or two draws from one deck, which are told from dice by what is gone after the
/// first.
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

/// Follows the twin in which the events `early` and `late` have changed places for
/// as long as it can do what the game does; how many steps that was.
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
            // Alike from here on, or too unlike to do the same.
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

/// Two states whose mover sees the same must offer the same.
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
    let (offered, also) = (named_menu(one, player), named_menu(other, player));
    expect(offered == also, Rule::MenuObserved, one, || {
        format!("{player} sees the same in {other:?}; may {offered:?} and {also:?}")
    })
}
