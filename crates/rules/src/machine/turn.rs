//! The order of play: actions are offered, an event happens, the ends are judged, and it is the
//! next player's turn.

use meeple_game::{Action, ActionList, MAX_ACTIONS, Steps};
use meeple_rng::Rng;

use super::event::{END, Pick};
use super::offers::{Asked, Keep, Kept, MAX_KEPT};
use super::{Fault, Machine, Offers, Standing, UNSAID};
use crate::cpu::Cpu;
use crate::link::{Aim, TurnCode};

/// The most decisions of a playout: searches play out games that need not end.
const MAX_DECISIONS: u64 = 1 << 20;

/// What code is run for.
pub(super) enum Goal<'r> {
    /// To know what a seat is offered.
    Offers,
    /// To play one event, and to see whether the next player can act.
    Event,
    /// To play to the end at random.
    Playout { rng: &'r mut Rng, steps: Steps },
}

impl<'p, const W: usize, const R: usize, const N: usize, C: Cpu> Machine<'p, W, R, N, C> {
    /// Sets the board up by the code at an address.
    pub(crate) fn set_up(&mut self) {
        let mut offers = Offers::new(Keep::Nothing);
        self.run(self.code.linked.start, &mut offers, &mut Goal::Offers);
        self.begin_history();
        self.go_on(&mut offers, &mut Goal::Event);
    }

    /// Plays an action or a chance outcome.
    #[inline(always)]
    pub(crate) fn play(&mut self, action: Action) {
        let at = match self.chance() {
            None => self.act(self.decode(action)),
            Some(chance) => self.happen(chance, action),
        };
        let mut offers = Offers::new(Keep::Nothing);
        self.run(at, &mut offers, &mut Goal::Event);
        self.settle();
    }

    /// Draws one of the legal actions of the player to move.
    #[inline(always)]
    pub(crate) fn draw(&mut self, rng: &mut Rng, scratch: &mut ActionList) -> Action {
        let mut kept = Kept::new(scratch);
        let mut offers = Offers::new(Keep::Sets(&mut kept));
        self.generate(self.mover, Asked::All, &mut offers);
        let pick = self.nth(&offers, rng.below(offers.total as usize));
        let target = self.target(offers.first, pick.entry);
        Action(self.code.linked.tables.ids[target.ids as usize + usize::from(pick.site)])
    }

    /// Plays to the end at random.
    #[inline(always)]
    pub(crate) fn play_to_end(&mut self, rng: &mut Rng, scratch: &mut ActionList) -> Steps {
        let mut goal = Goal::Playout { rng, steps: Steps::default() };
        if self.standing == Standing::Open {
            let mut kept = Kept::new(scratch);
            self.go_on(&mut Offers::new(Keep::Sets(&mut kept)), &mut goal);
            self.settle();
        }
        match goal {
            Goal::Playout { steps, .. } => steps,
            Goal::Offers | Goal::Event => Steps::default(),
        }
    }

    /// Plays on from the beginning of a turn.
    #[inline(always)]
    fn go_on(&mut self, offers: &mut Offers<'_, W>, goal: &mut Goal<'_>) {
        self.next = self.mover;
        let at = self.begin_turn(offers, goal);
        self.run(at, offers, goal);
    }

    /// Passes the turn after an event that has ended the game, too.
    #[inline(always)]
    fn settle(&mut self) {
        if self.next == UNSAID {
            self.next = self.after_mover();
        }
        self.mover = self.next;
    }

    /// Returns the code of a seat in the current phase.
    #[inline(always)]
    pub(super) fn turn_code(&self, seat: u8) -> &'p TurnCode {
        let tables = &self.code.linked.tables;
        &tables.turns[usize::from(seat) * tables.phases + usize::from(self.phase)]
    }

    /// Judges the ends as if a seat had just acted; returns whether one applies.
    pub(crate) fn would_end(&mut self, seat: u8) -> bool {
        self.aim(Aim::Word, 0);
        self.mover = seat;
        self.next = self.after_mover();
        let mut offers = Offers::new(Keep::Nothing);
        let at = self.turn_code(seat).ends as usize;
        self.run_apart(at, &mut offers, &mut Goal::Offers);
        self.standing != Standing::Open
    }

    /// Goes on after the effects of an event; returns the next address.
    #[inline(always)]
    pub(super) fn after_effects(&mut self) -> usize {
        if self.next == UNSAID {
            self.next = self.after_mover();
        }
        self.kept = None;
        if self.standing == Standing::Open { self.then } else { END }
    }

    /// Goes on where no end applies; returns the next address.
    #[inline(always)]
    pub(super) fn after_ends(&mut self, offers: &mut Offers<'_, W>, goal: &mut Goal<'_>) -> usize {
        if self.standing != Standing::Open {
            return END;
        }
        self.remember();
        if self.standing != Standing::Open {
            return END;
        }
        self.mover = self.next;
        self.begin_turn(offers, goal)
    }

    /// Begins the turn of the player to move; returns the next address.
    #[inline(always)]
    fn begin_turn(&mut self, offers: &mut Offers<'_, W>, goal: &mut Goal<'_>) -> usize {
        let (seat, turn) = (self.mover, self.turn_code(self.mover));
        if turn.roll.is_some() {
            return self.cpu.call(|| self.begin_chance(goal));
        }
        let is_known = self.kept == Some((seat, self.phase));
        let asked = match goal {
            Goal::Playout { .. } if is_known => return self.after_offers(offers, goal),
            Goal::Playout { .. } => Asked::All,
            Goal::Offers | Goal::Event if self.code.linked.is_wide => Asked::All,
            Goal::Offers | Goal::Event if is_known => return self.after_offers(offers, goal),
            Goal::Offers | Goal::Event => Asked::One,
        };
        offers.begin(seat, turn, asked);
        turn.offers as usize
    }

    /// Goes on after the actions of a seat are offered; returns the next address.
    #[inline(always)]
    pub(super) fn after_offers(
        &mut self,
        offers: &mut Offers<'_, W>,
        goal: &mut Goal<'_>,
    ) -> usize {
        if self.resume != END {
            self.kept = Some((offers.seat, self.phase));
            return std::mem::replace(&mut self.resume, END);
        }
        if matches!(goal, Goal::Offers) {
            return END;
        }
        let is_wide = offers.total > MAX_ACTIONS as u32;
        if offers.total == 0 || is_wide {
            self.standing = Standing::Fault(if is_wide { Fault::Wide } else { Fault::Stuck });
            return END;
        }
        let Goal::Playout { rng, steps } = goal else { return END };
        if steps.decisions == MAX_DECISIONS {
            self.standing = Standing::Fault(Fault::Endless);
            return END;
        }
        steps.decisions += 1;
        let nth = rng.below(offers.total as usize);
        let pick = self.nth(offers, nth);
        self.act(pick)
    }

    /// Returns one of the actions that are offered.
    #[inline(always)]
    fn nth(&self, offers: &Offers<'_, W>, nth: usize) -> Pick {
        let Keep::Sets(kept) = &offers.keep else { return Pick { entry: 0, site: 0 } };
        if let Some(&action) = kept.list.get(nth) {
            return self.decode(action);
        }
        let mut at = 0;
        while kept.ends[at % MAX_KEPT] <= nth as u32 && at < kept.len {
            at += 1;
        }
        let set = kept.sets[at % MAX_KEPT];
        let before = kept.ends[at % MAX_KEPT] - set.count();
        let site = set.nth(nth as u32 - before, self.cpu);
        Pick { entry: kept.entries[at % MAX_KEPT], site: site as u16 }
    }
}
