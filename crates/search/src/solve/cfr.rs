//! Counterfactual regret minimization (CFR+) on the whole tree of a small game.

use meeple_game::{Action, Game, OutcomeList, Player, Turn, choices};
use rustc_hash::FxHashMap;

use super::SolveError;

/// A state of the game, laid out once.
#[derive(Clone, Debug)]
enum Node {
    /// What the first seat gets.
    End(f64),
    /// Where each outcome leads, and its probability.
    Luck(Vec<(usize, f64)>),
    /// Whose information set this belongs to, and where each action leads.
    Choice { player: usize, set: usize, next: Vec<usize> },
}

/// What one player cannot tell apart, and how they have played there.
#[derive(Clone, Debug)]
struct InfoSet {
    actions: Vec<Action>,
    /// Regret of each action, never below 0.
    regrets: Vec<f64>,
    /// The strategies of all iterations, weighted by reach and time.
    totals: Vec<f64>,
}

impl InfoSet {
    fn current(&self) -> Vec<f64> {
        normalized(&self.regrets)
    }

    fn average(&self) -> Vec<f64> {
        normalized(&self.totals)
    }
}

fn normalized(weights: &[f64]) -> Vec<f64> {
    let sum: f64 = weights.iter().sum();
    let even = 1.0 / weights.len() as f64;
    weights.iter().map(|weight| if sum > 0.0 { weight / sum } else { even }).collect()
}

/// A game for two whose payoffs sum to 0, on its way to an equilibrium.
///
/// Kuhn poker is worth a loss of 1/18 chip, or 1/36 of a stake, to the first
/// seat:
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
    set_of: FxHashMap<(Player, u64), usize>,
    iterations: u64,
}

impl Cfr {
    /// Lays out the game from `start`.
    ///
    /// # Errors
    ///
    /// When the table is not for two or the tree has more than `limit` states.
    pub fn new<G: Game>(start: &G, limit: usize) -> Result<Self, SolveError> {
        if start.players() != 2 {
            return Err(SolveError::Seats { game: G::NAME, players: start.players() });
        }
        let mut cfr =
            Self { nodes: vec![], sets: vec![], set_of: FxHashMap::default(), iterations: 0 };
        cfr.lay_out(start, limit)?;
        Ok(cfr)
    }

    fn lay_out<G: Game>(&mut self, state: &G, limit: usize) -> Result<usize, SolveError> {
        if self.nodes.len() >= limit {
            return Err(SolveError::TooLarge { game: G::NAME, limit });
        }
        let at = self.nodes.len();
        self.nodes.push(Node::End(f64::from(state.payoffs()[0])));
        let follow = |cfr: &mut Self, action: Action| {
            let mut next = *state;
            next.apply(action);
            cfr.lay_out(&next, limit)
        };
        match state.turn() {
            Turn::Over => {}
            Turn::Chance => {
                let next: Result<Vec<_>, _> = outcomes(state)
                    .into_iter()
                    .map(|(action, chance)| Ok((follow(self, action)?, chance)))
                    .collect();
                self.nodes[at] = Node::Luck(next?);
            }
            Turn::Player(player) => {
                let actions = choices(state);
                let key = (player, state.info_key(player));
                let set = *self.set_of.entry(key).or_insert(self.sets.len());
                if set == self.sets.len() {
                    let zeros = vec![0.0; actions.len()];
                    let (regrets, totals) = (zeros.clone(), zeros);
                    self.sets.push(InfoSet { actions: actions.clone(), regrets, totals });
                }
                let next: Result<Vec<_>, _> =
                    actions.iter().map(|&action| follow(self, action)).collect();
                self.nodes[at] = Node::Choice { player: player.index(), set, next: next? };
            }
        }
        Ok(at)
    }

