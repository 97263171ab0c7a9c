//! The way down the tree in one dealt world, and back up with what it was worth.

use meeple_game::{Game, Payoffs, Player, Turn};

use super::key_of;
use super::tree::InfoTreeSearch;
use crate::evaluate::settle;
use crate::machine::{Machine, Plain};

/// A decision on the way down.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) block: u32,
    pub(super) rank: u32,
    pub(super) mover: Player,
}

/// An action that was chosen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    /// Where the block is now.
    pub(super) block: u32,
    /// The place of the action in the list.
    pub(super) at: usize,
    /// The place of its entry.
    pub(super) rank: usize,
}

/// What a way down with priors has come to.
pub(super) enum Met {
    /// The end of the game.
    Certain(Payoffs),
    /// A choice that no world before has shown: it is to be judged, and its
    /// actions, those listed last, have their place in this block if there is
    /// room for one.
    Ask(Option<u32>),
}

impl<G: Game> InfoTreeSearch<G> {
    /// Plays `world` down the tree until an action is tried for the first
    /// time.
    #[inline(always)]
    pub(super) fn descend<M: Machine>(&mut self, world: &mut G) {
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
            if self.is_complete(block, mover) {
                self.nodes.list(block, &mut self.actions);
            } else {
                world.legal_actions(&mut self.actions);
            }
            let Some(choice) = self.choose::<M>(world, block) else { return };
            if !self.take(world, mover, choice) {
                return;
            }
        }
    }

    /// Plays a chosen action; whether it has been tried before.
    #[inline(always)]
    fn take(&mut self, world: &mut G, mover: Player, choice: Choice) -> bool {
        let is_tried = self.step(mover, choice);
        world.apply(self.actions[choice.at]);
        is_tried
    }

    /// Notes a choice as the next on the way; whether it has been tried before.
    #[inline(always)]
    pub(super) fn step(&mut self, mover: Player, choice: Choice) -> bool {
        let Choice { block, rank, .. } = choice;
        let entry = self.nodes.entry(block, rank);
        self.nodes.prefetch(entry.child);
        self.path.push(Step { block, rank: rank as u32, mover });
        entry.visits > 0
    }

    /// Plays `world` down the tree until somebody has a choice that no world
    /// before has shown: what it is worth, and how likely its actions are
    /// good, is asked there.
    #[inline(never)]
    pub(super) fn descend_to_ask(&mut self, world: &mut G) -> Met {
        self.path.clear();
        loop {
            let mover = match world.turn() {
                Turn::Player(mover) => mover,
                Turn::Chance => {
                    world.apply(world.sample_chance(&mut self.rng));
                    continue;
                }
                Turn::Over => return Met::Certain(world.payoffs()),
            };
            let block = self.block_of(world, mover);
            world.legal_actions(&mut self.actions);
            let Some(block) = block else { return self.settle(world) };
            let is_known = self.actions.iter().all(|&action| self.nodes.has(block, action));
            if !is_known && self.actions.len() > 1 {
                return Met::Ask(Some(block));
            }
            if !is_known {
                self.priors.clear();
                self.priors.push(1.0);
            }
            let Some(block) = self.open_all(block) else { return self.settle(world) };
            let Some(choice) = self.choose::<Plain>(world, block) else {
                return Met::Certain(Payoffs::default());
            };
            self.take(world, mover, choice);
        }
    }

    /// Without room for a block: what is beyond is judged again and again.
    pub(super) fn settle(&mut self, world: &mut G) -> Met {
        settle(world, true, &mut self.rng, &mut self.actions).map_or(Met::Ask(None), Met::Certain)
    }

    /// The information set that `world` is in, for the one who decides.
    #[inline(always)]
    fn block_of(&mut self, world: &G, mover: Player) -> Option<u32> {
        if self.path.is_empty() {
            return Some(self.root);
        }
        self.block_under(key_of(self.options.knower, self.seat, world, mover))
    }

    /// The information set after the last choice, by what it is kept under.
    #[inline(always)]
    pub(super) fn block_under(&mut self, key: u64) -> Option<u32> {
        let Some(&last) = self.path.last() else { return Some(self.root) };
        let guess = self.nodes.entry(last.block, last.rank as usize).child;
        let block = self.nodes.find(key, guess)?;
        if block != guess {
            self.nodes.set_child(last.block, last.rank as usize, block);
        }
        Some(block)
    }

    /// Chooses one of the listed actions, if there is room to count it.
    #[inline(always)]
    pub(super) fn choose<M: Machine>(&mut self, world: &G, block: u32) -> Option<Choice> {
        if block == self.root && self.halving.is_some() {
            return self.choose_by_halving();
        }
        let Some(exploration) = self.plain else { return self.choose_otherwise(world, block) };
        if let Some(at) = self.draw_untried(block) {
            return self.open(world, block, at);
        }
        if self.actions.len() == 1 {
            return Some(self.only(block));
        }
        Some(self.best_by_uct::<M>(block, exploration))
    }

    /// As [`choose`](Self::choose), by other rules than plain UCT: out of the
    /// way of the loop that seldom needs them.
    #[inline(never)]
    fn choose_otherwise(&mut self, world: &G, block: u32) -> Option<Choice> {
        if !self.opens_all()
            && let Some(at) = self.draw_untried(block)
        {
            return self.open(world, block, at);
        }
        let block = self.find_or_open(block, |tree| tree.weigh(world))?;
        Some(self.best(block))
    }

    /// Finds the entries of the listed actions, and has those that lack one
    /// weighed to give them theirs; where the block is now, or nothing without
    /// room.
    #[inline(always)]
    pub(super) fn find_or_open(
        &mut self,
        block: u32,
        weigh: impl FnOnce(&mut Self),
    ) -> Option<u32> {
        if self.find_ranks(block) {
            return Some(block);
        }
        weigh(self);
        let block = self.open_all(block)?;
        self.find_ranks(block);
        Some(block)
    }

    /// Finds the entries of the listed actions; whether all have one.
    fn find_ranks(&mut self, block: u32) -> bool {
        self.ranks.clear();
        for &action in self.actions.iter() {
            let (rank, has_entry) = self.nodes.rank(block, action);
            if !has_entry {
                return false;
            }
            self.ranks.push(rank as u16);
        }
        true
    }

    /// The action of the root whose turn it is by sequential halving.
    #[cold]
    #[inline(never)]
    fn choose_by_halving(&mut self) -> Option<Choice> {
        let block = self.root;
        let rank = self.halving.as_mut()?.next_edge(&self.nodes.arms(block)) as usize;
        let action = self.nodes.action(block, rank);
        (0..self.nodes.count(block)).for_each(|rank| self.nodes.count_available(block, rank));
        let at = self.actions.iter().position(|&legal| legal == action)?;
        Some(Choice { block, at, rank })
    }

    /// Gives every listed action an entry, with the priors last asked for;
    /// where the block is now, or nothing without room.
    pub(super) fn open_all(&mut self, block: u32) -> Option<u32> {
        let mut block = block;
        for at in 0..self.actions.len() {
            if !self.nodes.has(block, self.actions[at]) {
                let prior = self.priors.get(at).copied().unwrap_or(0.0);
                block = self.nodes.insert(block, self.actions[at], prior)?;
            }
        }
        Some(block)
    }

    /// Makes sure that the action at `at` has an entry.
    fn open(&mut self, world: &G, block: u32, at: usize) -> Option<Choice> {
        let action = self.actions[at];
        let mut block = block;
        if !self.nodes.has(block, action) {
            self.weigh(world);
            let prior = self.priors.get(at).copied().unwrap_or(0.0);
            block = self.nodes.insert(block, action, prior)?;
        }
        Some(Choice { block, at, rank: self.nodes.rank(block, action).0 })
    }

    #[inline(always)]
    pub(super) fn ascend(&mut self, values: &Payoffs) {
        self.walks += 1;
        self.steps += self.path.len() as u64;
        self.deepest = self.deepest.max(self.path.len());
        if self.learns {
            self.teach(values);
        }
        for step in &self.path {
            self.nodes.add(step.block, step.rank as usize, values[step.mover.index()]);
        }
        if let Some(first) = self.path.first() {
            self.root_sums[first.rank as usize].add(values);
        }
    }

    /// Tells the ordering what the actions of the path were worth.
    #[cold]
    fn teach(&self, values: &Payoffs) {
        let Some(ordering) = &self.ordering else { return };
        for (depth, step) in self.path.iter().enumerate() {
            let action = self.nodes.action(step.block, step.rank as usize);
            ordering.learn(step.mover, depth, action, values[step.mover.index()]);
        }
    }
}
