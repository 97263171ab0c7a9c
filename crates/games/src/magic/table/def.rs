//! A card as the game plays it, compiled from the card language.

use std::fmt::Debug;

use crate::magic::language::{
    Ability, Amount, Card, Colours, Condition, Cost, Event, Filter, Keywords, Mana, ManaCost,
    Produce, Ref, Rule, Static, Subtype, Target, Timing, Type, Types, Zone,
};
use crate::magic::layers::plain_rule;
use crate::magic::state::Owed;
use crate::magic::table::program::{Program, lay_out};

/// A card as the machine reads it.
#[derive(Clone, Debug)]
pub(in crate::magic) struct Def {
    pub(in crate::magic) name: String,
    pub(in crate::magic) cost: ManaCost,
    /// The cost with `X` as 0, and its mana value.
    pub(in crate::magic) owed: Owed,
    pub(in crate::magic) mana_value: u8,
    /// 202.1b: whether it has a mana cost at all.
    pub(in crate::magic) has_cost: bool,
    pub(in crate::magic) types: Types,
    pub(in crate::magic) subtypes: Vec<Subtype>,
    /// The basic land types among the subtypes.
    pub(in crate::magic) land_types: u8,
    pub(in crate::magic) basic: bool,
    pub(in crate::magic) legendary: bool,
    pub(in crate::magic) colours: Colours,
    pub(in crate::magic) keywords: Keywords,
    /// Power and toughness as printed; amounts if they are counted.
    pub(in crate::magic) body: (i8, i8),
    pub(in crate::magic) counted_body: Option<(Amount, Amount)>,
    pub(in crate::magic) enchant: Option<Filter>,
    /// The programs of the spell: one, or one for each mode.
    pub(in crate::magic) modes: Vec<u8>,
    /// Whether the spell can be cast without a target.
    pub(in crate::magic) needs_no_target: bool,
    /// Whether the spell can be cast only while there is another to aim at.
    pub(in crate::magic) needs_spell: bool,
    /// What can be used, without mana abilities.
    pub(in crate::magic) activated: Vec<Activated>,
    pub(in crate::magic) mana: Vec<ManaAbility>,
    /// The mana that tapping alone gives, one bit each, and how much of it;
    /// nothing if every mana ability costs more than tapping.
    pub(in crate::magic) taps_for: u8,
    pub(in crate::magic) taps_amount: u8,
    /// Whether a mana ability does more than to add mana.
    pub(in crate::magic) taps_with_more: bool,
    /// Whether it is a land that taps for the one mana of its one land type.
    pub(in crate::magic) is_simple_land: bool,
    pub(in crate::magic) triggers: Vec<Trigger>,
    pub(in crate::magic) statics: Vec<Static>,
    pub(in crate::magic) as_enters: Option<u8>,
    pub(in crate::magic) enters_tapped: bool,
    /// Whether it has abilities to use on the battlefield, other than tapping
    /// for mana.
    pub(in crate::magic) is_usable: bool,
    /// How many abilities it has, all that tap it for mana as one.
    pub(in crate::magic) ability_count: usize,
    /// Rules that bind itself alone, one bit each as in [`rule`](crate::magic::state::rule).
    pub(in crate::magic) own_rules: u16,
    /// The kinds of events its triggers wait for, one bit each.
    pub(in crate::magic) listens: u32,
    pub(in crate::magic) programs: Vec<Program>,
    /// The card as numbers, for observations.
    pub(in crate::magic) encoding: [i32; crate::magic::view::encoding::CARD],
}

/// An activated ability.
#[derive(Clone, Debug)]
pub(in crate::magic) struct Activated {
    pub(in crate::magic) cost: Vec<Cost>,
    pub(in crate::magic) mana: ManaCost,
    /// What `X` may be paid with, if not everything.
    pub(in crate::magic) x_only: Option<Mana>,
    pub(in crate::magic) from: Zone,
    pub(in crate::magic) only: Vec<Timing>,
    pub(in crate::magic) program: u8,
    /// Whether the card itself has it; otherwise it only grants it.
    pub(in crate::magic) own: bool,
}

/// A mana ability.
#[derive(Clone, Debug)]
pub(in crate::magic) struct ManaAbility {
    pub(in crate::magic) cost: Vec<Cost>,
    pub(in crate::magic) add: Produce,
    /// What else happens, if anything.
    pub(in crate::magic) program: Option<u8>,
    /// Whether tapping is all it costs.
    pub(in crate::magic) free: bool,
}

/// A triggered ability.
#[derive(Clone, Debug)]
pub(in crate::magic) struct Trigger {
    pub(in crate::magic) on: Event,
    pub(in crate::magic) condition: Option<Condition>,
    pub(in crate::magic) program: u8,
    /// Whether it speaks of the very thing that set it off. Otherwise many that
    /// trigger at once are alike, and are kept as one with a number.
    pub(in crate::magic) names_event: bool,
}

