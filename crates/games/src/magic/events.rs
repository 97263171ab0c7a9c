//! 603: abilities that trigger, and their way to the stack.

use super::language::{Effect, Event, Moment, Side};
use super::machine::{Machine, Watch};
use super::program::Step;
use super::row::Row;
use super::select::Ctx;
use super::slots::{NONE, each};
use super::state::{Aim, Item, Later, Magic, Question, Stage, Waiting};
use super::table::{Trigger, listen};

/// Something that abilities may wait for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Happening {
    /// One of [`listen`].
    pub(super) kind: u32,
    /// The permanent that it is about.
    pub(super) slot: u8,
    /// The other one: what it blocks or is blocked by.
    pub(super) other: u8,
    /// The player whom it is about.
    pub(super) seat: u8,
    pub(super) amount: u8,
    pub(super) card: u8,
    pub(super) moment: Moment,
}

impl Happening {
    pub(super) fn new(kind: u32) -> Self {
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
    pub(super) fn tell_of(&mut self, kind: u32, slot: u8) {
        if self.board.listening & kind != 0 {
            let seat = self.controller(slot);
            let card = self.board.card[slot as usize];
            self.tell(Happening { slot, seat, card, ..Happening::new(kind) });
        }
    }

    /// Tells everybody who waits for it.
    #[inline]
    pub(super) fn tell(&mut self, what: Happening) {
        if self.board.listening & what.kind != 0 {
            self.tell_all(&what);
        }
    }

    fn tell_all(&mut self, what: &Happening) {
        for watcher in each(self.board.used) {
            let def = self.def_at(watcher);
            if def.listens & what.kind == 0 {
                continue;
            }
            for trigger in &def.triggers {
                if self.sets_off(&trigger.on, watcher, what) {
                    self.trigger(trigger, watcher, what);
                }
            }
        }
    }

    fn trigger(&mut self, trigger: &Trigger, watcher: u8, what: &Happening) {
        let paired = matches!(trigger.on, Event::BlocksOrBlockedBy(..));
        let waiting = Waiting {
            card: self.board.card[watcher as usize],
            program: trigger.program,
            source: watcher,
            you: self.controller(watcher),
            event: if paired { what.other } else { what.slot },
            event_card: what.card,
            event_player: what.seat,
            amount: what.amount,
            times: 1,
        };
        let holds = trigger
            .condition
            .as_ref()
            .is_none_or(|condition| self.holds(condition, &Ctx::of_item(&waiting.item(self))));
        if !holds {
            return;
        }
        let program = &self.def_at(watcher).programs[trigger.program as usize];
        if what.kind == listen::MANA
            && let [Step::Do(effect @ Effect::AddMana { .. })] = program.steps.as_slice()
        {
            // 605.1b: a triggered mana ability does not use the stack.
            let ctx = Ctx::of_item(&waiting.item(self));
            self.perform(effect, &ctx);
            return;
        }
        let forgotten = Waiting { event: NONE, event_card: NONE, ..waiting };
        self.wait(if trigger.names_event { waiting } else { forgotten });
    }

    /// Keeps an ability until it can be put on the stack.
    pub(super) fn wait(&mut self, waiting: Waiting) {
        let alike = |other: &&mut Waiting| Waiting { times: waiting.times, ..**other } == waiting;
        if let Some(other) = self.waiting.iter_mut().find(alike) {
            other.times = other.times.saturating_add(1);
        } else if !self.waiting.is_full() {
            self.waiting.push(waiting);
        }
    }

    /// 603.7: delayed abilities whose moment has come.
    pub(super) fn wake(&mut self, moment: Moment) {
        let mut index = 0;
        while index < self.later.len() {
            let Later { what, when, whose, from_turn } = self.later[index];
            let due = when == moment
                && (whose == NONE || whose == self.clock.active)
                && self.clock.turn >= from_turn;
            if due {
                self.later.remove(index);
                self.wait(what);
            } else {
                index += 1;
            }
        }
    }

    /// 603.3b: puts waiting abilities on the stack, the active player's first.
    /// Whether it has done something.
    pub(super) fn place_triggers(&mut self) -> bool {
        if self.waiting.is_empty() {
            return false;
        }
        let active = self.clock.active;
        let of_active = self.waiting.iter().any(|waiting| waiting.you == active);
        let seat = if of_active { active } else { 1 - active };
        let mine = || self.waiting.iter().enumerate().filter(|(_, waiting)| waiting.you == seat);
        let Some((first, &one)) = mine().next() else { return false };
        let alike = |other: &Waiting| other.card == one.card && other.program == one.program;
        if mine().all(|(_, other)| alike(other)) {
            self.place_trigger(first);
        } else {
            self.ask(seat, Question::Trigger);
        }
        true
    }

    /// Puts one waiting ability on the stack, choosing its targets.
    pub(super) fn place_trigger(&mut self, index: usize) {
        let mut waiting = self.waiting[index];
        let aimed = !self.def(waiting.card).programs[waiting.program as usize].targets.is_empty();
        if aimed && waiting.times > 1 {
            self.waiting[index].times -= 1;
            waiting.times = 1;
        } else {
            self.waiting.remove(index);
        }
        if self.stack.is_full() {
            return;
        }
        let item = waiting.item(self);
        if !aimed {
            self.push_item(item);
            return;
        }
        if self.can_aim(&item) {
            self.cast.active = true;
            self.cast.item = item;
            self.cast.stage = Stage::Targets;
            self.cast.target = 0;
            self.cast.chosen = 0;
            self.cast.ability = NONE;
        }
    }

    /// Puts an item on the stack; its controller keeps priority.
    pub(super) fn push_item(&mut self, mut item: Item) {
        self.clock.item = self.clock.item.wrapping_add(1);
        item.id = self.clock.item;
        self.stack.push(item);
        self.clock.passes = 0;
    }
}

impl Magic {
    /// Whether something sets off an ability of `watcher`.
    fn sets_off(&self, on: &Event, watcher: u8, what: &Happening) -> bool {
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
                    && who.is_none_or(|side| (side == Side::You) == (what.seat == you))
                    && self
                        .stack
                        .last()
                        .is_some_and(|item| self.spell_fits(spell, item, &Ctx::of(self, watcher)))
            }
            Event::Begins { step, whose } => {
                kind(listen::BEGINS)
                    && *step == what.moment
                    && whose.is_none_or(|side| (side == Side::You) == (self.clock.active == you))
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

impl Waiting {
    /// The ability as it will be on the stack.
    pub(super) fn item(&self, state: &Magic) -> Item {
        let power = if self.source == NONE { 0 } else { state.board.power[self.source as usize] };
        let mut aims = Row::new();
        let delayed = !state.def(self.card).triggers.iter().any(|it| it.program == self.program);
        if delayed && self.event != NONE {
            // 603.7c: it may still speak of what was aimed at when it was made.
            aims.push(Aim::Slot(self.event));
        }
        Item {
            card: self.card,
            program: self.program,
            source: self.source,
            source_card: self.card,
            power,
            you: self.you,
            event: self.event,
            event_card: self.event_card,
            event_player: self.event_player,
            amount: self.amount,
            times: self.times,
            aims,
            ..Item::default()
        }
    }
}
