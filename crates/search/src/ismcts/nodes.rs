//! Storage of information sets: nodes whose edges grow with the determinizations seen.
//!
//! A node is a header and edges of 16 bytes, sorted by action, with spare capacity. With at
//! most 64 action ids, the header has a bit set of the actions with edges, and the rank of
//! an edge is the number of lower bits set. A lookup thus costs the same however many
//! actions other determinizations have shown.

#[cfg(test)]
mod tests;

use meeple_game::{Action, ActionList};
use rustc_hash::FxHashMap;

use crate::reserve::reserve_capped;
use crate::select::LANES;
use crate::simd::prefetch;

/// The storage unit of the arena: 16 bytes.
pub(super) type Cell = [u32; 4];

/// Cells of a header: key and bit set; then edge count, capacity, forwarding address and
/// generation.
pub(super) const HEADER: usize = 2;
/// The edge capacity of a new node.
const FIRST_CAPACITY: usize = 4;
/// The number of action ids that fit the bit set.
const NARROW: usize = 64;
/// The address of no node.
pub(super) const NO_NODE: u32 = 0;

/// The statistics of one action of an information set.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Edge {
    pub(super) visits: u32,
    /// Determinizations in which the action was legal.
    pub(super) available: u32,
    /// The mover's value sum.
    pub(super) value: f32,
    /// The last node reached through this edge: a hint, because different determinizations
    /// may lead to different nodes.
    pub(super) child: u32,
}

impl Edge {
    #[inline(always)]
    fn from_cell([visits, available, value, child]: Cell) -> Self {
        Self { visits, available, value: f32::from_bits(value), child }
    }

    #[inline(always)]
    fn to_cell(self) -> Cell {
        [self.visits, self.available, self.value.to_bits(), self.child]
    }
}

/// The arena of all information sets of a search.
#[derive(Clone, Debug)]
pub(super) struct NodeStore {
    pub(super) cells: Vec<Cell>,
    /// The address of each information set, by key.
    pub(super) index: FxHashMap<u64, u32>,
    /// The maximum size of cells and index in bytes.
    memory: usize,
    /// Whether there are too many action ids for the bit set; edges then store their
    /// actions and are found by binary search.
    is_wide: bool,
    /// Whether edges have priors.
    has_priors: bool,
    /// The number of this search, stored in every node it visits.
    pub(super) generation: u32,
}

/// A prior in units of 1 / 65535.
fn quantized(prior: f32) -> u32 {
    (prior.clamp(0.0, 1.0) * 65_535.0).round() as u32
}

/// Bytes of this many cells and index entries.
fn bytes_of(cells: usize, index_entries: usize) -> usize {
    let entry = size_of::<(u64, u32)>() + 1;
    cells * size_of::<Cell>() + index_entries * entry
}

impl NodeStore {
    pub(super) fn new(memory: usize, has_priors: bool) -> Self {
        Self {
            cells: Vec::new(),
            index: FxHashMap::default(),
            memory,
            is_wide: false,
            has_priors,
            generation: 0,
        }
    }

    /// Removes all nodes; the next ones are of a table with `actions` action ids.
    pub(super) fn clear(&mut self, actions: usize) {
        self.is_wide = actions > NARROW;
        self.generation = 0;
        self.cells.clear();
        self.cells.push([0; 4]);
        self.index.clear();
    }

    /// The node of the information set `key`, if there is one.
    pub(super) fn get(&self, key: u64) -> Option<u32> {
        self.index.get(&key).copied()
    }

    pub(super) fn len(&self) -> u64 {
        self.index.len() as u64
    }

    pub(super) fn bytes(&self) -> u64 {
        bytes_of(self.cells.len(), self.index.len()) as u64
    }

    /// Cells for the packed words of edges: action and prior.
    pub(super) fn packed_cells(&self, capacity: usize) -> usize {
        if self.is_wide || self.has_priors { capacity.div_ceil(4) } else { 0 }
    }

    #[inline(always)]
    pub(super) fn key(&self, at: u32) -> u64 {
        let [low, high, ..] = self.cells[at as usize];
        u64::from(high) << 32 | u64::from(low)
    }

    #[inline(always)]
    fn bits(&self, at: u32) -> u64 {
        let [_, _, low, high] = self.cells[at as usize];
        u64::from(high) << 32 | u64::from(low)
    }

    /// Prefetches the first cache lines of a node.
    #[inline(always)]
    pub(super) fn prefetch(&self, at: u32) {
        prefetch(&self.cells, at as usize);
        prefetch(&self.cells, at as usize + 4);
    }

    /// Returns the ranks of the edges, sorted by action.
    pub(super) fn ranks_by_action(&self, at: u32) -> Vec<usize> {
        let mut ranks: Vec<usize> = (0..self.edge_count(at)).collect();
        ranks.sort_by_key(|&rank| self.action(at, rank));
        ranks
    }

    /// The number of edges.
    pub(super) fn edge_count(&self, at: u32) -> usize {
        self.cells[at as usize + 1][0] as usize
    }

