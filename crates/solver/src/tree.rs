//! The betting tree: who may do what, whatever the cards.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::tree_options::TreeOptions;
use crate::{Error, Size};

/// A player after the flop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Seat {
    /// Out of position: acts first on every street.
    Oop,
    /// In position.
    Ip,
}

impl Seat {
    /// Both players, the one who acts first before the other.
    pub const ALL: [Self; 2] = [Self::Oop, Self::Ip];

    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Oop => Self::Ip,
            Self::Ip => Self::Oop,
        }
    }

    /// The name in upper case: `OOP`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Oop => "OOP",
            Self::Ip => "IP",
        }
    }
}

/// A betting round after the flop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Street {
    /// Three cards on the board.
    Flop,
    /// Four cards on the board.
    Turn,
    /// Five cards on the board.
    River,
}

impl Street {
    /// All streets in order.
    pub const ALL: [Self; 3] = [Self::Flop, Self::Turn, Self::River];

    /// The name in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["flop", "turn", "river"][self as usize]
    }
}

/// What a player may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Give up the pot.
    Fold,
    /// Bet nothing.
    Check,
    /// Match the bet.
    Call,
    /// Bet these chips.
    Bet(u32),
    /// Raise to these chips, counted from the start of the street.
    Raise(u32),
    /// Bet or raise the whole stack, to these chips of the street.
    AllIn(u32),
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fold => f.write_str("fold"),
            Self::Check => f.write_str("check"),
            Self::Call => f.write_str("call"),
            Self::Bet(chips) => write!(f, "bet {chips}"),
            Self::Raise(chips) => write!(f, "raise {chips}"),
            Self::AllIn(chips) => write!(f, "all-in {chips}"),
        }
    }
}

/// A tree with more lines has no use: its first street alone exceeds any memory.
const MOST_NODES: usize = 4_000_000;

/// What happens at a node of the betting tree.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    /// A player acts.
    Decision(Seat, Vec<Action>),
    /// A player has folded.
    Fold(Seat),
    /// Hands are shown.
    Showdown,
    /// The next card is dealt.
    Deal,
}

/// A node of the betting tree.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) event: Event,
    pub(crate) street: Street,
    /// Chips that each player has put in since the start.
    pub(crate) paid: [u32; 2],
    /// Nodes after each action, or after the deal.
    pub(crate) children: Vec<u32>,
}

/// The betting tree of a spot.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    /// Parents before children; the root first.
    pub(crate) nodes: Vec<Node>,
}

/// A line of betting in progress.
#[derive(Clone, Copy)]
struct Line {
    street: Street,
    turn: Seat,
    /// Chips since the start, and when the street began.
    paid: [u32; 2],
    before: u32,
    /// By how much the last bet or raise went up.
    step: u32,
    /// Who bet or raised last, on this street and on the street before.
    aggressor: [Option<Seat>; 2],
    checked: bool,
}

impl Tree {
    /// The tree of these options from `street` on.
    pub(crate) fn new(options: &TreeOptions, street: Street) -> Result<Self, Error> {
        options.check()?;
        let mut tree = Self { nodes: Vec::new() };
        let line = Line {
            street,
            turn: Seat::Oop,
            paid: [0; 2],
            before: 0,
            step: 0,
            aggressor: [None; 2],
            checked: false,
        };
        tree.grow(options, line)?;
        let bets = tree
            .nodes
            .iter()
            .any(|node| matches!(&node.event, Event::Decision(_, actions) if actions.len() > 1));
        if bets { Ok(tree) } else { Err(Error::NoDecision) }
    }

    fn add(&mut self, event: Event, line: &Line) -> Result<u32, Error> {
        if self.nodes.len() == MOST_NODES {
            return Err(Error::TooManyLines { most: MOST_NODES });
        }
        self.nodes.push(Node { event, street: line.street, paid: line.paid, children: Vec::new() });
        Ok(self.nodes.len() as u32 - 1)
    }

    fn grow(&mut self, options: &TreeOptions, line: Line) -> Result<u32, Error> {
        let actions = line.actions(options);
        let id = self.add(Event::Decision(line.turn, actions.clone()), &line)?;
        for action in actions {
            let child = self.follow(options, line, action)?;
            self.nodes[id as usize].children.push(child);
        }
        Ok(id)
    }

    fn follow(&mut self, options: &TreeOptions, line: Line, action: Action) -> Result<u32, Error> {
        let (me, other) = (line.turn as usize, line.turn.other() as usize);
        let mut next = Line { turn: line.turn.other(), ..line };
        match action {
            Action::Fold => self.add(Event::Fold(line.turn), &line),
            Action::Check if !line.checked && line.turn == Seat::Oop => {
                next.checked = true;
                self.grow(options, next)
            }
            Action::Check => self.close(options, next),
            Action::Call => {
                next.paid[me] = line.paid[other];
                self.close(options, next)
            }
            Action::Bet(to) | Action::Raise(to) | Action::AllIn(to) => {
                next.paid[me] = line.before + to;
                next.step = next.paid[me] - line.paid[other];
                next.aggressor[0] = Some(line.turn);
                self.grow(options, next)
            }
        }
    }

