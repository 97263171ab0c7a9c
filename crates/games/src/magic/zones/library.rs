//! 121, 701.17, 701.20, 701.23: drawing, milling, revealing, searching and arranging cards.

use crate::magic::language::{Effect, Place, Replacement, Zone};
use crate::magic::machine::{Machine, Watch};
use crate::magic::state::bounds::Bound;
use crate::magic::state::order::Known;
use crate::magic::state::pile::{Pile, bits};
use crate::magic::state::slots::{NONE, each};
use crate::magic::state::{DrawChoice, Magic, Question, Task, TaskFilter};
use crate::magic::table::program::Step;
use crate::magic::table::{DECK, listen};

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

    /// Cards that a search of the running instruction may take, one bit each.
    pub(in crate::magic) fn cards_to_take(&self, owner: u8) -> u64 {
        let Some(Effect::Take { from, card: filter, .. }) = self.running() else { return 0 };
        let seat = &self.seats[owner as usize];
        let ctx = self.run_ctx();
        let all = from.iter().fold(0, |all, zone| {
            all | match zone {
                Zone::Hand => seat.hand.kinds(),
                Zone::Graveyard => seat.graveyard.kinds(),
                Zone::Library => {
                    let known = seat.order.iter();
                    known.fold(seat.library.kinds(), |all, known| all | 1 << known.card())
                }
                Zone::Aside => self.aside.kinds(),
                Zone::Drawn => {
                    self.resolution.drawn.iter().fold(0, |all, &card| all | 1 << card)
                        & seat.hand.kinds()
                }
                Zone::Battlefield => 0,
            }
        });
        bits(all)
            .filter(|&card| self.card_fits(filter, card + owner * DECK as u8, &ctx))
            .fold(0, |all, card| all | 1 << card)
    }
}

