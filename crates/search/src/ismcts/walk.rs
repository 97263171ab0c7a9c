//! One iteration: a world is dealt, played down the tree and beyond, and its
//! end counted on every decision on the way.

use meeple_game::{Action, Game, Payoffs, Player, Turn, View};

use super::{FirstPlay, IsMcts};
use crate::SearchError;
use crate::evaluate::{Evaluator, check_values};
use crate::machine::{Machine, Work};
use crate::select::{LANES, ln};

/// A decision on the way down.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    block: u32,
    rank: u32,
    mover: Player,
}

/// Some iterations of a search.
pub(super) struct Iterations<'s, 'v, 'w, G: Game, E> {
    pub(super) search: &'s mut IsMcts<G, E>,
    pub(super) view: &'v View<'w, G>,
    pub(super) count: u64,
}

impl<G: Game, E: Evaluator<G>> Work for Iterations<'_, '_, '_, G, E> {
    type Out = Result<(), SearchError>;

    #[inline(always)]
    fn run<M: Machine>(self) -> Self::Out {
        for _ in 0..self.count {
            let mut world = self.view.sample(&mut self.search.rng);
            self.search.descend(&mut world);
            let values = self.search.judge(&mut world)?;
            self.search.ascend(&values);
        }
        Ok(())
    }
}

impl<G: Game, E: Evaluator<G>> IsMcts<G, E> {
    /// Plays `world` down the tree until an action is tried for the first
    /// time.
    #[inline(always)]
    fn descend(&mut self, world: &mut G) {
        self.path.clear();
        loop {
            let mover = match world.turn() {
                Turn::Player(mover) => mover,
                Turn::Chance => {
                    world.apply(world.sample_chance(&mut self.rng));
                    continue;
                }
                Turn::Over => return,
            };
            let Some(block) = self.block_of(world, mover) else { return };
            world.legal_actions(&mut self.actions);
            let Some((block, at, rank)) = self.choose(world, block) else { return };
            let entry = self.nodes.entry(block, rank);
            self.nodes.prefetch(entry.child);
            let tried = entry.visits > 0;
            self.path.push(Step { block, rank: rank as u32, mover });
            world.apply(self.actions[at]);
            if !tried {
                return;
            }
        }
    }

    /// The information set that `world` is in, for the one who decides.
    #[inline(always)]
    fn block_of(&mut self, world: &G, mover: Player) -> Option<u32> {
        let Some(&last) = self.path.last() else { return Some(self.root) };
        let key = self.key_of(world, mover);
        let guess = self.nodes.entry(last.block, last.rank as usize).child;
        let block = self.nodes.find(key, guess)?;
        if block != guess {
            self.nodes.set_child(last.block, last.rank as usize, block);
        }
        Some(block)
    }

    /// Chooses one of the listed actions: where the block is now, the place of
    /// the action in the list, and that of its entry.
    #[inline(always)]
    fn choose(&mut self, world: &G, block: u32) -> Option<(u32, usize, usize)> {
        if matches!(self.options.first_play, FirstPlay::Infinite) {
            if let Some(at) = self.draw_untried(block) {
                return self.open(world, block, at);
            }
        } else if self.actions.iter().any(|&action| !self.nodes.has(block, action)) {
            return self.choose_finite(world, block);
        }
        Some(self.best(block))
    }

    /// With a finite urgency every legal action has an entry before any is
    /// compared.
    #[cold]
    fn choose_finite(&mut self, world: &G, block: u32) -> Option<(u32, usize, usize)> {
        self.weigh(world);
        let mut block = block;
        for at in 0..self.actions.len() {
            if !self.nodes.has(block, self.actions[at]) {
                let prior = self.priors.get(at).copied().unwrap_or(0.0);
                block = self.nodes.insert(block, self.actions[at], prior)?;
            }
        }
        Some(self.best(block))
    }

    /// Draws one of the listed actions that have never been tried.
    #[inline(always)]
    fn draw_untried(&mut self, block: u32) -> Option<usize> {
        let mut untried = 0;
        for &action in self.actions.iter() {
            untried += usize::from(!self.is_tried(block, action));
        }
        if untried == 0 {
            return None;
        }
        let mut left = self.rng.below(untried);
        for (at, &action) in self.actions.iter().enumerate() {
            if !self.is_tried(block, action) {
                if left == 0 {
                    return Some(at);
                }
                left -= 1;
            }
        }
        None
    }

    /// Whether an action has been visited: it has an entry since then, but for
    /// the root, which has all of them from the start.
    #[inline(always)]
    fn is_tried(&self, block: u32, action: Action) -> bool {
        if block != self.root {
            return self.nodes.has(block, action);
        }
        let (rank, _) = self.nodes.rank(block, action);
        self.nodes.entry(block, rank).visits > 0
    }

