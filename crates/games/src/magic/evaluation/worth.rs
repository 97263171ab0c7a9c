//! What spells and abilities will bring that are not resolved yet.

use crate::magic::evaluation::evaluate::{DEATH, life_worth, printed_worth};
use crate::magic::evaluation::weights::Weights;
use crate::magic::language::{Amount, Cost, Effect, Place, Ref, Static, Target};
use crate::magic::state::seat::{BySeat, Seat};
use crate::magic::state::slots::{Slot, Slots};
use crate::magic::state::{ChosenTarget, ChosenTargets, Item, Magic, Phase, Task};
use crate::magic::table::card::{CardId, DeckCards, bits};
use crate::magic::table::program::Step;
use crate::magic::zones::select::Ctx;

impl Magic {
    /// What all that is announced, on the stack or half resolved will bring the
    /// first seat.
    pub(in crate::magic) fn pending(&self, weights: &Weights) -> f32 {
        let mut total = 0.0;
        let mut add = |item: &Item, step: u8| {
            let sign = if item.you == Seat::First { 1.0 } else { -1.0 };
            let worth = self.best_aimed(item, step, weights) * f32::from(item.times);
            total += sign * worth * weights.stack;
        };
        if self.announcement.active {
            add(&self.announcement.item, 0);
        }
        if self.resolution.active {
            add(&self.resolution.item, self.resolution.step);
        }
        for item in self.stack.iter() {
            add(item, 0);
        }
        if self.announcement.active {
            let cost = self.unpaid(weights);
            total -= if self.announcement.item.you == Seat::First { cost } else { -cost };
        }
        total
    }

    /// What the announcement in progress still costs, mana aside: the least
    /// that may be sacrificed, cards, life.
    fn unpaid(&self, weights: &Weights) -> f32 {
        let item = &self.announcement.item;
        let Some(ability) = self.activated(item).filter(|_| !item.spell) else { return 0.0 };
        if self.announcement.ability.is_none() {
            return 0.0;
        }
        let ctx = Ctx::of_item(item);
        let parts = ability.cost.iter().skip(self.announcement.cost as usize);
        let to_come: f32 = parts.map(|part| self.part_worth(part, &ctx, weights)).sum();
        // The part that is being paid waits as a task.
        let paying = self.tasks.last().map_or(0.0, |task| match *task {
            Task::Sacrifice { left, .. } => {
                f32::from(left) * self.least_worth(self.slots_for(task), weights)
            }
            Task::Discard { left, .. } | Task::DiscardAtRandom { left, .. } => {
                f32::from(left) * weights.card
            }
            _ => 0.0,
        });
        to_come + paying
    }

    /// What a part of a cost is worth to the player who pays it.
    fn part_worth(&self, part: &Cost, ctx: &Ctx, weights: &Weights) -> f32 {
        match part {
            Cost::Life(life) => {
                let now = self.seats[ctx.you].life;
                life_worth(now, weights) - life_worth(now - i16::from(*life), weights)
            }
            Cost::SacrificeThis => ctx.this.map_or(0.0, |this| self.thing_worth(this, weights)),
            Cost::Sacrifice(count, filter) => {
                let slots = self.matching(filter, ctx) & self.controlled(ctx.you);
                f32::from(*count) * self.least_worth(slots, weights)
            }
            Cost::Discard(count, _) | Cost::DiscardAtRandom(count) => {
                f32::from(*count) * weights.card
            }
            _ => 0.0,
        }
    }

    fn least_worth(&self, slots: Slots, weights: &Weights) -> f32 {
        let least = slots.iter().map(|slot| self.thing_worth(slot, weights)).reduce(f32::min);
        least.unwrap_or(0.0)
    }

    /// What an item is worth to its controller; as well aimed as it can be if
    /// it is not aimed yet.
    fn best_aimed(&self, item: &Item, step: u8, weights: &Weights) -> f32 {
        let targets = &self.def(item.card).programs[item.program as usize].targets;
        let announced = self.announcement.active && self.announcement.item == *item;
        let Some(target) = targets.first().filter(|_| announced && item.targets.is_empty()) else {
            return self.item_worth(item, step, weights);
        };
        if matches!(target, Target::UpTo(..)) {
            return self.item_worth(item, step, weights);
        }
        let found = self.legal_targets(target, item);
        let slots = found.slots.iter().map(ChosenTarget::Slot);
        let seats = found.seats.iter().map(ChosenTarget::Seat);
        let items = bits(u64::from(found.items))
            .map(|place| ChosenTarget::Item(self.stack[place as usize].id));
        let cards = Seat::BOTH.into_iter().flat_map(|owner| {
            found.cards[owner].iter().map(move |card| ChosenTarget::Card(card.of(owner), 0))
        });
        let targeting = |target: ChosenTarget| {
            let mut targets = ChosenTargets::new();
            targets.push(target);
            self.item_worth(&Item { targets, ..*item }, step, weights)
        };
        let best = slots.chain(seats).chain(items).chain(cards).map(targeting);
        best.fold(f32::NEG_INFINITY, f32::max).max(-DEATH)
    }