impl<W: Watch> Machine<'_, W> {
    /// The top card of a library, taken off it.
    fn next_card(&mut self, owner: u8) -> Next {
        let seat = &mut self.seats[owner as usize];
        if let Some(known) = seat.order.pop_top() {
            return Next::Card(known);
        }
        let kinds = seat.library.kinds();
        if kinds == 0 {
            return seat.order.pop_bottom().map_or(Next::Empty, Next::Card);
        }
        if kinds & (kinds - 1) == 0 {
            let card = kinds.trailing_zeros() as u8;
            seat.library.take(card);
            return Next::Card(Known::new(card, 0));
        }
        self.question = Question::TopCard(owner);
        Next::Unknown
    }

    pub(in crate::magic) fn draw_on(
        &mut self,
        seat: u8,
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
                self.seats[seat as usize].lost = true;
                self.end_task();
            }
            Next::Card(known) => {
                self.one_done();
                match self.price_of_draws() {
                    Some(_) => {
                        let card = known.card();
                        self.tasks.push(Task::BuyDraw { seat, card, counted });
                    }
                    None => self.take_drawn_card(seat, known, counted),
                }
            }
        }
    }

    /// A player gets the card they draw.
    pub(in crate::magic) fn take_drawn_card(&mut self, seat: u8, known: Known, counted: bool) {
        let owner = &mut self.seats[seat as usize];
        owner.hand.add(known.card());
        owner.drawn = owner.drawn.saturating_add(1);
        if known.seen() & 2 >> seat != 0 {
            owner.shown[known.card() as usize] += 1;
        }
        let (amount, card) = (owner.drawn, known.card() + seat * DECK as u8);
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
                let shown = self.seats[seat as usize].hand.count(known.card());
                let seen = &mut self.seats[seat as usize].shown[known.card() as usize];
                *seen = (*seen + 1).min(shown);
            }
            self.emit(crate::magic::stack::triggers::TriggerEvent {
                seat,
                amount,
                card,
                ..crate::magic::stack::triggers::TriggerEvent::new(listen::DRAWS)
            });
        }
    }

    /// Takes a card for the search on top.
    pub(in crate::magic) fn take(&mut self, card: u8) {
        let Some(&Task::Take { seat, owner, .. }) = self.tasks.last() else { return };
        let Some(Effect::Take { from, to, revealed, tapped, .. }) = self.running() else { return };
        let number = card + owner * DECK as u8;
        for zone in from {
            if self.take_out(*zone, owner, card) {
                break;
            }
        }
        self.one_done();
        self.resolution.kept = self.resolution.kept.saturating_add(1);
        self.resolution.item.event_card = number;
        self.resolution.item.event_copy = NONE;
        self.resolution.item.event = NONE;
        let public = from.iter().any(|zone| matches!(zone, Zone::Graveyard));
        let seen = if *revealed || public { 3 } else { 1 << seat | 1 << owner };
        let openly =
            matches!(to, Place::Battlefield | Place::Graveyard | Place::Exile | Place::ExileToPlay);
        if from.contains(&Zone::Hand) && seen != 3 && !openly {
            // It might have been any card: the opponent is sure of none of the
            // others any more.
            self.seats[owner as usize].shown = [0; _];
        }
        match to {
            Place::Top | Place::Bottom | Place::Shuffled => {
                self.put_card(number, Place::Aside, seen);
                self.aside_seen = seen;
            }
            Place::Battlefield => {
                self.resolution.item.event =
                    self.enter_and_emit(number, self.resolution.item.you, *tapped).unwrap_or(NONE);
            }
            Place::ExileToPlay => {
                self.put_card(number, Place::Exile, 3);
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
    fn take_out(&mut self, zone: Zone, owner: u8, card: u8) -> bool {
        let state: &mut Magic = self;
        let seat = &mut state.seats[owner as usize];
        match zone {
            Zone::Hand | Zone::Drawn if seat.hand.has(card) => {
                if let Some(place) = self.resolution.drawn.iter().position(|&one| one == card) {
                    self.resolution.drawn.remove(place);
                }
                self.take_from_hand(owner, card);
            }
            Zone::Graveyard if seat.graveyard.has(card) => {
                let copied = state.idle_copy(card + owner * DECK as u8);
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
                aside.pour(&mut self.seats[owner as usize].library);
                self.shuffle(owner);
            }
            _ => {}
        }
    }

    /// `seat` will put the cards aside on top or at the bottom.
    pub(in crate::magic) fn arrange(&mut self, seat: u8, bottom: bool) {
        self.tasks.push(Task::Arrange { seat, bottom });
    }

    pub(in crate::magic) fn arrange_on(&mut self, seat: u8) {
        let kinds = self.aside.kinds();
        if kinds == 0 {
            self.end_task();
        } else if kinds & (kinds - 1) == 0 {
            self.arrange_card(kinds.trailing_zeros() as u8);
        } else {
            self.ask(seat, Question::Card);
        }
    }

    /// Puts one of the cards aside where the task on top says.
    pub(in crate::magic) fn arrange_card(&mut self, card: u8) {
        let Some(&Task::Arrange { seat, bottom }) = self.tasks.last() else { return };
        let to = if bottom { Place::Bottom } else { Place::Top };
        let seen = self.aside_seen | 1 << seat;
        self.aside.take(card);
        let owner = self.aside_owner;
        self.put_card(card + owner * DECK as u8, to, seen);
    }

    pub(in crate::magic) fn mill_on(&mut self, seat: u8, left: u8) {
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
                self.put_card(known.card() + seat * DECK as u8, *to, 3);
            }
        }
    }

    pub(in crate::magic) fn look_on(&mut self, seat: u8, left: u8, seen: u8) {
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
                self.put_card(known.card() + seat * DECK as u8, Place::Aside, 0);
            }
        }
    }

    pub(in crate::magic) fn reveal_on(&mut self, seat: u8) {
        match self.next_card(seat) {
            Next::Unknown => {}
            Next::Empty => self.end_task(),
            Next::Card(known) => {
                let number = known.card() + seat * DECK as u8;
                self.aside_seen = 3;
                self.put_card(number, Place::Aside, 3);
                let ctx = self.run_ctx();
                if self
                    .task_filter(TaskFilter::Instruction)
                    .is_some_and(|filter| self.card_fits(filter, number, &ctx))
                {
                    self.resolution.item.event_card = number;
                    self.resolution.item.event_copy = NONE;
                    self.resolution.item.event = NONE;
                    self.end_task();
                }
            }
        }
    }
}

impl Magic {
    /// The life that buys off a draw, where draws can be bought.
    pub(in crate::magic) fn price_of_draws(&self) -> Option<u8> {
        each(self.board.statics).find_map(|slot| {
            self.statics_at(slot).iter().find_map(|ability| match ability {
                crate::magic::language::Static::Instead(Replacement::DrawsCanBeBought(life)) => {
                    Some(*life)
                }
                _ => None,
            })
        })
    }

    fn reveals_draws(&self, seat: u8) -> bool {
        each(self.controlled(seat)).any(|slot| self.def_at(slot).listens & listen::DRAWS != 0)
    }
}
