//! Optional parts of a game beyond its rules: evaluation, tactics, priors, focus, fast playouts,
//! symmetries, the text of rules, and pictures.

use meeple_rng::Rng;

use crate::{
    Action, ActionList, Game, Payoffs, Picture, Player, SolverHints, Steps, Symmetry, Tactics,
    playout,
};

/// What a game offers beyond its rules, most of it to searches. Every part is optional, and a
/// search that needs a missing one reports an error.
///
/// The parts are functions in a constant rather than methods of [`Game`]: most games have none
/// of them, and a caller can ask whether one is there.
///
/// ```ignore
/// const COMPANIONS: Companions<Self> =
///     Companions { evaluation: Some(Self::material), ..Companions::NONE };
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Companions<G: Game> {
    /// A heuristic evaluation: the expected payoffs of a state by hand-written rules, between
    /// -1 and 1, for bots without a network.
    pub evaluation: Option<fn(&G) -> Payoffs>,
    /// The weights of the evaluation, where they can be changed.
    pub weights: Option<Weights<G>>,
    /// What alpha-beta search uses: evaluation in units, noisy actions, exchanges, null moves.
    pub tactics: Option<Tactics<G>>,
    /// Prior weights of the listed legal actions by hand-written rules about kinds of actions:
    /// 0 or more, at least one above 0. Information that is hidden from the player to move
    /// must not change them.
    pub priorities: Option<WritePriorities<G>>,
    /// Restricts a state, from here on, to the decisions that matter: the player to move is
    /// the same, and their legal actions are a subset of those before, in the same order.
    /// Searches of restricted states are deeper. Information that is hidden from the player to
    /// move must not change the restriction. Keys of restricted states are compared only with
    /// each other.
    pub focus: Option<fn(&mut G)>,
    /// Plays to the end at random: the same moves as [`playout`], which goes step by step, but
    /// faster.
    pub playout: Option<PlayOut<G>>,
    /// The symmetries of the state's table, without the identity.
    pub symmetries: Option<fn(&G) -> Vec<Symmetry>>,
    /// The rules as text, in games that are described so.
    pub rule_book: Option<RuleBook<G>>,
    /// The picture of a state as a player sees it or, without one, of the whole state; `None` at
    /// tables that have none.
    pub picture: Option<DrawPicture<G>>,
    /// What the game knows about its positions, for exact solvers.
    pub solver: Option<SolverHints<G>>,
}

/// Makes the picture of a state for a player, or of the whole state.
pub type DrawPicture<G> = fn(&G, Option<Player>) -> Option<Picture>;

/// Writes the prior weights of the listed actions.
pub type WritePriorities<G> = fn(&G, &[Action], &mut [f32]);

/// Plays to the end at random; the list is scratch space.
pub type PlayOut<G> = fn(&mut G, &mut Rng, &mut ActionList) -> Steps;

/// The functions that change the weights of a heuristic evaluation.
#[derive(Clone, Copy, Debug)]
pub struct Weights<G: Game> {
    /// Returns the same table with other weights, each given by name; the others are
    /// unchanged. Fails where the evaluation has no such weight, and lists those that it has.
    pub set: SetWeights<G>,
    /// Copies the weights of another state of the same table.
    pub adopt: fn(&mut G, &G),
}

/// Sets weights of a configuration by their names.
pub type SetWeights<G> =
    fn(&<G as Game>::Config, &[(String, f32)]) -> Result<<G as Game>::Config, String>;

/// The rules of a game that is described in text. Reports count which of them apply.
#[derive(Clone, Copy, Debug)]
pub struct RuleBook<G: Game> {
    /// Lists the rules; the other functions number them in this order.
    pub rules: fn(&G) -> Vec<RuleLine>,
    /// Returns the rule that offers a legal action or a chance outcome.
    pub offers: fn(&G, Action) -> Option<usize>,
    /// Returns the end by which the game is over once the action or outcome is played; `None`
    /// if it goes on, or if the rule that offers the action ends it.
    pub ends: fn(&G, Action) -> Option<usize>,
}

/// A rule as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleLine {
    /// Its line in the description, from 1.
    pub line: usize,
    /// The line.
    pub text: String,
}

impl<G: Game> Companions<G> {
    /// A value without any of the parts.
    pub const NONE: Self = Self {
        evaluation: None,
        weights: None,
        tactics: None,
        priorities: None,
        focus: None,
        playout: None,
        symmetries: None,
        rule_book: None,
        picture: None,
        solver: None,
    };
}

/// Returns the heuristic evaluation of a state, where the game has one.
#[inline]
#[must_use]
pub fn heuristic<G: Game>(state: &G) -> Option<Payoffs> {
    G::COMPANIONS.evaluation.map(|evaluate| evaluate(state))
}

/// Writes the prior weights of the listed actions: all 1 where the game provides none.
pub fn priorities<G: Game>(state: &G, actions: &[Action], weights: &mut [f32]) {
    match G::COMPANIONS.priorities {
        Some(priorities) => priorities(state, actions, weights),
        None => weights.fill(1.0),
    }
}

/// Restricts a state to the decisions that matter, where the game defines them.
pub fn focus<G: Game>(state: &mut G) {
    if let Some(focus) = G::COMPANIONS.focus {
        focus(state);
    }
}

/// Returns the symmetries of the state's table, without the identity.
#[must_use]
pub fn symmetries<G: Game>(state: &G) -> Vec<Symmetry> {
    G::COMPANIONS.symmetries.map_or_else(Vec::new, |symmetries| symmetries(state))
}

/// Plays to the end at random, with the game's fast playout where it has one.
///
/// `scratch` is overwritten.
// Inlined so that it is compiled with the loop that calls it, whose target features may exceed
// the baseline of the build.
#[inline(always)]
pub fn play_out<G: Game>(state: &mut G, rng: &mut Rng, scratch: &mut ActionList) -> Steps {
    match G::COMPANIONS.playout {
        Some(play_out) => play_out(state, rng, scratch),
        None => playout(state, rng, scratch),
    }
}

/// Returns the same table with other weights in its heuristic evaluation.
///
/// # Errors
///
/// When the evaluation has no such weights; the error lists those that it has.
pub fn set_weights<G: Game>(
    config: &G::Config,
    weights: &[(String, f32)],
) -> Result<G::Config, String> {
    match G::COMPANIONS.weights {
        Some(companion) => (companion.set)(config, weights),
        None => {
            let name = weights.first().map_or("", |(name, _)| name);
            let game = G::new(config).name();
            Err(format!("{game} has no weight {name:?}: its evaluation has none to set"))
        }
    }
}

/// Copies the weights of the evaluation of `other`, a state of the same table.
pub fn adopt_weights<G: Game>(state: &mut G, other: &G) {
    if let Some(weights) = G::COMPANIONS.weights {
        (weights.adopt)(state, other);
    }
}
