//! One walk through the tree: down to a leaf, and back up with its value.

use std::sync::Arc;

use meeple_game::{Action, ActionList, Game, OutcomeList, Payoffs, Player, Rng, Turn};

use crate::SearchError;
use crate::evaluate::settle;
use crate::gumbel::furthest_behind;
use crate::machine::{Machine, Plain};
use crate::options::{GumbelOptions, MctsOptions};
use crate::ordering::{Ordering, normalize, softmax};
use crate::select::Rule;
use crate::tree::{Block, END, LUCK, NO_CHILD, Proof, ROOT, SOLVED, Sketch, Step, Tree};

/// What is at the end of a walk down.
pub(crate) enum Leaf {
    /// Payoffs that are certain; `true` if they were found just now, so that
    /// something may follow from them.
    Exact(Payoffs, bool),
    /// A state to be judged.
    Judge,
    /// A state that is being judged already: the walk was for nothing.
    Taken,
}

/// A tree and all that is needed to walk through it.
pub(crate) struct Walker<G: Game> {
    pub(crate) tree: Tree,
    pub(crate) rng: Rng,
    pub(crate) root: Option<G>,
    pub(crate) path: Vec<Step>,
    pub(crate) options: MctsOptions,
    pub(crate) ordering: Option<Arc<dyn Ordering<G>>>,
    learns: bool,
    rule: Rule,
    /// How states below a Gumbel root are searched.
    improves: Option<GumbelOptions>,
    /// Whether more than the selection rule has a say.
    picks_otherwise: bool,
    /// Whether leaves come back with priors, so that a state gets its block at
    /// its first visit, when it is judged.
    pub(crate) eager: bool,
    /// Whether leaves are judged as they stand, so that forced moves are
    /// passed first.
    pub(crate) passes_forced: bool,
    pub(crate) players: usize,
    pub(crate) is_solved: bool,
    pub(crate) walks: u64,
    pub(crate) steps: u64,
    pub(crate) deepest: usize,
    actions: ActionList,
    outcomes: OutcomeList,
    drawn: Vec<Action>,
    priors: Vec<f32>,
    pairs: Vec<(Action, f32)>,
}

impl<G: Game> Walker<G> {
    pub(crate) fn new(options: &MctsOptions, ordering: Option<Arc<dyn Ordering<G>>>) -> Self {
        let rule = Rule::new(options);
        Self {
            tree: Tree::new(options.memory - rule.most_bytes()),
            rng: Rng::new(0),
            root: None,
            path: Vec::new(),
            options: *options,
            learns: ordering.as_ref().is_some_and(|ordering| ordering.learns()),
            ordering,
            rule,
            improves: options.root.below(),
            picks_otherwise: options.root.below().is_some() || options.widening.is_some(),
            eager: false,
            passes_forced: true,
            players: 2,
            is_solved: false,
            walks: 0,
            steps: 0,
            deepest: 0,
            actions: ActionList::new(),
            outcomes: OutcomeList::new(),
            drawn: Vec::new(),
            priors: Vec::new(),
            pairs: Vec::new(),
        }
    }

    /// Changes what is chosen by; the memory stays as it is.
    pub(crate) fn set_options(&mut self, options: &MctsOptions) {
        self.options = *options;
        self.improves = options.root.below();
        self.picks_otherwise = self.improves.is_some() || options.widening.is_some();
    }

    /// Makes ready to search `root`: keeps the tree if it stands for it.
    pub(crate) fn start(&mut self, root: &G) {
        if self.root != Some(*root) || self.tree.is_empty() {
            self.root = Some(*root);
            self.players = root.players();
            self.tree.clear(self.players);
        }
        // What is kept may be proven already.
        let is_kept = self.options.solve && self.players == 2 && !self.tree.is_empty();
        self.is_solved = is_kept && self.tree.solved_value(ROOT).is_some();
        self.walks = 0;
        self.steps = 0;
        self.deepest = 0;
    }