    /// The node of the information set `key`. Checks `hint` first, which is nearly always
    /// right and saves a hash lookup. Adds a node if there is none; `None` if the arena is
    /// full.
    #[inline(always)]
    pub(super) fn find_or_insert(&mut self, key: u64, hint: u32) -> Option<u32> {
        // A node that has moved keeps its key: the forwarding address gives it away.
        let get =
            hint != NO_NODE && self.key(hint) == key && self.cells[hint as usize + 1][2] == NO_NODE;
        let at = if get { hint } else { self.lookup_or_insert(key)? };
        self.cells[at as usize + 1][3] = self.generation;
        Some(at)
    }

    fn lookup_or_insert(&mut self, key: u64) -> Option<u32> {
        if let Some(&at) = self.index.get(&key) {
            return Some(at);
        }
        let at = self.allocate(FIRST_CAPACITY)?;
        self.cells[at as usize] = [key as u32, (key >> 32) as u32, 0, 0];
        self.index.insert(key, at);
        Some(at)
    }

    fn allocate(&mut self, capacity: usize) -> Option<u32> {
        let at = self.cells.len();
        let size = HEADER + capacity + self.packed_cells(capacity);
        let bytes = bytes_of(at + size, self.index.len() + 1);
        if bytes > self.memory || at + size > u32::MAX as usize {
            return None;
        }
        reserve_capped(&mut self.cells, size, self.memory / size_of::<Cell>());
        self.cells.resize(at + size, [0; 4]);
        self.cells[at + 1] = [0, capacity as u32, NO_NODE, self.generation];
        Some(at as u32)
    }

    /// The rank of an action's edge, or where it would be inserted, and whether it exists.
    #[inline(always)]
    pub(super) fn rank(&self, at: u32, action: Action) -> (usize, bool) {
        if self.is_wide {
            return self.wide_rank(at, action);
        }
        let bits = self.bits(at);
        let bit = 1u64 << action.0;
        ((bits & (bit - 1)).count_ones() as usize, bits & bit != 0)
    }

