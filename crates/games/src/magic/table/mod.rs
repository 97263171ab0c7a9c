//! The cards of one table, compiled once from the card language.

mod arena;
pub(super) mod config;
pub(super) mod program;

use std::fmt;
use std::sync::Arc;

use serde::Serialize;

use crate::magic::language::{
    Ability, Amount, Card, Colours, Condition, Cost, Event, Filter, Keywords, Mana, ManaCost,
    Produce, Ref, Rule, Static, Subtype, Target, Timing, Type, Types, Zone,
};
use crate::magic::layers::plain_rule;
use crate::magic::table::program::{Program, lay_out};

/// How many numbers the cards of one deck have.
pub(super) const DECK: usize = 64;
/// The most different cards in one deck.
pub(super) const KINDS: usize = crate::magic::decks::MOST_DIFFERENT;
/// The first number of a token; cards of the second deck start at [`DECK`].
///
/// Tokens of the second seat follow [`DECK`] after those of the first.
pub(super) const TOKENS: usize = 2 * DECK;

/// How many numbers there are: as many as a byte can hold.
pub(super) const CARDS: usize = TOKENS + 2 * DECK;

/// Who owns a card or token with this number.
#[inline]
pub(super) const fn owner(card: u8) -> u8 {
    (card / DECK as u8) & 1
}

/// All cards that can turn up at one table, by number: the first deck's from 0,
/// the second deck's from [`DECK`], tokens from [`TOKENS`], first those of the
/// first seat.
pub(super) struct Table {
    pub(super) cards: [Arc<Def>; CARDS],
    pub(super) decks: [DeckTable; 2],
    /// Whether any card is legendary.
    pub(super) legends: bool,
    /// Whether a static ability of any card gives subtypes.
    pub(super) adds_subtypes: bool,
    /// Whether something else can happen when a permanent would die.
    pub(super) replaces_deaths: bool,
    /// Whether any mana ability costs more than tapping its source.
    pub(super) costly_mana: bool,
    /// What the estimate counts, for each seat.
    pub(super) weights: [crate::magic::evaluation::weights::Weights; 2],
}

/// What is known of one deck beforehand, one bit a card.
#[derive(Clone, Debug)]
pub(super) struct DeckTable {
    /// How many of each card.
    pub(super) counts: [u8; KINDS],
    /// The name of the deck.
    pub(super) name: String,
    pub(super) lands: u64,
    /// Cards that can be cast whenever their owner has priority.
    pub(super) instants: u64,
    pub(super) hasty: u64,
    /// Cards with abilities to use from the graveyard.
    pub(super) from_graveyard: u64,
}

/// A card as the machine reads it.
#[derive(Clone, Debug)]
pub(super) struct Def {
    pub(super) name: String,
    pub(super) cost: ManaCost,
    /// 202.1b: whether it has a mana cost at all.
    pub(super) has_cost: bool,
    pub(super) types: Types,
    pub(super) subtypes: Vec<Subtype>,
    /// The basic land types among the subtypes.
    pub(super) land_types: u8,
    pub(super) basic: bool,
    pub(super) legendary: bool,
    pub(super) colours: Colours,
    pub(super) keywords: Keywords,
    /// Power and toughness as printed; amounts if they are counted.
    pub(super) body: (i8, i8),
    pub(super) counted_body: Option<(Amount, Amount)>,
    pub(super) enchant: Option<Filter>,
    /// The programs of the spell: one, or one for each mode.
    pub(super) modes: Vec<u8>,
    /// What can be used, without mana abilities.
    pub(super) activated: Vec<Activated>,
    pub(super) mana: Vec<ManaAbility>,
    /// The mana that tapping alone gives, one bit each, and how much of it;
    /// nothing if every mana ability costs more than tapping.
    pub(super) taps_for: u8,
    pub(super) taps_amount: u8,
    /// Whether a mana ability does more than to add mana.
    pub(super) taps_with_more: bool,
    /// Whether it is a land that taps for the one mana of its one land type.
    pub(super) is_simple_land: bool,
    pub(super) triggers: Vec<Trigger>,
    pub(super) statics: Vec<Static>,
    pub(super) as_enters: Option<u8>,
    pub(super) enters_tapped: bool,
    /// Whether it has abilities to use on the battlefield, other than tapping
    /// for mana.
    pub(super) is_usable: bool,
    /// How many abilities it has, all that tap it for mana as one.
    pub(super) ability_count: usize,
    /// Rules that bind itself alone, one bit each as in [`rule`](crate::magic::state::rule).
    pub(super) own_rules: u16,
    /// The kinds of events its triggers wait for, one bit each.
    pub(super) listens: u32,
    pub(super) programs: Vec<Program>,
    /// The card as numbers, for observations.
    pub(super) encoding: [i32; crate::magic::view::encoding::CARD],
}

