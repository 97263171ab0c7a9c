//! Checks of observations, information keys and determinizations.

use meeple_rng::Rng;
use rustc_hash::FxHashMap;

use super::key::Keys;
use super::rule::{Checked, Rule, expect};
use super::{MAX_STEPS, random_step};
use crate::{Action, ActionList, Game, Player, Turn, choices};

/// The number of information states remembered for comparison.
const REMEMBERED: usize = 100_000;
/// The number of determinizations of one game that are played to their end.
const DETERMINIZATIONS: usize = 20;

/// The information of a player: the observation and the legal actions.
type Known = (Vec<i32>, Vec<Action>);

/// The information states seen so far, and determinizations that are still to be played.
pub(super) struct Sight<G> {
    known: FxHashMap<(Player, u64), Known>,
    saw_determinization: bool,
    /// Determinizations of this game. They are played only after the game is over, so that a
    /// fault of the game itself is reported first.
    determinizations: Vec<G>,
}

impl<G: Game> Sight<G> {
    pub(super) fn new() -> Self {
        Self {
            known: FxHashMap::default(),
            saw_determinization: false,
            determinizations: Vec::new(),
        }
    }

    pub(super) fn check(&mut self, game: &G, rng: &mut Rng, keys: &mut Keys<G>) -> Checked {
        for player in Player::all(game.players()) {
            let seen = check_observation(game, player)?;
            let other = game.determinize(player, rng);
            if other != *game {
                self.saw_determinization = true;
                check_determinized(game, &other, player, &seen)?;
                if self.determinizations.len() < DETERMINIZATIONS {
                    self.determinizations.push(other);
                }
                keys.check(&other, rng)?;
            }
            self.check_info_key(game, player, &seen)?;
        }
        Ok(())
    }

    fn check_info_key(&mut self, game: &G, player: Player, seen: &[i32]) -> Checked {
        if self.known.len() >= REMEMBERED {
            return Ok(());
        }
        let here = (seen.to_vec(), legal_actions_of(game, player));
        let key = (player, game.info_key(player));
        let first = self.known.entry(key).or_insert_with(|| here.clone());
        expect(*first == here, Rule::InfoKeySound, game, || {
            format!("{player} knew {first:?} and knows {here:?} under the key {:#x}", key.1)
        })
    }

    /// Plays the determinizations of a finished game to their ends.
    pub(super) fn play_on(&mut self, rng: &mut Rng) -> Checked {
        self.determinizations.drain(..).try_for_each(|state| check_playable(&state, rng))
    }

    pub(super) fn finish(self, first: &G) -> Checked {
        expect(
            self.saw_determinization || !first.has_imperfect_information(),
            Rule::DeterminizeHidden,
            first,
            || "has_imperfect_information is true, yet determinize never changed a state".into(),
        )
    }
}

/// Checks that `player` cannot distinguish `other` from `game`.
fn check_determinized<G: Game>(game: &G, other: &G, player: Player, seen: &[i32]) -> Checked {
    let because = || format!("{player} cannot tell it from {other:?}");
    expect(game.has_imperfect_information(), Rule::DeterminizeHidden, game, because)?;
    expect(other.info() == game.info(), Rule::Info, other, || format!("{:?}", other.info()))?;
    let possible =
        other.is_consistent() && other.turn() == game.turn() && other.players() == game.players();
    expect(possible, Rule::DeterminizePossible, game, || {
        format!("determinized for {player} it is {other:?}")
    })?;
    let sees = check_observation(other, player)?;
    expect(sees == seen, Rule::ObservationLeak, game, || {
        format!("{}; sees {seen:?} and {sees:?}", because())
    })?;
    let same_key = game.info_key(player) == other.info_key(player);
    expect(same_key, Rule::InfoKeyLeak, game, because)?;
    let (text, other_text) = (game.text(player), other.text(player));
    expect(text == other_text, Rule::TextLeak, game, || {
        format!("{}; reads {text:?} and {other_text:?}", because())
    })?;
    let (offered, other_offered) = (named_actions(game, player), named_actions(other, player));
    expect(offered == other_offered, Rule::LegalActionsLeak, game, || {
        format!("{}; may {offered:?} and {other_offered:?}", because())
    })?;
    let told = choices(other).into_iter().filter(|&choice| choices(game).contains(&choice));
    for choice in told.filter(|&choice| other.is_seen(choice, player)) {
        let (name, other_name) = (game.action_name(choice), other.action_name(choice));
        let same = game.is_seen(choice, player) && name == other_name;
        expect(same, Rule::SeenChoice, game, || {
            format!("{}; is told {name:?} and {other_name:?}", because())
        })?;
    }
    let actions = legal_actions_of(game, player);
    let weights = |state: &G| super::choice::weights(state, &actions, 0.0);
    let same = actions.is_empty() || weights(game) == weights(other);
    expect(same, Rule::PrioritiesLeak, game, || {
        format!("{}; weighs {:?} and {:?}", because(), weights(game), weights(other))
    })?;
    let short = |state: &G| super::choice::focused(state).1;
    let same = actions.is_empty() || short(game)[..] == short(other)[..];
    expect(same, Rule::FocusLeak, game, || {
        format!("{}; focused on {:?} and {:?}", because(), short(game), short(other))
    })
}