    /// The bytes of the tree and of what is looked up beside it.
    pub(crate) fn bytes(&self) -> u64 {
        self.tree.bytes() + self.rule.bytes() as u64
    }

    /// Makes ready for `count` more walks.
    pub(crate) fn expect_walks(&mut self, count: u64) {
        if !self.tree.is_empty() {
            self.rule.know(u64::from(self.tree.block(ROOT).total) + count);
        }
    }

    /// Walks down from the root, by the edge `first` if one is given; `state`
    /// is the root at first, and the leaf in the end.
    #[inline(always)]
    pub(crate) fn descend<M: Machine>(&mut self, state: &mut G, first: Option<u32>) -> Leaf {
        self.path.clear();
        let mut at = ROOT;
        let mut first = first;
        loop {
            self.tree.visit(at);
            let block = self.tree.block(at);
            let edge = if block.mover == LUCK {
                let drawn = state.sample_chance(&mut self.rng).0;
                let edges = block.edges[..block.count].iter();
                edges.take_while(|&&edge| edge as u16 != drawn).count()
            } else if let Some(edge) = first.take() {
                edge as usize
            } else if block.count == 1 {
                0
            } else {
                self.pick::<M>(at)
            };
            let (child, tried) = (block.children[edge], block.visits[edge]);
            self.tree.prefetch(child);
            let action = block.action(edge);
            let step = Step { block: at, edge: edge as u32 };
            self.path.push(step);
            if child & SOLVED != 0 {
                return Leaf::Exact(self.tree.edge_values(step, self.players), false);
            }
            state.apply(action);
            if child != NO_CHILD {
                at = child;
                continue;
            }
            if let Some(leaf) = self.arrive(state, step, tried) {
                return leaf;
            }
            match self.expand(state, step, tried) {
                Some(block) => at = block,
                // No room: what is beyond is judged again and again.
                None => return self.settle(state),
            }
        }
    }

    #[inline(always)]
    fn pick<M: Machine>(&self, at: u32) -> usize {
        if self.picks_otherwise {
            return self.pick_otherwise(at);
        }
        let block = self.tree.block(at);
        self.pick_by_rule::<M>(&block, block.count)
    }

    /// The best of the first `limit` edges by the selection rule.
    #[inline(always)]
    fn pick_by_rule<M: Machine>(&self, block: &Block<'_>, limit: usize) -> usize {
        let (visits, values, edges) = (block.visits, block.values, block.edges);
        self.rule.pick::<M>(visits, values, edges, limit, block.total, || block.mean())
    }

    /// By the improved policy or with widening: out of the way of the loop that
    /// seldom needs them.
    #[inline(never)]
    fn pick_otherwise(&self, at: u32) -> usize {
        let block = self.tree.block(at);
        let pick = |limit| match &self.improves {
            Some(gumbel) => furthest_behind(gumbel, &block, limit),
            None => self.pick_by_rule::<Plain>(&block, limit),
        };
        let Some(widening) = self.options.widening else { return pick(block.count) };
        let wide = widening.factor * (block.total as f32).powf(widening.exponent);
        let limit = (wide.ceil() as usize).max(2).min(block.count);
        let edge = pick(limit);
        if block.is_closed(edge) && limit < block.count { pick(block.count) } else { edge }
    }

    /// Looks at a state that has no block: yields a leaf, or nothing if the
    /// walk should go on through a new block.
    #[inline(always)]
    fn arrive(&mut self, state: &mut G, step: Step, tried: u32) -> Option<Leaf> {
        if tried > 0 {
            // With priors to wait for, a state tried before is being judged.
            let waits = self.eager && matches!(state.turn(), Turn::Player(_));
            return waits.then_some(Leaf::Taken);
        }
        match state.turn() {
            Turn::Over => {
                self.tree.set_child(step, END);
                let proves = self.options.solve && self.tree.is_two_sided();
                Some(Leaf::Exact(state.payoffs(), proves))
            }
            Turn::Chance if self.eager => None,
            Turn::Player(_) if self.eager => {
                state.legal_actions(&mut self.actions);
                (self.actions.len() > 1).then_some(Leaf::Judge)
            }
            _ => Some(self.settle(state)),
        }
    }

