//! Lines of play: actions and cards from the start to a node.

use meeple_poker::{Card, CardSet};

use crate::Error;
use crate::boards::{Suits, permuted};
use crate::cell::Cell;
use crate::kernel;
use crate::solver::{Solver, Stores};
use crate::store::Store;
use crate::streets::Kind;
use crate::tree::{Action, Event};
use crate::walk::Place;

/// A node that a line leads to.
#[derive(Clone, Debug)]
pub(crate) struct Located {
    pub(crate) place: Place,
    /// The cards as they were dealt.
    pub(crate) board: CardSet,
    /// The suits that they became on the solved board.
    pub(crate) suits: Suits,
    /// How both players' hands on that board come here.
    pub(crate) reach: [Vec<f32>; 2],
}

impl Solver {
    /// The node after a line such as `check, bet 90, call, 2c`: actions and cards with
    /// commas between; the empty line is the start.
    pub(crate) fn locate(&self, line: &str) -> Result<Located, Error> {
        let mut at = Located {
            place: Place::ROOT,
            board: self.spot.board,
            suits: [0, 1, 2, 3],
            reach: self.weights.rows.clone(),
        };
        let steps = line.split(',').map(str::trim).filter(|step| !step.is_empty());
        for (number, step) in (1..).zip(steps) {
            self.follow(&mut at, number, step)?;
        }
        Ok(at)
    }

    fn follow(&self, at: &mut Located, number: usize, step: &str) -> Result<(), Error> {
        let plan = &self.layout.streets[at.place.level];
        let node = &plan.nodes[at.place.node];
        let wrong =
            |expected: String| Error::Step { found: step.to_owned(), step: number, expected };
        match &self.layout.tree.nodes[node.tree as usize].event {
            Event::Decision(seat, actions) => {
                let found = actions.iter().position(|action| names(*action, step));
                let action = found.ok_or_else(|| wrong(listed(actions)))?;
                let reach = &at.reach[*seat as usize];
                let spread = self.strategy_rows(at.place, Some(reach));
                at.reach[*seat as usize] =
                    spread[action * reach.len()..(action + 1) * reach.len()].to_vec();
                at.place.node = node.first_child as usize + action;
                Ok(())
            }
            Event::Deal => {
                let card: Card = step.parse().map_err(|_| wrong("a card such as 2c".to_owned()))?;
                if at.board.contains(card) {
                    return Err(Error::CardTaken { card, step: number });
                }
                self.deal(at, card);
                Ok(())
            }
            Event::Fold(_) | Event::Showdown => Err(wrong("the end of the line".to_owned())),
        }
    }

    fn deal(&self, at: &mut Located, card: Card) {
        let plan = &self.layout.streets[at.place.level];
        let board = &self.layout.boards.all[at.place.board];
        let moved = permuted(card, at.suits);
        let deal = board.deals.iter().find(|deal| deal.card == moved);
        let deal = deal.expect("every card that is not on the board can come");
        let after = &self.layout.boards.all[deal.board as usize];
        for seat in 0..2 {
            let mut reach = vec![0.0; after.hands[seat].row];
            for (&place, &weight) in deal.places[seat].iter().zip(&at.reach[seat]) {
                reach[usize::from(place)] += weight;
            }
            // The last place is where hands with the card go.
            reach[after.hands[seat].combos.len()..].fill(0.0);
            at.reach[seat] = reach;
        }
        at.suits = at.suits.map(|suit| deal.suits[usize::from(suit)]);
        at.board.insert(card);
        let root = plan.deals.iter().position(|&node| node as usize == at.place.node);
        let root = root.expect("a deal has a root");
        let level = at.place.level + 1;
        let node = self.layout.streets[level].roots[root] as usize;
        at.place = Place { level, board: deal.board as usize, node };
    }

    /// The average strategy at a decision, `[actions, row]`, times a reach.
    pub(crate) fn strategy_rows(&self, at: Place, reach: Option<&[f32]>) -> Vec<f32> {
        match &self.stores {
            Stores::Full(stores) => {
                self.strategy_of(&stores[at.board].lock().expect("no walk has panicked"), at, reach)
            }
            Stores::Half(stores) => {
                self.strategy_of(&stores[at.board].lock().expect("no walk has panicked"), at, reach)
            }
        }
    }

    fn strategy_of<R: Cell, S: Cell>(
        &self,
        store: &Store<R, S>,
        at: Place,
        reach: Option<&[f32]>,
    ) -> Vec<f32> {
        let node = &self.layout.streets[at.level].nodes[at.node];
        let Kind::Decision(seat) = node.kind else { return Vec::new() };
        let row = self.layout.boards.all[at.board].hands[seat as usize].row;
        let ones = vec![1.0; row];
        let mut out = vec![0.0; node.actions as usize * row];
        let cells = &store.sums[seat as usize][Store::<R, S>::cells(node, row)];
        kernel::spread(cells, reach.unwrap_or(&ones), &mut out);
        out
    }
}

/// Whether a text names an action: `bet 90`, `b90`, `90`, `call`, `c`.
fn names(action: Action, text: &str) -> bool {
    let text = text.to_ascii_lowercase().replace(' ', "");
    let amount = |letter: &str, word: &str, chips: u32| {
        [chips.to_string(), format!("{letter}{chips}"), format!("{word}{chips}")].contains(&text)
    };
    match action {
        Action::Fold => ["fold", "f"].contains(&&*text),
        Action::Check => ["check", "x"].contains(&&*text),
        Action::Call => ["call", "c"].contains(&&*text),
        Action::Bet(chips) => amount("b", "bet", chips),
        Action::Raise(chips) => amount("r", "raise", chips),
        Action::AllIn(chips) => {
            ["all-in", "allin", "a"].contains(&&*text) || amount("a", "all-in", chips)
        }
    }
}

fn listed(actions: &[Action]) -> String {
    actions.iter().map(Action::to_string).collect::<Vec<_>>().join(", ")
}