impl Def {
    /// Compiles a card.
    pub(in crate::magic) fn new(card: &Card) -> Self {
        let mut programs = Vec::new();
        let mut add = |targets: &[Target], effects: &[_]| {
            let program = lay_out(targets, effects, &mut programs);
            programs.push(program);
            u8::try_from(programs.len() - 1).expect("programs are few")
        };
        let modes = if card.modes.is_empty() {
            let enchant = card.enchant.iter().map(|filter| Target::Permanent(filter.clone()));
            let targets: Vec<Target> = card.targets.iter().cloned().chain(enchant).collect();
            vec![add(&targets, &card.effects)]
        } else {
            card.modes.iter().map(|mode| add(&mode.targets, &mode.effects)).collect()
        };
        let cost = card.cost.unwrap_or_default();
        let mut def = Self {
            name: card.name.clone(),
            cost,
            owed: Owed::new(&cost, 0, None),
            mana_value: cost.value(),
            has_cost: card.cost.is_some(),
            types: card.types,
            subtypes: card.subtypes.clone(),
            land_types: land_types(&card.subtypes),
            basic: card.basic,
            legendary: card.legendary,
            colours: card
                .colours
                .unwrap_or_else(|| card.cost.as_ref().map(ManaCost::colours).unwrap_or_default()),
            keywords: card.keywords,
            body: (fixed(&card.power), fixed(&card.toughness)),
            counted_body: counted(card),
            enchant: card.enchant.clone(),
            modes,
            needs_no_target: false,
            needs_spell: false,
            activated: Vec::new(),
            mana: Vec::new(),
            taps_for: 0,
            taps_amount: 1,
            taps_with_more: false,
            is_simple_land: false,
            triggers: Vec::new(),
            statics: Vec::new(),
            as_enters: None,
            enters_tapped: false,
            is_usable: false,
            ability_count: 0,
            own_rules: 0,
            listens: 0,
            programs: Vec::new(),
            encoding: [0; crate::magic::view::encoding::CARD],
        };
        for ability in &card.abilities {
            match ability {
                Ability::Activated { .. } => def.activated.push(activated(ability, true, &mut add)),
                Ability::Mana { cost, add: produce, effects } => {
                    let program = (!effects.is_empty()).then(|| add(&[], effects));
                    let free = *cost == [Cost::Tap];
                    def.mana.push(ManaAbility {
                        cost: cost.clone(),
                        add: produce.clone(),
                        program,
                        free,
                    });
                }
                Ability::Triggered { on, condition, targets, effects } => {
                    let program = add(targets, effects);
                    def.listens |= kinds(on);
                    def.triggers.push(Trigger {
                        on: on.clone(),
                        condition: condition.clone(),
                        program,
                        names_event: names_event(effects) || names_event(condition),
                    });
                }
                Ability::Static(Static::Rule { what: Ref::This, rule: Rule::EntersTapped }) => {
                    def.enters_tapped = true;
                }
                Ability::Static(Static::Rule { what: Ref::This, rule })
                    if plain_rule(rule).is_some() =>
                {
                    def.own_rules |= plain_rule(rule).map_or(0, |row| 1 << row);
                }
                Ability::Static(rule) => {
                    if let Static::Gets { abilities, .. } = rule {
                        for granted in abilities {
                            def.activated.push(activated(granted, false, &mut add));
                        }
                    }
                    def.statics.push(rule.clone());
                }
                Ability::AsEnters(effects) => def.as_enters = Some(add(&[], effects)),
            }
        }
        def.programs = programs;
        let targets_of = |&mode: &u8| &def.programs[mode as usize].targets;
        let is_spell =
            |target: &Target| matches!(target, Target::Spell(_) | Target::SpellWithOneTarget);
        def.needs_no_target = def.modes.iter().map(targets_of).any(Vec::is_empty);
        def.needs_spell =
            def.modes.iter().map(targets_of).all(|targets| targets.iter().any(is_spell));
        def.is_simple_land = def.land_types.count_ones() == 1 && def.mana.is_empty();
        def.is_usable = def.mana.iter().any(|ability| !ability.free)
            || def.activated.iter().any(|ability| ability.own && ability.from == Zone::Battlefield);
        def.taps_for = def
            .mana
            .iter()
            .filter(|ability| ability.free)
            .flat_map(|ability| match &ability.add {
                Produce::All(mana) | Produce::OneOf(mana) => mana,
            })
            .fold(def.land_types, |all, &mana| all | 1 << mana as u8);
        def.ability_count = def.activated.iter().filter(|ability| ability.own).count()
            + def.triggers.len()
            + usize::from(def.taps_for != 0);
        def.taps_with_more = def.mana.iter().any(|ability| ability.program.is_some());
        if let [ManaAbility { add: Produce::All(mana), free: true, .. }] = def.mana.as_slice() {
            def.taps_amount = u8::try_from(mana.len()).expect("mana abilities add little");
        }
        def.encoding = crate::magic::view::encoding::encode(&def);
        def
    }

