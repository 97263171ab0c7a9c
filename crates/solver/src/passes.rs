//! What a walk does at decisions: learn, evaluate, or respond best.

use crate::cell::Cell;
use crate::kernel;
use crate::store::Store;
use crate::streets::StreetNode;

/// What a walk for the values of one player does at the decisions of both.
pub(crate) trait Pass: Sync {
    /// At a decision of the opponent: `out` becomes the opponent's reach after each action.
    fn forward<R: Cell, S: Cell>(
        &self,
        store: &mut Store<R, S>,
        seat: usize,
        node: &StreetNode,
        reach: &[f32],
        out: &mut [f32],
    );

    /// At a decision of the player: `out` becomes the values before it, from those after
    /// each action, which may be destroyed.
    fn backward<R: Cell, S: Cell>(
        &self,
        store: &mut Store<R, S>,
        seat: usize,
        node: &StreetNode,
        values: &mut [f32],
        out: &mut [f32],
    );
}

/// One iteration of discounted counterfactual regret minimization for one player
/// (Brown and Sandholm 2019): regrets of the player, average strategy of the opponent,
/// whose reach the walk knows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Learn {
    /// What earlier positive and negative regrets are multiplied by.
    pub(crate) regrets: [f32; 2],
    /// What earlier strategies are multiplied by.
    pub(crate) strategies: f32,
}

impl Pass for Learn {
    fn forward<R: Cell, S: Cell>(
        &self,
        store: &mut Store<R, S>,
        seat: usize,
        node: &StreetNode,
        reach: &[f32],
        out: &mut [f32],
    ) {
        let cells = Store::<R, S>::cells(node, reach.len());
        if store.is_locked(seat, node) {
            return kernel::spread(&store.sums[seat][cells], reach, out);
        }
        let scale = &mut store.sum_scales[seat][Store::<R, S>::scale(node)];
        let (regrets, sums) = (&store.regrets[seat][cells.clone()], &mut store.sums[seat][cells]);
        kernel::spread_and_add(regrets, sums, scale, reach, out, self.strategies);
    }

    fn backward<R: Cell, S: Cell>(
        &self,
        store: &mut Store<R, S>,
        seat: usize,
        node: &StreetNode,
        values: &mut [f32],
        out: &mut [f32],
    ) {
        let cells = Store::<R, S>::cells(node, out.len());
        if store.is_locked(seat, node) {
            return kernel::blend(&store.sums[seat][cells], values, out);
        }
        let scale = &mut store.regret_scales[seat][Store::<R, S>::scale(node)];
        kernel::update(&mut store.regrets[seat][cells], scale, values, out, self.regrets);
    }
}

/// The values of the average strategies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Evaluate;

impl Pass for Evaluate {
    fn forward<R: Cell, S: Cell>(
        &self,
        store: &mut Store<R, S>,
        seat: usize,
        node: &StreetNode,
        reach: &[f32],
        out: &mut [f32],
    ) {
        kernel::spread(&store.sums[seat][Store::<R, S>::cells(node, reach.len())], reach, out);
    }

    fn backward<R: Cell, S: Cell>(
        &self,
        store: &mut Store<R, S>,
        seat: usize,
        node: &StreetNode,
        values: &mut [f32],
        out: &mut [f32],
    ) {
        kernel::blend(&store.sums[seat][Store::<R, S>::cells(node, out.len())], values, out);
    }
}

/// The values of the best response to the opponent's average strategy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BestResponse {
    /// Whether locked decisions stay as they are.
    pub(crate) keep_locks: bool,
}

impl Pass for BestResponse {
    fn forward<R: Cell, S: Cell>(
        &self,
        store: &mut Store<R, S>,
        seat: usize,
        node: &StreetNode,
        reach: &[f32],
        out: &mut [f32],
    ) {
        Evaluate.forward(store, seat, node, reach, out);
    }

    fn backward<R: Cell, S: Cell>(
        &self,
        store: &mut Store<R, S>,
        seat: usize,
        node: &StreetNode,
        values: &mut [f32],
        out: &mut [f32],
    ) {
        if self.keep_locks && store.is_locked(seat, node) {
            Evaluate.backward(store, seat, node, values, out);
        } else {
            kernel::largest(values, out);
        }
    }
}
