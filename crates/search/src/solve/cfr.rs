//! CFR+ (Tammelin, 2014) on the full tree of a small game: counterfactual regret
//! minimization (Zinkevich and others, 2007) with regrets clipped at 0, alternating updates
//! and linear averaging.

use meeple_game::{Action, Game, OutcomeList, Player, Turn, choices};
use rustc_hash::FxHashMap;

use super::SolveError;

/// A node of the game tree.
#[derive(Clone, Debug)]
enum Node {
    /// The payoff of the first player.
    Terminal(f64),
    /// The child of each outcome, and its probability.
    Chance(Vec<(usize, f64)>),
    /// The player to move, the information set, and the child of each action.
    Decision { player: usize, set: usize, next: Vec<usize> },
}

/// An information set with its regrets and average strategy.
#[derive(Clone, Debug)]
struct InfoSet {
    actions: Vec<Action>,
    /// The cumulative regret of each action, clipped at 0.
    regrets: Vec<f64>,
    /// The sum of all strategies, weighted by reach probability and iteration.
    strategy_sums: Vec<f64>,
}

impl InfoSet {
    fn current_strategy(&self) -> Vec<f64> {
        normalized(&self.regrets)
    }

    fn average_strategy(&self) -> Vec<f64> {
        normalized(&self.strategy_sums)
    }
}

fn normalized(weights: &[f64]) -> Vec<f64> {
    let sum: f64 = weights.iter().sum();
    let even = 1.0 / weights.len() as f64;
    weights.iter().map(|weight| if sum > 0.0 { weight / sum } else { even }).collect()
}

/// A CFR+ solver for two-player zero-sum games.
///
/// Kuhn poker has a value of -1/18 chip, or -1/36 of a stake, for the first player:
///
/// ```
/// use meeple_game::Game;
/// use meeple_games::small::Kuhn;
/// use meeple_search::solve::Cfr;
///
/// let mut cfr = Cfr::new(&Kuhn::new(&Default::default()), 1000)?;
/// cfr.run(500);
/// assert!((cfr.value() + 1.0 / 36.0).abs() < 1e-3);
/// assert!(cfr.exploitability() < 1e-3);
/// # Ok::<_, meeple_search::solve::SolveError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Cfr {
    nodes: Vec<Node>,
    sets: Vec<InfoSet>,
    set_index: FxHashMap<(Player, u64), usize>,
    iterations: u64,
}

impl Cfr {
    /// Builds the game tree from `start`.
    ///
    /// # Errors
    ///
    /// Fails if the game does not have two players or the tree has more than `limit` nodes.
    pub fn new<G: Game>(start: &G, limit: usize) -> Result<Self, SolveError> {
        if start.players() != 2 {
            return Err(SolveError::Seats { game: start.name(), players: start.players() });
        }
        let mut cfr =
            Self { nodes: vec![], sets: vec![], set_index: FxHashMap::default(), iterations: 0 };
        cfr.build(start, limit)?;
        Ok(cfr)
    }

    fn build<G: Game>(&mut self, state: &G, limit: usize) -> Result<usize, SolveError> {
        if self.nodes.len() >= limit {
            return Err(SolveError::TooLarge { game: state.name(), limit });
        }
        let at = self.nodes.len();
        self.nodes.push(Node::Terminal(f64::from(state.payoffs()[0])));
        let follow = |cfr: &mut Self, action: Action| {
            let mut next = *state;
            next.apply(action);
            cfr.build(&next, limit)
        };
        match state.turn() {
            Turn::Over => {}
            Turn::Chance => {
                let next: Result<Vec<_>, _> = outcomes(state)
                    .into_iter()
                    .map(|(action, chance)| Ok((follow(self, action)?, chance)))
                    .collect();
                self.nodes[at] = Node::Chance(next?);
            }
            Turn::Player(player) => {
                let actions = choices(state);
                let key = (player, state.info_key(player));
                let set = *self.set_index.entry(key).or_insert(self.sets.len());
                if set == self.sets.len() {
                    let zeros = vec![0.0; actions.len()];
                    let (regrets, strategy_sums) = (zeros.clone(), zeros);
                    self.sets.push(InfoSet { actions: actions.clone(), regrets, strategy_sums });
                }
                let next: Result<Vec<_>, _> =
                    actions.iter().map(|&action| follow(self, action)).collect();
                self.nodes[at] = Node::Decision { player: player.index(), set, next: next? };
            }
        }
        Ok(at)
    }

    /// Runs `iterations` iterations, each with one traversal per player.
    pub fn run(&mut self, iterations: u64) {
        for _ in 0..iterations {
            self.iterations += 1;
            for player in 0..2 {
                let strategies: Vec<Vec<f64>> =
                    self.sets.iter().map(InfoSet::current_strategy).collect();
                let mut regrets: Vec<Vec<f64>> =
                    self.sets.iter().map(|set| vec![0.0; set.actions.len()]).collect();
                let weight = self.iterations as f64;
                let mut traversal = Traversal {
                    nodes: &self.nodes,
                    sets: &mut self.sets,
                    strategies: &strategies,
                    regrets: &mut regrets,
                    traverser: player,
                    weight,
                };
                traversal.traverse(0, [1.0, 1.0]);
                for (set, regrets) in self.sets.iter_mut().zip(&regrets) {
                    for (total, regret) in set.regrets.iter_mut().zip(regrets) {
                        *total = (*total + regret).max(0.0);
                    }
                }
            }
        }
    }

