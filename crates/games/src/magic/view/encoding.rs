//! A card as numbers that say what it does, not what it is called.

use crate::magic::language::{Effect, Place, Ref, Type};
use crate::magic::table::Def;
use crate::magic::table::program::Step;

/// Mana by colour, other mana, `X`.
const COST: usize = 7;
/// Types in the order of [`Type`].
const TYPES: usize = 6;
/// Abilities: activated, mana, triggered, static, Aura, damage, removal, cards.
const ABILITIES: usize = 8;
/// Keywords, some of a kind together.
const KEYWORDS: usize = 17;
/// The column of the first type.
pub(super) const FIRST_TYPE: usize = COST;
/// The column of power; toughness follows it, then keywords.
pub(super) const POWER: usize = COST + TYPES + ABILITIES;
/// The column of the first keyword.
pub(super) const FIRST_KEYWORD: usize = POWER + 2;
/// The numbers of a card.
pub(in crate::magic) const CARD: usize = FIRST_KEYWORD + KEYWORDS;

/// The column of each keyword among those of keywords: one each for the first
/// eleven, then fear and intimidate, shroud and hexproof, indestructible,
/// flash and unblockable, landwalks, protections.
pub(super) const KEYWORD_COLUMN: [u8; 28] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 11, 12, 12, 13, 14, 14, 15, 15, 15, 15, 15, 16, 16, 16,
    16, 16,
];

/// The numbers of a card as printed.
pub(in crate::magic) fn encode(def: &Def) -> [i32; CARD] {
    let mut cells = [0; CARD];
    let cost = &def.cost;
    for (cell, &mana) in cells.iter_mut().zip(&cost.coloured[..5]) {
        *cell = i32::from(mana);
    }
    cells[5] = i32::from(cost.generic + cost.coloured[5]);
    cells[6] = i32::from(cost.variable);
    for (index, &kind) in Type::ALL.iter().enumerate() {
        cells[FIRST_TYPE + index] = i32::from(def.is(kind));
    }
    let effects = || def.programs.iter().flat_map(|program| &program.steps).filter_map(effect_of);
    let few = |count: usize| count.min(3) as i32;
    let abilities = [
        few(def.activated.iter().filter(|ability| ability.own).count()),
        i32::from(def.taps_for != 0 || !def.mana.is_empty()),
        few(def.triggers.len()),
        few(def.statics.len()),
        i32::from(def.enchant.is_some()),
        effects().filter_map(damage_of).max().unwrap_or(0),
        few(effects().filter(|effect| removes(effect)).count()),
        few(effects().filter(|effect| gives_cards(effect)).count()),
    ];
    cells[COST + TYPES..POWER].copy_from_slice(&abilities);
    cells[POWER] = i32::from(def.body.0);
    cells[POWER + 1] = i32::from(def.body.1);
    for (keyword, &column) in KEYWORD_COLUMN.iter().enumerate() {
        if def.keywords.0 >> keyword & 1 == 1 {
            cells[FIRST_KEYWORD + column as usize] = 1;
        }
    }
    cells
}

fn effect_of(step: &Step) -> Option<&Effect> {
    if let Step::Do(effect) = step { Some(effect) } else { None }
}

/// The damage an instruction deals; an amount that is counted is taken for 3.
fn damage_of(effect: &Effect) -> Option<i32> {
    use crate::magic::language::Amount;
    match effect {
        Effect::Damage { amount: Amount::N(amount), .. } => Some(i32::from(*amount)),
        Effect::Damage { .. } => Some(3),
        _ => None,
    }
}

fn removes(effect: &Effect) -> bool {
    match effect {
        Effect::Destroy { .. }
        | Effect::Counter { .. }
        | Effect::Sacrifice { .. }
        | Effect::Control { .. } => true,
        Effect::Put { what, to, .. } => {
            !matches!(what, Ref::Aside | Ref::This) && *to != Place::Battlefield
        }
        _ => false,
    }
}

fn gives_cards(effect: &Effect) -> bool {
    matches!(
        effect,
        Effect::Draw { .. } | Effect::DrawUpTo { .. } | Effect::Take { .. } | Effect::Token { .. }
    )
}
