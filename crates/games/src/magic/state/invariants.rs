//! State invariants: every card in one zone, every reference to something there.

use crate::magic::state::groups::Named;
use crate::magic::state::seat::Seat;
use crate::magic::state::slots::{Slot, Slots};
use crate::magic::state::{Board, ChosenTarget, Duration, Item, Magic, Question, Task};
use crate::magic::table::card::{ByDeckCard, CardId, DeckCards, KINDS};
use crate::magic::zones::graveyard::NO_COPY;

impl Magic {
    /// Whether everything adds up, unless something found no room: then the game
    /// is over.
    pub(in crate::magic) fn invariants_hold(&self) -> bool {
        self.fault.is_some() || self.is_valid()
    }

    fn is_valid(&self) -> bool {
        Seat::BOTH.into_iter().all(|owner| self.cards_add_up(owner))
            && self.hands_add_up()
            && self.board_adds_up()
            && self.references_add_up()
            && self.characteristics_add_up()
    }

    /// Every card of a deck is in one place. Of exiled cards only the number is
    /// kept, so what is found nowhere else must be that many.
    fn cards_add_up(&self, owner: Seat) -> bool {
        let seat = &self.seats[owner];
        let mut found = ByDeckCard([0_u8; KINDS]);
        for pile in [&seat.library, &seat.hand, &seat.graveyard] {
            for card in pile.iter() {
                found[card] += pile.count(card);
            }
        }
        for known in seat.order.iter() {
            found[known.card()] += 1;
        }
        if self.aside_owner == owner {
            for card in self.aside.iter() {
                found[card] += self.aside.count(card);
            }
        }
        for card in self.cards_in_motion().filter(|&card| card.owner() == owner) {
            found[card.in_deck()] += 1;
        }
        for task in self.tasks.iter() {
            if let Task::BuyDraw { seat, card, .. } = *task
                && seat == owner
            {
                found[card] += 1;
            }
        }
        let counts = &self.table.0.decks[owner].counts;
        let mut missing = 0;
        for card in DeckCards::KINDS.iter() {
            let number = card.of(owner);
            let exiled = self.playable.iter().filter(|&&(card, _)| card == number).count();
            match counts[card].checked_sub(found[card]) {
                Some(gone) if gone as usize >= exiled => missing += gone,
                _ => return false,
            }
        }
        missing == seat.exiled
    }

    /// Cards on the battlefield, on the stack, being cast and being resolved.
    fn cards_in_motion(&self) -> impl Iterator<Item = CardId> {
        let permanents = self.board.used.iter().map(|slot| self.board.card[slot]);
        let on_stack = self.stack.iter().filter(|item| item.spell).map(|item| item.card);
        let cast = (self.announcement.active && self.announcement.item.spell)
            .then_some(self.announcement.item.card);
        let run = self.resolution.active && self.resolution.item.spell && !self.resolution.moved;
        let run = run.then_some(self.resolution.item.card);
        let all = permanents.chain(on_stack).chain(cast).chain(run);
        all.filter(|&card| !card.is_token())
    }

    fn hands_add_up(&self) -> bool {
        self.seats.iter().all(|seat| {
            DeckCards::KINDS.iter().all(|card| seat.shown[card] <= seat.hand.count(card))
        })
    }

    fn board_adds_up(&self) -> bool {
        let board = &self.board;
        let sets = [
            board.controller,
            board.base_controller,
            board.tapped,
            board.summoning_sick,
            board.attacking,
            board.blocking,
            board.blocked,
            board.attacked,
            board.damaged,
            board.deathtouched,
            board.first_struck,
            board.statics,
            board.usable,
            board.mana,
            board.retyped,
            board.basics,
        ];
        let derived = board.types.iter().chain(&board.colours).chain(&board.land_types);
        let derived = derived.chain(&board.keywords).chain(&board.rules);
        let within = |set: &Slots| (*set & !board.used).is_empty();
        let linked = |slot: Slot| board.link[slot].is_none_or(|link| board.used.has(link));
        let blocks = |slot: Slot| board.link[slot].is_none_or(|link| board.attacking.has(link));
        sets.iter().all(within)
            && derived.into_iter().all(within)
            && board.used.iter().all(linked)
            && board.blocking.iter().all(blocks)
            && !board.attacking.meets(board.blocking)
            && board.static_order.iter().all(|&slot| board.statics.has(slot))
    }

    /// Nothing speaks of a slot without a permanent.
    fn references_add_up(&self) -> bool {
        let there = |slot: Option<Slot>| slot.is_none_or(|slot| self.board.used.has(slot));
        let named = |event: Named| (self.named(event) & !self.board.used).is_empty();
        let item = |item: &Item| {
            there(item.source)
                && named(item.event)
                && item.targets.iter().all(|target| match target {
                    ChosenTarget::Slot(slot) => self.board.used.has(slot),
                    ChosenTarget::Card(card, copy) => {
                        copy == NO_COPY || self.is_in_graveyard((card, copy))
                    }
                    _ => true,
                })
        };
        let later = self.delayed.iter().map(|later| &later.what);
        let about = match self.question {
            Question::Attack(slot)
            | Question::Block(slot)
            | Question::Order(slot)
            | Question::Colour(slot)
            | Question::Assign(slot)
            | Question::StayTapped(slot) => Some(slot),
            Question::Instead(slot) => slot,
            _ => None,
        };
        there(about)
            && self.stack.iter().all(item)
            && (!self.resolution.active || item(&self.resolution.item))
            && (!self.announcement.active || item(&self.announcement.item))
            && self.pending.iter().chain(later).all(|one| there(one.source) && named(one.event))
            && self.clock.guard.0.into_iter().chain(self.resolution.chosen).all(there)
            && self.effects.iter().all(|effect| {
                (effect.on & !self.board.used).is_empty()
                    && match effect.until {
                        Duration::Untapped(slot) => self.board.used.has(slot),
                        _ => true,
                    }
            })
    }

    /// What permanents are is what comes out when it is worked out anew; while
    /// attackers and blockers are being declared they are not either yet.
    fn characteristics_add_up(&self) -> bool {
        let declaring = |task: &Task| {
            matches!(task, Task::DeclareAttackers { .. } | Task::DeclareBlockers { .. })
        };
        let settled = self.question == Question::Priority || !self.board.dirty;
        if !settled || self.tasks.last().is_some_and(declaring) {
            return true;
        }
        let mut anew = *self;
        // From nothing, not from what is taken to be unchanged.
        anew.board.recast = true;
        anew.derive_all();
        let parts = |board: &Board| {
            (
                (board.controller, board.retyped, board.basics, board.mana, board.usable),
                (board.types, board.colours, board.land_types),
                (board.keywords, board.rules),
            )
        };
        parts(&anew.board) == parts(&self.board)
            && self.board.used.iter().all(|slot| {
                anew.board.power[slot] == self.board.power[slot]
                    && anew.board.toughness[slot] == self.board.toughness[slot]
            })
    }
}
