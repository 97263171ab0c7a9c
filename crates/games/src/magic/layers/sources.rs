//! What continuous effects and static abilities say of a permanent.

use crate::magic::language::{Change, Effect, Ref, Rule, Static, Subtype};
use crate::magic::state::seat::Seat;
use crate::magic::state::slots::Slot;
use crate::magic::state::{At, EffectKind, Magic, rule};
use crate::magic::table::card::CardId;
use crate::magic::table::program::Step;
use crate::magic::zones::select::Ctx;

impl Magic {
    /// The rules that bind `subject`, of those read where they matter.
    pub(in crate::magic) fn rules_on(
        &self,
        subject: Slot,
    ) -> impl Iterator<Item = (&'static Rule, Ctx)> {
        self.board.statics.iter().flat_map(move |slot| {
            let ctx = Ctx::of(self, slot);
            self.statics_at(slot).iter().filter_map(move |ability| match ability {
                Static::Rule { what, rule } if self.refer(what, &ctx).slots.has(subject) => {
                    Some((rule, ctx))
                }
                _ => None,
            })
        })
    }

    /// A step of a program.
    pub(super) fn step_at(&self, at: At) -> Option<&'static Step> {
        self.def(at.card).programs[at.program as usize].steps.get(at.step as usize)
    }

    pub(super) fn change_at(&self, at: At) -> Option<&'static Change> {
        match self.step_at(at) {
            Some(Step::Do(Effect::Becomes { into, .. })) => Some(into),
            _ => None,
        }
    }

    /// Whether an effect has given a subtype to a permanent.
    pub(in crate::magic) fn gained_subtype(&self, slot: Slot, subtype: Subtype) -> bool {
        let lasting = self.effects.iter().any(|effect| {
            effect.on.has(slot)
                && matches!(effect.kind, EffectKind::Becomes { at, .. }
                    if self.change_at(at).is_some_and(|change| change.subtypes.contains(&subtype)))
        });
        lasting || self.table.0.adds_subtypes && self.has_subtype_by_static(slot, subtype)
    }

    /// 613.1d: whether a static ability gives a subtype to a permanent. The
    /// check of cards keeps such abilities from asking for subtypes themselves.
    fn has_subtype_by_static(&self, slot: Slot, subtype: Subtype) -> bool {
        self.board.statics.iter().any(|giver| {
            self.statics_at(giver).iter().any(|ability| {
                matches!(ability, Static::Becomes { what, into, .. }
                    if into.subtypes.contains(&subtype) && self.reach(giver, what).has(slot))
            })
        })
    }

    /// The colours that a static ability gives to a spell or to a card outside
    /// the battlefield.
    pub(in crate::magic) fn colours_elsewhere(&self, card: CardId, whose: Seat) -> Option<u8> {
        (self.board.statics & self.controlled(whose)).iter().find_map(|slot| {
            self.statics_at(slot).iter().find_map(|ability| match ability {
                Static::Becomes { what: Ref::All(filter), into, everywhere: true } => {
                    let def = self.def(card);
                    let fits = (filter.types.is_empty() || filter.types.meets(def.types))
                        && !filter.not_types.meets(def.types);
                    into.colours.filter(|_| fits).map(|colours| colours.0)
                }
                _ => None,
            })
        })
    }
}

/// The row of a rule that needs nothing else to be known.
pub(in crate::magic) fn plain_rule(rule: &Rule) -> Option<usize> {
    Some(match rule {
        Rule::CantAttack => rule::CANT_ATTACK,
        Rule::MustAttack => rule::MUST_ATTACK,
        Rule::IgnoresDefender => rule::IGNORES_DEFENDER,
        Rule::CantBlock => rule::CANT_BLOCK,
        Rule::OneBlocker => rule::ONE_BLOCKER,
        Rule::AllMustBlock => rule::ALL_MUST_BLOCK,
        Rule::CantBeTargetOfSpells => rule::NO_SPELLS,
        Rule::CantUseAbilities => rule::NO_ABILITIES,
        Rule::DoesntUntap => rule::STAYS_TAPPED,
        Rule::MayStayTapped => rule::MAY_STAY_TAPPED,
        Rule::DealsNoCombatDamage => rule::DEALS_NONE,
        Rule::TakesNoCombatDamage => rule::TAKES_NONE,
        // These are read where they matter, against what they name.
        Rule::CantAttackUnless(_)
        | Rule::CantBlockThese(_)
        | Rule::CantBeBlockedBy(_)
        | Rule::CantBeBlockedExceptBy(_)
        | Rule::EntersTapped => return None,
    })
}

/// A number as power and toughness hold it.
pub(in crate::magic) fn small(number: i16) -> i8 {
    number.clamp(-100, 127) as i8
}
