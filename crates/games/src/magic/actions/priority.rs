//! What a player with priority may do.

use std::ops::ControlFlow;

use meeple_game::{Action, ActionList};

use crate::magic::actions::stops::Worth;
use crate::magic::actions::{self, NO, RECALL};
use crate::magic::language::{Type, Zone};
use crate::magic::mana::available::AvailableMana;
use crate::magic::state::seat::Seat;
use crate::magic::state::slots::Slot;
use crate::magic::state::{Magic, rule};
use crate::magic::table::ManaAbility;
use crate::magic::table::card::{CardId, DeckCards};

impl Magic {
    /// Whether a player has anything at all that could be done when only
    /// instants can.
    #[inline]
    pub(in crate::magic) fn may_respond(&self, seat: Seat) -> bool {
        let instants = self.seats[seat].hand.kinds() & self.table.0.decks[seat].instants;
        !instants.is_empty() || self.may_use_others(seat)
    }

    /// Adds what a player with priority may do: pass, and all that there may be reason for.
    pub(in crate::magic) fn list_priority(&self, seat: Seat, out: &mut ActionList) {
        out.push(Action(NO));
        let _ = self.options(seat, |id| {
            out.push(Action(id));
            ControlFlow::Continue(())
        });
    }

    /// Whether a player with priority could do anything but pass.
    #[inline]
    pub(in crate::magic) fn can_act(&self, seat: Seat) -> bool {
        self.options(seat, |_| ControlFlow::Break(())).is_break()
    }

    /// All that a player with priority may have reason to do besides passing,
    /// until `found` has enough.
    pub(super) fn options(
        &self,
        seat: Seat,
        mut found: impl FnMut(u16) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let deck = &self.table.0.decks[seat];
        let mine = &self.seats[seat];
        let sorcery = self.is_sorcery_time(seat);
        let hand = mine.hand.kinds();
        let worth = if self.rules.stops { self.worth_a_stop(seat) } else { Worth::Anything };
        if worth == Worth::Nothing {
            return ControlFlow::Continue(());
        }
        for card in self.lands_to_play(seat).iter() {
            found(actions::card(card.of(seat), seat))?;
        }
        let timely = if sorcery { DeckCards::ALL } else { deck.instants };
        let mut spells = hand & !deck.lands & timely & worth.cards(deck);
        if self.stack.is_empty() {
            spells &= !deck.counterspells;
        }
        let others = self.may_use_others(seat);
        if spells.is_empty() && !others {
            return ControlFlow::Continue(());
        }
        // Not returned, which would copy it.
        let mut available = AvailableMana::new();
        self.fill_available(seat, &mut available);
        if !self.table.0.costly_mana {
            spells &= deck.payable_with(available.total());
        }
        for card in spells.iter() {
            if self.can_cast(seat, card.of(seat), &available) {
                found(actions::card(card.of(seat), seat))?;
            }
        }
        if others {
            self.other_options(seat, worth, &available, &mut found)?;
        }
        ControlFlow::Continue(())
    }

    /// Whether a player has exiled cards to play, or abilities to use.
    #[inline]
    fn may_use_others(&self, seat: Seat) -> bool {
        let recalls = self.seats[seat].graveyard.kinds() & self.table.0.decks[seat].from_graveyard;
        !self.playable.is_empty()
            || !recalls.is_empty()
            || self.board.usable.meets(self.controlled(seat))
    }