    /// Goes on to where a state can be judged.
    #[inline(always)]
    fn settle(&mut self, state: &mut G) -> Leaf {
        match settle(state, self.passes_forced, &mut self.rng, &mut self.actions) {
            Some(payoffs) => Leaf::Exact(payoffs, false),
            None => Leaf::Judge,
        }
    }

    /// Gives `state` a block below `step`, if there is room.
    #[inline(always)]
    fn expand(&mut self, state: &G, step: Step, visits: u32) -> Option<u32> {
        let block = match state.turn() {
            Turn::Player(player) => {
                state.legal_actions(&mut self.actions);
                self.prepare_priors(state);
                let worth = self.tree.edge_values(step, self.players)[player.index()];
                let value = if visits > 0 { worth } else { 0.0 };
                let (actions, priors) = (&self.actions, &self.priors);
                self.tree.add(&Sketch { mover: player.0, actions, priors, visits, value })?
            }
            Turn::Chance | Turn::Over => self.expand_luck(state, visits)?,
        };
        self.tree.set_child(step, block);
        Some(block)
    }

    fn expand_luck(&mut self, state: &G, visits: u32) -> Option<u32> {
        state.chance_outcomes(&mut self.outcomes);
        self.drawn.clear();
        self.drawn.extend(self.outcomes.iter().map(|outcome| outcome.action));
        let actions = &self.drawn;
        self.tree.add(&Sketch { mover: LUCK, actions, priors: &[], visits, value: 0.0 })
    }

    /// Asks the ordering, if there is one, about the listed actions.
    #[inline(always)]
    fn prepare_priors(&mut self, state: &G) {
        self.priors.clear();
        if let Some(ordering) = &self.ordering {
            self.priors.resize(self.actions.len(), 0.0);
            ordering.weigh(state, self.path.len(), &self.actions, &mut self.priors);
            normalize(&mut self.priors);
            self.sort_by_prior();
        }
    }

    /// Widening looks at the first actions only, so the likeliest come first.
    fn sort_by_prior(&mut self) {
        if self.options.widening.is_none() {
            return;
        }
        self.pairs.clear();
        self.pairs.extend(self.actions.iter().copied().zip(self.priors.iter().copied()));
        // Ids part equal priors, so that no stable sort, which allocates, is needed.
        self.pairs
            .sort_unstable_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        self.actions.clear();
        self.actions.extend(self.pairs.iter().map(|pair| pair.0));
        self.priors.clear();
        self.priors.extend(self.pairs.iter().map(|pair| pair.1));
    }

    /// Gives a judged state its block, with priors from `logits`, one for each
    /// action id.
    pub(crate) fn grow(
        &mut self,
        state: &G,
        step: Option<Step>,
        values: &Payoffs,
        logits: &[f32],
    ) -> Result<(), SearchError> {
        let Turn::Player(player) = state.turn() else { return Ok(()) };
        state.legal_actions(&mut self.actions);
        self.priors.clear();
        for action in self.actions.iter() {
            let value = logits[action.index()];
            if !value.is_finite() {
                return Err(SearchError::BadLogit { action: action.0, value });
            }
            self.priors.push(value);
        }
        softmax(&mut self.priors);
        self.sort_by_prior();
        let (actions, priors) = (&self.actions, &self.priors);
        let value = values[player.index()];
        let sketch = Sketch { mover: player.0, actions, priors, visits: 1, value };
        let added = self.tree.add(&sketch);
        if let (Some(block), Some(step)) = (added, step) {
            self.tree.set_child(step, block);
        }
        Ok(())
    }