    /// The value of the average strategy profile for the first player.
    #[must_use]
    pub fn value(&self) -> f64 {
        let strategies: Vec<Vec<f64>> = self.sets.iter().map(InfoSet::average_strategy).collect();
        self.expected(0, &strategies)
    }

    fn expected(&self, at: usize, strategies: &[Vec<f64>]) -> f64 {
        let weighted = |(&next, &chance): (&usize, &f64)| chance * self.expected(next, strategies);
        match &self.nodes[at] {
            Node::Terminal(first) => *first,
            Node::Chance(next) => next.iter().map(|(next, chance)| weighted((next, chance))).sum(),
            Node::Decision { set, next, .. } => {
                next.iter().zip(&strategies[*set]).map(weighted).sum()
            }
        }
    }

    /// The exploitability of the average strategy profile: the gain of a best response,
    /// averaged over both players (NashConv / 2); 0 in a Nash equilibrium.
    #[must_use]
    pub fn exploitability(&self) -> f64 {
        let strategies: Vec<Vec<f64>> = self.sets.iter().map(InfoSet::average_strategy).collect();
        (0..2).map(|seat| BestResponse::new(self, seat, &strategies).value(0)).sum::<f64>() / 2.0
    }

    /// The exploitability of another strategy profile. `play` maps the player to move, the
    /// information set key and the legal actions to action probabilities.
    #[must_use]
    pub fn exploitability_of(
        &self,
        mut play: impl FnMut(Player, u64, &[Action]) -> Vec<f64>,
    ) -> f64 {
        let mut strategies = vec![Vec::new(); self.sets.len()];
        for (&(player, key), &set) in &self.set_index {
            strategies[set] = normalized(&play(player, key, &self.sets[set].actions));
        }
        (0..2).map(|seat| BestResponse::new(self, seat, &strategies).value(0)).sum::<f64>() / 2.0
    }

    /// The average strategy of `player` at the information set `info_key`.
    #[must_use]
    pub fn strategy(&self, player: Player, info_key: u64) -> Option<Vec<(Action, f64)>> {
        let set = &self.sets[*self.set_index.get(&(player, info_key))?];
        Some(set.actions.iter().copied().zip(set.average_strategy()).collect())
    }
}

/// Not inlined, so that the list is not part of every frame of a deep recursion.
#[inline(never)]
fn outcomes<G: Game>(state: &G) -> Vec<(Action, f64)> {
    let mut outcomes = OutcomeList::new();
    state.chance_outcomes(&mut outcomes);
    outcomes.iter().map(|outcome| (outcome.action, outcome.probability)).collect()
}

fn for_seat(first: f64, seat: usize) -> f64 {
    if seat == 0 { first } else { -first }
}

/// One traversal of the tree, which updates the regrets of one player.
struct Traversal<'a> {
    nodes: &'a [Node],
    sets: &'a mut [InfoSet],
    strategies: &'a [Vec<f64>],
    regrets: &'a mut [Vec<f64>],
    traverser: usize,
    weight: f64,
}

impl Traversal<'_> {
    /// Returns the counterfactual value for the traverser and adds to its regrets. `reach`
    /// holds the reach probabilities of the traverser, and of the opponent with chance.
    fn traverse(&mut self, at: usize, reach: [f64; 2]) -> f64 {
        let nodes = self.nodes;
        match &nodes[at] {
            Node::Terminal(first) => for_seat(*first, self.traverser),
            Node::Chance(next) => next
                .iter()
                .map(|&(next, chance)| chance * self.traverse(next, [reach[0], reach[1] * chance]))
                .sum(),
            Node::Decision { player, set, next } => {
                let strategies = self.strategies;
                let strategy = &strategies[*set];
                let side = usize::from(*player != self.traverser);
                let mut follow = |(&next, &chance): (&usize, &f64)| {
                    let mut reach = reach;
                    reach[side] *= chance;
                    self.traverse(next, reach)
                };
                let values: Vec<f64> = next.iter().zip(strategy).map(&mut follow).collect();
                let mean = values.iter().zip(strategy).map(|(value, chance)| value * chance).sum();
                if *player == self.traverser {
                    for (action, value) in values.iter().enumerate() {
                        self.regrets[*set][action] += reach[1] * (value - mean);
                        self.sets[*set].strategy_sums[action] +=
                            self.weight * reach[0] * strategy[action];
                    }
                }
                mean
            }
        }
    }
}

/// The best response of one player to fixed strategies.
struct BestResponse<'a> {
    cfr: &'a Cfr,
    seat: usize,
    strategies: &'a [Vec<f64>],
    /// The reach probability of each node by chance and the opponent.
    reach: Vec<f64>,
    /// The nodes of each information set.
    members: Vec<Vec<usize>>,
    /// The best action of each information set, once computed.
    best: Vec<Option<usize>>,
}

