//! 603: abilities that trigger, and their way to the stack.

use crate::magic::language::{Effect, Event, Moment};
use crate::magic::machine::{Machine, Watch};
use crate::magic::state::bounds::Bound;
use crate::magic::state::groups::{FIRST_GROUP, is_group};
use crate::magic::state::slots::{NONE, each, has};
use crate::magic::state::{
    ChosenTarget, ChosenTargets, DelayedTrigger, Item, Magic, PendingTrigger, Question, Stage,
};
use crate::magic::table::program::Step;
use crate::magic::table::{TOKENS, Trigger, listen};
use crate::magic::zones::select::Ctx;

/// Something that abilities may wait for.
#[derive(Clone, Copy, Debug)]
pub(in crate::magic) struct TriggerEvent {
    /// One of [`listen`].
    pub(in crate::magic) kind: u32,
    /// The permanent that it is about.
    pub(in crate::magic) slot: u8,
    /// The other one: what it blocks or is blocked by.
    pub(in crate::magic) other: u8,
    /// The player whom it is about.
    pub(in crate::magic) seat: u8,
    pub(in crate::magic) amount: u8,
    pub(in crate::magic) card: u8,
    pub(in crate::magic) moment: Moment,
}

impl TriggerEvent {
    pub(in crate::magic) fn new(kind: u32) -> Self {
        Self {
            kind,
            slot: NONE,
            other: NONE,
            seat: NONE,
            amount: 0,
            card: NONE,
            moment: Moment::Upkeep,
        }
    }
}

impl<W: Watch> Machine<'_, W> {
    /// Tells of something that a permanent does or suffers.
    #[inline]
    pub(in crate::magic) fn emit_for(&mut self, kind: u32, slot: u8) {
        if self.board.listening & kind != 0 {
            let seat = self.controller(slot);
            let card = self.board.card[slot as usize];
            self.emit(TriggerEvent { slot, seat, card, ..TriggerEvent::new(kind) });
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
        for watcher in each(self.board.used) {
            let def = self.def_at(watcher);
            // 305.7: a land that was given a land type has lost its abilities.
            if def.listens & what.kind == 0 || has(self.board.retyped, watcher) {
                continue;
            }
            for trigger in &def.triggers {
                if self.is_triggered_by(&trigger.on, watcher, what) {
                    self.trigger(trigger, watcher, what);
                }
            }
        }
    }

    fn trigger(&mut self, trigger: &Trigger, watcher: u8, what: &TriggerEvent) {
        let paired = matches!(trigger.on, Event::BlocksOrBlockedBy(..));
        let pending = PendingTrigger {
            card: self.board.card[watcher as usize],
            program: trigger.program,
            source: watcher,
            departed_id: 0,
            you: self.controller(watcher),
            event: if paired { what.other } else { what.slot },
            event_card: what.card,
            event_copy: NONE,
            source_copy: NONE,
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
        let forgotten = PendingTrigger { event: NONE, event_card: NONE, ..pending };
        // A card that is about to leave is found again as one copy in the graveyard
        // (400.7), so it waits alone; tokens are not, so all that leave at once are
        // alike.
        let leaves = what.kind & (listen::DIES | listen::LEAVES) != 0;
        match (trigger.names_event, leaves) {
            (false, _) => self.add_pending(forgotten),
            (true, false) => self.add_pending(pending),
            (true, true) if what.card as usize >= TOKENS => {
                self.add_pending(PendingTrigger { event: NONE, ..pending });
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
            false => self.join(one.event, other.event)?,
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
                && (whose == NONE || whose == self.clock.active)
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
        let seat = if of_active { active } else { 1 - active };
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
            self.announcement.ability = NONE;
        }
    }

    /// Puts an item on the stack; its controller keeps priority.
    ///
    /// An ability like the one on top counts as another of it.
    pub(in crate::magic) fn push_item(&mut self, mut item: Item) {
        self.clock.passes = 0;
        // 113.7a: an ability whose source is not there names its source by its own id.
        let derives = |departed_id: u8| !item.spell && item.source == NONE && departed_id == 0;
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
            return !is_group(one.event);
        }
        // A group has each permanent once.
        let named = self.named(one.event);
        *one == (PendingTrigger { event: one.event, times: one.times, ..*other })
            && one.event != NONE
            && other.event < FIRST_GROUP
            && other.times == 1
            && named.count_ones() == u32::from(one.times)
            && !has(named, other.event)
    }

    /// Whether something sets off an ability of `watcher`.
    fn is_triggered_by(&self, on: &Event, watcher: u8, what: &TriggerEvent) -> bool {
        let kind = |kind: u32| what.kind == kind;
        let you = self.controller(watcher);
        match on {
            Event::Enters(who) => kind(listen::ENTERS) && self.concerns(who, watcher, what.slot),
            Event::Dies(who) => kind(listen::DIES) && self.concerns(who, watcher, what.slot),
            Event::Leaves(who) => kind(listen::LEAVES) && self.concerns(who, watcher, what.slot),
            Event::BecomesTapped(who) => {
                kind(listen::TAPPED) && self.concerns(who, watcher, what.slot)
            }
            Event::TappedForMana(who) => {
                kind(listen::MANA) && self.concerns(who, watcher, what.slot)
            }
            Event::Attacks(who) => kind(listen::ATTACKS) && self.concerns(who, watcher, what.slot),
            Event::AttacksOrBlocks(who) => {
                let blocks = kind(listen::BLOCKS) && what.other == NONE && what.amount == 1;
                (kind(listen::ATTACKS) || blocks) && self.concerns(who, watcher, what.slot)
            }
            Event::BlocksOrBlocked(who) => {
                kind(listen::BLOCKS) && what.other == NONE && self.concerns(who, watcher, what.slot)
            }
            Event::BlocksOrBlockedBy(who, filter) => {
                kind(listen::BLOCKS)
                    && what.other != NONE
                    && self.concerns(who, watcher, what.slot)
                    && self.matching(filter, &Ctx::of(self, watcher)) >> what.other & 1 == 1
            }
            Event::DealsDamage(who) => {
                kind(listen::DAMAGE) && what.slot != NONE && self.concerns(who, watcher, what.slot)
            }
            Event::DealsDamageToPlayer(who) => {
                kind(listen::DAMAGE)
                    && what.slot != NONE
                    && what.other != NONE
                    && self.concerns(who, watcher, what.slot)
            }
            Event::Casts { who, spell } => {
                kind(listen::CASTS)
                    && who.is_none_or(|side| self.side(side, &Ctx::of(self, watcher)) == what.seat)
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
                    && what.seat == you
                    && what.amount == 1
                    && self.card_fits(filter, what.card, &Ctx::of(self, watcher))
            }
        }
    }
}

impl Magic {
    /// Whether a program is that of a delayed trigger.
    pub(super) fn is_delayed(&self, card: u8, program: u8) -> bool {
        !self.def(card).triggers.iter().any(|trigger| trigger.program == program)
    }
}

impl PendingTrigger {
    /// The ability as it will be on the stack.
    pub(in crate::magic) fn item(&self, state: &Magic) -> Item {
        let power = if self.source == NONE { 0 } else { state.board.power[self.source as usize] };
        let mut targets = ChosenTargets::new();
        if self.event < FIRST_GROUP && state.is_delayed(self.card, self.program) {
            // 603.7c: it may still speak of what was aimed at when it was made.
            targets.push(ChosenTarget::Slot(self.event));
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