    /// Makes sure that the action at `at` has an entry.
    fn open(&mut self, world: &G, block: u32, at: usize) -> Option<(u32, usize, usize)> {
        let action = self.actions[at];
        let mut block = block;
        if !self.nodes.has(block, action) {
            self.weigh(world);
            let prior = self.priors.get(at).copied().unwrap_or(0.0);
            block = self.nodes.insert(block, action, prior)?;
        }
        Some((block, at, self.nodes.rank(block, action).0))
    }

    /// The listed action with the highest score; all of them are counted as
    /// available.
    #[inline(always)]
    fn best(&mut self, block: u32) -> (u32, usize, usize) {
        if self.actions.len() == 1 {
            let (rank, _) = self.nodes.rank(block, self.actions[0]);
            self.nodes.count_available(block, rank);
            return (block, 0, rank);
        }
        let untried = self.untried_value(block);
        let mut best = (f32::NEG_INFINITY, 0, 0);
        let mut first = 0;
        while first < self.actions.len() {
            let many = LANES.min(self.actions.len() - first);
            let mut ranks = [0usize; LANES];
            let (mut visits, mut available) = ([1.0f32; LANES], [1.0f32; LANES]);
            let (mut values, mut extra) = ([0.0f32; LANES], [0.0f32; LANES]);
            for lane in 0..many {
                let (rank, _) = self.nodes.rank(block, self.actions[first + lane]);
                let entry = self.nodes.entry(block, rank);
                self.nodes.count_available(block, rank);
                ranks[lane] = rank;
                available[lane] = entry.available as f32;
                visits[lane] = entry.visits.max(1) as f32;
                values[lane] = if entry.visits > 0 { entry.value } else { untried };
                if self.options.bias > 0.0 {
                    let prior = self.nodes.prior(block, rank);
                    extra[lane] = self.options.bias * prior / (entry.visits as f32 + 1.0);
                }
            }
            let mut scores = [0.0f32; LANES];
            for lane in 0..LANES {
                let inverse = 1.0 / visits[lane];
                let doubt = (ln(available[lane]) * inverse).sqrt();
                scores[lane] =
                    values[lane] * inverse + self.options.exploration * doubt + extra[lane];
            }
            for lane in 0..many {
                if scores[lane] > best.0 {
                    best = (scores[lane], first + lane, ranks[lane]);
                }
            }
            first += LANES;
        }
        (block, best.1, best.2)
    }

    /// What an untried action counts for, where that is finite.
    #[inline(always)]
    fn untried_value(&self, block: u32) -> f32 {
        match self.options.first_play {
            FirstPlay::Infinite => 0.0,
            FirstPlay::Value(value) => value,
            FirstPlay::ParentMinus(less) => {
                let entries =
                    (0..self.nodes.count(block)).map(|rank| self.nodes.entry(block, rank));
                let (visits, sum) = entries.fold((0, 0.0), |(visits, sum), entry| {
                    (visits + entry.visits, sum + entry.value)
                });
                sum / visits.max(1) as f32 - less
            }
        }
    }

    /// What `world` is worth, played on to where somebody has a choice.
    #[inline(always)]
    fn judge(&mut self, world: &mut G) -> Result<Payoffs, SearchError> {
        loop {
            match world.turn() {
                Turn::Over => return Ok(world.payoffs()),
                Turn::Chance => world.apply(world.sample_chance(&mut self.rng)),
                Turn::Player(_) if E::PLAYS_ON => break,
                Turn::Player(_) => {
                    world.legal_actions(&mut self.actions);
                    if self.actions.len() > 1 {
                        break;
                    }
                    world.apply(self.actions[0]);
                }
            }
        }
        let mut value = [Payoffs::default()];
        let leaf = std::slice::from_ref(world);
        self.evaluator.evaluate(leaf, &mut self.rng, &mut value, &mut []);
        check_values(&value[0], self.players)?;
        self.evaluations += 1;
        Ok(value[0])
    }

    #[inline(always)]
    fn ascend(&mut self, values: &Payoffs) {
        self.walks += 1;
        self.steps += self.path.len() as u64;
        self.deepest = self.deepest.max(self.path.len());
        for step in &self.path {
            self.nodes.add(step.block, step.rank as usize, values[step.mover.index()]);
        }
        if let Some(first) = self.path.first() {
            let sums = &mut self.root_sums[first.rank as usize];
            sums.iter_mut().zip(values).for_each(|(sum, &value)| *sum += f64::from(value));
        }
    }
}
