//! The betting tree cut into streets: flat lists that are walked forwards and backwards,
//! the same on every board.

use std::ops::Range;

use crate::tree::{Event, Seat, Street, Tree};
use crate::tree_options::TreeOptions;

/// Terminals that are evaluated side by side.
pub(crate) const LANES: usize = 16;

/// What happens at a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    /// A player acts.
    Decision(Seat),
    /// The betting is over, for good or until the next card.
    End,
}

/// A node of a street. Its number is also the number of its row of values, so the rows
/// of its children are neighbours.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StreetNode {
    pub(crate) kind: Kind,
    /// The node of the betting tree.
    pub(crate) tree: u32,
    pub(crate) first_child: u32,
    pub(crate) actions: u32,
    /// The first of its rows among those of the player who acts.
    pub(crate) cells: u32,
    /// Its number among the decisions of the player who acts.
    pub(crate) decision: u32,
    /// One after its last descendant; its descendants begin at `first_child`.
    pub(crate) end: u32,
}

/// A row of the opponent's reach with the terminals that need it: the values of each are
/// sums of what one pass over the hands finds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lane {
    pub(crate) row: u32,
    /// The node of a showdown, with what a win, a loss and a tie are worth.
    pub(crate) showdown: Option<(u32, [f32; 3])>,
    /// The node of a fold, with what it is worth.
    pub(crate) fold: Option<(u32, f32)>,
}

/// What a player's values are computed from: rows and lanes differ by player, since a
/// row is shared by all nodes between two actions of the opponent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Side {
    /// The row of the opponent's reach at each node.
    pub(crate) rows: Vec<u32>,
    pub(crate) row_count: usize,
    pub(crate) lanes: Vec<Lane>,
}

/// Neighbouring subtrees of a street that are walked together.
#[derive(Clone, Debug)]
pub(crate) struct Chunk {
    pub(crate) roots: Range<usize>,
    pub(crate) nodes: Range<usize>,
    /// By the player whose values are computed.
    pub(crate) rows: [Range<usize>; 2],
    pub(crate) lanes: [Range<usize>; 2],
}

/// All lines of betting of one street.
#[derive(Clone, Debug)]
pub(crate) struct StreetPlan {
    pub(crate) street: Street,
    pub(crate) nodes: Vec<StreetNode>,
    /// Where betting begins, in the order of the deals that lead here.
    pub(crate) roots: Vec<u32>,
    /// Where the next card is dealt.
    pub(crate) deals: Vec<u32>,
    pub(crate) chunks: Vec<Chunk>,
    pub(crate) sides: [Side; 2],
    /// Rows of actions by the player who acts, and decisions.
    pub(crate) cells: [usize; 2],
    pub(crate) decisions: [usize; 2],
}

impl StreetPlan {
    /// The largest numbers of nodes and rows in a chunk.
    pub(crate) fn largest(&self) -> (usize, usize) {
        let nodes = self.chunks.iter().map(|chunk| chunk.nodes.len());
        let rows = self.chunks.iter().flat_map(|chunk| chunk.rows.iter().map(Range::len));
        (nodes.max().unwrap_or(0), rows.max().unwrap_or(0))
    }

    pub(crate) fn children(&self, node: &StreetNode) -> Range<usize> {
        node.first_child as usize..(node.first_child + node.actions) as usize
    }
}

/// The streets of a tree from its first.
pub(crate) fn streets(tree: &Tree, options: &TreeOptions) -> Vec<StreetPlan> {
    let first = tree.nodes[0].street;
    let mut roots = vec![0];
    let mut plans = Vec::new();
    for street in Street::ALL.into_iter().filter(|&street| street >= first) {
        let plan = Builder::new(tree, options, street).build(&roots);
        let deal = |&node: &u32| tree.nodes[plan.nodes[node as usize].tree as usize].children[0];
        roots = plan.deals.iter().map(deal).collect();
        plans.push(plan);
    }
    plans
}

struct Builder<'a> {
    tree: &'a Tree,
    options: &'a TreeOptions,
    plan: StreetPlan,
    lane_of_row: [Vec<Option<usize>>; 2],
}

impl<'a> Builder<'a> {
    fn new(tree: &'a Tree, options: &'a TreeOptions, street: Street) -> Self {
        let plan = StreetPlan {
            street,
            nodes: Vec::new(),
            roots: Vec::new(),
            deals: Vec::new(),
            chunks: Vec::new(),
            sides: Default::default(),
            cells: [0; 2],
            decisions: [0; 2],
        };
        Self { tree, options, plan, lane_of_row: Default::default() }
    }

    fn build(mut self, roots: &[u32]) -> StreetPlan {
        // Only the last street is cut: streets before wait for the boards after them.
        let last = self.plan.street == Street::River;
        let most_lanes = if last { 2 * LANES } else { usize::MAX };
        for &root in roots {
            let before = self.ends();
            self.add_root(root);
            self.close_chunk(before, most_lanes);
        }
        self.plan
    }

    /// Where the next chunk begins: nodes, then rows and lanes of each side.
    fn ends(&self) -> (usize, [usize; 2], [usize; 2]) {
        let sides = &self.plan.sides;
        (
            self.plan.nodes.len(),
            [0, 1].map(|p: usize| sides[p].row_count),
            [0, 1].map(|p: usize| sides[p].lanes.len()),
        )
    }