    /// Plays `iterations` more rounds of learning for each seat.
    pub fn run(&mut self, iterations: u64) {
        for _ in 0..iterations {
            self.iterations += 1;
            for player in 0..2 {
                let strategies: Vec<Vec<f64>> = self.sets.iter().map(InfoSet::current).collect();
                let mut regrets: Vec<Vec<f64>> =
                    self.sets.iter().map(|set| vec![0.0; set.actions.len()]).collect();
                let weight = self.iterations as f64;
                let mut lesson = Lesson {
                    nodes: &self.nodes,
                    sets: &mut self.sets,
                    strategies: &strategies,
                    regrets: &mut regrets,
                    learner: player,
                    weight,
                };
                lesson.learn(0, [1.0, 1.0]);
                for (set, regrets) in self.sets.iter_mut().zip(&regrets) {
                    for (total, regret) in set.regrets.iter_mut().zip(regrets) {
                        *total = (*total + regret).max(0.0);
                    }
                }
            }
        }
    }

    /// What the first seat gets when both follow their average strategies.
    #[must_use]
    pub fn value(&self) -> f64 {
        let strategies: Vec<Vec<f64>> = self.sets.iter().map(InfoSet::average).collect();
        self.expected(0, &strategies)
    }

    fn expected(&self, at: usize, strategies: &[Vec<f64>]) -> f64 {
        let weighted = |(&next, &chance): (&usize, &f64)| chance * self.expected(next, strategies);
        match &self.nodes[at] {
            Node::End(first) => *first,
            Node::Luck(next) => next.iter().map(|(next, chance)| weighted((next, chance))).sum(),
            Node::Choice { set, next, .. } => {
                next.iter().zip(&strategies[*set]).map(weighted).sum()
            }
        }
    }

    /// What a best response gains against the average strategies, on average
    /// over the seats; 0 in an equilibrium.
    #[must_use]
    pub fn exploitability(&self) -> f64 {
        let strategies: Vec<Vec<f64>> = self.sets.iter().map(InfoSet::average).collect();
        (0..2).map(|seat| Response::new(self, seat, &strategies).value(0)).sum::<f64>() / 2.0
    }

    /// The same for any strategy: `play` is told whose turn it is, what they
    /// know and what they may do, and says how likely they do each of it.
    #[must_use]
    pub fn exploitability_of(
        &self,
        mut play: impl FnMut(Player, u64, &[Action]) -> Vec<f64>,
    ) -> f64 {
        let mut strategies = vec![Vec::new(); self.sets.len()];
        for (&(player, key), &set) in &self.set_of {
            strategies[set] = normalized(&play(player, key, &self.sets[set].actions));
        }
        (0..2).map(|seat| Response::new(self, seat, &strategies).value(0)).sum::<f64>() / 2.0
    }

    /// How often each action is played on average, where `player` decides
    /// knowing what `info_key` stands for.
    #[must_use]
    pub fn strategy(&self, player: Player, info_key: u64) -> Option<Vec<(Action, f64)>> {
        let set = &self.sets[*self.set_of.get(&(player, info_key))?];
        Some(set.actions.iter().copied().zip(set.average()).collect())
    }
}

/// A function of its own, so that the list is not part of every frame of a
/// deep recursion.
#[inline(never)]
fn outcomes<G: Game>(state: &G) -> Vec<(Action, f64)> {
    let mut outcomes = OutcomeList::new();
    state.chance_outcomes(&mut outcomes);
    outcomes.iter().map(|outcome| (outcome.action, outcome.probability)).collect()
}

fn sided(first: f64, seat: usize) -> f64 {
    if seat == 0 { first } else { -first }
}

/// One walk through the tree, after which one seat knows better.
struct Lesson<'a> {
    nodes: &'a [Node],
    sets: &'a mut [InfoSet],
    strategies: &'a [Vec<f64>],
    regrets: &'a mut [Vec<f64>],
    learner: usize,
    weight: f64,
}

impl Lesson<'_> {
    /// What the learner gets from a state; adds to its regrets on the way.
    /// `reach` is the chance that the learner, and the other with luck, come
    /// here.
    fn learn(&mut self, at: usize, reach: [f64; 2]) -> f64 {
        let nodes = self.nodes;
        match &nodes[at] {
            Node::End(first) => sided(*first, self.learner),
            Node::Luck(next) => next
                .iter()
                .map(|&(next, chance)| chance * self.learn(next, [reach[0], reach[1] * chance]))
                .sum(),
            Node::Choice { player, set, next } => {
                let strategies = self.strategies;
                let strategy = &strategies[*set];
                let side = usize::from(*player != self.learner);
                let mut follow = |(&next, &chance): (&usize, &f64)| {
                    let mut reach = reach;
                    reach[side] *= chance;
                    self.learn(next, reach)
                };
                let values: Vec<f64> = next.iter().zip(strategy).map(&mut follow).collect();
                let mean = values.iter().zip(strategy).map(|(value, chance)| value * chance).sum();
                if *player == self.learner {
                    for (action, value) in values.iter().enumerate() {
                        self.regrets[*set][action] += reach[1] * (value - mean);
                        self.sets[*set].totals[action] += self.weight * reach[0] * strategy[action];
                    }
                }
                mean
            }
        }
    }
}

