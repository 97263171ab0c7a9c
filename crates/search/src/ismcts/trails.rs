//! Several walks in one dealt world: what one has played the next need not.

use meeple_game::{Action, Game, Player, Turn, View};

use super::key_of;
use super::tree::InfoTreeSearch;
use crate::machine::Machine;

/// In place of a stop: there is none.
const NONE: u32 = u32::MAX;
/// Stops after which a world is left for another, however often it was to be
/// walked: more would no longer be near at hand.
const MOST: usize = 1 << 10;

/// Where the walks in a world have led, as a tree of its own.
#[derive(Debug)]
pub(super) struct Trails<G> {
    stops: Vec<Stop<G>>,
    /// The actions that may be chosen, one stop after the other.
    listed: Vec<Action>,
    /// How many more walks the world is good for.
    left: u32,
}

/// A state that a walk has come to.
#[derive(Clone, Copy, Debug)]
struct Stop<G> {
    world: G,
    /// What it was come to by.
    action: Action,
    /// The stop that was come to before from the same one.
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
}

impl<G> Default for Trails<G> {
    fn default() -> Self {
        Self { stops: Vec::new(), listed: Vec::new(), left: 0 }
    }
}

impl<G: Game> Trails<G> {
    /// Has the next walk begin in a world of its own.
    pub(super) fn end(&mut self) {
        self.left = 0;
    }

    fn begin(&mut self, world: G, walks: u32) {
        self.stops.clear();
        self.listed.clear();
        self.stops.push(Stop {
            world,
            action: Action(0),
            sibling: NONE,
            child: NONE,
            decision: None,
        });
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
        // Copied where it stays: worlds may be large.
        self.stops.extend_from_within(at..=at);
        let new = self.stops.len() - 1;
        let sibling = std::mem::replace(&mut self.stops[at].child, new as u32);
        let stop = &mut self.stops[new];
        stop.world.apply(action);
        (stop.action, stop.sibling, stop.child, stop.decision) = (action, sibling, NONE, None);
        new
    }
}

impl<G: Game> InfoTreeSearch<G> {
    /// As [`descend`](Self::descend) in the world of the walk before, or in a
    /// new one when that has been walked often enough: the world in which it
    /// ends.
    pub(super) fn descend_again<M: Machine>(&mut self, view: &View<'_, G>) -> G {
        let mut trails = std::mem::take(&mut self.trails);
        if trails.left == 0 || trails.stops.len() > MOST {
            trails.begin(view.sample(&mut self.rng), self.options.walks);
        }
        trails.left -= 1;
        self.path.clear();
        let mut at = 0;
        while let Some(decision) = self.decision_at(&mut trails, at) {
            let Some(block) = self.block_under(decision.key) else { break };
            self.actions.clear();
            for &action in &trails.listed[decision.first as usize..decision.end as usize] {
                self.actions.push(action);
            }
            let Some(choice) = self.choose::<M>(&trails.stops[at].world, block) else { break };
            let is_tried = self.step(decision.mover, choice);
            at = trails.next(at, self.actions[choice.at]);
            if !is_tried {
                break;
            }
        }
        let world = trails.stops[at].world;
        self.trails = trails;
        world
    }

    /// The choice at a stop, after what luck brings; none where the game ends.
    fn decision_at(&mut self, trails: &mut Trails<G>, at: usize) -> Option<Decision> {
        let stop = &mut trails.stops[at];
        if stop.decision.is_some() {
            return stop.decision;
        }
        let mover = loop {
            match stop.world.turn() {
                Turn::Player(mover) => break mover,
                Turn::Chance => stop.world.apply(stop.world.sample_chance(&mut self.rng)),
                Turn::Over => return None,
            }
        };
        let key = key_of(self.options.knower, self.seat, &stop.world, mover);
        stop.world.legal_actions(&mut self.actions);
        let first = trails.listed.len() as u32;
        trails.listed.extend_from_slice(&self.actions);
        stop.decision = Some(Decision { mover, key, first, end: trails.listed.len() as u32 });
        stop.decision
    }
}
