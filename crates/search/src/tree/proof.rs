//! What is proven: edges whose value is certain, and states whose value
//! follows.
//!
//! A state is proven by a win, or when all its edges are. Beside that it may be
//! known that its mover gets at least a draw, or at most one; both together
//! prove a draw long before every edge is known. Where luck decides, all of this
//! is said of the first seat.

use meeple_game::Payoffs;

use super::{DRAWN, HEADER, LOST, LUCK, NO_CHILD, SOLVED, Step, Tree};

/// The mark of a state whose mover has at least a draw.
const AT_LEAST_DRAW: u32 = 1 << 24;
/// The mark of a state whose mover has at most a draw.
const AT_MOST_DRAW: u32 = 1 << 25;

/// Between which limits a value is known to be, as far as draws go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    pub(crate) at_least_draw: bool,
    pub(crate) at_most_draw: bool,
}

/// What has become known of a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Proof {
    /// Nothing that was not known before.
    Nothing,
    /// That its value is limited by a draw.
    Bound,
    /// Its value to the mover, or to the first seat where luck decides.
    Value(f32),
}

impl Tree {
    /// Marks an edge as proven to be worth `value` to the mover of its block.
    pub(crate) fn solve_edge(&mut self, step: Step, value: f32) {
        let (_, mover, stride) = self.head(step.block);
        let first = step.block as usize + HEADER;
        let edge = step.edge as usize;
        let visits = self.words[first + edge];
        self.words[first + stride + edge] |= SOLVED;
        let sum = match value {
            _ if mover == LUCK => value * visits as f32,
            ..=-1.0 => LOST,
            0.0 => DRAWN,
            _ => value * visits as f32,
        };
        self.words[first + 3 * stride + edge] = sum.to_bits();
    }

    /// Looks at a state of which an edge has become better known, and marks
    /// what follows for the state itself.
    pub(crate) fn prove(&mut self, at: u32) -> Proof {
        if let Some(value) = self.solved_value(at) {
            return Proof::Value(value);
        }
        let (count, mover, _) = self.head(at);
        let known = |edge| self.edge_bounds(Step { block: at, edge });
        let mut edges = 0..count as u32;
        let at_least_draw = if mover == LUCK {
            edges.clone().all(|edge| known(edge).at_least_draw)
        } else {
            edges.clone().any(|edge| known(edge).at_least_draw)
        };
        let at_most_draw = edges.all(|edge| known(edge).at_most_draw);
        let bounds = Bounds { at_least_draw, at_most_draw };
        if bounds == self.bounds(at) {
            return Proof::Nothing;
        }
        let mark = |holds: bool, mark: u32| if holds { mark } else { 0 };
        self.words[at as usize] |= mark(at_least_draw, AT_LEAST_DRAW);
        self.words[at as usize] |= mark(at_most_draw, AT_MOST_DRAW);
        if bounds.at_least_draw && mover != LUCK {
            self.close_hopeless(at, count);
        }
        match self.solved_value(at) {
            Some(value) => Proof::Value(value),
            None => Proof::Bound,
        }
    }

    /// Closes the edges of a state that cannot beat the draw it has.
    fn close_hopeless(&mut self, at: u32, count: usize) {
        for edge in 0..count as u32 {
            let step = Step { block: at, edge };
            let bounds = self.edge_bounds(step);
            if bounds.at_most_draw && !bounds.at_least_draw && self.child(step) & SOLVED == 0 {
                let (_, _, stride) = self.head(at);
                let sum = at as usize + HEADER + 3 * stride + edge as usize;
                self.words[sum] = DRAWN.to_bits();
            }
        }
    }

    /// Corrects `values` that were carried up to a state by what is known of
    /// it: its mover does not take less than the draw it has.
    #[inline(always)]
    pub(crate) fn clamp(&self, at: u32, values: &mut Payoffs) {
        let word = self.words[at as usize];
        if word & (AT_LEAST_DRAW | AT_MOST_DRAW) != 0 {
            Self::clamp_by(word, values);
        }
    }

    #[cold]
    fn clamp_by(word: u32, values: &mut Payoffs) {
        let mover = (word >> 16) as u8;
        let seat = if mover == LUCK { 0 } else { usize::from(mover) };
        let least = if word & AT_LEAST_DRAW == 0 { -1.0 } else { 0.0 };
        let most = if word & AT_MOST_DRAW == 0 { 1.0 } else { 0.0 };
        values[seat] = values[seat].clamp(least, most);
        values[1 - seat] = -values[seat];
    }

    /// What is known of a state's value to its mover.
    fn bounds(&self, at: u32) -> Bounds {
        let word = self.words[at as usize];
        Bounds { at_least_draw: word & AT_LEAST_DRAW != 0, at_most_draw: word & AT_MOST_DRAW != 0 }
    }

