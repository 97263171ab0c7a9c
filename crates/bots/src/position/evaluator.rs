//! Evaluators of other crates and languages, which see states as observations.

use meeple_game::{ActionList, Game, Payoffs, Player, Rng, Turn};
use meeple_search::Evaluator;

/// A batch of leaves to evaluate, in row-major arrays.
#[derive(Clone, Copy, Debug)]
pub struct LeafBatch<'a> {
    /// The number of leaves.
    pub count: usize,
    /// The number of seats.
    pub players: usize,
    /// `[count, cells]`: the observations of the deciding seats.
    pub observations: &'a [i32],
    /// `[count, actions]`: the masks of legal actions.
    pub masks: &'a [bool],
    /// `[count]`: the deciding seats.
    pub seats: &'a [u8],
}

/// Evaluates states by their observations, for example with a custom network in any language.
pub trait ObservationEvaluator: Send {
    /// Whether it has a policy head.
    fn has_policy(&self) -> bool;

    /// Writes `[count, players]` values between -1 and 1, starting with the deciding seat and
    /// continuing in seat order, and `[count, actions]` logits. `logits` is empty without a
    /// policy.
    fn evaluate(&mut self, leaves: &LeafBatch<'_>, values: &mut [f32], logits: &mut [f32]);
}

/// Adapts an [`ObservationEvaluator`] to the [`Evaluator`] of a search.
pub(crate) struct EvaluatorAdapter<'a> {
    evaluator: &'a mut dyn ObservationEvaluator,
    observations: Vec<i32>,
    masks: Vec<bool>,
    seats: Vec<u8>,
    values: Vec<f32>,
    actions: ActionList,
}

impl<'a> EvaluatorAdapter<'a> {
    pub(crate) fn new(evaluator: &'a mut dyn ObservationEvaluator) -> Self {
        Self {
            evaluator,
            observations: Vec::new(),
            masks: Vec::new(),
            seats: Vec::new(),
            values: Vec::new(),
            actions: ActionList::new(),
        }
    }

    fn show<G: Game>(&mut self, states: &[G]) {
        let Some(first) = states.first() else { return };
        let (cells, width) = (first.observation().len(), first.actions());
        self.observations.resize(states.len() * cells, 0);
        self.masks.clear();
        self.masks.resize(states.len() * width, false);
        self.seats.clear();
        for (row, state) in states.iter().enumerate() {
            let Turn::Player(seat) = state.turn() else {
                unreachable!("only decisions are evaluated")
            };
            state.observe(seat, &mut self.observations[row * cells..(row + 1) * cells]);
            state.legal_actions(&mut self.actions);
            for action in self.actions.iter() {
                self.masks[row * width + action.index()] = true;
            }
            self.seats.push(seat.0);
        }
    }
}

impl<G: Game> Evaluator<G> for EvaluatorAdapter<'_> {
    fn has_policy(&self) -> bool {
        self.evaluator.has_policy()
    }

    fn evaluate(&mut self, states: &[G], _: &mut Rng, values: &mut [Payoffs], logits: &mut [f32]) {
        let Some(players) = states.first().map(G::players) else { return };
        self.show(states);
        let leaves = LeafBatch {
            count: states.len(),
            players,
            observations: &self.observations,
            masks: &self.masks,
            seats: &self.seats,
        };
        self.values.clear();
        self.values.resize(states.len() * players, 0.0);
        self.evaluator.evaluate(&leaves, &mut self.values, logits);
        for ((out, row), &seat) in
            values.iter_mut().zip(self.values.chunks_exact(players)).zip(&self.seats)
        {
            *out = Payoffs::default();
            for (steps, &value) in row.iter().enumerate() {
                out[Player(seat).after(steps, players).index()] = value;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use meeple_game::Action;
    use meeple_search::{Budget, Control};

    use super::*;
    use crate::{BotSpec, Error, SearchSpec, open};

    fn spec(text: &str) -> SearchSpec {
        match text.parse() {
            Ok(BotSpec::Search(spec)) => spec,
            other => panic!("{other:?} does not search"),
        }
    }

    /// Evaluates every state as bad for the deciding seat, and prefers one action.
    struct Gloomy {
        favourite: Option<usize>,
        batches: Vec<usize>,
    }

    impl ObservationEvaluator for Gloomy {
        fn has_policy(&self) -> bool {
            self.favourite.is_some()
        }

        fn evaluate(&mut self, leaves: &LeafBatch<'_>, values: &mut [f32], logits: &mut [f32]) {
            self.batches.push(leaves.count);
            for row in values.chunks_exact_mut(leaves.players) {
                row.fill(0.5 / (leaves.players - 1) as f32);
                row[0] = -0.5;
            }
            let width = leaves.masks.len() / leaves.count;
            if let Some(favourite) = self.favourite {
                logits.chunks_exact_mut(width).for_each(|row| row[favourite] = 5.0);
            }
        }
    }

    #[test]
    fn values_are_of_the_one_who_decides_and_logits_guide() {
        let mut position = open("connect-four", None).unwrap();
        position.try_apply(Action(0)).unwrap();
        let mut evaluator = Gloomy { favourite: Some(5), batches: Vec::new() };
        let (budget, mut control) = (Budget::simulations(1), Control::default());
        let report = position
            .search_with_evaluator(&spec("mcts"), &budget, 1, &mut control, &mut evaluator, 4)
            .unwrap();
        assert_eq!(report.best, Action(5));
        let entry = report.best_entry().unwrap();
        // After this action the first seat decides, so its value is negative.
        assert_eq!(entry.values[0], -0.5);

        let budget = Budget::simulations(100);
        let report = position
            .search_with_evaluator(&spec("puct"), &budget, 1, &mut control, &mut evaluator, 4)
            .unwrap();
        assert_eq!(report.best, Action(5));
        assert_eq!(evaluator.batches.iter().max(), Some(&4));
    }

    #[test]
    fn hidden_games_and_larger_tables_are_judged_too() {
        let mut position = open("knockout-whist", Some(r#"{"players": 3}"#)).unwrap();
        let mut rng = Rng::new(1);
        while position.turn() == Turn::Chance {
            let outcome = position.sample_chance(&mut rng);
            position.try_apply(outcome).unwrap();
        }
        for favourite in [None, Some(3)] {
            let mut evaluator = Gloomy { favourite, batches: Vec::new() };
            let (budget, mut control) = (Budget::simulations(50), Control::default());
            let report = position.search_with_evaluator(
                &spec("mcts-ismcts"),
                &budget,
                1,
                &mut control,
                &mut evaluator,
                1,
            );
            assert_eq!(report.unwrap().simulations, 50);
        }
    }

    #[test]
    fn only_plain_searches_ask_somebody_else() {
        let position = open("connect-four", None).unwrap();
        let mut evaluator = Gloomy { favourite: None, batches: Vec::new() };
        let (budget, mut control) = (Budget::simulations(5), Control::default());
        let refused = position.search_with_evaluator(
            &spec("mcts-transposition"),
            &budget,
            1,
            &mut control,
            &mut evaluator,
            1,
        );
        assert!(matches!(refused, Err(Error::WrongGame { .. })), "{refused:?}");
    }
}