    fn wide_rank(&self, at: u32, action: Action) -> (usize, bool) {
        let (mut low, mut high) = (0, self.edge_count(at));
        while low < high {
            let middle = low.midpoint(high);
            if (self.packed(at, middle) as u16) < action.0 {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        (low, low < self.edge_count(at) && self.packed(at, low) as u16 == action.0)
    }

    /// Whether an action has an edge.
    #[inline(always)]
    pub(super) fn has_edge(&self, at: u32, action: Action) -> bool {
        if self.is_wide { self.wide_rank(at, action).1 } else { self.bits(at) >> action.0 & 1 == 1 }
    }

    /// Whether all of `actions` have edges.
    #[inline(always)]
    pub(super) fn has_all_edges(&self, at: u32, actions: &[Action]) -> bool {
        if self.is_wide {
            return actions.iter().all(|&action| self.has_edge(at, action));
        }
        let wanted = actions.iter().fold(0u64, |set, action| set | 1 << action.0);
        wanted & !self.bits(at) == 0
    }

    /// The ranks of up to [`LANES`] actions; unused lanes repeat the first.
    #[inline(always)]
    pub(super) fn ranks(&self, at: u32, actions: &[Action]) -> [usize; LANES] {
        let mut ranks = [self.rank(at, actions[0]).0; LANES];
        for (rank, &action) in ranks.iter_mut().zip(actions).skip(1) {
            *rank = self.rank(at, action).0;
        }
        ranks
    }

    /// The cells of all edges.
    #[inline(always)]
    pub(super) fn edges(&mut self, at: u32) -> &mut [Cell] {
        let first = self.slot(at, 0);
        let count = self.edge_count(at);
        &mut self.cells[first..first + count]
    }

    #[inline(always)]
    fn slot(&self, at: u32, rank: usize) -> usize {
        at as usize + HEADER + rank
    }

    #[inline(always)]
    pub(super) fn edge(&self, at: u32, rank: usize) -> Edge {
        Edge::from_cell(self.cells[self.slot(at, rank)])
    }

    #[inline(always)]
    pub(super) fn add_availability(&mut self, at: u32, rank: usize) {
        let slot = self.slot(at, rank);
        self.cells[slot][1] += 1;
    }

    #[inline(always)]
    pub(super) fn set_child(&mut self, at: u32, rank: usize, child: u32) {
        let slot = self.slot(at, rank);
        self.cells[slot][3] = child;
    }

    #[inline(always)]
    pub(super) fn add_visit(&mut self, at: u32, rank: usize, value: f32) {
        let slot = self.slot(at, rank);
        let [visits, available, sum, child] = self.cells[slot];
        self.cells[slot] = [visits + 1, available, (f32::from_bits(sum) + value).to_bits(), child];
    }

    /// Adds to the value sum of a visit that was counted before.
    pub(super) fn add_value(&mut self, at: u32, rank: usize, value: f32) {
        let slot = self.slot(at, rank);
        self.cells[slot][2] = (f32::from_bits(self.cells[slot][2]) + value).to_bits();
    }

    /// The current address of a node, which may have moved when it grew.
    pub(super) fn resolve(&self, at: u32) -> u32 {
        match self.cells[at as usize + 1][2] {
            NO_NODE => at,
            moved => self.resolve(moved),
        }
    }

    /// The mean value for the mover.
    pub(super) fn mean(&self, at: u32) -> f32 {
        let first = self.slot(at, 0);
        let edges = &self.cells[first..first + self.edge_count(at)];
        let (visits, sum) = edges.iter().fold((0, 0.0), |(visits, sum), cell| {
            (visits + cell[0], sum + f32::from_bits(cell[2]))
        });
        sum / visits.max(1) as f32
    }

    /// The visits of all edges.
    pub(super) fn total_visits(&self, at: u32) -> u64 {
        let first = self.slot(at, 0);
        self.cells[first..first + self.edge_count(at)].iter().map(|cell| u64::from(cell[0])).sum()
    }

    /// The lead in visits of the most visited edge over the second.
    pub(super) fn visit_lead(&self, at: u32) -> u64 {
        let first = self.slot(at, 0);
        let (mut most, mut second) = (0, 0);
        for &[visits, ..] in &self.cells[first..first + self.edge_count(at)] {
            second = second.max(visits.min(most));
            most = most.max(visits);
        }
        u64::from(most - second)
    }

    /// Replaces `out` by the actions with edges, in order.
    #[inline(always)]
    pub(super) fn actions(&self, at: u32, out: &mut ActionList) {
        out.clear();
        (0..self.edge_count(at)).for_each(|rank| out.push(self.action(at, rank)));
    }

    /// The packed word of an edge: action and prior.
    fn packed(&self, at: u32, rank: usize) -> u32 {
        let capacity = self.cells[at as usize + 1][1] as usize;
        self.cells[self.slot(at, capacity) + rank / 4][rank % 4]
    }

    fn set_packed(&mut self, at: u32, rank: usize, word: u32) {
        let capacity = self.cells[at as usize + 1][1] as usize;
        let slot = self.slot(at, capacity) + rank / 4;
        self.cells[slot][rank % 4] = word;
    }

    /// The prior of an edge, if edges have priors.
    #[inline(always)]
    pub(super) fn prior(&self, at: u32, rank: usize) -> Option<f32> {
        self.has_priors.then(|| (self.packed(at, rank) >> 16) as f32 / 65_535.0)
    }

    /// Replaces the prior of an edge, if edges have priors.
    pub(super) fn set_prior(&mut self, at: u32, rank: usize, prior: f32) {
        if self.has_priors {
            let word = self.packed(at, rank) & 0xffff;
            self.set_packed(at, rank, word | quantized(prior) << 16);
        }
    }

    /// The action of an edge.
    pub(super) fn action(&self, at: u32, rank: usize) -> Action {
        if self.is_wide {
            return Action(self.packed(at, rank) as u16);
        }
        let mut bits = self.bits(at);
        (0..rank).for_each(|_| bits &= bits - 1);
        Action(bits.trailing_zeros() as u16)
    }

    /// Inserts an edge for `action`; returns the current address of the node, or `None` if
    /// the arena is full.
    pub(super) fn insert_edge(&mut self, at: u32, action: Action, prior: f32) -> Option<u32> {
        let [count, capacity, ..] = self.cells[at as usize + 1];
        let at = if count == capacity { self.grow(at)? } else { at };
        let count = count as usize;
        let (rank, _) = self.rank(at, action);
        let first = self.slot(at, rank);
        // Edges are in the order of their actions, on which ranks depend.
        self.cells.copy_within(first..first + count - rank, first + 1);
        // An edge is added where its action is legal: that is its first availability.
        self.cells[first] = Edge { available: 1, ..Edge::default() }.to_cell();
        if self.is_wide || self.has_priors {
            for above in (rank..count).rev() {
                let word = self.packed(at, above);
                self.set_packed(at, above + 1, word);
            }
            self.set_packed(at, rank, u32::from(action.0) | quantized(prior) << 16);
        }
        if !self.is_wide {
            let bits = self.bits(at) | 1 << action.0;
            self.cells[at as usize][2] = bits as u32;
            self.cells[at as usize][3] = (bits >> 32) as u32;
        }
        self.cells[at as usize + 1][0] += 1;
        Some(at)
    }

    /// Moves a full node to a new address with twice the capacity.
    #[cold]
    fn grow(&mut self, at: u32) -> Option<u32> {
        let [count, capacity, ..] = self.cells[at as usize + 1];
        let (count, capacity) = (count as usize, capacity as usize);
        let new = self.allocate(2 * capacity)?;
        self.cells[new as usize] = self.cells[at as usize];
        self.cells[new as usize + 1][0] = count as u32;
        let (from, to) = (self.slot(at, 0), self.slot(new, 0));
        self.cells.copy_within(from..from + count, to);
        let (extras, new_extras) = (from + capacity, to + 2 * capacity);
        let size = self.packed_cells(capacity);
        self.cells.copy_within(extras..extras + size, new_extras);
        // The forwarding address invalidates hints to the old address.
        self.cells[at as usize + 1][2] = new;
        let key = self.key(new);
        self.index.insert(key, new);
        Some(new)
    }
}