/// The best that one seat can do against fixed strategies.
struct Response<'a> {
    cfr: &'a Cfr,
    seat: usize,
    strategies: &'a [Vec<f64>],
    /// The chance that luck and the other seat come to each state.
    reach: Vec<f64>,
    /// The states of each information set.
    members: Vec<Vec<usize>>,
    /// The best action of each information set, once found.
    best: Vec<Option<usize>>,
}

impl<'a> Response<'a> {
    fn new(cfr: &'a Cfr, seat: usize, strategies: &'a [Vec<f64>]) -> Self {
        let mut reach = vec![0.0; cfr.nodes.len()];
        let mut members = vec![vec![]; cfr.sets.len()];
        reach[0] = 1.0;
        // States are laid out before those they lead to.
        for (at, node) in cfr.nodes.iter().enumerate() {
            match node {
                Node::End(_) => {}
                Node::Luck(next) => {
                    next.iter().for_each(|&(next, chance)| reach[next] = reach[at] * chance);
                }
                Node::Choice { player, set, next } => {
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
            Node::End(first) => sided(*first, self.seat),
            Node::Luck(next) => next.iter().map(|&(next, chance)| chance * self.value(next)).sum(),
            Node::Choice { player, set, next } if *player == self.seat => {
                let best = self.best_action(*set);
                self.value(next[best])
            }
            Node::Choice { set, next, .. } => {
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
            let Node::Choice { next, .. } = &self.cfr.nodes[at] else { continue };
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
    fn kuhn_is_worth_a_loss_of_an_eighteenth() {
        let mut cfr = Cfr::new(&Kuhn::new(&Default::default()), 1000).unwrap();
        assert!(cfr.exploitability() > 0.1, "even play can be exploited");
        cfr.run(2000);
        assert!((2.0 * cfr.value() + 1.0 / 18.0).abs() < 1e-3, "{}", cfr.value());
        assert!(cfr.exploitability() < 1e-3, "{}", cfr.exploitability());
    }

    #[test]
    fn kuhn_strategies_are_those_of_the_equilibrium() {
        let mut game = Kuhn::new(&Default::default());
        let mut cfr = Cfr::new(&game, 1000).unwrap();
        cfr.run(2000);
        // The second seat holds the jack and is checked to: it bluffs one time
        // in three.
        for action in [2, 0, 0] {
            game.apply(Action(action));
        }
        let strategy = cfr.strategy(Player(1), game.info_key(Player(1))).unwrap();
        assert!((strategy[1].1 - 1.0 / 3.0).abs() < 0.02, "{strategy:?}");
    }

    #[test]
    fn leduc_is_worth_a_loss_of_856_thousandths_of_a_chip() {
        let mut cfr = Cfr::new(&Leduc::new(&Default::default()), 20_000).unwrap();
        cfr.run(300);
        assert!((13.0 * cfr.value() + 0.0856).abs() < 2e-3, "{}", 13.0 * cfr.value());
        assert!(cfr.exploitability() < 1e-3, "{}", cfr.exploitability());
    }

    #[test]
    fn games_beyond_reach_are_refused() {
        let refused = Cfr::new(&Pig::new(&Default::default()), 1000).unwrap_err();
        assert_eq!(refused, SolveError::TooLarge { game: "pig", limit: 1000 });
    }

    /// Whoever always passes in Kuhn poker loses the pot to every bet.
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
        // An ante is half of the stake of two chips.
        let lost = cfr.exploitability_of(passes);
        assert!((lost - 0.5).abs() < 1e-12, "{lost}");
    }
}
