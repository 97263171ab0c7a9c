//! From a configuration to a table: its decks, compiled.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use crate::did_you_mean;
use crate::magic::actions::USES;
use crate::magic::decks::{self, Deck, MATCHUPS};
use crate::magic::language::{Card, Keyword, Static, Type, Zone};
use crate::magic::state::seat::{BySeat, Seat};
use crate::magic::table::card::{ByCard, ByDeckCard, CardId, DECK, DeckCards, KINDS};
use crate::magic::table::config::{DeckSpec, Spec};
use crate::magic::table::{DeckTable, Def, Table};
use crate::magic::{cards, state};

/// The built-in cards, compiled once for all tables.
static BUILTIN: LazyLock<Vec<Arc<Def>>> =
    LazyLock::new(|| cards::builtin().iter().map(|card| Arc::new(Def::new(card))).collect());

/// Stands where a deck has no card.
static BLANK: LazyLock<Arc<Def>> = LazyLock::new(|| Arc::new(Def::blank()));

impl Spec {
    pub(super) fn table(&self) -> Result<Table, String> {
        let files: Vec<_> =
            self.cards.iter().map(|(name, text)| (name.clone(), text.clone())).collect();
        let own = cards::load(&files).map_err(|faults| {
            faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
        })?;
        let pool: Vec<&Card> = cards::builtin().iter().chain(&own).collect();
        let decks = self.both_decks(&pool)?;
        let own = own.iter().map(|card| Arc::new(Def::new(card)));
        let defs: Vec<Arc<Def>> = BUILTIN.iter().cloned().chain(own).collect();
        let tokens: Vec<&Arc<Def>> =
            pool.iter().zip(&defs).filter(|(card, _)| card.token).map(|(_, def)| def).collect();
        if tokens.len() > DECK {
            return Err(format!("{} kinds of tokens, expected at most {DECK}", tokens.len()));
        }
        let mut cards = ByCard(std::array::from_fn(|_| BLANK.clone()));
        let decks = BySeat(decks);
        let decks = BySeat(Seat::BOTH.map(|seat| compile(&decks[seat], &defs, seat, &mut cards)));
        for seat in Seat::BOTH {
            for (number, &token) in (0..).zip(&tokens) {
                cards[CardId::token(number, seat)] = Arc::clone(token);
            }
        }
        check_abilities(&cards.0)?;
        let any = |fits: fn(&Def) -> bool| cards.0.iter().any(|card| fits(card));
        let has =
            |like: fn(&Static) -> bool| cards.0.iter().any(|card| card.statics.iter().any(like));
        let weights = BySeat(self.weights.clone().unwrap_or_default());
        Ok(Table {
            legends: any(|card| card.legendary),
            adds_subtypes: has(
                |rule| matches!(rule, Static::Becomes { into, .. } if !into.subtypes.is_empty()),
            ),
            surcharges: has(|rule| matches!(rule, Static::CostsMore { .. })),
            spends_as_any: has(|rule| matches!(rule, Static::SpendAsAny(_))),
            extra_lands: has(|rule| matches!(rule, Static::ExtraLands(_))),
            reveals_hands: has(|rule| matches!(rule, Static::HandsRevealed)),
            grants_abilities: has(
                |rule| matches!(rule, Static::Gets { abilities, .. } if !abilities.is_empty()),
            ),
            replaces: has(|rule| matches!(rule, Static::Instead(_))),
            replaces_deaths: has(|rule| {
                use crate::magic::language::Replacement::{DiesToTop, GraveyardToExile};
                matches!(rule, Static::Instead(DiesToTop | GraveyardToExile))
            }),
            costly_mana: any(|card| card.mana.iter().any(|ability| !ability.free)),
            cards,
            decks,
            weights,
        })
    }

