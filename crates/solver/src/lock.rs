//! Node locking: a strategy that is fixed while the rest is solved.

use meeple_poker::Combo;

use crate::Error;
use crate::boards::permuted_combo;
use crate::cell::Cell;
use crate::line::Located;
use crate::solver::{Solver, Stores};
use crate::store::Store;
use crate::streets::Kind;

impl Solver {
    /// Fixes the strategy after a line: `shares` gives the frequency of each action of a
    /// hand, or `None` to keep those it has now. What is not fixed is solved again from
    /// the start.
    ///
    /// Boards that differ by suits only are solved as one, so this fixes all of them.
    ///
    /// ```
    /// # use meeple_solver::{Size, Solver, SolverOptions, Spot, Stop, TreeOptions};
    /// # let spot = Spot {
    /// #     ranges: ["AA,QQ".parse()?, "KK".parse()?],
    /// #     board: "3s3h3d2s2h".parse()?,
    /// #     tree: TreeOptions::new(100, 100, &[Size::Pot(1.0)], &[]),
    /// #     isomorphism: true,
    /// # };
    /// # let mut solver = Solver::new(spot, &SolverOptions::default())?;
    /// // A bluff catcher that always folds loses the whole pot.
    /// solver.lock("all-in 100", |_| Some(vec![1.0, 0.0]))?;
    /// solver.solve(&Stop { percent: 0.01, ..Stop::default() }, |_| {});
    /// assert!((solver.ev()[0] - 100.0).abs() < 0.1);
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the line leads to no decision, frequencies are not as many as the actions or
    /// do not add up to 1, or they differ by suits where boards are solved as one.
    pub fn lock(
        &mut self,
        line: &str,
        shares: impl Fn(Combo) -> Option<Vec<f64>>,
    ) -> Result<(), Error> {
        let at = self.locate(line)?;
        let rows = self.locked_rows(line, &at, shares)?;
        let node = self.layout.streets[at.place.level].nodes[at.place.node];
        let Kind::Decision(seat) = node.kind else { return Err(not_decision(line)) };
        let row = self.layout.boards.all[at.place.board].hands[seat as usize].row;
        match &mut self.stores {
            Stores::Full(stores) => {
                let store = stores[at.place.board].get_mut().expect("no walk has panicked");
                set(store, seat as usize, &node, row, &rows);
            }
            Stores::Half(stores) => {
                let store = stores[at.place.board].get_mut().expect("no walk has panicked");
                set(store, seat as usize, &node, row, &rows);
            }
        }
        self.start_over();
        Ok(())
    }

    /// Frees a decision that was locked; everything is solved again from the start.
    ///
    /// # Errors
    ///
    /// When the line leads to no decision.
    pub fn unlock(&mut self, line: &str) -> Result<(), Error> {
        let at = self.locate(line)?;
        let node = self.layout.streets[at.place.level].nodes[at.place.node];
        let Kind::Decision(seat) = node.kind else { return Err(not_decision(line)) };
        let free = |locked: &mut Vec<u32>| locked.retain(|&decision| decision != node.decision);
        match &mut self.stores {
            Stores::Full(stores) => free(
                &mut stores[at.place.board].get_mut().expect("no walk has panicked").locked
                    [seat as usize],
            ),
            Stores::Half(stores) => free(
                &mut stores[at.place.board].get_mut().expect("no walk has panicked").locked
                    [seat as usize],
            ),
        }
        self.start_over();
        Ok(())
    }

    /// Earlier iterations answered other questions: the next one forgets them.
    fn start_over(&mut self) {
        self.iterations = 0;
        self.seconds = 0.0;
        self.history.clear();
    }

    fn locked_rows(
        &self,
        line: &str,
        at: &Located,
        shares: impl Fn(Combo) -> Option<Vec<f64>>,
    ) -> Result<Vec<f32>, Error> {
        let node = &self.layout.streets[at.place.level].nodes[at.place.node];
        let Kind::Decision(seat) = node.kind else { return Err(not_decision(line)) };
        let board = &self.layout.boards.all[at.place.board];
        let hands = &board.hands[seat as usize];
        let actions = node.actions as usize;
        let mut rows = self.strategy_rows(at.place, None);
        for (place, &combo) in hands.combos.iter().enumerate() {
            let dealt = permuted_combo(combo, crate::query::inverse(at.suits));
            let Some(given) = shares(dealt) else { continue };
            let wrong = |what: String| Error::Lock { reason: format!("{dealt}: {what}") };
            if given.len() != actions {
                let found = given.len();
                return Err(wrong(format!("expected {actions} frequencies, found {found}")));
            }
            let total: f64 = given.iter().sum();
            if given.iter().any(|share| !(0.0..=1.0).contains(share)) || (total - 1.0).abs() > 1e-3
            {
                return Err(wrong(format!(
                    "expected frequencies from 0 to 1 that add up to 1, found {given:?}"
                )));
            }
            for (action, share) in given.into_iter().enumerate() {
                rows[action * hands.row + place] = share as f32;
            }
        }
        let same = |one: usize, other: usize| {
            (0..actions).all(|action| {
                let row = &rows[action * hands.row..];
                (row[one] - row[other]).abs() < 1e-6
            })
        };
        for &suits in &board.symmetries {
            for (place, &combo) in hands.combos.iter().enumerate() {
                let twin = permuted_combo(combo, suits);
                let other = hands.combos.iter().position(|&combo| combo == twin);
                if other.is_some_and(|other| !same(place, other)) {
                    let reason = format!(
                        "{combo} and {twin} are locked differently, but boards that differ by \
                         suits only are solved as one: turn isomorphism off"
                    );
                    return Err(Error::Lock { reason });
                }
            }
        }
        Ok(rows)
    }
}

fn not_decision(line: &str) -> Error {
    Error::NotDecision { line: line.to_owned() }
}

/// Writes a strategy where the average is and marks the decision.
fn set<R: Cell, S: Cell>(
    store: &mut Store<R, S>,
    seat: usize,
    node: &crate::streets::StreetNode,
    row: usize,
    rows: &[f32],
) {
    let (scale, inverse) = S::scales(1.0);
    if !S::EXACT {
        store.sum_scales[seat][Store::<R, S>::scale(node)] = scale;
    }
    let cells = &mut store.sums[seat][Store::<R, S>::cells(node, row)];
    for (cell, &share) in cells.iter_mut().zip(rows) {
        *cell = S::of(share * inverse);
    }
    let locked = &mut store.locked[seat];
    if let Err(place) = locked.binary_search(&node.decision) {
        locked.insert(place, node.decision);
    }
}
