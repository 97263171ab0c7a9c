//! Links the emitted code of a game: what runs together becomes one instruction, registers get
//! places in a small file, and addresses are filled in.

mod entries;
mod fuse;
mod numbers;
mod operands;
mod region;
mod registers;
mod simplify;

use std::collections::BTreeMap;

use meeple_game::MAX_ACTIONS;

use crate::code::Ins;
use crate::lower::{Chance, Lowered};
use crate::tree::NUMBER_LETS;
use entries::Tables;
pub(crate) use entries::{Aim, Target, TurnCode};
use fuse::Fuser;
use region::Region;
use registers::Places;

/// The code of a game as it is run, whatever the width of its sets.
#[derive(Clone, Debug)]
pub(crate) struct Linked {
    pub(crate) ins: Vec<Ins>,
    pub(crate) tables: Tables,
    /// The place of the first constant.
    pub(crate) constants: usize,
    /// Where the code begins that sets the board up.
    pub(crate) start: usize,
    /// The number of set and number registers that the code needs.
    pub(crate) sets: usize,
    pub(crate) numbers: usize,
    /// Lists of directions.
    pub(crate) ways: Vec<Vec<u8>>,
    /// What chance decides in each phase.
    pub(crate) chances: Vec<Option<Chance>>,
    pub(crate) players: u8,
    /// The number register of a bid.
    pub(crate) bid: u8,
    /// Whether there may be more legal actions than a list holds.
    pub(crate) is_wide: bool,
}

/// Addresses without code that stand for the ends of blocks.
pub(crate) const END_OFFERS: u16 = u16::MAX;
pub(crate) const END_EFFECTS: u16 = u16::MAX - 1;
pub(crate) const END_ENDS: u16 = u16::MAX - 2;

/// What a block of code is for, with its seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Offers(usize),
    Effects(usize),
    Ends(usize),
    /// A condition of `such that`, or the code that sets the board up.
    Apart,
}

/// Links the code of a checked game.
pub(crate) fn link(rules: &Lowered) -> Linked {
    let code = &rules.listing.ins;
    let bounds = rules.bounds();
    let constants = &rules.listing.constants;
    let mut places = Places::new(code, rules.sets, constants.len(), rules.registers);
    let purposes = purposes(rules);
    let ends = rules.listing.blocks.iter().skip(1).copied().chain([code.len()]);
    let (mut ins, mut ways) = (Vec::new(), Vec::new());
    let mut addresses = BTreeMap::new();
    for (&begin, end) in rules.listing.blocks.iter().zip(ends) {
        let Some(&purpose) = purposes.get(&begin) else { continue };
        let mut region = Region::new(&code[begin..end], begin);
        numbers::fold(&mut region, &bounds);
        simplify::simplify(&mut region);
        region.count_reads();
        let seat = match purpose {
            Purpose::Offers(seat) | Purpose::Effects(seat) | Purpose::Ends(seat) => seat,
            Purpose::Apart => 0,
        };
        let entries = &rules.seats[seat].entries;
        let board = rules.board.all;
        Fuser { entries, constants, board, ways: &mut ways }.fuse(&mut region);
        region.remove_unread();
        match purpose {
            Purpose::Offers(_) => region.end(Ins::EndOffers, END_OFFERS),
            Purpose::Effects(_) => region.end(Ins::EndEffects, END_EFFECTS),
            Purpose::Ends(_) => region.end(Ins::EndEnds, END_ENDS),
            Purpose::Apart => {}
        }
        let mut block = region.finish(ins.len());
        places.assign(&mut block);
        addresses.insert(begin, ins.len());
        ins.extend(block);
    }
    let mut seats = rules.seats.clone();
    for seat in &mut seats {
        let rolls = seat.rolls.iter_mut().flatten();
        let effects = seat.entries.iter_mut().flat_map(|entry| {
            [Some(&mut entry.effect), entry.such_that.as_mut()].into_iter().flatten()
        });
        let ends = std::iter::once(&mut seat.ends);
        for address in seat.phases.iter_mut().chain(rolls).chain(effects).chain(ends) {
            *address = addresses[address];
        }
    }
    let bid = places.number(NUMBER_LETS);
    let chances = rules.phases.iter().map(|phase| Some(place(phase.chance?, &mut places)));
    Linked {
        ins,
        tables: Tables::new(&seats),
        start: addresses[&rules.start],
        chances: chances.collect(),
        constants: places.constants,
        sets: places.sets,
        numbers: places.numbers,
        ways,
        players: rules.players as u8,
        bid,
        is_wide: rules.widest > MAX_ACTIONS,
    }
}

/// Returns what each block is for, by where it begins.
fn purposes(rules: &Lowered) -> BTreeMap<usize, Purpose> {
    let mut purposes = BTreeMap::new();
    for (number, seat) in rules.seats.iter().enumerate() {
        purposes.extend(seat.entries.iter().map(|entry| (entry.effect, Purpose::Effects(number))));
        let conditions = seat.entries.iter().filter_map(|entry| entry.such_that);
        purposes.extend(conditions.map(|at| (at, Purpose::Apart)));
        purposes.extend(seat.rolls.iter().flatten().map(|&at| (at, Purpose::Effects(number))));
        purposes.extend(seat.phases.iter().map(|&at| (at, Purpose::Offers(number))));
        purposes.insert(seat.ends, Purpose::Ends(number));
    }
    purposes.insert(rules.start, Purpose::Apart);
    purposes
}

/// Puts the registers of a chance event into their places.
fn place(chance: Chance, places: &mut Places) -> Chance {
    match chance {
        Chance::Roll { register, low, high } => {
            Chance::Roll { register: places.number(register), low, high }
        }
        Chance::RollEach(_) | Chance::Dice(_) => chance,
        Chance::Deal(mut deal) => {
            (deal.from, deal.to) = (places.set(deal.from), places.set(deal.to));
            deal.lacks = deal.lacks.map(|lacks| places.set(lacks));
            Chance::Deal(deal)
        }
    }
}