impl<'a> BestResponse<'a> {
    fn new(cfr: &'a Cfr, seat: usize, strategies: &'a [Vec<f64>]) -> Self {
        let mut reach = vec![0.0; cfr.nodes.len()];
        let mut members = vec![vec![]; cfr.sets.len()];
        reach[0] = 1.0;
        // Nodes are stored before their children.
        for (at, node) in cfr.nodes.iter().enumerate() {
            match node {
                Node::Terminal(_) => {}
                Node::Chance(next) => {
                    next.iter().for_each(|&(next, chance)| reach[next] = reach[at] * chance);
                }
                Node::Decision { player, set, next } => {
                    members[*set].push(at);
                    for (&next, chance) in next.iter().zip(&strategies[*set]) {
                        reach[next] = reach[at] * if *player == seat { 1.0 } else { *chance };
                    }
                }
            }
        }
        Self { cfr, seat, strategies, reach, members, best: vec![None; cfr.sets.len()] }
    }

    fn value(&mut self, at: usize) -> f64 {
        match &self.cfr.nodes[at] {
            Node::Terminal(first) => for_seat(*first, self.seat),
            Node::Chance(next) => {
                next.iter().map(|&(next, chance)| chance * self.value(next)).sum()
            }
            Node::Decision { player, set, next } if *player == self.seat => {
                let best = self.best_action(*set);
                self.value(next[best])
            }
            Node::Decision { set, next, .. } => {
                let strategies = self.strategies;
                let weighted = next.iter().zip(&strategies[*set]);
                weighted.map(|(&next, chance)| chance * self.value(next)).sum()
            }
        }
    }

    fn best_action(&mut self, set: usize) -> usize {
        if let Some(best) = self.best[set] {
            return best;
        }
        let mut values = vec![0.0; self.cfr.sets[set].actions.len()];
        for at in self.members[set].clone() {
            let Node::Decision { next, .. } = &self.cfr.nodes[at] else { continue };
            for (value, &next) in values.iter_mut().zip(next) {
                *value += self.reach[at] * self.value(next);
            }
        }
        let best =
            (0..values.len()).fold(0, |best, at| if values[at] > values[best] { at } else { best });
        self.best[set] = Some(best);
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meeple_games::small::{Kuhn, Leduc, Pig};

    #[test]
    fn kuhn_has_a_value_of_minus_one_eighteenth() {
        let mut cfr = Cfr::new(&Kuhn::new(&Default::default()), 1000).unwrap();
        assert!(cfr.exploitability() > 0.1, "even play can be exploited");
        cfr.run(2000);
        assert!((2.0 * cfr.value() + 1.0 / 18.0).abs() < 1e-3, "{}", cfr.value());
        assert!(cfr.exploitability() < 1e-3, "{}", cfr.exploitability());
    }

    #[test]
    fn kuhn_converges_to_the_equilibrium() {
        let mut game = Kuhn::new(&Default::default());
        let mut cfr = Cfr::new(&game, 1000).unwrap();
        cfr.run(2000);
        // The second player holds the jack and is checked to: the equilibrium bluffs with
        // probability 1/3.
        for action in [2, 0, 0] {
            game.apply(Action(action));
        }
        let strategy = cfr.strategy(Player(1), game.info_key(Player(1))).unwrap();
        assert!((strategy[1].1 - 1.0 / 3.0).abs() < 0.02, "{strategy:?}");
    }

    #[test]
    fn leduc_has_a_value_of_minus_0_0856_chips() {
        let mut cfr = Cfr::new(&Leduc::new(&Default::default()), 20_000).unwrap();
        cfr.run(300);
        assert!((13.0 * cfr.value() + 0.0856).abs() < 2e-3, "{}", 13.0 * cfr.value());
        assert!(cfr.exploitability() < 1e-3, "{}", cfr.exploitability());
    }

    #[test]
    fn large_games_are_rejected() {
        let refused = Cfr::new(&Pig::new(&Default::default()), 1000).unwrap_err();
        assert_eq!(refused, SolveError::TooLarge { game: "pig", limit: 1000 });
    }

    /// A player who always passes in Kuhn poker loses the pot to every bet.
    #[test]
    fn any_strategy_can_be_exploited() {
        let mut cfr = Cfr::new(&Kuhn::new(&Default::default()), 1000).unwrap();
        cfr.run(200);
        let own = |player, key, actions: &[Action]| {
            let strategy = cfr.strategy(player, key).expect("it is known");
            actions.iter().zip(strategy).map(|(_, (_, share))| share).collect()
        };
        assert!((cfr.exploitability_of(own) - cfr.exploitability()).abs() < 1e-12);
        let passes = |_, _, actions: &[Action]| -> Vec<f64> {
            (0..actions.len()).map(|at| f64::from(u8::from(at == 0))).collect()
        };
        // The ante is half of the stake of two chips.
        let lost = cfr.exploitability_of(passes);
        assert!((lost - 0.5).abs() < 1e-12, "{lost}");
    }
}
