//! 121, 701.17, 701.20, 701.23: drawing, milling, revealing, searching and arranging cards.

use crate::magic::language::{Effect, Place, Replacement, Zone};
use crate::magic::machine::{Machine, Watch};
use crate::magic::state::bounds::Bound;
use crate::magic::state::groups::Named;
use crate::magic::state::order::Known;
use crate::magic::state::pile::Pile;
use crate::magic::state::seat::{Seat, SeatSet};
use crate::magic::state::{DrawChoice, Magic, Question, Task, TaskFilter};
use crate::magic::table::card::{ByDeckCard, DeckCard, DeckCards};
use crate::magic::table::listen;
use crate::magic::table::program::Step;
use crate::magic::zones::graveyard::NO_COPY;

/// The next card of a library.
enum Next {
    Card(Known),
    /// A chance event decides.
    Unknown,
    /// There is none.
    Empty,
}

impl Magic {
    /// Whether the spell or ability that resolves chooses among the cards that
    /// it drew.
    fn chooses_drawn(&self) -> bool {
        let item = &self.resolution.item;
        let steps = &self.def(item.card).programs[item.program as usize].steps;
        steps.iter().any(|step| {
            matches!(step, Step::Do(Effect::Take { from, .. }) if from.contains(&Zone::Drawn))
        })
    }

    /// Cards that a search of the running instruction may take.
    pub(in crate::magic) fn cards_to_take(&self, owner: Seat) -> DeckCards {
        let Some(Effect::Take { from, card: filter, .. }) = self.running() else {
            return DeckCards::EMPTY;
        };
        let seat = &self.seats[owner];
        let ctx = self.run_ctx();
        let all = from.iter().fold(DeckCards::EMPTY, |all, zone| {
            all | match zone {
                Zone::Hand => seat.hand.kinds(),
                Zone::Graveyard => seat.graveyard.kinds(),
                Zone::Library => {
                    seat.library.kinds() | seat.order.iter().map(Known::card).collect()
                }
                Zone::Aside => self.aside.kinds(),
                Zone::Drawn => {
                    self.resolution.drawn.iter().copied().collect::<DeckCards>() & seat.hand.kinds()
                }
                Zone::Battlefield => DeckCards::EMPTY,
            }
        });
        all.iter().filter(|&card| self.card_fits(filter, card.of(owner), &ctx)).collect()
    }
}