    fn close_chunk(&mut self, before: (usize, [usize; 2], [usize; 2]), most_lanes: usize) {
        let (nodes, rows, lanes) = self.ends();
        let root = self.plan.roots.len() - 1;
        if let Some(chunk) = self.plan.chunks.last_mut() {
            let fits = (0..2).all(|p| lanes[p] - chunk.lanes[p].start <= most_lanes);
            if fits {
                chunk.roots.end = root + 1;
                chunk.nodes.end = nodes;
                for p in 0..2 {
                    chunk.rows[p].end = rows[p];
                    chunk.lanes[p].end = lanes[p];
                }
                return;
            }
        }
        self.plan.chunks.push(Chunk {
            roots: root..root + 1,
            nodes: before.0..nodes,
            rows: [0, 1].map(|p: usize| before.1[p]..rows[p]),
            lanes: [0, 1].map(|p: usize| before.2[p]..lanes[p]),
        });
    }

    fn add_root(&mut self, tree: u32) {
        let rows = [0, 1].map(|p| self.add_row(p));
        let id = self.add_node(tree, rows);
        self.plan.roots.push(id);
        self.expand(id);
    }

    fn add_row(&mut self, side: usize) -> u32 {
        self.lane_of_row[side].push(None);
        self.plan.sides[side].row_count += 1;
        self.plan.sides[side].row_count as u32 - 1
    }

    fn add_node(&mut self, tree: u32, rows: [u32; 2]) -> u32 {
        let id = self.plan.nodes.len() as u32;
        let kind = match self.tree.nodes[tree as usize].event {
            Event::Decision(seat, _) => Kind::Decision(seat),
            _ => Kind::End,
        };
        self.plan.nodes.push(StreetNode {
            kind,
            tree,
            first_child: id + 1,
            actions: 0,
            cells: 0,
            decision: 0,
            end: id + 1,
        });
        for (side, row) in self.plan.sides.iter_mut().zip(rows) {
            side.rows.push(row);
        }
        id
    }

    fn expand(&mut self, id: u32) {
        let tree = &self.tree.nodes[self.plan.nodes[id as usize].tree as usize];
        match &tree.event {
            Event::Decision(seat, actions) => self.expand_decision(id, *seat, actions.len() as u32),
            Event::Fold(seat) => {
                for p in Seat::ALL {
                    let worth = self.fold_worth(tree.paid, p, *seat);
                    self.lane(id, p).fold = Some((id, worth));
                }
            }
            Event::Showdown => {
                for p in Seat::ALL {
                    let worth = self.showdown_worth(tree.paid);
                    self.lane(id, p).showdown = Some((id, worth));
                }
            }
            Event::Deal => self.plan.deals.push(id),
        }
        let end = self.plan.nodes.len() as u32;
        self.plan.nodes[id as usize].end = end;
    }

    fn expand_decision(&mut self, id: u32, seat: Seat, actions: u32) {
        let first = self.plan.nodes.len() as u32;
        let own = seat as usize;
        let node = &mut self.plan.nodes[id as usize];
        node.first_child = first;
        node.actions = actions;
        node.cells = self.plan.cells[own] as u32;
        node.decision = self.plan.decisions[own] as u32;
        let tree = node.tree as usize;
        self.plan.cells[own] += actions as usize;
        self.plan.decisions[own] += 1;
        for &child in &self.tree.nodes[tree].children {
            // An action changes the reach that the other player sees.
            let mut rows = [0, 1].map(|p: usize| self.plan.sides[p].rows[id as usize]);
            rows[1 - own] = self.add_row(1 - own);
            self.add_node(child, rows);
        }
        for child in first..first + actions {
            self.expand(child);
        }
    }

    /// The lane of the row of a node, for the values of `seat`.
    fn lane(&mut self, id: u32, seat: Seat) -> &mut Lane {
        let side = &mut self.plan.sides[seat as usize];
        let row = side.rows[id as usize];
        let place = &mut self.lane_of_row[seat as usize][row as usize];
        let place = *place.get_or_insert_with(|| {
            side.lanes.push(Lane { row, showdown: None, fold: None });
            side.lanes.len() - 1
        });
        &mut side.lanes[place]
    }

    /// Half of the pot at the start is taken off, so that values add up to minus the rake.
    fn fold_worth(&self, paid: [u32; 2], seat: Seat, folder: Seat) -> f32 {
        let half = f64::from(self.options.pot) / 2.0;
        let mine = f64::from(paid[seat as usize]);
        if seat == folder {
            return (-mine - half) as f32;
        }
        let called = f64::from(self.options.pot + 2 * paid[folder as usize]);
        let uncalled = mine - f64::from(paid[folder as usize]);
        (called - self.rake(called) + uncalled - mine - half) as f32
    }

    fn showdown_worth(&self, paid: [u32; 2]) -> [f32; 3] {
        let half = f64::from(self.options.pot) / 2.0;
        let (mine, pot) = (f64::from(paid[0]), f64::from(self.options.pot + 2 * paid[0]));
        let won = pot - self.rake(pot);
        [won - mine - half, -mine - half, won / 2.0 - mine - half].map(|worth| worth as f32)
    }

    fn rake(&self, pot: f64) -> f64 {
        (pot * self.options.rake).min(self.options.rake_cap)
    }
}
