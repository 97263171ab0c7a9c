//! One walk over all boards and lines: the opponent's reach forwards, values backwards.
//!
//! The cards after the first deal are shared out to threads. Each thread adds to places of
//! its own, which are added up in the order of the cards: results do not depend on threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::boards::{Board, Boards};
use crate::cell::Cell;
use crate::kernel;
use crate::passes::Pass;
use crate::store::Store;
use crate::streets::{Chunk, Kind, StreetPlan};
use crate::terminal::{self, LaneBuffers};

/// Room for the walk of one street.
#[derive(Debug, Default)]
struct StreetRoom {
    reach: Vec<f32>,
    values: Vec<f32>,
    /// The values of the roots.
    roots: Vec<f32>,
}

/// Room for one thread.
#[derive(Debug)]
struct Room {
    streets: Vec<StreetRoom>,
    lanes: LaneBuffers,
}

/// Room for walks; nothing is allocated while walking.
#[derive(Debug)]
pub(crate) struct Workspace {
    top: Room,
    threads: Vec<Room>,
    /// The values of the roots after each child of the first board.
    outs: Vec<Mutex<Vec<f32>>>,
}

/// The longest row of any board on each street, by player.
pub(crate) fn longest_rows(boards: &Boards, streets: &[StreetPlan]) -> Vec<[usize; 2]> {
    let mut rows = vec![[0; 2]; streets.len()];
    let first = boards.all[0].cards.len();
    for board in &boards.all {
        let rows = &mut rows[board.cards.len() - first];
        for (row, hands) in rows.iter_mut().zip(&board.hands) {
            *row = hands.row.max(*row);
        }
    }
    rows
}

fn room_sizes(plan: &StreetPlan, row: [usize; 2]) -> [usize; 3] {
    let (nodes, rows) = plan.largest();
    let row = row[0].max(row[1]);
    [rows * row, nodes * row, plan.roots.len() * row]
}

impl Workspace {
    pub(crate) fn new(boards: &Boards, streets: &[StreetPlan], threads: usize) -> Self {
        let rows = longest_rows(boards, streets);
        let room = |from: usize, to: usize| Room {
            streets: (0..streets.len())
                .map(|level| {
                    if !(from..to).contains(&level) {
                        return StreetRoom::default();
                    }
                    let [reach, values, roots] =
                        room_sizes(&streets[level], rows[level]).map(|size| vec![0.0; size]);
                    StreetRoom { reach, values, roots }
                })
                .collect(),
            lanes: LaneBuffers::new(rows[0]),
        };
        let children = &boards.all[0].children;
        let workers = threads.clamp(1, children.len().max(1));
        let out = |_: &usize| Mutex::new(vec![0.0; room_sizes(&streets[1], rows[1])[2]]);
        Self {
            top: room(0, 1),
            threads: (0..workers).map(|_| room(1, streets.len())).collect(),
            outs: children.iter().map(out).collect(),
        }
    }

    /// The bytes of [`new`](Self::new).
    pub(crate) fn bytes(boards: &Boards, streets: &[StreetPlan], threads: usize) -> u64 {
        let rows = longest_rows(boards, streets);
        let sizes = |level: usize| room_sizes(&streets[level], rows[level]).iter().sum::<usize>();
        let children = boards.all[0].children.len();
        let workers = threads.clamp(1, children.max(1));
        let floats = sizes(0)
            + workers * (1..streets.len()).map(sizes).sum::<usize>()
            + children * streets.get(1).map_or(0, |plan| room_sizes(plan, rows[1])[2]);
        (size_of::<f32>() * floats + (workers + 1) * LaneBuffers::bytes(rows[0])) as u64
    }
}

/// A node on a board.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place {
    /// The street, counted from the first.
    pub(crate) level: usize,
    pub(crate) board: usize,
    pub(crate) node: usize,
}

impl Place {
    /// The start.
    pub(crate) const ROOT: Self = Self { level: 0, board: 0, node: 0 };
}

/// Where a walk goes, and what it does there.
#[derive(Clone, Copy)]
pub(crate) struct Walk<'a, P, R, S> {
    pub(crate) boards: &'a Boards,
    pub(crate) streets: &'a [StreetPlan],
    pub(crate) stores: &'a [Mutex<Store<R, S>>],
    pub(crate) pass: &'a P,
    /// Whose values are computed.
    pub(crate) seat: usize,
}