    fn both_decks(&self, pool: &[&Card]) -> Result<[Deck; 2], String> {
        match (&self.matchup, &self.decks) {
            (Some(_), Some(_)) => Err("both `matchup` and `decks`, expected one of them".into()),
            (Some(name), None) => {
                let names: Vec<&str> = MATCHUPS.iter().map(|(name, _)| *name).collect();
                let both = decks::matchup(name);
                let both = both.ok_or_else(|| {
                    format!("no matchup {name:?}, expected one of {}", names.join(", "))
                })?;
                Ok(both.map(Clone::clone))
            }
            (None, Some([first, second])) => Ok([first.deck(pool)?, second.deck(pool)?]),
            (None, None) => Ok([
                DeckSpec::Named("red-burn".into()).deck(pool)?,
                DeckSpec::Named("green-midrange".into()).deck(pool)?,
            ]),
        }
    }
}

impl DeckSpec {
    pub(super) fn deck(&self, pool: &[&Card]) -> Result<Deck, String> {
        match self {
            Self::Named(name) => decks::find(name).cloned().ok_or_else(|| {
                let names = decks::builtin().iter().map(|deck| &*deck.name);
                match did_you_mean(name, names.clone()) {
                    Some(near) => format!("no deck {name:?}, {near}"),
                    None => format!(
                        "no deck {name:?}, expected one of {}",
                        names.collect::<Vec<_>>().join(", ")
                    ),
                }
            }),
            Self::Listed { name, cards, sideboard } => {
                let pool: Vec<Card> = pool.iter().map(|&card| card.clone()).collect();
                decks::of_counts(name, counts(cards), counts(sideboard), &pool)
            }
        }
    }
}

fn counts(cards: &BTreeMap<String, u64>) -> impl Iterator<Item = (&str, u64)> {
    cards.iter().map(|(name, &count)| (&**name, count))
}

/// Writes the cards of the deck of `seat` into `cards`; `defs` has all there are.
fn compile(deck: &Deck, defs: &[Arc<Def>], seat: Seat, cards: &mut ByCard<Arc<Def>>) -> DeckTable {
    let mut table = DeckTable {
        counts: ByDeckCard([0; KINDS]),
        name: deck.name.clone(),
        lands: DeckCards::EMPTY,
        instants: DeckCards::EMPTY,
        hasty: DeckCards::EMPTY,
        counterspells: DeckCards::EMPTY,
        up_to_value: Default::default(),
        from_graveyard: DeckCards::EMPTY,
    };
    for (card, (name, count)) in DeckCards::KINDS.iter().zip(&deck.cards) {
        let def = defs.iter().find(|def| def.name == *name).expect("decks hold cards of the pool");
        let bit = card.bit();
        if def.is(Type::Land) {
            table.lands |= bit;
        }
        if def.is(Type::Instant) || def.keywords.has(Keyword::Flash) {
            table.instants |= bit;
        }
        if def.keywords.has(Keyword::Haste) {
            table.hasty |= bit;
        }
        if def.needs_spell {
            table.counterspells |= bit;
        }
        for cards in table.up_to_value.iter_mut().skip(def.mana_value as usize) {
            *cards |= bit;
        }
        if def.activated.iter().any(|ability| ability.from == Zone::Graveyard) {
            table.from_graveyard |= bit;
        }
        table.counts[card] = *count;
        cards[card.of(seat)] = Arc::clone(def);
    }
    table
}

/// Refuses cards that together could give one permanent more abilities than
/// there are action ids.
fn check_abilities(cards: &[Arc<Def>]) -> Result<(), String> {
    let mut givers: Vec<&Def> = Vec::new();
    for def in cards.iter().filter(|def| def.activated.iter().any(|ability| !ability.own)) {
        if !givers.iter().any(|giver| std::ptr::eq(*giver, &**def)) {
            givers.push(def);
        }
    }
    let granted = |def: &&Def| def.activated.iter().filter(|ability| !ability.own).count();
    let own = cards.iter().map(|def| def.uses()).max().unwrap_or(0);
    let most = own + givers.iter().map(granted).sum::<usize>();
    if most <= USES as usize {
        return Ok(());
    }
    let names: Vec<&str> = givers.iter().map(|def| &*def.name).collect();
    Err(format!(
        "with {} a permanent could have {most} abilities, expected at most {USES}",
        names.join(", ")
    ))
}

const _: () = assert!(KINDS <= DECK, "every card must have a number");
const _: () = assert!(size_of::<state::Magic>() <= 5184, "a state must stay small");
