//! 603: abilities that trigger, and their way to the stack.

use crate::magic::language::{Effect, Event, Moment, Ref};
use crate::magic::machine::{Machine, Watch};
use crate::magic::state::bounds::Bound;
use crate::magic::state::groups::Named;
use crate::magic::state::seat::Seat;
use crate::magic::state::slots::Slot;
use crate::magic::state::{
    ChosenTarget, ChosenTargets, DelayedTrigger, Item, Magic, PendingTrigger, Question, Stage,
};
use crate::magic::table::card::CardId;
use crate::magic::table::program::Step;
use crate::magic::table::{Trigger, listen};
use crate::magic::zones::graveyard::NO_COPY;
use crate::magic::zones::select::Ctx;

/// Something that abilities may wait for.
#[derive(Clone, Copy, Debug)]
pub(in crate::magic) struct TriggerEvent {
    /// One of [`listen`].
    pub(in crate::magic) kind: u32,
    /// The permanent that it is about.
    pub(in crate::magic) slot: Option<Slot>,
    /// The other one: what it blocks or is blocked by.
    pub(in crate::magic) other: Option<Slot>,
    /// The player whom it is about.
    pub(in crate::magic) seat: Option<Seat>,
    /// Whether the player is dealt the damage.
    pub(in crate::magic) hurts_player: bool,
    pub(in crate::magic) amount: u8,
    pub(in crate::magic) card: CardId,
    pub(in crate::magic) moment: Moment,
}

impl TriggerEvent {
    pub(in crate::magic) fn new(kind: u32) -> Self {
        Self {
            kind,
            slot: None,
            other: None,
            seat: None,
            hurts_player: false,
            amount: 0,
            card: CardId::BLANK,
            moment: Moment::Upkeep,
        }
    }
}

