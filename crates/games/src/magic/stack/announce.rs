//! 601, 602: casting spells and using abilities, from the first choice to the
//! last cost.

use crate::magic::language::{Cost, Target, Timing, Type};
use crate::magic::machine::{Machine, Note, Watch};
use crate::magic::mana::costly::TotalCost;
use crate::magic::state::bounds::Bound;
use crate::magic::state::seat::Seat;
use crate::magic::state::slots::Slots;
use crate::magic::state::{Item, MAX_TARGETS, Question, Stage, Task, TaskFilter};
use crate::magic::table::card::CardId;
use crate::magic::table::listen;
use crate::magic::zones::select::Ctx;

impl<W: Watch> Machine<'_, W> {
    /// Begins to cast a card of a hand, or an exiled one.
    pub(in crate::magic) fn begin_cast(&mut self, seat: Seat, card: CardId) {
        let exiled = self.playable.iter().position(|&(one, who)| one == card && who == seat);
        match exiled {
            Some(place) if card.owner() != seat || !self.seats[seat].hand.has(card.in_deck()) => {
                self.playable.remove(place);
                self.seats[card.owner()].exiled -= 1;
            }
            _ => self.take_from_hand(seat, card.in_deck()),
        }
        if self.def(card).is(Type::Land) {
            self.seats[seat].lands_played += 1;
            self.watch.note(Note::Land(seat.into()));
            self.enter_and_emit(card, seat, false);
            self.clock.passes = 0;
            return;
        }
        self.begin(self.spell_item(seat, card), Stage::Mode, 0);
    }

    /// Begins to use an ability.
    pub(in crate::magic) fn begin_use(&mut self, item: Item, ability: u8) {
        self.begin(item, Stage::X, ability);
    }

    fn begin(&mut self, item: Item, stage: Stage, ability: u8) {
        self.announcement.active = true;
        self.announcement.item = item;
        self.announcement.stage = stage;
        self.announcement.ability = Some(ability);
        self.announcement.target = 0;
        self.announcement.chosen = 0;
        self.announcement.cost = 0;
    }

    /// Goes on with the announcement.
    pub(in crate::magic) fn announce(&mut self) {
        let item = self.announcement.item;
        let def = self.def(item.card);
        match self.announcement.stage {
            Stage::Mode => {
                self.announcement.stage = Stage::X;
                if def.modes.len() > 1 {
                    self.ask(item.you, Question::Mode);
                }
            }
            Stage::X => {
                self.announcement.stage = Stage::Targets;
                let variable = if item.spell {
                    def.cost.variable
                } else {
                    self.activated(&item).map_or(0, |ability| ability.mana.variable)
                };
                if variable > 0 {
                    let most = self.most_x(&item, &self.available_mana(item.you));
                    self.ask(item.you, Question::X(most));
                }
            }
            Stage::Targets => self.announce_targets(),
            Stage::Mana => {
                let owed = self.owed_for(&item, item.x);
                if self.table.0.costly_mana && !self.available_mana(item.you).pays(owed) {
                    if self.can_go_on_paying() {
                        self.ask(item.you, Question::Mana);
                    } else {
                        self.exceed(Bound::Payment);
                        self.question = Question::Over;
                    }
                    return;
                }
                self.announcement.stage = Stage::Costs;
                if let Some(source) = item.source
                    && TotalCost::of(self, &item, owed).cost.contains(&Cost::Tap)
                {
                    // First, so that it does not pay for itself.
                    self.tap(source);
                }
                if self.rules.manual_payment {
                    self.announcement.owed = owed;
                    self.pay_by_hand();
                } else {
                    self.pay(item.you, owed);
                }
            }
            Stage::Costs => self.announce_costs(),
        }
    }

    fn announce_targets(&mut self) {
        let item = self.announcement.item;
        let targets = &self.def(item.card).programs[item.program as usize].targets;
        let Some(target) = targets.get(self.announcement.target as usize) else {
            let trigger = !item.spell && self.announcement.ability.is_none();
            if trigger {
                self.announcement.active = false;
                self.push_item(item);
            } else {
                self.announcement.stage = Stage::Mana;
            }
            return;
        };
        let most = match target {
            Target::UpTo(count, _) | Target::Divided(count, _) => (*count).min(MAX_TARGETS as u8),
            _ => 1,
        };
        let optional = matches!(target, Target::UpTo(..));
        let none_left = optional && self.targets_left(target).is_empty();
        if self.announcement.chosen >= most || none_left {
            self.announcement.target += 1;
            self.announcement.chosen = 0;
        } else {
            self.ask(item.you, Question::Target);
        }
    }

    fn announce_costs(&mut self) {
        let item = self.announcement.item;
        let parts = match self.activated(&item) {
            Some(ability) if !item.spell => ability.cost.as_slice(),
            _ => &[],
        };
        let Some(cost) = parts.get(self.announcement.cost as usize) else {
            self.finish();
            return;
        };
        let filter = TaskFilter::AnnouncedCost(self.announcement.cost);
        self.announcement.cost += 1;
        let ctx = Ctx::of_item(&item);
        self.pay_part(cost, filter, &ctx);
    }

    /// Pays a part of a cost other than mana; `filter` tells where its filter is.
    pub(in crate::magic) fn pay_part(&mut self, cost: &Cost, filter: TaskFilter, ctx: &Ctx) {
        let seat = ctx.you;
        match cost {
            Cost::Mana(_) | Cost::ManaWithX(..) | Cost::ManaCostOf(..) | Cost::X => {}
            Cost::Tap => ctx.this.into_iter().for_each(|this| self.tap(this)),
            Cost::SacrificeThis => self.sacrifice(ctx.this.into_iter().collect()),
            Cost::Life(life) => self.seats[seat].life -= i16::from(*life),
            Cost::Sacrifice(left, _) => {
                self.tasks.push(Task::Sacrifice { seat, left: *left, filter });
            }
            Cost::TapOther(left, _) => {
                self.tasks.push(Task::TapOther { seat, left: *left, filter });
            }
            Cost::Discard(left, _) => {
                self.tasks.push(Task::Discard { seat, left: *left, filter });
            }
            Cost::DiscardAtRandom(left) => {
                self.tasks.push(Task::DiscardAtRandom { seat, left: *left, filter });
            }
        }
    }

    fn finish(&mut self) {
        let item = self.announcement.item;
        self.announcement.active = false;
        if let Some(ability) = self.activated(&item).filter(|_| !item.spell)
            && ability.only.contains(&Timing::OncePerTurn)
            && let Some(source) = item.source
        {
            self.board.memo[source] |= 0x80;
        }
        self.push_item(item);
        if item.spell {
            self.watch.note(Note::Spell(item.you.into()));
            let seat = Some(item.you);
            self.emit(crate::magic::stack::triggers::TriggerEvent {
                seat,
                ..crate::magic::stack::triggers::TriggerEvent::new(listen::CASTS)
            });
        }
    }

    /// 701.21: sacrifices permanents.
    pub(in crate::magic) fn sacrifice(&mut self, slots: Slots) {
        self.move_all(slots, crate::magic::language::Place::Graveyard);
    }

    /// Asks what to tap, or goes on when all is paid.
    pub(in crate::magic) fn pay_by_hand(&mut self) {
        let seat = self.announcement.item.you;
        let mut owed = self.announcement.owed;
        self.spend_pool_for(seat, &mut owed);
        self.announcement.owed = owed;
        if !owed.is_paid() {
            self.ask(seat, Question::Pay);
        }
    }
}