/// An activated ability.
#[derive(Clone, Debug)]
pub(super) struct Activated {
    pub(super) cost: Vec<Cost>,
    pub(super) mana: ManaCost,
    /// What `X` may be paid with, if not everything.
    pub(super) x_only: Option<Mana>,
    pub(super) from: Zone,
    pub(super) only: Vec<Timing>,
    pub(super) program: u8,
    /// Whether the card itself has it; otherwise it only grants it.
    pub(super) own: bool,
}

/// A mana ability.
#[derive(Clone, Debug)]
pub(super) struct ManaAbility {
    pub(super) cost: Vec<Cost>,
    pub(super) add: Produce,
    /// What else happens, if anything.
    pub(super) program: Option<u8>,
    /// Whether tapping is all it costs.
    pub(super) free: bool,
}

/// A triggered ability.
#[derive(Clone, Debug)]
pub(super) struct Trigger {
    pub(super) on: Event,
    pub(super) condition: Option<Condition>,
    pub(super) program: u8,
    /// Whether it speaks of the very thing that set it off. Otherwise many that
    /// trigger at once are alike, and are kept as one with a number.
    pub(super) names_event: bool,
}

impl Def {
    /// Compiles a card.
    pub(super) fn new(card: &Card) -> Self {
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
        let mut def = Self {
            name: card.name.clone(),
            cost: card.cost.unwrap_or_default(),
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
    pub(super) fn uses(&self) -> usize {
        let on_battlefield =
            |ability: &&Activated| ability.own && ability.from == Zone::Battlefield;
        self.activated.iter().filter(on_battlefield).count()
            + self.mana.iter().filter(|ability| !ability.free).count()
    }

    /// Stands where a deck has no card.
    pub(super) fn blank() -> Self {
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
    pub(super) fn is(&self, kind: Type) -> bool {
        self.types.has(kind)
    }

    /// Whether a static ability gives subtypes to permanents.
    pub(super) fn adds_subtypes(&self) -> bool {
        self.statics.iter().any(
            |ability| matches!(ability, Static::Becomes { into, .. } if !into.subtypes.is_empty()),
        )
    }

    /// Whether something else happens instead of a permanent's death.
    pub(super) fn replaces_deaths(&self) -> bool {
        use crate::magic::language::Replacement::{DiesToTop, GraveyardToExile};
        self.statics
            .iter()
            .any(|ability| matches!(ability, Static::Instead(DiesToTop | GraveyardToExile)))
    }

    /// Whether the spell goes to the battlefield.
    #[inline]
    pub(super) fn is_permanent(&self) -> bool {
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
fn names_event(part: &impl Serialize) -> bool {
    let text = ron::to_string(part).expect("cards can be written");
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
pub(super) fn land_types(subtypes: &[Subtype]) -> u8 {
    crate::magic::language::LandType::ALL
        .iter()
        .filter(|kind| subtypes.iter().any(|subtype| subtype.name() == kind.text()))
        .fold(0, |all, &kind| all | 1 << kind as u8)
}

/// Bits of [`Def::listens`].
pub(super) mod listen {
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

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} against {}", self.decks[0].name, self.decks[1].name)
    }
}
