//! Betting: blinds, legal bets and raises, and the order of action.

use meeple_game::{Action, mix};

use super::{ALL_IN, Act, Betting, CALL, FIRST_BET, FOLD, Holdem, Phase};

/// The cap on bets and raises of each street in limit games; the big blind counts as the
/// first bet.
const MAX_RAISES: [u8; 4] = [3, 4, 4, 4];

/// The first seat of a set after `seat`, in clockwise order.
#[inline(always)]
const fn next_of(seats: u8, seat: u8) -> u8 {
    let later = seats & (u8::MAX << seat << 1);
    if later != 0 { later.trailing_zeros() as u8 } else { seats.trailing_zeros() as u8 }
}

impl Holdem {
    /// Posts antes and blinds; a short stack posts what it has.
    pub(super) fn post(&mut self, ante: u32, small_blind: u32) {
        for seat in 0..self.players {
            self.pay(seat, ante);
        }
        self.bets = [0; super::SEATS];
        self.current_bet = 0;
        // The button is the last seat; heads-up, the button has the small blind.
        let (small, big) = if self.players == 2 { (1, 0) } else { (0, 1) };
        self.pay(small, small_blind);
        self.pay(big, self.big_blind);
    }

    /// Moves chips from the stack of `seat` to its bet, at most its stack.
    #[inline(always)]
    fn pay(&mut self, seat: u8, chips: u32) {
        let at = usize::from(seat);
        let paid = chips.min(self.stacks[at]);
        self.stacks[at] -= paid;
        self.bets[at] += paid;
        self.pot += paid;
        self.current_bet = self.current_bet.max(self.bets[at]);
        self.can_act &= !(u8::from(self.stacks[at] == 0) << seat);
    }

    /// The amount to call, which may exceed the stack.
    #[inline(always)]
    pub(super) fn amount_to_call(&self) -> u32 {
        self.current_bet - self.bets[usize::from(self.mover)]
    }

    /// The total bet of the player to act when all-in.
    #[inline(always)]
    pub(super) fn all_in(&self) -> u32 {
        let seat = usize::from(self.mover);
        self.bets[seat] + self.stacks[seat]
    }

    /// Whether the player to act may bet or raise.
    ///
    /// For a player who has already acted, the action is reopened by a full raise, or by
    /// several short all-ins that add up to one.
    #[inline]
    pub(super) fn may_raise(&self) -> bool {
        let bit = 1 << self.mover;
        let reopened = self.acted & bit == 0 || self.amount_to_call() >= self.min_raise;
        let capped = self.betting == Betting::Limit
            && self.raises[usize::from(self.street & 3)]
                >= MAX_RAISES[usize::from(self.street & 3)];
        reopened
            && !capped
            && self.all_in() > self.current_bet
            && self.can_be_called(self.can_act & !bit)
    }

    /// Whether one of `others` has chips beyond the current bet.
    #[inline]
    fn can_be_called(&self, mut others: u8) -> bool {
        while others != 0 {
            let seat = others.trailing_zeros() as usize;
            if self.bets[seat] + self.stacks[seat] > self.current_bet {
                return true;
            }
            others &= others - 1;
        }
        false
    }

