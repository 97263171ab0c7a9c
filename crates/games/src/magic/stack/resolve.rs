//! 608: resolving spells and abilities, step by step.

use crate::magic::language::{Amount, Effect, Place, Ref, When};
use crate::magic::machine::{Event, Machine, Watch};
use crate::magic::state::groups::Named;
use crate::magic::state::seat::{Seat, SeatSet};
use crate::magic::state::slots::Slot;
use crate::magic::state::{
    At, ChosenTarget, DelayedTrigger, EffectKind, Item, PendingTrigger, Question, Resolution, Task,
    TaskFilter,
};
use crate::magic::table::program::Step;
use crate::magic::zones::select::Ctx;

impl Resolution {
    pub(in crate::magic) fn new(item: Item) -> Self {
        Self {
            active: true,
            item,
            step: 0,
            them: None,
            players_done: 0,
            kept: 0,
            chosen: [None; 2],
            chosen_count: 0,
            drawn: crate::magic::state::row::Row::new(),
            moved: false,
            bid: (0, None),
        }
    }
}

/// No resolution.
pub(in crate::magic) fn idle() -> Resolution {
    Resolution { active: false, ..Resolution::new(Item::default()) }
}

impl<W: Watch> Machine<'_, W> {
    /// Begins to resolve the top of the stack.
    pub(in crate::magic) fn resolve(&mut self) {
        let Some(mut item) = self.stack.pop() else { return };
        if item.times > 1 || item.event.is_group() {
            let (event, rest) = self.split(item.event);
            if item.times > 1 {
                self.stack.push(Item { event: rest, times: item.times - 1, ..item });
            }
            (item.event, item.times) = (event, 1);
            if let Some(slot) = event.slot()
                && item.targets.is_empty()
                && self.is_delayed(item.card, item.program)
            {
                item.targets.push(ChosenTarget::Slot(slot));
            }
        }
        let legal = self.recheck(&mut item);
        let def = self.def(item.card);
        let condition =
            def.triggers.iter().find(|trigger| trigger.program == item.program && !item.spell);
        let holds = condition
            .and_then(|trigger| trigger.condition.as_ref())
            .is_none_or(|condition| self.holds(condition, &Ctx::of_item(&item)));
        self.resolution = Resolution::new(item);
        if legal && holds {
            self.show(Event::Resolves);
        } else {
            self.show(Event::Fails);
            self.fizzle();
        }
    }

    /// 608.2b: targets that are no longer legal are gone. Whether it may
    /// resolve.
    fn recheck(&self, item: &mut Item) -> bool {
        let targets = &self.def(item.card).programs[item.program as usize].targets;
        if targets.is_empty() || item.targets.is_empty() {
            return true;
        }
        let mut any = false;
        for index in 0..item.targets.len() {
            let legal = self.legal_targets(&targets[index.min(targets.len() - 1)], item);
            if item.targets.get(index).is_some_and(|target| self.contains(&legal, target)) {
                any = true;
            } else {
                item.targets.set(index, ChosenTarget::Illegal);
            }
        }
        any
    }

    /// It does nothing; the card of a spell still goes to the graveyard.
    fn fizzle(&mut self) {
        let item = self.resolution.item;
        if item.spell {
            self.put_card(item.card, Place::Graveyard, SeatSet::BOTH);
        }
        self.resolution.moved = true;
        self.end_run();
    }

    /// Goes on with the resolution.
    pub(in crate::magic) fn resolve_on(&mut self) {
        let item = self.resolution.item;
        let steps = &self.def(item.card).programs[item.program as usize].steps;
        self.derive();
        let Some(step) = steps.get(self.resolution.step as usize) else {
            self.finish_run();
            return;
        };
        self.resolution.step += 1;
        let ctx = self.run_ctx();
        match step {
            Step::Do(effect) => self.execute(effect, &ctx),
            Step::Unless(condition, to) => {
                if !self.holds(condition, &ctx) {
                    self.resolution.step = *to;
                }
            }
            Step::Jump(to) => self.resolution.step = *to,
            Step::May { who, cost, otherwise } => {
                let seat = self.seat(who, &ctx);
                if self.can_pay_all(cost, seat, &ctx) {
                    self.ask(seat, Question::May);
                } else {
                    self.resolution.step = *otherwise;
                }
            }
            Step::Choose { who, ways } => {
                let seat = self.seat(who, &ctx);
                self.ask(seat, Question::Way(ways.len() as u8));
            }
            Step::Flip(_) => self.question = Question::Coin,
            Step::NextPlayer(end) => self.next_player(*end),
            Step::Later(when, program) => self.later(*when, *program),
        }
    }

    fn next_player(&mut self, end: u8) {
        self.resolution.chosen = [None; 2];
        self.resolution.chosen_count = 0;
        match self.resolution.players_done {
            done @ (0 | 1) => {
                let active = self.clock.active;
                self.resolution.them = Some(if done == 0 { active } else { active.other() });
                self.resolution.players_done += 1;
            }
            _ => {
                self.resolution.players_done = 0;
                self.resolution.them = None;
                self.resolution.step = end;
            }
        }
    }

    /// 603.7: remembers what is to happen later.
    fn later(&mut self, when: When, program: u8) {
        let item = self.resolution.item;
        let aimed = item.targets.first().and_then(|target| {
            if let ChosenTarget::Slot(slot) = target { Some(slot) } else { None }
        });
        let what = PendingTrigger {
            card: item.card,
            program,
            source: item.source,
            departed_id: item.departed_id,
            you: item.you,
            event: aimed.map_or(item.event, Named::from),
            event_card: item.event_card,
            event_copy: item.event_copy,
            source_copy: item.source_copy,
            event_player: item.event_player,
            amount: item.amount,
            times: 1,
        };
        let (when, whose, from_turn) = match when {
            When::Next(moment) => (moment, None, 0),
            When::YourNext(moment) => (moment, Some(item.you), 0),
            When::ThatTurns(moment) => (moment, Some(item.you), self.clock.turn + 1),
        };
        self.add_delayed(DelayedTrigger { what, when, whose, from_turn });
    }

    /// The player agrees to pay for the running question.
    pub(in crate::magic) fn pay_for_may(&mut self, seat: Seat) {
        let Some(Step::May { cost, .. }) = self.running_step() else { return };
        let ctx = Ctx { you: seat, ..self.run_ctx() };
        let owed = self.owed_for_may(cost, &ctx);
        self.pay(seat, owed);
        for (index, part) in cost.iter().enumerate().rev() {
            self.pay_part(part, TaskFilter::ResolutionCost(index as u8), &ctx);
        }
    }

    /// Whether a choice would be asked for, or some steps: does what it must.
    fn execute(&mut self, effect: &'static Effect, ctx: &Ctx) {
        let filter = TaskFilter::Instruction;
        match effect {
            Effect::Sacrifice { who, amount, .. } => {
                let task = |seat, left| Task::Sacrifice { seat, left, filter };
                self.each_task(who, amount, ctx, task);
            }
            Effect::Discard { who, amount, random, .. } => {
                self.resolution.kept = 0;
                self.each_task(who, amount, ctx, |seat, left| match random {
                    true => Task::DiscardAtRandom { seat, left, filter },
                    false => Task::Discard { seat, left, filter },
                });
            }
            Effect::Draw { who, amount } => {
                self.resolution.kept = 0;
                let (counted, choice) = (true, None);
                let task = |seat, left| Task::Draw { seat, left, counted, choice };
                self.each_task(who, amount, ctx, task);
            }
            Effect::DrawUpTo { who, amount } => {
                self.resolution.kept = 0;
                self.each_task(who, amount, ctx, |seat, most| Task::DrawUpTo { seat, most });
            }
            Effect::Mill { who, amount, .. } => {
                self.resolution.kept = 0;
                self.each_task(who, amount, ctx, |seat, left| Task::Mill { seat, left });
            }
            Effect::Look { whose, amount, revealed } => {
                let seen = if *revealed { SeatSet::BOTH } else { ctx.you.bit() };
                self.each_task(whose, amount, ctx, |seat, left| Task::Look { seat, left, seen });
            }
            Effect::RevealUntil { whose, .. } => {
                self.each_task(whose, &Amount::N(1), ctx, |seat, _| Task::RevealUntil { seat });
            }
            Effect::Take { whose, chooser, least, most, card, from, .. } => {
                self.resolution.kept = 0;
                let (owner, seat) = (self.seat(whose, ctx), self.seat(chooser, ctx));
                let library = from.contains(&crate::magic::language::Zone::Library);
                if library && owner != seat {
                    // Who sees the library knows what is in the hand.
                    self.show_hand(owner);
                }
                let may_fail = library && *card != crate::magic::language::Filter::default();
                let least = if may_fail { 0 } else { count(self.amount(least, ctx)) };
                let left = count(self.amount(most, ctx));
                self.tasks.push(Task::Take { seat, owner, left, least });
            }
            Effect::ChooseGreatest { who, what } => {
                let seat = self.seat(who, ctx);
                let best = self.greatest(seat, what, ctx);
                if best.len() > 1 {
                    self.ask(seat, Question::Greatest);
                } else {
                    self.choose_thing(best.first());
                }
            }
            Effect::Shield { from, .. } => {
                if !self.damage_sources(from, ctx).is_empty() {
                    self.ask(ctx.you, Question::Source);
                }
            }
            Effect::Retarget { what } => {
                let items = self.refer(what, ctx).items;
                if items != 0 {
                    let id = self.stack[items.trailing_zeros() as usize].id;
                    if !self.new_targets(id).is_empty() {
                        self.ask(ctx.you, Question::Retarget(id));
                    }
                }
            }
            Effect::ChooseLandType => self.ask(ctx.you, Question::LandType),
            Effect::Auction { .. } => {
                self.resolution.bid = (0, Some(ctx.you));
                self.next_bid(ctx.you.other());
            }
            Effect::Put { what: Ref::Aside, to: to @ (Place::Top | Place::Bottom), .. } => {
                self.arrange(ctx.you, *to == Place::Bottom);
            }
            other => {
                let at = At {
                    card: self.resolution.item.card,
                    program: self.resolution.item.program,
                    step: self.resolution.step - 1,
                };
                self.perform_at(other, ctx, at);
            }
        }
    }

    /// A task for each player meant, the active player's first.
    fn each_task(
        &mut self,
        who: &Ref,
        amount: &Amount,
        ctx: &Ctx,
        task: impl Fn(Seat, u8) -> Task,
    ) {
        let seats = self.seats(who, ctx);
        for seat in [self.clock.active.other(), self.clock.active] {
            if seats.has(seat) {
                let left = count(self.amount(amount, &Ctx { them: Some(seat), ..*ctx }));
                self.tasks.push(task(seat, left));
            }
        }
    }

    /// A thing was chosen.
    pub(in crate::magic) fn choose_thing(&mut self, slot: Option<Slot>) {
        let place = self.resolution.chosen_count as usize & 1;
        self.resolution.chosen[place] = slot;
        self.resolution.chosen_count += 1;
    }

    /// Asks for a higher bid, or ends the auction.
    pub(in crate::magic) fn next_bid(&mut self, seat: Seat) {
        if self.seats[seat].life > i16::from(self.resolution.bid.0) {
            self.ask(seat, Question::Bid);
        } else {
            self.end_auction();
        }
    }

    /// The highest bidder pays and gains control.
    pub(in crate::magic) fn end_auction(&mut self) {
        let (bid, winner) = self.resolution.bid;
        if let (Some(Effect::Auction { what }), Some(winner)) = (self.running(), winner) {
            self.seats[winner].life -= i16::from(bid);
            let ctx = self.run_ctx();
            let on = self.refer(what, &ctx).slots;
            self.add_continuous_effect(
                on,
                crate::magic::state::EffectKind::Controls { seat: winner },
                crate::magic::state::Duration::Forever,
            );
        }
    }

    /// All is done: the card goes where it belongs.
    fn finish_run(&mut self) {
        let item = self.resolution.item;
        if item.spell && !self.resolution.moved {
            self.resolution.moved = true;
            let def = self.def(item.card);
            if def.is_permanent() {
                self.enter_from_stack(&item);
                return;
            }
            self.put_card(item.card, Place::Graveyard, SeatSet::BOTH);
        }
        self.end_run();
    }

    fn enter_from_stack(&mut self, item: &Item) {
        let Some(slot) = self.enter(item.card, item.you, false) else {
            self.put_card(item.card, Place::Graveyard, SeatSet::BOTH);
            return;
        };
        // 609.7a: a shield against the spell is one against the permanent.
        for effect in self.effects.iter_mut() {
            if let EffectKind::Shields { source: source @ None, item: id, .. } = &mut effect.kind
                && *id == item.id
            {
                (*source, *id) = (Some(slot), 0);
            }
        }
        if self.def(item.card).enchant.is_some()
            && let Some(ChosenTarget::Slot(host)) = item.targets.first()
        {
            self.board.link[slot] = Some(host);
            self.board.dirty = true;
        }
        self.derive();
        self.emit_for(crate::magic::table::listen::ENTERS, slot);
    }

    fn end_run(&mut self) {
        if self.aside.total() > 0 {
            let mut aside =
                std::mem::replace(&mut self.aside, crate::magic::state::pile::Pile::EMPTY);
            let owner = self.aside_owner;
            aside.pour(&mut self.seats[owner].library);
            self.shuffle(owner);
        }
        // Nothing of it stays behind in the state.
        self.resolution = idle();
        self.clock.passes = 0;
        self.clock.priority = self.clock.active;
    }
}

/// An amount as a number of steps.
fn count(amount: i16) -> u8 {
    amount.clamp(0, 255) as u8
}
