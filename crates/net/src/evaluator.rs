//! A network as the leaf evaluator of a search.

use std::marker::PhantomData;

use meeple_game::{Game, Payoffs, Player, Rng, Turn};
use meeple_search::{Evaluator, SearchError};

use crate::NetError;
use crate::compiled::Predictor;
use crate::shape::Signature;

/// Evaluates states by a network's value and policy heads, from the
/// observation of the player to act.
///
/// The evaluation is deterministic, so it may be wrapped in
/// [`Cached`](meeple_search::Cached).
///
/// ```
/// use meeple_game::{Game, Player, View};
/// use meeple_games::small::ConnectFour;
/// use meeple_net::{NetEvaluator, Network, Precision, Shape};
/// use meeple_search::{Budget, Mcts, MctsOptions, Search};
///
/// let shape = Shape { width: 32, blocks: 1, bottleneck: 32, value_hidden: 32 };
/// let game = ConnectFour::new(&Default::default());
/// let network = Network::new(&game.info(), shape, 2, 1)?;
/// let evaluator = NetEvaluator::new(&game, network.compile(Precision::Float))?;
/// let mut search = Mcts::new(&MctsOptions::puct(), evaluator)?;
/// let report = search.search(&View::new(&game, Player(0)), &Budget::simulations(50), 1)?;
/// assert_eq!(report.actions.len(), 7);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct NetEvaluator<G> {
    predictor: Predictor,
    observations: Vec<i32>,
    /// `[states, seats]`, the player to act first.
    values: Vec<f32>,
    game: PhantomData<fn(&G)>,
}

impl<G: Game> NetEvaluator<G> {
    /// Creates an evaluator of states of the table of `game` that uses `predictor`.
    ///
    /// # Errors
    ///
    /// When its network is for another game or another observation layout.
    pub fn new(game: &G, predictor: Predictor) -> Result<Self, NetError> {
        let wanted = Signature::of(&game.info(), predictor.signature().seats)?;
        if let Some((what, expected, got)) = wanted.difference(predictor.signature()) {
            return Err(NetError::Mismatch { what, expected, got });
        }
        Ok(Self { predictor, observations: Vec::new(), values: Vec::new(), game: PhantomData })
    }
}

impl<G: Game> Evaluator<G> for NetEvaluator<G> {
    fn has_policy(&self) -> bool {
        true
    }

    fn check(&self, root: &G) -> Result<(), SearchError> {
        let &Signature { cells, actions, seats, .. } = self.predictor.signature();
        let wrong = |what, expected, got| Err(SearchError::WrongLength { what, expected, got });
        if root.players() > seats {
            return wrong("the network's value head", root.players(), seats);
        }
        if root.actions() != actions {
            return wrong("the network's policy head", root.actions(), actions);
        }
        if root.observation().len() != cells {
            return wrong("the network's observation", root.observation().len(), cells);
        }
        Ok(())
    }

    fn evaluate(&mut self, states: &[G], _: &mut Rng, values: &mut [Payoffs], logits: &mut [f32]) {
        let signature = self.predictor.signature();
        let (cells, seats) = (signature.cells, signature.seats);
        self.observations.resize(states.len() * cells, 0);
        self.values.resize(states.len() * seats, 0.0);
        for (state, cells) in states.iter().zip(self.observations.chunks_exact_mut(cells)) {
            state.observe(mover(state), cells);
        }
        self.predictor.predict_batch(&self.observations, &mut self.values, logits);
        for ((state, predicted), values) in
            states.iter().zip(self.values.chunks_exact(seats)).zip(values)
        {
            *values = Payoffs::default();
            let players = state.players();
            // The network's values start at the player to act; rotate them to seats.
            for (offset, &value) in predicted.iter().take(players).enumerate() {
                values[mover(state).after(offset, players).index()] = value;
            }
        }
    }
}

/// Returns the player to act.
fn mover<G: Game>(state: &G) -> Player {
    match state.turn() {
        Turn::Player(player) => player,
        Turn::Chance | Turn::Over => panic!("only decision nodes are evaluated by a network"),
    }
}