impl<W: Watch> Machine<'_, W> {
    /// Tells of something that a permanent does or suffers.
    #[inline]
    pub(in crate::magic) fn emit_for(&mut self, kind: u32, slot: Slot) {
        if self.board.listening & kind != 0 {
            let (seat, card) = (Some(self.controller(slot)), self.board.card[slot]);
            self.emit(TriggerEvent { slot: Some(slot), seat, card, ..TriggerEvent::new(kind) });
        }
    }

    /// Tells everybody who waits for it.
    #[inline]
    pub(in crate::magic) fn emit(&mut self, what: TriggerEvent) {
        if self.board.listening & what.kind != 0 {
            self.match_triggers(&what);
        }
    }

    fn match_triggers(&mut self, what: &TriggerEvent) {
        for watcher in self.board.used.iter() {
            let def = self.def_at(watcher);
            // 305.7: a land that was given a land type has lost its abilities.
            if def.listens & what.kind == 0 || self.board.retyped.has(watcher) {
                continue;
            }
            for trigger in &def.triggers {
                if self.is_triggered_by(&trigger.on, watcher, what) {
                    self.trigger(trigger, watcher, what);
                }
            }
        }
    }

    fn trigger(&mut self, trigger: &Trigger, watcher: Slot, what: &TriggerEvent) {
        let paired = matches!(trigger.on, Event::BlocksOrBlockedBy(..));
        let pending = PendingTrigger {
            card: self.board.card[watcher],
            program: trigger.program,
            source: Some(watcher),
            departed_id: 0,
            you: self.controller(watcher),
            event: if paired { what.other } else { what.slot }.into(),
            event_card: what.card,
            event_copy: NO_COPY,
            source_copy: NO_COPY,
            event_player: what.seat,
            amount: what.amount,
            times: 1,
        };
        let holds = trigger
            .condition
            .as_ref()
            .is_none_or(|condition| self.holds(condition, &Ctx::of_item(&pending.item(self))));
        if !holds {
            return;
        }
        let program = &self.def_at(watcher).programs[trigger.program as usize];
        if what.kind == listen::MANA
            && let [Step::Do(effect @ Effect::AddMana { .. })] = program.steps.as_slice()
        {
            // 605.1b: a triggered mana ability does not use the stack.
            let ctx = Ctx::of_item(&pending.item(self));
            self.perform(effect, &ctx);
            return;
        }
        let forgotten =
            PendingTrigger { event: Named::NOTHING, event_card: CardId::BLANK, ..pending };
        // A card that is about to leave is found again as one copy in the graveyard
        // (400.7), so it waits alone; tokens are not, so all that leave at once are
        // alike.
        let leaves = what.kind & (listen::DIES | listen::LEAVES) != 0;
        match (trigger.names_event, leaves) {
            (false, _) => self.add_pending(forgotten),
            (true, false) => self.add_pending(pending),
            (true, true) if what.card.is_token() => {
                self.add_pending(PendingTrigger { event: Named::NOTHING, ..pending });
            }
            (true, true) => self.pending.push(pending),
        }
    }

    /// Keeps an ability until it can be put on the stack.
    pub(in crate::magic) fn add_pending(&mut self, pending: PendingTrigger) {
        let place = self.pending.iter().position(|other| self.is_joined_by(other, &pending));
        match place.and_then(|place| Some((place, self.joined(self.pending[place], pending)?))) {
            Some((place, joined)) => self.pending[place] = joined,
            None => self.pending.push(pending),
        }
    }

    /// Both in one, if there is room for what they name together.
    fn joined(&mut self, one: PendingTrigger, other: PendingTrigger) -> Option<PendingTrigger> {
        let event = match one.event == other.event {
            true => one.event,
            false => self.join(one.event, other.event.slot()?)?,
        };
        let times = one.times.checked_add(other.times);
        if times.is_none() {
            self.exceed(Bound::Repeats);
        }
        Some(PendingTrigger { event, times: times.unwrap_or(u8::MAX), ..one })
    }

    /// 603.7: remembers what is to happen at a moment to come.
    pub(in crate::magic) fn add_delayed(&mut self, later: DelayedTrigger) {
        let place = self.delayed.iter().position(|other| {
            DelayedTrigger { what: later.what, ..*other } == later
                && self.is_joined_by(&other.what, &later.what)
        });
        match place
            .and_then(|place| Some((place, self.joined(self.delayed[place].what, later.what)?)))
        {
            Some((place, what)) => self.delayed[place].what = what,
            None => self.delayed.push(later),
        }
    }

    /// 603.7: delayed abilities whose moment has come.
    pub(in crate::magic) fn trigger_delayed(&mut self, moment: Moment) {
        let mut index = 0;
        while index < self.delayed.len() {
            let DelayedTrigger { what, when, whose, from_turn } = self.delayed[index];
            let due = when == moment
                && whose.is_none_or(|whose| whose == self.clock.active)
                && self.clock.turn >= from_turn;
            if due {
                self.delayed.remove(index);
                self.add_pending(what);
            } else {
                index += 1;
            }
        }
    }

    /// 603.3b: puts pending abilities on the stack, the active player's first.
    /// Whether it has done something.
    pub(in crate::magic) fn place_triggers(&mut self) -> bool {
        if self.pending.is_empty() {
            return false;
        }
        let active = self.clock.active;
        let of_active = self.pending.iter().any(|pending| pending.you == active);
        let seat = if of_active { active } else { active.other() };
        let mine = || self.pending.iter().enumerate().filter(|(_, pending)| pending.you == seat);
        let Some((first, &one)) = mine().next() else { return false };
        let alike = |other: &PendingTrigger| other.card == one.card && other.program == one.program;
        if mine().all(|(_, other)| alike(other)) {
            self.place_trigger(first);
        } else {
            self.ask(seat, Question::Trigger);
        }
        true
    }

    /// Puts one pending ability on the stack, choosing its targets.
    pub(in crate::magic) fn place_trigger(&mut self, index: usize) {
        let mut pending = self.pending[index];
        let aimed = !self.def(pending.card).programs[pending.program as usize].targets.is_empty();
        if !aimed {
            self.pending.remove(index);
            self.push_item(pending.item(self));
            return;
        }
        let (event, rest) = self.split(pending.event);
        if pending.times > 1 {
            self.pending[index] =
                PendingTrigger { event: rest, times: pending.times - 1, ..pending };
        } else {
            self.pending.remove(index);
        }
        (pending.event, pending.times) = (event, 1);
        let item = pending.item(self);
        if self.has_legal_targets(&item) {
            self.announcement.active = true;
            self.announcement.item = item;
            self.announcement.stage = Stage::Targets;
            self.announcement.target = 0;
            self.announcement.chosen = 0;
            self.announcement.ability = None;
        }
    }

    /// Puts an item on the stack; its controller keeps priority.
    ///
    /// An ability like the one on top counts as another of it.
    pub(in crate::magic) fn push_item(&mut self, mut item: Item) {
        self.clock.passes = 0;
        // 113.7a: an ability whose source is not there names its source by its own id.
        let derives = |departed_id: u8| !item.spell && item.source.is_none() && departed_id == 0;
        if let Some(top) = self.stack.last_mut()
            && !item.spell
            && *top == (Item { id: top.id, times: top.times, departed_id: top.departed_id, ..item })
            && (top.departed_id == item.departed_id
                || top.departed_id == top.id && derives(item.departed_id))
            && let Some(times) = top.times.checked_add(item.times)
        {
            top.times = times;
            return;
        }
        item.id = self.next_id();
        if derives(item.departed_id) {
            item.departed_id = item.id;
        }
        self.stack.push(item);
    }
}

