//! Several walks in one dealt world: what one has played the next need not.

use meeple_game::{Action, Game, Player, Turn, View};

use super::key_of;
use super::nodes::NOWHERE;
use super::tree::InfoTreeSearch;
use super::walk::Choice;
use crate::machine::Machine;
use crate::ordering::normalize;

/// In place of a stop: there is none.
const NONE: u32 = u32::MAX;
/// Stops after which a world is left for another, however often it was to be
/// walked: more would no longer be near at hand.
const MOST: usize = 1 << 11;

/// Where the walks in a world have led, as a tree of its own.
#[derive(Debug)]
pub(super) struct Trails<G> {
    stops: Vec<Stop>,
    /// The world at each stop: apart from them, for worlds may be large.
    worlds: Vec<G>,
    /// What may be chosen, one stop after the other.
    listed: Vec<Listed>,
    /// How many more walks the world is good for.
    left: u32,
}

/// A state that a walk has come to, or that was looked at from the one before.
#[derive(Clone, Copy, Debug)]
struct Stop {
    /// What it was come to by.
    action: Action,
    /// Another stop that was come to from the same one.
    sibling: u32,
    /// The last stop that was come to from here.
    child: u32,
    /// Known once a walk has gone on from here.
    decision: Option<Decision>,
}

/// A choice that somebody has.
#[derive(Clone, Copy, Debug)]
struct Decision {
    mover: Player,
    /// What it is kept under in the tree of information sets.
    key: u64,
    /// Where its actions are in the list of all.
    first: u32,
    end: u32,
    /// The block that its entries were found in, and how many that had: they
    /// are where they were for as long as neither changes.
    block: u32,
    entries: usize,
}

/// An action that may be chosen, and where its entry was found.
#[derive(Clone, Copy, Debug)]
struct Listed {
    action: Action,
    rank: u16,
}

impl<G> Default for Trails<G> {
    fn default() -> Self {
        Self { stops: Vec::new(), worlds: Vec::new(), listed: Vec::new(), left: 0 }
    }
}

impl<G: Game> Trails<G> {
    /// Has the next walk begin in a world of its own.
    pub(super) fn end(&mut self) {
        self.left = 0;
    }

    /// The world at a stop.
    pub(super) fn world(&self, at: usize) -> &G {
        &self.worlds[at]
    }

    fn begin(&mut self, world: G, walks: u32) {
        self.stops.clear();
        self.worlds.clear();
        self.listed.clear();
        self.stops.push(Stop { action: Action(0), sibling: NONE, child: NONE, decision: None });
        self.worlds.push(world);
        self.left = walks;
    }

    /// The stop after an action.
    fn next(&mut self, at: usize, action: Action) -> usize {
        let mut next = self.stops[at].child;
        while next != NONE {
            let stop = &self.stops[next as usize];
            if stop.action == action {
                return next as usize;
            }
            next = stop.sibling;
        }
        let new = self.worlds.len();
        // Copied where it stays.
        self.worlds.extend_from_within(at..=at);
        self.worlds[new].apply(action);
        self.add(at, action);
        new
    }

    /// Adds the stop after an action, whose world is there already.
    fn add(&mut self, at: usize, action: Action) {
        let new = self.stops.len() as u32;
        let sibling = std::mem::replace(&mut self.stops[at].child, new);
        self.stops.push(Stop { action, sibling, child: NONE, decision: None });
    }
}

impl<G: Game> InfoTreeSearch<G> {
    /// As [`descend`](Self::descend) in the world of the walk before, or in a
    /// new one when that has been walked often enough: the stop at which it
    /// ends.
    pub(super) fn descend_again<M: Machine>(&mut self, view: &View<'_, G>) -> usize {
        let mut trails = std::mem::take(&mut self.trails);
        if trails.left == 0 || trails.stops.len() > MOST {
            trails.begin(view.sample(&mut self.rng), self.options.walks);
        }
        trails.left -= 1;
        self.path.clear();
        let mut at = 0;
        while let Some(decision) = self.decision_at(&mut trails, at) {
            let Some(block) = self.block_under(decision.key) else { break };
            let Some(choice) = self.choose_at::<M>(&mut trails, at, decision, block) else { break };
            let is_tried = self.step(decision.mover, choice);
            at = trails.next(at, self.actions[choice.at]);
            if !is_tried {
                break;
            }
        }
        self.trails = trails;
        at
    }

    /// The choice at a stop, after what luck brings; none where the game ends.
    fn decision_at(&mut self, trails: &mut Trails<G>, at: usize) -> Option<Decision> {
        let stop = &mut trails.stops[at];
        if stop.decision.is_some() {
            return stop.decision;
        }
        let world = &mut trails.worlds[at];
        let mover = loop {
            match world.turn() {
                Turn::Player(mover) => break mover,
                Turn::Chance => world.apply(world.sample_chance(&mut self.rng)),
                Turn::Over => return None,
            }
        };
        let key = key_of(self.options.knower, self.seat, world, mover);
        world.legal_actions(&mut self.actions);
        let first = trails.listed.len() as u32;
        trails.listed.extend(self.actions.iter().map(|&action| Listed { action, rank: 0 }));
        let end = trails.listed.len() as u32;
        stop.decision = Some(Decision { mover, key, first, end, block: NOWHERE, entries: 0 });
        stop.decision
    }

    /// As [`choose`](Self::choose) at a stop, whose actions are listed.
    fn choose_at<M: Machine>(
        &mut self,
        trails: &mut Trails<G>,
        at: usize,
        decision: Decision,
        block: u32,
    ) -> Option<Choice> {
        let listed = &mut trails.listed[decision.first as usize..decision.end as usize];
        self.actions.clear();
        listed.iter().for_each(|listed| self.actions.push(listed.action));
        if !self.opens_all() || block == self.root && self.halving.is_some() {
            return self.choose::<M>(&trails.worlds[at], block);
        }
        if decision.block == block && decision.entries == self.nodes.count(block) {
            self.ranks.clear();
            self.ranks.extend(listed.iter().map(|listed| listed.rank));
            return Some(self.best(block));
        }
        let block = self.find_or_open(block, |tree| tree.weigh_ahead(trails, at))?;
        let listed = &mut trails.listed[decision.first as usize..decision.end as usize];
        listed.iter_mut().zip(&self.ranks).for_each(|(listed, &rank)| listed.rank = rank);
        let entries = self.nodes.count(block);
        trails.stops[at].decision = Some(Decision { block, entries, ..decision });
        Some(self.best(block))
    }

    /// As [`weigh`](Self::weigh): worlds that are made for it become stops.
    fn weigh_ahead(&mut self, trails: &mut Trails<G>, at: usize) {
        self.priors.clear();
        let Some(ordering) = &self.ordering else { return };
        self.priors.resize(self.actions.len(), 0.0);
        let (depth, worlds) = (self.path.len(), &mut trails.worlds);
        ordering.weigh_ahead(worlds, at, depth, &self.actions, &mut self.priors);
        normalize(&mut self.priors);
        for &action in &self.actions[..trails.worlds.len() - trails.stops.len()] {
            trails.add(at, action);
        }
    }
}
