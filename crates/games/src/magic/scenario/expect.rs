//! Compares a state with what a scenario expects.

use std::collections::BTreeMap;

use meeple_game::{Game, Turn};

use super::play::Play;
use super::read::{Expect, Zone};
use super::words::{Cards, seat_name};
use crate::magic::language::{Colour, Keyword, LandType, Type};
use crate::magic::state::Magic;
use crate::magic::state::pile::Pile;
use crate::magic::state::seat::Seat;
use crate::magic::state::slots::Slot;
use crate::magic::table::card::DeckCards;

type Names = BTreeMap<String, u8>;

impl Play {
    pub(super) fn expect(&self, expect: &Expect) -> Result<(), String> {
        let state = &self.state;
        match expect {
            Expect::Life(seat, life) => same(life, &state.seats[*seat].life),
            Expect::Cards(seat, zone, cards) => {
                same(&counts(cards), &in_zone(state, *seat, *zone)?)
            }
            Expect::Count(seat, zone, count) => same(count, &size(state, *seat, *zone)),
            Expect::Controls(seat, cards) => {
                let there = in_zone(state, *seat, Zone::Battlefield)?;
                let missing = |(name, count): &(&String, &u8)| there.get(*name) < Some(*count);
                match counts(cards).iter().find(missing) {
                    Some((name, _)) => Err(format!("no {name}, but {}", listed(&there))),
                    None => Ok(()),
                }
            }
            Expect::ControlsNo(seat, cards) => {
                let there = in_zone(state, *seat, Zone::Battlefield)?;
                match cards.iter().find(|some| there.contains_key(&some.name)) {
                    Some(some) => Err(format!("{} is there", some.name)),
                    None => Ok(()),
                }
            }
            Expect::Pool(seat, pool) => {
                let there: String = (0..6)
                    .flat_map(|kind| {
                        let count = state.seats[*seat].pool[kind];
                        (0..count).map(move |_| &"WUBRGC"[kind..=kind])
                    })
                    .collect();
                same(&pool.replace("empty", ""), &there)
            }
            Expect::Is(name, properties) => {
                let slot = self.permanent(name)?;
                properties.iter().try_for_each(|property| self.is(slot, property))
            }
            Expect::Stack(cards) => {
                let wanted: Vec<&str> =
                    cards.iter().flat_map(|some| (0..some.count).map(|_| &*some.name)).collect();
                let there: Vec<&str> = state
                    .stack
                    .iter()
                    .rev()
                    .flat_map(|item| (0..item.times).map(|_| &*state.def(item.card).name))
                    .collect();
                same(&wanted, &there)
            }
            Expect::Asked(seat) => {
                let turn = seat.map_or(Turn::Chance, |seat| Turn::Player(seat.into()));
                if state.turn() == turn { Ok(()) } else { Err(self.situation()) }
            }
            Expect::May(seat, text) => {
                self.expect(&Expect::Asked(Some(*seat)))?;
                self.find(text).map(|_| ())
            }
            Expect::MayNot(seat, text) => {
                self.expect(&Expect::Asked(Some(*seat)))?;
                match self.find(text) {
                    Ok(_) => Err(format!("it is possible; {}", self.situation())),
                    Err(_) => Ok(()),
                }
            }
            Expect::When(when) => {
                let here = state.clock.phase == when.phase
                    && when.seat.is_none_or(|seat| seat == state.clock.active);
                if here { Ok(()) } else { Err(self.situation()) }
            }
            Expect::Turn(turn) => same(turn, &state.clock.turn),
            Expect::Winner(winner) => {
                if state.turn() != Turn::Over {
                    return Err(format!("the game goes on: {}", self.situation()));
                }
                let wanted =
                    winner.map_or(0.0, |seat| if seat == Seat::First { 1.0 } else { -1.0 });
                same(&wanted, &state.payoffs()[0])
            }
        }
    }

    /// The permanent of this name.
    fn permanent(&self, name: &str) -> Result<Slot, String> {
        let state = &self.state;
        let called =
            |slot: &Slot| state.permanent_name(*slot) == name || state.def_at(*slot).name == name;
        let found: Vec<Slot> = state.board.used.iter().filter(called).collect();
        match *found {
            [slot] => Ok(slot),
            _ => {
                let all: Vec<String> =
                    state.board.used.iter().map(|slot| state.permanent_name(slot)).collect();
                Err(format!("{} permanents are {name}: {}", found.len(), all.join(", ")))
            }
        }
    }