    /// Calls `visit` with each legal bet or raise and its total amount; equal amounts are
    /// visited once.
    #[inline]
    pub(super) fn visit_bets(&self, mut visit: impl FnMut(Action, u32)) {
        let all_in = self.all_in();
        let least = self.current_bet + self.min_raise;
        if self.betting == Betting::Limit {
            visit(Action(FIRST_BET), least.min(all_in));
            return;
        }
        visit(ALL_IN, all_in);
        let after_call = u64::from(self.pot + self.amount_to_call());
        let percents = usize::from(self.pot_sizes);
        let mut last = 0;
        for (at, &percent) in self.sizes[..percents].iter().enumerate() {
            let amount = self.pot_bet(after_call, percent).max(least);
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

    /// The current bet plus `percent` percent of `pot`.
    #[inline(always)]
    fn pot_bet(&self, pot: u64, percent: u32) -> u32 {
        u32::try_from(u64::from(self.current_bet) + pot * u64::from(percent) / 100)
            .unwrap_or(u32::MAX)
    }

    /// Visits the sizes in chips within `reach` that no pot percentage equals.
    #[inline]
    fn visit_amounts(
        &self,
        reach: std::ops::Range<u32>,
        after_call: u64,
        mut visit: impl FnMut(Action, u32),
    ) {
        let percents = usize::from(self.pot_sizes);
        let named = &self.sizes[percents..percents + usize::from(self.amounts)];
        for (at, amount) in (percents..).zip(named) {
            let share = |&percent: &u32| self.pot_bet(after_call, percent).max(reach.start);
            let known = self.sizes[..percents].iter().any(|percent| share(percent) == *amount);
            if reach.contains(amount) && !known {
                visit(Action(FIRST_BET + at as u16), *amount);
            }
        }
    }

    /// The total amount of a bet or raise.
    #[inline]
    pub(super) fn amount_of(&self, action: Action) -> u32 {
        if self.betting == Betting::Limit {
            return (self.current_bet + self.min_raise).min(self.all_in());
        }
        if action == ALL_IN {
            return self.all_in();
        }
        let at = action.index() - usize::from(FIRST_BET);
        if at >= usize::from(self.pot_sizes) {
            return self.sizes[at];
        }
        let after_call = u64::from(self.pot + self.amount_to_call());
        self.pot_bet(after_call, self.sizes[at]).max(self.current_bet + self.min_raise)
    }

    /// Applies an action of the player to act.
    #[inline]
    pub(super) fn play(&mut self, action: Action) {
        let seat = self.mover;
        let bit = 1 << seat;
        self.history = mix(self.history ^ u64::from(action.0 + 1));
        let act = match action {
            FOLD => {
                self.live &= !bit;
                self.can_act &= !bit;
                self.to_act &= !bit;
                Act::Fold
            }
            CALL => {
                let to_call = self.amount_to_call();
                self.pay(seat, to_call);
                self.to_act &= !bit;
                self.acted |= bit;
                if to_call == 0 { Act::Check } else { Act::Call }
            }
            _ => {
                self.raise_to(seat, self.amount_of(action));
                Act::Raise
            }
        };
        let street = usize::from(self.street & 3);
        let shift = 4 * u32::from(seat);
        self.acts[street] = self.acts[street] & !(15 << shift) | (act as u32) << shift;
        self.next_to_act(seat);
    }

    #[inline]
    fn raise_to(&mut self, seat: u8, amount: u32) {
        let added = amount - self.current_bet;
        if added >= self.min_raise {
            self.min_raise = added;
            self.acted = 0;
        }
        self.pay(seat, amount - self.bets[usize::from(seat)]);
        let bit = 1 << seat;
        self.acted |= bit;
        self.to_act = self.can_act & !bit;
        let street = usize::from(self.street & 3);
        self.raises[street] = self.raises[street].saturating_add(1);
    }

    /// Starts the betting of a street.
    #[inline]
    pub(super) fn start_street(&mut self) {
        self.phase = Phase::Bet;
        self.acted = 0;
        self.to_act = self.can_act;
        let last = if self.street == 0 {
            // The seat after the big blind acts first; heads-up, the button.
            u8::from(self.players > 2)
        } else {
            self.bets = [0; super::SEATS];
            self.current_bet = 0;
            self.min_raise = self.big_blind;
            if self.betting == Betting::Limit && self.street > 1 {
                self.min_raise = 2 * self.big_blind;
            }
            self.players - 1
        };
        self.next_to_act(last);
    }

    /// Passes the action to the next seat after `seat` with a decision, or ends the street.
    #[inline]
    fn next_to_act(&mut self, seat: u8) {
        if self.live.is_power_of_two() {
            return self.win_uncontested();
        }
        if self.to_act != 0 {
            let next = next_of(self.to_act, seat);
            let alone = self.can_act & !(1 << next) == 0;
            if !alone || self.bets[usize::from(next)] < self.current_bet {
                self.mover = next;
                return;
            }
            self.to_act = 0;
        }
        if self.board_len == 5 {
            self.showdown();
        } else {
            self.phase = Phase::Board;
        }
    }
}
