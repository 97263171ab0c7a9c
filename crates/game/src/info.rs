//! Static properties of a configured game.

use serde::{Serialize, Serializer};

use crate::{Game, MAX_OUTCOMES, ObservationSpec};

/// The sum of the payoffs of all players at the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Utility {
    /// Always 0.
    ZeroSum,
    /// Always this constant.
    ConstantSum(f64),
    /// Differs from game to game.
    GeneralSum,
}

/// The static properties of a configured game.
///
/// Frameworks, networks and reports query them at run time, through [`Game::info`]. The
/// constants of [`Game`] only bound them: they serve loops that are compiled for one type.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct GameInfo {
    /// The name used in commands and files.
    pub name: &'static str,
    /// The number of players at this table.
    pub players: usize,
    /// The smallest number of players.
    pub min_players: usize,
    /// The largest number of players.
    pub max_players: usize,
    /// Whether the game has chance events.
    pub chance: bool,
    /// Whether the game has imperfect information.
    pub imperfect_information: bool,
    /// Whether information keys have perfect recall: states with the same
    /// [`info_key`](Game::info_key) of a player were reached through the same information keys
    /// and the same actions of that player. Counterfactual regret minimization needs it. Where
    /// it is false, keys may forget the history, as those of positions that transpositions
    /// merge.
    pub perfect_recall: bool,
    /// The sum of the payoffs. Each payoff is between -1 and 1.
    pub utility: Utility,
    /// The number of action ids of players, which is the width of a policy.
    pub actions: usize,
    /// An upper bound, exclusive, of the ids of chance outcomes; 0 without chance events.
    pub max_chance_outcomes: usize,
    /// The maximum number of player decisions in a game, where the rules set a bound.
    pub max_decisions: Option<usize>,
    /// The layout of observations; serialized as its length in cells.
    #[serde(rename = "observation_cells", serialize_with = "cells")]
    pub observation: &'static ObservationSpec,
    /// The size of a state, in bytes.
    pub state_bytes: usize,
}

impl GameInfo {
    /// Collects the properties that methods of a game return; the others are those of a
    /// zero-sum game without perfect recall whose rules set no bounds.
    #[must_use]
    pub fn of<G: Game>(game: &G) -> Self {
        let (min_players, max_players) = game.seats().into_inner();
        Self {
            name: game.name(),
            players: game.players(),
            min_players,
            max_players,
            chance: game.has_chance(),
            imperfect_information: game.has_imperfect_information(),
            perfect_recall: false,
            utility: Utility::ZeroSum,
            actions: game.actions(),
            max_chance_outcomes: if game.has_chance() { MAX_OUTCOMES } else { 0 },
            max_decisions: None,
            observation: game.observation(),
            state_bytes: size_of::<G>(),
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
fn cells<S: Serializer>(
    observation: &&'static ObservationSpec,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(observation.len() as u64)
}