    /// How many abilities it has to use on the battlefield, but for those that
    /// only tap it for mana.
    pub(in crate::magic) fn uses(&self) -> usize {
        let on_battlefield =
            |ability: &&Activated| ability.own && ability.from == Zone::Battlefield;
        self.activated.iter().filter(on_battlefield).count()
            + self.mana.iter().filter(|ability| !ability.free).count()
    }

    /// Stands where a deck has no card.
    pub(in crate::magic) fn blank() -> Self {
        Self::new(&Card {
            name: String::new(),
            cost: None,
            types: Types::default(),
            subtypes: Vec::new(),
            basic: false,
            legendary: false,
            token: false,
            colours: None,
            power: Amount::N(0),
            toughness: Amount::N(0),
            keywords: Keywords::default(),
            enchant: None,
            targets: Vec::new(),
            effects: Vec::new(),
            modes: Vec::new(),
            abilities: Vec::new(),
        })
    }

    /// Whether it has the type.
    #[inline]
    pub(in crate::magic) fn is(&self, kind: Type) -> bool {
        self.types.has(kind)
    }

    /// Whether the spell goes to the battlefield.
    #[inline]
    pub(in crate::magic) fn is_permanent(&self) -> bool {
        !self.is(Type::Instant) && !self.is(Type::Sorcery)
    }
}

fn activated(
    ability: &Ability,
    own: bool,
    add: &mut impl FnMut(&[Target], &[crate::magic::language::Effect]) -> u8,
) -> Activated {
    let Ability::Activated { cost, targets, effects, from, only } = ability else {
        unreachable!("the check lets only activated abilities be granted")
    };
    let (mut mana, mut x_only) = (ManaCost::default(), None);
    for part in cost {
        match part {
            Cost::Mana(paid) => mana = *paid,
            Cost::ManaWithX(paid, with) => (mana, x_only) = (*paid, Some(*with)),
            _ => {}
        }
    }
    Activated {
        cost: cost.clone(),
        mana,
        x_only,
        from: *from,
        only: only.clone(),
        program: add(targets, effects),
        own,
    }
}

/// Whether `Event` is among the words of a part of a card, as a file has them.
fn names_event(part: &impl Debug) -> bool {
    let text = format!("{part:?}");
    text.split(|c: char| !c.is_alphanumeric()).any(|word| word == "Event")
}

fn fixed(amount: &Amount) -> i8 {
    if let Amount::N(n) = amount { *n } else { 0 }
}

fn counted(card: &Card) -> Option<(Amount, Amount)> {
    let fixed = |amount: &Amount| matches!(amount, Amount::N(_));
    let both = (card.power.clone(), card.toughness.clone());
    (!fixed(&both.0) || !fixed(&both.1)).then_some(both)
}

/// The basic land types among subtypes, one bit each.
pub(in crate::magic) fn land_types(subtypes: &[Subtype]) -> u8 {
    crate::magic::language::LandType::ALL
        .iter()
        .filter(|kind| subtypes.iter().any(|subtype| subtype.name() == kind.text()))
        .fold(0, |all, &kind| all | 1 << kind as u8)
}

/// Bits of [`Def::listens`].
pub(in crate::magic) mod listen {
    pub(in crate::magic) const ENTERS: u32 = 1;
    pub(in crate::magic) const DIES: u32 = 1 << 1;
    pub(in crate::magic) const LEAVES: u32 = 1 << 2;
    pub(in crate::magic) const TAPPED: u32 = 1 << 3;
    pub(in crate::magic) const MANA: u32 = 1 << 4;
    pub(in crate::magic) const ATTACKS: u32 = 1 << 5;
    pub(in crate::magic) const BLOCKS: u32 = 1 << 6;
    pub(in crate::magic) const DAMAGE: u32 = 1 << 7;
    pub(in crate::magic) const CASTS: u32 = 1 << 8;
    pub(in crate::magic) const BEGINS: u32 = 1 << 9;
    pub(in crate::magic) const DRAWS: u32 = 1 << 10;
}

fn kinds(event: &Event) -> u32 {
    match event {
        Event::Enters(_) => listen::ENTERS,
        Event::Dies(_) => listen::DIES,
        Event::Leaves(_) => listen::LEAVES,
        Event::BecomesTapped(_) => listen::TAPPED,
        Event::TappedForMana(_) => listen::MANA,
        Event::Attacks(_) => listen::ATTACKS,
        Event::AttacksOrBlocks(_) => listen::ATTACKS | listen::BLOCKS,
        Event::BlocksOrBlocked(_) | Event::BlocksOrBlockedBy(..) => listen::BLOCKS,
        Event::DealsDamage(_) | Event::DealsDamageToPlayer(_) => listen::DAMAGE,
        Event::Casts { .. } => listen::CASTS,
        Event::Begins { .. } => listen::BEGINS,
        Event::FirstDraw(_) => listen::DRAWS,
    }
}
