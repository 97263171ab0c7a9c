//! What is known about a configured game before it is played.

use serde::Serialize;

use crate::{Game, MAX_OUTCOMES};

/// What the payoffs of all players sum to at the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Utility {
    /// Always 0.
    ZeroSum,
    /// Always this.
    ConstantSum(f64),
    /// It differs from game to game.
    GeneralSum,
}

/// What is known about a configured game before it is played.
///
/// Frameworks, networks and reports ask this at run time, through [`Game::info`]; the
/// constants of [`Game`] serve loops that must be compiled for one game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct GameInfo {
    /// The name used in commands and files.
    pub name: &'static str,
    /// The players at this table.
    pub players: usize,
    /// The fewest who may play.
    pub min_players: usize,
    /// The most who may play.
    pub max_players: usize,
    /// Whether the game has chance events.
    pub chance: bool,
    /// Whether the game has imperfect information.
    pub imperfect_information: bool,
    /// Whether information keys have perfect recall: states with one
    /// [`info_key`](Game::info_key) of a player were reached through the same information
    /// keys and the same actions of that player. Counterfactual regret minimization needs
    /// it; where it is false, keys may forget, as positions do that were reached by
    /// transposition.
    pub perfect_recall: bool,
    /// What payoffs sum to. Each payoff is within -1 and 1.
    pub utility: Utility,
    /// The number of action ids of players, so the width of a policy.
    pub actions: usize,
    /// A number above the id of every chance outcome; 0 without chance events.
    pub max_chance_outcomes: usize,
    /// The most decisions of players in a game, where the rules set a bound.
    pub max_decisions: Option<usize>,
    /// The length of an observation.
    pub observation_cells: usize,
    /// The size of a state.
    pub state_bytes: usize,
}

impl GameInfo {
    /// What follows from the constants of a game; the rest as for a zero-sum game without
    /// perfect recall whose rules set no bounds.
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