    /// The street is over: the next card, or the showdown.
    fn close(&mut self, options: &TreeOptions, line: Line) -> Result<u32, Error> {
        if line.street == Street::River {
            return self.add(Event::Showdown, &line);
        }
        let deal = self.add(Event::Deal, &line)?;
        let next = Line {
            street: Street::ALL[line.street as usize + 1],
            turn: Seat::Oop,
            before: line.paid[0],
            step: 0,
            aggressor: [None, line.aggressor[0]],
            checked: false,
            ..line
        };
        let child = if line.paid[0] < options.stack {
            self.grow(options, next)?
        } else {
            // Both are all-in: cards to the end.
            self.close_all_in(next)?
        };
        self.nodes[deal as usize].children.push(child);
        Ok(deal)
    }

    fn close_all_in(&mut self, line: Line) -> Result<u32, Error> {
        if line.street == Street::River {
            return self.add(Event::Showdown, &line);
        }
        let deal = self.add(Event::Deal, &line)?;
        let street = Street::ALL[line.street as usize + 1];
        let child = self.close_all_in(Line { street, ..line })?;
        self.nodes[deal as usize].children.push(child);
        Ok(deal)
    }
}

impl Line {
    fn actions(&self, options: &TreeOptions) -> Vec<Action> {
        let sizes = &options.sizes[self.turn as usize][self.street as usize];
        let (me, other) = (self.turn as usize, self.turn.other() as usize);
        let to_call = self.paid[other] - self.paid[me];
        if to_call == 0 {
            let is_donk = self.turn == Seat::Oop && self.aggressor[1] == Some(Seat::Ip);
            let bets = match &sizes.donks {
                Some(donks) if is_donk => donks,
                _ => &sizes.bets,
            };
            let mut actions = vec![Action::Check];
            actions
                .extend(self.amounts(options, bets).into_iter().map(|to| self.named(options, to)));
            actions
        } else {
            let mut actions = vec![Action::Fold, Action::Call];
            if self.paid[other] < options.stack {
                let raises = self.amounts(options, &sizes.raises);
                actions.extend(raises.into_iter().map(|to| self.named(options, to)));
            }
            actions
        }
    }

    fn named(&self, options: &TreeOptions, to: u32) -> Action {
        if to == options.stack - self.before {
            Action::AllIn(to)
        } else if self.step == 0 {
            Action::Bet(to)
        } else {
            Action::Raise(to)
        }
    }

    /// The chips of the street that bets or raises go to, in ascending order.
    fn amounts(&self, options: &TreeOptions, sizes: &[Size]) -> Vec<u32> {
        let other = self.turn.other() as usize;
        let last = self.paid[other] - self.before;
        let most = options.stack - self.before;
        let least = (last + self.step.max(1)).min(most);
        let pot = options.pot + 2 * self.paid[other];
        let left = options.stack - self.paid[other];
        let share = |share: f64| last.saturating_add((f64::from(pot) * share).round() as u32);
        let amount = |size: &Size| match *size {
            Size::Pot(part) => Some(share(part)),
            Size::Multiple(times) if last > 0 => Some((f64::from(last) * times).round() as u32),
            Size::Multiple(_) => None,
            Size::Chips(chips) => Some(chips),
            Size::Geometric(streets) => {
                let streets = streets.unwrap_or(3 - self.street as u8);
                let growth = f64::from(pot + 2 * left) / f64::from(pot);
                Some(share((growth.powf(1.0 / f64::from(streets)) - 1.0) / 2.0))
            }
            Size::AllIn => Some(most),
        };
        let mut amounts: Vec<u32> = sizes.iter().filter_map(amount).collect();
        if options.add_all_in > 0.0 && most <= share(options.add_all_in) && !sizes.is_empty() {
            amounts.push(most);
        }
        for to in &mut amounts {
            *to = (*to).clamp(least, most);
            let pot = f64::from(pot + 2 * (*to - last));
            if f64::from(most - *to) <= pot * options.force_all_in {
                *to = most;
            }
        }
        amounts.sort_unstable();
        amounts.dedup();
        self.merged(amounts, f64::from(pot), last, options.merge)
    }

    /// Without sizes that are close to a larger one.
    fn merged(&self, amounts: Vec<u32>, pot: f64, last: u32, merge: f64) -> Vec<u32> {
        let mut kept: Vec<u32> = Vec::new();
        for to in amounts.into_iter().rev() {
            let after = |to: u32| pot + f64::from(to - last);
            if kept.last().is_none_or(|&larger| after(larger) / after(to) >= 1.0 + merge) {
                kept.push(to);
            }
        }
        kept.reverse();
        kept
    }
}
