//! Checks of keys: states with the same key must have the same future.

use meeple_rng::Rng;
use rustc_hash::FxHashMap;

use super::random_step;
use super::rule::{Checked, Rule, expect};
use crate::{ActionList, Game, Turn, choices};

/// Bytes for remembered states.
const MEMORY: usize = 64 << 20;
/// The number of pairs of different states with the same key that are played on side by side.
const PAIRS: usize = 5000;

/// The first state seen with each key.
pub(super) struct Keys<G> {
    seen: FxHashMap<u64, G>,
    pairs: usize,
}

impl<G: Game> Keys<G> {
    pub(super) fn new() -> Self {
        Self { seen: FxHashMap::default(), pairs: 0 }
    }

    pub(super) fn check(&mut self, game: &G, rng: &mut Rng) -> Checked {
        let full = self.seen.len() >= MEMORY / size_of::<(u64, G)>();
        let first = match self.seen.get(&game.key()) {
            Some(first) => *first,
            None if full => return Ok(()),
            None => *self.seen.entry(game.key()).or_insert(*game),
        };
        check_alike(&first, game)?;
        if first != *game && self.pairs < PAIRS {
            self.pairs += 1;
            check_future(first, *game, rng)?;
        }
        Ok(())
    }
}

fn check_alike<G: Game>(one: &G, other: &G) -> Checked {
    let alike = one.turn() == other.turn()
        && choices(one) == choices(other)
        && one.payoffs() == other.payoffs();
    expect(alike, Rule::KeySound, other, || {
        format!("the key {:#x} is also that of {one:?}", other.key())
    })
}

/// Plays both states on with the same actions and checks that they stay equivalent.
fn check_future<G: Game>(mut one: G, mut other: G, rng: &mut Rng) -> Checked {
    let mut scratch = ActionList::new();
    let start = other;
    while one.turn() != Turn::Over {
        let action = random_step(&one, rng, &mut scratch);
        one.apply(action);
        other.apply(action);
        expect(one.key() == other.key(), Rule::KeySound, &start, || {
            format!("it shared its key with a state that became {one:?} while it became {other:?}")
        })?;
        check_alike(&one, &other)?;
    }
    Ok(())
}