    /// What an item is worth to its controller, from a step of its program on.
    fn item_worth(&self, item: &Item, step: u8, weights: &Weights) -> f32 {
        let def = self.def(item.card);
        if item.spell && def.is_permanent() {
            if self.resolution.moved && self.resolution.active && self.resolution.item == *item {
                return 0.0;
            }
            return printed_worth(def, weights) + self.aura_worth(item, weights);
        }
        let ctx = if self.resolution.active && self.resolution.item == *item {
            self.run_ctx()
        } else {
            // It is counted for each of a group that set it off.
            Ctx { event: self.last_named(item.event).into(), ..Ctx::of_item(item) }
        };
        let steps = &def.programs[item.program as usize].steps;
        let told: Sum =
            steps.iter().skip(step as usize).fold(Sum::default(), |sum, step| match step {
                Step::Do(effect) => match self.effect_worth(effect, &ctx, weights) {
                    Some(worth) => Sum { worth: sum.worth + worth, known: true },
                    None => sum,
                },
                _ => sum,
            });
        match (told.known, item.spell) {
            (true, _) => told.worth,
            (_, true) => weights.unknown_spell,
            (_, false) => weights.unknown_ability,
        }
    }

    /// What an Aura does to what it is aimed at.
    fn aura_worth(&self, item: &Item, weights: &Weights) -> f32 {
        let def = self.def(item.card);
        let Some(ChosenTarget::Slot(host)) = item.targets.first().filter(|_| def.enchant.is_some())
        else {
            return 0.0;
        };
        let sign = if self.controller(host) == item.you { 1.0 } else { -1.0 };
        let worth = self.creature_worth(host, weights);
        let ctx = Ctx::new(item.you, Some(host), item.card);
        let mut total = 0.0;
        for ability in &def.statics {
            total += match ability {
                Static::Gets { power, toughness, keywords, .. } => {
                    let power = f32::from(self.amount(power, &ctx));
                    let toughness = f32::from(self.amount(toughness, &ctx));
                    let good = keywords.0.count_ones() as f32;
                    let dies = f32::from(self.board.toughness[host]) + toughness <= 0.0;
                    let change = if dies {
                        -worth
                    } else {
                        weights.power * power + weights.toughness * toughness
                    };
                    sign * (change + weights.keyword * good)
                }
                Static::Control(_) => (1.0 - sign) * worth,
                Static::Rule { .. } => -sign * worth * (1.0 - weights.bound),
                _ => 0.0,
            };
        }
        total
    }

