//! Things that take several steps: drawing, discarding, searching, arranging.

use crate::magic::language::{Cost, Effect, Filter, Place, Replacement, Zone};
use crate::magic::machine::{Machine, Watch};
use crate::magic::state::bounds::Bound;
use crate::magic::state::order::Known;
use crate::magic::state::pile::{Pile, bits};
use crate::magic::state::slots::{NONE, Slots, each};
use crate::magic::state::{DrawChoice, Magic, Question, Task, TaskFilter, rule};
use crate::magic::table::program::Step;
use crate::magic::table::{DECK, listen};
use crate::magic::zones::select::Ctx;

/// The next card of a library.
enum Next {
    Card(Known),
    /// Luck must say.
    Unknown,
    /// There is none.
    Empty,
}

impl Magic {
    /// The instruction that is being followed.
    pub(in crate::magic) fn running(&self) -> Option<&'static Effect> {
        match self.running_step() {
            Some(Step::Do(effect)) => Some(effect),
            _ => None,
        }
    }

    /// Whether the spell or ability that resolves chooses among the cards that
    /// it drew.
    fn chooses_drawn(&self) -> bool {
        let item = &self.resolution.item;
        let steps = &self.def(item.card).programs[item.program as usize].steps;
        steps.iter().any(|step| {
            matches!(step, Step::Do(Effect::Take { from, .. }) if from.contains(&Zone::Drawn))
        })
    }

    /// The filter that a task goes by.
    fn task_filter(&self, at: TaskFilter) -> Option<&'static Filter> {
        let cost = |cost: &'static Cost| match cost {
            Cost::Sacrifice(_, filter) | Cost::TapOther(_, filter) | Cost::Discard(_, filter) => {
                Some(filter)
            }
            _ => None,
        };
        match at {
            TaskFilter::Any => None,
            TaskFilter::Instruction => match self.running()? {
                Effect::Sacrifice { what, .. } => Some(what),
                Effect::Discard { card, .. }
                | Effect::Take { card, .. }
                | Effect::RevealUntil { card, .. } => Some(card),
                _ => None,
            },
            TaskFilter::ManaAbilityCost { card, ability, part } => {
                let ability = self.def(card).mana.get(ability as usize)?;
                cost(ability.cost.get(part as usize)?)
            }
            TaskFilter::AnnouncedCost(part) => {
                let ability = self.activated(&self.announcement.item)?;
                cost(ability.cost.get(part as usize)?)
            }
            TaskFilter::ResolutionCost(part) => match self.running_step()? {
                Step::May { cost: parts, .. } => cost(parts.get(part as usize)?),
                _ => None,
            },
        }
    }

    /// What "you" and so on mean for a task of `seat`.
    fn task_ctx(&self, task: &Task) -> Ctx {
        let announced = task.filter().is_announced();
        let item = if announced { &self.announcement.item } else { &self.resolution.item };
        Ctx { you: task.seat(), ..Ctx::of_item(item) }
    }

    /// Cards in hand that the task on top may take, one bit each.
    pub(in crate::magic) fn hand_for(&self, task: &Task) -> u64 {
        let seat = task.seat();
        let hand = &self.seats[seat as usize].hand;
        match self.task_filter(task.filter()) {
            None => hand.kinds(),
            Some(filter) => {
                let ctx = self.task_ctx(task);
                let fits = |&card: &u8| self.card_fits(filter, card + seat * DECK as u8, &ctx);
                hand.iter().filter(fits).fold(0, |all, card| all | 1 << card)
            }
        }
    }

    /// Permanents that the task on top may take.
    pub(in crate::magic) fn slots_for(&self, task: &Task) -> Slots {
        let mine = self.controlled(task.seat());
        match *task {
            Task::KeepLegend { card, .. } => each(mine)
                .filter(|&slot| self.def_at(slot).name == self.def(card).name)
                .fold(0, |all, slot| all | 1 << slot),
            _ => {
                let fits = self
                    .task_filter(task.filter())
                    .map_or(mine, |filter| self.matching(filter, &self.task_ctx(task)));
                let taps = matches!(task, Task::TapOther { .. });
                let able = if taps { !self.board.tapped } else { Slots::MAX };
                fits & mine & able
            }
        }
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
    /// Goes on with the task on top.
    pub(in crate::magic) fn task(&mut self) {
        let Some(&task) = self.tasks.last() else { return };
        match task {
            Task::Draw { seat, left, counted, choice } => {
                self.draw_on(seat, left, counted, choice);
            }
            Task::DrawUpTo { seat, most } => self.ask(seat, Question::Number(most)),
            Task::BuyDraw { seat, .. } => self.ask(1 - seat, Question::Buy),
            Task::ReturnCard { seat } => self.ask(seat, Question::Card),
            Task::Discard { seat, left, .. } | Task::PutOnBottom { seat, left } => {
                if left == 0 || self.hand_for(&task) == 0 {
                    self.end_task();
                } else {
                    self.ask(seat, Question::Card);
                }
            }
            Task::DiscardAtRandom { seat, left, .. } => self.discard_at_random(&task, seat, left),
            Task::Sacrifice { seat, left, .. } | Task::TapOther { seat, left, .. } => {
                if left == 0 || self.slots_for(&task) == 0 {
                    self.end_task();
                } else {
                    self.ask(seat, Question::Permanent);
                }
            }
            Task::KeepLegend { seat, .. } => self.ask(seat, Question::Legend),
            Task::Take { seat, owner, left, .. } => {
                if left == 0 || self.cards_to_take(owner) == 0 {
                    self.end_take();
                } else {
                    self.ask(seat, Question::Card);
                }
            }
            Task::Arrange { seat, .. } => self.arrange_on(seat),
            Task::Mill { seat, left } => self.mill_on(seat, left),
            Task::Look { seat, left, seen } => self.look_on(seat, left, seen),
            Task::RevealUntil { seat } => self.reveal_on(seat),
            Task::Mulligan { seat } => self.ask(seat, Question::Mulligan),
            Task::Untap { seat, next } => self.untap_on(seat, next),
            Task::AsEnters { seat, slot, step } => self.as_enters_on(seat, slot, step),
            Task::DeclareAttackers { seat, next } => self.declare_attackers(seat, next),
            Task::DeclareBlockers { seat, next } => self.declare_blockers(seat, next),
            Task::OrderBlockers { seat, .. } => self.order_blockers(seat),
            Task::Die => self.die_on(),
            Task::CombatDamage { .. } | Task::InstructionDamage | Task::ManaDamage { .. } => {
                self.damage_on(task);
            }
            Task::AssignDamage { seat, first_strike } => self.assign_on(seat, first_strike),
        }
    }

    pub(in crate::magic) fn end_task(&mut self) {
        self.tasks.pop();
    }

    /// Counts one thing of the task on top as done.
    pub(in crate::magic) fn one_done(&mut self) {
        if let Some(task) = self.tasks.last_mut() {
            task.count_one();
        }
    }

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

    fn draw_on(&mut self, seat: u8, left: u8, counted: bool, choice: Option<DrawChoice>) {
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

    fn discard_at_random(&mut self, task: &Task, seat: u8, left: u8) {
        let kinds = self.hand_for(task);
        if left == 0 || kinds == 0 {
            self.end_task();
        } else if kinds & (kinds - 1) == 0 {
            self.discard(seat, kinds.trailing_zeros() as u8);
        } else {
            self.question = Question::RandomCard(seat);
        }
    }

    /// Discards a card for the task on top.
    pub(in crate::magic) fn discard(&mut self, seat: u8, card: u8) {
        self.one_done();
        self.resolution.kept = self.resolution.kept.saturating_add(1);
        self.take_from_hand(seat, card);
        self.put_card(card + seat * DECK as u8, Place::Graveyard, 3);
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

    fn arrange_on(&mut self, seat: u8) {
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

    fn mill_on(&mut self, seat: u8, left: u8) {
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

    fn look_on(&mut self, seat: u8, left: u8, seen: u8) {
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

    fn reveal_on(&mut self, seat: u8) {
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

    fn untap_on(&mut self, seat: u8, next: u8) {
        let may =
            self.board.rules[rule::MAY_STAY_TAPPED] & self.board.tapped & self.controlled(seat);
        let left = if next >= 128 { 0 } else { may >> next << next };
        if left == 0 {
            self.end_task();
        } else {
            self.ask(seat, Question::StayTapped(left.trailing_zeros() as u8));
        }
    }

    /// 614.12: the choices of a permanent that enters.
    fn as_enters_on(&mut self, seat: u8, slot: u8, step: u8) {
        let card = self.board.card[slot as usize];
        let Some(program) = self.def(card).as_enters else {
            self.end_task();
            return;
        };
        let ctx = Ctx::new(seat, slot, card);
        let next = match self.def(card).programs[program as usize].steps.get(step as usize) {
            None => {
                self.end_task();
                return;
            }
            Some(Step::Do(Effect::ChooseLandType)) => {
                self.ask(seat, Question::LandType);
                return;
            }
            Some(Step::Choose { ways, .. }) => {
                self.ask(seat, Question::Way(ways.len() as u8));
                return;
            }
            Some(Step::Jump(to)) => *to,
            Some(Step::Do(effect @ (Effect::Becomes { .. } | Effect::Gets { .. }))) => {
                let at = crate::magic::state::At { card, program, step };
                self.perform_at(effect, &ctx, at);
                step + 1
            }
            Some(Step::Do(effect)) => {
                self.perform(effect, &ctx);
                step + 1
            }
            Some(_) => step + 1,
        };
        self.continue_entering(next);
    }

    /// The permanent that entered last continues with this step of its program.
    pub(in crate::magic) fn continue_entering(&mut self, next: u8) {
        let entering = self.tasks.iter_mut().rev().find_map(|task| match task {
            Task::AsEnters { step, .. } => Some(step),
            _ => None,
        });
        if let Some(step) = entering {
            *step = next;
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
