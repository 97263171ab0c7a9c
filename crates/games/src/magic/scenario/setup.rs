//! Builds the state in which a scenario starts.

use std::collections::BTreeMap;

use meeple_game::Game;

use super::read::{Scenario, Side, Start};
use super::words::{Cards, Mark};
use crate::magic::Config;
use crate::magic::machine::Machine;
use crate::magic::state::order::{Known, Order};
use crate::magic::state::pile::Pile;
use crate::magic::state::row::Row;
use crate::magic::state::seat::{BySeat, Seat, SeatSet};
use crate::magic::state::slots::Slot;
use crate::magic::state::{Magic, Question};
use crate::magic::table::card::{CardId, DeckCard, DeckCards};

/// The state in which a scenario starts, with `definitions` of its own cards.
pub(super) fn state(scenario: &Scenario, definitions: &str) -> Result<Magic, String> {
    let config = config(scenario, definitions)?;
    let mut state = Magic::new(&config);
    let Start::Phase(when, turn) = scenario.start else { return Ok(state) };
    state.tasks = Row::new();
    state.question = Question::Nothing;
    state.clock.phase = when.phase;
    state.clock.active = when.seat.unwrap_or(Seat::First);
    state.clock.regular = state.clock.active;
    state.clock.turn = turn;
    for seat in Seat::BOTH {
        fill(&mut state, seat, &scenario.sides[seat])?;
    }
    for seat in Seat::BOTH {
        place(&mut state, seat, &scenario.sides[seat])?;
    }
    for side in scenario.sides.iter() {
        attach(&mut state, side)?;
    }
    state.tasks = Row::new();
    state.board.dirty = true;
    state.derive();
    Machine::new(&mut state, &mut ()).advance();
    Ok(state)
}

/// A table with the decks that the scenario needs.
fn config(scenario: &Scenario, definitions: &str) -> Result<Config, String> {
    let decks: Vec<_> = Seat::BOTH.map(|seat| deck(&scenario.sides[seat], seat)).into();
    let mut spec = serde_json::json!({
        "decks": decks,
        "forced": "ask",
        "payment": if scenario.options.manual_payment { "manual" } else { "auto" },
        "stops": scenario.options.stops,
        "mulligan": matches!(scenario.start, Start::Game),
    });
    if !definitions.is_empty() {
        spec["cards"] = serde_json::json!({ "scenario.ron": definitions });
    }
    serde_json::from_value(spec).map_err(|error| error.to_string())
}

fn deck(side: &Side, seat: Seat) -> serde_json::Value {
    let mut cards: BTreeMap<&str, u8> = BTreeMap::new();
    let zones = [&side.hand, &side.battlefield, &side.graveyard, &side.top, &side.rest];
    for some in zones.into_iter().flatten().filter(|some| !is_token(some)) {
        *cards.entry(&some.name).or_insert(0) += some.count;
    }
    let name = BySeat(["yours", "theirs"])[seat];
    serde_json::json!({ "name": name, "cards": cards })
}

fn is_token(some: &Cards) -> bool {
    crate::magic::cards::builtin().iter().any(|card| card.token && card.name == some.name)
}

/// The card of this name in the deck of a seat.
fn number(state: &Magic, seat: Seat, name: &str) -> Result<DeckCard, String> {
    let called = |card: &DeckCard| state.def(card.of(seat)).name == name;
    DeckCards::KINDS.iter().find(called).ok_or_else(|| format!("no card {name:?}"))
}

fn fill(state: &mut Magic, seat: Seat, side: &Side) -> Result<(), String> {
    let pile = |cards: &[Cards]| {
        let mut pile = Pile::EMPTY;
        for some in cards {
            let card = number(state, seat, &some.name)?;
            (0..some.count).for_each(|_| pile.add(card));
        }
        Ok::<_, String>(pile)
    };
    let (hand, graveyard) = (pile(&side.hand)?, pile(&side.graveyard)?);
    let library = pile(&side.rest)?;
    let mut order = Order::EMPTY;
    for some in side.top.iter().rev() {
        let card = number(state, seat, &some.name)?;
        (0..some.count).for_each(|_| order.push_top(Known::new(card, SeatSet::NONE)));
    }
    let mine = &mut state.seats[seat];
    (mine.hand, mine.graveyard, mine.library, mine.order) = (hand, graveyard, library, order);
    mine.life = side.life;
    // The hands that `Magic::new` deals may have emptied a small library.
    (mine.drawn, mine.lost) = (0, false);
    for letter in side.pool.chars() {
        let kind = "WUBRGC".find(letter).ok_or_else(|| format!("no mana {letter:?}"))?;
        mine.pool[kind] += 1;
    }
    Ok(())
}

fn place(state: &mut Magic, seat: Seat, side: &Side) -> Result<(), String> {
    for some in &side.battlefield {
        let card = if is_token(some) {
            let number = state.table.0.cards.token(|token| token.name == some.name);
            CardId::token(number.ok_or("no such token")?, seat)
        } else {
            number(state, seat, &some.name)?.of(seat)
        };
        for _ in 0..some.count {
            let slot = Machine::new(state, &mut ()).enter(card, seat, false);
            let slot = slot.ok_or("no room on the battlefield")?;
            let board = &mut state.board;
            board.summoning_sick &= !slot.bit();
            board.tapped.put(slot, false);
            some.marks.iter().for_each(|mark| apply(state, slot, mark));
        }
    }
    Ok(())
}

fn apply(state: &mut Magic, slot: Slot, mark: &Mark) {
    let board = &mut state.board;
    match mark {
        Mark::Tapped => board.tapped |= slot.bit(),
        Mark::Sick => board.summoning_sick |= slot.bit(),
        Mark::Damage(damage) => {
            board.damage[slot] = *damage;
            board.damaged |= slot.bit();
        }
        Mark::Counters(counters) => {
            board.counters[slot] = *counters;
            board.counted = true;
        }
        Mark::Chose(kind) => board.memo[slot] = *kind as u8 + 1,
        Mark::On(_) => {}
    }
}

/// Auras find what they enchant by its name.
fn attach(state: &mut Magic, side: &Side) -> Result<(), String> {
    for some in &side.battlefield {
        for mark in &some.marks {
            if let Mark::On(host) = mark {
                let loose = |&slot: &Slot| {
                    state.def_at(slot).name == some.name && state.board.link[slot].is_none()
                };
                let aura = state.board.used.iter().find(loose).ok_or("no such Aura")?;
                let hosts = state.board.used.iter().filter(|&slot| {
                    state.permanent_name(slot) == *host || state.def_at(slot).name == *host
                });
                let hosts: Vec<Slot> = hosts.collect();
                match *hosts {
                    [host] => state.board.link[aura] = Some(host),
                    _ => return Err(format!("{} permanents are called {host:?}", hosts.len())),
                }
            }
        }
    }
    Ok(())
}
