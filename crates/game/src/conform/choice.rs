//! Checks of legal actions, chance outcomes, names and samplers.

use meeple_rng::Rng;
use rustc_hash::FxHashSet;

use super::rule::{Checked, Fault, Rule, expect};
use crate::{
    Action, ActionList, Forced, Game, OutcomeList, Turn, choices, focus, play_out, playout,
    priorities,
};

/// The number of chance nodes of a check that are sampled many times.
pub(super) const SAMPLINGS: usize = 12;
/// The number of samples of each of them.
const DRAWS: u32 = 4000;
/// The rounding error allowed in a sum of probabilities.
pub const ROUNDING: f64 = 1e-9;

/// Checks the choices of `game` and returns the number of legal actions.
pub(super) fn check<G: Game>(game: &G, rng: &mut Rng) -> Result<usize, Fault> {
    let (mut actions, mut outcomes) = (ActionList::new(), OutcomeList::new());
    game.legal_actions(&mut actions);
    game.chance_outcomes(&mut outcomes);
    check_legal_actions(game, &actions, rng)?;
    check_odds(game, &outcomes)?;
    check_names(game)?;
    check_priorities(game, &actions)?;
    check_focus(game, &actions)?;
    check_refusal(game)?;
    check_apply(game)?;
    Ok(actions.len())
}

fn check_legal_actions<G: Game>(game: &G, actions: &ActionList, rng: &mut Rng) -> Checked {
    let deciding = match game.turn() {
        Turn::Player(player) => {
            expect(player.index() < game.players(), Rule::LegalActions, game, || {
                format!("{player} is to decide and does not exist")
            })?;
            true
        }
        Turn::Chance | Turn::Over => false,
    };
    let mut again = ActionList::new();
    game.legal_actions(&mut again);
    let distinct = actions.iter().collect::<FxHashSet<_>>().len() == actions.len();
    let in_range = actions.iter().all(|action| action.index() < game.actions());
    let holds = distinct && in_range && again[..] == actions[..] && deciding != actions.is_empty();
    expect(holds, Rule::LegalActions, game, || format!("{actions:?} with turn {:?}", game.turn()))?;
    if !deciding {
        return Ok(());
    }
    expect(game.forced() == Forced::Ask || actions.len() > 1, Rule::ForcedSkipped, game, || {
        format!("only {}", game.action_name(actions[0]))
    })?;
    let (mut one, mut other) = (rng.clone(), rng.clone());
    let drawn = game.sample_action(&mut one, &mut again);
    let expected = actions[other.below(actions.len())];
    expect(drawn == expected && one == other, Rule::SampledAction, game, || {
        format!("drew {drawn:?} instead of {expected:?}, or used other random numbers")
    })
}

/// Compares [`Game::apply_sampled`] with sampling and applying in two steps.
pub(super) fn check_step<G: Game>(game: &G, rng: &Rng) -> Checked {
    let mut scratch = ActionList::new();
    let (mut one, mut other) = (rng.clone(), rng.clone());
    let (mut stepped, mut applied) = (*game, *game);
    let played = stepped.apply_sampled(&mut one, &mut scratch);
    let expected = game.sample_action(&mut other, &mut scratch);
    applied.apply(expected);
    let holds = played == expected && stepped == applied && one == other;
    expect(holds, Rule::AppliedSample, game, || {
        format!("played {played:?} instead of {expected:?}, or came to another state")
    })
}

/// Compares the fast playout with the same playout step by step.
pub(super) fn check_playout<G: Game>(game: &G, rng: &Rng) -> Checked {
    let mut scratch = ActionList::new();
    let (mut one, mut other) = (rng.clone(), rng.clone());
    let (mut played, mut stepped) = (*game, *game);
    let steps = play_out(&mut played, &mut one, &mut scratch);
    let expected = playout(&mut stepped, &mut other, &mut scratch);
    let holds = played == stepped && steps == expected && one == other;
    expect(holds, Rule::PlayedOut, game, || {
        format!("{steps:?} instead of {expected:?}, to {played:?} instead of {stepped:?}")
    })
}

fn check_odds<G: Game>(game: &G, outcomes: &OutcomeList) -> Checked {
    let chance = game.turn() == Turn::Chance;
    let sum: f64 = outcomes.iter().map(|outcome| outcome.probability).sum();
    let distinct = outcomes.iter().map(|outcome| outcome.action).collect::<FxHashSet<_>>().len();
    let holds = distinct == outcomes.len()
        && outcomes.iter().all(|outcome| outcome.probability > 0.0)
        && if chance { (sum - 1.0).abs() < ROUNDING } else { outcomes.is_empty() };
    expect(holds, Rule::Odds, game, || {
        format!("they sum to {sum}, {distinct} are distinct: {outcomes:?}")
    })?;
    expect(!chance || game.has_chance(), Rule::Chance, game, || "has_chance is false".into())
}