    /// Gives the root its block, with the priors of the ordering.
    pub(crate) fn grow_root(&mut self) {
        let Some(root) = self.root else { return };
        let Turn::Player(player) = root.turn() else { return };
        root.legal_actions(&mut self.actions);
        self.path.clear();
        self.prepare_priors(&root);
        let (actions, priors) = (&self.actions, &self.priors);
        let sketch = Sketch { mover: player.0, actions, priors, visits: 0, value: 0.0 };
        self.tree.add(&sketch).expect("the least memory allowed holds the widest root");
    }

    /// Carries `values` up along the path just walked.
    #[inline(always)]
    pub(crate) fn ascend(&mut self, values: Payoffs, proves: bool) {
        let mut values = values;
        let mut proof = if proves { Proof::Value(0.0) } else { Proof::Nothing };
        self.walks += 1;
        self.steps += self.path.len() as u64;
        self.deepest = self.deepest.max(self.path.len());
        if self.learns {
            self.teach(&self.path, &values);
        }
        for at in (0..self.path.len()).rev() {
            let step = self.path[at];
            self.tree.add_values(step, 1, &values);
            if !matches!(proof, Proof::Nothing) {
                proof = self.prove(step, proof, &mut values);
            }
            self.tree.clamp(step.block, &mut values);
        }
        self.is_solved |= matches!(proof, Proof::Value(_));
    }

    /// Tells the ordering what the actions of a path were worth.
    fn teach(&self, path: &[Step], values: &Payoffs) {
        let Some(ordering) = &self.ordering else { return };
        for (depth, step) in path.iter().enumerate() {
            let block = self.tree.block(step.block);
            if block.mover != LUCK {
                let value = values[usize::from(block.mover)];
                let action = block.action(step.edge as usize);
                ordering.learn(Player(block.mover), depth, action, value);
            }
        }
    }

    /// Marks what follows for the state of `step` from what was proven behind
    /// it; `values` become those of the state if they are proven.
    #[cold]
    fn prove(&mut self, step: Step, behind: Proof, values: &mut Payoffs) -> Proof {
        let mover = self.tree.block(step.block).mover;
        let seat = if mover == LUCK { 0 } else { usize::from(mover) };
        if let Proof::Value(_) = behind {
            self.tree.solve_edge(step, values[seat]);
        }
        let proof = self.tree.prove(step.block);
        if let Proof::Value(value) = proof {
            values[seat] = value;
            values[1 - seat] = -value;
        }
        proof
    }

    /// Counts the path just walked as lost until its leaf is judged.
    pub(crate) fn lend(&mut self) {
        let lost = [-self.options.virtual_loss; meeple_game::MAX_PLAYERS];
        for at in 0..self.path.len() {
            self.tree.add_values(self.path[at], 1, &lost);
        }
    }

    /// Takes back the visits of a walk that was for nothing.
    pub(crate) fn undo(&mut self) {
        for at in 0..self.path.len() {
            self.tree.unvisit(self.path[at].block);
        }
    }

    /// Carries the values of a leaf up along a path that was lent.
    pub(crate) fn repay(&mut self, path: &[Step], values: &Payoffs) {
        self.walks += 1;
        self.steps += path.len() as u64;
        self.deepest = self.deepest.max(path.len());
        if self.learns {
            self.teach(path, values);
        }
        let mut values = *values;
        for &step in path.iter().rev() {
            // What was proven meanwhile has its value for all its visits.
            if self.tree.child(step) & SOLVED == 0 {
                let repaid = values.map(|value| value + self.options.virtual_loss);
                self.tree.add_values(step, 0, &repaid);
            }
            self.tree.clamp(step.block, &mut values);
        }
    }
}

impl<G: Game> std::fmt::Debug for Walker<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Walker").field("options", &self.options).finish_non_exhaustive()
    }
}