impl<P: Pass, R: Cell, S: Cell> Walk<'_, P, R, S> {
    /// The values of the player's hands at a node and after each of its actions, given the
    /// opponent's reach there: rows, one after the other.
    pub(crate) fn run(&self, at: Place, reach: &[f32], space: &mut Workspace) -> Vec<f32> {
        let Place { level, board: id, node: place } = at;
        let plan = &self.streets[level];
        let chunk = plan.chunks.iter().find(|chunk| chunk.nodes.contains(&place));
        let chunk = chunk.expect("every node is in a chunk");
        let node = &plan.nodes[place];
        let nodes = || std::iter::once(place).chain(node.first_child as usize..node.end as usize);
        let row = plan.sides[self.seat].rows[place] as usize - chunk.rows[self.seat].start;
        let row = row * reach.len()..(row + 1) * reach.len();
        let Workspace { top, threads, outs } = space;
        let street = if level == 0 {
            let street = &mut top.streets[0];
            street.reach[row].copy_from_slice(reach);
            self.forward(0, id, chunk, nodes(), street);
            if self.streets.len() > 1 {
                self.share_out(street, threads, outs);
            }
            self.finish(0, id, chunk, nodes(), street, &mut top.lanes);
            street
        } else {
            let Room { streets, lanes } = &mut threads[0];
            let (street, below) = streets[level..].split_first_mut().expect("a street");
            street.reach[row].copy_from_slice(reach);
            self.forward(level, id, chunk, nodes(), street);
            self.descend(level, id, street, below, lanes);
            self.finish(level, id, chunk, nodes(), street, lanes);
            street
        };
        let own = self.boards.all[id].hands[self.seat].row;
        let values = |place: usize| {
            let from = (place - chunk.nodes.start) * own;
            street.values[from..from + own].iter().copied()
        };
        std::iter::once(place).chain(plan.children(node)).flat_map(values).collect()
    }

    /// Has threads walk the boards after the first, and adds up what they find in order.
    fn share_out(&self, street: &mut StreetRoom, threads: &mut [Room], outs: &[Mutex<Vec<f32>>]) {
        let board = &self.boards.all[0];
        let children = &board.children;
        let next = AtomicUsize::new(0);
        let reach = &street.reach;
        let work = |room: &mut Room| {
            loop {
                let task = next.fetch_add(1, Ordering::Relaxed);
                let Some(&child) = children.get(task) else { return };
                let mut out = outs[task].lock().expect("no thread has panicked");
                let (_, below) = room.streets.split_at_mut(1);
                self.visit(1, child, board, reach, below, &mut room.lanes, &mut out);
            }
        };
        if let [room] = threads {
            work(room);
        } else {
            thread::scope(|scope| {
                for room in threads.iter_mut() {
                    scope.spawn(|| work(room));
                }
            });
        }
        self.clear_deals(0, board, &mut street.values);
        for (&child, out) in children.iter().zip(outs) {
            let out = out.lock().expect("no thread has panicked");
            self.add_child(0, board, child, &out, &mut street.values);
        }
    }

    /// Walks the boards after board `id`, one after the other.
    fn descend(
        &self,
        level: usize,
        id: usize,
        street: &mut StreetRoom,
        below: &mut [StreetRoom],
        lanes: &mut LaneBuffers,
    ) {
        if below.is_empty() {
            return;
        }
        let board = &self.boards.all[id];
        self.clear_deals(level, board, &mut street.values);
        for &child in &board.children {
            let mut roots = std::mem::take(&mut below[0].roots);
            self.visit(level + 1, child, board, &street.reach, below, lanes, &mut roots);
            self.add_child(level, board, child, &roots, &mut street.values);
            below[0].roots = roots;
        }
    }

    /// Walks a board after a deal: from the reach at the deals above to the values of its
    /// roots in `out`.
    #[allow(clippy::too_many_arguments, reason = "rooms of several streets are borrowed apart")]
    fn visit(
        &self,
        level: usize,
        id: usize,
        above: &Board,
        reach_above: &[f32],
        rooms: &mut [StreetRoom],
        lanes: &mut LaneBuffers,
        out: &mut [f32],
    ) {
        let (board, plan, before) =
            (&self.boards.all[id], &self.streets[level], &self.streets[level - 1]);
        let (own, other) = (&board.hands[self.seat], &board.hands[1 - self.seat]);
        let row_above = above.hands[1 - self.seat].row;
        // The cards left when both hands and the board above are known.
        let chance = 1.0 / (48 - above.cards.len()) as f32;
        let side = &before.sides[self.seat];
        let (street, below) = rooms.split_first_mut().expect("a room for each street");
        for chunk in &plan.chunks {
            for root in chunk.roots.clone() {
                let from = side.rows[before.deals[root] as usize] as usize * row_above;
                let row = plan.sides[self.seat].rows[plan.roots[root] as usize] as usize;
                let to = (row - chunk.rows[self.seat].start) * other.row;
                kernel::gather(
                    &reach_above[from..from + row_above],
                    &other.parent,
                    chance,
                    &mut street.reach[to..to + other.row],
                );
            }
            self.forward(level, id, chunk, chunk.nodes.clone(), street);
            self.descend(level, id, street, below, lanes);
            self.finish(level, id, chunk, chunk.nodes.clone(), street, lanes);
            for root in chunk.roots.clone() {
                let from = (plan.roots[root] as usize - chunk.nodes.start) * own.row;
                out[root * own.row..(root + 1) * own.row]
                    .copy_from_slice(&street.values[from..from + own.row]);
            }
        }
    }

    fn clear_deals(&self, level: usize, board: &Board, values: &mut [f32]) {
        let row = board.hands[self.seat].row;
        for &deal in &self.streets[level].deals {
            values[deal as usize * row..(deal as usize + 1) * row].fill(0.0);
        }
    }

    /// Adds the values after each card that leads to `child` to those before.
    fn add_child(&self, level: usize, board: &Board, child: usize, from: &[f32], to: &mut [f32]) {
        let row = board.hands[self.seat].row;
        let row_after = self.boards.all[child].hands[self.seat].row;
        for deal in board.deals.iter().filter(|deal| deal.board as usize == child) {
            for (root, &node) in self.streets[level].deals.iter().enumerate() {
                kernel::gather_and_add(
                    &from[root * row_after..(root + 1) * row_after],
                    &deal.places[self.seat],
                    &mut to[node as usize * row..(node as usize + 1) * row],
                );
            }
        }
    }

    /// The opponent's reach after the decisions among `nodes` of a chunk, parents first.
    fn forward(
        &self,
        level: usize,
        id: usize,
        chunk: &Chunk,
        nodes: impl Iterator<Item = usize>,
        room: &mut StreetRoom,
    ) {
        let (plan, other) = (&self.streets[level], 1 - self.seat);
        let row = self.boards.all[id].hands[other].row;
        let side = &plan.sides[self.seat];
        let first = chunk.rows[self.seat].start;
        let mut store = self.stores[id].lock().expect("no thread has panicked");
        for place in nodes {
            let (node, row_of) = (&plan.nodes[place], side.rows[place]);
            if !matches!(node.kind, Kind::Decision(seat) if seat as usize == other) {
                continue;
            }
            let from = (row_of as usize - first) * row;
            let to = (side.rows[node.first_child as usize] as usize - first) * row;
            let (before, after) = room.reach.split_at_mut(to);
            let out = &mut after[..node.actions as usize * row];
            self.pass.forward(&mut store, other, node, &before[from..from + row], out);
        }
    }

    /// The values where betting ends in a chunk, and from there back through `nodes`.
    fn finish(
        &self,
        level: usize,
        id: usize,
        chunk: &Chunk,
        nodes: impl DoubleEndedIterator<Item = usize>,
        room: &mut StreetRoom,
        lanes: &mut LaneBuffers,
    ) {
        let (plan, board) = (&self.streets[level], &self.boards.all[id]);
        let first = chunk.nodes.start;
        let all = &plan.sides[self.seat].lanes[chunk.lanes[self.seat].clone()];
        for batch in all.chunks(crate::streets::LANES) {
            let reach = (&room.reach[..], chunk.rows[self.seat].start);
            terminal::evaluate(board, self.seat, batch, reach, (&mut room.values, first), lanes);
        }
        let row = board.hands[self.seat].row;
        let mut store = self.stores[id].lock().expect("no thread has panicked");
        for place in nodes.rev() {
            let node = &plan.nodes[place];
            let Kind::Decision(seat) = node.kind else { continue };
            let at = (place - first) * row;
            let (before, after) =
                room.values.split_at_mut((node.first_child as usize - first) * row);
            let (out, values) =
                (&mut before[at..at + row], &mut after[..node.actions as usize * row]);
            if seat as usize == self.seat {
                self.pass.backward(&mut store, self.seat, node, values, out);
            } else {
                kernel::add_rows(values, out);
            }
        }
    }
}