    /// What an instruction is worth to its controller; nothing if that
    /// cannot be told.
    fn effect_worth(&self, effect: &Effect, ctx: &Ctx, weights: &Weights) -> Option<f32> {
        let mine = |seat: Seat| if seat == ctx.you { 1.0 } else { -1.0 };
        let loss = |slots: Slots| -> f32 {
            slots
                .iter()
                .map(|slot| -mine(self.controller(slot)) * self.thing_worth(slot, weights))
                .sum()
        };
        let for_players = |who: &Ref, each_gets: f32| -> f32 {
            self.seats(who, ctx).iter().map(|seat| mine(seat) * each_gets).sum()
        };
        let number = |amount: &Amount| f32::from(self.amount(amount, ctx).clamp(0, 20));
        Some(match effect {
            Effect::Damage { amount, to, and } => {
                let also: f32 =
                    and.iter().map(|(n, to)| self.damage_worth(n, to, ctx, weights)).sum();
                self.damage_worth(amount, to, ctx, weights) + also
            }
            Effect::Destroy { what, .. } | Effect::SacrificeIt { what } => {
                loss(self.refer(what, ctx).slots)
            }
            Effect::Put { what: Ref::Aside, .. } => return None,
            Effect::Put { what, to, .. } => {
                let found = self.refer(what, ctx);
                let kept = if matches!(to, Place::Hand | Place::Top) { weights.card } else { 0.0 };
                let back: f32 = found
                    .slots
                    .iter()
                    .filter(|&slot| !self.board.card[slot].is_token())
                    .map(|slot| mine(self.owner(slot)) * kept)
                    .sum();
                loss(found.slots) + back + self.recovered(&found.cards, *to, ctx, weights)
            }
            Effect::Control { what, .. } => {
                let gained = self
                    .refer(what, ctx)
                    .slots
                    .iter()
                    .filter(|&slot| self.controller(slot) != ctx.you);
                gained.map(|slot| 1.5 * self.thing_worth(slot, weights)).sum()
            }
            Effect::Counter { what, .. } => {
                let items = self.refer(what, ctx).items;
                bits(u64::from(items))
                    .map(|place| {
                        let item = &self.stack[place as usize];
                        let cost = f32::from(self.def(item.card).cost.value());
                        -mine(item.you) * (weights.card + 0.3 * cost)
                    })
                    .sum()
            }
            Effect::Draw { who, amount } | Effect::DrawUpTo { who, amount } => {
                for_players(who, weights.card * number(amount))
            }
            Effect::Discard { who, amount, .. } => {
                let held = |seat: Seat| f32::from(self.seats[seat].hand.total());
                self.seats(who, ctx)
                    .iter()
                    .map(|seat| -mine(seat) * weights.card * number(amount).min(held(seat)))
                    .sum()
            }
            Effect::Take { most, .. } => weights.card * number(most).min(2.0),
            Effect::GainLife { who, amount } => for_players(who, weights.life * number(amount)),
            Effect::LoseLife { who, amount } => {
                for_players(who, -weights.low_life * number(amount))
            }
            Effect::Token { token, who, amount } => {
                let cards = &self.table.0.cards;
                let named = cards.token(|def| def.name == *token);
                let worth = named.map_or(weights.creature, |named| {
                    printed_worth(&cards[CardId::token(named, ctx.you)], weights)
                });
                for_players(who, worth * number(amount))
            }
            Effect::Gets { what, power, toughness, keywords, .. } => {
                let (power, toughness) = (self.amount(power, ctx), self.amount(toughness, ctx));
                let slots = self.refer(what, ctx).slots;
                slots
                    .iter()
                    .map(|slot| {
                        let dies = i16::from(self.board.toughness[slot]) + toughness
                            <= i16::from(self.board.damage[slot]);
                        if dies {
                            return loss(slot.bit());
                        }
                        let good = keywords.0.count_ones() as f32;
                        let more = f32::from(power + toughness) + good;
                        // Strength matters while creatures fight.
                        let fights = self.clock.phase >= Phase::Attackers
                            && self.clock.phase <= Phase::Blockers
                            && (self.board.attacking | self.board.blocking).has(slot);
                        mine(self.controller(slot)) * more * if fights { 0.3 } else { 0.01 }
                    })
                    .sum()
            }
            Effect::Tap { what } => 0.1 * loss(self.refer(what, ctx).slots),
            Effect::Sacrifice { who, amount, .. } => {
                for_players(who, -1.2 * weights.card * number(amount))
            }
            Effect::Mill { who, amount, .. } => for_players(who, -0.02 * number(amount)),
            Effect::ExtraTurn => 2.0 * weights.card,
            Effect::LoseGame { who } => for_players(who, -DEATH),
            _ => return None,
        })
    }

    /// What damage does: it kills, or hurts a player.
    fn damage_worth(&self, amount: &Amount, to: &Ref, ctx: &Ctx, weights: &Weights) -> f32 {
        let mine = |seat: Seat| if seat == ctx.you { 1.0 } else { -1.0 };
        let (found, shared) = match amount {
            Amount::Share => (self.refer(&Ref::Targets, ctx), true),
            _ => (self.refer(to, ctx), false),
        };
        let dealt = |target: ChosenTarget| {
            if shared { ctx.targets.count(target) as i16 } else { self.amount(amount, ctx).max(0) }
        };
        let mut total = 0.0;
        for slot in found.slots.iter() {
            let left = i16::from(self.board.toughness[slot]) - i16::from(self.board.damage[slot]);
            let amount = dealt(ChosenTarget::Slot(slot));
            let worth = self.thing_worth(slot, weights);
            let part =
                if amount >= left { 1.0 } else { 0.05 * f32::from(amount) / f32::from(left) };
            total -= mine(self.controller(slot)) * worth * part;
        }
        for seat in found.seats.iter() {
            let life = self.seats[seat].life;
            let after = life - dealt(ChosenTarget::Seat(seat));
            let lost = if after <= 0 {
                DEATH
            } else {
                life_worth(life, weights) - life_worth(after, weights)
            };
            total -= mine(seat) * lost;
        }
        total
    }

    /// What cards are worth that come out of graveyards.
    fn recovered(&self, cards: &BySeat<DeckCards>, to: Place, ctx: &Ctx, weights: &Weights) -> f32 {
        let mut total = 0.0;
        for owner in Seat::BOTH {
            for card in cards[owner].iter() {
                let sign = if owner == ctx.you { 1.0 } else { -1.0 };
                total += match to {
                    Place::Battlefield => printed_worth(self.def(card.of(owner)), weights),
                    Place::Hand => sign * weights.card,
                    Place::Top => sign * 0.3 * weights.card,
                    _ => 0.0,
                };
            }
        }
        total
    }

    fn thing_worth(&self, slot: Slot, weights: &Weights) -> f32 {
        if self.is_creature(slot) {
            self.creature_worth(slot, weights)
        } else if self.def_at(slot).is(crate::magic::language::Type::Land) {
            weights.land
        } else {
            printed_worth(self.def_at(slot), weights).max(0.5)
        }
    }
}

/// A sum, and whether anything was added to it.
#[derive(Clone, Copy, Default)]
struct Sum {
    worth: f32,
    known: bool,
}