impl<W: Watch> Machine<'_, W> {
    /// The top card of a library, taken off it.
    fn next_card(&mut self, owner: Seat) -> Next {
        let seat = &mut self.seats[owner];
        if let Some(known) = seat.order.pop_top() {
            return Next::Card(known);
        }
        let kinds = seat.library.kinds();
        if kinds.is_empty() {
            return seat.order.pop_bottom().map_or(Next::Empty, Next::Card);
        }
        if let Some(card) = kinds.only() {
            seat.library.take(card);
            return Next::Card(Known::new(card, SeatSet::NONE));
        }
        self.question = Question::TopCard(owner);
        Next::Unknown
    }

    pub(in crate::magic) fn draw_on(
        &mut self,
        seat: Seat,
        left: u8,
        counted: bool,
        choice: Option<DrawChoice>,
    ) {
        if left == 0 {
            self.end_task();
            return;
        }
        if self.replace_draw(seat, choice) {
            return;
        }
        match self.next_card(seat) {
            Next::Unknown => {}
            Next::Empty => {
                // 704.5b: noticed when state-based actions are next looked at.
                self.seats[seat].lost = true;
                self.end_task();
            }
            Next::Card(known) => self.draw_card(seat, known, left, counted),
        }
    }

    /// The player of the task on top draws this card, one of `left`.
    pub(in crate::magic) fn draw_card(
        &mut self,
        seat: Seat,
        known: Known,
        left: u8,
        counted: bool,
    ) {
        if self.price_of_draws().is_some() {
            self.one_done();
            self.tasks.push(Task::BuyDraw { seat, card: known.card(), counted });
            return;
        }
        if left == 1 {
            self.end_task();
        } else {
            self.one_done();
        }
        self.take_drawn_card(seat, known, counted);
    }

    /// A player gets the card they draw.
    pub(in crate::magic) fn take_drawn_card(&mut self, seat: Seat, known: Known, counted: bool) {
        let owner = &mut self.seats[seat];
        owner.hand.add(known.card());
        owner.drawn = owner.drawn.saturating_add(1);
        if known.seen().has(seat.other()) {
            owner.shown[known.card()] += 1;
        }
        let (amount, card) = (owner.drawn, known.card().of(seat));
        if counted {
            self.resolution.kept = self.resolution.kept.saturating_add(1);
            if self.chooses_drawn() {
                self.resolution.drawn.push(known.card());
                if self.resolution.drawn.missed() {
                    self.exceed(Bound::Drawn);
                }
            }
        }
        self.board.dirty = true;
        if self.board.listening & listen::DRAWS != 0 {
            if amount == 1 && self.reveals_draws(seat) {
                let shown = self.seats[seat].hand.count(known.card());
                let seen = &mut self.seats[seat].shown[known.card()];
                *seen = (*seen + 1).min(shown);
            }
            self.emit(crate::magic::stack::triggers::TriggerEvent {
                seat: Some(seat),
                amount,
                card,
                ..crate::magic::stack::triggers::TriggerEvent::new(listen::DRAWS)
            });
        }
    }

    /// Takes a card for the search on top.
    pub(in crate::magic) fn take(&mut self, card: DeckCard) {
        let Some(&Task::Take { seat, owner, .. }) = self.tasks.last() else { return };
        let Some(Effect::Take { from, to, revealed, tapped, .. }) = self.running() else { return };
        let number = card.of(owner);
        for zone in from {
            if self.take_out(*zone, owner, card) {
                break;
            }
        }
        self.one_done();
        self.resolution.kept = self.resolution.kept.saturating_add(1);
        self.resolution.item.event_card = number;
        self.resolution.item.event_copy = NO_COPY;
        self.resolution.item.event = Named::NOTHING;
        let public = from.iter().any(|zone| matches!(zone, Zone::Graveyard));
        let both = *revealed || public;
        let seen = if both { SeatSet::BOTH } else { seat.bit() | owner.bit() };
        let openly =
            matches!(to, Place::Battlefield | Place::Graveyard | Place::Exile | Place::ExileToPlay);
        if from.contains(&Zone::Hand) && seen != SeatSet::BOTH && !openly {
            // It might have been any card: the opponent is sure of none of the
            // others any more.
            self.seats[owner].shown = ByDeckCard([0; _]);
        }
        match to {
            Place::Top | Place::Bottom | Place::Shuffled => {
                self.put_card(number, Place::Aside, seen);
                self.aside_seen = seen;
            }
            Place::Battlefield => {
                self.resolution.item.event =
                    self.enter_and_emit(number, self.resolution.item.you, *tapped).into();
            }
            Place::ExileToPlay => {
                self.put_card(number, Place::Exile, SeatSet::BOTH);
                let you = self.resolution.item.you;
                self.playable.push((number, you));
            }
            Place::Aside => {
                self.put_card(number, Place::Aside, seen);
                self.aside_seen = seen;
            }
            Place::Graveyard | Place::Hand | Place::Exile => {
                let before = self.copies_in_graveyard(number);
                self.put_card(number, *to, seen);
                if self.copies_in_graveyard(number) > before {
                    self.resolution.item.event_copy = before;
                }
            }
        }
    }

    /// Takes a card out of a zone, if it is there.
    fn take_out(&mut self, zone: Zone, owner: Seat, card: DeckCard) -> bool {
        let state: &mut Magic = self;
        let seat = &mut state.seats[owner];
        match zone {
            Zone::Hand | Zone::Drawn if seat.hand.has(card) => {
                if let Some(place) = self.resolution.drawn.iter().position(|&one| one == card) {
                    self.resolution.drawn.remove(place);
                }
                self.take_from_hand(owner, card);
            }
            Zone::Graveyard if seat.graveyard.has(card) => {
                let copied = state.idle_copy(card.of(owner));
                state.take_from_graveyard(copied);
            }
            Zone::Aside if state.aside.has(card) => state.aside.take(card),
            Zone::Library if seat.library.has(card) => seat.library.take(card),
            Zone::Library => {
                return seat.order.remove(card);
            }
            Zone::Hand | Zone::Drawn | Zone::Graveyard | Zone::Aside | Zone::Battlefield => {
                return false;
            }
        }
        true
    }

    /// Ends a choice of cards: those meant for a library are put there.
    pub(in crate::magic) fn end_take(&mut self) {
        let Some(Task::Take { seat, owner, .. }) = self.tasks.pop() else { return };
        let Some(Effect::Take { to, .. }) = self.running() else { return };
        match to {
            Place::Top => self.arrange(seat, false),
            Place::Bottom => self.arrange(seat, true),
            Place::Shuffled => {
                let mut aside = std::mem::replace(&mut self.aside, Pile::EMPTY);
                aside.pour(&mut self.seats[owner].library);
                self.shuffle(owner);
            }
            _ => {}
        }
    }

    /// `seat` will put the cards aside on top or at the bottom.
    pub(in crate::magic) fn arrange(&mut self, seat: Seat, bottom: bool) {
        self.tasks.push(Task::Arrange { seat, bottom });
    }

    pub(in crate::magic) fn arrange_on(&mut self, seat: Seat) {
        let kinds = self.aside.kinds();
        if kinds.is_empty() {
            self.end_task();
        } else if let Some(card) = kinds.only() {
            self.arrange_card(card);
        } else {
            self.ask(seat, Question::Card);
        }
    }

    /// Puts one of the cards aside where the task on top says.
    pub(in crate::magic) fn arrange_card(&mut self, card: DeckCard) {
        let Some(&Task::Arrange { seat, bottom }) = self.tasks.last() else { return };
        let to = if bottom { Place::Bottom } else { Place::Top };
        let seen = self.aside_seen | seat.bit();
        self.aside.take(card);
        let owner = self.aside_owner;
        self.put_card(card.of(owner), to, seen);
    }

    pub(in crate::magic) fn mill_on(&mut self, seat: Seat, left: u8) {
        let Some(Effect::Mill { to, .. }) = self.running().filter(|_| left > 0) else {
            self.end_task();
            return;
        };
        match self.next_card(seat) {
            Next::Unknown => {}
            Next::Empty => self.end_task(),
            Next::Card(known) => {
                self.one_done();
                self.resolution.kept = self.resolution.kept.saturating_add(1);
                self.put_card(known.card().of(seat), *to, SeatSet::BOTH);
            }
        }
    }

    pub(in crate::magic) fn look_on(&mut self, seat: Seat, left: u8, seen: SeatSet) {
        if left == 0 {
            self.end_task();
            return;
        }
        match self.next_card(seat) {
            Next::Unknown => {}
            Next::Empty => self.end_task(),
            Next::Card(known) => {
                self.one_done();
                self.aside_seen = seen;
                self.put_card(known.card().of(seat), Place::Aside, SeatSet::NONE);
            }
        }
    }

    pub(in crate::magic) fn reveal_on(&mut self, seat: Seat) {
        match self.next_card(seat) {
            Next::Unknown => {}
            Next::Empty => self.end_task(),
            Next::Card(known) => {
                let number = known.card().of(seat);
                self.aside_seen = SeatSet::BOTH;
                self.put_card(number, Place::Aside, SeatSet::BOTH);
                let ctx = self.run_ctx();
                if self
                    .task_filter(TaskFilter::Instruction)
                    .is_some_and(|filter| self.card_fits(filter, number, &ctx))
                {
                    self.resolution.item.event_card = number;
                    self.resolution.item.event_copy = NO_COPY;
                    self.resolution.item.event = Named::NOTHING;
                    self.end_task();
                }
            }
        }
    }
}

impl Magic {
    /// The life that buys off a draw, where draws can be bought.
    #[inline]
    pub(in crate::magic) fn price_of_draws(&self) -> Option<u8> {
        if !self.table.0.replaces {
            return None;
        }
        self.board.statics.iter().find_map(|slot| {
            self.statics_at(slot).iter().find_map(|ability| match ability {
                crate::magic::language::Static::Instead(Replacement::DrawsCanBeBought(life)) => {
                    Some(*life)
                }
                _ => None,
            })
        })
    }

    fn reveals_draws(&self, seat: Seat) -> bool {
        self.controlled(seat).iter().any(|slot| self.def_at(slot).listens & listen::DRAWS != 0)
    }
}
