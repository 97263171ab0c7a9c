//! Blinds, bets and raises: who is to act, and what they may do.

use meeple_game::{Action, mix};

use super::{ALL_IN, Act, Betting, CALL, FIRST_BET, FOLD, Holdem, Phase};

/// Bets and raises in a street with a limit; the big blind is the first.
const MOST_RAISES: [u8; 4] = [3, 4, 4, 4];

/// The first seat of a set after `seat`, going round.
#[inline(always)]
const fn next_of(seats: u8, seat: u8) -> u8 {
    let later = seats & (u8::MAX << seat << 1);
    if later != 0 { later.trailing_zeros() as u8 } else { seats.trailing_zeros() as u8 }
}

impl Holdem {
    /// Puts antes and blinds on the table; who lacks chips puts what is there.
    pub(super) fn post(&mut self, ante: u32, small_blind: u32) {
        for seat in 0..self.players {
            self.pay(seat, ante);
        }
        self.bets = [0; super::SEATS];
        self.high = 0;
        // The dealer is the last seat; of two, the dealer has the small blind.
        let (small, big) = if self.players == 2 { (1, 0) } else { (0, 1) };
        self.pay(small, small_blind);
        self.pay(big, self.big_blind);
    }

    /// Moves chips of `seat` to its bet, at most those it has.
    #[inline(always)]
    fn pay(&mut self, seat: u8, chips: u32) {
        let at = usize::from(seat);
        let paid = chips.min(self.stacks[at]);
        self.stacks[at] -= paid;
        self.bets[at] += paid;
        self.pot += paid;
        self.high = self.high.max(self.bets[at]);
        self.able &= !(u8::from(self.stacks[at] == 0) << seat);
    }

    /// What the mover must pay to stay in, whether there is as much or not.
    #[inline(always)]
    pub(super) fn owed(&self) -> u32 {
        self.high - self.bets[usize::from(self.mover)]
    }

    /// The bet that takes all chips of the mover.
    #[inline(always)]
    pub(super) fn all_in(&self) -> u32 {
        let seat = usize::from(self.mover);
        self.bets[seat] + self.stacks[seat]
    }

    /// Whether the mover may bet or raise.
    ///
    /// Who has acted may raise again once a full raise came after it, or
    /// several short ones that make up one together.
    #[inline]
    pub(super) fn may_raise(&self) -> bool {
        let bit = 1 << self.mover;
        let open = self.acted & bit == 0 || self.owed() >= self.step;
        let capped = self.betting == Betting::Limit
            && self.raises[usize::from(self.street & 3)]
                >= MOST_RAISES[usize::from(self.street & 3)];
        open && !capped && self.all_in() > self.high && self.is_answered(self.able & !bit)
    }

    /// Whether one of `others` has chips beyond the highest bet.
    #[inline]
    fn is_answered(&self, mut others: u8) -> bool {
        while others != 0 {
            let seat = others.trailing_zeros() as usize;
            if self.bets[seat] + self.stacks[seat] > self.high {
                return true;
            }
            others &= others - 1;
        }
        false
    }

    /// Calls `visit` with each bet or raise, and what lies in front of the
    /// mover then; each amount once.
    #[inline]
    pub(super) fn visit_bets(&self, mut visit: impl FnMut(Action, u32)) {
        let all_in = self.all_in();
        let least = self.high + self.step;
        if self.betting == Betting::Limit {
            visit(Action(FIRST_BET), least.min(all_in));
            return;
        }
        visit(ALL_IN, all_in);
        let after_call = u64::from(self.pot + self.owed());
        let percents = usize::from(self.percents);
        let mut last = 0;
        for (at, &percent) in self.sizes[..percents].iter().enumerate() {
            let amount = self.share_of(after_call, percent).max(least);
            if amount >= all_in {
                return self.visit_amounts(least..all_in, after_call, visit);
            }
            if amount > last {
                visit(Action(FIRST_BET + at as u16), amount);
                last = amount;
            }
        }
        self.visit_amounts(least..all_in, after_call, visit);
    }