/// Samples one chance node many times and compares the frequencies with the probabilities.
pub(super) fn check_sampling<G: Game>(game: &G, rng: &mut Rng) -> Checked {
    let mut outcomes = OutcomeList::new();
    game.chance_outcomes(&mut outcomes);
    let mut counts = vec![0u32; outcomes.len()];
    for _ in 0..DRAWS {
        let drawn = game.sample_chance(rng);
        let at = outcomes.iter().position(|outcome| outcome.action == drawn);
        expect(at.is_some(), Rule::SampledChance, game, || format!("{drawn:?} is no outcome"))?;
        counts[at.expect("it was just found")] += 1;
    }
    for (outcome, &count) in outcomes.iter().zip(&counts) {
        let mean = f64::from(DRAWS) * outcome.probability;
        // Six standard deviations, plus slack for rare outcomes, whose counts are not normal.
        let allowed = 6.0 * (mean * (1.0 - outcome.probability)).sqrt() + 6.0;
        expect((f64::from(count) - mean).abs() <= allowed, Rule::SampledChance, game, || {
            format!("{outcome:?} came {count} times in {DRAWS}")
        })?;
    }
    Ok(())
}

/// Checks the prior weights. They are written twice, into differently filled buffers, so that
/// an unwritten weight is detected.
fn check_priorities<G: Game>(game: &G, actions: &ActionList) -> Checked {
    if actions.is_empty() {
        return Ok(());
    }
    let (one, other) = (weights(game, actions, -1.0), weights(game, actions, -2.0));
    let fits = |&weight: &f32| weight.is_finite() && weight >= 0.0;
    let holds = one == other && one.iter().all(fits) && one.iter().any(|&weight| weight > 0.0);
    expect(holds, Rule::Priorities, game, || format!("{one:?}, then {other:?}"))
}

/// Returns the prior weights of the listed actions, written over `fill`.
pub(super) fn weights<G: Game>(game: &G, actions: &[Action], fill: f32) -> Vec<f32> {
    let mut weights = vec![fill; actions.len()];
    priorities(game, actions, &mut weights);
    weights
}

fn check_focus<G: Game>(game: &G, actions: &ActionList) -> Checked {
    let (turn, short) = focused(game);
    let mut rest = actions.iter();
    let in_order = short.iter().all(|action| rest.any(|legal| legal == action));
    let holds = turn == game.turn() && in_order && short.is_empty() == actions.is_empty();
    expect(holds, Rule::Focus, game, || format!("{turn:?} with {short:?} of {actions:?}"))
}

/// Returns who decides in a state after it is focused, and the legal actions there.
pub(super) fn focused<G: Game>(game: &G) -> (Turn, ActionList) {
    let mut focused = *game;
    focus(&mut focused);
    let mut short = ActionList::new();
    focused.legal_actions(&mut short);
    (focused.turn(), short)
}

fn check_names<G: Game>(game: &G) -> Checked {
    let offered = choices(game);
    let names: Vec<String> = offered.iter().map(|&choice| game.action_name(choice)).collect();
    let distinct: FxHashSet<String> = names.iter().map(|name| name.to_lowercase()).collect();
    expect(distinct.len() == names.len(), Rule::DistinctNames, game, || format!("{names:?}"))?;
    for (&choice, name) in offered.iter().zip(&names) {
        let parsed = game.parse_action(name);
        expect(parsed == Some(choice), Rule::NamesParse, game, || {
            format!("{choice:?} is written {name:?}, which parses as {parsed:?}")
        })?;
    }
    Ok(())
}

fn check_refusal<G: Game>(game: &G) -> Checked {
    let offered = choices(game);
    let wrong = (0..=u16::MAX).map(Action).find(|action| !offered.contains(action));
    let Some(wrong) = wrong else { return Ok(()) };
    let mut same = *game;
    let refused = same.try_apply(wrong).is_err();
    expect(refused && same == *game, Rule::Refusal, game, || format!("{wrong:?} was played"))
}

fn check_apply<G: Game>(game: &G) -> Checked {
    for choice in choices(game) {
        let (mut one, mut other) = (*game, *game);
        one.apply(choice);
        other.apply(choice);
        expect(one == other, Rule::Determinism, game, || {
            format!("{choice:?} leads to {one:?} and to {other:?}")
        })?;
    }
    Ok(())
}
