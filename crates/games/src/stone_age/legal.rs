//! Action ids, and generation of legal actions.
//!
//! Legal actions are generated as 64-bit words of action ids, so that they can be counted
//! and sampled without being listed.

use meeple_game::Rng;

use super::actions::FIRST_CARD;
use super::bits::{self, Ranked};
use super::data::{BUILDING, Building};
use super::payments::{PAYMENT_WORDS, affordable, of_kinds, of_total, payment_of};
use super::{HUNT, MAX_LEVEL, Step, StoneAge};

/// `7 * place + figures - 1` for the four resource places.
pub(super) const PLACE: u16 = 0;
/// `+ figures - 1`, up to ten.
pub(super) const PLACE_HUNT: u16 = 28;
pub(super) const PLACE_TOOL_MAKER: u16 = 38;
pub(super) const PLACE_FIELD: u16 = 39;
pub(super) const PLACE_HUT: u16 = 40;
/// `+ space`, the most expensive first.
pub(super) const PLACE_CARD: u16 = 41;
/// `+ stack`.
pub(super) const PLACE_BUILDING: u16 = 45;
pub(super) const PLACE_PASS: u16 = 49;
/// `+ tool`.
pub(super) const TOOL: u16 = 50;
/// `+ index` among the player's one-use tools.
pub(super) const ONE_USE: u16 = 53;
pub(super) const TOOLS_DONE: u16 = 61;
/// `+ payment`.
pub(super) const PAY: u16 = 62;
/// `+ resource`.
pub(super) const ANY: u16 = 391;
/// `+ die`.
pub(super) const GIFT: u16 = 395;
/// `+ space`.
pub(super) const FREE_CARD: u16 = 399;
/// `+ resource`.
pub(super) const FEED: u16 = 403;
pub(super) const PENALTY: u16 = 407;
pub(super) const DECLINE: u16 = 408;
/// `+ place`, in the fixed order of the actions module.
pub(super) const RESOLVE: u16 = 409;
/// The number of action ids.
pub(super) const ACTIONS: usize = 425;

/// The bit of an action id after the payments, in the word that starts at [`ANY`].
const fn late(id: u16) -> u64 {
    1 << (id - ANY)
}

/// Words of legal action ids, each with the id of its lowest bit.
struct WordList {
    words: [(u16, Ranked); PAYMENT_WORDS + 1],
    len: usize,
}

impl WordList {
    #[inline]
    fn new() -> Self {
        Self { words: [(0, Ranked::new(0)); PAYMENT_WORDS + 1], len: 0 }
    }

    #[inline]
    fn add(&mut self, first: u16, bits: u64) {
        self.words[self.len] = (first, Ranked::new(bits));
        self.len += 1;
    }
}

impl StoneAge {
    /// Calls `each` with every legal action, ascending.
    #[inline]
    pub(super) fn for_each_legal(&self, mut each: impl FnMut(u16)) {
        self.legal_words(|first, word| bits::for_each(word, |at| each(first + at)));
    }

    /// Draws a legal action uniformly.
    #[inline]
    pub(super) fn random_legal(&self, rng: &mut Rng) -> u16 {
        let Some((first, word)) = self.single_word() else { return self.random_payment(rng) };
        let word = Ranked::new(word);
        first + word.nth(rng.below(word.count())) as u16
    }

    #[inline(never)]
    fn random_payment(&self, rng: &mut Rng) -> u16 {
        let mut list = WordList::new();
        self.legal_words(|first, word| list.add(first, word));
        let words = &list.words[..list.len];
        let mut rank = rng.below(words.iter().map(|(_, word)| word.count()).sum());
        for (first, word) in words {
            if rank < word.count() {
                return first + word.nth(rank) as u16;
            }
            rank -= word.count();
        }
        unreachable!("the rank is below the number of actions")
    }

    /// The only legal action, if a player is to decide and there is exactly one.
    #[inline]
    pub(super) fn only_legal(&self) -> Option<u16> {
        if self.has_obvious_choice() {
            return None;
        }
        let (mut only, mut more) = (None, false);
        self.legal_words(|first, word| {
            more |= word & word.wrapping_sub(1) != 0 || (word != 0 && only.is_some());
            only = if word == 0 { only } else { Some(first + word.trailing_zeros() as u16) };
        });
        if more { None } else { only }
    }

    /// A cheap sufficient test that the state is not forced: no player is to decide, or two
    /// legal actions are obvious. It saves generating the legal actions of most states.
    #[inline]
    pub(super) fn has_obvious_choice(&self) -> bool {
        let me = self.me();
        match self.step {
            Step::Place => {
                let may_hunt = self.places[HUNT][self.active as usize] == 0;
                // One figure suffices for every spot but the hut.
                let spots = self.vacant & !(1 << (PLACE_HUT - PLACE_TOOL_MAKER));
                let may_pass = !self.must_place();
                (may_hunt && (me.available > 1 || may_pass))
                    || spots & spots.wrapping_sub(1) != 0
                    || (spots != 0 && may_pass)
            }
            Step::Tools => me.one_use != 0 || (me.tools[0] > 0 && me.used & 1 == 0),
            Step::PayCard | Step::PayBuilding => self.may_decline(),
            Step::Choose => {
                let rolled = me.todo & ((1 << FIRST_CARD) - 1);
                rolled & rolled.wrapping_sub(1) != 0
            }
            Step::TakeAny | Step::TakeGift | Step::TakeCard | Step::Feed => false,
            _ => true,
        }
    }