    /// A bet of so many percent of a pot on top of the highest bet.
    #[inline(always)]
    fn share_of(&self, pot: u64, percent: u32) -> u32 {
        u32::try_from(u64::from(self.high) + pot * u64::from(percent) / 100).unwrap_or(u32::MAX)
    }

    /// The sizes in chips that are in reach and no percentage comes to.
    #[inline]
    fn visit_amounts(
        &self,
        reach: std::ops::Range<u32>,
        after_call: u64,
        mut visit: impl FnMut(Action, u32),
    ) {
        let percents = usize::from(self.percents);
        let named = &self.sizes[percents..percents + usize::from(self.amounts)];
        for (at, amount) in (percents..).zip(named) {
            let share = |&percent: &u32| self.share_of(after_call, percent).max(reach.start);
            let known = self.sizes[..percents].iter().any(|percent| share(percent) == *amount);
            if reach.contains(amount) && !known {
                visit(Action(FIRST_BET + at as u16), *amount);
            }
        }
    }

    /// What lies in front of the mover after this bet or raise.
    #[inline]
    pub(super) fn amount_of(&self, action: Action) -> u32 {
        if self.betting == Betting::Limit {
            return (self.high + self.step).min(self.all_in());
        }
        if action == ALL_IN {
            return self.all_in();
        }
        let at = action.index() - usize::from(FIRST_BET);
        if at >= usize::from(self.percents) {
            return self.sizes[at];
        }
        let after_call = u64::from(self.pot + self.owed());
        self.share_of(after_call, self.sizes[at]).max(self.high + self.step)
    }

    /// Plays an action of the mover.
    #[inline]
    pub(super) fn play(&mut self, action: Action) {
        let seat = self.mover;
        let bit = 1 << seat;
        self.history = mix(self.history ^ u64::from(action.0 + 1));
        let act = match action {
            FOLD => {
                self.live &= !bit;
                self.able &= !bit;
                self.pending &= !bit;
                Act::Fold
            }
            CALL => {
                let owed = self.owed();
                self.pay(seat, owed);
                self.pending &= !bit;
                self.acted |= bit;
                if owed == 0 { Act::Check } else { Act::Call }
            }
            _ => {
                self.raise_to(seat, self.amount_of(action));
                Act::Raise
            }
        };
        let street = usize::from(self.street & 3);
        let shift = 4 * u32::from(seat);
        self.acts[street] = self.acts[street] & !(15 << shift) | (act as u32) << shift;
        self.ask_next(seat);
    }

    #[inline]
    fn raise_to(&mut self, seat: u8, amount: u32) {
        let added = amount - self.high;
        if added >= self.step {
            self.step = added;
            self.acted = 0;
        }
        self.pay(seat, amount - self.bets[usize::from(seat)]);
        let bit = 1 << seat;
        self.acted |= bit;
        self.pending = self.able & !bit;
        let street = usize::from(self.street & 3);
        self.raises[street] = self.raises[street].saturating_add(1);
    }

    /// Begins the betting of a street.
    #[inline]
    pub(super) fn open_street(&mut self) {
        self.phase = Phase::Bet;
        self.acted = 0;
        self.pending = self.able;
        let last = if self.street == 0 {
            // Whoever sits after the big blind begins; of two, the dealer.
            u8::from(self.players > 2)
        } else {
            self.bets = [0; super::SEATS];
            self.high = 0;
            self.step = self.big_blind;
            if self.betting == Betting::Limit && self.street > 1 {
                self.step = 2 * self.big_blind;
            }
            self.players - 1
        };
        self.ask_next(last);
    }

    /// Asks the next seat after `seat` that has something to decide, or ends
    /// the street.
    #[inline]
    fn ask_next(&mut self, seat: u8) {
        if self.live.is_power_of_two() {
            return self.give_up();
        }
        if self.pending != 0 {
            let next = next_of(self.pending, seat);
            let alone = self.able & !(1 << next) == 0;
            if !alone || self.bets[usize::from(next)] < self.high {
                self.mover = next;
                return;
            }
            self.pending = 0;
        }
        if self.laid == 5 {
            self.show_down();
        } else {
            self.phase = Phase::Board;
        }
    }
}