    /// Exiled cards to play, and abilities to use.
    fn other_options(
        &self,
        seat: Seat,
        worth: Worth,
        available: &AvailableMana,
        found: &mut impl FnMut(u16) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let hand = self.seats[seat].hand.kinds();
        let sorcery = self.is_sorcery_time(seat);
        for &(card, who) in self.playable.iter() {
            // A copy of it in hand has the same id and is played first.
            let held = card.owner() == seat && hand.has(card.in_deck());
            if who == seat
                && !held
                && worth.plays(self.def(card))
                && self.can_play_exiled(seat, card, sorcery, available)
            {
                found(actions::card(card, seat))?;
            }
        }
        if worth == Worth::Haste {
            return ControlFlow::Continue(());
        }
        let usable = self.board.usable & self.controlled(seat);
        for slot in usable.iter() {
            let own = self.abilities_of(slot).map(|(card, ability)| {
                worth.uses(ability) && self.can_use(seat, Some(slot), card, ability, available)
            });
            let mana = self.costly_mana_of(slot).map(|ability| {
                worth == Worth::Anything && self.can_use_mana(seat, slot, ability, available)
            });
            let mut is_first = false;
            for (number, can_use) in (0..).zip(own.chain(mana)) {
                if !can_use {
                    continue;
                }
                // Looked at last, for most abilities cannot be used.
                is_first = is_first || !self.has_twin(usable & slot.below(), slot);
                if !is_first {
                    break;
                }
                found(actions::ability(slot, number))?;
            }
        }
        let recalls = self.seats[seat].graveyard.kinds() & self.table.0.decks[seat].from_graveyard;
        for card in recalls.iter() {
            let number = card.of(seat);
            let activated = &self.def(number).activated;
            let mut abilities = activated.iter().filter(|ability| ability.from == Zone::Graveyard);
            if activated.iter().any(|ability| worth.uses(ability))
                && abilities.any(|ability| self.can_use(seat, None, number, ability, available))
            {
                found(RECALL + u16::from(card.number()))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The lands in hand that a player could play now.
    #[inline]
    pub(in crate::magic) fn lands_to_play(&self, seat: Seat) -> DeckCards {
        let lands = self.seats[seat].hand.kinds() & self.table.0.decks[seat].lands;
        let may = !lands.is_empty() && self.is_sorcery_time(seat) && self.may_play_land(seat);
        if may { lands } else { DeckCards::EMPTY }
    }

    fn can_play_exiled(
        &self,
        seat: Seat,
        card: CardId,
        sorcery: bool,
        available: &AvailableMana,
    ) -> bool {
        let def = self.def(card);
        if def.is(Type::Land) {
            return sorcery && self.may_play_land(seat);
        }
        let instant =
            def.is(Type::Instant) || def.keywords.has(crate::magic::language::Keyword::Flash);
        (sorcery || instant) && self.can_cast(seat, card, available)
    }

    /// 305.2: whether a land drop is left.
    fn may_play_land(&self, seat: Seat) -> bool {
        let mine = &self.seats[seat];
        let mut allowed = 1 + mine.extra_lands;
        if self.table.0.extra_lands {
            for slot in self.board.statics.iter() {
                for ability in self.statics_at(slot) {
                    if let crate::magic::language::Static::ExtraLands(more) = ability {
                        allowed += more;
                    }
                }
            }
        }
        mine.lands_played < allowed
    }

    /// Mana abilities of a permanent that cost more than tapping it.
    pub(in crate::magic) fn costly_mana_of(
        &self,
        slot: Slot,
    ) -> impl Iterator<Item = &'static ManaAbility> {
        let printed = !self.board.retyped.has(slot);
        self.def_at(slot).mana.iter().filter(move |ability| printed && !ability.free)
    }

    pub(in crate::magic) fn can_use_mana(
        &self,
        seat: Seat,
        slot: Slot,
        ability: &ManaAbility,
        available: &AvailableMana,
    ) -> bool {
        use crate::magic::language::Cost;
        let ctx = crate::magic::zones::select::Ctx::new(seat, Some(slot), self.board.card[slot]);
        let barred = self.board.rules[rule::NO_ABILITIES].has(slot);
        let mana = |cost: &Cost| match cost {
            Cost::Mana(mana) => {
                let owed = crate::magic::state::Owed::new(mana, 0, None);
                available.pays(owed) && self.pays_beside(seat, Some(slot), &ability.cost, owed)
            }
            _ => true,
        };
        !barred && ability.cost.iter().all(|cost| mana(cost) && self.can_pay_part(cost, &ctx))
    }

    pub(super) fn can_buy(&self, seat: Seat) -> bool {
        self.price_of_draws().is_some_and(|life| self.seats[seat].life >= i16::from(life))
    }
}
