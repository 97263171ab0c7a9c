//! What a player has not seen, and dealing it anew.

use meeple_game::{Action, ActionList, Forced, Game, Rng, Turn};

use crate::magic::actions::{self, Choice};
use crate::magic::language::{Effect, Place, Static, Zone};
use crate::magic::state::order::Known;
use crate::magic::state::pile::Pile;
use crate::magic::state::seat::Seat;
use crate::magic::state::{Magic, Question, Task};
use crate::magic::table::card::DeckCard;

/// How often the unseen is dealt in search of a deal that leaves the other
/// player something to decide.
const TRIES: usize = 64;

impl Magic {
    /// A random state that `observer` cannot tell from this one: the cards that
    /// they have not seen change places.
    ///
    /// While the other player is asked, they have something to answer: deals
    /// that leave them nothing are not possible and are dealt again.
    pub(in crate::magic) fn deal_unseen(&self, observer: Seat, rng: &mut Rng) -> Self {
        let others_choice = match self.turn() {
            Turn::Player(player) => Seat::from(player) != observer,
            Turn::Chance => true,
            Turn::Over => false,
        };
        if !others_choice {
            return self.dealt(observer, rng);
        }
        for _ in 0..TRIES {
            let dealt = self.dealt(observer, rng);
            if dealt.has_choices() {
                return dealt;
            }
        }
        *self
    }

    /// Whether there is something to decide: chance needs an outcome, a player two
    /// answers where forced ones are not asked for.
    fn has_choices(&self) -> bool {
        if self.turn() == Turn::Chance {
            let mut outcomes = meeple_game::OutcomeList::new();
            self.outcomes(&mut outcomes);
            return !outcomes.is_empty();
        }
        let mut legal = ActionList::new();
        self.list_legal(&mut legal);
        legal.len() > usize::from(self.rules.forced == Forced::Skip)
    }

    fn dealt(&self, observer: Seat, rng: &mut Rng) -> Self {
        let mut dealt = *self;
        for owner in Seat::BOTH {
            dealt.deal_deck(owner, observer, rng);
        }
        dealt
    }

    /// Deals anew what `observer` has not seen of one deck.
    fn deal_deck(&mut self, owner: Seat, observer: Seat, rng: &mut Rng) {
        let mut unseen = self.unseen_of(owner, observer);
        let seat = &self.seats[owner];
        if unseen.total() == seat.library.total() {
            return;
        }
        let mut next = || {
            let card = unseen.nth(rng.below(unseen.total() as usize));
            unseen.take(card);
            card
        };
        if owner != observer {
            self.deal_hand(owner, &mut next);
        }
        let aside_hidden = self.aside_owner == owner && !self.sees_aside(observer);
        let seat = &mut self.seats[owner];
        for known in seat.order.iter_mut() {
            if hides(*known, observer) {
                *known = Known::new(next(), known.seen());
            }
        }
        if aside_hidden && self.aside.total() > 0 {
            self.deal_aside(&mut next);
        }
        self.seats[owner].library = unseen;
    }

    /// Deals the hand that the opponent of its owner has not seen. Cards that
    /// the running effect drew are among them.
    fn deal_hand(&mut self, owner: Seat, next: &mut impl FnMut() -> DeckCard) {
        let (seen, hidden) = self.hand_for_opponent(owner);
        let drawn_here = self.resolution.active && self.resolution.item.you == owner;
        let mut hand = seen;
        for index in 0..hidden {
            let card = next();
            hand.add(card);
            if drawn_here && let Some(drawn) = self.resolution.drawn.get_mut(index as usize) {
                *drawn = card;
            }
        }
        self.seats[owner].hand = hand;
    }

    fn deal_aside(&mut self, next: &mut impl FnMut() -> DeckCard) {
        let count = self.aside.total();
        let named = self.resolution.item.event_card;
        let points_here = !named.is_token()
            && named.owner() == self.aside_owner
            && self.aside.has(named.in_deck());
        self.aside = Pile::EMPTY;
        for _ in 0..count {
            let card = next();
            self.aside.add(card);
            if points_here {
                // What the effect speaks of is one of the cards aside.
                self.resolution.item.event_card = card.of(self.aside_owner);
            }
        }
    }

    /// The cards of one deck whose place `observer` does not know.
    pub(super) fn unseen_of(&self, owner: Seat, observer: Seat) -> Pile {
        let seat = &self.seats[owner];
        let mut unseen = seat.library;
        for known in seat.order.iter() {
            if hides(known, observer) {
                unseen.add(known.card());
            }
        }
        if self.aside_owner == owner && !self.sees_aside(observer) {
            let mut aside = self.aside;
            aside.pour(&mut unseen);
        }
        if owner != observer && !self.hands_are_revealed() {
            for card in seat.hand.iter() {
                for _ in seat.shown[card]..seat.hand.count(card) {
                    unseen.add(card);
                }
            }
        }
        unseen
    }

    /// The cards in a hand that the opponent of its owner knows, and how many
    /// others there are.
    pub(in crate::magic) fn hand_for_opponent(&self, owner: Seat) -> (Pile, u8) {
        let seat = &self.seats[owner];
        if self.hands_are_revealed() {
            return (seat.hand, 0);
        }
        let mut seen = Pile::EMPTY;
        for card in seat.hand.iter() {
            for _ in 0..seat.shown[card].min(seat.hand.count(card)) {
                seen.add(card);
            }
        }
        let hidden = seat.hand.total() - seen.total();
        (seen, hidden)
    }

    /// Whether `observer` does not see which answer `action` is: cards drawn, put away or
    /// taken face down.
    pub(in crate::magic) fn hides_choice(&self, action: Action, observer: Seat) -> bool {
        let Some(task) = self.tasks.last() else { return false };
        match self.question {
            Question::TopCard(owner) => match task {
                Task::Draw { .. } => owner != observer && !self.hands_are_revealed(),
                Task::Look { seen, .. } => !seen.has(observer),
                _ => false,
            },
            Question::Card if observer != self.asked => {
                matches!(actions::choice(action, self.asked), Choice::Card(_))
                    && self.hides_card(task, observer)
            }
            _ => false,
        }
    }

    /// Whether `observer` does not see the card that the other player chooses for `task`.
    fn hides_card(&self, task: &Task, observer: Seat) -> bool {
        match *task {
            Task::PutOnBottom { .. } => !self.hands_are_revealed(),
            Task::Arrange { .. } => !self.sees_aside(observer),
            Task::Take { owner, .. } => {
                let Some(Effect::Take { from, to, revealed, .. }) = self.running() else {
                    return false;
                };
                let open = matches!(
                    to,
                    Place::Battlefield | Place::Graveyard | Place::Exile | Place::ExileToPlay
                );
                let from_sight = from.contains(&Zone::Graveyard)
                    || from.contains(&Zone::Aside) && self.sees_aside(observer);
                !*revealed && !open && !from_sight && owner != observer
            }
            _ => false,
        }
    }

    /// Whether a player sees the cards set aside.
    pub(in crate::magic) fn sees_aside(&self, observer: Seat) -> bool {
        self.aside_seen.has(observer)
    }

    /// Whether a permanent has everybody play with their hand revealed.
    fn hands_are_revealed(&self) -> bool {
        self.table.0.reveals_hands
            && self
                .board
                .statics
                .iter()
                .any(|slot| self.statics_at(slot).contains(&Static::HandsRevealed))
    }
}

/// Whether a player does not know this card of a library.
pub(in crate::magic) fn hides(known: Known, observer: Seat) -> bool {
    !known.seen().has(observer)
}
