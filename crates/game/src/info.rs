//! Static properties of a configured game.

use serde::Serialize;

use crate::{Game, MAX_OUTCOMES};

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
/// Frameworks, networks and reports query them at run time, through [`Game::info`]; the
/// constants of [`Game`] serve loops that are compiled for one game.
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
    /// The length of an observation, in cells.
    pub observation_cells: usize,
    /// The size of a state, in bytes.
    pub state_bytes: usize,
}

impl GameInfo {
    /// Derives the properties from the constants of a game; the others are those of a zero-sum
    /// game without perfect recall whose rules set no bounds.
    #[must_use]
    pub fn of<G: Game>(game: &G) -> Self {
        Self {
            name: G::NAME,
            players: game.players(),
            min_players: *G::SEATS.start(),
            max_players: *G::SEATS.end(),
            chance: G::CHANCE,
            imperfect_information: G::IMPERFECT_INFORMATION,
            perfect_recall: false,
            utility: Utility::ZeroSum,
            actions: G::ACTIONS,
            max_chance_outcomes: if G::CHANCE { MAX_OUTCOMES } else { 0 },
            max_decisions: None,
            observation_cells: G::observation().len(),
            state_bytes: size_of::<G>(),
        }
    }
}
