//! What a solution says at a node: strategy, EV, equity, reach and regret, by hand, by
//! class and in total.

use meeple_poker::{CardSet, Combo, HandClass};

use crate::Error;
use crate::boards::permuted_combo;
use crate::line::Located;
use crate::passes::Evaluate;
use crate::solver::Solver;
use crate::streets::Lane;
use crate::terminal::{self, LaneBuffers};
use crate::tree::{Action, Event, Seat, Street};

/// A hand at a node.
#[derive(Clone, Debug, PartialEq)]
pub struct HandReport {
    /// The hand.
    pub combo: Combo,
    /// The weight with which the player brings it here, from 0 to 1.
    pub reach: f64,
    /// The weight of all deals with it here, which totals and classes count by.
    pub weight: f64,
    /// The share of the pot without further betting, if the opponent can be here.
    pub equity: Option<f64>,
    /// The chips that it wins from here on, if the opponent can be here.
    pub ev: Option<f64>,
    /// The frequency of each action; empty unless the player acts.
    pub strategy: Vec<f64>,
    /// The EV after each action, alike.
    pub action_ev: Vec<f64>,
    /// What the best action is worth more than the strategy.
    pub regret: f64,
}

/// A class of hands, or all, at a node: means by weight.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupReport {
    /// The sum of the weights.
    pub weight: f64,
    /// The number of hands that get here, each by its reach.
    pub combos: f64,
    /// The mean share of the pot without further betting.
    pub equity: f64,
    /// The mean chips won from here on.
    pub ev: f64,
    /// The mean frequency of each action.
    pub strategy: Vec<f64>,
    /// The mean regret.
    pub regret: f64,
}

/// What a solution says at a node.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeReport {
    /// The street.
    pub street: Street,
    /// The cards.
    pub board: CardSet,
    /// Chips in the pot.
    pub pot: u32,
    /// Chips that each player has left.
    pub stacks: [u32; 2],
    /// Who acts, if anybody does.
    pub player: Option<Seat>,
    /// What the player may do.
    pub actions: Vec<Action>,
    /// Whether the next card is dealt here.
    pub is_deal: bool,
    /// The hands of both players, in the order of [`Combo::index`].
    pub hands: [Vec<HandReport>; 2],
}

impl NodeReport {
    /// All hands of a player; `None` when none of them gets here.
    #[must_use]
    pub fn total(&self, seat: Seat) -> Option<GroupReport> {
        group(self.hands[seat as usize].iter())
    }

    /// The hands of a class; `None` when none of them gets here.
    #[must_use]
    pub fn class(&self, seat: Seat, class: HandClass) -> Option<GroupReport> {
        group(self.hands[seat as usize].iter().filter(|hand| hand.combo.class() == class))
    }
}

fn group<'a>(hands: impl Iterator<Item = &'a HandReport>) -> Option<GroupReport> {
    let hands: Vec<&HandReport> = hands.filter(|hand| hand.weight > 0.0).collect();
    let weight: f64 = hands.iter().map(|hand| hand.weight).sum();
    let mean = |of: &dyn Fn(&HandReport) -> f64| {
        hands.iter().map(|hand| hand.weight * of(hand)).sum::<f64>() / weight
    };
    let actions = hands.first()?.strategy.len();
    Some(GroupReport {
        weight,
        combos: hands.iter().map(|hand| hand.reach).sum(),
        equity: mean(&|hand| hand.equity.unwrap_or(0.0)),
        ev: mean(&|hand| hand.ev.unwrap_or(0.0)),
        strategy: (0..actions).map(|action| mean(&|hand| hand.strategy[action])).collect(),
        regret: mean(&|hand| hand.regret),
    })
}