impl Magic {
    /// A number for an item on the stack or for a source that leaves; never 0.
    pub(in crate::magic) fn next_id(&mut self) -> u8 {
        self.clock.item = self.clock.item.checked_add(1).unwrap_or(1);
        self.clock.item
    }

    /// Whether an ability that waits can also stand for another: both are alike,
    /// but perhaps for the permanent that set each of them off.
    fn is_joined_by(&self, one: &PendingTrigger, other: &PendingTrigger) -> bool {
        if *one == (PendingTrigger { times: one.times, ..*other }) {
            return !one.event.is_group();
        }
        // A group has each permanent once.
        let named = self.named(one.event);
        *one == (PendingTrigger { event: one.event, times: one.times, ..*other })
            && !one.event.is_nothing()
            && other.event.slot().is_some_and(|slot| !named.has(slot))
            && other.times == 1
            && named.len() == usize::from(one.times)
    }

    /// Whether something sets off an ability of `watcher`.
    fn is_triggered_by(&self, on: &Event, watcher: Slot, what: &TriggerEvent) -> bool {
        let kind = |kind: u32| what.kind == kind;
        let concerned = |who: &Ref| what.slot.is_some_and(|slot| self.concerns(who, watcher, slot));
        let you = self.controller(watcher);
        match on {
            Event::Enters(who) => kind(listen::ENTERS) && concerned(who),
            Event::Dies(who) => kind(listen::DIES) && concerned(who),
            Event::Leaves(who) => kind(listen::LEAVES) && concerned(who),
            Event::BecomesTapped(who) => kind(listen::TAPPED) && concerned(who),
            Event::TappedForMana(who) => kind(listen::MANA) && concerned(who),
            Event::Attacks(who) => kind(listen::ATTACKS) && concerned(who),
            Event::AttacksOrBlocks(who) => {
                let blocks = kind(listen::BLOCKS) && what.other.is_none() && what.amount == 1;
                (kind(listen::ATTACKS) || blocks) && concerned(who)
            }
            Event::BlocksOrBlocked(who) => {
                kind(listen::BLOCKS) && what.other.is_none() && concerned(who)
            }
            Event::BlocksOrBlockedBy(who, filter) => {
                let fits = |other| self.matching(filter, &Ctx::of(self, watcher)).has(other);
                kind(listen::BLOCKS) && concerned(who) && what.other.is_some_and(fits)
            }
            Event::DealsDamage(who) => kind(listen::DAMAGE) && concerned(who),
            Event::DealsDamageToPlayer(who) => {
                kind(listen::DAMAGE) && what.hurts_player && concerned(who)
            }
            Event::Casts { who, spell } => {
                kind(listen::CASTS)
                    && who.is_none_or(|side| {
                        Some(self.side(side, &Ctx::of(self, watcher))) == what.seat
                    })
                    && self
                        .stack
                        .last()
                        .is_some_and(|item| self.spell_fits(spell, item, &Ctx::of(self, watcher)))
            }
            Event::Begins { step, whose } => {
                kind(listen::BEGINS)
                    && *step == what.moment
                    && whose.is_none_or(|side| {
                        self.side(side, &Ctx::of(self, watcher)) == self.clock.active
                    })
            }
            Event::FirstDraw(filter) => {
                kind(listen::DRAWS)
                    && what.seat == Some(you)
                    && what.amount == 1
                    && self.card_fits(filter, what.card, &Ctx::of(self, watcher))
            }
        }
    }
}

impl Magic {
    /// Whether a program is that of a delayed trigger.
    pub(super) fn is_delayed(&self, card: CardId, program: u8) -> bool {
        !self.def(card).triggers.iter().any(|trigger| trigger.program == program)
    }
}

impl PendingTrigger {
    /// The ability as it will be on the stack.
    pub(in crate::magic) fn item(&self, state: &Magic) -> Item {
        let power = self.source.map_or(0, |source| state.board.power[source]);
        let mut targets = ChosenTargets::new();
        if let Some(slot) = self.event.slot()
            && state.is_delayed(self.card, self.program)
        {
            // 603.7c: it may still speak of what was aimed at when it was made.
            targets.push(ChosenTarget::Slot(slot));
        }
        Item {
            card: self.card,
            program: self.program,
            source: self.source,
            source_card: self.card,
            departed_id: self.departed_id,
            power,
            you: self.you,
            event: self.event,
            event_card: self.event_card,
            event_copy: self.event_copy,
            source_copy: self.source_copy,
            event_player: self.event_player,
            amount: self.amount,
            times: self.times,
            targets,
            ..Item::default()
        }
    }
}
