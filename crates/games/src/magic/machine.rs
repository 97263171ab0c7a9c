//! The machine that carries a state from one question to the next.

use std::ops::{Deref, DerefMut};

use meeple_game::{Action, ActionList, Forced, Player, Rng};

use crate::magic::state::seat::Seat;
use crate::magic::state::{Magic, Question};

/// Something worth counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// A seat played a land.
    Land(Player),
    /// A seat cast a spell.
    Spell(Player),
    /// A creature of a seat attacked.
    Attack(Player),
    /// A creature of a seat blocked.
    Block(Player),
    /// A seat was dealt so much damage.
    Damage(Player, u16),
    /// A seat spent so much mana.
    Spent(Player, u8),
    /// A seat lost so much unspent mana.
    Wasted(Player, u8),
    /// A step of a turn began.
    Step,
    /// A round of priority began in which somebody may be able to act.
    Round,
}

/// Something worth telling, which the state explains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A turn begins.
    Turn,
    /// The top of the stack begins to resolve.
    Resolves,
    /// The top of the stack does nothing: its targets are gone, or its condition fails.
    Fails,
    /// A question that is not worth asking is answered so.
    Automatic(Action),
}

/// Who counts what happens; `()` counts nothing and costs nothing.
pub trait Watch {
    /// Something happened.
    fn note(&mut self, note: Note);

    /// The machine is about to do a piece of work in this state.
    #[inline(always)]
    fn look(&mut self, _state: &Magic) {}

    /// Something happens in this state.
    #[inline(always)]
    fn see(&mut self, _game: &Magic, _event: Event) {}
}

impl Watch for () {
    #[inline(always)]
    fn note(&mut self, _note: Note) {}
}

/// A state at work.
pub(in crate::magic) struct Machine<'a, W> {
    state: &'a mut Magic,
    pub(in crate::magic) watch: &'a mut W,
    /// Room for the legal actions, if somebody wants them. To know whether to ask, the machine
    /// looks for some of them anyway.
    legal: Option<&'a mut ActionList>,
    /// Whether they are there, all of them.
    pub(in crate::magic) is_listed: bool,
}

impl<W> Deref for Machine<'_, W> {
    type Target = Magic;

    #[inline]
    fn deref(&self) -> &Magic {
        self.state
    }
}

impl<W> DerefMut for Machine<'_, W> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Magic {
        self.state
    }
}

impl<'a, W: Watch> Machine<'a, W> {
    pub(in crate::magic) fn new(state: &'a mut Magic, watch: &'a mut W) -> Self {
        Self { state, watch, legal: None, is_listed: false }
    }

    /// A machine with room for the legal actions.
    pub(in crate::magic) fn listing(
        state: &'a mut Magic,
        watch: &'a mut W,
        legal: &'a mut ActionList,
    ) -> Self {
        Self { state, watch, legal: Some(legal), is_listed: false }
    }

    /// One of the legal actions at random, for a machine with a list.
    pub(in crate::magic) fn sample_listed(&mut self, rng: &mut Rng) -> Option<Action> {
        let legal = self.legal.as_deref_mut()?;
        if !self.is_listed {
            self.state.list_legal(legal);
        }
        Some(legal[rng.below(legal.len())])
    }

    /// Has the legal actions listed by `list`, if somebody wants them.
    #[inline]
    pub(in crate::magic) fn list(&mut self, list: impl FnOnce(&mut ActionList)) {
        if let Some(legal) = self.legal.as_deref_mut() {
            list(legal);
            self.is_listed = true;
        }
    }

    /// The legal action, if there is one alone.
    pub(in crate::magic) fn only_action(&mut self) -> Option<Action> {
        let legal = match self.legal.as_deref_mut() {
            Some(legal) => {
                if !self.is_listed {
                    self.state.list_legal(legal);
                    self.is_listed = true;
                }
                legal
            }
            None => return self.state.only_legal(),
        };
        match **legal {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Whether a player with priority could do anything but pass.
    #[inline]
    pub(in crate::magic) fn can_act_now(&mut self, seat: Seat) -> bool {
        match self.legal.as_deref_mut().filter(|_| !self.state.rules.stops) {
            Some(legal) => {
                legal.clear();
                self.state.list_priority(seat, legal);
                self.is_listed = legal.len() > 1;
                self.is_listed
            }
            None => self.state.can_act(seat),
        }
    }

    /// Shows the watcher that something happens now.
    #[inline(always)]
    pub(in crate::magic) fn show(&mut self, event: Event) {
        self.watch.see(self.state, event);
    }

    /// Asks `seat`; the machine stops until there is an answer.
    #[inline]
    pub(in crate::magic) fn ask(&mut self, seat: Seat, question: Question) {
        self.asked = seat;
        self.question = question;
    }

    /// Continues to the next decision, chance node or end of the game.
    pub(in crate::magic) fn advance(&mut self) {
        loop {
            while matches!(self.question, Question::Nothing) {
                self.look();
                self.work();
            }
            if self.rules.forced == Forced::Ask || !self.answer_if_forced() {
                break;
            }
        }
        self.end_if_overfull();
    }

    /// Shows the watcher that a piece of work begins now.
    #[inline(always)]
    pub(in crate::magic) fn look(&mut self) {
        self.watch.look(self.state);
    }

    /// Ends the game if it needs more room than a state has.
    #[inline]
    fn end_if_overfull(&mut self) {
        if self.fault.is_some() || self.is_overfull() {
            self.fault = self.fault.or_else(|| self.overfull());
            self.question = Question::Over;
        }
    }

    /// Does the next piece of work: the innermost first.
    #[inline(always)]
    fn work(&mut self) {
        if self.is_between_priorities() {
            self.turn_on();
            return;
        }
        self.clock.settled = false;
        if !self.tasks.is_empty() {
            self.task();
        } else if self.announcement.active {
            self.announce();
        } else {
            self.resolve_on();
        }
    }

    /// Whether nothing is unfinished, being announced or resolved.
    #[inline]
    pub(in crate::magic) fn is_between_priorities(&self) -> bool {
        self.tasks.is_empty() && !self.announcement.active && !self.resolution.active
    }
}