impl Solver {
    /// What the solution says after a line such as `check, bet 90, call, 2c`; the empty
    /// line is the start.
    ///
    /// # Errors
    ///
    /// When a step of the line is not possible.
    pub fn node(&self, line: &str) -> Result<NodeReport, Error> {
        let at = self.locate(line)?;
        let node = &self.layout.streets[at.place.level].nodes[at.place.node];
        let tree = &self.layout.tree.nodes[node.tree as usize];
        let (player, actions) = match &tree.event {
            Event::Decision(seat, actions) => (Some(*seat), actions.clone()),
            _ => (None, Vec::new()),
        };
        let options = &self.spot.tree;
        Ok(NodeReport {
            street: tree.street,
            board: at.board,
            pot: options.pot + tree.paid[0] + tree.paid[1],
            stacks: tree.paid.map(|paid| options.stack - paid),
            player,
            actions,
            is_deal: matches!(tree.event, Event::Deal),
            hands: Seat::ALL.map(|seat| self.hands_at(&at, seat, tree.paid[seat as usize])),
        })
    }

    fn hands_at(&self, at: &Located, seat: Seat, paid: u32) -> Vec<HandReport> {
        let board = &self.layout.boards.all[at.place.board];
        let (own, other) = (&board.hands[seat as usize], &at.reach[seat.other() as usize]);
        let node = &self.layout.streets[at.place.level].nodes[at.place.node];
        let acts = node.kind == crate::streets::Kind::Decision(seat);
        let strategy = if acts { self.strategy_rows(at.place, None) } else { Vec::new() };
        let values = self.walk(&Evaluate, seat, at.place, other);
        let equities = self.showdowns(at.place.board, seat, other, [1.0, 0.0, 0.5]);
        let masses = self.showdowns(at.place.board, seat, other, [1.0; 3]);
        // Values count from the start, without half of the pot there.
        let back = f64::from(self.spot.tree.pot) / 2.0 + f64::from(paid);
        let actions = if acts { node.actions as usize } else { 0 };
        let back_suits = inverse(at.suits);
        let report = |(place, combo): (usize, &Combo)| {
            let mass = f64::from(masses[place]);
            let can_meet = mass > 1e-9;
            let ev = |row: usize| f64::from(values[row * own.row + place]) / mass + back;
            let reach = f64::from(at.reach[seat as usize][place]);
            let action_ev: Vec<f64> =
                if can_meet { (1..=actions).map(ev).collect() } else { vec![0.0; actions] };
            let best = action_ev.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            HandReport {
                combo: permuted_combo(*combo, back_suits),
                reach,
                weight: reach * mass,
                equity: can_meet.then(|| f64::from(equities[place]) / mass),
                ev: can_meet.then(|| ev(0)),
                strategy: (0..actions)
                    .map(|action| f64::from(strategy[action * own.row + place]))
                    .collect(),
                regret: if can_meet && acts { (best - ev(0)).max(0.0) } else { 0.0 },
                action_ev,
            }
        };
        let mut hands: Vec<HandReport> = own.combos.iter().enumerate().map(report).collect();
        hands.sort_by_key(|hand| hand.combo.index());
        hands
    }

    /// The values of a player's hands when no more chips go in, over all cards to come.
    fn showdowns(&self, id: usize, seat: Seat, reach: &[f32], worth: [f32; 3]) -> Vec<f32> {
        let board = &self.layout.boards.all[id];
        let own = &board.hands[seat as usize];
        let mut out = vec![0.0; own.row];
        if board.deals.is_empty() {
            let lane = Lane { row: 0, showdown: Some((0, worth)), fold: None };
            let mut buffers = LaneBuffers::new([0, 1].map(|p: usize| board.hands[p].row));
            terminal::evaluate(
                board,
                seat as usize,
                &[lane],
                (reach, 0),
                (&mut out, 0),
                &mut buffers,
            );
            return out;
        }
        for &child in &board.children {
            let other = &self.layout.boards.all[child].hands[seat.other() as usize];
            let chance = 1.0 / (48 - board.cards.len()) as f32;
            let after: Vec<f32> =
                other.parent.iter().map(|&place| chance * reach[usize::from(place)]).collect();
            let values = self.showdowns(child, seat, &after, worth);
            for deal in board.deals.iter().filter(|deal| deal.board as usize == child) {
                for (out, &place) in out.iter_mut().zip(&deal.places[seat as usize]) {
                    *out += values[usize::from(place)];
                }
            }
        }
        out
    }
}

pub(crate) fn inverse(suits: [u8; 4]) -> [u8; 4] {
    let mut back = [0; 4];
    for (from, &to) in (0..).zip(&suits) {
        back[usize::from(to)] = from;
    }
    back
}