    /// Whether a permanent has a property such as `3/3`, `flying` or `not tapped`.
    fn is(&self, slot: Slot, property: &str) -> Result<(), String> {
        let (plain, wanted) = match property.strip_prefix("not ") {
            Some(plain) => (plain, false),
            None => (property, true),
        };
        let (there, seen) = self.property(slot, plain)?;
        let name = self.state.permanent_name(slot);
        if there == wanted { Ok(()) } else { Err(format!("{name} is {seen}, expected {property}")) }
    }

    /// Whether a property is there, and what is instead.
    fn property(&self, slot: Slot, property: &str) -> Result<(bool, String), String> {
        let state = &self.state;
        let board = &state.board;
        let plain = |there: bool| {
            Ok((there, if there { property.into() } else { format!("not {property}") }))
        };
        if property.contains('/') {
            let body = format!("{}/{}", board.power[slot], board.toughness[slot]);
            return Ok((body == property, body));
        }
        let word = |text: &str| text == property;
        if let Some(kind) = Keyword::ALL.iter().find(|kind| word(kind.text())) {
            return plain(board.keywords[*kind as usize].has(slot));
        }
        if let Some(kind) = Colour::ALL.iter().find(|kind| word(kind.text())) {
            return plain(board.colours[*kind as usize].has(slot));
        }
        if let Some(kind) = LandType::ALL.iter().find(|kind| word(kind.text())) {
            return plain(board.land_types[*kind as usize].has(slot));
        }
        if let Some(kind) = Type::ALL[..4].iter().find(|kind| word(kind.text())) {
            return plain(board.types[*kind as usize].has(slot));
        }
        match property.split_once(' ') {
            None if word("tapped") => plain(board.tapped.has(slot)),
            None if word("sick") => plain(board.summoning_sick.has(slot)),
            None if word("attacking") => plain(board.attacking.has(slot)),
            None if word("blocking") => plain(board.blocking.has(slot)),
            None if word("yours") => plain(state.controller(slot) == Seat::First),
            Some(("damage", _)) => {
                let seen = format!("damage {}", board.damage[slot]);
                Ok((seen == property, seen))
            }
            Some(("on", _)) if let Some(host) = board.link[slot] => {
                let seen = format!("on {}", state.permanent_name(host));
                Ok((seen == property, seen))
            }
            _ => Err(format!(
                "{property:?}, expected N/N, a keyword, a colour, a type, a basic land type, \
                 tapped, sick, attacking, blocking, yours, damage N or on NAME"
            )),
        }
    }
}

fn same<T: PartialEq + std::fmt::Debug>(wanted: &T, there: &T) -> Result<(), String> {
    if wanted == there { Ok(()) } else { Err(format!("{there:?}, expected {wanted:?}")) }
}

fn counts(cards: &[Cards]) -> Names {
    let mut names = Names::new();
    for some in cards {
        *names.entry(some.name.clone()).or_insert(0) += some.count;
    }
    names
}

fn listed(names: &Names) -> String {
    names.iter().map(|(name, count)| format!("{count} {name}")).collect::<Vec<_>>().join(", ")
}

/// The names of the cards in a zone.
fn in_zone(state: &Magic, seat: Seat, zone: Zone) -> Result<Names, String> {
    let mine = &state.seats[seat];
    let mut names = Names::new();
    let mut add = |name: &str| *names.entry(name.to_owned()).or_insert(0) += 1;
    let mut add_pile = |pile: &Pile| {
        for card in pile.iter() {
            (0..pile.count(card)).for_each(|_| add(state.card_name(card, seat)));
        }
    };
    match zone {
        Zone::Hand => add_pile(&mine.hand),
        Zone::Graveyard => add_pile(&mine.graveyard),
        Zone::Shown => {
            for card in DeckCards::KINDS.iter() {
                (0..mine.shown[card]).for_each(|_| add(state.card_name(card, seat)));
            }
        }
        Zone::Library => {
            add_pile(&mine.library);
            mine.order.iter().for_each(|known| add(state.card_name(known.card(), seat)));
        }
        Zone::Top => {
            mine.order.top().iter().for_each(|known| add(state.card_name(known.card(), seat)));
        }
        Zone::Battlefield => {
            state.controlled(seat).iter().for_each(|slot| add(&state.def_at(slot).name));
        }
        Zone::Exile => {
            return Err(format!("of exile only the number is known, for {}", seat_name(seat)));
        }
    }
    Ok(names)
}

fn size(state: &Magic, seat: Seat, zone: Zone) -> u8 {
    let mine = &state.seats[seat];
    match zone {
        Zone::Hand => mine.hand.total(),
        Zone::Graveyard => mine.graveyard.total(),
        Zone::Shown => mine.shown.0.iter().sum(),
        Zone::Library => state.library_size(seat),
        Zone::Top => mine.order.top().len() as u8,
        Zone::Battlefield => state.controlled(seat).len() as u8,
        Zone::Exile => mine.exiled,
    }
}
