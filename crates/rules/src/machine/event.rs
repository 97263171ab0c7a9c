//! Events: an action changes the registers, and its effects begin.

use meeple_game::Action;

use super::{FROM, Machine, OVER, TO, UNSAID};
use crate::cpu::Cpu;
use crate::link::{Aim, Target, TurnCode};
use crate::set::Set;

/// The address where no code is.
pub(super) const END: usize = usize::MAX;

/// An action of the player to move: one of the player's entries, and a target.
#[derive(Clone, Copy)]
pub(super) struct Pick {
    pub(super) entry: u16,
    pub(super) site: u16,
}

impl<'p, const W: usize, const R: usize, const N: usize, C: Cpu> Machine<'p, W, R, N, C> {
    /// Returns what an action of the player to move stands for.
    #[inline(always)]
    pub(super) fn decode(&self, action: Action) -> Pick {
        let tables = &self.code.linked.tables;
        let at = usize::from(self.mover) * tables.actions_each + action.index();
        let decoded = tables.actions[at];
        Pick { entry: decoded.entry, site: decoded.site }
    }

    /// Returns an entry of the seat whose first one this is.
    #[inline(always)]
    pub(super) fn target(&self, first: usize, entry: u16) -> &'p Target {
        &self.code.linked.tables.targets[first + usize::from(entry)]
    }

    /// Writes the sites of an action.
    #[inline(always)]
    pub(super) fn aim(&mut self, aim: Aim, site: usize) {
        let one = |site: usize| Set::one(site);
        if let Aim::Number(low) = aim {
            self.put_number(self.code.linked.bid, i32::from(low) + site as i32);
        }
        let near = |by: i16| Set::one(site.wrapping_add_signed(by.into()));
        let (from, to, over) = match aim {
            Aim::Word | Aim::Number(_) => (Set::NONE, Set::NONE, Set::NONE),
            Aim::Spread(table) => {
                (Set::NONE, self.code.tables[usize::from(table)][site], Set::NONE)
            }
            Aim::To => (Set::NONE, one(site), Set::NONE),
            Aim::From => (one(site), Set::NONE, Set::NONE),
            Aim::FromTo(from) => (one(from.into()), one(site), Set::NONE),
            Aim::Move(by) => (near(by), one(site), Set::NONE),
            Aim::Jump { from, over } => (near(from), one(site), near(over)),
            Aim::Table(first) => {
                let [from, over] = self.code.linked.tables.sources[first as usize + site];
                let over = if over == u16::MAX { Set::NONE } else { one(over.into()) };
                (one(from.into()), one(site), over)
            }
        };
        self.put(FROM, from);
        self.put(TO, to);
        self.put(OVER, over);
    }

    /// Begins an action of the player to move; returns the address of its effects.
    #[inline(always)]
    pub(super) fn act(&mut self, pick: Pick) -> usize {
        let turn = self.turn_code(self.mover);
        let target = self.target(turn.entries as usize, pick.entry);
        self.aim(target.aim, pick.site.into());
        self.streak = 0;
        self.begin_event(UNSAID, turn);
        target.effect as usize
    }

    #[inline(always)]
    pub(super) fn begin_event(&mut self, next: u8, turn: &TurnCode) {
        (self.next, self.goes_on) = (next, true);
        self.then = turn.ends as usize;
    }
}