/// Checks [`Game::is_seen`]: the player to move sees all of their choices. Another player sees
/// no choice that leads to a different state with the same observation for them. With perfect
/// information, all players see all choices.
pub(super) fn check_seen_choices<G: Game>(game: &G) -> Checked {
    if !game.has_imperfect_information() {
        let unseen = |choice: &Action| {
            Player::all(game.players()).any(|player| !game.is_seen(*choice, player))
        };
        let unseen = choices(game).into_iter().find(unseen);
        return expect(unseen.is_none(), Rule::SeenChoice, game, || {
            format!("{unseen:?} is not seen by all, though information is perfect")
        });
    }
    for player in Player::all(game.players()) {
        let decides = game.turn() == Turn::Player(player);
        let mut first: FxHashMap<u64, (Action, G)> = FxHashMap::default();
        for choice in choices(game) {
            let is_seen = game.is_seen(choice, player);
            expect(is_seen || !decides, Rule::SeenChoice, game, || {
                format!("{player} does not see their own {choice:?}")
            })?;
            let mut next = *game;
            next.apply(choice);
            let (rival, other) = *first.entry(next.info_key(player)).or_insert((choice, next));
            // The player who draws is exempt: their observation may forget the order of the
            // draws.
            let tells = !decides
                && game.roller() != Some(player)
                && (is_seen || game.is_seen(rival, player))
                && next.key() != other.key()
                && check_observation(&next, player)? == check_observation(&other, player)?;
            expect(!tells, Rule::SeenChoice, game, || {
                format!("{player} may not know whether it was {choice:?} or {rival:?}")
            })?;
        }
    }
    Ok(())
}

/// Observes twice, into differently filled buffers, so that an unwritten cell is detected.
fn check_observation<G: Game>(game: &G, player: Player) -> Result<Vec<i32>, super::Fault> {
    let spec = game.observation();
    let (mut one, mut other) = (vec![i32::MIN; spec.len()], vec![i32::MAX; spec.len()]);
    game.observe(player, &mut one);
    game.observe(player, &mut other);
    for (cell, (&value, &again)) in one.iter().zip(&other).enumerate() {
        let (field, at) = spec.field_of(cell).expect("the buffer is as long as the layout");
        expect(value == again, Rule::ObservationWritten, game, || {
            format!("{}[{at}] is left as it was for {player}", field.name())
        })?;
        let (min, max) = field.kind().bounds();
        expect((min..=max).contains(&value), Rule::ObservationRange, game, || {
            format!("{}[{at}] is {value} for {player}, not from {min} to {max}", field.name())
        })?;
    }
    Ok(one)
}

/// Returns the legal actions of `player`; empty unless they are to decide.
fn legal_actions_of<G: Game>(game: &G, player: Player) -> Vec<Action> {
    if game.turn() == Turn::Player(player) { choices(game) } else { Vec::new() }
}

pub(super) fn named_actions<G: Game>(game: &G, player: Player) -> Vec<(Action, String)> {
    legal_actions_of(game, player)
        .into_iter()
        .map(|action| (action, game.action_name(action)))
        .collect()
}

/// Plays a determinization to its end, to check that it is a valid state.
fn check_playable<G: Game>(start: &G, rng: &mut Rng) -> Checked {
    let (mut game, mut scratch) = (*start, ActionList::new());
    for _ in 0..MAX_STEPS {
        expect(game.is_consistent(), Rule::DeterminizePossible, start, || {
            format!("played on, it becomes {game:?}")
        })?;
        if game.turn() == Turn::Over {
            return Ok(());
        }
        game.apply(random_step(&game, rng, &mut scratch));
    }
    expect(false, Rule::Termination, start, || format!("no end after {MAX_STEPS} steps"))
}