    /// Calls `add` with the words of legal action ids, ascending.
    #[inline]
    fn legal_words(&self, mut add: impl FnMut(u16, u64)) {
        if let Some((first, word)) = self.single_word() {
            return add(first, word);
        }
        match self.step {
            Step::PayCard => self.legal_payments(of_total(4 - self.slot as usize), &mut add),
            Step::PayBuilding => match BUILDING[self.buildings[self.slot as usize] as usize] {
                Building::Fixed { cost } => add(PAY + payment_of(cost) as u16, 1),
                Building::Variable { total, kinds } => {
                    self.legal_payments(of_kinds(total as usize, kinds as usize), &mut add);
                }
                Building::OneToSeven => {
                    self.legal_payments(&[u64::MAX; PAYMENT_WORDS], &mut add);
                }
            },
            _ => return,
        }
        if self.may_decline() {
            add(DECLINE, 1);
        }
    }

    /// The legal actions of a decision other than a payment, which fit into one word.
    #[inline(always)]
    fn single_word(&self) -> Option<(u16, u64)> {
        Some(match self.step {
            Step::Place => (PLACE, self.legal_placements()),
            Step::Tools => (PLACE, self.legal_tools()),
            Step::Choose => (ANY, self.legal_resolutions()),
            Step::TakeAny => (ANY, self.legal_resources()),
            Step::TakeGift => (ANY, self.legal_gifts()),
            Step::TakeCard => (ANY, self.legal_cards()),
            Step::Feed => (ANY, self.legal_feeding()),
            _ => return None,
        })
    }

    #[inline(always)]
    fn legal_placements(&self) -> u64 {
        let seat = self.active as usize;
        let me = &self.tribes[seat];
        let mut legal = 0;
        for place in 0..4 {
            let here = self.places[place][seat] > 0;
            let most = if here { 0 } else { me.available.min(self.room[place]) };
            legal |= ((1 << most) - 1) << (7 * place);
        }
        let hunters = if self.places[HUNT][seat] == 0 { me.available } else { 0 };
        legal |= ((1 << hunters) - 1) << PLACE_HUNT;
        // The player to place has at least one figure.
        let mut spots = self.vacant;
        if me.available < 2 || (me.figures == MAX_LEVEL && !self.hut_at_ten()) {
            spots &= !(1 << (PLACE_HUT - PLACE_TOOL_MAKER));
        }
        legal |= u64::from(spots) << PLACE_TOOL_MAKER;
        if legal == 0 || !self.must_place() { legal | 1 << PLACE_PASS } else { legal }
    }

    #[inline(always)]
    fn legal_resolutions(&self) -> u64 {
        let resolvable = u64::from(self.resolvable());
        let kept = if self.two_holder == self.active as i8 { self.legal_resources() } else { 0 };
        let end = if resolvable == 0 { late(DECLINE) } else { 0 };
        resolvable << (RESOLVE - ANY) | kept | end
    }

    #[inline(always)]
    fn legal_tools(&self) -> u64 {
        let me = self.me();
        let mut legal = 1 << TOOLS_DONE;
        for tool in 0..3 {
            let usable = me.tools[tool] > 0 && me.used >> tool & 1 == 0;
            legal |= u64::from(usable) << (TOOL as usize + tool);
        }
        legal | ((1 << me.one_use_count()) - 1) << ONE_USE
    }

    #[inline]
    fn legal_payments(&self, wanted: &[u64; PAYMENT_WORDS], add: &mut impl FnMut(u16, u64)) {
        let within = affordable(&self.me().resources);
        for (at, (all, held)) in (0..).zip(wanted.iter().zip(within)) {
            if all & held != 0 {
                add(PAY + 64 * at, all & held);
            }
        }
    }

    fn legal_resources(&self) -> u64 {
        let mut legal = 0;
        for kind in 0..4 {
            legal |= u64::from(self.supply[kind] > 0) << kind;
        }
        // With an empty supply there is one action, which gains nothing.
        if legal == 0 { late(ANY) } else { legal }
    }

    fn legal_gifts(&self) -> u64 {
        let (mut legal, mut seen) = (0, 0);
        for (die, face) in self.gifts[..self.players as usize].iter().enumerate() {
            // Equal faces are one action where the dice are rolled jointly.
            let again = self.potpourri_joint() && seen >> (face & 7) & 1 == 1;
            legal |= u64::from(*face >= 0 && !again) << die;
            seen |= if *face >= 0 { 1 << face } else { 0 };
        }
        legal << (GIFT - ANY)
    }

    fn legal_cards(&self) -> u64 {
        let mut legal = 0;
        for slot in 0..4 {
            legal |= u64::from(self.cards[slot] >= 0) << (FREE_CARD - ANY + slot as u16);
        }
        if legal == 0 { late(DECLINE) } else { legal }
    }

    #[inline(always)]
    fn legal_feeding(&self) -> u64 {
        let me = self.me();
        let holds = self.two_holder == self.active as i8;
        // The two kept resources come from the supply, as far as it lasts.
        let in_supply: u16 = self.supply.iter().copied().map(u16::from).sum();
        let reach = me.total_resources() + if holds { in_supply.min(2) } else { 0 };
        let mut legal = if self.paying { 0 } else { late(PENALTY) };
        if !self.pay_in_full() || reach >= u16::from(self.needed) {
            for kind in 0..4 {
                legal |= u64::from(me.resources[kind] > 0) << (FEED - ANY + kind as u16);
            }
            legal |= if holds { self.legal_resources() } else { 0 };
        }
        legal
    }
}
