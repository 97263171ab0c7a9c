//! A network as the evaluator of a search.

use std::marker::PhantomData;

use meeple_game::{Game, Payoffs, Player, Rng, Turn};
use meeple_search::{Evaluator, SearchError};

use crate::NetError;
use crate::compiled::Predictor;
use crate::shape::Purpose;

/// Judges states by what a network says of the one who decides there.
///
/// What it says of a state is always the same, so it may be wrapped in
/// [`Cached`](meeple_search::Cached).
///
/// ```
/// use meeple_game::{Game, Player, View};
/// use meeple_games::small::ConnectFour;
/// use meeple_net::{NetEvaluator, Network, Precision, Shape};
/// use meeple_search::{Budget, Mcts, MctsOptions, Search};
///
/// let shape = Shape { width: 32, blocks: 1, neck: 32, value: 32 };
/// let network = Network::new::<ConnectFour>(shape, 2, 1)?;
/// let evaluator = NetEvaluator::<ConnectFour>::new(network.compile(Precision::Float))?;
/// let mut search = Mcts::new(&MctsOptions::puct(), evaluator)?;
/// let game = ConnectFour::new(&Default::default());
/// let report = search.search(&View::new(&game, Player(0)), &Budget::simulations(50), 1)?;
/// assert_eq!(report.actions.len(), 7);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct NetEvaluator<G> {
    predictor: Predictor,
    observations: Vec<i32>,
    /// `[states, seats]`, the one who decides first.
    values: Vec<f32>,
    game: PhantomData<fn(&G)>,
}

impl<G: Game> NetEvaluator<G> {
    /// Judges by what `predictor` says.
    ///
    /// # Errors
    ///
    /// When its network is for another game.
    pub fn new(predictor: Predictor) -> Result<Self, NetError> {
        let wanted = Purpose::of::<G>(predictor.purpose().seats)?;
        if let Some((what, expected, got)) = wanted.difference(predictor.purpose()) {
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
        let seats = self.predictor.purpose().seats;
        if root.players() <= seats {
            return Ok(());
        }
        let what = "the network's value head";
        Err(SearchError::WrongLength { what, expected: root.players(), got: seats })
    }

    fn evaluate(&mut self, states: &[G], _: &mut Rng, values: &mut [Payoffs], logits: &mut [f32]) {
        let purpose = self.predictor.purpose();
        let (cells, seats) = (purpose.cells, purpose.seats);
        self.observations.resize(states.len() * cells, 0);
        self.values.resize(states.len() * seats, 0.0);
        for (state, cells) in states.iter().zip(self.observations.chunks_exact_mut(cells)) {
            state.observe(mover(state), cells);
        }
        self.predictor.predict_batch(&self.observations, &mut self.values, logits);
        for ((state, said), values) in
            states.iter().zip(self.values.chunks_exact(seats)).zip(values)
        {
            *values = Payoffs::default();
            let players = state.players();
            for (place, &value) in said.iter().take(players).enumerate() {
                values[mover(state).after(place, players).index()] = value;
            }
        }
    }
}

/// Who decides.
fn mover<G: Game>(state: &G) -> Player {
    match state.turn() {
        Turn::Player(player) => player,
        Turn::Chance | Turn::Over => panic!("nobody decides here, so nobody is asked about it"),
    }
}
