//! State invariants: every card in one zone, every reference to something there.

use crate::magic::state::slots::{NONE, Slots, each, has};
use crate::magic::state::{Board, ChosenTarget, Duration, Item, Magic, Question, Task};
use crate::magic::table::{DECK, KINDS, TOKENS};

impl Magic {
    /// Whether everything adds up, unless something found no room: then the game
    /// is over.
    pub(in crate::magic) fn invariants_hold(&self) -> bool {
        self.fault.is_some() || self.is_valid()
    }

    fn is_valid(&self) -> bool {
        (0..2).all(|owner| self.cards_add_up(owner))
            && self.hands_add_up()
            && self.board_adds_up()
            && self.references_add_up()
            && self.characteristics_add_up()
    }

    /// Every card of a deck is in one place. Of exiled cards only the number is
    /// kept, so what is found nowhere else must be that many.
    fn cards_add_up(&self, owner: usize) -> bool {
        let seat = &self.seats[owner];
        let mut found = [0_u8; KINDS];
        for pile in [&seat.library, &seat.hand, &seat.graveyard] {
            for card in pile.iter() {
                found[card as usize] += pile.count(card);
            }
        }
        for known in seat.order.iter() {
            found[known.card() as usize] += 1;
        }
        if self.aside_owner as usize == owner {
            for card in self.aside.iter() {
                found[card as usize] += self.aside.count(card);
            }
        }
        for card in self.cards_in_motion().filter(|&card| card as usize / DECK == owner) {
            found[card as usize % DECK] += 1;
        }
        for task in self.tasks.iter() {
            if let Task::BuyDraw { seat, card, .. } = *task
                && seat as usize == owner
            {
                found[card as usize] += 1;
            }
        }
        let counts = &self.table.0.decks[owner].counts;
        let mut missing = 0;
        for card in 0..KINDS {
            let number = (owner * DECK + card) as u8;
            let exiled = self.playable.iter().filter(|&&(card, _)| card == number).count();
            match counts[card].checked_sub(found[card]) {
                Some(gone) if gone as usize >= exiled => missing += gone,
                _ => return false,
            }
        }
        missing == seat.exiled
    }

    /// Cards on the battlefield, on the stack, being cast and being resolved.
    fn cards_in_motion(&self) -> impl Iterator<Item = u8> {
        let permanents = each(self.board.used).map(|slot| self.board.card[slot as usize]);
        let on_stack = self.stack.iter().filter(|item| item.spell).map(|item| item.card);
        let cast = (self.announcement.active && self.announcement.item.spell)
            .then_some(self.announcement.item.card);
        let run = self.resolution.active && self.resolution.item.spell && !self.resolution.moved;
        let run = run.then_some(self.resolution.item.card);
        let all = permanents.chain(on_stack).chain(cast).chain(run);
        all.filter(|&card| (card as usize) < TOKENS)
    }

    fn hands_add_up(&self) -> bool {
        self.seats.iter().all(|seat| {
            (0..KINDS as u8).all(|card| seat.shown[card as usize] <= seat.hand.count(card))
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
        let within = |set: &Slots| set & !board.used == 0;
        let linked = |slot: u8| {
            let link = board.link[slot as usize];
            link == NONE || has(board.used, link)
        };
        let blocks = |slot: u8| {
            let link = board.link[slot as usize];
            link == NONE || has(board.attacking, link)
        };
        sets.iter().all(within)
            && derived.into_iter().all(within)
            && each(board.used).all(linked)
            && each(board.blocking).all(blocks)
            && board.attacking & board.blocking == 0
            && board.static_order.iter().all(|&slot| has(board.statics, slot))
    }

    /// Nothing speaks of a slot without a permanent.
    fn references_add_up(&self) -> bool {
        let there = |slot: u8| slot == NONE || has(self.board.used, slot);
        let named = |event: u8| self.named(event) & !self.board.used == 0;
        let item = |item: &Item| {
            there(item.source)
                && named(item.event)
                && item.targets.iter().all(|target| match target {
                    ChosenTarget::Slot(slot) => has(self.board.used, slot),
                    ChosenTarget::Card(card, copy) => {
                        copy == NONE || self.is_in_graveyard((card, copy))
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
            | Question::Instead(slot)
            | Question::Assign(slot)
            | Question::StayTapped(slot) => slot,
            _ => NONE,
        };
        there(about)
            && self.stack.iter().all(item)
            && (!self.resolution.active || item(&self.resolution.item))
            && (!self.announcement.active || item(&self.announcement.item))
            && self.pending.iter().chain(later).all(|one| there(one.source) && named(one.event))
            && self.clock.guard.into_iter().chain(self.resolution.chosen).all(there)
            && self.effects.iter().all(|effect| {
                effect.on & !self.board.used == 0
                    && match effect.until {
                        Duration::Untapped(slot) => has(self.board.used, slot),
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
            && each(self.board.used).all(|slot| {
                let index = slot as usize;
                anew.board.power[index] == self.board.power[index]
                    && anew.board.toughness[index] == self.board.toughness[index]
            })
    }
}
