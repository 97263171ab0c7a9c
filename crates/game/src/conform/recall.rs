//! Checks of perfect recall: an information state determines all earlier ones of that player,
//! and their actions.

use meeple_rng::mix;
use rustc_hash::FxHashMap;

use super::rule::{Checked, Rule, expect};
use crate::{Action, Game, MAX_PLAYERS, Player};

/// The number of information states remembered for comparison.
const REMEMBERED: usize = 100_000;

/// The histories of the players in the current game, and those of earlier games by information
/// key.
#[derive(Default)]
pub(super) struct Recall {
    /// A hash of each player's information keys and actions at their decisions so far.
    current: [u64; MAX_PLAYERS],
    known: FxHashMap<(Player, u64), u64>,
}

impl Recall {
    /// Starts the next game.
    pub(super) fn begin(&mut self) {
        self.current = [0; MAX_PLAYERS];
    }

    /// Compares the players' histories with earlier ones under the same information keys.
    pub(super) fn check<G: Game>(&mut self, game: &G) -> Checked {
        if !game.info().perfect_recall || self.known.len() >= REMEMBERED {
            return Ok(());
        }
        for player in Player::all(game.players()) {
            let (key, history) = (game.info_key(player), self.current[player.index()]);
            let first = *self.known.entry((player, key)).or_insert(history);
            expect(first == history, Rule::PerfectRecall, game, || {
                format!("{player} came to the information key {key:#x} in two ways")
            })?;
        }
        Ok(())
    }

    /// Adds a decision to the history of its player.
    pub(super) fn decide<G: Game>(&mut self, game: &G, player: Player, action: Action) {
        let history = &mut self.current[player.index()];
        *history = mix(mix(*history ^ game.info_key(player)) ^ u64::from(action.0));
    }
}