    /// What is known of an edge's value to the mover of its block.
    pub(crate) fn edge_bounds(&self, step: Step) -> Bounds {
        let block = self.block(step.block);
        let edge = step.edge as usize;
        if block.is_solved(edge) {
            let value = block.edge_mean(edge);
            return Bounds { at_least_draw: value >= 0.0, at_most_draw: value <= 0.0 };
        }
        let child = block.children[edge];
        if child == NO_CHILD {
            return Bounds { at_least_draw: false, at_most_draw: false };
        }
        let seat = |mover: u8| if mover == LUCK { 0 } else { mover };
        let Bounds { at_least_draw, at_most_draw } = self.bounds(child);
        if seat(block.mover) == seat(self.block(child).mover) {
            Bounds { at_least_draw, at_most_draw }
        } else {
            // What one wins the other loses.
            Bounds { at_least_draw: at_most_draw, at_most_draw: at_least_draw }
        }
    }

    /// The proven value of a state for its mover, if there is one: a win is
    /// enough, otherwise everything must be proven or nothing beat a draw.
    /// Where luck decides, all outcomes must be worth the same (to the first
    /// seat).
    pub(crate) fn solved_value(&self, at: u32) -> Option<f32> {
        let block = self.block(at);
        let solved = (0..block.count).filter(|&edge| block.is_solved(edge));
        let mut values = solved.map(|edge| block.edge_mean(edge));
        if self.bounds(at) == (Bounds { at_least_draw: true, at_most_draw: true }) {
            return Some(0.0);
        }
        if block.mover == LUCK {
            let first = values.next()?;
            let alike = values.clone().all(|value| value == first);
            return (alike && values.count() + 1 == block.count).then_some(first);
        }
        let best = values.clone().fold(f32::NEG_INFINITY, f32::max);
        (best >= 1.0 || values.by_ref().count() == block.count).then_some(best)
    }
}

#[cfg(test)]
mod tests {
    use meeple_game::{Action, MAX_PLAYERS};

    use super::super::Sketch;
    use super::super::tests::sketch;
    use super::*;

    #[test]
    fn wins_losses_and_luck_are_proven() {
        let mut tree = Tree::new(1 << 20);
        tree.clear(2);
        let actions = [Action(0), Action(1)];
        let block = tree.add(&sketch(&actions, &[])).unwrap();
        let edges = [0, 1].map(|edge| Step { block, edge });
        edges.iter().for_each(|&step| tree.add_values(step, 1, &[0.0; MAX_PLAYERS]));
        tree.solve_edge(edges[0], -1.0);
        assert_eq!(tree.solved_value(block), None);
        tree.solve_edge(edges[1], 0.25);
        assert_eq!(tree.solved_value(block), Some(0.25));
        tree.solve_edge(edges[1], 1.0);
        assert_eq!(tree.solved_value(block), Some(1.0));
        assert_eq!(tree.block(block).edge_mean(0), -1.0);
        let luck = tree.add(&Sketch { mover: LUCK, ..sketch(&actions, &[]) }).unwrap();
        let edges = [0, 1].map(|edge| Step { block: luck, edge });
        edges.iter().for_each(|&step| tree.add_values(step, 1, &[0.0; MAX_PLAYERS]));
        tree.solve_edge(edges[0], -1.0);
        assert_eq!(tree.solved_value(luck), None);
        tree.solve_edge(edges[1], -1.0);
        assert_eq!(tree.solved_value(luck), Some(-1.0));
    }

    /// The first player has a draw, and the second has one against all else.
    #[test]
    fn draws_are_proven_from_both_sides() {
        let mut tree = Tree::new(1 << 20);
        tree.clear(2);
        let actions = [Action(0), Action(1)];
        let root = tree.add(&sketch(&actions, &[])).unwrap();
        let reply = tree.add(&Sketch { mover: 1, ..sketch(&actions, &[]) }).unwrap();
        tree.set_child(Step { block: root, edge: 1 }, reply);
        assert_eq!(tree.prove(root), Proof::Nothing);
        for block in [root, reply] {
            tree.add_values(Step { block, edge: 0 }, 1, &[0.0; MAX_PLAYERS]);
        }
        tree.solve_edge(Step { block: root, edge: 0 }, 0.0);
        assert_eq!(tree.prove(root), Proof::Bound, "at least a draw");
        tree.solve_edge(Step { block: reply, edge: 0 }, 0.0);
        assert_eq!(tree.prove(reply), Proof::Bound, "at least a draw for the other");
        assert_eq!(tree.prove(root), Proof::Value(0.0));
        assert!(!tree.edge_bounds(Step { block: root, edge: 1 }).at_least_draw, "it may lose");
    }
}
